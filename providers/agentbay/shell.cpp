// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/agentbay/shell.h"

#include "async/sleep.h"
#include "net/script/script_file_system.h"
#include "net/script/streamed_execution.h"
#include "providers/agentbay/run.h"

namespace berth::agentbay {

using domain::Async;
using domain::CommandSpec;
using domain::Error;
using domain::ErrorKind;
using domain::Execution;
using domain::failure;
using domain::ObservedState;
using domain::OutputStream;
using domain::Result;
using namespace std::chrono_literals;

namespace {

// Of a script within one call; longer ones go up in pieces first.
constexpr qsizetype kLongestScript = 40 * 1024;
constexpr std::chrono::milliseconds kWait{2000};
constexpr std::chrono::milliseconds kShortWait{300};
// What one answer surely holds is not told anywhere; less is asked for once it is cut.
constexpr qint64 kMost = 384 * 1024;
constexpr qint64 kLeast = 4 * 1024;
constexpr int kMostFailures = 6;

//! A command in the background of the sandbox.
struct Run
{
    LinkPtr link;
    QByteArray id;
    net::TrackedCommand tracked;
    std::weak_ptr<net::StreamedExecution> execution;
    Readings at;
    std::array<qint64, 2> wanted{kMost, kMost};
    qint64 most = kMost;
    int failures = 0;
};
using RunPtr = std::shared_ptr<Run>;

OutputStream streamOf(std::size_t i)
{
    return i == 0 ? OutputStream::Stdout : OutputStream::Stderr;
}

net::ScriptRequest requestOf(QByteArray script)
{
    net::ScriptRequest request;
    request.script = std::move(script);
    request.timeout = 20s;
    return request;
}

async::Task<void> clear(RunPtr run)
{
    const net::ScriptRequest request = requestOf(clearScript(run->id));
    const std::stop_token stop = run->link->scope.token();
    co_await runScript(run->link, request, stop);
}

async::Task<void> kill(RunPtr run, bool clears)
{
    const net::ScriptRequest request = requestOf(run->tracked.stopScript);
    const std::stop_token stop = run->link->scope.token();
    // Asking twice does no harm here.
    for (int attempt = 0; attempt < 3; ++attempt) {
        const Result<net::ScriptResult> done = co_await runScript(run->link, request, stop);
        if (done || !run->link->isOpen)
            break;
        const bool slept = co_await async::sleepFor(300ms, stop);
        if (!slept)
            break;
    }
    if (clears)
        co_await clear(run);
}

//! False: it is of no use to look again.
bool take(const RunPtr &run, const Result<net::ScriptResult> &result)
{
    const std::shared_ptr<net::StreamedExecution> execution = run->execution.lock();
    if (!execution)
        return false;
    const Result<Look> look = readLook(result->out, run->at, run->wanted);
    if (!look) {
        run->most = std::max(run->most / 2, kLeast);
        return true;
    }
    if (look->isGone) {
        execution->ended({}, QStringLiteral("What the sandbox kept of the command is gone"));
        return false;
    }
    run->failures = 0;
    run->at = look->next;
    for (std::size_t i = 0; i < 2; ++i)
        if (!look->bytes[i].isEmpty())
            execution->feed(streamOf(i), look->bytes[i]);
    if (!execution->isOver() && run->at[0].isOver && run->at[1].isOver)
        execution->ended({}, QStringLiteral("The command's script ended without a word"));
    return !execution->isOver();
}

//! What an error of a look means: true, it may be looked again after a while.
Async<bool> mayLookAgain(RunPtr run, Error error, std::stop_token stop)
{
    const Result<QString> status =
        co_await statusOfSession(run->link->api, run->link->session, stop);
    if (!run->link->isOpen)
        co_return false;
    if ((!status && status.error().kind == ErrorKind::NotFound) || (status && isGone(*status))) {
        run->link->lose(QStringLiteral("the sandbox is gone"));
        co_return false;
    }
    // A paused one goes on with the command after its resume.
    const ObservedState state = status ? stateOf(*status) : ObservedState::Running;
    const bool sleeps = state == ObservedState::Paused || state == ObservedState::Stopping
        || state == ObservedState::Starting;
    if (!sleeps)
        ++run->failures;
    if (run->failures > kMostFailures) {
        if (const auto execution = run->execution.lock())
            execution->ended({}, error.message);
        co_return false;
    }
    const bool slept = co_await async::sleepFor(run->link->pause, stop);
    co_return slept;
}

async::Task<void> follow(RunPtr run)
{
    const std::stop_token stop = run->link->scope.token();
    for (;;) {
        bool any = false;
        {
            const std::shared_ptr<net::StreamedExecution> execution = run->execution.lock();
            if (!execution)
                co_return; // dropped: its hook has seen to it
            for (std::size_t i = 0; i < 2; ++i) {
                const bool wants = execution->hasRoom(streamOf(i)) && !run->at[i].isOver;
                run->wanted[i] = wants ? run->most : 0;
                any = any || wants;
            }
        }
        if (!any) {
            const bool slept = co_await async::sleepFor(50ms, stop);
            if (slept)
                continue;
        }
        const net::ScriptRequest request =
            requestOf(lookScript(run->id, run->at, run->wanted, kWait));
        const Result<net::ScriptResult> result = co_await waitByScript(run->link, request, stop);
        bool goesOn = run->link->isOpen;
        if (goesOn && result) {
            goesOn = take(run, result);
        } else if (goesOn) {
            const Result<bool> again = co_await mayLookAgain(run, result.error(), stop);
            goesOn = again && *again;
        }
        if (goesOn)
            continue;
        if (!run->link->isOpen) {
            if (const auto execution = run->execution.lock())
                execution->ended({}, run->link->reason);
            co_return;
        }
        co_await clear(run);
        co_return;
    }
}

net::ExecutionHooks hooksFor(const RunPtr &run)
{
    net::ExecutionHooks hooks;
    hooks.stop = [run] {
        if (run->link->isOpen)
            run->link->scope.spawn(kill(run, false));
    };
    hooks.dropped = [run] {
        if (run->link->isOpen)
            run->link->scope.spawn(kill(run, true));
    };
    return hooks;
}

//! Into a file that nobody else may read: it may hold what is secret.
Async<void> upload(LinkPtr link, QByteArray run, QByteArray script, std::stop_token stop)
{
    net::ScriptRequest where = requestOf("case $TMPDIR in /*) printf %s \"$TMPDIR\";; "
                                         "*) printf /tmp;; esac");
    const Result<net::ScriptResult> place = co_await runScript(link, where, stop);
    if (!place)
        co_return failure(place.error());
    net::ScriptFileSystem files(std::make_shared<AgentBayRunner>(link));
    const QByteArray path = place->out + "/.berth-" + run;
    const Result<std::shared_ptr<domain::FileWriter>> writer =
        co_await files.openWrite(path, 0600, true, stop);
    if (!writer)
        co_return failure(writer.error());
    const std::shared_ptr<domain::FileWriter> file = *writer;
    const Result<void> appended = co_await file->append(script, stop);
    if (!appended)
        co_return failure(appended.error());
    const Result<void> written = co_await file->commit(stop);
    co_return written;
}

std::optional<Error> objectionTo(const Link &link, const CommandSpec &command)
{
    if (const auto problem = net::commandProblem(command))
        return problem;
    const auto cannot = [](const QString &message, const QString &detail) {
        return Error{ErrorKind::Unsupported, message, detail, {}, {}};
    };
    if (command.terminal)
        return cannot(QStringLiteral("AgentBay has no terminals"),
                      QStringLiteral("Its tool runs commands without one."));
    if (command.openInput)
        return cannot(QStringLiteral("AgentBay's commands take no input"),
                      QStringLiteral("Write it to a file and let the command read that."));
    if (command.background)
        return cannot(QStringLiteral("AgentBay's commands end with Berth's connection"),
                      QStringLiteral("Use nohup or setsid within the command."));
    if (!link.isOpen)
        return Error{ErrorKind::Unavailable,
                     QStringLiteral("The connection to the sandbox is closed"),
                     link.reason,
                     {},
                     {}};
    return std::nullopt;
}

Async<std::shared_ptr<Execution>> startNow(LinkPtr link, CommandSpec command, std::stop_token stop)
{
    if (const auto objection = objectionTo(*link, command))
        co_return failure(*objection);
    if (stop.stop_requested())
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    if (command.cwd.isEmpty())
        command.cwd = link->settings.home;
    const auto run = std::make_shared<Run>();
    run->link = link;
    run->id = net::newRunId();
    run->tracked = net::trackedCommand(command, run->id);
    const bool isLong = run->tracked.script.size() > kLongestScript;
    if (isLong) {
        const Result<void> uploaded = co_await upload(link, run->id, run->tracked.script, stop);
        if (!uploaded)
            co_return failure(uploaded.error());
    }
    const auto execution =
        std::make_shared<net::StreamedExecution>(hooksFor(run), net::MarkReader(run->id));
    run->execution = execution;
    const net::ScriptRequest request =
        requestOf(launchScript(run->id, run->tracked.script, isLong)
                  + lookScript(run->id, run->at, run->wanted, kShortWait));
    const Result<net::ScriptResult> result = co_await waitByScript(link, request, stop);
    if (!result || result->code == 97) {
        // Whether it began is not known; it is never started again, so it must not go on alone.
        Error error{ErrorKind::Unavailable,
                    QStringLiteral("The sandbox has no place for a command's files"),
                    QStringLiteral("/tmp must be writable."),
                    {},
                    {}};
        if (!result)
            error = result.error();
        if (error.kind == ErrorKind::NotFound)
            error.kind = ErrorKind::Unavailable;
        execution->fail(error);
        if (link->isOpen)
            link->scope.spawn(kill(run, true));
        co_return failure(error);
    }
    if (take(run, result))
        link->scope.spawn(follow(run));
    else
        link->scope.spawn(clear(run));
    const async::Completion<Result<bool>> started = execution->started();
    {
        const std::stop_callback onStop(stop, [started] {
            started.complete(failure(ErrorKind::Cancelled,
                                     QStringLiteral("Cancelled before the command started")));
        });
        co_await started;
    }
    const Result<bool> hasStarted = co_await started;
    if (!hasStarted)
        co_return failure(hasStarted.error()); // dropping it ends what may have begun
    const std::shared_ptr<Execution> handed = execution->handOver();
    co_return handed;
}

} // namespace

Async<std::shared_ptr<Execution>> AgentBayShell::start(CommandSpec command, std::stop_token stop)
{
    return startNow(m_link, std::move(command), std::move(stop));
}

Async<QList<domain::Job>> AgentBayShell::jobs(std::stop_token)
{
    co_return failure(ErrorKind::Unsupported,
                      QStringLiteral("AgentBay's commands end with Berth's connection"));
}

Async<std::shared_ptr<Execution>> AgentBayShell::attach(quint32, qint64, qint64, std::stop_token)
{
    co_return failure(ErrorKind::Unsupported,
                      QStringLiteral("AgentBay's commands end with Berth's connection"));
}

} // namespace berth::agentbay
