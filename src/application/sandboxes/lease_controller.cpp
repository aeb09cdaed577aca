// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/sandboxes/lease_controller.h"

#include "application/lifecycle/backoff.h"
#include "application/lifecycle/policy_store.h"
#include "application/sandboxes/lease_attempt.h"
#include "domain/log.h"

#include <QtCore/QCryptographicHash>

namespace berth::application {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::Instance;
using domain::InstanceStatus;
using domain::Lease;
using domain::ObservedState;
using domain::Result;

namespace {

//! With an open connection and a running state this fresh the provider need not be asked again.
constexpr std::chrono::milliseconds kFresh{3000};

} // namespace

LeaseController::LeaseController(domain::LeaseWithInstance known, domain::Sandbox sandbox,
                                 domain::LeaseStore &store, ProviderService &providers,
                                 std::shared_ptr<Clock> clock)
    : m_lease(std::move(known.lease)),
      m_instance(std::move(known.instance)),
      m_sandbox(std::move(sandbox)),
      m_store(store),
      m_providers(providers),
      m_clock(std::move(clock)),
      m_stateSince(m_lease.observedAt)
{}

LeaseController::~LeaseController()
{
    dropConnection();
}

bool LeaseController::hasLiveInstance() const
{
    return m_instance && m_instance->status == InstanceStatus::Live;
}

bool LeaseController::mayExist() const
{
    if (!m_instance || m_instance->status == InstanceStatus::Gone)
        return false;
    return hasLiveInstance() || !m_busy.isEmpty() || m_lease.observed != ObservedState::Unknown
        || isIntentBlocking();
}

bool LeaseController::isFreshlySeen() const
{
    return m_seenRunning && m_clock->now() - *m_seenRunning < kFresh;
}

QString LeaseController::configHash() const
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    QMap<QString, QString> values = m_providers.effective(m_lease.providerConfig);
    values.insert(providerPart(m_sandbox.config));
    for (auto it = values.begin(); it != values.end(); ++it)
        hash.addData((it.key() + QLatin1Char('=') + it.value() + QLatin1Char('\n')).toUtf8());
    return QString::fromLatin1(hash.result().toHex().left(16));
}

void LeaseController::setBusy(const QString &what)
{
    if (m_busy == what)
        return;
    m_busy = what;
    Q_EMIT changed();
}

void LeaseController::dropConnection()
{
    if (!m_connection)
        return;
    m_connection->disconnect(this);
    m_connection.reset();
}

void LeaseController::commandStarted()
{
    ++m_commands;
    Q_EMIT workChanged();
}

void LeaseController::commandEnded()
{
    --m_commands;
    Q_EMIT workChanged();
}

void LeaseController::backgroundStarted()
{
    ++m_background;
    Q_EMIT workChanged();
}

void LeaseController::backgroundEnded()
{
    --m_background;
    Q_EMIT workChanged();
}

Async<void> LeaseController::transition(Lease next, std::optional<domain::InstanceRecord> instance,
                                        QString type, QString source, QString error)
{
    domain::LeaseEvent event;
    event.lease = next.id;
    event.type = type;
    event.source = source;
    event.error = error;
    event.at = m_clock->wall();
    next.updatedAt = event.at;
    const bool stateChanged = next.observed != m_lease.observed;
    const Result<Lease> stored = co_await m_store.transition(next, instance, event);
    if (!stored)
        co_return failure(stored.error());
    m_lease = *stored;
    if (instance)
        m_instance = instance;
    if (stateChanged) {
        m_stateSince = event.at;
        m_usageOpen = true;
    }
    Q_EMIT changed();
    co_return Result<void>();
}

Async<void> LeaseController::setObserved(ObservedState state, QString type, QString source,
                                         QString error)
{
    Lease next = m_lease;
    next.observed = state;
    next.observedAt = m_clock->wall();
    next.lastError = error;
    const Result<void> stored = co_await transition(next, std::nullopt, type, source, error);
    co_return stored;
}

Async<void> LeaseController::markGone(QString source)
{
    domain::InstanceRecord gone = *m_instance;
    gone.status = InstanceStatus::Gone;
    Lease next = m_lease;
    next.observed = ObservedState::Gone;
    next.observedAt = m_clock->wall();
    next.destroyDueAt = {};
    dropConnection();
    m_seenRunning.reset();
    const Result<void> stored = co_await transition(next, gone, QStringLiteral("gone"), source, {});
    co_return stored;
}

//! A call failed. What was on its way to another state is somewhere unknown now; the binding stays.
Async<void> LeaseController::noteFailure(Error error, QString source)
{
    if (error.kind == ErrorKind::Cancelled && m_lease.observed != ObservedState::Starting)
        co_return Result<void>();
    observeFailure(error);
    const bool onItsWay = m_lease.observed == ObservedState::Starting;
    if (m_lease.lastError == error.message && !onItsWay)
        co_return Result<void>();
    Lease next = m_lease;
    next.lastError = error.message;
    if (onItsWay)
        next.observed = ObservedState::Unknown;
    const Result<void> stored =
        co_await transition(next, std::nullopt, QStringLiteral("failed"), source, error.message);
    if (!stored)
        domain::log(domain::LogLevel::Warning, "lease", stored.error().message);
    co_return stored;
}

