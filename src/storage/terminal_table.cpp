// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/terminal_table.h"

#include "domain/secret.h"
#include "storage/json_columns.h"

#include <algorithm>
#include <array>

namespace berth::storage {

using domain::Environment;
using domain::Terminal;

bool TerminalTable::mayHoldKey(const QByteArray &name, const QByteArray &value)
{
    // Parts of names: GITHUB_TOKEN, PGPASSWORD, AWS_SECRET_ACCESS_KEY. Rather one too many
    // (KEYBOARD, AUTHOR) than one too few.
    static constexpr std::array kMarks{"KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL", "AUTH"};
    const QByteArray upper = name.toUpper();
    const bool named = std::any_of(kMarks.begin(), kMarks.end(),
                                   [&upper](const char *mark) { return upper.contains(mark); });
    return named || domain::redacted(value) != value;
}

Result<std::optional<Terminal>> TerminalTable::find(Connection &connection,
                                                    const domain::ThreadId &thread)
{
    Result<std::optional<Row>> row = connection.selectOne(
        QStringLiteral(
            "SELECT terminal_id, lease_id, cwd, env_delta_json, withheld_json, state_version "
            "FROM abstract_terminals WHERE thread_id = ? "
            "ORDER BY created_at DESC, terminal_id DESC LIMIT 1"),
        {column(thread.toString())});
    if (!row)
        return failure(row.error());
    if (!*row)
        return std::nullopt;
    Terminal terminal;
    terminal.id = domain::TerminalId((*row)->text());
    terminal.thread = thread;
    terminal.lease = domain::LeaseId((*row)->text());
    terminal.cwd = (*row)->bytes();
    terminal.environmentDelta = environmentOf((*row)->text());
    terminal.withheld = namesOf((*row)->text());
    terminal.stateVersion = (*row)->integer();
    return terminal;
}

Result<void> TerminalTable::save(Connection &connection, const Terminal &terminal,
                                 const QDateTime &now)
{
    Environment kept;
    QList<QByteArray> withheld = terminal.withheld;
    for (const auto &[name, value] : terminal.environmentDelta) {
        // Set anew, it is decided anew.
        withheld.removeAll(name);
        if (mayHoldKey(name, value))
            withheld << name;
        else
            kept.append({name, value});
    }
    const Result<qint64> saved = connection.execute(
        QStringLiteral(
            "INSERT INTO abstract_terminals (terminal_id, thread_id, lease_id, cwd, "
            "env_delta_json, "
            "withheld_json, state_version, created_at, updated_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (terminal_id) DO UPDATE SET lease_id = excluded.lease_id, "
            "cwd = excluded.cwd, env_delta_json = excluded.env_delta_json, "
            "withheld_json = excluded.withheld_json, state_version = excluded.state_version, "
            "updated_at = excluded.updated_at"),
        {column(terminal.id.toString()), column(terminal.thread.toString()),
         columnOrNull(terminal.lease.toString()), column(terminal.cwd), column(jsonOf(kept)),
         column(jsonOf(withheld)), column(terminal.stateVersion), column(now), column(now)});
    if (!saved)
        return failure(saved.error());
    return {};
}

} // namespace berth::storage
