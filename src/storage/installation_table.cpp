// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/installation_table.h"

#include "storage/json_columns.h"

namespace berth::storage {

using domain::InstallationId;
using domain::RequestId;

namespace {

constexpr qint64 kRequestSeconds = 24 * 60 * 60;

const QString kSandboxDb = QStringLiteral("sandbox_db");

Result<void> done(const Result<qint64> &changed)
{
    if (!changed)
        return failure(changed.error());
    return {};
}

Result<QMap<QString, QString>> paths(Connection &connection)
{
    Result<std::optional<Row>> row =
        connection.selectOne(QStringLiteral("SELECT paths_json FROM installation"));
    if (!row)
        return failure(row.error());
    return *row ? mapOf((*row)->text()) : QMap<QString, QString>();
}

} // namespace

Result<InstallationId> InstallationTable::id(Connection &connection, const QDateTime &now)
{
    const Result<qint64> made = connection.execute(
        QStringLiteral("INSERT INTO installation (only_row, uuid, created_at) VALUES (1, ?, ?) "
                       "ON CONFLICT (only_row) DO NOTHING"),
        {column(InstallationId::create().toString()), column(now)});
    if (!made)
        return failure(made.error());
    Result<std::optional<Row>> row =
        connection.selectOne(QStringLiteral("SELECT uuid FROM installation"));
    if (!row)
        return failure(row.error());
    return InstallationId(*row ? (*row)->text() : QString());
}

Result<QString> InstallationTable::sandboxDb(Connection &connection)
{
    const Result<QMap<QString, QString>> stored = paths(connection);
    if (!stored)
        return failure(stored.error());
    return stored->value(kSandboxDb);
}

Result<void> InstallationTable::setSandboxDb(Connection &connection, const QString &path)
{
    Result<QMap<QString, QString>> stored = paths(connection);
    if (!stored)
        return failure(stored.error());
    stored->insert(kSandboxDb, path);
    return done(connection.execute(QStringLiteral("UPDATE installation SET paths_json = ?"),
                                   {column(jsonOf(*stored))}));
}

Result<bool> InstallationTable::passthrough(Connection &connection)
{
    Result<std::optional<Row>> row =
        connection.selectOne(QStringLiteral("SELECT passthrough FROM installation"));
    if (!row)
        return failure(row.error());
    return *row && (*row)->integer() == 1;
}

Result<void> InstallationTable::setPassthrough(Connection &connection, bool allowed,
                                               const QDateTime &now)
{
    const Result<InstallationId> made = id(connection, now);
    if (!made)
        return failure(made.error());
    return done(connection.execute(QStringLiteral("UPDATE installation SET passthrough = ?"),
                                   {column(qint64(allowed ? 1 : 0))}));
}

Result<std::optional<QByteArray>> InstallationTable::requestResult(Connection &connection,
                                                                   const RequestId &id,
                                                                   const QDateTime &now)
{
    Result<std::optional<Row>> row = connection.selectOne(
        QStringLiteral("SELECT result FROM requests WHERE request_id = ? AND created_at > ?"),
        {column(id.toString()), column(now.addSecs(-kRequestSeconds))});
    if (!row)
        return failure(row.error());
    return *row ? std::optional((*row)->bytes()) : std::nullopt;
}

Result<void> InstallationTable::saveRequestResult(Connection &connection, const RequestId &id,
                                                  const QByteArray &result, const QDateTime &now)
{
    if (const Result<void> pruned = pruneRequests(connection, now); !pruned)
        return pruned;
    return done(connection.execute(
        QStringLiteral("INSERT INTO requests (request_id, result, created_at) VALUES (?, ?, ?) "
                       "ON CONFLICT (request_id) DO NOTHING"),
        {column(id.toString()), column(result), column(now)}));
}

Result<void> InstallationTable::pruneRequests(Connection &connection, const QDateTime &now)
{
    return done(connection.execute(QStringLiteral("DELETE FROM requests WHERE created_at <= ?"),
                                   {column(now.addSecs(-kRequestSeconds))}));
}

} // namespace berth::storage
