// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/threads/output_log.h"

#include <QtCore/QFileInfo>
#include <QtCore/QtEndian>

#include <algorithm>

namespace berth::application {

using domain::ErrorKind;
using domain::failure;
using domain::OutputStream;
using domain::Result;

namespace {

constexpr qint64 kEntrySize = 8;
constexpr qint64 kLargestRead = 1024 * 1024;

QString bytesPath(const QString &path)
{
    return path + QStringLiteral(".out");
}

QString segmentsPath(const QString &path)
{
    return path + QStringLiteral(".seg");
}

struct Entry
{
    qint64 offset = 0;
    OutputStream stream = OutputStream::Stdout;
};

Entry entryAt(QFile &file, qint64 index)
{
    char raw[kEntrySize] = {};
    if (!file.seek(index * kEntrySize) || file.read(raw, kEntrySize) != kEntrySize)
        return {};
    const auto packed = qFromLittleEndian<quint64>(raw);
    return {static_cast<qint64>(packed >> 1),
            (packed & 1) ? OutputStream::Stderr : OutputStream::Stdout};
}

//! The last entry that starts at or before \a offset.
qint64 entryBefore(QFile &file, qint64 count, qint64 offset)
{
    qint64 low = 0;
    qint64 high = count;
    while (high - low > 1) {
        const qint64 middle = low + (high - low) / 2;
        if (entryAt(file, middle).offset <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

} // namespace

OutputLog::OutputLog(const QString &path) : m_bytes(bytesPath(path)), m_segments(segmentsPath(path))
{}

Result<std::unique_ptr<OutputLog>> OutputLog::create(const QString &path)
{
    std::unique_ptr<OutputLog> log(new OutputLog(path));
    const auto mode = QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered;
    for (QFile *file : {&log->m_bytes, &log->m_segments}) {
        if (!file->open(mode)) {
            return failure(ErrorKind::Storage,
                           QStringLiteral("The command's output cannot be stored"),
                           QStringLiteral("%1: %2").arg(file->fileName(), file->errorString()));
        }
        file->setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    }
    log->m_size = log->m_bytes.size();
    return log;
}

void OutputLog::append(OutputStream stream, const QByteArray &bytes)
{
    if (m_lost > 0) {
        m_lost += bytes.size();
        return;
    }
    if (m_last != stream) {
        const quint64 packed =
            static_cast<quint64>(m_size) * 2 + (stream == OutputStream::Stderr ? 1 : 0);
        char raw[kEntrySize];
        qToLittleEndian(packed, raw);
        if (m_segments.write(raw, kEntrySize) != kEntrySize) {
            m_lossReason = m_segments.errorString();
            m_lost += bytes.size();
            return;
        }
        m_last = stream;
    }
    const qint64 written = std::max<qint64>(0, m_bytes.write(bytes));
    m_size += written;
    if (written < bytes.size()) {
        m_lost += bytes.size() - written;
        m_lossReason = m_bytes.errorString();
    }
}

Result<OutputChunk> OutputLog::read(const QString &path, qint64 offset, qint64 limit)
{
    OutputChunk chunk;
    QFile bytes(bytesPath(path));
    if (!bytes.open(QIODevice::ReadOnly)) {
        return failure(ErrorKind::NotFound,
                       QStringLiteral("The output of this command is not there any more"),
                       QStringLiteral("%1: %2").arg(bytes.fileName(), bytes.errorString()));
    }
    chunk.total = bytes.size();
    chunk.offset =
        offset < 0 ? std::max<qint64>(0, chunk.total + offset) : std::min(offset, chunk.total);
    const qint64 length =
        std::min(std::clamp<qint64>(limit, 0, kLargestRead), chunk.total - chunk.offset);
    if (length <= 0)
        return chunk;
    bytes.seek(chunk.offset);
    chunk.bytes = bytes.read(length);

    QFile segments(segmentsPath(path));
    if (!segments.open(QIODevice::ReadOnly)) {
        chunk.segments.append({OutputStream::Stdout, chunk.bytes.size()});
        return chunk;
    }
    const qint64 count = segments.size() / kEntrySize;
    const qint64 end = chunk.offset + chunk.bytes.size();
    qint64 index = entryBefore(segments, count, chunk.offset);
    qint64 at = chunk.offset;
    while (at < end) {
        const Entry current = entryAt(segments, index);
        const qint64 next = index + 1 < count ? entryAt(segments, index + 1).offset : end;
        const qint64 until = std::min(next, end);
        if (until > at)
            chunk.segments.append({current.stream, until - at});
        at = std::max(at, until);
        if (++index >= count && at < end) {
            chunk.segments.append({current.stream, end - at});
            break;
        }
    }
    return chunk;
}

qint64 OutputLog::sizeOf(const QString &path)
{
    return QFileInfo(bytesPath(path)).size();
}

void OutputLog::remove(const QString &path)
{
    QFile::remove(bytesPath(path));
    QFile::remove(segmentsPath(path));
}

} // namespace berth::application
