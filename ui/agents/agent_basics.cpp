// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/agents/agent_basics.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "domain/sandbox/naming.h"
#include "ui/models/agent_documents.h"
#include "ui/models/agent_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/choices.h"
#include "ui/widgets/form_row.h"
#include "ui/widgets/label.h"
#include "ui/widgets/save_bar.h"

#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::AgentView;
using application::PresetView;
using domain::Result;

namespace {

constexpr int kInstructionLines = 5;
constexpr int kLongestName = 80;
const QString kDefaultSandbox = QStringLiteral("default");
const QString kNoSandbox = QStringLiteral("none");

} // namespace

AgentBasics::AgentBasics(application::EngineClient &client, const AgentView &agent, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_agent(agent),
      m_name(new QLineEdit),
      m_nameRow(new FormRow(tr("Name"), m_name)),
      m_model(new QComboBox),
      m_instructions(new QPlainTextEdit),
      m_bar(new SaveBar(agent.id.isNull() ? tr("Create agent") : tr("Save")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    m_name->setMaxLength(kLongestName);
    column->addWidget(m_nameRow);
    auto *model = new FormRow(tr("Model"), m_model);
    column->addWidget(model);
    if (isNew())
        buildNew(column);
    m_instructions->setTabChangesFocus(true);
    m_instructions->setPlaceholderText(tr("What it is for, and how it should work."));
    m_instructions->setFixedHeight(
        kInstructionLines * QFontMetrics(m_instructions->font()).lineSpacing() + 24);
    column->insertWidget(isNew() ? 3 : 2, new FormRow(tr("Instructions"), m_instructions));
    column->addWidget(m_bar);
    m_model->addItem(tr("Default"), QString());
    // Until the list is here: saving must not take the model away.
    if (!m_agent.model.isEmpty()) {
        m_model->addItem(m_agent.model, m_agent.model);
        m_model->setCurrentIndex(1);
    }
    m_name->setText(m_agent.name);
    m_instructions->setPlainText(m_agent.instructions);
    connect(m_name, &QLineEdit::textEdited, this, &AgentBasics::refresh);
    connect(m_name, &QLineEdit::returnPressed, this, &AgentBasics::save);
    connect(m_model, &QComboBox::activated, this, &AgentBasics::refresh);
    connect(m_instructions, &QPlainTextEdit::textChanged, this, &AgentBasics::refresh);
    connect(m_bar->saveButton(), &QPushButton::clicked, this, &AgentBasics::save);
    connect(m_bar->revertButton(), &QPushButton::clicked, this, [this] {
        if (isNew()) {
            Q_EMIT cancelled();
            return;
        }
        m_name->setText(m_agent.name);
        m_instructions->setPlainText(m_agent.instructions);
        m_model->setCurrentIndex(m_model->findData(m_agent.model));
        m_bar->clearProblem();
        refresh();
    });
    loadModels();
    refresh();
}

void AgentBasics::buildNew(QLayout *layout)
{
    auto *column = static_cast<QVBoxLayout *>(layout);
    m_sandbox = new QComboBox;
    m_sandboxRow = new FormRow(tr("Sandbox"), m_sandbox);
    column->addWidget(m_sandboxRow);
    m_approvals = new QComboBox;
    m_approvals->addItem(tr("Ask before commands"), static_cast<int>(Approvals::Commands));
    m_approvals->addItem(tr("Ask before commands and changes to files"),
                         static_cast<int>(Approvals::CommandsAndFiles));
    m_approvals->addItem(tr("Read only: it changes nothing"),
                         static_cast<int>(Approvals::ReadOnly));
    m_approvals->addItem(tr("Never ask"), static_cast<int>(Approvals::Never));
    column->addWidget(new FormRow(tr("Approvals"), m_approvals));
    m_access = new RadioChips;
    m_access->setChoices({{QStringLiteral("private"), tr("Private")},
                          {QStringLiteral("protected"), tr("Protected")},
                          {QStringLiteral("public"), tr("Public")}});
    m_access->setValue(QStringLiteral("private"));
    auto *access = new FormRow(tr("Access"), m_access);
    access->setHelp(accessMeaning(QStringLiteral("private")));
    column->addWidget(access);
    connect(m_access, &RadioChips::valueChosen, this, [access](const QString &value) {
        access->setHelp(value == QLatin1String("protected")
                            ? tr("Whoever has its access token may join: set one under Security.")
                            : accessMeaning(value));
    });
    auto *note = new Label(
        tr("Sandboxes start on demand and stop after 30 min idle. That, its rules and its "
           "skills can be changed once it is there."),
        TextRole::Caption, Ink::Secondary);
    note->setWrapped(true);
    column->addWidget(note);
    m_bar->revertButton()->setText(tr("Cancel"));
    m_sandbox->addItem(tr("Default"), kDefaultSandbox);
    m_sandbox->addItem(tr("None"), kNoSandbox);
    connect(m_sandbox, &QComboBox::currentIndexChanged, this, &AgentBasics::showSandboxHelp);
    loadPresets();
}

void AgentBasics::setAgent(const AgentView &agent)
{
    const bool keeps = hasChanges();
    m_agent = agent;
    if (!keeps) {
        m_name->setText(agent.name);
        if (m_instructions->toPlainText() != agent.instructions)
            m_instructions->setPlainText(agent.instructions);
        m_model->setCurrentIndex(qMax(0, m_model->findData(agent.model)));
    }
    refresh();
}

void AgentBasics::loadModels()
{
    application::deliver(
        this, m_client, application::ListModels{},
        [this](const Result<application::ModelList> &list) {
            const QString chosen =
                m_model->count() > 1 ? m_model->currentData().toString() : m_agent.model;
            m_model->clear();
            QString standard;
            if (list) {
                for (const application::ModelEndpointView &endpoint : list->endpoints) {
                    if (endpoint.isDefault)
                        standard = endpoint.name;
                }
            }
            m_model->addItem(standard.isEmpty() ? tr("Default")
                                                : tr("Default — %1", "a model").arg(standard),
                             QString());
            if (list) {
                for (const application::ModelEndpointView &endpoint : list->endpoints)
                    m_model->addItem(endpoint.model.isEmpty()
                                         ? endpoint.name
                                         : tr("%1 · %2", "endpoint and model")
                                               .arg(endpoint.name, endpoint.model),
                                     endpoint.name);
            }
            // One that is not connected any more stays named.
            if (!chosen.isEmpty() && m_model->findData(chosen) < 0)
                m_model->addItem(tr("%1 (not connected)").arg(chosen), chosen);
            m_model->setCurrentIndex(qMax(0, m_model->findData(chosen)));
            refresh();
        });
}

void AgentBasics::loadPresets()
{
    application::deliver(this, m_client, application::ListPresets{},
                         [this](const Result<application::PresetList> &list) {
                             if (list)
                                 takePresets(*list);
                             else
                                 m_sandboxRow->setError(list.error().message);
                         });
}

void AgentBasics::takePresets(const application::PresetList &presets)
{
    m_presets = presets;
    const QString chosen = m_sandbox->currentData().toString();
    m_sandbox->clear();
    m_sandbox->addItem(presets.autoProvision.isEmpty()
                           ? tr("Default — none")
                           : tr("Default — %1", "a preset").arg(presets.autoProvision),
                       kDefaultSandbox);
    for (const PresetView &preset : presets.presets)
        m_sandbox->addItem(tr("%1 · %2", "preset and type").arg(preset.name, preset.type),
                           preset.name);
    m_sandbox->addItem(tr("None"), kNoSandbox);
    m_sandbox->setCurrentIndex(qMax(0, m_sandbox->findData(chosen)));
    showSandboxHelp();
}

void AgentBasics::showSandboxHelp()
{
    const QString chosen = m_sandbox->currentData().toString();
    const QString name = chosen == kDefaultSandbox ? m_presets.autoProvision : chosen;
    QString help;
    // A default that names no preset is an error to see, before it is asked for.
    QString error = chosen == kDefaultSandbox ? m_presets.problem : QString();
    if (chosen == kNoSandbox || name.isEmpty()) {
        help = tr("It has no file and shell tools until it gets a sandbox.");
    } else {
        for (const PresetView &preset : std::as_const(m_presets.presets)) {
            if (preset.name != name)
                continue;
            const QString summary = configSummary(preset.config);
            help = tr("%1. Nothing starts until the first command.")
                       .arg(summary.isEmpty()
                                ? preset.type
                                : tr("%1 · %2", "type and settings").arg(preset.type, summary));
            if (error.isEmpty())
                error = preset.problem;
        }
    }
    m_sandboxRow->setHelp(help);
    m_sandboxRow->setError(error);
}

bool AgentBasics::hasChanges() const
{
    return m_name->text().simplified() != m_agent.name
        || m_instructions->toPlainText() != m_agent.instructions
        || m_model->currentData().toString() != m_agent.model;
}

void AgentBasics::refresh()
{
    const QString name = m_name->text().simplified();
    if (isNew()) {
        m_nameRow->setHelp(name.isEmpty() ? tr("Anything up to 80 characters.")
                                          : tr("Its id, for good: %1").arg(domain::nameFrom(name)));
        m_bar->setState(true, !name.isEmpty());
    } else {
        m_nameRow->setHelp(tr("Its id stays: %1").arg(m_agent.id.toString()));
        m_bar->setState(hasChanges(), !name.isEmpty());
    }
}

application::SaveAgent AgentBasics::command() const
{
    application::SaveAgent save;
    save.isNew = isNew();
    save.agent = m_agent;
    save.agent.name = m_name->text().simplified();
    save.agent.model = m_model->currentData().toString();
    save.agent.instructions = m_instructions->toPlainText();
    if (!save.isNew) {
        // The policy is its own form's.
        save.agent.autonomy.clear();
        save.agent.access.clear();
        return save;
    }
    save.agent.id = domain::AgentId(domain::nameFrom(save.agent.name));
    setApprovals(&save.agent, static_cast<Approvals>(m_approvals->currentData().toInt()));
    save.agent.access = m_access->value();
    save.sandbox = m_sandbox->currentData().toString();
    return save;
}

void AgentBasics::save()
{
    if (!m_bar->saveButton()->isEnabled())
        return;
    m_bar->setBusy(true);
    application::deliver(this, m_client, command(), [this](const Result<AgentView> &agent) {
        m_bar->setBusy(false);
        if (!agent) {
            m_bar->showProblem(isNew() ? tr("Not created") : tr("Not saved"), agent.error());
            return;
        }
        if (!isNew()) {
            m_agent = *agent;
            refresh();
            m_bar->showSaved();
        }
        Q_EMIT saved(agent->id);
    });
}

} // namespace berth::ui
