// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which command each request becomes, by a token that the user granted everything.
#include "api/scripted_server.h"

#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace berth;
using namespace berth::api;
using namespace berth::application;
using nlohmann::json;
using test::Answer;
using test::ScriptedEngine;

class TestCommands : public QObject, private test::ScriptedServer
{
    Q_OBJECT

    template <typename Command>
    void answering(const typename Command::Reply &reply)
    {
        play<Command>([reply](const ScriptedEngine::Ask &asked) { asked.reply(reply); });
    }

    static SandboxView rowOf(const char *id, const char *alias, const char *status, int lease)
    {
        SandboxView row;
        row.id = domain::SandboxId(QString::fromLatin1(id));
        row.agent = domain::AgentId(QStringLiteral("default"));
        row.alias = QString::fromLatin1(alias);
        row.type = QStringLiteral("e2b");
        row.status = QString::fromLatin1(status);
        row.config = QStringLiteral("{\"template\":\"base\"}");
        if (lease > 0)
            row.lease = domain::LeaseId(ScriptedEngine::uuid('c', lease));
        return row;
    }

    //! Arguments of the last command of this name; null: there was none.
    json lastOf(const QByteArray &command)
    {
        json arguments;
        onEngine([&] {
            for (const auto &[name, text] : std::as_const(m_engine->received)) {
                if (name == QString::fromLatin1(command))
                    arguments = json::parse(text.cbegin(), text.cend(), nullptr, false);
            }
        });
        return arguments;
    }

private Q_SLOTS:
    void initTestCase()
    {
        ApiSettings settings;
        settings.granted = Scopes(Scope::Read) | Scope::Run | Scope::Approve | Scope::Admin;
        start(settings);
        onEngine([this] {
            AgentView agent;
            agent.id = domain::AgentId(QStringLiteral("default"));
            agent.name = QStringLiteral("Default");
            agent.instructions = QStringLiteral("Be brief");
            agent.autonomy = QStringLiteral("supervised");
            agent.requireApprovalFor = {QStringLiteral("exec")};
            agent.access = QStringLiteral("private");
            m_engine->state.agents = {agent};
            RuntimeView runtime;
            runtime.id = ScriptedEngine::uuid('c', 1);
            runtime.lease = domain::LeaseId(runtime.id);
            runtime.providerConfig = domain::ConfigName(QStringLiteral("e2b"));
            runtime.externalId = QStringLiteral("i-1");
            runtime.observed = domain::ObservedState::Running;
            m_engine->state.runtimes = {runtime};
            play<ListSandboxes>([](const ScriptedEngine::Ask &asked) {
                const ListSandboxes command = *decode<ListSandboxes>(asked.arguments);
                if (command.agent.toString() == QLatin1String("nobody"))
                    return asked.fail({domain::ErrorKind::NotFound,
                                       QStringLiteral("There is no agent"),
                                       {},
                                       {},
                                       {}});
                SandboxList list{
                    {rowOf("s2", "work", "pending", 0), rowOf("s1", "cloud", "provisioned", 1)}};
                if (command.deleted)
                    list.sandboxes +=
                        {rowOf("d1", "gone", "deleted", 0), rowOf("d2", "twice", "deleted", 0),
                         rowOf("d3", "twice", "deleted", 0)};
                asked.reply(list);
            });
            answering<AddSandbox>(rowOf("s3", "default", "pending", 0));
            answering<RemoveSandbox>({{rowOf("s1", "cloud", "deleted", 1)}});
            answering<RestoreSandbox>(rowOf("d1", "gone", "pending", 0));
            answering<PurgeSandbox>(rowOf("d1", "gone", "deleted", 0));
            answering<SaveAgent>(agent);
            answering<RemoveAgent>({});
            PresetList presets;
            presets.presets = {{QStringLiteral("ubuntu"),
                                QStringLiteral("docker"),
                                QStringLiteral("{\"image\":\"ubuntu:24.04\"}"),
                                {}}};
            presets.path = QStringLiteral("/home/me/gateway.json");
            answering<ListPresets>(presets);
            const SecurityView policy{agent.id, QStringLiteral("{\"access\":\"private\"}"), true};
            answering<GetSecurity>(policy);
            answering<SetSecurity>(policy);
            answering<ListApprovals>({});
            answering<ListRules>({});
            answering<SaveRule>({});
            answering<RemoveRule>({});
            answering<ListAudit>({});
            ModelEndpointView model;
            model.name = QStringLiteral("gpt");
            model.keyHint = QStringLiteral("\u20267f3a");
            answering<ListModels>({{model}, {}, false, {}});
            answering<StopRun>({});
            answering<ContinueRun>({});
            answering<RetryRunNow>({});
            answering<EditMessage>({});
            play<DecideApproval>([](const ScriptedEngine::Ask &asked) {
                if (decode<DecideApproval>(asked.arguments)->toolCall.toString()
                    == QLatin1String("done"))
                    return asked.fail({domain::ErrorKind::Conflict,
                                       QStringLiteral("This was decided already"),
                                       {},
                                       {},
                                       {}});
                asked.reply(Nothing());
            });
        });
    }