Async<Instance> LeaseController::ask(std::shared_ptr<domain::Provider> provider,
                                     std::stop_token stop)
{
    const std::function<Async<Instance>()> inspect = [provider, id = m_instance->externalId, stop] {
        return provider->inspect(id, stop);
    };
    const Result<Instance> seen = co_await retried<Instance>(inspect, m_clock, stop);
    m_onAnotherEngine = isElsewhere(*provider) && !seen && seen.error().kind == ErrorKind::NotFound;
    if (isElsewhere(*provider)) {
        if (m_onAnotherEngine)
            co_return failure(elsewhere());
        // It knows the sandbox, so it is the same place under another name, as after a change of
        // the key.
        if (seen && seen->labels.instance == m_instance->id) {
            Lease next = m_lease;
            next.engineId = provider->engineId();
            const Result<void> stored = co_await transition(
                next, std::nullopt, QStringLiteral("engine_renamed"), QStringLiteral("engine"), {});
            if (!stored)
                co_return failure(stored.error());
        }
    }
    co_return seen;
}

bool LeaseController::isElsewhere(const domain::Provider &provider) const
{
    // Some know only after the first answer.
    const QString now = provider.engineId();
    return !m_lease.engineId.isEmpty() && !now.isEmpty() && now != m_lease.engineId;
}

Error LeaseController::elsewhere() const
{
    return Error{ErrorKind::Unavailable,
                 QStringLiteral("%1 is another engine or account now than the one that this "
                                "sandbox is at")
                     .arg(m_lease.providerConfig.toString()),
                 QStringLiteral("The sandbox may still be there. Go back to the former engine, "
                                "address or key in Settings to use or destroy it"),
                 {},
                 {}};
}

Async<ReadySandbox> LeaseController::ensure(QString source, OnGone onGone,
                                            domain::ProgressSink progress, std::stop_token stop)
{
    if (m_sandbox.status == domain::SandboxStatus::Deleted)
        co_return failure(ErrorKind::Conflict, QStringLiteral("This sandbox was deleted"));
    if (isDestroyPending()) {
        co_return failure(ErrorKind::Conflict, QStringLiteral("This sandbox is being destroyed"),
                          QStringLiteral("Undo that, or wait until it is gone for a fresh one."));
    }
    std::shared_ptr<Attempt> attempt = m_attempt;
    if (!attempt) {
        attempt = std::make_shared<Attempt>();
        m_attempt = attempt;
        attempt->sinks << progress;
        ++attempt->waiting;
        m_attempts.spawn(runAttempt(attempt, source, onGone));
    } else {
        attempt->sinks << progress;
        ++attempt->waiting;
    }
    // A caller who gives up leaves the others their attempt.
    const async::Completion<Result<ReadySandbox>> mine;
    const std::stop_callback onStop(stop, [attempt, mine] {
        if (--attempt->waiting == 0)
            attempt->stop.request_stop();
        mine.complete(failure(ErrorKind::Cancelled,
                              QStringLiteral("Stopped while the sandbox was made ready")));
    });
    struct Forward
    {
        static async::Task<void> run(std::shared_ptr<Attempt> from,
                                     async::Completion<Result<ReadySandbox>> to)
        {
            const Result<ReadySandbox> result = co_await from->done;
            to.complete(result);
        }
    };
    Forward::run(attempt, mine);
    const Result<ReadySandbox> result = co_await mine;
    co_return result;
}

void LeaseController::stop()
{
    if (m_attempt)
        m_attempt->stop.request_stop();
}

async::Task<void> LeaseController::runAttempt(std::shared_ptr<Attempt> attempt, QString source,
                                              OnGone onGone)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    const Result<ReadySandbox> result = co_await bringUp(source, onGone, attempt);
    setBusy({});
    if (!result) {
        const Result<void> noted = co_await noteFailure(result.error(), source);
        Q_UNUSED(noted)
    }
    if (m_attempt == attempt)
        m_attempt.reset();
    attempt->done.complete(result);
    Q_EMIT workChanged();
}

