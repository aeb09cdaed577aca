// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/sandbox_section.h"

#include "ui/models/provider_model.h"
#include "ui/settings/passthrough_setting.h"
#include "ui/settings/provider_card.h"
#include "ui/widgets/flow_row.h"
#include "ui/widgets/label.h"

#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace berth::ui {

SandboxSection::SandboxSection(application::EngineClient &client, ProviderModel &providers,
                               QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_providers(providers),
      m_intro(new Label(tr("Where agents run. Each provider is one file in"), TextRole::Body,
                        Ink::Secondary)),
      m_directory(new Label(TextRole::Mono, Ink::Secondary)),
      m_column(new QVBoxLayout),
      m_passthrough(new PassthroughSetting(client))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    auto *intro = new FlowRow;
    intro->addWidget(m_intro);
    intro->addWidget(m_directory);
    m_directory->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_directory->setAccessibleName(tr("Directory of the provider files"));
    column->addWidget(intro);
    m_column->setSpacing(12);
    column->addLayout(m_column);
    column->addWidget(m_passthrough);
    column->addStretch(1);
    connect(&m_providers, &QAbstractItemModel::modelReset, this, &SandboxSection::rebuild);
    connect(&m_providers, &QAbstractItemModel::rowsInserted, this, &SandboxSection::rebuild);
    rebuild();
}

void SandboxSection::setDirectory(const QString &directory)
{
    m_directory->setText(directory);
}

void SandboxSection::rebuild()
{
    // A card with a half-filled form stays the same widget.
    QList<ProviderCard *> kept;
    for (const application::ProviderView &provider : m_providers.providers()) {
        ProviderCard *known = card(provider.config);
        if (!known)
            known = new ProviderCard(m_client, m_providers, provider.config, this);
        kept.append(known);
    }
    for (ProviderCard *old : std::as_const(m_cards)) {
        m_column->removeWidget(old);
        if (!kept.contains(old))
            old->deleteLater();
    }
    m_cards = kept;
    for (ProviderCard *shown : std::as_const(m_cards))
        m_column->addWidget(shown);
}

ProviderCard *SandboxSection::card(const domain::ConfigName &config) const
{
    for (ProviderCard *card : m_cards) {
        if (card->config() == config)
            return card;
    }
    return nullptr;
}

bool SandboxSection::hasChanges() const
{
    return std::any_of(m_cards.cbegin(), m_cards.cend(),
                       [](const ProviderCard *card) { return card->hasChanges(); });
}

} // namespace berth::ui
