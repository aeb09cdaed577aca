// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "daytona/daytona_service.h"
#include "support/command_run.h"

#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace berth;
using namespace berth::daytona;
using domain::ErrorKind;
using domain::ObservedState;
using nlohmann::json;
using test::await;
using test::kDaytonaKey;
using namespace std::chrono_literals;

//! What Berth makes of a service that fails in every way, against the imitation in tests/fakes.
class TestDaytonaService : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QCOMPARE(m_service.start(), QString()); }
    void init()
    {
        m_service.heal();
        m_provider = m_service.makeProvider();
    }
    void cleanup() { m_provider.reset(); }

    void nothingIsSentWithoutAKey();
    void nothingIsSentToAnUnconfirmedPlace();
    void headers();
    void faults_data();
    void faults();
    void wrongAnswers();
    void silence();
    void pagesWithAFault();
    void repeatedPage();
    void answersCutAnywhere();
    void createIsAskedOnce();
    void createRefusesBeforeAnyCall();
    void createSaysWhatIsWrong();
    void brokenSandboxIsRemoved();
    void failedBuildIsRemoved();
    void targetIsSentOnlyWhenSet();
    void listThatLags();
    void olderServers();
    void changesThatCollide();
    void archivedIsStarted();
    void failedIsRecovered();
    void ephemeralIsNotStopped();
    void watchingIsFree();

private:
    domain::Result<domain::Instance> create(const char *alias)
    {
        return await(m_provider->create(m_service.request(alias), {}, {}), 60s);
    }

    test::DaytonaService m_service;
    std::unique_ptr<DaytonaProvider> m_provider;
};

void TestDaytonaService::nothingIsSentWithoutAKey()
{
    const CorePtr core = m_service.makeCore(m_service.installation);
    core->api->key = domain::Secret();
    DaytonaProvider provider(core);
    const auto made = await(provider.create(m_service.request("keyless"), {}, {}));
    BERTH_FAILS(made, ErrorKind::Unauthorized);
    QVERIFY(made.error().detail.contains(QLatin1String("DAYTONA_API_KEY")));
    BERTH_FAILS(await(provider.list({})), ErrorKind::Unauthorized);
    const auto report = await(provider.check({}, {}));
    BERTH_OK(report);
    QVERIFY(!report->ok && report->error->detail.contains(QLatin1String("DAYTONA_API_KEY")));
    QCOMPARE(m_service.requests().size(), std::size_t(0));
}

void TestDaytonaService::nothingIsSentToAnUnconfirmedPlace()
{
    domain::ProviderSettings settings;
    settings.values.insert(QStringLiteral("api_url"),
                           m_service.url(QStringLiteral("api")) + QStringLiteral("/api"));
    settings.secrets.insert(QStringLiteral("api_key"), domain::Secret(QByteArray(kDaytonaKey)));
    DaytonaProvider provider(settings, m_service.installation);
    BERTH_FAILS(await(provider.list({})), ErrorKind::Forbidden);
    BERTH_FAILS(await(provider.create(m_service.request("x"), {}, {})), ErrorKind::Forbidden);
    QVERIFY(!await(provider.check({}, {}))->ok);
    QCOMPARE(m_service.requests().size(), std::size_t(0));
}

void TestDaytonaService::headers()
{
    const auto connection = await(m_provider->connect(m_service.shared(), {}));
    BERTH_OK(connection);
    const json all = m_service.requests();
    QVERIFY(all.size() >= 2);
    for (const json &one : all) {
        const json &sent = one["headers"];
        QCOMPARE(sent["authorization"].get<std::string>(), std::string("Bearer ") + kDaytonaKey);
        QCOMPARE(sent["x-daytona-sdk-version"].get<std::string>(), std::string("0.218.0"));
        QVERIFY(!sent.contains("x-daytona-organization-id"));
        QVERIFY(sent["user-agent"].get<std::string>().find("erth") != std::string::npos);
    }
    // A token needs its organization named, a key must not have it.
    const char token[] = "eyJhbGciOiJub25lIn0.e30.c2lnbmF0dXJl";
    m_service.knobs(
        {{"keys",
          {{kDaytonaKey, {"write:sandboxes", "delete:sandboxes"}}, {token, json::array()}}}});
    const CorePtr core = m_service.makeCore(m_service.installation);
    core->api->key = domain::Secret(QByteArray(token));
    DaytonaProvider anonymous(core);
    BERTH_FAILS(await(anonymous.list({})), ErrorKind::InvalidInput);
    const QString organization = QStringLiteral("00000000-0000-4000-8000-0000000000aa");
    const CorePtr named = m_service.makeCore(m_service.installation,
                                             {{QStringLiteral("organization_id"), organization}});
    named->api->key = domain::Secret(QByteArray(token));
    DaytonaProvider provider(named);
    BERTH_OK(await(provider.list({})));
    QCOMPARE(m_service.requests().back()["headers"]["x-daytona-organization-id"].get<std::string>(),
             organization.toStdString());
}

