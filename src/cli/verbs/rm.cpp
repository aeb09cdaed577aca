// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/file_side.h"
#include "cli/json_output.h"
#include "cli/verbs/verbs.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;

Async<int> rm(Context context)
{
    const Result<FileSide> side = co_await fileInSandbox(context, context->options.arguments[0]);
    if (!side)
        co_return failure(side.error());
    RemoveFile remove;
    remove.target = side->target;
    remove.path = side->path;
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
