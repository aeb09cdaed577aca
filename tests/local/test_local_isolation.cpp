// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/text.h"
#include "local/local_sandbox.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryFile>
#include <QtNetwork/QLocalServer>
#include <QtNetwork/QTcpServer>

#include <fcntl.h>
#include <unistd.h>

using namespace berth;
using namespace std::chrono_literals;
using domain::OutcomeKind;
using test::Finished;
using test::told;

//! What a command in a Local sandbox must not see, reach or change.
class LocalIsolationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();

    void hostFilesAreOutOfSight();
    void accountsOfTheMachineAreOutOfSight();
    void onlyWorkspaceAndTmpAreWritable();
    void kernelSettingsAreReadOnly();
    void environmentIsOurs();
    void openFilesAreNotInherited();
    void noRights();
    void noFurtherUserNamespaces();
    void otherProcessesAreOutOfSight();
    void runnerIsProtected();
    void noNetwork();
    void abstractSocketsAreOutOfReach();
    void networkWhenAsked();
    void keyringIsEmpty();
    void programsWork_data();
    void programsWork();
    void otherSandboxIsOutOfSight();
    void workspaceElsewhere();

private:
    Finished run(const QByteArray &text) { return test::run(m_connection->shell(), text); }

    std::unique_ptr<test::LocalBerth> m_berth;
    domain::ExternalId m_id;
    std::shared_ptr<domain::SandboxConnection> m_connection;
};

void LocalIsolationTest::initTestCase()
{
    BERTH_NEEDS_BUBBLEWRAP();
    qputenv("BERTH_CANARY_KEY", "canary-4711");
    m_berth = std::make_unique<test::LocalBerth>();
    const auto instance = m_berth->create();
    BERTH_OK(instance);
    m_id = instance->externalId;
    const auto connection = test::await(m_berth->provider->connect(m_id, {}));
    BERTH_OK(connection);
    m_connection = *connection;
}

void LocalIsolationTest::cleanupTestCase()
{
    m_connection.reset();
    if (m_berth && !m_id.isNull())
        BERTH_OK(test::await(m_berth->provider->destroy(m_id, {})));
}

void LocalIsolationTest::hostFilesAreOutOfSight()
{
    const QByteArray home = QFile::encodeName(QDir::homePath());
    for (const QByteArray &path :
         {home, QByteArray("/home"), QByteArray("/root"), QByteArray("/run"), QByteArray("/sys"),
          QByteArray("/mnt"), QByteArray("/boot"), QByteArray("/srv"), QByteArray("/var/lib"),
          QByteArray("/tmp/.X11-unix"), QByteArray("/etc/shadow"), QByteArray("/etc/ssl/private"),
          QFile::encodeName(m_berth->data.path()), QFile::encodeName(m_berth->runtime.path()),
          QFile::encodeName(QDir::currentPath())}) {
        if (path == "/" || path.startsWith("/usr"))
            continue;
        const Finished finished = run("ls -ld " + domain::shellQuoted(path));
        QVERIFY2(finished.outcome.code != 0, finished.out.constData());
    }
    const Finished top = run("ls /");
    const QList<QByteArray> names = top.out.trimmed().split('\n');
    for (const QByteArray &name : names)
        QVERIFY2(QList<QByteArray>({"bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc",
                                    "sbin", "tmp", "usr", "var", "workspace"})
                     .contains(name),
                 name.constData());
    QCOMPARE(run("ls /tmp").out, QByteArray());
}

void LocalIsolationTest::accountsOfTheMachineAreOutOfSight()
{
    const Finished passwd = run("cat /etc/passwd; id -un; hostname");
    QVERIFY2(passwd.out.count(':') == 18, passwd.out.constData());
    QVERIFY(passwd.out.contains("\nagent\n"));
    QFile hostName(QStringLiteral("/proc/sys/kernel/hostname"));
    QVERIFY(hostName.open(QIODevice::ReadOnly));
    QVERIFY(!passwd.out.endsWith('\n' + hostName.readAll()));
}

