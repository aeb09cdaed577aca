// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/storage_files.h"

#include "domain/secret.h"
#include "storage/connection.h"

#include <QtTest/QTest>

using namespace berth;
using namespace berth::domain;
using berth::test::await;
using berth::test::StorageFiles;

class LeaseStoreTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<StorageFiles> files;

    QList<storage::Row> directly(const QString &sql) const
    {
        auto connection =
            storage::Connection::open(files->paths.sandboxDb, storage::Connection::Mode::ReadWrite);
        auto rows = (*connection)->select(sql);
        return rows ? *rows : QList<storage::Row>();
    }

    Lease added() const
    {
        return await(files->leases().addLease(StorageFiles::lease(),
                                              StorageFiles::event(QStringLiteral("ensure"))))
            .value();
    }

    UsageInterval usage(const Lease &lease, ObservedState state, const QString &at) const
    {
        UsageInterval interval;
        interval.lease = lease.id;
        interval.providerConfig = lease.providerConfig;
        interval.state = state;
        interval.startedAt = fromWireTime(at);
        return interval;
    }

    //! "running 10:00:00-11:00:00" for each, in order.
    QStringList intervals() const
    {
        QStringList result;
        for (storage::Row row :
             directly(QStringLiteral("SELECT state, started_at, ended_at FROM usage_intervals "
                                     "ORDER BY id"))) {
            const QString state = row.text();
            const QDateTime start = row.time();
            const QDateTime end = row.time();
            result << state + start.toString(QStringLiteral(" HH:mm-"))
                    + end.toString(QStringLiteral("HH:mm"));
        }
        return result;
    }

