// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/workspace.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>

namespace berth::docker {

using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

bool isWithin(const QString &path, const QString &directory)
{
    return path == directory || directory == QLatin1String("/")
        || path.startsWith(directory + QLatin1Char('/'));
}

//! As it is named, and where it really is.
QStringList spellings(const QString &path)
{
    QStringList both{QDir::cleanPath(path)};
    const QString real = QFileInfo(path).canonicalFilePath();
    if (!real.isEmpty() && real != both.first())
        both << real;
    return both;
}

tl::unexpected<domain::Error> refused(const QString &wanted, const QString &reason)
{
    return failure(ErrorKind::InvalidInput,
                   QStringLiteral("%1 cannot be the workspace").arg(wanted), reason);
}

} // namespace

GuardedPlaces guardedPlaces(const domain::ProviderPaths &paths,
                            const QProcessEnvironment &environment, const QString &home,
                            const QStringList &sockets)
{
    GuardedPlaces places;
    places.tooWide = {{QStringLiteral("/"), QStringLiteral("the whole system")}};
    if (!home.isEmpty()) {
        places.tooWide.append({home, QStringLiteral("your home directory")});
        for (const char *keys : {".ssh", ".gnupg", ".docker", ".aws", ".kube"})
            places.closed.append(
                {home + QLatin1Char('/') + QLatin1String(keys), QStringLiteral("your keys")});
        places.closed.append(
            {home + QStringLiteral("/.config/berth"), QStringLiteral("Berth's settings")});
    }
    if (const QString chosen = environment.value(QStringLiteral("LEON_SANDBOXES_DIR"));
        !chosen.isEmpty())
        places.closed.append({chosen, QStringLiteral("Berth's settings")});
    for (const QString &own : {paths.data, paths.runtime}) {
        if (!own.isEmpty())
            places.closed.append({own, QStringLiteral("Berth's own data")});
    }
    for (const QString &socket : sockets) {
        if (!socket.isEmpty())
            places.closed.append({socket, QStringLiteral("an engine's socket")});
    }
    for (const char *system :
         {"/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/sbin", "/sys", "/usr/bin",
          "/usr/lib", "/usr/sbin", "/var/lib/docker", "/var/lib/containers", "/var/spool/cron"})
        places.closed.append({QLatin1String(system), QStringLiteral("part of the system")});
    return places;
}

Result<QString> hostWorkspace(const QString &wanted, const GuardedPlaces &guarded)
{
    if (!wanted.startsWith(QLatin1Char('/')))
        return refused(wanted, QStringLiteral("Name it with its whole path, from / on"));
    const QFileInfo info(wanted);
    // Links resolved first: what counts is what the engine would mount.
    const QString real = info.canonicalFilePath();
    if (real.isEmpty() || !info.isDir())
        return refused(wanted,
                       info.exists() ? QStringLiteral("It is no directory")
                                     : QStringLiteral("There is no such directory"));
    for (const auto &[place, what] : guarded.tooWide) {
        for (const QString &spelling : spellings(place)) {
            if (isWithin(spelling, real))
                return refused(
                    wanted,
                    QStringLiteral("It holds %1 (%2): choose a directory in it").arg(what, place));
        }
    }
    for (const auto &[place, what] : guarded.closed) {
        for (const QString &spelling : spellings(place)) {
            if (isWithin(spelling, real))
                return refused(wanted, QStringLiteral("%1 is in it: %2").arg(place, what));
            if (isWithin(real, spelling))
                return refused(wanted, QStringLiteral("It is in %1: %2").arg(place, what));
        }
    }
    return real;
}

} // namespace berth::docker
