// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/e2b/resident.h"

#include "async/sleep.h"

#include <utility>

namespace berth::e2b {

using domain::Error;
using domain::ErrorKind;
using domain::Result;
using net::StreamedExecution;
using namespace std::chrono_literals;

namespace {

constexpr qsizetype kMostResidents = 2;
//! More is too long for a shell that reads its script byte by byte.
constexpr qsizetype kLongestText = 24 * 1024;
//! After so long without a command it is ended.
constexpr auto kUnused = 60s;
//! From a command's end until the shell says that it is free.
constexpr auto kUntilFree = 5s;
constexpr QLatin1String kShellTag("berth-shell-");
constexpr char kAsking[] = "\036berth:";

async::Task<void> closeShell(LinkPtr link, qint64 pid)
{
    const std::stop_token stop = link->scope.token();
    if (link->sleep) {
        const async::Completion<bool> awake = *link->sleep;
        const bool woken = co_await awake;
        if (!woken)
            co_return;
    }
    const Result<QByteArray> closed =
        co_await callEnvd(link->envd, "process.Process/CloseStdin", encodeProcess(pid),
                          QStringLiteral("Ending a shell"), stop);
    Q_UNUSED(closed)
}

//! What it ran has come to its end, one way or another.
void release(const LinkPtr &link, const ResidentPtr &resident)
{
    if (const RunPtr run = std::exchange(resident->run, nullptr)) {
        link->followed.remove(run->id);
        countCommand(link, -1);
    }
}

bool isOver(const RunPtr &run)
{
    const std::shared_ptr<StreamedExecution> execution = run->execution.lock();
    return !execution || execution->isOver();
}

//! True: it is of no use any more.
bool lookAtWord(const ResidentPtr &resident, const QByteArray &bytes)
{
    const QByteArray said = kAsking + resident->word + ':';
    resident->tail += bytes;
    if (resident->tail.contains(said + "free\036"))
        resident->isFree = true;
    const bool isHeld = resident->tail.contains(said + "held\036");
    resident->tail = resident->tail.right(said.size() + 8);
    return isHeld;
}

//! The next event. While nothing more than the word is to come, no longer than that takes.
domain::Async<ProcessEvent> nextWithin(ResidentPtr resident, std::stop_token stop)
{
    std::stop_source limited;
    const std::stop_callback onStop(stop, [&limited] { limited.request_stop(); });
    const std::stop_callback onHalt(resident->halt.get_token(),
                                    [&limited] { limited.request_stop(); });
    QTimer timer;
    timer.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, [&limited] { limited.request_stop(); });
    if (resident->run && isOver(resident->run))
        timer.start(kUntilFree);
    async::Task<Result<ProcessEvent>> next = resident->events->next(limited.get_token());
    const Result<ProcessEvent> event = co_await next;
    co_return event;
}

//! The shell has ended before the command in it told its end.
async::Task<void> concludeWithShell(LinkPtr link, RunPtr run)
{
    // Only one that was dead before surely did not get it, which the handing finds out.
    Run::Handed handed = Run::Handed::Unknown;
    if (link->isOpen)
        handed = co_await run->handed;
    const std::shared_ptr<StreamedExecution> execution = run->execution.lock();
    if (execution && handed != Run::Handed::No)
        execution->ended(std::nullopt,
                         link->isOpen ? QStringLiteral("the shell that ran it has ended")
                                      : link->reason);
}

//! Reads what comes of it until it ends or is of no use.
async::Task<void> serve(LinkPtr link, ResidentPtr resident)
{
    const std::stop_token stop = link->scope.token();
    bool wasCut = false;
    for (;;) {
        if (resident->run) {
            std::shared_ptr<StreamedExecution> execution = resident->run->execution.lock();
            if (execution && !execution->isOver()) {
                async::Task<Result<void>> room = execution->awaitRoom(stop);
                execution.reset();
                const Result<void> hasRoom = co_await room;
                Q_UNUSED(hasRoom) // a command that is over writes no more
            }
        }
        async::Task<Result<ProcessEvent>> next = nextWithin(resident, stop);
        const Result<ProcessEvent> event = co_await next;
        if (!event) {
            wasCut = event.error().kind != ErrorKind::Cancelled;
            break;
        }
        if (event->kind == ProcessEvent::Kind::End || event->kind == ProcessEvent::Kind::Over) {
            resident->isGone = true;
            break;
        }
        if (event->kind != ProcessEvent::Kind::Output || !resident->run)
            continue;
        const std::shared_ptr<StreamedExecution> execution = resident->run->execution.lock();
        if (execution)
            execution->feed(event->stream, event->bytes);
        if (event->stream == domain::OutputStream::Stderr && lookAtWord(resident, event->bytes))
            break;
        if (!resident->isFree || !isOver(resident->run))
            continue;
        release(link, resident);
        if (!link->isOpen || link->sleep || link->idle.size() >= kMostResidents)
            break;
        resident->lastUsed.start();
        link->idle.append(resident);
    }
    link->idle.removeOne(resident);
    --link->residents;
    const RunPtr run = resident->run;
    release(link, resident);
    if (run && !isOver(run)) {
        // Ends with the code of what it ran, once its input is closed.
        if (wasCut && link->isOpen) {
            followAgain(link, run);
            resident->isGone = true;
        } else {
            link->scope.spawn(concludeWithShell(link, run));
        }
    }
    if (!std::exchange(resident->isGone, true) && link->isOpen)
        link->scope.spawn(closeShell(link, resident->pid));
}

//! Ends it when nobody needs it.
async::Task<void> expire(LinkPtr link, ResidentPtr resident)
{
    const std::stop_token stop = link->scope.token();
    while (!resident->isGone) {
        const bool elapsed = co_await async::sleepFor(kUnused / 3, stop);
        if (!elapsed)
            co_return;
        const std::chrono::milliseconds unused(resident->lastUsed.elapsed());
        if (!resident->run && unused >= kUnused)
            resident->halt.request_stop();
    }
}

//! Shells of connections that are no more: the end of their input ends them, behind what they may
//! still run.
async::Task<void> endOthers(LinkPtr link)
{
    const std::stop_token stop = link->scope.token();
    const Result<QByteArray> body =
        co_await callEnvd(link->envd, "process.Process/List", "{}",
                          QStringLiteral("Looking for shells left behind"), stop);
    const Result<QList<ListedProcess>> processes =
        body ? decodeProcesses(*body) : Result<QList<ListedProcess>>();
    if (!processes)
        co_return;
    for (const ListedProcess &process : *processes) {
        if (process.tag.startsWith(kShellTag) && !link->ownShells.contains(process.tag))
            link->scope.spawn(closeShell(link, process.pid));
    }
}

async::Task<void> openResident(LinkPtr link)
{
    const std::stop_token stop = link->scope.token();
    const auto resident = std::make_shared<Resident>();
    resident->tag = kShellTag + QString::fromLatin1(net::newRunId());
    link->ownShells.insert(resident->tag);
    if (!std::exchange(link->hasSwept, true))
        link->scope.spawn(endOthers(link));
    StartRequest request;
    request.program = QStringLiteral("/bin/sh");
    request.arguments = {QStringLiteral("-s")};
    request.directory = QStringLiteral("/");
    request.tag = resident->tag;
    request.openInput = true;
    const Result<EventStreamPtr> opened = co_await startProcess(link->envd, request, 0ms, stop);
    if (opened) {
        resident->events = *opened;
        const Result<ProcessEvent> first = co_await resident->events->next(stop);
        if (first && first->kind == ProcessEvent::Kind::Start)
            resident->pid = first->pid;
    }
    // Nothing depends on it.
    if (resident->pid == 0 || !link->isOpen || link->sleep) {
        --link->residents;
        if (resident->pid != 0 && link->isOpen)
            link->scope.spawn(closeShell(link, resident->pid));
        co_return;
    }
    resident->lastUsed.start();
    link->idle.append(resident);
    link->scope.spawn(serve(link, resident));
    link->scope.spawn(expire(link, resident));
}

async::Task<void> hand(LinkPtr link, ResidentPtr resident, RunPtr run, QByteArray text)
{
    const std::stop_token stop = link->scope.token();
    const QByteArray body = encodeInput(resident->pid, text, false);
    const Result<QByteArray> sent = co_await callEnvd(link->envd, "process.Process/SendInput", body,
                                                      QStringLiteral("Starting the command"), stop);
    if (sent) {
        run->handed.complete(Run::Handed::Yes);
        co_return;
    }
    // A shell that was not there any more read nothing.
    if (sent.error().kind == ErrorKind::NotFound && run->beginAnew && link->isOpen) {
        if (resident->run == run)
            release(link, resident);
        resident->halt.request_stop();
        run->isResident = false;
        run->pid = 0;
        run->handed.complete(Run::Handed::No);
        run->beginAnew();
        co_return;
    }
    run->handed.complete(Run::Handed::Unknown);
    Error error = sent.error();
    if (error.kind == ErrorKind::Unavailable) {
        const Result<QString> why = co_await suspect(link, stop);
        if (why && !why->isEmpty() && error.detail.isEmpty())
            error.detail = *why;
    }
    {
        const std::shared_ptr<StreamedExecution> execution = run->execution.lock();
        if (execution && !execution->started().isComplete())
            execution->fail(error);
    }
    resident->halt.request_stop();
    if (!link->isOpen)
        co_return;
    // The shell may have got it after all.
    net::ScriptRequest request;
    request.script = run->tracked.stopScript;
    const Result<net::ScriptResult> stopped = co_await runScript(link, request, stop);
    Q_UNUSED(stopped)
}

} // namespace

