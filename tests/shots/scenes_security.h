// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shots/studio.h"

namespace berth::shots {

//! Settings, Security and HTTP API; approvals, and commands that are denied.
QList<Scene> securityScenes();

} // namespace berth::shots
