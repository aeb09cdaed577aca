// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/model/endpoint_file.h"
#include "models/answer_error.h"
#include "models/endpoint.h"
#include "models/reply_reader.h"
#include "net/json_fields.h"
#include "reply_parts.h"

#include <QtCore/QDir>
#include <QtCore/QRandomGenerator>
#include <QtTest/QTest>

#include <nlohmann/json.hpp>

// Recorded replies through the readers, without a socket; requests; the endpoints' file.

using namespace berth;
using berth::test::gone;
using berth::test::linkOf;
using berth::test::requestOf;
using berth::test::turnOf;
using domain::Error;
using domain::ErrorKind;
using domain::ModelCall;
using domain::ModelReply;
using domain::ModelRole;
using domain::ModelStop;
using domain::ModelTurn;
using nlohmann::json;

//! Qt Test cannot tell what JSON holds.
#define JSON_IS(value, expected) QVERIFY((value) == (expected))

namespace {

struct Recording
{
    QByteArray bytes;
    int status = 0;
    bool isAnthropic = false;
    bool isStream = false;
    net::HttpHeaders headers;
};

Recording recording(const QString &name)
{
    QFile file(QStringLiteral(BERTH_RECORDINGS "/%1.json").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s is missing", qPrintable(name));
    const json told = net::parsed(file.readAll());
    Recording made;
    made.status = static_cast<int>(net::integerIn(told, "status").value_or(0));
    made.isAnthropic = net::textIn(told, "path").startsWith(QLatin1String("/v1/messages"));
    for (const auto &[key, value] : told["headers"].items()) {
        made.headers.append(QByteArray::fromStdString(key), net::stringOf(value).toUtf8());
        if (key == "content-type" && net::stringOf(value).startsWith(QLatin1String("text/event")))
            made.isStream = true;
    }
    for (const json &piece : told["writes"])
        made.bytes += piece.is_string() ? net::stringOf(piece).toUtf8()
                                        : QByteArray::fromHex(net::textIn(piece, "hex").toLatin1());
    return made;
}

std::unique_ptr<models::ReplyReader> readerFor(const Recording &told)
{
    models::ReplyContext context{QStringLiteral("http://here"), QStringLiteral("m"), {}};
    return told.isAnthropic ? models::anthropicReader(context) : models::openAiReader(context);
}

ModelReply replyOf(const QString &name)
{
    const Recording told = recording(name);
    const auto reader = readerFor(told);
    reader->feed(told.bytes);
    reader->finishBytes();
    return reader->reply(std::nullopt);
}

QList<std::pair<QString, QByteArray>> runnable(const ModelReply &reply)
{
    QList<std::pair<QString, QByteArray>> calls;
    for (const ModelCall &call : reply.turn.calls) {
        if (call.problem.isEmpty())
            calls.append({call.name, call.arguments});
    }
    return calls;
}

//! Where events end.
QList<qsizetype> boundaries(const QByteArray &bytes)
{
    QList<qsizetype> found{0};
    for (qsizetype i = 1; i < bytes.size(); ++i) {
        const bool lf = bytes.at(i) == '\n' && bytes.at(i - 1) == '\n';
        const bool crlf = i >= 3 && bytes.mid(i - 3, 4) == "\r\n\r\n";
        if (lf || crlf)
            found.append(i + 1);
    }
    if (found.last() != bytes.size())
        found.append(bytes.size());
    return found;
}

} // namespace

class TestModelReplies : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sseLineEndsAndCuts()
    {
        const QByteArray bytes =
            "\xEF\xBB\xBF: hello\r\rdata:a\r\ndata: b\r\n\r\nevent: x\rdata: "
            "\xC3\xA9\r\r:\n\nid: 1\nretry: 5\ndata\n\nerror: {}\n\ndata: last";
        const QList<net::SseEvent> expected{
            {{}, "a\nb"}, {"x", "\xC3\xA9"}, {{}, ""}, {"error", "{}"}, {{}, "last"}};
        for (qsizetype size = 1; size <= bytes.size(); ++size) {
            net::SseReader reader;
            QList<net::SseEvent> events;
            for (qsizetype at = 0; at < bytes.size(); at += size)
                events += reader.feed(
                    QByteArrayView(bytes).sliced(at, std::min(size, bytes.size() - at)));
            events += reader.finish();
            QCOMPARE(events, expected);
        }
    }

