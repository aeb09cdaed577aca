// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/outcome.h"
#include "domain/id.h"

#include <QtCore/QDateTime>
#include <QtCore/QList>

#include <optional>

namespace berth::domain {

//! One conversation, bound to one sandbox for its lifetime once it has one.
struct Thread
{
    ThreadId id;
    AgentId agent;
    //! Null until bound; then it never changes.
    SandboxId sandbox;
    QString title;
    QString draft;
    QDateTime createdAt;
    QDateTime lastActivityAt;
    bool archived = false;
};

enum class RunState { Queued, Running, AwaitingApproval, Done, Failed, Cancelled, Interrupted };

QString wireName(RunState state);
std::optional<RunState> runStateFromWire(QStringView name);

struct Run
{
    RunId id;
    ThreadId thread;
    RunState state = RunState::Queued;
    QDateTime createdAt;
    QDateTime endedAt;
    //! JSON text: input, cached, output, reasoning tokens, cost, currency, context.
    QString usage = QStringLiteral("{}");
    //! Why it ended or waits, where the state does not say it all.
    QString detail;
};

enum class MessageRole { User, Agent, Note };

QString wireName(MessageRole role);
std::optional<MessageRole> messageRoleFromWire(QStringView name);

struct Message
{
    ThreadId thread;
    //! 1, 2, … within the thread; given by the store when 0.
    qint64 seq = 0;
    RunId run;
    MessageRole role = MessageRole::User;
    QString text;
    QDateTime createdAt;
    //! Of an agent's message; see ModelTurn.
    QString reasoning;
    QByteArray opaque;
    //! It was cut: stopped, or lost with the connection.
    bool cut = false;
    //! Replaced by a later edit: readable, no longer in the model's view.
    bool superseded = false;
    //! Of an agent's message, in its order.
    QList<ToolCallId> toolCalls;
};

enum class ToolCallState { Pending, Preparing, Running, Done };

QString wireName(ToolCallState state);
std::optional<ToolCallState> toolCallStateFromWire(QStringView name);

enum class ToolCallOrigin { User, Model };

struct ToolCall
{
    ToolCallId id;
    RunId run;
    ThreadId thread;
    qint64 seq = 0;
    //! "shell"
    QString tool;
    //! JSON text; for shell {"command": …}.
    QString arguments;
    ToolCallOrigin origin = ToolCallOrigin::User;
    ToolCallState state = ToolCallState::Pending;
    //! Set when Done.
    std::optional<Outcome> outcome;
    //! Where the output lies, relative to the output directory; empty: none.
    QString outputRef;
    qint64 outputBytes = 0;
    //! Directory it started in.
    QByteArray cwd;
    QDateTime startedAt;
    QDateTime endedAt;
    //! The model's own id of a call.
    QString callId;
    //! What the model was told; bounded. Empty until done.
    QString result;
    bool isError = false;
    //! Of an edit: a unified diff.
    QString diff;
    //! Who decided: "allowed by you", "denied by rule rm *".
    QString decision;
};

} // namespace berth::domain
