// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/agent/agent.h"
#include "domain/result.h"
#include "domain/sandbox/sandbox.h"
#include "domain/thread/thread.h"

namespace berth::domain {

//! What a thread's first message does to the records, all or nothing.
struct FirstMessage
{
    Thread thread;
    //! The new row, or the existing one that the thread joins (then newSandbox is false).
    Sandbox sandbox;
    bool newSandbox = true;
    Message message;
    Run run;
    std::optional<ToolCall> toolCall;
};

//! Agents, sandbox rows, threads and what belongs to them, in berth.db. Every call runs on the
//! database thread and resumes the caller on its own. Storage errors are ErrorKind::Storage; a
//! broken rule (taken alias, changed binding) is Conflict.
class BerthStore
{
public:
    virtual ~BerthStore();

    virtual Async<InstallationId> installation() = 0;
    //! Sandboxes without isolation were allowed in Settings on this machine; off from the start.
    virtual Async<bool> passthroughAllowed() = 0;
    virtual Async<void> allowPassthrough(bool allowed) = 0;

    virtual Async<QList<Agent>> agents() = 0;
    virtual Async<void> saveAgent(Agent agent) = 0;
    //! A new one, with its first sandbox row where one is given, in one transaction. Conflict when
    //! the id is taken. Answers the row as stored.
    virtual Async<std::optional<Sandbox>> addAgent(Agent agent, std::optional<Sandbox> sandbox) = 0;
    //! With its deleted rows. Conflict while it has threads or live sandboxes.
    virtual Async<void> removeAgent(AgentId id) = 0;

    //! Live rows; with \a deleted also the soft-deleted ones.
    virtual Async<QList<Sandbox>> sandboxes(bool deleted) = 0;
    //! Fields other than id, agent and created_at; refuses to raise a deleted row.
    virtual Async<void> updateSandbox(Sandbox sandbox) = 0;
    //! A row without a thread. An empty alias becomes "<type>-<n>". Conflict when it is taken.
    virtual Async<Sandbox> addSandbox(Sandbox sandbox) = 0;
    //! A deleted row is pending again. Conflict while a live row has its alias.
    virtual Async<Sandbox> restoreSandbox(SandboxId id) = 0;

    //! Thread, sandbox row, message, run and tool call in one transaction. An empty alias becomes
    //! "<type>-<n>", the first free one. Answers what was stored.
    virtual Async<FirstMessage> addThread(FirstMessage first) = 0;
    //! A further message with its run and tool call, in one transaction; gives seq. Touches
    //! last_activity_at.
    virtual Async<Message> addMessage(Message message, Run run,
                                      std::optional<ToolCall> toolCall) = 0;
    virtual Async<Message> addNote(Message note) = 0;

    virtual Async<QList<Thread>> threads(bool archived) = 0;
    virtual Async<Thread> thread(ThreadId id) = 0;
    //! title, draft, archived, last_activity_at. The binding is not touched.
    virtual Async<void> updateThread(Thread thread) = 0;
    virtual Async<QList<Message>> messages(ThreadId id) = 0;
    virtual Async<QList<Run>> runs(ThreadId id) = 0;
    virtual Async<QList<ToolCall>> toolCalls(ThreadId id) = 0;
    virtual Async<ToolCall> toolCall(ToolCallId id) = 0;

    virtual Async<void> updateRun(Run run) = 0;
    virtual Async<void> updateToolCall(ToolCall call) = 0;
    //! At start: everything not ended becomes Interrupted, in one transaction. Answers the tool
    //! calls changed.
    virtual Async<QList<ToolCall>> interruptUnfinished() = 0;

    //! The result that request \a id had, if it was seen within 24 hours.
    virtual Async<std::optional<QByteArray>> requestResult(RequestId id) = 0;
    virtual Async<void> saveRequestResult(RequestId id, QByteArray result) = 0;
};

QString wireName(SandboxStatus status);
std::optional<SandboxStatus> sandboxStatusFromWire(QStringView name);

} // namespace berth::domain
