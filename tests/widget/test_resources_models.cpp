// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/provider_model.h"
#include "ui/models/runtime_model.h"
#include "ui/models/runtime_sort_model.h"
#include "ui/models/runtime_text.h"

#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::ui;
using application::RuntimeView;
using domain::ObservedState;

namespace {

const QDateTime kNow = QDateTime::fromString(QStringLiteral("2026-03-04T12:00:00Z"), Qt::ISODate);

RuntimeView runtime(const QString &alias, ObservedState observed = ObservedState::Running,
                    const QString &config = QStringLiteral("docker"))
{
    RuntimeView view;
    view.id = QStringLiteral("lease-") + alias;
    view.alias = alias;
    view.agent = domain::AgentId(QStringLiteral("default"));
    view.providerKind = config;
    view.providerLabel = config;
    view.providerConfig = domain::ConfigName(config);
    view.observed = observed;
    view.stateSince = view.startedAt = view.createdAt = kNow.addSecs(-240);
    view.observedAt = kNow;
    return view;
}

domain::ResourceSample sample(qint64 second, std::optional<double> cores,
                              std::optional<qint64> memory = {})
{
    domain::ResourceSample made;
    made.at = kNow.addSecs(second);
    made.cpuCores = cores;
    made.memoryBytes = memory;
    return made;
}

application::Event told(application::EventBody body)
{
    return {1, std::move(body)};
}

} // namespace

