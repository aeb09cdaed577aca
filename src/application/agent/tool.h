// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/agent/tool_arguments.h"
#include "application/sandboxes/sandbox_service.h"
#include "domain/thread/thread.h"

#include <QtCore/QHash>

#include <memory>
#include <stop_token>

namespace berth::application {

//! Files that the model has seen in this conversation, so that an edit never overwrites what it
//! does not know.
class SeenFiles
{
public:
    //! A fingerprint of the whole content as it was read or written.
    void note(const QByteArray &path, const QByteArray &content);
    [[nodiscard]] bool has(const QByteArray &path) const { return m_seen.contains(path); }
    [[nodiscard]] bool isUnchanged(const QByteArray &path, const QByteArray &content) const;

private:
    QHash<QByteArray, QByteArray> m_seen;
};

//! One call on its way to a tool.
struct ToolWork
{
    domain::ToolCall call;
    ToolArguments arguments;
    domain::SandboxId sandbox;
    //! "agent"; in the lease's events.
    QString source;
    std::shared_ptr<SeenFiles> seen;
};

//! What came of it: the call as it is to be stored, with result, isError, diff and outcome.
using ToolEnd = domain::ToolCall;

//! What the user sees before deciding.
struct ToolPreview
{
    //! The whole command or path.
    QString command;
    QString cwd;
    QString diff;
};

//! Something that a model may call. All of them act in the thread's sandbox, none on the host.
class Tool
{
public:
    virtual ~Tool() = default;
    [[nodiscard]] virtual const ToolSpec &spec() const = 0;
    //! In one line: the command, the path.
    [[nodiscard]] virtual QString titleOf(const ToolArguments &arguments) const = 0;
    //! Answers a done call in every case but a Storage error: what went wrong is the result's text.
    virtual domain::Async<ToolEnd> run(ToolWork work, std::stop_token stop) = 0;
    //! May look at files. Never fails: what cannot be shown is left out.
    virtual domain::Async<ToolPreview> preview(ToolWork work, std::stop_token stop);
};

//! A sandbox made ready for as long as this lives.
struct OpenSandbox
{
    std::shared_ptr<domain::SandboxConnection> connection;
    std::shared_ptr<void> work;

    [[nodiscard]] domain::FileSystem &fs() const { return connection->fs(); }
    //! Absolute and without "." and "..": relative ones are below the workspace.
    [[nodiscard]] QByteArray path(const QString &text) const;
};

domain::Async<OpenSandbox> openSandbox(SandboxService &sandboxes, domain::SandboxId sandbox,
                                       QString source, std::stop_token stop);
//! The same without a sandbox.
QByteArray absolutePath(const QByteArray &home, const QString &text);

//! "Error: …" for the model.
QString errorText(const domain::Error &error);

//! The tools, in the order in which the model hears of them.
class ToolRegistry
{
public:
    void add(std::unique_ptr<Tool> tool) { m_tools.push_back(std::move(tool)); }
    [[nodiscard]] Tool *find(const QString &name) const;
    [[nodiscard]] const std::vector<std::unique_ptr<Tool>> &all() const { return m_tools; }

private:
    std::vector<std::unique_ptr<Tool>> m_tools;
};

class ExecutionService;
class ProcessService;

//! shell, read_file, write_file, edit_file, list_files, glob, grep.
ToolRegistry standardTools(SandboxService &sandboxes, ExecutionService &executions,
                           ProcessService *processes, domain::BerthStore &store, EventBus &bus);

} // namespace berth::application
