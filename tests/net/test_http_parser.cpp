// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/http_parser.h"

#include <QtTest/QTest>

#include <algorithm>
#include <random>

using namespace berth::net;
using Phase = HttpResponseParser::Phase;

namespace {

struct Parsed
{
    Phase phase;
    int status;
    QByteArray body;
    QByteArray beyond;
    bool keepsAlive;
    bool operator==(const Parsed &) const = default;
};

Parsed parse(const QList<QByteArray> &pieces, bool closed,
             HttpResponseParser::Expectation expectation = {})
{
    HttpResponseParser parser(expectation);
    QByteArray body;
    QByteArray beyond;
    for (const QByteArray &piece : pieces) {
        const qsizetype taken = parser.feed(piece, body);
        beyond += piece.mid(taken);
    }
    if (closed)
        parser.finish();
    return {parser.phase(), parser.head().status, body, beyond, parser.keepsAlive()};
}

} // namespace

class TestHttpParser : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everySplit_data();
    void everySplit();
    void refuses_data();
    void refuses();
    void fields();
    void boundsTheHead();
    void cutIsToldApart();
    void survivesNoise();
};

void TestHttpParser::everySplit_data()
{
    QTest::addColumn<QByteArray>("wire");
    QTest::addColumn<bool>("hijack");
    QTest::addColumn<bool>("closed");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("beyond");
    QTest::addColumn<bool>("keepsAlive");

    QTest::newRow("length") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
                            << false << false << 200 << QByteArray("hello") << QByteArray() << true;
    QTest::newRow("empty") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") << false
                           << false << 200 << QByteArray() << QByteArray() << true;
    QTest::newRow("no reason") << QByteArray("HTTP/1.1 204\r\n\r\n") << false << false << 204
                               << QByteArray() << QByteArray() << true;
    QTest::newRow("304 with a length")
        << QByteArray("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n") << false << false
        << 304 << QByteArray() << QByteArray() << true;
    QTest::newRow("chunked") << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                           "5\r\nhello\r\nA;x=1\r\n, chunked!\r\n0\r\nX: y\r\n\r\n")
                             << false << false << 200 << QByteArray("hello, chunked!")
                             << QByteArray() << true;
    QTest::newRow("interim") << QByteArray("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n"
                                           "content-LENGTH: 2\r\n\r\n{}")
                             << false << false << 201 << QByteArray("{}") << QByteArray() << true;
    QTest::newRow("until close") << QByteArray("HTTP/1.1 200 OK\r\n\r\nall of it") << false << true
                                 << 200 << QByteArray("all of it") << QByteArray() << false;
    QTest::newRow("close") << QByteArray(
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx")
                           << false << false << 200 << QByteArray("x") << QByteArray() << false;
    QTest::newRow("101") << QByteArray(
        "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n"
        "\1\0\0\0\0\0\0\2hi",
        70) << true << false
                         << 101 << QByteArray() << QByteArray("\1\0\0\0\0\0\0\2hi", 10) << false;
    QTest::newRow("200 hijacked") << QByteArray("HTTP/1.1 200 OK\r\nContent-Type: x\r\n\r\nraw")
                                  << true << false << 200 << QByteArray() << QByteArray("raw")
                                  << false;
    QTest::newRow("error instead of hijack")
        << QByteArray("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}") << true << false
        << 404 << QByteArray("{}") << QByteArray() << true;
}

void TestHttpParser::everySplit()
{
    QFETCH(QByteArray, wire);
    QFETCH(bool, hijack);
    QFETCH(bool, closed);
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, beyond);
    QFETCH(bool, keepsAlive);
    HttpResponseParser::Expectation expectation;
    expectation.hijack = hijack;

    const bool upgraded = hijack && status < 300;
    const Parsed wanted{upgraded ? Phase::Upgraded : Phase::Complete, status, body, beyond,
                        keepsAlive};
    QVERIFY(parse({wire}, closed, expectation) == wanted);
    for (qsizetype cut = 0; cut <= wire.size(); ++cut)
        QVERIFY2(parse({wire.first(cut), wire.mid(cut)}, closed, expectation) == wanted,
                 QByteArray::number(cut).constData());
    QList<QByteArray> single;
    for (const char c : wire)
        single.append(QByteArray(1, c));
    QVERIFY(parse(single, closed, expectation) == wanted);
}

