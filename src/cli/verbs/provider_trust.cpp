// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/human.h"
#include "cli/json_output.h"
#include "cli/question.h"
#include "cli/verbs/verbs.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

QString listed(const QString &heading, const QStringList &entries)
{
    QString text = entries.isEmpty() ? QString() : heading + QLatin1Char('\n');
    for (const QString &entry : entries)
        text += QStringLiteral("  ") + onOneLine(entry) + QLatin1Char('\n');
    return text;
}

} // namespace

Async<int> providerTrust(Context context)
{
    const GetProviderForm getProviderForm{domain::ConfigName(context->options.arguments[0])};
    const Result<ProviderForm> form = co_await ask(context, getProviderForm);
    if (!form)
        co_return failure(form.error());
    const ProviderView &provider = form->provider;
    const QString asked =
        listed(QStringLiteral("Its key would be sent to:"), provider.unconfirmedOrigins)
        + listed(QStringLiteral("Its file reads from the environment of Berth:"),
                 provider.unconfirmedVariables);
    if (asked.isEmpty()) {
        if (context->options.json)
            printView(context, provider);
        else
            context->print(QStringLiteral("%1 asks for nothing.\n")
                               .arg(onOneLine(provider.config.toString())));
        co_return 0;
    }
    if (!context->options.has("yes")) {
        if (!context->streams.terminal.inIsTerminal || context->options.json)
            co_return failure(ErrorKind::InvalidInput,
                              QStringLiteral("Nothing was confirmed: there is nobody to ask"),
                              asked + QStringLiteral("Add --yes when that is meant."));
        context->streams.err.write((asked + QStringLiteral("Confirm? [y/N] ")).toUtf8());
        const QString typed = co_await typedLine(context);
        const QString answer = typed.trimmed().toLower();
        if (answer != QLatin1String("y") && answer != QLatin1String("yes"))
            co_return failure(ErrorKind::Cancelled, QStringLiteral("Nothing was confirmed"));
    } else if (!context->options.json) {
        context->print(asked);
    }
    const TrustProvider trustProvider{provider.config, provider.unconfirmedOrigins,
                                      provider.unconfirmedVariables};
    const Result<ProviderView> trusted = co_await ask(context, trustProvider);
    if (!trusted)
        co_return failure(trusted.error());
    if (context->options.json) {
        printView(context, *trusted);
        co_return 0;
    }
    context->print(QStringLiteral("Confirmed.\n"));
    // What a variable names now may be a place that nobody has seen.
    if (!trusted->unconfirmedOrigins.isEmpty())
        context->print(
            listed(QStringLiteral("Now its key would be sent to:"), trusted->unconfirmedOrigins)
            + QStringLiteral("Confirm that by the same command again.\n"));
    co_return 0;
}

} // namespace berth::cli
