// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/file_lock.h"

#include <QtCore/QFile>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace berth::storage {

using domain::ErrorKind;
using domain::failure;

domain::Result<std::unique_ptr<FileLock>> FileLock::take(const QString &file)
{
    const QString path = file + QStringLiteral(".lock");
    const int descriptor =
        ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        return failure(
            ErrorKind::Storage, QStringLiteral("Berth cannot write beside %1").arg(file),
            QStringLiteral("%1: %2. See that you may write to its folder, or choose another data "
                           "directory.")
                .arg(path, QString::fromLocal8Bit(std::strerror(errno))));
    }
    auto lock = std::unique_ptr<FileLock>(new FileLock(descriptor));
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return lock;
    const int reason = errno;
    if (reason == EWOULDBLOCK) {
        return failure(ErrorKind::Conflict, QStringLiteral("Another Berth uses %1").arg(file),
                       QStringLiteral("Close it, or choose another data directory."));
    }
    return failure(
        ErrorKind::Storage, QStringLiteral("Berth cannot lock %1").arg(file),
        QStringLiteral(
            "%1: %2. Some network file systems cannot lock; choose a data directory on a "
            "local disk.")
            .arg(path, QString::fromLocal8Bit(std::strerror(reason))));
}

FileLock::~FileLock()
{
    // The file stays: removing it would let two processes lock two different files of the same
    // name.
    ::close(m_descriptor);
}

} // namespace berth::storage
