// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/storage_files.h"

#include "storage/database.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QSemaphore>
#include <QtCore/QThread>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::domain;
using namespace berth::storage;
using berth::test::await;
using berth::test::StorageFiles;

namespace {

struct Trace
{
    QThread *before = nullptr;
    QThread *work = nullptr;
    QThread *after = nullptr;
    bool done = false;
};

async::Task<void> traced(DatabaseThread *thread, Trace *trace)
{
    trace->before = QThread::currentThread();
    const std::function<Result<int>()> work = [trace]() -> Result<int> {
        trace->work = QThread::currentThread();
        return 42;
    };
    Result<int> answer = co_await thread->run<int>(work);
    trace->after = QThread::currentThread();
    trace->done = answer && *answer == 42;
}

async::Task<void> addNumber(Database *database, int number, QList<int> *stored,
                            QList<Error> *refused)
{
    const Database::Work<int> work = [number](Connection &c) -> Result<int> {
        const Result<qint64> added =
            c.execute(QStringLiteral("INSERT INTO numbers VALUES (?)"), {column(number)});
        if (!added)
            return failure(added.error());
        return number;
    };
    Result<int> answer = co_await database->write<int>(work);
    if (answer)
        stored->append(*answer);
    else
        refused->append(answer.error());
}

async::Task<void> closeThread(DatabaseThread *thread, bool *closed)
{
    co_await thread->close();
    *closed = true;
}

async::Task<void> runBlocked(DatabaseThread *thread, QSemaphore *gate, int *answered, int *refused)
{
    const std::function<Result<void>()> work = [gate]() -> Result<void> {
        gate->acquire();
        gate->release();
        return {};
    };
    Result<void> answer = co_await thread->run<void>(work);
    ++(answer ? *answered : *refused);
}

} // namespace

class DatabaseTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> folder;

    FileSpec spec() const
    {
        FileSpec spec;
        spec.path = folder->filePath(QStringLiteral("test.db"));
        spec.plan.steps = {{1, QStringLiteral("one"),
                            QStringLiteral("CREATE TABLE numbers (n INTEGER PRIMARY KEY);")}};
        spec.plan.applicationId = 7;
        return spec;
    }

    static Result<QList<int>> numbers(Database &database)
    {
        return await(database.read<QList<int>>([](Connection &c) -> Result<QList<int>> {
            Result<QList<Row>> rows = c.select(QStringLiteral("SELECT n FROM numbers ORDER BY n"));
            if (!rows)
                return failure(rows.error());
            QList<int> found;
            for (Row &row : *rows)
                found << int(row.integer());
            return found;
        }));
    }

