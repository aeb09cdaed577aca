// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Whose what is: every route of the table, asked by everybody.
#include "api/call.h"
#include "api/reach.h"
#include "api/route_paths.h"
#include "api/routes/routes.h"
#include "api/scripted_server.h"
#include "application/access/access_facts.h"

#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace berth;
using namespace berth::api;
using namespace berth::application;
using nlohmann::json;
using test::Answer;
using test::ScriptedEngine;

namespace {

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

QByteArray hashOf(const QByteArray &token)
{
    return TokenFile::markOf(token);
}

domain::Async<Role> nobody()
{
    co_return domain::failure(domain::ErrorKind::NotFound, QStringLiteral("Not there"));
}

domain::Async<void> noted()
{
    co_return domain::Result<void>();
}

//! What the server asks by itself, to find out whose things are.
bool isLookUp(const QString &command)
{
    return command == QLatin1String(GetSnapshot::kName)
        || command == QLatin1String(ListThreads::kName)
        || command == QLatin1String(ListSandboxes::kName)
        || command == QLatin1String(ListRuntimes::kName)
        || command == QLatin1String(GetToolCall::kName);
}

} // namespace

class TestWho : public QObject, private test::ScriptedServer
{
    Q_OBJECT

    std::shared_ptr<AccessTable> m_table = std::make_shared<AccessTable>();
    AccessFacts m_facts;

    void publish() { m_table->publish(std::make_shared<AccessFacts>(m_facts)); }
    void addToken(const char *token, const char *user, const QStringList &scopes,
                  const char *agent = "")
    {
        m_facts.tokens.append(
            {s(token), s(user), scopes, domain::AgentId(s(agent)), hashOf(token)});
    }

    //! The things of an agent, all of them with its name in theirs.
    void addThings(const QString &agent)
    {
        Snapshot &state = m_engine->state;
        const domain::AgentId id(agent);
        AgentView view;
        view.id = id;
        view.name = agent;
        state.agents.append(view);
        SandboxView sandbox;
        sandbox.id = domain::SandboxId(agent + s("-sandbox"));
        sandbox.agent = id;
        sandbox.alias = s("default");
        sandbox.type = s("docker");
        sandbox.status = s("provisioned");
        sandbox.lease = domain::LeaseId(agent + s("-lease"));
        state.sandboxes.append(sandbox);
        ThreadView thread;
        thread.id = domain::ThreadId(agent + s("-thread"));
        thread.agent = id;
        thread.title = agent + s("-title");
        thread.sandbox = sandbox.id;
        state.threads.append(thread);
        ThreadDetail detail;
        detail.thread = thread;
        m_engine->details.insert(thread.id, detail);
        RuntimeView runtime;
        runtime.id = sandbox.lease.toString();
        runtime.lease = sandbox.lease;
        runtime.sandbox = sandbox.id;
        runtime.agent = id;
        runtime.providerKind = s("docker");
        runtime.providerConfig = domain::ConfigName(s("docker"));
        runtime.externalId = agent + s("-external");
        runtime.observed = domain::ObservedState::Running;
        state.runtimes.append(runtime);
        ProcessView process;
        process.id = domain::ProcessId(agent + s("-process"));
        process.sandbox = sandbox.id;
        process.thread = thread.id;
        state.processes.append(process);
    }

    static QByteArray bodyOf(const Route &route, const QByteArray &agent)
    {
        json body = json::object();
        for (const Field &field : route.body) {
            const QByteArray name = field.name;
            if (name == "agent_id" && route.path != "/api/agents")
                body[field.name] = agent.toStdString();
            else if (name == "target")
                body[field.name] = (agent + "-sandbox").toStdString();
            else if (name == "sandbox_id")
                body[field.name] = (agent + "-sandbox").toStdString();
            else if (!field.required)
                continue;
            else if (field.type == FieldType::Boolean)
                body[field.name] = true;
            else if (field.type == FieldType::Integer)
                body[field.name] = std::max<qint64>(field.minimum, 1);
            else if (field.type == FieldType::TextList)
                body[field.name] = json::array({"x"});
            else if (field.type == FieldType::TextMap || field.type == FieldType::Object)
                body[field.name] = json::object();
            else
                body[field.name] = QByteArray(field.choices).isEmpty()
                    ? std::string("x")
                    : QByteArray(field.choices).split('|').constFirst().toStdString();
        }
        return QByteArray::fromStdString(body.dump());
    }

