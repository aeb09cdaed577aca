// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/pipeline/user_hooks.h"

#include "application/policy/hook_runner.h"
#include "domain/text.h"

namespace berth::application {

using domain::Async;
using domain::failure;
using domain::Result;

namespace {

class UserHooks final : public CallHooks
{
public:
    explicit UserHooks(const QString &path) : m_runner(path) {}

    Async<QString> before(Flight flight, std::stop_token stop) override
    {
        const HookEvent event = eventOf(*flight, HookMoment::BeforeTool);
        const Result<HookVerdict> verdict = co_await m_runner.run(event, stop);
        if (!verdict)
            co_return failure(verdict.error());
        if (verdict->allowed)
            co_return QString();
        co_return verdict->reason.isEmpty() ? QStringLiteral("no reason given") : verdict->reason;
    }

    Async<void> after(Flight flight, std::stop_token stop) override
    {
        const HookEvent event = eventOf(*flight, HookMoment::AfterTool);
        const Result<HookVerdict> verdict = co_await m_runner.run(event, stop);
        if (!verdict)
            co_return failure(verdict.error());
        if (!verdict->reason.isEmpty())
            co_return failure(domain::ErrorKind::Internal, verdict->reason);
        co_return Result<void>();
    }

private:
    static HookEvent eventOf(const CallInFlight &flight, HookMoment moment)
    {
        HookEvent event;
        event.moment = moment;
        event.toolCall = flight.call.id;
        event.thread = flight.call.thread;
        event.agent = flight.run->agent;
        event.tool = flight.call.tool;
        event.arguments = flight.call.arguments;
        if (flight.tool)
            event.command = flight.tool->titleOf(flight.arguments);
        event.cwd =
            flight.call.cwd.isEmpty() ? flight.judgedCwd : domain::displayName(flight.call.cwd);
        event.origin = flight.call.origin == domain::ToolCallOrigin::User ? QStringLiteral("user")
                                                                          : QStringLiteral("model");
        event.isError = flight.call.isError;
        if (moment == HookMoment::AfterTool && flight.call.outcome) {
            event.outcome = domain::wireName(flight.call.outcome->kind);
            event.exitCode = domain::exitCodeOf(*flight.call.outcome);
        }
        return event;
    }

    HookRunner m_runner;
};

} // namespace

std::shared_ptr<CallHooks> userHooks(const QString &path)
{
    return std::make_shared<UserHooks>(path);
}

} // namespace berth::application
