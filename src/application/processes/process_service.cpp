// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/processes/process_service.h"

#include "application/processes/known_process.h"
#include "async/sleep.h"
#include "domain/log.h"
#include "domain/text.h"

#include <QtCore/QDir>

#include <algorithm>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::OutcomeKind;
using domain::ProcessRecord;
using domain::ProcessStage;
using domain::Result;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kLongestWait{30'000};
//! How long a stopped process may take to be gone.
constexpr milliseconds kStopBound{15'000};
//! How long the first look at what still runs waits: a one-shot client that asks for something else
//! is gone by then.
constexpr milliseconds kFirstLook{1000};
constexpr int kMostCells = 1000;
constexpr qsizetype kLongestTitle = 200;

const QString kFolder = QStringLiteral("processes");

//! The user's shell; images say it by SHELL or not at all.
const QByteArray kOwnShell =
    QByteArrayLiteral("if [ -n \"$SHELL\" ] && [ -x \"$SHELL\" ]; then exec \"$SHELL\"; fi; "
                      "command -v bash >/dev/null 2>&1 && exec bash; exec sh");

Result<void> checked(const StartProcess &request)
{
    const bool terminal = request.columns != 0 || request.rows != 0;
    if (!request.argv.isEmpty() && !request.shellText.isEmpty())
        return failure(ErrorKind::InvalidInput, QStringLiteral("Name one command to run"));
    if (!terminal && request.argv.isEmpty() && request.shellText.isEmpty())
        return failure(ErrorKind::InvalidInput, QStringLiteral("Name a command to run"));
    if (terminal
        && (request.columns < 1 || request.rows < 1 || request.columns > kMostCells
            || request.rows > kMostCells)) {
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("A terminal has 1 to %1 columns and rows").arg(kMostCells));
    }
    return {};
}

domain::CommandSpec specOf(const StartProcess &request)
{
    domain::CommandSpec spec;
    for (const QString &argument : request.argv)
        spec.argv << argument.toUtf8();
    spec.shellText = request.shellText.toUtf8();
    spec.background = true;
    if (request.columns > 0) {
        spec.terminal = domain::TerminalSize{request.columns, request.rows};
        if (spec.argv.isEmpty() && spec.shellText.isEmpty())
            spec.shellText = kOwnShell;
    }
    return spec;
}

//! Asked to start, the sandbox may have done so without our hearing of it.
bool mayHaveStarted(const domain::Error &error)
{
    return error.kind == ErrorKind::Timeout || error.kind == ErrorKind::Unavailable
        || error.kind == ErrorKind::Protocol;
}

async::Task<void> limit(async::Completion<bool> news, milliseconds bound, std::stop_token stop)
{
    const bool elapsed = co_await async::sleepFor(bound, stop);
    Q_UNUSED(elapsed)
    news.complete(false);
}

} // namespace

ProcessService::ProcessService(domain::ProcessStore &store, domain::LeaseStore &leases,
                               ProviderService &providers, SandboxService &sandboxes,
                               ThreadService &threads, QString outputDir, EventBus &bus)
    : m_store(store),
      m_leases(leases),
      m_providers(providers),
      m_sandboxes(sandboxes),
      m_threads(threads),
      m_outputDir(std::move(outputDir)),
      m_bus(bus)
{}

ProcessService::~ProcessService() = default;

Async<void> ProcessService::start()
{
    const Result<QList<ProcessRecord>> records = co_await m_store.processes();
    if (!records)
        co_return failure(records.error());
    QList<domain::LeaseId> running;
    for (const ProcessRecord &record : *records) {
        auto known = std::make_shared<Known>();
        known->record = record;
        m_known[record.id.toString()] = known;
        if (known->hasEnded()) {
            known->ended.complete(true);
            continue;
        }
        const std::optional<domain::Capabilities> capabilities = capabilitiesOf(record.lease);
        domain::Outcome outcome;
        outcome.kind = OutcomeKind::Interrupted;
        if (capabilities && !capabilities->has(domain::Capability::ProcessesSurviveRestart)) {
            outcome.detail =
                QStringLiteral("Ended when Berth ended: %1")
                    .arg(capabilities->reasonAgainst(domain::Capability::ProcessesSurviveRestart));
            conclude(known, outcome);
        } else if (const std::optional<domain::Outcome> sure = sureEnd(*known)) {
            conclude(known, *sure);
        } else if (!running.contains(record.lease)) {
            running << record.lease;
        }
    }
    connect(&m_sandboxes, &SandboxService::leaseChanged, this, &ProcessService::onLease);
    connect(&m_sandboxes, &SandboxService::connectionOpened, this, &ProcessService::onConnected);
    for (const domain::LeaseId &lease : std::as_const(running))
        lookSoon(lease, kFirstLook);
    co_return Result<void>();
}

