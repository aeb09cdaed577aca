// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/policy/access_store.h"
#include "storage/connection.h"

namespace berth::storage {

class AccessTable
{
public:
    static Result<QList<domain::ApiToken>> tokens(Connection &connection);
    static Result<void> addToken(Connection &connection, const domain::ApiToken &token);
    static Result<void> removeToken(Connection &connection, const QString &id);
    static Result<void> noteTokenUsed(Connection &connection, const QString &id,
                                      const QDateTime &at);
    static Result<domain::ApiGrants> grants(Connection &connection);
    static Result<void> setGrants(Connection &connection, const domain::ApiGrants &grants);
    static Result<QMap<domain::ThreadId, QString>> threadUsers(Connection &connection);
    static Result<void> setThreadUser(Connection &connection, const domain::ThreadId &thread,
                                      const QString &user);
};

} // namespace berth::storage
