// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QByteArray>

#include <optional>

// How messages lie on the socket: u32 LE length of what follows, u32 LE length of the JSON, the
// JSON, and the rest as raw bytes.
namespace berth::remote {

//! All of a frame behind its first length.
inline constexpr qsizetype kLargestFrame = 16 * 1024 * 1024;

struct Frame
{
    QByteArray json;
    QByteArray binary;
    bool operator==(const Frame &) const = default;
};

[[nodiscard]] bool fits(const Frame &frame);
//! \a frame must fit.
[[nodiscard]] QByteArray packed(const Frame &frame);

//! Cuts a stream of bytes, split anywhere, into frames.
class FrameReader
{
public:
    //! Frames longer than \a bytes are refused; lower before the peer has introduced itself.
    void setLimit(qsizetype bytes) { m_limit = bytes; }
    void append(const QByteArray &bytes);
    //! nullopt: more bytes are needed. After an error the stream cannot be read any further.
    domain::Result<std::optional<Frame>> next();

private:
    QByteArray m_buffer;
    qsizetype m_at = 0;
    qsizetype m_limit = kLargestFrame;
};

} // namespace berth::remote
