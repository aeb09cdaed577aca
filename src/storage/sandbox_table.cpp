// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/sandbox_table.h"

#include "domain/sandbox/naming.h"
#include "domain/thread/stores.h"
#include "storage/json_columns.h"

#include <QtCore/QSet>

namespace berth::storage {

using domain::AgentId;
using domain::Sandbox;
using domain::SandboxId;
using domain::SandboxStatus;

namespace {

const QString kSelectSandbox =
    QStringLiteral("SELECT id, agent_id, alias, type, config, status, "
                   "external_id, runtime_state, provider_config, workspace, "
                   "created_at, updated_at, last_seen_at FROM sandboxes ");

Sandbox sandboxFrom(Row row)
{
    Sandbox sandbox;
    sandbox.id = SandboxId(row.text());
    sandbox.agent = AgentId(row.text());
    sandbox.alias = row.text();
    sandbox.type = row.text();
    sandbox.config = mapOf(row.text());
    sandbox.status = domain::sandboxStatusFromWire(row.text()).value_or(SandboxStatus::Deleted);
    sandbox.externalId = row.text();
    sandbox.runtimeState = row.text();
    sandbox.providerConfig = domain::ConfigName(row.text());
    sandbox.workspace = row.text();
    sandbox.createdAt = row.time();
    sandbox.updatedAt = row.time();
    sandbox.lastSeenAt = row.time();
    return sandbox;
}

} // namespace

Result<QList<Sandbox>> SandboxTable::all(Connection &connection, bool deleted)
{
    const QString live = deleted ? QString() : QStringLiteral("WHERE status <> 'deleted' ");
    Result<QList<Row>> rows =
        connection.select(kSelectSandbox + live + QStringLiteral("ORDER BY created_at, id"));
    if (!rows)
        return failure(rows.error());
    QList<Sandbox> sandboxes;
    for (const Row &row : std::as_const(*rows))
        sandboxes << sandboxFrom(row);
    return sandboxes;
}

Result<Sandbox> SandboxTable::find(Connection &connection, const SandboxId &id)
{
    Result<std::optional<Row>> row = connection.selectOne(
        kSelectSandbox + QStringLiteral("WHERE id = ?"), {column(id.toString())});
    if (!row)
        return failure(row.error());
    if (!*row)
        return failure(ErrorKind::NotFound,
                       QStringLiteral("There is no sandbox %1").arg(id.toString()));
    return sandboxFrom(**row);
}

Result<QString> SandboxTable::freeAlias(Connection &connection, const AgentId &agent,
                                        const QString &type)
{
    Result<QList<Row>> rows = connection.select(
        QStringLiteral("SELECT alias FROM sandboxes WHERE agent_id = ? AND status <> 'deleted'"),
        {column(agent.toString())});
    if (!rows)
        return failure(rows.error());
    QSet<QString> taken;
    for (Row &row : *rows)
        taken.insert(row.text());
    // Room for the number within the longest name.
    const QString stem = domain::nameFrom(type).left(24);
    for (qsizetype n = 1;; ++n) {
        const QString alias = QStringLiteral("%1-%2").arg(stem).arg(n);
        if (!taken.contains(alias))
            return alias;
    }
}

Result<Sandbox> SandboxTable::add(Connection &connection, Sandbox sandbox, const QDateTime &now)
{
    if (sandbox.alias.isEmpty()) {
        Result<QString> alias = freeAlias(connection, sandbox.agent, sandbox.type);
        if (!alias)
            return failure(alias.error());
        sandbox.alias = *alias;
    } else if (!domain::isValidName(sandbox.alias)) {
        return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("%1 cannot be a sandbox's name").arg(sandbox.alias),
            QStringLiteral(
                "Use up to 32 small letters, digits, - and _, beginning with a letter or a "
                "digit."));
    }
    if (sandbox.id.isNull())
        sandbox.id = SandboxId::create();
    if (!sandbox.createdAt.isValid())
        sandbox.createdAt = now;
    sandbox.updatedAt = now;
    const Result<std::optional<Row>> taken = connection.selectOne(
        QStringLiteral(
            "SELECT 1 FROM sandboxes WHERE agent_id = ? AND alias = ? AND status <> 'deleted'"),
        {column(sandbox.agent.toString()), column(sandbox.alias)});
    if (!taken)
        return failure(taken.error());
    if (*taken) {
        return failure(
            ErrorKind::Conflict,
            QStringLiteral("The agent has a sandbox named %1 already").arg(sandbox.alias));
    }
    const Result<qint64> added = connection.execute(
        QStringLiteral(
            "INSERT INTO sandboxes (id, agent_id, alias, type, config, status, external_id, "
            "runtime_state, provider_config, workspace, created_at, updated_at, last_seen_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        {column(sandbox.id.toString()), column(sandbox.agent.toString()), column(sandbox.alias),
         column(sandbox.type), column(jsonOf(sandbox.config)), column(wireName(sandbox.status)),
         column(sandbox.externalId), column(sandbox.runtimeState),
         column(sandbox.providerConfig.toString()), column(sandbox.workspace),
         column(sandbox.createdAt), column(sandbox.updatedAt), column(sandbox.lastSeenAt)});
    if (!added)
        return failure(added.error());
    return sandbox;
}