QByteArray residentText(const QByteArray &script, const QByteArray &run, const QByteArray &word)
{
    // The marks again, for a script that was killed. What is still there is looked for up to four
    // times, as what the script itself left behind needs a moment to end.
    QByteArray text = R"sh(( SCRIPT
) </dev/null
_bc=$?
printf '\036berth:RUN:state\036phase=ended code=%s\036berth:RUN:over\036' "$_bc" >&2
printf '\036berth:RUN:over\036'
_bn=0
while :; do
_bh=free
[ /proc/$$/fd/1 -ef /proc/$$/fd/1 ] || _bh=held
for _bx in /proc/[0-9]*/fd/[0-9]*; do
case $_bx in /proc/$$/*|/proc/$PPID/*) continue;; esac
if [ "$_bx" -ef /proc/$$/fd/1 ] || [ "$_bx" -ef /proc/$$/fd/2 ]; then _bh=held; break; fi
done
[ $_bh = held ] && [ $_bn -lt 3 ] || break
_bn=$((_bn+1)); sleep 0.02 || sleep 1
done
printf '\036berth:WORD:%s\036' "$_bh" >&2
(exit "$_bc")
)sh";
    text.replace(":RUN:", ':' + run + ':');
    text.replace(":WORD:", ':' + word + ':');
    return text.replace("SCRIPT", script);
}

ResidentPtr freeResident(const LinkPtr &link, const domain::CommandSpec &command,
                         const QByteArray &script)
{
    if (command.background || command.terminal || command.openInput || !command.tag.isEmpty()
        || script.size() > kLongestText || link->sleep)
        return {};
    while (!link->idle.isEmpty()) {
        const ResidentPtr resident = link->idle.takeLast();
        if (!resident->isGone && !resident->halt.stop_requested())
            return resident;
    }
    return {};
}

void runIn(const LinkPtr &link, const ResidentPtr &resident, const RunPtr &run,
           const QByteArray &script)
{
    run->pid = resident->pid;
    run->isResident = true;
    resident->run = run;
    resident->isFree = false;
    resident->tail.clear();
    resident->word = net::newRunId();
    countCommand(link, +1);
    link->followed.insert(run->id);
    link->scope.spawn(hand(link, resident, run, residentText(script, run->id, resident->word)));
}

void wantResident(const LinkPtr &link)
{
    if (++link->plain < 2 || !link->envd->pace.keepsShells || !link->isOpen || link->sleep
        || link->residents >= kMostResidents || !link->idle.isEmpty()
        || !link->envd->isAtLeast(0, 5, 2))
        return;
    ++link->residents;
    link->scope.spawn(openResident(link));
}

} // namespace berth::e2b
