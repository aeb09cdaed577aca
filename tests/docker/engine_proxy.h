// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QFile>
#include <QtCore/QObject>
#include <QtCore/QTemporaryDir>
#include <QtNetwork/QLocalServer>
#include <QtNetwork/QLocalSocket>

#include <sys/socket.h>
#include <sys/un.h>

#include <utility>

namespace berth::test {

//! The engine's socket as DOCKER_HOST names it; empty: none.
inline QString engineSocket()
{
    const QString host =
        qEnvironmentVariable("DOCKER_HOST", QStringLiteral("unix:///var/run/docker.sock"));
    const QString path = host.startsWith(QLatin1String("unix://")) ? host.mid(7) : QString();
    return QFile::exists(path) ? path : QString();
}

//! Cuts this process's direct connections to the runners of sandboxes whose data lies below \a
//! data, as nothing but the death of one side does in life.
inline int cutLinks(const QString &data)
{
    int cut = 0;
    for (int fd = 3; fd < 1024; ++fd) {
        sockaddr_un own{};
        socklen_t size = sizeof own;
        if (::getsockname(fd, reinterpret_cast<sockaddr *>(&own), &size) != 0
            || own.sun_family != AF_UNIX)
            continue;
        if (QFile::decodeName(own.sun_path).startsWith(data + QStringLiteral("/links/"))
            && ::shutdown(fd, SHUT_RDWR) == 0)
            ++cut;
    }
    return cut;
}

//! A socket in front of the engine's, so that a test can cut what runs through it, or refuse new
//! connections: what a real engine that others use as well cannot be made to do.
class EngineProxy
{
public:
    //! What comes from the engine is written one byte at a time.
    bool dripping = false;
    //! What comes from the engine is lost, and the connections stay.
    bool silent = false;

    EngineProxy()
    {
        m_server.listen(path());
        QObject::connect(&m_server, &QLocalServer::newConnection, &m_context, [this] {
            while (QLocalSocket *near = m_server.nextPendingConnection())
                join(near);
        });
    }
    ~EngineProxy() { cut(); }

    [[nodiscard]] QString path() const { return m_directory.filePath(QStringLiteral("engine")); }
    [[nodiscard]] QString host() const { return QStringLiteral("unix://") + path(); }
    [[nodiscard]] qsizetype open() const { return m_open.size(); }

    //! Ends all connections.
    void cut()
    {
        for (const auto &[near, far] : std::exchange(m_open, {})) {
            near->disconnect();
            far->disconnect();
            near->abort();
            far->abort();
            near->deleteLater();
            far->deleteLater();
        }
    }
    //! As if the engine had ended.
    void stopListening()
    {
        m_server.close();
        cut();
    }
    void listenAgain() { m_server.listen(path()); }
    //! As if the engine had said so, on every open connection.
    void say(const QByteArray &bytes)
    {
        for (const auto &[near, far] : std::as_const(m_open))
            near->write(bytes);
    }

private:
    void join(QLocalSocket *near)
    {
        auto *far = new QLocalSocket;
        m_open.append(std::pair{near, far});
        far->connectToServer(engineSocket());
        const auto pump = [](QLocalSocket *from, QLocalSocket *to) { to->write(from->readAll()); };
        QObject::connect(near, &QLocalSocket::readyRead, far, [=] { pump(near, far); });
        QObject::connect(far, &QLocalSocket::readyRead, near, [=, this] { answer(far, near); });
        QObject::connect(near, &QLocalSocket::disconnected, &m_context,
                         [this, near, far] { drop(near, far); });
        QObject::connect(far, &QLocalSocket::disconnected, &m_context,
                         [this, near, far] { drop(near, far); });
        pump(near, far);
    }
    void answer(QLocalSocket *far, QLocalSocket *near)
    {
        const QByteArray bytes = far->readAll();
        if (silent)
            return;
        if (!dripping) {
            near->write(bytes);
            return;
        }
        for (const char byte : bytes) {
            near->write(&byte, 1);
            near->flush();
        }
    }
    void drop(QLocalSocket *near, QLocalSocket *far)
    {
        if (!m_open.removeOne(std::pair{near, far}))
            return;
        near->disconnectFromServer(); // what is still to be written goes first
        far->disconnectFromServer();
        near->deleteLater();
        far->deleteLater();
    }

    QTemporaryDir m_directory;
    QObject m_context;
    QLocalServer m_server;
    QList<std::pair<QLocalSocket *, QLocalSocket *>> m_open;
};

} // namespace berth::test
