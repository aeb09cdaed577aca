// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Policies, sessions and idle times, by a clock that the test turns.
#include "application/lifecycle/backoff.h"
#include "application/lifecycle/policy_store.h"
#include "fake_clock.h"
#include "house.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::test;
using application::LeaseController;
using application::LifecycleView;
using domain::DesiredState;
using std::chrono::milliseconds;
using std::chrono::minutes;

class LifecycleTest final : public QObject
{
    Q_OBJECT

private:
    LeaseController *readyLease()
    {
        LeaseController *lease = m_house->newLease();
        const auto ready = m_house->ensure(lease);
        if (!ready)
            qFatal("%s", told(ready).constData());
        return lease;
    }
    domain::ThreadId threadOf(LeaseController *lease) const
    {
        return m_house->sandboxes->threadsOf(lease->lease().sandbox).first();
    }
    //! Somebody works in it for a moment.
    static void work(LeaseController *lease)
    {
        lease->commandStarted();
        lease->commandEnded();
    }
    Result<LifecycleView> setFor(LeaseController *lease, domain::LifecycleOverride own)
    {
        const application::SetLifecycle command{{}, lease->lease().sandbox, own};
        return await(m_house->lifecycle->set(command));
    }
    Result<application::SessionView> openFor(LeaseController *lease)
    {
        return m_house->lifecycle->open(threadOf(lease), this, QStringLiteral("test"));
    }
    application::RuntimeView view() const { return m_house->sandboxes->runtimeViews().first(); }
    bool comesToRest(LeaseController *lease) const
    {
        return waitUntil([lease] { return lease->lease().observed == ObservedState::Paused; },
                         milliseconds(2000));
    }
    void reopen()
    {
        m_house.reset();
        m_house = std::make_unique<House>(m_directory->path(), m_engine, m_clock);
    }

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        m_engine = std::make_shared<ScriptedEngine>();
        m_clock = std::make_shared<FakeClock>();
        m_house = std::make_unique<House>(m_directory->path(), m_engine, m_clock);
    }
    void cleanup()
    {
        m_house.reset();
        m_directory.reset();
    }

    void anIdleSandboxIsPausedAfterHalfAnHourAndNotBefore()
    {
        LeaseController *lease = readyLease();
        work(lease);
        QCOMPARE(m_clock->wall().secsTo(view().idleStopAt), 30 * 60);
        m_clock->advance(minutes(29));
        QCOMPARE(m_engine->pauses, 0);
        QVERIFY(view().idleStopAt.isValid());
        // Work in between begins it anew.
        work(lease);
        m_clock->advance(minutes(29));
        QCOMPARE(m_engine->pauses, 0);
        m_clock->advance(minutes(1));
        QVERIFY(comesToRest(lease));
        QCOMPARE(m_engine->pauses, 1);
        QCOMPARE(lease->lease().desired, DesiredState::Paused);
        QVERIFY(!view().idleStopAt.isValid());
        const auto events = await(m_house->sandboxes->events(lease->lease().id.toString(), 5));
        BERTH_OK(events);
        QCOMPARE(events->events.first().type, QStringLiteral("paused"));
        QCOMPARE(events->events.first().source, QStringLiteral("policy"));
    }

    void aCommandInFlightIsNeverStopped()
    {
        LeaseController *lease = readyLease();
        lease->commandStarted();
        lease->commandStarted();
        QCOMPARE(view().inFlight, 2);
        m_clock->advance(minutes(180));
        lease->commandEnded();
        m_clock->advance(minutes(180));
        QCOMPARE(m_engine->pauses, 0);
        QVERIFY(!view().idleStopAt.isValid());
        lease->commandEnded();
        m_clock->advance(minutes(31));
        QVERIFY(comesToRest(lease));
    }

    // The command comes in the very moment in which the timer fires.
    void aPauseThatLosesTheRaceLeavesTheCommandAlone()
    {
        LeaseController *lease = readyLease();
        work(lease);
        lease->commandStarted();
        const Result<void> paused =
            await(lease->pause(QStringLiteral("policy"), {}, application::PauseWhen::AtRest));
        BERTH_FAILS(paused, ErrorKind::Conflict);
        QCOMPARE(lease->lease().desired, DesiredState::Running);
        lease->commandEnded();
    }

    void backgroundCommandsCountByWhatTheySayWherePausingFreezes()
    {
        LeaseController *lease = readyLease();
        lease->backgroundStarted();
        QCOMPARE(view().inFlight, 1);
        m_clock->advance(minutes(20));
        lease->touch();
        m_clock->advance(minutes(20));
        QCOMPARE(m_engine->pauses, 0);
        m_clock->advance(minutes(11));
        QVERIFY(comesToRest(lease));
    }

    void backgroundCommandsHoldItWherePausingWouldEndThem()
    {
        m_engine->can = domain::Capabilities()
                            .allow(domain::Capability::Pause)
                            .allow(domain::Capability::Resume)
                            .deny(domain::Capability::ProcessesSurvivePause, QStringLiteral("no"));
        LeaseController *lease = readyLease();
        lease->backgroundStarted();
        m_clock->advance(minutes(300));
        QCOMPARE(m_engine->pauses, 0);
        lease->backgroundEnded();
        m_clock->advance(minutes(31));
        QVERIFY(comesToRest(lease));
    }

    void whatCannotPauseIsNotDestroyedInstead()
    {
        m_engine->can =
            domain::Capabilities().deny(domain::Capability::Pause, QStringLiteral("no"));
        LeaseController *lease = readyLease();
        work(lease);
        QVERIFY(!view().idleStopAt.isValid());
        m_clock->advance(minutes(600));
        QCOMPARE(m_engine->destroys, 0);
        QCOMPARE(m_engine->instances.size(), 1);
    }

    void theSandboxOverridesItsAgentAndBothAreKept()
    {
        LeaseController *lease = readyLease();
        domain::LifecycleOverride agents;
        agents.idleTimeoutMinutes = 5;
        agents.start = domain::StartPolicy::Session;
        const application::SetLifecycle ofAgent{lease->lease().agent, {}, agents};
        BERTH_OK(await(m_house->lifecycle->set(ofAgent)));
        domain::LifecycleOverride own;
        own.idleTimeoutMinutes = 10;
        Result<LifecycleView> view = setFor(lease, own);
        BERTH_OK(view);
        const domain::LifecyclePolicy expected{domain::StartPolicy::Session,
                                               domain::StopPolicy::Idle, 10};
        QCOMPARE(view->policy == expected, true);
        QCOMPARE(view->own == own, true);
        // It holds at once.
        m_clock->advance(minutes(11));
        QVERIFY(comesToRest(lease));
        const domain::SandboxId sandbox = lease->lease().sandbox;
        reopen();
        BERTH_OK(await(m_house->sandboxes->start()));
        const application::GetLifecycle ask{{}, sandbox};
        view = m_house->lifecycle->get(ask);
        BERTH_OK(view);
        QCOMPARE(view->policy == expected, true);
        const application::SetLifecycle nothing{{}, sandbox, {}};
        view = await(m_house->lifecycle->set(nothing));
        BERTH_OK(view);
        QCOMPARE(view->policy.idleTimeoutMinutes, 5);
    }

    void badPoliciesAreRefused()
    {
        LeaseController *lease = readyLease();
        domain::LifecycleOverride own;
        own.idleTimeoutMinutes = -1;
        BERTH_FAILS(setFor(lease, own), ErrorKind::InvalidInput);
        own.idleTimeoutMinutes = 10081;
        BERTH_FAILS(setFor(lease, own), ErrorKind::InvalidInput);
        BERTH_FAILS(m_house->lifecycle->get({}), ErrorKind::InvalidInput);
        BERTH_FAILS(m_house->lifecycle->get({domain::AgentId(QStringLiteral("nobody")), {}}),
                    ErrorKind::NotFound);
        own.idleTimeoutMinutes = 0;
        BERTH_OK(setFor(lease, own));
        m_clock->advance(minutes(20'000));
        QCOMPARE(m_engine->pauses, 0);
    }

    void theAgentsOtherSettingsSurvive()
    {
        const QString before =
            QStringLiteral(R"({"exec":{"lifecycle":{"stop":"nonsense"},"shell":"sh"},"x":[1,2]})");
        domain::LifecycleOverride own;
        own.stop = domain::StopPolicy::Session;
        const Result<QString> after = application::withAgentLifecycle(before, own);
        BERTH_OK(after);
        QVERIFY(after->contains(QStringLiteral(R"("shell":"sh")")));
        QVERIFY(after->contains(QStringLiteral(R"("x":[1,2])")));
        QCOMPARE(application::lifecycleOfAgent(*after) == own, true);
        QCOMPARE(application::lifecycleOfAgent(before) == domain::LifecycleOverride{}, true);
        BERTH_FAILS(application::withAgentLifecycle(QStringLiteral("[]"), own),
                    ErrorKind::InvalidInput);
        const QMap<QString, QString> row = application::withSandboxLifecycle(
            {{QStringLiteral("image"), QStringLiteral("a")}}, own);
        QCOMPARE(application::providerPart(row).size(), 1);
    }

    void aSessionMakesReadyWhereThePolicySaysSo()
    {
        LeaseController *lease = m_house->newLease();
        BERTH_OK(openFor(lease));
        spin(milliseconds(30));
        QCOMPARE(m_engine->creates, 0);
        domain::LifecycleOverride own;
        own.start = domain::StartPolicy::Session;
        BERTH_OK(setFor(lease, own));
        BERTH_OK(openFor(lease));
        QVERIFY(waitUntil([&] { return lease->lease().observed == ObservedState::Running; }));
        QCOMPARE(m_engine->creates, 1);
        QCOMPARE(view().sessions, 2);
    }

    void aFailedStartOfASessionIsSaid()
    {
        LeaseController *lease = m_house->newLease();
        domain::LifecycleOverride own;
        own.start = domain::StartPolicy::Session;
        BERTH_OK(setFor(lease, own));
        m_engine->failCreate =
            domain::Error{ErrorKind::NotFound, QStringLiteral("no such image"), {}, {}, {}};
        BERTH_OK(openFor(lease));
        QVERIFY(
            waitUntil([&] { return lease->lease().lastError == QStringLiteral("no such image"); }));
    }

    void theLastSessionStopsIt()
    {
        LeaseController *lease = readyLease();
        domain::LifecycleOverride own;
        own.stop = domain::StopPolicy::Session;
        BERTH_OK(setFor(lease, own));
        const auto first = openFor(lease);
        const auto second = openFor(lease);
        BERTH_OK(first);
        BERTH_OK(second);
        // 30 minutes without work do nothing to it while somebody sits there.
        for (int i = 0; i < 4; ++i) {
            m_clock->advance(minutes(14));
            BERTH_OK(m_house->lifecycle->sessions().heartbeat(first->session));
            BERTH_OK(m_house->lifecycle->sessions().heartbeat(second->session));
        }
        BERTH_OK(m_house->lifecycle->sessions().close(first->session));
        m_clock->advance(minutes(1));
        QCOMPARE(m_engine->pauses, 0);
        lease->commandStarted();
        BERTH_OK(m_house->lifecycle->sessions().close(second->session));
        m_clock->advance(minutes(60));
        QCOMPARE(m_engine->pauses, 0);
        lease->commandEnded();
        QVERIFY(comesToRest(lease));
        BERTH_FAILS(m_house->lifecycle->sessions().close(second->session), ErrorKind::NotFound);
    }

    void aSilentSessionEndsAfterAQuarterOfAnHour()
    {
        LeaseController *lease = readyLease();
        domain::LifecycleOverride own;
        own.stop = domain::StopPolicy::Session;
        BERTH_OK(setFor(lease, own));
        const auto session = openFor(lease);
        BERTH_OK(session);
        QCOMPARE(m_clock->wall().secsTo(session->endsAt), 15 * 60);
        // The client is gone; it might come back.
        m_house->lifecycle->sessions().forget(this);
        m_clock->advance(minutes(14));
        QCOMPARE(m_house->lifecycle->sessions().size(), 1);
        QCOMPARE(m_engine->pauses, 0);
        m_clock->advance(minutes(1));
        QCOMPARE(m_house->lifecycle->sessions().size(), 0);
        QVERIFY(comesToRest(lease));
    }

    void resumedByHandWithoutASessionGetsItsTime()
    {
        LeaseController *lease = readyLease();
        domain::LifecycleOverride own;
        own.stop = domain::StopPolicy::Session;
        BERTH_OK(setFor(lease, own));
        BERTH_OK(await(lease->pause(QStringLiteral("test"), {})));
        BERTH_OK(await(m_house->sandboxes->resume(lease->lease().id.toString(),
                                                  QStringLiteral("window"), {})));
        m_clock->advance(minutes(14));
        QCOMPARE(lease->lease().observed, ObservedState::Running);
        m_clock->advance(minutes(2));
        QVERIFY(comesToRest(lease));
    }

    void sessionsAreBounded()
    {
        LeaseController *lease = m_house->newLease();
        for (int i = 0; i < 100; ++i)
            BERTH_OK(openFor(lease));
        BERTH_FAILS(openFor(lease), ErrorKind::RateLimited);
        BERTH_FAILS(m_house->lifecycle->open(domain::ThreadId::create(), this, {}),
                    ErrorKind::NotFound);
        m_clock->advance(minutes(15));
        QCOMPARE(m_house->lifecycle->sessions().size(), 0);
        QCOMPARE(m_clock->sleepers(), 0);
    }

    void waitsGrowAndAreDrawnAtRandom()
    {
        const application::BackoffLimits limits{milliseconds(100), milliseconds(1000), 8,
                                                std::chrono::seconds(30)};
        QSet<qint64> firsts;
        for (int i = 0; i < 50; ++i) {
            application::Backoff backoff(limits);
            qint64 span = 100;
            for (int n = 0; n < 7; ++n) {
                const auto wait = backoff.next();
                QVERIFY(wait.has_value());
                QVERIFY2(wait->count() >= span / 2 && wait->count() <= span,
                         QByteArray::number(qlonglong(wait->count())).constData());
                if (n == 0)
                    firsts.insert(wait->count());
                span = std::min<qint64>(span * 2, 1000);
            }
            QVERIFY(!backoff.next().has_value());
        }
        QVERIFY(firsts.size() > 10);
        application::Backoff backoff(limits);
        QVERIFY(*backoff.next(std::chrono::seconds(7)) >= std::chrono::seconds(7));
        QVERIFY(!backoff.next(std::chrono::seconds(86'400)).has_value());
    }

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    std::shared_ptr<ScriptedEngine> m_engine;
    std::shared_ptr<FakeClock> m_clock;
    std::unique_ptr<House> m_house;
};

QTEST_GUILESS_MAIN(LifecycleTest)
#include "test_lifecycle.moc"
