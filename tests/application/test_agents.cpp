// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Agents, their sandbox rows and presets, by the Engine's commands.
#include "engine_house.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace berth;
using namespace berth::test;

namespace {

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

} // namespace

class AgentsTest final : public QObject
{
    Q_OBJECT

private:
    QString gatewayPath() const { return m_directory->filePath(s("gateway.json")); }
    void writeGateway(const QByteArray &text) const
    {
        QFile file(gatewayPath());
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }
    QByteArray gateway() const
    {
        QFile file(gatewayPath());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    Result<AgentView> create(const char *name, const char *sandbox) const
    {
        SaveAgent command;
        command.isNew = true;
        command.agent.name = s(name);
        command.sandbox = s(sandbox);
        return m_house->ask(command);
    }
    Result<SandboxView> addRow(const char *alias, const char *config = "{}") const
    {
        AddSandbox command;
        command.agent = domain::AgentId(s("default"));
        command.alias = s(alias);
        command.type = s("scripted");
        command.config = s(config);
        return m_house->ask(command);
    }
    QList<SandboxView> rows(bool deleted) const
    {
        ListSandboxes list;
        list.deleted = deleted;
        const auto answer = m_house->ask(list);
        return answer ? answer->sandboxes : QList<SandboxView>();
    }
    Result<SandboxList> removeRow(const domain::SandboxId &id, bool destroy = false) const
    {
        return m_house->ask(RemoveSandbox{id, destroy});
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::shared_ptr<ScriptedEngine> m_engine;
    std::unique_ptr<EngineHouse> m_house;

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        m_engine = std::make_shared<ScriptedEngine>();
        m_house = std::make_unique<EngineHouse>(m_directory->path(), m_engine);
    }
    void cleanup()
    {
        m_house.reset();
        m_directory.reset();
    }

    void aNewAgentIsPrivateAndSupervised()
    {
        const Result<AgentView> made = create("My Coder", "none");
        BERTH_OK(made);
        QCOMPARE(made->id.toString(), s("my-coder"));
        QCOMPARE(made->autonomy, s("supervised"));
        QCOMPARE(made->access, s("private"));
        QCOMPARE(made->requireApprovalFor, QStringList{s("exec")});
        QVERIFY(rows(true).isEmpty());
        m_house->restart();
        const auto snapshot = m_house->ask(GetSnapshot{});
        BERTH_OK(snapshot);
        QCOMPARE(snapshot->agents.size(), 2);
        QCOMPARE(snapshot->agents.last().name, s("My Coder"));
        QCOMPARE(create("my  coder", "none").error().kind, ErrorKind::Conflict);
        QCOMPARE(create("  ", "none").error().kind, ErrorKind::InvalidInput);
    }

    void anUnknownPresetMakesNothing()
    {
        writeGateway(R"({"sandboxPresets":{"one":{"type":"scripted","config":{}},
                        "two":{"type":"scripted"}}})");
        const Result<AgentView> made = create("coder", "three");
        QVERIFY(!made);
        QCOMPARE(made.error().kind, ErrorKind::InvalidInput);
        QVERIFY2(made.error().detail.contains(s("one, two")), qPrintable(made.error().detail));
        QCOMPARE(m_house->ask(GetSnapshot{})->agents.size(), 1);
        QVERIFY(rows(true).isEmpty());
    }

    void theDefaultPresetIsTaken()
    {
        writeGateway(R"({"sandboxPresets":{"one":{"type":"scripted","config":{"image":"a"}}},
                        "autoProvisionSandbox":"one"})");
        BERTH_OK(create("coder", "default"));
        const QList<SandboxView> all = rows(false);
        QCOMPARE(all.size(), 1);
        QCOMPARE(all.first().alias, s("default"));
        QCOMPARE(all.first().agent.toString(), s("coder"));
        QCOMPARE(all.first().status, s("pending"));
        QCOMPARE(all.first().config, s("{\"image\":\"a\"}"));
        QCOMPARE(m_engine->creates, 0);
    }

    void aDefaultThatNamesNoPresetIsToBeSeen()
    {
        writeGateway(R"({"sandboxPresets":{},"autoProvisionSandbox":"gone"})");
        const auto presets = m_house->ask(ListPresets{});
        BERTH_OK(presets);
        QVERIFY2(presets->problem.contains(s("gone")), qPrintable(presets->problem));
        QCOMPARE(create("coder", "default").error().kind, ErrorKind::InvalidInput);
        BERTH_OK(create("coder", "none"));
    }

    void presetsKeepWhatTheyDoNotKnow()
    {
        writeGateway(R"({"mine":[1],"sandboxPresets":{"one":{"type":"scripted","note":"x"}}})");
        PresetView preset{s("two"), s("scripted"), s("{\"image\":\"b\"}"), {}};
        BERTH_OK(m_house->ask(SavePreset{preset}));
        BERTH_OK(m_house->ask(SetAutoProvision{s("two")}));
        const auto json = nlohmann::json::parse(gateway().toStdString());
        QCOMPARE(json["mine"][0].get<int>(), 1);
        QCOMPARE(json["sandboxPresets"]["one"]["note"].get<std::string>(), std::string("x"));
        QCOMPARE(json["sandboxPresets"]["two"]["config"]["image"].get<std::string>(),
                 std::string("b"));
        QCOMPARE(json["autoProvisionSandbox"].get<std::string>(), std::string("two"));
        BERTH_OK(m_house->ask(RemovePreset{s("two")}));
        const auto after = nlohmann::json::parse(gateway().toStdString());
        QVERIFY(after["autoProvisionSandbox"].is_null());
        QVERIFY(!after["sandboxPresets"].contains("two"));
        QCOMPARE(m_house->ask(RemovePreset{s("two")}).error().kind, ErrorKind::NotFound);
    }

    void presetsAreRefusedWhole_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("config");
        QTest::newRow("name") << s("Not a name") << s("scripted") << s("{}");
        QTest::newRow("host") << s("a") << s("host") << s("{}");
        QTest::newRow("unknown type") << s("a") << s("vm") << s("{}");
        QTest::newRow("no object") << s("a") << s("scripted") << s("[]");
        QTest::newRow("no JSON") << s("a") << s("scripted") << s("{");
        QTest::newRow("unknown key") << s("a") << s("scripted") << s("{\"colour\":\"red\"}");
        QTest::newRow("a key of the connection")
            << s("a") << s("scripted") << s("{\"api_url\":\"http://x\"}");
        QTest::newRow("type of a value") << s("a") << s("scripted") << s("{\"image\":{\"a\":1}}");
        QTest::newRow("lifecycle")
            << s("a") << s("scripted") << s("{\"lifecycle\":{\"stop\":\"never\"}}");
    }
    void presetsAreRefusedWhole()
    {
        QFETCH(QString, name);
        QFETCH(QString, type);
        QFETCH(QString, config);
        const auto saved = m_house->ask(SavePreset{{name, type, config, {}}});
        QVERIFY(!saved);
        QCOMPARE(saved.error().kind, ErrorKind::InvalidInput);
        QVERIFY(!QFile::exists(gatewayPath()));
    }

    void aBrokenFileIsLeftAsItIs()
    {
        writeGateway("{ not json");
        const auto presets = m_house->ask(ListPresets{});
        BERTH_OK(presets);
        QVERIFY(!presets->problem.isEmpty());
        QVERIFY(!m_house->ask(SavePreset{{s("a"), s("scripted"), s("{}"), {}}}));
        QCOMPARE(gateway(), QByteArray("{ not json"));
    }

    void aRowKeepsItsLifecycle()
    {
        BERTH_OK(addRow("work", R"({"image":"a","lifecycle":{"stop":"session",
                                    "idle_timeout_minutes":5}})"));
        const QList<SandboxView> all = rows(false);
        const auto config = nlohmann::json::parse(all.first().config.toStdString());
        QCOMPARE(config["lifecycle"]["stop"].get<std::string>(), std::string("session"));
        QCOMPARE(config["lifecycle"]["idle_timeout_minutes"].get<int>(), 5);
        const auto lifecycle = m_house->ask(GetLifecycle{{}, all.first().id});
        BERTH_OK(lifecycle);
        QCOMPARE(lifecycle->policy.idleTimeoutMinutes, 5);
        QCOMPARE(addRow("work").error().kind, ErrorKind::Conflict);
        QCOMPARE(addRow("Not A Name").error().kind, ErrorKind::InvalidInput);
    }

    void aRemovedRowIsRestoredWithItsInstance()
    {
        const Started started = m_house->newThread();
        QCOMPARE(m_engine->instances.size(), 1);
        const auto removed = removeRow(started.sandbox);
        BERTH_OK(removed);
        QCOMPARE(removed->sandboxes.first().status, s("deleted"));
        QVERIFY(rows(false).isEmpty());
        QCOMPARE(rows(true).size(), 1);
        // Kept, not running: nothing was destroyed.
        QCOMPARE(m_engine->destroys, 0);
        QCOMPARE(m_engine->pauses, 1);
        SendMessage send;
        send.thread = started.thread;
        send.text = s("!true");
        const auto sent = m_house->ask(send);
        BERTH_OK(sent);
        QVERIFY(waitUntil([&] {
            const auto call = m_house->ask(GetToolCall{sent->toolCall});
            return call && call->outcome == domain::OutcomeKind::NotStarted;
        }));
        QCOMPARE(m_engine->creates, 1);
        BERTH_OK(m_house->ask(RestoreSandbox{started.sandbox}));
        QCOMPARE(m_house->ask(RestoreSandbox{started.sandbox}).error().kind, ErrorKind::Conflict);
        const auto again = m_house->ask(send);
        BERTH_OK(again);
        QVERIFY(waitUntil([&] {
            const auto call = m_house->ask(GetToolCall{again->toolCall});
            return call && call->outcome == domain::OutcomeKind::Exited;
        }));
        QCOMPARE(m_engine->creates, 1);
        QCOMPARE(m_engine->instances.size(), 1);
    }

    void aTakenAliasIsNotRestored()
    {
        BERTH_OK(addRow("work"));
        const domain::SandboxId first = rows(false).first().id;
        BERTH_OK(removeRow(first));
        BERTH_OK(addRow("work"));
        QVERIFY(rows(false).first().id != first);
        QCOMPARE(m_house->ask(RestoreSandbox{first}).error().kind, ErrorKind::Conflict);
        QCOMPARE(removeRow(first).error().kind, ErrorKind::NotFound);
    }

    void whatCouldNotBeDestroyedIsTold()
    {
        const Started started = m_house->newThread();
        m_engine->failDestroys = {
            domain::Error{ErrorKind::Forbidden, s("The key may not do that"), {}, {}, {}}};
        const Result<SandboxList> removed = removeRow(started.sandbox, true);
        BERTH_OK(removed);
        QCOMPARE(removed->sandboxes.first().status, s("deleted"));
        QCOMPARE(removed->sandboxes.first().notice, s("not destroyed: The key may not do that"));
        QCOMPARE(m_engine->instances.size(), 1);
        BERTH_OK(m_house->ask(PurgeSandbox{started.sandbox}));
        QCOMPARE(m_engine->instances.size(), 0);
    }

    void aPurgeDestroysWhatADeletedRowLeft()
    {
        const Started started = m_house->newThread();
        QCOMPARE(m_house->ask(PurgeSandbox{started.sandbox}).error().kind, ErrorKind::Conflict);
        BERTH_OK(removeRow(started.sandbox));
        QCOMPARE(m_engine->instances.size(), 1);
        BERTH_OK(m_house->ask(PurgeSandbox{started.sandbox}));
        QCOMPARE(m_engine->destroys, 1);
        QVERIFY(m_engine->instances.isEmpty());
    }

    void anAgentInUseStays()
    {
        BERTH_OK(create("coder", "none"));
        AddSandbox add;
        add.agent = domain::AgentId(s("coder"));
        add.type = s("scripted");
        const auto row = m_house->ask(add);
        BERTH_OK(row);
        QCOMPARE(row->alias, s("scripted-1"));
        QCOMPARE(m_house->ask(RemoveAgent{add.agent}).error().kind, ErrorKind::Conflict);
        BERTH_OK(removeRow(row->id));
        BERTH_OK(m_house->ask(RemoveAgent{add.agent}));
        QCOMPARE(m_house->ask(RemoveAgent{add.agent}).error().kind, ErrorKind::NotFound);
        QCOMPARE(m_house->ask(RemoveAgent{domain::AgentId(s("default"))}).error().kind,
                 ErrorKind::Conflict);
    }

    void theSecurityDocumentIsTakenWholeOrNotAtAll()
    {
        const domain::AgentId agent(s("default"));
        SetSecurity set{agent, s(R"({"access":"protected","autonomy_level":"full",
                                     "require_approval_for":[],"access_token":"s3cret-token"})")};
        const auto saved = m_house->ask(set);
        BERTH_OK(saved);
        QVERIFY(saved->accessTokenSet);
        QVERIFY(!saved->document.contains(s("s3cret")));
        set.document = s(R"({"access":"everybody","autonomy_level":"mad"})");
        const auto refused = m_house->ask(set);
        QVERIFY(!refused);
        QVERIFY(refused.error().detail.contains(s("access"))
                && refused.error().detail.contains(s("autonomy_level")));
        m_house->restart();
        const auto kept = m_house->ask(GetSecurity{agent});
        BERTH_OK(kept);
        QVERIFY(kept->accessTokenSet);
        QVERIFY(kept->document.contains(s("protected")));
        const auto snapshot = m_house->ask(GetSnapshot{});
        BERTH_OK(snapshot);
        QCOMPARE(snapshot->agents.size(), 1);
        QCOMPARE(snapshot->agents.first().autonomy, s("full"));
        QFile file(m_directory->filePath(s("berth.db")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains("s3cret-token"));
    }
};

QTEST_GUILESS_MAIN(AgentsTest)
#include "test_agents.moc"
