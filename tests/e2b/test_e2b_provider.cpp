// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/sandbox/naming.h"
#include "net/web/web_client.h"
#include "providers/e2b/provider.h"
#include "support/command_run.h"
#include "support/fake_service.h"

#include <QtCore/QRandomGenerator>
#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace berth;
using namespace std::chrono_literals;
using berth::test::await;
using domain::ErrorKind;
using domain::ObservedState;
using nlohmann::json;

namespace {

const QByteArray kKey = "e2b_" + QByteArray(40, '0');

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

} // namespace

//! What is E2B's own; the rest is in the contract suite.
class TestE2bProvider : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();

    void nothingIsSentUnconfirmed();
    void missingKeyNamesTheVariables();
    void accountsAreToldApart();
    void checkSaysWhatIsWrong();
    void headersOnTheRightSide();
    void olderServerIsRemembered();
    void metadataTellsWhoseItIs();
    void unknownTemplateAndQuota();
    void whichMissingIsGone();
    void pausedMeanwhile();
    void lifeIsExtendedWhileACommandRuns();
    void endOfLifePausesAndIsNoted();
    void olderSandboxes();
    void largeFilesGoNatively();
    void deadlineOfTheService();
    void largeCommand();
    void killedAtTheEnd();

private:
    std::unique_ptr<e2b::E2bProvider> make(QMap<QString, QString> values = {},
                                           const QByteArray &key = kKey, bool confirmed = true);
    domain::CreateRequest request(const char *alias) const;
    domain::Result<domain::Instance> create(domain::Provider &provider,
                                            QMap<QString, QString> row = {});
    //! Requests whose "METHOD path" is like \a pattern.
    QList<json> asked(const char *pattern, const char *surface);

    test::FakeService m_fake;
    domain::InstallationId m_installation = domain::InstallationId::create();
};

void TestE2bProvider::initTestCase()
{
    if (!m_fake.start(s("e2b")))
        QSKIP(qPrintable(m_fake.why()));
}

void TestE2bProvider::init()
{
    QVERIFY(m_fake.setKnobs(R"({"faults":[],"clearRequests":true,"v2":true,"secondMs":1000,)"
                            R"("concurrency":20,"envdVersion":"0.6.13","transitionMs":0,)"
                            R"("deadlineError":false})"));
}

void TestE2bProvider::cleanup()
{
    m_fake.setKnobs(R"({"faults":[]})");
    const auto provider = make();
    const auto all = await(provider->list({}));
    if (!all)
        return;
    for (const domain::Instance &one : *all)
        await(provider->destroy(one.externalId, {}));
}

std::unique_ptr<e2b::E2bProvider> TestE2bProvider::make(QMap<QString, QString> values,
                                                        const QByteArray &key, bool confirmed)
{
    domain::ProviderSettings settings;
    settings.name = domain::ConfigName(s("e2b"));
    settings.values = {{s("api_url"), m_fake.url(s("api"))},
                       {s("sandbox_url"), m_fake.url(s("envd"))},
                       {s("proxy"), s("none")}};
    settings.values.insert(values);
    if (!key.isEmpty())
        settings.secrets = {{s("api_key"), domain::Secret(key)}};
    if (confirmed)
        settings.confirmedOrigins = {m_fake.url(s("api")), m_fake.url(s("envd"))};
    auto provider = std::make_unique<e2b::E2bProvider>(settings, m_installation);
    provider->core().retries.first = 50ms;
    return provider;
}

domain::CreateRequest TestE2bProvider::request(const char *alias) const
{
    domain::CreateRequest made;
    made.labels.installation = m_installation;
    made.labels.sandbox = domain::SandboxId::create();
    made.labels.lease = domain::LeaseId::create();
    made.labels.instance = domain::InstanceId::create();
    made.labels.agent = domain::AgentId(s("default"));
    made.labels.alias = s(alias);
    made.name = domain::sandboxName(m_installation, made.labels.agent, made.labels.alias);
    return made;
}

domain::Result<domain::Instance> TestE2bProvider::create(domain::Provider &provider,
                                                         QMap<QString, QString> row)
{
    domain::CreateRequest made = request("main");
    made.overrides = std::move(row);
    return await(provider.create(made, {}, {}));
}

