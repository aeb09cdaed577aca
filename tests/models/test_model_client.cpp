// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/model/endpoint_file.h"
#include "models/endpoint_factory.h"
#include "net/json_fields.h"
#include "support/await.h"
#include "support/fake_service.h"

#include <QtCore/QElapsedTimer>
#include <QtTest/QTest>

#include <nlohmann/json.hpp>

// The clients against the fake over a real socket.

using namespace berth;
using namespace std::chrono_literals;
using domain::ErrorKind;
using domain::ModelCall;
using domain::ModelReply;
using domain::ModelStop;
using nlohmann::json;

namespace {

const QByteArray kKey = QByteArrayLiteral("sk-test-0123456789abcdef");

struct Watched
{
    std::unique_ptr<domain::ModelReplyStream> stream;
    QString text;
    QString reasoning;
    int callSignals = 0;
    QList<std::pair<std::chrono::milliseconds, domain::Error>> waits;
    int ends = 0;
    ModelReply reply;

    bool wait(std::chrono::milliseconds limit = 10s)
    {
        return test::waitUntil([this] { return ends > 0; }, limit);
    }
};

} // namespace

class TestModelClient : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(m_fake.start(QStringLiteral("llm")), qPrintable(m_fake.why()));
        knobs("{\"key\":\"" + kKey + "\"}");
    }

    void cleanup()
    {
        knobs("{\"scenario\":\"\",\"replies\":[],\"faults\":[],\"cut\":null,\"drip\":null,"
              "\"paceMs\":null,"
              "\"cutCleanly\":false,\"kind\":\"plain\",\"context\":32768,\"clearRequests\":true}");
    }

    void streams_data() { dialects(); }

    void streams()
    {
        QFETCH(QString, dialect);
        knobs("{\"scenario\":\"text\",\"drip\":3}");
        Watched text;
        watch(text, dialect, ask());
        QCOMPARE(text.ends, 0);
        QVERIFY(text.wait());
        QVERIFY(!text.reply.error);
        QCOMPARE(text.reply.stop, ModelStop::End);
        QVERIFY(!text.text.isEmpty());
        QCOMPARE(text.text, text.reply.turn.text);
        QVERIFY(text.reply.usage.outputTokens.has_value());

        knobs("{\"scenario\":\"tools\",\"drip\":null}");
        Watched tools;
        watch(tools, dialect, ask());
        QVERIFY(tools.wait());
        QCOMPARE(tools.reply.stop, ModelStop::ToolCalls);
        QCOMPARE(tools.reply.turn.calls.size(), 2);
        QVERIFY(tools.callSignals >= 2);
        for (const ModelCall &call : tools.reply.turn.calls)
            QVERIFY(call.problem.isEmpty());

        const json asked = m_fake.requests();
        const json &headers = asked.back()["headers"];
        const bool old = dialect == QLatin1String("anthropic");
        QCOMPARE(headers.contains("x-api-key"), old);
        QCOMPARE(headers.contains("authorization"), !old);
        if (dialect != QLatin1String("openai"))
            QCOMPARE(net::textIn(headers, "anthropic-version"),
                     old ? QStringLiteral("2023-06-01") : QStringLiteral("2026-10-21"));
    }

    //! Two calls, their results, the answer: the fake refuses what the services refuse.
    void rounds_data() { dialects(); }

    void rounds()
    {
        QFETCH(QString, dialect);
        knobs(
            "{\"replies\":[{\"reasoning\":\"Hm.\",\"text\":\"Let me see.\",\"calls\":["
            "{\"name\":\"shell\",\"arguments\":{\"command\":\"ls é😀\"}},"
            "{\"name\":\"read_file\",\"arguments\":\"{\\\"path\\\":\\\"x\"}]},{\"text\":\"Done.\","
            "\"usage\":{\"input\":7,\"cached\":3,\"output\":2}}]}");
        domain::ModelRequest request = ask();
        Watched first;
        watch(first, dialect, request);
        QVERIFY(first.wait());
        QCOMPARE(first.reply.turn.calls.size(), 2);
        QVERIFY(first.reply.turn.calls.at(0).problem.isEmpty());
        QVERIFY(first.reply.turn.calls.at(1).problem.contains(QLatin1String("{\"path\":\"x")));
        QCOMPARE(first.reasoning, QStringLiteral("Hm."));
        request.turns.append(first.reply.turn);
        for (const ModelCall &call : first.reply.turn.calls) {
            domain::ModelTurn result;
            result.role = domain::ModelRole::ToolResult;
            result.callId = call.id;
            result.text = call.problem;
            result.isError = !call.problem.isEmpty();
            request.turns.append(result);
        }
        Watched second;
        watch(second, dialect, request);
        QVERIFY(second.wait());
        QVERIFY2(!second.reply.error,
                 second.reply.error ? qPrintable(second.reply.error->detail) : "");
        QCOMPARE(second.reply.turn.text, QStringLiteral("Done."));
        QCOMPARE(second.reply.usage.inputTokens, std::optional<qint64>(7));
        QCOMPARE(second.reply.usage.cachedTokens, std::optional<qint64>(3));
        QCOMPARE(second.reply.usage.outputTokens, std::optional<qint64>(2));
    }

    void cutsOnTheWire_data() { dialects(); }

    void cutsOnTheWire()
    {
        QFETCH(QString, dialect);
        for (const bool cleanly : {false, true}) {
            for (const int at : {1, 200, 700, 1500, 2600, 4000, 1000000}) {
                knobs(QStringLiteral("{\"scenario\":\"tools\",\"cut\":%1,\"cutCleanly\":%2}")
                          .arg(at)
                          .arg(cleanly ? QStringLiteral("true") : QStringLiteral("false"))
                          .toUtf8());
                Watched cut;
                watch(cut, dialect, ask(), 1);
                QVERIFY(cut.wait());
                QCOMPARE(cut.text, cut.reply.turn.text);
                int fit = 0;
                for (const ModelCall &call : cut.reply.turn.calls)
                    fit += call.problem.isEmpty() ? 1 : 0;
                QVERIFY(fit == 0 || fit == 2);
                QCOMPARE(fit == 2, cut.reply.stop == ModelStop::ToolCalls);
                if (at == 1000000)
                    QCOMPARE(fit, 2);
            }
        }
    }

    void triesAgain()
    {
        // A server's fault, then a wait in milliseconds, then an answer.
        knobs("{\"faults\":[{\"match\":\"chat\",\"times\":1,\"status\":500},"
              "{\"match\":\"chat\",\"times\":1,\"status\":429,\"headers\":{\"retry-after-ms\":"
              "\"50\"}}]}");
        Watched run;
        watch(run, QStringLiteral("openai"), ask());
        QVERIFY(run.wait());
        QVERIFY(!run.reply.error);
        QCOMPARE(run.waits.size(), 2);
        QCOMPARE(run.waits.at(0).second.kind, ErrorKind::Unavailable);
        QVERIFY(run.waits.at(0).first <= 500ms && run.waits.at(0).first >= 370ms);
        QCOMPARE(run.waits.at(1).second.kind, ErrorKind::RateLimited);

        // A connection that dies before an answer is not worth a word once.
        knobs("{\"faults\":[{\"match\":\"chat\",\"times\":1,\"reset\":true}]}");
        Watched dead;
        watch(dead, QStringLiteral("openai"), ask());
        QVERIFY(dead.wait());
        QVERIFY(!dead.reply.error);
        QVERIFY(dead.waits.isEmpty());

        // Overloaded in the stream, before anything came.
        knobs("{\"faults\":[],\"replies\":[{\"status\":529}]}");
        Watched busy;
        watch(busy, QStringLiteral("anthropic"), ask());
        QVERIFY(busy.wait());
        QVERIFY(!busy.reply.error);
        QCOMPARE(busy.waits.size(), 1);
    }

    void waitsAsLongAsAsked()
    {
        knobs("{\"faults\":[{\"match\":\"chat\",\"status\":429,\"headers\":{\"Retry-After\":"
              "\"86400\"}}]}");
        Watched day;
        watch(day, QStringLiteral("openai"), ask());
        QVERIFY(day.wait(5s));
        QVERIFY(day.waits.isEmpty());
        QCOMPARE(day.reply.error->kind, ErrorKind::RateLimited);
        QCOMPARE(day.reply.error->retryAfter, std::optional(std::chrono::seconds(86400)));
        QVERIFY(
            day.reply.error->detail.contains(QLatin1String("It asks for no request before 20")));

        knobs("{\"faults\":[{\"match\":\"chat\",\"times\":1,\"status\":503,\"headers\":{\"Retry-"
              "After\":\"120\"}}]}");
        Watched nudged;
        watch(nudged, QStringLiteral("openai"), ask());
        QVERIFY(test::waitUntil([&nudged] { return !nudged.waits.isEmpty(); }));
        QCOMPARE(nudged.waits.first().first, 120s);
        nudged.stream->retryNow();
        QVERIFY(nudged.wait());
        QVERIFY(!nudged.reply.error);

        knobs("{\"faults\":[{\"match\":\"chat\",\"status\":503,\"headers\":{\"Retry-After\":"
              "\"120\"}}]}");
        Watched stopped;
        watch(stopped, QStringLiteral("openai"), ask());
        QVERIFY(test::waitUntil([&stopped] { return !stopped.waits.isEmpty(); }));
        QElapsedTimer clock;
        clock.start();
        stopped.stream->stop();
        QCOMPARE(stopped.ends, 0);
        QVERIFY(stopped.wait());
        QVERIFY(clock.elapsed() < 1000);
        QCOMPARE(stopped.reply.stop, ModelStop::Cancelled);
        QVERIFY(!stopped.reply.error);
    }

    void doesNotTryAgain()
    {
        for (const char *scenario : {"e401", "e403", "e404", "e413", "e400ctx", "e429quota"}) {
            knobs(QByteArrayLiteral("{\"clearRequests\":true,\"scenario\":\"") + scenario + "\"}");
            Watched run;
            watch(run, QStringLiteral("openai"), ask());
            QVERIFY(run.wait());
            QVERIFY2(run.reply.error && run.waits.isEmpty(), scenario);
            QCOMPARE(m_fake.requests().size(), size_t(1));
        }
        // What has been shown is not asked for again.
        knobs("{\"scenario\":\"error_mid\",\"clearRequests\":true}");
        Watched mid;
        watch(mid, QStringLiteral("openai"), ask());
        QVERIFY(mid.wait());
        QCOMPARE(mid.reply.stop, ModelStop::Failed);
        QVERIFY(!mid.text.isEmpty());
        QCOMPARE(m_fake.requests().size(), size_t(1));

        // The service repeats the key that it was sent.
        knobs("{\"key\":\"another\",\"scenario\":\"\"}");
        Watched wrong;
        watch(wrong, QStringLiteral("openai"), ask());
        QVERIFY(wrong.wait());
        knobs("{\"key\":\"" + kKey + "\"}");
        QCOMPARE(wrong.reply.error->kind, ErrorKind::Unauthorized);
        QVERIFY(!wrong.reply.error->detail.contains(QString::fromLatin1(kKey)));
        QVERIFY(wrong.reply.error->detail.contains(QLatin1String("Incorrect API key")));
    }

    void stops_data() { dialects(); }

    void stops()
    {
        QFETCH(QString, dialect);
        knobs("{\"scenario\":\"slow\",\"paceMs\":50}");
        Watched run;
        watch(run, dialect, ask());
        QVERIFY(test::waitUntil([&run] { return !run.text.isEmpty(); }));
        run.stream->stop();
        run.stream->stop();
        QVERIFY(run.wait(2s));
        QCOMPARE(run.reply.stop, ModelStop::Cancelled);
        QCOMPARE(run.reply.turn.text, run.text);
        QVERIFY(!run.text.isEmpty());
        QVERIFY(serverSawTheEnd());
        test::spin(50ms);
        QCOMPARE(run.ends, 1);

        knobs("{\"clearRequests\":true}");
        Watched dropped;
        watch(dropped, dialect, ask());
        QVERIFY(test::waitUntil([&dropped] { return !dropped.text.isEmpty(); }));
        dropped.stream.reset();
        QVERIFY(serverSawTheEnd());
        QCOMPARE(dropped.ends, 0);
    }

    void deadlines()
    {
        knobs("{\"scenario\":\"hang\"}");
        domain::ModelEndpointSettings settings = endpoint(QStringLiteral("openai"));
        settings.firstEvent = 200ms;
        settings.idle = 200ms;
        settings.attempts = 1;
        Watched silent;
        watchAt(silent, settings, ask());
        QVERIFY(silent.wait(3s));
        QCOMPARE(silent.reply.error->kind, ErrorKind::Timeout);

        knobs("{\"scenario\":\"\",\"faults\":[{\"match\":\"chat\",\"stallAfter\":700}]}");
        Watched stuck;
        watchAt(stuck, settings, ask());
        QVERIFY(stuck.wait(3s));
        QCOMPARE(stuck.reply.error->kind, ErrorKind::Timeout);
        QCOMPARE(stuck.reply.turn.text, stuck.text);
    }

    //! Comments and pings hold a deadline off for a while, and not for ever.
    void signsOfLife_data() { dialects(); }

    void signsOfLife()
    {
        QFETCH(QString, dialect);
        domain::ModelEndpointSettings settings = endpoint(dialect);
        settings.firstEvent = 100ms;
        settings.idle = 100ms;
        settings.attempts = 1;
        knobs(
            "{\"replies\":[{\"text\":\"x\",\"signsMs\":250},{\"text\":\"x\",\"signsMs\":20000}]}");
        Watched patient;
        watchAt(patient, settings, ask());
        QVERIFY(patient.wait(3s));
        QVERIFY2(!patient.reply.error,
                 patient.reply.error ? qPrintable(patient.reply.error->message) : "");
        QCOMPARE(patient.reply.turn.text, QStringLiteral("x"));
        Watched silent;
        watchAt(silent, settings, ask());
        QVERIFY(silent.wait(3s));
        QVERIFY(silent.reply.error);
        QCOMPARE(silent.reply.error->kind, ErrorKind::Timeout);
    }

    //! What the reply is has been said; its usage is not waited for without end.
    void signsBehindTheStop()
    {
        knobs("{\"replies\":[{\"text\":\"x\",\"lateMs\":20000}]}");
        Watched late;
        watch(late, QStringLiteral("anthropic"), ask());
        QVERIFY(late.wait(9s));
        QVERIFY(!late.reply.error);
        QCOMPARE(late.reply.stop, ModelStop::End);
        QCOMPARE(late.reply.turn.text, QStringLiteral("x"));
    }

    void checks_data()
    {
        QTest::addColumn<QString>("dialect");
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<qint64>("context");
        QTest::newRow("llama.cpp")
            << QStringLiteral("openai") << QByteArrayLiteral("llamacpp") << qint64(8192);
        QTest::newRow("ollama") << QStringLiteral("openai") << QByteArrayLiteral("ollama")
                                << qint64(40000);
        QTest::newRow("ollama, not loaded")
            << QStringLiteral("openai") << QByteArrayLiteral("ollama") << qint64(0);
        QTest::newRow("vllm") << QStringLiteral("openai") << QByteArrayLiteral("vllm")
                              << qint64(70000);
        QTest::newRow("anthropic")
            << QStringLiteral("anthropic") << QByteArrayLiteral("plain") << qint64(0);
    }

    void checks()
    {
        QFETCH(QString, dialect);
        QFETCH(QByteArray, kind);
        QFETCH(qint64, context);
        knobs("{\"kind\":\"" + kind + "\",\"context\":" + QByteArray::number(context)
              + ",\"replies\":[{\"text\":\"OK\",\"stop\":\""
              + (dialect == QLatin1String("openai") ? "length" : "max_tokens")
              + "\"},{\"calls\":[{\"name\":\"report\",\"arguments\":{\"ok\":true}}]}]}");
        const auto client = m_factory.open(endpoint(dialect));
        QStringList steps;
        const auto told = test::await(
            client->check(QStringLiteral("fake-model"),
                          [&steps](const domain::HealthStep &step) {
                              steps.append(step.name + QLatin1Char('=')
                                           + QString::number(static_cast<int>(step.state)));
                          },
                          {}));
        BERTH_OK(told);
        QVERIFY2(told->ok, qPrintable(steps.join(QLatin1Char(' '))));
        const bool isOllamaIdle = kind == "ollama" && context == 0;
        const qint64 known = isOllamaIdle ? 8192 : context;
        const int state = static_cast<int>(known == 0          ? domain::StepState::Skipped
                                               : known < 16384 ? domain::StepState::Warning
                                                               : domain::StepState::Ok);
        QCOMPARE(
            steps,
            (QStringList{QStringLiteral("Models=0"), QStringLiteral("Reply=0"),
                         QStringLiteral("Tool call=0"), QStringLiteral("Context=%1").arg(state)}));
        const auto size = test::await(client->contextTokens(QStringLiteral("fake-model"), {}));
        BERTH_OK(size);
        QCOMPARE(*size, known);
        const auto models = test::await(client->models({}));
        BERTH_OK(models);
        QCOMPARE(models->size(), 2);
    }

    void checkTellsWhatIsWrong()
    {
        domain::ModelEndpointSettings settings = endpoint(QStringLiteral("openai"));
        settings.key = domain::Secret("sk-wrong-000000000000");
        const auto refused =
            test::await(m_factory.open(settings)->check(QStringLiteral("m"), {}, {}));
        BERTH_OK(refused);
        QVERIFY(!refused->ok);
        QCOMPARE(refused->error->kind, ErrorKind::Unauthorized);

        // No list, and a model that calls nothing.
        knobs("{\"faults\":[{\"match\":\"GET /v1/models\",\"status\":404}],"
              "\"replies\":[{\"text\":\"OK\"},{\"text\":\"I would rather not.\"}]}");
        const auto weak = test::await(
            m_factory.open(endpoint(QStringLiteral("openai")))->check(QStringLiteral("m"), {}, {}));
        BERTH_OK(weak);
        QVERIFY(weak->ok);
        QCOMPARE(weak->steps.at(0).state, domain::StepState::Warning);
        QCOMPARE(weak->steps.at(2).state, domain::StepState::Warning);

        settings.baseUrl = QStringLiteral("http://127.0.0.1:1/v1");
        const auto nobody =
            test::await(m_factory.open(settings)->check(QStringLiteral("m"), {}, {}));
        BERTH_OK(nobody);
        QCOMPARE(nobody->error->kind, ErrorKind::Unavailable);
    }

