// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/answer_error.h"
#include "models/endpoint.h"
#include "models/reply_reader.h"
#include "net/json_fields.h"
#include "reply_parts.h"

#include <QtTest/QTest>

#include <nlohmann/json.hpp>

// Replies that are larger, deeper or odder than any model's, through the readers.

using namespace berth;
using berth::test::gone;
using berth::test::linkOf;
using berth::test::requestOf;
using berth::test::turnOf;
using domain::ErrorKind;
using domain::ModelReply;
using domain::ModelRole;
using domain::ModelTurn;
using nlohmann::json;

class TestModelLimits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    //! Deeper than any stack, in the pieces of a call; whoever reads them has "{}" instead.
    void deepArguments_data()
    {
        QTest::addColumn<bool>("anthropic");
        QTest::addColumn<bool>("closed");
        QTest::newRow("openai") << false << true;
        QTest::newRow("openai, cut") << false << false;
        QTest::newRow("anthropic") << true << true;
        QTest::newRow("anthropic, cut") << true << false;
    }

    void deepArguments()
    {
        QFETCH(bool, anthropic);
        QFETCH(bool, closed);
        constexpr int kLevels = 200'000;
        QByteArray deep;
        for (int i = 0; i < kLevels; ++i)
            deep += "{\\\"a\\\":";
        if (closed)
            deep += "1" + QByteArray(kLevels, '}');
        const auto reader = anthropic ? models::anthropicReader({}) : models::openAiReader({});
        if (anthropic)
            reader->feed("data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{"
                         "\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"shell\",\"input\":{}}}\n\n"
                         "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":"
                         "\"input_json_delta\",\"partial_json\":\""
                         + deep
                         + "\"}}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"
                           "\"tool_use\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n");
        else
            reader->feed("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":"
                         "\"a\",\"function\":{\"name\":\"shell\",\"arguments\":\""
                         + deep
                         + "\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":"
                           "\"tool_calls\"}]}\n\ndata: [DONE]\n\n");
        const ModelReply reply = reader->reply(std::nullopt);
        QVERIFY(!reply.error);
        QCOMPARE(reply.turn.calls.size(), 1);
        QCOMPARE(reply.turn.calls.first().arguments, QByteArrayLiteral("{}"));
        QVERIFY2(reply.turn.calls.first().problem.contains(QLatin1String("deeper")),
                 qPrintable(reply.turn.calls.first().problem));

        // And where they came into the history some other way.
        ModelTurn stored = reply.turn;
        stored.calls.first().arguments = deep.replace("\\\"", "\"");
        ModelTurn result = turnOf(ModelRole::ToolResult, QStringLiteral("no"));
        result.callId = QStringLiteral("a");
        domain::ModelRequest request = requestOf({stored, result});
        request.tools = {{QStringLiteral("shell"), {}, stored.calls.first().arguments}};
        const models::Link link =
            linkOf(anthropic ? QStringLiteral("anthropic") : QStringLiteral("openai"),
                   QStringLiteral("http://127.0.0.1:1/v1"));
        const QByteArray body = link.replyRequest(request).body;
        QVERIFY(body.size() < 2000);
        QVERIFY(net::parsed(body).is_object());
    }

    void deepErrors()
    {
        QByteArray deep;
        for (int i = 0; i < 100'000; ++i)
            deep += "{\"error\":";
        deep += "1" + QByteArray(100'000, '}');
        net::HttpHead head;
        head.status = 500;
        QCOMPARE(models::errorOfAnswer(head, deep, QStringLiteral("e")).kind,
                 ErrorKind::Unavailable);
    }

    void repliesAreBounded()
    {
        for (const bool anthropic : {false, true}) {
            const auto calls = anthropic ? models::anthropicReader({}) : models::openAiReader({});
            for (int i = 0; i < 300 && !calls->isOver(); ++i) {
                const QByteArray at = QByteArray::number(i);
                calls->feed(anthropic
                                ? "data: {\"type\":\"content_block_start\",\"index\":" + at
                                    + ",\"content_block\":{\"type\":\"tool_use\",\"id\":\"" + at
                                    + "\",\"name\":\"x\"}}\n\n"
                                : "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":" + at
                                    + ",\"function\":{\"name\":\"x\"}}]}}]}\n\n");
            }
            QVERIFY(calls->isOver());
            const ModelReply reply = calls->reply(std::nullopt);
            QCOMPARE(reply.error->kind, ErrorKind::Protocol);
            QCOMPARE(reply.turn.calls.size(), 256);
        }
        const auto blocks = models::anthropicReader({});
        for (int i = 0; i < 5000 && !blocks->isOver(); ++i)
            blocks->feed("data: {\"type\":\"content_block_start\",\"index\":"
                         + QByteArray::number(i) + ",\"content_block\":{\"type\":\"text\"}}\n\n");
        QVERIFY(blocks->error());
        // Signatures are no text, and are kept all the same.
        const auto signatures = models::anthropicReader({});
        signatures->feed("data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{"
                         "\"type\":\"thinking\"}}\n\n");
        const QByteArray signature =
            "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{"
            "\"type\":\"signature_delta\",\"signature\":\""
            + QByteArray(8 * 1024 * 1024, 's') + "\"}}\n\n";
        for (int i = 0; i < 9 && !signatures->isOver(); ++i)
            signatures->feed(signature);
        QVERIFY(signatures->error());
        // Comments alone.
        const auto comments = models::openAiReader({});
        const QByteArray comment = ':' + QByteArray(1024 * 1024, 'x') + '\n';
        for (int i = 0; i < 257 && !comments->isOver(); ++i)
            comments->feed(comment);
        QVERIFY(comments->error());
        QCOMPARE(comments->eventCount(), 0);
    }

    void countsOfTokensAreClamped()
    {
        const auto chat = models::openAiReader({});
        chat->feed("data: {\"usage\":{\"prompt_tokens\":18446744073709551615,\"completion_tokens\":"
                   "-5,\"cost\":-1}}\n\n");
        const ModelReply reply = chat->reply(gone());
        QVERIFY(!reply.usage.inputTokens);
        QCOMPARE(reply.usage.outputTokens, std::optional<qint64>(0));
        QCOMPARE(reply.usage.cost, std::optional<double>(0));
        const auto messages = models::anthropicReader({});
        messages->feed("data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":"
                       "9223372036854775807,\"cache_creation_input_tokens\":9223372036854775807,"
                       "\"output_tokens\":1}}}\n\n");
        QCOMPARE(messages->reply(gone()).usage.inputTokens,
                 std::optional<qint64>(2'000'000'000'000));
    }

    //! A character cut in two between pieces counts once where blocks are put together again.
    void halvesWithinBlocks()
    {
        const auto event = [](int index, const char *start, QList<const char *> deltas) {
            const QByteArray at = QByteArray::number(index);
            QByteArray all = "data: {\"type\":\"content_block_start\",\"index\":" + at
                + ",\"content_block\":" + start + "}\n\n";
            for (const char *delta : deltas)
                all += "data: {\"type\":\"content_block_delta\",\"index\":" + at
                    + ",\"delta\":" + delta + "}\n\n";
            return all;
        };
        models::ReplyContext context{QStringLiteral("http://here"), QStringLiteral("m"), {}};
        const auto reader = models::anthropicReader(context);
        reader->feed(event(0, R"({"type":"thinking"})",
                           {R"({"type":"thinking_delta","thinking":"t\ud83d"})",
                            R"({"type":"thinking_delta","thinking":"\ude00"})",
                            R"({"type":"signature_delta","signature":"s"})"}));
        reader->feed(event(1, R"({"type":"text"})",
                           {R"({"type":"text_delta","text":"a\ud83d"})",
                            R"({"type":"text_delta","text":"\ude00b"})"}));
        reader->feed(event(2, R"({"type":"text"})", {R"({"type":"text_delta","text":"c"})"}));
        reader->feed(
            "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n"
            "data: {\"type\":\"message_stop\"}\n\n");
        const ModelReply reply = reader->reply(std::nullopt);
        QCOMPARE(reply.turn.text, QStringLiteral("a😀bc"));
        const json body = net::parsed(models::anthropicBody(
            linkOf(QStringLiteral("anthropic"), QStringLiteral("http://here")),
            requestOf({turnOf(ModelRole::User, QStringLiteral("Hi")), reply.turn})));
        const json &blocks = body["messages"][1]["content"];
        QCOMPARE(blocks.size(), size_t(3));
        QCOMPARE(net::textIn(blocks[0], "thinking"), QStringLiteral("t😀"));
        QCOMPARE(net::textIn(blocks[1], "text"), QStringLiteral("a😀b"));
        QCOMPARE(net::textIn(blocks[2], "text"), QStringLiteral("c"));
    }
};

QTEST_APPLESS_MAIN(TestModelLimits)
#include "test_model_limits.moc"
