// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/tenki/data_plane.h"

#include "async/sleep.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QRegularExpression>

#include <algorithm>

namespace berth::tenki {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using namespace std::chrono_literals;

namespace {

const QByteArray kService = QByteArrayLiteral("/tenki.sandbox.v1.SandboxSessionDataPlaneService/");
//! More life than the command itself needs, so that its end can be told.
constexpr std::chrono::seconds kMargin{60};

domain::Error givenUp()
{
    return {ErrorKind::Cancelled, QStringLiteral("It was given up"), {}, {}, {}};
}

//! 50, 100, 150 … 750 ms.
std::chrono::milliseconds routePause(int attempt)
{
    return std::chrono::milliseconds(std::min(50 * (attempt + 1), 750));
}

} // namespace

bool saysPaused(const CallError &error)
{
    static const QRegularExpression words(QStringLiteral("\\bstate\\s*=\\s*(PAUSED|PAUSING|USER_"
                                                         "SHUTDOWN)\\b"),
                                          QRegularExpression::CaseInsensitiveOption);
    return error.status == GrpcStatus::FailedPrecondition && words.match(error.text).hasMatch();
}

DataPlane::DataPlane(CorePtr core, Session session)
    : m_core(std::move(core)), m_id(std::move(session.id)), m_timeoutAt(session.timeoutAt)
{}

void DataPlane::take(const Route &route)
{
    if (!route.endpoint.isEmpty() && route.endpoint != m_route.endpoint) {
        m_route.endpoint = route.endpoint;
        m_client.reset();
    }
    if (!route.credential.isEmpty()) {
        m_route.credential = route.credential;
        m_route.expiresAt = route.expiresAt;
        m_renewAt = {};
        if (route.expiresAt.isValid()) {
            const QDateTime now = QDateTime::currentDateTimeUtc();
            m_renewAt = now.addMSecs(std::max<qint64>(1000, now.msecsTo(route.expiresAt) / 2));
        }
    }
    m_route.status = route.status;
}

bool DataPlane::isValid() const
{
    return !m_route.endpoint.isEmpty() && !m_route.credential.isEmpty()
        && (!m_route.expiresAt.isValid() || m_route.expiresAt > QDateTime::currentDateTimeUtc());
}

bool DataPlane::isFresh() const
{
    return isValid() && m_route.status == RouteStatus::Verified
        && (!m_renewAt.isValid() || m_renewAt > QDateTime::currentDateTimeUtc());
}

Result<GrpcChannel> DataPlane::channel()
{
    const QUrl endpoint(m_route.endpoint, QUrl::StrictMode);
    if (!m_client) {
        const Result<std::shared_ptr<net::WebClient>> client = dataClient(*m_core, endpoint);
        if (!client)
            return failure(client.error());
        m_client = *client;
    }
    GrpcChannel made;
    made.client = m_client;
    made.base = endpoint;
    made.service = kService;
    made.answerWithin = m_core->patience.answer;
    // And nothing else: the key is not for this host.
    made.headers = {
        {QByteArrayLiteral("x-tenki-session-cert"), m_route.credential.exposeForWire()}};
    return made;
}

Async<bool> DataPlane::probeNow(std::shared_ptr<DataPlane> self, std::stop_token stop)
{
    const Result<GrpcChannel> channel = self->channel();
    if (!channel)
        co_return failure(channel.error());
    const GrpcCall call = grpcCall("Stat", encodeStat(self->m_id, QByteArrayLiteral("/home/tenki")),
                                   QStringLiteral("Trying the way to the sandbox"));
    const CallResult<QByteArray> answer = co_await unaryCall(*channel, call, stop);
    if (!answer && !answer.error().status && !answer.error().isEdgeMiss)
        co_return failure(answer.error().error);
    const bool leadsThere = answer || !answer.error().isEdgeMiss;
    co_return leadsThere;
}

//! The caller is alone.
Async<void> DataPlane::renewNow(std::shared_ptr<DataPlane> self, domain::ProgressSink progress,
                                std::stop_token stop)
{
    const Result<GrpcChannel> control = self->m_core->control();
    if (!control)
        co_return failure(control.error());
    QElapsedTimer clock;
    clock.start();
    for (int attempt = 0;; ++attempt) {
        const CallResult<Route> route = co_await createCredential(*control, self->m_id, stop);
        if (!route && saysPaused(route.error()))
            co_return failure(ErrorKind::Conflict, QStringLiteral("The sandbox is paused"),
                              QStringLiteral("Resume it first"));
        if (!route) {
            domain::Error error = route.error().error;
            // A copy of the records that is behind; who asked before knew it.
            if (error.kind == ErrorKind::NotFound)
                error.kind = ErrorKind::Unavailable;
            co_return failure(error);
        }
        self->take(*route);
        bool leadsThere = route->status == RouteStatus::Verified;
        if (route->status == RouteStatus::Failed)
            co_return failure(ErrorKind::Unavailable,
                              QStringLiteral("Tenki could not make a way to the sandbox"),
                              QStringLiteral("Pause and resume it, or make a new one"));
        const bool isNamed =
            !self->m_route.endpoint.isEmpty() && !self->m_route.credential.isEmpty();
        if (!isNamed && route->status != RouteStatus::NotReady)
            co_return failure(ErrorKind::Protocol,
                              QStringLiteral("Tenki names no way to the sandbox"),
                              QStringLiteral("Its answer lacks the address or the credential"));
        if (route->status == RouteStatus::Unspecified || route->status == RouteStatus::Unknown) {
            const Result<bool> probed = co_await probeNow(self, stop);
            if (!probed)
                co_return failure(probed.error());
            leadsThere = *probed;
        }
        if (leadsThere) {
            self->m_route.status = RouteStatus::Verified;
            co_return Result<void>{};
        }
        if (progress)
            progress({QStringLiteral("Tenki is making the way to the sandbox"), -1});
        const std::chrono::milliseconds pause = routePause(attempt);
        if (std::chrono::milliseconds(clock.elapsed()) + pause > self->m_core->patience.route)
            co_return failure(ErrorKind::Timeout,
                              QStringLiteral("There was no way to the sandbox within %1 s")
                                  .arg(self->m_core->patience.route.count() / 1000),
                              QStringLiteral("It runs, but Tenki's edge does not lead to it yet"));
        const bool elapsed = co_await async::sleepFor(pause, stop);
        if (!elapsed)
            co_return failure(givenUp());
    }
}

Async<void> DataPlane::readyNow(std::shared_ptr<DataPlane> self, bool anew,
                                domain::ProgressSink progress, std::stop_token stop)
{
    if (!anew && self->isFresh())
        co_return Result<void>{};
    const domain::Secret before = self->m_route.credential;
    const auto pass = co_await self->m_renewing.enter();
    // Somebody else renewed it meanwhile.
    if (self->isFresh() && (!anew || self->m_route.credential != before))
        co_return Result<void>{};
    const Result<void> renewed = co_await renewNow(self, progress, stop);
    // Half of its life is left to try again.
    if (!renewed && !anew && self->isValid() && self->m_route.status == RouteStatus::Verified
        && renewed.error().kind != ErrorKind::Cancelled
        && renewed.error().kind != ErrorKind::Conflict)
        co_return Result<void>{};
    co_return renewed;
}

Call<Opened> DataPlane::openNow(std::shared_ptr<DataPlane> self, GrpcCall call,
                                std::stop_token stop)
{
    QElapsedTimer clock;
    clock.start();
    bool wasRenewed = false;
    for (int attempt = 0;; ++attempt) {
        const Result<void> ready = co_await readyNow(self, false, {}, stop);
        if (!ready)
            co_return callFailure(ready.error());
        const Result<GrpcChannel> channel = self->channel();
        if (!channel)
            co_return callFailure(channel.error());
        const CallResult<std::shared_ptr<GrpcStream>> stream =
            co_await openCall(*channel, call, stop);
        CallError error;
        if (stream) {
            const CallResult<std::optional<QByteArray>> first =
                co_await (*stream)->next(answerLimit(*channel, call), stop);
            if (first) {
                const Opened opened{*stream, *first};
                co_return opened;
            }
            error = first.error();
        } else {
            error = stream.error();
        }
        if (saysPaused(error)) {
            error.error.kind = ErrorKind::Conflict;
            error.error.message = QStringLiteral("The sandbox is paused");
            error.error.detail = QStringLiteral("Resume it first");
            co_return callFailure(error);
        }
        if (error.status == GrpcStatus::Unauthenticated && !wasRenewed) {
            wasRenewed = true;
            const Result<void> renewed = co_await readyNow(self, true, {}, stop);
            if (!renewed)
                co_return callFailure(renewed.error());
            continue;
        }
        const std::chrono::milliseconds pause = routePause(attempt);
        const bool mayWait =
            std::chrono::milliseconds(clock.elapsed()) + pause < self->m_core->patience.route;
        if (!error.isEdgeMiss || !mayWait)
            co_return callFailure(error);
        const bool elapsed = co_await async::sleepFor(pause, stop);
        if (!elapsed)
            co_return callFailure(givenUp());
    }
}

Call<QByteArray> DataPlane::unaryNow(std::shared_ptr<DataPlane> self, GrpcCall call,
                                     std::stop_token stop)
{
    const CallResult<Opened> opened = co_await openNow(self, call, stop);
    if (!opened)
        co_return callFailure(opened.error());
    if (!opened->first)
        co_return callFailure(domain::Error{ErrorKind::Protocol,
                                            call.what
                                                + QStringLiteral(" did not work: Tenki's "
                                                                 "answer holds no message"),
                                            {},
                                            {},
                                            {}});
    const CallResult<std::optional<QByteArray>> end =
        co_await opened->stream->next(self->m_core->patience.answer, stop);
    if (!end)
        co_return callFailure(end.error());
    const QByteArray message = *opened->first;
    co_return message;
}

Async<void> DataPlane::outliveNow(std::shared_ptr<DataPlane> self, std::chrono::milliseconds budget,
                                  std::stop_token stop)
{
    if (!self->m_timeoutAt.isValid())
        co_return Result<void>{};
    const std::chrono::milliseconds left(
        QDateTime::currentDateTimeUtc().msecsTo(self->m_timeoutAt));
    const std::chrono::milliseconds needed = budget + kMargin;
    if (left >= needed)
        co_return Result<void>{};
    const Result<GrpcChannel> control = self->m_core->control();
    if (!control)
        co_return failure(control.error());
    const std::chrono::seconds more = std::chrono::ceil<std::chrono::seconds>(needed - left);
    const CallResult<Session> session =
        co_await extendSession(*control, self->m_id, more + kMargin, stop);
    if (!session)
        co_return failure(session.error().error);
    self->m_timeoutAt = session->timeoutAt;
    co_return Result<void>{};
}

Async<void> DataPlane::ready(domain::ProgressSink progress, std::stop_token stop)
{
    return readyNow(shared_from_this(), false, std::move(progress), std::move(stop));
}

Call<Opened> DataPlane::open(GrpcCall call, std::stop_token stop)
{
    return openNow(shared_from_this(), std::move(call), std::move(stop));
}

Call<QByteArray> DataPlane::unary(GrpcCall call, std::stop_token stop)
{
    return unaryNow(shared_from_this(), std::move(call), std::move(stop));
}

Async<void> DataPlane::outlive(std::chrono::milliseconds budget, std::stop_token stop)
{
    return outliveNow(shared_from_this(), budget, std::move(stop));
}

} // namespace berth::tenki
