// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/sql_berth_store.h"

#include "storage/agent_table.h"
#include "storage/database.h"
#include "storage/first_message.h"
#include "storage/installation_table.h"
#include "storage/run_table.h"
#include "storage/sandbox_table.h"
#include "storage/thread_table.h"

namespace berth::storage {

using namespace domain;

SqlBerthStore::SqlBerthStore(std::shared_ptr<Database> database, Clock clock)
    : m_database(std::move(database)), m_clock(std::move(clock))
{}

SqlBerthStore::~SqlBerthStore() = default;

Async<InstallationId> SqlBerthStore::installation()
{
    return m_database->write<InstallationId>(
        [clock = m_clock](Connection &c) { return InstallationTable::id(c, clock()); },
        Durability::Now);
}

Async<bool> SqlBerthStore::passthroughAllowed()
{
    return m_database->read<bool>(&InstallationTable::passthrough);
}

Async<void> SqlBerthStore::allowPassthrough(bool allowed)
{
    return m_database->write<void>(
        [allowed, clock = m_clock](Connection &c) {
            return InstallationTable::setPassthrough(c, allowed, clock());
        },
        Durability::Now);
}

Async<QList<Agent>> SqlBerthStore::agents()
{
    return m_database->read<QList<Agent>>(&AgentTable::all);
}

Async<void> SqlBerthStore::saveAgent(Agent agent)
{
    return m_database->write<void>(
        [agent, clock = m_clock](Connection &c) { return AgentTable::save(c, agent, clock()); },
        Durability::Now);
}

Async<std::optional<Sandbox>> SqlBerthStore::addAgent(Agent agent, std::optional<Sandbox> sandbox)
{
    return m_database->write<std::optional<Sandbox>>(
        [agent, sandbox, clock = m_clock](Connection &c) -> Result<std::optional<Sandbox>> {
            if (const Result<void> added = AgentTable::add(c, agent, clock()); !added)
                return failure(added.error());
            if (!sandbox)
                return std::optional<Sandbox>();
            const Result<Sandbox> row = SandboxTable::add(c, *sandbox, clock());
            if (!row)
                return failure(row.error());
            return std::optional<Sandbox>(*row);
        },
        Durability::Now);
}

Async<void> SqlBerthStore::removeAgent(AgentId id)
{
    return m_database->write<void>([id](Connection &c) { return AgentTable::remove(c, id); },
                                   Durability::Now);
}

Async<QList<Sandbox>> SqlBerthStore::sandboxes(bool deleted)
{
    return m_database->read<QList<Sandbox>>(
        [deleted](Connection &c) { return SandboxTable::all(c, deleted); });
}

Async<void> SqlBerthStore::updateSandbox(Sandbox sandbox)
{
    return m_database->write<void>([sandbox, clock = m_clock](Connection &c) {
        return SandboxTable::update(c, sandbox, clock());
    });
}

Async<Sandbox> SqlBerthStore::addSandbox(Sandbox sandbox)
{
    return m_database->write<Sandbox>([sandbox, clock = m_clock](Connection &c) -> Result<Sandbox> {
        if (const Result<void> agent = AgentTable::require(c, sandbox.agent); !agent)
            return failure(agent.error());
        return SandboxTable::add(c, sandbox, clock());
    });
}

Async<Sandbox> SqlBerthStore::restoreSandbox(SandboxId id)
{
    return m_database->write<Sandbox>(
        [id, clock = m_clock](Connection &c) { return SandboxTable::restore(c, id, clock()); });
}

Async<FirstMessage> SqlBerthStore::addThread(FirstMessage first)
{
    return m_database->write<FirstMessage>(
        [first, clock = m_clock](Connection &c) { return storeFirstMessage(c, first, clock()); });
}

Async<Message> SqlBerthStore::addMessage(Message message, Run run, std::optional<ToolCall> toolCall)
{
    return m_database->write<Message>([message, run, toolCall, clock = m_clock](Connection &c) {
        return storeMessage(c, message, run, toolCall, clock());
    });
}

Async<Message> SqlBerthStore::addNote(Message note)
{
    return m_database->write<Message>(
        [note, clock = m_clock](Connection &c) { return storeNote(c, note, clock()); });
}

Async<QList<Thread>> SqlBerthStore::threads(bool archived)
{
    return m_database->read<QList<Thread>>(
        [archived](Connection &c) { return ThreadTable::all(c, archived); });
}

Async<Thread> SqlBerthStore::thread(ThreadId id)
{
    return m_database->read<Thread>([id](Connection &c) { return ThreadTable::find(c, id); });
}

Async<void> SqlBerthStore::updateThread(Thread thread)
{
    return m_database->write<void>(
        [thread](Connection &c) { return ThreadTable::update(c, thread); });
}

Async<QList<Message>> SqlBerthStore::messages(ThreadId id)
{
    return m_database->read<QList<Message>>(
        [id](Connection &c) { return ThreadTable::messages(c, id); });
}

Async<QList<Run>> SqlBerthStore::runs(ThreadId id)
{
    return m_database->read<QList<Run>>([id](Connection &c) { return RunTable::all(c, id); });
}

Async<QList<ToolCall>> SqlBerthStore::toolCalls(ThreadId id)
{
    return m_database->read<QList<ToolCall>>(
        [id](Connection &c) { return RunTable::toolCalls(c, id); });
}

Async<ToolCall> SqlBerthStore::toolCall(ToolCallId id)
{
    return m_database->read<ToolCall>([id](Connection &c) { return RunTable::toolCall(c, id); });
}

Async<void> SqlBerthStore::updateRun(Run run)
{
    return m_database->write<void>([run](Connection &c) { return RunTable::update(c, run); });
}

Async<void> SqlBerthStore::updateToolCall(ToolCall call)
{
    return m_database->write<void>(
        [call](Connection &c) { return RunTable::updateToolCall(c, call); });
}

Async<QList<ToolCall>> SqlBerthStore::interruptUnfinished()
{
    return m_database->write<QList<ToolCall>>(
        [clock = m_clock](Connection &c) { return RunTable::interruptUnfinished(c, clock()); });
}

Async<std::optional<QByteArray>> SqlBerthStore::requestResult(RequestId id)
{
    return m_database->read<std::optional<QByteArray>>([id, clock = m_clock](Connection &c) {
        return InstallationTable::requestResult(c, id, clock());
    });
}

Async<void> SqlBerthStore::saveRequestResult(RequestId id, QByteArray result)
{
    return m_database->write<void>([id, result, clock = m_clock](Connection &c) {
        return InstallationTable::saveRequestResult(c, id, result, clock());
    });
}

} // namespace berth::storage
