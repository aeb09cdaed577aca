// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/remote_client.h"

#include "async/post.h"
#include "domain/log.h"
#include "remote/peer.h"

#include <QtNetwork/QLocalSocket>

#include <algorithm>

namespace berth::remote {

using application::Payload;
using domain::ErrorKind;

namespace {

domain::Error unavailable(const QString &reason)
{
    return {ErrorKind::Unavailable,
            QStringLiteral("There is no connection to Berth's engine"),
            reason,
            {},
            {}};
}

} // namespace

RemoteClient::RemoteClient(Locate locate, Options options, QObject *parent)
    : EngineClient(parent), m_locate(std::move(locate)), m_options(options)
{
    m_deadline.setSingleShot(true);
    m_retry.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, [this] { giveUp(unavailable(m_lastReason)); });
    connect(&m_retry, &QTimer::timeout, this, &RemoteClient::attempt);
    start();
}

RemoteClient::RemoteClient(const QString &socketPath, Options options, QObject *parent)
    : RemoteClient([socketPath] { return socketPath; }, options, parent)
{}

RemoteClient::~RemoteClient()
{
    closeSocket();
}

void RemoteClient::submit(domain::RequestId id, const QString &command, Payload arguments,
                          Done done)
{
    if (m_down)
        return finish(std::move(done), unavailable(m_lastReason));
    const Frame frame = toFrame(CommandMessage{id, command, std::move(arguments)});
    if (!fits(frame)) {
        return finish(std::move(done),
                      {ErrorKind::InvalidInput,
                       QStringLiteral("The command is too large to be sent"),
                       QStringLiteral("At most 16 MiB can be sent at once."),
                       {},
                       {}});
    }
    QByteArray bytes = packed(frame);
    if (m_connected) {
        m_waiting.insert(id, {std::move(done), std::nullopt});
        m_socket->write(bytes);
    } else {
        m_waiting.insert(id, {std::move(done), std::move(bytes)});
        m_unsent.append(id);
    }
}

void RemoteClient::cancel(const domain::RequestId &id)
{
    const auto waiting = m_waiting.find(id);
    if (waiting == m_waiting.end())
        return;
    if (!waiting->frame) {
        m_socket->write(packed(toFrame(CancelMessage{id})));
        return;
    }
    m_unsent.removeOne(id);
    finish(m_waiting.take(id).done,
           {ErrorKind::Cancelled, QStringLiteral("Cancelled before it was sent"), {}, {}, {}});
}

void RemoteClient::start()
{
    m_down = false;
    m_pause = m_options.firstPause;
    m_deadline.start(m_options.deadline);
    m_retry.start(0);
}

void RemoteClient::attempt()
{
    closeSocket();
    m_reader = FrameReader();
    m_retry.start(m_pause + m_options.deadline); // a peer that takes the call and says nothing
    const QString path = m_locate();
    if (path.isEmpty())
        return lost(QStringLiteral("It is not known where it listens"));
    m_socket = new QLocalSocket(this);
    connectSocket();
    m_socket->connectToServer(path);
}

void RemoteClient::connectSocket()
{
    // Queued: a refusal comes inside connectToServer() or write(), where nobody expects this object
    // to change.
    connect(
        m_socket, &QLocalSocket::errorOccurred, this,
        [this, socket = m_socket] {
            if (socket == m_socket)
                lost(socket->errorString());
        },
        Qt::QueuedConnection);
    connect(
        m_socket, &QLocalSocket::connected, this,
        [this, socket = m_socket] {
            if (socket != m_socket)
                return;
            if (const domain::Result<void> peer = checkPeer(socket->socketDescriptor()); !peer)
                return lost(peer.error().message);
            socket->write(packed(
                toFrame(Hello{kProtocolVersion, application::wireName(m_options.kind), {}})));
        },
        Qt::QueuedConnection);
    connect(m_socket, &QLocalSocket::readyRead, this, &RemoteClient::read);
}

void RemoteClient::read()
{
    // Whoever gets an answer or an event may delete this object.
    const QPointer<RemoteClient> self(this);
    const QLocalSocket *socket = m_socket;
    m_reader.append(m_socket->readAll());
    while (self && socket == m_socket) {
        domain::Result<std::optional<Frame>> frame = m_reader.next();
        if (!frame)
            return lost(frame.error().message);
        if (!*frame || !handle(**frame))
            return;
    }
}

