// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "docker/recording.h"
#include "net/tiny_server.h"
#include "providers/docker/docker_kind.h"
#include "providers/docker/pull.h"
#include "support/await.h"

#include <QtCore/QTimer>
#include <QtNetwork/QLocalSocket>
#include <QtTest/QTest>

#include <functional>

using namespace berth;
using namespace std::chrono_literals;
using berth::test::await;
using domain::ErrorKind;
using domain::ExternalId;

namespace {

const domain::InstallationId kMine(QStringLiteral("11111111-1111-4111-8111-111111111111"));

QByteArray answer(int status, const QByteArray &body, const QByteArray &more = {})
{
    return "HTTP/1.1 " + QByteArray::number(status)
        + " X\r\nApi-Version: 1.41\r\nContent-Type: application/json\r\n" + more
        + "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

QByteArray container(const QByteArray &installation, const QByteArray &status,
                     const QByteArray &instance = "token")
{
    return R"({"Id":"c1","Name":"/n","Config":{"Image":"i","Labels":{"berth.installation":")"
        + installation + R"(","berth.instance":")" + instance + R"("}},"State":{"Status":")"
        + status + R"("},"Mounts":[{"Type":"volume","Name":"v1"}]})";
}

//! An engine that answers as the test says: \a route gets "GET /containers/x/json" and may answer
//! nothing.
class FakeEngine
{
public:
    using Route = std::function<QByteArray(const QByteArray &call)>;

    explicit FakeEngine(Route route)
        : m_route(std::move(route)),
          m_server(
              [this](QLocalSocket *socket, const QByteArray &request) { serve(socket, request); })
    {}

    std::unique_ptr<domain::Provider> provider(QMap<QString, QString> values = {})
    {
        values.insert(QStringLiteral("docker_host"), QStringLiteral("unix://") + m_server.path());
        return docker::makeDockerKind()->create(
            {domain::ConfigName(QStringLiteral("docker")), values}, kMine, {});
    }
    [[nodiscard]] int count(const QByteArray &call) const
    {
        return static_cast<int>(m_calls.count(call));
    }
    [[nodiscard]] bool wasAsked(const QByteArray &start) const
    {
        for (const QByteArray &call : m_calls) {
            if (call.startsWith(start))
                return true;
        }
        return false;
    }
    [[nodiscard]] QString path() const { return m_server.path(); }

    QByteArray info = test::recording(QStringLiteral("004")).body;
    QByteArray ping = answer(200, "OK");

private:
    void serve(QLocalSocket *socket, const QByteArray &request)
    {
        QByteArray call = request.first(request.indexOf(" HTTP/1.1"));
        call.replace("/v1.41", "");
        m_calls.append(call);
        QByteArray reply;
        if (call == "GET /_ping")
            reply = ping;
        else if (call == "GET /info")
            reply = answer(200, info);
        else
            reply = m_route(call);
        if (reply == "hang up")
            socket->abort();
        else
            socket->write(reply);
    }

    Route m_route;
    QList<QByteArray> m_calls;
    test::TinyServer m_server;
};

domain::CreateRequest request()
{
    domain::CreateRequest made;
    made.labels.installation = kMine;
    made.labels.instance = domain::InstanceId(QStringLiteral("token"));
    made.name = QStringLiteral("berth-x");
    return made;
}

const ExternalId kId(QStringLiteral("c1"));

} // namespace

//! What real engines seldom do.
class TestDockerFaults : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void deadEngine();
    void notAnEngine();
    void oldEngine();
    void newEngine();
    void anotherEngine();
    void anotherVersion_data();
    void anotherVersion();
    void notFoundOnlyWhenItSaysSo_data();
    void notFoundOnlyWhenItSaysSo();
    void foreignContainersAreLeftAlone();
    void destroyLeavesForeignVolumes();
    void alreadyPaused();
    void alreadyResumed();
    void pullFailsInsideSuccess();
    void pullIsCancelled();
    void pullStalls_data();
    void pullStalls();
    void pullCutOff();
    void nameTaken();
    void cancelledCreateIsUndone();
    void failedStartIsUndone();
};

