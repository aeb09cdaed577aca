// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/first_message.h"

#include "storage/agent_table.h"
#include "storage/run_table.h"
#include "storage/sandbox_table.h"
#include "storage/thread_table.h"

namespace berth::storage {

using namespace domain;

namespace {

template <typename T>
void fillIn(T &value, const T &otherwise)
{
    if (value.isNull())
        value = otherwise;
}

void fillIn(QDateTime &time, const QDateTime &otherwise)
{
    if (!time.isValid())
        time = otherwise;
}

Result<Sandbox> sandboxFor(Connection &connection, const FirstMessage &first, const QDateTime &now)
{
    if (first.newSandbox) {
        Sandbox sandbox = first.sandbox;
        sandbox.agent = first.thread.agent;
        return SandboxTable::add(connection, sandbox, now);
    }
    Result<Sandbox> stored = SandboxTable::find(connection, first.sandbox.id);
    if (!stored)
        return stored;
    if (stored->status == SandboxStatus::Deleted)
        return failure(ErrorKind::Conflict,
                       QStringLiteral("The sandbox %1 was deleted").arg(stored->alias));
    if (!(stored->agent == first.thread.agent)) {
        return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("The sandbox %1 belongs to another agent").arg(stored->alias));
    }
    return stored;
}

//! Message, run and tool call; run first, because the others refer to it.
Result<void> storeParts(Connection &connection, Message &message, Run &run,
                        std::optional<ToolCall> &toolCall, const QDateTime &now)
{
    fillIn(run.id, RunId::create());
    run.thread = message.thread;
    fillIn(run.createdAt, now);
    if (const Result<void> added = RunTable::add(connection, run); !added)
        return added;

    message.run = run.id;
    fillIn(message.createdAt, now);
    Result<Message> stored = ThreadTable::addMessage(connection, message);
    if (!stored)
        return failure(stored.error());
    message = *stored;

    if (toolCall) {
        fillIn(toolCall->id, ToolCallId::create());
        toolCall->run = run.id;
        toolCall->thread = message.thread;
        Result<ToolCall> call = RunTable::addToolCall(connection, *toolCall);
        if (!call)
            return failure(call.error());
        toolCall = *call;
    }
    return {};
}

} // namespace

Result<FirstMessage> storeFirstMessage(Connection &connection, FirstMessage first,
                                       const QDateTime &now)
{
    if (const Result<void> known = AgentTable::require(connection, first.thread.agent); !known)
        return failure(known.error());
    if (first.newSandbox || !first.sandbox.id.isNull()) {
        Result<Sandbox> sandbox = sandboxFor(connection, first, now);
        if (!sandbox)
            return failure(sandbox.error());
        first.sandbox = *sandbox;
    }

    fillIn(first.thread.id, ThreadId::create());
    first.thread.sandbox = first.sandbox.id;
    fillIn(first.thread.createdAt, now);
    fillIn(first.thread.lastActivityAt, first.thread.createdAt);
    if (const Result<void> added = ThreadTable::add(connection, first.thread); !added)
        return failure(added.error());

    first.message.thread = first.thread.id;
    first.message.seq = 1;
    if (const Result<void> stored =
            storeParts(connection, first.message, first.run, first.toolCall, now);
        !stored)
        return failure(stored.error());
    return first;
}

Result<Message> storeMessage(Connection &connection, Message message, Run run,
                             std::optional<ToolCall> toolCall, const QDateTime &now)
{
    fillIn(message.createdAt, now);
    message.seq = 0;
    if (const Result<void> touched =
            ThreadTable::touch(connection, message.thread, message.createdAt);
        !touched)
        return failure(touched.error());
    if (const Result<void> stored = storeParts(connection, message, run, toolCall, now); !stored)
        return failure(stored.error());
    return message;
}

Result<Message> storeNote(Connection &connection, Message note, const QDateTime &now)
{
    note.role = MessageRole::Note;
    note.seq = 0;
    fillIn(note.createdAt, now);
    // Only so that a missing thread is NotFound and not a broken reference.
    const Result<Thread> thread = ThreadTable::find(connection, note.thread);
    if (!thread)
        return failure(thread.error());
    return ThreadTable::addMessage(connection, note);
}

} // namespace berth::storage
