// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/support/engine_thread.h"
#include "remote/remote_client.h"
#include "remote/remote_server.h"
#include "support/await.h"

#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtNetwork/QLocalServer>
#include <QtNetwork/QLocalSocket>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <csignal>

using namespace berth;
using namespace berth::application;
using namespace std::chrono_literals;
using domain::ErrorKind;
using domain::Result;
using remote::RemoteClient;
using test::EngineThread;
using test::ScriptedEngine;
using test::waitUntil;

namespace {

const QString kNever = QStringLiteral("never");

void neverAnswer(ScriptedEngine &engine)
{
    engine.players.insert(kNever, [](const ScriptedEngine::Ask &) {});
}

//! What one client was told.
struct Told
{
    explicit Told(EngineClient &client)
    {
        QObject::connect(&client, &EngineClient::event, &context,
                         [this](const Event &event) { events.append(event); });
        QObject::connect(&client, &EngineClient::connectionChanged, &context,
                         [this](bool connected, const QString &reason) {
                             connections.append({connected, reason});
                         });
    }
    QObject context;
    QList<Event> events;
    QList<QPair<bool, QString>> connections;
};

struct Answer
{
    std::optional<Result<Payload>> value;
    int times = 0;
    [[nodiscard]] EngineClient::Done done()
    {
        return [this](Result<Payload> answer) {
            value.emplace(std::move(answer));
            ++times;
        };
    }
};

RemoteClient::Options quick(bool reconnect = false)
{
    RemoteClient::Options options;
    options.deadline = 300ms;
    options.reconnect = reconnect;
    options.longestPause = 50ms;
    return options;
}

class TestClient : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void answersAndErrors()
    {
        EngineThread engine;
        engine.onEngine([](ScriptedEngine &scripted) {
            scripted.state.engine.version = QStringLiteral("9.9");
        });
        const std::unique_ptr<EngineClient> client = engine.overSocket();
        std::optional<Result<Snapshot>> snapshot;
        // Before the connection is there: it waits.
        QVERIFY(!client->isConnected());
        deliver(client.get(), *client, GetSnapshot{},
                [&](Result<Snapshot> answer) { snapshot = std::move(answer); });
        QVERIFY(!snapshot);
        QVERIFY(waitUntil([&] { return snapshot.has_value(); }));
        BERTH_OK(*snapshot);
        QCOMPARE((*snapshot)->engine.version, QStringLiteral("9.9"));
        QVERIFY(client->isConnected());

        std::optional<Result<ThreadDetail>> detail;
        deliver(client.get(), *client, GetThread{domain::ThreadId(QStringLiteral("none"))},
                [&](Result<ThreadDetail> answer) { detail = std::move(answer); });
        QVERIFY(waitUntil([&] { return detail.has_value(); }));
        BERTH_FAILS(*detail, ErrorKind::NotFound);
    }

    void binaryAnswer()
    {
        EngineThread engine;
        engine.onEngine([](ScriptedEngine &scripted) {
            scripted.scripts[QStringLiteral("big")].synthetic = 3 * 1024 * 1024;
            scripted.state.threads.append(ThreadView{});
            scripted.state.threads[0].id = domain::ThreadId(QStringLiteral("t"));
        });
        const std::unique_ptr<EngineClient> client = engine.overSocket();
        std::optional<domain::ToolCallId> call;
        deliver(
            client.get(), *client,
            SendMessage{domain::ThreadId(QStringLiteral("t")), QStringLiteral("!big"), false, 0},
            [&](Result<Started> answer) { call = answer->toolCall; });
        QVERIFY(waitUntil([&] { return call.has_value(); }));
        std::optional<Result<OutputChunk>> chunk;
        deliver(client.get(), *client, ReadOutput{*call, 12345, 1024 * 1024, 0},
                [&](Result<OutputChunk> answer) { chunk = std::move(answer); });
        QVERIFY(waitUntil([&] { return chunk.has_value(); }));
        BERTH_OK(*chunk);
        QVERIFY((*chunk)->bytes == test::syntheticBytes(12345, 1024 * 1024));
    }

