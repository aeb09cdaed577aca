// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "contract/sandbox_under_test.h"

using namespace std::chrono_literals;

namespace berth::contract {

using domain::Capability;
using domain::Job;
using domain::OutcomeKind;
using domain::OutputStream;
using test::CommandRun;
using test::Finished;
using test::shellCommand;
using test::told;

#define VERIFY_TOLD(condition, finished) QVERIFY2(condition, told(finished).constData())

//! Terminals, and commands that outlive the one who started them.
class JobsGroup : public QObject
{
    Q_OBJECT
public:
    explicit JobsGroup(Fixture &fixture) : m_sandbox(fixture) {}

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();

    void terminalIsATerminal();
    void terminalTakesKeys();
    void terminalIsFollowedAgain();
    void backgroundIsRefusedWithTheReason();
    void backgroundGoesOnUnfollowed();
    void skippedOutputIsTold();
    void endIsToldLater();
    void stoppedWithItsTree();
    void backgroundSurvivesTheConnection();
    void foregroundIsClaimedAfterTheConnection();
    void pauseKeepsOrEndsThem();

private:
    std::unique_ptr<CommandRun> start(const QByteArray &text, bool background,
                                      const QByteArray &tag = {});
    std::unique_ptr<CommandRun> startTerminal(const QByteArray &text, domain::TerminalSize size);
    //! With its tag; nullopt when it is not listed.
    std::optional<Job> job(const QByteArray &tag);
    std::unique_ptr<CommandRun> attach(quint32 id, qint64 out, qint64 err);
    [[nodiscard]] bool keepsOutput() const { return m_sandbox.fixture().traits().keepsOutput; }
    //! \a got is all of \a whole, or its end where what nobody followed is lost.
    [[nodiscard]] bool isWhole(const QByteArray &got, const QByteArray &whole) const
    {
        return keepsOutput() ? got == whole : whole.endsWith(got);
    }
    //! The reason why not; empty: the connection was cut and there is a new one.
    QString cutAndConnect();

