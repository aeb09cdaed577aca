// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/tools/tools.h"

#include "application/agent/command_result.h"
#include "application/processes/process_service.h"
#include "domain/text.h"

namespace berth::application {

using domain::Async;
using domain::Result;

namespace {

constexpr qint64 kUsualSeconds = 120;
constexpr qint64 kMostSeconds = 600;

class ShellTool final : public Tool
{
public:
    ShellTool(ToolPlaces places, ProcessService *processes, ToolSpec spec)
        : m_places(places), m_processes(processes), m_spec(std::move(spec))
    {}

    const ToolSpec &spec() const override { return m_spec; }
    QString titleOf(const ToolArguments &arguments) const override
    {
        return arguments.text("command");
    }

    Async<ToolEnd> run(ToolWork work, std::stop_token stop) override
    {
        if (work.arguments.flag("background") && m_processes)
            co_return co_await inBackground(work, stop);
        ExecutionRequest request;
        request.call = work.call;
        request.command.shellText = work.arguments.text("command").toUtf8();
        request.command.trackState = true;
        request.command.timeout =
            std::chrono::seconds(work.arguments.number("timeout_s", kUsualSeconds));
        request.sandbox = work.sandbox;
        request.source = work.source;
        const QString directory = work.arguments.text("cwd");
        if (!directory.isEmpty()) {
            const Result<OpenSandbox> place =
                co_await openSandbox(m_places.sandboxes, work.sandbox, work.source, stop);
            if (place) {
                request.command.cwd = place->path(directory);
                // For this command alone.
                request.command.trackState = false;
            }
        }
        m_places.executions.announce(request.call, false);
        const domain::ToolCallId id = request.call.id;
        ExecutionService &executions = m_places.executions;
        const std::stop_callback onStop(stop, [&executions, id] { executions.requestStop(id); });
        const Result<domain::ToolCall> ended = co_await executions.run(request);
        if (!ended)
            co_return domain::failure(ended.error());
        domain::ToolCall call = *ended;
        call.result = commandResult(executions, call);
        call.isError = !call.outcome || call.outcome->kind != domain::OutcomeKind::Exited
            || call.outcome->code != 0;
        const ToolEnd end = call;
        co_return end;
    }

private:
    Async<ToolEnd> inBackground(ToolWork work, std::stop_token stop)
    {
        domain::ToolCall call = work.call;
        call.startedAt = domain::nowUtc();
        call.outputRef.clear();
        const QString log = QStringLiteral("/tmp/berth-%1.log").arg(call.id.toString().left(8));
        StartProcess start;
        start.target = call.thread.toString();
        start.title = work.arguments.text("command");
        // The file is for the model, which reads it with its own tools.
        start.shellText = QStringLiteral("( %1\n) 2>&1 | tee %2").arg(start.title, log);
        const Result<ProcessView> started =
            co_await m_processes->beginAdmitted(start, work.source, stop);
        domain::Outcome outcome;
        outcome.kind = started ? domain::OutcomeKind::Exited : domain::OutcomeKind::NotStarted;
        if (started) {
            call.result = QStringLiteral("Started in the background. Its output goes to %1; look "
                                         "at it with shell or read_file.")
                              .arg(log);
        } else {
            outcome.detail = started.error().message;
            call.result = errorText(started.error());
            call.isError = true;
        }
        call.state = domain::ToolCallState::Done;
        call.outcome = outcome;
        call.endedAt = domain::nowUtc();
        const ToolEnd end = call;
        co_return end;
    }

    ToolPlaces m_places;
    ProcessService *m_processes;
    ToolSpec m_spec;
};

} // namespace

std::unique_ptr<Tool> shellTool(ToolPlaces places, ProcessService *processes)
{
    ToolSpec spec;
    spec.name = QStringLiteral("shell");
    spec.description = QStringLiteral(
        "Runs a command line in the sandbox's POSIX shell and answers its output and exit code. "
        "Working directory and exported variables are kept for the next call. Nothing can be typed "
        "into it.");
    spec.kind = domain::ToolKind::Exec;
    ToolParameter command;
    command.name = QStringLiteral("command");
    command.required = true;
    command.help = QStringLiteral("The command line");
    command.aliases =
        QStringList{QStringLiteral("cmd"), QStringLiteral("script"), QStringLiteral("code")};
    ToolParameter timeout;
    timeout.name = QStringLiteral("timeout_s");
    timeout.type = ParameterType::Integer;
    timeout.help = QStringLiteral("Seconds until it is killed; 120 when left out, at most 600");
    timeout.aliases = QStringList{QStringLiteral("timeout"), QStringLiteral("timeout_seconds")};
    timeout.least = 1;
    timeout.most = kMostSeconds;
    ToolParameter cwd;
    cwd.name = QStringLiteral("cwd");
    cwd.help = QStringLiteral("Directory for this command alone");
    cwd.aliases = QStringList{QStringLiteral("workdir"), QStringLiteral("working_directory")};
    cwd.mayBeEmpty = true;
    spec.parameters << command << timeout << cwd;
    if (processes) {
        ToolParameter background;
        background.name = QStringLiteral("background");
        background.type = ParameterType::Flag;
        background.help = QStringLiteral("Start it and go on at once, for servers and watchers");
        background.aliases =
            QStringList{QStringLiteral("run_in_background"), QStringLiteral("is_background")};
        spec.parameters << background;
    }
    return std::make_unique<ShellTool>(places, processes, spec);
}

ToolRegistry standardTools(SandboxService &sandboxes, ExecutionService &executions,
                           ProcessService *processes, domain::BerthStore &store, EventBus &bus)
{
    const ToolPlaces places{sandboxes, executions, store, bus};
    ToolRegistry registry;
    registry.add(shellTool(places, processes));
    registry.add(readFileTool(places));
    registry.add(writeFileTool(places));
    registry.add(editFileTool(places));
    registry.add(listFilesTool(places));
    registry.add(globTool(places));
    registry.add(grepTool(places));
    return registry;
}

} // namespace berth::application
