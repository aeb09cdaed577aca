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

//! The dialect requires a limit.
constexpr int kUsualReply = 8192;

json textBlock(const QString &text)
{
    return {{"type", "text"}, {"text", text.toStdString()}};
}

json imageBlock(const domain::ModelImage &image)
{
    return {{"type", "image"},
            {"source",
             {{"type", "base64"},
              {"media_type", image.mediaType.toStdString()},
              {"data", image.bytes.toBase64().toStdString()}}}};
}

json callBlock(const domain::ModelCall &call)
{
    json input = boundedJson(call.arguments, kDeepestArguments);
    if (!input.is_object())
        input = json::object();
    return {{"type", "tool_use"},
            {"id", call.id.toStdString()},
            {"name", call.name.toStdString()},
            {"input", std::move(input)}};
}

json resultBlock(const ModelTurn &turn)
{
    json block = {{"type", "tool_result"}, {"tool_use_id", turn.callId.toStdString()}};
    const QString text = turn.text.isEmpty() ? QStringLiteral("(no output)") : turn.text;
    if (turn.images.isEmpty()) {
        block["content"] = text.toStdString();
    } else {
        block["content"].push_back(textBlock(text));
        for (const domain::ModelImage &image : turn.images)
            block["content"].push_back(imageBlock(image));
    }
    if (turn.isError)
        block["is_error"] = true;
    return block;
}

//! Signed thinking goes back where it stood among text and calls, all else as the history has it.
json assistantBlocks(const ModelTurn &turn, const Link &link, const QString &model)
{
    json blocks = json::array();
    qsizetype told = 0;
    QList<domain::ModelCall> calls = turn.calls;
    const auto addText = [&blocks, &told, &turn](qsizetype length) {
        const QString piece = turn.text.mid(told, length);
        told += piece.size();
        // A text of nothing is refused.
        if (!piece.trimmed().isEmpty())
            blocks.push_back(textBlock(piece));
    };
    for (const json &block : contentOfOpaque(turn.opaque, link.origin(), model)) {
        const QString type = net::textIn(block, "type");
        if (type == QLatin1String("text")) {
            addText(net::integerIn(block, "length").value_or(0));
        } else if (type == QLatin1String("tool_use")) {
            const QString id = net::textIn(block, "id");
            for (qsizetype i = 0; i < calls.size(); ++i) {
                if (calls.at(i).id != id)
                    continue;
                blocks.push_back(callBlock(calls.takeAt(i)));
                break;
            }
        } else {
            blocks.push_back(block);
        }
    }
    addText(turn.text.size() - told);
    for (const domain::ModelCall &call : calls)
        blocks.push_back(callBlock(call));
    return blocks;
}

//! All results of one message of the model, and what the user said then, are one message.
json messagesOf(const domain::ModelRequest &request, const Link &link)
{
    json messages = json::array();
    const auto add = [&messages](const char *role, json blocks) {
        if (blocks.empty())
            return;
        if (messages.empty() || messages.back()["role"] != role)
            messages.push_back({{"role", role}, {"content", json::array()}});
        json &content = messages.back()["content"];
        content.insert(content.end(), blocks.begin(), blocks.end());
    };
    for (const ModelTurn &turn : request.turns) {
        json blocks = json::array();
        switch (turn.role) {
        case ModelRole::ToolResult:
            blocks.push_back(resultBlock(turn));
            add("user", std::move(blocks));
            break;
        case ModelRole::User:
            if (!turn.text.trimmed().isEmpty())
                blocks.push_back(textBlock(turn.text));
            for (const domain::ModelImage &image : turn.images)
                blocks.push_back(imageBlock(image));
            add("user", std::move(blocks));
            break;
        case ModelRole::Assistant:
            add("assistant", assistantBlocks(turn, link, request.model));
            break;
        }
    }
    return messages;
}

//! What was sent before is read from the cache with the next request.
void markForCache(json &block)
{
    block["cache_control"] = {{"type", "ephemeral"}};
}

} // namespace

QByteArray anthropicBody(const Link &link, const domain::ModelRequest &request)
{
    int most = request.maxTokens > 0 ? request.maxTokens : link.settings().maxTokens;
    if (most <= 0)
        most = kUsualReply;
    json body = {{"model", request.model.toStdString()},
                 {"max_tokens", most},
                 {"stream", true},
                 {"messages", messagesOf(request, link)}};
    if (!request.system.isEmpty()) {
        json system = textBlock(request.system);
        markForCache(system);
        body["system"].push_back(std::move(system));
    }
    json &messages = body["messages"];
    if (!messages.empty() && messages.back()["role"] == "user")
        markForCache(messages.back()["content"].back());
    for (const domain::ModelTool &tool : request.tools) {
        json schema = boundedJson(tool.schema);
        if (!schema.is_object())
            schema = {{"type", "object"}};
        body["tools"].push_back({{"name", tool.name.toStdString()},
                                 {"description", tool.description.toStdString()},
                                 {"input_schema", std::move(schema)}});
    }
    if (!request.forcedTool.isEmpty())
        body["tool_choice"] = {{"type", "tool"}, {"name", request.forcedTool.toStdString()}};
    return net::dumped(body);
}

} // namespace berth::models
