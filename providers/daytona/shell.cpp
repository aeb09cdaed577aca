// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/daytona/session_run.h"
#include "providers/daytona/terminal_run.h"

#include <QtCore/QUuid>

namespace berth::daytona {

using domain::Async;
using domain::CommandSpec;
using domain::ErrorKind;
using domain::Execution;
using domain::failure;
using domain::Job;
using domain::Result;

namespace {

using ExecutionPtr = std::shared_ptr<Execution>;

//! The input of a session takes that at once, and its shell reads it byte by byte.
constexpr qsizetype kLargestForResident = 16 * 1024;

tl::unexpected<domain::Error> closed()
{
    return failure(ErrorKind::Unavailable,
                   QStringLiteral("The connection to the sandbox is closed"));
}

Async<ExecutionPtr> startedOne(std::shared_ptr<net::StreamedExecution> execution,
                               std::stop_token stop)
{
    const auto started = execution->started();
    {
        const std::stop_callback onStop(stop, [started] {
            started.complete(failure(ErrorKind::Cancelled,
                                     QStringLiteral("Cancelled before the command started")));
        });
        co_await started;
    }
    const Result<bool> result = co_await started;
    if (!result)
        co_return failure(result.error()); // dropping it kills what may have started after all
    const ExecutionPtr made = execution->handOver();
    co_return made;
}

//! One that has nothing to do, or a new one.
Async<Box::IdleSession> freeSession(BoxPtr box, std::stop_token stop)
{
    if (!box->idle.isEmpty()) {
        const Box::IdleSession known = box->idle.takeLast();
        co_return known;
    }
    const Box::IdleSession made{
        QStringLiteral("berth-") + QUuid::createUuid().toString(QUuid::Id128).left(16), 0};
    box->own.insert(made.id);
    const Result<void> created = co_await createSession(box->toolbox, made.id, stop);
    if (!created)
        co_return failure(created.error());
    co_return made;
}

//! A proxy tells of a lost answer with a status of its own.
bool mayHaveArrived(const domain::Error &error)
{
    return !error.httpStatus || *error.httpStatus == 408 || *error.httpStatus >= 500;
}

domain::Error unknownStart(domain::Error error)
{
    if (error.kind == ErrorKind::Cancelled)
        return error;
    error.detail = error.message + QStringLiteral(". ") + error.detail;
    error.message = QStringLiteral("It is not known whether the command began");
    return error;
}

//! \a execution: of \a run where it has one that is followed already.
Async<ExecutionPtr> startInSession(BoxPtr box, RunPtr run,
                                   std::shared_ptr<net::StreamedExecution> execution,
                                   std::stop_token stop)
{
    const QByteArray text = sessionCommand(run->mark, run->scripts.script, box->hasWrap);
    for (int attempt = 0;; ++attempt) {
        const Result<Box::IdleSession> session = co_await freeSession(box, stop);
        if (!session) {
            box->suspect();
            co_return failure(session.error());
        }
        run->session = session->id;
        run->used = session->used;
        const Result<QString> id =
            co_await executeInSession(box->toolbox, run->session, text, stop);
        if (id) {
            run->command = *id;
            break;
        }
        // A session that is gone has surely run nothing.
        if (id.error().kind == ErrorKind::NotFound && attempt < 6)
            continue;
        box->suspect();
        domain::Error error = id.error();
        const bool mayRun = mayHaveArrived(error);
        if (mayRun)
            error = unknownStart(error);
        // It may have arrived: it is told to end before it is of use to anybody.
        const std::shared_ptr<net::StreamedExecution> unwanted =
            execution ? execution : makeExecution(run);
        run->mark.background = false;
        if (mayRun)
            unwanted->stop();
        co_return failure(error);
    }
    if (!execution) {
        execution = makeExecution(run);
        follow(run);
    }
    readOwnLog(run);
    const Result<ExecutionPtr> started = co_await startedOne(execution, stop);
    co_return started;
}

Async<ExecutionPtr> startNow(BoxPtr box, CommandSpec command, std::stop_token stop)
{
    if (const std::optional<domain::Error> problem = net::commandProblem(command))
        co_return failure(*problem);
    if (stop.stop_requested())
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    if (!box->isOpen)
        co_return closed();
    if (command.cwd.isEmpty())
        command.cwd = box->home;

    if (command.terminal) {
        const Result<ExecutionPtr> terminal = co_await startTerminal(box, command, stop);
        co_return terminal;
    }
    const auto run = std::make_shared<SessionRun>();
    run->box = box;
    run->mark = {net::newRunId(), command.background, command.openInput, command.tag};
    run->marks = net::MarkReader(run->mark.runId);
    net::TrackedOptions options;
    options.isBinarySafe = true;
    run->scripts = net::trackedCommand(command, run->mark.runId, options);
    const bool plain =
        isPlain(run->mark, run->scripts.script) && run->scripts.script.size() < kLargestForResident;
    if (const ResidentPtr resident = plain ? takeResident(run) : nullptr) {
        const std::shared_ptr<net::StreamedExecution> execution = makeExecution(run);
        follow(run);
        const QByteArray given = residentInput(run->mark.runId, run->scripts.script);
        const Result<void> sent = co_await sendInput(box->toolbox, run->session, run->command,
                                                     given, box->toolbox->patience, stop);
        if (sent) {
            const Result<ExecutionPtr> started = co_await startedOne(execution, stop);
            co_return started;
        }
        const bool hasStarted = execution->started().isComplete();
        dropResident(box, resident);
        // Only one that was not there any more surely read nothing: any other refusal may be a
        // proxy's, who lost the answer.
        if (sent.error().kind != ErrorKind::NotFound || hasStarted) {
            box->suspect();
            execution->stop();
            co_return failure(unknownStart(sent.error()));
        }
        run->resident.reset();
        const Result<ExecutionPtr> started = co_await startInSession(box, run, execution, stop);
        co_return started;
    }
    const Result<ExecutionPtr> started = co_await startInSession(box, run, nullptr, stop);
    co_return started;
}

struct Found
{
    RunMark mark;
    QString session;
    SessionCommand command;
    int used = 0;
};

Async<QList<Found>> runsOf(BoxPtr box, std::stop_token stop)
{
    const Result<QList<Session>> sessions = co_await listSessions(box->toolbox, stop);
    if (!sessions) {
        box->suspect();
        co_return failure(sessions.error());
    }
    QList<Found> found;
    for (const Session &session : *sessions) {
        int used = 0;
        for (const SessionCommand &command : session.commands) {
            if (const std::optional<RunMark> mark = runMark(command.text))
                found.append({*mark, session.id, command, used});
            ++used;
        }
    }
    const QList<Found> all = found;
    co_return all;
}

quint32 jobId(const BoxPtr &box, const QByteArray &runId)
{
    quint32 &id = box->jobIds[runId];
    if (id == 0)
        id = static_cast<quint32>(box->jobIds.size());
    return id;
}

Async<QList<Job>> jobsNow(BoxPtr box, std::stop_token stop)
{
    if (!box->isOpen)
        co_return closed();
    const Result<QList<Found>> found = co_await runsOf(box, stop);
    if (!found)
        co_return failure(found.error());
    net::ScriptRequest request;
    request.script = countScript();
    const Result<net::ScriptResult> printed = co_await box->runner->run(request, stop);
    if (!printed)
        co_return failure(printed.error());
    QHash<QByteArray, RunCounts> counts;
    for (const RunCounts &one : readCounts(printed->out))
        counts.insert(one.runId, one);
    QList<Job> jobs;
    for (const Found &one : *found) {
        const auto known = counts.constFind(one.mark.runId);
        // Its end was taken, so nothing of it is left.
        if (known == counts.constEnd() || box->finished.contains(one.mark.runId))
            continue;
        // What is followed in the foreground is no job; what another connection left is, for the
        // one who knows its tag.
        if (!one.mark.background && (box->runs.contains(one.mark.runId) || one.mark.tag.isEmpty()))
            continue;
        Job job;
        job.id = jobId(box, one.mark.runId);
        job.tag = one.mark.tag;
        job.pid = known->pid;
        job.ended = known->ended || one.command.code.has_value();
        job.outBytes = known->out;
        job.errBytes = known->err;
        jobs.append(job);
    }
    const Result<QList<RunMark>> terminals = co_await listTerminals(box, stop);
    if (!terminals)
        co_return failure(terminals.error());
    for (const RunMark &mark : *terminals) {
        Job job;
        job.id = jobId(box, mark.runId);
        job.tag = mark.tag;
        job.pid = counts.value(mark.runId).pid;
        job.hasTerminal = true;
        if (const auto own = box->terminals.value(mark.runId)) {
            job.outBytes = own->size();
            job.ended = own->isOver();
        }
        jobs.append(job);
    }
    const QList<Job> all = jobs;
    co_return all;
}

Async<ExecutionPtr> attachNow(BoxPtr box, quint32 job, qint64 outOffset, qint64 errOffset,
                              std::stop_token stop)
{
    if (outOffset < 0 || errOffset < 0)
        co_return failure(ErrorKind::InvalidInput, QStringLiteral("An offset cannot be negative"));
    if (!box->isOpen)
        co_return closed();
    const QByteArray runId = box->jobIds.key(job);
    const auto missing = failure(ErrorKind::NotFound,
                                 QStringLiteral("The sandbox does not know this command any more"));
    if (runId.isEmpty() || box->finished.contains(runId))
        co_return missing;
    const Result<QList<RunMark>> terminals = co_await listTerminals(box, stop);
    if (!terminals)
        co_return failure(terminals.error());
    for (const RunMark &mark : *terminals) {
        if (mark.runId != runId)
            continue;
        const Result<ExecutionPtr> terminal = co_await attachTerminal(box, mark, outOffset, stop);
        co_return terminal;
    }
    const Result<QList<Found>> found = co_await runsOf(box, stop);
    if (!found)
        co_return failure(found.error());
    const auto one = std::find_if(found->begin(), found->end(), [&runId](const Found &candidate) {
        return candidate.mark.runId == runId;
    });
    if (one == found->end())
        co_return missing;
    net::ScriptRequest request;
    request.script = followScript(runId);
    const Result<net::ScriptResult> claimed = co_await box->runner->run(request, stop);
    if (!claimed)
        co_return failure(claimed.error());
    if (claimed->code != 0)
        co_return missing;
    if (const RunPtr former = box->runs.value(runId).lock())
        former->lose(QStringLiteral("It is followed by somebody else now"));

    const auto run = std::make_shared<SessionRun>();
    run->box = box;
    run->mark = one->mark;
    run->session = one->session;
    run->used = one->used;
    run->command = one->command.id;
    run->marks = net::MarkReader(runId);
    run->toDrop = {outOffset, errOffset};
    run->hasFiles = true;
    CommandSpec any;
    any.shellText = QByteArrayLiteral(":");
    run->scripts = net::trackedCommand(any, runId);
    const std::shared_ptr<net::StreamedExecution> execution = makeExecution(run);
    // It runs, or has run: otherwise it would not be listed.
    execution->begin();
    follow(run);
    readOwnLog(run);
    const Result<ExecutionPtr> started = co_await startedOne(execution, stop);
    co_return started;
}

} // namespace

Async<ExecutionPtr> DaytonaShell::start(CommandSpec command, std::stop_token stop)
{
    return startNow(m_box, std::move(command), std::move(stop));
}

Async<QList<Job>> DaytonaShell::jobs(std::stop_token stop)
{
    return jobsNow(m_box, std::move(stop));
}

Async<ExecutionPtr> DaytonaShell::attach(quint32 job, qint64 outOffset, qint64 errOffset,
                                         std::stop_token stop)
{
    return attachNow(m_box, job, outOffset, errOffset, std::move(stop));
}

} // namespace berth::daytona
