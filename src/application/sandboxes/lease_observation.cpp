// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of LeaseController that takes in what the provider says without being told to act.
#include "application/lifecycle/backoff.h"
#include "application/sandboxes/lease_controller.h"
#include "domain/log.h"

namespace berth::application {

using domain::Async;
using domain::DesiredState;
using domain::Error;
using domain::ErrorKind;
using domain::Instance;
using domain::InstanceStatus;
using domain::Lease;
using domain::ObservedState;
using domain::Result;

namespace {

//! A difference between wanted and real state is said after this long.
constexpr std::chrono::minutes kDiffersLong{5};

} // namespace

Async<void> LeaseController::observe(Instance seen)
{
    if (!m_busy.isEmpty() || m_attempt)
        co_return Result<void>();
    const qint64 version = m_lease.version;
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    // A list is old as soon as the lease has moved on.
    if (m_lease.version != version)
        co_return Result<void>();
    const Result<void> done = co_await applySeen(seen, QStringLiteral("reconciler"));
    co_return done;
}

Async<void> LeaseController::probe(QString source, std::stop_token stop)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    const Result<std::shared_ptr<domain::Provider>> found =
        m_providers.provider(m_lease.providerConfig);
    if (!found || !hasLiveInstance())
        co_return Result<void>();
    const std::shared_ptr<domain::Provider> provider = *found;
    const Result<Instance> seen = co_await ask(provider, stop);
    Result<void> done;
    if (seen)
        done = co_await applySeen(*seen, source);
    else if (seen.error().kind == ErrorKind::NotFound)
        done = co_await markGone(source);
    else
        observeFailure(seen.error());
    co_return done;
}

Async<void> LeaseController::applySeen(Instance seen, QString source)
{
    // What we have ended is not raised by an old list.
    if (!m_instance || m_instance->status == InstanceStatus::Gone)
        co_return Result<void>();
    m_startedAt = seen.startedAt;
    m_controlled = true;
    const bool wasUnreachable = std::exchange(m_unreachable, false);
    if (seen.state == ObservedState::Running)
        m_seenRunning = m_clock->now();
    else
        m_seenRunning.reset();
    if (seen.state == m_lease.observed && hasLiveInstance()) {
        const Result<void> usage = co_await resumeUsage(seen);
        m_lease.observedAt = m_clock->wall();
        m_instance->lastSeenAt = m_lease.observedAt;
        if (wasUnreachable)
            Q_EMIT changed();
        co_return usage;
    }
    std::optional<domain::InstanceRecord> record;
    if (m_instance->id == seen.labels.instance && m_instance->status == InstanceStatus::Creating) {
        record = *m_instance;
        record->status = InstanceStatus::Live;
        record->externalId = seen.externalId;
        record->name = seen.name;
        record->image = seen.image;
        record->initialised = initCommands().isEmpty();
    }
    Lease next = m_lease;
    next.observed = seen.state;
    next.observedAt = m_clock->wall();
    // It was as we wanted it, and somebody else has changed it: that is the wish now. Otherwise a
    // pause that a user took back outside would come again with the next round.
    const bool wasPausing = m_lease.desired == DesiredState::Paused
        && m_lease.observed == ObservedState::Paused && seen.state == ObservedState::Running;
    const bool wasRunning = m_lease.desired == DesiredState::Running
        && m_lease.observed == ObservedState::Running
        && (seen.state == ObservedState::Paused || seen.state == ObservedState::Stopped);
    if (wasPausing)
        next.desired = DesiredState::Running;
    else if (wasRunning)
        next.desired = DesiredState::Paused;
    const Result<void> stored = co_await transition(
        next, record, record ? QStringLiteral("adopted") : QStringLiteral("observed"), source, {});
    co_return stored;
}

