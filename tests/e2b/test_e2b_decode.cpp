// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/web/envelopes.h"
#include "providers/e2b/decode.h"
#include "providers/e2b/e2b_kind.h"
#include "providers/e2b/run.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace berth;
using namespace berth::e2b;
using namespace std::chrono_literals;
using domain::ErrorKind;
using domain::ObservedState;
using nlohmann::json;

namespace {

//! One exchange with a server that speaks as the service does.
struct Exchange
{
    QByteArray target;
    json request;
    net::HttpHead head;
    QByteArray body;
    //! Of a stream, the payloads and flags.
    QList<net::Envelope> envelopes;
};

Exchange recorded(const QString &number)
{
    const QDir directory(QStringLiteral(BERTH_RECORDINGS));
    QFile file(directory.filePath(directory.entryList({number + QStringLiteral("-*")}).value(0)));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no recording %s", qPrintable(number));
    const json whole = json::parse(file.readAll().toStdString());
    Exchange made;
    made.target = QByteArray::fromStdString(whole["target"].get<std::string>());
    if (whole["request"].is_object())
        made.request = whole["request"].value("json", json());
    made.head.status = whole["status"].get<int>();
    for (const auto &[key, value] : whole["headers"].items())
        made.head.headers.append(QByteArray::fromStdString(key),
                                 QByteArray::fromStdString(value.get<std::string>()));
    const json &response = whole["response"];
    if (response.is_object() && response.contains("json"))
        made.body = QByteArray::fromStdString(response["json"].dump());
    else if (response.is_object() && response.contains("text"))
        made.body = QByteArray::fromStdString(response["text"].get<std::string>());
    else if (response.is_object()) {
        for (const json &envelope : response["envelopes"])
            made.envelopes.append({envelope["flags"].get<quint8>(),
                                   QByteArray::fromStdString(envelope["json"].dump())});
    }
    return made;
}

json parsedBody(const QByteArray &body)
{
    return json::parse(body.toStdString());
}

QMap<QString, QString> config(QMap<QString, QString> more = {})
{
    QMap<QString, QString> values{{QStringLiteral("template"), QStringLiteral("base")},
                                  {QStringLiteral("cwd"), QStringLiteral("/home/user")},
                                  {QStringLiteral("timeout"), QStringLiteral("300")},
                                  {QStringLiteral("on_exit"), QStringLiteral("pause")}};
    values.insert(more);
    return values;
}

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

} // namespace

//! What goes over the wire, and what the settings make of it; without a network.
class TestE2bDecode : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void createAsTheServiceWantsIt();
    void accessOfNewOnes();
    void records();
    void filterIsEncodedThreeTimes();
    void metrics();
    void apiErrors_data();
    void apiErrors();
    void whichNotFound();
    void unknownCalls();
    void ids();
    void startAsTheServiceWantsIt();
    void streams_data();
    void streams();
    void splitCharacters();
    void oddEvents();
    void signalNames();
    void envdErrors_data();
    void envdErrors();
    void processes();
    void runNames();
    void settings();
    void twoNamesOfOneThing();
    void endpointsAndOrigins();
    void schemaIsThatOfTheDocument();
};

void TestE2bDecode::createAsTheServiceWantsIt()
{
    SandboxSettings wanted;
    wanted.templateName = s("base");
    wanted.home = "/home/user";
    wanted.timeout = 120s;
    const json recordedBody = recorded(s("001")).request;
    const json ours = parsedBody(encodeCreate(wanted, {{s("app"), s("berth")}}, false));
    for (const char *key : {"templateID", "timeout", "autoPause"})
        QCOMPARE(QByteArray::fromStdString(ours[key].dump()),
                 QByteArray::fromStdString(recordedBody[key].dump()));
    QCOMPARE(ours["metadata"]["app"].get<std::string>(), std::string("berth"));
    QVERIFY(!ours.contains("secure"));
    QVERIFY(parsedBody(encodeCreate(wanted, {}, true))["secure"].get<bool>());
    wanted.pauseAtTheEnd = false;
    QVERIFY(!parsedBody(encodeCreate(wanted, {}, false))["autoPause"].get<bool>());
    QCOMPARE(encodeTimeout(90s), QByteArrayLiteral(R"({"timeout":90})"));
}

