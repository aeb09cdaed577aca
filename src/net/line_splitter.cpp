// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/line_splitter.h"

#include <utility>

namespace berth::net {

QList<QByteArray> LineSplitter::feed(QByteArrayView bytes)
{
    QList<QByteArray> lines;
    while (!bytes.isEmpty()) {
        const qsizetype end = bytes.indexOf('\n');
        const QByteArrayView piece = end < 0 ? bytes : bytes.first(end);
        if (!m_skipping && m_line.size() + piece.size() > m_longest) {
            m_skipping = true;
            ++m_dropped;
            m_line.clear();
        }
        if (!m_skipping)
            m_line.append(piece);
        if (end < 0)
            break;
        bytes = bytes.sliced(end + 1);
        m_skipping = false;
        QByteArray line = std::exchange(m_line, {});
        if (line.endsWith('\r'))
            line.chop(1);
        if (!line.isEmpty())
            lines.append(std::move(line));
    }
    return lines;
}

QByteArray LineSplitter::finish()
{
    m_skipping = false;
    return std::exchange(m_line, {});
}

} // namespace berth::net
