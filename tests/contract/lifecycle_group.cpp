// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "contract/sandbox_under_test.h"

#include <algorithm>

using namespace std::chrono_literals;

namespace berth::contract {

using domain::Capability;
using domain::ErrorKind;
using domain::ExternalId;
using domain::Instance;
using domain::ObservedState;
using domain::OutcomeKind;
using test::await;
using test::shellCommand;
using test::told;

//! Making, finding again, pausing, resuming, measuring and destroying.
class LifecycleGroup : public QObject
{
    Q_OBJECT
public:
    explicit LifecycleGroup(Fixture &fixture) : m_sandbox(fixture) {}

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();

    void capabilitiesAreExplained();
    void checkTellsItsSteps();
    void labelsComeBack();
    void takenNameGetsASuffix();
    void stoppedCreateLeavesNothing();
    void adopt();
    void connectionIsShared();
    void twoInstallations();
    void pauseAndResume();
    void runningCommandAtPause();
    void metrics();
    void destroy();
    void unknownIds_data();
    void unknownIds();

private:
    [[nodiscard]] domain::Provider &provider() const { return m_sandbox.provider(); }
    //! Nothing when the list fails or does not hold it.
    std::optional<Instance> listed(domain::Provider &by, const ExternalId &id);
    ObservedState stateOf(const ExternalId &id);