void TestE2bDecode::accessOfNewOnes()
{
    const auto access = decodeAccess(recorded(s("001")).body);
    QVERIFY(access.has_value());
    QCOMPARE(access->id, s("iv5rv3330ab6q1qbswvvo"));
    QCOMPARE(access->envd, QVersionNumber(0, 6, 13));
    QVERIFY(!access->token.isEmpty());
    QVERIFY(access->trafficToken.isEmpty() && access->domain.isEmpty());
    for (const char *wrong : {"", "{", "[]", "{}", R"({"sandboxID":7})", "null", "<html>"}) {
        const auto none = decodeAccess(wrong);
        QVERIFY2(!none && none.error().kind == ErrorKind::Protocol, wrong);
    }
    // An older form of the id.
    const auto older = decodeAccess(R"({"sandboxID":"iabc-6532622b","domain":"x.example"})");
    QCOMPARE(older->id, s("iabc"));
    QCOMPARE(older->domain, s("x.example"));
    QVERIFY(older->token.isEmpty());
}

void TestE2bDecode::records()
{
    const auto one = decodeRecord(recorded(s("004")).body);
    QVERIFY(one.has_value());
    QCOMPARE(one->instance.state, ObservedState::Running);
    QCOMPARE(one->instance.image, s("base"));
    QCOMPARE(one->instance.startedAt.toString(Qt::ISODateWithMs), s("2026-11-29T17:52:42.363Z"));
    QVERIFY(one->instance.labels.installation.isNull());
    QCOMPARE(one->pausesAtTheEnd, std::optional(true));
    QCOMPARE(one->cpus, 2.0);
    QCOMPARE(one->memoryBytes, qint64(512) << 20);

    const Exchange page = recorded(s("005"));
    const auto list = decodeRecords(page.body);
    QCOMPARE(list->size(), 2);
    QVERIFY(!page.head.headers.value("X-Next-Token").isEmpty());
    QVERIFY(recorded(s("006")).head.headers.value("X-Next-Token").isEmpty());
    const auto paused = decodeRecords(recorded(s("067")).body);
    QCOMPARE(paused->first().instance.state, ObservedState::Paused);

    // Nine digits of a second; a state of a later version.
    const auto odd = decodeRecord(
        R"({"sandboxID":"a","state":"hibernating","startedAt":"2026-11-29T17:52:42.363999999Z",)"
        R"("metadata":{"berth.name":"n","x":5},"more":[1]})");
    QCOMPARE(odd->instance.state, ObservedState::Unknown);
    QCOMPARE(odd->instance.stateDetail, s("hibernating"));
    QCOMPARE(odd->instance.name, s("n"));
    QCOMPARE(odd->instance.startedAt.toMSecsSinceEpoch() % 1000, 363);
    QVERIFY(!decodeRecords("{}") && !decodeRecords(R"([{"state":"running"}])"));

    // What was written when it was made comes back.
    domain::InstanceLabels labels;
    labels.installation = domain::InstallationId::create();
    labels.alias = s("main");
    SandboxSettings wanted;
    wanted.home = "/work";
    wanted.user = s("root");
    wanted.timeout = 77s;
    wanted.pauseAtTheEnd = false;
    const QDateTime now = QDateTime::fromMSecsSinceEpoch(1795975377123, Qt::UTC);
    json made = {{"sandboxID", "a"}, {"state", "running"}, {"startedAt", "2030-01-01T00:00:00Z"}};
    const QMap<QString, QString> metadata = metadataFor(labels, s("name"), wanted, now);
    for (auto it = metadata.begin(); it != metadata.end(); ++it)
        made["metadata"][it.key().toStdString()] = it.value().toStdString();
    const auto back = decodeRecord(QByteArray::fromStdString(made.dump()));
    QCOMPARE(back->instance.labels, labels);
    QCOMPARE(back->instance.name, s("name"));
    QCOMPARE(back->instance.createdAt, now);
    QVERIFY(back->settings.has_value());
    QCOMPARE(back->settings->home, wanted.home);
    QCOMPARE(back->settings->user, wanted.user);
    QVERIFY(back->settings->timeout == 77s);
    QVERIFY(!back->settings->pauseAtTheEnd);
}