    SandboxUnderTest m_sandbox;
    domain::ExternalId m_instance;
    std::shared_ptr<domain::SandboxConnection> m_connection;
};

#define NEEDS_TERMINAL()                                                                           \
    do {                                                                                           \
        const domain::Capabilities can = m_sandbox.provider().capabilities();                      \
        if (!can.has(Capability::Terminal)) {                                                      \
            const QString why = can.reasonAgainst(Capability::Terminal);                           \
            QVERIFY(!why.isEmpty());                                                               \
            QSKIP(qPrintable(why));                                                                \
        }                                                                                          \
    } while (false)

#define NEEDS_BACKGROUND()                                                                         \
    do {                                                                                           \
        if (!m_sandbox.fixture().traits().backgroundCommands)                                      \
            QSKIP("no command outlives its call here");                                            \
    } while (false)

void JobsGroup::backgroundIsRefusedWithTheReason()
{
    if (m_sandbox.fixture().traits().backgroundCommands)
        QSKIP("there are background commands here");
    domain::CommandSpec spec = shellCommand("touch started-anyway");
    spec.background = true;
    const auto started = test::await(m_connection->shell().start(spec, {}));
    BERTH_FAILS(started, domain::ErrorKind::Unsupported);
    QVERIFY(!started.error().detail.isEmpty());
    BERTH_FAILS(test::await(m_connection->shell().jobs({})), domain::ErrorKind::Unsupported);
    BERTH_FAILS(test::await(m_connection->shell().attach(1, 0, 0, {})),
                domain::ErrorKind::Unsupported);
    const domain::Capabilities can = m_sandbox.provider().capabilities();
    QVERIFY(!can.has(Capability::ProcessesSurviveRestart));
    QVERIFY(test::run(m_connection->shell(), "test -e started-anyway").outcome.code != 0);
}

void JobsGroup::initTestCase()
{
    BERTH_OPEN(m_sandbox);
    const auto instance = m_sandbox.create(QStringLiteral("jobs"));
    BERTH_OK(instance);
    m_instance = instance->externalId;
    const auto connection = m_sandbox.connect(m_instance);
    BERTH_OK(connection);
    m_connection = *connection;
}

void JobsGroup::cleanupTestCase()
{
    m_connection.reset();
    m_sandbox.close();
}

std::unique_ptr<CommandRun> JobsGroup::start(const QByteArray &text, bool background,
                                             const QByteArray &tag)
{
    domain::CommandSpec spec = shellCommand(text);
    spec.background = background;
    spec.tag = tag;
    return test::start(m_connection->shell(), spec);
}

std::unique_ptr<CommandRun> JobsGroup::startTerminal(const QByteArray &text,
                                                     domain::TerminalSize size)
{
    domain::CommandSpec spec = shellCommand(text);
    spec.terminal = size;
    spec.background = true;
    spec.tag = "terminal";
    return test::start(m_connection->shell(), spec);
}

std::optional<Job> JobsGroup::job(const QByteArray &tag)
{
    const auto jobs = test::await(m_connection->shell().jobs({}));
    if (!jobs) {
        qWarning("no list: %s", told(jobs).constData());
        return std::nullopt;
    }
    for (const Job &one : *jobs)
        if (one.tag == tag)
            return one;
    return std::nullopt;
}

std::unique_ptr<CommandRun> JobsGroup::attach(quint32 id, qint64 out, qint64 err)
{
    const auto attached = test::await(m_connection->shell().attach(id, out, err, {}));
    if (!attached) {
        qWarning("not attached: %s", told(attached).constData());
        return nullptr;
    }
    return std::make_unique<CommandRun>(*attached);
}

QString JobsGroup::cutAndConnect()
{
    if (!m_sandbox.fixture().traits().commandsSurviveConnection)
        return QStringLiteral("here the end of the connection is the end of the sandbox");
    if (!m_sandbox.fixture().cutConnection(m_instance))
        return QStringLiteral("this fixture cannot cut the connection");
    if (!test::waitUntil([this] { return !m_connection->isOpen(); }, 5s))
        return QStringLiteral("the loss was not noticed");
    const auto connection = m_sandbox.connect(m_instance);
    if (!connection)
        return QStringLiteral("no new connection: ") + QString::fromUtf8(told(connection));
    m_connection = *connection;
    return {};
}

void JobsGroup::terminalIsATerminal()
{
    NEEDS_TERMINAL();
    const auto run =
        startTerminal("test -t 0 && test -t 1 && test -t 2 && echo yes; stty size; echo err >&2; "
                      "trap 'stty size; exit 6' WINCH; echo up; while :; do sleep 0.1; done",
                      {101, 31});
    QVERIFY(run && run->waitForOutput("up\r\n"));
    QCOMPARE(run->out, QByteArrayLiteral("yes\r\n31 101\r\nerr\r\nup\r\n"));
    run->execution().resize(133, 51);
    QVERIFY(run->waitForEnd(5s));
    QVERIFY2(run->out.endsWith("51 133\r\n"), run->out.constData());
    QCOMPARE(run->err, QByteArray());
    QCOMPARE(run->outcome().kind, OutcomeKind::Exited);
    QCOMPARE(run->outcome().code, 6);
}

void JobsGroup::terminalTakesKeys()
{
    NEEDS_TERMINAL();
    const auto interrupted = startTerminal("echo up; cat", {});
    QVERIFY(interrupted && interrupted->waitForOutput("up\r\n"));
    interrupted->execution().writeInput("typed\n");
    QVERIFY(interrupted->waitForOutput("typed\r\ntyped\r\n"));
    interrupted->execution().writeInput("\x03");
    QVERIFY(interrupted->waitForEnd(5s));
    QCOMPARE(interrupted->outcome().kind, OutcomeKind::Signalled);
    QCOMPARE(interrupted->outcome().code, 2);

    const auto ended = startTerminal("echo up; cat; exit 4", {});
    QVERIFY(ended && ended->waitForOutput("up\r\n"));
    ended->execution().writeInput("\x04");
    QVERIFY(ended->waitForEnd(5s));
    QCOMPARE(ended->outcome().code, 4);

    // An interactive shell has its job control: what it runs is in a group of its own.
    const auto shell = startTerminal("exec sh -i", {});
    QVERIFY(shell);
    shell->execution().writeInput("echo $((40+2))\n");
    QVERIFY(shell->waitForOutput("42\r\n"));
    shell->execution().writeInput("sleep 60\n");
    test::spin(300ms);
    shell->execution().writeInput("\x03");
    shell->execution().writeInput("echo $((50+5)); exit 9\n");
    QVERIFY2(shell->waitForEnd(5s), shell->out.constData());
    QVERIFY2(shell->out.contains("55\r\n"), shell->out.constData());
    QVERIFY2(!shell->out.contains("job control"), shell->out.constData());
    QCOMPARE(shell->outcome().code, 9);
}

void JobsGroup::terminalIsFollowedAgain()
{
    NEEDS_TERMINAL();
    auto run = startTerminal("echo before; cat", {});
    QVERIFY(run && run->waitForOutput("before\r\n"));
    run.reset();
    const auto found = job("terminal");
    QVERIFY(found && found->hasTerminal && !found->ended);
    const auto again = attach(found->id, 0, 0);
    QVERIFY(again);
    again->execution().writeInput("after\n");
    QVERIFY(again->waitForOutput("after\r\nafter\r\n"));
    QVERIFY(!keepsOutput() || again->out.startsWith("before\r\n"));
    again->execution().stop();
    QVERIFY(again->waitForEnd(5s));
    QCOMPARE(again->outcome().kind, OutcomeKind::Cancelled);
}

void JobsGroup::backgroundGoesOnUnfollowed()
{
    NEEDS_BACKGROUND();
    auto run = start("echo first; echo other >&2; while ! test -e go; do sleep 0.05; done; "
                     "rm go; echo last; exit 8",
                     true, "unfollowed");
    QVERIFY(run && run->waitForOutput("first\n"));
    run.reset();
    const auto found = job("unfollowed");
    QVERIFY(found && !found->ended && !found->hasTerminal && found->pid > 0);
    QCOMPARE(test::run(m_connection->shell(), "touch go").outcome.code, 0);
    const auto all = attach(found->id, 0, 0);
    QVERIFY(all && all->waitForEnd(5s));
    QVERIFY2(isWhole(all->out, "first\nlast\n"), all->out.constData());
    QVERIFY2(isWhole(all->err, "other\n"), all->err.constData());
    QCOMPARE(all->outcome().kind, OutcomeKind::Exited);
    QCOMPARE(all->outcome().code, 8);
    // Taken, so it is no longer kept; the runner hears of it behind the last question.
    QVERIFY(test::waitUntil([this] { return !job("unfollowed"); }, 5s));
}

void JobsGroup::skippedOutputIsTold()
{
    NEEDS_BACKGROUND();
    auto run = start("while ! test -e go2; do sleep 0.05; done; rm go2; "
                     "head -c 3000000 /dev/zero | tr '\\0' a; printf end; sleep 60",
                     true, "flood");
    QVERIFY(run);
    run.reset();
    QCOMPARE(test::run(m_connection->shell(), "touch go2").outcome.code, 0);
    QVERIFY(test::waitUntil([this] { return job("flood")->outBytes == 3'000'003; }, 20s));
    const auto attached = test::await(m_connection->shell().attach(job("flood")->id, 100, 0, {}));
    BERTH_OK(attached);
    CommandRun again(*attached);
    qint64 missing = 0;
    connect(&again.execution(), &domain::Execution::skipped, this,
            [&](OutputStream stream, qint64 bytes) {
                QCOMPARE(stream, OutputStream::Stdout);
                QVERIFY(again.out.isEmpty());
                missing += bytes;
            });
    if (keepsOutput()) {
        QVERIFY(again.waitForOutput("end"));
        QVERIFY2(missing > 0 && again.out.size() >= 1'000'000,
                 QByteArray::number(missing).constData());
    } else {
        QVERIFY(test::waitUntil([&missing] { return missing > 0; }, 5s));
    }
    QCOMPARE(100 + missing + again.out.size(), qint64(3'000'003));
    again.execution().stop();
    QVERIFY(again.waitForEnd(5s));
}

void JobsGroup::endIsToldLater()
{
    NEEDS_BACKGROUND();
    auto run = start("sleep 0.2; echo said; exit 5", true, "ended");
    QVERIFY(run);
    run.reset();
    QVERIFY(test::waitUntil([this] { return job("ended") && job("ended")->ended; }, 5s));
    const quint32 id = job("ended")->id;
    const auto late = attach(id, 2, 0);
    QVERIFY(late && late->waitForEnd(5s));
    QVERIFY2(isWhole(late->out, "id\n"), late->out.constData());
    QCOMPARE(late->outcome().code, 5);
    const auto gone = test::await(m_connection->shell().attach(id, 0, 0, {}));
    BERTH_FAILS(gone, domain::ErrorKind::NotFound);
}

void JobsGroup::stoppedWithItsTree()
{
    NEEDS_BACKGROUND();
    auto run = start("(trap '' TERM; sleep 3; touch PROOF-J) & (sleep 3; touch PROOF-K) & "
                     "echo up; wait",
                     true, "tree");
    QVERIFY(run && run->waitForOutput("up\n"));
    run.reset();
    const auto again = attach(job("tree")->id, 0, 0);
    QVERIFY(again);
    again->execution().stop();
    QVERIFY(again->waitForEnd(5s));
    QCOMPARE(again->outcome().kind, OutcomeKind::Cancelled);
    test::spin(3200ms);
    QVERIFY(!test::run(m_connection->shell(), "ls").out.contains("PROOF"));
}

void JobsGroup::backgroundSurvivesTheConnection()
{
    NEEDS_BACKGROUND();
    const auto run =
        start("i=0; while [ $i -lt 20 ]; do i=$((i+1)); echo line $i; sleep 0.1; done; "
              "echo done; exit 3",
              true, "survivor");
    QVERIFY(run && run->waitForOutput("line 3\n"));
    const QString reason = cutAndConnect();
    if (reason.startsWith(QLatin1String("here")) || reason.startsWith(QLatin1String("this")))
        QSKIP(qPrintable(reason));
    QVERIFY2(reason.isEmpty(), qPrintable(reason));
    QVERIFY(run->waitForEnd(5s));
    QCOMPARE(run->outcome().kind, OutcomeKind::TransportLost);
    const qint64 had = run->out.size();
    QVERIFY(job("survivor"));
    auto middle = attach(job("survivor")->id, had, 0);
    QVERIFY(middle && middle->waitForOutput("line 12\n"));
    const QByteArray part = run->out + middle->out;
    middle.reset();
    const auto all = attach(job("survivor")->id, 0, 0);
    QVERIFY(all && all->waitForEnd(10s));
    QByteArray whole;
    for (int i = 1; i <= 20; ++i)
        whole += "line " + QByteArray::number(i) + '\n';
    QVERIFY2(isWhole(all->out, whole + "done\n"), all->out.constData());
    QVERIFY2(!keepsOutput() || whole.startsWith(part), part.constData());
    QCOMPARE(all->outcome().kind, OutcomeKind::Exited);
    QCOMPARE(all->outcome().code, 3);
}

void JobsGroup::foregroundIsClaimedAfterTheConnection()
{
    NEEDS_BACKGROUND();
    domain::CommandSpec spec =
        shellCommand("for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do echo $i; sleep 0.1; done; "
                     "cd /tmp; export CLAIMED=yes; exit 7");
    spec.tag = "run-1";
    spec.trackState = true;
    const auto run = test::start(m_connection->shell(), spec);
    QVERIFY(run && run->waitForOutput("3\n"));
    QVERIFY2(!job("run-1"), "what is followed in the foreground is no job");
    const QString reason = cutAndConnect();
    if (reason.startsWith(QLatin1String("here")) || reason.startsWith(QLatin1String("this")))
        QSKIP(qPrintable(reason));
    QVERIFY2(reason.isEmpty(), qPrintable(reason));
    QVERIFY(run->waitForEnd(5s));
    const auto found = job("run-1");
    QVERIFY(found && !found->ended);
    const auto rest = attach(found->id, run->out.size(), run->err.size());
    QVERIFY(rest && rest->waitForEnd(10s));
    const QByteArray whole("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n");
    QVERIFY2(keepsOutput() ? run->out + rest->out == whole : whole.endsWith(rest->out),
             rest->out.constData());
    QCOMPARE(rest->outcome().kind, OutcomeKind::Exited);
    QCOMPARE(rest->outcome().code, 7);
    QCOMPARE(rest->outcome().cwd.value_or(QByteArray()), QByteArrayLiteral("/tmp"));
    QVERIFY(rest->outcome().environment.has_value());
    QVERIFY(rest->outcome().environment->contains({"CLAIMED", "yes"}));
    QVERIFY(test::waitUntil([this] { return !job("run-1"); }, 5s));
}

//! With a new connection afterwards, as another start of Berth would have.
void JobsGroup::pauseKeepsOrEndsThem()
{
    NEEDS_BACKGROUND();
    auto run = start("i=0; while :; do i=$((i+1)); echo $i; sleep 0.1; done", true, "server");
    QVERIFY(run && run->waitForOutput("3\n"));
    run.reset();
    m_connection.reset();
    BERTH_OK(test::await(m_sandbox.provider().pause(m_instance, {}), 60s));
    test::spin(500ms);
    BERTH_OK(test::await(m_sandbox.provider().resume(m_instance, {}), 60s));
    const auto connection = m_sandbox.connect(m_instance);
    BERTH_OK(connection);
    m_connection = *connection;
    const std::optional<Job> found = job("server");
    QCOMPARE(found.has_value(), m_sandbox.fixture().traits().processesSurvivePause);
    if (!found)
        return;
    QVERIFY(!found->ended);
    const auto all = attach(found->id, 0, 0);
    QVERIFY(all);
    QVERIFY(test::waitUntil([&all] { return all->out.count('\n') >= 20; }, 20s));
    // From 1 on, or from where it is followed again; without a gap.
    const int first = all->out.left(all->out.indexOf('\n')).toInt();
    QVERIFY2(keepsOutput() ? first == 1 : first > 3, all->out.constData());
    QByteArray whole;
    for (int i = 0; i < all->out.count('\n'); ++i)
        whole += QByteArray::number(first + i) + '\n';
    QCOMPARE(all->out, whole);
    all->execution().stop();
    QVERIFY(all->waitForEnd(5s));
}

int runJobsGroup(Fixture &fixture, const QStringList &arguments)
{
    JobsGroup group(fixture);
    return QTest::qExec(&group, arguments);
}

} // namespace berth::contract

#include "jobs_group.moc"
