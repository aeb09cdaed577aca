// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/rule_editor.h"

#include "application/engine_client.h"
#include "ui/conversation/ansi_text.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/button.h"
#include "ui/widgets/form_row.h"
#include "ui/widgets/label.h"

#include <QtCore/QTimerEvent>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::RuleView;

namespace {

//! After the last key, the examples follow.
constexpr int kExamplesDelayMs = 250;

constexpr qsizetype kMostExamples = 6;

QString exampleLines(const QStringList &lines)
{
    QStringList shown;
    for (const QString &line : lines.mid(0, kMostExamples))
        shown.append(QStringLiteral("• ") + visibleText(line));
    return shown.join(QLatin1Char('\n'));
}

} // namespace

RuleEditor::RuleEditor(application::EngineClient &client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_patterns(new QVBoxLayout),
      m_matches(new Label(TextRole::MonoSmall, Ink::Text)),
      m_asks(new Label(TextRole::MonoSmall, Ink::Text)),
      m_problem(new Label(TextRole::Caption, Ink::Error)),
      m_accept(new Button(tr("Always allow"), ButtonKind::Primary)),
      m_cancel(new Button(tr("Cancel")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_patterns->setSpacing(6);
    column->addLayout(m_patterns);
    auto *help =
        new Label(tr("Words as in the command; * at the end stands for any further words."),
                  TextRole::Caption, Ink::Caption);
    help->setWrapped(true);
    column->addWidget(help);
    auto *examples = new QHBoxLayout;
    examples->setSpacing(24);
    for (const auto &[title, lines] :
         {std::pair(tr("It matches"), m_matches), std::pair(tr("It does not match"), m_asks)}) {
        auto *side = new QVBoxLayout;
        side->setSpacing(4);
        side->addWidget(new Label(title, TextRole::Caption, Ink::Caption));
        lines->setWrapped(true);
        lines->setAccessibleName(title);
        side->addWidget(lines);
        side->addStretch(1);
        examples->addLayout(side, 1);
    }
    column->addLayout(examples);
    m_problem->setWrapped(true);
    m_problem->hide();
    column->addWidget(m_problem);
    auto *row = new QHBoxLayout;
    for (Button *button : {m_accept, m_cancel})
        button->setAutoDefault(false);
    row->addWidget(m_accept);
    row->addWidget(m_cancel);
    row->addStretch(1);
    column->addLayout(row);
    connect(m_accept, &QPushButton::clicked, this, [this] { Q_EMIT accepted(patterns()); });
    connect(m_cancel, &QPushButton::clicked, this, &RuleEditor::cancelled);
}

void RuleEditor::begin(const RuleView &rule, const QStringList &patterns)
{
    m_rule = rule;
    // A row each: what is granted stands there whole.
    while (QLayoutItem *item = m_patterns->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_lines.clear();
    for (const QString &pattern : patterns) {
        auto *line = new QLineEdit(pattern);
        line->setFont(fontFor(TextRole::Mono));
        line->setMaxLength(500);
        line->setCursorPosition(0);
        m_lines.append(line);
        m_patterns->addWidget(new FormRow(
            patterns.size() == 1 ? tr("Pattern")
                                 : tr("Pattern %1 of %2").arg(m_lines.size()).arg(patterns.size()),
            line));
        connect(line, &QLineEdit::textEdited, this, &RuleEditor::onEdited);
    }
    if (!m_lines.isEmpty())
        m_lines.first()->setFocus(Qt::OtherFocusReason);
    m_matches->clear();
    m_asks->clear();
    tryIt();
}

void RuleEditor::retarget(const RuleView &rule)
{
    m_rule = rule;
    tryIt();
}

void RuleEditor::setAcceptText(const QString &text)
{
    m_accept->setText(text);
}

void RuleEditor::setBusy(bool busy)
{
    for (QLineEdit *line : std::as_const(m_lines))
        line->setReadOnly(busy);
    m_accept->setEnabled(!busy && m_good);
}

QStringList RuleEditor::patterns() const
{
    QStringList patterns;
    for (const QLineEdit *line : m_lines) {
        const QString pattern = line->text().trimmed();
        if (!pattern.isEmpty() && !patterns.contains(pattern))
            patterns.append(pattern);
    }
    return patterns;
}

RuleView RuleEditor::ruleOf(const QString &pattern) const
{
    RuleView rule = m_rule;
    rule.pattern = pattern;
    return rule;
}

void RuleEditor::onEdited()
{
    m_good = false;
    m_soon.start(kExamplesDelayMs, this);
    refresh();
}

void RuleEditor::tryIt()
{
    m_soon.stop();
    m_good = false;
    m_problem->hide();
    m_allowed.clear();
    m_asked.clear();
    const int number = ++m_tries;
    const QStringList all = patterns();
    m_open = all.size();
    for (const QString &pattern : all) {
        application::SaveRule command;
        command.rule = ruleOf(pattern);
        command.dryRun = true;
        application::deliver(
            this, m_client, command,
            [this, number](const domain::Result<RuleView> &answer) { onTried(number, answer); });
    }
    refresh();
}

void RuleEditor::onTried(int number, const domain::Result<RuleView> &answer)
{
    // Others were asked about since.
    if (number != m_tries)
        return;
    if (!answer) {
        ++m_tries;
        showProblem(answer.error());
        return;
    }
    // Of each a few; all of one alone.
    const qsizetype share = qMax<qsizetype>(1, kMostExamples / qMax<qsizetype>(1, m_lines.size()));
    m_allowed += answer->matches.mid(0, share);
    m_asked += answer->asks.mid(0, share);
    m_matches->setText(exampleLines(m_allowed));
    m_asks->setText(exampleLines(m_asked));
    m_good = --m_open == 0;
    refresh();
}

void RuleEditor::showProblem(const domain::Error &error)
{
    m_problem->setText(error.detail.isEmpty()
                           ? error.message
                           : QStringLiteral("%1. %2").arg(error.message, error.detail));
    m_problem->show();
}

void RuleEditor::refresh()
{
    m_accept->setEnabled(m_good);
}

void RuleEditor::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_soon.timerId())
        tryIt();
    else
        QWidget::timerEvent(event);
}

} // namespace berth::ui
