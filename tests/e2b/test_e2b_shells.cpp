// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/sandbox/naming.h"
#include "providers/e2b/provider.h"
#include "support/command_run.h"
#include "support/fake_service.h"

#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace berth;
using namespace std::chrono_literals;
using berth::test::await;
using domain::ErrorKind;

namespace {

const QByteArray kKey = "e2b_" + QByteArray(40, '0');

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

} // namespace

//! Shells that wait in a sandbox for the next command (providers/e2b/resident.h).
class TestE2bShells : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();

    void shellIsKeptForTheNext();
    void shellThatIsHeldOrKilled();
    void shellWhoseStreamIsCut();
    void shellThatWasDead();
    void shellThatMayHaveGotIt();
    void shellsOfEarlierConnections();

private:
    std::unique_ptr<e2b::E2bProvider> make();
    //! A connection to a new sandbox in which a shell waits for commands.
    std::shared_ptr<domain::SandboxConnection> warm(domain::Provider &provider);
    domain::Result<domain::Instance> create(domain::Provider &provider);
    //! How many requests have a line "METHOD path" that begins so.
    int asked(const char *line);

    test::FakeService m_fake;
    domain::InstallationId m_installation = domain::InstallationId::create();
};

void TestE2bShells::initTestCase()
{
    if (!m_fake.start(s("e2b")))
        QSKIP(qPrintable(m_fake.why()));
}

void TestE2bShells::init()
{
    QVERIFY(m_fake.setKnobs("{\"clearRequests\":true,\"faults\":[]}"));
}

std::unique_ptr<e2b::E2bProvider> TestE2bShells::make()
{
    domain::ProviderSettings settings;
    settings.name = domain::ConfigName(s("e2b"));
    settings.values = {{s("api_url"), m_fake.url(s("api"))},
                       {s("sandbox_url"), m_fake.url(s("envd"))},
                       {s("proxy"), s("none")}};
    settings.secrets = {{s("api_key"), domain::Secret(kKey)}};
    settings.confirmedOrigins = {m_fake.url(s("api")), m_fake.url(s("envd"))};
    return std::make_unique<e2b::E2bProvider>(settings, m_installation);
}

int TestE2bShells::asked(const char *line)
{
    int count = 0;
    for (const nlohmann::json &request : m_fake.requests()) {
        const std::string said =
            request.value("method", std::string()) + ' ' + request.value("path", std::string());
        count += said.rfind(line, 0) == 0 ? 1 : 0;
    }
    return count;
}

domain::Result<domain::Instance> TestE2bShells::create(domain::Provider &provider)
{
    domain::CreateRequest request;
    request.labels.installation = m_installation;
    request.labels.sandbox = domain::SandboxId::create();
    request.labels.lease = domain::LeaseId::create();
    request.labels.instance = domain::InstanceId::create();
    request.labels.agent = domain::AgentId(s("default"));
    request.labels.alias = s("main");
    request.name = domain::sandboxName(m_installation, request.labels.agent, request.labels.alias);
    return await(provider.create(request, {}, {}));
}

std::shared_ptr<domain::SandboxConnection> TestE2bShells::warm(domain::Provider &provider)
{
    const auto made = create(provider);
    if (!made)
        return {};
    const auto connection = await(provider.connect(made->externalId, {}));
    if (!connection)
        return {};
    for (int i = 0; i < 2; ++i)
        test::run((*connection)->shell(), "true");
    // That shell and the two commands.
    const bool isThere =
        test::waitUntil([this] { return asked("POST /process.Process/Start") == 3; });
    test::spin(300ms);
    return isThere ? *connection : nullptr;
}

void TestE2bShells::shellIsKeptForTheNext()
{
    const auto provider = make();
    const auto connection = warm(*provider);
    QVERIFY(connection);
    for (int i = 0; i < 4; ++i) {
        domain::CommandSpec spec =
            test::shellCommand("printf out; printf err >&2; cd /tmp; export KEPT=1; exit 3");
        spec.trackState = true;
        const test::Finished finished = test::run(connection->shell(), spec);
        QVERIFY2(finished.outcome.kind == domain::OutcomeKind::Exited && finished.outcome.code == 3,
                 test::told(finished).constData());
        QCOMPARE(finished.out, QByteArrayLiteral("out"));
        QCOMPARE(finished.err, QByteArrayLiteral("err"));
        QCOMPARE(finished.outcome.cwd.value_or(QByteArray()), QByteArrayLiteral("/tmp"));
        QVERIFY(finished.outcome.environment
                && finished.outcome.environment->contains({"KEPT", "1"}));
        test::spin(200ms);
    }
    // Nothing of one command is there for the next.
    const test::Finished next = test::run(connection->shell(), "echo \"$KEPT$PWD\"; cat");
    QCOMPARE(next.out, QByteArrayLiteral("/home/user\n"));
    QCOMPARE(asked("POST /process.Process/Start"), 3);
    QCOMPARE(asked("POST /process.Process/SendInput"), 5);
    // What takes input, or goes on, has a process of its own.
    domain::CommandSpec open = test::shellCommand("cat");
    open.openInput = true;
    test::spin(200ms);
    const auto run = test::start(connection->shell(), open);
    QVERIFY(run);
    run->execution().writeInput("in");
    run->execution().closeInput();
    QVERIFY(run->waitForEnd());
    QCOMPARE(run->out, QByteArrayLiteral("in"));
    QCOMPARE(asked("POST /process.Process/Start"), 4);
}

