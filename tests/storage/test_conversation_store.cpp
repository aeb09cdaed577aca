// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What an agent's runs leave in the records, written, read again after a restart, and refused.
#include "domain/thread/conversation_store.h"
#include "storage/storage_files.h"

#include <QtTest/QTest>

using namespace berth;
using namespace berth::domain;
using berth::test::await;
using berth::test::StorageFiles;

class ConversationStoreTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<StorageFiles> files;
    FirstMessage first;

    ConversationStore &store() const { return files->storage().conversations(); }

    ToolCall callNamed(const QString &id) const
    {
        ToolCall call;
        call.id = ToolCallId::create();
        call.run = first.run.id;
        call.thread = first.thread.id;
        call.tool = QStringLiteral("shell");
        call.arguments = QStringLiteral("{\"command\":\"ls\"}");
        call.origin = ToolCallOrigin::Model;
        call.callId = id;
        return call;
    }

    Result<std::pair<Message, QList<ToolCall>>> reply(const QList<ToolCall> &calls) const
    {
        Message message;
        message.thread = first.thread.id;
        message.run = first.run.id;
        message.role = MessageRole::Agent;
        message.text = QStringLiteral("Let me look. \u4f60");
        message.reasoning = QStringLiteral("They want a list.");
        message.opaque = QByteArray("\x00sig\xff", 5);
        message.cut = true;
        Run run = first.run;
        run.state = RunState::AwaitingApproval;
        run.usage = QStringLiteral("{\"output\":17}");
        run.detail = QStringLiteral("Waits for you");
        return await(store().addReply(message, calls, run));
    }

    Approval asked(const ToolCall &call) const
    {
        Approval approval;
        approval.toolCall = call.id;
        approval.run = call.run;
        approval.thread = call.thread;
        approval.reason = QStringLiteral("It runs a program");
        return approval;
    }