    Answer askRoute(const Route &route, const QByteArray &agent, const QByteArray &token)
    {
        const QByteArray before = std::exchange(m_token, token);
        Answer answer;
        const QByteArray path = test::pathOf(route, agent);
        if (route.bodyKind == BodyKind::Stream)
            answer = ask(route.method, path, "x", "Content-Type: application/octet-stream\r\n");
        else if (route.bodyKind == BodyKind::None)
            answer = ask(route.method, path);
        else
            answer = ask(route.method, path, bodyOf(route, agent));
        m_token = before;
        return answer;
    }

    Answer askAs(const QByteArray &token, const QByteArray &method, const QByteArray &path,
                 const QByteArray &body = {})
    {
        const QByteArray before = std::exchange(m_token, token);
        const Answer answer = ask(method, path, body);
        m_token = before;
        return answer;
    }

    QStringList reached()
    {
        QStringList commands;
        onEngine([&] {
            for (const auto &[command, arguments] : std::as_const(m_engine->received)) {
                if (!isLookUp(command))
                    commands << command;
            }
            m_engine->received.clear();
        });
        return commands;
    }

private Q_SLOTS:
    void initTestCase()
    {
        const QStringList all{s("read"), s("run"), s("approve"), s("admin")};
        m_facts.grantApprove = true;
        m_facts.grantAdmin = true;
        m_facts.agents[domain::AgentId(s("alpha"))].members = {
            {s("bob"), Role::User}, {s("ann"), Role::Admin}, {s("gus"), Role::Guest}};
        m_facts.agents[domain::AgentId(s("beta"))].members = {{s("mallory"), Role::Admin}};
        m_facts.agents[domain::AgentId(s("open"))].access = domain::Access::Public;
        addToken("owner-token-0123456789", "", all);
        addToken("alpha-token-0123456789", "", all, "alpha");
        addToken("bob-token-0123456789", "bob", all);
        addToken("ann-token-0123456789", "ann", all);
        addToken("gus-token-0123456789", "gus", all);
        addToken("zoe-token-0123456789", "zoe", all);
        addToken("read-token-0123456789", "", {s("read")});
        publish();
        m_table->join = [](const domain::AgentId &, const QString &, const domain::Secret &) {
            return nobody();
        };
        ApiSettings settings;
        settings.access = m_table;
        start(settings);
        onEngine([this] {
            for (const char *agent : {"alpha", "beta", "open"})
                addThings(s(agent));
            play<ListSandboxes>([this](const ScriptedEngine::Ask &asked) {
                const auto command = decode<ListSandboxes>(asked.arguments);
                SandboxList list{m_engine->state.sandboxes};
                if (command->deleted) {
                    // One with the same alias that was deleted before.
                    for (SandboxView row : std::as_const(m_engine->state.sandboxes)) {
                        row.id = domain::SandboxId(row.id.toString() + s("-old"));
                        row.status = s("deleted");
                        list.sandboxes.append(row);
                    }
                }
                list.sandboxes.removeIf([&command](const SandboxView &row) {
                    return !command->agent.isNull() && row.agent != command->agent;
                });
                asked.reply(list);
            });
            play<GetToolCall>([](const ScriptedEngine::Ask &asked) {
                ToolCallView view;
                view.id = decode<GetToolCall>(asked.arguments)->toolCall;
                QString thread = view.id.toString();
                thread.replace(s("-call"), s("-thread"));
                view.thread = domain::ThreadId(thread);
                asked.reply(view);
            });
            // Acting commands are not to reach the things for real.
            for (const char *name :
                 {PauseRuntime::kName, ResumeRuntime::kName, DestroyRuntime::kName, Exec::kName,
                  SendMessage::kName, NewThread::kName, StopToolCall::kName, SaveProvider::kName,
                  ReadOutput::kName})
                m_engine->players.remove(QString::fromLatin1(name));
        });
    }

    void theTableNamesRoutes()
    {
        QSet<QString> names;
        for (const Route &route : allRoutes())
            names.insert(route.name);
        for (const QString &name : reachNames())
            QVERIFY2(names.contains(name), qPrintable(name));
    }

