// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <array>

namespace berth::net {

//! Takes the engine's raw stream apart. Without a terminal each frame is [stream, 0, 0, 0, length
//! as u32 big-endian] and so many bytes; with one it is the bytes as they are. Whether there is a
//! terminal is known to who asked for the stream: the Content-Type does not say it before API 1.42.
//! Copies what it is fed and holds nothing but the 8 bytes of a header, whatever length that
//! claims.
class DockerStreamDemultiplexer
{
public:
    enum class Mode { Multiplexed, Terminal };

    //! The engine cuts at 16 to 32 KiB; a frame beyond this is not one.
    static constexpr quint32 kLargestFrame = 64u * 1024 * 1024;

    explicit DockerStreamDemultiplexer(Mode mode) : m_mode(mode) {}

    //! Appends to \a out and \a err; false once the stream made no sense, and from then on.
    bool feed(QByteArrayView bytes, QByteArray &out, QByteArray &err);
    //! True between two frames: here a stream may end.
    [[nodiscard]] bool isBetweenFrames() const;
    [[nodiscard]] const QString &problem() const { return m_problem; }

private:
    bool header();

    Mode m_mode;
    std::array<char, 8> m_header{};
    int m_headerBytes = 0;
    quint32 m_remaining = 0;
    char m_stream = 0;
    QString m_problem;
};

} // namespace berth::net
