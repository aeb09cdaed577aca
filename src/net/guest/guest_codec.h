// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "guest/protocol.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>

#include <optional>

// Frames of the guest protocol as bytes. Everything that comes from a guest is hostile: whoever
// runs in the sandbox may have replaced it.
namespace berth::net {

struct GuestFrame
{
    quint8 type = 0;
    quint32 id = 0;
    QByteArray body;
};

//! One frame as it goes on the wire.
QByteArray encodeGuestFrame(quint8 type, quint32 id, const QByteArray &body = {});

//! Builds a body.
class GuestWriter
{
public:
    GuestWriter &u8(quint8 value);
    GuestWriter &u32(quint32 value);
    GuestWriter &u64(quint64 value);
    GuestWriter &bytes(const QByteArray &value);
    GuestWriter &raw(const QByteArray &value);
    [[nodiscard]] const QByteArray &body() const { return m_body; }

private:
    QByteArray m_body;
};

//! Takes a body apart. After the first thing that does not fit everything reads as zero and isBad()
//! is true.
class GuestReader
{
public:
    explicit GuestReader(const QByteArray &body) : m_body(body) {}

    quint8 u8();
    quint16 u16();
    quint32 u32();
    quint64 u64();
    QByteArray bytes(quint32 max);
    //! All that is left.
    QByteArray rest();
    [[nodiscard]] bool isBad() const { return m_bad; }
    [[nodiscard]] bool atEnd() const { return m_bad || m_at >= m_body.size(); }

private:
    quint64 number(int size);

    const QByteArray m_body;
    qsizetype m_at = 0;
    bool m_bad = false;
};

//! Bytes in, frames out. Nothing is a frame before the magic and the nonce of this host were seen:
//! what comes earlier is either the end of a frame meant for another host, or an error text of
//! whatever ran instead of the guest.
class GuestDecoder
{
public:
    explicit GuestDecoder(QByteArray nonce);

    void append(const QByteArray &bytes);
    //! The next whole frame; nullopt when more bytes are needed or the stream is broken.
    std::optional<GuestFrame> next();

    [[nodiscard]] bool isGreeted() const { return m_greeted; }
    //! Empty while all is well. A broken stream stays broken.
    [[nodiscard]] const QString &problem() const { return m_problem; }
    //! The first bytes before the greeting, at most 4 KiB.
    [[nodiscard]] QByteArray preamble() const;
    [[nodiscard]] qsizetype buffered() const { return m_buffer.size() - m_at; }

private:
    void seekGreeting();
    std::nullopt_t broken(const QString &why);

    QByteArray m_greeting;
    QByteArray m_buffer;
    qsizetype m_at = 0;
    QByteArray m_preamble;
    QString m_problem;
    bool m_greeted = false;
};

struct GuestJob
{
    quint32 id = 0;
    quint32 pid = 0;
    //! bg_start_flag bits.
    quint32 flags = 0;
    bool mainEnded = false;
    //! By this connection.
    bool followed = false;
    //! A host has had its end.
    bool released = false;
    quint64 stdoutOffset = 0;
    quint64 stderrOffset = 0;
    QByteArray tag;

    //! Outlives connections by itself, and not only for the time of grace.
    [[nodiscard]] bool survives() const;
};

struct GuestHello
{
    quint16 protocolMin = 0;
    quint16 protocolMax = 0;
    //! bg_capability bits.
    quint32 capabilities = 0;
    quint32 pid = 0;
    quint32 uid = 0;
    quint32 gid = 0;
    QString build;
    QString arch;
    QString hostName;
    //! What an earlier host has left running.
    QList<GuestJob> jobs;
};

std::optional<GuestHello> decodeGuestHello(const QByteArray &body);
//! The answer to JOBS.
std::optional<QList<GuestJob>> decodeGuestJobs(const QByteArray &body);

struct GuestErrorReply
{
    quint32 number = 0; // errno of Linux
    quint8 stage = 0;   // bg_stage
    QString text;
};

std::optional<GuestErrorReply> decodeGuestError(const QByteArray &body);

} // namespace berth::net