    void commands_data()
    {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("command");
        QTest::addColumn<QByteArray>("arguments");
        const auto row = [](const char *request, const char *body, int status,
                            const char *command = "", const char *arguments = "{}") {
            QTest::newRow((QByteArray(request) + ' ' + (body ? body : "")).left(120).constData())
                << QByteArray(request) << QByteArray(body) << status << QByteArray(command)
                << QByteArray(arguments);
        };
        // The sandbox of a new agent.
        row("POST /api/agents", "{\"agent_id\":\"a\"}", 201, "agent.save",
            "{\"is_new\":true,\"sandbox\":\"default\"}");
        row("POST /api/agents", "{\"agent_id\":\"a\",\"sandbox\":\"ubuntu\"}", 201, "agent.save",
            "{\"is_new\":true,\"sandbox\":\"ubuntu\"}");
        row("POST /api/agents", "{\"agent_id\":\"a\",\"sandbox\":null}", 201, "agent.save",
            "{\"is_new\":true,\"sandbox\":\"none\"}");
        row("POST /api/agents", "{\"agent_id\":\"a\",\"sandbox\":\"none\"}", 400);
        row("POST /api/agents", "{\"agent_id\":\"a\",\"sandbox\":\"default\"}", 400);
        row("POST /api/agents", "{\"agent_id\":\"a\",\"sandbox\":7}", 400);
        row("POST /api/agents", "{\"agent_id\":\"a\",\"access\":\"secret\"}", 400);
        row("PATCH /api/agents/nobody", "{\"name\":\"N\"}", 404);
        row("PATCH /api/agents/default", "{\"nonsense\":\"N\"}", 400);
        row("DELETE /api/agents/a", nullptr, 200, "agent.remove", "{\"agent_id\":\"a\"}");
        // Rows.
        row("POST /api/agents/default/sandboxes", "{\"type\":\"docker\"}", 201, "sandbox.add",
            "{\"agent_id\":\"default\",\"type\":\"docker\",\"alias\":\"default\",\"config\":\"{}"
            "\"}");
        row("POST /api/agents/default/sandboxes",
            "{\"type\":\"docker\",\"alias\":\"b\",\"config\":{\"image\":\"ubuntu:24.04\"}}", 201,
            "sandbox.add", "{\"alias\":\"b\",\"config\":\"{\\\"image\\\":\\\"ubuntu:24.04\\\"}\"}");
        row("POST /api/agents/default/sandboxes", "{\"type\":\"docker\",\"config\":[1]}", 400);
        row("GET /api/agents/default/sandboxes", nullptr, 200, "sandbox.list",
            "{\"agent_id\":\"default\",\"deleted\":false}");
        row("GET /api/agents/default/sandboxes?include=deleted", nullptr, 200, "sandbox.list",
            "{\"agent_id\":\"default\",\"deleted\":true}");
        row("GET /api/agents/default/sandboxes?include=all", nullptr, 400);
        row("GET /api/agents/nobody/sandboxes", nullptr, 404);
        row("DELETE /api/agents/default/sandboxes/cloud", nullptr, 200, "sandbox.remove",
            "{\"sandbox_id\":\"s1\",\"destroy\":false}");
        row("DELETE /api/agents/default/sandboxes/cloud?destroy=true", nullptr, 200,
            "sandbox.remove", "{\"sandbox_id\":\"s1\",\"destroy\":true}");
        row("DELETE /api/agents/default/sandboxes/cloud?destroy=0", nullptr, 200, "sandbox.remove",
            "{\"sandbox_id\":\"s1\",\"destroy\":false}");
        row("DELETE /api/agents/default/sandboxes/other", nullptr, 404);
        row("DELETE /api/agents/default/sandboxes/gone", nullptr, 404);
        row("POST /api/agents/default/sandboxes/gone/restore", nullptr, 200, "sandbox.restore",
            "{\"sandbox_id\":\"d1\"}");
        row("POST /api/agents/default/sandboxes/twice/restore", nullptr, 409);
        row("POST /api/agents/default/sandboxes/d3/restore", nullptr, 200, "sandbox.restore",
            "{\"sandbox_id\":\"d3\"}");
        row("POST /api/agents/default/sandboxes/cloud/restore", nullptr, 404);
        row("POST /api/agents/default/sandboxes/gone/purge", nullptr, 200, "sandbox.purge",
            "{\"sandbox_id\":\"d1\"}");
        row("POST /api/agents/default/sandboxes/cloud/purge", nullptr, 404);
        // Policy, decisions, rules.
        row("GET /api/agents/default/security", nullptr, 200, "agent.security",
            "{\"agent_id\":\"default\"}");
        row("PUT /api/agents/default/security", "{\"access\":\"public\",\"agent_id\":\"x\"}", 200,
            "agent.set_security",
            "{\"agent_id\":\"default\",\"document\":\"{\\\"access\\\":\\\"public\\\",\\\"agent_"
            "id\\\":\\\"x\\\"}\"}");
        row("PUT /api/agents/default/security", "[1]", 400);
        row("GET /api/approvals", nullptr, 200, "approval.list");
        row("POST /api/approvals/t1", "{\"allow\":true,\"scope\":\"thread\",\"pattern\":\"ls\"}",
            200, "approval.decide",
            "{\"tool_call_id\":\"t1\",\"allow\":true,\"scope\":\"thread\",\"pattern\":\"ls\"}");
        row("POST /api/approvals/t1", "{\"allow\":false,\"reason\":\"no\"}", 200, "approval.decide",
            "{\"allow\":false,\"scope\":\"once\",\"reason\":\"no\"}");
        row("POST /api/approvals/t1", "{}", 400);
        row("POST /api/approvals/t1", "{\"allow\":true,\"scope\":\"ever\"}", 400);
        row("POST /api/approvals/done", "{\"allow\":true}", 409);
        row("GET /api/rules", nullptr, 200, "rule.list");
        row("POST /api/rules?dry_run=true",
            "{\"scope\":\"global\",\"tool\":\"exec\",\"pattern\":\"ls\",\"decision\":\"allow\"}",
            201, "rule.save", "{\"dry_run\":true}");
        row("PUT /api/rules/r1",
            "{\"scope\":\"global\",\"tool\":\"exec\",\"pattern\":\"ls\",\"decision\":\"deny\"}",
            200, "rule.save", "{\"dry_run\":false}");
        row("DELETE /api/rules/r1", nullptr, 200, "rule.remove", "{\"id\":\"r1\"}");
        row("GET /api/audit?limit=7&before=2026-01-02T03:04:05.678Z", nullptr, 200, "audit.list",
            "{\"limit\":7,\"before\":\"2026-01-02T03:04:05.678Z\"}");
        row("GET /api/audit?before=yesterday", nullptr, 400);
        row("GET /api/models?refresh", nullptr, 200, "model.list", "{\"refresh\":true}");
        // Runs.
        row("POST /api/threads/t/stop", nullptr, 200, "run.stop", "{\"thread_id\":\"t\"}");
        row("POST /api/threads/t/continue", nullptr, 202, "run.continue", "{\"thread_id\":\"t\"}");
        row("POST /api/threads/t/retry", nullptr, 200, "run.retry_now", "{\"thread_id\":\"t\"}");
        row("PUT /api/threads/t/messages/3", "{\"text\":\"again\"}", 202, "message.edit",
            "{\"thread_id\":\"t\",\"seq\":3,\"text\":\"again\"}");
        row("PUT /api/threads/t/messages/last", "{\"text\":\"again\"}", 400);
    }
    void commands()
    {
        QFETCH(QByteArray, request);
        QFETCH(QByteArray, body);
        QFETCH(int, status);
        QFETCH(QByteArray, command);
        QFETCH(QByteArray, arguments);
        onEngine([this] { m_engine->received.clear(); });
        const Answer answer =
            ask(request.left(request.indexOf(' ')), request.mid(request.indexOf(' ') + 1), body);
        QVERIFY2(answer.status == status,
                 (QByteArray::number(answer.status) + ' ' + answer.body.left(300)).constData());
        if (status >= 400) {
            QVERIFY2(!answer.code().empty(), answer.body.constData());
            return;
        }
        const json got = lastOf(command);
        QVERIFY2(got.is_object(), command.constData());
        const json wanted = json::parse(arguments.cbegin(), arguments.cend());
        for (const auto &[key, value] : wanted.items())
            QVERIFY2(got.contains(key) && got[key] == value, got.dump().c_str());
    }