void TestDaytonaService::faults_data()
{
    QTest::addColumn<QByteArray>("fault");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("attempts");
    const auto row = [](const char *name, const json &fault, ErrorKind kind, int attempts) {
        QTest::newRow(name) << QByteArray::fromStdString(fault.dump()) << int(kind) << attempts;
    };
    row("401", {{"status", 401}}, ErrorKind::Unauthorized, 1);
    row("403", {{"status", 403}}, ErrorKind::Forbidden, 1);
    row("404 for sure",
        {{"status", 404},
         {"body", {{"statusCode", 404}, {"message", "Sandbox with ID or name x not found"}}}},
        ErrorKind::NotFound, 1);
    row("404 of another", {{"status", 404}, {"body", "404 page not found"}}, ErrorKind::Protocol,
        1);
    row("404 of a proxy",
        {{"status", 404}, {"body", "<html>not found</html>"}, {"contentType", "text/html"}},
        ErrorKind::Protocol, 1);
    row("409", {{"status", 409}}, ErrorKind::Conflict, 1);
    row("429", {{"status", 429}}, ErrorKind::RateLimited, 2);
    row("429 with a wait", {{"status", 429}, {"headers", {{"Retry-After", "40"}}}},
        ErrorKind::RateLimited, 1);
    row("429 in this service's spelling",
        {{"status", 429}, {"headers", {{"Retry-After-authenticated", "40"}}}},
        ErrorKind::RateLimited, 1);
    row("500", {{"status", 500}}, ErrorKind::Unavailable, 2);
    row("502", {{"status", 502}, {"body", json::object()}}, ErrorKind::Unavailable, 2);
    row("503", {{"status", 503}}, ErrorKind::Unavailable, 2);
    row("reset", {{"reset", true}}, ErrorKind::Unavailable, 2);
    row("JSON broken off", {{"wrongJson", true}}, ErrorKind::Protocol, 1);
    row("page of a proxy", {{"wrongJson", "html"}}, ErrorKind::Protocol, 1);
}

void TestDaytonaService::faults()
{
    QFETCH(QByteArray, fault);
    QFETCH(int, kind);
    QFETCH(int, attempts);
    const domain::ExternalId id = m_service.shared();
    m_service.knobs(
        {{"clearRequests", true}, {"faults", json::array({json::parse(fault.toStdString())})}});
    const auto inspected = await(m_provider->inspect(id, {}));
    QVERIFY(!inspected.has_value());
    QVERIFY2(int(inspected.error().kind) == kind, test::told(inspected).constData());
    // Qt itself asks again over a new connection when an old one turns out to be dead.
    if (fault.contains("reset"))
        QVERIFY(m_service.asked("GET", "/api/sandbox/") >= attempts);
    else
        QCOMPARE(m_service.asked("GET", "/api/sandbox/"), attempts);
    if (fault.contains("40\""))
        QCOMPARE(inspected.error().retryAfter, std::optional(40s));
    // A list without an answer, or of which a page is missing, is no empty list.
    const auto list = await(m_provider->list({}));
    QVERIFY2(!list.has_value(), "a list without an answer");
    QVERIFY(list.error().kind != ErrorKind::NotFound || ErrorKind(kind) == ErrorKind::NotFound);
    for (const auto &failed : {inspected.error(), list.error()})
        QVERIFY(!(failed.message + failed.detail).contains(QLatin1String(kDaytonaKey)));
    if (ErrorKind(kind) == ErrorKind::NotFound)
        BERTH_OK(await(m_provider->destroy(id, {})));
    else
        QVERIFY(!await(m_provider->destroy(id, {})).has_value());
    QCOMPARE(m_service.asked("DELETE", "/"), 0);
    // Once is no trouble, where asking again is none.
    if (attempts > 1) {
        json once = json::parse(fault.toStdString());
        once["times"] = 1;
        m_service.knobs({{"faults", json::array({once})}});
        BERTH_OK(await(m_provider->inspect(id, {})));
    }
    m_service.knobs({{"faults", json::array()}});
    QCOMPARE(await(m_provider->inspect(id, {}))->state, ObservedState::Running);
}

