// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/web/envelopes.h"

#include <QtCore/QtEndian>

namespace berth::net {

using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

constexpr qsizetype kPrefix = 5;

} // namespace

void EnvelopeParser::feed(QByteArrayView bytes)
{
    if (m_tooLarge)
        return;
    // What was told is dropped only now, so that many small messages in one piece cost no copies.
    if (m_taken > 0) {
        m_buffer.remove(0, m_taken);
        m_taken = 0;
    }
    m_buffer.append(bytes);
}

std::optional<Envelope> EnvelopeParser::next()
{
    const qsizetype left = m_buffer.size() - m_taken;
    if (m_tooLarge || left < kPrefix)
        return std::nullopt;
    const char *begin = m_buffer.constData() + m_taken;
    const auto length = qFromBigEndian<quint32>(begin + 1);
    if (static_cast<qint64>(length) > m_largest) {
        m_tooLarge = length;
        m_buffer.clear();
        m_taken = 0;
        return std::nullopt;
    }
    if (left < kPrefix + static_cast<qsizetype>(length))
        return std::nullopt;
    Envelope envelope;
    envelope.flags = static_cast<quint8>(*begin);
    envelope.payload = QByteArray(begin + kPrefix, static_cast<qsizetype>(length));
    m_taken += kPrefix + static_cast<qsizetype>(length);
    return envelope;
}

Result<void> EnvelopeParser::check() const
{
    if (m_tooLarge)
        return failure(ErrorKind::Protocol,
                       QStringLiteral("A message of the stream claims %1 bytes, more than the %2 "
                                      "that are taken")
                           .arg(*m_tooLarge)
                           .arg(m_largest));
    return {};
}

Result<void> EnvelopeParser::checkEnd() const
{
    const Result<void> checked = check();
    if (!checked)
        return checked;
    if (hasRest())
        return failure(ErrorKind::Unavailable,
                       QStringLiteral("The stream ended inside of a message"));
    return {};
}

QByteArray envelope(quint8 flags, QByteArrayView payload)
{
    QByteArray framed(kPrefix, Qt::Uninitialized);
    framed[0] = static_cast<char>(flags);
    qToBigEndian(static_cast<quint32>(payload.size()), framed.data() + 1);
    framed.append(payload);
    return framed;
}

} // namespace berth::net
