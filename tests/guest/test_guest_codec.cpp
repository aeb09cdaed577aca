// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "guest/wire_peer.h"
#include "net/guest/guest_file_system.h"
#include "net/guest/guest_search.h"

#include <QtTest/QTest>

#include <random>

using namespace std::chrono_literals;

namespace berth::test {

using domain::ErrorKind;
using net::GuestDecoder;
using net::GuestFrame;

//! The host's side against a guest that cannot be trusted.
class TestGuestCodec : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void framesAtEveryCut();
    void badFramesEndTheStream();
    void skipsToItsOwnGreeting();
    void greetingFails_data();
    void greetingFails();
    void frameworkOfACommand();
    void forgedFrames_data();
    void forgedFrames();
    void forgedFindings();
    void lostConnectionTellsAll();
    void silenceFailsRequestsOnly();
    void startIsRefusedOrCancelled();
    void survivesGarbage();
};

void TestGuestCodec::framesAtEveryCut()
{
    const QByteArray nonce(BG_NONCE_SIZE, 'n');
    const QByteArray bytes = "noise" + QByteArray(BG_MAGIC) + nonce
        + encodeGuestFrame(BG_OUT, 7, "body") + encodeGuestFrame(BG_PONG, 8)
        + encodeGuestFrame(BG_ERR, 9, QByteArray(70000, 'x'));
    for (qsizetype cut = 0; cut < 200; ++cut) {
        GuestDecoder decoder(nonce);
        QList<GuestFrame> frames;
        for (const QByteArray &part : {bytes.left(cut), bytes.mid(cut, 1), bytes.mid(cut + 1)}) {
            decoder.append(part);
            while (const auto frame = decoder.next())
                frames << *frame;
        }
        QCOMPARE(frames.size(), 3);
        QCOMPARE(frames.at(0).body, QByteArrayLiteral("body"));
        QCOMPARE(frames.at(0).id, 7u);
        QCOMPARE(frames.at(1).type, quint8(BG_PONG));
        QCOMPARE(frames.at(2).body.size(), 70000);
        QCOMPARE(decoder.preamble(), QByteArrayLiteral("noise"));
        QCOMPARE(decoder.buffered(), 0);
    }
}

void TestGuestCodec::badFramesEndTheStream()
{
    const QByteArray nonce(BG_NONCE_SIZE, 'n');
    const QByteArray good = encodeGuestFrame(BG_PONG, 1, "x");
    QByteArray zero = good;
    zero[2] = 1;
    const QList<QByteArray> bad{"x", QByteArray("\0", 1) + good, good.chopped(1) + 'x', zero,
                                QByteArray("\xb7\x91\0\0\x01\0\x10\0\x01\0\0\0", 12)};
    for (const QByteArray &bytes : bad) {
        GuestDecoder decoder(nonce);
        decoder.append(QByteArray(BG_MAGIC) + nonce + bytes);
        QVERIFY(!decoder.next());
        QVERIFY2(!decoder.problem().isEmpty(), bytes.toHex().constData());
        decoder.append(good);
        QVERIFY(!decoder.next());
        QCOMPARE(decoder.buffered(), 0);
    }
}

void TestGuestCodec::skipsToItsOwnGreeting()
{
    const QByteArray old = encodeGuestFrame(BG_OUT, 3, QByteArray(60000, 'o'))
        + QByteArray(BG_MAGIC) + QByteArray(BG_NONCE_SIZE, 'z') + hello(3);
    Peer peer(hello(2), old.mid(777).repeated(30), true);
    QVERIFY(peer.channel);
    QCOMPARE(peer.sent.size(), qsizetype(BG_PADDING + BG_MAGIC_SIZE + BG_NONCE_SIZE));
    QCOMPARE(peer.sent.left(BG_PADDING), QByteArray(BG_PADDING, '\0'));
    QCOMPARE(peer.channel->hello().jobs.size(), 2);
    // Numbers of commands that still run are not given out again.
    const auto run = peer.start();
    QVERIFY(run);
    QVERIFY(peer.id > 11);
}

