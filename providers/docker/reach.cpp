// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/reach.h"

#include "net/process_dialer.h"
#include "net/tcp_dialer.h"

#include <QtCore/QFileInfo>
#include <QtCore/QRegularExpression>

namespace berth::docker {

using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

constexpr quint16 kPlainPort = 2375;
constexpr quint16 kTlsPort = 2376;

Result<Reach> overTcp(const Endpoint &endpoint, Reach reach)
{
    reach.encrypted = reach.address.encrypted || endpoint.tls.wanted;
    if (reach.address.port == 0)
        reach.address.port = reach.encrypted ? kTlsPort : kPlainPort;
    std::optional<net::TlsOptions> tls;
    if (reach.encrypted) {
        const Result<net::TlsOptions> read = readTls(endpoint.tls);
        if (!read)
            return failure(read.error());
        tls = *read;
        if (!tls->verifies)
            reach.warning = QStringLiteral(
                "The docker context says not to check the engine's certificate: anybody on the "
                "way may answer in its place");
    } else if (reach.address.isLoopback()) {
        reach.warning = QStringLiteral(
            "Not encrypted: every user of this machine can control the engine through that port");
    } else if (endpoint.plainAllowed) {
        reach.warning = QStringLiteral("Not encrypted: whoever can listen on the network controls "
                                       "that engine. Use TLS, or an address ssh://");
    } else {
        return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("The connection to %1 would not be encrypted").arg(reach.address.host),
            QStringLiteral("Name the certificates (TLS directory), use ssh://, or set \"Allow no "
                           "encryption\" in this provider's settings"));
    }
    reach.dialer =
        std::make_shared<net::TcpDialer>(reach.address.host, reach.address.port, std::move(tls));
    return reach;
}

//! A unix socket that does not let us in.
QString permissionAdvice(const QString &path)
{
    const QFileInfo socket(path);
    if (!socket.exists())
        return QStringLiteral("A directory above it cannot be entered");
    const QString group = socket.group();
    // Nobody should be told to join the group of root.
    if (socket.groupId() == 0 || group.isEmpty())
        return QStringLiteral(
            "It belongs to root's own group. Let the engine's socket belong to the group "
            "\"docker\", or use a rootless engine");
    return QStringLiteral(
               "Its group is \"%1\"; add yourself with \"sudo usermod -aG %1 $USER\" and log in "
               "again. Who is in it controls this machine")
        .arg(group);
}

Error sshError(Error error, const Reach &reach)
{
    const QString said = error.detail;
    const QString host = reach.address.host;
    const auto says = [&said](const char *text) {
        return said.contains(QLatin1String(text), Qt::CaseInsensitive);
    };
    error.message = QStringLiteral("No connection to %1").arg(reach.shown);
    error.kind = ErrorKind::Unavailable;
    QString advice;
    if (says("Host key verification failed") || says("REMOTE HOST IDENTIFICATION HAS CHANGED")) {
        error.kind = ErrorKind::Forbidden;
        error.message =
            QStringLiteral("The host key of %1 is not known, or not the known one").arg(host);
        advice = QStringLiteral("Connect once by hand with ssh, and compare the key");
    } else if (says("docker.sock") || says("daemon socket")) {
        // The engine's own socket there, not ssh's login.
        if (says("permission denied")) {
            error.kind = ErrorKind::Forbidden;
            error.message =
                QStringLiteral("No permission to use the Docker engine on %1").arg(host);
            advice = QStringLiteral("Add the user to the group \"docker\" there");
        } else {
            error.message = QStringLiteral("No Docker engine answers on %1").arg(host);
        }
    } else if (says("Permission denied") || says("Too many authentication failures")) {
        error.kind = ErrorKind::Unauthorized;
        error.message = QStringLiteral("%1 does not let us in").arg(host);
        advice = QStringLiteral(
            "Put your key there with ssh-copy-id, and load it into an agent when it has a "
            "passphrase: nobody can type one here");
    } else if (says("Could not resolve hostname")) {
        error.message = QStringLiteral("There is no host named %1").arg(host);
    } else if (says("not found") && says("docker")) {
        error.message = QStringLiteral("There is no docker program on %1").arg(host);
        advice = QStringLiteral("Install the docker command there, or put it into the PATH of ssh");
    } else if (said.isEmpty()) {
        error.message = QStringLiteral("ssh to %1 ended without a word").arg(host);
    }
    if (!advice.isEmpty())
        error.detail =
            said.isEmpty() ? advice : QStringLiteral("%1. ssh said: %2").arg(advice, said);
    return error;
}

} // namespace

QString shownAddress(const QString &host)
{
    static const QRegularExpression password(QStringLiteral("(://[^/@:]*):[^/@]*@"));
    QString shown = host;
    return shown.replace(password, QStringLiteral("\\1:…@"));
}

Result<Reach> reachOf(const Endpoint &endpoint)
{
    if (!endpoint.problem.isEmpty())
        return failure(ErrorKind::InvalidInput, endpoint.problem,
                       QStringLiteral("\"docker context ls\" shows those that there are"));
    const Result<Address> address = parseAddress(endpoint.host);
    if (!address)
        return failure(address.error());
    Reach reach;
    reach.address = *address;
    reach.shown = endpoint.host;
    switch (address->kind) {
    case Address::Kind::Unix:
        reach.shown = address->path;
        reach.dialer = std::make_shared<net::LocalDialer>(address->path);
        return reach;
    case Address::Kind::Tcp:
        return overTcp(endpoint, std::move(reach));
    case Address::Kind::Ssh:
        reach.encrypted = true;
        reach.dialer =
            std::make_shared<net::ProcessDialer>(QStringLiteral("ssh"), sshArguments(*address));
        return reach;
    }
    return failure(ErrorKind::Internal, QStringLiteral("An address of no kind"));
}

Error explained(Error error, const Reach &reach)
{
    switch (reach.address.kind) {
    case Address::Kind::Unix:
        if (error.kind == ErrorKind::Forbidden && !error.httpStatus)
            error.detail = permissionAdvice(reach.address.path);
        break;
    case Address::Kind::Tcp:
        // A TLS server answers plain words with an alert, a note, or nothing.
        if (!reach.encrypted
            && (error.kind == ErrorKind::Protocol || error.kind == ErrorKind::InvalidInput
                || (error.kind == ErrorKind::Unavailable
                    && error.message.contains(QLatin1String("connection was lost")))))
            error.detail =
                (error.detail.isEmpty() ? QString() : error.detail + QStringLiteral(". "))
                + QStringLiteral("It may want an encrypted connection: name the certificates (TLS "
                                 "directory)");
        break;
    case Address::Kind::Ssh:
        if (error.kind == ErrorKind::Unavailable && !error.httpStatus)
            return sshError(std::move(error), reach);
        break;
    }
    return error;
}

} // namespace berth::docker
