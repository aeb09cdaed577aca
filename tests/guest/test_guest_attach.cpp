// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "guest/wire_peer.h"

#include <QtTest/QTest>

namespace berth::test {

using domain::ErrorKind;

//! attach() and jobs() of the host against a guest that cannot be trusted.
class TestGuestAttach : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void attachSkipsAndEnds();
    void forgedAttach_data();
    void forgedAttach();
    void attachIsRefused();
    void droppingLetsBackgroundGo();
    void gapsAreForBackgroundOnly();
    void jobsAreListed();
};

void TestGuestAttach::attachSkipsAndEnds()
{
    Peer peer(hello(2));
    const auto landed = peer.attach(10, 5, 0);
    QCOMPARE(peer.wire->out,
             encodeGuestFrame(BG_ATTACH, 10, GuestWriter().u64(5).u64(0).u32(BG_CREDIT).body()));
    // Late words to somebody who followed it before.
    peer.data(BG_OUT, 77, "stale");
    peer.wire->feed(encodeGuestFrame(BG_STDIN_ACK, 10, GuestWriter().u32(9).body()));
    peer.wire->feed(
        encodeGuestFrame(BG_ATTACHED, 10, attachedBody(8, 0, BG_START_BACKGROUND, 100)));
    peer.data(BG_OUT, 8, "abc");
    peer.wire->feed(
        encodeGuestFrame(BG_STDIN_ACK, 10, GuestWriter().u32(BG_STDIN_WINDOW - 100).body()));
    QVERIFY(waitUntil([&] { return landed->value.has_value(); }, 2s));
    BERTH_OK(*landed->value);
    CommandRun run(**landed->value);
    qint64 missing = 0, taken = 0;
    connect(&run.execution(), &domain::Execution::skipped, this,
            [&](domain::OutputStream stream, qint64 bytes) {
                QCOMPARE(stream, domain::OutputStream::Stdout);
                QCOMPARE(run.out.size(), 0);
                missing += bytes;
            });
    connect(&run.execution(), &domain::Execution::inputTaken, this,
            [&taken](qint64 bytes) { taken += bytes; });
    QVERIFY(run.waitForOutput("abc", 2s));
    QCOMPARE(missing, 3);
    run.execution().writeInput("12345");
    peer.wire->feed(encodeGuestFrame(BG_STDIN_ACK, 10, GuestWriter().u32(5).body()));
    QCOMPARE(taken, 5);
    BERTH_FAILS(await(net::GuestShell(peer.channel, {}).attach(10, 0, 0, {}), 2s),
                ErrorKind::NotFound); // somebody has it
    peer.wire->out.clear();
    peer.wire->feed(encodeGuestFrame(BG_EXIT, 10, exitBody(11, 0, BG_EXITED, 7)));
    QCOMPARE(peer.wire->out, encodeGuestFrame(BG_DETACH, 10, QByteArray(1, 1)));
    QVERIFY(run.waitForEnd(2s));
    QCOMPARE(run.outcome().code, 7);
    QVERIFY(peer.channel->isOpen());
}

void TestGuestAttach::forgedAttach_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("less than asked for") << attachedBody(4, 0);
    QTest::newRow("the other stream") << attachedBody(5, 5);
    QTest::newRow("beyond counting") << attachedBody(~0ull, 6);
    QTest::newRow("more room than there is")
        << attachedBody(5, 6, BG_START_BACKGROUND, BG_STDIN_WINDOW + 1);
    QTest::newRow("short") << attachedBody(5, 6).chopped(1);
    QTest::newRow("empty") << QByteArray();
}

void TestGuestAttach::forgedAttach()
{
    QFETCH(QByteArray, body);
    Peer peer(hello(1));
    const auto landed = peer.attach(10, 5, 6);
    peer.wire->feed(encodeGuestFrame(BG_ATTACHED, 10, body));
    QVERIFY(waitUntil([&] { return landed->value.has_value(); }, 2s));
    BERTH_FAILS(*landed->value, ErrorKind::Unavailable);
    QVERIFY(!peer.channel->isOpen());
}

void TestGuestAttach::attachIsRefused()
{
    Peer peer(hello(2));
    for (const quint32 id : {0u, 12u, 0x80000000u, ~0u}) { // never heard of: not even asked for
        const auto landed = peer.attach(id, 0, 0);
        QVERIFY(waitUntil([&] { return landed->value.has_value(); }, 2s));
        BERTH_FAILS(*landed->value, ErrorKind::NotFound);
        QVERIFY(peer.wire->out.isEmpty());
    }
    const auto negative = peer.attach(10, -1, 0);
    QVERIFY(waitUntil([&] { return negative->value.has_value(); }, 2s));
    BERTH_FAILS(*negative->value, ErrorKind::InvalidInput);
    const auto gone = peer.attach(10, 0, 0);
    peer.wire->feed(
        encodeGuestFrame(BG_ERROR, 10, GuestWriter().u32(2).u8(1).bytes("no such").body()));
    QVERIFY(waitUntil([&] { return gone->value.has_value(); }, 2s));
    BERTH_FAILS(*gone->value, ErrorKind::NotFound);
    QVERIFY(peer.channel->isOpen());
}

