// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QDateTime>
#include <QtCore/QList>

#include <optional>

// Files of this machine on behalf of a transfer. What lies below a folder is reached step by step
// from the folder's descriptor and through no link, so that nothing that changes meanwhile leads
// out of it.
namespace berth::application {

//! What to do with a name that is taken.
enum class OnExisting { Refuse, Replace, KeepBoth };

//! Closes its descriptor.
class LocalFile
{
public:
    LocalFile() = default;
    explicit LocalFile(int fd) : m_fd(fd) {}
    LocalFile(LocalFile &&other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    LocalFile &operator=(LocalFile &&other) noexcept
    {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    LocalFile(const LocalFile &) = delete;
    LocalFile &operator=(const LocalFile &) = delete;
    ~LocalFile();

    [[nodiscard]] int fd() const { return m_fd; }

    struct Facts
    {
        bool isRegular = false;
        bool isDirectory = false;
        bool isLink = false;
        qint64 size = 0;
        int mode = 0;
    };
    [[nodiscard]] domain::Result<Facts> facts() const;
    //! Empty at its end.
    [[nodiscard]] domain::Result<QByteArray> read(qint64 atMost) const;
    //! Names in it, without "." and "..".
    [[nodiscard]] domain::Result<QList<QByteArray>> names() const;

private:
    int m_fd = -1;
};

//! What a person named: links are followed. Never waits for a FIFO.
domain::Result<LocalFile> openLocal(const QByteArray &path);
domain::Result<LocalFile> openLocalFolder(const QByteArray &path);
//! \a below: names with slashes, or empty for the folder itself.
domain::Result<LocalFile> openBelow(const LocalFile &folder, const QByteArray &below,
                                    bool asFolder);
domain::Result<LocalFile::Facts> factsBelow(const LocalFile &folder, const QByteArray &name);

//! One name, that leads nowhere else.
[[nodiscard]] bool isPlainName(const QByteArray &name);
//! "notes.txt" and 2: "notes (2).txt".
[[nodiscard]] QByteArray numbered(const QByteArray &name, int number);

//! Makes \a name in \a folder; an existing folder is taken when \a merge. The name that it got.
domain::Result<QByteArray> makeLocalFolder(const LocalFile &folder, const QByteArray &name,
                                           OnExisting onExisting);

//! A file that is seen under its name only once it is complete; dropped before, it leaves nothing.
class PartialFile
{
public:
    static domain::Result<PartialFile> create(LocalFile folder, const QByteArray &name);
    PartialFile(PartialFile &&other) noexcept = default;
    PartialFile &operator=(PartialFile &&) = delete;
    ~PartialFile();

    domain::Result<void> append(const QByteArray &bytes);
    //! The name that it got.
    domain::Result<QByteArray> finish(int mode, const QDateTime &modified, OnExisting onExisting);

private:
    PartialFile(LocalFile folder, LocalFile file, QByteArray temporary, QByteArray name)
        : m_folder(std::move(folder)),
          m_file(std::move(file)),
          m_temporary(std::move(temporary)),
          m_name(std::move(name))
    {}
    //! False: the name is taken.
    domain::Result<bool> place(const QByteArray &name, bool replace);

    LocalFile m_folder;
    LocalFile m_file;
    QByteArray m_temporary;
    QByteArray m_name;
    //! Permissions that the process gives to new files.
    int m_allowed = 0600;
};

} // namespace berth::application
