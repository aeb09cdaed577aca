// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>

namespace berth::net {

//! Lines out of bytes that may be cut anywhere, as in newline-delimited JSON. A line beyond the
//! limit is dropped and counted, so that nobody can make it grow.
class LineSplitter
{
public:
    explicit LineSplitter(qsizetype longestLine = 1024 * 1024) : m_longest(longestLine) {}

    //! Whole lines without their end; empty ones are left out.
    QList<QByteArray> feed(QByteArrayView bytes);
    //! The unfinished last line.
    QByteArray finish();
    [[nodiscard]] int dropped() const { return m_dropped; }

private:
    qsizetype m_longest;
    QByteArray m_line;
    bool m_skipping = false;
    int m_dropped = 0;
};

} // namespace berth::net