void TestGuestCodec::greetingFails_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<bool>("closes");
    QTest::addColumn<ErrorKind>("kind");
    QTest::newRow("nothing") << QByteArray() << false << ErrorKind::Timeout;
    QTest::newRow("another program")
        << QByteArray("exec format error\r\n") << false << ErrorKind::Timeout;
    QTest::newRow("it ends") << QByteArray("exec /.berth/guest: \x1b[31mexec format error") << true
                             << ErrorKind::Unavailable;
    QTest::newRow("old version") << QByteArray("M")
            + encodeGuestFrame(BG_HELLO, 0,
                               GuestWriter()
                                   .raw(QByteArray("\7\0\7\0", 4))
                                   .u32(0)
                                   .u32(1)
                                   .u32(0)
                                   .u32(0)
                                   .bytes("b")
                                   .bytes("a")
                                   .bytes("h")
                                   .u32(0)
                                   .body())
                                 << false << ErrorKind::Unsupported;
    QTest::newRow("nonsense") << QByteArray("M") + encodeGuestFrame(BG_HELLO, 0, "short") << false
                              << ErrorKind::Protocol;
    QTest::newRow("too many jobs")
        << QByteArray("M") + hello(BG_MAX_COMMANDS + 1) << false << ErrorKind::Protocol;
    QTest::newRow("no hello") << QByteArray("M") + encodeGuestFrame(BG_OUT, 1, "x") << false
                              << ErrorKind::Protocol;
}

void TestGuestCodec::greetingFails()
{
    QFETCH(QByteArray, answer);
    QFETCH(bool, closes);
    QFETCH(ErrorKind, kind);
    auto *wire = new Wire;
    const std::shared_ptr<QIODevice> stream(wire);
    const auto landing =
        std::make_shared<detail::Landing<domain::Result<std::shared_ptr<GuestChannel>>>>();
    net::GuestChannelOptions options;
    options.handshakeDeadline = 200ms;
    detail::land(GuestChannel::open(stream, options, {}), landing);
    if (answer.startsWith('M'))
        answer = wire->out + answer.mid(1);
    wire->feed(answer);
    if (closes)
        wire->close();
    QVERIFY(waitUntil([&] { return landing->value.has_value(); }, 2s));
    BERTH_FAILS(*landing->value, kind);
    if (answer.contains("format"))
        QVERIFY2(landing->value->error().detail.contains(QLatin1String("exec format error"))
                     && !landing->value->error().detail.contains(QChar(0x1b)),
                 told(*landing->value).constData());
}

void TestGuestCodec::frameworkOfACommand()
{
    Peer peer;
    QVERIFY(peer.channel);
    const auto run = peer.start();
    QVERIFY(run);
    peer.data(BG_OUT, 0, "ab");
    peer.data(BG_ERR, 0, "E");
    peer.data(BG_OUT, 2, "c");
    peer.wire->feed(encodeGuestFrame(
        BG_STATE, peer.id, GuestWriter().u8(1).u8(0).u32(2).bytes("A=1=2").bytes("GONE").body()));
    peer.wire->feed(encodeGuestFrame(BG_EXIT, peer.id, exitBody(3, 1)));
    peer.wire->feed(encodeGuestFrame(BG_CLOSED, peer.id, GuestWriter().u32(0).u64(0).body()));
    QVERIFY(run->waitForEnd(2s));
    QCOMPARE(run->out, QByteArrayLiteral("abc"));
    QCOMPARE(run->err, QByteArrayLiteral("E"));
    QCOMPARE(run->outcome().cwd.value_or(QByteArray()), QByteArrayLiteral("/tmp"));
    QCOMPARE(run->outcome().environment.value_or(domain::Environment()),
             (domain::Environment{{"A", "1=2"}}));
    QVERIFY(peer.channel->isOpen());
}

