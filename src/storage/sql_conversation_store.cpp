// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/sql_conversation_store.h"

#include "storage/approval_table.h"
#include "storage/database.h"
#include "storage/run_table.h"
#include "storage/thread_table.h"

namespace berth::storage {

using namespace domain;

namespace {

using Reply = std::pair<Message, QList<ToolCall>>;

Result<Reply> storeReply(Connection &connection, Message reply, QList<ToolCall> calls,
                         const Run &run, const QDateTime &now)
{
    if (!reply.createdAt.isValid())
        reply.createdAt = now;
    reply.seq = 0;
    reply.toolCalls.clear();
    for (ToolCall &call : calls) {
        call.seq = 0;
        const Result<ToolCall> added = RunTable::addToolCall(connection, call);
        if (!added)
            return failure(added.error());
        call = *added;
        reply.toolCalls << call.id;
    }
    const Result<Message> stored = ThreadTable::addMessage(connection, reply);
    if (!stored)
        return failure(stored.error());
    if (const Result<void> touched = ThreadTable::touch(connection, reply.thread, reply.createdAt);
        !touched)
        return failure(touched.error());
    if (const Result<void> updated = RunTable::update(connection, run); !updated)
        return failure(updated.error());
    return Reply{*stored, calls};
}

} // namespace

SqlConversationStore::SqlConversationStore(std::shared_ptr<Database> database, Clock clock)
    : m_database(std::move(database)), m_clock(std::move(clock))
{}

SqlConversationStore::~SqlConversationStore() = default;

Async<Reply> SqlConversationStore::addReply(Message reply, QList<ToolCall> calls, Run run)
{
    return m_database->write<Reply>([reply, calls, run, clock = m_clock](Connection &c) {
        return storeReply(c, reply, calls, run, clock());
    });
}

Async<void> SqlConversationStore::supersede(ThreadId thread, qint64 fromSeq)
{
    return m_database->write<void>(
        [thread, fromSeq](Connection &c) { return ThreadTable::supersede(c, thread, fromSeq); });
}

Async<void> SqlConversationStore::addApproval(Approval approval)
{
    return m_database->write<void>([approval, clock = m_clock](Connection &c) {
        Approval asked = approval;
        if (!asked.createdAt.isValid())
            asked.createdAt = clock();
        return ApprovalTable::add(c, asked);
    });
}

Async<void> SqlConversationStore::decideApproval(Approval decided)
{
    return m_database->write<void>(
        [decided, clock = m_clock](Connection &c) {
            Approval done = decided;
            if (!done.decidedAt.isValid())
                done.decidedAt = clock();
            return ApprovalTable::decide(c, done);
        },
        Durability::Now);
}

Async<QList<Approval>> SqlConversationStore::pendingApprovals()
{
    return m_database->read<QList<Approval>>(&ApprovalTable::pending);
}

Async<std::optional<Approval>> SqlConversationStore::approval(ToolCallId call)
{
    return m_database->read<std::optional<Approval>>(
        [call](Connection &c) { return ApprovalTable::find(c, call); });
}

Async<QList<ApprovalRule>> SqlConversationStore::rules()
{
    return m_database->read<QList<ApprovalRule>>(&ApprovalTable::rules);
}

Async<void> SqlConversationStore::saveRule(ApprovalRule rule)
{
    return m_database->write<void>(
        [rule, clock = m_clock](Connection &c) {
            ApprovalRule saved = rule;
            if (!saved.createdAt.isValid())
                saved.createdAt = clock();
            return ApprovalTable::saveRule(c, saved);
        },
        Durability::Now);
}

Async<void> SqlConversationStore::removeRule(QString id)
{
    return m_database->write<void>([id](Connection &c) { return ApprovalTable::removeRule(c, id); },
                                   Durability::Now);
}

Async<QList<AuditRecord>> SqlConversationStore::audit(QDateTime before, int limit)
{
    return m_database->read<QList<AuditRecord>>([before, limit, clock = m_clock](Connection &c) {
        return RunTable::audit(c, before.isValid() ? before : clock().addSecs(1), limit);
    });
}

} // namespace berth::storage
