// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/shell.h"
#include "net/guest/guest_channel.h"

#include <optional>

namespace berth::net {

struct GuestUser
{
    quint32 uid = BG_SELF;
    quint32 gid = BG_SELF;
};

struct GuestShellOptions
{
    //! Who runs the commands; the guest's own ids when nothing is said.
    GuestUser user;
    //! Where a command without a directory of its own starts; empty: where the guest was started.
    QByteArray homeDirectory;
    //! Looked up in the command's PATH.
    QByteArray shell = QByteArrayLiteral("sh");
};

//! The Shell port over a guest.
//!
//! A lost connection ends every Execution with TransportLost, but not the command: the runner keeps
//! background commands and terminals as long as they run (and the end of the last few), and a
//! foreground command for 60 s. Who wants it back:
//!  1. starts commands with a CommandSpec::tag of its own, and counts the bytes it has stored;
//!  2. asks the provider for a connection again, which is another Shell over the same runner;
//!  3. finds the tag in jobs() and calls attach() with its counts. Output goes on behind them, and
//!     the end comes as if nothing had happened, even when it was reached in the meantime. Input
//!     that was under way may be lost.
//! A foreground command that nobody attaches to in time is killed.
//!
//! Commands get the environment that the guest was started with, plus
//! CommandSpec::environment. Outcome::environment holds what differs from it at the end: just what
//! the next command's CommandSpec::environment takes.
class GuestShell : public domain::Shell
{
public:
    GuestShell(std::shared_ptr<GuestChannel> channel, GuestShellOptions options);
    domain::Async<std::shared_ptr<domain::Execution>> start(domain::CommandSpec command,
                                                            std::stop_token stop) override;
    domain::Async<QList<domain::Job>> jobs(std::stop_token stop) override;
    domain::Async<std::shared_ptr<domain::Execution>> attach(quint32 job, qint64 outOffset,
                                                             qint64 errOffset,
                                                             std::stop_token stop) override;

private:
    std::shared_ptr<GuestChannel> m_channel;
    GuestShellOptions m_options;
};

} // namespace berth::net
