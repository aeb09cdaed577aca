// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QByteArray>

#include <optional>

namespace berth::net {

//! One message of a Connect or gRPC stream: a byte of flags, four bytes of length (big-endian), the
//! message.
struct Envelope
{
    static constexpr quint8 kCompressed = 0x01;
    //! Connect's last message: how the stream ended, as JSON.
    static constexpr quint8 kEndStream = 0x02;
    //! gRPC-Web's last message: the trailers, as text.
    static constexpr quint8 kTrailers = 0x80;

    quint8 flags = 0;
    QByteArray payload;

    [[nodiscard]] bool isCompressed() const { return (flags & kCompressed) != 0; }
    [[nodiscard]] bool isEndStream() const { return (flags & kEndStream) != 0; }
    [[nodiscard]] bool isTrailers() const { return (flags & kTrailers) != 0; }
};

//! Messages out of bytes that may be cut anywhere.
class EnvelopeParser
{
public:
    //! A message beyond \a largest bytes is refused as soon as its length is known.
    explicit EnvelopeParser(qsizetype largest = 16 * 1024 * 1024) : m_largest(largest) {}

    void feed(QByteArrayView bytes);
    //! nullopt: none is whole yet, or the stream is broken (see check()).
    std::optional<Envelope> next();
    //! Bytes of an unfinished message: at the end of the stream it was cut.
    [[nodiscard]] bool hasRest() const { return m_taken < m_buffer.size(); }
    //! Protocol once a message was too large; nothing comes any more then.
    [[nodiscard]] domain::Result<void> check() const;
    //! check(), and Unavailable when the stream ended inside of a message.
    [[nodiscard]] domain::Result<void> checkEnd() const;

private:
    qsizetype m_largest;
    QByteArray m_buffer;
    //! Of the buffer, what was told already.
    qsizetype m_taken = 0;
    std::optional<quint32> m_tooLarge;
};

QByteArray envelope(quint8 flags, QByteArrayView payload);

} // namespace berth::net