void TestGuestCodec::forgedFrames_data()
{
    QTest::addColumn<int>("type");
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char *name, int type, const QByteArray &body) {
        QTest::newRow(name) << type << body;
    };
    row("gap", BG_OUT, GuestWriter().u64(5).raw("x").body());
    row("short", BG_OUT, "x");
    row("too much at once", BG_OUT,
        GuestWriter().u64(0).raw(QByteArray(BG_MAX_DATA + 1, 'x')).body());
    row("started twice", BG_STARTED, GuestWriter().u32(1).body());
    row("a file's data", BG_DATA, GuestWriter().u64(0).body());
    row("exit of more than came", BG_EXIT, exitBody(1, 0));
    row("exit of an unknown kind", BG_EXIT, exitBody(0, 0, 9));
    row("exit with a code beyond", BG_EXIT, exitBody(0, 0, BG_EXITED, 256));
    row("short exit", BG_EXIT, exitBody(0, 0).chopped(3));
    row("state that counts too much", BG_STATE, GuestWriter().u8(1).u8(0).u32(1000000).body());
    row("state with a missing entry", BG_STATE,
        GuestWriter().u8(1).u8(0).u32(2).bytes("A=1").body());
    row("input acknowledged that was not sent", BG_STDIN_ACK, GuestWriter().u32(1).body());
    row("unknown type", 0xEE, {});
}

void TestGuestCodec::forgedFrames()
{
    QFETCH(int, type);
    QFETCH(QByteArray, body);
    Peer peer;
    const auto run = peer.start();
    QVERIFY(run);
    int lost = 0;
    connect(peer.channel.get(), &GuestChannel::lost, this, [&lost] { ++lost; });
    peer.wire->feed(
        encodeGuestFrame(static_cast<quint8>(type), peer.id, body.left(BG_MAX_TO_GUEST)));
    QVERIFY(run->waitForEnd(2s));
    QCOMPARE(run->outcome().kind, domain::OutcomeKind::TransportLost);
    QCOMPARE(lost, 1);
    QVERIFY(!peer.channel->isOpen());
}

// What a search answers comes from whoever runs in the sandbox. A path in it is put behind the root
// by callers, so it must not lead elsewhere.
void TestGuestCodec::forgedFindings()
{
    const QByteArray reply = GuestWriter().u8(0).u64(1).u64(0).body();
    const auto glob = [&](const QByteArray &path) {
        return net::decodeGlob({reply, GuestWriter().bytes(path).body()}, 2).has_value();
    };
    QVERIFY(glob("a") && glob("a/b") && glob("..a/b..") && glob("\xff\n"));
    for (const char *path : {"", "..", ".", "/etc", "a/../../b", "a//b", "a/", "./a"})
        QVERIFY2(!glob(path), path);
    QVERIFY(!glob(QByteArray("a\0b", 3)));
    QVERIFY(!glob(QByteArray(BG_MAX_PATH + 1, 'a')));
    const QByteArray one = GuestWriter().bytes("a").body();
    QVERIFY(net::decodeGlob({reply, one + one}, 2));
    QVERIFY2(!net::decodeGlob({reply, one + one + one}, 2), "more than was asked for");
    QVERIFY(!net::decodeGlob({reply, one.chopped(1)}, 2));
    QVERIFY(!net::decodeGlob({reply, one + '\1'}, 2));
    QVERIFY(!net::decodeGlob({reply.chopped(1), one}, 2));
    QVERIFY(!net::decodeGlob({reply + '\0', one}, 2));

    const auto grep = [&](const QByteArray &path, quint64 line, const QByteArray &text) {
        const QByteArray data = GuestWriter().bytes(path).u64(line).bytes(text).body();
        return net::decodeGrep({reply, data}, 2).has_value();
    };
    QVERIFY(grep("a", 1, "text") && grep("", 7, QByteArray(1024, 'x')));
    QVERIFY(!grep("../a", 1, "text") && !grep("a", 0, "text"));
    QVERIFY(!grep("a", 1, QByteArray(1025, 'x')));
}