    void sseIsBoundedAndTakesAnything()
    {
        net::SseReader small(100);
        QVERIFY(small.feed("data: " + QByteArray(200, 'x')).isEmpty());
        QVERIFY(small.isBroken());
        QVERIFY(small.feed("\n\ndata: y\n\n").isEmpty());
        net::SseReader lines(100);
        for (int i = 0; i < 20; ++i)
            lines.feed("data: 0123456789\n");
        QVERIFY(lines.isBroken());

        QRandomGenerator random(7);
        const QByteArray letters = "\r\n: data:event{}[]\"\\\x80\xFF"
                                   "0a";
        for (int round = 0; round < 2000; ++round) {
            QByteArray noise;
            for (int i = 0; i < 120; ++i)
                noise += letters.at(random.bounded(static_cast<int>(letters.size())));
            net::SseReader whole;
            net::SseReader cut;
            QList<net::SseEvent> first = whole.feed(noise);
            first += whole.finish();
            const qsizetype at = random.bounded(static_cast<int>(noise.size()));
            QList<net::SseEvent> second = cut.feed(QByteArrayView(noise).first(at));
            second += cut.feed(QByteArrayView(noise).sliced(at));
            second += cut.finish();
            QCOMPARE(second, first);
            for (const bool anthropic : {false, true}) {
                const auto reader =
                    anthropic ? models::anthropicReader({}) : models::openAiReader({});
                reader->feed("data: {\"choices\":[" + noise + "]}\n\n" + noise);
                reader->finishBytes();
                QVERIFY(runnable(reader->reply(std::nullopt)).isEmpty());
            }
        }
        // Deeper than any stack.
        const auto deep = models::openAiReader({});
        deep->feed("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":"
                   + QByteArray(1'000'000, '[') + QByteArray(1'000'000, ']') + "}}]}}]}\n\n");
        QCOMPARE(deep->reply(std::nullopt).error->kind, ErrorKind::Protocol);
    }

    void everyCut_data()
    {
        QTest::addColumn<QString>("name");
        const QStringList files = QDir(QStringLiteral(BERTH_RECORDINGS)).entryList(QDir::Files);
        for (const QString &file : files) {
            const QString name = file.chopped(5);
            if (recording(name).isStream)
                QTest::newRow(qPrintable(name)) << name;
        }
    }

    //! Cut at each byte: what came before is there, and no call may be run that is not whole. A
    //! reader that was told of the end goes on as if the cut event had never begun, so that each
    //! event's cuts need the events before it only once.
    void everyCut()
    {
        QFETCH(QString, name);
        const Recording told = recording(name);
        const ModelReply full = replyOf(name);
        const QList<qsizetype> ends = boundaries(told.bytes);
        const QByteArrayView bytes(told.bytes);
        for (qsizetype k = 0; k + 1 < ends.size(); ++k) {
            const qsizetype begin = ends.at(k);
            auto reader = readerFor(told);
            reader->feed(bytes.first(begin));
            QString grown = reader->takeGrowth().text;
            const QString before = reader->reply(gone()).turn.text;
            QCOMPARE(before, grown);
            bool wasTaken = false;
            for (qsizetype cut = begin + 1; cut <= ends.at(k + 1); ++cut) {
                if (wasTaken) {
                    reader = readerFor(told);
                    reader->feed(bytes.first(begin));
                    grown = reader->takeGrowth().text;
                }
                reader->feed(bytes.sliced(begin, cut - begin));
                reader->finishBytes();
                const models::ReplyGrowth growth = reader->takeGrowth();
                grown += growth.text;
                const ModelReply reply = reader->reply(gone());
                wasTaken = wasTaken || reader->isOver() || reader->hasStop()
                    || !growth.text.isEmpty() || !growth.reasoning.isEmpty()
                    || !growth.calls.isEmpty();
                QCOMPARE(reply.turn.text, grown);
                QVERIFY(reply.turn.text.startsWith(before));
                QVERIFY(full.turn.text.startsWith(reply.turn.text));
                if (!runnable(reply).isEmpty())
                    QCOMPARE(runnable(reply), runnable(full));
                QCOMPARE(reply.error.has_value(), reply.stop == ModelStop::Failed);
            }
        }
    }

