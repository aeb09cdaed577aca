// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The server alone, before an Engine that plays a script.
#include "api/routes/routes.h"
#include "api/scripted_server.h"
#include "api/status.h"

#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace berth;
using namespace berth::api;
using namespace berth::application;
using nlohmann::json;
using test::Answer;
using test::ScriptedEngine;

class TestServer : public QObject, private test::ScriptedServer
{
    Q_OBJECT

    static RuntimeView runtimeOf(int number, const char *kind, const char *external)
    {
        RuntimeView runtime;
        runtime.id = ScriptedEngine::uuid('c', number);
        runtime.lease = domain::LeaseId(runtime.id);
        runtime.providerKind = QString::fromLatin1(kind);
        runtime.providerConfig = domain::ConfigName(runtime.providerKind);
        runtime.externalId = QString::fromLatin1(external);
        runtime.observed = domain::ObservedState::Running;
        return runtime;
    }

private Q_SLOTS:
    void initTestCase()
    {
        ApiSettings settings;
        settings.headDeadline = std::chrono::milliseconds(2500);
        start(settings);
        onEngine([this] {
            m_engine->state.runtimes = {runtimeOf(1, "docker", "same"), runtimeOf(2, "e2b", "same"),
                                        runtimeOf(3, "docker", "lone")};
            const auto missing = [](const ScriptedEngine::Ask &ask) {
                ask.fail({domain::ErrorKind::NotFound, QStringLiteral("Not there"), {}, {}, {}});
            };
            m_engine->players.insert(QString::fromLatin1(ListFiles::kName), missing);
        });
    }

    void onlyHealthIsOpen()
    {
        const QByteArray host = "Host: " + authority() + "\r\nConnection: close\r\n";
        const Answer health = raw("GET /health HTTP/1.1\r\n" + host + "\r\n");
        QCOMPARE(health.status, 200);
        QCOMPARE(health.parsed().size(), size_t(2));
        QCOMPARE(health.parsed()["ok"].get<bool>(), true);
        for (const Route &route : allRoutes()) {
            if (!route.scope)
                continue;
            QByteArray path = route.path;
            path.replace('{', "").replace('}', "");
            const Answer refused = raw(route.method + ' ' + path + " HTTP/1.1\r\n" + host + "\r\n");
            QVERIFY2(refused.status == 401, route.path.constData());
            QVERIFY(refused.headers.contains("www-authenticate"));
        }
        const Answer wrong = raw("GET /api/threads HTTP/1.1\r\n" + host + "Authorization: Bearer "
                                 + m_token + "x\r\n\r\n");
        QCOMPARE(wrong.status, 401);
        QVERIFY(!wrong.body.contains(m_token));
        onEngine(
            [this] { QVERIFY2(m_engine->received.isEmpty(), "no command reached the Engine"); });
    }

    void theTokenMayReadAndRun()
    {
        onEngine([this] { m_engine->received.clear(); });
        int refused = 0;
        for (const Route &route : allRoutes()) {
            if (!route.scope || kOwnerScopes.testFlag(*route.scope))
                continue;
            QByteArray path = route.path;
            path.replace('{', "").replace('}', "");
            const Answer answer = ask(route.method, path, "{}");
            QVERIFY2(answer.status == 403, route.path.constData());
            ++refused;
        }
        QVERIFY(refused >= 9);
        // What an agent may do by itself is not for it either.
        for (const char *body :
             {"{\"name\":\"A\",\"access\":\"public\"}", "{\"name\":\"A\",\"autonomy\":\"full\"}",
              "{\"name\":\"A\",\"require_approval_for\":[]}"}) {
            QCOMPARE(ask("POST", "/api/agents", body).status, 403);
            QCOMPARE(ask("PATCH", "/api/agents/default", body).status, 403);
        }
        onEngine(
            [this] { QVERIFY2(m_engine->received.isEmpty(), "no command reached the Engine"); });
    }

