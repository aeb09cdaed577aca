// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "guest/guest_rig.h"

#include <QtTest/QTest>

using namespace std::chrono_literals;

namespace berth::test {

using net::GuestFrame;
using net::GuestJob;
using net::GuestReader;
using net::GuestWriter;

namespace {

StartBody background(const QByteArray &tag = {})
{
    StartBody body;
    body.flags |= BG_START_BACKGROUND | BG_START_STDIN_OPEN;
    body.tag = tag;
    return body;
}

StartBody onTerminal(quint32 columns, quint32 rows)
{
    StartBody body;
    body.flags |= BG_START_PTY;
    body.terminal = columns | rows << 16;
    return body;
}

struct Attached
{
    quint32 flags = 0;
    quint64 out = 0;
    quint64 err = 0;
    bool inputOpen = false;
    quint32 inputRoom = 0;
};

QByteArray attachBody(quint64 out, quint64 err, quint32 credit = 0)
{
    return GuestWriter().u64(out).u64(err).u32(credit).body();
}

//! What follows of one command, with credit given back as it comes.
struct Followed
{
    QByteArray out;
    QByteArray err;
    bool hasState = false;
    quint8 kind = 0xFF;
    quint8 flags = 0;
    quint32 code = 0;
    bool inOrder = true;
};

} // namespace

//! Commands whose host goes and comes: rings, offsets, claims; and terminals. Frame by frame.
class TestGuestJobs : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase_data();
    void init();
    void cleanup() { m_guest.reset(); }

    void ringIsReplayed_data();
    void ringIsReplayed();
    void ringOverflowIsTold();
    void foregroundIsClaimed();
    void foregroundIsHeldUpAndLosesNothing();
    void unclaimedOutputDoesNotKeepItsEnd();
    void endIsKeptForALaterHost();
    void endedOnesAreBounded();
    void attachIsRefused();
    void silenceKillsForegroundOnly();
    void inputGoesOnAfterATakeOver();
    void lostSupervisorInTheBackground();
    void terminalHasSizeAndSignals();
    void terminalWithoutPty();
    void terminalEndsByItsEndOfFile();
    void terminalSurvivesItsHost();
    void signalsReachTheGroup();
    void restIsKilled();
    void protocolCannotBeReachedFromATerminal();

private:
    void start(quint32 id, const QByteArray &text, const StartBody &body = {});
    void comeAgain() { QVERIFY(m_guest->greet(QByteArray(BG_PADDING, '\0'))); }
    std::optional<Attached> attach(quint32 id, quint64 out, quint64 err, quint32 credit = 0);
    //! Until EXIT, or until standard output holds \a until.
    Followed follow(quint32 id, quint64 outFrom, const QByteArray &until = {}, bool store = true);
    std::optional<GuestJob> job(quint32 id);

    GuestMode m_mode = GuestMode::Root;
    std::unique_ptr<RawGuest> m_guest;
};

void TestGuestJobs::initTestCase_data()
{
    QTest::addColumn<GuestMode>("mode");
    QTest::newRow("nobody") << GuestMode::Nobody;
    QTest::newRow("bubblewrap") << GuestMode::Bubblewrap;
}

void TestGuestJobs::init()
{
    QFETCH_GLOBAL(GuestMode, mode);
    const QString reason = GuestProcess::unavailable(mode);
    if (!reason.isEmpty())
        QSKIP(qUtf8Printable(reason));
    m_mode = mode;
    m_guest = std::make_unique<RawGuest>(
        mode, QStringList{QStringLiteral("--eof=stay"), QStringLiteral("--grace-ms=1500")});
    QVERIFY(m_guest->greet());
}

void TestGuestJobs::start(quint32 id, const QByteArray &text, const StartBody &body)
{
    m_guest->send(BG_START, id, startFrame(text, body));
    const GuestFrame started = m_guest->next({BG_STARTED, BG_ERROR});
    QCOMPARE(started.type, quint8(BG_STARTED));
    QCOMPARE(started.id, id);
}

