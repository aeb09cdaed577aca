// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/process_dialer.h"

#include "async/completion.h"

#include <QtCore/QProcess>
#include <QtCore/QStandardPaths>
#include <QtCore/QTimer>

#include <sys/socket.h>
#include <unistd.h>

#include <array>

namespace berth::net {

using domain::ErrorKind;
using domain::failure;

namespace {

constexpr qsizetype kMostSaid = 4096;

} // namespace

ProcessStream::ProcessStream(QProcess *process, QObject *parent)
    : QLocalSocket(parent), m_process(process)
{
    connect(m_process, &QProcess::readyReadStandardError, this, &ProcessStream::readSaid);
}

ProcessStream::~ProcessStream()
{
    m_process->disconnect(this);
    if (m_process->state() == QProcess::NotRunning) {
        delete m_process;
        return;
    }
    // Its destructor would wait for the end.
    connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
    m_process->kill();
}

void ProcessStream::readSaid()
{
    m_said = (m_said + m_process->readAllStandardError()).right(kMostSaid);
}

namespace {

domain::Async<ByteStream> dialProcess(QString program, QStringList arguments,
                                      std::chrono::milliseconds timeout, std::stop_token stop)
{
    const QString path = QStandardPaths::findExecutable(program);
    if (path.isEmpty())
        co_return failure(ErrorKind::Unavailable,
                          QStringLiteral("The program %1 is not installed").arg(program));
    // One socket for both ways: a QProcess would read ahead without a limit, and nobody could hold
    // the sender up.
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        co_return failure(ErrorKind::Internal, QStringLiteral("No more sockets"));
    auto *process = new QProcess;
    auto *local = new ProcessStream(process);
    const ByteStream stream = ownedStream(local);
    local->setReadBufferSize(kReadBuffer);
    local->setSocketDescriptor(ends[0], QLocalSocket::ConnectedState);
    const int theirs = ends[1];
    process->setChildProcessModifier([theirs] {
        ::dup2(theirs, STDIN_FILENO);
        ::dup2(theirs, STDOUT_FILENO);
    });

    enum class Ended { Started, Failed, TimedOut, Stopped };
    const async::Completion<Ended> ended;
    QObject context;
    QObject::connect(process, &QProcess::started, &context,
                     [ended] { ended.complete(Ended::Started); });
    QObject::connect(process, &QProcess::errorOccurred, &context,
                     [ended] { ended.complete(Ended::Failed); });
    QTimer timer;
    timer.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, &context,
                     [ended] { ended.complete(Ended::TimedOut); });
    if (timeout.count() > 0)
        timer.start(timeout);
    process->start(path, arguments);
    ::close(theirs);
    Ended how = Ended::Failed;
    {
        const std::stop_callback onStop(stop, [ended] { ended.complete(Ended::Stopped); });
        how = co_await ended;
    }
    switch (how) {
    case Ended::Started:
        co_return stream;
    case Ended::Stopped:
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled while connecting"));
    case Ended::TimedOut:
        co_return failure(ErrorKind::Timeout, QStringLiteral("%1 does not start").arg(program));
    case Ended::Failed:
        break;
    }
    co_return failure(
        ErrorKind::Unavailable,
        QStringLiteral("%1 cannot be started: %2").arg(program, process->errorString()));
}

} // namespace

ProcessDialer::ProcessDialer(QString program, QStringList arguments)
    : m_program(std::move(program)), m_arguments(std::move(arguments))
{}

domain::Async<ByteStream> ProcessDialer::dial(std::chrono::milliseconds timeout,
                                              std::stop_token stop)
{
    return dialProcess(m_program, m_arguments, timeout, std::move(stop));
}

} // namespace berth::net