void TestDaytonaService::wrongAnswers()
{
    const domain::ExternalId id = m_service.shared();
    m_service.fault({{"extra", true}});
    BERTH_OK(await(m_provider->inspect(id, {})));
    BERTH_OK(await(m_provider->list({})));
    m_service.fault({{"merge", {{"state", "levitating"}}}});
    const auto odd = await(m_provider->inspect(id, {}));
    BERTH_OK(odd);
    QCOMPARE(odd->state, ObservedState::Unknown);
    QVERIFY(odd->stateDetail.contains(QLatin1String("levitating")));
    BERTH_FAILS(await(m_provider->connect(id, {})), ErrorKind::Conflict);
}

void TestDaytonaService::silence()
{
    const CorePtr core = m_service.makeCore(m_service.installation);
    core->api->patience = 200ms;
    core->api->retry.attempts = 1;
    DaytonaProvider provider(core);
    const domain::ExternalId id = m_service.shared();
    m_service.fault({{"stall", true}});
    BERTH_FAILS(await(provider.inspect(id, {}), 5s), ErrorKind::Timeout);
    BERTH_FAILS(await(provider.list({}), 5s), ErrorKind::Timeout);
    std::stop_source stop;
    QTimer::singleShot(100, this, [&stop] { stop.request_stop(); });
    BERTH_FAILS(await(m_provider->inspect(id, stop.get_token()), 5s), ErrorKind::Cancelled);
}

void TestDaytonaService::pagesWithAFault()
{
    const auto page = [](const char *id, const char *next) {
        return json{
            {"items",
             json::array(
                 {{{"id", id}, {"state", "started"}, {"labels", {{"berth.installation", "i"}}}}})},
            {"nextCursor", *next ? json(next) : json()}};
    };
    const json first = {
        {"match", "GET /api/sandbox.limit=200$"}, {"status", 200}, {"body", page("one", "t2")}};
    const json third = {{"match", "cursor=t3"}, {"status", 200}, {"body", page("three", "")}};
    json second = {{"match", "cursor=t2"}, {"status", 200}, {"body", page("two", "t3")}};
    m_service.knobs({{"faults", json::array({first, second, third})}});
    const auto all = await(m_provider->list({}));
    BERTH_OK(all);
    QCOMPARE(all->size(), 3);

    json broken = {{"match", "cursor=t2"}, {"status", 500}};
    m_service.knobs({{"faults", json::array({first, broken, third})}});
    BERTH_FAILS(await(m_provider->list({})), ErrorKind::Unavailable);
    broken["times"] = 1;
    m_service.knobs({{"faults", json::array({first, broken, second, third})}});
    const auto again = await(m_provider->list({}));
    BERTH_OK(again);
    QCOMPARE(again->size(), 3);
}

void TestDaytonaService::repeatedPage()
{
    m_service.fault({{"match", "GET /api/sandbox.limit="},
                     {"status", 200},
                     {"body", {{"items", json::array()}, {"nextCursor", "same"}}}});
    QVERIFY(!await(m_provider->list({}), 10s).has_value());
    QVERIFY(m_service.asked("GET", "/api/sandbox") <= 3);
}

void TestDaytonaService::answersCutAnywhere()
{
    const CorePtr core = m_service.makeCore(m_service.installation);
    core->api->retry.attempts = 1;
    DaytonaProvider provider(core);
    const domain::ExternalId id = m_service.shared();
    // Of an answer of some 900 bytes.
    json cuts = json::array();
    for (int n = 0; n < 300; ++n)
        cuts.push_back({{"match", "GET"}, {"cutAfter", n * 3}, {"times", 1}});
    m_service.knobs({{"faults", cuts}});
    int failed = 0;
    for (int n = 0; n < 300; ++n) {
        const auto inspected = await(provider.inspect(id, {}));
        if (inspected)
            continue;
        ++failed;
        QVERIFY2(inspected.error().kind == ErrorKind::Unavailable
                     || inspected.error().kind == ErrorKind::Protocol,
                 test::told(inspected).constData());
    }
    QVERIFY2(failed >= 250, QByteArray::number(failed).constData());
}

