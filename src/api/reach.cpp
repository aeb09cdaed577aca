// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/reach.h"

#include "domain/agent/default_agent.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace berth::api {

using namespace application;
using domain::AgentId;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using domain::ThreadId;

namespace {

constexpr Reach kGuest{ReachKind::Named, Role::Guest};
constexpr Reach kUser{ReachKind::Named, Role::User};
constexpr Reach kAdmin{ReachKind::Named, Role::Admin};
constexpr Reach kListed{ReachKind::Listed, Role::Guest};
constexpr Reach kAnybody{ReachKind::Anybody, Role::Guest};

const QHash<QString, Reach> &reaches()
{
    static const QHash<QString, Reach> all{
        {QStringLiteral("health"), kAnybody},
        {QStringLiteral("openapi"), kAnybody},
        {QStringLiteral("joinAgent"), kAnybody},
        {QStringLiteral("events"), kListed},
        {QStringLiteral("snapshot"), kListed},
        {QStringLiteral("listAgents"), kListed},
        {QStringLiteral("listThreads"), kListed},
        {QStringLiteral("listRuntimes"), kListed},
        {QStringLiteral("newThread"), kGuest},
        {QStringLiteral("getThread"), kGuest},
        {QStringLiteral("updateThread"), kGuest},
        {QStringLiteral("listMessages"), kGuest},
        {QStringLiteral("sendMessage"), kGuest},
        {QStringLiteral("editMessage"), kGuest},
        {QStringLiteral("stopRun"), kGuest},
        {QStringLiteral("continueRun"), kGuest},
        {QStringLiteral("retryRunNow"), kGuest},
        {QStringLiteral("listRuns"), kGuest},
        {QStringLiteral("listToolCalls"), kGuest},
        {QStringLiteral("getToolCall"), kGuest},
        {QStringLiteral("getOutput"), kGuest},
        {QStringLiteral("stopToolCall"), kGuest},
        {QStringLiteral("openSession"), kGuest},
        {QStringLiteral("heartbeatSession"), kGuest},
        {QStringLiteral("closeSession"), kGuest},
        {QStringLiteral("exec"), kUser},
        {QStringLiteral("listProcesses"), kUser},
        {QStringLiteral("startProcess"), kUser},
        {QStringLiteral("getProcessOutput"), kUser},
        {QStringLiteral("writeProcess"), kUser},
        {QStringLiteral("resizeProcess"), kUser},
        {QStringLiteral("stopProcess"), kUser},
        {QStringLiteral("removeProcess"), kUser},
        {QStringLiteral("listFiles"), kUser},
        {QStringLiteral("statFile"), kUser},
        {QStringLiteral("readFile"), kUser},
        {QStringLiteral("writeFile"), kUser},
        {QStringLiteral("makeFolder"), kUser},
        {QStringLiteral("renameFile"), kUser},
        {QStringLiteral("removeFile"), kUser},
        {QStringLiteral("listSandboxes"), kListed},
        {QStringLiteral("listAgentSandboxes"), kUser},
        {QStringLiteral("getRuntime"), kUser},
        {QStringLiteral("runtimeMetrics"), kUser},
        {QStringLiteral("runtimeEvents"), kUser},
        {QStringLiteral("pauseRuntime"), kUser},
        {QStringLiteral("resumeRuntime"), kUser},
        {QStringLiteral("getAgentLifecycle"), kUser},
        {QStringLiteral("getSandboxLifecycle"), kUser},
        {QStringLiteral("destroyRuntime"), kAdmin},
        {QStringLiteral("addSandbox"), kAdmin},
        {QStringLiteral("removeSandbox"), kAdmin},
        {QStringLiteral("restoreSandbox"), kAdmin},
        {QStringLiteral("purgeSandbox"), kAdmin},
        {QStringLiteral("changeAgent"), kAdmin},
        {QStringLiteral("setAgentLifecycle"), kAdmin},
        {QStringLiteral("setSandboxLifecycle"), kAdmin},
        {QStringLiteral("getSecurity"), kAdmin},
        {QStringLiteral("setSecurity"), kAdmin},
        {QStringLiteral("decideApproval"), kAdmin},
    };
    return all;
}

domain::Error hidden()
{
    return {ErrorKind::NotFound, QStringLiteral("There is no such thing here"), {}, {}, {}};
}

//! Whose something is; a thread where it is one or lies in one.
struct Subject
{
    AgentId agent;
    ThreadId thread;
};

//! What there is, asked for at most once per request and without regard to the viewer.
struct World
{
    QList<ThreadView> threads;
    QList<SandboxView> sandboxes;
    QList<RuntimeView> runtimes;
    QList<ProcessView> processes;
};

Async<World> worldOf(Call call)
{
    Asker asker = askerOf(call);
    asker.viewer.reset();
    World world;
    const ListThreads askThreads{true};
    const Result<ThreadList> archived = co_await ask(asker, askThreads);
    if (!archived)
        co_return failure(archived.error());
    const GetSnapshot askSnapshot;
    const Result<Snapshot> snapshot = co_await ask(asker, askSnapshot);
    if (!snapshot)
        co_return failure(snapshot.error());
    ListSandboxes askSandboxes;
    askSandboxes.deleted = true;
    const Result<SandboxList> sandboxes = co_await ask(asker, askSandboxes);
    if (!sandboxes)
        co_return failure(sandboxes.error());
    world.threads = snapshot->threads + archived->threads;
    world.sandboxes = sandboxes->sandboxes;
    world.runtimes = snapshot->runtimes;
    world.processes = snapshot->processes;
    const World done = world;
    co_return done;
}

std::optional<Subject> threadIn(const World &world, const QString &id)
{
    for (const ThreadView &thread : world.threads) {
        if (thread.id.toString() == id)
            return Subject{thread.agent, thread.id};
    }
    return std::nullopt;
}

std::optional<Subject> sandboxIn(const World &world, const QString &id)
{
    for (const SandboxView &sandbox : world.sandboxes) {
        if (sandbox.id.toString() == id)
            return Subject{sandbox.agent, {}};
    }
    return std::nullopt;
}

std::optional<Subject> leaseIn(const World &world, const QString &id)
{
    for (const RuntimeView &runtime : world.runtimes) {
        if (runtime.id == id)
            return Subject{runtime.agent, {}};
    }
    for (const SandboxView &sandbox : world.sandboxes) {
        if (!sandbox.lease.isNull() && sandbox.lease.toString() == id)
            return Subject{sandbox.agent, {}};
    }
    return std::nullopt;
}

//! Only names that mean one thing: neither a beginning of an id nor an alias.
std::optional<Subject> runtimeIn(const World &world, const QString &id)
{
    std::optional<Subject> found = leaseIn(world, id);
    for (const RuntimeView &runtime : world.runtimes) {
        const bool named = !runtime.externalId.isEmpty()
            && (runtime.externalId == id
                || runtime.providerKind + QLatin1Char(':') + runtime.externalId == id
                || runtime.providerConfig.toString() + QLatin1Char(':') + runtime.externalId == id);
        if (!named)
            continue;
        if (found && found->agent != runtime.agent)
            return std::nullopt;
        found = Subject{runtime.agent, {}};
    }
    return found;
}

std::optional<Subject> targetIn(const World &world, const QString &target)
{
    for (const auto find : {&threadIn, &sandboxIn, &leaseIn}) {
        if (const std::optional<Subject> subject = find(world, target))
            return subject;
    }
    for (const SandboxView &sandbox : world.sandboxes) {
        if (sandbox.agent == domain::defaultAgent() && sandbox.alias == target)
            return Subject{sandbox.agent, {}};
    }
    return std::nullopt;
}

std::optional<Subject> processIn(const World &world, const QString &id)
{
    for (const ProcessView &process : world.processes) {
        if (process.id.toString() != id)
            continue;
        if (const std::optional<Subject> thread = threadIn(world, process.thread.toString()))
            return thread;
        return sandboxIn(world, process.sandbox.toString());
    }
    return std::nullopt;
}

Async<std::optional<Subject>> callSubject(Call call, World world, QString id)
{
    Asker asker = askerOf(call);
    asker.viewer.reset();
    const GetToolCall question{domain::ToolCallId(id)};
    const Result<ToolCallView> view = co_await ask(asker, question);
    if (!view && view.error().kind != ErrorKind::NotFound)
        co_return failure(view.error());
    co_return view ? threadIn(world, view->thread.toString()) : std::nullopt;
}

//! One thing that the request names. Nothing: there is none of this name.
Async<std::optional<Subject>> subjectOf(Call call, World world, QString key, QString value)
{
    if (key == QLatin1String("agent_id"))
        co_return std::optional<Subject>(Subject{AgentId(value), {}});
    if (key == QLatin1String("thread_id"))
        co_return threadIn(world, value);
    if (key == QLatin1String("sandbox_id"))
        co_return sandboxIn(world, value);
    if (key == QLatin1String("process_id"))
        co_return processIn(world, value);
    if (key == QLatin1String("target"))
        co_return targetIn(world, value);
    if (key == QLatin1String("session_id"))
        co_return threadIn(world, call->server->sessions.value(value).toString());
    if (key == QLatin1String("tool_call_id")) {
        const Result<std::optional<Subject>> subject = co_await callSubject(call, world, value);
        co_return subject;
    }
    // Of a runtime's routes.
    co_return runtimeIn(world, value);
}

nlohmann::json argumentsIn(const Call &call)
{
    return nlohmann::json::parse(call->request.body.cbegin(), call->request.body.cend(), nullptr,
                                 false);
}

//! What the arguments ask for beyond the route: a command in the sandbox is exec, and a sandbox
//! from a configuration is a new one that may cost.
Role leastFor(const Call &call, Role ofRoute)
{
    const QString &route = call->route->name;
    const bool speaks = route == QLatin1String("newThread") || route == QLatin1String("sendMessage")
        || route == QLatin1String("editMessage");
    const nlohmann::json arguments = argumentsIn(call);
    if (!speaks || !arguments.is_object())
        return ofRoute;
    if (arguments.contains("config"))
        return std::max(ofRoute, Role::Admin);
    const auto text = arguments.find("text");
    const bool isCommand = text != arguments.end() && text->is_string()
        && QString::fromStdString(text->get<std::string>()).trimmed().startsWith(QLatin1Char('!'));
    const auto said = arguments.find("as_command");
    const bool asCommand = said != arguments.end() && *said != false;
    return isCommand || asCommand ? std::max(ofRoute, Role::User) : ofRoute;
}

QList<QPair<QString, QString>> namesIn(const Call &call)
{
    QList<QPair<QString, QString>> names;
    const nlohmann::json arguments = argumentsIn(call);
    for (const char *key : {"agent_id", "thread_id", "sandbox_id", "process_id", "target",
                            "session_id", "tool_call_id", "id"}) {
        const auto found = arguments.is_object() ? arguments.find(key) : arguments.end();
        if (found != arguments.end() && found->is_string())
            names.append(
                {QString::fromLatin1(key), QString::fromStdString(found->get<std::string>())});
    }
    if (call->route->name == QLatin1String("newThread") && !arguments.contains("agent_id"))
        names.append({QStringLiteral("agent_id"), domain::defaultAgent().toString()});
    return names;
}

} // namespace

