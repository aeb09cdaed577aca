// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/human.h"
#include "cli/json_output.h"
#include "cli/table.h"
#include "cli/verbs/verbs.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;

namespace {

QString allowed(const FieldView &field)
{
    if (field.type == QLatin1String("choice")) {
        QStringList values;
        for (const auto &choice : field.choices)
            values.append(choice.first);
        return values.join(QStringLiteral(" | "));
    }
    if (field.minimum && field.maximum)
        return QStringLiteral("%1 to %2 %3")
            .arg(*field.minimum)
            .arg(*field.maximum)
            .arg(field.unit)
            .trimmed();
    return field.help;
}

QString shownOrigin(const FieldView &field)
{
    if (field.origin == QLatin1String("key_store"))
        return QStringLiteral("key store");
    if (field.origin == QLatin1String("missing"))
        return field.environmentVariables.isEmpty()
            ? field.origin
            : QStringLiteral("missing (%1)")
                  .arg(field.environmentVariables.join(QStringLiteral(", ")));
    return field.origin;
}

} // namespace

Async<int> providerShow(Context context)
{
    const GetProviderForm getProviderForm{domain::ConfigName(context->options.arguments[0])};
    const Result<ProviderForm> form = co_await ask(context, getProviderForm);
    if (!form)
        co_return failure(form.error());
    if (context->options.json) {
        printView(context, *form);
        co_return 0;
    }
    const ProviderView &provider = form->provider;
    QString text =
        QStringLiteral("%1: %2\n").arg(onOneLine(provider.label), onOneLine(provider.stateText));
    if (!provider.stateDetail.isEmpty())
        text += onOneLine(provider.stateDetail) + QLatin1Char('\n');
    text += QStringLiteral("File: %1%2\n\n")
                .arg(onOneLine(provider.path),
                     provider.saved ? QString() : QStringLiteral(" (not there yet)"));
    Table table({QStringLiteral("KEY"), QStringLiteral("VALUE"), QStringLiteral("FROM"),
                 QStringLiteral("ALLOWED")});
    for (const FieldView &field : form->fields) {
        QString value = field.value.isEmpty() ? field.defaultValue : field.value;
        if (field.type == QLatin1String("secret"))
            value = QStringList{field.value, field.hint}.join(QLatin1Char(' ')).trimmed();
        if (field.type == QLatin1String("string_list"))
            value.replace(QLatin1Char('\n'), QLatin1String(", "));
        table.add({field.key, value, shownOrigin(field), allowed(field)});
    }
    context->print(
        text + table.text(context->streams.terminal.columns, context->streams.terminal.colours));
    co_return 0;
}

} // namespace berth::cli
