// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "providers/local/local_settings.h"

#include <QtCore/QStringList>

namespace berth::local {

//! How a limit holds on this machine.
enum class Hold {
    NotAsked,
    //! All processes of the sandbox together, by a control group.
    Together,
    //! All processes of the sandbox together, counted by its user namespace.
    Namespace,
    //! Each process alone: ten of them may take ten times as much.
    EachProcess,
    //! This machine does not let Berth set it.
    NotHeld,
};

struct LimitsHeld
{
    Hold memory = Hold::NotAsked;
    Hold cpus = Hold::NotAsked;
    Hold processes = Hold::NotAsked;
    //! Directories to remove when the sandbox has ended.
    QStringList groups;

    //! False: something was asked for that holds in part or not at all.
    [[nodiscard]] bool asAsked() const;
};

//! Where this machine has its control groups; tests put others in their place.
struct CgroupPaths
{
    QString mounts = QStringLiteral("/sys/fs/cgroup");
    QString own = QStringLiteral("/proc/self/cgroup");
};

//! Puts process \a pid, and with it all that it will start, under the limits of \a settings: by
//! control groups named \a name where they may be made, else as far as the kernel lets us.
LimitsHeld applyLimits(const LocalSettings &settings, qint64 pid, const QString &name,
                       const CgroupPaths &paths);

//! Removes the groups; false when processes are still in them.
bool removeGroups(const QStringList &groups);

//! For people: what holds and how.
QString limitsText(const LocalSettings &settings, const LimitsHeld &held);

} // namespace berth::local
