// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <optional>

namespace berth::domain {

struct ApprovalRule;

enum class RuleDecision { Allow, Ask, Deny };

QString wireName(RuleDecision decision);
std::optional<RuleDecision> ruleDecisionFromWire(QStringView name);

//! Where a command line runs, as far as rules need it.
struct CommandPlace
{
    //! Absolute; a redirection that writes below it does not ask for that alone. Empty: every one
    //! asks.
    QString workspace;
    //! Absolute; relative names are below it. Empty: unknown.
    QString cwd;
};

//! What rules say of a command line.
struct RuleVerdict
{
    RuleDecision decision = RuleDecision::Ask;
    //! One sentence: why it asks or is denied.
    QString reason;
    //! The pattern that decided; of Allow all of them, with commas between.
    QString pattern;
    //! False where a deny or ask rule could be hidden in what was not understood.
    bool understood = true;
};

//! What \a rules (those of the tool "shell" or "*" count) say of \a line.
//! Allow: every command of the line matches an allow rule, and nothing in it always asks. Deny: one
//! of them matches a deny rule, also inside substitutions and as the argument of env, xargs, sudo,
//! sh -c and the like. Everything else asks. A pattern is words: "git status" is that very command,
//! "git status *" any with further words, "*" every command that may be allowed by a rule at all.
//! Deny and ask patterns match with further words in any case, and a path by its last part.
RuleVerdict decideLine(const QString &line, const QList<ApprovalRule> &rules,
                       const CommandPlace &place);

struct RuleOffer
{
    //! Patterns that together would allow the line: one per different command, "git status *".
    QStringList patterns;
    //! Where there are none: what stands against a rule (an interpreter, a substitution of unknown
    //! content, a write outside the workspace…).
    QString whyNot;
};

//! The rules that the approval card offers for \a line.
RuleOffer offeredRules(const QString &line, const CommandPlace &place);

//! What is wrong with a rule's pattern; empty: nothing. An allow rule for an interpreter is
//! refused.
QString patternProblem(const QString &pattern, RuleDecision decision);

struct PatternExamples
{
    QStringList matches;
    QStringList asks;
};

//! Lines that an allow rule with \a pattern would let through, and lines that would still ask; each
//! is checked by decideLine().
PatternExamples examples(const QString &pattern);

} // namespace berth::domain
