// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The window's program as a process: killed, ended by signal, started twice, beside the CLI,
// without a display.
#include "e2e/support/docker_probe.h"
#include "remote/instance_lock.h"

#include <QtCore/QDir>
#include <QtCore/QElapsedTimer>
#include <QtCore/QJsonDocument>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <csignal>

using namespace berth;

namespace {

constexpr int kLimitMs = 60'000;

struct Ended
{
    int code = -1;
    QByteArray out;
    QByteArray err;
    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
    [[nodiscard]] QByteArray told() const
    {
        return "exit " + QByteArray::number(code) + "\nout: " + out.left(2000)
            + "\nerr: " + err.left(2000);
    }
};

//! A data directory with programs on it. All of them are gone, and their sandboxes with them, at
//! the end.
class House
{
public:
    House() = default;
    ~House()
    {
        for (const auto &process : m_processes) {
            if (process->state() != QProcess::NotRunning) {
                process->kill();
                process->waitForFinished(5000);
            }
        }
        const QJsonArray left = runtimes();
        for (const QJsonValue &runtime : left)
            cli({QStringLiteral("runtime"), QStringLiteral("destroy"),
                 runtime[QLatin1String("id")].toString(), QStringLiteral("--yes")});
    }
    House(const House &) = delete;
    House &operator=(const House &) = delete;

    [[nodiscard]] QString data() const { return m_directory.filePath(QStringLiteral("data")); }
    [[nodiscard]] QStringList arguments(const QStringList &verb, bool json = false) const
    {
        QStringList all{QStringLiteral("--data-dir"), data()};
        if (json)
            all << QStringLiteral("--json");
        return all + verb;
    }

    QProcess *start(const QString &program, const QStringList &verb = {})
    {
        m_processes.push_back(std::make_unique<QProcess>());
        QProcess *process = m_processes.back().get();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        process->setProcessEnvironment(environment);
        process->start(program, arguments(verb));
        process->waitForStarted();
        return process;
    }
    QProcess *startWindow() { return start(QStringLiteral(BERTH_PROGRAM)); }
    QProcess *startCli(const QStringList &verb) { return start(QStringLiteral(BERTH_CLI), verb); }

