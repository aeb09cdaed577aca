// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "docker/engine_proxy.h"
#include "net/http_client.h"
#include "providers/docker/docker_kind.h"
#include "support/command_run.h"

#include <QtTest/QTest>

using namespace berth;
using namespace std::chrono_literals;
using berth::test::await;
using domain::ErrorKind;
using domain::Instance;
using domain::ObservedState;
using Values = QMap<QString, QString>;

namespace {

std::optional<domain::StepState> stepOf(const domain::HealthReport &report, const char *name)
{
    for (const domain::HealthStep &step : report.steps) {
        if (step.name == QLatin1String(name))
            return step.state;
    }
    return std::nullopt;
}

} // namespace

//! On a real engine, what is Docker's own and not in the contract of all providers.
class TestDockerEngine : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();

    void bothStreamsAndExitCode();
    void confined();
    void otherUsers_data();
    void otherUsers();
    void volumeComesAndGoes();
    void oldVolumeIsNotReused();
    void stoppedOutside();
    void pausedOutside();
    void removedOutside();
    void killedRunnerIsTold();
    void foreignStaysUntouched();
    void missingImage();
    void unknownUser();
    void engineGoesAndComes();
    void limits();
    void bridgelessEngineIsTold();
    void tailOfOutputBeforeTheEnd();

private:
    std::unique_ptr<domain::Provider> makeProvider(Values more = {},
                                                   domain::InstallationId owner = {});
    domain::CreateRequest request(const char *alias, Values overrides = {});
    domain::Result<Instance> create(const char *alias, Values overrides = {});
    test::Finished run(const domain::ExternalId &id, const QByteArray &text);
    //! Past the provider, as a person with the docker command would.
    int engine(const char *method, const QByteArray &target, QByteArray *body = nullptr);

    domain::InstallationId m_installation = domain::InstallationId::create();
    std::unique_ptr<domain::Provider> m_provider;
    std::unique_ptr<net::StreamHttpClient> m_http;
};

void TestDockerEngine::initTestCase()
{
    const QString socket = test::engineSocket();
    if (socket.isEmpty()) {
        if (qEnvironmentVariable("BERTH_REQUIRE_ENGINE") == QLatin1String("1"))
            QFAIL("no Docker engine, and BERTH_REQUIRE_ENGINE asks for one");
        QSKIP("no Docker engine: run ./dev test, or set DOCKER_HOST");
    }
    m_http = net::localHttpClient(socket);
    m_provider = makeProvider();
}

void TestDockerEngine::cleanupTestCase()
{
    if (!m_provider)
        return;
    const auto all = await(m_provider->list({}));
    BERTH_OK(all);
    for (const Instance &one : *all) {
        if (one.labels.installation == m_installation)
            BERTH_OK(await(m_provider->destroy(one.externalId, {})));
    }
    QByteArray volumes;
    engine("GET", "/volumes", &volumes);
    QVERIFY2(!volumes.contains(m_installation.toString().toUtf8()), volumes.constData());
}

std::unique_ptr<domain::Provider> TestDockerEngine::makeProvider(Values more,
                                                                 domain::InstallationId owner)
{
    Values values{
        {QStringLiteral("image"), QStringLiteral("berth-test:latest")},
        {QStringLiteral("mount_path"), QStringLiteral("/workspace")},
        {QStringLiteral("network"), QStringLiteral("none")},
        {QStringLiteral("docker_host"), QStringLiteral("unix://") + test::engineSocket()}};
    for (auto it = more.begin(); it != more.end(); ++it)
        values.insert(it.key(), it.value());
    return docker::makeDockerKind()->create({domain::ConfigName(QStringLiteral("docker")), values},
                                            owner.isNull() ? m_installation : owner, {});
}

domain::CreateRequest TestDockerEngine::request(const char *alias, Values overrides)
{
    domain::CreateRequest made;
    made.labels = {m_installation,
                   domain::SandboxId::create(),
                   domain::LeaseId::create(),
                   domain::InstanceId::create(),
                   domain::AgentId(QStringLiteral("default")),
                   QLatin1String(alias),
                   QStringLiteral("0123456789abcdef")};
    made.name = QStringLiteral("berth-%1-default-%2")
                    .arg(m_installation.toString().left(8), QLatin1String(alias));
    made.overrides = std::move(overrides);
    return made;
}

