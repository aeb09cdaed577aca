// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "guest/guest_rig.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtTest/QTest>

#include <unistd.h>

using namespace std::chrono_literals;

namespace berth::test {

using domain::ErrorKind;
using domain::OutcomeKind;

namespace {

QByteArray valueOf(const domain::Environment &environment, const QByteArray &name)
{
    for (const auto &[key, value] : environment)
        if (key == name)
            return value;
    return QByteArrayLiteral("(unset)");
}

qint64 residentKib(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/statm").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    return file.readAll().split(' ').value(1).toLongLong() * (sysconf(_SC_PAGESIZE) / 1024);
}

} // namespace

#define VERIFY_TOLD(condition, finished) QVERIFY2(condition, told(finished).constData())

//! Commands through the whole path: port, channel, frames, runner, supervisor.
class TestGuestCommands : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase_data();
    void init();
    void cleanup();

    void bothStreamsAndCode();
    void endsBySignal_data();
    void endsBySignal();
    void refusals();
    void otherUser();
    void timeoutKeepsOutput();
    void stop_data();
    void stop();
    void stopAtOneSecond();
    void inputIsClosed();
    void inputIsPassed();
    void backgroundChildDoesNotHoldTheAnswer();
    void lateOutputOfAChildIsKept();
    void tracksState_data();
    void tracksState();
    void environmentGoesRoundAndRound();
    void stoppingItselfIsLeftAlone();
    void killedSupervisorIsNoWayOut();
    void stoppedSupervisorIsNoWayOut();
    void slowConsumer();
    void cannotWriteIntoTheProtocol();
    void signalsFromInside();
    void endOfInputEndsEverything();
    void hostThatLetsGoKillsItsCommand();
    void terminal();
    void terminalOfAnotherUser();
    void backgroundOutlivesItsExecution();
    void inputIsTold();

private:
    GuestMode m_mode = GuestMode::Root;
    std::unique_ptr<GuestRig> m_rig;
};

void TestGuestCommands::initTestCase_data()
{
    QTest::addColumn<GuestMode>("mode");
    QTest::newRow("own user") << GuestMode::Root;
    QTest::newRow("nobody") << GuestMode::Nobody;
    QTest::newRow("bubblewrap") << GuestMode::Bubblewrap;
}

void TestGuestCommands::init()
{
    QFETCH_GLOBAL(GuestMode, mode);
    const QString reason = GuestProcess::unavailable(mode);
    if (!reason.isEmpty())
        QSKIP(qUtf8Printable(reason));
    m_mode = mode;
    m_rig = std::make_unique<GuestRig>(mode);
    QVERIFY2(m_rig->isOpen(), qUtf8Printable(m_rig->problem()));
}

void TestGuestCommands::cleanup()
{
    m_rig.reset();
}

void TestGuestCommands::bothStreamsAndCode()
{
    const Finished finished = m_rig->run("echo out; echo err >&2; printf 'a\\000b'; exit 3");
    VERIFY_TOLD(finished.outcome.kind == OutcomeKind::Exited, finished);
    QCOMPARE(finished.outcome.code, 3);
    QCOMPARE(finished.out, QByteArray("out\na\0b", 7));
    QCOMPARE(finished.err, QByteArrayLiteral("err\n"));
    QVERIFY(finished.outcome.cpuTime.has_value());
    QVERIFY(finished.outcome.peakMemoryBytes.value_or(0) > 0);
}

void TestGuestCommands::endsBySignal_data()
{
    QTest::addColumn<int>("number");
    for (const int number : {2, 6, 9, 11, 15})
        QTest::addRow("%d", number) << number;
}

void TestGuestCommands::endsBySignal()
{
    QFETCH(int, number);
    for (const bool track : {false, true}) {
        domain::CommandSpec command =
            shellCommand("kill -" + QByteArray::number(number) + " $$; sleep 9");
        command.trackState = track;
        const Finished finished = test::run(m_rig->shell(), command);
        VERIFY_TOLD(finished.outcome.kind == OutcomeKind::Signalled, finished);
        QCOMPARE(finished.outcome.code, number);
        QCOMPARE(domain::exitCodeOf(finished.outcome), 128 + number);
        QVERIFY(finished.outcome.detail.contains(domain::signalName(number)));
    }
}

