// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace berth::cli {

//! For "bash", "zsh" or "fish", made of the table of verbs; empty for any other shell.
[[nodiscard]] QByteArray completionScript(const QString &shell);

} // namespace berth::cli
