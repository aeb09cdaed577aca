// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/tiny_web_server.h"

#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtNetwork/QSslCertificate>
#include <QtNetwork/QSslConfiguration>
#include <QtNetwork/QSslKey>
#include <QtNetwork/QSslServer>
#include <QtNetwork/QTcpServer>
#include <QtNetwork/QTcpSocket>

namespace berth::test {

bool Certificates::openssl(const QStringList &arguments) const
{
    QProcess process;
    process.setWorkingDirectory(m_directory.path());
    process.start(QStringLiteral("openssl"), arguments);
    return process.waitForFinished() && process.exitCode() == 0;
}

bool Certificates::make()
{
    return openssl({QStringLiteral("req"), QStringLiteral("-x509"), QStringLiteral("-newkey"),
                    QStringLiteral("rsa:2048"), QStringLiteral("-nodes"), QStringLiteral("-keyout"),
                    QStringLiteral("ca.key"), QStringLiteral("-out"), QStringLiteral("ca.pem"),
                    QStringLiteral("-days"), QStringLiteral("2"), QStringLiteral("-subj"),
                    QStringLiteral("/CN=Harbour authority")})
        && openssl({QStringLiteral("req"), QStringLiteral("-newkey"), QStringLiteral("rsa:2048"),
                    QStringLiteral("-nodes"), QStringLiteral("-keyout"), QStringLiteral("key.pem"),
                    QStringLiteral("-out"), QStringLiteral("server.csr"), QStringLiteral("-subj"),
                    QStringLiteral("/CN=Tiny server")});
}

bool Certificates::sign(const QString &name, const QString &alternativeNames, int days)
{
    QFile extensions(file(name + QStringLiteral(".ext")));
    if (!extensions.open(QIODevice::WriteOnly))
        return false;
    extensions.write("subjectAltName=" + alternativeNames.toUtf8() + "\n");
    extensions.close();
    return openssl({QStringLiteral("x509"), QStringLiteral("-req"), QStringLiteral("-in"),
                    QStringLiteral("server.csr"), QStringLiteral("-CA"), QStringLiteral("ca.pem"),
                    QStringLiteral("-CAkey"), QStringLiteral("ca.key"),
                    QStringLiteral("-CAcreateserial"), QStringLiteral("-out"), name,
                    QStringLiteral("-days"), QString::number(days), QStringLiteral("-extfile"),
                    name + QStringLiteral(".ext")});
}

TinyWebServer::TinyWebServer(Answer answer, const QString &certificate, const QString &key)
    : m_answer(std::move(answer)), m_encrypted(!certificate.isEmpty())
{
    if (m_encrypted) {
        auto *server = new QSslServer(this);
        QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
        QFile keyFile(key);
        if (keyFile.open(QIODevice::ReadOnly))
            configuration.setPrivateKey(QSslKey(keyFile.readAll(), QSsl::Rsa));
        configuration.setLocalCertificate(QSslCertificate::fromPath(certificate).value(0));
        configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
        server->setSslConfiguration(configuration);
        m_server = server;
    } else {
        m_server = new QTcpServer(this);
    }
    m_server->listen(QHostAddress::LocalHost);
    connect(m_server, &QTcpServer::pendingConnectionAvailable, this, [this] { accept(); });
}

TinyWebServer::~TinyWebServer()
{
    // What dies with the server must not be told to it.
    for (auto it = m_pending.keyBegin(); it != m_pending.keyEnd(); ++it)
        (*it)->disconnect(this);
}

quint16 TinyWebServer::port() const
{
    return m_server->serverPort();
}

QString TinyWebServer::origin() const
{
    return QStringLiteral("%1://localhost:%2")
        .arg(m_encrypted ? QStringLiteral("https") : QStringLiteral("http"))
        .arg(port());
}

void TinyWebServer::release(QTcpSocket *socket)
{
    disconnect(socket, &QTcpSocket::readyRead, this, nullptr);
}

void TinyWebServer::accept()
{
    while (QTcpSocket *socket = m_server->nextPendingConnection()) {
        ++m_connections;
        ++m_open;
        m_pending.insert(socket, {});
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(socket); });
        connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
            --m_open;
            m_pending.remove(socket);
            socket->deleteLater();
        });
        if (socket->bytesAvailable() > 0)
            read(socket);
    }
}

void TinyWebServer::read(QTcpSocket *socket)
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
        if (!m_pending.contains(socket))
            return;
    }
}

TinyProxy::TinyProxy(QByteArray credentials)
    : m_credentials(std::move(credentials)),
      m_server([this](QTcpSocket *socket, const QByteArray &request) { serve(socket, request); })
{}

void TinyProxy::serve(QTcpSocket *socket, const QByteArray &request)
{
    if (!m_credentials.isEmpty()
        && !request.contains("Proxy-Authorization: Basic " + m_credentials.toBase64())) {
        socket->write("HTTP/1.1 407 Who is there\r\nProxy-Authenticate: Basic realm=\"x\"\r\n"
                      "Content-Length: 0\r\n\r\n");
        return;
    }
    if (!request.startsWith("CONNECT ")) {
        socket->write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nby proxy!");
        return;
    }
    const QByteArray target = request.split(' ').at(1);
    m_server.release(socket);
    auto *onward = new QTcpSocket(socket);
    connect(socket, &QTcpSocket::readyRead, onward,
            [socket, onward] { onward->write(socket->readAll()); });
    connect(onward, &QTcpSocket::readyRead, socket,
            [socket, onward] { socket->write(onward->readAll()); });
    connect(onward, &QTcpSocket::disconnected, socket, [socket] { socket->disconnectFromHost(); });
    connect(onward, &QTcpSocket::connected, socket,
            [socket] { socket->write("HTTP/1.1 200 Go on\r\n\r\n"); });
    onward->connectToHost(QStringLiteral("127.0.0.1"),
                          static_cast<quint16>(target.split(':').last().toInt()));
}

} // namespace berth::test
