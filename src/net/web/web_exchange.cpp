// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/web/web_exchange.h"

#include <QtCore/QTimer>
#include <QtNetwork/QNetworkAccessManager>
#include <QtNetwork/QNetworkReply>
#include <QtNetwork/QSslError>

#include <algorithm>
#include <cstring>

namespace berth::net {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using std::chrono::milliseconds;
using WebMoment = std::chrono::steady_clock;

namespace {

//! What Qt reads ahead of us, after which the socket's own buffers fill and the sender waits.
constexpr qint64 kReadAhead = 256 * 1024;

QString inSeconds(milliseconds duration)
{
    return QString::number(static_cast<double>(duration.count()) / 1000);
}

//! Qt joins fields of one name.
HttpHeaders headersOf(const QNetworkReply &reply)
{
    HttpHeaders headers;
    for (const QNetworkReply::RawHeaderPair &field : reply.rawHeaderPairs())
        headers.append(field.first, field.second);
    return headers;
}

} // namespace

WebLane::WebLane() : manager(new QNetworkAccessManager)
{
    manager->setAutoDeleteReplies(false);
    manager->setRedirectPolicy(QNetworkRequest::ManualRedirectPolicy);
}

WebLane::~WebLane()
{
    manager->deleteLater();
}

WebBody::WebBody(QByteArray bytes, bool growing, QObject *parent)
    : QIODevice(parent), m_bytes(std::move(bytes)), m_growing(growing)
{
    open(QIODevice::ReadOnly | QIODevice::Unbuffered);
}

void WebBody::give(const QByteArray &bytes)
{
    m_bytes.append(bytes);
    Q_EMIT readyRead();
}

qint64 WebBody::bytesAvailable() const
{
    return waiting() + QIODevice::bytesAvailable();
}

qint64 WebBody::readData(char *data, qint64 most)
{
    const qsizetype size = std::min<qsizetype>(most, waiting());
    if (size == 0)
        return m_growing ? 0 : -1;
    std::memcpy(data, m_bytes.constData() + m_taken, static_cast<size_t>(size));
    m_taken += size;
    if (m_growing) {
        m_bytes.remove(0, m_taken);
        m_taken = 0;
        Q_EMIT taken();
    }
    return size;
}

qint64 WebBody::writeData(const char *, qint64)
{
    return -1;
}

WebExchange::WebExchange(std::shared_ptr<WebLane> lane, QNetworkReply *reply, Traits traits)
    : m_lane(std::move(lane)),
      m_reply(reply),
      m_facts(std::move(traits.facts)),
      m_needsHttp2(traits.needsHttp2),
      m_tellsSent(traits.tellsSent),
      m_onLaneFree(std::move(traits.onLaneFree)),
      m_lastSent(WebMoment::now())
{
    ++m_lane->live;
    reply->setReadBufferSize(kReadAhead);
    QObject::connect(reply, &QNetworkReply::requestSent, &m_context, [this] { noteSent(); });
    QObject::connect(reply, &QNetworkReply::uploadProgress, &m_context, [this](qint64 sent) {
        if (sent > 0)
            noteSent();
    });
    QObject::connect(reply, &QNetworkReply::sslErrors, &m_context,
                     [this](const QList<QSslError> &errors) { m_facts.certificate = errors; });
    QObject::connect(reply, &QNetworkReply::metaDataChanged, &m_context, [this] {
        readHead();
        wake();
    });
    QObject::connect(reply, &QNetworkReply::readyRead, &m_context, [this] { wake(); });
    QObject::connect(reply, &QNetworkReply::finished, &m_context, [this] { end(); });
}

WebExchange::~WebExchange()
{
    abandon();
    m_reply->deleteLater();
}

void WebExchange::noteSent()
{
    m_facts.sent = true;
    m_lastSent = WebMoment::now();
    wake();
}

void WebExchange::readHead()
{
    if (m_hasHead)
        return;
    const QVariant status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute);
    if (!status.isValid())
        return;
    m_hasHead = true;
    m_facts.sent = true;
    m_head.status = status.toInt();
    m_head.reason = m_reply->attribute(QNetworkRequest::HttpReasonPhraseAttribute).toByteArray();
    m_head.headers = headersOf(*m_reply);
    m_http2 = m_reply->attribute(QNetworkRequest::Http2WasUsedAttribute).toBool();
}

