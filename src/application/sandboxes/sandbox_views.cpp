// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of SandboxService that shows what it knows.
#include "application/sandboxes/sandbox_service.h"

#include "application/agents/row_config.h"

namespace berth::application {

using domain::InstanceStatus;
using domain::ObservedState;
using domain::Sandbox;

RuntimeView SandboxService::viewOf(const LeaseController &controller) const
{
    const domain::Lease &lease = controller.lease();
    RuntimeView view;
    view.id = lease.id.toString();
    view.lease = lease.id;
    view.sandbox = lease.sandbox;
    view.agent = lease.agent;
    view.alias = lease.alias;
    view.providerKind = lease.providerName;
    view.providerConfig = lease.providerConfig;
    if (controller.instance()) {
        view.externalId = controller.instance()->externalId.toString();
        if (!controller.isCopyIntent())
            view.name = controller.instance()->name;
        view.image = controller.instance()->image;
        view.createdAt = controller.instance()->createdAt;
    }
    view.desired = lease.desired;
    view.observed = lease.observed;
    view.observedAt = lease.observedAt;
    view.unreachable = controller.isUnreachable();
    view.lastError = lease.lastError;
    view.threads = m_threads.value(lease.sandbox);
    view.startedAt = controller.startedAt();
    view.stateSince = controller.stateSince();
    view.busy = controller.busy();
    view.sample =
        m_samples.contains(view.id) ? std::optional(m_samples.value(view.id)) : std::nullopt;
    const std::shared_ptr<const domain::ProviderKind> kind = m_providers.kind(lease.providerName);
    if (kind) {
        view.providerLabel = kind->schema().facts.label;
        view.cost = kind->schema().facts.cost;
    }
    const bool exists =
        controller.instance() && controller.instance()->status == InstanceStatus::Live;
    view.canPause = exists && lease.observed == ObservedState::Running && view.busy.isEmpty();
    if (!view.canPause)
        view.pauseReason =
            exists ? QStringLiteral("It is not running") : QStringLiteral("It has not started yet");
    view.canResume = exists && view.busy.isEmpty() && lease.observed != ObservedState::Running;
    if (!view.canResume)
        view.resumeReason = QStringLiteral("It is running");
    view.forkReason = reasonAgainstFork(controller);
    view.canFork = view.forkReason.isEmpty();
    view.destroyDueAt = controller.isDestroyPending() ? lease.destroyDueAt : QDateTime();
    const LifecycleFacts facts = m_lifecycles.value(lease.sandbox);
    view.idleStopAt = facts.idleStopAt;
    view.sessions = facts.sessions;
    view.inFlight = controller.inFlight();
    const QString where = view.name.isEmpty() ? view.alias : view.name;
    // A directory of the user's own is never removed.
    const std::optional<Sandbox> row = sandbox(lease.sandbox);
    QString directory = row ? row->workspace : QString();
    if (directory.isEmpty())
        directory =
            m_providers.effective(lease.providerConfig).value(QStringLiteral("workspace_dir"));
    view.destroyLoses =
        (directory.isEmpty()
             ? QStringLiteral(
                 "%1 (%2) with its volume: everything in the sandbox, its workspace included, is "
                 "removed for good. Its threads stay readable.")
             : QStringLiteral("%1 (%2): everything in the sandbox is removed for good, except its "
                              "workspace: the directory %3 stays as it is. Its threads stay "
                              "readable."))
            .arg(where, lease.providerConfig.toString());
    if (!directory.isEmpty())
        view.destroyLoses = view.destroyLoses.arg(directory);
    return view;
}

RuntimeView SandboxService::viewOf(const Orphan &orphan) const
{
    RuntimeView view;
    const domain::Instance &instance = orphan.instance;
    view.id = orphan.config.toString() + QLatin1Char(':') + instance.externalId.toString();
    view.orphan = true;
    view.sandbox = instance.labels.sandbox;
    view.agent = instance.labels.agent;
    view.alias = instance.labels.alias;
    view.providerConfig = orphan.config;
    const std::optional<ProviderView> provider = m_providers.view(orphan.config);
    if (provider) {
        view.providerKind = provider->kind;
        view.providerLabel = provider->label;
        view.cost = provider->cost;
    }
    view.externalId = instance.externalId.toString();
    view.name = instance.name;
    view.image = instance.image;
    view.observed = instance.state;
    view.observedAt = m_clock->wall();
    view.createdAt = instance.createdAt;
    view.startedAt = instance.startedAt;
    view.canPause = instance.state == ObservedState::Running;
    view.canResume = !view.canPause;
    view.forkReason = QStringLiteral("No agent of this Berth has it");
    view.destroyLoses =
        QStringLiteral("%1 with its volume. No thread of this Berth uses it.").arg(instance.name);
    return view;
}

SandboxView SandboxService::viewOf(const Sandbox &sandbox) const
{
    SandboxView view;
    view.id = sandbox.id;
    view.agent = sandbox.agent;
    view.alias = sandbox.alias;
    view.type = sandbox.type;
    view.providerConfig = sandbox.providerConfig;
    view.label = m_providers.label(sandbox.providerConfig, sandbox.config);
    view.status = domain::wireName(sandbox.status);
    if (const LeaseController *controller = controllerOf(sandbox.id)) {
        view.lease = controller->lease().id;
        view.observed = domain::wireName(controller->lease().observed);
        if (controller->isOnAnotherEngine())
            view.notice = QStringLiteral("on another engine");
    }
    view.threads = static_cast<int>(m_threads.value(sandbox.id).size());
    view.lastSeenAt = sandbox.lastSeenAt;
    if (const std::shared_ptr<const domain::ProviderKind> kind = m_providers.kind(sandbox.type))
        view.config = rowConfigText(sandbox.config, kind->schema());
    return view;
}

QList<SandboxView> SandboxService::sandboxViews() const
{
    QList<SandboxView> list;
    for (const auto &[id, row] : m_sandboxes) {
        if (row.status != domain::SandboxStatus::Deleted)
            list << viewOf(row);
    }
    return list;
}

QList<RuntimeView> SandboxService::runtimeViews() const
{
    QList<RuntimeView> list;
    for (const auto &[id, controller] : m_controllers) {
        // A lease whose instance was destroyed by us shows nothing until it has one again.
        if (controller->mayExist())
            list << viewOf(*controller);
    }
    for (const auto &[id, orphan] : m_orphans)
        list << viewOf(orphan);
    return list;
}

void SandboxService::publish(const LeaseController &controller)
{
    const RuntimeView view = viewOf(controller);
    if (!controller.mayExist()) {
        m_samples.remove(view.id);
        m_bus.publish(RuntimeRemoved{view.id});
    } else {
        m_bus.publish(RuntimeChanged{view});
    }
    const auto row = m_sandboxes.find(controller.lease().sandbox.toString());
    if (row != m_sandboxes.end())
        m_bus.publish(SandboxChanged{viewOf(row->second)});
}

} // namespace berth::application
