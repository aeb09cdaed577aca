// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/daytona/session_run.h"

#include "async/sleep.h"

namespace berth::daytona {

using domain::ErrorKind;
using domain::OutputStream;
using domain::Result;
using namespace std::chrono_literals;

namespace {

constexpr auto kShort = 15s;
//! Files of 64 KiB that are fetched at once.
constexpr qsizetype kMostFiles = 8;
//! Trouble of the network is waited out for so long.
constexpr auto kGiveUp = 60s;
constexpr int kMostIdle = 4;
//! A session keeps a record of all that it ran.
constexpr int kMostUsed = 30;

std::size_t indexOf(OutputStream stream)
{
    return stream == OutputStream::Stdout ? 0 : 1;
}

char letterOf(OutputStream stream)
{
    return stream == OutputStream::Stdout ? 'o' : 'e';
}

net::ScriptRequest shortScript(const QByteArray &script)
{
    net::ScriptRequest request;
    request.script = script;
    request.timeout = kShort;
    return request;
}

//! \a after: what else is to be run in the sandbox.
async::Task<void> tidy(RunPtr run, QByteArray script)
{
    const BoxPtr box = run->box;
    if (!script.isEmpty()) {
        const net::ScriptRequest request = shortScript(script);
        const Result<net::ScriptResult> cleared = co_await box->runner->run(request, {});
        Q_UNUSED(cleared)
    }
    // The session's shell is free as soon as the last pipe of the command is closed.
    for (int i = 0; i < (run->resident ? 40 : 10) && !run->logEnded; ++i) {
        const bool elapsed = co_await async::sleepFor(30ms, box->scope.token());
        if (!elapsed)
            break;
    }
    run->halt.request_stop();
    if (isPlain(run->mark, {}))
        wantResident(box);
    if (run->resident && run->logEnded)
        co_return;
    if (run->resident)
        dropResident(box, run->resident);
    else if (run->logEnded && run->code && box->isOpen && box->idle.size() < kMostIdle
             && run->used + 1 < kMostUsed) {
        box->idle.append({run->session, run->used + 1});
        co_return;
    }
    const Result<void> closed = co_await deleteSession(box->toolbox, run->session, {});
    Q_UNUSED(closed)
    // Its script did not come to remove its files by itself.
    const net::ScriptRequest rest = shortScript(clearScript(run->mark.runId));
    const Result<net::ScriptResult> removed = co_await box->runner->run(rest, {});
    Q_UNUSED(removed)
}

//! What the command did is known, and told.
void finishRun(const RunPtr &run)
{
    if (run->isOver)
        return;
    run->isOver = true;
    run->wake();
    run->box->runs.remove(run->mark.runId);
    if (run->mark.background)
        run->box->finished.insert(run->mark.runId);
    QByteArray script;
    if (run->mark.background)
        script = "( " + run->scripts.resultScript + "\n) >/dev/null\n";
    if (run->mark.background || run->hasFiles)
        script += clearScript(run->mark.runId);
    run->box->scope.spawn(tidy(run, script));
}

void lookAtMarks(const RunPtr &run)
{
    const std::shared_ptr<net::StreamedExecution> execution = run->execution.lock();
    const net::CommandState &state = run->marks.state();
    if (state.phase == net::CommandState::Phase::Refused && state.refusal) {
        if (execution)
            execution->fail(*state.refusal);
        finishRun(run);
        return;
    }
    if (execution && state.phase == net::CommandState::Phase::Running)
        execution->begin();
    if (run->marks.isOver()) {
        if (execution)
            execution->finish(net::outcomeOf(state));
        finishRun(run);
    }
}

void give(const RunPtr &run, OutputStream stream, QByteArray own)
{
    qint64 &drop = run->toDrop[indexOf(stream)];
    const qint64 known = std::min<qint64>(drop, own.size());
    drop -= known;
    own.remove(0, known);
    const std::shared_ptr<net::StreamedExecution> execution = run->execution.lock();
    if (execution && !own.isEmpty())
        execution->feed(stream, own);
}

void giveLost(const RunPtr &run, const Piece &piece)
{
    qint64 lost = piece.size;
    // The script's own word at the start of this stream is none of the command's.
    if (piece.stream == OutputStream::Stderr && piece.file == 1
        && run->marks.state().phase == net::CommandState::Phase::Unknown)
        lost -= QByteArrayLiteral("xberth::startx").size() + run->mark.runId.size();
    qint64 &drop = run->toDrop[indexOf(piece.stream)];
    const qint64 known = std::min(drop, lost);
    drop -= known;
    lost -= known;
    const std::shared_ptr<net::StreamedExecution> execution = run->execution.lock();
    if (execution && lost > 0)
        execution->skip(piece.stream, lost);
}

//! The command of the session has ended, and its log has no end mark of the script.
void endWithoutMarks(const RunPtr &run)
{
    if (run->isOver || !run->logEnded || !run->queues[0].empty() || !run->queues[1].empty())
        return;
    for (const OutputStream stream : {OutputStream::Stdout, OutputStream::Stderr})
        give(run, stream, run->marks.rest(stream));
    if (const std::shared_ptr<net::StreamedExecution> execution = run->execution.lock()) {
        QString why = QStringLiteral("The sandbox did not tell how the command ended");
        const QByteArray noise = run->log.noise().trimmed();
        if (!noise.isEmpty())
            why += QStringLiteral(": ") + QString::fromUtf8(noise.left(500));
        std::optional<domain::Outcome> outcome;
        if (execution->isStopping()) {
            outcome.emplace();
            outcome->kind = domain::OutcomeKind::Cancelled;
        }
        execution->ended(outcome, why);
    }
    finishRun(run);
}

//! Passes on what came of one stream, as fast as it is taken.
async::Task<void> deliver(RunPtr run, OutputStream stream)
{
    const std::stop_token stop = run->halt.get_token();
    std::deque<Piece> &queue = run->queues[indexOf(stream)];
    int failures = 0;
    while (!run->isOver && !stop.stop_requested()) {
        if (queue.empty()) {
            if (run->logEnded) {
                endWithoutMarks(run);
                co_return;
            }
            const async::Completion<bool> changed = run->changed;
            co_await changed;
            continue;
        }
        std::shared_ptr<net::StreamedExecution> execution = run->execution.lock();
        if (!execution)
            co_return;
        domain::Async<void> room = execution->awaitRoom(stream, stop);
        execution.reset();
        const Result<void> free = co_await room;
        if (!free || run->isOver)
            co_return;
        if (queue.front().file == 0) {
            const Piece piece = queue.front();
            queue.pop_front();
            give(run, stream, run->marks.feed(stream, piece.bytes));
            lookAtMarks(run);
            continue;
        }
        // A flood: what comes within a moment is fetched together.
        for (std::size_t seen = 0; seen < queue.size() && !run->logEnded
             && queue.size() < static_cast<std::size_t>(kMostFiles);) {
            seen = queue.size();
            const bool elapsed = co_await async::sleepFor(30ms, stop);
            if (!elapsed || run->isOver)
                co_return;
        }
        QList<Piece> pieces;
        QList<std::pair<char, int>> wanted;
        for (const Piece &piece : queue) {
            if (piece.file == 0 || pieces.size() >= kMostFiles)
                break;
            pieces.append(piece);
            wanted.append({letterOf(stream), piece.file});
        }
        const QList<std::pair<char, int>> done = std::exchange(run->done, {});
        const net::ScriptRequest request = shortScript(fetchScript(run->mark.runId, done, wanted));
        const Result<net::ScriptResult> fetched = co_await run->box->runner->run(request, stop);
        if (run->isOver || stop.stop_requested())
            co_return;
        if (!fetched) {
            run->done = done + run->done;
            if (++failures >= 4) {
                run->lose(fetched.error().message + QStringLiteral(": ") + fetched.error().detail);
                run->box->suspect();
                co_return;
            }
            const bool elapsed = co_await async::sleepFor(500ms * failures, stop);
            if (!elapsed)
                co_return;
            continue;
        }
        failures = 0;
        const std::optional<QList<std::optional<QByteArray>>> files =
            readFetched(fetched->out, pieces);
        if (!files) {
            run->lose(QStringLiteral("The sandbox told nothing sensible about the output"));
            co_return;
        }
        for (qsizetype i = 0; i < pieces.size(); ++i) {
            if (run->isOver || queue.empty())
                co_return;
            queue.pop_front();
            const std::optional<QByteArray> file = files->at(i);
            if (!file) {
                giveLost(run, pieces.at(i));
                continue;
            }
            run->done.append({letterOf(stream), pieces.at(i).file});
            give(run, stream, run->marks.feed(stream, *file));
            lookAtMarks(run);
        }
    }
}

//! A whole log in JSON, as it would have come: without the labels.
QByteArray unlabelled(QByteArray log)
{
    for (const char *label : {"\x01\x01\x01", "\x02\x02\x02"})
        log.replace(label, "");
    return log;
}

void take(const RunPtr &run, const QByteArray &bytes, qint64 &position)
{
    // After the connection was lost the log comes from its start again.
    const qint64 known = std::max<qint64>(0, run->log.position() - position);
    position += bytes.size();
    if (known >= bytes.size())
        return;
    const QList<Piece> pieces =
        run->log.feed(QByteArrayView(bytes).sliced(static_cast<qsizetype>(known)));
    if (run->serves) {
        for (const Piece &piece : pieces)
            serve(run->box, run->serves, piece);
        return;
    }
    for (const Piece &piece : pieces) {
        run->hasFiles = run->hasFiles || piece.file > 0;
        run->queues[indexOf(piece.stream)].push_back(piece);
    }
    if (!pieces.isEmpty())
        run->wake();
}

//! Whether the session's command goes on; the error when it cannot be asked.
async::Task<Result<bool>> isRunning(RunPtr run, std::stop_token stop)
{
    const Result<SessionCommand> command =
        co_await getCommand(run->box->toolbox, run->session, run->command, stop);
    if (!command)
        co_return domain::failure(command.error());
    if (command->code)
        run->code = command->code;
    co_return !command->code.has_value();
}

//! Reads one answer of the log to its end.
async::Task<Result<void>> readLog(RunPtr run, std::stop_token stop)
{
    const Result<std::shared_ptr<net::WebStream>> opened =
        co_await openLog(run->box->toolbox, run->session, run->command, stop);
    if (!opened)
        co_return domain::failure(opened.error());
    const std::shared_ptr<net::WebStream> stream = *opened;
    const std::chrono::milliseconds quiet = run->box->toolbox->quiet;
    qint64 position = 0;
    if (stream->head().headers.value("Content-Type").contains("json")) {
        // A server that does not follow answers with what there is.
        const Result<QByteArray> body = co_await stream->rest(64 * 1024 * 1024, quiet, stop);
        if (!body)
            co_return domain::failure(body.error());
        take(run, unlabelled(logIn(*body).value_or(QByteArray())), position);
        co_return Result<void>{};
    }
    for (;;) {
        const Result<QByteArray> bytes = co_await stream->next(quiet, stop);
        if (!bytes && bytes.error().kind == ErrorKind::Timeout)
            co_return Result<void>{};
        if (!bytes)
            co_return domain::failure(bytes.error());
        if (bytes->isEmpty())
            co_return Result<void>{};
        take(run, *bytes, position);
    }
}

async::Task<void> read(RunPtr run)
{
    const std::stop_token stop = run->halt.get_token();
    QElapsedTimer trouble;
    std::chrono::milliseconds pause = 100ms;
    int again = 0;
    while (!stop.stop_requested()) {
        const qint64 before = run->log.position();
        const Result<void> log = co_await readLog(run, stop);
        if (stop.stop_requested())
            co_return;
        if (log && run->marks.isOver()) {
            // The log ends with the command, so its session is free.
            run->code = run->code.value_or(0);
            break;
        }
        const Result<bool> running = co_await isRunning(run, stop);
        if (stop.stop_requested())
            co_return;
        if (log && running) {
            trouble.invalidate();
            // Its last bytes may come a moment after the end; after that there are none.
            if (!*running && (run->isOver || run->marks.isOver() || ++again > 3))
                break;
        } else {
            const domain::Error error = running ? log.error() : running.error();
            if (error.kind == ErrorKind::NotFound) {
                run->lose(QStringLiteral("The sandbox does not know the command any more"));
                break;
            }
            if (!trouble.isValid())
                trouble.start();
            run->box->suspect();
            if (trouble.elapsed() > std::chrono::milliseconds(kGiveUp).count()) {
                run->lose(error.message + QStringLiteral(": ") + error.detail);
                break;
            }
        }
        pause = run->log.position() > before ? 100ms
                                             : std::min<std::chrono::milliseconds>(pause * 2, 2s);
        const bool elapsed = co_await async::sleepFor(pause, stop);
        if (!elapsed)
            co_return;
    }
    run->logEnded = true;
    run->wake();
    if (run->serves)
        endResident(run->serves, {});
}

async::Task<void> kill(RunPtr run)
{
    const BoxPtr box = run->box;
    net::ScriptRequest request = shortScript(run->scripts.stopScript);
    request.timeout = 15s;
    const Result<net::ScriptResult> stopped = co_await box->runner->run(request, {});
    if (!stopped || stopped->code != 0) {
        // The execution's own deadline tells that nobody knows.
        box->suspect();
        co_return;
    }
    const bool isWanted = !run->execution.expired();
    // The end comes behind the output, which may be some way.
    for (int i = 0; isWanted && i < 80 && !run->isOver; ++i) {
        const bool elapsed = co_await async::sleepFor(50ms, box->scope.token());
        if (!elapsed)
            co_return;
    }
    if (run->isOver)
        co_return;
    if (const std::shared_ptr<net::StreamedExecution> execution = run->execution.lock()) {
        domain::Outcome outcome;
        outcome.kind = domain::OutcomeKind::Cancelled;
        execution->ended(outcome);
    }
    run->hasFiles = true;
    finishRun(run);
}

async::Task<void> leave(RunPtr run)
{
    const net::ScriptRequest request = shortScript(leaveScript(run->mark.runId));
    const Result<net::ScriptResult> left = co_await run->box->runner->run(request, {});
    Q_UNUSED(left)
}

async::Task<void> send(RunPtr run)
{
    const std::stop_token stop = run->halt.get_token();
    while (!run->isOver && !stop.stop_requested()) {
        const QByteArray piece = run->input.left(kInputPiece);
        if (piece.isEmpty() && !run->inputEnds)
            break;
        const QByteArray line = piece.isEmpty() ? QByteArrayLiteral(".") : inputLine(piece);
        const Result<void> sent =
            co_await sendInput(run->box->toolbox, run->session, run->command, line, 0ms, stop);
        if (!sent || piece.isEmpty())
            co_return; // what comes later would follow a gap
        run->input.remove(0, piece.size());
        if (const std::shared_ptr<net::StreamedExecution> execution = run->execution.lock())
            execution->noteInputTaken(piece.size());
    }
    run->inputRuns = false;
}

void pushInput(const RunPtr &run)
{
    if (run->inputRuns)
        return;
    run->inputRuns = true;
    run->box->scope.spawn(send(run));
}

} // namespace

void SessionRun::lose(const QString &reason)
{
    if (serves)
        endResident(serves, reason);
    if (isOver)
        return;
    isOver = true;
    halt.request_stop();
    wake();
    box->runs.remove(mark.runId);
    if (const std::shared_ptr<net::StreamedExecution> told = execution.lock())
        told->ended(std::nullopt, reason);
}

std::shared_ptr<net::StreamedExecution> makeExecution(const RunPtr &run)
{
    net::ExecutionHooks hooks;
    const std::weak_ptr<SessionRun> weak = run;
    hooks.stop = [weak] {
        if (const RunPtr one = weak.lock(); one && one->box->isOpen)
            one->box->scope.spawn(kill(one));
    };
    if (run->mark.input) {
        hooks.input = [weak](const QByteArray &bytes) {
            if (const RunPtr one = weak.lock()) {
                one->input += bytes;
                pushInput(one);
            }
        };
        hooks.closeInput = [weak] {
            if (const RunPtr one = weak.lock()) {
                one->inputEnds = true;
                pushInput(one);
            }
        };
    }
    if (run->mark.background)
        hooks.dropped = [weak] {
            const RunPtr one = weak.lock();
            if (!one || one->isOver)
                return;
            one->isOver = true;
            one->halt.request_stop();
            one->wake();
            one->box->runs.remove(one->mark.runId);
            if (one->box->isOpen)
                one->box->scope.spawn(leave(one));
        };
    const auto execution = std::make_shared<net::StreamedExecution>(hooks);
    run->execution = execution;
    return execution;
}

void follow(const RunPtr &run)
{
    run->box->runs.insert(run->mark.runId, run);
    run->box->scope.spawn(deliver(run, OutputStream::Stdout));
    run->box->scope.spawn(deliver(run, OutputStream::Stderr));
}

void readOwnLog(const RunPtr &run)
{
    run->box->scope.spawn(read(run));
}

} // namespace berth::daytona