    void aChangeKeepsTheRest()
    {
        QCOMPARE(ask("PATCH", "/api/agents/default", "{\"name\":\"New\"}").status, 200);
        json agent = lastOf("agent.save")["agent"];
        QVERIFY(agent["name"] == json("New"));
        QVERIFY(agent["instructions"] == json("Be brief"));
        // Empty: the policy stays as it is.
        QVERIFY(agent["autonomy"] == json(""));
        QVERIFY(agent["access"] == json(""));
        QCOMPARE(ask("PATCH", "/api/agents/default", "{\"autonomy\":\"full\"}").status, 200);
        agent = lastOf("agent.save")["agent"];
        QVERIFY(agent["autonomy"] == json("full"));
        QVERIFY(agent["require_approval_for"] == json({"exec"}));
        QVERIFY(agent["name"] == json("Default"));
    }

    void bodies()
    {
        const json presets = ask("GET", "/api/sandbox-presets").parsed();
        QVERIFY(
            presets
            == json::parse("{\"presets\":[{\"name\":\"ubuntu\",\"type\":\"docker\",\n            "
                           "\"config\":{\"image\":\"ubuntu:24.04\"}}],\"auto_provision\":null}"));
        const json rows = ask("GET", "/api/agents/default/sandboxes").parsed();
        QCOMPARE(rows.size(), size_t(2));
        QVERIFY(rows[0]["alias"] == json("cloud"));
        QVERIFY(rows[0]["external_id"] == json("i-1"));
        QVERIFY(rows[0]["runtime"]["status"] == json("running"));
        QVERIFY(rows[0]["config"]["template"] == json("base"));
        QVERIFY(rows[1]["runtime"].is_null());
        QCOMPARE(ask("GET", "/api/sandboxes?include=deleted").parsed().size(), size_t(5));
        const json removed = ask("DELETE", "/api/agents/default/sandboxes/cloud").parsed();
        QVERIFY(removed["ok"] == json(true));
        QVERIFY(removed["sandbox"]["status"] == json("deleted"));
        QCOMPARE(removed["left_running"].size(), size_t(1));
        QVERIFY(removed["left_running"][0]["external_id"] == json("i-1"));
        QVERIFY(removed["left_running"][0]["status"] == json("running"));
        const Answer policy = ask("GET", "/api/agents/default/security");
        QVERIFY(policy.parsed() == json::parse("{\"access\":\"private\"}"));
        QCOMPARE(policy.headers.value("berth-access-token-set"), QByteArray("true"));
        const Answer models = ask("GET", "/api/models");
        QVERIFY(models.body.contains("gpt") && !models.body.contains("7f3a"));
        QVERIFY(ask("GET", "/api/agents").parsed()["agents"][0]["name"] == json("Default"));
    }

