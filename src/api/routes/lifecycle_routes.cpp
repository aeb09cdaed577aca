// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/routes/forward.h"
#include "api/routes/routes.h"

namespace berth::api {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::Result;

namespace {

Async<Reply> setLifecycle(Call call)
{
    // The body is what the agent or sandbox itself says; the path says which.
    SetLifecycle command;
    command.agent = domain::AgentId(call->parameter("agent_id"));
    command.sandbox = domain::SandboxId(call->parameter("sandbox_id"));
    const Result<SetLifecycle> whole = fromJson<SetLifecycle>(
        QByteArrayLiteral("{\"own\":") + call->request.body + QByteArrayLiteral("}"));
    if (!whole)
        co_return domain::failure(ErrorKind::InvalidInput, whole.error().message);
    command.own = whole->own;
    const domain::RequestId id = call->requestId();
    const Result<LifecycleView> view = co_await ask(call, command, id);
    if (!view)
        co_return domain::failure(view.error());
    co_return jsonReply(toJson(*view));
}

} // namespace

QList<Route> lifecycleRoutes()
{
    const QList<Field> own{
        {"start", FieldType::Text, false, "Left out: as the layer below says", 0, 0,
         "ondemand|session"},
        {"stop", FieldType::Text, false, "Left out: as the layer below says", 0, 0, "idle|session"},
        {"idle_timeout_minutes", FieldType::Integer, false, "0: never", 0, 10080}};
    return {
        route("GET", "/api/agents/{agent_id}/lifecycle", "getAgentLifecycle",
              "When the sandboxes of an agent start and stop", Scope::Read, &forward<GetLifecycle>,
              "Lifecycle"),
        withBody(route("PUT", "/api/agents/{agent_id}/lifecycle", "setAgentLifecycle",
                       "Replace what the agent says of it", Scope::Run, &setLifecycle, "Lifecycle"),
                 own),
        route("GET", "/api/sandboxes/{sandbox_id}/lifecycle", "getSandboxLifecycle",
              "When a sandbox starts and stops", Scope::Read, &forward<GetLifecycle>, "Lifecycle"),
        withBody(route("PUT", "/api/sandboxes/{sandbox_id}/lifecycle", "setSandboxLifecycle",
                       "Replace what the sandbox says of it", Scope::Run, &setLifecycle,
                       "Lifecycle"),
                 own),
        answering(
            withBody(route("POST", "/api/threads/{thread_id}/sessions", "openSession",
                           "Open the thread to send", Scope::Run, &forward<OpenSession>, "Session"),
                     {}, BodyKind::OptionalJson),
            {201}),
        withBody(route("POST", "/api/sessions/{session_id}/heartbeat", "heartbeatSession",
                       "Keep a session for 15 more minutes", Scope::Run, &forward<HeartbeatSession>,
                       "Session"),
                 {}, BodyKind::OptionalJson),
        route("DELETE", "/api/sessions/{session_id}", "closeSession", "Close a session", Scope::Run,
              &forward<CloseSession>, "Ok"),
    };
}

} // namespace berth::api
