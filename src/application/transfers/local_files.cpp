// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/transfers/local_files.h"

#include "domain/text.h"

#include <QtCore/QRandomGenerator>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace berth::application {

using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

constexpr int kMostNumber = 999;
constexpr qsizetype kLongestName = 255;

Error problem(int number, const QByteArray &path)
{
    ErrorKind kind = ErrorKind::Storage;
    switch (number) {
    case ENOENT:
        kind = ErrorKind::NotFound;
        break;
    case EACCES:
    case EPERM:
    case EROFS:
        kind = ErrorKind::Forbidden;
        break;
    case EEXIST:
        kind = ErrorKind::Conflict;
        break;
    case ENOTDIR:
    case EISDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case EINVAL:
        kind = ErrorKind::InvalidInput;
        break;
    default:
        break;
    }
    return {kind,
            QStringLiteral("\"%1\" on this machine: %2")
                .arg(domain::displayName(path), QString::fromLocal8Bit(std::strerror(number))),
            {},
            {},
            {}};
}

Error taken(const QByteArray &name)
{
    return {
        ErrorKind::Conflict,
        QStringLiteral("There is already a \"%1\" on this machine").arg(domain::displayName(name)),
        {},
        {},
        {}};
}

template <typename Call>
auto again(Call call)
{
    for (;;) {
        const auto result = call();
        if (result >= 0 || errno != EINTR)
            return result;
    }
}

LocalFile::Facts factsOf(const struct stat &st)
{
    LocalFile::Facts facts;
    facts.isRegular = S_ISREG(st.st_mode);
    facts.isDirectory = S_ISDIR(st.st_mode);
    facts.isLink = S_ISLNK(st.st_mode);
    facts.size = st.st_size;
    facts.mode = static_cast<int>(st.st_mode & 07777);
    return facts;
}

} // namespace

LocalFile::~LocalFile()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

Result<LocalFile::Facts> LocalFile::facts() const
{
    struct stat st = {};
    if (::fstat(m_fd, &st) != 0)
        return tl::unexpected(problem(errno, {}));
    return factsOf(st);
}

Result<QByteArray> LocalFile::read(qint64 atMost) const
{
    QByteArray bytes(static_cast<qsizetype>(atMost), Qt::Uninitialized);
    const ssize_t got =
        again([&] { return ::read(m_fd, bytes.data(), static_cast<std::size_t>(bytes.size())); });
    if (got < 0)
        return tl::unexpected(problem(errno, {}));
    bytes.truncate(got);
    return bytes;
}

