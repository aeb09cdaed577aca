// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/file_system.h"
#include "net/guest/guest_channel.h"

namespace berth::net {

//! \a head: user and root as they begin the body of each file request.
domain::Async<domain::GlobResult> globThroughGuest(std::shared_ptr<GuestChannel> channel,
                                                   QByteArray head, domain::GlobRequest request,
                                                   std::stop_token stop);
domain::Async<domain::GrepResult> grepThroughGuest(std::shared_ptr<GuestChannel> channel,
                                                   QByteArray head, domain::GrepRequest request,
                                                   std::stop_token stop);

//! What GLOB and GREP answer; nullopt when it makes no sense or a path in it leads elsewhere.
std::optional<domain::GlobResult> decodeGlob(const GuestChannel::Answer &answer, int limit);
std::optional<domain::GrepResult> decodeGrep(const GuestChannel::Answer &answer, int limit);

} // namespace berth::net