std::optional<Attached> TestGuestJobs::attach(quint32 id, quint64 out, quint64 err, quint32 credit)
{
    m_guest->send(BG_ATTACH, id, attachBody(out, err, credit));
    const GuestFrame frame = m_guest->next({BG_ATTACHED, BG_ERROR});
    if (frame.type != BG_ATTACHED || frame.id != id)
        return std::nullopt;
    GuestReader reader(frame.body);
    reader.u32();
    Attached attached;
    attached.flags = reader.u32();
    attached.out = reader.u64();
    attached.err = reader.u64();
    attached.inputOpen = reader.u8() != 0;
    attached.inputRoom = reader.u32();
    return reader.isBad() ? std::nullopt : std::optional(attached);
}

Followed TestGuestJobs::follow(quint32 id, quint64 outFrom, const QByteArray &until, bool store)
{
    Followed all;
    while (until.isEmpty() || !all.out.contains(until)) {
        const GuestFrame frame = m_guest->next({BG_OUT, BG_ERR, BG_STATE, BG_EXIT, BG_ERROR}, 10s);
        if (frame.type == 0)
            break;
        if (frame.id != id)
            continue;
        GuestReader reader(frame.body);
        if (frame.type == BG_OUT || frame.type == BG_ERR) {
            const quint64 offset = reader.u64();
            QByteArray &to = frame.type == BG_OUT ? all.out : all.err;
            const quint64 first = frame.type == BG_OUT ? outFrom : 0;
            all.inOrder = all.inOrder && offset == first + static_cast<quint64>(to.size());
            const QByteArray bytes = reader.rest();
            to += bytes;
            if (store)
                m_guest->send(BG_CREDIT_ADD, id,
                              GuestWriter()
                                  .u8(frame.type == BG_OUT ? 0 : 1)
                                  .u32(static_cast<quint32>(bytes.size()))
                                  .body());
        } else if (frame.type == BG_STATE) {
            all.hasState = reader.u8() != 0;
        } else if (frame.type == BG_EXIT) {
            all.kind = reader.u8();
            all.flags = reader.u8();
            all.code = reader.u32();
            break;
        } else {
            break;
        }
    }
    return all;
}

std::optional<GuestJob> TestGuestJobs::job(quint32 id)
{
    m_guest->send(BG_JOBS, 0x7000);
    const auto jobs = net::decodeGuestJobs(m_guest->next({BG_REPLY}).body);
    if (jobs)
        for (const GuestJob &one : *jobs)
            if (one.id == id)
                return one;
    return std::nullopt;
}

void TestGuestJobs::ringIsReplayed_data()
{
    QTest::addColumn<bool>("lost");
    QTest::addColumn<int>("from");
    QTest::newRow("lost, all") << true << 0;
    QTest::newRow("lost, from the middle") << true << 7;
    QTest::newRow("let go, all") << false << 0;
    QTest::newRow("let go, nothing") << false << 20;
}

void TestGuestJobs::ringIsReplayed()
{
    QFETCH(bool, lost);
    QFETCH(int, from);
    start(1, "echo 012345678; echo error >&2; read x; echo $x; echo 987654321; sleep 0.1; exit 6",
          background("the tag"));
    QCOMPARE(follow(1, 0, "012345678\n").out, QByteArrayLiteral("012345678\n"));
    if (lost)
        comeAgain();
    else
        m_guest->send(BG_DETACH, 1, QByteArray(1, 0));
    QVERIFY(waitUntil([this] { return job(1) && job(1)->stderrOffset == 6; }, 5s));
    QVERIFY(!job(1)->followed);
    QCOMPARE(job(1)->tag, QByteArrayLiteral("the tag"));
    QCOMPARE(job(1)->stdoutOffset, 10u);
    QCOMPARE(attach(1, 10, 6)->inputRoom, BG_STDIN_WINDOW);
    m_guest->send(BG_STDIN, 1, "123456789\n");
    QVERIFY(follow(1, 10, "123456789\n").out.startsWith("123456789\n"));
    const auto attached = attach(1, static_cast<quint64>(from), 0);
    QVERIFY(attached);
    QCOMPARE(attached->out, static_cast<quint64>(from));
    const Followed rest = follow(1, static_cast<quint64>(from));
    QCOMPARE(rest.out, QByteArrayLiteral("012345678\n123456789\n987654321\n").mid(from));
    QVERIFY(rest.inOrder);
    QCOMPARE(rest.err, QByteArrayLiteral("error\n"));
    QCOMPARE(rest.kind, quint8(BG_EXITED));
    QCOMPARE(rest.code, 6u);
}

