// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The whole way in both dialects: a server of models, the loop, approvals, a real container, and an
// Engine that is killed in the middle.
#include "agent/agent_house.h"
#include "docker/engine_proxy.h"
#include "models/endpoint_factory.h"
#include "providers/docker/docker_kind.h"
#include "support/command_run.h"
#include "support/fake_service.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::test;
using domain::RunState;

namespace {

const char *const kReplies = R"json({"replies":[
    {"text":"Let me look.","calls":[
        {"name":"shell","arguments":{"command":"echo made > made.txt && cat made.txt"}},
        {"name":"list_files","arguments":{}}]},
    {"text":"It says made."},
    {"match":"And now?","calls":[{"name":"read_file","arguments":{"path":"made.txt"}}]},
    {"match":"(lines 1-1 of 1)","text":"Still there."}]})json";

} // namespace

class ContainerRuns final : public QObject
{
    Q_OBJECT

    static void put(const QString &path, const QByteArray &text)
    {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    }

private Q_SLOTS:
    void twoCallsAQuestionAKillAndAnAnswer_data()
    {
        QTest::addColumn<QString>("dialect");
        QTest::newRow("chat completions") << QStringLiteral("openai");
        QTest::newRow("Messages") << QStringLiteral("anthropic");
    }
    void twoCallsAQuestionAKillAndAnAnswer()
    {
        QFETCH(QString, dialect);
        const QString socket = engineSocket();
        if (socket.isEmpty()) {
            QVERIFY(!qEnvironmentVariableIsSet("BERTH_REQUIRE_ENGINE"));
            QSKIP("no Docker engine is reachable");
        }
        FakeService service;
        QVERIFY2(service.start(QStringLiteral("llm")), qPrintable(service.why()));
        QVERIFY2(service.setKnobs(kReplies), qPrintable(service.why()));
        QTemporaryDir folder;
        domain::ModelEndpointFile endpoints;
        domain::ModelEndpointEntry entry;
        entry.name = QStringLiteral("fake");
        entry.preset = QStringLiteral("custom");
        entry.dialect = dialect;
        entry.baseUrl = service.url(QStringLiteral("api"));
        if (dialect == QLatin1String("openai"))
            entry.baseUrl += QStringLiteral("/v1");
        entry.model = QStringLiteral("fake-model");
        endpoints.endpoints << entry;
        put(folder.filePath(QStringLiteral("models.json")),
            domain::serialiseModelEndpoints(endpoints));
        put(folder.filePath(QStringLiteral("sandboxes/docker.json")),
            "{\"provider\":\"docker\",\"docker\":{\"image\":\"berth-test:latest\",\"network\":"
            "\"none\",\"docker_host\":\"unix://"
                + socket.toUtf8() + "\"}}");
        AgentHouse house(folder.path(), false,
                         {std::make_shared<models::EndpointFactory>(),
                          {docker::makeDockerKind()},
                          QStringLiteral("docker")});
        const Result<Started> started = house.begin(QStringLiteral("What is here?"));
        QVERIFY2(started, test::told(started).constData());
        QVERIFY(house.isAsked(1));
        house.close(true);
        house.open();
        QVERIFY(house.isAsked(1));
        const Result<Nothing> decided = house.decide(house.approvals()[0].toolCall, true);
        QVERIFY2(decided, test::told(decided).constData());
        QVERIFY2(house.comesTo(*started, RunState::Done),
                 qPrintable(house.detail(started->thread).runs.constLast().detail));
        ThreadDetail detail = house.detail(started->thread);
        QCOMPARE(detail.messages.constLast().text, QStringLiteral("It says made."));
        QCOMPARE(detail.toolCalls.size(), 2);
        QCOMPARE(detail.toolCalls[0].exitCode, 0);
        // What stood behind the question had not begun, and was done after it.
        QCOMPARE(detail.toolCalls[1].outcome, std::optional(domain::OutcomeKind::Exited));
        const Result<OutputChunk> output = house.ask(ReadOutput{detail.toolCalls[0].id});
        QVERIFY(output);
        QCOMPARE(output->bytes, QByteArray("made\n"));
        house.close(true);
        house.open();
        const Result<Started> more = house.send(started->thread, QStringLiteral("And now?"));
        QVERIFY2(more, test::told(more).constData());
        QVERIFY(house.comesTo(*more, RunState::Done));
        detail = house.detail(started->thread);
        QCOMPARE(detail.messages.constLast().text, QStringLiteral("Still there."));
        QVERIFY(detail.toolCalls.constLast().result.contains(QStringLiteral("made")));
        DestroyRuntime destroy;
        destroy.runtime = detail.thread.lease.toString();
        QVERIFY(house.ask(destroy));
    }
};

QTEST_GUILESS_MAIN(ContainerRuns)
#include "container_runs.moc"
