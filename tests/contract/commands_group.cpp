// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "contract/sandbox_under_test.h"

#include <QtCore/QElapsedTimer>

#include <algorithm>

using namespace std::chrono_literals;

namespace berth::contract {

using domain::OutcomeKind;
using test::CommandRun;
using test::Finished;
using test::program;
using test::shellCommand;
using test::told;

#define VERIFY_TOLD(condition, finished) QVERIFY2(condition, told(finished).constData())

//! How commands start, end, are stopped, and what is remembered of them.
class CommandsGroup : public QObject
{
    Q_OBJECT
public:
    explicit CommandsGroup(Fixture &fixture) : m_sandbox(fixture) {}

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();

    void exitCodes_data();
    void exitCodes();
    void endBySignal_data();
    void endBySignal();
    void shellTextIsTakenAsItIs_data();
    void shellTextIsTakenAsItIs();
    void programIsRunWithoutShell();
    void unknownProgramIsNotStarted();
    void unknownDirectoryIsNotStarted();
    void environmentIsAdded();
    void durationIsMeasured();

    void timeoutKeepsOutputAndKillsTheTree();
    void stopKillsTheTree();
    void stopWorksAgainstAFloodThatNobodyReads();
    void stopAfterTheEndDoesNothing();

    void inputIsClosed_data();
    void inputIsClosed();
    void grandchildWithThePipeDoesNotHoldTheAnswer();
    void twentyAtOnce();

    void stateIsTracked();
    void stateIsOnlyTrackedWhenAsked();
    void lostConnection();

private:
    Finished run(const QByteArray &text, std::chrono::milliseconds limit = 30s)
    {
        return test::run(m_connection->shell(), text, limit);
    }
    bool exists(const QByteArray &path) { return run("test -e " + path).outcome.code == 0; }

    SandboxUnderTest m_sandbox;
    std::shared_ptr<domain::SandboxConnection> m_connection;
};

void CommandsGroup::initTestCase()
{
    BERTH_OPEN(m_sandbox);
    const auto instance = m_sandbox.create(QStringLiteral("commands"));
    BERTH_OK(instance);
    auto connection = m_sandbox.connect(instance->externalId);
    BERTH_OK(connection);
    m_connection = *connection;
    QVERIFY(m_connection->isOpen());
    QCOMPARE(m_connection->homeDirectory(), m_sandbox.fixture().traits().home);
}

void CommandsGroup::cleanupTestCase()
{
    m_connection.reset();
    m_sandbox.close();
}

void CommandsGroup::exitCodes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("code");
    QTest::newRow("0") << QByteArrayLiteral("true") << 0;
    QTest::newRow("3") << QByteArrayLiteral("exit 3") << 3;
    QTest::newRow("255") << QByteArrayLiteral("exit 255") << 255;
    QTest::newRow("not found") << QByteArrayLiteral("no-such-program-here") << 127;
    QTest::newRow("not executable") << QByteArrayLiteral("/etc/passwd") << 126;
    QTest::newRow("a child's signal") << QByteArrayLiteral("sh -c 'kill -9 $$'; exit $?") << 137;
    QTest::newRow("empty") << QByteArrayLiteral(" ") << 0;
}

void CommandsGroup::exitCodes()
{
    QFETCH(QByteArray, text);
    QFETCH(int, code);
    const Finished finished = run(text);
    VERIFY_TOLD(finished.outcome.kind == OutcomeKind::Exited, finished);
    QCOMPARE(finished.outcome.code, code);
    QCOMPARE(domain::exitCodeOf(finished.outcome), code);
    if (code == 127 || code == 126)
        QVERIFY2(!finished.err.isEmpty(), "the reason is missing");
}

void CommandsGroup::endBySignal_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("number");
    QTest::newRow("KILL") << QByteArrayLiteral("kill -9 $$; sleep 20") << 9;
    QTest::newRow("SEGV") << QByteArrayLiteral("kill -11 $$; sleep 20") << 11;
    QTest::newRow("TERM") << QByteArrayLiteral("kill -15 $$; sleep 20") << 15;
}

