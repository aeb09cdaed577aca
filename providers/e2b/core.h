// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "providers/e2b/connection.h"

namespace berth::e2b {

//! What the provider's coroutines share; they keep it alive when the provider goes first.
struct Core
{
    domain::ProviderSettings settings;
    domain::InstallationId installation;
    Pace pace;
    std::chrono::milliseconds extendEvery{0};
    net::RetryPolicy retries = Api().retries;
    std::chrono::milliseconds slow = Api().slow;
    int pageSize = Api().pageSize;

    //! Made when it is first needed.
    ApiPtr api;
    QHash<QString, std::weak_ptr<E2bConnection>> connections;
    //! Attempts under way.
    QHash<QString, async::Completion<bool>> connecting;

    //! The open link of a sandbox; null when nobody is connected.
    [[nodiscard]] LinkPtr link(const QString &id) const;
    void dropConnection(const QString &id, const QString &reason);
};
using CorePtr = std::shared_ptr<Core>;

//! The account's API, or why it must not be asked: no key, an address that nobody confirmed.
domain::Result<ApiPtr> readyApi(const CorePtr &core);
//! Tells accounts apart without telling the key; empty without one.
QString accountId(const Core &core);
//! Where a sandbox's own service is, with a client that asks nothing else.
domain::Result<EnvdPtr> reachEnvd(const Core &core, const Access &access, const QString &user);

//! A 404 of the API looked at twice: NotFound only when a list of the same account lacks it, too.
domain::Async<domain::Error> judged(CorePtr core, QString id, domain::Error error,
                                    std::stop_token stop);
//! The sandbox, when it is one of this installation; else NotFound or Forbidden.
domain::Async<Record> ownSandbox(CorePtr core, domain::ExternalId id, std::stop_token stop);
//! Those that it was made with, else those of the config.
domain::Result<SandboxSettings> settingsOf(const Core &core, const Record &record);

domain::Async<domain::Instance> createNew(CorePtr core, domain::CreateRequest request,
                                          std::stop_token stop);
domain::Async<QList<domain::Instance>> listAll(CorePtr core, std::stop_token stop);
domain::Async<domain::Instance> inspectOne(CorePtr core, domain::ExternalId id,
                                           std::stop_token stop);
domain::Async<void> pauseOne(CorePtr core, domain::ExternalId id, std::stop_token stop);
domain::Async<void> resumeOne(CorePtr core, domain::ExternalId id, std::stop_token stop);
domain::Async<domain::Instance> forkOne(CorePtr core, domain::ExternalId id, std::stop_token stop);
domain::Async<void> destroyOne(CorePtr core, domain::ExternalId id, std::stop_token stop);
domain::Async<std::shared_ptr<domain::SandboxConnection>> connectOne(CorePtr core,
                                                                     domain::ExternalId id,
                                                                     std::stop_token stop);
domain::Async<domain::ResourceSample> measureOne(CorePtr core, domain::ExternalId id,
                                                 std::stop_token stop);
//! Test connection.
domain::Async<domain::HealthReport> checkAccount(CorePtr core, domain::StepSink step,
                                                 std::stop_token stop);

} // namespace berth::e2b
