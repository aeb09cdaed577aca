// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "domain/thread/thread.h"

#include <QtCore/QList>

#include <optional>

namespace berth::domain {

//! The user's decision on one tool call, pending until \a decision is set.
struct Approval
{
    ToolCallId toolCall;
    RunId run;
    ThreadId thread;
    //! Why it is asked.
    QString reason;
    //! "allow" or "deny"; empty: pending.
    QString decision;
    //! "once", "thread", "always".
    QString scope;
    //! "user", "rule <pattern>", "run ended".
    QString decidedBy;
    //! What the model is told of a denial.
    QString note;
    QDateTime createdAt;
    QDateTime decidedAt;
    bool operator==(const Approval &) const = default;
};

//! A rule over commands, as stored.
struct ApprovalRule
{
    QString id;
    //! "thread", "agent", "global"
    QString scope;
    //! The thread's or agent's id; empty for global.
    QString owner;
    QString tool;
    QString pattern;
    //! "allow", "ask", "deny"
    QString decision;
    QDateTime createdAt;
    bool operator==(const ApprovalRule &) const = default;
};

//! One tool call with its decision, for the audit.
struct AuditRecord
{
    ToolCall call;
    std::optional<Approval> approval;
};

//! What an agent's runs leave in berth.db beside BerthStore's records. Same rules as there.
class ConversationStore
{
public:
    virtual ~ConversationStore() = default;

    //! The agent's message, its tool calls (pending), and the run's state and usage, in one
    //! transaction. Gives the message's seq and the calls' seq within the run.
    virtual Async<std::pair<Message, QList<ToolCall>>> addReply(Message reply,
                                                                QList<ToolCall> calls, Run run) = 0;
    //! From this message on nothing is in the model's view any more.
    virtual Async<void> supersede(ThreadId thread, qint64 fromSeq) = 0;

    //! A run's tool call and its approval, so that a pending one survives a restart.
    virtual Async<void> addApproval(Approval approval) = 0;
    //! Conflict when it was decided already, NotFound when it was never asked.
    virtual Async<void> decideApproval(Approval decided) = 0;
    virtual Async<QList<Approval>> pendingApprovals() = 0;
    virtual Async<std::optional<Approval>> approval(ToolCallId call) = 0;

    virtual Async<QList<ApprovalRule>> rules() = 0;
    //! Adds, or replaces the one with its id.
    virtual Async<void> saveRule(ApprovalRule rule) = 0;
    virtual Async<void> removeRule(QString id) = 0;

    //! Newest first, begun before \a before when it is valid.
    virtual Async<QList<AuditRecord>> audit(QDateTime before, int limit) = 0;
};

} // namespace berth::domain
