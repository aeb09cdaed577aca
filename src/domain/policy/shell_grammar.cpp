// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/shell_reader.h"

#include <utility>

namespace berth::domain {

namespace {

constexpr qsizetype kMostSegments = 5000;
constexpr qsizetype kMostWords = 50'000;

bool isNameCharacter(char16_t c, bool first)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || c == u'_'
        || (!first && c >= u'0' && c <= u'9');
}

bool isMeta(char16_t c)
{
    return c == u';' || c == u'&' || c == u'|' || c == u'(' || c == u')' || c == u'<' || c == u'>';
}

bool isBlank(char16_t c)
{
    return c == u' ' || c == u'\t';
}

} // namespace

bool ShellReader::commands(bool mayBeEmpty)
{
    if (!list(mayBeEmpty))
        return false;
    if (!atEnd())
        return unknown("it has something that does not belong there");
    if (!m_pending.isEmpty())
        return unknown("a here-document is missing");
    return true;
}

//! Blanks, continued lines and a comment.
bool ShellReader::blanks()
{
    while (isBlank(at()) || (at() == u'\\' && at(1) == u'\n')) {
        const bool continued = at() == u'\\';
        if (continued && !m_pending.isEmpty())
            return unknown("a here-document follows a continued line");
        m_at += continued ? 2 : 1;
    }
    // Only where a word could begin.
    if (at() == u'#') {
        const qsizetype end = m_text.indexOf(u'\n', m_at);
        m_at = end < 0 ? m_text.size() : end;
    }
    return true;
}

bool ShellReader::newlines()
{
    while (true) {
        if (!blanks())
            return false;
        if (atEnd() || at() != u'\n')
            return true;
        if (!takeNewline())
            return false;
    }
}

//! The end of a line, and the here-documents that follow it.
bool ShellReader::takeNewline()
{
    ++m_at;
    ++m_newlines;
    const QList<HereDoc> docs = std::exchange(m_pending, {});
    for (const HereDoc &doc : docs) {
        if (!hereBody(doc))
            return false;
    }
    return true;
}

bool ShellReader::hereBody(const HereDoc &doc)
{
    QString body;
    while (true) {
        if (atEnd())
            return unknown("a here-document has no end");
        qsizetype end = m_text.indexOf(u'\n', m_at);
        if (end < 0)
            end = m_text.size();
        qsizetype from = m_at;
        while (doc.stripTabs && from < end && m_text.at(from) == u'\t')
            ++from;
        const QStringView row = QStringView(m_text).mid(from, end - from);
        m_at = end < m_text.size() ? end + 1 : end;
        if (row == doc.delimiter)
            break;
        body += row;
        body += u'\n';
    }
    bool known = true;
    if (!doc.quoted) {
        known = !body.contains(u'$') && !body.contains(u'`') && !body.contains(u'\\');
        if (!ShellReader(body, m_line, m_depth, m_nesting + 1).hereText())
            return false;
    }
    ShellRedirect &redirect = m_line->segments[doc.segment].redirects[doc.redirect];
    redirect.body = body;
    redirect.bodyIsKnown = known;
    return true;
}

//! The raw characters up to the next blank or operator.
QString ShellReader::bareWord() const
{
    qsizetype end = m_at;
    while (end < m_text.size() && end - m_at < 12) {
        const char16_t c = m_text.at(end).unicode();
        if (isBlank(c) || c == u'\n' || isMeta(c))
            break;
        ++end;
    }
    return m_text.mid(m_at, end - m_at);
}

bool ShellReader::isCloser() const
{
    if (atEnd() || at() == u')')
        return true;
    if (at() == u';')
        return at(1) == u';' || at(1) == u'&';
    const QString word = bareWord();
    return word == QLatin1String("then") || word == QLatin1String("do")
        || word == QLatin1String("done") || word == QLatin1String("fi")
        || word == QLatin1String("elif") || word == QLatin1String("else")
        || word == QLatin1String("esac") || word == QLatin1String("}");
}

bool ShellReader::expectWord(const char *word)
{
    if (!newlines())
        return false;
    if (bareWord() != QLatin1String(word))
        return unknown("a compound command is not complete");
    m_at += static_cast<qsizetype>(qstrlen(word));
    return true;
}

bool ShellReader::expectChar(char16_t c)
{
    if (!newlines())
        return false;
    if (atEnd() || at() != c)
        return unknown("a parenthesis is not closed");
    ++m_at;
    return true;
}

//! Commands up to what closes them, which is left.
bool ShellReader::list(bool mayBeEmpty)
{
    int count = 0;
    while (true) {
        if (!newlines())
            return false;
        if (isCloser())
            break;
        if (!andOr())
            return false;
        ++count;
        if (!blanks())
            return false;
        const char16_t c = at();
        if (atEnd() || c == u')' || isCloser())
            break;
        if (c == u';' || c == u'&')
            ++m_at;
        else if (c != u'\n')
            break;
    }
    if (count == 0 && !mayBeEmpty)
        return unknown("a command is missing");
    return true;
}

