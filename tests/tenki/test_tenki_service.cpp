// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/tenki/provider.h"
#include "support/command_run.h"
#include "support/fake_service.h"

#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace std::chrono_literals;

namespace berth::tenki {

using domain::ErrorKind;
using domain::OutcomeKind;
using test::await;
using test::shellCommand;
using test::told;

namespace {

const QByteArray kKey = QByteArrayLiteral("tk_CANARY00000000000");

} // namespace

//! What is particular to Tenki, against its fake over cleartext HTTP/2.
class TestTenkiService : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void cleanup();

    void nothingGoesOutUnasked();
    void creationIsMarkedAndWaitedFor();
    void settingsOfTheRowAreRemembered();
    void credentialIsRenewedAtHalfItsLife();
    void credentialIsRenewedWhenRefused();
    void routeThatIsNotReady();
    void routeThatIsNotTold();
    void edgeThatDoesNotLeadThereYet();
    void notFoundIsOnlySureWhenNotListed();
    void timeIsTheGuests();
    void silenceEndsAfterTheGrace();
    void runThatCouldNotBegin();
    void resumeThatFails();
    void pauseThatTakesTime();
    void lifeIsExtendedForACommand();
    void largeFilesAreStreamed();
    void foreignAnswers();

private:
    std::unique_ptr<TenkiProvider> provider(QMap<QString, QString> values = {},
                                            Patience patience = {});
    domain::CreateRequest request(const QString &alias) const;
    std::shared_ptr<domain::SandboxConnection> connected();
    int asked(const char *method);
    nlohmann::json lastOf(const char *method);
    bool knobs(const char *json) { return m_fake.setKnobs(json); }

    test::FakeService m_fake;
    domain::InstallationId m_installation = domain::InstallationId::create();
    std::unique_ptr<TenkiProvider> m_provider;
    domain::ExternalId m_id;
};

std::unique_ptr<TenkiProvider> TestTenkiService::provider(QMap<QString, QString> values,
                                                          Patience patience)
{
    domain::ProviderSettings settings;
    settings.name = domain::ConfigName(QStringLiteral("tenki"));
    settings.values = std::move(values);
    settings.values.insert(QStringLiteral("endpoint"), m_fake.url(QStringLiteral("api")));
    settings.values.insert(QStringLiteral("proxy"), QStringLiteral("none"));
    settings.secrets = {{QStringLiteral("api_key"), domain::Secret(kKey)}};
    settings.confirmedOrigins = QStringList{m_fake.url(QStringLiteral("api"))};
    return std::make_unique<TenkiProvider>(settings, m_installation, patience);
}

domain::CreateRequest TestTenkiService::request(const QString &alias) const
{
    domain::CreateRequest made;
    made.labels.installation = m_installation;
    made.labels.sandbox = domain::SandboxId::create();
    made.labels.lease = domain::LeaseId::create();
    made.labels.instance = domain::InstanceId::create();
    made.labels.agent = domain::AgentId(QStringLiteral("default"));
    made.labels.alias = alias;
    made.labels.configHash = QStringLiteral("0123456789abcdef");
    made.name = QStringLiteral("berth-00000000-default-") + alias;
    return made;
}

std::shared_ptr<domain::SandboxConnection> TestTenkiService::connected()
{
    const auto connection = await(m_provider->connect(m_id, {}));
    if (!connection)
        qWarning("no connection: %s", told(connection).constData());
    return connection ? *connection : nullptr;
}

int TestTenkiService::asked(const char *method)
{
    int count = 0;
    const nlohmann::json requests = m_fake.requests();
    for (const nlohmann::json &one : requests)
        count += QByteArray::fromStdString(one.value("path", std::string()))
                     .endsWith(QByteArray("/") + method)
            ? 1
            : 0;
    return count;
}

nlohmann::json TestTenkiService::lastOf(const char *method)
{
    nlohmann::json last;
    const nlohmann::json requests = m_fake.requests();
    for (const nlohmann::json &one : requests) {
        if (QByteArray::fromStdString(one.value("path", std::string()))
                .endsWith(QByteArray("/") + method))
            last = one;
    }
    return last;
}

