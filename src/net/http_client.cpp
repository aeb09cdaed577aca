// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/http_client.h"

#include "net/http_parser.h"

#include <QtCore/QIODevice>

#include <vector>

namespace berth::net {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

struct StreamHttpClient::Pool
{
    static constexpr size_t kMostIdle = 4;

    std::shared_ptr<Dialer> dialer;
    std::vector<ByteStream> idle;

    //! Null when there is none that is as good as new.
    ByteStream take()
    {
        while (!idle.empty()) {
            ByteStream stream = std::move(idle.back());
            idle.pop_back();
            if (isStreamOpen(*stream) && stream->bytesAvailable() == 0)
                return stream;
        }
        return {};
    }

    void giveBack(ByteStream stream)
    {
        if (idle.size() < kMostIdle && isStreamOpen(*stream))
            idle.push_back(std::move(stream));
    }
};

using Pool = StreamHttpClient::Pool;

struct HttpExchange
{
    HttpExchange(ByteStream opened, HttpResponseParser::Expectation expectation,
                 std::shared_ptr<Pool> from)
        : stream(std::move(opened)), parser(expectation), pool(std::move(from))
    {}

    ByteStream stream;
    HttpResponseParser parser;
    std::shared_ptr<Pool> pool;
    //! Body bytes that were read but not asked for yet.
    QByteArray body;
    //! Bytes behind the head of an upgraded connection.
    QByteArray beyond;
    bool dirty = false;

    void readSome()
    {
        const QByteArray bytes = stream->read(kReadBuffer);
        const qsizetype taken = parser.feed(bytes, body);
        if (taken < bytes.size()) {
            beyond.append(bytes.sliced(taken));
            dirty = true;
        }
    }

    void release()
    {
        if (stream && parser.keepsAlive() && !dirty)
            pool->giveBack(std::exchange(stream, {}));
    }

