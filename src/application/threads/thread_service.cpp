// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/threads/thread_service.h"

#include "application/threads/call_arguments.h"
#include "application/threads/message_checks.h"
#include "application/threads/thread_views.h"
#include "domain/agent/default_agent.h"
#include "domain/log.h"
#include "domain/text.h"

#include <algorithm>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::ObservedState;
using domain::Result;
using domain::Thread;
using domain::ThreadId;

namespace {

constexpr qsizetype kLongestMessage = 1024 * 1024;
constexpr qsizetype kTitleLength = 80;

domain::RunState stateAfter(domain::OutcomeKind kind)
{
    switch (kind) {
    case domain::OutcomeKind::Exited:
    case domain::OutcomeKind::Signalled:
    case domain::OutcomeKind::TimedOut:
        return domain::RunState::Done;
    case domain::OutcomeKind::Cancelled:
        return domain::RunState::Cancelled;
    case domain::OutcomeKind::Interrupted:
        return domain::RunState::Interrupted;
    case domain::OutcomeKind::TransportLost:
    case domain::OutcomeKind::NotStarted:
        break;
    }
    return domain::RunState::Failed;
}

} // namespace

QString ThreadService::titleFrom(const QString &text)
{
    QString title = text.trimmed().section(QLatin1Char('\n'), 0, 0).trimmed();
    if (title.startsWith(QLatin1Char('!')))
        title = title.mid(1).trimmed();
    if (title.size() > kTitleLength)
        title = title.left(kTitleLength - 1) + QChar(0x2026);
    return title;
}

ThreadService::ThreadService(domain::BerthStore &store, domain::LeaseStore &leases,
                             ProviderService &providers, SandboxService &sandboxes,
                             ExecutionService &executions, EventBus &bus)
    : m_store(store),
      m_leases(leases),
      m_providers(providers),
      m_sandboxes(sandboxes),
      m_executions(executions),
      m_bus(bus)
{
    connect(&sandboxes, &SandboxService::leaseChanged, this, &ThreadService::publishThreadsOf);
    connect(&sandboxes, &SandboxService::instanceMade, this,
            [this](const domain::SandboxId &sandbox, bool fresh) {
                if (fresh)
                    m_scope.spawn(startOver(sandbox));
            });
}

ThreadService::~ThreadService() = default;

Async<void> ThreadService::start()
{
    const Result<QList<domain::ToolCall>> interrupted = co_await m_store.interruptUnfinished();
    if (!interrupted)
        co_return failure(interrupted.error());
    for (domain::ToolCall call : *interrupted) {
        call.outputBytes = m_executions.storedOutput(call);
        const Result<void> stored = co_await m_store.updateToolCall(call);
        if (!stored)
            co_return failure(stored.error());
    }
    const Result<QList<Thread>> threads = co_await m_store.threads(false);
    if (!threads)
        co_return failure(threads.error());
    for (const Thread &thread : *threads)
        m_threads[thread.id.toString()] = thread;
    for (const auto &[id, thread] : m_threads) {
        if (!thread.sandbox.isNull())
            tellSandbox(thread.sandbox);
    }
    co_return Result<void>();
}

void ThreadService::stop()
{
    m_scope.requestStop();
}

Async<void> ThreadService::drained()
{
    co_await m_scope.drained();
    co_return Result<void>();
}

// ---- Views
// -----------------------------------------------------------------------------------------------------