private:
    static void dialects()
    {
        QTest::addColumn<QString>("dialect");
        for (const char *dialect : {"openai", "anthropic", "anthropic-bearer"})
            QTest::newRow(dialect) << QString::fromLatin1(dialect);
    }

    void knobs(const QByteArray &told)
    {
        QVERIFY2(m_fake.setKnobs(told), qPrintable(m_fake.why()));
    }

    domain::ModelEndpointSettings endpoint(const QString &dialect)
    {
        domain::ModelEndpointSettings settings;
        settings.name = QStringLiteral("test");
        settings.dialect = dialect;
        settings.baseUrl = m_fake.url(QStringLiteral("api")) + QStringLiteral("/v1");
        settings.key = domain::Secret(kKey);
        return settings;
    }

    static domain::ModelRequest ask()
    {
        domain::ModelRequest request;
        request.model = QStringLiteral("fake-model");
        request.system = QStringLiteral("You are a test.");
        domain::ModelTurn turn;
        turn.text = QStringLiteral("List files");
        request.turns = {turn};
        request.tools = {{QStringLiteral("shell"), QStringLiteral("Runs a command"),
                          QByteArrayLiteral("{\"type\":\"object\"}")}};
        return request;
    }

    void watch(Watched &seen, const QString &dialect, const domain::ModelRequest &request,
               int attempts = 5)
    {
        domain::ModelEndpointSettings settings = endpoint(dialect);
        settings.attempts = attempts;
        watchAt(seen, settings, request);
    }

    void watchAt(Watched &seen, const domain::ModelEndpointSettings &settings,
                 const domain::ModelRequest &request)
    {
        seen.stream = m_factory.open(settings)->ask(request);
        domain::ModelReplyStream *stream = seen.stream.get();
        using Stream = domain::ModelReplyStream;
        connect(stream, &Stream::textGrew, this,
                [&seen](const QString &piece) { seen.text += piece; });
        connect(stream, &Stream::reasoningGrew, this,
                [&seen](const QString &piece) { seen.reasoning += piece; });
        connect(stream, &Stream::callGrew, this, [&seen] { ++seen.callSignals; });
        connect(stream, &Stream::waiting, this,
                [&seen](std::chrono::milliseconds wait, const domain::Error &why) {
                    seen.waits.append({wait, why});
                });
        connect(stream, &Stream::finished, this, [&seen](const ModelReply &reply) {
            ++seen.ends;
            seen.reply = reply;
        });
    }

    bool serverSawTheEnd()
    {
        return test::waitUntil(
            [this] {
                const json asked = m_fake.requests();
                return !asked.empty()
                    && net::textIn(asked.back(), "ended") == QLatin1String("client-disconnected");
            },
            3s);
    }

    test::FakeService m_fake;
    models::EndpointFactory m_factory;
};

QTEST_GUILESS_MAIN(TestModelClient)
#include "test_model_client.moc"