void CommandsGroup::endBySignal()
{
    QFETCH(QByteArray, text);
    QFETCH(int, number);
    const Finished finished = run(text, 10s);
    VERIFY_TOLD(finished.outcome.kind == OutcomeKind::Signalled, finished);
    QCOMPARE(finished.outcome.code, number);
    QCOMPARE(domain::exitCodeOf(finished.outcome), 128 + number);
}

void CommandsGroup::shellTextIsTakenAsItIs_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("out");
    QTest::newRow("variables") << QByteArrayLiteral("a=1; b=\"$a 2\"; printf %s \"$b\"")
                               << QByteArrayLiteral("1 2");
    QTest::newRow("comment at the end")
        << QByteArrayLiteral("printf hi # there") << QByteArrayLiteral("hi");
    QTest::newRow("here-document")
        << QByteArrayLiteral("cat <<'E'\n$a `b` \\\nE\n") << QByteArrayLiteral("$a `b` \\\n");
    QTest::newRow("several lines")
        << QByteArrayLiteral("printf a\nprintf b\n\nprintf c") << QByteArrayLiteral("abc");
    QTest::newRow("pipe") << QByteArrayLiteral("printf 'c\\na\\nb\\n' | sort | tr '\\n' ' '")
                          << QByteArrayLiteral("a b c ");
    QTest::newRow("UTF-8") << QByteArray("printf 'h\xc3\xa9 \xe6\xbc\xa2 \xf0\x9f\x9a\xa2'")
                           << QByteArray("h\xc3\xa9 \xe6\xbc\xa2 \xf0\x9f\x9a\xa2");
    QTest::newRow("invalid UTF-8") << QByteArray("printf '\xff\xfe'") << QByteArray("\xff\xfe");
    QTest::newRow("dollar zero") << QByteArrayLiteral("printf %s $#") << QByteArrayLiteral("0");
}

void CommandsGroup::shellTextIsTakenAsItIs()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, out);
    for (const bool track : {false, true}) {
        domain::CommandSpec spec = shellCommand(text);
        spec.trackState = track;
        const Finished finished = test::run(m_connection->shell(), spec);
        VERIFY_TOLD(finished.outcome.kind == OutcomeKind::Exited, finished);
        VERIFY_TOLD(finished.outcome.code == 0, finished);
        QCOMPARE(finished.out, out);
        QCOMPARE(finished.err, QByteArray());
    }
}

void CommandsGroup::programIsRunWithoutShell()
{
    const Finished finished =
        test::run(m_connection->shell(),
                  program({"printf", "[%s]", "a b", "it's \"so\"", "new\nline", "", "*", "$HOME",
                           "`id`", "-n", "\xff"}));
    VERIFY_TOLD(finished.outcome.kind == OutcomeKind::Exited, finished);
    QCOMPARE(finished.outcome.code, 0);
    QCOMPARE(finished.out, QByteArray("[a b][it's \"so\"][new\nline][][*][$HOME][`id`][-n][\xff]"));
}

void CommandsGroup::unknownProgramIsNotStarted()
{
    const auto started =
        test::await(m_connection->shell().start(program({"/no/such/program"}), {}));
    BERTH_FAILS(started, domain::ErrorKind::NotFound);
    QVERIFY2(started.error().message.contains(QLatin1String("/no/such/program"))
                 || started.error().detail.contains(QLatin1String("/no/such/program")),
             told(started).constData());
}

void CommandsGroup::unknownDirectoryIsNotStarted()
{
    domain::CommandSpec spec = shellCommand("touch /tmp/ran-anyway");
    spec.cwd = "/no/such/directory";
    const auto started = test::await(m_connection->shell().start(spec, {}));
    BERTH_FAILS(started, domain::ErrorKind::NotFound);
    QVERIFY(!exists("/tmp/ran-anyway"));
}

void CommandsGroup::environmentIsAdded()
{
    domain::CommandSpec spec =
        shellCommand("printf '%s|' \"$A\" \"$B\" \"$C\" \"${PATH:+path}\" \"${HOME:+home}\"; pwd");
    spec.environment = {{"A", "first"}, {"B", "two\nlines = 'x'"}, {"A", "last"}, {"C", ""}};
    const Finished finished = test::run(m_connection->shell(), spec);
    VERIFY_TOLD(finished.outcome.kind == OutcomeKind::Exited, finished);
    QCOMPARE(finished.out,
             "last|two\nlines = 'x'||path|home|" + m_sandbox.fixture().traits().home + '\n');
}