QList<json> TestE2bProvider::asked(const char *pattern, const char *surface)
{
    const QRegularExpression like(s(pattern));
    QList<json> found;
    const json requests = m_fake.requests();
    for (const json &one : requests) {
        const QString line = QString::fromStdString(one["method"].get<std::string>() + " "
                                                    + one["target"].get<std::string>());
        if (one["surface"] == surface && like.match(line).hasMatch())
            found << one;
    }
    return found;
}

void TestE2bProvider::nothingIsSentUnconfirmed()
{
    const auto provider = make({}, kKey, false);
    BERTH_FAILS(await(provider->list({})), ErrorKind::Forbidden);
    BERTH_FAILS(create(*provider), ErrorKind::Forbidden);
    const auto report = await(provider->check({}, {}));
    BERTH_OK(report);
    QVERIFY(!report->ok && report->error->message.contains(m_fake.url(s("api"))));
    QCOMPARE(m_fake.requests().size(), std::size_t(0));
}

void TestE2bProvider::missingKeyNamesTheVariables()
{
    const auto provider = make({}, {});
    const auto made = create(*provider);
    BERTH_FAILS(made, ErrorKind::Unauthorized);
    QVERIFY(made.error().detail.contains(s("E2B_API_KEY")));
    QCOMPARE(provider->engineId(), QString());
    QCOMPARE(m_fake.requests().size(), std::size_t(0));
}

void TestE2bProvider::accountsAreToldApart()
{
    const QString mine = make()->engineId();
    const QString other = make({}, "e2b_" + QByteArray(40, '1'))->engineId();
    QVERIFY(!mine.isEmpty() && mine != other);
    QCOMPARE(make()->engineId(), mine);
    QVERIFY(!mine.toUtf8().contains(kKey.mid(4)));
}

void TestE2bProvider::checkSaysWhatIsWrong()
{
    const auto good = await(make()->check({}, {}));
    BERTH_OK(good);
    QVERIFY(good->ok);
    QStringList names;
    for (const domain::HealthStep &step : good->steps)
        names << step.name;
    QCOMPARE(names,
             (QStringList{s("Settings"), s("API key"), s("Address"), s("Key accepted"), s("List"),
                          s("Template base")}));
    const auto wrongKey = await(make({}, "e2b_" + QByteArray(40, '1'))->check({}, {}));
    QVERIFY(!wrongKey->ok);
    QCOMPARE(wrongKey->error->kind, ErrorKind::Unauthorized);
    QCOMPARE(wrongKey->steps.last().name, s("Key accepted"));
    QVERIFY(m_fake.setKnobs(R"({"blocked":true})"));
    const auto blocked = await(make()->check({}, {}));
    QVERIFY(m_fake.setKnobs(R"({"blocked":false})"));
    QCOMPARE(blocked->error->kind, ErrorKind::Forbidden);
    QVERIFY(blocked->steps.last().detail.contains(s("payment")));
}

void TestE2bProvider::headersOnTheRightSide()
{
    const auto provider = make();
    const auto made = create(*provider);
    BERTH_OK(made);
    const auto connection = await(provider->connect(made->externalId, {}));
    BERTH_OK(connection);
    QCOMPARE(test::run((*connection)->shell(), "echo hi").out, QByteArrayLiteral("hi\n"));
    for (const json &one : asked(".", "api")) {
        QVERIFY(!one["headers"].contains("x-access-token"));
        const std::string path = one["path"];
        if (path != "/health")
            QCOMPARE(one["headers"].value("x-api-key", ""), kKey.toStdString());
    }
    const QList<json> data = asked(".", "envd");
    QVERIFY(!data.isEmpty());
    for (const json &one : data) {
        const json &headers = one["headers"];
        QVERIFY(!headers.contains("x-api-key"));
        QVERIFY(headers.contains("x-access-token"));
        QCOMPARE(headers.value("e2b-sandbox-id", ""), made->externalId.toString().toStdString());
        QCOMPARE(headers.value("e2b-sandbox-port", ""), std::string("49983"));
        // Else the proxy would answer a page.
        QVERIFY(!QString::fromStdString(headers.value("user-agent", "")).contains(s("Mozilla")));
        QVERIFY(QString::fromStdString(one.dump()).indexOf(QString::fromUtf8(kKey)) < 0);
    }
    const QList<json> starts = asked("POST /process.Process/Start", "envd");
    QCOMPARE(starts.size(), 1);
    QCOMPARE(starts.first()["headers"].value("connect-protocol-version", ""), std::string("1"));
    QCOMPARE(starts.first()["headers"].value("keepalive-ping-interval", ""), std::string("50"));
    QVERIFY(!starts.first()["headers"].contains("connect-accept-encoding"));
}

