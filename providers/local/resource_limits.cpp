// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/local/resource_limits.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QVersionNumber>

#include <algorithm>
#include <cerrno>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace berth::local {

namespace {

constexpr qint64 kPeriod = 100'000;

//! One limit and the files that set it; what is optional may be missing.
struct Control
{
    struct File
    {
        QString name;
        QByteArray value;
        bool optional = false;
    };
    //! "memory"
    QString controller;
    QList<File> first;
    QList<File> second;
    Hold LimitsHeld::*hold;
};

QList<Control> controlsOf(const LocalSettings &settings)
{
    QList<Control> controls;
    if (settings.memoryBytes > 0) {
        const QByteArray bytes = QByteArray::number(settings.memoryBytes);
        controls << Control{
            QStringLiteral("memory"),
            {{QStringLiteral("memory.limit_in_bytes"), bytes},
             {QStringLiteral("memory.memsw.limit_in_bytes"), bytes, true}},
            {{QStringLiteral("memory.max"), bytes}, {QStringLiteral("memory.swap.max"), "0", true}},
            &LimitsHeld::memory};
    }
    if (settings.pids > 0) {
        const QList<Control::File> files{
            {QStringLiteral("pids.max"), QByteArray::number(settings.pids)}};
        controls << Control{QStringLiteral("pids"), files, files, &LimitsHeld::processes};
    }
    if (settings.cpus > 0) {
        const QByteArray quota = QByteArray::number(
            std::max<qint64>(1000, static_cast<qint64>(settings.cpus * double(kPeriod))));
        const QByteArray period = QByteArray::number(kPeriod);
        controls << Control{QStringLiteral("cpu"),
                            {{QStringLiteral("cpu.cfs_period_us"), period},
                             {QStringLiteral("cpu.cfs_quota_us"), quota}},
                            {{QStringLiteral("cpu.max"), quota + ' ' + period}},
                            &LimitsHeld::cpus};
    }
    return controls;
}

bool writeTo(const QString &path, const QByteArray &text)
{
    // Only what is there already: a control file cannot be made.
    QFile file(path);
    return file.open(QIODevice::WriteOnly | QIODevice::ExistingOnly | QIODevice::Unbuffered)
        && file.write(text) == text.size();
}

bool setLimit(const QString &group, const QList<Control::File> &files)
{
    return std::all_of(files.begin(), files.end(), [&group](const Control::File &file) {
        return writeTo(group + QLatin1Char('/') + file.name, file.value) || file.optional;
    });
}

//! A left over one of the same sandbox is made anew or, when something is still in it, used.
bool makeGroup(const QString &path)
{
    ::rmdir(QFile::encodeName(path).constData());
    return ::mkdir(QFile::encodeName(path).constData(), 0755) == 0 || errno == EEXIST;
}

bool enter(const QString &group, qint64 pid)
{
    return writeTo(group + QStringLiteral("/cgroup.procs"), QByteArray::number(pid));
}

//! The path behind "…:memory:" of an own cgroup file; "0::" for the second version.
QString ownPath(const CgroupPaths &paths, const QString &controller)
{
    QFile file(paths.own);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QStringList lines =
        QString::fromUtf8(file.read(64 * 1024)).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString &line : lines) {
        const QString names = line.section(QLatin1Char(':'), 1, 1);
        const bool found = controller.isEmpty()
            ? line.startsWith(QLatin1String("0::"))
            : names.split(QLatin1Char(',')).contains(controller);
        if (found)
            return line.section(QLatin1Char(':'), 2);
    }
    return {};
}

QStringList words(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QString::fromUtf8(file.read(4096)).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

//! What a group below \a parent can limit, of \a wanted.
QStringList available(const QString &parent, const QStringList &wanted)
{
    const QString path = parent + QStringLiteral("/cgroup.subtree_control");
    const auto present = [&path] {
        QStringList names;
        for (const QString &name : words(path))
            names << name.trimmed();
        return names;
    };
    QStringList known = present();
    for (const QString &name : wanted) {
        // Refused where processes are in the parent itself; then one further up may do.
        if (!known.contains(name))
            writeTo(path, "+" + name.toLatin1());
    }
    known = present();
    QStringList usable;
    std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(usable),
                 [&known](const QString &name) { return known.contains(name); });
    return usable;
}

//! One group for everything, beside or above Berth's own.
QString groupOfSecondVersion(const QList<Control> &controls, const QString &name,
                             const CgroupPaths &paths)
{
    QString root = paths.mounts;
    if (!QFile::exists(root + QStringLiteral("/cgroup.controllers")))
        root += QStringLiteral("/unified");
    const QString own = ownPath(paths, {});
    if (own.isEmpty() || !QFile::exists(root + QStringLiteral("/cgroup.controllers")))
        return {};
    QStringList wanted;
    for (const Control &control : controls)
        wanted << control.controller;
    QString best;
    qsizetype most = 0;
    for (QString at = QDir::cleanPath(root + QLatin1Char('/') + own); at.startsWith(root);
         at = QFileInfo(at).path()) {
        if (::access(QFile::encodeName(at + QStringLiteral("/cgroup.procs")).constData(), W_OK)
            != 0)
            break;
        const QStringList usable = available(at, wanted);
        if (usable.size() > most) {
            best = at;
            most = usable.size();
        }
        if (most == wanted.size())
            break;
    }
    const QString group = best + QLatin1Char('/') + name;
    return !best.isEmpty() && makeGroup(group) ? group : QString();
}

