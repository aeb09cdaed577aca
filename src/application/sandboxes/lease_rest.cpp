// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of LeaseController that brings an instance to rest.
#include "application/lifecycle/backoff.h"
#include "application/sandboxes/lease_controller.h"
#include "domain/log.h"

namespace berth::application {

using domain::Async;
using domain::DesiredState;
using domain::ErrorKind;
using domain::failure;
using domain::Instance;
using domain::InstanceStatus;
using domain::Lease;
using domain::ObservedState;
using domain::Result;

namespace {

bool isAtRest(ObservedState state)
{
    return state == ObservedState::Paused || state == ObservedState::Stopped
        || state == ObservedState::Archived;
}

} // namespace

bool LeaseController::canPause() const
{
    const Result<std::shared_ptr<domain::Provider>> provider =
        m_providers.provider(m_lease.providerConfig);
    return provider && (*provider)->capabilities().has(domain::Capability::Pause);
}

bool LeaseController::isWorking() const
{
    if (m_commands > 0)
        return true;
    if (m_background == 0)
        return false;
    const Result<std::shared_ptr<domain::Provider>> provider =
        m_providers.provider(m_lease.providerConfig);
    return !provider || !(*provider)->capabilities().has(domain::Capability::ProcessesSurvivePause);
}

bool LeaseController::isDestroyPending() const
{
    return hasLiveInstance() && m_lease.desired == DesiredState::Destroyed
        && m_lease.destroyDueAt.isValid();
}

Async<void> LeaseController::want(DesiredState desired, QString source)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    if (m_lease.desired == desired || !m_instance || m_instance->status == InstanceStatus::Gone)
        co_return Result<void>();
    Lease next = m_lease;
    next.desired = desired;
    const QString type =
        desired == DesiredState::Destroyed ? QStringLiteral("destroy") : QStringLiteral("pause");
    const Result<void> stored = co_await transition(next, std::nullopt, type, source, {});
    co_return stored;
}

Async<void> LeaseController::pause(QString source, std::stop_token stop, PauseWhen when)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    if (when == PauseWhen::AtRest && (isWorking() || m_attempt))
        co_return failure(ErrorKind::Conflict, QStringLiteral("Something works in the sandbox"));
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
    Result<void> result;
    if (m_lease.desired != DesiredState::Paused) {
        Lease next = m_lease;
        next.desired = DesiredState::Paused;
        result = co_await transition(next, std::nullopt, QStringLiteral("pause"), source, {});
    }
    if (result) {
        const std::function<Async<void>()> call = [provider, id = m_instance->externalId, stop] {
            return provider->pause(id, stop);
        };
        result = co_await retried<void>(call, m_clock, stop);
        if (!result && result.error().kind == ErrorKind::NotFound && isElsewhere(*provider))
            result = failure(elsewhere());
    }
    ObservedState reached = ObservedState::Paused;
    if (!result && result.error().kind == ErrorKind::Conflict) {
        // Refused because it rests already is success.
        const Result<Instance> seen = co_await ask(provider, stop);
        if (seen && isAtRest(seen->state)) {
            reached = seen->state;
            result = Result<void>();
        }
    }
    if (result) {
        m_seenRunning.reset();
        m_controlled = true;
        if (!capabilities.has(domain::Capability::ProcessesSurvivePause))
            dropConnection();
        result = co_await setObserved(reached, QStringLiteral("paused"), source, {});
    } else if (result.error().kind == ErrorKind::NotFound) {
        const Result<void> marked = co_await markGone(source);
        Q_UNUSED(marked)
    } else {
        const Result<void> noted = co_await noteFailure(result.error(), source);
        Q_UNUSED(noted)
    }
    setBusy({});
    co_return result;
}

Async<void> LeaseController::destroy(QString source, std::stop_token stop)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    const Result<void> done = co_await destroyNow(source, stop);
    co_return done;
}

