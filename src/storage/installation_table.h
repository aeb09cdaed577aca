// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"
#include "storage/connection.h"

namespace berth::storage {

//! Who these records are, and the answers of the last day's requests.
class InstallationTable
{
public:
    //! Makes the row at first use.
    static Result<domain::InstallationId> id(Connection &connection, const QDateTime &now);
    //! The sandbox file that was used; empty when never stored.
    static Result<QString> sandboxDb(Connection &connection);
    static Result<void> setSandboxDb(Connection &connection, const QString &path);

    static Result<bool> passthrough(Connection &connection);
    static Result<void> setPassthrough(Connection &connection, bool allowed, const QDateTime &now);

    static Result<std::optional<QByteArray>> requestResult(Connection &connection,
                                                           const domain::RequestId &id,
                                                           const QDateTime &now);
    //! The first result of an id stays.
    static Result<void> saveRequestResult(Connection &connection, const domain::RequestId &id,
                                          const QByteArray &result, const QDateTime &now);
    static Result<void> pruneRequests(Connection &connection, const QDateTime &now);
};

} // namespace berth::storage
