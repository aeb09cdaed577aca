// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/outbox.h"

#include "remote/message.h"

#include <algorithm>

namespace berth::remote {

namespace {

//! Events with the same key make the earlier one worthless; empty: never.
QString mergeKeyOf(const application::EventBody &body)
{
    if (const auto *grew = std::get_if<application::OutputGrew>(&body))
        return QStringLiteral("output ") + grew->toolCall.toString();
    if (const auto *sampled = std::get_if<application::RuntimeSampled>(&body))
        return QStringLiteral("sample ") + sampled->runtime;
    return {};
}

} // namespace

void Outbox::addFrame(QByteArray frame)
{
    m_frameBytes += frame.size();
    m_entries.push_back(Entry{std::move(frame), false, 0, {}});
}

void Outbox::addEvent(const application::Event &event)
{
    Entry entry{application::toJson(event), true, 0, mergeKeyOf(event.body)};
    if (!entry.mergeKey.isEmpty()) {
        const auto earlier = m_mergeable.constFind(entry.mergeKey);
        if (earlier != m_mergeable.constEnd())
            entry.skipped = mergeAway(*earlier);
    }
    m_eventBytes += entry.bytes.size();
    m_entries.push_back(std::move(entry));
    if (!m_entries.back().mergeKey.isEmpty())
        m_mergeable.insert(m_entries.back().mergeKey, std::prev(m_entries.end()));
}

qint64 Outbox::mergeAway(Entries::iterator entry)
{
    const qint64 count = entry->skipped + 1;
    m_eventBytes -= entry->bytes.size();
    m_mergeable.remove(entry->mergeKey);
    const auto next = std::find_if(m_entries.erase(entry), m_entries.end(),
                                   [](const Entry &candidate) { return candidate.isEvent; });
    if (next == m_entries.end())
        return count;
    next->skipped += count;
    return 0;
}

std::optional<QByteArray> Outbox::take()
{
    if (m_entries.empty())
        return std::nullopt;
    Entry entry = std::move(m_entries.front());
    if (!entry.mergeKey.isEmpty())
        m_mergeable.remove(entry.mergeKey);
    m_entries.pop_front();
    if (!entry.isEvent) {
        m_frameBytes -= entry.bytes.size();
        return std::move(entry.bytes);
    }
    m_eventBytes -= entry.bytes.size();
    return packed(eventFrame(entry.bytes, entry.skipped));
}

} // namespace berth::remote
