// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "daytona/recording.h"
#include "net/script/tracked_command.h"
#include "net/web/status_error.h"
#include "providers/daytona/client.h"
#include "providers/daytona/session_script.h"
#include "providers/daytona/toolbox.h"
#include "support/await.h"

#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace berth;
using namespace berth::daytona;
using domain::ErrorKind;
using domain::ObservedState;
using nlohmann::json;
using test::daytonaRecording;

namespace {

QByteArray bytesOf(const json &value)
{
    return QByteArray::fromStdString(value.dump());
}

json sandboxIn(const char *state)
{
    json made = json::parse(daytonaRecording("020").body.toStdString());
    made["state"] = state;
    return made;
}

} // namespace

//! From what the service says, as its own client was seen to get it, to values.
class TestDaytonaDecode : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void sandbox();
    void states_data();
    void states();
    void unknownIsNotGone();
    void failedStates();
    void sparseSandbox();
    void pages();
    void pagesOfOlderServers();
    void nonsense_data();
    void nonsense();

    void apiErrors_data();
    void apiErrors();
    void missingForSure();
    void retryAfter();
    void toolboxErrors();

    void facts();
    void telemetry();
    void executed();
    void sessions();

    void createBody();
    void createBodyOfAnImage();

    void sessionCommandIsReadAgain();
    void logInAnyPieces();
    void logWithoutOurLines();
    void counts();
    void fetched();
};

void TestDaytonaDecode::sandbox()
{
    const auto made = decodeSandbox(daytonaRecording("020").body);
    BERTH_OK(made);
    QCOMPARE(made->instance.externalId.toString(),
             QStringLiteral("463cb0f3-297a-48fe-9dc0-bf64656706ad"));
    QCOMPARE(made->instance.name, QStringLiteral("box-1"));
    QCOMPARE(made->instance.image, QStringLiteral("daytonaio/sandbox:0.5.0"));
    QCOMPARE(made->instance.state, ObservedState::Running);
    QVERIFY(made->instance.labels.installation.isNull());
    QCOMPARE(made->instance.createdAt.toString(Qt::ISODateWithMs),
             QStringLiteral("2026-11-29T17:49:17.617Z"));
    QCOMPARE(made->organization, QStringLiteral("00000000-0000-4000-8000-0000000000aa"));
    QCOMPARE(made->toolbox, QStringLiteral("http://127.0.0.1:4000/toolbox"));
    QCOMPARE(made->cpus, std::optional(1.0));
    QCOMPARE(made->memoryBytes, std::optional(qint64(1) << 30));
    QCOMPARE(made->diskBytes, std::optional(qint64(3) << 30));
    QVERIFY(!made->isEphemeral);

    const auto image = decodeSandbox(daytonaRecording("003").body);
    BERTH_OK(image);
    QCOMPARE(image->instance.image, QStringLiteral("ubuntu:24.04"));
    QCOMPARE(image->instance.state, ObservedState::Starting);
    QVERIFY(!image->instance.stateDetail.isEmpty());
}

void TestDaytonaDecode::states_data()
{
    QTest::addColumn<int>("phase");
    QTest::addColumn<int>("state");
    const auto row = [](const char *name, Phase phase, ObservedState state) {
        QTest::newRow(name) << int(phase) << int(state);
    };
    row("started", Phase::Running, ObservedState::Running);
    row("stopped", Phase::Stopped, ObservedState::Paused);
    row("paused", Phase::Paused, ObservedState::Paused);
    row("archived", Phase::Archived, ObservedState::Archived);
    row("restoring", Phase::Starting, ObservedState::Starting);
    row("building_snapshot", Phase::Starting, ObservedState::Starting);
    row("stopping", Phase::Changing, ObservedState::Stopping);
    row("destroying", Phase::Changing, ObservedState::Stopping);
    row("destroyed", Phase::Destroyed, ObservedState::Gone);
    row("resizing", Phase::Changing, ObservedState::Unknown);
    row("error", Phase::Failed, ObservedState::Error);
    row("build_failed", Phase::Failed, ObservedState::Error);
    row("unknown", Phase::Unknown, ObservedState::Unknown);
    row("levitating", Phase::Unknown, ObservedState::Unknown);
    row("", Phase::Unknown, ObservedState::Unknown);
}

