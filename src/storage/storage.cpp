// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/storage.h"

#include "domain/log.h"
#include "domain/text.h"
#include "storage/database.h"
#include "storage/installation_table.h"
#include "storage/lease_table.h"
#include "storage/sql_access_store.h"
#include "storage/sql_berth_store.h"
#include "storage/sql_conversation_store.h"
#include "storage/sql_lease_store.h"
#include "storage/sql_process_store.h"
#include "storage/sql_trust_store.h"
#include "storage/usage_table.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>

// Outside every namespace, as the macro wants; the linker would drop a static library's resource
// otherwise.
static void makeMigrationsKnown()
{
    Q_INIT_RESOURCE(migrations);
}

namespace berth::storage {

using namespace domain;

namespace {

// "Brth" and "Brsb", in the header of each file.
constexpr qint32 kBerthId = 0x42727468;
constexpr qint32 kSandboxId = 0x42727362;

Result<FileSpec> specFor(const QString &path, const QString &backups, const QString &name,
                         qint32 id)
{
    Result<QList<Migration>> steps =
        migrationsIn(QStringLiteral(":/berth/migrations/sqlite/") + name);
    if (!steps)
        return failure(steps.error());
    FileSpec spec;
    spec.path = path;
    spec.plan.steps = *steps;
    spec.plan.applicationId = id;
    spec.plan.backups = backups;
    return spec;
}

//! As stored: relative when it lies beside berth.db, so that a moved data directory is no change.
QString storedPath(const StoragePaths &paths)
{
    const QString folder = QFileInfo(paths.berthDb).absolutePath();
    const QFileInfo file(paths.sandboxDb);
    return file.absolutePath() == folder ? file.fileName() : file.absoluteFilePath();
}

Result<QString> tidyBerth(Connection &c, const QDateTime &now, const QString &sandboxDb)
{
    if (const Result<InstallationId> id = InstallationTable::id(c, now); !id)
        return failure(id.error());
    if (const Result<void> pruned = InstallationTable::pruneRequests(c, now); !pruned)
        return failure(pruned.error());
    const Result<QString> before = InstallationTable::sandboxDb(c);
    if (!before || !before->isEmpty())
        return before;
    if (const Result<void> stored = InstallationTable::setSandboxDb(c, sandboxDb); !stored)
        return failure(stored.error());
    return sandboxDb;
}

Result<void> tidyLeases(Connection &c, const QDateTime &now)
{
    if (const Result<void> pruned = LeaseTable::pruneEvents(c, now); !pruned)
        return pruned;
    return UsageTable::prune(c, now);
}

} // namespace

struct Storage::Parts
{
    // Destroyed from the bottom up: stores, files, then the thread that closes the files.
    DatabaseThread thread;
    std::shared_ptr<Database> berthFile;
    std::shared_ptr<Database> sandboxFile;
    std::unique_ptr<SqlBerthStore> berth;
    std::unique_ptr<SqlLeaseStore> leases;
    std::unique_ptr<SqlProcessStore> processes;
    std::unique_ptr<SqlTrustStore> trust;
    std::unique_ptr<SqlAccessStore> access;
    std::unique_ptr<SqlConversationStore> conversations;
    QString presentSandboxDb;
    QString previousSandboxDb;
};

Storage::Storage(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}

Storage::~Storage() = default;

BerthStore &Storage::berth()
{
    return *m_parts->berth;
}

LeaseStore &Storage::leases()
{
    return *m_parts->leases;
}

ProcessStore &Storage::processes()
{
    return *m_parts->processes;
}

ConversationStore &Storage::conversations()
{
    return *m_parts->conversations;
}

TrustStore &Storage::trust()
{
    return *m_parts->trust;
}

AccessStore &Storage::access()
{
    return *m_parts->access;
}

QString Storage::previousSandboxDb() const
{
    return m_parts->previousSandboxDb;
}

Async<void> Storage::acceptSandboxDb()
{
    m_parts->previousSandboxDb.clear();
    return m_parts->berthFile->write<void>([path = m_parts->presentSandboxDb](Connection &c) {
        return InstallationTable::setSandboxDb(c, path);
    });
}

Async<void> Storage::close()
{
    m_parts->berthFile->close();
    m_parts->sandboxFile->close();
    co_await m_parts->thread.close();
    co_return {};
}

Async<std::unique_ptr<Storage>> openStorage(StoragePaths paths, Clock clock)
{
    makeMigrationsKnown();
    if (!clock)
        clock = &nowUtc;
    const Result<FileSpec> berthSpec =
        specFor(paths.berthDb, paths.backups, QStringLiteral("berth"), kBerthId);
    if (!berthSpec)
        co_return failure(berthSpec.error());
    const Result<FileSpec> sandboxSpec =
        specFor(paths.sandboxDb, paths.backups, QStringLiteral("sandbox"), kSandboxId);
    if (!sandboxSpec)
        co_return failure(sandboxSpec.error());

    auto parts = std::make_unique<Storage::Parts>();
    Result<std::shared_ptr<Database>> berthFile =
        co_await Database::open(&parts->thread, *berthSpec);
    if (!berthFile)
        co_return failure(berthFile.error());
    parts->berthFile = *berthFile;
    Result<std::shared_ptr<Database>> sandboxFile =
        co_await Database::open(&parts->thread, *sandboxSpec);
    if (!sandboxFile)
        co_return failure(sandboxFile.error());
    parts->sandboxFile = *sandboxFile;

    parts->presentSandboxDb = storedPath(paths);
    // Named: GCC 12 destroys a lambda twice that is a temporary of a co_await expression.
    const Database::Work<QString> tidyFirst = [clock,
                                               path = parts->presentSandboxDb](Connection &c) {
        return tidyBerth(c, clock(), path);
    };
    Result<QString> stored = co_await parts->berthFile->write<QString>(tidyFirst);
    if (!stored)
        co_return failure(stored.error());
    if (*stored != parts->presentSandboxDb) {
        parts->previousSandboxDb =
            QDir(QFileInfo(paths.berthDb).absolutePath()).absoluteFilePath(*stored);
        domain::log(LogLevel::Warning, "storage",
                    QStringLiteral("The sandbox records were in %1 before, now they are in %2")
                        .arg(parts->previousSandboxDb, paths.sandboxDb));
    }
    const Database::Work<void> tidySecond = [clock](Connection &c) {
        return tidyLeases(c, clock());
    };
    Result<void> tidied = co_await parts->sandboxFile->write<void>(tidySecond);
    if (!tidied)
        co_return failure(tidied.error());

    parts->berth = std::make_unique<SqlBerthStore>(parts->berthFile, clock);
    parts->conversations = std::make_unique<SqlConversationStore>(parts->berthFile, clock);
    parts->trust = std::make_unique<SqlTrustStore>(parts->berthFile, clock);
    parts->access = std::make_unique<SqlAccessStore>(parts->berthFile);
    parts->leases = std::make_unique<SqlLeaseStore>(parts->sandboxFile, clock);
    parts->processes = std::make_unique<SqlProcessStore>(parts->sandboxFile);
    co_return std::make_unique<Storage>(std::move(parts));
}

} // namespace berth::storage
