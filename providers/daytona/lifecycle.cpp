// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/daytona/core.h"

#include "async/sleep.h"
#include "domain/log.h"

#include <QtCore/QElapsedTimer>

#include <algorithm>

namespace berth::daytona {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using namespace std::chrono_literals;

namespace {

//! Names that are taken are tried on with -2, -3, …
constexpr int kMostNames = 50;

tl::unexpected<domain::Error> cancelled()
{
    return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
}

tl::unexpected<domain::Error> failedState(const Sandbox &sandbox)
{
    const QString why = sandbox.reason.isEmpty() ? sandbox.instance.stateDetail : sandbox.reason;
    return failure(
        ErrorKind::Conflict,
        QStringLiteral("Daytona could not start the sandbox: it is in the state \"%1\"")
            .arg(sandbox.state),
        sandbox.recoverable ? why + QStringLiteral(". It can be recovered: start it again") : why);
}

//! Waits between two looks, longer and longer: 100 ms for the first five seconds, then up to one
//! second.
class Poll
{
public:
    explicit Poll(const Pace &pace) : m_pace(pace), m_next(pace.firstPoll) { m_clock.start(); }

    [[nodiscard]] std::chrono::milliseconds elapsed() const
    {
        return std::chrono::milliseconds(m_clock.elapsed());
    }
    std::chrono::milliseconds next()
    {
        if (elapsed() > 5s)
            m_next = std::min(m_pace.slowestPoll, m_next * 11 / 10 + 1ms);
        return m_next;
    }

private:
    Pace m_pace;
    std::chrono::milliseconds m_next;
    QElapsedTimer m_clock;
};

std::chrono::milliseconds limitOf(const Pace &pace, const QString &state)
{
    if (state == QLatin1String("restoring") || state == QLatin1String("archived")
        || state == QLatin1String("archiving"))
        return pace.restore;
    if (state.contains(QLatin1String("build")) || state == QLatin1String("pulling_snapshot"))
        return pace.build;
    return pace.start;
}

//! Until it runs, or has failed.
Async<Sandbox> started(CorePtr core, ServicePtr api, QString id, domain::ProgressSink progress,
                       std::stop_token stop)
{
    Poll poll(core->pace);
    std::chrono::milliseconds limit = core->pace.start;
    QString shown;
    for (;;) {
        const Result<Sandbox> sandbox = co_await getSandbox(api, id, stop);
        if (!sandbox)
            co_return failure(sandbox.error());
        if (sandbox->phase == Phase::Running)
            co_return *sandbox;
        if (sandbox->phase == Phase::Failed)
            co_return failedState(*sandbox);
        if (sandbox->state != shown) {
            shown = sandbox->state;
            limit = std::max(limit, limitOf(core->pace, shown));
            if (progress && !sandbox->instance.stateDetail.isEmpty())
                progress({sandbox->instance.stateDetail, -1});
        }
        if (poll.elapsed() > limit)
            co_return failure(
                ErrorKind::Timeout,
                QStringLiteral(
                    "The sandbox does not start: it has been in the state \"%1\" for %2 s")
                    .arg(sandbox->state)
                    .arg(std::chrono::ceil<std::chrono::seconds>(poll.elapsed()).count()));
        const bool elapsed = co_await async::sleepFor(poll.next(), stop);
        if (!elapsed)
            co_return cancelled();
    }
}

//! Without a stop token: what the user asked for is over by then.
Async<void> undo(CorePtr core, ServicePtr api, QString id)
{
    core->made.remove(id);
    core->removed.insert(id, QDateTime::currentDateTimeUtc());
    Poll poll(core->pace);
    for (;;) {
        const Result<void> gone = co_await deleteSandbox(api, id, {});
        if (gone || gone.error().kind == ErrorKind::NotFound)
            co_return Result<void>{};
        // While it changes it cannot be deleted.
        if (gone.error().kind != ErrorKind::Conflict || poll.elapsed() > core->pace.start) {
            domain::log(
                domain::LogLevel::Warning, "daytona",
                QStringLiteral("half-made sandbox %1 stays: %2").arg(id, gone.error().detail));
            co_return failure(gone.error());
        }
        const bool elapsed = co_await async::sleepFor(poll.next(), {});
        Q_UNUSED(elapsed)
    }
}

//! A create call without an answer, or one that failed with "failed to start", may have left a
//! sandbox behind, which only its name leads to.
Async<void> undoByName(CorePtr core, ServicePtr api, QString name, domain::InstanceLabels labels)
{
    const Result<Sandbox> there = co_await getSandbox(api, name, {});
    if (!there || there->instance.labels != labels)
        co_return Result<void>{};
    const QString id = there->instance.externalId.toString();
    const Result<void> undone = co_await undo(core, api, id);
    co_return undone;
}

Async<Sandbox> posted(CorePtr core, ServicePtr api, SandboxSettings settings,
                      domain::CreateRequest request, std::stop_token stop)
{
    for (int n = 1; n <= kMostNames; ++n) {
        const QString name =
            n == 1 ? request.name : QStringLiteral("%1-%2").arg(request.name).arg(n);
        const QByteArray body = encodeCreate(settings, name, request.labels);
        const Result<Sandbox> made = co_await postSandbox(api, body, stop);
        if (made)
            co_return *made;
        domain::Error error = made.error();
        if (error.kind == ErrorKind::Conflict)
            continue;
        const bool mayBeThere = error.kind == ErrorKind::Cancelled
            || error.detail.contains(QLatin1String("failed to start"), Qt::CaseInsensitive);
        if (mayBeThere) {
            const Result<void> undone = co_await undoByName(core, api, name, request.labels);
            Q_UNUSED(undone)
        }
        co_return failure(error);
    }
    co_return failure(ErrorKind::Conflict,
                      QStringLiteral("No name is free for the sandbox %1").arg(request.name),
                      QStringLiteral("Delete old sandboxes with that name"));
}

} // namespace

Async<domain::Instance> createSandbox(CorePtr core, domain::CreateRequest request,
                                      domain::ProgressSink progress, std::stop_token stop)
{
    const Result<SandboxSettings> settings =
        sandboxSettings(core->settings.values, request.overrides);
    if (!settings)
        co_return failure(settings.error());
    if (!request.workspace.isEmpty())
        co_return failure(ErrorKind::Unsupported,
                          QStringLiteral("A directory of this machine cannot be a workspace at "
                                         "Daytona"));
    const Result<ServicePtr> api = readyApi(core);
    if (!api)
        co_return failure(api.error());
    if (stop.stop_requested())
        co_return cancelled();
    if (progress)
        progress({QStringLiteral("Creating the sandbox"), -1});
    const Result<Sandbox> made = co_await posted(core, *api, *settings, request, stop);
    if (!made)
        co_return failure(made.error());
    core->see(*made);
    const QString id = made->instance.externalId.toString();
    core->made.insert(id, QDateTime::currentDateTimeUtc());
    Result<Sandbox> sandbox = *made;
    if (made->phase != Phase::Running)
        sandbox = co_await started(core, *api, id, progress, stop);
    if (!sandbox) {
        domain::Error error = sandbox.error();
        if (error.kind == ErrorKind::NotFound)
            error.kind = ErrorKind::Unavailable; // it was there a moment ago
        // Whether it is on its way after all is not known then: it carries its token, and the next
        // attempt finds it by that.
        if (error.kind == ErrorKind::Cancelled || error.kind == ErrorKind::Conflict) {
            const Result<void> undone = co_await undo(core, *api, id);
            Q_UNUSED(undone)
        }
        co_return failure(error);
    }
    domain::Instance instance = sandbox->instance;
    if (instance.image.isEmpty())
        instance.image = settings->image;
    co_return instance;
}

Async<void> stopSandbox(CorePtr core, domain::ExternalId id, std::stop_token stop)
{
    Poll poll(core->pace);
    bool asked = false;
    for (;;) {
        const Result<Sandbox> sandbox = co_await ownSandbox(core, id, stop);
        if (!sandbox)
            co_return failure(sandbox.error());
        const Phase phase = sandbox->phase;
        if (phase == Phase::Stopped || phase == Phase::Archived || phase == Phase::Paused)
            break;
        if (phase == Phase::Failed)
            co_return failure(ErrorKind::Conflict,
                              QStringLiteral("The sandbox cannot be stopped: it has failed"),
                              sandbox->instance.stateDetail);
        if (sandbox->isEphemeral)
            co_return failure(
                ErrorKind::Unsupported, QStringLiteral("Stopping would delete this sandbox"),
                QStringLiteral("It is set to be deleted when it stops (autoDeleteInterval 0)"));
        if (phase == Phase::Running && !asked) {
            const ServicePtr api = *readyApi(core);
            const QByteArray action = QByteArrayLiteral("stop");
            const Result<void> changed = co_await changeSandbox(api, id.toString(), action, stop);
            // Conflict: another change is under way. Not stoppable: it may just have stopped.
            asked = changed.has_value();
            if (!changed && changed.error().kind != ErrorKind::Conflict
                && changed.error().httpStatus != 400)
                co_return failure(changed.error());
        }
        if (poll.elapsed() > core->pace.stop)
            co_return failure(ErrorKind::Timeout,
                              QStringLiteral("The sandbox does not stop: it is in the state \"%1\"")
                                  .arg(sandbox->state));
        const bool elapsed = co_await async::sleepFor(poll.next(), stop);
        if (!elapsed)
            co_return cancelled();
    }
    core->dropConnection(id.toString(), QStringLiteral("the sandbox was stopped"));
    co_return Result<void>{};
}

Async<void> startSandbox(CorePtr core, domain::ExternalId id, std::stop_token stop)
{
    Poll poll(core->pace);
    for (;;) {
        const Result<Sandbox> sandbox = co_await ownSandbox(core, id, stop);
        if (!sandbox)
            co_return failure(sandbox.error());
        const ServicePtr api = *readyApi(core);
        const Phase phase = sandbox->phase;
        if (phase == Phase::Running)
            co_return Result<void>{};
        if (phase == Phase::Failed && !sandbox->recoverable)
            co_return failedState(*sandbox);
        Result<void> changed;
        const bool isChange = phase == Phase::Failed || phase == Phase::Stopped
            || phase == Phase::Archived || phase == Phase::Paused
            || sandbox->state == QLatin1String("archiving");
        if (isChange) {
            core->dropConnection(id.toString(), QStringLiteral("the sandbox was started again"));
            const QByteArray action =
                phase == Phase::Failed ? QByteArrayLiteral("recover") : QByteArrayLiteral("start");
            changed = co_await changeSandbox(api, id.toString(), action, stop);
        }
        if (isChange && !changed && changed.error().kind != ErrorKind::Conflict)
            co_return failure(changed.error());
        if (phase == Phase::Starting || (isChange && changed)) {
            const domain::ProgressSink silent;
            const Result<Sandbox> running =
                co_await started(core, api, id.toString(), silent, stop);
            if (!running)
                co_return failure(running.error());
            co_return Result<void>{};
        }
        if (poll.elapsed() > core->pace.stop)
            co_return failure(ErrorKind::Conflict,
                              QStringLiteral("The sandbox cannot be started: it is in the state "
                                             "\"%1\"")
                                  .arg(sandbox->state));
        const bool elapsed = co_await async::sleepFor(poll.next(), stop);
        if (!elapsed)
            co_return cancelled();
    }
}

Async<void> removeSandbox(CorePtr core, domain::ExternalId id, std::stop_token stop)
{
    Poll poll(core->pace);
    bool asked = false;
    for (;;) {
        const Result<Sandbox> sandbox = co_await ownSandbox(core, id, stop);
        if (!sandbox && sandbox.error().kind == ErrorKind::NotFound)
            break;
        if (!sandbox)
            co_return failure(sandbox.error());
        if (!asked && sandbox->state != QLatin1String("destroying")) {
            const ServicePtr api = *readyApi(core);
            const Result<void> gone = co_await deleteSandbox(api, id.toString(), stop);
            if (!gone && gone.error().kind == ErrorKind::NotFound)
                break;
            if (!gone && gone.error().kind != ErrorKind::Conflict)
                co_return failure(gone.error());
            asked = gone.has_value();
            core->dropConnection(id.toString(), QStringLiteral("the sandbox was destroyed"));
        }
        if (poll.elapsed() > core->pace.stop)
            co_return failure(
                ErrorKind::Timeout,
                QStringLiteral("The sandbox is still there: it is in the state \"%1\"")
                    .arg(sandbox->state));
        const bool elapsed = co_await async::sleepFor(poll.next(), stop);
        if (!elapsed)
            co_return cancelled();
    }
    core->dropConnection(id.toString(), QStringLiteral("the sandbox was destroyed"));
    core->made.remove(id.toString());
    core->removed.insert(id.toString(), QDateTime::currentDateTimeUtc());
    co_return Result<void>{};
}

} // namespace berth::daytona
