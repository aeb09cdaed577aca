// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine/event_bus.h"
#include "application/lifecycle/lifecycle_service.h"
#include "scripted_provider.h"
#include "storage/storage.h"
#include "support/await.h"

namespace berth::test {

inline domain::Error unavailable()
{
    return {ErrorKind::Unavailable, QStringLiteral("no answer"), {}, {}, {}};
}

//! One Engine's worth of services on real files, with a scripted provider.
struct House
{
    House(
        const QString &directory, std::shared_ptr<ScriptedEngine> scripted,
        std::shared_ptr<application::Clock> itsClock = std::make_shared<application::SystemClock>())
        : engine(std::move(scripted)), clock(std::move(itsClock))
    {
        const storage::StoragePaths paths{directory + QStringLiteral("/berth.db"),
                                          directory + QStringLiteral("/sandbox.db"),
                                          directory + QStringLiteral("/backups")};
        auto opened = await(storage::openStorage(paths));
        if (!opened)
            qFatal("%s", told(opened).constData());
        storage = std::move(*opened);
        installation = *await(storage->berth().installation());
        application::EngineSettings settings;
        settings.paths = {directory, directory, directory, directory};
        settings.environment = [](const QString &) { return std::nullopt; };
        providers = std::make_unique<application::ProviderService>(
            domain::ProviderKinds{std::make_shared<ScriptedKind>(engine)}, settings, installation,
            bus);
        providers->start();
        sandboxes = std::make_unique<application::SandboxService>(
            storage->berth(), storage->leases(), *providers, installation, bus, clock);
        const auto thread = [this](const domain::ThreadId &id) {
            return threads.contains(id) ? std::optional(threads.value(id)) : std::nullopt;
        };
        rows = std::make_unique<application::AgentRows>(storage->berth());
        rows->changed = [this] { return agentsChanged(); };
        lifecycle =
            std::make_unique<application::LifecycleService>(*rows, *sandboxes, thread, clock);
        lifecycle->start(*await(storage->berth().agents()));
    }
    ~House()
    {
        lifecycle->stop();
        sandboxes->stop();
        providers->stop();
        landed(lifecycle->drained());
        landed(sandboxes->drained());
        landed(providers->drained());
        landed(storage->close());
    }

    //! What is otherwise the service of the agents'.
    domain::Async<void> agentsChanged()
    {
        const Result<QList<domain::Agent>> all = co_await storage->berth().agents();
        if (!all)
            co_return domain::failure(all.error());
        lifecycle->start(*all);
        co_return Result<void>();
    }

    application::LeaseController *newLease()
    {
        domain::FirstMessage first;
        first.thread.id = domain::ThreadId::create();
        first.thread.agent = domain::AgentId(QStringLiteral("default"));
        first.thread.title = QStringLiteral("t");
        first.thread.createdAt = first.thread.lastActivityAt = domain::nowUtc();
        first.sandbox.id = domain::SandboxId::create();
        first.thread.sandbox = first.sandbox.id;
        first.sandbox.agent = first.thread.agent;
        first.sandbox.type = QStringLiteral("scripted");
        first.sandbox.providerConfig = domain::ConfigName(QStringLiteral("scripted"));
        first.sandbox.createdAt = first.sandbox.updatedAt = domain::nowUtc();
        first.run.id = domain::RunId::create();
        first.run.thread = first.thread.id;
        first.run.createdAt = domain::nowUtc();
        first.message.thread = first.thread.id;
        first.message.run = first.run.id;
        first.message.createdAt = domain::nowUtc();
        const auto stored = await(storage->berth().addThread(first));
        if (!stored)
            qFatal("%s", told(stored).constData());
        sandboxes->addSandbox(stored->sandbox);
        threads.insert(stored->thread.id, stored->thread);
        sandboxes->setThreads(stored->sandbox.id,
                              {application::ThreadLink{stored->thread.id, stored->thread.title}});
        return *await(sandboxes->leaseFor(stored->sandbox.id));
    }

    Result<application::ReadySandbox> ensure(application::LeaseController *lease,
                                             application::OnGone onGone = application::OnGone::Tell,
                                             std::stop_token stop = {})
    {
        return await(lease->ensure(QStringLiteral("test"), onGone, {}, stop),
                     std::chrono::milliseconds(70'000));
    }

    std::shared_ptr<ScriptedEngine> engine;
    std::shared_ptr<application::Clock> clock;
    application::EventBus bus;
    std::unique_ptr<storage::Storage> storage;
    domain::InstallationId installation;
    std::unique_ptr<application::ProviderService> providers;
    std::unique_ptr<application::SandboxService> sandboxes;
    QHash<domain::ThreadId, domain::Thread> threads;
    std::unique_ptr<application::AgentRows> rows;
    std::unique_ptr<application::LifecycleService> lifecycle;
};

} // namespace berth::test
