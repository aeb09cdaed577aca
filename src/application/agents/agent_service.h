// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/access/access_facts.h"
#include "application/agents/agent_rows.h"
#include "application/agents/preset_service.h"
#include "application/contract/commands.h"
#include "application/lifecycle/lifecycle_service.h"
#include "application/threads/thread_service.h"
#include "domain/agent/agent.h"

namespace berth::application {

//! Agents: who acts, with which model, instructions and policies.
class AgentService final : public QObject
{
    Q_OBJECT
public:
    AgentService(domain::BerthStore &store, AgentRows &rows, PresetService &presets,
                 SandboxService &sandboxes, ThreadService &threads, LifecycleService &lifecycle,
                 EventBus &bus);
    ~AgentService() override;

    void start(QList<domain::Agent> agents);
    [[nodiscard]] QList<AgentView> views() const;
    [[nodiscard]] const domain::Agent *agent(const domain::AgentId &id) const;
    [[nodiscard]] const QList<domain::Agent> &agents() const { return m_agents; }

    //! A new one in one transaction with its sandbox row. An unknown preset makes nothing.
    domain::Async<AgentView> save(SaveAgent command);
    domain::Async<Nothing> remove(domain::AgentId id);
    [[nodiscard]] domain::Result<SecurityView> security(const domain::AgentId &id) const;
    domain::Async<SecurityView> setSecurity(SetSecurity command);
    //! One that is a member already keeps his role.
    domain::Async<void> addMember(domain::AgentId id, QString user, Role role);

private:
    [[nodiscard]] AgentView viewOf(const domain::Agent &agent) const;
    domain::Async<void> refresh();
    domain::Async<AgentView> add(SaveAgent command, domain::Agent agent);

    domain::BerthStore &m_store;
    AgentRows &m_rows;
    PresetService &m_presets;
    SandboxService &m_sandboxes;
    ThreadService &m_threads;
    LifecycleService &m_lifecycle;
    EventBus &m_bus;
    QList<domain::Agent> m_agents;
};

} // namespace berth::application
