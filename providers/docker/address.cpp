// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/address.h"

#include <QtCore/QRegularExpression>

namespace berth::docker {

using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

const QString kExamples =
    QStringLiteral("Name it as unix:///var/run/docker.sock, tcp://host:2376 or ssh://user@host");

bool matches(const QString &text, const char *pattern)
{
    // Not "$", which lets a line break pass.
    return QRegularExpression(QRegularExpression::anchoredPattern(QLatin1String(pattern)))
        .match(text)
        .hasMatch();
}

tl::unexpected<domain::Error> wrong(const QString &address, const QString &why)
{
    return failure(ErrorKind::InvalidInput,
                   QStringLiteral("\"%1\" is not the address of an engine: %2").arg(address, why),
                   kExamples);
}

//! [user@]host[:port][/path]
Result<Address> withHost(const QString &text, const QString &rest, Address address)
{
    QString authority = rest.section(QLatin1Char('/'), 0, 0);
    const QString path = rest.mid(authority.size());
    const qsizetype at = authority.lastIndexOf(QLatin1Char('@'));
    if (at >= 0) {
        const QString user = authority.left(at);
        authority = authority.mid(at + 1);
        if (address.kind != Address::Kind::Ssh)
            return wrong(text, QStringLiteral("a user belongs to ssh:// only"));
        if (user.contains(QLatin1Char(':')))
            // Not repeated in the message: it may be a real password.
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("The address of an engine must not hold a password"),
                           QStringLiteral("Let ssh use a key or an agent"));
        // A user such as "-oProxyCommand=…" would be an option.
        if (!matches(user, "[A-Za-z0-9_][A-Za-z0-9_.+@-]*"))
            return wrong(text, QStringLiteral("its user has characters that no user has"));
        address.user = user;
    }
    QString port;
    if (authority.startsWith(QLatin1Char('['))) {
        const qsizetype end = authority.indexOf(QLatin1Char(']'));
        address.host = authority.mid(1, end - 1);
        port = authority.mid(end + 1);
        if (end < 0 || !matches(address.host, "[0-9A-Fa-f:.]+(%[A-Za-z0-9_.-]+)?"))
            return wrong(text, QStringLiteral("its host is not understood"));
        if (!port.isEmpty() && !port.startsWith(QLatin1Char(':')))
            return wrong(text, QStringLiteral("its port is not understood"));
        port = port.mid(1);
    } else {
        address.host = authority.section(QLatin1Char(':'), 0, 0);
        if (authority.contains(QLatin1Char(':'))) {
            port = authority.section(QLatin1Char(':'), 1);
            if (port.isEmpty())
                return wrong(text, QStringLiteral("its port is empty"));
        }
        if (address.host.isEmpty())
            return wrong(text, QStringLiteral("it names no host"));
        if (!matches(address.host, "[A-Za-z0-9_][A-Za-z0-9_.-]*"))
            return wrong(text, QStringLiteral("its host has characters that no host has"));
    }
    if (!port.isEmpty()) {
        bool isNumber = false;
        const uint number = port.toUInt(&isNumber);
        if (!isNumber || !matches(port, "[0-9]{1,5}") || number == 0 || number > 65535)
            return wrong(text, QStringLiteral("its port must be between 1 and 65535"));
        address.port = static_cast<quint16>(number);
    }
    if (path.isEmpty() || path == QLatin1String("/"))
        return address;
    if (address.kind != Address::Kind::Ssh)
        return failure(ErrorKind::Unsupported,
                       QStringLiteral("An engine below a path (%1) is not supported").arg(path));
    // The other machine's shell sees it.
    if (!matches(path, "/[A-Za-z0-9_./+-]+"))
        return wrong(text, QStringLiteral("its path has characters that cannot be passed on"));
    address.path = path;
    return address;
}

} // namespace

bool Address::isLoopback() const
{
    return kind == Kind::Unix
        || (kind == Kind::Tcp
            && (host == QLatin1String("localhost") || host == QLatin1String("::1")
                || matches(host, "127(\\.[0-9]{1,3}){3}")));
}

Result<Address> parseAddress(const QString &text)
{
    if (text.isEmpty())
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("The address of the engine is empty"), kExamples);
    for (const QChar one : text) {
        if (one.unicode() < 0x20 || one.unicode() == 0x7f)
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("The address of the engine holds a control character"),
                           kExamples);
    }
    Address address;
    const QString unixScheme = QStringLiteral("unix://");
    if (text.startsWith(unixScheme) || text.startsWith(QLatin1Char('/'))) {
        address.path = text.startsWith(unixScheme) ? text.mid(unixScheme.size()) : text;
        if (!address.path.startsWith(QLatin1Char('/')))
            return wrong(text, QStringLiteral("a socket has a path such as /var/run/docker.sock"));
        return address;
    }
    const QString scheme = text.section(QStringLiteral("://"), 0, 0);
    const QString rest = text.mid(scheme.size() + 3);
    if (scheme == QLatin1String("tcp") || scheme == QLatin1String("http")
        || scheme == QLatin1String("https")) {
        address.kind = Address::Kind::Tcp;
        address.encrypted = scheme == QLatin1String("https");
        return withHost(text, rest, address);
    }
    if (scheme == QLatin1String("ssh")) {
        address.kind = Address::Kind::Ssh;
        return withHost(text, rest, address);
    }
    if (scheme == QLatin1String("npipe") || scheme == QLatin1String("fd"))
        return failure(
            ErrorKind::Unsupported,
            QStringLiteral("Engines at %1:// are not supported on this system").arg(scheme),
            kExamples);
    return wrong(text, QStringLiteral("it begins with no known scheme"));
}

QStringList sshArguments(const Address &address)
{
    QStringList arguments{
        // Nobody is there to answer questions: a key, an agent, or a clear failure.
        QStringLiteral("-o"),
        QStringLiteral("BatchMode=yes"),
        QStringLiteral("-o"),
        QStringLiteral("ConnectTimeout=10"),
        // A machine that went away ends the stream after a minute.
        QStringLiteral("-o"),
        QStringLiteral("ServerAliveInterval=15"),
        QStringLiteral("-o"),
        QStringLiteral("ServerAliveCountMax=3"),
        QStringLiteral("-T"),
    };
    if (!address.user.isEmpty())
        arguments << QStringLiteral("-l") << address.user;
    if (address.port != 0)
        arguments << QStringLiteral("-p") << QString::number(address.port);
    arguments << QStringLiteral("--") << address.host << QStringLiteral("docker");
    if (!address.path.isEmpty())
        arguments << QStringLiteral("--host") << QStringLiteral("unix://") + address.path;
    arguments << QStringLiteral("system") << QStringLiteral("dial-stdio");
    return arguments;
}

} // namespace berth::docker
