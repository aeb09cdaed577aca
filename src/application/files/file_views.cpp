// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/files/file_views.h"

#include "async/completion.h"
#include "domain/sandbox/sandbox_connection.h"
#include "domain/text.h"

#include <QtCore/QSet>

namespace berth::application {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::FileEntry;
using domain::FileKind;
using domain::Result;
using domain::SandboxPath;

namespace {

//! As many as a kernel follows.
constexpr int kMostHops = 40;
constexpr int kLinksAtOnce = 6;

struct LinkEnd
{
    bool isDirectory = false;
    QString problem;
};

QByteArray joined(const QByteArray &directory, const QByteArray &name)
{
    return directory.endsWith('/') ? directory + name : directory + '/' + name;
}

// Step by step, because a refusal alone does not tell a circle from other obstacles.
Async<LinkEnd> endOf(SharedConnection connection, SandboxPath link, QByteArray target,
                     std::stop_token stop)
{
    QSet<QByteArray> seen{link};
    SandboxPath at = link;
    for (int hop = 0; hop < kMostHops && !target.isEmpty(); ++hop) {
        at = target.startsWith('/') ? target : joined(folderOf(at), target);
        if (seen.contains(at))
            break;
        seen.insert(at);
        const Result<FileEntry> entry = co_await connection->fs().stat(at, stop);
        if (!entry) {
            switch (entry.error().kind) {
            case ErrorKind::NotFound:
            case ErrorKind::InvalidInput: // a file, or a circle, on the way
                co_return LinkEnd{false, QStringLiteral("Leads nowhere")};
            case ErrorKind::Forbidden:
                co_return LinkEnd{false, QStringLiteral("Leads to where you may not look")};
            default:
                co_return failure(entry.error());
            }
        }
        if (entry->kind != FileKind::Symlink)
            co_return LinkEnd{entry->kind == FileKind::Directory, {}};
        target = entry->linkTarget;
    }
    co_return LinkEnd{false, QStringLiteral("Links in a circle")};
}

struct Links
{
    SharedConnection connection;
    SandboxPath directory;
    QList<FileEntry> entries;
    QList<FileView> views;
    qsizetype next = 0;
    int running = 0;
    std::optional<Error> error;
    async::Completion<bool> done;
};

async::Task<void> followSome(std::shared_ptr<Links> links, std::stop_token stop)
{
    ++links->running;
    while (!links->error && links->next < links->entries.size()) {
        const qsizetype at = links->next++;
        if (links->entries[at].kind != FileKind::Symlink)
            continue;
        const SandboxPath link = joined(links->directory, links->entries[at].name);
        const QByteArray target = links->entries[at].linkTarget;
        const Result<LinkEnd> found = co_await endOf(links->connection, link, target, stop);
        if (!found) {
            links->error = found.error();
            break;
        }
        links->views[at].linkToDirectory = found->isDirectory;
        links->views[at].problem = found->problem;
    }
    if (--links->running == 0)
        links->done.complete(true);
}

} // namespace

Result<SandboxPath> pathIn(const QByteArray &home, const QString &escaped)
{
    SandboxPath path = domain::unescapedBytes(escaped);
    if (path.contains('\0'))
        return failure(ErrorKind::InvalidInput, QStringLiteral("A path cannot hold a zero byte"));
    if (path.isEmpty())
        path = home;
    else if (!path.startsWith('/'))
        path = joined(home, path);
    while (path.size() > 1 && path.endsWith('/'))
        path.chop(1);
    return path;
}

QByteArray nameOf(const SandboxPath &path)
{
    return path.size() > 1 ? path.mid(path.lastIndexOf('/') + 1) : path;
}

QByteArray folderOf(const SandboxPath &path)
{
    const qsizetype slash = path.lastIndexOf('/');
    return slash > 0 ? path.left(slash) : QByteArrayLiteral("/");
}

Error aboutFile(Error error, const SandboxPath &path)
{
    const QString name = domain::displayName(nameOf(path));
    const QString said = error.message;
    switch (error.kind) {
    case ErrorKind::Forbidden:
        error.message = QStringLiteral("No permission: \"%1\"").arg(name);
        break;
    case ErrorKind::NotFound:
        error.message = QStringLiteral("There is no \"%1\"").arg(name);
        break;
    case ErrorKind::Conflict:
    case ErrorKind::InvalidInput:
    case ErrorKind::Quota:
    case ErrorKind::Internal:
    case ErrorKind::Storage:
        error.message = QStringLiteral("\"%1\": %2").arg(name, said);
        return error;
    default:
        return error;
    }
    if (error.detail.isEmpty())
        error.detail = domain::displayName(path) + QStringLiteral(": ") + said;
    return error;
}

FileView viewOf(const FileEntry &entry, const QByteArray &name)
{
    FileView view;
    view.name = domain::escapedBytes(name);
    view.kind = entry.kind;
    view.size = entry.size;
    view.mode = entry.mode;
    view.modified = entry.modified;
    view.linkTarget = domain::escapedBytes(entry.linkTarget);
    return view;
}

Async<FileView> viewAt(SharedConnection connection, SandboxPath path, std::stop_token stop)
{
    const Result<FileEntry> entry = co_await connection->fs().stat(path, stop);
    if (!entry)
        co_return failure(aboutFile(entry.error(), path));
    FileView view = viewOf(*entry, nameOf(path));
    if (entry->kind == FileKind::Symlink) {
        const Result<LinkEnd> end = co_await endOf(connection, path, entry->linkTarget, stop);
        if (!end)
            co_return failure(end.error());
        view.linkToDirectory = end->isDirectory;
        view.problem = end->problem;
    }
    const FileView result = view;
    co_return result;
}

Async<QList<FileView>> viewsIn(SharedConnection connection, SandboxPath directory,
                               QList<FileEntry> entries, std::stop_token stop)
{
    const auto links = std::make_shared<Links>();
    links->connection = connection;
    links->directory = directory;
    links->views.reserve(entries.size());
    bool any = false;
    for (const FileEntry &entry : std::as_const(entries)) {
        links->views.append(viewOf(entry, entry.name));
        any = any || entry.kind == FileKind::Symlink;
    }
    links->entries = std::move(entries);
    if (any) {
        for (int i = 0; i < kLinksAtOnce; ++i)
            followSome(links, stop);
        co_await links->done;
        if (links->error)
            co_return failure(*links->error);
    }
    const QList<FileView> views = links->views;
    co_return views;
}

} // namespace berth::application
