// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/output_contract.h"
#include "domain/execution/file_system.h"

#include <QtCore/QDateTime>

// Files inside a sandbox. Paths and names travel as text that stands for bytes exactly: see
// domain::escapedBytes(). The host's own files are nobody's business here: a client that uploads or
// downloads reads and writes them itself.
namespace berth::application {

struct FileView
{
    //! Escaped: what the other commands take, behind the directory and a slash.
    QString name;
    domain::FileKind kind = domain::FileKind::Other;
    qint64 size = 0;
    //! Permission bits, 07777.
    int mode = 0;
    QDateTime modified;
    //! Escaped; of a symbolic link.
    QString linkTarget;
    //! Of a symbolic link: what it leads to is a directory. False also when it leads nowhere.
    bool linkToDirectory = false;
    //! What is wrong with it: "Links in a circle", "Leads nowhere"; empty: nothing.
    QString problem;
    bool operator==(const FileView &) const = default;
};

struct FileList
{
    //! Escaped, absolute.
    QString directory;
    QList<FileView> entries;
    //! To be passed to the next ListFiles; empty: that was all.
    QString next;
    bool operator==(const FileList &) const = default;
};

//! Every command here takes a thread id, sandbox id, lease id, or alias of agent "default". One
//! that would have to start or resume the sandbox fails with Conflict ("asleep") unless \a wake.
//! A relative path is meant from the home directory; "" is that directory.
struct ListFiles
{
    using Reply = FileList;
    static constexpr const char *kName = "file.list";
    QString target;
    QString path;
    QString cursor;
    int limit = 500;
    bool wake = false;
};

struct StatFile
{
    using Reply = FileView;
    static constexpr const char *kName = "file.stat";
    QString target;
    QString path;
    bool wake = false;
};

struct FileChunk
{
    qint64 offset = 0;
    //! Shorter than asked only at the end of the file. Travels as binary.
    QByteArray bytes;
    bool operator==(const FileChunk &) const = default;
};

//! At most 1 MiB at once.
struct ReadFile
{
    using Reply = FileChunk;
    static constexpr const char *kName = "file.read";
    QString target;
    QString path;
    qint64 offset = 0;
    qint64 length = 256 * 1024;
    bool wake = false;
};

//! A file being written; nothing is seen at its path before CommitUpload. Ends by itself when its
//! client goes or is silent for a minute.
struct UploadView
{
    QString upload;
    bool operator==(const UploadView &) const = default;
};

struct OpenUpload
{
    using Reply = UploadView;
    static constexpr const char *kName = "file.upload.open";
    QString target;
    QString path;
    //! Permission bits; -1: those of the file that is there, or 0644.
    int mode = -1;
    //! Else a file that is there is Conflict.
    bool replace = false;
    bool wake = false;
};

//! Pieces in order, at most 256 KiB each; answers when the sandbox has taken them.
struct WriteUpload
{
    using Reply = Nothing;
    static constexpr const char *kName = "file.upload.write";
    QString upload;
    //! Travels as binary.
    QByteArray bytes;
};

struct CommitUpload
{
    using Reply = FileView;
    static constexpr const char *kName = "file.upload.commit";
    QString upload;
};

struct AbortUpload
{
    using Reply = Nothing;
    static constexpr const char *kName = "file.upload.abort";
    QString upload;
};

struct MakeFolder
{
    using Reply = FileView;
    static constexpr const char *kName = "file.mkdir";
    QString target;
    QString path;
    bool wake = false;
};

struct RenameFile
{
    using Reply = FileView;
    static constexpr const char *kName = "file.rename";
    QString target;
    QString from;
    QString to;
    bool wake = false;
};

struct RemoveFile
{
    using Reply = Nothing;
    static constexpr const char *kName = "file.remove";
    QString target;
    QString path;
    bool recursive = false;
    bool wake = false;
};

} // namespace berth::application
