// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine/engine_settings.h"
#include "domain/result.h"

namespace berth::bootstrap {

//! Where this program keeps things; see product documentation for the variables.
struct AppPaths
{
    application::EnginePaths engine;
    QString berthDb;
    QString sandboxDb;
    QString backups;
    //! Rotating log files, below XDG state.
    QString logs;
    //! Given by --data-dir; shown in the window's title.
    bool isCustom = false;
};

//! With an empty \a dataDirOption the XDG directories of "berth"; LEON_SANDBOXES_DIR and
//! LEON_SANDBOX_DB_PATH are honoured. Makes nothing.
AppPaths resolvePaths(const QString &dataDirOption);
//! Makes the directories, private to the user.
domain::Result<void> makeDirectories(const AppPaths &paths);

} // namespace berth::bootstrap
