// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/fd_sink.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace berth::cli {

FdSink::FdSink(int file, QObject *parent)
    : OutputSink(parent), m_file(file), m_notifier(file, QSocketNotifier::Write, this)
{
    struct stat status
    {};
    m_isRegular = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    m_notifier.setEnabled(false);
    connect(&m_notifier, &QSocketNotifier::activated, this, &FdSink::flush);
    ::signal(SIGPIPE, SIG_IGN);
}

void FdSink::write(const QByteArray &bytes)
{
    if (m_broken || bytes.isEmpty())
        return;
    m_queue.push_back(bytes);
    m_pending += bytes.size();
    flush();
}

// A pipe that polls as writable takes PIPE_BUF bytes without blocking, whatever its flags are.
bool FdSink::takesNow() const
{
    if (m_isRegular)
        return true;
    pollfd entry{m_file, POLLOUT, 0};
    return ::poll(&entry, 1, 0) > 0;
}

void FdSink::flush()
{
    const qint64 before = m_pending;
    while (!m_queue.empty() && takesNow()) {
        const QByteArray &first = m_queue.front();
        const qsizetype left = first.size() - m_written;
        const qsizetype piece = m_isRegular ? left : std::min<qsizetype>(left, PIPE_BUF);
        const ssize_t written =
            ::write(m_file, first.constData() + m_written, static_cast<size_t>(piece));
        if (written < 0) {
            if (errno == EINTR)
                continue;
            if (errno == EAGAIN)
                break;
            return fail();
        }
        m_written += written;
        m_pending -= written;
        if (m_written == first.size()) {
            m_queue.pop_front();
            m_written = 0;
        }
    }
    m_notifier.setEnabled(!m_queue.empty());
    if (m_pending != before)
        Q_EMIT progressed();
}

void FdSink::fail()
{
    m_broken = true;
    m_queue.clear();
    m_pending = 0;
    m_notifier.setEnabled(false);
    Q_EMIT progressed();
}

} // namespace berth::cli
