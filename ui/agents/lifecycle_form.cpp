// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/agents/lifecycle_form.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "ui/models/agent_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/choices.h"
#include "ui/widgets/form_row.h"
#include "ui/widgets/label.h"
#include "ui/widgets/save_bar.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::LifecycleView;
using domain::LifecycleOverride;
using domain::Result;

namespace {

constexpr int kNumberWidth = 120;
constexpr int kWeek = 10080;

} // namespace

LifecycleForm::LifecycleForm(application::EngineClient &client, const domain::AgentId &agent,
                             const domain::SandboxId &sandbox, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_agent(agent),
      m_sandbox(sandbox),
      m_start(new RadioChips),
      m_stop(new RadioChips),
      m_idle(new QLineEdit),
      m_idleRow(new FormRow(tr("Idle for"), m_idle)),
      m_summary(new Label(TextRole::Body, Ink::Secondary)),
      m_bar(new SaveBar(tr("Save")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    m_summary->setWrapped(true);
    column->addWidget(m_summary);
    m_start->setChoices({{QString(), tr("Default")},
                         {QStringLiteral("ondemand"), tr("On demand")},
                         {QStringLiteral("session"), tr("With a session")}});
    auto *start = new FormRow(tr("Starts"), m_start);
    start->setHelp(tr("On demand: at the first command. With a session: as soon as somebody opens "
                      "a thread to send."));
    column->addWidget(start);
    m_stop->setChoices({{QString(), tr("Default")},
                        {QStringLiteral("idle"), tr("When idle")},
                        {QStringLiteral("session"), tr("With the last session")}});
    auto *stop = new FormRow(tr("Stops"), m_stop);
    stop->setHelp(tr("Never while a command is under way."));
    column->addWidget(stop);
    m_idle->setFixedWidth(kNumberWidth);
    auto *unit = new Label(tr("minutes; 0: never"), TextRole::Body, Ink::Secondary);
    unit->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_idleRow->addBeside(unit);
    m_idleRow->setHelp(tr("Up to a week. For Daytona shorter than its own auto-stop interval."));
    column->addWidget(m_idleRow);
    auto *quits = new QWidget;
    auto *line = new QHBoxLayout(quits);
    line->setContentsMargins(0, 0, 0, 0);
    auto *link = new LinkButton(tr("Set for each provider in Settings"));
    line->addWidget(link);
    line->addStretch(1);
    column->addWidget(new FormRow(tr("When Berth quits"), quits));
    column->addWidget(m_bar);
    for (RadioChips *chips : {m_start, m_stop})
        connect(chips, &RadioChips::valueChosen, this, &LifecycleForm::refresh);
    connect(m_idle, &QLineEdit::textEdited, this, &LifecycleForm::refresh);
    connect(link, &QToolButton::clicked, this, &LifecycleForm::providerSettingsRequested);
    connect(m_bar->saveButton(), &QPushButton::clicked, this, &LifecycleForm::save);
    connect(m_bar->revertButton(), &QPushButton::clicked, this, [this] {
        m_bar->clearProblem();
        take(m_saved);
    });
    setEnabled(false);
    load();
}

void LifecycleForm::load()
{
    application::GetLifecycle command;
    command.agent = m_agent;
    command.sandbox = m_sandbox;
    application::deliver(this, m_client, command, [this](const Result<LifecycleView> &view) {
        if (!view) {
            m_bar->showProblem(tr("The lifecycle cannot be read"), view.error());
            return;
        }
        setEnabled(true);
        const bool keeps = m_loaded && hasChanges();
        m_loaded = true;
        if (keeps)
            m_saved = *view;
        else
            take(*view);
    });
}

void LifecycleForm::take(const LifecycleView &view)
{
    m_saved = view;
    m_start->setValue(view.own.start ? domain::wireName(*view.own.start) : QString());
    m_stop->setValue(view.own.stop ? domain::wireName(*view.own.stop) : QString());
    m_idle->setText(view.own.idleTimeoutMinutes ? QString::number(*view.own.idleTimeoutMinutes)
                                                : QString());
    m_idle->setPlaceholderText(QString::number(view.policy.idleTimeoutMinutes));
    refresh();
}

LifecycleOverride LifecycleForm::own() const
{
    LifecycleOverride own;
    own.start = domain::startPolicyFromWire(m_start->value());
    own.stop = domain::stopPolicyFromWire(m_stop->value());
    bool isNumber = false;
    const int minutes = m_idle->text().trimmed().toInt(&isNumber);
    if (isNumber)
        own.idleTimeoutMinutes = minutes;
    return own;
}

QString LifecycleForm::problem() const
{
    const QString text = m_idle->text().trimmed();
    bool isNumber = false;
    const int minutes = text.toInt(&isNumber);
    if (text.isEmpty() || (isNumber && minutes >= 0 && minutes <= kWeek))
        return {};
    return tr("A whole number of minutes, 0 to %L1.").arg(kWeek);
}

bool LifecycleForm::hasChanges() const
{
    return m_loaded && (own() != m_saved.own || !problem().isEmpty());
}

QString LifecycleForm::summary() const
{
    return m_summary->text();
}

void LifecycleForm::refresh()
{
    // What holds, as far as the window knows what lies below.
    domain::LifecyclePolicy below = m_saved.policy;
    const domain::LifecyclePolicy standard;
    if (m_saved.own.start)
        below.start = standard.start;
    if (m_saved.own.stop)
        below.stop = standard.stop;
    if (m_saved.own.idleTimeoutMinutes)
        below.idleTimeoutMinutes = standard.idleTimeoutMinutes;
    const QString words = lifecycleText(own().over(below));
    m_summary->setText(m_sandbox.isNull() ? tr("Each sandbox of this agent %1.").arg(words)
                                          : tr("This sandbox %1.").arg(words));
    m_idleRow->setError(problem());
    m_idleRow->setEnabled(m_stop->value() != QLatin1String("session"));
    m_bar->setState(hasChanges(), problem().isEmpty());
}

void LifecycleForm::save()
{
    m_bar->setBusy(true);
    application::SetLifecycle command;
    command.agent = m_agent;
    command.sandbox = m_sandbox;
    command.own = own();
    application::deliver(this, m_client, command, [this](const Result<LifecycleView> &view) {
        m_bar->setBusy(false);
        if (!view) {
            m_bar->showProblem(tr("Not saved"), view.error());
            return;
        }
        take(*view);
        m_bar->showSaved();
    });
}

} // namespace berth::ui