void TestDaytonaService::createIsAskedOnce()
{
    const auto wanted = m_service.request("lost");
    m_service.fault({{"match", "POST /api/sandbox$"}, {"loseAnswer", true}, {"times", 1}});
    const auto made = await(m_provider->create(wanted, {}, {}), 60s);
    BERTH_FAILS(made, ErrorKind::Unavailable);
    QCOMPARE(m_service.asked("POST", "/api/sandbox"), 1);
    // It was made all the same: its token tells.
    const auto all = await(m_provider->list({}));
    BERTH_OK(all);
    int found = 0;
    for (const domain::Instance &one : *all) {
        if (one.labels.instance == wanted.labels.instance) {
            ++found;
            BERTH_OK(await(m_provider->destroy(one.externalId, {}), 30s));
        }
    }
    QCOMPARE(found, 1);
    for (const int status : {429, 500, 503}) {
        m_service.knobs(
            {{"clearRequests", true},
             {"faults", json::array({{{"match", "POST /api/sandbox$"}, {"status", status}}})}});
        QVERIFY(!await(m_provider->create(m_service.request("no"), {}, {}), 30s).has_value());
        QCOMPARE(m_service.asked("POST", "/api/sandbox"), 1);
    }
}

void TestDaytonaService::createRefusesBeforeAnyCall()
{
    auto wanted = m_service.request("both");
    wanted.overrides = {{QStringLiteral("image"), QStringLiteral("ubuntu:24.04")},
                        {QStringLiteral("snapshot"), QStringLiteral("ubuntu-22.04")}};
    BERTH_FAILS(await(m_provider->create(wanted, {}, {})), ErrorKind::InvalidInput);
    wanted.overrides = {{QStringLiteral("cpu"), QStringLiteral("2")}};
    BERTH_FAILS(await(m_provider->create(wanted, {}, {})), ErrorKind::InvalidInput);
    wanted.overrides.clear();
    wanted.workspace = QStringLiteral("/home/me/project");
    BERTH_FAILS(await(m_provider->create(wanted, {}, {})), ErrorKind::Unsupported);
    QCOMPARE(m_service.requests().size(), std::size_t(0));
}

void TestDaytonaService::createSaysWhatIsWrong()
{
    auto wanted = m_service.request("wrong");
    wanted.overrides = {{QStringLiteral("snapshot"), QStringLiteral("nope")}};
    const auto unknown = await(m_provider->create(wanted, {}, {}));
    BERTH_FAILS(unknown, ErrorKind::InvalidInput);
    QVERIFY(unknown.error().detail.contains(QLatin1String("nope")));
    wanted.overrides = {{QStringLiteral("image"), QStringLiteral("ubuntu:24.04")},
                        {QStringLiteral("cpu"), QStringLiteral("8")}};
    BERTH_FAILS(await(m_provider->create(wanted, {}, {})), ErrorKind::Quota);
    const auto elsewhere =
        m_service.makeProvider({{QStringLiteral("target"), QStringLiteral("moon")}});
    BERTH_FAILS(await(elsewhere->create(m_service.request("moon"), {}, {})),
                ErrorKind::InvalidInput);
    const CorePtr core = m_service.makeCore(m_service.installation);
    core->api->key = domain::Secret(QByteArrayLiteral("dtn_read"));
    m_service.knobs(
        {{"keys",
          {{kDaytonaKey, {"write:sandboxes", "delete:sandboxes"}}, {"dtn_read", json::array()}}}});
    DaytonaProvider reader(core);
    const auto forbidden = await(reader.create(m_service.request("reader"), {}, {}));
    BERTH_FAILS(forbidden, ErrorKind::Forbidden);
    QVERIFY(forbidden.error().detail.contains(QLatin1String("write:sandboxes")));
}

void TestDaytonaService::brokenSandboxIsRemoved()
{
    m_service.knobs({{"createFails", "start"}});
    const auto made = await(m_provider->create(m_service.request("broken"), {}, {}), 60s);
    BERTH_FAILS(made, ErrorKind::InvalidInput);
    QVERIFY(made.error().detail.contains(QLatin1String("timeout while starting")));
    QCOMPARE(m_service.asked("POST", "/api/sandbox"), 1);
    QCOMPARE(m_service.asked("DELETE", "/api/sandbox/"), 1);
}

