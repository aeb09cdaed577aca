// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/model_contract.h"
#include "domain/result.h"

#include <QtWidgets/QWidget>

class QVBoxLayout;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Banner;
class Button;
class FlowRow;
class Label;
class ModelCard;

//! Endpoints of models: one card each, and presets to add one from. Asks the Engine when it is
//! shown and when the models have changed.
class ModelSection final : public QWidget
{
    Q_OBJECT
public:
    explicit ModelSection(application::EngineClient &client, QWidget *parent = nullptr);

    [[nodiscard]] const QList<ModelCard *> &cards() const { return m_cards; }
    //! One for each preset; those that answer on this machine now say so.
    [[nodiscard]] const QList<Button *> &presetButtons() const { return m_presetButtons; }

protected:
    void showEvent(QShowEvent *event) override;

private:
    void load(bool refresh);
    void take(const application::ModelList &list);
    void addFrom(const application::ModelPresetView &preset);
    ModelCard *addCard(const application::ModelEndpointView &endpoint, bool isNew);
    [[nodiscard]] QString freeName(const QString &wanted) const;

    application::EngineClient &m_client;
    application::ModelList m_list;
    bool m_loading = false;
    bool m_again = false;
    Label *m_intro;
    FlowRow *m_presets;
    QVBoxLayout *m_column;
    Banner *m_problem;
    QList<ModelCard *> m_cards;
    QList<Button *> m_presetButtons;
};

} // namespace berth::ui