void TestDockerFaults::deadEngine()
{
    QString path;
    std::unique_ptr<domain::Provider> provider;
    {
        FakeEngine engine([](const QByteArray &) { return QByteArray("hang up"); });
        path = engine.path();
        provider = engine.provider();
        BERTH_FAILS(await(provider->inspect(kId, {})), ErrorKind::Unavailable);
        BERTH_FAILS(await(provider->list({})), ErrorKind::Unavailable);
        BERTH_FAILS(await(provider->destroy(kId, {})), ErrorKind::Unavailable);
        BERTH_FAILS(await(provider->metrics(kId, {})), ErrorKind::Unavailable);
    }
    // Nobody there at all.
    for (const auto &result : {await(provider->pause(kId, {})), await(provider->resume(kId, {})),
                               await(provider->destroy(kId, {}))})
        BERTH_FAILS(result, ErrorKind::Unavailable);
    const auto listed = await(provider->list({}));
    BERTH_FAILS(listed, ErrorKind::Unavailable);
    QVERIFY2(listed.error().message.contains(path) || listed.error().detail.contains(path),
             test::told(listed).constData());
    const auto report = await(provider->check({}, {}));
    BERTH_OK(report);
    QVERIFY(!report->ok);
    QCOMPARE(report->error->kind, ErrorKind::Unavailable);
    QCOMPARE(report->steps.last().state, domain::StepState::Failed);
}

void TestDockerFaults::notAnEngine()
{
    FakeEngine engine([](const QByteArray &) { return QByteArray(); });
    engine.ping = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK";
    BERTH_FAILS(await(engine.provider()->list({})), ErrorKind::Protocol);
    engine.ping = "SSH-2.0-OpenSSH_9.2\r\n";
    BERTH_FAILS(await(engine.provider()->list({})), ErrorKind::Protocol);
    engine.ping = answer(404, "<html>");
    BERTH_FAILS(await(engine.provider()->list({})), ErrorKind::Protocol);
}

void TestDockerFaults::oldEngine()
{
    FakeEngine engine([](const QByteArray &) { return QByteArray(); });
    engine.ping = "HTTP/1.1 200 OK\r\nApi-Version: 1.38\r\nContent-Length: 2\r\n\r\nOK";
    const auto listed = await(engine.provider()->list({}));
    BERTH_FAILS(listed, ErrorKind::Unsupported);
    QVERIFY(listed.error().message.contains(QStringLiteral("1.38")));
}

void TestDockerFaults::newEngine()
{
    FakeEngine engine([](const QByteArray &call) {
        return call.startsWith("GET /v1.47/containers/json") ? answer(200, "[]")
                                                             : answer(400, "{}");
    });
    engine.ping = "HTTP/1.1 200 OK\r\nApi-Version: 1.52\r\nContent-Length: 2\r\n\r\nOK";
    // Its /info comes with a prefix that the fake does not strip.
    FakeEngine newer([&engine](const QByteArray &call) {
        if (call == "GET /v1.47/info")
            return answer(200, engine.info);
        return call.startsWith("GET /v1.47/containers/json") ? answer(200, "[]")
                                                             : answer(400, "{}");
    });
    newer.ping = engine.ping;
    BERTH_OK(await(newer.provider()->list({})));
}

void TestDockerFaults::anotherEngine()
{
    bool hangUp = false;
    FakeEngine engine([&hangUp](const QByteArray &call) {
        if (hangUp)
            return QByteArray("hang up");
        return call.startsWith("GET /containers/json")
            ? answer(200, "[]")
            : answer(404, R"({"message":"No such container: c1"})");
    });
    const auto provider = engine.provider();
    BERTH_OK(await(provider->list({})));
    QVERIFY(!provider->engineId().isEmpty());
    hangUp = true;
    BERTH_FAILS(await(provider->inspect(kId, {})), ErrorKind::Unavailable);
    hangUp = false;
    // Another engine at the same socket would say of everything that it does not exist.
    engine.info.replace("HICF", "XXXX");
    BERTH_FAILS(await(provider->inspect(kId, {})), ErrorKind::Unavailable);
    engine.info.replace("XXXX", "HICF");
    BERTH_FAILS(await(provider->inspect(kId, {})), ErrorKind::NotFound);
}

