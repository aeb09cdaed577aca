// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/follow.h"
#include "cli/ids.h"
#include "cli/isolation_question.h"
#include "cli/verbs/verbs.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;

Async<int> exec(Context context)
{
    if (context->options.has("background")) {
        if (context->options.has("timeout"))
            co_return failure(domain::ErrorKind::InvalidInput,
                              QStringLiteral("A background command has no timeout"),
                              QStringLiteral("berth-cli process stop ends it."));
        const Result<int> code = co_await processStart(context);
        co_return code;
    }
    const Result<QString> target = co_await resolveTarget(context, context->options.arguments[0]);
    if (!target)
        co_return failure(target.error());
    const Result<void> allowed = co_await confirmIsolation(context, *target);
    if (!allowed)
        co_return failure(allowed.error());
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
