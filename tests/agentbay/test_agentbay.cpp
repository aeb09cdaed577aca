// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/agentbay/agentbay_kind.h"
#include "providers/agentbay/provider.h"
#include "providers/agentbay/run.h"
#include "support/command_run.h"
#include "support/fake_service.h"

#include <QtCore/QFile>
#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace std::chrono_literals;

namespace berth::agentbay {

using domain::Capability;
using domain::ErrorKind;
using domain::ObservedState;
using domain::OutcomeKind;
using json = nlohmann::json;
using test::await;
using test::told;

namespace {

const QByteArray kKey = "akm-" + QByteArray(36, '0');

struct Recording
{
    QByteArray rawBody;
    net::HttpResponse response;
};

//! Of the service's official SDK against a server that speaks as the service does.
Recording recorded(const char *number)
{
    QFile file(QStringLiteral(BERTH_RECORDINGS));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no recordings");
    const json all = json::parse(file.readAll().toStdString());
    for (const json &one : all) {
        if (one["name"].get<std::string>().rfind(number, 0) != 0)
            continue;
        Recording made;
        made.rawBody = QByteArray::fromStdString(one["rawBody"].get<std::string>());
        made.response.head.status = one["status"].get<int>();
        for (const auto &[key, value] : one["headers"].items())
            made.response.head.headers.append(QByteArray::fromStdString(key),
                                              QByteArray::fromStdString(value.get<std::string>()));
        made.response.body = QByteArray::fromStdString(one["body"].dump());
        return made;
    }
    qFatal("no recording %s", number);
}

domain::Result<Answer> answer(const char *number)
{
    return decodeAnswer(recorded(number).response, QStringLiteral("It"));
}

net::HttpResponse response(int status, const QByteArray &body)
{
    net::HttpResponse made;
    made.head.status = status;
    made.body = body;
    return made;
}

} // namespace

//! What AgentBay says, as its SDK's recordings have it, and what is made of it against the fake.
class TestAgentBay : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void formIsTheSdks_data();
    void formIsTheSdks();
    void answersAreRead();
    void failuresOfBothLevels();
    void otherAnswers();
    void shellAnswers();
    void looks();
    void settings();
    void keysAndOrigins();

    void initTestCase();
    void cleanup() { m_fake.setKnobs(R"({"faults":[],"noPause":false,"toolBytes":0})"); }
    void keyIsInNoAddress();
    void planWithoutPause();
    void filesOfAContextOutlive();
    void cutOutputArrivesAllTheSame();
    void filesGoInSmallPieces();
    void longCommandsAndEnvironments();
    void lostStartIsNotRepeated();
    void troubleWhileItRuns();

private:
    std::unique_ptr<AgentBayProvider> provider(const QMap<QString, QString> &more = {});
    std::shared_ptr<domain::SandboxConnection> opened(AgentBayProvider &by);
    [[nodiscard]] static domain::CreateRequest request(const AgentBayProvider &by);

    test::FakeService m_fake;
};

void TestAgentBay::formIsTheSdks_data()
{
    QTest::addColumn<QByteArray>("number");
    for (const char *number : {"001", "005", "012", "013", "024", "026"})
        QTest::newRow(number) << QByteArray(number);
}

void TestAgentBay::formIsTheSdks()
{
    QFETCH(QByteArray, number);
    const QByteArray body = recorded(number.constData()).rawBody;
    QList<std::pair<QByteArray, QByteArray>> fields;
    for (const QByteArray &pair : body.split('&')) {
        const qsizetype equals = pair.indexOf('=');
        fields.append({QByteArray::fromPercentEncoding(pair.left(equals)),
                       QByteArray::fromPercentEncoding(pair.mid(equals + 1))});
    }
    QVERIFY(fields.size() > 1);
    QCOMPARE(formBody(fields), body);
}

