// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/approval_card.h"

#include "application/engine_client.h"
#include "ui/conversation/ansi_text.h"
#include "ui/models/thread_text.h"
#include "ui/settings/rule_editor.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/flow_row.h"
#include "ui/widgets/label.h"
#include "ui/widgets/tool_tip.h"

#include <QtGui/QKeyEvent>
#include <QtGui/QTextBlock>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace berth::ui {

using application::ApprovalView;
using application::DecideApproval;

namespace {

constexpr int kMostCommandRows = 8;
constexpr int kMostDiffRows = 12;
//! A click sooner than this was meant for what stood there before.
constexpr qint64 kStrayClickMs = 400;

QPlainTextEdit *codeBox(const QString &text, const QString &name)
{
    auto *box = new QPlainTextEdit;
    box->setReadOnly(true);
    box->setFont(fontFor(TextRole::Mono));
    box->setTabChangesFocus(true);
    box->setWordWrapMode(QTextOption::WrapAnywhere);
    box->setPlainText(visibleText(text));
    box->setAccessibleName(name);
    return box;
}

} // namespace

ApprovalCard::ApprovalCard(application::EngineClient &client, const ApprovalView &approval,
                           QWidget *parent)
    : Card(parent), m_client(client), m_approval(approval)
{
    setAccent(Tone::Warn);
    build();
    setAccessibleName(tr("Needs your approval: %1, %2")
                          .arg(verbOf(approval.tool), visibleText(approval.command)));
}

void ApprovalCard::build()
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 14);
    column->setSpacing(10);
    column->addWidget(buildHead());
    m_command = codeBox(m_approval.command, tr("What is to be done"));
    column->addWidget(m_command);
    m_unread = new Label(tr("Scroll to its end before you allow it"), TextRole::Caption, Ink::Warn);
    m_unread->hide();
    column->addWidget(m_unread);
    connect(m_command->verticalScrollBar(), &QScrollBar::rangeChanged, this,
            &ApprovalCard::refreshAllow);
    connect(m_command->verticalScrollBar(), &QScrollBar::valueChanged, this,
            &ApprovalCard::noteRead);
    if (!m_approval.diff.isEmpty()) {
        m_diff = codeBox(m_approval.diff, tr("Change"));
        column->addWidget(m_diff);
    }
    if (!m_approval.reason.isEmpty()) {
        auto *reason = new Label(visibleText(m_approval.reason), TextRole::Caption, Ink::Secondary);
        reason->setWrapped(true);
        column->addWidget(reason);
    }
    column->addWidget(buildButtons());

    m_denial = new QWidget;
    auto *row = new QHBoxLayout(m_denial);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_reason = new QLineEdit;
    m_reason->setPlaceholderText(tr("Why, for the agent (may stay empty)"));
    m_reason->setAccessibleName(tr("Reason for the agent"));
    m_reason->setMaxLength(2000);
    auto *send = guarded(new Button(tr("Deny"), ButtonKind::Danger));
    auto *back = guarded(new Button(tr("Cancel")));
    row->addWidget(m_reason, 1);
    row->addWidget(send);
    row->addWidget(back);
    m_denial->hide();
    column->addWidget(m_denial);
    connect(send, &QPushButton::clicked, this, &ApprovalCard::deny);
    connect(m_reason, &QLineEdit::returnPressed, this, &ApprovalCard::deny);
    connect(back, &QPushButton::clicked, this, [this] {
        m_denial->hide();
        m_buttons->show();
        m_deny->setFocus(Qt::ShortcutFocusReason);
    });

    m_rule = new RuleEditor(m_client);
    m_rule->hide();
    column->addWidget(m_rule);
    guarded(m_rule->acceptButton());
    connect(m_rule, &RuleEditor::accepted, this, &ApprovalCard::allowAlways);
    connect(m_rule, &RuleEditor::cancelled, this, [this] {
        m_rule->hide();
        m_buttons->show();
        m_always->setFocus(Qt::ShortcutFocusReason);
    });

    m_problem = new Banner(Tone::Error);
    m_problem->hide();
    column->addWidget(m_problem);
}

QWidget *ApprovalCard::buildHead()
{
    auto *head = new QWidget;
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto *chip = new Chip(tr("Needs your approval"), Tone::Warn, Dot::Half);
    row->addWidget(chip);
    row->addWidget(new Label(verbOf(m_approval.tool), TextRole::BodyStrong));
    auto *where = new ElidedLabel(TextRole::Body, Ink::Secondary);
    const QString directory = visibleText(m_approval.cwd);
    where->setFullText(
        m_approval.sandboxLabel.isEmpty() ? directory
            : directory.isEmpty()
            ? tr("in %1").arg(m_approval.sandboxLabel)
            : tr("in %1 · %2", "sandbox, directory").arg(m_approval.sandboxLabel, directory));
    row->addWidget(where, 1);
    return head;
}