void LocalIsolationTest::onlyWorkspaceAndTmpAreWritable()
{
    QCOMPARE(run("touch /workspace/a /tmp/b /var/tmp/c /dev/shm/d").outcome.code, 0);
    for (const QByteArray path :
         {"/x", "/usr/x", "/usr/local/x", "/etc/x", "/bin/x", "/var/x", "/dev/x", "/proc/x",
          "/.berth/x", "/etc/passwd", "/usr/bin/env"}) {
        const Finished finished = run("echo x >> " + path);
        QVERIFY2(finished.outcome.code != 0, path.constData());
    }
    QVERIFY(run("rm -f /.berth/guest").outcome.code != 0
            || run("test -e /.berth/guest").outcome.code == 0);
    QVERIFY(run("mount -o remount,rw /usr").outcome.code != 0);
    QVERIFY(run("umount /proc").outcome.code != 0);
    const Finished mounts =
        run("grep -v -E ' (/workspace|/tmp|/dev/[a-z]+|/dev/pts|/dev/shm) ' /proc/mounts");
    for (const QByteArray &line : mounts.out.trimmed().split('\n'))
        QVERIFY2(line.split(' ').value(3).startsWith("ro"), line.constData());
    // And on the host the file is where Berth keeps it, below a private directory.
    QVERIFY(QFile::exists(m_berth->workspace(m_id) + QStringLiteral("/a")));
    const QFileInfo directory(m_berth->data.path() + QStringLiteral("/local/") + m_id.toString());
    QCOMPARE(int(directory.permissions()
                 & (QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther
                    | QFile::WriteOther | QFile::ExeOther)),
             0);
}

void LocalIsolationTest::kernelSettingsAreReadOnly()
{
    // As root on the host these would be written by the owner's right, without any capability.
    for (const QByteArray name :
         {"kernel/core_pattern", "kernel/panic", "vm/overcommit_memory", "kernel/hostname"}) {
        const Finished finished =
            run("f=/proc/sys/" + name + "; v=$(cat $f) && printf %s \"$v\" > $f");
        QVERIFY2(finished.outcome.code != 0, name.constData());
    }
    QVERIFY(run("echo b > /proc/sysrq-trigger").outcome.code != 0);
}

void LocalIsolationTest::environmentIsOurs()
{
    const Finished finished = run("env | sort; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'");
    QVERIFY2(!finished.out.contains("canary"), finished.out.constData());
    QVERIFY(!finished.out.contains("BERTH_"));
    QVERIFY(!finished.out.contains("QT_QPA_PLATFORM"));
    QVERIFY(finished.out.contains("HOME=/workspace\n"));
    QCOMPARE(run("ls -d ~").out, QByteArrayLiteral("/workspace\n"));
}

void LocalIsolationTest::openFilesAreNotInherited()
{
    // One that somebody forgot to open with close-on-exec, while another sandbox starts.
    QTemporaryFile secret;
    QVERIFY(secret.open());
    secret.write("canary-4711");
    secret.flush();
    const int leaky = ::open(QFile::encodeName(secret.fileName()).constData(), O_RDWR);
    QVERIFY(leaky >= 0);
    const auto instance = m_berth->create(QStringLiteral("descriptors"));
    ::close(leaky);
    BERTH_OK(instance);
    const auto connection = test::await(m_berth->provider->connect(instance->externalId, {}));
    BERTH_OK(connection);
    const Finished finished =
        test::run((*connection)->shell(), "ls -l /proc/self/fd /proc/[0-9]*/fd 2>/dev/null");
    QVERIFY2(!finished.out.contains(QFile::encodeName(secret.fileName())),
             finished.out.constData());
    const Finished own = test::run((*connection)->shell(), "ls /proc/$$/fd; true");
    for (const QByteArray &number : own.out.trimmed().split('\n'))
        QVERIFY2(number.toInt() <= 2, own.out.constData());
    BERTH_OK(test::await(m_berth->provider->destroy(instance->externalId, {})));
}

void LocalIsolationTest::noRights()
{
    const Finished finished = run("grep -E '^(Cap|NoNewPrivs)' /proc/self/status");
    static const QRegularExpression empty(QStringLiteral("^Cap(Inh|Prm|Eff|Bnd|Amb):\\t0+$"),
                                          QRegularExpression::MultilineOption);
    QRegularExpressionMatchIterator it = empty.globalMatch(QString::fromUtf8(finished.out));
    int sets = 0;
    for (; it.hasNext(); it.next())
        ++sets;
    QVERIFY2(sets == 5, told(finished).constData());
    QVERIFY2(finished.out.contains("NoNewPrivs:\t1"), told(finished).constData());
    QCOMPARE(run("id -u; id -G").out, QByteArrayLiteral("1000\n1000\n"));
    QVERIFY(run("chown 0 /tmp && chown 0 /workspace").outcome.code != 0);
    QCOMPARE(run("ulimit -c").out, QByteArrayLiteral("0\n"));
}

