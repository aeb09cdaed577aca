// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "ui/widgets/card.h"

class QGridLayout;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Banner;
class Button;
class Label;
class LifecycleForm;
class SandboxActions;
class SandboxModel;

//! One sandbox row: what the database says, what the provider says, its config and its lifecycle.
class SandboxPanel final : public Card
{
    Q_OBJECT
public:
    SandboxPanel(application::EngineClient &client, SandboxModel &model, SandboxActions &actions,
                 const domain::SandboxId &sandbox, QWidget *parent = nullptr);

    [[nodiscard]] const domain::SandboxId &sandbox() const { return m_sandbox; }
    //! Something is typed that is not saved.
    [[nodiscard]] bool hasChanges() const;
    //! As the model has it now.
    void refresh();
    [[nodiscard]] LifecycleForm *lifecycle() const { return m_lifecycle; }
    [[nodiscard]] Button *actionsButton() const { return m_actionsButton; }
    [[nodiscard]] Banner *notice() const { return m_notice; }
    [[nodiscard]] QString config() const;

Q_SIGNALS:
    void closed();
    void providerSettingsRequested();

private:
    Label *addFact(const QString &name);

    SandboxModel &m_model;
    SandboxActions &m_actions;
    domain::SandboxId m_sandbox;
    Label *m_title;
    QGridLayout *m_facts;
    Banner *m_notice;
    Label *m_status;
    Label *m_runtime;
    Label *m_place;
    Label *m_external;
    Label *m_threads;
    Label *m_config;
    LifecycleForm *m_lifecycle;
    Button *m_actionsButton;
};

} // namespace berth::ui