    void twoClientsGetAllEvents()
    {
        EngineThread engine;
        const std::unique_ptr<EngineClient> one = engine.overSocket();
        const std::unique_ptr<EngineClient> two = engine.overSocket();
        Told first(*one);
        Told second(*two);
        QVERIFY(waitUntil([&] { return one->isConnected() && two->isConnected(); }));
        QVERIFY(waitUntil([&] { return engine.servedClients() == 2; }));
        engine.onEngine([](ScriptedEngine &scripted) {
            for (int number = 0; number < 500; ++number)
                scripted.publish(EngineEnding{QString::number(number)});
        });
        QVERIFY(
            waitUntil([&] { return first.events.size() == 500 && second.events.size() == 500; }));
        QVERIFY(first.events == second.events);
        for (int number = 0; number < 500; ++number)
            QCOMPARE(std::get<EngineEnding>(first.events[number].body).text,
                     QString::number(number));
        QCOMPARE(first.connections, (QList<QPair<bool, QString>>{{true, {}}}));
    }

    void nobodyThere()
    {
        QTemporaryDir directory;
        RemoteClient client(directory.filePath(QStringLiteral("none.sock")), quick());
        Told told(client);
        Answer waiting;
        client.submit(domain::RequestId::create(), QStringLiteral("snapshot"), {}, waiting.done());
        QVERIFY(waitUntil([&] { return waiting.value.has_value(); }, 5s));
        BERTH_FAILS(*waiting.value, ErrorKind::Unavailable);
        QCOMPARE(told.connections.size(), 1);
        QCOMPARE(told.connections[0].first, false);
        // From now on at once, but never inside submit().
        Answer late;
        client.submit(domain::RequestId::create(), QStringLiteral("snapshot"), {}, late.done());
        QVERIFY(!late.value);
        QVERIFY(waitUntil([&] { return late.value.has_value(); }, 100ms));
        BERTH_FAILS(*late.value, ErrorKind::Unavailable);
    }

    void engineComesWithinTheDeadline()
    {
        EngineThread engine;
        const QString path = engine.dataDirectory() + QStringLiteral("/run/engine.sock");
        RemoteClient client(path, RemoteClient::Options{});
        Answer answer;
        client.submit(domain::RequestId::create(), QStringLiteral("snapshot"), {}, answer.done());
        test::spin(150ms);
        QVERIFY(!answer.value);
        QCOMPARE(engine.serve(), path);
        QVERIFY(waitUntil([&] { return answer.value.has_value(); }, 5s));
        BERTH_OK(*answer.value);
    }

    void placeIsAskedAgain()
    {
        EngineThread engine;
        QString where;
        RemoteClient client([&] { return where; }, RemoteClient::Options{});
        test::spin(100ms);
        QVERIFY(!client.isConnected());
        where = engine.serve();
        QVERIFY(waitUntil([&] { return client.isConnected(); }, 5s));
    }

    void serverGone()
    {
        EngineThread engine;
        engine.onEngine(neverAnswer);
        const QString path = engine.serve();
        RemoteClient client(path, quick());
        Told told(client);
        Answer answers[3];
        for (Answer &answer : answers)
            client.submit(domain::RequestId::create(), kNever, {}, answer.done());
        QVERIFY(waitUntil([&] {
            qsizetype received = 0;
            engine.onEngine([&](ScriptedEngine &scripted) { received = scripted.received.size(); });
            return received == 3;
        }));
        engine.stopServing();
        QVERIFY(waitUntil([&] { return answers[2].value.has_value(); }));
        for (const Answer &answer : answers) {
            BERTH_FAILS(*answer.value, ErrorKind::Unavailable);
            QCOMPARE(answer.times, 1);
        }
        QVERIFY(!client.isConnected());
        QCOMPARE(told.connections.size(), 2);
        QCOMPARE(told.connections[1].first, false);
        QVERIFY(!QFile::exists(path));
    }

    void reconnects()
    {
        EngineThread engine;
        engine.onEngine(neverAnswer);
        const QString path = engine.serve();
        RemoteClient client(path, quick(true));
        Told told(client);
        QVERIFY(waitUntil([&] { return client.isConnected(); }));
        Answer pending;
        client.submit(domain::RequestId::create(), kNever, {}, pending.done());
        engine.stopServing();
        QVERIFY(waitUntil([&] { return pending.value.has_value(); }));
        BERTH_FAILS(*pending.value, ErrorKind::Unavailable);
        // Longer than the deadline, so that it has given up once.
        QVERIFY(waitUntil([&] { return told.connections.size() >= 3; }));
        Answer refused;
        client.submit(domain::RequestId::create(), QStringLiteral("snapshot"), {}, refused.done());
        QVERIFY(waitUntil([&] { return refused.value.has_value(); }));
        BERTH_FAILS(*refused.value, ErrorKind::Unavailable);
        engine.serve();
        QVERIFY(waitUntil([&] { return client.isConnected(); }));
        QCOMPARE(told.connections.back().first, true);
        Answer again;
        client.submit(domain::RequestId::create(), QStringLiteral("snapshot"), {}, again.done());
        QVERIFY(waitUntil([&] { return again.value.has_value(); }));
        BERTH_OK(*again.value);
        QCOMPARE(pending.times, 1);
        engine.onEngine(
            [](ScriptedEngine &scripted) { scripted.publish(EngineEnding{QStringLiteral("x")}); });
        QVERIFY(waitUntil([&] { return told.events.size() == 1; }));
    }