//! After a start of the Engine the span that a crash left open has been ended where the instance
//! was last seen. When it has run ever since, the new span begins there.
Async<void> LeaseController::resumeUsage(Instance seen)
{
    if (m_usageOpen)
        co_return Result<void>();
    const QDateTime lastSeen = m_instance->lastSeenAt;
    const bool ranOn = seen.startedAt.isValid() && lastSeen.isValid() && seen.startedAt <= lastSeen;
    domain::UsageInterval usage;
    usage.lease = m_lease.id;
    usage.providerConfig = m_lease.providerConfig;
    usage.state = seen.state;
    usage.startedAt = ranOn ? lastSeen : m_clock->wall();
    m_usageOpen = true;
    const Result<void> recorded = co_await m_store.recordUsage(usage);
    if (!recorded)
        domain::log(domain::LogLevel::Warning, "lease", recorded.error().message);
    co_return recorded;
}

Async<void> LeaseController::confirmMissing(std::stop_token stop)
{
    if (!m_busy.isEmpty() || m_attempt || !m_instance || m_instance->status == InstanceStatus::Gone)
        co_return Result<void>();
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    const Result<std::shared_ptr<domain::Provider>> found =
        m_providers.provider(m_lease.providerConfig);
    if (!found || m_attempt || !m_instance)
        co_return Result<void>();
    const QString source = QStringLiteral("reconciler");
    Result<void> done;
    if (m_instance->status == InstanceStatus::Creating) {
        // Of a start that was interrupted nothing has appeared; the next need makes it.
        if (!isCopyIntent() && !isIntentBlocking() && m_lease.observed != ObservedState::Unknown) {
            done = co_await setObserved(ObservedState::Unknown, QStringLiteral("not_created"),
                                        source, {});
        }
        co_return done;
    }
    if (!hasLiveInstance())
        co_return done;
    const std::shared_ptr<domain::Provider> provider = *found;
    const Result<Instance> seen = co_await ask(provider, stop);
    if (!seen && seen.error().kind == ErrorKind::NotFound)
        done = co_await markGone(source);
    co_return done;
}

void LeaseController::observeFailure(const Error &error)
{
    const bool isTransport =
        error.kind == ErrorKind::Unavailable || error.kind == ErrorKind::Timeout;
    if (isTransport && !m_unreachable) {
        m_unreachable = true;
        m_seenRunning.reset();
        Q_EMIT changed();
    }
    if (isTransport)
        m_providers.noteReachable(m_lease.providerConfig, error);
}

Async<void> LeaseController::flagDifference()
{
    const ObservedState state = m_lease.observed;
    const bool isRunning = state == ObservedState::Running;
    const bool isNowhere = state == ObservedState::Starting || state == ObservedState::Stopping
        || state == ObservedState::Unknown || state == ObservedState::Error;
    const bool exists = hasLiveInstance() && state != ObservedState::Gone;
    const bool differs = exists && m_busy.isEmpty() && !m_attempt && !isDestroyPending()
        && (isNowhere || m_lease.desired == DesiredState::Destroyed
            || (m_lease.desired == DesiredState::Paused && isRunning));
    if (!differs) {
        m_differsSince.reset();
        m_differenceFlagged = false;
        co_return Result<void>();
    }
    if (!m_differsSince)
        m_differsSince = m_clock->now();
    const auto since =
        std::chrono::duration_cast<std::chrono::minutes>(m_clock->now() - *m_differsSince);
    if (m_differenceFlagged || since < kDiffersLong)
        co_return Result<void>();
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    Lease next = m_lease;
    const QString why =
        m_lease.lastError.isEmpty() ? QString() : QStringLiteral(": ") + m_lease.lastError;
    next.lastError = QStringLiteral("Should be %1, but has been %2 for %3 minutes")
                         .arg(domain::wireName(m_lease.desired), domain::wireName(state))
                         .arg(since.count())
        + why;
    m_differenceFlagged = true;
    const Result<void> stored = co_await transition(next, std::nullopt, QStringLiteral("differs"),
                                                    QStringLiteral("reconciler"), next.lastError);
    co_return stored;
}

} // namespace berth::application
