// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/shell_reader.h"

namespace berth::domain {

namespace {

constexpr qsizetype kMostParts = 100'000;
constexpr int kDeepest = 32;

bool isNameStart(char16_t c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || c == u'_';
}

bool isDigit(char16_t c)
{
    return c >= u'0' && c <= u'9';
}

bool isSpecialParameter(char16_t c)
{
    return c == u'@' || c == u'*' || c == u'#' || c == u'?' || c == u'-' || c == u'$' || c == u'!';
}

//! -1: none of that base.
int digitOf(char16_t c, int base)
{
    int value = -1;
    if (isDigit(c))
        value = c - u'0';
    else if (c >= u'a' && c <= u'f')
        value = c - u'a' + 10;
    else if (c >= u'A' && c <= u'F')
        value = c - u'A' + 10;
    return value < base ? value : -1;
}

char16_t simpleEscape(char16_t c)
{
    switch (c) {
    case u'n':
        return u'\n';
    case u't':
        return u'\t';
    case u'r':
        return u'\r';
    case u'a':
        return u'\a';
    case u'b':
        return u'\b';
    case u'e':
    case u'E':
        return u'\x1b';
    case u'f':
        return u'\f';
    case u'v':
        return u'\v';
    case u'\\':
    case u'"':
    case u'?':
        return c;
    default:
        return u'\0';
    }
}

} // namespace

bool ShellReader::unknown(const char *why)
{
    if (m_line->unknown.isEmpty())
        m_line->unknown = QLatin1String(why);
    return false;
}

void ShellReader::hazard(const char *what)
{
    const QLatin1String text(what);
    if (!m_line->hazards.contains(text))
        m_line->hazards.append(text);
}

bool ShellReader::enter()
{
    if (++m_depth > kDeepest)
        return unknown("it is nested too deep");
    return true;
}

bool ShellReader::add(ShellWord *out, ShellPart::Kind kind, const QString &text, bool quoted)
{
    if (!out)
        return true;
    if (kind == ShellPart::Literal && !out->parts.isEmpty()
        && out->parts.last().kind == ShellPart::Literal && out->parts.last().quoted == quoted) {
        out->parts.last().text += text;
        return true;
    }
    if (out->parts.size() >= kMostParts)
        return unknown("a word has too many parts");
    out->parts.append({kind, text, quoted});
    return true;
}

//! Where a here-document waits for its text, shells differ on whether a newline within quotes
//! begins it.
bool ShellReader::quotedNewline()
{
    ++m_newlines;
    if (!m_pending.isEmpty())
        return unknown("a here-document begins within quotes");
    return true;
}

bool ShellReader::word(ShellWord *out)
{
    while (!atEnd()) {
        const char16_t c = at();
        switch (c) {
        case u' ':
        case u'\t':
        case u'\n':
        case u';':
        case u'&':
        case u'|':
        case u'(':
        case u')':
            return true;
        case u'<':
        case u'>':
            if (at(1) != u'(')
                return true;
            if (!substitution(out, ShellPart::Process, false))
                return false;
            continue;
        case u'\'':
            if (!single(out))
                return false;
            continue;
        case u'"':
            if (!doubled(out))
                return false;
            continue;
        case u'`':
            if (!backtick(out, false))
                return false;
            continue;
        case u'$':
            if (!dollar(out, false))
                return false;
            continue;
        case u'\\':
            if (m_at + 1 >= m_text.size())
                return unknown("it ends with a backslash");
            if (at(1) == u'\n') {
                // The line goes on; only the plain case is taken, where the word ends here.
                if (at(2) != u' ' && at(2) != u'\t')
                    return unknown("a word goes on over the end of a line");
                return true;
            }
            out->quoted = true;
            // Both halves of a character outside the BMP.
            if (!add(out, ShellPart::Literal, QString(m_text.at(m_at + 1)), true))
                return false;
            m_at += 2;
            continue;
        case u'*':
        case u'?':
        case u'[':
            if (!add(out, ShellPart::Glob, QString(QChar(c)), false))
                return false;
            break;
        case u'{':
            if (at(1) == u'}') {
                if (!add(out, ShellPart::Literal, QStringLiteral("{}"), false))
                    return false;
                m_at += 2;
                continue;
            }
            if (!add(out, ShellPart::Brace, QString(QChar(c)), false))
                return false;
            break;
        case u'}':
            if (!add(out, ShellPart::Brace, QString(QChar(c)), false))
                return false;
            break;
        case u'~': {
            const char16_t before = m_at > 0 ? m_text.at(m_at - 1).unicode() : u' ';
            const bool expands = out->parts.isEmpty() || before == u'=' || before == u':';
            if (!add(out, expands ? ShellPart::Tilde : ShellPart::Literal, QString(QChar(c)),
                     false))
                return false;
            break;
        }
        default: {
            const qsizetype from = m_at;
            while (!atEnd()) {
                const char16_t next = at();
                if (next < 0x80 && !isNameStart(next) && !isDigit(next) && next != u'-'
                    && next != u'.' && next != u'/')
                    break;
                ++m_at;
            }
            if (m_at == from)
                ++m_at;
            if (!add(out, ShellPart::Literal, m_text.mid(from, m_at - from), false))
                return false;
            continue;
        }
        }
        ++m_at;
    }
    return true;
}

bool ShellReader::single(ShellWord *out)
{
    const qsizetype end = m_text.indexOf(u'\'', m_at + 1);
    if (end < 0)
        return unknown("a quote is not closed");
    const QString text = m_text.mid(m_at + 1, end - m_at - 1);
    if (text.contains(u'\n') && !quotedNewline())
        return false;
    if (out)
        out->quoted = true;
    m_at = end + 1;
    return add(out, ShellPart::Literal, text, true);
}

//! $'…'. A shell without it sees a $ and a plain quoted text: an escaped quote would end that.
bool ShellReader::ansiC(ShellWord *out)
{
    m_at += 2;
    QString text;
    while (true) {
        if (atEnd())
            return unknown("a quote is not closed");
        const char16_t c = at();
        ++m_at;
        if (c == u'\'')
            break;
        if (c == u'\n' && !quotedNewline())
            return false;
        if (c != u'\\') {
            text += QChar(c);
            continue;
        }
        const char16_t escaped = at();
        if (const char16_t plain = simpleEscape(escaped); plain != u'\0') {
            text += QChar(plain);
            ++m_at;
            continue;
        }
        const bool hex = escaped == u'x';
        if (!hex && digitOf(escaped, 8) < 0)
            return unknown("it has an escape in $'…' that shells read differently");
        if (hex)
            ++m_at;
        int value = 0;
        for (int digits = 0; digits < (hex ? 2 : 3); ++digits) {
            const int digit = digitOf(at(), hex ? 16 : 8);
            if (digit < 0)
                break;
            value = value * (hex ? 16 : 8) + digit;
            ++m_at;
        }
        if (value <= 0 || value > 0x7e)
            return unknown("it has an escape in $'…' that is no plain character");
        text += QChar(static_cast<char16_t>(value));
    }
    out->quoted = true;
    return add(out, ShellPart::Literal, text, true);
}

bool ShellReader::doubled(ShellWord *out)
{
    if (out)
        out->quoted = true;
    ++m_at;
    qsizetype from = m_at;
    while (true) {
        if (atEnd())
            return unknown("a quote is not closed");
        const char16_t c = at();
        if (c != u'"' && c != u'\\' && c != u'$' && c != u'`') {
            if (c == u'\n' && !quotedNewline())
                return false;
            ++m_at;
            continue;
        }
        if (m_at > from && !add(out, ShellPart::Literal, m_text.mid(from, m_at - from), true))
            return false;
        if (c == u'"') {
            ++m_at;
            return true;
        }
        if (c == u'$') {
            if (!dollar(out, true))
                return false;
        } else if (c == u'`') {
            if (!backtick(out, true))
                return false;
        } else {
            const char16_t next = at(1);
            if (next == u'\n') {
                if (!quotedNewline())
                    return false;
                m_at += 2;
            } else if (next == u'$' || next == u'`' || next == u'"' || next == u'\\') {
                if (!add(out, ShellPart::Literal, QString(QChar(next)), true))
                    return false;
                m_at += 2;
            } else {
                if (!add(out, ShellPart::Literal, QStringLiteral("\\"), true))
                    return false;
                ++m_at;
            }
        }
        from = m_at;
    }
}

bool ShellReader::dollar(ShellWord *out, bool inDouble)
{
    const char16_t next = at(1);
    if (next == u'(')
        return at(2) == u'(' ? arithmetic(out, inDouble)
                             : substitution(out, ShellPart::Command, inDouble);
    if (next == u'{')
        return braces(out, inDouble);
    if (next == u'\'' && !inDouble)
        return out ? ansiC(out) : unknown("it has $'…' in an unusual place");
    if (next == u'"' && !inDouble) {
        // Translated by bash.
        ++m_at;
        return add(out, ShellPart::Parameter, {}, true) && doubled(out);
    }
    if (next == u'[')
        return unknown("it has arithmetic of the old form");
    if (next == u'\\' && at(2) == u'\n')
        return unknown("an expansion goes on over the end of a line");
    if (next >= 0x80)
        return unknown("it has a parameter with an unusual name");
    if (isNameStart(next)) {
        const qsizetype from = m_at + 1;
        m_at = from;
        while (isNameStart(at()) || isDigit(at()))
            ++m_at;
        // The continuation of a line would go on with the name.
        if (at() == u'\\' && at(1) == u'\n')
            return unknown("an expansion goes on over the end of a line");
        return add(out, ShellPart::Parameter, m_text.mid(from, m_at - from), inDouble);
    }
    if (isDigit(next) || isSpecialParameter(next)) {
        m_at += 2;
        return add(out, ShellPart::Parameter, QString(QChar(next)), inDouble);
    }
    ++m_at;
    return add(out, ShellPart::Literal, QStringLiteral("$"), inDouble);
}

bool ShellReader::braces(ShellWord *out, bool inDouble)
{
    if (!enter())
        return false;
    m_at += 2;
    bool isLength = false;
    if (at() == u'!' && at(1) != u'}') {
        hazard("expands a variable whose name is in another one");
        ++m_at;
    } else if (at() == u'#' && at(1) != u'}') {
        isLength = true;
        ++m_at;
    }
    const qsizetype from = m_at;
    if (isNameStart(at())) {
        while (isNameStart(at()) || isDigit(at()))
            ++m_at;
    } else if (isDigit(at())) {
        while (isDigit(at()))
            ++m_at;
    } else if (isSpecialParameter(at())) {
        ++m_at;
    } else {
        return unknown("it has an expansion of an unknown form");
    }
    QString name = m_text.mid(from, m_at - from);
    if (at() == u'[') {
        const qsizetype close = m_text.indexOf(u']', m_at);
        if (close < 0)
            return unknown("a bracket is not closed");
        for (qsizetype i = m_at + 1; i < close; ++i) {
            // A subscript is arithmetic, and that may run commands.
            if (const char16_t c = m_text.at(i).unicode(); !isDigit(c) && c != u'@' && c != u'*')
                return unknown("it has a computed array index");
            name += m_text.at(i);
        }
        m_at = close + 1;
    }
    if (at() != u'}') {
        if (isLength)
            return unknown("it has an expansion of an unknown form");
        const char16_t op = at();
        ++m_at;
        switch (op) {
        case u':':
            if (at() == u'=')
                hazard("sets a variable within an expansion");
            else if (at() != u'-' && at() != u'+' && at() != u'?')
                hazard("computes a part of a variable");
            break;
        case u'=':
            hazard("sets a variable within an expansion");
            break;
        case u'@':
            if (at() != u'Q' && at() != u'U' && at() != u'u' && at() != u'L' && at() != u'E')
                hazard("transforms a variable");
            break;
        case u'-':
        case u'+':
        case u'?':
        case u'#':
        case u'%':
        case u'/':
        case u'^':
        case u',':
        case u'*':
            break;
        default:
            return unknown("it has an expansion of an unknown form");
        }
        if (!bracedWord(inDouble))
            return false;
    }
    ++m_at;
    leave();
    return add(out, ShellPart::Parameter, name, inDouble);
}

//! Up to the closing brace, which is left.
bool ShellReader::bracedWord(bool inDouble)
{
    while (true) {
        if (atEnd())
            return unknown("a brace is not closed");
        switch (at()) {
        case u'}':
            return true;
        case u'\\':
            if (at(1) == u'\n')
                return unknown("an expansion goes on over the end of a line");
            m_at += 2;
            continue;
        case u'\'':
        case u'"':
            // What a quote means here depends on the operator and on the shell.
            if (inDouble)
                return unknown("it has quotes within a quoted expansion");
            if (at() == u'"' ? !doubled(nullptr) : !single(nullptr))
                return false;
            continue;
        case u'$':
            if (!dollar(nullptr, inDouble))
                return false;
            continue;
        case u'`':
            if (!backtick(nullptr, inDouble))
                return false;
            continue;
        case u'<':
        case u'>':
            if (at(1) == u'(')
                return unknown("it has a process substitution within an expansion");
            break;
        case u'{':
            return unknown("it has a brace within an expansion");
        case u'\n':
            if (!quotedNewline())
                return false;
            break;
        default:
            break;
        }
        ++m_at;
    }
}

bool ShellReader::arithmetic(ShellWord *out, bool inDouble)
{
    if (!enter())
        return false;
    m_at += 3;
    int open = 0;
    while (true) {
        if (atEnd())
            return unknown("arithmetic is not closed");
        const char16_t c = at();
        if (c == u')') {
            if (open-- == 0)
                break;
            ++m_at;
        } else if (c == u'(') {
            ++open;
            ++m_at;
        } else if (c == u'$' || c == u'`') {
            // Values are computed in turn, and an index in them may run commands.
            hazard("computes with variables");
            if (c == u'$' ? !dollar(nullptr, true) : !backtick(nullptr, true))
                return false;
        } else if (isDigit(c)) {
            while (isDigit(at()) || isNameStart(at()))
                ++m_at;
        } else if (isNameStart(c)) {
            hazard("computes with variables");
            ++m_at;
        } else if (c == u' ' || c == u'\t' || QStringView(u"+-*/%<>=!&|^~?:,").contains(c)) {
            ++m_at;
        } else {
            return unknown("it has arithmetic of an unknown form");
        }
    }
    if (at(1) != u')')
        return unknown("it may be arithmetic or commands");
    m_at += 2;
    leave();
    return add(out, ShellPart::Arithmetic, {}, inDouble);
}

//! $(…), <(…), >(…)
bool ShellReader::substitution(ShellWord *out, ShellPart::Kind kind, bool inDouble)
{
    if (!enter())
        return false;
    m_at += 2;
    const QList<HereDoc> outer = std::exchange(m_pending, {});
    const qsizetype newlinesBefore = m_newlines;
    ++m_nesting;
    if (!list(true))
        return false;
    if (at() != u')' || atEnd())
        return unknown("a substitution is not closed");
    if (!m_pending.isEmpty() || (!outer.isEmpty() && m_newlines != newlinesBefore))
        return unknown("a here-document and a substitution overlap");
    m_pending = outer;
    --m_nesting;
    ++m_at;
    leave();
    return add(out, kind, {}, inDouble);
}

bool ShellReader::backtick(ShellWord *out, bool inDouble)
{
    if (!enter())
        return false;
    const qsizetype end = m_text.indexOf(u'`', m_at + 1);
    if (end < 0)
        return unknown("a backtick is not closed");
    const QString inner = m_text.mid(m_at + 1, end - m_at - 1);
    if (inner.contains(u'\\'))
        return unknown("it has a backslash within backticks");
    if (inner.contains(u'\n') && !quotedNewline())
        return false;
    if (!ShellReader(inner, m_line, m_depth, m_nesting + 1).commands(true))
        return false;
    m_at = end + 1;
    leave();
    return add(out, ShellPart::Command, {}, inDouble);
}

bool ShellReader::hereText()
{
    while (!atEnd()) {
        const char16_t c = at();
        if (c == u'\\') {
            if (at(1) == u'\n')
                return unknown("a line of a here-document goes on over its end");
            m_at += 2;
        } else if (c == u'$') {
            if (!dollar(nullptr, true))
                return false;
        } else if (c == u'`') {
            if (!backtick(nullptr, true))
                return false;
        } else {
            ++m_at;
        }
    }
    return true;
}

} // namespace berth::domain
