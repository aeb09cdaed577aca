// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/threads/output_log.h"

namespace berth::application {

//! What of a long output is kept. It is stored in pieces; with more than \a most bytes the oldest
//! piece goes, the first one only if \a keepHead does not hold it.
struct LogLimits
{
    qint64 piece = 0;
    qint64 most = 0;
    bool keepHead = false;
};

//! A terminal's last 8 MiB.
inline constexpr LogLimits kTerminalLog{1024 * 1024, 8 * 1024 * 1024, false};
//! A background command's first 4 MiB and last 60 MiB.
inline constexpr LogLimits kBackgroundLog{4 * 1024 * 1024, 64 * 1024 * 1024, true};

//! Output of one process on disk, in the order of arrival and bounded: a folder of OutputLogs, each
//! named by where it begins: "<bytes before it>-<bytes of stdout>-<bytes of stderr>", the latter
//! two as the sandbox counts them. So a log that is opened again knows exactly what it has, also
//! after a crash, and what was lost in between is the difference.
class ProcessLog
{
public:
    //! Makes the folder, or goes on behind what is there.
    static domain::Result<std::unique_ptr<ProcessLog>> open(const QString &folder,
                                                            LogLimits limits);

    void append(domain::OutputStream stream, const QByteArray &bytes);
    //! Bytes of the stream that nobody got.
    void skip(domain::OutputStream stream, qint64 bytes);

    //! Bytes that came in, also those no longer kept.
    [[nodiscard]] qint64 size() const { return m_size; }
    //! As the sandbox counts.
    [[nodiscard]] qint64 outOffset() const { return m_outOffset; }
    [[nodiscard]] qint64 errOffset() const { return m_errOffset; }
    [[nodiscard]] qint64 skippedBytes() const { return m_outOffset + m_errOffset - m_size; }
    //! Bytes that could not be stored, and why.
    [[nodiscard]] qint64 lostBytes() const;
    [[nodiscard]] QString lossReason() const { return m_lossReason; }

    //! From \a offset on (negative: from the end), at most to the end of one piece. Where the bytes
    //! are not kept, the chunk begins behind the gap: its offset says so.
    static domain::Result<OutputChunk> read(const QString &folder, qint64 offset, qint64 limit);
    static void remove(const QString &folder);

private:
    ProcessLog(QString folder, LogLimits limits);
    domain::Result<void> beginPiece();
    void dropOldest();

    QString m_folder;
    LogLimits m_limits;
    std::unique_ptr<OutputLog> m_piece;
    qint64 m_size = 0;
    qint64 m_outOffset = 0;
    qint64 m_errOffset = 0;
    qint64 m_lost = 0;
    QString m_lossReason;
};

} // namespace berth::application
