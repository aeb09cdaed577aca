// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/tenki/execution.h"

#include "async/sleep.h"
#include "net/script/streamed_execution.h"
#include "net/script/tracked_command.h"
#include "providers/tenki/run.h"

#include <QtCore/QElapsedTimer>

#include <array>

namespace berth::tenki {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Outcome;
using domain::OutcomeKind;
using domain::OutputStream;
using domain::Result;
using net::StreamedExecution;
using namespace std::chrono_literals;

namespace {

//! The guest's own limit comes first; this is for a guest that does not keep it.
constexpr std::chrono::milliseconds kSecondNet{1000};
constexpr qsizetype kPiece = 64 * 1024;
// Qt reads HTTP/2 on without bound, so that a slow reader does not hold up the sender. The
// command's processes are stopped in its place while more than this waits here.
constexpr qsizetype kFreezeAbove = 1024 * 1024;
constexpr qsizetype kThawBelow = 256 * 1024;
//! Stopping comes too late, or not at all, for whoever has come this far.
constexpr qsizetype kMostWaiting = 64 * 1024 * 1024;
//! A silent command's sandbox is looked at, through the control plane.
constexpr std::chrono::milliseconds kSilence{30000};

//! One command under way. Coroutines keep it; it keeps no execution alive.
struct Running
{
    LinkPtr link;
    net::TrackedCommand command;
    QByteArray runId;
    std::chrono::milliseconds budget{0};
    GrpcCall call;
    std::weak_ptr<StreamedExecution> execution;
    //! Ends the call.
    std::stop_source abort;
    //! What came and has no room yet, by stream.
    std::array<QByteArray, 2> waiting;
    std::array<bool, 2> feeding{false, false};
    bool frozen = false;
    bool freezing = false;
    bool readingEnded = false;
    //! What ended() is told once all is fed.
    std::optional<Outcome> outcome;
    QString why;
};
using RunningPtr = std::shared_ptr<Running>;

async::Scope &scopeOf(const RunningPtr &run)
{
    return run->link->plane->core()->scope;
}

//! Stops or continues the command's processes.
QByteArray holdingScript(const QByteArray &runId, bool hold)
{
    return "exec 2>/dev/null\nfor _bx in /proc/[0-9]*/environ; do\n"
           "if tr '\\0' '\\n' <\"$_bx\" | grep -qxF BERTH_RUN="
        + runId + "; then\n_bx=${_bx#/proc/}; kill -" + (hold ? "STOP" : "CONT")
        + " \"${_bx%/environ}\"; fi\ndone\nexit 0";
}

qsizetype waitingBytes(const RunningPtr &run)
{
    return run->waiting[0].size() + run->waiting[1].size();
}

async::Task<void> hold(RunningPtr run)
{
    // A stopped command is killed as it is; one that has ended needs nothing.
    while (!run->readingEnded && !run->abort.stop_requested()) {
        const qsizetype waits = waitingBytes(run);
        const bool wanted = run->frozen ? waits > kThawBelow : waits > kFreezeAbove;
        if (wanted == run->frozen)
            break;
        net::ScriptRequest request;
        request.script = holdingScript(run->runId, wanted);
        const Result<net::ScriptResult> done =
            co_await runScript(run->link->plane, request, run->abort.get_token());
        if (!done)
            break;
        run->frozen = wanted;
    }
    run->freezing = false;
}

void steer(const RunningPtr &run)
{
    if (run->freezing || run->readingEnded)
        return;
    const qsizetype waits = waitingBytes(run);
    if (run->frozen ? waits > kThawBelow : waits <= kFreezeAbove)
        return;
    run->freezing = true;
    scopeOf(run).spawn(hold(run));
}

void concludeWhenFed(const RunningPtr &run)
{
    if (!run->readingEnded || run->feeding[0] || run->feeding[1])
        return;
    if (const auto execution = run->execution.lock())
        execution->ended(run->outcome, run->why);
}

async::Task<void> feed(RunningPtr run, std::size_t index)
{
    const OutputStream stream = index == 0 ? OutputStream::Stdout : OutputStream::Stderr;
    QByteArray &waiting = run->waiting[index];
    while (!waiting.isEmpty()) {
        std::shared_ptr<StreamedExecution> execution = run->execution.lock();
        if (!execution || execution->isOver())
            break;
        if (!execution->hasRoom(stream)) {
            Async<void> room = execution->awaitRoom(stream, run->link->closed.get_token());
            execution.reset();
            const Result<void> isThere = co_await room;
            // A connection that is gone holds nobody up; what came is told.
            if (!isThere && !run->link->closed.stop_requested())
                break;
            execution = run->execution.lock();
            if (!execution)
                break;
        }
        const QByteArray piece = waiting.left(kPiece);
        waiting.remove(0, piece.size());
        execution->feed(stream, piece);
        steer(run);
    }
    waiting.clear();
    run->feeding[index] = false;
    concludeWhenFed(run);
}

void take(const RunningPtr &run, const RunOutput &output)
{
    const std::size_t index = output.isStderr ? 1 : 0;
    run->waiting[index] += output.bytes;
    if (!run->feeding[index]) {
        run->feeding[index] = true;
        scopeOf(run).spawn(feed(run, index));
    }
    steer(run);
}

async::Task<Result<net::ScriptResult>> killTree(RunningPtr run)
{
    net::ScriptRequest request;
    request.script = run->command.stopScript;
    // It answers within ten seconds.
    request.timeout = 12s;
    const std::stop_token never;
    const Result<net::ScriptResult> killed = co_await runScript(run->link->plane, request, never);
    co_return killed;
}

async::Task<void> killLater(RunningPtr run)
{
    const Result<net::ScriptResult> killed = co_await killTree(run);
    Q_UNUSED(killed)
}

//! The user's stop. The script ends all; then the call ends by itself, or is given up.
async::Task<void> stopNow(RunningPtr run)
{
    const Result<net::ScriptResult> killed = co_await killTree(run);
    const bool isGone = killed && killed->code == 0;
    for (int i = 0; i < 20 && !run->readingEnded; ++i) {
        const bool elapsed = co_await async::sleepFor(run->link->plane->core()->patience.stop / 20,
                                                      run->link->closed.get_token());
        if (!elapsed)
            break;
    }
    if (run->readingEnded)
        co_return;
    if (isGone) {
        run->outcome.emplace();
        run->outcome->kind = OutcomeKind::Cancelled;
    } else {
        run->why = QStringLiteral("The sandbox did not confirm that the command was stopped");
    }
    run->abort.request_stop();
}

//! What the control plane says of a sandbox whose command is silent; empty: nothing against it.
async::Task<QString> trouble(RunningPtr run)
{
    const CorePtr core = run->link->plane->core();
    const domain::ExternalId id(run->link->plane->sessionId());
    const Result<Session> session = co_await lookAt(core, id, run->abort.get_token());
    QString found;
    if (session && session->state != SessionState::Running)
        found = QStringLiteral("the sandbox is %1").arg(instanceFrom(*session).stateDetail);
    else if (!session && session.error().kind == ErrorKind::NotFound)
        found = QStringLiteral("the sandbox is gone");
    co_return found;
}

//! How reading came to its end.
struct Ending
{
    std::optional<RunExit> exit;
    std::optional<CallError> error;
    bool wasSilent = false;
    QString sandboxTrouble;
};

async::Task<Ending> readAll(RunningPtr run)
{
    Ending ending;
    const std::chrono::milliseconds limit = run->budget + run->link->plane->core()->patience.grace;
    // From the sending on, and whatever comes does not extend it.
    QElapsedTimer clock;
    clock.start();
    const CallResult<Opened> opened =
        co_await run->link->plane->open(run->call, run->abort.get_token());
    if (!opened) {
        ending.error = opened.error();
        co_return ending;
    }
    std::optional<QByteArray> message = opened->first;
    while (message) {
        const Result<RunFrame> frame = decodeRunFrame(*message);
        if (!frame) {
            ending.error = CallError{frame.error(), {}, {}, false};
            co_return ending;
        }
        if (const auto *output = std::get_if<RunOutput>(&*frame))
            take(run, *output);
        if (const auto *exit = std::get_if<RunExit>(&*frame)) {
            ending.exit = *exit;
            co_return ending;
        }
        if (waitingBytes(run) > kMostWaiting) {
            ending.error =
                CallError{{ErrorKind::Unavailable,
                           QStringLiteral("It printed faster than it could be read and was killed"),
                           {},
                           {},
                           {}},
                          GrpcStatus::ResourceExhausted,
                          {},
                          false};
            co_return ending;
        }
        bool answered = false;
        while (!answered) {
            const std::chrono::milliseconds left =
                limit - std::chrono::milliseconds(clock.elapsed());
            if (left.count() <= 0) {
                ending.wasSilent = true;
                co_return ending;
            }
            const CallResult<std::optional<QByteArray>> next =
                co_await opened->stream->next(std::min(left, kSilence), run->abort.get_token());
            if (next) {
                message = *next;
                answered = true;
            } else if (next.error().error.kind == ErrorKind::Timeout && !next.error().status) {
                if (left > kSilence)
                    ending.sandboxTrouble = co_await trouble(run);
                if (!ending.sandboxTrouble.isEmpty())
                    co_return ending;
            } else {
                ending.error = next.error();
                co_return ending;
            }
        }
    }
    co_return ending;
}

//! Only whoever could not be reached breaks a connection; a refusal is an answer.
bool isTransport(const CallError &error)
{
    return !error.status && !error.isEdgeMiss
        && (error.error.kind == ErrorKind::Unavailable || error.error.kind == ErrorKind::Timeout);
}

//! Somebody else paused it, or Tenki itself; the way to it is asked for anew then.
bool rests(const CallError &error)
{
    return saysPaused(error) || (!error.status && error.error.kind == ErrorKind::Conflict);
}

domain::Error refusal(const CallError &error)
{
    domain::Error made = error.error;
    // Of a command NotFound says that its program or directory is not there.
    if (made.kind == ErrorKind::NotFound)
        made.kind = ErrorKind::Unavailable;
    return made;
}

async::Task<void> follow(RunningPtr run)
{
    const auto onClose = std::make_shared<std::stop_callback<std::function<void()>>>(
        run->link->closed.get_token(), [abort = run->abort]() mutable { abort.request_stop(); });
    const Ending ending = co_await readAll(run);
    const std::shared_ptr<StreamedExecution> execution = run->execution.lock();
    const bool begun = execution && execution->started().isComplete();
    if (ending.exit) {
        const std::optional<domain::Error> problem = runProblem(*ending.exit);
        if (problem && execution && !begun)
            execution->fail(*problem);
        if (problem)
            run->why = problem->message;
        else
            run->outcome = outcomeOf(*ending.exit, run->budget);
        // Tenki kills what it started; what has left that group lives on.
        if (run->outcome && run->outcome->kind == OutcomeKind::TimedOut) {
            const Result<net::ScriptResult> killed = co_await killTree(run);
            Q_UNUSED(killed)
        }
    } else if (ending.wasSilent) {
        run->why =
            QStringLiteral("Nothing came from Tenki for %1 s beyond the command's time; what "
                           "it printed meanwhile is not known")
                .arg(run->link->plane->core()->patience.grace.count() / 1000);
        scopeOf(run).spawn(killLater(run));
    } else if (!ending.sandboxTrouble.isEmpty()) {
        run->why = ending.sandboxTrouble;
    } else if (run->link->closed.stop_requested()) {
        run->why = run->link->reason;
    } else if (run->outcome || !run->why.isEmpty()) {
        // Given up after a stop.
    } else if (ending.error) {
        run->why = ending.error->error.message;
        // A refusal: nothing runs. Else nobody knows, and it must not run on unseen.
        if (execution && !begun && (ending.error->status || rests(*ending.error)))
            execution->fail(refusal(*ending.error));
        else if (!begun || ending.error->status == GrpcStatus::ResourceExhausted)
            scopeOf(run).spawn(killLater(run));
    } else {
        run->why = QStringLiteral("Tenki ended the call without telling how the command ended");
    }
    run->readingEnded = true;
    concludeWhenFed(run);
    if (ending.error && rests(*ending.error))
        run->link->close(QStringLiteral("the sandbox was paused"));
    else if (ending.error && isTransport(*ending.error) && begun)
        run->link->close(
            QStringLiteral("the way to the sandbox broke: %1").arg(ending.error->error.message));
}

} // namespace

Async<std::shared_ptr<domain::Execution>> startCommand(LinkPtr link, domain::CommandSpec command,
                                                       std::stop_token stop)
{
    const auto run = std::make_shared<Running>();
    run->link = link;
    run->budget = command.timeout;
    run->runId = net::newRunId();
    net::TrackedOptions options;
    options.isBinarySafe = true;
    command.timeout += kSecondNet;
    run->command = net::trackedCommand(command, run->runId, options);
    if (run->command.script.size() > kLargestInput)
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("The command is too long for Tenki: %1 KiB")
                              .arg(run->command.script.size() / 1024),
                          QStringLiteral("Put what is long into a file first"));
    run->call = scriptCall(link->plane->sessionId(), run->command.script, QByteArrayLiteral("/"),
                           {}, run->budget, QStringLiteral("The command"));
    run->call.answerWithin = run->budget + link->plane->core()->patience.grace;

    net::ExecutionHooks hooks;
    hooks.stop = [run] { scopeOf(run).spawn(stopNow(run)); };
    hooks.stopDeadline = 20s;
    const auto execution = std::make_shared<StreamedExecution>(hooks, net::MarkReader(run->runId));
    run->execution = execution;
    scopeOf(run).spawn(follow(run));

    const std::function<void()> onStop = [weak = std::weak_ptr(execution)] {
        if (const auto alive = weak.lock())
            alive->stop();
    };
    const std::stop_callback<std::function<void()>> stopped(stop, onStop);
    const async::Completion<Result<bool>> started = execution->started();
    const Result<bool> begun = co_await started;
    if (!begun)
        co_return failure(begun.error());
    const std::shared_ptr<domain::Execution> handed = execution->handOver();
    co_return handed;
}

} // namespace berth::tenki