void TestDaytonaDecode::states()
{
    QFETCH(int, phase);
    QFETCH(int, state);
    const auto made = decodeSandbox(bytesOf(sandboxIn(QTest::currentDataTag())));
    BERTH_OK(made);
    QCOMPARE(int(made->phase), phase);
    QCOMPARE(int(made->instance.state), state);
}

void TestDaytonaDecode::unknownIsNotGone()
{
    json odd = sandboxIn("started");
    odd["state"] = 7;
    const auto made = decodeSandbox(bytesOf(odd));
    BERTH_OK(made);
    QCOMPARE(made->instance.state, ObservedState::Unknown);
    odd.erase("state");
    QCOMPARE(decodeSandbox(bytesOf(odd))->instance.state, ObservedState::Unknown);
}

void TestDaytonaDecode::failedStates()
{
    const auto recoverable = decodeSandbox(daytonaRecording("155").body);
    BERTH_OK(recoverable);
    QCOMPARE(recoverable->phase, Phase::Failed);
    QVERIFY(recoverable->recoverable);
    QCOMPARE(recoverable->reason, QStringLiteral("no space left on device"));
    QVERIFY(recoverable->instance.stateDetail.contains(QLatin1String("recovered")));
    const auto build = decodeSandbox(daytonaRecording("154").body);
    BERTH_OK(build);
    QCOMPARE(build->phase, Phase::Failed);
    QVERIFY(!build->recoverable);
    QVERIFY(!build->instance.stateDetail.contains(QLatin1String("recovered")));
}

void TestDaytonaDecode::sparseSandbox()
{
    const auto bare = decodeSandbox(R"({"id":"a","state":"started","labels":null,"cpu":0,
        "memory":"x","autoDeleteInterval":0,"later":{"new":[1]}})");
    BERTH_OK(bare);
    QCOMPARE(bare->instance.state, ObservedState::Running);
    QVERIFY(!bare->cpus && !bare->memoryBytes && !bare->diskBytes);
    QVERIFY(bare->toolbox.isEmpty());
    QVERIFY(bare->isEphemeral);
}

void TestDaytonaDecode::pages()
{
    const auto whole = decodePage(daytonaRecording("025").body);
    BERTH_OK(whole);
    QCOMPARE(whole->items.size(), 4);
    QVERIFY(whole->next.isEmpty());
    const auto first = decodePage(daytonaRecording("026").body);
    BERTH_OK(first);
    QCOMPARE(first->items.size(), 2);
    QCOMPARE(first->next, QByteArrayLiteral("Mg"));
}

void TestDaytonaDecode::pagesOfOlderServers()
{
    const QByteArray one = daytonaRecording("020").body;
    const auto array = decodePage('[' + one + ',' + one + ']');
    BERTH_OK(array);
    QCOMPARE(array->items.size(), 2);
    QVERIFY(array->next.isEmpty());
    QCOMPARE(array->pages, 0);
    const auto counted =
        decodePage("{\"items\":[" + one + "],\"total\":3,\"page\":1,\"totalPages\":3}");
    BERTH_OK(counted);
    QCOMPARE(counted->pages, 3);
}

void TestDaytonaDecode::nonsense_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("page of a proxy") << QByteArrayLiteral("<html>Bad gateway</html>");
    QTest::newRow("cut off") << daytonaRecording("020").body.left(200);
    QTest::newRow("null") << QByteArrayLiteral("null");
    QTest::newRow("number") << QByteArrayLiteral("17");
    QTest::newRow("other object") << QByteArrayLiteral(R"({"a":1})");
    QTest::newRow("no id") << QByteArrayLiteral(R"({"items":[{"name":"x"}]})");
}