domain::Result<Instance> TestDockerEngine::create(const char *alias, Values overrides)
{
    return await(m_provider->create(request(alias, std::move(overrides)), {}, {}), 90s);
}

test::Finished TestDockerEngine::run(const domain::ExternalId &id, const QByteArray &text)
{
    const auto connection = await(m_provider->connect(id, {}));
    if (!connection) {
        test::Finished failed;
        failed.outcome.detail = QString::fromUtf8(test::told(connection));
        return failed;
    }
    return test::run((*connection)->shell(), text);
}

int TestDockerEngine::engine(const char *method, const QByteArray &target, QByteArray *body)
{
    net::HttpRequest request;
    request.method = method;
    request.target = target;
    const auto response = await(m_http->send(request, {}), 60s);
    if (body && response)
        *body = response->body;
    return response ? response->head.status : 0;
}

void TestDockerEngine::bothStreamsAndExitCode()
{
    const auto made = create("streams");
    BERTH_OK(made);
    const test::Finished finished =
        run(made->externalId, "echo $HOSTNAME; id -u; echo err >&2; exit 3");
    QVERIFY2(finished.outcome.kind == domain::OutcomeKind::Exited,
             test::told(finished).constData());
    QCOMPARE(finished.outcome.code, 3);
    QCOMPARE(finished.out, made->externalId.toString().left(12).toUtf8() + "\n0\n");
    QCOMPARE(finished.err, QByteArray("err\n"));
    QCOMPARE(made->image, QStringLiteral("berth-test:latest"));
    QVERIFY(!m_provider->engineId().isEmpty());
    BERTH_OK(await(m_provider->destroy(made->externalId, {})));
}

void TestDockerEngine::confined()
{
    const auto made = create("confined");
    BERTH_OK(made);
    const test::Finished finished = run(
        made->externalId,
        "grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status; ls /dev/mem /dev/sda; "
        "cat /proc/net/dev | grep -c :; mount -t tmpfs x /mnt; mknod x b 8 0 || echo no-device");
    // CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID and nothing else.
    QVERIFY2(finished.out.contains("CapEff:\t00000000000000fb"), test::told(finished).constData());
    QVERIFY(finished.out.contains("CapBnd:\t00000000000000fb"));
    QVERIFY(finished.out.contains("NoNewPrivs:\t1"));
    QVERIFY(finished.out.contains("no-device"));
    QVERIFY(finished.out.contains("\n1\n")); // loopback only
    BERTH_OK(await(m_provider->destroy(made->externalId, {})));
}

void TestDockerEngine::otherUsers_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("home");
    QTest::addColumn<QByteArray>("ids");
    QTest::newRow("name, home of the image")
        << QStringLiteral("agent") << QStringLiteral("/home/agent") << QByteArray("1000:1000");
    QTest::newRow("name, new directory")
        << QStringLiteral("agent") << QStringLiteral("/srv/space") << QByteArray("1000:1000");
    QTest::newRow("number with an entry")
        << QStringLiteral("1000") << QStringLiteral("/workspace") << QByteArray("1000:1000");
    QTest::newRow("numbers without one")
        << QStringLiteral("4321:1234") << QStringLiteral("/workspace") << QByteArray("4321:1234");
}

void TestDockerEngine::otherUsers()
{
    QFETCH(QString, user);
    QFETCH(QString, home);
    QFETCH(QByteArray, ids);
    const auto made =
        create("user", {{QStringLiteral("username"), user}, {QStringLiteral("agent_home"), home}});
    BERTH_OK(made);
    const test::Finished finished =
        run(made->externalId,
            "pwd; echo $(id -u):$(id -g); echo kept > file && cat file; "
            "echo x > /.berth/guest; grep CapEff /proc/self/status; kill -9 1; echo alive");
    QVERIFY2(finished.out
                 == home.toUtf8() + "\n" + ids + "\nkept\nCapEff:\t0000000000000000\nalive\n",
             test::told(finished).constData());
    BERTH_OK(await(m_provider->destroy(made->externalId, {})));
}

