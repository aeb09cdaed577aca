// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/e2b/json.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace berth::e2b {

using nlohmann::json;

json parsed(const QByteArray &bytes)
{
    return json::parse(bytes.begin(), bytes.end(), nullptr, false);
}

QByteArray dumped(const json &value)
{
    return QByteArray::fromStdString(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

QString stringOf(const json &value)
{
    return QString::fromStdString(value.get_ref<const std::string &>());
}

QString textIn(const json &object, const char *key)
{
    if (!object.is_object())
        return {};
    const auto it = object.find(key);
    return it != object.end() && it->is_string() ? stringOf(*it) : QString();
}

std::optional<double> numberIn(const json &object, const char *key)
{
    if (!object.is_object())
        return std::nullopt;
    const auto it = object.find(key);
    if (it == object.end() || !it->is_number())
        return std::nullopt;
    const double number = it->get<double>();
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<qint64> integerIn(const json &object, const char *key)
{
    if (!object.is_object())
        return std::nullopt;
    const auto it = object.find(key);
    if (it == object.end())
        return std::nullopt;
    if (it->is_number_integer())
        return it->get<qint64>();
    if (it->is_string()) {
        bool fine = false;
        const qint64 number = stringOf(*it).toLongLong(&fine);
        return fine ? std::optional(number) : std::nullopt;
    }
    const std::optional<double> number = numberIn(object, key);
    // Beyond that a double is no exact integer any more.
    constexpr double kExact = 9007199254740992.0;
    if (!number || std::abs(*number) > kExact)
        return std::nullopt;
    return static_cast<qint64>(*number);
}

const json *objectIn(const json &object, const char *key)
{
    if (!object.is_object())
        return nullptr;
    const auto it = object.find(key);
    return it != object.end() && it->is_object() ? &*it : nullptr;
}

} // namespace berth::e2b