void TestDaytonaService::failedBuildIsRemoved()
{
    m_service.knobs({{"createFails", "build"}});
    auto wanted = m_service.request("build");
    wanted.overrides = {{QStringLiteral("image"), QStringLiteral("ubuntu:24.04")}};
    QStringList told;
    const domain::ProgressSink progress = [&told](const domain::Progress &one) {
        told << one.what;
    };
    const auto made = await(m_provider->create(wanted, progress, {}), 60s);
    BERTH_FAILS(made, ErrorKind::Conflict);
    QVERIFY(made.error().detail.contains(QLatin1String("build failed")));
    QVERIFY(told.contains(QStringLiteral("Building the image")));
    QCOMPARE(m_service.asked("DELETE", "/api/sandbox/"), 1);
}

void TestDaytonaService::targetIsSentOnlyWhenSet()
{
    const auto bodyOf = [this] {
        json found;
        for (const json &one : m_service.requests()) {
            if (one["method"] == "POST" && one["target"] == "/api/sandbox")
                found = one["json"];
        }
        return found;
    };
    const auto plain = create("plain");
    BERTH_OK(plain);
    QVERIFY(!bodyOf().contains("target"));
    BERTH_OK(await(m_provider->destroy(plain->externalId, {}), 30s));
    const auto european =
        m_service.makeProvider({{QStringLiteral("target"), QStringLiteral("eu")}});
    const auto made = await(european->create(m_service.request("eu"), {}, {}), 30s);
    BERTH_OK(made);
    QCOMPARE(bodyOf()["target"].get<std::string>(), std::string("eu"));
    BERTH_OK(await(european->destroy(made->externalId, {}), 30s));
}

void TestDaytonaService::listThatLags()
{
    m_service.knobs({{"listLagMs", 60000}});
    const auto made = create("late");
    BERTH_OK(made);
    const auto all = await(m_provider->list({}));
    BERTH_OK(all);
    QCOMPARE(all->size(), 1);
    QCOMPARE(all->first().externalId, made->externalId);
    BERTH_OK(await(m_provider->destroy(made->externalId, {}), 30s));
    const auto none = await(m_provider->list({}));
    BERTH_OK(none);
    QCOMPARE(none->size(), 0);
}

void TestDaytonaService::olderServers()
{
    const domain::ExternalId id = m_service.shared();
    for (const char *style : {"array", "pages"}) {
        m_service.knobs({{"listStyle", style}, {"newRoutes", false}});
        const auto all = await(m_provider->list({}));
        BERTH_OK(all);
        QVERIFY2(std::any_of(all->begin(), all->end(),
                             [&id](const auto &one) { return one.externalId == id; }),
                 style);
    }
    m_service.knobs(
        {{"clearRequests", true},
         {"faults",
          json::array(
              {{{"match", "telemetry"}, {"status", 404}, {"body", "404 page not found"}}})}});
    for (int i = 0; i < 3; ++i) {
        const auto sample = await(m_provider->metrics(id, {}));
        BERTH_OK(sample);
        QVERIFY(!sample->memoryBytes && !sample->cpuCores);
        QCOMPARE(sample->memoryLimitBytes, std::optional(qint64(1) << 30));
    }
    // What is not there is not asked for again and again.
    QCOMPARE(m_service.asked("GET", "telemetry"), 1);
    const auto connection = await(m_provider->connect(id, {}));
    BERTH_OK(connection);
    QCOMPARE(test::run((*connection)->shell(), "echo old").out, QByteArrayLiteral("old\n"));
}

void TestDaytonaService::changesThatCollide()
{
    const auto made = create("collide");
    BERTH_OK(made);
    const domain::ExternalId id = made->externalId;
    const json collision = {
        {"match", "^(POST|DELETE)"},
        {"status", 409},
        {"times", 3},
        {"body", {{"statusCode", 409}, {"message", "Sandbox state change in progress"}}}};
    m_service.fault(collision);
    BERTH_OK(await(m_provider->pause(id, {}), 30s));
    m_service.fault(collision);
    BERTH_OK(await(m_provider->resume(id, {}), 30s));
    // Both at once: whoever comes second finds it done.
    const auto first = std::make_shared<test::detail::Landing<domain::Result<void>>>();
    test::detail::land(m_provider->pause(id, {}), first);
    BERTH_OK(await(m_provider->pause(id, {}), 30s));
    QVERIFY(test::waitUntil([&first] { return first->value.has_value(); }, 5s));
    BERTH_OK(*first->value);
    m_service.fault(collision);
    BERTH_OK(await(m_provider->destroy(id, {}), 30s));
    BERTH_FAILS(await(m_provider->inspect(id, {})), ErrorKind::NotFound);
    // The service says 404 to a delete that somebody else was quicker with.
    BERTH_OK(await(m_provider->destroy(id, {}), 30s));
}

