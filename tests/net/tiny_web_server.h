// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QHash>
#include <QtCore/QObject>
#include <QtCore/QTemporaryDir>

#include <functional>

class QTcpServer;
class QTcpSocket;

namespace berth::test {

//! Certificates that openssl makes for one test run.
class Certificates
{
public:
    //! Makes the authority; false: no openssl.
    bool make();
    [[nodiscard]] QString file(const QString &name) const { return m_directory.filePath(name); }
    [[nodiscard]] QString authority() const { return file(QStringLiteral("ca.pem")); }
    //! A certificate signed by the authority; \a days below zero: expired.
    bool sign(const QString &name, const QString &alternativeNames, int days);

private:
    [[nodiscard]] bool openssl(const QStringList &arguments) const;

    QTemporaryDir m_directory;
};

//! A server on a TCP port whose answers are raw bytes, for the faults that real servers seldom
//! show; with a certificate's file names it speaks TLS.
class TinyWebServer : public QObject
{
    Q_OBJECT
public:
    //! Called with each whole request (head and body); writes what it wants, whenever.
    using Answer = std::function<void(QTcpSocket *socket, const QByteArray &request)>;

    explicit TinyWebServer(Answer answer, const QString &certificate = {}, const QString &key = {});
    ~TinyWebServer() override;

    [[nodiscard]] quint16 port() const;
    //! With "localhost".
    [[nodiscard]] QString origin() const;
    [[nodiscard]] int connections() const { return m_connections; }
    [[nodiscard]] int open() const { return m_open; }
    [[nodiscard]] const QList<QByteArray> &requests() const { return m_requests; }
    //! The bytes of \a socket belong to somebody else from now on.
    void release(QTcpSocket *socket);

private:
    void accept();
    void read(QTcpSocket *socket);

    QTcpServer *m_server;
    Answer m_answer;
    bool m_encrypted;
    QHash<QTcpSocket *, QByteArray> m_pending;
    QList<QByteArray> m_requests;
    int m_connections = 0;
    int m_open = 0;
};

//! A proxy of HTTP: tunnels for CONNECT, and answers by itself for others.
class TinyProxy : public QObject
{
    Q_OBJECT
public:
    //! \a credentials: "user:password"; empty: anybody may use it.
    explicit TinyProxy(QByteArray credentials = {});

    [[nodiscard]] quint16 port() const { return m_server.port(); }
    [[nodiscard]] const QList<QByteArray> &requests() const { return m_server.requests(); }

private:
    void serve(QTcpSocket *socket, const QByteArray &request);

    QByteArray m_credentials;
    TinyWebServer m_server;
};

} // namespace berth::test