QString groupOfFirstVersion(const QString &controller, const QString &name,
                            const CgroupPaths &paths)
{
    const QString mount = paths.mounts + QLatin1Char('/') + controller;
    const QString own = ownPath(paths, controller);
    if (own.isEmpty() || !QFileInfo(mount).isDir())
        return {};
    QString parent = QDir::cleanPath(mount + QLatin1Char('/') + own);
    // In a container the path is one of the machine, and the mount shows what is the container's.
    if (!QFileInfo(parent).isDir())
        parent = mount;
    const QString group = parent + QLatin1Char('/') + name;
    return makeGroup(group) ? group : QString();
}

bool limitProcess(qint64 pid, __rlimit_resource resource, qint64 value)
{
    const rlimit limit{static_cast<rlim_t>(value), static_cast<rlim_t>(value)};
    return ::prlimit(static_cast<pid_t>(pid), resource, &limit, nullptr) == 0;
}

//! Without control groups.
Hold fallBack(const Control &control, const LocalSettings &settings, qint64 pid)
{
    // Data, not address space: programs reserve a lot of the latter without using it.
    if (control.hold == &LimitsHeld::memory)
        return limitProcess(pid, RLIMIT_DATA, settings.memoryBytes) ? Hold::EachProcess
                                                                    : Hold::NotHeld;
    // Counted for each user of each user namespace since Linux 5.14, and never for root. Without a
    // namespace of its own it would count all processes of the user.
    if (control.hold == &LimitsHeld::processes && settings.isolated && ::getuid() != 0
        && QVersionNumber::fromString(QSysInfo::kernelVersion()) >= QVersionNumber(5, 14))
        return limitProcess(pid, RLIMIT_NPROC, settings.pids) ? Hold::Namespace : Hold::NotHeld;
    return Hold::NotHeld;
}

QString holdText(Hold hold)
{
    switch (hold) {
    case Hold::NotAsked:
        break;
    case Hold::Together:
        return QStringLiteral("all processes together (control group)");
    case Hold::Namespace:
        return QStringLiteral("all processes together (user namespace)");
    case Hold::EachProcess:
        return QStringLiteral("each process alone, as Berth may make no control group here");
    case Hold::NotHeld:
        return QStringLiteral("NOT limited, as Berth may make no control group here");
    }
    return {};
}

} // namespace

bool LimitsHeld::asAsked() const
{
    const QList<Hold> holds{memory, cpus, processes};
    return std::none_of(holds.begin(), holds.end(), [](Hold hold) {
        return hold == Hold::EachProcess || hold == Hold::NotHeld;
    });
}

LimitsHeld applyLimits(const LocalSettings &settings, qint64 pid, const QString &name,
                       const CgroupPaths &paths)
{
    LimitsHeld held;
    const QList<Control> controls = controlsOf(settings);
    if (controls.isEmpty())
        return held;
    const QString shared = groupOfSecondVersion(controls, name, paths);
    const bool entered = !shared.isEmpty() && enter(shared, pid);
    if (entered)
        held.groups << shared;
    else if (!shared.isEmpty())
        removeGroups({shared});
    for (const Control &control : controls) {
        Hold &hold = held.*control.hold;
        hold = Hold::NotHeld;
        if (entered && setLimit(shared, control.second)) {
            hold = Hold::Together;
            continue;
        }
        const QString group = groupOfFirstVersion(control.controller, name, paths);
        if (!group.isEmpty()) {
            if (setLimit(group, control.first) && enter(group, pid)) {
                held.groups << group;
                hold = Hold::Together;
                continue;
            }
            removeGroups({group});
        }
        hold = fallBack(control, settings, pid);
    }
    return held;
}

bool removeGroups(const QStringList &groups)
{
    return std::all_of(groups.begin(), groups.end(), [](const QString &group) {
        return ::rmdir(QFile::encodeName(group).constData()) == 0 || errno == ENOENT;
    });
}

QString limitsText(const LocalSettings &settings, const LimitsHeld &held)
{
    QStringList parts;
    if (held.memory != Hold::NotAsked)
        parts << QStringLiteral("Memory %1 MiB: %2")
                     .arg(settings.memoryBytes / (1024 * 1024))
                     .arg(holdText(held.memory));
    if (held.cpus != Hold::NotAsked)
        parts << QStringLiteral("CPUs %1: %2").arg(settings.cpus).arg(holdText(held.cpus));
    if (held.processes != Hold::NotAsked)
        parts
            << QStringLiteral("Processes %1: %2").arg(settings.pids).arg(holdText(held.processes));
    return parts.isEmpty() ? QStringLiteral("None set") : parts.join(QStringLiteral("; "));
}

} // namespace berth::local
