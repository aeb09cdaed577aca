// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QDateTime>
#include <QtCore/QString>

namespace berth::domain {

//! ISO-8601 in UTC with milliseconds and Z, as in every table and on every wire. Empty for an
//! invalid time.
QString toWireTime(const QDateTime &time);
//! Invalid when \a text is not such a time.
QDateTime fromWireTime(const QString &text);
QDateTime nowUtc();

//! \a bytes for display: valid UTF-8 as it is, anything else, control and bidirectional characters
//! as \xNN.
QString displayName(const QByteArray &bytes);

//! \a bytes as text that stands for them exactly: displayName(), with a backslash doubled.
QString escapedBytes(const QByteArray &bytes);
//! The bytes of escapedBytes(); a backslash that begins neither \\ nor \xNN means itself.
QByteArray unescapedBytes(const QString &text);

//! The shell word that means exactly \a bytes in every POSIX shell. NUL cannot be said and ends the
//! word.
QByteArray shellQuoted(const QByteArray &bytes);

} // namespace berth::domain
