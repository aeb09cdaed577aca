// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/add_sandbox_panel.h"

#include "application/contract/commands.h"
#include "domain/sandbox/naming.h"
#include "ui/models/agent_documents.h"
#include "ui/models/engine_state.h"
#include "ui/settings/preset_fields.h"
#include "ui/widgets/button.h"
#include "ui/widgets/choices.h"
#include "ui/widgets/form_row.h"
#include "ui/widgets/label.h"
#include "ui/widgets/save_bar.h"

#include <QtGui/QStandardItemModel>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::ProviderView;
using domain::Result;

namespace {

const QString kFromPreset = QStringLiteral("preset");
const QString kFromProvider = QStringLiteral("provider");

void setEntryUsable(QComboBox *box, int index, bool usable)
{
    auto *items = qobject_cast<QStandardItemModel *>(box->model());
    if (items && !usable)
        items->item(index)->setEnabled(false);
}

} // namespace

AddSandboxPanel::AddSandboxPanel(EngineState &state, const domain::AgentId &agent, QWidget *parent)
    : Card(parent),
      m_state(state),
      m_agent(new QComboBox),
      m_alias(new QLineEdit),
      m_aliasRow(new FormRow(tr("Alias"), m_alias)),
      m_from(new RadioChips),
      m_preset(new QComboBox),
      m_presetRow(new FormRow(tr("Preset"), m_preset)),
      m_provider(new QComboBox),
      m_providerRow(new FormRow(tr("Type"), m_provider)),
      m_fields(new PresetFields(state.client())),
      m_bar(new SaveBar(tr("Add sandbox")))
{
    setAccessibleName(tr("Add sandbox"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(23, 15, 23, 19);
    column->setSpacing(12);
    auto *head = new QHBoxLayout;
    head->addWidget(new Label(tr("Add sandbox"), TextRole::Header), 1);
    auto *close = new IconButton(Glyph::Close, tr("Close"));
    head->addWidget(close, 0, Qt::AlignTop);
    column->addLayout(head);
    for (const application::AgentView &one : state.snapshot().agents)
        m_agent->addItem(one.name, one.id.toString());
    m_agent->setCurrentIndex(qMax(0, m_agent->findData(agent.toString())));
    column->addWidget(new FormRow(tr("Agent"), m_agent));
    column->addWidget(m_aliasRow);
    m_from->setChoices({{kFromPreset, tr("A preset")}, {kFromProvider, tr("A type")}});
    m_from->setValue(kFromProvider);
    column->addWidget(new FormRow(tr("Made from"), m_from));
    column->addWidget(m_presetRow);
    column->addWidget(m_providerRow);
    column->addWidget(m_fields);
    column->addWidget(m_bar);
    m_bar->revertButton()->setText(tr("Cancel"));
    fillProviders();
    connect(close, &QToolButton::clicked, this, &AddSandboxPanel::closed);
    connect(m_alias, &QLineEdit::textEdited, this, &AddSandboxPanel::refresh);
    connect(m_alias, &QLineEdit::returnPressed, this, &AddSandboxPanel::save);
    const auto chosen = [this] {
        m_isChosen = true;
        refresh();
    };
    connect(m_from, &RadioChips::valueChosen, this, chosen);
    connect(m_preset, &QComboBox::activated, this, chosen);
    connect(m_provider, &QComboBox::activated, this, [this] {
        m_isChosen = true;
        loadFields();
        refresh();
    });
    connect(m_fields, &PresetFields::changed, this, &AddSandboxPanel::refresh);
    connect(m_bar->saveButton(), &QPushButton::clicked, this, &AddSandboxPanel::save);
    connect(m_bar->revertButton(), &QPushButton::clicked, this, &AddSandboxPanel::closed);
    loadFields();
    loadPresets();
    refresh();
}

void AddSandboxPanel::fillProviders()
{
    int first = -1;
    for (const ProviderView &provider : m_state.snapshot().providers) {
        const QString config = provider.config.toString();
        const QString name = config == provider.kind
            ? provider.label
            : tr("%1 · %2", "provider and config").arg(provider.label, config);
        // One that cannot be used yet stays, with the reason.
        m_provider->addItem(
            provider.usable ? name
                            : tr("%1 — %2", "provider and why not").arg(name, provider.stateText),
            config);
        setEntryUsable(m_provider, m_provider->count() - 1, provider.usable);
        if (provider.usable && (first < 0 || provider.kind == QLatin1String("docker")))
            first = m_provider->count() - 1;
    }
    m_provider->setCurrentIndex(first);
}

void AddSandboxPanel::loadPresets()
{
    application::deliver(this, m_state.client(), application::ListPresets{},
                         [this](const Result<application::PresetList> &list) {
                             if (list)
                                 takePresets(*list);
                             else
                                 m_presetRow->setError(list.error().message);
                         });
}

void AddSandboxPanel::takePresets(const application::PresetList &presets)
{
    m_presets = presets;
    m_preset->clear();
    int first = -1;
    for (const application::PresetView &preset : presets.presets) {
        const QString summary = configSummary(preset.config);
        m_preset->addItem(summary.isEmpty()
                              ? tr("%1 · %2", "preset and type").arg(preset.name, preset.type)
                              : tr("%1 · %2 · %3", "preset, type and settings")
                                    .arg(preset.name, preset.type, summary),
                          preset.name);
        setEntryUsable(m_preset, m_preset->count() - 1, preset.problem.isEmpty());
        if (preset.problem.isEmpty() && (first < 0 || preset.name == presets.autoProvision))
            first = m_preset->count() - 1;
    }
    m_preset->setCurrentIndex(first);
    // A late answer changes nothing that was chosen before it.
    if (first >= 0 && !m_isChosen && !m_fields->isChanged())
        m_from->setValue(kFromPreset);
    refresh();
}

void AddSandboxPanel::loadFields()
{
    if (m_provider->currentIndex() >= 0)
        m_fields->load(domain::ConfigName(m_provider->currentData().toString()),
                       QStringLiteral("{}"));
}

void AddSandboxPanel::refresh()
{
    const bool byPreset = m_from->value() == kFromPreset;
    m_presetRow->setVisible(byPreset);
    m_providerRow->setVisible(!byPreset);
    m_fields->setVisible(!byPreset);
    m_presetRow->setHelp(m_preset->count() == 0
                             ? tr("There is none. Presets are made in Settings, Presets.")
                             : tr("The sandbox keeps a copy of it; a later change of the preset "
                                  "does not change the sandbox."));
    const QString alias = m_alias->text().trimmed();
    const QString type = byPreset
        ? tr("type")
        : m_provider->currentData().toString().section(QLatin1Char('-'), 0, 0);
    m_alias->setPlaceholderText(QStringLiteral("%1-1").arg(type));
    const bool named = alias.isEmpty() || domain::isValidName(alias);
    m_aliasRow->setError(named ? QString()
                               : tr("An alias has up to 32 small letters, digits, - and _, and "
                                    "begins with a letter or a digit."));
    m_aliasRow->setHelp(tr("Empty: made from its type. Nothing starts until it is needed."));
    const bool chosen = byPreset ? m_preset->currentIndex() >= 0 : m_provider->currentIndex() >= 0;
    m_bar->setState(
        true, named && chosen && m_agent->currentIndex() >= 0 && (byPreset || m_fields->isValid()));
}

application::AddSandbox AddSandboxPanel::command() const
{
    application::AddSandbox add;
    add.agent = domain::AgentId(m_agent->currentData().toString());
    add.alias = m_alias->text().trimmed();
    if (m_from->value() == kFromPreset) {
        add.preset = m_preset->currentData().toString();
        return add;
    }
    add.providerConfig = domain::ConfigName(m_provider->currentData().toString());
    if (const ProviderView *provider = m_state.provider(add.providerConfig))
        add.type = provider->kind;
    add.config = m_fields->config();
    return add;
}

bool AddSandboxPanel::hasChanges() const
{
    return !m_alias->text().trimmed().isEmpty()
        || (m_from->value() == kFromProvider && m_fields->isChanged());
}

void AddSandboxPanel::save()
{
    if (!m_bar->saveButton()->isEnabled())
        return;
    m_bar->setBusy(true);
    application::deliver(this, m_state.client(), command(),
                         [this](const Result<application::SandboxView> &sandbox) {
                             m_bar->setBusy(false);
                             if (!sandbox)
                                 m_bar->showProblem(tr("Not added"), sandbox.error());
                             else
                                 Q_EMIT added(*sandbox);
                         });
}

} // namespace berth::ui