void TestDockerFaults::anotherVersion_data()
{
    QTest::addColumn<QByteArray>("offered");
    QTest::addColumn<QByteArray>("prefix");
    QTest::newRow("newer, which knows 1.41 no more") << QByteArray("1.52") << QByteArray("/v1.47");
    QTest::newRow("older") << QByteArray("1.40") << QByteArray("/v1.40");
}

//! Case 12. A fake: the engine of the tests cannot be replaced by another version in between.
void TestDockerFaults::anotherVersion()
{
    QFETCH(QByteArray, offered);
    QFETCH(QByteArray, prefix);
    bool replaced = false;
    const auto reply = [&offered](int status, const QByteArray &body) {
        return "HTTP/1.1 " + QByteArray::number(status) + " X\r\nApi-Version: " + offered
            + "\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
    };
    FakeEngine engine([&](const QByteArray &call) {
        if (!replaced)
            return answer(200, "[]");
        // Newer engines answer in JSON, older ones in plain text.
        return call.startsWith("GET " + prefix + "/containers/json") ? reply(200, "[]")
                                                                     : reply(400, "bad version");
    });
    const auto provider = engine.provider();
    BERTH_OK(await(provider->list({})));
    replaced = true;
    // The idle connection is still good: nothing but the answer tells.
    BERTH_OK(await(provider->list({})));
    BERTH_OK(await(provider->list({})));
    QCOMPARE(engine.count("GET /_ping"), 1);
    // A 400 of the same version is what it says.
    BERTH_FAILS(await(provider->inspect(kId, {})), ErrorKind::InvalidInput);
}

void TestDockerFaults::notFoundOnlyWhenItSaysSo_data()
{
    QTest::addColumn<QByteArray>("reply");
    QTest::addColumn<ErrorKind>("kind");
    QTest::newRow("says so") << answer(404, R"({"message":"No such container: c1"})")
                             << ErrorKind::NotFound;
    QTest::newRow("no route") << answer(404, R"({"message":"page not found"})")
                              << ErrorKind::Protocol;
    QTest::newRow("a page") << answer(404, "<html>Not Found</html>") << ErrorKind::Protocol;
    QTest::newRow("nothing") << answer(404, "") << ErrorKind::Protocol;
    QTest::newRow("500") << answer(500, R"({"message":"no such container, perhaps"})")
                         << ErrorKind::Unavailable;
    QTest::newRow("hang up") << QByteArray("hang up") << ErrorKind::Unavailable;
    QTest::newRow("cut") << answer(404, R"({"message":"No such container: c1"})").chopped(5)
                         << ErrorKind::Timeout;
    QTest::newRow("not JSON") << answer(200, "null") << ErrorKind::Protocol;
    QTest::newRow("empty") << answer(200, "{}") << ErrorKind::Protocol;
}

void TestDockerFaults::notFoundOnlyWhenItSaysSo()
{
    QFETCH(QByteArray, reply);
    QFETCH(ErrorKind, kind);
    FakeEngine engine([&reply](const QByteArray &) { return reply; });
    const auto provider = engine.provider();
    if (kind == ErrorKind::Timeout) {
        // The rest never comes: the caller gives up first.
        std::stop_source stop;
        QTimer::singleShot(200ms, this, [&stop] { stop.request_stop(); });
        BERTH_FAILS(await(provider->inspect(kId, stop.get_token())), ErrorKind::Cancelled);
        return;
    }
    BERTH_FAILS(await(provider->inspect(kId, {})), kind);
    const auto destroyed = await(provider->destroy(kId, {}));
    QCOMPARE(destroyed.has_value(), kind == ErrorKind::NotFound);
}

