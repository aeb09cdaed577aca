// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/tenki/files.h"

#include "net/script/script_file_system.h"
#include "providers/tenki/run.h"

#include <QtCore/QStringDecoder>

namespace berth::tenki {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

//! Below this a script is as fast, and it tells errors more exactly.
constexpr qint64 kWorthStreaming = 512 * 1024;

//! Tenki's paths are text.
bool isText(const QByteArray &path)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString decoded = decoder.decode(path);
    Q_UNUSED(decoded)
    return !decoder.hasError();
}

//! Answers with all bytes that are there; an error is no more than "try another way".
Async<QByteArray> streamNow(std::shared_ptr<DataPlane> plane, QByteArray path, qint64 offset,
                            qint64 length, std::stop_token stop)
{
    const QString what = QStringLiteral("Reading a file of the sandbox");
    // A plain file with something in it: opening a pipe would wait for ever, and files of the
    // kernel have no size.
    const GrpcCall asking =
        grpcCall("Stat", encodeStat(plane->sessionId(), path), QStringLiteral("Looking at a file"));
    const CallResult<QByteArray> answer = co_await plane->unary(asking, stop);
    if (!answer)
        co_return failure(answer.error().error);
    const Result<FileFacts> facts = decodeStat(*answer);
    if (!facts)
        co_return failure(facts.error());
    const qint64 there = facts->size - offset;
    if (!facts->exists || facts->isDirectory || facts->isLink || there < kWorthStreaming)
        co_return failure(ErrorKind::Unsupported, QStringLiteral("Not worth a stream"));
    const GrpcCall reading =
        grpcCall("ReadFileStream", encodeRead(plane->sessionId(), path, offset, length), what);
    const CallResult<Opened> opened = co_await plane->open(reading, stop);
    if (!opened)
        co_return failure(opened.error().error);
    QByteArray bytes;
    bytes.reserve(std::min(there, length));
    std::optional<QByteArray> message = opened->first;
    while (message) {
        const Result<FileChunk> chunk = decodeChunk(*message);
        if (!chunk)
            co_return failure(chunk.error());
        bytes += chunk->bytes;
        if (bytes.size() > length)
            co_return failure(ErrorKind::Protocol,
                              QStringLiteral("Tenki sent more of a file than was asked for"));
        const CallResult<std::optional<QByteArray>> next =
            co_await opened->stream->next(plane->core()->patience.answer, stop);
        if (!next)
            co_return failure(next.error().error);
        message = *next;
    }
    if (bytes.size() < std::min(there, length))
        co_return failure(ErrorKind::Unavailable, QStringLiteral("Tenki sent a part of a file"));
    co_return bytes;
}

class TenkiFileSystem : public net::ScriptFileSystem
{
public:
    explicit TenkiFileSystem(LinkPtr link)
        : ScriptFileSystem(std::make_shared<TenkiScriptRunner>(link->plane)),
          m_link(std::move(link))
    {}

    Async<QByteArray> read(domain::SandboxPath path, qint64 offset, qint64 length,
                           std::stop_token stop) override
    {
        if (offset < 0 || length < kWorthStreaming || net::pathProblem(path) || !isText(path)
            || !path.startsWith('/'))
            return ScriptFileSystem::read(std::move(path), offset, length, std::move(stop));
        return readNow(m_link, std::make_shared<ScriptFileSystem>(runner()), std::move(path),
                       offset, length, std::move(stop));
    }

private:
    static Async<QByteArray> readNow(LinkPtr link, std::shared_ptr<net::ScriptFileSystem> scripts,
                                     QByteArray path, qint64 offset, qint64 length,
                                     std::stop_token stop)
    {
        const Result<QByteArray> streamed =
            co_await streamNow(link->plane, path, offset, length, stop);
        if (streamed)
            co_return *streamed;
        if (streamed.error().kind == ErrorKind::Cancelled)
            co_return failure(streamed.error());
        const Result<QByteArray> bytes = co_await scripts->read(path, offset, length, stop);
        co_return bytes;
    }

    LinkPtr m_link;
};

} // namespace

std::unique_ptr<domain::FileSystem> makeFileSystem(LinkPtr link)
{
    return std::make_unique<TenkiFileSystem>(std::move(link));
}

} // namespace berth::tenki
