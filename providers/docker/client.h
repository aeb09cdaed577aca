// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/health.h"
#include "net/http_client.h"
#include "providers/docker/decode.h"
#include "providers/docker/endpoint.h"
#include "providers/docker/plan.h"

#include <memory>

namespace berth::docker {

//! One engine that answered: how to reach it and what it is.
struct Engine
{
    std::shared_ptr<net::StreamHttpClient> http;
    //! "/v1.41", negotiated; again when an engine of another version comes back at the same place.
    mutable QByteArray prefix;
    EngineFacts facts;
    //! How people name it: "/var/run/docker.sock", "tcp://host:2376".
    QString address;
    //! A unix socket: its file system is this machine's, as far as that is known.
    bool isLocal = false;
    //! Nobody on the network can read what is sent to it.
    bool isPrivate = true;
    //! podman's service, which differs in places.
    bool isPodman = false;
};
using EnginePtr = std::shared_ptr<const Engine>;

//! From what the engine offers to the prefix of the paths: the newest that both know.
domain::Result<QByteArray> negotiated(const QByteArray &offered);

//! Tries the endpoints in order; each is told as a step. The error says what was tried, and why it
//! failed.
domain::Async<EnginePtr> findEngine(EndpointSearch search, domain::StepSink step,
                                    std::stop_token stop);

// The calls, one each. Errors are those of engineError(): NotFound means the thing of the call.
domain::Async<Container> inspectContainer(EnginePtr engine, QString id, bool withSize,
                                          std::stop_token stop);
domain::Async<QList<domain::Instance>> listContainers(EnginePtr engine, std::stop_token stop);
//! Conflict: the name is taken.
domain::Async<QString> createContainer(EnginePtr engine, ContainerPlan plan, std::stop_token stop);
domain::Async<void> startContainer(EnginePtr engine, QString id, std::stop_token stop);
domain::Async<void> pauseContainer(EnginePtr engine, QString id, std::stop_token stop);
domain::Async<void> unpauseContainer(EnginePtr engine, QString id, std::stop_token stop);
//! Running or not, with its unnamed volumes.
domain::Async<void> removeContainer(EnginePtr engine, QString id, std::stop_token stop);
domain::Async<net::HijackedStream> attachContainer(EnginePtr engine, QString id,
                                                   std::stop_token stop);
//! Unpacks below the container's root; it need not run.
domain::Async<void> putArchive(EnginePtr engine, QString id, QByteArray archive,
                               std::stop_token stop);
domain::Async<QByteArray> getArchive(EnginePtr engine, QString id, QString path,
                                     std::stop_token stop);
//! What happens to this installation's containers from now on: one JSON object per line, only when
//! something does.
domain::Async<std::shared_ptr<net::HttpBodyStream>> openEvents(EnginePtr engine,
                                                               domain::InstallationId installation,
                                                               std::stop_token stop);
//! An answer at all.
domain::Async<void> pingEngine(EnginePtr engine, std::chrono::milliseconds limit,
                               std::stop_token stop);
//! One JSON object per line, about one per second.
domain::Async<std::shared_ptr<net::HttpBodyStream>> openStats(EnginePtr engine, QString id,
                                                              std::stop_token stop);
//! One such object. Docker takes one to two seconds for it.
domain::Async<QByteArray> sampleOnce(EnginePtr engine, QString id, std::stop_token stop);

//! An existing one of that name is answered as it is.
domain::Async<Volume> createVolume(EnginePtr engine, QString name, domain::InstanceLabels labels,
                                   std::stop_token stop);
domain::Async<Volume> inspectVolume(EnginePtr engine, QString name, std::stop_token stop);
domain::Async<void> removeVolume(EnginePtr engine, QString name, std::stop_token stop);
domain::Async<bool> hasNetwork(EnginePtr engine, QString name, std::stop_token stop);
domain::Async<bool> hasBridge(EnginePtr engine, std::stop_token stop);
domain::Async<Image> inspectImage(EnginePtr engine, QString image, std::stop_token stop);

} // namespace berth::docker
