// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_filter.h"

#include <QtCore/QByteArrayList>

#include <utility>

namespace berth::ui {

namespace {

constexpr char kEscape = '\x1b';
constexpr char kCancel = '\x18';
constexpr char kSubstitute = '\x1a';

bool opensString(char c)
{
    return c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_';
}

//! How many bytes at the end are the beginning of a character.
qsizetype incompleteTail(QByteArrayView run)
{
    for (qsizetype back = 1; back <= 3 && back <= run.size(); ++back) {
        const auto byte = static_cast<unsigned char>(run[run.size() - back]);
        if ((byte & 0xc0) == 0x80)
            continue;
        const qsizetype length = byte >= 0xf0 && byte < 0xf8 ? 4
            : byte >= 0xe0                                   ? 3
            : byte >= 0xc0                                   ? 2
                                                             : 1;
        return byte < 0xf8 && length > back ? back : 0;
    }
    return 0;
}

//! The form with an empty colour space (38:2::r:g:b), which the library reads wrongly, without it.
QByteArray plainColours(const QByteArray &parameters)
{
    if (!parameters.contains(':'))
        return parameters;
    QByteArrayList groups = parameters.split(';');
    for (QByteArray &group : groups) {
        QByteArrayList parts = group.split(':');
        if (parts.size() >= 6 && parts[1] == "2")
            parts.removeAt(2);
        group = parts.join(':');
    }
    return groups.join(';');
}

bool isControl(char c)
{
    return static_cast<unsigned char>(c) < 0x20;
}

} // namespace

void TerminalFilter::reset()
{
    m_state = State::Ground;
    m_kept.clear();
    m_partial.clear();
    m_length = 0;
}

void TerminalFilter::text(QByteArrayView run, Sink &sink) const
{
    if (!m_addsReturn) {
        if (!run.isEmpty())
            sink.pass(run);
        return;
    }
    while (!run.isEmpty()) {
        const qsizetype feed = run.indexOf('\n');
        if (feed < 0) {
            sink.pass(run);
            return;
        }
        sink.pass(run.first(feed));
        sink.pass("\r\n");
        run = run.sliced(feed + 1);
    }
}

void TerminalFilter::ground(QByteArrayView run, Sink &sink)
{
    // The library makes of a broken character one thing or another by where it was cut.
    QByteArray joined;
    if (!m_partial.isEmpty()) {
        joined = m_partial + run.toByteArray();
        run = joined;
        m_partial.clear();
    }
    const qsizetype tail = incompleteTail(run);
    text(run.chopped(tail), sink);
    m_partial = run.last(tail).toByteArray();
}

void TerminalFilter::flush(Sink &sink)
{
    if (!m_partial.isEmpty())
        sink.pass(std::exchange(m_partial, {}));
}

void TerminalFilter::escape(char c, Sink &sink)
{
    // The escape itself was kept back until it is known what it opens.
    if (c == kEscape)
        return;
    if (c == kCancel || c == kSubstitute) {
        m_state = State::Ground;
        return;
    }
    if (isControl(c)) {
        flush(sink);
        text(QByteArrayView(&c, 1), sink);
        return;
    }
    if (opensString(c)) {
        flush(sink);
        m_kind = c;
        m_length = 0;
        m_kept.clear();
        m_state = State::String;
        return;
    }
    flush(sink);
    m_kept.clear();
    if (c == '[') {
        m_state = State::Csi;
        return;
    }
    m_kept = QByteArray(1, kEscape) + c;
    if (static_cast<unsigned char>(c) < 0x30) {
        m_state = State::Intermediate;
        return;
    }
    m_state = State::Ground;
    sink.pass(std::exchange(m_kept, {}));
}

//! Also of an escape sequence with intermediate bytes; both are passed on when they are whole.
void TerminalFilter::csi(char c, Sink &sink)
{
    const bool sequence = m_state == State::Csi;
    if (c == kEscape || c == kCancel || c == kSubstitute) {
        m_kept.clear();
        m_state = c == kEscape ? State::Escape : State::Ground;
        return;
    }
    if (isControl(c)) {
        text(QByteArrayView(&c, 1), sink);
        return;
    }
    if (m_kept.size() <= kLongestCsi)
        m_kept.append(c);
    if (c >= 0x20 && c < (sequence ? 0x40 : 0x30))
        return;
    m_state = State::Ground;
    const QByteArray kept = std::exchange(m_kept, {});
    if (kept.size() > kLongestCsi)
        return;
    if (!sequence)
        sink.pass(kept);
    else if (kept == "3J")
        sink.clearScrollback();
    else
        sink.pass("\x1b[" + (c == 'm' ? plainColours(kept.chopped(1)) + c : kept));
}

void TerminalFilter::endString(bool whole, Sink &sink)
{
    m_state = State::Ground;
    if (whole && m_length <= kLongestKept) {
        if (m_kind == ']')
            sink.osc(m_kept);
        else if (m_kind == 'P' && m_kept.startsWith("$q") && m_kept.size() <= 8)
            sink.pass("\x1bP" + m_kept + "\x1b\\"); // a question that the library answers
    }
    m_kept.clear();
}

void TerminalFilter::string(char c, Sink &sink)
{
    if (c == kEscape) {
        m_state = State::StringEscape;
    } else if (c == kCancel || c == kSubstitute) {
        endString(false, sink);
    } else if (m_kind == ']' && c == '\a') {
        endString(true, sink);
    } else if (m_kind == ']' && c == '\n') {
        // No command of that kind has a line feed in it: its end was lost.
        endString(false, sink);
        text("\n", sink);
    } else {
        if (m_kept.size() < kLongestKept)
            m_kept.append(c);
        if (++m_length > kLongestString)
            endString(false, sink);
    }
}

void TerminalFilter::feed(QByteArrayView bytes, Sink &sink)
{
    qsizetype at = 0;
    while (at < bytes.size()) {
        const char c = bytes[at];
        switch (m_state) {
        case State::Ground: {
            const qsizetype next = bytes.indexOf(kEscape, at);
            const qsizetype end = next < 0 ? bytes.size() : next;
            if (end > at)
                ground(bytes.sliced(at, end - at), sink);
            if (next >= 0)
                m_state = State::Escape;
            at = next < 0 ? end : next + 1;
            continue;
        }
        case State::Escape:
            escape(c, sink);
            break;
        case State::Intermediate:
        case State::Csi:
            csi(c, sink);
            break;
        case State::String:
            string(c, sink);
            break;
        case State::StringEscape:
            if (c == '\\') {
                endString(true, sink);
            } else {
                endString(false, sink);
                m_state = State::Escape;
                escape(c, sink);
            }
            break;
        }
        ++at;
    }
}

} // namespace berth::ui
