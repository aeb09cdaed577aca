// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/engine_client.h"
#include "bootstrap/engine_thread.h"
#include "providers/e2b/e2b_kind.h"
#include "support/await.h"
#include "support/fake_service.h"

#include <QtCore/QDir>
#include <QtCore/QDirIterator>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace berth;
using namespace berth::application;
using namespace std::chrono_literals;
using domain::ErrorKind;
using domain::ObservedState;
using nlohmann::json;

//! E2B behind a whole Engine: what only shows there.
class TestE2bEngine : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void cleanupTestCase();

    void listThatStopsInTheMiddle();
    void copyOfASandbox();
    void copyWhoseAnswerIsLost();
    void copyOfACopy();
    void copyThatIsRefused();
    void copyWhoseEngineDies();

private:
    template <typename Command>
    domain::Result<typename Command::Reply> ask(const Command &command)
    {
        auto answer = std::make_shared<std::optional<domain::Result<typename Command::Reply>>>();
        deliver(this, *m_client, command, [answer](domain::Result<typename Command::Reply> reply) {
            answer->emplace(std::move(reply));
        });
        test::waitUntil([answer] { return answer->has_value(); }, 60s);
        return answer->value_or(domain::Result<typename Command::Reply>(
            tl::unexpect, domain::Error{ErrorKind::Timeout, {}, {}, {}, {}}));
    }
    template <typename Command>
    std::shared_ptr<std::optional<domain::Result<typename Command::Reply>>> begin(
        const Command &command)
    {
        auto answer = std::make_shared<std::optional<domain::Result<typename Command::Reply>>>();
        deliver(this, *m_client, command, [answer](domain::Result<typename Command::Reply> reply) {
            answer->emplace(std::move(reply));
        });
        return answer;
    }
    //! The Engine of one directory of data; another one is ended before.
    bool startEngine(const QString &data);
    //! As a crash would leave the data now.
    QString image();
    domain::Result<ToolCallView> hasEnded(const domain::ToolCallId &id);
    //! What a command prints, with its code in front of it.
    QByteArray output(const QString &target, const char *text);
    std::optional<RuntimeView> runtimeOf(const domain::SandboxId &sandbox);
    int sandboxesThere();

    QTemporaryDir m_directory;
    QString m_data;
    test::FakeService m_fake;
    std::unique_ptr<bootstrap::EngineThread> m_engine;
    std::unique_ptr<EngineClient> m_client;
    //! A thread in the first sandbox, and that one.
    QString m_thread;
    RuntimeView m_first;
};

