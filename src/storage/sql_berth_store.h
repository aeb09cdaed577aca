// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/thread/stores.h"
#include "storage/storage.h"

namespace berth::storage {

class Database;

//! Composes the tables of berth.db. \a clock is asked on the database thread.
class SqlBerthStore final : public domain::BerthStore
{
public:
    SqlBerthStore(std::shared_ptr<Database> database, Clock clock);
    ~SqlBerthStore() override;

    domain::Async<domain::InstallationId> installation() override;
    domain::Async<bool> passthroughAllowed() override;
    domain::Async<void> allowPassthrough(bool allowed) override;

    domain::Async<QList<domain::Agent>> agents() override;
    domain::Async<void> saveAgent(domain::Agent agent) override;
    domain::Async<std::optional<domain::Sandbox>> addAgent(
        domain::Agent agent, std::optional<domain::Sandbox> sandbox) override;
    domain::Async<void> removeAgent(domain::AgentId id) override;

    domain::Async<QList<domain::Sandbox>> sandboxes(bool deleted) override;
    domain::Async<void> updateSandbox(domain::Sandbox sandbox) override;
    domain::Async<domain::Sandbox> addSandbox(domain::Sandbox sandbox) override;
    domain::Async<domain::Sandbox> restoreSandbox(domain::SandboxId id) override;

    domain::Async<domain::FirstMessage> addThread(domain::FirstMessage first) override;
    domain::Async<domain::Message> addMessage(domain::Message message, domain::Run run,
                                              std::optional<domain::ToolCall> toolCall) override;
    domain::Async<domain::Message> addNote(domain::Message note) override;

    domain::Async<QList<domain::Thread>> threads(bool archived) override;
    domain::Async<domain::Thread> thread(domain::ThreadId id) override;
    domain::Async<void> updateThread(domain::Thread thread) override;
    domain::Async<QList<domain::Message>> messages(domain::ThreadId id) override;
    domain::Async<QList<domain::Run>> runs(domain::ThreadId id) override;
    domain::Async<QList<domain::ToolCall>> toolCalls(domain::ThreadId id) override;
    domain::Async<domain::ToolCall> toolCall(domain::ToolCallId id) override;

    domain::Async<void> updateRun(domain::Run run) override;
    domain::Async<void> updateToolCall(domain::ToolCall call) override;
    domain::Async<QList<domain::ToolCall>> interruptUnfinished() override;

    domain::Async<std::optional<QByteArray>> requestResult(domain::RequestId id) override;
    domain::Async<void> saveRequestResult(domain::RequestId id, QByteArray result) override;

private:
    std::shared_ptr<Database> m_database;
    Clock m_clock;
};

} // namespace berth::storage
