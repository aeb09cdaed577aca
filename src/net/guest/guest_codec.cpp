// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/guest/guest_codec.h"

namespace berth::net {

namespace {

void putNumber(QByteArray &to, quint64 value, int size)
{
    for (int i = 0; i < size; ++i)
        to.append(static_cast<char>(static_cast<quint8>(value >> (8 * i))));
}

constexpr qsizetype kPreamble = 4096;

} // namespace

QByteArray encodeGuestFrame(quint8 type, quint32 id, const QByteArray &body)
{
    Q_ASSERT(body.size() <= static_cast<qsizetype>(BG_MAX_TO_GUEST));
    QByteArray frame;
    frame.reserve(body.size() + BG_FRAME_OVERHEAD);
    putNumber(frame, BG_MARKER, 1);
    putNumber(frame, type, 1);
    putNumber(frame, 0, 2);
    putNumber(frame, static_cast<quint64>(body.size()), 4);
    putNumber(frame, id, 4);
    frame += body;
    putNumber(frame, BG_TRAILER, 1);
    return frame;
}

GuestWriter &GuestWriter::u8(quint8 value)
{
    putNumber(m_body, value, 1);
    return *this;
}

GuestWriter &GuestWriter::u32(quint32 value)
{
    putNumber(m_body, value, 4);
    return *this;
}

GuestWriter &GuestWriter::u64(quint64 value)
{
    putNumber(m_body, value, 8);
    return *this;
}

GuestWriter &GuestWriter::bytes(const QByteArray &value)
{
    u32(static_cast<quint32>(value.size()));
    return raw(value);
}

GuestWriter &GuestWriter::raw(const QByteArray &value)
{
    m_body += value;
    return *this;
}

quint64 GuestReader::number(int size)
{
    if (m_bad || m_body.size() - m_at < size) {
        m_bad = true;
        return 0;
    }
    quint64 value = 0;
    for (int i = 0; i < size; ++i)
        value |= static_cast<quint64>(static_cast<quint8>(m_body.at(m_at + i))) << (8 * i);
    m_at += size;
    return value;
}

quint8 GuestReader::u8()
{
    return static_cast<quint8>(number(1));
}

quint16 GuestReader::u16()
{
    return static_cast<quint16>(number(2));
}

quint32 GuestReader::u32()
{
    return static_cast<quint32>(number(4));
}

quint64 GuestReader::u64()
{
    return number(8);
}

QByteArray GuestReader::bytes(quint32 max)
{
    const quint32 size = u32();
    if (m_bad || size > max || m_body.size() - m_at < static_cast<qsizetype>(size)) {
        m_bad = true;
        return {};
    }
    const QByteArray value = m_body.mid(m_at, size);
    m_at += size;
    return value;
}

QByteArray GuestReader::rest()
{
    if (m_bad)
        return {};
    const QByteArray value = m_body.mid(m_at);
    m_at = m_body.size();
    return value;
}

GuestDecoder::GuestDecoder(QByteArray nonce)
    : m_greeting(QByteArray(BG_MAGIC, BG_MAGIC_SIZE) + nonce)
{}

void GuestDecoder::append(const QByteArray &bytes)
{
    if (!m_problem.isEmpty())
        return;
    if (m_at > 0) {
        m_buffer.remove(0, m_at);
        m_at = 0;
    }
    m_buffer += bytes;
    if (!m_greeted)
        seekGreeting();
}

void GuestDecoder::seekGreeting()
{
    const qsizetype found = m_buffer.indexOf(m_greeting);
    const qsizetype skipped =
        found >= 0 ? found : qMax<qsizetype>(0, m_buffer.size() - m_greeting.size() + 1);
    const qsizetype room = kPreamble - m_preamble.size();
    m_preamble += m_buffer.left(qMin(skipped, room));
    if (found >= 0) {
        m_greeted = true;
        m_buffer.remove(0, found + m_greeting.size());
    } else {
        m_buffer.remove(0, skipped);
    }
}

QByteArray GuestDecoder::preamble() const
{
    // Without a greeting, what could still be the start of one is text, too.
    return m_greeted ? m_preamble : m_preamble + m_buffer.left(kPreamble - m_preamble.size());
}

std::nullopt_t GuestDecoder::broken(const QString &why)
{
    m_problem = why;
    m_buffer.clear();
    m_at = 0;
    return std::nullopt;
}

std::optional<GuestFrame> GuestDecoder::next()
{
    if (!m_greeted || !m_problem.isEmpty() || buffered() == 0)
        return std::nullopt;
    const auto byteAt = [this](qsizetype i) { return static_cast<quint8>(m_buffer.at(m_at + i)); };
    if (byteAt(0) != BG_MARKER)
        return broken(QStringLiteral("no frame where one must begin"));
    if (buffered() < BG_HEADER_SIZE)
        return std::nullopt;
    GuestReader header(m_buffer.mid(m_at, BG_HEADER_SIZE));
    header.u8();
    GuestFrame frame;
    frame.type = header.u8();
    const quint16 zero = header.u16();
    const quint32 size = header.u32();
    frame.id = header.u32();
    if (size > BG_MAX_TO_HOST || zero != 0)
        return broken(QStringLiteral("a frame header out of bounds"));
    const qsizetype whole = static_cast<qsizetype>(size) + BG_FRAME_OVERHEAD;
    if (buffered() < whole)
        return std::nullopt;
    if (byteAt(whole - 1) != BG_TRAILER)
        return broken(QStringLiteral("a frame without its end"));
    frame.body = m_buffer.mid(m_at + BG_HEADER_SIZE, size);
    m_at += whole;
    return frame;
}

bool GuestJob::survives() const
{
    return (flags & (BG_START_BACKGROUND | BG_START_PTY)) != 0;
}

namespace {

std::optional<QList<GuestJob>> readJobs(GuestReader &reader)
{
    const quint32 count = reader.u32();
    if (count > BG_MAX_COMMANDS)
        return std::nullopt;
    QList<GuestJob> jobs;
    for (quint32 i = 0; i < count && !reader.isBad(); ++i) {
        GuestJob job;
        job.id = reader.u32();
        job.pid = reader.u32();
        job.flags = reader.u32();
        const quint8 state = reader.u8();
        job.mainEnded = (state & BG_JOB_ENDED) != 0;
        job.followed = (state & BG_JOB_FOLLOWED) != 0;
        job.released = (state & BG_JOB_RELEASED) != 0;
        job.stdoutOffset = reader.u64();
        job.stderrOffset = reader.u64();
        job.tag = reader.bytes(BG_MAX_TAG);
        // Offsets are numbers that one can count with.
        constexpr quint64 kSane = quint64(1) << 62;
        if (job.id == 0 || job.stdoutOffset > kSane || job.stderrOffset > kSane)
            return std::nullopt;
        jobs.append(job);
    }
    if (reader.isBad())
        return std::nullopt;
    return jobs;
}

} // namespace

std::optional<QList<GuestJob>> decodeGuestJobs(const QByteArray &body)
{
    GuestReader reader(body);
    return readJobs(reader);
}

std::optional<GuestHello> decodeGuestHello(const QByteArray &body)
{
    GuestReader reader(body);
    GuestHello hello;
    hello.protocolMin = reader.u16();
    hello.protocolMax = reader.u16();
    hello.capabilities = reader.u32();
    hello.pid = reader.u32();
    hello.uid = reader.u32();
    hello.gid = reader.u32();
    hello.build = QString::fromLatin1(reader.bytes(64));
    hello.arch = QString::fromLatin1(reader.bytes(65));
    hello.hostName = QString::fromUtf8(reader.bytes(65));
    // The rest is for its own version to know.
    if (!reader.isBad()
        && (hello.protocolMin > BG_PROTOCOL_MAX || hello.protocolMax < BG_PROTOCOL_MIN))
        return hello;
    const std::optional<QList<GuestJob>> jobs = readJobs(reader);
    if (!jobs)
        return std::nullopt;
    hello.jobs = *jobs;
    return hello;
}

std::optional<GuestErrorReply> decodeGuestError(const QByteArray &body)
{
    GuestReader reader(body);
    GuestErrorReply error;
    error.number = reader.u32();
    error.stage = reader.u8();
    error.text = QString::fromUtf8(reader.bytes(256));
    if (reader.isBad())
        return std::nullopt;
    return error;
}

} // namespace berth::net
