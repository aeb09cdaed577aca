// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/human.h"
#include "cli/json_output.h"
#include "cli/table.h"
#include "cli/verbs/verbs.h"
#include "domain/text.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;

namespace {

QString stateOf(const ThreadView &thread)
{
    switch (thread.lifecycle) {
    case ThreadLifecycle::Unbound:
        return QStringLiteral("no sandbox");
    case ThreadLifecycle::Idle:
        return QStringLiteral("idle");
    case ThreadLifecycle::Starting:
        return QStringLiteral("starting");
    case ThreadLifecycle::Active:
        return thread.running ? QStringLiteral("running") : QStringLiteral("active");
    case ThreadLifecycle::Paused:
        return QStringLiteral("paused");
    case ThreadLifecycle::Stopped:
        return QStringLiteral("stopped");
    case ThreadLifecycle::Destroyed:
        return QStringLiteral("destroyed");
    case ThreadLifecycle::Unreachable:
        return QStringLiteral("unreachable");
    }
    return {};
}

} // namespace

Async<int> threadList(Context context)
{
    const bool archived = context->options.has("archived");
    const ListThreads listThreads{archived};
    const Result<ThreadList> list = co_await ask(context, listThreads);
    if (!list)
        co_return failure(list.error());
    if (context->options.json) {
        printView(context, *list);
        co_return 0;
    }
    Table table({QStringLiteral("THREAD"), QStringLiteral("TITLE"), QStringLiteral("SANDBOX"),
                 QStringLiteral("STATE"), QStringLiteral("LAST ACTIVITY")});
    for (const ThreadView &thread : list->threads) {
        table.add({thread.id.toString().left(8),
                   thread.title + (thread.archived ? QStringLiteral(" (archived)") : QString()),
                   thread.sandboxAlias, stateOf(thread),
                   humanAge(thread.lastActivityAt, domain::nowUtc())});
    }
    if (table.isEmpty())
        context->note(QStringLiteral("There are no threads yet. berth-cli thread new begins one."));
    else
        context->print(
            table.text(context->streams.terminal.columns, context->streams.terminal.colours));
    co_return 0;
}

} // namespace berth::cli