bool ShellReader::andOr()
{
    while (true) {
        if (!pipeline() || !blanks())
            return false;
        const bool more = (at() == u'&' && at(1) == u'&') || (at() == u'|' && at(1) == u'|');
        if (!more)
            return true;
        m_at += 2;
        if (!newlines())
            return false;
    }
}

bool ShellReader::pipeline()
{
    while (true) {
        const QString word = bareWord();
        if (word != QLatin1String("!") && word != QLatin1String("time"))
            break;
        // With options it may be the program of that name.
        qsizetype next = m_at + word.size();
        while (next < m_text.size() && isBlank(m_text.at(next).unicode()))
            ++next;
        const char16_t after = next < m_text.size() ? m_text.at(next).unicode() : u'\0';
        if (after == u'-' && word == QLatin1String("time"))
            break;
        m_at += word.size();
        if (!blanks())
            return false;
    }
    while (true) {
        if (!command() || !blanks())
            return false;
        if (at() != u'|' || at(1) == u'|')
            return true;
        m_at += at(1) == u'&' ? 2 : 1;
        if (!newlines())
            return false;
    }
}

bool ShellReader::command()
{
    if (!enter())
        return false;
    bool fine = false;
    if (at() == u'(') {
        if (at(1) == u'(')
            return unknown("it has an arithmetic command");
        ++m_at;
        fine = list(false) && expectChar(u')') && trailingRedirects();
    } else if (const QString word = bareWord(); isShellReserved(word)
               && word != QLatin1String("time") && word != QLatin1String("in")
               && word != QLatin1String("]]")) {
        fine = compound(word);
    } else {
        fine = simple();
    }
    leave();
    return fine;
}

bool ShellReader::compound(const QString &word)
{
    const qsizetype length = word.size();
    if (word == QLatin1String("{")) {
        m_at += length;
        return list(false) && expectWord("}") && trailingRedirects();
    }
    if (word == QLatin1String("if")) {
        m_at += length;
        return conditional() && trailingRedirects();
    }
    if (word == QLatin1String("while") || word == QLatin1String("until")) {
        m_at += length;
        return list(false) && loop() && trailingRedirects();
    }
    if (word == QLatin1String("for")) {
        m_at += length;
        return forLoop() && trailingRedirects();
    }
    if (word == QLatin1String("case")) {
        m_at += length;
        return caseOf() && trailingRedirects();
    }
    if (word == QLatin1String("[[")) {
        m_at += length;
        return test() && trailingRedirects();
    }
    if (word == QLatin1String("function")) {
        m_at += length;
        ShellWord name;
        if (!blanks() || !this->word(&name))
            return false;
        if (!name.isLiteral() || name.quoted || name.parts.isEmpty() || !blanks())
            return unknown("it has a function of an unusual name");
        if (at() == u'(') {
            ++m_at;
            if (!expectChar(u')'))
                return false;
        }
        return functionBody();
    }
    return unknown("it has a word of the shell that does not belong there");
}

bool ShellReader::conditional()
{
    while (true) {
        if (!list(false) || !expectWord("then") || !list(false) || !newlines())
            return false;
        const QString word = bareWord();
        if (word == QLatin1String("elif")) {
            m_at += word.size();
            continue;
        }
        if (word == QLatin1String("else")) {
            m_at += word.size();
            if (!list(false))
                return false;
        }
        return expectWord("fi");
    }
}

bool ShellReader::loop()
{
    return expectWord("do") && list(false) && expectWord("done");
}

bool ShellReader::forLoop()
{
    if (!blanks())
        return false;
    if (at() == u'(')
        return unknown("it has an arithmetic loop");
    ShellWord name;
    if (!word(&name))
        return false;
    const QString text = name.text();
    if (!name.isLiteral() || name.quoted || text.isEmpty()
        || !isNameCharacter(text.front().unicode(), true))
        return unknown("it has a loop over an unusual name");
    ShellSegment segment;
    segment.assignments.append({text, {}});
    begin(segment);
    if (!newlines())
        return false;
    if (bareWord() == QLatin1String("in")) {
        m_at += 2;
        if (!blanks())
            return false;
        while (!atEnd() && at() != u';' && at() != u'\n') {
            const qsizetype from = m_at;
            ShellWord item;
            if (!word(&item) || !blanks())
                return false;
            if (m_at == from)
                return unknown("it has a loop of an unknown form");
        }
    }
    if (!blanks())
        return false;
    if (at() == u';')
        ++m_at;
    return loop();
}

