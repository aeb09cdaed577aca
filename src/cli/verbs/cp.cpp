// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/transfers/transfer.h"
#include "cli/file_side.h"
#include "cli/human.h"
#include "cli/ids.h"
#include "cli/json_output.h"
#include "cli/verbs/verbs.h"
#include "domain/text.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>

#include <nlohmann/json.hpp>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::FileKind;
using domain::Result;
using nlohmann::json;

namespace {

//! One line on a terminal that changes.
class ProgressLine : public QObject
{
public:
    ProgressLine(const Context &context, Transfer &transfer)
        : m_streams(context->streams),
          m_shown(context->streams.terminal.errIsTerminal && !context->options.json)
    {
        if (m_shown)
            connect(&transfer, &Transfer::progress, this, &ProgressLine::show);
    }
    ~ProgressLine() override
    {
        if (m_drawn)
            m_streams.err.write("\r\x1b[K");
    }

private:
    void show(const TransferProgress &progress)
    {
        QString text = progress.counting
            ? QStringLiteral("Counting: %1 files").arg(progress.totalFiles)
            : QStringLiteral("%1 of %2")
                  .arg(humanBytes(progress.bytes), humanBytes(progress.totalBytes));
        if (!progress.counting && progress.totalFiles > 1)
            text += QStringLiteral(", file %1 of %2")
                        .arg(qMin(progress.files + 1, progress.totalFiles))
                        .arg(progress.totalFiles);
        m_streams.err.write("\r\x1b[K" + text.toUtf8());
        m_drawn = true;
    }

    CliStreams &m_streams;
    bool m_shown = false;
    bool m_drawn = false;
};

OnExisting onExisting(const CliOptions &options)
{
    if (options.has("replace"))
        return OnExisting::Replace;
    return options.has("keep-both") ? OnExisting::KeepBoth : OnExisting::Refuse;
}

void told(const Context &context, const TransferReport &report)
{
    if (context->options.json) {
        json object;
        object["bytes"] = report.bytes;
        object["files"] = report.files;
        object["folders"] = report.folders;
        object["name"] = report.name.toStdString();
        object["skipped_count"] = report.skippedCount;
        object["skipped"] = json::array();
        for (const TransferSkip &skip : report.skipped)
            object["skipped"].push_back(
                {{"path", skip.path.toStdString()}, {"reason", skip.reason.toStdString()}});
        printJson(context, object);
        return;
    }
    for (const TransferSkip &skip : report.skipped)
        context->note(QStringLiteral("Left out: %1 (%2)").arg(skip.path, onOneLine(skip.reason)));
    const qint64 more = report.skippedCount - report.skipped.size();
    if (more > 0)
        context->note(QStringLiteral("Left out: %1 more").arg(more));
}

Async<TransferReport> ended(Context context, std::shared_ptr<Transfer> transfer)
{
    const async::Completion<Result<TransferReport>> end;
    QObject::connect(transfer.get(), &Transfer::finished, transfer.get(),
                     [end](const Result<TransferReport> &result) { end.complete(result); });
    const std::weak_ptr<Transfer> weak = transfer;
    context->onInterrupt = [weak] {
        if (const std::shared_ptr<Transfer> running = weak.lock())
            running->cancel();
    };
    if (context->interrupt != 0)
        context->onInterrupt();
    const auto line = std::make_shared<ProgressLine>(context, *transfer);
    const Result<TransferReport> result = co_await end;
    context->onInterrupt = nullptr;
    co_return result;
}

Async<TransferReport> upload(Context context, FileSide from, FileSide to, QString target)
{
    UploadRequest request;
    request.target = target;
    request.localPath = QFile::encodeName(from.path);
    request.onExisting = onExisting(context->options);
    request.recursive = context->options.has("r");
    request.wake = true;
    StatFile stat;
    stat.target = target;
    stat.path = to.path;
    stat.wake = true;
    const Result<FileView> there = co_await ask(context, stat);
    const bool isFolder = there && (there->kind == FileKind::Directory || there->linkToDirectory);
    if (!there && there.error().kind != ErrorKind::NotFound)
        co_return failure(there.error());
    if (isFolder) {
        request.folder = to.path;
    } else if (to.path.endsWith(QLatin1Char('/'))) {
        co_return failure(there ? ErrorKind::InvalidInput : ErrorKind::NotFound,
                          QStringLiteral("There is no directory \"%1\"").arg(to.path));
    } else {
        const qsizetype slash = to.path.lastIndexOf(QLatin1Char('/'));
        request.folder = slash > 0 ? to.path.first(slash) : to.path.first(slash + 1);
        request.name = to.path.mid(slash + 1);
    }
    const auto transfer = std::make_shared<Transfer>(context->client);
    transfer->upload(request);
    const Result<TransferReport> result = co_await ended(context, transfer);
    co_return result;
}

Async<TransferReport> download(Context context, FileSide from, FileSide to, QString target)
{
    DownloadRequest request;
    request.target = target;
    request.path = from.path;
    request.onExisting = onExisting(context->options);
    request.recursive = context->options.has("r");
    request.wake = true;
    const QFileInfo local(to.path.isEmpty() ? QStringLiteral(".") : to.path);
    if (local.isDir() || to.path.endsWith(QLatin1Char('/'))) {
        request.localFolder = QFile::encodeName(local.filePath());
    } else {
        request.localFolder = QFile::encodeName(local.path());
        request.name = QFile::encodeName(local.fileName());
    }
    const auto transfer = std::make_shared<Transfer>(context->client);
    transfer->download(request);
    const Result<TransferReport> result = co_await ended(context, transfer);
    co_return result;
}

} // namespace

Async<int> cp(Context context)
{
    const FileSide from = copySide(context->options.arguments[0]);
    const FileSide to = copySide(context->options.arguments[1]);
    if (from.isRemote() == to.isRemote())
        co_return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("One side of a copy is in a sandbox, the other is not"),
            QStringLiteral("Write the one in the sandbox as <thread-or-sandbox>:<path>."));
    if (context->options.has("replace") && context->options.has("keep-both"))
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("--replace and --keep-both exclude each other"));
    const Result<QString> target =
        co_await resolveTarget(context, from.isRemote() ? from.target : to.target);
    if (!target)
        co_return failure(target.error());
    Result<TransferReport> report = failure(ErrorKind::Internal, QString());
    if (to.isRemote())
        report = co_await upload(context, from, to, *target);
    else
        report = co_await download(context, from, to, *target);
    if (!report && report.error().kind == ErrorKind::Conflict && report.error().detail.isEmpty())
        co_return failure(ErrorKind::Conflict, report.error().message,
                          QStringLiteral("Add --replace or --keep-both."));
    if (!report)
        co_return failure(report.error());
    told(context, *report);
    co_return 0;
}

} // namespace berth::cli