private Q_SLOTS:
    void init()
    {
        files = std::make_unique<StorageFiles>();
        BERTH_OK(files->open());
        FirstMessage begin = StorageFiles::first(QStringLiteral("List the files"));
        begin.run.state = RunState::Running;
        begin.toolCall.reset();
        const Result<FirstMessage> stored = await(files->berth().addThread(begin));
        BERTH_OK(stored);
        first = *stored;
    }
    void cleanup() { files.reset(); }

    void aReplyIsStoredWithItsCalls()
    {
        const auto stored = reply({callNamed(QStringLiteral("a")), callNamed(QStringLiteral("b"))});
        BERTH_OK(stored);
        QCOMPARE(stored->first.seq, 2);
        BERTH_OK(files->reopen());
        const Result<QList<Message>> messages = await(files->berth().messages(first.thread.id));
        BERTH_OK(messages);
        QCOMPARE(messages->size(), 2);
        const Message &message = messages->last();
        QCOMPARE(message.text, QStringLiteral("Let me look. \u4f60"));
        QCOMPARE(message.reasoning, QStringLiteral("They want a list."));
        QCOMPARE(message.opaque, QByteArray("\x00sig\xff", 5));
        QVERIFY(message.cut);
        QVERIFY(!message.superseded);
        const Result<QList<ToolCall>> calls = await(files->berth().toolCalls(first.thread.id));
        BERTH_OK(calls);
        QCOMPARE(calls->size(), 2);
        QCOMPARE(message.toolCalls, (QList<ToolCallId>{calls->at(0).id, calls->at(1).id}));
        QCOMPARE(calls->at(0).callId, QStringLiteral("a"));
        QCOMPARE(calls->at(1).seq, 2);
        const Result<QList<Run>> runs = await(files->berth().runs(first.thread.id));
        BERTH_OK(runs);
        QCOMPARE(runs->first().usage, QStringLiteral("{\"output\":17}"));
        QCOMPARE(runs->first().detail, QStringLiteral("Waits for you"));
    }

    void aReplyIsAllOrNothing()
    {
        ToolCall twice = callNamed(QStringLiteral("a"));
        QVERIFY(!reply({twice, twice}));
        QCOMPARE(await(files->berth().messages(first.thread.id))->size(), 1);
        QVERIFY(await(files->berth().toolCalls(first.thread.id))->isEmpty());
    }

    void whatTheModelWasToldIsKept()
    {
        const auto stored = reply({callNamed(QStringLiteral("a"))});
        BERTH_OK(stored);
        ToolCall call = stored->second.first();
        call.state = ToolCallState::Done;
        call.outcome = Outcome();
        call.result = QStringLiteral("Error: no such file");
        call.isError = true;
        call.diff = QStringLiteral("-a\n+b\n");
        call.decision = QStringLiteral("allowed by you");
        BERTH_OK(await(files->berth().updateToolCall(call)));
        const Result<ToolCall> read = await(files->berth().toolCall(call.id));
        BERTH_OK(read);
        QCOMPARE(read->result, call.result);
        QVERIFY(read->isError);
        QCOMPARE(read->diff, call.diff);
        QCOMPARE(read->decision, call.decision);
    }

    void anEditTakesTheRestOutOfTheModelsView()
    {
        BERTH_OK(reply({}));
        BERTH_OK(reply({}));
        BERTH_OK(await(store().supersede(first.thread.id, 2)));
        const Result<QList<Message>> messages = await(files->berth().messages(first.thread.id));
        BERTH_OK(messages);
        QVERIFY(!messages->at(0).superseded);
        QVERIFY(messages->at(1).superseded);
        QVERIFY(messages->at(2).superseded);
        QCOMPARE(messages->at(2).text, QStringLiteral("Let me look. \u4f60"));
    }

    void aDecisionIsMadeOnce()
    {
        const auto stored = reply({callNamed(QStringLiteral("a"))});
        BERTH_OK(stored);
        Approval approval = asked(stored->second.first());
        BERTH_OK(await(store().addApproval(approval)));
        QCOMPARE(await(store().pendingApprovals())->size(), 1);
        approval.decision = QStringLiteral("allow");
        approval.scope = QStringLiteral("once");
        approval.decidedBy = QStringLiteral("user");
        BERTH_OK(await(store().decideApproval(approval)));
        approval.decision = QStringLiteral("deny");
        const Result<void> again = await(store().decideApproval(approval));
        QVERIFY(!again);
        QCOMPARE(again.error().kind, ErrorKind::Conflict);
        const auto kept = await(store().approval(approval.toolCall));
        BERTH_OK(kept);
        QVERIFY(kept->has_value());
        QCOMPARE((*kept)->decision, QStringLiteral("allow"));
        QVERIFY((*kept)->decidedAt.isValid());
        QVERIFY(await(store().pendingApprovals())->isEmpty());
        approval.toolCall = ToolCallId::create();
        const Result<void> never = await(store().decideApproval(approval));
        QVERIFY(!never);
        QCOMPARE(never.error().kind, ErrorKind::NotFound);
    }

    void aPendingDecisionSurvivesARestart()
    {
        const auto stored = reply({callNamed(QStringLiteral("a")), callNamed(QStringLiteral("b"))});
        BERTH_OK(stored);
        BERTH_OK(await(store().addApproval(asked(stored->second.last()))));
        BERTH_OK(files->reopen());
        const Result<QList<ToolCall>> interrupted = await(files->berth().interruptUnfinished());
        BERTH_OK(interrupted);
        QCOMPARE(interrupted->size(), 1);
        QCOMPARE(interrupted->first().id, stored->second.first().id);
        QCOMPARE(await(files->berth().toolCall(stored->second.last().id))->state,
                 ToolCallState::Pending);
        QCOMPARE(await(files->berth().runs(first.thread.id))->first().state,
                 RunState::AwaitingApproval);
        QCOMPARE(await(store().pendingApprovals())->first().reason,
                 QStringLiteral("It runs a program"));
    }

    void rulesAreKept()
    {
        ApprovalRule rule{QStringLiteral("r1"),
                          QStringLiteral("agent"),
                          QStringLiteral("default"),
                          QStringLiteral("shell"),
                          QStringLiteral("git status"),
                          QStringLiteral("allow"),
                          {}};
        BERTH_OK(await(store().saveRule(rule)));
        rule.decision = QStringLiteral("deny");
        BERTH_OK(await(store().saveRule(rule)));
        BERTH_OK(files->reopen());
        const Result<QList<ApprovalRule>> rules = await(store().rules());
        BERTH_OK(rules);
        QCOMPARE(rules->size(), 1);
        QCOMPARE(rules->first().decision, QStringLiteral("deny"));
        QVERIFY(rules->first().createdAt.isValid());
        rule.id = QStringLiteral("r2");
        rule.scope = QStringLiteral("global");
        QVERIFY2(!await(store().saveRule(rule)), "a global rule has no owner");
        BERTH_OK(await(store().removeRule(QStringLiteral("r1"))));
        QCOMPARE(await(store().removeRule(QStringLiteral("r1"))).error().kind, ErrorKind::NotFound);
    }

    void theAuditTellsNewestFirst()
    {
        const auto stored = reply({callNamed(QStringLiteral("a")), callNamed(QStringLiteral("b"))});
        BERTH_OK(stored);
        QList<ToolCall> calls = stored->second;
        calls[0].startedAt =
            QDateTime::fromString(QStringLiteral("2026-01-02T03:04:05.000Z"), Qt::ISODateWithMs);
        calls[1].startedAt = calls[0].startedAt.addSecs(60);
        for (const ToolCall &call : std::as_const(calls))
            BERTH_OK(await(files->berth().updateToolCall(call)));
        BERTH_OK(await(store().addApproval(asked(calls[0]))));
        const Result<QList<AuditRecord>> all = await(store().audit({}, 10));
        BERTH_OK(all);
        QCOMPARE(all->size(), 2);
        QCOMPARE(all->at(0).call.callId, QStringLiteral("b"));
        QVERIFY(!all->at(0).approval);
        QVERIFY(all->at(1).approval);
        const Result<QList<AuditRecord>> earlier = await(store().audit(calls[1].startedAt, 10));
        BERTH_OK(earlier);
        QCOMPARE(earlier->size(), 1);
        QCOMPARE(await(store().audit({}, 1))->size(), 1);
        // One that has not begun stands where its run began: after the two of January.
        const auto later = reply({callNamed(QStringLiteral("c"))});
        BERTH_OK(later);
        const Result<QList<AuditRecord>> newest = await(store().audit({}, 1));
        BERTH_OK(newest);
        QCOMPARE(newest->first().call.callId, QStringLiteral("c"));
        QVERIFY(!newest->first().call.startedAt.isValid());
    }
};

QTEST_GUILESS_MAIN(ConversationStoreTest)
#include "test_conversation_store.moc"
