// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ProcessService that says where a process goes, and whether a user may start it.
#include "application/processes/process_service.h"
#include "domain/agent/default_agent.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

Result<domain::Thread> ProcessService::targetOf(const QString &target) const
{
    domain::Thread found;
    if (const std::optional<domain::Thread> thread = m_threads.thread(domain::ThreadId(target))) {
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
        return failure(ErrorKind::Conflict, QStringLiteral("The thread has no sandbox"));
    if (found.id.isNull())
        found.agent = row->agent;
    return found;
}

Async<ProcessView> ProcessService::begin(StartProcess request, QString source, std::stop_token stop)
{
    const Result<domain::Thread> target = targetOf(request.target);
    if (!target)
        co_return failure(target.error());
    OwnLine line;
    line.thread = target->id;
    line.agent = target->agent;
    line.sandbox = m_sandboxes.sandbox(target->sandbox).value_or(domain::Sandbox{});
    line.command = lineOf(request.argv, request.shellText);
    line.source = source;
    line.isTerminal = request.columns > 0;
    const Result<QString> admitted = co_await m_threads.admitted(line);
    if (!admitted)
        co_return failure(admitted.error());
    const Result<ProcessView> begun = co_await beginAdmitted(request, source, stop);
    co_return begun;
}

} // namespace berth::application