void TestGuestJobs::ringOverflowIsTold()
{
    start(1, "read x; head -c 3000000 /dev/zero | tr '\\0' a; printf end; sleep 0.1", background());
    m_guest->send(BG_STDIN, 1, "\n");
    m_guest->send(BG_DETACH, 1, QByteArray(1, 0));
    QVERIFY(waitUntil([this] { return job(1) && job(1)->mainEnded; }, 10s));
    QCOMPARE(job(1)->stdoutOffset, 3000003u);
    const auto attached = attach(1, 100, 0, 70000);
    QVERIFY(attached);
    QCOMPARE(attached->out, 3000003u - BG_RING);
    const Followed rest = follow(1, attached->out);
    QVERIFY(rest.inOrder);
    QCOMPARE(rest.out, QByteArray(BG_RING - 3, 'a') + "end");
    QCOMPARE(rest.kind, quint8(BG_EXITED));
}

// Its host had received some, stored less, and there were bytes under way.
void TestGuestJobs::foregroundIsClaimed()
{
    StartBody body;
    body.flags |= BG_START_STATE | BG_START_TRACE;
    start(1, "seq 1 400000; export X=1; cd /usr; sleep 0.3; exit 9", body);
    QByteArray whole;
    for (int i = 1; i <= 400000; ++i)
        whole += QByteArray::number(i) + '\n';
    const QByteArray had = follow(1, 0, "20000\n", false).out;
    const quint64 stored = static_cast<quint64>(had.size()) / 2;
    comeAgain();
    QVERIFY(job(1) && !job(1)->followed);
    const auto attached = attach(1, stored, 0);
    QVERIFY(attached);
    QCOMPARE(attached->out, stored);
    const Followed rest = follow(1, stored);
    QVERIFY(rest.inOrder);
    QVERIFY(had.left(static_cast<qsizetype>(stored)) + rest.out == whole);
    QCOMPARE(rest.kind, quint8(BG_EXITED));
    QCOMPARE(rest.code, 9u);
    QVERIFY(rest.hasState);
    m_guest->send(BG_DETACH, 1, QByteArray(1, 1));
    QVERIFY(test::waitUntil([this] { return !job(1); }));
}

void TestGuestJobs::foregroundIsHeldUpAndLosesNothing()
{
    start(1, "seq 1 400000");
    comeAgain();
    spin(300ms);
    QVERIFY(job(1));
    QVERIFY2(job(1)->stdoutOffset <= BG_RING && job(1)->stdoutOffset > BG_RING / 2,
             QByteArray::number(job(1)->stdoutOffset).constData());
    QVERIFY(!job(1)->mainEnded);
    const auto attached = attach(1, 0, 0);
    QVERIFY(attached);
    QCOMPARE(attached->out, 0u);
    const Followed rest = follow(1, 0);
    QVERIFY(rest.inOrder);
    QVERIFY(rest.out.endsWith("\n400000\n"));
    QCOMPARE(rest.kind, quint8(BG_EXITED));
}

