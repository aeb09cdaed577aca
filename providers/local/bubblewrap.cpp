// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/local/bubblewrap.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QRegularExpression>
#include <QtCore/QStandardPaths>

namespace berth::local {

namespace {

// Of /etc only what programs need to run and to check certificates: no secrets, no accounts of this
// machine.
const QStringList kEtc{QStringLiteral("alternatives"),    QStringLiteral("ca-certificates"),
                       QStringLiteral("debian_version"),  QStringLiteral("ld.so.cache"),
                       QStringLiteral("ld.so.conf"),      QStringLiteral("ld.so.conf.d"),
                       QStringLiteral("localtime"),       QStringLiteral("mime.types"),
                       QStringLiteral("os-release"),      QStringLiteral("pki/ca-trust"),
                       QStringLiteral("pki/tls/certs"),   QStringLiteral("protocols"),
                       QStringLiteral("services"),        QStringLiteral("ssl/certs"),
                       QStringLiteral("ssl/openssl.cnf"), QStringLiteral("terminfo"),
                       QStringLiteral("timezone")};
// Resolving names takes these; without a network they would only tell about this machine.
const QStringList kEtcWithNetwork{QStringLiteral("gai.conf"), QStringLiteral("hosts"),
                                  QStringLiteral("resolv.conf")};

const QString kTmpSize = QString::number(1024LL * 1024 * 1024);
const QString kShmSize = QString::number(256LL * 1024 * 1024);

//! /bin and its like: a link to usr/bin on merged systems, a directory on others.
void addSystemDirectory(QStringList &arguments, const QDir &root, const QString &name)
{
    const QString path = root.filePath(name);
    const QFileInfo info(path);
    if (info.isSymLink())
        arguments << QStringLiteral("--symlink")
                  << QFile::symLinkTarget(path).remove(0, root.path().size())
                  << QLatin1Char('/') + name;
    else if (info.isDir())
        arguments << QStringLiteral("--ro-bind") << path << QLatin1Char('/') + name;
}

QByteArray sysctl(const HostSystem &system, const QString &name)
{
    QFile file(QDir(system.sysctls).filePath(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return file.read(64).trimmed();
}

domain::Error unavailable(const QString &detail)
{
    return {domain::ErrorKind::Unavailable,
            QStringLiteral("This machine does not let bubblewrap make an isolated sandbox"),
            detail,
            {},
            {}};
}

} // namespace

domain::Result<QString> HostSystem::findBubblewrap() const
{
    const QString found =
        bubblewrap.isEmpty() ? QStandardPaths::findExecutable(QStringLiteral("bwrap")) : bubblewrap;
    if (!found.isEmpty() && QFileInfo(found).isExecutable())
        return found;
    return domain::failure(
        domain::ErrorKind::Unavailable, QStringLiteral("bubblewrap is not installed"),
        QStringLiteral(
            "Local sandboxes are isolated by it, and nothing runs without. Install it, for "
            "example with: sudo apt install bubblewrap (or: sudo dnf install bubblewrap)"));
}

QString runnerPath()
{
    return QStringLiteral("/.berth/guest");
}

QStringList bubblewrapArguments(const BubblewrapRequest &request, const HostSystem &system)
{
    const QDir root(system.root);
    QStringList arguments{QStringLiteral("--unshare-user"), QStringLiteral("--unshare-pid"),
                          QStringLiteral("--unshare-ipc"), QStringLiteral("--unshare-uts"),
                          QStringLiteral("--unshare-cgroup-try")};
    if (!request.settings.network)
        arguments << QStringLiteral("--unshare-net");
    if (request.canDisableUserNamespaces)
        arguments << QStringLiteral("--disable-userns");
    // One user inside, whoever runs Berth, so that sandboxes look the same everywhere.
    arguments << QStringLiteral("--uid") << QStringLiteral("1000") << QStringLiteral("--gid")
              << QStringLiteral("1000") << QStringLiteral("--hostname") << request.hostName
              << QStringLiteral("--die-with-parent") << QStringLiteral("--new-session")
              << QStringLiteral("--as-pid-1") << QStringLiteral("--cap-drop")
              << QStringLiteral("ALL") << QStringLiteral("--clearenv");
    const QList<std::pair<QString, QString>> environment{
        {QStringLiteral("PATH"),
         QStringLiteral("/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")},
        {QStringLiteral("HOME"), request.settings.home},
        {QStringLiteral("USER"), QStringLiteral("agent")},
        {QStringLiteral("LOGNAME"), QStringLiteral("agent")},
        {QStringLiteral("SHELL"), QStringLiteral("/bin/sh")},
        {QStringLiteral("LANG"), QStringLiteral("C.UTF-8")}};
    for (const auto &[name, value] : environment)
        arguments << QStringLiteral("--setenv") << name << value;

    arguments << QStringLiteral("--ro-bind") << root.filePath(QStringLiteral("usr"))
              << QStringLiteral("/usr");
    for (const char *name : {"bin", "sbin", "lib", "lib32", "lib64", "libx32"})
        addSystemDirectory(arguments, root, QString::fromLatin1(name));
    QStringList etc = kEtc;
    if (request.settings.network)
        etc += kEtcWithNetwork;
    for (const QString &name : std::as_const(etc))
        arguments << QStringLiteral("--ro-bind-try") << root.filePath(QStringLiteral("etc/") + name)
                  << QStringLiteral("/etc/") + name;
    arguments << QStringLiteral("--ro-bind") << request.files.passwd
              << QStringLiteral("/etc/passwd") << QStringLiteral("--ro-bind") << request.files.group
              << QStringLiteral("/etc/group") << QStringLiteral("--ro-bind")
              << request.files.nsswitch << QStringLiteral("/etc/nsswitch.conf");
    if (!request.settings.network)
        arguments << QStringLiteral("--ro-bind") << request.files.hosts
                  << QStringLiteral("/etc/hosts");

    // Files below /proc/sys belong to this machine's root, and the kernel checks the owner, not
    // capabilities: when Berth runs as root, a sandbox could write kernel.core_pattern. So all of
    // /proc is read-only.
    arguments << QStringLiteral("--proc") << QStringLiteral("/proc")
              << QStringLiteral("--remount-ro") << QStringLiteral("/proc")
              << QStringLiteral("--dev") << QStringLiteral("/dev") << QStringLiteral("--perms")
              << QStringLiteral("1777") << QStringLiteral("--size") << kShmSize
              << QStringLiteral("--tmpfs") << QStringLiteral("/dev/shm")
              << QStringLiteral("--remount-ro") << QStringLiteral("/dev")
              << QStringLiteral("--perms") << QStringLiteral("1777") << QStringLiteral("--size")
              << kTmpSize << QStringLiteral("--tmpfs") << QStringLiteral("/tmp")
              << QStringLiteral("--dir") << QStringLiteral("/var") << QStringLiteral("--symlink")
              << QStringLiteral("/tmp") << QStringLiteral("/var/tmp");
    if (!request.files.runner.isEmpty())
        arguments << QStringLiteral("--ro-bind") << request.files.runner << runnerPath();
    if (!request.workspace.isEmpty())
        arguments << QStringLiteral("--bind") << request.workspace << request.settings.home
                  << QStringLiteral("--chdir") << request.settings.home;
    // bubblewrap's own root is a file system in memory that could be written to.
    arguments << QStringLiteral("--remount-ro") << QStringLiteral("/") << QStringLiteral("--");
    return arguments;
}

QList<int> bubblewrapVersion(const QByteArray &output)
{
    static const QRegularExpression pattern(
        QStringLiteral("^bubblewrap (\\d+)\\.(\\d+)(?:\\.(\\d+))?"));
    const QRegularExpressionMatch match = pattern.match(QString::fromUtf8(output));
    if (!match.hasMatch())
        return {};
    return {match.captured(1).toInt(), match.captured(2).toInt(), match.captured(3).toInt()};
}

domain::Error isolationError(const QByteArray &said, const HostSystem &system)
{
    if (sysctl(system, QStringLiteral("user/max_user_namespaces")) == "0")
        return unavailable(QStringLiteral(
            "user.max_user_namespaces is 0. To allow user namespaces run: sudo sysctl "
            "-w user.max_user_namespaces=15000"));
    if (sysctl(system, QStringLiteral("kernel/unprivileged_userns_clone")) == "0")
        return unavailable(QStringLiteral(
            "kernel.unprivileged_userns_clone is 0. To allow user namespaces run: sudo "
            "sysctl -w kernel.unprivileged_userns_clone=1"));
    if (sysctl(system, QStringLiteral("kernel/apparmor_restrict_unprivileged_userns")) == "1")
        return unavailable(QStringLiteral(
            "kernel.apparmor_restrict_unprivileged_userns is 1, so AppArmor forbids user "
            "namespaces to programs without a profile. Give bubblewrap one: sudo apt install "
            "apparmor-profiles && sudo ln -s /usr/share/apparmor/extra-profiles/"
            "bwrap-userns-restrict /etc/apparmor.d/ && sudo systemctl reload apparmor. Or, for "
            "all programs: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"));
    const QString words = QString::fromUtf8(said.left(500)).trimmed();
    return unavailable(words.isEmpty() ? QStringLiteral(
                           "bubblewrap ended without a word; try: bwrap --unshare-user "
                           "--ro-bind / / true")
                                       : QStringLiteral("bubblewrap said: %1").arg(words));
}

} // namespace berth::local
