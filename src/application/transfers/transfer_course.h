// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/transfers/transfer.h"
#include "async/completion.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QHash>
#include <QtCore/QPointer>

#include <stop_token>

namespace berth::application {

//! What the coroutines of one transfer share; outlives the Transfer until all is tidied up.
struct TransferCourse : std::enable_shared_from_this<TransferCourse>
{
    explicit TransferCourse(Transfer *transfer, EngineClient *engineClient)
        : owner(transfer), client(engineClient)
    {}

    QPointer<Transfer> owner;
    QPointer<EngineClient> client;
    std::stop_source stop;
    TransferProgress progress;
    TransferReport report;
    QElapsedTimer told;
    //! Requests without an answer, and how to do without one.
    QHash<domain::RequestId, std::function<void(const domain::Error &)>> asked;

    [[nodiscard]] bool isStopped() const { return stop.stop_requested(); }
    static domain::Error cancelled();

    void skip(const QByteArray &path, const QString &reason);
    void show(const QByteArray &path);
    void advance(qint64 bytes);
    void fileDone();
    void folderDone() { ++report.folders; }
    void tell(bool now = false);
    //! The client is gone: nothing will be answered.
    void lose();

    //! A named command, as everywhere.
    template <typename Command>
    async::Completion<domain::Result<typename Command::Reply>> ask(const Command &command);
};

using Course = std::shared_ptr<TransferCourse>;

//! In one request.
inline constexpr qint64 kTransferPiece = 256 * 1024;
//! Requests on their way at once.
inline constexpr std::size_t kTransferDepth = 3;
//! Of a tree.
inline constexpr qsizetype kMostEntries = 1'000'000;
inline constexpr int kDeepest = 128;

domain::Async<TransferReport> uploadNow(Course course, UploadRequest request);
domain::Async<TransferReport> downloadNow(Course course, DownloadRequest request);

template <typename Command>
async::Completion<domain::Result<typename Command::Reply>> TransferCourse::ask(
    const Command &command)
{
    using Reply = typename Command::Reply;
    const async::Completion<domain::Result<Reply>> completion;
    if (!client) {
        completion.complete(domain::failure(domain::ErrorKind::Unavailable,
                                            QStringLiteral("The connection to Berth was lost")));
        return completion;
    }
    const domain::RequestId id = domain::RequestId::create();
    asked.insert(id, [completion](const domain::Error &error) {
        completion.complete(tl::unexpected(error));
    });
    // Not a weak reference to the owner: what was begun is tidied up also without it.
    const std::weak_ptr<TransferCourse> weak = weak_from_this();
    const EngineClient::Done done = [weak, id, completion](domain::Result<Payload> answer) {
        if (const std::shared_ptr<TransferCourse> course = weak.lock())
            course->asked.remove(id);
        if (answer)
            completion.complete(decode<Reply>(*answer));
        else
            completion.complete(tl::unexpected(std::move(answer.error())));
    };
    client->submit(id, QString::fromLatin1(Command::kName), encode(command), done);
    return completion;
}

} // namespace berth::application
