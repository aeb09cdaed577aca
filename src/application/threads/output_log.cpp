// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/threads/output_log.h"

#include "application/threads/output_index.h"

#include <QtCore/QFileInfo>

#include <algorithm>

namespace berth::application {

using domain::ErrorKind;
using domain::failure;
using domain::OutputStream;
using domain::Result;

namespace {

constexpr qint64 kLargestRead = 1024 * 1024;
//! Line feeds are not looked for in more bytes than this that the index does not know of.
constexpr qint64 kLongestCount = 64 * 1024 * 1024;

QString bytesPath(const QString &path)
{
    return path + QStringLiteral(".out");
}

QString indexPath(const QString &path)
{
    return path + QStringLiteral(".idx");
}

qint64 lineFeedsOf(QFile &bytes, qint64 from, qint64 until)
{
    if (until - from > kLongestCount || !bytes.seek(from))
        return -1;
    QByteArray buffer(static_cast<qsizetype>(std::min(kLargestRead, until - from)),
                      Qt::Uninitialized);
    qint64 count = 0;
    while (from < until) {
        const qint64 got = bytes.read(buffer.data(), std::min<qint64>(buffer.size(), until - from));
        if (got <= 0)
            return -1;
        count += output_index::lineFeedsIn(QByteArrayView(buffer).first(got));
        from += got;
    }
    return count;
}

//! Line feeds before \a offset; negative: not known.
qint64 lineFeedsBefore(output_index::Reader &index, QFile &bytes, qint64 offset)
{
    const qint64 page = index.pageBefore(offset);
    const output_index::Header header = page < 0 ? output_index::Header() : index.headerAt(page);
    const qint64 rest = lineFeedsOf(bytes, header.offset, offset);
    return rest < 0 ? -1 : header.lineFeeds + rest;
}

} // namespace

OutputLog::OutputLog(const QString &path) : m_bytes(bytesPath(path)), m_index(indexPath(path)) {}

Result<std::unique_ptr<OutputLog>> OutputLog::create(const QString &path)
{
    std::unique_ptr<OutputLog> log(new OutputLog(path));
    QFile &file = log->m_bytes;
    if (!file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered)) {
        return failure(ErrorKind::Storage, QStringLiteral("The command's output cannot be stored"),
                       QStringLiteral("%1: %2").arg(file.fileName(), file.errorString()));
    }
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    log->m_size = file.size();
    if (log->m_size > 0) {
        output_index::Reader index(log->m_index.fileName());
        QFile bytes(file.fileName());
        if (bytes.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
            log->m_lineFeeds = std::max<qint64>(0, lineFeedsBefore(index, bytes, log->m_size));
        log->m_runStart = log->m_size;
        log->m_pageStart = index.pageCount() > 0 ? log->m_size : 0;
        log->m_pageBase = index.pageCount() * output_index::kPageSize;
        if (index.pageCount() > 0)
            log->m_stream.reset();
    }
    return log;
}

//! Tells the index that bytes of \a stream follow.
bool OutputLog::note(OutputStream stream)
{
    using namespace output_index;
    const bool covers = m_size - m_pageStart >= kPageCovers;
    if (m_stream == stream && !covers)
        return true;
    if (!m_index.isOpen()) {
        QIODevice::OpenMode mode = QIODevice::ReadWrite | QIODevice::Unbuffered;
        mode.setFlag(QIODevice::Truncate, m_pageBase == 0);
        if (!m_index.open(mode))
            return false;
        m_index.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    }
    const bool begins =
        covers || !m_stream || m_pageUsed == 0 || m_pageUsed + kLongestRunEntry > kPageSize;
    if (begins && m_pageUsed > 0)
        m_pageBase += kPageSize;
    const QByteArray entry =
        begins ? encodedHeader({m_size, m_lineFeeds, stream}) : encodedRun(m_size - m_runStart);
    const qint64 at = m_pageBase + (begins ? 0 : m_pageUsed);
    if (!m_index.seek(at) || m_index.write(entry) != entry.size())
        return false;
    m_pageUsed = (begins ? 0 : m_pageUsed) + entry.size();
    if (begins)
        m_pageStart = m_size;
    m_runStart = m_size;
    m_stream = stream;
    return true;
}

void OutputLog::append(OutputStream stream, const QByteArray &bytes)
{
    if (bytes.isEmpty())
        return;
    if (m_lost > 0) {
        m_lost += bytes.size();
        return;
    }
    if (!note(stream)) {
        m_lossReason = m_index.errorString();
        m_lost += bytes.size();
        return;
    }
    const qint64 written = std::max<qint64>(0, m_bytes.write(bytes));
    m_size += written;
    m_lineFeeds += output_index::lineFeedsIn(QByteArrayView(bytes).first(written));
    if (written < bytes.size()) {
        m_lost += bytes.size() - written;
        m_lossReason = m_bytes.errorString();
    }
}

Result<QByteArray> OutputLog::bytesAt(const QString &path, qint64 offset, qint64 length)
{
    QFile bytes(bytesPath(path));
    if (!bytes.open(QIODevice::ReadOnly | QIODevice::Unbuffered)) {
        return failure(ErrorKind::NotFound,
                       QStringLiteral("The output of this command is not there any more"),
                       QStringLiteral("%1: %2").arg(bytes.fileName(), bytes.errorString()));
    }
    if (!bytes.seek(offset))
        return QByteArray();
    return bytes.read(std::min(length, std::max<qint64>(0, bytes.size() - offset)));
}

qint64 OutputLog::lineFeedsBetween(const QString &path, qint64 from, qint64 until)
{
    QFile bytes(bytesPath(path));
    if (!bytes.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return -1;
    if (until - from <= output_index::kPageCovers)
        return lineFeedsOf(bytes, from, until);
    output_index::Reader index(indexPath(path));
    const qint64 before = lineFeedsBefore(index, bytes, from);
    const qint64 all = lineFeedsBefore(index, bytes, until);
    return before < 0 || all < 0 ? -1 : all - before;
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

    output_index::Reader index(indexPath(path));
    index.runs(chunk.offset, chunk.offset + chunk.bytes.size(),
               [&chunk](OutputStream stream, qint64 run) {
                   chunk.segments.append({stream, run});
               });
    return chunk;
}

qint64 OutputLog::sizeOf(const QString &path)
{
    return QFileInfo(bytesPath(path)).size();
}

void OutputLog::remove(const QString &path)
{
    QFile::remove(bytesPath(path));
    QFile::remove(indexPath(path));
}

} // namespace berth::application