void TestE2bDecode::filterIsEncodedThreeTimes()
{
    const QByteArray target = recorded(s("007")).target;
    const QByteArray wanted = target.mid(target.indexOf("metadata=") + 9).split('&').first();
    QCOMPARE(metadataFilter({{s("app"), s("berth")}, {s("k y"), QString::fromUtf8("a&b=c é")}}),
             wanted);
    QCOMPARE(metadataFilter({{s("app"), s("x-1_y")}}), QByteArrayLiteral("app%3Dx-1_y"));
}

void TestE2bDecode::metrics()
{
    const auto sample = decodeMetrics(recorded(s("010")).body);
    QVERIFY(sample && *sample);
    QVERIFY((*sample)->at.isValid());
    QVERIFY((*sample)->memoryBytes && *(*sample)->memoryBytes > 0);
    QVERIFY((*sample)->cpuLimitCores && *(*sample)->cpuLimitCores == 2);
    QVERIFY(!*decodeMetrics("[]"));
    QVERIFY(!decodeMetrics("{}"));
    const auto newest = decodeMetrics(
        R"([{"timestampUnix":200,"cpuCount":4,"cpuUsedPct":50,"memUsed":7,"diskTotal":0},)"
        R"({"timestampUnix":100,"cpuCount":1}])");
    QCOMPARE((*newest)->at.toSecsSinceEpoch(), 200);
    QCOMPARE(*(*newest)->cpuCores, 2.0);
    QCOMPARE(*(*newest)->memoryBytes, 7);
    QVERIFY(!(*newest)->diskBytes && !(*newest)->memoryLimitBytes);
}

void TestE2bDecode::apiErrors_data()
{
    QTest::addColumn<QString>("number");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("says");
    QTest::newRow("key") << s("075") << ErrorKind::Unauthorized << s("E2B_API_KEY");
    QTest::newRow("blocked") << s("082") << ErrorKind::Forbidden << s("payment");
    QTest::newRow("sandbox") << s("077") << ErrorKind::NotFound << s("doesn't exist");
    QTest::newRow("too long") << s("083") << ErrorKind::InvalidInput << s("24 hours");
    QTest::newRow("already paused") << s("066") << ErrorKind::Conflict << s("already paused");
    QTest::newRow("rate") << s("079") << ErrorKind::RateLimited << s("Rate limit");
    QTest::newRow("no room") << s("081") << ErrorKind::Unavailable << s("");
}

void TestE2bDecode::apiErrors()
{
    QFETCH(QString, number);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, says);
    const Exchange answer = recorded(number);
    const domain::Error error = apiError(answer.head, answer.body, s("Doing it"));
    QCOMPARE(error.kind, kind);
    QCOMPARE(error.httpStatus, std::optional(answer.head.status));
    QVERIFY2(error.detail.contains(says), qPrintable(error.detail));
    QVERIFY(!error.message.isEmpty());
    if (kind == ErrorKind::RateLimited)
        QCOMPARE(error.retryAfter, std::optional(1s));
    const domain::Error full = apiError(
        {429, {}, {}},
        R"x({"code":429,"message":"you have reached the maximum number of concurrent E2B )x"
        R"x(sandboxes (20)"})x",
        s("Creating"));
    QCOMPARE(full.kind, ErrorKind::Quota);
    QVERIFY(!full.retryAfter);
    QVERIFY(!apiError({500, {}, {}}, {}, s("Doing it")).detail.isEmpty());
}

void TestE2bDecode::whichNotFound()
{
    QVERIFY(saysSandboxIsMissing(404, recorded(s("077")).body));
    QVERIFY(!saysSandboxIsMissing(404, recorded(s("076")).body));
    QVERIFY(!saysSandboxIsMissing(404, "<html>sandbox not found</html>"));
    QVERIFY(!saysSandboxIsMissing(404, R"({"message":"no such sandbox"})"));
    QVERIFY(!saysSandboxIsMissing(502, recorded(s("069")).body));
}

