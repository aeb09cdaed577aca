// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/tool_policy.h"

#include "domain/policy/command_rules.h"
#include "domain/policy/private_paths.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace berth::domain {

namespace {

using Decision = PolicyVerdict::Decision;

QString withSlash(const QString &directory)
{
    return directory.endsWith(u'/') ? directory : directory + u'/';
}

bool isOutside(const PolicyCall &call)
{
    if (call.path.isEmpty())
        return false;
    return call.workspace.isEmpty()
        || (call.path != call.workspace && !call.path.startsWith(withSlash(call.workspace)));
}

//! Only a rule with this very path may allow it.
bool isPrivate(const PolicyCall &call)
{
    return call.kind == ToolKind::Write && !call.path.isEmpty()
        && isRunByOthers(call.path, call.workspace);
}

//! Patterns over paths: "*" (of an allow rule: in the workspace), a path, "directory/*"; relative
//! ones are below the workspace.
bool meansPath(const ApprovalRule &rule, const PolicyCall &call)
{
    const QString pattern = rule.pattern.trimmed();
    const bool exactOnly = rule.decision == wireName(RuleDecision::Allow) && isPrivate(call);
    if (exactOnly && pattern.endsWith(u'*') && pattern != call.path)
        return false;
    if (pattern == QLatin1String("*"))
        return rule.decision != wireName(RuleDecision::Allow) || !isOutside(call);
    if (pattern.isEmpty() || call.path.isEmpty())
        return false;
    const QString full = pattern.startsWith(u'/') ? pattern : withSlash(call.workspace) + pattern;
    if (!full.endsWith(QLatin1String("/*")))
        return call.path == full;
    const QString directory = full.left(full.size() - 2);
    return call.path == directory || call.path.startsWith(directory + u'/');
}

struct RuleFinding
{
    RuleVerdict verdict;
    //! A rule says so, and not only that none allows it.
    bool byRule = false;
};

RuleFinding consultRules(const PolicyCall &call, const QList<ApprovalRule> &rules)
{
    if (call.kind == ToolKind::Exec) {
        const bool objects =
            std::any_of(rules.cbegin(), rules.cend(), [](const ApprovalRule &rule) {
                return rule.decision != wireName(RuleDecision::Allow)
                    && (rule.tool == QLatin1String("shell") || rule.tool == QLatin1String("*"));
            });
        const RuleVerdict verdict = decideLine(call.command, rules, {call.workspace, call.cwd});
        const bool byRule = verdict.decision != RuleDecision::Ask || !verdict.pattern.isEmpty()
            || (!verdict.understood && objects);
        return {verdict, byRule};
    }
    std::optional<RuleVerdict> found;
    for (const ApprovalRule &rule : rules) {
        if (rule.tool != call.tool && rule.tool != QLatin1String("*"))
            continue;
        if (!meansPath(rule, call))
            continue;
        const RuleDecision decision =
            ruleDecisionFromWire(rule.decision).value_or(RuleDecision::Ask);
        if (found && found->decision >= decision)
            continue;
        found = RuleVerdict{decision, QStringLiteral("the rule \"%1\"").arg(rule.pattern),
                            rule.pattern, true};
    }
    if (!found)
        return {};
    if (found->decision == RuleDecision::Deny)
        found->reason += QStringLiteral(" denies it");
    else if (found->decision == RuleDecision::Ask)
        found->reason += QStringLiteral(" asks");
    return {*found, true};
}

bool isListed(const PolicyCall &call, const SecurityPolicy &policy)
{
    return policy.requireApprovalFor.contains(call.tool)
        || policy.requireApprovalFor.contains(wireName(call.kind));
}

PolicyVerdict allowed(const QString &decidedBy)
{
    PolicyVerdict verdict;
    verdict.decision = Decision::Allow;
    verdict.decidedBy = decidedBy;
    return verdict;
}

PolicyVerdict denied(const PolicyCall &call, const QString &reason, const QString &decidedBy)
{
    PolicyVerdict verdict;
    verdict.decision = Decision::Deny;
    verdict.reason = reason;
    verdict.decidedBy = decidedBy;
    verdict.mayRunAnyway = call.origin == ToolCallOrigin::User && call.mayApprove;
    return verdict;
}

//! \a once: no rule could answer it.
PolicyVerdict asked(const PolicyCall &call, const SecurityPolicy &policy, const QString &reason,
                    const QString &once = {})
{
    PolicyVerdict verdict;
    verdict.reason = reason;
    if (!call.interactive && policy.unattended == Unattended::Deny) {
        verdict.decision = Decision::Deny;
        verdict.reason =
            QStringLiteral("It needs an approval and nobody is there to give it: %1").arg(reason);
        verdict.decidedBy = QStringLiteral("denied: unattended");
        return verdict;
    }
    verdict.waits = !call.interactive;
    if (!once.isEmpty()) {
        verdict.whyNotAlways = once;
    } else if (call.kind == ToolKind::Exec) {
        RuleOffer offer = offeredRules(call.command, {call.workspace, call.cwd});
        verdict.patterns = std::move(offer.patterns);
        verdict.whyNotAlways = std::move(offer.whyNot);
    } else if (!call.path.isEmpty()) {
        verdict.patterns.append(call.path);
        const qsizetype slash = call.path.lastIndexOf(u'/');
        if (isPrivate(call))
            return verdict;
        if (slash > 0)
            verdict.patterns.append(call.path.left(slash) + QStringLiteral("/*"));
        if (!isOutside(call))
            verdict.patterns.append(QStringLiteral("*"));
    } else {
        verdict.patterns.append(QStringLiteral("*"));
    }
    return verdict;
}

} // namespace

