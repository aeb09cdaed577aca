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

Async<int> mkdir(Context context)
{
    const FileSide side = sandboxSide(context->options.arguments[0]);
    if (side.path.isEmpty())
        co_return failure(domain::ErrorKind::InvalidInput, QStringLiteral("No path is given"),
                          QStringLiteral("Write it as <thread-or-sandbox>:<path>."));
    const Result<QString> target = co_await resolveTarget(context, side.target);
    if (!target)
        co_return failure(target.error());
    MakeFolder make;
    make.target = *target;
    make.path = side.path;
    make.wake = true;
    const Result<FileView> made = co_await ask(context, make);
    if (!made)
        co_return failure(made.error());
    if (context->options.json)
        printView(context, *made);
    co_return 0;
}

} // namespace berth::cli
