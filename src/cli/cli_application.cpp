// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_application.h"

#include "cli/exit_codes.h"
#include "cli/fd_sink.h"
#include "cli/help.h"
#include "cli/interrupt.h"
#include "cli/json_output.h"
#include "cli/registry.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <unistd.h>

namespace berth::cli {

using domain::Result;

namespace {

//! How long a stop in the sandbox may take before the program ends without it.
constexpr std::chrono::seconds kGrace{10};

} // namespace

async::Task<void> performVerb(Context context, QPointer<CliApplication> application)
{
    const Result<int> result = co_await context->options.verb->run(context);
    if (!application)
        co_return;
    OutputSink &out = context->streams.out;
    OutputSink &err = context->streams.err;
    const int code = result ? *result : reportError(context->options, result.error(), out, err);
    co_await out.room(0);
    if (!application)
        co_return;
    co_await err.room(0);
    if (application)
        application->finish(context->interrupt != 0 ? 128 + context->interrupt : code);
}

CliApplication::CliApplication(CliOptions options, application::EngineClient &client,
                               CliStreams streams, QObject *parent)
    : QObject(parent),
      m_context(
          std::make_shared<CliContext>(std::move(options), client, std::move(streams), &m_guard))
{
    Q_ASSERT(m_context->options.needsEngine() && m_context->options.verb);
    m_grace.setSingleShot(true);
    connect(&m_grace, &QTimer::timeout, this, [this] {
        if (!m_finished)
            m_context->note(
                QStringLiteral("The stop was not confirmed in time; the command may still run."));
        finish(128 + m_context->interrupt);
    });
}

CliApplication::~CliApplication() = default;

void CliApplication::start()
{
    performVerb(m_context, QPointer<CliApplication>(this));
}

void CliApplication::interrupt(int signalNumber)
{
    const bool again = m_context->interrupt != 0;
    m_context->interrupt = signalNumber;
    if (again || !m_context->onInterrupt) {
        const QSet<domain::RequestId> asked = m_context->asked;
        for (const domain::RequestId &id : asked)
            m_context->client.cancel(id);
        finish(128 + signalNumber);
        return;
    }
    m_grace.start(kGrace);
    m_context->onInterrupt();
}

void CliApplication::finish(int code)
{
    if (m_finished)
        return;
    m_finished = true;
    m_grace.stop();
    Q_EMIT finished(code);
}

int reportError(const CliOptions &options, const domain::Error &error, OutputSink &out,
                OutputSink &err)
{
    if (options.json) {
        out.write(errorJson(error));
    } else {
        QString text = QStringLiteral("berth-cli: ") + error.message + QLatin1Char('\n');
        const QStringList lines = error.detail.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        for (const QString &line : lines)
            text += QStringLiteral("  ") + line + QLatin1Char('\n');
        err.write(text.toUtf8());
    }
    return options.verb && options.verb->passesExitCode ? kOwnFailure : exitCodeOf(error.kind);
}

int reportWithoutEngine(const CliOptions &options, const QString &version, OutputSink &out,
                        OutputSink &err)
{
    if (options.error) {
        reportError(options, *options.error, out, err);
        return kUsage;
    }
    if (options.json) {
        const nlohmann::json object = options.version
            ? nlohmann::json{{"version", version.toStdString()}}
            : nlohmann::json{{"help", helpText(options).toStdString()}};
        out.write(QByteArray::fromStdString(object.dump()) + '\n');
    } else {
        out.write((options.version ? QStringLiteral("berth-cli ") + version + QLatin1Char('\n')
                                   : helpText(options))
                      .toUtf8());
    }
    return 0;
}

void runCli(const CliOptions &options, application::EngineClient &client, QObject *context,
            std::function<void(int)> done)
{
    auto *owner = new QObject(context);
    auto *out = new FdSink(STDOUT_FILENO, owner);
    auto *err = new FdSink(STDERR_FILENO, owner);
    auto *run = new CliApplication(
        options, client, CliStreams{*out, *err, terminalFacts(), &readLine, &readHiddenLine},
        owner);
    auto *signals = new InterruptSignals(owner);
    QObject::connect(signals, &InterruptSignals::interrupted, run, &CliApplication::interrupt);
    QObject::connect(
        run, &CliApplication::finished, owner,
        [owner, done = std::move(done)](int code) {
            owner->deleteLater();
            done(code);
        },
        Qt::QueuedConnection);
    run->start();
}

} // namespace berth::cli
