// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/command_rules.h"

#include "domain/policy/command_patterns.h"
#include "domain/policy/command_traits.h"
#include "domain/policy/command_wrappers.h"
#include "domain/policy/word_list.h"
#include "domain/thread/conversation_store.h"

#include <algorithm>

namespace berth::domain {

namespace {

struct ReadRule
{
    RuleDecision decision = RuleDecision::Ask;
    QString text;
    CommandPattern pattern;
};

QList<ReadRule> readRules(const QList<ApprovalRule> &rules)
{
    QList<ReadRule> read;
    for (const ApprovalRule &rule : rules) {
        if (rule.tool != QLatin1String("shell") && rule.tool != QLatin1String("*"))
            continue;
        // A decision of a newer version is the careful one.
        const RuleDecision decision =
            ruleDecisionFromWire(rule.decision).value_or(RuleDecision::Ask);
        read.append({decision, rule.pattern, readPattern(rule.pattern)});
    }
    return read;
}

//! Why \a line asks whatever rules allow.
QString whyLineAsks(const ShellLine &line, const CommandPlace &place)
{
    if (!line.isUnderstood())
        return QStringLiteral("the command line is not understood: %1").arg(line.unknown);
    if (!line.hazards.isEmpty())
        return QStringLiteral("the command line %1").arg(line.hazards.first());
    const bool movesAbout =
        std::any_of(line.segments.cbegin(), line.segments.cend(), changesDirectory);
    bool any = false;
    for (const ShellSegment &segment : line.segments) {
        any = any || !segment.words.isEmpty() || !segment.assignments.isEmpty();
        if (const QString why = whyAlwaysAsks(segment, place, movesAbout); !why.isEmpty())
            return why;
    }
    return any ? QString() : QStringLiteral("there is no command in it");
}

//! What deny and ask rules say; nullopt: nothing.
std::optional<RuleVerdict> objection(const ShellLine &line, const QList<ReadRule> &rules)
{
    const bool any = std::any_of(rules.cbegin(), rules.cend(), [](const ReadRule &rule) {
        return rule.decision != RuleDecision::Allow;
    });
    if (!any)
        return std::nullopt;
    const InnerCommands inner = innerCommands(line);
    std::optional<RuleVerdict> asks;
    for (const ReadRule &rule : rules) {
        if (rule.decision == RuleDecision::Allow)
            continue;
        for (const QList<ShellWord> &words : inner.commands) {
            const Concern concern = concerns(rule.pattern, words);
            if (concern == Concern::No)
                continue;
            if (concern == Concern::Yes && rule.decision == RuleDecision::Deny) {
                return RuleVerdict{RuleDecision::Deny,
                                   QStringLiteral("the rule \"%1\" denies it").arg(rule.text),
                                   rule.text, true};
            }
            if (asks)
                continue;
            asks = concern == Concern::Yes
                ? RuleVerdict{RuleDecision::Ask,
                              QStringLiteral("the rule \"%1\" asks").arg(rule.text), rule.text,
                              true}
                : RuleVerdict{RuleDecision::Ask,
                              QStringLiteral("the rule \"%1\" may mean it").arg(rule.text),
                              rule.text, false};
        }
    }
    if (!asks && !inner.complete) {
        asks = RuleVerdict{RuleDecision::Ask,
                           QStringLiteral("it is not known which commands it would run"),
                           {},
                           false};
    }
    return asks;
}

QString commandText(const QList<ShellWord> &words)
{
    QStringList texts;
    for (const ShellWord &word : words.mid(0, 3))
        texts.append(word.isLiteral() ? word.text() : QStringLiteral("…"));
    return texts.join(u' ').left(80);
}

//! The pattern that the card offers for one command.
QString proposedFor(const QList<ShellWord> &words)
{
    static constexpr const char *kBySubcommand =
        "git npm pnpm yarn cargo go docker podman kubectl pip pip3 apt apt-get systemctl dotnet "
        "brew gh helm terraform bundle composer cmake mvn gradle dpkg rustup uv poetry";
    static constexpr const char *kHarmless =
        "ls cat head tail wc grep egrep fgrep rg pwd echo printf which file stat du df tree sort "
        "uniq cut tr diff cmp date whoami id uname ps true false : basename dirname realpath "
        "readlink test [ [[ cd set seq sleep find fd sed nl column comm jq md5sum sha256sum";
    static constexpr const char *kThird = "run remote stash";
    const QString name = words.first().text();
    if (listHas(kHarmless, name))
        return patternText({name}, true);
    const auto isSub = [&words](qsizetype i) {
        return words.size() > i && words.at(i).isLiteral() && !words.at(i).text().isEmpty()
            && words.at(i).text().front().isLetter();
    };
    if (listHas(kBySubcommand, name) && isSub(1) && !needsExactRule(words)) {
        QStringList fixed{name, words.at(1).text()};
        if (listHas(kThird, fixed.last()) && isSub(2))
            fixed.append(words.at(2).text());
        return patternText(fixed, true);
    }
    QStringList fixed;
    for (const ShellWord &word : words) {
        if (!word.isLiteral())
            return needsExactRule(words) ? QString() : patternText(fixed, true);
        fixed.append(word.text());
    }
    return patternText(fixed, false);
}

} // namespace

QString wireName(RuleDecision decision)
{
    switch (decision) {
    case RuleDecision::Allow:
        return QStringLiteral("allow");
    case RuleDecision::Ask:
        return QStringLiteral("ask");
    case RuleDecision::Deny:
        return QStringLiteral("deny");
    }
    return {};
}

std::optional<RuleDecision> ruleDecisionFromWire(QStringView name)
{
    for (const RuleDecision decision :
         {RuleDecision::Allow, RuleDecision::Ask, RuleDecision::Deny}) {
        if (name == wireName(decision))
            return decision;
    }
    return std::nullopt;
}

RuleVerdict decideLine(const QString &line, const QList<ApprovalRule> &rules,
                       const CommandPlace &place)
{
    const QList<ReadRule> read = readRules(rules);
    const ShellLine parsed = parseShell(line);
    const std::optional<RuleVerdict> objected = objection(parsed, read);
    if (objected && objected->decision == RuleDecision::Deny)
        return *objected;
    if (objected && objected->understood)
        return *objected;
    if (const QString why = whyLineAsks(parsed, place); !why.isEmpty()) {
        const bool understood = parsed.isUnderstood() && !objected;
        return {RuleDecision::Ask, why, {}, understood};
    }
    if (objected)
        return *objected;
    QStringList decided;
    for (const ShellSegment &segment : parsed.segments) {
        // Only assignments and redirections: looked at above.
        if (segment.words.isEmpty())
            continue;
        const bool exact = needsExactRule(segment.words);
        const auto mayAllow = [&segment, exact](const ReadRule &one) {
            return one.decision == RuleDecision::Allow && !(exact && one.pattern.more)
                && allows(one.pattern, segment.words);
        };
        const auto rule = std::find_if(read.cbegin(), read.cend(), mayAllow);
        if (rule == read.cend()) {
            return {RuleDecision::Ask,
                    QStringLiteral("no rule allows \"%1\"").arg(commandText(segment.words)),
                    {},
                    true};
        }
        if (!decided.contains(rule->text))
            decided.append(rule->text);
    }
    if (decided.isEmpty())
        return {RuleDecision::Ask, QStringLiteral("no rule allows it"), {}, true};
    return {RuleDecision::Allow, QStringLiteral("rules allow it"),
            decided.join(QLatin1String(", ")), true};
}

RuleOffer offeredRules(const QString &line, const CommandPlace &place)
{
    const ShellLine parsed = parseShell(line);
    RuleOffer offer;
    offer.whyNot = whyLineAsks(parsed, place);
    if (!offer.whyNot.isEmpty())
        return offer;
    for (const ShellSegment &segment : parsed.segments) {
        if (segment.words.isEmpty())
            continue;
        const QString pattern = proposedFor(segment.words);
        if (pattern.isEmpty())
            return {{}, QStringLiteral("it is known only when it runs what the line would do")};
        // A line of that many commands is for reading, not for rules.
        if (offer.patterns.size() >= 16)
            return {{}, QStringLiteral("the line has too many commands")};
        if (!offer.patterns.contains(pattern))
            offer.patterns.append(pattern);
    }
    if (offer.patterns.isEmpty())
        offer.whyNot = QStringLiteral("there is no command in it");
    return offer;
}

QString patternProblem(const QString &pattern, RuleDecision decision)
{
    const CommandPattern read = readPattern(pattern);
    if (!read.problem.isEmpty() || decision != RuleDecision::Allow || read.words.isEmpty())
        return read.problem;
    const QString &name = read.words.first();
    if (isInterpreter(name))
        return QStringLiteral("%1 runs whatever it is given, so it is asked for each time")
            .arg(name);
    const ShellLine line = parseShell(patternText(read.words, false));
    if (read.more && read.words.size() > 1 && needsExactRule(line.segments.first().words))
        return QStringLiteral("%1 may run what it is given; a rule has its whole line, without *")
            .arg(read.words.mid(0, 2).join(u' '));
    return {};
}

PatternExamples examples(const QString &pattern)
{
    PatternExamples shown;
    const CommandPattern read = readPattern(pattern);
    if (!read.problem.isEmpty())
        return shown;
    const QString base =
        read.words.isEmpty() ? QStringLiteral("ls") : patternText(read.words, false);
    ApprovalRule rule;
    rule.tool = QStringLiteral("shell");
    rule.pattern = pattern;
    rule.decision = wireName(RuleDecision::Allow);
    const QStringList candidates{
        base,
        base + QStringLiteral(" --help"),
        base + QStringLiteral(" -v src"),
        base + QStringLiteral(" 2>&1"),
        base + QStringLiteral(" && ") + base,
        base + QStringLiteral("; rm -rf ."),
        base + QStringLiteral(" > /etc/hosts"),
        base + QStringLiteral(" $(rm -rf .)"),
        QStringLiteral("env X=1 ") + base,
        QStringLiteral("sh -c ") + patternText({base}, false),
    };
    for (const QString &line : candidates) {
        const RuleVerdict verdict = decideLine(line, {rule}, {});
        (verdict.decision == RuleDecision::Allow ? shown.matches : shown.asks).append(line);
    }
    return shown;
}

} // namespace berth::domain