void TestTenkiService::initTestCase()
{
    const QByteArray knobs =
        R"({"createMs":50,"resumeMs":50,"quota":100,"keys":[")" + kKey + R"("]})";
    if (!m_fake.start(QStringLiteral("tenki"),
                      {QStringLiteral("--knobs"), QString::fromUtf8(knobs)})) {
        if (qEnvironmentVariable("BERTH_REQUIRE_ENGINE") == QLatin1String("1"))
            QFAIL(qPrintable(m_fake.why()));
        QSKIP(qPrintable(m_fake.why()));
    }
    m_provider = provider();
    const auto made = await(m_provider->create(request(QStringLiteral("main")), {}, {}));
    BERTH_OK(made);
    m_id = made->externalId;
}

void TestTenkiService::cleanupTestCase()
{
    m_provider.reset();
}

void TestTenkiService::cleanup()
{
    knobs(R"({"faults":[],"createMs":50,"resumeMs":50,"routeMs":0,"pauseMs":0,"resumeFails":"",)"
          R"("certSeconds":3600,"gate":{"api":{},"data":{}}})");
}

void TestTenkiService::nothingGoesOutUnasked()
{
    QVERIFY(knobs(R"({"clearRequests":true})"));
    domain::ProviderSettings settings;
    settings.values = {{QStringLiteral("endpoint"), m_fake.url(QStringLiteral("api"))}};
    TenkiProvider without(settings, m_installation);
    const auto keyless = await(without.list({}));
    BERTH_FAILS(keyless, ErrorKind::Unauthorized);
    for (const char *name : {"TENKI_API_KEY", "TENKI_AUTH_TOKEN"})
        QVERIFY(keyless.error().detail.contains(QLatin1String(name)));
    settings.secrets = {{QStringLiteral("api_key"), domain::Secret(kKey)}};
    TenkiProvider unconfirmed(settings, m_installation);
    BERTH_FAILS(await(unconfirmed.list({})), ErrorKind::Forbidden);
    QVERIFY(m_fake.requests().empty());
}

void TestTenkiService::creationIsMarkedAndWaitedFor()
{
    QVERIFY(knobs(R"({"clearRequests":true,"createMs":300})"));
    domain::CreateRequest wanted = request(QStringLiteral("marked"));
    wanted.name += QString(60, QLatin1Char('x'));
    QStringList words;
    const domain::ProgressSink progress = [&words](const domain::Progress &one) {
        words << one.what;
    };
    const auto made = await(m_provider->create(wanted, progress, {}));
    BERTH_OK(made);
    QCOMPARE(made->state, domain::ObservedState::Running);
    QVERIFY(made->name.size() <= 64);
    QVERIFY2(words.contains(QStringLiteral("Tenki is starting the sandbox")),
             qPrintable(words.join(QLatin1Char('|'))));
    const nlohmann::json sent = lastOf("CreateSession");
    QCOMPARE(sent["headers"]["authorization"].get<std::string>(), "Bearer " + kKey.toStdString());
    QCOMPARE(sent["headers"]["x-tenki-client-generation"].get<std::string>(),
             std::string("workspace_v1"));
    const nlohmann::json message = sent["messages"].at(0);
    QCOMPARE(message["metadata"]["berth.instance"].get<std::string>(),
             wanted.labels.instance.toString().toStdString());
    QCOMPARE(message["tags"].at(0).get<std::string>(), std::string("berth"));
    QCOMPARE(asked("CreateSession"), 1);
    QCOMPARE(asked("WaitSession"), 1);
    // The key is for the control plane, the credential for the sandbox.
    const auto connection = await(m_provider->connect(made->externalId, {}));
    BERTH_OK(connection);
    QCOMPARE(test::run((*connection)->shell(), "true").outcome.code, 0);
    const nlohmann::json run = lastOf("Run");
    QVERIFY(!run["headers"].contains("authorization"));
    QVERIFY(run["headers"].contains("x-tenki-session-cert"));
    BERTH_OK(await(m_provider->destroy(made->externalId, {})));
}

