// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "local/local_sandbox.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QProcess>

#include <csignal>

#include <unistd.h>

using namespace berth;
using namespace std::chrono_literals;
using domain::ErrorKind;
using test::Finished;
using test::told;

using Values = QMap<QString, QString>;

//! "isolation": "none": the same runner on this machine itself, and only where that was allowed.
class LocalPassthroughTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runsHere();
    void environmentHasNoKeys();
    void isToldAsWhatItIs();
    void stopEndsTheTree();
    void pauseEndsTheTree();
    void killedBerthLeavesNothing();
    void switchedOffEndsAndRefuses();
    void isolatedOnesStayIsolated();
};

static Values allowed(bool none = true)
{
    return {
        {QStringLiteral("isolation"), none ? QStringLiteral("none") : QStringLiteral("bubblewrap")},
        {QStringLiteral("passthrough_allowed"), QStringLiteral("true")}};
}

//! Processes of this machine whose arguments contain \a text.
static int countOf(const QByteArray &text)
{
    int count = 0;
    for (const QString &name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile arguments(QStringLiteral("/proc/%1/cmdline").arg(name));
        if (name.toLongLong() > 0 && arguments.open(QIODevice::ReadOnly)
            && arguments.readAll().replace('\0', ' ').contains(text))
            ++count;
    }
    return count;
}

static std::shared_ptr<domain::SandboxConnection> connectionTo(test::LocalBerth &berth,
                                                               const domain::ExternalId &id)
{
    const auto connection = test::await(berth.provider->connect(id, {}));
    return connection ? *connection : nullptr;
}

void LocalPassthroughTest::runsHere()
{
    test::LocalBerth berth(allowed());
    const auto instance = berth.create();
    BERTH_OK(instance);
    const auto connection = connectionTo(berth, instance->externalId);
    QVERIFY(connection);
    const QByteArray workspace = QFile::encodeName(berth.workspace(instance->externalId));
    QCOMPARE(connection->homeDirectory(), workspace);
    const Finished finished = test::run(
        connection->shell(), "pwd; echo $HOME; id -u; echo x > file; readlink /proc/self/ns/pid");
    QFile own(QStringLiteral("/proc/self/ns/pid"));
    QCOMPARE(finished.out,
             workspace + '\n' + workspace + '\n' + QByteArray::number(::getuid()) + '\n'
                 + QFile::symLinkTarget(own.fileName()).section(QLatin1Char('/'), -1).toLatin1()
                 + '\n');
    QVERIFY(QFile::exists(QFile::decodeName(workspace) + QStringLiteral("/file")));
    const auto sample = test::await(berth.provider->metrics(instance->externalId, {}));
    BERTH_OK(sample);
    BERTH_OK(test::await(berth.provider->destroy(instance->externalId, {})));
    QVERIFY(!QFile::exists(QFile::decodeName(workspace)));
}

void LocalPassthroughTest::environmentHasNoKeys()
{
    qputenv("BERTH_CANARY_KEY", "canary-4711");
    test::LocalBerth berth(allowed());
    const auto instance = berth.create();
    BERTH_OK(instance);
    const auto connection = connectionTo(berth, instance->externalId);
    QVERIFY(connection);
    QVERIFY(!test::run(connection->shell(), "env").out.contains("canary-4711"));
}

void LocalPassthroughTest::isToldAsWhatItIs()
{
    test::LocalBerth berth(allowed());
    const auto report = test::await(berth.provider->check({}, {}));
    BERTH_OK(report);
    QVERIFY(report->ok);
    const QString words =
        QStringLiteral("No isolation: everything that you can do, Berth's own files included");
    QCOMPARE(report->summary, words);
    bool warned = false;
    for (const domain::HealthStep &step : report->steps)
        warned = warned || (step.state == domain::StepState::Warning && step.detail == words);
    QVERIFY(warned);
    QCOMPARE(berth.kind->summary(allowed()), words);
    QVERIFY(!berth.kind->problemWith(allowed()));
    const auto instance = berth.create();
    BERTH_OK(instance);
    QCOMPARE(instance->image, words);
}