private Q_SLOTS:
    void init()
    {
        files = std::make_unique<StorageFiles>();
        BERTH_OK(files->open());
    }
    void cleanup() { files.reset(); }

    void aLeaseComesBackWhole()
    {
        Lease lease = StorageFiles::lease();
        lease.engineId = QStringLiteral("ENGINE");
        lease.onExit = OnExit::Destroy;
        lease.lastError = QStringLiteral("no such image");
        lease.observedAt = fromWireTime(QStringLiteral("2026-05-01T10:00:00.001Z"));
        lease.destroyDueAt = fromWireTime(QStringLiteral("2026-05-01T10:00:08.000Z"));
        lease.desired = DesiredState::Destroyed;
        const Result<Lease> stored =
            await(files->leases().addLease(lease, StorageFiles::event(QStringLiteral("ensure"))));
        BERTH_OK(stored);
        QCOMPARE(stored->version, 1);
        BERTH_OK(files->reopen());
        const Result<QList<LeaseWithInstance>> leases = await(files->leases().leases());
        BERTH_OK(leases);
        QCOMPARE(leases->size(), 1);
        QVERIFY(!leases->first().instance);
        const Lease &back = leases->first().lease;
        QVERIFY(back.id == lease.id);
        QVERIFY(back.sandbox == lease.sandbox);
        QVERIFY(back.agent == lease.agent);
        QVERIFY(back.installation == lease.installation);
        QCOMPARE(back.alias, lease.alias);
        QCOMPARE(back.providerName, lease.providerName);
        QVERIFY(back.providerConfig == lease.providerConfig);
        QCOMPARE(back.engineId, lease.engineId);
        QVERIFY(back.desired == lease.desired);
        QVERIFY(back.observed == lease.observed);
        QVERIFY(back.onExit == lease.onExit);
        QCOMPARE(back.lastError, lease.lastError);
        QCOMPARE(back.observedAt, lease.observedAt);
        QCOMPARE(back.destroyDueAt, lease.destroyDueAt);
        QCOMPARE(back.version, 1);
        QVERIFY(back.createdAt.isValid());
    }

    void everyStateIsStored()
    {
        Lease lease = added();
        for (int state = 0; state <= int(ObservedState::Unknown); ++state) {
            lease.observed = ObservedState(state);
            Result<Lease> next = await(files->leases().transition(
                lease, std::nullopt, StorageFiles::event(QStringLiteral("observed"))));
            BERTH_OK(next);
            lease = *next;
            QCOMPARE(int(await(files->leases().leases())->first().lease.observed), state);
        }
        QCOMPARE(lease.version, 1 + 9);
    }

    void oneLeasePerSandbox()
    {
        const Lease lease = added();
        Lease second = StorageFiles::lease();
        second.sandbox = lease.sandbox;
        BERTH_FAILS(
            await(files->leases().addLease(second, StorageFiles::event(QStringLiteral("ensure")))),
            ErrorKind::Conflict);
        // Nothing of the refused one stayed.
        QVERIFY(await(files->leases().events(second.id, 10))->isEmpty());
    }

    void transitionsSwapOnTheVersion()
    {
        const Lease lease = added();
        InstanceRecord instance;
        instance.id = InstanceId::create();
        instance.name = QStringLiteral("berth-x");
        Lease mine = lease;
        mine.observed = ObservedState::Running;
        Result<Lease> first = await(files->leases().transition(
            mine, instance, StorageFiles::event(QStringLiteral("created"))));
        BERTH_OK(first);
        QCOMPARE(first->version, 2);

        // Another one that looked before: it loses, and nothing of it is stored.
        Lease stale = lease;
        stale.observed = ObservedState::Paused;
        InstanceRecord other;
        other.id = InstanceId::create();
        other.name = QStringLiteral("second");
        BERTH_FAILS(await(files->leases().transition(
                        stale, other, StorageFiles::event(QStringLiteral("paused")))),
                    ErrorKind::Conflict);
        const Result<QList<LeaseWithInstance>> leases = await(files->leases().leases());
        BERTH_OK(leases);
        QVERIFY(leases->first().lease.observed == ObservedState::Running);
        QVERIFY(leases->first().instance->id == instance.id);
        QCOMPARE(await(files->leases().events(lease.id, 10))->size(), 2);

        stale.id = LeaseId::create();
        BERTH_FAILS(await(files->leases().transition(stale, std::nullopt,
                                                     StorageFiles::event(QStringLiteral("x")))),
                    ErrorKind::NotFound);
    }

    void twoTransitionsAtOnceHaveOneWinner()
    {
        const Lease lease = added();
        QList<Result<Lease>> answers;
        for (int i = 0; i < 8; ++i)
            transitionInto(files.get(), lease, &answers);
        QVERIFY(test::waitUntil([&answers] { return answers.size() == 8; }));
        QCOMPARE(std::count_if(answers.cbegin(), answers.cend(),
                               [](const auto &a) { return a.has_value(); }),
                 1);
        QCOMPARE(await(files->leases().leases())->first().lease.version, 2);
    }

    void theNewestInstanceThatIsNotGoneIsTheLeases()
    {
        Lease lease = added();
        InstanceRecord first;
        first.id = InstanceId::create();
        first.createdAt = fromWireTime(QStringLiteral("2026-05-01T10:00:00.000Z"));
        first.status = InstanceStatus::Creating;
        lease = await(files->leases().transition(lease, first,
                                                 StorageFiles::event(QStringLiteral("ensure"))))
                    .value();
        QVERIFY(await(files->leases().leases())->first().instance->externalId.isNull());
        first.status = InstanceStatus::Live;
        first.externalId = ExternalId(QStringLiteral("c0ffee"));
        first.image = QStringLiteral("python:3.12-slim");
        first.lastSeenAt = fromWireTime(QStringLiteral("2026-05-01T10:00:09.000Z"));
        lease = await(files->leases().transition(lease, first,
                                                 StorageFiles::event(QStringLiteral("created"))))
                    .value();
        const std::optional<InstanceRecord> live =
            await(files->leases().leases())->first().instance;
        QVERIFY(live && live->status == InstanceStatus::Live);
        QCOMPARE(live->externalId.toString(), QStringLiteral("c0ffee"));
        QCOMPARE(live->image, first.image);
        QCOMPARE(live->createdAt, first.createdAt);
        QCOMPARE(live->lastSeenAt, first.lastSeenAt);
        first.status = InstanceStatus::Gone;
        lease = await(files->leases().transition(lease, first,
                                                 StorageFiles::event(QStringLiteral("gone"))))
                    .value();
        QVERIFY(!await(files->leases().leases())->first().instance);
        InstanceRecord second;
        second.id = InstanceId::create();
        lease = await(files->leases().transition(lease, second,
                                                 StorageFiles::event(QStringLiteral("ensure"))))
                    .value();
        QVERIFY(await(files->leases().leases())->first().instance->id == second.id);
    }

    void anInstanceStaysWithItsLease()
    {
        const Lease one = added();
        const Lease two = added();
        InstanceRecord instance;
        instance.id = InstanceId::create();
        BERTH_OK(await(files->leases().transition(one, instance,
                                                  StorageFiles::event(QStringLiteral("ensure")))));
        BERTH_FAILS(await(files->leases().transition(
                        two, instance, StorageFiles::event(QStringLiteral("ensure")))),
                    ErrorKind::Conflict);
    }

    void eventsComeNewestFirstAndAgeOut()
    {
        files->now = fromWireTime(QStringLiteral("2026-01-01T00:00:00.000Z"));
        Lease lease = added();
        for (int i = 0; i < 5; ++i) {
            LeaseEvent event = StorageFiles::event(QStringLiteral("observed"));
            event.payload = QString::number(i);
            event.error = QStringLiteral("e");
            lease = await(files->leases().transition(lease, std::nullopt, event)).value();
        }
        Result<QList<LeaseEvent>> events = await(files->leases().events(lease.id, 2));
        BERTH_OK(events);
        QCOMPARE(events->size(), 2);
        QCOMPARE(events->first().payload, QStringLiteral("4"));
        QCOMPARE(events->first().source, QStringLiteral("window"));
        QCOMPARE(events->first().error, QStringLiteral("e"));
        QCOMPARE(events->first().at, files->now);

        files->now = files->now.addDays(89);
        lease = await(files->leases().transition(lease, std::nullopt,
                                                 StorageFiles::event(QStringLiteral("late"))))
                    .value();
        QCOMPARE(await(files->leases().events(lease.id, 100))->size(), 7);
        files->now = files->now.addDays(2);
        BERTH_OK(files->reopen());
        events = await(files->leases().events(lease.id, 100));
        BERTH_OK(events);
        QCOMPARE(events->size(), 1);
        QCOMPARE(events->first().type, QStringLiteral("late"));
    }

    void aTerminalComesBackInOrder()
    {
        const Lease lease = added();
        Terminal terminal;
        terminal.id = TerminalId::create();
        terminal.thread = ThreadId::create();
        terminal.lease = lease.id;
        terminal.cwd = QByteArrayLiteral("/srv/\xc3\xa4\xff\n");
        terminal.environmentDelta = {{"ZED", "1"},
                                     {"ALPHA", ""},
                                     {"BYTES", QByteArrayLiteral("\xff\xfe\"\n")},
                                     {"\xe4\xbd\xa0", "\xe5\xa5\xbd"}};
        terminal.stateVersion = 7;
        QVERIFY(!await(files->leases().terminal(terminal.thread)).value());
        BERTH_OK(await(files->leases().saveTerminal(terminal)));
        terminal.stateVersion = 8;
        BERTH_OK(await(files->leases().saveTerminal(terminal)));
        BERTH_OK(files->reopen());
        const Result<std::optional<Terminal>> stored =
            await(files->leases().terminal(terminal.thread));
        BERTH_OK(stored);
        QVERIFY(stored->has_value());
        QVERIFY((*stored)->id == terminal.id);
        QVERIFY((*stored)->lease == lease.id);
        QCOMPARE((*stored)->cwd, terminal.cwd);
        QCOMPARE((*stored)->environmentDelta, terminal.environmentDelta);
        QVERIFY((*stored)->withheld.isEmpty());
        QCOMPARE((*stored)->stateVersion, 8);
    }

    void keysAreNotStored_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char *name :
             {"OPENAI_API_KEY", "api_key", "GITHUB_TOKEN", "MY_SECRET_THING", "PGPASSWORD",
              "PASSPHRASE", "AWS_CREDENTIALS", "HTTP_AUTH", "X_AUTHORIZATION"})
            QTest::newRow(name) << QByteArray(name);
    }

    void keysAreNotStored()
    {
        QFETCH(QByteArray, name);
        Terminal terminal;
        terminal.id = TerminalId::create();
        terminal.thread = ThreadId::create();
        terminal.cwd = QByteArrayLiteral("/");
        terminal.environmentDelta = {{"PLAIN", "kept"}, {name, "canary-2c41d7"}};
        BERTH_OK(await(files->leases().saveTerminal(terminal)));
        const Result<std::optional<Terminal>> stored =
            await(files->leases().terminal(terminal.thread));
        BERTH_OK(stored);
        QCOMPARE((*stored)->environmentDelta, (Environment{{"PLAIN", "kept"}}));
        QCOMPARE((*stored)->withheld, QList<QByteArray>{name});
        // Not in the log beside the file either, while it is open.
        QVERIFY(!test::contentOf(files->paths.sandboxDb + QStringLiteral("-wal"))
                     .contains("canary-2c41d7"));
        // What comes from the store and goes back keeps the note.
        BERTH_OK(await(files->leases().saveTerminal(**stored)));
        QCOMPARE((*await(files->leases().terminal(terminal.thread)))->withheld,
                 QList<QByteArray>{name});
        BERTH_OK(files->close());
        QVERIFY(!test::contentOf(files->paths.sandboxDb).contains("canary-2c41d7"));
        QVERIFY(test::contentOf(files->paths.sandboxDb).contains("kept"));
    }

    void knownKeysAreNotStoredUnderAnyName()
    {
        const Secret secret(QByteArrayLiteral("sk-canary-99ab77"));
        Terminal terminal;
        terminal.id = TerminalId::create();
        terminal.thread = ThreadId::create();
        terminal.cwd = QByteArrayLiteral("/");
        terminal.environmentDelta = {{"INNOCENT", "url=https://u:sk-canary-99ab77@host/"},
                                     {"PLAIN", "kept"}};
        BERTH_OK(await(files->leases().saveTerminal(terminal)));
        const Result<std::optional<Terminal>> stored =
            await(files->leases().terminal(terminal.thread));
        BERTH_OK(stored);
        QCOMPARE((*stored)->environmentDelta, (Environment{{"PLAIN", "kept"}}));
        BERTH_OK(files->close());
        QVERIFY(!test::contentOf(files->paths.sandboxDb).contains("sk-canary-99ab77"));
    }

    void usageHasOneOpenIntervalPerLease()
    {
        const Lease lease = added();
        auto record = [this, &lease](ObservedState state, const QString &at) {
            return await(files->leases().recordUsage(usage(lease, state, at)));
        };
        BERTH_OK(record(ObservedState::Starting, QStringLiteral("2026-05-01T10:00:00.000Z")));
        BERTH_OK(record(ObservedState::Running, QStringLiteral("2026-05-01T10:01:00.000Z")));
        BERTH_OK(record(ObservedState::Running, QStringLiteral("2026-05-01T10:30:00.000Z")));
        BERTH_OK(record(ObservedState::Paused, QStringLiteral("2026-05-01T11:00:00.000Z")));
        BERTH_OK(record(ObservedState::Gone, QStringLiteral("2026-05-01T12:00:00.000Z")));
        BERTH_OK(record(ObservedState::Gone, QStringLiteral("2026-05-01T12:30:00.000Z")));
        BERTH_OK(record(ObservedState::Running, QStringLiteral("2026-05-01T13:00:00.000Z")));
        BERTH_OK(record(ObservedState::Unknown, QStringLiteral("2026-05-01T13:30:00.000Z")));
        QCOMPARE(intervals(),
                 (QStringList{
                     QStringLiteral("starting 10:00-10:01"), QStringLiteral("running 10:01-11:00"),
                     QStringLiteral("paused 11:00-12:00"), QStringLiteral("running 13:00-13:30")}));
    }

    void aClockSetBackMakesNoNegativeInterval()
    {
        const Lease lease = added();
        BERTH_OK(await(files->leases().recordUsage(
            usage(lease, ObservedState::Running, QStringLiteral("2026-05-01T10:00:00.000Z")))));
        BERTH_OK(await(files->leases().recordUsage(
            usage(lease, ObservedState::Paused, QStringLiteral("2026-05-01T09:00:00.000Z")))));
        QCOMPARE(
            intervals(),
            (QStringList{QStringLiteral("running 10:00-10:00"), QStringLiteral("paused 09:00-")}));
    }

    void transitionsRecordUseAndACrashEndsItWhereItWasLastSeen()
    {
        Lease lease = added();
        InstanceRecord instance;
        instance.id = InstanceId::create();
        instance.lease = lease.id;
        instance.externalId = ExternalId(QStringLiteral("c1"));
        instance.status = InstanceStatus::Live;
        instance.initialised = true;
        instance.createdAt = fromWireTime(QStringLiteral("2026-05-01T10:00:00.000Z"));
        LeaseEvent event = StorageFiles::event(QStringLiteral("running"));
        event.at = instance.createdAt;
        lease.observed = ObservedState::Running;
        lease.observedAt = event.at;
        const Result<Lease> running = await(files->leases().transition(lease, instance, event));
        BERTH_OK(running);
        // A moment that is told late does not turn the time back.
        for (const char *at : {"2026-05-01T10:20:00.000Z", "2026-05-01T10:10:00.000Z"})
            BERTH_OK(
                await(files->leases().noteSeen({lease.id}, fromWireTime(QString::fromLatin1(at)))));
        QCOMPARE(intervals(), QStringList{QStringLiteral("running 10:00-")});
        BERTH_OK(files->reopen());
        BERTH_OK(await(files->leases().endUnwatchedUsage()));
        QCOMPARE(intervals(), QStringList{QStringLiteral("running 10:00-10:20")});
        const auto known = await(files->leases().leases());
        BERTH_OK(known);
        QVERIFY(known->first().instance->initialised);
        // What rests goes on without anybody watching.
        lease = *running;
        lease.observed = ObservedState::Paused;
        event.at = fromWireTime(QStringLiteral("2026-05-01T11:00:00.000Z"));
        BERTH_OK(await(files->leases().transition(lease, std::nullopt, event)));
        BERTH_OK(await(files->leases().endUnwatchedUsage()));
        QCOMPARE(
            intervals(),
            (QStringList{QStringLiteral("running 10:00-10:20"), QStringLiteral("paused 11:00-")}));
    }

    void usageIsKeptForThirteenMonths()
    {
        files->now = fromWireTime(QStringLiteral("2026-05-02T00:00:00.000Z"));
        const Lease lease = added();
        BERTH_OK(await(files->leases().recordUsage(
            usage(lease, ObservedState::Running, QStringLiteral("2026-05-01T10:00:00.000Z")))));
        BERTH_OK(await(files->leases().recordUsage(
            usage(lease, ObservedState::Paused, QStringLiteral("2026-05-01T11:00:00.000Z")))));
        files->now = fromWireTime(QStringLiteral("2027-05-30T00:00:00.000Z"));
        BERTH_OK(files->reopen());
        QCOMPARE(intervals().size(), 2);
        files->now = fromWireTime(QStringLiteral("2027-06-02T00:00:00.000Z"));
        BERTH_OK(files->reopen());
        // The open one lasts until today.
        QCOMPARE(intervals(), (QStringList{QStringLiteral("paused 11:00-")}));
    }

    void usageOfNoLeaseIsRefused()
    {
        BERTH_FAILS(
            await(files->leases().recordUsage(usage(StorageFiles::lease(), ObservedState::Running,
                                                    QStringLiteral("2026-05-01T10:00:00.000Z")))),
            ErrorKind::Conflict);
    }

private:
    static async::Task<void> transitionInto(StorageFiles *files, Lease lease,
                                            QList<Result<Lease>> *answers)
    {
        Result<Lease> answer = co_await files->leases().transition(
            lease, std::nullopt, StorageFiles::event(QStringLiteral("race")));
        answers->append(answer);
    }
};

QTEST_GUILESS_MAIN(LeaseStoreTest)
#include "test_lease_store.moc"