void TestE2bDecode::unknownCalls()
{
    QVERIFY(isUnknownCall(405, {}));
    QVERIFY(isUnknownCall(404, R"({"code":404,"message":"no matching operation was found"})"));
    QVERIFY(isUnknownCall(404, "404 page not found\n"));
    QVERIFY(isUnknownCall(404, {}));
    QVERIFY(isUnknownCall(400, R"({"code":400,"message":"method not allowed"})"));
    QVERIFY(!isUnknownCall(404, recorded(s("076")).body));
    QVERIFY(!isUnknownCall(404, recorded(s("077")).body));
    QVERIFY(!isUnknownCall(400, recorded(s("083")).body));
    QVERIFY(!isUnknownCall(500, {}));
}

void TestE2bDecode::ids()
{
    QCOMPARE(plainId(domain::ExternalId(s("iabc0"))), s("iabc0"));
    QCOMPARE(plainId(domain::ExternalId(s("iabc0-6532622b"))), s("iabc0"));
    for (const char *wrong : {"", ".", "../x", "a/b", "a?b", "a b", "-a", "a\n"})
        QVERIFY2(plainId(domain::ExternalId(s(wrong))).isEmpty(), wrong);
}

void TestE2bDecode::startAsTheServiceWantsIt()
{
    StartRequest request;
    request.program = s("/bin/sh");
    request.arguments = {s("-c"), s("true")};
    request.directory = s("/");
    json body = parsedBody(encodeStart(request));
    QCOMPARE(body["process"]["cmd"].get<std::string>(), std::string("/bin/sh"));
    QCOMPARE(body["process"]["cwd"].get<std::string>(), std::string("/"));
    // Left out it would be open.
    QCOMPARE(body["stdin"].get<bool>(), false);
    QVERIFY(!body.contains("tag") && !body.contains("pty"));
    request.terminal = std::pair(80, 24);
    request.tag = s("t");
    body = parsedBody(encodeStart(request));
    QVERIFY(!body.contains("stdin"));
    QCOMPARE(body["pty"]["size"]["cols"].get<int>(), 80);
    QCOMPARE(body["tag"].get<std::string>(), std::string("t"));
    QCOMPARE(encodeProcess(7), QByteArrayLiteral(R"({"process":{"pid":7}})"));
    QVERIFY(parsedBody(encodeInput(7, "\xff", false))
            == json::parse(R"({"process":{"pid":7},"input":{"stdin":"/w=="}})"));
    QVERIFY(parsedBody(encodeInput(7, "a", true))
            == json::parse(R"({"process":{"pid":7},"input":{"pty":"YQ=="}})"));
    QVERIFY(parsedBody(encodeResize(7, 100, 30))
            == json::parse(R"({"process":{"pid":7},"pty":{"size":{"cols":100,"rows":30}}})"));
}

void TestE2bDecode::streams_data()
{
    QTest::addColumn<QString>("number");
    QTest::addColumn<QByteArray>("out");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("problem");
    QTest::newRow("exit 3") << s("013") << QByteArray() << 3 << QString();
    QTest::newRow("exit 0 is left out") << s("012") << QByteArray("out1\n") << 0 << QString();
    QTest::newRow("killed") << s("019") << QByteArray() << -1 << QString();
    QTest::newRow("deadline") << s("089") << QByteArray("partial\n") << -1 << QString();
    QTest::newRow("no program") << s("090") << QByteArray() << 127 << QString();
    QTest::newRow("terminal") << s("033") << QByteArray("\x1b[?2004h") << -1 << QString();
    QTest::newRow("unknown user") << s("016") << QByteArray() << 0 << s("unauthenticated");
    QTest::newRow("unknown directory") << s("017") << QByteArray() << 0 << s("invalid_argument");
}

