// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/sandboxes/sandbox_service.h"

#include "domain/log.h"

#include <QtCore/QTimer>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::InstanceStatus;
using domain::ObservedState;
using domain::Result;
using domain::Sandbox;
using domain::SandboxId;

namespace {

constexpr std::chrono::milliseconds kPublishSoon{100};

} // namespace

SandboxService::SandboxService(domain::BerthStore &berth, domain::LeaseStore &leases,
                               ProviderService &providers, domain::InstallationId installation,
                               EventBus &bus, std::shared_ptr<Clock> clock)
    : m_berth(berth),
      m_leases(leases),
      m_providers(providers),
      m_installation(std::move(installation)),
      m_bus(bus),
      m_clock(std::move(clock))
{
    connect(&m_providers, &ProviderService::configChanged, this,
            [this](const domain::ConfigName &config) {
                const auto watched = m_watches.find(config.toString());
                if (watched != m_watches.end()) {
                    watched->second.request_stop();
                    m_watches.erase(watched);
                }
                watchAll();
            });
}

SandboxService::~SandboxService() = default;

Async<void> SandboxService::start()
{
    const Result<QList<Sandbox>> rows = co_await m_berth.sandboxes(true);
    if (!rows)
        co_return failure(rows.error());
    for (const Sandbox &row : *rows)
        m_sandboxes[row.id.toString()] = row;
    const Result<void> ended = co_await m_leases.endUnwatchedUsage();
    if (!ended)
        co_return failure(ended.error());
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
        m_scope.spawn(destroyWhenDue(known.lease.id, m_scope.token()));
    }
    m_scope.spawn(reconcileLoop(m_scope.token()));
    watchAll();
    co_return Result<void>();
}

void SandboxService::stop()
{
    for (auto &[config, watch] : m_watches)
        watch.request_stop();
    for (const auto &entry : m_controllers)
        entry.second->stop();
    m_scope.requestStop();
}

Async<void> SandboxService::drained()
{
    co_await m_scope.drained();
    for (const auto &entry : m_controllers)
        co_await entry.second->drained();
    // What the last of these changed is stored, too.
    co_await m_scope.drained();
    co_return Result<void>();
}

LeaseController *SandboxService::addController(domain::LeaseWithInstance known, Sandbox sandbox)
{
    const QString key = known.lease.id.toString();
    auto controller = std::make_unique<LeaseController>(std::move(known), std::move(sandbox),
                                                        m_leases, m_providers, m_clock);
    LeaseController *raw = controller.get();
    m_controllers[key] = std::move(controller);
    raw->setPreparation(m_preparation);
    connect(raw, &LeaseController::changed, this, [this, raw] {
        publish(*raw);
        m_scope.spawn(syncRowInBackground(raw->lease().sandbox));
        Q_EMIT leaseChanged(raw->lease().sandbox);
    });
    connect(raw, &LeaseController::connected, this,
            [this, raw] { Q_EMIT connectionOpened(raw->lease().sandbox); });
    connect(raw, &LeaseController::instanceMade, this,
            [this, raw](bool fresh) { Q_EMIT instanceMade(raw->lease().sandbox, fresh); });
    connect(raw, &LeaseController::workChanged, this, [this, raw] {
        publishSoon(raw->lease().id);
        Q_EMIT workChanged(raw->lease().sandbox);
    });
    connect(raw, &LeaseController::touched, this,
            [this, raw] { Q_EMIT touched(raw->lease().sandbox); });
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
    const auto row = m_sandboxes.find(sandbox.toString());
    if (row == m_sandboxes.end() || row->second.status == domain::SandboxStatus::Deleted)
        co_return failure(ErrorKind::NotFound,
                          QStringLiteral("The sandbox does not exist any more"),
                          QStringLiteral("It was deleted. Restore it, or continue in a new "
                                         "thread."));
    if (LeaseController *known = controllerOf(sandbox))
        co_return known;
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
    lease.createdAt = m_clock->wall();
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
            made.instance = domain::InstanceRecord{instance.labels.instance,
                                                   lease.id,
                                                   instance.externalId,
                                                   instance.name,
                                                   instance.image,
                                                   InstanceStatus::Live,
                                                   true,
                                                   instance.createdAt,
                                                   m_clock->wall()};
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

//! Counters that move with each command: behind it, and not one by one.
void SandboxService::publishSoon(const domain::LeaseId &lease)
{
    if (m_toPublish.contains(lease))
        return;
    m_toPublish.insert(lease);
    QTimer::singleShot(kPublishSoon, this, [this, lease] {
        m_toPublish.remove(lease);
        if (const LeaseController *controller = controllerOf(lease))
            publish(*controller);
    });
}

QList<domain::ThreadId> SandboxService::threadsOf(const SandboxId &sandbox) const
{
    QList<domain::ThreadId> ids;
    const QList<ThreadLink> links = m_threads.value(sandbox);
    for (const ThreadLink &link : links)
        ids << link.id;
    return ids;
}

void SandboxService::setLifecycle(const SandboxId &sandbox, const LifecycleFacts &facts)
{
    if (m_lifecycles.value(sandbox) == facts)
        return;
    m_lifecycles[sandbox] = facts;
    if (const LeaseController *controller = controllerOf(sandbox))
        publish(*controller);
}

void SandboxService::setPreparation(SandboxPreparation preparation)
{
    m_preparation = std::move(preparation);
    for (const auto &entry : m_controllers)
        entry.second->setPreparation(m_preparation);
}

Async<void> SandboxService::setRuntimeState(SandboxId sandbox, QString state)
{
    const auto row = m_sandboxes.find(sandbox.toString());
    if (row == m_sandboxes.end())
        co_return failure(ErrorKind::NotFound,
                          QStringLiteral("There is no sandbox \"%1\"").arg(sandbox.toString()));
    // Here first, so that whoever stores the row meanwhile stores this, too.
    row->second.runtimeState = state;
    if (LeaseController *controller = controllerOf(sandbox))
        controller->setSandbox(row->second);
    const Sandbox next = row->second;
    const Result<void> stored = co_await m_berth.updateSandbox(next);
    co_return stored;
}

Async<void> SandboxService::setConfig(SandboxId sandbox, QMap<QString, QString> config)
{
    const auto row = m_sandboxes.find(sandbox.toString());
    if (row == m_sandboxes.end())
        co_return failure(ErrorKind::NotFound,
                          QStringLiteral("There is no sandbox \"%1\"").arg(sandbox.toString()));
    Sandbox next = row->second;
    next.config = std::move(config);
    next.updatedAt = m_clock->wall();
    const Result<void> stored = co_await m_berth.updateSandbox(next);
    if (!stored)
        co_return failure(stored.error());
    // Only what was asked for: the rest of the row may have moved on meanwhile.
    Sandbox &known = m_sandboxes[sandbox.toString()];
    known.config = next.config;
    known.updatedAt = next.updatedAt;
    if (LeaseController *controller = controllerOf(sandbox))
        controller->setSandbox(known);
    m_bus.publish(SandboxChanged{viewOf(known)});
    co_return Result<void>();
}

} // namespace berth::application
