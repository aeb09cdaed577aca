// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/files/file_service.h"

#include "application/files/file_views.h"
#include "domain/agent/default_agent.h"
#include "domain/text.h"

#include <QtCore/QPointer>
#include <QtCore/QTimer>

#include <algorithm>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::FileEntry;
using domain::FilePage;
using domain::Result;
using domain::SandboxPath;

namespace {} // namespace

class FileService::Work
{
public:
    explicit Work(LeaseController *controller) : m_controller(controller)
    {
        m_controller->commandStarted();
    }
    ~Work()
    {
        if (m_controller)
            m_controller->commandEnded();
    }
    Work(const Work &) = delete;
    Work &operator=(const Work &) = delete;

private:
    QPointer<LeaseController> m_controller;
};

FileService::FileService(SandboxService &sandboxes, FindThread thread,
                         std::chrono::milliseconds longestSilence)
    : m_sandboxes(sandboxes), m_thread(std::move(thread)), m_longestSilence(longestSilence)
{}

FileService::~FileService() = default;

Result<domain::SandboxId> FileService::sandboxOf(const QString &target) const
{
    if (const std::optional<domain::Thread> thread = m_thread(domain::ThreadId(target))) {
        if (!thread->sandbox.isNull())
            return thread->sandbox;
        return failure(ErrorKind::Conflict, QStringLiteral("This thread has no sandbox"));
    }
    if (const LeaseController *controller = m_sandboxes.controllerOf(domain::LeaseId(target)))
        return controller->lease().sandbox;
    if (const std::optional<domain::Sandbox> sandbox =
            m_sandboxes.findSandbox(domain::defaultAgent(), target))
        return sandbox->id;
    return failure(ErrorKind::NotFound,
                   QStringLiteral("\"%1\" is neither a thread nor a sandbox").arg(target));
}

Async<FileService::Place> FileService::open(QString target, bool wake, QString source,
                                            std::stop_token stop)
{
    const Result<domain::SandboxId> sandbox = sandboxOf(target);
    if (!sandbox)
        co_return failure(sandbox.error());
    LeaseController *controller = m_sandboxes.controllerOf(*sandbox);
    if (wake) {
        const Result<LeaseController *> made = co_await m_sandboxes.leaseFor(*sandbox);
        if (!made)
            co_return failure(made.error());
        controller = *made;
    }
    const QString asleep = QStringLiteral("The sandbox is asleep");
    const QString hint = QStringLiteral("Its files can be seen once it runs.");
    if (!controller)
        co_return failure(ErrorKind::Conflict, asleep, hint);
    const auto work = std::make_shared<Work>(controller);
    if (wake) {
        const Result<ReadySandbox> ready =
            co_await controller->ensure(source, OnGone::Tell, {}, stop);
        if (!ready)
            co_return failure(ready.error());
        co_return Place{ready->connection, work};
    }
    const Result<ReadySandbox> seen = co_await controller->look(stop);
    if (!seen && seen.error().kind == ErrorKind::Conflict)
        co_return failure(ErrorKind::Conflict, asleep, hint);
    if (!seen)
        co_return failure(seen.error());
    co_return Place{seen->connection, work};
}

Async<FileList> FileService::list(ListFiles request, QString source, std::stop_token stop)
{
    const Result<Place> place = co_await open(request.target, request.wake, source, stop);
    if (!place)
        co_return failure(place.error());
    const Result<SandboxPath> path = pathIn(place->connection->homeDirectory(), request.path);
    if (!path)
        co_return failure(path.error());
    const int limit = std::clamp(request.limit, 1, kLargestPage);
    const QByteArray cursor = request.cursor.toLatin1();
    const Result<FilePage> page = co_await place->connection->fs().list(*path, cursor, limit, stop);
    if (!page)
        co_return failure(aboutFile(page.error(), *path));
    const Result<QList<FileView>> views =
        co_await viewsIn(place->connection, *path, page->entries, stop);
    if (!views)
        co_return failure(views.error());
    FileList list;
    list.directory = domain::escapedBytes(*path);
    list.entries = *views;
    list.next = QString::fromLatin1(page->next);
    const FileList result = list;
    co_return result;
}

Async<FileView> FileService::stat(StatFile request, QString source, std::stop_token stop)
{
    const Result<Place> place = co_await open(request.target, request.wake, source, stop);
    if (!place)
        co_return failure(place.error());
    const Result<SandboxPath> path = pathIn(place->connection->homeDirectory(), request.path);
    if (!path)
        co_return failure(path.error());
    const Result<FileView> view = co_await viewAt(place->connection, *path, stop);
    co_return view;
}

