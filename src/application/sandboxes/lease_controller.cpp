// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/sandboxes/lease_controller.h"

#include "application/sandboxes/lease_attempt.h"
#include "domain/log.h"
#include "domain/text.h"

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
constexpr qint64 kFreshMs = 3000;

} // namespace

LeaseController::LeaseController(domain::LeaseWithInstance known, domain::Sandbox sandbox,
                                 domain::LeaseStore &store, ProviderService &providers)
    : m_lease(std::move(known.lease)),
      m_instance(std::move(known.instance)),
      m_sandbox(std::move(sandbox)),
      m_store(store),
      m_providers(providers),
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

QString LeaseController::configHash() const
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    QMap<QString, QString> values = m_providers.effective(m_lease.providerConfig);
    values.insert(m_sandbox.config);
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

Async<void> LeaseController::transition(Lease next, std::optional<domain::InstanceRecord> instance,
                                        QString type, QString source, QString error)
{
    domain::LeaseEvent event;
    event.lease = next.id;
    event.type = type;
    event.source = source;
    event.error = error;
    event.at = domain::nowUtc();
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
        domain::UsageInterval usage;
        usage.lease = m_lease.id;
        usage.providerConfig = m_lease.providerConfig;
        usage.state = m_lease.observed;
        usage.startedAt = event.at;
        const Result<void> recorded = co_await m_store.recordUsage(usage);
        if (!recorded)
            domain::log(domain::LogLevel::Warning, "lease", recorded.error().message);
    }
    Q_EMIT changed();
    co_return Result<void>();
}

Async<void> LeaseController::setObserved(ObservedState state, QString type, QString source,
                                         QString error)
{
    Lease next = m_lease;
    next.observed = state;
    next.observedAt = domain::nowUtc();
    next.lastError = error;
    const Result<void> stored = co_await transition(next, std::nullopt, type, source, error);
    co_return stored;
}

