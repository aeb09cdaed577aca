// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/verbs/runtime_change.h"

namespace berth::cli {

domain::Async<int> runtimeResume(Context context)
{
    return changeRuntime<application::ResumeRuntime>(context, QStringLiteral("Resumed"));
}

} // namespace berth::cli
