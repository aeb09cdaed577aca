// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/ids.h"
#include "cli/json_output.h"
#include "cli/verbs/verbs.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;

Async<int> runtimePause(Context context)
{
    const Result<RuntimeView> runtime =
        co_await resolveRuntime(context, context->options.arguments[0]);
    if (!runtime)
        co_return failure(runtime.error());
    const PauseRuntime pauseRuntime{runtime->id};
    const Result<RuntimeView> now = co_await ask(context, pauseRuntime);
    if (!now)
        co_return failure(now.error());
    if (context->options.json)
        printView(context, *now);
    else
        context->print(
            QStringLiteral("Paused: %1\n").arg(now->alias.isEmpty() ? now->id : now->alias));
    co_return 0;
}

} // namespace berth::cli
