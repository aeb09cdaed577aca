// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shots/studio.h"

namespace berth::shots {

//! Agents, their forms, sandboxes as rows, presets.
QList<Scene> agentScenes();

} // namespace berth::shots
