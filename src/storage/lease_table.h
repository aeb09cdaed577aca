// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sandbox/stores.h"
#include "storage/connection.h"

namespace berth::storage {

//! Leases with their instances and events.
class LeaseTable
{
public:
    static Result<QList<domain::LeaseWithInstance>> all(Connection &connection);
    static Result<domain::Lease> add(Connection &connection, domain::Lease lease,
                                     const QDateTime &now);
    static Result<std::optional<domain::ObservedState>> observedState(Connection &connection,
                                                                      const domain::LeaseId &lease);
    //! Conflict when the stored version is not lease.version.
    static Result<domain::Lease> swap(Connection &connection, domain::Lease lease,
                                      const QDateTime &now);
    //! Adds it or changes it.
    static Result<void> saveInstance(Connection &connection, const domain::InstanceRecord &instance,
                                     const QDateTime &now);
    static Result<void> noteSeen(Connection &connection, const domain::LeaseId &lease,
                                 const QDateTime &at);
    static Result<void> addEvent(Connection &connection, const domain::LeaseEvent &event,
                                 const QDateTime &now);
    //! Newest first.
    static Result<QList<domain::LeaseEvent>> events(Connection &connection,
                                                    const domain::LeaseId &lease, int limit);
    static Result<void> pruneEvents(Connection &connection, const QDateTime &now);
};

} // namespace berth::storage