void CommandsGroup::durationIsMeasured()
{
    const Finished finished = run("sleep 1");
    VERIFY_TOLD(finished.outcome.kind == OutcomeKind::Exited, finished);
    QVERIFY(finished.outcome.duration >= 900ms);
    QVERIFY(finished.outcome.duration < 5s);
}

void CommandsGroup::timeoutKeepsOutputAndKillsTheTree()
{
    domain::CommandSpec spec = shellCommand(
        "printf partial; printf reason >&2; (sleep 3; touch late-1) & trap '' TERM INT HUP; "
        "sleep 3; touch late-2");
    spec.timeout = 800ms;
    const Finished finished = test::run(m_connection->shell(), spec);
    VERIFY_TOLD(finished.outcome.kind == OutcomeKind::TimedOut, finished);
    QCOMPARE(domain::exitCodeOf(finished.outcome), 137);
    QCOMPARE(finished.out, QByteArrayLiteral("partial"));
    QCOMPARE(finished.err, QByteArrayLiteral("reason"));
    QVERIFY2(finished.elapsed >= 700ms && finished.elapsed < 2500ms,
             QByteArray::number(qint64(finished.elapsed.count())).constData());
    test::spin(3500ms);
    QVERIFY(!exists("late-1"));
    QVERIFY(!exists("late-2"));
}

void CommandsGroup::stopKillsTheTree()
{
    const bool hasSetsid = run("command -v setsid").outcome.code == 0;
    QList<QByteArray> texts{
        "echo up; sleep NAP && touch PROOF-0",
        "trap '' TERM INT HUP; echo up; sleep NAP; touch PROOF-1",
        "(trap '' TERM; sleep NAP; touch PROOF-2) & echo up; wait",
        "( (sleep NAP; touch PROOF-3) & ) ; echo up; sleep 30",
        "sh -c 'sh -c \"sh -c \\\"sleep NAP; touch PROOF-4\\\" & wait\" & wait' & echo up; wait",
        "(sleep 1; kill -STOP $$) & (sleep NAP; touch PROOF-5) & echo up; wait"};
    if (hasSetsid) {
        texts << "setsid sh -c 'sleep NAP; touch PROOF-6' & echo up; wait"
              << "setsid sh -c 'trap \"\" TERM; setsid sh -c \"sleep NAP; touch PROOF-7\" & sleep "
                 "NAP; "
                 "touch "
                 "PROOF-7' >/dev/null 2>&1 & echo up; sleep 30";
    }
    // Long enough that the stop is surely through when the first of them would go on.
    const int nap = m_sandbox.fixture().traits().isRemote ? 9 : 4;
    const int ticks = nap + 2;
    for (QByteArray &text : texts)
        text.replace("NAP", QByteArray::number(nap));
    const auto bystander =
        test::start(m_connection->shell(),
                    shellCommand("i=0; while [ $i -lt " + QByteArray::number(ticks)
                                 + " ]; do echo tick; sleep 1; i=$((i+1)); done; exit 7"));
    QVERIFY(bystander);
    std::vector<std::unique_ptr<CommandRun>> runs;
    for (const QByteArray &text : std::as_const(texts)) {
        runs.push_back(test::start(m_connection->shell(), shellCommand(text)));
        QVERIFY(runs.back());
    }
    for (const auto &run : runs)
        QVERIFY(run->waitForOutput("up"));
    test::spin(300ms);
    QElapsedTimer clock;
    clock.start();
    for (const auto &run : runs)
        run->execution().stop();
    for (const auto &run : runs) {
        QVERIFY(run->waitForEnd(10s));
        QCOMPARE(run->outcome().kind, OutcomeKind::Cancelled);
        QCOMPARE(domain::exitCodeOf(run->outcome()), 130);
        QCOMPARE(run->out, QByteArrayLiteral("up\n"));
    }
    QVERIFY2(clock.elapsed() < (nap - 1) * 1000, QByteArray::number(clock.elapsed()).constData());
    QVERIFY2(bystander->waitForEnd(30s), "another command was held up");
    QCOMPARE(bystander->outcome().kind, OutcomeKind::Exited);
    QCOMPARE(bystander->outcome().code, 7);
    QCOMPARE(bystander->out.count("tick"), ticks);
    const Finished proofs = run("ls");
    VERIFY_TOLD(!proofs.out.contains("PROOF"), proofs);
}

