// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/transfers/transfer_course.h"
#include "async/sleep.h"
#include "domain/text.h"

#include <deque>

namespace berth::application {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

constexpr int kMostCopies = 99;
//! Between two looks of the event loop while a tree is counted.
constexpr int kCountedAtOnce = 200;

struct UploadItem
{
    //! Below the top; empty for the top itself.
    QByteArray below;
    LocalFile::Facts facts;
};

QString joined(const QString &folder, const QByteArray &name)
{
    const QString escaped = domain::escapedBytes(name);
    if (folder.isEmpty())
        return escaped;
    return folder.endsWith(QLatin1Char('/')) ? folder + escaped
                                             : folder + QLatin1Char('/') + escaped;
}

QByteArray joined(const QByteArray &folder, const QByteArray &name)
{
    return folder.isEmpty() ? name : folder + '/' + name;
}

QByteArray lastName(QByteArray path)
{
    while (path.size() > 1 && path.endsWith('/'))
        path.chop(1);
    return path.mid(path.lastIndexOf('/') + 1);
}

//! Everything below \a top that can be sent, folders in front of what is in them.
Async<QList<UploadItem>> count(Course course, std::shared_ptr<LocalFile> top)
{
    QList<UploadItem> items;
    QList<UploadItem> folders{UploadItem{{}, {false, true, false, 0, 0755}}};
    int sinceRest = 0;
    course->progress.counting = true;
    while (!folders.isEmpty()) {
        const UploadItem folder = folders.takeLast();
        const Result<LocalFile> opened = openBelow(*top, folder.below, true);
        const Result<QList<QByteArray>> names =
            opened ? opened->names() : Result<QList<QByteArray>>(tl::unexpect, opened.error());
        if (!names) {
            if (folder.below.isEmpty())
                co_return failure(names.error());
            course->skip(folder.below, names.error().message);
            continue;
        }
        if (!folder.below.isEmpty())
            items.append(folder);
        for (const QByteArray &name : *names) {
            const QByteArray below = joined(folder.below, name);
            const Result<LocalFile::Facts> facts = factsBelow(*opened, name);
            if (!facts) {
                course->skip(below, facts.error().message);
            } else if (facts->isRegular) {
                items.append({below, *facts});
                ++course->progress.totalFiles;
                course->progress.totalBytes += facts->size;
            } else if (facts->isDirectory && below.count('/') < kDeepest) {
                folders.append({below, *facts});
            } else {
                course->skip(below,
                             facts->isLink            ? QStringLiteral("A link")
                                 : facts->isDirectory ? QStringLiteral("Too deep")
                                                      : QStringLiteral("Not a file"));
            }
            if (items.size() > kMostEntries)
                co_return failure(ErrorKind::Quota, QStringLiteral("There are too many files"));
            if (++sinceRest >= kCountedAtOnce) {
                sinceRest = 0;
                course->tell();
                co_await async::sleepFor(std::chrono::milliseconds(0));
                if (course->isStopped())
                    co_return failure(TransferCourse::cancelled());
            }
        }
    }
    course->progress.counting = false;
    const QList<UploadItem> result = items;
    co_return result;
}

struct Sending
{
    OpenUpload open;
    std::shared_ptr<LocalFile> file;
    LocalFile::Facts facts;
};

using Pending = std::deque<async::Completion<Result<Nothing>>>;

//! Pieces of \a file until its end, a few on their way at once.
Async<void> sendPieces(Course course, std::shared_ptr<LocalFile> file, LocalFile::Facts facts,
                       QString upload)
{
    Pending pending;
    std::deque<qint64> sizes;
    std::optional<Error> failed;
    // A file that grows while it is read ends where it ended at first.
    qint64 left = facts.size;
    bool more = true;
    while (more || !pending.empty()) {
        while (more && !failed && pending.size() < kTransferDepth) {
            const qint64 most = facts.size > 0 ? qMin(left, kTransferPiece) : kTransferPiece;
            const Result<QByteArray> bytes =
                most > 0 ? file->read(most) : Result<QByteArray>(QByteArray());
            if (!bytes)
                failed = bytes.error();
            more = bytes && !bytes->isEmpty();
            if (!more)
                break;
            left -= bytes->size();
            WriteUpload write;
            write.upload = upload;
            write.bytes = *bytes;
            sizes.push_back(bytes->size());
            pending.push_back(course->ask(write));
        }
        if (failed)
            more = false;
        if (pending.empty())
            continue;
        const async::Completion<Result<Nothing>> first = pending.front();
        pending.pop_front();
        const Result<Nothing> taken = co_await first;
        const qint64 size = sizes.front();
        sizes.pop_front();
        if (taken)
            course->advance(size);
        else if (!failed)
            failed = taken.error();
        if (course->isStopped() && !failed)
            failed = TransferCourse::cancelled();
    }
    if (failed)
        co_return failure(*failed);
    co_return Result<void>();
}

Async<void> sendFile(Course course, Sending sending)
{
    const Result<UploadView> opened = co_await course->ask(sending.open);
    if (!opened)
        co_return failure(opened.error());
    Result<void> sent = co_await sendPieces(course, sending.file, sending.facts, opened->upload);
    if (sent && course->isStopped())
        sent = failure(TransferCourse::cancelled());
    if (!sent) {
        AbortUpload abort;
        abort.upload = opened->upload;
        const Result<Nothing> aborted = co_await course->ask(abort);
        Q_UNUSED(aborted)
        co_return failure(sent.error());
    }
    CommitUpload commit;
    commit.upload = opened->upload;
    const Result<FileView> complete = co_await course->ask(commit);
    if (!complete)
        co_return failure(complete.error());
    course->fileDone();
    co_return Result<void>();
}

//! A name below \a folder that is free, beginning with \a name.
Async<QByteArray> freeName(Course course, UploadRequest request, QByteArray name)
{
    QByteArray tried = name;
    for (int number = 2; number <= kMostCopies; ++number) {
        StatFile stat;
        stat.target = request.target;
        stat.path = joined(request.folder, tried);
        stat.wake = request.wake;
        const Result<FileView> there = co_await course->ask(stat);
        if (!there && there.error().kind == ErrorKind::NotFound)
            co_return tried;
        if (!there)
            co_return failure(there.error());
        if (request.onExisting == OnExisting::Refuse)
            break;
        if (request.onExisting == OnExisting::Replace) {
            if (there->kind == domain::FileKind::Directory)
                co_return tried; // merged
            break;
        }
        tried = numbered(name, number);
    }
    co_return failure(
        ErrorKind::Conflict,
        QStringLiteral("There is already a \"%1\" in the sandbox").arg(domain::displayName(name)));
}

OpenUpload openingOf(const UploadRequest &request, const QString &path, int mode, bool replace)
{
    OpenUpload open;
    open.target = request.target;
    open.path = path;
    open.mode = mode & 0777;
    open.replace = replace;
    open.wake = request.wake;
    return open;
}

Async<void> uploadFile(Course course, UploadRequest request, std::shared_ptr<LocalFile> file,
                       LocalFile::Facts facts, QByteArray name)
{
    course->progress.totalFiles = 1;
    course->progress.totalBytes = facts.size;
    course->show(name);
    const bool replace = request.onExisting == OnExisting::Replace;
    if (request.onExisting == OnExisting::KeepBoth) {
        const Result<QByteArray> free = co_await freeName(course, request, name);
        if (!free)
            co_return failure(free.error());
        name = *free;
    }
    course->report.name = domain::displayName(name);
    Sending sending;
    sending.open = openingOf(request, joined(request.folder, name), facts.mode, replace);
    sending.file = file;
    sending.facts = facts;
    const Result<void> sent = co_await sendFile(course, sending);
    co_return sent;
}

Async<void> makeFolder(Course course, UploadRequest request, QString path)
{
    MakeFolder make;
    make.target = request.target;
    make.path = path;
    make.wake = request.wake;
    const Result<FileView> made = co_await course->ask(make);
    if (!made)
        co_return failure(made.error());
    course->folderDone();
    co_return Result<void>();
}

Async<void> uploadTree(Course course, UploadRequest request, std::shared_ptr<LocalFile> top,
                       QByteArray name)
{
    const Result<QList<UploadItem>> items = co_await count(course, top);
    if (!items)
        co_return failure(items.error());
    const Result<QByteArray> free = co_await freeName(course, request, name);
    if (!free)
        co_return failure(free.error());
    course->report.name = domain::displayName(*free);
    const QString root = joined(request.folder, *free);
    const Result<void> made = co_await makeFolder(course, request, root);
    if (!made)
        co_return failure(made.error());
    const bool replace = request.onExisting == OnExisting::Replace;
    for (const UploadItem &item : *items) {
        if (course->isStopped())
            co_return failure(TransferCourse::cancelled());
        QString path = root;
        const QList<QByteArray> parts = item.below.split('/');
        for (const QByteArray &part : parts)
            path = joined(path, part);
        course->show(item.below);
        if (item.facts.isDirectory) {
            const Result<void> folder = co_await makeFolder(course, request, path);
            if (!folder)
                co_return failure(folder.error());
            continue;
        }
        Result<LocalFile> opened = openBelow(*top, item.below, false);
        const Result<LocalFile::Facts> facts =
            opened ? opened->facts() : Result<LocalFile::Facts>(tl::unexpect, opened.error());
        if (!facts || !facts->isRegular) {
            course->skip(item.below, facts ? QStringLiteral("Not a file") : facts.error().message);
            continue;
        }
        Sending sending;
        sending.open = openingOf(request, path, facts->mode, replace);
        sending.file = std::make_shared<LocalFile>(std::move(*opened));
        sending.facts = *facts;
        const Result<void> sent = co_await sendFile(course, sending);
        if (!sent)
            co_return failure(sent.error());
    }
    co_return Result<void>();
}

} // namespace

