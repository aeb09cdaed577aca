// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/policy/shell_parser.h"

namespace berth::domain {

//! Each command that a line would run as far as its text tells: its own, and those that it hands to
//! env, sudo, xargs, find -exec, sh -c, eval and the like.
struct InnerCommands
{
    QList<QList<ShellWord>> commands;
    //! False: there is one whose text is known only when it runs, or that is wrapped too deep.
    bool complete = true;
};

//! A program's name: it only puts something around another command.
bool isWrapper(const QString &name);

InnerCommands innerCommands(const ShellLine &line);

} // namespace berth::domain
