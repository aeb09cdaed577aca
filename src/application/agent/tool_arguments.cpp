// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/tool_arguments.h"

#include "application/contract/json_depth.h"
#include "domain/json_depth.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace berth::application {

using domain::ErrorKind;
using domain::failure;
using domain::Result;
using Json = nlohmann::ordered_json;

namespace {

constexpr qsizetype kLargestArguments = 8 * 1024 * 1024;

//! Its spec by the parameter's own name or an alias; null for one that the tool does not know.
const ToolParameter *parameterNamed(const ToolSpec &spec, const QString &name)
{
    for (const ToolParameter &parameter : spec.parameters) {
        if (parameter.name == name)
            return &parameter;
    }
    for (const ToolParameter &parameter : spec.parameters) {
        if (parameter.aliases.contains(name))
            return &parameter;
    }
    return nullptr;
}

std::optional<QVariant> readValue(const ToolParameter &parameter, const Json &value)
{
    const QString text =
        value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString();
    switch (parameter.type) {
    case ParameterType::Text:
        if (value.is_string())
            return text;
        if (value.is_number() || value.is_boolean())
            return QString::fromStdString(value.dump());
        return std::nullopt;
    case ParameterType::Integer: {
        bool isNumber = value.is_number();
        qint64 number = 0;
        if (value.is_number_integer()) {
            number = value.get<std::int64_t>();
        } else if (value.is_number()) {
            number = static_cast<qint64>(std::clamp(value.get<double>(), -1e15, 1e15));
        } else if (value.is_string()) {
            number = text.trimmed().toLongLong(&isNumber);
        }
        if (!isNumber)
            return std::nullopt;
        number = std::max(number, parameter.least.value_or(number));
        return QVariant(std::min(number, parameter.most.value_or(number)));
    }
    case ParameterType::Flag:
        if (value.is_boolean())
            return value.get<bool>();
        if (text == QLatin1String("true") || text == QLatin1String("false"))
            return text == QLatin1String("true");
        return std::nullopt;
    }
    return std::nullopt;
}

const char *typeName(ParameterType type)
{
    switch (type) {
    case ParameterType::Text:
        return "string";
    case ParameterType::Integer:
        return "integer";
    case ParameterType::Flag:
        return "boolean";
    }
    return "string";
}

} // namespace

Result<ToolArguments> readArguments(const ToolSpec &spec, const QByteArray &sent)
{
    if (sent.size() > kLargestArguments)
        return failure(ErrorKind::InvalidInput, QStringLiteral("the arguments are too long"));
    if (domain::nestsDeeperThan(sent, kDeepestJson))
        return failure(ErrorKind::InvalidInput, QStringLiteral("the arguments nest too deep"));
    const Json parsed = sent.trimmed().isEmpty()
        ? Json::object()
        : Json::parse(sent.constData(), sent.constData() + sent.size(), nullptr, false);
    if (!parsed.is_object())
        return failure(ErrorKind::InvalidInput, QStringLiteral("the arguments are no JSON object"));
    ToolArguments arguments;
    for (const auto &[key, value] : parsed.items()) {
        const QString name = QString::fromStdString(key);
        const ToolParameter *parameter = parameterNamed(spec, name);
        // A name that is not known changes nothing: models invent some ("description", "reason").
        if (!parameter || value.is_null())
            continue;
        const std::optional<QVariant> read = readValue(*parameter, value);
        if (!read) {
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("\"%1\" must be of type %2")
                               .arg(parameter->name, QLatin1String(typeName(parameter->type))));
        }
        if (parameter->type == ParameterType::Text && read->toString().contains(QChar(u'\0'))
            && parameter->name != QLatin1String("content")) {
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("\"%1\" contains a NUL character").arg(parameter->name));
        }
        if (arguments.has(parameter->name) && arguments.value(parameter->name) != *read) {
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("\"%1\" is there twice, with different values")
                               .arg(parameter->name));
        }
        arguments.set(parameter->name, *read);
    }
    for (const ToolParameter &parameter : spec.parameters) {
        if (!parameter.required)
            continue;
        const bool isThere = arguments.has(parameter.name)
            && (parameter.type != ParameterType::Text || parameter.mayBeEmpty
                || !arguments.text(parameter.name.toLatin1().constData()).trimmed().isEmpty());
        if (!isThere) {
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("\"%1\" is missing").arg(parameter.name));
        }
    }
    return arguments;
}

QString canonicalArguments(const ToolSpec &spec, const ToolArguments &arguments)
{
    Json object = Json::object();
    for (const ToolParameter &parameter : spec.parameters) {
        if (!arguments.has(parameter.name))
            continue;
        const QVariant value = arguments.value(parameter.name);
        const std::string name = parameter.name.toStdString();
        switch (parameter.type) {
        case ParameterType::Text:
            object[name] = value.toString().toStdString();
            break;
        case ParameterType::Integer:
            object[name] = static_cast<std::int64_t>(value.toLongLong());
            break;
        case ParameterType::Flag:
            object[name] = value.toBool();
            break;
        }
    }
    return QString::fromStdString(object.dump(-1, ' ', false, Json::error_handler_t::replace));
}

QByteArray schemaOf(const ToolSpec &spec)
{
    Json properties = Json::object();
    Json required = Json::array();
    for (const ToolParameter &parameter : spec.parameters) {
        properties[parameter.name.toStdString()] = {{"type", typeName(parameter.type)},
                                                    {"description", parameter.help.toStdString()}};
        if (parameter.required)
            required.push_back(parameter.name.toStdString());
    }
    const Json schema{{"type", "object"},
                      {"properties", properties},
                      {"required", required},
                      {"additionalProperties", false}};
    return QByteArray::fromStdString(schema.dump());
}

} // namespace berth::application