void ProcessService::stop()
{
    m_stopping = true;
    m_scope.requestStop();
    // A copy: what ends may push older ones off the list.
    const std::map<QString, Shared> all = m_known;
    for (const auto &[id, known] : all) {
        if (known->hasEnded())
            continue;
        known->stop.request_stop();
        if (!known->execution)
            continue;
        const std::optional<domain::Capabilities> capabilities =
            capabilitiesOf(known->record.lease);
        if (capabilities && !capabilities->has(domain::Capability::ProcessesSurviveRestart)) {
            domain::Outcome outcome;
            outcome.kind = OutcomeKind::Interrupted;
            outcome.detail =
                QStringLiteral("Ended when Berth ended: %1")
                    .arg(capabilities->reasonAgainst(domain::Capability::ProcessesSurviveRestart));
            conclude(known, outcome);
        } else {
            letGo(known, QStringLiteral("Berth is ending"));
        }
    }
}

Async<void> ProcessService::drained()
{
    co_await m_scope.drained();
    co_await m_saving.drained();
    co_return Result<void>();
}

bool ProcessService::holdsEngine() const
{
    return std::any_of(m_known.begin(), m_known.end(), [this](const auto &entry) {
        const Known &known = *entry.second;
        if (known.hasEnded() || (!known.execution && !known.starting))
            return false;
        const std::optional<domain::Capabilities> capabilities = capabilitiesOf(known.record.lease);
        return known.starting
            || (capabilities && !capabilities->has(domain::Capability::ProcessesSurviveRestart));
    });
}

Result<ProcessService::Shared> ProcessService::find(const domain::ProcessId &id) const
{
    const auto found = m_known.find(id.toString());
    if (found == m_known.end())
        return failure(ErrorKind::NotFound,
                       QStringLiteral("There is no process \"%1\"").arg(id.toString()));
    return found->second;
}

// ---- Start
// -----------------------------------------------------------------------------------------------------

Async<ProcessView> ProcessService::beginAdmitted(StartProcess request, QString source,
                                                 std::stop_token stop)
{
    if (const Result<void> fits = checked(request); !fits)
        co_return failure(fits.error());
    const Result<domain::Thread> target = m_threads.targetOf(request.target);
    if (!target)
        co_return failure(target.error());
    const Result<LeaseController *> controller = co_await m_sandboxes.leaseFor(target->sandbox);
    if (!controller)
        co_return failure(controller.error());
    const domain::LeaseId lease = (*controller)->lease().id;
    const auto live = std::count_if(m_known.begin(), m_known.end(), [&lease](const auto &entry) {
        return entry.second->record.lease == lease && !entry.second->hasEnded();
    });
    if (live >= kMostInSandbox) {
        co_return failure(ErrorKind::Quota,
                          QStringLiteral("This sandbox already has %1 background commands and "
                                         "terminals")
                              .arg(live),
                          QStringLiteral("Stop one of them first."));
    }
    const domain::CommandSpec spec = specOf(request);
    auto known = std::make_shared<Known>();
    ProcessRecord &record = known->record;
    record.id = domain::ProcessId::create();
    record.lease = lease;
    record.thread = target->id;
    record.terminal = spec.terminal;
    record.command = lineOf(request.argv, request.shellText);
    record.title = request.title.trimmed().left(kLongestTitle);
    record.outputRef = kFolder + QLatin1Char('/') + record.id.toString();
    record.startedAt = domain::nowUtc();
    known->starting = true;
    m_known[record.id.toString()] = known;
    publish(known);
    const Result<void> launched = co_await launch(known, spec, source, stop);
    known->starting = false;
    if (!launched) {
        if (known->stopAsked || (mayHaveStarted(launched.error()) && !record.instance.isNull())) {
            if (known->stopAsked) {
                domain::Outcome outcome;
                outcome.kind = OutcomeKind::Cancelled;
                outcome.detail = launched.error().message;
                conclude(known, outcome);
            } else {
                letGo(known,
                      QStringLiteral("Whether it began is not known: ") + launched.error().message);
                lookSoon(lease, milliseconds(300));
            }
        } else {
            // Nothing was begun; who asked for it gets the reason.
            count(*known, false);
            forget(known);
        }
        co_return failure(launched.error());
    }
    co_return viewOf(*known);
}

