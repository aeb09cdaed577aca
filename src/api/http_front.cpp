// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/http_front.h"

#include "domain/log.h"

#include <arpa/inet.h>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>

namespace berth::api {

using domain::ErrorKind;
using domain::failure;

namespace {

//! Room for the head of a request with what the library makes of it.
constexpr size_t kPoolBytes = 80 * 1024;
//! Pieces of a streamed body; what the Engine takes at once.
constexpr qsizetype kPieceBytes = 256 * 1024;
constexpr size_t kBlockBytes = 64 * 1024;
//! More connections than are served, so that those get a proper refusal.
constexpr unsigned kRefused = 8;

using Held = std::shared_ptr<Exchange>;

MHD_Result toMhd(bool value)
{
    return value ? MHD_YES : MHD_NO;
}

MHD_Result takeHeader(void *cls, MHD_ValueKind, const char *key, size_t keySize, const char *value,
                      size_t valueSize)
{
    auto *head = static_cast<Head *>(cls);
    head->headers.append({QByteArray(key, static_cast<qsizetype>(keySize)).toLower(),
                          QByteArray(value ? value : "", static_cast<qsizetype>(valueSize))});
    head->size += static_cast<qsizetype>(keySize + valueSize);
    return MHD_YES;
}

MHD_Result takeQuery(void *cls, MHD_ValueKind, const char *key, size_t keySize, const char *value,
                     size_t valueSize)
{
    auto *head = static_cast<Head *>(cls);
    head->query.append({QByteArray(key, static_cast<qsizetype>(keySize)),
                        QByteArray(value ? value : "", static_cast<qsizetype>(valueSize))});
    head->size += static_cast<qsizetype>(keySize + valueSize);
    return MHD_YES;
}

void queue(MHD_Connection *connection, const Reply &reply, MHD_Response *response, bool &queued)
{
    MHD_add_response_header(response, "Content-Type", reply.type.constData());
    MHD_add_response_header(response, "Cache-Control", "no-store");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    for (const auto &[name, value] : reply.headers)
        MHD_add_response_header(response, name.constData(), value.constData());
    queued =
        MHD_queue_response(connection, static_cast<unsigned>(reply.status), response) == MHD_YES;
    MHD_destroy_response(response);
}

MHD_Response *bufferResponse(const QByteArray &body)
{
    return MHD_create_response_from_buffer(static_cast<size_t>(body.size()),
                                           const_cast<char *>(body.constData()),
                                           MHD_RESPMEM_MUST_COPY);
}

bool answer(MHD_Connection *connection, Reply reply, bool close)
{
    if (close)
        reply.headers.append({QByteArrayLiteral("Connection"), QByteArrayLiteral("close")});
    bool queued = false;
    queue(connection, reply, bufferResponse(reply.body), queued);
    return queued;
}

void logLine(void *, const char *format, va_list arguments)
{
    std::array<char, 512> line{};
    std::vsnprintf(line.data(), line.size(), format, arguments);
    // Mostly of clients that went away, which is theirs to do.
    domain::log(domain::LogLevel::Debug, "api", QString::fromUtf8(line.data()).trimmed());
}

} // namespace

//! What the library calls, on its thread.
struct FrontCalls
{
    struct Reading
    {
        HttpFront *front;
        Held exchange;
    };

    static void notifyClient(void *cls, MHD_Connection *connection, void **context,
                             MHD_ConnectionNotificationCode code)
    {
        auto *front = static_cast<HttpFront *>(cls);
        if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
            delete static_cast<HttpFront::Client *>(*context);
            *context = nullptr;
            --front->m_clients;
            return;
        }
        ++front->m_clients;
        const MHD_ConnectionInfo *facts =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        const int duplicate = facts ? ::fcntl(facts->connect_fd, F_DUPFD_CLOEXEC, 0) : -1;
        auto *client = new HttpFront::Client{std::make_shared<ClientSocket>(duplicate)};
        client->socket->deadline = steadyMs() + front->m_settings.headDeadline.count();
        *context = client;
        front->tell({Turn::Connected, {}, client->socket});
    }

    static std::shared_ptr<ClientSocket> socketOf(MHD_Connection *connection)
    {
        const MHD_ConnectionInfo *facts =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
        return static_cast<HttpFront::Client *>(facts->socket_context)->socket;
    }

