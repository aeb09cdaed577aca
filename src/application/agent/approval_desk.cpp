// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/approval_desk.h"

#include "domain/policy/command_rules.h"
#include "domain/text.h"

#include <QtCore/QUuid>

#include <algorithm>

namespace berth::application {

using domain::Approval;
using domain::ApprovalRule;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using domain::ToolCallId;

namespace {

constexpr qsizetype kLongestReason = 4000;

RuleView ruleView(const ApprovalRule &rule)
{
    RuleView view;
    view.id = rule.id;
    view.scope = rule.scope;
    view.owner = rule.owner;
    view.tool = rule.tool;
    view.pattern = rule.pattern;
    view.decision = rule.decision;
    view.createdAt = rule.createdAt;
    if (rule.tool == QLatin1String("shell") || rule.tool == QLatin1String("*")) {
        const domain::PatternExamples shown = domain::examples(rule.pattern);
        view.matches = shown.matches;
        view.asks = shown.asks;
    }
    return view;
}

} // namespace

ApprovalDesk::ApprovalDesk(domain::ConversationStore &store, EventBus &bus)
    : m_store(store), m_bus(bus)
{}

Async<void> ApprovalDesk::start()
{
    const Result<QList<ApprovalRule>> rules = co_await m_store.rules();
    if (!rules)
        co_return failure(rules.error());
    m_rules = *rules;
    co_return Result<void>();
}

QList<ApprovalView> ApprovalDesk::views() const
{
    QList<Pending> pending = m_pending.values();
    std::sort(pending.begin(), pending.end(),
              [](const Pending &a, const Pending &b) { return a.order < b.order; });
    QList<ApprovalView> list;
    for (const Pending &one : std::as_const(pending))
        list << one.view;
    return list;
}

int ApprovalDesk::pendingOf(const domain::RunId &run) const
{
    return static_cast<int>(
        std::count_if(m_pending.cbegin(), m_pending.cend(),
                      [&run](const Pending &one) { return one.view.run == run; }));
}

Async<Approval> ApprovalDesk::ask(ApprovalView view, bool isStored, std::stop_token stop)
{
    if (!isStored) {
        Approval asked;
        asked.toolCall = view.toolCall;
        asked.run = view.run;
        asked.thread = view.thread;
        asked.reason = view.reason;
        asked.createdAt = view.createdAt;
        const Result<void> stored = co_await m_store.addApproval(asked);
        if (!stored)
            co_return failure(stored.error());
    }
    if (stop.stop_requested())
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Stopped"));
    const async::Completion<Approval> answer;
    m_pending.insert(view.toolCall, Pending{view, answer, ++m_asked});
    m_bus.publish(ApprovalAsked{view});
    Q_EMIT changed(view.run);
    // An answer without a decision: nobody waits any more.
    const std::stop_callback onStop(stop, [answer] { answer.complete(Approval{}); });
    const Approval decided = co_await answer;
    if (decided.decision.isEmpty())
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Stopped"));
    co_return decided;
}

void ApprovalDesk::close(const Approval &decided)
{
    const auto found = m_pending.find(decided.toolCall);
    if (found == m_pending.end())
        return;
    const Pending pending = *found;
    m_pending.erase(found);
    m_bus.publish(ApprovalClosed{pending.view.toolCall, pending.view.thread});
    Q_EMIT changed(pending.view.run);
    pending.answer.complete(decided);
}

Async<Nothing> ApprovalDesk::decide(DecideApproval decision, QString who)
{
    const auto found = m_pending.constFind(decision.toolCall);
    if (found == m_pending.cend()) {
        const Result<std::optional<Approval>> known = co_await m_store.approval(decision.toolCall);
        if (!known)
            co_return failure(known.error());
        if (!*known)
            co_return failure(ErrorKind::NotFound, QStringLiteral("This was never asked"));
        co_return failure(ErrorKind::Conflict, QStringLiteral("This was decided already"),
                          (*known)->decidedBy);
    }
    const ApprovalView view = found->view;
    const bool lasts =
        decision.scope == QLatin1String("thread") || decision.scope == QLatin1String("always");
    if (!lasts && decision.scope != QLatin1String("once"))
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("There is no scope \"%1\"").arg(decision.scope));
    QStringList patterns;
    if (decision.allow && lasts) {
        patterns = decision.pattern.isEmpty()
            ? view.patterns
            : decision.pattern.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        const bool areOffered = !patterns.isEmpty()
            && std::all_of(patterns.cbegin(), patterns.cend(),
                           [&view](const QString &one) { return view.patterns.contains(one); });
        if (!areOffered) {
            co_return failure(ErrorKind::InvalidInput,
                              QStringLiteral("This call can only be allowed once"),
                              view.whyNotAlways);
        }
    }
    Approval decided;
    decided.toolCall = view.toolCall;
    decided.run = view.run;
    decided.thread = view.thread;
    decided.reason = view.reason;
    decided.decision = decision.allow ? QStringLiteral("allow") : QStringLiteral("deny");
    decided.scope = decision.allow ? decision.scope : QStringLiteral("once");
    decided.decidedBy = who;
    decided.note = decision.reason.left(kLongestReason);
    decided.createdAt = view.createdAt;
    decided.decidedAt = domain::nowUtc();
    const Result<void> stored = co_await m_store.decideApproval(decided);
    if (!stored)
        co_return failure(stored.error());
    if (!patterns.isEmpty()) {
        const Result<void> kept = co_await addRules(view, decision.scope, patterns);
        // The call itself is allowed all the same.
        close(decided);
        if (!kept)
            co_return failure(kept.error());
    } else {
        close(decided);
    }
    co_return Nothing{};
}

