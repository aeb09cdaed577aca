// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/e2b/run.h"

#include "async/sleep.h"
#include "providers/e2b/resident.h"

#include <utility>

namespace berth::e2b {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::Outcome;
using domain::OutcomeKind;
using domain::Result;
using net::StreamedExecution;
using namespace std::chrono_literals;

namespace {

constexpr qsizetype kRandom = 20;
constexpr qsizetype kInputPiece = 64 * 1024;
constexpr auto kStopLimit = 15s;
//! How long what a killed command wrote may still be on its way.
constexpr auto kDrain = 2s;
//! Until the service ends a stream whose command has ended, so that its connection can be used
//! again.
constexpr auto kTail = 300ms;
constexpr qsizetype kSweepAt = 20;
//! A stream that was cut sooner without having told anything was none.
constexpr qint64 kShortStream = 10'000;
constexpr int kMostShortStreams = 3;

QString cutRemark()
{
    return QStringLiteral("The connection was lost for a while, and what the command wrote "
                          "meanwhile with it");
}

Outcome outcomeOfEnd(const ProcessEvent &end)
{
    Outcome outcome;
    outcome.kind = OutcomeKind::Exited;
    outcome.code = end.exitCode;
    if (end.exitCode < 0) {
        outcome.kind = OutcomeKind::Signalled;
        outcome.code = signalOf(end.status);
        outcome.detail = outcome.code > 0
            ? QStringLiteral("Ended by %1").arg(domain::signalName(outcome.code))
            : QStringLiteral("Ended: %1").arg(end.status);
    }
    return outcome;
}

//! Removes the files of commands that were told to their end, many at once.
async::Task<void> sweepNow(LinkPtr link)
{
    const std::stop_token stop = link->scope.token();
    const bool elapsed =
        co_await async::sleepFor(link->finished.size() >= kSweepAt ? std::chrono::milliseconds(0)
                                                                   : std::chrono::milliseconds(10s),
                                 stop);
    link->isSweeping = false;
    if (!elapsed || !link->isOpen || link->sleep || link->finished.isEmpty())
        co_return;
    net::ScriptRequest request;
    request.script = "cd \"${TMPDIR:-/tmp}/.berth\" && rm -f";
    for (const QByteArray &id : std::exchange(link->finished, {}))
        request.script += ' ' + id + ".?";
    const Result<net::ScriptResult> swept = co_await runScript(link, request, stop);
    Q_UNUSED(swept)
}

void forgetLater(const LinkPtr &link, const RunPtr &run)
{
    link->finished.append(run->id);
    if (!std::exchange(link->isSweeping, true))
        link->scope.spawn(sweepNow(link));
}

async::Task<void> stopNow(LinkPtr link, RunPtr run)
{
    const std::stop_token stop = link->scope.token();
    net::ScriptRequest request;
    request.script = run->tracked.stopScript;
    request.timeout = kStopLimit;
    const Result<net::ScriptResult> stopped = co_await runScript(link, request, stop);
    if (!stopped || stopped->code != 0)
        co_return; // the execution's own deadline tells it
    const bool elapsed = co_await async::sleepFor(kDrain, stop);
    const auto execution = run->execution.lock();
    if (!elapsed || !execution || execution->isOver())
        co_return;
    Outcome outcome;
    outcome.kind = OutcomeKind::Cancelled;
    execution->ended(outcome);
}

async::Task<void> pushNow(LinkPtr link, RunPtr run)
{
    const std::stop_token stop = run->stop.get_token();
    // The number is told with the first event.
    while (run->pid == 0 && !stop.stop_requested()) {
        const bool elapsed = co_await async::sleepFor(10ms, stop);
        if (!elapsed)
            break;
    }
    while (!stop.stop_requested() && (!run->input.isEmpty() || run->closesInput)) {
        if (run->input.isEmpty()) {
            run->closesInput = false;
            const QByteArray body =
                run->hasTerminal ? encodeInput(run->pid, "\x04", true) : encodeProcess(run->pid);
            const QByteArray method =
                run->hasTerminal ? "process.Process/SendInput" : "process.Process/CloseStdin";
            const Result<QByteArray> closed = co_await callEnvd(
                link->envd, method, body, QStringLiteral("Closing the input"), stop);
            Q_UNUSED(closed)
            continue;
        }
        const QByteArray piece = run->input.left(kInputPiece);
        run->input.remove(0, piece.size());
        const Result<QByteArray> sent = co_await callEnvd(
            link->envd, "process.Process/SendInput", encodeInput(run->pid, piece, run->hasTerminal),
            QStringLiteral("Sending input"), stop);
        if (!sent) {
            // It does not read, or has ended.
            run->input.clear();
            run->closesInput = false;
            break;
        }
        const auto execution = run->execution.lock();
        if (!execution)
            break;
        execution->noteInputTaken(piece.size());
    }
    run->isPushing = false;
}

void push(const LinkPtr &link, const RunPtr &run)
{
    if (link->isOpen && !std::exchange(run->isPushing, true))
        link->scope.spawn(pushNow(link, run));
}

async::Task<void> resizeNow(LinkPtr link, RunPtr run)
{
    const std::stop_token stop = run->stop.get_token();
    while (run->size && run->pid > 0 && !stop.stop_requested()) {
        const auto [columns, rows] = *std::exchange(run->size, std::nullopt);
        const Result<QByteArray> done = co_await callEnvd(
            link->envd, "process.Process/Update", encodeResize(run->pid, columns, rows),
            QStringLiteral("Resizing the terminal"), stop);
        Q_UNUSED(done)
    }
    run->isResizing = false;
}

//! A stream again, after the last one was cut or went silent. Unavailable: there is no way back;
//! the detail says why.
Async<EventStreamPtr> reattached(LinkPtr link, RunPtr run, std::stop_token stop)
{
    for (;;) {
        if (link->sleep) {
            const async::Completion<bool> awake = *link->sleep;
            {
                const std::stop_callback onStop(stop, [awake] { awake.complete(false); });
                const bool woken = co_await awake;
                Q_UNUSED(woken)
            }
            if (stop.stop_requested())
                co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
        }
        const Result<QString> why = co_await suspect(link, stop);
        if (!why)
            co_return failure(why.error());
        if (link->sleep)
            continue;
        if (!why->isEmpty())
            co_return failure(ErrorKind::Unavailable,
                              QStringLiteral("The connection to the sandbox was lost"), *why);
        const QByteArray process =
            run->pid > 0 ? encodeProcess(run->pid) : encodeProcessTag(run->tag);
        const Result<EventStreamPtr> events = co_await followProcess(link->envd, process, stop);
        if (!events && link->sleep)
            continue;
        co_return events;
    }
}

//! The service does not know the process any more, or its stream told no end.
async::Task<void> concludeNow(LinkPtr link, RunPtr run, std::optional<Outcome> known, QString why,
                              std::stop_token stop)
{
    std::optional<Outcome> outcome = known;
    if (!outcome && run->isKept) {
        const Result<net::CommandState> state = co_await stateOf(link, run, stop);
        if (state && state->phase == net::CommandState::Phase::Ended)
            outcome = net::outcomeOf(*state);
    }
    if (const auto execution = run->execution.lock())
        execution->ended(outcome, why);
}

async::Task<void> followNow(LinkPtr link, RunPtr run, EventStreamPtr events)
{
    const std::stop_token stop = run->stop.get_token();
    std::optional<Outcome> told;
    QString lost = QStringLiteral("its end is not known");
    QElapsedTimer age;
    age.start();
    int barren = 0;
    for (;;) {
        std::shared_ptr<StreamedExecution> execution = run->execution.lock();
        if (!execution || execution->isOver()) {
            run->isTold = execution != nullptr;
            break;
        }
        async::Task<Result<void>> room = execution->awaitRoom(stop);
        execution.reset();
        const Result<void> hasRoom = co_await room;
        if (!hasRoom && !link->isOpen)
            lost = link->reason;
        Result<ProcessEvent> event = failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
        if (hasRoom) {
            async::Task<Result<ProcessEvent>> next = events->next(stop);
            event = co_await next;
        }
        execution = run->execution.lock();
        if (!execution || execution->isOver()) {
            run->isTold = execution != nullptr;
            break;
        }
        if (!event) {
            if (stop.stop_requested()) {
                execution->ended(told, link->isOpen ? lost : link->reason);
                break;
            }
            execution.reset();
            barren = age.elapsed() < kShortStream && !link->sleep ? barren + 1 : 0;
            if (barren > kMostShortStreams) {
                co_await concludeNow(link, run, told, event.error().message, stop);
                break;
            }
            const Result<EventStreamPtr> again = co_await reattached(link, run, stop);
            if (!again) {
                const QString why = link->isOpen
                    ? (again.error().detail.isEmpty() ? again.error().message
                                                      : again.error().detail)
                    : link->reason;
                co_await concludeNow(link, run, told, why, stop);
                break;
            }
            events = *again;
            age.restart();
            if (const auto cut = run->execution.lock())
                cut->remark(cutRemark());
            continue;
        }
        switch (event->kind) {
        case ProcessEvent::Kind::Start:
            run->pid = event->pid;
            break;
        case ProcessEvent::Kind::Output:
            barren = 0;
            execution->feed(event->stream, event->bytes);
            break;
        case ProcessEvent::Kind::End:
            told = outcomeOfEnd(*event);
            break;
        case ProcessEvent::Kind::Over: {
            if (!event->problem) {
                execution.reset();
                co_await concludeNow(link, run, told, lost, stop);
                co_return;
            }
            const ConnectProblem problem = *event->problem;
            if (problem.code == QLatin1String("deadline_exceeded")) {
                Outcome outcome;
                outcome.kind = OutcomeKind::TimedOut;
                execution->ended(outcome);
                co_return;
            }
            if (run->pid == 0 && problem.code != QLatin1String("not_found")) {
                // It never began: an unknown user, a directory that is not there.
                Error error = connectError(problem, QStringLiteral("Starting the command"));
                if (error.kind == ErrorKind::Unauthorized)
                    error.kind = ErrorKind::InvalidInput;
                execution->fail(error);
                co_return;
            }
            execution.reset();
            co_await concludeNow(
                link, run, told,
                QStringLiteral("it ended while the connection was cut (%1)").arg(problem.message),
                stop);
            co_return;
        }
        case ProcessEvent::Kind::KeepAlive:
        case ProcessEvent::Kind::Unknown:
            break;
        }
    }
    // To the end of the stream, which is near.
    std::stop_source tail;
    const std::stop_callback onStop(stop, [&tail] { tail.request_stop(); });
    QTimer limit;
    limit.setSingleShot(true);
    QObject::connect(&limit, &QTimer::timeout, [&tail] { tail.request_stop(); });
    limit.start(kTail);
    for (;;) {
        async::Task<Result<ProcessEvent>> next = events->next(tail.get_token());
        const Result<ProcessEvent> event = co_await next;
        if (!event || event->kind == ProcessEvent::Kind::Over)
            break;
    }
}

async::Task<void> followAndCount(LinkPtr link, RunPtr run, EventStreamPtr events)
{
    countCommand(link, +1);
    link->followed.insert(run->id);
    {
        const std::stop_callback onLost(link->scope.token(), [run] { run->stop.request_stop(); });
        co_await followNow(link, run, std::move(events));
    }
    link->followed.remove(run->id);
    countCommand(link, -1);
    // What ended without an end that was told stays for who asks later.
    if (link->isOpen && run->isKept && run->isTold)
        forgetLater(link, run);
    if (!run->isKept && !run->hasTerminal && run->isTold)
        wantResident(link);
}

async::Task<void> followAgainNow(LinkPtr link, RunPtr run)
{
    const std::stop_token stop = run->stop.get_token();
    // What it did not get it does not run, and its end is none of the command's.
    const Run::Handed handed = co_await run->handed;
    if (handed != Run::Handed::Yes || stop.stop_requested())
        co_return;
    const Result<EventStreamPtr> again = co_await reattached(link, run, stop);
    if (!again) {
        const QString why =
            again.error().detail.isEmpty() ? again.error().message : again.error().detail;
        if (const auto execution = run->execution.lock())
            execution->ended(std::nullopt, link->isOpen ? why : link->reason);
        co_return;
    }
    if (const auto execution = run->execution.lock())
        execution->remark(cutRemark());
    // With its input at an end the shell ends behind the command, with its code.
    const Result<QByteArray> closed =
        co_await callEnvd(link->envd, "process.Process/CloseStdin", encodeProcess(run->pid),
                          QStringLiteral("Ending a shell"), stop);
    Q_UNUSED(closed)
    co_await followNow(link, run, *again);
}

async::Task<void> followAgainAndCount(LinkPtr link, RunPtr run)
{
    countCommand(link, +1);
    link->followed.insert(run->id);
    {
        const std::stop_callback onLost(link->scope.token(), [run] { run->stop.request_stop(); });
        co_await followAgainNow(link, run);
    }
    link->followed.remove(run->id);
    countCommand(link, -1);
}

async::Task<void> dropNow(LinkPtr link, RunPtr run)
{
    net::ScriptRequest request;
    request.script = run->tracked.stopScript;
    request.timeout = kStopLimit;
    const Result<net::ScriptResult> stopped = co_await runScript(link, request, {});
    Q_UNUSED(stopped)
}

} // namespace

QByteArray newRun(const RunName &name)
{
    const char kind = name.kind == RunName::Kind::Foreground ? 'f'
        : name.kind == RunName::Kind::Background             ? 'b'
                                                             : 't';
    return net::newRunId().leftJustified(kRandom, '0', true) + kind + name.tag.toHex();
}

std::optional<RunName> runName(const QByteArray &run)
{
    if (run.size() <= kRandom)
        return std::nullopt;
    for (const char c : run) {
        if ((c < '0' || c > '9') && (c < 'a' || c > 'z'))
            return std::nullopt;
    }
    RunName name;
    switch (run.at(kRandom)) {
    case 'f':
        break;
    case 'b':
        name.kind = RunName::Kind::Background;
        break;
    case 't':
        name.kind = RunName::Kind::Terminal;
        break;
    default:
        return std::nullopt;
    }
    const QByteArray hex = run.mid(kRandom + 1);
    name.tag = QByteArray::fromHex(hex);
    if (name.tag.toHex() != hex)
        return std::nullopt;
    return name;
}

net::ExecutionHooks hooksOf(const LinkPtr &link, const RunPtr &run)
{
    const std::weak_ptr<Link> weak = link;
    net::ExecutionHooks hooks;
    hooks.stop = [weak, run] {
        if (const LinkPtr known = weak.lock(); known && known->isOpen)
            known->scope.spawn(stopNow(known, run));
    };
    hooks.input = [weak, run](const QByteArray &bytes) {
        const LinkPtr known = weak.lock();
        // A resident's input is the next command.
        if (!known || run->isResident)
            return;
        run->input += bytes;
        push(known, run);
    };
    hooks.closeInput = [weak, run] {
        const LinkPtr known = weak.lock();
        if (!known || run->isResident)
            return;
        run->closesInput = true;
        push(known, run);
    };
    hooks.resize = [weak, run](int columns, int rows) {
        const LinkPtr known = weak.lock();
        if (!known || !known->isOpen)
            return;
        run->size = std::pair(columns, rows);
        if (!std::exchange(run->isResizing, true))
            known->scope.spawn(resizeNow(known, run));
    };
    hooks.dropped = [weak, run] {
        run->stop.request_stop();
        const LinkPtr known = weak.lock();
        if (known && known->isOpen && !run->background)
            known->scope.spawn(dropNow(known, run));
    };
    return hooks;
}

void followAgain(const LinkPtr &link, const RunPtr &run)
{
    link->scope.spawn(followAgainAndCount(link, run));
}

void follow(const LinkPtr &link, const RunPtr &run, EventStreamPtr events)
{
    link->scope.spawn(followAndCount(link, run, std::move(events)));
}

Async<net::CommandState> stateOf(LinkPtr link, RunPtr run, std::stop_token stop)
{
    net::ScriptRequest request;
    request.script = run->tracked.resultScript;
    const Result<net::ScriptResult> printed = co_await runScript(link, request, stop);
    if (!printed)
        co_return failure(printed.error());
    co_return net::readCommandState(printed->out);
}

} // namespace berth::e2b
