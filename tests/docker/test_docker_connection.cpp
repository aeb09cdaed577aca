// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "docker/engine_fixture.h"
#include "providers/docker/provider.h"

using namespace berth;
using namespace std::chrono_literals;
using berth::test::await;
using domain::ErrorKind;
using domain::ExternalId;

namespace {

async::Task<void> watchInto(std::shared_ptr<domain::Result<void>> end, bool *ended,
                            domain::Async<void> watch)
{
    const domain::Result<void> result = co_await watch;
    *end = result;
    *ended = true;
}

//! watch() under way.
class Watch
{
public:
    explicit Watch(domain::Provider &provider)
    {
        const domain::ProviderEventSink sink = [this](const ExternalId &id) { told.append(id); };
        watchInto(m_end, &ended, provider.watch(sink, m_stop.get_token()));
        test::spin(300ms); // until the engine has been asked
    }
    ~Watch()
    {
        m_stop.request_stop();
        test::waitUntil([this] { return ended; }, 5s);
    }
    //! Within a second, as the window promises.
    bool hears(const ExternalId &id)
    {
        return test::waitUntil([&] { return told.contains(id); }, 1s);
    }
    bool endsWith(ErrorKind kind, std::chrono::milliseconds limit = 5s)
    {
        return test::waitUntil([this] { return ended; }, limit) && !m_end->has_value()
            && m_end->error().kind == kind;
    }
    bool endsWell()
    {
        m_stop.request_stop();
        return test::waitUntil([this] { return ended; }, 5s) && m_end->has_value();
    }

    QList<ExternalId> told;
    bool ended = false;

private:
    std::stop_source m_stop;
    std::shared_ptr<domain::Result<void>> m_end = std::make_shared<domain::Result<void>>();
};

} // namespace

//! The real engine, with a proxy between where a real one does not misbehave on demand.
class TestDockerConnection : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init() { m_proxy = std::make_unique<test::EngineProxy>(); }

    void changesOutsideAreTold();
    void othersAreNot();
    void case13LostEvents();
    void case10SilentEvents();
    void case02OneByteAtATime();
    void case02HugeFrame();
    void case10ResetInTheMiddle();
    void case13EngineGoesDuringACommand();
    void case11AllTriedAreTold();
    void measuredAtOnceAfterRestart();

private:
    std::unique_ptr<domain::Provider> behindProxy()
    {
        // Over the engine's stream: what is cut here is the way through it.
        return m_engine.makeProvider({{QStringLiteral("docker_host"), m_proxy->host()},
                                      {QStringLiteral("direct_link"), QStringLiteral("false")}});
    }
    int tell(const ExternalId &id, const char *what)
    {
        return m_engine.engine("POST", "/containers/" + id.toString().toUtf8() + '/' + what);
    }

    test::EngineFixture m_engine;
    std::unique_ptr<test::EngineProxy> m_proxy;
    //! One for all that do not change it.
    ExternalId m_box;
};

void TestDockerConnection::initTestCase()
{
    BERTH_NEEDS_ENGINE(m_engine);
    const auto made = m_engine.create("connection");
    BERTH_OK(made);
    m_box = made->externalId;
}

void TestDockerConnection::cleanupTestCase()
{
    m_engine.close();
}

//! Case 14. Real engine.
void TestDockerConnection::changesOutsideAreTold()
{
    Watch watch(*m_engine.provider);
    for (const char *what : {"pause", "unpause", "stop?t=1", "start"}) {
        watch.told.clear();
        const int status = tell(m_box, what);
        QVERIFY2(status == 204, what);
        QVERIFY2(watch.hears(m_box), what);
    }
    const auto made = m_engine.create("removed");
    BERTH_OK(made);
    watch.told.clear();
    QCOMPARE(m_engine.engine(
                 "DELETE", "/containers/" + made->externalId.toString().toUtf8() + "?force=1&v=1"),
             204);
    QVERIFY(watch.hears(made->externalId));
    QVERIFY(watch.endsWell());
    BERTH_OK(await(m_engine.provider->destroy(made->externalId, {})));
    QCOMPARE(m_engine.engine("DELETE", "/volumes/" + made->name.toUtf8() + "-workspace"), 204);
    QCOMPARE(m_engine.run(m_box, "echo on").out, QByteArray("on\n"));
}