void TestE2bProvider::olderServerIsRemembered()
{
    QVERIFY(m_fake.setKnobs(R"({"v2":false})"));
    const auto provider = make();
    const auto made = create(*provider);
    BERTH_OK(made);
    BERTH_OK(await(provider->resume(made->externalId, {})));
    QCOMPARE(asked("POST /v2/sandboxes", "api").size(), 1);
    const QList<json> old = asked("POST /sandboxes$", "api");
    QCOMPARE(old.size(), 1);
    QVERIFY(old.first()["json"]["secure"].get<bool>());
    QCOMPARE(old.first()["json"]["timeout"].get<int>(), 300);
    const auto second = create(*provider);
    BERTH_OK(second);
    QCOMPARE(asked("POST /v2/sandboxes", "api").size(), 1);
    QCOMPARE(asked("POST /sandboxes/\\w+/connect", "api").size(), 1);
    // A template that does not exist is no older server.
    QVERIFY(m_fake.setKnobs(R"({"v2":true,"clearRequests":true})"));
    const auto wrong = make({{s("template"), s("nothing")}});
    BERTH_FAILS(create(*wrong), ErrorKind::InvalidInput);
    QCOMPARE(asked("POST /sandboxes$", "api").size(), 0);
}

void TestE2bProvider::metadataTellsWhoseItIs()
{
    const auto provider = make();
    const domain::CreateRequest wanted = request("main");
    const auto made = await(provider->create(wanted, {}, {}));
    BERTH_OK(made);
    const json body = asked("POST /v2/sandboxes$", "api").first()["json"];
    const QMap<QString, QString> labels = wanted.labels.toMap();
    for (auto it = labels.begin(); it != labels.end(); ++it)
        QCOMPARE(
            QString::fromStdString(body["metadata"][it.key().toStdString()].get<std::string>()),
            it.value());
    QVERIFY(body["autoPause"].get<bool>());
    QCOMPARE(body["timeout"].get<int>(), 300);
    // Another installation's is not acted upon.
    domain::CreateRequest foreign = request("main");
    foreign.labels.installation = domain::InstallationId::create();
    const auto theirs = await(provider->create(foreign, {}, {}));
    BERTH_OK(theirs);
    for (const auto &result : {await(provider->pause(theirs->externalId, {})),
                               await(provider->resume(theirs->externalId, {})),
                               await(provider->destroy(theirs->externalId, {}))})
        BERTH_FAILS(result, ErrorKind::Forbidden);
    BERTH_OK(await(provider->inspect(theirs->externalId, {})));
}

void TestE2bProvider::unknownTemplateAndQuota()
{
    const auto wrong = make({{s("template"), s("nothing")}});
    const auto refused = create(*wrong);
    BERTH_FAILS(refused, ErrorKind::InvalidInput);
    QVERIFY(refused.error().message.contains(s("nothing")));
    QVERIFY(m_fake.setKnobs(R"({"concurrency":0})"));
    const auto full = create(*make());
    BERTH_FAILS(full, ErrorKind::Quota);
    QVERIFY(m_fake.setKnobs(R"({"concurrency":20})"));
    // Asked for fewer calls with a time: it waits and asks again.
    QVERIFY(m_fake.setKnobs(R"({"addFaults":[{"match":"POST /v2/sandboxes$","status":429,)"
                            R"("headers":{"Retry-After":"1"},"times":1}]})"));
    BERTH_OK(create(*make()));
    // A directory of this computer cannot be in a cloud.
    domain::CreateRequest local = request("main");
    local.workspace = s("/home/me");
    BERTH_FAILS(await(make()->create(local, {}, {})), ErrorKind::InvalidInput);
}

