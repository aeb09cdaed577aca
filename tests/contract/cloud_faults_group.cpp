// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "contract/cloud_faults_group.h"

#include "contract/sandbox_under_test.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace std::chrono_literals;

namespace berth::contract {

using domain::ErrorKind;
using domain::ExternalId;
using domain::Instance;
using domain::OutcomeKind;
using test::await;
using test::shellCommand;
using test::told;

bool CloudFixture::inject(CloudCall call, CloudFault fault, int skip, int times)
{
    const QByteArray match = matchOf(call);
    if (match.isEmpty())
        return false;
    QByteArray words = wordsOf(fault);
    if (words.isEmpty()) {
        switch (fault) {
        case CloudFault::Unauthorized:
            words = "\"status\":401";
            break;
        case CloudFault::Forbidden:
            words = "\"status\":403";
            break;
        case CloudFault::NotFound:
            words = "\"status\":404";
            break;
        case CloudFault::NotFoundUnsure:
            words = R"("status":404,"body":"<html>Not Found</html>","contentType":"text/html")";
            break;
        case CloudFault::Conflict:
            words = "\"status\":409";
            break;
        case CloudFault::RateLimited:
            words = R"("status":429,"headers":{"Retry-After":"1"})";
            break;
        case CloudFault::RateLimitedNoTime:
            words = "\"status\":429";
            break;
        case CloudFault::ServerError:
            words = "\"status\":503";
            break;
        case CloudFault::WrongAnswer:
            words = "\"wrongJson\":true";
            break;
        case CloudFault::Stall:
            words = "\"stall\":true";
            break;
        case CloudFault::Reset:
            words = "\"reset\":true";
            break;
        case CloudFault::LostAnswer:
            words = "\"loseAnswer\":true";
            break;
        case CloudFault::UnknownMembers:
            words = "\"extra\":true";
            break;
        case CloudFault::UnknownState:
            return false;
        }
    }
    QByteArray json = "{\"addFaults\":[{\"match\":"
        + QByteArray::fromStdString(nlohmann::json(match.toStdString()).dump()) + ',' + words;
    if (skip > 0)
        json += ",\"skip\":" + QByteArray::number(skip);
    if (times >= 0)
        json += ",\"times\":" + QByteArray::number(times);
    return service().setKnobs(json + "}]}");
}

void CloudFixture::heal()
{
    service().setKnobs(R"({"faults":[]})");
}

bool CloudFixture::breakStream(bool silent, qint64 bytes, int times)
{
    const QByteArray match = matchOfStream();
    if (match.isEmpty())
        return false;
    return service().setKnobs(
        "{\"addFaults\":[{\"match\":"
        + QByteArray::fromStdString(nlohmann::json(match.toStdString()).dump()) + ",\""
        + (silent ? "stallAfter" : "cutAfter") + "\":" + QByteArray::number(bytes)
        + ",\"times\":" + QByteArray::number(times) + "}]}");
}

namespace {

const char *nameOf(CloudCall call)
{
    switch (call) {
    case CloudCall::List:
        return "list";
    case CloudCall::Inspect:
        return "inspect";
    case CloudCall::Create:
        return "create";
    case CloudCall::Pause:
        return "pause";
    case CloudCall::Resume:
        return "resume";
    case CloudCall::Destroy:
        return "destroy";
    case CloudCall::Metrics:
        return "metrics";
    }
    return "";
}

} // namespace

//! Trouble at the service, on the way, and in what it says.
class CloudFaultsGroup : public QObject
{
    Q_OBJECT
public:
    explicit CloudFaultsGroup(CloudFixture &fixture) : m_fixture(fixture), m_sandbox(fixture) {}

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void cleanup() { m_fixture.heal(); }

