// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shots/studio.h"

namespace berth::shots {

//! New thread, conversation, and what the window says when something is missing.
QList<Scene> threadScenes();

} // namespace berth::shots