void TestDaytonaDecode::nonsense()
{
    QFETCH(QByteArray, body);
    BERTH_FAILS(decodeSandbox(body), ErrorKind::Protocol);
    BERTH_FAILS(decodePage(body), ErrorKind::Protocol);
    BERTH_FAILS(decodeFacts(body), ErrorKind::Protocol);
    BERTH_FAILS(decodeUrl(body), ErrorKind::Protocol);
    BERTH_FAILS(decodeExecuted(body), ErrorKind::Protocol);
    BERTH_FAILS(decodeCommandId(body), ErrorKind::Protocol);
    BERTH_FAILS(decodeCommand(body), ErrorKind::Protocol);
    BERTH_FAILS(decodeTelemetry(body, Sandbox()), ErrorKind::Protocol);
}

void TestDaytonaDecode::apiErrors_data()
{
    QTest::addColumn<int>("kind");
    const auto row = [](const char *number, ErrorKind kind) { QTest::newRow(number) << int(kind); };
    row("017", ErrorKind::InvalidInput); // unknown snapshot
    row("018", ErrorKind::Conflict);     // name taken
    row("019", ErrorKind::InvalidInput); // sizes without an image
    row("022", ErrorKind::NotFound);
    row("023", ErrorKind::Unauthorized);
    row("109", ErrorKind::InvalidInput); // pause of a container
    row("118", ErrorKind::InvalidInput); // not stoppable
    row("140", ErrorKind::Conflict);     // change under way
    row("149", ErrorKind::InvalidInput); // failed to start
    row("156", ErrorKind::InvalidInput);
    row("163", ErrorKind::RateLimited);
    row("164", ErrorKind::Unavailable);
    row("177", ErrorKind::NotFound);
}

void TestDaytonaDecode::apiErrors()
{
    QFETCH(int, kind);
    const auto recorded = daytonaRecording(QTest::currentDataTag());
    QVERIFY(recorded.head.status >= 400);
    const domain::Error error = apiError(recorded.head, recorded.body, QStringLiteral("Trying it"));
    QCOMPARE(int(error.kind), kind);
    QCOMPARE(error.message, QStringLiteral("Trying it failed"));
    QVERIFY(!error.detail.isEmpty());
    QCOMPARE(error.httpStatus, std::optional(recorded.head.status));
}

void TestDaytonaDecode::missingForSure()
{
    net::HttpHead head;
    head.status = 404;
    const auto kind = [&head](const char *body) { return apiError(head, body, {}).kind; };
    QCOMPARE(kind(R"({"statusCode":404,"message":"Sandbox with ID or name x not found"})"),
             ErrorKind::NotFound);
    QCOMPARE(kind(R"({"statusCode":404,"message":"Cannot GET /api/sandbox/x"})"),
             ErrorKind::Protocol);
    QCOMPARE(kind("404 page not found"), ErrorKind::Protocol);
    QCOMPARE(kind("<html>not found</html>"), ErrorKind::Protocol);
    QCOMPARE(kind(R"({"message":"Sandbox not found"})"), ErrorKind::Protocol);
    QCOMPARE(kind(""), ErrorKind::Protocol);
    head.status = 400;
    QCOMPARE(kind(R"({"message":"Total CPU limit exceeded. Maximum allowed: 10"})"),
             ErrorKind::Quota);
    QCOMPARE(reasonIn(R"({"message":["a must be b","c is wrong"]})"),
             QStringLiteral("a must be b, c is wrong"));
    QCOMPARE(reasonIn(R"({"errors":["x: no","y: no"],"files":[]})"),
             QStringLiteral("x: no, y: no"));
    QCOMPARE(reasonIn(R"({"error":"PTY session p not found"})"),
             QStringLiteral("PTY session p not found"));
}

void TestDaytonaDecode::retryAfter()
{
    const auto recorded = daytonaRecording("163");
    const domain::Error error = apiError(recorded.head, recorded.body, {});
    QVERIFY(error.retryAfter.has_value());
    QCOMPARE(error.retryAfter->count(), 17);
    net::HttpHead head;
    head.status = 429;
    head.headers = {{"X-RateLimit-Reset-authenticated", "9"}};
    QCOMPARE(apiError(head, {}, {}).retryAfter->count(), 9);
    head.headers = {{"Retry-After", "3"}, {"Retry-After-sandbox-create", "30"}};
    QCOMPARE(apiError(head, {}, {}).retryAfter->count(), 3);
    head.headers = {};
    QVERIFY(!apiError(head, {}, {}).retryAfter.has_value());
}

