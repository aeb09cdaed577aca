// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "house.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::test;
using application::LeaseController;
using application::OnGone;
using application::ReadySandbox;
using std::chrono::milliseconds;

class LeasesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        m_engine = std::make_shared<ScriptedEngine>();
        m_house = std::make_unique<House>(m_directory->path(), m_engine);
    }
    void cleanup()
    {
        m_house.reset();
        m_directory.reset();
    }

    void twentyCallersMakeOneInstance()
    {
        LeaseController *lease = m_house->newLease();
        m_engine->createTakes = milliseconds(50);
        QList<std::shared_ptr<std::optional<Result<ReadySandbox>>>> results;
        struct Caller
        {
            static async::Task<void> run(LeaseController *lease,
                                         std::shared_ptr<std::optional<Result<ReadySandbox>>> into)
            {
                const Result<ReadySandbox> ready =
                    co_await lease->ensure(QStringLiteral("test"), OnGone::Tell, {}, {});
                into->emplace(ready);
            }
        };
        for (int i = 0; i < 20; ++i) {
            results << std::make_shared<std::optional<Result<ReadySandbox>>>();
            Caller::run(lease, results.last());
        }
        QVERIFY(waitUntil([&] {
            return std::all_of(results.begin(), results.end(),
                               [](const auto &result) { return result->has_value(); });
        }));
        for (const auto &result : results)
            BERTH_OK(**result);
        QCOMPARE(m_engine->creates, 1);
        QCOMPARE(m_engine->instances.size(), 1);
    }

    void aCallerWhoGivesUpLeavesTheOthersTheirAttempt()
    {
        LeaseController *lease = m_house->newLease();
        m_engine->createTakes = milliseconds(100);
        auto first = std::make_shared<std::optional<Result<ReadySandbox>>>();
        struct Caller
        {
            static async::Task<void> run(LeaseController *lease, std::stop_token stop,
                                         std::shared_ptr<std::optional<Result<ReadySandbox>>> into)
            {
                const Result<ReadySandbox> ready =
                    co_await lease->ensure(QStringLiteral("test"), OnGone::Tell, {}, stop);
                into->emplace(ready);
            }
        };
        std::stop_source stop;
        Caller::run(lease, stop.get_token(), first);
        auto second = std::make_shared<std::optional<Result<ReadySandbox>>>();
        Caller::run(lease, {}, second);
        stop.request_stop();
        QVERIFY(waitUntil([&] { return first->has_value() && second->has_value(); }));
        BERTH_FAILS(**first, ErrorKind::Cancelled);
        BERTH_OK(**second);
        QCOMPARE(m_engine->instances.size(), 1);
    }

    void aLostAnswerIsFoundByItsTokenAndNotMadeTwice()
    {
        LeaseController *lease = m_house->newLease();
        m_engine->loseCreateAnswer = unavailable();
        BERTH_FAILS(m_house->ensure(lease), ErrorKind::Unavailable);
        QCOMPARE(m_engine->instances.size(), 1);
        BERTH_OK(m_house->ensure(lease));
        QCOMPARE(m_engine->creates, 1);
        QCOMPARE(m_engine->instances.size(), 1);
        QCOMPARE(lease->instance()->externalId, m_engine->instances.first().externalId);
    }

    void aSureRefusalMayBeTriedAgainAtOnce()
    {
        LeaseController *lease = m_house->newLease();
        m_engine->failCreate =
            domain::Error{ErrorKind::NotFound, QStringLiteral("no such image"), {}, {}, {}};
        BERTH_FAILS(m_house->ensure(lease), ErrorKind::NotFound);
        m_engine->failCreate.reset();
        BERTH_OK(m_house->ensure(lease));
        QCOMPARE(m_engine->instances.size(), 1);
    }

    void unknownIsNotGone()
    {
        LeaseController *lease = m_house->newLease();
        BERTH_OK(m_house->ensure(lease));
        const ExternalId before = lease->instance()->externalId;
        BERTH_OK(await(lease->pause(QStringLiteral("test"), {})));
        m_engine->failInspect = unavailable();
        m_engine->failList = unavailable();
        BERTH_FAILS(m_house->ensure(lease), ErrorKind::Unavailable);
        QVERIFY(lease->isUnreachable());
        QCOMPARE(lease->lease().observed, ObservedState::Paused);
        QCOMPARE(lease->instance()->externalId, before);
        QCOMPARE(m_engine->creates, 1);
        m_engine->failInspect.reset();
        m_engine->failList.reset();
        BERTH_OK(m_house->ensure(lease));
        QVERIFY(!lease->isUnreachable());
        QCOMPARE(lease->instance()->externalId, before);
        QCOMPARE(m_engine->creates, 1);
    }

    // What another engine or account does not know is not gone, and cannot be destroyed there.
    void anotherEngineIsNoWitness()
    {
        LeaseController *lease = m_house->newLease();
        BERTH_OK(m_house->ensure(lease));
        BERTH_OK(await(lease->pause(QStringLiteral("test"), {})));
        const QList<Instance> there = std::exchange(m_engine->instances, {});
        m_engine->engineId = QStringLiteral("another");
        QVERIFY(!lease->isOnAnotherEngine());
        BERTH_FAILS(m_house->ensure(lease), ErrorKind::Unavailable);
        QVERIFY(lease->isOnAnotherEngine());
        BERTH_FAILS(m_house->ensure(lease, OnGone::Recreate), ErrorKind::Unavailable);
        BERTH_FAILS(await(lease->destroy(QStringLiteral("test"), {})), ErrorKind::Unavailable);
        QVERIFY(lease->instance()->status != domain::InstanceStatus::Gone);
        QCOMPARE(m_engine->creates, 1);
        // The same place under another name, as after a change of the key, knows it.
        m_engine->instances = there;
        BERTH_OK(await(lease->destroy(QStringLiteral("test"), {})));
        QVERIFY(m_engine->instances.isEmpty());
        QCOMPARE(lease->instance()->status, domain::InstanceStatus::Gone);
    }

    void goneIsToldAndOnlyTheUserRecreates()
    {
        LeaseController *lease = m_house->newLease();
        BERTH_OK(m_house->ensure(lease));
        BERTH_OK(await(lease->pause(QStringLiteral("test"), {})));
        m_engine->instances.clear();
        BERTH_FAILS(m_house->ensure(lease), ErrorKind::NotFound);
        BERTH_FAILS(m_house->ensure(lease), ErrorKind::NotFound);
        QCOMPARE(m_engine->creates, 1);
        QCOMPARE(lease->lease().observed, ObservedState::Gone);
        const Result<ReadySandbox> ready = m_house->ensure(lease, OnGone::Recreate);
        BERTH_OK(ready);
        QVERIFY(ready->fresh);
        QCOMPARE(m_engine->creates, 2);
    }

    void destroyedByUsIsACleanEnd()
    {
        LeaseController *lease = m_house->newLease();
        BERTH_OK(m_house->ensure(lease));
        BERTH_OK(await(lease->destroy(QStringLiteral("test"), {})));
        QVERIFY(m_engine->instances.isEmpty());
        BERTH_OK(await(lease->destroy(QStringLiteral("test"), {})));
        const Result<ReadySandbox> ready = m_house->ensure(lease);
        BERTH_OK(ready);
        QVERIFY(ready->fresh);
        QCOMPARE(m_engine->instances.size(), 1);
    }

    void pausedOutsideIsResumedByTheNextNeed()
    {
        LeaseController *lease = m_house->newLease();
        BERTH_OK(m_house->ensure(lease));
        m_engine->instances.first().state = ObservedState::Paused;
        BERTH_OK(await(m_house->sandboxes->refresh({})));
        QCOMPARE(lease->lease().observed, ObservedState::Paused);
        const Result<ReadySandbox> ready = m_house->ensure(lease);
        BERTH_OK(ready);
        QVERIFY(ready->resumed);
        QCOMPARE(m_engine->resumes, 1);
    }

    void aNewEngineAdoptsAndFinishesWhatWasWanted()
    {
        LeaseController *lease = m_house->newLease();
        BERTH_OK(m_house->ensure(lease));
        const domain::LeaseId id = lease->lease().id;
        const ExternalId external = lease->instance()->externalId;
        // As if killed between "destroyed is wanted" and the provider's answer.
        domain::LeaseEvent event;
        event.lease = id;
        event.type = QStringLiteral("destroy");
        event.source = QStringLiteral("test");
        event.at = domain::nowUtc();
        domain::Lease wanted = lease->lease();
        wanted.desired = domain::DesiredState::Destroyed;
        BERTH_OK(await(m_house->storage->leases().transition(wanted, std::nullopt, event)));
        m_house.reset();
        m_house = std::make_unique<House>(m_directory->path(), m_engine);
        BERTH_OK(await(m_house->sandboxes->start()));
        QVERIFY(waitUntil([&] { return m_engine->instances.isEmpty(); }));
        QCOMPARE(m_engine->creates, 1);
        Q_UNUSED(external)
    }

    void foreignAndUnmarkedInstancesAreNeverOurs()
    {
        Instance foreign;
        foreign.externalId = ExternalId(QStringLiteral("foreign"));
        foreign.state = ObservedState::Running;
        foreign.labels.installation = domain::InstallationId::create();
        foreign.labels.lease = domain::LeaseId::create();
        Instance ours = foreign;
        ours.externalId = ExternalId(QStringLiteral("ours"));
        ours.labels.installation = m_house->installation;
        m_engine->instances = {foreign, ours};
        BERTH_OK(await(m_house->sandboxes->refresh({})));
        const QList<application::RuntimeView> views = m_house->sandboxes->runtimeViews();
        QCOMPARE(views.size(), 1);
        QVERIFY(views.first().orphan);
        QCOMPARE(views.first().externalId, QStringLiteral("ours"));
        BERTH_FAILS(await(m_house->sandboxes->destroy(QStringLiteral("scripted:foreign"),
                                                      QStringLiteral("test"), 0s, {})),
                    ErrorKind::NotFound);
        BERTH_OK(
            await(m_house->sandboxes->destroy(views.first().id, QStringLiteral("test"), 0s, {})));
        QCOMPARE(m_engine->instances.size(), 1);
        QCOMPARE(m_engine->instances.first().externalId.toString(), QStringLiteral("foreign"));
    }

    void onExitPausesWhatRuns()
    {
        LeaseController *lease = m_house->newLease();
        BERTH_OK(m_house->ensure(lease));
        QList<int> told;
        const application::ExitSink tell = [&told](const QString &, int done, int total) {
            told << done << total;
        };
        BERTH_OK(await(m_house->sandboxes->applyOnExit(milliseconds(2000), tell)));
        QCOMPARE(m_engine->instances.first().state, ObservedState::Paused);
        QCOMPARE(lease->lease().desired, domain::DesiredState::Paused);
        QCOMPARE(told, (QList<int>{0, 1, 1, 1}));
    }

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    std::shared_ptr<ScriptedEngine> m_engine;
    std::unique_ptr<House> m_house;
};

QTEST_GUILESS_MAIN(LeasesTest)
#include "test_leases.moc"