void WebExchange::end()
{
    if (m_ended)
        return;
    readHead();
    m_ended = true;
    m_problem = transportError(*m_reply, m_facts);
    if (m_hasHead && m_http2) {
        // Qt puts HTTP/2's trailers among the fields of the head, and doubles all those that were
        // there before (6.4).
        const HttpHeaders now = headersOf(*m_reply);
        for (const auto &[name, value] : now.fields()) {
            if (!m_head.headers.contains(name))
                m_trailers.append(name, value);
        }
        for (const auto &[name, value] : m_trailers.fields())
            m_head.headers.append(name, value);
    }
    freeLane();
    wake();
}

void WebExchange::freeLane()
{
    if (m_laneFreed)
        return;
    m_laneFreed = true;
    --m_lane->live;
    if (m_onLaneFree)
        m_onLaneFree();
}

void WebExchange::abandon()
{
    if (!m_ended) {
        m_ended = true;
        m_problem =
            Error{ErrorKind::Cancelled, QStringLiteral("The request was given up"), {}, {}, {}};
        m_reply->disconnect(&m_context);
        m_reply->abort();
    }
    freeLane();
    wake();
}

void WebExchange::follow(const WebBody &body)
{
    QObject::connect(&body, &WebBody::taken, &m_context, [this] { wake(); });
}

QByteArray WebExchange::take()
{
    // After abort() the device is closed.
    return m_reply->isOpen() ? m_reply->read(kReadAhead) : QByteArray();
}

void WebExchange::wake()
{
    for (const auto &[id, waiter] : std::exchange(m_waiters, {}))
        waiter.complete(Event::Moved);
}

async::Task<WebExchange::Event> WebExchange::moved(std::shared_ptr<WebExchange> exchange,
                                                   milliseconds limit, std::stop_token stop)
{
    if (stop.stop_requested())
        co_return Event::Stopped;
    const async::Completion<Event> event;
    const int id = ++exchange->m_lastWaiter;
    exchange->m_waiters.emplace(id, event);
    QTimer timer;
    if (limit.count() > 0) {
        timer.setSingleShot(true);
        timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&timer, &QTimer::timeout, &timer,
                         [event] { event.complete(Event::TimedOut); });
        timer.start(limit);
    }
    Event first = Event::Moved;
    {
        const std::stop_callback onStop(stop, [event] { event.complete(Event::Stopped); });
        first = co_await event;
    }
    exchange->m_waiters.erase(id);
    co_return first;
}

Async<void> awaitWebHead(WebExchangePtr exchange, HttpDeadlines deadlines, QString where,
                         WebMoment::time_point begun, std::stop_token stop)
{
    while (!exchange->hasHead() && !exchange->isEnded()) {
        const bool sent = exchange->isSent();
        milliseconds limit = sent ? deadlines.firstByte : deadlines.connect;
        if (!sent && !exchange->tellsSent())
            limit = deadlines.connect.count() > 0 && deadlines.firstByte.count() > 0
                ? deadlines.connect + deadlines.firstByte
                : milliseconds{0};
        const WebMoment::time_point from = sent ? exchange->lastSent() : begun;
        milliseconds left{0};
        if (limit.count() > 0)
            left = std::max(std::chrono::ceil<milliseconds>(from + limit - WebMoment::now()),
                            milliseconds{0});
        if (limit.count() > 0 && left.count() == 0) {
            exchange->abandon();
            if (!sent && !exchange->tellsSent())
                co_return failure(
                    ErrorKind::Timeout,
                    QStringLiteral("%1 did not answer within %2 s").arg(where, inSeconds(limit)));
            if (sent)
                co_return failure(
                    ErrorKind::Timeout,
                    QStringLiteral("%1 did not answer within %2 s").arg(where, inSeconds(limit)),
                    QStringLiteral("It took the request, and then nothing came"));
            co_return failure(
                ErrorKind::Timeout,
                QStringLiteral("No connection to %1 within %2 s").arg(where, inSeconds(limit)),
                QStringLiteral("Check the address, the proxy, and firewalls between here and "
                               "there"));
        }
        const WebExchange::Event event = co_await WebExchange::moved(exchange, left, stop);
        if (event == WebExchange::Event::Stopped) {
            exchange->abandon();
            co_return failure(ErrorKind::Cancelled,
                              QStringLiteral("Cancelled while waiting for %1").arg(where));
        }
    }
    if (exchange->lacksHttp2()) {
        exchange->abandon();
        co_return failure(ErrorKind::Protocol,
                          QStringLiteral("%1 does not speak HTTP/2").arg(where),
                          QStringLiteral("This service needs it. A proxy in between that opens "
                                         "encrypted connections may be the cause"));
    }
    if (!exchange->hasHead() && exchange->problem())
        co_return failure(*exchange->problem());
    if (!exchange->hasHead())
        co_return failure(ErrorKind::Protocol,
                          QStringLiteral("The answer of %1 has no status").arg(where));
    co_return Result<void>{};
}

