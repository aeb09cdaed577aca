// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shots/studio.h"

namespace berth::shots {

//! Terminals and background commands, in the detail sheet and beside a conversation.
QList<Scene> terminalScenes();

} // namespace berth::shots
