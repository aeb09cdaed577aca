// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/server_connection.h"

#include "async/post.h"
#include "domain/log.h"

#include <QtNetwork/QLocalSocket>

namespace berth::remote {

using application::ClientKind;
using domain::ErrorKind;

namespace {

constexpr qint64 kReadPiece = 256 * 1024;
//! What is given to the socket ahead of the client's reading; the rest waits where it can still be
//! merged.
constexpr qint64 kWriteAhead = 256 * 1024;
constexpr qsizetype kLargestHello = 64 * 1024;

std::optional<ClientKind> clientKindFrom(const QString &name)
{
    for (const ClientKind kind : {ClientKind::Window, ClientKind::Cli, ClientKind::Api}) {
        if (application::wireName(kind) == name)
            return kind;
    }
    return std::nullopt;
}

} // namespace

ServerConnection::ServerConnection(application::EngineHost &host, QLocalSocket *socket,
                                   const ClientLimits &limits, QObject *parent)
    : QObject(parent), m_host(host), m_socket(socket), m_limits(limits)
{
    m_socket->setParent(this);
    m_socket->setReadBufferSize(4 * kReadPiece);
    m_reader.setLimit(kLargestHello);
    m_helloTimer.setSingleShot(true);
    connect(&m_helloTimer, &QTimer::timeout, this,
            [this] { drop(QStringLiteral("it did not introduce itself")); });
    m_helloTimer.start(m_limits.hello);
    connectSocket();
}

ServerConnection::~ServerConnection()
{
    // It may be the one that called, by a command that ends the Engine.
    m_socket->disconnect(this);
    m_socket->setParent(nullptr);
    m_socket->abort();
    m_socket->deleteLater();
}

void ServerConnection::connectSocket()
{
    connect(m_socket, &QLocalSocket::readyRead, this, &ServerConnection::read);
    connect(m_socket, &QLocalSocket::bytesWritten, this, &ServerConnection::write);
    connect(m_socket, &QLocalSocket::disconnected, this, [this] { drop({}); });
    // It may have spoken before anybody listened.
    async::post(this, [this] { read(); });
}

void ServerConnection::refuse(domain::Error error)
{
    sendFrame(toFrame(Hello{kProtocolVersion, QStringLiteral("engine"), std::move(error)}));
    close();
}

void ServerConnection::close()
{
    if (m_dead)
        return;
    while (std::optional<QByteArray> frame = m_outbox.take())
        m_socket->write(*frame);
    m_socket->flush();
    drop({});
}

void ServerConnection::read()
{
    while (!m_dead && m_socket->bytesAvailable() > 0) {
        if (m_outbox.frameBytes() > m_limits.answerBytesPause)
            return; // write() goes on with it
        m_reader.append(m_socket->read(kReadPiece));
        while (!m_dead) {
            domain::Result<std::optional<Frame>> frame = m_reader.next();
            if (!frame)
                return drop(frame.error().message);
            if (!*frame)
                break;
            if (!handle(**frame))
                return;
        }
    }
}

bool ServerConnection::handle(const Frame &frame)
{
    const domain::Result<Message> message = toMessage(frame);
    if (!message) {
        drop(message.error().message);
        return false;
    }
    if (const auto *hello = std::get_if<Hello>(&*message); hello && !m_session)
        return greet(*hello);
    if (m_session) {
        if (const auto *command = std::get_if<CommandMessage>(&*message))
            return submit(*command);
        if (const auto *cancel = std::get_if<CancelMessage>(&*message)) {
            m_session->cancel(cancel->id);
            return true;
        }
    }
    drop(QStringLiteral("a message came that has no place there"));
    return false;
}

bool ServerConnection::greet(const Hello &hello)
{
    m_helloTimer.stop();
    if (hello.protocol != kProtocolVersion) {
        refuse(
            {ErrorKind::Unsupported,
             QStringLiteral("The running Berth speaks protocol %1, this program %2")
                 .arg(kProtocolVersion)
                 .arg(hello.protocol),
             QStringLiteral(
                 "They are of different versions. Quit the running Berth and start the new one."),
             {},
             {}});
        return false;
    }
    const std::optional<ClientKind> kind = clientKindFrom(hello.client);
    if (!kind) {
        drop(QStringLiteral("it called itself something unknown"));
        return false;
    }
    m_reader.setLimit(kLargestFrame);
    sendFrame(toFrame(Hello{kProtocolVersion, QStringLiteral("engine"), {}}));
    m_session = m_host.openSession(*kind);
    connect(m_session.get(), &application::EngineSession::answered, this,
            &ServerConnection::sendAnswer);
    connect(m_session.get(), &application::EngineSession::event, this,
            &ServerConnection::sendEvent);
    return !m_dead;
}

bool ServerConnection::submit(const CommandMessage &message)
{
    if (m_inFlight.size() >= m_limits.commandsInFlight) {
        sendAnswer(message.id,
                   domain::failure(ErrorKind::RateLimited,
                                   QStringLiteral("Too many commands at once"),
                                   QStringLiteral("Wait for the answers of the earlier ones.")));
    } else {
        m_inFlight.insert(message.id);
        m_session->submit(message.id, message.command, message.arguments);
    }
    return !m_dead;
}

void ServerConnection::sendAnswer(const domain::RequestId &id,
                                  const domain::Result<application::Payload> &answer)
{
    m_inFlight.remove(id);
    Frame frame = toFrame(AnswerMessage{id, answer});
    if (!fits(frame)) {
        frame = toFrame(
            AnswerMessage{id,
                          domain::failure(ErrorKind::Internal,
                                          QStringLiteral("The answer is too large to be sent"))});
    }
    sendFrame(frame);
}

void ServerConnection::sendEvent(const application::Event &event)
{
    if (m_dead)
        return;
    m_outbox.addEvent(event);
    write();
    if (m_outbox.eventBytes() > m_limits.eventBytes)
        drop(QStringLiteral("it does not read: %1 KiB of events wait")
                 .arg(m_outbox.eventBytes() / 1024));
}

void ServerConnection::sendFrame(const Frame &frame)
{
    if (m_dead)
        return;
    m_outbox.addFrame(packed(frame));
    write();
    if (m_outbox.frameBytes() > m_limits.answerBytes)
        drop(QStringLiteral("it does not read: %1 KiB of answers wait")
                 .arg(m_outbox.frameBytes() / 1024));
}

void ServerConnection::write()
{
    if (m_dead)
        return;
    const bool paused = m_outbox.frameBytes() > m_limits.answerBytesPause;
    while (!m_dead && m_socket->bytesToWrite() < kWriteAhead) {
        const std::optional<QByteArray> frame = m_outbox.take();
        if (!frame)
            break;
        m_socket->write(*frame);
    }
    if (paused && m_outbox.frameBytes() <= m_limits.answerBytesPause)
        async::post(this, [this] { read(); });
}

void ServerConnection::drop(const QString &why)
{
    if (m_dead)
        return;
    m_dead = true;
    m_helloTimer.stop();
    if (!why.isEmpty())
        domain::log(domain::LogLevel::Warning, "remote",
                    QStringLiteral("A client is disconnected: ") + why);
    // The session may be the one that called: it is deleted with this object, later.
    if (m_session)
        m_session->disconnect(this);
    m_socket->disconnect(this);
    m_socket->abort();
    Q_EMIT gone();
}

} // namespace berth::remote
