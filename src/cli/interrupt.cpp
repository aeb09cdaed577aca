// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/interrupt.h"

#include <QtCore/QSocketNotifier>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace berth::cli {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

// A handler of a signal may do next to nothing; a byte in a pipe wakes the event loop.
std::atomic<int> g_writeEnd{-1};

void onSignal(int number)
{
    const int error = errno;
    const char byte = static_cast<char>(number);
    [[maybe_unused]] const ssize_t ignored = ::write(g_writeEnd.load(), &byte, 1);
    errno = error;
}

} // namespace

InterruptSignals::InterruptSignals(QObject *parent) : QObject(parent)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    g_writeEnd.store(ends[1]);
    m_notifier = new QSocketNotifier(ends[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this, end = ends[0]] {
        char number = 0;
        while (::read(end, &number, 1) == 1)
            Q_EMIT interrupted(number);
    });
    struct sigaction action
    {};
    action.sa_handler = &onSignal;
    action.sa_flags = SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    for (const int number : kSignals) {
        // nohup and "&" in a script ignore some of them on purpose.
        struct sigaction before
        {};
        if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
            ::sigaction(number, &action, nullptr);
    }
}

InterruptSignals::~InterruptSignals()
{
    if (!m_notifier)
        return;
    for (const int number : kSignals) {
        struct sigaction before
        {};
        if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler == &onSignal)
            ::signal(number, SIG_DFL);
    }
    const int readEnd = static_cast<int>(m_notifier->socket());
    delete m_notifier;
    ::close(g_writeEnd.exchange(-1));
    ::close(readEnd);
}

} // namespace berth::cli
