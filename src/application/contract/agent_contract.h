// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"

#include <QtCore/QDateTime>
#include <QtCore/QList>
#include <QtCore/QStringList>

#include <optional>

// What agents do in a thread: replies as they come, decisions of the user, rules, and the agents
// themselves.
namespace berth::application {

struct Nothing;
struct RunView;
struct Started;

//! Who acts, as lists and forms show it.
struct AgentView
{
    domain::AgentId id;
    QString name;
    //! Name of a model endpoint; empty: the default one.
    QString model;
    QString instructions;
    //! "readonly", "supervised", "full"
    QString autonomy;
    //! "exec", "write", …
    QStringList requireApprovalFor;
    //! "public", "protected", "private"
    QString access;
    int threads = 0;
    int sandboxes = 0;
    bool operator==(const AgentView &) const = default;
};

//! Adds an agent, or changes one that is there when \a isNew is false.
struct SaveAgent
{
    using Reply = AgentView;
    static constexpr const char *kName = "agent.save";
    bool isNew = false;
    AgentView agent;
    //! Of a new one: "default" (as gateway.json says), "none", or a preset's name.
    QString sandbox = QStringLiteral("default");
};

struct AgentsChanged
{
    static constexpr const char *kName = "agents_changed";
    QList<AgentView> agents;
    bool operator==(const AgentsChanged &) const = default;
};

//! What a run used; absent where the endpoint did not say.
struct UsageView
{
    std::optional<qint64> inputTokens;
    std::optional<qint64> cachedTokens;
    std::optional<qint64> outputTokens;
    std::optional<qint64> reasoningTokens;
    //! Only from the endpoint itself or from the user's prices.
    std::optional<double> cost;
    QString currency;
    //! Of the last request, and the size of the model's context; 0: not known.
    qint64 contextUsed = 0;
    qint64 contextSize = 0;
    bool operator==(const UsageView &) const = default;
};

//! A tool call that waits for the user.
struct ApprovalView
{
    domain::ToolCallId toolCall;
    domain::RunId run;
    domain::ThreadId thread;
    domain::AgentId agent;
    QString threadTitle;
    QString tool;
    //! The whole command or path.
    QString command;
    QString cwd;
    //! Of an edit, before it is done: a unified diff.
    QString diff;
    //! Why it is asked.
    QString reason;
    //! Rules that "always" could make: "git status"; empty: it cannot be made always, and why.
    QStringList patterns;
    QString whyNotAlways;
    //! "docker · python:3.12-slim"
    QString sandboxLabel;
    QDateTime createdAt;
    bool operator==(const ApprovalView &) const = default;
};

struct ApprovalList
{
    QList<ApprovalView> approvals;
    bool operator==(const ApprovalList &) const = default;
};

struct ListApprovals
{
    using Reply = ApprovalList;
    static constexpr const char *kName = "approval.list";
};

//! Answers one pending call. Conflict when it was decided already.
struct DecideApproval
{
    using Reply = Nothing;
    static constexpr const char *kName = "approval.decide";
    domain::ToolCallId toolCall;
    bool allow = false;
    //! "once", "thread", "always"
    QString scope = QStringLiteral("once");
    //! For thread and always: the rule's pattern.
    QString pattern;
    //! For a denial: the model gets it.
    QString reason;
};

struct ApprovalAsked
{
    static constexpr const char *kName = "approval_asked";
    ApprovalView approval;
    bool operator==(const ApprovalAsked &) const = default;
};

//! Decided, or no longer asked because its run ended.
struct ApprovalClosed
{
    static constexpr const char *kName = "approval_closed";
    domain::ToolCallId toolCall;
    domain::ThreadId thread;
    bool operator==(const ApprovalClosed &) const = default;
};

struct RuleView
{
    QString id;
    //! "thread", "agent", "global", and whose: a thread or agent id.
    QString scope;
    QString owner;
    QString tool;
    QString pattern;
    //! "allow", "ask", "deny"
    QString decision;
    QDateTime createdAt;
    //! Lines that it matches and lines that it does not, for the editor.
    QStringList matches;
    QStringList asks;
    bool operator==(const RuleView &) const = default;
};

struct RuleList
{
    QList<RuleView> rules;
    bool operator==(const RuleList &) const = default;
};

struct ListRules
{
    using Reply = RuleList;
    static constexpr const char *kName = "rule.list";
};

//! A new one when its id is empty. \a dryRun only checks it and gives examples.
struct SaveRule
{
    using Reply = RuleView;
    static constexpr const char *kName = "rule.save";
    RuleView rule;
    bool dryRun = false;
};

struct RemoveRule
{
    using Reply = Nothing;
    static constexpr const char *kName = "rule.remove";
    QString id;
};

//! One action or decision.
struct AuditEntry
{
    QDateTime at;
    domain::ThreadId thread;
    domain::ToolCallId toolCall;
    //! "model", "user"
    QString origin;
    QString tool;
    QString command;
    //! "allowed", "asked", "denied", "hook_denied", "not run"; and by what or whom.
    QString decision;
    QString decidedBy;
    QString outcome;
    bool operator==(const AuditEntry &) const = default;
};

struct AuditList
{
    QList<AuditEntry> entries;
    bool operator==(const AuditList &) const = default;
};

//! Newest first, at most \a limit (500 at the most), before a time where one is given.
struct ListAudit
{
    using Reply = AuditList;
    static constexpr const char *kName = "audit.list";
    QDateTime before;
    int limit = 200;
};

//! One of the user's own programs, asked before or told after a tool call.
struct HookView
{
    //! "before_tool", "after_tool"
    QString moment = QStringLiteral("before_tool");
    //! Absolute path.
    QString program;
    QStringList arguments;
    //! Names of tools; empty: every one.
    QStringList tools;
    bool operator==(const HookView &) const = default;
};

struct HookList
{
    QList<HookView> hooks;
    QString path;
    //! Why the file cannot be used; then no tool call is allowed.
    QString problem;
    bool operator==(const HookList &) const = default;
};

struct ListHooks
{
    using Reply = HookList;
    static constexpr const char *kName = "hook.list";
};

//! Replaces them all. Only a window may ask; anybody else is Forbidden.
struct SaveHooks
{
    using Reply = HookList;
    static constexpr const char *kName = "hook.save";
    QList<HookView> hooks;
};

//! Stops the thread's run: what came of the reply stays, open calls end as cancelled.
struct StopRun
{
    using Reply = Nothing;
    static constexpr const char *kName = "run.stop";
    domain::ThreadId thread;
};

//! Goes on after an interruption, a failure or a limit that asked, without a new message.
struct ContinueRun
{
    using Reply = Started;
    static constexpr const char *kName = "run.continue";
    domain::ThreadId thread;
};

//! While it waits to try again: now.
struct RetryRunNow
{
    using Reply = Nothing;
    static constexpr const char *kName = "run.retry_now";
    domain::ThreadId thread;
};

//! Edit and resend: the message and what followed leave the model's view (they stay readable), and
//! \a text is sent in its place. Conflict while a run is under way.
struct EditMessage
{
    using Reply = Started;
    static constexpr const char *kName = "message.edit";
    domain::ThreadId thread;
    qint64 seq = 0;
    QString text;
};

//! The reply as it comes; at most twenty times a second. \a offset counts characters of the text
//! (or of the reasoning), so that a piece that was missed is noticed; its end is MessageAdded.
struct ReplyGrew
{
    static constexpr const char *kName = "reply_grew";
    domain::ThreadId thread;
    domain::RunId run;
    //! Counts the run's replies: 1, 2, …
    int round = 0;
    qint64 offset = 0;
    QString text;
    qint64 reasoningOffset = 0;
    QString reasoning;
    //! Tools whose calls are being written.
    QStringList calls;
    bool operator==(const ReplyGrew &) const = default;
};

//! Why a run does not go on by itself, or when it will.
struct RunNotice
{
    static constexpr const char *kName = "run_notice";
    domain::ThreadId thread;
    domain::RunId run;
    //! "thinking", "waiting", "limit", "stuck", "failed", "" (nothing any more)
    QString kind;
    QString text;
    QString detail;
    //! Of "waiting": when it is tried again.
    QDateTime until;
    bool canContinue = false;
    bool operator==(const RunNotice &) const = default;
};

} // namespace berth::application
