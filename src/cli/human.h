// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QDateTime>
#include <QtCore/QString>

#include <chrono>
#include <optional>

// Numbers as people read them.
namespace berth::cli {

//! "0.42 s", "12 s", "3 min 05 s", "2 h 10 min", "3 d 4 h".
[[nodiscard]] QString humanDuration(std::chrono::milliseconds duration);
//! "3 min ago", "just now"; "—" for an invalid time.
[[nodiscard]] QString humanAge(const QDateTime &time, const QDateTime &now);
//! "512 B", "43.1 MiB".
[[nodiscard]] QString humanBytes(qint64 bytes);
//! "30s", "500ms", "2m", "1h30m", "90" (seconds); nullopt for anything else and for more than 100
//! days.
[[nodiscard]] std::optional<std::chrono::milliseconds> parseDuration(const QString &text);

//! \a text in one line, without characters that would move the cursor, colour the terminal or turn
//! its direction.
[[nodiscard]] QString onOneLine(const QString &text);

} // namespace berth::cli
