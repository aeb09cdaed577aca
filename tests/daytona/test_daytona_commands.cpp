// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "daytona/daytona_service.h"
#include "support/command_run.h"

#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace berth;
using namespace berth::daytona;
using domain::ErrorKind;
using domain::OutcomeKind;
using nlohmann::json;
using test::await;
using test::shellCommand;
using namespace std::chrono_literals;

//! Commands of a sandbox whose service is in trouble.
class TestDaytonaCommands : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QCOMPARE(m_service.start(), QString()); }
    void init()
    {
        m_service.heal();
        m_provider = m_service.makeProvider();
    }
    void cleanup() { m_provider.reset(); }

    void logsCutAnywhere();
    void logThatFallsSilent();
    void stoppedFromOutside();
    void backgroundIsFoundByAnother();
    void terminalIsJoinedByAnother();
    void sessionThatEnded();
    void inputWhoseAnswerAProxyLost();
    void sessionsOfEarlierConnections();
    void checkOfAServerOfOnesOwn();

private:
    domain::Result<domain::Instance> create(const char *alias)
    {
        return await(m_provider->create(m_service.request(alias), {}, {}), 60s);
    }

    test::DaytonaService m_service;
    std::unique_ptr<DaytonaProvider> m_provider;
};

void TestDaytonaCommands::logsCutAnywhere()
{
    const auto connection = await(m_provider->connect(m_service.shared(), {}));
    BERTH_OK(connection);
    // A log has some 200 bytes; each cut is met by whoever comes next.
    json cuts = json::array();
    for (int n = 0; n < 220; ++n)
        cuts.push_back(
            {{"match", "logs.follow"}, {n % 2 == 0 ? "cutAfter" : "resetAfter", n}, {"times", 1}});
    m_service.knobs({{"faults", cuts}});
    int done = 0;
    for (int round = 0; round < 8; ++round) {
        std::vector<std::unique_ptr<test::CommandRun>> runs;
        for (int i = 0; i < 10; ++i) {
            runs.push_back(test::start((*connection)->shell(),
                                       shellCommand("echo out; echo err >&2; printf 'a\\000b'; "
                                                    "exit 7")));
            QVERIFY(runs.back());
        }
        for (const auto &run : runs) {
            QVERIFY(run->waitForEnd(30s));
            QCOMPARE(run->outcome().kind, OutcomeKind::Exited);
            QCOMPARE(run->outcome().code, 7);
            QCOMPARE(run->out, QByteArray("out\na\0b", 7));
            QCOMPARE(run->err, QByteArrayLiteral("err\n"));
            ++done;
        }
    }
    QCOMPARE(done, 80);
}

//! A stream that goes on saying nothing, though the command has ended.
void TestDaytonaCommands::logThatFallsSilent()
{
    const CorePtr core = m_service.makeCore(m_service.installation);
    core->api->quiet = 400ms;
    DaytonaProvider provider(core);
    const auto connection = await(provider.connect(m_service.shared(), {}));
    BERTH_OK(connection);
    m_service.fault({{"match", "logs.follow"}, {"stallAfter", 70}, {"times", 2}});
    const auto run =
        test::start((*connection)->shell(), shellCommand("echo one; sleep 1; echo two; exit 5"));
    QVERIFY(run && run->waitForEnd(15s));
    QCOMPARE(run->outcome().kind, OutcomeKind::Exited);
    QCOMPARE(run->outcome().code, 5);
    QCOMPARE(run->out, QByteArrayLiteral("one\ntwo\n"));
}

void TestDaytonaCommands::stoppedFromOutside()
{
    const auto made = create("outside");
    BERTH_OK(made);
    const auto connection = await(m_provider->connect(made->externalId, {}));
    BERTH_OK(connection);
    const auto run = test::start((*connection)->shell(), shellCommand("echo up; sleep 60"));
    QVERIFY(run && run->waitForOutput("up\n"));
    const auto other = m_service.makeProvider();
    BERTH_OK(await(other->pause(made->externalId, {}), 30s));
    QVERIFY(run->waitForEnd(15s));
    QCOMPARE(run->outcome().kind, OutcomeKind::TransportLost);
    QVERIFY(!run->outcome().detail.isEmpty());
    QVERIFY(test::waitUntil([&] { return !(*connection)->isOpen(); }, 5s));
    BERTH_FAILS(await(m_provider->connect(made->externalId, {})), ErrorKind::Conflict);
    BERTH_OK(await(m_provider->resume(made->externalId, {}), 30s));
    const auto again = await(m_provider->connect(made->externalId, {}));
    BERTH_OK(again);
    QCOMPARE(test::run((*again)->shell(), "echo back").out, QByteArrayLiteral("back\n"));
    BERTH_OK(await(m_provider->destroy(made->externalId, {}), 30s));
}

