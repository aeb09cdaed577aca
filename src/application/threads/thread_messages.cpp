// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ThreadService about messages in a thread that is there.
#include "application/agent/agent_run.h"
#include "application/threads/message_checks.h"
#include "application/threads/thread_service.h"
#include "application/threads/thread_views.h"
#include "domain/log.h"
#include "domain/text.h"

#include <QtCore/QSet>

#include <algorithm>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using domain::Thread;
using domain::ThreadId;

MessageView messageViewOf(const domain::Message &message)
{
    MessageView view;
    view.thread = message.thread;
    view.seq = message.seq;
    view.run = message.run;
    view.role = message.role;
    view.text = message.text;
    view.createdAt = message.createdAt;
    view.reasoning = message.reasoning;
    view.cut = message.cut;
    view.superseded = message.superseded;
    view.toolCalls = message.toolCalls;
    return view;
}

RunView commandRunViewOf(const domain::Run &run)
{
    return runViewOf(run, false);
}

QList<RunView> runViewsOf(const QList<domain::Run> &runs, const QList<domain::ToolCall> &calls)
{
    QSet<domain::RunId> commands;
    for (const domain::ToolCall &call : calls) {
        if (call.origin == domain::ToolCallOrigin::User)
            commands.insert(call.run);
    }
    QList<RunView> views;
    bool isLast = true;
    for (auto run = runs.crbegin(); run != runs.crend(); ++run) {
        const bool isAgents = !commands.contains(run->id) && RunUsage(run->usage).joined().isNull();
        views.prepend(runViewOf(*run, isAgents && isLast));
        isLast = isLast && !isAgents;
    }
    return views;
}

async::Task<std::shared_ptr<async::Turnstile::Pass>> ThreadService::enterTurn(ThreadId thread)
{
    return m_turns[thread.toString()].enter();
}

void ThreadService::runStarted(const ThreadId &id)
{
    ++m_running[id];
    if (const auto thread = m_threads.find(id.toString()); thread != m_threads.end())
        publish(thread->second);
}

void ThreadService::runEnded(const ThreadId &id)
{
    --m_running[id];
    if (const auto thread = m_threads.find(id.toString()); thread != m_threads.end()) {
        thread->second.lastActivityAt = domain::nowUtc();
        publish(thread->second);
    }
}

Async<void> ThreadService::clearDraft(ThreadId id, QDateTime at)
{
    const auto known = m_threads.find(id.toString());
    if (known == m_threads.end())
        co_return Result<void>();
    known->second.lastActivityAt = at;
    known->second.draft.clear();
    const Thread now = known->second;
    const Result<void> stored = co_await m_store.updateThread(now);
    co_return stored;
}

void ThreadService::beginAnswer(const Thread &thread, const domain::Run &run)
{
    m_responder->begin(thread, run);
}

domain::Error noSandbox()
{
    return {ErrorKind::Conflict,
            QStringLiteral("This thread has no sandbox to run commands in"),
            QStringLiteral("Start a new thread with one."),
            {},
            {}};
}

Result<void> checkedWhenAsked(const QString &whenAsked)
{
    if (whenAsked == QLatin1String("wait") || whenAsked == QLatin1String("deny"))
        return {};
    return failure(ErrorKind::InvalidInput,
                   QStringLiteral("\"when_asked\" is wait or deny, not \"%1\"").arg(whenAsked));
}

RunUsage usageOf(const QString &whenAsked)
{
    RunUsage usage;
    usage.setUnattended(whenAsked == QLatin1String("deny"));
    return usage;
}

//! A message that goes into a run under way does not change what that one does when it would ask.
Async<Started> ThreadService::sendToResponder(Thread thread, SendMessage request)
{
    domain::Run run;
    run.id = domain::RunId::create();
    run.thread = thread.id;
    run.createdAt = domain::nowUtc();
    run.usage = usageOf(request.whenAsked).text();
    // While one is under way the message goes into it, before the next call of the model.
    const std::optional<domain::RunId> underWay = m_responder->underWay(thread.id);
    if (underWay) {
        RunUsage usage;
        usage.setJoined(*underWay);
        run.usage = usage.text();
        run.state = domain::RunState::Done;
        run.endedAt = run.createdAt;
    }
    domain::Message message;
    message.thread = thread.id;
    message.run = run.id;
    message.text = request.text.trimmed();
    message.createdAt = run.createdAt;
    const Result<domain::Message> stored = co_await m_store.addMessage(message, run, std::nullopt);
    if (!stored)
        co_return failure(stored.error());
    const Result<void> cleared = co_await clearDraft(thread.id, message.createdAt);
    if (!cleared)
        domain::log(domain::LogLevel::Warning, "thread", cleared.error().message);
    m_bus.publish(MessageAdded{messageViewOf(*stored)});
    Started started;
    started.thread = thread.id;
    started.run = run.id;
    started.sandbox = thread.sandbox;
    if (const std::optional<domain::Sandbox> sandbox = m_sandboxes.sandbox(thread.sandbox))
        started.sandboxAlias = sandbox->alias;
    if (const LeaseController *controller = m_sandboxes.controllerOf(thread.sandbox))
        started.lease = controller->lease().id;
    if (const std::optional<domain::RunId> taker = m_responder->underWay(thread.id);
        taker && m_responder->steer(thread.id, stored->seq)) {
        if (taker != underWay) {
            // Another one began meanwhile.
            RunUsage usage;
            usage.setJoined(*taker);
            run.usage = usage.text();
            run.state = domain::RunState::Done;
            run.endedAt = domain::nowUtc();
            const Result<void> noted = co_await m_store.updateRun(run);
            if (!noted)
                co_return failure(noted.error());
        }
        started.run = *taker;
        co_return started;
    }
    if (underWay) {
        // It ended meanwhile.
        run.usage = usageOf(request.whenAsked).text();
        run.state = domain::RunState::Queued;
        run.endedAt = {};
        const Result<void> noted = co_await m_store.updateRun(run);
        if (!noted)
            co_return failure(noted.error());
    }
    beginAnswer(thread, run);
    co_return started;
}

