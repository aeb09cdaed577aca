// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "guest/guest_rig.h"

#include "guest/guest_binary.h"

#include <QtCore/QDir>
#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtTest/QTest>

#include <csignal>
#include <random>

using namespace std::chrono_literals;

namespace berth::test {

using net::encodeGuestFrame;
using net::GuestFrame;
using net::GuestReader;
using net::GuestWriter;

//! The runner itself, frame by frame.
class TestGuestWire : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void binaryIsSmallAndStatic();
    void saysWhatItIs();
    void refusesWhatIsNoProtocol();
    void limits();
    void takeOverInTheMiddleOfAFrame_data();
    void takeOverInTheMiddleOfAFrame();
    void takeOverKillsForegroundAfterItsGrace();
    void waitsForTheNextHost();
    void lostHostLeavesNoTemporaryFile_data();
    void lostHostLeavesNoTemporaryFile();
    void comesBackAfterAViolation();
    void survivesGarbage_data();
    void survivesGarbage();
    void frozenTimeDoesNotCount();
    void frozenTimeIsNoGrace();
};

void TestGuestWire::binaryIsSmallAndStatic()
{
    const QByteArray binary = guest::guestBinary(QSysInfo::currentCpuArchitecture());
    QVERIFY(!binary.isEmpty());
    QVERIFY2(binary.size() <= 200'000, QByteArray::number(binary.size()).constData());
    QVERIFY(binary.startsWith("\177ELF"));
    QVERIFY2(!binary.contains("/ld-musl") && !binary.contains("/ld-linux"), "it needs a loader");
    QCOMPARE(guest::guestBinary(QStringLiteral("amd64")),
             guest::guestBinary(QStringLiteral("x86_64")));
    QVERIFY(guest::guestBinary(QStringLiteral("vax")).isEmpty());
    QCOMPARE(guest::guestBinaryId(QSysInfo::currentCpuArchitecture()).size(), 16);
}

void TestGuestWire::saysWhatItIs()
{
    RawGuest guest(GuestMode::Root);
    QVERIFY(guest.greet());
    QCOMPARE(guest.hello().pid, static_cast<quint32>(guest.process().processId()));
    QCOMPARE(guest.hello().protocolMin, BG_PROTOCOL_MIN);
    QCOMPARE(guest.hello().build.size(), 16);
    QCOMPARE(guest.hello().arch, QSysInfo::currentCpuArchitecture());
    QVERIFY(guest.hello().capabilities & BG_CAP_PROC);
    QVERIFY(guest.hello().capabilities & BG_CAP_MEMFD);
    QVERIFY(!(guest.hello().capabilities & BG_CAP_PID1));
    guest.send(BG_PING, 77);
    QCOMPARE(guest.next({BG_PONG}).id, 77u);
    guest.send(BG_BYE, 0);
    QVERIFY(waitUntil([&] { return guest.process().state() == QProcess::NotRunning; }, 5s));
}

void TestGuestWire::refusesWhatIsNoProtocol()
{
    const QList<QByteArray> wrong{
        "GET / HTTP/1.1\r\n",
        encodeGuestFrame(0x7F, 1),
        encodeGuestFrame(BG_HELLO, 1),
        encodeGuestFrame(BG_STDIN, 1, QByteArray(BG_MAX_DATA + 1, 'x')),
        encodeGuestFrame(BG_PING, 1).chopped(1) + 'x',
        QByteArray("\xb7\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00{", 13),
        QByteArray("\xb7\x10\x00\x00\xff\xff\xff\xff\x01\x00\x00\x00", 12),
        QByteArray("\xb7\x10\x00\x00\x01\x00\x04\x00\x01\x00\x00\x00", 12)};
    for (const QByteArray &bytes : wrong) {
        RawGuest guest(GuestMode::Root);
        QVERIFY(guest.greet());
        guest.write(bytes);
        QCOMPARE(guest.next().type, quint8(BG_FATAL));
        QVERIFY(waitUntil([&] { return guest.process().state() == QProcess::NotRunning; }, 5s));
    }
}

void TestGuestWire::limits()
{
    RawGuest guest(GuestMode::Root);
    QVERIFY(guest.greet());
    for (quint32 i = 1; i <= BG_MAX_COMMANDS + 1; ++i)
        guest.send(BG_START, i, startFrame("sleep 781"));
    const GuestFrame refused = guest.next({BG_ERROR});
    QCOMPARE(refused.id, quint32(BG_MAX_COMMANDS + 1));
    QCOMPARE(net::decodeGuestError(refused.body)->stage, quint8(BG_STAGE_RESOURCES));
    guest.send(BG_START, 5, startFrame("true"));
    QCOMPARE(guest.next({BG_ERROR}).id, 5u); // in use
    guest.send(BG_START, 900, QByteArray(40, '\xff'));
    QCOMPARE(guest.next({BG_ERROR}).id, 900u);
    for (quint32 i = 1; i <= BG_MAX_COMMANDS; ++i)
        guest.send(BG_KILL, i);
    QVERIFY(allGone(QByteArray("sleep\000781", 9)));
    // One that was killed before it had begun answers its start with an error.
    int ended = 0;
    while (ended < BG_MAX_COMMANDS && guest.next({BG_CLOSED, BG_ERROR}).type != 0)
        ++ended;
    QCOMPARE(ended, BG_MAX_COMMANDS);
    guest.send(BG_START, 1000, startFrame("true"));
    QCOMPARE(guest.next({BG_STARTED}).id, 1000u);
}

void TestGuestWire::takeOverInTheMiddleOfAFrame_data()
{
    QTest::addColumn<double>("part");
    for (const double part : {0.0, 0.01, 0.05, 0.1, 0.3, 0.5, 0.9})
        QTest::addRow("%.2f", part) << part;
    QTest::newRow("all but the trailer") << 1.0;
}

void TestGuestWire::takeOverInTheMiddleOfAFrame()
{
    QFETCH(double, part);
    RawGuest guest(GuestMode::Root, {QStringLiteral("--eof=stay")});
    const QByteArray proof = guest.directory() + "/PROOF";
    QVERIFY(guest.greet());
    guest.send(BG_START, 1, startFrame("while :; do echo old; done"));
    QCOMPARE(guest.next({BG_OUT}).id, 1u); // its output is under way, too, and fills the pipe
    const QByteArray torn =
        encodeGuestFrame(BG_START, 2, startFrame("touch " + proof + "; " + QByteArray(1000, ':')));
    guest.write(torn.left(static_cast<qsizetype>(part * static_cast<double>(torn.size() - 1))));
    spin(50ms);
    QVERIFY(guest.greet(QByteArray(BG_PADDING, '\0')));
    QCOMPARE(guest.hello().jobs.size(), 1); // it waits for somebody who claims it
    guest.send(BG_START, 3, startFrame("echo new"));
    const GuestFrame out = guest.next({BG_OUT, BG_ERROR});
    QCOMPARE(out.type, quint8(BG_OUT));
    QCOMPARE(out.body.mid(8), QByteArrayLiteral("new\n"));
    QCOMPARE(guest.next({BG_EXIT}).id, 3u);
    QVERIFY2(!QFile::exists(QFile::decodeName(proof)), "half a command was run");
}

void TestGuestWire::takeOverKillsForegroundAfterItsGrace()
{
    RawGuest guest(GuestMode::Root,
                   {QStringLiteral("--eof=stay"), QStringLiteral("--grace-ms=900")});
    QVERIFY(guest.greet());
    guest.send(BG_START, 7, startFrame("setsid sleep 782 & sleep 782"));
    StartBody background;
    background.flags |= BG_START_BACKGROUND;
    background.tag = "mine";
    guest.send(BG_START, 8, startFrame("echo up; sleep 783", background));
    guest.send(BG_START, 9, startFrame("sleep 784 & echo left"));
    QVERIFY(guest.next({BG_EXIT}).id == 9);
    guest.send(BG_DETACH, 9, QByteArray(1, 1)); // the end has come
    QVERIFY(waitUntil([] { return processesWith(QByteArray("sleep\000782", 9)).size() == 2; }, 5s));
    QVERIFY(guest.greet(QByteArray(BG_PADDING, '\0')));
    QCOMPARE(guest.hello().jobs.size(), 3);
    QVERIFY(!guest.hello().jobs.at(0).survives());
    QVERIFY(!guest.hello().jobs.at(0).followed);
    QCOMPARE(guest.hello().jobs.at(1).id, 8u);
    QCOMPARE(guest.hello().jobs.at(1).tag, QByteArrayLiteral("mine"));
    QVERIFY(guest.hello().jobs.at(1).survives());
    QVERIFY(!guest.hello().jobs.at(1).mainEnded);
    QCOMPARE(guest.hello().jobs.at(2).id, 9u);
    QVERIFY(guest.hello().jobs.at(2).mainEnded);
    QVERIFY(guest.hello().jobs.at(2).released);
    // Another host within the time does not make it longer.
    spin(500ms);
    QCOMPARE(processesWith(QByteArray("sleep\000782", 9)).size(), 2);
    QVERIFY(guest.greet(QByteArray(BG_PADDING, '\0')));
    QElapsedTimer clock;
    clock.start();
    QVERIFY(allGone(QByteArray("sleep\000782", 9)));
    QVERIFY2(clock.elapsed() < 800, QByteArray::number(clock.elapsed()).constData());
    QCOMPARE(processesWith(QByteArray("sleep\000783", 9)).size(), 1);
    QCOMPARE(processesWith(QByteArray("sleep\000784", 9)).size(), 1);
    guest.send(BG_KILL, 8);
    guest.send(BG_KILL, 9);
    QVERIFY(allGone(QByteArray("sleep\000783", 9)));
    QVERIFY(allGone(QByteArray("sleep\000784", 9)));
}

void TestGuestWire::waitsForTheNextHost()
{
    RawGuest guest(GuestMode::Bubblewrap, {QStringLiteral("--eof=stay")});
    if (!GuestProcess::unavailable(GuestMode::Bubblewrap).isEmpty())
        QSKIP("needs bubblewrap");
    QVERIFY(guest.greet());
    QVERIFY(guest.hello().capabilities & BG_CAP_PID1);
    QCOMPARE(guest.hello().pid, 1u);
    guest.process().closeWriteChannel();
    spin(1500ms);
    QCOMPARE(guest.process().state(), QProcess::Running);
}

void TestGuestWire::lostHostLeavesNoTemporaryFile_data()
{
    QTest::addColumn<GuestMode>("mode");
    QTest::addColumn<QString>("eof");
    QTest::addColumn<QString>("how");
    const QString stay = QStringLiteral("--eof=stay");
    const QString leave = QStringLiteral("--eof=exit");
    for (const GuestMode mode : {GuestMode::Root, GuestMode::Bubblewrap}) {
        const char *const place = mode == GuestMode::Root ? "child" : "process 1";
        QTest::addRow("%s, end of input", place) << mode << leave << QStringLiteral("eof");
        QTest::addRow("%s that stays, end of input", place)
            << mode << stay << QStringLiteral("eof");
        QTest::addRow("%s, goodbye", place) << mode << leave << QStringLiteral("bye");
        QTest::addRow("%s that stays, goodbye", place) << mode << stay << QStringLiteral("bye");
        QTest::addRow("%s, take-over", place) << mode << stay << QStringLiteral("magic");
        QTest::addRow("%s, violation", place) << mode << stay << QStringLiteral("nonsense");
    }
    QTest::newRow("child, guest killed") << GuestMode::Root << leave << QStringLiteral("kill");
}

void TestGuestWire::lostHostLeavesNoTemporaryFile()
{
    QFETCH(GuestMode, mode);
    QFETCH(QString, eof);
    QFETCH(QString, how);
    const QString reason = GuestProcess::unavailable(mode);
    if (!reason.isEmpty())
        QSKIP(qUtf8Printable(reason));
    for (int round = 0; round < 4; ++round) {
        RawGuest guest(mode, {eof});
        QVERIFY(guest.greet());
        const QDir directory(QFile::decodeName(guest.directory()));
        const auto names = [&directory] {
            return directory.entryList(QDir::Files | QDir::Hidden, QDir::Name);
        };
        const QStringList before = names();
        for (quint32 id = 1; id <= 8; ++id) {
            GuestWriter open;
            open.u32(BG_SELF).u32(BG_SELF).bytes(guest.directory() + "/f" + QByteArray::number(id));
            guest.send(BG_WRITE_OPEN, id, open.u32(BG_SELF).u8(0).body());
        }
        // Some rounds before the files are open, some with the writers at work.
        if (round > 0)
            QCOMPARE(guest.next({BG_WRITE_ACK}).type, quint8(BG_WRITE_ACK));
        if (round > 1)
            for (quint32 id = 1; id <= 8; ++id)
                for (int piece = 0; piece < 4; ++piece)
                    guest.send(BG_WRITE_DATA, id, QByteArray(BG_MAX_DATA, 'x'));
        if (how == u"bye")
            guest.send(BG_BYE, 0);
        else if (how == u"magic")
            QVERIFY(guest.greet(QByteArray(BG_PADDING, '\0')));
        else if (how == u"nonsense")
            guest.write("nonsense");
        else if (how == u"kill")
            guest.process().kill();
        else
            guest.process().closeWriteChannel();
        if (eof == u"--eof=exit")
            QVERIFY(waitUntil([&guest] { return guest.process().state() == QProcess::NotRunning; },
                              5s));
        else
            spin(50ms); // a writer that is just starting shows its file only now
        QVERIFY2(waitUntil([&] { return names() == before; }, 5s), qPrintable(names().join(u' ')));
    }
}

void TestGuestWire::comesBackAfterAViolation()
{
    RawGuest guest(GuestMode::Root,
                   {QStringLiteral("--eof=stay"), QStringLiteral("--grace-ms=400")});
    QVERIFY(guest.greet());
    guest.send(BG_START, 1, startFrame("sleep 785"));
    QVERIFY(waitUntil([] { return !processesWith(QByteArray("sleep\000785", 9)).isEmpty(); }, 5s));
    guest.write("nonsense");
    QCOMPARE(guest.next({BG_FATAL}).type, quint8(BG_FATAL));
    QVERIFY(allGone(QByteArray("sleep\000785", 9)));
    // A magic that follows at once may be part of the nonsense.
    guest.write(QByteArray(BG_MAGIC) + QByteArray(BG_NONCE_SIZE, 'n'));
    QVERIFY(guest.greet(QByteArray(BG_PADDING, '\0')));
    guest.send(BG_PING, 3);
    QCOMPARE(guest.next().id, 3u);
    // Goodbye is another matter: that host will not come back for what it has started.
    guest.send(BG_START, 4, startFrame("sleep 786"));
    QVERIFY(waitUntil([] { return !processesWith(QByteArray("sleep\000786", 9)).isEmpty(); }, 5s));
    guest.send(BG_BYE, 0);
    QVERIFY(allGone(QByteArray("sleep\000786", 9), 300ms));
}

void TestGuestWire::survivesGarbage_data()
{
    QTest::addColumn<unsigned>("seed");
    for (const unsigned seed : {1u, 2u, 3u})
        QTest::addRow("seed %u", seed) << seed;
}

// Built with the sanitizers and shut into a sandbox that holds nothing, because a changed request
// is a request, too.
void TestGuestWire::survivesGarbage()
{
    const QString reason = GuestProcess::unavailable(GuestMode::Checked);
    if (!reason.isEmpty())
        QSKIP(qUtf8Printable(reason));
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    const auto below = [&random](qsizetype n) {
        return n > 0 ? static_cast<qsizetype>(random() % static_cast<unsigned>(n)) : 0;
    };
    StartBody all;
    all.flags = BG_START_INHERIT_ENV | BG_START_STATE | BG_START_TRACE | BG_START_STDIN_OPEN;
    StartBody terminal = all;
    terminal.flags |= BG_START_PTY | BG_START_BACKGROUND;
    terminal.terminal = 100 | 30 << 16;
    terminal.tag = "tag";
    const auto path = [](const QByteArray &name) {
        return GuestWriter().u32(BG_SELF).u32(BG_SELF).bytes(name).body();
    };
    const QList<QByteArray> seeds{
        encodeGuestFrame(BG_PING, 1),
        encodeGuestFrame(BG_START, 1, startFrame("echo x; cat", all)),
        encodeGuestFrame(BG_STDIN, 1, "some input"),
        encodeGuestFrame(BG_STDIN_EOF, 1),
        encodeGuestFrame(BG_CREDIT_ADD, 1, GuestWriter().u8(0).u32(70000).body()),
        encodeGuestFrame(BG_KILL, 1),
        encodeGuestFrame(BG_START, 10, startFrame("stty size; cat", terminal)),
        encodeGuestFrame(BG_STDIN, 10, "typed\n\4\4"),
        encodeGuestFrame(BG_STDIN_EOF, 10),
        encodeGuestFrame(BG_RESIZE, 10, GuestWriter().u32(80 | 24 << 16).body()),
        encodeGuestFrame(BG_SIGNAL, 10, GuestWriter().u8(1).u8(2).body()),
        encodeGuestFrame(BG_DETACH, 10, QByteArray(1, 0)),
        encodeGuestFrame(BG_ATTACH, 10, GuestWriter().u64(0).u64(0).u32(70000).body()),
        encodeGuestFrame(BG_JOBS, 11),
        encodeGuestFrame(BG_STAT, 2, path("/tmp/file") + '\1'),
        encodeGuestFrame(BG_LIST, 3, path("/usr/bin") + GuestWriter().u64(0).u32(50).body()),
        encodeGuestFrame(BG_READ, 4, path("/etc/passwd") + GuestWriter().u64(3).u32(70000).body()),
        encodeGuestFrame(BG_WRITE_OPEN, 5,
                         path("/tmp/file") + GuestWriter().u32(BG_SELF).u8(2).body()),
        encodeGuestFrame(BG_WRITE_DATA, 5, QByteArray(5000, 'w')),
        encodeGuestFrame(BG_WRITE_COMMIT, 5),
        encodeGuestFrame(BG_MKDIR, 6, path("/tmp/a/b") + GuestWriter().u32(BG_SELF).u8(1).body()),
        encodeGuestFrame(BG_RENAME, 7, path("/tmp/a") + GuestWriter().bytes("/tmp/c").u8(0).body()),
        encodeGuestFrame(BG_REMOVE, 8, path("/tmp/c") + '\1'),
        encodeGuestFrame(BG_SAMPLE, 9, path("/")),
        encodeGuestFrame(BG_GLOB, 10,
                         path("/usr/bin") + GuestWriter().bytes("**/[!a]*?").u32(9).u8(1).body()),
        encodeGuestFrame(BG_GREP, 11,
                         path("/etc")
                             + GuestWriter().bytes("r(oo|u)t.*").bytes("p*").u32(9).u8(0).body()),
        QByteArray(BG_MAGIC) + QByteArray(BG_NONCE_SIZE, 'n'),
    };
    RawGuest guest(GuestMode::Checked, {QStringLiteral("--eof=stay")});
    QVERIFY(guest.greet());
    int rounds = 0;
    QElapsedTimer clock;
    clock.start();
    while (rounds < 120 && clock.elapsed() < 30'000) {
        QByteArray bytes;
        // About twenty changed frames in a row; after a violation the rest is skipped by the guest.
        for (int i = 0; i < 20; ++i) {
            QByteArray frame = seeds.at(below(seeds.size()));
            switch (below(6)) {
            case 0:
                break;
            case 1:
                frame[below(frame.size())] = static_cast<char>(random());
                break;
            case 2: { // in the body, where the frame stays whole
                const qsizetype body = frame.size() - BG_FRAME_OVERHEAD;
                for (qsizetype n = below(4) + 1; n > 0 && body > 0; --n)
                    frame[BG_HEADER_SIZE + below(body)] = static_cast<char>(random());
                break;
            }
            case 3: { // a length field to the extreme
                if (frame.size() > 24)
                    for (qsizetype k = 0, at = BG_HEADER_SIZE + below(frame.size() - 20); k < 4;
                         ++k)
                        frame[at + k] = static_cast<char>(below(2) ? 0xff : 0x00);
                break;
            }
            case 4: { // a shorter or longer body with a right header
                const GuestFrame whole{static_cast<quint8>(frame.at(1)),
                                       static_cast<quint32>(below(10)),
                                       frame.mid(BG_HEADER_SIZE).chopped(1)};
                if (static_cast<quint8>(frame.at(0)) == BG_MARKER)
                    frame =
                        encodeGuestFrame(whole.type, whole.id,
                                         below(2) ? whole.body.left(below(whole.body.size() + 1))
                                                  : whole.body + QByteArray(below(300), 'z'));
                break;
            }
            default:
                frame = frame.left(below(frame.size()));
            }
            bytes += frame;
        }
        guest.write(bytes);
        QVERIFY2(guest.greet(QByteArray(BG_PADDING, '\0')), "it died, or does not find back");
        ++rounds;
    }
    QVERIFY2(rounds >= 60, QByteArray::number(rounds).constData());
    // Its children complain, too, and their end alone would not show here.
    const QStringList complaints =
        QDir(QFile::decodeName(guest.directory())).entryList({QStringLiteral("complaint*")});
    for (const QString &name : complaints) {
        QFile file(QFile::decodeName(guest.directory()) + QLatin1Char('/') + name);
        if (file.open(QIODevice::ReadOnly))
            qWarning("%s", file.read(4000).constData());
    }
    QVERIFY(complaints.isEmpty());
    guest.send(BG_START, 0x7000, startFrame("echo fine"));
    QCOMPARE(guest.next({BG_OUT}).body.mid(8), QByteArrayLiteral("fine\n"));
}

void TestGuestWire::frozenTimeDoesNotCount()
{
    RawGuest guest(GuestMode::Root);
    QVERIFY(guest.greet());
    StartBody timed;
    timed.timeout = 1500;
    guest.send(BG_START, 1, startFrame("sleep 2.5; echo through", timed));
    QCOMPARE(guest.next({BG_STARTED}).id, 1u);
    // Stands for the freezer: the runner does not run, the clock of the machine does.
    ::kill(static_cast<pid_t>(guest.process().processId()), SIGSTOP);
    spin(2700ms);
    ::kill(static_cast<pid_t>(guest.process().processId()), SIGCONT);
    const GuestFrame exit = guest.next({BG_EXIT});
    QCOMPARE(exit.type, quint8(BG_EXIT));
    QVERIFY2(GuestReader(exit.body).u8() == BG_EXITED, "the time while it was frozen was counted");
    guest.send(BG_START, 2, startFrame("sleep 786", timed));
    const GuestFrame late = guest.next({BG_EXIT});
    QVERIFY(GuestReader(late.body).u8() == BG_TIMED_OUT);
}

void TestGuestWire::frozenTimeIsNoGrace()
{
    RawGuest guest(GuestMode::Root,
                   {QStringLiteral("--eof=stay"), QStringLiteral("--grace-ms=1200")});
    QVERIFY(guest.greet());
    guest.send(BG_START, 1, startFrame("sleep 787"));
    QVERIFY(waitUntil([] { return !processesWith(QByteArray("sleep\000787", 9)).isEmpty(); }, 5s));
    QVERIFY(guest.greet(QByteArray(BG_PADDING, '\0')));
    ::kill(static_cast<pid_t>(guest.process().processId()), SIGSTOP);
    spin(2200ms);
    ::kill(static_cast<pid_t>(guest.process().processId()), SIGCONT);
    guest.send(BG_PING, 2);
    QCOMPARE(guest.next({BG_PONG}).id, 2u);
    spin(100ms);
    QVERIFY(!processesWith(QByteArray("sleep\000787", 9)).isEmpty());
    QVERIFY(allGone(QByteArray("sleep\000787", 9)));
}

} // namespace berth::test

QTEST_GUILESS_MAIN(berth::test::TestGuestWire)
#include "test_guest_wire.moc"
