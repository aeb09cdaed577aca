// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/connection.h"
#include "storage/file_lock.h"
#include "storage/migrator.h"

namespace berth::storage {

//! A file to open: where, what it must be, and how it is brought up to date.
struct FileSpec
{
    QString path;
    MigrationPlan plan;
};

//! An open file, up to date and locked against other Berths. Destroyed on the thread that made it.
struct OpenFile
{
    std::unique_ptr<FileLock> lock;
    std::unique_ptr<Connection> connection;
    //! It was not there, or empty, before.
    bool isNew = false;

    ~OpenFile();
    OpenFile() = default;
    OpenFile(OpenFile &&) = default;
    OpenFile &operator=(OpenFile &&) = default;
};

//! Opens or makes a file. One of another program, of a newer Berth, or a damaged one is refused
//! unchanged.
Result<OpenFile> openFile(const FileSpec &spec);

} // namespace berth::storage
