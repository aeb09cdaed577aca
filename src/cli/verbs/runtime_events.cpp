// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/human.h"
#include "cli/json_output.h"
#include "cli/table.h"
#include "cli/verbs/verbs.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;

Async<int> runtimeEvents(Context context)
{
    // As typed: a lease has a history also when nothing of it runs any more.
    const ListLeaseEvents listEvents{context->options.arguments[0]};
    const Result<LeaseEventList> list = co_await ask(context, listEvents);
    if (!list)
        co_return failure(list.error());
    if (context->options.json) {
        printView(context, *list);
        co_return 0;
    }
    Table table({QStringLiteral("WHEN"), QStringLiteral("WHAT"), QStringLiteral("BY"),
                 QStringLiteral("ERROR")});
    for (const LeaseEventView &event : list->events) {
        table.add({event.at.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")),
                   onOneLine(event.type), onOneLine(event.source), onOneLine(event.error)});
    }
    if (table.isEmpty())
        context->note(QStringLiteral("Nothing has happened to it yet."));
    else
        context->print(
            table.text(context->streams.terminal.columns, context->streams.terminal.colours));
    co_return 0;
}

} // namespace berth::cli