void TestE2bProvider::whichMissingIsGone()
{
    const auto provider = make();
    const auto made = create(*provider);
    BERTH_OK(made);
    // A 404 about one that the list still has is no end.
    const QByteArray missing =
        "{\"addFaults\":[{\"match\":\"/sandboxes/i\\\\w+\",\"status\":404,\"body\":{\"code\":404,"
        "\"message\":\"Sandbox does not exist or you have no access to it\"}}]}";
    QVERIFY(m_fake.setKnobs(missing));
    BERTH_FAILS(await(provider->inspect(made->externalId, {})), ErrorKind::Unavailable);
    BERTH_FAILS(await(provider->destroy(made->externalId, {})), ErrorKind::Unavailable);
    // Nor is one while the list has no answer.
    QVERIFY(m_fake.setKnobs(R"({"addFaults":[{"match":"GET /v2/sandboxes","status":500}]})"));
    BERTH_FAILS(await(provider->inspect(made->externalId, {})), ErrorKind::Unavailable);
    QVERIFY(m_fake.setKnobs(R"({"faults":[]})"));
    BERTH_OK(await(provider->inspect(made->externalId, {})));
    BERTH_OK(await(provider->destroy(made->externalId, {})));
    BERTH_FAILS(await(provider->inspect(made->externalId, {})), ErrorKind::NotFound);
}

void TestE2bProvider::pausedMeanwhile()
{
    const auto provider = make();
    const auto made = create(*provider);
    BERTH_OK(made);
    // 409 because somebody else paused it.
    QVERIFY(m_fake.setKnobs(R"({"transitionMs":400})"));
    const auto other = make();
    const auto first = std::make_shared<test::detail::Landing<domain::Result<void>>>();
    test::detail::land(other->pause(made->externalId, {}), first);
    test::spin(150ms);
    BERTH_OK(await(provider->pause(made->externalId, {})));
    QVERIFY(test::waitUntil([&first] { return first->value.has_value(); }));
    BERTH_OK(*first->value);
    // A resume that meets a pause waits for it.
    BERTH_OK(await(provider->resume(made->externalId, {})));
    test::detail::land(other->pause(made->externalId, {}), first);
    test::spin(150ms);
    BERTH_OK(await(provider->resume(made->externalId, {})));
    QCOMPARE(await(provider->inspect(made->externalId, {}))->state, ObservedState::Running);
    // The wanted body, and how long it lives.
    for (const json &one : asked("POST /v2/sandboxes/\\w+/connect", "api"))
        QCOMPARE(one["json"].dump(), std::string(R"({"timeout":300})"));
}

void TestE2bProvider::lifeIsExtendedWhileACommandRuns()
{
    // Fifteen seconds of it last one and a half.
    QVERIFY(m_fake.setKnobs(R"({"secondMs":100})"));
    const auto provider = make({{s("timeout"), s("15")}});
    provider->core().extendEvery = 500ms;
    const auto made = create(*provider);
    BERTH_OK(made);
    const auto connection = await(provider->connect(made->externalId, {}));
    BERTH_OK(connection);
    const test::Finished finished = test::run((*connection)->shell(), "sleep 4; echo lived");
    QVERIFY2(finished.out == "lived\n", test::told(finished).constData());
    QVERIFY(asked("POST /sandboxes/\\w+/refreshes", "api").size() >= 3);
    // Nothing runs: looking at it does not make it live on.
    for (int i = 0; i < 8; ++i) {
        BERTH_OK(await(provider->list({})));
        BERTH_OK(await(provider->metrics(made->externalId, {})));
        test::spin(300ms);
    }
    QCOMPARE(await(provider->inspect(made->externalId, {}))->state, ObservedState::Paused);
}

