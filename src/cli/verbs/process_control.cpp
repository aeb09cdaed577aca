// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Stop and remove.
#include "cli/interactive.h"
#include "cli/json_output.h"
#include "cli/verbs/verbs.h"

#include <nlohmann/json.hpp>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;

Async<int> processStop(Context context)
{
    const Result<ProcessView> process =
        co_await resolveProcess(context, context->options.arguments[0]);
    if (!process)
        co_return failure(process.error());
    const StopProcess stopProcess{process->id};
    const Result<ProcessView> now = co_await ask(context, stopProcess);
    if (!now)
        co_return failure(now.error());
    if (context->options.json)
        printView(context, *now);
    else
        context->print(QStringLiteral("%1: %2\n").arg(now->id.toString(), stateText(*now)));
    co_return 0;
}

Async<int> processRemove(Context context)
{
    const Result<ProcessView> process =
        co_await resolveProcess(context, context->options.arguments[0]);
    if (!process)
        co_return failure(process.error());
    const RemoveProcess removeProcess{process->id};
    const Result<Nothing> removed = co_await ask(context, removeProcess);
    if (!removed)
        co_return failure(removed.error());
    if (context->options.json)
        printJson(context, {{"removed", process->id.toString().toStdString()}});
    else
        context->print(QStringLiteral("Removed: %1\n").arg(process->id.toString()));
    co_return 0;
}

} // namespace berth::cli
