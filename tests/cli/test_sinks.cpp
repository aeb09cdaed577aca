// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/fd_sink.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "support/await.h"

#include <QtCore/QTemporaryFile>
#include <QtTest/QTest>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace berth;
using namespace berth::cli;
using test::waitUntil;

namespace {

struct Pipe
{
    Pipe()
    {
        int ends[2];
        if (::pipe(ends) != 0)
            qFatal("no pipe");
        reading = ends[0];
        writing = ends[1];
    }
    ~Pipe()
    {
        closeReading();
        ::close(writing);
    }
    void closeReading()
    {
        if (reading >= 0)
            ::close(reading);
        reading = -1;
    }
    QByteArray take(qsizetype most)
    {
        QByteArray bytes(most, Qt::Uninitialized);
        const ssize_t got = ::read(reading, bytes.data(), static_cast<size_t>(most));
        bytes.truncate(got > 0 ? got : 0);
        return bytes;
    }
    int reading = -1;
    int writing = -1;
};

QByteArray pattern(qsizetype size)
{
    QByteArray bytes(size, Qt::Uninitialized);
    for (qsizetype at = 0; at < size; ++at)
        bytes[at] = static_cast<char>((at * 7) >> 3);
    return bytes;
}

class TestSinks : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void slowPipe()
    {
        Pipe pipe;
        FdSink sink(pipe.writing);
        const QByteArray all = pattern(3'000'000);
        sink.write(all); // far more than a pipe holds, and nobody reads: it must not block
        QVERIFY(sink.pending() > 2'000'000);
        QVERIFY((::fcntl(pipe.writing, F_GETFL) & O_NONBLOCK) == 0);
        bool roomy = false;
        const auto room = test::landed(sink.room(0), std::chrono::milliseconds(50));
        QVERIFY(!room);
        QByteArray got;
        QVERIFY(waitUntil([&] {
            got += pipe.take(10'000);
            roomy = sink.pending() == 0;
            return roomy;
        }));
        while (got.size() < all.size())
            got += pipe.take(100'000);
        QVERIFY(got == all);
        QCOMPARE(test::landed(sink.room(0)), std::optional<bool>(true));
    }

    void order()
    {
        Pipe pipe;
        FdSink sink(pipe.writing);
        QByteArray all;
        for (int number = 0; number < 20'000; ++number) {
            const QByteArray piece = QByteArray::number(number) + '\n';
            sink.write(piece);
            all += piece;
        }
        QByteArray got;
        QVERIFY(waitUntil([&] {
            got += pipe.take(65536);
            return got.size() >= all.size();
        }));
        QVERIFY(got == all);
    }

    void readerGone()
    {
        Pipe pipe;
        FdSink sink(pipe.writing);
        sink.write(pattern(1'000'000));
        QVERIFY(!sink.isBroken());
        pipe.closeReading();
        QVERIFY(waitUntil([&] { return sink.isBroken(); }));
        QCOMPARE(sink.pending(), 0);
        sink.write("more"); // dropped
        QCOMPARE(sink.pending(), 0);
        QCOMPARE(test::landed(sink.room(0)), std::optional<bool>(false));
    }

    void regularFile()
    {
        QTemporaryFile file;
        QVERIFY(file.open());
        FdSink sink(file.handle());
        const QByteArray all = pattern(5'000'000);
        sink.write(all);
        QCOMPARE(sink.pending(), 0);
        QVERIFY(file.seek(0));
        QVERIFY(file.readAll() == all);
    }

    void fullDevice()
    {
        const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
        QVERIFY(full >= 0);
        FdSink sink(full);
        sink.write("x");
        QVERIFY(sink.isBroken());
        ::close(full);
    }

    void signals_()
    {
        QList<int> got;
        {
            InterruptSignals signals;
            connect(&signals, &InterruptSignals::interrupted, this,
                    [&](int number) { got.append(number); });
            ::raise(SIGINT);
            ::raise(SIGTERM);
            QVERIFY(got.isEmpty()); // never inside the handler
            QVERIFY(waitUntil([&] { return got.size() == 2; }));
            QCOMPARE(got, (QList<int>{SIGINT, SIGTERM}));
        }
        struct sigaction now
        {};
        QCOMPARE(::sigaction(SIGINT, nullptr, &now), 0);
        QVERIFY(now.sa_handler == SIG_DFL);
    }

    void ignoredSignalsStayIgnored()
    {
        ::signal(SIGHUP, SIG_IGN);
        {
            InterruptSignals signals;
            struct sigaction now
            {};
            QCOMPARE(::sigaction(SIGHUP, nullptr, &now), 0);
            QVERIFY(now.sa_handler == SIG_IGN);
        }
        ::signal(SIGHUP, SIG_DFL);
    }

    void colours()
    {
        // The test's output may be a terminal or not; NO_COLOR settles it either way.
        qputenv("NO_COLOR", "1");
        QVERIFY(!terminalFacts().colours);
        qunsetenv("NO_COLOR");
        qputenv("TERM", "dumb");
        QVERIFY(!terminalFacts().colours);
    }

    void typedLine()
    {
        Pipe pipe;
        const int saved = ::dup(STDIN_FILENO);
        ::dup2(pipe.reading, STDIN_FILENO);
        std::optional<QString> line;
        readLine(this, [&](const QString &text) { line = text; });
        QCOMPARE(::write(pipe.writing, "ye", 2), 2);
        test::spin(std::chrono::milliseconds(20));
        QVERIFY(!line);
        QCOMPARE(::write(pipe.writing, "s\n", 2), 2);
        QVERIFY(waitUntil([&] { return line.has_value(); }));
        QCOMPARE(*line, QStringLiteral("yes"));
        ::dup2(saved, STDIN_FILENO);
        ::close(saved);
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestSinks)
#include "test_sinks.moc"
