// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/policy/hook_runner.h"
#include "support/await.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <nlohmann/json.hpp>

#include <csignal>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

using namespace berth;
using namespace berth::application;
using namespace std::chrono_literals;
using json = nlohmann::json;

class PolicyHooksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        QVERIFY(m_directory->isValid());
    }

    void withoutAFileEverythingIsAllowed() { QVERIFY(ask().allowed); }

    void answers_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<bool>("allowed");
        QTest::addColumn<QString>("reason");
        QTest::newRow("0") << QByteArray("echo anything") << true << QString();
        QTest::newRow("2 with a reason") << QByteArray("echo 'not on Fridays' >&2; exit 2") << false
                                         << QStringLiteral("not on Fridays");
        QTest::newRow("2 without") << QByteArray("exit 2") << false << QStringLiteral("denies it");
        QTest::newRow("1") << QByteArray("echo oops >&2; exit 1") << false
                           << QStringLiteral("failed with status 1: oops");
        QTest::newRow("signal") << QByteArray("kill -9 $$") << false
                                << QStringLiteral("by a signal");
        QTest::newRow("reads nothing") << QByteArray("exec <&-; exit 0") << true << QString();
    }

    void answers()
    {
        QFETCH(QByteArray, script);
        QFETCH(bool, allowed);
        QFETCH(QString, reason);
        use({hook("h", script)});
        const HookVerdict verdict = ask();
        QCOMPARE(verdict.allowed, allowed);
        QVERIFY2(verdict.reason.contains(reason), qPrintable(verdict.reason));
        QCOMPARE(verdict.hook.isEmpty(), allowed);
    }

    void isToldAllOnStandardInputAndHasABareEnvironment()
    {
        qputenv("BERTH_TEST_KEY", "secret");
        use({hook("h", "cat > \"$1/in\"; env > \"$1/env\"; pwd > \"$1/cwd\"")});
        QVERIFY(ask().allowed);
        const json told = json::parse(read("in").toStdString());
        QCOMPARE(told["event"].get<std::string>(), std::string("before_tool"));
        QCOMPARE(told["tool"].get<std::string>(), std::string("shell"));
        QCOMPARE(told["arguments"]["command"].get<std::string>(), std::string("ls; id"));
        QCOMPARE(told["command"].get<std::string>(), std::string("ls; id"));
        QCOMPARE(told["thread"].get<std::string>(), std::string("t1"));
        QCOMPARE(read("cwd").trimmed(), QByteArray("/"));
        const QList<QByteArray> rows = read("env").trimmed().split('\n');
        for (const QByteArray &row : rows) {
            const QByteArray name = row.left(row.indexOf('='));
            // The last three are the shell's own.
            QVERIFY2(
                QList<QByteArray>({"PATH", "HOME", "LANG", "PWD", "SHLVL", "_"}).contains(name),
                row.constData());
        }
    }

    void hangsAndItsTreeEnds()
    {
        use({hook("h",
                  "trap '' TERM; sleep 61 & echo $! > \"$1/a\"; setsid sleep 62 & "
                  "echo $! > \"$1/b\"; echo x > \"$1/c\"; wait; sleep 63")});
        QElapsedTimer clock;
        clock.start();
        const HookVerdict verdict = ask({700ms, 64 * 1024});
        QVERIFY(!verdict.allowed);
        QVERIFY2(verdict.reason.contains(QStringLiteral("no answer within 0.7 s")),
                 qPrintable(verdict.reason));
        QVERIFY(clock.elapsed() < 5000);
        for (const char *file : {"a", "b"}) {
            const pid_t pid = read(file).trimmed().toInt();
            QVERIFY(pid > 1);
            QVERIFY(test::waitUntil([pid] { return isGone(pid); }, 3s));
        }
    }

    void floods()
    {
        for (const char *script : {"yes", "yes >&2", "head -c 70000 /dev/zero; exit 0"}) {
            use({hook("h", script)});
            const HookVerdict verdict = ask();
            QVERIFY(!verdict.allowed);
            QVERIFY2(verdict.reason.contains(QStringLiteral("more than 64 KiB")),
                     qPrintable(verdict.reason));
        }
        use({hook("h", "head -c 60000 /dev/zero; exit 0")});
        QVERIFY(ask().allowed);
    }

    void leavesNothingRunning()
    {
        use({hook("h", "sleep 64 & echo $! > \"$1/a\"; exit 0")});
        QVERIFY(ask().allowed);
        const pid_t pid = read("a").trimmed().toInt();
        QVERIFY(pid > 1);
        QVERIFY(test::waitUntil([pid] { return isGone(pid); }, 3s));
    }

    void cannotBeStarted()
    {
        Hook plain = hook("h", "exit 0");
        QVERIFY(QFile::setPermissions(plain.program, QFileDevice::ReadOwner));
        use({plain});
        const HookVerdict verdict = ask();
        QVERIFY(!verdict.allowed);
        QVERIFY2(verdict.reason.contains(QStringLiteral("cannot be started")),
                 qPrintable(verdict.reason));
        use({{HookMoment::BeforeTool, QStringLiteral("/nowhere/at all"), {}, {}}});
        QVERIFY(!ask().allowed);
    }

    void noShellIsBetween()
    {
        Hook one = hook("h", "printf '%s' \"$2\" > \"$1/arg\"");
        one.arguments.append(QStringLiteral("$(touch x); *"));
        use({one});
        QVERIFY(ask().allowed);
        QCOMPARE(read("arg"), QByteArray("$(touch x); *"));
    }

    void inOrderAndByTool()
    {
        Hook other = hook("other", "exit 2");
        other.tools = {QStringLiteral("write_file")};
        Hook after = hook("after", "exit 2");
        after.moment = HookMoment::AfterTool;
        use({other, after, hook("first", "echo 1 >> \"$1/order\""),
             hook("second", "echo 2 >> \"$1/order\"; exit 2"),
             hook("third", "echo 3 >> \"$1/order\"")});
        const HookVerdict verdict = ask();
        QVERIFY(!verdict.allowed);
        QVERIFY(verdict.hook.endsWith(QStringLiteral("/second")));
        QCOMPARE(read("order"), QByteArray("1\n2\n"));
    }

    void afterAToolItIsOnlyTold()
    {
        Hook after = hook("after", "cat > \"$1/in\"; exit 2");
        after.moment = HookMoment::AfterTool;
        use({after});
        HookEvent event = shellEvent();
        event.moment = HookMoment::AfterTool;
        event.outcome = QStringLiteral("exited");
        event.exitCode = 3;
        const domain::Result<HookVerdict> verdict =
            test::await(HookRunner(path()).run(event, std::stop_token()));
        BERTH_OK(verdict);
        QVERIFY(verdict->allowed);
        QVERIFY(!verdict->reason.isEmpty());
        QCOMPARE(json::parse(read("in").toStdString())["exit_code"].get<int>(), 3);
    }

    void wrongFileDenies_data()
    {
        QTest::addColumn<int>("mode");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("reason");
        const QByteArray good = R"({"schema_version":1,"hooks":[]})";
        for (const int mode : {0644, 0660, 0666, 0700, 0400})
            QTest::addRow("%o", mode) << mode << good << QStringLiteral("must be 600");
        QTest::newRow("no JSON") << 0600 << QByteArray("{") << QStringLiteral("not valid");
        QTest::newRow("relative program")
            << 0600
            << QByteArray(
                   R"({"schema_version":1,"hooks":[{"event":"before_tool","program":"sh"}]})")
            << QStringLiteral("hooks[0]: program must be an absolute path");
        QTest::newRow("event")
            << 0600 << QByteArray(R"({"schema_version":1,"hooks":[{"event":"x","program":"/a"}]})")
            << QStringLiteral("hooks[0]: event");
        QTest::newRow("newer") << 0600 << QByteArray(R"({"schema_version":2,"hooks":[]})")
                               << QStringLiteral("schema_version");
    }

    void wrongFileDenies()
    {
        QFETCH(int, mode);
        QFETCH(QByteArray, content);
        QFETCH(QString, reason);
        write("hooks.json", content);
        QCOMPARE(::chmod(QFile::encodeName(path()).constData(), static_cast<mode_t>(mode)), 0);
        const HookVerdict verdict = ask();
        QVERIFY(!verdict.allowed);
        QVERIFY2(verdict.reason.contains(reason), qPrintable(verdict.reason));
    }

    void linksAndOthersFilesDeny()
    {
        write("real.json", R"({"schema_version":1,"hooks":[]})");
        QVERIFY(QFile::link(m_directory->filePath(QStringLiteral("real.json")), path()));
        QVERIFY(ask().reason.contains(QStringLiteral("It is a link")));
        QVERIFY(QFile::remove(path()));
        if (::geteuid() != 0)
            QSKIP("only root can give a file away");
        use({});
        QCOMPARE(::chown(QFile::encodeName(path()).constData(), 12345, 12345), 0);
        const HookVerdict verdict = ask();
        QVERIFY(!verdict.allowed);
        QVERIFY(verdict.reason.contains(QStringLiteral("another user")));
    }

    void stopEndsIt()
    {
        use({hook("h", "sleep 65")});
        std::stop_source stop;
        auto task = HookRunner(path()).run(shellEvent(), stop.get_token());
        test::spin(100ms);
        stop.request_stop();
        const domain::Result<HookVerdict> verdict = test::await(std::move(task), 5s);
        BERTH_FAILS(verdict, domain::ErrorKind::Cancelled);
    }

    void savedHooksAreReadAgain()
    {
        Hook one = hook("h", "exit 0");
        one.tools = {QStringLiteral("shell")};
        use({one});
        const domain::Result<QList<Hook>> back = readHooks(path());
        BERTH_OK(back);
        QCOMPARE(*back, QList<Hook>{one});
        BERTH_FAILS(saveHooks(path(), {{HookMoment::BeforeTool, QStringLiteral("sh"), {}, {}}}),
                    domain::ErrorKind::InvalidInput);
        BERTH_OK(readHooks(path()));
    }

