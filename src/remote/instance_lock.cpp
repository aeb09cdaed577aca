// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/instance_lock.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>

#include <nlohmann/json.hpp>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace berth::remote {

using domain::ErrorKind;
using nlohmann::json;

namespace {

// Room for the temporary name that the server binds before it renames.
constexpr size_t kLongestSocketPath = sizeof(sockaddr_un::sun_path) - 1 - 4;

QString reason()
{
    return QString::fromLocal8Bit(std::strerror(errno));
}

QString canonical(const QString &directory)
{
    const QString path = QFileInfo(directory).canonicalFilePath();
    return path.isEmpty() ? QDir::cleanPath(QFileInfo(directory).absoluteFilePath()) : path;
}

QByteArray lockFile(const QString &directory)
{
    return QFile::encodeName(canonical(directory) + QStringLiteral("/berth.lock"));
}

bool isOwnDirectory(const QByteArray &path)
{
    struct stat status
    {};
    return ::lstat(path.constData(), &status) == 0 && S_ISDIR(status.st_mode)
        && status.st_uid == ::geteuid();
}

QByteArray readAll(int file)
{
    QByteArray bytes(8192, Qt::Uninitialized);
    const ssize_t got = ::pread(file, bytes.data(), static_cast<size_t>(bytes.size()), 0);
    bytes.truncate(got > 0 ? got : 0);
    return bytes;
}

std::optional<LockHolder> parsed(const QByteArray &text)
{
    const json object = json::parse(text.begin(), text.end(), nullptr, false);
    if (!object.is_object())
        return std::nullopt;
    try {
        return LockHolder{object.at("pid").get<std::int64_t>(),
                          QString::fromStdString(object.at("data_directory").get<std::string>()),
                          QString::fromStdString(object.at("socket").get<std::string>())};
    } catch (const json::exception &) {
        return std::nullopt;
    }
}

bool writeHolder(int file, const LockHolder &holder)
{
    const std::string text = json{{"pid", static_cast<std::int64_t>(holder.pid)},
                                  {"data_directory", holder.dataDirectory.toStdString()},
                                  {"socket", holder.socketPath.toStdString()}}
                                 .dump(-1, ' ', false, json::error_handler_t::replace)
        + '\n';
    return ::pwrite(file, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

} // namespace

QString engineSocketPath(const QString &dataDirectory)
{
    const QByteArray hash = QCryptographicHash::hash(QFile::encodeName(canonical(dataDirectory)),
                                                     QCryptographicHash::Sha256)
                                .toHex()
                                .left(16);
    const QByteArray name = hash + ".sock";
    const QByteArray runtime = qgetenv("XDG_RUNTIME_DIR");
    // The XDG rules: absolute and ours, or not to be used. A path that no socket can have is no use
    // either.
    if (runtime.startsWith('/') && isOwnDirectory(runtime)) {
        const QByteArray path =
            QDir::cleanPath(QFile::decodeName(runtime)).toUtf8() + "/berth/" + name;
        if (static_cast<size_t>(path.size()) <= kLongestSocketPath)
            return QFile::decodeName(path);
    }
    return QStringLiteral("/tmp/berth-%1/").arg(::geteuid()) + QString::fromLatin1(name);
}

domain::Result<void> prepareSocketDirectory(const QString &socketPath)
{
    const QString directory = QFileInfo(socketPath).absolutePath();
    const QByteArray path = QFile::encodeName(directory);
    if (::mkdir(path.constData(), 0700) != 0 && errno != EEXIST) {
        return domain::failure(
            ErrorKind::Storage,
            QStringLiteral("The directory %1 for the Engine's socket cannot be made")
                .arg(directory),
            reason());
    }
    struct stat status
    {};
    const bool ours = ::lstat(path.constData(), &status) == 0 && S_ISDIR(status.st_mode)
        && status.st_uid == ::geteuid() && (status.st_mode & 077) == 0;
    if (!ours) {
        return domain::failure(
            ErrorKind::Forbidden,
            QStringLiteral("%1 is not a directory of this user alone").arg(directory),
            QStringLiteral(
                "The Engine's socket is made only where nobody else can reach it. Remove "
                "that directory, or set its owner to this user and its mode to 0700."));
    }
    return {};
}

std::optional<LockHolder> lockHolder(const QString &dataDirectory)
{
    const int file = ::open(lockFile(dataDirectory).constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return std::nullopt;
    std::optional<LockHolder> holder = parsed(readAll(file));
    // Trying the lock here could make somebody else's take() fail. A process killed leaves its
    // words behind.
    if (holder && ::kill(static_cast<pid_t>(holder->pid), 0) != 0 && errno == ESRCH)
        holder.reset();
    ::close(file);
    return holder;
}

domain::Result<InstanceLock> InstanceLock::take(const QString &dataDirectory)
{
    if (!QFileInfo(dataDirectory).isDir()) {
        QDir().mkpath(QFileInfo(dataDirectory).absolutePath());
        ::mkdir(QFile::encodeName(dataDirectory).constData(), 0700);
    }
    if (!QFileInfo(dataDirectory).isDir()) {
        return domain::failure(
            ErrorKind::Storage,
            QStringLiteral("The data directory %1 cannot be made").arg(dataDirectory), reason());
    }
    const QByteArray path = lockFile(dataDirectory);
    const int file = ::open(path.constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) {
        return domain::failure(
            ErrorKind::Storage,
            QStringLiteral("The lock file %1 cannot be opened").arg(QFile::decodeName(path)),
            reason());
    }
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
        const bool held = errno == EWOULDBLOCK;
        const QString why = reason();
        ::close(file);
        return domain::failure(
            held ? ErrorKind::Conflict : ErrorKind::Storage,
            held ? QStringLiteral("Another Berth uses the data directory %1").arg(dataDirectory)
                 : QStringLiteral("The data directory %1 cannot be locked").arg(dataDirectory),
            held ? QString() : why);
    }
    // What a former holder wrote is wrong from here on; a reader in between finds nothing rather
    // than that.
    const LockHolder holder{::getpid(), canonical(dataDirectory), engineSocketPath(dataDirectory)};
    InstanceLock lock(file, holder);
    if (::ftruncate(file, 0) != 0 || !writeHolder(file, holder)) {
        return domain::failure(
            ErrorKind::Storage,
            QStringLiteral("The lock file %1 cannot be written").arg(QFile::decodeName(path)),
            reason());
    }
    return lock;
}

InstanceLock::InstanceLock(int file, LockHolder holder) : m_file(file), m_holder(std::move(holder))
{}

InstanceLock::InstanceLock(InstanceLock &&other) noexcept
    : m_file(std::exchange(other.m_file, -1)), m_holder(std::move(other.m_holder))
{}

InstanceLock &InstanceLock::operator=(InstanceLock &&other) noexcept
{
    if (this != &other) {
        release();
        m_file = std::exchange(other.m_file, -1);
        m_holder = std::move(other.m_holder);
    }
    return *this;
}

InstanceLock::~InstanceLock()
{
    release();
}

void InstanceLock::release()
{
    if (m_file < 0)
        return;
    // Nobody is to be sent to a socket that is gone. When this fails, the next taker does it.
    [[maybe_unused]] const int ignored = ::ftruncate(m_file, 0);
    ::close(std::exchange(m_file, -1));
}

} // namespace berth::remote
