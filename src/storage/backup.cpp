// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/backup.h"

#include "storage/connection.h"
#include "storage/sqlite_dialect.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>

namespace berth::storage {

Result<void> copyDatabase(const QString &path, const QString &folder)
{
    if (!QFileInfo::exists(path))
        return failure(ErrorKind::NotFound, QStringLiteral("There is no database %1").arg(path));
    const QString copy = QDir(folder).filePath(QFileInfo(path).fileName());
    const Result<std::unique_ptr<Connection>> source =
        Connection::open(path, Connection::Mode::ReadOnly);
    if (!source)
        return failure(source.error());
    const Result<qint64> copied = (*source)->execute(SqliteDialect::copyInto(), {column(copy)});
    if (!copied)
        return failure(copied.error());
    QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
    return {};
}

} // namespace berth::storage
