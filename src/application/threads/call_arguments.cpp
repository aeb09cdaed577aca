// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/threads/call_arguments.h"

#include <nlohmann/json.hpp>

namespace berth::application {

using nlohmann::json;

QString shellArguments(const QString &command)
{
    const json arguments{{"command", command.toStdString()}};
    return QString::fromStdString(arguments.dump(-1, ' ', false, json::error_handler_t::replace));
}

namespace {

QString firstOf(const QString &arguments, std::initializer_list<const char *> names)
{
    const json parsed = json::parse(arguments.toStdString(), nullptr, false);
    if (!parsed.is_object())
        return {};
    for (const char *name : names) {
        const auto found = parsed.find(name);
        if (found != parsed.end() && found->is_string())
            return QString::fromStdString(found->get<std::string>());
    }
    return {};
}

} // namespace

QString commandOf(const QString &arguments)
{
    return firstOf(arguments, {"command", "cmd", "script", "code"});
}

QString titleOfCall(const QString &tool, const QString &arguments)
{
    if (tool == QLatin1String("shell"))
        return commandOf(arguments);
    return firstOf(arguments,
                   {"pattern", "regex", "query", "path", "file_path", "filename", "file"});
}

} // namespace berth::application
