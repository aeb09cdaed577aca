// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/sql_trust_store.h"

#include "storage/database.h"
#include "storage/trust_table.h"

namespace berth::storage {

using namespace domain;

SqlTrustStore::SqlTrustStore(std::shared_ptr<Database> database, Clock clock)
    : m_database(std::move(database)), m_clock(std::move(clock))
{}

SqlTrustStore::~SqlTrustStore() = default;

Async<QMap<ConfigName, Confirmations>> SqlTrustStore::confirmations()
{
    return m_database->read<QMap<ConfigName, Confirmations>>(&TrustTable::all);
}

Async<void> SqlTrustStore::confirm(ConfigName config, Confirmations added)
{
    return m_database->write<void>(
        [config, added, clock = m_clock](Connection &c) {
            return TrustTable::add(c, config, added, clock());
        },
        Durability::Now);
}

} // namespace berth::storage
