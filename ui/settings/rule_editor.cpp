// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/rule_editor.h"

#include "application/engine_client.h"
#include "ui/conversation/ansi_text.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/button.h"
#include "ui/widgets/choices.h"
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

QString exampleLines(const QStringList &lines)
{
    QStringList shown;
    for (const QString &line : lines.mid(0, 4))
        shown.append(QStringLiteral("• ") + visibleText(line));
    return shown.join(QLatin1Char('\n'));
}

} // namespace

RuleEditor::RuleEditor(application::EngineClient &client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_choice(new RadioChips),
      m_pattern(new QLineEdit),
      m_decision(new RadioChips),
      m_matches(new Label(TextRole::MonoSmall, Ink::Text)),
      m_asks(new Label(TextRole::MonoSmall, Ink::Text)),
      m_problem(new Label(TextRole::Caption, Ink::Error)),
      m_accept(new Button(tr("Always allow"), ButtonKind::Primary))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_choice);
    m_pattern->setFont(fontFor(TextRole::Mono));
    m_pattern->setMaxLength(500);
    auto *pattern = new FormRow(tr("Pattern"), m_pattern);
    pattern->setHelp(tr("Words as in the command; * at the end stands for any further words."));
    column->addWidget(pattern);
    m_decision->setChoices({{QStringLiteral("allow"), tr("Allow")},
                            {QStringLiteral("ask"), tr("Ask")},
                            {QStringLiteral("deny"), tr("Deny")}});
    m_decisionRow = new FormRow(tr("What then"), m_decision);
    m_decisionRow->hide();
    column->addWidget(m_decisionRow);
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
    auto *cancel = new Button(tr("Cancel"));
    for (Button *button : {m_accept, cancel})
        button->setAutoDefault(false);
    row->addWidget(m_accept);
    row->addWidget(cancel);
    row->addStretch(1);
    column->addLayout(row);
    connect(m_pattern, &QLineEdit::textEdited, this, &RuleEditor::onEdited);
    connect(m_choice, &RadioChips::valueChosen, this, [this](const QString &value) {
        m_pattern->setText(value);
        tryIt();
    });
    connect(m_decision, &RadioChips::valueChosen, this, [this](const QString &value) {
        m_rule.decision = value;
        refresh();
    });
    connect(m_accept, &QPushButton::clicked, this, [this] { Q_EMIT accepted(rule()); });
    connect(cancel, &QPushButton::clicked, this, &RuleEditor::cancelled);
}

void RuleEditor::begin(const RuleView &rule, const QStringList &patterns)
{
    m_rule = rule;
    QList<QPair<QString, QString>> choices;
    for (const QString &pattern : patterns)
        choices.append({pattern, visibleText(pattern)});
    m_choice->setChoices(choices);
    m_choice->setVisible(choices.size() > 1);
    m_choice->setValue(patterns.value(0));
    m_pattern->setText(rule.pattern.isEmpty() ? patterns.value(0) : rule.pattern);
    m_decision->setValue(rule.decision);
    m_matches->clear();
    m_asks->clear();
    m_good = false;
    m_pattern->setFocus(Qt::OtherFocusReason);
    refresh();
    tryIt();
}

void RuleEditor::setOpenEnded(bool openEnded)
{
    m_decisionRow->setVisible(openEnded);
    refresh();
}

RuleView RuleEditor::rule() const
{
    RuleView rule = m_rule;
    rule.pattern = m_pattern->text().trimmed();
    return rule;
}

void RuleEditor::onEdited()
{
    m_good = false;
    m_choice->setValue(m_pattern->text());
    m_soon.start(kExamplesDelayMs, this);
    refresh();
}

void RuleEditor::tryIt()
{
    m_soon.stop();
    if (m_pattern->text().trimmed().isEmpty())
        return;
    application::SaveRule command;
    command.rule = rule();
    command.dryRun = true;
    const int number = ++m_tries;
    application::deliver(this, m_client, command,
                         [this, number](const domain::Result<RuleView> &answer) {
                             // Another pattern was asked about since.
                             if (number != m_tries)
                                 return;
                             m_good = answer.has_value();
                             m_problem->setVisible(!answer);
                             if (answer) {
                                 m_matches->setText(exampleLines(answer->matches));
                                 m_asks->setText(exampleLines(answer->asks));
                             } else {
                                 showProblem(answer.error());
                             }
                             refresh();
                         });
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
    if (m_decisionRow->isHidden())
        m_accept->setText(tr("Always allow"));
    else
        m_accept->setText(tr("Add rule"));
    m_accept->setEnabled(m_good && !m_pattern->text().trimmed().isEmpty());
}

void RuleEditor::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_soon.timerId())
        tryIt();
    else
        QWidget::timerEvent(event);
}

} // namespace berth::ui