//! As after a restart of Berth.
void TestDaytonaCommands::backgroundIsFoundByAnother()
{
    const domain::ExternalId id = m_service.shared();
    {
        const auto first = m_service.makeProvider();
        const auto connection = await(first->connect(id, {}));
        BERTH_OK(connection);
        domain::CommandSpec spec =
            shellCommand("echo one; while ! test -e go; do sleep 0.05; done; rm go; echo two; "
                         "echo three >&2; exit 9");
        spec.background = true;
        spec.tag = "found";
        const auto run = test::start((*connection)->shell(), spec);
        QVERIFY(run && run->waitForOutput("one\n"));
    }
    const auto connection = await(m_provider->connect(id, {}));
    BERTH_OK(connection);
    const auto jobs = await((*connection)->shell().jobs({}));
    BERTH_OK(jobs);
    QCOMPARE(jobs->size(), 1);
    QCOMPARE(jobs->first().tag, QByteArrayLiteral("found"));
    QCOMPARE(jobs->first().outBytes, 4);
    const auto attached = await((*connection)->shell().attach(jobs->first().id, 4, 0, {}));
    BERTH_OK(attached);
    test::CommandRun rest(*attached);
    QCOMPARE(test::run((*connection)->shell(), "touch go").outcome.code, 0);
    QVERIFY(rest.waitForEnd(10s));
    QCOMPARE(rest.out, QByteArrayLiteral("two\n"));
    QCOMPARE(rest.err, QByteArrayLiteral("three\n"));
    QCOMPARE(rest.outcome().code, 9);
    QVERIFY(test::waitUntil(
        [&] {
            const auto left = await((*connection)->shell().jobs({}));
            return left && left->isEmpty();
        },
        5s));
    // Nothing of any command is left in the sandbox.
    QVERIFY(test::waitUntil(
        [&] {
            const auto left = test::run((*connection)->shell(),
                                        "ls -A /tmp /tmp/.berth 2>/dev/null | grep -c run-");
            return left.out == "0\n";
        },
        10s));
}

//! Who has seen much of it before misses nothing of what comes now, and is told what is lost.
void TestDaytonaCommands::terminalIsJoinedByAnother()
{
    auto first = await(m_provider->connect(m_service.shared(), {}));
    BERTH_OK(first);
    domain::CommandSpec spec = shellCommand("echo before; cat");
    spec.terminal = domain::TerminalSize{};
    spec.background = true;
    spec.tag = "joined";
    auto run = test::start((*first)->shell(), spec);
    QVERIFY(run && run->waitForOutput("before\r\n"));
    run.reset();
    first->reset();
    m_provider.reset();

    const auto other = m_service.makeProvider();
    const auto connection = await(other->connect(m_service.shared(), {}));
    BERTH_OK(connection);
    const auto jobs = await((*connection)->shell().jobs({}));
    BERTH_OK(jobs);
    const auto job = std::find_if(jobs->begin(), jobs->end(), [](const domain::Job &one) {
        return one.tag == "joined" && one.hasTerminal;
    });
    QVERIFY(job != jobs->end());
    const auto attached = await((*connection)->shell().attach(job->id, 5000, 0, {}));
    BERTH_OK(attached);
    test::CommandRun again(*attached);
    again.execution().writeInput("after\n");
    QVERIFY(again.waitForOutput("after\r\nafter\r\n"));
    again.execution().writeInput("\x04");
    QVERIFY(again.waitForEnd(10s));
    QCOMPARE(again.outcome().code, 0);
    QVERIFY(again.outcome().detail.contains(QStringLiteral("is lost")));
}

