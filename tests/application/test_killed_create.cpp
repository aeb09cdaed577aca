// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// An Engine killed (kill -9) at random points of making sandboxes. The provider is scripted and
// keeps its instances in a file, as a real one would outlive the Engine; tests/e2e does the same
// with a real one, but cannot hit as many points. BERTH_KILLS says how many.
#include "fake_clock.h"
#include "house.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QRandomGenerator>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

using namespace berth;
using namespace berth::test;
using application::LeaseController;
using std::chrono::milliseconds;

namespace {

const char *const kChild = "BERTH_KILLED_CHILD";

QByteArray lineOf(const Instance &instance)
{
    return (instance.externalId.toString() + QLatin1Char(' ')
            + instance.labels.installation.toString() + QLatin1Char(' ')
            + instance.labels.sandbox.toString() + QLatin1Char(' ')
            + instance.labels.lease.toString() + QLatin1Char(' ')
            + instance.labels.instance.toString() + QLatin1Char('\n'))
        .toUtf8();
}

QList<Instance> instancesIn(const QString &path)
{
    QList<Instance> instances;
    QFile file(path);
    if (!file.open(QFile::ReadOnly))
        return instances;
    const QStringList lines =
        QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString &line : lines) {
        const QStringList parts = line.split(QLatin1Char(' '));
        Instance instance;
        instance.externalId = ExternalId(parts[0]);
        instance.state = ObservedState::Running;
        instance.labels.installation = domain::InstallationId(parts[1]);
        instance.labels.sandbox = domain::SandboxId(parts[2]);
        instance.labels.lease = domain::LeaseId(parts[3]);
        instance.labels.instance = domain::InstanceId(parts[4]);
        instances << instance;
    }
    return instances;
}

//! Makes one sandbox after the other until it is killed.
[[noreturn]] void makeUntilKilled(const QString &directory)
{
    const auto engine = std::make_shared<ScriptedEngine>();
    const QString path = directory + QStringLiteral("/engine.txt");
    engine->instances = instancesIn(path);
    const int file = ::open(QFile::encodeName(path).constData(),
                            O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    engine->made = [file](const Instance &instance) {
        const QByteArray line = lineOf(instance);
        if (::write(file, line.constData(), size_t(line.size())) != line.size())
            _exit(3);
    };
    House house(directory, engine);
    if (!await(house.sandboxes->start()))
        _exit(4);
    for (bool first = true;; first = false) {
        QElapsedTimer timer;
        timer.start();
        engine->createTakes = milliseconds(QRandomGenerator::global()->bounded(4));
        if (!house.ensure(house.newLease()))
            _exit(5);
        if (first) {
            // How long one takes here and now, for a kill at any moment of the next.
            std::printf("%lld\n", static_cast<long long>(timer.elapsed()));
            std::fflush(stdout);
        }
    }
}

} // namespace

class KilledCreateTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Case 22.
    void neverTwoAndNeverALeak()
    {
        bool isNumber = false;
        const int wanted = qEnvironmentVariableIntValue("BERTH_KILLS", &isNumber);
        const int kills = isNumber ? wanted : 40;
        QTemporaryDir directory;
        for (int i = 0; i < kills; ++i) {
            QProcess child;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QString::fromLatin1(kChild), directory.path());
            child.setProcessEnvironment(environment);
            child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
            child.start(QCoreApplication::applicationFilePath(), QStringList());
            QVERIFY(child.waitForReadyRead(30'000));
            const int whole = std::max(2, child.readLine().trimmed().toInt());
            QTest::qSleep(QRandomGenerator::global()->bounded(whole));
            child.kill();
            QVERIFY(child.waitForFinished(10'000));
            QVERIFY2(child.exitStatus() == QProcess::CrashExit,
                     QByteArray::number(child.exitCode()).constData());
        }
        const auto engine = std::make_shared<ScriptedEngine>();
        engine->instances = instancesIn(directory.filePath(QStringLiteral("engine.txt")));
        const auto clock = std::make_shared<FakeClock>();
        House house(directory.path(), engine, clock);
        QVERIFY(engine->instances.size() >= kills);
        const qsizetype before = engine->instances.size();
        BERTH_OK(await(house.sandboxes->start()));
        BERTH_OK(await(house.sandboxes->refresh({})));

        QHash<domain::LeaseId, int> perLease;
        for (const Instance &instance : std::as_const(engine->instances))
            ++perLease[instance.labels.lease];
        for (auto it = perLease.cbegin(); it != perLease.cend(); ++it)
            QCOMPARE(it.value(), 1);
        // Each is in somebody's hands.
        QSet<QString> shown;
        const QList<application::RuntimeView> views = house.sandboxes->runtimeViews();
        for (const application::RuntimeView &view : views)
            shown.insert(view.externalId);
        for (const Instance &instance : std::as_const(engine->instances))
            QVERIFY2(shown.contains(instance.externalId.toString()),
                     qPrintable(instance.externalId.toString()));

        // And whatever was interrupted can be used, with one instance each.
        clock->advance(std::chrono::seconds(61));
        const QList<application::SandboxView> rows = house.sandboxes->sandboxViews();
        QVERIFY(rows.size() >= engine->instances.size());
        qsizetype used = 0;
        for (const application::SandboxView &row : rows) {
            const auto lease = await(house.sandboxes->leaseFor(row.id));
            BERTH_OK(lease);
            if ((*lease)->hasLiveInstance() && ++used > 5)
                continue; // they are all alike; those without one are all tried
            BERTH_OK(house.ensure(*lease));
        }
        perLease.clear();
        for (const Instance &instance : std::as_const(engine->instances))
            ++perLease[instance.labels.lease];
        for (auto it = perLease.cbegin(); it != perLease.cend(); ++it)
            QCOMPARE(it.value(), 1);
        QCOMPARE(perLease.size(), rows.size());
        qInfo("%d kills, %lld instances, %lld of them made anew", kills,
              static_cast<long long>(engine->instances.size()),
              static_cast<long long>(engine->instances.size() - before));
    }
};

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    if (qEnvironmentVariableIsSet(kChild))
        makeUntilKilled(qEnvironmentVariable(kChild));
    KilledCreateTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_killed_create.moc"
