// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/output_sink.h"

#include <QtCore/QSocketNotifier>

#include <deque>

namespace berth::cli {

//! Writes to an open file of this process, such as standard output, without blocking the event loop
//! and without touching the file's flags, which other processes share.
class FdSink final : public OutputSink
{
    Q_OBJECT
public:
    //! \a file stays open and is not closed. SIGPIPE is ignored from here on in the whole process.
    explicit FdSink(int file, QObject *parent = nullptr);

    void write(const QByteArray &bytes) override;
    [[nodiscard]] qint64 pending() const override { return m_pending; }
    [[nodiscard]] bool isBroken() const override { return m_broken; }

private:
    void flush();
    void fail();
    [[nodiscard]] bool takesNow() const;

    int m_file;
    bool m_isRegular = false;
    bool m_broken = false;
    std::deque<QByteArray> m_queue;
    //! Of the first in the queue.
    qsizetype m_written = 0;
    qint64 m_pending = 0;
    QSocketNotifier m_notifier;
};

} // namespace berth::cli
