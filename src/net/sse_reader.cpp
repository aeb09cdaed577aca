// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/sse_reader.h"

#include <algorithm>
#include <utility>

namespace berth::net {

QList<SseEvent> SseReader::feed(QByteArrayView bytes)
{
    QList<SseEvent> events;
    while (!bytes.isEmpty() && !m_broken) {
        if (std::exchange(m_afterReturn, false) && bytes.front() == '\n') {
            bytes = bytes.sliced(1);
            continue;
        }
        const auto end =
            std::find_if(bytes.begin(), bytes.end(), [](char c) { return c == '\n' || c == '\r'; });
        const auto size = static_cast<qsizetype>(end - bytes.begin());
        if (m_line.size() + size + m_event.data.size() > m_largest) {
            m_broken = true;
            m_line.clear();
            m_event = {};
            break;
        }
        m_line.append(bytes.first(size));
        if (end == bytes.end())
            break;
        m_afterReturn = *end == '\r';
        bytes = bytes.sliced(size + 1);
        takeLine(events);
    }
    return events;
}

QList<SseEvent> SseReader::finish()
{
    QList<SseEvent> events;
    if (m_broken)
        return events;
    if (!m_line.isEmpty())
        takeLine(events);
    dispatch(events);
    return events;
}

void SseReader::takeLine(QList<SseEvent> &events)
{
    QByteArray line = std::exchange(m_line, {});
    if (std::exchange(m_isFirstLine, false) && line.startsWith("\xEF\xBB\xBF"))
        line.remove(0, 3);
    if (line.isEmpty()) {
        dispatch(events);
        return;
    }
    const qsizetype colon = line.indexOf(':');
    if (colon == 0)
        return;
    const QByteArray field = colon < 0 ? line : line.first(colon);
    QByteArray value = colon < 0 ? QByteArray() : line.sliced(colon + 1);
    if (value.startsWith(' '))
        value.remove(0, 1);
    if (field == "event") {
        m_event.name = value;
    } else if (field == "data" || field == "error") {
        if (field == "error")
            m_event.name = field;
        if (m_hasData)
            m_event.data.append('\n');
        m_event.data.append(value);
        m_hasData = true;
    }
}

void SseReader::dispatch(QList<SseEvent> &events)
{
    SseEvent event = std::exchange(m_event, {});
    if (std::exchange(m_hasData, false))
        events.append(std::move(event));
}

} // namespace berth::net