void TestGuestCommands::refusals()
{
    const auto program = await(m_rig->shell().start(test::program({"/no/such"}), {}));
    BERTH_FAILS(program, ErrorKind::NotFound);
    QVERIFY(program.error().detail.contains(QLatin1String("/no/such")));
    BERTH_FAILS(await(m_rig->shell().start(test::program({"/etc/passwd"}), {})),
                ErrorKind::Forbidden);
    domain::CommandSpec elsewhere = shellCommand("true");
    elsewhere.cwd = "/no/such/place";
    BERTH_FAILS(await(m_rig->shell().start(elsewhere, {})), ErrorKind::NotFound);
    BERTH_FAILS(await(m_rig->shell().start(shellCommand(QByteArray("a\0b", 3)), {})),
                ErrorKind::InvalidInput);
    BERTH_FAILS(await(m_rig->shell().start(shellCommand(QByteArray(300 * 1024, 'x')), {})),
                ErrorKind::InvalidInput);
    domain::CommandSpec name = shellCommand("true");
    name.environment = {{"A=B", "x"}};
    BERTH_FAILS(await(m_rig->shell().start(name, {})), ErrorKind::InvalidInput);
    std::stop_source stopped;
    stopped.request_stop();
    BERTH_FAILS(await(m_rig->shell().start(shellCommand("true"), stopped.get_token())),
                ErrorKind::Cancelled);
    QCOMPARE(m_rig->run("echo fine").out, QByteArrayLiteral("fine\n"));
}

void TestGuestCommands::otherUser()
{
    net::GuestShellOptions options;
    options.user = {1234, 1234};
    net::GuestShell shell(m_rig->sharedChannel(), options);
    domain::CommandSpec command =
        shellCommand("cd /usr; id -u; id -G; echo again > /dev/stderr; grep CapEff "
                     "/proc/self/status; kill -9 $PPID; echo $?");
    command.trackState = true;
    if (m_mode != GuestMode::Root || geteuid() != 0) {
        BERTH_FAILS(await(shell.start(command, {})), ErrorKind::Forbidden);
        return;
    }
    const Finished finished = test::run(shell, command);
    VERIFY_TOLD(finished.out == "1234\n1234\nCapEff:\t0000000000000000\n1\n", finished);
    VERIFY_TOLD(finished.err.startsWith("again\n"), finished);
    QCOMPARE(finished.outcome.cwd.value_or(QByteArray()), QByteArrayLiteral("/usr"));
    QVERIFY(finished.outcome.environment.has_value());
}

void TestGuestCommands::timeoutKeepsOutput()
{
    domain::CommandSpec command = shellCommand("printf partial; trap '' TERM; sleep 771");
    command.timeout = 500ms;
    const Finished finished = test::run(m_rig->shell(), command);
    VERIFY_TOLD(finished.outcome.kind == OutcomeKind::TimedOut, finished);
    QCOMPARE(finished.out, QByteArrayLiteral("partial"));
    QVERIFY(finished.elapsed >= 450ms && finished.elapsed < 3s);
    QVERIFY(allGone(QByteArray("sleep\000771", 9)));
}

