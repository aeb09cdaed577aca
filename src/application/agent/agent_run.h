// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/agent/pipeline/tool_pipeline.h"
#include "application/agent/reply_reader.h"
#include "application/agent/run_usage.h"
#include "application/agent/stuck_watch.h"
#include "application/models/model_service.h"
#include "application/providers/provider_service.h"
#include "async/scope.h"

namespace berth::application {

//! What runs need of the Engine.
struct AgentPlaces
{
    domain::BerthStore &store;
    domain::ConversationStore &conversations;
    domain::LeaseStore &leases;
    ProviderService &providers;
    SandboxService &sandboxes;
    ExecutionService &executions;
    ModelService &models;
    EventBus &bus;
};

//! Where a run ends by itself and asks; 0: no such limit.
struct RunLimits
{
    int rounds = 50;
    qint64 tokens = 0;
    double cost = 0;
};
//! "limits" of an agent's config: {"rounds", "tokens", "cost"}.
RunLimits limitsOf(const QString &agentConfig);

//! One turn of a thread: asks the model, runs what it calls, and again, until it calls nothing.
//! Everything that must last is in the database before the next step, so that another Engine can go
//! on from there.
class AgentRun final : public QObject
{
    Q_OBJECT
public:
    AgentRun(AgentPlaces places, const ToolRegistry &tools, ToolPipeline &pipeline,
             ApprovalDesk &desk, domain::Thread thread, domain::Agent agent, domain::Run run,
             std::shared_ptr<SeenFiles> seen);
    ~AgentRun() override;

    //! Does all of it; answers the run as stored.
    async::Task<domain::Run> go();

    [[nodiscard]] const domain::Run &run() const { return m_run; }
    //! A message of the user went into this run. False when it is too late for that.
    bool steer(qint64 seq);
    //! By the user: what came stays, open calls end as cancelled.
    void stop();
    //! The Engine ends: questions stay asked, the rest is interrupted.
    void leave();
    void retryNow();
    //! What clients have been told of the reply that is being written, from its beginning.
    [[nodiscard]] std::optional<ReplyGrew> replyUnderWay() const;

private:
    enum class Next { Round, End };

    domain::Async<void> prepare();
    domain::Async<void> load();
    domain::Async<void> finishOpenCalls();
    domain::Async<Next> round();
    domain::Async<domain::ModelRequest> request();
    domain::Async<domain::ModelReply> ask(domain::ModelRequest request);
    domain::Async<Next> take(domain::ModelReply reply, QDateTime begun);
    void noteUsage(const domain::ModelUsage &usage);
    domain::Async<QList<Flight>> store(domain::Message message, QList<domain::ModelCall> asked);
    bool endsBy(const domain::ModelReply &reply, bool hasCalls);
    Next watchStuck(const QList<Flight> &flights);
    domain::Async<void> runCalls(QList<Flight> flights);
    async::Task<void> admit(Flight flight, async::Completion<bool> done);
    async::Task<void> finish(Flight flight, async::Completion<bool> done);
    domain::Async<void> fit(domain::ModelRequest *request);
    domain::Async<void> lookAround();
    [[nodiscard]] bool withinLimits();
    void endAs(domain::RunState state, const QString &kind, const QString &text,
               const QString &detail);
    async::Task<void> noteState(domain::RunState state);
    async::Task<void> noteWaiting();
    void publishRun();
    [[nodiscard]] Flight flightOf(const domain::ToolCall &call) const;

    AgentPlaces m_places;
    const ToolRegistry &m_tools;
    ToolPipeline &m_pipeline;
    ApprovalDesk &m_desk;
    domain::Thread m_thread;
    domain::Agent m_agent;
    domain::Run m_run;
    std::shared_ptr<RunSetting> m_setting;
    RunLimits m_limits;
    std::optional<ReadyModel> m_model;
    RunUsage m_usage;
    RunUsage m_usedHere;
    StuckWatch m_stuck;

    QList<domain::Message> m_messages;
    QHash<domain::ToolCallId, domain::ToolCall> m_calls;
    //! What finishOpenCalls() read is still so.
    bool m_isLoaded = false;
    qint64 m_seenSeq = 0;
    qint64 m_steeredSeq = 0;
    qint64 m_stubUpTo = 0;
    //! Real tokens per estimated one, as the last reply told.
    double m_tokenRatio = 1;
    qint64 m_lastEstimate = 0;
    QString m_workspace;
    QString m_projectNotes;
    //! For the next request alone.
    QString m_hint;
    //! The endpoint said that the conversation is longer than its context.
    bool m_mustShrink = false;
    bool m_hasShrunk = false;
    int m_rounds = 0;
    int m_replies = 0;
    bool m_storageFailed = false;
    bool m_takesMessages = true;

    std::unique_ptr<ReplyReader> m_reader;
    std::stop_source m_stop;
    std::shared_ptr<bool> m_leaving = std::make_shared<bool>(false);
    bool m_ended = false;
    async::Scope m_scope;
};

//! "Run" as clients see it.
RunView runViewOf(const domain::Run &run, bool canContinue);

} // namespace berth::application