void TestDockerEngine::volumeComesAndGoes()
{
    const domain::CreateRequest wanted = request("volume");
    const auto made = await(m_provider->create(wanted, {}, {}), 90s);
    BERTH_OK(made);
    QByteArray volume;
    QCOMPARE(engine("GET", "/volumes/" + made->name.toUtf8() + "-workspace", &volume), 200);
    QVERIFY2(
        volume.contains("\"berth.instance\":\"" + wanted.labels.instance.toString().toUtf8() + '"'),
        volume.constData());
    BERTH_OK(await(m_provider->destroy(made->externalId, {})));
    QCOMPARE(engine("GET", "/volumes/" + made->name.toUtf8() + "-workspace"), 404);
    QCOMPARE(engine("GET", "/containers/" + made->externalId.toString().toUtf8() + "/json"), 404);
}

void TestDockerEngine::oldVolumeIsNotReused()
{
    const domain::CreateRequest wanted = request("stale");
    // What a crash between removing the container and its volume leaves.
    net::HttpRequest old;
    old.method = "POST";
    old.target = "/volumes/create";
    old.headers.append("Content-Type", "application/json");
    old.body = "{\"Name\":\"" + wanted.name.toUtf8() + "-workspace\"}";
    BERTH_OK(await(m_http->send(old, {})));
    const auto made = await(m_provider->create(wanted, {}, {}), 90s);
    BERTH_OK(made);
    QCOMPARE(made->name, wanted.name + QStringLiteral("-2"));
    BERTH_OK(await(m_provider->destroy(made->externalId, {})));
    // And it is not ours to remove.
    QCOMPARE(engine("DELETE", "/volumes/" + wanted.name.toUtf8() + "-workspace"), 204);
}

void TestDockerEngine::stoppedOutside()
{
    const auto made = create("stopped");
    BERTH_OK(made);
    const QByteArray path = "/containers/" + made->externalId.toString().toUtf8();
    QCOMPARE(run(made->externalId, "echo kept > file").outcome.code, 0);
    const auto connection = await(m_provider->connect(made->externalId, {}));
    BERTH_OK(connection);
    const auto command =
        test::start((*connection)->shell(), test::shellCommand("echo up; sleep 60"));
    QVERIFY(command);
    QVERIFY(command->waitForOutput("up\n"));
    QElapsedTimer clock;
    clock.start();
    QCOMPARE(engine("POST", path + "/stop?t=20"), 204);
    // The runner minds SIGTERM: nobody waits for the grace to pass.
    QVERIFY2(clock.elapsed() < 10000, QByteArray::number(clock.elapsed()).constData());
    QVERIFY(command->waitForEnd(10s));
    QVERIFY(command->outcome().kind == domain::OutcomeKind::TransportLost
            || command->outcome().kind == domain::OutcomeKind::Cancelled
            || command->outcome().kind == domain::OutcomeKind::Signalled);
    QVERIFY(test::waitUntil([&connection] { return !(*connection)->isOpen(); }, 5s));
    const auto stopped = await(m_provider->inspect(made->externalId, {}));
    BERTH_OK(stopped);
    QCOMPARE(stopped->state, ObservedState::Stopped);
    BERTH_FAILS(await(m_provider->connect(made->externalId, {})), ErrorKind::Conflict);
    const auto nothing = await(m_provider->metrics(made->externalId, {}));
    BERTH_OK(nothing);

    BERTH_OK(await(m_provider->resume(made->externalId, {})));
    const test::Finished finished = run(made->externalId, "cat file");
    QVERIFY2(finished.out == "kept\n", test::told(finished).constData());
    BERTH_OK(await(m_provider->destroy(made->externalId, {})));
}

void TestDockerEngine::pausedOutside()
{
    const auto made = create("paused");
    BERTH_OK(made);
    QCOMPARE(engine("POST", "/containers/" + made->externalId.toString().toUtf8() + "/pause"), 204);
    BERTH_FAILS(await(m_provider->connect(domain::ExternalId(made->name), {})),
                ErrorKind::Conflict);
    BERTH_OK(await(m_provider->pause(made->externalId, {})));
    BERTH_OK(await(m_provider->resume(made->externalId, {})));
    QCOMPARE(run(made->externalId, "echo on").out, QByteArray("on\n"));
    BERTH_OK(await(m_provider->destroy(made->externalId, {})));
}

