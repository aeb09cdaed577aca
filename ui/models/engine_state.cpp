// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/engine_state.h"

#include <algorithm>

namespace berth::ui {

namespace {

template <typename List, typename Value, typename Same>
void put(List &list, const Value &value, Same same)
{
    const auto at =
        std::find_if(list.begin(), list.end(), [&](const auto &old) { return same(old, value); });
    if (at == list.end())
        list.append(value);
    else
        *at = value;
}

struct Taker
{
    application::Snapshot &into;

    void operator()(const application::ThreadChanged &e) const
    {
        put(into.threads, e.thread, [](const auto &a, const auto &b) { return a.id == b.id; });
    }
    void operator()(const application::RuntimeChanged &e) const
    {
        put(into.runtimes, e.runtime, [](const auto &a, const auto &b) { return a.id == b.id; });
    }
    void operator()(const application::RuntimeRemoved &e) const
    {
        into.runtimes.removeIf([&e](const auto &runtime) { return runtime.id == e.runtime; });
    }
    void operator()(const application::ProviderChanged &e) const
    {
        put(into.providers, e.provider,
            [](const auto &a, const auto &b) { return a.config == b.config; });
    }
    void operator()(const application::SandboxChanged &e) const
    {
        put(into.sandboxes, e.sandbox, [](const auto &a, const auto &b) { return a.id == b.id; });
    }
    void operator()(const application::ProcessChanged &e) const
    {
        put(into.processes, e.process, [](const auto &a, const auto &b) { return a.id == b.id; });
    }
    void operator()(const application::ProcessRemoved &e) const
    {
        into.processes.removeIf([&e](const auto &process) { return process.id == e.process; });
    }
    void operator()(const application::ProcessOutputGrew &e) const
    {
        for (application::ProcessView &process : into.processes) {
            if (process.id == e.process)
                process.outputBytes = e.total;
        }
    }
    void operator()(const application::EngineChanged &e) const { into.engine = e.engine; }
    void operator()(const application::ModelsChanged &e) const
    {
        into.engine.hasModel = e.hasModel;
    }
    void operator()(const application::AgentsChanged &e) const { into.agents = e.agents; }
    void operator()(const application::ApprovalAsked &e) const
    {
        put(into.approvals, e.approval,
            [](const auto &a, const auto &b) { return a.toolCall == b.toolCall; });
    }
    void operator()(const application::ApprovalClosed &e) const
    {
        into.approvals.removeIf([&e](const auto &a) { return a.toolCall == e.toolCall; });
    }
    template <typename Other>
    void operator()(const Other &) const
    {}
};

} // namespace

EngineState::EngineState(application::EngineClient &client, QObject *parent)
    : QObject(parent), m_client(client)
{
    connect(&client, &application::EngineClient::event, this, &EngineState::take);
    connect(&client, &application::EngineClient::connectionChanged, this,
            &EngineState::onConnection);
    m_connected = client.isConnected();
    if (m_connected)
        refresh();
}

const application::ThreadView *EngineState::thread(const domain::ThreadId &id) const
{
    const auto at = std::find_if(m_snapshot.threads.cbegin(), m_snapshot.threads.cend(),
                                 [&id](const auto &thread) { return thread.id == id; });
    return at == m_snapshot.threads.cend() ? nullptr : &*at;
}

const application::ProviderView *EngineState::provider(const domain::ConfigName &config) const
{
    const auto at =
        std::find_if(m_snapshot.providers.cbegin(), m_snapshot.providers.cend(),
                     [&config](const auto &provider) { return provider.config == config; });
    return at == m_snapshot.providers.cend() ? nullptr : &*at;
}

const application::AgentView *EngineState::agent(const domain::AgentId &id) const
{
    const auto at = std::find_if(m_snapshot.agents.cbegin(), m_snapshot.agents.cend(),
                                 [&id](const auto &agent) { return agent.id == id; });
    return at == m_snapshot.agents.cend() ? nullptr : &*at;
}

void EngineState::apply(const application::ThreadView &thread)
{
    Taker{m_snapshot}(application::ThreadChanged{thread});
}

void EngineState::apply(const application::ProcessView &process)
{
    Taker{m_snapshot}(application::ProcessChanged{process});
}

void EngineState::closeApproval(const domain::ToolCallId &call)
{
    Taker{m_snapshot}(application::ApprovalClosed{call, {}});
    Q_EMIT approvalsChanged();
}

void EngineState::refresh()
{
    if (m_asking)
        return;
    m_asking = true;
    application::deliver(this, m_client, application::GetSnapshot{},
                         [this](domain::Result<application::Snapshot> got) {
                             m_asking = false;
                             if (!got)
                                 return; // lost again; the next connection asks again
                             m_snapshot = std::move(*got);
                             m_loaded = true;
                             const QList<application::Event> early = std::exchange(m_early, {});
                             Q_EMIT reset();
                             Q_EMIT approvalsChanged();
                             for (const application::Event &event : early) {
                                 if (event.seq > m_snapshot.seq)
                                     take(event);
                             }
                         });
}

void EngineState::take(const application::Event &event)
{
    if (m_asking || !m_loaded) {
        m_early.append(event);
        return;
    }
    if (event.seq <= m_snapshot.seq)
        return;
    if (event.seq != m_snapshot.seq + 1) {
        // Something was missed; what is to come is kept until the new snapshot is there.
        m_early.append(event);
        refresh();
        return;
    }
    m_snapshot.seq = event.seq;
    std::visit(Taker{m_snapshot}, event.body);
    if (std::holds_alternative<application::ApprovalAsked>(event.body)
        || std::holds_alternative<application::ApprovalClosed>(event.body))
        Q_EMIT approvalsChanged();
    Q_EMIT this->event(event);
}

void EngineState::onConnection(bool connected, const QString &reason)
{
    m_connected = connected;
    m_lostReason = connected ? QString() : reason;
    if (connected) {
        m_early.clear();
        m_asking = false;
        refresh();
    }
    Q_EMIT connectionChanged(connected);
}

} // namespace berth::ui