class TestResourcesModels final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void historyIsBounded()
    {
        SampleHistory history;
        for (int i = 0; i < 1000; ++i)
            history.append(sample(i, i));
        QCOMPARE(history.size(), SampleHistory::kCapacity);
        QCOMPARE(history.firstMs(), kNow.addSecs(100).toMSecsSinceEpoch());
        QCOMPARE(history.lastMs(), kNow.addSecs(999).toMSecsSinceEpoch());
        history.append(sample(5, 1.0)); // late: order is time
        QCOMPARE(history.lastMs(), kNow.addSecs(999).toMSecsSinceEpoch());
    }

    void gapsStayGaps()
    {
        SampleHistory history;
        history.append(sample(0, 1.0));
        history.append(sample(1, 2.0));
        history.append(sample(2, {})); // the provider did not say
        history.append(sample(3, 3.0));
        history.append(sample(60, 4.0)); // nothing for a minute
        const qint64 from = kNow.toMSecsSinceEpoch();
        const auto lines = history.segments(Metric::Cpu, from, from + 120'000);
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines[0].size(), 2);
        QCOMPARE(lines[1].size(), 1);
        QCOMPARE(lines[2].first().y(), 4.0);
        QVERIFY(history.segments(Metric::Disk, from, from + 120'000).isEmpty());
        QCOMPARE(history.valueNear(Metric::Cpu, from + 1'200), std::optional(2.0));
        QCOMPARE(history.valueNear(Metric::Cpu, from + 2'000), std::nullopt);
        QCOMPARE(history.valueNear(Metric::Cpu, from + 30'000), std::nullopt);
        QCOMPARE(history.mean(Metric::Cpu, from, from + 10'000), std::optional(2.0));
        QCOMPARE(history.mean(Metric::Cpu, from + 10'000, from + 20'000), std::nullopt);
    }

    void rowsKeepPlaceAndSamples()
    {
        RuntimeModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRuntimes({runtime(QStringLiteral("a")), runtime(QStringLiteral("b")),
                           runtime(QStringLiteral("c"))});
        const QPersistentModelIndex c = model.index(2);
        model.apply(told(application::RuntimeSampled{QStringLiteral("lease-c"), sample(1, 0.5)}));
        model.setRuntimes({runtime(QStringLiteral("c"), ObservedState::Paused),
                           runtime(QStringLiteral("a")), runtime(QStringLiteral("d"))});
        QCOMPARE(model.rowCount(), 3);
        QVERIFY(c.isValid());
        QCOMPARE(c.data(RuntimeModel::IdRole).toString(), QStringLiteral("lease-c"));
        QCOMPARE(c.data(RuntimeModel::StateTextRole).toString(), QStringLiteral("Paused"));
        QCOMPARE(model.history(QStringLiteral("lease-c"))->size(), 1);
        QCOMPARE(model.rowOf(QStringLiteral("lease-b")), -1);
        model.apply(told(application::RuntimeRemoved{QStringLiteral("lease-c")}));
        QVERIFY(!c.isValid());
    }

    void countsFollowEvents()
    {
        RuntimeModel model;
        QSignalSpy counted(&model, &RuntimeModel::countsChanged);
        model.setRuntimes(
            {runtime(QStringLiteral("a")), runtime(QStringLiteral("b"), ObservedState::Paused)});
        QCOMPARE(model.counts(), (RuntimeModel::Counts{2, 1, 1, 0, 0, 0}));
        RuntimeView lost = runtime(QStringLiteral("a"));
        lost.unreachable = true;
        model.apply(told(application::RuntimeChanged{lost}));
        QCOMPARE(model.counts(), (RuntimeModel::Counts{2, 0, 1, 1, 0, 1}));
        const auto before = counted.size();
        model.apply(told(application::RuntimeSampled{QStringLiteral("lease-b"), sample(1, 0.5)}));
        QCOMPARE(counted.size(), before);
    }

    void changeOfStateKeepsLastSample()
    {
        RuntimeModel model;
        model.setRuntimes({runtime(QStringLiteral("a"))});
        model.apply(
            told(application::RuntimeSampled{QStringLiteral("lease-a"), sample(0, 1.0, 96 << 20)}));
        model.apply(
            told(application::RuntimeChanged{runtime(QStringLiteral("a"), ObservedState::Paused)}));
        const RuntimeView *view = model.find(QStringLiteral("lease-a"));
        QVERIFY(view->sample);
        QCOMPARE(memoryOf(*view, kNow).value, QStringLiteral("96 MB"));
        // It has no CPU while paused, whatever the last sample said.
        QCOMPARE(cpuOf(*view, kNow).value, QStringLiteral("—"));
        QVERIFY(!cpuOf(*view, kNow).reason.isEmpty());
    }

    void wordsOfMetrics()
    {
        RuntimeView view = runtime(QStringLiteral("a"));
        QCOMPARE(cpuOf(view, kNow).value, QStringLiteral("—"));
        QCOMPARE(cpuOf(view, kNow).reason, QStringLiteral("The first sample is on its way."));
        view.sample = sample(0, 1.24, 412ll << 20);
        QCOMPARE(cpuOf(view, kNow).value, QStringLiteral("1.24"));
        QCOMPARE(cpuOf(view, kNow).of, QStringLiteral("cores"));
        view.sample->cpuLimitCores = 2;
        view.sample->memoryLimitBytes = 2ll << 30;
        QCOMPARE(cpuOf(view, kNow).value, QStringLiteral("62 %"));
        QCOMPARE(cpuOf(view, kNow).of, QStringLiteral("of 2 cores"));
        view.sample->cpuLimitCores = 1;
        QCOMPARE(cpuOf(view, kNow).of, QStringLiteral("of 1 core"));
        view.sample->cpuLimitCores = 2;
        QCOMPARE(memoryOf(view, kNow).value, QStringLiteral("412 MB"));
        QCOMPARE(memoryOf(view, kNow).of, QStringLiteral("of 2 GB"));
        // Disk was not reported: unknown, never 0.
        QCOMPARE(diskOf(view, kNow).value, QStringLiteral("—"));
        QVERIFY(!diskOf(view, kNow).known);
        QVERIFY(!cpuOf(view, kNow.addSecs(5)).stale);
        const MetricText old = cpuOf(view, kNow.addSecs(120));
        QVERIFY(old.stale);
        QCOMPARE(old.reason, QStringLiteral("Measured 2 m ago."));
    }

    void wordsOfBytes_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << 0ll << QStringLiteral("0 B");
        QTest::newRow("k") << 84ll * 1024 << QStringLiteral("84 kB");
        QTest::newRow("fraction") << 1288490189ll << QStringLiteral("1.2 GB");
        QTest::newRow("whole") << (2ll << 30) << QStringLiteral("2 GB");
        QTest::newRow("no four digits") << 1000ll * 1024 << QStringLiteral("1 MB");
    }
    void wordsOfBytes()
    {
        QFETCH(qint64, bytes);
        QFETCH(QString, text);
        QCOMPARE(byteText(bytes), text);
    }

    void wordsOfStates()
    {
        RuntimeView view = runtime(QStringLiteral("a"));
        QCOMPARE(ageOf(view, kNow), QStringLiteral("up 4 m"));
        view.busy = QStringLiteral("pausing");
        QCOMPARE(stateOf(view).word, QStringLiteral("Pausing…"));
        view.busy.clear();
        view.unreachable = true;
        view.observedAt = kNow.addSecs(-7200);
        QCOMPARE(stateOf(view).word, QStringLiteral("Unreachable"));
        QCOMPARE(ageOf(view, kNow), QStringLiteral("last seen 2 h ago"));
        view = runtime(QStringLiteral("a"), ObservedState::Gone);
        QCOMPARE(stateOf(view).word, QStringLiteral("Gone"));
        QVERIFY(needsCare(view));
        view.desired = domain::DesiredState::Destroyed;
        QCOMPARE(stateOf(view).word, QStringLiteral("Destroyed"));
        QVERIFY(!needsCare(view));
    }

    void accessibleTextSaysAll()
    {
        RuntimeModel model;
        RuntimeView view = runtime(QStringLiteral("docker-1"));
        view.sample = sample(0, 1.0);
        view.sample->cpuLimitCores = 2;
        model.setRuntimes({view});
        const QString spoken = model.index(0).data(Qt::AccessibleTextRole).toString();
        for (const char *part :
             {"default / docker-1", "Running", "CPU 50 % of 2 cores", "disk unknown"})
            QVERIFY2(spoken.contains(QString::fromLatin1(part)), qPrintable(spoken));
    }

    void samplesMoveNoRow()
    {
        RuntimeModel model;
        RuntimeSortModel sorted;
        sorted.setSourceModel(&model);
        model.setRuntimes({runtime(QStringLiteral("a")), runtime(QStringLiteral("b"))});
        model.apply(told(application::RuntimeSampled{QStringLiteral("lease-a"), sample(1, 0.2)}));
        model.apply(told(application::RuntimeSampled{QStringLiteral("lease-b"), sample(1, 0.1)}));
        sorted.setOrder(RuntimeSortModel::Order::Cpu);
        const auto first = [&sorted] {
            return sorted.index(0, 0).data(RuntimeModel::IdRole).toString();
        };
        QCOMPARE(first(), QStringLiteral("lease-a"));
        model.apply(told(application::RuntimeSampled{QStringLiteral("lease-b"), sample(2, 1.9)}));
        QCOMPARE(first(), QStringLiteral("lease-a"));
        sorted.resort();
        QCOMPARE(first(), QStringLiteral("lease-b"));
    }

    void sortGroupsAndFilters()
    {
        RuntimeModel model;
        RuntimeSortModel sorted;
        QAbstractItemModelTester tester(&sorted,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        sorted.setSourceModel(&model);
        RuntimeView titled = runtime(QStringLiteral("b"));
        titled.threads = {
            {domain::ThreadId(QStringLiteral("t")), QStringLiteral("Fix the flaky test")}};
        model.setRuntimes(
            {runtime(QStringLiteral("z"), ObservedState::Running, QStringLiteral("local")), titled,
             runtime(QStringLiteral("a"), ObservedState::Running, QStringLiteral("local"))});
        const auto order = [&sorted] {
            QStringList ids;
            for (int row = 0; row < sorted.rowCount(); ++row)
                ids.append(sorted.index(row, 0).data(RuntimeModel::IdRole).toString().mid(6));
            return ids.join(QLatin1Char(' '));
        };
        QCOMPARE(order(), QStringLiteral("b a z"));
        sorted.setGrouped(false);
        QCOMPARE(order(), QStringLiteral("a b z"));
        sorted.setText(QStringLiteral("FLAKY fix"));
        QCOMPARE(order(), QStringLiteral("b"));
        sorted.setText({});
        sorted.setProviderConfig(QStringLiteral("local"));
        QCOMPARE(order(), QStringLiteral("a z"));
        // One that comes later finds its place.
        model.update(runtime(QStringLiteral("m"), ObservedState::Running, QStringLiteral("local")));
        QCOMPARE(order(), QStringLiteral("a m z"));
    }

    void providersKeepRows()
    {
        ProviderModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        application::ProviderView docker;
        docker.config = domain::ConfigName(QStringLiteral("docker"));
        docker.stateText = QStringLiteral("Checking");
        model.setProviders({docker});
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        QSignalSpy changed(&model, &ProviderModel::providerChanged);
        docker.stateText = QStringLiteral("Ready");
        model.setProviders({docker});
        QCOMPARE(reset.size(), 0);
        QCOMPARE(changed.size(), 1);
        model.apply(told(application::ProviderChanged{docker}));
        QCOMPARE(changed.size(), 1); // nothing new
        QCOMPARE(model.index(0).data(ProviderModel::StateTextRole).toString(),
                 QStringLiteral("Ready"));
    }
};

QTEST_GUILESS_MAIN(TestResourcesModels)
#include "test_resources_models.moc"
