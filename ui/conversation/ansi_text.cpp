// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/ansi_text.h"

namespace berth::ui {

namespace {

constexpr qsizetype kLongestControl = 64;
constexpr qsizetype kLongestString = 4096;
constexpr qsizetype kMostStyles = 4096;

//! Nothing of it is seen: no width, another direction, or a line that ends where none seems to.
bool isHidden(char32_t c)
{
    return (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e)
        || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || c == 0x061c || c == 0x00ad || c == 0x034f
        || c == 0x115f || c == 0x1160 || c == 0x17b4 || c == 0x17b5 || (c >= 0x180b && c <= 0x180f)
        || c == 0x3164 || c == 0xffa0 || (c >= 0xfe00 && c <= 0xfe0e)
        || (c >= 0xfff0 && c <= 0xfffb) || (c >= 0xd800 && c <= 0xdfff)
        || (c >= 0x1d173 && c <= 0x1d17a) || (c >= 0xe0000 && c <= 0xe0fff);
}

bool isBidi(char16_t c)
{
    return c == 0x200e || c == 0x200f || c == 0x061c || (c >= 0x202a && c <= 0x202e)
        || (c >= 0x2066 && c <= 0x2069);
}

} // namespace

AnsiText::AnsiText(qsizetype maxLines) : m_maxLines(maxLines)
{
    clear();
}

void AnsiText::clear()
{
    m_lines.clear();
    m_lines.emplace_back();
    m_styles = {SgrStyle{}};
    m_column = 0;
    m_dropped = 0;
    m_out = Stream{};
    m_err = Stream{};
    m_err.style.fromStderr = true;
    m_err.styleIndex = indexOf(m_err.style);
}

void AnsiText::feed(domain::OutputStream which, QByteArrayView bytes)
{
    Stream &stream = which == domain::OutputStream::Stderr ? m_err : m_out;
    const QString text = stream.decoder.decode(bytes);
    for (const QChar c : text)
        step(stream, c);
}

void AnsiText::step(Stream &stream, QChar c)
{
    const char16_t code = c.unicode();
    if (stream.state != State::Ground && (code == 0x18 || code == 0x1a)) { // CAN, SUB
        stream.state = State::Ground;
        return;
    }
    switch (stream.state) {
    case State::Ground:
        ground(stream, c);
        return;
    case State::Escape:
        if (code == '[') {
            stream.parameters.clear();
            stream.state = State::Csi;
        } else if (code == ']' || code == 'P' || code == 'X' || code == '^' || code == '_') {
            stream.swallowed = 0;
            stream.state = State::String;
        } else if (code >= 0x20 && code <= 0x2f) {
            stream.state = State::EscapeIntermediate;
        } else if (code == 0x1b) {
            return;
        } else {
            stream.state = State::Ground;
            if (code < 0x20)
                ground(stream, c);
        }
        return;
    case State::EscapeIntermediate:
        if (code >= 0x20 && code <= 0x2f)
            return;
        stream.state = State::Ground;
        if (code < 0x20)
            ground(stream, c);
        return;
    case State::Csi:
        if (code == 0x1b) {
            stream.state = State::Escape;
        } else if (code < 0x20) {
            ground(stream, c); // a terminal obeys controls inside of a sequence
        } else if (code >= 0x40 && code <= 0x7e) {
            stream.state = State::Ground;
            csi(stream, c);
        } else if (code > 0x7e) {
            stream.state = State::Ground;
            ground(stream, c);
        } else if (stream.parameters.size() < kLongestControl) {
            stream.parameters.append(c);
        }
        return;
    case State::String:
        if (code == 0x07 || code == 0x9c) {
            stream.state = State::Ground;
        } else if (code == 0x1b) {
            stream.state = State::StringEscape;
        } else if (code == '\n' || ++stream.swallowed > kLongestString) {
            // Never ended: it must not swallow the rest of the output.
            stream.state = State::Ground;
            ground(stream, c);
        }
        return;
    case State::StringEscape:
        if (code == '\\') {
            stream.state = State::Ground;
        } else {
            stream.state = State::Escape;
            step(stream, c);
        }
        return;
    }
}

void AnsiText::ground(Stream &stream, QChar c)
{
    const char16_t code = c.unicode();
    switch (code) {
    case '\n':
        newLine();
        return;
    case '\r':
        m_column = 0;
        return;
    case '\b':
        m_column = qMax<qsizetype>(0, m_column - 1);
        return;
    case '\t': {
        const qsizetype stop = (m_column / 8 + 1) * 8;
        while (m_column < stop && m_column < kLongestLine)
            write(stream.styleIndex, QLatin1Char(' '));
        return;
    }
    case 0x1b:
        stream.state = State::Escape;
        return;
    case 0x9b:
        stream.parameters.clear();
        stream.state = State::Csi;
        return;
    case 0x90:
    case 0x98:
    case 0x9d:
    case 0x9e:
    case 0x9f:
        stream.swallowed = 0;
        stream.state = State::String;
        return;
    default:
        break;
    }
    if (code < 0x20 || (code >= 0x7f && code < 0xa0))
        return;
    // A direction mark could make a line read other than it is.
    write(stream.styleIndex, isBidi(code) ? QChar(QChar::ReplacementCharacter) : c);
}

void AnsiText::write(quint16 style, QChar c)
{
    if (m_column >= kLongestLine)
        newLine();
    AnsiLine &line = m_lines.back();
    if (m_column < line.text.size()) {
        line.text[m_column] = c;
        line.styles[m_column] = style;
    } else {
        line.text.append(c);
        line.styles.append(style);
    }
    ++m_column;
}

void AnsiText::newLine()
{
    m_lines.emplace_back();
    m_column = 0;
    while (static_cast<qsizetype>(m_lines.size()) > m_maxLines) {
        m_lines.pop_front();
        ++m_dropped;
    }
}

void AnsiText::csi(Stream &stream, QChar final)
{
    if (final == QLatin1Char('m')) {
        sgr(stream);
        return;
    }
    if (final != QLatin1Char('K'))
        return;
    AnsiLine &line = m_lines.back();
    if (stream.parameters.isEmpty() || stream.parameters == QLatin1String("0")) {
        line.text.truncate(m_column);
        line.styles.resize(line.text.size());
    } else if (stream.parameters == QLatin1String("2")) {
        line.text.fill(QLatin1Char(' '), m_column);
        line.styles.fill(0, m_column);
    }
}

void AnsiText::sgr(Stream &stream)
{
    if (!stream.parameters.isEmpty() && stream.parameters.at(0) > QLatin1Char(';'))
        return; // a private one
    QString text = stream.parameters;
    text.replace(QLatin1Char(':'), QLatin1Char(';'));
    QList<int> codes;
    for (const QStringView part : QStringView(text).split(QLatin1Char(';')))
        codes.append(part.isEmpty() ? 0 : part.toInt());
    SgrStyle &s = stream.style;
    for (qsizetype i = 0; i < codes.size(); ++i) {
        const int code = codes.at(i);
        if (code == 0) {
            const bool fromStderr = s.fromStderr;
            s = SgrStyle{};
            s.fromStderr = fromStderr;
        } else if (code == 1) {
            s.bold = true;
        } else if (code == 2) {
            s.faint = true;
        } else if (code == 3) {
            s.italic = true;
        } else if (code == 4) {
            s.underline = true;
        } else if (code == 7) {
            s.inverse = true;
        } else if (code == 21 || code == 22) {
            s.bold = s.faint = false;
        } else if (code == 23) {
            s.italic = false;
        } else if (code == 24) {
            s.underline = false;
        } else if (code == 27) {
            s.inverse = false;
        } else if (code >= 30 && code <= 37) {
            s.foreground = code - 30;
        } else if (code == 39) {
            s.foreground = SgrStyle::kDefault;
        } else if (code >= 40 && code <= 47) {
            s.background = code - 40;
        } else if (code == 49) {
            s.background = SgrStyle::kDefault;
        } else if (code >= 90 && code <= 97) {
            s.foreground = code - 90 + 8;
        } else if (code >= 100 && code <= 107) {
            s.background = code - 100 + 8;
        } else if (code == 38 || code == 48) {
            qint32 color = SgrStyle::kDefault;
            if (i + 2 < codes.size() && codes.at(i + 1) == 5) {
                color = qBound(0, codes.at(i + 2), 255);
                i += 2;
            } else if (i + 4 < codes.size() && codes.at(i + 1) == 2) {
                color = SgrStyle::kTrueColor | (qBound(0, codes.at(i + 2), 255) << 16)
                    | (qBound(0, codes.at(i + 3), 255) << 8) | qBound(0, codes.at(i + 4), 255);
                i += 4;
            } else {
                break;
            }
            (code == 38 ? s.foreground : s.background) = color;
        }
    }
    stream.styleIndex = indexOf(s);
}

quint16 AnsiText::indexOf(const SgrStyle &style)
{
    const qsizetype at = m_styles.lastIndexOf(style);
    if (at >= 0)
        return static_cast<quint16>(at);
    if (m_styles.size() >= kMostStyles)
        return 0;
    m_styles.append(style);
    return static_cast<quint16>(m_styles.size() - 1);
}

qsizetype AnsiText::lineCount() const
{
    const auto count = static_cast<qsizetype>(m_lines.size());
    return m_lines.back().text.isEmpty() ? count - 1 : count;
}

QString AnsiText::plainText() const
{
    QString text;
    for (const AnsiLine &line : m_lines) {
        text += line.text;
        text += QLatin1Char('\n');
    }
    text.chop(1);
    return text;
}

QString visibleText(const QString &text)
{
    QString result;
    result.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        char32_t code = text[i].unicode();
        const bool isPair =
            text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
        if (isPair)
            code = QChar::surrogateToUcs4(text[i], text[i + 1]);
        const bool isSpace = code == U'\n' || code == U'\t';
        if (!isSpace && (code < 0x20 || (code >= 0x7f && code < 0xa0) || isHidden(code)))
            result += QStringLiteral("\\u{%1}").arg(static_cast<uint>(code), 0, 16);
        else
            result += QStringView(text).sliced(i, isPair ? 2 : 1);
        i += isPair ? 1 : 0;
    }
    return result;
}

} // namespace berth::ui