void TestDockerEngine::removedOutside()
{
    const auto made = create("removed");
    BERTH_OK(made);
    const auto connection = await(m_provider->connect(made->externalId, {}));
    BERTH_OK(connection);
    QCOMPARE(engine("DELETE", "/containers/" + made->externalId.toString().toUtf8() + "?force=1"),
             204);
    QVERIFY(test::waitUntil([&connection] { return !(*connection)->isOpen(); }, 10s));
    BERTH_FAILS(await(m_provider->inspect(made->externalId, {})), ErrorKind::NotFound);
    BERTH_FAILS(await(m_provider->resume(made->externalId, {})), ErrorKind::NotFound);
    BERTH_FAILS(await(m_provider->metrics(made->externalId, {})), ErrorKind::NotFound);
    BERTH_OK(await(m_provider->destroy(made->externalId, {})));
    QCOMPARE(engine("DELETE", "/volumes/" + made->name.toUtf8() + "-workspace"), 204);
}

void TestDockerEngine::killedRunnerIsTold()
{
    const auto made = create("killed");
    BERTH_OK(made);
    const auto connection = await(m_provider->connect(made->externalId, {}));
    BERTH_OK(connection);
    const auto command =
        test::start((*connection)->shell(), test::shellCommand("echo up; sleep 60"));
    QVERIFY(command);
    QVERIFY(command->waitForOutput("up\n"));
    QCOMPARE(engine("POST", "/containers/" + made->externalId.toString().toUtf8() + "/kill"), 204);
    QVERIFY(command->waitForEnd(10s));
    QCOMPARE(command->outcome().kind, domain::OutcomeKind::TransportLost);
    BERTH_OK(await(m_provider->resume(made->externalId, {})));
    QCOMPARE(run(made->externalId, "echo on").out, QByteArray("on\n"));
    BERTH_OK(await(m_provider->destroy(made->externalId, {})));
}

void TestDockerEngine::foreignStaysUntouched()
{
    const auto made = create("foreign");
    BERTH_OK(made);
    const auto other = makeProvider({}, domain::InstallationId::create());
    BERTH_FAILS(await(other->pause(made->externalId, {})), ErrorKind::Forbidden);
    BERTH_FAILS(await(other->destroy(made->externalId, {})), ErrorKind::Forbidden);
    BERTH_FAILS(await(other->connect(made->externalId, {})), ErrorKind::Forbidden);
    QCOMPARE(run(made->externalId, "echo on").out, QByteArray("on\n"));
    BERTH_OK(await(m_provider->destroy(made->externalId, {})));
}

void TestDockerEngine::missingImage()
{
    QStringList told;
    const domain::ProgressSink progress = [&told](const domain::Progress &one) {
        told << one.what;
    };
    // Nothing listens at that port: the engine says so at once.
    const auto made = await(
        m_provider->create(
            request("image", {{QStringLiteral("image"), QStringLiteral("127.0.0.1:9/none:1")}}),
            progress, {}),
        60s);
    BERTH_FAILS(made, ErrorKind::Unavailable);
    QVERIFY(made.error().message.contains(QStringLiteral("127.0.0.1:9/none:1")));
    QVERIFY(!made.error().detail.isEmpty());
    QVERIFY(told.first().startsWith(QStringLiteral("Pulling 127.0.0.1:9/none:1")));
    const auto never = await(
        m_provider->create(request("image",
                                   {{QStringLiteral("image"), QStringLiteral("none:1")},
                                    {QStringLiteral("pull_policy"), QStringLiteral("never")}}),
                           {}, {}));
    BERTH_FAILS(never, ErrorKind::InvalidInput);
}

void TestDockerEngine::unknownUser()
{
    const auto made = create("nosuch", {{QStringLiteral("username"), QStringLiteral("nosuch")}});
    BERTH_FAILS(made, ErrorKind::InvalidInput);
    QVERIFY2(made.error().detail.contains(QStringLiteral("nosuch")),
             qPrintable(made.error().detail));
}

