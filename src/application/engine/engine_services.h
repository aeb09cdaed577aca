// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/access/access_service.h"
#include "application/agent/run_service.h"
#include "application/agents/agent_service.h"
#include "application/engine/engine.h"
#include "application/files/file_service.h"
#include "application/lifecycle/lifecycle_service.h"
#include "application/processes/process_service.h"
#include "application/resources/resource_monitor.h"
#include "application/skills/skill_service.h"
#include "application/threads/thread_service.h"

#include <QtCore/QHash>

namespace berth::application {

//! The user's own programs around tool calls.
[[nodiscard]] QString hookPath(const EngineSettings &settings);

//! The services of one Engine, in the order in which they need each other.
struct Engine::Services
{
    Services(Engine &owner, domain::InstallationId installation);

    Engine &engine;
    domain::InstallationId installation;
    EventBus bus;
    std::shared_ptr<Clock> clock;
    ProviderService providers;
    SandboxService sandboxes;
    ExecutionService executions;
    ThreadService threads;
    ModelService models;
    FileService files;
    ProcessService processes;
    AgentRows agentRows;
    LifecycleService lifecycle;
    PresetService presets;
    AgentService agents;
    SkillService skills;
    ResourceMonitor monitor;
    //! Null where nothing keeps what runs leave.
    std::unique_ptr<RunService> runs;
    //! Sandboxes without isolation are allowed on this machine.
    bool passthrough = false;
    async::Scope scope;
    AccessService access;
    bool ending = false;
    //! Open sessions of windows.
    int windows = 0;

    //! Requests under way, by id: the same one sent twice is done once.
    QHash<domain::RequestId, async::Completion<domain::Result<Payload>>> underWay;
};

//! One client. Each command is a coroutine that the session may cancel.
class Engine::Session final : public EngineSession
{
    Q_OBJECT
public:
    Session(Services &services, ClientKind kind);
    ~Session() override;

    void submit(const domain::RequestId &id, const QString &command,
                const Payload &arguments) override;
    void cancel(const domain::RequestId &id) override;

private:
    async::Task<void> handle(QPointer<Session> self, domain::RequestId id, QString command,
                             Payload arguments, std::stop_token stop);

    Services &m_services;
    ClientKind m_kind;
    QHash<domain::RequestId, std::shared_ptr<std::stop_source>> m_stops;
};

//! What a command is done with besides its arguments.
struct CommandContext
{
    Engine::Services &services;
    //! "window", "cli", "api".
    QString source;
    domain::RequestId request;
    //! Identifies the client for watching.
    const void *client = nullptr;
    std::stop_token stop;
    ClientRights rights = {};

    [[nodiscard]] bool mayApprove() const { return rights.testFlag(ClientRight::Approve); }
    [[nodiscard]] Caller caller() const { return {source, mayApprove()}; }
};

//! Does one command of the contract. InvalidInput for an unknown name or arguments that do not fit.
domain::Async<Payload> dispatchCommand(CommandContext context, QString command, Payload arguments);
//! Acts, so that its first answer is kept for a repeated request id.
bool isActing(const QString &command);

} // namespace berth::application