void TestGuestCommands::stop_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("plain") << QByteArrayLiteral("echo up; sleep 772");
    QTest::newRow("ignores TERM") << QByteArrayLiteral(
        "trap '' TERM INT HUP; echo up; while :; do sleep 772; done");
    QTest::newRow("setsid") << QByteArrayLiteral(
        "setsid sleep 772 & setsid setsid sleep 772 & echo up; wait");
    QTest::newRow("double fork") << QByteArrayLiteral(
        "( (setsid sleep 772 &) & ) ; ( (sleep 772 &) & ); echo up; sleep 772");
    QTest::newRow("main ended") << QByteArrayLiteral(
        "( (sleep 772; :) & ); echo up; exec sleep 772");
    QTest::newRow("respawner") << QByteArrayLiteral(
        "echo up; while :; do setsid sleep 772 & sleep 0.02; done");
    QTest::newRow("stopped child") << QByteArrayLiteral("sleep 772 & kill -STOP $!; echo up; wait");
    QTest::newRow("deep") << QByteArrayLiteral(
        "f() { if [ $1 -gt 0 ]; then (f $(($1 - 1))); else echo up; sleep 772; fi; :; }; f 12");
    QTest::newRow("many") << QByteArrayLiteral(
        "i=0; while [ $i -lt 100 ]; do sleep 772 & i=$((i+1)); done; echo up; wait");
}

void TestGuestCommands::stop()
{
    QFETCH(QByteArray, text);
    for (const bool track : {false, true}) {
        domain::CommandSpec spec = shellCommand(text);
        spec.trackState = track;
        const auto ticking = test::start(m_rig->shell(), shellCommand("sleep 0.3; echo lives"));
        const auto command = test::start(m_rig->shell(), spec);
        QVERIFY(command && ticking);
        QVERIFY(command->waitForOutput("up\n"));
        spin(50ms);
        QElapsedTimer clock;
        clock.start();
        command->execution().stop();
        QVERIFY(command->waitForEnd(5s));
        QCOMPARE(command->outcome().kind, OutcomeKind::Cancelled);
        QCOMPARE(command->out, QByteArrayLiteral("up\n"));
        QVERIFY2(clock.elapsed() < 3000, QByteArray::number(clock.elapsed()).constData());
        QVERIFY2(allGone(QByteArray("sleep\000772", 9), 3s), "something of the tree is left");
        QVERIFY(ticking->waitForEnd(5s));
        QCOMPARE(ticking->out, QByteArrayLiteral("lives\n"));
    }
}

void TestGuestCommands::stopAtOneSecond()
{
    const QByteArray proof = m_rig->directory() + "/PROOF";
    const auto command = test::start(m_rig->shell(), shellCommand("sleep 3 && touch " + proof));
    QVERIFY(command);
    spin(1s);
    command->execution().stop();
    QVERIFY(command->waitForEnd(5s));
    spin(2500ms);
    QVERIFY(!QFile::exists(QFile::decodeName(proof)));
}

void TestGuestCommands::inputIsClosed()
{
    for (const char *text : {"cat", "read x; test -z \"$x\"", "sh"}) {
        const Finished finished = m_rig->run(text);
        VERIFY_TOLD(finished.outcome.kind == OutcomeKind::Exited && finished.outcome.code == 0,
                    finished);
        QVERIFY(finished.elapsed < 3s);
    }
}

