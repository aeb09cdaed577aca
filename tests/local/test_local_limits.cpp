// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "local/local_sandbox.h"
#include "providers/local/resource_limits.h"
#include "providers/local/seccomp_filter.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QProcess>
#include <QtCore/QThread>

#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

using namespace berth;
using local::Hold;
using test::Finished;
using test::told;

using Values = QMap<QString, QString>;

//! What the filter refuses and what a toolchain still can; limits as this machine lets them hold.
class LocalLimitsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { BERTH_NEEDS_BUBBLEWRAP(); }

    void forbiddenCalls();
    void toolchainWorks_data();
    void toolchainWorks();
    void tracedDirectory();
    void limitsOfTheSandbox();
    void memoryTogether();
    void processesTogether();
    void limitsAreInTheMetrics();
    void groupsAreRemoved();
    void secondVersion();
    void firstVersionInAContainer();
    void withoutControlGroups();
    void checkTellsWhatHolds();

private:
    //! One sandbox with limits for all that do not need their own.
    Finished run(const QByteArray &text);

    std::unique_ptr<test::LocalBerth> m_berth;
    std::shared_ptr<domain::SandboxConnection> m_connection;
    domain::ExternalId m_id;
};

namespace {

//! Prints "name error" for each call that must be refused.
constexpr char kCalls[] = R"c(
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static void told(const char *name, long answer)
{
    printf("%s %s\n", name, answer == -1 ? strerrorname_np(errno) : "allowed");
}
#define CALL(name, ...) told(#name, syscall(SYS_##name, ##__VA_ARGS__))
int main(void)
{
    CALL(keyctl, 0, 0, 0, 0, 0);
    CALL(add_key, "user", "x", "y", 1, -3);
    CALL(request_key, "user", "x", 0, -3);
    CALL(bpf, 0, 0, 0);
    CALL(perf_event_open, 0, 0, -1, -1, 0);
    CALL(userfaultfd, 0);
    CALL(open_by_handle_at, -1, 0, 0);
    CALL(reboot, 0, 0, 0, 0);
    CALL(swapon, "/nowhere", 0);
    CALL(clock_settime, 99, 0);
    CALL(settimeofday, 0, 0);
    CALL(mount, 0, 0, 0, 0, 0);
    CALL(umount2, "/nowhere", 0);
    CALL(pivot_root, "/nowhere", "/nowhere");
    CALL(setns, -1, 0);
    CALL(fsopen, "tmpfs", 0);
    CALL(move_mount, -1, "", -1, "", 0);
    CALL(init_module, 0, 0, "");
    CALL(finit_module, -1, "", 0);
    CALL(delete_module, "", 0);
    CALL(kexec_load, 0, 0, 0, 0);
    CALL(syslog, 99, 0, 0);
    CALL(unshare, CLONE_NEWUSER);
    CALL(unshare, CLONE_NEWUSER | CLONE_NEWNS);
    CALL(clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    CALL(clone3, 0, 0);
    CALL(io_uring_setup, 1, 0);
    told("TIOCSTI", ioctl(0, TIOCSTI, "x"));
    told("TIOCSTI high", syscall(SYS_ioctl, 0, TIOCSTI | 1ul << 40, "x"));
    told("vsock", socket(40, SOCK_STREAM, 0));
    told("packet", socket(AF_PACKET, SOCK_RAW, 0));
    told("alg", socket(38, SOCK_SEQPACKET, 0));
#ifdef __x86_64__
    told("x32", syscall(0x40000000 | 39));
    if (fork() == 0) {
        long answer;
        __asm__ volatile("int $0x80" : "=a"(answer) : "a"(20));
        printf("i386 %s\n", answer < 0 ? strerrorname_np((int)-answer) : "allowed");
        fflush(stdout);
        _exit(0);
    }
    fflush(stdout);
    wait(0);
#endif
    return 0;
}
)c";

void put(const QString &path, const QByteArray &content)
{
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

QByteArray content(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray("missing");
}

//! The groups of this machine can be used: as root, or where they were delegated.
bool groupsWork()
{
    static const bool work = [] {
        local::LocalSettings settings;
        settings.memoryBytes = 1 << 30;
        settings.pids = 1000;
        const pid_t child = ::fork();
        if (child == 0) {
            ::pause();
            ::_exit(0);
        }
        const local::LimitsHeld held =
            local::applyLimits(settings, child, QStringLiteral("berth-probe"), {});
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        for (int i = 0; i < 50 && !local::removeGroups(held.groups); ++i)
            QTest::qSleep(20);
        return held.memory == Hold::Together && held.processes == Hold::Together;
    }();
    return work;
}

#define BERTH_NEEDS_GROUPS()                                                                       \
    do {                                                                                           \
        if (!groupsWork())                                                                         \
            QSKIP("no control group can be made here");                                            \
    } while (false)

} // namespace

Finished LocalLimitsTest::run(const QByteArray &text)
{
    if (!m_connection) {
        m_berth = std::make_unique<test::LocalBerth>(
            Values{{QStringLiteral("memory_limit"), QStringLiteral("256m")},
                   {QStringLiteral("cpus"), QStringLiteral("1.5")},
                   {QStringLiteral("pids_limit"), QStringLiteral("64")}});
        const auto instance = m_berth->create();
        if (!instance)
            return {
                {}, {}, instance.error().message.toUtf8() + instance.error().detail.toUtf8(), {}};
        m_id = instance->externalId;
        const auto connection = test::await(m_berth->provider->connect(m_id, {}));
        if (!connection)
            return {{}, {}, connection.error().message.toUtf8(), {}};
        m_connection = *connection;
    }
    return test::run(m_connection->shell(), text);
}

void LocalLimitsTest::forbiddenCalls()
{
    if (run("command -v cc").outcome.code != 0)
        QSKIP("no compiler here");
    const Finished finished = run("cat > calls.c <<'END'\n" + QByteArray(kCalls)
                                  + "END\ncc -o calls calls.c && ./calls < /dev/null");
    QVERIFY2(finished.outcome.code == 0, told(finished).constData());
    const QList<QByteArray> lines = finished.out.trimmed().split('\n');
    QVERIFY2(lines.size() > 30, finished.out.constData());
    const QMap<QByteArray, QByteArray> others{
        {"clone3", "ENOSYS"},   {"io_uring_setup", "ENOSYS"}, {"x32", "ENOSYS"},
        {"i386", "ENOSYS"},     {"vsock", "EAFNOSUPPORT"},    {"packet", "EAFNOSUPPORT"},
        {"alg", "EAFNOSUPPORT"}};
    for (const QByteArray &line : lines) {
        const qsizetype space = line.lastIndexOf(' ');
        QCOMPARE(QByteArray(line.left(space) + ": " + line.mid(space + 1)),
                 QByteArray(line.left(space) + ": " + others.value(line.left(space), "EPERM")));
    }
    QVERIFY(run("grep -q '^Seccomp:[[:space:]]*2$' /proc/self/status").outcome.code == 0);
}

void LocalLimitsTest::toolchainWorks_data()
{
    QTest::addColumn<QByteArray>("needs");
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char *needs, const QByteArray &text) {
        QTest::newRow(needs) << QByteArray(needs) << text;
    };
    row("python3",
        "python3 -c 'import subprocess, threading, socket, tempfile, sqlite3; "
        "t = threading.Thread(target=lambda: None); t.start(); t.join(); "
        "a, b = socket.socketpair(); "
        "print(subprocess.check_output([\"echo\", \"done\"]).decode().strip())'");
    row("git",
        "git init -q r && cd r && echo x > f && git add f && git -c user.name=a -c "
        "user.email=a@b commit -qm m && git clone -q . ../c && git -C ../c log --format=%s "
        "| grep -q m && echo done");
    row("tar",
        "mkdir -p d && echo x > d/f && tar czf d.tar.gz d && rm -r d && tar xzf d.tar.gz && "
        "cat d/f | grep -q x && echo done");
    row("c++",
        "printf '#include <thread>\\nint main(){std::thread t([]{});t.join();return 0;}' "
        "> t.cpp && c++ -pthread -O0 -o t t.cpp && ./t && echo done");
    row("strace", "strace -o trace true && grep -q execve trace && echo done");
    row("gdb",
        "gdb -batch -ex run -ex 'info inferiors' true 2>&1 | grep -q 'exited normally' && "
        "echo done");
    row("perl", "perl -e 'print \"done\\n\"'");
    row("make", "printf 'all:\\n\\t@echo done\\n' > Makefile && make -s -j4");
}

