// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>

namespace berth::net {

struct SseEvent
{
    //! Empty: none was given.
    QByteArray name;
    //! Lines of data joined by line feeds.
    QByteArray data;
    bool operator==(const SseEvent &) const = default;
};

//! Server-sent events out of bytes that may be cut anywhere, also inside of a character: lines end
//! in LF, CRLF or CR, a byte order mark at the start and comments are left out. Beside the
//! standard, a line "error: …" (older llama.cpp servers) is an event of that name.
class SseReader
{
public:
    //! An event beyond \a largest bytes breaks the stream: nothing comes any more.
    explicit SseReader(qsizetype largest = 16 * 1024 * 1024) : m_largest(largest) {}

    QList<SseEvent> feed(QByteArrayView bytes);
    //! At the end of the bytes: an event that lacks only its empty line. It may as well have been
    //! cut; whether its data is whole has to be seen from the data.
    QList<SseEvent> finish();
    [[nodiscard]] bool isBroken() const { return m_broken; }

private:
    void takeLine(QList<SseEvent> &events);
    void dispatch(QList<SseEvent> &events);

    qsizetype m_largest;
    QByteArray m_line;
    SseEvent m_event;
    bool m_hasData = false;
    bool m_isFirstLine = true;
    //! The line before ended in CR: an LF that follows belongs to it.
    bool m_afterReturn = false;
    bool m_broken = false;
};

} // namespace berth::net
