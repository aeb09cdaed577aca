// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/thread/conversation_store.h"
#include "storage/storage.h"

namespace berth::storage {

class Database;

class SqlConversationStore final : public domain::ConversationStore
{
public:
    SqlConversationStore(std::shared_ptr<Database> database, Clock clock);
    ~SqlConversationStore() override;

    domain::Async<std::pair<domain::Message, QList<domain::ToolCall>>> addReply(
        domain::Message reply, QList<domain::ToolCall> calls, domain::Run run) override;
    domain::Async<void> supersede(domain::ThreadId thread, qint64 fromSeq) override;
    domain::Async<void> addApproval(domain::Approval approval) override;
    domain::Async<void> decideApproval(domain::Approval decided) override;
    domain::Async<QList<domain::Approval>> pendingApprovals() override;
    domain::Async<std::optional<domain::Approval>> approval(domain::ToolCallId call) override;
    domain::Async<QList<domain::ApprovalRule>> rules() override;
    domain::Async<void> saveRule(domain::ApprovalRule rule) override;
    domain::Async<void> removeRule(QString id) override;
    domain::Async<QList<domain::AuditRecord>> audit(QDateTime before, int limit) override;

private:
    std::shared_ptr<Database> m_database;
    Clock m_clock;
};

} // namespace berth::storage
