// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/commands.h"
#include "application/sandboxes/sandbox_service.h"
#include "application/threads/output_log.h"

#include <QtCore/QHash>
#include <QtCore/QObject>

#include <functional>
#include <memory>

namespace berth::application {

//! What a command is run with, beyond its text.
struct ExecutionRequest
{
    domain::ToolCall call;
    domain::CommandSpec command;
    domain::SandboxId sandbox;
    //! "window", "cli", …
    QString source;
    //! Not in the database: its output goes away some minutes after the end.
    bool ephemeral = false;
    //! Why it is not run after all; it ends as NotStarted then.
    QString refusal;
};

//! Runs commands in sandboxes: makes the sandbox ready, streams the output to disk with bounded
//! memory, tells how it ended. Knows nothing of conversations.
class ExecutionService final : public QObject
{
    Q_OBJECT
public:
    ExecutionService(SandboxService &sandboxes, domain::BerthStore &store,
                     domain::LeaseStore &leases, QString outputDir, EventBus &bus);
    ~ExecutionService() override;

    void start();
    //! Stops every running command.
    void stop();
    domain::Async<void> drained();

    //! A call that run() will follow for: from now on it can be asked for, waited for and stopped.
    void announce(const domain::ToolCall &call, bool ephemeral);
    //! Where the output of a call of a thread lies, relative to the output directory.
    static QString outputRefOf(const domain::ToolCall &call);
    //! On this machine, as OutputLog knows it.
    [[nodiscard]] QString outputPath(const domain::ToolCall &call) const { return pathOf(call); }
    //! Requested when an announced or running call is to be stopped.
    [[nodiscard]] std::stop_token stopOf(const domain::ToolCallId &id) const;
    //! As stopCall(), without waiting for the end.
    void requestStop(const domain::ToolCallId &id);
    //! Calls announced or running.
    [[nodiscard]] int activeCount() const { return static_cast<int>(m_active.size()); }
    //! Answers once the command has ended, with the call as stored.
    domain::Async<domain::ToolCall> run(ExecutionRequest request);
    domain::Async<ToolCallView> stopCall(domain::ToolCallId id, std::stop_token stop);
    domain::Async<OutputChunk> readOutput(ReadOutput request, std::stop_token stop);
    domain::Async<ToolCallView> view(domain::ToolCallId id);
    //! Of a call as stored; a running one with what only memory knows.
    [[nodiscard]] ToolCallView viewOf(const domain::ToolCall &call) const;
    //! Bytes on disk of a call that an Engine before this one left unfinished.
    [[nodiscard]] qint64 storedOutput(const domain::ToolCall &call) const;

private:
    struct Active;

    async::Task<void> forgetLater(domain::ToolCallId id, QString path);
    domain::Async<domain::Outcome> execute(std::shared_ptr<Active> active,
                                           ExecutionRequest request);
    domain::Async<std::shared_ptr<domain::Execution>> launch(ReadySandbox ready,
                                                             domain::CommandSpec command,
                                                             std::shared_ptr<Active> active);
    domain::Async<domain::Terminal> terminalFor(domain::ThreadId thread,
                                                const LeaseController *controller);
    domain::Async<void> saveTerminal(domain::Terminal terminal, domain::Outcome outcome,
                                     domain::Environment baseline);
    void publish(const Active &active);
    void grew(const std::shared_ptr<Active> &active);
    [[nodiscard]] QString pathOf(const domain::ToolCall &call) const;
    [[nodiscard]] domain::Async<void> persist(domain::ToolCall call, bool ephemeral);

    SandboxService &m_sandboxes;
    domain::BerthStore &m_store;
    domain::LeaseStore &m_leases;
    QString m_outputDir;
    EventBus &m_bus;
    QHash<domain::ToolCallId, std::shared_ptr<Active>> m_active;
    //! Ephemeral ones that have ended, for a while.
    QHash<domain::ToolCallId, domain::ToolCall> m_ended;
    async::Scope m_scope;
};

} // namespace berth::application