void TestDaytonaService::archivedIsStarted()
{
    const auto soon = m_service.makeProvider(
        {{QStringLiteral("auto_archive_interval_minutes"), QStringLiteral("1")}});
    const auto made = await(soon->create(m_service.request("archive"), {}, {}), 30s);
    BERTH_OK(made);
    const domain::ExternalId id = made->externalId;
    BERTH_OK(await(soon->pause(id, {}), 30s));
    m_service.knobs({{"minuteMs", 50}});
    QVERIFY(test::waitUntil(
        [&] { return await(soon->inspect(id, {}))->state == ObservedState::Archived; }, 10s));
    m_service.knobs({{"minuteMs", 60000}, {"stateMs", 300}});
    const auto landing = std::make_shared<test::detail::Landing<domain::Result<void>>>();
    test::detail::land(soon->resume(id, {}), landing);
    bool restoring = false;
    QVERIFY(test::waitUntil(
        [&] {
            const auto now = await(soon->inspect(id, {}));
            restoring = restoring
                || (now && now->stateDetail.contains(QLatin1String("Restoring"))
                    && now->state == ObservedState::Starting);
            return landing->value.has_value();
        },
        20s));
    BERTH_OK(*landing->value);
    QVERIFY2(restoring, "nothing told that it was being restored");
    QCOMPARE(await(soon->inspect(id, {}))->state, ObservedState::Running);
    m_service.knobs({{"stateMs", 60}});
    BERTH_OK(await(soon->destroy(id, {}), 30s));
}

void TestDaytonaService::failedIsRecovered()
{
    const domain::ExternalId id = m_service.shared();
    const json failed = {
        {"match", "GET /api/sandbox/"},
        {"times", 2},
        {"merge",
         {{"state", "error"}, {"recoverable", true}, {"errorReason", "no space left on device"}}}};
    const json recovered = {
        {"match", "POST .*/recover"}, {"status", 200}, {"body", json::object()}};
    m_service.knobs({{"faults", json::array({failed, recovered})}});
    const auto seen = await(m_provider->inspect(id, {}));
    BERTH_OK(seen);
    QCOMPARE(seen->state, ObservedState::Error);
    QVERIFY(seen->stateDetail.contains(QLatin1String("no space left")));
    BERTH_OK(await(m_provider->resume(id, {}), 20s));
    QCOMPARE(m_service.asked("POST", "/recover"), 1);
    json final = failed;
    final["merge"]["recoverable"] = false;
    final["times"] = 9;
    m_service.knobs({{"clearRequests", true}, {"faults", json::array({final})}});
    const auto refused = await(m_provider->resume(id, {}), 20s);
    BERTH_FAILS(refused, ErrorKind::Conflict);
    QVERIFY(refused.error().detail.contains(QLatin1String("no space left")));
    QCOMPARE(m_service.asked("POST", "/"), 0);
}

void TestDaytonaService::ephemeralIsNotStopped()
{
    const domain::ExternalId id = m_service.shared();
    m_service.fault({{"match", "GET /api/sandbox/"}, {"merge", {{"autoDeleteInterval", 0}}}});
    BERTH_FAILS(await(m_provider->pause(id, {}), 20s), ErrorKind::Unsupported);
    QCOMPARE(m_service.asked("POST", "/stop"), 0);
}

//! Ten minutes of a Resources page that looks every five seconds.
void TestDaytonaService::watchingIsFree()
{
    const domain::ExternalId id = m_service.shared();
    m_service.knobs({{"clearRequests", true}});
    for (int i = 0; i < 120; ++i) {
        BERTH_OK(await(m_provider->list({})));
        BERTH_OK(await(m_provider->inspect(id, {})));
        BERTH_OK(await(m_provider->metrics(id, {})));
    }
    for (const json &one : m_service.requests()) {
        QCOMPARE(one["surface"].get<std::string>(), std::string("api"));
        QCOMPARE(one["method"].get<std::string>(), std::string("GET"));
    }
}

QTEST_GUILESS_MAIN(TestDaytonaService)
#include "test_daytona_service.moc"