Async<FileChunk> FileService::read(ReadFile request, QString source, std::stop_token stop)
{
    const Result<Place> place = co_await open(request.target, request.wake, source, stop);
    if (!place)
        co_return failure(place.error());
    const Result<SandboxPath> path = pathIn(place->connection->homeDirectory(), request.path);
    if (!path)
        co_return failure(path.error());
    const qint64 length = std::clamp<qint64>(request.length, 0, kLargestRead);
    const Result<QByteArray> bytes =
        co_await place->connection->fs().read(*path, request.offset, length, stop);
    if (!bytes)
        co_return failure(aboutFile(bytes.error(), *path));
    FileChunk chunk;
    chunk.offset = request.offset;
    chunk.bytes = *bytes;
    const FileChunk result = chunk;
    co_return result;
}

Async<FileView> FileService::makeFolder(MakeFolder request, QString source, std::stop_token stop)
{
    const Result<Place> place = co_await open(request.target, request.wake, source, stop);
    if (!place)
        co_return failure(place.error());
    const Result<SandboxPath> path = pathIn(place->connection->homeDirectory(), request.path);
    if (!path)
        co_return failure(path.error());
    const Result<void> made = co_await place->connection->fs().makeDirectory(*path, stop);
    if (!made)
        co_return failure(aboutFile(made.error(), *path));
    const Result<FileView> view = co_await viewAt(place->connection, *path, stop);
    co_return view;
}

Async<FileView> FileService::rename(RenameFile request, QString source, std::stop_token stop)
{
    const Result<Place> place = co_await open(request.target, request.wake, source, stop);
    if (!place)
        co_return failure(place.error());
    const QByteArray home = place->connection->homeDirectory();
    const Result<SandboxPath> from = pathIn(home, request.from);
    const Result<SandboxPath> to = pathIn(home, request.to);
    if (!from || !to)
        co_return failure(from ? to.error() : from.error());
    // The port replaces what is there; a person who types a name does not mean that.
    const Result<FileEntry> there = co_await place->connection->fs().stat(*to, stop);
    if (there)
        co_return failure(
            ErrorKind::Conflict,
            QStringLiteral("There is already a \"%1\"").arg(domain::displayName(nameOf(*to))));
    if (there.error().kind != ErrorKind::NotFound)
        co_return failure(aboutFile(there.error(), *to));
    const Result<void> renamed = co_await place->connection->fs().rename(*from, *to, stop);
    if (!renamed)
        co_return failure(aboutFile(renamed.error(), *from));
    const Result<FileView> view = co_await viewAt(place->connection, *to, stop);
    co_return view;
}

Async<Nothing> FileService::remove(RemoveFile request, QString source, std::stop_token stop)
{
    const Result<Place> place = co_await open(request.target, request.wake, source, stop);
    if (!place)
        co_return failure(place.error());
    const QByteArray home = place->connection->homeDirectory();
    const Result<SandboxPath> path = pathIn(home, request.path);
    if (!path)
        co_return failure(path.error());
    if (*path == "/" || *path == home)
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("This directory is the sandbox's own and stays"));
    const Result<void> removed =
        co_await place->connection->fs().remove(*path, request.recursive, stop);
    if (!removed)
        co_return failure(aboutFile(removed.error(), *path));
    co_return Nothing{};
}

// ---- uploads

struct FileService::Upload
{
    QString id;
    const void *client = nullptr;
    SandboxPath path;
    Place place;
    std::shared_ptr<domain::FileWriter> writer;
    //! Pieces arrive faster than the sandbox takes them.
    async::Turnstile turn;
    std::stop_source stop;
    QTimer silence;
    //! The first failure; nothing can follow it.
    std::optional<domain::Error> failed;
    int waiting = 0;
};

void FileService::stop()
{
    m_stopping = true;
    const QList<std::shared_ptr<Upload>> all = m_uploads.values();
    for (const std::shared_ptr<Upload> &upload : all)
        end(upload);
}

void FileService::forget(const void *client)
{
    const QList<std::shared_ptr<Upload>> all = m_uploads.values();
    for (const std::shared_ptr<Upload> &upload : all) {
        if (upload->client == client)
            end(upload);
    }
}

void FileService::end(const std::shared_ptr<Upload> &upload)
{
    upload->silence.stop();
    upload->stop.request_stop();
    upload->writer->abort();
    m_uploads.remove(upload->id);
}