void LocalLimitsTest::toolchainWorks()
{
    QFETCH(QByteArray, needs);
    QFETCH(QByteArray, text);
    if (run("command -v " + needs).outcome.code != 0)
        QSKIP("not installed here");
    const Finished finished = run(text);
    QVERIFY2(finished.outcome.code == 0 && finished.out == "done\n", told(finished).constData());
}

void LocalLimitsTest::tracedDirectory()
{
    run("true");
    run("mkdir -p deep");
    // exec replaces the shell, whose own report then never comes: this is what is traced.
    domain::CommandSpec replaced = test::shellCommand("cd deep && exec true");
    replaced.trackState = true;
    const Finished finished = test::run(m_connection->shell(), replaced);
    QVERIFY2(finished.outcome.code == 0, told(finished).constData());
    QCOMPARE(finished.outcome.cwd.value_or(QByteArray()), QByteArrayLiteral("/workspace/deep"));
}

void LocalLimitsTest::limitsOfTheSandbox()
{
    const QByteArray files = run("ulimit -Hn").out.trimmed();
    QVERIFY2(files.toLongLong() > 0 && files.toLongLong() <= 65536, files.constData());
    QCOMPARE(run("ulimit -c").out.trimmed(), QByteArrayLiteral("0"));
}

void LocalLimitsTest::memoryTogether()
{
    BERTH_NEEDS_GROUPS();
    if (run("command -v python3").outcome.code != 0)
        QSKIP("no python3 here");
    // Two of 180 MiB: each alone would be within the limit of 256.
    const Finished finished =
        run("for i in 1 2; do python3 -c 'import time; b = bytearray(180 << 20); time.sleep(.5); "
            "print(\"kept\")' & done; wait");
    QVERIFY2(finished.out.count("kept") < 2, told(finished).constData());
    QCOMPARE(run("echo alive").out, QByteArrayLiteral("alive\n"));
}

