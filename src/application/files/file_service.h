// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/commands.h"
#include "application/sandboxes/sandbox_service.h"
#include "async/turnstile.h"

#include <QtCore/QHash>
#include <QtCore/QObject>

#include <chrono>
#include <functional>
#include <memory>

namespace berth::application {

//! Files inside sandboxes. Looking at them starts nothing unless the client says so; what is under
//! way counts as work in the sandbox, so that no policy stops it in the middle.
class FileService final : public QObject
{
    Q_OBJECT
public:
    using FindThread = std::function<std::optional<domain::Thread>(const domain::ThreadId &)>;

    FileService(SandboxService &sandboxes, FindThread thread,
                std::chrono::milliseconds longestSilence = std::chrono::minutes(1));
    ~FileService() override;

    //! Gives up what is being written.
    void stop();

    domain::Async<FileList> list(ListFiles request, QString source, std::stop_token stop);
    domain::Async<FileView> stat(StatFile request, QString source, std::stop_token stop);
    domain::Async<FileChunk> read(ReadFile request, QString source, std::stop_token stop);
    domain::Async<FileView> makeFolder(MakeFolder request, QString source, std::stop_token stop);
    domain::Async<FileView> rename(RenameFile request, QString source, std::stop_token stop);
    domain::Async<Nothing> remove(RemoveFile request, QString source, std::stop_token stop);

    //! \a client owns the upload: it ends with it.
    domain::Async<UploadView> openUpload(OpenUpload request, const void *client, QString source,
                                         std::stop_token stop);
    domain::Async<Nothing> writeUpload(WriteUpload request, const void *client,
                                       std::stop_token stop);
    domain::Async<FileView> commitUpload(CommitUpload request, const void *client,
                                         std::stop_token stop);
    domain::Async<Nothing> abortUpload(AbortUpload request, const void *client);
    //! The client has gone; its uploads go with it.
    void forget(const void *client);
    [[nodiscard]] int openUploads() const { return static_cast<int>(m_uploads.size()); }

    //! At once, over all clients; further ones are refused.
    static constexpr int kMostUploads = 16;
    static constexpr qint64 kLargestPiece = 256 * 1024;
    static constexpr qint64 kLargestRead = 1024 * 1024;
    static constexpr int kLargestPage = 1000;

private:
    struct Upload;
    //! Counts as work in the sandbox for as long as it lives.
    class Work;
    struct Place
    {
        std::shared_ptr<domain::SandboxConnection> connection;
        std::shared_ptr<Work> work;
    };

    [[nodiscard]] domain::Result<domain::SandboxId> sandboxOf(const QString &target) const;
    domain::Async<Place> open(QString target, bool wake, QString source, std::stop_token stop);
    domain::Result<std::shared_ptr<Upload>> find(const QString &id, const void *client) const;
    void end(const std::shared_ptr<Upload> &upload);

    SandboxService &m_sandboxes;
    FindThread m_thread;
    std::chrono::milliseconds m_longestSilence;
    QHash<QString, std::shared_ptr<Upload>> m_uploads;
    //! Being opened: counted, but not yet known to their clients.
    int m_opening = 0;
    bool m_stopping = false;
};

} // namespace berth::application
