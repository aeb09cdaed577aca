// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/preset_card.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "domain/sandbox/naming.h"
#include "ui/models/agent_documents.h"
#include "ui/models/provider_model.h"
#include "ui/settings/expand_head.h"
#include "ui/settings/preset_fields.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/confirm_dialog.h"
#include "ui/widgets/form_row.h"
#include "ui/widgets/save_bar.h"

#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::PresetList;
using application::PresetView;
using domain::Result;

PresetCard::PresetCard(application::EngineClient &client, ProviderModel &providers,
                       const PresetView &preset, QWidget *parent)
    : Card(parent),
      m_client(client),
      m_providers(providers),
      m_preset(preset),
      m_head(new ExpandHead),
      m_body(new QWidget),
      m_problem(new Banner(Tone::Error)),
      m_fields(new PresetFields(client)),
      m_bar(new SaveBar(tr("Save"))),
      m_default(new Button(tr("Give to new agents"))),
      m_remove(new Button(tr("Remove…"), ButtonKind::Ghost))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_body);
    auto *body = new QVBoxLayout(m_body);
    body->setContentsMargins(19, 5, 19, 16);
    body->setSpacing(12);
    body->addWidget(m_problem);
    m_problem->hide();
    if (isNew())
        buildNew(body);
    body->addWidget(m_fields);
    body->addWidget(m_bar);
    m_bar->addWidget(m_default);
    m_bar->addWidget(m_remove);
    m_body->setVisible(false);
    connect(m_head, &QAbstractButton::toggled, this, &PresetCard::setExpanded);
    connect(m_fields, &PresetFields::changed, this, &PresetCard::refresh);
    connect(m_bar->saveButton(), &QPushButton::clicked, this, &PresetCard::save);
    connect(m_bar->revertButton(), &QPushButton::clicked, this, [this] {
        if (isNew()) {
            Q_EMIT dropped();
            return;
        }
        m_bar->clearProblem();
        m_fields->load(domain::ConfigName(m_preset.type), m_preset.config);
    });
    connect(m_default, &QPushButton::clicked, this, &PresetCard::makeDefault);
    connect(m_remove, &QPushButton::clicked, this, &PresetCard::remove);
    if (isNew())
        m_bar->revertButton()->setText(tr("Cancel"));
    refresh();
    refreshHead();
}

void PresetCard::buildNew(QLayout *layout)
{
    m_name = new QLineEdit;
    m_nameRow = new FormRow(tr("Name"), m_name);
    m_nameRow->setHelp(tr("Up to 32 small letters, digits, - and _."));
    layout->addWidget(m_nameRow);
    m_type = new QComboBox;
    // A preset's type is a kind of provider, not one of its configs.
    for (const application::ProviderView &provider : m_providers.providers()) {
        if (m_type->findData(provider.kind) < 0)
            m_type->addItem(provider.label, provider.kind);
    }
    layout->addWidget(new FormRow(tr("Type"), m_type));
    const int docker = m_type->findData(QStringLiteral("docker"));
    m_type->setCurrentIndex(qMax(0, docker));
    connect(m_name, &QLineEdit::textEdited, this, &PresetCard::refresh);
    connect(m_type, &QComboBox::activated, this, [this] {
        m_fields->load(domain::ConfigName(m_type->currentData().toString()), QStringLiteral("{}"));
    });
    m_fields->load(domain::ConfigName(m_type->currentData().toString()), QStringLiteral("{}"));
}

void PresetCard::setPreset(const PresetView &preset, bool isDefault)
{
    const bool isOther = preset != m_preset && m_fields->fields();
    // What was typed is laid over the config as it is now.
    const bool keeps = hasChanges() && preset.type == m_preset.type;
    m_preset = preset;
    m_isDefault = isDefault;
    if (isOther && keeps)
        m_fields->setConfigUnder(preset.config);
    else if (isOther)
        m_fields->load(domain::ConfigName(preset.type), preset.config);
    m_problem->setText(tr("This preset cannot be used"), preset.problem);
    m_problem->setVisible(!preset.problem.isEmpty());
    refresh();
    refreshHead();
}

void PresetCard::setExpanded(bool expanded)
{
    m_head->setChecked(expanded);
    m_body->setVisible(expanded);
    if (expanded && !isNew() && !m_fields->fields())
        m_fields->load(domain::ConfigName(m_preset.type), m_preset.config);
}

