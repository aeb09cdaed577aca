// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Agents, the presets that their sandboxes begin from, and their policies.
#include "api/routes/forward.h"
#include "api/routes/routes.h"

#include <nlohmann/json.hpp>

namespace berth::api {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::Result;
using nlohmann::json;

namespace {

json argumentsOf(const Call &call)
{
    return json::parse(call->request.body.cbegin(), call->request.body.cend(), nullptr, false);
}

//! What an agent may do by itself is a policy: a token that may only run does not set it.
Result<void> mayShape(const Call &call, const json &arguments)
{
    if (call->request.scopes.testFlag(Scope::Admin))
        return {};
    for (const char *key : {"access", "autonomy", "require_approval_for"}) {
        if (arguments.contains(key))
            return domain::failure(
                ErrorKind::Forbidden,
                QStringLiteral("The token may not set \"%1\"").arg(QString::fromLatin1(key)),
                QStringLiteral("It is part of the agent's policy; set it in Berth's window or by "
                               "berth-cli."));
    }
    return {};
}

//! Left out: the default one; null: none; else a preset's name.
Result<QString> sandboxChoice(const json &arguments)
{
    if (!arguments.contains("sandbox"))
        return QStringLiteral("default");
    if (arguments["sandbox"].is_null())
        return QStringLiteral("none");
    const QString preset = QString::fromStdString(arguments["sandbox"].get<std::string>());
    if (preset.isEmpty() || preset == QLatin1String("default") || preset == QLatin1String("none"))
        return domain::failure(ErrorKind::InvalidInput,
                               QStringLiteral("There is no preset \"%1\"").arg(preset),
                               QStringLiteral("Leave \"sandbox\" out for the default one; null is "
                                              "none."));
    return preset;
}

Async<Reply> saved(Call call, SaveAgent command)
{
    const domain::RequestId id = call->requestId();
    const Result<AgentView> agent = co_await ask(call, command, id);
    if (!agent)
        co_return domain::failure(agent.error());
    const Reply reply = replyOf(call, *agent);
    co_return reply;
}

Async<Reply> createAgent(Call call)
{
    const json arguments = argumentsOf(call);
    if (const Result<void> allowed = mayShape(call, arguments); !allowed)
        co_return domain::failure(allowed.error());
    const Result<AgentView> wanted = fromJson<AgentView>(call->request.body);
    if (!wanted)
        co_return domain::failure(ErrorKind::InvalidInput, wanted.error().message);
    const Result<QString> sandbox = sandboxChoice(arguments);
    if (!sandbox)
        co_return domain::failure(sandbox.error());
    SaveAgent command;
    command.isNew = true;
    command.agent = *wanted;
    command.sandbox = *sandbox;
    if (command.agent.name.isEmpty())
        command.agent.name = command.agent.id.toString();
    const Result<Reply> reply = co_await saved(call, command);
    co_return reply;
}

Async<Reply> changeAgent(Call call)
{
    const json arguments = argumentsOf(call);
    const GetSnapshot question;
    const Result<Snapshot> snapshot = co_await ask(call, question);
    if (!snapshot)
        co_return domain::failure(snapshot.error());
    const domain::AgentId agent(call->parameter("agent_id"));
    const auto known =
        std::find_if(snapshot->agents.cbegin(), snapshot->agents.cend(),
                     [&agent](const AgentView &candidate) { return candidate.id == agent; });
    if (known == snapshot->agents.cend())
        co_return domain::failure(ErrorKind::NotFound,
                                  QStringLiteral("There is no agent \"%1\"").arg(agent.toString()));
    const QByteArray before = toJson(*known);
    json merged = json::parse(before.cbegin(), before.cend(), nullptr, false);
    // The policy stays as it is stored unless the request speaks of it.
    if (!arguments.contains("access"))
        merged.erase("access");
    if (!arguments.contains("autonomy") && !arguments.contains("require_approval_for"))
        merged.erase("autonomy");
    merged.update(arguments);
    const Result<AgentView> wanted = fromJson<AgentView>(QByteArray::fromStdString(merged.dump()));
    if (!wanted)
        co_return domain::failure(ErrorKind::InvalidInput, wanted.error().message);
    SaveAgent command;
    command.agent = *wanted;
    const Result<Reply> reply = co_await saved(call, command);
    co_return reply;
}

Async<Reply> agents(Call call)
{
    const GetSnapshot question;
    const Result<Snapshot> snapshot = co_await ask(call, question);
    if (!snapshot)
        co_return domain::failure(snapshot.error());
    const Reply reply = listReply("agents", snapshot->agents);
    co_return reply;
}

Async<Reply> presets(Call call)
{
    const ListPresets question;
    const Result<PresetList> list = co_await ask(call, question);
    if (!list)
        co_return domain::failure(list.error());
    json all = json::array();
    for (const PresetView &preset : list->presets) {
        const json config = json::parse(preset.config.toStdString(), nullptr, false);
        json one{{"name", preset.name.toStdString()},
                 {"type", preset.type.toStdString()},
                 {"config", config.is_object() ? config : json::object()}};
        if (!preset.problem.isEmpty())
            one["problem"] = preset.problem.toStdString();
        all.push_back(one);
    }
    json body{{"presets", all},
              {"auto_provision",
               list->autoProvision.isEmpty() ? json() : json(list->autoProvision.toStdString())}};
    if (!list->problem.isEmpty())
        body["problem"] = list->problem.toStdString();
    co_return jsonReply(QByteArray::fromStdString(body.dump()));
}

//! The document itself, so that it can be changed and put back.
Reply documentReply(const SecurityView &view)
{
    Reply reply = jsonReply(view.document.toUtf8());
    reply.headers.append(
        {QByteArrayLiteral("Berth-Access-Token-Set"),
         view.accessTokenSet ? QByteArrayLiteral("true") : QByteArrayLiteral("false")});
    return reply;
}

Async<Reply> getSecurity(Call call)
{
    const GetSecurity question{domain::AgentId(call->parameter("agent_id"))};
    const Result<SecurityView> view = co_await ask(call, question);
    if (!view)
        co_return domain::failure(view.error());
    const Reply reply = documentReply(*view);
    co_return reply;
}

Async<Reply> setSecurity(Call call)
{
    const json arguments = argumentsOf(call);
    const SetSecurity command{domain::AgentId(call->parameter("agent_id")),
                              QString::fromStdString(arguments["document"].dump())};
    const domain::RequestId id = call->requestId();
    const Result<SecurityView> view = co_await ask(call, command, id);
    if (!view)
        co_return domain::failure(view.error());
    const Reply reply = documentReply(*view);
    co_return reply;
}

} // namespace

QList<Route> agentRoutes()
{
    const QList<Field> facts{
        {"name", FieldType::Text, false, "1 to 80 characters"},
        {"model", FieldType::Text, false, "A model endpoint's name; empty: the default one"},
        {"instructions", FieldType::Text, false, "At most 64 KiB"},
        {"access", FieldType::Text, false, "Needs admin", 0, 0, "public|protected|private"},
        {"autonomy", FieldType::Text, false, "Needs admin", 0, 0, "readonly|supervised|full"},
        {"require_approval_for", FieldType::TextList, false, "Needs admin"}};
    Field sandbox{"sandbox", FieldType::Text, false,
                  "A preset's name; left out: the default one; null: none"};
    sandbox.nullable = true;
    const QList<Field> first{
        {"agent_id", FieldType::Text, false,
         "Up to 32 small letters, digits, - and _; left out: made from the name"},
        sandbox};
    return {
        route("GET", "/api/agents", "listAgents", "List the agents", Scope::Read, &agents,
              "AgentList"),
        answering(withBody(route("POST", "/api/agents", "createAgent",
                                 "Create an agent with its first sandbox, or neither", Scope::Run,
                                 &createAgent, "Agent"),
                           first + facts),
                  {201}),
        // Not for the token of the file: whatever runs as this user can read that.
        withBody(route("PATCH", "/api/agents/{agent_id}", "changeAgent", "Change an agent",
                       Scope::Admin, &changeAgent, "Agent"),
                 facts),
        route("DELETE", "/api/agents/{agent_id}", "removeAgent",
              "Remove an agent; 409 while it has threads or sandboxes", Scope::Admin,
              &forward<RemoveAgent>, "Ok"),
        route("GET", "/api/sandbox-presets", "listPresets",
              "The templates of sandboxes, without secrets", Scope::Read, &presets, "PresetList"),
        route("GET", "/api/agents/{agent_id}/security", "getSecurity",
              "The policy, without the access token", Scope::Admin, &getSecurity, "Document"),
        freeBody(route("PUT", "/api/agents/{agent_id}/security", "setSecurity",
                       "Replace the policy; it is checked whole before it is kept", Scope::Admin,
                       &setSecurity, "Document")),
    };
}

} // namespace berth::api