    //! The first call for a request: only its head is there.
    static MHD_Result begin(HttpFront *front, MHD_Connection *connection, const char *url,
                            const char *method, void **context)
    {
        Head head;
        head.method = method;
        head.path = url;
        head.size = head.path.size();
        MHD_get_connection_values_n(connection, MHD_HEADER_KIND, &takeHeader, &head);
        MHD_get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, &takeQuery, &head);
        const std::shared_ptr<ClientSocket> socket = socketOf(connection);
        if (front->m_clients > front->m_settings.maximumClients) {
            socket->deadline = 0;
            front->countRefusal(503);
            return toMhd(answer(
                connection,
                refusal(503, "unavailable", QStringLiteral("Too many connections at once")), true));
        }
        std::variant<Admitted, Reply> admitted = front->m_gate.admit(head, front->m_port);
        if (Reply *refused = std::get_if<Reply>(&admitted)) {
            socket->deadline = 0;
            front->countRefusal(refused->status);
            // A body that was not asked for is not read.
            const bool close = head.count("transfer-encoding") > 0
                || head.header("content-length").toLongLong() > 0 || head.method == "HEAD";
            return toMhd(answer(connection, *refused, close));
        }
        auto exchange = std::make_shared<Exchange>();
        exchange->connection = connection;
        exchange->socket = socket;
        exchange->route = std::get<Admitted>(admitted).route;
        exchange->request = std::move(std::get<Admitted>(admitted).request);
        *context = new Held(exchange);
        if (exchange->route->bodyKind == BodyKind::Stream) {
            // Before a byte of it: the Engine may refuse it.
            return toMhd(front->handOver(Turn::Begin, exchange));
        }
        socket->deadline = exchange->request.declaredLength > 0 ? front->bodyDeadline() : 0;
        return MHD_YES;
    }

    static MHD_Result access(void *cls, MHD_Connection *connection, const char *url,
                             const char *method, const char *, const char *data, size_t *size,
                             void **context)
    {
        auto *front = static_cast<HttpFront *>(cls);
        if (!*context)
            return begin(front, connection, url, method, context);
        const Held exchange = *static_cast<Held *>(*context);
        exchange->baton.load(std::memory_order_acquire);
        if (exchange->reply && !exchange->replyQueued) {
            // In the middle of a body no answer can be given; a client that does not listen is cut.
            if (*size > 0)
                return MHD_NO;
            return send(front, exchange);
        }
        const bool streamed = exchange->route->bodyKind == BodyKind::Stream;
        if (*size > 0) {
            QByteArray &kept = streamed ? exchange->inbound : exchange->request.body;
            if (!streamed && kept.size() + static_cast<qsizetype>(*size) > kMostBodyBytes)
                return MHD_NO;
            kept.append(data, static_cast<qsizetype>(*size));
            *size = 0;
            if (!streamed)
                return MHD_YES;
            if (kept.size() >= kPieceBytes)
                return toMhd(front->handOver(Turn::Piece, exchange));
            exchange->socket->deadline = front->bodyDeadline();
            return MHD_YES;
        }
        if (!streamed)
            return toMhd(front->handOver(Turn::Begin, exchange));
        if (exchange->inboundEnded)
            return MHD_NO;
        if (!exchange->begun) {
            // Back from the Engine, which wants the body.
            exchange->begun = true;
            if (exchange->request.declaredLength > 0)
                return MHD_YES;
        }
        exchange->inboundEnded = true;
        return toMhd(front->handOver(Turn::Piece, exchange));
    }

    static MHD_Result send(HttpFront *front, const Held &exchange)
    {
        exchange->replyQueued = true;
        exchange->socket->deadline = 0;
        const Reply &reply = *exchange->reply;
        // Before its body has come: the rest of that is not read.
        const bool early = exchange->route->bodyKind == BodyKind::Stream && !exchange->inboundEnded;
        if (!reply.source)
            return toMhd(answer(exchange->connection, reply, early));
        MHD_Response *response = MHD_create_response_from_callback(
            reply.length < 0 ? MHD_SIZE_UNKNOWN : static_cast<uint64_t>(reply.length), kBlockBytes,
            &read, new Reading{front, exchange},
            [](void *cls) { delete static_cast<Reading *>(cls); });
        bool queued = false;
        queue(exchange->connection, reply, response, queued);
        return toMhd(queued);
    }

    static ssize_t read(void *cls, uint64_t, char *buffer, size_t room)
    {
        const auto *reading = static_cast<Reading *>(cls);
        const Held &exchange = reading->exchange;
        exchange->baton.load(std::memory_order_acquire);
        const qsizetype left = exchange->outbound.size() - exchange->outboundTaken;
        if (left > 0) {
            const qsizetype count = std::min(left, static_cast<qsizetype>(room));
            std::memcpy(buffer, exchange->outbound.constData() + exchange->outboundTaken,
                        static_cast<size_t>(count));
            exchange->outboundTaken += count;
            return count;
        }
        if (exchange->outboundFailed)
            return MHD_CONTENT_READER_END_WITH_ERROR;
        if (exchange->outboundEnded)
            return MHD_CONTENT_READER_END_OF_STREAM;
        exchange->outbound.clear();
        exchange->outboundTaken = 0;
        if (!reading->front->handOver(Turn::More, exchange))
            return MHD_CONTENT_READER_END_WITH_ERROR;
        return 0;
    }

    static void completed(void *cls, MHD_Connection *connection, void **context,
                          MHD_RequestTerminationCode)
    {
        auto *front = static_cast<HttpFront *>(cls);
        socketOf(connection)->deadline = steadyMs() + front->m_settings.idle.count() * 1000;
        auto *held = static_cast<Held *>(*context);
        if (!held)
            return;
        *context = nullptr;
        front->tell({Turn::Over, *held, {}});
        delete held;
    }
};

