// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/log.h"
#include "domain/sandbox/stores.h"
#include "domain/text.h"
#include "domain/thread/stores.h"
#include "storage/storage.h"
#include "support/await.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

namespace berth::test {

//! Real files in a folder of their own, opened and closed as Berth does.
class StorageFiles
{
    // Before paths, which are made of it.
    QTemporaryDir m_folder;

public:
    storage::StoragePaths paths{m_folder.filePath(QStringLiteral("berth.db")),
                                m_folder.filePath(QStringLiteral("sandbox.db")),
                                m_folder.filePath(QStringLiteral("backups"))};
    //! What the stores take for now; real time when invalid.
    QDateTime now;

    domain::Result<void> open() { return await(openInto(this)); }

    domain::Result<void> close()
    {
        const domain::Result<void> closed = await(m_storage->close());
        m_storage.reset();
        return closed;
    }

    domain::Result<void> reopen()
    {
        const domain::Result<void> closed = close();
        return closed ? open() : closed;
    }

    void drop() { m_storage.reset(); }

    [[nodiscard]] bool isOpen() const { return m_storage != nullptr; }
    [[nodiscard]] storage::Storage &storage() const { return *m_storage; }
    [[nodiscard]] domain::BerthStore &berth() const { return m_storage->berth(); }
    [[nodiscard]] domain::LeaseStore &leases() const { return m_storage->leases(); }
    [[nodiscard]] QString folder() const { return m_folder.path(); }
    [[nodiscard]] QString file(const QString &name) const { return m_folder.filePath(name); }

    //! A first message for agent default on a new Docker sandbox.
    static domain::FirstMessage first(const QString &text)
    {
        domain::FirstMessage first;
        first.thread.id = domain::ThreadId::create();
        first.thread.agent = domain::AgentId(QStringLiteral("default"));
        first.thread.title = text;
        first.sandbox.id = domain::SandboxId::create();
        first.sandbox.type = QStringLiteral("docker");
        first.sandbox.providerConfig = domain::ConfigName(QStringLiteral("docker"));
        first.message.text = text;
        first.run.id = domain::RunId::create();
        first.run.state = domain::RunState::Running;
        domain::ToolCall call;
        call.id = domain::ToolCallId::create();
        call.tool = QStringLiteral("shell");
        call.arguments = QStringLiteral("{\"command\":\"echo hi\"}");
        call.state = domain::ToolCallState::Running;
        first.toolCall = call;
        return first;
    }

    static domain::Lease lease()
    {
        domain::Lease lease;
        lease.id = domain::LeaseId::create();
        lease.sandbox = domain::SandboxId::create();
        lease.agent = domain::AgentId(QStringLiteral("default"));
        lease.alias = QStringLiteral("docker-1");
        lease.installation = domain::InstallationId::create();
        lease.providerName = QStringLiteral("docker");
        lease.providerConfig = domain::ConfigName(QStringLiteral("docker-gpu"));
        lease.observed = domain::ObservedState::Starting;
        return lease;
    }

    static domain::LeaseEvent event(const QString &type)
    {
        domain::LeaseEvent event;
        event.type = type;
        event.source = QStringLiteral("window");
        return event;
    }

private:
    static domain::Async<void> openInto(StorageFiles *files)
    {
        const storage::Clock clock = [files] {
            return files->now.isValid() ? files->now : domain::nowUtc();
        };
        domain::Result<std::unique_ptr<storage::Storage>> opened =
            co_await storage::openStorage(files->paths, clock);
        if (!opened)
            co_return domain::failure(opened.error());
        files->m_storage = std::move(*opened);
        co_return {};
    }

    std::unique_ptr<storage::Storage> m_storage;
};

inline QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace berth::test
