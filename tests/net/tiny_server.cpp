// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/tiny_server.h"

#include <QtNetwork/QLocalServer>
#include <QtNetwork/QLocalSocket>

namespace berth::test {

TinyServer::TinyServer(Answer answer, QObject *parent)
    : QObject(parent), m_server(new QLocalServer(this)), m_answer(std::move(answer))
{
    m_server->listen(path());
    connect(m_server, &QLocalServer::newConnection, this, [this] {
        while (QLocalSocket *socket = m_server->nextPendingConnection()) {
            ++m_connections;
            connect(socket, &QLocalSocket::readyRead, this, [this, socket] { read(socket); });
            connect(socket, &QLocalSocket::disconnected, this, [this, socket] {
                m_pending.remove(socket);
                socket->deleteLater();
            });
        }
    });
}

void TinyServer::read(QLocalSocket *socket)
{
    QByteArray &pending = m_pending[socket];
    pending += socket->readAll();
    for (;;) {
        const qsizetype end = pending.indexOf("\r\n\r\n");
        if (end < 0)
            return;
        qsizetype length = 0;
        for (const QByteArray &line : pending.first(end).split('\n')) {
            if (line.toLower().startsWith("content-length:"))
                length = line.mid(15).trimmed().toLongLong();
        }
        const qsizetype whole = end + 4 + length;
        if (pending.size() < whole)
            return;
        const QByteArray request = pending.first(whole);
        pending.remove(0, whole);
        m_requests.append(request);
        m_answer(socket, request);
    }
}

void drip(QLocalSocket *socket, const QByteArray &bytes)
{
    for (const char c : bytes) {
        socket->write(&c, 1);
        socket->flush();
    }
}

} // namespace berth::test
