// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/routes/forward.h"
#include "api/routes/output_reply.h"
#include "api/routes/routes.h"

namespace berth::api {

using namespace application;
using domain::Async;
using domain::Result;

namespace {

Async<Reply> processOutput(Call call)
{
    const Result<ReadProcess> command = commandOf<ReadProcess>(call);
    if (!command)
        co_return domain::failure(command.error());
    const ReadProcess asked = *command;
    const Result<OutputChunk> chunk = co_await ask(call, asked);
    if (!chunk)
        co_return domain::failure(chunk.error());
    const QString raw = call->query("raw");
    const bool bytes = raw == QLatin1String("true") || raw == QLatin1String("1");
    const Reply reply = outputReply(*chunk, bytes);
    co_return reply;
}

Async<Reply> processInput(Call call)
{
    WriteProcess command;
    command.process = domain::ProcessId(call->parameter("process_id"));
    for (;;) {
        const Result<QByteArray> piece = co_await call->pieces->next();
        if (!piece)
            co_return domain::failure(piece.error());
        if (piece->isEmpty())
            break;
        command.bytes = *piece;
        const Result<Nothing> written = co_await ask(call, command);
        if (!written)
            co_return domain::failure(written.error());
    }
    co_return jsonReply(QByteArrayLiteral("{\"ok\":true}"));
}

} // namespace

QList<Route> processRoutes()
{
    const Field columns{"columns", FieldType::Integer, false, "Of a terminal", 0, 1000};
    const Field rows{"rows", FieldType::Integer, false, "Of a terminal", 0, 1000};
    return {
        withQuery(route("GET", "/api/processes", "listProcesses",
                        "List background commands and terminals", Scope::Read,
                        &forward<ListProcesses>, "ProcessList"),
                  {{"target", FieldType::Text, false,
                    "A thread id, sandbox id, lease id or alias; left out: all"}}),
        answering(withBody(route("POST", "/api/processes", "startProcess",
                                 "Start a background command, or with columns and rows a terminal",
                                 Scope::Run, &forward<StartProcess>, "Process"),
                           {{"target", FieldType::Text, true,
                             "A thread id, sandbox id, lease id, or alias of agent \"default\""},
                            {"argv", FieldType::TextList},
                            {"shell_text", FieldType::Text},
                            {"title", FieldType::Text},
                            columns,
                            rows}),
                  {201}),
        withQuery(route("GET", "/api/processes/{process_id}/output", "getProcessOutput",
                        "What it wrote", Scope::Read, &processOutput, "Output"),
                  outputQuery()),
        withBody(route("POST", "/api/processes/{process_id}/input", "writeProcess",
                       "Input for a terminal", Scope::Run, &processInput, "Ok"),
                 {}, BodyKind::Stream),
        withBody(route("POST", "/api/processes/{process_id}/size", "resizeProcess",
                       "Resize a terminal", Scope::Run, &forward<ResizeProcess>, "Ok"),
                 {{"columns", FieldType::Integer, true, "", 1, 1000},
                  {"rows", FieldType::Integer, true, "", 1, 1000}}),
        withBody(route("POST", "/api/processes/{process_id}/stop", "stopProcess",
                       "Kill it with all its children", Scope::Run, &forward<StopProcess>,
                       "Process"),
                 {}, BodyKind::OptionalJson),
        route("DELETE", "/api/processes/{process_id}", "removeProcess",
              "Forget one that has ended, with its output", Scope::Run, &forward<RemoveProcess>,
              "Ok"),
    };
}

} // namespace berth::api