Async<void> LeaseController::destroyNow(QString source, std::stop_token stop)
{
    if (!m_instance || m_instance->status == InstanceStatus::Gone)
        co_return Result<void>();
    const Result<std::shared_ptr<domain::Provider>> found =
        m_providers.provider(m_lease.providerConfig);
    if (!found)
        co_return failure(found.error());
    const std::shared_ptr<domain::Provider> provider = *found;
    setBusy(QStringLiteral("destroying"));
    Result<void> result;
    if (m_lease.desired != DesiredState::Destroyed) {
        Lease wanted = m_lease;
        wanted.desired = DesiredState::Destroyed;
        result = co_await transition(wanted, std::nullopt, QStringLiteral("destroy"), source, {});
    }
    domain::ExternalId target = m_instance->externalId;
    if (result && m_instance->status == InstanceStatus::Creating) {
        const Result<std::optional<Instance>> seen = co_await findByToken(provider, stop);
        if (!seen)
            result = failure(seen.error());
        else if (*seen)
            target = (*seen)->externalId;
    }
    // "Already gone" counts as success, so it must come from the right place.
    if (result && hasLiveInstance() && !m_lease.engineId.isEmpty()
        && provider->engineId() != m_lease.engineId) {
        const Result<Instance> seen = co_await ask(provider, stop);
        if (!seen && seen.error().kind != ErrorKind::NotFound)
            result = failure(seen.error());
    }
    if (result && !target.isNull()) {
        const std::function<Async<void>()> call = [provider, target, stop] {
            return provider->destroy(target, stop);
        };
        result = co_await retried<void>(call, m_clock, stop);
        if (!result && result.error().kind == ErrorKind::NotFound)
            result = Result<void>();
    }
    if (result) {
        dropConnection();
        m_seenRunning.reset();
        domain::InstanceRecord gone = *m_instance;
        gone.status = InstanceStatus::Gone;
        Lease next = m_lease;
        next.observed = ObservedState::Gone;
        next.observedAt = m_clock->wall();
        next.destroyDueAt = {};
        next.lastError.clear();
        result = co_await transition(next, gone, QStringLiteral("destroyed"), source, {});
        if (result)
            Q_EMIT destroyed();
    } else {
        const Result<void> noted = co_await noteFailure(result.error(), source);
        Q_UNUSED(noted)
    }
    setBusy({});
    co_return result;
}

Async<void> LeaseController::destroyLater(QString source, std::chrono::seconds undo,
                                          std::stop_token stop)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    if (!m_instance || m_instance->status == InstanceStatus::Gone)
        co_return Result<void>();
    if (!hasLiveInstance() || !canPause()) {
        const Result<void> done = co_await destroyNow(source, stop);
        co_return done;
    }
    const std::shared_ptr<domain::Provider> provider =
        *m_providers.provider(m_lease.providerConfig);
    m_ranBefore = m_lease.observed == ObservedState::Running;
    setBusy(QStringLiteral("pausing"));
    // The records first: after a crash or a quit the next start finishes it.
    Lease next = m_lease;
    next.desired = DesiredState::Destroyed;
    next.destroyDueAt = m_clock->wall().addSecs(undo.count());
    Result<void> result =
        co_await transition(next, std::nullopt, QStringLiteral("destroy_later"), source, {});
    if (result && !isAtRest(m_lease.observed)) {
        const std::function<Async<void>()> call = [provider, id = m_instance->externalId, stop] {
            return provider->pause(id, stop);
        };
        const Result<void> paused = co_await retried<void>(call, m_clock, stop);
        if (paused) {
            m_seenRunning.reset();
            result =
                co_await setObserved(ObservedState::Paused, QStringLiteral("paused"), source, {});
        } else if (paused.error().kind == ErrorKind::NotFound && !isElsewhere(*provider)) {
            result = co_await markGone(source);
        } else {
            // It goes on until then: the user wanted it gone, not kept.
            domain::log(domain::LogLevel::Warning, "lease", paused.error().message);
        }
    }
    setBusy({});
    co_return result;
}

Async<bool> LeaseController::undoDestroy(QString source)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    if (!isDestroyPending())
        co_return failure(ErrorKind::Conflict, QStringLiteral("There is nothing to undo"),
                          QStringLiteral("It is destroyed already, or was never to be."));
    Lease next = m_lease;
    next.desired =
        m_lease.observed == ObservedState::Running ? DesiredState::Running : DesiredState::Paused;
    next.destroyDueAt = {};
    const Result<void> stored =
        co_await transition(next, std::nullopt, QStringLiteral("destroy_undone"), source, {});
    if (!stored)
        co_return failure(stored.error());
    const bool ran = m_ranBefore;
    co_return ran;
}

Async<void> LeaseController::destroyIfDue(QString source, std::stop_token stop)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    const bool isDue = m_lease.desired == DesiredState::Destroyed
        && (!m_lease.destroyDueAt.isValid() || m_lease.destroyDueAt <= m_clock->wall());
    if (!isDue)
        co_return Result<void>();
    const Result<void> done = co_await destroyNow(source, stop);
    co_return done;
}

} // namespace berth::application
