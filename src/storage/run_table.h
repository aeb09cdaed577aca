// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/thread/conversation_store.h"
#include "storage/connection.h"

namespace berth::storage {

//! Runs and their tool calls.
class RunTable
{
public:
    static Result<QList<domain::Run>> all(Connection &connection, const domain::ThreadId &thread);
    static Result<void> add(Connection &connection, const domain::Run &run);
    //! state and ended_at.
    static Result<void> update(Connection &connection, const domain::Run &run);

    static Result<QList<domain::ToolCall>> toolCalls(Connection &connection,
                                                     const domain::ThreadId &thread);
    static Result<domain::ToolCall> toolCall(Connection &connection, const domain::ToolCallId &id);
    //! Gives seq within the run when 0.
    static Result<domain::ToolCall> addToolCall(Connection &connection, domain::ToolCall call);
    //! What changes while it runs and when it ends.
    static Result<void> updateToolCall(Connection &connection, const domain::ToolCall &call);

    //! Newest first, with what was decided of each.
    static Result<QList<domain::AuditRecord>> audit(Connection &connection, const QDateTime &before,
                                                    int limit);
    //! All but those that wait for the user's decision.
    static Result<QList<domain::ToolCall>> interruptUnfinished(Connection &connection,
                                                               const QDateTime &now);
};

} // namespace berth::storage
