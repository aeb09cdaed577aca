// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/local/guest_files.h"

#include "guest/guest_binary.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QSaveFile>
#include <QtCore/QSysInfo>

#include <cerrno>
#include <cstring>

#include <sys/stat.h>
#include <sys/statvfs.h>

namespace berth::local {

namespace {

constexpr QFileDevice::Permissions kReadable =
    QFileDevice::ReadOwner | QFileDevice::ReadGroup | QFileDevice::ReadOther;
constexpr QFileDevice::Permissions kRunnable =
    kReadable | QFileDevice::ExeOwner | QFileDevice::ExeGroup | QFileDevice::ExeOther;

bool programsMayRunFrom(const QString &directory)
{
    struct statvfs info = {};
    return ::statvfs(QFile::encodeName(directory).constData(), &info) != 0
        || (info.f_flag & ST_NOEXEC) == 0;
}

domain::Result<QString> put(const QDir &directory, const QString &name, const QByteArray &content,
                            QFileDevice::Permissions permissions)
{
    const QString path = directory.filePath(name);
    QFile present(path);
    if (present.open(QIODevice::ReadOnly) && present.readAll() == content
        && (present.permissions() & permissions) == permissions)
        return path;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()
        || !file.setPermissions(permissions) || !file.commit())
        return domain::failure(domain::ErrorKind::Storage,
                               QStringLiteral("A file that sandboxes need could not be written"),
                               QStringLiteral("%1: %2").arg(path, file.errorString()));
    return path;
}

} // namespace

domain::Result<GuestFiles> ensureGuestFiles(const domain::ProviderPaths &paths)
{
    const QString arch = QSysInfo::currentCpuArchitecture();
    const QByteArray runner = guest::guestBinary(arch);
    if (runner.isEmpty())
        return domain::failure(
            domain::ErrorKind::Unsupported,
            QStringLiteral("This build of Berth has no runner for %1").arg(arch));
    const QDir base(programsMayRunFrom(paths.runtime) ? paths.runtime : paths.data);
    const QDir directory(base.filePath(QStringLiteral("guest-") + guest::guestBinaryId(arch)));
    if (::mkdir(QFile::encodeName(directory.path()).constData(), 0700) != 0 && errno != EEXIST)
        return domain::failure(domain::ErrorKind::Storage,
                               QStringLiteral("A directory that sandboxes need could not be made"),
                               QStringLiteral("%1: %2").arg(
                                   directory.path(), QString::fromLocal8Bit(strerror(errno))));

    const QByteArray passwd =
        "root:x:0:0:root:/root:/bin/sh\nagent:x:1000:1000:agent:/workspace:/bin/sh\n"
        "nobody:x:65534:65534:nobody:/nonexistent:/bin/false\n";
    const QByteArray group = "root:x:0:\nagent:x:1000:\nnogroup:x:65534:\n";
    const QByteArray hosts = "127.0.0.1 localhost\n::1 localhost\n";
    const QByteArray nsswitch = "passwd: files\ngroup: files\nhosts: files dns\n";
    GuestFiles files;
    const QList<std::tuple<QString GuestFiles::*, QString, QByteArray, QFileDevice::Permissions>>
        wanted{{&GuestFiles::runner, QStringLiteral("guest"), runner, kRunnable},
               {&GuestFiles::passwd, QStringLiteral("passwd"), passwd, kReadable},
               {&GuestFiles::group, QStringLiteral("group"), group, kReadable},
               {&GuestFiles::hosts, QStringLiteral("hosts"), hosts, kReadable},
               {&GuestFiles::nsswitch, QStringLiteral("nsswitch.conf"), nsswitch, kReadable}};
    for (const auto &[member, name, content, permissions] : wanted) {
        const domain::Result<QString> path = put(directory, name, content, permissions);
        if (!path)
            return domain::failure(path.error());
        files.*member = *path;
    }
    return files;
}

} // namespace berth::local
