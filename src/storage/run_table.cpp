// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/run_table.h"

#include "storage/approval_table.h"

namespace berth::storage {

using domain::AuditRecord;
using domain::Outcome;
using domain::OutcomeKind;
using domain::Run;
using domain::RunState;
using domain::ThreadId;
using domain::ToolCall;
using domain::ToolCallId;
using domain::ToolCallOrigin;
using domain::ToolCallState;

namespace {

const QString kCallColumns = QStringLiteral(
    "c.id, c.run_id, c.thread_id, c.seq, c.tool, c.arguments, c.origin, c.state, c.outcome, "
    "c.exit_code, c.signal, c.detail, c.duration_ms, c.end_cwd, c.peak_memory, c.cpu_time_us, "
    "c.output_ref, c.output_bytes, c.cwd, c.started_at, c.ended_at, c.call_id, c.result, "
    "c.is_error, c.diff, c.decision ");

const QString kSelectCalls = QStringLiteral("SELECT ") + kCallColumns
    + QStringLiteral("FROM tool_calls c JOIN runs r ON r.id = c.run_id ");

const QString kSelectAudit = QStringLiteral("SELECT ") + kCallColumns + QStringLiteral(", ")
    + ApprovalTable::columns(QStringLiteral("a"))
    + QStringLiteral(" FROM tool_calls c LEFT JOIN approvals a ON a.tool_call_id = c.id "
                     "WHERE c.begun_at < ? ORDER BY c.begun_at DESC, c.seq DESC LIMIT ?");

const QString kInOrder = QStringLiteral("ORDER BY r.created_at, r.id, c.seq");

ToolCall callFrom(Row &row)
{
    ToolCall call;
    call.id = ToolCallId(row.text());
    call.run = domain::RunId(row.text());
    call.thread = ThreadId(row.text());
    call.seq = row.integer();
    call.tool = row.text();
    call.arguments = row.text();
    call.origin =
        row.text() == QLatin1String("model") ? ToolCallOrigin::Model : ToolCallOrigin::User;
    call.state = domain::toolCallStateFromWire(row.text()).value_or(ToolCallState::Done);
    const std::optional<OutcomeKind> kind = domain::outcomeKindFromWire(row.text());
    Outcome outcome;
    outcome.kind = kind.value_or(OutcomeKind::Interrupted);
    const std::optional<qint64> exitCode = row.optionalInteger();
    const std::optional<qint64> signal = row.optionalInteger();
    outcome.code = static_cast<int>(exitCode.value_or(signal.value_or(0)));
    outcome.detail = row.text();
    outcome.duration = std::chrono::milliseconds(row.integer());
    outcome.cwd = row.optionalBytes();
    outcome.peakMemoryBytes = row.optionalInteger();
    if (const std::optional<qint64> cpuTime = row.optionalInteger())
        outcome.cpuTime = std::chrono::microseconds(*cpuTime);
    if (kind)
        call.outcome = outcome;
    call.outputRef = row.text();
    call.outputBytes = row.integer();
    call.cwd = row.bytes();
    call.startedAt = row.time();
    call.endedAt = row.time();
    call.callId = row.text();
    call.result = row.text();
    call.isError = row.flag();
    call.diff = row.text();
    call.decision = row.text();
    return call;
}

//! outcome … cpu_time_us, in the order of the statements below. The environment is not here: what
//! lasts of it is the terminal's.
Values outcomeColumns(const std::optional<Outcome> &outcome)
{
    if (!outcome) {
        return {columnOrNull(QString()),    columnOrNull(std::nullopt), columnOrNull(std::nullopt),
                column(QString()),          columnOrNull(std::nullopt), QVariant(),
                columnOrNull(std::nullopt), columnOrNull(std::nullopt)};
    }
    const auto codeIf = [&outcome](OutcomeKind kind) {
        return columnOrNull(outcome->kind == kind ? std::optional<qint64>(outcome->code)
                                                  : std::nullopt);
    };
    const std::optional<qint64> cpuTime =
        outcome->cpuTime ? std::optional<qint64>(outcome->cpuTime->count()) : std::nullopt;
    return {column(wireName(outcome->kind)),
            codeIf(OutcomeKind::Exited),
            codeIf(OutcomeKind::Signalled),
            column(outcome->detail),
            column(qint64(outcome->duration.count())),
            outcome->cwd ? column(*outcome->cwd) : QVariant(),
            columnOrNull(outcome->peakMemoryBytes),
            columnOrNull(cpuTime)};
}

//! result … decision, in the order of the statements below.
Values toldColumns(const ToolCall &call)
{
    return {column(call.result), column(qint64(call.isError ? 1 : 0)), column(call.diff),
            column(call.decision)};
}

Result<QList<ToolCall>> callsWhere(Connection &connection, const QString &condition,
                                   const Values &values)
{
    Result<QList<Row>> rows = connection.select(kSelectCalls + condition + kInOrder, values);
    if (!rows)
        return failure(rows.error());
    QList<ToolCall> calls;
    for (Row &row : *rows)
        calls << callFrom(row);
    return calls;
}

} // namespace

Result<QList<Run>> RunTable::all(Connection &connection, const ThreadId &thread)
{
    Result<QList<Row>> rows =
        connection.select(QStringLiteral("SELECT id, state, created_at, ended_at, usage_json, "
                                         "detail FROM runs WHERE thread_id = ? "
                                         "ORDER BY created_at, id"),
                          {column(thread.toString())});
    if (!rows)
        return failure(rows.error());
    QList<Run> runs;
    for (Row &row : *rows) {
        Run run;
        run.id = domain::RunId(row.text());
        run.thread = thread;
        run.state = domain::runStateFromWire(row.text()).value_or(RunState::Failed);
        run.createdAt = row.time();
        run.endedAt = row.time();
        run.usage = row.text();
        run.detail = row.text();
        runs << run;
    }
    return runs;
}

Result<void> RunTable::add(Connection &connection, const Run &run)
{
    const Result<qint64> added = connection.execute(
        QStringLiteral(
            "INSERT INTO runs (id, thread_id, state, created_at, ended_at, usage_json, detail) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)"),
        {column(run.id.toString()), column(run.thread.toString()), column(wireName(run.state)),
         column(run.createdAt), column(run.endedAt), column(run.usage), column(run.detail)});
    if (!added)
        return failure(added.error());
    return {};
}

Result<void> RunTable::update(Connection &connection, const Run &run)
{
    const Result<qint64> changed = connection.execute(
        QStringLiteral("UPDATE runs SET state = ?, ended_at = ?, usage_json = ?, detail = ? "
                       "WHERE id = ?"),
        {column(wireName(run.state)), column(run.endedAt), column(run.usage), column(run.detail),
         column(run.id.toString())});
    if (!changed)
        return failure(changed.error());
    if (*changed == 0)
        return failure(ErrorKind::NotFound,
                       QStringLiteral("There is no run %1").arg(run.id.toString()));
    return {};
}

Result<QList<ToolCall>> RunTable::toolCalls(Connection &connection, const ThreadId &thread)
{
    return callsWhere(connection, QStringLiteral("WHERE c.thread_id = ? "),
                      {column(thread.toString())});
}

Result<ToolCall> RunTable::toolCall(Connection &connection, const ToolCallId &id)
{
    const Result<QList<ToolCall>> calls =
        callsWhere(connection, QStringLiteral("WHERE c.id = ? "), {column(id.toString())});
    if (!calls)
        return failure(calls.error());
    if (calls->isEmpty())
        return failure(ErrorKind::NotFound,
                       QStringLiteral("There is no tool call %1").arg(id.toString()));
    return calls->first();
}

Result<ToolCall> RunTable::addToolCall(Connection &connection, ToolCall call)
{
    if (call.seq == 0) {
        Result<std::optional<Row>> last = connection.selectOne(
            QStringLiteral("SELECT coalesce(max(seq), 0) FROM tool_calls WHERE run_id = ?"),
            {column(call.run.toString())});
        if (!last)
            return failure(last.error());
        call.seq = *last ? (*last)->integer() + 1 : 1;
    }
    Values values{column(call.id.toString()),
                  column(call.run.toString()),
                  column(call.thread.toString()),
                  column(call.seq),
                  column(call.tool),
                  column(call.arguments),
                  column(call.origin == ToolCallOrigin::Model ? QStringLiteral("model")
                                                              : QStringLiteral("user")),
                  column(wireName(call.state))};
    values << outcomeColumns(call.outcome);
    values << column(call.outputRef) << column(call.outputBytes) << column(call.cwd)
           << column(call.startedAt) << column(call.endedAt) << column(call.callId);
    values << toldColumns(call);
    values << column(call.startedAt) << column(call.run.toString());
    const Result<qint64> added = connection.execute(
        QStringLiteral(
            "INSERT INTO tool_calls (id, run_id, thread_id, seq, tool, arguments, origin, state, "
            "outcome, exit_code, signal, detail, duration_ms, end_cwd, peak_memory, cpu_time_us, "
            "output_ref, output_bytes, cwd, started_at, ended_at, call_id, result, is_error, "
            "diff, decision, begun_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
            "?, coalesce(?, (SELECT created_at FROM runs WHERE id = ?)))"),
        values);
    if (!added)
        return failure(added.error());
    return call;
}

Result<void> RunTable::updateToolCall(Connection &connection, const ToolCall &call)
{
    Values values{column(wireName(call.state))};
    values << outcomeColumns(call.outcome);
    values << column(call.outputRef) << column(call.outputBytes) << column(call.cwd)
           << column(call.startedAt) << column(call.endedAt);
    values << toldColumns(call) << column(call.startedAt) << column(call.id.toString());
    const Result<qint64> changed = connection.execute(
        QStringLiteral(
            "UPDATE tool_calls SET state = ?, outcome = ?, exit_code = ?, signal = ?, detail = ?, "
            "duration_ms = ?, end_cwd = ?, peak_memory = ?, cpu_time_us = ?, output_ref = ?, "
            "output_bytes = ?, cwd = ?, started_at = ?, ended_at = ?, result = ?, is_error = ?, "
            "diff = ?, decision = ?, begun_at = coalesce(?, begun_at) WHERE id = ?"),
        values);
    if (!changed)
        return failure(changed.error());
    if (*changed == 0)
        return failure(ErrorKind::NotFound,
                       QStringLiteral("There is no tool call %1").arg(call.id.toString()));
    return {};
}

Result<QList<AuditRecord>> RunTable::audit(Connection &connection, const QDateTime &before,
                                           int limit)
{
    Result<QList<Row>> rows =
        connection.select(kSelectAudit, {column(before), column(qint64(limit))});
    if (!rows)
        return failure(rows.error());
    QList<AuditRecord> records;
    for (Row &row : *rows) {
        const ToolCall call = callFrom(row);
        records << AuditRecord{call, ApprovalTable::joined(row)};
    }
    return records;
}

Result<QList<ToolCall>> RunTable::interruptUnfinished(Connection &connection, const QDateTime &now)
{
    // What only waits for the user's decision still does, and with it the calls behind it that have
    // not begun: a reply's calls begin in their order.
    Result<QList<ToolCall>> calls = callsWhere(
        connection,
        QStringLiteral("WHERE c.state <> 'done' AND NOT EXISTS (SELECT 1 FROM approvals a "
                       "JOIN tool_calls asked ON asked.id = a.tool_call_id "
                       "WHERE a.decision IS NULL AND asked.run_id = c.run_id "
                       "AND (asked.id = c.id OR (asked.seq < c.seq AND c.state = 'pending'))) "),
        {});
    if (!calls)
        return failure(calls.error());
    for (ToolCall &call : *calls) {
        Outcome outcome;
        outcome.kind = OutcomeKind::Interrupted;
        outcome.detail = call.state == ToolCallState::Running
            ? QStringLiteral("Berth ended while it ran; how it ended is not known")
            : QStringLiteral("Berth ended before it started");
        if (call.startedAt.isValid())
            outcome.duration =
                std::chrono::milliseconds(qMax<qint64>(0, call.startedAt.msecsTo(now)));
        call.state = ToolCallState::Done;
        call.outcome = outcome;
        call.endedAt = now;
        if (const Result<void> changed = updateToolCall(connection, call); !changed)
            return failure(changed.error());
    }
    const Result<qint64> runs = connection.execute(
        QStringLiteral("UPDATE runs SET state = 'interrupted', ended_at = ? "
                       "WHERE state IN ('queued', 'running', 'awaiting_approval') "
                       "AND NOT EXISTS (SELECT 1 FROM approvals a WHERE a.run_id = runs.id "
                       "AND a.decision IS NULL)"),
        {column(now)});
    if (!runs)
        return failure(runs.error());
    return calls;
}

} // namespace berth::storage
