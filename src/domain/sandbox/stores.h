// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/resources/resource_sample.h"
#include "domain/result.h"
#include "domain/sandbox/lease.h"

namespace berth::domain {

struct LeaseWithInstance
{
    Lease lease;
    //! The newest one that is not gone.
    std::optional<InstanceRecord> instance;
};

//! Leases and what belongs to them, in sandbox.db.
class LeaseStore
{
public:
    virtual ~LeaseStore();

    virtual Async<QList<LeaseWithInstance>> leases() = 0;
    //! New lease with version 1.
    virtual Async<Lease> addLease(Lease lease, LeaseEvent event) = 0;
    //! Compare-and-swap on lease.version: stores \a lease with version + 1, its instance when given
    //! (insert or update) and the event in one transaction, and answers the stored lease. Conflict
    //! when the version moved on. A new observed state begins a usage interval at event.at.
    virtual Async<Lease> transition(Lease lease, std::optional<InstanceRecord> instance,
                                    LeaseEvent event) = 0;
    virtual Async<QList<LeaseEvent>> events(LeaseId lease, int limit) = 0;

    virtual Async<std::optional<Terminal>> terminal(ThreadId thread) = 0;
    virtual Async<void> saveTerminal(Terminal terminal) = 0;

    //! Ends the open interval of the lease, if any, at \a interval.startedAt and opens this one; a
    //! state that costs nothing (Gone, Unknown) only ends.
    virtual Async<void> recordUsage(UsageInterval interval) = 0;
    //! At start: what was left open in a working state ends when its instance was last seen, since
    //! nobody watched it from then on. What rested goes on.
    virtual Async<void> endUnwatchedUsage() = 0;
    //! The live instances of these leases were seen; no version moves on.
    virtual Async<void> noteSeen(QList<LeaseId> leases, QDateTime at) = 0;
};

} // namespace berth::domain
