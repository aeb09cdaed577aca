// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/pipeline/tool_pipeline.h"

#include "domain/text.h"

namespace berth::application {

using domain::Async;
using domain::Result;

ToolWork CallInFlight::work() const
{
    return {call, arguments, run->sandbox, QStringLiteral("agent"), run->seen};
}

void CallInFlight::answer(domain::OutcomeKind kind, const QString &text)
{
    isAnswered = true;
    call.state = domain::ToolCallState::Done;
    call.result = text;
    call.isError = true;
    if (!call.startedAt.isValid())
        call.startedAt = domain::nowUtc();
    call.endedAt = domain::nowUtc();
    domain::Outcome outcome;
    outcome.kind = kind;
    outcome.detail = text.startsWith(QLatin1String("Error: ")) ? text.mid(7) : text;
    call.outcome = outcome;
}

ToolPipeline::ToolPipeline(PipelinePlaces places, std::shared_ptr<CallHooks> hooks)
{
    m_admission.push_back(validationStage(places));
    m_admission.push_back(policyStage(places));
    m_completion.push_back(policyAgainStage(places));
    m_completion.push_back(hookStage(hooks));
    m_completion.push_back(executionStage(places));
    m_completion.push_back(boundingStage());
    m_completion.push_back(recordingStage(places, hooks));
}

Async<void> ToolPipeline::admit(Flight flight, std::stop_token stop)
{
    for (const std::unique_ptr<CallStage> &stage : m_admission) {
        const Result<void> passed = co_await stage->pass(flight, stop);
        if (!passed)
            co_return domain::failure(passed.error());
    }
    co_return Result<void>();
}

Async<void> ToolPipeline::finish(Flight flight, std::stop_token stop)
{
    for (const std::unique_ptr<CallStage> &stage : m_completion) {
        const Result<void> passed = co_await stage->pass(flight, stop);
        if (!passed)
            co_return domain::failure(passed.error());
    }
    co_return Result<void>();
}

} // namespace berth::application
