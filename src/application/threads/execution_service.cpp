// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/threads/execution_service.h"

#include "application/sandboxes/run_command.h"
#include "application/threads/call_arguments.h"
#include "async/sleep.h"
#include "domain/log.h"
#include "domain/text.h"

#include <QtCore/QDir>
#include <QtCore/QElapsedTimer>
#include <QtCore/QFileInfo>
#include <QtCore/QTimer>

#include <algorithm>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::Execution;
using domain::failure;
using domain::Outcome;
using domain::OutcomeKind;
using domain::Result;
using domain::ToolCall;
using domain::ToolCallId;
using domain::ToolCallState;
using std::chrono::milliseconds;

namespace {

//! At most twenty times a second a client hears that output grew.
constexpr int kGrowthIntervalMs = 50;
constexpr milliseconds kLongestWait{30'000};
constexpr milliseconds kEphemeralKept{300'000};
//! How long a stopped command may take to be gone before its end is called unknown.
constexpr milliseconds kStopBound{15'000};

const QString kEphemeralDir = QStringLiteral("exec");

} // namespace

struct ExecutionService::Active
{
    ToolCall call;
    bool ephemeral = false;
    std::unique_ptr<OutputLog> log;
    std::shared_ptr<Execution> execution;
    std::stop_source stop;
    bool stopAsked = false;
    QString preparing;
    double preparingFraction = -1;
    QElapsedTimer lastGrowth;
    bool growthPending = false;
    QList<async::Completion<bool>> waiters;
    async::Completion<bool> ended;

    void wake()
    {
        for (const async::Completion<bool> &waiter : std::exchange(waiters, {}))
            waiter.complete(true);
    }
};

ExecutionService::ExecutionService(SandboxService &sandboxes, domain::BerthStore &store,
                                   domain::LeaseStore &leases, QString outputDir, EventBus &bus)
    : m_sandboxes(sandboxes),
      m_store(store),
      m_leases(leases),
      m_outputDir(std::move(outputDir)),
      m_bus(bus)
{}

ExecutionService::~ExecutionService() = default;

void ExecutionService::start()
{
    // Left by an Engine before this one; nobody can ask for it any more.
    QDir(QDir(m_outputDir).filePath(kEphemeralDir)).removeRecursively();
}

void ExecutionService::stop()
{
    m_scope.requestStop();
    const QList<std::shared_ptr<Active>> all = m_active.values();
    for (const std::shared_ptr<Active> &active : all) {
        active->stopAsked = true;
        active->stop.request_stop();
    }
}

Async<void> ExecutionService::drained()
{
    const QList<std::shared_ptr<Active>> all = m_active.values();
    for (const std::shared_ptr<Active> &active : all)
        co_await active->ended;
    co_await m_scope.drained();
    co_return Result<void>();
}

QString ExecutionService::pathOf(const ToolCall &call) const
{
    return QDir(m_outputDir).filePath(call.outputRef);
}

QString ExecutionService::outputRefOf(const ToolCall &call)
{
    return call.thread.toString() + QLatin1Char('/') + call.id.toString();
}

qint64 ExecutionService::storedOutput(const ToolCall &call) const
{
    return call.outputRef.isEmpty() ? 0 : OutputLog::sizeOf(pathOf(call));
}

Async<void> ExecutionService::persist(ToolCall call, bool ephemeral)
{
    if (ephemeral)
        co_return Result<void>();
    const Result<void> stored = co_await m_store.updateToolCall(call);
    if (!stored)
        domain::log(domain::LogLevel::Error, "execution", stored.error().message);
    co_return stored;
}

void ExecutionService::announce(const ToolCall &call, bool ephemeral)
{
    auto active = std::make_shared<Active>();
    active->call = call;
    active->ephemeral = ephemeral;
    m_active.insert(call.id, active);
}

Async<ToolCall> ExecutionService::run(ExecutionRequest request)
{
    if (!m_active.contains(request.call.id))
        announce(request.call, request.ephemeral);
    const std::shared_ptr<Active> active = m_active.value(request.call.id);
    if (request.ephemeral)
        active->call.outputRef = kEphemeralDir + QLatin1Char('/') + request.call.id.toString();
    active->call.decision = request.call.decision;
    active->call.state = ToolCallState::Preparing;
    active->call.startedAt = domain::nowUtc();
    publish(*active);

    QElapsedTimer timer;
    timer.start();
    const Result<Outcome> ended = co_await execute(active, request);
    Outcome outcome;
    if (ended) {
        outcome = *ended;
    } else {
        const bool cancelled = ended.error().kind == ErrorKind::Cancelled || active->stopAsked;
        outcome.kind = cancelled ? OutcomeKind::Cancelled : OutcomeKind::NotStarted;
        outcome.detail = ended.error().detail.isEmpty()
            ? ended.error().message
            : ended.error().message + QStringLiteral(". ") + ended.error().detail;
    }
    if (outcome.duration.count() == 0)
        outcome.duration = milliseconds(timer.elapsed());
    if (active->log) {
        active->call.outputBytes = active->log->size();
        if (active->log->lostBytes() > 0) {
            outcome.detail += (outcome.detail.isEmpty() ? QString() : QStringLiteral("; "))
                + QStringLiteral("%1 bytes of output could not be stored: %2")
                      .arg(active->log->lostBytes())
                      .arg(active->log->lossReason());
        }
        active->log.reset();
    }
    active->call.state = ToolCallState::Done;
    active->call.outcome = outcome;
    active->call.endedAt = domain::nowUtc();
    const Result<void> stored = co_await persist(active->call, request.ephemeral);
    Q_UNUSED(stored)
    active->execution.reset();
    active->preparing.clear();
    m_bus.publish(OutputGrew{active->call.id, active->call.outputBytes});
    publish(*active);
    if (request.ephemeral) {
        m_ended.insert(active->call.id, active->call);
        m_scope.spawn(forgetLater(active->call.id, pathOf(active->call)));
    }
    m_active.remove(active->call.id);
    active->wake();
    active->ended.complete(true);
    // A copy: QCoro moves from a value that is not const.
    const ToolCall result = active->call;
    co_return result;
}

async::Task<void> ExecutionService::forgetLater(ToolCallId id, QString path)
{
    co_await async::sleepFor(kEphemeralKept, m_scope.token());
    m_ended.remove(id);
    OutputLog::remove(path);
}

Async<Outcome> ExecutionService::execute(std::shared_ptr<Active> active, ExecutionRequest request)
{
    const std::stop_token stop = active->stop.get_token();
    if (!request.refusal.isEmpty())
        co_return failure(ErrorKind::Forbidden, request.refusal);
    QDir().mkpath(QFileInfo(pathOf(active->call)).path());
    Result<std::unique_ptr<OutputLog>> log = OutputLog::create(pathOf(active->call));
    if (!log)
        co_return failure(log.error());
    active->log = std::move(*log);

    const Result<LeaseController *> lease = co_await m_sandboxes.leaseFor(request.sandbox);
    if (!lease)
        co_return failure(lease.error());
    LeaseController *controller = *lease;
    // Counts from here on, so that no policy stops the sandbox between its being ready and the
    // command's start.
    struct Work
    {
        explicit Work(LeaseController *of) : controller(of) { controller->commandStarted(); }
        Work(const Work &) = delete;
        Work &operator=(const Work &) = delete;
        ~Work() { controller->commandEnded(); }
        LeaseController *controller;
    };
    const Work work(controller);
    // Named: GCC 12 destroys a lambda twice that is a temporary of a co_await expression.
    const domain::ProgressSink tell = [this, active](const domain::Progress &progress) {
        active->preparing = progress.what;
        active->preparingFraction = progress.fraction;
        publish(*active);
    };
    const Result<ReadySandbox> ready =
        co_await controller->ensure(request.source, OnGone::Tell, tell, stop);
    if (!ready)
        co_return failure(ready.error());

    Result<domain::Terminal> terminal = co_await terminalFor(request.call.thread, controller);
    if (!terminal)
        co_return failure(terminal.error());
    if (ready->fresh) {
        terminal->cwd.clear();
        terminal->environmentDelta.clear();
    }
    domain::CommandSpec command = request.command;
    if (command.cwd.isEmpty())
        command.cwd = terminal->cwd.isEmpty() ? ready->connection->homeDirectory() : terminal->cwd;
    command.environment = terminal->environmentDelta + command.environment;

    const Result<std::shared_ptr<Execution>> started = co_await launch(*ready, command, active);
    if (!started)
        co_return failure(started.error());
    active->execution = *started;
    active->call.state = ToolCallState::Running;
    active->call.startedAt = domain::nowUtc();
    active->preparing.clear();

    const async::Completion<Outcome> finished = endOf(*active->execution, this);
    connect(active->execution.get(), &Execution::output, this,
            [this, active](domain::OutputStream stream, const QByteArray &bytes) {
                active->log->append(stream, bytes);
                if (active->execution)
                    active->execution->acknowledge(stream, bytes.size());
                grew(active);
            });
    publish(*active);
    const Result<void> running = co_await persist(active->call, request.ephemeral);
    Q_UNUSED(running)

    std::stop_source bound;
    struct Stopper
    {
        static async::Task<void> bounded(async::Completion<Outcome> finished, std::stop_token stop)
        {
            const bool elapsed = co_await async::sleepFor(kStopBound, stop);
            if (!elapsed)
                co_return;
            Outcome unknown;
            unknown.kind = OutcomeKind::TransportLost;
            unknown.detail = QStringLiteral("The sandbox did not answer the stop; whether the "
                                            "command still runs there is not known");
            finished.complete(unknown);
        }
    };
    const std::stop_callback onStop(stop, [active, finished, token = bound.get_token()] {
        active->execution->stop();
        Stopper::bounded(finished, token);
    });
    Outcome outcome = co_await finished;
    bound.request_stop();
    active->execution->disconnect(this);
    if (!request.call.thread.isNull() && command.trackState) {
        const Result<void> saved = co_await saveTerminal(*terminal, outcome, ready->baseline);
        if (!saved)
            domain::log(domain::LogLevel::Error, "execution", saved.error().message);
        if (outcome.kind == OutcomeKind::Exited && !outcome.environment && outcome.detail.isEmpty())
            outcome.detail = QStringLiteral("Exported variables were not tracked for this command");
    }
    co_return outcome;
}

Async<std::shared_ptr<Execution>> ExecutionService::launch(ReadySandbox ready,
                                                           domain::CommandSpec command,
                                                           std::shared_ptr<Active> active)
{
    const std::stop_token stop = active->stop.get_token();
    active->call.cwd = command.cwd;
    Result<std::shared_ptr<Execution>> started =
        co_await ready.connection->shell().start(command, stop);
    if (started || started.error().kind == ErrorKind::Cancelled)
        co_return started;
    // It surely did not start. A working directory that was removed meanwhile must not lock the
    // thread out.
    const QByteArray home = ready.connection->homeDirectory();
    if (command.cwd.isEmpty() || command.cwd == home)
        co_return started;
    const Result<domain::FileEntry> there = co_await ready.connection->fs().stat(command.cwd, stop);
    if (there || there.error().kind != ErrorKind::NotFound)
        co_return started;
    command.cwd = home;
    active->call.cwd = home;
    started = co_await ready.connection->shell().start(command, stop);
    co_return started;
}

Async<domain::Terminal> ExecutionService::terminalFor(domain::ThreadId thread,
                                                      const LeaseController *controller)
{
    domain::Terminal terminal;
    if (!thread.isNull()) {
        const Result<std::optional<domain::Terminal>> known = co_await m_leases.terminal(thread);
        if (!known)
            co_return failure(known.error());
        if (*known)
            co_return **known;
        terminal.id = domain::TerminalId::create();
        terminal.thread = thread;
        terminal.lease = controller->lease().id;
    }
    co_return terminal;
}

Async<void> ExecutionService::saveTerminal(domain::Terminal terminal, Outcome outcome,
                                           domain::Environment baseline)
{
    if (!outcome.cwd && !outcome.environment)
        co_return Result<void>();
    if (outcome.cwd && !outcome.cwd->isEmpty())
        terminal.cwd = *outcome.cwd;
    if (outcome.environment) {
        terminal.environmentDelta.clear();
        for (const auto &variable : std::as_const(*outcome.environment)) {
            if (!baseline.contains(variable))
                terminal.environmentDelta << variable;
        }
    }
    ++terminal.stateVersion;
    const Result<void> stored = co_await m_leases.saveTerminal(terminal);
    co_return stored;
}

void ExecutionService::publish(const Active &active)
{
    ToolCallView view = viewOf(active.call);
    m_bus.publish(ToolCallChanged{view});
}

void ExecutionService::grew(const std::shared_ptr<Active> &active)
{
    active->wake();
    if (active->growthPending)
        return;
    const auto tell = [this, active] {
        active->growthPending = false;
        active->lastGrowth.restart();
        if (active->log)
            m_bus.publish(OutputGrew{active->call.id, active->log->size()});
    };
    const qint64 since =
        active->lastGrowth.isValid() ? active->lastGrowth.elapsed() : kGrowthIntervalMs;
    active->growthPending = true;
    QTimer::singleShot(static_cast<int>(std::max<qint64>(0, kGrowthIntervalMs - since)), this,
                       tell);
}

ToolCallView ExecutionService::viewOf(const ToolCall &stored) const
{
    const std::shared_ptr<Active> active = m_active.value(stored.id);
    const ToolCall &call = active ? active->call : stored;
    ToolCallView view;
    view.id = call.id;
    view.run = call.run;
    view.thread = call.thread;
    view.seq = call.seq;
    view.tool = call.tool;
    view.command = titleOfCall(call.tool, call.arguments);
    view.byUser = call.origin == domain::ToolCallOrigin::User;
    view.state = call.state;
    if (active) {
        view.preparing = active->preparing;
        view.preparingFraction = active->preparingFraction;
    }
    view.outputBytes = active && active->log ? active->log->size() : call.outputBytes;
    view.cwd = domain::displayName(call.cwd);
    view.startedAt = call.startedAt;
    view.endedAt = call.endedAt;
    // What a shell said is read as output.
    if (call.tool != QLatin1String("shell"))
        view.result = call.result;
    view.diff = call.diff;
    view.decision = call.decision;
    if (call.outcome) {
        view.outcome = call.outcome->kind;
        view.exitCode = domain::exitCodeOf(*call.outcome);
        view.outcomeDetail = call.outcome->detail;
        if (call.outcome->kind == OutcomeKind::Signalled && view.outcomeDetail.isEmpty())
            view.outcomeDetail = domain::signalName(call.outcome->code);
        view.durationMs = call.outcome->duration.count();
        view.peakMemoryBytes = call.outcome->peakMemoryBytes;
        if (call.outcome->cpuTime)
            view.cpuTimeMs = call.outcome->cpuTime->count() / 1000;
        // The variables themselves are not kept with the call; their loss is told in the detail.
        view.stateTracked =
            call.outcome->kind != OutcomeKind::Exited || call.outcome->cwd.has_value();
    }
    return view;
}

Async<ToolCallView> ExecutionService::view(ToolCallId id)
{
    if (const std::shared_ptr<Active> active = m_active.value(id))
        co_return viewOf(active->call);
    if (m_ended.contains(id))
        co_return viewOf(m_ended.value(id));
    const Result<ToolCall> call = co_await m_store.toolCall(id);
    if (!call)
        co_return failure(call.error());
    co_return viewOf(*call);
}

Async<ToolCallView> ExecutionService::stopCall(ToolCallId id, std::stop_token)
{
    if (const std::shared_ptr<Active> active = m_active.value(id)) {
        active->stopAsked = true;
        active->stop.request_stop();
        co_await active->ended;
    }
    const Result<ToolCallView> ended = co_await view(id);
    co_return ended;
}

std::stop_token ExecutionService::stopOf(const ToolCallId &id) const
{
    const std::shared_ptr<Active> active = m_active.value(id);
    return active ? active->stop.get_token() : std::stop_token();
}

void ExecutionService::requestStop(const ToolCallId &id)
{
    const std::shared_ptr<Active> active = m_active.value(id);
    if (!active)
        return;
    active->stopAsked = true;
    active->stop.request_stop();
}

Async<OutputChunk> ExecutionService::readOutput(ReadOutput request, std::stop_token stop)
{
    std::shared_ptr<Active> active = m_active.value(request.toolCall);
    if (active && request.waitMs > 0 && request.offset >= 0
        && (!active->log || active->log->size() <= request.offset)) {
        const async::Completion<bool> news;
        active->waiters << news;
        struct Limit
        {
            static async::Task<void> run(async::Completion<bool> news, milliseconds bound,
                                         std::stop_token stop)
            {
                const bool elapsed = co_await async::sleepFor(bound, stop);
                Q_UNUSED(elapsed)
                news.complete(false);
            }
        };
        std::stop_source limit;
        const std::stop_callback onStop(stop, [&limit] { limit.request_stop(); });
        Limit::run(news, std::min(milliseconds(request.waitMs), kLongestWait), limit.get_token());
        const bool grown = co_await news;
        Q_UNUSED(grown)
        limit.request_stop();
        active = m_active.value(request.toolCall);
    }
    ToolCall call;
    if (active) {
        call = active->call;
    } else if (m_ended.contains(request.toolCall)) {
        call = m_ended.value(request.toolCall);
    } else {
        const Result<ToolCall> stored = co_await m_store.toolCall(request.toolCall);
        if (!stored)
            co_return failure(stored.error());
        call = *stored;
    }
    OutputChunk chunk;
    chunk.offset = request.offset;
    // One that still waits for its turn has written nothing.
    if (!call.outputRef.isEmpty() && (!active || active->log)) {
        Result<OutputChunk> read = OutputLog::read(pathOf(call), request.offset, request.limit);
        if (!read)
            co_return failure(read.error());
        chunk = std::move(*read);
    }
    chunk.toolCall = request.toolCall;
    chunk.complete = !active;
    co_return chunk;
}

} // namespace berth::application
