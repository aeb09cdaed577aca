// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/error.h"

#include <QtCore/QStringList>

class QSqlError;

namespace berth::storage {

//! Everything that is SQLite's own. The statements elsewhere in this folder are such that
//! PostgreSQL takes them too (ON CONFLICT, RETURNING, partial indexes; times as text that sorts).
class SqliteDialect
{
public:
    static QString driver();
    static QString connectOptions(bool readOnly);
    //! Run once on each new connection.
    static QStringList sessionStatements();
    //! Takes the write lock at once, so that no transaction fails half-way for want of it.
    static QString beginWrite();
    static QString foreignKeys(bool on);
    static QString userVersion();
    static QString setUserVersion(int version);
    static QString setApplicationId(qint32 id);
    //! Answers one row "ok" for a sound file.
    static QString quickCheck();
    //! Answers a row for each reference to nothing.
    static QString foreignKeyCheck();
    //! A consistent copy into the file that is bound.
    static QString copyInto();
    static QString checkpoint();
    //! The pragma that makes a commit wait for the disk, or not.
    static QString durable(bool on);
    //! Brings what was committed without waiting to the disk; readers and writers go on.
    static QString flush();

    //! What went wrong, for users; decides on the number, never on the text.
    static domain::Error error(const QSqlError &error, const QString &path);
    static domain::Error damaged(const QString &path, const QString &why);
};

} // namespace berth::storage
