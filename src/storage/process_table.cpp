// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/process_table.h"

namespace berth::storage {

using domain::ProcessRecord;

namespace {

ProcessRecord processFrom(Row row)
{
    ProcessRecord process;
    process.id = domain::ProcessId(row.text());
    process.lease = domain::LeaseId(row.text());
    process.instance = domain::InstanceId(row.text());
    process.thread = domain::ThreadId(row.text());
    process.title = row.text();
    process.command = row.text();
    process.cwd = row.bytes();
    const auto columns = static_cast<int>(row.integer());
    const auto rows = static_cast<int>(row.integer());
    if (columns > 0 && rows > 0)
        process.terminal = domain::TerminalSize{columns, rows};
    process.stage =
        domain::processStageFromWire(row.text()).value_or(domain::ProcessStage::Running);
    const QString outcome = row.text();
    domain::Outcome end;
    end.code = static_cast<int>(row.integer());
    end.detail = row.text();
    end.duration = std::chrono::milliseconds(row.integer());
    if (process.stage == domain::ProcessStage::Ended) {
        end.kind = domain::outcomeKindFromWire(outcome).value_or(domain::OutcomeKind::Interrupted);
        process.outcome = end;
    }
    process.outputRef = row.text();
    process.outputBytes = row.integer();
    process.skippedBytes = row.integer();
    process.outOffset = row.integer();
    process.errOffset = row.integer();
    process.startedAt = row.time();
    process.endedAt = row.time();
    return process;
}

} // namespace

Result<QList<ProcessRecord>> ProcessTable::all(Connection &connection)
{
    Result<QList<Row>> rows = connection.select(QStringLiteral(
        "SELECT process_id, lease_id, instance_id, thread_id, title, command, cwd, columns, rows, "
        "stage, outcome, code, detail, duration_ms, output_ref, output_bytes, skipped_bytes, "
        "out_offset, err_offset, started_at, ended_at FROM sandbox_processes "
        "ORDER BY started_at, process_id"));
    if (!rows)
        return failure(rows.error());
    QList<ProcessRecord> processes;
    for (const Row &row : std::as_const(*rows))
        processes << processFrom(row);
    return processes;
}

Result<void> ProcessTable::save(Connection &connection, const ProcessRecord &process)
{
    const domain::TerminalSize size = process.terminal.value_or(domain::TerminalSize{0, 0});
    const domain::Outcome outcome = process.outcome.value_or(domain::Outcome{});
    const Result<qint64> saved = connection.execute(
        QStringLiteral(
            "INSERT INTO sandbox_processes (process_id, lease_id, instance_id, thread_id, kind, "
            "title, command, cwd, columns, rows, stage, outcome, code, detail, duration_ms, "
            "output_ref, output_bytes, skipped_bytes, out_offset, err_offset, started_at, "
            "ended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (process_id) DO UPDATE SET instance_id = excluded.instance_id, "
            "title = excluded.title, cwd = excluded.cwd, columns = excluded.columns, "
            "rows = excluded.rows, stage = excluded.stage, outcome = excluded.outcome, "
            "code = excluded.code, detail = excluded.detail, duration_ms = excluded.duration_ms, "
            "output_ref = excluded.output_ref, output_bytes = excluded.output_bytes, "
            "skipped_bytes = excluded.skipped_bytes, out_offset = excluded.out_offset, "
            "err_offset = excluded.err_offset, started_at = excluded.started_at, "
            "ended_at = excluded.ended_at"),
        {column(process.id.toString()),
         column(process.lease.toString()),
         columnOrNull(process.instance.toString()),
         columnOrNull(process.thread.toString()),
         column(process.terminal ? QStringLiteral("terminal") : QStringLiteral("background")),
         column(process.title),
         column(process.command),
         column(process.cwd),
         column(qint64{size.columns}),
         column(qint64{size.rows}),
         column(domain::wireName(process.stage)),
         columnOrNull(process.outcome ? domain::wireName(outcome.kind) : QString()),
         column(qint64{outcome.code}),
         column(outcome.detail),
         column(qint64{outcome.duration.count()}),
         column(process.outputRef),
         column(process.outputBytes),
         column(process.skippedBytes),
         column(process.outOffset),
         column(process.errOffset),
         column(process.startedAt),
         column(process.endedAt)});
    if (!saved)
        return failure(saved.error());
    return {};
}

Result<void> ProcessTable::remove(Connection &connection, const domain::ProcessId &id)
{
    const Result<qint64> removed =
        connection.execute(QStringLiteral("DELETE FROM sandbox_processes WHERE process_id = ?"),
                           {column(id.toString())});
    if (!removed)
        return failure(removed.error());
    return {};
}

} // namespace berth::storage
