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

Async<int> runtimeFork(Context context)
{
    const Result<RuntimeView> runtime =
        co_await resolveRuntime(context, context->options.arguments[0]);
    if (!runtime)
        co_return failure(runtime.error());
    const ForkRuntime forkRuntime{runtime->id, context->options.value("alias")};
    const Result<SandboxView> copy = co_await ask(context, forkRuntime);
    if (!copy)
        co_return failure(copy.error());
    if (context->options.json)
        printView(context, *copy);
    else
        context->print(
            QStringLiteral("Copied: %1 of agent %2\n").arg(copy->alias, copy->agent.toString()));
    co_return 0;
}

} // namespace berth::cli