// Claimed by nobody: killed after its grace; the last of the output gives way.
void TestGuestJobs::unclaimedOutputDoesNotKeepItsEnd()
{
    start(1, "while :; do echo 0123456789; done");
    StartBody tagged;
    tagged.tag = "t";
    start(2, "sleep 791", tagged);
    m_guest->process().closeWriteChannel();
    spin(700ms);
    QCOMPARE(processesWith(QByteArray("sleep\000791", 9)).size(), 1);
    QVERIFY(allGone(QByteArray("sleep\000791", 9)));
    QVERIFY(allGone("while :; do echo 0123456789; done"));
}

void TestGuestJobs::endIsKeptForALaterHost()
{
    StartBody body;
    body.flags |= BG_START_STATE | BG_START_TRACE;
    start(1, "sleep 0.3; export Y=2; cd /usr; echo late; exit 4", body);
    start(2, "sleep 0.2; echo out; exit 5", background("b"));
    comeAgain();
    QVERIFY(waitUntil([this] { return job(1)->mainEnded && job(2)->mainEnded; }, 5s));
    comeAgain(); // and even a second one
    QCOMPARE(m_guest->hello().jobs.size(), 2);
    for (const quint32 id : {1u, 2u}) {
        QVERIFY(attach(id, 0, 0));
        const Followed end = follow(id, 0);
        QCOMPARE(end.out, id == 1 ? QByteArrayLiteral("late\n") : QByteArrayLiteral("out\n"));
        QCOMPARE(end.kind, quint8(BG_EXITED));
        QCOMPARE(end.code, 3 + id);
        QCOMPARE(end.hasState, id == 1);
    }
    // Asked again it is told again, until its host has confirmed.
    QVERIFY(attach(2, 4, 0));
    QCOMPARE(follow(2, 4).code, 5u);
    m_guest->send(BG_DETACH, 2, QByteArray(1, 1));
    QVERIFY(!attach(2, 0, 0));
    QVERIFY(attach(1, 0, 0));
}

void TestGuestJobs::endedOnesAreBounded()
{
    for (quint32 id = 1; id <= BG_MAX_ENDED + 8; ++id) {
        start(id, "echo x", background());
        m_guest->send(BG_DETACH, id, QByteArray(1, 0));
    }
    QVERIFY(waitUntil([this] { return !job(8) && job(BG_MAX_ENDED + 8)->mainEnded; }, 5s));
    QVERIFY(job(BG_MAX_ENDED + 8));
    // All places taken: those that have ended make room.
    for (quint32 id = 100; id < 100 + BG_MAX_COMMANDS; ++id)
        start(id, "sleep 792");
    m_guest->send(BG_START, 200, startFrame("true"));
    QCOMPARE(m_guest->next({BG_STARTED, BG_ERROR}).type, quint8(BG_ERROR));
}

void TestGuestJobs::attachIsRefused()
{
    start(1, "echo 12345; sleep 793", background());
    QCOMPARE(follow(1, 0, "12345\n").out.size(), 6);
    const QList<std::pair<quint32, QByteArray>> wrong{
        {1, attachBody(7, 0)},          {1, attachBody(0, 1)},
        {1, attachBody(~0ull, ~0ull)},  {1, "short"},
        {2, attachBody(0, 0)},          {0, attachBody(0, 0)},
        {0xFFFFFFFF, attachBody(0, 0)}, {0x7000, attachBody(0, 0)}};
    for (const auto &[id, body] : wrong) {
        m_guest->send(BG_ATTACH, id, body);
        const GuestFrame error = m_guest->next({BG_ATTACHED, BG_ERROR});
        QCOMPARE(error.type, quint8(BG_ERROR));
        QCOMPARE(error.id, id);
    }
    // Orders for what is not there, and orders that are cut short, do nothing.
    for (const quint8 type : {BG_RESIZE, BG_SIGNAL, BG_DETACH})
        for (const quint32 id : {1u, 2u, 0u})
            m_guest->send(type, id, {});
    m_guest->send(BG_SIGNAL, 1, GuestWriter().u8(65).u8(0).body());
    m_guest->send(BG_SIGNAL, 1, GuestWriter().u8(15).u8(9).body());
    m_guest->send(BG_RESIZE, 1, GuestWriter().u32(~0u).body());
    QVERIFY(job(1) && job(1)->followed && !job(1)->mainEnded);
}

