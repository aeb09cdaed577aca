// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/policy/shell_parser.h"

namespace berth::domain {

//! Why \a words, a call of git, ask always; empty: they do not.
QString whyGitAsks(const QList<ShellWord> &words);

//! Its subcommand is one of those that run nothing they are given; the others (also aliases, which
//! may run anything) are allowed only by a rule that has the very line.
bool isPlainGit(const QList<ShellWord> &words);

} // namespace berth::domain