void LocalIsolationTest::noFurtherUserNamespaces()
{
    if (run("command -v unshare").outcome.code != 0)
        QSKIP("no unshare here");
    QVERIFY(run("unshare --user --map-root-user true").outcome.code != 0);
    QVERIFY(run("unshare --mount true").outcome.code != 0);
    QVERIFY(run("unshare --net true").outcome.code != 0);
}

void LocalIsolationTest::otherProcessesAreOutOfSight()
{
    const Finished finished =
        run("for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline; echo; done");
    QVERIFY2(!finished.out.contains("bwrap") && !finished.out.contains("test_local"),
             finished.out.constData());
    const Finished pids = run("ls /proc | grep -c '^[0-9]'");
    QVERIFY2(pids.out.trimmed().toInt() < 12, pids.out.constData());
    QVERIFY(run("kill -0 " + QByteArray::number(QCoreApplication::applicationPid())).outcome.code
            != 0);
}

void LocalIsolationTest::runnerIsProtected()
{
    run("kill -9 1; kill -STOP 1; kill -TERM 1; kill -INT 1; kill -9 -1; true");
    QCOMPARE(run("echo alive").out, QByteArrayLiteral("alive\n"));
    QVERIFY(run("cat /proc/1/maps > /dev/null").outcome.code != 0);
    QVERIFY(run("head -c 1 /proc/1/mem > /dev/null").outcome.code != 0);
    QVERIFY(run("cat /proc/1/environ > /dev/null").outcome.code != 0);
    QVERIFY(run("readlink /proc/1/fd/1").outcome.code != 0);
    // Bytes put into its output would be frames to us.
    QVERIFY(run("echo W > /proc/1/fd/1").outcome.code != 0);
    QVERIFY(run("for f in 0 1 2 3 4 5 6; do echo W > /proc/$PPID/fd/$f; done 2>/dev/null; test $? "
                "-ne 0")
                .outcome.code
            == 0);
    QVERIFY(m_connection->isOpen());
    QCOMPARE(run("echo alive").out, QByteArrayLiteral("alive\n"));
}

void LocalIsolationTest::noNetwork()
{
    const Finished interfaces = run("cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' '");
    QCOMPARE(interfaces.out, QByteArrayLiteral("lo\n"));
    QVERIFY2(run("cat /proc/net/route | tail -n +2").out.isEmpty(), "there is a route");
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const Finished finished =
        run("bash -c 'exec 3<>/dev/tcp/127.0.0.1/" + QByteArray::number(server.serverPort()) + "'");
    QVERIFY(finished.outcome.code != 0);
    QVERIFY(!server.waitForNewConnection(200));
}

static QByteArray connectToAbstract(const QByteArray &name)
{
    return "python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect(\"\\0" + name
        + "\"); print(\"connected\")'";
}

void LocalIsolationTest::abstractSocketsAreOutOfReach()
{
    if (run("command -v python3").outcome.code != 0)
        QSKIP("no python3 here");
    QLocalServer server;
    server.setSocketOptions(QLocalServer::AbstractNamespaceOption);
    const QByteArray name = "berth-test-" + QByteArray::number(QCoreApplication::applicationPid());
    QVERIFY(server.listen(QString::fromLatin1(name)));
    const Finished finished = run(connectToAbstract(name));
    QVERIFY2(finished.outcome.code != 0 && !finished.out.contains("connected"),
             told(finished).constData());
}

void LocalIsolationTest::networkWhenAsked()
{
    const auto instance = m_berth->create(QStringLiteral("network"),
                                          {{QStringLiteral("network"), QStringLiteral("true")}});
    BERTH_OK(instance);
    const auto connection = test::await(m_berth->provider->connect(instance->externalId, {}));
    BERTH_OK(connection);
    // Its help text says that services of this machine are reached: that is so.
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const Finished finished = test::run((*connection)->shell(),
                                        "bash -c 'exec 3<>/dev/tcp/127.0.0.1/"
                                            + QByteArray::number(server.serverPort()) + "'");
    QVERIFY2(finished.outcome.code == 0, told(finished).constData());
    const Finished still = test::run((*connection)->shell(),
                                     "test ! -e /run && test ! -e /home && "
                                     "test -e /etc/hosts; grep CapEff /proc/self/status");
    QVERIFY(still.outcome.code == 0 && still.out.trimmed().endsWith("0000000000000000"));
    BERTH_OK(test::await(m_berth->provider->destroy(instance->externalId, {})));
}

