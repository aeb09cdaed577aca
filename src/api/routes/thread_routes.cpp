// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/routes/forward.h"
#include "api/routes/routes.h"

#include <nlohmann/json.hpp>

namespace berth::api {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::Result;

namespace {

Async<Reply> newThread(Call call)
{
    Result<NewThread> command = commandOf<NewThread>(call);
    if (!command)
        co_return domain::failure(command.error());
    if (command->agent.isNull())
        command->agent = domain::AgentId(QStringLiteral("default"));
    const NewThread asked = *command;
    const domain::RequestId id = call->requestId();
    const Result<Started> started = co_await ask(call, asked, id);
    if (!started)
        co_return domain::failure(started.error());
    const Reply reply = replyOf(call, *started);
    co_return reply;
}

bool isSandboxOf(const ThreadView &thread, const QString &named)
{
    return named == thread.sandbox.toString() || named == thread.sandboxAlias
        || named == thread.lease.toString();
}

Async<Reply> sendMessage(Call call)
{
    const Result<SendMessage> command = commandOf<SendMessage>(call);
    if (!command)
        co_return domain::failure(command.error());
    const nlohmann::json arguments = nlohmann::json::parse(
        call->request.body.cbegin(), call->request.body.cend(), nullptr, false);
    if (arguments.contains("sandbox")) {
        const QString named = QString::fromStdString(arguments["sandbox"].get<std::string>());
        const GetThread question{command->thread};
        const Result<ThreadDetail> detail = co_await ask(call, question);
        if (!detail)
            co_return domain::failure(detail.error());
        if (!isSandboxOf(detail->thread, named))
            co_return domain::failure(
                ErrorKind::Conflict,
                QStringLiteral("This thread is bound to the sandbox \"%1\" for its lifetime")
                    .arg(detail->thread.sandboxAlias),
                QStringLiteral("POST /api/threads begins a new thread in another one."));
    }
    const SendMessage asked = *command;
    const domain::RequestId id = call->requestId();
    const Result<Started> started = co_await ask(call, asked, id);
    if (!started)
        co_return domain::failure(started.error());
    const Reply reply = replyOf(call, *started);
    co_return reply;
}

//! One list of a thread alone.
template <typename T>
Async<Reply> partOfThread(Call call, const char *key, QList<T> ThreadDetail::*part)
{
    const GetThread question{domain::ThreadId(call->parameter("thread_id"))};
    const Result<ThreadDetail> detail = co_await ask(call, question);
    if (!detail)
        co_return domain::failure(detail.error());
    const Reply reply = listReply(key, (*detail).*part);
    co_return reply;
}

Async<Reply> messages(Call call)
{
    return partOfThread(std::move(call), "messages", &ThreadDetail::messages);
}

Async<Reply> runs(Call call)
{
    return partOfThread(std::move(call), "runs", &ThreadDetail::runs);
}

Async<Reply> toolCalls(Call call)
{
    return partOfThread(std::move(call), "tool_calls", &ThreadDetail::toolCalls);
}

Async<Reply> editMessage(Call call)
{
    const nlohmann::json arguments = nlohmann::json::parse(
        call->request.body.cbegin(), call->request.body.cend(), nullptr, false);
    EditMessage command;
    command.thread = domain::ThreadId(call->parameter("thread_id"));
    command.text = QString::fromStdString(arguments["text"].get<std::string>());
    bool ok = false;
    command.seq = call->parameter("seq").toLongLong(&ok);
    if (!ok)
        co_return domain::failure(ErrorKind::InvalidInput,
                                  QStringLiteral("A message is named by its number in the thread"));
    const domain::RequestId id = call->requestId();
    const Result<Started> started = co_await ask(call, command, id);
    if (!started)
        co_return domain::failure(started.error());
    const Reply reply = replyOf(call, *started);
    co_return reply;
}

} // namespace

QList<Route> threadRoutes()
{
    const Field text{"text", FieldType::Text, true,
                     "As typed; a leading \"!\" runs the rest as a command in the sandbox"};
    const Field asCommand{"as_command", FieldType::Boolean, false,
                          "Run the whole text as a command although it has no \"!\""};
    const Field timeout{
        "timeout_ms",           FieldType::Integer, false, "Of the command; 0: none", 0,
        30LL * 24 * 3600 * 1000};
    const Field whenAsked{
        "when_asked",
        FieldType::Text,
        false,
        "What would ask somebody: wait for a decision (left out), or deny because "
        "nobody is there",
        0,
        0,
        "wait|deny"};
    return {
        withQuery(route("GET", "/api/threads", "listThreads", "List the threads", Scope::Read,
                        &forward<ListThreads>, "ThreadList"),
                  {{"archived", FieldType::Boolean, false, "Archived ones, too"}}),
        answering(
            withBody(route("POST", "/api/threads", "newThread",
                           "Begin a thread with its first message", Scope::Run, &newThread,
                           "Started"),
                     {text,
                      asCommand,
                      timeout,
                      whenAsked,
                      {"agent_id", FieldType::Text, false, "Whose thread it is; default: default"},
                      {"config", FieldType::Text, false,
                       "A provider config, for a new sandbox: \"docker\"; for admins of the agent"},
                      {"sandbox_id", FieldType::Text, false, "An existing sandbox of the agent"}}),
            {201}),
        route("GET", "/api/threads/{thread_id}", "getThread",
              "A thread with its messages, runs and tool calls", Scope::Read, &forward<GetThread>,
              "ThreadDetail"),
        withBody(route("PATCH", "/api/threads/{thread_id}", "updateThread",
                       "Change the title, the draft, or archive it", Scope::Run,
                       &forward<UpdateThread>, "Thread"),
                 {{"title", FieldType::Text},
                  {"draft", FieldType::Text},
                  {"archived", FieldType::Boolean}}),
        route("GET", "/api/threads/{thread_id}/messages", "listMessages", "Its messages",
              Scope::Read, &messages, "MessageList"),
        answering(
            withBody(route("POST", "/api/threads/{thread_id}/messages", "sendMessage",
                           "Send a message", Scope::Run, &sendMessage, "Started"),
                     {text,
                      asCommand,
                      timeout,
                      whenAsked,
                      {"sandbox", FieldType::Text, false,
                       "The thread's own sandbox, for those who want to be sure; another one is "
                       "409"}}),
            {202}),
        answering(withBody(route("PUT", "/api/threads/{thread_id}/messages/{seq}", "editMessage",
                                 "Send a message anew in place of this one and what followed",
                                 Scope::Run, &editMessage, "Started"),
                           {{"text", FieldType::Text, true}}),
                  {202}),
        withBody(route("POST", "/api/threads/{thread_id}/stop", "stopRun",
                       "Stop the run that is under way", Scope::Run, &forward<StopRun>, "Ok"),
                 {}, BodyKind::OptionalJson),

        answering(withBody(route("POST", "/api/threads/{thread_id}/continue", "continueRun",
                                 "Go on after an interruption, a failure or a limit", Scope::Run,
                                 &forward<ContinueRun>, "Started"),
                           {}, BodyKind::OptionalJson),
                  {202}),
        withBody(route("POST", "/api/threads/{thread_id}/retry", "retryRunNow",
                       "Try again now what waits to be tried again", Scope::Run,
                       &forward<RetryRunNow>, "Ok"),
                 {}, BodyKind::OptionalJson),
        route("GET", "/api/threads/{thread_id}/runs", "listRuns", "Its runs", Scope::Read, &runs,
              "RunList"),
        route("GET", "/api/threads/{thread_id}/tool-calls", "listToolCalls", "Its tool calls",
              Scope::Read, &toolCalls, "ToolCallList"),
    };
}

} // namespace berth::api