bool ShellReader::caseOf()
{
    ShellWord subject;
    if (!blanks() || !word(&subject) || !expectWord("in"))
        return false;
    while (true) {
        if (!newlines())
            return false;
        if (bareWord() == QLatin1String("esac")) {
            m_at += 4;
            return true;
        }
        if (at() == u'(') {
            ++m_at;
            if (!blanks())
                return false;
        }
        while (true) {
            const qsizetype from = m_at;
            ShellWord pattern;
            if (!word(&pattern) || !blanks())
                return false;
            if (m_at == from)
                return unknown("it has a case of an unknown form");
            if (at() != u'|')
                break;
            ++m_at;
            if (!blanks())
                return false;
        }
        if (at() != u')')
            return unknown("it has a case of an unknown form");
        ++m_at;
        if (!list(true) || !newlines())
            return false;
        if (at() == u';' && at(1) == u';')
            m_at += at(2) == u'&' ? 3 : 2;
        else if (at() == u';' && at(1) == u'&')
            m_at += 2;
        else if (bareWord() != QLatin1String("esac"))
            return unknown("it has a case of an unknown form");
    }
}

//! [[ … ]]; as a command of that name.
bool ShellReader::test()
{
    ShellSegment segment;
    ShellWord name;
    name.parts.append({ShellPart::Literal, QStringLiteral("[["), false});
    segment.words.append(name);
    while (true) {
        if (!blanks())
            return false;
        // For dash [[ is a command like any other, and what follows && or a newline is the next.
        const qsizetype from = m_at;
        ShellWord next;
        if (!word(&next))
            return false;
        const bool isLast = !next.quoted && next.text() == QLatin1String("]]");
        if (m_at == from || (atEnd() && !isLast))
            return unknown("it has a test of an unknown form");
        const QString text = next.text();
        if (!next.quoted && text == QLatin1String("]]"))
            break;
        if (text == QLatin1String("=~"))
            return unknown("it tests for a regular expression");
        segment.words.append(next);
        if (segment.words.size() > kMostWords)
            return unknown("it has too many words");
    }
    begin(segment);
    return true;
}

qsizetype ShellReader::begin(ShellSegment segment)
{
    segment.nesting = m_nesting;
    m_line->segments.append(std::move(segment));
    return m_line->segments.size() - 1;
}

bool ShellReader::isRedirect() const
{
    const char16_t c = at();
    if (c == u'&')
        return at(1) == u'>';
    return (c == u'<' || c == u'>') && at(1) != u'(';
}

bool ShellReader::trailingRedirects()
{
    if (!blanks())
        return false;
    qsizetype digits = 0;
    while (at(digits) >= u'0' && at(digits) <= u'9')
        ++digits;
    const bool withNumber = digits > 0 && (at(digits) == u'<' || at(digits) == u'>');
    if (!isRedirect() && !withNumber)
        return true;
    // As a command without words.
    return simple();
}

bool ShellReader::simple()
{
    if (m_line->segments.size() >= kMostSegments)
        return unknown("it has too many commands");
    // Added first, so that its substitutions come behind it and here-documents find it.
    const qsizetype index = begin({});
    ShellSegment segment;
    segment.nesting = m_nesting;
    const auto keep = [this, index, &segment] { m_line->segments[index] = segment; };
    while (true) {
        if (!blanks()) {
            keep();
            return false;
        }
        const char16_t c = at();
        if (atEnd() || c == u'\n' || c == u';' || c == u'|' || c == u')'
            || (c == u'&' && at(1) != u'>'))
            break;
        if (c == u'(') {
            const bool isFunction = segment.words.size() == 1 && segment.assignments.isEmpty()
                && segment.redirects.isEmpty() && segment.words.first().isLiteral()
                && !segment.words.first().quoted;
            keep();
            if (!isFunction)
                return unknown("it has a parenthesis that does not belong there");
            m_line->segments[index].words.clear();
            ++m_at;
            return expectChar(u')') && functionBody();
        }
        // dash ends the command at that & and runs what stands behind the file's name.
        if (!segment.redirects.isEmpty()
            && segment.redirects.constLast().op.startsWith(QLatin1String("&>"))) {
            keep();
            return unknown("something follows &> and its file, which shells read differently");
        }
        bool done = false;
        if (isRedirect()) {
            done = redirect(&segment, index);
        } else {
            bool found = false;
            done = segment.words.isEmpty() ? assignment(&segment, &found) : true;
            if (done && !found) {
                const qsizetype from = m_at;
                ShellWord next;
                done = word(&next);
                // By itself it matches nothing but itself.
                if (next.parts.size() == 1 && next.text() == QLatin1String("["))
                    next.parts.first().kind = ShellPart::Literal;
                const QString text = next.text();
                const bool bare =
                    !next.quoted && (at() == u'<' || at() == u'>') && m_at - from == text.size();
                bool isNumber = bare;
                for (const QChar digit : text)
                    isNumber = isNumber && digit >= u'0' && digit <= u'9';
                if (done && isNumber) {
                    done = redirect(&segment, index);
                    if (done)
                        segment.redirects.last().descriptor = text;
                } else if (done && bare && text.startsWith(u'{') && text.endsWith(u'}')) {
                    // {name}>file puts a number into a variable.
                    segment.assignments.append({text.mid(1, text.size() - 2), {}});
                    done = redirect(&segment, index);
                } else if (done && segment.words.isEmpty() && !next.quoted && isShellReserved(text)
                           && text != QLatin1String("time")) {
                    done = unknown("it has a word of the shell that does not belong there");
                } else if (done && m_at == from) {
                    done = unknown("it has something that does not belong there");
                } else {
                    segment.words.append(next);
                    if (done && segment.words.size() > kMostWords)
                        done = unknown("it has too many words");
                }
            }
        }
        if (!done) {
            keep();
            return false;
        }
    }
    keep();
    if (segment.words.isEmpty() && segment.assignments.isEmpty() && segment.redirects.isEmpty())
        return unknown("a command is missing");
    return true;
}

