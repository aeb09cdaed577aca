// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What crashes, lost answers and other people's hands leave behind, and who finishes it. The
// provider is scripted: no real engine fails in the middle on demand.
#include "fake_clock.h"
#include "house.h"
#include "storage/connection.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::test;
using application::LeaseController;
using application::OnGone;
using application::ReadySandbox;
using domain::DesiredState;
using std::chrono::milliseconds;
using std::chrono::minutes;

namespace {

//! Remembers what was run, and fails what it is told to.
class NotingConnection final : public ScriptedConnection
{
public:
    NotingConnection(std::shared_ptr<QStringList> ran, std::shared_ptr<QStringList> failing)
        : m_ran(std::move(ran)), m_failing(std::move(failing))
    {}
    Async<std::shared_ptr<domain::Execution>> start(domain::CommandSpec spec,
                                                    std::stop_token) override
    {
        const QString text = QString::fromUtf8(spec.shellText);
        *m_ran << text;
        if (m_failing->contains(text))
            co_return failure(ErrorKind::Unavailable, QStringLiteral("the sandbox died"));
        co_return std::make_shared<ScriptedExecution>();
    }

private:
    std::shared_ptr<QStringList> m_ran;
    std::shared_ptr<QStringList> m_failing;
};

using Landing = std::shared_ptr<std::optional<Result<ReadySandbox>>>;

struct Caller
{
    static async::Task<void> run(LeaseController *lease, Landing into)
    {
        const Result<ReadySandbox> ready =
            co_await lease->ensure(QStringLiteral("test"), OnGone::Tell, {}, {});
        into->emplace(ready);
    }
};

} // namespace

