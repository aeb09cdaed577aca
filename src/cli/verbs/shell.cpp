// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Terminals in a sandbox: a new one, and one that was left.
#include "cli/follow.h"
#include "cli/human.h"
#include "cli/ids.h"
#include "cli/interactive.h"
#include "cli/isolation_question.h"
#include "cli/raw_terminal.h"
#include "cli/verbs/verbs.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

//! Enough of what was shown before to know where one was.
constexpr qint64 kShownAgain = 16 * 1024;

Result<void> checkTerminal(const Context &context)
{
    if (context->options.json) {
        return failure(
            ErrorKind::InvalidInput, QStringLiteral("A terminal has no JSON"),
            QStringLiteral("berth-cli exec --json runs a command and tells its result."));
    }
    if (!context->streams.terminal.inIsTerminal || !context->streams.terminal.outIsTerminal) {
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("Standard input and output are not a terminal"),
                       QStringLiteral("berth-cli exec runs a command without one."));
    }
    return {};
}

void stopOnInterrupt(const Context &context, const domain::ProcessId &process)
{
    const std::weak_ptr<CliContext> weak = context;
    context->onInterrupt = [weak, process] {
        if (const Context self = weak.lock())
            deliver(self->guard, self->client, StopProcess{process},
                    [](const Result<ProcessView> &) {});
    };
}

Async<int> runInteraction(Context context, ProcessView process, qint64 from, bool ours)
{
    const Result<bool> bound = co_await endsWithThisProgram(context, process);
    if (!bound)
        co_return failure(bound.error());
    const Leaving leaving = *bound ? Leaving::Refused : Leaving::Allowed;
    // As when a line is hung up: the shell goes with it. One that was only looked at stays.
    if (ours)
        stopOnInterrupt(context, process.id);
    const Result<Interaction> ended = co_await interact(context, process, leaving, from);
    context->onInterrupt = nullptr;
    if (!ended)
        co_return failure(ended.error());
    if (ended->detached) {
        context->note(QStringLiteral("\nLeft; it goes on. berth-cli process attach %1 comes back.")
                          .arg(process.id.toString().left(8)));
        co_return 0;
    }
    const ProcessView &view = ended->process;
    if (view.outcome != domain::OutcomeKind::Exited && context->interrupt == 0) {
        context->note(QStringLiteral("The terminal ended: ")
                      + (view.detail.isEmpty() ? stateText(view) : onOneLine(view.detail)));
    }
    if (ours) {
        // All of it was seen.
        const RemoveProcess removeProcess{process.id};
        const Result<Nothing> removed = co_await ask(context, removeProcess);
        Q_UNUSED(removed)
    }
    co_return view.exitCode;
}

} // namespace

Async<int> shell(Context context)
{
    if (const Result<void> fits = checkTerminal(context); !fits)
        co_return failure(fits.error());
    const Result<QString> target = co_await resolveTarget(context, context->options.arguments[0]);
    if (!target)
        co_return failure(target.error());
    const Result<void> allowed = co_await confirmIsolation(context, *target);
    if (!allowed)
        co_return failure(allowed.error());
    const domain::TerminalSize size = RawTerminal::size();
    StartProcess command;
    command.target = *target;
    command.argv = context->options.command;
    command.columns = size.columns;
    command.rows = size.rows;
    cancelOnInterrupt(context);
    const Result<ProcessView> started = co_await ask(context, command);
    context->onInterrupt = nullptr;
    if (!started)
        co_return failure(started.error());
    const Result<int> code = co_await runInteraction(context, *started, 0, true);
    co_return code;
}

Async<int> processAttach(Context context)
{
    if (const Result<void> fits = checkTerminal(context); !fits)
        co_return failure(fits.error());
    const Result<ProcessView> process =
        co_await resolveProcess(context, context->options.arguments[0]);
    if (!process)
        co_return failure(process.error());
    if (process->kind != ProcessKind::Terminal) {
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("It is a background command, not a terminal"),
                          QStringLiteral("berth-cli process logs --follow shows its output."));
    }
    if (process->state != ProcessState::Running) {
        co_return failure(ErrorKind::Conflict, QStringLiteral("The terminal does not run"),
                          process->detail);
    }
    const domain::TerminalSize size = RawTerminal::size();
    const ResizeProcess resizeProcess{process->id, size.columns, size.rows};
    const Result<Nothing> resized = co_await ask(context, resizeProcess);
    if (!resized)
        co_return failure(resized.error());
    const qint64 from = std::max<qint64>(0, process->outputBytes - kShownAgain);
    const Result<int> code = co_await runInteraction(context, *process, from, false);
    co_return code;
}

} // namespace berth::cli