ThreadView ThreadService::viewOf(const Thread &thread) const
{
    ThreadView view;
    view.id = thread.id;
    view.agent = thread.agent;
    view.title = thread.title;
    view.draft = thread.draft;
    view.createdAt = thread.createdAt;
    view.lastActivityAt = thread.lastActivityAt;
    view.archived = thread.archived;
    view.sandbox = thread.sandbox;
    view.running = m_running.value(thread.id) > 0;
    const std::optional<domain::Sandbox> sandbox = m_sandboxes.sandbox(thread.sandbox);
    if (!sandbox)
        return view;
    view.sandboxAlias = sandbox->alias;
    view.sandboxType = sandbox->type;
    view.sandboxLabel = m_providers.label(sandbox->providerConfig, sandbox->config);
    view.lifecycle = ThreadLifecycle::Idle;
    const LeaseController *controller = m_sandboxes.controllerOf(thread.sandbox);
    if (!controller)
        return view;
    view.lease = controller->lease().id;
    view.lifecycleSince = controller->stateSince();
    if (!controller->lease().lastError.isEmpty()
        && controller->lease().observed != ObservedState::Running && controller->busy().isEmpty())
        view.notice = QStringLiteral("The sandbox is not ready: ") + controller->lease().lastError;
    if (controller->isUnreachable()) {
        view.lifecycle = ThreadLifecycle::Unreachable;
        return view;
    }
    const bool byUs = controller->lease().desired == domain::DesiredState::Destroyed;
    switch (controller->lease().observed) {
    case ObservedState::Running:
        view.lifecycle = ThreadLifecycle::Active;
        view.lifecycleSince =
            controller->startedAt().isValid() ? controller->startedAt() : view.lifecycleSince;
        break;
    case ObservedState::Paused:
        view.lifecycle = ThreadLifecycle::Paused;
        break;
    case ObservedState::Stopped:
    case ObservedState::Archived:
    case ObservedState::Stopping:
    case ObservedState::Error:
        view.lifecycle = ThreadLifecycle::Stopped;
        break;
    case ObservedState::Starting:
        view.lifecycle = ThreadLifecycle::Starting;
        break;
    case ObservedState::Gone:
        view.lifecycle = ThreadLifecycle::Destroyed;
        view.notice = byUs
            ? QStringLiteral("The sandbox was destroyed; the next message makes a fresh one.")
            : QStringLiteral(
                "The sandbox is gone: it was removed outside of Berth. Resume it in Resources to "
                "make a new, empty one, or continue in a new thread.");
        break;
    case ObservedState::Unknown:
        break;
    }
    return view;
}

QList<ThreadView> ThreadService::views() const
{
    QList<ThreadView> list;
    for (const auto &[id, thread] : m_threads) {
        if (!thread.archived)
            list << viewOf(thread);
    }
    std::sort(list.begin(), list.end(), [](const ThreadView &a, const ThreadView &b) {
        return a.lastActivityAt > b.lastActivityAt;
    });
    return list;
}

std::optional<Thread> ThreadService::thread(const ThreadId &id) const
{
    const auto found = m_threads.find(id.toString());
    return found == m_threads.end() ? std::nullopt : std::optional(found->second);
}

void ThreadService::publish(const Thread &thread)
{
    m_bus.publish(ThreadChanged{viewOf(thread)});
}

void ThreadService::publishThreadsOf(const domain::SandboxId &sandbox)
{
    for (const auto &[id, thread] : m_threads) {
        if (thread.sandbox == sandbox)
            publish(thread);
    }
}

void ThreadService::tellSandbox(const domain::SandboxId &sandbox)
{
    QList<ThreadLink> links;
    for (const auto &[id, thread] : m_threads) {
        if (thread.sandbox == sandbox && !thread.archived)
            links << ThreadLink{thread.id, thread.title};
    }
    m_sandboxes.setThreads(sandbox, links);
}

Result<Thread *> ThreadService::find(const ThreadId &id)
{
    const auto found = m_threads.find(id.toString());
    if (found == m_threads.end())
        return failure(ErrorKind::NotFound,
                       QStringLiteral("There is no thread \"%1\"").arg(id.toString()));
    return &found->second;
}

Async<ThreadList> ThreadService::list(ListThreads request)
{
    ThreadList result;
    result.threads = views();
    if (request.archived) {
        const Result<QList<Thread>> archived = co_await m_store.threads(true);
        if (!archived)
            co_return failure(archived.error());
        for (const Thread &thread : *archived) {
            if (thread.archived)
                result.threads << viewOf(thread);
        }
    }
    co_return result;
}

