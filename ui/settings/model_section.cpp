// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/model_section.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "ui/settings/expand_head.h"
#include "ui/settings/model_card.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_row.h"
#include "ui/widgets/label.h"

#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace berth::ui {

using application::ModelEndpointView;
using application::ModelList;
using application::ModelPresetView;

ModelSection::ModelSection(application::EngineClient &client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_intro(new Label(TextRole::Body, Ink::Secondary)),
      m_presets(new FlowRow),
      m_column(new QVBoxLayout),
      m_problem(new Banner(Tone::Error))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    m_intro->setWrapped(true);
    column->addWidget(m_intro);
    column->addWidget(m_problem);
    m_problem->hide();
    m_column->setSpacing(12);
    column->addLayout(m_column);
    column->addWidget(new Label(tr("Add an endpoint"), TextRole::BodyStrong));
    column->addWidget(m_presets);
    column->addStretch(1);
    connect(&m_client, &application::EngineClient::event, this,
            [this](const application::Event &event) {
                if (std::holds_alternative<application::ModelsChanged>(event.body) && isVisible())
                    load(false);
            });
    take({});
}

void ModelSection::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    // Which servers answer on this machine takes a moment; what is saved is there at once.
    load(false);
    load(true);
}

void ModelSection::load(bool refresh)
{
    if (m_loading) {
        m_again = m_again || refresh;
        return;
    }
    m_loading = true;
    application::deliver(this, m_client, application::ListModels{refresh},
                         [this](const domain::Result<ModelList> &answer) {
                             m_loading = false;
                             if (answer)
                                 take(*answer);
                             else
                                 m_problem->setText(answer.error().message, answer.error().detail);
                             m_problem->setVisible(!answer || !m_list.problem.isEmpty());
                             if (std::exchange(m_again, false))
                                 load(true);
                         });
}

void ModelSection::take(const ModelList &list)
{
    m_list = list;
    m_intro->setText(
        list.endpoints.isEmpty()
            ? tr("Endpoints that agents may use. None is connected: lines without ! stay drafts.")
            : tr("Endpoints that agents may use."));
    if (!list.problem.isEmpty())
        m_problem->setText(tr("models.json cannot be used"), list.problem);
    QList<ModelCard *> kept;
    for (const ModelEndpointView &endpoint : list.endpoints) {
        const auto known =
            std::find_if(m_cards.cbegin(), m_cards.cend(), [&endpoint](const ModelCard *card) {
                return card->endpoint().name == endpoint.name && !card->isNew();
            });
        if (known != m_cards.cend()) {
            (*known)->setEndpoint(endpoint);
            kept << *known;
        } else {
            kept << addCard(endpoint, false);
        }
    }
    const QList<ModelCard *> before = m_cards;
    for (ModelCard *card : before) {
        if (kept.contains(card))
            continue;
        // What is being filled in stays.
        if (card->isNew())
            kept << card;
        else
            card->deleteLater();
    }
    m_cards = kept;
    for (Button *button : std::as_const(m_presetButtons))
        button->deleteLater();
    m_presetButtons.clear();
    for (const ModelPresetView &preset : list.presets) {
        auto *button =
            new Button(preset.found ? tr("%1 · answers now").arg(preset.label) : preset.label);
        m_presets->addWidget(button);
        m_presetButtons << button;
        connect(button, &QPushButton::clicked, this, [this, preset] { addFrom(preset); });
    }
}

ModelCard *ModelSection::addCard(const ModelEndpointView &endpoint, bool isNew)
{
    auto *card = new ModelCard(m_client, endpoint, isNew, m_list.hasKeyStore, this);
    m_column->addWidget(card);
    card->show();
    connect(card, &ModelCard::changed, this, [this] { load(false); });
    connect(card, &ModelCard::dropped, this, [this, card] {
        m_cards.removeOne(card);
        card->deleteLater();
    });
    return card;
}

QString ModelSection::freeName(const QString &wanted) const
{
    const auto isTaken = [this](const QString &name) {
        return std::any_of(m_cards.cbegin(), m_cards.cend(), [&name](const ModelCard *card) {
            return card->endpoint().name == name;
        });
    };
    QString name = wanted;
    for (int n = 2; isTaken(name); ++n)
        name = QStringLiteral("%1-%2").arg(wanted).arg(n);
    return name;
}

void ModelSection::addFrom(const ModelPresetView &preset)
{
    ModelEndpointView endpoint;
    endpoint.preset = preset.id;
    endpoint.name = freeName(preset.id);
    endpoint.dialect = preset.dialect;
    endpoint.baseUrl = preset.baseUrl;
    endpoint.isDefault = m_list.endpoints.isEmpty();
    endpoint.keyOrigin = preset.needsKey ? QStringLiteral("missing") : QStringLiteral("none");
    ModelCard *card = addCard(endpoint, true);
    m_cards << card;
    card->setExpanded(true);
    card->head()->setFocus(Qt::OtherFocusReason);
}

} // namespace berth::ui
