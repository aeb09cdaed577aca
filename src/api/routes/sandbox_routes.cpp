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

Async<QList<RuntimeView>> runtimesOf(Call call)
{
    const ListRuntimes question;
    const Result<RuntimeList> list = co_await ask(call, question);
    if (!list)
        co_return domain::failure(list.error());
    const QList<RuntimeView> runtimes = list->runtimes;
    co_return runtimes;
}

//! The row as it is now, with the status of the route's first answer.
Async<Reply> recordReply(Call call, SandboxView row)
{
    const Result<QList<RuntimeView>> runtimes = co_await runtimesOf(call);
    const QList<RuntimeView> overlay = runtimes ? *runtimes : QList<RuntimeView>();
    co_return jsonReply(QByteArray::fromStdString(sandboxRecord(row, overlay).dump()),
                        call->route->statuses.constFirst());
}

Async<Reply> sandboxList(Call call)
{
    const ListSandboxes question{domain::AgentId(call->parameter("agent_id")),
                                 call->query("include") == QLatin1String("deleted")};
    Result<SandboxList> list = co_await ask(call, question);
    if (!list)
        co_return domain::failure(list.error());
    const Result<QList<RuntimeView>> runtimes = co_await runtimesOf(call);
    if (!runtimes)
        co_return domain::failure(runtimes.error());
    QList<SandboxView> &rows = list->sandboxes;
    std::sort(rows.begin(), rows.end(), [](const SandboxView &left, const SandboxView &right) {
        return std::pair(left.agent.toString(), left.alias)
            < std::pair(right.agent.toString(), right.alias);
    });
    json records = json::array();
    for (const SandboxView &sandbox : std::as_const(rows))
        records.push_back(sandboxRecord(sandbox, *runtimes));
    co_return jsonReply(QByteArray::fromStdString(records.dump()));
}

Async<Reply> addSandbox(Call call)
{
    json arguments =
        json::parse(call->request.body.cbegin(), call->request.body.cend(), nullptr, false);
    // The Engine takes it as text.
    if (arguments.contains("config"))
        arguments["config"] = arguments["config"].dump();
    Result<AddSandbox> command = fromJson<AddSandbox>(QByteArray::fromStdString(arguments.dump()));
    if (!command)
        co_return domain::failure(ErrorKind::InvalidInput, command.error().message);
    if (command->alias.isEmpty())
        command->alias = QStringLiteral("default");
    const AddSandbox asked = *command;
    const domain::RequestId id = call->requestId();
    const Result<SandboxView> row = co_await ask(call, asked, id);
    if (!row)
        co_return domain::failure(row.error());
    const Result<Reply> reply = co_await recordReply(call, *row);
    co_return reply;
}

//! The row of the agent that the path names by its alias or id.
Async<SandboxView> namedRow(Call call, bool deleted)
{
    // A repeated request finds the row as the first one left it; the Engine then answers as before.
    const bool maybeDone = !call->request.idempotencyKey.isEmpty();
    const ListSandboxes question{domain::AgentId(call->parameter("agent_id")),
                                 deleted || maybeDone};
    const Result<SandboxList> list = co_await ask(call, question);
    if (!list)
        co_return domain::failure(list.error());
    const QString named = call->parameter("alias");
    QList<SandboxView> fitting;
    QList<SandboxView> done;
    for (const SandboxView &row : list->sandboxes) {
        if (row.alias == named || row.id.toString() == named)
            ((row.status == QLatin1String("deleted")) == deleted ? fitting : done).append(row);
    }
    if (fitting.isEmpty() && maybeDone)
        fitting = done.mid(0, 1);
    if (fitting.isEmpty())
        co_return domain::failure(ErrorKind::NotFound,
                                  (deleted
                                       ? QStringLiteral("The agent has no deleted sandbox \"%1\"")
                                       : QStringLiteral("The agent has no sandbox \"%1\""))
                                      .arg(named));
    if (fitting.size() > 1)
        co_return domain::failure(
            ErrorKind::Conflict,
            QStringLiteral("%1 deleted sandboxes had the alias \"%2\"")
                .arg(fitting.size())
                .arg(named),
            QStringLiteral("Say which one by its id; ?include=deleted lists them."));
    const SandboxView row = fitting.constFirst();
    co_return row;
}

