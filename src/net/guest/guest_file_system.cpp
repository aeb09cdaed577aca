// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/guest/guest_file_system.h"

#include "net/guest/guest_search.h"
#include "net/guest/guest_write.h"

namespace berth::net {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::FileEntry;
using domain::FileKind;
using domain::FilePage;
using domain::Result;
using domain::SandboxPath;

namespace {

using Channel = std::shared_ptr<GuestChannel>;

std::optional<domain::Error> problemWith(const SandboxPath &path)
{
    if (path.isEmpty() || path.contains('\0') || path.size() >= BG_MAX_PATH)
        return domain::Error{
            ErrorKind::InvalidInput, QStringLiteral("This cannot be a path"), {}, {}, {}};
    return std::nullopt;
}

GuestWriter head(GuestUser user, const SandboxPath &path)
{
    GuestWriter body;
    body.u32(user.uid).u32(user.gid).bytes(path);
    return body;
}

domain::Error malformed()
{
    return {ErrorKind::Protocol,
            QStringLiteral("The guest runner sent an answer that makes no sense"),
            {},
            {},
            {}};
}

FileKind kindOf(quint8 type)
{
    switch (type) {
    case '-':
        return FileKind::Regular;
    case 'd':
        return FileKind::Directory;
    case 'l':
        return FileKind::Symlink;
    default:
        return FileKind::Other;
    }
}

FileEntry readEntry(GuestReader &reader)
{
    FileEntry entry;
    reader.u32(); // why it could not be looked at; it is shown as "other" then
    entry.kind = kindOf(reader.u8());
    reader.u8(); // kind of a link's target
    entry.mode = static_cast<int>(reader.u32() & 07777);
    reader.u32(); // uid
    reader.u32(); // gid
    entry.size = static_cast<qint64>(reader.u64() & 0x7FFFFFFFFFFFFFFF);
    const qint64 seconds = static_cast<qint64>(reader.u64());
    const quint32 nanos = reader.u32();
    // Beyond what a date can hold (year 9999) is not a date.
    if (seconds > -62135596800 && seconds < 253402300800 && nanos < 1000000000)
        entry.modified = QDateTime::fromMSecsSinceEpoch(seconds * 1000 + nanos / 1000000, Qt::UTC);
    entry.name = reader.bytes(BG_MAX_PATH);
    entry.linkTarget = reader.bytes(BG_MAX_PATH);
    return entry;
}

Async<FileEntry> statNow(Channel channel, QByteArray body, std::stop_token stop)
{
    const Result<GuestChannel::Answer> answer = co_await channel->request(BG_STAT, body, 0, stop);
    if (!answer)
        co_return failure(answer.error());
    GuestReader reader(answer->reply);
    const FileEntry entry = readEntry(reader);
    if (reader.isBad())
        co_return failure(malformed());
    co_return entry;
}

// A name with a slash or "..", or one that is no name, would lead a careless caller elsewhere.
bool isName(const QByteArray &name)
{
    return !name.isEmpty() && name != "." && name != ".." && !name.contains('/')
        && !name.contains('\0');
}

Async<FilePage> listNow(Channel channel, GuestUser user, SandboxPath path, QByteArray cursor,
                        int limit, std::stop_token stop)
{
    bool valid = true;
    quint64 cookie = cursor.isEmpty() ? 0 : cursor.toULongLong(&valid, 16);
    if (!valid)
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("This cursor is not one of a file list"));
    FilePage page;
    // The guest ends a page by size, too, so one page here may be several there.
    for (bool end = false; !end && page.entries.size() < limit;) {
        const quint32 room = static_cast<quint32>(qMin(
            limit - static_cast<int>(page.entries.size()), static_cast<int>(BG_MAX_LIST_PAGE)));
        const QByteArray body = head(user, path).u64(cookie).u32(room).body();
        const Result<GuestChannel::Answer> answer =
            co_await channel->request(BG_LIST, body, 0, stop);
        if (!answer)
            co_return failure(answer.error());
        GuestReader reader(answer->reply);
        const quint64 next = reader.u64();
        end = reader.u8() != 0;
        const quint32 count = reader.u32();
        if (count > room || (!end && (next == cookie || count == 0)))
            co_return failure(malformed());
        for (quint32 i = 0; i < count; ++i) {
            const FileEntry entry = readEntry(reader);
            if (reader.isBad() || !isName(entry.name))
                co_return failure(malformed());
            page.entries.append(entry);
        }
        cookie = next;
        page.next = end ? QByteArray() : QByteArray::number(cookie, 16);
    }
    co_return page;
}

Async<QByteArray> readNow(Channel channel, GuestUser user, SandboxPath path, qint64 offset,
                          qint64 length, std::stop_token stop)
{
    if (offset < 0 || length < 0)
        co_return failure(ErrorKind::InvalidInput, QStringLiteral("A range cannot be negative"));
    QByteArray content;
    for (;;) {
        const qint64 want = qMin<qint64>(length - content.size(), BG_MAX_READ);
        const QByteArray body = head(user, path)
                                    .u64(static_cast<quint64>(offset + content.size()))
                                    .u32(static_cast<quint32>(want))
                                    .body();
        const Result<GuestChannel::Answer> answer =
            co_await channel->request(BG_READ, body, want, stop);
        if (!answer)
            co_return failure(answer.error());
        GuestReader reader(answer->reply);
        reader.u64(); // size of the file when it was opened
        const quint32 got = reader.u32();
        const bool end = reader.u8() != 0;
        if (reader.isBad() || static_cast<qint64>(got) != answer->data.size()
            || (!end && got < want))
            co_return failure(malformed());
        content += answer->data;
        if (end || content.size() >= length)
            co_return content;
    }
}

Async<void> plain(Channel channel, quint8 type, QByteArray body, std::stop_token stop)
{
    const Result<GuestChannel::Answer> answer = co_await channel->request(type, body, 0, stop);
    if (!answer)
        co_return failure(answer.error());
    co_return Result<void>();
}

template <typename T>
Async<T> refused(domain::Error error)
{
    co_return failure(error);
}

} // namespace

