// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ProcessService that says where a process goes, and whether a user may start it.
#include "application/processes/known_process.h"
#include "application/threads/call_arguments.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

std::optional<domain::LeaseId> ProcessService::leaseOf(const domain::ProcessId &id) const
{
    const Result<Shared> known = find(id);
    return known ? std::optional((*known)->record.lease) : std::nullopt;
}

Async<ProcessView> ProcessService::begin(StartProcess request, Caller caller, std::stop_token stop)
{
    const Result<domain::Thread> target = m_threads.targetOf(request.target);
    if (!target)
        co_return failure(target.error());
    OwnLine line;
    line.thread = target->id;
    line.agent = target->agent;
    line.sandbox = m_sandboxes.sandbox(target->sandbox).value_or(domain::Sandbox{});
    line.command = lineOf(request.argv, request.shellText);
    line.caller = caller;
    line.isTerminal = request.columns > 0;
    const Result<QString> admitted = co_await m_threads.admitted(line);
    if (!admitted)
        co_return failure(admitted.error());
    // For the user's hooks it is a call of the shell like any other.
    domain::ToolCall call;
    call.id = domain::ToolCallId::create();
    call.thread = target->id;
    call.tool = QStringLiteral("shell");
    call.arguments = processArguments(line.command, line.isTerminal);
    call.origin = domain::ToolCallOrigin::User;
    call.decision = *admitted;
    const Result<QString> denial = co_await m_threads.hookDenial(call, target->agent, stop);
    if (!denial)
        co_return failure(denial.error());
    if (!denial->isEmpty())
        co_return failure(ErrorKind::Forbidden, *denial);
    const Result<ProcessView> begun = co_await beginAdmitted(request, caller.source, stop);
    if (begun) {
        call.cwd = begun->cwd.toUtf8();
        // It has begun, and how it ends is not known.
        call.state = domain::ToolCallState::Running;
        m_threads.tellHooks(call, target->agent);
    }
    co_return begun;
}

} // namespace berth::application
