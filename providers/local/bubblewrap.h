// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "providers/local/local_settings.h"
#include "providers/local/resource_limits.h"

#include <QtCore/QStringList>

namespace berth::local {

//! Where things are on this machine; tests put others in their place.
struct HostSystem
{
    //! Empty: looked for in PATH.
    QString bubblewrap;
    //! Above usr, etc, …
    QString root = QStringLiteral("/");
    QString sysctls = QStringLiteral("/proc/sys");
    CgroupPaths cgroups;

    //! The program, or the error that says how to get it.
    [[nodiscard]] domain::Result<QString> findBubblewrap() const;
};

//! Files of ours that a sandbox sees.
struct GuestFiles
{
    QString runner;
    QString passwd;
    QString group;
    QString hosts;
    QString nsswitch;
};

//! The path of the runner inside.
QString runnerPath();

struct BubblewrapRequest
{
    LocalSettings settings;
    QString hostName;
    //! Host directory that becomes settings.home; empty: none (for checks).
    QString workspace;
    GuestFiles files;
    //! bubblewrap 0.8 and newer can forbid further user namespaces inside.
    bool canDisableUserNamespaces = true;
};

//! All arguments up to the program to run.
QStringList bubblewrapArguments(const BubblewrapRequest &request, const HostSystem &system);

//! "bubblewrap 0.8.0" → {0, 8, 0}; empty for anything else.
QList<int> bubblewrapVersion(const QByteArray &output);

//! Why bubblewrap could not make a sandbox, from what it said and how this machine is set: names
//! the setting and the command to run. Never a way around.
domain::Error isolationError(const QByteArray &said, const HostSystem &system);

} // namespace berth::local
