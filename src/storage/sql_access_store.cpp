// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/sql_access_store.h"

#include "storage/access_table.h"
#include "storage/database.h"

namespace berth::storage {

using namespace domain;

SqlAccessStore::SqlAccessStore(std::shared_ptr<Database> database) : m_database(std::move(database))
{}

SqlAccessStore::~SqlAccessStore() = default;

Async<QList<ApiToken>> SqlAccessStore::tokens()
{
    return m_database->read<QList<ApiToken>>(&AccessTable::tokens);
}

Async<void> SqlAccessStore::addToken(ApiToken token)
{
    return m_database->write<void>(
        [token](Connection &c) { return AccessTable::addToken(c, token); }, Durability::Now);
}

Async<void> SqlAccessStore::removeToken(QString id)
{
    return m_database->write<void>([id](Connection &c) { return AccessTable::removeToken(c, id); },
                                   Durability::Now);
}

Async<void> SqlAccessStore::noteTokenUsed(QString id, QDateTime at)
{
    return m_database->write<void>(
        [id, at](Connection &c) { return AccessTable::noteTokenUsed(c, id, at); });
}

Async<ApiGrants> SqlAccessStore::grants()
{
    return m_database->read<ApiGrants>(&AccessTable::grants);
}

Async<void> SqlAccessStore::setGrants(ApiGrants grants)
{
    return m_database->write<void>(
        [grants](Connection &c) { return AccessTable::setGrants(c, grants); }, Durability::Now);
}

Async<QMap<ThreadId, QString>> SqlAccessStore::threadUsers()
{
    return m_database->read<QMap<ThreadId, QString>>(&AccessTable::threadUsers);
}

Async<void> SqlAccessStore::setThreadUser(ThreadId thread, QString user)
{
    return m_database->write<void>(
        [thread, user](Connection &c) { return AccessTable::setThreadUser(c, thread, user); },
        Durability::Now);
}

} // namespace berth::storage
