// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/script/local_scripts.h"

#include "net/script/streamed_execution.h"

#include <QtCore/QProcess>

#include <unistd.h>

namespace berth::test {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::OutputStream;

namespace {

std::shared_ptr<QProcess> processOf(const LocalScripts::Traits &traits, const QByteArray &script)
{
    // What a script has to keep to.
    for (const char c : script)
        if ((c < ' ' && c != '\n' && c != '\t') || c >= 0x7F)
            qFatal("a script with other than printable ASCII");
    const auto process = std::shared_ptr<QProcess>(new QProcess, [](QProcess *gone) {
        gone->disconnect();
        gone->kill();
        gone->waitForFinished(1000);
        gone->deleteLater();
    });
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("PATH"),
                       (traits.tools.isEmpty() ? QString() : traits.tools + u':')
                           + QStringLiteral("/usr/local/bin:/usr/bin:/bin"));
    environment.insert(QStringLiteral("BASE"), QStringLiteral("base value"));
    environment.insert(QStringLiteral("TMPDIR"), traits.temporary);
    process->setProcessEnvironment(environment);
    process->setWorkingDirectory(traits.temporary);
    process->setProgram(traits.shell.first());
    process->setArguments(traits.shell.mid(1)
                          + QStringList{QStringLiteral("-c"), QString::fromLatin1(script)});
    return process;
}

async::Completion<bool> finishedOf(const std::shared_ptr<QProcess> &process)
{
    const async::Completion<bool> done;
    QObject::connect(process.get(), &QProcess::finished, process.get(),
                     [done] { done.complete(true); });
    QObject::connect(process.get(), &QProcess::errorOccurred, process.get(),
                     [done](QProcess::ProcessError error) {
                         if (error == QProcess::FailedToStart)
                             done.complete(false);
                     });
    return done;
}

Async<net::ScriptResult> runHere(LocalScripts::Traits traits, net::ScriptRequest request,
                                 std::stop_token stop)
{
    const QByteArray text = traits.inlineInput ? net::scriptWithInput(request) : request.script;
    const std::shared_ptr<QProcess> process = processOf(traits, text);
    const async::Completion<bool> done = finishedOf(process);
    process->start();
    if (!traits.inlineInput)
        process->write(request.input);
    process->closeWriteChannel();
    bool there = false;
    {
        const std::stop_callback onStop(stop, [done] { done.complete(false); });
        there = co_await done;
    }
    if (!there)
        co_return failure(stop.stop_requested() ? ErrorKind::Cancelled : ErrorKind::Unavailable,
                          QStringLiteral("The script was not run to its end"));
    net::ScriptResult result;
    result.code = process->exitStatus() == QProcess::CrashExit ? 128 + process->exitCode()
                                                               : process->exitCode();
    result.out = process->readAllStandardOutput();
    result.err = process->readAllStandardError();
    co_return result;
}

Async<std::shared_ptr<domain::Execution>> startHere(LocalScripts::Traits traits,
                                                    net::TrackedOptions options,
                                                    domain::CommandSpec command)
{
    if (const auto problem = net::commandProblem(command))
        co_return failure(*problem);
    const QByteArray run = net::newRunId();
    const net::TrackedCommand tracked = net::trackedCommand(command, run, options);
    const std::shared_ptr<QProcess> process = processOf(traits, tracked.script);
    net::ExecutionHooks hooks;
    hooks.stop = [traits, script = tracked.stopScript] {
        const std::shared_ptr<QProcess> stopper = processOf(traits, script);
        QObject::connect(stopper.get(), &QProcess::finished, stopper.get(), [stopper] {
            const auto keep = stopper;
            keep->disconnect();
        });
        stopper->start();
    };
    hooks.input = [process](const QByteArray &bytes) { process->write(bytes); };
    hooks.closeInput = [process] { process->closeWriteChannel(); };
    const auto execution = std::make_shared<net::StreamedExecution>(hooks, net::MarkReader(run));
    const std::weak_ptr<net::StreamedExecution> weak = execution;
    const auto read = [weak, raw = process.get()] {
        const auto keep = weak.lock();
        const QByteArray out = raw->readAllStandardOutput();
        const QByteArray err = raw->readAllStandardError();
        if (!keep)
            return;
        keep->feed(OutputStream::Stdout, out);
        keep->feed(OutputStream::Stderr, err);
    };
    QObject::connect(process.get(), &QProcess::readyReadStandardOutput, process.get(), read);
    QObject::connect(process.get(), &QProcess::readyReadStandardError, process.get(), read);
    QObject::connect(process.get(), &QProcess::finished, process.get(), [weak, read] {
        read();
        if (const auto keep = weak.lock())
            keep->ended({}, QStringLiteral("The script ended without a word"));
    });
    process->start();
    if (!command.openInput)
        process->closeWriteChannel();
    const async::Completion<domain::Result<bool>> started = execution->started();
    const domain::Result<bool> result = co_await started;
    if (!result)
        co_return failure(result.error());
    const std::shared_ptr<domain::Execution> handed = execution->handOver();
    co_return handed;
}

} // namespace

Async<net::ScriptResult> LocalScripts::run(net::ScriptRequest request, std::stop_token stop)
{
    ++count;
    longest = qMax(longest, request.script.size());
    if (request.input.size() > m_traits.largestInput)
        qFatal("more input than the runner takes");
    return runHere(m_traits, std::move(request), std::move(stop));
}

Async<std::shared_ptr<domain::Execution>> LocalTrackedShell::start(domain::CommandSpec command,
                                                                   std::stop_token)
{
    return startHere(m_traits, m_options, std::move(command));
}

Async<QList<domain::Job>> LocalTrackedShell::jobs(std::stop_token)
{
    co_return failure(ErrorKind::Unsupported, QStringLiteral("There are none"));
}

Async<std::shared_ptr<domain::Execution>> LocalTrackedShell::attach(quint32, qint64, qint64,
                                                                    std::stop_token)
{
    co_return failure(ErrorKind::Unsupported, QStringLiteral("There are none"));
}

} // namespace berth::test
