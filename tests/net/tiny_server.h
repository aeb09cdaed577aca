// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QHash>
#include <QtCore/QObject>
#include <QtCore/QTemporaryDir>

#include <functional>

class QLocalServer;
class QLocalSocket;

namespace berth::test {

//! A server on a unix socket whose answers are raw bytes, for the faults that real servers seldom
//! show.
class TinyServer : public QObject
{
    Q_OBJECT
public:
    //! Called with each whole request (head and body); writes what it wants, whenever.
    using Answer = std::function<void(QLocalSocket *socket, const QByteArray &request)>;

    explicit TinyServer(Answer answer, QObject *parent = nullptr);

    [[nodiscard]] QString path() const { return m_directory.filePath(QStringLiteral("s")); }
    [[nodiscard]] int connections() const { return m_connections; }
    [[nodiscard]] const QList<QByteArray> &requests() const { return m_requests; }

private:
    void read(QLocalSocket *socket);

    QTemporaryDir m_directory;
    QLocalServer *m_server;
    Answer m_answer;
    QHash<QLocalSocket *, QByteArray> m_pending;
    QList<QByteArray> m_requests;
    int m_connections = 0;
};

//! One byte per write, each flushed by itself.
void drip(QLocalSocket *socket, const QByteArray &bytes);

} // namespace berth::test
