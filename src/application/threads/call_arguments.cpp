// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/threads/call_arguments.h"

#include "application/threads/bounded_json.h"

#include <nlohmann/json.hpp>

namespace berth::application {

using nlohmann::json;

QString shellArguments(const QString &command)
{
    const json arguments{{"command", command.toStdString()}};
    return QString::fromStdString(arguments.dump(-1, ' ', false, json::error_handler_t::replace));
}

QString processArguments(const QString &command, bool isTerminal)
{
    const json arguments{{"command", command.toStdString()},
                         {isTerminal ? "terminal" : "background", true}};
    return QString::fromStdString(arguments.dump(-1, ' ', false, json::error_handler_t::replace));
}

namespace {

QString textIn(const QString &arguments, const char *name)
{
    const json parsed = boundedJson(arguments.toUtf8());
    if (!parsed.is_object())
        return {};
    const auto found = parsed.find(name);
    if (found == parsed.end() || !found->is_string())
        return {};
    return QString::fromStdString(found->get<std::string>());
}

} // namespace

QString commandOf(const QString &arguments)
{
    return textIn(arguments, "command");
}

QString titleOfCall(const QString &tool, const QString &arguments)
{
    if (tool == QLatin1String("shell"))
        return commandOf(arguments);
    if (tool == QLatin1String("glob") || tool == QLatin1String("grep"))
        return textIn(arguments, "pattern");
    return textIn(arguments, "path");
}

} // namespace berth::application
