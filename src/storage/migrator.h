// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/connection.h"

#include <QtCore/QStringList>

namespace berth::storage {

//! One step: NNNN_name.sql.
struct Migration
{
    int number = 0;
    QString name;
    QString sql;
};

//! The steps in \a folder (also of the resources), which must be numbered 1, 2, … without a gap.
Result<QList<Migration>> migrationsIn(const QString &folder);

//! The statements of \a script. Comments, quoted text and the body of a trigger may hold
//! semicolons.
QStringList statementsOf(const QString &script);

//! Where a file stands and where it may go.
struct MigrationPlan
{
    QList<Migration> steps;
    qint32 applicationId = 0;
    //! Folder for a copy before each step; empty for a file with nothing in it to lose.
    QString backups;
    int backupsKept = 5;
};

//! Brings the schema up to date, each step in a transaction of its own.
class Migrator
{
public:
    Migrator(Connection &connection, MigrationPlan plan);

    Result<int> version();
    //! Storage error when the file is newer than the plan; else runs the steps that are missing.
    Result<void> run();

    static Error tooNew(const QString &path, int version, int known);

private:
    Result<void> apply(const Migration &step);
    Result<QString> backUp(int version);
    void pruneBackups();
    [[nodiscard]] QString backupPrefix() const;

    Connection &m_connection;
    MigrationPlan m_plan;
};

} // namespace berth::storage
