// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/frame.h"

#include <QtCore/QtEndian>

namespace berth::remote {

namespace {

constexpr qsizetype kWord = 4;

} // namespace

bool fits(const Frame &frame)
{
    return kWord + frame.json.size() + frame.binary.size() <= kLargestFrame;
}

QByteArray packed(const Frame &frame)
{
    Q_ASSERT(fits(frame));
    QByteArray bytes(2 * kWord, Qt::Uninitialized);
    bytes.reserve(2 * kWord + frame.json.size() + frame.binary.size());
    qToLittleEndian(static_cast<quint32>(kWord + frame.json.size() + frame.binary.size()),
                    bytes.data());
    qToLittleEndian(static_cast<quint32>(frame.json.size()), bytes.data() + kWord);
    bytes += frame.json;
    bytes += frame.binary;
    return bytes;
}

void FrameReader::append(const QByteArray &bytes)
{
    // What was read is dropped only now and then, so that many small frames do not move the rest
    // each time.
    if (m_at > 0 && (m_at == m_buffer.size() || m_at > 256 * 1024)) {
        m_buffer.remove(0, m_at);
        m_at = 0;
    }
    m_buffer += bytes;
}

domain::Result<std::optional<Frame>> FrameReader::next()
{
    const qsizetype available = m_buffer.size() - m_at;
    if (available < kWord)
        return std::optional<Frame>();
    const qsizetype length = qFromLittleEndian<quint32>(m_buffer.constData() + m_at);
    if (length < kWord || length > m_limit) {
        return domain::failure(
            domain::ErrorKind::Protocol,
            QStringLiteral("A frame of %1 bytes was announced; %2 to %3 are allowed")
                .arg(length)
                .arg(kWord)
                .arg(m_limit));
    }
    // Known early, so that nobody makes us wait for the rest of a frame that cannot be right.
    if (available < 2 * kWord)
        return std::optional<Frame>();
    const qsizetype json = qFromLittleEndian<quint32>(m_buffer.constData() + m_at + kWord);
    if (json > length - kWord) {
        return domain::failure(domain::ErrorKind::Protocol,
                               QStringLiteral("A frame says that its JSON is longer than itself"));
    }
    if (available < kWord + length)
        return std::optional<Frame>();
    Frame frame{m_buffer.mid(m_at + 2 * kWord, json),
                m_buffer.mid(m_at + 2 * kWord + json, length - kWord - json)};
    m_at += kWord + length;
    return std::optional<Frame>(std::move(frame));
}

} // namespace berth::remote