Async<ThreadDetail> ThreadService::detail(ThreadId id)
{
    const Result<Thread> thread = co_await m_store.thread(id);
    if (!thread)
        co_return failure(thread.error());
    const Result<QList<domain::Message>> messages = co_await m_store.messages(id);
    if (!messages)
        co_return failure(messages.error());
    const Result<QList<domain::Run>> runs = co_await m_store.runs(id);
    if (!runs)
        co_return failure(runs.error());
    const Result<QList<domain::ToolCall>> calls = co_await m_store.toolCalls(id);
    if (!calls)
        co_return failure(calls.error());
    ThreadDetail detail;
    detail.thread = viewOf(*thread);
    if (m_responder)
        detail.reply = m_responder->replyUnderWay(id);
    for (const domain::Message &message : *messages)
        detail.messages << messageViewOf(message);
    detail.runs = runViewsOf(*runs, *calls);
    for (const domain::ToolCall &call : *calls) {
        ToolCallView view = m_executions.viewOf(call);
        view.awaitsApproval = m_responder && m_responder->awaitsApproval(call.id);
        detail.toolCalls << view;
    }
    co_return detail;
}

// ---- Commands
// --------------------------------------------------------------------------------------------------

Result<std::optional<QString>> ThreadService::commandIn(const QString &text, bool asCommand,
                                                        const domain::AgentId &agent) const
{
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty())
        return failure(ErrorKind::InvalidInput, QStringLiteral("The message is empty"));
    if (text.size() > kLongestMessage)
        return failure(ErrorKind::InvalidInput, QStringLiteral("The message is longer than 1 MiB"));
    if (text.contains(QChar(u'\0')))
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("The message contains a NUL character"));
    if (trimmed.startsWith(QLatin1Char('!'))) {
        const QString command = trimmed.mid(1).trimmed();
        if (command.isEmpty())
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("There is no command behind the \"!\""));
        return std::optional(command);
    }
    if (asCommand)
        return std::optional(trimmed);
    if (m_responder) {
        const Result<void> able = m_responder->canAnswer(agent);
        if (!able)
            return failure(able.error());
        return std::optional<QString>();
    }
    return failure(
        ErrorKind::Unsupported, QStringLiteral("No model is connected"),
        QStringLiteral("Put \"!\" before the line to run it as a command, or connect a model."));
}

ThreadService::Turn ThreadService::turnFor(const Thread &thread, const QString &command,
                                           qint64 timeoutMs, const QString &source)
{
    Turn turn;
    turn.source = source;
    turn.sandbox = thread.sandbox;
    turn.agent = thread.agent;
    turn.run.id = domain::RunId::create();
    turn.run.thread = thread.id;
    turn.run.state = domain::RunState::Queued;
    turn.run.createdAt = domain::nowUtc();
    turn.call.id = domain::ToolCallId::create();
    turn.call.run = turn.run.id;
    turn.call.thread = thread.id;
    turn.call.seq = 1;
    turn.call.tool = QStringLiteral("shell");
    turn.call.arguments = shellArguments(command);
    turn.call.origin = domain::ToolCallOrigin::User;
    turn.call.outputRef = ExecutionService::outputRefOf(turn.call);
    turn.command.shellText = command.toUtf8();
    turn.command.trackState = true;
    turn.command.timeout = std::chrono::milliseconds(std::max<qint64>(0, timeoutMs));
    return turn;
}

Started ThreadService::startedOf(const Turn &turn) const
{
    Started started;
    started.thread = turn.run.thread;
    started.run = turn.run.id;
    started.toolCall = turn.call.id;
    started.sandbox = turn.sandbox;
    const std::optional<domain::Sandbox> sandbox = m_sandboxes.sandbox(turn.sandbox);
    if (sandbox)
        started.sandboxAlias = sandbox->alias;
    if (const LeaseController *controller = m_sandboxes.controllerOf(turn.sandbox))
        started.lease = controller->lease().id;
    return started;
}

