// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/history.h"

#include "application/threads/bounded_json.h"
#include "application/threads/call_arguments.h"
#include "domain/text.h"

#include <nlohmann/json.hpp>

#include <QtCore/QSet>

#include <algorithm>

namespace berth::application {

using domain::Message;
using domain::MessageRole;
using domain::ModelRole;
using domain::ModelTurn;
using domain::OutcomeKind;
using domain::ToolCall;
using domain::ToolCallId;
using domain::ToolCallState;

namespace {

using CallsById = QHash<ToolCallId, ToolCall>;

ModelTurn userTurn(const QString &text)
{
    ModelTurn turn;
    turn.role = ModelRole::User;
    turn.text = text;
    return turn;
}

//! The call that the user's own "!" line made; null for any other message.
const ToolCall *ownCommandOf(const Message &message, const CallsById &calls)
{
    for (const ToolCall &call : calls) {
        if (call.run == message.run && call.origin == domain::ToolCallOrigin::User)
            return &call;
    }
    return nullptr;
}

QString ownCommandText(const ToolCall &call)
{
    return QStringLiteral("I ran this command myself in the sandbox:\n$ %1\n%2")
        .arg(commandOf(call.arguments),
             call.result.isEmpty() ? resultWithoutAnswer(call) : call.result);
}

QString stubOf(const ToolCall &call)
{
    QString said = QStringLiteral("[output left out to save room: %1").arg(call.tool);
    const QString command = commandOf(call.arguments);
    if (!command.isEmpty())
        said += QStringLiteral(" \"%1\"").arg(command.left(200));
    if (call.outcome)
        said += QStringLiteral(", exit code %1").arg(domain::exitCodeOf(*call.outcome));
    return said + QStringLiteral(", %1 characters]").arg(call.result.size());
}

ModelTurn resultTurn(const ToolCall &call, bool stub)
{
    ModelTurn turn;
    turn.role = ModelRole::ToolResult;
    turn.callId = call.callId;
    turn.isError = call.isError;
    turn.text = call.result.isEmpty() ? resultWithoutAnswer(call) : call.result;
    if (stub && turn.text.size() > 400)
        turn.text = stubOf(call);
    return turn;
}

void addAgentMessage(const Message &message, const CallsById &calls, bool stub,
                     QList<ModelTurn> &into)
{
    ModelTurn turn;
    turn.role = ModelRole::Assistant;
    turn.text = message.text;
    turn.reasoning = message.reasoning;
    turn.opaque = message.opaque;
    QList<ModelTurn> results;
    for (const ToolCallId &id : message.toolCalls) {
        const auto found = calls.find(id);
        if (found == calls.end() || found->callId.isEmpty())
            continue;
        turn.calls << domain::ModelCall{found->callId, found->tool, found->arguments.toUtf8(), {}};
        // One that is still under way has none; repaired() then says so.
        if (found->state == ToolCallState::Done)
            results << resultTurn(*found, stub);
    }
    if (turn.text.isEmpty() && turn.calls.isEmpty())
        return;
    into << turn;
    into << results;
}

//! What was said before the compaction: the summary, and the user's own words as they were.
QString shortened(const QList<Message> &messages, const CallsById &calls, const Message &note,
                  qint64 upTo)
{
    QString text = QStringLiteral("The conversation until here, shortened:\n\n%1\n\nWhat I wrote "
                                  "until here, word for word:\n")
                       .arg(note.text);
    for (const Message &message : messages) {
        if (message.seq > upTo || message.role != MessageRole::User || message.superseded)
            continue;
        const ToolCall *own = ownCommandOf(message, calls);
        text += own ? QStringLiteral("- (a command) %1\n").arg(commandOf(own->arguments))
                    : QStringLiteral("- %1\n").arg(message.text);
    }
    return text;
}

} // namespace

QString resultWithoutAnswer(const ToolCall &call)
{
    if (call.outcome && call.outcome->kind == OutcomeKind::Cancelled)
        return QStringLiteral("Error: cancelled by the user");
    if (call.outcome && call.outcome->kind == OutcomeKind::NotStarted)
        return QStringLiteral("Error: it was not run. ") + call.outcome->detail;
    if (call.outcome && call.outcome->kind != OutcomeKind::Interrupted)
        return QStringLiteral("[exit code: %1]").arg(domain::exitCodeOf(*call.outcome));
    if (call.outcome && !call.outcome->detail.isEmpty())
        return QStringLiteral("Error: interrupted. ") + call.outcome->detail;
    return QStringLiteral("Error: interrupted; whether it was done is not known");
}

Message compactionNote(const domain::ThreadId &thread, qint64 upTo, const QString &summary)
{
    Message note;
    note.thread = thread;
    note.role = MessageRole::Note;
    note.text = summary;
    const nlohmann::json mark{{"compacted_up_to", static_cast<std::int64_t>(upTo)}};
    note.opaque = QByteArray::fromStdString(mark.dump());
    note.createdAt = domain::nowUtc();
    return note;
}

qint64 compactedUpTo(const Message &message)
{
    if (message.role != MessageRole::Note || message.opaque.isEmpty())
        return 0;
    const nlohmann::json mark = boundedJson(message.opaque);
    if (!mark.is_object() || !mark.contains("compacted_up_to")
        || !mark["compacted_up_to"].is_number_integer())
        return 0;
    return mark["compacted_up_to"].get<std::int64_t>();
}

QList<ModelTurn> historyOf(const QList<Message> &messages, const CallsById &calls,
                           const HistoryOptions &options)
{
    qint64 upTo = 0;
    QList<ModelTurn> turns;
    for (auto note = messages.crbegin(); note != messages.crend() && upTo == 0; ++note) {
        upTo = note->superseded ? 0 : compactedUpTo(*note);
        if (upTo > 0)
            turns << userTurn(shortened(messages, calls, *note, upTo));
    }
    //! Of the user's turns at the end of \a turns: when each was said.
    QList<QDateTime> trailing;
    for (const Message &message : messages) {
        if (message.superseded || message.seq <= upTo)
            continue;
        switch (message.role) {
        case MessageRole::User: {
            const ToolCall *own = ownCommandOf(message, calls);
            // A command that waits or runs is seen once it has ended.
            if (own && own->state != ToolCallState::Done)
                break;
            turns << userTurn(own ? ownCommandText(*own) : message.text);
            trailing << message.createdAt;
            break;
        }
        case MessageRole::Agent: {
            // What was said while this reply was on its way comes behind it: the model had not seen
            // it.
            QList<ModelTurn> later;
            while (!trailing.isEmpty() && trailing.constLast() > message.createdAt) {
                later.prepend(turns.takeLast());
                trailing.removeLast();
            }
            addAgentMessage(message, calls, message.seq <= options.stubUpTo, turns);
            turns << later;
            trailing.clear();
            break;
        }
        case MessageRole::Note:
            if (compactedUpTo(message) == 0) {
                turns << userTurn(QStringLiteral("[Note of Berth: %1]").arg(message.text));
                trailing << message.createdAt;
            }
            break;
        }
    }
    return repaired(turns);
}

QList<ModelTurn> repaired(QList<ModelTurn> turns)
{
    QHash<QString, ModelTurn> results;
    for (const ModelTurn &turn : std::as_const(turns)) {
        if (turn.role == ModelRole::ToolResult && !results.contains(turn.callId))
            results.insert(turn.callId, turn);
    }
    QList<ModelTurn> whole;
    QSet<QString> known;
    for (ModelTurn &turn : turns) {
        switch (turn.role) {
        case ModelRole::ToolResult:
            break;
        case ModelRole::User:
            if (!whole.isEmpty() && whole.constLast().role == ModelRole::User) {
                whole.last().text += QStringLiteral("\n\n") + turn.text;
                whole.last().images += turn.images;
            } else {
                whole << turn;
            }
            break;
        case ModelRole::Assistant: {
            // An id that is there twice would make the second result answer the first call.
            turn.calls.removeIf([&known](const domain::ModelCall &call) {
                return call.id.isEmpty() || known.contains(call.id);
            });
            whole << turn;
            for (const domain::ModelCall &call : std::as_const(turn.calls)) {
                known.insert(call.id);
                ModelTurn result = results.value(call.id);
                if (result.callId.isEmpty()) {
                    result.role = ModelRole::ToolResult;
                    result.callId = call.id;
                    result.isError = true;
                    result.text =
                        QStringLiteral("Error: interrupted; whether it was done is not known");
                }
                whole << result;
            }
            break;
        }
        }
    }
    if (!whole.isEmpty() && whole.constLast().role == ModelRole::Assistant)
        whole << userTurn(QStringLiteral("Go on."));
    return whole;
}

qint64 estimatedTokens(const QString &system, const QList<ModelTurn> &turns,
                       const QList<domain::ModelTool> &tools)
{
    qint64 bytes = system.toUtf8().size();
    for (const ModelTurn &turn : turns) {
        bytes += turn.text.toUtf8().size() + turn.opaque.size() + 16;
        for (const domain::ModelCall &call : turn.calls)
            bytes += call.name.size() + call.arguments.size() + 24;
    }
    for (const domain::ModelTool &tool : tools)
        bytes += tool.description.size() + tool.schema.size() + 16;
    return bytes / 4;
}

} // namespace berth::application
