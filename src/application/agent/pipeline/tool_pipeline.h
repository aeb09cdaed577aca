// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/agent/approval_desk.h"
#include "application/agent/tool.h"
#include "application/threads/execution_service.h"

#include <memory>
#include <vector>

namespace berth::application {

//! What all calls of a run have in common.
struct RunSetting
{
    domain::Thread thread;
    domain::AgentId agent;
    QString agentName;
    domain::SandboxId sandbox;
    QString sandboxLabel;
    //! The sandbox is no isolation at all.
    bool passthrough = false;
    //! Nobody is there: what would ask is denied.
    bool unattended = false;
    std::shared_ptr<SeenFiles> seen;
    //! Characters of a result, less for a model with little room.
    qsizetype longestResult = 30'000;
    //! The Engine ends; else a stop is the user's.
    std::shared_ptr<const bool> isLeaving;

    [[nodiscard]] QString stopText() const
    {
        return isLeaving && *isLeaving ? QStringLiteral("Error: interrupted, since Berth was ended")
                                       : QStringLiteral("Error: cancelled by the user");
    }
};

//! One call on its way through the stages.
struct CallInFlight
{
    domain::ToolCall call;
    std::shared_ptr<const RunSetting> run;
    Tool *tool = nullptr;
    ToolArguments arguments;
    //! What the model's side found wrong with it; it must not be run.
    QString problem;
    //! The question was asked by an Engine before this one.
    bool wasAsked = false;
    //! The user has allowed it.
    bool allowedByUser = false;
    //! The directory that the policy was asked about.
    QString judgedCwd;
    //! The tool did something.
    bool hasRun = false;
    //! It has its answer: later stages but the last ones let it pass.
    bool isAnswered = false;

    [[nodiscard]] ToolWork work() const;
    //! Ends it without the tool.
    void answer(domain::OutcomeKind kind, const QString &text);
};

using Flight = std::shared_ptr<CallInFlight>;

//! One step between a model's call and its result. Fails only when nothing can be recorded or the
//! Engine ends: then the call stays as it is in the database.
class CallStage
{
public:
    virtual ~CallStage() = default;
    virtual domain::Async<void> pass(Flight flight, std::stop_token stop) = 0;
};

//! What stages need beside the call.
struct PipelinePlaces
{
    const ToolRegistry &tools;
    ApprovalDesk &desk;
    SandboxService &sandboxes;
    ExecutionService &executions;
    domain::BerthStore &store;
    domain::LeaseStore &leases;
    EventBus &bus;
};

//! The user's programs around a tool.
class CallHooks
{
public:
    virtual ~CallHooks() = default;
    //! Empty: it may go on; else why not.
    virtual domain::Async<QString> before(Flight flight, std::stop_token stop) = 0;
    virtual domain::Async<void> after(Flight flight, std::stop_token stop) = 0;
};

std::unique_ptr<CallStage> validationStage(PipelinePlaces places);
std::unique_ptr<CallStage> policyStage(PipelinePlaces places);
//! Once more right before a call is carried out: what was decided when the reply came may have been
//! about another directory, and the policy may have changed.
std::unique_ptr<CallStage> policyAgainStage(PipelinePlaces places);
std::unique_ptr<CallStage> hookStage(std::shared_ptr<CallHooks> hooks);
std::unique_ptr<CallStage> executionStage(PipelinePlaces places);
std::unique_ptr<CallStage> boundingStage();
std::unique_ptr<CallStage> recordingStage(PipelinePlaces places, std::shared_ptr<CallHooks> hooks);

//! The stages in their order. admit() is validation and policy, which may ask the user and so may
//! take long; finish() is the rest, with another look at the policy first.
class ToolPipeline
{
public:
    ToolPipeline(PipelinePlaces places, std::shared_ptr<CallHooks> hooks);

    domain::Async<void> admit(Flight flight, std::stop_token stop);
    domain::Async<void> finish(Flight flight, std::stop_token stop);

private:
    using Stages = std::vector<std::unique_ptr<CallStage>>;
    Stages m_admission;
    Stages m_completion;
};

} // namespace berth::application