GuestFileSystem::GuestFileSystem(std::shared_ptr<GuestChannel> channel, GuestUser user)
    : m_channel(std::move(channel)), m_user(user)
{}

Async<FileEntry> GuestFileSystem::stat(SandboxPath path, std::stop_token stop)
{
    if (const auto problem = problemWith(path))
        return refused<FileEntry>(*problem);
    return statNow(m_channel, head(m_user, path).u8(0).body(), std::move(stop));
}

Async<FilePage> GuestFileSystem::list(SandboxPath path, QByteArray cursor, int limit,
                                      std::stop_token stop)
{
    if (const auto problem = problemWith(path))
        return refused<FilePage>(*problem);
    return listNow(m_channel, m_user, std::move(path), std::move(cursor), qMax(1, limit),
                   std::move(stop));
}

Async<QByteArray> GuestFileSystem::read(SandboxPath path, qint64 offset, qint64 length,
                                        std::stop_token stop)
{
    if (const auto problem = problemWith(path))
        return refused<QByteArray>(*problem);
    return readNow(m_channel, m_user, std::move(path), offset, length, std::move(stop));
}

Async<void> GuestFileSystem::write(SandboxPath path, QByteArray content, std::stop_token stop)
{
    if (const auto problem = problemWith(path))
        return refused<void>(*problem);
    const QByteArray open = head(m_user, path).u32(BG_SELF).u8(BG_WRITE_PARENTS).body();
    return writeThroughGuest(m_channel, open, std::move(content), std::move(stop));
}

Async<void> GuestFileSystem::makeDirectory(SandboxPath path, std::stop_token stop)
{
    if (const auto problem = problemWith(path))
        return refused<void>(*problem);
    return plain(m_channel, BG_MKDIR, head(m_user, path).u32(BG_SELF).u8(1).body(),
                 std::move(stop));
}

Async<void> GuestFileSystem::rename(SandboxPath from, SandboxPath to, std::stop_token stop)
{
    if (const auto problem = problemWith(from))
        return refused<void>(*problem);
    if (const auto problem = problemWith(to))
        return refused<void>(*problem);
    return plain(m_channel, BG_RENAME, head(m_user, from).bytes(to).u8(0).body(), std::move(stop));
}

Async<void> GuestFileSystem::remove(SandboxPath path, bool recursive, std::stop_token stop)
{
    if (const auto problem = problemWith(path))
        return refused<void>(*problem);
    return plain(m_channel, BG_REMOVE, head(m_user, path).u8(recursive ? 1 : 0).body(),
                 std::move(stop));
}

Async<std::shared_ptr<domain::FileWriter>> GuestFileSystem::openWrite(SandboxPath path, int mode,
                                                                      bool refuseExisting,
                                                                      std::stop_token stop)
{
    if (const auto problem = problemWith(path))
        return refused<std::shared_ptr<domain::FileWriter>>(*problem);
    const quint32 wireMode = mode < 0 ? BG_SELF : static_cast<quint32>(mode & 07777);
    const quint8 flags = BG_WRITE_PARENTS | (refuseExisting ? BG_WRITE_EXCLUSIVE : 0);
    const QByteArray open = head(m_user, path).u32(wireMode).u8(flags).body();
    return openGuestWriter(m_channel, open, m_openWriters, std::move(stop));
}

Async<domain::GlobResult> GuestFileSystem::glob(domain::GlobRequest request, std::stop_token stop)
{
    if (const auto problem = problemWith(request.root))
        return refused<domain::GlobResult>(*problem);
    const QByteArray start = head(m_user, request.root).body();
    return globThroughGuest(m_channel, start, std::move(request), std::move(stop));
}

Async<domain::GrepResult> GuestFileSystem::grep(domain::GrepRequest request, std::stop_token stop)
{
    if (const auto problem = problemWith(request.root))
        return refused<domain::GrepResult>(*problem);
    const QByteArray start = head(m_user, request.root).body();
    return grepThroughGuest(m_channel, start, std::move(request), std::move(stop));
}

} // namespace berth::net