Async<ReadySandbox> LeaseController::bringUp(QString source, OnGone onGone,
                                             std::shared_ptr<Attempt> attempt)
{
    const Result<std::shared_ptr<domain::Provider>> found =
        m_providers.provider(m_lease.providerConfig);
    if (!found)
        co_return failure(found.error());
    const std::shared_ptr<domain::Provider> provider = *found;
    const std::stop_token stop = attempt->stop.get_token();

    if (isConnected() && m_lease.observed == ObservedState::Running
        && m_lease.desired == domain::DesiredState::Running && isFreshlySeen() && isPrepared()) {
        co_return ReadySandbox{m_connection, m_baseline, m_instance->id, false, false};
    }
    bool resumed = false;
    bool made = false;
    if (hasLiveInstance()) {
        const Result<Instance> seen = co_await ask(provider, stop);
        if (!seen && seen.error().kind != ErrorKind::NotFound)
            co_return failure(seen.error());
        if (seen) {
            const Result<bool> woken = co_await wake(provider, *seen, source, attempt);
            if (!woken && woken.error().kind != ErrorKind::NotFound)
                co_return failure(woken.error());
            resumed = woken && *woken;
            if (!woken) {
                const Result<void> stored = co_await markGone(source);
                if (!stored)
                    co_return failure(stored.error());
            }
        } else {
            const Result<void> stored = co_await markGone(source);
            if (!stored)
                co_return failure(stored.error());
        }
    }
    if (!hasLiveInstance() && m_lease.observed == ObservedState::Gone
        && m_lease.desired != domain::DesiredState::Destroyed && onGone == OnGone::Tell) {
        const QString name = m_instance ? m_instance->name : m_lease.alias;
        co_return failure(
            ErrorKind::NotFound, QStringLiteral("The sandbox is gone"),
            QStringLiteral("%1 says that %2 does not exist any more: it was removed outside of "
                           "Berth, and its files are lost. Resume it to make a new, empty one "
                           "here, or continue in a new thread.")
                .arg(m_lease.providerConfig.toString(), name));
    }
    if (!hasLiveInstance()) {
        setBusy(QStringLiteral("starting"));
        const Result<Instance> instance = co_await findOrCreate(provider, source, attempt);
        if (!instance)
            co_return failure(instance.error());
        m_startedAt = instance->startedAt.isValid() ? instance->startedAt : m_clock->wall();
        made = true;
    }
    if (m_lease.observed != ObservedState::Running
        || m_lease.desired != domain::DesiredState::Running || !m_lease.lastError.isEmpty()) {
        Lease next = m_lease;
        next.desired = domain::DesiredState::Running;
        next.observed = ObservedState::Running;
        next.observedAt = m_clock->wall();
        next.lastError.clear();
        const Result<void> stored = co_await transition(
            next, std::nullopt, resumed ? QStringLiteral("resumed") : QStringLiteral("running"),
            source, {});
        if (!stored)
            co_return failure(stored.error());
    }
    m_unreachable = false;
    m_controlled = true;
    m_seenRunning = m_clock->now();
    m_providers.noteReachable(m_lease.providerConfig, std::nullopt);
    Result<ReadySandbox> ready = co_await connect(provider, source, stop);
    if (!ready)
        co_return failure(ready.error());
    const Result<void> prepared = co_await prepare(stop);
    if (!prepared)
        co_return failure(prepared.error());
    ready->resumed = resumed;
    ready->fresh = made;
    co_return *ready;
}

Async<void> LeaseController::prepare(std::stop_token stop)
{
    if (isPrepared())
        co_return Result<void>();
    const int wanted = m_preparationWanted;
    if (m_preparation) {
        const Result<void> done =
            co_await m_preparation(m_lease.sandbox, m_instance->id, m_connection, stop);
        if (!done)
            co_return failure(done.error());
    }
    m_preparationDone = wanted;
    co_return Result<void>();
}

Async<void> LeaseController::prepareIfConnected(std::stop_token stop)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    // A paused one may still be connected, and would not answer.
    if (!isConnected() || m_lease.observed != ObservedState::Running || !m_instance)
        co_return Result<void>();
    const Result<void> done = co_await prepare(stop);
    co_return done;
}

//! Brings an existing one to running; answers whether it had to be.
Async<bool> LeaseController::wake(std::shared_ptr<domain::Provider> provider, Instance seen,
                                  QString source, std::shared_ptr<Attempt> attempt)
{
    const std::stop_token stop = attempt->stop.get_token();
    if (seen.state == ObservedState::Running) {
        m_startedAt = seen.startedAt;
        const Result<void> usage = co_await resumeUsage(seen);
        Q_UNUSED(usage)
        co_return false;
    }
    setBusy(QStringLiteral("resuming"));
    attempt->tell({QStringLiteral("Resuming the sandbox"), -1});
    // Freezing keeps the runner's connection; a stopped one has lost it.
    if (seen.state != ObservedState::Paused)
        dropConnection();
    Lease next = m_lease;
    next.desired = domain::DesiredState::Running;
    next.observed = ObservedState::Starting;
    const Result<void> noted =
        co_await transition(next, std::nullopt, QStringLiteral("resume"), source, {});
    if (!noted)
        co_return failure(noted.error());
    const std::function<Async<void>()> resume = [provider, id = m_instance->externalId, stop] {
        return provider->resume(id, stop);
    };
    Result<void> running = co_await retried<void>(resume, m_clock, stop);
    if (!running && running.error().kind == ErrorKind::Conflict) {
        // Somebody else may have been faster.
        const Result<Instance> now = co_await ask(provider, stop);
        if (now && now->state == ObservedState::Running)
            running = Result<void>();
    }
    if (!running)
        co_return failure(running.error());
    m_startedAt = m_clock->wall();
    co_return true;
}

} // namespace berth::application
