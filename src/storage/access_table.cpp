// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/access_table.h"

#include "storage/json_columns.h"

namespace berth::storage {

using domain::ApiGrants;
using domain::ApiToken;
using domain::ThreadId;

namespace {

Result<void> stored(const Result<qint64> &changed)
{
    if (!changed)
        return failure(changed.error());
    return {};
}

QString scopesText(const QStringList &scopes)
{
    QList<QByteArray> names;
    for (const QString &scope : scopes)
        names.append(scope.toUtf8());
    return jsonOf(names);
}

QStringList scopesFrom(const QString &json)
{
    QStringList scopes;
    const QList<QByteArray> names = namesOf(json);
    for (const QByteArray &name : names)
        scopes.append(QString::fromUtf8(name));
    return scopes;
}

} // namespace

Result<QList<ApiToken>> AccessTable::tokens(Connection &connection)
{
    Result<QList<Row>> rows = connection.select(
        QStringLiteral("SELECT token_id, name, user_id, scopes, agent_id, hash, created_at, "
                       "last_used_at FROM tokens ORDER BY created_at, token_id"));
    if (!rows)
        return failure(rows.error());
    QList<ApiToken> tokens;
    for (Row &row : *rows) {
        ApiToken token;
        token.id = row.text();
        token.name = row.text();
        token.user = row.text();
        token.scopes = scopesFrom(row.text());
        token.agent = domain::AgentId(row.text());
        token.hash = row.bytes();
        token.createdAt = row.time();
        token.lastUsedAt = row.time();
        tokens << token;
    }
    return tokens;
}

Result<void> AccessTable::addToken(Connection &connection, const ApiToken &token)
{
    return stored(connection.execute(
        QStringLiteral("INSERT INTO tokens (token_id, name, user_id, scopes, agent_id, hash, "
                       "created_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
        {column(token.id), column(token.name), column(token.user), column(scopesText(token.scopes)),
         columnOrNull(token.agent.toString()), column(token.hash), column(token.createdAt),
         column(token.lastUsedAt)}));
}

Result<void> AccessTable::removeToken(Connection &connection, const QString &id)
{
    const Result<qint64> removed =
        connection.execute(QStringLiteral("DELETE FROM tokens WHERE token_id = ?"), {column(id)});
    if (!removed)
        return failure(removed.error());
    if (*removed == 0)
        return failure(ErrorKind::NotFound, QStringLiteral("There is no token %1").arg(id));
    return {};
}

Result<void> AccessTable::noteTokenUsed(Connection &connection, const QString &id,
                                        const QDateTime &at)
{
    return stored(
        connection.execute(QStringLiteral("UPDATE tokens SET last_used_at = ? WHERE token_id = ?"),
                           {column(at), column(id)}));
}

Result<ApiGrants> AccessTable::grants(Connection &connection)
{
    Result<std::optional<Row>> row = connection.selectOne(
        QStringLiteral("SELECT api_enabled, api_grant_approve, api_grant_admin FROM installation"));
    if (!row)
        return failure(row.error());
    ApiGrants grants;
    if (*row) {
        grants.enabled = (*row)->flag();
        grants.approve = (*row)->flag();
        grants.admin = (*row)->flag();
    }
    return grants;
}

Result<void> AccessTable::setGrants(Connection &connection, const ApiGrants &grants)
{
    return stored(connection.execute(
        QStringLiteral("UPDATE installation SET api_enabled = ?, api_grant_approve = ?, "
                       "api_grant_admin = ?"),
        {column(qint64(grants.enabled)), column(qint64(grants.approve)),
         column(qint64(grants.admin))}));
}

Result<QMap<ThreadId, QString>> AccessTable::threadUsers(Connection &connection)
{
    Result<QList<Row>> rows =
        connection.select(QStringLiteral("SELECT thread_id, user_id FROM thread_users"));
    if (!rows)
        return failure(rows.error());
    QMap<ThreadId, QString> users;
    for (Row &row : *rows) {
        const ThreadId thread(row.text());
        users.insert(thread, row.text());
    }
    return users;
}

Result<void> AccessTable::setThreadUser(Connection &connection, const ThreadId &thread,
                                        const QString &user)
{
    return stored(connection.execute(
        QStringLiteral("INSERT INTO thread_users (thread_id, user_id) VALUES (?, ?) "
                       "ON CONFLICT (thread_id) DO NOTHING"),
        {column(thread.toString()), column(user)}));
}

} // namespace berth::storage
