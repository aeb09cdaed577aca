// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/policy/hook_runner.h"

#include "application/policy/process_tree.h"
#include "application/threads/bounded_json.h"
#include "async/completion.h"
#include "domain/text.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QProcessEnvironment>
#include <QtCore/QTimer>

#include <nlohmann/json.hpp>

#include <memory>
#include <unistd.h>

namespace berth::application {

using domain::ErrorKind;
using domain::failure;

namespace {

using json = nlohmann::json;

constexpr qsizetype kLongestReason = 2000;

enum class HookEnd { Finished, NotStarted, TooLate, TooMuch, Stopped };

QByteArray eventText(const HookEvent &event)
{
    json arguments = boundedJson(event.arguments.toUtf8());
    if (!arguments.is_object())
        arguments = json::object();
    json document{{"event", wireName(event.moment).toStdString()},
                  {"tool_call", event.toolCall.toString().toStdString()},
                  {"thread", event.thread.toString().toStdString()},
                  {"agent", event.agent.toString().toStdString()},
                  {"tool", event.tool.toStdString()},
                  {"arguments", std::move(arguments)},
                  {"command", event.command.toStdString()},
                  {"cwd", event.cwd.toStdString()},
                  {"origin", event.origin.toStdString()}};
    if (event.moment == HookMoment::AfterTool) {
        document["outcome"] = event.outcome.toStdString();
        document["is_error"] = event.isError;
        document["exit_code"] = event.exitCode ? json(*event.exitCode) : json(nullptr);
    }
    return QByteArray::fromStdString(document.dump(-1, ' ', false, json::error_handler_t::replace))
        + '\n';
}

//! Nothing of Berth's own environment, which may hold keys.
QProcessEnvironment hookEnvironment()
{
    const QProcessEnvironment own = QProcessEnvironment::systemEnvironment();
    QProcessEnvironment given;
    for (const QString &name :
         {QStringLiteral("PATH"), QStringLiteral("HOME"), QStringLiteral("LANG")}) {
        if (own.contains(name))
            given.insert(name, own.value(name));
    }
    return given;
}

QString reasonText(const QByteArray &said)
{
    return QString::fromUtf8(said).trimmed().left(kLongestReason);
}

HookVerdict denial(const Hook &hook, const QString &reason)
{
    return {false, reason, hook.program};
}

//! Its destructor would wait for the end.
void letGo(QProcess *process)
{
    if (process->state() == QProcess::NotRunning) {
        process->deleteLater();
        return;
    }
    QObject::connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->kill();
}

domain::Async<HookVerdict> runHook(Hook hook, QByteArray input, HookLimits limits,
                                   std::stop_token stop)
{
    const async::Completion<HookEnd> end;
    const std::unique_ptr<QProcess, void (*)(QProcess *)> process(new QProcess, &letGo);
    QProcess *running = process.get();
    process->setProgram(hook.program);
    process->setArguments(hook.arguments);
    process->setProcessEnvironment(hookEnvironment());
    process->setWorkingDirectory(QStringLiteral("/"));
    process->setChildProcessModifier([] { ::setsid(); });
    QObject context;
    QByteArray said;
    qsizetype seen = 0;
    const auto read = [running, &said, &seen, limits, end] {
        const QByteArray errors = running->readAllStandardError();
        seen += errors.size() + running->readAllStandardOutput().size();
        said = (said + errors).left(limits.output);
        if (seen > limits.output)
            end.complete(HookEnd::TooMuch);
    };
    QObject::connect(running, &QProcess::readyReadStandardError, &context, read);
    QObject::connect(running, &QProcess::readyReadStandardOutput, &context, read);
    QObject::connect(running, &QProcess::finished, &context,
                     [end] { end.complete(HookEnd::Finished); });
    QObject::connect(running, &QProcess::errorOccurred, &context,
                     [end](QProcess::ProcessError error) {
                         if (error == QProcess::FailedToStart)
                             end.complete(HookEnd::NotStarted);
                     });
    QTimer deadline;
    deadline.setSingleShot(true);
    QObject::connect(&deadline, &QTimer::timeout, &context,
                     [end] { end.complete(HookEnd::TooLate); });
    const std::stop_callback stopped(stop, [end] { end.complete(HookEnd::Stopped); });

    deadline.start(limits.deadline);
    process->start();
    const qint64 pid = process->processId();
    if (process->state() != QProcess::NotRunning) {
        process->write(input);
        process->closeWriteChannel();
    }
    const HookEnd how = co_await end;
    killProcessTree(pid);
    read();
    switch (how) {
    case HookEnd::Stopped:
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Stopped while a hook was asked"));
    case HookEnd::NotStarted:
        co_return denial(hook,
                         QStringLiteral("The hook %1 cannot be started: %2")
                             .arg(hook.program, process->errorString()));
    case HookEnd::TooLate:
        co_return denial(hook,
                         QStringLiteral("The hook %1 gave no answer within %2 s")
                             .arg(hook.program)
                             .arg(static_cast<double>(limits.deadline.count()) / 1000));
    case HookEnd::TooMuch:
        break;
    case HookEnd::Finished:
        if (seen > limits.output)
            break;
        if (process->exitStatus() != QProcess::NormalExit)
            co_return denial(hook,
                             QStringLiteral("The hook %1 was ended by a signal").arg(hook.program));
        if (process->exitCode() == 0)
            co_return HookVerdict{};
        const QString reason = reasonText(said);
        if (process->exitCode() == 2)
            co_return denial(hook,
                             reason.isEmpty()
                                 ? QStringLiteral("The hook %1 denies it").arg(hook.program)
                                 : reason);
        co_return denial(hook,
                         QStringLiteral("The hook %1 failed with status %2: %3")
                             .arg(hook.program)
                             .arg(process->exitCode())
                             .arg(reason));
    }
    co_return denial(hook,
                     QStringLiteral("The hook %1 said more than %2 KiB")
                         .arg(hook.program)
                         .arg(limits.output / 1024));
}

} // namespace

HookRunner::HookRunner(QString path, HookLimits limits) : m_path(std::move(path)), m_limits(limits)
{}

domain::Async<HookVerdict> HookRunner::run(HookEvent event, std::stop_token stop) const
{
    HookLimits limits = m_limits;
    QElapsedTimer all;
    all.start();
    const domain::Result<QList<Hook>> hooks = readHooks(m_path);
    const bool mayDeny = event.moment == HookMoment::BeforeTool;
    if (!hooks) {
        co_return HookVerdict{
            !mayDeny, hooks.error().message + QStringLiteral(". ") + hooks.error().detail, {}};
    }
    const QByteArray input = eventText(event);
    HookVerdict answer;
    for (const Hook &hook : *hooks) {
        if (hook.moment != event.moment
            || (!hook.tools.isEmpty() && !hook.tools.contains(event.tool)))
            continue;
        if (!mayDeny) {
            limits.deadline = m_limits.deadline - std::chrono::milliseconds(all.elapsed());
            if (limits.deadline.count() <= 0) {
                answer.hook = hook.program;
                answer.reason =
                    QStringLiteral("The hook %1 was left out: those before it took too long")
                        .arg(hook.program);
                break;
            }
        }
        const domain::Result<HookVerdict> verdict = co_await runHook(hook, input, limits, stop);
        if (!verdict)
            co_return failure(verdict.error());
        if (verdict->allowed)
            continue;
        if (mayDeny)
            co_return *verdict;
        answer.reason = verdict->reason;
        answer.hook = verdict->hook;
    }
    const HookVerdict whole = answer;
    co_return whole;
}

} // namespace berth::application
