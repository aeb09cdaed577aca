// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/daytona/client.h"

#include "async/sleep.h"
#include "net/json_fields.h"
#include "net/web/paging.h"

#include <nlohmann/json.hpp>

namespace berth::daytona {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using net::HttpResponse;
using net::WebRequest;
using nlohmann::json;

namespace {

//! From 0.167.0 on the toolbox keeps both streams of a session apart; the newest that is known
//! here.
constexpr char kVersion[] = "0.218.0";
//! The service itself waits up to 30 s for a new sandbox, and changes take seconds.
constexpr int kCreatePatience = 4;
constexpr int kChangePatience = 2;

QByteArray sandboxPath(const QString &id, const char *rest = "")
{
    return QByteArrayLiteral("/sandbox/") + net::percentEncoded(id.toUtf8()) + rest;
}

bool isWorthRepeating(const Result<HttpResponse> &answer)
{
    if (!answer)
        return answer.error().kind == ErrorKind::Timeout
            || answer.error().kind == ErrorKind::Unavailable;
    const int status = answer->head.status;
    return status == 408 || status == 429 || status == 500 || status == 502 || status == 503
        || status == 504;
}

} // namespace

Async<HttpResponse> ask(ServicePtr service, Call call, std::stop_token stop)
{
    WebRequest request = service->request(call.method, call.path);
    request.deadlines.firstByte = call.patience.value_or(service->patience);
    request.largestBody = call.largest;
    if (call.body) {
        request.headers.append(QByteArrayLiteral("Content-Type"),
                               QByteArrayLiteral("application/json"));
        request.body = *call.body;
    }
    const net::RetryPolicy policy = service->retry;
    std::chrono::milliseconds pause = policy.first;
    std::chrono::milliseconds waited{0};
    for (int attempt = 1;; ++attempt) {
        const Result<HttpResponse> answer = co_await service->http->send(request, stop);
        if (!call.repeatable || attempt >= policy.attempts || !isWorthRepeating(answer))
            co_return answer;
        // The limits of this service have names that stand in the headers' names.
        std::chrono::milliseconds wait = pause;
        if (answer) {
            net::HttpHead head = answer->head;
            head.headers = withPlainRetryAfter(head.headers);
            wait = net::retryAfter(head, QDateTime::currentDateTimeUtc()).value_or(pause);
        }
        waited += wait;
        if (wait > policy.cap || waited > policy.total)
            co_return answer;
        const bool elapsed = co_await async::sleepFor(wait, stop);
        if (!elapsed)
            co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
        pause *= 2;
    }
}

Async<QByteArray> askApi(ServicePtr service, Call call, QString what, std::stop_token stop)
{
    const Result<HttpResponse> answer = co_await ask(service, call, stop);
    if (!answer)
        co_return failure(unanswered(answer.error(), what, service->base));
    if (!answer->head.isSuccess())
        co_return failure(apiError(answer->head, answer->body, what));
    co_return answer->body;
}

Async<QByteArray> askToolbox(ServicePtr service, Call call, QString what, std::stop_token stop)
{
    const Result<HttpResponse> answer = co_await ask(service, call, stop);
    if (!answer)
        co_return failure(unanswered(answer.error(), what, service->base));
    if (!answer->head.isSuccess())
        co_return failure(toolboxError(answer->head, answer->body, what));
    co_return answer->body;
}

Async<ServerFacts> getFacts(ServicePtr api, std::stop_token stop)
{
    Call call;
    call.path = QByteArrayLiteral("/config");
    call.repeatable = true;
    const Result<QByteArray> body =
        co_await askApi(api, call, QStringLiteral("Looking at the server"), stop);
    if (!body)
        co_return failure(body.error());
    co_return decodeFacts(*body);
}

Async<Sandbox> getSandbox(ServicePtr api, QString id, std::stop_token stop)
{
    Call call;
    call.path = sandboxPath(id);
    call.repeatable = true;
    const Result<QByteArray> body =
        co_await askApi(api, call, QStringLiteral("Looking at the sandbox"), stop);
    if (!body)
        co_return failure(body.error());
    const Result<Sandbox> sandbox = decodeSandbox(*body);
    if (sandbox && sandbox->phase == Phase::Destroyed)
        co_return failure(ErrorKind::NotFound, QStringLiteral("Daytona has deleted the sandbox"));
    co_return sandbox;
}

namespace {

Async<net::Page<Sandbox>> pageNow(ServicePtr api, QByteArray token, std::stop_token stop)
{
    Call call;
    call.path = "/sandbox?limit=" + QByteArray::number(api->pageSize);
    // A number of a server that counts pages, or a cursor.
    const bool counted = token.startsWith("page:");
    if (counted)
        call.path = "/sandbox/paginated?limit=" + QByteArray::number(api->pageSize)
            + "&page=" + token.mid(5);
    else if (!token.isEmpty())
        call.path += "&cursor=" + net::percentEncoded(token);
    call.repeatable = true;
    const Result<QByteArray> body =
        co_await askApi(api, call, QStringLiteral("Listing the sandboxes"), stop);
    if (!body)
        co_return failure(body.error());
    const Result<SandboxPage> page = decodePage(*body);
    if (!page)
        co_return failure(page.error());
    net::Page<Sandbox> made;
    made.items = page->items;
    made.next = page->next;
    const int number = counted ? token.mid(5).toInt() : 1;
    if (made.next.isEmpty() && page->pages > number)
        made.next = "page:" + QByteArray::number(number + 1);
    co_return made;
}

} // namespace

Async<QList<Sandbox>> listSandboxes(ServicePtr api, std::stop_token stop)
{
    const net::PageFetch<Sandbox> fetch = [api](QByteArray token, std::stop_token until) {
        return pageNow(api, std::move(token), std::move(until));
    };
    const Result<net::Paged<Sandbox>> all =
        co_await net::collectPages<Sandbox>(fetch, net::PageLimits(), stop);
    if (!all)
        co_return failure(all.error());
    if (all->incomplete)
        co_return failure(*all->incomplete);
    co_return all->items;
}

Async<SandboxPage> probeList(ServicePtr api, std::stop_token stop)
{
    Call call;
    call.path = QByteArrayLiteral("/sandbox?limit=1");
    call.repeatable = true;
    const Result<QByteArray> body =
        co_await askApi(api, call, QStringLiteral("Listing the sandboxes"), stop);
    if (!body)
        co_return failure(body.error());
    co_return decodePage(*body);
}

Async<Sandbox> postSandbox(ServicePtr api, QByteArray content, std::stop_token stop)
{
    Call call;
    call.method = QByteArrayLiteral("POST");
    call.path = QByteArrayLiteral("/sandbox");
    call.body = content;
    call.patience = api->patience * kCreatePatience;
    const Result<QByteArray> body =
        co_await askApi(api, call, QStringLiteral("Creating the sandbox"), stop);
    if (!body) {
        domain::Error error = body.error();
        // There is no sandbox yet that could be missing: "Region not found".
        if (error.httpStatus == 404)
            error.kind = error.detail.contains(QLatin1String("Region")) ? ErrorKind::InvalidInput
                                                                        : ErrorKind::Protocol;
        co_return failure(error);
    }
    co_return decodeSandbox(*body);
}

Async<void> changeSandbox(ServicePtr api, QString id, QByteArray action, std::stop_token stop)
{
    Call call;
    call.method = QByteArrayLiteral("POST");
    call.path = sandboxPath(id) + '/' + action + (action == "stop" ? "?force=false" : "");
    call.repeatable = true;
    call.patience = api->patience * kChangePatience;
    const QString what = action == "stop" ? QStringLiteral("Stopping the sandbox")
        : action == "recover"             ? QStringLiteral("Recovering the sandbox")
                                          : QStringLiteral("Starting the sandbox");
    const Result<QByteArray> body = co_await askApi(api, call, what, stop);
    if (!body)
        co_return failure(body.error());
    co_return Result<void>{};
}

Async<void> deleteSandbox(ServicePtr api, QString id, std::stop_token stop)
{
    Call call;
    call.method = QByteArrayLiteral("DELETE");
    call.path = sandboxPath(id);
    call.repeatable = true;
    call.patience = api->patience * kChangePatience;
    const Result<QByteArray> body =
        co_await askApi(api, call, QStringLiteral("Deleting the sandbox"), stop);
    if (!body)
        co_return failure(body.error());
    co_return Result<void>{};
}

Async<QString> getToolboxUrl(ServicePtr api, QString id, std::stop_token stop)
{
    Call call;
    call.path = sandboxPath(id, "/toolbox-proxy-url");
    call.repeatable = true;
    const Result<QByteArray> body =
        co_await askApi(api, call, QStringLiteral("Looking for the sandbox's toolbox"), stop);
    if (!body)
        co_return failure(body.error());
    co_return decodeUrl(*body);
}

Async<QByteArray> getTelemetry(ServicePtr api, QString id, QDateTime from, QDateTime to,
                               std::stop_token stop)
{
    Call call;
    call.path = sandboxPath(id, "/telemetry/metrics")
        + "?from=" + net::percentEncoded(from.toString(Qt::ISODateWithMs).toUtf8())
        + "&to=" + net::percentEncoded(to.toString(Qt::ISODateWithMs).toUtf8());
    for (const char *name : {"cpu.utilization", "cpu.limit", "memory.usage", "filesystem.usage"})
        call.path += QByteArrayLiteral("&metricNames=daytona.sandbox.") + name;
    const Result<HttpResponse> answer = co_await ask(api, call, stop);
    const QString what = QStringLiteral("Reading the use of resources");
    if (!answer)
        co_return failure(unanswered(answer.error(), what, api->base));
    const int status = answer->head.status;
    if (answer->head.isSuccess())
        co_return answer->body;
    domain::Error error = apiError(answer->head, answer->body, what);
    // Older servers, and those without a store for it.
    if (status != 401 && status != 429 && error.kind != ErrorKind::NotFound
        && error.kind != ErrorKind::Timeout)
        error.kind = ErrorKind::Unsupported;
    co_return failure(error);
}

bool isToken(const domain::Secret &key)
{
    const QByteArray &value = key.exposeForWire();
    return value.startsWith("eyJ") && value.count('.') == 2;
}

QUrl Service::url(const QByteArray &path) const
{
    return QUrl::fromEncoded(base.toEncoded() + path, QUrl::StrictMode);
}

WebRequest Service::request(const QByteArray &method, const QByteArray &path) const
{
    WebRequest made;
    made.method = method;
    made.url = url(path);
    made.headers = {{QByteArrayLiteral("Authorization"), "Bearer " + key.exposeForWire()},
                    {QByteArrayLiteral("Accept"), QByteArrayLiteral("application/json")},
                    {QByteArrayLiteral("X-Daytona-Source"), QByteArrayLiteral("berth")},
                    {QByteArrayLiteral("X-Daytona-SDK-Version"), QByteArray(kVersion)}};
    if (!organization.isEmpty() && isToken(key))
        made.headers.append(QByteArrayLiteral("X-Daytona-Organization-ID"), organization.toUtf8());
    return made;
}

domain::Error unanswered(domain::Error error, const QString &what, const QUrl &base)
{
    if (error.kind == ErrorKind::Cancelled)
        return error;
    error.detail =
        error.message + (error.detail.isEmpty() ? QString() : QStringLiteral(". ") + error.detail);
    error.message = QStringLiteral("%1 failed: no answer from %2").arg(what, net::originOf(base));
    return error;
}

QByteArray encodeCreate(const SandboxSettings &settings, const QString &name,
                        const domain::InstanceLabels &labels)
{
    json marks = json::object();
    const QMap<QString, QString> map = labels.toMap();
    for (auto it = map.begin(); it != map.end(); ++it)
        marks[it.key().toStdString()] = it.value().toStdString();
    // The row's own directory; who connects later knows the provider's config only.
    marks[kHomeLabel] = settings.home.toStdString();
    json body = {{"name", name.toStdString()},
                 {"labels", marks},
                 {"autoStopInterval", settings.autoStopMinutes},
                 {"autoArchiveInterval", settings.autoArchiveMinutes}};
    if (settings.autoDeleteMinutes > 0)
        body["autoDeleteInterval"] = settings.autoDeleteMinutes;
    if (!settings.snapshot.isEmpty())
        body["snapshot"] = settings.snapshot.toStdString();
    // There is no field for an image: it is the first line of a recipe to build from.
    if (!settings.image.isEmpty())
        body["buildInfo"] = {{"dockerfileContent", "FROM " + settings.image.toStdString() + '\n'}};
    if (!settings.user.isEmpty())
        body["user"] = settings.user.toStdString();
    if (!settings.target.isEmpty())
        body["target"] = settings.target.toStdString();
    if (settings.cpus > 0)
        body["cpu"] = settings.cpus;
    if (settings.memoryGib > 0)
        body["memory"] = settings.memoryGib;
    if (settings.diskGib > 0)
        body["disk"] = settings.diskGib;
    return net::dumped(body);
}

} // namespace berth::daytona
