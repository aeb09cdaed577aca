// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/trust_store.h"
#include "storage/connection.h"

namespace berth::storage {

class TrustTable
{
public:
    static Result<QMap<domain::ConfigName, domain::Confirmations>> all(Connection &connection);
    //! One that is there already keeps its first time.
    static Result<void> add(Connection &connection, const domain::ConfigName &config,
                            const domain::Confirmations &added, const QDateTime &now);
};

} // namespace berth::storage