void TestDockerFaults::foreignContainersAreLeftAlone()
{
    for (const char *owner : {"22222222-2222-4222-8222-222222222222", ""}) {
        FakeEngine engine(
            [owner](const QByteArray &) { return answer(200, container(owner, "running")); });
        const auto provider = engine.provider();
        BERTH_OK(await(provider->inspect(kId, {})));
        BERTH_FAILS(await(provider->pause(kId, {})), ErrorKind::Forbidden);
        BERTH_FAILS(await(provider->resume(kId, {})), ErrorKind::Forbidden);
        BERTH_FAILS(await(provider->destroy(kId, {})), ErrorKind::Forbidden);
        BERTH_FAILS(await(provider->connect(kId, {})), ErrorKind::Forbidden);
        QVERIFY(!engine.wasAsked("DELETE"));
        QVERIFY(!engine.wasAsked("POST"));
    }
}

void TestDockerFaults::destroyLeavesForeignVolumes()
{
    QByteArray volume = R"({"Name":"v1","Labels":null})";
    FakeEngine engine([&volume](const QByteArray &call) {
        if (call == "GET /containers/c1/json")
            return answer(200, container(kMine.toString().toUtf8(), "running"));
        if (call == "GET /volumes/v1")
            return answer(200, volume);
        return answer(204, {});
    });
    BERTH_OK(await(engine.provider()->destroy(kId, {})));
    QCOMPARE(engine.count("DELETE /containers/c1?force=1&v=1"), 1);
    QCOMPARE(engine.count("DELETE /volumes/v1"), 0);
    volume = R"({"Name":"v1","Labels":{"berth.installation":")" + kMine.toString().toUtf8()
        + R"(","berth.instance":"token"}})";
    BERTH_OK(await(engine.provider()->destroy(kId, {})));
    QCOMPARE(engine.count("DELETE /volumes/v1"), 1);
}

void TestDockerFaults::alreadyPaused()
{
    // Somebody else is faster: running when looked at, paused when told.
    int looks = 0;
    FakeEngine engine([&looks](const QByteArray &call) {
        if (call.startsWith("GET"))
            return answer(
                200, container(kMine.toString().toUtf8(), ++looks == 1 ? "running" : "paused"));
        const test::Recording again = test::recording(QStringLiteral("057"));
        return answer(again.status, again.body);
    });
    BERTH_OK(await(engine.provider()->pause(kId, {})));

    FakeEngine stopped([](const QByteArray &call) {
        return call.startsWith("GET") ? answer(200, container(kMine.toString().toUtf8(), "exited"))
                                      : answer(409, R"({"message":"Container c1 is not running"})");
    });
    BERTH_FAILS(await(stopped.provider()->pause(kId, {})), ErrorKind::Conflict);
}

void TestDockerFaults::alreadyResumed()
{
    int looks = 0;
    FakeEngine engine([&looks](const QByteArray &call) {
        if (call.startsWith("GET"))
            return answer(
                200, container(kMine.toString().toUtf8(), ++looks == 1 ? "paused" : "running"));
        const test::Recording again = test::recording(QStringLiteral("063"));
        return answer(again.status, again.body);
    });
    BERTH_OK(await(engine.provider()->resume(kId, {})));
    QCOMPARE(engine.count("POST /containers/c1/unpause"), 1);
}

namespace {

QByteArray pulling(const QByteArray &call, const QByteArray &stream)
{
    if (call.startsWith("GET /images/"))
        return answer(404, R"({"message":"No such image: python:3.12-slim"})");
    if (call == "POST /images/create?fromImage=python&tag=3.12-slim")
        return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + QByteArray::number(stream.size(), 16) + "\r\n" + stream + "\r\n";
    return answer(400, "{}");
}

} // namespace

