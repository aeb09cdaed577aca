// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/tenki/core.h"

#include "async/sleep.h"
#include "providers/tenki/connection.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QRegularExpression>

#include <algorithm>
#include <array>

namespace berth::tenki {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::ObservedState;
using domain::Result;

namespace {

domain::Error withoutKey()
{
    return {ErrorKind::Unauthorized,
            QStringLiteral("There is no key for Tenki"),
            QStringLiteral("Store one for this config, or set TENKI_API_KEY or TENKI_AUTH_TOKEN"),
            {},
            {}};
}

QString labelled(SessionState state, int number)
{
    switch (state) {
    case SessionState::Creating:
        return QStringLiteral("being created");
    case SessionState::Running:
        return QStringLiteral("running");
    case SessionState::Paused:
        return QStringLiteral("paused");
    case SessionState::Terminating:
        return QStringLiteral("being ended");
    case SessionState::Terminated:
        return QStringLiteral("ended");
    case SessionState::Pausing:
        return QStringLiteral("being paused");
    case SessionState::Resuming:
        return QStringLiteral("being resumed");
    case SessionState::UserShutdown:
        return QStringLiteral("shut down from inside");
    case SessionState::Unspecified:
        return QStringLiteral("in a state that Tenki does not tell");
    case SessionState::Unknown:
        break;
    }
    return QStringLiteral("in state %1, which Berth does not know").arg(number);
}

} // namespace

Async<Account> readyAccount(CorePtr core, std::stop_token stop)
{
    if (core->account) {
        const Account known = *core->account;
        co_return known;
    }
    const Result<GrpcChannel> channel = core->control();
    if (!channel)
        co_return failure(channel.error());
    const CallResult<Account> account = co_await whoAmI(*channel, stop);
    const bool mayNotAsk = !account
        && (account.error().status == GrpcStatus::PermissionDenied
            || account.error().status == GrpcStatus::Unimplemented);
    if (!account && !mayNotAsk)
        co_return failure(account.error().error);
    const Account known = account ? *account : Account();
    core->account = known;
    QString id = core->settings.values.value(QStringLiteral("workspace_id")).trimmed();
    if (id.isEmpty() && known.workspaces.size() == 1)
        id = known.workspaces.first().first;
    core->engineId = id.isEmpty() ? known.ownerId : id;
    co_return known;
}

Async<QList<Session>> allSessions(CorePtr core, std::stop_token stop)
{
    const Result<GrpcChannel> channel = core->control();
    if (!channel)
        co_return failure(channel.error());
    const Result<Account> account = co_await readyAccount(core, stop);
    if (!account)
        co_return failure(account.error());
    QStringList workspaces;
    for (const auto &[id, name] : account->workspaces)
        workspaces.append(id);
    const QString chosen = core->settings.values.value(QStringLiteral("workspace_id")).trimmed();
    if (!chosen.isEmpty() && !workspaces.contains(chosen))
        workspaces.append(chosen);
    // A key of one workspace needs no name for it.
    if (workspaces.isEmpty() || (workspaces.size() == 1 && chosen.isEmpty()))
        workspaces = {QString()};
    QList<Session> sessions;
    for (const QString &workspace : std::as_const(workspaces)) {
        const CallResult<QList<Session>> some =
            co_await listSessions(*channel, workspace, false, stop);
        if (!some)
            co_return failure(some.error().error);
        sessions += *some;
    }
    co_return sessions;
}

Async<Session> lookAt(CorePtr core, domain::ExternalId id, std::stop_token stop)
{
    const Result<void> shaped = plausible(id);
    if (!shaped)
        co_return failure(shaped.error());
    const Result<GrpcChannel> channel = core->control();
    if (!channel)
        co_return failure(channel.error());
    const CallResult<Session> session = co_await getSession(*channel, id.toString(), stop);
    if (session
        && (session->state == SessionState::Terminated
            || session->state == SessionState::Terminating))
        co_return failure(ErrorKind::NotFound, QStringLiteral("The sandbox has ended at Tenki"),
                          session->trouble);
    if (session)
        co_return *session;
    const CallError error = session.error();
    if (error.error.kind != ErrorKind::NotFound)
        co_return failure(error.error);
    // One copy of the service's records may not know what another one does.
    const Result<QList<Session>> all = co_await allSessions(core, stop);
    const bool isListed = all && std::any_of(all->begin(), all->end(), [&id](const Session &one) {
                              return one.id == id.toString();
                          });
    if (all && !isListed)
        co_return failure(error.error);
    domain::Error unsure = error.error;
    unsure.kind = ErrorKind::Unavailable;
    unsure.detail = isListed
        ? QStringLiteral("Tenki says that it does not know the sandbox, yet it lists it")
        : QStringLiteral("Tenki says that it does not know the sandbox; its list, which would make "
                         "that sure, is not to be had: %1")
              .arg(all.error().message);
    co_return failure(unsure);
}

Async<Session> ownSession(CorePtr core, domain::ExternalId id, std::stop_token stop)
{
    const Result<Session> session = co_await lookAt(core, id, stop);
    if (!session)
        co_return failure(session.error());
    const domain::InstallationId owner =
        domain::InstanceLabels::fromMap(session->metadata).installation;
    if (owner.isNull())
        co_return failure(ErrorKind::Forbidden,
                          QStringLiteral("This sandbox was not made by Berth"));
    if (owner != core->installation)
        co_return failure(ErrorKind::Forbidden,
                          QStringLiteral("This sandbox belongs to another Berth"));
    co_return *session;
}

namespace {

//! Next to be waited, as the service's own client does: it begins soon and never asks often.
std::chrono::milliseconds pollPause(int attempt)
{
    static constexpr std::array<int, 5> kPauses{100, 250, 500, 1000, 2000};
    return std::chrono::milliseconds(kPauses.at(std::min<std::size_t>(std::size_t(attempt), 4)));
}

Result<void> stillOnItsWay(const Session &session, bool resuming, bool sawResuming,
                           qint64 elapsedMs)
{
    switch (session.state) {
    case SessionState::Terminating:
    case SessionState::Terminated:
        return failure(ErrorKind::Unavailable,
                       QStringLiteral("Tenki ended the sandbox before it ran"), session.trouble);
    case SessionState::Paused:
    case SessionState::UserShutdown:
        // For a moment after the call it may still be told as it was.
        if (!resuming || sawResuming || elapsedMs > 3000)
            return failure(ErrorKind::Unavailable,
                           QStringLiteral("The sandbox did not start: it is %1 again")
                               .arg(labelled(session.state, session.stateNumber)),
                           session.trouble);
        break;
    case SessionState::Unspecified:
    case SessionState::Creating:
    case SessionState::Running:
    case SessionState::Pausing:
    case SessionState::Resuming:
    case SessionState::Unknown:
        break;
    }
    return {};
}

} // namespace

Async<Session> untilRunning(CorePtr core, QString id, bool resuming, domain::ProgressSink progress,
                            std::stop_token stop)
{
    const Result<GrpcChannel> channel = core->control();
    if (!channel)
        co_return failure(channel.error());
    QElapsedTimer clock;
    clock.start();
    bool sawResuming = false;
    for (int attempt = 0;; ++attempt) {
        const CallResult<Session> session = co_await getSession(*channel, id, stop);
        if (session) {
            if (session->state == SessionState::Running)
                co_return *session;
            sawResuming = sawResuming || session->state == SessionState::Resuming;
            const Result<void> goesOn =
                stillOnItsWay(*session, resuming, sawResuming, clock.elapsed());
            if (!goesOn)
                co_return failure(goesOn.error());
            if (progress)
                progress({QStringLiteral("At Tenki the sandbox is %1")
                              .arg(labelled(session->state, session->stateNumber)),
                          -1});
        } else if (const ErrorKind kind = session.error().error.kind; kind != ErrorKind::NotFound
                   && kind != ErrorKind::Unavailable && kind != ErrorKind::Timeout
                   && kind != ErrorKind::RateLimited) {
            co_return failure(session.error().error);
        }
        const std::chrono::milliseconds pause = pollPause(attempt);
        if (std::chrono::milliseconds(clock.elapsed()) + pause > core->patience.ready)
            co_return failure(ErrorKind::Timeout,
                              QStringLiteral("The sandbox was not ready within %1 s")
                                  .arg(core->patience.ready.count() / 1000),
                              session ? QStringLiteral("It is still %1")
                                            .arg(labelled(session->state, session->stateNumber))
                                      : session.error().error.message);
        const bool elapsed = co_await async::sleepFor(pause, stop);
        if (!elapsed)
            co_return failure(ErrorKind::Cancelled, QStringLiteral("It was given up"));
    }
}

Result<GrpcChannel> Core::control()
{
    if (m_control)
        return *m_control;
    const Result<Connection> where = connection(settings.values);
    if (!where)
        return failure(where.error());
    const domain::Secret key = settings.secrets.value(QStringLiteral("api_key"));
    if (key.isEmpty())
        return failure(withoutKey());
    const QString origin = net::originOf(where->endpoint);
    for (const domain::SecretOrigin &one : secretOrigins(settings.values)) {
        if (!one.isKnown && !settings.confirmedOrigins.contains(one.origin))
            return failure(
                ErrorKind::Forbidden,
                QStringLiteral("The key is not sent to %1 before you confirm it").arg(one.origin),
                QStringLiteral("Confirm this address in the provider's settings, or with "
                               "berth-cli provider trust"));
    }
    const Result<std::shared_ptr<net::WebClient>> client = dataClient(*this, where->endpoint);
    if (!client)
        return failure(client.error());
    GrpcChannel made;
    made.client = *client;
    made.base = where->endpoint;
    made.service = QByteArrayLiteral("/tenki.sandbox.v1.SandboxService/");
    made.answerWithin = patience.answer;
    made.headers = tokenHeaders(key);
    made.headers.append(QByteArrayLiteral("X-Tenki-Client-Family"), where->clientFamily);
    // As the service's own client says; it seems to choose keys that belong to a workspace.
    made.headers.append(QByteArrayLiteral("X-Tenki-Client-Generation"),
                        QByteArrayLiteral("workspace_v1"));
    m_control = made;
    return made;
}

void Core::dropConnection(const QString &id, const QString &reason)
{
    fresh.remove(id);
    if (const std::shared_ptr<TenkiConnection> open = connections.take(id).lock())
        open->close(reason);
}

Result<std::shared_ptr<net::WebClient>> dataClient(const Core &core, const QUrl &endpoint)
{
    const Result<Connection> where = connection(core.settings.values);
    if (!where)
        return failure(where.error());
    if (const std::optional<QString> problem =
            addressProblem(QStringLiteral("The address that Tenki names"), endpoint))
        return failure(ErrorKind::Protocol, *problem);
    net::WebSettings web;
    web.origins = QStringList{net::originOf(endpoint)};
    web.proxy = where->proxy;
    web.caFile = where->caFile;
    web.http2Cleartext = true;
    web.http2Required = true;
    return std::make_shared<net::WebClient>(web);
}

Result<void> plausible(const domain::ExternalId &id)
{
    static const QRegularExpression shape(
        QStringLiteral("\\A[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\\z"));
    if (shape.match(id.toString()).hasMatch())
        return {};
    return failure(ErrorKind::NotFound, QStringLiteral("There is no such sandbox at Tenki"));
}

ObservedState observedFrom(SessionState state)
{
    switch (state) {
    case SessionState::Creating:
    case SessionState::Resuming:
        return ObservedState::Starting;
    case SessionState::Running:
        return ObservedState::Running;
    case SessionState::Paused:
        return ObservedState::Paused;
    case SessionState::UserShutdown:
        return ObservedState::Stopped;
    case SessionState::Pausing:
        return ObservedState::Stopping;
    case SessionState::Terminating:
    case SessionState::Terminated:
        return ObservedState::Gone;
    case SessionState::Unspecified:
    case SessionState::Unknown:
        break;
    }
    return ObservedState::Unknown;
}

domain::Instance instanceFrom(const Session &session)
{
    domain::Instance instance;
    instance.externalId = domain::ExternalId(session.id);
    instance.name = session.name;
    instance.image = session.image;
    instance.state = observedFrom(session.state);
    if (instance.state != ObservedState::Running)
        instance.stateDetail = session.trouble.isEmpty()
            ? labelled(session.state, session.stateNumber)
            : session.trouble;
    instance.labels = domain::InstanceLabels::fromMap(session.metadata);
    instance.createdAt = session.createdAt;
    instance.startedAt = session.readyAt.isValid() ? session.readyAt : session.createdAt;
    return instance;
}

} // namespace berth::tenki