    void refusals_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("more");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("status");
        const QByteArray none;
        const auto row = [](const char *name, const char *method, const char *path,
                            const QByteArray &more, const QByteArray &body, int status) {
            QTest::newRow(name) << QByteArray(method) << QByteArray(path) << more << body << status;
        };
        row("no such path", "GET", "/api/nothing", none, none, 404);
        row("unknown thread", "GET", "/api/threads/no-such-id", none, none, 404);
        row("unknown tool call", "GET", "/api/tool-calls/no-such-id", none, none, 404);
        row("unknown runtime", "GET", "/api/sandbox/runtimes/no-such-id", none, none, 404);
        row("pause unknown", "POST", "/api/sandbox/runtimes/no-such-id/pause", none, none, 404);
        row("destroy unknown", "DELETE", "/api/sandbox/runtimes/no-such-id", none, none, 404);
        row("wrong method", "DELETE", "/api/threads", none, none, 405);
        row("trace", "TRACE", "/api/threads", none, none, 405);
        row("foreign origin", "GET", "/api/threads", "Origin: http://evil.example\r\n", none, 403);
        row("null origin", "GET", "/api/threads", "Origin: null\r\n", none, 403);
        row("https origin", "GET", "/api/threads", "Origin: https://localhost\r\n", none, 403);
        row("wrong type", "POST", "/api/threads", "Content-Type: text/plain\r\n", "{}", 415);
        row("form", "POST", "/api/threads", "Content-Type: application/x-www-form-urlencoded\r\n",
            "text=a", 415);
        row("no length", "POST", "/api/threads", none, none, 411);
        row("chunked", "POST", "/api/threads",
            "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n", none, 411);
        row("oversize", "POST", "/api/threads",
            "Content-Type: application/json\r\nContent-Length: 1048577\r\n", none, 413);
        row("bad JSON", "POST", "/api/threads", none, "{\"text\":", 400);
        row("no object", "POST", "/api/threads", none, "[1]", 400);
        row("bad UTF-8", "POST", "/api/threads", none, "{\"text\":\"\xff\xfe\"}", 400);
        row("deep", "POST", "/api/threads", none,
            "{\"text\":" + QByteArray(50'000, '[') + QByteArray(50'000, ']') + "}", 400);
        row("missing key", "POST", "/api/threads", none, "{}", 400);
        row("unknown key", "POST", "/api/threads", none, "{\"text\":\"!true\",\"nonsense\":1}",
            400);
        row("wrong value", "POST", "/api/threads", none, "{\"text\":7}", 400);
        row("huge number", "POST", "/api/threads", none,
            "{\"text\":\"!true\",\"timeout_ms\":99999999999999999999}", 400);
        row("unknown query", "GET", "/api/threads?nonsense=1", none, none, 400);
        row("bad query", "GET", "/api/tool-calls/x/output?limit=many", none, none, 400);
        row("bad query UTF-8", "GET", "/api/files/x?path=%FF", none, none, 400);
        row("bad path UTF-8", "GET", "/api/threads/%FF", none, none, 404);
        row("body without need", "GET", "/api/threads", none, "{}", 400);
        row("beyond its scope", "PUT", "/api/providers/docker", none, "{\"values\":{}}", 403);
        row("upload as JSON", "PUT", "/api/files/x/content?path=a", none, "{}", 415);
    }
    void refusals()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, more);
        QFETCH(QByteArray, body);
        QFETCH(int, status);
        const Answer answer = ask(method, path, body.isEmpty() ? QByteArray() : body, more);
        QVERIFY2(answer.status == status,
                 (QByteArray::number(answer.status) + ' ' + answer.body.left(300)).constData());
        QVERIFY2(!answer.code().empty(), answer.body.constData());
        QVERIFY(!answer.headers.contains("access-control-allow-origin"));
        if (status == 405)
            QVERIFY(answer.headers.value("allow").contains("GET"));
    }

    void foreignHosts()
    {
        for (const QByteArray &host : {QByteArray("evil.example"), QByteArray("127.0.0.1:1"),
                                       "evil.example:" + QByteArray::number(m_port)}) {
            const Answer answer =
                raw("GET /health HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
            QCOMPARE(answer.status, 403);
        }
        QCOMPARE(ask("GET", "/api/threads", {}, "Origin: http://" + authority() + "\r\n").status,
                 200);
    }

    void headersHaveALimit()
    {
        QCOMPARE(ask("GET", "/api/threads", {}, "X-A: " + QByteArray(33'000, 'a') + "\r\n").status,
                 431);
    }

    void theDocumentIsTheTable()
    {
        const json document = ask("GET", "/api/openapi.json").parsed();
        QCOMPARE(document["openapi"].get<std::string>(), std::string("3.1.0"));
        QSet<QByteArray> written;
        for (const auto &[path, methods] : document["paths"].items()) {
            for (const auto &[method, operation] : methods.items())
                written.insert(QByteArray::fromStdString(method).toUpper() + ' '
                               + QByteArray::fromStdString(path));
        }
        QSet<QByteArray> served;
        QSet<QString> names;
        const QList<Route> routes = allRoutes();
        for (const Route &route : routes) {
            served.insert(route.method + ' ' + route.path);
            names.insert(route.name);
            if (!route.replySchema.isEmpty())
                QVERIFY2(
                    document["components"]["schemas"].contains(route.replySchema.toStdString()),
                    qPrintable(route.replySchema));
        }
        QCOMPARE(written, served);
        QCOMPARE(served.size(), routes.size());
        QCOMPARE(names.size(), routes.size());
        for (const char *row :
             {"GET /api/sandbox/runtimes", "POST /api/sandbox/runtimes/{id}/pause",
              "POST /api/sandbox/runtimes/{id}/resume", "DELETE /api/sandbox/runtimes/{id}",
              "GET /api/sandbox/runtimes/{id}/metrics", "GET /api/agents/{agent_id}/sandboxes"})
            QVERIFY2(served.contains(row), row);
    }

    void clientsThatVanishAtEachByte()
    {
        const QByteArray body = "{\"text\":\"\",\"config\":\"local\"}";
        const QByteArray request = "POST /api/threads HTTP/1.1\r\nHost: " + authority()
            + "\r\nAuthorization: Bearer " + m_token
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + QByteArray::number(body.size()) + "\r\n\r\n" + body;
        for (qsizetype length = 0; length <= request.size(); ++length) {
            const std::unique_ptr<QTcpSocket> socket = connected();
            socket->write(request.left(length));
            socket->waitForBytesWritten(1'000);
            socket->abort();
        }
        // The library hears of the last ones a moment later.
        QTRY_COMPARE(ask("GET", "/api/threads").status, 200);
    }

    void slowHeadsAreCut()
    {
        const std::unique_ptr<QTcpSocket> slow = connected();
        slow->write("GET /health HT");
        QElapsedTimer clock;
        clock.start();
        while (slow->state() == QAbstractSocket::ConnectedState && clock.elapsed() < 12'000) {
            slow->write("T");
            slow->waitForReadyRead(500);
        }
        QVERIFY(slow->state() != QAbstractSocket::ConnectedState);
    }

    void runtimesByTheirNames()
    {
        const QByteArray base = "/api/sandbox/runtimes/";
        QCOMPARE(ask("GET", base + "same").status, 400);
        QCOMPARE(ask("GET", base + "same?provider=e2b").status, 200);
        QCOMPARE(ask("GET", base + "e2b:same").status, 200);
        QCOMPARE(ask("GET", base + "lone").status, 200);
        QCOMPARE(ask("GET", base + "lone?provider=e2b").status, 409);
        QCOMPARE(ask("POST", base + "lone/resume").status, 200);
        QCOMPARE(ask("POST", base + "lone/pause").status, 202);
        QCOMPARE(ask("POST", base + "lone/pause").status, 200);
        const Answer waited = ask("POST", base + "lone/resume?wait=5");
        QCOMPARE(waited.status, 200);
        QCOMPARE(waited.parsed()["observed_state"].get<std::string>(), std::string("running"));
        onEngine([this] {
            // One that takes its time.
            m_engine->players.insert(QString::fromLatin1(PauseRuntime::kName),
                                     [](const ScriptedEngine::Ask &) {});
        });
        const Answer slow = ask("POST", base + "lone/pause");
        QCOMPARE(slow.status, 202);
        QCOMPARE(slow.parsed()["observed_state"].get<std::string>(), std::string("running"));
        QElapsedTimer clock;
        clock.start();
        QCOMPARE(ask("POST", base + "lone/pause?wait=1").status, 202);
        QVERIFY(clock.elapsed() >= 900);
    }

    void oneKeyIsOneRequest()
    {
        const auto ids = [this] {
            QList<QByteArray> seen;
            onEngine([&] {
                m_engine->players.insert(QString::fromLatin1(StopProcess::kName),
                                         [&seen](const ScriptedEngine::Ask &asked) {
                                             seen.append(asked.id.toString().toLatin1());
                                             asked.reply(ProcessView());
                                         });
            });
            for (const char *key : {"one", "one", "two", ""}) {
                const QByteArray header =
                    *key ? QByteArray("Idempotency-Key: ") + key + "\r\n" : QByteArray();
                const Answer answer = ask("POST", "/api/processes/p/stop", {}, header);
                if (answer.status != 200)
                    qWarning("%d", answer.status);
            }
            return seen;
        }();
        QCOMPARE(ids.size(), 4);
        QCOMPARE(ids[0], ids[1]);
        QVERIFY(ids[0] != ids[2] && ids[2] != ids[3]);
    }

    void silentStreamsShowLife()
    {
        const std::unique_ptr<QTcpSocket> socket = connected();
        socket->write("GET /api/events HTTP/1.1\r\nHost: " + authority()
                      + "\r\nAuthorization: Bearer " + m_token + "\r\n\r\n");
        QByteArray all;
        QElapsedTimer clock;
        clock.start();
        while (!all.contains("still here") && clock.elapsed() < 5'000) {
            socket->waitForReadyRead(500);
            all += socket->readAll();
        }
        QVERIFY2(all.contains("still here"), all.constData());
        onEngine([this] {
            m_engine->publish(OutputGrew{domain::ToolCallId(QStringLiteral("x")), 5});
        });
        while (!all.contains("output_grew") && clock.elapsed() < 10'000) {
            socket->waitForReadyRead(500);
            all += socket->readAll();
        }
        QVERIFY2(all.contains("event: output_grew"), all.constData());
    }

    void everyErrorHasAStatus()
    {
        for (int kind = 0; kind <= static_cast<int>(domain::ErrorKind::Internal); ++kind) {
            const int status = httpStatus(static_cast<domain::ErrorKind>(kind));
            QVERIFY(status >= 400 && status < 600 && status != 401);
        }
    }

    void cleanupTestCase()
    {
        // Somebody waits for events, somebody for an answer that never comes.
        const std::unique_ptr<QTcpSocket> events = connected();
        events->write("GET /api/events HTTP/1.1\r\nHost: " + authority()
                      + "\r\nAuthorization: Bearer " + m_token + "\r\n\r\n");
        events->waitForReadyRead(2'000);
        const std::unique_ptr<QTcpSocket> waiting = connected();
        waiting->write("POST /api/sandbox/runtimes/lone/pause?wait=60 HTTP/1.1\r\nHost: "
                       + authority() + "\r\nAuthorization: Bearer " + m_token + "\r\n\r\n");
        waiting->flush();
        QTest::qWait(300);
        const auto finish = [](ApiServer *server, std::atomic<bool> *over) -> async::Task<void> {
            co_await server->stop();
            *over = true;
        };
        std::atomic<bool> over{false};
        onEngine([&] { finish(m_server, &over); });
        QTRY_VERIFY(over);
        waiting->waitForReadyRead(2'000);
        QVERIFY(waiting->readAll().startsWith("HTTP/1.1 503"));
        QCOMPARE(live(), 0);
        quit();
    }
};

QTEST_GUILESS_MAIN(TestServer)
#include "test_server.moc"