void TestE2bShells::shellThatIsHeldOrKilled()
{
    const auto provider = make();
    const auto connection = warm(*provider);
    QVERIFY(connection);
    // What goes on behind its command says nothing in the next one.
    const test::Finished first =
        test::run(connection->shell(), "(sleep 1; echo late; echo late >&2) & echo first");
    QCOMPARE(first.out, QByteArrayLiteral("first\n"));
    test::spin(300ms);
    const test::Finished second = test::run(connection->shell(), "sleep 1.5; echo second");
    QCOMPARE(second.out, QByteArrayLiteral("second\n"));
    QCOMPARE(second.err, QByteArray());
    QVERIFY(asked("POST /process.Process/CloseStdin") > 0);
    // The shell around the command is not there any more.
    test::run(connection->shell(), "true");
    test::spin(300ms);
    const auto starts = asked("POST /process.Process/Start");
    const test::Finished killed = test::run(connection->shell(), "echo up; kill -9 $PPID; sleep 9");
    QCOMPARE(asked("POST /process.Process/Start"), starts);
    QVERIFY2(killed.outcome.kind == domain::OutcomeKind::Signalled && killed.outcome.code == 9,
             test::told(killed).constData());
    const test::Finished after = test::run(connection->shell(), "echo after");
    QCOMPARE(after.out, QByteArrayLiteral("after\n"));
    // A command without a place is refused there as well.
    domain::CommandSpec nowhere = test::shellCommand("true");
    nowhere.cwd = "/not/there";
    test::spin(300ms);
    BERTH_FAILS(await(connection->shell().start(nowhere, {})), ErrorKind::NotFound);
}

void TestE2bShells::shellWhoseStreamIsCut()
{
    const auto provider = make();
    const auto connection = warm(*provider);
    QVERIFY(connection);
    const auto run =
        test::start(connection->shell(), test::shellCommand("echo a; sleep 1; echo b; exit 7"));
    QVERIFY(run);
    QVERIFY(run->waitForOutput("a"));
    QCOMPARE(asked("POST /process.Process/Start"), 3);
    QVERIFY(m_fake.setKnobs("{\"cutStreams\":true}"));
    QVERIFY(run->waitForEnd(10s));
    QCOMPARE(run->outcome().kind, domain::OutcomeKind::Exited);
    QCOMPARE(run->outcome().code, 7);
    QVERIFY(run->outcome().detail.contains(s("lost for a while")));
    // One that nobody uses is no loss.
    QVERIFY(m_fake.setKnobs("{\"cutStreams\":true}"));
    test::spin(200ms);
    const test::Finished after = test::run(connection->shell(), "echo after");
    QCOMPARE(after.out, QByteArrayLiteral("after\n"));
}

//! It surely did not run there, so it runs in a process of its own.
void TestE2bShells::shellThatWasDead()
{
    const auto provider = make();
    const auto connection = warm(*provider);
    QVERIFY(connection);
    QVERIFY(m_fake.setKnobs("{\"faults\":[{\"match\":\"SendInput\",\"status\":404,\"times\":1,"
                            "\"body\":{\"code\":\"not_found\",\"message\":\"process with pid 9 not "
                            "found\"}}]}"));
    const test::Finished finished =
        test::run(connection->shell(), "echo ran | tee -a dead; exit 4");
    QVERIFY2(finished.outcome.kind == domain::OutcomeKind::Exited && finished.outcome.code == 4,
             test::told(finished).constData());
    QCOMPARE(finished.out, QByteArrayLiteral("ran\n"));
    QCOMPARE(test::run(connection->shell(), "cat dead").out, QByteArrayLiteral("ran\n"));
}

//! The answer to the input is lost: it is told as not known, and not run again.
void TestE2bShells::shellThatMayHaveGotIt()
{
    const auto provider = make();
    const auto connection = warm(*provider);
    QVERIFY(connection);
    QVERIFY(m_fake.setKnobs(
        "{\"faults\":[{\"match\":\"SendInput\",\"loseAnswer\":true,\"times\":1}]}"));
    const auto run =
        test::start(connection->shell(), test::shellCommand("echo ran >>maybe; sleep 9"));
    if (run) {
        QVERIFY(run->waitForEnd(20s));
        QVERIFY2(run->outcome().kind != domain::OutcomeKind::Exited || run->outcome().code != 0,
                 "it was stopped, so it did not end well");
    }
    const test::Finished after = test::run(connection->shell(), "cat maybe 2>/dev/null; true");
    QVERIFY2(after.out.isEmpty() || after.out == "ran\n", test::told(after).constData());
}

void TestE2bShells::shellsOfEarlierConnections()
{
    auto provider = make();
    const auto made = create(*provider);
    BERTH_OK(made);
    for (int round = 0; round < 3; ++round) {
        QVERIFY(m_fake.setKnobs("{\"clearRequests\":true}"));
        provider = make();
        const auto connection = await(provider->connect(made->externalId, {}));
        BERTH_OK(connection);
        for (int i = 0; i < 2; ++i)
            test::run((*connection)->shell(), "true");
        QVERIFY(test::waitUntil([this] { return asked("POST /process.Process/Start") >= 3; }));
        test::spin(300ms);
        const test::Finished count =
            test::run((*connection)->shell(),
                      "for p in /proc/[0-9]*; do [ \"$(tr '\\0' ' ' <$p/cmdline 2>/dev/null)\" != "
                      "'/bin/sh -s ' ] || echo $p; done | wc -l");
        const int there = count.out.trimmed().toInt();
        QVERIFY2(there >= 1 && there <= 2, test::told(count).constData());
        QCOMPARE(asked("POST /process.Process/CloseStdin"), round == 0 ? 0 : 1);
    }
}

QTEST_GUILESS_MAIN(TestE2bShells)

#include "test_e2b_shells.moc"