void TestDaytonaDecode::toolboxErrors()
{
    const auto stopped = daytonaRecording("117");
    QVERIFY(saysNotRunning(stopped.head.status, stopped.body));
    QCOMPARE(toolboxError(stopped.head, stopped.body, {}).kind, ErrorKind::Unavailable);
    const auto missing = daytonaRecording("071");
    QVERIFY(!saysNotRunning(missing.head.status, missing.body));
    // Nothing that a toolbox says means that the sandbox does not exist.
    QCOMPARE(toolboxError(missing.head, missing.body, {}).kind, ErrorKind::Protocol);
    const auto late = daytonaRecording("041");
    QCOMPARE(toolboxError(late.head, late.body, {}).kind, ErrorKind::Timeout);
    const auto stranger = daytonaRecording("063");
    QCOMPARE(toolboxError(stranger.head, stranger.body, {}).kind, ErrorKind::Unauthorized);
}

void TestDaytonaDecode::facts()
{
    const auto facts = decodeFacts(daytonaRecording("047").body);
    BERTH_OK(facts);
    QCOMPARE(facts->version, QStringLiteral("0.218.0"));
    QCOMPARE(facts->toolbox, QStringLiteral("http://127.0.0.1:4000/toolbox"));
    QVERIFY(facts->analytics.isEmpty());
    QVERIFY(!facts->inMaintenance);
}

void TestDaytonaDecode::telemetry()
{
    const auto sandbox = decodeSandbox(daytonaRecording("020").body);
    const auto sample = decodeTelemetry(daytonaRecording("048").body, *sandbox);
    BERTH_OK(sample);
    QCOMPARE(sample->memoryBytes, std::optional<qint64>(861302784));
    QCOMPARE(sample->diskBytes, std::optional<qint64>(193452113920));
    // 100 % of a limit of two cores.
    QCOMPARE(sample->cpuCores, std::optional(2.0));
    QCOMPARE(sample->memoryLimitBytes, std::optional(qint64(1) << 30));
    QCOMPARE(sample->at.toString(Qt::ISODateWithMs), QStringLiteral("2026-11-29T17:49:20.647Z"));

    // The newest point counts, impossible ones do not, and what is missing stays unknown.
    const auto odd = decodeTelemetry(
        R"({"series":[{"metricName":"daytona.sandbox.cpu.utilization","dataPoints":[
            {"timestamp":"2026-01-01T00:00:02Z","value":50},
            {"timestamp":"2026-01-01T00:00:01Z","value":10},
            {"timestamp":"2026-01-01T00:00:03Z","value":null}]},
            {"metricName":"daytona.sandbox.memory.usage","dataPoints":[
            {"timestamp":"2026-01-01T00:00:02Z","value":-5}]},
            {"metricName":"daytona.sandbox.later","dataPoints":"x"}]})",
        *sandbox);
    BERTH_OK(odd);
    QCOMPARE(odd->cpuCores, std::optional(0.5));
    QVERIFY(!odd->memoryBytes);
    const auto empty = decodeTelemetry(R"({"series":[]})", *sandbox);
    BERTH_OK(empty);
    QVERIFY(!empty->cpuCores && !empty->memoryBytes);
    QCOMPARE(empty->cpuLimitCores, std::optional(1.0));
}

void TestDaytonaDecode::executed()
{
    const auto lost = decodeExecuted(daytonaRecording("042").body);
    BERTH_OK(lost);
    QCOMPARE(lost->code, -1);
    QVERIFY(lost->text.startsWith("fork/exec /usr/bin/bash"));
    QVERIFY(!executeResult(*lost, "id0"));
    const auto both = executeResult({3, "out\n\n\036id0\nerr\n"}, "id0");
    QVERIFY(both.has_value());
    QCOMPARE(both->code, 3);
    QCOMPARE(both->out, QByteArrayLiteral("out\n"));
    QCOMPARE(both->err, QByteArrayLiteral("err\n"));
}

