// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sandbox/sandbox_connection.h"
#include "providers/e2b/files.h"
#include "providers/e2b/shell.h"

namespace berth::e2b {

//! Shell and files by a running sandbox's own service.
class E2bConnection : public domain::SandboxConnection
{
    Q_OBJECT
public:
    explicit E2bConnection(LinkPtr link);
    ~E2bConnection() override;

    domain::Shell &shell() override { return m_shell; }
    domain::FileSystem &fs() override { return m_files; }
    [[nodiscard]] QByteArray homeDirectory() const override { return m_link->settings.home; }
    [[nodiscard]] bool isOpen() const override { return m_link->isOpen; }

    [[nodiscard]] const LinkPtr &link() const { return m_link; }

private:
    LinkPtr m_link;
    E2bShell m_shell;
    E2bFiles m_files;
};
using ConnectionPtr = std::shared_ptr<E2bConnection>;

} // namespace berth::e2b