    void aKeyIsForOneRequest()
    {
        const QByteArray key = "Idempotency-Key: k1\r\n";
        const QByteArray path = "/api/agents";
        QCOMPARE(ask("POST", path, "{\"agent_id\":\"a\",\"name\":\"N\"}", key).status, 201);
        QCOMPARE(ask("POST", path, "{ \"name\": \"N\", \"agent_id\": \"a\" }", key).status, 201);
        onEngine([this] { m_engine->received.clear(); });
        const Answer other = ask("POST", path, "{\"agent_id\":\"b\",\"name\":\"N\"}", key);
        QCOMPARE(other.status, 422);
        QCOMPARE(other.code(), std::string("idempotency_key_reused"));
        QVERIFY(lastOf("agent.save").is_null());
        const QByteArray row = "/api/agents/default/sandboxes/cloud";
        QCOMPARE(ask("DELETE", row, {}, key).status, 200);
        QCOMPARE(ask("DELETE", row + "?destroy=true", {}, key).status, 422);
        // The row that the first request took away is no reason for another answer.
        QCOMPARE(ask("POST", "/api/agents/default/sandboxes/work/restore", {}, key).status, 200);
        const json document = ask("GET", "/api/openapi.json").parsed();
        const std::string about = document["info"]["description"];
        QVERIFY(about.find("writeFile") != std::string::npos);
        for (const auto &[at, methods] : document["paths"].items()) {
            for (const auto &[method, operation] : methods.items()) {
                const bool named =
                    operation["parameters"].dump().find("IdempotencyKey") != std::string::npos;
                const std::string id = operation["operationId"];
                QVERIFY2(method == "get" ? !named : named != (about.find(id) != std::string::npos),
                         id.c_str());
            }
        }
    }

    void cleanupTestCase() { quit(); }
};

QTEST_GUILESS_MAIN(TestCommands)
#include "test_commands.moc"
