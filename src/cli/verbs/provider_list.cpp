// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/json_output.h"
#include "cli/table.h"
#include "cli/verbs/verbs.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;

Async<int> providerList(Context context)
{
    const bool refresh = context->options.has("refresh");
    const ListProviders listProviders{refresh};
    const Result<ProviderList> list = co_await ask(context, listProviders);
    if (!list)
        co_return failure(list.error());
    if (context->options.json) {
        printView(context, *list);
        co_return 0;
    }
    Table table({QStringLiteral("CONFIG"), QStringLiteral("PROVIDER"), QStringLiteral("STATE"),
                 QStringLiteral("SUMMARY")});
    for (const ProviderView &provider : list->providers) {
        table.add({provider.config.isNull() ? provider.kind : provider.config.toString(),
                   provider.label, provider.stateText, provider.summary});
    }
    context->print(
        table.text(context->streams.terminal.columns, context->streams.terminal.colours));
    co_return 0;
}

} // namespace berth::cli