Async<TransferReport> uploadNow(Course course, UploadRequest request)
{
    Result<LocalFile> opened = openLocal(request.localPath);
    if (!opened)
        co_return failure(opened.error());
    const auto file = std::make_shared<LocalFile>(std::move(*opened));
    const Result<LocalFile::Facts> facts = file->facts();
    if (!facts)
        co_return failure(facts.error());
    QByteArray name = domain::unescapedBytes(request.name);
    if (name.isEmpty())
        name = lastName(request.localPath);
    if (!isPlainName(name))
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("\"%1\" cannot be a name").arg(domain::displayName(name)));
    const QString shown = domain::displayName(request.localPath);
    Result<void> done;
    if (facts->isRegular)
        done = co_await uploadFile(course, request, file, *facts, name);
    else if (!facts->isDirectory)
        done = failure(ErrorKind::InvalidInput,
                       QStringLiteral("\"%1\" is neither a file nor a directory").arg(shown));
    else if (!request.recursive)
        done = failure(ErrorKind::InvalidInput, QStringLiteral("\"%1\" is a directory").arg(shown));
    else
        done = co_await uploadTree(course, request, file, name);
    if (!done)
        co_return failure(done.error());
    course->report.bytes = course->progress.bytes;
    const TransferReport report = course->report;
    co_return report;
}

} // namespace berth::application
