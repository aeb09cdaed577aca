// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/follow.h"

#include "cli/exit_codes.h"
#include "cli/follow_run.h"
#include "cli/human.h"
#include "cli/json_output.h"

#include <nlohmann/json.hpp>

#include <csignal>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::OutcomeKind;
using domain::OutputStream;
using domain::Result;
using nlohmann::json;

namespace {

constexpr qint64 kPiece = 64 * 1024;
constexpr qint64 kMostPending = 256 * 1024;
constexpr qint64 kWaitMs = 20'000;

//! "Pulling python:3.12-slim · 43 of 99 MB" on standard error until output comes: one line that
//! changes on a terminal, each new step once elsewhere.
class PreparationNote : public QObject
{
public:
    PreparationNote(const Context &context, const domain::ToolCallId &toolCall)
        : m_context(context.get())
    {
        if (context->options.json)
            return;
        connect(&context->client, &EngineClient::event, this, [this, toolCall](const Event &event) {
            const auto *changed = std::get_if<ToolCallChanged>(&event.body);
            if (changed && changed->toolCall.id == toolCall)
                show(onOneLine(changed->toolCall.preparing));
        });
    }
    ~PreparationNote() override { show({}); }

    void show(const QString &text)
    {
        if (m_context->streams.terminal.errIsTerminal) {
            if (!text.isEmpty() || m_onScreen)
                m_context->streams.err.write("\r\x1b[K" + text.toUtf8());
            m_onScreen = !text.isEmpty();
            return;
        }
        const QString step = text.section(QStringLiteral(" \u00b7 "), 0, 0);
        if (!step.isEmpty() && step != m_lastStep)
            m_context->note(step);
        m_lastStep = step;
    }

private:
    CliContext *m_context;
    bool m_onScreen = false;
    QString m_lastStep;
};

void keep(QByteArray &kept, const QByteArray &bytes, bool &truncated)
{
    const qsizetype room = kMostKept - kept.size();
    kept += bytes.left(room);
    truncated = truncated || bytes.size() > room;
}

void passOn(const Context &context, const OutputChunk &chunk, KeptOutput *kept)
{
    qsizetype at = 0;
    const auto give = [&](OutputStream stream, qsizetype length) {
        const QByteArray bytes = chunk.bytes.mid(at, length);
        at += bytes.size();
        const bool isError = stream == OutputStream::Stderr;
        if (kept)
            keep(isError ? kept->err : kept->out, bytes, kept->truncated);
        else
            (isError ? context->streams.err : context->streams.out).write(bytes);
    };
    for (const OutputSegment &segment : chunk.segments)
        give(segment.stream, segment.length);
    give(OutputStream::Stdout, chunk.bytes.size() - at);
}

async::Task<bool> hasRoom(Context context)
{
    const bool out = co_await context->streams.out.room(kMostPending);
    if (!context->guard)
        co_return false;
    const bool err = co_await context->streams.err.room(kMostPending);
    co_return out &&err;
}

QString endNote(const ToolCallView &view)
{
    const QString after =
        QStringLiteral(" after ") + humanDuration(std::chrono::milliseconds(view.durationMs));
    const QString why = view.outcomeDetail.isEmpty()
        ? QString()
        : QStringLiteral(": ") + onOneLine(view.outcomeDetail);
    switch (view.outcome.value_or(OutcomeKind::Interrupted)) {
    case OutcomeKind::Exited:
        return QStringLiteral("exited with %1").arg(view.exitCode) + after + why;
    case OutcomeKind::Signalled: {
        const QString name = domain::signalName(view.exitCode - 128);
        // Only what it says beyond the signal.
        const QString plain = QStringLiteral(": Ended by ") + name;
        const QString more = why.startsWith(plain) ? why.mid(plain.size())
            : view.outcomeDetail == name           ? QString()
                                                   : why;
        return QStringLiteral("ended by %1").arg(name) + after + more;
    }
    case OutcomeKind::TimedOut:
        return QStringLiteral("timed out and was killed") + after;
    case OutcomeKind::Cancelled:
        return QStringLiteral("stopped") + after;
    case OutcomeKind::TransportLost:
        return QStringLiteral("the connection to the sandbox was lost; whether the command goes on "
                              "is not known")
            + why;
    case OutcomeKind::Interrupted:
        return QStringLiteral("interrupted; how the command ended is not known") + why;
    case OutcomeKind::NotStarted:
        return QStringLiteral("did not start") + why;
    }
    return {};
}

void printResult(const Context &context, const Started &started, const ToolCallView &view,
                 const KeptOutput &kept, int code)
{
    json object = parsedView(toJson(started));
    // What does not apply is left out, not empty.
    for (auto it = object.begin(); it != object.end();)
        it = it->is_string() && it->get_ref<const std::string &>().empty() ? object.erase(it)
                                                                           : std::next(it);
    putBytes(object, "stdout", kept.out);
    putBytes(object, "stderr", kept.err);
    object["truncated"] = kept.truncated;
    object["exit_code"] = code;
    object["outcome"] =
        view.outcome ? domain::wireName(*view.outcome).toStdString() : std::string("interrupted");
    if (!view.outcomeDetail.isEmpty())
        object["outcome_detail"] = view.outcomeDetail.toStdString();
    object["duration_ms"] = static_cast<std::int64_t>(view.durationMs);
    printJson(context, object);
}

void stop(const Context &context, const domain::ToolCallId &toolCall)
{
    deliver(context->guard, context->client, StopToolCall{toolCall},
            [](const Result<ToolCallView> &) {});
}

} // namespace

