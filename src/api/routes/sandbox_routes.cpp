// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/routes/forward.h"
#include "api/routes/routes.h"
#include "domain/text.h"

#include <nlohmann/json.hpp>

namespace berth::api {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::Result;
using nlohmann::json;

namespace {

json textOrNull(const QString &text)
{
    return text.isEmpty() ? json() : json(text.toStdString());
}

//! A row as the document writes it, with the runtime of now laid over.
json sandboxRecord(const SandboxView &sandbox, const QList<RuntimeView> &runtimes)
{
    json config = json::parse(sandbox.config.toStdString(), nullptr, false);
    if (!config.is_object())
        config = json::object();
    json record{{"id", sandbox.id.toString().toStdString()},
                {"agent_id", sandbox.agent.toString().toStdString()},
                {"alias", sandbox.alias.toStdString()},
                {"type", sandbox.type.toStdString()},
                {"config", config},
                {"status", sandbox.status.toStdString()},
                {"external_id", json()},
                {"runtime_state", json::object()},
                {"last_seen_at", textOrNull(domain::toWireTime(sandbox.lastSeenAt))},
                {"provider_config", sandbox.providerConfig.toString().toStdString()},
                {"lease_id", sandbox.lease.toString().toStdString()},
                {"threads", sandbox.threads},
                {"notice", sandbox.notice.toStdString()},
                {"runtime", json()}};
    for (const RuntimeView &runtime : runtimes) {
        if (sandbox.lease.isNull() || runtime.lease != sandbox.lease)
            continue;
        record["external_id"] = textOrNull(runtime.externalId);
        record["runtime"] = {{"status", domain::wireName(runtime.observed).toStdString()},
                             {"observed_at", textOrNull(domain::toWireTime(runtime.observedAt))},
                             {"unreachable", runtime.unreachable},
                             {"image", runtime.image.toStdString()}};
    }
    return record;
}

Async<Reply> sandboxList(Call call, QString agent)
{
    const GetSnapshot question;
    const Result<Snapshot> snapshot = co_await ask(call->server, question);
    if (!snapshot)
        co_return domain::failure(snapshot.error());
    bool known = agent.isEmpty();
    for (const AgentView &candidate : snapshot->agents)
        known = known || candidate.id.toString() == agent;
    if (!known)
        co_return domain::failure(ErrorKind::NotFound,
                                  QStringLiteral("There is no agent \"%1\"").arg(agent));
    QList<const SandboxView *> rows;
    for (const SandboxView &sandbox : snapshot->sandboxes) {
        if ((agent.isEmpty() || sandbox.agent.toString() == agent)
            && sandbox.status != QLatin1String("deleted"))
            rows.append(&sandbox);
    }
    std::sort(rows.begin(), rows.end(), [](const SandboxView *left, const SandboxView *right) {
        return std::pair(left->agent.toString(), left->alias)
            < std::pair(right->agent.toString(), right->alias);
    });
    json list = json::array();
    for (const SandboxView *sandbox : std::as_const(rows))
        list.push_back(sandboxRecord(*sandbox, snapshot->runtimes));
    co_return jsonReply(QByteArray::fromStdString(list.dump()));
}

Async<Reply> agentSandboxes(Call call)
{
    const QString agent = call->parameter("agent_id");
    return sandboxList(std::move(call), agent);
}

Async<Reply> allSandboxes(Call call)
{
    return sandboxList(std::move(call), QString());
}

Async<Reply> agents(Call call)
{
    const GetSnapshot question;
    const Result<Snapshot> snapshot = co_await ask(call->server, question);
    if (!snapshot)
        co_return domain::failure(snapshot.error());
    const QByteArray text = toJson(*snapshot);
    json all = json::parse(text.cbegin(), text.cend(), nullptr, false);
    const json part{{"agents", all["agents"]}};
    co_return jsonReply(QByteArray::fromStdString(part.dump()));
}

} // namespace

QList<Route> sandboxRoutes()
{
    return {
        route("GET", "/api/agents", "listAgents", "List the agents", Scope::Read, &agents,
              "AgentList"),
        route("GET", "/api/agents/{agent_id}/sandboxes", "listAgentSandboxes",
              "The sandboxes of an agent, by alias", Scope::Read, &agentSandboxes, "SandboxList"),
        route("GET", "/api/sandboxes", "listSandboxes", "The sandboxes of all agents", Scope::Read,
              &allSandboxes, "SandboxList"),
    };
}

} // namespace berth::api