void TestAgentBay::answersAreRead()
{
    QCOMPARE(*decodeContextId(*answer("001")), QStringLiteral("SdkCtx-vxzrbsoqkuczkzsxvw"));
    QCOMPARE(decodeCreated(*answer("005"))->left(2), QStringLiteral("s-"));
    const auto list = decodeSessions(*answer("012"));
    BERTH_OK(list);
    QCOMPARE(list->sessions.size(), 2);
    QCOMPARE(list->sessions[0].id, QStringLiteral("s-tjryjlzz1zjkx0k1oq"));
    QCOMPARE(stateOf(list->sessions[0].status), ObservedState::Running);
    QCOMPARE(list->next, QByteArray());
    QCOMPARE(decodeSessions(*answer("014"))->next, QByteArrayLiteral("MQ"));
    QCOMPARE(stateOf(*decodeStatus(*answer("016"))), ObservedState::Running);
    QCOMPARE(stateOf(*decodeStatus(*answer("056"))), ObservedState::Stopping);
    QCOMPARE(*decodeLabels(*answer("021")),
             (QMap<QString, QString>{{QStringLiteral("app"), QStringLiteral("demo")},
                                     {QStringLiteral("v"), QStringLiteral("2")}}));
    const auto context = decodeContextState(*answer("052"));
    BERTH_OK(context);
    QVERIFY(context->isDone && context->problem.isEmpty());
    BERTH_OK(answer("055")); // without Data
    BERTH_OK(answer("073"));
    QCOMPARE(stateOf(QStringLiteral("paused")), ObservedState::Paused);
    QCOMPARE(stateOf(QStringLiteral("HIBERNATING")), ObservedState::Unknown);
    QVERIFY(isGone(QStringLiteral("FINISH")) && !isGone(QStringLiteral("DELETING")));
}

void TestAgentBay::failuresOfBothLevels()
{
    const QList<std::pair<const char *, ErrorKind>> cases{
        {"008", ErrorKind::InvalidInput}, {"009", ErrorKind::Unauthorized},
        {"010", ErrorKind::Unavailable},  {"011", ErrorKind::RateLimited},
        {"017", ErrorKind::NotFound},     {"059", ErrorKind::Conflict},
        {"066", ErrorKind::Unsupported},  {"077", ErrorKind::NotFound}};
    for (const auto &[number, kind] : cases) {
        const auto failed = answer(number);
        QVERIFY2(!failed && failed.error().kind == kind, (number + told(failed)).constData());
    }
    QVERIFY(answer("010").error().detail.contains(QLatin1String("no resource available")));
    QVERIFY(answer("017").error().detail.startsWith(QLatin1String("[InvalidMcpSession.NotFound]")));
    QVERIFY(answer("011").error().retryAfter.has_value());
}

void TestAgentBay::otherAnswers()
{
    const auto kindOf = [](const net::HttpResponse &one, bool mustSay = false) {
        const auto made = decodeAnswer(one, QStringLiteral("It"), mustSay);
        return made ? QStringLiteral("success") : domain::wireName(made.error().kind);
    };
    const QString protocol = QStringLiteral("protocol");
    QCOMPARE(kindOf(response(200, "")), protocol);
    QCOMPARE(kindOf(response(200, "[]")), protocol);
    QCOMPARE(kindOf(response(200, "{\"Data\":")), protocol);
    QCOMPARE(kindOf(response(200, "{}")), QStringLiteral("success"));
    QCOMPARE(kindOf(response(200, "{}"), true), QStringLiteral("unavailable"));
    QCOMPARE(kindOf(response(200, R"({"Success":false,"Code":"Nothing.Known"})")),
             QStringLiteral("unavailable"));
    // Not the service's word that a session does not exist.
    QCOMPARE(kindOf(response(404, "<html>Not Found</html>")), QStringLiteral("unavailable"));
    QCOMPARE(kindOf(response(404, R"({"Code":"InvalidAction.NotFound"})")),
             QStringLiteral("unsupported"));
    QCOMPARE(kindOf(response(403, "{}")), QStringLiteral("forbidden"));
    QCOMPARE(kindOf(response(503, "{}")), QStringLiteral("unavailable"));
    net::HttpResponse later = response(400, R"({"Code":"Throttling.Api"})");
    later.head.headers.append("x-acs-retry-after", "2500");
    const auto limited = decodeAnswer(later, QStringLiteral("It"));
    QCOMPARE(limited.error().retryAfter, std::optional(3s));
    // Bodies that do not fit what is asked for.
    for (const char *data : {"null", "5", "{}", "[{}]", "[5]", "\"x\""}) {
        const auto odd = decodeAnswer(response(200, QByteArray("{\"Data\":") + data + '}'), {});
        BERTH_OK(odd);
        QVERIFY(!decodeCreated(*odd) && !decodeContextId(*odd) && !decodeShell(*odd));
        decodeSessions(*odd);
        decodeLabels(*odd);
        decodeContextState(*odd);
    }
}

