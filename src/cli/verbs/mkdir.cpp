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

Async<int> mkdir(Context context)
{
    const Result<FileSide> side = co_await fileInSandbox(context, context->options.arguments[0]);
    if (!side)
        co_return failure(side.error());
    MakeFolder make;
    make.target = side->target;
    make.path = side->path;
    make.wake = true;
    const Result<FileView> made = co_await ask(context, make);
    if (!made)
        co_return failure(made.error());
    if (context->options.json)
        printView(context, *made);
    co_return 0;
}

} // namespace berth::cli
