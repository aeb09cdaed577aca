// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sandbox/stores.h"
#include "storage/storage.h"

namespace berth::storage {

class Database;

//! Composes the tables of sandbox.db. \a clock is asked on the database thread.
class SqlLeaseStore final : public domain::LeaseStore
{
public:
    SqlLeaseStore(std::shared_ptr<Database> database, Clock clock);
    ~SqlLeaseStore() override;

    domain::Async<QList<domain::LeaseWithInstance>> leases() override;
    domain::Async<domain::Lease> addLease(domain::Lease lease, domain::LeaseEvent event) override;
    domain::Async<domain::Lease> transition(domain::Lease lease,
                                            std::optional<domain::InstanceRecord> instance,
                                            domain::LeaseEvent event) override;
    domain::Async<QList<domain::LeaseEvent>> events(domain::LeaseId lease, int limit) override;

    domain::Async<std::optional<domain::Terminal>> terminal(domain::ThreadId thread) override;
    domain::Async<void> saveTerminal(domain::Terminal terminal) override;

    domain::Async<void> recordUsage(domain::UsageInterval interval) override;
    domain::Async<void> endUnwatchedUsage() override;
    domain::Async<void> noteSeen(QList<domain::LeaseId> leases, QDateTime at) override;

private:
    std::shared_ptr<Database> m_database;
    Clock m_clock;
};

} // namespace berth::storage