    static Ended end(QProcess &process, int limitMs = kLimitMs)
    {
        Ended ended;
        if (process.state() == QProcess::NotRunning || process.waitForFinished(limitMs))
            ended.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
        ended.out = process.readAllStandardOutput();
        ended.err = process.readAllStandardError();
        return ended;
    }
    Ended cli(const QStringList &verb, bool json = false) const
    {
        QProcess process;
        process.start(QStringLiteral(BERTH_CLI), arguments(verb, json));
        Ended ended = end(process);
        if (process.state() != QProcess::NotRunning) {
            process.kill();
            process.waitForFinished();
        }
        return ended;
    }
    [[nodiscard]] bool setUpDocker() const
    {
        return cli({QStringLiteral("provider"), QStringLiteral("set"), QStringLiteral("docker"),
                    QStringLiteral("network=none"), QStringLiteral("image=") + test::engineImage()})
                   .code
            == 0;
    }
    [[nodiscard]] QJsonArray runtimes() const
    {
        return cli({QStringLiteral("runtime"), QStringLiteral("list")}, true)
            .json()[QLatin1String("runtimes")]
            .toArray();
    }
    [[nodiscard]] QString onlyThread() const
    {
        const QJsonArray threads = cli({QStringLiteral("thread"), QStringLiteral("list")}, true)
                                       .json()[QLatin1String("threads")]
                                       .toArray();
        return threads.size() == 1 ? threads[0][QLatin1String("thread_id")].toString() : QString();
    }
    [[nodiscard]] qint64 owner() const
    {
        const std::optional<remote::LockHolder> holder = remote::lockHolder(data());
        return holder ? holder->pid : 0;
    }
    [[nodiscard]] bool waitForOwner(const QProcess *process, int limitMs = 20'000) const
    {
        return QTest::qWaitFor([&] { return owner() == process->processId(); }, limitMs);
    }

private:
    QTemporaryDir m_directory;
    std::vector<std::unique_ptr<QProcess>> m_processes;
};

QStringList newThread(const char *provider, const QString &text)
{
    return {QStringLiteral("thread"), QStringLiteral("new"), QStringLiteral("--sandbox"),
            QString::fromLatin1(provider), text};
}

bool says(QProcess *process, const QByteArray &text, QByteArray &out)
{
    return QTest::qWaitFor([&] { return (out += process->readAllStandardOutput()).contains(text); },
                           kLimitMs);
}

} // namespace

class ProgramTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        for (const char *name : {"LEON_SANDBOXES_DIR", "LEON_SANDBOX_DB_PATH"})
            qunsetenv(name);
    }

    void killedWithACommandRunning_data() { providers(); }
    void killedWithACommandRunning()
    {
        QFETCH(QString, provider);
        const bool docker = provider == QLatin1String("docker");
        if (docker)
            BERTH_NEEDS_ENGINE();
        House house;
        if (docker)
            QVERIFY(house.setUpDocker());
        QProcess *window = house.startWindow();
        QVERIFY(house.waitForOwner(window));
        QProcess *cli = house.startCli(newThread(
            qPrintable(provider), QStringLiteral("!touch /workspace/kept; echo so far; sleep 60")));
        QByteArray out;
        QVERIFY(says(cli, "so far", out));
        // One Engine: the window's.
        QCOMPARE(house.owner(), window->processId());
        const QJsonArray before = house.runtimes();
        QCOMPARE(before.size(), 1);
        const QString external = before[0][QLatin1String("external_id")].toString();
        QVERIFY(!external.isEmpty());

        window->kill();
        QVERIFY(window->waitForFinished(5000));
        const Ended lost = House::end(*cli, 10'000);
        QVERIFY2(lost.code == 125, lost.told().constData());
        QVERIFY2(!lost.err.trimmed().isEmpty(), lost.told().constData());

        const QString thread = house.onlyThread();
        QVERIFY(!thread.isEmpty());
        const QByteArray shown =
            QJsonDocument(house
                              .cli({QStringLiteral("thread"), QStringLiteral("show"), thread,
                                    QStringLiteral("--output")},
                                   true)
                              .json())
                .toJson();
        QVERIFY2(shown.contains("\"interrupted\""), shown.constData());
        QVERIFY2(shown.contains("so far"), shown.constData());
        const Ended next = house.cli({QStringLiteral("thread"), QStringLiteral("send"), thread,
                                      QStringLiteral("!ls /workspace")});
        QVERIFY2(next.code == 0, next.told().constData());
        QCOMPARE(next.out, QByteArrayLiteral("kept\n"));
        const QJsonArray after = house.runtimes();
        QCOMPARE(after.size(), 1);
        if (docker) {
            QCOMPARE(after[0][QLatin1String("external_id")].toString(), external);
            const QString installation =
                test::container(external)[QLatin1String("Config")][QLatin1String("Labels")]
                                         [QLatin1String("berth.installation")]
                                             .toString();
            QVERIFY(!installation.isEmpty());
            QCOMPARE(test::containersOf(installation).size(), 1);
        }
    }

    void startedTwice()
    {
        House house;
        QProcess *first = house.startWindow();
        QVERIFY(house.waitForOwner(first));
        QElapsedTimer timer;
        timer.start();
        QProcess *second = house.startWindow();
        const Ended ended = House::end(*second, 10'000);
        QVERIFY2(ended.code == 0, ended.told().constData());
        QVERIFY2(timer.elapsed() < 5000, QByteArray::number(timer.elapsed()).constData());
        QTest::qWait(300);
        QCOMPARE(first->state(), QProcess::Running);
        QCOMPARE(house.owner(), first->processId());
        QCOMPARE(house.cli({QStringLiteral("thread"), QStringLiteral("list")}).code, 0);
        first->terminate();
        const Ended last = House::end(*first, 15'000);
        QVERIFY2(last.code == 0, last.told().constData());
    }

    void startedAtTheSameTime()
    {
        // Whoever comes first stays; never two Engines, never none.
        House house;
        QProcess *one = house.startWindow();
        QProcess *other = house.startWindow();
        QVERIFY(QTest::qWaitFor(
            [&] {
                return house.owner() == one->processId() || house.owner() == other->processId();
            },
            20'000));
        QProcess *owner = house.owner() == one->processId() ? one : other;
        QTest::qWait(1000);
        QCOMPARE(house.owner(), owner->processId());
        QCOMPARE(owner->state(), QProcess::Running);
    }

    void takesOverFromTheCommandLine()
    {
        House house;
        QProcess *cli =
            house.startCli(newThread("local", QStringLiteral("!echo begun; sleep 5; echo end")));
        QByteArray out;
        QVERIFY(says(cli, "begun", out));
        QCOMPARE(house.owner(), cli->processId());
        QProcess *window = house.startWindow();
        QTest::qWait(1500);
        // It waits for the command, as the CLI's guest.
        QCOMPARE(house.owner(), cli->processId());
        QCOMPARE(window->state(), QProcess::Running);
        const Ended ended = House::end(*cli, 20'000);
        QVERIFY2(ended.code == 0, ended.told().constData());
        QVERIFY2((out + ended.out).endsWith("end\n"), ended.told().constData());
        QVERIFY(house.waitForOwner(window, 10'000));
        const QString thread = house.onlyThread();
        QVERIFY(!thread.isEmpty());
        QCOMPARE(house.owner(), window->processId());
        const Ended next = house.cli({QStringLiteral("thread"), QStringLiteral("send"), thread,
                                      QStringLiteral("!echo again")});
        QVERIFY2(next.code == 0 && next.out == "again\n", next.told().constData());
        QCOMPARE(house.runtimes().size(), 1);
        QCOMPARE(window->state(), QProcess::Running);
    }

    void signalEndsInOrder_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("TERM") << SIGTERM;
        QTest::newRow("INT") << SIGINT;
    }
    void signalEndsInOrder()
    {
        QFETCH(int, signal);
        BERTH_NEEDS_ENGINE();
        House house;
        QVERIFY(house.setUpDocker());
        QProcess *window = house.startWindow();
        QVERIFY(house.waitForOwner(window));
        const Ended made = house.cli(newThread("docker", QStringLiteral("!echo hi")));
        QVERIFY2(made.code == 0, made.told().constData());
        const QString external = house.runtimes()[0][QLatin1String("external_id")].toString();
        QCOMPARE(
            test::container(external)[QLatin1String("State")][QLatin1String("Status")].toString(),
            QStringLiteral("running"));
        ::kill(static_cast<pid_t>(window->processId()), signal);
        const Ended ended = House::end(*window, 15'000);
        QVERIFY2(ended.code == 0, ended.told().constData());
        QCOMPARE(
            test::container(external)[QLatin1String("State")][QLatin1String("Status")].toString(),
            QStringLiteral("paused"));
        // And goes on from there.
        const Ended next = house.cli({QStringLiteral("thread"), QStringLiteral("send"),
                                      house.onlyThread(), QStringLiteral("!echo again")});
        QVERIFY2(next.code == 0 && next.out == "again\n", next.told().constData());
        QCOMPARE(house.runtimes()[0][QLatin1String("external_id")].toString(), external);
    }

    void withoutADisplay()
    {
        QTemporaryDir directory;
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char *name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            environment.remove(QString::fromLatin1(name));
        process.setProcessEnvironment(environment);
        const QString data = directory.filePath(QStringLiteral("data"));
        process.start(QStringLiteral(BERTH_PROGRAM), {QStringLiteral("--data-dir"), data});
        const Ended ended = House::end(process, 10'000);
        QVERIFY2(ended.code == 2, ended.told().constData());
        QVERIFY2(ended.err.contains("berth-cli") && ended.err.contains("DISPLAY"),
                 ended.told().constData());
        QVERIFY(!QDir(data).exists());
    }

private:
    void providers()
    {
        QTest::addColumn<QString>("provider");
        QTest::newRow("local") << QStringLiteral("local");
        QTest::newRow("docker") << QStringLiteral("docker");
    }
};

QTEST_GUILESS_MAIN(ProgramTest)
#include "test_program.moc"
