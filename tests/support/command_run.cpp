// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/command_run.h"

#include <utility>

namespace berth::test {

CommandRun::CommandRun(std::shared_ptr<domain::Execution> execution, Acknowledge acknowledge)
    : m_execution(std::move(execution))
{
    m_clock.start();
    connect(m_execution.get(), &domain::Execution::output, this,
            [this, acknowledge](domain::OutputStream stream, const QByteArray &bytes) {
                if (m_outcome)
                    ++m_afterEnd;
                (stream == domain::OutputStream::Stdout ? out : err).append(bytes);
                if (acknowledge == Acknowledge::AtOnce)
                    m_execution->acknowledge(stream, bytes.size());
                Q_EMIT changed();
            });
    connect(m_execution.get(), &domain::Execution::finished, this,
            [this](const domain::Outcome &outcome) {
                if (m_outcome)
                    ++m_afterEnd;
                m_outcome = outcome;
                m_elapsed = std::chrono::milliseconds(m_clock.elapsed());
                Q_EMIT changed();
            });
}

bool CommandRun::waitForEnd(std::chrono::milliseconds limit)
{
    return waitUntil([this] { return isFinished(); }, limit);
}

bool CommandRun::waitForOutput(const QByteArray &bytes, std::chrono::milliseconds limit)
{
    return waitUntil([this, &bytes] { return out.contains(bytes); }, limit);
}

domain::CommandSpec shellCommand(const QByteArray &text)
{
    domain::CommandSpec spec;
    spec.shellText = text;
    return spec;
}

domain::CommandSpec program(const QList<QByteArray> &argv)
{
    domain::CommandSpec spec;
    spec.argv = argv;
    return spec;
}

std::unique_ptr<CommandRun> start(domain::Shell &shell, domain::CommandSpec command,
                                  CommandRun::Acknowledge acknowledge)
{
    domain::Result<std::shared_ptr<domain::Execution>> started =
        await(shell.start(std::move(command), {}));
    if (!started) {
        qWarning("start failed: %s", told(started).constData());
        return nullptr;
    }
    return std::make_unique<CommandRun>(std::move(*started), acknowledge);
}

Finished run(domain::Shell &shell, domain::CommandSpec command, std::chrono::milliseconds limit)
{
    domain::Result<std::shared_ptr<domain::Execution>> started =
        await(shell.start(std::move(command), {}), limit);
    Finished finished;
    if (!started) {
        finished.outcome.detail = QString::fromUtf8(told(started));
        return finished;
    }
    CommandRun run(std::move(*started));
    if (run.waitForEnd(limit))
        finished.outcome = run.outcome();
    else
        finished.outcome.detail = QStringLiteral("still running after %1 ms").arg(limit.count());
    finished.out = run.out;
    finished.err = run.err;
    finished.elapsed = run.elapsed();
    return finished;
}

Finished run(domain::Shell &shell, const QByteArray &text, std::chrono::milliseconds limit)
{
    return run(shell, shellCommand(text), limit);
}

QByteArray told(const Finished &finished)
{
    return domain::wireName(finished.outcome.kind).toUtf8() + ' '
        + QByteArray::number(finished.outcome.code) + ' ' + finished.outcome.detail.toUtf8()
        + ", out: " + finished.out.left(400) + ", err: " + finished.err.left(400);
}

} // namespace berth::test
