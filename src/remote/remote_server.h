// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/instance_lock.h"
#include "remote/server_connection.h"

#include <QtCore/QList>
#include <QtCore/QObject>

class QLocalServer;
class QLocalSocket;

namespace berth::remote {

//! Serves the Engine to other processes of this user. Lives on the Engine's thread, like \a host,
//! and is deleted there before it.
class RemoteServer final : public QObject
{
    Q_OBJECT
public:
    RemoteServer(application::EngineHost &host, QString socketPath, QObject *parent = nullptr);
    ~RemoteServer() override;

    void setLimits(const ClientLimits &limits) { m_limits = limits; }
    void setMaximumClients(int count) { m_maximumClients = count; }

    //! Starts to listen, in a directory that only this user can reach. A socket file left by a
    //! former Engine is replaced, which only the holder of the lock may do.
    domain::Result<void> listen(const InstanceLock &lock);
    //! Lets go of all clients, after writing what they take at once, and removes the socket file.
    void close();
    [[nodiscard]] int clientCount() const { return static_cast<int>(m_clients.size()); }

Q_SIGNALS:
    void clientCountChanged(int count);

private:
    void accept();
    void add(QLocalSocket *socket);

    application::EngineHost &m_host;
    QString m_path;
    QLocalServer *m_server = nullptr;
    QList<ServerConnection *> m_clients;
    ClientLimits m_limits;
    int m_maximumClients = 64;
};

} // namespace berth::remote