void TestGuestCodec::lostConnectionTellsAll()
{
    Peer peer;
    const auto run = peer.start(CommandRun::Acknowledge::ByHand);
    QVERIFY(run);
    net::GuestFileSystem files(peer.channel);
    const auto stat = std::make_shared<detail::Landing<domain::Result<domain::FileEntry>>>();
    detail::land(files.stat("/x", {}), stat);
    const auto write = std::make_shared<detail::Landing<domain::Result<void>>>();
    detail::land(files.write("/x", "content", {}), write);
    // More than the credit is a violation, too.
    const QByteArray piece(BG_MAX_DATA, 'x');
    for (quint64 i = 0; i < 16; ++i)
        peer.data(BG_OUT, i * BG_MAX_DATA, piece);
    QVERIFY(peer.channel->isOpen());
    peer.data(BG_OUT, 16 * BG_MAX_DATA, "x");
    QVERIFY(!peer.channel->isOpen());
    QVERIFY(waitUntil([&] { return stat->value && write->value; }, 2s));
    BERTH_FAILS(*stat->value, ErrorKind::Unavailable);
    BERTH_FAILS(*write->value, ErrorKind::Unavailable);
    QVERIFY(run->waitForEnd(2s));
    QCOMPARE(run->outcome().kind, domain::OutcomeKind::TransportLost);
    QCOMPARE(run->out.size(), qsizetype(BG_CREDIT));
    BERTH_FAILS(await(files.stat("/x", {}), 2s), ErrorKind::Unavailable);
}

void TestGuestCodec::silenceFailsRequestsOnly()
{
    auto *wire = new Wire;
    const std::shared_ptr<QIODevice> stream(wire);
    net::GuestChannelOptions options;
    options.heartbeat = 50ms;
    options.silence = 200ms;
    const auto landing =
        std::make_shared<detail::Landing<domain::Result<std::shared_ptr<GuestChannel>>>>();
    detail::land(GuestChannel::open(stream, options, {}), landing);
    wire->feed(wire->out + hello());
    QVERIFY(waitUntil([&] { return landing->value.has_value(); }, 2s));
    BERTH_OK(*landing->value);
    const std::shared_ptr<GuestChannel> channel = **landing->value;
    int silent = 0;
    connect(channel.get(), &GuestChannel::silent, this, [&silent] { ++silent; });
    net::GuestFileSystem files(channel);
    BERTH_FAILS(await(files.stat("/x", {}), 3s), ErrorKind::Timeout);
    spin(300ms);
    QCOMPARE(silent, 1);
    QVERIFY(channel->isOpen());
    QVERIFY(wire->out.contains(encodeGuestFrame(BG_PING, 0)));
}

void TestGuestCodec::startIsRefusedOrCancelled()
{
    Peer peer;
    net::GuestShell shell(peer.channel, {});
    std::stop_source stop;
    const auto landing =
        std::make_shared<detail::Landing<domain::Result<std::shared_ptr<domain::Execution>>>>();
    detail::land(shell.start(shellCommand("x"), stop.get_token()), landing);
    peer.wire->out.clear();
    stop.request_stop();
    QVERIFY(waitUntil([&] { return landing->value.has_value(); }, 2s));
    BERTH_FAILS(*landing->value, ErrorKind::Cancelled);
    QVERIFY2(peer.wire->out.contains(encodeGuestFrame(BG_KILL, 1)),
             "what may have started is not killed");
    // Its late frames disturb nobody.
    peer.wire->feed(encodeGuestFrame(BG_STARTED, 1, GuestWriter().u32(3).body())
                    + encodeGuestFrame(BG_EXIT, 1, exitBody(0, 0)));
    QVERIFY(peer.channel->isOpen());
}