void TestE2bDecode::streams()
{
    QFETCH(QString, number);
    QFETCH(QByteArray, out);
    QFETCH(int, code);
    QFETCH(QString, problem);
    QByteArray got;
    std::optional<ProcessEvent> end;
    bool over = false;
    qint64 pid = 0;
    // Through the parser, a byte at a time.
    QByteArray wire;
    for (const net::Envelope &envelope : recorded(number).envelopes)
        wire += net::envelope(envelope.flags, envelope.payload);
    net::EnvelopeParser parser;
    for (const char byte : wire) {
        parser.feed(QByteArrayView(&byte, 1));
        while (const auto envelope = parser.next()) {
            QVERIFY(!over);
            if (envelope->isEndStream()) {
                over = true;
                const auto last = decodeEnd(envelope->payload);
                QVERIFY(last.has_value());
                QCOMPARE(last->has_value(), !problem.isEmpty());
                if (*last)
                    QCOMPARE((*last)->code, problem);
                continue;
            }
            const auto event = decodeEvent(envelope->payload);
            QVERIFY(event.has_value());
            if (event->kind == ProcessEvent::Kind::Start)
                pid = event->pid;
            else if (event->kind == ProcessEvent::Kind::Output)
                got += event->bytes;
            else if (event->kind == ProcessEvent::Kind::End)
                end = *event;
        }
    }
    QVERIFY(over && !parser.hasRest());
    QVERIFY2(got.startsWith(out), got.constData());
    QCOMPARE(end.has_value(), problem.isEmpty());
    if (end) {
        QVERIFY(pid > 0);
        QCOMPARE(end->exitCode, code);
        QCOMPARE(signalOf(end->status), code < 0 ? 9 : 0);
    }
}

void TestE2bDecode::splitCharacters()
{
    QByteArray out;
    for (const net::Envelope &envelope : recorded(s("020")).envelopes) {
        const auto event = decodeEvent(envelope.payload);
        if (event && event->stream == domain::OutputStream::Stdout)
            out += event->bytes;
    }
    QVERIFY(!out.isEmpty());
    QVERIFY2(out.contains("\xc3\xa9") || out.contains('\0'), out.toHex().constData());
}

void TestE2bDecode::oddEvents()
{
    using Kind = ProcessEvent::Kind;
    QCOMPARE(decodeEvent(R"({"event":{"keepalive":{}}})")->kind, Kind::KeepAlive);
    QCOMPARE(decodeEvent(R"({"event":{"newKind":{"a":1}}})")->kind, Kind::Unknown);
    QCOMPARE(decodeEvent(R"({})")->kind, Kind::Unknown);
    QCOMPARE(decodeEvent(R"({"event":{"start":{"pid":"12"}},"x":[]})")->pid, 12);
    QVERIFY(!decodeEvent("{"));
    QVERIFY(!decodeEvent("[]"));
    QVERIFY(!decodeEvent(R"({"event":{"data":{"stdout":"not base64!"}}})"));
    QCOMPARE(decodeEvent(R"({"event":{"data":{"stderr":"YQ=="}}})")->stream,
             domain::OutputStream::Stderr);
    QVERIFY(!decodeEnd("x"));
    QCOMPARE(decodeEnd(R"({"error":{"code":"deadline_exceeded"}})")->value().code,
             s("deadline_exceeded"));
    QCOMPARE(decodeEnd(R"({"error":{}})")->value().code, s("unknown"));
    QVERIFY(!decodeEnd("{}")->has_value());
}

void TestE2bDecode::signalNames()
{
    QCOMPARE(signalOf(s("signal: killed")), 9);
    QCOMPARE(signalOf(s("signal: segmentation fault (core dumped)")), 11);
    QCOMPARE(signalOf(s("signal: signal 34")), 34);
    QCOMPARE(signalOf(s("exit status 3")), 0);
    QCOMPARE(signalOf(s("signal: nonsense")), 0);
}

void TestE2bDecode::envdErrors_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<ErrorKind>("kind");
    QTest::newRow("paused") << 502 << recorded(s("068")).body << ErrorKind::Unavailable;
    QTest::newRow("proxy's page") << 502 << QByteArray("<html>") << ErrorKind::Unavailable;
    QTest::newRow("its token") << 401 << recorded(s("064")).body << ErrorKind::Unavailable;
    QTest::newRow("process") << 404 << recorded(s("029")).body << ErrorKind::NotFound;
    QTest::newRow("no such thing")
        << 404 << QByteArray("404 page not found") << ErrorKind::Protocol;
    QTest::newRow("input") << 500 << recorded(s("031")).body << ErrorKind::Unavailable;
    QTest::newRow("traffic") << 403 << QByteArray(R"({"code":403,"message":"m"})")
                             << ErrorKind::Forbidden;
    QTest::newRow("changing") << 409 << QByteArray(R"({"code":409,"message":"m"})")
                              << ErrorKind::Unavailable;
    QTest::newRow("connections") << 429 << QByteArray(R"({"code":429,"connectionLimit":9})")
                                 << ErrorKind::RateLimited;
}