Async<void> ProcessService::launch(Shared known, domain::CommandSpec command, QString source,
                                   std::stop_token stop)
{
    const std::stop_callback onStop(stop, [known] { known->stop.request_stop(); });
    const std::stop_token mine = known->stop.get_token();
    ProcessRecord &record = known->record;
    // The intent comes first: whatever happens from here on, the sandbox is asked for it by its
    // tag.
    const Result<void> intended = co_await m_store.saveProcess(record);
    if (!intended)
        co_return failure(intended.error());
    LeaseController *controller = m_sandboxes.controllerOf(record.lease);
    if (!controller)
        co_return failure(ErrorKind::NotFound,
                          QStringLiteral("The sandbox does not exist any more"));
    count(*known, true);
    // Named: GCC 12 destroys a lambda twice that is a temporary of a co_await expression.
    const domain::ProgressSink tell = [this, known](const domain::Progress &progress) {
        known->preparing = progress.what;
        publish(known);
    };
    const Result<ReadySandbox> ready =
        co_await controller->ensure(source, OnGone::Tell, tell, mine);
    if (!ready)
        co_return failure(ready.error());
    const std::optional<domain::Capabilities> capabilities = capabilitiesOf(record.lease);
    if (record.terminal && capabilities && !capabilities->has(domain::Capability::Terminal)) {
        co_return failure(ErrorKind::Unsupported,
                          QStringLiteral("There are no terminals in this sandbox"),
                          capabilities->reasonAgainst(domain::Capability::Terminal));
    }
    domain::Terminal terminal;
    if (!record.thread.isNull() && !ready->fresh) {
        const Result<std::optional<domain::Terminal>> stored =
            co_await m_leases.terminal(record.thread);
        if (!stored)
            co_return failure(stored.error());
        terminal = stored->value_or(domain::Terminal{});
    }
    command.cwd = terminal.cwd.isEmpty() ? ready->connection->homeDirectory() : terminal.cwd;
    command.environment = terminal.environmentDelta;
    if (command.terminal) {
        command.environment << std::pair(QByteArrayLiteral("TERM"),
                                         QByteArrayLiteral("xterm-256color"))
                            << std::pair(QByteArrayLiteral("COLORTERM"),
                                         QByteArrayLiteral("truecolor"));
    }
    command.tag = tagOf(record.id);
    Result<std::unique_ptr<ProcessLog>> log =
        ProcessLog::open(pathOf(record), record.terminal ? kTerminalLog : kBackgroundLog);
    if (!log)
        co_return failure(log.error());
    record.instance = ready->instance;
    record.cwd = command.cwd;
    const Result<void> noted = co_await m_store.saveProcess(record);
    if (!noted)
        co_return failure(noted.error());
    const Result<std::shared_ptr<domain::Execution>> started =
        co_await startIn(*ready, known, command, mine);
    if (!started) {
        if (!mayHaveStarted(started.error()))
            record.instance = {};
        co_return failure(started.error());
    }
    known->log = std::move(*log);
    record.stage = ProcessStage::Running;
    record.startedAt = domain::nowUtc();
    known->starting = false;
    known->preparing.clear();
    follow(known, *started);
    save(known);
    publish(known);
    if (known->stopAsked)
        known->execution->stop();
    co_return Result<void>();
}