void TestAgentBay::shellAnswers()
{
    auto result = decodeShell(*answer("024"));
    BERTH_OK(result);
    QCOMPARE(result->code, 0);
    QCOMPARE(result->out, QByteArrayLiteral("hi\n"));
    QCOMPARE(result->err, QByteArrayLiteral("err\n"));
    result = decodeShell(*answer("026")); // isError, but only the command's own failure
    BERTH_OK(result);
    QCOMPARE(result->code, 3);
    QCOMPARE(result->out, QByteArrayLiteral("x\n"));
    result = decodeShell(*answer("027")); // the old form
    BERTH_OK(result);
    QCOMPARE(result->code, -1);
    BERTH_FAILS(decodeShell(*answer("051")), ErrorKind::Unavailable);
    const auto text = [](const char *said, bool failed) {
        const json body{{"Data",
                         {{"content", json::array({{{"type", "text"}, {"text", said}}})},
                          {"isError", failed}}}};
        return decodeShell(
            *decodeAnswer(response(200, QByteArray::fromStdString(body.dump())), {}));
    };
    QCOMPARE(text("plain", false)->out, QByteArrayLiteral("plain"));
    QCOMPARE(text(R"({"stdout":"","stderr":"e","errorCode":7})", true)->code, 7);
    // Without a code it is not known to have been 0.
    BERTH_FAILS(text(R"({"stdout":"x"})", false), ErrorKind::Protocol);
}

void TestAgentBay::looks()
{
    const std::array<qint64, 2> wanted{10, 0};
    Readings at;
    at[0] = {2, 5, false};
    const auto look = readLook("o 1 YWJj\n;\n=\n", at, wanted);
    BERTH_OK(look);
    QCOMPARE(look->bytes[0], QByteArrayLiteral("abc"));
    QCOMPARE(look->next[0].segment, 3);
    QCOMPARE(look->next[0].offset, 0);
    QCOMPARE(readLook("o 0 YWJ\nj\n;\n=", at, wanted)->next[0].offset, 8);
    QVERIFY(readLook("o 2 ;\n=", at, wanted)->next[0].isOver);
    // As much as was wanted: there may be more in the same file.
    QCOMPARE(readLook("o 1 MDEyMzQ1Njc4OQ==\n;\n=", at, wanted)->next[0].segment, 2);
    QVERIFY(readLook("gone\n", at, wanted)->isGone);
    for (const char *cut : {"", "o 1 YWJ", "o 1 YWJj\n;", "o 1 YWJj\n=", "=",
                            "o;\n=", "o 1 %%%%;\n=", "o 1 MDEyMzQ1Njc4OTEyMzQ=;\n="})
        BERTH_FAILS(readLook(cut, at, wanted), ErrorKind::Protocol);
}

void TestAgentBay::settings()
{
    const auto where = [](const char *key, const char *value) {
        return endpoint({{QLatin1String(key), QLatin1String(value)}});
    };
    QCOMPARE(endpoint({})->gateway, QStringLiteral("https://wuyingai.ap-southeast-1.aliyuncs.com"));
    QCOMPARE(where("region_id", "cn-hangzhou")->gateway,
             QStringLiteral("https://wuyingai.cn-shanghai.aliyuncs.com"));
    QCOMPARE(where("endpoint", "agentbay.example.com/")->gateway,
             QStringLiteral("https://agentbay.example.com"));
    for (const char *bad : {"http://example.com", "https://u:p@example.com", "ftp://x", "https://",
                            "https://example.com/path"})
        BERTH_FAILS(where("endpoint", bad), ErrorKind::InvalidInput);
    BERTH_OK(where("endpoint", "http://127.0.0.1:8080"));
    QCOMPARE(sandboxSettings({}, {})->home, QByteArrayLiteral("/home/wuying"));
    BERTH_FAILS(sandboxSettings({}, {{QStringLiteral("endpoint"), QStringLiteral("x")}}),
                ErrorKind::InvalidInput);
    BERTH_FAILS(sandboxSettings({{QStringLiteral("context_path"), QStringLiteral("/a/../b")}}, {}),
                ErrorKind::InvalidInput);
    QVERIFY(secretOrigins({}).first().isKnown);
    QVERIFY(!secretOrigins({{QStringLiteral("endpoint"), QStringLiteral("x.example.com")}})
                 .first()
                 .isKnown);
    const auto kind = makeAgentBayKind();
    for (const char *key : {"api_key", "region_id", "context_path", "image_id", "endpoint",
                            "supports_pause", "supports_resume", "on_exit", "init_commands"})
        QVERIFY2(kind->schema().field(QLatin1String(key)), key);
    QCOMPARE(kind->schema().facts.consoleUrl,
             QStringLiteral("https://agentbay.console.aliyun.com/overview"));
}