Result<Sandbox> SandboxTable::restore(Connection &connection, const SandboxId &id,
                                      const QDateTime &now)
{
    Result<Sandbox> row = find(connection, id);
    if (!row)
        return row;
    if (row->status != domain::SandboxStatus::Deleted)
        return failure(ErrorKind::Conflict,
                       QStringLiteral("The sandbox %1 is not deleted").arg(row->alias));
    const Result<std::optional<Row>> taken = connection.selectOne(
        QStringLiteral(
            "SELECT 1 FROM sandboxes WHERE agent_id = ? AND alias = ? AND status <> 'deleted'"),
        {column(row->agent.toString()), column(row->alias)});
    if (!taken)
        return failure(taken.error());
    if (*taken) {
        return failure(ErrorKind::Conflict,
                       QStringLiteral("The agent has another sandbox named %1 now").arg(row->alias),
                       QStringLiteral("Remove that one first, or leave this one deleted."));
    }
    row->status = domain::SandboxStatus::Pending;
    row->updatedAt = now;
    const Result<qint64> changed = connection.execute(
        QStringLiteral("UPDATE sandboxes SET status = 'pending', updated_at = ? WHERE id = ?"),
        {column(now), column(id.toString())});
    if (!changed)
        return failure(changed.error());
    return row;
}

Result<void> SandboxTable::update(Connection &connection, const Sandbox &sandbox,
                                  const QDateTime &now)
{
    const QString status = wireName(sandbox.status);
    const Result<qint64> changed = connection.execute(
        QStringLiteral(
            "UPDATE sandboxes SET alias = ?, type = ?, config = ?, status = ?, external_id = ?, "
            "runtime_state = ?, provider_config = ?, workspace = ?, updated_at = ?, "
            "last_seen_at = ? WHERE id = ? AND (status <> 'deleted' OR ? = 'deleted')"),
        {column(sandbox.alias), column(sandbox.type), column(jsonOf(sandbox.config)),
         column(status), column(sandbox.externalId), column(sandbox.runtimeState),
         column(sandbox.providerConfig.toString()), column(sandbox.workspace), column(now),
         column(sandbox.lastSeenAt), column(sandbox.id.toString()), column(status)});
    if (!changed)
        return failure(changed.error());
    if (*changed == 1)
        return {};
    const Result<Sandbox> stored = find(connection, sandbox.id);
    if (!stored)
        return failure(stored.error());
    return failure(ErrorKind::Conflict,
                   QStringLiteral("The sandbox %1 was deleted").arg(stored->alias));
}

} // namespace berth::storage