void LocalIsolationTest::keyringIsEmpty()
{
    const Finished finished =
        run("cat /proc/keys 2>/dev/null | grep -v -E '_ses|_uid|keyring' | wc -l");
    QCOMPARE(finished.out.trimmed(), QByteArrayLiteral("0"));
}

void LocalIsolationTest::programsWork_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("out");
    QTest::newRow("python") << QByteArrayLiteral("python3 -c 'print(6*7)'")
                            << QByteArrayLiteral("42\n");
    QTest::newRow("semaphores") << QByteArrayLiteral(
        "python3 -c 'import multiprocessing as m; print(m.Lock() is not None)'")
                                << QByteArrayLiteral("True\n");
    QTest::newRow("awk") << QByteArrayLiteral("echo 1 2 | awk '{print $2}'")
                         << QByteArrayLiteral("2\n");
    QTest::newRow("null device") << QByteArrayLiteral("echo x > /dev/null; echo $?")
                                 << QByteArrayLiteral("0\n");
    QTest::newRow("standard output by name")
        << QByteArrayLiteral("echo x > /dev/stdout") << QByteArrayLiteral("x\n");
    QTest::newRow("temporary file")
        << QByteArrayLiteral("f=$(mktemp) && echo y > $f && cat $f") << QByteArrayLiteral("y\n");
    QTest::newRow("script") << QByteArrayLiteral(
        "printf '#!/usr/bin/env sh\\necho ran\\n' > s && chmod +x s && ./s")
                            << QByteArrayLiteral("ran\n");
    QTest::newRow("process substitution")
        << QByteArrayLiteral("bash -c 'cat <(echo in)'") << QByteArrayLiteral("in\n");
}

void LocalIsolationTest::programsWork()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, out);
    if (text.startsWith("python3") && run("command -v python3").outcome.code != 0)
        QSKIP("no python3 here");
    const Finished finished = run(text);
    QVERIFY2(finished.outcome.kind == OutcomeKind::Exited && finished.outcome.code == 0,
             told(finished).constData());
    QCOMPARE(finished.out, out);
}

void LocalIsolationTest::otherSandboxIsOutOfSight()
{
    const auto instance = m_berth->create(QStringLiteral("neighbour"));
    BERTH_OK(instance);
    const auto connection = test::await(m_berth->provider->connect(instance->externalId, {}));
    BERTH_OK(connection);
    const auto sleeper =
        test::start((*connection)->shell(),
                    test::shellCommand("echo secret > /tmp/mine; echo secret > mine; "
                                       "echo up; sleep 30"));
    QVERIFY(sleeper && sleeper->waitForOutput("up"));
    QVERIFY(run("test -e /tmp/mine || test -e /workspace/mine").outcome.code != 0);
    QVERIFY(!run("cat /proc/*/cmdline | tr '\\0' ' '").out.contains("sleep 30"));
    BERTH_OK(test::await(m_berth->provider->destroy(instance->externalId, {})));
}

void LocalIsolationTest::workspaceElsewhere()
{
    const auto instance =
        m_berth->create(QStringLiteral("elsewhere"),
                        {{QStringLiteral("agent_home"), QStringLiteral("/home/agent/work")}});
    BERTH_OK(instance);
    const auto connection = test::await(m_berth->provider->connect(instance->externalId, {}));
    BERTH_OK(connection);
    QCOMPARE((*connection)->homeDirectory(), QByteArrayLiteral("/home/agent/work"));
    const Finished finished =
        test::run((*connection)->shell(), "pwd; echo $HOME; echo x > file; ls /home");
    QCOMPARE(finished.out, QByteArrayLiteral("/home/agent/work\n/home/agent/work\nagent\n"));
    QVERIFY(QFile::exists(m_berth->workspace(instance->externalId) + QStringLiteral("/file")));
    const auto refused = m_berth->create(QStringLiteral("refused"),
                                         {{QStringLiteral("cwd"), QStringLiteral("/usr/local")}});
    BERTH_FAILS(refused, domain::ErrorKind::InvalidInput);
    BERTH_OK(test::await(m_berth->provider->destroy(instance->externalId, {})));
}

QTEST_GUILESS_MAIN(LocalIsolationTest)
#include "test_local_isolation.moc"
