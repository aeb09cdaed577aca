// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/docker_stream.h"
#include "net/line_splitter.h"

#include <QtCore/QtEndian>
#include <QtTest/QTest>

using namespace berth::net;
using Mode = DockerStreamDemultiplexer::Mode;

namespace {

QByteArray frame(char stream, const QByteArray &payload)
{
    QByteArray header(8, '\0');
    header[0] = stream;
    qToBigEndian<quint32>(static_cast<quint32>(payload.size()), header.data() + 4);
    return header + payload;
}

} // namespace

class TestDockerStream : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everySplit();
    void emptyFrame();
    void hugeFrame();
    void nonsense_data();
    void nonsense();
    void terminal();
    void lines();
};

void TestDockerStream::everySplit()
{
    // A three-byte character cut between two frames, with standard error in between.
    const QByteArray wire = frame(1, "out\n") + frame(2, "err\n") + frame(1, "\xe2\x82")
        + frame(2, "!") + frame(1, "\xac") + frame(3, "engine");
    for (qsizetype first = 0; first <= wire.size(); ++first) {
        for (qsizetype second = first; second <= wire.size(); ++second) {
            DockerStreamDemultiplexer demultiplexer(Mode::Multiplexed);
            QByteArray out;
            QByteArray err;
            QVERIFY(demultiplexer.feed(wire.first(first), out, err));
            QVERIFY(demultiplexer.feed(wire.mid(first, second - first), out, err));
            QVERIFY(demultiplexer.feed(wire.mid(second), out, err));
            QCOMPARE(out, QByteArray("out\n\xe2\x82\xac"));
            QCOMPARE(err, QByteArray("err\n!engine"));
            QVERIFY(demultiplexer.isBetweenFrames());
        }
    }
}

void TestDockerStream::emptyFrame()
{
    DockerStreamDemultiplexer demultiplexer(Mode::Multiplexed);
    QByteArray out;
    QByteArray err;
    QVERIFY(demultiplexer.feed(frame(1, {}) + frame(2, {}) + frame(1, "x"), out, err));
    QCOMPARE(out, QByteArray("x"));
    QVERIFY(err.isEmpty());
    QVERIFY(demultiplexer.feed(frame(1, "abc").first(9), out, err));
    QVERIFY(!demultiplexer.isBetweenFrames());
}

void TestDockerStream::hugeFrame()
{
    DockerStreamDemultiplexer demultiplexer(Mode::Multiplexed);
    QByteArray out;
    QByteArray err;
    QVERIFY(!demultiplexer.feed(QByteArray("\1\0\0\0\x80\0\0\0abc", 11), out, err));
    QVERIFY(out.isEmpty() && out.capacity() == 0);
    QVERIFY(demultiplexer.problem().contains(QStringLiteral("2147483648")));
    QVERIFY(!demultiplexer.feed(frame(1, "x"), out, err));
    QVERIFY(out.isEmpty());
}

void TestDockerStream::nonsense_data()
{
    QTest::addColumn<QByteArray>("wire");
    QTest::newRow("text") << QByteArray("bash: no such file\n");
    QTest::newRow("stream 4") << frame(4, "x");
    QTest::newRow("stream -1") << frame('\xff', "x");
    QTest::newRow("padding") << QByteArray("\1\0\1\0\0\0\0\1x", 9);
}

void TestDockerStream::nonsense()
{
    QFETCH(QByteArray, wire);
    DockerStreamDemultiplexer demultiplexer(Mode::Multiplexed);
    QByteArray out;
    QByteArray err;
    bool sense = true;
    for (const char c : wire)
        sense = demultiplexer.feed(QByteArray(1, c), out, err);
    QVERIFY(!sense);
    QVERIFY(!demultiplexer.problem().isEmpty());
}

void TestDockerStream::terminal()
{
    DockerStreamDemultiplexer demultiplexer(Mode::Terminal);
    QByteArray out;
    QByteArray err;
    const QByteArray wire("\1\0\0\0\x80\0\0\0raw\r\n", 13);
    QVERIFY(demultiplexer.feed(wire, out, err));
    QCOMPARE(out, wire);
}

void TestDockerStream::lines()
{
    const QByteArray wire("{\"a\":1}\r\n\n{\"b\":\"\xc3\xa4\"}\nrest");
    for (qsizetype cut = 0; cut <= wire.size(); ++cut) {
        LineSplitter splitter;
        QList<QByteArray> found = splitter.feed(wire.first(cut));
        found += splitter.feed(wire.mid(cut));
        QCOMPARE(found, (QList<QByteArray>{"{\"a\":1}", "{\"b\":\"\xc3\xa4\"}"}));
        QCOMPARE(splitter.finish(), QByteArray("rest"));
    }
    LineSplitter bounded(8);
    QList<QByteArray> found;
    for (int i = 0; i < 100; ++i)
        found += bounded.feed("0123456789");
    found += bounded.feed("\nshort\n");
    QCOMPARE(found, QList<QByteArray>{"short"});
    QCOMPARE(bounded.dropped(), 1);
}

QTEST_GUILESS_MAIN(TestDockerStream)
#include "test_docker_stream.moc"