Result<void> ThreadService::chooseSandbox(const NewThread &request, domain::FirstMessage *first)
{
    first->newSandbox = false;
    if (request.config.isNull() && request.sandbox.isNull())
        return {};
    if (!request.config.isNull() && !request.sandbox.isNull()) {
        return failure(
            ErrorKind::InvalidInput, QStringLiteral("Choose one sandbox for the thread"),
            QStringLiteral("Name a provider config for a new one, or an existing sandbox."));
    }
    if (!request.sandbox.isNull()) {
        const std::optional<domain::Sandbox> existing =
            m_sandboxes.findSandbox(first->thread.agent, request.sandbox.toString());
        if (!existing) {
            return failure(
                ErrorKind::NotFound,
                QStringLiteral("There is no sandbox \"%1\"").arg(request.sandbox.toString()));
        }
        first->sandbox = *existing;
        return {};
    }
    if (request.config.toString() == QLatin1String("host")) {
        return failure(ErrorKind::InvalidInput, QStringLiteral("There is no sandbox type \"host\""),
                       QStringLiteral("Commands never run on the host itself; choose local, "
                                      "docker or another provider."));
    }
    const Result<std::shared_ptr<domain::Provider>> provider = m_providers.provider(request.config);
    if (!provider)
        return failure(provider.error());
    first->newSandbox = true;
    first->sandbox.id = domain::SandboxId::create();
    first->sandbox.agent = first->thread.agent;
    first->sandbox.type = m_providers.view(request.config)->kind;
    first->sandbox.providerConfig = request.config;
    first->sandbox.createdAt = domain::nowUtc();
    first->sandbox.updatedAt = first->sandbox.createdAt;
    return {};
}

Async<Started> ThreadService::create(NewThread request, Caller caller)
{
    domain::FirstMessage first;
    first.thread.agent = request.agent.isNull() ? domain::defaultAgent() : request.agent;
    const Result<std::optional<QString>> command =
        commandIn(request.text, request.asCommand, first.thread.agent);
    if (!command)
        co_return failure(command.error());
    if (const Result<void> known = checkedWhenAsked(request.whenAsked); !known)
        co_return failure(known.error());
    if (const Result<void> chosen = chooseSandbox(request, &first); !chosen)
        co_return failure(chosen.error());
    if (*command && first.sandbox.id.isNull())
        co_return failure(noSandbox());
    const QDateTime now = domain::nowUtc();
    first.thread.id = ThreadId::create();
    first.thread.sandbox = first.sandbox.id;
    first.thread.title = titleFrom(request.text);
    first.thread.createdAt = now;
    first.thread.lastActivityAt = now;
    Turn turn =
        turnFor(first.thread, command->value_or(QString()), request.timeoutMs, caller.source);
    if (*command) {
        OwnLine line{{}, first.thread.agent, first.sandbox, **command, caller};
        line.runAnyway = request.runAnyway;
        const Result<QString> decision = co_await admitted(line);
        if (!decision)
            co_return failure(decision.error());
        turn.call.decision = *decision;
    } else {
        turn.run.usage = usageOf(request.whenAsked).text();
    }
    first.message.thread = first.thread.id;
    first.message.run = turn.run.id;
    first.message.text = request.asCommand && !request.text.trimmed().startsWith(QLatin1Char('!'))
        ? QLatin1Char('!') + request.text.trimmed()
        : request.text.trimmed();
    first.message.createdAt = now;
    first.run = turn.run;
    if (*command)
        first.toolCall = turn.call;
    const Result<domain::FirstMessage> stored = co_await m_store.addThread(first);
    if (!stored)
        co_return failure(stored.error());
    m_threads[stored->thread.id.toString()] = stored->thread;
    if (stored->newSandbox)
        m_sandboxes.addSandbox(stored->sandbox);
    if (!stored->thread.sandbox.isNull())
        tellSandbox(stored->thread.sandbox);
    publish(stored->thread);
    m_bus.publish(MessageAdded{messageViewOf(stored->message)});
    if (stored->toolCall)
        turn.call = *stored->toolCall;
    turn.run = stored->run;
    turn.sandbox = stored->thread.sandbox;
    if (!turn.sandbox.isNull()) {
        // The lease is there before the answer, so that the caller gets its id.
        const Result<LeaseController *> lease = co_await m_sandboxes.leaseFor(turn.sandbox);
        if (!lease)
            domain::log(domain::LogLevel::Warning, "thread", lease.error().message);
    }
    Started started = startedOf(turn);
    if (!*command) {
        started.toolCall = {};
        beginAnswer(stored->thread, turn.run);
        co_return started;
    }
    m_executions.announce(turn.call, false);
    m_scope.spawn(runTurn(turn));
    co_return started;
}

