// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/verbs/runtime_change.h"

namespace berth::cli {

domain::Async<int> runtimePause(Context context)
{
    return changeRuntime<application::PauseRuntime>(context, QStringLiteral("Paused"));
}

} // namespace berth::cli
