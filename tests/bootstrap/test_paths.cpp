// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootstrap/app_paths.h"
#include "support/await.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace berth;
using bootstrap::AppPaths;
using bootstrap::resolvePaths;

class PathsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        for (const char *name : {"LEON_SANDBOXES_DIR", "LEON_SANDBOX_DB_PATH", "XDG_CONFIG_HOME",
                                 "XDG_DATA_HOME", "XDG_STATE_HOME"})
            qunsetenv(name);
    }
    void cleanup() { init(); }

    void usualOnesFollowXdg()
    {
        const AppPaths usual = resolvePaths({});
        QCOMPARE(usual.engine.data, QDir::home().filePath(QStringLiteral(".local/share/berth")));
        QCOMPARE(usual.engine.sandboxes,
                 QDir::home().filePath(QStringLiteral(".config/berth/sandboxes")));
        QCOMPARE(usual.logs, QDir::home().filePath(QStringLiteral(".local/state/berth/log")));
        QVERIFY(!usual.isCustom);
        qputenv("XDG_CONFIG_HOME", "/x/config");
        qputenv("XDG_DATA_HOME", "relative/is/ignored");
        const AppPaths moved = resolvePaths({});
        QCOMPARE(moved.engine.sandboxes, QStringLiteral("/x/config/berth/sandboxes"));
        QCOMPARE(moved.engine.data, usual.engine.data);
    }

    void theDocumentsVariablesWin()
    {
        qputenv("LEON_SANDBOXES_DIR", "/x/sandboxes");
        qputenv("LEON_SANDBOX_DB_PATH", "/x/runtime.db");
        for (const QString &option : {QString(), QStringLiteral("/y")}) {
            const AppPaths paths = resolvePaths(option);
            QCOMPARE(paths.engine.sandboxes, QStringLiteral("/x/sandboxes"));
            QCOMPARE(paths.sandboxDb, QStringLiteral("/x/runtime.db"));
            // Only the sandbox tables move.
            QVERIFY(paths.berthDb.startsWith(paths.engine.data));
        }
    }

    void aDataDirectoryHoldsEverything()
    {
        const AppPaths paths = resolvePaths(QStringLiteral("/y/data"));
        QVERIFY(paths.isCustom);
        for (const QString &path : {paths.engine.data, paths.engine.sandboxes, paths.engine.output,
                                    paths.berthDb, paths.sandboxDb, paths.backups, paths.logs})
            QVERIFY2(path.startsWith(QLatin1String("/y/data")), qPrintable(path));
    }

    void directoriesArePrivateAndAFailureIsToldInWords()
    {
        QTemporaryDir directory;
        const AppPaths paths = resolvePaths(directory.filePath(QStringLiteral("a/b")));
        BERTH_OK(bootstrap::makeDirectories(paths));
        for (const QString &path :
             {paths.engine.data, paths.engine.sandboxes, paths.engine.output, paths.logs}) {
            QVERIFY(QFileInfo(path).isDir());
            QVERIFY(!(QFileInfo(path).permissions()
                      & (QFile::ReadGroup | QFile::ReadOther | QFile::ExeOther)));
        }
        const auto refused =
            bootstrap::makeDirectories(resolvePaths(QStringLiteral("/proc/nowhere")));
        BERTH_FAILS(refused, domain::ErrorKind::Storage);
        QVERIFY(refused.error().message.contains(QLatin1String("/proc/nowhere")));
    }
};

QTEST_GUILESS_MAIN(PathsTest)
#include "test_paths.moc"
