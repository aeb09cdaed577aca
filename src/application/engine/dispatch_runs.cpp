// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What agents do in threads: runs, approvals, rules, the audit.
#include "application/engine/command_table.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

domain::Error noRuns()
{
    return {ErrorKind::Unsupported, QStringLiteral("Agents cannot run here"), {}, {}, {}};
}

Async<Nothing> perform(CommandContext context, StopRun command)
{
    if (!context.services.runs)
        co_return failure(noRuns());
    const Result<Nothing> stopped = co_await context.services.runs->stopRun(command.thread);
    co_return stopped;
}

Async<Started> perform(CommandContext context, ContinueRun command)
{
    if (!context.services.runs)
        co_return failure(noRuns());
    const Result<Started> started = co_await context.services.runs->continueRun(command.thread);
    co_return started;
}

Async<Nothing> perform(CommandContext context, RetryRunNow command)
{
    if (!context.services.runs)
        co_return failure(noRuns());
    const Result<Nothing> done = co_await context.services.runs->retryNow(command.thread);
    co_return done;
}

Async<Started> perform(CommandContext context, EditMessage command)
{
    return context.services.threads.edit(command, context.source);
}

Async<ApprovalList> perform(CommandContext context, ListApprovals)
{
    if (!context.services.runs)
        co_return ApprovalList{};
    co_return ApprovalList{context.services.runs->desk().views()};
}

Async<Nothing> perform(CommandContext context, DecideApproval command)
{
    if (const Result<void> owner = ownerOnly(context); !owner)
        co_return failure(owner.error());
    if (!context.services.runs)
        co_return failure(noRuns());
    const Result<Nothing> decided =
        co_await context.services.runs->desk().decide(command, QStringLiteral("you"));
    co_return decided;
}

Async<RuleList> perform(CommandContext context, ListRules)
{
    if (!context.services.runs)
        co_return failure(noRuns());
    co_return context.services.runs->desk().ruleViews();
}

Async<RuleView> perform(CommandContext context, SaveRule command)
{
    if (const Result<void> owner = ownerOnly(context); !owner)
        co_return failure(owner.error());
    if (!context.services.runs)
        co_return failure(noRuns());
    const Result<RuleView> saved = co_await context.services.runs->desk().saveRule(command);
    co_return saved;
}

Async<Nothing> perform(CommandContext context, RemoveRule command)
{
    if (const Result<void> owner = ownerOnly(context); !owner)
        co_return failure(owner.error());
    if (!context.services.runs)
        co_return failure(noRuns());
    const Result<Nothing> removed = co_await context.services.runs->desk().removeRule(command.id);
    co_return removed;
}

Async<AuditList> perform(CommandContext context, ListAudit command)
{
    if (!context.services.runs)
        co_return failure(noRuns());
    const Result<AuditList> list = co_await context.services.runs->audit(command);
    co_return list;
}

struct DoRuns
{
    template <typename Command>
    auto operator()(const CommandContext &context, const Command &command) const
    {
        return perform(context, command);
    }
};

} // namespace

CommandTable runsCommands()
{
    return CommandTable{
        commandEntry<StopRun, DoRuns>(true),        commandEntry<ContinueRun, DoRuns>(true),
        commandEntry<RetryRunNow, DoRuns>(true),    commandEntry<EditMessage, DoRuns>(true),
        commandEntry<ListApprovals, DoRuns>(false), commandEntry<DecideApproval, DoRuns>(true),
        commandEntry<ListRules, DoRuns>(false),     commandEntry<SaveRule, DoRuns>(true),
        commandEntry<RemoveRule, DoRuns>(true),     commandEntry<ListAudit, DoRuns>(false),
    };
}

} // namespace berth::application