void TestDockerFaults::pullFailsInsideSuccess()
{
    FakeEngine engine([](const QByteArray &call) {
        return pulling(call,
                       R"({"status":"Pulling from library/python","id":"3.12-slim"})"
                       "\n"
                       R"({"errorDetail":{"message":"toomanyrequests"},"error":"toomanyrequests"})"
                       "\n");
    });
    const auto created = await(engine.provider()->create(request(), {}, {}));
    BERTH_FAILS(created, ErrorKind::RateLimited);
    QVERIFY(created.error().detail.contains(QStringLiteral("toomanyrequests")));
    QVERIFY(!engine.wasAsked("POST /containers"));
    QVERIFY(!engine.wasAsked("POST /volumes"));
}

void TestDockerFaults::pullIsCancelled()
{
    FakeEngine engine([](const QByteArray &call) {
        return pulling(
            call,
            R"({"status":"Downloading","progressDetail":{"current":5,"total":10},"id":"a"})"
            "\n");
    });
    std::stop_source stop;
    QStringList told;
    const auto progress = [&told, &stop](const domain::Progress &one) {
        told << one.what;
        if (one.fraction > 0)
            stop.request_stop();
    };
    BERTH_FAILS(await(engine.provider()->create(request(), progress, stop.get_token()), 5s),
                ErrorKind::Cancelled);
    QVERIFY(told.last().contains(QStringLiteral("0 of 1 layer")));
}

void TestDockerFaults::pullStalls_data()
{
    QTest::addColumn<bool>("begun");
    QTest::addColumn<QString>("says");
    QTest::newRow("in the middle") << true << QStringLiteral("stalled for 1 s");
    QTest::newRow("before the first word")
        << false << QStringLiteral("no answer from the registry for 1 s");
}

//! Case 15, against a fake: no real registry can be made to stop in the middle of a layer.
void TestDockerFaults::pullStalls()
{
    QFETCH(bool, begun);
    QFETCH(QString, says);
    test::TinyServer server([begun](QLocalSocket *socket, const QByteArray &) {
        const QByteArray line =
            R"({"status":"Downloading","progressDetail":{"current":5,"total":10},"id":"a"})"
            "\n";
        if (begun)
            socket->write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                          + QByteArray::number(line.size(), 16) + "\r\n" + line + "\r\n");
    });
    docker::Engine made;
    made.http = net::localHttpClient(server.path());
    const auto engine = std::make_shared<const docker::Engine>(made);
    std::stop_source stop;
    QStringList told;
    const auto progress = [&told, &stop](const domain::Progress &one) {
        told << one.what;
        if (one.what.contains(QLatin1String(" for 2 s")))
            stop.request_stop();
    };
    docker::PullPace pace;
    pace.tellStall = 1s;
    // It goes on being patient, and can be cancelled at any time.
    BERTH_FAILS(await(docker::pullImage(engine, QStringLiteral("a:1"), {}, progress, pace,
                                        stop.get_token()),
                      5s),
                ErrorKind::Cancelled);
    QVERIFY2(told.join(QLatin1Char('\n')).contains(says), qPrintable(told.join(QLatin1Char('|'))));
}

void TestDockerFaults::pullCutOff()
{
    FakeEngine engine([](const QByteArray &call) {
        if (call.startsWith("GET /images/"))
            return answer(404, R"({"message":"No such image"})");
        return call.startsWith("POST /images") ? QByteArray("hang up") : answer(400, "{}");
    });
    BERTH_FAILS(await(engine.provider()->create(request(), {}, {}), 5s), ErrorKind::Unavailable);
}

namespace {

const QByteArray kImage =
    answer(200, R"({"Id":"sha256:1","Architecture":"amd64","Config":{"User":""}})");

QByteArray volumeOf(const QByteArray &name)
{
    QByteArray labels = "{";
    const QMap<QString, QString> map = request().labels.toMap();
    for (auto it = map.begin(); it != map.end(); ++it)
        labels += (labels.size() > 1 ? ",\"" : "\"") + it.key().toUtf8() + "\":\""
            + it.value().toUtf8() + "\"";
    return answer(201, R"({"Name":")" + name + R"(","Labels":)" + labels + "}}");
}

} // namespace

