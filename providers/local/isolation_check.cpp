// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/local/isolation_check.h"

#include "async/completion.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QTemporaryDir>

namespace berth::local {

using domain::ErrorKind;
using domain::HealthReport;
using domain::HealthStep;
using domain::StepState;
using namespace std::chrono_literals;

namespace {

//! Collects steps and measures each from the end of the one before.
class Steps
{
public:
    explicit Steps(domain::StepSink sink) : m_sink(std::move(sink)) { m_clock.start(); }

    void tell(const QString &name, StepState state, const QString &detail)
    {
        const HealthStep step{name, state, detail, std::chrono::milliseconds(m_clock.restart())};
        m_report.steps << step;
        if (m_sink)
            m_sink(step);
    }
    HealthReport failed(const QString &name, const domain::Error &error)
    {
        tell(name, StepState::Failed,
             error.detail.isEmpty() ? error.message
                                    : error.message + QStringLiteral(": ") + error.detail);
        m_report.summary = error.message;
        m_report.error = error;
        return m_report;
    }
    HealthReport passed(const QString &summary)
    {
        m_report.ok = true;
        m_report.summary = summary;
        return m_report;
    }

private:
    domain::StepSink m_sink;
    QElapsedTimer m_clock;
    HealthReport m_report;
};

//! Output and exit code of a short command.
domain::Async<QByteArray> outputOf(std::shared_ptr<domain::SandboxConnection> connection,
                                   QByteArray text, std::stop_token stop)
{
    domain::CommandSpec command;
    command.shellText = std::move(text);
    command.timeout = 10s;
    const domain::Result<std::shared_ptr<domain::Execution>> started =
        co_await connection->shell().start(command, stop);
    if (!started)
        co_return domain::failure(started.error());
    domain::Execution *execution = started->get();
    const auto output = std::make_shared<QByteArray>();
    const async::Completion<domain::Outcome> done;
    QObject context;
    QObject::connect(execution, &domain::Execution::output, &context,
                     [output, execution](domain::OutputStream stream, const QByteArray &bytes) {
                         *output += bytes.left(4096 - output->size());
                         execution->acknowledge(stream, bytes.size());
                     });
    QObject::connect(execution, &domain::Execution::finished, &context,
                     [done](const domain::Outcome &outcome) { done.complete(outcome); });
    const domain::Outcome outcome = co_await done;
    if (outcome.kind != domain::OutcomeKind::Exited || outcome.code != 0)
        co_return domain::failure(
            ErrorKind::Unavailable,
            QStringLiteral("A command in the sandbox failed with exit code %1")
                .arg(domain::exitCodeOf(outcome)),
            QString::fromUtf8(*output));
    co_return *output;
}

QString versionText(const QList<int> &version)
{
    QStringList parts;
    for (const int part : version)
        parts << QString::number(part);
    return parts.join(QLatin1Char('.'));
}

} // namespace

domain::Async<HealthReport> checkIsolation(std::shared_ptr<Runtimes> runtimes,
                                           QMap<QString, QString> values, domain::StepSink sink,
                                           std::stop_token stop)
{
    Steps steps(std::move(sink));
    const QString settingsStep = QStringLiteral("Settings");
    const QString bubblewrapStep = QStringLiteral("bubblewrap");
    const QString isolationStep = QStringLiteral("Isolation");
    const QString commandStep = QStringLiteral("Command");
    const QString limitsStep = QStringLiteral("Limits");

    const domain::Result<LocalSettings> settings = localSettings(values, {});
    if (!settings)
        co_return steps.failed(settingsStep, settings.error());
    steps.tell(settingsStep, settings->network ? StepState::Warning : StepState::Ok,
               settings->network
                   ? QStringLiteral("Network on: commands also reach services of this machine "
                                    "and of the local network")
                   : QStringLiteral("No network"));

    QTemporaryDir workspace(runtimes->paths().runtime + QStringLiteral("/check-XXXXXX"));
    if (!workspace.isValid())
        co_return steps.failed(settingsStep,
                               {ErrorKind::Storage,
                                QStringLiteral("No directory could be made for the check"),
                                workspace.errorString(),
                                {},
                                {}});
    const domain::Result<SandboxLaunch> launch = co_await Runtimes::prepare(
        runtimes, *settings, QStringLiteral("berth-check"), workspace.path(), stop);
    if (!launch)
        co_return steps.failed(bubblewrapStep, launch.error());
    if (settings->isolated)
        steps.tell(
            bubblewrapStep, StepState::Ok,
            QStringLiteral("%1 at %2").arg(versionText(runtimes->version()), launch->program));

    const domain::Result<std::shared_ptr<SandboxProcess>> process =
        co_await SandboxProcess::start(*launch, stop);
    if (!process)
        co_return steps.failed(isolationStep, process.error());
    if (settings->isolated)
        steps.tell(isolationStep, StepState::Ok,
                   QStringLiteral("A sandbox of its own was made, with a filter for system calls"));
    else
        steps.tell(isolationStep, StepState::Warning, noIsolationWords());
    const LimitsHeld limits = (*process)->limits();

    // What must hold for a sandbox, asked of the kernel from inside.
    const QByteArray question = settings->isolated
        ? "grep -q '^CapEff:[[:space:]]*0*$' /proc/self/status && grep -q "
          "'^NoNewPrivs:[[:space:]]*1$' "
          "/proc/self/status && grep -q '^Seccomp:[[:space:]]*2$' /proc/self/status && "
          "test ! -e /home && test ! -e /run && test ! -w / && echo isolated"
        : "echo open";
    const domain::Result<QByteArray> said =
        co_await outputOf((*process)->connection(), question, stop);
    co_await SandboxProcess::end(*process, QStringLiteral("The check is over"));
    if (!said)
        co_return steps.failed(commandStep, said.error());
    if (settings->isolated && said->trimmed() != "isolated")
        co_return steps.failed(commandStep,
                               {ErrorKind::Unavailable,
                                QStringLiteral("The sandbox is not isolated as it should be"),
                                QString::fromUtf8(*said),
                                {},
                                {}});
    steps.tell(commandStep, StepState::Ok,
               settings->isolated ? QStringLiteral(
                   "A command ran without rights and without sight of this machine")
                                  : QStringLiteral("A command ran with all your rights"));
    steps.tell(limitsStep, limits.asAsked() ? StepState::Ok : StepState::Warning,
               limitsText(*settings, limits));
    if (!settings->isolated)
        co_return steps.passed(noIsolationWords());
    co_return steps.passed(
        QStringLiteral("bubblewrap %1, isolated").arg(versionText(runtimes->version())));
}

} // namespace berth::local