void LocalPassthroughTest::stopEndsTheTree()
{
    test::LocalBerth berth(allowed());
    const auto instance = berth.create();
    BERTH_OK(instance);
    const auto connection = connectionTo(berth, instance->externalId);
    QVERIFY(connection);
    const auto run =
        test::start(connection->shell(),
                    test::shellCommand("setsid sleep 4711.25 & sleep 4711.25 & echo up; wait"));
    QVERIFY(run && run->waitForOutput("up"));
    // With the shell whose text names it. One look must do: a number may pass and come again while
    // processes become others.
    QVERIFY(test::waitUntil([] { return countOf("sleep 4711.25") >= 3; }, 10s));
    run->execution().stop();
    QVERIFY(run->waitForEnd());
    QVERIFY(test::waitUntil([] { return countOf("sleep 4711.25") == 0; }, 10s));
    QCOMPARE(test::run(connection->shell(), "echo alive").out, QByteArrayLiteral("alive\n"));
}

void LocalPassthroughTest::pauseEndsTheTree()
{
    test::LocalBerth berth(allowed());
    const auto instance = berth.create();
    BERTH_OK(instance);
    auto connection = connectionTo(berth, instance->externalId);
    QVERIFY(connection);
    const auto run =
        test::start(connection->shell(),
                    test::shellCommand("setsid sleep 4711.5 & sleep 4711.5 & echo up; wait"));
    QVERIFY(run && run->waitForOutput("up"));
    BERTH_OK(test::await(berth.provider->pause(instance->externalId, {})));
    QVERIFY(test::waitUntil([] { return countOf("sleep 4711.5") == 0; }, 10s));
}

void LocalPassthroughTest::killedBerthLeavesNothing()
{
    QProcess berth;
    berth.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--berth")});
    QVERIFY(berth.waitForStarted());
    QVERIFY(test::waitUntil([] { return countOf("sleep 4711.75") >= 2; }, 10s));
    ::kill(static_cast<pid_t>(berth.processId()), SIGKILL);
    berth.waitForFinished();
    QVERIFY(test::waitUntil([] { return countOf("sleep 4711.75") == 0; }, 10s));
}

void LocalPassthroughTest::switchedOffEndsAndRefuses()
{
    test::LocalBerth berth(allowed());
    const auto instance = berth.create();
    BERTH_OK(instance);
    const auto connection = connectionTo(berth, instance->externalId);
    QVERIFY(connection);
    // The provider is made anew over the same runtimes.
    const auto off =
        berth.kind->create({domain::ConfigName(QStringLiteral("local")),
                            {{QStringLiteral("isolation"), QStringLiteral("none")}}},
                           berth.installation, {berth.data.path(), berth.runtime.path()});
    BERTH_FAILS(test::await(off->connect(instance->externalId, {})), ErrorKind::Forbidden);
    QVERIFY(!connection->isOpen());
    BERTH_FAILS(test::await(off->resume(instance->externalId, {})), ErrorKind::Forbidden);
    const auto state = test::await(off->inspect(instance->externalId, {}));
    BERTH_OK(state);
    QVERIFY(state->state != domain::ObservedState::Running);
    BERTH_OK(test::await(off->destroy(instance->externalId, {})));
}

void LocalPassthroughTest::isolatedOnesStayIsolated()
{
    BERTH_NEEDS_BUBBLEWRAP();
    test::LocalBerth berth(allowed(false));
    const auto instance = berth.create();
    BERTH_OK(instance);
    berth.restart(allowed(true));
    const auto connection = connectionTo(berth, instance->externalId);
    QVERIFY(connection);
    QCOMPARE(test::run(connection->shell(), "id -u; pwd").out,
             QByteArrayLiteral("1000\n/workspace\n"));
}

//! A Berth of its own, to be killed.
static int runBerth()
{
    test::LocalBerth berth(allowed());
    const auto instance = berth.create();
    if (!instance)
        return 1;
    const auto connection = connectionTo(berth, instance->externalId);
    const auto run = test::start(connection->shell(),
                                 test::shellCommand("setsid sleep 4711.75 & sleep 4711.75 & wait"));
    return run && run->waitForEnd(std::chrono::seconds(60)) ? 0 : 1;
}

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    if (argc > 1 && QByteArray(argv[1]) == "--berth")
        return runBerth();
    LocalPassthroughTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_local_passthrough.moc"