    void gapMeansNewSnapshot()
    {
        EngineThread engine;
        const std::unique_ptr<EngineClient> client = engine.overSocket();
        Told told(*client);
        QVERIFY(waitUntil([&] { return engine.servedClients() == 1 && client->isConnected(); }));
        engine.onEngine([](ScriptedEngine &scripted) {
            scripted.publish(EngineEnding{});
            scripted.publish(EngineEnding{});
        });
        QVERIFY(waitUntil([&] { return told.events.size() == 2; }));
        QCOMPARE(told.connections.size(), 1);
        engine.onEngine([](ScriptedEngine &scripted) {
            scripted.skipSequence();
            scripted.publish(EngineEnding{});
        });
        QVERIFY(waitUntil([&] { return told.events.size() == 3; }));
        QCOMPARE(told.connections.size(), 2);
        QCOMPARE(told.connections[1].first, true);
        QVERIFY(!told.connections[1].second.isEmpty());
    }

    void cancel()
    {
        EngineThread engine;
        engine.onEngine(neverAnswer);
        const std::unique_ptr<EngineClient> client = engine.overSocket();
        // Not sent yet: it never gets there.
        Answer early;
        const domain::RequestId unsent = domain::RequestId::create();
        client->submit(unsent, kNever, {}, early.done());
        client->cancel(unsent);
        QVERIFY(!early.value);
        QVERIFY(waitUntil([&] { return early.value.has_value(); }));
        BERTH_FAILS(*early.value, ErrorKind::Cancelled);
        QVERIFY(waitUntil([&] { return client->isConnected(); }));
        Answer late;
        const domain::RequestId sent = domain::RequestId::create();
        client->submit(sent, kNever, {}, late.done());
        client->cancel(sent);
        client->cancel(domain::RequestId::create()); // nothing with this id: nothing happens
        QList<domain::RequestId> cancelled;
        QVERIFY(waitUntil([&] {
            engine.onEngine([&](ScriptedEngine &scripted) { cancelled = scripted.cancelled; });
            return !cancelled.isEmpty();
        }));
        QCOMPARE(cancelled, QList<domain::RequestId>{sent});
        qsizetype received = 0;
        engine.onEngine([&](ScriptedEngine &scripted) { received = scripted.received.size(); });
        QCOMPARE(received, 1);
        QVERIFY(!late.value);
    }

    void tooLarge()
    {
        EngineThread engine;
        engine.onEngine([](ScriptedEngine &scripted) {
            scripted.players.insert(QStringLiteral("huge"), [](const ScriptedEngine::Ask &ask) {
                ask.answer({"{}", QByteArray(17 * 1024 * 1024, 'x')});
            });
        });
        const std::unique_ptr<EngineClient> client = engine.overSocket();
        Answer command;
        client->submit(domain::RequestId::create(), QStringLiteral("snapshot"),
                       {"{}", QByteArray(17 * 1024 * 1024, 'x')}, command.done());
        Answer answer;
        client->submit(domain::RequestId::create(), QStringLiteral("huge"), {}, answer.done());
        QVERIFY(waitUntil([&] { return command.value && answer.value; }));
        BERTH_FAILS(*command.value, ErrorKind::InvalidInput);
        BERTH_FAILS(*answer.value, ErrorKind::Internal);
        QVERIFY(client->isConnected());
    }

    void deletedInsideItsOwnSignal()
    {
        EngineThread engine;
        std::unique_ptr<EngineClient> client = engine.overSocket();
        QVERIFY(waitUntil([&] { return client->isConnected() && engine.servedClients() == 1; }));
        QObject::connect(client.get(), &EngineClient::event, client.get(),
                         [&](const Event &) { client.reset(); });
        engine.onEngine([](ScriptedEngine &scripted) {
            for (int number = 0; number < 10; ++number)
                scripted.publish(EngineEnding{});
        });
        QVERIFY(waitUntil([&] { return !client; }));
        QVERIFY(waitUntil([&] { return engine.servedClients() == 0; }));
    }

