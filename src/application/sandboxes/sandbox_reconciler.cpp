// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of SandboxService that holds the records against what the providers list.
#include "application/sandboxes/sandbox_service.h"

#include "domain/log.h"

namespace berth::application {

using domain::Async;
using domain::ConfigName;
using domain::failure;
using domain::InstanceStatus;
using domain::Result;

namespace {

constexpr std::chrono::milliseconds kReconcileEvery{180'000};

} // namespace

async::Task<void> SandboxService::reconcileLoop(std::stop_token stop)
{
    for (;;) {
        const Result<QStringList> unreachable = co_await refresh(stop);
        if (stop.stop_requested())
            co_return;
        watchAll();
        for (const auto &[id, controller] : m_controllers)
            m_scope.spawn(finishDesired(domain::LeaseId(id), stop));
        const bool elapsed = co_await m_clock->sleepFor(kReconcileEvery, stop);
        if (!elapsed)
            co_return;
    }
}

//! Finishes what a crash or a quit left half done. Only towards rest: nothing is started without a
//! need.
async::Task<void> SandboxService::finishDesired(domain::LeaseId lease, std::stop_token stop)
{
    LeaseController *controller = controllerOf(lease);
    if (!controller || !controller->busy().isEmpty() || !controller->instance())
        co_return;
    if (controller->isCopyIntent()) {
        co_await settleCopy(lease, stop);
        co_return;
    }
    const QString source = QStringLiteral("reconciler");
    const domain::Lease &known = controller->lease();
    Result<void> done;
    if (known.desired == domain::DesiredState::Destroyed
        && controller->instance()->status != InstanceStatus::Gone)
        done = co_await controller->destroyIfDue(source, stop);
    else if (known.desired == domain::DesiredState::Paused
             && known.observed == domain::ObservedState::Running)
        done = co_await controller->pause(source, stop, PauseWhen::AtRest);
    if (!done)
        domain::log(domain::LogLevel::Info, "reconciler", done.error().message);
    const Result<void> flagged = co_await controller->flagDifference();
    if (!flagged)
        domain::log(domain::LogLevel::Warning, "reconciler", flagged.error().message);
}

//! So that a crash ends the recorded use where it was last known, not where it is found out.
Async<void> SandboxService::noteSeen(QList<domain::LeaseId> leases)
{
    if (leases.isEmpty())
        co_return Result<void>();
    const Result<void> noted = co_await m_leases.noteSeen(leases, m_clock->wall());
    co_return noted;
}

Async<QStringList> SandboxService::refresh(std::stop_token stop)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_refreshing.enter();
    QStringList unreachable;
    const QList<ConfigName> configs = m_providers.configs();
    for (const ConfigName &config : configs) {
        const Result<void> done = co_await refreshConfig(config, stop);
        if (!done)
            unreachable << config.toString();
    }
    co_return unreachable;
}

Async<void> SandboxService::refreshConfig(ConfigName config, std::stop_token stop)
{
    const Result<std::shared_ptr<domain::Provider>> found = m_providers.provider(config);
    if (!found)
        co_return failure(found.error());
    const std::shared_ptr<domain::Provider> provider = *found;
    // A list is old as soon as a lease moves on: what it says of such a lease is not believed.
    QHash<QString, qint64> versions;
    for (const auto &[id, controller] : m_controllers)
        versions.insert(id, controller->lease().version);
    const Result<QList<domain::Instance>> seen = co_await provider->list(stop);
    m_providers.noteReachable(config, seen ? std::nullopt : std::optional(seen.error()));
    if (!seen) {
        for (const auto &[id, controller] : m_controllers) {
            if (controller->lease().providerConfig == config && controller->instance()
                && controller->instance()->status == InstanceStatus::Live)
                controller->observeFailure(seen.error());
        }
        co_return failure(seen.error());
    }
    // A copy carries the token of its original: whoever has an id is known by that.
    QHash<QString, domain::Instance> byId;
    QHash<QString, domain::Instance> byToken;
    for (const domain::Instance &instance : *seen) {
        if (instance.labels.installation != m_installation)
            continue;
        byId.insert(instance.externalId.toString(), instance);
        byToken.insert(instance.labels.instance.toString(), instance);
    }
    QList<domain::LeaseId> alive;
    QStringList leases;
    for (const auto &[id, controller] : m_controllers)
        leases << id;
    for (const QString &id : leases) {
        LeaseController *controller = controllerOf(domain::LeaseId(id));
        if (!controller || controller->lease().providerConfig != config || !controller->instance()
            || controller->lease().version != versions.value(id, -1))
            continue;
        const QString external = controller->instance()->externalId.toString();
        const QHash<QString, domain::Instance> &known = external.isEmpty() ? byToken : byId;
        const auto match =
            known.constFind(external.isEmpty() ? controller->instance()->id.toString() : external);
        Result<void> done;
        if (match != known.constEnd()) {
            alive << domain::LeaseId(id);
            done = co_await controller->observe(*match);
        } else {
            done = co_await controller->confirmMissing(stop);
        }
        if (!done)
            domain::log(domain::LogLevel::Warning, "reconciler", done.error().message);
    }
    const Result<void> noted = co_await noteSeen(alive);
    if (!noted)
        domain::log(domain::LogLevel::Warning, "reconciler", noted.error().message);
    setOrphans(config, *seen, versions);
    co_return Result<void>();
}

void SandboxService::setOrphans(const ConfigName &config, const QList<domain::Instance> &seen,
                                const QHash<QString, qint64> &versions)
{
    QSet<QString> current;
    for (const domain::Instance &instance : seen) {
        if (instance.labels.installation != m_installation)
            continue;
        const LeaseController *owner = controllerOf(config, instance.externalId);
        const LeaseController *controller = owner ? owner : controllerOf(instance.labels.lease);
        const bool isOfLease = controller && controller->instance()
            && controller->instance()->externalId.isNull()
            && controller->instance()->id == instance.labels.instance;
        const bool known = controller && controller->instance() && (owner || isOfLease)
            && controller->instance()->status != InstanceStatus::Gone;
        // An instance of a lease that is just being made or destroyed is not an orphan yet.
        if (known
            || (controller
                && (!controller->busy().isEmpty()
                    || controller->lease().version
                        != versions.value(instance.labels.lease.toString(), -1))))
            continue;
        // Nor is the fresh copy of a copying that is under way.
        const auto isAwaited = [&config, &instance](const auto &entry) {
            return entry.second->lease().providerConfig == config
                && entry.second->mayBeItsCopy(instance);
        };
        if (!owner && std::any_of(m_controllers.begin(), m_controllers.end(), isAwaited))
            continue;
        const Orphan orphan{config, instance};
        const RuntimeView view = viewOf(orphan);
        current.insert(view.id);
        m_orphans[view.id] = orphan;
        m_bus.publish(RuntimeChanged{view});
    }
    QStringList vanished;
    for (const auto &[id, orphan] : m_orphans) {
        if (orphan.config == config && !current.contains(id))
            vanished << id;
    }
    for (const QString &id : std::as_const(vanished))
        removeOrphan(id);
}

async::Task<void> SandboxService::syncRowInBackground(domain::SandboxId sandbox)
{
    const Result<void> done = co_await syncRow(sandbox);
    if (!done)
        domain::log(domain::LogLevel::Warning, "sandbox", done.error().message);
}

//! sandboxes.status, external_id and last_seen_at follow the lease.
Async<void> SandboxService::syncRow(domain::SandboxId sandbox)
{
    const auto row = m_sandboxes.find(sandbox.toString());
    const LeaseController *controller = controllerOf(sandbox);
    if (row == m_sandboxes.end() || !controller || !controller->instance()
        || controller->instance()->status != InstanceStatus::Live
        || controller->lease().observed != domain::ObservedState::Running
        || row->second.status == domain::SandboxStatus::Deleted)
        co_return Result<void>();
    const QString external = controller->instance()->externalId.toString();
    if (row->second.status == domain::SandboxStatus::Provisioned
        && row->second.externalId == external)
        co_return Result<void>();
    domain::Sandbox next = row->second;
    next.status = domain::SandboxStatus::Provisioned;
    next.externalId = external;
    next.lastSeenAt = m_clock->wall();
    next.updatedAt = next.lastSeenAt;
    row->second = next;
    const Result<void> stored = co_await m_berth.updateSandbox(next);
    co_return stored;
}

} // namespace berth::application