//! Case 36, and commands are no changes. Real engine.
void TestDockerConnection::othersAreNot()
{
    test::EngineFixture other;
    QVERIFY(other.open().isEmpty());
    Watch watch(*other.provider);
    Watch own(*m_engine.provider);
    QCOMPARE(tell(m_box, "pause"), 204);
    QCOMPARE(tell(m_box, "unpause"), 204);
    QVERIFY(own.hears(m_box));
    own.told.clear();
    QCOMPARE(m_engine.run(m_box, "true").outcome.code, 0);
    test::spin(300ms);
    QVERIFY(own.told.isEmpty());
    QVERIFY(watch.told.isEmpty());
}

//! Case 13. The proxy ends for the engine, which others use as well.
void TestDockerConnection::case13LostEvents()
{
    const auto provider = behindProxy();
    {
        Watch watch(*provider);
        QVERIFY(!watch.ended);
        m_proxy->stopListening();
        QVERIFY(watch.endsWith(ErrorKind::Unavailable));
    }
    {
        Watch watch(*provider);
        QVERIFY(watch.endsWith(ErrorKind::Unavailable));
    }
    m_proxy->listenAgain();
    Watch watch(*provider);
    QCOMPARE(tell(m_box, "pause"), 204);
    QCOMPARE(tell(m_box, "unpause"), 204);
    QVERIFY(watch.hears(m_box));
}

//! Case 10. Only a proxy takes bytes and says nothing for ever.
void TestDockerConnection::case10SilentEvents()
{
    const auto core = std::make_shared<docker::Core>();
    core->settings.values = {{QStringLiteral("docker_host"), m_proxy->host()}};
    core->installation = m_engine.installation;
    core->quietEvents = 200ms;
    bool ended = false;
    const auto end = std::make_shared<domain::Result<void>>();
    watchInto(end, &ended, docker::watchEngine(core, [](const ExternalId &) {}, {}));
    // Quiet is not lost: each question gets its answer.
    test::spin(1s);
    QVERIFY(!ended);
    m_proxy->silent = true;
    QVERIFY(test::waitUntil([&ended] { return ended; }, 5s));
    BERTH_FAILS(*end, ErrorKind::Timeout);
}

//! Case 2. A real engine writes whole frames; the proxy cuts every header and payload.
void TestDockerConnection::case02OneByteAtATime()
{
    const auto provider = behindProxy();
    BERTH_OK(await(provider->list({})));
    m_proxy->dripping = true;
    const auto connection = await(provider->connect(m_box, {}));
    BERTH_OK(connection);
    const test::Finished finished =
        test::run((*connection)->shell(), "printf 'h\\303\\251llo'; printf err >&2; exit 5");
    QVERIFY2(finished.outcome.code == 5, test::told(finished).constData());
    QCOMPARE(finished.out, QByteArray("h\303\251llo"));
    QCOMPARE(finished.err, QByteArray("err"));
    const auto listed = await(provider->list({}));
    BERTH_OK(listed);
    QCOMPARE(listed->size(), await(m_engine.provider->list({}))->size());
}

//! Case 2. No engine sends such a header.
void TestDockerConnection::case02HugeFrame()
{
    const auto provider = behindProxy();
    const auto connection = await(provider->connect(m_box, {}));
    BERTH_OK(connection);
    QString reason;
    QObject::connect(connection->get(), &domain::SandboxConnection::lost, this,
                     [&reason](const QString &why) { reason = why; });
    m_proxy->say(QByteArray("\1\0\0\0\x80\0\0\0", 8));
    QVERIFY(test::waitUntil([&reason] { return !reason.isEmpty(); }, 5s));
    QVERIFY(!(*connection)->isOpen());
    // The next one is a new stream.
    const auto again = await(provider->connect(m_box, {}));
    BERTH_OK(again);
    QCOMPARE(test::run((*again)->shell(), "echo on").out, QByteArray("on\n"));
}

//! Case 10. The proxy cuts where a network would.
void TestDockerConnection::case10ResetInTheMiddle()
{
    const auto provider = behindProxy();
    const auto connection = await(provider->connect(m_box, {}));
    BERTH_OK(connection);
    const auto command = test::start(
        (*connection)->shell(),
        test::shellCommand("echo first; while :; do echo 0123456789012345678901234567890; done"));
    QVERIFY(command);
    QVERIFY(command->waitForOutput("first\n"));
    m_proxy->cut();
    QVERIFY(command->waitForEnd(10s));
    QCOMPARE(command->outcome().kind, domain::OutcomeKind::TransportLost);
    QVERIFY(command->out.startsWith("first\n"));
    QVERIFY(!command->outcome().detail.isEmpty());
}