    [[nodiscard]] domain::Error problem() const
    {
        if (parser.wasCut())
            return {ErrorKind::Unavailable,
                    QStringLiteral("The connection was lost: %1").arg(parser.problem()),
                    {},
                    {},
                    {}};
        return {ErrorKind::Protocol,
                QStringLiteral("The answer makes no sense: %1").arg(parser.problem()),
                {},
                {},
                {}};
    }
};

namespace {

//! Waits for bytes and feeds them. Timeout and Cancelled leave the exchange as it was.
Async<void> advance(std::shared_ptr<HttpExchange> exchange, milliseconds limit,
                    std::stop_token stop)
{
    const StreamEvent event = co_await awaitReadable(exchange->stream, limit, stop);
    switch (event) {
    case StreamEvent::Readable:
        exchange->readSome();
        break;
    case StreamEvent::Closed:
        exchange->parser.finish();
        break;
    case StreamEvent::TimedOut:
        co_return failure(
            ErrorKind::Timeout,
            QStringLiteral("No answer within %1 s").arg(static_cast<double>(limit.count()) / 1000));
    case StreamEvent::Stopped:
        co_return failure(ErrorKind::Cancelled,
                          QStringLiteral("Cancelled while waiting for an answer"));
    }
    if (exchange->parser.phase() == HttpResponseParser::Phase::Failed) {
        if (exchange->parser.wasCut()) {
            const std::optional<domain::Error> reason = co_await endReason(exchange->stream);
            if (reason)
                co_return failure(*reason);
        }
        co_return failure(exchange->problem());
    }
    co_return Result<void>{};
}

Async<void> readHead(std::shared_ptr<HttpExchange> exchange, milliseconds limit,
                     std::stop_token stop)
{
    const Clock::time_point due = Clock::now() + limit;
    while (exchange->parser.phase() == HttpResponseParser::Phase::Head) {
        milliseconds left{0};
        if (limit.count() > 0) {
            // A server that drips bytes does not get more time with each of them.
            left = std::chrono::duration_cast<milliseconds>(due - Clock::now());
            if (left.count() <= 0)
                left = milliseconds{1};
        }
        Result<void> advanced = co_await advance(exchange, left, stop);
        if (!advanced) {
            if (advanced.error().kind == ErrorKind::Timeout)
                advanced.error().message = QStringLiteral("No answer within %1 s")
                                               .arg(static_cast<double>(limit.count()) / 1000);
            co_return failure(advanced.error());
        }
    }
    co_return Result<void>{};
}

Async<std::shared_ptr<HttpExchange>> begin(std::shared_ptr<Pool> pool, HttpRequest request,
                                           HttpResponseParser::Expectation expectation,
                                           std::stop_token stop)
{
    expectation.headOnly = request.method == "HEAD";
    const QByteArray wire = request.serialized();
    // A request that must not be made twice gets a new connection: on an old one that the server
    // closed in the meantime nobody could tell whether it arrived.
    ByteStream stream;
    if (request.isRepeatable() || pool->dialer->isSlow())
        stream = pool->take();
    const bool used = stream != nullptr;
    for (int attempt = 0;; ++attempt) {
        if (!stream) {
            const Result<ByteStream> dialled =
                co_await pool->dialer->dial(request.deadlines.connect, stop);
            if (!dialled)
                co_return failure(dialled.error());
            stream = *dialled;
        }
        const auto exchange = std::make_shared<HttpExchange>(stream, expectation, pool);
        exchange->stream->write(wire);
        const Result<void> head = co_await readHead(exchange, request.deadlines.firstByte, stop);
        if (head)
            co_return exchange;
        const bool closedUnused = request.isRepeatable() && used && attempt == 0
            && exchange->parser.wasCut() && !exchange->parser.hasStarted();
        if (!closedUnused)
            co_return failure(head.error());
        stream.reset();
    }
}

Async<QByteArray> nextOf(std::shared_ptr<HttpExchange> exchange, milliseconds idle,
                         std::stop_token stop)
{
    while (exchange->body.isEmpty()
           && exchange->parser.phase() == HttpResponseParser::Phase::Body) {
        const Result<void> advanced = co_await advance(exchange, idle, stop);
        if (!advanced)
            co_return failure(advanced.error());
    }
    if (exchange->body.isEmpty() && exchange->parser.phase() == HttpResponseParser::Phase::Failed)
        co_return failure(exchange->problem());
    if (exchange->body.isEmpty())
        exchange->release();
    co_return std::exchange(exchange->body, {});
}

Async<QByteArray> restOf(std::shared_ptr<HttpExchange> exchange, qint64 largest, milliseconds idle,
                         std::stop_token stop)
{
    QByteArray whole;
    for (;;) {
        const Result<QByteArray> piece = co_await nextOf(exchange, idle, stop);
        if (!piece)
            co_return failure(piece.error());
        if (piece->isEmpty())
            co_return whole;
        if (whole.size() + piece->size() > largest)
            co_return failure(
                ErrorKind::Protocol,
                QStringLiteral("The answer is larger than %1 MiB").arg(largest / 1024 / 1024));
        whole.append(*piece);
    }
}

Async<HttpResponse> sendBy(std::shared_ptr<Pool> pool, HttpRequest request, std::stop_token stop)
{
    const Result<std::shared_ptr<HttpExchange>> exchange = co_await begin(pool, request, {}, stop);
    if (!exchange)
        co_return failure(exchange.error());
    const Result<QByteArray> body =
        co_await restOf(*exchange, request.largestBody, request.deadlines.idle, stop);
    if (!body)
        co_return failure(body.error());
    co_return HttpResponse{(*exchange)->parser.head(), *body};
}

Async<std::shared_ptr<HttpBodyStream>> openBy(std::shared_ptr<Pool> pool, HttpRequest request,
                                              std::stop_token stop)
{
    const Result<std::shared_ptr<HttpExchange>> exchange = co_await begin(pool, request, {}, stop);
    if (!exchange)
        co_return failure(exchange.error());
    co_return std::make_shared<HttpBodyStream>(*exchange);
}

Async<HijackedStream> hijackBy(std::shared_ptr<Pool> pool, HttpRequest request,
                               std::stop_token stop)
{
    request.headers.append(QByteArrayLiteral("Connection"), QByteArrayLiteral("Upgrade"));
    request.headers.append(QByteArrayLiteral("Upgrade"), QByteArrayLiteral("tcp"));
    HttpResponseParser::Expectation expectation;
    expectation.hijack = true;
    const Result<std::shared_ptr<HttpExchange>> begun =
        co_await begin(pool, request, expectation, stop);
    if (!begun)
        co_return failure(begun.error());
    const std::shared_ptr<HttpExchange> exchange = *begun;
    HijackedStream hijacked;
    hijacked.head = exchange->parser.head();
    if (exchange->parser.phase() == HttpResponseParser::Phase::Upgraded) {
        hijacked.stream = std::exchange(exchange->stream, {});
        hijacked.first = std::exchange(exchange->beyond, {});
        co_return hijacked;
    }
    const Result<QByteArray> body =
        co_await restOf(exchange, request.largestBody, request.deadlines.idle, stop);
    if (!body)
        co_return failure(body.error());
    hijacked.body = *body;
    co_return hijacked;
}

} // namespace

HttpBodyStream::HttpBodyStream(std::shared_ptr<HttpExchange> exchange)
    : m_exchange(std::move(exchange))
{}

HttpBodyStream::~HttpBodyStream()
{
    // Wakes a next() that still waits, so that its coroutine ends.
    if (m_exchange->stream && m_exchange->parser.phase() == HttpResponseParser::Phase::Body)
        m_exchange->stream->close();
}

const HttpHead &HttpBodyStream::head() const
{
    return m_exchange->parser.head();
}

Async<QByteArray> HttpBodyStream::next(milliseconds idle, std::stop_token stop)
{
    return nextOf(m_exchange, idle, std::move(stop));
}

Async<QByteArray> HttpBodyStream::rest(qint64 largest, milliseconds idle, std::stop_token stop)
{
    return restOf(m_exchange, largest, idle, std::move(stop));
}

StreamHttpClient::StreamHttpClient(std::shared_ptr<Dialer> dialer)
    : m_pool(std::make_shared<Pool>())
{
    m_pool->dialer = std::move(dialer);
}

StreamHttpClient::~StreamHttpClient()
{
    m_pool->idle.clear();
}

Async<HttpResponse> StreamHttpClient::send(HttpRequest request, std::stop_token stop)
{
    return sendBy(m_pool, std::move(request), std::move(stop));
}

Async<std::shared_ptr<HttpBodyStream>> StreamHttpClient::open(HttpRequest request,
                                                              std::stop_token stop)
{
    return openBy(m_pool, std::move(request), std::move(stop));
}

Async<HijackedStream> StreamHttpClient::hijack(HttpRequest request, std::stop_token stop)
{
    return hijackBy(m_pool, std::move(request), std::move(stop));
}

std::unique_ptr<StreamHttpClient> localHttpClient(const QString &socketPath)
{
    return std::make_unique<StreamHttpClient>(std::make_shared<LocalDialer>(socketPath));
}

} // namespace berth::net
