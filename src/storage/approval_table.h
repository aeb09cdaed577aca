// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/thread/conversation_store.h"
#include "storage/connection.h"

namespace berth::storage {

//! Decisions on tool calls, and the rules that decide without asking.
class ApprovalTable
{
public:
    static Result<void> add(Connection &connection, const domain::Approval &approval);
    //! Conflict when it was decided already.
    static Result<void> decide(Connection &connection, const domain::Approval &decided);
    static Result<QList<domain::Approval>> pending(Connection &connection);
    static Result<std::optional<domain::Approval>> find(Connection &connection,
                                                        const domain::ToolCallId &call);
    //! For a statement that joins the table as \a name: its columns, and what comes of them;
    //! nothing where nobody was asked.
    static QString columns(const QString &name);
    static std::optional<domain::Approval> joined(Row &row);

    static Result<QList<domain::ApprovalRule>> rules(Connection &connection);
    static Result<void> saveRule(Connection &connection, const domain::ApprovalRule &rule);
    static Result<void> removeRule(Connection &connection, const QString &id);
};

} // namespace berth::storage