void TestE2bProvider::endOfLifePausesAndIsNoted()
{
    QVERIFY(m_fake.setKnobs(R"({"secondMs":50})"));
    const auto provider = make({{s("timeout"), s("15")}});
    provider->core().extendEvery = 60s;
    const auto made = create(*provider);
    BERTH_OK(made);
    const auto connection = await(provider->connect(made->externalId, {}));
    BERTH_OK(connection);
    domain::CommandSpec spec = test::shellCommand("cd /tmp; sleep 3; exit 5");
    spec.background = true;
    spec.tag = "outlives";
    const auto run = test::start((*connection)->shell(), spec);
    QVERIFY(run);
    QVERIFY(run->waitForEnd(10s));
    QCOMPARE(run->outcome().kind, domain::OutcomeKind::TransportLost);
    QVERIFY2(run->outcome().detail.contains(s("time was over")), qPrintable(run->outcome().detail));
    QVERIFY(!(*connection)->isOpen());
    QCOMPARE(await(provider->inspect(made->externalId, {}))->state, ObservedState::Paused);
    QVERIFY(m_fake.setKnobs(R"({"secondMs":1000})"));
    BERTH_OK(await(provider->resume(made->externalId, {})));
    const auto again = await(provider->connect(made->externalId, {}));
    BERTH_OK(again);
    // It was frozen, and its end is kept.
    std::optional<domain::Job> job;
    QVERIFY(test::waitUntil(
        [&] {
            const auto jobs = await((*again)->shell().jobs({}));
            job = jobs && jobs->size() == 1 ? std::optional(jobs->first()) : std::nullopt;
            return job && job->ended;
        },
        15s));
    QCOMPARE(job->tag, QByteArrayLiteral("outlives"));
    const auto late = await((*again)->shell().attach(job->id, 0, 0, {}));
    BERTH_OK(late);
    test::CommandRun end(*late);
    QVERIFY(end.waitForEnd(5s));
    QCOMPARE(end.outcome().code, 5);
}

