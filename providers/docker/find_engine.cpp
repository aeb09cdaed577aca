// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/client.h"

#include "providers/docker/reach.h"

#include <QtCore/QElapsedTimer>

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

} // namespace

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

namespace {

//! A server that does not take our certificate says so after the handshake, and hangs up on what
//! was asked meanwhile, which often loses its words. Asks nothing, and listens.
Async<void> listenForRefusal(std::shared_ptr<net::Dialer> dialer, QString host,
                             bool showsCertificate, std::stop_token stop)
{
    const Result<net::ByteStream> dialled = co_await dialer->dial(5s, stop);
    if (!dialled)
        co_return failure(dialled.error());
    const net::ByteStream stream = *dialled;
    const net::StreamEvent event = co_await net::awaitReadable(stream, 2s, stop);
    if (event != net::StreamEvent::Closed)
        co_return Result<void>{};
    const std::optional<domain::Error> reason = co_await net::endReason(stream);
    if (reason)
        co_return failure(*reason);
    co_return failure(
        ErrorKind::Unauthorized, QStringLiteral("%1 refused the encrypted connection").arg(host),
        showsCertificate
            ? QStringLiteral("It does not take the client certificate")
            : QStringLiteral("It asks for a client certificate (cert.pem and key.pem)"));
}

//! Who to ask, and with what words.
Async<EnginePtr> tryEndpoint(Endpoint endpoint, std::stop_token stop)
{
    const Result<Reach> reach = reachOf(endpoint);
    if (!reach)
        co_return failure(reach.error());
    auto engine = std::make_shared<Engine>();
    engine->address = reach->shown;
    engine->isLocal = reach->address.kind == Address::Kind::Unix;
    engine->isPrivate = reach->encrypted || reach->address.kind != Address::Kind::Tcp
        || reach->address.isLoopback();
    engine->http = std::make_shared<net::StreamHttpClient>(reach->dialer);

    net::HttpRequest ping;
    ping.target = QByteArrayLiteral("/_ping");
    ping.deadlines = {engine->isLocal ? 3s : 10s, 10s, 10s};
    // A program such as ssh connects after it has started, and gives that up by itself after 10 s.
    if (reach->address.kind == Address::Kind::Ssh)
        ping.deadlines.firstByte = 45s; // a login on a busy machine takes its time
    const Result<net::HttpResponse> pong = co_await engine->http->send(ping, stop);
    if (!pong) {
        if (reach->encrypted && reach->address.kind == Address::Kind::Tcp
            && pong.error().kind == ErrorKind::Unavailable) {
            const bool shows = !endpoint.tls.certificate.isEmpty();
            const Result<void> listened =
                co_await listenForRefusal(reach->dialer, reach->address.host, shows, stop);
            if (!listened)
                co_return failure(listened.error());
        }
        co_return failure(explained(pong.error(), *reach));
    }
    if (!pong->head.isSuccess())
        co_return failure(explained(
            engineError(pong->head.status, pong->body, QStringLiteral("Asking the engine")),
            *reach));
    const Result<QByteArray> prefix = negotiated(pong->head.headers.value("Api-Version"));
    if (!prefix)
        co_return failure(prefix.error());
    engine->prefix = *prefix;
    engine->isPodman = pong->head.headers.contains("Libpod-Api-Version");

    net::HttpRequest about;
    about.target = engine->prefix + QByteArrayLiteral("/info");
    const Result<net::HttpResponse> answer = co_await engine->http->send(about, stop);
    if (!answer)
        co_return failure(explained(answer.error(), *reach));
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

//! What is not wrong but should be known.
void warn(const Endpoint &endpoint, const domain::StepSink &step)
{
    const Result<Reach> reach = reachOf(endpoint);
    if (!step || !reach || reach->warning.isEmpty())
        return;
    step({QStringLiteral("Encryption"), StepState::Warning, reach->warning, 0ms});
}

} // namespace

Async<EnginePtr> findEngine(EndpointSearch search, domain::StepSink step, std::stop_token stop)
{
    QStringList tried;
    std::optional<domain::Error> telling;
    for (const Endpoint &endpoint : std::as_const(search.endpoints)) {
        QElapsedTimer clock;
        clock.start();
        const Result<EnginePtr> engine = co_await tryEndpoint(endpoint, stop);
        const std::chrono::milliseconds took{clock.elapsed()};
        const QString name = endpoint.host.isEmpty()
            ? endpoint.origin
            : QStringLiteral("%1 (%2)").arg(shownAddress(endpoint.host), endpoint.origin);
        if (engine) {
            if (step)
                step({name, StepState::Ok,
                      QStringLiteral("%1 %2, API %3, %4")
                          .arg((*engine)->isPodman ? QStringLiteral("podman")
                                                   : QStringLiteral("Engine"),
                               (*engine)->facts.version,
                               QString::fromLatin1((*engine)->prefix.mid(2)),
                               (*engine)->facts.operatingSystem),
                      took});
            warn(endpoint, step);
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
    error.message = QStringLiteral("No Docker engine answers on this machine");
    // One that was named, or that refuses us, is what has to be told; else all of them.
    const bool one = telling && (search.isExplicit || error.kind != ErrorKind::Unavailable);
    if (one) {
        error.message = telling->message;
        error.detail = telling->detail;
    } else {
        error.detail = QStringLiteral("Start it, or name its address in Settings");
    }
    if (!search.isExplicit || error.detail.isEmpty())
        error.detail +=
            (error.detail.isEmpty() ? QStringLiteral("Tried: ") : QStringLiteral(". Tried: "))
            + tried.join(QStringLiteral("; "));
    // What could not be asked is not gone.
    if (error.kind == ErrorKind::NotFound)
        error.kind = ErrorKind::Unavailable;
    co_return failure(error);
}

} // namespace berth::docker
