// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/terminal.h"

#include <QtCore/QSocketNotifier>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <utility>

namespace berth::cli {

TerminalFacts terminalFacts()
{
    TerminalFacts facts;
    facts.outIsTerminal = ::isatty(STDOUT_FILENO) == 1;
    facts.errIsTerminal = ::isatty(STDERR_FILENO) == 1;
    facts.inIsTerminal = ::isatty(STDIN_FILENO) == 1;
    winsize size{};
    if (facts.outIsTerminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        facts.columns = size.ws_col;
    facts.colours =
        facts.outIsTerminal && qEnvironmentVariableIsEmpty("NO_COLOR") && qgetenv("TERM") != "dumb";
    return facts;
}

void readLine(QObject *context, std::function<void(QString)> done)
{
    auto *notifier = new QSocketNotifier(STDIN_FILENO, QSocketNotifier::Read, context);
    const auto line = std::make_shared<QByteArray>();
    QObject::connect(
        notifier, &QSocketNotifier::activated, context, [notifier, line, done = std::move(done)] {
            char piece[256];
            const ssize_t got = ::read(STDIN_FILENO, piece, sizeof piece);
            if (got < 0 && (errno == EINTR || errno == EAGAIN))
                return;
            if (got > 0)
                line->append(piece, static_cast<qsizetype>(got));
            if (got > 0 && !line->contains('\n') && line->size() < 4096)
                return;
            notifier->setEnabled(false);
            notifier->deleteLater();
            done(QString::fromLocal8Bit(
                line->left(line->indexOf('\n') < 0 ? line->size() : line->indexOf('\n'))));
        });
}

namespace {

termios g_withEcho{};
bool g_echoIsOff = false;

void showTyping()
{
    if (std::exchange(g_echoIsOff, false))
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &g_withEcho);
}

void hideTyping()
{
    if (g_echoIsOff || ::tcgetattr(STDIN_FILENO, &g_withEcho) != 0)
        return;
    static const bool atExit = std::atexit(&showTyping) == 0;
    Q_UNUSED(atExit)
    termios hidden = g_withEcho;
    hidden.c_lflag &= ~tcflag_t(ECHO | ECHONL);
    // What was typed ahead was shown, so it is no key.
    g_echoIsOff = ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0;
}

} // namespace

void readHiddenLine(QObject *context, std::function<void(QString)> done)
{
    hideTyping();
    auto *guard = new QObject(context);
    QObject::connect(guard, &QObject::destroyed, [] { showTyping(); });
    readLine(guard, [guard, done = std::move(done)](const QString &line) {
        showTyping();
        guard->deleteLater();
        done(line);
    });
}

} // namespace berth::cli
