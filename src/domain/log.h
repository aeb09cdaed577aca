// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QString>

namespace berth::domain {

enum class LogLevel { Debug, Info, Warning, Error };

//! Where log lines go. Called on any thread. \a area is a short literal such as "docker".
using LogSink = void (*)(LogLevel level, const char *area, const QString &line);

//! Set once by the composition root; without it warnings and errors go to standard error.
void setLogSink(LogSink sink);

//! Never pass a secret: Secret has no conversion to QString for that reason. The installed sink
//! redacts known secrets all the same.
void log(LogLevel level, const char *area, const QString &line);

} // namespace berth::domain
