// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/sql_lease_store.h"

#include "storage/database.h"
#include "storage/lease_table.h"
#include "storage/terminal_table.h"
#include "storage/usage_table.h"

namespace berth::storage {

using namespace domain;

namespace {

Result<Lease> storeLease(Connection &c, const Lease &lease, LeaseEvent event, const QDateTime &now)
{
    Result<Lease> stored = LeaseTable::add(c, lease, now);
    if (!stored)
        return stored;
    event.lease = stored->id;
    if (const Result<void> added = LeaseTable::addEvent(c, event, now); !added)
        return failure(added.error());
    return stored;
}

Result<Lease> storeTransition(Connection &c, const Lease &lease,
                              std::optional<InstanceRecord> instance, LeaseEvent event,
                              const QDateTime &now)
{
    const Result<std::optional<ObservedState>> before = LeaseTable::observedState(c, lease.id);
    if (!before)
        return failure(before.error());
    Result<Lease> stored = LeaseTable::swap(c, lease, now);
    if (!stored)
        return stored;
    if (instance) {
        instance->lease = stored->id;
        if (const Result<void> saved = LeaseTable::saveInstance(c, *instance, now); !saved)
            return failure(saved.error());
    }
    if (*before != stored->observed) {
        const UsageInterval usage{stored->id,
                                  stored->providerConfig,
                                  stored->observed,
                                  event.at.isValid() ? event.at : now,
                                  {}};
        if (const Result<void> recorded = UsageTable::record(c, usage); !recorded)
            return failure(recorded.error());
    }
    if (stored->observedAt.isValid()) {
        if (const Result<void> seen = LeaseTable::noteSeen(c, stored->id, stored->observedAt);
            !seen)
            return failure(seen.error());
    }
    event.lease = stored->id;
    if (const Result<void> added = LeaseTable::addEvent(c, event, now); !added)
        return failure(added.error());
    if (const Result<void> pruned = LeaseTable::pruneEvents(c, now); !pruned)
        return failure(pruned.error());
    return stored;
}

} // namespace

SqlLeaseStore::SqlLeaseStore(std::shared_ptr<Database> database, Clock clock)
    : m_database(std::move(database)), m_clock(std::move(clock))
{}

SqlLeaseStore::~SqlLeaseStore() = default;

Async<QList<LeaseWithInstance>> SqlLeaseStore::leases()
{
    return m_database->read<QList<LeaseWithInstance>>(&LeaseTable::all);
}

Async<Lease> SqlLeaseStore::addLease(Lease lease, LeaseEvent event)
{
    return m_database->write<Lease>(
        [lease, event, clock = m_clock](Connection &c) {
            return storeLease(c, lease, event, clock());
        },
        Durability::Now);
}

Async<Lease> SqlLeaseStore::transition(Lease lease, std::optional<InstanceRecord> instance,
                                       LeaseEvent event)
{
    return m_database->write<Lease>(
        [lease, instance, event, clock = m_clock](Connection &c) {
            return storeTransition(c, lease, instance, event, clock());
        },
        Durability::Now);
}

Async<QList<LeaseEvent>> SqlLeaseStore::events(LeaseId lease, int limit)
{
    return m_database->read<QList<LeaseEvent>>(
        [lease, limit](Connection &c) { return LeaseTable::events(c, lease, limit); });
}

Async<std::optional<Terminal>> SqlLeaseStore::terminal(ThreadId thread)
{
    return m_database->read<std::optional<Terminal>>(
        [thread](Connection &c) { return TerminalTable::find(c, thread); });
}

Async<void> SqlLeaseStore::saveTerminal(Terminal terminal)
{
    return m_database->write<void>([terminal, clock = m_clock](Connection &c) {
        return TerminalTable::save(c, terminal, clock());
    });
}

Async<void> SqlLeaseStore::recordUsage(UsageInterval interval)
{
    return m_database->write<void>([interval, clock = m_clock](Connection &c) -> Result<void> {
        if (const Result<void> recorded = UsageTable::record(c, interval); !recorded)
            return recorded;
        return UsageTable::prune(c, clock());
    });
}

Async<void> SqlLeaseStore::endUnwatchedUsage()
{
    return m_database->write<void>([](Connection &c) { return UsageTable::endUnwatched(c); });
}

Async<void> SqlLeaseStore::noteSeen(QList<LeaseId> leases, QDateTime at)
{
    return m_database->write<void>([leases, at](Connection &c) -> Result<void> {
        for (const LeaseId &lease : leases) {
            if (const Result<void> noted = LeaseTable::noteSeen(c, lease, at); !noted)
                return noted;
        }
        return {};
    });
}

} // namespace berth::storage
