// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"
#include "async/scope.h"
#include "domain/provider/provider.h"
#include "providers/docker/client.h"
#include "providers/docker/connection.h"
#include "providers/docker/stats_watch.h"

#include <QtCore/QHash>

#include <memory>

namespace berth::docker {

//! What the provider's coroutines share; they keep it alive when the provider goes first.
struct Core
{
    domain::ProviderSettings settings;
    domain::InstallationId installation;
    domain::ProviderPaths paths;

    //! The engine that answered last; null: to be looked for.
    EnginePtr engine;
    //! Of the first that answered. Another one in its place must not be asked: it would say of
    //! everything that it does not exist.
    QString engineId;

    QHash<QString, std::weak_ptr<DockerConnection>> connections;
    //! Of a start, until somebody connects; a second handshake for nothing is spared.
    QHash<QString, ConnectionPtr> fresh;
    //! Attempts under way: a second one would take the first one's runner over.
    QHash<QString, async::Completion<bool>> connecting;
    QHash<QString, std::shared_ptr<StatsWatch>> watches;
    //! Events come when something happens; after so long without one the engine is asked whether it
    //! is there at all, and has as long for its answer.
    std::chrono::milliseconds quietEvents{30000};
    async::Scope scope;

    [[nodiscard]] EndpointSearch endpoints() const;
    void dropConnection(const QString &id, const QString &reason);
    //! Looks for the engine anew next time when it seems to be dead.
    void note(const domain::Error &error);
};
using CorePtr = std::shared_ptr<Core>;

//! The engine, looked for when need be.
domain::Async<EnginePtr> readyEngine(CorePtr core, std::stop_token stop);
//! The container, when it is one of this installation; else NotFound or Forbidden.
domain::Async<Container> ownContainer(CorePtr core, EnginePtr engine, domain::ExternalId id,
                                      std::stop_token stop);
//! NotFound for what no engine could have given as an id.
domain::Result<void> plausible(const domain::ExternalId &id);

domain::Async<domain::Instance> createSandbox(CorePtr core, domain::CreateRequest request,
                                              domain::ProgressSink progress, std::stop_token stop);
//! Puts the runner into a container that does not run, starts both, and keeps the connection as
//! fresh.
domain::Async<void> startSandbox(CorePtr core, EnginePtr engine, QString id, Container container,
                                 std::stop_token stop);
//! Removes the container and its volumes that carry its labels. Gone is success.
domain::Async<void> removeSandbox(CorePtr core, EnginePtr engine, QString id, Container container,
                                  std::stop_token stop);

} // namespace berth::docker