//! Case 13, with all that is open at once. The proxy ends for the engine.
void TestDockerConnection::case13EngineGoesDuringACommand()
{
    const auto provider = behindProxy();
    const auto connection = await(provider->connect(m_box, {}));
    BERTH_OK(connection);
    const auto command =
        test::start((*connection)->shell(), test::shellCommand("echo up; sleep 600"));
    QVERIFY(command);
    QVERIFY(command->waitForOutput("up\n"));
    BERTH_OK(await(provider->metrics(m_box, {})));
    Watch watch(*provider);
    m_proxy->stopListening();
    QVERIFY(command->waitForEnd(10s));
    QCOMPARE(command->outcome().kind, domain::OutcomeKind::TransportLost);
    QVERIFY(watch.endsWith(ErrorKind::Unavailable));
    BERTH_FAILS(await(provider->metrics(m_box, {})), ErrorKind::Unavailable);
    BERTH_FAILS(await(provider->list({})), ErrorKind::Unavailable);
    m_proxy->listenAgain();
    const auto sample = await(provider->metrics(m_box, {}));
    BERTH_OK(sample);
    QVERIFY(sample->memoryBytes > 0);
    const auto again = await(provider->connect(m_box, {}));
    BERTH_OK(again);
    QCOMPARE(test::run((*again)->shell(), "echo back").out, QByteArray("back\n"));
}

//! Case 11.
void TestDockerConnection::case11AllTriedAreTold()
{
    QTemporaryDir directory;
    docker::EndpointSearch search;
    for (const char *name : {"first", "second"}) {
        docker::Endpoint endpoint;
        endpoint.host = QStringLiteral("unix://") + directory.filePath(QLatin1String(name));
        endpoint.origin = QStringLiteral("usual place");
        search.endpoints.append(endpoint);
    }
    QList<domain::HealthStep> steps;
    const domain::StepSink sink = [&steps](const domain::HealthStep &step) { steps << step; };
    const auto none = await(docker::findEngine(search, sink, {}));
    BERTH_FAILS(none, ErrorKind::Unavailable);
    QCOMPARE(steps.size(), 2);
    for (const domain::HealthStep &step : steps) {
        QCOMPARE(step.state, domain::StepState::Skipped);
        QVERIFY(step.detail.startsWith(QStringLiteral("There is no socket")));
        QVERIFY2(none.error().detail.contains(step.name), qPrintable(none.error().detail));
    }
    // One that is there but is no engine is told as a failure, and the search goes on.
    QLocalServer deaf;
    QVERIFY(deaf.listen(directory.filePath(QStringLiteral("first"))));
    QObject::connect(&deaf, &QLocalServer::newConnection, this,
                     [&deaf] { deaf.nextPendingConnection()->write("nonsense\r\n\r\n"); });
    docker::Endpoint good;
    good.host = QStringLiteral("unix://") + test::engineSocket();
    good.origin = QStringLiteral("usual place");
    search.endpoints.append(good);
    steps.clear();
    BERTH_OK(await(docker::findEngine(search, sink, {})));
    QCOMPARE(steps.size(), 3);
    QCOMPARE(steps.at(0).state, domain::StepState::Failed);
    QCOMPARE(steps.at(2).state, domain::StepState::Ok);
}

//! An empty sample would be a gap in the chart. Real engine.
void TestDockerConnection::measuredAtOnceAfterRestart()
{
    BERTH_OK(await(m_engine.provider->metrics(m_box, {})));
    for (int i = 0; i < 2; ++i) {
        QCOMPARE(tell(m_box, "stop?t=1"), 204);
        BERTH_OK(await(m_engine.provider->resume(m_box, {})));
        const auto sample = await(m_engine.provider->metrics(m_box, {}));
        BERTH_OK(sample);
        QVERIFY(sample->memoryBytes > 0);
        QVERIFY(sample->processes >= 1);
    }
}

QTEST_GUILESS_MAIN(TestDockerConnection)
#include "test_docker_connection.moc"
