// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/rule_form.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "ui/settings/field_editor.h"
#include "ui/settings/rule_editor.h"
#include "ui/widgets/label.h"

#include <QtGui/QKeyEvent>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace berth::ui {

using application::FieldView;
using application::RuleView;

namespace {

FieldEditor *choiceEditor(FieldView field, const QList<QPair<QString, QString>> &choices)
{
    field.choices = choices;
    // What a rule of old is about stays choosable.
    const bool known = std::any_of(choices.cbegin(), choices.cend(),
                                   [&field](const auto &one) { return one.first == field.value; });
    if (!known && !field.value.isEmpty())
        field.choices.append({field.value, field.value});
    return new FieldEditor(field);
}

} // namespace

RuleForm::RuleForm(application::EngineClient &client, const RuleView &rule,
                   const SecurityNames &names, QWidget *parent)
    : Card(parent),
      m_client(client),
      m_rule(rule),
      m_effect(new Label(TextRole::Caption, Ink::Secondary)),
      m_editor(new RuleEditor(client))
{
    const bool isNew = rule.id.isEmpty();
    setAccessibleName(isNew ? tr("New rule") : tr("Rule: %1").arg(rule.pattern));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(19, 14, 19, 16);
    column->setSpacing(10);
    column->addWidget(
        new Label(isNew ? tr("New rule") : tr("Change this rule"), TextRole::BodyStrong));
    addFields(*column, names);
    m_effect->setWrapped(true);
    column->addWidget(m_effect);
    m_editor->setAcceptText(isNew ? tr("Add rule") : tr("Save"));
    column->addWidget(m_editor);
    connect(m_editor, &RuleEditor::cancelled, this, &RuleForm::cancelled);
    connect(m_editor, &RuleEditor::accepted, this, [this](const QStringList &patterns) {
        if (!patterns.isEmpty())
            save(patterns.first());
    });
    showOwner();
    m_editor->begin(target(), {m_rule.pattern});
}

void RuleForm::addFields(QVBoxLayout &column, const SecurityNames &names)
{
    m_decision = choiceEditor(
        formField(QStringLiteral("decision"), QStringLiteral("choice"), tr("Decision"),
                  m_rule.decision.isEmpty() ? QStringLiteral("allow") : m_rule.decision),
        {{QStringLiteral("allow"), tr("Allow")},
         {QStringLiteral("ask"), tr("Ask")},
         {QStringLiteral("deny"), tr("Deny")}});
    m_scope =
        choiceEditor(formField(QStringLiteral("scope"), QStringLiteral("choice"), tr("Holds for"),
                               m_rule.scope.isEmpty() ? QStringLiteral("global") : m_rule.scope),
                     {{QStringLiteral("global"), tr("Everything")},
                      {QStringLiteral("agent"), tr("One agent")},
                      {QStringLiteral("thread"), tr("One thread")}});
    QList<QPair<QString, QString>> agents;
    for (const application::AgentView &agent : names.agents)
        agents.append({agent.id.toString(), names.agent(agent.id.toString())});
    QList<QPair<QString, QString>> threads;
    for (const application::ThreadView &thread : names.threads)
        threads.append({thread.id.toString(), names.thread(thread.id.toString())});
    const auto ownerOf = [this](const char *scope, const auto &choices) {
        if (m_rule.scope == QLatin1String(scope))
            return m_rule.owner;
        return choices.isEmpty() ? QString() : choices.first().first;
    };
    m_agent = choiceEditor(formField(QStringLiteral("agent"), QStringLiteral("choice"), tr("Agent"),
                                     ownerOf("agent", agents)),
                           agents);
    m_thread = choiceEditor(formField(QStringLiteral("thread"), QStringLiteral("choice"),
                                      tr("Thread"), ownerOf("thread", threads)),
                            threads);
    m_tool = choiceEditor(formField(QStringLiteral("tool"), QStringLiteral("choice"), tr("Tool"),
                                    m_rule.tool.isEmpty() ? QStringLiteral("shell") : m_rule.tool),
                          toolChoices());
    for (FieldEditor *field : {m_decision, m_scope, m_agent, m_thread, m_tool}) {
        column.addWidget(field);
        connect(field, &FieldEditor::edited, this, &RuleForm::onChanged);
    }
}

RuleView RuleForm::target() const
{
    RuleView rule = m_rule;
    rule.decision = m_decision->value();
    rule.scope = m_scope->value();
    rule.tool = m_tool->value();
    rule.owner.clear();
    if (rule.scope == QLatin1String("agent"))
        rule.owner = m_agent->value();
    else if (rule.scope == QLatin1String("thread"))
        rule.owner = m_thread->value();
    return rule;
}

void RuleForm::onChanged()
{
    showOwner();
    m_editor->retarget(target());
}

void RuleForm::showOwner()
{
    const RuleView now = target();
    m_agent->setVisible(now.scope == QLatin1String("agent"));
    m_thread->setVisible(now.scope == QLatin1String("thread"));
    m_effect->setText(
        now.decision == QLatin1String("deny")
            ? tr("A deny rule wins over every other one, also for the lines that you type with !.")
            : now.decision == QLatin1String("ask")
            ? tr("It is asked for each time, whatever other rules allow.")
            : tr("It is done without asking, where no other rule asks for it or denies it."));
}

void RuleForm::save(const QString &pattern)
{
    if (m_saving)
        return;
    m_saving = true;
    m_editor->setBusy(true);
    application::SaveRule command;
    command.rule = target();
    command.rule.pattern = pattern;
    application::deliver(this, m_client, command, [this](const domain::Result<RuleView> &answer) {
        m_saving = false;
        m_editor->setBusy(false);
        if (answer)
            Q_EMIT saved(*answer);
        else
            m_editor->showProblem(answer.error());
    });
}

void RuleForm::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        Q_EMIT cancelled();
        return;
    }
    Card::keyPressEvent(event);
}

} // namespace berth::ui
