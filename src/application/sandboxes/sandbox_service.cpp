// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/sandboxes/sandbox_service.h"

#include "async/sleep.h"
#include "domain/log.h"
#include "domain/text.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::InstanceStatus;
using domain::ObservedState;
using domain::Result;
using domain::Sandbox;
using domain::SandboxId;

SandboxService::SandboxService(domain::BerthStore &berth, domain::LeaseStore &leases,
                               ProviderService &providers, domain::InstallationId installation,
                               EventBus &bus)
    : m_berth(berth),
      m_leases(leases),
      m_providers(providers),
      m_installation(std::move(installation)),
      m_bus(bus)
{}

SandboxService::~SandboxService() = default;

Async<void> SandboxService::start()
{
    const Result<QList<Sandbox>> rows = co_await m_berth.sandboxes(true);
    if (!rows)
        co_return failure(rows.error());
    for (const Sandbox &row : *rows)
        m_sandboxes[row.id.toString()] = row;
    const Result<QList<domain::LeaseWithInstance>> leases = co_await m_leases.leases();
    if (!leases)
        co_return failure(leases.error());
    for (const domain::LeaseWithInstance &known : *leases) {
        const auto row = m_sandboxes.find(known.lease.sandbox.toString());
        if (row == m_sandboxes.end()) {
            domain::log(
                domain::LogLevel::Warning, "sandbox",
                QStringLiteral("lease %1 belongs to no sandbox").arg(known.lease.id.toString()));
            continue;
        }
        addController(known, row->second);
    }
    m_scope.spawn(reconcileLoop(m_scope.token()));
    co_return Result<void>();
}

void SandboxService::stop()
{
    m_scope.requestStop();
}

Async<void> SandboxService::drained()
{
    co_await m_scope.drained();
    co_return Result<void>();
}

LeaseController *SandboxService::addController(domain::LeaseWithInstance known, Sandbox sandbox)
{
    const QString key = known.lease.id.toString();
    auto controller = std::make_unique<LeaseController>(std::move(known), std::move(sandbox),
                                                        m_leases, m_providers);
    LeaseController *raw = controller.get();
    m_controllers[key] = std::move(controller);
    connect(raw, &LeaseController::changed, this, [this, raw] {
        publish(*raw);
        m_scope.spawn(syncRowInBackground(raw->lease().sandbox));
        Q_EMIT leaseChanged(raw->lease().sandbox);
    });
    connect(raw, &LeaseController::instanceMade, this,
            [this, raw](bool fresh) { Q_EMIT instanceMade(raw->lease().sandbox, fresh); });
    return raw;
}

