// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/ids.h"
#include "cli/json_output.h"
#include "cli/verbs/verbs.h"

namespace berth::cli {

//! Does \a Command to the runtime named first and says \a word of it.
template <typename Command>
domain::Async<int> changeRuntime(Context context, QString word)
{
    const domain::Result<application::RuntimeView> runtime =
        co_await resolveRuntime(context, context->options.arguments[0]);
    if (!runtime)
        co_return domain::failure(runtime.error());
    const Command command{runtime->id};
    const domain::Result<application::RuntimeView> now = co_await ask(context, command);
    if (!now)
        co_return domain::failure(now.error());
    if (context->options.json)
        printView(context, *now);
    else
        context->print(
            QStringLiteral("%1: %2\n").arg(word, now->alias.isEmpty() ? now->id : now->alias));
    co_return 0;
}

} // namespace berth::cli
