// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/sandbox_contract.h"

#include <QtWidgets/QWidget>

class QVBoxLayout;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Banner;
class Button;
class Label;
class PresetCard;
class ProviderModel;

//! Templates of sandboxes, and which one new agents get: gateway.json as cards.
class PresetSection final : public QWidget
{
    Q_OBJECT
public:
    PresetSection(application::EngineClient &client, ProviderModel &providers,
                  QWidget *parent = nullptr);

    void load();
    //! An empty card at the end.
    void addPreset();
    [[nodiscard]] const QList<PresetCard *> &cards() const { return m_cards; }
    [[nodiscard]] PresetCard *card(const QString &name) const;
    [[nodiscard]] Banner *problem() const { return m_problem; }
    [[nodiscard]] Button *addButton() const { return m_add; }
    [[nodiscard]] QString defaultText() const;

protected:
    void showEvent(QShowEvent *event) override;

private:
    void take(const application::PresetList &list);
    PresetCard *addCard(const application::PresetView &preset);

    application::EngineClient &m_client;
    ProviderModel &m_providers;
    application::PresetList m_list;
    Label *m_path;
    Label *m_default;
    Banner *m_problem;
    QVBoxLayout *m_column;
    QList<PresetCard *> m_cards;
    Button *m_add;
    Button *m_none;
};

} // namespace berth::ui
