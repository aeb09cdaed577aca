// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/sqlite_dialect.h"

#include <QtCore/QFileInfo>
#include <QtSql/QSqlError>

namespace berth::storage {

using domain::Error;
using domain::ErrorKind;

namespace {

// Primary result codes, https://www.sqlite.org/rescode.html
enum PrimaryCode {
    Permission = 3,
    Busy = 5,
    Locked = 6,
    NoMemory = 7,
    ReadOnly = 8,
    InputOutput = 10,
    Corrupt = 11,
    Full = 13,
    CannotOpen = 14,
    Constraint = 19,
    NotADatabase = 26,
};

enum ExtendedCode {
    ConstraintCheck = 275,
    ConstraintForeignKey = 787,
    ConstraintNotNull = 1299,
    ConstraintPrimaryKey = 1555,
    ConstraintTrigger = 1811,
    ConstraintUnique = 2067,
};

Error constraintError(int extended, const QString &text)
{
    switch (extended) {
    case ConstraintUnique:
    case ConstraintPrimaryKey:
        return {ErrorKind::Conflict, QStringLiteral("That is there already"), text, {}, {}};
    case ConstraintForeignKey:
        return {ErrorKind::Conflict,
                QStringLiteral("It refers to something that is not there"),
                text,
                {},
                {}};
    case ConstraintTrigger:
        return {ErrorKind::Conflict, QStringLiteral("That may not change"), text, {}, {}};
    default:
        return {ErrorKind::Internal,
                QStringLiteral("A value breaks a rule of the records"),
                text,
                {},
                {}};
    }
}

Error storageError(const QString &message, const QString &detail)
{
    return {ErrorKind::Storage, message, detail, {}, {}};
}

} // namespace

QString SqliteDialect::driver()
{
    return QStringLiteral("QSQLITE");
}

QString SqliteDialect::connectOptions(bool readOnly)
{
    // Another program that looks into the file (a backup, sqlite3) holds it for moments.
    QString options = QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000");
    if (readOnly)
        options += QStringLiteral(";QSQLITE_OPEN_READONLY");
    return options;
}

QStringList SqliteDialect::sessionStatements()
{
    return {QStringLiteral("PRAGMA journal_mode = WAL"), durable(true), foreignKeys(true),
            QStringLiteral("PRAGMA journal_size_limit = 16777216")};
}

QString SqliteDialect::durable(bool on)
{
    // With a write-ahead log, FULL syncs at each commit (some 5 ms on a disk); NORMAL only before a
    // checkpoint, see flush(). Neither can damage the file, and neither loses anything when only
    // the program dies.
    return on ? QStringLiteral("PRAGMA synchronous = FULL")
              : QStringLiteral("PRAGMA synchronous = NORMAL");
}

QString SqliteDialect::flush()
{
    return QStringLiteral("PRAGMA wal_checkpoint(PASSIVE)");
}

QString SqliteDialect::beginWrite()
{
    return QStringLiteral("BEGIN IMMEDIATE");
}

QString SqliteDialect::foreignKeys(bool on)
{
    return on ? QStringLiteral("PRAGMA foreign_keys = ON")
              : QStringLiteral("PRAGMA foreign_keys = OFF");
}

QString SqliteDialect::userVersion()
{
    return QStringLiteral("PRAGMA user_version");
}

QString SqliteDialect::setUserVersion(int version)
{
    return QStringLiteral("PRAGMA user_version = %1").arg(version);
}

QString SqliteDialect::setApplicationId(qint32 id)
{
    return QStringLiteral("PRAGMA application_id = %1").arg(id);
}

QString SqliteDialect::quickCheck()
{
    return QStringLiteral("PRAGMA quick_check(1)");
}

QString SqliteDialect::foreignKeyCheck()
{
    return QStringLiteral("PRAGMA foreign_key_check");
}

QString SqliteDialect::copyInto()
{
    return QStringLiteral("VACUUM INTO ?");
}

QString SqliteDialect::checkpoint()
{
    return QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)");
}

Error SqliteDialect::damaged(const QString &path, const QString &why)
{
    return storageError(
        QStringLiteral("Berth's records in %1 are damaged").arg(path),
        QStringLiteral(
            "%1. Nothing was changed. Put a copy in its place (the folder \"backups\" beside it "
            "keeps those from before each update), or move the file away to begin afresh.")
            .arg(why));
}

Error SqliteDialect::error(const QSqlError &error, const QString &path)
{
    const QString text = error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
    const int extended = error.nativeErrorCode().toInt();
    const QString folder = QFileInfo(path).path();
    switch (extended & 0xff) {
    case Constraint:
        return constraintError(extended, text);
    case Full:
        return storageError(
            QStringLiteral("The disk is full: Berth could not store a change"),
            QStringLiteral("Free some space where %1 lies and try again. What was stored before "
                           "is safe.")
                .arg(folder));
    case Permission:
    case ReadOnly:
    case CannotOpen:
        return storageError(
            QStringLiteral("Berth cannot write its records in %1").arg(folder),
            QStringLiteral("%1. See that the folder is there and that you may write to it and to "
                           "the files in it, or choose another data directory.")
                .arg(text));
    case Corrupt:
    case NotADatabase:
        return damaged(path, text);
    case Busy:
    case Locked:
        return storageError(
            QStringLiteral("Another program holds Berth's records"),
            QStringLiteral("%1 is locked. Close the program that works on it and try again.")
                .arg(path));
    case InputOutput:
        return storageError(
            QStringLiteral("Berth's records could not be read or written"),
            QStringLiteral("%1: %2. The disk may be full, failing, or no longer there.")
                .arg(path, text));
    case NoMemory:
        return storageError(QStringLiteral("There is not enough memory to use Berth's records"),
                            text);
    default:
        return storageError(QStringLiteral("Berth's records could not be used"),
                            QStringLiteral("%1: %2").arg(path, text));
    }
}

} // namespace berth::storage
