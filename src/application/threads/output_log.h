// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "domain/result.h"

#include <QtCore/QFile>

#include <memory>
#include <optional>

namespace berth::application {

//! Output of one tool call on disk, in the order of arrival, whatever its size: "<name>.out" holds
//! the bytes, "<name>.idx" which stream each is of (output_index.h) unless all is standard output
//! and short. Memory use does not grow with it.
class OutputLog
{
public:
    //! Creates the log, or opens it for appending.
    static domain::Result<std::unique_ptr<OutputLog>> create(const QString &path);

    //! Keeps what fits; after a failed write the rest is counted as lost.
    void append(domain::OutputStream stream, const QByteArray &bytes);
    [[nodiscard]] qint64 size() const { return m_size; }
    //! Bytes that could not be stored, and why.
    [[nodiscard]] qint64 lostBytes() const { return m_lost; }
    [[nodiscard]] QString lossReason() const { return m_lossReason; }

    //! Bytes and segments from \a offset (negative: from the end), of a finished or a growing log.
    static domain::Result<OutputChunk> read(const QString &path, qint64 offset, qint64 limit);
    //! Bytes alone, fewer at the end.
    static domain::Result<QByteArray> bytesAt(const QString &path, qint64 offset, qint64 length);
    //! Line feeds in [from, until), read from little more than the index; negative: not known.
    static qint64 lineFeedsBetween(const QString &path, qint64 from, qint64 until);
    static qint64 sizeOf(const QString &path);
    static void remove(const QString &path);

private:
    explicit OutputLog(const QString &path);
    bool note(domain::OutputStream stream);

    QFile m_bytes;
    QFile m_index;
    qint64 m_size = 0;
    qint64 m_lineFeeds = 0;
    qint64 m_lost = 0;
    QString m_lossReason;
    //! Of the last byte; none: not known, of a log opened again.
    std::optional<domain::OutputStream> m_stream = domain::OutputStream::Stdout;
    qint64 m_runStart = 0;
    //! Of the index's last page.
    qint64 m_pageStart = 0;
    qint64 m_pageBase = 0;
    qint64 m_pageUsed = 0;
};

} // namespace berth::application