void TestGuestCommands::inputIsPassed()
{
    domain::CommandSpec spec = shellCommand("sleep 0.2; sha256sum");
    spec.openInput = true;
    const auto command = test::start(m_rig->shell(), spec);
    QVERIFY(command);
    QByteArray bytes;
    for (int i = 0; i < 400'000; ++i)
        bytes += QByteArray::number(i) + '\n';
    command->execution().writeInput(bytes);
    command->execution().closeInput();
    QVERIFY(command->waitForEnd());
    QCOMPARE(command->out.left(64),
             QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex());
}

void TestGuestCommands::backgroundChildDoesNotHoldTheAnswer()
{
    const Finished finished = m_rig->run("sleep 773 & echo done");
    VERIFY_TOLD(finished.outcome.kind == OutcomeKind::Exited, finished);
    QCOMPARE(finished.out, QByteArrayLiteral("done\n"));
    QVERIFY(finished.elapsed < 2s);
    QCOMPARE(processesWith(QByteArray("sleep\000773", 9)).size(), 1);
    m_rig.reset(); // the end of the guest is the end of what it started
    QVERIFY(allGone(QByteArray("sleep\000773", 9)));
}

void TestGuestCommands::lateOutputOfAChildIsKept()
{
    const Finished finished = m_rig->run("(sleep 0.03; echo late) & echo early");
    QCOMPARE(finished.out, QByteArrayLiteral("early\nlate\n"));
    // A child that never stops writing is cut off and goes on.
    const Finished chatty = m_rig->run("(while :; do echo x; sleep 0.01; done) & echo first");
    VERIFY_TOLD(chatty.outcome.kind == OutcomeKind::Exited, chatty);
    QVERIFY(chatty.elapsed < 2s);
}

void TestGuestCommands::tracksState_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("code");
    QTest::addColumn<bool>("environment");
    const QByteArray change = "cd /usr; export X='two\nlines'; ";
    QTest::newRow("plain") << change << 0 << true;
    QTest::newRow("exit 3") << change + "exit 3" << 3 << true;
    QTest::newRow("set -e") << change + "set -e; false; cd /; export X=no" << 1 << true;
    QTest::newRow("set -u") << "set -u; " + change + "echo $NOTHING" << 2 << true;
    QTest::newRow("later syntax error") << change + "\n)" << 2 << true;
    QTest::newRow("here-document") << change + "cat >/dev/null <<E\ntext\nE\n" << 0 << true;
    QTest::newRow("comment") << change + "# done" << 0 << true;
    QTest::newRow("broken PATH") << change + "PATH=/none" << 0 << true;
    QTest::newRow("few descriptors") << change + "ulimit -n 20" << 0 << true;
    QTest::newRow("background child") << change + "sleep 0.3 &" << 0 << true;
    QTest::newRow("own trap") << change + "trap 'exit 4' EXIT" << 4 << false;
    QTest::newRow("exec") << change + "exec true" << 0 << false;
    QTest::newRow("too large") << change
            + "export Y=$(head -c 120000 /dev/zero | tr '\\0' y) Z=$Y A=$Y B=$Y"
                               << 0 << false;
}

void TestGuestCommands::tracksState()
{
    QFETCH(QByteArray, text);
    QFETCH(int, code);
    QFETCH(bool, environment);
    if (text.contains("Z=$Y"))
        text.replace("Z=$Y A=$Y B=$Y", "; export Z=$Y; export A=$Y; export B=$Y");
    const Finished finished = m_rig->track(text);
    VERIFY_TOLD(finished.outcome.kind == OutcomeKind::Exited, finished);
    QCOMPARE(finished.outcome.code, code);
    VERIFY_TOLD(finished.outcome.cwd == QByteArrayLiteral("/usr"), finished);
    QCOMPARE(finished.outcome.environment.has_value(), environment);
    if (environment) {
        QCOMPARE(valueOf(*finished.outcome.environment, "X"), QByteArrayLiteral("two\nlines"));
        for (const char *name : {"_", "SHLVL", "PWD", "BASE"})
            QCOMPARE(valueOf(*finished.outcome.environment, name), QByteArrayLiteral("(unset)"));
    }
    // Without being asked nothing is read back, and nothing else is different.
    const Finished plain = m_rig->run(text);
    QCOMPARE(plain.outcome.code, code);
    QVERIFY(!plain.outcome.cwd && !plain.outcome.environment);
    QCOMPARE(plain.out, finished.out);
}

void TestGuestCommands::environmentGoesRoundAndRound()
{
    domain::CommandSpec command = shellCommand("export N=$((N+1)) BASE=\"$BASE!\"; cd ..; pwd");
    command.trackState = true;
    command.cwd = "/usr/share/doc";
    for (int i = 1; i <= 3; ++i) {
        const Finished finished = test::run(m_rig->shell(), command);
        QVERIFY(finished.outcome.environment && finished.outcome.cwd);
        QCOMPARE(valueOf(*finished.outcome.environment, "N"), QByteArray::number(i));
        QCOMPARE(valueOf(*finished.outcome.environment, "BASE"), "base value" + QByteArray(i, '!'));
        command.environment = *finished.outcome.environment;
        command.cwd = *finished.outcome.cwd;
    }
    QCOMPARE(command.cwd, QByteArrayLiteral("/"));
    const Finished gone = m_rig->track("mkdir here && cd here && rmdir ../here");
    QVERIFY2(!gone.outcome.cwd, "a removed directory is no place to return to");
}

