// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sandbox/sandbox.h"
#include "storage/connection.h"

namespace berth::storage {

class SandboxTable
{
public:
    static Result<QList<domain::Sandbox>> all(Connection &connection, bool deleted);
    //! NotFound when there is none; a deleted one is found too.
    static Result<domain::Sandbox> find(Connection &connection, const domain::SandboxId &id);
    //! Fills in a missing id, alias and time. Conflict when a live row has the alias.
    static Result<domain::Sandbox> add(Connection &connection, domain::Sandbox sandbox,
                                       const QDateTime &now);
    //! Pending again. Conflict when it is not deleted, or its alias is taken.
    static Result<domain::Sandbox> restore(Connection &connection, const domain::SandboxId &id,
                                           const QDateTime &now);
    //! Conflict for a row that was deleted and would live again.
    static Result<void> update(Connection &connection, const domain::Sandbox &sandbox,
                               const QDateTime &now);

private:
    static Result<QString> freeAlias(Connection &connection, const domain::AgentId &agent,
                                     const QString &type);
};

} // namespace berth::storage
