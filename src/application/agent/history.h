// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/model/model.h"
#include "domain/thread/thread.h"

#include <QtCore/QHash>

// What of a thread's records a model sees.
namespace berth::application {

struct HistoryOptions
{
    //! Tool results of agent messages up to this seq become a line that says what they were.
    qint64 stubUpTo = 0;
};

//! Messages in their order, without what was superseded; before a compaction only its summary and
//! the user's words. Repaired, so that any dialect takes it.
QList<domain::ModelTurn> historyOf(const QList<domain::Message> &messages,
                                   const QHash<domain::ToolCallId, domain::ToolCall> &calls,
                                   const HistoryOptions &options = {});

//! Each call has exactly one result, right behind its turn and in the order of the calls; a result
//! without a call is dropped; turns of the user that follow each other are one; the last turn is
//! not the assistant's.
QList<domain::ModelTurn> repaired(QList<domain::ModelTurn> turns);

//! What the model is told of a call that has ended without an answer of a tool.
QString resultWithoutAnswer(const domain::ToolCall &call);

//! A note in the thread: everything up to \a upTo is replaced by \a summary in the model's view.
domain::Message compactionNote(const domain::ThreadId &thread, qint64 upTo, const QString &summary);
//! The seq up to which a note compacts; 0 for any other message.
qint64 compactedUpTo(const domain::Message &message);

//! About how many tokens that is: four bytes each, as long as the endpoint has said nothing.
qint64 estimatedTokens(const QString &system, const QList<domain::ModelTurn> &turns,
                       const QList<domain::ModelTool> &tools);

} // namespace berth::application