void CommandsGroup::stopWorksAgainstAFloodThatNobodyReads()
{
    const auto flood = test::start(m_connection->shell(), shellCommand("yes; yes"),
                                   CommandRun::Acknowledge::ByHand);
    QVERIFY(flood);
    QVERIFY(flood->waitForOutput("y\ny\n"));
    test::spin(500ms);
    flood->execution().stop();
    QVERIFY(flood->waitForEnd(5s));
    QCOMPARE(flood->outcome().kind, OutcomeKind::Cancelled);
    VERIFY_TOLD(run("true").outcome.kind == OutcomeKind::Exited, run("true"));
}

void CommandsGroup::stopAfterTheEndDoesNothing()
{
    const auto command = test::start(m_connection->shell(), shellCommand("exit 5"));
    QVERIFY(command);
    QVERIFY(command->waitForEnd());
    command->execution().stop();
    command->execution().stop();
    test::spin(300ms);
    QCOMPARE(command->afterEnd(), 0);
    QCOMPARE(command->outcome().kind, OutcomeKind::Exited);
    QCOMPARE(command->outcome().code, 5);
}

void CommandsGroup::inputIsClosed_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("cat") << QByteArrayLiteral("cat");
    QTest::newRow("read") << QByteArrayLiteral("read x; test -z \"$x\"");
    QTest::newRow("shell") << QByteArrayLiteral("sh");
}

void CommandsGroup::inputIsClosed()
{
    QFETCH(QByteArray, text);
    const Finished finished = run(text, 10s);
    VERIFY_TOLD(finished.outcome.kind == OutcomeKind::Exited, finished);
    QCOMPARE(finished.outcome.code, 0);
    QVERIFY(finished.elapsed < 3s);
}

void CommandsGroup::grandchildWithThePipeDoesNotHoldTheAnswer()
{
    const Finished finished = run("sleep 100 & echo done", 15s);
    VERIFY_TOLD(finished.outcome.kind == OutcomeKind::Exited, finished);
    QCOMPARE(finished.out, QByteArrayLiteral("done\n"));
    QVERIFY(finished.elapsed < 5s);
}

