// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/follow.h"
#include "cli/ids.h"
#include "cli/verbs/verbs.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;

Async<int> exec(Context context)
{
    const Result<QString> target = co_await resolveTarget(context, context->options.arguments[0]);
    if (!target)
        co_return failure(target.error());
    Exec command;
    command.target = *target;
    command.argv = context->options.command;
    command.timeoutMs = context->options.duration("timeout").count();
    cancelOnInterrupt(context);
    const Result<Started> started = co_await ask(context, command);
    context->onInterrupt = nullptr;
    if (!started)
        co_return failure(started.error());
    const Result<int> code = co_await followToEnd(context, *started, true);
    co_return code;
}

} // namespace berth::cli