void TestAgentBay::keysAndOrigins()
{
    domain::ProviderSettings settings;
    settings.values = {{QStringLiteral("endpoint"), QStringLiteral("gateway.example.com")}};
    AgentBayProvider without(settings, domain::InstallationId::create());
    const auto noKey = await(without.list({}));
    BERTH_FAILS(noKey, ErrorKind::Unauthorized);
    QVERIFY(noKey.error().detail.contains(QLatin1String("AGENTBAY_API_KEY")));
    settings.secrets = {{QStringLiteral("api_key"), domain::Secret(kKey)}};
    AgentBayProvider unconfirmed(settings, domain::InstallationId::create());
    BERTH_FAILS(await(unconfirmed.list({})), ErrorKind::Forbidden);
    QVERIFY(!unconfirmed.engineId().contains(QString::fromLatin1(kKey)));
}

void TestAgentBay::initTestCase()
{
    QVERIFY2(m_fake.start(QStringLiteral("agentbay")), qPrintable(m_fake.why()));
}

std::unique_ptr<AgentBayProvider> TestAgentBay::provider(const QMap<QString, QString> &more)
{
    domain::ProviderSettings settings;
    settings.values = more;
    settings.values.insert(QStringLiteral("endpoint"), m_fake.url(QStringLiteral("api")));
    settings.values.insert(QStringLiteral("proxy"), QStringLiteral("none"));
    settings.secrets = {{QStringLiteral("api_key"), domain::Secret(kKey)}};
    settings.confirmedOrigins = {m_fake.url(QStringLiteral("api"))};
    auto made = std::make_unique<AgentBayProvider>(settings, domain::InstallationId::create());
    made->core().pace.look = 50ms;
    made->core().slow = 3s;
    made->core().retries.first = 50ms;
    return made;
}

domain::CreateRequest TestAgentBay::request(const AgentBayProvider &by)
{
    domain::CreateRequest made;
    made.labels.installation = by.core().installation;
    made.labels.instance = domain::InstanceId::create();
    made.name = QStringLiteral("one");
    return made;
}

std::shared_ptr<domain::SandboxConnection> TestAgentBay::opened(AgentBayProvider &by)
{
    const auto created = await(by.create(request(by), {}, {}));
    if (!created) {
        qWarning("%s", told(created).constData());
        return nullptr;
    }
    const auto connection = await(by.connect(created->externalId, {}));
    return connection ? *connection : nullptr;
}

void TestAgentBay::keyIsInNoAddress()
{
    const auto by = provider();
    const auto connection = opened(*by);
    QVERIFY(connection);
    QCOMPARE(test::run(connection->shell(), "echo hi").out, QByteArrayLiteral("hi\n"));
    const json asked = m_fake.requests();
    QVERIFY(asked.size() > 4);
    for (const json &one : asked) {
        QVERIFY(one["target"].get<std::string>().find("akm-") == std::string::npos);
        QCOMPARE(QByteArray::fromStdString(one["headers"]["content-type"].get<std::string>()),
                 QByteArrayLiteral("application/x-www-form-urlencoded"));
    }
}

void TestAgentBay::planWithoutPause()
{
    const auto by = provider();
    const auto created = await(by->create(request(*by), {}, {}));
    BERTH_OK(created);
    QVERIFY(by->capabilities().has(Capability::Pause));
    QVERIFY(m_fake.setKnobs(R"({"noPause":true})"));
    const auto paused = await(by->pause(created->externalId, {}));
    BERTH_FAILS(paused, ErrorKind::Unsupported);
    QVERIFY(!by->capabilities().has(Capability::Pause));
    QVERIFY(by->capabilities().reasonAgainst(Capability::Resume).contains(QLatin1String("plan")));
    QCOMPARE(await(by->inspect(created->externalId, {}))->state, ObservedState::Running);
    const auto off = provider({{QStringLiteral("supports_pause"), QStringLiteral("false")}});
    QVERIFY(!off->capabilities().has(Capability::Pause));
    QVERIFY(off->capabilities().has(Capability::Resume));
}

void TestAgentBay::filesOfAContextOutlive()
{
    QVERIFY(m_fake.setKnobs(R"({"contextMs":300})"));
    const auto by = provider({{QStringLiteral("context"), QStringLiteral("kept")},
                              {QStringLiteral("context_path"), QStringLiteral("/data")}});
    for (const char *expected : {"", "before\n"}) {
        const auto created = await(by->create(request(*by), {}, {}));
        BERTH_OK(created);
        const auto connection = await(by->connect(created->externalId, {}));
        BERTH_OK(connection);
        QCOMPARE((*connection)->homeDirectory(), QByteArrayLiteral("/data"));
        QCOMPARE(test::run((*connection)->shell(), "cat file 2>/dev/null; echo before >file").out,
                 QByteArray(expected));
        BERTH_OK(await(by->destroy(created->externalId, {})));
    }
}

