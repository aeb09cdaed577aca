// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/engine_client.h"
#include "bootstrap/engine_thread.h"
#include "providers/e2b/e2b_kind.h"
#include "support/await.h"
#include "support/fake_service.h"

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
    void copyThatIsRefused();

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
    domain::Result<ToolCallView> hasEnded(const domain::ToolCallId &id);
    //! What a command prints, with its code in front of it.
    QByteArray output(const QString &target, const char *text);
    std::optional<RuntimeView> runtimeOf(const domain::SandboxId &sandbox);
    int sandboxesThere();

    QTemporaryDir m_directory;
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
    bootstrap::AppPaths paths =
        bootstrap::resolvePaths(m_directory.filePath(QStringLiteral("data")));
    const auto made = bootstrap::makeDirectories(paths);
    BERTH_OK(made);
    QFile file(paths.engine.sandboxes + QStringLiteral("/e2b.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"provider\": \"e2b\", \"e2b\": {\"api_key\": \"${E2B_API_KEY}\", \"api_url\": \""
               + api.toUtf8() + "\", \"sandbox_url\": \"" + envd.toUtf8()
               + "\", \"proxy\": \"none\"}}");
    file.close();
    auto lock = remote::InstanceLock::take(paths.engine.data);
    BERTH_OK(lock);
    m_engine = std::make_unique<bootstrap::EngineThread>(std::move(*lock), paths,
                                                         domain::ProviderKinds{e2b::makeE2bKind()});
    bool ready = false;
    connect(m_engine.get(), &bootstrap::EngineThread::ready, this, [&ready] { ready = true; });
    m_engine->start();
    QVERIFY(test::waitUntil([&ready] { return ready; }));
    m_client = m_engine->connectClient(ClientKind::Cli);
    QVERIFY(test::waitUntil([this] { return m_client->isConnected(); }));
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

QTEST_GUILESS_MAIN(TestE2bEngine)

#include "test_e2b_engine.moc"