void TestTenkiService::settingsOfTheRowAreRemembered()
{
    domain::CreateRequest wanted = request(QStringLiteral("row"));
    wanted.overrides = {{QStringLiteral("agent_home"), QStringLiteral("/tmp/its own")},
                        {QStringLiteral("timeout_ms"), QStringLiteral("700")}};
    const auto made = await(m_provider->create(wanted, {}, {}));
    BERTH_OK(made);
    // As after a restart.
    const std::unique_ptr<TenkiProvider> later = provider();
    const auto connection = await(later->connect(made->externalId, {}));
    BERTH_OK(connection);
    QCOMPARE((*connection)->homeDirectory(), QByteArrayLiteral("/tmp/its own"));
    const test::Finished finished = test::run((*connection)->shell(), "pwd; sleep 5");
    QCOMPARE(finished.outcome.kind, OutcomeKind::TimedOut);
    QCOMPARE(finished.out, QByteArrayLiteral("/tmp/its own\n"));
    BERTH_OK(await(later->destroy(made->externalId, {})));
}

void TestTenkiService::credentialIsRenewedAtHalfItsLife()
{
    QVERIFY(knobs(R"({"certSeconds":3})"));
    const std::unique_ptr<TenkiProvider> fresh = provider();
    const auto connection = await(fresh->connect(m_id, {}));
    BERTH_OK(connection);
    QVERIFY(knobs(R"({"clearRequests":true})"));
    QCOMPARE(test::run((*connection)->shell(), "echo 1").out, QByteArrayLiteral("1\n"));
    QCOMPARE(asked("CreateSessionCredential"), 0);
    test::spin(1700ms);
    QCOMPARE(test::run((*connection)->shell(), "echo 2").out, QByteArrayLiteral("2\n"));
    QCOMPARE(asked("CreateSessionCredential"), 1);
    // Half its life is left when the service is away for a moment.
    test::spin(1700ms);
    QVERIFY(knobs(R"({"addFaults":[{"match":"CreateSessionCredential","grpcStatus":14}]})"));
    QCOMPARE(test::run((*connection)->shell(), "echo 3").out, QByteArrayLiteral("3\n"));
}

void TestTenkiService::credentialIsRenewedWhenRefused()
{
    const auto connection = connected();
    QVERIFY(connection);
    QVERIFY(knobs(R"({"clearRequests":true,"addFaults":[{"match":"DataPlaneService/Run$",)"
                  R"("grpcStatus":16,"times":1}]})"));
    QCOMPARE(test::run(connection->shell(), "echo once >>once; cat once").out,
             QByteArrayLiteral("once\n"));
    QCOMPARE(asked("CreateSessionCredential"), 1);
    QCOMPARE(asked("Run"), 2);
    // Not for ever.
    QVERIFY(knobs(R"({"clearRequests":true,"addFaults":[{"match":"DataPlaneService/Run$",)"
                  R"("grpcStatus":16}]})"));
    const auto refused = await(connection->shell().start(shellCommand("true"), {}));
    BERTH_FAILS(refused, ErrorKind::Unauthorized);
    QCOMPARE(asked("Run"), 2);
}

void TestTenkiService::routeThatIsNotReady()
{
    QVERIFY(knobs(R"({"routeMs":400})"));
    QStringList words;
    const domain::ProgressSink progress = [&words](const domain::Progress &one) {
        words << one.what;
    };
    const auto made = await(m_provider->create(request(QStringLiteral("route")), progress, {}));
    BERTH_OK(made);
    QVERIFY2(words.contains(QStringLiteral("Tenki is making the way to the sandbox")),
             qPrintable(words.join(QLatin1Char('|'))));
    BERTH_OK(await(m_provider->destroy(made->externalId, {})));
    // There is an end to waiting.
    QVERIFY(knobs(R"({"routeMs":60000})"));
    Patience patience;
    patience.route = 300ms;
    const std::unique_ptr<TenkiProvider> hasty = provider({}, patience);
    const domain::CreateRequest wanted = request(QStringLiteral("late"));
    BERTH_FAILS(await(hasty->create(wanted, {}, {})), ErrorKind::Timeout);
    const auto all = await(hasty->list({}));
    BERTH_OK(all);
    for (const domain::Instance &one : *all)
        QVERIFY2(one.labels.instance != wanted.labels.instance, "one was left behind");
}

void TestTenkiService::routeThatIsNotTold()
{
    QVERIFY(knobs(R"({"clearRequests":true,"addFaults":[{"match":"CreateSessionCredential",)"
                  R"("merge":{"route_status":0}}]})"));
    const std::unique_ptr<TenkiProvider> fresh = provider();
    const auto connection = await(fresh->connect(m_id, {}));
    BERTH_OK(connection);
    QCOMPARE(asked("Stat"), 1);
    QCOMPARE(test::run((*connection)->shell(), "echo way").out, QByteArrayLiteral("way\n"));
    QVERIFY(
        knobs(R"({"faults":[{"match":"CreateSessionCredential","merge":{"route_status":3}}]})"));
    const std::unique_ptr<TenkiProvider> other = provider();
    BERTH_FAILS(await(other->connect(m_id, {})), ErrorKind::Unavailable);
}

