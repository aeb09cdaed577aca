// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/guest/guest_socket.h"

#include "async/completion.h"
#include "domain/log.h"
#include "net/byte_stream.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QRandomGenerator>
#include <QtNetwork/QLocalServer>
#include <QtNetwork/QLocalSocket>

#include <sys/socket.h>
#include <sys/stat.h>

namespace berth::net {

using domain::ErrorKind;
using domain::failure;
using domain::Result;
using namespace std::chrono_literals;

namespace {

constexpr auto kAnswerIn = 3s;
//! A socket connects at once or not at all; what remains is the time of a busy machine.
constexpr auto kConnectIn = 2s;

void note(const QString &what)
{
    domain::log(domain::LogLevel::Debug, "guest", what);
}

bool isPeer(const QLocalSocket &socket, qint64 pid)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    const int fd = static_cast<int>(socket.socketDescriptor());
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid == pid;
}

//! Every byte is looked at, whatever the first ones are.
bool isSame(const QByteArray &a, const QByteArray &b)
{
    if (a.size() != b.size())
        return false;
    int difference = 0;
    for (qsizetype i = 0; i < a.size(); ++i)
        difference |= a[i] ^ b[i];
    return difference == 0;
}

std::unique_ptr<QLocalServer> listenIn(const QString &directory)
{
    if (directory.toLocal8Bit().size() > kLongestSocketDirectory || !QDir().mkpath(directory)
        || ::chmod(QFile::encodeName(directory).constData(), 0711) != 0)
        return nullptr;
    auto server = std::make_unique<QLocalServer>();
    server->setSocketOptions(QLocalServer::WorldAccessOption);
    const QString path = directory + QStringLiteral("/s");
    QLocalServer::removeServer(path);
    if (!server->listen(path)) {
        note(QStringLiteral("no socket at %1: %2").arg(path, server->errorString()));
        return nullptr;
    }
    return server;
}

async::Task<bool> awaitConnection(QLocalServer *server, std::chrono::milliseconds timeout,
                                  std::stop_token stop)
{
    if (server->hasPendingConnections())
        co_return true;
    const async::Completion<bool> came;
    QTimer timer;
    timer.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, &timer, [came] { came.complete(false); });
    timer.start(timeout);
    const QMetaObject::Connection connection = QObject::connect(
        server, &QLocalServer::newConnection, server, [came] { came.complete(true); });
    const std::stop_callback onStop(stop, [came] { came.complete(false); });
    const bool result = co_await came;
    QObject::disconnect(connection);
    co_return result;
}

//! The first who is the runner and knows the token; null when nobody came in time.
async::Task<ByteStream> acceptRunner(QLocalServer *server, QByteArray token, qint64 pid,
                                     std::stop_token stop)
{
    const QDeadlineTimer deadline(kConnectIn);
    while (!deadline.hasExpired() && !stop.stop_requested()) {
        const std::chrono::milliseconds left{std::max<qint64>(1, deadline.remainingTime())};
        const bool came = co_await awaitConnection(server, left, stop);
        if (!came)
            break;
        QLocalSocket *socket = server->nextPendingConnection();
        if (!socket)
            continue;
        socket->setParent(nullptr);
        socket->setReadBufferSize(kReadBuffer);
        const ByteStream stream = ownedStream(socket);
        if (!isPeer(*socket, pid)) {
            note(QStringLiteral("somebody else than the runner came to its socket"));
            continue;
        }
        QByteArray shown;
        while (shown.size() < token.size() && !deadline.hasExpired()) {
            shown += stream->read(token.size() - shown.size());
            if (shown.size() == token.size())
                break;
            const std::chrono::milliseconds rest{std::max<qint64>(1, deadline.remainingTime())};
            const StreamEvent event = co_await awaitReadable(stream, rest, stop);
            if (event != StreamEvent::Readable)
                break;
        }
        if (isSame(shown, token))
            co_return stream;
    }
    const ByteStream nobody;
    co_return nobody;
}

async::Task<Result<bool>> tellRunner(std::shared_ptr<GuestChannel> channel, QByteArray token,
                                     QByteArray path, std::stop_token stop)
{
    std::stop_source bounded;
    QTimer deadline;
    deadline.setSingleShot(true);
    QObject::connect(&deadline, &QTimer::timeout, &deadline,
                     [&bounded] { bounded.request_stop(); });
    deadline.start(kAnswerIn);
    const std::stop_callback onStop(stop, [&bounded] { bounded.request_stop(); });
    GuestWriter body;
    body.bytes(token);
    body.bytes(path);
    const Result<GuestChannel::Answer> answer =
        co_await channel->request(BG_MOVE, body.body(), 0, bounded.get_token());
    if (!answer)
        co_return failure(answer.error());
    co_return true;
}

} // namespace

async::Task<std::shared_ptr<GuestChannel>> movedToSocket(std::shared_ptr<GuestChannel> channel,
                                                         GuestSocketPlace place,
                                                         GuestChannelOptions options,
                                                         std::stop_token stop)
{
    if ((channel->hello().capabilities & BG_CAP_MOVE) == 0 || place.pid <= 0)
        co_return channel;
    const std::unique_ptr<QLocalServer> server = listenIn(place.directory);
    if (!server)
        co_return channel;
    QByteArray token(BG_MOVE_TOKEN, '\0');
    QRandomGenerator::system()->generate(token.begin(), token.end());
    const Result<bool> told =
        co_await tellRunner(channel, token, place.inside + QByteArrayLiteral("/s"), stop);
    if (!told) {
        note(QStringLiteral("the runner stays on its stream: ") + told.error().message);
        co_return channel;
    }
    const ByteStream stream = co_await acceptRunner(server.get(), token, place.pid, stop);
    if (!stream)
        co_return channel;
    options.reattach = false;
    const Result<std::shared_ptr<GuestChannel>> moved =
        co_await GuestChannel::open(stream, options, stop);
    if (!moved) {
        note(QStringLiteral("no greeting over the socket: ") + moved.error().message);
        co_return channel;
    }
    // Only the stream: the runner and what runs there are the new channel's.
    channel->close(QStringLiteral("moved to a socket"));
    const std::shared_ptr<GuestChannel> result = *moved;
    co_return result;
}

} // namespace berth::net