void TestDaytonaDecode::sessions()
{
    const auto sessions = decodeSessions(daytonaRecording("070").body);
    BERTH_OK(sessions);
    QCOMPARE(sessions->size(), 1);
    QCOMPARE(sessions->first().id, QStringLiteral("sess-1"));
    QCOMPARE(sessions->first().commands.size(), 6);
    QCOMPARE(sessions->first().commands[2].code, std::optional(1));
    BERTH_OK(decodeSessions("null"));
    BERTH_FAILS(decodeSessions("{}"), ErrorKind::Protocol);
    const auto id = decodeCommandId(daytonaRecording("054").body);
    BERTH_OK(id);
    const auto command = decodeCommand(daytonaRecording("064").body);
    BERTH_OK(command);
    QCOMPARE(command->id, *id);
    QVERIFY(!decodeCommand(R"({"id":"x","command":"y"})")->code.has_value());
    QVERIFY(logIn(daytonaRecording("065").body)->contains("line2"));
    QVERIFY(!logIn("p1\np2\n").has_value());
}

void TestDaytonaDecode::createBody()
{
    SandboxSettings settings;
    settings.home = "/work";
    domain::InstanceLabels labels;
    labels.installation = domain::InstallationId(QStringLiteral("i"));
    labels.instance = domain::InstanceId(QStringLiteral("t"));
    const json plain =
        json::parse(encodeCreate(settings, QStringLiteral("box"), labels).toStdString());
    QCOMPARE(plain["name"].get<std::string>(), std::string("box"));
    QCOMPARE(plain["labels"]["berth.installation"].get<std::string>(), std::string("i"));
    QCOMPARE(plain["labels"]["berth.home"].get<std::string>(), std::string("/work"));
    QCOMPARE(plain["autoStopInterval"].get<int>(), 15);
    for (const char *absent : {"target", "snapshot", "buildInfo", "user", "cpu", "memory", "disk",
                               "autoDeleteInterval", "image"})
        QVERIFY2(!plain.contains(absent), absent);

    // As the service gives it back, the marks are read again.
    json back = sandboxIn("started");
    back["labels"] = plain["labels"];
    const auto sandbox = decodeSandbox(bytesOf(back));
    BERTH_OK(sandbox);
    QCOMPARE(sandbox->instance.labels, labels);
    QCOMPARE(sandbox->home, QByteArrayLiteral("/work"));

    settings.snapshot = QStringLiteral("ubuntu-22.04");
    settings.target = QStringLiteral("eu");
    settings.autoDeleteMinutes = 60;
    const json named = json::parse(encodeCreate(settings, {}, labels).toStdString());
    QCOMPARE(named["snapshot"].get<std::string>(), std::string("ubuntu-22.04"));
    QCOMPARE(named["target"].get<std::string>(), std::string("eu"));
    QCOMPARE(named["autoDeleteInterval"].get<int>(), 60);
}

void TestDaytonaDecode::createBodyOfAnImage()
{
    const json recorded = json::parse(daytonaRecording("003").sent.toStdString());
    SandboxSettings settings;
    settings.image = QStringLiteral("ubuntu:24.04");
    settings.user = QStringLiteral("root");
    settings.target = QStringLiteral("us");
    settings.cpus = 2;
    settings.memoryGib = 4;
    settings.diskGib = 5;
    const json made = json::parse(encodeCreate(settings, {}, {}).toStdString());
    for (const char *same : {"buildInfo", "user", "target", "cpu", "memory", "disk"})
        QVERIFY2(made[same] == recorded[same], same);
}

void TestDaytonaDecode::sessionCommandIsReadAgain()
{
    domain::CommandSpec spec;
    spec.shellText = "echo 'it''s'\nBERTH\n";
    const QByteArray id = net::newRunId();
    const RunMark mark{id, true, false, QByteArrayLiteral("tag with 'quotes'\n")};
    const QByteArray text = sessionCommand(mark, net::trackedCommand(spec, id).script, true);
    const auto back = runMark(text);
    QVERIFY(back.has_value());
    QCOMPARE(back->runId, id);
    QVERIFY(back->background && !back->input);
    QCOMPARE(back->tag, mark.tag);
    // The usual ones go another way and say the same of themselves.
    const RunMark usual{id, false, false, {}};
    const auto plain = runMark(sessionCommand(usual, net::trackedCommand(spec, id).script, false));
    QVERIFY(plain.has_value());
    QVERIFY(plain->runId == id && !plain->background && !plain->input && plain->tag.isEmpty());
    for (const char *other : {"", "echo hi", ": berth-run x", ": berth-run a/../b b - -\n"})
        QVERIFY2(!runMark(other), other);
}

