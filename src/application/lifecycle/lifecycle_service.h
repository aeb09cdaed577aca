// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/agents/agent_rows.h"
#include "application/lifecycle/session_table.h"
#include "application/sandboxes/sandbox_service.h"
#include "domain/thread/stores.h"

namespace berth::application {

//! When sandboxes start and stop by themselves: the policies, the sessions and the idle times.
//!
//! Idle time counts from the end of the last work, and is never over while anything works: a
//! foreground command always does; a background command where pausing would end it. Where pausing
//! merely freezes processes (Docker), background commands and terminals count by what they do:
//! each input or output begins the idle time anew.
class LifecycleService final : public QObject
{
    Q_OBJECT
public:
    using ThreadLookup = std::function<std::optional<domain::Thread>(const domain::ThreadId &)>;

    LifecycleService(AgentRows &rows, SandboxService &sandboxes, ThreadLookup threads,
                     std::shared_ptr<Clock> clock);
    ~LifecycleService() override;

    void start(QList<domain::Agent> agents);
    void stop();
    domain::Async<void> drained();
    //! A policy is putting something to rest.
    [[nodiscard]] bool isBusy() const { return m_stopping > 0; }

    [[nodiscard]] domain::LifecyclePolicy policyOf(const domain::Sandbox &sandbox) const;
    domain::Result<LifecycleView> get(const GetLifecycle &command) const;
    domain::Async<LifecycleView> set(SetLifecycle command);

    //! With start "session" the sandbox is made ready behind the answer.
    domain::Result<SessionView> open(const domain::ThreadId &thread, const void *client,
                                     const QString &source);
    SessionTable &sessions() { return m_sessions; }

private:
    struct Watch
    {
        //! Since when nothing works in it; nullopt: something does, or it does not run.
        std::optional<std::chrono::milliseconds> restingSince;
        bool worked = false;
        //! The last session or work ended while stop is "session".
        bool endNow = false;
        std::optional<std::chrono::milliseconds> due;
        std::stop_source timer;
    };

    [[nodiscard]] const domain::Agent *agent(const domain::AgentId &id) const;
    [[nodiscard]] int sessionsOn(const domain::SandboxId &sandbox) const;
    void review(const domain::SandboxId &sandbox);
    void arm(const domain::SandboxId &sandbox, Watch &watch,
             std::optional<std::chrono::milliseconds> due);
    void touch(const domain::SandboxId &sandbox);
    void sessionsChanged(const domain::ThreadId &thread, bool ended);
    async::Task<void> stopWhenDue(domain::SandboxId sandbox, std::chrono::milliseconds due,
                                  std::stop_token stop);
    async::Task<void> makeReady(domain::SandboxId sandbox, QString source, std::stop_token stop);

    AgentRows &m_rows;
    SandboxService &m_sandboxes;
    ThreadLookup m_threads;
    std::shared_ptr<Clock> m_clock;
    QList<domain::Agent> m_agents;
    SessionTable m_sessions;
    std::map<QString, Watch> m_watches;
    int m_stopping = 0;
    async::Scope m_scope;
};

} // namespace berth::application