void cancelOnInterrupt(const Context &context)
{
    const std::weak_ptr<CliContext> weak = context;
    context->onInterrupt = [weak] {
        if (const Context self = weak.lock()) {
            for (const domain::RequestId &id : std::as_const(self->asked))
                self->client.cancel(id);
        }
    };
}

Async<ToolCallView> follow(Context context, domain::ToolCallId toolCall,
                           std::shared_ptr<KeptOutput> kept)
{
    PreparationNote preparation(context, toolCall);
    qint64 offset = 0;
    bool stopped = false;
    for (;;) {
        if (!kept && !stopped) {
            const bool open = co_await hasRoom(context);
            if (!context->guard)
                co_return failure(domain::ErrorKind::Cancelled, QStringLiteral("Ended"));
            if (!open) {
                // As a shell would end it; its end is waited for, so that nothing is left running.
                stopped = true;
                stop(context, toolCall);
            }
        }
        const ReadOutput readOutput{toolCall, offset, kPiece, kWaitMs};
        const Result<OutputChunk> chunk = co_await ask(context, readOutput);
        if (!chunk)
            co_return failure(chunk.error());
        if (!chunk->bytes.isEmpty())
            preparation.show({});
        passOn(context, *chunk, kept.get());
        offset += chunk->bytes.size();
        if (chunk->complete && (offset >= chunk->total || chunk->bytes.isEmpty()))
            break;
    }
    const GetToolCall getToolCall{toolCall};
    const Result<ToolCallView> view = co_await ask(context, getToolCall);
    co_return view;
}

Async<int> followToEnd(Context context, Started started, bool quiet)
{
    if (started.toolCall.isNull()) {
        const Result<int> answered = co_await followRun(context, started);
        co_return answered;
    }
    const std::weak_ptr<CliContext> weak = context;
    context->onInterrupt = [weak, toolCall = started.toolCall] {
        if (const Context self = weak.lock())
            stop(self, toolCall);
    };
    if (context->interrupt != 0)
        context->onInterrupt();
    const std::shared_ptr<KeptOutput> kept =
        context->options.json ? std::make_shared<KeptOutput>() : nullptr;
    const Result<ToolCallView> view = co_await follow(context, started.toolCall, kept);
    context->onInterrupt = nullptr;
    if (!view)
        co_return failure(view.error());
    int code = view->exitCode;
    if (context->interrupt != 0)
        code = 128 + context->interrupt;
    else if (context->streams.out.isBroken())
        code = kBrokenPipe;
    if (kept) {
        printResult(context, started, *view, *kept, code);
    } else if (!quiet || view->outcome != OutcomeKind::Exited) {
        const QString where = started.sandboxAlias.isEmpty()
            ? QString()
            : QStringLiteral(" in ") + started.sandboxAlias;
        const QString who = started.thread.isNull()
            ? QStringLiteral("The command")
            : QStringLiteral("Thread ") + started.thread.toString();
        context->note(who + where + QStringLiteral(": ") + endNote(*view));
    }
    co_return code;
}

} // namespace berth::cli
