// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RunService about what users run themselves, and about what was decided.
#include "application/agent/agent_policy.h"
#include "application/agent/run_service.h"
#include "application/sandboxes/isolation.h"
#include "application/threads/call_arguments.h"
#include "domain/text.h"

#include <algorithm>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

constexpr int kMostAudit = 500;

//! "allowed", "asked", "denied", "hook_denied", or "not run": it never came to a decision.
QString decisionOf(const domain::AuditRecord &record)
{
    const QString &decided = record.call.decision;
    if (record.approval && record.approval->decision.isEmpty())
        return QStringLiteral("asked");
    if (decided == QLatin1String("denied by hook"))
        return QStringLiteral("hook_denied");
    if ((record.approval && record.approval->decision == QLatin1String("deny"))
        || decided.startsWith(QLatin1String("denied")))
        return QStringLiteral("denied");
    if (record.approval || !decided.isEmpty())
        return QStringLiteral("allowed");
    // Of a user's own line nothing was written down before there were policies.
    return record.call.origin == domain::ToolCallOrigin::User ? QStringLiteral("allowed")
                                                              : QStringLiteral("not run");
}

QString deciderOf(const domain::AuditRecord &record)
{
    if (!record.call.decision.isEmpty() || !record.approval || record.approval->decision.isEmpty())
        return record.call.decision;
    const bool allowed = record.approval->decision == QLatin1String("allow");
    return (allowed ? QStringLiteral("allowed by %1") : QStringLiteral("denied by %1"))
        .arg(record.approval->decidedBy);
}

} // namespace

//! Where it would act. Only what does not count as approved already is judged by that.
Async<void> RunService::place(OwnLine line, domain::PolicyCall *call)
{
    if (!line.thread.isNull()) {
        const Result<std::optional<domain::Terminal>> terminal =
            co_await m_places.leases.terminal(line.thread);
        if (!terminal)
            co_return failure(terminal.error());
        if (*terminal)
            call->cwd = QString::fromUtf8((*terminal)->cwd);
    }
    LeaseController *controller = m_places.sandboxes.controllerOf(line.sandbox.id);
    if (call->mayApprove || !controller)
        co_return Result<void>();
    const Result<ReadySandbox> seen = co_await controller->look(m_scope.token());
    // Of one that does not run the workspace is not known, and rules ask the more.
    if (seen)
        call->workspace = QString::fromUtf8(seen->connection->homeDirectory());
    if (call->cwd.isEmpty())
        call->cwd = call->workspace;
    co_return Result<void>();
}

Async<QString> RunService::admitOwn(OwnLine line)
{
    if (line.runAnyway && !line.caller.mayApprove) {
        co_return failure(ErrorKind::Forbidden,
                          QStringLiteral("Only who may approve can have a command run anyway"));
    }
    const Result<domain::SecurityPolicy> policy = co_await storedPolicy(m_places.store, line.agent);
    if (!policy)
        co_return failure(policy.error());
    domain::PolicyCall call;
    call.tool = QStringLiteral("shell");
    call.kind = domain::ToolKind::Exec;
    call.command = line.command;
    call.origin = domain::ToolCallOrigin::User;
    call.mayApprove = line.caller.mayApprove;
    call.runAnyway = line.runAnyway;
    call.passthrough = isPassthrough(m_places.providers, line.sandbox);
    // The owner switched it on for this machine and chose it for the sandbox.
    call.passthroughAgreed = call.mayApprove;
    const Result<void> placed = co_await place(line, &call);
    if (!placed)
        co_return failure(placed.error());
    QList<domain::ApprovalRule> rules = domain::rulesFor(m_desk.rules(), line.thread, line.agent);
    // What the owner types into a terminal is not known before, and nobody else sees it first.
    if (line.isTerminal && call.mayApprove)
        rules.clear();
    const domain::PolicyVerdict verdict = domain::decideCall(call, *policy, rules);
    if (verdict.isAllowed())
        co_return verdict.decidedBy;
    if (verdict.asks())
        co_return failure(ErrorKind::Forbidden,
                          QStringLiteral("This command needs the approval of the agent's owner"),
                          verdict.reason);
    co_return failure(ErrorKind::Forbidden, QStringLiteral("This command is not allowed"),
                      verdict.reason);
}

Flight RunService::flightOfOwn(const domain::ToolCall &call, const domain::AgentId &agent) const
{
    auto setting = std::make_shared<RunSetting>();
    setting->agent = agent;
    auto flight = std::make_shared<CallInFlight>();
    flight->call = call;
    flight->run = setting;
    flight->tool = m_tools.find(call.tool);
    flight->arguments.set(QStringLiteral("command"), commandOf(call.arguments));
    return flight;
}

Async<QString> RunService::beforeOwn(domain::ToolCall call, domain::AgentId agent,
                                     std::stop_token stop)
{
    if (!m_hooks)
        co_return QString();
    const Flight flight = flightOfOwn(call, agent);
    if (!call.thread.isNull()) {
        const Result<std::optional<domain::Terminal>> terminal =
            co_await m_places.leases.terminal(call.thread);
        if (terminal && *terminal)
            flight->judgedCwd = domain::displayName((*terminal)->cwd);
    }
    const Result<QString> denial = co_await m_hooks->before(flight, stop);
    if (!denial)
        co_return failure(denial.error());
    if (denial->isEmpty())
        co_return QString();
    co_return QStringLiteral("Denied by a hook: %1").arg(*denial);
}

Async<void> RunService::afterOwn(domain::ToolCall ended, domain::AgentId agent,
                                 std::stop_token stop)
{
    if (!m_hooks)
        co_return Result<void>();
    const Flight flight = flightOfOwn(ended, agent);
    const Result<void> told = co_await m_hooks->after(flight, stop);
    co_return told;
}

Async<AuditList> RunService::audit(ListAudit request)
{
    const Result<QList<domain::AuditRecord>> records = co_await m_places.conversations.audit(
        request.before, std::clamp(request.limit, 1, kMostAudit));
    if (!records)
        co_return failure(records.error());
    AuditList list;
    for (const domain::AuditRecord &record : *records) {
        AuditEntry entry;
        const domain::ToolCall &call = record.call;
        entry.at = call.startedAt;
        if (!entry.at.isValid() && record.approval)
            entry.at = record.approval->createdAt;
        entry.thread = call.thread;
        entry.toolCall = call.id;
        entry.origin = call.origin == domain::ToolCallOrigin::User ? QStringLiteral("user")
                                                                   : QStringLiteral("model");
        entry.tool = call.tool;
        entry.command = titleOfCall(call.tool, call.arguments);
        entry.decidedBy = deciderOf(record);
        entry.decision = decisionOf(record);
        if (call.outcome)
            entry.outcome = domain::wireName(call.outcome->kind);
        list.entries << entry;
    }
    co_return list;
}

} // namespace berth::application
