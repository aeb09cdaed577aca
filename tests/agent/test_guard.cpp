// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the policy, the rules and the hooks keep from being run, whoever asks for it.
#include "agent/agent_house.h"
#include "application/agent/system_prompt.h"
#include "application/policy/hook_file.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::test;
using domain::RunState;

class TestGuard final : public QObject
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
    static Say calls(const QList<domain::ModelCall> &list)
    {
        Say say;
        say.calls = list;
        return say;
    }
    static Say says(const QString &text)
    {
        Say say;
        say.text = text;
        return say;
    }
    static domain::ModelCall shell(const QString &id, const QByteArray &arguments)
    {
        return callOf(id, u"shell"_qs, arguments);
    }
    static bool addRule(AgentHouse &house, const QString &pattern, const QString &decision,
                        const QString &scope = u"global"_qs, const QString &owner = {})
    {
        SaveRule save;
        save.rule.scope = scope;
        save.rule.owner = owner;
        save.rule.tool = u"shell"_qs;
        save.rule.pattern = pattern;
        save.rule.decision = decision;
        return house.ask(save).has_value();
    }
    static bool setAutonomy(AgentHouse &house, const QString &autonomy)
    {
        SetSecurity set;
        set.agent = domain::AgentId(u"default"_qs);
        set.document = QStringLiteral("{\"autonomy_level\":\"%1\"}").arg(autonomy);
        return house.ask(set).has_value();
    }
    static Exec line(const QString &target, const QString &text)
    {
        Exec exec;
        exec.target = target;
        exec.shellText = text;
        return exec;
    }
    static StartProcess background(const QString &target, const QString &text)
    {
        StartProcess start;
        start.target = target;
        start.shellText = text;
        return start;
    }
    static StartProcess terminal(const QString &target)
    {
        StartProcess start;
        start.target = target;
        start.columns = 80;
        start.rows = 24;
        return start;
    }
    template <typename T>
    static bool isForbidden(const Result<T> &answer)
    {
        return !answer && answer.error().kind == ErrorKind::Forbidden;
    }
    static QList<AuditEntry> audit(AgentHouse &house)
    {
        ListAudit list;
        list.before = domain::nowUtc().addDays(1);
        const Result<AuditList> answer = house.ask(list);
        return answer ? answer->entries : QList<AuditEntry>{};
    }
    static QByteArray contentOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private Q_SLOTS:
    void aDenyRuleHoldsForEverythingThatIsRun()
    {
        AgentHouse house(fresh());
        const Result<Started> first = house.begin(u"!true"_qs);
        QVERIFY(house.comesTo(*first, RunState::Done));
        const QString thread = first->thread.toString();
        QVERIFY(addRule(house, u"rm"_qs, u"deny"_qs));
        QVERIFY(isForbidden(house.send(first->thread, u"!rm a"_qs)));
        for (const QString &target : {thread, first->sandbox.toString(), first->lease.toString()}) {
            QVERIFY(isForbidden(house.ask(line(target, u"ls; rm a"_qs))));
            QVERIFY(isForbidden(house.ask(background(target, u"rm a"_qs))));
            QVERIFY(isForbidden(house.askAsApi(line(target, u"rm a"_qs))));
        }
        Exec words;
        words.target = thread;
        words.argv = QStringList{u"sh"_qs, u"-c"_qs, u"rm a"_qs};
        QVERIFY(isForbidden(house.ask(words)));
        // A terminal of the owner is his; anybody else needs an approval that nobody can give.
        QVERIFY(!isForbidden(house.ask(terminal(thread))));
        QVERIFY(isForbidden(house.askAsApi(terminal(thread))));
        QVERIFY(isForbidden(house.askAsApi(line(thread, u"make"_qs))));
        QVERIFY(isForbidden(house.askAsApi(background(thread, u"make"_qs))));
        const Result<Started> own = house.ask(line(thread, u"make"_qs));
        QVERIFY2(own, test::told(own).constData());
        QVERIFY(waitUntil([&] { return house.shop->commands.contains("make"); }, 5s));
        for (const QByteArray &command : std::as_const(house.shop->commands))
            QVERIFY2(!command.contains("rm a"), command.constData());
    }

    void readOnlyHoldsForTheOwnerToo()
    {
        AgentHouse house(fresh());
        const Result<Started> first = house.begin(u"!true"_qs);
        QVERIFY(house.comesTo(*first, RunState::Done));
        QVERIFY(setAutonomy(house, u"readonly"_qs));
        const QString thread = first->thread.toString();
        QVERIFY(isForbidden(house.send(first->thread, u"!ls"_qs)));
        QVERIFY(isForbidden(house.ask(line(thread, u"ls"_qs))));
        QVERIFY(isForbidden(house.ask(line(first->sandbox.toString(), u"ls"_qs))));
        QVERIFY(isForbidden(house.ask(background(thread, u"ls"_qs))));
        QVERIFY(isForbidden(house.ask(terminal(thread))));
        QVERIFY(isForbidden(house.askAsApi(line(thread, u"ls"_qs))));
        QCOMPARE(house.shop->commands, QList<QByteArray>{"true"});
        QVERIFY(setAutonomy(house, u"full"_qs));
        QVERIFY(house.askAsApi(line(thread, u"ls"_qs)));
    }

    void hooksAreAskedAboutTheUsersOwnLinesToo()
    {
        const QString folder = fresh();
        AgentHouse house(folder);
        const QString log = folder + u"/log"_qs;
        const QString script = QStringLiteral("cat >> %1; grep -q secret %1 && echo no >&2 && "
                                              "exit 2; exit 0")
                                   .arg(log);
        Hook before;
        before.program = u"/bin/sh"_qs;
        before.arguments = QStringList{u"-c"_qs, script};
        Hook after = before;
        after.moment = HookMoment::AfterTool;
        after.arguments = QStringList{u"-c"_qs, QStringLiteral("cat >> %1.after").arg(log)};
        QVERIFY(saveHooks(folder + u"/hooks.json"_qs, {before, after}));
        const Result<Started> fine = house.begin(u"!echo hi"_qs);
        QVERIFY(house.comesTo(*fine, RunState::Done));
        QVERIFY(waitUntil([&] { return contentOf(log + u".after"_qs).contains('\n'); }, 5s));
        QVERIFY(contentOf(log).contains("\"origin\":\"user\""));
        QVERIFY(contentOf(log + u".after"_qs).contains("\"exit_code\":0"));
        const Result<Started> denied = house.send(fine->thread, u"!cat secret"_qs);
        QVERIFY(denied);
        QVERIFY(house.comesTo(*denied, RunState::Failed));
        const ToolCallView call = house.detail(fine->thread).toolCalls.constLast();
        QCOMPARE(call.outcome, std::optional(domain::OutcomeKind::NotStarted));
        QCOMPARE(call.decision, u"denied by hook"_qs);
        QVERIFY(call.outcomeDetail.contains(u"no"_qs));
        QCOMPARE(house.shop->commands, QList<QByteArray>{"echo hi"});
        // What never ran has no "after".
        QCOMPARE(contentOf(log + u".after"_qs).count('\n'), 1);
        QCOMPARE(audit(house).constFirst().decision, u"hook_denied"_qs);
        QCOMPARE(audit(house).constLast().decidedBy, u"typed by you"_qs);
    }

    void aCallIsJudgedWhereItIsCarriedOut()
    {
        AgentHouse house(fresh());
        QVERIFY(addRule(house, u"echo *"_qs, u"allow"_qs));
        house.script->says << calls({shell(u"c1"_qs, R"({"command":"cd /etc"})"),
                                     shell(u"c2"_qs, R"({"command":"echo x > passwd"})")});
        const Result<Started> started = house.begin(u"go"_qs);
        QVERIFY(house.isAsked(1));
        QCOMPARE(house.approvals()[0].command, u"cd /etc"_qs);
        QCOMPARE(house.approvals()[0].cwd, u"/workspace"_qs);
        QVERIFY(house.decide(house.approvals()[0].toolCall, true));
        QVERIFY(waitUntil(
            [&] {
                const auto cards = house.approvals();
                return cards.size() == 1 && cards[0].command == u"echo x > passwd"_qs;
            },
            5s));
        QCOMPARE(house.approvals()[0].cwd, u"/etc"_qs);
        QVERIFY(house.decide(house.approvals()[0].toolCall, false));
        QVERIFY(house.comesTo(*started, RunState::Done));
        QCOMPARE(house.shop->commands, QList<QByteArray>{"cd /etc"});
        QCOMPARE(audit(house)[0].decision, u"denied"_qs);
        QCOMPARE(audit(house)[0].decidedBy, u"denied by you"_qs);
    }

    void anApprovalIsForTheDirectoryThatItNamed()
    {
        AgentHouse house(fresh());
        house.script->says << calls({shell(u"c1"_qs, R"({"command":"cd /srv"})"),
                                     shell(u"c2"_qs, R"({"command":"make"})")});
        const Result<Started> started = house.begin(u"go"_qs);
        QVERIFY(house.isAsked(2));
        const QList<ApprovalView> cards = house.approvals();
        QVERIFY(house.decide(cards[1].toolCall, true));
        QVERIFY(house.decide(cards[0].toolCall, true));
        QVERIFY(house.isAsked(1));
        QCOMPARE(house.approvals()[0].toolCall, cards[1].toolCall);
        QCOMPARE(house.approvals()[0].cwd, u"/srv"_qs);
        // The second question outlives a crash as the first one does.
        house.close(true);
        house.open();
        QVERIFY(house.isAsked(1));
        QVERIFY(house.decide(house.approvals()[0].toolCall, true));
        QVERIFY(house.comesTo(*started, RunState::Done));
        QCOMPARE(house.shop->commands, (QList<QByteArray>{"cd /srv", "make"}));
    }

    void whatIsForbiddenMeanwhileIsNotDone()
    {
        AgentHouse house(fresh());
        house.script->says << calls({shell(u"c1"_qs, R"({"command":"make"})")});
        const Result<Started> started = house.begin(u"go"_qs);
        QVERIFY(house.isAsked(1));
        QVERIFY(setAutonomy(house, u"readonly"_qs));
        QVERIFY(house.decide(house.approvals()[0].toolCall, true));
        QVERIFY(house.comesTo(*started, RunState::Done));
        QVERIFY(house.shop->commands.isEmpty());
        QCOMPARE(audit(house)[0].decision, u"denied"_qs);
        QCOMPARE(audit(house)[0].decidedBy, u"denied: read-only"_qs);
    }

    void whatIsShownIsWhatIsRun()
    {
        AgentHouse house(fresh());
        house.script->says << calls(
            {shell(u"c1"_qs, R"({"script":"rm -rf .","cmd":"ls"})"),
             shell(u"c2"_qs, R"({"script":"make","why":"x","command":"make"})"),
             callOf(u"c3"_qs, u"glob"_qs, R"({"path":".","pattern":"*.c"})")});
        const Result<Started> started = house.begin(u"go"_qs);
        QVERIFY(house.isAsked(1));
        QCOMPARE(house.approvals()[0].command, u"make"_qs);
        QVERIFY(house.decide(house.approvals()[0].toolCall, true));
        QVERIFY(house.comesTo(*started, RunState::Done));
        QCOMPARE(house.shop->commands, QList<QByteArray>{"make"});
        const auto shown = house.detail(started->thread).toolCalls;
        QCOMPARE(shown[1].command, u"make"_qs);
        QCOMPARE(shown[2].command, u"*.c"_qs);
        const domain::ModelRequest &next = house.script->requests.constLast();
        QCOMPARE(next.turns[1].calls[1].arguments, QByteArray(R"({"command":"make"})"));
        QVERIFY(next.turns[2].text.contains(u"twice, with different values"_qs));
        const QList<AuditEntry> entries = audit(house);
        QCOMPARE(entries.size(), 3);
        for (const AuditEntry &entry : entries) {
            const bool isFirst = entry.toolCall == shown[0].id;
            const bool isMake = entry.toolCall == shown[1].id;
            QCOMPARE(entry.decision, isFirst ? u"not run"_qs : u"allowed"_qs);
            if (isMake)
                QCOMPARE(entry.decidedBy, u"allowed by you"_qs);
        }
    }

    void aRefusedEditLosesNothing()
    {
        AgentHouse house(fresh());
        const Result<Started> first = house.begin(u"!echo one"_qs);
        QVERIFY(house.comesTo(*first, RunState::Done));
        QVERIFY(addRule(house, u"rm"_qs, u"deny"_qs));
        EditMessage edit;
        edit.thread = first->thread;
        edit.seq = house.detail(first->thread).messages[0].seq;
        edit.text = u"!rm a"_qs;
        QVERIFY(isForbidden(house.ask(edit)));
        edit.text = u"!echo two"_qs;
        QVERIFY(isForbidden(house.askAsApi(edit)));
        QVERIFY(!house.detail(first->thread).messages[0].superseded);
        const Result<Started> again = house.ask(edit);
        QVERIFY2(again, test::told(again).constData());
        QVERIFY(house.comesTo(*again, RunState::Done));
        QVERIFY(house.detail(first->thread).messages[0].superseded);
        QVERIFY(house.send(first->thread, u"!echo three"_qs));
    }

    void theRulesOfAnAgentGoWithIt()
    {
        AgentHouse house(fresh());
        SaveAgent save;
        save.isNew = true;
        save.agent.name = u"helper"_qs;
        save.sandbox = u"none"_qs;
        save.agent.autonomy = u"full"_qs;
        QVERIFY(isForbidden(house.askAsApi(save)));
        save.agent.autonomy.clear();
        const Result<AgentView> helper = house.ask(save);
        QVERIFY2(helper, test::told(helper).constData());
        QVERIFY(addRule(house, u"make *"_qs, u"allow"_qs, u"agent"_qs, u"helper"_qs));
        QVERIFY(addRule(house, u"ls"_qs, u"allow"_qs, u"agent"_qs, u"default"_qs));
        QVERIFY(house.ask(RemoveAgent{helper->id}));
        QCOMPARE(house.ask(ListRules{})->rules.size(), 1);
        house.close(false);
        house.open();
        QCOMPARE(house.ask(ListRules{})->rules.size(), 1);
        QCOMPARE(house.ask(ListRules{})->rules[0].owner, u"default"_qs);
        SetSecurity loosen;
        loosen.agent = domain::AgentId(u"default"_qs);
        loosen.document = u"{\"autonomy_level\":\"full\"}"_qs;
        QVERIFY(isForbidden(house.askAsApi(loosen)));
    }

    void anAgentWithoutItsModelDoesNotAnswer()
    {
        AgentHouse house(fresh());
        SaveAgent save;
        save.agent.id = domain::AgentId(u"default"_qs);
        save.agent.name = u"Default"_qs;
        save.agent.model = u"elsewhere"_qs;
        QVERIFY(house.ask(save));
        const Result<Started> started = house.begin(u"hello"_qs);
        QVERIFY(!started);
        QCOMPARE(started.error().kind, ErrorKind::Unsupported);
        QVERIFY(started.error().message.contains(u"elsewhere"_qs));
    }

    void aRetryThatSaysNothingKeepsWhatWasSaid()
    {
        AgentHouse house(fresh());
        Say broken = says(u"Half"_qs);
        broken.stop = domain::ModelStop::Failed;
        broken.error = domain::Error{ErrorKind::Unavailable, u"lost"_qs, {}, {}, {}};
        Say nothing = broken;
        nothing.text.clear();
        house.script->says << broken << nothing;
        const Result<Started> started = house.begin(u"go"_qs);
        QVERIFY(house.comesTo(*started, RunState::Failed));
        QCOMPARE(house.script->requests.size(), 2);
        const MessageView last = house.detail(started->thread).messages.constLast();
        QCOMPARE(last.text, u"Half"_qs);
        QVERIFY(last.cut);
    }

    void aKeyGoesOnlyWhereItWasGivenFor()
    {
        const QString folder = fresh();
        const auto writeFile = [&folder](const QString &url) {
            domain::ModelEndpointEntry entry;
            entry.name = u"cloud"_qs;
            entry.preset = u"custom"_qs;
            entry.dialect = u"openai"_qs;
            entry.baseUrl = url;
            entry.keyReference = u"${CLOUD_KEY}"_qs;
            entry.model = u"big"_qs;
            domain::ModelEndpointFile file;
            file.endpoints << entry;
            QFile out(folder + u"/models.json"_qs);
            return out.open(QIODevice::WriteOnly)
                && out.write(domain::serialiseModelEndpoints(file)) > 0;
        };
        QVERIFY(writeFile(u"https://one.example/v1"_qs));
        const auto models = std::make_shared<ScriptedModels>(std::make_shared<ModelScript>());
        RealPlaces real;
        real.models = models;
        real.environment.insert(u"CLOUD_KEY"_qs, u"sk-first-key-0001"_qs);
        AgentHouse house(folder, false, real);
        const auto shown = [&house] { return house.ask(ListModels{})->endpoints.constFirst(); };
        QCOMPARE(shown().keyOrigin, u"environment:CLOUD_KEY"_qs);
        // Edited by hand while Berth is away.
        house.close(false);
        QVERIFY(writeFile(u"https://two.example/v1"_qs));
        house.open();
        QCOMPARE(shown().state, u"needs_key"_qs);
        QVERIFY(shown().stateText.contains(u"https://one.example"_qs));
        QVERIFY(shown().stateText.contains(u"https://two.example"_qs));
        const Result<Started> refused = house.begin(u"hello"_qs);
        QVERIFY(house.comesTo(*refused, RunState::Failed));
        QVERIFY(models->keys.isEmpty());
        // Saved without a word on the key; then with it.
        SaveModel save{shown()};
        save.endpoint.keyReference = u"…"_qs;
        QCOMPARE(house.ask(save)->state, u"needs_key"_qs);
        save.endpoint.keyReference = u"${CLOUD_KEY}"_qs;
        QCOMPARE(house.ask(save)->keyOrigin, u"environment:CLOUD_KEY"_qs);
        const Result<Started> answered = house.send(refused->thread, u"again"_qs);
        QVERIFY(house.comesTo(*answered, RunState::Done));
        QCOMPARE(models->keys, QStringList{u"sk-first-key-0001"_qs});
        save.endpoint.baseUrl = u"https://three.example/v1"_qs;
        save.endpoint.keyReference = u"…"_qs;
        QCOMPARE(house.ask(save)->state, u"needs_key"_qs);
        QVERIFY(!house.ask(TestModel{u"cloud"_qs})->ok);
        StoreModelKey key;
        key.name = u"cloud"_qs;
        key.key = domain::Secret("sk-second-key-0002");
        key.inFile = true;
        QCOMPARE(house.ask(key)->keyOrigin, u"file"_qs);
        QVERIFY(house.ask(TestModel{u"cloud"_qs})->ok);
        QCOMPARE(models->keys.constLast(), u"sk-second-key-0002"_qs);
        // A key in the file is as careful.
        house.close(false);
        QFile file(folder + u"/models.json"_qs);
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray moved = file.readAll().replace("three.example", "four.example");
        QVERIFY(file.resize(0) && file.seek(0) && file.write(moved) == moved.size());
        file.close();
        house.open();
        QCOMPARE(shown().state, u"needs_key"_qs);
        QVERIFY(!house.ask(TestModel{u"cloud"_qs})->ok);
        QCOMPARE(models->keys.size(), 2);
    }

    void thePromptTellsWhereThereIsNoIsolation()
    {
        PromptFacts facts;
        facts.autonomy = u"full"_qs;
        QVERIFY(systemPrompt(facts).contains(u"never on the user's machine"_qs));
        facts.passthrough = true;
        QVERIFY(!systemPrompt(facts).contains(u"never on the user's machine"_qs));
        QVERIFY(!systemPrompt(facts).contains(u"without asking"_qs));
        QVERIFY(systemPrompt(facts).contains(u"without any isolation"_qs));
    }
};

QTEST_GUILESS_MAIN(TestGuard)
#include "test_guard.moc"
