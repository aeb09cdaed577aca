// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/approval_table.h"

namespace berth::storage {

using domain::Approval;
using domain::ApprovalRule;
using domain::ErrorKind;
using domain::ToolCallId;

namespace {

const QString kSelectApprovals = QStringLiteral("SELECT ")
    + ApprovalTable::columns(QStringLiteral("approvals")) + QStringLiteral(" FROM approvals ");

Approval approvalFrom(Row &row)
{
    Approval approval;
    approval.toolCall = ToolCallId(row.text());
    approval.run = domain::RunId(row.text());
    approval.thread = domain::ThreadId(row.text());
    approval.reason = row.text();
    approval.decision = row.text();
    approval.scope = row.text();
    approval.decidedBy = row.text();
    approval.note = row.text();
    approval.createdAt = row.time();
    approval.decidedAt = row.time();
    return approval;
}

} // namespace

Result<void> ApprovalTable::add(Connection &connection, const Approval &approval)
{
    const Result<qint64> added = connection.execute(
        QStringLiteral("INSERT INTO approvals (tool_call_id, run_id, thread_id, reason, decision, "
                       "scope, decided_by, note, created_at, decided_at) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                       // Where the call would now be done elsewhere it is asked again.
                       "ON CONFLICT (tool_call_id) DO UPDATE SET reason = excluded.reason, "
                       "decision = excluded.decision, scope = excluded.scope, "
                       "decided_by = excluded.decided_by, note = excluded.note, "
                       "created_at = excluded.created_at, decided_at = excluded.decided_at "
                       "WHERE approvals.decision IS NOT NULL"),
        {column(approval.toolCall.toString()), column(approval.run.toString()),
         column(approval.thread.toString()), column(approval.reason),
         columnOrNull(approval.decision), column(approval.scope), column(approval.decidedBy),
         column(approval.note), column(approval.createdAt), column(approval.decidedAt)});
    if (!added)
        return failure(added.error());
    return {};
}

Result<void> ApprovalTable::decide(Connection &connection, const Approval &decided)
{
    const Result<qint64> changed = connection.execute(
        QStringLiteral("UPDATE approvals SET decision = ?, scope = ?, decided_by = ?, note = ?, "
                       "decided_at = ? WHERE tool_call_id = ? AND decision IS NULL"),
        {column(decided.decision), column(decided.scope), column(decided.decidedBy),
         column(decided.note), column(decided.decidedAt), column(decided.toolCall.toString())});
    if (!changed)
        return failure(changed.error());
    if (*changed == 1)
        return {};
    const Result<std::optional<Approval>> there = find(connection, decided.toolCall);
    if (!there)
        return failure(there.error());
    if (!*there)
        return failure(ErrorKind::NotFound, QStringLiteral("This was never asked"));
    return failure(ErrorKind::Conflict, QStringLiteral("This was decided already"),
                   (*there)->decidedBy);
}

Result<QList<Approval>> ApprovalTable::pending(Connection &connection)
{
    Result<QList<Row>> rows =
        connection.select(kSelectApprovals
                          + QStringLiteral("WHERE decision IS NULL ORDER BY created_at, "
                                           "tool_call_id"));
    if (!rows)
        return failure(rows.error());
    QList<Approval> all;
    for (Row &row : *rows)
        all << approvalFrom(row);
    return all;
}

Result<std::optional<Approval>> ApprovalTable::find(Connection &connection, const ToolCallId &call)
{
    Result<std::optional<Row>> row = connection.selectOne(
        kSelectApprovals + QStringLiteral("WHERE tool_call_id = ?"), {column(call.toString())});
    if (!row)
        return failure(row.error());
    if (!*row)
        return std::optional<Approval>();
    return std::optional<Approval>(approvalFrom(**row));
}

QString ApprovalTable::columns(const QString &name)
{
    return QStringLiteral("%1.tool_call_id, %1.run_id, %1.thread_id, %1.reason, %1.decision, "
                          "%1.scope, %1.decided_by, %1.note, %1.created_at, %1.decided_at")
        .arg(name);
}

std::optional<Approval> ApprovalTable::joined(Row &row)
{
    const Approval approval = approvalFrom(row);
    return approval.toolCall.isNull() ? std::nullopt : std::optional<Approval>(approval);
}

Result<QList<ApprovalRule>> ApprovalTable::rules(Connection &connection)
{
    Result<QList<Row>> rows = connection.select(
        QStringLiteral("SELECT id, scope, owner, tool, pattern, decision, created_at "
                       "FROM approval_rules ORDER BY created_at, id"));
    if (!rows)
        return failure(rows.error());
    QList<ApprovalRule> all;
    for (Row &row : *rows) {
        ApprovalRule rule;
        rule.id = row.text();
        rule.scope = row.text();
        rule.owner = row.text();
        rule.tool = row.text();
        rule.pattern = row.text();
        rule.decision = row.text();
        rule.createdAt = row.time();
        all << rule;
    }
    return all;
}

Result<void> ApprovalTable::saveRule(Connection &connection, const ApprovalRule &rule)
{
    const Result<qint64> saved = connection.execute(
        QStringLiteral(
            "INSERT INTO approval_rules (id, scope, owner, tool, pattern, decision, created_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET scope = excluded.scope, "
            "owner = excluded.owner, tool = excluded.tool, pattern = excluded.pattern, "
            "decision = excluded.decision"),
        {column(rule.id), column(rule.scope), column(rule.owner), column(rule.tool),
         column(rule.pattern), column(rule.decision), column(rule.createdAt)});
    if (!saved)
        return failure(saved.error());
    return {};
}

Result<void> ApprovalTable::removeRule(Connection &connection, const QString &id)
{
    const Result<qint64> removed =
        connection.execute(QStringLiteral("DELETE FROM approval_rules WHERE id = ?"), {column(id)});
    if (!removed)
        return failure(removed.error());
    if (*removed == 0)
        return failure(ErrorKind::NotFound, QStringLiteral("There is no rule %1").arg(id));
    return {};
}

} // namespace berth::storage
