// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/processes/process_log.h"

#include <QtCore/QDir>

#include <algorithm>
#include <tuple>

namespace berth::application {

using domain::ErrorKind;
using domain::failure;
using domain::OutputStream;
using domain::Result;

namespace {

constexpr qint64 kReadAtOnce = 256 * 1024;

struct Piece
{
    QString path;
    qint64 start = 0;
    qint64 out = 0;
    qint64 err = 0;
    qint64 size = 0;
    [[nodiscard]] qint64 end() const { return start + size; }
};

//! In order. Files that are named otherwise are not ours.
QList<Piece> piecesIn(const QString &folder)
{
    QList<Piece> pieces;
    const QDir directory(folder);
    const QStringList names = directory.entryList({QStringLiteral("*.out")}, QDir::Files);
    for (const QString &name : names) {
        const QString stem = name.chopped(4);
        const QStringList numbers = stem.split(QLatin1Char('-'));
        if (numbers.size() != 3)
            continue;
        bool ok[3] = {};
        Piece piece;
        piece.path = directory.filePath(stem);
        piece.start = numbers[0].toLongLong(&ok[0]);
        piece.out = numbers[1].toLongLong(&ok[1]);
        piece.err = numbers[2].toLongLong(&ok[2]);
        if (!ok[0] || !ok[1] || !ok[2])
            continue;
        piece.size = OutputLog::sizeOf(piece.path);
        pieces << piece;
    }
    // With the same start, the one without bytes was begun before something was skipped.
    std::sort(pieces.begin(), pieces.end(), [](const Piece &a, const Piece &b) {
        return std::tuple(a.start, a.out + a.err) < std::tuple(b.start, b.out + b.err);
    });
    return pieces;
}

void removePiece(const Piece &piece)
{
    OutputLog::remove(piece.path);
}

} // namespace

ProcessLog::ProcessLog(QString folder, LogLimits limits)
    : m_folder(std::move(folder)), m_limits(limits)
{}

Result<std::unique_ptr<ProcessLog>> ProcessLog::open(const QString &folder, LogLimits limits)
{
    std::unique_ptr<ProcessLog> log(new ProcessLog(folder, limits));
    if (!QDir().mkpath(folder)) {
        return failure(ErrorKind::Storage,
                       QStringLiteral("The output of the process cannot be stored"),
                       QStringLiteral("%1 cannot be made").arg(folder));
    }
    const QList<Piece> pieces = piecesIn(folder);
    if (!pieces.isEmpty()) {
        const Piece &last = pieces.last();
        log->m_outOffset = last.out;
        log->m_errOffset = last.err;
        log->m_size = last.end();
        for (qint64 at = 0; at < last.size;) {
            const Result<OutputChunk> chunk = OutputLog::read(last.path, at, kReadAtOnce);
            if (!chunk)
                return failure(chunk.error());
            if (chunk->bytes.isEmpty())
                break;
            for (const OutputSegment &segment : chunk->segments)
                (segment.stream == OutputStream::Stderr ? log->m_errOffset : log->m_outOffset) +=
                    segment.length;
            at += chunk->bytes.size();
        }
    }
    if (const Result<void> begun = log->beginPiece(); !begun)
        return failure(begun.error());
    return log;
}

Result<void> ProcessLog::beginPiece()
{
    const QString name = QStringLiteral("%1-%2-%3").arg(m_size).arg(m_outOffset).arg(m_errOffset);
    Result<std::unique_ptr<OutputLog>> piece = OutputLog::create(QDir(m_folder).filePath(name));
    if (!piece)
        return failure(piece.error());
    m_piece = std::move(*piece);
    dropOldest();
    return {};
}

void ProcessLog::dropOldest()
{
    QList<Piece> pieces = piecesIn(m_folder);
    qint64 kept = 0;
    for (const Piece &piece : std::as_const(pieces))
        kept += piece.size;
    // Room for the piece that was just begun.
    const qint64 most = m_limits.most - m_limits.piece;
    const qsizetype first = m_limits.keepHead ? 1 : 0;
    while (kept > most && pieces.size() > first + 1) {
        const Piece piece = pieces.takeAt(first);
        removePiece(piece);
        kept -= piece.size;
    }
}

qint64 ProcessLog::lostBytes() const
{
    return m_lost + (m_piece ? m_piece->lostBytes() : 0);
}

void ProcessLog::append(OutputStream stream, const QByteArray &bytes)
{
    qint64 &offset = stream == OutputStream::Stderr ? m_errOffset : m_outOffset;
    for (qsizetype at = 0; at < bytes.size();) {
        if (m_piece && m_piece->size() >= m_limits.piece) {
            if (const Result<void> begun = beginPiece(); !begun) {
                m_piece.reset();
                m_lossReason = begun.error().detail;
            }
        }
        if (!m_piece) {
            m_lost += bytes.size() - at;
            offset += bytes.size() - at;
            return;
        }
        const qint64 room = std::max<qint64>(1, m_limits.piece - m_piece->size());
        const QByteArray part = at == 0 && bytes.size() <= room ? bytes : bytes.mid(at, room);
        const qint64 before = m_piece->size();
        m_piece->append(stream, part);
        m_size += m_piece->size() - before;
        offset += part.size();
        at += part.size();
        if (m_piece->lostBytes() > 0)
            m_lossReason = m_piece->lossReason();
    }
}

void ProcessLog::skip(OutputStream stream, qint64 bytes)
{
    if (bytes <= 0)
        return;
    (stream == OutputStream::Stderr ? m_errOffset : m_outOffset) += bytes;
    // The name of a piece has what is lost before it.
    if (const Result<void> begun = beginPiece(); !begun)
        m_lossReason = begun.error().detail;
}

Result<OutputChunk> ProcessLog::read(const QString &folder, qint64 offset, qint64 limit)
{
    const QList<Piece> pieces = piecesIn(folder);
    if (pieces.isEmpty()) {
        return failure(ErrorKind::NotFound,
                       QStringLiteral("The output of this process is not there any more"), folder);
    }
    const qint64 total = pieces.last().end();
    const qint64 wanted =
        offset < 0 ? std::max<qint64>(0, total + offset) : std::min(offset, total);
    OutputChunk chunk;
    chunk.offset = wanted;
    for (const Piece &piece : pieces) {
        if (piece.size == 0 || piece.end() <= wanted)
            continue;
        const Result<OutputChunk> read =
            OutputLog::read(piece.path, std::max<qint64>(0, wanted - piece.start), limit);
        if (!read)
            return failure(read.error());
        chunk = *read;
        chunk.offset = piece.start + read->offset;
        break;
    }
    chunk.total = total;
    return chunk;
}

void ProcessLog::remove(const QString &folder)
{
    // A folder of ours: nothing else is in it.
    QDir(folder).removeRecursively();
}

} // namespace berth::application