void TestDaytonaDecode::logInAnyPieces()
{
    const QByteArray log = "\x01\x01\x01"
                           "berth/o "
        + QByteArrayLiteral("one\0two").toBase64()
        + "\n\x02\x02\x02some shell: a complaint\n"
          "berth/e+ 3 65536\r\n\x01\x01\x01"
          "berth/o aGk=\n"
          "berth/o not base64!\nberth/o+ -1 5\n";
    for (qsizetype size = 1; size <= log.size(); ++size) {
        SessionLog reader;
        QList<Piece> pieces;
        for (qsizetype at = 0; at < log.size(); at += size)
            pieces += reader.feed(QByteArrayView(log).sliced(at, qMin(size, log.size() - at)));
        QCOMPARE(pieces.size(), 3);
        QCOMPARE(pieces[0].bytes, QByteArrayLiteral("one\0two"));
        QCOMPARE(pieces[1].file, 3);
        QCOMPARE(pieces[1].size, 65536);
        QCOMPARE(pieces[1].stream, domain::OutputStream::Stderr);
        QCOMPARE(pieces[2].bytes, QByteArrayLiteral("hi"));
        QCOMPARE(reader.position(), log.size());
        QVERIFY(reader.noise().contains("a complaint"));
    }
}

void TestDaytonaDecode::logWithoutOurLines()
{
    SessionLog reader;
    QVERIFY(reader.feed(QByteArray(200'000, 'x')).isEmpty());
    for (int i = 0; i < 1000; ++i)
        QVERIFY(reader.feed("noise " + QByteArray::number(i) + '\n').isEmpty());
    QVERIFY(reader.noise().size() < 10'000);
    QCOMPARE(reader.feed("berth/o aGk=\n").size(), 1);
}

void TestDaytonaDecode::counts()
{
    const QByteArray id = net::newRunId();
    const QList<RunCounts> all =
        readCounts(id + " 41 3000003 34 -\n" + id + " 41 7 0 0\nodd line\n../x 1 1 1 -\n");
    QCOMPARE(all.size(), 2);
    QCOMPARE(all[0].pid, 41);
    QCOMPARE(all[0].out, 3000003);
    // The script's own word is not the command's output.
    QCOMPARE(all[0].err, 0);
    QVERIFY(!all[0].ended);
    QVERIFY(all[1].ended);
}

void TestDaytonaDecode::fetched()
{
    const auto piece = [](domain::OutputStream stream, int file, qint64 size) {
        Piece made;
        made.stream = stream;
        made.file = file;
        made.size = size;
        return made;
    };
    const QList<Piece> pieces{piece(domain::OutputStream::Stdout, 3, 2),
                              piece(domain::OutputStream::Stdout, 4, 9),
                              piece(domain::OutputStream::Stdout, 5, 3)};
    const QByteArray content = QByteArray("hi\0\1\2", 5).toBase64() + '\n';
    const auto files = readFetched("o.3 o.5\n" + content, pieces);
    QVERIFY(files.has_value());
    QCOMPARE(files->at(0), std::optional(QByteArrayLiteral("hi")));
    QVERIFY(!files->at(1).has_value());
    QCOMPARE(files->at(2), std::optional(QByteArray("\0\1\2", 3)));
    QVERIFY(readFetched("\n", pieces)->at(0) == std::nullopt);
    QVERIFY(!readFetched("", pieces));
    QVERIFY(!readFetched("o.3 o.4 o.5\n" + content, pieces));
}

QTEST_GUILESS_MAIN(TestDaytonaDecode)
#include "test_daytona_decode.moc"
