// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/byte_stream.h"
#include "providers/docker/address.h"
#include "providers/docker/endpoint.h"

#include <memory>

namespace berth::docker {

//! How to come to an engine.
struct Reach
{
    Address address;
    //! For people.
    QString shown;
    std::shared_ptr<net::Dialer> dialer;
    bool encrypted = false;
    //! What the user should know about this way; empty: nothing.
    QString warning;
};

//! Reads the certificates. InvalidInput for a way that must not be taken: another machine without
//! encryption, unless that was allowed.
domain::Result<Reach> reachOf(const Endpoint &endpoint);

//! What went wrong on that way, with what to do.
domain::Error explained(domain::Error error, const Reach &reach);

//! The address as it may be shown: without what could be a password.
QString shownAddress(const QString &host);

} // namespace berth::docker