void TestDaytonaCommands::sessionThatEnded()
{
    const CorePtr core = m_service.makeCore(m_service.installation);
    core->api->keepsResidents = false;
    DaytonaProvider provider(core);
    const auto connection = await(provider.connect(m_service.shared(), {}));
    BERTH_OK(connection);
    QCOMPARE(test::run((*connection)->shell(), "echo first").out, QByteArrayLiteral("first\n"));
    // exit and set -e end the command's shell, not the session's: it is used again.
    for (const char *text : {"exit 3", "set -e; false", "exec sh -c 'exit 3'", "kill -9 $$"}) {
        const test::Finished finished = test::run((*connection)->shell(), text, 10s);
        QVERIFY2(finished.outcome.kind == OutcomeKind::Exited
                     || finished.outcome.kind == OutcomeKind::Signalled,
                 test::told(finished).constData());
    }
    test::spin(400ms);
    const int sessions = m_service.asked("POST", "/process/session", "proxy");
    QCOMPARE(test::run((*connection)->shell(), "echo again").out, QByteArrayLiteral("again\n"));
    // exec of the command itself matches the path, too.
    QCOMPARE(m_service.asked("POST", "/process/session", "proxy"), sessions + 1);
    // One that the service has forgotten has run nothing, so the command is run in another.
    m_service.fault({{"match", "POST .*/session/.*/exec"},
                     {"status", 404},
                     {"times", 1},
                     {"body", {{"statusCode", 404}, {"message", "session not found"}}}});
    QCOMPARE(test::run((*connection)->shell(), "echo third").out, QByteArrayLiteral("third\n"));
    // An answer that is lost says nothing; the command is not repeated.
    m_service.fault({{"match", "POST .*/session/.*/exec"}, {"loseAnswer", true}, {"times", 1}});
    const auto lost = await((*connection)->shell().start(shellCommand("echo x >> ran"), {}));
    QVERIFY(!lost.has_value());
    QVERIFY(lost.error().message.contains(QLatin1String("not known")));
    test::spin(500ms);
    const test::Finished count = test::run((*connection)->shell(), "cat ran 2>/dev/null | wc -l");
    QVERIFY2(count.out.trimmed().toInt() <= 1, test::told(count).constData());
}

//! A session's shell has the command, and the proxy says 502: it is not run again.
void TestDaytonaCommands::inputWhoseAnswerAProxyLost()
{
    const auto connection = await(m_provider->connect(m_service.shared(), {}));
    BERTH_OK(connection);
    for (int i = 0; i < 20 && m_service.asked("POST", "/input", "proxy") == 0; ++i) {
        test::run((*connection)->shell(), "true");
        test::spin(100ms);
    }
    QVERIFY(m_service.asked("POST", "/input", "proxy") > 0);
    test::run((*connection)->shell(), "rm -f twice");
    test::spin(500ms);
    const int inputs = m_service.asked("POST", "/input", "proxy");
    m_service.fault({{"match", "POST .*/input"}, {"lateStatus", 502}, {"times", 1}});
    const auto lost =
        await((*connection)->shell().start(shellCommand("echo x >>twice; sleep 30"), {}));
    QCOMPARE(m_service.asked("POST", "/input", "proxy"), inputs + 1);
    QVERIFY(!lost.has_value());
    QCOMPARE(lost.error().kind, ErrorKind::Unavailable);
    QVERIFY2(lost.error().message.contains(QLatin1String("not known")),
             test::told(lost).constData());
    test::spin(1s);
    const test::Finished count = test::run((*connection)->shell(), "cat twice | wc -l");
    // It was stopped, maybe before it had done anything.
    QVERIFY2(count.out.trimmed().toInt() <= 1, test::told(count).constData());
}

