// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shots/studio.h"

namespace berth::shots {

//! Resources and Settings.
QList<Scene> pageScenes();

} // namespace berth::shots
