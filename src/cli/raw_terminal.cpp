// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/raw_terminal.h"

#include <QtCore/QSocketNotifier>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace berth::cli {

namespace {

// What a signal handler may touch: plain memory and calls that are safe there.
termios g_before{};
std::atomic<bool> g_isRaw{false};
std::atomic<int> g_resizeEnd{-1};

constexpr int kFatal[] = {SIGQUIT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};

void restore()
{
    if (g_isRaw.exchange(false))
        ::tcsetattr(STDIN_FILENO, TCSADRAIN, &g_before);
}

void onFatal(int number)
{
    if (g_isRaw.exchange(false))
        ::tcsetattr(STDIN_FILENO, TCSANOW, &g_before);
    ::signal(number, SIG_DFL);
    ::raise(number);
}

void onResize(int)
{
    const int error = errno;
    const char byte = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(g_resizeEnd.load(), &byte, 1);
    errno = error;
}

} // namespace

RawTerminal::RawTerminal(QObject *parent) : QObject(parent)
{
    if (::tcgetattr(STDIN_FILENO, &g_before) == 0) {
        static const bool atExit = std::atexit(&restore) == 0;
        Q_UNUSED(atExit)
        for (const int number : kFatal)
            ::signal(number, &onFatal);
        termios raw = g_before;
        ::cfmakeraw(&raw);
        g_isRaw = true;
        ::tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    }
    m_input = new QSocketNotifier(STDIN_FILENO, QSocketNotifier::Read, this);
    connect(m_input, &QSocketNotifier::activated, this, [this] {
        char bytes[4096];
        const ssize_t got = ::read(STDIN_FILENO, bytes, sizeof bytes);
        if (got > 0) {
            Q_EMIT typed(QByteArray(bytes, static_cast<qsizetype>(got)));
        } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
            m_input->setEnabled(false);
            Q_EMIT closed();
        }
    });
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    g_resizeEnd.store(ends[1]);
    m_resizes = new QSocketNotifier(ends[0], QSocketNotifier::Read, this);
    connect(m_resizes, &QSocketNotifier::activated, this, [this, end = ends[0]] {
        char bytes[64];
        while (::read(end, bytes, sizeof bytes) > 0) {}
        Q_EMIT resized();
    });
    struct sigaction action
    {};
    action.sa_handler = &onResize;
    action.sa_flags = SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGWINCH, &action, nullptr);
}

RawTerminal::~RawTerminal()
{
    restore();
    for (const int number : kFatal)
        ::signal(number, SIG_DFL);
    if (!m_resizes)
        return;
    ::signal(SIGWINCH, SIG_DFL);
    const int readEnd = static_cast<int>(m_resizes->socket());
    delete m_resizes;
    ::close(g_resizeEnd.exchange(-1));
    ::close(readEnd);
}

domain::TerminalSize RawTerminal::size()
{
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        return {};
    return {size.ws_col, size.ws_row};
}

void RawTerminal::setReading(bool reading)
{
    m_input->setEnabled(reading);
}

} // namespace berth::cli
