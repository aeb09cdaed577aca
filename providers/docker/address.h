// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QString>
#include <QtCore/QStringList>

namespace berth::docker {

//! The address of an engine, taken apart and found to be harmless.
struct Address
{
    enum class Kind { Unix, Tcp, Ssh };

    Kind kind = Kind::Unix;
    //! Of a unix socket; for ssh the one on the other machine, empty for its usual one.
    QString path;
    QString host;
    //! 0: not named.
    quint16 port = 0;
    QString user;
    //! Said with https://.
    bool encrypted = false;

    //! The host is this machine.
    [[nodiscard]] bool isLoopback() const;
};

//! As in DOCKER_HOST. Unsupported for addresses of other systems, InvalidInput for none.
domain::Result<Address> parseAddress(const QString &text);

//! What ssh is called with. No part of the address can be taken for an option or for a command.
QStringList sshArguments(const Address &address);

} // namespace berth::docker
