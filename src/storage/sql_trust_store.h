// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/trust_store.h"
#include "storage/storage.h"

namespace berth::storage {

class Database;

class SqlTrustStore final : public domain::TrustStore
{
public:
    SqlTrustStore(std::shared_ptr<Database> database, Clock clock);
    ~SqlTrustStore() override;

    domain::Async<QMap<domain::ConfigName, domain::Confirmations>> confirmations() override;
    domain::Async<void> confirm(domain::ConfigName config, domain::Confirmations added) override;

private:
    std::shared_ptr<Database> m_database;
    Clock m_clock;
};

} // namespace berth::storage
