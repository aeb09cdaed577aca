// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/output_search.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "ui/conversation/output_view.h"

#include <QtWidgets/QLineEdit>

namespace berth::ui {

using application::OutputChunk;

namespace {

constexpr qint64 kChunk = 1 << 20;

} // namespace

OutputSearch::OutputSearch(application::EngineClient &client, OutputView *view, QWidget *parent)
    : FindBar(tr("Find in this output"), parent), m_client(client), m_view(view)
{
    connect(this, &FindBar::textChanged, this, &OutputSearch::restart);
    tellCount();
}

void OutputSearch::setOutput(const domain::ToolCallId &call, qint64 total)
{
    const bool other = call != m_call || total < m_total;
    m_call = call;
    m_total = total;
    if (!isOpen())
        return;
    if (other)
        restart();
    else if (!m_reading)
        readOn();
}

void OutputSearch::open()
{
    begin();
    restart();
}

void OutputSearch::close()
{
    ++m_generation;
    m_reading = false;
    m_matches.clear();
    m_current = -1;
    hide();
    m_view->setFound({});
    m_view->setFocus();
}

void OutputSearch::restart()
{
    ++m_generation;
    m_reading = false;
    m_needle = field()->text().toUtf8().toLower();
    m_matches.clear();
    m_current = -1;
    m_readTo = 0;
    m_rest.clear();
    m_lines = 0;
    m_page = 0;
    m_pageBeginsLine = true;
    m_view->setFound(field()->text());
    readOn();
    tellCount();
}

void OutputSearch::readOn()
{
    if (m_needle.isEmpty() || m_readTo >= m_total || m_call.isNull()
        || matchCount() >= kMostMatches)
        return;
    m_reading = true;
    application::ReadOutput command;
    command.toolCall = m_call;
    command.offset = m_readTo;
    command.limit = kChunk;
    application::deliver(
        this, m_client, command,
        [this, generation = m_generation](const domain::Result<OutputChunk> &chunk) {
            if (generation != m_generation)
                return;
            m_reading = false;
            if (chunk)
                take(*chunk);
            else
                Q_EMIT failed(chunk.error());
            tellCount();
        });
}

void OutputSearch::take(const OutputChunk &chunk)
{
    m_total = qMax(m_total, chunk.total);
    if (chunk.bytes.isEmpty())
        return;
    const bool none = m_matches.empty();
    const QByteArray bytes = m_rest + chunk.bytes.toLower();
    const qsizetype foundTo = look(bytes, m_readTo - m_rest.size());
    m_readTo += chunk.bytes.size();
    // A match may cross the border; what was found is not found again.
    m_rest = bytes.mid(qMax(foundTo, bytes.size() - m_needle.size() + 1));
    if (none && !m_matches.empty())
        stand(0);
    readOn();
}

//! \a from: where \a bytes begins; its first m_rest.size() bytes were counted before. Answers where
//! the last match ends.
qsizetype OutputSearch::look(const QByteArray &bytes, qint64 from)
{
    const qsizetype known = m_rest.size();
    std::vector<qsizetype> found;
    for (qsizetype at = bytes.indexOf(m_needle); at >= 0;
         at = bytes.indexOf(m_needle, at + m_needle.size())) {
        if (static_cast<qsizetype>(found.size()) + matchCount() >= kMostMatches)
            break;
        found.push_back(at);
    }
    // A match that begins in the rest belongs to lines that were counted already.
    size_t nextMatch = 0;
    const auto note = [&](qsizetype at) {
        while (nextMatch < found.size() && found[nextMatch] <= at) {
            m_matches.push_back({from + found[nextMatch], m_lines, m_pageBeginsLine});
            ++nextMatch;
        }
    };
    if (known > 0)
        note(known - 1);
    for (qsizetype at = known; at < bytes.size(); ++at) {
        const qint64 offset = from + at;
        if (offset / OutputPages::kPage != m_page) {
            m_page = offset / OutputPages::kPage;
            m_lines = 0;
            m_pageBeginsLine = at > 0 && bytes.at(at - 1) == '\n';
        }
        note(at);
        if (bytes.at(at) == '\n')
            ++m_lines;
    }
    return found.empty() ? 0 : found.back() + m_needle.size();
}

void OutputSearch::next()
{
    if (!m_matches.empty())
        stand((m_current + 1) % matchCount());
}

void OutputSearch::previous()
{
    if (!m_matches.empty())
        stand((m_current + matchCount() - 1) % matchCount());
}

void OutputSearch::stand(qsizetype match)
{
    m_current = match;
    const Match &found = m_matches[static_cast<size_t>(match)];
    // What stands before the first line break of a page belongs to the page before.
    const qint64 line = found.linesIntoPage - (found.pageBeginsLine ? 0 : 1);
    const qint64 page = found.offset / OutputPages::kPage;
    if (line < 0 && page > 0)
        m_view->goToLine(page - 1, OutputView::kLastLine);
    else
        m_view->goToLine(page, qMax<qint64>(0, line));
    tellCount();
}

void OutputSearch::tellCount()
{
    showCount(m_current, matchCount(), matchCount() >= kMostMatches, m_reading);
}

} // namespace berth::ui
