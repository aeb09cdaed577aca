// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ThreadService that runs commands outside of any conversation.
#include "application/threads/thread_service.h"
#include "domain/agent/default_agent.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using domain::Thread;
using domain::ThreadId;

namespace {} // namespace

Async<Started> ThreadService::exec(Exec request, QString source)
{
    if (request.argv.isEmpty() == request.shellText.isEmpty())
        co_return failure(ErrorKind::InvalidInput, QStringLiteral("Name one command to run"));
    Turn turn;
    domain::Thread target;
    if (const std::optional<Thread> thread = this->thread(ThreadId(request.target))) {
        target = *thread;
    } else if (const LeaseController *controller =
                   m_sandboxes.controllerOf(domain::LeaseId(request.target))) {
        target.sandbox = controller->lease().sandbox;
    } else if (const std::optional<domain::Sandbox> sandbox =
                   m_sandboxes.findSandbox(domain::defaultAgent(), request.target)) {
        target.sandbox = sandbox->id;
    }
    if (target.sandbox.isNull()) {
        co_return failure(
            ErrorKind::NotFound,
            QStringLiteral("\"%1\" is neither a thread nor a sandbox").arg(request.target));
    }
    const QString shown =
        request.argv.isEmpty() ? request.shellText : request.argv.join(QLatin1Char(' '));
    turn = turnFor(target, shown, request.timeoutMs, source);
    ExecutionRequest execution;
    execution.call = turn.call;
    execution.call.run = domain::RunId();
    execution.command = turn.command;
    execution.command.trackState = false;
    if (!request.argv.isEmpty()) {
        execution.command.shellText.clear();
        for (const QString &argument : std::as_const(request.argv))
            execution.command.argv << argument.toUtf8();
    }
    execution.sandbox = target.sandbox;
    execution.source = source;
    execution.ephemeral = true;
    const Started started = startedOf(turn);
    m_executions.announce(execution.call, true);
    m_scope.spawn(runEphemeral(execution));
    co_return started;
}

async::Task<void> ThreadService::runEphemeral(ExecutionRequest request)
{
    const Result<domain::ToolCall> ended = co_await m_executions.run(request);
    Q_UNUSED(ended)
}

} // namespace berth::application
