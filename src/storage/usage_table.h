// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sandbox/lease.h"
#include "storage/connection.h"

namespace berth::storage {

class UsageTable
{
public:
    //! As LeaseStore::recordUsage(). The same state again changes nothing.
    static Result<void> record(Connection &connection, const domain::UsageInterval &interval);
    //! As LeaseStore::endUnwatchedUsage().
    static Result<void> endUnwatched(Connection &connection);
    static Result<void> prune(Connection &connection, const QDateTime &now);
};

} // namespace berth::storage