void TestDockerFaults::nameTaken()
{
    // docker's 409 and podman's 500; then an error of another kind ends it.
    QList<QByteArray> replies{answer(409, test::recording(QStringLiteral("010")).body),
                              answer(500, R"({"message":"that name is already in use"})"),
                              answer(400, R"({"message":"invalid"})")};
    int volumes = 0;
    FakeEngine engine([&replies, &volumes](const QByteArray &call) {
        if (call.startsWith("GET /images/"))
            return kImage;
        if (call == "POST /volumes/create") {
            // The first volume of that name is an old one: its labels are not ours.
            return ++volumes == 1
                ? answer(201, R"({"Name":"berth-x-workspace","Labels":{"berth.instance":"old"}})")
                : volumeOf("v");
        }
        if (call.startsWith("POST /containers/create"))
            return replies.takeFirst();
        return answer(204, {});
    });
    BERTH_FAILS(await(engine.provider()->create(request(), {}, {})), ErrorKind::InvalidInput);
    QVERIFY(!engine.wasAsked("POST /containers/create?name=berth-x\r"));
    QCOMPARE(engine.count("POST /containers/create?name=berth-x"), 0);
    QCOMPARE(engine.count("POST /containers/create?name=berth-x-2"), 1);
    QCOMPARE(engine.count("POST /containers/create?name=berth-x-3"), 1);
    QCOMPARE(engine.count("POST /containers/create?name=berth-x-4"), 1);
    QCOMPARE(engine.count("DELETE /volumes/berth-x-workspace"), 0);
    QCOMPARE(engine.count("DELETE /volumes/berth-x-4-workspace"), 1);
}

void TestDockerFaults::cancelledCreateIsUndone()
{
    std::stop_source stop;
    FakeEngine engine([&stop](const QByteArray &call) {
        if (call.startsWith("GET /images/"))
            return kImage;
        if (call == "POST /volumes/create")
            return volumeOf("berth-x-workspace");
        if (call.startsWith("POST /containers/create")) {
            stop.request_stop(); // the request has arrived, its answer is not awaited any more
            return QByteArray();
        }
        if (call == "GET /containers/berth-x/json") {
            QByteArray labels = volumeOf("x");
            labels = labels.mid(labels.indexOf("\"Labels\":"));
            return answer(200, R"({"Id":"made","Name":"/berth-x","Config":{)" + labels + "}");
        }
        return answer(204, {});
    });
    BERTH_FAILS(await(engine.provider()->create(request(), {}, stop.get_token()), 5s),
                ErrorKind::Cancelled);
    QCOMPARE(engine.count("DELETE /containers/made?force=1&v=1"), 1);
    QCOMPARE(engine.count("DELETE /volumes/berth-x-workspace"), 1);
}

void TestDockerFaults::failedStartIsUndone()
{
    FakeEngine engine([](const QByteArray &call) {
        if (call.startsWith("GET /images/"))
            return kImage;
        if (call == "POST /volumes/create")
            return volumeOf("berth-x-workspace");
        if (call.startsWith("POST /containers/create"))
            return answer(201, R"({"Id":"c1"})");
        if (call == "GET /containers/c1/json")
            return answer(200, container(kMine.toString().toUtf8(), "created"));
        if (call.startsWith("POST /containers/c1/attach"))
            return QByteArray(
                "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n");
        if (call == "POST /containers/c1/start")
            return answer(
                500,
                R"({"message":"unable to find user nosuch: no matching entries in passwd file"})");
        return answer(204, {});
    });
    const auto created = await(engine.provider()->create(request(), {}, {}));
    BERTH_FAILS(created, ErrorKind::InvalidInput);
    QVERIFY(created.error().detail.contains(QStringLiteral("unable to find user nosuch")));
    QVERIFY(engine.wasAsked("PUT /containers/c1/archive"));
    QCOMPARE(engine.count("DELETE /containers/c1?force=1&v=1"), 1);
    QCOMPARE(engine.count("DELETE /volumes/berth-x-workspace"), 1);
}

QTEST_GUILESS_MAIN(TestDockerFaults)
#include "test_docker_faults.moc"
