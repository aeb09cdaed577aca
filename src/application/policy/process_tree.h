// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QtGlobal>

namespace berth::application {

//! Kills \a leader, which has begun a session of its own and may have ended already, and what
//! belongs to its session or descends from it. What has left both (a daemon
//! whose parent has ended) is not found.
void killProcessTree(qint64 leader);

} // namespace berth::application