Async<ThreadService::Admitted> ThreadService::admit(SendMessage request, Caller caller)
{
    if (const Result<void> known = checkedWhenAsked(request.whenAsked); !known)
        co_return failure(known.error());
    const Result<Thread *> found = find(request.thread);
    if (!found)
        co_return failure(found.error());
    Admitted admitted;
    admitted.thread = **found;
    const Result<std::optional<QString>> command =
        commandIn(request.text, request.asCommand, admitted.thread.agent);
    if (!command)
        co_return failure(command.error());
    const std::optional<domain::Sandbox> sandbox = m_sandboxes.sandbox(admitted.thread.sandbox);
    // One that was begun without a sandbox can still be talked in.
    if (!sandbox && (*command || !admitted.thread.sandbox.isNull()))
        co_return failure(noSandbox());
    admitted.command = *command;
    if (*command) {
        OwnLine line{admitted.thread.id, admitted.thread.agent, *sandbox, **command, caller};
        line.runAnyway = request.runAnyway;
        const Result<QString> decision = co_await this->admitted(line);
        if (!decision)
            co_return failure(decision.error());
        admitted.decision = *decision;
    }
    const Admitted whole = admitted;
    co_return whole;
}

Async<Started> ThreadService::send(SendMessage request, Caller caller)
{
    const Result<Admitted> admitted = co_await admit(request, caller);
    if (!admitted)
        co_return failure(admitted.error());
    if (isEdited(request.thread))
        co_return failure(ErrorKind::Conflict,
                          QStringLiteral("A message of this thread is being replaced"),
                          QStringLiteral("Send it again."));
    const Result<Started> started = co_await take(*admitted, request, caller.source);
    co_return started;
}

Async<Started> ThreadService::take(Admitted admitted, SendMessage request, QString source)
{
    const Thread thread = admitted.thread;
    if (!admitted.command) {
        const Result<Started> answered = co_await sendToResponder(thread, request);
        co_return answered;
    }
    Turn turn = turnFor(thread, *admitted.command, request.timeoutMs, source);
    turn.call.decision = admitted.decision;
    domain::Message message;
    message.thread = thread.id;
    message.run = turn.run.id;
    message.text = request.asCommand && !request.text.trimmed().startsWith(QLatin1Char('!'))
        ? QLatin1Char('!') + request.text.trimmed()
        : request.text.trimmed();
    message.createdAt = domain::nowUtc();
    const Result<domain::Message> stored =
        co_await m_store.addMessage(message, turn.run, turn.call);
    if (!stored)
        co_return failure(stored.error());
    const Result<void> cleared = co_await clearDraft(thread.id, message.createdAt);
    if (!cleared)
        domain::log(domain::LogLevel::Warning, "thread", cleared.error().message);
    m_bus.publish(MessageAdded{messageViewOf(*stored)});
    const Started started = startedOf(turn);
    m_executions.announce(turn.call, false);
    m_scope.spawn(runTurn(turn));
    co_return started;
}

//! The message and what followed go only when the new one may be sent and has its turn.
Async<Started> ThreadService::edit(EditMessage request, Caller caller)
{
    if (!m_responder)
        co_return failure(ErrorKind::Unsupported, QStringLiteral("No model is connected"));
    SendMessage again;
    again.thread = request.thread;
    again.text = request.text;
    const Result<Admitted> admitted = co_await admit(again, caller);
    if (!admitted)
        co_return failure(admitted.error());
    if (m_running.value(request.thread) > 0 || isEdited(request.thread))
        co_return failure(ErrorKind::Conflict, QStringLiteral("A run is under way"),
                          QStringLiteral("Stop it first."));
    m_edited.insert(request.thread);
    const Result<Started> sent = co_await replace(*admitted, request, again, caller.source);
    m_edited.remove(request.thread);
    co_return sent;
}

Async<Started> ThreadService::replace(Admitted admitted, EditMessage request, SendMessage again,
                                      QString source)
{
    // What is sent waits behind this.
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await enterTurn(request.thread);
    const Result<QList<domain::Message>> messages = co_await m_store.messages(request.thread);
    if (!messages)
        co_return failure(messages.error());
    const auto edited = std::find_if(
        messages->cbegin(), messages->cend(),
        [&request](const domain::Message &message) { return message.seq == request.seq; });
    if (edited == messages->cend() || edited->role != domain::MessageRole::User
        || edited->superseded)
        co_return failure(ErrorKind::NotFound, QStringLiteral("There is no such message of yours"));
    const Result<void> superseded = co_await m_responder->supersede(request.thread, request.seq);
    if (!superseded)
        co_return failure(superseded.error());
    for (domain::Message message : *messages) {
        if (message.seq < request.seq || message.superseded)
            continue;
        message.superseded = true;
        m_bus.publish(MessageAdded{messageViewOf(message)});
    }
    const Result<Started> sent = co_await take(admitted, again, source);
    co_return sent;
}

} // namespace berth::application