void CommandsGroup::twentyAtOnce()
{
    std::vector<std::unique_ptr<CommandRun>> runs;
    QElapsedTimer clock;
    clock.start();
    for (int i = 0; i < 20; ++i) {
        const QByteArray number = QByteArray::number(i);
        runs.push_back(test::start(m_connection->shell(),
                                   shellCommand("sleep 1; echo out" + number + "; echo err" + number
                                                + " >&2; exit " + number)));
        QVERIFY(runs.back());
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const QByteArray number = QByteArray::number(int(i));
        QVERIFY(runs[i]->waitForEnd());
        QCOMPARE(runs[i]->outcome().code, int(i));
        QCOMPARE(runs[i]->out, "out" + number + '\n');
        QCOMPARE(runs[i]->err, "err" + number + '\n');
        QCOMPARE(runs[i]->afterEnd(), 0);
    }
    // What they sleep, one after the other.
    QVERIFY2(clock.elapsed() < 20'000, "they ran one after the other");
}

namespace {

QByteArray valueOf(const domain::Environment &environment, const QByteArray &name)
{
    const auto it = std::find_if(environment.begin(), environment.end(),
                                 [&name](const auto &entry) { return entry.first == name; });
    return it == environment.end() ? QByteArrayLiteral("(unset)") : it->second;
}

} // namespace

void CommandsGroup::stateIsTracked()
{
    domain::CommandSpec spec =
        shellCommand("mkdir -p 'odd dir'; cd /tmp; cd \"$OLDPWD/odd dir\"; export SIMPLE=1 "
                     "MULTI='a\nb = \"c\"'; "
                     "export GONE=x; unset GONE; hidden=1; (cd /; export SUB=1); exit 3");
    spec.trackState = true;
    const Finished first = test::run(m_connection->shell(), spec);
    VERIFY_TOLD(first.outcome.kind == OutcomeKind::Exited, first);
    QCOMPARE(first.outcome.code, 3);
    QCOMPARE(first.err, QByteArray());
    QVERIFY(first.outcome.cwd.has_value());
    QCOMPARE(*first.outcome.cwd, m_sandbox.fixture().traits().home + "/odd dir");
    QVERIFY(first.outcome.environment.has_value());
    QCOMPARE(valueOf(*first.outcome.environment, "SIMPLE"), QByteArrayLiteral("1"));
    QCOMPARE(valueOf(*first.outcome.environment, "MULTI"), QByteArrayLiteral("a\nb = \"c\""));
    for (const char *absent : {"GONE", "hidden", "SUB"})
        QCOMPARE(valueOf(*first.outcome.environment, absent), QByteArrayLiteral("(unset)"));

    // As the next command of the same terminal gets it.
    domain::CommandSpec next = shellCommand("pwd; printf '%s' \"$MULTI\"; cd /tmp");
    next.cwd = *first.outcome.cwd;
    next.environment = *first.outcome.environment;
    next.trackState = true;
    const Finished second = test::run(m_connection->shell(), next);
    QCOMPARE(second.out, m_sandbox.fixture().traits().home + "/odd dir\na\nb = \"c\"");
    QVERIFY(second.outcome.cwd.has_value());
    QCOMPARE(*second.outcome.cwd, QByteArrayLiteral("/tmp"));
}

void CommandsGroup::stateIsOnlyTrackedWhenAsked()
{
    const Finished finished = run("cd /tmp; export X=1");
    QCOMPARE(finished.outcome.kind, OutcomeKind::Exited);
    QVERIFY(!finished.outcome.cwd.has_value());
    QVERIFY(!finished.outcome.environment.has_value());
}

void CommandsGroup::lostConnection()
{
    const auto instance = m_sandbox.create(QStringLiteral("lost"));
    BERTH_OK(instance);
    const auto connection = m_sandbox.connect(instance->externalId);
    BERTH_OK(connection);
    QString reason;
    int lost = 0;
    QObject context;
    QObject::connect(connection->get(), &domain::SandboxConnection::lost, &context,
                     [&reason, &lost](const QString &text) {
                         reason = text;
                         ++lost;
                     });
    const auto command =
        test::start((*connection)->shell(), shellCommand("printf so-far; sleep 60"));
    QVERIFY(command);
    QVERIFY(command->waitForOutput("so-far"));
    if (!m_sandbox.fixture().cutConnection(instance->externalId))
        QSKIP("this fixture cannot cut the connection");
    QVERIFY(command->waitForEnd(15s));
    QCOMPARE(command->outcome().kind, OutcomeKind::TransportLost);
    QCOMPARE(domain::exitCodeOf(command->outcome()), 125);
    QCOMPARE(command->out, QByteArrayLiteral("so-far"));
    QVERIFY(test::waitUntil([&lost] { return lost > 0; }, 5s));
    test::spin(100ms);
    QCOMPARE(lost, 1);
    QVERIFY(!reason.isEmpty());
    QVERIFY(!(*connection)->isOpen());
    const auto after = test::await((*connection)->shell().start(shellCommand("true"), {}));
    QVERIFY(!after.has_value());

    // And there is a way back.
    const auto resumed = test::await(m_sandbox.provider().resume(instance->externalId, {}));
    BERTH_OK(resumed);
    const auto again = m_sandbox.connect(instance->externalId);
    BERTH_OK(again);
    QVERIFY(*again != *connection);
    QCOMPARE(test::run((*again)->shell(), "echo back").out, QByteArrayLiteral("back\n"));
}

int runCommandsGroup(Fixture &fixture, const QStringList &arguments)
{
    CommandsGroup group(fixture);
    return QTest::qExec(&group, arguments);
}

} // namespace berth::contract

#include "commands_group.moc"
