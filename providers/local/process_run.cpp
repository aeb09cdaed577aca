// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/local/process_run.h"

#include "async/completion.h"

#include <QtCore/QProcess>
#include <QtCore/QTimer>

namespace berth::local {

using domain::ErrorKind;

namespace {

constexpr qsizetype kKept = 64 * 1024;

enum class Ending { Finished, NotStarted, TimedOut, Stopped };

void keep(QByteArray &into, const QByteArray &bytes)
{
    into += bytes.left(kKept - into.size());
}

//! From the event loop, outside its own signals, and only once it has ended: its destructor would
//! wait.
void dispose(QProcess *process)
{
    if (process->state() == QProcess::NotRunning) {
        process->deleteLater();
        return;
    }
    QObject::connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->kill();
}

} // namespace

domain::Async<ProcessEnd> runProcess(QString program, QStringList arguments,
                                     std::chrono::milliseconds limit, std::stop_token stop)
{
    if (stop.stop_requested())
        co_return domain::failure(ErrorKind::Cancelled, QStringLiteral("Stopped"));
    QProcess *process = new QProcess;
    const std::shared_ptr<QProcess> owner(process, dispose);
    const auto end = std::make_shared<ProcessEnd>();
    const async::Completion<Ending> done;

    QProcessEnvironment environment;
    environment.insert(QStringLiteral("PATH"), qEnvironmentVariable("PATH"));
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
    process->setProcessEnvironment(environment);
    process->setStandardInputFile(QProcess::nullDevice());
    QObject::connect(process, &QProcess::readyReadStandardOutput, process,
                     [process, end] { keep(end->output, process->readAllStandardOutput()); });
    QObject::connect(process, &QProcess::readyReadStandardError, process,
                     [process, end] { keep(end->errors, process->readAllStandardError()); });
    QObject::connect(process, &QProcess::finished, process,
                     [process, end, done](int code, QProcess::ExitStatus status) {
                         keep(end->output, process->readAllStandardOutput());
                         keep(end->errors, process->readAllStandardError());
                         end->exited = status == QProcess::NormalExit;
                         end->code = code;
                         done.complete(Ending::Finished);
                     });
    QObject::connect(process, &QProcess::errorOccurred, process,
                     [done](QProcess::ProcessError error) {
                         if (error == QProcess::FailedToStart)
                             done.complete(Ending::NotStarted);
                     });
    QTimer timer;
    timer.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, process, [process, done] {
        done.complete(Ending::TimedOut);
        process->kill();
    });
    const std::stop_callback onStop(stop, [process, done] {
        done.complete(Ending::Stopped);
        process->kill();
    });
    timer.start(limit);
    process->start(program, arguments);

    const Ending ending = co_await done;
    timer.stop();
    switch (ending) {
    case Ending::Finished:
        break;
    case Ending::NotStarted:
        co_return domain::failure(ErrorKind::Unavailable,
                                  QStringLiteral("%1 could not be started").arg(program),
                                  process->errorString());
    case Ending::TimedOut:
        co_return domain::failure(
            ErrorKind::Timeout,
            QStringLiteral("%1 did not end within %2 ms").arg(program).arg(limit.count()));
    case Ending::Stopped:
        co_return domain::failure(ErrorKind::Cancelled, QStringLiteral("Stopped"));
    }
    co_return *end;
}

} // namespace berth::local