bool PresetCard::hasChanges() const
{
    return isNew() || m_fields->isChanged();
}

ConfirmDialog *PresetCard::question() const
{
    return m_question;
}

void PresetCard::refreshHead()
{
    // The same head as a provider's card.
    application::ProviderView shown;
    QString mark = m_preset.type.left(1).toUpper();
    for (const application::ProviderView &provider : m_providers.providers()) {
        if (provider.kind == m_preset.type) {
            mark = provider.mark;
            break;
        }
    }
    shown.config = domain::ConfigName(m_preset.name);
    shown.kind = m_preset.name;
    shown.label = isNew() ? tr("New preset") : m_preset.name;
    shown.mark = isNew() ? QStringLiteral("+") : mark;
    shown.isolation = m_preset.type;
    shown.cost = configSummary(m_preset.config);
    if (isNew()) {
        shown.state = application::ProviderState::NotSetUp;
        shown.stateText = tr("Not saved");
    } else if (!m_preset.problem.isEmpty()) {
        shown.state = application::ProviderState::Broken;
        shown.stateText = tr("Cannot be used");
        shown.stateDetail = m_preset.problem;
    } else {
        shown.state = application::ProviderState::Ready;
        shown.stateText = m_isDefault ? tr("For new agents") : tr("Ready");
    }
    m_head->setProvider(shown);
}

void PresetCard::refresh()
{
    bool named = true;
    if (isNew()) {
        const QString name = m_name->text().trimmed();
        named = domain::isValidName(name);
        m_nameRow->setError(
            named || name.isEmpty()
                ? QString()
                : tr("A name has up to 32 small letters, digits, - and _, and begins with a letter "
                     "or a digit."));
    }
    m_bar->setState(hasChanges(), named && m_fields->isValid());
    m_default->setVisible(!isNew());
    m_default->setText(m_isDefault ? tr("No longer for new agents") : tr("Give to new agents"));
    m_default->setEnabled(m_isDefault || m_preset.problem.isEmpty());
    m_remove->setVisible(!isNew());
}

void PresetCard::save()
{
    if (!m_fields->isValid()) {
        m_fields->showProblems();
        return;
    }
    PresetView wanted = m_preset;
    if (isNew()) {
        wanted.name = m_name->text().trimmed();
        wanted.type = m_type->currentData().toString();
    }
    wanted.config = m_fields->config();
    m_bar->setBusy(true);
    application::deliver(this, m_client, application::SavePreset{wanted},
                         [this](const Result<PresetList> &answer) {
                             m_bar->setBusy(false);
                             if (answer && isNew()) {
                                 // The list makes a card of it.
                                 Q_EMIT dropped();
                                 Q_EMIT changed(*answer);
                                 return;
                             }
                             done(tr("Not saved"), answer);
                             if (answer) {
                                 m_fields->load(domain::ConfigName(m_preset.type), m_preset.config);
                                 m_bar->showSaved();
                             }
                         });
}

void PresetCard::makeDefault()
{
    m_bar->clearProblem();
    application::deliver(
        this, m_client, application::SetAutoProvision{m_isDefault ? QString() : m_preset.name},
        [this](const Result<PresetList> &answer) { done(tr("Not changed"), answer); });
}

void PresetCard::remove()
{
    if (m_question)
        return;
    ConfirmDialog::Words words;
    words.question = tr("Remove preset %1?").arg(m_preset.name);
    words.text = {tr("It is taken out of gateway.json. Sandboxes that were made from it stay as "
                     "they are.")};
    if (m_isDefault)
        words.text.append(tr("New agents get no sandbox by themselves then."));
    words.action = tr("Remove");
    m_question = new ConfirmDialog(words, window());
    connect(m_question, &QDialog::accepted, this, [this] {
        application::deliver(
            this, m_client, application::RemovePreset{m_preset.name},
            [this](const Result<PresetList> &answer) { done(tr("Not removed"), answer); });
    });
    m_question->open();
}

void PresetCard::done(const QString &what, const Result<PresetList> &answer)
{
    if (answer)
        Q_EMIT changed(*answer);
    else
        m_bar->showProblem(what, answer.error());
}

} // namespace berth::ui