private Q_SLOTS:
    void init() { folder = std::make_unique<QTemporaryDir>(); }

    void answersResumeOnTheCallersThread()
    {
        DatabaseThread database;
        Trace here;
        traced(&database, &here);
        QVERIFY(!here.done);
        QVERIFY(test::waitUntil([&here] { return here.done; }));
        QCOMPARE(here.before, QThread::currentThread());
        QCOMPARE(here.after, QThread::currentThread());
        QVERIFY(here.work != QThread::currentThread());

        // And for a caller on another thread on that one.
        QThread engine;
        QObject context;
        context.moveToThread(&engine);
        engine.start();
        Trace there;
        async::post(&context, [&database, &there] { traced(&database, &there); });
        QVERIFY(test::waitUntil([&there] { return there.done; }));
        QCOMPARE(there.before, &engine);
        QCOMPARE(there.after, &engine);
        QCOMPARE(there.work, here.work);
        engine.quit();
        QVERIFY(engine.wait(5000));
    }

    void theCallersThreadIsNeverHeldUp()
    {
        DatabaseThread database;
        QSemaphore gate;
        int answered = 0;
        int refused = 0;
        runBlocked(&database, &gate, &answered, &refused);
        int ticks = 0;
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [&ticks] { ++ticks; });
        timer.start(5);
        QVERIFY(test::waitUntil([&ticks] { return ticks > 20; }));
        QCOMPARE(answered, 0);
        gate.release();
        QVERIFY(test::waitUntil([&answered] { return answered == 1; }));
    }

    void closingStoresWhatWasGiven()
    {
        DatabaseThread thread;
        QList<int> stored;
        QList<Error> refused;
        {
            const auto database = await(Database::open(&thread, spec())).value();
            for (int i = 0; i < 500; ++i)
                addNumber(database.get(), i, &stored, &refused);
            database->close();
            addNumber(database.get(), 1000, &stored, &refused);
            bool closed = false;
            closeThread(&thread, &closed);
            addNumber(database.get(), 1001, &stored, &refused);
            QVERIFY(test::waitUntil([&closed] { return closed; }));
            QVERIFY(test::waitUntil([&] { return stored.size() + refused.size() == 502; }));
        }
        QCOMPARE(stored.size(), 500);
        QCOMPARE(refused.size(), 2);
        for (const Error &error : std::as_const(refused))
            QVERIFY(error.kind == ErrorKind::Unavailable);
        // One whole file, without a log.
        QVERIFY(!QFile::exists(spec().path + QStringLiteral("-wal")));
        bool again = false;
        closeThread(&thread, &again);
        QVERIFY(again);

        DatabaseThread next;
        const auto database = await(Database::open(&next, spec())).value();
        QCOMPARE(numbers(*database)->size(), 500);
    }

    void destroyingStoresWhatWasGiven()
    {
        {
            StorageFiles files;
            BERTH_OK(files.open());
            files.drop();
        }
        QList<int> stored;
        QList<Error> refused;
        {
            DatabaseThread thread;
            const auto database = await(Database::open(&thread, spec())).value();
            for (int i = 0; i < 200; ++i)
                addNumber(database.get(), i, &stored, &refused);
        }
        // The answers come although the thread has ended.
        QVERIFY(test::waitUntil([&stored] { return stored.size() == 200; }));
        DatabaseThread next;
        const auto database = await(Database::open(&next, spec())).value();
        QCOMPARE(numbers(*database)->size(), 200);
    }

    void aFailedWriteLeavesNothing()
    {
        DatabaseThread thread;
        const auto database = await(Database::open(&thread, spec())).value();
        const Result<void> failed = await(database->write<void>([](Connection &c) -> Result<void> {
            if (const Result<qint64> one =
                    c.execute(QStringLiteral("INSERT INTO numbers VALUES (1)"));
                !one)
                return failure(one.error());
            return failure(ErrorKind::InvalidInput, QStringLiteral("changed my mind"));
        }));
        BERTH_FAILS(failed, ErrorKind::InvalidInput);
        QCOMPARE(numbers(*database)->size(), 0);
        // The transaction is over: the next one works.
        QList<int> stored;
        QList<Error> refused;
        addNumber(database.get(), 2, &stored, &refused);
        addNumber(database.get(), 2, &stored, &refused);
        QVERIFY(test::waitUntil([&] { return stored.size() + refused.size() == 2; }));
        QCOMPARE(stored, QList<int>{2});
        QVERIFY(refused.first().kind == ErrorKind::Conflict);
    }

    void theQueueIsBounded()
    {
        DatabaseThread thread;
        QSemaphore gate;
        int answered = 0;
        int refused = 0;
        for (int i = 0; i < DatabaseThread::kMostWaiting + 10; ++i)
            runBlocked(&thread, &gate, &answered, &refused);
        QCOMPARE(refused, 10);
        gate.release();
        QVERIFY(test::waitUntil([&answered] { return answered == DatabaseThread::kMostWaiting; }));
        runBlocked(&thread, &gate, &answered, &refused);
        QVERIFY(
            test::waitUntil([&answered] { return answered == DatabaseThread::kMostWaiting + 1; }));
    }

    void anotherProgramsLockIsWaitedFor()
    {
        DatabaseThread thread;
        const auto database = await(Database::open(&thread, spec())).value();
        auto other = Connection::open(spec().path, Connection::Mode::ReadWrite);
        BERTH_OK(other);
        BERTH_OK((*other)->begin());
        QList<int> stored;
        QList<Error> refused;
        QTimer::singleShot(300, this, [&other] { (*other)->rollback(); });
        addNumber(database.get(), 1, &stored, &refused);
        QVERIFY(test::waitUntil([&] { return stored.size() + refused.size() == 1; }));
        QCOMPARE(stored.size(), 1);
    }

    void settingsAreAsDocumented()
    {
        DatabaseThread thread;
        const auto database = await(Database::open(&thread, spec())).value();
        const QList<std::pair<QString, QString>> expected{
            {QStringLiteral("journal_mode"), QStringLiteral("wal")},
            {QStringLiteral("synchronous"), QStringLiteral("2")},
            {QStringLiteral("foreign_keys"), QStringLiteral("1")},
            {QStringLiteral("busy_timeout"), QStringLiteral("5000")}};
        for (const auto &[pragma, value] : expected) {
            const Result<QString> found =
                await(database->read<QString>([pragma](Connection &c) -> Result<QString> {
                    Result<std::optional<Row>> row =
                        c.selectOne(QStringLiteral("PRAGMA ") + pragma);
                    if (!row)
                        return failure(row.error());
                    return (*row)->text();
                }));
            BERTH_OK(found);
            QCOMPARE(*found, value);
        }
    }

    void durableChangesWaitForTheDisk()
    {
        DatabaseThread thread;
        const auto database = await(Database::open(&thread, spec())).value();
        const auto level = [&database](Durability durability) {
            return await(database->write<QString>(
                [](Connection &c) -> Result<QString> {
                    Result<std::optional<Row>> row =
                        c.selectOne(QStringLiteral("PRAGMA synchronous"));
                    if (!row)
                        return failure(row.error());
                    return (*row)->text();
                },
                durability));
        };
        QCOMPARE(level(Durability::Soon).value_or(QString()), QStringLiteral("1"));
        QCOMPARE(level(Durability::Now).value_or(QString()), QStringLiteral("2"));
        QCOMPARE(level(Durability::Soon).value_or(QString()), QStringLiteral("1"));
    }

    void otherChangesReachTheDiskWithinASecond()
    {
        DatabaseThread thread;
        const auto database = await(Database::open(&thread, spec())).value();
        // Only a checkpoint, which syncs, brings a change from the log into the file itself.
        const auto inFile = [path = spec().path] {
            QFile file(path);
            return file.open(QIODevice::ReadOnly)
                && file.readAll().contains(QByteArrayLiteral("made_by_this_test"));
        };
        const Result<void> stored = await(database->write<void>([](Connection &c) -> Result<void> {
            const Result<qint64> made =
                c.execute(QStringLiteral("CREATE TABLE made_by_this_test (n INTEGER)"));
            return made ? Result<void>() : Result<void>(failure(made.error()));
        }));
        BERTH_OK(stored);
        QVERIFY(!inFile());
        QVERIFY(test::waitUntil(inFile, Database::kFlushInterval * 5));
    }

    void secondStorageOnTheSameFilesIsRefused()
    {
        StorageFiles first;
        BERTH_OK(first.open());
        StorageFiles second;
        second.paths = first.paths;
        BERTH_FAILS(second.open(), ErrorKind::Conflict);
        BERTH_OK(first.close());
        BERTH_OK(second.open());
    }

    void oneFileForBothIsRefused()
    {
        StorageFiles files;
        files.paths.sandboxDb = files.paths.berthDb;
        QVERIFY(!files.open());
    }
};

QTEST_GUILESS_MAIN(DatabaseTest)
#include "test_database.moc"
