// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Who may do what, by the client that asks: sandboxes without isolation, "Run anyway", hooks, runs
// that nobody watches, and threads that have no sandbox at all.
#include "agent/agent_house.h"
#include "application/agent/tool_arguments.h"
#include "application/policy/hook_file.h"
#include "application/threads/call_arguments.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>

using namespace berth;
using namespace berth::test;
using domain::RunState;

namespace {

//! The scripted kind with a setting for no isolation.
class OpenKind final : public domain::ProviderKind
{
public:
    explicit OpenKind(std::shared_ptr<ScriptedEngine> engine)
        : m_inner(std::move(engine)), m_schema(m_inner.schema())
    {
        domain::SchemaField isolation;
        isolation.key = u"isolation"_qs;
        isolation.label = u"Isolation"_qs;
        isolation.defaultValue = u"bubblewrap"_qs;
        m_schema.fields << isolation;
    }
    const domain::ProviderSchema &schema() const override { return m_schema; }
    std::optional<QString> problemWith(const QMap<QString, QString> &) const override
    {
        return std::nullopt;
    }
    QList<domain::SecretOrigin> secretOrigins(const QMap<QString, QString> &) const override
    {
        return {};
    }
    QString summary(const QMap<QString, QString> &values) const override
    {
        return m_inner.summary(values);
    }
    std::unique_ptr<domain::Provider> create(domain::ProviderSettings settings,
                                             domain::InstallationId installation,
                                             domain::ProviderPaths paths) const override
    {
        return m_inner.create(std::move(settings), std::move(installation), std::move(paths));
    }

private:
    ScriptedKind m_inner;
    domain::ProviderSchema m_schema;
};

template <typename T>
bool isForbidden(const Result<T> &answer)
{
    return !answer && answer.error().kind == ErrorKind::Forbidden;
}

template <typename Command>
Command at(const QString &target)
{
    Command command;
    command.target = target;
    if constexpr (requires { command.path; })
        command.path = u"/workspace/a"_qs;
    return command;
}

} // namespace

class TestCallers final : public QObject
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
    static void put(const QString &path, const QByteArray &text)
    {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    }
    static QByteArray contentOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static QList<AuditEntry> audit(AgentHouse &house)
    {
        ListAudit list;
        list.before = domain::nowUtc().addDays(1);
        const Result<AuditList> answer = house.ask(list);
        return answer ? answer->entries : QList<AuditEntry>{};
    }
    static NewThread lonely(const QString &text)
    {
        NewThread command;
        command.agent = domain::AgentId(u"default"_qs);
        command.text = text;
        return command;
    }

