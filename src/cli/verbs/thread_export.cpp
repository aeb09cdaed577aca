// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/export/thread_export.h"

#include "cli/human.h"
#include "cli/ids.h"
#include "cli/json_output.h"
#include "cli/verbs/verbs.h"

#include <QtCore/QFileInfo>

#include <nlohmann/json.hpp>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

//! Of what standard output has not taken yet.
constexpr qint64 kMostUnwritten = 1 << 20;

async::Task<void> moreWhenTaken(Context context, std::function<void()> more)
{
    const bool open = co_await context->streams.out.room(kMostUnwritten);
    if (open && context->guard)
        more();
    else if (context->onInterrupt)
        context->onInterrupt();
}

Result<ExportFormat> formatOf(const CliOptions &options)
{
    const QString name = options.value("format");
    if (options.json && name == QLatin1String("markdown"))
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("--json and --format markdown exclude each other"));
    if (options.json || name == QLatin1String("json"))
        return ExportFormat::Json;
    if (name.isEmpty() || name == QLatin1String("markdown"))
        return ExportFormat::Markdown;
    return failure(ErrorKind::InvalidInput,
                   QStringLiteral("There is no format \"%1\"").arg(onOneLine(name)),
                   QStringLiteral("There are markdown and json."));
}

void tell(const Context &context, const ExportReport &report, const QString &path)
{
    if (context->options.json) {
        nlohmann::json object;
        object["path"] = path.toStdString();
        object["messages"] = report.messages;
        object["tool_calls"] = report.calls;
        object["bytes"] = report.bytes;
        object["left_out_bytes"] = report.leftOut;
        printJson(context, object);
        return;
    }
    context->note(QStringLiteral("Wrote %1: %2 messages, %3 calls, %4")
                      .arg(onOneLine(path))
                      .arg(report.messages)
                      .arg(report.calls)
                      .arg(humanBytes(report.bytes)));
}

} // namespace

Async<int> threadExport(Context context)
{
    const CliOptions &options = context->options;
    const Result<ExportFormat> format = formatOf(options);
    if (!format)
        co_return failure(format.error());
    const Result<domain::ThreadId> thread = co_await resolveThread(context, options.arguments[0]);
    if (!thread)
        co_return failure(thread.error());
    ExportRequest request;
    request.thread = *thread;
    request.format = *format;
    const auto work = std::make_shared<ThreadExport>(context->client);
    const async::Completion<Result<ExportReport>> end;
    QObject::connect(work.get(), &ThreadExport::finished, work.get(),
                     [end](const Result<ExportReport> &result) { end.complete(result); });
    const std::weak_ptr<ThreadExport> weak = work;
    context->onInterrupt = [weak] {
        if (const std::shared_ptr<ThreadExport> running = weak.lock())
            running->cancel();
    };
    const bool toFile = options.has("output");
    // Relative to where the command is given.
    const QString path = toFile ? QFileInfo(options.value("output")).absoluteFilePath() : QString();
    if (toFile) {
        work->toFile(request, path);
    } else {
        const ThreadExport::Taker taker = [context](const QByteArray &piece,
                                                    const std::function<void()> &more) {
            context->streams.out.write(piece);
            moreWhenTaken(context, more);
        };
        work->to(request, taker);
    }
    if (context->interrupt != 0)
        context->onInterrupt();
    const Result<ExportReport> report = co_await end;
    context->onInterrupt = nullptr;
    if (!report)
        co_return failure(report.error());
    if (toFile)
        tell(context, *report, path);
    if (report->leftOut > 0)
        context->note(QStringLiteral("Of long outputs, %1 were left out; "
                                     "berth-cli thread show --output has all of them.")
                          .arg(humanBytes(report->leftOut)));
    co_return 0;
}

} // namespace berth::cli
