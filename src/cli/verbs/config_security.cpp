// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/json_output.h"
#include "cli/verbs/verbs.h"
#include "cli/whole_input.h"

#include <QtCore/QStringDecoder>

#include <nlohmann/json.hpp>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

constexpr qsizetype kLargestDocument = 64 * 1024;

Async<QString> documentOnInput(Context context)
{
    if (context->streams.terminal.inIsTerminal)
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("The document is read from standard input"),
                          QStringLiteral("Use: berth-cli config security write < policy.json"));
    const std::optional<QByteArray> text = co_await wholeInput(context->guard, kLargestDocument);
    if (!text)
        co_return failure(ErrorKind::InvalidInput, QStringLiteral("Standard input cannot be read"));
    if (text->size() > kLargestDocument)
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("The document is larger than 64 KiB"));
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString document = decoder(*text);
    if (decoder.hasError())
        co_return failure(ErrorKind::InvalidInput, QStringLiteral("The document is no UTF-8 text"));
    co_return document;
}

//! As JSON where it is a list, an object, true, false or null; else text, so that a token of digits
//! stays one.
nlohmann::json valueFrom(const QString &typed)
{
    const nlohmann::json parsed = nlohmann::json::parse(typed.toStdString(), nullptr, false);
    if (parsed.is_array() || parsed.is_object() || parsed.is_boolean() || parsed.is_null())
        return parsed;
    return typed.toStdString();
}

void show(const Context &context, const SecurityView &view)
{
    const nlohmann::json document = parsedView(view.document.toUtf8());
    context->streams.out.write(QByteArray::fromStdString(document.dump(2)) + '\n');
}

} // namespace

Async<int> configSecurity(Context context)
{
    const QStringList &arguments = context->options.arguments;
    const QString action = arguments[0];
    const qsizetype wanted = action == QLatin1String("set") ? 3
        : action == QLatin1String("get")                    ? 2
                                                            : 1;
    if (!QStringList{QStringLiteral("show"), QStringLiteral("get"), QStringLiteral("set"),
                     QStringLiteral("write")}
             .contains(action)
        || arguments.size() != wanted)
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("Use show, get <key>, set <key> <value> or write"));
    const domain::AgentId agent(context->options.has("agent") ? context->options.value("agent")
                                                              : QStringLiteral("default"));
    const GetSecurity getSecurity{agent};
    Result<SecurityView> view = co_await ask(context, getSecurity);
    if (!view)
        co_return failure(view.error());
    if (action == QLatin1String("show")) {
        show(context, *view);
        co_return 0;
    }
    nlohmann::json document = parsedView(view->document.toUtf8());
    const std::string key = arguments.value(1).toStdString();
    if (action == QLatin1String("get")) {
        if (!document.contains(key))
            co_return failure(ErrorKind::NotFound,
                              QStringLiteral("The policy has no \"%1\"").arg(arguments.value(1)));
        const nlohmann::json &value = document[key];
        context->print((value.is_string() ? QString::fromStdString(value.get<std::string>())
                                          : QString::fromStdString(value.dump()))
                       + QLatin1Char('\n'));
        co_return 0;
    }
    SetSecurity setSecurity{agent, {}};
    if (action == QLatin1String("set")) {
        document[key] = valueFrom(arguments.value(2));
        setSecurity.document = QString::fromStdString(document.dump());
    } else {
        const Result<QString> read = co_await documentOnInput(context);
        if (!read)
            co_return failure(read.error());
        setSecurity.document = *read;
    }
    view = co_await ask(context, setSecurity);
    if (!view)
        co_return failure(view.error());
    show(context, *view);
    co_return 0;
}

} // namespace berth::cli
