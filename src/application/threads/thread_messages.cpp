// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ThreadService about messages that are no commands.
#include "application/agent/agent_run.h"
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

Async<QString> ThreadService::admitted(Thread thread, QString command, QString source)
{
    if (!m_responder)
        co_return QString();
    const Result<QString> decision = co_await m_responder->admitOwn(thread, command, source);
    co_return decision;
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

Async<Started> ThreadService::sendToResponder(Thread thread, QString text)
{
    domain::Run run;
    run.id = domain::RunId::create();
    run.thread = thread.id;
    run.createdAt = domain::nowUtc();
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
    message.text = text;
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
    if (m_responder->underWay(thread.id) && m_responder->steer(thread.id, stored->seq)) {
        started.run = *m_responder->underWay(thread.id);
        co_return started;
    }
    if (underWay) {
        // It ended meanwhile.
        run.usage = QStringLiteral("{}");
        run.state = domain::RunState::Queued;
        run.endedAt = {};
        const Result<void> noted = co_await m_store.updateRun(run);
        if (!noted)
            co_return failure(noted.error());
    }
    beginAnswer(thread, run);
    co_return started;
}

Async<Started> ThreadService::edit(EditMessage request, QString source)
{
    const Result<Thread *> found = find(request.thread);
    if (!found)
        co_return failure(found.error());
    if (!m_responder)
        co_return failure(ErrorKind::Unsupported, QStringLiteral("No model is connected"));
    if (m_running.value(request.thread) > 0)
        co_return failure(ErrorKind::Conflict, QStringLiteral("A run is under way"),
                          QStringLiteral("Stop it first."));
    const Result<std::optional<QString>> isRight = commandIn(request.text, false, (*found)->agent);
    if (!isRight)
        co_return failure(isRight.error());
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
    SendMessage again;
    again.thread = request.thread;
    again.text = request.text;
    const Result<Started> sent = co_await send(again, source);
    co_return sent;
}

} // namespace berth::application
