// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/json_output.h"
#include "cli/provider_keys.h"
#include "cli/verbs/verbs.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

Async<int> providerSet(Context context)
{
    const domain::ConfigName config(context->options.arguments[0]);
    const GetProviderForm getProviderForm{config};
    const Result<ProviderForm> form = co_await ask(context, getProviderForm);
    if (!form)
        co_return failure(form.error());
    if (context->options.pairs.isEmpty()) {
        co_return failure(ErrorKind::InvalidInput, QStringLiteral("No setting is given"),
                          QStringLiteral("Write it as key=value. Keys: %1.")
                              .arg(keysOf(*form).join(QStringLiteral(", "))));
    }
    const Result<QMap<QString, QString>> values = valuesFor(*form, context->options.pairs);
    if (!values)
        co_return failure(values.error());
    const SaveProvider saveProvider{config, *values};
    const Result<ProviderView> saved = co_await ask(context, saveProvider);
    if (!saved)
        co_return failure(saved.error());
    if (context->options.json)
        printView(context, *saved);
    else
        context->print(QStringLiteral("Saved %1\n").arg(saved->path));
    co_return 0;
}

} // namespace berth::cli