void TestGuestCommands::stoppingItselfIsLeftAlone()
{
    // The tracer of the main process must not turn a stop into nothing.
    domain::CommandSpec spec =
        shellCommand("(sleep 0.6; kill -CONT $$) & kill -STOP $$; echo woken; cd /usr");
    spec.trackState = true;
    const auto command = test::start(m_rig->shell(), spec);
    QVERIFY(command);
    spin(300ms);
    QCOMPARE(command->out, QByteArray());
    QVERIFY(command->waitForEnd(5s));
    QCOMPARE(command->out, QByteArrayLiteral("woken\n"));
    QCOMPARE(command->outcome().cwd.value_or(QByteArray()), QByteArrayLiteral("/usr"));
}

void TestGuestCommands::killedSupervisorIsNoWayOut()
{
    const Finished finished =
        m_rig->run("(setsid sleep 774 &); sleep 774 & kill -9 $PPID; exec sleep 774");
    VERIFY_TOLD(finished.outcome.kind == OutcomeKind::Signalled, finished);
    QVERIFY(!finished.outcome.detail.isEmpty());
    QVERIFY(allGone(QByteArray("sleep\000774", 9)));
    QCOMPARE(m_rig->run("echo on").out, QByteArrayLiteral("on\n"));
}

void TestGuestCommands::stoppedSupervisorIsNoWayOut()
{
    const auto command = test::start(
        m_rig->shell(), shellCommand("(while kill -STOP $PPID; do :; done) & echo up; sleep 775"));
    QVERIFY(command);
    QVERIFY(command->waitForOutput("up\n"));
    spin(200ms);
    command->execution().stop();
    QVERIFY(command->waitForEnd(8s));
    QVERIFY(allGone(QByteArray("sleep\000775", 9)));
}

void TestGuestCommands::slowConsumer()
{
    if (m_mode == GuestMode::Bubblewrap)
        QSKIP("its process number is not known out here");
    constexpr qint64 kTotal = 64 * 1024 * 1024;
    domain::CommandSpec spec = shellCommand("yes 0123456789 | head -c 67108864");
    const auto started = await(m_rig->shell().start(spec, {}));
    BERTH_OK(started);
    const std::shared_ptr<domain::Execution> execution = *started;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    qint64 got = 0;
    qint64 open = 0;
    std::optional<domain::Outcome> outcome;
    connect(execution.get(), &domain::Execution::output, this,
            [&](domain::OutputStream, const QByteArray &bytes) {
                hash.addData(bytes);
                got += bytes.size();
                open += bytes.size();
            });
    connect(execution.get(), &domain::Execution::finished, this,
            [&](const domain::Outcome &end) { outcome = end; });
    spin(500ms);
    const qint64 held = got;
    QVERIFY(held > 0 && held <= BG_CREDIT);
    spin(300ms);
    QCOMPARE(got, held);
    qint64 most = 0;
    while (!outcome) {
        most = qMax(most, residentKib(m_rig->process().processId()));
        execution->acknowledge(domain::OutputStream::Stdout, std::exchange(open, 0));
        QVERIFY(waitUntil([&] { return open > 0 || outcome; }, 10s));
    }
    QCOMPARE(got, kTotal);
    QByteArray line("0123456789\n");
    QByteArray whole = line.repeated(static_cast<int>(kTotal / line.size() + 1)).left(kTotal);
    QCOMPARE(hash.result(), QCryptographicHash::hash(whole, QCryptographicHash::Sha256));
    QVERIFY2(most > 0 && most < 6 * 1024, QByteArray::number(most).constData());
}

