// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <optional>

namespace berth::application {

//! BeforeTool may deny; AfterTool is told.
enum class HookMoment { BeforeTool, AfterTool };

QString wireName(HookMoment moment);
std::optional<HookMoment> hookMomentFromWire(QStringView name);

//! One of the user's own programs.
struct Hook
{
    HookMoment moment = HookMoment::BeforeTool;
    //! Absolute; started without a shell.
    QString program;
    QStringList arguments;
    //! Names of tools; empty: every one.
    QStringList tools;
    bool operator==(const Hook &) const = default;
};

//! The hooks of \a path ("hooks.json" in the config directory); none when there is no such file.
//! Forbidden when it is not a plain file of this user with the permissions 0600, InvalidInput when
//! its content is wrong: then nothing is known of the user's hooks, and calls are to be denied.
//! Blocks for the reading of one small file.
domain::Result<QList<Hook>> readHooks(const QString &path);

//! Replaces the file, with 0600. Only the window's own settings page calls this: no API, import,
//! preset or sandbox may.
domain::Result<void> saveHooks(const QString &path, const QList<Hook> &hooks);

} // namespace berth::application
