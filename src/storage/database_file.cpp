// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/database_file.h"

#include "domain/log.h"
#include "storage/sqlite_dialect.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QtEndian>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace berth::storage {

namespace {

// The fixed header, https://www.sqlite.org/fileformat2.html#the_database_header
constexpr qint64 kHeaderSize = 100;
constexpr qsizetype kUserVersionAt = 60;
constexpr qsizetype kApplicationIdAt = 68;

// A check reads the whole file; above this size a start would be slow.
constexpr qint64 kLargestChecked = 64 * 1024 * 1024;

constexpr QFileDevice::Permissions kPrivate = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

Result<void> makeFolder(const QString &file)
{
    const QString folder = QFileInfo(file).path();
    if (QFileInfo::exists(folder))
        return {};
    if (!QDir().mkpath(folder)) {
        return failure(
            ErrorKind::Storage, QStringLiteral("The folder %1 could not be made").arg(folder),
            QStringLiteral("See that you may write to the folder above it, or choose another data "
                           "directory."));
    }
    QFile::setPermissions(folder, kPrivate | QFileDevice::ExeOwner);
    return {};
}

bool hasLog(const QString &path)
{
    return QFileInfo(path + QStringLiteral("-wal")).size() > 0;
}

//! Looks at the bytes only, because opening a file with SQLite may change it.
Result<void> checkHeader(const FileSpec &spec)
{
    QFile file(spec.path);
    if (!file.open(QIODevice::ReadOnly)) {
        return failure(
            ErrorKind::Storage, QStringLiteral("Berth cannot read %1").arg(spec.path),
            QStringLiteral("%1. See that it is yours and readable.").arg(file.errorString()));
    }
    const QByteArray header = file.read(kHeaderSize);
    if (header.size() < kHeaderSize || !header.startsWith(QByteArrayLiteral("SQLite format 3\0")))
        return failure(SqliteDialect::damaged(spec.path, QStringLiteral("It is not a database")));
    const auto id = qFromBigEndian<qint32>(header.constData() + kApplicationIdAt);
    if (id != spec.plan.applicationId) {
        return failure(
            ErrorKind::Storage, QStringLiteral("%1 was made by another program").arg(spec.path),
            QStringLiteral("Berth leaves it as it is. Choose another place for Berth's records, or "
                           "move that file away."));
    }
    // Without a write-ahead log the header is the truth; with one, the connection is asked.
    const auto version = qFromBigEndian<qint32>(header.constData() + kUserVersionAt);
    const auto known = static_cast<int>(spec.plan.steps.size());
    if (!hasLog(spec.path) && version > known)
        return failure(Migrator::tooNew(spec.path, version, known));
    return {};
}

//! A log left by a killed process may hold a newer version than the header; a reader changes
//! neither.
Result<void> checkVersionInLog(const FileSpec &spec)
{
    Result<std::unique_ptr<Connection>> reader =
        Connection::open(spec.path, Connection::Mode::ReadOnly);
    if (!reader)
        return failure(reader.error());
    const Result<int> version = Migrator(**reader, spec.plan).version();
    if (!version)
        return failure(version.error());
    const auto known = static_cast<int>(spec.plan.steps.size());
    if (*version > known)
        return failure(Migrator::tooNew(spec.path, *version, known));
    return {};
}

Result<void> checkSound(Connection &connection)
{
    Result<std::optional<Row>> schema =
        connection.selectOne(QStringLiteral("SELECT count(*) FROM sqlite_master"));
    if (!schema)
        return failure(schema.error());
    if (QFileInfo(connection.path()).size() > kLargestChecked)
        return {};
    Result<std::optional<Row>> row = connection.selectOne(SqliteDialect::quickCheck());
    if (!row)
        return failure(row.error());
    const QString verdict = *row ? (*row)->text() : QString();
    if (verdict != QLatin1String("ok"))
        return failure(SqliteDialect::damaged(connection.path(), verdict));
    return {};
}

void syncFolder(const QString &file)
{
    const int folder = ::open(QFile::encodeName(QFileInfo(file).path()).constData(),
                              O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return;
    ::fsync(folder);
    ::close(folder);
}

//! Builds it under another name, so that a file of this name is never half made.
Result<void> make(const FileSpec &spec)
{
    const QString fresh = spec.path + QStringLiteral(".new");
    QFile::remove(fresh);
    QFile::remove(fresh + QStringLiteral("-journal"));
    {
        MigrationPlan plan = spec.plan;
        plan.backups.clear();
        Result<std::unique_ptr<Connection>> connection =
            Connection::open(fresh, Connection::Mode::ReadWrite);
        if (!connection)
            return failure(connection.error());
        QFile::setPermissions(fresh, kPrivate);
        if (const Result<void> built = Migrator(**connection, plan).run(); !built) {
            connection->reset();
            QFile::remove(fresh);
            return built;
        }
    }
    if (std::rename(QFile::encodeName(fresh).constData(), QFile::encodeName(spec.path).constData())
        != 0) {
        const QString why = QString::fromLocal8Bit(std::strerror(errno));
        QFile::remove(fresh);
        return failure(ErrorKind::Storage, QStringLiteral("Berth cannot make %1").arg(spec.path),
                       QStringLiteral("%1. See that you may write to its folder.").arg(why));
    }
    syncFolder(spec.path);
    return {};
}

} // namespace

OpenFile::~OpenFile() = default;

Result<OpenFile> openFile(const FileSpec &asked)
{
    FileSpec spec = asked;
    if (const Result<void> made = makeFolder(spec.path); !made)
        return failure(made.error());
    // The log and the lock lie beside the file itself, not beside a link to it.
    if (const QString real = QFileInfo(spec.path).canonicalFilePath(); !real.isEmpty())
        spec.path = real;

    OpenFile file;
    Result<std::unique_ptr<FileLock>> lock = FileLock::take(spec.path);
    if (!lock)
        return failure(lock.error());
    file.lock = std::move(*lock);

    file.isNew = QFileInfo(spec.path).size() == 0;
    Result<void> step = file.isNew ? make(spec) : checkHeader(spec);
    if (step && !file.isNew && hasLog(spec.path))
        step = checkVersionInLog(spec);
    if (!step)
        return failure(step.error());

    Result<std::unique_ptr<Connection>> connection =
        Connection::open(spec.path, Connection::Mode::ReadWrite);
    if (!connection)
        return failure(connection.error());
    file.connection = std::move(*connection);
    if (const Result<void> sound = checkSound(*file.connection); !sound)
        return failure(sound.error());
    for (const QString &statement : SqliteDialect::sessionStatements()) {
        if (const Result<QList<Row>> done = file.connection->select(statement); !done)
            return failure(done.error());
    }
    if (const Result<void> migrated = Migrator(*file.connection, spec.plan).run(); !migrated)
        return failure(migrated.error());
    return file;
}

} // namespace berth::storage
