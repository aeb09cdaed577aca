// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/file_system.h"
#include "net/script/script_runner.h"

#include <memory>
#include <optional>

namespace berth::net {

//! The FileSystem port by POSIX shell, with the tools of GNU coreutils or of busybox. What a
//! service does natively a provider overrides. Writing through a symbolic link replaces what it
//! points to; mode and, where allowed, owner of an existing file stay.
class ScriptFileSystem : public domain::FileSystem
{
public:
    explicit ScriptFileSystem(std::shared_ptr<ScriptRunner> runner);

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

protected:
    [[nodiscard]] const std::shared_ptr<ScriptRunner> &runner() const { return m_runner; }

private:
    std::shared_ptr<ScriptRunner> m_runner;
};

//! The reason why this can be no path, before anything is asked.
std::optional<domain::Error> pathProblem(const domain::SandboxPath &path);

} // namespace berth::net