void TestGuestCodec::survivesGarbage()
{
    std::mt19937 random(7);
    const auto below = [&random](qsizetype n) {
        return static_cast<qsizetype>(random() % static_cast<unsigned>(n));
    };
    int closed = 0;
    for (int round = 0; round < 1500; ++round) {
        Peer peer(hello(1));
        QVERIFY(peer.channel);
        const auto attached = peer.attach(10, 4, 0);
        const auto run = peer.start();
        QVERIFY(run);
        net::GuestFileSystem files(peer.channel);
        const auto read = std::make_shared<detail::Landing<domain::Result<QByteArray>>>();
        detail::land(files.read("/x", 0, 100, {}), read);
        const auto list = std::make_shared<detail::Landing<domain::Result<domain::FilePage>>>();
        detail::land(files.list("/x", {}, 5, {}), list);
        QByteArray entry = GuestWriter()
                               .u64(9)
                               .u8(1)
                               .u32(1)
                               .u32(0)
                               .u8('-')
                               .u8('-')
                               .u32(0644)
                               .u32(0)
                               .u32(0)
                               .u64(5)
                               .u64(1700000000)
                               .u32(0)
                               .bytes("n")
                               .bytes("")
                               .body();
        QList<QByteArray> frames{
            encodeGuestFrame(BG_ATTACHED, 10, attachedBody(6, 0)),
            encodeGuestFrame(BG_OUT, 10, GuestWriter().u64(9).raw("out").body()),
            encodeGuestFrame(BG_STDIN_ACK, 10, GuestWriter().u32(1).body()),
            encodeGuestFrame(BG_OUT, peer.id, GuestWriter().u64(0).raw("out").body()),
            encodeGuestFrame(BG_ERR, peer.id, GuestWriter().u64(0).raw("err").body()),
            encodeGuestFrame(BG_STATE, peer.id,
                             GuestWriter().u8(1).u8(0).u32(1).bytes("A=1").body()),
            encodeGuestFrame(BG_DATA, peer.id + 1, GuestWriter().u64(0).raw("some").body()),
            encodeGuestFrame(BG_REPLY, peer.id + 1, GuestWriter().u64(4).u32(4).u8(1).body()),
            encodeGuestFrame(BG_REPLY, peer.id + 2, entry),
            encodeGuestFrame(BG_ERROR, peer.id + 2,
                             GuestWriter().u32(2).u8(6).bytes("text").body()),
            encodeGuestFrame(BG_PONG, 0, GuestWriter().u64(1).body()),
            encodeGuestFrame(BG_EXIT, peer.id, exitBody(3, 3)),
            encodeGuestFrame(BG_CLOSED, peer.id, GuestWriter().u32(0).u64(0).body())};
        for (qsizetype n = 1 + below(3); n > 0; --n) {
            QByteArray &frame = frames[below(frames.size())];
            if (frame.isEmpty())
                continue;
            switch (below(4)) {
            case 0:
                frame[below(frame.size())] = static_cast<char>(random());
                break;
            case 1:
                if (frame.size() > 20)
                    frame[BG_HEADER_SIZE + below(frame.size() - 13)] = static_cast<char>(random());
                break;
            case 2:
                frame.truncate(below(frame.size()));
                break;
            default:
                frames.swapItemsAt(below(frames.size()), below(frames.size()));
            }
        }
        const QByteArray bytes = frames.join();
        for (qsizetype at = 0; at < bytes.size();) {
            const qsizetype size = 1 + below(60);
            peer.wire->feed(bytes.mid(at, size));
            at += size;
        }
        closed += peer.channel->isOpen() ? 0 : 1;
        peer.channel->close(QStringLiteral("done"));
        QVERIFY(run->waitForEnd(2s));
        QVERIFY(waitUntil([&] { return read->value && list->value && attached->value; }, 2s));
        QCOMPARE(run->afterEnd(), 0);
    }
    QVERIFY2(closed > 300, QByteArray::number(closed).constData());
}

} // namespace berth::test

QTEST_GUILESS_MAIN(berth::test::TestGuestCodec)
#include "test_guest_codec.moc"
