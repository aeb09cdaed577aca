// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/follow.h"
#include "cli/human.h"
#include "cli/ids.h"
#include "cli/json_output.h"
#include "cli/verbs/verbs.h"

#include <nlohmann/json.hpp>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;
using nlohmann::json;

namespace {

QString headerOf(const ThreadView &thread)
{
    QString text = QStringLiteral("Thread   %1\nTitle    %2\n")
                       .arg(thread.id.toString(), onOneLine(thread.title));
    if (!thread.sandboxAlias.isEmpty())
        text += QStringLiteral("Sandbox  %1 (%2)\n")
                    .arg(thread.sandboxAlias,
                         onOneLine(thread.sandboxLabel.isEmpty() ? thread.sandboxType
                                                                 : thread.sandboxLabel));
    if (!thread.notice.isEmpty())
        text += QStringLiteral("Note     %1\n").arg(onOneLine(thread.notice));
    return text;
}

QString endOf(const ToolCallView &call)
{
    if (call.state != domain::ToolCallState::Done)
        return domain::wireName(call.state);
    const QString duration = humanDuration(std::chrono::milliseconds(call.durationMs));
    return QStringLiteral("%1, exit code %2, %3, %4 of output")
        .arg(call.outcome ? domain::wireName(*call.outcome) : QStringLiteral("ended"))
        .arg(call.exitCode)
        .arg(duration, humanBytes(call.outputBytes));
}

//! All that is stored so far, without waiting for more.
Async<int> printOutput(Context context, domain::ToolCallId toolCall,
                       std::shared_ptr<KeptOutput> kept)
{
    qint64 offset = 0;
    for (;;) {
        if (!kept) {
            const bool open = co_await context->streams.out.room(256 * 1024);
            if (!open || !context->guard)
                co_return failure(domain::ErrorKind::Cancelled, QStringLiteral("Ended"));
        }
        const ReadOutput readOutput{toolCall, offset, 64 * 1024, 0};
        const Result<OutputChunk> chunk = co_await ask(context, readOutput);
        if (!chunk)
            co_return failure(chunk.error());
        if (chunk->bytes.isEmpty())
            co_return 0;
        offset += chunk->bytes.size();
        if (!kept) {
            context->streams.out.write(chunk->bytes);
            continue;
        }
        qsizetype at = 0;
        for (const OutputSegment &segment : chunk->segments) {
            QByteArray &into =
                segment.stream == domain::OutputStream::Stderr ? kept->err : kept->out;
            const QByteArray bytes = chunk->bytes.mid(at, segment.length);
            at += segment.length;
            const qsizetype room = kMostKept - into.size();
            kept->truncated = kept->truncated || bytes.size() > room;
            into += bytes.left(room);
        }
    }
}

Async<int> showJson(Context context, ThreadDetail detail)
{
    json object = parsedView(toJson(detail));
    for (qsizetype at = 0; at < detail.toolCalls.size() && context->options.has("output"); ++at) {
        const auto kept = std::make_shared<KeptOutput>();
        const Result<int> printed = co_await printOutput(context, detail.toolCalls[at].id, kept);
        if (!printed)
            co_return failure(printed.error());
        json &call = object["tool_calls"][static_cast<size_t>(at)];
        putBytes(call, "stdout", kept->out);
        putBytes(call, "stderr", kept->err);
        call["truncated"] = kept->truncated;
    }
    printJson(context, object);
    co_return 0;
}

} // namespace

Async<int> threadShow(Context context)
{
    const Result<domain::ThreadId> thread =
        co_await resolveThread(context, context->options.arguments[0]);
    if (!thread)
        co_return failure(thread.error());
    const GetThread getThread{*thread};
    const Result<ThreadDetail> detail = co_await ask(context, getThread);
    if (!detail)
        co_return failure(detail.error());
    if (context->options.json) {
        const Result<int> code = co_await showJson(context, *detail);
        co_return code;
    }
    context->print(headerOf(detail->thread));
    for (const MessageView &message : detail->messages) {
        context->print(QStringLiteral("\n%1  %2\n")
                           .arg(domain::wireName(message.role), onOneLine(message.text)));
        for (const ToolCallView &call : detail->toolCalls) {
            if (call.run != message.run || message.role != domain::MessageRole::User)
                continue;
            if (context->options.has("output")) {
                const Result<int> printed = co_await printOutput(context, call.id, nullptr);
                if (!printed)
                    co_return failure(printed.error());
            }
            context->print(QStringLiteral("      %1\n").arg(endOf(call)));
        }
    }
    co_return 0;
}

} // namespace berth::cli
