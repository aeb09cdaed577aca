// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/peer.h"

#include <sys/socket.h>
#include <unistd.h>

namespace berth::remote {

domain::Result<void> checkPeer(qintptr socketDescriptor)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(static_cast<int>(socketDescriptor), SOL_SOCKET, SO_PEERCRED, &peer, &size)
        != 0) {
        return domain::failure(
            domain::ErrorKind::Forbidden,
            QStringLiteral("Who is at the other end of the socket cannot be told"));
    }
    if (peer.uid != ::geteuid()) {
        return domain::failure(
            domain::ErrorKind::Forbidden,
            QStringLiteral("The other end of the socket belongs to user %1, not to %2")
                .arg(peer.uid)
                .arg(::geteuid()));
    }
    return {};
}

} // namespace berth::remote