    void strangers_data()
    {
        QTest::addColumn<QByteArray>("token");
        QTest::addColumn<QByteArray>("agent");
        QTest::newRow("a member of another agent") << QByteArray("bob") << QByteArray("beta");
        QTest::newRow("an admin of another agent") << QByteArray("ann") << QByteArray("beta");
        QTest::newRow("a user without any agent") << QByteArray("zoe") << QByteArray("alpha");
        QTest::newRow("the owner's token of another agent")
            << QByteArray("alpha") << QByteArray("beta");
        QTest::newRow("an agent that is not there") << QByteArray("bob") << QByteArray("nobody");
    }
    //! Every route: nothing of the agent is told, nothing is done.
    void strangers()
    {
        QFETCH(QByteArray, token);
        QFETCH(QByteArray, agent);
        reached();
        int hidden = 0;
        for (const Route &route : allRoutes()) {
            const ReachKind kind = reachOf(route.name).kind;
            if (!route.scope || route.name == QLatin1String("events")
                || route.name == QLatin1String("openapi"))
                continue;
            const Answer answer = askRoute(route, agent, token + "-token-0123456789");
            const QByteArray what = route.method + ' ' + route.path + ": "
                + QByteArray::number(answer.status) + ' ' + answer.body.left(200);
            if (kind == ReachKind::Listed) {
                QVERIFY2(answer.status == 200, what.constData());
                QVERIFY2(!answer.body.contains(agent + '-'), what.constData());
                QVERIFY2(!answer.body.contains('"' + agent + '"'), what.constData());
                continue;
            }
            const int wanted = kind == ReachKind::Owner ? 403 : 404;
            QVERIFY2(answer.status == wanted, what.constData());
            QVERIFY2(!answer.body.contains(agent + "-title"), what.constData());
            const QStringList done = reached();
            QVERIFY2(done.isEmpty(), (what + " did " + done.join(s(", ")).toUtf8()).constData());
            hidden += wanted == 404 ? 1 : 0;
        }
        QVERIFY(hidden > 40);
    }

    //! One that is not his and one that is not there look the same.
    void whatIsHiddenIsNotThere()
    {
        const QByteArray bob = "bob-token-0123456789";
        for (const char *path :
             {"/api/threads/%1-thread", "/api/sandbox/runtimes/%1-lease",
              "/api/files/%1-thread/content?path=x", "/api/agents/%1/sandboxes",
              "/api/tool-calls/%1-call", "/api/sandboxes/%1-sandbox/lifecycle"}) {
            const Answer hidden = askAs(bob, "GET", QByteArray(path).replace("%1", "beta"));
            const Answer missing = askAs(bob, "GET", QByteArray(path).replace("%1", "none"));
            QCOMPARE(hidden.status, 404);
            QCOMPARE(missing.status, 404);
            QCOMPARE(hidden.body, missing.body);
        }
        // Neither a beginning of an id nor an alias finds what its whole name would not.
        QCOMPARE(askAs(bob, "DELETE", "/api/sandbox/runtimes/beta").status, 404);
        QCOMPARE(askAs(bob, "GET", "/api/sandbox/runtimes/beta-external").status, 404);
        QCOMPARE(askAs(bob, "GET", "/api/sandbox/runtimes/docker:beta-external").status, 404);
    }

    void members_data()
    {
        QTest::addColumn<QByteArray>("token");
        QTest::addColumn<int>("role");
        QTest::newRow("guest") << QByteArray("gus") << static_cast<int>(Role::Guest);
        QTest::newRow("user") << QByteArray("bob") << static_cast<int>(Role::User);
        QTest::newRow("admin") << QByteArray("ann") << static_cast<int>(Role::Admin);
        QTest::newRow("owner") << QByteArray("alpha") << static_cast<int>(Role::Owner);
    }
    //! Of his own agent each one reaches what his role may, and no more.
    void members()
    {
        QFETCH(QByteArray, token);
        QFETCH(int, role);
        onEngine([this] {
            m_facts.threadUsers = {{domain::ThreadId(s("alpha-thread")), s("gus")}};
            publish();
        });
        for (const Route &route : allRoutes()) {
            const Reach reach = reachOf(route.name);
            if (reach.kind != ReachKind::Named || route.path.contains("{session_id}"))
                continue;
            const Answer answer = askRoute(route, "alpha", token + "-token-0123456789");
            const QByteArray what = route.method + ' ' + route.path + ": "
                + QByteArray::number(answer.status) + ' ' + answer.body.left(200);
            const bool may = role >= static_cast<int>(reach.least);
            QVERIFY2(may == (answer.status != 403 && answer.status != 404), what.constData());
            const QStringList done = reached();
            if (!may)
                QVERIFY2(done.isEmpty(), what.constData());
        }
        onEngine([this] {
            m_facts.threadUsers.clear();
            publish();
        });
        reached();
    }

