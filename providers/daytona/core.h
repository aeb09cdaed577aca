// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"
#include "async/scope.h"
#include "domain/provider/provider.h"
#include "providers/daytona/client.h"
#include "providers/daytona/connection.h"

#include <QtCore/QHash>

#include <memory>

namespace berth::daytona {

//! How long the steps of a sandbox may take, and how often they are looked at.
struct Pace
{
    std::chrono::milliseconds firstPoll{100};
    std::chrono::milliseconds slowestPoll{1000};
    std::chrono::milliseconds start{6 * 60 * 1000};
    //! From the archive; the service gives it 30 minutes.
    std::chrono::milliseconds restore{35 * 60 * 1000};
    //! The first build of an image; the service gives it 60 minutes.
    std::chrono::milliseconds build{65 * 60 * 1000};
    std::chrono::milliseconds stop{5 * 60 * 1000};
};

//! What the provider's coroutines share; they keep it alive when the provider goes first.
struct Core
{
    domain::ProviderSettings settings;
    domain::InstallationId installation;
    domain::Result<Access> access;
    Pace pace;
    //! Of the control plane; a toolbox has all but the place from it.
    std::shared_ptr<Service> api;
    //! By origin: one sandbox's toolbox may be elsewhere than another's.
    QHash<QString, std::shared_ptr<net::WebClient>> toolboxes;
    //! Of the account, once a sandbox of it was seen.
    QString organization;

    QHash<QString, std::weak_ptr<DaytonaConnection>> connections;
    QHash<QString, async::Completion<bool>> connecting;
    //! The service's list lags behind: what was made and removed here a moment ago.
    QHash<QString, QDateTime> made;
    QHash<QString, QDateTime> removed;
    //! The service records no use of resources; asked again after this.
    QDateTime noTelemetryUntil;
    async::Scope scope;

    explicit Core(domain::ProviderSettings wanted);
    void dropConnection(const QString &id, const QString &reason);
    void see(const Sandbox &sandbox);
    //! In words for the user, "daytona:<organization>"; empty until known.
    [[nodiscard]] QString engineId() const;
};
using CorePtr = std::shared_ptr<Core>;

//! The control plane, or why it must not be asked: a missing key, an origin that nobody confirmed.
domain::Result<ServicePtr> readyApi(const CorePtr &core);
//! The toolbox of a sandbox that runs.
domain::Async<ServicePtr> readyToolbox(CorePtr core, Sandbox sandbox, std::stop_token stop);
//! The sandbox, when it is one of this installation; else NotFound or Forbidden.
domain::Async<Sandbox> ownSandbox(CorePtr core, domain::ExternalId id, std::stop_token stop);
//! NotFound for what the service could not have given as an id.
domain::Result<void> plausible(const domain::ExternalId &id);

domain::Async<domain::Instance> createSandbox(CorePtr core, domain::CreateRequest request,
                                              domain::ProgressSink progress, std::stop_token stop);
domain::Async<void> stopSandbox(CorePtr core, domain::ExternalId id, std::stop_token stop);
domain::Async<void> startSandbox(CorePtr core, domain::ExternalId id, std::stop_token stop);
//! Answers once it is gone. Gone already is success.
domain::Async<void> removeSandbox(CorePtr core, domain::ExternalId id, std::stop_token stop);

} // namespace berth::daytona
