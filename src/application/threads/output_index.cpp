// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/threads/output_index.h"

#include <QtCore/QtEndian>

#include <algorithm>
#include <bit>
#include <cstring>

namespace berth::application::output_index {

using domain::OutputStream;

namespace {

OutputStream other(OutputStream stream)
{
    return stream == OutputStream::Stdout ? OutputStream::Stderr : OutputStream::Stdout;
}

Header decodedHeader(const char *raw)
{
    Header header;
    header.offset = qFromLittleEndian<qint64>(raw);
    header.lineFeeds = qFromLittleEndian<qint64>(raw + 8);
    header.stream =
        qFromLittleEndian<qint64>(raw + 16) == 1 ? OutputStream::Stderr : OutputStream::Stdout;
    return header;
}

//! The run at \a at, which then is behind it; 0: no more.
qint64 nextRun(QByteArrayView page, qsizetype &at)
{
    quint64 length = 0;
    for (int shift = 0; at < page.size() && shift < 63; shift += 7) {
        const auto byte = static_cast<unsigned char>(page[at++]);
        length |= static_cast<quint64>(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            return static_cast<qint64>(length);
    }
    return 0;
}

} // namespace

QByteArray encodedHeader(const Header &header)
{
    QByteArray raw(kHeaderSize, '\0');
    qToLittleEndian(header.offset, raw.data());
    qToLittleEndian(header.lineFeeds, raw.data() + 8);
    qToLittleEndian<qint64>(header.stream == OutputStream::Stderr ? 1 : 0, raw.data() + 16);
    return raw;
}

QByteArray encodedRun(qint64 length)
{
    QByteArray raw;
    auto rest = static_cast<quint64>(length);
    do {
        const auto low = static_cast<char>(rest & 0x7f);
        rest >>= 7;
        raw.append(static_cast<char>(rest > 0 ? low | '\x80' : low));
    } while (rest > 0);
    return raw;
}

qint64 lineFeedsIn(QByteArrayView bytes)
{
    // Eight at a time: it is done for all output that comes in. A byte of `same` has its high bit
    // clear only where the input has a line feed.
    constexpr quint64 kFeeds = 0x0a0a0a0a0a0a0a0aULL;
    constexpr quint64 kLow = 0x7f7f7f7f7f7f7f7fULL;
    qint64 count = 0;
    qsizetype at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
        quint64 word = 0;
        std::memcpy(&word, bytes.data() + at, 8);
        word ^= kFeeds;
        const quint64 same = ((word & kLow) + kLow) | word | kLow;
        count += std::popcount(~same);
    }
    for (; at < bytes.size(); ++at)
        count += bytes[at] == '\n' ? 1 : 0;
    return count;
}

Reader::Reader(const QString &path) : m_file(path)
{
    if (!m_file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return;
    const qint64 size = m_file.size();
    m_pages = size / kPageSize + (size % kPageSize >= kHeaderSize ? 1 : 0);
}

Header Reader::headerAt(qint64 page)
{
    char raw[kHeaderSize] = {};
    if (!m_file.seek(page * kPageSize) || m_file.read(raw, kHeaderSize) != kHeaderSize)
        return {};
    return decodedHeader(raw);
}

qint64 Reader::pageBefore(qint64 offset)
{
    qint64 low = -1;
    qint64 high = m_pages;
    while (high - low > 1) {
        const qint64 middle = low + (high - low) / 2;
        if (headerAt(middle).offset <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void Reader::runs(qint64 from, qint64 until, const std::function<void(OutputStream, qint64)> &each)
{
    std::optional<OutputStream> pending;
    qint64 length = 0;
    qint64 at = from;
    // Joins what pages and cuts have separated.
    const auto take = [&](OutputStream stream, qint64 end) {
        const qint64 part = std::min(end, until) - at;
        if (part <= 0)
            return;
        if (pending && *pending != stream) {
            each(*pending, length);
            length = 0;
        }
        pending = stream;
        length += part;
        at += part;
    };
    qint64 page = pageBefore(from);
    if (page < 0) {
        take(OutputStream::Stdout, m_pages > 0 ? headerAt(0).offset : until);
        page = 0;
    }
    for (; page < m_pages && at < until; ++page) {
        m_file.seek(page * kPageSize);
        const QByteArray raw = m_file.read(kPageSize);
        if (raw.size() < kHeaderSize)
            break;
        const Header header = decodedHeader(raw.constData());
        const qint64 end = page + 1 < m_pages ? headerAt(page + 1).offset : until;
        OutputStream stream = header.stream;
        qint64 position = header.offset;
        qsizetype next = kHeaderSize;
        while (at < until) {
            const qint64 run = nextRun(raw, next);
            if (run <= 0)
                break;
            position += run;
            take(stream, std::min(position, end));
            stream = other(stream);
        }
        take(stream, end);
    }
    if (at < until)
        take(pending.value_or(OutputStream::Stdout), until);
    if (pending)
        each(*pending, length);
}

} // namespace berth::application::output_index
