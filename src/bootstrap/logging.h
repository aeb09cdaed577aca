// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QString>

namespace berth::bootstrap {

//! Sends domain::log() and Qt's own messages to rotating files (5 of 2 MiB, 0600) in \a directory,
//! and warnings also to standard error when \a echo. Every line passes domain::redacted(). Ends
//! with the program.
void startLogging(const QString &directory, const QString &program, bool echo);

} // namespace berth::bootstrap
