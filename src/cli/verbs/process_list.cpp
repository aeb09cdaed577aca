// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/human.h"
#include "cli/ids.h"
#include "cli/interactive.h"
#include "cli/json_output.h"
#include "cli/table.h"
#include "cli/verbs/verbs.h"
#include "domain/text.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;

Async<int> processList(Context context)
{
    ListProcesses listProcesses;
    if (!context->options.arguments.isEmpty()) {
        const Result<QString> target =
            co_await resolveTarget(context, context->options.arguments[0]);
        if (!target)
            co_return failure(target.error());
        listProcesses.target = *target;
    }
    const Result<ProcessList> list = co_await ask(context, listProcesses);
    if (!list)
        co_return failure(list.error());
    if (context->options.json) {
        printView(context, *list);
        co_return 0;
    }
    Table table({QStringLiteral("PROCESS"), QStringLiteral("KIND"), QStringLiteral("STATE"),
                 QStringLiteral("OUTPUT"), QStringLiteral("SINCE"), QStringLiteral("COMMAND"),
                 QStringLiteral("NOTE")});
    for (const ProcessView &process : list->processes) {
        const bool terminal = process.kind == ProcessKind::Terminal;
        table.add({process.id.toString().left(8),
                   terminal ? QStringLiteral("terminal") : QStringLiteral("background"),
                   stateText(process), humanBytes(process.outputBytes),
                   humanAge(process.endedAt.isValid() ? process.endedAt : process.startedAt,
                            domain::nowUtc()),
                   onOneLine(process.title), onOneLine(process.detail)});
    }
    if (table.isEmpty())
        context->note(QStringLiteral("No background command or terminal."));
    else
        context->print(
            table.text(context->streams.terminal.columns, context->streams.terminal.colours));
    co_return 0;
}

} // namespace berth::cli
