// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/output_pages.h"

#include <algorithm>
#include <limits>

namespace berth::ui {

using application::OutputChunk;
using application::ReadOutput;

namespace {

//! Where the text of a page really begins: \a window lies at its nominal start, \a before is the
//! byte in front. The page before asks the same question of the same bytes, so that each byte is in
//! exactly one page.
qint64 boundary(QByteArrayView window, char before)
{
    if (before == '\n')
        return 0;
    const qsizetype newline =
        window.first(qMin<qsizetype>(window.size(), OutputPages::kOverlap)).indexOf('\n');
    if (newline >= 0)
        return newline + 1;
    // One long line: cut it, but not inside a character.
    qsizetype at = 0;
    while (at < qMin<qsizetype>(3, window.size())
           && (static_cast<unsigned char>(window[at]) & 0xc0) == 0x80)
        ++at;
    return at;
}

} // namespace

OutputPages::OutputPages(application::EngineClient &client, QObject *parent)
    : QObject(parent), m_client(client)
{}

OutputPages::~OutputPages() = default;

void OutputPages::open(const domain::ToolCallId &call, qint64 total)
{
    m_call = call;
    m_total = 0;
    m_rows.clear();
    m_exact.clear();
    m_loaded.clear();
    m_asked.clear();
    m_rowCount = 0;
    setTotal(total);
}

void OutputPages::setTotal(qint64 total)
{
    if (total <= m_total && total != 0)
        return;
    // The page that was the last has more now.
    const qint64 last = m_total > 0 ? (m_total - 1) / kPage : 0;
    m_total = total;
    for (qint64 page = qMax<qint64>(0, last - 1); page < pageCount(); ++page)
        m_asked.remove(page);
    const qint64 pages = (total + kPage - 1) / kPage;
    m_rows.resize(static_cast<size_t>(pages), 0);
    m_exact.resize(static_cast<size_t>(pages), false);
    for (qint64 page = 0; page < pages; ++page) {
        if (page >= last && !m_loaded.contains(page))
            m_rows[static_cast<size_t>(page)] = static_cast<qint32>(estimate(page));
    }
    recount();
    Q_EMIT changed();
}

void OutputPages::setColumns(int columns)
{
    columns = qMax(10, columns);
    if (columns == m_columns)
        return;
    m_columns = columns;
    for (qint64 page = 0; page < pageCount(); ++page) {
        const auto at = static_cast<size_t>(page);
        if (const auto loaded = m_loaded.value(page)) {
            wrap(*loaded);
            m_rows[at] = static_cast<qint32>(loaded->rows.size());
        } else {
            m_exact[at] = false;
            m_rows[at] = static_cast<qint32>(estimate(page));
        }
    }
    recount();
    Q_EMIT changed();
}

qint64 OutputPages::estimate(qint64 page) const
{
    const qint64 bytes = qMin(kPage, m_total - page * kPage);
    // As in the pages that are known, else as if lines were half full.
    qint64 knownRows = 0;
    qint64 knownPages = 0;
    for (auto it = m_loaded.cbegin(); it != m_loaded.cend(); ++it) {
        knownRows += static_cast<qint64>(it.value()->rows.size());
        ++knownPages;
    }
    if (knownPages > 0)
        return qMax<qint64>(1, knownRows / knownPages * bytes / kPage);
    return qMax<qint64>(1, bytes / qMax(1, m_columns / 2));
}

void OutputPages::recount()
{
    m_rowCount = 0;
    for (const qint32 rows : m_rows)
        m_rowCount += rows;
}

OutputPages::Anchor OutputPages::anchorAt(qint64 row) const
{
    qint64 before = 0;
    for (qint64 page = 0; page < pageCount(); ++page) {
        const qint64 rows = m_rows[static_cast<size_t>(page)];
        if (row < before + rows)
            return {page, row - before};
        before += rows;
    }
    return {qMax<qint64>(0, pageCount() - 1), 0};
}

qint64 OutputPages::rowOf(const Anchor &anchor) const
{
    qint64 before = 0;
    for (qint64 page = 0; page < qMin(anchor.page, pageCount()); ++page)
        before += m_rows[static_cast<size_t>(page)];
    return before + anchor.row;
}

OutputPages::Row OutputPages::rowAt(qint64 row)
{
    if (row < 0 || row >= m_rowCount)
        return {};
    const Anchor at = anchorAt(row);
    const auto page = m_loaded.value(at.page);
    if (!page) {
        request(at.page);
        return {};
    }
    page->used = ++m_clock;
    const qint64 wantedEnd = qMin(m_total, (at.page + 1) * kPage + kOverlap);
    if (page->readTo < wantedEnd)
        request(at.page);
    if (at.row >= static_cast<qint64>(page->rows.size()))
        return {};
    const Piece &piece = page->rows[static_cast<size_t>(at.row)];
    return {&page->text.lines()[static_cast<size_t>(piece.line)], &page->text.styles(), piece.from,
            piece.length};
}

std::optional<OutputPages::Anchor> OutputPages::find(qint64 number, qint64 line,
                                                     const QString &text)
{
    const auto page = m_loaded.value(number);
    if (!page) {
        request(number);
        return std::nullopt;
    }
    // Control sequences and carriage returns make the count of lines a good guess only.
    constexpr qint64 kNear = 3;
    const auto last = static_cast<qint64>(page->rows.size()) - 1;
    Anchor best{number, qMax<qint64>(0, last)};
    qint64 distance = std::numeric_limits<qint64>::max();
    for (qint64 row = 0; row <= last; ++row) {
        const Piece &piece = page->rows[static_cast<size_t>(row)];
        const qint64 away =
            qAbs(qint64(piece.line) - qMin(line, qint64(page->text.lineCount()) - 1));
        const QString &words = page->text.lines()[static_cast<size_t>(piece.line)].text;
        const bool holds = away <= kNear
            && QStringView(words)
                   .mid(piece.from, piece.length + text.size())
                   .contains(text, Qt::CaseInsensitive);
        // One that holds the text goes before any that does not.
        const qint64 rank = holds ? away : away + 2 * kNear + 1;
        if (rank < distance) {
            distance = rank;
            best.row = row;
        }
    }
    return best;
}

void OutputPages::setVisible(qint64 first, qint64 last)
{
    m_firstVisible = anchorAt(first).page;
    m_lastVisible = anchorAt(last).page;
    // The neighbours, so that scrolling finds them there.
    for (qint64 page = m_firstVisible - 1; page <= m_lastVisible + 1; ++page) {
        if (page >= 0 && page < pageCount() && !m_loaded.contains(page))
            request(page);
    }
    trim();
}

void OutputPages::request(qint64 page)
{
    if (m_asked.contains(page) || m_asked.size() > 6)
        return;
    m_asked.insert(page);
    // One byte before tells whether a line begins here.
    const qint64 from = qMax<qint64>(0, page * kPage - 1);
    ReadOutput command;
    command.toolCall = m_call;
    command.offset = from;
    command.limit = (page + 1) * kPage + kOverlap - from;
    application::deliver(
        this, m_client, command,
        [this, page, from, call = m_call](const domain::Result<OutputChunk> &chunk) {
            if (call != m_call)
                return;
            m_asked.remove(page);
            if (chunk)
                take(page, *chunk, from);
            else
                Q_EMIT failed(chunk.error());
        });
}

void OutputPages::take(qint64 page, const OutputChunk &chunk, qint64 from)
{
    setTotal(chunk.total);
    if (page >= pageCount())
        return;
    const QByteArrayView bytes(chunk.bytes);
    const qint64 start = page * kPage - from;
    qint64 begin = start;
    if (page > 0 && bytes.size() > start)
        begin += boundary(bytes.sliced(start), bytes[start - 1]);
    qint64 end = bytes.size();
    const qint64 next = (page + 1) * kPage - from;
    if (bytes.size() > next)
        end = next + boundary(bytes.sliced(next), bytes[next - 1]);
    auto made = std::make_shared<Page>();
    made->readTo = from + bytes.size();
    made->used = ++m_clock;
    qint64 at = 0;
    for (const application::OutputSegment &segment : chunk.segments) {
        const qint64 to = qMin<qint64>(at + segment.length, bytes.size());
        const qint64 a = qMax(at, begin);
        const qint64 b = qMin(to, end);
        if (a < b)
            made->text.feed(segment.stream, bytes.sliced(a, b - a));
        at = to;
    }
    wrap(*made);
    m_loaded.insert(page, made);
    const auto where = static_cast<size_t>(page);
    m_rows[where] = static_cast<qint32>(made->rows.size());
    m_exact[where] = true;
    trim();
    recount();
    Q_EMIT changed();
}

void OutputPages::wrap(Page &page) const
{
    page.rows.clear();
    const qsizetype lines = page.text.lineCount();
    for (qsizetype line = 0; line < lines; ++line) {
        const QString &text = page.text.lines()[static_cast<size_t>(line)].text;
        if (text.isEmpty()) {
            page.rows.push_back({line, 0, 0});
            continue;
        }
        for (qsizetype from = 0; from < text.size();) {
            qsizetype length = qMin<qsizetype>(m_columns, text.size() - from);
            if (from + length < text.size() && text.at(from + length).isLowSurrogate())
                --length;
            page.rows.push_back({line, from, qMax<qsizetype>(1, length)});
            from += qMax<qsizetype>(1, length);
        }
    }
}

void OutputPages::trim()
{
    while (m_loaded.size() > kMostPages) {
        auto oldest = m_loaded.end();
        for (auto it = m_loaded.begin(); it != m_loaded.end(); ++it) {
            if (it.key() >= m_firstVisible - 1 && it.key() <= m_lastVisible + 1)
                continue;
            if (oldest == m_loaded.end() || it.value()->used < oldest.value()->used)
                oldest = it;
        }
        if (oldest == m_loaded.end())
            return;
        m_loaded.erase(oldest);
    }
}

} // namespace berth::ui
