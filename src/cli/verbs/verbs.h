// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"

// One function per verb; each in its own file.
namespace berth::cli {

domain::Async<int> exec(Context context);
domain::Async<int> providerList(Context context);
domain::Async<int> providerSet(Context context);
domain::Async<int> providerShow(Context context);
domain::Async<int> providerTest(Context context);
domain::Async<int> runtimeDestroy(Context context);
domain::Async<int> runtimeList(Context context);
domain::Async<int> runtimeMetrics(Context context);
domain::Async<int> runtimePause(Context context);
domain::Async<int> runtimeResume(Context context);
domain::Async<int> threadList(Context context);
domain::Async<int> threadNew(Context context);
domain::Async<int> threadSend(Context context);
domain::Async<int> threadShow(Context context);

} // namespace berth::cli
