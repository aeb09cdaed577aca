// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"
#include "async/scope.h"
#include "domain/provider/provider.h"
#include "providers/tenki/client.h"
#include "providers/tenki/settings.h"

#include <QtCore/QHash>

#include <memory>

namespace berth::tenki {

class TenkiConnection;
class DataPlane;

//! Metadata beside the labels: where commands of this sandbox start, and their time in ms, which
//! its row may have set.
inline const QString kHomeKey = QStringLiteral("berth.home");
inline const QString kTimeoutKey = QStringLiteral("berth.timeout_ms");

//! How long what is begun may take at Tenki.
struct Patience
{
    //! Of one call that does not wait for anything.
    std::chrono::milliseconds answer{30000};
    //! Until a new or resumed sandbox runs.
    std::chrono::milliseconds ready{180000};
    //! Until the edge leads to it.
    std::chrono::milliseconds route{60000};
    //! Until a sandbox that is being paused rests.
    std::chrono::milliseconds pause{60000};
    //! Beyond a command's own time, for its end to arrive.
    std::chrono::milliseconds grace{5000};
    //! After a stop, for the end of the command to arrive.
    std::chrono::milliseconds stop{5000};
};

//! What the provider's coroutines share; they keep it alive when the provider goes first.
struct Core
{
    domain::ProviderSettings settings;
    domain::InstallationId installation;
    Patience patience;

    //! Whose key it is, once asked for.
    std::optional<Account> account;
    QString engineId;

    QHash<QString, std::weak_ptr<TenkiConnection>> connections;
    //! Attempts under way: a second one waits for the first.
    QHash<QString, async::Completion<bool>> connecting;
    //! The way to one that was just created, until somebody connects.
    QHash<QString, std::shared_ptr<DataPlane>> fresh;
    async::Scope scope;

    //! The control plane; Unauthorized without a key, Forbidden where it may not be sent.
    domain::Result<GrpcChannel> control();
    void dropConnection(const QString &id, const QString &reason);

private:
    std::optional<GrpcChannel> m_control;
};
using CorePtr = std::shared_ptr<Core>;

//! A connection to a host that the control plane named, for a session's credential.
domain::Result<std::shared_ptr<net::WebClient>> dataClient(const Core &core, const QUrl &endpoint);

//! NotFound for what Tenki could not have given as an id.
domain::Result<void> plausible(const domain::ExternalId &id);

domain::ObservedState observedFrom(SessionState state);
domain::Instance instanceFrom(const Session &session);

//! Asked once.
domain::Async<Account> readyAccount(CorePtr core, std::stop_token stop);
//! Those of all workspaces that the key may see, without what has ended.
domain::Async<QList<Session>> allSessions(CorePtr core, std::stop_token stop);
//! NotFound only when Tenki says so and does not list it either, or when it has ended.
domain::Async<Session> lookAt(CorePtr core, domain::ExternalId id, std::stop_token stop);
//! The session, when it is one of this installation; else NotFound or Forbidden.
domain::Async<Session> ownSession(CorePtr core, domain::ExternalId id, std::stop_token stop);
//! Until it runs. NotFound is not believed meanwhile: not every copy of the service's records knows
//! a new one at once.
domain::Async<Session> untilRunning(CorePtr core, QString id, bool resuming,
                                    domain::ProgressSink progress, std::stop_token stop);

domain::Async<domain::Instance> createSandbox(CorePtr core, domain::CreateRequest request,
                                              domain::ProgressSink progress, std::stop_token stop);
domain::Async<void> pauseSandbox(CorePtr core, domain::ExternalId id, std::stop_token stop);
domain::Async<void> resumeSandbox(CorePtr core, domain::ExternalId id, std::stop_token stop);
domain::Async<void> destroySandbox(CorePtr core, domain::ExternalId id, std::stop_token stop);

} // namespace berth::tenki