//! What goes on at a provider although its row is deleted.
json leftRunning(const SandboxView &row, const QList<RuntimeView> &runtimes)
{
    json left = json::array();
    for (const RuntimeView &runtime : runtimes) {
        if (row.lease.isNull() || runtime.lease != row.lease
            || runtime.observed == domain::ObservedState::Gone)
            continue;
        left.push_back({{"id", runtime.id.toStdString()},
                        {"lease_id", runtime.lease.toString().toStdString()},
                        {"provider", runtime.providerConfig.toString().toStdString()},
                        {"external_id", textOrNull(runtime.externalId)},
                        {"status", domain::wireName(runtime.observed).toStdString()},
                        {"unreachable", runtime.unreachable}});
    }
    return left;
}

Async<Reply> removeSandbox(Call call)
{
    const Result<SandboxView> row = co_await namedRow(call, false);
    if (!row)
        co_return domain::failure(row.error());
    const QString destroy = call->query("destroy");
    const bool also = call->request.query.contains(QStringLiteral("destroy"))
        && destroy != QLatin1String("false") && destroy != QLatin1String("0");
    const RemoveSandbox command{row->id, also};
    const domain::RequestId id = call->requestId();
    const Result<SandboxList> removed = co_await ask(call, command, id);
    if (!removed)
        co_return domain::failure(removed.error());
    const Result<QList<RuntimeView>> runtimes = co_await runtimesOf(call);
    if (!runtimes)
        co_return domain::failure(runtimes.error());
    const SandboxView now = removed->sandboxes.value(0, *row);
    const json body{{"ok", true},
                    {"sandbox", sandboxRecord(now, *runtimes)},
                    {"left_running", leftRunning(now, *runtimes)}};
    co_return jsonReply(QByteArray::fromStdString(body.dump()));
}

template <typename Command>
Async<Reply> onDeletedRow(Call call)
{
    const Result<SandboxView> row = co_await namedRow(call, true);
    if (!row)
        co_return domain::failure(row.error());
    const Command command{row->id};
    const domain::RequestId id = call->requestId();
    const Result<SandboxView> changed = co_await ask(call, command, id);
    if (!changed)
        co_return domain::failure(changed.error());
    const Result<Reply> reply = co_await recordReply(call, *changed);
    co_return reply;
}

} // namespace

QList<Route> sandboxRoutes()
{
    const Field include{"include", FieldType::Text, false, "Deleted rows, too", 0, 0, "deleted"};
    const char *path = "/api/agents/{agent_id}/sandboxes";
    return {
        withQuery(route("GET", path, "listAgentSandboxes", "The sandboxes of an agent, by alias",
                        Scope::Read, &sandboxList, "SandboxList"),
                  {include}),
        answering(withBody(route("POST", path, "addSandbox",
                                 "Add a sandbox: a row; nothing is made before it is needed",
                                 Scope::Run, &addSandbox, "Sandbox"),
                           {{"type", FieldType::Text, false, "\"docker\""},
                            {"preset", FieldType::Text, false, "Instead of a type"},
                            {"provider_config", FieldType::Text, false, "Left out: the type's own"},
                            {"alias", FieldType::Text, false, "Left out: default"},
                            {"config", FieldType::Object, false, "As the type's schema says"}}),
                  {201}),
        withQuery(route("DELETE", "/api/agents/{agent_id}/sandboxes/{alias}", "removeSandbox",
                        "Take the row away; tells what is left running at the provider", Scope::Run,
                        &removeSandbox, "RemovedSandbox"),
                  {{"destroy", FieldType::Boolean, false, "Destroy its runtime, too"}}),
        withBody(route("POST", "/api/agents/{agent_id}/sandboxes/{alias}/restore", "restoreSandbox",
                       "Bring a deleted row back, by alias or id", Scope::Run,
                       &onDeletedRow<RestoreSandbox>, "Sandbox"),
                 {}, BodyKind::OptionalJson),
        withBody(route("POST", "/api/agents/{agent_id}/sandboxes/{alias}/purge", "purgeSandbox",
                       "Destroy what a deleted row left, for good", Scope::Run,
                       &onDeletedRow<PurgeSandbox>, "Sandbox"),
                 {}, BodyKind::OptionalJson),
        withQuery(route("GET", "/api/sandboxes", "listSandboxes", "The sandboxes of all agents",
                        Scope::Read, &sandboxList, "SandboxList"),
                  {include}),
    };
}

} // namespace berth::api