std::optional<Sandbox> SandboxService::sandbox(const SandboxId &id) const
{
    const auto found = m_sandboxes.find(id.toString());
    return found == m_sandboxes.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Sandbox> SandboxService::findSandbox(const domain::AgentId &agent,
                                                   const QString &text) const
{
    for (const auto &[id, row] : m_sandboxes) {
        if (row.status != domain::SandboxStatus::Deleted
            && (id == text || (row.agent == agent && row.alias == text)))
            return row;
    }
    return std::nullopt;
}

LeaseController *SandboxService::controllerOf(const SandboxId &sandbox) const
{
    for (const auto &[id, controller] : m_controllers) {
        if (controller->lease().sandbox == sandbox)
            return controller.get();
    }
    return nullptr;
}

LeaseController *SandboxService::controllerOf(const domain::LeaseId &lease) const
{
    const auto found = m_controllers.find(lease.toString());
    return found == m_controllers.end() ? nullptr : found->second.get();
}

void SandboxService::addSandbox(Sandbox sandbox)
{
    m_sandboxes[sandbox.id.toString()] = sandbox;
    m_bus.publish(SandboxChanged{viewOf(sandbox)});
}

Async<LeaseController *> SandboxService::leaseFor(SandboxId sandbox)
{
    // One at a time, so that two first messages at once get one lease.
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_makingLease.enter();
    if (LeaseController *known = controllerOf(sandbox))
        co_return known;
    const auto row = m_sandboxes.find(sandbox.toString());
    if (row == m_sandboxes.end() || row->second.status == domain::SandboxStatus::Deleted)
        co_return failure(ErrorKind::NotFound,
                          QStringLiteral("The sandbox does not exist any more"));
    domain::LeaseWithInstance made;
    domain::Lease &lease = made.lease;
    lease.id = domain::LeaseId::create();
    lease.sandbox = sandbox;
    lease.agent = row->second.agent;
    lease.alias = row->second.alias;
    lease.installation = m_installation;
    lease.providerName = row->second.type;
    lease.providerConfig = row->second.providerConfig;
    lease.onExit = domain::onExitFromWire(
                       m_providers.effective(lease.providerConfig).value(QStringLiteral("on_exit")))
                       .value_or(domain::OnExit::Pause);
    lease.createdAt = domain::nowUtc();
    lease.updatedAt = lease.createdAt;
    // A provisioned row without a lease may have an instance: its label is looked for before
    // anything is made.
    if (row->second.status == domain::SandboxStatus::Provisioned) {
        const Result<std::shared_ptr<domain::Provider>> provider =
            m_providers.provider(lease.providerConfig);
        if (!provider)
            co_return failure(provider.error());
        const std::shared_ptr<domain::Provider> asked = *provider;
        const Result<QList<domain::Instance>> seen = co_await asked->list(m_scope.token());
        if (!seen)
            co_return failure(seen.error());
        for (const domain::Instance &instance : *seen) {
            if (instance.labels.installation != m_installation
                || instance.labels.sandbox != sandbox)
                continue;
            lease.id = instance.labels.lease;
            lease.observed = instance.state;
            made.instance = domain::InstanceRecord{instance.labels.instance, lease.id,
                                                   instance.externalId,      instance.name,
                                                   instance.image,           InstanceStatus::Live,
                                                   instance.createdAt,       domain::nowUtc()};
        }
    }
    domain::LeaseEvent event;
    event.lease = lease.id;
    event.type = QStringLiteral("lease");
    event.source = QStringLiteral("engine");
    event.at = lease.createdAt;
    const Result<domain::Lease> stored = co_await m_leases.addLease(lease, event);
    if (!stored)
        co_return failure(stored.error());
    made.lease = *stored;
    if (made.instance) {
        event.type = QStringLiteral("adopted");
        const Result<domain::Lease> adopted =
            co_await m_leases.transition(made.lease, made.instance, event);
        if (!adopted)
            co_return failure(adopted.error());
        made.lease = *adopted;
    }
    co_return addController(made, m_sandboxes[sandbox.toString()]);
}

void SandboxService::setThreads(const SandboxId &sandbox, QList<ThreadLink> threads)
{
    if (m_threads.value(sandbox) == threads)
        return;
    m_threads[sandbox] = std::move(threads);
    if (const LeaseController *controller = controllerOf(sandbox))
        publish(*controller);
}

void SandboxService::setSample(const QString &runtime, domain::ResourceSample sample)
{
    m_samples[runtime] = std::move(sample);
}

// ---- Views
// -----------------------------------------------------------------------------------------------------

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
    const QString where = view.name.isEmpty() ? view.alias : view.name;
    view.destroyLoses =
        QStringLiteral(
            "%1 (%2) with its volume: everything in the sandbox, its workspace included, is "
            "removed for good. Its threads stay readable.")
            .arg(where, lease.providerConfig.toString());
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
    view.observedAt = domain::nowUtc();
    view.createdAt = instance.createdAt;
    view.startedAt = instance.startedAt;
    view.canPause = instance.state == ObservedState::Running;
    view.canResume = !view.canPause;
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
    }
    view.threads = static_cast<int>(m_threads.value(sandbox.id).size());
    view.lastSeenAt = sandbox.lastSeenAt;
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
        if (controller->instance() && controller->instance()->status != InstanceStatus::Gone)
            list << viewOf(*controller);
    }
    for (const auto &[id, orphan] : m_orphans)
        list << viewOf(orphan);
    return list;
}

void SandboxService::publish(const LeaseController &controller)
{
    const RuntimeView view = viewOf(controller);
    if (!controller.instance() || controller.instance()->status == InstanceStatus::Gone) {
        m_samples.remove(view.id);
        m_bus.publish(RuntimeRemoved{view.id});
    } else {
        m_bus.publish(RuntimeChanged{view});
    }
    const auto row = m_sandboxes.find(controller.lease().sandbox.toString());
    if (row != m_sandboxes.end())
        m_bus.publish(SandboxChanged{viewOf(row->second)});
}

// ---- Commands
// --------------------------------------------------------------------------------------------------

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