Async<QByteArray> nextOfWeb(WebExchangePtr exchange, milliseconds idle, std::stop_token stop)
{
    const WebMoment::time_point begun = WebMoment::now();
    for (;;) {
        if (stop.stop_requested()) {
            exchange->abandon();
            co_return failure(ErrorKind::Cancelled,
                              QStringLiteral("Cancelled while an answer came"));
        }
        const QByteArray bytes = exchange->take();
        if (!bytes.isEmpty())
            co_return bytes;
        if (exchange->isEnded()) {
            if (exchange->problem())
                co_return failure(*exchange->problem());
            co_return QByteArray();
        }
        milliseconds left{0};
        if (idle.count() > 0) {
            left = std::chrono::ceil<milliseconds>(begun + idle - WebMoment::now());
            if (left.count() <= 0)
                co_return failure(
                    ErrorKind::Timeout,
                    QStringLiteral("The answer stood still for %1 s").arg(inSeconds(idle)),
                    QStringLiteral("It had begun, and then nothing more came"));
        }
        const WebExchange::Event event = co_await WebExchange::moved(exchange, left, stop);
        Q_UNUSED(event) // each kind is seen above
    }
}

Async<QByteArray> restOfWeb(WebExchangePtr exchange, qint64 largest, milliseconds idle,
                            std::stop_token stop)
{
    bool known = false;
    const qint64 claimed = exchange->head().headers.value("Content-Length").toLongLong(&known);
    bool tooLarge = known && claimed > largest;
    QByteArray whole;
    while (!tooLarge) {
        const Result<QByteArray> piece = co_await nextOfWeb(exchange, idle, stop);
        if (!piece)
            co_return failure(piece.error());
        if (piece->isEmpty())
            co_return whole;
        tooLarge = whole.size() + piece->size() > largest;
        whole.append(*piece);
    }
    exchange->abandon();
    co_return failure(ErrorKind::Protocol,
                      QStringLiteral("The answer is larger than %1 bytes").arg(largest));
}

WebStream::WebStream(std::shared_ptr<WebExchange> exchange) : m_exchange(std::move(exchange)) {}

WebStream::~WebStream()
{
    // A next() that still waits holds the exchange, too.
    m_exchange->abandon();
}

const HttpHead &WebStream::head() const
{
    return m_exchange->head();
}

const HttpHeaders &WebStream::trailers() const
{
    return m_exchange->trailers();
}

bool WebStream::isHttp2() const
{
    return m_exchange->isHttp2();
}

Async<QByteArray> WebStream::next(milliseconds idle, std::stop_token stop)
{
    return nextOfWeb(m_exchange, idle, std::move(stop));
}

Async<QByteArray> WebStream::rest(qint64 largest, milliseconds idle, std::stop_token stop)
{
    return restOfWeb(m_exchange, largest, idle, std::move(stop));
}

} // namespace berth::net
