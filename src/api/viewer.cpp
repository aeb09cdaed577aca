// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/viewer.h"

namespace berth::api {

using namespace application;
using domain::AgentId;
using domain::ThreadId;

namespace {

constexpr qsizetype kMostCalls = 20'000;

template <typename T, typename Hidden>
void dropHidden(QList<T> &list, Hidden hidden)
{
    list.removeIf([&hidden](const T &entry) { return hidden(entry); });
}

} // namespace

std::optional<Role> Viewer::roleFor(const AgentId &agent) const
{
    if (!m_only.isNull() && agent != m_only)
        return std::nullopt;
    return m_table->facts()->roleOf(m_user, agent);
}

bool Viewer::sees(const AgentId &agent, Role least) const
{
    const std::optional<Role> role = roleFor(agent);
    return role && *role >= least;
}

bool Viewer::seesThread(const AgentId &agent, const ThreadId &thread) const
{
    const std::optional<Role> role = roleFor(agent);
    if (!role)
        return false;
    return *role > Role::Guest || m_table->facts()->threadUsers.value(thread) == m_user;
}

void keepVisible(const Viewer &viewer, ThreadList &list)
{
    dropHidden(list.threads, [&viewer](const ThreadView &thread) {
        return !viewer.seesThread(thread.agent, thread.id);
    });
}

void keepVisible(const Viewer &viewer, SandboxList &list)
{
    dropHidden(list.sandboxes, [&viewer](const SandboxView &sandbox) {
        return !viewer.sees(sandbox.agent, Role::User);
    });
}

void keepVisible(const Viewer &viewer, RuntimeList &list)
{
    dropHidden(list.runtimes, [&viewer](const RuntimeView &runtime) {
        return !viewer.sees(runtime.agent, Role::User);
    });
    for (RuntimeView &runtime : list.runtimes)
        dropHidden(runtime.threads, [&viewer, &runtime](const ThreadLink &thread) {
            return !viewer.seesThread(runtime.agent, thread.id);
        });
    // Names of provider configs.
    list.unreachable.clear();
}

void keepVisible(const Viewer &viewer, Snapshot &snapshot)
{
    QHash<domain::SandboxId, AgentId> agents;
    for (const SandboxView &sandbox : std::as_const(snapshot.sandboxes))
        agents.insert(sandbox.id, sandbox.agent);
    QHash<ThreadId, AgentId> threads;
    for (const ThreadView &thread : std::as_const(snapshot.threads))
        threads.insert(thread.id, thread.agent);
    dropHidden(snapshot.processes, [&](const ProcessView &process) {
        if (!process.thread.isNull() && threads.contains(process.thread))
            return !viewer.seesThread(threads.value(process.thread), process.thread)
                || !viewer.sees(threads.value(process.thread), Role::User);
        return !viewer.sees(agents.value(process.sandbox), Role::User);
    });
    dropHidden(snapshot.agents,
               [&viewer](const AgentView &agent) { return !viewer.sees(agent.id, Role::Guest); });
    dropHidden(snapshot.approvals, [&viewer](const ApprovalView &approval) {
        return !viewer.seesThread(approval.agent, approval.thread);
    });
    ThreadList threadList{snapshot.threads};
    keepVisible(viewer, threadList);
    snapshot.threads = threadList.threads;
    SandboxList sandboxList{snapshot.sandboxes};
    keepVisible(viewer, sandboxList);
    snapshot.sandboxes = sandboxList.sandboxes;
    RuntimeList runtimeList{snapshot.runtimes, {}};
    keepVisible(viewer, runtimeList);
    snapshot.runtimes = runtimeList.runtimes;
    // Settings and places of this machine are its owner's.
    snapshot.providers.clear();
    EngineView engine;
    engine.version = snapshot.engine.version;
    engine.hasModel = snapshot.engine.hasModel;
    snapshot.engine = engine;
}

void EventOwners::learn(const Snapshot &snapshot)
{
    for (const ThreadView &thread : snapshot.threads)
        m_threads.insert(thread.id, thread.agent);
    for (const SandboxView &sandbox : snapshot.sandboxes)
        m_sandboxes.insert(sandbox.id, sandbox.agent);
    for (const RuntimeView &runtime : snapshot.runtimes)
        m_runtimes.insert(runtime.id, runtime.agent);
    for (const ProcessView &process : snapshot.processes)
        ownerOf(ProcessChanged{process});
}

EventOwner EventOwners::ofThread(const ThreadId &thread) const
{
    const AgentId agent = m_threads.value(thread);
    return agent.isNull() ? EventOwner{} : EventOwner{agent, thread};
}

EventOwner EventOwners::ownerOf(const EventBody &body)
{
    struct Reader
    {
        EventOwners &known;

        EventOwner operator()(const ThreadChanged &event) const
        {
            known.m_threads.insert(event.thread.id, event.thread.agent);
            return {event.thread.agent, event.thread.id};
        }
        EventOwner operator()(const MessageAdded &event) const
        {
            return known.ofThread(event.message.thread);
        }
        EventOwner operator()(const RunChanged &event) const
        {
            return known.ofThread(event.run.thread);
        }
        EventOwner operator()(const ToolCallChanged &event) const
        {
            // Of very many all are forgotten: then what is theirs is shown to the owner only.
            if (known.m_calls.size() >= kMostCalls)
                known.m_calls.clear();
            known.m_calls.insert(event.toolCall.id, event.toolCall.thread);
            return known.ofThread(event.toolCall.thread);
        }
        EventOwner operator()(const OutputGrew &event) const
        {
            return known.ofThread(known.m_calls.value(event.toolCall));
        }
        EventOwner operator()(const ReplyGrew &event) const { return known.ofThread(event.thread); }
        EventOwner operator()(const RunNotice &event) const { return known.ofThread(event.thread); }
        EventOwner operator()(const ApprovalAsked &event) const
        {
            return {event.approval.agent, event.approval.thread};
        }
        EventOwner operator()(const ApprovalClosed &event) const
        {
            return known.ofThread(event.thread);
        }
        EventOwner operator()(const RuntimeChanged &event) const
        {
            known.m_runtimes.insert(event.runtime.id, event.runtime.agent);
            return {event.runtime.agent, {}};
        }
        EventOwner operator()(const RuntimeRemoved &event) const
        {
            return {known.m_runtimes.value(event.runtime), {}};
        }
        EventOwner operator()(const RuntimeSampled &event) const
        {
            return {known.m_runtimes.value(event.runtime), {}};
        }
        EventOwner operator()(const SandboxChanged &event) const
        {
            known.m_sandboxes.insert(event.sandbox.id, event.sandbox.agent);
            return {event.sandbox.agent, {}};
        }
        EventOwner operator()(const ProcessChanged &event) const
        {
            EventOwner owner = known.ofThread(event.process.thread);
            if (owner.agent.isNull())
                owner = {known.m_sandboxes.value(event.process.sandbox), {}};
            known.m_processes.insert(event.process.id, owner);
            return owner;
        }
        EventOwner operator()(const ProcessRemoved &event) const
        {
            return known.m_processes.take(event.process);
        }
        EventOwner operator()(const ProcessOutputGrew &event) const
        {
            return known.m_processes.value(event.process);
        }
        // Of the machine, or of all agents at once.
        EventOwner operator()(const ProviderChanged &) const { return {}; }
        EventOwner operator()(const HealthStepDone &) const { return {}; }
        EventOwner operator()(const EngineChanged &) const { return {}; }
        EventOwner operator()(const EngineEnding &) const { return {}; }
        EventOwner operator()(const RaiseRequested &) const { return {}; }
        EventOwner operator()(const ModelsChanged &) const { return {}; }
        EventOwner operator()(const AgentsChanged &) const { return {}; }
        EventOwner operator()(const ApiChanged &) const { return {}; }
    };
    return std::visit(Reader{*this}, body);
}

bool isVisible(const Viewer &viewer, const EventOwner &owner)
{
    if (owner.agent.isNull())
        return false;
    return owner.thread.isNull() ? viewer.sees(owner.agent, Role::User)
                                 : viewer.seesThread(owner.agent, owner.thread);
}

} // namespace berth::api