//! As for a thread's commands: a working directory that was removed meanwhile must not lock the
//! user out.
Async<std::shared_ptr<domain::Execution>> ProcessService::startIn(ReadySandbox ready, Shared known,
                                                                  domain::CommandSpec command,
                                                                  std::stop_token stop)
{
    Result<std::shared_ptr<domain::Execution>> started =
        co_await ready.connection->shell().start(command, stop);
    if (started || started.error().kind == ErrorKind::Cancelled)
        co_return started;
    const QByteArray home = ready.connection->homeDirectory();
    if (command.cwd == home)
        co_return started;
    const Result<domain::FileEntry> there = co_await ready.connection->fs().stat(command.cwd, stop);
    if (there || there.error().kind != ErrorKind::NotFound)
        co_return started;
    command.cwd = home;
    known->record.cwd = home;
    started = co_await ready.connection->shell().start(command, stop);
    co_return started;
}

// ---- The other commands
// -----------------------------------------------------------------------------------------------------

Async<ProcessList> ProcessService::list(ListProcesses request, std::stop_token stop)
{
    std::optional<domain::Thread> target;
    if (!request.target.isEmpty()) {
        const Result<domain::Thread> found = m_threads.targetOf(request.target);
        if (!found)
            co_return failure(found.error());
        target = *found;
    }
    const auto isMeant = [this, &target](const ProcessRecord &record) {
        if (!target)
            return true;
        if (!target->id.isNull())
            return record.thread == target->id;
        const LeaseController *controller = m_sandboxes.controllerOf(record.lease);
        return controller && controller->lease().sandbox == target->sandbox;
    };
    QList<domain::LeaseId> leases;
    for (const auto &[id, known] : m_known) {
        if (isMeant(known->record) && !known->hasEnded() && !known->execution && !known->starting
            && isRunning(known->record.lease) && !leases.contains(known->record.lease))
            leases << known->record.lease;
    }
    for (const domain::LeaseId &lease : std::as_const(leases))
        co_await lookBounded(lease, stop);
    ProcessList result;
    for (const auto &[id, known] : m_known) {
        if (isMeant(known->record))
            result.processes << viewOf(*known);
    }
    std::sort(result.processes.begin(), result.processes.end(),
              [](const ProcessView &a, const ProcessView &b) {
                  return std::tie(a.startedAt, a.id) < std::tie(b.startedAt, b.id);
              });
    co_return result;
}

//! Followed, and not standing still; else why it cannot be reached.
Async<void> ProcessService::becomeReachable(Shared known, std::stop_token stop)
{
    if (!known->execution && isRunning(known->record.lease)) {
        const Result<void> looked = co_await look(known->record.lease, stop);
        if (!looked)
            co_return failure(looked.error());
    }
    if (known->hasEnded())
        co_return failure(ErrorKind::Conflict, QStringLiteral("It has ended"));
    const ProcessView view = viewOf(*known);
    if (view.state != ProcessState::Running) {
        co_return failure(isRunning(known->record.lease) ? ErrorKind::Unavailable
                                                         : ErrorKind::Conflict,
                          QStringLiteral("The process cannot be reached now"), view.detail);
    }
    co_return Result<void>();
}

Async<ProcessView> ProcessService::end(domain::ProcessId id, std::stop_token stop)
{
    const Result<Shared> found = find(id);
    if (!found)
        co_return failure(found.error());
    const Shared known = *found;
    if (!known->hasEnded()) {
        if (known->starting) {
            known->stopAsked = true;
            known->stop.request_stop();
        } else {
            const Result<void> reachable = co_await becomeReachable(known, stop);
            if (!reachable && !known->hasEnded())
                co_return failure(reachable.error());
            if (!known->hasEnded()) {
                known->stopAsked = true;
                known->execution->stop();
            }
        }
    }
    if (!known->hasEnded()) {
        const async::Completion<bool> gone;
        struct Forward
        {
            static async::Task<void> run(async::Completion<bool> from, async::Completion<bool> to)
            {
                const bool value = co_await from;
                to.complete(value);
            }
        };
        Forward::run(known->ended, gone);
        std::stop_source bound;
        limit(gone, kStopBound, bound.get_token());
        const bool ended = co_await gone;
        bound.request_stop();
        if (!ended) {
            co_return failure(ErrorKind::Timeout,
                              QStringLiteral("The sandbox did not answer the stop"),
                              QStringLiteral("Whether the process still runs there is not known."));
        }
    }
    co_return viewOf(*known);
}