Async<void> ApprovalDesk::addRules(ApprovalView view, QString scope, QStringList patterns)
{
    for (const QString &pattern : std::as_const(patterns)) {
        ApprovalRule rule;
        rule.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
        const bool forThread = scope == QLatin1String("thread");
        rule.scope = forThread ? QStringLiteral("thread") : QStringLiteral("agent");
        rule.owner = forThread ? view.thread.toString() : view.agent.toString();
        rule.tool = view.tool;
        rule.pattern = pattern;
        rule.decision = QStringLiteral("allow");
        rule.createdAt = domain::nowUtc();
        const Result<void> kept = co_await keep(rule);
        if (!kept)
            co_return failure(kept.error());
    }
    co_return Result<void>();
}

Async<void> ApprovalDesk::keep(ApprovalRule rule)
{
    const Result<void> stored = co_await m_store.saveRule(rule);
    if (!stored)
        co_return failure(stored.error());
    m_rules.removeIf([&rule](const ApprovalRule &one) { return one.id == rule.id; });
    m_rules << rule;
    co_return Result<void>();
}

Async<void> ApprovalDesk::closeRun(domain::RunId run)
{
    QList<Pending> open;
    for (const Pending &pending : std::as_const(m_pending)) {
        if (pending.view.run == run)
            open << pending;
    }
    for (const Pending &pending : open) {
        Approval decided;
        decided.toolCall = pending.view.toolCall;
        decided.run = run;
        decided.thread = pending.view.thread;
        decided.decision = QStringLiteral("deny");
        decided.scope = QStringLiteral("once");
        decided.decidedBy = QStringLiteral("run ended");
        decided.createdAt = pending.view.createdAt;
        decided.decidedAt = domain::nowUtc();
        const Result<void> stored = co_await m_store.decideApproval(decided);
        if (!stored && stored.error().kind != ErrorKind::Conflict)
            co_return failure(stored.error());
        close(decided);
    }
    co_return Result<void>();
}

RuleList ApprovalDesk::ruleViews() const
{
    RuleList list;
    for (const ApprovalRule &rule : m_rules)
        list.rules << ruleView(rule);
    return list;
}

Async<RuleView> ApprovalDesk::saveRule(SaveRule request)
{
    ApprovalRule rule;
    rule.id = request.rule.id;
    rule.scope = request.rule.scope;
    rule.owner = request.rule.owner;
    rule.tool = request.rule.tool.isEmpty() ? QStringLiteral("shell") : request.rule.tool;
    rule.pattern = request.rule.pattern.trimmed();
    rule.decision = request.rule.decision;
    rule.createdAt = domain::nowUtc();
    static const QStringList scopes{QStringLiteral("thread"), QStringLiteral("agent"),
                                    QStringLiteral("global")};
    const std::optional<domain::RuleDecision> decision =
        domain::ruleDecisionFromWire(rule.decision);
    if (!scopes.contains(rule.scope) || !decision
        || (rule.scope == QLatin1String("global")) != rule.owner.isEmpty())
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("A rule needs a scope with its owner, and a decision"));
    const QString problem = domain::patternProblem(rule.pattern, *decision);
    if (!problem.isEmpty())
        co_return failure(ErrorKind::InvalidInput, problem);
    if (!request.dryRun) {
        const auto known =
            std::find_if(m_rules.cbegin(), m_rules.cend(),
                         [&rule](const ApprovalRule &one) { return one.id == rule.id; });
        if (!rule.id.isEmpty() && known == m_rules.cend())
            co_return failure(ErrorKind::NotFound, QStringLiteral("There is no such rule"));
        if (rule.id.isEmpty())
            rule.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
        else
            rule.createdAt = known->createdAt;
        const Result<void> kept = co_await keep(rule);
        if (!kept)
            co_return failure(kept.error());
    }
    co_return ruleView(rule);
}

void ApprovalDesk::agentRemoved(const domain::AgentId &agent)
{
    m_rules.removeIf([&agent](const ApprovalRule &rule) {
        return rule.scope == QLatin1String("agent") && rule.owner == agent.toString();
    });
}

Async<Nothing> ApprovalDesk::removeRule(QString id)
{
    const Result<void> removed = co_await m_store.removeRule(id);
    if (!removed)
        co_return failure(removed.error());
    m_rules.removeIf([&id](const ApprovalRule &one) { return one.id == id; });
    co_return Nothing{};
}

} // namespace berth::application
