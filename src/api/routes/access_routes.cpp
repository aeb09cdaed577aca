// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Who may talk to an agent, and the skills that it has.
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

Async<Reply> joinAgent(Call call)
{
    const domain::AgentId agent(call->parameter("agent_id"));
    const std::shared_ptr<AccessTable> table = call->server->access;
    const QString user = call->request.user;
    if (!table || !table->join)
        co_return domain::failure(ErrorKind::Unsupported,
                                  QStringLiteral("Nobody can join agents here"));
    Role role = Role::Owner;
    if (!user.isEmpty()) {
        const json arguments =
            json::parse(call->request.body.cbegin(), call->request.body.cend(), nullptr, false);
        const domain::Secret token(
            QByteArray::fromStdString(arguments.value("access_token", std::string())));
        const bool elsewhere = !call->request.agent.isNull() && call->request.agent != agent;
        const domain::AgentId asked = elsewhere ? domain::AgentId() : agent;
        const Result<Role> joined = co_await table->join(asked, user, token);
        if (!joined)
            co_return domain::failure(joined.error());
        role = *joined;
    } else if (call->viewer ? !call->viewer->sees(agent, Role::Guest)
                            : !table->facts()->agents.contains(agent)) {
        co_return domain::failure(ErrorKind::NotFound,
                                  QStringLiteral("There is no agent \"%1\"").arg(agent.toString()));
    }
    const json body{{"agent_id", agent.toString().toStdString()},
                    {"user", user.toStdString()},
                    {"role", wireName(role).toStdString()}};
    co_return jsonReply(QByteArray::fromStdString(body.dump()));
}

//! The body is {"<name>": "<folder>"}: all of them, also none.
Async<Reply> setSkills(Call call)
{
    const json arguments =
        json::parse(call->request.body.cbegin(), call->request.body.cend(), nullptr, false);
    SetSkills command;
    command.agent = domain::AgentId(call->parameter("agent_id"));
    for (const auto &[name, source] : arguments["skills"].items())
        command.skills.append(
            {QString::fromStdString(name), QString::fromStdString(source.get<std::string>()), {}});
    const domain::RequestId id = call->requestId();
    const Result<SkillList> list = co_await ask(call, command, id);
    if (!list)
        co_return domain::failure(list.error());
    const Reply reply = replyOf(call, *list);
    co_return reply;
}

} // namespace

QList<Route> accessRoutes()
{
    return {
        withBody(route("POST", "/api/agents/{agent_id}/members", "joinAgent",
                       "Join an agent as the user of the token; a protected one wants its access "
                       "token, a private one is 404",
                       Scope::Read, &joinAgent, "Membership"),
                 {{"access_token", FieldType::Text, false, "Of a protected agent"}},
                 BodyKind::OptionalJson),
        route("GET", "/api/agents/{agent_id}/skills", "listSkills",
              "The folders of this machine that are in each sandbox of the agent", Scope::Read,
              &forward<ListSkills>, "SkillList"),
        withBody(
            route("PUT", "/api/agents/{agent_id}/skills", "setSkills",
                  "Replace them all; none is changed when one is wrong", Scope::Admin, &setSkills,
                  "SkillList"),
            {{"skills", FieldType::TextMap, true, "Folders by name: {\"notes\": \"/home/…\"}"}}),
    };
}

} // namespace berth::api
