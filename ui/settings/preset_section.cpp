// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/preset_section.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "ui/settings/expand_head.h"
#include "ui/settings/preset_card.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_row.h"
#include "ui/widgets/label.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace berth::ui {

using application::PresetList;
using application::PresetView;
using domain::Result;

PresetSection::PresetSection(application::EngineClient &client, ProviderModel &providers,
                             QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_providers(providers),
      m_path(new Label(TextRole::Mono, Ink::Secondary)),
      m_default(new Label(TextRole::Body, Ink::Secondary)),
      m_problem(new Banner(Tone::Error)),
      m_column(new QVBoxLayout),
      m_add(new Button(tr("Add a preset"))),
      m_none(nullptr)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    auto *intro = new FlowRow;
    intro->addWidget(new Label(tr("Templates that sandboxes are made from, kept in"),
                               TextRole::Body, Ink::Secondary));
    intro->addWidget(m_path);
    m_path->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_path->setAccessibleName(tr("File of the presets"));
    column->addWidget(intro);
    m_default->setWrapped(true);
    column->addWidget(m_default);
    m_none = m_problem->addAction(tr("Give new agents none"));
    column->addWidget(m_problem);
    m_problem->hide();
    m_column->setSpacing(12);
    column->addLayout(m_column);
    auto *line = new QHBoxLayout;
    m_add->setGlyph(Glyph::Plus);
    line->addWidget(m_add);
    line->addStretch(1);
    column->addLayout(line);
    column->addStretch(1);
    connect(m_add, &QPushButton::clicked, this, &PresetSection::addPreset);
    connect(m_none, &QPushButton::clicked, this, [this] {
        application::deliver(this, m_client, application::SetAutoProvision{},
                             [this](const Result<PresetList> &list) {
                                 if (list)
                                     take(*list);
                                 else
                                     m_problem->setText(list.error().message, list.error().detail);
                             });
    });
}

void PresetSection::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    // Somebody may have edited the file.
    load();
}

void PresetSection::load()
{
    application::deliver(this, m_client, application::ListPresets{},
                         [this](const Result<PresetList> &list) {
                             if (list) {
                                 take(*list);
                                 return;
                             }
                             m_none->hide();
                             m_problem->setText(list.error().message, list.error().detail);
                             m_problem->show();
                         });
}

void PresetSection::take(const PresetList &list)
{
    m_list = list;
    m_path->setText(list.path);
    m_default->setText(list.autoProvision.isEmpty()
                           ? tr("New agents get no sandbox by themselves.")
                           : tr("New agents get a sandbox made from %1.").arg(list.autoProvision));
    // A default that names no preset can be mended here; a broken file only in an editor.
    const bool dangling = !list.autoProvision.isEmpty();
    m_problem->setText(dangling ? tr("The preset for new agents is not there")
                                : tr("gateway.json cannot be used"),
                       list.problem);
    m_none->setVisible(dangling);
    m_problem->setVisible(!list.problem.isEmpty());
    m_default->setVisible(list.problem.isEmpty());
    // Saving would need the file to be read first.
    m_add->setEnabled(list.problem.isEmpty() || dangling);
    QList<PresetCard *> kept;
    for (const PresetView &preset : list.presets) {
        PresetCard *known = card(preset.name);
        if (!known)
            known = addCard(preset);
        known->setPreset(preset, preset.name == list.autoProvision);
        kept << known;
    }
    const QList<PresetCard *> before = m_cards;
    for (PresetCard *old : before) {
        if (kept.contains(old))
            continue;
        // What is being filled in stays.
        if (old->isNew()) {
            kept << old;
            continue;
        }
        m_column->removeWidget(old);
        old->hide();
        old->deleteLater();
    }
    m_cards = kept;
    for (PresetCard *shown : std::as_const(m_cards)) {
        m_column->removeWidget(shown);
        m_column->addWidget(shown);
    }
}

PresetCard *PresetSection::addCard(const PresetView &preset)
{
    auto *card = new PresetCard(m_client, m_providers, preset, this);
    m_column->addWidget(card);
    m_cards << card;
    card->show();
    connect(card, &PresetCard::changed, this, &PresetSection::take);
    connect(card, &PresetCard::dropped, this, [this, card] {
        m_cards.removeOne(card);
        m_column->removeWidget(card);
        card->hide();
        card->deleteLater();
    });
    return card;
}

void PresetSection::addPreset()
{
    const auto open = std::find_if(m_cards.cbegin(), m_cards.cend(),
                                   [](const PresetCard *card) { return card->isNew(); });
    PresetCard *card = open == m_cards.cend() ? addCard({}) : *open;
    card->setExpanded(true);
    card->name()->setFocus();
}

PresetCard *PresetSection::card(const QString &name) const
{
    for (PresetCard *card : m_cards) {
        if (!name.isEmpty() && card->preset().name == name)
            return card;
    }
    return nullptr;
}

QString PresetSection::defaultText() const
{
    return m_default->text();
}

} // namespace berth::ui