void TestGuestAttach::droppingLetsBackgroundGo()
{
    for (const bool background : {false, true}) {
        Peer peer;
        domain::CommandSpec spec = shellCommand("text");
        spec.background = background;
        spec.tag = "name";
        auto run = peer.start(CommandRun::Acknowledge::AtOnce, spec);
        QVERIFY(run);
        peer.wire->out.clear();
        run.reset();
        spin(1ms);
        QCOMPARE(peer.wire->out,
                 background ? encodeGuestFrame(BG_DETACH, peer.id, QByteArray(1, 0))
                            : encodeGuestFrame(BG_KILL, peer.id));
        // By stop() it ends all the same.
        run = peer.start(CommandRun::Acknowledge::AtOnce, spec);
        peer.wire->out.clear();
        run->execution().stop();
        QCOMPARE(peer.wire->out, encodeGuestFrame(BG_KILL, peer.id));
    }
}

void TestGuestAttach::gapsAreForBackgroundOnly()
{
    Peer peer;
    domain::CommandSpec spec = shellCommand("text");
    spec.background = true;
    const auto run = peer.start(CommandRun::Acknowledge::AtOnce, spec);
    QVERIFY(run);
    qint64 missing = 0;
    connect(&run->execution(), &domain::Execution::skipped, this,
            [&missing](domain::OutputStream, qint64 bytes) { missing += bytes; });
    spin(1ms);
    peer.data(BG_OUT, 0, "a");
    peer.data(BG_OUT, 3 * BG_CREDIT, "b");
    QVERIFY(run->waitForOutput("ab", 2s));
    QCOMPARE(missing, 3 * BG_CREDIT - 1);
    QVERIFY(peer.channel->isOpen());
    peer.data(BG_OUT, 3 * BG_CREDIT, "again");
    QVERIFY(!peer.channel->isOpen());
}

void TestGuestAttach::jobsAreListed()
{
    const auto entry = [](quint32 id, quint32 flags, quint8 state, const QByteArray &tag) {
        return GuestWriter().u32(id).u32(7).u32(flags).u8(state).u64(11).u64(12).bytes(tag).body();
    };
    const QByteArray good = GuestWriter().u32(5).body()
        + entry(10, BG_START_BACKGROUND, BG_JOB_FOLLOWED, "one")
        + entry(11, BG_START_PTY, BG_JOB_ENDED, "") + entry(12, 0, 0, "lost")
        + entry(13, 0, BG_JOB_FOLLOWED, "of this connection") + entry(14, 0, 0, "");
    for (const bool fits : {true, false}) {
        Peer peer;
        net::GuestShell shell(peer.channel, {});
        const auto landed = std::make_shared<detail::Landing<domain::Result<QList<domain::Job>>>>();
        detail::land(shell.jobs({}), landed);
        peer.wire->feed(encodeGuestFrame(BG_REPLY, 1, fits ? good : good.chopped(2)));
        QVERIFY(waitUntil([&] { return landed->value.has_value(); }, 2s));
        QCOMPARE(peer.channel->isOpen(), fits);
        if (!fits) {
            BERTH_FAILS(*landed->value, ErrorKind::Protocol);
            continue;
        }
        BERTH_OK(*landed->value);
        const QList<domain::Job> jobs = **landed->value;
        QCOMPARE(jobs.size(), 3);
        QCOMPARE(jobs.at(0).tag, QByteArrayLiteral("one"));
        QCOMPARE(jobs.at(0).outBytes, 11);
        QCOMPARE(jobs.at(0).errBytes, 12);
        QVERIFY(!jobs.at(0).hasTerminal && !jobs.at(0).ended);
        QVERIFY(jobs.at(1).hasTerminal && jobs.at(1).ended);
        QCOMPARE(jobs.at(2).tag, QByteArrayLiteral("lost"));
    }
    const QList<QByteArray> bad{
        GuestWriter().u32(BG_MAX_COMMANDS + 1).body(), GuestWriter().u32(~0u).body(),
        GuestWriter().u32(1).body() + entry(0, 0, 0, "x"),
        GuestWriter().u32(1).body() + entry(1, 0, 0, QByteArray(BG_MAX_TAG + 1, 't'))};
    for (const QByteArray &body : bad)
        QVERIFY(!net::decodeGuestJobs(body));
}

} // namespace berth::test

QTEST_GUILESS_MAIN(berth::test::TestGuestAttach)
#include "test_guest_attach.moc"
