// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"

#include <QtCore/QList>
#include <QtCore/QString>

namespace berth::cli {

enum class OptionKind { Flag, Text, Duration };

struct OptionSpec
{
    QString name;
    OptionKind kind = OptionKind::Flag;
    //! "<duration>", for the help.
    QString valueName;
    QString help;
};

//! One verb of the command line.
struct VerbSpec
{
    QString noun;
    //! Empty for one that is a noun alone: exec.
    QString verb;
    QString synopsis;
    QString summary;
    QString details;
    QStringList argumentNames;
    //! The last ones may be left out.
    qsizetype requiredArguments = 0;
    QList<OptionSpec> options;
    //! Takes settings as "key=value" and "--key value".
    bool takesPairs = false;
    //! Takes a command behind "--", and needs it.
    bool takesCommand = false;
    //! Does without one, too.
    bool commandMayBeMissing = false;
    //! Exits with 125 on Berth's own failures, since other codes could be the command's.
    bool passesExitCode = false;
    VerbFunction run = nullptr;

    //! "thread new"
    [[nodiscard]] QString name() const;
    [[nodiscard]] const OptionSpec *option(const QString &name) const;
};

[[nodiscard]] const QList<VerbSpec> &verbs();

} // namespace berth::cli