//! NAME=value, NAME=( … ), where one begins here.
bool ShellReader::assignment(ShellSegment *segment, bool *found)
{
    qsizetype end = 0;
    while (isNameCharacter(at(end), end == 0))
        ++end;
    if (end == 0)
        return true;
    if (at(end) == u'[')
        return unknown("it sets an element of an array, or has a name with a bracket");
    // For dash it is the name of a command.
    if (at(end) == u'+' && at(end + 1) == u'=')
        return unknown("it adds to a variable");
    if (at(end) != u'=')
        return true;
    *found = true;
    ShellAssignment made{m_text.mid(m_at, end), {}};
    m_at += end + 1;
    if (at() == u'(') {
        ++m_at;
        if (!array())
            return false;
    } else if (!word(&made.value)) {
        return false;
    }
    segment->assignments.append(made);
    if (segment->assignments.size() > kMostWords)
        return unknown("it has too many words");
    return true;
}

//! The elements and the parenthesis that closes them.
bool ShellReader::array()
{
    while (true) {
        if (!blanks())
            return false;
        if (at() == u'\n') {
            if (!quotedNewline())
                return false;
            ++m_at;
            continue;
        }
        if (at() == u')') {
            ++m_at;
            return true;
        }
        if (at() == u'[')
            return unknown("it has an array with computed indices");
        const qsizetype from = m_at;
        ShellWord element;
        if (!word(&element))
            return false;
        if (m_at == from)
            return unknown("an array is not closed");
    }
}

bool ShellReader::functionBody()
{
    hazard("defines a function");
    if (!newlines())
        return false;
    const QString word = bareWord();
    if (at() != u'(' && word != QLatin1String("{") && word != QLatin1String("if")
        && word != QLatin1String("while") && word != QLatin1String("until")
        && word != QLatin1String("for") && word != QLatin1String("case")
        && word != QLatin1String("[["))
        return unknown("a function has no body");
    return command();
}

bool ShellReader::redirect(ShellSegment *segment, qsizetype index)
{
    static constexpr const char *kOperators[] = {"&>>", "&>", "<<<", "<<-", "<<", "<&",
                                                 "<>",  "<",  ">>",  ">&",  ">|", ">"};
    ShellRedirect made;
    for (const char *op : kOperators) {
        const QLatin1String text(op);
        if (QStringView(m_text).mid(m_at).startsWith(text)) {
            made.op = text;
            break;
        }
    }
    m_at += made.op.size();
    if (!blanks())
        return false;
    const bool isHere = made.op == QLatin1String("<<") || made.op == QLatin1String("<<-");
    const qsizetype from = m_at;
    if (!word(&made.target))
        return false;
    if (m_at == from)
        return unknown("a redirection has no target");
    if (isHere) {
        const QStringView raw = QStringView(m_text).mid(from, m_at - from);
        const QString delimiter = made.target.text();
        if (raw.contains(u'$') || raw.contains(u'`') || delimiter.contains(u'\n')
            || made.target.has(ShellPart::Process))
            return unknown("a here-document has an unusual delimiter");
        m_pending.append({delimiter, made.op == QLatin1String("<<-"), made.target.quoted, index,
                          segment->redirects.size()});
    } else if (made.op == QLatin1String("<<<") && made.target.isLiteral()) {
        made.body = made.target.text() + u'\n';
        made.bodyIsKnown = true;
    }
    segment->redirects.append(made);
    if (segment->redirects.size() > kMostWords)
        return unknown("it has too many redirections");
    return true;
}

} // namespace berth::domain