async::Task<void> ThreadService::noteRun(domain::Run run)
{
    const Result<void> noted = co_await m_store.updateRun(run);
    if (!noted)
        domain::log(domain::LogLevel::Error, "thread", noted.error().message);
}

async::Task<void> ThreadService::runTurn(Turn turn)
{
    const QString key = turn.run.thread.toString();
    ++m_running[turn.run.thread];
    m_bus.publish(RunChanged{commandRunViewOf(turn.run)});
    if (const auto thread = m_threads.find(key); thread != m_threads.end())
        publish(thread->second);
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turns[key].enter();
    turn.run.state = domain::RunState::Running;
    m_bus.publish(RunChanged{commandRunViewOf(turn.run)});
    // Nothing waits for it: the run is stored already, and changes are stored in this order.
    m_scope.spawn(noteRun(turn.run));
    ExecutionRequest request;
    request.call = turn.call;
    request.command = turn.command;
    request.sandbox = turn.sandbox;
    request.source = turn.source;
    const Result<domain::ToolCall> ended = co_await runOwn(request, turn.agent);
    turn.run.state =
        ended && ended->outcome ? stateAfter(ended->outcome->kind) : domain::RunState::Failed;
    turn.run.endedAt = domain::nowUtc();
    const Result<void> stored = co_await m_store.updateRun(turn.run);
    if (!stored)
        domain::log(domain::LogLevel::Error, "thread", stored.error().message);
    --m_running[turn.run.thread];
    m_bus.publish(RunChanged{commandRunViewOf(turn.run)});
    if (const auto thread = m_threads.find(key); thread != m_threads.end()) {
        thread->second.lastActivityAt = turn.run.endedAt;
        publish(thread->second);
    }
}

Async<ThreadView> ThreadService::update(UpdateThread request)
{
    const Result<Thread *> found = find(request.thread);
    if (!found)
        co_return failure(found.error());
    Thread next = **found;
    if (request.title) {
        next.title = request.title->simplified().left(200);
        if (next.title.isEmpty())
            co_return failure(ErrorKind::InvalidInput, QStringLiteral("A thread needs a title"));
    }
    if (request.draft)
        next.draft = request.draft->left(kLongestMessage);
    if (request.archived)
        next.archived = *request.archived;
    const Result<void> stored = co_await m_store.updateThread(next);
    if (!stored)
        co_return failure(stored.error());
    m_threads[next.id.toString()] = next;
    publish(next);
    if ((request.title || request.archived) && !next.sandbox.isNull())
        tellSandbox(next.sandbox);
    co_return viewOf(next);
}

//! A fresh instance under the same lease: its threads are told, and their terminals start over.
async::Task<void> ThreadService::startOver(domain::SandboxId sandbox)
{
    QList<ThreadId> threads;
    for (const auto &[id, thread] : m_threads) {
        if (thread.sandbox == sandbox)
            threads << thread.id;
    }
    for (const ThreadId &id : threads) {
        Result<std::optional<domain::Terminal>> terminal = co_await m_leases.terminal(id);
        if (terminal && *terminal) {
            domain::Terminal reset = **terminal;
            reset.cwd.clear();
            reset.environmentDelta.clear();
            ++reset.stateVersion;
            const Result<void> stored = co_await m_leases.saveTerminal(reset);
            if (!stored)
                domain::log(domain::LogLevel::Error, "thread", stored.error().message);
        }
        domain::Message note;
        note.thread = id;
        note.role = domain::MessageRole::Note;
        note.text = QStringLiteral("Fresh sandbox: the one before was destroyed or is gone. Its "
                                   "files, working directory and "
                                   "variables are not here.");
        note.createdAt = domain::nowUtc();
        const Result<domain::Message> added = co_await m_store.addNote(note);
        if (added)
            m_bus.publish(MessageAdded{messageViewOf(*added)});
    }
}

} // namespace berth::application
