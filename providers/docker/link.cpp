// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/link.h"

#include "providers/docker/plan.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QSaveFile>

namespace berth::docker {

namespace {

constexpr int kNameLength = 12;

QString linkParent(const CorePtr &core)
{
    return core->paths.data + QStringLiteral("/links");
}

QString linkDirectory(const CorePtr &core, const domain::InstanceId &instance)
{
    if (core->paths.data.isEmpty() || instance.isNull())
        return {};
    QString name = instance.toString();
    name.remove(QLatin1Char('-'));
    // The id is ours, yet it comes back from a label.
    for (const QChar c : std::as_const(name)) {
        if (!c.isLetterOrNumber())
            return {};
    }
    return linkParent(core) + QLatin1Char('/') + name.left(kNameLength);
}

bool isAllowed(const CorePtr &core)
{
    return core->settings.values.value(QStringLiteral("direct_link")) != QLatin1String("false");
}

bool makeDirectory(const CorePtr &core, const QString &directory)
{
    return QDir().mkpath(directory)
        && QFile::setPermissions(linkParent(core),
                                 QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

QString runnerPath(const QString &directory)
{
    return directory + QStringLiteral("/guest");
}

} // namespace

QString mountedLink(const CorePtr &core, const Container &container)
{
    const QString ours = linkDirectory(core, container.instance.labels.instance);
    return !ours.isEmpty() && container.linkDirectory == ours ? ours : QString();
}

QString newLinkDirectory(const CorePtr &core, const EnginePtr &engine,
                         const domain::InstanceId &instance)
{
    if (!engine->isLocal || !isAllowed(core))
        return {};
    const QString directory = linkDirectory(core, instance);
    if (directory.isEmpty() || directory.toLocal8Bit().size() > net::kLongestSocketDirectory
        || !makeDirectory(core, directory))
        return {};
    return directory;
}

void keepLinkDirectory(const CorePtr &core, const Container &container)
{
    if (const QString directory = mountedLink(core, container); !directory.isEmpty())
        makeDirectory(core, directory);
}

bool placeRunner(const QString &directory, const QByteArray &runner)
{
    QFile there(runnerPath(directory));
    if (there.open(QIODevice::ReadOnly) && there.size() == runner.size()
        && there.readAll() == runner)
        return true;
    QSaveFile file(runnerPath(directory));
    return file.open(QIODevice::WriteOnly)
        && file.setPermissions(QFile::ReadOwner | QFile::ExeOwner | QFile::ReadGroup
                               | QFile::ExeGroup | QFile::ReadOther | QFile::ExeOther)
        && file.write(runner) == runner.size() && file.commit();
}

void removeLinkDirectory(const CorePtr &core, const domain::InstanceId &instance)
{
    const QString directory = linkDirectory(core, instance);
    if (directory.isEmpty())
        return;
    QFile::remove(directory + QStringLiteral("/s"));
    QFile::remove(runnerPath(directory));
    QDir().rmdir(directory);
}

std::optional<net::GuestSocketPlace> linkPlace(const CorePtr &core, const Container &container)
{
    const QString directory = mountedLink(core, container);
    if (directory.isEmpty() || !isAllowed(core) || container.pid <= 0)
        return std::nullopt;
    return net::GuestSocketPlace{directory, QByteArray(kLinkPath), container.pid};
}

} // namespace berth::docker
