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

//! The Shell port over a guest. Commands get the environment that the guest was started with, plus
//! CommandSpec::environment. Outcome::environment holds what differs from it at the end: just what
//! the next command's CommandSpec::environment takes.
class GuestShell : public domain::Shell
{
public:
    GuestShell(std::shared_ptr<GuestChannel> channel, GuestShellOptions options);
    domain::Async<std::shared_ptr<domain::Execution>> start(domain::CommandSpec command,
                                                            std::stop_token stop) override;

private:
    std::shared_ptr<GuestChannel> m_channel;
    GuestShellOptions m_options;
};

} // namespace berth::net
