// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/sandboxes/lease_controller.h"
#include "domain/thread/stores.h"

#include <QtCore/QTimer>

#include <map>

namespace berth::application {

//! All sandboxes and leases of this installation, and what the providers list of it.
class SandboxService final : public QObject
{
    Q_OBJECT
public:
    SandboxService(domain::BerthStore &berth, domain::LeaseStore &leases,
                   ProviderService &providers, domain::InstallationId installation, EventBus &bus);
    ~SandboxService() override;

    //! Reads the records; then the reconciler runs at once and every few minutes.
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

    //! \a runtime is a lease id, a unique start of one, an alias, or "<config>:<external id>" of an
    //! orphan.
    domain::Async<RuntimeView> pause(QString runtime, QString source, std::stop_token stop);
    domain::Async<RuntimeView> resume(QString runtime, QString source, std::stop_token stop);
    domain::Async<RuntimeView> destroy(QString runtime, QString source, std::stop_token stop);
    domain::Async<domain::ResourceSample> metrics(QString runtime, std::stop_token stop);
    //! Asks every provider; answers those that did not answer.
    domain::Async<QStringList> refresh(std::stop_token stop);
    //! on_exit of everything this Engine controls, at most \a bound; \a tell says what is done.
    domain::Async<void> applyOnExit(std::chrono::milliseconds bound,
                                    std::function<void(QString)> tell);

Q_SIGNALS:
    void leaseChanged(const berth::domain::SandboxId &sandbox);
    void instanceMade(const berth::domain::SandboxId &sandbox, bool fresh);

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
    [[nodiscard]] const Orphan *findOrphan(const QString &runtime) const;
    void publish(const LeaseController &controller);
    domain::Async<void> refreshConfig(domain::ConfigName config, std::stop_token stop);
    domain::Async<void> syncRow(domain::SandboxId sandbox);
    async::Task<void> syncRowInBackground(domain::SandboxId sandbox);
    async::Task<void> reconcileLoop(std::stop_token stop);
    async::Task<void> finishDesired(domain::LeaseId lease, std::stop_token stop);
    void setOrphans(const domain::ConfigName &config, const QList<domain::Instance> &seen,
                    const QHash<QString, qint64> &versions);

    domain::BerthStore &m_berth;
    domain::LeaseStore &m_leases;
    ProviderService &m_providers;
    domain::InstallationId m_installation;
    EventBus &m_bus;
    std::map<QString, domain::Sandbox> m_sandboxes;
    std::map<QString, std::unique_ptr<LeaseController>> m_controllers;
    std::map<QString, Orphan> m_orphans;
    QHash<domain::SandboxId, QList<ThreadLink>> m_threads;
    QHash<QString, domain::ResourceSample> m_samples;
    async::Turnstile m_makingLease;
    async::Turnstile m_refreshing;
    async::Scope m_scope;
};

} // namespace berth::application
