// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/file_side.h"
#include "cli/ids.h"
#include "cli/json_output.h"
#include "cli/verbs/verbs.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;

Async<int> rm(Context context)
{
    const FileSide side = sandboxSide(context->options.arguments[0]);
    if (side.path.isEmpty())
        co_return failure(domain::ErrorKind::InvalidInput, QStringLiteral("No path is given"),
                          QStringLiteral("Write it as <thread-or-sandbox>:<path>."));
    const Result<QString> target = co_await resolveTarget(context, side.target);
    if (!target)
        co_return failure(target.error());
    RemoveFile remove;
    remove.target = *target;
    remove.path = side.path;
    remove.recursive = context->options.has("r");
    remove.wake = true;
    const Result<Nothing> removed = co_await ask(context, remove);
    if (!removed)
        co_return failure(removed.error());
    if (context->options.json)
        printView(context, *removed);
    co_return 0;
}

} // namespace berth::cli
