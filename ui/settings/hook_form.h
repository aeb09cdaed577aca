// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/agent_contract.h"
#include "domain/error.h"
#include "ui/widgets/card.h"

class QCheckBox;

namespace berth::ui {

class Banner;
class Button;
class FieldEditor;

//! A hook that is added or changed.
class HookForm final : public Card
{
    Q_OBJECT
public:
    HookForm(const application::HookView &hook, bool isNew, QWidget *parent = nullptr);

    [[nodiscard]] application::HookView hook() const;
    void setBusy(bool busy);
    void showError(const domain::Error &error);

    [[nodiscard]] FieldEditor *momentField() const { return m_moment; }
    [[nodiscard]] FieldEditor *programField() const { return m_program; }
    [[nodiscard]] FieldEditor *argumentsField() const { return m_arguments; }
    //! One for each tool; their object names are the tools'.
    [[nodiscard]] const QList<QCheckBox *> &toolBoxes() const { return m_tools; }
    [[nodiscard]] Button *saveButton() const { return m_save; }
    [[nodiscard]] Button *cancelButton() const { return m_cancel; }
    [[nodiscard]] Banner *problem() const { return m_problem; }

Q_SIGNALS:
    void saveRequested(const berth::application::HookView &hook);
    void cancelled();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *buildTools(const QStringList &chosen);
    QWidget *buildButtons(bool isNew);
    void refresh();

    //! As they were; a field that nobody changed says nothing of them.
    QStringList m_argumentsBefore;
    FieldEditor *m_moment;
    FieldEditor *m_program;
    FieldEditor *m_arguments;
    QString m_argumentsShown;
    QList<QCheckBox *> m_tools;
    Button *m_save = nullptr;
    Button *m_cancel = nullptr;
    Banner *m_problem;
    bool m_busy = false;
};

} // namespace berth::ui
