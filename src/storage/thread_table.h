// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/thread/thread.h"
#include "storage/connection.h"

namespace berth::storage {

//! Threads and their messages.
class ThreadTable
{
public:
    //! Latest activity first.
    static Result<QList<domain::Thread>> all(Connection &connection, bool archived);
    static Result<domain::Thread> find(Connection &connection, const domain::ThreadId &id);
    static Result<void> add(Connection &connection, const domain::Thread &thread);
    //! All but id, agent, binding and created_at.
    static Result<void> update(Connection &connection, const domain::Thread &thread);
    static Result<void> touch(Connection &connection, const domain::ThreadId &id,
                              const QDateTime &at);

    static Result<QList<domain::Message>> messages(Connection &connection,
                                                   const domain::ThreadId &id);
    //! Gives seq when 0.
    static Result<domain::Message> addMessage(Connection &connection, domain::Message message);
    //! From this message on; see ConversationStore.
    static Result<void> supersede(Connection &connection, const domain::ThreadId &id,
                                  qint64 fromSeq);
};

} // namespace berth::storage
