// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QString>

namespace berth::application {

//! The arguments of a shell call as stored: {"command": …}.
QString shellArguments(const QString &command);
//! The same of a background command, or of a terminal, whose \a command may be empty.
QString processArguments(const QString &command, bool isTerminal);
//! What to show of a call: its command; empty when there is none.
QString commandOf(const QString &arguments);
//! The same of any tool: its command, pattern or path. Only the names count that the tool reads by
//! itself, as they stand once a call was checked.
QString titleOfCall(const QString &tool, const QString &arguments);

} // namespace berth::application