HttpFront::HttpFront(const Router &router, TokenFile token, FrontSettings settings,
                     std::function<void()> wake)
    : m_token(std::move(token)),
      m_settings(std::move(settings)),
      m_gate{router, m_token, m_settings.access},
      m_wake(std::move(wake))
{}

HttpFront::~HttpFront()
{
    Q_ASSERT(!m_daemon);
}

domain::Result<ListenAddress> HttpFront::listen()
{
    sockaddr_storage address = {};
    const bool six = m_settings.listen.host.contains(QLatin1Char(':'));
    if (six) {
        auto *in6 = reinterpret_cast<sockaddr_in6 *>(&address);
        in6->sin6_family = AF_INET6;
        in6->sin6_port = htons(m_settings.listen.port);
        in6->sin6_addr = IN6ADDR_LOOPBACK_INIT;
    } else {
        auto *in4 = reinterpret_cast<sockaddr_in *>(&address);
        in4->sin_family = AF_INET;
        in4->sin_port = htons(m_settings.listen.port);
        in4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    }
    const unsigned flags = static_cast<unsigned>(MHD_USE_EPOLL_INTERNAL_THREAD)
        | static_cast<unsigned>(MHD_ALLOW_SUSPEND_RESUME) | static_cast<unsigned>(MHD_USE_ERROR_LOG)
        | (six ? static_cast<unsigned>(MHD_USE_IPv6) : 0U);
    m_daemon = MHD_start_daemon(
        flags, 0, nullptr, nullptr, &FrontCalls::access, this, MHD_OPTION_EXTERNAL_LOGGER, &logLine,
        nullptr, MHD_OPTION_SOCK_ADDR, reinterpret_cast<sockaddr *>(&address),
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_CONNECTION_MEMORY_LIMIT, kPoolBytes,
        MHD_OPTION_CONNECTION_LIMIT, m_settings.maximumClients + kRefused,
        MHD_OPTION_CONNECTION_TIMEOUT, static_cast<unsigned>(m_settings.idle.count()),
        MHD_OPTION_NOTIFY_CONNECTION, &FrontCalls::notifyClient, this, MHD_OPTION_NOTIFY_COMPLETED,
        &FrontCalls::completed, this, MHD_OPTION_END);
    if (!m_daemon)
        return failure(ErrorKind::Unavailable,
                       QStringLiteral("The API cannot listen on %1").arg(m_settings.listen.shown()),
                       QStringLiteral("%1. Another program may have the port; choose one with "
                                      "--listen 127.0.0.1:PORT.")
                           .arg(QString::fromLocal8Bit(std::strerror(errno))));
    const MHD_DaemonInfo *facts = MHD_get_daemon_info(m_daemon, MHD_DAEMON_INFO_BIND_PORT);
    ListenAddress actual = m_settings.listen;
    if (facts)
        actual.port = facts->port;
    m_port.store(actual.port);
    return actual;
}

bool HttpFront::handOver(Turn turn, const std::shared_ptr<Exchange> &exchange)
{
    // Counted before it is looked whether we end: whoever ends looks in the other order.
    ++m_handedOver;
    if (m_closing.load()) {
        --m_handedOver;
        return false;
    }
    MHD_suspend_connection(exchange->connection);
    // As long as the Engine works, the client owes nothing.
    exchange->socket->deadline = 0;
    tell({turn, exchange, {}});
    return true;
}

void HttpFront::countRefusal(int status)
{
    const int at = status - 400;
    if (at >= 0 && at < static_cast<int>(m_refused.size()))
        m_refused[static_cast<size_t>(at)].fetch_add(1, std::memory_order_relaxed);
}

QMap<int, qint64> HttpFront::refused() const
{
    QMap<int, qint64> counts;
    for (size_t at = 0; at < m_refused.size(); ++at) {
        if (const qint64 count = m_refused[at].load(std::memory_order_relaxed))
            counts.insert(static_cast<int>(at) + 400, count);
    }
    return counts;
}

void HttpFront::tell(Message message)
{
    if (message.exchange)
        message.exchange->baton.fetch_add(1, std::memory_order_release);
    if (m_inbox.put(std::move(message)))
        m_wake();
}

qint64 HttpFront::bodyDeadline() const
{
    return steadyMs() + m_settings.bodyDeadline.count();
}

void HttpFront::resume(const std::shared_ptr<Exchange> &exchange)
{
    const bool awaitsBytes = exchange->route->bodyKind == BodyKind::Stream
        && !exchange->inboundEnded && !exchange->replyQueued;
    exchange->socket->deadline = awaitsBytes ? bodyDeadline() : 0;
    exchange->baton.fetch_add(1, std::memory_order_release);
    MHD_resume_connection(exchange->connection);
    --m_handedOver;
}

void HttpFront::stop()
{
    if (!m_daemon)
        return;
    Q_ASSERT(m_handedOver.load() == 0);
    MHD_stop_daemon(std::exchange(m_daemon, nullptr));
}

} // namespace berth::api
