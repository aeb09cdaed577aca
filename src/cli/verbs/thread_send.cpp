// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/follow.h"
#include "cli/ids.h"
#include "cli/isolation_question.h"
#include "cli/verbs/verbs.h"
#include "cli/when_asked.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

Async<int> threadSend(Context context)
{
    const CliOptions &options = context->options;
    SendMessage command;
    command.text = options.arguments[1];
    command.timeoutMs = options.duration("timeout").count();
    command.runAnyway = options.has("run-anyway");
    const Result<QString> whenAsked = whenAskedOf(context);
    if (!whenAsked)
        co_return failure(whenAsked.error());
    command.whenAsked = *whenAsked;
    if (!command.text.trimmed().startsWith(QLatin1Char('!'))) {
        const Result<Snapshot> snapshot = co_await ask(context, GetSnapshot{});
        if (!snapshot)
            co_return failure(snapshot.error());
        if (!snapshot->engine.hasModel) {
            co_return failure(
                ErrorKind::Unsupported,
                QStringLiteral("No model is connected that could answer this text"),
                QStringLiteral("Nothing was sent. To run it as a command, put \"!\" before it:\n"
                               "berth-cli thread send %1 '!echo hello'")
                    .arg(options.arguments[0]));
        }
    }
    const Result<domain::ThreadId> thread = co_await resolveThread(context, options.arguments[0]);
    if (!thread)
        co_return failure(thread.error());
    command.thread = *thread;
    const Result<void> allowed = co_await confirmIsolation(context, thread->toString());
    if (!allowed)
        co_return failure(allowed.error());
    cancelOnInterrupt(context);
    const Result<Started> started = co_await ask(context, command);
    context->onInterrupt = nullptr;
    if (!started)
        co_return failure(started.error());
    const Result<int> code = co_await followToEnd(context, *started, false);
    co_return code;
}

} // namespace berth::cli