Async<ReadySandbox> LeaseController::ensure(QString source, OnGone onGone,
                                            domain::ProgressSink progress, std::stop_token stop)
{
    if (m_sandbox.status == domain::SandboxStatus::Deleted)
        co_return failure(ErrorKind::Conflict, QStringLiteral("This sandbox was deleted"));
    std::shared_ptr<Attempt> attempt = m_attempt;
    if (!attempt) {
        attempt = std::make_shared<Attempt>();
        m_attempt = attempt;
        attempt->sinks << progress;
        ++attempt->waiting;
        runAttempt(attempt, source, onGone);
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

async::Task<void> LeaseController::runAttempt(std::shared_ptr<Attempt> attempt, QString source,
                                              OnGone onGone)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    const Result<ReadySandbox> result = co_await bringUp(source, onGone, attempt);
    setBusy({});
    if (!result && result.error().kind != ErrorKind::Cancelled) {
        observeFailure(result.error());
        if (m_lease.lastError != result.error().message) {
            Lease next = m_lease;
            next.lastError = result.error().message;
            const Result<void> stored = co_await transition(
                next, std::nullopt, QStringLiteral("failed"), source, result.error().message);
            if (!stored)
                domain::log(domain::LogLevel::Warning, "lease", stored.error().message);
        }
    }
    if (m_attempt == attempt)
        m_attempt.reset();
    attempt->done.complete(result);
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

    if (isConnected() && m_lease.observed == ObservedState::Running && m_lastSeenRunning.isValid()
        && m_lastSeenRunning.elapsed() < kFreshMs) {
        co_return ReadySandbox{m_connection, m_baseline, m_instance->id, false, false};
    }
    bool resumed = false;
    bool made = false;
    if (hasLiveInstance()) {
        const Result<Instance> seen = co_await provider->inspect(m_instance->externalId, stop);
        if (!seen && seen.error().kind != ErrorKind::NotFound)
            co_return failure(seen.error());
        if (!seen) {
            const bool byUs = m_lease.desired == domain::DesiredState::Destroyed;
            domain::InstanceRecord gone = *m_instance;
            gone.status = InstanceStatus::Gone;
            Lease next = m_lease;
            next.observed = ObservedState::Gone;
            next.observedAt = domain::nowUtc();
            dropConnection();
            const Result<void> stored =
                co_await transition(next, gone, QStringLiteral("gone"), source, {});
            if (!stored)
                co_return failure(stored.error());
            if (!byUs && onGone == OnGone::Tell) {
                co_return failure(
                    ErrorKind::NotFound, QStringLiteral("The sandbox is gone"),
                    QStringLiteral(
                        "%1 says that %2 does not exist any more; its files are lost. Resume it "
                        "to make a new, empty one here, or continue in a new thread.")
                        .arg(m_lease.providerConfig.toString(), m_instance->name));
            }
        } else if (seen->state != ObservedState::Running) {
            setBusy(QStringLiteral("resuming"));
            attempt->tell({QStringLiteral("Resuming the sandbox"), -1});
            // Freezing keeps the runner's connection; a stopped one has lost it.
            if (seen->state != ObservedState::Paused)
                dropConnection();
            Lease next = m_lease;
            next.desired = domain::DesiredState::Running;
            next.observed = ObservedState::Starting;
            const Result<void> noted =
                co_await transition(next, std::nullopt, QStringLiteral("resume"), source, {});
            if (!noted)
                co_return failure(noted.error());
            const Result<void> running = co_await provider->resume(m_instance->externalId, stop);
            if (!running)
                co_return failure(running.error());
            m_startedAt = domain::nowUtc();
            resumed = true;
        } else {
            m_startedAt = seen->startedAt;
        }
    } else if (m_lease.observed == ObservedState::Gone
               && m_lease.desired != domain::DesiredState::Destroyed && onGone == OnGone::Tell) {
        co_return failure(
            ErrorKind::NotFound, QStringLiteral("The sandbox is gone"),
            QStringLiteral(
                "It was removed outside of Berth; its files are lost. Resume it to make a new, "
                "empty one here, or continue in a new thread."));
    }
    if (!hasLiveInstance()) {
        setBusy(QStringLiteral("starting"));
        const Result<Instance> instance = co_await findOrCreate(provider, source, attempt);
        if (!instance)
            co_return failure(instance.error());
        m_startedAt = instance->startedAt.isValid() ? instance->startedAt : domain::nowUtc();
        made = true;
    }
    if (m_lease.observed != ObservedState::Running
        || m_lease.desired != domain::DesiredState::Running || !m_lease.lastError.isEmpty()) {
        Lease next = m_lease;
        next.desired = domain::DesiredState::Running;
        next.observed = ObservedState::Running;
        next.observedAt = domain::nowUtc();
        next.lastError.clear();
        const Result<void> stored = co_await transition(
            next, std::nullopt, resumed ? QStringLiteral("resumed") : QStringLiteral("running"),
            source, {});
        if (!stored)
            co_return failure(stored.error());
    }
    m_unreachable = false;
    m_controlled = true;
    m_lastSeenRunning.restart();
    m_providers.noteReachable(m_lease.providerConfig, std::nullopt);
    Result<ReadySandbox> ready = co_await connect(provider, made, stop);
    if (!ready)
        co_return failure(ready.error());
    ready->resumed = resumed;
    ready->fresh = made;
    co_return *ready;
}

Async<void> LeaseController::pause(QString source, std::stop_token stop)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    if (!hasLiveInstance())
        co_return failure(ErrorKind::Conflict,
                          QStringLiteral("There is nothing to pause: the sandbox has not started"));
    const Result<std::shared_ptr<domain::Provider>> found =
        m_providers.provider(m_lease.providerConfig);
    if (!found)
        co_return failure(found.error());
    const std::shared_ptr<domain::Provider> provider = *found;
    const domain::Capabilities capabilities = provider->capabilities();
    if (!capabilities.has(domain::Capability::Pause))
        co_return failure(ErrorKind::Unsupported,
                          capabilities.reasonAgainst(domain::Capability::Pause));
    setBusy(QStringLiteral("pausing"));
    Lease next = m_lease;
    next.desired = domain::DesiredState::Paused;
    Result<void> result =
        co_await transition(next, std::nullopt, QStringLiteral("pause"), source, {});
    if (result)
        result = co_await provider->pause(m_instance->externalId, stop);
    if (result) {
        m_lastSeenRunning.invalidate();
        m_controlled = true;
        if (!capabilities.has(domain::Capability::ProcessesSurvivePause))
            dropConnection();
        result = co_await setObserved(ObservedState::Paused, QStringLiteral("paused"), source, {});
    } else {
        observeFailure(result.error());
    }
    setBusy({});
    co_return result;
}

