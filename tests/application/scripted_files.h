// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"
#include "domain/execution/file_system.h"

#include <QtCore/QMap>

namespace berth::test {

//! Files in memory, that answer what a test puts there, also what no honest sandbox would.
class ScriptedFiles final : public domain::FileSystem
{
public:
    struct File
    {
        domain::FileEntry entry;
        QByteArray content;
    };
    //! By absolute path.
    QMap<QByteArray, File> files;
    //! Reading or looking at one of these fails so.
    QMap<QByteArray, domain::ErrorKind> failing;
    //! Writers that were opened and are still there.
    int writers = 0;
    int aborted = 0;
    //! Reading and writing waits until let go.
    bool slow = false;
    QList<async::Completion<bool>> gates;
    void letGo()
    {
        for (const async::Completion<bool> &gate : std::exchange(gates, {}))
            gate.complete(true);
    }

    void add(const QByteArray &path, domain::FileKind kind, const QByteArray &contentOrTarget = {})
    {
        File file;
        file.entry.name = path.mid(path.lastIndexOf('/') + 1);
        file.entry.kind = kind;
        file.entry.mode = 0644;
        if (kind == domain::FileKind::Symlink)
            file.entry.linkTarget = contentOrTarget;
        else
            file.content = contentOrTarget;
        file.entry.size = file.content.size();
        files.insert(path, file);
    }

    domain::Async<domain::FileEntry> stat(domain::SandboxPath path, std::stop_token) override
    {
        if (failing.contains(path))
            co_return domain::failure(failing.value(path), QStringLiteral("so it is"));
        if (!files.contains(path))
            co_return missing();
        const domain::FileEntry entry = files.value(path).entry;
        co_return entry;
    }
    domain::Async<domain::FilePage> list(domain::SandboxPath path, QByteArray cursor, int limit,
                                         std::stop_token) override
    {
        if (failing.contains(path))
            co_return domain::failure(failing.value(path), QStringLiteral("so it is"));
        domain::FilePage page;
        int at = 0;
        for (auto it = files.cbegin(); it != files.cend(); ++it) {
            if (it.key().left(it.key().lastIndexOf('/')) != path || at++ < cursor.toInt())
                continue;
            if (page.entries.size() == limit) {
                page.next = QByteArray::number(at - 1);
                break;
            }
            page.entries.append(it->entry);
        }
        const domain::FilePage result = page;
        co_return result;
    }
    domain::Async<QByteArray> read(domain::SandboxPath path, qint64 offset, qint64 length,
                                   std::stop_token) override
    {
        if (failing.contains(path))
            co_return domain::failure(failing.value(path), QStringLiteral("so it is"));
        if (!files.contains(path))
            co_return missing();
        const QByteArray bytes = files.value(path).content.mid(offset, length);
        if (slow) {
            const async::Completion<bool> gate;
            gates << gate;
            co_await gate;
        }
        co_return bytes;
    }
    domain::Async<void> write(domain::SandboxPath, QByteArray, std::stop_token) override
    {
        co_return missing();
    }
    domain::Async<std::shared_ptr<domain::FileWriter>> openWrite(domain::SandboxPath path, int,
                                                                 bool refuseExisting,
                                                                 std::stop_token) override
    {
        if (failing.contains(path))
            co_return domain::failure(failing.value(path), QStringLiteral("so it is"));
        if (refuseExisting && files.contains(path))
            co_return domain::failure(domain::ErrorKind::Conflict, QStringLiteral("is there"));
        co_return std::shared_ptr<domain::FileWriter>(std::make_shared<Writer>(*this, path));
    }
    domain::Async<domain::GlobResult> glob(domain::GlobRequest, std::stop_token) override
    {
        co_return missing();
    }
    domain::Async<domain::GrepResult> grep(domain::GrepRequest, std::stop_token) override
    {
        co_return missing();
    }
    domain::Async<void> makeDirectory(domain::SandboxPath path, std::stop_token) override
    {
        add(path, domain::FileKind::Directory);
        co_return domain::Result<void>();
    }
    domain::Async<void> rename(domain::SandboxPath from, domain::SandboxPath to,
                               std::stop_token) override
    {
        if (!files.contains(from))
            co_return missing();
        const File file = files.take(from);
        add(to, file.entry.kind, file.content);
        co_return domain::Result<void>();
    }
    domain::Async<void> remove(domain::SandboxPath path, bool, std::stop_token) override
    {
        if (files.remove(path) == 0)
            co_return missing();
        co_return domain::Result<void>();
    }

private:
    static tl::unexpected<domain::Error> missing()
    {
        return domain::failure(domain::ErrorKind::NotFound, QStringLiteral("no such file"));
    }

    class Writer final : public domain::FileWriter
    {
    public:
        Writer(ScriptedFiles &owner, QByteArray path) : m_owner(owner), m_path(std::move(path))
        {
            ++m_owner.writers;
        }
        ~Writer() override { --m_owner.writers; }
        domain::Async<void> append(QByteArray bytes, std::stop_token stop) override
        {
            if (m_owner.slow) {
                const async::Completion<bool> gate;
                m_owner.gates << gate;
                const std::stop_callback onStop(stop, [gate] { gate.complete(false); });
                const bool open = co_await gate;
                if (!open)
                    co_return domain::failure(domain::ErrorKind::Cancelled,
                                              QStringLiteral("stopped"));
            }
            m_bytes += bytes;
            co_return domain::Result<void>();
        }
        domain::Async<void> commit(std::stop_token) override
        {
            m_owner.add(m_path, domain::FileKind::Regular, m_bytes);
            co_return domain::Result<void>();
        }
        void abort() override { ++m_owner.aborted; }

    private:
        ScriptedFiles &m_owner;
        QByteArray m_path;
        QByteArray m_bytes;
    };
};

} // namespace berth::test