void LocalLimitsTest::processesTogether()
{
    // Others than root have the count of their user namespace.
    if (::getuid() == 0)
        BERTH_NEEDS_GROUPS();
    const Finished finished = run("for i in $(seq 100); do sleep 1 & done 2>&1; wait 2>/dev/null");
    QVERIFY2((finished.out + finished.err).contains("fork"), told(finished).constData());
    QTRY_COMPARE_WITH_TIMEOUT(run("echo alive").out, QByteArrayLiteral("alive\n"), 8000);
}

void LocalLimitsTest::limitsAreInTheMetrics()
{
    BERTH_NEEDS_GROUPS();
    run("true");
    const auto sample = test::await(m_berth->provider->metrics(m_id, {}));
    BERTH_OK(sample);
    QCOMPARE(sample->memoryLimitBytes.value_or(0), qint64(256) << 20);
    QCOMPARE(sample->cpuLimitCores.value_or(0), std::min(1.5, double(QThread::idealThreadCount())));
}

void LocalLimitsTest::groupsAreRemoved()
{
    BERTH_NEEDS_GROUPS();
    QCOMPARE(run("echo up").out, QByteArrayLiteral("up\n"));
    const auto instance = test::await(m_berth->provider->inspect(m_id, {}));
    BERTH_OK(instance);
    const auto groups = [name = instance->name] {
        QStringList found;
        QProcess find;
        find.start(QStringLiteral("find"),
                   {QStringLiteral("/sys/fs/cgroup"), QStringLiteral("-type"), QStringLiteral("d"),
                    QStringLiteral("-name"), name + QStringLiteral("-*")});
        find.waitForFinished();
        return QString::fromUtf8(find.readAllStandardOutput())
            .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    };
    QVERIFY(!groups().isEmpty());
    m_connection.reset();
    BERTH_OK(test::await(m_berth->provider->pause(m_id, {})));
    QTRY_VERIFY_WITH_TIMEOUT(groups().isEmpty(), 5000);
    BERTH_OK(test::await(m_berth->provider->destroy(m_id, {})));
}

void LocalLimitsTest::secondVersion()
{
    // As systemd gives it to a user: Berth runs in a group of its own below a delegated one.
    QTemporaryDir root;
    const QString mounts = root.filePath(QStringLiteral("fs"));
    const QString slice = mounts + QStringLiteral("/user.slice/app.slice");
    const QString own = slice + QStringLiteral("/berth.scope");
    const QString group = slice + QStringLiteral("/berth-x");
    put(mounts + QStringLiteral("/cgroup.controllers"), "cpu memory pids\n");
    put(own + QStringLiteral("/cgroup.procs"), "1\n");
    put(own + QStringLiteral("/cgroup.subtree_control"), "\n");
    put(slice + QStringLiteral("/cgroup.procs"), "");
    put(slice + QStringLiteral("/cgroup.subtree_control"), "cpu memory pids\n");
    for (const char *name : {"cgroup.procs", "memory.max", "pids.max", "cpu.max"})
        put(group + QLatin1Char('/') + QString::fromLatin1(name), "");
    put(root.filePath(QStringLiteral("own")), "0::/user.slice/app.slice/berth.scope\n");
    // The own group takes no controllers while Berth is in it; a plain file would take anything.
    QFile::remove(own + QStringLiteral("/cgroup.subtree_control"));

    local::LocalSettings settings;
    settings.memoryBytes = qint64(64) << 20;
    settings.cpus = 1.5;
    settings.pids = 50;
    const local::LimitsHeld held = local::applyLimits(
        settings, 4711, QStringLiteral("berth-x"), {mounts, root.filePath(QStringLiteral("own"))});
    QCOMPARE(held.groups, QStringList{group});
    QVERIFY(held.asAsked());
    QCOMPARE(content(group + QStringLiteral("/memory.max")), QByteArrayLiteral("67108864"));
    QCOMPARE(content(group + QStringLiteral("/cpu.max")), QByteArrayLiteral("150000 100000"));
    QCOMPARE(content(group + QStringLiteral("/pids.max")), QByteArrayLiteral("50"));
    QCOMPARE(content(group + QStringLiteral("/cgroup.procs")), QByteArrayLiteral("4711"));
    QVERIFY(!QFile::exists(own + QStringLiteral("/berth-x")));
}

