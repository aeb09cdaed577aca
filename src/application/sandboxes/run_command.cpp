// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/sandboxes/run_command.h"

namespace berth::application {

using domain::Execution;
using domain::Outcome;
using domain::Result;

namespace {

constexpr qsizetype kTailBytes = 2000;

} // namespace

async::Completion<Outcome> endOf(const Execution &execution, QObject *context)
{
    const async::Completion<Outcome> ended;
    QObject::connect(&execution, &Execution::finished, context,
                     [ended](const Outcome &outcome) { ended.complete(outcome); });
    return ended;
}

domain::Async<CommandRun> runCommand(std::shared_ptr<domain::SandboxConnection> connection,
                                     domain::CommandSpec spec, std::stop_token stop)
{
    const Result<std::shared_ptr<Execution>> started =
        co_await connection->shell().start(spec, stop);
    if (!started)
        co_return domain::failure(started.error());
    const std::shared_ptr<Execution> execution = *started;
    const async::Completion<Outcome> ended = endOf(*execution, execution.get());
    const auto tail = std::make_shared<QByteArray>();
    QObject::connect(
        execution.get(), &Execution::output, execution.get(),
        [raw = execution.get(), tail](domain::OutputStream stream, const QByteArray &bytes) {
            *tail = (*tail + bytes).right(kTailBytes);
            raw->acknowledge(stream, bytes.size());
        });
    const std::stop_callback onStop(stop, [execution] { execution->stop(); });
    CommandRun run;
    run.outcome = co_await ended;
    run.tail = *tail;
    co_return run;
}

} // namespace berth::application
