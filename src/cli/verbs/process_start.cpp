// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/follow.h"
#include "cli/ids.h"
#include "cli/interactive.h"
#include "cli/isolation_question.h"
#include "cli/json_output.h"
#include "cli/verbs/verbs.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;

//! Also "exec --background".
Async<int> processStart(Context context)
{
    const Result<QString> target = co_await resolveTarget(context, context->options.arguments[0]);
    if (!target)
        co_return failure(target.error());
    const Result<void> allowed = co_await confirmIsolation(context, *target);
    if (!allowed)
        co_return failure(allowed.error());
    StartProcess command;
    command.target = *target;
    command.argv = context->options.command;
    command.title = context->options.value("title");
    cancelOnInterrupt(context);
    const Result<ProcessView> started = co_await ask(context, command);
    context->onInterrupt = nullptr;
    if (!started)
        co_return failure(started.error());
    if (context->options.json)
        printView(context, *started);
    else
        context->print(started->id.toString() + QLatin1Char('\n'));
    const Result<bool> bound = co_await endsWithThisProgram(context, *started);
    if (bound && *bound) {
        context->note(QStringLiteral("%1: this program stays for it. Ctrl-C ends both; with a "
                                     "window open it would return at once.")
                          .arg(started->detail));
    }
    co_return 0;
}

} // namespace berth::cli
