// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widget/support/scripted_processes.h"

#include "application/contract/codec.h"
#include "domain/text.h"

#include <algorithm>

namespace berth::test {

using namespace berth::application;
using domain::ProcessId;
using domain::Result;

ScriptedProcesses::ScriptedProcesses(Snapshot &state, Tell tell)
    : m_state(state), m_tell(std::move(tell))
{}

ProcessView *ScriptedProcesses::find(const ProcessId &id)
{
    const auto at = std::find_if(m_state.processes.begin(), m_state.processes.end(),
                                 [&id](const auto &process) { return process.id == id; });
    return at == m_state.processes.end() ? nullptr : &*at;
}

ProcessView ScriptedProcesses::add(const RuntimeView &runtime, ProcessKind kind,
                                   const QString &title, ProcessState state)
{
    ProcessView view;
    view.id = ProcessId::create();
    view.kind = kind;
    view.lease = runtime.lease;
    view.sandbox = runtime.sandbox;
    view.title = title;
    view.command = title.isEmpty() ? QStringLiteral("/bin/bash -l") : title;
    view.state = state;
    view.columns = kind == ProcessKind::Terminal ? 80 : 0;
    view.rows = kind == ProcessKind::Terminal ? 24 : 0;
    view.startedAt = domain::nowUtc();
    m_state.processes.append(view);
    return view;
}

void ScriptedProcesses::change(const ProcessId &process,
                               const std::function<void(ProcessView &)> &how)
{
    if (ProcessView *view = find(process)) {
        how(*view);
        m_tell(ProcessChanged{*view});
    }
}

void ScriptedProcesses::write(const ProcessId &process, const QByteArray &bytes)
{
    QByteArray &output = m_output[process];
    output += bytes;
    if (ProcessView *view = find(process))
        view->outputBytes = output.size();
    wake(process);
    m_tell(ProcessOutputGrew{process, output.size()});
}

void ScriptedProcesses::end(const ProcessId &process, domain::OutcomeKind outcome, int exitCode,
                            const QString &detail)
{
    change(process, [&](ProcessView &view) {
        view.state = ProcessState::Ended;
        view.outcome = outcome;
        view.exitCode = exitCode;
        view.detail = detail;
        view.endedAt = domain::nowUtc();
    });
    wake(process);
}

void ScriptedProcesses::wake(const ProcessId &process)
{
    QList<Poll> due;
    for (qsizetype i = m_polls.size() - 1; i >= 0; --i) {
        if (m_polls.at(i).command.process == process)
            due.append(m_polls.takeAt(i));
    }
    for (const Poll &poll : std::as_const(due))
        poll.answer(encode(chunk(poll.command)));
}

OutputChunk ScriptedProcesses::chunk(const ReadProcess &command)
{
    const QByteArray &output = m_output[command.process];
    OutputChunk result;
    result.total = output.size();
    result.offset =
        command.offset < 0 ? std::max<qint64>(0, result.total + command.offset) : command.offset;
    result.bytes = output.mid(result.offset, command.limit);
    if (!result.bytes.isEmpty())
        result.segments = {{domain::OutputStream::Stdout, result.bytes.size()}};
    const ProcessView *view = find(command.process);
    result.complete = view && view->state == ProcessState::Ended;
    return result;
}

Result<ProcessView> ScriptedProcesses::start(const StartProcess &command)
{
    for (RuntimeView &runtime : m_state.runtimes) {
        const bool thread =
            std::any_of(runtime.threads.cbegin(), runtime.threads.cend(),
                        [&](const auto &link) { return link.id.toString() == command.target; });
        if (!thread && runtime.sandbox.toString() != command.target
            && runtime.lease.toString() != command.target)
            continue;
        if (runtime.observed != domain::ObservedState::Running) {
            runtime.observed = domain::ObservedState::Running;
            runtime.canPause = true;
            runtime.canResume = false;
            m_tell(RuntimeChanged{runtime});
        }
        const bool terminal = command.columns > 0;
        ProcessView view = add(runtime, terminal ? ProcessKind::Terminal : ProcessKind::Background,
                               command.title.isEmpty() ? command.shellText : command.title);
        change(view.id, [&](ProcessView &made) {
            made.columns = command.columns;
            made.rows = command.rows;
            if (!command.shellText.isEmpty())
                made.command = command.shellText;
        });
        if (terminal && !greeting.isEmpty())
            write(view.id, greeting);
        return *find(view.id);
    }
    return domain::failure(domain::ErrorKind::NotFound, QStringLiteral("There is no such sandbox"));
}

namespace {

template <typename Command>
std::optional<Command> as(const QString &name, const Payload &arguments)
{
    if (name != QLatin1String(Command::kName))
        return std::nullopt;
    return decode<Command>(arguments).value_or(Command{});
}

template <typename T>
Result<Payload> packed(const Result<T> &result)
{
    if (!result)
        return tl::unexpected(result.error());
    return encode(*result);
}

Result<Payload> notFound()
{
    return domain::failure(domain::ErrorKind::NotFound, QStringLiteral("There is no such process"));
}

} // namespace

std::optional<Result<Payload>> ScriptedProcesses::serve(
    const QString &command, const Payload &arguments,
    const std::function<void(Result<Payload>)> &answer, bool *taken)
{
    *taken = true;
    if (const auto read = as<ReadProcess>(command, arguments)) {
        const OutputChunk now = chunk(*read);
        if (now.bytes.isEmpty() && !now.complete && read->waitMs > 0) {
            m_polls.append({*read, answer});
            return std::nullopt;
        }
        return encode(now);
    }
    if (const auto started = as<StartProcess>(command, arguments))
        return packed(start(*started));
    if (const auto written = as<WriteProcess>(command, arguments)) {
        if (!find(written->process))
            return notFound();
        typed[written->process] += written->bytes;
        writes.append(written->bytes);
        return encode(Nothing{});
    }
    if (const auto resized = as<ResizeProcess>(command, arguments)) {
        change(resized->process, [&](ProcessView &view) {
            view.columns = resized->columns;
            view.rows = resized->rows;
        });
        return encode(Nothing{});
    }
    if (const auto stopped = as<StopProcess>(command, arguments)) {
        end(stopped->process, domain::OutcomeKind::Cancelled, 130);
        const ProcessView *view = find(stopped->process);
        return view ? Result<Payload>(encode(*view)) : notFound();
    }
    if (const auto removed = as<RemoveProcess>(command, arguments)) {
        m_state.processes.removeIf([&](const auto &p) { return p.id == removed->process; });
        m_tell(ProcessRemoved{removed->process});
        return encode(Nothing{});
    }
    *taken = false;
    return std::nullopt;
}

} // namespace berth::test
