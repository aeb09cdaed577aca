// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ThreadService that runs commands outside of any conversation.
#include "application/threads/call_arguments.h"
#include "application/threads/message_checks.h"
#include "application/threads/thread_service.h"
#include "domain/agent/default_agent.h"
#include "domain/log.h"
#include "domain/text.h"

#include <QtCore/QRegularExpression>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using domain::Thread;
using domain::ThreadId;

QString lineOf(const QStringList &argv, const QString &shellText)
{
    if (argv.isEmpty())
        return shellText;
    QStringList words;
    for (const QString &word : argv) {
        static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_@%+:,./-]+$"));
        words << (plain.match(word).hasMatch()
                      ? word
                      : QString::fromUtf8(domain::shellQuoted(word.toUtf8())));
    }
    return words.join(QLatin1Char(' '));
}

Async<QString> ThreadService::admitted(OwnLine line)
{
    if (!m_responder)
        co_return QString();
    const Result<QString> decision = co_await m_responder->admitOwn(line);
    co_return decision;
}

Async<domain::ToolCall> ThreadService::runOwn(ExecutionRequest request, domain::AgentId agent)
{
    const std::stop_token stop = m_executions.stopOf(request.call.id);
    const Result<QString> denial = co_await hookDenial(request.call, agent, stop);
    // Stopped meanwhile: it ends as that.
    if (!stop.stop_requested())
        request.refusal = denial ? *denial : denial.error().message;
    if (!request.refusal.isEmpty())
        request.call.decision = QStringLiteral("denied by hook");
    const Result<domain::ToolCall> ended = co_await m_executions.run(request);
    // Where it has no directory it never began.
    if (ended && !ended->cwd.isEmpty())
        tellHooks(*ended, agent);
    co_return ended;
}

Async<QString> ThreadService::hookDenial(domain::ToolCall call, domain::AgentId agent,
                                         std::stop_token stop)
{
    if (!m_responder)
        co_return QString();
    const Result<QString> denial = co_await m_responder->beforeOwn(call, agent, stop);
    co_return denial;
}

void ThreadService::tellHooks(const domain::ToolCall &ended, const domain::AgentId &agent)
{
    if (m_responder)
        m_scope.spawn(tellAfter(ended, agent));
}

async::Task<void> ThreadService::tellAfter(domain::ToolCall ended, domain::AgentId agent)
{
    const Result<void> told = co_await m_responder->afterOwn(ended, agent, m_scope.token());
    if (!told && told.error().kind != ErrorKind::Cancelled)
        domain::log(domain::LogLevel::Warning, "thread", told.error().message);
}

Result<Thread> ThreadService::targetOf(const QString &target) const
{
    Thread found;
    if (const std::optional<Thread> thread = this->thread(ThreadId(target))) {
        found = *thread;
    } else if (const LeaseController *controller =
                   m_sandboxes.controllerOf(domain::LeaseId(target))) {
        found.sandbox = controller->lease().sandbox;
    } else if (const std::optional<domain::Sandbox> sandbox =
                   m_sandboxes.findSandbox(domain::defaultAgent(), target)) {
        found.sandbox = sandbox->id;
    } else {
        return failure(ErrorKind::NotFound,
                       QStringLiteral("\"%1\" is neither a thread nor a sandbox").arg(target));
    }
    const std::optional<domain::Sandbox> row = m_sandboxes.sandbox(found.sandbox);
    if (!row)
        return failure(noSandbox());
    if (found.id.isNull())
        found.agent = row->agent;
    return found;
}

Async<Started> ThreadService::exec(Exec request, Caller caller)
{
    if (request.argv.isEmpty() == request.shellText.isEmpty())
        co_return failure(ErrorKind::InvalidInput, QStringLiteral("Name one command to run"));
    const Result<Thread> found = targetOf(request.target);
    if (!found)
        co_return failure(found.error());
    const Thread target = *found;
    const QString line = lineOf(request.argv, request.shellText);
    const OwnLine own{target.id, target.agent, *m_sandboxes.sandbox(target.sandbox), line, caller};
    const Result<QString> decision = co_await admitted(own);
    if (!decision)
        co_return failure(decision.error());
    Turn turn = turnFor(target, line, request.timeoutMs, caller.source);
    turn.call.decision = *decision;
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
    execution.source = caller.source;
    execution.ephemeral = true;
    const Started started = startedOf(turn);
    m_executions.announce(execution.call, true);
    m_scope.spawn(runEphemeral(execution, target.agent));
    co_return started;
}

async::Task<void> ThreadService::runEphemeral(ExecutionRequest request, domain::AgentId agent)
{
    const Result<domain::ToolCall> ended = co_await runOwn(request, agent);
    Q_UNUSED(ended)
}

} // namespace berth::application