void LocalLimitsTest::firstVersionInAContainer()
{
    // The path is the machine's; the mount shows the container's part only.
    QTemporaryDir root;
    const QString mounts = root.filePath(QStringLiteral("fs"));
    const QString group = mounts + QStringLiteral("/pids/berth-x");
    for (const char *name : {"cgroup.procs", "pids.max"})
        put(group + QLatin1Char('/') + QString::fromLatin1(name), "");
    put(root.filePath(QStringLiteral("own")), "8:pids:/docker/abc\n4:memory:/docker/abc\n0::/\n");
    local::LocalSettings settings;
    settings.pids = 50;
    const local::LimitsHeld held = local::applyLimits(
        settings, 4711, QStringLiteral("berth-x"), {mounts, root.filePath(QStringLiteral("own"))});
    QCOMPARE(held.processes, Hold::Together);
    QCOMPARE(held.memory, Hold::NotAsked);
    QCOMPARE(content(group + QStringLiteral("/pids.max")), QByteArrayLiteral("50"));
    QCOMPARE(content(group + QStringLiteral("/cgroup.procs")), QByteArrayLiteral("4711"));
}

void LocalLimitsTest::withoutControlGroups()
{
    const local::CgroupPaths nowhere{QStringLiteral("/nonexistent"),
                                     QStringLiteral("/nonexistent")};
    local::HostSystem system;
    system.cgroups = nowhere;
    const Values limits{{QStringLiteral("memory_limit"), QStringLiteral("64m")},
                        {QStringLiteral("cpus"), QStringLiteral("1")}};
    test::LocalBerth berth;
    berth.restart(limits, system);
    const auto instance = berth.create();
    BERTH_OK(instance);
    const auto connection = test::await(berth.provider->connect(instance->externalId, {}));
    BERTH_OK(connection);
    QCOMPARE(test::run((*connection)->shell(), "ulimit -d").out.trimmed(),
             QByteArrayLiteral("65536"));
    // What holds for each process alone is not shown as the sandbox's limit.
    const auto sample = test::await(berth.provider->metrics(instance->externalId, {}));
    BERTH_OK(sample);
    QVERIFY(!sample->memoryLimitBytes.has_value());
    const auto report = test::await(berth.provider->check({}, {}));
    BERTH_OK(report);
    QVERIFY2(report->ok, report->error ? qPrintable(report->error->message) : "");
    const domain::HealthStep &step = report->steps.last();
    QCOMPARE(step.name, QStringLiteral("Limits"));
    QCOMPARE(step.state, domain::StepState::Warning);
    QVERIFY2(step.detail.contains(QLatin1String("Memory 64 MiB: each process alone")),
             qPrintable(step.detail));
    QVERIFY2(step.detail.contains(QLatin1String("CPUs 1: NOT limited")), qPrintable(step.detail));
    BERTH_OK(test::await(berth.provider->destroy(instance->externalId, {})));
}

void LocalLimitsTest::checkTellsWhatHolds()
{
    BERTH_NEEDS_GROUPS();
    test::LocalBerth berth({{QStringLiteral("memory_limit"), QStringLiteral("64m")}});
    const auto report = test::await(berth.provider->check({}, {}));
    BERTH_OK(report);
    QVERIFY(report->ok);
    QCOMPARE(report->steps.last().state, domain::StepState::Ok);
    QCOMPARE(report->steps.last().detail,
             QStringLiteral("Memory 64 MiB: all processes together (control group)"));
}

QTEST_GUILESS_MAIN(LocalLimitsTest)
#include "test_local_limits.moc"
