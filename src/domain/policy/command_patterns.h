// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/policy/shell_parser.h"

#include <QtCore/QStringList>

namespace berth::domain {

//! A rule's pattern, read: words, and whether further ones may follow.
struct CommandPattern
{
    QStringList words;
    bool more = false;
    //! Why it is none; empty: it is one.
    QString problem;
};

CommandPattern readPattern(const QString &text);
//! As text that readPattern() reads as the same.
QString patternText(const QStringList &words, bool more);

//! Every word that the pattern has is that very word.
bool allows(const CommandPattern &pattern, const QList<ShellWord> &words);

enum class Concern { No, Maybe, Yes };

//! Whether a deny or ask pattern means this command: further words always may follow, the program
//! may have a path, short options may be joined or apart. Maybe: depends on what words expand to,
//! or its words stand further apart.
Concern concerns(const CommandPattern &pattern, const QList<ShellWord> &words);

} // namespace berth::domain