private:
    [[nodiscard]] QString path() const
    {
        return m_directory->filePath(QStringLiteral("hooks.json"));
    }

    void write(const char *name, const QByteArray &content) const
    {
        QFile file(m_directory->filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(file.write(content), content.size());
    }

    [[nodiscard]] QByteArray read(const char *name) const
    {
        QFile file(m_directory->filePath(QLatin1String(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    //! A program that gets the test's directory as its first argument.
    [[nodiscard]] Hook hook(const char *name, const QByteArray &script) const
    {
        write(name, "#!/bin/sh\n" + script + '\n');
        const QString program = m_directory->filePath(QLatin1String(name));
        QFile::setPermissions(
            program, QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
        return {HookMoment::BeforeTool, program, {m_directory->path()}, {}};
    }

    void use(const QList<Hook> &hooks) const { BERTH_OK(saveHooks(path(), hooks)); }

    static HookEvent shellEvent()
    {
        HookEvent event;
        event.thread = domain::ThreadId(QStringLiteral("t1"));
        event.tool = QStringLiteral("shell");
        event.arguments = QStringLiteral(R"({"command":"ls; id"})");
        event.command = QStringLiteral("ls; id");
        event.origin = QStringLiteral("model");
        return event;
    }

    [[nodiscard]] HookVerdict ask(HookLimits limits = {}) const
    {
        const domain::Result<HookVerdict> verdict =
            test::await(HookRunner(path(), limits).run(shellEvent(), std::stop_token()));
        return verdict ? *verdict : HookVerdict{false, QStringLiteral("no verdict"), {}};
    }

    static bool isGone(pid_t pid)
    {
        QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
        return !file.open(QIODevice::ReadOnly) || file.readAll().contains(") Z ");
    }

    std::unique_ptr<QTemporaryDir> m_directory;
};

QTEST_GUILESS_MAIN(PolicyHooksTest)
#include "test_policy_hooks.moc"