Reach reachOf(const QString &routeName)
{
    return reaches().value(routeName);
}

QStringList reachNames()
{
    return reaches().keys();
}

Async<void> mayReach(Call call)
{
    const std::shared_ptr<const Viewer> viewer = call->viewer;
    if (!viewer)
        co_return Result<void>();
    const Reach reach = reachOf(call->route->name);
    if (reach.kind == ReachKind::Listed || reach.kind == ReachKind::Anybody)
        co_return Result<void>();
    if (reach.kind == ReachKind::Owner)
        co_return failure(ErrorKind::Forbidden,
                          QStringLiteral("That is only for a token of the owner, of all agents"));
    const QList<QPair<QString, QString>> names = namesIn(call);
    if (names.isEmpty())
        co_return failure(hidden());
    const Result<World> world = co_await worldOf(call);
    if (!world)
        co_return failure(world.error());
    const Role least = leastFor(call, reach.least);
    for (const auto &[key, value] : names) {
        const Result<std::optional<Subject>> subject = co_await subjectOf(call, *world, key, value);
        if (!subject)
            co_return failure(subject.error());
        if (!*subject || !viewer->sees((*subject)->agent, Role::Guest))
            co_return failure(hidden());
        if (!(*subject)->thread.isNull()
            && !viewer->seesThread((*subject)->agent, (*subject)->thread))
            co_return failure(hidden());
        if (!viewer->sees((*subject)->agent, least))
            co_return failure(ErrorKind::Forbidden,
                              QStringLiteral("One has to be %1 of the agent %2 for that")
                                  .arg(wireName(least), (*subject)->agent.toString()));
    }
    co_return Result<void>();
}

} // namespace berth::api
