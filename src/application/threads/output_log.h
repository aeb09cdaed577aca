// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "domain/result.h"

#include <QtCore/QFile>

namespace berth::application {

//! Output of one tool call on disk, in the order of arrival, whatever its size: "<name>.out" holds
//! the bytes,
//! "<name>.seg" one eight-byte entry (offset * 2 + (1 for stderr)) for each change of stream.
//! Memory use does not grow with it.
class OutputLog
{
public:
    //! Creates both files, or opens them for appending.
    static domain::Result<std::unique_ptr<OutputLog>> create(const QString &path);

    //! Keeps what fits; after a failed write the rest is counted as lost.
    void append(domain::OutputStream stream, const QByteArray &bytes);
    [[nodiscard]] qint64 size() const { return m_size; }
    //! Bytes that could not be stored, and why.
    [[nodiscard]] qint64 lostBytes() const { return m_lost; }
    [[nodiscard]] QString lossReason() const { return m_lossReason; }

    //! Bytes and segments from \a offset (negative: from the end), of a finished or a growing log.
    static domain::Result<OutputChunk> read(const QString &path, qint64 offset, qint64 limit);
    static qint64 sizeOf(const QString &path);
    static void remove(const QString &path);

private:
    explicit OutputLog(const QString &path);

    QFile m_bytes;
    QFile m_segments;
    qint64 m_size = 0;
    qint64 m_lost = 0;
    QString m_lossReason;
    std::optional<domain::OutputStream> m_last;
};

} // namespace berth::application
