// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/file_system.h"
#include "net/guest/guest_channel.h"
#include "net/guest/guest_shell.h"

namespace berth::net {

//! The FileSystem port over a guest; everything is done there, as \a user.
//! Writing through a symbolic link replaces what it points to; the link stays. Owner and mode of an
//! existing file stay where the user may keep them.
class GuestFileSystem : public domain::FileSystem
{
public:
    explicit GuestFileSystem(std::shared_ptr<GuestChannel> channel, GuestUser user = {});

    domain::Async<domain::FileEntry> stat(domain::SandboxPath path, std::stop_token stop) override;
    domain::Async<domain::FilePage> list(domain::SandboxPath path, QByteArray cursor, int limit,
                                         std::stop_token stop) override;
    domain::Async<QByteArray> read(domain::SandboxPath path, qint64 offset, qint64 length,
                                   std::stop_token stop) override;
    domain::Async<void> write(domain::SandboxPath path, QByteArray content,
                              std::stop_token stop) override;
    domain::Async<std::shared_ptr<domain::FileWriter>> openWrite(domain::SandboxPath path, int mode,
                                                                 bool refuseExisting,
                                                                 std::stop_token stop) override;
    domain::Async<domain::GlobResult> glob(domain::GlobRequest request,
                                           std::stop_token stop) override;
    domain::Async<domain::GrepResult> grep(domain::GrepRequest request,
                                           std::stop_token stop) override;
    domain::Async<void> makeDirectory(domain::SandboxPath path, std::stop_token stop) override;
    domain::Async<void> rename(domain::SandboxPath from, domain::SandboxPath to,
                               std::stop_token stop) override;
    domain::Async<void> remove(domain::SandboxPath path, bool recursive,
                               std::stop_token stop) override;

private:
    std::shared_ptr<GuestChannel> m_channel;
    GuestUser m_user;
    std::shared_ptr<int> m_openWriters = std::make_shared<int>(0);
};

} // namespace berth::net
