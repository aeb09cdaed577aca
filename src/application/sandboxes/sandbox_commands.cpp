// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of SandboxService that does what users ask of one runtime.
#include "application/sandboxes/sandbox_service.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::InstanceStatus;
using domain::ObservedState;
using domain::Result;

namespace {

constexpr std::chrono::seconds kLongestUndo{600};
constexpr int kMostEvents = 1000;

} // namespace

Result<LeaseController *> SandboxService::findLease(const QString &runtime) const
{
    QList<LeaseController *> matches;
    for (const auto &[id, controller] : m_controllers) {
        if (id == runtime || controller->lease().sandbox.toString() == runtime)
            return controller.get();
        const QString external =
            controller->instance() ? controller->instance()->externalId.toString() : QString();
        const QString qualified =
            controller->lease().providerConfig.toString() + QLatin1Char(':') + external;
        if (!external.isEmpty() && (external == runtime || qualified == runtime))
            return controller.get();
        if (controller->lease().alias == runtime || (runtime.size() >= 4 && id.startsWith(runtime)))
            matches << controller.get();
    }
    if (matches.size() == 1)
        return matches.first();
    if (matches.isEmpty())
        return failure(ErrorKind::NotFound,
                       QStringLiteral("There is no runtime \"%1\"").arg(runtime));
    QStringList ids;
    for (const LeaseController *match : matches)
        ids << match->lease().id.toString();
    return failure(ErrorKind::InvalidInput,
                   QStringLiteral("\"%1\" fits more than one runtime").arg(runtime),
                   ids.join(QStringLiteral(", ")));
}

const SandboxService::Orphan *SandboxService::findOrphan(const QString &runtime) const
{
    const auto found = m_orphans.find(runtime);
    return found == m_orphans.end() ? nullptr : &found->second;
}

Async<RuntimeView> SandboxService::actOnOrphan(QString runtime, OrphanCall call,
                                               ObservedState reached, std::stop_token stop)
{
    Orphan acted = *findOrphan(runtime);
    const Result<std::shared_ptr<domain::Provider>> provider = m_providers.provider(acted.config);
    if (!provider)
        co_return failure(provider.error());
    const std::shared_ptr<domain::Provider> asked = *provider;
    const Result<void> done = co_await ((*asked).*call)(acted.instance.externalId, stop);
    const bool isGone =
        reached == ObservedState::Gone || (!done && done.error().kind == ErrorKind::NotFound);
    if (isGone)
        removeOrphan(runtime);
    if (!done && !(isGone && reached == ObservedState::Gone))
        co_return failure(done.error());
    acted.instance.state = reached;
    const RuntimeView view = viewOf(acted);
    // A list may have dropped it meanwhile.
    if (!isGone && findOrphan(runtime)) {
        m_orphans[runtime] = acted;
        m_bus.publish(RuntimeChanged{view});
    }
    co_return view;
}

void SandboxService::removeOrphan(const QString &runtime)
{
    m_samples.remove(runtime);
    if (m_orphans.erase(runtime) > 0)
        m_bus.publish(RuntimeRemoved{runtime});
}

Async<RuntimeView> SandboxService::pause(QString runtime, QString source, std::stop_token stop)
{
    if (findOrphan(runtime)) {
        const Result<RuntimeView> view =
            co_await actOnOrphan(runtime, &domain::Provider::pause, ObservedState::Paused, stop);
        co_return view;
    }
    const Result<LeaseController *> controller = findLease(runtime);
    if (!controller)
        co_return failure(controller.error());
    LeaseController *found = *controller;
    const Result<void> done = co_await found->pause(source, stop);
    if (!done)
        co_return failure(done.error());
    co_return viewOf(*found);
}