void TestTenkiService::edgeThatDoesNotLeadThereYet()
{
    const std::unique_ptr<TenkiProvider> fresh = provider();
    const auto connection = await(fresh->connect(m_id, {}));
    BERTH_OK(connection);
    QVERIFY(knobs(R"({"gate":{"data":{"bare404":true}}})"));
    QTimer::singleShot(500ms, this, [this] { knobs(R"({"gate":{"data":{}}})"); });
    QCOMPARE(test::run((*connection)->shell(), "echo there").out, QByteArrayLiteral("there\n"));
}

void TestTenkiService::notFoundIsOnlySureWhenNotListed()
{
    QVERIFY(knobs(
        R"({"addFaults":[{"match":"GetSession$","grpcStatus":5,"message":"session not found"}]})"));
    BERTH_FAILS(await(m_provider->inspect(m_id, {})), ErrorKind::Unavailable);
    QVERIFY(knobs(R"({"addFaults":[{"match":"ListWorkspaceSandboxes$","grpcStatus":14}]})"));
    BERTH_FAILS(await(m_provider->inspect(m_id, {})), ErrorKind::Unavailable);
    cleanup();
    BERTH_FAILS(
        await(m_provider->inspect(
            domain::ExternalId(QStringLiteral("0190aaaa-0000-7000-8000-00000000dead")), {})),
        ErrorKind::NotFound);
    BERTH_OK(await(m_provider->inspect(m_id, {})));
}

