// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/agent/tool.h"
#include "application/threads/execution_service.h"

namespace berth::application {

//! What tools share.
struct ToolPlaces
{
    SandboxService &sandboxes;
    ExecutionService &executions;
    domain::BerthStore &store;
    EventBus &bus;
};

//! What a tool answers the model.
struct ToolAnswer
{
    QString text;
    bool isError = false;
    QString diff;
};

//! A tool that works on files by the sandbox's fs().
class FileTool : public Tool
{
public:
    FileTool(ToolPlaces places, ToolSpec spec) : m_places(places), m_spec(std::move(spec)) {}

    [[nodiscard]] const ToolSpec &spec() const override { return m_spec; }
    [[nodiscard]] QString titleOf(const ToolArguments &arguments) const override
    {
        return arguments.text("path");
    }
    domain::Async<ToolEnd> run(ToolWork work, std::stop_token stop) override;

protected:
    virtual domain::Async<ToolAnswer> act(OpenSandbox place, ToolWork work,
                                          std::stop_token stop) = 0;
    ToolPlaces m_places;

private:
    ToolSpec m_spec;
};

//! Files up to this size are read whole.
inline constexpr qint64 kLargestToolFile = 8 * 1024 * 1024;
//! Characters of a result, as for the output of commands.
inline constexpr qsizetype kLongestResult = 30'000;
inline constexpr qsizetype kLongestLine = 2'000;

std::unique_ptr<Tool> shellTool(ToolPlaces places, ProcessService *processes);
std::unique_ptr<Tool> readFileTool(ToolPlaces places);
std::unique_ptr<Tool> writeFileTool(ToolPlaces places);
std::unique_ptr<Tool> editFileTool(ToolPlaces places);
std::unique_ptr<Tool> listFilesTool(ToolPlaces places);
std::unique_ptr<Tool> globTool(ToolPlaces places);
std::unique_ptr<Tool> grepTool(ToolPlaces places);

} // namespace berth::application