QString wireName(ToolKind kind)
{
    switch (kind) {
    case ToolKind::Read:
        return QStringLiteral("read");
    case ToolKind::Write:
        return QStringLiteral("write");
    case ToolKind::Exec:
        return QStringLiteral("exec");
    }
    return {};
}

QList<ApprovalRule> rulesFor(const QList<ApprovalRule> &rules, const ThreadId &thread,
                             const AgentId &agent)
{
    QList<ApprovalRule> ours;
    for (const ApprovalRule &rule : rules) {
        const bool holds = rule.scope == QLatin1String("global")
            || (rule.scope == QLatin1String("agent") && rule.owner == agent.toString())
            || (rule.scope == QLatin1String("thread") && rule.owner == thread.toString());
        if (holds)
            ours.append(rule);
    }
    return ours;
}

PolicyVerdict decideCall(const PolicyCall &call, const SecurityPolicy &policy,
                         const QList<ApprovalRule> &rules)
{
    const bool ownLine = call.origin == ToolCallOrigin::User && call.mayApprove;
    const bool anyway = ownLine && call.runAnyway;
    if (policy.autonomy == Autonomy::ReadOnly && call.kind != ToolKind::Read && !anyway) {
        return denied(call,
                      QStringLiteral("The agent is read-only: it may look, not change or run"),
                      QStringLiteral("denied: read-only"));
    }
    const RuleFinding finding = consultRules(call, rules);
    const RuleVerdict &verdict = finding.verdict;
    if (finding.byRule && verdict.decision == RuleDecision::Deny && !anyway) {
        return denied(call, QStringLiteral("Not allowed: %1").arg(verdict.reason),
                      QStringLiteral("denied by rule %1").arg(verdict.pattern));
    }
    if (call.passthrough && !(ownLine && call.passthroughAgreed)) {
        return asked(call, policy,
                     QStringLiteral("it would run on this machine without any isolation"),
                     QStringLiteral("without isolation each call is asked for"));
    }
    if (ownLine)
        return allowed(anyway ? QStringLiteral("run anyway by you")
                              : QStringLiteral("typed by you"));
    if (finding.byRule && verdict.decision == RuleDecision::Ask)
        return asked(call, policy, verdict.reason,
                     verdict.understood ? QStringLiteral("a rule asks for it each time")
                                        : QString());
    if (policy.autonomy == Autonomy::Full)
        return allowed(QStringLiteral("allowed: full autonomy"));
    const bool outside = isOutside(call);
    const bool tellsPrivate = isPrivate(call) && !isListed(call, policy);
    if (!outside && !tellsPrivate && !isListed(call, policy))
        return allowed(QStringLiteral("allowed: no approval required"));
    if (finding.byRule && verdict.decision == RuleDecision::Allow)
        return allowed(QStringLiteral("allowed by rule %1").arg(verdict.pattern));
    if (call.kind == ToolKind::Exec)
        return asked(call, policy, verdict.reason);
    const bool tells = outside && !isListed(call, policy);
    return asked(call, policy,
                 tells              ? QStringLiteral("it is outside the workspace")
                     : tellsPrivate ? QStringLiteral("other programs run or read that file")
                                    : QStringLiteral("%1 needs an approval").arg(call.tool));
}

} // namespace berth::domain
