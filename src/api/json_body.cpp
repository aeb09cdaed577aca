// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/json_body.h"

#include "api/router.h"
#include "application/contract/json_depth.h"
#include "domain/json_depth.h"

#include <nlohmann/json.hpp>

namespace berth::api {

using domain::ErrorKind;
using domain::Result;
using nlohmann::json;

namespace {

tl::unexpected<domain::Error> wrong(const QString &message)
{
    return domain::failure(ErrorKind::InvalidInput, message);
}

QString nameOf(const Field &field)
{
    return QString::fromLatin1(field.name);
}

bool isChoice(const Field &field, const QString &value)
{
    const QString choices = QString::fromLatin1(field.choices);
    return choices.isEmpty() || choices.split(QLatin1Char('|')).contains(value);
}

Result<json> checkedNumber(const Field &field, qint64 value)
{
    if (value < field.minimum || value > field.maximum)
        return wrong(QStringLiteral("%1 has to be from %2 to %3")
                         .arg(nameOf(field))
                         .arg(field.minimum)
                         .arg(field.maximum));
    return json(value);
}

Result<json> checkedText(const Field &field, const std::string &value)
{
    if (value.find('\0') != std::string::npos)
        return wrong(QStringLiteral("%1 may not hold a NUL").arg(nameOf(field)));
    if (!isChoice(field, QString::fromStdString(value)))
        return wrong(QStringLiteral("%1 has to be one of %2")
                         .arg(nameOf(field),
                              QString::fromLatin1(field.choices)
                                  .replace(QLatin1Char('|'), QStringLiteral(", "))));
    return json(value);
}

Result<json> checkedValue(const Field &field, const json &value)
{
    const auto expected = [&field](const char *what) {
        return wrong(
            QStringLiteral("%1 has to be %2").arg(nameOf(field), QString::fromLatin1(what)));
    };
    const auto isString = [](const json &entry) { return entry.is_string(); };
    switch (field.type) {
    case FieldType::Text:
        if (!value.is_string())
            return expected("a text");
        return checkedText(field, value.get_ref<const std::string &>());
    case FieldType::Integer:
        if (!value.is_number_integer()
            || (value.is_number_unsigned() && value.get<quint64>() > quint64(INT64_MAX)))
            return expected("a whole number");
        return checkedNumber(field, value.get<qint64>());
    case FieldType::Boolean:
        if (!value.is_boolean())
            return expected("true or false");
        return value;
    case FieldType::TextList:
        if (!value.is_array() || !std::all_of(value.begin(), value.end(), isString))
            return expected("a list of texts");
        return value;
    case FieldType::TextMap:
        if (!value.is_object() || !std::all_of(value.begin(), value.end(), isString))
            return expected("an object of texts");
        return value;
    case FieldType::Object:
        if (!value.is_object())
            return expected("an object");
        return value;
    }
    return expected("something else");
}

Result<json> fromQuery(const Field &field, const QString &text)
{
    switch (field.type) {
    case FieldType::Integer: {
        bool ok = false;
        const qint64 value = text.toLongLong(&ok);
        if (!ok)
            return wrong(QStringLiteral("%1 has to be a whole number").arg(nameOf(field)));
        return checkedNumber(field, value);
    }
    case FieldType::Boolean:
        if (text == QLatin1String("true") || text == QLatin1String("1") || text.isEmpty())
            return json(true);
        if (text == QLatin1String("false") || text == QLatin1String("0"))
            return json(false);
        return wrong(QStringLiteral("%1 has to be true or false").arg(nameOf(field)));
    case FieldType::Text:
    case FieldType::TextList:
    case FieldType::TextMap:
    case FieldType::Object:
        break;
    }
    return checkedText(field, text.toStdString());
}

Result<json> parsedBody(const Route &route, const QByteArray &body)
{
    json arguments = json::object();
    if (route.bodyKind == BodyKind::OptionalJson && body.isEmpty())
        return arguments;
    if (domain::nestsDeeperThan(body, application::kDeepestJson))
        return wrong(QStringLiteral("The body is nested too deeply"));
    if (!isText(body))
        return wrong(QStringLiteral("The body is no UTF-8 text"));
    const json parsed = json::parse(body.cbegin(), body.cend(), nullptr, false);
    if (parsed.is_discarded())
        return wrong(QStringLiteral("The body is no valid JSON"));
    if (!parsed.is_object())
        return wrong(QStringLiteral("The body has to be a JSON object"));
    if (route.freeBody)
        return json{{"document", parsed}};
    for (const auto &[key, value] : parsed.items()) {
        const auto field =
            std::find_if(route.body.cbegin(), route.body.cend(),
                         [&key = key](const Field &candidate) { return key == candidate.name; });
        if (field == route.body.cend())
            return wrong(QStringLiteral("There is no key \"%1\" here")
                             .arg(QString::fromStdString(key).left(64)));
        if (value.is_null()) {
            if (field->nullable)
                arguments[key] = nullptr;
            continue;
        }
        const Result<json> checked = checkedValue(*field, value);
        if (!checked)
            return checked;
        arguments[key] = *checked;
    }
    return arguments;
}

Result<void> checkRequired(const QList<Field> &fields, const json &arguments)
{
    for (const Field &field : fields) {
        if (field.required && !arguments.contains(field.name))
            return wrong(QStringLiteral("%1 is missing").arg(nameOf(field)));
    }
    return {};
}

} // namespace

Result<QByteArray> checkedBody(const Route &route, const Request &request)
{
    Result<json> arguments = json::object();
    if (route.bodyKind == BodyKind::Json || route.bodyKind == BodyKind::OptionalJson)
        arguments = parsedBody(route, request.body);
    if (!arguments)
        return domain::failure(arguments.error());
    if (const Result<void> there = checkRequired(route.body, *arguments); !there)
        return domain::failure(there.error());
    for (const Field &field : route.query) {
        const auto said = request.query.constFind(nameOf(field));
        if (said == request.query.cend())
            continue;
        const Result<json> value = fromQuery(field, *said);
        if (!value)
            return domain::failure(value.error());
        (*arguments)[field.name] = *value;
    }
    if (const Result<void> there = checkRequired(route.query, *arguments); !there)
        return domain::failure(there.error());
    for (auto entry = request.parameters.cbegin(); entry != request.parameters.cend(); ++entry)
        (*arguments)[entry.key().toStdString()] = entry.value().toStdString();
    return QByteArray::fromStdString(
        arguments->dump(-1, ' ', false, json::error_handler_t::replace));
}

} // namespace berth::api
