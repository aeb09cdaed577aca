// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/agent_policy.h"
#include "application/agent/pipeline/tool_pipeline.h"
#include "application/threads/call_arguments.h"
#include "domain/text.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::OutcomeKind;
using domain::PolicyVerdict;
using domain::Result;
using domain::ToolKind;

namespace {

//! Decides by the agent's policy and the user's rules, and asks where they say so.
class PolicyStage final : public CallStage
{
public:
    PolicyStage(PipelinePlaces places, bool again) : m_places(places), m_again(again) {}

    Async<void> pass(Flight flight, std::stop_token stop) override
    {
        if (flight->isAnswered || (m_again && stop.stop_requested()))
            co_return Result<void>();
        Result<domain::SecurityPolicy> policy =
            co_await storedPolicy(m_places.store, flight->run->agent);
        if (policy && flight->run->unattended)
            policy->unattended = domain::Unattended::Deny;
        if (!policy) {
            deny(*flight, policy.error().message, QStringLiteral("denied: broken policy"));
            co_return Result<void>();
        }
        domain::PolicyCall asked = subjectOf(*flight);
        PolicyVerdict verdict = decide(*flight, asked, *policy);
        // What is denied anyway needs no sandbox; else rules want to know the directories.
        if (!verdict.isDenied()) {
            const Result<void> placed = co_await place(flight, &asked, stop);
            if (!placed) {
                flight->answer(placed.error().kind == ErrorKind::Cancelled
                                   ? OutcomeKind::Cancelled
                                   : OutcomeKind::NotStarted,
                               errorText(placed.error()));
                co_return Result<void>();
            }
            // Only now: without its directories more would ask than does.
            asked.interactive = !flight->run->unattended;
            verdict = decide(*flight, asked, *policy);
        }
        const bool isAsJudged = m_again && flight->judgedCwd == asked.cwd;
        flight->judgedCwd = asked.cwd;
        if (verdict.isDenied()) {
            deny(*flight, verdict.reason, verdict.decidedBy);
            co_return Result<void>();
        }
        if (isAsJudged && flight->allowedByUser)
            co_return Result<void>();
        if (verdict.isAllowed()) {
            flight->call.decision = verdict.decidedBy;
            co_return Result<void>();
        }
        const Result<void> answered = co_await ask(flight, verdict, asked, stop);
        co_return answered;
    }

private:
    static domain::PolicyCall subjectOf(const CallInFlight &flight)
    {
        domain::PolicyCall call;
        call.tool = flight.call.tool;
        call.kind = flight.tool->spec().kind;
        if (call.kind == ToolKind::Exec)
            call.command = flight.arguments.text("command");
        else
            call.path = QString::fromUtf8(absolutePath({}, flight.arguments.text("path")));
        call.origin = flight.call.origin;
        call.passthrough = flight.run->passthrough;
        return call;
    }

    PolicyVerdict decide(const CallInFlight &flight, const domain::PolicyCall &call,
                         const domain::SecurityPolicy &policy) const
    {
        return domain::decideCall(
            call, policy,
            domain::rulesFor(m_places.desk.rules(), flight.run->thread.id, flight.run->agent));
    }

    //! Fills in where the call acts.
    Async<void> place(Flight flight, domain::PolicyCall *call, std::stop_token stop)
    {
        const Result<OpenSandbox> open = co_await openSandbox(
            m_places.sandboxes, flight->run->sandbox, QStringLiteral("agent"), stop);
        if (!open)
            co_return failure(open.error());
        const QByteArray home = open->connection->homeDirectory();
        call->workspace = QString::fromUtf8(home);
        QByteArray cwd = home;
        const Result<std::optional<domain::Terminal>> terminal =
            co_await m_places.leases.terminal(flight->call.thread);
        if (!terminal)
            co_return failure(terminal.error());
        if (*terminal && !(*terminal)->cwd.isEmpty())
            cwd = (*terminal)->cwd;
        if (call->kind == ToolKind::Exec && flight->arguments.has(QStringLiteral("cwd"))
            && !flight->arguments.text("cwd").isEmpty())
            cwd = open->path(flight->arguments.text("cwd"));
        call->cwd = QString::fromUtf8(cwd);
        if (call->kind != ToolKind::Exec)
            call->path = QString::fromUtf8(open->path(flight->arguments.text("path")));
        co_return Result<void>();
    }

    static void deny(CallInFlight &flight, const QString &reason, const QString &by)
    {
        flight.call.decision = by;
        flight.answer(OutcomeKind::NotStarted, QStringLiteral("Error: denied. ") + reason);
    }

    Async<void> ask(Flight flight, PolicyVerdict verdict, domain::PolicyCall subject,
                    std::stop_token stop)
    {
        ApprovalView view;
        view.toolCall = flight->call.id;
        view.run = flight->call.run;
        view.thread = flight->call.thread;
        view.agent = flight->run->agent;
        view.threadTitle = flight->run->thread.title;
        view.tool = flight->call.tool;
        view.command = flight->tool->titleOf(flight->arguments);
        view.reason = verdict.reason;
        view.patterns = verdict.patterns;
        view.whyNotAlways = verdict.whyNotAlways;
        view.sandboxLabel = flight->run->sandboxLabel;
        view.createdAt = domain::nowUtc();
        view.cwd = subject.cwd;
        view.diff = flight->call.diff;
        if (!flight->wasAsked) {
            if (flight->tool->spec().kind == ToolKind::Write) {
                const Result<ToolPreview> preview =
                    co_await flight->tool->preview(flight->work(), stop);
                if (preview)
                    view.diff = preview->diff;
            }
            // Kept with the call, so that the card is the same after a restart.
            flight->call.diff = view.diff;
            const Result<void> stored = co_await m_places.store.updateToolCall(flight->call);
            if (!stored)
                co_return failure(stored.error());
        }
        ToolCallView shown = m_places.executions.viewOf(flight->call);
        shown.awaitsApproval = true;
        m_places.bus.publish(ToolCallChanged{shown});
        const Result<domain::Approval> answer =
            co_await m_places.desk.ask(view, flight->wasAsked, stop);
        if (!answer)
            co_return failure(answer.error());
        flight->wasAsked = false;
        if (answer->decision == QLatin1String("allow")) {
            flight->allowedByUser = true;
            flight->call.decision = QStringLiteral("allowed by %1").arg(answer->decidedBy);
            co_return Result<void>();
        }
        flight->call.diff.clear();
        flight->call.decision = QStringLiteral("denied by %1").arg(answer->decidedBy);
        flight->answer(OutcomeKind::NotStarted,
                       answer->note.isEmpty()
                           ? QStringLiteral("Error: denied by the user")
                           : QStringLiteral("Error: denied by the user: ") + answer->note);
        co_return Result<void>();
    }

    PipelinePlaces m_places;
    bool m_again;
};

} // namespace

std::unique_ptr<CallStage> policyStage(PipelinePlaces places)
{
    return std::make_unique<PolicyStage>(places, false);
}

std::unique_ptr<CallStage> policyAgainStage(PipelinePlaces places)
{
    return std::make_unique<PolicyStage>(places, true);
}

} // namespace berth::application
