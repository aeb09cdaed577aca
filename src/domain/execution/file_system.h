// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QDateTime>
#include <QtCore/QList>

#include <optional>
#include <stop_token>

namespace berth::domain {

//! A path inside the sandbox: bytes as the system there has them, never resolved on the host.
using SandboxPath = QByteArray;

enum class FileKind { Regular, Directory, Symlink, Other };

struct FileEntry
{
    //! Name without directory (list) or the path asked for (stat).
    QByteArray name;
    FileKind kind = FileKind::Other;
    qint64 size = 0;
    //! Permission bits, 07777.
    int mode = 0;
    QDateTime modified;
    //! Where a symbolic link points, as written in it.
    QByteArray linkTarget;
};

struct FilePage
{
    QList<FileEntry> entries;
    //! To be passed to the next list(); empty: that was all.
    QByteArray next;
};

//! Files of one connected sandbox. Binary-safe; missing is NotFound, no permission Forbidden, a
//! directory where a file is needed (or the other way round) InvalidInput.
class FileSystem
{
public:
    virtual ~FileSystem() = default;
    //! Follows no link.
    virtual Async<FileEntry> stat(SandboxPath path, std::stop_token stop) = 0;
    //! At most \a limit entries from where \a cursor left off (empty: the start), in no promised
    //! order.
    virtual Async<FilePage> list(SandboxPath path, QByteArray cursor, int limit,
                                 std::stop_token stop) = 0;
    //! Up to \a length bytes from \a offset; fewer only at the end of the file.
    virtual Async<QByteArray> read(SandboxPath path, qint64 offset, qint64 length,
                                   std::stop_token stop) = 0;
    //! Whole content at once, atomically (temporary file and rename); makes missing directories.
    virtual Async<void> write(SandboxPath path, QByteArray content, std::stop_token stop) = 0;
    //! With parents; an existing directory is success.
    virtual Async<void> makeDirectory(SandboxPath path, std::stop_token stop) = 0;
    virtual Async<void> rename(SandboxPath from, SandboxPath to, std::stop_token stop) = 0;
    //! A directory only when it is empty or \a recursive. Follows no link.
    virtual Async<void> remove(SandboxPath path, bool recursive, std::stop_token stop) = 0;
};

} // namespace berth::domain