Async<void> LeaseController::destroy(QString source, std::stop_token stop)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    if (!m_instance || m_instance->status == InstanceStatus::Gone)
        co_return Result<void>();
    const Result<std::shared_ptr<domain::Provider>> found =
        m_providers.provider(m_lease.providerConfig);
    if (!found)
        co_return failure(found.error());
    const std::shared_ptr<domain::Provider> provider = *found;
    setBusy(QStringLiteral("destroying"));
    Lease next = m_lease;
    next.desired = domain::DesiredState::Destroyed;
    Result<void> result =
        co_await transition(next, std::nullopt, QStringLiteral("destroy"), source, {});
    domain::ExternalId target = m_instance->externalId;
    if (result && m_instance->status == InstanceStatus::Creating) {
        const Result<std::optional<Instance>> seen = co_await findByToken(provider, stop);
        if (!seen)
            result = failure(seen.error());
        else if (*seen)
            target = (*seen)->externalId;
    }
    if (result && !target.isNull())
        result = co_await provider->destroy(target, stop);
    if (result) {
        dropConnection();
        m_lastSeenRunning.invalidate();
        domain::InstanceRecord gone = *m_instance;
        gone.status = InstanceStatus::Gone;
        next = m_lease;
        next.observed = ObservedState::Gone;
        next.observedAt = domain::nowUtc();
        next.lastError.clear();
        result = co_await transition(next, gone, QStringLiteral("destroyed"), source, {});
        if (result)
            Q_EMIT destroyed();
    } else {
        observeFailure(result.error());
    }
    setBusy({});
    co_return result;
}

Async<void> LeaseController::observe(Instance seen)
{
    if (!m_busy.isEmpty() || m_attempt)
        co_return Result<void>();
    // What we have ended is not raised by an old list.
    if (!m_instance || m_instance->status == InstanceStatus::Gone)
        co_return Result<void>();
    m_startedAt = seen.startedAt;
    const bool wasUnreachable = std::exchange(m_unreachable, false);
    if (seen.state == ObservedState::Running)
        m_lastSeenRunning.restart();
    else
        m_lastSeenRunning.invalidate();
    if (seen.state == m_lease.observed && hasLiveInstance()) {
        m_lease.observedAt = domain::nowUtc();
        if (wasUnreachable)
            Q_EMIT changed();
        co_return Result<void>();
    }
    std::optional<domain::InstanceRecord> record;
    if (m_instance && m_instance->id == seen.labels.instance
        && m_instance->status == InstanceStatus::Creating) {
        record = *m_instance;
        record->status = InstanceStatus::Live;
        record->externalId = seen.externalId;
        record->name = seen.name;
        record->image = seen.image;
    }
    Lease next = m_lease;
    next.observed = seen.state;
    next.observedAt = domain::nowUtc();
    const Result<void> stored = co_await transition(
        next, record, record ? QStringLiteral("adopted") : QStringLiteral("observed"),
        QStringLiteral("reconciler"), {});
    co_return stored;
}

Async<void> LeaseController::confirmMissing(std::stop_token stop)
{
    if (!m_busy.isEmpty() || m_attempt || !hasLiveInstance())
        co_return Result<void>();
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    const Result<std::shared_ptr<domain::Provider>> found =
        m_providers.provider(m_lease.providerConfig);
    if (!found || !hasLiveInstance())
        co_return Result<void>();
    const std::shared_ptr<domain::Provider> provider = *found;
    const Result<Instance> seen = co_await provider->inspect(m_instance->externalId, stop);
    if (seen || seen.error().kind != ErrorKind::NotFound)
        co_return Result<void>();
    domain::InstanceRecord gone = *m_instance;
    gone.status = InstanceStatus::Gone;
    Lease next = m_lease;
    next.observed = ObservedState::Gone;
    next.observedAt = domain::nowUtc();
    dropConnection();
    const Result<void> stored =
        co_await transition(next, gone, QStringLiteral("gone"), QStringLiteral("reconciler"), {});
    co_return stored;
}

void LeaseController::observeFailure(const Error &error)
{
    const bool isTransport =
        error.kind == ErrorKind::Unavailable || error.kind == ErrorKind::Timeout;
    if (isTransport && !m_unreachable) {
        m_unreachable = true;
        m_lastSeenRunning.invalidate();
        Q_EMIT changed();
    }
    if (isTransport)
        m_providers.noteReachable(m_lease.providerConfig, error);
}

} // namespace berth::application
