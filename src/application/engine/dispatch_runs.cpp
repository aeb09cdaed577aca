// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What agents do in threads: runs, approvals, rules, the audit.
#include "application/engine/command_table.h"
#include "application/policy/hook_file.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

//! What runs on this machine as the user is said in its window, and nowhere else.
Result<void> windowOnly(const CommandContext &context)
{
    if (context.source == wireName(ClientKind::Window))
        return {};
    return failure(ErrorKind::Forbidden, QStringLiteral("Only Berth's window can do that"),
                   QStringLiteral("See Settings, Security."));
}

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
    return context.services.threads.edit(command, context.caller());
}

Async<ApprovalList> perform(CommandContext context, ListApprovals)
{
    if (!context.services.runs)
        co_return ApprovalList{};
    co_return ApprovalList{context.services.runs->desk().views()};
}

Async<Nothing> perform(CommandContext context, DecideApproval command)
{
    if (const Result<void> may = approverOnly(context); !may)
        co_return failure(may.error());
    if (!context.services.runs)
        co_return failure(noRuns());
    const bool byOwner = ownerOnly(context).has_value();
    const QString who = byOwner ? QStringLiteral("you") : QStringLiteral("a token of the API");
    const Result<Nothing> decided = co_await context.services.runs->desk().decide(command, who);
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
    if (const Result<void> owner = ownerOrGranted(context, "approve"); !owner)
        co_return failure(owner.error());
    if (!context.services.runs)
        co_return failure(noRuns());
    const Result<RuleView> saved = co_await context.services.runs->desk().saveRule(command);
    co_return saved;
}

Async<Nothing> perform(CommandContext context, RemoveRule command)
{
    if (const Result<void> owner = ownerOrGranted(context, "approve"); !owner)
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

//! As in hooks.json, and what is wrong with that.
HookList hookList(const CommandContext &context)
{
    HookList list;
    list.path = hookPath(context.services.engine.settings());
    const Result<QList<Hook>> hooks = readHooks(list.path);
    if (!hooks) {
        list.problem = hooks.error().detail.isEmpty()
            ? hooks.error().message
            : hooks.error().message + QStringLiteral(": ") + hooks.error().detail;
        return list;
    }
    for (const Hook &hook : *hooks)
        list.hooks << HookView{wireName(hook.moment), hook.program, hook.arguments, hook.tools};
    return list;
}

Async<HookList> perform(CommandContext context, ListHooks)
{
    if (const Result<void> window = windowOnly(context); !window)
        co_return failure(window.error());
    co_return hookList(context);
}

Async<HookList> perform(CommandContext context, SaveHooks command)
{
    if (const Result<void> window = windowOnly(context); !window)
        co_return failure(window.error());
    QList<Hook> hooks;
    for (const HookView &view : std::as_const(command.hooks)) {
        const std::optional<HookMoment> moment = hookMomentFromWire(view.moment);
        if (!moment)
            co_return failure(
                ErrorKind::InvalidInput,
                QStringLiteral("A hook is before_tool or after_tool, not \"%1\"").arg(view.moment));
        hooks << Hook{*moment, view.program, view.arguments, view.tools};
    }
    const Result<void> saved = saveHooks(hookPath(context.services.engine.settings()), hooks);
    if (!saved)
        co_return failure(saved.error());
    co_return hookList(context);
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
        commandEntry<ListHooks, DoRuns>(false),     commandEntry<SaveHooks, DoRuns>(true),
    };
}

} // namespace berth::application
