// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/compaction.h"

#include "async/completion.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Message;
using domain::ModelReply;
using domain::Result;

namespace {

constexpr int kRepliesKept = 2;
constexpr int kSummaryTokens = 2000;

} // namespace

Async<ModelReply> askQuietly(domain::ModelClient &client, domain::ModelRequest request,
                             std::stop_token stop)
{
    const std::unique_ptr<domain::ModelReplyStream> stream = client.ask(std::move(request));
    const async::Completion<ModelReply> end;
    QObject::connect(stream.get(), &domain::ModelReplyStream::finished, stream.get(),
                     [end](const ModelReply &reply) { end.complete(reply); });
    domain::ModelReplyStream *const raw = stream.get();
    const std::stop_callback onStop(stop, [raw] { raw->stop(); });
    const ModelReply reply = co_await end;
    if (reply.stop == domain::ModelStop::Failed)
        co_return failure(reply.error.value_or(domain::Error{
            ErrorKind::Internal, QStringLiteral("The model gave no reply"), {}, {}, {}}));
    if (reply.stop == domain::ModelStop::Cancelled)
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Stopped"));
    co_return reply;
}

qint64 Compaction::stubsUpTo(const QList<Message> &messages)
{
    int kept = 0;
    for (auto message = messages.crbegin(); message != messages.crend(); ++message) {
        if (message->role != domain::MessageRole::Agent || message->superseded)
            continue;
        if (kept++ >= kRepliesKept)
            return message->seq;
    }
    return 0;
}

Async<ModelReply> Compaction::summarise(QList<domain::ModelTurn> turns, std::stop_token stop)
{
    domain::ModelRequest request = m_base;
    // The same system prompt and tools, so that a server's cache of them holds.
    request.turns = std::move(turns);
    domain::ModelTurn question;
    question.role = domain::ModelRole::User;
    question.text = QStringLiteral(
        "Summarise this conversation for yourself, since it will be taken away to save room. Call "
        "no tool. Say what is wanted, what was found out, what was changed (paths, commands), what "
        "was decided and why, and what is left to do. My own messages are kept; leave them out.");
    request.turns << question;
    request.turns = repaired(request.turns);
    request.maxTokens = kSummaryTokens;
    const Result<ModelReply> reply = co_await askQuietly(m_client, request, stop);
    co_return reply;
}

} // namespace berth::application