void TestHttpParser::refuses_data()
{
    QTest::addColumn<QByteArray>("wire");
    const auto head = [](const char *fields) {
        return QByteArray("HTTP/1.1 200 OK\r\n") + fields + "\r\n";
    };
    QTest::newRow("not http") << QByteArray("SSH-2.0-OpenSSH_9.2\r\n");
    QTest::newRow("http/2") << QByteArray("HTTP/2 200 OK\r\n\r\n");
    QTest::newRow("status") << QByteArray("HTTP/1.1 2000 OK\r\n\r\n");
    QTest::newRow("status 099") << QByteArray("HTTP/1.1 099 OK\r\n\r\n");
    QTest::newRow("bare lf") << QByteArray("HTTP/1.1 200 OK\n\n");
    QTest::newRow("bare cr") << QByteArray("HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n");
    QTest::newRow("nul") << QByteArray("HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n", 29);
    QTest::newRow("folded") << head("A: b\r\n c\r\n");
    QTest::newRow("space before colon") << head("Content-Length : 3\r\n");
    QTest::newRow("two lengths") << head("Content-Length: 3\r\nContent-Length: 4\r\n");
    QTest::newRow("both") << head("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n");
    QTest::newRow("negative") << head("Content-Length: -3\r\n");
    QTest::newRow("plus") << head("Content-Length: +3\r\n");
    QTest::newRow("overflow") << head("Content-Length: 99999999999999999999\r\n");
    QTest::newRow("gzip") << head("Transfer-Encoding: gzip, chunked\r\n");
    QTest::newRow("upgrade unasked") << QByteArray("HTTP/1.1 101 Switching\r\n\r\n");
    QTest::newRow("chunk size") << head("Transfer-Encoding: chunked\r\n") + "xyz\r\n";
    QTest::newRow("chunk size empty") << head("Transfer-Encoding: chunked\r\n") + "\r\n";
    QTest::newRow("chunk size large")
        << head("Transfer-Encoding: chunked\r\n") + "ffffffffffffffff\r\n";
    QTest::newRow("chunk too long") << head("Transfer-Encoding: chunked\r\n") + "2\r\nabc\r\n";
}

void TestHttpParser::refuses()
{
    QFETCH(QByteArray, wire);
    QVERIFY(parse({wire}, false).phase == Phase::Failed);
    QList<QByteArray> single;
    for (const char c : wire)
        single.append(QByteArray(1, c));
    QVERIFY(parse(single, false).phase == Phase::Failed);
}

void TestHttpParser::fields()
{
    HttpResponseParser parser({});
    QByteArray body;
    parser.feed("HTTP/1.1 200 OK\r\nApi-Version: 1.41 \r\nA:x\r\na: y\r\nContent-Length: 0\r\n\r\n",
                body);
    QCOMPARE(parser.head().headers.value("api-version"), QByteArray("1.41"));
    QCOMPARE(parser.head().headers.values("A"), (QList<QByteArray>{"x", "y"}));
    QVERIFY(!parser.head().headers.contains("B"));
}

void TestHttpParser::boundsTheHead()
{
    HttpResponseParser parser({});
    QByteArray body;
    parser.feed("HTTP/1.1 200 OK\r\nA: ", body);
    for (int i = 0; i < 100 && parser.phase() == Phase::Head; ++i)
        parser.feed(QByteArray(1024, 'x'), body);
    QCOMPARE(parser.phase(), Phase::Failed);

    HttpResponseParser many({});
    many.feed("HTTP/1.1 200 OK\r\n", body);
    for (int i = 0; i < 300; ++i)
        many.feed("A: b\r\n", body);
    QCOMPARE(many.phase(), Phase::Failed);
}

void TestHttpParser::cutIsToldApart()
{
    const QByteArray wire(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
    for (qsizetype cut = 0; cut < wire.size(); ++cut) {
        HttpResponseParser parser({});
        QByteArray body;
        parser.feed(wire.first(cut), body);
        parser.finish();
        QCOMPARE(parser.phase(), Phase::Failed);
        QVERIFY(parser.wasCut());
        QCOMPARE(parser.hasStarted(), cut > 0);
    }
}

void TestHttpParser::survivesNoise()
{
    const QByteArray seed(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n4\r\nabcd\r\n"
        "0\r\n\r\n");
    std::mt19937 random(7);
    for (int round = 0; round < 20000; ++round) {
        QByteArray wire = seed;
        if (round % 2)
            wire.remove(wire.indexOf("Content-Length"), 19);
        for (unsigned i = random() % 4; i > 0; --i)
            wire[static_cast<qsizetype>(random() % static_cast<unsigned>(wire.size()))] =
                static_cast<char>(random() % 256);
        HttpResponseParser parser({});
        QByteArray body;
        qsizetype at = 0;
        while (at < wire.size()) {
            const qsizetype count =
                std::min<qsizetype>(1 + static_cast<qsizetype>(random() % 9), wire.size() - at);
            const qsizetype taken = parser.feed(wire.mid(at, count), body);
            QVERIFY(taken >= 0 && taken <= count);
            if (taken < count)
                break;
            at += count;
        }
        parser.finish();
        QVERIFY(body.size() <= wire.size());
        QVERIFY(parser.phase() == Phase::Complete || parser.phase() == Phase::Failed);
        QCOMPARE(parser.phase() == Phase::Failed, !parser.problem().isEmpty());
    }
}

QTEST_GUILESS_MAIN(TestHttpParser)
#include "test_http_parser.moc"
