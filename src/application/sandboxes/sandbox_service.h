// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/lifecycle_contract.h"
#include "application/sandboxes/lease_controller.h"
#include "domain/thread/stores.h"

#include <QtCore/QSet>

#include <map>

namespace berth::application {

//! What the lifecycle policies know of one sandbox, for its card.
struct LifecycleFacts
{
    //! When a policy will pause it; invalid: not counting.
    QDateTime idleStopAt;
    int sessions = 0;
    bool operator==(const LifecycleFacts &) const = default;
};

//! How the work of applyOnExit() stands.
using ExitSink = std::function<void(const QString &text, int done, int total)>;

//! All sandboxes and leases of this installation, and what the providers list of it.
class SandboxService final : public QObject
{
    Q_OBJECT
public:
    SandboxService(domain::BerthStore &berth, domain::LeaseStore &leases,
                   ProviderService &providers, domain::InstallationId installation, EventBus &bus,
                   std::shared_ptr<Clock> clock = std::make_shared<SystemClock>());
    ~SandboxService() override;

    //! Reads the records; then the reconciler runs at once, every few minutes, and when a provider
    //! tells of a change.
    domain::Async<void> start();
    void stop();
    domain::Async<void> drained();

    [[nodiscard]] QList<SandboxView> sandboxViews() const;
    [[nodiscard]] QList<RuntimeView> runtimeViews() const;
    [[nodiscard]] std::optional<domain::Sandbox> sandbox(const domain::SandboxId &id) const;
    //! By sandbox id, or alias of the agent.
    [[nodiscard]] std::optional<domain::Sandbox> findSandbox(const domain::AgentId &agent,
                                                             const QString &text) const;
    [[nodiscard]] LeaseController *controllerOf(const domain::SandboxId &sandbox) const;
    [[nodiscard]] LeaseController *controllerOf(const domain::LeaseId &lease) const;

    //! A row that was just stored with a thread.
    void addSandbox(domain::Sandbox sandbox);
    //! The lease of a sandbox, made when there is none yet.
    domain::Async<LeaseController *> leaseFor(domain::SandboxId sandbox);
    //! Threads for the cards; given by the thread service.
    void setThreads(const domain::SandboxId &sandbox, QList<ThreadLink> threads);
    void setSample(const QString &runtime, domain::ResourceSample sample);
    [[nodiscard]] QList<domain::ThreadId> threadsOf(const domain::SandboxId &sandbox) const;
    [[nodiscard]] LifecycleFacts lifecycleOf(const domain::SandboxId &sandbox) const
    {
        return m_lifecycles.value(sandbox);
    }
    void setLifecycle(const domain::SandboxId &sandbox, const LifecycleFacts &facts);
    //! Of one agent, or of all; with \a deleted also those that were taken away.
    [[nodiscard]] QList<SandboxView> rows(const domain::AgentId &agent, bool deleted) const;
    //! A row without a thread; nothing is made at the provider.
    domain::Async<SandboxView> addRow(domain::Sandbox row);
    //! The row can be restored. Its runtime is stopped and kept on this machine, left alone in a
    //! cloud, and destroyed with \a destroy. Conflict while a command runs in it.
    domain::Async<SandboxView> removeRow(domain::SandboxId id, bool destroy, QString source,
                                         std::stop_token stop);
    //! Conflict while another live row has its alias.
    domain::Async<SandboxView> restoreRow(domain::SandboxId id);
    //! Destroys what a deleted row left.
    domain::Async<SandboxView> purgeRow(domain::SandboxId id, QString source, std::stop_token stop);
    //! For every lease, those to come included.
    void setPreparation(SandboxPreparation preparation);
    //! Of the row; JSON text.
    domain::Async<void> setRuntimeState(domain::SandboxId sandbox, QString state);
    //! Settings of the row itself; Conflict when it was deleted.
    domain::Async<void> setConfig(domain::SandboxId sandbox, QMap<QString, QString> config);

