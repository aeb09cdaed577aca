// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sandbox/lease.h"
#include "storage/connection.h"

namespace berth::storage {

class TerminalTable
{
public:
    //! The newest of the thread.
    static Result<std::optional<domain::Terminal>> find(Connection &connection,
                                                        const domain::ThreadId &thread);
    //! Adds or changes it; without the variables that may hold a key.
    static Result<void> save(Connection &connection, const domain::Terminal &terminal,
                             const QDateTime &now);
    //! Whether its name looks like a key's, or its value holds a known one.
    static bool mayHoldKey(const QByteArray &name, const QByteArray &value);
};

} // namespace berth::storage