Result<QList<QByteArray>> LocalFile::names() const
{
    const int copy = ::openat(m_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = copy < 0 ? nullptr : ::fdopendir(copy);
    if (!directory) {
        const int number = errno;
        if (copy >= 0)
            ::close(copy);
        return tl::unexpected(problem(number, {}));
    }
    QList<QByteArray> names;
    errno = 0;
    while (const dirent *entry = ::readdir(directory)) {
        const QByteArray name(entry->d_name);
        if (name != "." && name != "..")
            names.append(name);
        errno = 0;
    }
    const int number = errno;
    ::closedir(directory);
    if (number != 0)
        return tl::unexpected(problem(number, {}));
    return names;
}

Result<LocalFile> openLocal(const QByteArray &path)
{
    const int fd = again(
        [&] { return ::open(path.constData(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); });
    if (fd < 0)
        return tl::unexpected(problem(errno, path));
    return LocalFile(fd);
}

Result<LocalFile> openLocalFolder(const QByteArray &path)
{
    const int fd =
        again([&] { return ::open(path.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
    if (fd < 0)
        return tl::unexpected(problem(errno, path));
    return LocalFile(fd);
}

Result<LocalFile> openBelow(const LocalFile &folder, const QByteArray &below, bool asFolder)
{
    LocalFile at(::openat(folder.fd(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (at.fd() < 0)
        return tl::unexpected(problem(errno, below));
    if (below.isEmpty())
        return at;
    const QList<QByteArray> parts = below.split('/');
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const bool last = i == parts.size() - 1;
        int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
        if (!last || asFolder)
            flags |= O_DIRECTORY;
        if (!isPlainName(parts[i]))
            return tl::unexpected(problem(EINVAL, below));
        const int fd = again([&] { return ::openat(at.fd(), parts[i].constData(), flags); });
        if (fd < 0)
            return tl::unexpected(problem(errno, below));
        at = LocalFile(fd);
    }
    return at;
}

Result<LocalFile::Facts> factsBelow(const LocalFile &folder, const QByteArray &name)
{
    struct stat st = {};
    if (::fstatat(folder.fd(), name.constData(), &st, AT_SYMLINK_NOFOLLOW) != 0)
        return tl::unexpected(problem(errno, name));
    return factsOf(st);
}

bool isPlainName(const QByteArray &name)
{
    return !name.isEmpty() && name != "." && name != ".." && !name.contains('/')
        && !name.contains('\0') && name.size() <= kLongestName;
}

QByteArray numbered(const QByteArray &name, int number)
{
    const qsizetype dot = name.lastIndexOf('.');
    const qsizetype cut = dot > 0 ? dot : name.size();
    return name.left(cut) + " (" + QByteArray::number(number) + ')' + name.mid(cut);
}

Result<QByteArray> makeLocalFolder(const LocalFile &folder, const QByteArray &name,
                                   OnExisting onExisting)
{
    QByteArray tried = name;
    for (int number = 2; number <= kMostNumber; ++number) {
        if (::mkdirat(folder.fd(), tried.constData(), 0777) == 0)
            return tried;
        if (errno != EEXIST)
            return tl::unexpected(problem(errno, tried));
        if (onExisting == OnExisting::Refuse)
            return tl::unexpected(taken(tried));
        if (onExisting == OnExisting::Replace) {
            const Result<LocalFile::Facts> facts = factsBelow(folder, tried);
            if (facts && facts->isDirectory)
                return tried;
            return tl::unexpected(taken(tried));
        }
        tried = numbered(name, number);
    }
    return tl::unexpected(taken(name));
}

Result<PartialFile> PartialFile::create(LocalFile folder, const QByteArray &name)
{
    const QByteArray temporary = ".berth-"
        + QByteArray::number(QRandomGenerator::system()->generate64(), 16).rightJustified(16, '0')
        + ".part";
    const int fd = again([&] {
        return ::openat(folder.fd(), temporary.constData(),
                        O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0777);
    });
    if (fd < 0)
        return tl::unexpected(problem(errno, name));
    PartialFile partial(std::move(folder), LocalFile(fd), temporary, name);
    // What is left of 0777 is what this process gives; until it is complete it is nobody else's.
    const Result<LocalFile::Facts> facts = partial.m_file.facts();
    partial.m_allowed = facts ? facts->mode & 0777 : 0600;
    ::fchmod(fd, 0600);
    return partial;
}

PartialFile::~PartialFile()
{
    if (m_file.fd() >= 0 && !m_temporary.isEmpty())
        ::unlinkat(m_folder.fd(), m_temporary.constData(), 0);
}

Result<void> PartialFile::append(const QByteArray &bytes)
{
    for (qsizetype at = 0; at < bytes.size();) {
        const ssize_t wrote = again([&] {
            return ::write(m_file.fd(), bytes.constData() + at,
                           static_cast<std::size_t>(bytes.size() - at));
        });
        if (wrote < 0)
            return tl::unexpected(problem(errno, m_name));
        at += wrote;
    }
    return {};
}

Result<bool> PartialFile::place(const QByteArray &name, bool replace)
{
    const int folder = m_folder.fd();
    const char *from = m_temporary.constData();
    const char *to = name.constData();
    if (replace) {
        const Result<LocalFile::Facts> there = factsBelow(m_folder, name);
        if (there && there->isDirectory)
            return false;
        // A link at this name is replaced, not followed.
        if (::renameat(folder, from, folder, to) != 0)
            return tl::unexpected(problem(errno, name));
        return true;
    }
    if (::renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno == EEXIST)
        return false;
    if (errno != EINVAL && errno != ENOSYS)
        return tl::unexpected(problem(errno, name));
    // A file system that cannot do it in one step.
    if (::linkat(folder, from, folder, to, 0) == 0) {
        ::unlinkat(folder, from, 0);
        return true;
    }
    if (errno == EEXIST)
        return false;
    if (factsBelow(m_folder, name))
        return false;
    if (::renameat(folder, from, folder, to) != 0)
        return tl::unexpected(problem(errno, name));
    return true;
}

Result<QByteArray> PartialFile::finish(int mode, const QDateTime &modified, OnExisting onExisting)
{
    ::fchmod(m_file.fd(), static_cast<mode_t>(m_allowed & ((mode & 0111) != 0 ? 0777 : 0666)));
    if (modified.isValid()) {
        const qint64 ms = modified.toMSecsSinceEpoch();
        struct timespec times[2] = {};
        times[0].tv_nsec = UTIME_OMIT;
        times[1].tv_sec = static_cast<time_t>(ms >= 0 ? ms / 1000 : (ms - 999) / 1000);
        times[1].tv_nsec = static_cast<long>((ms - times[1].tv_sec * 1000) * 1'000'000);
        ::futimens(m_file.fd(), times);
    }
    QByteArray tried = m_name;
    for (int number = 2; number <= kMostNumber; ++number) {
        const Result<bool> placed = place(tried, onExisting == OnExisting::Replace);
        if (!placed)
            return tl::unexpected(placed.error());
        if (*placed) {
            m_temporary.clear();
            return tried;
        }
        if (onExisting != OnExisting::KeepBoth)
            break;
        tried = numbered(m_name, number);
    }
    return tl::unexpected(taken(m_name));
}

} // namespace berth::application