    //! \a runtime is a lease id, a unique start of one, an alias, or "<config>:<external id>" of an
    //! orphan.
    domain::Async<RuntimeView> pause(QString runtime, QString source, std::stop_token stop);
    domain::Async<RuntimeView> resume(QString runtime, QString source, std::stop_token stop);
    //! With \a undo more than 0 it is paused now and destroyed then.
    domain::Async<RuntimeView> destroy(QString runtime, QString source, std::chrono::seconds undo,
                                       std::stop_token stop);
    //! A further row of the same agent whose instance begins as a copy of this one. \a alias: empty
    //! makes one out of the original's. Unsupported where RuntimeView::canFork is false for good.
    domain::Async<SandboxView> fork(QString runtime, QString alias, QString source,
                                    std::stop_token stop);
    domain::Async<RuntimeView> undoDestroy(QString runtime, QString source, std::stop_token stop);
    //! Newest first; also of a lease that has no instance now.
    domain::Async<LeaseEventList> events(QString runtime, int limit);
    domain::Async<domain::ResourceSample> metrics(QString runtime, std::stop_token stop);
    //! Asks every provider; answers those that did not answer.
    domain::Async<QStringList> refresh(std::stop_token stop);
    //! on_exit of everything this Engine controls, at most \a bound; what is not done by then is
    //! wanted in the records, and finished by the next start.
    domain::Async<void> applyOnExit(std::chrono::milliseconds bound, ExitSink tell);

Q_SIGNALS:
    void leaseChanged(const berth::domain::SandboxId &sandbox);
    //! Shell and files are open from now on, for the first time or again.
    void connectionOpened(const berth::domain::SandboxId &sandbox);
    void instanceMade(const berth::domain::SandboxId &sandbox, bool fresh);
    void workChanged(const berth::domain::SandboxId &sandbox);
    void touched(const berth::domain::SandboxId &sandbox);

private:
    struct Orphan
    {
        domain::ConfigName config;
        domain::Instance instance;
    };

    LeaseController *addController(domain::LeaseWithInstance known, domain::Sandbox sandbox);
    [[nodiscard]] RuntimeView viewOf(const LeaseController &controller) const;
    [[nodiscard]] RuntimeView viewOf(const Orphan &orphan) const;
    [[nodiscard]] SandboxView viewOf(const domain::Sandbox &sandbox) const;
    domain::Result<LeaseController *> findLease(const QString &runtime) const;
    //! Why it cannot be copied now; empty: it can.
    [[nodiscard]] QString reasonAgainstFork(const LeaseController &controller) const;
    [[nodiscard]] QString freeAlias(const domain::AgentId &agent, const QString &original) const;
    [[nodiscard]] const Orphan *findOrphan(const QString &runtime) const;
    void publish(const LeaseController &controller);
    void publishSoon(const domain::LeaseId &lease);
    using OrphanCall = domain::Async<void> (domain::Provider::*)(domain::ExternalId,
                                                                 std::stop_token);
    domain::Async<RuntimeView> actOnOrphan(QString runtime, OrphanCall call,
                                           domain::ObservedState reached, std::stop_token stop);
    void removeOrphan(const QString &runtime);
    domain::Async<void> refreshConfig(domain::ConfigName config, std::stop_token stop);
    [[nodiscard]] bool keepsUntilPurge(const domain::Sandbox &row) const;
    domain::Async<void> syncRow(domain::SandboxId sandbox);
    async::Task<void> syncRowInBackground(domain::SandboxId sandbox);
    async::Task<void> reconcileLoop(std::stop_token stop);
    async::Task<void> finishDesired(domain::LeaseId lease, std::stop_token stop);
    async::Task<void> settleCopy(domain::LeaseId lease, std::stop_token stop);
    async::Task<void> destroyWhenDue(domain::LeaseId lease, std::stop_token stop);
    async::Task<void> restOne(LeaseController *controller, std::shared_ptr<int> done, int total,
                              ExitSink tell, std::stop_token stop);
    domain::Async<void> noteSeen(QList<domain::LeaseId> leases);
    void watchAll();
    async::Task<void> watchConfig(domain::ConfigName config, std::stop_token stop);
    void somethingHappened(const domain::ConfigName &config, const domain::ExternalId &id);
    async::Task<void> lookAt(domain::ConfigName config, domain::ExternalId id,
                             std::stop_token stop);
    [[nodiscard]] LeaseController *controllerOf(const domain::ConfigName &config,
                                                const domain::ExternalId &id) const;
    void setOrphans(const domain::ConfigName &config, const QList<domain::Instance> &seen,
                    const QHash<QString, qint64> &versions);

    domain::BerthStore &m_berth;
    domain::LeaseStore &m_leases;
    ProviderService &m_providers;
    domain::InstallationId m_installation;
    EventBus &m_bus;
    std::shared_ptr<Clock> m_clock;
    SandboxPreparation m_preparation;
    std::map<QString, domain::Sandbox> m_sandboxes;
    std::map<QString, std::unique_ptr<LeaseController>> m_controllers;
    std::map<QString, Orphan> m_orphans;
    QHash<domain::SandboxId, QList<ThreadLink>> m_threads;
    QHash<QString, domain::ResourceSample> m_samples;
    QHash<domain::SandboxId, LifecycleFacts> m_lifecycles;
    //! One per config whose provider tells of changes.
    std::map<QString, std::stop_source> m_watches;
    //! Told of, and about to be looked at.
    QSet<QString> m_toLookAt;
    QSet<domain::LeaseId> m_toPublish;
    async::Turnstile m_makingLease;
    //! Only one at a time can be told from what was there before.
    async::Turnstile m_forking;
    async::Turnstile m_refreshing;
    async::Scope m_scope;
};

} // namespace berth::application