void TestGuestCommands::cannotWriteIntoTheProtocol()
{
    if (m_mode == GuestMode::Root && geteuid() == 0)
        QSKIP("root with all capabilities may do everything");
    const QByteArray pid = QByteArray::number(m_rig->channel().hello().pid);
    const Finished finished =
        m_rig->run("n=0; for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do (echo W > /proc/" + pid
                   + "/fd/$i) 2>/dev/null && n=$((n+1)); done; cat /proc/" + pid + "/mem /proc/"
                   + pid + "/environ 2>/dev/null | wc -c; echo $n");
    VERIFY_TOLD(finished.out == "0\n0\n", finished);
    QVERIFY(m_rig->channel().isOpen());
}

void TestGuestCommands::signalsFromInside()
{
    if (m_mode != GuestMode::Bubblewrap)
        QSKIP("only process 1 is safe from those of its own user");
    const Finished finished =
        m_rig->run("for s in TERM INT HUP QUIT STOP KILL USR1 SEGV; do kill -$s 1; done; echo $?");
    QCOMPARE(finished.out, QByteArrayLiteral("0\n"));
    spin(200ms);
    QCOMPARE(m_rig->run("echo alive").out, QByteArrayLiteral("alive\n"));
}

void TestGuestCommands::endOfInputEndsEverything()
{
    const auto command = test::start(
        m_rig->shell(), shellCommand("setsid sleep 776 & trap '' TERM; echo up; sleep 776"));
    QVERIFY(command && command->waitForOutput("up\n"));
    int lost = 0;
    connect(&m_rig->channel(), &net::GuestChannel::lost, this, [&lost] { ++lost; });
    m_rig->process().closeWriteChannel();
    QVERIFY(command->waitForEnd(8s));
    QCOMPARE(command->outcome().kind, OutcomeKind::TransportLost);
    QCOMPARE(command->out, QByteArrayLiteral("up\n"));
    QVERIFY(allGone(QByteArray("sleep\000776", 9)));
    QVERIFY(waitUntil([&lost] { return lost == 1; }, 5s));
    QVERIFY(!m_rig->channel().isOpen());
    QVERIFY(!await(m_rig->shell().start(shellCommand("true"), {})).has_value());
    QVERIFY(!await(m_rig->files().stat("/", {})).has_value());
}

void TestGuestCommands::hostThatLetsGoKillsItsCommand()
{
    auto command = test::start(m_rig->shell(), shellCommand("echo up; sleep 777"));
    QVERIFY(command && command->waitForOutput("up\n"));
    command.reset();
    QVERIFY(allGone(QByteArray("sleep\000777", 9)));
}

void TestGuestCommands::terminal()
{
    domain::CommandSpec spec = shellCommand(
        "test -t 0 && test -t 1 && test -t 2 && echo $TERM $(stty size); trap 'stty size' WINCH; "
        "while ! read line; do :; done; echo \"[$line]\"; cd /usr; export X=1; exit 3");
    spec.terminal = domain::TerminalSize{90, 33};
    spec.trackState = true;
    const auto command = test::start(m_rig->shell(), spec);
    QVERIFY(command);
    QVERIFY(command->waitForOutput("xterm-256color 33 90\r\n"));
    spin(100ms);
    command->execution().resize(120, 40);
    command->execution().writeInput("h\xc3\xa9llo\n");
    QVERIFY(command->waitForEnd(5s));
    QVERIFY2(command->out.contains("[h\xc3\xa9llo]\r\n"), command->out.constData());
    QVERIFY2(command->out.contains("40 120\r\n"), command->out.constData());
    QCOMPARE(command->err, QByteArray());
    QCOMPARE(command->outcome().kind, OutcomeKind::Exited);
    QCOMPARE(command->outcome().code, 3);
    QCOMPARE(command->outcome().cwd.value_or(QByteArray()), QByteArrayLiteral("/usr"));
    QVERIFY(command->outcome().environment.has_value());

    spec = shellCommand("cat");
    spec.terminal = domain::TerminalSize{};
    spec.environment = {{"TERM", "dumb"}};
    const auto ended = test::start(m_rig->shell(), spec);
    ended->execution().writeInput("line\n");
    ended->execution().closeInput();
    QVERIFY(ended->waitForEnd(5s));
    QCOMPARE(ended->out, QByteArrayLiteral("line\r\nline\r\n"));
    const auto stopped = test::start(m_rig->shell(), [] {
        domain::CommandSpec loop = shellCommand("trap '' INT HUP TERM; echo $TERM; sleep 778");
        loop.terminal = domain::TerminalSize{};
        loop.environment = {{"TERM", "dumb"}};
        return loop;
    }());
    QVERIFY(stopped->waitForOutput("dumb\r\n"));
    stopped->execution().stop();
    QVERIFY(stopped->waitForEnd(5s));
    QCOMPARE(stopped->outcome().kind, OutcomeKind::Cancelled);
    QVERIFY(allGone(QByteArray("sleep\000778", 9)));
}

