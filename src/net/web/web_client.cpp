// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/web/web_client.h"

#include "net/web/web_pool.h"
#include "net/web/web_upload.h"

namespace berth::net {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using std::chrono::milliseconds;

namespace {

constexpr int kMostRedirects = 3;

bool isWebRedirect(const HttpHead &head)
{
    const int status = head.status;
    return (status == 301 || status == 302 || status == 303 || status == 307 || status == 308)
        && head.headers.contains("Location");
}

//! Up to the end of the head, redirects followed.
Async<WebExchangePtr> beginWeb(std::shared_ptr<WebPool> pool, WebRequest request,
                               WebPool::Kind kind, std::stop_token stop)
{
    for (int redirects = 0;; ++redirects) {
        const std::optional<domain::Error> objection = pool->objection(request);
        if (objection)
            co_return failure(*objection);
        const auto begun = std::chrono::steady_clock::now();
        const Result<std::shared_ptr<WebLane>> lane =
            co_await WebPool::lane(pool, kind, request.deadlines.connect, stop);
        if (!lane)
            co_return failure(lane.error());
        const WebExchangePtr exchange = pool->begin(*lane, request);
        const QString where = originOf(request.url);
        const Result<void> head =
            co_await awaitWebHead(exchange, request.deadlines, where, begun, stop);
        if (!head)
            co_return failure(head.error());
        if (!isWebRedirect(exchange->head()))
            co_return exchange;

        const QUrl target = request.url.resolved(
            QUrl::fromEncoded(exchange->head().headers.value("Location"), QUrl::TolerantMode));
        const QString origin = originOf(target);
        const bool within = origin == where && request.method == "GET";
        if (!within || redirects == kMostRedirects) {
            exchange->abandon();
            // Its path may hold a key.
            const QString shown = origin.isEmpty() ? QStringLiteral("nowhere") : origin;
            co_return failure(
                ErrorKind::Protocol,
                within
                    ? QStringLiteral("%1 leads in a circle").arg(where)
                    : QStringLiteral("%1 leads to %2, and Berth does not follow").arg(where, shown),
                within ? QString()
                       : QStringLiteral("If the service has moved, change its "
                                        "address in the settings"));
        }
        exchange->abandon();
        request.url = target;
    }
}

Async<HttpResponse> sendWeb(std::shared_ptr<WebPool> pool, WebRequest request, std::stop_token stop)
{
    const Result<WebExchangePtr> exchange =
        co_await beginWeb(pool, request, WebPool::Kind::Call, stop);
    if (!exchange)
        co_return failure(exchange.error());
    const Result<QByteArray> body =
        co_await restOfWeb(*exchange, request.largestBody, request.deadlines.idle, stop);
    if (!body) {
        (*exchange)->abandon();
        co_return failure(body.error());
    }
    co_return HttpResponse{(*exchange)->head(), *body};
}

Async<std::shared_ptr<WebStream>> openWeb(std::shared_ptr<WebPool> pool, WebRequest request,
                                          std::stop_token stop)
{
    const Result<WebExchangePtr> exchange =
        co_await beginWeb(pool, request, WebPool::Kind::Stream, stop);
    if (!exchange)
        co_return failure(exchange.error());
    co_return std::make_shared<WebStream>(*exchange);
}

} // namespace

bool WebRequest::isIdempotent() const
{
    return method == "GET" || method == "HEAD" || method == "PUT" || method == "DELETE"
        || method == "OPTIONS";
}

WebClient::WebClient(WebSettings settings) : m_pool(std::make_shared<WebPool>(std::move(settings)))
{}

WebClient::~WebClient() = default;

const WebSettings &WebClient::settings() const
{
    return m_pool->settings();
}

int WebClient::liveReplies() const
{
    return m_pool->liveReplies();
}

Async<HttpResponse> WebClient::send(WebRequest request, std::stop_token stop)
{
    return sendWeb(m_pool, std::move(request), std::move(stop));
}

Async<std::shared_ptr<WebStream>> WebClient::open(WebRequest request, std::stop_token stop)
{
    return openWeb(m_pool, std::move(request), std::move(stop));
}

Async<std::shared_ptr<WebUpload>> WebClient::upload(WebRequest request, std::stop_token stop)
{
    return WebUpload::begin(m_pool, std::move(request), std::move(stop));
}

} // namespace berth::net
