// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/policy/command_rules.h"
#include "domain/policy/shell_parser.h"

namespace berth::domain {

// What is known about single programs and builtins.

//! The last part of a path: "/bin/sh" → "sh".
QString programName(const QString &command);
//! Runs code that it gets as text or by name: sh, python3, awk, ssh, xargs, sudo, eval, …
bool isInterpreter(const QString &command);
bool isPlainShell(const QString &command);

//! Why \a segment asks whatever the rules allow; empty: it does not. Redirections by \a place;
//! \a movesAbout: a command of the line may change the directory.
QString whyAlwaysAsks(const ShellSegment &segment, const CommandPlace &place, bool movesAbout);
bool changesDirectory(const ShellSegment &segment);

//! Only a rule with these very words may allow them, not one that ends with *.
bool needsExactRule(const QList<ShellWord> &words);

} // namespace berth::domain