    void strangeEngine_data()
    {
        QTest::addColumn<QByteArray>("says");
        QTest::addColumn<int>("kind");
        const auto frame = [](const QByteArray &json) { return remote::packed({json, {}}); };
        QTest::newRow("another version")
            << frame("{\"kind\":\"hello\",\"protocol\":2,\"client\":\"engine\"}")
            << int(ErrorKind::Unsupported);
        QTest::newRow("refusal") << frame(
            "{\"kind\":\"hello\",\"protocol\":1,\"client\":\"engine\",\"error\":"
            "{\"kind\":\"quota\",\"message\":\"full\"}}")
                                 << int(ErrorKind::Quota);
        QTest::newRow("garbage") << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n")
                                 << int(ErrorKind::Unavailable);
        QTest::newRow("no hello") << frame("{\"kind\":\"cancel\",\"id\":\"1\"}")
                                  << int(ErrorKind::Unavailable);
        QTest::newRow("silence") << QByteArray() << int(ErrorKind::Unavailable);
    }
    void strangeEngine()
    {
        QFETCH(QByteArray, says);
        QFETCH(int, kind);
        QTemporaryDir directory;
        QLocalServer server;
        QVERIFY(server.listen(directory.filePath(QStringLiteral("s"))));
        connect(&server, &QLocalServer::newConnection, &server, [&] {
            QLocalSocket *socket = server.nextPendingConnection();
            socket->write(says);
        });
        RemoteClient client(directory.filePath(QStringLiteral("s")), quick());
        Answer answer;
        client.submit(domain::RequestId::create(), QStringLiteral("snapshot"), {}, answer.done());
        QVERIFY(waitUntil([&] { return answer.value.has_value(); }, 5s));
        BERTH_FAILS(*answer.value, ErrorKind(kind));
        QCOMPARE(answer.times, 1);
    }

    void processKilled()
    {
        QTemporaryDir directory;
        qputenv("XDG_RUNTIME_DIR", QFile::encodeName(directory.path()));
        const auto start = [&](QProcess &child) {
            child.start(QStringLiteral(BERTH_REMOTE_PEER),
                        {QStringLiteral("serve"), directory.path()});
            return waitUntil([&] { return child.canReadLine(); })
                && child.readLine().startsWith("ready");
        };
        const QString data = directory.path();
        const auto locate = [data] {
            const std::optional<remote::LockHolder> holder = remote::lockHolder(data);
            return holder ? holder->socketPath : QString();
        };
        QProcess first;
        QVERIFY(start(first));
        RemoteClient::Options options;
        options.reconnect = true;
        RemoteClient client(locate, options);
        Told told(client);
        Answer pending;
        client.submit(domain::RequestId::create(), kNever, {}, pending.done());
        QVERIFY(waitUntil([&] { return first.canReadLine(); }));
        QCOMPARE(first.readLine().trimmed(), QByteArray("asked"));
        QCOMPARE(::kill(static_cast<pid_t>(first.processId()), SIGKILL), 0);
        QVERIFY(waitUntil([&] { return pending.value.has_value(); }));
        BERTH_FAILS(*pending.value, ErrorKind::Unavailable);
        QVERIFY(waitUntil([&] { return first.state() == QProcess::NotRunning; }));
        // The dead one's socket file is still there; the next holder of the lock replaces it.
        QProcess second;
        QVERIFY(start(second));
        QVERIFY(waitUntil([&] { return client.isConnected(); }));
        Answer snapshot;
        client.submit(domain::RequestId::create(), QStringLiteral("snapshot"), {}, snapshot.done());
        QVERIFY(waitUntil([&] { return snapshot.value.has_value(); }));
        BERTH_OK(*snapshot.value);
        Answer last;
        client.submit(domain::RequestId::create(), QStringLiteral("die"), {}, last.done());
        QVERIFY(waitUntil([&] { return last.value.has_value(); }));
        BERTH_FAILS(*last.value, ErrorKind::Unavailable);
        QVERIFY(waitUntil([&] { return second.state() == QProcess::NotRunning; }));
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestClient)
#include "test_client.moc"
