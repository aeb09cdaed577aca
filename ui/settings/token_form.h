// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/api_contract.h"
#include "ui/settings/security_words.h"
#include "ui/widgets/card.h"

#include <QtCore/QBasicTimer>

class QCheckBox;
class QLineEdit;

namespace berth::ui {

class Banner;
class Button;
class FieldEditor;
class FormRow;

//! A new token: its name, and what it may do.
class TokenForm final : public Card
{
    Q_OBJECT
public:
    TokenForm(const application::ApiView &api, const SecurityNames &names,
              QWidget *parent = nullptr);

    //! Scopes that were granted meanwhile can be chosen.
    void setApi(const application::ApiView &api);
    void setBusy(bool busy);
    void showError(const domain::Error &error);
    [[nodiscard]] application::NewToken command() const;

    [[nodiscard]] FieldEditor *nameField() const { return m_name; }
    [[nodiscard]] FieldEditor *userField() const { return m_user; }
    [[nodiscard]] FieldEditor *agentField() const { return m_agent; }
    //! Null: there is no such scope.
    [[nodiscard]] QCheckBox *scopeBox(const QString &scope) const;
    [[nodiscard]] Button *createButton() const { return m_create; }
    [[nodiscard]] Button *cancelButton() const { return m_cancel; }
    [[nodiscard]] Banner *problem() const { return m_problem; }

Q_SIGNALS:
    void createRequested(const berth::application::NewToken &command);
    void cancelled();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *buildScopes();
    QWidget *buildButtons();
    void refresh();

    FieldEditor *m_name;
    FieldEditor *m_user;
    FieldEditor *m_agent;
    FormRow *m_may = nullptr;
    QList<QCheckBox *> m_scopes;
    Button *m_create = nullptr;
    Button *m_cancel = nullptr;
    Banner *m_problem;
    bool m_busy = false;
};

//! A token, this once.
class MintedCard final : public Card
{
    Q_OBJECT
public:
    explicit MintedCard(const application::MintedToken &minted, QWidget *parent = nullptr);
    ~MintedCard() override;

    [[nodiscard]] QLineEdit *line() const { return m_line; }
    [[nodiscard]] Button *copyButton() const { return m_copy; }
    [[nodiscard]] Button *doneButton() const { return m_done; }

Q_SIGNALS:
    void done();

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    QLineEdit *m_line;
    Button *m_copy;
    Button *m_done;
    QBasicTimer m_copied;
};

} // namespace berth::ui
