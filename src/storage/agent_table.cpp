// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/agent_table.h"

namespace berth::storage {

using domain::Agent;
using domain::AgentId;

Result<QList<Agent>> AgentTable::all(Connection &connection)
{
    Result<QList<Row>> rows =
        connection.select(QStringLiteral("SELECT agent_id, name, model_ref, instructions, "
                                         "config_json, security_json, created_at, updated_at "
                                         "FROM agents ORDER BY created_at, agent_id"));
    if (!rows)
        return failure(rows.error());
    QList<Agent> agents;
    for (Row &row : *rows) {
        Agent agent;
        agent.id = AgentId(row.text());
        agent.name = row.text();
        agent.modelRef = row.text();
        agent.instructions = row.text();
        agent.config = row.text();
        agent.security = row.text();
        agent.createdAt = row.time();
        agent.updatedAt = row.time();
        agents << agent;
    }
    return agents;
}

Result<void> AgentTable::save(Connection &connection, const Agent &agent, const QDateTime &now)
{
    const Result<qint64> saved = connection.execute(
        QStringLiteral(
            "INSERT INTO agents (agent_id, name, model_ref, instructions, config_json, "
            "security_json, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (agent_id) DO UPDATE SET name = excluded.name, "
            "model_ref = excluded.model_ref, instructions = excluded.instructions, "
            "config_json = excluded.config_json, security_json = excluded.security_json, "
            "updated_at = excluded.updated_at"),
        {column(agent.id.toString()), column(agent.name), column(agent.modelRef),
         column(agent.instructions), column(agent.config), column(agent.security),
         column(agent.createdAt.isValid() ? agent.createdAt : now), column(now)});
    if (!saved)
        return failure(saved.error());
    return {};
}

Result<void> AgentTable::add(Connection &connection, const Agent &agent, const QDateTime &now)
{
    if (require(connection, agent.id))
        return failure(ErrorKind::Conflict,
                       QStringLiteral("There is an agent %1 already").arg(agent.id.toString()));
    return save(connection, agent, now);
}

Result<void> AgentTable::remove(Connection &connection, const AgentId &id)
{
    if (const Result<void> known = require(connection, id); !known)
        return known;
    Result<std::optional<Row>> used = connection.selectOne(
        QStringLiteral("SELECT (SELECT count(*) FROM threads WHERE agent_id = ?), "
                       "(SELECT count(*) FROM sandboxes WHERE agent_id = ? "
                       "AND status <> 'deleted')"),
        {column(id.toString()), column(id.toString())});
    if (!used)
        return failure(used.error());
    const qint64 threads = (*used)->integer();
    const qint64 sandboxes = (*used)->integer();
    if (threads > 0 || sandboxes > 0) {
        return failure(
            ErrorKind::Conflict, QStringLiteral("The agent %1 is still used").arg(id.toString()),
            QStringLiteral("It has %1 threads and %2 sandboxes.").arg(threads).arg(sandboxes));
    }
    // Its rules would hold for a later agent of the same name.
    for (const QString &statement : {QStringLiteral("DELETE FROM approval_rules "
                                                    "WHERE scope = 'agent' AND owner = ?"),
                                     QStringLiteral("DELETE FROM sandboxes WHERE agent_id = ?"),
                                     QStringLiteral("DELETE FROM agents WHERE agent_id = ?")}) {
        const Result<qint64> removed = connection.execute(statement, {column(id.toString())});
        if (!removed)
            return failure(removed.error());
    }
    return {};
}

Result<void> AgentTable::require(Connection &connection, const AgentId &id)
{
    const Result<std::optional<Row>> row = connection.selectOne(
        QStringLiteral("SELECT 1 FROM agents WHERE agent_id = ?"), {column(id.toString())});
    if (!row)
        return failure(row.error());
    if (!*row)
        return failure(ErrorKind::NotFound,
                       QStringLiteral("There is no agent %1").arg(id.toString()));
    return {};
}

} // namespace berth::storage