void TestE2bProvider::olderSandboxes()
{
    QVERIFY(m_fake.setKnobs(R"({"envdVersion":"0.3.9"})"));
    const auto provider = make();
    const auto made = create(*provider);
    BERTH_OK(made);
    const auto connection = await(provider->connect(made->externalId, {}));
    BERTH_OK(connection);
    QCOMPARE(test::run((*connection)->shell(), "id -un").out, QByteArrayLiteral("user\n"));
    // No default user before 0.4.0.
    QCOMPARE(asked("Process/Start", "envd").first()["headers"].value("authorization", ""),
             "Basic " + QByteArray("user:").toBase64().toStdString());
    domain::CommandSpec spec = test::shellCommand("cat");
    spec.openInput = true;
    BERTH_FAILS(await((*connection)->shell().start(spec, {})), ErrorKind::Unsupported);
    // No plain upload before 0.5.7.
    const QByteArray large(700'000, 'x');
    BERTH_OK(await((*connection)->fs().write("/home/user/large", large, {})));
    const QList<json> uploads = asked("POST /files\\?", "envd");
    QCOMPARE(uploads.size(), 1);
    QVERIFY(uploads.first()["headers"].value("content-type", "").find("multipart/form-data") == 0);
    QCOMPARE(await((*connection)->fs().read("/home/user/large", 0, 1'000'000, {})).value(), large);
}

void TestE2bProvider::largeFilesGoNatively()
{
    const auto provider = make();
    const auto made = create(*provider);
    BERTH_OK(made);
    const auto connection = await(provider->connect(made->externalId, {}));
    BERTH_OK(connection);
    domain::FileSystem &fs = (*connection)->fs();
    QByteArray bytes(3'000'000, Qt::Uninitialized);
    QRandomGenerator generator(7);
    for (char &byte : bytes)
        byte = char(generator.bounded(256));
    const QByteArray path = "/home/user/a/h\xc3\xa9 & 100%";
    BERTH_OK(await(fs.write(path, bytes, {})));
    const QList<json> uploads = asked("POST /files\\?", "envd");
    QCOMPARE(uploads.size(), 1);
    QCOMPARE(uploads.first()["headers"].value("content-type", ""),
             std::string("application/octet-stream"));
    QCOMPARE(asked("POST /filesystem.Filesystem/Move", "envd").size(), 1);
    const auto back = await(fs.read(path, 100'000, 2'000'000, {}));
    BERTH_OK(back);
    QVERIFY(*back == bytes.mid(100'000, 2'000'000));
    const QList<json> downloads = asked("GET /files", "envd");
    QCOMPARE(downloads.size(), 1);
    QCOMPARE(downloads.first()["headers"].value("accept-encoding", ""), std::string("identity"));
    QCOMPARE(downloads.first()["headers"].value("range", ""), std::string("bytes=100000-2099999"));
    BERTH_OK(await(fs.read(path, 5'000'000, 1'000'000, {})));
    // Whoever may not read it does not by the service's own rights either.
    QCOMPARE(test::run((*connection)->shell(), "chmod 000 a/h*; mkdir -p shut; chmod 500 shut")
                 .outcome.code,
             0);
    if (test::run((*connection)->shell(), "cat a/h* >/dev/null").outcome.code != 0) {
        BERTH_FAILS(await(fs.read(path, 0, 1'000'000, {})), ErrorKind::Forbidden);
        BERTH_FAILS(await(fs.write("/home/user/shut/x", bytes, {})), ErrorKind::Forbidden);
    }
    BERTH_FAILS(await(fs.read("/home/user/none", 0, 1'000'000, {})), ErrorKind::NotFound);
    BERTH_FAILS(await(fs.write("/home/user/a", bytes, {})), ErrorKind::InvalidInput);
    // A failed upload leaves nothing.
    QVERIFY(m_fake.setKnobs(R"({"addFaults":[{"match":"POST /files\\?","status":507}]})"));
    BERTH_FAILS(await(fs.write("/home/user/b/file", bytes, {})), ErrorKind::Storage);
    QCOMPARE(test::run((*connection)->shell(), "ls -A b").out, QByteArray());
}

void TestE2bProvider::deadlineOfTheService()
{
    QVERIFY(m_fake.setKnobs(R"({"deadlineError":true})"));
    const auto provider = make();
    provider->core().pace.margin = 300ms;
    const auto made = create(*provider);
    BERTH_OK(made);
    const auto connection = await(provider->connect(made->externalId, {}));
    BERTH_OK(connection);
    domain::CommandSpec spec = test::shellCommand("printf partial; sleep 5");
    spec.timeout = 700ms;
    const test::Finished finished = test::run((*connection)->shell(), spec);
    QVERIFY2(finished.outcome.kind == domain::OutcomeKind::TimedOut,
             test::told(finished).constData());
    QCOMPARE(finished.out, QByteArrayLiteral("partial"));
    QVERIFY(asked("Process/Start", "envd").first()["headers"].value("connect-timeout-ms", "")
            == "1000");
}

void TestE2bProvider::largeCommand()
{
    const auto provider = make();
    const auto made = create(*provider);
    BERTH_OK(made);
    const auto connection = await(provider->connect(made->externalId, {}));
    BERTH_OK(connection);
    // As one argument it fits, as text within a script it does not.
    const QByteArray text = "true " + QByteArray(60'000, '\'') + "\necho done; ls -A /tmp";
    const test::Finished finished = test::run((*connection)->shell(), text);
    QVERIFY2(finished.out.startsWith("done\n"), test::told(finished).constData());
    QVERIFY2(!finished.out.contains(".sh"), finished.out.constData());
    const auto tooLarge =
        await((*connection)->shell().start(test::shellCommand(QByteArray(300'000, 'x')), {}));
    BERTH_FAILS(tooLarge, ErrorKind::InvalidInput);
    // A directory that the template does not have.
    const auto elsewhere = create(*provider, {{s("agent_home"), s("/srv/my place")}});
    BERTH_OK(elsewhere);
    const auto there = await(provider->connect(elsewhere->externalId, {}));
    BERTH_OK(there);
    QCOMPARE((*there)->homeDirectory(), QByteArrayLiteral("/srv/my place"));
    QCOMPARE(test::run((*there)->shell(), "pwd; touch here && echo mine").out,
             QByteArrayLiteral("/srv/my place\nmine\n"));
}

void TestE2bProvider::killedAtTheEnd()
{
    const auto provider = make({{s("on_exit"), s("destroy")}});
    const auto made = create(*provider);
    BERTH_OK(made);
    QVERIFY(!asked("POST /v2/sandboxes$", "api").first()["json"]["autoPause"].get<bool>());
    QCOMPARE(await(provider->inspect(made->externalId, {}))->stateDetail, QString());
}

QTEST_GUILESS_MAIN(TestE2bProvider)

#include "test_e2b_provider.moc"
