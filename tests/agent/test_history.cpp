// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/history.h"
#include "application/agent/stuck_watch.h"
#include "application/agent/tool_arguments.h"
#include "application/agent/unified_diff.h"

#include <QtTest/QTest>

using namespace berth;
using namespace berth::application;
using domain::Message;
using domain::MessageRole;
using domain::ModelRole;
using domain::ModelTurn;
using domain::ToolCall;

class TestHistory final : public QObject
{
    Q_OBJECT

    static ModelTurn turn(ModelRole role, const QString &text, const QString &callId = {})
    {
        ModelTurn made;
        made.role = role;
        made.text = text;
        made.callId = callId;
        return made;
    }
    static Message message(qint64 seq, MessageRole role, const QString &text)
    {
        Message made;
        made.seq = seq;
        made.role = role;
        made.text = text;
        made.createdAt = QDateTime::fromMSecsSinceEpoch(seq * 1000);
        made.run = domain::RunId(QStringLiteral("r"));
        return made;
    }

private Q_SLOTS:
    void everyCallHasOneResultAndEveryResultACall()
    {
        ModelTurn asks = turn(ModelRole::Assistant, QStringLiteral("a"));
        asks.calls << domain::ModelCall{u"c1"_qs, u"shell"_qs, "{}", {}}
                   << domain::ModelCall{u"c2"_qs, u"shell"_qs, "{}", {}};
        const QList<ModelTurn> whole =
            repaired({turn(ModelRole::User, u"u"_qs), turn(ModelRole::User, u"v"_qs), asks,
                      turn(ModelRole::ToolResult, u"lost"_qs, u"c9"_qs),
                      turn(ModelRole::ToolResult, u"two"_qs, u"c2"_qs),
                      turn(ModelRole::Assistant, u"end"_qs)});
        QCOMPARE(whole.size(), 6);
        QCOMPARE(whole[0].text, QStringLiteral("u\n\nv"));
        QCOMPARE(whole[2].callId, QStringLiteral("c1"));
        QVERIFY(whole[2].isError && whole[2].text.contains(QStringLiteral("interrupted")));
        QCOMPARE(whole[3].text, QStringLiteral("two"));
        QCOMPARE(whole[5].role, ModelRole::User);
    }

    void interruptedAndCancelledCallsAreToldAndSupersededOnesLeftOut()
    {
        QHash<domain::ToolCallId, ToolCall> calls;
        Message agent = message(2, MessageRole::Agent, QStringLiteral("look"));
        for (const auto kind : {domain::OutcomeKind::Interrupted, domain::OutcomeKind::Cancelled}) {
            ToolCall call;
            call.id = domain::ToolCallId::create();
            call.run = agent.run;
            call.callId = call.id.toString();
            call.tool = QStringLiteral("shell");
            call.arguments = QStringLiteral("{}");
            call.origin = domain::ToolCallOrigin::Model;
            call.state = domain::ToolCallState::Done;
            domain::Outcome outcome;
            outcome.kind = kind;
            call.outcome = outcome;
            calls.insert(call.id, call);
            agent.toolCalls << call.id;
        }
        Message edited = message(3, MessageRole::User, QStringLiteral("old"));
        edited.superseded = true;
        const QList<ModelTurn> turns =
            historyOf({message(1, MessageRole::User, QStringLiteral("hi")), agent, edited,
                       message(4, MessageRole::User, QStringLiteral("new"))},
                      calls);
        QCOMPARE(turns.size(), 5);
        QVERIFY(turns[2].text.contains(QStringLiteral("interrupted")));
        QVERIFY(turns[3].text.contains(QStringLiteral("cancelled")));
        QCOMPARE(turns[4].text, QStringLiteral("new"));
    }

    void afterACompactionTheSummaryAndTheUsersWordsStandForIt()
    {
        Message note = compactionNote({}, 2, QStringLiteral("what was done"));
        note.seq = 4;
        QCOMPARE(compactedUpTo(note), 2);
        const QList<ModelTurn> turns =
            historyOf({message(1, MessageRole::User, QStringLiteral("the word is heron")),
                       message(2, MessageRole::Agent, QStringLiteral("long")),
                       message(3, MessageRole::User, QStringLiteral("next")), note},
                      {});
        QCOMPARE(turns.size(), 1);
        QVERIFY(turns[0].text.contains(QStringLiteral("what was done")));
        QVERIFY(turns[0].text.contains(QStringLiteral("the word is heron")));
        QVERIFY(turns[0].text.endsWith(QStringLiteral("next")));
        QVERIFY(!turns[0].text.contains(QStringLiteral("long")));
    }

    void argumentsHaveAliasesAndBounds()
    {
        ToolSpec spec;
        ToolParameter path;
        path.name = QStringLiteral("path");
        path.required = true;
        path.aliases = QStringList{QStringLiteral("file_path")};
        ToolParameter limit;
        limit.name = QStringLiteral("limit");
        limit.type = ParameterType::Integer;
        limit.most = 10;
        spec.parameters << path << limit;
        const auto read = readArguments(spec, R"({"file_path":"a","limit":"99","reason":["x"]})");
        QVERIFY(read);
        QCOMPARE(read->text("path"), QStringLiteral("a"));
        QCOMPARE(read->number("limit", 1), 10);
        QVERIFY(!readArguments(spec, R"({"limit":1})"));
        QVERIFY(!readArguments(spec, R"({"path":"a","limit":[1]})"));
        QVERIFY(!readArguments(spec, R"({"path":)"));
        QVERIFY(schemaOf(spec).contains(R"("required":["path"])"));
    }

    void diffsAreUnified()
    {
        QCOMPARE(unifiedDiff(u"f"_qs, "a\nb\nc\nd\ne\n", "a\nb\nX\nd\ne\n"),
                 QStringLiteral("--- f\n+++ f\n@@ -1,5 +1,5 @@\n a\n b\n-c\n+X\n d\n e\n"));
        QCOMPARE(unifiedDiff(u"f"_qs, {}, "new", true),
                 QStringLiteral("--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+new\n\\ No newline at end "
                                "of file\n"));
        QCOMPARE(unifiedDiff(u"f"_qs, "a", "a"), QString());
    }

    void circlesAreNoticedAndAskedAboutAtTheSecondTime()
    {
        StuckWatch watch;
        ToolCall call;
        call.tool = QStringLiteral("shell");
        call.arguments = QStringLiteral("{\"command\":\"ls\"}");
        call.result = QStringLiteral("same");
        QList<StuckWatch::Verdict> verdicts;
        for (int i = 0; i < 8; ++i)
            verdicts << watch.note({call});
        QCOMPARE(verdicts.count(StuckWatch::Verdict::Warn), 1);
        QCOMPARE(verdicts[3], StuckWatch::Verdict::Warn);
        QCOMPARE(verdicts[7], StuckWatch::Verdict::Ask);
        StuckWatch polls;
        for (int i = 0; i < 8; ++i) {
            call.result = QString::number(i);
            QCOMPARE(polls.note({call}), StuckWatch::Verdict::Fine);
        }
    }
};

QTEST_GUILESS_MAIN(TestHistory)
#include "test_history.moc"
