// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/listen_address.h"

namespace berth::api {

using domain::ErrorKind;
using domain::failure;

QString ListenAddress::shown() const
{
    const QString name = host.contains(QLatin1Char(':')) ? QStringLiteral("[%1]").arg(host) : host;
    return QStringLiteral("%1:%2").arg(name).arg(port);
}

domain::Result<ListenAddress> parseListenAddress(const QString &text)
{
    ListenAddress address;
    QString host = text;
    QString port;
    const qsizetype bracket = text.indexOf(QLatin1Char(']'));
    const qsizetype colon = text.lastIndexOf(QLatin1Char(':'));
    if (colon > bracket) {
        host = text.left(colon);
        port = text.mid(colon + 1);
    }
    if (host == QLatin1String("[::1]"))
        address.host = QStringLiteral("::1");
    else if (host != QLatin1String("127.0.0.1") && host != QLatin1String("localhost"))
        return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("The API listens on this machine's loopback only, not on %1").arg(text),
            QStringLiteral("Use 127.0.0.1:PORT or [::1]:PORT. To reach it from another "
                           "machine, forward the port by ssh."));
    if (colon > bracket) {
        bool ok = false;
        address.port = port.toUShort(&ok);
        if (!ok)
            return failure(ErrorKind::InvalidInput, QStringLiteral("\"%1\" is no port").arg(port),
                           QStringLiteral("A number up to 65535; 0 takes any free one."));
    }
    return address;
}

} // namespace berth::api
