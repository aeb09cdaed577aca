// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"

namespace berth::cli {

//! One side of a copy: "docker-1:/src/a.c" is in a sandbox, "./a:b" and everything without a colon
//! on this machine.
struct FileSide
{
    //! Empty: on this machine.
    QString target;
    //! As in the contract for a sandbox: what "ls" shows can be typed.
    QString path;

    [[nodiscard]] bool isRemote() const { return !target.isEmpty(); }
};

FileSide copySide(const QString &typed);
//! For commands about a sandbox only: a text without a colon is its home directory.
FileSide sandboxSide(const QString &typed);

//! The file that "<thread-or-sandbox>:<path>" names, with its target resolved; a missing path is
//! InvalidInput.
domain::Async<FileSide> fileInSandbox(Context context, QString typed);

//! "drwxr-xr-x"
QString modeText(const application::FileView &file);

} // namespace berth::cli