void TestGuestCommands::terminalOfAnotherUser()
{
    if (m_mode != GuestMode::Root || geteuid() != 0)
        QSKIP("only root may start commands as somebody else");
    net::GuestShellOptions options;
    options.user = {1234, 1234};
    net::GuestShell shell(m_rig->sharedChannel(), options);
    domain::CommandSpec spec = shellCommand("id -u; echo by name > $(tty) && stat -c %u $(tty)");
    spec.terminal = domain::TerminalSize{};
    const Finished finished = test::run(shell, spec);
    VERIFY_TOLD(finished.out == "1234\r\nby name\r\n1234\r\n", finished);
}

void TestGuestCommands::backgroundOutlivesItsExecution()
{
    domain::CommandSpec spec = shellCommand(
        "echo one; echo two >&2; trap '' HUP; while :; do sleep 0.05; echo more; done");
    spec.background = true;
    spec.tag = "the one";
    auto command = test::start(m_rig->shell(), spec);
    QVERIFY(command && command->waitForOutput("more\n"));
    command.reset();
    spin(300ms);
    const auto jobs = await(m_rig->shell().jobs({}));
    BERTH_OK(jobs);
    QCOMPARE(jobs->size(), 1);
    const domain::Job job = jobs->first();
    QCOMPARE(job.tag, QByteArrayLiteral("the one"));
    QVERIFY(!job.ended && !job.hasTerminal && job.pid > 1);
    QVERIFY2(job.outBytes >= 4 + 5 * 3, "it does not go on");
    QCOMPARE(job.errBytes, 4);
    const auto attached = await(m_rig->shell().attach(job.id, 2, 4, {}));
    BERTH_OK(attached);
    CommandRun again(*attached);
    QVERIFY(again.waitForOutput("e\nmore\nmore\n"));
    QVERIFY(again.out.startsWith("e\nmore\n"));
    QCOMPARE(again.err, QByteArray());
    again.execution().stop();
    QVERIFY(again.waitForEnd(5s));
    QCOMPARE(again.outcome().kind, OutcomeKind::Cancelled);
    QVERIFY(waitUntil([this] { return await(m_rig->shell().jobs({}))->isEmpty(); }, 5s));
    BERTH_FAILS(await(m_rig->shell().attach(job.id, 0, 0, {})), ErrorKind::NotFound);
}

void TestGuestCommands::inputIsTold()
{
    domain::CommandSpec spec = shellCommand("sleep 0.3; wc -c");
    spec.openInput = true;
    const auto command = test::start(m_rig->shell(), spec);
    QVERIFY(command);
    qint64 taken = 0;
    connect(&command->execution(), &domain::Execution::inputTaken, this,
            [&taken](qint64 bytes) { taken += bytes; });
    command->execution().writeInput(QByteArray(1'000'000, 'x'));
    QVERIFY(waitUntil([&taken] { return taken > 0; }, 3s));
    QVERIFY2(taken <= 64 * 1024, "the pipe cannot have taken more");
    QVERIFY(waitUntil([&taken] { return taken == 1'000'000; }, 5s));
    command->execution().closeInput();
    QVERIFY(command->waitForEnd(5s));
    QCOMPARE(command->out.trimmed(), QByteArrayLiteral("1000000"));
}

} // namespace berth::test

QTEST_GUILESS_MAIN(berth::test::TestGuestCommands)
#include "test_guest_commands.moc"