class ReconcileTest final : public QObject
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
    Landing ensureLater(LeaseController *lease) const
    {
        auto landing = std::make_shared<std::optional<Result<ReadySandbox>>>();
        Caller::run(lease, landing);
        return landing;
    }
    //! As after a crash: nothing was written at the end.
    void reopen()
    {
        m_house.reset();
        m_house = std::make_unique<House>(m_directory->path(), m_engine, m_clock);
    }
    LeaseController *only() const
    {
        const QList<application::SandboxView> rows = m_house->sandboxes->sandboxViews();
        return m_house->sandboxes->controllerOf(rows.first().id);
    }
    //! Every interval: state, seconds it lasted (-1: open).
    QList<std::pair<QString, qint64>> usage() const
    {
        auto connection =
            *storage::Connection::open(m_directory->filePath(QStringLiteral("sandbox.db")),
                                       storage::Connection::Mode::ReadOnly);
        QList<std::pair<QString, qint64>> intervals;
        auto rows = *connection->select(
            QStringLiteral("SELECT state, started_at, ended_at FROM usage_intervals ORDER BY id"));
        for (storage::Row &row : rows) {
            const QString state = row.text();
            const QDateTime from = row.time();
            const QDateTime to = row.time();
            intervals.append({state, to.isValid() ? from.secsTo(to) : -1});
        }
        return intervals;
    }
    static domain::Error failed(ErrorKind kind, std::optional<std::chrono::seconds> after = {})
    {
        return {kind, QStringLiteral("failed on purpose"), {}, {}, after};
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

    // Case 22: the request may still be under way.
    void anIntentBlocksANewCreateForAMinuteAndThenTheUserIsTold()
    {
        LeaseController *lease = m_house->newLease();
        m_engine->failCreate = failed(ErrorKind::Timeout);
        BERTH_FAILS(m_house->ensure(lease), ErrorKind::Timeout);
        QCOMPARE(lease->lease().observed, ObservedState::Unknown);
        m_engine->failCreate.reset();
        const domain::InstanceId token = lease->instance()->id;
        const int lists = m_engine->lists;
        const Landing ready = ensureLater(lease);
        m_clock->advance(std::chrono::seconds(58));
        QVERIFY(!ready->has_value());
        QVERIFY(m_engine->lists > lists + 20);
        QCOMPARE(m_engine->creates, 1);
        m_clock->advance(std::chrono::seconds(5));
        QVERIFY(waitUntil([&] { return ready->has_value(); }));
        BERTH_FAILS(**ready, ErrorKind::Conflict);
        QCOMPARE(m_engine->creates, 1);
        // Now it is the user's word, with the same token.
        BERTH_OK(m_house->ensure(lease));
        QCOMPARE(m_engine->creates, 2);
        QCOMPARE(lease->instance()->id, token);
        QCOMPARE(m_engine->instances.first().labels.instance, token);
    }

    void whatAppearsWithinTheMinuteIsTaken()
    {
        LeaseController *lease = m_house->newLease();
        m_engine->failCreate = failed(ErrorKind::Timeout);
        BERTH_FAILS(m_house->ensure(lease), ErrorKind::Timeout);
        m_engine->failCreate.reset();
        const Landing ready = ensureLater(lease);
        m_clock->advance(std::chrono::seconds(20));
        Instance late;
        late.externalId = ExternalId::create();
        late.state = ObservedState::Running;
        late.labels.installation = m_house->installation;
        late.labels.lease = lease->lease().id;
        late.labels.instance = lease->instance()->id;
        m_engine->instances << late;
        m_clock->advance(std::chrono::seconds(4));
        QVERIFY(waitUntil([&] { return ready->has_value(); }));
        BERTH_OK(**ready);
        QCOMPARE(m_engine->creates, 1);
        QCOMPARE(lease->instance()->externalId, late.externalId);
    }

    // Killed behind the create call, before its answer was recorded.
    void theReconcilerAdoptsByTokenAfterACrash()
    {
        LeaseController *lease = m_house->newLease();
        m_engine->loseCreateAnswer = failed(ErrorKind::Timeout);
        BERTH_FAILS(m_house->ensure(lease), ErrorKind::Timeout);
        reopen();
        BERTH_OK(await(m_house->sandboxes->start()));
        QVERIFY(waitUntil([&] { return only() && only()->hasLiveInstance(); }));
        QCOMPARE(only()->lease().observed, ObservedState::Running);
        QVERIFY(only()->isControlled());
        QCOMPARE(m_house->sandboxes->runtimeViews().size(), 1);
        QVERIFY(!m_house->sandboxes->runtimeViews().first().orphan);
        BERTH_OK(m_house->ensure(only()));
        QCOMPARE(m_engine->creates, 1);
    }

    // Killed between the intent and the create call: nothing is shown that is not there.
    void anIntentWithoutAnythingIsNotShownAndTheNextNeedMakesIt()
    {
        LeaseController *lease = m_house->newLease();
        m_engine->failCreate = failed(ErrorKind::Timeout);
        BERTH_FAILS(m_house->ensure(lease), ErrorKind::Timeout);
        m_engine->failCreate.reset();
        m_clock->advance(minutes(2));
        reopen();
        BERTH_OK(await(m_house->sandboxes->start()));
        BERTH_OK(await(m_house->sandboxes->refresh({})));
        QVERIFY(m_house->sandboxes->runtimeViews().isEmpty());
        BERTH_OK(m_house->ensure(only()));
        QCOMPARE(m_engine->instances.size(), 1);
    }

    void idempotentCallsAreRepeatedAndCreateIsNot()
    {
        LeaseController *lease = readyLease();
        m_engine->failPauses = {failed(ErrorKind::Unavailable)};
        Result<void> paused = failure(ErrorKind::Internal, QString());
        struct Pauser
        {
            static async::Task<void> run(LeaseController *lease, Result<void> *into, bool *done)
            {
                *into = co_await lease->pause(QStringLiteral("test"), {});
                *done = true;
            }
        };
        bool done = false;
        Pauser::run(lease, &paused, &done);
        QVERIFY(waitUntil([&] { return m_engine->pauses == 1; }));
        m_clock->advance(std::chrono::seconds(2));
        QVERIFY(waitUntil([&done] { return done; }));
        BERTH_OK(paused);
        QCOMPARE(m_engine->pauses, 2);
        // The provider asks for its time.
        m_engine->failResumes = {failed(ErrorKind::RateLimited, std::chrono::seconds(9))};
        const Landing ready = ensureLater(lease);
        QVERIFY(waitUntil([&] { return m_engine->resumes == 1; }));
        m_clock->advance(std::chrono::seconds(8));
        QVERIFY(!ready->has_value());
        m_clock->advance(std::chrono::seconds(2));
        QVERIFY(waitUntil([&] { return ready->has_value(); }));
        BERTH_OK(**ready);
        QCOMPARE(m_engine->resumes, 2);
        BERTH_OK(await(lease->destroy(QStringLiteral("test"), {})));
        m_engine->failCreate = failed(ErrorKind::Unavailable);
        const int creates = m_engine->creates;
        BERTH_FAILS(m_house->ensure(lease), ErrorKind::Unavailable);
        QCOMPARE(m_engine->creates, creates + 1);
    }

    // Case 19: 409 to pause of one that rests already; a failed resume is no reason to destroy.
    void refusalsAreLookedAt()
    {
        LeaseController *lease = readyLease();
        m_engine->instances.first().state = ObservedState::Paused;
        m_engine->failPauses = {failed(ErrorKind::Conflict)};
        BERTH_OK(await(lease->pause(QStringLiteral("test"), {})));
        m_engine->failResumes = {failed(ErrorKind::Protocol)};
        BERTH_FAILS(m_house->ensure(lease), ErrorKind::Protocol);
        QCOMPARE(lease->lease().observed, ObservedState::Unknown);
        QCOMPARE(lease->lease().lastError, QStringLiteral("failed on purpose"));
        QCOMPARE(m_engine->destroys, 0);
        QCOMPARE(m_engine->creates, 1);
        BERTH_OK(m_house->ensure(lease));
        QVERIFY(lease->lease().lastError.isEmpty());
        QCOMPARE(m_engine->creates, 1);
    }

    void setUpCommandsRunOnceButAgainAfterACrashBetweenThem()
    {
        const auto ran = std::make_shared<QStringList>();
        const auto failing = std::make_shared<QStringList>(QStringList{QStringLiteral("two")});
        m_engine->open = [ran, failing](const ExternalId &) {
            return std::make_shared<NotingConnection>(ran, failing);
        };
        BERTH_OK(m_house->providers->save(
            domain::ConfigName(QStringLiteral("scripted")),
            {{QStringLiteral("init_commands"), QStringLiteral("one\ntwo")}}));
        LeaseController *lease = m_house->newLease();
        BERTH_FAILS(m_house->ensure(lease), ErrorKind::Unavailable);
        QCOMPARE(*ran, (QStringList{QStringLiteral("one"), QStringLiteral("two")}));
        QCOMPARE(m_engine->creates, 1);
        ran->clear();
        failing->clear();
        reopen();
        BERTH_OK(await(m_house->sandboxes->start()));
        BERTH_OK(m_house->ensure(only()));
        QCOMPARE(ran->filter(QStringLiteral("o")),
                 (QStringList{QStringLiteral("one"), QStringLiteral("two")}));
        QCOMPARE(m_engine->creates, 1);
        ran->clear();
        reopen();
        BERTH_OK(await(m_house->sandboxes->start()));
        BERTH_OK(m_house->ensure(only()));
        QCOMPARE(*ran, QStringList{QStringLiteral(":")});
    }

    // Cases 13 and 14: what others do shows by itself; a broken stream is followed by a list.
    void outsideChangesAreToldAndFollowed()
    {
        m_engine->tells = true;
        BERTH_OK(await(m_house->sandboxes->start()));
        LeaseController *lease = readyLease();
        QVERIFY(waitUntil([&] { return bool(m_engine->watcher); }));
        const ExternalId id = lease->instance()->externalId;
        lease->commandStarted();
        m_engine->outside(id, ObservedState::Paused);
        m_clock->advance(milliseconds(900));
        QVERIFY(waitUntil([&] { return lease->lease().observed == ObservedState::Paused; }));
        QVERIFY(lease->isConnected());
        m_engine->outside(id, ObservedState::Running);
        m_clock->advance(milliseconds(900));
        QVERIFY(waitUntil([&] { return lease->lease().observed == ObservedState::Running; }));
        lease->commandEnded();
        QCOMPARE(m_engine->pauses + m_engine->resumes, 0);

        m_engine->loseWatch();
        spin(milliseconds(10));
        m_engine->outside(id, ObservedState::Stopped);
        m_clock->advance(std::chrono::seconds(2));
        QVERIFY(waitUntil([&] { return lease->lease().observed == ObservedState::Stopped; }));
        QVERIFY(waitUntil([&] { return m_engine->watches == 2; }));

        m_engine->outside(id, ObservedState::Gone);
        m_clock->advance(milliseconds(900));
        QVERIFY(waitUntil([&] { return lease->lease().observed == ObservedState::Gone; }));
        QVERIFY(m_house->sandboxes->runtimeViews().isEmpty());
        BERTH_FAILS(m_house->ensure(lease), ErrorKind::NotFound);
    }

    // Somebody takes our pause back: the next round does not pause it again.
    void theLastWordIsTheUsersWhereverItIsSaid()
    {
        BERTH_OK(await(m_house->sandboxes->start()));
        LeaseController *lease = readyLease();
        BERTH_OK(await(lease->pause(QStringLiteral("test"), {})));
        m_engine->instances.first().state = ObservedState::Running;
        m_clock->advance(minutes(4));
        QVERIFY(waitUntil([&] { return lease->lease().observed == ObservedState::Running; }));
        m_clock->advance(minutes(4));
        QCOMPARE(m_engine->pauses, 1);
        QCOMPARE(lease->lease().desired, DesiredState::Running);
    }

    void aPauseThatNeverHappensIsFinishedAndFlagged()
    {
        BERTH_OK(await(m_house->sandboxes->start()));
        LeaseController *lease = readyLease();
        for (int i = 0; i < 5; ++i)
            m_engine->failPauses << failed(ErrorKind::Protocol);
        BERTH_FAILS(await(lease->pause(QStringLiteral("test"), {})), ErrorKind::Protocol);
        m_clock->advance(minutes(10));
        QVERIFY(waitUntil([&] {
            return lease->lease().lastError.startsWith(QStringLiteral("Should be paused"));
        }));
        m_clock->advance(minutes(10));
        QVERIFY(waitUntil([&] { return lease->lease().observed == ObservedState::Paused; }));
        QVERIFY(lease->lease().lastError.isEmpty());
    }

    void destroyCanBeUndone()
    {
        LeaseController *lease = readyLease();
        const QString id = lease->lease().id.toString();
        const auto view = await(m_house->sandboxes->destroy(id, QStringLiteral("window"), 8s, {}));
        BERTH_OK(view);
        QCOMPARE(view->observed, ObservedState::Paused);
        QCOMPARE(m_clock->wall().secsTo(view->destroyDueAt), 8);
        BERTH_FAILS(m_house->ensure(lease), ErrorKind::Conflict);
        m_clock->advance(7s);
        const auto undone =
            await(m_house->sandboxes->undoDestroy(id, QStringLiteral("window"), {}));
        BERTH_OK(undone);
        // It ran before, so it runs again.
        QCOMPARE(undone->observed, ObservedState::Running);
        QVERIFY(!undone->destroyDueAt.isValid());
        m_clock->advance(minutes(5));
        QCOMPARE(m_engine->destroys, 0);
        BERTH_FAILS(await(m_house->sandboxes->undoDestroy(id, QStringLiteral("window"), {})),
                    ErrorKind::Conflict);
    }

    void aDestroyThatIsNotUndoneHappens()
    {
        LeaseController *lease = readyLease();
        const QString id = lease->lease().id.toString();
        BERTH_OK(await(m_house->sandboxes->destroy(id, QStringLiteral("window"), 8s, {})));
        m_clock->advance(9s);
        QVERIFY(waitUntil([&] { return m_engine->instances.isEmpty(); }));
        QVERIFY(waitUntil([&] { return lease->lease().observed == ObservedState::Gone; }));
        // A clean end: the next need is a fresh one.
        BERTH_OK(m_house->ensure(lease));
    }

    void aCrashFinishesTheDestroy()
    {
        LeaseController *lease = readyLease();
        BERTH_OK(await(m_house->sandboxes->destroy(lease->lease().id.toString(),
                                                   QStringLiteral("window"), 8s, {})));
        reopen();
        m_clock->advance(9s);
        BERTH_OK(await(m_house->sandboxes->start()));
        QVERIFY(waitUntil([&] { return m_engine->instances.isEmpty(); }));
        QCOMPARE(m_engine->creates, 1);
    }

    void whatCannotPauseIsDestroyedAtOnce()
    {
        m_engine->can =
            domain::Capabilities().deny(domain::Capability::Pause, QStringLiteral("no"));
        LeaseController *lease = readyLease();
        const auto view = await(m_house->sandboxes->destroy(lease->lease().id.toString(),
                                                            QStringLiteral("window"), 8s, {}));
        BERTH_OK(view);
        QVERIFY(m_engine->instances.isEmpty());
    }

    void useIsRecordedAndACrashEndsItWhereItWasLastSeen()
    {
        BERTH_OK(await(m_house->sandboxes->start()));
        LeaseController *lease = readyLease();
        m_clock->advance(minutes(10));
        BERTH_OK(await(lease->pause(QStringLiteral("test"), {})));
        m_clock->advance(minutes(10));
        BERTH_OK(m_house->ensure(lease));
        m_clock->advance(minutes(6)); // seen by the rounds, the last one at most 3 minutes ago
        BERTH_OK(await(m_house->sandboxes->refresh({})));
        using Intervals = QList<std::pair<QString, qint64>>;
        auto working = [this] {
            Intervals list = usage();
            list.removeIf([](const auto &one) { return one.second == 0; });
            return list;
        };
        const QString running = QStringLiteral("running");
        const QString paused = QStringLiteral("paused");
        QCOMPARE(working(), (Intervals{{running, 600}, {paused, 600}, {running, -1}}));
        // Crashed; an hour later it has been restarted by somebody in between.
        reopen();
        m_clock->advance(minutes(60));
        m_engine->instances.first().startedAt = m_clock->wall().addSecs(-60);
        BERTH_OK(await(m_house->sandboxes->start()));
        QVERIFY(waitUntil([&] { return working().size() == 4; }));
        QCOMPARE(working(),
                 (Intervals{{running, 600}, {paused, 600}, {running, 360}, {running, -1}}));
        m_clock->advance(minutes(1));
        BERTH_OK(await(only()->destroy(QStringLiteral("test"), {})));
        QCOMPARE(working(),
                 (Intervals{{running, 600}, {paused, 600}, {running, 360}, {running, 60}}));
    }

    void aSandboxThatRanOnThroughACrashIsCountedWithoutAGap()
    {
        BERTH_OK(await(m_house->sandboxes->start()));
        LeaseController *lease = readyLease();
        m_engine->instances.first().startedAt = m_clock->wall();
        m_clock->advance(minutes(6));
        BERTH_OK(await(m_house->sandboxes->refresh({})));
        Q_UNUSED(lease)
        reopen();
        m_clock->advance(minutes(60));
        BERTH_OK(await(m_house->sandboxes->start()));
        BERTH_OK(await(m_house->sandboxes->refresh({})));
        BERTH_OK(await(only()->destroy(QStringLiteral("test"), {})));
        qint64 sum = 0;
        for (const auto &[state, seconds] : usage())
            sum += seconds;
        QCOMPARE(sum, 66 * 60);
    }

    void onExitIsParallelBoundedAndFinishedByTheNextStart()
    {
        QList<LeaseController *> leases{readyLease(), readyLease(), readyLease()};
        m_engine->pauseTakes = milliseconds(60'000);
        QStringList told;
        const application::ExitSink tell = [&told](const QString &, int done, int total) {
            told << QStringLiteral("%1/%2").arg(done).arg(total);
        };
        struct Exit
        {
            static async::Task<void> run(application::SandboxService *sandboxes,
                                         application::ExitSink tell, bool *done)
            {
                const Result<void> ended = co_await sandboxes->applyOnExit(10s, tell);
                *done = bool(ended);
            }
        };
        bool done = false;
        Exit::run(m_house->sandboxes.get(), tell, &done);
        QVERIFY(waitUntil([&] { return m_engine->pauses == 3; }));
        for (const LeaseController *lease : leases)
            QCOMPARE(lease->lease().desired, DesiredState::Paused);
        QVERIFY(!done);
        m_clock->advance(10s);
        QVERIFY(waitUntil([&done] { return done; }, milliseconds(3000)));
        QCOMPARE(told,
                 (QStringList{QStringLiteral("0/3"), QStringLiteral("1/3"), QStringLiteral("2/3"),
                              QStringLiteral("3/3")}));
        m_engine->pauseTakes = milliseconds(0);
        reopen();
        BERTH_OK(await(m_house->sandboxes->start()));
        QVERIFY(waitUntil([&] {
            return std::all_of(
                m_engine->instances.begin(), m_engine->instances.end(),
                [](const Instance &one) { return one.state == ObservedState::Paused; });
        }));
    }

    void whatAnOrphanUsedGoesWithIt()
    {
        Instance orphan;
        orphan.externalId = ExternalId(QStringLiteral("lost"));
        orphan.state = ObservedState::Running;
        orphan.labels.installation = m_house->installation;
        orphan.labels.lease = domain::LeaseId::create();
        m_engine->instances = {orphan};
        BERTH_OK(await(m_house->sandboxes->refresh({})));
        const QString id = m_house->sandboxes->runtimeViews().first().id;
        BERTH_OK(await(m_house->sandboxes->pause(id, QStringLiteral("test"), {})));
        QCOMPARE(m_house->sandboxes->runtimeViews().first().observed, ObservedState::Paused);
        m_engine->instances.clear();
        BERTH_FAILS(await(m_house->sandboxes->resume(id, QStringLiteral("test"), {})),
                    ErrorKind::NotFound);
        QVERIFY(m_house->sandboxes->runtimeViews().isEmpty());
    }

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    std::shared_ptr<ScriptedEngine> m_engine;
    std::shared_ptr<FakeClock> m_clock;
    std::unique_ptr<House> m_house;
};

QTEST_GUILESS_MAIN(ReconcileTest)
#include "test_reconcile.moc"
