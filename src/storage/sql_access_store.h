// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/policy/access_store.h"
#include "storage/storage.h"

namespace berth::storage {

class Database;

class SqlAccessStore final : public domain::AccessStore
{
public:
    explicit SqlAccessStore(std::shared_ptr<Database> database);
    ~SqlAccessStore() override;

    domain::Async<QList<domain::ApiToken>> tokens() override;
    domain::Async<void> addToken(domain::ApiToken token) override;
    domain::Async<void> removeToken(QString id) override;
    domain::Async<void> noteTokenUsed(QString id, QDateTime at) override;
    domain::Async<domain::ApiGrants> grants() override;
    domain::Async<void> setGrants(domain::ApiGrants grants) override;
    domain::Async<QMap<domain::ThreadId, QString>> threadUsers() override;
    domain::Async<void> setThreadUser(domain::ThreadId thread, QString user) override;

private:
    std::shared_ptr<Database> m_database;
};

} // namespace berth::storage