void TestAgentBay::cutOutputArrivesAllTheSame()
{
    const auto by = provider();
    const auto connection = opened(*by);
    QVERIFY(connection);
    // Less than is asked for at first.
    QVERIFY(m_fake.setKnobs(R"({"toolBytes":50000})"));
    const test::Finished finished =
        test::run(connection->shell(), "head -c 300000 /dev/zero | tr '\\0' x; echo e >&2");
    QCOMPARE(finished.outcome.kind, OutcomeKind::Exited);
    QVERIFY(finished.out == QByteArray(300'000, 'x'));
    QCOMPARE(finished.err, QByteArrayLiteral("e\n"));
}

void TestAgentBay::filesGoInSmallPieces()
{
    const auto by = provider();
    const auto connection = opened(*by);
    QVERIFY(connection);
    QVERIFY(m_fake.setKnobs(R"({"clearRequests":true})"));
    QByteArray bytes;
    for (int i = 0; i < 200'000; ++i)
        bytes += static_cast<char>(i * 7 + i / 251);
    BERTH_OK(await(connection->fs().write("/home/wuying/file", bytes, {})));
    const auto back = await(connection->fs().read("/home/wuying/file", 0, 1'000'000, {}));
    BERTH_OK(back);
    QVERIFY(*back == bytes);
    for (const json &one : m_fake.requests()) {
        const QByteArray form = QByteArray::fromStdString(one["text"].get<std::string>());
        QVERIFY(QByteArray::fromPercentEncoding(form).size() < 64 * 1024);
    }
}

void TestAgentBay::longCommandsAndEnvironments()
{
    const auto by = provider();
    const auto connection = opened(*by);
    QVERIFY(connection);
    domain::CommandSpec spec =
        test::shellCommand("printf %s \"${#LONG}\" # " + QByteArray(60'000, 'x'));
    spec.environment = {{"LONG", QByteArray(90'000, '\xff')}};
    const test::Finished finished = test::run(connection->shell(), spec);
    QVERIFY2(finished.outcome.kind == OutcomeKind::Exited, told(finished).constData());
    QCOMPARE(finished.out, QByteArrayLiteral("90000"));
    // Only the files of the one that looks.
    QVERIFY(test::waitUntil(
        [&connection] {
            return test::run(connection->shell(), "ls -A /tmp | grep -c berth-").out == "1\n";
        },
        5s));
}

void TestAgentBay::lostStartIsNotRepeated()
{
    const auto by = provider();
    const auto connection = opened(*by);
    QVERIFY(connection);
    QVERIFY(m_fake.setKnobs(R"({"faults":[{"match":"CallMcpTool","loseAnswer":true,"times":1}]})"));
    const auto started = await(
        connection->shell().start(test::shellCommand("sleep 1; echo ran >>/home/wuying/ran"), {}));
    BERTH_FAILS(started, ErrorKind::Unavailable);
    test::spin(2500ms);
    QCOMPARE(test::run(connection->shell(), "cat ran 2>/dev/null").out, QByteArray());
}

void TestAgentBay::troubleWhileItRuns()
{
    const auto by = provider();
    const auto connection = opened(*by);
    QVERIFY(connection);
    const auto command =
        test::start(connection->shell(), test::shellCommand("echo up; sleep 2; echo end; exit 3"));
    QVERIFY(command && command->waitForOutput("up\n"));
    QVERIFY(m_fake.setKnobs(R"({"faults":[{"match":"CallMcpTool","status":503,"times":1},)"
                            R"({"match":"CallMcpTool","reset":true,"times":1},)"
                            R"({"match":"CallMcpTool","status":429,"times":1},)"
                            R"({"match":"CallMcpTool","wrongJson":true,"times":1}]})"));
    QVERIFY(command->waitForEnd(15s));
    QVERIFY2(command->outcome().kind == OutcomeKind::Exited, qPrintable(command->outcome().detail));
    QCOMPARE(command->outcome().code, 3);
    QCOMPARE(command->out, QByteArrayLiteral("up\nend\n"));
}

} // namespace berth::agentbay

QTEST_GUILESS_MAIN(berth::agentbay::TestAgentBay)
#include "test_agentbay.moc"
