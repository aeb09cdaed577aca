// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/error.h"

#include <QtCore/QList>
#include <QtCore/QMap>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <optional>

namespace berth::cli {

struct VerbSpec;

//! The command line, read and checked as far as it can be without an Engine.
struct CliOptions
{
    //! --data-dir; empty: the usual one.
    QString dataDirectory;
    bool json = false;
    bool help = false;
    bool version = false;
    //! A mistake in the command line.
    std::optional<domain::Error> error;

    //! Null without one, or with an unknown one.
    const VerbSpec *verb = nullptr;
    QStringList arguments;
    QMap<QString, QString> values;
    //! For verbs that take settings: "image=…" and "--image …".
    QList<QPair<QString, QString>> pairs;
    //! Behind "--".
    QStringList command;

    //! False when reportWithoutEngine() can do it all.
    [[nodiscard]] bool needsEngine() const { return !error && !help && !version; }
    [[nodiscard]] bool has(const char *option) const
    {
        return values.contains(QString::fromLatin1(option));
    }
    [[nodiscard]] QString value(const char *option) const
    {
        return values.value(QString::fromLatin1(option));
    }
    //! 0 when it is absent.
    [[nodiscard]] std::chrono::milliseconds duration(const char *option) const;
};

//! \a arguments without the program's name.
CliOptions parseOptions(const QStringList &arguments);

} // namespace berth::cli
