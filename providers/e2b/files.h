// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/script/script_file_system.h"
#include "providers/e2b/link.h"

namespace berth::e2b {

//! Files as the sandbox's user sees them. The service's own calls for files work as root, follow
//! links and take names as UTF-8 only; so they carry large contents, and scripts do the rest.
class E2bFiles : public net::ScriptFileSystem
{
public:
    explicit E2bFiles(LinkPtr link);

    domain::Async<QByteArray> read(domain::SandboxPath path, qint64 offset, qint64 length,
                                   std::stop_token stop) override;
    domain::Async<void> write(domain::SandboxPath path, QByteArray content,
                              std::stop_token stop) override;

private:
    LinkPtr m_link;
};

} // namespace berth::e2b
