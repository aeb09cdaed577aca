// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/openapi.h"

#include "api/schemas.h"

#include <nlohmann/json.hpp>

namespace berth::api {

using nlohmann::json;

namespace {

json fieldSchema(const Field &field)
{
    json schema;
    switch (field.type) {
    case FieldType::Text: {
        schema = {{"type", "string"}};
        const QString choices = QString::fromLatin1(field.choices);
        if (!choices.isEmpty()) {
            const QStringList names = choices.split(QLatin1Char('|'));
            for (const QString &name : names)
                schema["enum"].push_back(name.toStdString());
        }
        break;
    }
    case FieldType::Integer:
        schema = {{"type", "integer"}, {"minimum", field.minimum}, {"maximum", field.maximum}};
        break;
    case FieldType::Boolean:
        schema = {{"type", "boolean"}};
        break;
    case FieldType::TextList:
        schema = {{"type", "array"}, {"items", {{"type", "string"}}}};
        break;
    case FieldType::TextMap:
        schema = {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
        break;
    case FieldType::Object:
        schema = {{"type", "object"}};
        break;
    }
    if (field.nullable)
        schema["type"] = {schema["type"], "null"};
    if (*field.help)
        schema["description"] = field.help;
    return schema;
}

json parameters(const Route &route)
{
    json list = json::array();
    const QList<QByteArray> parts = route.path.split('/');
    for (const QByteArray &part : parts) {
        if (part.startsWith('{'))
            list.push_back(
                {{"name", part.mid(1, part.size() - 2).toStdString()},
                 {"in", "path"},
                 {"required", true},
                 {"schema", {{"type", "string"}, {"minLength", 1}, {"maxLength", 512}}}});
    }
    for (const Field &field : route.query)
        list.push_back({{"name", field.name},
                        {"in", "query"},
                        {"required", field.required},
                        {"schema", fieldSchema(field)}});
    if (route.takesKey())
        list.push_back({{"$ref", "#/components/parameters/IdempotencyKey"}});
    return list;
}

json requestBody(const Route &route)
{
    if (route.bodyKind == BodyKind::Stream)
        return {{"required", true},
                {"content",
                 {{"application/octet-stream",
                   {{"schema", {{"type", "string"}, {"format", "binary"}}}}}}}};
    json properties = json::object();
    json required = json::array();
    for (const Field &field : route.body) {
        properties[field.name] = fieldSchema(field);
        if (field.required)
            required.push_back(field.name);
    }
    const json schema{{"type", "object"},
                      {"properties", properties},
                      {"required", required},
                      {"additionalProperties", route.freeBody}};
    return {{"required", route.bodyKind == BodyKind::Json},
            {"content", {{"application/json", {{"schema", schema}}}}}};
}

json operation(const Route &route)
{
    json answers = json::object();
    json content = json::object();
    if (route.replySchema.isEmpty())
        content[route.replyType.toStdString()] = {{"schema", {{"type", "string"}}}};
    else
        content[route.replyType.toStdString()] = {
            {"schema", {{"$ref", "#/components/schemas/" + route.replySchema.toStdString()}}}};
    for (const int status : route.statuses)
        answers[std::to_string(status)] = {{"description", route.summary.toStdString()},
                                           {"content", content}};
    answers["default"] = {{"$ref", "#/components/responses/Error"}};
    json described{{"operationId", route.name.toStdString()},
                   {"summary", route.summary.toStdString()},
                   {"parameters", parameters(route)},
                   {"responses", answers}};
    if (route.scope)
        described["x-scope"] = wireName(*route.scope).toStdString();
    else
        described["security"] = json::array();
    if (route.bodyKind != BodyKind::None)
        described["requestBody"] = requestBody(route);
    return described;
}

//! Those that change something and cannot be repeated safely under a key.
std::string withoutKey(const Router &router)
{
    QStringList names;
    for (const Route &route : router.routes()) {
        if (route.method != "GET" && !route.takesKey())
            names.append(route.name);
    }
    return names.join(QStringLiteral(", ")).toStdString();
}

} // namespace

QByteArray openApiDocument(const Router &router, const QString &version)
{
    json paths = json::object();
    for (const Route &route : router.routes())
        paths[route.path.toStdString()][route.method.toLower().toStdString()] = operation(route);
    const json error{
        {"description", "What went wrong; decide on the status and the code, not on the words"},
        {"content",
         {{"application/json", {{"schema", {{"$ref", "#/components/schemas/Error"}}}}}}}};
    const json document{
        {"openapi", "3.1.0"},
        {"info",
         {{"title", "Berth"},
          {"version", version.toStdString()},
          {"description",
           "The API of one Berth on this machine. Send the token as \"Authorization: Bearer\". An "
           "Idempotency-Key makes a repeated request answer as the first one did, for 24 hours; "
           "the "
           "same key with other arguments is 422. Not for what takes a stream of bytes: "
               + withoutKey(router) + "."}}},
        {"security", {{{"token", json::array()}}}},
        {"paths", paths},
        {"components",
         {{"parameters",
           {{"IdempotencyKey",
             {{"name", "Idempotency-Key"},
              {"in", "header"},
              {"required", false},
              {"schema", {{"type", "string"}, {"minLength", 1}, {"maxLength", 255}}}}}}},
          {"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}},
          {"responses", {{"Error", error}}},
          {"schemas", schemaComponents()}}}};
    return QByteArray::fromStdString(document.dump());
}

} // namespace berth::api
