// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "async/completion.h"
#include "async/post.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/turnstile.h"
#include "support/await.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QThread>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::async;
using namespace std::chrono_literals;
using berth::test::waitUntil;

namespace {

Task<void> note(Completion<int> value, QList<int> *seen)
{
    const int got = co_await value;
    seen->append(got);
}

Task<void> noteSleep(std::chrono::milliseconds duration, std::stop_token stop, QList<bool> *seen)
{
    const bool elapsed = co_await sleepFor(duration, stop);
    seen->append(elapsed);
}

Task<void> noteDrained(Scope *scope, bool *drained)
{
    co_await scope->drained();
    *drained = true;
}

Task<void> sleepUntilStopped(std::stop_token stop, int *ended)
{
    const bool elapsed = co_await sleepFor(1h, stop);
    if (!elapsed)
        ++*ended;
}

Task<void> spawnAnother(Scope *scope, int *ended)
{
    co_await sleepFor(5ms);
    scope->spawn(sleepUntilStopped(scope->token(), ended));
}

Task<void> nothing()
{
    co_return;
}

//! Notes its number on the way in and out, with a pause between.
Task<void> passThrough(Turnstile *turnstile, int number, QStringList *order)
{
    std::shared_ptr<Turnstile::Pass> pass = co_await turnstile->enter();
    *order << QStringLiteral("in %1").arg(number);
    co_await sleepFor(3ms);
    *order << QStringLiteral("out %1").arg(number);
}

} // namespace

class AsyncTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aCompletionWakesEveryWaiterLater()
    {
        const Completion<int> value;
        QList<int> seen;
        note(value, &seen);
        note(value, &seen);
        QVERIFY(!value.isComplete());
        value.complete(7);
        // Not inside complete().
        QVERIFY(seen.isEmpty());
        QVERIFY(value.isComplete());
        QVERIFY(waitUntil([&seen] { return seen.size() == 2; }));
        QCOMPARE(seen, (QList<int>{7, 7}));
    }

    void theFirstValueWins()
    {
        const Completion<int> value;
        value.complete(1);
        value.complete(2);
        QList<int> seen;
        note(value, &seen);
        // Complete already: no detour over the event loop.
        QCOMPARE(seen, QList<int>{1});
    }

    void aCompletionMayGoBeforeItsWaiters()
    {
        QList<int> seen;
        {
            const Completion<int> value;
            note(value, &seen);
            value.complete(3);
        }
        QVERIFY(waitUntil([&seen] { return !seen.isEmpty(); }));
        QCOMPARE(seen, QList<int>{3});
    }

    void postRunsOnTheContextsThread()
    {
        QThread other;
        QObject context;
        context.moveToThread(&other);
        other.start();
        std::atomic<QThread *> ran{nullptr};
        post(&context, [&ran] { ran = QThread::currentThread(); });
        QVERIFY(waitUntil([&ran] { return ran.load() != nullptr; }));
        QCOMPARE(ran.load(), &other);
        other.quit();
        QVERIFY(other.wait(5000));
    }

    void postDoesNothingOnceTheContextIsGone()
    {
        bool ran = false;
        {
            QObject context;
            post(&context, [&ran] { ran = true; });
        }
        test::spin(20ms);
        QVERIFY(!ran);
    }

    void postKeepsTheOrder()
    {
        QList<int> seen;
        for (int i = 0; i < 100; ++i)
            post(this, [&seen, i] { seen << i; });
        QVERIFY(seen.isEmpty());
        QVERIFY(waitUntil([&seen] { return seen.size() == 100; }));
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
    }

    void sleepEndsAfterItsTime()
    {
        QList<bool> seen;
        QElapsedTimer timer;
        timer.start();
        noteSleep(50ms, {}, &seen);
        QVERIFY(waitUntil([&seen] { return !seen.isEmpty(); }));
        QVERIFY(seen.first());
        QVERIFY2(timer.elapsed() >= 49 && timer.elapsed() < 2000,
                 qPrintable(QString::number(timer.elapsed())));
    }

    void stopEndsASleep()
    {
        std::stop_source stop;
        QList<bool> seen;
        noteSleep(1h, stop.get_token(), &seen);
        test::spin(10ms);
        QVERIFY(seen.isEmpty());
        stop.request_stop();
        QVERIFY(waitUntil([&seen] { return !seen.isEmpty(); }, 2s));
        QVERIFY(!seen.first());
    }

    void stoppedBeforeThereIsNoSleep()
    {
        std::stop_source stop;
        stop.request_stop();
        QList<bool> seen;
        noteSleep(1h, stop.get_token(), &seen);
        QCOMPARE(seen, QList<bool>{false});
    }

    void stopAfterTheEndDoesNothing()
    {
        std::stop_source stop;
        QList<bool> seen;
        noteSleep(1ms, stop.get_token(), &seen);
        QVERIFY(waitUntil([&seen] { return !seen.isEmpty(); }));
        stop.request_stop();
        test::spin(10ms);
        QCOMPARE(seen, QList<bool>{true});
    }

    void noTimeAndTimesBelowAreShort()
    {
        QList<bool> seen;
        noteSleep(0ms, {}, &seen);
        noteSleep(-5ms, {}, &seen);
        QVERIFY(waitUntil([&seen] { return seen.size() == 2; }, 2s));
        QCOMPARE(seen, (QList<bool>{true, true}));
    }

    void timesBeyondATimersRangeAreLong()
    {
        std::stop_source stop;
        QList<bool> seen;
        noteSleep(24h * 365, stop.get_token(), &seen);
        test::spin(20ms);
        QVERIFY(seen.isEmpty());
        stop.request_stop();
        QVERIFY(waitUntil([&seen] { return seen.size() == 1; }, 2s));
    }

    void aScopeDrainsWhenItsLastEnds()
    {
        Scope scope;
        int ended = 0;
        bool drained = false;
        noteDrained(&scope, &drained);
        QVERIFY(drained);
        drained = false;
        scope.spawn(nothing());
        QCOMPARE(scope.live(), 0);
        scope.spawn(sleepUntilStopped(scope.token(), &ended));
        scope.spawn(sleepUntilStopped(scope.token(), &ended));
        QCOMPARE(scope.live(), 2);
        noteDrained(&scope, &drained);
        test::spin(10ms);
        QVERIFY(!drained);
        scope.requestStop();
        QVERIFY(waitUntil([&drained] { return drained; }, 2s));
        QCOMPARE(scope.live(), 0);
        QCOMPARE(ended, 2);
    }

    void whatIsSpawnedMeanwhileIsAwaitedToo()
    {
        Scope scope;
        int ended = 0;
        bool drained = false;
        scope.spawn(spawnAnother(&scope, &ended));
        noteDrained(&scope, &drained);
        QVERIFY(waitUntil([&scope] { return scope.live() == 1; }));
        test::spin(10ms);
        QVERIFY(!drained);
        scope.requestStop();
        QVERIFY(waitUntil([&drained] { return drained; }, 2s));
        QCOMPARE(ended, 1);
    }

    void aTurnstileLetsOneThroughAtATime()
    {
        Turnstile turnstile;
        QStringList order;
        for (int i = 0; i < 4; ++i)
            passThrough(&turnstile, i, &order);
        QVERIFY(waitUntil([&order] { return order.size() == 8; }));
        QStringList expected;
        for (int i = 0; i < 4; ++i)
            expected << QStringLiteral("in %1").arg(i) << QStringLiteral("out %1").arg(i);
        QCOMPARE(order, expected);
        // And it is free again.
        passThrough(&turnstile, 9, &order);
        QVERIFY(order.contains(QStringLiteral("in 9")));
        QVERIFY(waitUntil([&order] { return order.size() == 10; }));
    }
};

QTEST_GUILESS_MAIN(AsyncTest)
#include "test_async.moc"
