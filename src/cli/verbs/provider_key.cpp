// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/human.h"
#include "cli/json_output.h"
#include "cli/question.h"
#include "cli/verbs/verbs.h"

#include <algorithm>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

Async<int> providerKey(Context context)
{
    const GetProviderForm getProviderForm{domain::ConfigName(context->options.arguments[0])};
    const Result<ProviderForm> form = co_await ask(context, getProviderForm);
    if (!form)
        co_return failure(form.error());
    const auto field =
        std::find_if(form->fields.cbegin(), form->fields.cend(),
                     [](const FieldView &one) { return one.type == QLatin1String("secret"); });
    if (field == form->fields.cend())
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("%1 needs no key").arg(onOneLine(form->provider.label)));
    QString key;
    if (!context->options.has("remove")) {
        const Result<QString> given = co_await keyGiven(
            context,
            QStringLiteral("%1 of %2")
                .arg(onOneLine(field->label), onOneLine(form->provider.config.toString())));
        if (!given)
            co_return failure(given.error());
        key = *given;
    }
    if (context->options.has("file")) {
        const SaveProvider saveProvider{form->provider.config, {{field->key, key}}};
        const Result<ProviderView> saved = co_await ask(context, saveProvider);
        if (!saved)
            co_return failure(saved.error());
        if (context->options.json)
            printView(context, *saved);
        else
            context->print(QStringLiteral("Saved %1\n").arg(onOneLine(saved->path)));
        co_return 0;
    }
    const StoreProviderKey storeProviderKey{form->provider.config, field->key,
                                            domain::Secret(key.toUtf8())};
    const Result<ProviderView> stored = co_await ask(context, storeProviderKey);
    if (!stored)
        co_return failure(stored.error());
    if (context->options.json)
        printView(context, *stored);
    else if (key.isEmpty())
        context->print(QStringLiteral("Removed the key of %1 from the key store\n")
                           .arg(onOneLine(stored->config.toString())));
    else
        context->print(QStringLiteral("Stored the key of %1 in the key store\n")
                           .arg(onOneLine(stored->config.toString())));
    co_return 0;
}

} // namespace berth::cli
