// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/migrator.h"

#include "domain/log.h"
#include "domain/text.h"
#include "storage/sqlite_dialect.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>

#include <algorithm>

namespace berth::storage {

Result<QList<Migration>> migrationsIn(const QString &folder)
{
    QList<Migration> steps;
    const QStringList names =
        QDir(folder).entryList({QStringLiteral("*.sql")}, QDir::Files, QDir::Name);
    for (const QString &name : names) {
        QFile file(folder + QLatin1Char('/') + name);
        const int number = name.left(4).toInt();
        if (number != steps.size() + 1 || name.mid(4, 1) != QLatin1String("_")
            || !file.open(QIODevice::ReadOnly)) {
            return failure(ErrorKind::Internal,
                           QStringLiteral("Migration %1 is out of order").arg(name));
        }
        steps << Migration{number, name.mid(5).chopped(4), QString::fromUtf8(file.readAll())};
    }
    if (steps.isEmpty())
        return failure(ErrorKind::Internal,
                       QStringLiteral("There are no migrations in %1").arg(folder));
    return steps;
}

Migrator::Migrator(Connection &connection, MigrationPlan plan)
    : m_connection(connection), m_plan(std::move(plan))
{}

Result<int> Migrator::version()
{
    Result<std::optional<Row>> row = m_connection.selectOne(SqliteDialect::userVersion());
    if (!row)
        return failure(row.error());
    return *row ? static_cast<int>((*row)->integer()) : 0;
}

Error Migrator::tooNew(const QString &path, int version, int known)
{
    return {
        ErrorKind::Storage,
        QStringLiteral("The records in %1 were written by a newer Berth").arg(path),
        QStringLiteral(
            "They have version %1, this Berth knows %2. Start the newer Berth, or choose another "
            "data directory. Nothing was changed.")
            .arg(version)
            .arg(known),
        {},
        {}};
}

Result<void> Migrator::run()
{
    const Result<int> from = version();
    if (!from)
        return failure(from.error());
    if (*from > m_plan.steps.size())
        return failure(tooNew(m_connection.path(), *from, static_cast<int>(m_plan.steps.size())));
    for (const Migration &step : std::as_const(m_plan.steps)) {
        if (step.number <= *from)
            continue;
        QString copy;
        if (!m_plan.backups.isEmpty()) {
            Result<QString> backup = backUp(step.number - 1);
            if (!backup)
                return failure(backup.error());
            copy = *backup;
        }
        if (const Result<void> applied = apply(step); !applied) {
            Error error = applied.error();
            error.kind = ErrorKind::Storage;
            error.message = QStringLiteral("The records in %1 could not be brought up to date")
                                .arg(m_connection.path());
            error.detail =
                QStringLiteral("Step %1 (%2): %3. %4 The records are as they were before it.")
                    .arg(step.number)
                    .arg(step.name, applied.error().message, applied.error().detail);
            if (!copy.isEmpty())
                error.detail += QStringLiteral(" A copy is in %1.").arg(copy);
            return failure(error);
        }
        domain::log(domain::LogLevel::Info, "storage",
                    QStringLiteral("%1: step %2 (%3) done")
                        .arg(QFileInfo(m_connection.path()).fileName())
                        .arg(step.number)
                        .arg(step.name));
    }
    if (!m_plan.backups.isEmpty())
        pruneBackups();
    return {};
}

Result<void> Migrator::apply(const Migration &step)
{
    // A step may build a table anew, which drops what others refer to for a moment. The switch does
    // nothing inside a transaction, so it is here, and the references are checked before the
    // commit.
    if (const Result<qint64> off = m_connection.execute(SqliteDialect::foreignKeys(false)); !off)
        return failure(off.error());
    Result<void> result =
        m_connection.transaction<void>([this, &step](Connection &c) -> Result<void> {
            QStringList statements = statementsOf(step.sql);
            statements << SqliteDialect::setUserVersion(step.number)
                       << SqliteDialect::setApplicationId(m_plan.applicationId);
            for (const QString &statement : std::as_const(statements)) {
                if (const Result<qint64> done = c.execute(statement); !done)
                    return failure(done.error());
            }
            Result<QList<Row>> dangling = c.select(SqliteDialect::foreignKeyCheck());
            if (!dangling)
                return failure(dangling.error());
            if (!dangling->isEmpty()) {
                return failure(ErrorKind::Storage,
                               QStringLiteral("It would leave references to nothing"),
                               QStringLiteral("First in table %1").arg(dangling->first().text()));
            }
            return {};
        });
    const Result<qint64> on = m_connection.execute(SqliteDialect::foreignKeys(true));
    if (result && !on)
        return failure(on.error());
    return result;
}

QString Migrator::backupPrefix() const
{
    return QFileInfo(m_connection.path()).completeBaseName() + QStringLiteral("-v");
}

Result<QString> Migrator::backUp(int version)
{
    QDir().mkpath(m_plan.backups);
    const QString stamp = domain::nowUtc().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz"));
    const QString path =
        QStringLiteral("%1/%2%3-%4.db").arg(m_plan.backups, backupPrefix()).arg(version).arg(stamp);
    const Result<qint64> copied = m_connection.execute(SqliteDialect::copyInto(), {column(path)});
    if (copied) {
        QFile::setPermissions(path, QFileDevice::ReadOwner | QFileDevice::WriteOwner);
        return path;
    }
    // Half a copy is worse than none.
    QFile::remove(path);
    return failure(
        ErrorKind::Storage,
        QStringLiteral("Berth could not copy its records before bringing them up to date"),
        QStringLiteral("The copy was to go into %1: %2. Nothing was changed.")
            .arg(m_plan.backups, copied.error().message));
}

void Migrator::pruneBackups()
{
    const QDir folder(m_plan.backups);
    QStringList copies = folder.entryList({backupPrefix() + QStringLiteral("*.db")}, QDir::Files);
    // By the time in the name: "-v9-" sorts behind "-v10-".
    std::sort(copies.begin(), copies.end(), [](const QString &a, const QString &b) {
        return a.section(QLatin1Char('-'), -3) < b.section(QLatin1Char('-'), -3);
    });
    while (copies.size() > m_plan.backupsKept)
        QFile::remove(folder.filePath(copies.takeFirst()));
}

} // namespace berth::storage
