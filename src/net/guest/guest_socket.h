// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/guest/guest_channel.h"

#include <QtCore/QString>

#include <memory>
#include <optional>
#include <stop_token>

namespace berth::net {

//! A directory of this machine that the sandbox has mounted, read-only.
struct GuestSocketPlace
{
    //! Made when it is missing, open to the sandbox's users; what keeps other users of this machine
    //! out is the private directory above it.
    QString directory;
    //! The same directory as the sandbox sees it.
    QByteArray inside;
    //! The runner's process in this machine's numbers; nobody else is let in.
    qint64 pid = 0;
};

//! Longest path of a socket that the system takes, and that of the names below the directory.
constexpr qsizetype kLongestSocketDirectory = 90;

//! The same runner over a socket of this machine, past whatever carries \a channel's stream: it is
//! told a token over the stream, connects, shows the token and is greeted anew. The socket is there
//! for that moment only. Answers \a channel itself, unharmed, when anything of this fails: an older
//! runner, a directory that is not really mounted, a system that forbids it.
async::Task<std::shared_ptr<GuestChannel>> movedToSocket(std::shared_ptr<GuestChannel> channel,
                                                         GuestSocketPlace place,
                                                         GuestChannelOptions options,
                                                         std::stop_token stop);

} // namespace berth::net