void TestE2bEngine::initTestCase()
{
    if (!m_fake.start(QStringLiteral("e2b")))
        QSKIP(qPrintable(m_fake.why()));
    qputenv("E2B_API_KEY", "e2b_" + QByteArray(40, '0'));
    const QString api = m_fake.url(QStringLiteral("api"));
    const QString envd = m_fake.url(QStringLiteral("envd"));
    const QString data = m_directory.filePath(QStringLiteral("data"));
    const bootstrap::AppPaths paths = bootstrap::resolvePaths(data);
    const auto made = bootstrap::makeDirectories(paths);
    BERTH_OK(made);
    QFile file(paths.engine.sandboxes + QStringLiteral("/e2b.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"provider\": \"e2b\", \"e2b\": {\"api_key\": \"${E2B_API_KEY}\", \"api_url\": \""
               + api.toUtf8() + "\", \"sandbox_url\": \"" + envd.toUtf8()
               + "\", \"proxy\": \"none\"}}");
    file.close();
    QVERIFY(startEngine(data));
    TrustProvider trust;
    trust.config = domain::ConfigName(QStringLiteral("e2b"));
    trust.origins = {api, envd};
    BERTH_OK(ask(trust));
    NewThread command;
    command.config = trust.config;
    command.text = QStringLiteral("!echo original > file");
    const domain::Result<Started> started = ask(command);
    BERTH_OK(started);
    m_thread = started->thread.toString();
    QVERIFY(hasEnded(started->toolCall));
    QCOMPARE(output(m_thread, "cat file"), QByteArrayLiteral("0 original\n"));
    const domain::Result<RuntimeList> list = ask(ListRuntimes{});
    BERTH_OK(list);
    QCOMPARE(list->runtimes.size(), 1);
    m_first = list->runtimes.first();
}

bool TestE2bEngine::startEngine(const QString &data)
{
    m_client.reset();
    m_engine.reset();
    const bootstrap::AppPaths paths = bootstrap::resolvePaths(data);
    m_data = data;
    auto lock = remote::InstanceLock::take(paths.engine.data);
    if (!lock)
        return false;
    m_engine = std::make_unique<bootstrap::EngineThread>(std::move(*lock), paths,
                                                         domain::ProviderKinds{e2b::makeE2bKind()});
    auto ready = std::make_shared<bool>(false);
    connect(m_engine.get(), &bootstrap::EngineThread::ready, this, [ready] { *ready = true; });
    m_engine->start();
    if (!test::waitUntil([ready] { return *ready; }))
        return false;
    m_client = m_engine->connectClient(ClientKind::Cli);
    return test::waitUntil([this] { return m_client->isConnected(); });
}

QString TestE2bEngine::image()
{
    static int number = 0;
    const QString from = m_engine ? m_data : QString();
    const QString to = m_directory.filePath(QStringLiteral("image%1").arg(++number));
    QDirIterator files(from, QDir::Files | QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot,
                       QDirIterator::Subdirectories);
    QDir().mkpath(to);
    while (files.hasNext()) {
        files.next();
        const QString target = to + files.filePath().mid(from.size());
        if (files.fileInfo().isDir())
            QDir().mkpath(target);
        else if (!files.fileName().endsWith(QLatin1String(".lock"))) {
            QDir().mkpath(QFileInfo(target).path());
            QFile::copy(files.filePath(), target);
        }
    }
    return to;
}

void TestE2bEngine::cleanup()
{
    m_fake.setKnobs(R"({"faults":[],"largestPage":100})");
}

void TestE2bEngine::cleanupTestCase()
{
    if (!m_client)
        return;
    const domain::Result<RuntimeList> list = ask(ListRuntimes{});
    if (list) {
        for (const RuntimeView &runtime : list->runtimes) {
            DestroyRuntime destroy;
            destroy.runtime = runtime.id;
            BERTH_OK(ask(destroy));
        }
    }
    m_client.reset();
    m_engine.reset();
}

domain::Result<ToolCallView> TestE2bEngine::hasEnded(const domain::ToolCallId &id)
{
    GetToolCall get;
    get.toolCall = id;
    domain::Result<ToolCallView> call = ask(get);
    for (int looks = 0; looks < 400 && call && !call->outcome; ++looks) {
        test::spin(50ms);
        call = ask(get);
    }
    return call;
}

QByteArray TestE2bEngine::output(const QString &target, const char *text)
{
    Exec exec;
    exec.target = target;
    exec.argv = {QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(text)};
    const domain::Result<Started> started = ask(exec);
    if (!started)
        return started.error().message.toUtf8();
    const domain::Result<ToolCallView> call = hasEnded(started->toolCall);
    if (!call)
        return call.error().message.toUtf8();
    ReadOutput read;
    read.toolCall = started->toolCall;
    const domain::Result<OutputChunk> chunk = ask(read);
    return QByteArray::number(call->exitCode) + ' '
        + (chunk ? chunk->bytes : chunk.error().message.toUtf8());
}

std::optional<RuntimeView> TestE2bEngine::runtimeOf(const domain::SandboxId &sandbox)
{
    const domain::Result<RuntimeList> list = ask(ListRuntimes{});
    for (const RuntimeView &runtime : list ? list->runtimes : QList<RuntimeView>()) {
        if (runtime.sandbox == sandbox)
            return runtime;
    }
    return std::nullopt;
}

int TestE2bEngine::sandboxesThere()
{
    int count = 0;
    for (const json &request : m_fake.requests()) {
        const std::string path = request.value("path", std::string());
        const bool makes = path.find("/fork") != std::string::npos;
        count += request.value("method", std::string()) == "POST" && makes ? 1 : 0;
    }
    return count;
}

//! Three pages with a 500 on the second: the account counts as not reached, and nothing as gone.
void TestE2bEngine::listThatStopsInTheMiddle()
{
    QList<domain::SandboxId> copies;
    for (int i = 0; i < 2; ++i) {
        const domain::Result<SandboxView> copy = ask(ForkRuntime{m_first.id, {}});
        BERTH_OK(copy);
        copies << copy->id;
    }
    QVERIFY(m_fake.setKnobs(R"({"largestPage":1})"));
    ListRuntimes refresh{true};
    domain::Result<RuntimeList> list = ask(refresh);
    BERTH_OK(list);
    QCOMPARE(list->unreachable, QStringList());
    QVERIFY(m_fake.setKnobs(
        R"({"faults":[{"match":"GET /v2/sandboxes\\?.*nextToken","status":500}]})"));
    list = ask(refresh);
    BERTH_OK(list);
    QCOMPARE(list->unreachable, QStringList{QStringLiteral("e2b")});
    QCOMPARE(list->runtimes.size(), 3);
    for (const RuntimeView &runtime : std::as_const(list->runtimes)) {
        QCOMPARE(runtime.observed, ObservedState::Running);
        QVERIFY(runtime.unreachable && !runtime.orphan);
    }
    const domain::Result<ProviderList> providers = ask(ListProviders{});
    BERTH_OK(providers);
    const auto own = std::find_if(
        providers->providers.begin(), providers->providers.end(),
        [](const ProviderView &one) { return one.config.toString() == QLatin1String("e2b"); });
    QVERIFY(own != providers->providers.end());
    QVERIFY2(own->stateDetail.contains(QStringLiteral("A part of the list")),
             qPrintable(own->stateText + own->stateDetail));
    cleanup();
    list = ask(refresh);
    BERTH_OK(list);
    QCOMPARE(list->unreachable, QStringList());
    for (const RuntimeView &runtime : std::as_const(list->runtimes))
        QVERIFY(!runtime.unreachable && runtime.observed == ObservedState::Running);
    for (const domain::SandboxId &copy : std::as_const(copies)) {
        DestroyRuntime destroy;
        destroy.runtime = copy.toString();
        BERTH_OK(ask(destroy));
    }
}

void TestE2bEngine::copyOfASandbox()
{
    const std::optional<RuntimeView> before = runtimeOf(m_first.sandbox);
    QVERIFY(before && before->canFork);
    QCOMPARE(before->forkReason, QString());
    const domain::Result<SandboxView> copy = ask(ForkRuntime{m_first.id, QStringLiteral("second")});
    BERTH_OK(copy);
    QCOMPARE(copy->alias, QStringLiteral("second"));
    QCOMPARE(copy->agent, m_first.agent);
    QCOMPARE(output(copy->id.toString(), "cat file; echo changed > file"),
             QByteArrayLiteral("0 original\n"));
    QCOMPARE(output(m_thread, "cat file"), QByteArrayLiteral("0 original\n"));
    // The copy has the labels of the original, and is told apart all the same.
    const domain::Result<RuntimeList> list = ask(ListRuntimes{true});
    BERTH_OK(list);
    QCOMPARE(list->runtimes.size(), 2);
    for (const RuntimeView &runtime : list->runtimes)
        QVERIFY(!runtime.orphan && runtime.observed == ObservedState::Running);
    const std::optional<RuntimeView> there = runtimeOf(copy->id);
    QVERIFY(there && there->externalId != m_first.externalId);
    QCOMPARE(runtimeOf(m_first.sandbox)->externalId, m_first.externalId);
    DestroyRuntime destroy;
    destroy.runtime = there->id;
    BERTH_OK(ask(destroy));
    QCOMPARE(output(m_thread, "cat file"), QByteArrayLiteral("0 original\n"));
    const domain::Result<RuntimeList> last = ask(ListRuntimes{true});
    BERTH_OK(last);
    QCOMPARE(last->runtimes.size(), 1);
}

//! It is asked for once, and the one that was made is found.
void TestE2bEngine::copyWhoseAnswerIsLost()
{
    QVERIFY(m_fake.setKnobs(
        R"({"clearRequests":true,"faults":[{"match":"/fork","loseAnswer":true,"times":1}]})"));
    const domain::Result<SandboxView> copy = ask(ForkRuntime{m_first.id, {}});
    BERTH_OK(copy);
    QVERIFY(copy->alias.startsWith(m_first.alias + QStringLiteral("-copy")));
    QCOMPARE(sandboxesThere(), 1);
    QCOMPARE(output(copy->id.toString(), "cat file"), QByteArrayLiteral("0 original\n"));
    const domain::Result<RuntimeList> list = ask(ListRuntimes{true});
    BERTH_OK(list);
    QCOMPARE(list->runtimes.size(), 2);
    DestroyRuntime destroy;
    destroy.runtime = copy->id.toString();
    BERTH_OK(ask(destroy));
}

//! All copies have the labels of the first one; and the answer is lost while a list is taken.
void TestE2bEngine::copyOfACopy()
{
    const QString longest(32, QLatin1Char('a'));
    const domain::Result<SandboxView> copy = ask(ForkRuntime{m_first.id, longest});
    BERTH_OK(copy);
    QCOMPARE(output(copy->id.toString(), "echo copied > file"), QByteArrayLiteral("0 "));
    QVERIFY(m_fake.setKnobs(
        R"({"clearRequests":true,"faults":[{"match":"/fork","loseAnswer":true,"times":1}]})"));
    const auto second = begin(ForkRuntime{runtimeOf(copy->id)->id, {}});
    QVERIFY(test::waitUntil([this] { return sandboxesThere() == 1; }));
    test::spin(300ms);
    domain::Result<RuntimeList> list = ask(ListRuntimes{true});
    BERTH_OK(list);
    QVERIFY(!second->has_value());
    for (const RuntimeView &runtime : std::as_const(list->runtimes))
        QVERIFY(!runtime.orphan);
    QVERIFY(test::waitUntil([second] { return second->has_value(); }, 30s));
    BERTH_OK(**second);
    QCOMPARE((*second)->value().alias, QString(27, QLatin1Char('a')) + QStringLiteral("-copy"));
    QCOMPARE(sandboxesThere(), 1);
    const domain::SandboxId last = (*second)->value().id;
    QCOMPARE(output(last.toString(), "cat file"), QByteArrayLiteral("0 copied\n"));
    list = ask(ListRuntimes{true});
    BERTH_OK(list);
    QCOMPARE(list->runtimes.size(), 3);
    for (const domain::SandboxId &one : {copy->id, last}) {
        DestroyRuntime destroy;
        destroy.runtime = one.toString();
        BERTH_OK(ask(destroy));
    }
}

//! No row is left that would begin empty.
void TestE2bEngine::copyThatIsRefused()
{
    const auto rows = [this] {
        const domain::Result<SandboxList> list = ask(ListSandboxes{m_first.agent, false});
        return list ? list->sandboxes.size() : -1;
    };
    const auto before = rows();
    QVERIFY(m_fake.setKnobs(R"({"clearRequests":true,"concurrency":1})"));
    const domain::Result<SandboxView> copy = ask(ForkRuntime{m_first.id, {}});
    m_fake.setKnobs(R"({"concurrency":20})");
    BERTH_FAILS(copy, ErrorKind::Conflict);
    QVERIFY(copy.error().detail.contains(QStringLiteral("maximum number")));
    QCOMPARE(sandboxesThere(), 1);
    QCOMPARE(rows(), before);
    PauseRuntime pause{m_first.id};
    BERTH_OK(ask(pause));
    const std::optional<RuntimeView> paused = runtimeOf(m_first.sandbox);
    QVERIFY(paused && !paused->canFork && !paused->forkReason.isEmpty());
    BERTH_FAILS(ask(ForkRuntime{m_first.id, {}}), ErrorKind::Conflict);
}

//! Between the request and its answer: the next one takes the copy.
void TestE2bEngine::copyWhoseEngineDies()
{
    ResumeRuntime resume{m_first.id};
    BERTH_OK(ask(resume));
    QVERIFY(m_fake.setKnobs(
        R"({"clearRequests":true,"faults":[{"match":"/fork","latencyMs":1500,"times":1}]})"));
    const auto copy = begin(ForkRuntime{m_first.id, QStringLiteral("kept")});
    QVERIFY(test::waitUntil([this] { return sandboxesThere() == 1; }));
    test::spin(300ms);
    const QString crashed = image();
    QVERIFY(!copy->has_value());
    QVERIFY(test::waitUntil([copy] { return copy->has_value(); }, 30s));
    BERTH_OK(**copy);
    const domain::SandboxId id = (*copy)->value().id;
    const QString made = runtimeOf(id)->externalId;
    QVERIFY(startEngine(crashed));
    QVERIFY(test::waitUntil(
        [&] {
            const std::optional<RuntimeView> there = runtimeOf(id);
            return there && there->externalId == made;
        },
        10s));
    QCOMPARE(output(id.toString(), "cat file"), QByteArrayLiteral("0 original\n"));
    const domain::Result<RuntimeList> list = ask(ListRuntimes{true});
    BERTH_OK(list);
    QCOMPARE(list->runtimes.size(), 2);
    QCOMPARE(sandboxesThere(), 1);
    DestroyRuntime destroy;
    destroy.runtime = id.toString();
    BERTH_OK(ask(destroy));
}

QTEST_GUILESS_MAIN(TestE2bEngine)

#include "test_e2b_engine.moc"
