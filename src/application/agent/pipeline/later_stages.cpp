// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/pipeline/tool_pipeline.h"

#include "domain/log.h"
#include "domain/secret.h"

namespace berth::application {

using domain::Async;
using domain::OutcomeKind;
using domain::Result;

namespace {

class HookStage final : public CallStage
{
public:
    explicit HookStage(std::shared_ptr<CallHooks> hooks) : m_hooks(std::move(hooks)) {}

    Async<void> pass(Flight flight, std::stop_token stop) override
    {
        if (flight->isAnswered || !m_hooks)
            co_return Result<void>();
        const Result<QString> denial = co_await m_hooks->before(flight, stop);
        if (stop.stop_requested()) {
            flight->answer(OutcomeKind::Cancelled, flight->run->stopText());
            co_return Result<void>();
        }
        const QString why = denial ? *denial : denial.error().message;
        if (!why.isEmpty()) {
            flight->call.decision = QStringLiteral("denied by hook");
            flight->answer(OutcomeKind::NotStarted,
                           QStringLiteral("Error: denied by a hook of the user: ") + why);
        }
        co_return Result<void>();
    }

private:
    std::shared_ptr<CallHooks> m_hooks;
};

class ExecutionStage final : public CallStage
{
public:
    explicit ExecutionStage(PipelinePlaces places) : m_places(places) {}

    Async<void> pass(Flight flight, std::stop_token stop) override
    {
        if (flight->isAnswered)
            co_return Result<void>();
        if (stop.stop_requested()) {
            flight->answer(OutcomeKind::Cancelled, flight->run->stopText());
            co_return Result<void>();
        }
        const QString decision = flight->call.decision;
        const Result<ToolEnd> ended = co_await flight->tool->run(flight->work(), stop);
        if (!ended)
            co_return domain::failure(ended.error());
        flight->call = *ended;
        flight->call.decision = decision;
        flight->hasRun =
            flight->call.outcome && flight->call.outcome->kind != OutcomeKind::NotStarted;
        if (flight->call.outcome && flight->call.outcome->kind == OutcomeKind::Cancelled) {
            flight->call.isError = true;
            const QString partial = flight->call.result;
            flight->call.result = flight->run->stopText();
            if (!partial.isEmpty())
                flight->call.result += QStringLiteral(". What came until then:\n") + partial;
        }
        co_return Result<void>();
    }

private:
    PipelinePlaces m_places;
};

//! No result is longer than the model's room allows, none is empty, and none has a key in it.
class BoundingStage final : public CallStage
{
public:
    Async<void> pass(Flight flight, std::stop_token) override
    {
        QString &text = flight->call.result;
        if (text.isEmpty())
            text = QStringLiteral("(no output)");
        text = domain::redacted(text);
        const qsizetype most = flight->run->longestResult;
        if (text.size() > most) {
            const qsizetype head = most * 6 / 10;
            const qsizetype tail = most - head;
            text = text.left(head)
                + QStringLiteral("\n[… %1 characters left out …]\n").arg(text.size() - most)
                + text.right(tail);
        }
        co_return Result<void>();
    }
};

class RecordingStage final : public CallStage
{
public:
    RecordingStage(PipelinePlaces places, std::shared_ptr<CallHooks> hooks)
        : m_places(places), m_hooks(std::move(hooks))
    {}

    Async<void> pass(Flight flight, std::stop_token stop) override
    {
        const Result<void> stored = co_await m_places.store.updateToolCall(flight->call);
        if (!stored)
            co_return domain::failure(stored.error());
        m_places.bus.publish(ToolCallChanged{m_places.executions.viewOf(flight->call)});
        if (m_hooks && flight->hasRun) {
            const Result<void> told = co_await m_hooks->after(flight, stop);
            if (!told && told.error().kind != domain::ErrorKind::Cancelled)
                domain::log(domain::LogLevel::Warning, "agent", told.error().message);
        }
        co_return Result<void>();
    }

private:
    PipelinePlaces m_places;
    std::shared_ptr<CallHooks> m_hooks;
};

} // namespace

std::unique_ptr<CallStage> hookStage(std::shared_ptr<CallHooks> hooks)
{
    return std::make_unique<HookStage>(std::move(hooks));
}

std::unique_ptr<CallStage> executionStage(PipelinePlaces places)
{
    return std::make_unique<ExecutionStage>(places);
}

std::unique_ptr<CallStage> boundingStage()
{
    return std::make_unique<BoundingStage>();
}

std::unique_ptr<CallStage> recordingStage(PipelinePlaces places, std::shared_ptr<CallHooks> hooks)
{
    return std::make_unique<RecordingStage>(places, std::move(hooks));
}

} // namespace berth::application