Button *ApprovalCard::guarded(Button *button)
{
    button->setAutoDefault(false);
    button->setDefault(false);
    // Reached by Tab and by Ctrl+Shift+A; a click decides without moving the focus.
    button->setFocusPolicy(Qt::TabFocus);
    button->installEventFilter(this);
    return button;
}

QWidget *ApprovalCard::buildButtons()
{
    m_buttons = new FlowRow;
    m_once = guarded(new Button(tr("Allow once"), ButtonKind::Primary));
    m_thread = guarded(new Button(tr("Allow for this thread")));
    m_always = guarded(new Button(tr("Always…")));
    m_deny = guarded(new Button(tr("Deny"), ButtonKind::Danger));
    for (Button *button : {m_once, m_thread, m_always, m_deny})
        m_buttons->addWidget(button);
    connect(m_once, &QPushButton::clicked, this, [this] { allow(QStringLiteral("once")); });
    connect(m_thread, &QPushButton::clicked, this, [this] { allow(QStringLiteral("thread")); });
    connect(m_always, &QPushButton::clicked, this, &ApprovalCard::openRule);
    connect(m_deny, &QPushButton::clicked, this, &ApprovalCard::openDenial);
    refreshAllow();
    return m_buttons;
}

void ApprovalCard::noteRead()
{
    const QScrollBar *bar = m_command->verticalScrollBar();
    if (m_read || bar->maximum() <= 0 || bar->value() < bar->maximum())
        return;
    m_read = true;
    refreshAllow();
}

void ApprovalCard::refreshAllow()
{
    const bool unread = !m_read && m_command->verticalScrollBar()->maximum() > 0;
    const QStringList &patterns = m_approval.patterns;
    m_once->setEnabled(!unread);
    m_thread->setEnabled(!unread && !patterns.isEmpty());
    m_always->setEnabled(!unread && !patterns.isEmpty());
    m_unread->setVisible(unread);
    if (patterns.isEmpty()) {
        const QString why = m_approval.whyNotAlways.isEmpty()
            ? tr("Only once: no rule can be made of it")
            : tr("Only once: %1").arg(m_approval.whyNotAlways);
        m_thread->setToolTip(toolTipOf(why));
        m_always->setToolTip(toolTipOf(why));
        return;
    }
    const QString grants = tr("Allows in this thread, from now on:") + QLatin1Char('\n')
        + patterns.join(QLatin1Char('\n'));
    m_thread->setToolTip(toolTipOf(grants));
    m_thread->setAccessibleDescription(visibleText(grants));
}

void ApprovalCard::focusDecision()
{
    QWidget *next = m_once;
    if (!m_denial->isHidden())
        next = m_reason;
    else if (!m_rule->isHidden())
        next = m_rule->patternLines().value(0);
    else if (!m_once->isEnabled())
        next = m_command;
    if (next)
        next->setFocus(Qt::ShortcutFocusReason);
}

QString ApprovalCard::unsentReason() const
{
    // While an answer is under way it is taken for the one that closed the call.
    const bool sent = m_deciding || m_answered;
    return sent || m_denial->isHidden() ? QString() : m_reason->text().trimmed();
}

void ApprovalCard::allow(const QString &scope, const QString &patterns)
{
    DecideApproval command;
    command.toolCall = m_approval.toolCall;
    command.allow = true;
    command.scope = scope;
    command.pattern = patterns;
    decide(command);
}

void ApprovalCard::allowAlways(const QStringList &patterns)
{
    const QStringList &offered = m_approval.patterns;
    const bool areOffered =
        std::all_of(patterns.cbegin(), patterns.cend(),
                    [&offered](const QString &one) { return offered.contains(one); });
    if (areOffered && m_saved.isEmpty()) {
        // All of them is what an empty one means.
        allow(QStringLiteral("always"),
              patterns.size() == offered.size() ? QString() : patterns.join(QLatin1Char('\n')));
        return;
    }
    // The Engine takes with an answer only what it has offered; the user's own are rules first.
    if (!begin())
        return;
    saveRules(patterns);
}

void ApprovalCard::saveRules(QStringList patterns)
{
    while (!patterns.isEmpty() && m_saved.contains(patterns.first()))
        patterns.removeFirst();
    if (patterns.isEmpty()) {
        m_deciding = false;
        allow(QStringLiteral("once"));
        return;
    }
    application::SaveRule command;
    command.rule = m_rule->ruleOf(patterns.first());
    application::deliver(this, m_client, command,
                         [this, patterns](const domain::Result<application::RuleView> &answer) {
                             if (!answer) {
                                 fail(answer.error());
                                 return;
                             }
                             m_saved.append(patterns.first());
                             saveRules(patterns.mid(1));
                         });
}

