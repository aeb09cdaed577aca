// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/command_patterns.h"

#include "domain/policy/command_traits.h"

#include <algorithm>

namespace berth::domain {

namespace {

bool needsNoQuotes(const QString &word)
{
    if (word.isEmpty() || isShellReserved(word))
        return false;
    return std::all_of(word.cbegin(), word.cend(), [](QChar c) {
        return c.unicode() < 0x80
            && (c.isLetterOrNumber() || QStringView(u"_@%+:,./-").contains(c));
    });
}

bool isShortCluster(const QString &word)
{
    // Longer ones are words: find's -delete.
    return word.size() >= 2 && word.size() <= 5 && word.front() == u'-' && word.at(1) != u'-'
        && std::all_of(word.cbegin() + 1, word.cend(), [](QChar c) { return c.isLetter(); });
}

//! All letters of \a cluster are given by some short options among \a words.
bool hasLetters(const QString &cluster, const QList<ShellWord> &words)
{
    return std::all_of(cluster.cbegin() + 1, cluster.cend(), [&words](QChar letter) {
        return std::any_of(words.cbegin() + 1, words.cend(), [letter](const ShellWord &word) {
            return word.isLiteral() && isShortCluster(word.text())
                && QStringView(word.text()).mid(1).contains(letter);
        });
    });
}

} // namespace

CommandPattern readPattern(const QString &text)
{
    CommandPattern pattern;
    const ShellLine line = parseShell(text);
    if (text.trimmed().isEmpty()) {
        pattern.problem = QStringLiteral("a pattern has at least one word");
        return pattern;
    }
    if (!line.isUnderstood()) {
        pattern.problem = QStringLiteral("it is not understood: %1").arg(line.unknown);
        return pattern;
    }
    const bool isPlain = line.segments.size() == 1 && line.hazards.isEmpty()
        && line.segments.first().assignments.isEmpty() && line.segments.first().redirects.isEmpty();
    if (!isPlain) {
        pattern.problem = QStringLiteral("a pattern is one command without operators");
        return pattern;
    }
    const QList<ShellWord> &words = line.segments.first().words;
    for (qsizetype i = 0; i < words.size(); ++i) {
        const ShellWord &word = words.at(i);
        if (!word.quoted && word.text() == QLatin1String("*") && i + 1 == words.size()) {
            pattern.more = true;
        } else if (!word.isLiteral()) {
            pattern.problem = QStringLiteral("* stands only at the end, as a word of its own; "
                                             "other words are taken as they are");
            return pattern;
        } else {
            pattern.words.append(word.text());
        }
    }
    return pattern;
}

QString patternText(const QStringList &words, bool more)
{
    QStringList quoted;
    for (QString word : words) {
        if (!needsNoQuotes(word))
            word = u'\'' + word.replace(u'\'', QLatin1String("'\\''")) + u'\'';
        quoted.append(word);
    }
    if (more)
        quoted.append(QStringLiteral("*"));
    return quoted.join(u' ');
}

bool allows(const CommandPattern &pattern, const QList<ShellWord> &words)
{
    if (!pattern.problem.isEmpty() || words.isEmpty() || words.size() < pattern.words.size())
        return false;
    if (!pattern.more && words.size() != pattern.words.size())
        return false;
    for (qsizetype i = 0; i < pattern.words.size(); ++i) {
        if (!words.at(i).isLiteral() || words.at(i).text() != pattern.words.at(i))
            return false;
    }
    return true;
}

Concern concerns(const CommandPattern &pattern, const QList<ShellWord> &words)
{
    if (!pattern.problem.isEmpty() || words.isEmpty())
        return Concern::No;
    if (pattern.words.isEmpty())
        return Concern::Yes;
    if (!words.first().isLiteral())
        return Concern::Maybe;
    const QString command = words.first().text();
    const QString &wanted = pattern.words.first();
    if (command != wanted && programName(command) != wanted)
        return Concern::No;
    // In order from the start; then anywhere in order.
    bool prefix = true;
    bool unknown = false;
    bool byLetters = false;
    qsizetype next = 1;
    qsizetype anywhere = 1;
    for (; next < pattern.words.size(); ++next) {
        const QString &word = pattern.words.at(next);
        if (isShortCluster(word) && hasLetters(word, words)) {
            byLetters = true;
            continue;
        }
        while (anywhere < words.size()) {
            const ShellWord &here = words.at(anywhere);
            if (here.isLiteral() && here.text() == word)
                break;
            if (!here.isLiteral() && prefix && !unknown) {
                unknown = true;
                break;
            }
            // An option of the command itself may stand in between.
            prefix = prefix && byLetters && here.isLiteral() && isShortCluster(here.text());
            ++anywhere;
        }
        if (unknown)
            return Concern::Maybe;
        if (anywhere >= words.size())
            return Concern::No;
        ++anywhere;
    }
    return prefix ? Concern::Yes : Concern::Maybe;
}

} // namespace berth::domain
