// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/web/envelopes.h"
#include "providers/tenki/messages.h"
#include "providers/tenki/run.h"
#include "providers/tenki/settings.h"

#include <QtTest/QTest>

#include <algorithm>

using namespace std::chrono_literals;

namespace berth::tenki {

namespace {

const QString kId = QStringLiteral("0e07e5cc-42e1-49db-a647-a4df3658b4e1");

QByteArray bytes(const char *hex)
{
    return QByteArray::fromHex(hex);
}

template <typename T>
T frameOf(const char *hex)
{
    const domain::Result<RunFrame> frame = decodeRunFrame(bytes(hex));
    return frame && std::holds_alternative<T>(*frame) ? std::get<T>(*frame) : T();
}

QMap<QString, QString> with(const char *key, const QString &value)
{
    return {{QLatin1String(key), value}};
}

} // namespace

//! Bytes as they were recorded of the service's own client and its imitation, and what the settings
//! make of a config.
class TestTenkiMessages : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void requests();
    void answers();
    void runFrames();
    void ends_data();
    void ends();
    void cutAtEveryByte();
    void brokenAndUnknown();
    void statuses();
    void tokenByItsPrefix();
    void settings();
    void endpoints();
};

void TestTenkiMessages::requests()
{
    CreatePlan plan;
    plan.cpuCores = 2;
    plan.memoryMb = 4096;
    plan.diskGb = 5;
    QCOMPARE(encodeCreate(plan).toHex(),
             QByteArray("0a0473656c66120753455256494345180120013002388020a80105"));
    plan.lifetime = 3600s;
    plan.metadata = {{QStringLiteral("app"), QStringLiteral("leonai")}};
    plan.name = QStringLiteral("leonai");
    plan.tags = QStringList{QStringLiteral("ci")};
    plan.idleMinutes = 15;
    // The recording has an environment besides, which Berth does not send.
    QCOMPARE(encodeCreate(plan).toHex(),
             QByteArray("0a0473656c66120753455256494345180120012a0308901c3002388020420d0a0361707012"
                        "066c656f6e61696a066c656f6e6169a80105b201026369b8010f"));
    QCOMPARE(encodeSession(QStringLiteral("0190aaaa-0000-7000-8000-00000000dead")).toHex(),
             QByteArray("0a2430313930616161612d303030302d373030302d383030302d3030303030303030646561"
                        "64"));
    QCOMPARE(encodeList({}, {}, false).toHex(), QByteArray("1064"));
    RunStart start;
    start.session = QStringLiteral("4a053d69-8014-46ae-b9e6-267ae4308859");
    start.argv = {"/bin/sh", "-c", "echo partial; sleep 30"};
    start.timeout = 1500ms;
    // As recorded, but for the announced input.
    QCOMPARE(encodeRunStart(start).toHex(),
             QByteArray("0a520a500a2434613035336436392d383031342d343661652d623965362d32363761653433"
                        "303838353912072f62696e2f736812022d6312166563686f207061727469616c3b20736c65"
                        "6570203330300138dc0b"));
    QCOMPARE(encodeRunInput("hola\n").toHex(), QByteArray("0a071205686f6c610a"));
    QCOMPARE(encodeRunInputEnd().toHex(), QByteArray("0a022001"));
    QCOMPARE(encodeStat(kId, "/home/tenki/a.txt").toHex(),
             QByteArray("0a390a2430653037653563632d343265312d343964622d613634372d613464663336353862"
                        "346531"
                        "12112f686f6d652f74656e6b692f612e747874"));
}

