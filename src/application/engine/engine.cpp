// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/engine/engine.h"

#include "application/agent/pipeline/user_hooks.h"
#include "application/engine/engine_services.h"
#include "domain/log.h"

#include <QtCore/QDir>

#include <algorithm>

namespace berth::application {

using domain::Async;
using domain::Result;

namespace {

constexpr std::chrono::milliseconds kOnExitBound{10'000};
constexpr std::chrono::milliseconds kOnExitLeast{2'000};
//! A key store that waits for its user does not hold the start up.
constexpr std::chrono::milliseconds kKeysBound{1'500};

} // namespace

QString hookPath(const EngineSettings &settings)
{
    return QDir(settings.paths.config).filePath(QStringLiteral("hooks.json"));
}

Engine::Services::Services(Engine &owner, domain::InstallationId id)
    : engine(owner),
      installation(id),
      clock(owner.m_settings.clock ? owner.m_settings.clock : std::make_shared<SystemClock>()),
      providers(owner.m_kinds, owner.m_settings, id, bus),
      sandboxes(owner.m_berth, owner.m_leases, providers, id, bus, clock),
      executions(sandboxes, owner.m_berth, owner.m_leases, owner.m_settings.paths.output, bus),
      threads(owner.m_berth, owner.m_leases, providers, sandboxes, executions, bus),
      models(owner.m_settings, bus),
      files(sandboxes, [this](const domain::ThreadId &thread) { return threads.thread(thread); }),
      processes(owner.m_processes, owner.m_leases, providers, sandboxes, threads,
                owner.m_settings.paths.output, bus),
      agentRows(owner.m_berth),
      lifecycle(
          agentRows, sandboxes,
          [this](const domain::ThreadId &thread) { return threads.thread(thread); }, clock),
      presets(QDir(owner.m_settings.paths.config).filePath(QStringLiteral("gateway.json")),
              providers),
      agents(owner.m_berth, agentRows, presets, sandboxes, threads, lifecycle, bus),
      skills(agentRows, sandboxes),
      monitor(sandboxes, bus),
      access(owner.m_settings.access, agents, bus, scope,
             QDir(owner.m_settings.paths.data).filePath(QStringLiteral("api-token")))
{
    if (!owner.m_settings.conversations)
        return;
    const AgentPlaces places{owner.m_berth,  *owner.m_settings.conversations,
                             owner.m_leases, providers,
                             sandboxes,      executions,
                             models,         bus};
    runs = std::make_unique<RunService>(places, threads, processes, agents,
                                        userHooks(hookPath(owner.m_settings)));
    threads.setResponder(runs.get());
}

Engine::Engine(domain::BerthStore &berth, domain::LeaseStore &leases,
               domain::ProcessStore &processes, domain::ProviderKinds kinds,
               EngineSettings settings)
    : m_berth(berth),
      m_leases(leases),
      m_processes(processes),
      m_kinds(std::move(kinds)),
      m_settings(std::move(settings))
{
    qRegisterMetaType<Event>();
}

Engine::~Engine() = default;

Async<void> Engine::start()
{
    const Result<domain::InstallationId> installation = co_await m_berth.installation();
    if (!installation)
        co_return domain::failure(installation.error());
    m_services = std::make_unique<Services>(*this, *installation);
    const Result<bool> passthrough = co_await m_berth.passthroughAllowed();
    if (!passthrough)
        co_return domain::failure(passthrough.error());
    m_services->passthrough = *passthrough;
    m_services->providers.allowPassthrough(*passthrough);
    const Result<QList<domain::Agent>> agents = co_await m_berth.agents();
    if (!agents)
        co_return domain::failure(agents.error());
    m_services->agents.start(*agents);
    const Result<void> access = co_await m_services->access.start();
    if (!access)
        co_return domain::failure(access.error());
    connect(&m_services->access, &AccessService::enabledChanged, this, &Engine::apiEnabledChanged);
    const Result<void> prepared = co_await m_services->providers.prepare();
    if (!prepared)
        co_return domain::failure(prepared.error());
    m_services->providers.start();
    m_services->executions.start();
    const Result<void> sandboxes = co_await m_services->sandboxes.start();
    if (!sandboxes)
        co_return domain::failure(sandboxes.error());
    const Result<void> threads = co_await m_services->threads.start();
    if (!threads)
        co_return domain::failure(threads.error());
    const Result<void> models = co_await m_services->models.start();
    if (!models)
        co_return domain::failure(models.error());
    const Result<void> processes = co_await m_services->processes.start();
    if (m_services->runs) {
        const Result<void> runs = co_await m_services->runs->start();
        if (!runs)
            co_return domain::failure(runs.error());
    }
    // Who comes to run one command shall find the keys there.
    co_await m_services->providers.keysAsked(kKeysBound);
    co_return processes;
}

Async<void> Engine::shutDown(bool byUser)
{
    if (!m_services)
        co_return Result<void>();
    Services &services = *m_services;
    services.ending = true;
    services.monitor.stop();
    // Before on_exit: what it began to make ready must not stand in the way of the pauses.
    services.lifecycle.stop();
    if (services.runs)
        services.runs->stop();
    services.executions.stop();
    services.files.stop();
    services.processes.stop();
    const std::chrono::milliseconds begun = services.clock->now();
    services.bus.publish(EngineEnding{QStringLiteral("Berth is ending")});
    const Result<void> commands = co_await services.executions.drained();
    if (services.runs)
        co_await services.runs->drained();
    co_await services.processes.drained();
    if (byUser) {
        const ExitSink tell = [&services](const QString &text, int done, int total) {
            services.bus.publish(EngineEnding{text, done, total});
        };
        // The commands' end is part of the bound; each sandbox gets its chance all the same.
        const std::chrono::milliseconds left =
            std::max(kOnExitLeast, kOnExitBound - (services.clock->now() - begun));
        const Result<void> rested = co_await services.sandboxes.applyOnExit(left, tell);
        if (!rested)
            domain::log(domain::LogLevel::Warning, "engine", rested.error().message);
    }
    services.scope.requestStop();
    services.threads.stop();
    services.sandboxes.stop();
    services.providers.stop();
    co_await services.monitor.drained();
    co_await services.lifecycle.drained();
    co_await services.threads.drained();
    co_await services.sandboxes.drained();
    co_await services.providers.drained();
    co_await services.scope.drained();
    Q_UNUSED(commands)
    co_return Result<void>();
}

std::unique_ptr<EngineSession> Engine::openSession(ClientKind kind)
{
    Q_ASSERT_X(m_services, "Engine::openSession", "start() has not finished");
    auto session = std::make_unique<Session>(*m_services, kind);
    ++m_sessions;
    connect(session.get(), &QObject::destroyed, this, [this] { --m_sessions; });
    return session;
}

std::shared_ptr<AccessTable> Engine::accessTable() const
{
    return m_services->access.table();
}

bool Engine::isApiEnabled() const
{
    return m_services->access.isEnabled();
}

void Engine::setApiServing(const QString &address, const QString &problem)
{
    m_services->access.setServing(address, problem);
}

int Engine::sessions() const
{
    return m_sessions;
}

bool Engine::isInUse() const
{
    if (!m_services)
        return false;
    // A window takes the Engine over by itself; another one-shot client cannot.
    return m_sessions - m_services->windows > 1 || m_services->executions.activeCount() > 0
        || (m_services->runs && m_services->runs->busyCount() > 0)
        || m_services->processes.holdsEngine() || m_services->lifecycle.isBusy();
}

// ---- Session
// ---------------------------------------------------------------------------------------------------

Engine::Session::Session(Services &services, ClientKind kind) : m_services(services), m_kind(kind)
{
    connect(&services.bus, &EventBus::published, this, &EngineSession::event);
    if (kind == ClientKind::Window)
        ++services.windows;
}

Engine::Session::~Session()
{
    m_services.monitor.forget(this);
    m_services.files.forget(this);
    m_services.lifecycle.sessions().forget(this);
    if (m_kind == ClientKind::Window)
        --m_services.windows;
}

void Engine::Session::submit(const domain::RequestId &id, const QString &command,
                             const Payload &arguments)
{
    if (m_stops.contains(id)) {
        Q_EMIT answered(id,
                        domain::failure(domain::ErrorKind::Conflict,
                                        QStringLiteral("This request is already under way")));
        return;
    }
    auto stop = std::make_shared<std::stop_source>();
    m_stops.insert(id, stop);
    m_services.scope.spawn(
        handle(QPointer<Session>(this), id, command, arguments, stop->get_token()));
}

void Engine::Session::cancel(const domain::RequestId &id)
{
    if (const std::shared_ptr<std::stop_source> stop = m_stops.value(id))
        stop->request_stop();
}

async::Task<void> Engine::Session::handle(QPointer<Session> self, domain::RequestId id,
                                          QString command, Payload arguments, std::stop_token stop)
{
    // The session may be gone at any time from here on; the work goes on without it.
    Services &services = m_services;
    const ClientRights rights =
        m_kind == ClientKind::Api ? granted() : ClientRights(ClientRight::Approve);
    const CommandContext context{services, wireName(m_kind), id, this, stop, rights};
    const bool acting = isActing(command);
    bool owns = false;
    bool keep = false;
    Result<Payload> answer =
        domain::failure(domain::ErrorKind::Internal, QStringLiteral("No answer"));
    if (acting && services.underWay.contains(id)) {
        const async::Completion<Result<Payload>> first = services.underWay.value(id);
        answer = co_await first;
    } else {
        std::optional<QByteArray> before;
        if (acting) {
            services.underWay.insert(id, async::Completion<Result<Payload>>());
            const Result<std::optional<QByteArray>> kept =
                co_await services.engine.m_berth.requestResult(id);
            if (kept)
                before = *kept;
        }
        if (before)
            answer = Payload{*before, {}};
        else if (services.ending)
            answer =
                domain::failure(domain::ErrorKind::Unavailable, QStringLiteral("Berth is ending"));
        else
            answer = co_await dispatchCommand(context, command, arguments);
        if (acting)
            services.underWay.value(id).complete(answer);
        keep = acting && answer && !before;
        owns = acting;
    }
    if (self) {
        self->m_stops.remove(id);
        Q_EMIT self->answered(id, answer);
    }
    // Behind the answer, which nobody who got it will ask for again; until it is stored a repeated
    // request finds it under way.
    if (keep) {
        const Result<void> saved =
            co_await services.engine.m_berth.saveRequestResult(id, answer->json);
        if (!saved)
            domain::log(domain::LogLevel::Warning, "engine", saved.error().message);
    }
    if (owns)
        services.underWay.remove(id);
}

} // namespace berth::application
