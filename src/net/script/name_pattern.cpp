// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/script/name_pattern.h"

#include <algorithm>
#include <cstring>

namespace berth::net {

namespace {

// One bit each, and one for "all of it".
constexpr qsizetype kMostParts = 62;

// The same rules as the guest runner's, so that a pattern means the same everywhere. Both texts end
// with a NUL.

qsizetype characterSize(const char *s)
{
    const auto at = [s](qsizetype i) { return static_cast<unsigned char>(s[i]); };
    const qsizetype n = at(0) >= 0xF0 ? 4 : at(0) >= 0xE0 ? 3 : at(0) >= 0xC2 ? 2 : 1;
    for (qsizetype i = 1; i < n; ++i)
        if ((at(i) & 0xC0) != 0x80)
            return 1;
    return n;
}

//! Keeps the order of the code points.
quint32 characterValue(const char *s, qsizetype n)
{
    quint32 value = 0;
    for (qsizetype i = 0; i < n; ++i)
        value = value << 8 | static_cast<unsigned char>(s[i]);
    return value;
}

//! The end of the class at \a p, or null when it has none and the bracket means itself.
const char *classEnd(const char *p, quint32 c, bool &hit)
{
    ++p;
    const bool negated = *p == '!' || *p == '^';
    if (negated)
        ++p;
    hit = false;
    for (bool first = true; *p && (first || *p != ']'); first = false) {
        if (*p == '\\' && p[1])
            ++p;
        qsizetype n = characterSize(p);
        const quint32 low = characterValue(p, n);
        quint32 high = low;
        p += n;
        if (*p == '-' && p[1] && p[1] != ']') {
            p += p[1] == '\\' && p[2] ? 2 : 1;
            n = characterSize(p);
            high = characterValue(p, n);
            p += n;
        }
        hit = hit || (low <= c && c <= high);
    }
    hit = hit != negated;
    return *p ? p + 1 : nullptr;
}

//! Behind what matches the character at \a s; null when it does not.
const char *step(const char *p, const char *s, qsizetype n)
{
    if (*p == '?')
        return p + 1;
    if (*p == '[') {
        bool hit = false;
        const char *end = classEnd(p, characterValue(s, n), hit);
        if (end)
            return hit ? end : nullptr;
        return *s == '[' ? p + 1 : nullptr;
    }
    if (!*p)
        return nullptr;
    const char *q = *p == '\\' && p[1] ? p + 1 : p;
    const qsizetype m = characterSize(q);
    return m == n && std::memcmp(q, s, static_cast<std::size_t>(n)) == 0 ? q + m : nullptr;
}

bool isLiteral(const QByteArray &part)
{
    return std::none_of(part.begin(), part.end(),
                        [](char c) { return c == '*' || c == '?' || c == '[' || c == '\\'; });
}

} // namespace

bool matchesName(const QByteArray &pattern, const QByteArray &name)
{
    const char *p = pattern.constData();
    const char *s = name.constData();
    const char *star = nullptr;
    const char *from = nullptr;
    while (*s) {
        if (*p == '*') {
            star = ++p;
            from = s;
            continue;
        }
        const qsizetype n = characterSize(s);
        if (const char *next = step(p, s, n)) {
            p = next;
            s += n;
        } else if (star) {
            p = star;
            from += characterSize(from);
            s = from;
        } else {
            return false;
        }
    }
    while (*p == '*')
        ++p;
    return !*p;
}

std::optional<PathPattern> PathPattern::parse(const QByteArray &text)
{
    if (text.startsWith('/') || text.contains('\0'))
        return std::nullopt;
    PathPattern pattern;
    pattern.m_onlyDirectories = text.endsWith('/');
    const QList<QByteArray> parts = text.split('/');
    for (const QByteArray &part : parts) {
        if (part == "..")
            return std::nullopt;
        const bool twice =
            part == "**" && !pattern.m_parts.isEmpty() && pattern.m_parts.last() == "**";
        if (!part.isEmpty() && part != "." && !twice)
            pattern.m_parts.append(part);
    }
    if (pattern.m_parts.isEmpty() || pattern.m_parts.size() > kMostParts)
        return std::nullopt;
    while (pattern.m_start.size() + 1 < pattern.m_parts.size()
           && isLiteral(pattern.m_parts.at(pattern.m_start.size())))
        pattern.m_start.append(pattern.m_parts.at(pattern.m_start.size()));
    return pattern;
}

bool PathPattern::isDeep(qsizetype part) const
{
    return part < m_parts.size() && m_parts.at(part) == "**";
}

quint64 PathPattern::closed(quint64 set) const
{
    for (qsizetype i = 0; i < m_parts.size(); ++i)
        if ((set >> i & 1) && isDeep(i))
            set |= quint64(1) << (i + 1);
    return set;
}

bool PathPattern::matches(const QByteArray &path, bool hidden) const
{
    // The parts that may come next are a set, so that "**" costs no more than any other.
    quint64 set = closed(1);
    const QList<QByteArray> names = path.split('/');
    for (const QByteArray &name : names) {
        const bool shown = hidden || !name.startsWith('.');
        quint64 next = 0;
        for (qsizetype i = 0; i < m_parts.size(); ++i) {
            if (!(set >> i & 1))
                continue;
            if (isDeep(i))
                next |= shown ? quint64(1) << i : 0;
            else if ((shown || m_parts.at(i).startsWith('.')) && matchesName(m_parts.at(i), name))
                next |= quint64(1) << (i + 1);
        }
        set = closed(next);
        if (!set)
            return false;
    }
    return (set >> m_parts.size() & 1) != 0;
}

std::optional<qsizetype> PathPattern::depth() const
{
    if (m_parts.contains("**"))
        return std::nullopt;
    return m_parts.size() - m_start.size();
}

bool PathPattern::namesHidden() const
{
    return std::any_of(m_parts.begin(), m_parts.end(),
                       [](const QByteArray &part) { return part.startsWith('.'); });
}

QByteArray PathPattern::simpleEnd() const
{
    const QByteArray &end = m_parts.last();
    const bool simple = std::all_of(end.begin(), end.end(), [](char c) {
        return (c >= ' ' && c < 0x7F && c != '?' && c != '[' && c != '\\');
    });
    return simple && end != "**" ? end : QByteArray();
}

} // namespace berth::net
