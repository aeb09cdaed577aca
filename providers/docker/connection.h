// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sandbox/sandbox_connection.h"
#include "net/guest/guest_channel.h"
#include "net/guest/guest_file_system.h"
#include "net/guest/guest_shell.h"
#include "net/guest/guest_socket.h"
#include "providers/docker/client.h"

#include <memory>

namespace berth::docker {

//! Shell and files over the runner that is a container's first process.
class DockerConnection : public domain::SandboxConnection
{
    Q_OBJECT
public:
    DockerConnection(std::shared_ptr<net::GuestChannel> channel, QByteArray home);

    domain::Shell &shell() override { return m_shell; }
    domain::FileSystem &fs() override { return m_files; }
    [[nodiscard]] QByteArray homeDirectory() const override { return m_home; }
    [[nodiscard]] bool isOpen() const override { return m_channel->isOpen(); }

    void close(const QString &reason);

private:
    std::shared_ptr<net::GuestChannel> m_channel;
    QByteArray m_home;
    net::GuestShell m_shell;
    net::GuestFileSystem m_files;
};
using ConnectionPtr = std::shared_ptr<DockerConnection>;

//! Speaks with the runner over an attached stream. \a reattach: another Berth may have spoken with
//! it before. The runner is moved to \a place when there is one.
domain::Async<ConnectionPtr> openConnection(net::HijackedStream attached, QByteArray home,
                                            bool reattach,
                                            std::optional<net::GuestSocketPlace> place,
                                            std::stop_token stop);

} // namespace berth::docker