Result<std::shared_ptr<FileService::Upload>> FileService::find(const QString &id,
                                                               const void *client) const
{
    const std::shared_ptr<Upload> upload = m_uploads.value(id);
    if (!upload || upload->client != client)
        return failure(
            ErrorKind::NotFound, QStringLiteral("This upload has ended"),
            QStringLiteral("It was completed or given up, or nothing came for a minute."));
    return upload;
}

Async<UploadView> FileService::openUpload(OpenUpload request, const void *client, QString source,
                                          std::stop_token stop)
{
    if (m_uploads.size() + m_opening >= kMostUploads)
        co_return failure(ErrorKind::Quota, QStringLiteral("Too many files are being uploaded"),
                          QStringLiteral("Wait until some of them are complete."));
    struct Count
    {
        explicit Count(int &number) : n(number) { ++n; }
        ~Count() { --n; }
        int &n;
    };
    const auto counted = std::make_shared<Count>(m_opening);
    const Result<Place> place = co_await open(request.target, request.wake, source, stop);
    if (!place)
        co_return failure(place.error());
    const Result<SandboxPath> path = pathIn(place->connection->homeDirectory(), request.path);
    if (!path)
        co_return failure(path.error());
    const int mode = request.mode < 0 ? -1 : request.mode & 07777;
    const Result<std::shared_ptr<domain::FileWriter>> writer =
        co_await place->connection->fs().openWrite(*path, mode, !request.replace, stop);
    if (!writer)
        co_return failure(aboutFile(writer.error(), *path));
    // Dropping the writer gives the file up.
    if (m_stopping)
        co_return failure(ErrorKind::Unavailable, QStringLiteral("Berth is ending"));
    if (stop.stop_requested())
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    const auto upload = std::make_shared<Upload>();
    upload->id = domain::RequestId::create().toString();
    upload->client = client;
    upload->path = *path;
    upload->place = *place;
    upload->writer = *writer;
    upload->silence.setSingleShot(true);
    upload->silence.setInterval(m_longestSilence);
    connect(&upload->silence, &QTimer::timeout, this, [this, weak = std::weak_ptr<Upload>(upload)] {
        if (const std::shared_ptr<Upload> silent = weak.lock())
            end(silent);
    });
    upload->silence.start();
    m_uploads.insert(upload->id, upload);
    co_return UploadView{upload->id};
}

Async<Nothing> FileService::writeUpload(WriteUpload request, const void *client,
                                        std::stop_token stop)
{
    const Result<std::shared_ptr<Upload>> found = find(request.upload, client);
    if (!found)
        co_return failure(found.error());
    const std::shared_ptr<Upload> upload = *found;
    if (request.bytes.size() > kLargestPiece)
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("A piece of an upload has at most 256 KiB"));
    upload->silence.stop();
    ++upload->waiting;
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await upload->turn.enter();
    Result<void> taken;
    if (upload->failed) {
        taken = failure(*upload->failed);
    } else {
        // A piece that is not awaited any more leaves a hole; the whole upload is of no use then.
        const std::stop_callback onStop(stop, [upload] { upload->stop.request_stop(); });
        const std::stop_token either = upload->stop.get_token();
        taken = co_await upload->writer->append(request.bytes, either);
    }
    if (--upload->waiting == 0 && m_uploads.contains(upload->id))
        upload->silence.start();
    if (!taken) {
        upload->failed = taken.error();
        end(upload);
        co_return failure(aboutFile(taken.error(), upload->path));
    }
    co_return Nothing{};
}

Async<FileView> FileService::commitUpload(CommitUpload request, const void *client,
                                          std::stop_token stop)
{
    const Result<std::shared_ptr<Upload>> found = find(request.upload, client);
    if (!found)
        co_return failure(found.error());
    const std::shared_ptr<Upload> upload = *found;
    upload->silence.stop();
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await upload->turn.enter();
    if (upload->failed)
        co_return failure(aboutFile(*upload->failed, upload->path));
    Result<void> complete = failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    {
        const std::stop_callback onStop(stop, [upload] { upload->stop.request_stop(); });
        const std::stop_token either = upload->stop.get_token();
        complete = co_await upload->writer->commit(either);
    }
    end(upload);
    if (!complete)
        co_return failure(aboutFile(complete.error(), upload->path));
    const Result<FileView> view = co_await viewAt(upload->place.connection, upload->path, stop);
    co_return view;
}

Async<Nothing> FileService::abortUpload(AbortUpload request, const void *client)
{
    const Result<std::shared_ptr<Upload>> found = find(request.upload, client);
    if (found)
        end(*found);
    co_return Nothing{};
}

} // namespace berth::application
