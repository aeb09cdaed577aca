// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/policy/security_policy.h"
#include "domain/thread/conversation_store.h"

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>

namespace berth::domain {

//! What a tool does; also the words of require_approval_for: "read", "write", "exec".
enum class ToolKind { Read, Write, Exec };

QString wireName(ToolKind kind);

//! One tool call, as far as the policy decides on it.
struct PolicyCall
{
    //! "shell", "write_file"
    QString tool;
    ToolKind kind = ToolKind::Exec;
    //! Of a shell: the whole line.
    QString command;
    //! Of a tool on files: absolute, without "." and "..".
    QString path;
    //! The sandbox's, absolute; and the directory where a command starts.
    QString workspace;
    QString cwd;

    ToolCallOrigin origin = ToolCallOrigin::Model;
    //! Of a user's own line: he may approve (the owner in window or CLI, a token with that scope).
    bool mayApprove = false;
    //! The same user has said "Run anyway" after a Deny with mayRunAnyway.
    bool runAnyway = false;

    //! The sandbox is no isolation at all (Local without bubblewrap, by choice).
    bool passthrough = false;
    //! The user has agreed to it once in this thread; counts for his own lines only.
    bool passthroughAgreed = false;
    //! Somebody can answer.
    bool interactive = true;
};

struct PolicyVerdict
{
    enum class Decision { Allow, Ask, Deny };
    Decision decision = Decision::Ask;
    //! One sentence. For Ask: why, for the card. For Deny: what the model is told.
    QString reason;
    //! For ToolCall::decision and the audit: "allowed by rule git status *", "denied by rule rm",
    //! "denied: read-only", "typed by you". Empty for Ask.
    QString decidedBy;
    //! Deny of a user's own line: he may have it run all the same.
    bool mayRunAnyway = false;
    //! Ask where nobody is there: it stays pending until somebody is.
    bool waits = false;
    //! Ask: the patterns that "for this thread" and "always" may have; empty: once only, and why.
    QStringList patterns;
    QString whyNotAlways;

    [[nodiscard]] bool isAllowed() const { return decision == Decision::Allow; }
    [[nodiscard]] bool asks() const { return decision == Decision::Ask; }
    [[nodiscard]] bool isDenied() const { return decision == Decision::Deny; }
};

//! Those of \a rules that hold in this thread of this agent: its own, the agent's, the global ones.
QList<ApprovalRule> rulesFor(const QList<ApprovalRule> &rules, const ThreadId &thread,
                             const AgentId &agent);

//! The one place that decides whether a tool call is carried out. \a rules: those of rulesFor().
//! In this order, and the first that applies decides:
//!  1. readonly: a tool that writes or executes is denied, before anything is asked;
//!  2. a deny rule denies;
//!  3. passthrough asks: the agent's calls each time, the user's until he agreed in the thread;
//!  4. the line of a user who may approve is allowed; with his runAnyway, 1 and 2 are left out;
//!  5. an ask rule asks, and a line that the parser does not understand while there are deny or ask
//!     rules;
//!  6. full allows;
//!  7. what is neither listed in require_approval_for (by tool or kind) nor outside the workspace
//!     nor a write to what other programs run (private_paths.h) is allowed;
//!  8. an allow rule allows;
//!  9. everything else asks.
//! What asks where nobody can answer is denied or waits, as the policy says.
PolicyVerdict decideCall(const PolicyCall &call, const SecurityPolicy &policy,
                         const QList<ApprovalRule> &rules);

} // namespace berth::domain
