// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QDateTime>
#include <QtCore/QList>

#include <memory>
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

//! Names below \a root that match: *, ?, [a-z] within a name, ** over directories.
struct GlobRequest
{
    SandboxPath root;
    QByteArray pattern;
    int limit = 1000;
    //! Also names that start with a dot.
    bool hidden = false;
};

struct GlobResult
{
    //! Relative to the root, sorted.
    QList<QByteArray> paths;
    //! There are more than the limit, or the search was cut off at the runner's own bounds.
    bool truncated = false;
};

struct GrepRequest
{
    //! A file or a directory.
    SandboxPath root;
    //! POSIX extended regular expression; with \a fixed the text itself.
    QByteArray pattern;
    //! Only files whose name matches; empty: all.
    QByteArray nameGlob;
    bool fixed = false;
    bool ignoreCase = false;
    int limit = 200;
};

struct GrepMatch
{
    //! Relative to the root; empty when the root is the file.
    QByteArray path;
    qint64 line = 0;
    //! The line without its end, cut at 1 KiB.
    QByteArray text;
};

struct GrepResult
{
    QList<GrepMatch> matches;
    bool truncated = false;
    qint64 filesSearched = 0;
    //! Not readable, or binary.
    qint64 filesSkipped = 0;
};

//! One file being written piece by piece; nothing is seen at its path before commit(). Dropped
//! without commit() it is as if it had never been opened.
class FileWriter
{
public:
    virtual ~FileWriter() = default;
    //! Answers when the sandbox has taken the bytes.
    virtual Async<void> append(QByteArray bytes, std::stop_token stop) = 0;
    virtual Async<void> commit(std::stop_token stop) = 0;
    virtual void abort() = 0;
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
    //! The same in pieces, for what does not fit in memory. \a mode: permission bits, -1 keeps
    //! those of an existing file. With \a refuseExisting a file that is there is Conflict.
    virtual Async<std::shared_ptr<FileWriter>> openWrite(SandboxPath path, int mode,
                                                         bool refuseExisting,
                                                         std::stop_token stop) = 0;
    virtual Async<GlobResult> glob(GlobRequest request, std::stop_token stop) = 0;
    virtual Async<GrepResult> grep(GrepRequest request, std::stop_token stop) = 0;
    //! With parents; an existing directory is success.
    virtual Async<void> makeDirectory(SandboxPath path, std::stop_token stop) = 0;
    virtual Async<void> rename(SandboxPath from, SandboxPath to, std::stop_token stop) = 0;
    //! A directory only when it is empty or \a recursive. Follows no link.
    virtual Async<void> remove(SandboxPath path, bool recursive, std::stop_token stop) = 0;
};

} // namespace berth::domain