    void accumulates_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<bool>("mayRun");
        const QString shell = QStringLiteral("shell");
        const QString read = QStringLiteral("read_file");
        const QStringList both{shell, read};
        QTest::newRow("interleaved") << QStringLiteral("openai-tools") << both << true;
        QTest::newRow("same index") << QStringLiteral("openai-tools_sameindex") << both << true;
        QTest::newRow("repeated") << QStringLiteral("openai-tools_repeat") << QStringList{read}
                                  << true;
        QTest::newRow("no index") << QStringLiteral("openai-tools_noindex") << both << true;
        QTest::newRow("object") << QStringLiteral("openai-tools_objargs") << QStringList{read}
                                << true;
        QTest::newRow("truncated")
            << QStringLiteral("openai-tools_truncated") << QStringList{shell} << false;
        QTest::newRow("two of a real server")
            << QStringLiteral("llamasrv-tool_two") << QStringList() << true;
        QTest::newRow("messages") << QStringLiteral("anthropic-tools") << both << true;
        QTest::newRow("messages cut")
            << QStringLiteral("anthropic-maxtok") << QStringList{shell} << false;
        QTest::newRow("messages of a real server")
            << QStringLiteral("llamasrv-anthropic_tool") << QStringList() << true;
    }

    void accumulates()
    {
        QFETCH(QString, name);
        QFETCH(QStringList, names);
        QFETCH(bool, mayRun);
        const ModelReply reply = replyOf(name);
        QStringList seen;
        QStringList ids;
        for (const ModelCall &call : reply.turn.calls) {
            seen.append(call.name);
            QVERIFY(!call.id.isEmpty());
            QVERIFY(!ids.contains(call.id));
            ids.append(call.id);
            QCOMPARE(call.problem.isEmpty(), mayRun);
            if (mayRun)
                QVERIFY(net::parsed(call.arguments).is_object());
        }
        QVERIFY(!seen.isEmpty());
        if (!names.isEmpty())
            QCOMPARE(seen, names);
        QCOMPARE(reply.stop, mayRun ? ModelStop::ToolCalls : ModelStop::Length);
        if (mayRun && seen.contains(QStringLiteral("shell"))
            && name.startsWith(QLatin1String("openai")))
            QCOMPARE(net::textIn(net::parsed(reply.turn.calls.first().arguments), "command"),
                     QStringLiteral("ls -la \"/tmp/a b\" && echo \"é😀\""));
    }

    void replies()
    {
        const ModelReply text = replyOf(QStringLiteral("openai-text"));
        QCOMPARE(text.stop, ModelStop::End);
        QCOMPARE(text.usage.inputTokens, std::optional<qint64>(34));
        QCOMPARE(text.usage.cachedTokens, std::optional<qint64>(8));
        QCOMPARE(text.usage.outputTokens, std::optional<qint64>(17));
        QCOMPARE(text.usage.reasoningTokens, std::optional<qint64>(3));
        QVERIFY(!text.usage.cost);

        const ModelReply framing = replyOf(QStringLiteral("openai-framing"));
        QCOMPARE(framing.turn.text, QStringLiteral("ab😀écde"));
        QCOMPARE(framing.stop, ModelStop::End);

        const ModelReply reasoning = replyOf(QStringLiteral("openai-reasoning"));
        QCOMPARE(reasoning.turn.reasoning, QStringLiteral("First think. More."));
        QCOMPARE(reasoning.turn.text, QStringLiteral("Answer"));
        QVERIFY(!reasoning.turn.opaque.isEmpty());

        QCOMPARE(replyOf(QStringLiteral("openai-refusal")).stop, ModelStop::Refused);
        QCOMPARE(replyOf(QStringLiteral("openai-refusal")).turn.text, QStringLiteral("I cannot."));
        QCOMPARE(replyOf(QStringLiteral("anthropic-refusal")).stop, ModelStop::Refused);
        QCOMPARE(replyOf(QStringLiteral("llamasrv-length")).stop, ModelStop::Length);

        for (const char *name :
             {"openai-error_mid", "openai-error_mid_llamacpp", "openai-error_mid_openrouter",
              "openai-cut", "anthropic-error_mid", "anthropic-cut", "llamarnd-required"}) {
            const ModelReply broken = replyOf(QLatin1String(name));
            QVERIFY2(broken.stop == ModelStop::Failed && broken.error, name);
            // That one ends before any text.
            if (QLatin1String(name) != QLatin1String("anthropic-cut"))
                QVERIFY2(!broken.turn.text.isEmpty() || !broken.turn.calls.isEmpty(), name);
        }
        const domain::Error away = *replyOf(QStringLiteral("openai-error_mid_openrouter")).error;
        const QString words = away.message + QLatin1Char(' ') + away.detail;
        QVERIFY2(words.contains(QLatin1String("Provider disconnected")), qPrintable(words));

        const ModelReply none = replyOf(QStringLiteral("anthropic-noargs"));
        QCOMPARE(none.turn.calls.size(), 1);
        QCOMPARE(none.turn.calls.first().arguments, QByteArrayLiteral("{}"));
        QVERIFY(none.turn.calls.first().problem.isEmpty());

        const ModelReply usage = replyOf(QStringLiteral("anthropic-text"));
        QCOMPARE(usage.usage.inputTokens, std::optional<qint64>(35));
        QCOMPARE(usage.usage.cachedTokens, std::optional<qint64>(7));
        QVERIFY(!replyOf(QStringLiteral("anthropic-cut")).usage.outputTokens);
    }

    void oddStreams()
    {
        // Arguments that are JSON but no object, a call without a name, an id used before.
        models::ReplyContext context;
        context.usedIds = {QStringLiteral("call_0")};
        const auto reader = models::openAiReader(context);
        reader->feed(R"(data: {"choices":[{"delta":{"tool_calls":[)"
                     R"({"index":0,"id":"call_0","function":{"name":"a","arguments":"[1]"}},)"
                     R"({"index":1,"function":{"arguments":"{}"}},)"
                     R"({"index":2,"id":"z","function":{"name":"c","arguments":null}}]},)"
                     R"("finish_reason":"tool_calls"}],"usage":{"prompt_tokens":5,)"
                     R"("completion_tokens":1,"cost":0.25}})"
                     "\n\ndata: {\"choices\":null,\"usage\":{\"prompt_tokens\":6,"
                     "\"completion_tokens\":2}}\n\ndata: [DONE]\n\n");
        const ModelReply reply = reader->reply(std::nullopt);
        QCOMPARE(reply.turn.calls.size(), 3);
        QVERIFY(reply.turn.calls.at(0).id != QLatin1String("call_0"));
        QVERIFY(reply.turn.calls.at(0).problem.contains(QLatin1String("no JSON object")));
        QVERIFY(reply.turn.calls.at(1).problem.contains(QLatin1String("names no tool")));
        QVERIFY(reply.turn.calls.at(1).id.startsWith(QLatin1String("call_")));
        QCOMPARE(reply.turn.calls.at(2).arguments, QByteArrayLiteral("{}"));
        QVERIFY(reply.turn.calls.at(2).problem.isEmpty());
        QCOMPARE(reply.usage.inputTokens, std::optional<qint64>(6));
        QCOMPARE(reply.usage.cost, std::optional<double>(0.25));

        // A server that does not stream.
        const Recording whole = recording(QStringLiteral("openai-nonstream"));
        const auto one = models::openAiReader({});
        one->takeWhole(whole.bytes);
        QCOMPARE(one->reply(std::nullopt).turn.text, QStringLiteral("Hello"));
        QCOMPARE(one->reply(std::nullopt).stop, ModelStop::End);

        // Both names of one reasoning.
        const auto twice = models::openAiReader({});
        twice->feed(R"(data: {"choices":[{"delta":{"reasoning":"x","reasoning_content":"x"}}]})"
                    "\n\n");
        QCOMPARE(twice->reply(gone()).turn.reasoning, QStringLiteral("x"));
    }

    void errors_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<ErrorKind>("kind");
        QTest::addColumn<bool>("again");
        QTest::newRow("401") << QStringLiteral("openai-e401") << ErrorKind::Unauthorized << false;
        QTest::newRow("403") << QStringLiteral("openai-e403") << ErrorKind::Forbidden << false;
        QTest::newRow("404") << QStringLiteral("openai-e404") << ErrorKind::NotFound << false;
        QTest::newRow("413") << QStringLiteral("openai-e413") << ErrorKind::InvalidInput << false;
        QTest::newRow("context") << QStringLiteral("openai-e400ctx") << ErrorKind::InvalidInput
                                 << false;
        QTest::newRow("context of llama.cpp")
            << QStringLiteral("openai-e400llamacpp") << ErrorKind::InvalidInput << false;
        QTest::newRow("context, real")
            << QStringLiteral("llamasrv-ctx") << ErrorKind::InvalidInput << false;
        QTest::newRow("429") << QStringLiteral("openai-e429") << ErrorKind::RateLimited << true;
        QTest::newRow("quota") << QStringLiteral("openai-e429quota") << ErrorKind::Quota << false;
        QTest::newRow("500") << QStringLiteral("openai-e500") << ErrorKind::Unavailable << true;
        QTest::newRow("503") << QStringLiteral("openai-e503") << ErrorKind::Unavailable << true;
        QTest::newRow("html") << QStringLiteral("openai-ehtml") << ErrorKind::Unavailable << true;
        QTest::newRow("key, real")
            << QStringLiteral("llamasrv-nokey") << ErrorKind::Unauthorized << false;
        QTest::newRow("messages 401")
            << QStringLiteral("anthropic-e401") << ErrorKind::Unauthorized << false;
        QTest::newRow("messages 413")
            << QStringLiteral("anthropic-e413") << ErrorKind::InvalidInput << false;
        QTest::newRow("messages context")
            << QStringLiteral("anthropic-e400ctx") << ErrorKind::InvalidInput << false;
        QTest::newRow("messages 429")
            << QStringLiteral("anthropic-e429") << ErrorKind::RateLimited << true;
        QTest::newRow("messages 529")
            << QStringLiteral("anthropic-e529") << ErrorKind::Unavailable << true;
    }

    void errors()
    {
        QFETCH(QString, name);
        QFETCH(ErrorKind, kind);
        QFETCH(bool, again);
        const Recording told = recording(name);
        const net::HttpHead head{told.status, {}, told.headers};
        const Error error = models::errorOfAnswer(head, told.bytes, QStringLiteral("here"));
        QCOMPARE(error.kind, kind);
        QVERIFY(!error.message.isEmpty());
        QVERIFY2(!error.detail.isEmpty() && !error.detail.contains(QLatin1Char('<'))
                     && !error.detail.contains(QLatin1Char('{')),
                 qPrintable(error.detail));
        QCOMPARE(models::isWorthAsking(head, error), again);
        const bool isFull = name.contains(QLatin1String("ctx"))
            || name.endsWith(QLatin1String("413")) || name.contains(QLatin1String("llamacpp"));
        QCOMPARE(error.httpStatus == domain::kContextFullStatus, isFull);
    }

    void requests()
    {
        ModelTurn calling = turnOf(ModelRole::Assistant, QStringLiteral("Let me look."));
        calling.calls = {
            {QStringLiteral("a"), QStringLiteral("shell"), "{\"command\":\"ls\"}", {}},
            {QStringLiteral("b"), QStringLiteral("shell"), "{\"comm", QStringLiteral("cut")}};
        ModelTurn first = turnOf(ModelRole::ToolResult, {});
        first.callId = QStringLiteral("a");
        ModelTurn second = turnOf(ModelRole::ToolResult, QStringLiteral("no such file"));
        second.callId = QStringLiteral("b");
        second.isError = true;
        second.images = {{QStringLiteral("image/png"), "png"}};
        domain::ModelRequest request =
            requestOf({turnOf(ModelRole::User, QStringLiteral("Hi")), calling, first, second,
                       turnOf(ModelRole::User, QStringLiteral("go on"))});
        request.tools = {
            {QStringLiteral("shell"), QStringLiteral("Runs"), "{\"type\":\"object\"}"}};
        request.forcedTool = QStringLiteral("shell");
        request.maxTokens = 7;

        const json chat = net::parsed(models::openAiBody(
            linkOf(QStringLiteral("openai"), QStringLiteral("http://127.0.0.1:1/v1")), request));
        const json &messages = chat["messages"];
        QCOMPARE(messages.size(), size_t(7));
        JSON_IS(messages[0]["role"], "system");
        JSON_IS(messages[2]["tool_calls"][1]["function"]["arguments"], "{}");
        JSON_IS(messages[3]["content"], "(no output)");
        JSON_IS(messages[4]["content"], "Error: no such file");
        JSON_IS(messages[5]["content"][1]["image_url"]["url"], "data:image/png;base64,cG5n");
        JSON_IS(chat["tool_choice"], "required");
        JSON_IS(chat["max_tokens"], 7);
        const json official = net::parsed(models::openAiBody(
            linkOf(QStringLiteral("openai"), QStringLiteral("https://api.openai.com/v1")),
            request));
        JSON_IS(official["max_completion_tokens"], 7);

        const models::Link far =
            linkOf(QStringLiteral("anthropic"), QStringLiteral("http://127.0.0.1:1/v1"));
        QCOMPARE(far.replyRequest(request).url.toString(),
                 QStringLiteral("http://127.0.0.1:1/v1/messages"));
        const json whole = net::parsed(models::anthropicBody(far, request));
        JSON_IS(whole["messages"].size(), size_t(3));
        const json &results = whole["messages"][2]["content"];
        QCOMPARE(results.size(), size_t(3));
        JSON_IS(results[0]["content"], "(no output)");
        JSON_IS(results[1]["is_error"], true);
        JSON_IS(results[1]["content"][1]["source"]["data"], "cG5n");
        JSON_IS(results[2]["text"], "go on");
        JSON_IS(whole["messages"][1]["content"][2]["input"], json::object());
        JSON_IS(whole["tool_choice"]["name"], "shell");
        JSON_IS(whole["max_tokens"], 7);
    }

    //! Signed thinking goes back as it came, to where it came from, and nowhere else.
    void thinkingGoesBack()
    {
        const ModelReply reply = replyOf(QStringLiteral("anthropic-thinking"));
        QVERIFY(!reply.turn.reasoning.isEmpty());
        QVERIFY(!reply.turn.opaque.isEmpty());
        models::Link same = linkOf(QStringLiteral("anthropic"), QStringLiteral("http://here"));
        const json body = net::parsed(models::anthropicBody(
            same, requestOf({turnOf(ModelRole::User, QStringLiteral("Hi")), reply.turn})));
        const json &blocks = body["messages"][1]["content"];
        JSON_IS(blocks[0]["type"], "thinking");
        QCOMPARE(net::textIn(blocks[0], "thinking"), reply.turn.reasoning);
        QVERIFY(!net::textIn(blocks[0], "signature").isEmpty());
        QString text;
        for (const json &block : blocks)
            text += net::textIn(block, "text");
        QCOMPARE(text, reply.turn.text);
        const json other = net::parsed(models::anthropicBody(
            linkOf(QStringLiteral("anthropic"), QStringLiteral("http://elsewhere")),
            requestOf({turnOf(ModelRole::User, QStringLiteral("Hi")), reply.turn})));
        JSON_IS(other["messages"][1]["content"][0]["type"], "text");
    }

    void keysStayHome()
    {
        models::ModelEndpoint settings;
        settings.name = QStringLiteral("lan");
        settings.dialect = QStringLiteral("openai");
        settings.baseUrl = QStringLiteral("http://192.0.2.1:8000/v1");
        QVERIFY(!models::Link(settings).problem());
        settings.key = domain::Secret("sk-0123456789");
        QCOMPARE(models::Link(settings).problem()->kind, ErrorKind::Forbidden);
        settings.baseUrl = QStringLiteral("https://user:pw@example.org/v1");
        QCOMPARE(models::Link(settings).problem()->kind, ErrorKind::InvalidInput);
        settings.baseUrl = QStringLiteral("https://example.org/v1");
        const models::Link link(settings);
        QCOMPARE(link.web()->settings().origins,
                 QStringList{QStringLiteral("https://example.org")});
        QCOMPARE(link.request("GET", link.url(QStringLiteral("/models")), {})
                     .headers.value("Authorization"),
                 QByteArrayLiteral("Bearer sk-0123456789"));
    }

    void file()
    {
        const QByteArray text = R"({"schema_version":1,"default":"b","later":{"x":1},"endpoints":[
            {"name":"a","kind":"ollama","model":"qwen","context_tokens":65536,"mood":"good",
             "prices":{"input":1.5,"output":2,"currency":"EUR","batch":0.5}},
            {"name":"b","kind":"anthropic","dialect":"anthropic-bearer","api_key":"${KEY}"},
            {"name":"c","kind":"custom","base_url":"https://x.example/v1","api_key":"sk-literal-1"}]})";
        const auto parsed = domain::parseModelEndpoints(text);
        QVERIFY(parsed.has_value());
        QCOMPARE(parsed->endpoints.size(), 3);
        const domain::ModelEndpointEntry &a = parsed->endpoints.at(0);
        QCOMPARE(a.baseUrl, QStringLiteral("http://127.0.0.1:11434/v1"));
        QCOMPARE(a.dialect, QStringLiteral("openai"));
        QCOMPARE(parsed->endpoints.at(1).keyReference, QStringLiteral("${KEY}"));
        QCOMPARE(parsed->endpoints.at(2).literalKey.exposeForWire(),
                 QByteArrayLiteral("sk-literal-1"));
        const QByteArray written = domain::serialiseModelEndpoints(*parsed);
        const auto again = domain::parseModelEndpoints(written);
        QVERIFY(again.has_value());
        QVERIFY(*again == *parsed);
        const json told = net::parsed(written);
        JSON_IS(told["later"]["x"], 1);
        JSON_IS(told["endpoints"][0]["mood"], "good");
        JSON_IS(told["endpoints"][0]["prices"]["batch"], 0.5);
        JSON_IS(told["endpoints"][2]["api_key"], "sk-literal-1");
        for (const domain::ModelEndpointEntry &entry : parsed->endpoints)
            QVERIFY(domain::checkModelEndpoint(entry).has_value());

        domain::ModelUsage usage;
        usage.inputTokens = 1'000'000;
        usage.outputTokens = 500'000;
        usage.cachedTokens = 2'000'000;
        QCOMPARE(domain::modelCost(usage, a.prices), std::optional<double>(1.5 + 3.0 + 1.0));
        QVERIFY(!domain::modelCost(usage, {}));

        for (const char *wrong :
             {"[]", "{", "{\"endpoints\":[]}", R"({"schema_version":1,"endpoints":{}})",
              R"({"schema_version":1,"endpoints":[1]})",
              R"({"schema_version":1,"endpoints":[{"name":"a"},{"name":"a"}]})",
              R"({"schema_version":1,"endpoints":[{"name":"a","max_tokens":-1}]})",
              R"({"schema_version":1,"endpoints":[{"name":"a","prices":{"input":"x"}}]})"})
            QVERIFY2(!domain::parseModelEndpoints(wrong), wrong);
        QCOMPARE(domain::parseModelEndpoints(R"({"schema_version":2})").error().kind,
                 ErrorKind::Unsupported);
        domain::ModelEndpointEntry stolen = a;
        stolen.keyReference = domain::modelKeyringReference(QStringLiteral("b"));
        QCOMPARE(domain::checkModelEndpoint(stolen).error().detail, QStringLiteral("api_key"));
    }
};

QTEST_GUILESS_MAIN(TestModelReplies)
#include "test_model_replies.moc"