// The host is stuck, but still there: what it may not lose is ended and told, the rest goes on.
void TestGuestJobs::silenceKillsForegroundOnly()
{
    m_guest = std::make_unique<RawGuest>(
        m_mode, QStringList{QStringLiteral("--eof=stay"), QStringLiteral("--silence-ms=500")});
    QVERIFY(m_guest->greet());
    start(1, "sleep 798");
    start(2, "sleep 0.9; head -c 3000000 /dev/zero; echo end; sleep 0.1", background());
    QVERIFY(allGone(QByteArray("sleep\000798", 9)));
    spin(1500ms);
    quint64 at = 0;
    quint64 missing = 0;
    QByteArray last;
    bool killed = false;
    for (;;) {
        const GuestFrame frame = m_guest->next({BG_OUT, BG_EXIT});
        QVERIFY(frame.type != 0);
        GuestReader reader(frame.body);
        if (frame.type == BG_EXIT && frame.id == 2)
            break;
        if (frame.type == BG_EXIT) {
            QCOMPARE(reader.u8(), quint8(BG_KILLED));
            QVERIFY(reader.u8() & BG_EXIT_HOST_LOST);
            killed = true;
            continue;
        }
        const quint64 offset = reader.u64();
        QVERIFY(offset >= at);
        missing += offset - at;
        last = reader.rest();
        at = offset + static_cast<quint64>(last.size());
        m_guest->send(BG_CREDIT_ADD, 2,
                      GuestWriter().u8(0).u32(static_cast<quint32>(last.size())).body());
    }
    QVERIFY(killed);
    QVERIFY(last.endsWith("end\n"));
    QCOMPARE(at, 3000004u);
    QVERIFY2(missing > 0 && missing <= 3000004 - BG_RING, QByteArray::number(missing).constData());
}

void TestGuestJobs::inputGoesOnAfterATakeOver()
{
    start(1, "sleep 0.6; cat | wc -c", background());
    const QByteArray piece(BG_MAX_DATA, 'i');
    for (int i = 0; i < 4; ++i) // the whole window; the pipe takes 64 KiB of it
        m_guest->send(BG_STDIN, 1, piece);
    spin(100ms);
    comeAgain();
    const auto attached = attach(1, 0, 0);
    QVERIFY(attached && attached->inputOpen);
    QVERIFY2(attached->inputRoom < BG_STDIN_WINDOW / 2 && attached->inputRoom > 0,
             QByteArray::number(attached->inputRoom).constData());
    quint32 room = attached->inputRoom;
    while (room < BG_STDIN_WINDOW) {
        const GuestFrame ack = m_guest->next({BG_STDIN_ACK, BG_STDIN_GONE});
        QCOMPARE(ack.type, quint8(BG_STDIN_ACK));
        room += GuestReader(ack.body).u32();
    }
    QCOMPARE(room, BG_STDIN_WINDOW);
    m_guest->send(BG_STDIN, 1, "more");
    m_guest->send(BG_STDIN_EOF, 1);
    QCOMPARE(follow(1, 0).out.trimmed(), QByteArray::number(4 * BG_MAX_DATA + 4));
}

void TestGuestJobs::lostSupervisorInTheBackground()
{
    start(1, "sleep 794 & setsid sleep 794 & kill -9 $PPID; sleep 794", background());
    start(2, "sleep 795 & kill -9 $PPID; sleep 795", onTerminal(80, 24));
    QVERIFY(allGone(QByteArray("sleep\000794", 9)));
    QVERIFY(allGone(QByteArray("sleep\000795", 9)));
    comeAgain();
    for (const quint32 id : {1u, 2u}) {
        QVERIFY(attach(id, 0, 0));
        const Followed end = follow(id, 0);
        QVERIFY(end.flags & BG_EXIT_SUPERVISOR_LOST);
        // The runner may still be looking whether anything of the tree is left; then CLOSED tells.
        if (end.flags & BG_EXIT_TREE_ALIVE)
            QCOMPARE(m_guest->next({BG_CLOSED}, 10s).id, id);
    }
}

