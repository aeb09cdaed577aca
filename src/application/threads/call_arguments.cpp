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

QString commandOf(const QString &arguments)
{
    const json parsed = json::parse(arguments.toStdString(), nullptr, false);
    if (!parsed.is_object())
        return {};
    const auto found = parsed.find("command");
    return found != parsed.end() && found->is_string()
        ? QString::fromStdString(found->get<std::string>())
        : QString();
}

} // namespace berth::application
