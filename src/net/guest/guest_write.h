// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/file_system.h"
#include "net/guest/guest_channel.h"

namespace berth::net {

//! Sends \a content behind the WRITE_OPEN body \a open, a window at a time, and commits. Until the
//! commit the old file is untouched; stopped or failed, the temporary file goes away.
domain::Async<void> writeThroughGuest(std::shared_ptr<GuestChannel> channel, QByteArray open,
                                      QByteArray content, std::stop_token stop);

//! The same in pieces: answers once the guest has opened the file. It keeps nobody else waiting
//! while it is open, so \a open is counted against a bound of its own: shared by all of one file
//! system, Quota beyond it.
domain::Async<std::shared_ptr<domain::FileWriter>> openGuestWriter(
    std::shared_ptr<GuestChannel> channel, QByteArray open, std::shared_ptr<int> openWriters,
    std::stop_token stop);

} // namespace berth::net
