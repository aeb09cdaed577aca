// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "async/sleep.h"
#include "providers/tenki/connection.h"
#include "providers/tenki/core.h"
#include "providers/tenki/data_plane.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QElapsedTimer>
#include <QtCore/QSet>

namespace berth::tenki {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using namespace std::chrono_literals;

namespace {

//! UpdateSession takes no more; that CreateSession does is not known.
constexpr int kLongestName = 64;
constexpr int kMostTwins = 100;

//! \a wanted, or what tells it apart from other long ones.
QString fittingName(const QString &wanted, int room)
{
    if (wanted.size() <= room)
        return wanted;
    const QByteArray mark =
        QCryptographicHash::hash(wanted.toUtf8(), QCryptographicHash::Sha256).toHex().left(8);
    return wanted.left(room - 9) + QLatin1Char('-') + QString::fromLatin1(mark);
}

//! Tenki itself does not mind two of one name; people do.
Result<QString> freeName(const QString &wanted, const QList<Session> &sessions)
{
    QSet<QString> taken;
    for (const Session &one : sessions)
        taken.insert(one.name);
    const QString whole = fittingName(wanted, kLongestName);
    if (!taken.contains(whole))
        return whole;
    const QString stem = fittingName(wanted, kLongestName - 4);
    for (int i = 2; i < kMostTwins; ++i) {
        const QString name = QStringLiteral("%1-%2").arg(stem).arg(i);
        if (!taken.contains(name))
            return name;
    }
    return failure(ErrorKind::Conflict, QStringLiteral("No name is free for %1").arg(wanted),
                   QStringLiteral("Destroy old sandboxes of that name"));
}

CreatePlan planFrom(const SandboxSettings &settings, const domain::CreateRequest &request,
                    const QString &name)
{
    CreatePlan plan;
    plan.name = name;
    plan.workspaceId = settings.workspaceId;
    plan.metadata = request.labels.toMap();
    // What a connection of a later day cannot know from the config.
    plan.metadata.insert(kHomeKey, QString::fromUtf8(settings.home));
    plan.metadata.insert(kTimeoutKey, QString::number(qint64(settings.timeout.count())));
    // For people who look at Tenki's console; what counts is the metadata.
    plan.tags = QStringList{QStringLiteral("berth")};
    plan.registryRef = settings.image;
    plan.snapshotId = settings.snapshot;
    plan.cpuCores = settings.cpuCores;
    plan.memoryMb = settings.memoryMb;
    plan.diskGb = settings.diskGb;
    plan.idleMinutes = settings.idleMinutes;
    plan.lifetime = settings.lifetime;
    return plan;
}

//! Follows what the service tells of a session that is being made; false when it stopped telling
//! before the session ran.
Async<bool> followNow(CorePtr core, QString id, std::shared_ptr<DataPlane> plane,
                      domain::ProgressSink progress, std::stop_token stop)
{
    const Result<GrpcChannel> channel = core->control();
    if (!channel)
        co_return failure(channel.error());
    const CallResult<std::shared_ptr<GrpcStream>> stream =
        co_await waitSession(*channel, id, core->patience.ready, stop);
    if (!stream && stream.error().error.kind == ErrorKind::Cancelled)
        co_return failure(stream.error().error);
    if (!stream)
        co_return false;
    for (;;) {
        const CallResult<std::optional<QByteArray>> message =
            co_await (*stream)->next(core->patience.ready, stop);
        if (!message && message.error().error.kind == ErrorKind::Cancelled)
            co_return failure(message.error().error);
        if (!message || !*message)
            co_return false;
        const Result<Reached> reached = decodeReached(**message);
        if (!reached || reached->session.id != id)
            co_return false;
        plane->take(reached->route);
        if (reached->session.state == SessionState::Running)
            co_return true;
        if (reached->session.state == SessionState::Terminated)
            co_return failure(ErrorKind::Unavailable,
                              QStringLiteral("Tenki ended the sandbox before it ran"),
                              reached->session.trouble);
        if (progress)
            progress({QStringLiteral("Tenki is starting the sandbox"), -1});
    }
}

Async<Session> startedNow(CorePtr core, std::shared_ptr<DataPlane> plane,
                          domain::ProgressSink progress, std::stop_token stop)
{
    const Result<bool> followed =
        co_await followNow(core, plane->sessionId(), plane, progress, stop);
    if (!followed)
        co_return failure(followed.error());
    const Result<Session> session =
        co_await untilRunning(core, plane->sessionId(), false, progress, stop);
    if (!session)
        co_return failure(session.error());
    const Result<void> ready = co_await plane->ready(progress, stop);
    if (!ready)
        co_return failure(ready.error());
    co_return *session;
}

} // namespace

Async<domain::Instance> createSandbox(CorePtr core, domain::CreateRequest request,
                                      domain::ProgressSink progress, std::stop_token stop)
{
    const Result<SandboxSettings> settings =
        sandboxSettings(core->settings.values, request.overrides);
    if (!settings)
        co_return failure(settings.error());
    const Result<GrpcChannel> channel = core->control();
    if (!channel)
        co_return failure(channel.error());
    const Result<QList<Session>> all = co_await allSessions(core, stop);
    if (!all)
        co_return failure(all.error());
    const Result<QString> name = freeName(request.name, *all);
    if (!name)
        co_return failure(name.error());
    if (stop.stop_requested())
        co_return failure(ErrorKind::Cancelled,
                          QStringLiteral("Creating the sandbox was given up"));
    if (progress)
        progress({QStringLiteral("Creating the sandbox at Tenki"), -1});
    const CreatePlan plan = planFrom(*settings, request, *name);
    // Not stopped in the middle: nobody would know whether there is one.
    const std::stop_token never;
    const CallResult<Reached> made = co_await createSession(*channel, plan, never);
    if (!made) {
        domain::Error error = made.error().error;
        // An image or a snapshot, not the sandbox.
        if (error.kind == ErrorKind::NotFound)
            error.kind = ErrorKind::InvalidInput;
        co_return failure(error);
    }
    const auto plane = std::make_shared<DataPlane>(core, made->session);
    plane->take(made->route);
    const Result<Session> session = co_await startedNow(core, plane, progress, stop);
    if (session) {
        core->fresh.insert(session->id, plane);
        co_return instanceFrom(*session);
    }
    const CallResult<Session> undone = co_await terminateSession(*channel, made->session.id, never);
    domain::Error error = session.error();
    if (error.kind == ErrorKind::NotFound)
        error.kind = ErrorKind::Unavailable; // it was there a moment ago
    if (!undone)
        error.detail = (error.detail
                        + QStringLiteral(" It could not be removed again either: %1")
                              .arg(undone.error().error.message))
                           .trimmed();
    co_return failure(error);
}

namespace {

Async<void> untilPaused(CorePtr core, QString id, std::stop_token stop)
{
    const Result<GrpcChannel> channel = core->control();
    if (!channel)
        co_return failure(channel.error());
    QElapsedTimer clock;
    clock.start();
    for (;;) {
        const CallResult<Session> session = co_await getSession(*channel, id, stop);
        if (!session)
            co_return failure(session.error().error);
        if (session->state == SessionState::Paused || session->state == SessionState::UserShutdown)
            co_return Result<void>{};
        if (session->state != SessionState::Pausing && session->state != SessionState::Running)
            co_return failure(ErrorKind::Conflict,
                              QStringLiteral("The sandbox is %1 instead of paused")
                                  .arg(instanceFrom(*session).stateDetail),
                              session->trouble);
        if (std::chrono::milliseconds(clock.elapsed()) > core->patience.pause)
            co_return failure(ErrorKind::Timeout,
                              QStringLiteral("The sandbox was not paused within %1 s")
                                  .arg(core->patience.pause.count() / 1000));
        const bool elapsed = co_await async::sleepFor(500ms, stop);
        if (!elapsed)
            co_return failure(ErrorKind::Cancelled, QStringLiteral("It was given up"));
    }
}

} // namespace

Async<void> pauseSandbox(CorePtr core, domain::ExternalId id, std::stop_token stop)
{
    const Result<Session> session = co_await ownSession(core, id, stop);
    if (!session)
        co_return failure(session.error());
    const Result<GrpcChannel> channel = core->control();
    if (!channel)
        co_return failure(channel.error());
    const QString reason = QStringLiteral("the sandbox was paused");
    switch (session->state) {
    case SessionState::Paused:
    case SessionState::UserShutdown:
        core->dropConnection(id.toString(), reason);
        co_return Result<void>{};
    case SessionState::Pausing: {
        core->dropConnection(id.toString(), reason);
        const Result<void> rests = co_await untilPaused(core, id.toString(), stop);
        co_return rests;
    }
    case SessionState::Unspecified:
    case SessionState::Creating:
    case SessionState::Running:
    case SessionState::Terminating:
    case SessionState::Terminated:
    case SessionState::Resuming:
    case SessionState::Unknown:
        break;
    }
    const CallResult<Session> paused = co_await pauseSession(*channel, id.toString(), stop);
    if (!paused && paused.error().status != GrpcStatus::FailedPrecondition)
        co_return failure(paused.error().error);
    if (!paused) {
        // Somebody else may have been faster; only the sandbox itself can tell.
        const Result<Session> now = co_await ownSession(core, id, stop);
        if (!now)
            co_return failure(now.error());
        if (now->state != SessionState::Paused && now->state != SessionState::Pausing
            && now->state != SessionState::UserShutdown)
            co_return failure(paused.error().error);
    }
    core->dropConnection(id.toString(), reason);
    if (paused && paused->state == SessionState::Paused)
        co_return Result<void>{};
    const Result<void> rests = co_await untilPaused(core, id.toString(), stop);
    co_return rests;
}

Async<void> resumeSandbox(CorePtr core, domain::ExternalId id, std::stop_token stop)
{
    const Result<Session> session = co_await ownSession(core, id, stop);
    if (!session)
        co_return failure(session.error());
    const Result<GrpcChannel> channel = core->control();
    if (!channel)
        co_return failure(channel.error());
    if (session->state == SessionState::Running)
        co_return Result<void>{};
    core->dropConnection(id.toString(), QStringLiteral("the sandbox was resumed"));
    if (session->state == SessionState::Pausing) {
        // Resuming what is still being paused is not said to work.
        const Result<void> rests = co_await untilPaused(core, id.toString(), stop);
        if (!rests)
            co_return failure(rests.error());
    }
    if (session->state == SessionState::Paused || session->state == SessionState::Pausing
        || session->state == SessionState::UserShutdown) {
        const CallResult<Session> resumed = co_await resumeSession(*channel, id.toString(), stop);
        if (!resumed && resumed.error().status != GrpcStatus::FailedPrecondition)
            co_return failure(resumed.error().error);
        if (!resumed) {
            const Result<Session> now = co_await ownSession(core, id, stop);
            if (!now)
                co_return failure(now.error());
            if (now->state != SessionState::Running && now->state != SessionState::Resuming)
                co_return failure(resumed.error().error);
        }
    }
    const Result<Session> running = co_await untilRunning(core, id.toString(), true, {}, stop);
    if (!running)
        co_return failure(running.error());
    co_return Result<void>{};
}

Async<void> destroySandbox(CorePtr core, domain::ExternalId id, std::stop_token stop)
{
    const QString reason = QStringLiteral("the sandbox was destroyed");
    const Result<Session> session = co_await ownSession(core, id, stop);
    if (!session && session.error().kind == ErrorKind::NotFound) {
        core->dropConnection(id.toString(), reason);
        co_return Result<void>{};
    }
    if (!session)
        co_return failure(session.error());
    const Result<GrpcChannel> channel = core->control();
    if (!channel)
        co_return failure(channel.error());
    const CallResult<Session> gone = co_await terminateSession(*channel, id.toString(), stop);
    if (!gone && gone.error().status != GrpcStatus::NotFound) {
        // It may have ended in between.
        const Result<Session> now = co_await lookAt(core, id, stop);
        if (now || now.error().kind != ErrorKind::NotFound)
            co_return failure(gone.error().error);
    }
    core->dropConnection(id.toString(), reason);
    co_return Result<void>{};
}

} // namespace berth::tenki