void TestDockerEngine::engineGoesAndComes()
{
    test::EngineProxy proxy;
    const auto provider = makeProvider({{QStringLiteral("docker_host"), proxy.host()},
                                        {QStringLiteral("direct_link"), QStringLiteral("false")}});
    const auto made = await(provider->create(request("away"), {}, {}), 90s);
    BERTH_OK(made);
    const auto connection = await(provider->connect(made->externalId, {}));
    BERTH_OK(connection);
    BERTH_OK(await(provider->metrics(made->externalId, {})));
    proxy.stopListening();
    QVERIFY(test::waitUntil([&connection] { return !(*connection)->isOpen(); }, 5s));
    BERTH_FAILS(await(provider->inspect(made->externalId, {})), ErrorKind::Unavailable);
    BERTH_FAILS(await(provider->list({})), ErrorKind::Unavailable);
    BERTH_FAILS(await(provider->connect(made->externalId, {})), ErrorKind::Unavailable);
    BERTH_FAILS(await(provider->metrics(made->externalId, {})), ErrorKind::Unavailable);
    proxy.listenAgain();
    BERTH_OK(await(provider->metrics(made->externalId, {})));
    const auto again = await(provider->connect(made->externalId, {}));
    BERTH_OK(again);
    QCOMPARE(test::run((*again)->shell(), "echo back").out, QByteArray("back\n"));
    BERTH_OK(await(provider->destroy(made->externalId, {})));
}

void TestDockerEngine::limits()
{
    const auto made = create("limits",
                             {{QStringLiteral("memory_limit"), QStringLiteral("64m")},
                              {QStringLiteral("cpu_shares"), QStringLiteral("512")}});
    BERTH_OK(made);
    const auto sample = await(m_provider->metrics(made->externalId, {}));
    BERTH_OK(sample);
    QCOMPARE(sample->memoryLimitBytes, std::optional<qint64>(qint64(64) << 20));
    QVERIFY(sample->processes && *sample->processes >= 1);
    QVERIFY(!sample->networkReceiveBytesPerSecond);
    const test::Finished eater =
        run(made->externalId, "python3 -c 'x = bytearray(200 << 20)'; echo $?");
    QVERIFY2(eater.out != "0\n", test::told(eater).constData());
    // The sandbox lives on.
    QCOMPARE(run(made->externalId, "echo on").out, QByteArray("on\n"));
    BERTH_OK(await(m_provider->destroy(made->externalId, {})));
}

void TestDockerEngine::bridgelessEngineIsTold()
{
    if (engine("GET", "/networks/bridge") == 200)
        QSKIP("this engine has a bridge");
    QStringList told;
    const domain::ProgressSink progress = [&told](const domain::Progress &one) {
        told << one.what;
    };
    const Values automatic{{QStringLiteral("network"), QStringLiteral("auto")}};
    const auto made = await(m_provider->create(request("bridge", automatic), progress, {}), 90s);
    BERTH_OK(made);
    QVERIFY(!told.filter(QStringLiteral("no network")).isEmpty());
    QVERIFY(made->stateDetail.contains(QStringLiteral("no network")));
    BERTH_OK(await(m_provider->destroy(made->externalId, {})));
    const auto checked = await(makeProvider(automatic)->check({}, {}));
    BERTH_OK(checked);
    QVERIFY(checked->ok);
    QVERIFY(stepOf(*checked, "Network") == domain::StepState::Warning);

    // Who asks for a bridge gets one, or is told.
    const Values demanded{{QStringLiteral("network"), QStringLiteral("bridge")}};
    BERTH_FAILS(await(m_provider->create(request("bridge", demanded), {}, {}), 90s),
                ErrorKind::InvalidInput);
    const auto refused = await(makeProvider(demanded)->check({}, {}));
    BERTH_OK(refused);
    QVERIFY(!refused->ok);
    QVERIFY(stepOf(*refused, "Network") == domain::StepState::Failed);
}

void TestDockerEngine::tailOfOutputBeforeTheEnd()
{
    const auto made = create("bulk");
    BERTH_OK(made);
    const auto connection = await(m_provider->connect(made->externalId, {}));
    BERTH_OK(connection);
    for (int i = 0; i < 20; ++i) {
        const test::Finished finished = test::run(
            (*connection)->shell(), "head -c 300000 /dev/zero | tr '\\0' x; echo end >&2");
        QCOMPARE(finished.out.size(), 300000);
        QCOMPARE(finished.err, QByteArray("end\n"));
    }
    BERTH_OK(await(m_provider->destroy(made->externalId, {})));
}

QTEST_GUILESS_MAIN(TestDockerEngine)
#include "test_docker_engine.moc"