void TestDaytonaCommands::sessionsOfEarlierConnections()
{
    const auto made = create("sweeps");
    BERTH_OK(made);
    const auto sessions = [this](bool deleted) {
        int count = 0;
        for (const json &one : m_service.requests()) {
            const QByteArray path = QByteArray::fromStdString(one["path"].get<std::string>());
            const bool isDone = one.contains("status") && one["status"].get<int>() < 300;
            if (isDone && deleted && one["method"] == "DELETE")
                count += path.contains("/process/session/") ? 1 : 0;
            else if (isDone && !deleted && one["method"] == "POST")
                count += path.endsWith("/process/session") ? 1 : 0;
        }
        return count;
    };
    int before = 0;
    for (int round = 0; round < 3; ++round) {
        before = sessions(false);
        const auto provider = m_service.makeProvider();
        const auto connection = await(provider->connect(made->externalId, {}));
        BERTH_OK(connection);
        for (int i = 0; i < 4; ++i) {
            test::run((*connection)->shell(), "true");
            test::spin(200ms);
        }
        if (round < 2)
            continue;
        // What is there now is this one's.
        QVERIFY(before >= 4);
        QVERIFY2(test::waitUntil([&] { return sessions(true) >= before; }, 5s),
                 qPrintable(QStringLiteral("%1 of %2").arg(sessions(true)).arg(before)));
        QVERIFY(sessions(false) - before <= 2);
        QCOMPARE(test::run((*connection)->shell(), "echo fine").out, QByteArrayLiteral("fine\n"));
    }
    BERTH_OK(await(m_provider->destroy(made->externalId, {}), 30s));
}

void TestDaytonaCommands::checkOfAServerOfOnesOwn()
{
    const auto step = [](const domain::HealthReport &report, const char *name) {
        for (const domain::HealthStep &one : report.steps) {
            if (one.name.contains(QLatin1String(name)))
                return std::optional(one);
        }
        return std::optional<domain::HealthStep>();
    };
    using domain::StepState;
    // Of an installation without a sandbox, two of the three cannot be seen yet.
    DaytonaProvider fresh(m_service.makeCore(domain::InstallationId::create()));
    const auto empty = await(fresh.check({}, {}));
    BERTH_OK(empty);
    QVERIFY(empty->ok);
    QCOMPARE(step(*empty, "Proxy")->state, StepState::Ok);
    QCOMPARE(step(*empty, "bridge")->state, StepState::Skipped);
    QCOMPARE(step(*empty, "/usr/bin/bash")->state, StepState::Skipped);

    QVERIFY(!m_service.shared().isNull());
    const auto whole = await(m_provider->check({}, {}));
    BERTH_OK(whole);
    QVERIFY(whole->ok);
    for (const char *name : {"Settings", "Server", "API key", "Proxy", "bridge", "/usr/bin/bash"})
        QVERIFY2(step(*whole, name) && step(*whole, name)->state == StepState::Ok, name);

    m_service.knobs({{"shell", "/usr/bin/no-such-bash"}});
    const auto shellless = await(m_provider->check({}, {}));
    BERTH_OK(shellless);
    QCOMPARE(step(*shellless, "/usr/bin/bash")->state, StepState::Warning);
    QVERIFY(step(*shellless, "/usr/bin/bash")->detail.contains(QLatin1String("fork/exec")));
    const auto connection = await(m_provider->connect(m_service.shared(), {}));
    BERTH_FAILS(connection, ErrorKind::Unavailable);
    QVERIFY(connection.error().detail.contains(QLatin1String("/usr/bin/bash")));

    m_service.knobs({{"shell", "/usr/bin/bash"},
                     {"faults",
                      json::array({{{"surface", "proxy"},
                                    {"match", "execute"},
                                    {"status", 400},
                                    {"body",
                                     {{"message",
                                       "no IP address found. Is the Sandbox "
                                       "started?"}}}}})}});
    const auto unbridged = await(m_provider->check({}, {}));
    BERTH_OK(unbridged);
    QCOMPARE(step(*unbridged, "bridge")->state, StepState::Warning);

    const auto elsewhere = m_service.makeProvider(
        {{QStringLiteral("toolbox_url"), QStringLiteral("http://127.0.0.1:9/toolbox")}});
    m_service.knobs({{"faults", json::array()}});
    const auto unreachable = await(elsewhere->check({}, {}));
    BERTH_OK(unreachable);
    QVERIFY(!unreachable->ok);
    QCOMPARE(step(*unreachable, "Proxy")->state, StepState::Failed);
    QVERIFY(step(*unreachable, "Proxy")->detail.contains(QLatin1String("4000")));

    m_service.fault({{"status", 401}, {"match", "/api/sandbox"}});
    const auto refused = await(m_provider->check({}, {}));
    BERTH_OK(refused);
    QVERIFY(!refused->ok);
    QCOMPARE(step(*refused, "API key")->state, StepState::Failed);
    QCOMPARE(refused->error->kind, ErrorKind::Unauthorized);
}

QTEST_GUILESS_MAIN(TestDaytonaCommands)
#include "test_daytona_commands.moc"