void TestGuestJobs::terminalHasSizeAndSignals()
{
    QVERIFY(m_guest->hello().capabilities & BG_CAP_PTY);
    start(
        1,
        "tty; stty size; test -t 0 -a -t 1 -a -t 2 && echo terminal; echo err >&2; echo > /dev/tty;"
        " trap 'stty size; echo changed' WINCH; echo up; "
        "while :; do sleep 0.1; done",
        onTerminal(100, 30));
    const Followed first = follow(1, 0, "up\r\n");
    QVERIFY2(first.out.startsWith("/dev/pts/"), first.out.constData());
    QVERIFY2(first.out.contains("\r\n30 100\r\nterminal\r\nerr\r\n\r\nup\r\n"),
             first.out.constData());
    QCOMPARE(first.err, QByteArray());
    m_guest->send(BG_RESIZE, 1, GuestWriter().u32(132 | 50 << 16).body());
    const Followed second = follow(1, static_cast<quint64>(first.out.size()), "changed\r\n");
    QVERIFY2(second.out.contains("50 132\r\n"), second.out.constData());
    // The line discipline makes a signal of it, for the group in the foreground.
    m_guest->send(BG_STDIN, 1, "\x03");
    const Followed end = follow(1, static_cast<quint64>(first.out.size() + second.out.size()));
    QVERIFY2(end.out.contains("^C"), end.out.constData());
    QCOMPARE(end.kind, quint8(BG_SIGNALLED));
    QCOMPARE(end.code, 2u);
}

void TestGuestJobs::terminalWithoutPty()
{
    if (m_mode != GuestMode::Bubblewrap)
        QSKIP("needs a /dev of its own");
    // Without capabilities its root may not pass over modes.
    start(1, "rm /dev/ptmx && chmod 000 /dev/pts/ptmx && echo gone");
    QCOMPARE(follow(1, 0).out, QByteArrayLiteral("gone\n"));
    m_guest->send(BG_START, 2, startFrame("true", onTerminal(80, 24)));
    const GuestFrame frame = m_guest->next({BG_STARTED, BG_ERROR});
    QCOMPARE(frame.type, quint8(BG_ERROR));
    const auto error = net::decodeGuestError(frame.body);
    QCOMPARE(error->stage, quint8(BG_STAGE_TERMINAL));
    QVERIFY2(error->text.contains(QLatin1String("/dev/ptmx")), qPrintable(error->text));
    comeAgain();
    QVERIFY(!(m_guest->hello().capabilities & BG_CAP_PTY));
}

void TestGuestJobs::terminalEndsByItsEndOfFile()
{
    start(1, "cat; echo one; cat; echo two", onTerminal(80, 24));
    m_guest->send(BG_STDIN, 1, "typed\n\x04");
    const Followed first = follow(1, 0, "one\r\n");
    QCOMPARE(first.out, QByteArrayLiteral("typed\r\ntyped\r\none\r\n"));
    m_guest->send(BG_STDIN, 1, "half"); // no end of a line before the end
    m_guest->send(BG_STDIN_EOF, 1);
    const Followed second = follow(1, static_cast<quint64>(first.out.size()));
    QVERIFY2(second.out.endsWith("two\r\n"), second.out.constData());
    QCOMPARE(second.kind, quint8(BG_EXITED));
}