void TestE2bDecode::envdErrors()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(ErrorKind, kind);
    const domain::Error error = envdError({status, {}, {}}, body, s("Doing it"));
    QCOMPARE(error.kind, kind);
    QVERIFY(!error.message.isEmpty() && !error.detail.isEmpty());
    QCOMPARE(saysNotRunning(status, body), QTest::currentDataTag() == QByteArray("paused"));
    QVERIFY(!saysNotRunning(502, R"({"sandboxId":"a","port":3000})"));
}

void TestE2bDecode::processes()
{
    const auto list = decodeProcesses(recorded(s("022")).body);
    QCOMPARE(list->size(), 1);
    QVERIFY(list->first().pid > 0 && list->first().tag.isEmpty());
    QVERIFY(decodeProcesses("{}")->isEmpty());
    QVERIFY(!decodeProcesses("["));
}

void TestE2bDecode::runNames()
{
    const RunName name{RunName::Kind::Terminal, "process-\xff 1"};
    const QByteArray run = newRun(name);
    QVERIFY(newRun(name) != run);
    for (const char c : run)
        QVERIFY((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'));
    QVERIFY(runName(run) == name);
    QVERIFY(runName(newRun({})) == RunName());
    for (const char *wrong : {"", "short", "01234567890123456789", "01234567890123456789x",
                              "01234567890123456789b1", "01234567890123456789b/1"})
        QVERIFY2(!runName(wrong), wrong);
}

void TestE2bDecode::settings()
{
    const auto plain = sandboxSettings(config(), {});
    QVERIFY(plain.has_value());
    QCOMPARE(plain->templateName, s("base"));
    QCOMPARE(plain->home, QByteArrayLiteral("/home/user"));
    QVERIFY(plain->timeout == 300s && plain->pauseAtTheEnd && plain->user.isEmpty());
    QVERIFY(!sandboxSettings(config({{s("on_exit"), s("destroy")}}), {})->pauseAtTheEnd);

    // As the second document's row has it.
    const auto row = sandboxSettings(config(),
                                     {{s("template"), s("team/mine:v2")},
                                      {s("username"), s("root")},
                                      {s("agent_home"), s("/root")},
                                      {s("sandbox_timeout_ms"), s("3600000")}});
    QVERIFY(row.has_value());
    QCOMPARE(row->templateName, s("team/mine:v2"));
    QCOMPARE(row->home, QByteArrayLiteral("/root"));
    QVERIFY(row->timeout == 3600s);
    QVERIFY(sandboxSettings(config(), {{s("sandbox_timeout_ms"), s("15001")}})->timeout == 16s);

    const QList<std::pair<QString, QString>> wrong{
        {s("api_key"), s("x")},         {s("api_url"), s("https://x")}, {s("nonsense"), s("1")},
        {s("template"), s("a b")},      {s("cwd"), s("relative")},      {s("cwd"), s("/a/../b")},
        {s("timeout"), s("5")},         {s("timeout"), s("x")},         {s("username"), s("a b")},
        {s("timeout"), s("9999999999")}};
    for (const auto &[key, value] : wrong) {
        const auto refused = sandboxSettings(config(), {{key, value}});
        QVERIFY2(!refused && refused.error().kind == ErrorKind::InvalidInput, qPrintable(key));
    }
}

void TestE2bDecode::twoNamesOfOneThing()
{
    const auto both = [](const char *a, const char *x, const char *b, const char *y) {
        return sandboxSettings(config(), {{s(a), s(x)}, {s(b), s(y)}}).has_value();
    };
    QVERIFY(both("cwd", "/w", "agent_home", "/w"));
    QVERIFY(!both("cwd", "/w", "agent_home", "/v"));
    QVERIFY(both("timeout", "60", "sandbox_timeout_ms", "60000"));
    QVERIFY(!both("timeout", "60", "sandbox_timeout_ms", "61000"));
    // The default that was filled in is nobody's wish.
    const auto filled = sandboxSettings(
        config({{s("agent_home"), s("/w")}, {s("sandbox_timeout_ms"), s("20000")}}), {});
    QCOMPARE(filled->home, QByteArrayLiteral("/w"));
    QVERIFY(filled->timeout == 20s);
    QVERIFY(!sandboxSettings(config({{s("cwd"), s("/v")}, {s("agent_home"), s("/w")}}), {}));
    // A row counts more than the config, whatever name it uses.
    QCOMPARE(sandboxSettings(config({{s("cwd"), s("/v")}}), {{s("agent_home"), s("/w")}})->home,
             QByteArrayLiteral("/w"));
}

void TestE2bDecode::endpointsAndOrigins()
{
    const auto known = endpoints(config());
    QCOMPARE(known->api, s("https://api.e2b.app"));
    QVERIFY(known->sandboxes.isEmpty());
    using Origins = QList<domain::SecretOrigin>;
    QCOMPARE(secretOrigins(config()),
             (Origins{{s("https://api.e2b.app"), true}, {s("https://sandbox.e2b.app"), true}}));
    QCOMPARE(secretOrigins(config({{s("domain"), s("E2B.example.com")}})),
             (Origins{{s("https://api.e2b.example.com"), false},
                      {s("https://sandbox.e2b.example.com"), false}}));
    QCOMPARE(secretOrigins(config({{s("api_url"), s("http://127.0.0.1:3000/")}})),
             (Origins{{s("http://127.0.0.1:3000"), false}, {s("https://sandbox.e2b.app"), true}}));
    QCOMPARE(secretOrigins(config({{s("api_url"), s("https://x.example")},
                                   {s("sandbox_url"), s("https://x.example")}})),
             (Origins{{s("https://x.example"), false}}));
    // A name that only looks like the service's own.
    QVERIFY(
        !secretOrigins(config({{s("api_url"), s("https://api.e2b.app.example")}})).at(0).isKnown);
    for (const char *wrong : {"http://api.example.com", "ftp://x", "x", "https://",
                              "https://user@x.example", "https://x.example/?a=b"}) {
        const auto refused = endpoints(config({{s("api_url"), s(wrong)}}));
        QVERIFY2(!refused && refused.error().kind == ErrorKind::InvalidInput, wrong);
        QVERIFY(!endpoints(config({{s("sandbox_url"), s(wrong)}})));
        QVERIFY(makeE2bKind()->problemWith(config({{s("api_url"), s(wrong)}})).has_value());
    }
    QVERIFY(!endpoints(config({{s("domain"), s("x/y")}})));
    QVERIFY(endpoints(config({{s("api_url"), s("http://localhost:3000")}})));
}

void TestE2bDecode::schemaIsThatOfTheDocument()
{
    const domain::ProviderSchema &made = makeE2bKind()->schema();
    QCOMPARE(made.facts.kind, s("e2b"));
    QVERIFY(!made.facts.consoleUrl.isEmpty() && !made.facts.proof.isEmpty());
    const QMap<QString, QString> defaults{{s("template"), s("base")},
                                          {s("cwd"), s("/home/user")},
                                          {s("timeout"), s("300")},
                                          {s("on_exit"), s("pause")}};
    for (auto it = defaults.begin(); it != defaults.end(); ++it)
        QCOMPARE(made.field(it.key())->defaultValue, it.value());
    const QMap<QString, QString> variables{{s("api_key"), s("E2B_API_KEY")},
                                           {s("domain"), s("E2B_DOMAIN")},
                                           {s("api_url"), s("E2B_API_URL")},
                                           {s("sandbox_url"), s("E2B_SANDBOX_URL")}};
    for (auto it = variables.begin(); it != variables.end(); ++it) {
        const domain::SchemaField *field = made.field(it.key());
        QVERIFY2(field, qPrintable(it.key()));
        QCOMPARE(field->environmentVariables, QStringList{it.value()});
        QCOMPARE(field->scope, domain::FieldScope::Connection);
        QVERIFY(field->expandable);
    }
    QCOMPARE(made.field(s("api_key"))->type, domain::FieldType::Secret);
}

QTEST_APPLESS_MAIN(TestE2bDecode)

#include "test_e2b_decode.moc"
