// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/agent_house.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::test;
using domain::ModelRole;
using domain::RunState;

class TestRuns final : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_count = 0;
    QString fresh()
    {
        const QString path = m_folder.filePath(QString::number(++m_count));
        QDir().mkpath(path);
        return path;
    }
    static Say calls(const QList<domain::ModelCall> &list, const QString &text = {})
    {
        Say say;
        say.text = text;
        say.calls = list;
        return say;
    }
    static Say says(const QString &text)
    {
        Say say;
        say.text = text;
        return say;
    }
    static QList<domain::ModelTurn> results(const domain::ModelRequest &request)
    {
        QList<domain::ModelTurn> list;
        for (const domain::ModelTurn &turn : request.turns) {
            if (turn.role == ModelRole::ToolResult)
                list << turn;
        }
        return list;
    }

private Q_SLOTS:
    void withoutAModelALineStaysADraft()
    {
        AgentHouse house(fresh(), false);
        const Result<Started> started = house.begin(QStringLiteral("hello"));
        QVERIFY(!started);
        QCOMPARE(started.error().kind, ErrorKind::Unsupported);
        QCOMPARE(started.error().message, QStringLiteral("No model is connected"));
        QVERIFY(!house.ask(GetSnapshot{})->engine.hasModel);
        const Result<Started> command = house.begin(QStringLiteral("!true"));
        QVERIFY(command);
        QVERIFY(house.comesTo(*command, RunState::Done));
    }

    void anAnswerIsStoredAndToldAndGivesATitle()
    {
        AgentHouse house(fresh());
        QVERIFY(house.ask(GetSnapshot{})->engine.hasModel);
        house.script->says << says(QStringLiteral("Hello to you"));
        const Result<Started> started = house.begin(QStringLiteral("hello"));
        QVERIFY2(started, test::told(started).constData());
        QVERIFY(house.comesTo(*started, RunState::Done));
        const ThreadDetail detail = house.detail(started->thread);
        QCOMPARE(detail.messages.size(), 2);
        QCOMPARE(detail.messages[1].role, domain::MessageRole::Agent);
        QCOMPARE(detail.messages[1].text, QStringLiteral("Hello to you"));
        QVERIFY(!detail.runs[0].usage.cost.has_value());
        const auto grown = house.told<ReplyGrew>();
        QVERIFY(!grown.isEmpty());
        QCOMPARE(grown.constLast().offset + grown.constLast().text.size(), 12);
        QVERIFY(waitUntil(
            [&] { return house.detail(started->thread).thread.title == u"A fine title"_qs; }, 5s));
        QCOMPARE(house.script->titles, 1);
        // The title's own tokens are the run's too.
        QCOMPARE(house.detail(started->thread).runs[0].usage.inputTokens,
                 std::optional<qint64>(200));
        QVERIFY(house.script->requests[0].system.contains(QStringLiteral("sandbox")));
        QCOMPARE(house.script->requests[0].tools.size(), 7);
    }

    void twoCallsOneOfThemAskedAndAllowedForTheThread()
    {
        AgentHouse house(fresh());
        house.shop->files.insert("/workspace/a.txt", "alpha\n");
        house.script->says << calls(
            {callOf(u"c1"_qs, u"shell"_qs, "{\"cmd\":\"ls -l\"}"),
             callOf(u"c2"_qs, u"read_file"_qs, "{\"file_path\":\"a.txt\"}")},
            QStringLiteral("Let me look."))
                           << says(QStringLiteral("Done."))
                           << calls({callOf(u"c3"_qs, u"shell"_qs, "{\"command\":\"ls -l\"}")})
                           << says(QStringLiteral("Again done."));
        const Result<Started> started = house.begin(QStringLiteral("what is here?"));
        QVERIFY2(started, test::told(started).constData());
        QVERIFY(house.isAsked(1));
        QVERIFY(house.comesTo(*started, RunState::AwaitingApproval));
        const ApprovalView card = house.approvals().constFirst();
        QCOMPARE(card.command, QStringLiteral("ls -l"));
        QCOMPARE(card.cwd, QStringLiteral("/workspace"));
        QVERIFY(!card.reason.isEmpty());
        QVERIFY(house.shop->commands.isEmpty());
        QVERIFY(!card.patterns.isEmpty());
        const Result<Nothing> decided = house.decide(card.toolCall, true, QStringLiteral("thread"));
        QVERIFY2(decided, test::told(decided).constData());
        QVERIFY(house.comesTo(*started, RunState::Done));
        QCOMPARE(house.shop->commands, QList<QByteArray>{"ls -l"});
        QCOMPARE(house.script->requests.size(), 2);
        const auto answers = results(house.script->requests[1]);
        QCOMPARE(answers.size(), 2);
        QCOMPARE(answers[0].callId, QStringLiteral("c1"));
        QVERIFY(answers[0].text.contains(QStringLiteral("ran ls -l")));
        QVERIFY(answers[0].text.endsWith(QStringLiteral("[exit code: 0]")));
        QCOMPARE(answers[1].callId, QStringLiteral("c2"));
        QVERIFY(answers[1].text.contains(QStringLiteral("alpha")));
        QCOMPARE(house.decide(card.toolCall, true).error().kind, ErrorKind::Conflict);
        // The rule holds from now on.
        const Result<Started> more = house.send(started->thread, QStringLiteral("again"));
        QVERIFY(more);
        QVERIFY(house.comesTo(*more, RunState::Done));
        QCOMPARE(house.shop->commands.size(), 2);
        QCOMPARE(house.told<ApprovalAsked>().size(), 1);
        const Result<RuleList> rules = house.ask(ListRules{});
        QVERIFY(rules && rules->rules.size() == 1);
        QCOMPARE(rules->rules[0].scope, QStringLiteral("thread"));
        ListAudit listAudit;
        listAudit.before = domain::nowUtc().addDays(1);
        const Result<AuditList> audit = house.ask(listAudit);
        QVERIFY2(audit, test::told(audit).constData());
        QCOMPARE(audit->entries.size(), 3);
    }

    void aDenialTellsTheModelWhy()
    {
        AgentHouse house(fresh());
        house.script->says << calls({callOf(u"c1"_qs, u"shell"_qs, "{\"command\":\"rm -rf .\"}")})
                           << says(QStringLiteral("As you say."));
        const Result<Started> started = house.begin(QStringLiteral("tidy up"));
        QVERIFY(house.isAsked(1));
        QVERIFY(house.decide(house.approvals()[0].toolCall, false, u"once"_qs, u"keep it"_qs));
        QVERIFY(house.comesTo(*started, RunState::Done));
        QVERIFY(house.shop->commands.isEmpty());
        const auto answers = results(house.script->requests[1]);
        QCOMPARE(answers.size(), 1);
        QVERIFY(answers[0].isError);
        QVERIFY(answers[0].text.contains(QStringLiteral("keep it")));
        const ToolCallView call = house.detail(started->thread).toolCalls[0];
        QCOMPARE(call.decision, QStringLiteral("denied by you"));
        QCOMPARE(call.outcome, std::optional(domain::OutcomeKind::NotStarted));
    }

    void aQuestionOutlivesAKilledEngine()
    {
        AgentHouse house(fresh());
        house.shop->files.insert("/workspace/a.txt", "alpha\n");
        house.script->says << calls({callOf(u"c1"_qs, u"shell"_qs, "{\"command\":\"make\"}"),
                                     callOf(u"c2"_qs, u"shell"_qs, "{\"command\":\"make test\"}"),
                                     callOf(u"c3"_qs, u"read_file"_qs, "{\"path\":\"a.txt\"}")});
        const Result<Started> started = house.begin(QStringLiteral("build it"));
        QVERIFY(house.isAsked(2));
        QVERIFY(house.comesTo(*started, RunState::AwaitingApproval));
        house.close(true);
        house.open();
        QVERIFY(house.isAsked(2));
        QCOMPARE(*house.state(*started), RunState::AwaitingApproval);
        QVERIFY(house.detail(started->thread).toolCalls[0].awaitsApproval);
        house.script->says << says(QStringLiteral("Built."));
        const QList<ApprovalView> cards = house.approvals();
        QCOMPARE(cards[0].command, QStringLiteral("make"));
        QVERIFY(house.decide(cards[1].toolCall, true));
        QVERIFY(house.decide(cards[0].toolCall, true));
        QVERIFY(house.comesTo(*started, RunState::Done));
        QCOMPARE(house.shop->commands, (QList<QByteArray>{"make", "make test"}));
        const auto answers = results(house.script->requests.constLast());
        QCOMPARE(answers.size(), 3);
        QVERIFY(answers[1].text.contains(QStringLiteral("make test")));
        // It had not begun, and was not asked for.
        QVERIFY2(answers[2].text.contains(QStringLiteral("alpha")), qPrintable(answers[2].text));
    }

    void aStoppedReplyKeepsItsTextAndCanBeContinued()
    {
        AgentHouse house(fresh());
        Say half = says(QStringLiteral("Half a"));
        half.held = true;
        house.script->says << half;
        const Result<Started> started = house.begin(QStringLiteral("tell me"));
        QVERIFY(waitUntil([&] { return !house.told<ReplyGrew>().isEmpty(); }, 5s));
        QVERIFY(house.ask(StopRun{started->thread}));
        QCOMPARE(*house.state(*started), RunState::Cancelled);
        ThreadDetail detail = house.detail(started->thread);
        QCOMPARE(detail.messages.constLast().text, QStringLiteral("Half a"));
        QVERIFY(detail.messages.constLast().cut);
        QVERIFY(detail.runs.constLast().canContinue);
        house.script->says << says(QStringLiteral("whole answer"));
        const Result<Started> again = house.ask(ContinueRun{started->thread});
        QVERIFY2(again, test::told(again).constData());
        QCOMPARE(again->run, started->run);
        QVERIFY(house.comesTo(*again, RunState::Done));
        QCOMPARE(house.script->requests.constLast().turns.constLast().role, ModelRole::User);
        QVERIFY(!house.ask(ContinueRun{started->thread}));
    }

    void stopAnswersEveryOpenCall()
    {
        AgentHouse house(fresh());
        house.script->says << calls({callOf(u"c1"_qs, u"shell"_qs, "{\"command\":\"sleep 9\"}"),
                                     callOf(u"c2"_qs, u"shell"_qs, "{\"command\":\"true\"}")});
        const Result<Started> started = house.begin(QStringLiteral("wait"));
        QVERIFY(house.isAsked(2));
        QVERIFY(house.decide(house.approvals()[0].toolCall, true));
        QVERIFY(waitUntil([&] { return house.shop->commands.size() == 1; }, 5s));
        QVERIFY(house.ask(StopRun{started->thread}));
        QCOMPARE(*house.state(*started), RunState::Cancelled);
        QVERIFY(house.approvals().isEmpty());
        for (const ToolCallView &call : house.detail(started->thread).toolCalls)
            QCOMPARE(call.outcome, std::optional(domain::OutcomeKind::Cancelled));
        QVERIFY(house.send(started->thread, QStringLiteral("go on")));
        QVERIFY(waitUntil([&] { return house.script->requests.size() == 2; }, 5s));
        const auto answers = results(house.script->requests[1]);
        QCOMPARE(answers.size(), 2);
        QVERIFY(answers[0].text.contains(QStringLiteral("ran sleep 9")));
    }

    void whatIsSaidMeanwhileGoesIntoTheRun()
    {
        AgentHouse house(fresh());
        Say first = says(QStringLiteral("First"));
        first.held = true;
        house.script->says << first << says(QStringLiteral("Second"));
        const Result<Started> started = house.begin(QStringLiteral("one"));
        QVERIFY(waitUntil(
            [&] { return house.script->stream && !house.told<ReplyGrew>().isEmpty(); }, 5s));
        const Result<Started> steered = house.send(started->thread, QStringLiteral("two"));
        QVERIFY(steered);
        QCOMPARE(steered->run, started->run);
        house.script->stream->letGo();
        QVERIFY(house.comesTo(*started, RunState::Done));
        QCOMPARE(house.script->requests.size(), 2);
        const auto &turns = house.script->requests[1].turns;
        QCOMPARE(turns.size(), 3);
        QCOMPARE(turns[1].text, QStringLiteral("First"));
        QCOMPARE(turns[2].text, QStringLiteral("two"));
        QCOMPARE(house.detail(started->thread).runs.size(), 2);
    }

    void limitsAskAndAreAnsweredByContinue()
    {
        AgentHouse house(fresh());
        domain::Agent agent = await(house.storage->berth().agents())->constFirst();
        agent.config = QStringLiteral("{\"limits\":{\"rounds\":2}}");
        QVERIFY(await(house.storage->berth().saveAgent(agent)));
        for (int i = 0; i < 3; ++i) {
            house.script->says << calls(
                {callOf(QStringLiteral("c%1").arg(i), u"list_files"_qs,
                        QByteArray::number(i).prepend("{\"path\":\"d") + "\"}")});
        }
        const Result<Started> started = house.begin(QStringLiteral("look everywhere"));
        QVERIFY(house.comesTo(*started, RunState::Interrupted));
        QCOMPARE(house.script->requests.size(), 2);
        QCOMPARE(house.told<RunNotice>().constLast().kind, QStringLiteral("limit"));
        QVERIFY(house.told<RunNotice>().constLast().canContinue);
        QVERIFY(house.ask(ContinueRun{started->thread}));
        QVERIFY(house.comesTo(*started, RunState::Done));
        QCOMPARE(house.script->requests.size(), 4);
    }

    void wrongCallsAreAnsweredAndNotTheEnd()
    {
        AgentHouse house(fresh());
        house.shop->files.insert("/workspace/a.txt", "one\ntwo\n");
        domain::ModelCall cut = callOf(u"c3"_qs, u"shell"_qs, "{\"command\":\"rm");
        cut.problem = QStringLiteral("the arguments are cut");
        house.script->says << calls(
            {callOf(u"c1"_qs, u"fly"_qs, "{}"), callOf(u"c2"_qs, u"read_file"_qs, "{}"), cut,
             callOf(u"c4"_qs, u"edit_file"_qs,
                    "{\"path\":\"a.txt\",\"old_str\":\"two\",\"new_str\":\"2\"}")})
                           << calls({callOf(u"c5"_qs, u"read_file"_qs, "{\"path\":\"a.txt\"}")})
                           << calls({callOf(
                                  u"c6"_qs, u"edit_file"_qs,
                                  "{\"path\":\"a.txt\",\"old_str\":\"two\",\"new_str\":\"2\"}")});
        const Result<Started> started = house.begin(QStringLiteral("do"));
        QVERIFY(house.comesTo(*started, RunState::Done));
        const auto answers = results(house.script->requests[1]);
        QCOMPARE(answers.size(), 4);
        QVERIFY(answers[0].text.contains(QStringLiteral("there is no tool \"fly\"")));
        QVERIFY(answers[1].text.contains(QStringLiteral("\"path\" is missing")));
        QVERIFY(answers[2].text.contains(QStringLiteral("cut")));
        QVERIFY(answers[3].text.contains(QStringLiteral("read it first")));
        QVERIFY(house.shop->commands.isEmpty());
        QCOMPARE(house.shop->files.value("/workspace/a.txt"), QByteArray("one\n2\n"));
        const ToolCallView edited = house.detail(started->thread).toolCalls.constLast();
        QVERIFY(edited.diff.contains(QStringLiteral("-two\n+2\n")));
        QVERIFY(edited.result.startsWith(QStringLiteral("Replaced one place")));
    }

    void theModelSeesTheUsersOwnCommandsAndNotWhatWasEdited()
    {
        AgentHouse house(fresh());
        const Result<Started> command = house.begin(QStringLiteral("!echo hi"));
        QVERIFY(house.comesTo(*command, RunState::Done));
        const Result<Started> asked = house.send(command->thread, QStringLiteral("what was that?"));
        QVERIFY(house.comesTo(*asked, RunState::Done));
        const QString told = house.script->requests[0].turns[0].text;
        QVERIFY2(told.contains(QStringLiteral("$ echo hi\nran echo hi\n[exit code: 0]")),
                 qPrintable(told));
        EditMessage edit;
        edit.thread = command->thread;
        edit.seq = house.detail(command->thread).messages[1].seq;
        edit.text = QStringLiteral("and now?");
        const Result<Started> again = house.ask(edit);
        QVERIFY2(again, test::told(again).constData());
        QVERIFY(house.comesTo(*again, RunState::Done));
        const auto &turns = house.script->requests.constLast().turns;
        QCOMPARE(turns.size(), 1);
        QVERIFY(turns[0].text.endsWith(QStringLiteral("and now?")));
        QVERIFY(!turns[0].text.contains(QStringLiteral("what was that")));
        QVERIFY(house.detail(command->thread).messages[1].superseded);
    }

    void aLongConversationIsShortenedAndKeepsTheUsersWords()
    {
        AgentHouse house(fresh());
        house.shop->files.insert("/workspace/big.txt", QByteArray(8000, 'x') + '\n');
        house.script->context = 3000;
        for (int i = 0; i < 6; ++i)
            house.script->says << says(QString(1200, QLatin1Char('y')) + QString::number(i));
        Result<Started> last = house.begin(QStringLiteral("remember the word heron"));
        QVERIFY(house.comesTo(*last, RunState::Done));
        for (int i = 0; i < 5; ++i) {
            last = house.send(last->thread, QStringLiteral("more %1").arg(i));
            QVERIFY(last);
            QVERIFY(house.comesTo(*last, RunState::Done));
        }
        bool shortened = false;
        for (const domain::ModelTurn &turn : house.script->requests.constLast().turns) {
            shortened = shortened
                || (turn.text.contains(QStringLiteral("shortened"))
                    && turn.text.contains(QStringLiteral("remember the word heron")));
        }
        QVERIFY(shortened);
        // Everything is still there to read.
        QVERIFY(house.detail(last->thread).messages[1].text.startsWith(QLatin1Char('y')));
    }

    void aBrokenModelsFileIsLeftAsItIs()
    {
        const QString folder = fresh();
        {
            QFile out(folder + QStringLiteral("/models.json"));
            QVERIFY(out.open(QIODevice::WriteOnly) && out.write("{ broken") > 0);
        }
        AgentHouse house(folder, false);
        const Result<ModelList> list = house.ask(ListModels{});
        QVERIFY(list);
        QVERIFY(!list->problem.isEmpty());
        SaveModel save;
        save.endpoint.name = QStringLiteral("mine");
        save.endpoint.preset = QStringLiteral("ollama");
        save.endpoint.model = QStringLiteral("tiny");
        QVERIFY(!house.ask(save));
        QFile in(folder + QStringLiteral("/models.json"));
        QVERIFY(in.open(QIODevice::ReadOnly));
        QCOMPARE(in.readAll(), QByteArray("{ broken"));
        in.close();
        QVERIFY(in.remove());
        const Result<ModelEndpointView> saved = house.ask(save);
        QVERIFY2(saved, test::told(saved).constData());
        QCOMPARE(saved->keyOrigin, QStringLiteral("none"));
        QVERIFY(saved->isDefault);
        QCOMPARE(QFile::permissions(folder + QStringLiteral("/models.json"))
                     & (QFile::ReadGroup | QFile::ReadOther),
                 QFile::Permissions());
        StoreModelKey key;
        key.name = save.endpoint.name;
        key.key = domain::Secret("sk-very-secret-key-7f3a");
        key.inFile = true;
        const Result<ModelEndpointView> keyed = house.ask(key);
        QVERIFY2(keyed, test::told(keyed).constData());
        QCOMPARE(keyed->keyOrigin, QStringLiteral("file"));
        QCOMPARE(keyed->keyReference, QStringLiteral("…"));
        QCOMPARE(keyed->keyHint, QStringLiteral("…7f3a"));
        // A key does not follow to another address.
        ModelEndpointView moved = *keyed;
        moved.baseUrl = QStringLiteral("https://elsewhere.example/v1");
        QCOMPARE(house.ask(SaveModel{moved}).error().kind, ErrorKind::Conflict);
        QVERIFY(house.ask(RemoveModel{save.endpoint.name}));
        QVERIFY(house.ask(ListModels{})->endpoints.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestRuns)
#include "test_runs.moc"
