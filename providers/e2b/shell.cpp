// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/e2b/shell.h"

#include "providers/e2b/resident.h"

namespace berth::e2b {

using domain::Async;
using domain::CommandSpec;
using domain::Error;
using domain::ErrorKind;
using domain::Execution;
using domain::failure;
using domain::Job;
using domain::OutputStream;
using domain::Result;
using net::StreamedExecution;
using namespace std::chrono_literals;

namespace {

const QString kTagPrefix = QStringLiteral("berth-");
//! What the kernel takes as one argument, with a margin.
constexpr qsizetype kLongestArgument = 120 * 1024;
//! Numbers of commands that have ended; process ids are below.
constexpr quint32 kFirstEnded = 0x80000000U;

//! Two "cat" of whom the kernel counts what they pass on, so that whoever follows a background
//! command again knows how much he has missed. They end with their command.
QByteArray counted(const QByteArray &script, const QByteArray &run)
{
    const QByteArray name = "\"${TMPDIR:-/tmp}/.berth/" + run + '.';
    const auto pump = [&name](char file) {
        return "/bin/sh -c "
            + net::shellWord("echo $$ >" + name + file + "\" 2>/dev/null; exec cat");
    };
    return "(umask 077; mkdir -p \"${TMPDIR:-/tmp}/.berth\") 2>/dev/null\n"
           "{ { /bin/sh -c "
        + net::shellWord(script) + " 2>&3 3>&- 4>&- | " + pump('a') + " >&4 3>&- 4>&-; } 3>&1 | "
        + pump('b') + " >&2 4>&-; } 4>&1";
}

Error notOpen(const Link &link)
{
    return {ErrorKind::Unavailable,
            QStringLiteral("The connection to the sandbox is closed"),
            link.reason,
            {},
            {}};
}

std::optional<Error> sizeProblem(const CommandSpec &command)
{
    QByteArrayList parts = command.argv;
    parts.append(command.argv.isEmpty() ? command.shellText : QByteArray());
    for (const auto &[name, value] : command.environment)
        parts.append(name + '=' + value);
    for (const QByteArray &part : std::as_const(parts)) {
        if (part.size() > kLongestArgument)
            return Error{ErrorKind::InvalidInput,
                         QStringLiteral("The command, or a variable of it, is too large"),
                         QStringLiteral("Each may have %1 KiB. Write the text to a file and run "
                                        "that")
                             .arg(kLongestArgument / 1024),
                         {},
                         {}};
    }
    return std::nullopt;
}

//! It may run, though its start was not confirmed: it is killed, or will not begin.
async::Task<void> preventNow(LinkPtr link, RunPtr run)
{
    net::ScriptRequest request;
    request.script = run->tracked.stopScript;
    const Result<net::ScriptResult> stopped =
        co_await runScript(link, request, link->scope.token());
    Q_UNUSED(stopped)
}

//! Begins \a run in a process of its own. An error was told to its execution.
async::Task<Result<void>> beginNow(LinkPtr link, RunPtr run, StartRequest request,
                                   std::chrono::milliseconds limit, std::stop_token stop)
{
    const Result<EventStreamPtr> events = co_await startProcess(link->envd, request, limit, stop);
    if (events) {
        follow(link, run, *events);
        co_return Result<void>{};
    }
    Error error = events.error();
    if (const std::shared_ptr<StreamedExecution> execution = run->execution.lock())
        execution->fail(error);
    const bool mayRun = !error.httpStatus && error.kind != ErrorKind::Forbidden;
    if (error.kind == ErrorKind::Unavailable) {
        const Result<QString> why = co_await suspect(link, stop);
        if (why && !why->isEmpty() && error.detail.isEmpty())
            error.detail = *why;
    }
    if (mayRun && link->isOpen)
        link->scope.spawn(preventNow(link, run));
    co_return failure(error);
}

async::Task<void> beginAgain(LinkPtr link, RunPtr run, StartRequest request,
                             std::chrono::milliseconds limit)
{
    const std::stop_token stop = link->scope.token();
    const Result<void> begun = co_await beginNow(link, run, request, limit, stop);
    Q_UNUSED(begun)
}

Async<std::shared_ptr<Execution>> startNow(LinkPtr link, CommandSpec command, std::stop_token stop)
{
    if (const std::optional<Error> problem = net::commandProblem(command))
        co_return failure(*problem);
    if (stop.stop_requested())
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    if (!link->isOpen)
        co_return failure(notOpen(*link));
    if (command.openInput && !command.terminal && !link->envd->isAtLeast(0, 5, 2))
        co_return failure(ErrorKind::Unsupported,
                          QStringLiteral("This sandbox cannot end a command's input"),
                          QStringLiteral("Its template is too old: build it anew"));
    if (const std::optional<Error> problem = sizeProblem(command))
        co_return failure(*problem);
    if (command.cwd.isEmpty())
        command.cwd = link->settings.home;

    const auto run = std::make_shared<Run>();
    RunName name;
    name.tag = command.tag;
    run->background = command.background;
    run->hasTerminal = command.terminal.has_value();
    run->isKept = command.background || !command.tag.isEmpty();
    if (command.background)
        name.kind = run->hasTerminal ? RunName::Kind::Terminal : RunName::Kind::Background;
    run->id = newRun(name);
    run->tag = kTagPrefix + QString::fromLatin1(run->id);
    CommandSpec kept = command;
    kept.background = run->isKept;
    net::TrackedOptions options;
    options.isBinarySafe = true;
    run->tracked = net::trackedCommand(kept, run->id, options);

    StartRequest request;
    request.program = QStringLiteral("/bin/sh");
    request.directory = QStringLiteral("/");
    request.tag = run->tag;
    request.openInput = command.openInput;
    if (command.terminal) {
        request.terminal = std::pair(command.terminal->columns, command.terminal->rows);
        request.environment = {{QStringLiteral("TERM"), QStringLiteral("xterm-256color")},
                               {QStringLiteral("LANG"), QStringLiteral("C.UTF-8")}};
    }
    QByteArray script = run->tracked.script;
    if (command.background && !run->hasTerminal)
        script = counted(script, run->id);
    if (script.size() > kLongestArgument) {
        const QByteArray file = "/tmp/.berth-" + run->id + ".sh";
        const Result<void> written = co_await writeFile(link->envd, file, script, stop);
        if (!written)
            co_return failure(written.error());
        request.arguments = {QStringLiteral("-c"),
                             QString::fromLatin1("exec 9<" + file + " && rm -f " + file
                                                 + " && exec /bin/sh /dev/fd/9")};
    } else {
        request.arguments = {QStringLiteral("-c"), QString::fromLatin1(script)};
    }
    std::chrono::milliseconds limit{0};
    // The script ends it in time; this is for a script that cannot.
    if (command.timeout.count() > 0 && !command.background)
        limit = command.timeout + link->envd->pace.margin;

    const auto execution = std::make_shared<StreamedExecution>(
        hooksOf(link, run), net::MarkReader(run->id, run->hasTerminal));
    run->execution = execution;
    noteUse(link);
    if (const ResidentPtr resident = freeResident(link, command, script)) {
        const std::weak_ptr<Link> weak = link;
        const std::weak_ptr<Run> weakRun = run;
        run->beginAnew = [weak, weakRun, request, limit] {
            const LinkPtr known = weak.lock();
            const RunPtr unstarted = weakRun.lock();
            if (known && unstarted)
                known->scope.spawn(beginAgain(known, unstarted, request, limit));
        };
        runIn(link, resident, run, script);
    } else {
        const Result<void> begun = co_await beginNow(link, run, request, limit, stop);
        if (!begun)
            co_return failure(begun.error());
    }
    const async::Completion<Result<bool>> started = execution->started();
    {
        const std::stop_callback onStop(stop, [started] {
            started.complete(failure(ErrorKind::Cancelled,
                                     QStringLiteral("Cancelled before the command started")));
        });
        const Result<bool> waited = co_await started;
        Q_UNUSED(waited)
    }
    const Result<bool> result = co_await started;
    if (!result) {
        if (!execution->isOver()) {
            // Background ones, too: nobody got to know of it.
            run->background = false;
        }
        co_return failure(result.error());
    }
    co_return execution->handOver();
}

//! What the sandbox remembers of commands, one line each: "<run> ended|running <out> <err>". A
//! pump's own number, which it wrote into its file before, is counted by the kernel, too.
const char *listingScript()
{
    return R"sh(cd "${TMPDIR:-/tmp}/.berth" 2>/dev/null || exit 0
_n() { _v=; read -r _p <"$1" 2>/dev/null || return 0
while read -r _k _w; do
[ "$_k" != wchar: ] || _v=$((_w-${#_p}-1)); done 2>/dev/null <"/proc/$_p/io"; }
for _f in *.x *.a; do
[ -e "$_f" ] || continue
_r=${_f%.?}
case $_f in *.x) echo "$_r ended 0 0";; *) _n "$_r.a"; _o=$_v; _n "$_r.b"
echo "$_r running ${_o:-0} ${_v:-0}";; esac
done
exit 0)sh";
}

struct Kept
{
    bool ended = false;
    qint64 out = 0;
    qint64 err = 0;
};

Async<QHash<QByteArray, Kept>> keptNow(LinkPtr link, std::stop_token stop)
{
    net::ScriptRequest request;
    request.script = listingScript();
    const Result<net::ScriptResult> printed = co_await runScript(link, request, stop);
    if (!printed)
        co_return failure(printed.error());
    QHash<QByteArray, Kept> kept;
    for (const QByteArray &line : printed->out.split('\n')) {
        const QByteArrayList words = line.split(' ');
        if (words.size() != 4 || !runName(words[0]))
            continue;
        Kept &one = kept[words[0]];
        if (words[1] == "ended") {
            one.ended = true;
            continue;
        }
        one.out = words[2].toLongLong();
        // The mark of the start goes the same way.
        one.err = qMax<qint64>(
            0, words[3].toLongLong() - QByteArray("\036berth:" + words[0] + ":start\036").size());
    }
    co_return kept;
}

Async<QList<ListedProcess>> processesNow(LinkPtr link, std::stop_token stop)
{
    const Result<QByteArray> body = co_await callEnvd(link->envd, "process.Process/List", "{}",
                                                      QStringLiteral("Listing the commands"), stop);
    if (!body) {
        if (body.error().kind == ErrorKind::Unavailable) {
            const Result<QString> why = co_await suspect(link, stop);
            Q_UNUSED(why)
        }
        co_return failure(body.error());
    }
    co_return decodeProcesses(*body);
}

Async<QList<Job>> jobsNow(LinkPtr link, std::stop_token stop)
{
    if (!link->isOpen)
        co_return failure(notOpen(*link));
    const Result<QList<ListedProcess>> processes = co_await processesNow(link, stop);
    if (!processes)
        co_return failure(processes.error());
    const Result<QHash<QByteArray, Kept>> kept = co_await keptNow(link, stop);
    if (!kept)
        co_return failure(kept.error());
    QList<Job> jobs;
    link->jobs.clear();
    QSet<QByteArray> alive;
    for (const ListedProcess &process : *processes) {
        if (!process.tag.startsWith(kTagPrefix))
            continue;
        const QByteArray id = process.tag.mid(kTagPrefix.size()).toLatin1();
        const std::optional<RunName> name = runName(id);
        if (!name)
            continue;
        alive.insert(id);
        // What is followed in the foreground is no job; of a lost connection it is, for the one who
        // knows its tag.
        if (name->kind == RunName::Kind::Foreground
            && (link->followed.contains(id) || name->tag.isEmpty()))
            continue;
        const Kept counts = kept->value(id);
        Job job;
        job.id = static_cast<quint32>(process.pid);
        job.tag = name->tag;
        job.pid = process.pid;
        job.hasTerminal = name->kind == RunName::Kind::Terminal;
        job.ended = counts.ended;
        job.outBytes = counts.out;
        job.errBytes = counts.err;
        jobs.append(job);
        link->jobs.insert(
            job.id, {id, process.pid, job.hasTerminal, job.ended, job.outBytes, job.errBytes});
    }
    quint32 next = kFirstEnded;
    for (auto it = kept->cbegin(); it != kept->cend(); ++it) {
        if (!it->ended || alive.contains(it.key()) || link->followed.contains(it.key())
            || link->finished.contains(it.key()))
            continue;
        const std::optional<RunName> name = runName(it.key());
        if (!name)
            continue;
        Job job;
        job.id = next++;
        job.tag = name->tag;
        job.hasTerminal = name->kind == RunName::Kind::Terminal;
        job.ended = true;
        jobs.append(job);
        link->jobs.insert(job.id, {it.key(), 0, job.hasTerminal, true, 0, 0});
    }
    const QList<Job> result = jobs;
    co_return result;
}

RunPtr runOf(const KnownJob &job)
{
    auto run = std::make_shared<Run>();
    run->id = job.run;
    // Whoever lets go of it again does not end it, not even one that once was in the foreground.
    run->background = true;
    run->hasTerminal = job.hasTerminal;
    run->isKept = true;
    run->pid = job.pid;
    run->tag = kTagPrefix + QString::fromLatin1(job.run);
    run->tracked = net::trackedCommand({}, job.run);
    return run;
}

Async<std::shared_ptr<Execution>> attachEndedNow(LinkPtr link, quint32 id, RunPtr run,
                                                 std::stop_token stop)
{
    const Result<net::CommandState> state = co_await stateOf(link, run, stop);
    if (!state)
        co_return failure(state.error());
    if (state->phase != net::CommandState::Phase::Ended)
        co_return failure(ErrorKind::NotFound,
                          QStringLiteral("This command is not there any more"));
    link->jobs.remove(id);
    const auto execution = std::make_shared<StreamedExecution>(hooksOf(link, run));
    run->execution = execution;
    execution->begin();
    execution->finish(net::outcomeOf(*state));
    co_return execution->handOver();
}

Async<std::shared_ptr<Execution>> attachNow(LinkPtr link, quint32 id, qint64 outOffset,
                                            qint64 errOffset, std::stop_token stop)
{
    if (!link->isOpen)
        co_return failure(notOpen(*link));
    const auto known = link->jobs.constFind(id);
    if (known == link->jobs.cend())
        co_return failure(ErrorKind::NotFound, QStringLiteral("There is no such command"));
    const KnownJob job = *known;
    const RunPtr run = runOf(job);
    if (job.ended) {
        const Result<std::shared_ptr<Execution>> ended =
            co_await attachEndedNow(link, id, run, stop);
        co_return ended;
    }
    const Result<EventStreamPtr> events =
        co_await followProcess(link->envd, encodeProcess(job.pid), stop);
    if (!events) {
        if (events.error().kind == ErrorKind::Unavailable) {
            const Result<QString> why = co_await suspect(link, stop);
            Q_UNUSED(why)
        }
        co_return failure(events.error());
    }
    const Result<ProcessEvent> first = co_await (*events)->next(stop);
    if (!first)
        co_return failure(first.error());
    if (first->kind == ProcessEvent::Kind::Over) {
        // It ended since it was listed; its end may be kept.
        const Result<std::shared_ptr<Execution>> ended =
            co_await attachEndedNow(link, id, run, stop);
        co_return ended;
    }
    // How much was written until now, as near to the begin of the stream as can be.
    Kept counts{false, job.outBytes, job.errBytes};
    if (!run->hasTerminal) {
        const Result<QHash<QByteArray, Kept>> kept = co_await keptNow(link, stop);
        if (kept && kept->contains(run->id))
            counts = kept->value(run->id);
    }
    const auto execution = std::make_shared<StreamedExecution>(
        hooksOf(link, run), net::MarkReader(run->id, run->hasTerminal));
    run->execution = execution;
    execution->begin();
    // Nobody counts what a terminal says.
    if (run->hasTerminal)
        execution->remark(
            QStringLiteral("What the terminal wrote while nobody followed it is lost"));
    execution->skip(OutputStream::Stdout, counts.out - outOffset);
    execution->skip(OutputStream::Stderr, counts.err - errOffset);
    follow(link, run, *events);
    co_return execution->handOver();
}

} // namespace

Async<std::shared_ptr<Execution>> E2bShell::start(CommandSpec command, std::stop_token stop)
{
    return startNow(m_link, std::move(command), std::move(stop));
}

Async<QList<Job>> E2bShell::jobs(std::stop_token stop)
{
    return jobsNow(m_link, std::move(stop));
}

Async<std::shared_ptr<Execution>> E2bShell::attach(quint32 job, qint64 outOffset, qint64 errOffset,
                                                   std::stop_token stop)
{
    return attachNow(m_link, job, outOffset, errOffset, std::move(stop));
}

} // namespace berth::e2b