Async<RuntimeView> SandboxService::pause(QString runtime, QString source, std::stop_token stop)
{
    if (const Orphan *orphan = findOrphan(runtime)) {
        Orphan acted = *orphan;
        const Result<std::shared_ptr<domain::Provider>> provider =
            m_providers.provider(acted.config);
        if (!provider)
            co_return failure(provider.error());
        const std::shared_ptr<domain::Provider> asked = *provider;
        const Result<void> done = co_await asked->pause(acted.instance.externalId, stop);
        if (!done)
            co_return failure(done.error());
        acted.instance.state = ObservedState::Paused;
        m_orphans[runtime] = acted;
        m_bus.publish(RuntimeChanged{viewOf(acted)});
        co_return viewOf(acted);
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
    if (const Orphan *orphan = findOrphan(runtime)) {
        Orphan acted = *orphan;
        const Result<std::shared_ptr<domain::Provider>> provider =
            m_providers.provider(acted.config);
        if (!provider)
            co_return failure(provider.error());
        const std::shared_ptr<domain::Provider> asked = *provider;
        const Result<void> done = co_await asked->resume(acted.instance.externalId, stop);
        if (!done)
            co_return failure(done.error());
        acted.instance.state = ObservedState::Running;
        m_orphans[runtime] = acted;
        m_bus.publish(RuntimeChanged{viewOf(acted)});
        co_return viewOf(acted);
    }
    const Result<LeaseController *> controller = findLease(runtime);
    if (!controller)
        co_return failure(controller.error());
    LeaseController *found = *controller;
    // Resuming by hand is also the user's word to make a new one where the old is gone.
    const Result<ReadySandbox> ready = co_await found->ensure(source, OnGone::Recreate, {}, stop);
    if (!ready)
        co_return failure(ready.error());
    co_return viewOf(*found);
}

Async<RuntimeView> SandboxService::destroy(QString runtime, QString source, std::stop_token stop)
{
    if (const Orphan *orphan = findOrphan(runtime)) {
        const Orphan acted = *orphan;
        const Result<std::shared_ptr<domain::Provider>> provider =
            m_providers.provider(acted.config);
        if (!provider)
            co_return failure(provider.error());
        const std::shared_ptr<domain::Provider> asked = *provider;
        const Result<void> done = co_await asked->destroy(acted.instance.externalId, stop);
        if (!done)
            co_return failure(done.error());
        m_orphans.erase(runtime);
        m_bus.publish(RuntimeRemoved{runtime});
        RuntimeView view = viewOf(acted);
        view.observed = ObservedState::Gone;
        co_return view;
    }
    const Result<LeaseController *> controller = findLease(runtime);
    if (!controller)
        co_return failure(controller.error());
    LeaseController *found = *controller;
    const Result<void> done = co_await found->destroy(source, stop);
    if (!done)
        co_return failure(done.error());
    co_return viewOf(*found);
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

Async<void> SandboxService::applyOnExit(std::chrono::milliseconds bound,
                                        std::function<void(QString)> tell)
{
    QList<LeaseController *> acting;
    for (const auto &[id, controller] : m_controllers) {
        if (controller->isControlled() && controller->lease().observed == ObservedState::Running)
            acting << controller.get();
    }
    if (acting.isEmpty())
        co_return Result<void>();
    tell(acting.size() == 1 ? QStringLiteral("Putting 1 sandbox to rest")
                            : QStringLiteral("Putting %1 sandboxes to rest").arg(acting.size()));
    struct Work
    {
        static async::Task<void> one(LeaseController *controller, std::stop_token stop)
        {
            const QString source = QStringLiteral("on_exit");
            Result<void> done;
            if (controller->lease().onExit == domain::OnExit::Destroy)
                done = co_await controller->destroy(source, stop);
            else
                done = co_await controller->pause(source, stop);
            if (!done)
                domain::log(domain::LogLevel::Warning, "sandbox", done.error().message);
        }
        static async::Task<void> limit(std::chrono::milliseconds bound, async::Scope *scope,
                                       std::stop_token stop)
        {
            const bool elapsed = co_await async::sleepFor(bound, stop);
            if (elapsed)
                scope->requestStop();
        }
    };
    async::Scope scope;
    std::stop_source limitStop;
    for (LeaseController *controller : acting)
        scope.spawn(Work::one(controller, scope.token()));
    Work::limit(bound, &scope, limitStop.get_token());
    co_await scope.drained();
    limitStop.request_stop();
    co_return Result<void>();
}

} // namespace berth::application