private Q_SLOTS:
    void noIsolationIsOnlyForWhoMayApprove()
    {
        const QString folder = fresh();
        put(folder + u"/sandboxes/scripted-open.json"_qs,
            "{\"provider\":\"scripted\",\"scripted\":{\"isolation\":\"none\"}}");
        const auto engine = std::make_shared<ScriptedEngine>();
        AgentHouse house(folder, true,
                         {{}, {std::make_shared<OpenKind>(engine)}, u"scripted-open"_qs, {}});
        engine->open = house.engine->open;
        InProcessClient approver(*house.berth, house.berth.get(), ClientKind::Api, nullptr,
                                 ClientRight::Approve);
        QVERIFY(waitUntil([&] { return approver.isConnected(); }));
        NewThread create;
        create.agent = domain::AgentId(u"default"_qs);
        create.config = domain::ConfigName(u"scripted-open"_qs);
        create.text = u"!true"_qs;
        QVERIFY(isForbidden(house.askAsApi(create)));
        create.text = u"hello"_qs;
        QVERIFY(isForbidden(house.askAsApi(create)));
        const Result<Started> first = house.begin(u"!true"_qs);
        QVERIFY2(first, test::told(first).constData());
        QVERIFY(house.comesTo(*first, RunState::Done));
        UpdateThread archive;
        archive.thread = first->thread;
        archive.archived = true;
        // Another agent's sandbox by its id, and a thread that no list shows: by the row all the
        // same.
        SaveAgent other;
        other.isNew = true;
        other.agent.id = domain::AgentId(u"other"_qs);
        other.agent.name = u"Other"_qs;
        other.sandbox = u"none"_qs;
        const Result<AgentView> made = house.ask(other);
        QVERIFY2(made, test::told(made).constData());
        create.agent = made->id;
        create.text = u"!true"_qs;
        const Result<Started> second = house.ask(create);
        QVERIFY2(second, test::told(second).constData());
        QVERIFY(house.comesTo(*second, RunState::Done));
        const Result<ProcessView> process =
            house.ask(StartProcess{first->thread.toString(), {}, u"cat"_qs});
        QVERIFY2(process, test::told(process).constData());
        for (const bool isArchived : {false, true}) {
            if (isArchived)
                QVERIFY(house.ask(archive));
            for (const QString &target :
                 {first->thread.toString(), first->sandbox.toString(), first->lease.toString(),
                  first->sandboxAlias, second->thread.toString(), second->sandbox.toString(),
                  second->lease.toString()}) {
                Exec exec;
                exec.target = target;
                exec.shellText = u"true"_qs;
                QVERIFY(isForbidden(house.askAsApi(exec)));
                exec.shellText.clear();
                exec.argv << u"true"_qs;
                QVERIFY(isForbidden(house.askAsApi(exec)));
                QVERIFY(isForbidden(house.askAsApi(StartProcess{target, {}, u"true"_qs})));
                QVERIFY(isForbidden(house.askAsApi(at<ListFiles>(target))));
                QVERIFY(isForbidden(house.askAsApi(at<StatFile>(target))));
                QVERIFY(isForbidden(house.askAsApi(at<ReadFile>(target))));
                QVERIFY(isForbidden(house.askAsApi(at<OpenUpload>(target))));
                QVERIFY(isForbidden(house.askAsApi(at<MakeFolder>(target))));
                QVERIFY(isForbidden(house.askAsApi(at<RemoveFile>(target))));
                RenameFile rename;
                rename.target = target;
                QVERIFY(isForbidden(house.askAsApi(rename)));
            }
            for (const domain::ThreadId &thread : {first->thread, second->thread}) {
                SendMessage send;
                send.thread = thread;
                send.text = u"!true"_qs;
                QVERIFY(isForbidden(house.askAsApi(send)));
                send.text = u"run something"_qs;
                QVERIFY(isForbidden(house.askAsApi(send)));
                EditMessage edit;
                edit.thread = thread;
                edit.seq = 1;
                edit.text = u"!false"_qs;
                QVERIFY(isForbidden(house.askAsApi(edit)));
                QVERIFY(isForbidden(house.askAsApi(ContinueRun{thread})));
            }
            WriteProcess write;
            write.process = process->id;
            write.bytes = "x\n";
            QVERIFY(isForbidden(house.askAsApi(write)));
        }
        create.agent = {};
        create.config = {};
        create.sandbox = first->sandbox;
        QVERIFY(isForbidden(house.askAsApi(create)));
        QCOMPARE(house.shop->commands, (QList<QByteArray>{"true", "true", "cat"}));
        // A token that may approve works there; and nothing keeps anybody from an isolated one.
        const Result<Started> third = house.askBy(approver, create);
        QVERIFY2(third, test::told(third).constData());
        create.sandbox = {};
        create.config = domain::ConfigName(u"scripted"_qs);
        create.text = u"hello"_qs;
        const Result<Started> isolated = house.askAsApi(create);
        QVERIFY2(isolated, test::told(isolated).constData());
    }

    void onlyWhoMayApproveDecides()
    {
        AgentHouse house(fresh());
        InProcessClient approver(*house.berth, house.berth.get(), ClientKind::Api, nullptr,
                                 ClientRight::Approve);
        QVERIFY(waitUntil([&] { return approver.isConnected(); }));
        house.script->says << calls({callOf(u"c1"_qs, u"shell"_qs, "{\"command\":\"make\"}")})
                           << says(u"Done."_qs);
        const Result<Started> started = house.begin(u"build it"_qs);
        QVERIFY(house.isAsked(1));
        DecideApproval decision;
        decision.toolCall = house.approvals()[0].toolCall;
        decision.allow = true;
        QVERIFY(isForbidden(house.askAsApi(decision)));
        QVERIFY(house.askBy(approver, decision));
        QVERIFY(house.comesTo(*started, RunState::Done));
        QCOMPARE(house.detail(started->thread).toolCalls[0].decision,
                 u"allowed by a token of the API"_qs);
    }

    void runAnywayIsForWhoMayApproveAndIsWrittenDown()
    {
        AgentHouse house(fresh());
        const Result<Started> first = house.begin(u"!true"_qs);
        QVERIFY(house.comesTo(*first, RunState::Done));
        SetSecurity set;
        set.agent = domain::AgentId(u"default"_qs);
        set.document = u"{\"autonomy_level\":\"readonly\"}"_qs;
        QVERIFY(house.ask(set));
        SendMessage send;
        send.thread = first->thread;
        send.text = u"!make"_qs;
        const Result<Started> denied = house.ask(send);
        QVERIFY(isForbidden(denied));
        QVERIFY(!denied.error().detail.isEmpty());
        send.runAnyway = true;
        QVERIFY(isForbidden(house.askAsApi(send)));
        QCOMPARE(house.shop->commands, QList<QByteArray>{"true"});
        const Result<Started> anyway = house.ask(send);
        QVERIFY2(anyway, test::told(anyway).constData());
        QVERIFY(house.comesTo(*anyway, RunState::Done));
        QCOMPARE(house.shop->commands, (QList<QByteArray>{"true", "make"}));
        QCOMPARE(audit(house).constFirst().decision, u"allowed"_qs);
        QCOMPARE(audit(house).constFirst().decidedBy, u"run anyway by you"_qs);
        NewThread create = lonely(u"!make all"_qs);
        create.config = domain::ConfigName(u"scripted"_qs);
        create.runAnyway = true;
        QVERIFY(isForbidden(house.askAsApi(create)));
        const Result<Started> begun = house.ask(create);
        QVERIFY2(begun, test::told(begun).constData());
        QVERIFY(house.comesTo(*begun, RunState::Done));
        // It is for his own lines; what the model calls is judged as ever.
        house.script->says << calls({callOf(u"c1"_qs, u"shell"_qs, "{\"command\":\"make x\"}")})
                           << says(u"Could not."_qs);
        send.text = u"do it"_qs;
        const Result<Started> run = house.ask(send);
        QVERIFY(house.comesTo(*run, RunState::Done));
        QVERIFY(!house.shop->commands.contains("make x"));
    }

    void whatWouldAskIsDeniedWhereNobodyIs()
    {
        AgentHouse house(fresh());
        house.shop->files.insert("/workspace/a.txt", "alpha\n");
        house.script->says << calls({callOf(u"c1"_qs, u"shell"_qs, "{\"command\":\"make\"}"),
                                     callOf(u"c2"_qs, u"read_file"_qs, "{\"path\":\"a.txt\"}")})
                           << says(u"I was not allowed to."_qs);
        NewThread create = lonely(u"build it"_qs);
        create.config = domain::ConfigName(u"scripted"_qs);
        create.whenAsked = u"deny"_qs;
        const Result<Started> started = house.ask(create);
        QVERIFY2(started, test::told(started).constData());
        QVERIFY(house.comesTo(*started, RunState::Done));
        QVERIFY(house.told<ApprovalAsked>().isEmpty());
        QVERIFY(house.shop->commands.isEmpty());
        const ThreadDetail detail = house.detail(started->thread);
        QCOMPARE(detail.toolCalls[0].decision, u"denied: unattended"_qs);
        QVERIFY2(detail.toolCalls[0].outcomeDetail.contains(u"nobody is there"_qs),
                 qPrintable(detail.toolCalls[0].outcomeDetail));
        // The model was told, and what does not ask was done.
        const auto told =
            std::find_if(house.script->requests[1].turns.cbegin(),
                         house.script->requests[1].turns.cend(), [](const domain::ModelTurn &turn) {
                             return turn.role == domain::ModelRole::ToolResult;
                         });
        QVERIFY(told->text.contains(u"nobody is there"_qs));
        const QString read = house.script->requests[1].turns.constLast().text;
        QVERIFY2(read.contains(u"alpha"_qs), qPrintable(read));
        QCOMPARE(detail.messages.constLast().text, u"I was not allowed to."_qs);
        // The same of a further message; the one after it waits again.
        house.script->says << calls({callOf(u"c3"_qs, u"shell"_qs, "{\"command\":\"make\"}")})
                           << says(u"No."_qs)
                           << calls({callOf(u"c4"_qs, u"shell"_qs, "{\"command\":\"make\"}")})
                           << says(u"Yes."_qs);
        SendMessage send;
        send.thread = started->thread;
        send.text = u"again"_qs;
        send.whenAsked = u"deny"_qs;
        const Result<Started> again = house.ask(send);
        QVERIFY(house.comesTo(*again, RunState::Done));
        QVERIFY(house.told<ApprovalAsked>().isEmpty());
        const Result<Started> waits = house.send(started->thread, u"and now?"_qs);
        QVERIFY(house.isAsked(1));
        QVERIFY(house.decide(house.approvals()[0].toolCall, true));
        QVERIFY(house.comesTo(*waits, RunState::Done));
        QCOMPARE(house.shop->commands, QList<QByteArray>{"make"});
        send.whenAsked = u"skip"_qs;
        const Result<Started> wrong = house.ask(send);
        QVERIFY(!wrong && wrong.error().kind == ErrorKind::InvalidInput);
    }

    void aThreadWithoutASandboxTalksAndRunsNothing()
    {
        const QString folder = fresh();
        AgentHouse house(folder);
        const Result<Started> command = house.ask(lonely(u"!ls"_qs));
        QVERIFY(!command);
        QCOMPARE(command.error().kind, ErrorKind::Conflict);
        QVERIFY(command.error().message.contains(u"no sandbox"_qs));
        house.script->says << says(u"Hello to you"_qs);
        const Result<Started> started = house.ask(lonely(u"hello"_qs));
        QVERIFY2(started, test::told(started).constData());
        QVERIFY(started->sandbox.isNull());
        QVERIFY(house.comesTo(*started, RunState::Done));
        QCOMPARE(house.detail(started->thread).messages.constLast().text, u"Hello to you"_qs);
        QVERIFY(house.script->requests[0].tools.isEmpty());
        QVERIFY(house.script->requests[0].system.contains(u"no sandbox"_qs));
        QVERIFY(!house.script->requests[0].system.contains(u"shell"_qs));
        const Result<Started> line = house.send(started->thread, u"!ls"_qs);
        QVERIFY(!line && line.error().kind == ErrorKind::Conflict);
        Exec exec;
        exec.target = started->thread.toString();
        exec.shellText = u"ls"_qs;
        const Result<Started> ran = house.ask(exec);
        QVERIFY(!ran && ran.error().kind == ErrorKind::Conflict);
        QVERIFY(!house.ask(StartProcess{exec.target, {}, u"ls"_qs}));
        QVERIFY(!house.ask(at<ListFiles>(exec.target)));
        // A model that calls something all the same is told; and it is so after a restart.
        house.close(false);
        house.open();
        house.script->says << calls({callOf(u"c1"_qs, u"shell"_qs, "{\"command\":\"ls\"}")})
                           << says(u"Then not."_qs);
        const Result<Started> more = house.send(started->thread, u"look around"_qs);
        QVERIFY2(more, test::told(more).constData());
        QVERIFY(house.comesTo(*more, RunState::Done));
        const ThreadDetail detail = house.detail(started->thread);
        QVERIFY(detail.toolCalls[0].outcomeDetail.contains(u"no sandbox"_qs));
        QVERIFY(detail.thread.sandbox.isNull());
        QVERIFY(house.shop->commands.isEmpty());
        QVERIFY(house.ask(GetSnapshot{})->sandboxes.isEmpty());
    }

    void whoOpensAThreadInTheMiddleSeesTheReply()
    {
        AgentHouse house(fresh());
        Say slow = says(u"Half of it"_qs);
        slow.held = true;
        house.script->says << slow;
        const Result<Started> started = house.begin(u"tell"_qs);
        QVERIFY(waitUntil([&] { return !house.told<ReplyGrew>().isEmpty(); }, 5s));
        const ThreadDetail detail = house.detail(started->thread);
        QVERIFY(detail.reply);
        QCOMPARE(detail.reply->text, u"Half of it"_qs);
        QCOMPARE(detail.reply->offset, 0);
        QCOMPARE(detail.reply->round, 1);
        QCOMPARE(detail.reply->run, started->run);
        house.script->stream->letGo();
        QVERIFY(house.comesTo(*started, RunState::Done));
        QVERIFY(!house.detail(started->thread).reply);
    }

    void aReplyThatIsAskedForAgainBeginsAgain()
    {
        AgentHouse house(fresh());
        Say broken = says(u"Half of"_qs);
        broken.stop = domain::ModelStop::Failed;
        broken.held = true;
        broken.error = domain::Error{ErrorKind::Unavailable, u"cut"_qs, {}, {}, {}};
        house.script->says << broken << says(u"All of it"_qs);
        const Result<Started> started = house.begin(u"tell"_qs);
        QVERIFY(waitUntil([&] { return !house.told<ReplyGrew>().isEmpty(); }, 5s));
        house.script->stream->letGo();
        QVERIFY(house.comesTo(*started, RunState::Done));
        QString shown;
        QStringList cleared;
        for (const ReplyGrew &piece : house.told<ReplyGrew>()) {
            QCOMPARE(piece.round, 1);
            QVERIFY(piece.offset <= shown.size());
            if (piece.offset == 0 && !shown.isEmpty())
                cleared << shown;
            shown = shown.left(piece.offset) + piece.text;
        }
        QCOMPARE(cleared, QStringList{u"Half of"_qs});
        QCOMPARE(shown, u"All of it"_qs);
        QCOMPARE(house.detail(started->thread).messages.constLast().text, u"All of it"_qs);
    }

    void onlyTheWindowSeesAndSetsHooks()
    {
        const QString folder = fresh();
        AgentHouse house(folder);
        InProcessClient cli(*house.berth, house.berth.get(), ClientKind::Cli);
        QVERIFY(waitUntil([&] { return cli.isConnected(); }));
        HookView hook;
        hook.program = u"/bin/true"_qs;
        hook.tools = QStringList{u"shell"_qs};
        SaveHooks save;
        save.hooks << hook;
        QVERIFY(isForbidden(house.askBy(cli, save)));
        QVERIFY(isForbidden(house.askAsApi(save)));
        QVERIFY(isForbidden(house.askBy(cli, ListHooks{})));
        QVERIFY(!QFile::exists(folder + u"/hooks.json"_qs));
        const Result<HookList> empty = house.ask(ListHooks{});
        QVERIFY2(empty, test::told(empty).constData());
        QVERIFY(empty->hooks.isEmpty() && empty->problem.isEmpty());
        QCOMPARE(empty->path, folder + u"/hooks.json"_qs);
        const Result<HookList> saved = house.ask(save);
        QVERIFY2(saved, test::told(saved).constData());
        QCOMPARE(saved->hooks, save.hooks);
        QCOMPARE(QFile::permissions(saved->path)
                     & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup),
                 QFile::Permissions());
        save.hooks[0].program = u"true"_qs;
        const Result<HookList> wrong = house.ask(save);
        QVERIFY(!wrong && wrong.error().kind == ErrorKind::InvalidInput);
        save.hooks[0] = hook;
        save.hooks[0].moment = u"sometimes"_qs;
        QVERIFY(!house.ask(save));
        QCOMPARE(house.ask(ListHooks{})->hooks, QList<HookView>{hook});
        put(saved->path, "{");
        QVERIFY(!house.ask(ListHooks{})->problem.isEmpty());
    }

    void hooksAreAskedAboutBackgroundCommandsAndTerminals()
    {
        const QString folder = fresh();
        AgentHouse house(folder);
        const Result<Started> first = house.begin(u"!true"_qs);
        QVERIFY(house.comesTo(*first, RunState::Done));
        const QString log = folder + u"/log"_qs;
        Hook before;
        before.program = u"/bin/sh"_qs;
        before.arguments = QStringList{
            u"-c"_qs,
            QStringLiteral("cat > %1; grep -q secret %1 && echo not that >&2 && exit 2; "
                           "grep -q '\"terminal\":true' %1 && exit 2; exit 0")
                .arg(log)};
        before.tools = QStringList{u"shell"_qs};
        Hook after = before;
        after.moment = HookMoment::AfterTool;
        after.arguments = QStringList{u"-c"_qs, QStringLiteral("cat >> %1.after").arg(log)};
        QVERIFY(saveHooks(folder + u"/hooks.json"_qs, {before, after}));
        StartProcess start;
        start.target = first->thread.toString();
        start.shellText = u"cat secret"_qs;
        const Result<ProcessView> denied = house.ask(start);
        QVERIFY(isForbidden(denied));
        QVERIFY2(denied.error().message.contains(u"not that"_qs), test::told(denied).constData());
        StartProcess terminal;
        terminal.target = start.target;
        terminal.columns = 80;
        terminal.rows = 24;
        QVERIFY(isForbidden(house.ask(terminal)));
        QCOMPARE(house.shop->commands, QList<QByteArray>{"true"});
        QVERIFY(house.ask(ListProcesses{})->processes.isEmpty());
        start.shellText = u"make serve"_qs;
        const Result<ProcessView> started = house.ask(start);
        QVERIFY2(started, test::told(started).constData());
        QVERIFY(contentOf(log).contains("\"background\":true"));
        QVERIFY(contentOf(log).contains("\"command\":\"make serve\""));
        QVERIFY(contentOf(log).contains("\"origin\":\"user\""));
        QVERIFY(
            waitUntil([&] { return contentOf(log + u".after"_qs).contains("make serve"); }, 5s));
        QVERIFY(house.shop->commands.contains("make serve"));
    }

    void whatNestsDeepIsTurnedAwayBeforeItIsRead()
    {
        const int levels = 200'000;
        const QByteArray deep =
            "{\"command\":" + QByteArray(levels, '[') + QByteArray(levels, ']') + '}';
        QCOMPARE(commandOf(QString::fromLatin1(deep)), QString());
        ToolSpec spec;
        spec.name = u"shell"_qs;
        const Result<ToolArguments> read = readArguments(spec, deep);
        QVERIFY(!read && read.error().kind == ErrorKind::InvalidInput);
        AgentHouse house(fresh());
        house.script->says << calls({callOf(u"c1"_qs, u"shell"_qs, deep)}) << says(u"Well."_qs);
        const Result<Started> started = house.begin(u"go"_qs);
        QVERIFY(house.comesTo(*started, RunState::Done));
        const ToolCallView call = house.detail(started->thread).toolCalls[0];
        QCOMPARE(call.outcome, std::optional(domain::OutcomeKind::NotStarted));
        QVERIFY(house.shop->commands.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestCallers)
#include "test_callers.moc"
