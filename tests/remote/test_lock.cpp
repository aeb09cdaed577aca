// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/instance_lock.h"
#include "support/await.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <csignal>
#include <sys/stat.h>
#include <unistd.h>

using namespace berth;
using namespace berth::remote;
using domain::ErrorKind;

namespace {

class TestLock : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_directory.emplace();
        QVERIFY(m_directory->isValid());
        qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_directory->path()));
    }

    void socketPath()
    {
        const QString data = m_directory->filePath(QStringLiteral("data"));
        QVERIFY(QDir().mkpath(data));
        const QString canonical = QFileInfo(data).canonicalFilePath();
        const QString hash = QString::fromLatin1(
            QCryptographicHash::hash(canonical.toUtf8(), QCryptographicHash::Sha256)
                .toHex()
                .left(16));
        QCOMPARE(engineSocketPath(data),
                 m_directory->path() + QStringLiteral("/berth/") + hash + QStringLiteral(".sock"));
        // The same place under other names.
        const QString link = m_directory->filePath(QStringLiteral("link"));
        QVERIFY(QFile::link(data, link));
        QCOMPARE(engineSocketPath(link), engineSocketPath(data));
        QCOMPARE(engineSocketPath(data + QStringLiteral("/../data/")), engineSocketPath(data));
        QVERIFY(engineSocketPath(m_directory->path()) != engineSocketPath(data));

        const QString fallback = QStringLiteral("/tmp/berth-%1/%2.sock").arg(::geteuid()).arg(hash);
        qunsetenv("XDG_RUNTIME_DIR");
        QCOMPARE(engineSocketPath(data), fallback);
        qputenv("XDG_RUNTIME_DIR", "relative");
        QCOMPARE(engineSocketPath(data), fallback);
        qputenv("XDG_RUNTIME_DIR", "/nonexistent");
        QCOMPARE(engineSocketPath(data), fallback);
        const QString deep = m_directory->filePath(QString(90, QLatin1Char('d')));
        QVERIFY(QDir().mkpath(deep));
        qputenv("XDG_RUNTIME_DIR", QFile::encodeName(deep));
        QCOMPARE(engineSocketPath(data), fallback);
    }

    void socketDirectory()
    {
        const QString socket = m_directory->filePath(QStringLiteral("berth/x.sock"));
        const QByteArray directory = QFile::encodeName(QFileInfo(socket).path());
        BERTH_OK(prepareSocketDirectory(socket));
        struct stat status
        {};
        QCOMPARE(::stat(directory.constData(), &status), 0);
        QCOMPARE(status.st_mode & 0777, 0700u);
        BERTH_OK(prepareSocketDirectory(socket));
        QCOMPARE(::chmod(directory.constData(), 0750), 0);
        BERTH_FAILS(prepareSocketDirectory(socket), ErrorKind::Forbidden);
        QCOMPARE(::chmod(directory.constData(), 0700), 0);
        if (::geteuid() == 0) {
            QCOMPARE(::chown(directory.constData(), 65534, 65534), 0);
            BERTH_FAILS(prepareSocketDirectory(socket), ErrorKind::Forbidden);
            QCOMPARE(::chown(directory.constData(), 0, 0), 0);
        }
        // Somebody put a link there, to a directory that is fine.
        QVERIFY(QFile::link(QFile::decodeName(directory),
                            m_directory->filePath(QStringLiteral("link"))));
        BERTH_FAILS(prepareSocketDirectory(m_directory->filePath(QStringLiteral("link/x.sock"))),
                    ErrorKind::Forbidden);
        BERTH_FAILS(prepareSocketDirectory(QStringLiteral("/nonexistent/berth/x.sock")),
                    ErrorKind::Storage);
    }

    void taken()
    {
        const QString data = m_directory->filePath(QStringLiteral("made/here"));
        QVERIFY(!lockHolder(data));
        {
            domain::Result<InstanceLock> lock = InstanceLock::take(data);
            BERTH_OK(lock);
            struct stat status
            {};
            QCOMPARE(::stat(QFile::encodeName(data).constData(), &status), 0);
            QCOMPARE(status.st_mode & 0777, 0700u);
            const domain::Result<InstanceLock> second = InstanceLock::take(data);
            BERTH_FAILS(second, ErrorKind::Conflict);
            const std::optional<LockHolder> holder = lockHolder(data);
            QVERIFY(holder.has_value());
            QCOMPARE(holder->pid, ::getpid());
            QCOMPARE(holder->socketPath, engineSocketPath(data));
            QCOMPARE(holder->dataDirectory, QFileInfo(data).canonicalFilePath());
            // A moved lock is the same one.
            const InstanceLock moved = std::move(*lock);
            QCOMPARE(moved.socketPath(), engineSocketPath(data));
            BERTH_FAILS(InstanceLock::take(data), ErrorKind::Conflict);
        }
        QVERIFY(!lockHolder(data));
        BERTH_OK(InstanceLock::take(data));
    }

    void notOurs()
    {
        BERTH_FAILS(InstanceLock::take(QStringLiteral("/proc/nothing/here")), ErrorKind::Storage);
        const QString data = m_directory->path();
        QVERIFY(QFile::link(QStringLiteral("/etc/hostname"), data + QStringLiteral("/berth.lock")));
        BERTH_FAILS(InstanceLock::take(data), ErrorKind::Storage);
        QVERIFY(!lockHolder(data));
    }

    void garbageInTheFile()
    {
        QFile file(m_directory->filePath(QStringLiteral("berth.lock")));
        for (const QByteArray &text : {QByteArray("{"), QByteArray("[1]"),
                                       QByteArray("{\"pid\":\"x\"}"), QByteArray(100'000, 'x')}) {
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
            file.close();
            QVERIFY(!lockHolder(m_directory->path()));
        }
        const domain::Result<InstanceLock> lock = InstanceLock::take(m_directory->path());
        BERTH_OK(lock);
        QVERIFY(lockHolder(m_directory->path()).has_value());
    }

    void ofAnotherProcess()
    {
        QProcess child;
        child.start(QStringLiteral(BERTH_REMOTE_PEER),
                    {QStringLiteral("serve"), m_directory->path()});
        QVERIFY(test::waitUntil([&] { return child.canReadLine(); }));
        const QByteArray line = child.readLine();
        QVERIFY2(line.startsWith("ready "), line.constData());
        BERTH_FAILS(InstanceLock::take(m_directory->path()), ErrorKind::Conflict);
        const std::optional<LockHolder> holder = lockHolder(m_directory->path());
        QVERIFY(holder.has_value());
        QCOMPARE(holder->pid, child.processId());
        QCOMPARE(holder->socketPath, QString::fromUtf8(line.mid(6).trimmed()));
        QVERIFY(QFile::exists(holder->socketPath));
        struct stat status
        {};
        QCOMPARE(::stat(QFile::encodeName(holder->socketPath).constData(), &status), 0);
        QCOMPARE(status.st_mode & 0777, 0600u);

        // No goodbye: the lock goes with the process, what it wrote is no longer believed.
        QCOMPARE(::kill(static_cast<pid_t>(child.processId()), SIGKILL), 0);
        QVERIFY(test::waitUntil([&] { return child.state() == QProcess::NotRunning; }));
        QVERIFY(!lockHolder(m_directory->path()));
        const domain::Result<InstanceLock> lock = InstanceLock::take(m_directory->path());
        BERTH_OK(lock);
        QCOMPARE(lockHolder(m_directory->path())->pid, ::getpid());
    }

private:
    std::optional<QTemporaryDir> m_directory;
};

} // namespace

QTEST_GUILESS_MAIN(TestLock)
#include "test_lock.moc"