    void argumentsThatNeedMore_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("least");
        const auto row = [](const char *name, const char *path, const char *body, Role least) {
            QTest::newRow(name) << QByteArray(path) << QByteArray(body) << static_cast<int>(least);
        };
        const char *first = "/api/threads";
        const char *next = "/api/threads/alpha-thread/messages";
        row("a thread", first, "{\"agent_id\":\"alpha\",\"text\":\"hi\"}", Role::Guest);
        row("a thread of no command", first,
            "{\"agent_id\":\"alpha\",\"text\":\"hi\",\"as_command\":false}", Role::Guest);
        row("a thread with a command", first, "{\"agent_id\":\"alpha\",\"text\":\"!id\"}",
            Role::User);
        row("a thread with a command behind a space", first,
            "{\"agent_id\":\"alpha\",\"text\":\" \\n\\u00a0!id\"}", Role::User);
        row("a thread as a command", first,
            "{\"agent_id\":\"alpha\",\"text\":\"id\",\"as_command\":true}", Role::User);
        row("a thread in a new sandbox", first,
            "{\"agent_id\":\"alpha\",\"text\":\"hi\",\"config\":\"docker\"}", Role::Admin);
        row("a message", next, "{\"text\":\"hi\"}", Role::Guest);
        row("a command", next, "{\"text\":\"!id\"}", Role::User);
        row("a message as a command", next, "{\"text\":\"id\",\"as_command\":true}", Role::User);
    }
    //! What a request of the same route asks for decides, too.
    void argumentsThatNeedMore()
    {
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, body);
        QFETCH(int, least);
        onEngine([this] {
            m_facts.threadUsers = {{domain::ThreadId(s("alpha-thread")), s("gus")}};
            publish();
        });
        reached();
        const QList<QPair<QByteArray, Role>> members{
            {"gus", Role::Guest}, {"bob", Role::User}, {"ann", Role::Admin}};
        for (const auto &[name, role] : members) {
            const Answer answer = askAs(name + "-token-0123456789", "POST", path, body);
            const bool may = static_cast<int>(role) >= least;
            QVERIFY2(may == (answer.status != 403 && answer.status != 404),
                     (name + ' ' + QByteArray::number(answer.status) + ' ' + answer.body.left(200))
                         .constData());
            QCOMPARE(reached().isEmpty(), !may);
        }
        onEngine([this] {
            m_facts.threadUsers.clear();
            publish();
        });
    }

    //! Those come before the answer that says which thread it is.
    void theFirstEventsOfAGuestsThread()
    {
        ThreadView begun;
        begun.id = domain::ThreadId(s("begun-thread"));
        begun.agent = domain::AgentId(s("alpha"));
        m_table->noteThread = [this](const domain::ThreadId &thread, const QString &user) {
            m_facts.threadUsers.insert(thread, user);
            publish();
            return noted();
        };
        std::optional<ScriptedEngine::Ask> waiting;
        onEngine([&] {
            play<NewThread>([this, &waiting, begun](const ScriptedEngine::Ask &asked) {
                waiting = asked;
                m_engine->publish(ThreadChanged{begun});
            });
        });
        const QByteArray before = std::exchange(m_token, QByteArray("gus-token-0123456789"));
        const std::unique_ptr<QTcpSocket> events = opened("GET", "/api/events");
        QVERIFY(test::readUntil(*events, "retry:").contains("200 OK"));
        const QByteArray body = "{\"agent_id\":\"alpha\",\"text\":\"hi\"}";
        const std::unique_ptr<QTcpSocket> asking =
            opened("POST", "/api/threads",
                   "Content-Type: application/json\r\nContent-Length: "
                       + QByteArray::number(body.size()) + "\r\n");
        asking->write(body);
        asking->waitForBytesWritten(2'000);
        m_token = before;
        QTRY_VERIFY([&] {
            bool asked = false;
            onEngine([&] { asked = waiting.has_value(); });
            return asked;
        }());
        // A sign of life has passed with it: it was held.
        QVERIFY(!test::readUntil(*events, ": still here").contains("begun-thread"));
        onEngine([&] {
            Started started;
            started.thread = begun.id;
            waiting->reply(started);
            m_engine->players.remove(QString::fromLatin1(NewThread::kName));
        });
        QVERIFY(test::readUntil(*asking, "begun-thread").contains("201 "));
        QVERIFY(test::readUntil(*events, "begun-thread").contains("event: thread_changed"));
        onEngine([this] {
            m_facts.threadUsers.clear();
            publish();
        });
        reached();
    }

    void guestsSeeWhatTheyBegan()
    {
        const QByteArray gus = "gus-token-0123456789";
        QCOMPARE(askAs(gus, "GET", "/api/threads/alpha-thread").status, 404);
        QCOMPARE(askAs(gus, "GET", "/api/threads").parsed()["threads"].size(), size_t(0));
        onEngine([this] {
            m_facts.threadUsers = {{domain::ThreadId(s("alpha-thread")), s("gus")}};
            publish();
        });
        QCOMPARE(askAs(gus, "GET", "/api/threads/alpha-thread").status, 200);
        QCOMPARE(askAs(gus, "GET", "/api/threads").parsed()["threads"].size(), size_t(1));
        onEngine([this] {
            m_facts.threadUsers.clear();
            publish();
        });
        // Of a public agent everybody is a guest.
        const json agents = askAs("zoe-token-0123456789", "GET", "/api/agents").parsed()["agents"];
        QCOMPARE(agents.size(), size_t(1));
        QCOMPARE(agents[0]["agent_id"].get<std::string>(), std::string("open"));
    }

    void listsHoldWhatIsHis()
    {
        const QByteArray bob = "bob-token-0123456789";
        const json snapshot = askAs(bob, "GET", "/api/snapshot").parsed();
        for (const char *list : {"threads", "sandboxes", "runtimes", "processes"}) {
            const std::string text = snapshot[list].dump();
            QVERIFY2(text.find("alpha") != std::string::npos, list);
            QVERIFY2(text.find("beta") == std::string::npos, list);
        }
        QVERIFY(snapshot["providers"].empty());
        QVERIFY(snapshot["engine"]["data_directory"].get<std::string>().empty());
        const Answer whole = ask("GET", "/api/snapshot");
        QVERIFY(whole.body.contains("beta-thread"));
    }

    void eventsOfHisAgentsOnly()
    {
        const QByteArray before = std::exchange(m_token, QByteArray("bob-token-0123456789"));
        const std::unique_ptr<QTcpSocket> events = opened("GET", "/api/events");
        m_token = before;
        QVERIFY(test::readUntil(*events, "retry:").contains("200 OK"));
        onEngine([this] {
            for (const ThreadView &thread : std::as_const(m_engine->state.threads))
                m_engine->publish(ThreadChanged{thread});
            MessageView message;
            for (const char *agent : {"beta", "alpha"}) {
                message.thread = domain::ThreadId(s(agent) + s("-thread"));
                m_engine->publish(MessageAdded{message});
            }
            for (const RuntimeView &runtime : std::as_const(m_engine->state.runtimes))
                m_engine->publish(RuntimeSampled{runtime.id, {}});
            m_engine->publish(OutputGrew{domain::ToolCallId(s("nobody-knows")), 5});
            m_engine->publish(EngineChanged{});
            m_engine->publish(RuntimeRemoved{s("alpha-lease")});
        });
        const QByteArray all = test::readUntil(*events, "event: runtime_removed");
        QVERIFY2(all.contains("alpha-thread"), all.constData());
        QVERIFY2(all.contains("event: message_added"), all.constData());
        QVERIFY2(!all.contains("beta"), all.constData());
        QVERIFY(!all.contains("nobody-knows"));
        QVERIFY(!all.contains("engine_changed"));
    }

    void aTokenThatEndsCutsWhatIsUnderWay()
    {
        const QByteArray before = std::exchange(m_token, QByteArray("read-token-0123456789"));
        const std::unique_ptr<QTcpSocket> events = opened("GET", "/api/events");
        m_token = before;
        QVERIFY(test::readUntil(*events, "retry:").contains("200 OK"));
        QCOMPARE(askAs("read-token-0123456789", "POST", "/api/threads", "{\"text\":\"x\"}").status,
                 403);
        onEngine([this] {
            m_facts.tokens.removeIf(
                [](const KnownToken &token) { return token.id.startsWith(s("read")); });
            publish();
        });
        QTRY_VERIFY_WITH_TIMEOUT(
            (events->waitForReadyRead(10), events->state() != QAbstractSocket::ConnectedState),
            5'000);
        QCOMPARE(askAs("read-token-0123456789", "GET", "/api/threads").status, 401);
    }

    void aGrantThatIsTakenBackEndsAtOnce()
    {
        const QByteArray owner = "owner-token-0123456789";
        QVERIFY(askAs(owner, "GET", "/api/approvals").status != 403);
        onEngine([this] {
            m_facts.grantApprove = false;
            publish();
        });
        QCOMPARE(askAs(owner, "GET", "/api/approvals").status, 403);
        QCOMPARE(askAs(owner, "GET", "/api/threads").status, 200);
        onEngine([this] {
            m_facts.grantApprove = true;
            publish();
        });
        QVERIFY(askAs(owner, "GET", "/api/approvals").status != 403);
    }

    void refusalsAreCounted()
    {
        const QByteArray before = ask("GET", "/metrics").body;
        const auto counted = [](const QByteArray &text, const QByteArray &status) {
            const QByteArray line = "berth_api_answers_total{status=\"" + status + "\"} ";
            const qsizetype at = text.indexOf(line);
            return at < 0 ? 0 : text.mid(at + line.size()).split('\n').constFirst().toInt();
        };
        QCOMPARE(askAs("nobody's", "GET", "/api/threads").status, 401);
        QCOMPARE(askAs("nobody's", "GET", "/api/threads").status, 401);
        QCOMPARE(ask("GET", "/api/nothing").status, 404);
        const QByteArray after = ask("GET", "/metrics").body;
        QCOMPARE(counted(after, "401"), counted(before, "401") + 2);
        QCOMPARE(counted(after, "404"), counted(before, "404") + 1);
    }

    void keysAreRememberedOverARestart()
    {
        const QString path = m_home.filePath(s("keys"));
        const domain::RequestId id(s("a-request"));
        {
            KeyMemory memory(path);
            QVERIFY(memory.admit(id, "one"));
            QVERIFY(memory.admit(id, "one"));
            QVERIFY(!memory.admit(id, "two"));
        }
        KeyMemory again(path);
        QVERIFY(!again.admit(id, "two"));
        QVERIFY(again.admit(id, "one"));
        // What is older than a day is forgotten, what is no line is left out.
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("1000 a-request abc\nnonsense\n\n");
        file.close();
        KeyMemory old(path);
        QVERIFY(old.admit(id, "two"));
        QVERIFY(!(QFile::permissions(path) & (QFile::ReadOther | QFile::ReadGroup)));
    }

    void theSameKeyOfAnotherUserIsAnotherKey()
    {
        QStringList ids;
        onEngine([&] {
            play<NewThread>([&ids](const ScriptedEngine::Ask &asked) {
                ids << asked.id.toString();
                asked.reply(Started{});
            });
        });
        for (const char *token : {"bob", "ann", "bob"}) {
            const QByteArray before =
                std::exchange(m_token, QByteArray(token) + "-token-0123456789");
            QCOMPARE(ask("POST", "/api/threads", "{\"text\":\"x\",\"agent_id\":\"alpha\"}",
                         "Idempotency-Key: k\r\n")
                         .status,
                     201);
            m_token = before;
        }
        QCOMPARE(ids.size(), 3);
        QVERIFY(ids[0] != ids[1]);
        QCOMPARE(ids[0], ids[2]);
    }

    void cleanupTestCase() { quit(); }
};

QTEST_GUILESS_MAIN(TestWho)
#include "test_who.moc"
