// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/docker_stream.h"

#include <QtCore/QtEndian>

#include <algorithm>

namespace berth::net {

bool DockerStreamDemultiplexer::feed(QByteArrayView bytes, QByteArray &out, QByteArray &err)
{
    if (!m_problem.isEmpty())
        return false;
    if (m_mode == Mode::Terminal) {
        out.append(bytes);
        return true;
    }
    while (!bytes.isEmpty()) {
        if (m_remaining == 0) {
            const qsizetype count = std::min<qsizetype>(8 - m_headerBytes, bytes.size());
            std::copy_n(bytes.data(), count, m_header.data() + m_headerBytes);
            m_headerBytes += static_cast<int>(count);
            bytes = bytes.sliced(count);
            if (m_headerBytes == 8 && !header())
                return false;
            continue;
        }
        const qsizetype count =
            std::min<qsizetype>(static_cast<qsizetype>(m_remaining), bytes.size());
        (m_stream == 2 ? err : out).append(bytes.first(count));
        m_remaining -= static_cast<quint32>(count);
        bytes = bytes.sliced(count);
    }
    return true;
}

bool DockerStreamDemultiplexer::isBetweenFrames() const
{
    return m_headerBytes == 0 && m_remaining == 0;
}

bool DockerStreamDemultiplexer::header()
{
    m_headerBytes = 0;
    m_stream = m_header[0];
    const auto length = qFromBigEndian<quint32>(m_header.data() + 4);
    // 0 is standard input, which some engines echo; 3 is the engine's own error text.
    if (m_stream < 0 || m_stream > 3 || m_header[1] != 0 || m_header[2] != 0 || m_header[3] != 0) {
        m_problem = QStringLiteral("the engine's stream is not in frames");
        return false;
    }
    if (length > kLargestFrame) {
        m_problem = QStringLiteral("the engine's stream holds a frame of %1 bytes").arg(length);
        return false;
    }
    if (m_stream == 3)
        m_stream = 2;
    m_remaining = length;
    return true;
}

} // namespace berth::net
