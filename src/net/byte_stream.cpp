// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/byte_stream.h"

#include "async/completion.h"
#include "net/process_dialer.h"

#include <QtCore/QProcess>
#include <QtCore/QTimer>
#include <QtNetwork/QLocalSocket>
#include <QtNetwork/QSslSocket>

namespace berth::net {

using domain::ErrorKind;
using domain::failure;

ByteStream ownedStream(QIODevice *device)
{
    return ByteStream(device, [](QIODevice *dropped) {
        // A socket tells of its own end while it is deleted; nobody must hear that any more.
        dropped->disconnect();
        if (auto *local = qobject_cast<QLocalSocket *>(dropped))
            local->abort();
        else if (auto *socket = qobject_cast<QAbstractSocket *>(dropped))
            socket->abort();
        else
            dropped->close();
        dropped->deleteLater();
    });
}

bool isStreamOpen(const QIODevice &device)
{
    if (const auto *local = qobject_cast<const QLocalSocket *>(&device))
        return local->state() == QLocalSocket::ConnectedState;
    if (const auto *socket = qobject_cast<const QAbstractSocket *>(&device))
        return socket->state() == QAbstractSocket::ConnectedState;
    return device.isOpen();
}

async::Task<StreamEvent> awaitReadable(ByteStream stream, std::chrono::milliseconds timeout,
                                       std::stop_token stop)
{
    if (stop.stop_requested())
        co_return StreamEvent::Stopped;
    if (stream->bytesAvailable() > 0)
        co_return StreamEvent::Readable;
    if (!isStreamOpen(*stream))
        co_return StreamEvent::Closed;

    const async::Completion<StreamEvent> event;
    QObject context;
    const auto ended = [event] { event.complete(StreamEvent::Closed); };
    QObject::connect(stream.get(), &QIODevice::readyRead, &context,
                     [event] { event.complete(StreamEvent::Readable); });
    QObject::connect(stream.get(), &QIODevice::readChannelFinished, &context, ended);
    QObject::connect(stream.get(), &QIODevice::aboutToClose, &context, ended);
    if (auto *local = qobject_cast<QLocalSocket *>(stream.get()))
        QObject::connect(local, &QLocalSocket::disconnected, &context, ended);
    else if (auto *socket = qobject_cast<QAbstractSocket *>(stream.get()))
        QObject::connect(socket, &QAbstractSocket::disconnected, &context, ended);
    QTimer timer;
    if (timeout.count() > 0) {
        timer.setSingleShot(true);
        QObject::connect(&timer, &QTimer::timeout, &context,
                         [event] { event.complete(StreamEvent::TimedOut); });
        timer.start(timeout);
    }
    StreamEvent first = StreamEvent::Closed;
    {
        const std::stop_callback onStop(stop, [event] { event.complete(StreamEvent::Stopped); });
        first = co_await event;
    }
    if (first != StreamEvent::Stopped && stream->bytesAvailable() > 0)
        co_return StreamEvent::Readable;
    co_return first;
}

namespace {

//! A program's last words come by another pipe than its output's end.
constexpr int kLastWordsMs = 1000;

} // namespace

async::Task<std::optional<domain::Error>> endReason(ByteStream stream)
{
    if (auto *encrypted = qobject_cast<QSslSocket *>(stream.get())) {
        // With TLS 1.3 a server refuses our certificate only after the handshake is over for us.
        const QAbstractSocket::SocketError error = encrypted->error();
        if (error == QAbstractSocket::SslInternalError
            || error == QAbstractSocket::SslInvalidUserDataError
            || error == QAbstractSocket::SslHandshakeFailedError)
            co_return domain::Error{
                ErrorKind::Unauthorized,
                QStringLiteral("%1 refused the encrypted connection").arg(encrypted->peerName()),
                encrypted->localCertificate().isNull()
                    ? QStringLiteral("It asks for a client certificate (cert.pem and key.pem). %1")
                          .arg(encrypted->errorString())
                    : QStringLiteral("It does not take the client certificate. %1")
                          .arg(encrypted->errorString()),
                {},
                {}};
        co_return std::nullopt;
    }
    auto *program = qobject_cast<ProcessStream *>(stream.get());
    if (!program)
        co_return std::nullopt;
    QProcess &process = program->process();
    if (process.state() != QProcess::NotRunning) {
        const async::Completion<bool> ended;
        QObject context;
        QObject::connect(&process, &QProcess::finished, &context,
                         [ended] { ended.complete(true); });
        QTimer::singleShot(kLastWordsMs, &context, [ended] { ended.complete(false); });
        co_await ended;
    }
    program->readSaid();
    const QString name = process.program().section(QLatin1Char('/'), -1);
    const bool ran = process.state() != QProcess::NotRunning;
    co_return domain::Error{
        ErrorKind::Unavailable,
        ran ? QStringLiteral("%1 closed the connection").arg(name)
            : QStringLiteral("%1 ended with code %2").arg(name).arg(process.exitCode()),
        QString::fromUtf8(program->said()).simplified(),
        {},
        {}};
}

Dialer::~Dialer() = default;

namespace {

domain::Async<ByteStream> dialLocal(QString path, std::chrono::milliseconds timeout,
                                    std::stop_token stop)
{
    auto *socket = new QLocalSocket;
    const ByteStream stream = ownedStream(socket);
    socket->setReadBufferSize(kReadBuffer);

    enum class Ended { Connected, Failed, TimedOut, Stopped };
    const async::Completion<Ended> ended;
    QObject context;
    QObject::connect(socket, &QLocalSocket::connected, &context,
                     [ended] { ended.complete(Ended::Connected); });
    QObject::connect(socket, &QLocalSocket::errorOccurred, &context,
                     [ended] { ended.complete(Ended::Failed); });
    QTimer timer;
    timer.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, &context,
                     [ended] { ended.complete(Ended::TimedOut); });
    if (timeout.count() > 0)
        timer.start(timeout);
    socket->connectToServer(path);
    Ended how = Ended::Failed;
    {
        const std::stop_callback onStop(stop, [ended] { ended.complete(Ended::Stopped); });
        how = co_await ended;
    }
    if (how == Ended::Connected)
        co_return stream;
    if (how == Ended::Stopped)
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled while connecting"));
    if (how == Ended::TimedOut)
        co_return failure(ErrorKind::Timeout,
                          QStringLiteral("%1 does not take the connection").arg(path));
    switch (socket->error()) {
    case QLocalSocket::ServerNotFoundError:
        co_return failure(ErrorKind::Unavailable,
                          QStringLiteral("There is no socket %1").arg(path));
    case QLocalSocket::SocketAccessError:
        co_return failure(ErrorKind::Forbidden,
                          QStringLiteral("No permission to use %1").arg(path));
    case QLocalSocket::ConnectionRefusedError:
        co_return failure(ErrorKind::Unavailable, QStringLiteral("Nobody listens at %1").arg(path));
    default:
        co_return failure(
            ErrorKind::Unavailable,
            QStringLiteral("Cannot connect to %1: %2").arg(path, socket->errorString()));
    }
}

} // namespace

domain::Async<ByteStream> LocalDialer::dial(std::chrono::milliseconds timeout, std::stop_token stop)
{
    return dialLocal(m_path, timeout, std::move(stop));
}

} // namespace berth::net