bool RemoteClient::handle(const Frame &frame)
{
    const domain::Result<Message> message = toMessage(frame);
    if (!message) {
        domain::log(domain::LogLevel::Warning, "remote",
                    QStringLiteral("From the Engine: ") + message.error().message);
        lost(message.error().message);
        return false;
    }
    if (const auto *hello = std::get_if<Hello>(&*message); hello && !m_connected) {
        greeted(*hello);
    } else if (const auto *answer = std::get_if<AnswerMessage>(&*message); answer && m_connected) {
        answered(*answer);
    } else if (const auto *event = std::get_if<EventMessage>(&*message); event && m_connected) {
        happened(*event);
    } else {
        lost(QStringLiteral("The Engine sent a message that has no place there"));
        return false;
    }
    return true;
}

void RemoteClient::greeted(const Hello &hello)
{
    if (hello.error)
        return giveUp(*hello.error);
    if (hello.protocol != kProtocolVersion) {
        return giveUp({ErrorKind::Unsupported,
                       QStringLiteral("The running Berth is of another version"),
                       QStringLiteral("Quit it and start the new one."),
                       {},
                       {}});
    }
    m_deadline.stop();
    m_retry.stop();
    m_pause = m_options.firstPause;
    m_connected = true;
    m_down = false;
    m_lastSeq = 0;
    const QList<domain::RequestId> unsent = std::exchange(m_unsent, {});
    for (const domain::RequestId &id : unsent) {
        Waiting &waiting = m_waiting[id];
        m_socket->write(*waiting.frame);
        waiting.frame.reset();
    }
    Q_EMIT connectionChanged(true, {});
}

void RemoteClient::answered(const AnswerMessage &message)
{
    const auto waiting = m_waiting.constFind(message.id);
    if (waiting == m_waiting.constEnd() || waiting->frame)
        return;
    const Done done = m_waiting.take(message.id).done;
    done(message.answer);
}

void RemoteClient::happened(const EventMessage &message)
{
    const bool gap = m_lastSeq != 0 && message.event.seq - message.skipped > m_lastSeq + 1;
    m_lastSeq = message.event.seq;
    const QPointer<RemoteClient> self(this);
    if (gap)
        Q_EMIT connectionChanged(true, QStringLiteral("Some events were missed"));
    if (self)
        Q_EMIT event(message.event);
}

void RemoteClient::lost(const QString &reason)
{
    closeSocket();
    m_lastReason = reason;
    if (!m_connected) {
        // Behind the deadline without reconnect it is over; giveUp() has said so.
        if (!m_down || m_options.reconnect) {
            m_retry.start(m_pause);
            m_pause = std::min(m_pause * 2, m_options.longestPause);
        }
        return;
    }
    m_connected = false;
    QList<Done> sent;
    for (auto it = m_waiting.begin(); it != m_waiting.end();) {
        if (it->frame) {
            ++it;
            continue;
        }
        sent.append(std::move(it->done));
        it = m_waiting.erase(it);
    }
    for (Done &done : sent) {
        finish(std::move(done),
               {ErrorKind::Unavailable,
                QStringLiteral("The connection to Berth's engine was lost"),
                QStringLiteral("What became of the command is not known. %1").arg(reason),
                {},
                {}});
    }
    if (m_options.reconnect)
        start();
    else
        m_down = true;
    Q_EMIT connectionChanged(false, reason);
}

void RemoteClient::giveUp(domain::Error error)
{
    closeSocket();
    m_deadline.stop();
    m_down = true;
    m_lastReason = error.detail.isEmpty() ? error.message : error.detail;
    m_unsent.clear();
    const QHash<domain::RequestId, Waiting> waiting = std::exchange(m_waiting, {});
    for (const Waiting &entry : waiting)
        finish(entry.done, error);
    if (m_options.reconnect)
        m_retry.start(m_options.longestPause);
    else
        m_retry.stop();
    Q_EMIT connectionChanged(false, error.message);
}

void RemoteClient::closeSocket()
{
    if (!m_socket)
        return;
    // It may be the one that called: it goes later, even when this object goes now.
    m_socket->disconnect(this);
    m_socket->setParent(nullptr);
    m_socket->abort();
    m_socket->deleteLater();
    m_socket = nullptr;
}

void RemoteClient::finish(Done done, domain::Error error)
{
    async::post(
        this, [done = std::move(done), error = std::move(error)] { done(domain::failure(error)); });
}

} // namespace berth::remote
