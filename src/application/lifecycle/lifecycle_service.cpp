// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/lifecycle/lifecycle_service.h"

#include "application/lifecycle/policy_store.h"
#include "domain/log.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::ObservedState;
using domain::Result;
using domain::SandboxId;
using domain::StopPolicy;
using domain::ThreadId;
using std::chrono::milliseconds;

namespace {

//! What a sandbox that stops with its last session gets when nobody has opened one: it was resumed
//! by hand, or its sessions ended with an Engine before this one.
constexpr std::chrono::minutes kWithoutSession{15};
//! Output comes a thousand times a second; the idle time moves at most this often.
constexpr milliseconds kTouchEvery{5'000};

} // namespace

LifecycleService::LifecycleService(AgentRows &rows, SandboxService &sandboxes, ThreadLookup threads,
                                   std::shared_ptr<Clock> clock)
    : m_rows(rows),
      m_sandboxes(sandboxes),
      m_threads(std::move(threads)),
      m_clock(clock),
      m_sessions(clock)
{
    connect(&sandboxes, &SandboxService::leaseChanged, this, &LifecycleService::review);
    connect(&sandboxes, &SandboxService::workChanged, this, &LifecycleService::review);
    connect(&sandboxes, &SandboxService::touched, this, &LifecycleService::touch);
    connect(&m_sessions, &SessionTable::changed, this,
            [this](const ThreadId &thread) { sessionsChanged(thread, false); });
    connect(&m_sessions, &SessionTable::ended, this,
            [this](const ThreadId &thread) { sessionsChanged(thread, true); });
}

LifecycleService::~LifecycleService() = default;

void LifecycleService::start(QList<domain::Agent> agents)
{
    m_agents = std::move(agents);
}

void LifecycleService::stop()
{
    m_scope.requestStop();
    m_sessions.stop();
    for (auto &[id, watch] : m_watches)
        watch.timer.request_stop();
}

Async<void> LifecycleService::drained()
{
    co_await m_sessions.drained();
    co_await m_scope.drained();
    co_return Result<void>();
}

// ---- Policies
// --------------------------------------------------------------------------------------------------

const domain::Agent *LifecycleService::agent(const domain::AgentId &id) const
{
    for (const domain::Agent &agent : m_agents) {
        if (agent.id == id)
            return &agent;
    }
    return nullptr;
}

domain::LifecyclePolicy LifecycleService::policyOf(const domain::Sandbox &sandbox) const
{
    domain::LifecyclePolicy policy;
    if (const domain::Agent *owner = agent(sandbox.agent))
        policy = lifecycleOfAgent(owner->config).over(policy);
    return lifecycleOfSandbox(sandbox.config).over(policy);
}

Result<LifecycleView> LifecycleService::get(const GetLifecycle &command) const
{
    if (command.agent.isNull() == command.sandbox.isNull())
        return failure(ErrorKind::InvalidInput, QStringLiteral("Name an agent or a sandbox"));
    LifecycleView view;
    if (!command.sandbox.isNull()) {
        const std::optional<domain::Sandbox> row = m_sandboxes.sandbox(command.sandbox);
        if (!row || row->status == domain::SandboxStatus::Deleted)
            return failure(
                ErrorKind::NotFound,
                QStringLiteral("There is no sandbox \"%1\"").arg(command.sandbox.toString()));
        view.own = lifecycleOfSandbox(row->config);
        view.policy = policyOf(*row);
        return view;
    }
    const domain::Agent *known = agent(command.agent);
    if (!known)
        return failure(ErrorKind::NotFound,
                       QStringLiteral("There is no agent \"%1\"").arg(command.agent.toString()));
    view.own = lifecycleOfAgent(known->config);
    view.policy = view.own.over({});
    return view;
}

Async<LifecycleView> LifecycleService::set(SetLifecycle command)
{
    const GetLifecycle same{command.agent, command.sandbox};
    const Result<LifecycleView> before = get(same);
    if (!before)
        co_return failure(before.error());
    if (const std::optional<QString> problem = command.own.problem())
        co_return failure(ErrorKind::InvalidInput, *problem);
    if (!command.sandbox.isNull()) {
        const std::optional<domain::Sandbox> row = m_sandboxes.sandbox(command.sandbox);
        const QMap<QString, QString> config = withSandboxLifecycle(row->config, command.own);
        const Result<void> stored = co_await m_sandboxes.setConfig(command.sandbox, config);
        if (!stored)
            co_return failure(stored.error());
    } else {
        const AgentRows::Edit edit = [own = command.own](domain::Agent &row) -> Result<bool> {
            const Result<QString> config = withAgentLifecycle(row.config, own);
            if (!config)
                return failure(config.error());
            row.config = *config;
            return true;
        };
        const Result<domain::Agent> stored = co_await m_rows.change(command.agent, edit);
        if (!stored)
            co_return failure(stored.error());
    }
    const QList<SandboxView> rows = m_sandboxes.sandboxViews();
    for (const SandboxView &row : rows)
        review(row.id);
    co_return get(same);
}

// ---- Sessions
// --------------------------------------------------------------------------------------------------

int LifecycleService::sessionsOn(const SandboxId &sandbox) const
{
    int count = 0;
    const QList<domain::ThreadId> threads = m_sandboxes.threadsOf(sandbox);
    for (const ThreadId &thread : threads)
        count += m_sessions.countOf(thread);
    return count;
}

Result<SessionView> LifecycleService::open(const ThreadId &thread, const void *client,
                                           const QString &source)
{
    const std::optional<domain::Thread> known = m_threads(thread);
    if (!known)
        return failure(ErrorKind::NotFound,
                       QStringLiteral("There is no thread \"%1\"").arg(thread.toString()));
    const Result<SessionView> session = m_sessions.open(thread, client);
    if (!session)
        return session;
    const std::optional<domain::Sandbox> row = m_sandboxes.sandbox(known->sandbox);
    if (row && row->status != domain::SandboxStatus::Deleted
        && policyOf(*row).start == domain::StartPolicy::Session)
        m_scope.spawn(makeReady(row->id, source, m_scope.token()));
    return session;
}

async::Task<void> LifecycleService::makeReady(SandboxId sandbox, QString source,
                                              std::stop_token stop)
{
    const Result<LeaseController *> lease = co_await m_sandboxes.leaseFor(sandbox);
    if (!lease) {
        domain::log(domain::LogLevel::Warning, "lifecycle", lease.error().message);
        co_return;
    }
    // What fails is in the lease, and with it at the thread. Nothing is made in place of one that
    // is gone: that is the user's to decide.
    LeaseController *controller = *lease;
    const Result<ReadySandbox> ready = co_await controller->ensure(source, OnGone::Tell, {}, stop);
    if (!ready)
        domain::log(domain::LogLevel::Info, "lifecycle", ready.error().message);
}

void LifecycleService::sessionsChanged(const ThreadId &thread, bool ended)
{
    const std::optional<domain::Thread> known = m_threads(thread);
    if (!known || known->sandbox.isNull())
        return;
    if (ended && sessionsOn(known->sandbox) == 0)
        m_watches[known->sandbox.toString()].endNow = true;
    review(known->sandbox);
}

// ---- Idle time
// -------------------------------------------------------------------------------------------------

void LifecycleService::touch(const SandboxId &sandbox)
{
    const auto found = m_watches.find(sandbox.toString());
    if (found == m_watches.end() || !found->second.restingSince
        || m_clock->now() - *found->second.restingSince < kTouchEvery)
        return;
    found->second.restingSince = m_clock->now();
    review(sandbox);
}

void LifecycleService::review(const SandboxId &sandbox)
{
    if (m_scope.token().stop_requested())
        return;
    const LeaseController *controller = m_sandboxes.controllerOf(sandbox);
    const std::optional<domain::Sandbox> row = m_sandboxes.sandbox(sandbox);
    if (!controller || !row)
        return;
    Watch &watch = m_watches[sandbox.toString()];
    const domain::Lease &lease = controller->lease();
    const bool works = controller->isWorking() || controller->isWanted();
    const bool runs = controller->hasLiveInstance() && lease.observed == ObservedState::Running
        && lease.desired == domain::DesiredState::Running && controller->busy().isEmpty();
    if (works || !runs) {
        watch.restingSince.reset();
        // Being made ready is no work yet: what is resumed by hand is not stopped in that moment.
        watch.worked = controller->isWorking() || (watch.worked && works);
        // A session that ends while a command runs: the command's end is the end.
        if (!runs && !works)
            watch.endNow = false;
        arm(sandbox, watch, std::nullopt);
        return;
    }
    const domain::LifecyclePolicy policy = policyOf(*row);
    const int sessions = sessionsOn(sandbox);
    if (!watch.restingSince)
        watch.restingSince = m_clock->now();
    if (std::exchange(watch.worked, false) && sessions == 0)
        watch.endNow = true;
    std::optional<milliseconds> due;
    if (policy.stop == StopPolicy::Session) {
        if (sessions > 0)
            watch.endNow = false;
        else
            due = *watch.restingSince + (watch.endNow ? milliseconds(0) : kWithoutSession);
    } else if (policy.idleTimeoutMinutes > 0) {
        due = *watch.restingSince + std::chrono::minutes(policy.idleTimeoutMinutes);
    }
    if (!controller->canPause())
        due.reset(); // and it is never destroyed instead
    arm(sandbox, watch, due);
}

void LifecycleService::arm(const SandboxId &sandbox, Watch &watch, std::optional<milliseconds> due)
{
    LifecycleFacts facts;
    facts.sessions = sessionsOn(sandbox);
    if (due)
        facts.idleStopAt = m_clock->wall().addMSecs((*due - m_clock->now()).count());
    if (watch.due != due) {
        watch.timer.request_stop();
        watch.timer = std::stop_source();
        watch.due = due;
        if (due)
            m_scope.spawn(stopWhenDue(sandbox, *due, watch.timer.get_token()));
    } else if (due) {
        // The same moment, read a little later.
        facts.idleStopAt = m_sandboxes.lifecycleOf(sandbox).idleStopAt;
    }
    m_sandboxes.setLifecycle(sandbox, facts);
}

async::Task<void> LifecycleService::stopWhenDue(SandboxId sandbox, milliseconds due,
                                                std::stop_token stop)
{
    const milliseconds left = std::max(milliseconds(0), due - m_clock->now());
    if (left.count() > 0) {
        const bool elapsed = co_await m_clock->sleepFor(left, stop);
        if (!elapsed)
            co_return;
    }
    LeaseController *controller = m_sandboxes.controllerOf(sandbox);
    if (!controller || stop.stop_requested())
        co_return;
    ++m_stopping;
    // Not with the timer's token: what disarms it is the pause itself.
    const Result<void> paused =
        co_await controller->pause(QStringLiteral("policy"), m_scope.token(), PauseWhen::AtRest);
    --m_stopping;
    if (!paused)
        domain::log(domain::LogLevel::Info, "lifecycle", paused.error().message);
    m_watches[sandbox.toString()].endNow = false;
    review(sandbox);
}

} // namespace berth::application
