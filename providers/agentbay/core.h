// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "providers/agentbay/connection.h"

#include <QtCore/QHash>

namespace berth::agentbay {

//! How often, and how long, is looked for a change of state.
struct Pace
{
    std::chrono::milliseconds look{1000};
    std::chrono::milliseconds longest{300000};
};

//! What the provider's coroutines share; they keep it alive when the provider goes first.
struct Core
{
    domain::ProviderSettings settings;
    domain::InstallationId installation;
    Pace pace;
    Pieces pieces;
    net::RetryPolicy retries;
    std::chrono::milliseconds slow{60000};
    //! The first refusal of a pause by the account's plan, in words; empty: there was none.
    QString noPause;

    ApiPtr api;
    QHash<QString, std::weak_ptr<AgentBayConnection>> connections;
    //! They never change.
    QHash<QString, QMap<QString, QString>> labels;

    [[nodiscard]] LinkPtr link(const QString &id) const;
    void dropConnection(const QString &id, const QString &reason);
};
using CorePtr = std::shared_ptr<Core>;

//! The account's API, or why it must not be asked: no key, an address that nobody confirmed.
domain::Result<ApiPtr> readyApi(const CorePtr &core);
QString accountId(const Core &core);

domain::Async<domain::Instance> createNew(CorePtr core, domain::CreateRequest request,
                                          std::stop_token stop);
domain::Async<QList<domain::Instance>> listAll(CorePtr core, std::stop_token stop);
domain::Async<domain::Instance> inspectOne(CorePtr core, domain::ExternalId id,
                                           std::stop_token stop);
domain::Async<void> pauseOne(CorePtr core, domain::ExternalId id, std::stop_token stop);
domain::Async<void> resumeOne(CorePtr core, domain::ExternalId id, std::stop_token stop);
domain::Async<void> destroyOne(CorePtr core, domain::ExternalId id, std::stop_token stop);
domain::Async<std::shared_ptr<domain::SandboxConnection>> connectOne(CorePtr core,
                                                                     domain::ExternalId id,
                                                                     std::stop_token stop);
domain::Async<domain::ResourceSample> measureOne(CorePtr core, domain::ExternalId id,
                                                 std::stop_token stop);
//! Test connection.
domain::Async<domain::HealthReport> checkAccount(CorePtr core, domain::StepSink step,
                                                 std::stop_token stop);

} // namespace berth::agentbay
