// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/e2b/client.h"

#include "async/sleep.h"

#include <algorithm>

namespace berth::e2b {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using net::HttpResponse;
using net::WebRequest;
using namespace std::chrono_literals;

namespace {

//! What "refreshes" takes.
constexpr std::chrono::seconds kLongestRefresh{3600};

WebRequest apiRequest(const Api &api, const char *method, const QByteArray &target)
{
    WebRequest made;
    made.method = method;
    // As it is: the filter of a list is encoded three times.
    made.url = QUrl::fromEncoded(api.base.toUtf8() + target, QUrl::StrictMode);
    made.headers.append("X-API-Key", api.key.exposeForWire());
    made.headers.append("Accept", "application/json");
    made.deadlines = api.deadlines;
    return made;
}

WebRequest withBody(WebRequest request, const QByteArray &body)
{
    request.headers.append("Content-Type", "application/json");
    request.body = body;
    return request;
}

QByteArray sandboxPath(const QString &id, const char *rest = "")
{
    return QByteArrayLiteral("/sandboxes/") + net::percentEncoded(id.toUtf8()) + rest;
}

Error unanswered(const Api &api, Error error, const QString &what)
{
    if (error.kind == ErrorKind::Cancelled)
        return error;
    error.detail = error.detail.isEmpty() ? error.message
                                          : error.message + QStringLiteral(": ") + error.detail;
    error.message = QStringLiteral("%1 failed: E2B does not answer at %2").arg(what, api.base);
    return error;
}

//! A 404 that is not about a sandbox says nothing about one.
Error refused(const HttpResponse &answer, const QString &what)
{
    Error error = apiError(answer.head, answer.body, what);
    if (error.kind == ErrorKind::NotFound
        && !saysSandboxIsMissing(answer.head.status, answer.body)) {
        error.kind = ErrorKind::Protocol;
        error.message =
            QStringLiteral("%1 failed: what answers there does not speak as E2B does").arg(what);
        error.detail += QStringLiteral(". Look at the API address in the provider's settings");
    }
    return error;
}

Async<HttpResponse> ask(ApiPtr api, WebRequest request, bool repeat, QString what,
                        std::stop_token stop)
{
    const net::RetryClock clock = net::systemRetryClock();
    const Result<HttpResponse> answer =
        co_await net::sendWithRetry(api->web, request, api->retries, clock, repeat, stop);
    if (!answer)
        co_return failure(unanswered(*api, answer.error(), what));
    co_return answer;
}

Async<HttpResponse> askForSuccess(ApiPtr api, WebRequest request, bool repeat, QString what,
                                  std::stop_token stop)
{
    const Result<HttpResponse> answer = co_await ask(api, request, repeat, what, stop);
    if (answer && !answer->head.isSuccess())
        co_return failure(refused(*answer, what));
    co_return answer;
}

Async<void> askForNothing(ApiPtr api, WebRequest request, QString what, std::stop_token stop)
{
    const Result<HttpResponse> answer = co_await askForSuccess(api, request, true, what, stop);
    if (!answer)
        co_return failure(answer.error());
    co_return Result<void>{};
}

//! A call that newer servers know by /v2 and older ones without. \a repeat as in ask().
Async<HttpResponse> askInTwoWays(ApiPtr api, WebRequest newer, WebRequest older, bool repeat,
                                 QString what, std::stop_token stop)
{
    if (!api->isOld) {
        const Result<HttpResponse> answer = co_await ask(api, newer, repeat, what, stop);
        if (!answer || !isUnknownCall(answer->head.status, answer->body))
            co_return answer;
    }
    const Result<HttpResponse> answer = co_await ask(api, older, repeat, what, stop);
    if (answer && !isUnknownCall(answer->head.status, answer->body))
        api->isOld = true;
    co_return answer;
}

} // namespace

Async<Access> createSandbox(ApiPtr api, SandboxSettings settings, QMap<QString, QString> metadata,
                            std::stop_token stop)
{
    const QString what = QStringLiteral("Creating the sandbox");
    WebRequest newer = withBody(apiRequest(*api, "POST", "/v2/sandboxes"),
                                encodeCreate(settings, metadata, false));
    WebRequest older =
        withBody(apiRequest(*api, "POST", "/sandboxes"), encodeCreate(settings, metadata, true));
    newer.deadlines.firstByte = api->slow;
    older.deadlines.firstByte = api->slow;
    // Asked for fewer calls it has surely made nothing; after anything else it may have.
    for (int attempt = 1;; ++attempt) {
        const Result<HttpResponse> answer =
            co_await askInTwoWays(api, newer, older, false, what, stop);
        if (!answer)
            co_return failure(answer.error());
        if (answer->head.isSuccess())
            co_return decodeAccess(answer->body);
        Error error = apiError(answer->head, answer->body, what);
        if (error.kind == ErrorKind::RateLimited && error.retryAfter
            && *error.retryAfter <= api->retries.cap && attempt < api->retries.attempts) {
            const std::chrono::milliseconds pause = *error.retryAfter;
            const bool elapsed = co_await async::sleepFor(pause, stop);
            if (!elapsed)
                co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
            continue;
        }
        if (error.kind == ErrorKind::NotFound || error.kind == ErrorKind::Conflict) {
            // Of the template, or of nothing that E2B knows.
            const bool own = apiProblem(answer->body).isOwn;
            error.kind = own ? ErrorKind::InvalidInput : ErrorKind::Protocol;
            error.message = own
                ? QStringLiteral("E2B cannot make a sandbox of the template %1")
                      .arg(settings.templateName)
                : QStringLiteral("%1 failed: what answers there does not speak as E2B does")
                      .arg(what);
        }
        co_return failure(error);
    }
}

Async<Access> connectSandbox(ApiPtr api, QString id, std::chrono::seconds timeout,
                             std::stop_token stop)
{
    const QString what = QStringLiteral("Connecting to the sandbox");
    const QByteArray body = encodeTimeout(timeout);
    WebRequest newer =
        withBody(apiRequest(*api, "POST", "/v2" + sandboxPath(id, "/connect")), body);
    WebRequest older = withBody(apiRequest(*api, "POST", sandboxPath(id, "/connect")), body);
    newer.deadlines.firstByte = api->slow;
    older.deadlines.firstByte = api->slow;
    // 409: just being paused; that takes as long as its memory is large.
    for (int attempt = 1;; ++attempt) {
        const Result<HttpResponse> answer =
            co_await askInTwoWays(api, newer, older, true, what, stop);
        if (!answer)
            co_return failure(answer.error());
        if (answer->head.isSuccess())
            co_return decodeAccess(answer->body);
        if (answer->head.status != 409 || attempt >= 12)
            co_return failure(refused(*answer, what));
        const bool elapsed = co_await async::sleepFor(std::min(250ms * attempt, 3000ms), stop);
        if (!elapsed)
            co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    }
}

Async<Access> forkSandbox(ApiPtr api, QString id, std::chrono::seconds timeout,
                          std::stop_token stop)
{
    const QString what = QStringLiteral("Copying the sandbox");
    const QByteArray body =
        "{\"count\":1,\"timeout\":" + QByteArray::number(qint64(timeout.count())) + '}';
    WebRequest request = withBody(apiRequest(*api, "POST", sandboxPath(id, "/fork")), body);
    request.deadlines.firstByte = api->slow;
    for (int attempt = 1;; ++attempt) {
        const Result<HttpResponse> answer = co_await ask(api, request, false, what, stop);
        if (!answer)
            co_return failure(answer.error());
        if (answer->head.isSuccess())
            co_return decodeForked(answer->body);
        if (isUnknownCall(answer->head.status, answer->body))
            co_return failure(ErrorKind::Unsupported,
                              QStringLiteral("This E2B server cannot copy sandboxes"));
        const Error error = refused(*answer, what);
        if (error.kind != ErrorKind::RateLimited || !error.retryAfter
            || *error.retryAfter > api->retries.cap || attempt >= api->retries.attempts)
            co_return failure(error);
        const std::chrono::milliseconds pause = *error.retryAfter;
        const bool elapsed = co_await async::sleepFor(pause, stop);
        if (!elapsed)
            co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    }
}

Async<Record> lookAtSandbox(ApiPtr api, QString id, std::stop_token stop)
{
    const WebRequest request = apiRequest(*api, "GET", sandboxPath(id));
    const Result<HttpResponse> answer =
        co_await askForSuccess(api, request, true, QStringLiteral("Looking at the sandbox"), stop);
    if (!answer)
        co_return failure(answer.error());
    co_return decodeRecord(answer->body);
}

namespace {

Async<net::Page<Record>> pageNow(ApiPtr api, QByteArray filter, QByteArray token,
                                 std::stop_token stop)
{
    QByteArray target = QByteArrayLiteral("/v2/sandboxes?");
    if (!filter.isEmpty())
        target += "metadata=" + filter + '&';
    target += "state=running,paused&limit=" + QByteArray::number(api->pageSize);
    if (!token.isEmpty())
        target += "&nextToken=" + net::percentEncoded(token);
    const WebRequest request = apiRequest(*api, "GET", target);
    const QString what = QStringLiteral("Listing the sandboxes");
    const Result<HttpResponse> answer = co_await ask(api, request, true, what, stop);
    if (!answer)
        co_return failure(answer.error());
    if (!answer->head.isSuccess()) {
        Error error = refused(*answer, what);
        // Nothing is gone because a list has no answer.
        if (error.kind == ErrorKind::NotFound)
            error.kind = ErrorKind::Protocol;
        co_return failure(error);
    }
    const Result<QList<Record>> records = decodeRecords(answer->body);
    if (!records)
        co_return failure(records.error());
    net::Page<Record> page;
    page.items = *records;
    page.next = answer->head.headers.value("X-Next-Token");
    co_return page;
}

Async<QList<Record>> listNow(ApiPtr api, QByteArray filter, std::stop_token stop)
{
    const net::PageFetch<Record> fetch = [api, filter](QByteArray token, std::stop_token asked) {
        return pageNow(api, filter, std::move(token), std::move(asked));
    };
    const Result<net::Paged<Record>> all =
        co_await net::collectPages<Record>(fetch, net::PageLimits(), stop);
    if (!all)
        co_return failure(all.error());
    if (all->incomplete) {
        Error error = *all->incomplete;
        error.detail = QStringLiteral("A part of the list arrived, which would show too little. ")
            + error.detail;
        co_return failure(error);
    }
    co_return all->items;
}

} // namespace

Async<void> extendSandbox(ApiPtr api, QString id, std::chrono::seconds timeout,
                          std::stop_token stop)
{
    const QString what = QStringLiteral("Extending the sandbox's life");
    if (!api->hasNoRefresh) {
        const QByteArray body = "{\"duration\":"
            + QByteArray::number(qint64(std::min(timeout, kLongestRefresh).count())) + '}';
        const WebRequest request =
            withBody(apiRequest(*api, "POST", sandboxPath(id, "/refreshes")), body);
        const Result<HttpResponse> answer = co_await ask(api, request, true, what, stop);
        if (!answer)
            co_return failure(answer.error());
        if (answer->head.isSuccess())
            co_return Result<void>{};
        if (!isUnknownCall(answer->head.status, answer->body))
            co_return failure(refused(*answer, what));
        api->hasNoRefresh = true;
    }
    const WebRequest request =
        withBody(apiRequest(*api, "POST", sandboxPath(id, "/timeout")), encodeTimeout(timeout));
    const Result<void> done = co_await askForNothing(api, request, what, stop);
    co_return done;
}

Async<std::optional<domain::ResourceSample>> measureSandbox(ApiPtr api, QString id,
                                                            std::stop_token stop)
{
    const WebRequest request = apiRequest(*api, "GET", sandboxPath(id, "/metrics"));
    const Result<HttpResponse> answer =
        co_await askForSuccess(api, request, true, QStringLiteral("Measuring the sandbox"), stop);
    if (!answer)
        co_return failure(answer.error());
    co_return decodeMetrics(answer->body);
}

Async<void> pingApi(ApiPtr api, std::stop_token stop)
{
    WebRequest request;
    request.url = QUrl(api->base + QStringLiteral("/health"));
    request.deadlines = api->deadlines;
    const Result<HttpResponse> answer = co_await api->web->send(request, stop);
    if (!answer)
        co_return failure(unanswered(*api, answer.error(), QStringLiteral("Asking E2B")));
    co_return Result<void>{};
}

Async<QList<Record>> listSandboxes(ApiPtr api, QMap<QString, QString> metadata,
                                   std::stop_token stop)
{
    return listNow(std::move(api), metadata.isEmpty() ? QByteArray() : metadataFilter(metadata),
                   std::move(stop));
}

Async<void> pauseSandbox(ApiPtr api, QString id, std::stop_token stop)
{
    WebRequest request = withBody(apiRequest(*api, "POST", sandboxPath(id, "/pause")), "{}");
    request.deadlines.firstByte = api->slow;
    return askForNothing(std::move(api), request, QStringLiteral("Pausing the sandbox"),
                         std::move(stop));
}

Async<void> killSandbox(ApiPtr api, QString id, std::stop_token stop)
{
    const WebRequest request = apiRequest(*api, "DELETE", sandboxPath(id));
    return askForNothing(std::move(api), request, QStringLiteral("Destroying the sandbox"),
                         std::move(stop));
}

} // namespace berth::e2b
