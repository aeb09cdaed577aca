// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/markdown.h"

#include <vector>

namespace berth::ui {

namespace {

// Bounds for what is written to be slow: behind them text stays as it is.
constexpr qsizetype kLongestLabel = 1000;
constexpr qsizetype kLongestTarget = 2000;
//! In tokens, of text too.
constexpr int kFurthestOpener = 400;
//! A longer paragraph stays text.
constexpr qsizetype kLongestParagraph = 16 * 1024;
constexpr int kDeepestLabel = 3;

//! A piece of text, or a run of one delimiter ("**") that may turn out to be text.
struct InlineToken
{
    QString text;
    int flags = 0;
    QString target;
    QChar delimiter;
    int count = 0;
    bool opens = false;
    bool closes = false;
};
using InlineTokens = std::vector<InlineToken>;

void addText(InlineTokens &tokens, QStringView text, int flags = 0, const QString &target = {})
{
    if (text.isEmpty())
        return;
    if (!tokens.empty() && tokens.back().count == 0 && tokens.back().flags == flags
        && tokens.back().target == target) {
        tokens.back().text += text;
        return;
    }
    InlineToken token;
    token.text = text.toString();
    token.flags = flags;
    token.target = target;
    tokens.push_back(token);
}

qsizetype runLength(QStringView s, qsizetype at)
{
    qsizetype end = at;
    while (end < s.size() && s[end] == s[at])
        ++end;
    return end - at;
}

//! Where the code span that \a ticks at \a at open ends (its closing run's begin); -1: nowhere.
qsizetype codeEnd(QStringView s, qsizetype at, qsizetype ticks)
{
    for (qsizetype i = at + ticks; i < s.size();) {
        if (s[i] != QLatin1Char('`')) {
            ++i;
            continue;
        }
        const qsizetype run = runLength(s, i);
        if (run == ticks)
            return i;
        i += run;
    }
    return -1;
}

//! The "]" that belongs to the "[" at \a at; -1: none.
qsizetype labelEnd(QStringView s, qsizetype at)
{
    int depth = 0;
    const qsizetype end = qMin(s.size(), at + kLongestLabel);
    for (qsizetype i = at; i < end; ++i) {
        if (s[i] == QLatin1Char('\\'))
            ++i;
        else if (s[i] == QLatin1Char('['))
            ++depth;
        else if (s[i] == QLatin1Char(']') && --depth == 0)
            return i;
    }
    return -1;
}

//! Behind "](": the target, without a title; its end is the ")" found. -1: none.
qsizetype targetEnd(QStringView s, qsizetype at, QString *target)
{
    int depth = 1;
    const qsizetype end = qMin(s.size(), at + kLongestTarget);
    for (qsizetype i = at; i < end; ++i) {
        if (s[i] == QLatin1Char('('))
            ++depth;
        else if (s[i] == QLatin1Char(')') && --depth == 0) {
            QStringView inside = s.sliced(at, i - at).trimmed();
            const qsizetype space = inside.indexOf(QLatin1Char(' '));
            if (space > 0)
                inside = inside.left(space);
            if (inside.startsWith(QLatin1Char('<')) && inside.endsWith(QLatin1Char('>')))
                inside = inside.sliced(1, inside.size() - 2);
            *target = inside.toString();
            return i;
        } else if (s[i] == QLatin1Char('\n')) {
            return -1;
        }
    }
    return -1;
}

bool startsUrl(QStringView s)
{
    return s.startsWith(QLatin1String("https://")) || s.startsWith(QLatin1String("http://"));
}

//! Length of the bare address at the beginning of \a s, without a full stop behind it.
qsizetype urlLength(QStringView s)
{
    qsizetype end = 0;
    int open = 0;
    while (end < s.size() && end < kLongestTarget) {
        const QChar c = s[end];
        if (c.isSpace() || c == QLatin1Char('<') || c == QLatin1Char('>') || c == QLatin1Char('`')
            || c == QLatin1Char('"') || c.unicode() > 0x2000)
            break;
        if (c == QLatin1Char('('))
            ++open;
        else if (c == QLatin1Char(')') && --open < 0)
            break;
        ++end;
    }
    while (end > 0 && QStringView(u".,:;!?*_~'").contains(s[end - 1]))
        --end;
    return end;
}

void addDelimiter(InlineTokens &tokens, QStringView s, qsizetype at, qsizetype run)
{
    const QChar c = s[at];
    const QChar before = at > 0 ? s[at - 1] : QChar(u' ');
    const QChar after = at + run < s.size() ? s[at + run] : QChar(u' ');
    const auto isMark = [](QChar x) { return x.isPunct() || x.isSymbol(); };
    const bool left = !after.isSpace() && (!isMark(after) || before.isSpace() || isMark(before));
    const bool right = !before.isSpace() && (!isMark(before) || after.isSpace() || isMark(after));
    InlineToken token;
    token.delimiter = c;
    token.count = static_cast<int>(run);
    token.opens = left;
    token.closes = right;
    if (c == QLatin1Char('_')) {
        token.opens = left && (!right || isMark(before));
        token.closes = right && (!left || isMark(after));
    }
    if (c == QLatin1Char('~') && run != 2)
        token.opens = token.closes = false;
    tokens.push_back(token);
}

void resolve(InlineTokens &tokens)
{
    for (size_t at = 0; at < tokens.size(); ++at) {
        while (tokens[at].closes && tokens[at].count > 0) {
            size_t opener = at;
            int looked = 0;
            bool found = false;
            while (opener > 0 && looked < kFurthestOpener) {
                --opener;
                ++looked;
                const InlineToken &other = tokens[opener];
                if (other.count > 0 && other.opens && other.delimiter == tokens[at].delimiter) {
                    found = true;
                    break;
                }
            }
            if (!found)
                break;
            const bool strike = tokens[at].delimiter == QLatin1Char('~');
            const int used = tokens[at].count >= 2 && tokens[opener].count >= 2 ? 2 : 1;
            const int flag = strike ? MarkdownText::Strike
                : used == 2         ? MarkdownText::Bold
                                    : MarkdownText::Italic;
            for (size_t i = opener + 1; i < at; ++i) {
                tokens[i].flags |= flag;
                // What was opened between and not closed stays text.
                tokens[i].opens = tokens[i].closes = false;
            }
            tokens[at].count -= used;
            tokens[opener].count -= used;
        }
    }
}

InlineTokens tokensOf(QStringView s, int depth)
{
    InlineTokens tokens;
    const auto nested = [&tokens, depth](QStringView label, const QString &target, int kind) {
        if (depth >= kDeepestLabel) {
            addText(tokens, label, kind, target);
            return;
        }
        for (InlineToken inner : tokensOf(label, depth + 1)) {
            if (inner.count > 0)
                inner.text = QString(inner.count, inner.delimiter);
            inner.count = 0;
            inner.flags |= kind;
            inner.target = target;
            tokens.push_back(inner);
        }
    };
    for (qsizetype at = 0; at < s.size();) {
        const QChar c = s[at];
        switch (c.unicode()) {
        case u'\\':
            if (at + 1 < s.size() && (s[at + 1].isPunct() || s[at + 1].isSymbol())) {
                addText(tokens, s.sliced(at + 1, 1));
                at += 2;
                continue;
            }
            break;
        case u'`': {
            const qsizetype ticks = runLength(s, at);
            const qsizetype end = codeEnd(s, at, ticks);
            if (end < 0) {
                addText(tokens, s.sliced(at, ticks));
                at += ticks;
                continue;
            }
            QStringView code = s.sliced(at + ticks, end - at - ticks);
            if (code.size() > 2 && code.startsWith(u' ') && code.endsWith(u' ')
                && !code.trimmed().isEmpty())
                code = code.sliced(1, code.size() - 2);
            addText(tokens, code, MarkdownText::Code);
            at = end + ticks;
            continue;
        }
        case u'!':
        case u'[': {
            const qsizetype label = c == QLatin1Char('!') ? at + 1 : at;
            if (label >= s.size() || s[label] != QLatin1Char('['))
                break;
            const qsizetype close = labelEnd(s, label);
            if (close < 0 || close + 1 >= s.size() || s[close + 1] != QLatin1Char('('))
                break;
            QString target;
            const qsizetype end = targetEnd(s, close + 2, &target);
            if (end < 0)
                break;
            const QStringView words = s.sliced(label + 1, close - label - 1);
            nested(words.isEmpty() ? QStringView(target) : words, target,
                   label > at ? MarkdownText::Link | MarkdownText::Picture : MarkdownText::Link);
            at = end + 1;
            continue;
        }
        case u'<': {
            const QStringView rest = s.sliced(at + 1);
            const qsizetype end = startsUrl(rest) ? urlLength(rest) : 0;
            if (end > 0 && end < rest.size() && rest[end] == QLatin1Char('>')) {
                addText(tokens, rest.left(end), MarkdownText::Link, rest.left(end).toString());
                at += end + 2;
                continue;
            }
            break;
        }
        case u'h': {
            if (at > 0 && s[at - 1].isLetterOrNumber())
                break;
            const QStringView rest = s.sliced(at);
            if (!startsUrl(rest) || depth > 0)
                break;
            const qsizetype length = urlLength(rest);
            if (length < 10)
                break;
            addText(tokens, rest.left(length), MarkdownText::Link, rest.left(length).toString());
            at += length;
            continue;
        }
        case u'*':
        case u'_':
        case u'~': {
            const qsizetype run = runLength(s, at);
            addDelimiter(tokens, s, at, run);
            at += run;
            continue;
        }
        case u'\n':
            addText(tokens, u" ");
            ++at;
            continue;
        default:
            break;
        }
        addText(tokens, s.sliced(at, 1));
        ++at;
    }
    resolve(tokens);
    return tokens;
}

} // namespace

MarkdownText parseInline(const QString &source)
{
    MarkdownText result;
    if (source.size() > kLongestParagraph) {
        result.text = source;
        result.text.replace(QLatin1Char('\n'), QLatin1Char(' '));
        return result;
    }
    for (const InlineToken &token : tokensOf(source, 0)) {
        const QString text =
            token.delimiter.isNull() ? token.text : QString(token.count, token.delimiter);
        if (text.isEmpty())
            continue;
        if (token.flags != 0) {
            MarkdownText::Span span{result.text.size(), text.size(), token.flags, token.target};
            MarkdownText::Span *last = result.spans.isEmpty() ? nullptr : &result.spans.last();
            if (last && last->flags == span.flags && last->target == span.target
                && last->start + last->length == span.start)
                last->length += span.length;
            else
                result.spans.append(span);
        }
        result.text += text;
    }
    return result;
}

} // namespace berth::ui
