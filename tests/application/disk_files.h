// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scripted_provider.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>

#include <cstdio>

namespace berth::test {

//! A sandbox's files in a directory of this machine: whole trees, for what moves them about.
class DiskConnection final : public ScriptedConnection
{
public:
    struct Disk
    {
        QString root;
        int writes = 0;
        int calls = 0;
        //! The next writes fail like this.
        std::optional<domain::Error> failWrite;
    };
    explicit DiskConnection(std::shared_ptr<Disk> disk) : m_disk(std::move(disk)) {}

    Async<domain::FileEntry> stat(domain::SandboxPath path, std::stop_token) override
    {
        ++m_disk->calls;
        const QFileInfo info(at(path));
        if (!info.exists() && !info.isSymLink())
            co_return missing();
        co_return entryOf(info);
    }
    Async<domain::FilePage> list(domain::SandboxPath path, QByteArray, int,
                                 std::stop_token) override
    {
        ++m_disk->calls;
        const QDir folder(at(path));
        if (!folder.exists())
            co_return missing();
        domain::FilePage page;
        const QFileInfoList entries = folder.entryInfoList(QDir::AllEntries | QDir::Hidden
                                                           | QDir::System | QDir::NoDotAndDotDot);
        for (const QFileInfo &info : entries)
            page.entries.append(entryOf(info));
        const domain::FilePage done = page;
        co_return done;
    }
    Async<std::shared_ptr<domain::FileWriter>> openWrite(domain::SandboxPath path, int mode, bool,
                                                         std::stop_token) override
    {
        ++m_disk->calls;
        if (m_disk->failWrite)
            co_return failure(*m_disk->failWrite);
        ++m_disk->writes;
        co_return std::shared_ptr<domain::FileWriter>(std::make_shared<Writer>(at(path), mode));
    }
    Async<void> makeDirectory(domain::SandboxPath path, std::stop_token) override
    {
        ++m_disk->calls;
        if (!QDir().mkpath(at(path)))
            co_return failure(ErrorKind::Forbidden, QStringLiteral("mkdir"));
        co_return Result<void>();
    }
    Async<void> rename(domain::SandboxPath from, domain::SandboxPath to, std::stop_token) override
    {
        ++m_disk->calls;
        if (std::rename(QFile::encodeName(at(from)).constData(),
                        QFile::encodeName(at(to)).constData())
            != 0)
            co_return failure(ErrorKind::Conflict, QStringLiteral("rename"));
        co_return Result<void>();
    }
    Async<void> remove(domain::SandboxPath path, bool, std::stop_token) override
    {
        ++m_disk->calls;
        const QFileInfo info(at(path));
        if (!info.exists() && !info.isSymLink())
            co_return missing();
        const bool gone = info.isDir() && !info.isSymLink() ? QDir(at(path)).removeRecursively()
                                                            : QFile::remove(at(path));
        if (!gone)
            co_return failure(ErrorKind::Forbidden, QStringLiteral("remove"));
        co_return Result<void>();
    }

private:
    class Writer final : public domain::FileWriter
    {
    public:
        Writer(QString path, int mode) : m_path(std::move(path)), m_mode(mode) {}
        Async<void> append(QByteArray bytes, std::stop_token) override
        {
            m_bytes += bytes;
            co_return Result<void>();
        }
        Async<void> commit(std::stop_token) override
        {
            QFile file(m_path);
            if (!file.open(QIODevice::WriteOnly))
                co_return failure(ErrorKind::NotFound, QStringLiteral("no directory"));
            file.write(m_bytes);
            file.close();
            QFile::Permissions permissions = QFile::ReadOwner | QFile::WriteOwner;
            if (m_mode & 0100)
                permissions |= QFile::ExeOwner;
            file.setPermissions(permissions);
            co_return Result<void>();
        }
        void abort() override {}

    private:
        QString m_path;
        int m_mode;
        QByteArray m_bytes;
    };

    static tl::unexpected<domain::Error> missing()
    {
        return failure(ErrorKind::NotFound, QStringLiteral("no such file"));
    }
    QString at(const domain::SandboxPath &path) const
    {
        return m_disk->root + QFile::decodeName(path);
    }
    static domain::FileEntry entryOf(const QFileInfo &info)
    {
        domain::FileEntry entry;
        entry.name = QFile::encodeName(info.fileName());
        entry.kind = info.isSymLink() ? domain::FileKind::Symlink
            : info.isDir()            ? domain::FileKind::Directory
                                      : domain::FileKind::Regular;
        entry.size = info.size();
        entry.mode = info.isExecutable() ? 0755 : 0644;
        entry.modified = info.lastModified();
        return entry;
    }

    std::shared_ptr<Disk> m_disk;
};

} // namespace berth::test