    SandboxUnderTest m_sandbox;
};

void LifecycleGroup::initTestCase()
{
    BERTH_OPEN(m_sandbox);
}

void LifecycleGroup::cleanupTestCase()
{
    m_sandbox.close();
}

std::optional<Instance> LifecycleGroup::listed(domain::Provider &by, const ExternalId &id)
{
    const domain::Result<QList<Instance>> all = await(by.list({}));
    if (!all) {
        qWarning("list: %s", told(all).constData());
        return std::nullopt;
    }
    const auto it = std::find_if(all->begin(), all->end(),
                                 [&id](const Instance &one) { return one.externalId == id; });
    return it == all->end() ? std::nullopt : std::optional(*it);
}

ObservedState LifecycleGroup::stateOf(const ExternalId &id)
{
    const domain::Result<Instance> instance = await(provider().inspect(id, {}));
    if (!instance) {
        qWarning("inspect: %s", told(instance).constData());
        return ObservedState::Unknown;
    }
    return instance->state;
}

void LifecycleGroup::capabilitiesAreExplained()
{
    const domain::Capabilities capabilities = provider().capabilities();
    for (const Capability one : {Capability::Execute, Capability::Pause, Capability::Resume})
        QVERIFY2(capabilities.has(one), qPrintable(capabilities.reasonAgainst(one)));
    QCOMPARE(capabilities.has(Capability::ProcessesSurvivePause),
             m_sandbox.fixture().traits().processesSurvivePause);
    for (const Capability one :
         {Capability::Metrics, Capability::Terminal, Capability::ProcessesSurvivePause,
          Capability::ProcessesSurviveRestart})
        QCOMPARE(capabilities.reasonAgainst(one).isEmpty(), capabilities.has(one));
}

void LifecycleGroup::checkTellsItsSteps()
{
    QList<domain::HealthStep> told;
    const auto report =
        await(provider().check([&told](const domain::HealthStep &step) { told << step; }, {}), 60s);
    BERTH_OK(report);
    QVERIFY2(report->ok, report->error ? qPrintable(report->error->message) : "no error told");
    QVERIFY(!report->error.has_value());
    QVERIFY(!report->summary.isEmpty());
    QVERIFY(report->steps.size() >= 2);
    QCOMPARE(told, report->steps);
    for (const domain::HealthStep &step : std::as_const(told))
        QVERIFY(!step.name.isEmpty());
}

void LifecycleGroup::labelsComeBack()
{
    const domain::CreateRequest request = m_sandbox.request(QStringLiteral("labels"));
    const QDateTime before = QDateTime::currentDateTimeUtc().addSecs(-2);
    const auto created = await(provider().create(request, {}, {}), 90s);
    BERTH_OK(created);
    QVERIFY(!created->externalId.isNull());
    QCOMPARE(created->name, request.name);
    QCOMPARE(created->labels, request.labels);
    QCOMPARE(created->state, ObservedState::Running);
    const auto inspected = await(provider().inspect(created->externalId, {}));
    BERTH_OK(inspected);
    const std::optional<Instance> inList = listed(provider(), created->externalId);
    QVERIFY(inList.has_value());
    for (const Instance &one : {*inspected, *inList}) {
        QCOMPARE(one.externalId, created->externalId);
        QCOMPARE(one.labels, request.labels);
        QCOMPARE(one.name, created->name);
        QCOMPARE(one.state, ObservedState::Running);
        QVERIFY(one.createdAt >= before
                && one.createdAt <= QDateTime::currentDateTimeUtc().addSecs(2));
    }
    BERTH_OK(await(provider().destroy(created->externalId, {})));
}

void LifecycleGroup::takenNameGetsASuffix()
{
    domain::CreateRequest request = m_sandbox.request(QStringLiteral("twin"));
    const auto first = await(provider().create(request, {}, {}), 90s);
    BERTH_OK(first);
    request.labels.instance = domain::InstanceId::create();
    const auto second = await(provider().create(request, {}, {}), 90s);
    BERTH_OK(second);
    QVERIFY(second->externalId != first->externalId);
    QVERIFY(second->name != first->name);
    QVERIFY2(second->name.startsWith(request.name + QLatin1Char('-')), qPrintable(second->name));
    BERTH_OK(await(provider().destroy(second->externalId, {})));
    QCOMPARE(stateOf(first->externalId), ObservedState::Running);
    BERTH_OK(await(provider().destroy(first->externalId, {})));
}

void LifecycleGroup::stoppedCreateLeavesNothing()
{
    std::stop_source stop;
    stop.request_stop();
    const domain::CreateRequest request = m_sandbox.request(QStringLiteral("stopped"));
    BERTH_FAILS(await(provider().create(request, {}, stop.get_token()), 90s), ErrorKind::Cancelled);
    const auto all = await(provider().list({}));
    BERTH_OK(all);
    for (const Instance &one : *all)
        QVERIFY(one.labels.instance != request.labels.instance);
}

void LifecycleGroup::adopt()
{
    const auto created = m_sandbox.create(QStringLiteral("adopted"));
    BERTH_OK(created);
    {
        const auto connection = m_sandbox.connect(created->externalId);
        BERTH_OK(connection);
        QCOMPARE(test::run((*connection)->shell(), "echo before > kept; sync").outcome.code, 0);
    }
    const std::unique_ptr<domain::Provider> other =
        m_sandbox.fixture().makeProvider(m_sandbox.installation());
    const std::optional<Instance> found = listed(*other, created->externalId);
    QVERIFY(found.has_value());
    QCOMPARE(found->labels, created->labels);
    if (found->state != ObservedState::Running)
        BERTH_OK(await(other->resume(found->externalId, {})));
    const auto connection = await(other->connect(found->externalId, {}));
    BERTH_OK(connection);
    const test::Finished finished =
        test::run((*connection)->shell(), "cat kept; echo after > kept2");
    QVERIFY2(finished.out == "before\n", told(finished).constData());
    const auto back =
        await((*connection)->fs().read(m_sandbox.fixture().traits().home + "/kept2", 0, 100, {}));
    BERTH_OK(back);
    QCOMPARE(*back, QByteArrayLiteral("after\n"));
    BERTH_OK(await(provider().destroy(created->externalId, {})));
}

void LifecycleGroup::connectionIsShared()
{
    const auto created = m_sandbox.create(QStringLiteral("shared"));
    BERTH_OK(created);
    const auto first = m_sandbox.connect(created->externalId);
    BERTH_OK(first);
    auto second = m_sandbox.connect(created->externalId);
    BERTH_OK(second);
    const auto command = test::start((*first)->shell(), shellCommand("sleep 1; echo end"));
    QVERIFY(command);
    (*second).reset();
    QVERIFY(command->waitForEnd(10s));
    QCOMPARE(command->out, QByteArrayLiteral("end\n"));
    BERTH_OK(await(provider().destroy(created->externalId, {})));
    QVERIFY(test::waitUntil([&first] { return !(*first)->isOpen(); }, 5s));
}

void LifecycleGroup::twoInstallations()
{
    const auto mine = m_sandbox.create(QStringLiteral("mine"));
    BERTH_OK(mine);
    SandboxUnderTest neighbour(m_sandbox.fixture());
    QCOMPARE(neighbour.open(), QString());
    const auto theirs = neighbour.create(QStringLiteral("mine"));
    BERTH_OK(theirs);
    for (domain::Provider *by : {&provider(), &neighbour.provider()}) {
        const std::optional<Instance> seenMine = listed(*by, mine->externalId);
        const std::optional<Instance> seenTheirs = listed(*by, theirs->externalId);
        QVERIFY(seenMine.has_value() && seenTheirs.has_value());
        QCOMPARE(seenMine->labels.installation, m_sandbox.installation());
        QCOMPARE(seenTheirs->labels.installation, neighbour.installation());
    }
    neighbour.close();
    QCOMPARE(stateOf(mine->externalId), ObservedState::Running);
    BERTH_OK(await(provider().destroy(mine->externalId, {})));
}

void LifecycleGroup::pauseAndResume()
{
    const auto created = m_sandbox.create(QStringLiteral("pause"));
    BERTH_OK(created);
    const ExternalId id = created->externalId;
    BERTH_OK(await(provider().resume(id, {})));
    {
        const auto connection = m_sandbox.connect(id);
        BERTH_OK(connection);
        QCOMPARE(test::run((*connection)->shell(), "echo kept > file").outcome.code, 0);
    }
    BERTH_OK(await(provider().pause(id, {})));
    QCOMPARE(stateOf(id), ObservedState::Paused);
    BERTH_OK(await(provider().pause(id, {})));
    QCOMPARE(stateOf(id), ObservedState::Paused);
    const std::optional<Instance> paused = listed(provider(), id);
    QVERIFY(paused.has_value());
    QCOMPARE(paused->state, ObservedState::Paused);
    QCOMPARE(paused->labels, created->labels);

    BERTH_OK(await(provider().resume(id, {})));
    QCOMPARE(stateOf(id), ObservedState::Running);
    BERTH_OK(await(provider().resume(id, {})));
    QCOMPARE(stateOf(id), ObservedState::Running);
    const auto connection = m_sandbox.connect(id);
    BERTH_OK(connection);
    const test::Finished finished = test::run((*connection)->shell(), "cat file");
    QVERIFY2(finished.out == "kept\n", told(finished).constData());

    // A paused one can be destroyed, too.
    BERTH_OK(await(provider().pause(id, {})));
    BERTH_OK(await(provider().destroy(id, {})));
    BERTH_FAILS(await(provider().inspect(id, {})), ErrorKind::NotFound);
}

void LifecycleGroup::runningCommandAtPause()
{
    const auto created = m_sandbox.create(QStringLiteral("busy"));
    BERTH_OK(created);
    const auto connection = m_sandbox.connect(created->externalId);
    BERTH_OK(connection);
    const auto command =
        test::start((*connection)->shell(), shellCommand("echo up; sleep 2; echo end"));
    QVERIFY(command);
    QVERIFY(command->waitForOutput("up\n"));
    BERTH_OK(await(provider().pause(created->externalId, {})));
    if (m_sandbox.fixture().traits().processesSurvivePause) {
        test::spin(3s);
        QVERIFY2(!command->isFinished(), "it ran on while paused");
        BERTH_OK(await(provider().resume(created->externalId, {})));
        QVERIFY(command->waitForEnd(10s));
        QCOMPARE(command->outcome().kind, OutcomeKind::Exited);
        // What is said before the connection is back may be lost where nothing keeps it.
        if (m_sandbox.fixture().traits().keepsOutput || command->out != "up\n")
            QCOMPARE(command->out, QByteArrayLiteral("up\nend\n"));
    } else {
        QVERIFY2(command->waitForEnd(5s), "nobody told that the command ended");
        QCOMPARE(command->outcome().kind, OutcomeKind::TransportLost);
        QVERIFY(!command->outcome().detail.isEmpty());
        QCOMPARE(command->out, QByteArrayLiteral("up\n"));
        QVERIFY(!(*connection)->isOpen());
    }
    BERTH_OK(await(provider().destroy(created->externalId, {})));
}

void LifecycleGroup::metrics()
{
    const auto created = m_sandbox.create(QStringLiteral("metrics"));
    BERTH_OK(created);
    const ExternalId id = created->externalId;
    const auto connection = m_sandbox.connect(id);
    BERTH_OK(connection);
    const auto idle = await(provider().metrics(id, {}));
    BERTH_OK(idle);
    QVERIFY(idle->at.isValid());
    if (!provider().capabilities().has(Capability::Metrics)) {
        // Its size may be known; what it uses must not be made up.
        QVERIFY(!idle->memoryBytes && !idle->cpuCores && !idle->diskBytes);
        BERTH_OK(await(provider().destroy(id, {})));
        QSKIP(qPrintable(provider().capabilities().reasonAgainst(Capability::Metrics)));
    }
    QVERIFY(idle->memoryBytes.has_value());
    QVERIFY2(*idle->memoryBytes > 0 && *idle->memoryBytes < qint64(1) << 30,
             QByteArray::number(*idle->memoryBytes).constData());
    QVERIFY(idle->cpuLimitCores.has_value() && *idle->cpuLimitCores > 0);

    const auto busy = test::start((*connection)->shell(), shellCommand("while :; do :; done"));
    QVERIFY(busy);
    domain::Result<domain::ResourceSample> sample = await(provider().metrics(id, {}));
    // Far above nothing, and no more than what a loop gets on a machine that is full of others.
    const double busyCores = 0.05;
    for (int i = 0; i < 8; ++i) {
        test::spin(1s);
        sample = await(provider().metrics(id, {}));
        BERTH_OK(sample);
        if (sample->cpuCores && *sample->cpuCores > busyCores)
            break;
    }
    QVERIFY(sample->cpuCores.has_value());
    QVERIFY2(*sample->cpuCores > busyCores && *sample->cpuCores <= *sample->cpuLimitCores * 1.1,
             QByteArray::number(*sample->cpuCores).constData());
    if (sample->processes)
        QVERIFY(*sample->processes >= 1);
    // Not the data plane: a sample while a command runs changes nothing of it.
    QVERIFY(!busy->isFinished());
    busy->execution().stop();
    QVERIFY(busy->waitForEnd(5s));

    BERTH_OK(await(provider().pause(id, {})));
    const auto asleep = await(provider().metrics(id, {}));
    BERTH_OK(asleep);
    QCOMPARE(stateOf(id), ObservedState::Paused);
    BERTH_OK(await(provider().destroy(id, {})));
}

void LifecycleGroup::destroy()
{
    const auto created = m_sandbox.create(QStringLiteral("doomed"));
    BERTH_OK(created);
    const ExternalId id = created->externalId;
    const auto connection = m_sandbox.connect(id);
    BERTH_OK(connection);
    // What makes clearing away hard.
    QCOMPARE(
        test::run(
            (*connection)->shell(),
            "mkdir -p a/b/c && echo x > a/b/c/f && ln -s / a/root && ln -s /etc/passwd a/link && "
            "chmod 000 a/b/c && chmod 500 a")
            .outcome.code,
        0);
    const auto command =
        test::start((*connection)->shell(), shellCommand("trap '' TERM; sleep 60"));
    QVERIFY(command);
    BERTH_OK(await(provider().destroy(id, {}), 60s));
    QVERIFY(command->waitForEnd(5s));
    QCOMPARE(command->outcome().kind, OutcomeKind::TransportLost);
    BERTH_FAILS(await(provider().inspect(id, {})), ErrorKind::NotFound);
    QVERIFY(!listed(provider(), id).has_value());
    BERTH_FAILS(await(provider().connect(id, {})), ErrorKind::NotFound);
    BERTH_OK(await(provider().destroy(id, {})));
}

void LifecycleGroup::unknownIds_data()
{
    QTest::addColumn<QString>("id");
    QTest::newRow("well-formed") << QStringLiteral("3f2504e0-4f89-41d3-9a0c-0305e82c3301");
    QTest::newRow("hexadecimal") << QStringLiteral(
        "3f2504e04f8941d39a0c0305e82c33013f2504e04f8941d39a0c0305e82c3301");
    QTest::newRow("parent") << QStringLiteral("../outside");
    QTest::newRow("absolute") << QStringLiteral("/etc");
    QTest::newRow("dot") << QStringLiteral(".");
    QTest::newRow("query") << QStringLiteral("x?force=1");
    QTest::newRow("empty") << QString();
}

void LifecycleGroup::unknownIds()
{
    QFETCH(QString, id);
    const ExternalId unknown(id);
    BERTH_FAILS(await(provider().inspect(unknown, {})), ErrorKind::NotFound);
    BERTH_FAILS(await(provider().pause(unknown, {})), ErrorKind::NotFound);
    BERTH_FAILS(await(provider().resume(unknown, {})), ErrorKind::NotFound);
    BERTH_FAILS(await(provider().connect(unknown, {})), ErrorKind::NotFound);
    BERTH_FAILS(await(provider().metrics(unknown, {})), ErrorKind::NotFound);
    // Already gone is success.
    BERTH_OK(await(provider().destroy(unknown, {})));
}

int runLifecycleGroup(Fixture &fixture, const QStringList &arguments)
{
    LifecycleGroup group(fixture);
    return QTest::qExec(&group, arguments);
}

} // namespace berth::contract

#include "lifecycle_group.moc"