void TestGuestJobs::terminalSurvivesItsHost()
{
    StartBody body = onTerminal(80, 24);
    body.tag = "terminal";
    start(1, "cat; sleep 796", body);
    m_guest->send(BG_STDIN, 1, "before\n");
    follow(1, 0, "before\r\nbefore\r\n");
    comeAgain();
    spin(2s); // longer than the grace
    const auto still = job(1);
    QVERIFY(still && !still->mainEnded && (still->flags & BG_START_PTY));
    QCOMPARE(still->tag, QByteArrayLiteral("terminal"));
    QVERIFY(attach(1, 16, 0));
    m_guest->send(BG_STDIN, 1, "after\n");
    QCOMPARE(follow(1, 16, "after\r\nafter\r\n").out, QByteArrayLiteral("after\r\nafter\r\n"));
    m_guest->send(BG_KILL, 1);
    const Followed end = follow(1, 30);
    QCOMPARE(end.kind, quint8(BG_KILLED));
    QVERIFY(allGone(QByteArray("sleep\000796", 9)));
}

void TestGuestJobs::signalsReachTheGroup()
{
    const QByteArray text = "(trap 'echo child' USR1; echo c; while :; do sleep 0.05; done) & "
                            "(trap 'echo away' USR1; exec setsid sh -c 'trap \"echo away\" USR1; "
                            "echo a; while :; do sleep 0.05; done') & "
                            "trap 'echo main' USR1; echo m; while :; do sleep 0.05; done";
    for (const quint8 whom : {BG_SIGNAL_MAIN, BG_SIGNAL_GROUP, BG_SIGNAL_TREE}) {
        const quint32 id = 1u + whom;
        start(id, text);
        QByteArray out;
        while (out.count('\n') < 3)
            out += follow(id, static_cast<quint64>(out.size()), "\n").out;
        m_guest->send(BG_SIGNAL, id, GuestWriter().u8(10).u8(whom).body());
        const int expected = whom == BG_SIGNAL_MAIN ? 1 : whom == BG_SIGNAL_GROUP ? 2 : 3;
        QByteArray told;
        while (told.count('\n') < expected)
            told += follow(id, static_cast<quint64>(out.size() + told.size()), "\n").out;
        spin(200ms);
        QCOMPARE(job(id)->stdoutOffset, static_cast<quint64>(out.size() + told.size()));
        QVERIFY(told.contains("main"));
        QCOMPARE(told.contains("child"), whom != BG_SIGNAL_MAIN);
        QCOMPARE(told.contains("away"), whom == BG_SIGNAL_TREE);
        m_guest->send(BG_KILL, id);
        follow(id, 0);
    }
}

void TestGuestJobs::restIsKilled()
{
    for (const bool kill : {false, true}) {
        const quint32 id = kill ? 2 : 1;
        StartBody body;
        if (kill)
            body.flags |= BG_START_KILL_REST;
        start(id, "setsid sleep 797 & (sleep 797 &); echo done; sleep 0.1", body);
        const Followed end = follow(id, 0);
        QCOMPARE(end.out, QByteArrayLiteral("done\n"));
        QCOMPARE(end.code, 0u);
        if (kill)
            QVERIFY(allGone(QByteArray("sleep\000797", 9), 3s));
        else
            QCOMPARE(processesWith(QByteArray("sleep\000797", 9)).size(), 2);
        m_guest->send(BG_KILL, id);
        QVERIFY(allGone(QByteArray("sleep\000797", 9), 3s));
    }
}

void TestGuestJobs::protocolCannotBeReachedFromATerminal()
{
    const QByteArray pid = QByteArray::number(m_guest->hello().pid);
    QByteArray text = "n=0; for p in " + pid
        + " $PPID; do for i in 0 1 2 3 4 5 6 7 8 9 10 11 12; do "
          "(echo W > /proc/$p/fd/$i) 2>/dev/null && n=$((n+1)); done; done; ";
    if (m_mode == GuestMode::Bubblewrap) // only process 1 is safe from those of its own user
        text += "for s in TERM INT HUP STOP; do kill -$s 1; done; ";
    start(1, text + "echo n=$n", onTerminal(80, 24));
    QCOMPARE(follow(1, 0).out, QByteArrayLiteral("n=0\r\n"));
    QVERIFY(job(1));
}

} // namespace berth::test

QTEST_GUILESS_MAIN(berth::test::TestGuestJobs)
#include "test_guest_jobs.moc"
