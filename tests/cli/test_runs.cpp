// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/support/cli_run.h"
#include "remote/remote_server.h"

#include <nlohmann/json.hpp>

#include <csignal>

using namespace berth;
using namespace berth::application;
using namespace berth::test;
using nlohmann::json;

namespace {

QStringList fresh(const QString &text, const QStringList &more = {})
{
    return QStringList{QStringLiteral("thread"), QStringLiteral("new"), QStringLiteral("--sandbox"),
                       QStringLiteral("docker"), text}
    + more;
}

//! The verbs that run commands.
class TestRuns : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void threadNew_data() { transports(); }
    void threadNew()
    {
        Stage stage;
        CliRun run(
            *stage.client,
            fresh(QStringLiteral("!greet"), {QStringLiteral("--timeout"), QStringLiteral("30s")}));
        QVERIFY(run.waitForEnd());
        QCOMPARE(*run.code, 3);
        QCOMPARE(run.finishes, 1);
        QCOMPARE(run.out.taken, QByteArray("hi\nbye\n"));
        QVERIFY2(run.err.taken.startsWith("err\n"), run.told().constData());
        QVERIFY2(run.err.taken.contains("exited with 3 after 1.23 s")
                     && run.err.taken.contains(ScriptedEngine::uuid('a', 1).toUtf8()),
                 run.told().constData());
        const json command = stage.received("thread.new")[0];
        QCOMPARE(command["config"].get<std::string>(), std::string("docker"));
        QCOMPARE(command["agent_id"].get<std::string>(), std::string("default"));
        QCOMPARE(command["sandbox_id"].get<std::string>(), std::string());
        QCOMPARE(command["text"].get<std::string>(), std::string("!greet"));
        QVERIFY(command["as_command"] == json(false));
        QVERIFY(command["timeout_ms"] == json(30'000));
    }

    void whoIsAskedIsSaid_data()
    {
        QTest::addColumn<bool>("remote");
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<bool>("onTerminal");
        QTest::addColumn<QString>("whenAsked");
        const QString option = QStringLiteral("--when-asked");
        const QString wait = QStringLiteral("wait");
        const QString deny = QStringLiteral("deny");
        QTest::newRow("a terminal") << false << QStringList() << true << wait;
        QTest::newRow("a script") << false << QStringList() << false << deny;
        QTest::newRow("a script that waits") << false << QStringList{option, wait} << false << wait;
        QTest::newRow("a terminal that denies")
            << false << QStringList{option, deny} << true << deny;
        QTest::newRow("nothing else")
            << false << QStringList{option, QStringLiteral("skip")} << true << QString();
    }
    void whoIsAskedIsSaid()
    {
        QFETCH(QStringList, more);
        QFETCH(bool, onTerminal);
        QFETCH(QString, whenAsked);
        Stage stage;
        cli::TerminalFacts terminal;
        terminal.inIsTerminal = onTerminal;
        terminal.errIsTerminal = onTerminal;
        CliRun run(*stage.client, fresh(QStringLiteral("!greet"), more), terminal);
        QVERIFY(run.waitForEnd());
        if (whenAsked.isEmpty()) {
            QVERIFY2(run.err.taken.contains("skip"), run.told().constData());
            QVERIFY(stage.received("thread.new").empty());
            return;
        }
        const json command = stage.received("thread.new")[0];
        QCOMPARE(command["when_asked"].get<std::string>(), whenAsked.toStdString());
        QVERIFY(command["run_anyway"] == json(false));
    }
    void noSandboxAndRunAnyway_data() { transports(); }
    void noSandboxAndRunAnyway()
    {
        Stage stage;
        CliRun run(*stage.client,
                   {QStringLiteral("thread"), QStringLiteral("new"), QStringLiteral("--sandbox"),
                    QStringLiteral("none"), QStringLiteral("!greet"),
                    QStringLiteral("--run-anyway")});
        QVERIFY(run.waitForEnd());
        const json command = stage.received("thread.new")[0];
        QCOMPARE(command["config"].get<std::string>(), std::string());
        QCOMPARE(command["sandbox_id"].get<std::string>(), std::string());
        QVERIFY(command["run_anyway"] == json(true));
    }

    void threadNewJson_data() { transports(); }
    void threadNewJson()
    {
        Stage stage;
        CliRun run(*stage.client, fresh(QStringLiteral("!greet"), {QStringLiteral("--json")}));
        QVERIFY(run.waitForEnd());
        QCOMPARE(*run.code, 3);
        QVERIFY2(run.err.taken.isEmpty(), run.told().constData());
        const json object = run.json();
        QCOMPARE(object["thread_id"].get<std::string>(),
                 ScriptedEngine::uuid('a', 1).toStdString());
        for (const char *key : {"lease_id", "sandbox_id", "tool_call_id", "run_id"})
            QVERIFY2(object.contains(key) && !object[key].get<std::string>().empty(), key);
        QCOMPARE(object["stdout"].get<std::string>(), std::string("hi\nbye\n"));
        QCOMPARE(object["stderr"].get<std::string>(), std::string("err\n"));
        QVERIFY(object["exit_code"] == json(3));
        QCOMPARE(object["outcome"].get<std::string>(), std::string("exited"));
        QVERIFY(object["duration_ms"] == json(1234));
        QVERIFY(object["truncated"] == json(false));
    }

    void whichSandbox_data() { transports(); }
    void whichSandbox()
    {
        Stage stage;
        const auto run = [&](const QStringList &arguments) {
            auto cliRun = std::make_unique<CliRun>(
                *stage.client,
                QStringList{QStringLiteral("thread"), QStringLiteral("new")} + arguments);
            if (!cliRun->waitForEnd())
                qFatal("no end");
            return cliRun;
        };
        const QString sandbox = ScriptedEngine::uuid('5', 1);
        for (const QString &name : {QStringLiteral("docker-1"), sandbox, sandbox.left(5)}) {
            QCOMPARE(*run({QStringLiteral("--sandbox"), name, QStringLiteral("!greet")})->code, 3);
            QCOMPARE(stage.received("thread.new").back()["sandbox_id"].get<std::string>(),
                     sandbox.toStdString());
            QCOMPARE(stage.received("thread.new").back()["config"].get<std::string>(),
                     std::string());
        }
        const qsizetype before = stage.received("thread.new").size();
        const auto unknown =
            run({QStringLiteral("--sandbox"), QStringLiteral("dockr"), QStringLiteral("!greet")});
        QCOMPARE(*unknown->code, 125);
        QVERIFY2(unknown->err.taken.contains("docker")
                     && unknown->err.taken.contains("local (No engine found)")
                     && unknown->err.taken.contains("docker-1"),
                 unknown->told().constData());
        const auto none = run({QStringLiteral("!greet")});
        QCOMPARE(*none->code, 125);
        QVERIFY2(none->err.taken.contains("--sandbox"), none->told().constData());
        const auto agent =
            run({QStringLiteral("--sandbox"), QStringLiteral("docker"), QStringLiteral("--agent"),
                 QStringLiteral("x"), QStringLiteral("!a")});
        QCOMPARE(*agent->code, 125);
        QVERIFY(agent->err.taken.contains("no agent"));
        QCOMPARE(stage.received("thread.new").size(), before);
    }

    void textWithoutModel_data() { transports(); }
    void textWithoutModel()
    {
        Stage stage;
        for (const QStringList &arguments :
             {fresh(QStringLiteral("hello")),
              QStringList{QStringLiteral("thread"), QStringLiteral("send"), QStringLiteral("1"),
                          QStringLiteral("hello")}}) {
            CliRun run(*stage.client, arguments);
            QVERIFY(run.waitForEnd());
            QCOMPARE(*run.code, 125);
            QVERIFY2(run.err.taken.contains("No model") && run.err.taken.contains("'!echo hello'"),
                     run.told().constData());
        }
        QVERIFY(stage.received("thread.new").isEmpty() && stage.received("thread.send").isEmpty());
    }

    void threadSend_data() { transports(); }
    void threadSend()
    {
        Stage stage;
        CliRun run(*stage.client,
                   {QStringLiteral("thread"), QStringLiteral("send"),
                    ScriptedEngine::uuid('1', 1).left(8), QStringLiteral("!greet")});
        QVERIFY(run.waitForEnd());
        QCOMPARE(*run.code, 3);
        QCOMPARE(run.out.taken, QByteArray("hi\nbye\n"));
        QCOMPARE(stage.received("thread.send")[0]["thread_id"].get<std::string>(),
                 ScriptedEngine::uuid('1', 1).toStdString());
    }

    void exec_data() { transports(); }
    void exec()
    {
        Stage stage;
        const auto run = [&](const QString &target, const QStringList &command) {
            return std::make_unique<CliRun>(
                *stage.client,
                QStringList{QStringLiteral("exec"), target, QStringLiteral("--")} + command);
        };
        const QList<QPair<QString, QString>> targets{
            {QStringLiteral("docker-1"), ScriptedEngine::uuid('5', 1)},
            {ScriptedEngine::uuid('7', 2).left(8), ScriptedEngine::uuid('7', 2)},
            {ScriptedEngine::uuid('1', 2).left(8), ScriptedEngine::uuid('1', 2)},
            {ScriptedEngine::uuid('f', 9), ScriptedEngine::uuid('f', 9)}};
        for (const auto &[typed, sent] : targets) {
            const auto one = run(typed, {QStringLiteral("greet")});
            QVERIFY(one->waitForEnd());
            QCOMPARE(*one->code, 3);
            QCOMPARE(one->out.taken, QByteArray("hi\nbye\n"));
            QCOMPARE(one->err.taken, QByteArray("err\n")); // nothing of our own
            QCOMPARE(stage.received("exec").back()["target"].get<std::string>(),
                     sent.toStdString());
        }
        const auto words =
            run(QStringLiteral("docker-1"),
                {QStringLiteral("sh"), QStringLiteral("-c"), QStringLiteral("a  b; --json")});
        QVERIFY(words->waitForEnd());
        QVERIFY(stage.received("exec").back()["argv"] == json({"sh", "-c", "a  b; --json"}));
        const auto ambiguous = run(QStringLiteral("1"), {QStringLiteral("greet")});
        QVERIFY(ambiguous->waitForEnd());
        QCOMPARE(*ambiguous->code, 125);
    }

    void bytesUntouched_data() { transports(); }
    void bytesUntouched()
    {
        Stage stage;
        CliRun run(*stage.client,
                   {QStringLiteral("exec"), QStringLiteral("docker-1"), QStringLiteral("--"),
                    QStringLiteral("binary")});
        QVERIFY(run.waitForEnd());
        QCOMPARE(run.out.taken, QByteArray("\x00\xff\xfe\r\n\x1b[31m", 10));
        QCOMPARE(run.err.taken, QByteArray("\xe6\xbc\xa2"));
        CliRun structured(*stage.client,
                          {QStringLiteral("exec"), QStringLiteral("docker-1"),
                           QStringLiteral("--json"), QStringLiteral("--"),
                           QStringLiteral("binary")});
        QVERIFY(structured.waitForEnd());
        const json object = structured.json();
        QVERIFY(!object.contains("stdout"));
        QCOMPARE(QByteArray::fromBase64(
                     QByteArray::fromStdString(object["stdout_base64"].get<std::string>())),
                 run.out.taken);
        QCOMPARE(object["stderr"].get<std::string>(), std::string("\xe6\xbc\xa2"));
    }

    void outcomes_data() { transports(); }
    void outcomes()
    {
        Stage stage;
        CliRun late(*stage.client, fresh(QStringLiteral("!late")));
        QVERIFY(late.waitForEnd());
        QCOMPARE(*late.code, 137);
        QVERIFY2(late.err.taken.contains("timed out"), late.told().constData());
        CliRun none(*stage.client,
                    {QStringLiteral("exec"), QStringLiteral("docker-1"), QStringLiteral("--"),
                     QStringLiteral("none")});
        QVERIFY(none.waitForEnd());
        QCOMPARE(*none.code, 125);
        QVERIFY2(none.err.taken.contains("did not start: The image is missing"),
                 none.told().constData());
    }

    void liveOutput_data() { transports(); }
    void liveOutput()
    {
        Stage stage;
        CliRun run(*stage.client, fresh(QStringLiteral("!slow")));
        QVERIFY(waitUntil([&] { return run.out.taken == "one"; }));
        QVERIFY(!run.code);
        QVERIFY(run.waitForEnd());
        QCOMPARE(run.out.taken, QByteArray("onetwo"));
        QVERIFY(run.err.taken.startsWith("three"));
        QCOMPARE(*run.code, 0);
    }

    void preparation_data() { transports(); }
    void preparation()
    {
        Stage stage;
        CliRun plain(*stage.client, fresh(QStringLiteral("!pull")));
        QVERIFY(plain.waitForEnd());
        QCOMPARE(plain.out.taken, QByteArray("ready\n"));
        QVERIFY2(plain.err.taken.count("Pulling x") <= 1 && !plain.err.taken.contains('\r'),
                 plain.told().constData());
        QVERIFY2(plain.err.taken.contains("Starting\n"), plain.told().constData());
        cli::TerminalFacts terminal;
        terminal.errIsTerminal = true;
        CliRun live(*stage.client, fresh(QStringLiteral("!pull")), terminal);
        QVERIFY(live.waitForEnd());
        QVERIFY2(live.err.taken.contains("\r\x1b[KPulling x \xc2\xb7 5 of 9 MB\r"),
                 live.told().constData());
        QVERIFY2(live.err.taken.contains("\r\x1b[KThread"),
                 live.told().constData()); // wiped before the note
        CliRun structured(*stage.client, fresh(QStringLiteral("!pull"), {QStringLiteral("--json")}),
                          terminal);
        QVERIFY(structured.waitForEnd());
        QVERIFY(structured.err.taken.isEmpty());
    }

    void interrupt_data() { transports(); }
    void interrupt()
    {
        Stage stage;
        CliRun run(*stage.client,
                   {QStringLiteral("exec"), QStringLiteral("docker-1"), QStringLiteral("--"),
                    QStringLiteral("forever")});
        QVERIFY(waitUntil([&] { return run.out.taken == "started\n"; }));
        run.application().interrupt(SIGINT);
        QVERIFY(run.waitForEnd());
        QCOMPARE(*run.code, 130);
        QCOMPARE(run.finishes, 1);
        QCOMPARE(stage.received("tool_call.stop").size(), 1);
        CliRun structured(*stage.client,
                          fresh(QStringLiteral("!forever"), {QStringLiteral("--json")}));
        QVERIFY(waitUntil([&] { return stage.received("tool_call.output").size() > 2; }));
        structured.application().interrupt(SIGTERM);
        QVERIFY(structured.waitForEnd());
        QCOMPARE(*structured.code, 143);
        QCOMPARE(structured.json()["outcome"].get<std::string>(), std::string("cancelled"));
        QCOMPARE(structured.json()["stdout"].get<std::string>(), std::string("started\n"));
    }

    void interruptTwice_data() { transports(); }
    void interruptTwice()
    {
        Stage stage;
        stage.engine.onEngine([](ScriptedEngine &engine) {
            engine.players[QStringLiteral("tool_call.stop")] = [](const ScriptedEngine::Ask &) {
            }; // hangs
        });
        CliRun run(*stage.client, fresh(QStringLiteral("!forever")));
        QVERIFY(waitUntil([&] { return run.out.taken == "started\n"; }));
        run.application().interrupt(SIGINT);
        spin(std::chrono::milliseconds(50));
        QVERIFY(!run.code);
        run.application().interrupt(SIGINT);
        QVERIFY(run.code.has_value());
        QCOMPARE(*run.code, 130);
    }

    void interruptBeforeItBegan_data() { transports(); }
    void interruptBeforeItBegan()
    {
        Stage stage;
        QList<ScriptedEngine::Ask> asked;
        stage.engine.onEngine([&](ScriptedEngine &engine) {
            engine.players[QStringLiteral("thread.new")] =
                [&asked](const ScriptedEngine::Ask &ask) { asked.append(ask); };
        });
        CliRun run(*stage.client, fresh(QStringLiteral("!forever")));
        QVERIFY(waitUntil([&] { return stage.received("thread.new").size() == 1; }));
        run.application().interrupt(SIGINT);
        QVERIFY(waitUntil([&] {
            qsizetype cancelled = 0;
            stage.engine.onEngine(
                [&](ScriptedEngine &engine) { cancelled = engine.cancelled.size(); });
            return cancelled == 1;
        }));
        stage.engine.onEngine([&](ScriptedEngine &) {
            asked[0].fail({domain::ErrorKind::Cancelled, QStringLiteral("Cancelled"), {}, {}, {}});
        });
        QVERIFY(run.waitForEnd());
        QCOMPARE(*run.code, 130);
        // A verb that only looks ends at once.
        stage.engine.onEngine([](ScriptedEngine &engine) {
            engine.players[QStringLiteral("thread.list")] = [](const ScriptedEngine::Ask &) {};
        });
        CliRun list(*stage.client, {QStringLiteral("thread"), QStringLiteral("list")});
        list.application().interrupt(SIGINT);
        QVERIFY(list.code.has_value());
        QCOMPARE(*list.code, 130);
    }

    void readerLeaves_data() { transports(); }
    void readerLeaves()
    {
        Stage stage;
        CliRun run(*stage.client, fresh(QStringLiteral("!forever")));
        QVERIFY(waitUntil([&] { return run.out.taken == "started\n"; }));
        run.out.breakPipe();
        stage.engine.onEngine([](ScriptedEngine &engine) {
            // The next read answers, so that the verb looks at its output again.
            engine.publish(OutputGrew{});
        });
        run.application().interrupt(SIGINT);
        QVERIFY(run.waitForEnd());
        CliRun big(*stage.client, fresh(QStringLiteral("!greet")));
        big.out.breakPipe();
        QVERIFY(big.waitForEnd());
        QCOMPARE(*big.code, 141);
        QVERIFY(!stage.received("tool_call.stop").isEmpty());
    }

    void slowReader_data() { transports(); }
    void slowReader()
    {
        Stage stage;
        constexpr qint64 kBytes = 20 * 1024 * 1024;
        stage.engine.onEngine([](ScriptedEngine &engine) {
            engine.scripts[QStringLiteral("much")].synthetic = kBytes;
        });
        CliRun run(*stage.client,
                   {QStringLiteral("exec"), QStringLiteral("docker-1"), QStringLiteral("--"),
                    QStringLiteral("much")});
        run.out.hold();
        spin(std::chrono::milliseconds(200));
        QVERIFY(!run.code);
        // It stops to ask for more when nobody takes what it has.
        const qsizetype reads = stage.received("tool_call.output").size();
        spin(std::chrono::milliseconds(200));
        QCOMPARE(stage.received("tool_call.output").size(), reads);
        QVERIFY2(run.out.mostPending() <= 512 * 1024,
                 qPrintable(QString::number(run.out.mostPending())));
        run.out.release();
        QVERIFY(run.waitForEnd(std::chrono::seconds(60)));
        QCOMPARE(*run.code, 0);
        QCOMPARE(run.out.taken.size(), kBytes);
        QVERIFY(run.out.taken == syntheticBytes(0, kBytes));
        QVERIFY(run.out.mostPending() <= 512 * 1024);
    }

    void engineGoes()
    {
        EngineThread engine;
        engine.onEngine(furnish);
        const std::unique_ptr<EngineClient> client = engine.overSocket();
        CliRun run(*client, fresh(QStringLiteral("!forever")));
        QVERIFY(waitUntil([&] { return run.out.taken == "started\n"; }));
        engine.stopServing();
        QVERIFY(run.waitForEnd());
        QCOMPARE(*run.code, 125);
        QVERIFY2(run.err.taken.contains("connection"), run.told().constData());
        QCOMPARE(run.finishes, 1);
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestRuns)
#include "test_runs.moc"
