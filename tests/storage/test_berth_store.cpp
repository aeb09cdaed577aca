// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/storage_files.h"

#include "domain/provider/trust_store.h"
#include "storage/connection.h"

#include <QtTest/QTest>

using namespace berth;
using namespace berth::domain;
using berth::test::await;
using berth::test::StorageFiles;

namespace {

async::Task<void> addInto(StorageFiles *files, FirstMessage first,
                          QList<Result<FirstMessage>> *answers)
{
    Result<FirstMessage> answer = co_await files->berth().addThread(first);
    answers->append(answer);
}

} // namespace

class BerthStoreTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<StorageFiles> files;

    //! The file as another reader sees it.
    storage::Result<qint64> directly(const QString &sql, const storage::Values &values = {}) const
    {
        auto connection =
            storage::Connection::open(files->paths.berthDb, storage::Connection::Mode::ReadWrite);
        if (!connection)
            return failure(connection.error());
        return (*connection)->execute(sql, values);
    }

private Q_SLOTS:
    void init()
    {
        files = std::make_unique<StorageFiles>();
        BERTH_OK(files->open());
    }
    void cleanup() { files.reset(); }

    void theInstallationStaysTheSame()
    {
        const Result<InstallationId> first = await(files->berth().installation());
        BERTH_OK(first);
        QCOMPARE(first->toString().size(), 36);
        BERTH_OK(files->reopen());
        QCOMPARE(await(files->berth().installation())->toString(), first->toString());
    }

    void confirmationsAreKept()
    {
        TrustStore &trust = files->storage().trust();
        QVERIFY(await(trust.confirmations())->isEmpty());
        const ConfigName e2b(QStringLiteral("e2b"));
        const ConfigName own(QStringLiteral("daytona-own"));
        const QString origin = QStringLiteral("http://localhost:3986");
        BERTH_OK(await(trust.confirm(own, {{origin}, {QStringLiteral("OTHER")}})));
        BERTH_OK(await(trust.confirm(own, {{origin, QStringLiteral("https://b")}, {}})));
        BERTH_OK(await(trust.confirm(e2b, {{}, {QStringLiteral("TEAM")}})));
        BERTH_OK(files->reopen());
        const auto all = await(files->storage().trust().confirmations());
        BERTH_OK(all);
        QCOMPARE(all->size(), 2);
        QCOMPARE(all->value(own).origins, (QStringList{origin, QStringLiteral("https://b")}));
        QCOMPARE(all->value(own).variables, QStringList{QStringLiteral("OTHER")});
        QCOMPARE(all->value(e2b).variables, QStringList{QStringLiteral("TEAM")});
        QVERIFY(all->value(e2b).origins.isEmpty());
    }

    void agentDefaultIsThere()
    {
        const Result<QList<Agent>> agents = await(files->berth().agents());
        BERTH_OK(agents);
        QCOMPARE(agents->size(), 1);
        QCOMPARE(agents->first().id.toString(), QStringLiteral("default"));
        QVERIFY(agents->first().security.contains(QStringLiteral("supervised")));
        QVERIFY(agents->first().createdAt.isValid());
    }

    void savesAgents()
    {
        Agent agent;
        agent.id = AgentId(QStringLiteral("coder"));
        agent.name = QStringLiteral("Müller's \"coder\"");
        BERTH_OK(await(files->berth().saveAgent(agent)));
        agent.instructions = QStringLiteral("Be brief.\n\u4f60\u597d");
        BERTH_OK(await(files->berth().saveAgent(agent)));
        const Result<QList<Agent>> agents = await(files->berth().agents());
        BERTH_OK(agents);
        QCOMPARE(agents->size(), 2);
        QCOMPARE(agents->last().name, agent.name);
        QCOMPARE(agents->last().instructions, agent.instructions);
    }

    void refusesBadAgentNames()
    {
        Agent agent;
        agent.id = AgentId(QStringLiteral("Not A Name"));
        QVERIFY(!await(files->berth().saveAgent(agent)));
        QCOMPARE(await(files->berth().agents())->size(), 1);
    }

    void firstMessageStoresEverything()
    {
        FirstMessage first = StorageFiles::first(QStringLiteral("!echo \u00e4 \U0001F600"));
        first.sandbox.config = {
            {QStringLiteral("image"), QStringLiteral("python:3.12-slim")},
            {QStringLiteral("lifecycle.stop"), QStringLiteral("session")},
            {QStringLiteral("lifecycle.idle_timeout_minutes"), QStringLiteral("5")}};
        first.sandbox.workspace = QStringLiteral("/home/user/project");
        first.toolCall->cwd = QByteArrayLiteral("/tmp/\xff\xfe");
        const Result<FirstMessage> stored = await(files->berth().addThread(first));
        BERTH_OK(stored);
        QCOMPARE(stored->sandbox.alias, QStringLiteral("docker-1"));
        QVERIFY(stored->thread.sandbox == first.sandbox.id);
        QCOMPARE(stored->message.seq, 1);
        QCOMPARE(stored->toolCall->seq, 1);
        BERTH_OK(files->reopen());

        const Result<Thread> thread = await(files->berth().thread(first.thread.id));
        BERTH_OK(thread);
        QVERIFY(thread->sandbox == first.sandbox.id);
        QCOMPARE(thread->title, first.thread.title);
        QVERIFY(thread->createdAt.isValid());
        QCOMPARE(thread->createdAt.timeSpec(), Qt::UTC);
        const Result<QList<Sandbox>> sandboxes = await(files->berth().sandboxes(false));
        BERTH_OK(sandboxes);
        QCOMPARE(sandboxes->size(), 1);
        QCOMPARE(sandboxes->first().config, first.sandbox.config);
        QCOMPARE(sandboxes->first().workspace, first.sandbox.workspace);
        QVERIFY(sandboxes->first().status == SandboxStatus::Pending);
        const Result<QList<Message>> messages = await(files->berth().messages(first.thread.id));
        BERTH_OK(messages);
        QCOMPARE(messages->size(), 1);
        QCOMPARE(messages->first().text, first.message.text);
        QVERIFY(messages->first().run == first.run.id);
        const Result<QList<Run>> runs = await(files->berth().runs(first.thread.id));
        BERTH_OK(runs);
        QCOMPARE(runs->size(), 1);
        QVERIFY(runs->first().state == RunState::Running);
        const Result<ToolCall> call = await(files->berth().toolCall(first.toolCall->id));
        BERTH_OK(call);
        QCOMPARE(call->cwd, first.toolCall->cwd);
        QCOMPARE(call->arguments, first.toolCall->arguments);
        QVERIFY(!call->outcome);
        QVERIFY(!call->endedAt.isValid());
    }

    void aFailedFirstMessageLeavesNothing()
    {
        FirstMessage first = StorageFiles::first(QStringLiteral("x"));
        first.toolCall->arguments = QStringLiteral("not json");
        QVERIFY(!await(files->berth().addThread(first)));
        QVERIFY(await(files->berth().threads(false))->isEmpty());
        QVERIFY(await(files->berth().sandboxes(true))->isEmpty());
        BERTH_FAILS(await(files->berth().thread(first.thread.id)), ErrorKind::NotFound);
    }

    void anUnknownAgentIsNotFound()
    {
        FirstMessage first = StorageFiles::first(QStringLiteral("x"));
        first.thread.agent = AgentId(QStringLiteral("nobody"));
        BERTH_FAILS(await(files->berth().addThread(first)), ErrorKind::NotFound);
    }

    void aTakenAliasIsConflict()
    {
        FirstMessage first = StorageFiles::first(QStringLiteral("x"));
        first.sandbox.alias = QStringLiteral("work");
        BERTH_OK(await(files->berth().addThread(first)));
        FirstMessage second = StorageFiles::first(QStringLiteral("y"));
        second.sandbox.alias = QStringLiteral("work");
        BERTH_FAILS(await(files->berth().addThread(second)), ErrorKind::Conflict);
        second.sandbox.alias = QStringLiteral("Not A Name");
        BERTH_FAILS(await(files->berth().addThread(second)), ErrorKind::InvalidInput);
    }

    void theDatabaseItselfKeepsAliasesApart()
    {
        BERTH_OK(await(files->berth().addThread(StorageFiles::first(QStringLiteral("x")))));
        const QString copy =
            QStringLiteral("INSERT INTO sandboxes (id, agent_id, alias, type, provider_config, "
                           "created_at, updated_at, status) "
                           "SELECT 'other', agent_id, alias, type, provider_config, created_at, "
                           "updated_at, ? FROM sandboxes");
        BERTH_FAILS(directly(copy, {QStringLiteral("pending")}), ErrorKind::Conflict);
        BERTH_OK(directly(copy, {QStringLiteral("deleted")}));
        BERTH_FAILS(directly(copy, {QStringLiteral("zombie")}), ErrorKind::Internal);
    }

    void aliasesOfDeletedRowsAreFree()
    {
        Result<FirstMessage> one =
            await(files->berth().addThread(StorageFiles::first(QStringLiteral("x"))));
        BERTH_OK(one);
        Result<FirstMessage> two =
            await(files->berth().addThread(StorageFiles::first(QStringLiteral("y"))));
        BERTH_OK(two);
        QCOMPARE(two->sandbox.alias, QStringLiteral("docker-2"));
        one->sandbox.status = SandboxStatus::Deleted;
        BERTH_OK(await(files->berth().updateSandbox(one->sandbox)));
        Result<FirstMessage> three =
            await(files->berth().addThread(StorageFiles::first(QStringLiteral("z"))));
        BERTH_OK(three);
        QCOMPARE(three->sandbox.alias, QStringLiteral("docker-1"));
        QCOMPARE(await(files->berth().sandboxes(false))->size(), 2);
        QCOMPARE(await(files->berth().sandboxes(true))->size(), 3);
    }

    void aThreadJoinsAnExistingSandbox()
    {
        const Result<FirstMessage> one =
            await(files->berth().addThread(StorageFiles::first(QStringLiteral("x"))));
        BERTH_OK(one);
        FirstMessage join = StorageFiles::first(QStringLiteral("y"));
        join.newSandbox = false;
        join.sandbox = Sandbox();
        join.sandbox.id = one->sandbox.id;
        const Result<FirstMessage> joined = await(files->berth().addThread(join));
        BERTH_OK(joined);
        QCOMPARE(joined->sandbox.alias, QStringLiteral("docker-1"));
        QCOMPARE(await(files->berth().sandboxes(true))->size(), 1);

        Sandbox gone = one->sandbox;
        gone.status = SandboxStatus::Deleted;
        BERTH_OK(await(files->berth().updateSandbox(gone)));
        FirstMessage late = StorageFiles::first(QStringLiteral("z"));
        late.newSandbox = false;
        late.sandbox = one->sandbox;
        BERTH_FAILS(await(files->berth().addThread(late)), ErrorKind::Conflict);
        late.sandbox.id = SandboxId(QStringLiteral("nowhere"));
        BERTH_FAILS(await(files->berth().addThread(late)), ErrorKind::NotFound);
    }

    void twentyThreadsAtOnceGetTwentyAliases()
    {
        QList<Result<FirstMessage>> answers;
        for (int i = 0; i < 20; ++i)
            addInto(files.get(), StorageFiles::first(QString::number(i)), &answers);
        QVERIFY(test::waitUntil([&answers] { return answers.size() == 20; }));
        QSet<QString> aliases;
        for (const Result<FirstMessage> &answer : std::as_const(answers)) {
            BERTH_OK(answer);
            aliases.insert(answer->sandbox.alias);
        }
        QCOMPARE(aliases.size(), 20);
        QVERIFY(aliases.contains(QStringLiteral("docker-20")));
        QCOMPARE(await(files->berth().threads(false))->size(), 20);
    }

    void updatesSandboxes()
    {
        Result<FirstMessage> first =
            await(files->berth().addThread(StorageFiles::first(QStringLiteral("x"))));
        BERTH_OK(first);
        Sandbox sandbox = first->sandbox;
        sandbox.status = SandboxStatus::Provisioned;
        sandbox.externalId = QStringLiteral("abc123");
        sandbox.runtimeState = QStringLiteral("{\"a\":1}");
        sandbox.lastSeenAt = fromWireTime(QStringLiteral("2026-01-02T03:04:05.678Z"));
        BERTH_OK(await(files->berth().updateSandbox(sandbox)));
        const Result<QList<Sandbox>> stored = await(files->berth().sandboxes(false));
        BERTH_OK(stored);
        QCOMPARE(stored->first().externalId, sandbox.externalId);
        QCOMPARE(stored->first().runtimeState, sandbox.runtimeState);
        QCOMPARE(stored->first().lastSeenAt, sandbox.lastSeenAt);
        sandbox.id = SandboxId(QStringLiteral("nowhere"));
        BERTH_FAILS(await(files->berth().updateSandbox(sandbox)), ErrorKind::NotFound);
    }

    void aDeletedSandboxStaysDeleted()
    {
        Result<FirstMessage> first =
            await(files->berth().addThread(StorageFiles::first(QStringLiteral("x"))));
        BERTH_OK(first);
        Sandbox sandbox = first->sandbox;
        sandbox.status = SandboxStatus::Deleted;
        BERTH_OK(await(files->berth().updateSandbox(sandbox)));
        BERTH_OK(await(files->berth().updateSandbox(sandbox)));
        // The success of a create call that comes too late.
        sandbox.status = SandboxStatus::Provisioned;
        sandbox.externalId = QStringLiteral("late");
        BERTH_FAILS(await(files->berth().updateSandbox(sandbox)), ErrorKind::Conflict);
        const Result<QList<Sandbox>> stored = await(files->berth().sandboxes(true));
        BERTH_OK(stored);
        QVERIFY(stored->first().status == SandboxStatus::Deleted);
        QVERIFY(stored->first().externalId.isEmpty());
        // Only a restore makes it live again, and that is pending.
        BERTH_FAILS(directly(QStringLiteral("UPDATE sandboxes SET status = 'provisioned'")),
                    ErrorKind::Conflict);
        BERTH_OK(await(files->berth().restoreSandbox(sandbox.id)));
        BERTH_FAILS(await(files->berth().restoreSandbox(sandbox.id)), ErrorKind::Conflict);
    }

    void theBindingNeverChanges()
    {
        const Result<FirstMessage> one =
            await(files->berth().addThread(StorageFiles::first(QStringLiteral("x"))));
        BERTH_OK(one);
        const Result<FirstMessage> two =
            await(files->berth().addThread(StorageFiles::first(QStringLiteral("y"))));
        BERTH_OK(two);
        const QString bind = QStringLiteral("UPDATE threads SET sandbox_id = ? WHERE id = ?");
        const QVariant id = one->thread.id.toString();
        BERTH_FAILS(directly(bind, {two->sandbox.id.toString(), id}), ErrorKind::Conflict);
        BERTH_FAILS(directly(bind, {QVariant(QMetaType::fromType<QString>()), id}),
                    ErrorKind::Conflict);
        // The same value again is no change.
        BERTH_OK(directly(bind, {one->sandbox.id.toString(), id}));

        // Through the store: whatever the value says, the binding stays.
        Thread thread = one->thread;
        thread.sandbox = two->sandbox.id;
        thread.title = QStringLiteral("renamed");
        BERTH_OK(await(files->berth().updateThread(thread)));
        const Result<Thread> stored = await(files->berth().thread(thread.id));
        BERTH_OK(stored);
        QVERIFY(stored->sandbox == one->sandbox.id);
        QCOMPARE(stored->title, thread.title);
    }

    void anUnboundThreadIsBoundOnce()
    {
        const Result<FirstMessage> one =
            await(files->berth().addThread(StorageFiles::first(QStringLiteral("x"))));
        BERTH_OK(one);
        BERTH_OK(directly(
            QStringLiteral("INSERT INTO threads (id, agent_id, created_at, last_activity_at) "
                           "SELECT 'loose', agent_id, created_at, created_at FROM threads")));
        QVERIFY(await(files->berth().thread(ThreadId(QStringLiteral("loose"))))->sandbox.isNull());
        const QString bind = QStringLiteral("UPDATE threads SET sandbox_id = ? WHERE id = 'loose'");
        BERTH_OK(directly(bind, {one->sandbox.id.toString()}));
        BERTH_FAILS(directly(bind, {QVariant(QMetaType::fromType<QString>())}),
                    ErrorKind::Conflict);
    }

    void furtherMessagesGetTheNextNumber()
    {
        files->now = fromWireTime(QStringLiteral("2026-05-01T10:00:00.000Z"));
        const Result<FirstMessage> first =
            await(files->berth().addThread(StorageFiles::first(QStringLiteral("x"))));
        BERTH_OK(first);
        files->now = fromWireTime(QStringLiteral("2026-05-01T11:00:00.123Z"));
        Message message;
        message.thread = first->thread.id;
        message.text = QStringLiteral("!pwd");
        Run run;
        run.id = RunId::create();
        ToolCall call = *StorageFiles::first(QString()).toolCall;
        const Result<Message> second = await(files->berth().addMessage(message, run, call));
        BERTH_OK(second);
        QCOMPARE(second->seq, 2);
        QVERIFY(second->run == run.id);
        Message note;
        note.thread = first->thread.id;
        note.text = QStringLiteral("The sandbox was paused; it runs again.");
        const Result<Message> third = await(files->berth().addNote(note));
        BERTH_OK(third);
        QCOMPARE(third->seq, 3);
        QVERIFY(third->role == MessageRole::Note);
        const Result<QList<Message>> messages = await(files->berth().messages(first->thread.id));
        BERTH_OK(messages);
        QCOMPARE(messages->size(), 3);
        QCOMPARE(messages->at(1).text, message.text);
        QVERIFY(messages->at(2).run.isNull());
        QCOMPARE(await(files->berth().thread(first->thread.id))->lastActivityAt, files->now);
        QCOMPARE(await(files->berth().toolCalls(first->thread.id))->size(), 2);
        QVERIFY(await(files->berth().toolCalls(first->thread.id))->last().id == call.id);

        message.thread = ThreadId(QStringLiteral("nowhere"));
        run.id = RunId::create();
        BERTH_FAILS(await(files->berth().addMessage(message, run, std::nullopt)),
                    ErrorKind::NotFound);
        BERTH_FAILS(await(files->berth().addNote(message)), ErrorKind::NotFound);
    }

    void threadsComeLatestFirst()
    {
        QStringList titles;
        for (int i = 0; i < 3; ++i) {
            files->now = fromWireTime(QStringLiteral("2026-05-01T1%1:00:00.000Z").arg(i));
            BERTH_OK(await(files->berth().addThread(StorageFiles::first(QString::number(i)))));
        }
        Result<QList<Thread>> threads = await(files->berth().threads(false));
        BERTH_OK(threads);
        for (const Thread &thread : std::as_const(*threads))
            titles << thread.title;
        QCOMPARE(titles,
                 (QStringList{QStringLiteral("2"), QStringLiteral("1"), QStringLiteral("0")}));

        Thread old = threads->first();
        old.archived = true;
        old.draft = QStringLiteral("half a thought");
        BERTH_OK(await(files->berth().updateThread(old)));
        QCOMPARE(await(files->berth().threads(false))->size(), 2);
        threads = await(files->berth().threads(true));
        BERTH_OK(threads);
        QCOMPARE(threads->size(), 1);
        QCOMPARE(threads->first().draft, old.draft);
        old.id = ThreadId(QStringLiteral("nowhere"));
        BERTH_FAILS(await(files->berth().updateThread(old)), ErrorKind::NotFound);
    }

    void outcomesComeBackWhole_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("code");
        for (int kind = 0; kind <= int(OutcomeKind::NotStarted); ++kind) {
            const QString name = wireName(OutcomeKind(kind));
            const int code = OutcomeKind(kind) == OutcomeKind::Exited ? 3
                : OutcomeKind(kind) == OutcomeKind::Signalled         ? 9
                                                                      : 0;
            QTest::newRow(name.toLatin1().constData()) << kind << code;
        }
    }

    void outcomesComeBackWhole()
    {
        QFETCH(int, kind);
        QFETCH(int, code);
        const Result<FirstMessage> first =
            await(files->berth().addThread(StorageFiles::first(QStringLiteral("x"))));
        BERTH_OK(first);
        ToolCall call = *first->toolCall;
        Outcome outcome;
        outcome.kind = OutcomeKind(kind);
        outcome.code = code;
        outcome.detail = QStringLiteral("why");
        outcome.duration = std::chrono::milliseconds(1234);
        outcome.cwd = QByteArrayLiteral("/tmp/\xff");
        outcome.peakMemoryBytes = 5'000'000'000;
        outcome.cpuTime = std::chrono::microseconds(77);
        call.state = ToolCallState::Done;
        call.outcome = outcome;
        call.outputRef = QStringLiteral("ab/cd.out");
        call.outputBytes = 100'000'000'000;
        call.startedAt = fromWireTime(QStringLiteral("2026-05-01T10:00:00.001Z"));
        call.endedAt = fromWireTime(QStringLiteral("2026-05-01T10:00:01.235Z"));
        BERTH_OK(await(files->berth().updateToolCall(call)));
        BERTH_OK(files->reopen());
        const Result<ToolCall> stored = await(files->berth().toolCall(call.id));
        BERTH_OK(stored);
        QVERIFY(stored->outcome);
        QCOMPARE(int(stored->outcome->kind), kind);
        QCOMPARE(stored->outcome->code, code);
        QCOMPARE(stored->outcome->detail, outcome.detail);
        QVERIFY(stored->outcome->duration == outcome.duration);
        QCOMPARE(stored->outcome->cwd.value_or("none"), *outcome.cwd);
        QCOMPARE(stored->outcome->peakMemoryBytes.value_or(0), *outcome.peakMemoryBytes);
        QVERIFY(stored->outcome->cpuTime == outcome.cpuTime);
        QCOMPARE(stored->outputRef, call.outputRef);
        QCOMPARE(stored->outputBytes, call.outputBytes);
        QCOMPARE(stored->startedAt, call.startedAt);
        QCOMPARE(stored->endedAt, call.endedAt);
    }

    void environmentsOfOutcomesAreNotStored()
    {
        const Result<FirstMessage> first =
            await(files->berth().addThread(StorageFiles::first(QStringLiteral("x"))));
        BERTH_OK(first);
        ToolCall call = *first->toolCall;
        call.state = ToolCallState::Done;
        call.outcome = Outcome{};
        call.outcome->environment = Environment{{"PLAIN", "canary-7f1e9b"}};
        BERTH_OK(await(files->berth().updateToolCall(call)));
        BERTH_OK(files->close());
        QVERIFY(!test::contentOf(files->paths.berthDb).contains("canary-7f1e9b"));
    }

    void missingRunsAndCallsAreNotFound()
    {
        BERTH_FAILS(await(files->berth().updateRun(Run{})), ErrorKind::NotFound);
        BERTH_FAILS(await(files->berth().updateToolCall(ToolCall{})), ErrorKind::NotFound);
        BERTH_FAILS(await(files->berth().toolCall(ToolCallId::create())), ErrorKind::NotFound);
    }

    void unfinishedWorkIsInterrupted()
    {
        Result<FirstMessage> running =
            await(files->berth().addThread(StorageFiles::first(QStringLiteral("x"))));
        BERTH_OK(running);
        FirstMessage wait = StorageFiles::first(QStringLiteral("y"));
        wait.run.state = RunState::AwaitingApproval;
        wait.toolCall->state = ToolCallState::Pending;
        BERTH_OK(await(files->berth().addThread(wait)));
        FirstMessage done = StorageFiles::first(QStringLiteral("z"));
        done.run.state = RunState::Done;
        done.toolCall->state = ToolCallState::Done;
        done.toolCall->outcome = Outcome{};
        done.toolCall->outcome->kind = OutcomeKind::Exited;
        BERTH_OK(await(files->berth().addThread(done)));

        BERTH_OK(files->reopen());
        const Result<QList<ToolCall>> changed = await(files->berth().interruptUnfinished());
        BERTH_OK(changed);
        QCOMPARE(changed->size(), 2);
        for (const ToolCall &call : *changed) {
            const Result<ToolCall> stored = await(files->berth().toolCall(call.id));
            BERTH_OK(stored);
            QVERIFY(stored->state == ToolCallState::Done);
            QVERIFY(stored->outcome->kind == OutcomeKind::Interrupted);
            QVERIFY(!stored->outcome->detail.isEmpty());
            QVERIFY(stored->endedAt.isValid());
        }
        QVERIFY(await(files->berth().runs(running->thread.id))->first().state
                == RunState::Interrupted);
        QVERIFY(await(files->berth().runs(running->thread.id))->first().endedAt.isValid());
        QVERIFY(await(files->berth().runs(wait.thread.id))->first().state == RunState::Interrupted);
        QVERIFY(await(files->berth().runs(done.thread.id))->first().state == RunState::Done);
        QVERIFY(await(files->berth().toolCall(done.toolCall->id))->outcome->kind
                == OutcomeKind::Exited);
        QVERIFY(await(files->berth().interruptUnfinished())->isEmpty());
    }

    void runsChangeState()
    {
        Result<FirstMessage> first =
            await(files->berth().addThread(StorageFiles::first(QStringLiteral("x"))));
        BERTH_OK(first);
        first->run.state = RunState::Cancelled;
        first->run.endedAt = fromWireTime(QStringLiteral("2026-05-01T10:00:01.235Z"));
        BERTH_OK(await(files->berth().updateRun(first->run)));
        const Result<QList<Run>> runs = await(files->berth().runs(first->thread.id));
        BERTH_OK(runs);
        QVERIFY(runs->first().state == RunState::Cancelled);
        QCOMPARE(runs->first().endedAt, first->run.endedAt);
    }

    void aRequestKeepsItsFirstResultForADay()
    {
        const RequestId id = RequestId::create();
        files->now = fromWireTime(QStringLiteral("2026-05-01T10:00:00.000Z"));
        QVERIFY(!await(files->berth().requestResult(id)).value());
        BERTH_OK(await(files->berth().saveRequestResult(id, QByteArrayLiteral("first\0bytes"))));
        BERTH_OK(await(files->berth().saveRequestResult(id, QByteArrayLiteral("second"))));
        QCOMPARE(await(files->berth().requestResult(id)).value().value(),
                 QByteArrayLiteral("first\0bytes"));

        files->now = files->now.addSecs(24 * 60 * 60 - 1);
        BERTH_OK(files->reopen());
        QVERIFY(await(files->berth().requestResult(id)).value());
        files->now = files->now.addSecs(1);
        QVERIFY(!await(files->berth().requestResult(id)).value());
        // Pruned by the next one, not only hidden.
        BERTH_OK(
            await(files->berth().saveRequestResult(RequestId::create(), QByteArrayLiteral("x"))));
        files->now = fromWireTime(QStringLiteral("2026-05-01T10:00:01.000Z"));
        QVERIFY(!await(files->berth().requestResult(id)).value());
    }

    void anEmptyResultIsAResult()
    {
        const RequestId id = RequestId::create();
        BERTH_OK(await(files->berth().saveRequestResult(id, QByteArray())));
        const Result<std::optional<QByteArray>> stored = await(files->berth().requestResult(id));
        BERTH_OK(stored);
        QVERIFY(stored->has_value());
        QVERIFY((*stored)->isEmpty());
    }

    void oddTextComesBack()
    {
        FirstMessage first = StorageFiles::first(QString());
        first.message.text =
            QStringLiteral("a") + QChar(0) + QStringLiteral("b\r\n\t\"'\\ \u202e") + QChar(0x7f);
        first.thread.title = QStringLiteral("'; DROP TABLE threads; --");
        BERTH_OK(await(files->berth().addThread(first)));
        QCOMPARE(await(files->berth().messages(first.thread.id))->first().text, first.message.text);
        QCOMPARE(await(files->berth().thread(first.thread.id))->title, first.thread.title);
    }
};

QTEST_GUILESS_MAIN(BerthStoreTest)
#include "test_berth_store.moc"