void ApprovalCard::openDenial()
{
    m_buttons->hide();
    m_denial->show();
    m_reason->setFocus(Qt::OtherFocusReason);
    guardClicks();
    Q_EMIT opened(m_denial);
}

void ApprovalCard::deny()
{
    DecideApproval command;
    command.toolCall = m_approval.toolCall;
    command.reason = m_reason->text().trimmed();
    decide(command);
}

void ApprovalCard::openRule()
{
    m_buttons->hide();
    application::RuleView rule;
    rule.scope = QStringLiteral("agent");
    rule.owner = m_approval.agent.toString();
    rule.tool = m_approval.tool;
    rule.decision = QStringLiteral("allow");
    m_rule->begin(rule, m_approval.patterns);
    m_rule->show();
    guardClicks();
    Q_EMIT opened(m_rule);
}

bool ApprovalCard::begin()
{
    if (m_deciding)
        return false;
    m_deciding = true;
    // A button that is switched off would lose the focus to nobody.
    if (isAncestorOf(window()->focusWidget()))
        setFocus(Qt::OtherFocusReason);
    setEnabledAll(false);
    m_problem->hide();
    return true;
}

void ApprovalCard::fail(const domain::Error &error)
{
    m_deciding = false;
    setEnabledAll(true);
    m_problem->setText(error.message, error.detail);
    m_problem->show();
}

void ApprovalCard::decide(DecideApproval command)
{
    if (!begin())
        return;
    application::deliver(this, m_client, command,
                         [this](const domain::Result<application::Nothing> &answer) {
                             // Decided elsewhere in the meantime is decided.
                             if (answer || answer.error().kind == domain::ErrorKind::Conflict) {
                                 m_deciding = false;
                                 m_answered = answer.has_value();
                                 Q_EMIT decided();
                             } else {
                                 fail(answer.error());
                             }
                         });
}

void ApprovalCard::setEnabledAll(bool enabled)
{
    m_buttons->setEnabled(enabled);
    m_denial->setEnabled(enabled);
    m_rule->setEnabled(enabled);
}

void ApprovalCard::fitText(QPlainTextEdit *text, int most)
{
    int rows = 0;
    for (QTextBlock block = text->document()->begin(); block.isValid() && rows <= most;
         block = block.next())
        rows += qMax(1, block.layout() ? block.layout()->lineCount() : 1);
    const int row = QFontMetrics(text->font()).lineSpacing();
    const int height = qBound(1, rows, most) * row + 22;
    if (text->minimumHeight() != height || text->maximumHeight() != height)
        text->setFixedHeight(height);
}

void ApprovalCard::showEvent(QShowEvent *event)
{
    Card::showEvent(event);
    guardClicks();
    fitText(m_command, kMostCommandRows);
    if (m_diff)
        fitText(m_diff, kMostDiffRows);
}

void ApprovalCard::moveEvent(QMoveEvent *event)
{
    Card::moveEvent(event);
    guardClicks();
}

void ApprovalCard::resizeEvent(QResizeEvent *event)
{
    Card::resizeEvent(event);
    fitText(m_command, kMostCommandRows);
    if (m_diff)
        fitText(m_diff, kMostDiffRows);
}

bool ApprovalCard::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::FocusIn: {
        const Qt::FocusReason reason = static_cast<QFocusEvent *>(event)->reason();
        const bool meant = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason
            || reason == Qt::ShortcutFocusReason || reason == Qt::MouseFocusReason;
        m_armed = meant ? watched : nullptr;
        break;
    }
    case QEvent::FocusOut:
        // Another window took it for a while; it comes back to where it was put.
        if (static_cast<QFocusEvent *>(event)->reason() != Qt::ActiveWindowFocusReason)
            m_armed = nullptr;
        break;
    case QEvent::KeyPress:
    case QEvent::KeyRelease: {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool presses = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter
            || key->key() == Qt::Key_Space || key->key() == Qt::Key_Select;
        if (presses && (m_armed != watched || key->isAutoRepeat()))
            return true;
        // A push button outside of a dialog answers to Space only.
        if (presses && event->type() == QEvent::KeyPress && key->key() != Qt::Key_Space) {
            static_cast<Button *>(watched)->click();
            return true;
        }
        break;
    }
    case QEvent::MouseButtonDblClick:
        // Its first half may have decided about another card.
        return true;
    case QEvent::MouseButtonPress:
        if (!m_shown.isValid() || m_shown.elapsed() < kStrayClickMs)
            return true;
        break;
    default:
        break;
    }
    return Card::eventFilter(watched, event);
}

} // namespace berth::ui
