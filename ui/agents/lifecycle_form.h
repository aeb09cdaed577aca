// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/lifecycle_contract.h"

#include <QtWidgets/QWidget>

class QLineEdit;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class FormRow;
class Label;
class RadioChips;
class SaveBar;

//! When sandboxes of an agent, or one sandbox, start and stop by themselves.
class LifecycleForm final : public QWidget
{
    Q_OBJECT
public:
    //! One of the two is null.
    LifecycleForm(application::EngineClient &client, const domain::AgentId &agent,
                  const domain::SandboxId &sandbox, QWidget *parent = nullptr);

    void load();
    [[nodiscard]] bool hasChanges() const;

    [[nodiscard]] RadioChips *start() const { return m_start; }
    [[nodiscard]] RadioChips *stop() const { return m_stop; }
    [[nodiscard]] QLineEdit *idle() const { return m_idle; }
    [[nodiscard]] FormRow *idleRow() const { return m_idleRow; }
    [[nodiscard]] SaveBar *bar() const { return m_bar; }
    [[nodiscard]] QString summary() const;

Q_SIGNALS:
    //! What happens when Berth quits is a setting of each provider.
    void providerSettingsRequested();

private:
    void take(const application::LifecycleView &view);
    [[nodiscard]] domain::LifecycleOverride own() const;
    //! Empty: nothing is wrong.
    [[nodiscard]] QString problem() const;
    void refresh();
    void save();

    application::EngineClient &m_client;
    domain::AgentId m_agent;
    domain::SandboxId m_sandbox;
    application::LifecycleView m_saved;
    RadioChips *m_start;
    RadioChips *m_stop;
    QLineEdit *m_idle;
    FormRow *m_idleRow;
    Label *m_summary;
    SaveBar *m_bar;
    bool m_loaded = false;
};

} // namespace berth::ui
