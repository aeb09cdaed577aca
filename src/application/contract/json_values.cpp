// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/contract/json_values.h"

#include "domain/text.h"

#include <QtCore/QStringDecoder>

#include <nlohmann/json.hpp>

#include <limits>

namespace berth::application::wire {

using nlohmann::json;

namespace {

[[noreturn]] void mismatch(const char *wanted)
{
    throw Mismatch{QStringLiteral("Expected %1").arg(QLatin1String(wanted))};
}

bool isUtf8(const QByteArray &bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder.decode(bytes);
    return !decoder.hasError() && text.toUtf8() == bytes;
}

} // namespace

json write(const QString &value)
{
    return json(value.toStdString());
}

// A path or working directory is bytes; text where it can be, so that people can read it.
json write(const QByteArray &value)
{
    if (isUtf8(value))
        return json(value.toStdString());
    return json{{"base64", value.toBase64().toStdString()}};
}

json write(const QDateTime &value)
{
    return write(domain::toWireTime(value));
}

json write(bool value)
{
    return json(value);
}

json write(int value)
{
    return json(value);
}

json write(qint64 value)
{
    return json(static_cast<std::int64_t>(value));
}

json write(double value)
{
    return json(value);
}

json write(const domain::Secret &value)
{
    return write(QString::fromUtf8(value.exposeForWire()));
}

json write(const QMap<QString, QString> &value)
{
    json object = json::object();
    for (auto it = value.begin(); it != value.end(); ++it)
        object[it.key().toStdString()] = write(it.value());
    return object;
}

json write(const QPair<QString, QString> &value)
{
    return json::array({write(value.first), write(value.second)});
}

json write(std::chrono::milliseconds value)
{
    return json(static_cast<std::int64_t>(value.count()));
}

json write(std::chrono::seconds value)
{
    return json(static_cast<std::int64_t>(value.count()));
}

void read(const json &from, QString &value)
{
    if (!from.is_string())
        mismatch("text");
    value = QString::fromStdString(from.get_ref<const std::string &>());
}

void read(const json &from, QByteArray &value)
{
    if (from.is_string()) {
        value = QByteArray::fromStdString(from.get_ref<const std::string &>());
        return;
    }
    if (!from.is_object() || !from.contains("base64") || !from["base64"].is_string())
        mismatch("text or {base64}");
    const auto decoded =
        QByteArray::fromBase64Encoding(QByteArray::fromStdString(from["base64"].get<std::string>()),
                                       QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded)
        mismatch("Base64");
    value = *decoded;
}

void read(const json &from, QDateTime &value)
{
    QString text;
    read(from, text);
    value = domain::fromWireTime(text);
    if (!text.isEmpty() && !value.isValid())
        mismatch("a time such as 2026-01-31T12:00:00.000Z");
}

void read(const json &from, bool &value)
{
    if (!from.is_boolean())
        mismatch("true or false");
    value = from.get<bool>();
}

void read(const json &from, int &value)
{
    qint64 wide = 0;
    read(from, wide);
    if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max())
        mismatch("a smaller number");
    value = static_cast<int>(wide);
}

void read(const json &from, qint64 &value)
{
    if (!from.is_number_integer())
        mismatch("a whole number");
    // Larger ones would silently turn negative.
    if (from.is_number_unsigned() && from.get<std::uint64_t>() > std::numeric_limits<qint64>::max())
        mismatch("a smaller number");
    value = from.get<std::int64_t>();
}

void read(const json &from, double &value)
{
    if (!from.is_number())
        mismatch("a number");
    value = from.get<double>();
}

void read(const json &from, domain::Secret &value)
{
    QString text;
    read(from, text);
    value = domain::Secret(text.toUtf8());
}

void read(const json &from, QMap<QString, QString> &value)
{
    if (!from.is_object())
        mismatch("an object of texts");
    value.clear();
    for (const auto &[key, entry] : from.items())
        read(entry, value[QString::fromStdString(key)]);
}

void read(const json &from, QPair<QString, QString> &value)
{
    if (!from.is_array() || from.size() != 2)
        mismatch("a pair");
    read(from[0], value.first);
    read(from[1], value.second);
}

void read(const json &from, std::chrono::milliseconds &value)
{
    qint64 count = 0;
    read(from, count);
    value = std::chrono::milliseconds(count);
}

void read(const json &from, std::chrono::seconds &value)
{
    qint64 count = 0;
    read(from, count);
    value = std::chrono::seconds(count);
}

} // namespace berth::application::wire
