// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootstrap/app_paths.h"

#include "remote/instance_lock.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>

namespace berth::bootstrap {

namespace {

QString xdg(const char *variable, const QString &fallback)
{
    // The specification ignores a relative path.
    const QString value = qEnvironmentVariable(variable);
    return value.startsWith(QLatin1Char('/')) ? value : QDir::home().filePath(fallback);
}

} // namespace

AppPaths resolvePaths(const QString &dataDirOption)
{
    AppPaths paths;
    paths.isCustom = !dataDirOption.isEmpty();
    paths.engine.data = paths.isCustom
        ? QDir(dataDirOption).absolutePath()
        : xdg("XDG_DATA_HOME", QStringLiteral(".local/share")) + QStringLiteral("/berth");
    const QDir data(paths.engine.data);
    paths.engine.config = paths.isCustom
        ? paths.engine.data
        : xdg("XDG_CONFIG_HOME", QStringLiteral(".config")) + QStringLiteral("/berth");
    const QString chosenSandboxes = qEnvironmentVariable("LEON_SANDBOXES_DIR");
    if (!chosenSandboxes.isEmpty())
        paths.engine.sandboxes = QDir(chosenSandboxes).absolutePath();
    else
        paths.engine.sandboxes = QDir(paths.engine.config).filePath(QStringLiteral("sandboxes"));
    paths.engine.output = data.filePath(QStringLiteral("output"));
    paths.berthDb = data.filePath(QStringLiteral("berth.db"));
    const QString chosenDb = qEnvironmentVariable("LEON_SANDBOX_DB_PATH");
    paths.sandboxDb = chosenDb.isEmpty() ? data.filePath(QStringLiteral("sandbox.db"))
                                         : QDir::current().absoluteFilePath(chosenDb);
    paths.backups = data.filePath(QStringLiteral("backups"));
    paths.logs = paths.isCustom
        ? data.filePath(QStringLiteral("log"))
        : xdg("XDG_STATE_HOME", QStringLiteral(".local/state")) + QStringLiteral("/berth/log");
    return paths;
}

domain::Result<void> makeDirectories(const AppPaths &paths)
{
    for (const QString &path : {paths.engine.data, paths.engine.config, paths.engine.sandboxes,
                                paths.engine.output, paths.logs}) {
        const bool existed = QFileInfo::exists(path);
        const bool made = QDir().mkpath(path)
            && (existed
                || QFile::setPermissions(path,
                                         QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        if (!made) {
            return domain::failure(
                domain::ErrorKind::Storage, QStringLiteral("%1 cannot be made").arg(path),
                QStringLiteral(
                    "Choose another directory with --data-dir, or mend its permissions."));
        }
    }
    return {};
}

} // namespace berth::bootstrap
