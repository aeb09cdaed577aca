// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/routes/forward.h"
#include "api/routes/routes.h"

namespace berth::api {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::Result;

namespace {

constexpr qint64 kReadAtOnce = 256 * 1024;
constexpr qsizetype kWriteAtOnce = 256 * 1024;

//! A file as it is read, piece by piece as the client takes it.
class FileSource final : public Source
{
public:
    FileSource(Asker asker, ReadFile place, QByteArray first)
        : m_asker(std::move(asker)), m_place(std::move(place)), m_first(std::move(first))
    {}

    domain::Async<QByteArray> next() override
    {
        return nextBytes(m_asker, &m_place, &m_first, &m_ended);
    }
    void close() override { m_ended = true; }

private:
    // The members outlive the coroutine: whoever awaits next() holds the source.
    static domain::Async<QByteArray> nextBytes(Asker asker, ReadFile *place, QByteArray *first,
                                               bool *ended)
    {
        if (!first->isEmpty()) {
            const QByteArray bytes = std::exchange(*first, {});
            co_return bytes;
        }
        if (*ended)
            co_return QByteArray();
        const ReadFile command = *place;
        const Result<FileChunk> chunk = co_await ask(asker, command);
        if (!chunk)
            co_return domain::failure(chunk.error());
        place->offset += chunk->bytes.size();
        *ended = chunk->bytes.size() < command.length;
        const QByteArray bytes = chunk->bytes;
        co_return bytes;
    }

    Asker m_asker;
    ReadFile m_place;
    QByteArray m_first;
    bool m_ended = false;
};

Async<Reply> readFile(Call call)
{
    const Result<ReadFile> command = commandOf<ReadFile>(call);
    if (!command)
        co_return domain::failure(command.error());
    ReadFile place = *command;
    place.offset = 0;
    place.length = kReadAtOnce;
    // Its first piece before the head of the answer, so that an error is still one.
    const Result<FileChunk> first = co_await ask(call, place);
    if (!first)
        co_return domain::failure(first.error());
    Reply reply;
    reply.type = QByteArrayLiteral("application/octet-stream");
    if (first->bytes.size() < kReadAtOnce) {
        reply.body = first->bytes;
    } else {
        place.offset = first->bytes.size();
        reply.source = std::make_shared<FileSource>(askerOf(call), place, first->bytes);
    }
    const Reply done = reply;
    co_return done;
}

Async<void> takePieces(Call call, QString upload)
{
    WriteUpload write;
    write.upload = upload;
    for (;;) {
        const Result<QByteArray> piece = co_await call->pieces->next();
        if (!piece)
            co_return domain::failure(piece.error());
        if (piece->isEmpty())
            co_return Result<void>();
        for (qsizetype at = 0; at < piece->size(); at += kWriteAtOnce) {
            write.bytes = piece->mid(at, kWriteAtOnce);
            const Result<Nothing> written = co_await ask(call, write);
            if (!written)
                co_return domain::failure(written.error());
        }
    }
}

Async<Reply> writeFile(Call call)
{
    const Result<OpenUpload> command = commandOf<OpenUpload>(call);
    if (!command)
        co_return domain::failure(command.error());
    const OpenUpload open = *command;
    const Result<UploadView> upload = co_await ask(call, open);
    if (!upload)
        co_return domain::failure(upload.error());
    const Result<void> taken = co_await takePieces(call, upload->upload);
    if (!taken) {
        const AbortUpload abort{upload->upload};
        const Result<Nothing> aborted = co_await ask(call, abort);
        Q_UNUSED(aborted)
        co_return domain::failure(taken.error());
    }
    const CommitUpload commit{upload->upload};
    const Result<FileView> file = co_await ask(call, commit);
    if (!file)
        co_return domain::failure(file.error());
    const Reply reply = replyOf(call, *file);
    co_return reply;
}

} // namespace

QList<Route> fileRoutes()
{
    const Field path{"path", FieldType::Text, true,
                     "Absolute, or from the home directory; bytes that are no text as \\xNN"};
    const Field wake{"wake", FieldType::Boolean, false,
                     "Start or resume the sandbox; else one that is asleep is 409"};
    Route content = withQuery(route("GET", "/api/files/{target}/content", "readFile",
                                    "The bytes of a file", Scope::Read, &readFile, ""),
                              {path, wake});
    content.replyType = QByteArrayLiteral("application/octet-stream");
    return {
        withQuery(route("GET", "/api/files/{target}", "listFiles",
                        "List a directory; target is a thread, sandbox or lease id, or an alias",
                        Scope::Read, &forward<ListFiles>, "FileList"),
                  {{"path", FieldType::Text, false, "Left out: the home directory"},
                   {"cursor", FieldType::Text, false, "\"next\" of the page before"},
                   {"limit", FieldType::Integer, false, "", 1, 5000},
                   wake}),
        withQuery(route("GET", "/api/files/{target}/stat", "statFile", "What a file is",
                        Scope::Read, &forward<StatFile>, "File"),
                  {path, wake}),
        content,
        answering(
            withBody(withQuery(route("PUT", "/api/files/{target}/content", "writeFile",
                                     "Write a file; it is seen only once it is whole", Scope::Run,
                                     &writeFile, "File"),
                               {path,
                                {"replace", FieldType::Boolean, false,
                                 "Else a file that is there is 409"},
                                {"mode", FieldType::Integer, false, "Permission bits", 0, 07777},
                                wake}),
                     {}, BodyKind::Stream),
            {201}),
        answering(withBody(route("POST", "/api/files/{target}/folder", "makeFolder",
                                 "Make a directory with those above it", Scope::Run,
                                 &forward<MakeFolder>, "File"),
                           {path, wake}),
                  {201}),
        withBody(route("POST", "/api/files/{target}/rename", "renameFile", "Rename a file",
                       Scope::Run, &forward<RenameFile>, "File"),
                 {{"from", FieldType::Text, true}, {"to", FieldType::Text, true}, wake}),
        withQuery(
            route("DELETE", "/api/files/{target}", "removeFile", "Remove a file", Scope::Run,
                  &forward<RemoveFile>, "Ok"),
            {path, {"recursive", FieldType::Boolean, false, "A directory with all in it"}, wake}),
    };
}

} // namespace berth::api
