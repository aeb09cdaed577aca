// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widget/support/window_rig.h"

#include "ui/models/engine_state.h"

namespace berth::test {

bool WindowRig::loaded() const
{
    return window->state()->isLoaded();
}

} // namespace berth::test
