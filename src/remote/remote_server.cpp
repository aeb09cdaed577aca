// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/remote_server.h"

#include "domain/log.h"
#include "remote/peer.h"

#include <QtCore/QFile>
#include <QtNetwork/QLocalServer>
#include <QtNetwork/QLocalSocket>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace berth::remote {

using domain::ErrorKind;

namespace {

tl::unexpected<domain::Error> failed(const QString &path)
{
    return domain::failure(ErrorKind::Storage,
                           QStringLiteral("The Engine cannot listen at %1").arg(path),
                           QString::fromLocal8Bit(std::strerror(errno)));
}

//! A listening socket at \a path with mode 0600. It is bound under another name and renamed once it
//! listens: whoever finds the file can connect, and an old file gives way without a moment in which
//! there is none.
domain::Result<int> listeningSocket(const QString &path)
{
    const QByteArray final = QFile::encodeName(path);
    const QByteArray passing = final + ".new";
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (static_cast<size_t>(passing.size()) >= sizeof address.sun_path) {
        return domain::failure(
            ErrorKind::InvalidInput, QStringLiteral("%1 is too long for a socket").arg(path),
            QStringLiteral("Set XDG_RUNTIME_DIR to a directory with a shorter path."));
    }
    std::memcpy(address.sun_path, passing.constData(), static_cast<size_t>(passing.size()));
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0)
        return failed(path);
    ::unlink(passing.constData());
    const bool listening =
        ::bind(socket, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0
        && ::chmod(passing.constData(), 0600) == 0 && ::listen(socket, 50) == 0
        && ::rename(passing.constData(), final.constData()) == 0;
    if (!listening) {
        const auto error = failed(path);
        ::close(socket);
        ::unlink(passing.constData());
        return error;
    }
    return socket;
}

} // namespace

RemoteServer::RemoteServer(application::EngineHost &host, QString socketPath, QObject *parent)
    : QObject(parent), m_host(host), m_path(std::move(socketPath))
{}

RemoteServer::~RemoteServer()
{
    close();
}

domain::Result<void> RemoteServer::listen(const InstanceLock &lock)
{
    Q_ASSERT(!lock.dataDirectory().isEmpty());
    const domain::Result<void> prepared = prepareSocketDirectory(m_path);
    if (!prepared)
        return prepared;
    const domain::Result<int> socket = listeningSocket(m_path);
    if (!socket)
        return domain::failure(socket.error());
    m_server = new QLocalServer(this);
    connect(m_server, &QLocalServer::newConnection, this, &RemoteServer::accept);
    if (!m_server->listen(static_cast<qintptr>(*socket))) {
        ::close(*socket);
        return domain::failure(ErrorKind::Storage,
                               QStringLiteral("The Engine cannot listen at %1").arg(m_path),
                               m_server->errorString());
    }
    return {};
}

void RemoteServer::close()
{
    if (!m_server)
        return;
    m_server->close();
    // Of the lock's holder, hence ours: a next Engine binds only after the lock has changed hands.
    QFile::remove(m_path);
    m_server->deleteLater();
    m_server = nullptr;
    const QList<ServerConnection *> clients = m_clients;
    for (ServerConnection *client : clients)
        client->close();
}

void RemoteServer::accept()
{
    while (QLocalSocket *socket = m_server->nextPendingConnection())
        add(socket);
}

void RemoteServer::add(QLocalSocket *socket)
{
    const domain::Result<void> peer = checkPeer(socket->socketDescriptor());
    if (!peer) {
        domain::log(domain::LogLevel::Warning, "remote", peer.error().message);
        socket->abort();
        socket->deleteLater();
        return;
    }
    auto *client = new ServerConnection(m_host, socket, m_limits, this);
    connect(client, &ServerConnection::gone, this, [this, client] {
        client->deleteLater();
        if (m_clients.removeOne(client))
            Q_EMIT clientCountChanged(clientCount());
    });
    if (m_clients.size() >= m_maximumClients) {
        client->refuse({ErrorKind::Quota,
                        QStringLiteral("Berth serves %1 clients already").arg(m_maximumClients),
                        QStringLiteral("Close a window or end a berth-cli that is still running."),
                        {},
                        {}});
        return;
    }
    m_clients.append(client);
    Q_EMIT clientCountChanged(clientCount());
}

} // namespace berth::remote
