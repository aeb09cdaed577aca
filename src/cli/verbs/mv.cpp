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

Async<int> mv(Context context)
{
    const Result<FileSide> side = co_await fileInSandbox(context, context->options.arguments[0]);
    if (!side)
        co_return failure(side.error());
    RenameFile rename;
    rename.target = side->target;
    rename.from = side->path;
    rename.to = context->options.arguments[1];
    rename.wake = true;
    const Result<FileView> renamed = co_await ask(context, rename);
    if (!renamed)
        co_return failure(renamed.error());
    if (context->options.json)
        printView(context, *renamed);
    co_return 0;
}

} // namespace berth::cli
