// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sandbox/process.h"
#include "storage/connection.h"

namespace berth::storage {

class ProcessTable
{
public:
    //! Oldest first.
    static Result<QList<domain::ProcessRecord>> all(Connection &connection);
    //! Adds it or changes it; lease and kind stay as they are.
    static Result<void> save(Connection &connection, const domain::ProcessRecord &process);
    static Result<void> remove(Connection &connection, const domain::ProcessId &id);
};

} // namespace berth::storage
