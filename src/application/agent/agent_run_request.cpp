// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of AgentRun that puts together what the model is asked.
#include "application/agent/agent_policy.h"
#include "application/agent/agent_run.h"
#include "application/agent/command_result.h"
#include "application/agent/compaction.h"
#include "application/agent/system_prompt.h"
#include "application/threads/thread_views.h"
#include "domain/secret.h"
#include "domain/text.h"

#include <algorithm>

namespace berth::application {

using domain::Async;
using domain::failure;
using domain::Message;
using domain::MessageRole;
using domain::ModelRequest;
using domain::Result;
using domain::ToolCall;
using domain::ToolCallState;

namespace {

//! Of the context: what is beyond it is left out or summarised.
constexpr double kFull = 0.8;
constexpr qint64 kLongestProjectNotes = 64 * 1024;

} // namespace

Async<void> AgentRun::load()
{
    const Result<QList<Message>> messages = co_await m_places.store.messages(m_thread.id);
    if (!messages)
        co_return failure(messages.error());
    const Result<QList<ToolCall>> calls = co_await m_places.store.toolCalls(m_thread.id);
    if (!calls)
        co_return failure(calls.error());
    m_messages = *messages;
    m_calls.clear();
    for (ToolCall call : *calls) {
        // The user's own commands: what the model is told of them is made once and kept.
        if (call.origin == domain::ToolCallOrigin::User && call.state == ToolCallState::Done
            && call.result.isEmpty()) {
            call.result = domain::redacted(commandResult(m_places.executions, call));
            const Result<void> stored = co_await m_places.store.updateToolCall(call);
            if (!stored)
                co_return failure(stored.error());
        }
        m_calls.insert(call.id, call);
    }
    m_seenSeq = m_messages.isEmpty() ? 0 : m_messages.constLast().seq;
    m_replies = static_cast<int>(
        std::count_if(m_messages.cbegin(), m_messages.cend(), [this](const Message &message) {
            return message.role == MessageRole::Agent && message.run == m_run.id;
        }));
    co_return Result<void>();
}

//! Where the sandbox runs anyway: its workspace, and AGENTS.md there. Never wakes it.
Async<void> AgentRun::lookAround()
{
    LeaseController *controller = m_places.sandboxes.controllerOf(m_thread.sandbox);
    if (!m_workspace.isEmpty() || !controller)
        co_return Result<void>();
    const Result<ReadySandbox> seen = co_await controller->look(m_stop.get_token());
    if (!seen)
        co_return Result<void>();
    const QByteArray home = seen->connection->homeDirectory();
    m_workspace = domain::displayName(home);
    const Result<QByteArray> notes = co_await seen->connection->fs().read(
        home + "/AGENTS.md", 0, kLongestProjectNotes, m_stop.get_token());
    if (notes && !notes->contains('\0'))
        m_projectNotes = QString::fromUtf8(*notes);
    co_return Result<void>();
}

Async<ModelRequest> AgentRun::request()
{
    co_await lookAround();
    PromptFacts facts;
    facts.sandboxLabel = m_setting->sandboxLabel;
    facts.workspace = m_workspace;
    facts.hasSandbox = !m_thread.sandbox.isNull();
    const Result<domain::SecurityPolicy> policy =
        co_await storedPolicy(m_places.store, m_setting->agent);
    // One that cannot be read allows nothing.
    facts.autonomy = domain::wireName(policy ? policy->autonomy : domain::Autonomy::ReadOnly);
    facts.passthrough = m_setting->passthrough;
    facts.agentName = m_agent.name;
    facts.instructions = m_agent.instructions;
    facts.projectNotes = m_projectNotes;
    facts.date = QDate::currentDate();
    ModelRequest request;
    request.model = m_model->model;
    request.maxTokens = m_model->maxTokens;
    request.system = systemPrompt(facts);
    for (const std::unique_ptr<Tool> &tool : m_tools.all()) {
        // All of them act in it.
        if (!facts.hasSandbox)
            break;
        const ToolSpec &spec = tool->spec();
        request.tools << domain::ModelTool{spec.name, spec.description, schemaOf(spec)};
    }
    request.turns = historyOf(m_messages, m_calls, {m_stubUpTo});
    const Result<void> fits = co_await fit(&request);
    if (!fits)
        co_return failure(fits.error());
    if (!m_hint.isEmpty()) {
        domain::ModelTurn hint;
        hint.role = domain::ModelRole::User;
        hint.text = QStringLiteral("[Note of Berth: %1]").arg(std::exchange(m_hint, {}));
        request.turns << hint;
        request.turns = repaired(request.turns);
    }
    m_lastEstimate = estimatedTokens(request.system, request.turns, request.tools);
    const ModelRequest whole = request;
    co_return whole;
}

//! First the older outputs become stubs; if that is not enough, all but the last replies are
//! summarised, with the user's words kept.
Async<void> AgentRun::fit(ModelRequest *request)
{
    const qint64 size = m_model->contextTokens;
    const bool isForced = std::exchange(m_mustShrink, false);
    if (size <= 0 && !isForced)
        co_return Result<void>();
    const auto isFull = [this, size, request] {
        const auto estimate =
            static_cast<double>(estimatedTokens(request->system, request->turns, request->tools));
        return estimate * m_tokenRatio > static_cast<double>(size) * kFull;
    };
    if (!isForced && !isFull())
        co_return Result<void>();
    const qint64 upTo = Compaction::stubsUpTo(m_messages);
    if (upTo > m_stubUpTo) {
        m_stubUpTo = upTo;
        request->turns = historyOf(m_messages, m_calls, {m_stubUpTo});
        if (size > 0 && !isFull())
            co_return Result<void>();
    }
    QList<Message> older = m_messages;
    // What an earlier summary says is part of the next one.
    older.removeIf([upTo](const Message &message) {
        return message.seq > upTo && compactedUpTo(message) == 0;
    });
    if (upTo == 0 || historyOf(older, m_calls).size() < 2)
        co_return Result<void>();
    ModelRequest base = *request;
    Compaction compaction(*m_model->client, base);
    const Result<domain::ModelReply> reply =
        co_await compaction.summarise(historyOf(older, m_calls, {upTo}), m_stop.get_token());
    if (!reply)
        co_return failure(reply.error());
    m_usage.add(reply->usage, m_model->prices);
    m_usedHere.add(reply->usage, m_model->prices);
    const QString summary = reply->turn.text.trimmed();
    if (summary.isEmpty())
        co_return failure(domain::ErrorKind::Protocol, QStringLiteral("The model gave no summary"));
    const Result<Message> note =
        co_await m_places.store.addNote(compactionNote(m_thread.id, upTo, summary));
    if (!note)
        co_return failure(note.error());
    m_places.bus.publish(MessageAdded{messageViewOf(*note)});
    m_messages << *note;
    request->turns = historyOf(m_messages, m_calls, {m_stubUpTo});
    co_return Result<void>();
}

} // namespace berth::application
