// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/bounded_json.h"
#include "models/endpoint.h"
#include "models/opaque.h"

#include "net/json_fields.h"

#include <nlohmann/json.hpp>

namespace berth::models {

using domain::ModelRole;
using domain::ModelTurn;
using nlohmann::json;

namespace {

json chatImage(const domain::ModelImage &image)
{
    const QByteArray url =
        "data:" + image.mediaType.toLatin1() + ";base64," + image.bytes.toBase64();
    return {{"type", "image_url"}, {"image_url", {{"url", url.toStdString()}}}};
}

json chatUser(const QString &text, const QList<domain::ModelImage> &images)
{
    json message = {{"role", "user"}};
    if (images.isEmpty()) {
        message["content"] = text.toStdString();
        return message;
    }
    json parts = json::array();
    if (!text.isEmpty())
        parts.push_back({{"type", "text"}, {"text", text.toStdString()}});
    for (const domain::ModelImage &image : images)
        parts.push_back(chatImage(image));
    message["content"] = std::move(parts);
    return message;
}

//! Templates of some servers read the arguments, and fail on what is no object.
std::string chatArguments(const QByteArray &arguments)
{
    const json value = boundedJson(arguments, kDeepestArguments);
    return value.is_object() ? arguments.toStdString() : "{}";
}

json chatAssistant(const ModelTurn &turn, const Link &link, const QString &model)
{
    // Text also where there is none: some templates trip on null.
    json message = {{"role", "assistant"}, {"content", turn.text.toStdString()}};
    for (const domain::ModelCall &call : turn.calls) {
        message["tool_calls"].push_back(
            {{"id", call.id.toStdString()},
             {"type", "function"},
             {"function",
              {{"name", call.name.toStdString()}, {"arguments", chatArguments(call.arguments)}}}});
    }
    const json details = contentOfOpaque(turn.opaque, link.origin(), model);
    if (details.is_array())
        message["reasoning_details"] = details;
    return message;
}

//! This dialect has no mark for a failure, and some servers refuse an empty text.
json chatResult(const ModelTurn &turn)
{
    QString text = turn.text.isEmpty() ? QStringLiteral("(no output)") : turn.text;
    if (turn.isError && !text.startsWith(QLatin1String("Error")))
        text.prepend(QStringLiteral("Error: "));
    return {{"role", "tool"},
            {"tool_call_id", turn.callId.toStdString()},
            {"content", text.toStdString()}};
}

json chatMessages(const domain::ModelRequest &request, const Link &link)
{
    json messages = json::array();
    if (!request.system.isEmpty())
        messages.push_back({{"role", "system"}, {"content", request.system.toStdString()}});
    // Of results: a tool's message holds text alone, so they follow behind the last of them.
    QList<domain::ModelImage> images;
    const auto flush = [&messages, &images] {
        if (!images.isEmpty())
            messages.push_back(
                chatUser(QStringLiteral("The images of the results above:"), images));
        images.clear();
    };
    for (const ModelTurn &turn : request.turns) {
        if (turn.role == ModelRole::ToolResult) {
            messages.push_back(chatResult(turn));
            images += turn.images;
            continue;
        }
        flush();
        if (turn.role == ModelRole::User)
            messages.push_back(chatUser(turn.text, turn.images));
        else if (!turn.text.isEmpty() || !turn.calls.isEmpty())
            messages.push_back(chatAssistant(turn, link, request.model));
    }
    flush();
    return messages;
}

json schemaOf(const QByteArray &text)
{
    json schema = boundedJson(text);
    if (!schema.is_object())
        schema = {{"type", "object"}, {"properties", json::object()}};
    return schema;
}

const char *maxTokensField(const Link &link)
{
    const QString &field = link.settings().maxTokensField;
    if (field == QLatin1String("max_completion_tokens"))
        return "max_completion_tokens";
    if (field.isEmpty() && link.origin() == QLatin1String("https://api.openai.com"))
        return "max_completion_tokens";
    return "max_tokens";
}

} // namespace

QByteArray openAiBody(const Link &link, const domain::ModelRequest &request)
{
    json body = {{"model", request.model.toStdString()},
                 {"messages", chatMessages(request, link)},
                 {"stream", true},
                 {"stream_options", {{"include_usage", true}}}};
    for (const domain::ModelTool &tool : request.tools) {
        body["tools"].push_back({{"type", "function"},
                                 {"function",
                                  {{"name", tool.name.toStdString()},
                                   {"description", tool.description.toStdString()},
                                   {"parameters", schemaOf(tool.schema)}}}});
    }
    // llama-server takes an object for "auto".
    if (!request.forcedTool.isEmpty() && request.tools.size() == 1)
        body["tool_choice"] = "required";
    else if (!request.forcedTool.isEmpty())
        body["tool_choice"] = {{"type", "function"},
                               {"function", {{"name", request.forcedTool.toStdString()}}}};
    const int most = request.maxTokens > 0 ? request.maxTokens : link.settings().maxTokens;
    if (most > 0)
        body[maxTokensField(link)] = most;
    return net::dumped(body);
}

} // namespace berth::models
