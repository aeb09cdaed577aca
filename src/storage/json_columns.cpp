// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/json_columns.h"

#include <QtCore/QStringDecoder>

#include <nlohmann/json.hpp>

namespace berth::storage {

using nlohmann::json;

namespace {

std::string utf8(const QString &text)
{
    return text.toUtf8().toStdString();
}

QString written(const json &value)
{
    return QString::fromStdString(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

json parsed(const QString &text)
{
    return json::parse(utf8(text), nullptr, false);
}

json bytesToJson(const QByteArray &bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder.decode(bytes);
    if (decoder.hasError() || text.toUtf8() != bytes)
        return {{"base64", bytes.toBase64().toStdString()}};
    return bytes.toStdString();
}

QByteArray jsonToBytes(const json &value)
{
    if (value.is_string())
        return QByteArray::fromStdString(value.get_ref<const std::string &>());
    if (value.is_object() && value.contains("base64") && value["base64"].is_string())
        return QByteArray::fromBase64(
            QByteArray::fromStdString(value["base64"].get<std::string>()));
    return {};
}

} // namespace

QString jsonOf(const QMap<QString, QString> &values)
{
    json object = json::object();
    for (auto it = values.begin(); it != values.end(); ++it) {
        const qsizetype dot = it.key().indexOf(QLatin1Char('.'));
        const std::string group = utf8(it.key().left(dot));
        // "lifecycle.start" stands in the object "lifecycle", as people write it.
        const bool nested = dot > 0 && !values.contains(it.key().left(dot));
        if (nested)
            object[group][utf8(it.key().mid(dot + 1))] = utf8(it.value());
        else
            object[utf8(it.key())] = utf8(it.value());
    }
    return written(object);
}

namespace {

std::optional<QString> scalarText(const json &value)
{
    if (value.is_string())
        return QString::fromStdString(value.get<std::string>());
    if (value.is_number() || value.is_boolean())
        return QString::fromStdString(value.dump());
    return std::nullopt;
}

} // namespace

QMap<QString, QString> mapOf(const QString &text)
{
    QMap<QString, QString> values;
    const json object = parsed(text);
    if (!object.is_object())
        return values;
    for (const auto &[key, value] : object.items()) {
        const QString name = QString::fromStdString(key);
        if (const std::optional<QString> own = scalarText(value))
            values.insert(name, *own);
        if (!value.is_object())
            continue;
        for (const auto &[inner, part] : value.items()) {
            if (const std::optional<QString> own = scalarText(part))
                values.insert(name + QLatin1Char('.') + QString::fromStdString(inner), *own);
        }
    }
    return values;
}

QString contentJson(const domain::Message &message)
{
    json content{{"text", utf8(message.text)}};
    if (!message.reasoning.isEmpty())
        content["reasoning"] = utf8(message.reasoning);
    if (!message.opaque.isEmpty())
        content["opaque"] = message.opaque.toBase64().toStdString();
    if (message.cut)
        content["cut"] = true;
    if (message.superseded)
        content["superseded"] = true;
    for (const domain::ToolCallId &call : message.toolCalls)
        content["tool_calls"].push_back(utf8(call.toString()));
    return written(content);
}

void readContent(const QString &text, domain::Message &message)
{
    const json content = parsed(text);
    if (!content.is_object())
        return;
    const auto textOf = [&content](const char *key) {
        const auto found = content.find(key);
        return found != content.end() && found->is_string()
            ? QString::fromStdString(found->get<std::string>())
            : QString();
    };
    const auto isSet = [&content](const char *key) {
        const auto found = content.find(key);
        return found != content.end() && found->is_boolean() && found->get<bool>();
    };
    message.text = textOf("text");
    message.reasoning = textOf("reasoning");
    message.opaque = QByteArray::fromBase64(textOf("opaque").toLatin1());
    message.cut = isSet("cut");
    message.superseded = isSet("superseded");
    const auto calls = content.find("tool_calls");
    if (calls == content.end() || !calls->is_array())
        return;
    for (const json &call : *calls) {
        if (call.is_string())
            message.toolCalls << domain::ToolCallId(
                QString::fromStdString(call.get<std::string>()));
    }
}

QString jsonOf(const domain::Environment &environment)
{
    json list = json::array();
    for (const auto &[name, value] : environment)
        list.push_back(json::array({bytesToJson(name), bytesToJson(value)}));
    return written(list);
}

domain::Environment environmentOf(const QString &text)
{
    domain::Environment environment;
    const json list = parsed(text);
    if (!list.is_array())
        return environment;
    for (const json &pair : list) {
        if (pair.is_array() && pair.size() == 2)
            environment.append({jsonToBytes(pair[0]), jsonToBytes(pair[1])});
    }
    return environment;
}

QString jsonOf(const QList<QByteArray> &names)
{
    json list = json::array();
    for (const QByteArray &name : names)
        list.push_back(bytesToJson(name));
    return written(list);
}

QList<QByteArray> namesOf(const QString &text)
{
    QList<QByteArray> names;
    const json list = parsed(text);
    if (!list.is_array())
        return names;
    for (const json &name : list)
        names << jsonToBytes(name);
    return names;
}

} // namespace berth::storage
