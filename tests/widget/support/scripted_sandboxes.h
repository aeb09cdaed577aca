// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/codec.h"
#include "application/contract/commands.h"
#include "application/contract/events.h"

#include <QtCore/QHash>

#include <functional>

namespace berth::test {

//! Rows, presets, policies, lifecycles and skills of a ScriptedEngine, with the Engine's rules as
//! far as the window meets them.
class ScriptedSandboxes
{
public:
    using Tell = std::function<void(application::EventBody)>;

    ScriptedSandboxes(application::Snapshot &state, application::PresetList &presets, Tell tell);

    application::SandboxView add(const domain::AgentId &agent, const QString &alias,
                                 const QString &type, const QString &status);
    //! One with a runtime.
    application::SandboxView addRunning(
        const domain::AgentId &agent, const QString &alias, const QString &type,
        domain::ObservedState observed = domain::ObservedState::Running);
    //! As somebody else would.
    void change(const domain::SandboxId &sandbox,
                const std::function<void(application::SandboxView &)> &how);
    [[nodiscard]] application::SandboxView *find(const domain::SandboxId &sandbox);

    //! Rows that are deleted; live ones are in the snapshot.
    QList<application::SandboxView> deleted;
    //! As stored, without the token.
    QHash<domain::AgentId, QString> policies;
    QHash<domain::AgentId, bool> tokens;
    QHash<QString, application::LifecycleView> lifecycles;
    QHash<domain::AgentId, application::SkillList> skills;

    //! Answers commands of this group; nullopt: not one of them.
    std::optional<domain::Result<application::Payload>> serve(
        const QString &command, const application::Payload &arguments);

private:
    domain::Result<application::SandboxView> addRow(const application::AddSandbox &command);
    domain::Result<application::SandboxList> removeRow(const application::RemoveSandbox &command);
    domain::Result<application::SandboxView> restoreRow(const domain::SandboxId &sandbox);
    domain::Result<application::SandboxView> purgeRow(const domain::SandboxId &sandbox);
    domain::Result<application::SandboxView> fork(const application::ForkRuntime &command);
    domain::Result<application::SecurityView> setSecurity(const application::SetSecurity &command);
    domain::Result<application::PresetList> savePreset(const application::PresetView &preset);
    void dropRuntime(const domain::SandboxId &sandbox);
    [[nodiscard]] bool hasAlias(const domain::AgentId &agent, const QString &alias) const;

    application::Snapshot &m_state;
    application::PresetList &m_presets;
    Tell m_tell;
};

} // namespace berth::test