Async<RuntimeView> SandboxService::resume(QString runtime, QString source, std::stop_token stop)
{
    if (findOrphan(runtime)) {
        const Result<RuntimeView> view =
            co_await actOnOrphan(runtime, &domain::Provider::resume, ObservedState::Running, stop);
        co_return view;
    }
    const Result<LeaseController *> controller = findLease(runtime);
    if (!controller)
        co_return failure(controller.error());
    LeaseController *found = *controller;
    if (found->isDestroyPending()) {
        const Result<bool> undone = co_await found->undoDestroy(source);
        if (!undone)
            co_return failure(undone.error());
    }
    // Resuming by hand is also the user's word to make a new one where the old is gone.
    const Result<ReadySandbox> ready = co_await found->ensure(source, OnGone::Recreate, {}, stop);
    if (!ready)
        co_return failure(ready.error());
    co_return viewOf(*found);
}

Async<RuntimeView> SandboxService::destroy(QString runtime, QString source,
                                           std::chrono::seconds undo, std::stop_token stop)
{
    if (findOrphan(runtime)) {
        const Result<RuntimeView> view =
            co_await actOnOrphan(runtime, &domain::Provider::destroy, ObservedState::Gone, stop);
        co_return view;
    }
    if (undo.count() < 0 || undo > kLongestUndo)
        co_return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("The time to undo is 0 to %1 seconds").arg(kLongestUndo.count()));
    const Result<LeaseController *> controller = findLease(runtime);
    if (!controller)
        co_return failure(controller.error());
    LeaseController *found = *controller;
    Result<void> done;
    if (undo.count() > 0)
        done = co_await found->destroyLater(source, undo, stop);
    else
        done = co_await found->destroy(source, stop);
    if (!done)
        co_return failure(done.error());
    if (found->isDestroyPending())
        m_scope.spawn(destroyWhenDue(found->lease().id, m_scope.token()));
    co_return viewOf(*found);
}

Async<RuntimeView> SandboxService::undoDestroy(QString runtime, QString source,
                                               std::stop_token stop)
{
    const Result<LeaseController *> controller = findLease(runtime);
    if (!controller)
        co_return failure(controller.error());
    LeaseController *found = *controller;
    const Result<bool> ranBefore = co_await found->undoDestroy(source);
    if (!ranBefore)
        co_return failure(ranBefore.error());
    if (*ranBefore) {
        const Result<ReadySandbox> ready = co_await found->ensure(source, OnGone::Tell, {}, stop);
        if (!ready)
            co_return failure(ready.error());
    }
    co_return viewOf(*found);
}

Async<LeaseEventList> SandboxService::events(QString runtime, int limit)
{
    if (findOrphan(runtime))
        co_return failure(ErrorKind::NotFound,
                          QStringLiteral("An orphan has no history with this Berth"));
    const Result<LeaseController *> controller = findLease(runtime);
    if (!controller)
        co_return failure(controller.error());
    const Result<QList<domain::LeaseEvent>> stored =
        co_await m_leases.events((*controller)->lease().id, qBound(1, limit, kMostEvents));
    if (!stored)
        co_return failure(stored.error());
    LeaseEventList list;
    for (const domain::LeaseEvent &event : *stored)
        list.events << LeaseEventView{event.at, event.type, event.source, event.error};
    co_return list;
}

Async<domain::ResourceSample> SandboxService::metrics(QString runtime, std::stop_token stop)
{
    domain::ConfigName config;
    domain::ExternalId external;
    LeaseController *found = nullptr;
    if (const Orphan *orphan = findOrphan(runtime)) {
        config = orphan->config;
        external = orphan->instance.externalId;
    } else {
        const Result<LeaseController *> controller = findLease(runtime);
        if (!controller)
            co_return failure(controller.error());
        found = *controller;
        if (!found->instance() || found->instance()->status != InstanceStatus::Live)
            co_return failure(ErrorKind::Conflict,
                              QStringLiteral("The sandbox has not started, so it uses nothing"));
        config = found->lease().providerConfig;
        external = found->instance()->externalId;
    }
    const Result<std::shared_ptr<domain::Provider>> provider = m_providers.provider(config);
    if (!provider)
        co_return failure(provider.error());
    const std::shared_ptr<domain::Provider> asked = *provider;
    const Result<domain::ResourceSample> sample = co_await asked->metrics(external, stop);
    if (!sample && found)
        found->observeFailure(sample.error());
    co_return sample;
}

} // namespace berth::application
