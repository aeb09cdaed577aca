// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"

#include <QtCore/QByteArray>
#include <QtCore/QHash>

#include <list>
#include <optional>

namespace berth::remote {

//! What waits to be written to one client, in order. Growth of an output and samples of a runtime
//! that a slow client has not got yet are replaced by the newer ones.
class Outbox
{
public:
    void addFrame(QByteArray frame);
    void addEvent(const application::Event &event);

    [[nodiscard]] bool isEmpty() const { return m_entries.empty(); }
    //! The next packed frame; nullopt when there is none.
    std::optional<QByteArray> take();

    [[nodiscard]] qint64 eventBytes() const { return m_eventBytes; }
    [[nodiscard]] qint64 frameBytes() const { return m_frameBytes; }

private:
    struct Entry
    {
        QByteArray bytes;
        bool isEvent = false;
        qint64 skipped = 0;
        QString mergeKey;
    };
    using Entries = std::list<Entry>;

    //! Takes it out; whoever comes next among the events says that it stands for it, too.
    qint64 mergeAway(Entries::iterator entry);

    Entries m_entries;
    QHash<QString, Entries::iterator> m_mergeable;
    qint64 m_eventBytes = 0;
    qint64 m_frameBytes = 0;
};

} // namespace berth::remote