void TestTenkiService::timeIsTheGuests()
{
    const auto connection = connected();
    QVERIFY(connection);
    QVERIFY(knobs(R"({"clearRequests":true})"));
    QCOMPARE(test::run(connection->shell(), "true").outcome.code, 0);
    QCOMPARE(lastOf("Run")["messages"].at(0)["start"]["timeout_ms"].get<int>(), 300'000);
    domain::CommandSpec spec = shellCommand("printf partial; printf why >&2; sleep 20");
    spec.timeout = 600ms;
    const test::Finished finished = test::run(connection->shell(), spec);
    QCOMPARE(finished.outcome.kind, OutcomeKind::TimedOut);
    QCOMPARE(domain::exitCodeOf(finished.outcome), 137);
    QCOMPARE(finished.out, QByteArrayLiteral("partial"));
    QCOMPARE(finished.err, QByteArrayLiteral("why"));
    QVERIFY(finished.outcome.detail.contains(QLatin1String("0.6 s")));
}

void TestTenkiService::silenceEndsAfterTheGrace()
{
    Patience patience;
    patience.grace = 400ms;
    const std::unique_ptr<TenkiProvider> hasty = provider({}, patience);
    const auto connection = await(hasty->connect(m_id, {}));
    BERTH_OK(connection);
    QVERIFY(knobs(R"({"addFaults":[{"match":"DataPlaneService/Run$","stall":true,"times":1}]})"));
    domain::CommandSpec spec = shellCommand("touch never");
    spec.timeout = 500ms;
    QElapsedTimer clock;
    clock.start();
    const auto started = await((*connection)->shell().start(spec, {}));
    QVERIFY(!started);
    QVERIFY2(started.error().kind == ErrorKind::Unavailable
                 || started.error().kind == ErrorKind::Timeout,
             told(started).constData());
    QVERIFY2(clock.elapsed() >= 800 && clock.elapsed() < 3000,
             QByteArray::number(clock.elapsed()).constData());
}

void TestTenkiService::runThatCouldNotBegin()
{
    const auto connection = connected();
    QVERIFY(connection);
    QVERIFY(knobs(R"({"addFaults":[{"match":"DataPlaneService/Run$","grpcStatus":9,)"
                  R"("message":"guest agent is not there","times":1}]})"));
    const auto refused = await(connection->shell().start(shellCommand("true"), {}));
    BERTH_FAILS(refused, ErrorKind::Conflict);
    QVERIFY(refused.error().detail.contains(QLatin1String("guest agent")));
    QVERIFY(connection->isOpen());
    QCOMPARE(test::run(connection->shell(), "echo well").out, QByteArrayLiteral("well\n"));
}

void TestTenkiService::resumeThatFails()
{
    BERTH_OK(await(m_provider->pause(m_id, {})));
    BERTH_FAILS(await(m_provider->connect(m_id, {})), ErrorKind::Conflict);
    QVERIFY(knobs(R"({"resumeFails":"no snapshot is left"})"));
    const auto failed = await(m_provider->resume(m_id, {}));
    BERTH_FAILS(failed, ErrorKind::Unavailable);
    QVERIFY2(failed.error().detail.contains(QLatin1String("no snapshot is left")),
             told(failed).constData());
    QVERIFY(knobs(R"({"resumeFails":""})"));
    BERTH_OK(await(m_provider->resume(m_id, {})));
    QVERIFY(connected());
}

void TestTenkiService::pauseThatTakesTime()
{
    QVERIFY(knobs(R"({"pauseMs":700})"));
    BERTH_OK(await(m_provider->pause(m_id, {})));
    const auto paused = await(m_provider->inspect(m_id, {}));
    BERTH_OK(paused);
    QCOMPARE(paused->state, domain::ObservedState::Paused);
    BERTH_OK(await(m_provider->resume(m_id, {})));
}

void TestTenkiService::lifeIsExtendedForACommand()
{
    const std::unique_ptr<TenkiProvider> shortLived =
        provider({{QStringLiteral("max_duration"), QStringLiteral("100")}});
    const auto made = await(shortLived->create(request(QStringLiteral("short")), {}, {}));
    BERTH_OK(made);
    const auto connection = await(shortLived->connect(made->externalId, {}));
    BERTH_OK(connection);
    QVERIFY(knobs(R"({"clearRequests":true})"));
    domain::CommandSpec spec = shellCommand("true");
    spec.timeout = 20s;
    QCOMPARE(test::run((*connection)->shell(), spec).outcome.code, 0);
    QCOMPARE(asked("ExtendSession"), 0);
    QCOMPARE(test::run((*connection)->shell(), "true").outcome.code, 0);
    QCOMPARE(asked("ExtendSession"), 1);
    QVERIFY(lastOf("ExtendSession")["messages"].at(0)["additional_duration"]["seconds"].get<int>()
            >= 260);
    QCOMPARE(test::run((*connection)->shell(), "true").outcome.code, 0);
    QCOMPARE(asked("ExtendSession"), 1);
    BERTH_OK(await(shortLived->destroy(made->externalId, {})));
}

void TestTenkiService::largeFilesAreStreamed()
{
    const auto connection = connected();
    QVERIFY(connection);
    QByteArray content(3'000'000, Qt::Uninitialized);
    for (qsizetype i = 0; i < content.size(); ++i)
        content[i] = char(i * 7 / 3);
    BERTH_OK(await(connection->fs().write("/home/tenki/large", content, {})));
    QVERIFY(knobs(R"({"clearRequests":true})"));
    const auto back = await(connection->fs().read("/home/tenki/large", 10, 2'000'000, {}));
    BERTH_OK(back);
    QVERIFY(*back == content.mid(10, 2'000'000));
    QCOMPARE(asked("ReadFileStream"), 1);
    QCOMPARE(asked("Run"), 0);
    // A stream that breaks is no reason to do without the file.
    QVERIFY(knobs(R"({"addFaults":[{"match":"ReadFileStream","cutAfter":100000}]})"));
    const auto again = await(connection->fs().read("/home/tenki/large", 0, 3'000'000, {}));
    BERTH_OK(again);
    QVERIFY(*again == content);
}

void TestTenkiService::foreignAnswers()
{
    QVERIFY(knobs(R"({"gate":{"api":{"bare503":true}}})"));
    Patience patience;
    const std::unique_ptr<TenkiProvider> other = provider({}, patience);
    const auto away = await(other->inspect(m_id, {}));
    BERTH_FAILS(away, ErrorKind::Unavailable);
    QVERIFY(away.error().httpStatus == 503);
    const QString said = away.error().message + away.error().detail;
    QVERIFY(!said.contains(QString::fromLatin1(kKey)));
}

} // namespace berth::tenki

QTEST_GUILESS_MAIN(berth::tenki::TestTenkiService)
#include "test_tenki_service.moc"