    void refusals_data();
    void refusals();
    void passingTrouble_data();
    void passingTrouble();
    void stateThatNobodyKnows();
    void membersThatNobodyKnows();
    void lostAnswerOfCreate_data();
    void lostAnswerOfCreate();
    void failedPage();
    void streamCutAtEveryByte();
    void silentStream();
    void watchingResourcesAsksNoSandbox();

private:
    [[nodiscard]] domain::Provider &provider() const { return m_sandbox.provider(); }
    //! The error of the operation that makes \a call; nullopt: it worked.
    std::optional<domain::Error> errorOf(CloudCall call);
    //! Neither key nor token in what is told.
    [[nodiscard]] bool isClean(const domain::Error &error) const;
    //! So many requests of which the line "METHOD path" begins so.
    [[nodiscard]] int countOn(const QStringList &listeners);

    CloudFixture &m_fixture;
    SandboxUnderTest m_sandbox;
    ExternalId m_id;
};

void CloudFaultsGroup::initTestCase()
{
    BERTH_OPEN(m_sandbox);
    const auto instance = m_sandbox.create(QStringLiteral("faults"));
    BERTH_OK(instance);
    m_id = instance->externalId;
}

void CloudFaultsGroup::cleanupTestCase()
{
    m_fixture.heal();
    m_sandbox.close();
}

std::optional<domain::Error> CloudFaultsGroup::errorOf(CloudCall call)
{
    const auto errorIn = [](const auto &result) {
        return result ? std::nullopt : std::optional(result.error());
    };
    switch (call) {
    case CloudCall::List:
        return errorIn(await(provider().list({}), 60s));
    case CloudCall::Inspect:
        return errorIn(await(provider().inspect(m_id, {}), 60s));
    case CloudCall::Create:
        return errorIn(
            await(provider().create(m_sandbox.request(QStringLiteral("refused")), {}, {}), 60s));
    case CloudCall::Pause:
        return errorIn(await(provider().pause(m_id, {}), 60s));
    case CloudCall::Resume:
        return errorIn(await(provider().resume(m_id, {}), 60s));
    case CloudCall::Destroy:
        return errorIn(await(provider().destroy(m_id, {}), 60s));
    case CloudCall::Metrics:
        return errorIn(await(provider().metrics(m_id, {}), 60s));
    }
    return std::nullopt;
}

bool CloudFaultsGroup::isClean(const domain::Error &error) const
{
    const QByteArray said = (error.message + error.detail).toUtf8();
    return !said.contains(m_fixture.canary()) && !error.message.isEmpty();
}

void CloudFaultsGroup::refusals_data()
{
    QTest::addColumn<CloudCall>("call");
    QTest::addColumn<CloudFault>("fault");
    QTest::addColumn<QList<ErrorKind>>("kinds");
    using Kinds = QList<ErrorKind>;
    const Kinds away{ErrorKind::Unavailable, ErrorKind::Timeout};
    const QList<std::tuple<const char *, CloudFault, Kinds>> faults{
        {"401", CloudFault::Unauthorized, {ErrorKind::Unauthorized}},
        {"403", CloudFault::Forbidden, {ErrorKind::Forbidden}},
        {"404 of somebody else",
         CloudFault::NotFoundUnsure,
         {ErrorKind::Protocol, ErrorKind::Unavailable, ErrorKind::Timeout}},
        {"429 without a time", CloudFault::RateLimitedNoTime, {ErrorKind::RateLimited}},
        {"503", CloudFault::ServerError, away},
        {"wrong answer", CloudFault::WrongAnswer, {ErrorKind::Protocol}},
        {"stall", CloudFault::Stall, away},
        {"reset", CloudFault::Reset, away},
    };
    for (const auto &[name, fault, kinds] : faults) {
        for (const CloudCall call :
             {CloudCall::List, CloudCall::Inspect, CloudCall::Create, CloudCall::Metrics,
              CloudCall::Pause, CloudCall::Resume, CloudCall::Destroy}) {
            // Answers to these have no content that could be wrong.
            const bool silent =
                call == CloudCall::Pause || call == CloudCall::Destroy || call == CloudCall::Resume;
            if (silent && fault == CloudFault::WrongAnswer)
                continue;
            // These take long, and one of each kind of call shows it.
            if (fault == CloudFault::Stall && call != CloudCall::Inspect
                && call != CloudCall::Create)
                continue;
            QTest::addRow("%s: %s", nameOf(call), name) << call << fault << kinds;
        }
    }
}

void CloudFaultsGroup::refusals()
{
    QFETCH(CloudCall, call);
    QFETCH(CloudFault, fault);
    QFETCH(QList<ErrorKind>, kinds);
    // One that runs already need not be asked to.
    if (call == CloudCall::Resume)
        BERTH_OK(await(provider().pause(m_id, {}), 60s));
    if (!m_fixture.inject(call, fault, 0, -1))
        QSKIP("this service has no such call or fault");
    const std::optional<domain::Error> error = errorOf(call);
    m_fixture.heal();
    if (!error && call == CloudCall::Metrics)
        QSKIP("measured in another way here");
    QVERIFY2(error, "it worked");
    QVERIFY2(kinds.contains(error->kind),
             told(domain::Result<void>(domain::failure(*error))).constData());
    QVERIFY(isClean(*error));
    // Nothing was concluded from it.
    const auto after = await(provider().inspect(m_id, {}), 60s);
    BERTH_OK(after);
    if (after->state == domain::ObservedState::Paused)
        BERTH_OK(await(provider().resume(m_id, {}), 60s));
}

void CloudFaultsGroup::passingTrouble_data()
{
    QTest::addColumn<CloudFault>("fault");
    QTest::newRow("429 with a time") << CloudFault::RateLimited;
    QTest::newRow("503") << CloudFault::ServerError;
    QTest::newRow("reset") << CloudFault::Reset;
    QTest::newRow("lost answer") << CloudFault::LostAnswer;
}

void CloudFaultsGroup::passingTrouble()
{
    QFETCH(CloudFault, fault);
    for (const CloudCall call : {CloudCall::List, CloudCall::Inspect, CloudCall::Resume}) {
        if (!m_fixture.inject(call, fault, 0, 1))
            QSKIP("this service has no such fault");
        const std::optional<domain::Error> error = errorOf(call);
        m_fixture.heal();
        QVERIFY2(!error,
                 error ? (QByteArray(nameOf(call)) + ": "
                          + told(domain::Result<void>(domain::failure(*error))))
                             .constData()
                       : "");
    }
}

void CloudFaultsGroup::stateThatNobodyKnows()
{
    if (!m_fixture.inject(CloudCall::Inspect, CloudFault::UnknownState, 0, -1)
        || !m_fixture.inject(CloudCall::List, CloudFault::UnknownState, 0, -1))
        QSKIP("this fixture knows no such state");
    const auto instance = await(provider().inspect(m_id, {}));
    BERTH_OK(instance);
    QCOMPARE(instance->state, domain::ObservedState::Unknown);
    const auto all = await(provider().list({}));
    BERTH_OK(all);
    QVERIFY(std::any_of(all->begin(), all->end(),
                        [this](const Instance &one) { return one.externalId == m_id; }));
}

void CloudFaultsGroup::membersThatNobodyKnows()
{
    for (const CloudCall call :
         {CloudCall::List, CloudCall::Inspect, CloudCall::Create, CloudCall::Pause,
          CloudCall::Resume, CloudCall::Destroy, CloudCall::Metrics}) {
        if (!m_fixture.inject(call, CloudFault::UnknownMembers, 0, -1) && call == CloudCall::List)
            QSKIP("this service has no such fault");
    }
    const auto made = m_sandbox.create(QStringLiteral("members"));
    BERTH_OK(made);
    const ExternalId id = made->externalId;
    BERTH_OK(await(provider().list({})));
    BERTH_OK(await(provider().metrics(id, {})));
    {
        const auto connection = m_sandbox.connect(id);
        BERTH_OK(connection);
        QCOMPARE(test::run((*connection)->shell(), "echo fine").out, QByteArrayLiteral("fine\n"));
    }
    if (provider().capabilities().has(domain::Capability::Pause)) {
        BERTH_OK(await(provider().pause(id, {}), 60s));
        BERTH_OK(await(provider().resume(id, {}), 60s));
    }
    BERTH_OK(await(provider().destroy(id, {}), 60s));
}

void CloudFaultsGroup::lostAnswerOfCreate_data()
{
    QTest::addColumn<CloudFault>("fault");
    QTest::newRow("lost answer") << CloudFault::LostAnswer;
    QTest::newRow("wrong answer") << CloudFault::WrongAnswer;
}

//! It is told as not known, is not asked again, and what was made is found by its token.
void CloudFaultsGroup::lostAnswerOfCreate()
{
    QFETCH(CloudFault, fault);
    if (!m_fixture.inject(CloudCall::Create, fault, 0, 1))
        QSKIP("this service has no such fault");
    const domain::CreateRequest request = m_sandbox.request(QStringLiteral("lost-answer"));
    const auto created = await(provider().create(request, {}, {}), 60s);
    m_fixture.heal();
    QVERIFY(!created);
    QVERIFY2(created.error().kind == ErrorKind::Unavailable
                 || created.error().kind == ErrorKind::Timeout
                 || created.error().kind == ErrorKind::Protocol,
             told(created).constData());
    const auto all = await(provider().list({}));
    BERTH_OK(all);
    QList<ExternalId> found;
    for (const Instance &one : *all) {
        if (one.labels.instance == request.labels.instance)
            found << one.externalId;
    }
    QCOMPARE(found.size(), 1);
    BERTH_OK(await(provider().destroy(found.first(), {}), 60s));
}

void CloudFaultsGroup::failedPage()
{
    const int count = m_fixture.threePages();
    if (count <= 0)
        QSKIP("lists have one page here");
    QList<ExternalId> made;
    for (int i = 0; i < count; ++i) {
        const auto one = m_sandbox.create(QStringLiteral("page-%1").arg(i));
        BERTH_OK(one);
        made << one->externalId;
    }
    const auto whole = await(provider().list({}));
    BERTH_OK(whole);
    for (const ExternalId &id : std::as_const(made))
        QVERIFY(std::any_of(whole->begin(), whole->end(),
                            [&id](const Instance &one) { return one.externalId == id; }));

    // The second page fails for good: a part is not the whole, and what is missing is not gone.
    QVERIFY(m_fixture.inject(CloudCall::List, CloudFault::ServerError, 1, -1));
    const auto part = await(provider().list({}), 60s);
    m_fixture.heal();
    QVERIFY2(!part, "a part of the list was told as the whole");
    QVERIFY(part.error().kind == ErrorKind::Unavailable || part.error().kind == ErrorKind::Timeout);

    // It fails once.
    QVERIFY(m_fixture.inject(CloudCall::List, CloudFault::ServerError, 1, 1));
    const auto again = await(provider().list({}), 60s);
    m_fixture.heal();
    BERTH_OK(again);
    QCOMPARE(again->size(), whole->size());
    for (const ExternalId &id : std::as_const(made))
        BERTH_OK(await(provider().destroy(id, {}), 60s));
}

//! Whatever arrives is told as it is, no command is run twice, and an end that nobody has seen is
//! not made up.
void CloudFaultsGroup::streamCutAtEveryByte()
{
    auto connection = m_sandbox.connect(m_id);
    BERTH_OK(connection);
    if (!m_fixture.breakStream(false, 0, 0))
        QSKIP("commands have no stream here");
    m_fixture.heal();
    int lost = 0;
    int ended = 0;
    // Each place of the first message, and some of the others.
    for (qint64 bytes = 0; bytes < 420; bytes += bytes < 45 ? 1 : 11) {
        if (!(*connection)->isOpen()) {
            connection = m_sandbox.connect(m_id);
            BERTH_OK(connection);
        }
        QVERIFY(m_fixture.breakStream(false, bytes, 1));
        const QByteArray number = QByteArray::number(bytes);
        const test::Finished finished = test::run(
            (*connection)->shell(), "echo run >>ran-" + number + "; printf hello; exit 3");
        m_fixture.heal();
        QVERIFY2(QByteArray("hello").startsWith(finished.out), told(finished).constData());
        if (finished.outcome.kind == OutcomeKind::Exited) {
            ++ended;
            QVERIFY2(finished.outcome.code == 3, told(finished).constData());
            // What is missing is told.
            QVERIFY2(finished.out == "hello" || !finished.outcome.detail.isEmpty(),
                     told(finished).constData());
        } else {
            ++lost;
            QVERIFY2(finished.outcome.kind == OutcomeKind::TransportLost
                         || finished.outcome.kind == OutcomeKind::NotStarted,
                     told(finished).constData());
            QVERIFY(!finished.outcome.detail.isEmpty());
        }
    }
    QVERIFY2(lost > 0 && ended > 0, QByteArray::number(lost).constData());
    connection = m_sandbox.connect(m_id);
    BERTH_OK(connection);
    const test::Finished twice =
        test::run((*connection)->shell(),
                  "for f in ran-*; do [ \"$(wc -l <$f)\" -le 1 ] || echo \"$f\"; done");
    QVERIFY2(twice.out.isEmpty(), told(twice).constData());
}

void CloudFaultsGroup::silentStream()
{
    const auto connection = m_sandbox.connect(m_id);
    BERTH_OK(connection);
    if (!m_fixture.breakStream(true, 45, 1))
        QSKIP("commands have no stream here");
    const auto run = test::start((*connection)->shell(), shellCommand("sleep 1; echo end"));
    m_fixture.heal();
    if (!run)
        return; // it was not told as started, and is not run again
    QVERIFY2(run->waitForEnd(30s), "nobody noticed that nothing comes any more");
    if (run->outcome().kind == OutcomeKind::Exited)
        QCOMPARE(run->outcome().code, 0);
    else
        QCOMPARE(run->outcome().kind, OutcomeKind::TransportLost);
}

int CloudFaultsGroup::countOn(const QStringList &listeners)
{
    int count = 0;
    const nlohmann::json requests = m_fixture.service().requests();
    for (const nlohmann::json &request : requests) {
        const QString surface = QString::fromStdString(request.value("surface", std::string()));
        count += listeners.contains(surface) ? 1 : 0;
    }
    return count;
}

//! What ten minutes of Resources ask: a list each ten seconds, and each sample that its cards show.
void CloudFaultsGroup::watchingResourcesAsksNoSandbox()
{
    QVERIFY(m_fixture.service().setKnobs(R"({"clearRequests":true})"));
    for (int second = 0; second < 600; second += 10) {
        BERTH_OK(await(provider().list({})));
        BERTH_OK(await(provider().metrics(m_id, {})));
        if (second % 60 == 0)
            BERTH_OK(await(provider().inspect(m_id, {})));
    }
    QCOMPARE(countOn(m_fixture.dataPlane()), 0);
}

int runCloudFaultsGroup(CloudFixture &fixture, const QStringList &arguments)
{
    fixture.beImpatient();
    CloudFaultsGroup group(fixture);
    return QTest::qExec(&group, arguments);
}

int runCloudSuite(CloudFixture &fixture, int argc, char **argv)
{
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    if (arguments.size() > 1 && arguments.at(1) == QLatin1String("faults")) {
        arguments.removeAt(1);
        return runCloudFaultsGroup(fixture, arguments);
    }
    const int failures = runContractSuite(fixture, argc, argv);
    if (arguments.size() > 1 && !arguments.at(1).startsWith(QLatin1Char('-')))
        return failures;
    return failures + runCloudFaultsGroup(fixture, arguments);
}

} // namespace berth::contract

#include "cloud_faults_group.moc"
