// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"
#include "domain/result.h"

#include <QtCore/QMap>
#include <QtCore/QStringList>

namespace berth::domain {

//! What the user let a provider config do with what is secret.
struct Confirmations
{
    //! Where its keys may go, beside the service's own places.
    QStringList origins;
    //! Variables of the environment that its fields may name, beside the fields' own.
    QStringList variables;
    bool operator==(const Confirmations &) const = default;
};

//! Confirmations in berth.db. They are never taken back by themselves: a config that names another
//! origin later is asked about that one.
class TrustStore
{
public:
    virtual ~TrustStore() = default;

    virtual Async<QMap<ConfigName, Confirmations>> confirmations() = 0;
    //! Adds to those that are there; on the disk when it answers.
    virtual Async<void> confirm(ConfigName config, Confirmations added) = 0;
};

} // namespace berth::domain
