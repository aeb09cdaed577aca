// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/thread/stores.h"
#include "storage/connection.h"

namespace berth::storage {

//! What a message does over several tables of berth.db; each call within one transaction.
Result<domain::FirstMessage> storeFirstMessage(Connection &connection, domain::FirstMessage first,
                                               const QDateTime &now);
Result<domain::Message> storeMessage(Connection &connection, domain::Message message,
                                     domain::Run run, std::optional<domain::ToolCall> toolCall,
                                     const QDateTime &now);
Result<domain::Message> storeNote(Connection &connection, domain::Message note,
                                  const QDateTime &now);

} // namespace berth::storage
