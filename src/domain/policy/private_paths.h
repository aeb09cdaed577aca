// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QString>

namespace berth::domain {

//! Whether writing \a path (absolute) may have another program run something later, though nobody
//! runs the file: hidden names below \a workspace (.git/hooks, .envrc, .vscode, .ssh), for a path
//! outside of it hidden names anywhere, and HEAD, which makes a directory a repository with a
//! configuration that names programs. No rule over several paths covers such a one.
bool isRunByOthers(const QString &path, const QString &workspace);

} // namespace berth::domain
