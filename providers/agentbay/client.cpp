// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/agentbay/client.h"

#include "net/web/paging.h"

#include <QtCore/QDateTime>
#include <QtCore/QRandomGenerator>
#include <QtCore/QUrl>

namespace berth::agentbay {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using namespace std::chrono_literals;

namespace {

constexpr auto kVersion = "2025-05-06";
constexpr auto kPage = "50";
// The service's own limit for the tool.
constexpr std::chrono::milliseconds kLongestTool{50000};
constexpr std::chrono::milliseconds kToolSlack{15000};

net::WebRequest requestOf(const Api &api, const Call &call)
{
    const QByteArray now =
        QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyy-MM-ddTHH:mm:ssZ")).toLatin1();
    QByteArray nonce(32, Qt::Uninitialized);
    for (char &byte : nonce)
        byte = static_cast<char>(QRandomGenerator::system()->bounded(256));
    const QByteArray query = formBody({{"Action", call.action},
                                       {"Format", "json"},
                                       {"Version", kVersion},
                                       {"Timestamp", now},
                                       {"SignatureNonce", nonce.toHex()}});
    net::WebRequest request;
    request.method = QByteArrayLiteral("POST");
    request.url = QUrl(api.where.gateway + QStringLiteral("/?") + QString::fromLatin1(query));
    request.headers.append("x-acs-version", kVersion);
    request.headers.append("x-acs-action", call.action);
    request.headers.append("Content-Type", "application/x-www-form-urlencoded");
    Fields fields{{"Authorization", "Bearer " + api.key.exposeForWire()}};
    fields += call.fields;
    request.body = formBody(fields);
    request.deadlines = {api.connect, api.slow + call.takes, api.slow + call.takes};
    return request;
}

//! Says at which gateway a key was refused: a key belongs to one of them.
Error explained(Error error, const Api &api)
{
    if (error.kind == ErrorKind::Unauthorized)
        error.detail += QStringLiteral(" The key was sent to %1; a key works at one gateway only, "
                                       "see \"endpoint\" and \"region_id\".")
                            .arg(QUrl(api.where.gateway).host());
    return error;
}

Async<net::HttpResponse> sendAside(std::shared_ptr<net::WebClient> web, net::WebRequest request,
                                   std::stop_token stop)
{
    const Result<std::shared_ptr<net::WebStream>> stream = co_await web->open(request, stop);
    if (!stream)
        co_return failure(stream.error());
    const std::shared_ptr<net::WebStream> body = *stream;
    const Result<QByteArray> rest =
        co_await body->rest(request.largestBody, request.deadlines.idle, stop);
    if (!rest)
        co_return failure(rest.error());
    const net::HttpResponse response{body->head(), *rest};
    co_return response;
}

} // namespace

Async<Answer> ask(ApiPtr api, Call call, std::stop_token stop)
{
    const net::WebRequest request = requestOf(*api, call);
    net::RetryPolicy policy = api->retries;
    if (!call.isSafe)
        policy.attempts = 1;
    Result<net::HttpResponse> response = net::HttpResponse();
    if (call.waits)
        response = co_await sendAside(api->web, request, stop);
    else
        response = co_await net::sendWithRetry(api->web, request, policy, net::systemRetryClock(),
                                               call.isSafe, stop);
    if (!response)
        co_return failure(response.error());
    const Result<Answer> answer = decodeAnswer(*response, call.what, call.mustSaySuccess);
    if (!answer) {
        const Error error = explained(answer.error(), *api);
        co_return failure(error);
    }
    co_return answer;
}

namespace {

Async<net::Page<Session>> sessionPage(ApiPtr api, QByteArray labels, QByteArray token,
                                      std::stop_token stop)
{
    Call call{"ListSession",
              {{"Labels", labels}, {"MaxResults", kPage}},
              QStringLiteral("Listing the sandboxes"),
              true,
              true};
    if (!token.isEmpty())
        call.fields.append({"NextToken", token});
    const Result<Answer> answer = co_await ask(api, call, stop);
    if (!answer)
        co_return failure(answer.error());
    const Result<SessionPage> page = decodeSessions(*answer);
    if (!page)
        co_return failure(page.error());
    const net::Page<Session> made{page->sessions, page->next};
    co_return made;
}

Async<QList<Session>> listNow(ApiPtr api, QByteArray labels, std::stop_token stop)
{
    const net::PageFetch<Session> fetch = [api, labels](QByteArray token, std::stop_token inner) {
        return sessionPage(api, labels, std::move(token), std::move(inner));
    };
    const Result<net::Paged<Session>> all =
        co_await net::collectPages<Session>(fetch, net::PageLimits(), stop);
    if (!all)
        co_return failure(all.error());
    // Sandboxes that are missing here would be taken for gone.
    if (all->incomplete)
        co_return failure(*all->incomplete);
    const QList<Session> sessions = all->items;
    co_return sessions;
}

} // namespace

Async<QList<Session>> listSessions(ApiPtr api, QMap<QString, QString> labels, std::stop_token stop)
{
    return listNow(std::move(api), labelsText(labels), std::move(stop));
}

Async<QString> statusOfSession(ApiPtr api, QString id, std::stop_token stop)
{
    const Call call{
        "GetSession", {{"SessionId", id.toUtf8()}}, QStringLiteral("Looking at a sandbox"), true};
    const Result<Answer> answer = co_await ask(api, call, stop);
    if (!answer)
        co_return failure(answer.error());
    const Result<QString> status = decodeStatus(*answer);
    co_return status;
}

Async<QMap<QString, QString>> labelsOfSession(ApiPtr api, QString id, std::stop_token stop)
{
    const Call call{"GetLabel",
                    {{"SessionId", id.toUtf8()}},
                    QStringLiteral("Reading the labels of a sandbox"),
                    true};
    const Result<Answer> answer = co_await ask(api, call, stop);
    if (!answer)
        co_return failure(answer.error());
    const Result<QMap<QString, QString>> labels = decodeLabels(*answer);
    co_return labels;
}

Async<net::ScriptResult> runShell(ApiPtr api, QString session, net::ScriptRequest request,
                                  bool waits, std::stop_token stop)
{
    const std::chrono::milliseconds limit = std::min(request.timeout, kLongestTool);
    Call call{"CallMcpTool",
              {{"SessionId", session.toUtf8()},
               {"Name", "shell"},
               {"Server", ""},
               {"AutoGenSession", "false"},
               {"Args", shellArguments(net::scriptWithInput(request), limit)}},
              QStringLiteral("Running a command")};
    call.takes = limit + kToolSlack;
    call.waits = waits;
    const Result<Answer> answer = co_await ask(api, call, stop);
    if (!answer)
        co_return failure(answer.error());
    const Result<net::ScriptResult> result = decodeShell(*answer);
    co_return result;
}

} // namespace berth::agentbay