Async<Nothing> ProcessService::write(WriteProcess request, std::stop_token stop)
{
    const Result<Shared> found = find(request.process);
    if (!found)
        co_return failure(found.error());
    const Shared known = *found;
    if (!known->record.terminal)
        co_return failure(ErrorKind::InvalidInput, QStringLiteral("Only a terminal takes input"));
    if (request.bytes.isEmpty())
        co_return Nothing{};
    // Without a wait where it is followed: keys stay in their order.
    if (!known->execution || !isRunning(known->record.lease)) {
        const Result<void> reachable = co_await becomeReachable(known, stop);
        if (!reachable)
            co_return failure(reachable.error());
    }
    if (known->inputGiven - known->inputTaken + request.bytes.size() > kMostInput) {
        co_return failure(ErrorKind::RateLimited,
                          QStringLiteral("The program in the terminal does not take its input"));
    }
    known->inputGiven += request.bytes.size();
    const Known::Writer writer{known->inputGiven, {}};
    known->writers << writer;
    if (LeaseController *controller = m_sandboxes.controllerOf(known->record.lease))
        controller->touch();
    known->execution->writeInput(request.bytes);
    const std::stop_callback onStop(stop, [writer] { writer.taken.complete(false); });
    const bool taken = co_await writer.taken;
    if (!taken && stop.stop_requested())
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Stopped"));
    if (!taken) {
        co_return failure(known->hasEnded() ? ErrorKind::Conflict : ErrorKind::Unavailable,
                          QStringLiteral("The input was not taken"),
                          known->hasEnded() ? QStringLiteral("It has ended") : known->reason);
    }
    co_return Nothing{};
}

Async<Nothing> ProcessService::resize(ResizeProcess request)
{
    const Result<Shared> found = find(request.process);
    if (!found)
        co_return failure(found.error());
    const Shared known = *found;
    if (!known->record.terminal)
        co_return failure(ErrorKind::InvalidInput, QStringLiteral("Only a terminal has a size"));
    if (request.columns < 1 || request.rows < 1 || request.columns > kMostCells
        || request.rows > kMostCells) {
        co_return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("A terminal has 1 to %1 columns and rows").arg(kMostCells));
    }
    const domain::TerminalSize size{request.columns, request.rows};
    if (known->hasEnded() || known->record.terminal == size)
        co_return Nothing{};
    // While it is not followed, the size waits for the next connection.
    known->record.terminal = size;
    if (known->execution)
        known->execution->resize(size.columns, size.rows);
    save(known);
    publish(known);
    co_return Nothing{};
}

Async<OutputChunk> ProcessService::read(ReadProcess request, std::stop_token stop)
{
    const Result<Shared> found = find(request.process);
    if (!found)
        co_return failure(found.error());
    const Shared known = *found;
    if (!known->hasEnded() && !known->execution && !known->starting
        && isRunning(known->record.lease))
        co_await lookBounded(known->record.lease, stop);
    const qint64 size = known->log ? known->log->size() : known->record.outputBytes;
    if (!known->hasEnded() && request.waitMs > 0 && request.offset >= 0 && size <= request.offset) {
        const async::Completion<bool> news;
        known->readers << news;
        std::stop_source bound;
        const std::stop_callback onStop(stop, [&bound] { bound.request_stop(); });
        limit(news, std::min(milliseconds(request.waitMs), kLongestWait), bound.get_token());
        const bool grown = co_await news;
        Q_UNUSED(grown)
        bound.request_stop();
        known->readers.removeIf(
            [](const async::Completion<bool> &reader) { return reader.isComplete(); });
    }
    OutputChunk chunk;
    const bool ended = known->hasEnded();
    Result<OutputChunk> read =
        ProcessLog::read(pathOf(known->record), request.offset, request.limit);
    if (read)
        chunk = std::move(*read);
    else if (read.error().kind != ErrorKind::NotFound || known->record.outputBytes > 0)
        co_return failure(read.error());
    chunk.complete = ended;
    co_return chunk;
}

Async<Nothing> ProcessService::remove(domain::ProcessId id)
{
    const Result<Shared> found = find(id);
    if (!found)
        co_return failure(found.error());
    if (!(*found)->hasEnded()) {
        co_return failure(ErrorKind::Conflict, QStringLiteral("The process has not ended"),
                          QStringLiteral("Stop it first."));
    }
    forget(*found);
    co_return Nothing{};
}

} // namespace berth::application
