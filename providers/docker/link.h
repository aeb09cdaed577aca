// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/guest/guest_socket.h"
#include "providers/docker/core.h"

// The direct connection to a runner: a socket in a directory of this machine that is mounted
// read-only into the container. Several times faster than through the engine, and optional:
// whatever is missing for it, the runner stays on the engine's stream.
namespace berth::docker {

//! To mount into a new container; empty where the engine is elsewhere, the settings forbid it, or
//! the path is too long for a socket. Made, private from above.
QString newLinkDirectory(const CorePtr &core, const EnginePtr &engine,
                         const domain::InstanceId &instance);
//! There again before a start, without which the engine refuses it: somebody may have tidied up.
void keepLinkDirectory(const CorePtr &core, const Container &container);
//! Puts the runner into the directory, so that the engine need not be asked to; a container that
//! runs keeps the one that it has. False where that cannot be.
bool placeRunner(const QString &directory, const QByteArray &runner);
//! The mounted directory, when it is the one that is meant for this container; else empty.
QString mountedLink(const CorePtr &core, const Container &container);
void removeLinkDirectory(const CorePtr &core, const domain::InstanceId &instance);
//! Where the runner of a running container can be met; nullopt when nowhere.
std::optional<net::GuestSocketPlace> linkPlace(const CorePtr &core, const Container &container);

} // namespace berth::docker
