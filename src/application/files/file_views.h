// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/file_contract.h"

#include <memory>

// From the bytes of a sandbox to what clients see, and back.
namespace berth::domain {
class SandboxConnection;
}

namespace berth::application {

using SharedConnection = std::shared_ptr<domain::SandboxConnection>;

//! Absolute; a relative one is meant from \a home. InvalidInput when it cannot be a path.
domain::Result<domain::SandboxPath> pathIn(const QByteArray &home, const QString &escaped);
[[nodiscard]] QByteArray nameOf(const domain::SandboxPath &path);
[[nodiscard]] QByteArray folderOf(const domain::SandboxPath &path);

//! The error of an operation on \a path, with its name in it; what is not about the file stays.
[[nodiscard]] domain::Error aboutFile(domain::Error error, const domain::SandboxPath &path);

[[nodiscard]] FileView viewOf(const domain::FileEntry &entry, const QByteArray &name);
//! Of one file, with what is known of a link's end.
domain::Async<FileView> viewAt(SharedConnection connection, domain::SandboxPath path,
                               std::stop_token stop);
//! Looks where the links among \a entries lead, a few at a time. What cannot be told stays empty.
domain::Async<QList<FileView>> viewsIn(SharedConnection connection, domain::SandboxPath directory,
                                       QList<domain::FileEntry> entries, std::stop_token stop);

} // namespace berth::application
