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

QString stateOf(const RuntimeView &runtime)
{
    QString state = runtime.busy.isEmpty() ? domain::wireName(runtime.observed) : runtime.busy;
    if (runtime.unreachable)
        state += QStringLiteral(", unreachable");
    if (runtime.orphan)
        state += QStringLiteral(", orphan");
    return state;
}

} // namespace

Async<int> runtimeList(Context context)
{
    const bool refresh = context->options.has("refresh");
    const ListRuntimes listRuntimes{refresh};
    const Result<RuntimeList> list = co_await ask(context, listRuntimes);
    if (!list)
        co_return failure(list.error());
    if (context->options.json) {
        printView(context, *list);
        co_return 0;
    }
    Table table({QStringLiteral("RUNTIME"), QStringLiteral("ALIAS"), QStringLiteral("PROVIDER"),
                 QStringLiteral("STATE"), QStringLiteral("IMAGE"), QStringLiteral("THREADS"),
                 QStringLiteral("SINCE")});
    for (const RuntimeView &runtime : list->runtimes) {
        table.add({runtime.orphan ? runtime.id : runtime.id.left(8), runtime.alias,
                   runtime.providerConfig.toString(), stateOf(runtime), runtime.image,
                   QString::number(runtime.threads.size()),
                   humanAge(runtime.stateSince.isValid() ? runtime.stateSince : runtime.createdAt,
                            domain::nowUtc())});
    }
    if (table.isEmpty())
        context->note(QStringLiteral("Nothing runs."));
    else
        context->print(
            table.text(context->streams.terminal.columns, context->streams.terminal.colours));
    if (!list->unreachable.isEmpty()) {
        context->note(QStringLiteral("Not all is known: %1 did not answer.")
                          .arg(list->unreachable.join(QStringLiteral(", "))));
    }
    co_return 0;
}

} // namespace berth::cli
