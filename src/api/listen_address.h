// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QString>

namespace berth::api {

inline constexpr quint16 kUsualPort = 8420;

//! Where the server listens: this machine's loopback, nothing else.
struct ListenAddress
{
    //! "127.0.0.1" or "::1".
    QString host = QStringLiteral("127.0.0.1");
    //! 0: any free one.
    quint16 port = kUsualPort;

    //! "127.0.0.1:8420", "[::1]:8420"
    [[nodiscard]] QString shown() const;
};

//! "127.0.0.1:8420", "localhost:0", "[::1]:8420", "127.0.0.1". InvalidInput for any address that
//! others could reach.
domain::Result<ListenAddress> parseListenAddress(const QString &text);

} // namespace berth::api
