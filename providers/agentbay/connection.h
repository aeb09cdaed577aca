// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sandbox/sandbox_connection.h"
#include "net/script/script_file_system.h"
#include "providers/agentbay/shell.h"

namespace berth::agentbay {

//! Shell and files of a running session, by its tool "shell".
class AgentBayConnection : public domain::SandboxConnection
{
    Q_OBJECT
public:
    explicit AgentBayConnection(LinkPtr link);
    ~AgentBayConnection() override;

    domain::Shell &shell() override { return m_shell; }
    domain::FileSystem &fs() override { return m_files; }
    [[nodiscard]] QByteArray homeDirectory() const override { return m_link->settings.home; }
    [[nodiscard]] bool isOpen() const override { return m_link->isOpen; }

    [[nodiscard]] const LinkPtr &link() const { return m_link; }

private:
    LinkPtr m_link;
    AgentBayShell m_shell;
    net::ScriptFileSystem m_files;
};
using ConnectionPtr = std::shared_ptr<AgentBayConnection>;

} // namespace berth::agentbay
