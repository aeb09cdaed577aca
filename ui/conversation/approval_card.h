// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/commands.h"
#include "ui/widgets/card.h"

#include <QtCore/QElapsedTimer>

class QLineEdit;
class QPlainTextEdit;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Banner;
class Button;
class FlowRow;
class Label;
class RuleEditor;

//! One tool call that waits for the user. Never takes the focus; its buttons do nothing for keys
//! until the focus was moved to them on purpose, and nothing for a click in the moment in which the
//! card comes up under the pointer. What is long is allowed only after it was scrolled through.
class ApprovalCard final : public Card
{
    Q_OBJECT
public:
    //! \a client outlives the card.
    ApprovalCard(application::EngineClient &client, const application::ApprovalView &approval,
                 QWidget *parent = nullptr);

    [[nodiscard]] const application::ApprovalView &approval() const { return m_approval; }
    //! The focus to what is to be done in it next, as the user asked for it.
    void focusDecision();
    //! A reason that was written and that nobody got; empty: none.
    [[nodiscard]] QString unsentReason() const;
    //! It has moved: for a moment, a click was meant for what stood there before.
    void guardClicks() { m_shown.start(); }

    [[nodiscard]] QPlainTextEdit *commandText() const { return m_command; }
    [[nodiscard]] Button *onceButton() const { return m_once; }
    [[nodiscard]] Button *threadButton() const { return m_thread; }
    [[nodiscard]] Button *alwaysButton() const { return m_always; }
    [[nodiscard]] Button *denyButton() const { return m_deny; }
    [[nodiscard]] QLineEdit *reasonLine() const { return m_reason; }
    [[nodiscard]] RuleEditor *ruleEditor() const { return m_rule; }
    [[nodiscard]] Banner *problem() const { return m_problem; }

Q_SIGNALS:
    //! Something was opened in it.
    void opened(QWidget *part);
    //! Decided here; the Engine tells all clients too.
    void decided();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void moveEvent(QMoveEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void build();
    QWidget *buildHead();
    QWidget *buildButtons();
    void fitText(QPlainTextEdit *text, int most);
    //! False: an answer is under way already.
    bool begin();
    void fail(const domain::Error &error);
    void decide(application::DecideApproval command);
    void allow(const QString &scope, const QString &patterns = {});
    void allowAlways(const QStringList &patterns);
    //! Saves the first of them as a rule, then the others, and allows the call.
    void saveRules(QStringList patterns);
    void openDenial();
    void deny();
    void openRule();
    void setEnabledAll(bool enabled);
    void noteRead();
    void refreshAllow();
    //! A button that keys reach only after its focus was moved there on purpose.
    Button *guarded(Button *button);

    application::EngineClient &m_client;
    application::ApprovalView m_approval;
    QPlainTextEdit *m_command = nullptr;
    Label *m_unread = nullptr;
    QPlainTextEdit *m_diff = nullptr;
    FlowRow *m_buttons = nullptr;
    Button *m_once = nullptr;
    Button *m_thread = nullptr;
    Button *m_always = nullptr;
    Button *m_deny = nullptr;
    QWidget *m_denial = nullptr;
    QLineEdit *m_reason = nullptr;
    RuleEditor *m_rule = nullptr;
    Banner *m_problem = nullptr;
    QElapsedTimer m_shown;
    //! The button on which the focus was put on purpose.
    const QObject *m_armed = nullptr;
    bool m_deciding = false;
    //! The Engine took the answer from here.
    bool m_answered = false;
    //! The end of the command was seen.
    bool m_read = false;
    //! Rules that were made for this call before one failed.
    QStringList m_saved;
};

} // namespace berth::ui
