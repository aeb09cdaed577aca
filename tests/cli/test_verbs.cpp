// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/support/cli_run.h"
#include "domain/provider/isolation.h"

#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

using namespace berth;
using namespace berth::application;
using berth::cli::TerminalFacts;
using namespace berth::test;
using nlohmann::json;

namespace {

const QString kFirst = ScriptedEngine::uuid('1', 1);
const QString kLease = ScriptedEngine::uuid('7', 1);

QStringList words(const QString &line)
{
    return line.split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

//! The verbs that do not run commands.
class TestVerbs : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void threadList_data() { transports(); }
    void threadList()
    {
        Stage stage;
        CliRun run(*stage.client, words(QStringLiteral("thread list")));
        QVERIFY(run.waitForEnd());
        QCOMPARE(*run.code, 0);
        QVERIFY2(run.out.taken.contains(kFirst.left(8).toUtf8())
                     && run.out.taken.contains("\xe6\xbc\xa2"),
                 run.told().constData());
        QVERIFY(!run.out.taken.contains("old one"));
        QVERIFY(!run.out.taken.contains('\x1b'));
        QVERIFY(run.err.taken.isEmpty());
        CliRun all(*stage.client, words(QStringLiteral("thread list --archived --json")));
        QVERIFY(all.waitForEnd());
        QVERIFY(stage.received("thread.list").back()["archived"] == json(true));
        const json object = all.json();
        QVERIFY(object["threads"].is_array());
        QVERIFY(object["threads"][0].contains("thread_id")
                && object["threads"][0].contains("lease_id")
                && object["threads"][0].contains("sandbox_id"));
    }

    void threadShow_data() { transports(); }
    void threadShow()
    {
        Stage stage;
        stage.engine.onEngine([](ScriptedEngine &engine) {
            ThreadDetail &detail = engine.details[domain::ThreadId(kFirst)];
            MessageView message;
            message.run = domain::RunId(QStringLiteral("r"));
            message.text = QStringLiteral("!greet");
            detail.messages = {message};
        });
        // A real call first, so that there is output to show.
        CliRun send(
            *stage.client,
            {QStringLiteral("thread"), QStringLiteral("send"), kFirst, QStringLiteral("!greet")});
        QVERIFY(send.waitForEnd());
        stage.engine.onEngine([](ScriptedEngine &engine) {
            ToolCallView call;
            call.id = domain::ToolCallId(ScriptedEngine::uuid('d', 1));
            call.run = domain::RunId(QStringLiteral("r"));
            call.state = domain::ToolCallState::Done;
            call.outcome = domain::OutcomeKind::Exited;
            call.exitCode = 3;
            engine.details[domain::ThreadId(kFirst)].toolCalls = {call};
        });
        CliRun plain(*stage.client,
                     {QStringLiteral("thread"), QStringLiteral("show"), kFirst.left(8)});
        QVERIFY(plain.waitForEnd());
        QCOMPARE(*plain.code, 0);
        QVERIFY2(plain.out.taken.contains("!greet") && plain.out.taken.contains("exit code 3")
                     && !plain.out.taken.contains("hi\n"),
                 plain.told().constData());
        CliRun output(
            *stage.client,
            {QStringLiteral("thread"), QStringLiteral("show"), kFirst, QStringLiteral("--output")});
        QVERIFY(output.waitForEnd());
        QVERIFY2(output.out.taken.contains("hi\nerr\nbye\n"), output.told().constData());
        CliRun structured(*stage.client,
                          {QStringLiteral("thread"), QStringLiteral("show"), kFirst,
                           QStringLiteral("--output"), QStringLiteral("--json")});
        QVERIFY(structured.waitForEnd());
        const json object = structured.json();
        QCOMPARE(object["thread"]["thread_id"].get<std::string>(), kFirst.toStdString());
        QCOMPARE(object["tool_calls"][0]["stdout"].get<std::string>(), std::string("hi\nbye\n"));
        QCOMPARE(object["tool_calls"][0]["stderr"].get<std::string>(), std::string("err\n"));
        QVERIFY(object["tool_calls"][0].contains("tool_call_id"));
    }

    void ids_data() { transports(); }
    void ids()
    {
        Stage stage;
        CliRun ambiguous(*stage.client, words(QStringLiteral("thread show 1")));
        QVERIFY(ambiguous.waitForEnd());
        QCOMPARE(*ambiguous.code, 125);
        QVERIFY2(ambiguous.err.taken.contains("more than one thread")
                     && ambiguous.err.taken.contains(kFirst.toUtf8())
                     && ambiguous.err.taken.contains(ScriptedEngine::uuid('1', 2).toUtf8())
                     && !ambiguous.err.taken.contains("old one"),
                 ambiguous.told().constData());
        QVERIFY(ambiguous.out.taken.isEmpty());
        CliRun archived(*stage.client, words(QStringLiteral("thread show 2 --json")));
        QVERIFY(archived.waitForEnd());
        QCOMPARE(archived.json()["thread"]["title"].get<std::string>(), std::string("old one"));
        CliRun none(*stage.client, words(QStringLiteral("thread show zz --json")));
        QVERIFY(none.waitForEnd());
        QCOMPARE(*none.code, 125);
        QCOMPARE(none.json()["error"]["code"].get<std::string>(), std::string("not_found"));
        QVERIFY(none.json()["error"].contains("message")
                && none.json()["error"].contains("detail"));
        QVERIFY(none.err.taken.isEmpty());
        CliRun empty(*stage.client, {QStringLiteral("thread"), QStringLiteral("show"), QString()});
        QVERIFY(empty.waitForEnd());
        QVERIFY(empty.err.taken.contains("empty"));
        CliRun runtimes(*stage.client, words(QStringLiteral("runtime pause 7")));
        QVERIFY(runtimes.waitForEnd());
        QCOMPARE(*runtimes.code, 64);
        QVERIFY2(runtimes.err.taken.contains("docker-1") && runtimes.err.taken.contains("docker-2"),
                 runtimes.told().constData());
        QVERIFY(stage.received("runtime.pause").isEmpty());
    }

    void runtimeNames_data()
    {
        QTest::addColumn<bool>("remote");
        QTest::addColumn<QString>("typed");
        for (const bool remote : {false, true}) {
            for (const QString &typed : {kLease, kLease.left(8), QStringLiteral("docker-1"),
                                         QStringLiteral("docker:cafe01")})
                QTest::addRow("%s %d", qPrintable(typed), remote) << remote << typed;
        }
    }
    void runtimeNames()
    {
        QFETCH(QString, typed);
        Stage stage;
        CliRun run(*stage.client, {QStringLiteral("runtime"), QStringLiteral("pause"), typed});
        QVERIFY(run.waitForEnd());
        QVERIFY2(*run.code == 0, run.told().constData());
        QCOMPARE(stage.received("runtime.pause").size(), 1);
        QCOMPARE(stage.received("runtime.pause")[0]["runtime"].get<std::string>(),
                 kLease.toStdString());
        QCOMPARE(run.out.taken, QByteArray("Paused: docker-1\n"));
    }

    void runtimes_data() { transports(); }
    void runtimes()
    {
        Stage stage;
        CliRun list(*stage.client, words(QStringLiteral("runtime list")));
        QVERIFY(list.waitForEnd());
        QVERIFY2(list.out.taken.contains("docker-2") && list.out.taken.contains("running"),
                 list.told().constData());
        CliRun resume(*stage.client, words(QStringLiteral("runtime resume docker-1 --json")));
        QVERIFY(resume.waitForEnd());
        QCOMPARE(resume.json()["lease_id"].get<std::string>(), kLease.toStdString());
        QCOMPARE(resume.json()["observed_state"].get<std::string>(), std::string("running"));
        CliRun metrics(*stage.client, words(QStringLiteral("runtime metrics docker-1")));
        QVERIFY(metrics.waitForEnd());
        QVERIFY2(metrics.out.taken.contains("0.50 cores")
                     && metrics.out.taken.contains("50.0 MiB of 2.0 GiB")
                     && metrics.out.taken.contains("unknown"),
                 metrics.told().constData());
        CliRun numbers(*stage.client, words(QStringLiteral("runtime metrics docker-1 --json")));
        QVERIFY(numbers.waitForEnd());
        QVERIFY(numbers.json()["memory_bytes"] == json(50 * 1024 * 1024));
        QCOMPARE(numbers.json()["lease_id"].get<std::string>(), kLease.toStdString());
        QVERIFY(!numbers.json().contains("disk_bytes"));
        CliRun none(*stage.client, words(QStringLiteral("runtime metrics nothing")));
        QVERIFY(none.waitForEnd());
        QCOMPARE(*none.code, 66);
        QVERIFY(stage.received("runtime.list").back()["refresh"] == json(true));
    }

    void emptyLists_data() { transports(); }
    void emptyLists()
    {
        Stage stage;
        stage.engine.onEngine([](ScriptedEngine &engine) {
            engine.state.threads.clear();
            engine.state.runtimes.clear();
        });
        for (const QString &line :
             {QStringLiteral("thread list"), QStringLiteral("runtime list")}) {
            CliRun run(*stage.client, words(line));
            QVERIFY(run.waitForEnd());
            QCOMPARE(*run.code, 0);
            QVERIFY(run.out.taken.isEmpty() && !run.err.taken.isEmpty());
        }
        CliRun run(*stage.client, words(QStringLiteral("runtime list --json")));
        QVERIFY(run.waitForEnd());
        QVERIFY(run.json()["runtimes"].is_array() && run.json()["runtimes"].empty());
    }

    void destroy_data() { transports(); }
    void destroy()
    {
        Stage stage;
        cli::TerminalFacts terminal;
        CliRun nobody(*stage.client, words(QStringLiteral("runtime destroy docker-1")));
        QVERIFY(nobody.waitForEnd());
        QCOMPARE(*nobody.code, 64);
        QVERIFY2(nobody.err.taken.contains("--yes"), nobody.told().constData());
        terminal.inIsTerminal = true;
        CliRun no(*stage.client, words(QStringLiteral("runtime destroy docker-1")), terminal,
                  QStringLiteral("no"));
        QVERIFY(no.waitForEnd());
        QCOMPARE(*no.code, 73);
        QCOMPARE(no.questions, 1);
        QVERIFY2(no.err.taken.contains("The files in volume v"), no.told().constData());
        CliRun nothing(*stage.client, words(QStringLiteral("runtime destroy docker-1")), terminal,
                       QString());
        QVERIFY(nothing.waitForEnd());
        QVERIFY(*nothing.code != 0);
        QVERIFY(stage.received("runtime.destroy").isEmpty());
        CliRun yes(*stage.client, words(QStringLiteral("runtime destroy docker-1")), terminal,
                   QStringLiteral("yes"));
        QVERIFY(yes.waitForEnd());
        QCOMPARE(*yes.code, 0);
        CliRun flag(*stage.client, words(QStringLiteral("runtime destroy docker-2 --yes --json")));
        QVERIFY(flag.waitForEnd());
        QCOMPARE(flag.questions, 0);
        QCOMPARE(flag.json()["observed_state"].get<std::string>(), std::string("gone"));
        QCOMPARE(stage.received("runtime.destroy").size(), 2);
    }

    void providers_data() { transports(); }
    void providers()
    {
        Stage stage;
        CliRun list(*stage.client, words(QStringLiteral("provider list")));
        QVERIFY(list.waitForEnd());
        QVERIFY2(list.out.taken.contains("Docker") && list.out.taken.contains("No engine found"),
                 list.told().constData());
        CliRun show(*stage.client, words(QStringLiteral("provider show docker")));
        QVERIFY(show.waitForEnd());
        QVERIFY2(show.out.taken.contains("docker.image")
                     && show.out.taken.contains("python:3.12-slim")
                     && show.out.taken.contains("/etc/docker.json"),
                 show.told().constData());
        CliRun form(*stage.client, words(QStringLiteral("provider show docker --json")));
        QVERIFY(form.waitForEnd());
        QCOMPARE(form.json()["fields"][0]["key"].get<std::string>(), std::string("docker.image"));
    }

    void providerSet_data() { transports(); }
    void providerSet()
    {
        Stage stage;
        CliRun set(*stage.client,
                   {QStringLiteral("provider"), QStringLiteral("set"), QStringLiteral("docker"),
                    QStringLiteral("image=a:b=c"), QStringLiteral("--init-commands"),
                    QStringLiteral("one two"), QStringLiteral("init_commands=three")});
        QVERIFY(set.waitForEnd());
        QVERIFY2(*set.code == 0, set.told().constData());
        const json saved = stage.received("provider.save")[0];
        QCOMPARE(saved["config"].get<std::string>(), std::string("docker"));
        QCOMPARE(saved["values"].size(), size_t(2));
        QCOMPARE(saved["values"]["docker.image"].get<std::string>(), std::string("a:b=c"));
        QCOMPARE(saved["values"]["init_commands"].get<std::string>(),
                 std::string("one two\nthree"));
        CliRun reset(*stage.client,
                     words(QStringLiteral("provider set docker docker.image= --json")));
        QVERIFY(reset.waitForEnd());
        QCOMPARE(reset.json()["name"].get<std::string>(), std::string("docker"));
        QCOMPARE(
            stage.received("provider.save").back()["values"]["docker.image"].get<std::string>(),
            std::string());
        for (const QString &line :
             {QStringLiteral("provider set docker imag=x"), QStringLiteral("provider set docker"),
              QStringLiteral("provider set docker image=a image=b")}) {
            CliRun bad(*stage.client, words(line));
            QVERIFY(bad.waitForEnd());
            QCOMPARE(*bad.code, 64);
            QVERIFY2(!bad.err.taken.isEmpty(), bad.told().constData());
        }
        QCOMPARE(stage.received("provider.save").size(), 2);
    }

    void providerTest_data() { transports(); }
    void providerTest()
    {
        Stage stage;
        CliRun good(*stage.client, words(QStringLiteral("provider test docker image=x")));
        QVERIFY(good.waitForEnd());
        QCOMPARE(*good.code, 0);
        QVERIFY2(good.out.taken.count("Find the socket") == 1 && good.out.taken.contains("1.50 s")
                     && good.out.taken.contains("warning") && good.out.taken.contains("Engine 28"),
                 good.told().constData());
        QCOMPARE(stage.received("provider.test")[0]["values"]["docker.image"].get<std::string>(),
                 std::string("x"));
        stage.engine.onEngine([](ScriptedEngine &engine) {
            engine.health.ok = false;
            engine.health.error = domain::Error{domain::ErrorKind::Unavailable,
                                                QStringLiteral("No engine"),
                                                QStringLiteral("Start it"),
                                                {},
                                                {}};
        });
        CliRun bad(*stage.client, words(QStringLiteral("provider test docker")));
        QVERIFY(bad.waitForEnd());
        QCOMPARE(*bad.code, 69);
        QVERIFY2(bad.err.taken.contains("No engine") && bad.err.taken.contains("Start it"),
                 bad.told().constData());
        CliRun structured(*stage.client, words(QStringLiteral("provider test docker --json")));
        QVERIFY(structured.waitForEnd());
        QCOMPARE(*structured.code, 69);
        QVERIFY(structured.json()["ok"] == json(false));
        QCOMPARE(structured.json()["steps"].size(), size_t(2));
    }

    void stepsComeAtOnce_data() { transports(); }
    void stepsComeAtOnce()
    {
        Stage stage;
        stage.engine.onEngine([](ScriptedEngine &engine) {
            engine.players[QStringLiteral("provider.test")] = [&engine](
                                                                  const ScriptedEngine::Ask &ask) {
                engine.publish(HealthStepDone{domain::RequestId(QStringLiteral("somebody else's")),
                                              {QStringLiteral("not mine"), {}, {}, {}}});
                engine.publish(HealthStepDone{ask.id, {QStringLiteral("mine"), {}, {}, {}}});
            };
        });
        CliRun run(*stage.client, words(QStringLiteral("provider test docker")));
        QVERIFY(waitUntil([&] { return run.out.taken.contains("mine"); }));
        QVERIFY(!run.out.taken.contains("not mine"));
        QVERIFY(!run.code);
    }

    void everyErrorKind_data() { transports(); }
    void everyErrorKind()
    {
        Stage stage;
        for (int kind = 0; kind < 14; ++kind) {
            const domain::Error error{static_cast<domain::ErrorKind>(kind),
                                      QStringLiteral("what"),
                                      QStringLiteral("why\nto do"),
                                      {},
                                      {}};
            stage.engine.onEngine([&](ScriptedEngine &engine) {
                engine.players[QStringLiteral("provider.list")] =
                    [error](const ScriptedEngine::Ask &ask) { ask.fail(error); };
            });
            CliRun run(*stage.client, words(QStringLiteral("provider list --json")));
            QVERIFY(run.waitForEnd());
            QVERIFY(*run.code >= 64 && *run.code < 78);
            QCOMPARE(run.json()["error"]["code"].get<std::string>(),
                     domain::wireName(error.kind).toStdString());
            CliRun plain(*stage.client, words(QStringLiteral("provider list")));
            QVERIFY(plain.waitForEnd());
            QCOMPARE(plain.err.taken, QByteArray("berth-cli: what\n  why\n  to do\n"));
            QCOMPARE(plain.code, run.code);
            QCOMPARE(run.finishes, 1);
        }
    }

    void withoutIsolationIsAsked_data() { transports(); }
    void withoutIsolationIsAsked()
    {
        Stage stage;
        stage.engine.onEngine([](ScriptedEngine &engine) {
            for (ProviderView &provider : engine.state.providers)
                provider.isolation = domain::noIsolationText();
        });
        const QStringList send{QStringLiteral("thread"), QStringLiteral("new"),
                               QStringLiteral("--sandbox"), QStringLiteral("docker"),
                               QStringLiteral("!greet")};
        CliRun nobody(*stage.client, send);
        QVERIFY(nobody.waitForEnd());
        QCOMPARE(*nobody.code, 125);
        QVERIFY2(nobody.err.taken.contains("No isolation: everything that you can do")
                     && nobody.err.taken.contains("--yes-no-isolation"),
                 nobody.told().constData());
        TerminalFacts terminal;
        terminal.inIsTerminal = true;
        CliRun no(*stage.client, send, terminal, QStringLiteral("no"));
        QVERIFY(no.waitForEnd());
        QCOMPARE(no.questions, 1);
        QVERIFY2(no.err.taken.contains("Nothing was run"), no.told().constData());
        QVERIFY(stage.received("thread.new").isEmpty());
        CliRun yes(*stage.client, send, terminal, QStringLiteral("yes"));
        QVERIFY(yes.waitForEnd());
        QCOMPARE(*yes.code, 3);
        CliRun flag(*stage.client, send + QStringList{QStringLiteral("--yes-no-isolation")});
        QVERIFY(flag.waitForEnd());
        QVERIFY2(*flag.code == 3 && flag.questions == 0, flag.told().constData());
        QCOMPARE(stage.received("thread.new").size(), 2);
    }

    void withoutEngine()
    {
        EngineThread engine;
        const std::unique_ptr<EngineClient> client = engine.inProcess();
        CliRun version(*client, words(QStringLiteral("--version")));
        QCOMPARE(version.out.taken, QByteArray("berth-cli 1.2.3\n"));
        CliRun help(*client, words(QStringLiteral("exec --help")));
        QCOMPARE(*help.code, 0);
        QVERIFY(help.out.taken.contains("Usage: berth-cli exec"));
        CliRun usage(*client, words(QStringLiteral("thread nwe")));
        QCOMPARE(*usage.code, 64);
        QVERIFY(usage.out.taken.isEmpty() && usage.err.taken.contains("Did you mean \"new\""));
        CliRun structured(*client, words(QStringLiteral("exec box --json")));
        QCOMPARE(*structured.code, 64);
        QCOMPARE(structured.json()["error"]["code"].get<std::string>(),
                 std::string("invalid_input"));
        QVERIFY(structured.err.taken.isEmpty());
    }

    void policiesComeFromStandardInput_data()
    {
        QTest::addColumn<bool>("remote");
        QTest::addColumn<QByteArray>("given");
        QTest::addColumn<bool>("taken");
        QTest::newRow("a document") << false << QByteArray("{\"access\":\"public\"}") << true;
        QTest::newRow("no UTF-8") << false << QByteArray("{\"access\":\"\xff\"}") << false;
        QTest::newRow("too large") << false << QByteArray(64 * 1024 + 1, ' ') << false;
    }
    void policiesComeFromStandardInput()
    {
        QFETCH(QByteArray, given);
        QFETCH(bool, taken);
        Stage stage;
        stage.engine.onEngine([](ScriptedEngine &engine) {
            const auto policy = [](const ScriptedEngine::Ask &asked) {
                SecurityView view;
                view.document = QStringLiteral("{}");
                asked.reply(view);
            };
            engine.players.insert(QString::fromLatin1(GetSecurity::kName), policy);
            engine.players.insert(QString::fromLatin1(SetSecurity::kName), policy);
        });
        int ends[2] = {-1, -1};
        QCOMPARE(::pipe(ends), 0);
        const int before = ::dup(STDIN_FILENO);
        ::dup2(ends[0], STDIN_FILENO);
        ::close(ends[0]);
        {
            CliRun run(*stage.client, words(QStringLiteral("config security write")));
            // Its end is not there yet: the verb waits, and everything else goes on.
            QTest::qWait(100);
            QVERIFY(!run.code);
            std::thread writer([end = ends[1], given] {
                qsizetype at = 0;
                while (at < given.size()) {
                    const ssize_t wrote = ::write(end, given.constData() + at,
                                                  static_cast<size_t>(given.size() - at));
                    if (wrote <= 0)
                        break;
                    at += wrote;
                }
                ::close(end);
            });
            const bool over = run.waitForEnd();
            writer.join();
            ::dup2(before, STDIN_FILENO);
            ::close(before);
            QVERIFY(over);
            QVERIFY2((*run.code == 0) == taken, run.told().constData());
        }
        const QList<json> sent = stage.received("agent.set_security");
        QCOMPARE(sent.size(), taken ? 1 : 0);
        if (taken)
            QCOMPARE(sent[0]["document"].get<std::string>(), given.toStdString());
    }

    void anInterruptEndsTheWaitForAPolicy()
    {
        EngineThread engine;
        engine.onEngine([](ScriptedEngine &scripted) {
            scripted.players.insert(
                QString::fromLatin1(GetSecurity::kName),
                [](const ScriptedEngine::Ask &asked) { asked.reply(SecurityView()); });
        });
        const std::unique_ptr<EngineClient> client = engine.inProcess();
        int ends[2] = {-1, -1};
        QCOMPARE(::pipe(ends), 0);
        const int before = ::dup(STDIN_FILENO);
        ::dup2(ends[0], STDIN_FILENO);
        ::close(ends[0]);
        {
            CliRun run(*client, words(QStringLiteral("config security write")));
            QTest::qWait(100);
            QVERIFY(!run.code);
            run.application().interrupt(SIGINT);
            QVERIFY(run.waitForEnd());
            QCOMPARE(*run.code, 130);
        }
        ::dup2(before, STDIN_FILENO);
        ::close(before);
        ::close(ends[1]);
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestVerbs)
#include "test_verbs.moc"
