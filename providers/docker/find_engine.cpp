// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/client.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QFileInfo>

#include <algorithm>

namespace berth::docker {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::HealthStep;
using domain::Result;
using domain::StepState;
using namespace std::chrono_literals;

namespace {

//! The newest that this client was written for, and the oldest that it can do with (Docker 19.03).
constexpr std::pair<int, int> kNewestApi{1, 47};
constexpr std::pair<int, int> kOldestApi{1, 40};

Result<QByteArray> negotiated(const QByteArray &offered)
{
    const std::optional<std::pair<int, int>> theirs = apiVersion(offered);
    if (!theirs)
        return failure(ErrorKind::Protocol,
                       QStringLiteral("What answers there is not a Docker engine"));
    if (*theirs < kOldestApi)
        return failure(ErrorKind::Unsupported,
                       QStringLiteral("The engine is too old: it offers API %1")
                           .arg(QString::fromLatin1(offered)),
                       QStringLiteral("API 1.40, which is Docker 19.03, or newer is needed"));
    const auto [major, minor] = std::min(*theirs, kNewestApi);
    return QByteArrayLiteral("/v") + QByteArray::number(major) + '.' + QByteArray::number(minor);
}

void explain(domain::Error &error, const QString &path)
{
    if (error.kind == ErrorKind::Forbidden) {
        const QString group = QFileInfo(path).group();
        error.detail =
            QStringLiteral(
                "Its group is \"%1\"; add yourself with \"sudo usermod -aG %1 $USER\" and log in "
                "again. Who is in it controls this machine")
                .arg(group.isEmpty() ? QStringLiteral("docker") : group);
    }
}

Async<EnginePtr> tryEndpoint(Endpoint endpoint, std::stop_token stop)
{
    const Result<QString> path = socketPathOf(endpoint.host);
    if (!path)
        co_return failure(path.error());
    auto engine = std::make_shared<Engine>();
    engine->socketPath = *path;
    engine->http = net::localHttpClient(*path);

    net::HttpRequest ping;
    ping.target = QByteArrayLiteral("/_ping");
    ping.deadlines = {3s, 10s, 10s};
    const Result<net::HttpResponse> pong = co_await engine->http->send(ping, stop);
    if (!pong) {
        domain::Error error = pong.error();
        explain(error, *path);
        co_return failure(error);
    }
    if (!pong->head.isSuccess())
        co_return failure(
            engineError(pong->head.status, pong->body, QStringLiteral("Asking the engine")));
    const Result<QByteArray> prefix = negotiated(pong->head.headers.value("Api-Version"));
    if (!prefix)
        co_return failure(prefix.error());
    engine->prefix = *prefix;

    net::HttpRequest about;
    about.target = engine->prefix + QByteArrayLiteral("/info");
    const Result<net::HttpResponse> answer = co_await engine->http->send(about, stop);
    if (!answer)
        co_return failure(answer.error());
    if (!answer->head.isSuccess())
        co_return failure(
            engineError(answer->head.status, answer->body, QStringLiteral("Asking the engine")));
    const Result<EngineFacts> facts = decodeFacts(answer->body);
    if (!facts)
        co_return failure(facts.error());
    engine->facts = *facts;
    if (facts->kind == QLatin1String("windows"))
        co_return failure(ErrorKind::Unsupported,
                          QStringLiteral("The engine runs Windows containers"),
                          QStringLiteral("Switch it to Linux containers"));
    co_return EnginePtr(engine);
}

Async<EnginePtr> findNow(EndpointSearch search, domain::StepSink step, std::stop_token stop)
{
    QStringList tried;
    std::optional<domain::Error> telling;
    for (const Endpoint &endpoint : std::as_const(search.endpoints)) {
        QElapsedTimer clock;
        clock.start();
        const Result<EnginePtr> engine = co_await tryEndpoint(endpoint, stop);
        const std::chrono::milliseconds took{clock.elapsed()};
        const QString name = QStringLiteral("%1 (%2)").arg(endpoint.host, endpoint.origin);
        if (engine) {
            if (step)
                step({name, StepState::Ok,
                      QStringLiteral("Engine %1, API %2, %3")
                          .arg((*engine)->facts.version,
                               QString::fromLatin1((*engine)->prefix.mid(2)),
                               (*engine)->facts.operatingSystem),
                      took});
            co_return *engine;
        }
        const domain::Error &error = engine.error();
        if (error.kind == ErrorKind::Cancelled)
            co_return failure(error);
        const QString why = error.detail.isEmpty()
            ? error.message
            : error.message + QStringLiteral(". ") + error.detail;
        // A usual place without a socket is no news, one that refuses us is.
        const bool absent = !search.isExplicit && error.kind == ErrorKind::Unavailable;
        if (step)
            step({name, absent ? StepState::Skipped : StepState::Failed, why, took});
        tried << QStringLiteral("%1: %2").arg(name, why);
        if (!telling || (telling->kind == ErrorKind::Unavailable && !absent))
            telling = error;
    }
    domain::Error error;
    error.kind = telling ? telling->kind : ErrorKind::Unavailable;
    error.message = search.isExplicit && telling
        ? telling->message
        : QStringLiteral("No Docker engine answers on this machine");
    if (error.kind == ErrorKind::Forbidden && telling)
        error.message = telling->message;
    error.detail = search.isExplicit && telling && !telling->detail.isEmpty()
        ? telling->detail
        : QStringLiteral("Start it, or name its socket in Settings. Tried: ")
            + tried.join(QStringLiteral("; "));
    if (error.kind == ErrorKind::Forbidden && telling)
        error.detail = telling->detail;
    // What could not be asked is not gone.
    if (error.kind == ErrorKind::NotFound)
        error.kind = ErrorKind::Unavailable;
    co_return failure(error);
}

} // namespace

Async<EnginePtr> findEngine(EndpointSearch search, domain::StepSink step, std::stop_token stop)
{
    return findNow(std::move(search), std::move(step), std::move(stop));
}

} // namespace berth::docker