void TestTenkiMessages::answers()
{
    const auto account = decodeAccount(
        bytes("0a075345525649434512097376632d64756d6d791a370a2430313930616161612d303030302d37303030"
              "2d383030302d303030303030303030303031120f64756d6d7920776f726b7370616365"));
    QVERIFY(account);
    QCOMPARE(account->ownerId, QStringLiteral("svc-dummy"));
    QCOMPARE(account->workspaces.size(), 1);
    QCOMPARE(account->workspaces.first().second, QStringLiteral("dummy workspace"));
    const auto stat = decodeStat(bytes("0a110801100c18a4032080b1ddaabca1a5f618"));
    QVERIFY(stat && stat->exists && !stat->isDirectory && !stat->isLink);
    QCOMPARE(stat->size, 12);
    // A missing file is an answer, too.
    const auto missing = decodeStat(bytes("0a00"));
    QVERIFY(missing && !missing->exists);
    const auto written = decodeWritten(bytes("0a1508c09a0c120f2f686f6d652f74656e6b692f626967"));
    QVERIFY(written);
    QCOMPARE(*written, 200'000);
}

void TestTenkiMessages::runFrames()
{
    QCOMPARE(frameOf<RunStarted>("0a0a0a0808d8c80110808010").pid, 25688);
    const auto err = frameOf<RunOutput>("0a061a046572720a");
    QVERIFY(err.isStderr);
    QCOMPARE(err.bytes, QByteArrayLiteral("err\n"));
    const auto end = frameOf<RunExit>("0a0a2208202d2a0465786974");
    QCOMPARE(end.code, 0);
    QCOMPARE(end.duration, 45ms);
    QCOMPARE(end.reason, QByteArrayLiteral("exit"));
    const auto killed = frameOf<RunExit>("0a17221508890112044b494c4c20402a087369676e616c6564");
    QCOMPARE(killed.code, 137);
    QCOMPARE(killed.signal, QByteArrayLiteral("KILL"));
    QVERIFY(!killed.timedOut);
    const auto late = frameOf<RunExit>("0a19221708890112044b494c4c180120860c2a0774696d656f7574");
    QVERIFY(late.timedOut);
    QCOMPARE(late.duration, 1542ms);
    // -1 is ten bytes.
    QCOMPARE(frameOf<RunExit>("0a0f220d08ffffffffffffffffff013002").code, -1);
    QCOMPARE(frameOf<RunExit>("0a0f220d08ffffffffffffffffff013002").errorNumber, 2);
}

void TestTenkiMessages::ends_data()
{
    QTest::addColumn<RunExit>("exit");
    QTest::addColumn<domain::OutcomeKind>("kind");
    QTest::addColumn<int>("code");
    using Kind = domain::OutcomeKind;
    QTest::newRow("3") << RunExit{3, {}, false, 10ms, "exit", 0} << Kind::Exited << 3;
    QTest::newRow("137 of its own")
        << RunExit{137, {}, false, 10ms, "exit", 0} << Kind::Exited << 137;
    QTest::newRow("a signal") << RunExit{143, "TERM", false, 10ms, "signaled", 0} << Kind::Signalled
                              << 15;
    QTest::newRow("a signal by its long name")
        << RunExit{0, "SIGSEGV", false, 10ms, "", 0} << Kind::Signalled << 11;
    QTest::newRow("a signal nobody knows")
        << RunExit{162, "RTMIN", false, 10ms, "", 0} << Kind::Signalled << 34;
    QTest::newRow("time is over") << RunExit{137, "KILL", true, 500ms, "timeout", 0}
                                  << Kind::TimedOut << 0;
    // The flag is not known to be there always.
    QTest::newRow("time is over, without the flag")
        << RunExit{137, "KILL", false, 1000ms, "signaled", 0} << Kind::TimedOut << 0;
}

void TestTenkiMessages::ends()
{
    QFETCH(RunExit, exit);
    QFETCH(domain::OutcomeKind, kind);
    QFETCH(int, code);
    const domain::Outcome outcome = outcomeOf(exit, 1000ms);
    QCOMPARE(outcome.kind, kind);
    QCOMPARE(outcome.code, code);
    if (kind == domain::OutcomeKind::TimedOut) {
        QCOMPARE(domain::exitCodeOf(outcome), 137);
        QVERIFY(outcome.detail.contains(QLatin1String("timeout_ms")));
    }
    QVERIFY(!runProblem(exit));
    QVERIFY(runProblem({-1, {}, false, 0ms, "exec failed", 2}));
    QVERIFY(runProblem({0, {}, false, 0ms, "first_frame_timeout: 10s", 0}));
    QVERIFY(runProblem({0, {}, false, 0ms, "capability_unavailable: run", 0}));
}

//! Wherever a stream is cut, no frame is made up of a part.
void TestTenkiMessages::cutAtEveryByte()
{
    const QList<QByteArray> messages{bytes("0a0a0a0808d8c80110808010"),
                                     bytes("0a0a12087061727469616c0a"), bytes("0a061a046572720a"),
                                     bytes("0a0a2208202d2a0465786974")};
    QByteArray stream;
    QList<qsizetype> ends;
    for (const QByteArray &message : messages) {
        stream += net::envelope(0, message);
        ends << stream.size();
    }
    for (qsizetype cut = 0; cut <= stream.size(); ++cut) {
        net::EnvelopeParser parser;
        for (qsizetype at = 0; at < cut; ++at)
            parser.feed(QByteArrayView(stream).sliced(at, 1));
        qsizetype whole = 0;
        while (const auto one = parser.next()) {
            QCOMPARE(one->payload, messages.at(whole));
            QVERIFY(decodeRunFrame(one->payload));
            ++whole;
        }
        const auto expected =
            std::count_if(ends.begin(), ends.end(), [cut](qsizetype end) { return end <= cut; });
        QCOMPARE(whole, expected);
        QCOMPARE(parser.hasRest(), cut != 0 && !ends.contains(cut));
    }
    // And of one message without its envelope: an error or less of it, never a crash.
    for (const QByteArray &message : messages) {
        for (qsizetype cut = 1; cut < message.size(); ++cut)
            QVERIFY(!decodeRunFrame(message.left(cut)));
    }
}

void TestTenkiMessages::brokenAndUnknown()
{
    for (const char *broken : {"0affffffff07", "ff", "0a", "0a05", "3c68746d6c3e"}) {
        const auto session = decodeSession(bytes(broken));
        QVERIFY2(!session, broken);
        QCOMPARE(session.error().kind, domain::ErrorKind::Protocol);
    }
    // Nothing in it is no session.
    QVERIFY(!decodeSession({}));
    QVERIFY(!decodeReached({}));
    QVERIFY(decodeList(QByteArray()));
    // A field and a state that no document knows.
    const auto unknown = decodeSession(bytes("0a080a0178102ae03801"));
    QVERIFY(unknown);
    QCOMPARE(unknown->state, SessionState::Unknown);
    QCOMPARE(unknown->stateNumber, 42);
    // A frame of a newer version, and one with nothing in it.
    for (const char *other : {"0a037a0161", "0a00", ""}) {
        const auto frame = decodeRunFrame(bytes(other));
        QVERIFY2(frame && std::holds_alternative<RunOther>(*frame), other);
    }
}

void TestTenkiMessages::statuses()
{
    using domain::ErrorKind;
    const QList<ErrorKind> kinds{
        ErrorKind::Protocol,     ErrorKind::Unavailable, ErrorKind::Unavailable,
        ErrorKind::InvalidInput, ErrorKind::Timeout,     ErrorKind::NotFound,
        ErrorKind::Conflict,     ErrorKind::Forbidden,   ErrorKind::Quota,
        ErrorKind::Conflict,     ErrorKind::Conflict,    ErrorKind::InvalidInput,
        ErrorKind::Unsupported,  ErrorKind::Unavailable, ErrorKind::Unavailable,
        ErrorKind::Protocol,     ErrorKind::Unauthorized};
    for (qsizetype i = 0; i < kinds.size(); ++i) {
        const auto status = grpcStatusFrom(QByteArray::number(i));
        QVERIFY(status);
        QCOMPARE(kindOf(*status, {}), kinds.at(i));
    }
    for (const char *none : {"17", "-1", "", "x", "1.5"})
        QVERIFY2(!grpcStatusFrom(none), none);
    QCOMPARE(kindOf(GrpcStatus::ResourceExhausted, QStringLiteral("Rate limit exceeded")),
             ErrorKind::RateLimited);
    QCOMPARE(kindOf(GrpcStatus::ResourceExhausted, QStringLiteral("no capacity")),
             ErrorKind::Unavailable);
}

void TestTenkiMessages::tokenByItsPrefix()
{
    const auto field = [](const char *token) {
        const net::HttpHeaders headers = tokenHeaders(domain::Secret(QByteArray(token)));
        return headers.fields().value(0).first + ": " + headers.fields().value(0).second;
    };
    QCOMPARE(field("tk_a"), QByteArrayLiteral("Authorization: Bearer tk_a"));
    QCOMPARE(field("ory_st_a"), QByteArrayLiteral("X-Session-Token: ory_st_a"));
    QCOMPARE(field("other"), QByteArrayLiteral("Cookie: tenki_session=other"));
}

void TestTenkiMessages::settings()
{
    const auto plain = sandboxSettings({}, {});
    QVERIFY(plain);
    QCOMPARE(plain->timeout, 300'000ms);
    QCOMPARE(plain->home, QByteArrayLiteral("/home/tenki"));
    const auto row = sandboxSettings(with("timeout_ms", QStringLiteral("1000")),
                                     with("timeout_ms", QStringLiteral("2000")));
    QVERIFY(row);
    QCOMPARE(row->timeout, 2000ms);
    QVERIFY(!sandboxSettings({}, with("endpoint", QStringLiteral("https://x.example"))));
    QVERIFY(!sandboxSettings({}, with("nonsense", QStringLiteral("1"))));
    QVERIFY(!sandboxSettings({}, with("workspace_id", QStringLiteral("mine"))));
    QVERIFY(!sandboxSettings({}, with("memory_mb", QStringLiteral("129"))));
    QVERIFY(!sandboxSettings({}, with("timeout_ms", QStringLiteral("-1"))));
    QMap<QString, QString> both = with("image", QStringLiteral("a"));
    both.insert(QStringLiteral("snapshot"), kId);
    QVERIFY(!sandboxSettings(both, {}));
    // A row may choose the other.
    const auto other = sandboxSettings(with("image", QStringLiteral("a")), with("snapshot", kId));
    QVERIFY(other);
    QVERIFY(other->image.isEmpty());
    for (const domain::SchemaField &field : schema().fields) {
        if (!field.defaultValue.isEmpty())
            QVERIFY2(!validationProblem(field, field.defaultValue), qPrintable(field.key));
        QVERIFY2(field.type != domain::FieldType::Secret || field.environmentVariables.size() == 2,
                 qPrintable(field.key));
    }
}

void TestTenkiMessages::endpoints()
{
    qunsetenv("TENKI_API_ENDPOINT");
    qunsetenv("TENKI_API_URL");
    QCOMPARE(secretOrigins({}),
             (QList<domain::SecretOrigin>{{QStringLiteral("https://api.tenki.cloud"), true}}));
    QCOMPARE(secretOrigins(with("endpoint", QStringLiteral("https://Tenki.example:8443/x"))),
             (QList<domain::SecretOrigin>{{QStringLiteral("https://tenki.example:8443"), false}}));
    qputenv("TENKI_API_URL", "https://second.example");
    QCOMPARE(secretOrigins({}).value(0).origin, QStringLiteral("https://second.example"));
    qputenv("TENKI_API_ENDPOINT", "https://first.example");
    QCOMPARE(secretOrigins({}).value(0).origin, QStringLiteral("https://first.example"));
    QVERIFY(!secretOrigins({}).value(0).isKnown);
    qunsetenv("TENKI_API_ENDPOINT");
    qunsetenv("TENKI_API_URL");
    for (const char *bad : {"http://tenki.example", "ftp://x", "api.tenki.cloud",
                            "https://user@api.tenki.cloud", "https://api.tenki.cloud/?a=b"})
        QVERIFY2(!connection(with("endpoint", QLatin1String(bad))), bad);
    QVERIFY(connection(with("endpoint", QStringLiteral("http://127.0.0.1:9000"))));
}

} // namespace berth::tenki

QTEST_GUILESS_MAIN(berth::tenki::TestTenkiMessages)
#include "test_tenki_messages.moc"
