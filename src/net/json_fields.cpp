// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/json_fields.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace berth::net {

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

const json &memberIn(const json &object, const char *key)
{
    static const json none;
    if (!object.is_object())
        return none;
    const auto it = object.find(key);
    return it == object.end() ? none : *it;
}

QString textIn(const json &object, const char *key)
{
    const json &value = memberIn(object, key);
    return value.is_string() ? stringOf(value) : QString();
}

std::optional<double> numberIn(const json &object, const char *key)
{
    const json &value = memberIn(object, key);
    if (!value.is_number())
        return std::nullopt;
    const double number = value.get<double>();
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<qint64> integerIn(const json &object, const char *key)
{
    const json &value = memberIn(object, key);
    if (value.is_number_unsigned()
        && value.get<quint64>() > static_cast<quint64>(std::numeric_limits<qint64>::max()))
        return std::nullopt;
    if (value.is_number_integer())
        return value.get<qint64>();
    if (value.is_string()) {
        bool fine = false;
        const qint64 number = stringOf(value).toLongLong(&fine);
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
    const json &value = memberIn(object, key);
    return value.is_object() ? &value : nullptr;
}

} // namespace berth::net
