// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/exit_codes.h"
#include "cli/follow.h"
#include "cli/human.h"
#include "cli/interactive.h"
#include "cli/json_output.h"
#include "cli/verbs/verbs.h"

#include <nlohmann/json.hpp>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::OutputStream;
using domain::Result;

namespace {

constexpr qint64 kPiece = 256 * 1024;
constexpr qint64 kMostPending = 256 * 1024;
constexpr qint64 kWaitMs = 20'000;

void take(const Context &context, const OutputChunk &chunk, KeptOutput &kept)
{
    qsizetype at = 0;
    const auto give = [&](OutputStream stream, qsizetype length) {
        const QByteArray bytes = chunk.bytes.mid(at, length);
        at += bytes.size();
        const bool isError = stream == OutputStream::Stderr;
        if (!context->options.json) {
            (isError ? context->streams.err : context->streams.out).write(bytes);
            return;
        }
        QByteArray &into = isError ? kept.err : kept.out;
        const qsizetype room = kMostKept - into.size();
        into += bytes.left(room);
        kept.truncated = kept.truncated || bytes.size() > room;
    };
    for (const OutputSegment &segment : chunk.segments)
        give(segment.stream, segment.length);
    give(OutputStream::Stdout, chunk.bytes.size() - at);
}

} // namespace

Async<int> processLogs(Context context)
{
    const Result<ProcessView> process =
        co_await resolveProcess(context, context->options.arguments[0]);
    if (!process)
        co_return failure(process.error());
    const bool following = context->options.has("follow") || context->options.has("f");
    KeptOutput kept;
    qint64 lost = 0;
    qint64 offset = 0;
    for (;;) {
        if (!context->options.json) {
            const bool out = co_await context->streams.out.room(kMostPending);
            if (!context->guard)
                co_return failure(domain::ErrorKind::Cancelled, QStringLiteral("Ended"));
            if (!out)
                co_return kBrokenPipe;
        }
        ReadProcess read;
        read.process = process->id;
        read.offset = offset;
        read.limit = kPiece;
        read.waitMs = following ? kWaitMs : 0;
        const Result<OutputChunk> chunk = co_await ask(context, read);
        if (!chunk)
            co_return failure(chunk.error());
        if (!context->guard)
            co_return failure(domain::ErrorKind::Cancelled, QStringLiteral("Ended"));
        if (chunk->offset > offset) {
            lost += chunk->offset - offset;
            if (!context->options.json)
                context->note(QStringLiteral("[%1 of older output are not kept]")
                                  .arg(humanBytes(chunk->offset - offset)));
        }
        take(context, *chunk, kept);
        offset = std::max(offset, chunk->offset + chunk->bytes.size());
        const bool all = offset >= chunk->total || chunk->bytes.isEmpty();
        if (all && (chunk->complete || !following))
            break;
    }
    if (context->options.json) {
        const Result<ProcessView> now = co_await resolveProcess(context, process->id.toString());
        if (!now)
            co_return failure(now.error());
        nlohmann::json object = parsedView(toJson(*now));
        putBytes(object, "stdout", kept.out);
        putBytes(object, "stderr", kept.err);
        object["truncated"] = kept.truncated || lost > 0;
        printJson(context, object);
    }
    co_return 0;
}

} // namespace berth::cli
