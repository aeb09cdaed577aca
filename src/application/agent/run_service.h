// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/agent/agent_run.h"
#include "application/agents/agent_service.h"
#include "application/threads/thread_responder.h"
#include "application/threads/thread_service.h"

#include <map>

namespace berth::application {

//! The runs of all threads, one at a time in each.
class RunService final : public QObject, public ThreadResponder
{
    Q_OBJECT
public:
    //! \a agents: what clients see of them now. \a hooks may be null.
    RunService(AgentPlaces places, ThreadService &threads, ProcessService &processes,
               const AgentService &agents, std::shared_ptr<CallHooks> hooks);
    ~RunService() override;

    //! Goes on with runs that wait for a decision since before this start.
    domain::Async<void> start();
    //! What is asked stays asked; the rest ends as interrupted.
    void stop();
    domain::Async<void> drained();

    [[nodiscard]] ApprovalDesk &desk() { return m_desk; }
    [[nodiscard]] const ApprovalDesk &desk() const { return m_desk; }
    //! Runs that do something now; those that wait for the user do not count.
    [[nodiscard]] int busyCount() const;

    domain::Async<Nothing> stopRun(domain::ThreadId thread);
    domain::Async<Started> continueRun(domain::ThreadId thread);
    domain::Async<Nothing> retryNow(domain::ThreadId thread);
    domain::Async<AuditList> audit(ListAudit request);

    // ThreadResponder
    [[nodiscard]] domain::Result<void> canAnswer(const domain::AgentId &agent) const override;
    void begin(domain::Thread thread, domain::Run run) override;
    [[nodiscard]] std::optional<ReplyGrew> replyUnderWay(
        const domain::ThreadId &thread) const override;
    [[nodiscard]] std::optional<domain::RunId> underWay(
        const domain::ThreadId &thread) const override;
    bool steer(const domain::ThreadId &thread, qint64 seq) override;
    domain::Async<void> supersede(domain::ThreadId thread, qint64 fromSeq) override;
    [[nodiscard]] bool awaitsApproval(const domain::ToolCallId &call) const override;
    domain::Async<QString> admitOwn(OwnLine line) override;
    domain::Async<QString> beforeOwn(domain::ToolCall call, domain::AgentId agent,
                                     std::stop_token stop) override;
    domain::Async<void> afterOwn(domain::ToolCall ended, domain::AgentId agent,
                                 std::stop_token stop) override;

private:
    struct Active
    {
        domain::Run run;
        std::shared_ptr<AgentRun> course;
        bool stopAsked = false;
        async::Completion<bool> ended;
    };

    async::Task<void> drive(domain::Thread thread, std::shared_ptr<Active> active);
    async::Task<void> giveTitle(domain::ThreadId thread, domain::Run run);
    async::Task<void> addUsage(domain::Run run, domain::ModelUsage usage,
                               domain::ModelPrices prices);
    domain::Async<void> place(OwnLine line, domain::PolicyCall *call);
    [[nodiscard]] Flight flightOfOwn(const domain::ToolCall &call,
                                     const domain::AgentId &agent) const;

    AgentPlaces m_places;
    ThreadService &m_threads;
    const AgentService &m_agents;
    std::shared_ptr<CallHooks> m_hooks;
    ToolRegistry m_tools;
    ApprovalDesk m_desk;
    ToolPipeline m_pipeline;
    std::map<QString, std::shared_ptr<Active>> m_active;
    QHash<domain::ThreadId, std::shared_ptr<SeenFiles>> m_seen;
    bool m_leaving = false;
    async::Scope m_scope;
};

} // namespace berth::application
