// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/agent/agent.h"
#include "storage/connection.h"

namespace berth::storage {

class AgentTable
{
public:
    static Result<QList<domain::Agent>> all(Connection &connection);
    //! Adds it or changes all but id and created_at.
    //! Conflict when the id is taken.
    static Result<void> add(Connection &connection, const domain::Agent &agent,
                            const QDateTime &now);
    //! With its deleted sandbox rows. Conflict while it has threads or live sandboxes.
    static Result<void> remove(Connection &connection, const domain::AgentId &id);
    static Result<void> save(Connection &connection, const domain::Agent &agent,
                             const QDateTime &now);
    //! NotFound when there is none.
    static Result<void> require(Connection &connection, const domain::AgentId &id);
};

} // namespace berth::storage
