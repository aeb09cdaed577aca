// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/api_server.h"
#include "api/raw_client.h"
#include "application/in_process_client.h"
#include "cli/support/scripted_engine.h"

#include <QtCore/QTemporaryDir>
#include <QtCore/QThread>

#include <functional>

namespace berth::test {

//! The server before an Engine that plays a script, both on a thread of their own, and its client.
struct ScriptedServer : RawClient
{
    QTemporaryDir m_home;
    QThread m_thread;
    ScriptedEngine *m_engine = nullptr;
    api::ApiServer *m_server = nullptr;

    void onEngine(const std::function<void()> &work)
    {
        QMetaObject::invokeMethod(m_engine, work, Qt::BlockingQueuedConnection);
    }

    template <typename Command>
    void play(ScriptedEngine::Player player)
    {
        m_engine->players.insert(QString::fromLatin1(Command::kName), std::move(player));
    }

    void start(api::ApiSettings settings)
    {
        m_engine = new ScriptedEngine;
        m_engine->moveToThread(&m_thread);
        m_thread.start();
        onEngine([this, &settings] {
            settings.listen.port = 0;
            settings.dataDirectory = m_home.path();
            settings.version = QStringLiteral("1.2.3");
            settings.ping = std::chrono::milliseconds(200);
            m_server = new api::ApiServer(settings,
                                          std::make_unique<application::InProcessClient>(
                                              *m_engine, m_engine, application::ClientKind::Api));
            const domain::Result<api::ListenAddress> listening = m_server->listen();
            if (!listening)
                qFatal("%s", qPrintable(listening.error().message));
            m_port = listening->port;
        });
        m_token = api::TokenFile(m_home.path()).read()->exposeForWire();
    }

    int live()
    {
        int count = 0;
        onEngine([this, &count] { count = m_server->live(); });
        return count;
    }

    //! A request whose answer goes on.
    std::unique_ptr<QTcpSocket> opened(const QByteArray &method, const QByteArray &path,
                                       const QByteArray &more = {})
    {
        std::unique_ptr<QTcpSocket> socket = connected();
        socket->write(method + ' ' + path + " HTTP/1.1\r\nHost: " + authority()
                      + "\r\nAuthorization: Bearer " + m_token + "\r\n" + more + "\r\n");
        socket->waitForBytesWritten(2'000);
        return socket;
    }

    //! After the server has ended.
    void quit()
    {
        onEngine([this] { delete m_server; });
        // Behind what its client has posted on its leave.
        onEngine([] {});
        m_engine->deleteLater();
        m_thread.quit();
        m_thread.wait();
    }
};

//! What comes until \a wanted is in it.
inline QByteArray readUntil(QTcpSocket &socket, const QByteArray &wanted, int limitMs = 10'000)
{
    QByteArray all;
    QElapsedTimer clock;
    clock.start();
    while (!all.contains(wanted) && clock.elapsed() < limitMs
           && socket.state() == QAbstractSocket::ConnectedState) {
        socket.waitForReadyRead(200);
        all += socket.readAll();
    }
    return all;
}

} // namespace berth::test
