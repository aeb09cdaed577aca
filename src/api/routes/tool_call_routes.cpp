// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/routes/forward.h"
#include "api/routes/output_reply.h"
#include "api/routes/routes.h"

#include <nlohmann/json.hpp>

namespace berth::api {

using namespace application;
using domain::Async;
using domain::Result;

Reply outputReply(const OutputChunk &chunk, bool raw)
{
    if (raw) {
        Reply reply;
        reply.type = QByteArrayLiteral("application/octet-stream");
        reply.body = chunk.bytes;
        reply.headers = {
            {QByteArrayLiteral("Berth-Output-Offset"), QByteArray::number(chunk.offset)},
            {QByteArrayLiteral("Berth-Output-Total"), QByteArray::number(chunk.total)},
            {QByteArrayLiteral("Berth-Output-Complete"), chunk.complete ? "true" : "false"}};
        return reply;
    }
    const QByteArray text = toJson(chunk);
    nlohmann::json all = nlohmann::json::parse(text.cbegin(), text.cend(), nullptr, false);
    all["base64"] = chunk.bytes.toBase64().toStdString();
    return jsonReply(QByteArray::fromStdString(all.dump()));
}

QList<Field> outputQuery()
{
    return {
        {"offset", FieldType::Integer, false, "Negative: from the end", -(1LL << 50), 1LL << 50},
        {"limit", FieldType::Integer, false, "Bytes at the most", 1, 1024 * 1024},
        {"wait_ms", FieldType::Integer, false,
         "With nothing new: wait so long for more or for the end", 0, 60'000},
        {"raw", FieldType::Boolean, false,
         "The bytes themselves, both streams as they came, instead of JSON"}};
}

namespace {

Async<Reply> toolCallOutput(Call call)
{
    const Result<ReadOutput> command = commandOf<ReadOutput>(call);
    if (!command)
        co_return domain::failure(command.error());
    const ReadOutput asked = *command;
    const Result<OutputChunk> chunk = co_await ask(call, asked);
    if (!chunk)
        co_return domain::failure(chunk.error());
    const QString raw = call->query("raw");
    const bool bytes = raw == QLatin1String("true") || raw == QLatin1String("1");
    const Reply reply = outputReply(*chunk, bytes);
    co_return reply;
}

} // namespace

QList<Route> toolCallRoutes()
{
    return {
        answering(
            withBody(
                route("POST", "/api/exec", "exec",
                      "Run a command in a sandbox, outside of any conversation", Scope::Run,
                      &forward<Exec>, "Started"),
                {{"target", FieldType::Text, true,
                  "A thread id, sandbox id, lease id, or alias of agent \"default\""},
                 {"argv", FieldType::TextList, false, "The program and its arguments"},
                 {"shell_text", FieldType::Text, false, "Instead of argv: text for the shell"},
                 {"timeout_ms", FieldType::Integer, false, "0: none", 0, 30LL * 24 * 3600 * 1000}}),
            {202}),
        route("GET", "/api/tool-calls/{tool_call_id}", "getToolCall",
              "A tool call with its outcome and exit code", Scope::Read, &forward<GetToolCall>,
              "ToolCall"),
        withQuery(route("GET", "/api/tool-calls/{tool_call_id}/output", "getOutput",
                        "What it wrote", Scope::Read, &toolCallOutput, "Output"),
                  outputQuery()),
        withBody(route("POST", "/api/tool-calls/{tool_call_id}/stop", "stopToolCall",
                       "Stop it; answers once it has ended", Scope::Run, &forward<StopToolCall>,
                       "ToolCall"),
                 {}, BodyKind::OptionalJson),
    };
}

} // namespace berth::api
