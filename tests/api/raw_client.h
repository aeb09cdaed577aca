// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QElapsedTimer>
#include <QtCore/QMap>
#include <QtNetwork/QHostAddress>
#include <QtNetwork/QTcpSocket>

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

// HTTP by hand, so that a test can also say what no client library would.
namespace berth::test {

using nlohmann::json;

struct Answer
{
    int status = 0;
    //! Names in lower case.
    QMap<QByteArray, QByteArray> headers;
    QByteArray body;

    [[nodiscard]] json parsed() const;
    //! Of an error; empty: there is none.
    [[nodiscard]] std::string code() const;
};

inline QByteArray dechunked(QByteArray bytes)
{
    QByteArray out;
    while (!bytes.isEmpty()) {
        const qsizetype line = bytes.indexOf("\r\n");
        const qsizetype size = bytes.left(line).toLongLong(nullptr, 16);
        out += bytes.mid(line + 2, size);
        bytes = bytes.mid(line + 2 + size + 2);
        if (size == 0)
            break;
    }
    return out;
}

struct RawClient
{
    quint16 m_port = 0;
    QByteArray m_token;

    std::unique_ptr<QTcpSocket> connected()
    {
        auto socket = std::make_unique<QTcpSocket>();
        socket->connectToHost(QHostAddress(QHostAddress::LocalHost), m_port);
        socket->waitForConnected(5'000);
        return socket;
    }

    QByteArray authority() const { return "127.0.0.1:" + QByteArray::number(m_port); }

    //! Sends \a bytes and reads until the server closes.
    Answer raw(const QByteArray &bytes)
    {
        const std::unique_ptr<QTcpSocket> socket = connected();
        socket->write(bytes);
        QByteArray all;
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < 40'000) {
            all += socket->readAll();
            if (socket->state() != QAbstractSocket::ConnectedState && socket->bytesAvailable() == 0)
                break;
            socket->waitForReadyRead(1'000);
        }
        all += socket->readAll();
        Answer answer;
        const qsizetype end = all.indexOf("\r\n\r\n");
        const QList<QByteArray> lines = all.left(end).split('\n');
        answer.status = lines.value(0).split(' ').value(1).toInt();
        for (const QByteArray &line : lines.mid(1)) {
            const qsizetype colon = line.indexOf(':');
            answer.headers.insert(line.left(colon).trimmed().toLower(),
                                  line.mid(colon + 1).trimmed());
        }
        answer.body = end < 0 ? QByteArray() : all.mid(end + 4);
        if (answer.headers.value("transfer-encoding") == "chunked")
            answer.body = dechunked(answer.body);
        return answer;
    }

    Answer ask(const QByteArray &method, const QByteArray &path, const QByteArray &body = {},
               const QByteArray &more = {})
    {
        QByteArray head = method + ' ' + path + " HTTP/1.1\r\nHost: " + authority()
            + "\r\nConnection: close\r\nAuthorization: Bearer " + m_token + "\r\n" + more;
        if (!body.isNull()) {
            head += "Content-Length: " + QByteArray::number(body.size()) + "\r\n";
            if (!more.contains("Content-Type"))
                head += "Content-Type: application/json\r\n";
        }
        return raw(head + "\r\n" + body);
    }
};

} // namespace berth::test
