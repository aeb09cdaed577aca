// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever answers may be hostile: names, kinds and sizes are checked here before anything is
// written on this machine.
#include "application/transfers/transfer_course.h"
#include "domain/text.h"

#include <deque>

namespace berth::application {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::FileKind;
using domain::Result;

namespace {

constexpr int kPage = 1000;

struct DownloadItem
{
    QByteArray below;
    FileKind kind = FileKind::Regular;
    //! -1: not known.
    qint64 size = 0;
    int mode = 0;
    QDateTime modified;
};

QString remote(const QString &top, const QByteArray &below)
{
    QString path = top;
    if (below.isEmpty())
        return path;
    const QList<QByteArray> parts = below.split('/');
    for (const QByteArray &part : parts) {
        if (!path.endsWith(QLatin1Char('/')))
            path += QLatin1Char('/');
        path += domain::escapedBytes(part);
    }
    return path;
}

Error lying()
{
    return {ErrorKind::Protocol,
            QStringLiteral("The sandbox sent an answer that makes no sense"),
            {},
            {},
            {}};
}

DownloadItem itemOf(const FileView &view, const QByteArray &below)
{
    return {below, view.kind, qMax<qint64>(view.size, 0), view.mode, view.modified};
}

Async<QList<DownloadItem>> count(Course course, DownloadRequest request)
{
    QList<DownloadItem> items;
    QList<DownloadItem> folders{DownloadItem{{}, FileKind::Directory, 0, 0, {}}};
    qsizetype seen = 0;
    course->progress.counting = true;
    while (!folders.isEmpty()) {
        const DownloadItem folder = folders.takeLast();
        ListFiles list;
        list.target = request.target;
        list.path = remote(request.path, folder.below);
        list.limit = kPage;
        list.wake = request.wake;
        if (!folder.below.isEmpty())
            items.append(folder);
        do {
            const Result<FileList> page = co_await course->ask(list);
            if (course->isStopped())
                co_return failure(TransferCourse::cancelled());
            if (!page && page.error().kind == ErrorKind::Forbidden && !folder.below.isEmpty()) {
                course->skip(folder.below, QStringLiteral("No permission"));
                break;
            }
            if (!page)
                co_return failure(page.error());
            seen += qMax<qsizetype>(page->entries.size(), 1);
            if (seen > kMostEntries)
                co_return failure(ErrorKind::Quota, QStringLiteral("There are too many files"));
            for (const FileView &view : page->entries) {
                const QByteArray name = domain::unescapedBytes(view.name);
                const QByteArray below = folder.below.isEmpty() ? name : folder.below + '/' + name;
                if (!isPlainName(name)) {
                    course->skip(below, QStringLiteral("Not a name that a file can have here"));
                } else if (view.kind == FileKind::Regular) {
                    items.append(itemOf(view, below));
                    ++course->progress.totalFiles;
                    course->progress.totalBytes += items.last().size;
                } else if (view.kind == FileKind::Directory && below.count('/') < kDeepest) {
                    folders.append(itemOf(view, below));
                } else {
                    course->skip(below,
                                 view.kind == FileKind::Symlink ? QStringLiteral("A link")
                                     : view.kind == FileKind::Directory
                                     ? QStringLiteral("Too deep")
                                     : QStringLiteral("Not a file"));
                }
            }
            course->tell();
            list.cursor = page->next;
        } while (!list.cursor.isEmpty());
    }
    course->progress.counting = false;
    const QList<DownloadItem> result = items;
    co_return result;
}

struct Reading
{
    DownloadRequest request;
    QString path;
    DownloadItem item;
    std::shared_ptr<PartialFile> file;
};

//! The bytes in order, a few requests on their way at once as far as the size is known.
Async<void> readPieces(Course course, Reading reading)
{
    struct Asked
    {
        async::Completion<Result<FileChunk>> answer;
        qint64 offset = 0;
        qint64 length = 0;
    };
    std::deque<Asked> pending;
    std::optional<Error> failed;
    const qint64 size = reading.item.size;
    qint64 next = 0;
    bool more = true;
    while (more || !pending.empty()) {
        // Files of /proc have no size and yet bytes: one by one until the end is seen.
        const std::size_t depth = size > 0 ? kTransferDepth : 1;
        while (more && pending.size() < depth) {
            ReadFile read;
            read.target = reading.request.target;
            read.path = reading.path;
            read.offset = next;
            read.length = size > 0 ? qMin(size - next, kTransferPiece) : kTransferPiece;
            read.wake = reading.request.wake;
            const Asked asked{course->ask(read), next, read.length};
            pending.push_back(asked);
            next += read.length;
            more = size <= 0 || next < size;
        }
        const Asked first = pending.front();
        pending.pop_front();
        const Result<FileChunk> chunk = co_await first.answer;
        if (failed)
            continue;
        if (course->isStopped())
            failed = TransferCourse::cancelled();
        else if (!chunk)
            failed = chunk.error();
        else if (chunk->bytes.size() > first.length || chunk->offset != first.offset)
            failed = lying();
        if (failed) {
            more = false;
            continue;
        }
        const Result<void> kept = reading.file->append(chunk->bytes);
        if (!kept)
            failed = kept.error();
        course->advance(chunk->bytes.size());
        if (!kept || chunk->bytes.size() < first.length) {
            // It became shorter meanwhile; what was asked for beyond its end is nothing.
            more = false;
            for (const Asked &rest : std::exchange(pending, {})) {
                const Result<FileChunk> unused = co_await rest.answer;
                Q_UNUSED(unused)
            }
        }
    }
    if (failed)
        co_return failure(*failed);
    co_return Result<void>();
}

//! The name that it got.
Async<QByteArray> fetch(Course course, DownloadRequest request, QString path, DownloadItem item,
                        std::shared_ptr<LocalFile> folder, QByteArray name, OnExisting onExisting)
{
    const Result<LocalFile::Facts> there = factsBelow(*folder, name);
    if (there
        && (onExisting == OnExisting::Refuse
            || (onExisting == OnExisting::Replace && there->isDirectory)))
        co_return failure(ErrorKind::Conflict,
                          QStringLiteral("There is already a \"%1\" on this machine")
                              .arg(domain::displayName(name)));
    Result<LocalFile> again = openBelow(*folder, {}, true);
    if (!again)
        co_return failure(again.error());
    Result<PartialFile> created = PartialFile::create(std::move(*again), name);
    if (!created)
        co_return failure(created.error());
    Reading reading;
    reading.request = request;
    reading.path = path;
    reading.item = item;
    reading.file = std::make_shared<PartialFile>(std::move(*created));
    const Result<void> read = co_await readPieces(course, reading);
    if (!read)
        co_return failure(read.error());
    if (course->isStopped())
        co_return failure(TransferCourse::cancelled());
    const Result<QByteArray> placed = reading.file->finish(item.mode, item.modified, onExisting);
    if (!placed)
        co_return failure(placed.error());
    course->fileDone();
    co_return *placed;
}

Async<void> downloadTree(Course course, DownloadRequest request, std::shared_ptr<LocalFile> folder,
                         QByteArray name)
{
    const Result<QList<DownloadItem>> items = co_await count(course, request);
    if (!items)
        co_return failure(items.error());
    const Result<QByteArray> made = makeLocalFolder(*folder, name, request.onExisting);
    if (!made)
        co_return failure(made.error());
    course->report.name = domain::displayName(*made);
    Result<LocalFile> opened = openBelow(*folder, *made, true);
    if (!opened)
        co_return failure(opened.error());
    course->folderDone();
    const LocalFile top = std::move(*opened);
    // In a folder that is new nothing is there before; a second one of a name is a lie.
    const OnExisting within =
        request.onExisting == OnExisting::Replace ? OnExisting::Replace : OnExisting::Refuse;
    const OnExisting folders =
        request.onExisting == OnExisting::Replace ? OnExisting::Replace : OnExisting::Refuse;
    for (const DownloadItem &item : *items) {
        if (course->isStopped())
            co_return failure(TransferCourse::cancelled());
        course->show(item.below);
        const qsizetype slash = item.below.lastIndexOf('/');
        const QByteArray own = item.below.mid(slash + 1);
        Result<LocalFile> parent =
            openBelow(top, slash < 0 ? QByteArray() : item.below.left(slash), true);
        if (!parent) {
            course->skip(item.below, parent.error().message);
            continue;
        }
        if (item.kind == FileKind::Directory) {
            const Result<QByteArray> below = makeLocalFolder(*parent, own, folders);
            if (!below && below.error().kind != ErrorKind::Conflict)
                co_return failure(below.error());
            if (below)
                course->folderDone();
            else
                course->skip(item.below, below.error().message);
            continue;
        }
        const auto place = std::make_shared<LocalFile>(std::move(*parent));
        const QString path = remote(request.path, item.below);
        const Result<QByteArray> got =
            co_await fetch(course, request, path, item, place, own, within);
        if (got)
            continue;
        // One file that cannot be read, or has gone meanwhile, does not end the rest.
        switch (got.error().kind) {
        case ErrorKind::Forbidden:
        case ErrorKind::NotFound:
        case ErrorKind::InvalidInput:
        case ErrorKind::Conflict:
            if (!course->isStopped()) {
                course->skip(item.below, got.error().message);
                continue;
            }
            break;
        default:
            break;
        }
        co_return failure(got.error());
    }
    co_return Result<void>();
}

Async<void> downloadFile(Course course, DownloadRequest request, std::shared_ptr<LocalFile> folder,
                         QByteArray name, DownloadItem item)
{
    course->progress.totalFiles = 1;
    course->progress.totalBytes = qMax<qint64>(item.size, 0);
    course->show(name);
    const Result<QByteArray> got =
        co_await fetch(course, request, request.path, item, folder, name, request.onExisting);
    if (!got)
        co_return failure(got.error());
    course->report.name = domain::displayName(*got);
    co_return Result<void>();
}

} // namespace

Async<TransferReport> downloadNow(Course course, DownloadRequest request)
{
    Result<LocalFile> opened = openLocalFolder(request.localFolder);
    if (!opened)
        co_return failure(opened.error());
    const auto folder = std::make_shared<LocalFile>(std::move(*opened));
    StatFile stat;
    stat.target = request.target;
    stat.path = request.path;
    stat.wake = request.wake;
    const Result<FileView> view = co_await course->ask(stat);
    if (!view)
        co_return failure(view.error());
    const QByteArray name =
        request.name.isEmpty() ? domain::unescapedBytes(view->name) : request.name;
    const QString shown = domain::displayName(name);
    if (!isPlainName(name))
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("\"%1\" cannot be a name on this machine").arg(shown));
    const bool isFolder = view->kind == FileKind::Directory || view->linkToDirectory;
    Result<void> done;
    DownloadItem item = itemOf(*view, {});
    if (view->kind == FileKind::Symlink) {
        // Named by the user, so what it leads to is meant; its own facts say nothing of that.
        item.size = -1;
        item.mode = 0;
        item.modified = {};
    }
    if (isFolder && request.recursive)
        done = co_await downloadTree(course, request, folder, name);
    else if (isFolder)
        done = failure(ErrorKind::InvalidInput, QStringLiteral("\"%1\" is a directory").arg(shown));
    else if (view->kind == FileKind::Other)
        done = failure(ErrorKind::InvalidInput,
                       QStringLiteral("\"%1\" is neither a file nor a directory").arg(shown));
    else
        done = co_await downloadFile(course, request, folder, name, item);
    if (!done)
        co_return failure(done.error());
    course->report.bytes = course->progress.bytes;
    const TransferReport report = course->report;
    co_return report;
}

} // namespace berth::application
