// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/support/cli_run.h"

#include <nlohmann/json.hpp>

using namespace berth;
using namespace berth::application;
using namespace berth::test;
using nlohmann::json;

namespace {

const QString kCanary = QStringLiteral("canary-typed-4711");

QStringList words(const QString &line)
{
    return line.split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

cli::TerminalFacts atTerminal()
{
    cli::TerminalFacts facts;
    facts.inIsTerminal = true;
    return facts;
}

//! A provider with a key, an address and a variable that nobody confirmed.
void makeKeyed(ScriptedEngine &engine)
{
    FieldView key;
    key.key = QStringLiteral("api_key");
    key.type = QStringLiteral("secret");
    key.label = QStringLiteral("API key");
    key.origin = QStringLiteral("environment:E2B_API_KEY");
    key.hint = QStringLiteral("\u20267f3a");
    key.environmentVariables = {QStringLiteral("E2B_API_KEY")};
    engine.form.fields = {key};
    engine.form.provider.config = domain::ConfigName(QStringLiteral("e2b"));
    engine.form.provider.label = QStringLiteral("E2B");
    engine.form.provider.unconfirmedOrigins = {QStringLiteral("https://own.example")};
    engine.form.provider.unconfirmedVariables = {QStringLiteral("OTHER_SECRET")};
}

} // namespace

class TestProviderKeys : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void trust_data() { transports(); }
    void trust()
    {
        Stage stage;
        stage.engine.onEngine(makeKeyed);
        // Nobody to ask: nothing happens.
        CliRun piped(*stage.client, words(QStringLiteral("provider trust e2b")));
        QVERIFY(piped.waitForEnd());
        QVERIFY(*piped.code != 0);
        QVERIFY2(piped.err.taken.contains("https://own.example")
                     && piped.err.taken.contains("OTHER_SECRET")
                     && piped.err.taken.contains("--yes"),
                 piped.told().constData());
        CliRun no(*stage.client, words(QStringLiteral("provider trust e2b")), atTerminal(),
                  QString());
        QVERIFY(no.waitForEnd());
        QVERIFY(*no.code != 0);
        QCOMPARE(no.questions, 1);
        QVERIFY(no.err.taken.contains("[y/N]"));
        QCOMPARE(stage.received("provider.trust").size(), 0);
        CliRun yes(*stage.client, words(QStringLiteral("provider trust e2b")), atTerminal(),
                   QStringLiteral("y"));
        QVERIFY(yes.waitForEnd());
        QCOMPARE(*yes.code, 0);
        QCOMPARE(stage.received("provider.trust").size(), 1);
        const json sent = stage.received("provider.trust")[0];
        QVERIFY(sent["origins"] == json({"https://own.example"}));
        QVERIFY(sent["variables"] == json({"OTHER_SECRET"}));
        CliRun again(*stage.client, words(QStringLiteral("provider trust e2b")));
        QVERIFY(again.waitForEnd());
        QCOMPARE(*again.code, 0);
        QVERIFY(again.out.taken.contains("asks for nothing"));
    }

    void trustInScripts_data() { transports(); }
    void trustInScripts()
    {
        Stage stage;
        stage.engine.onEngine(makeKeyed);
        CliRun run(*stage.client, words(QStringLiteral("provider trust e2b --yes --json")));
        QVERIFY(run.waitForEnd());
        QCOMPARE(*run.code, 0);
        QVERIFY(run.json()["unconfirmed_origins"].empty());
        QCOMPARE(stage.received("provider.trust").size(), 1);
    }

    void keyIsTypedUnseen_data() { transports(); }
    void keyIsTypedUnseen()
    {
        Stage stage;
        stage.engine.onEngine(makeKeyed);
        CliRun run(*stage.client, words(QStringLiteral("provider key e2b")), atTerminal(), kCanary);
        QVERIFY(run.waitForEnd());
        QVERIFY2(*run.code == 0, run.told().constData());
        QCOMPARE(run.hiddenQuestions, 1);
        QCOMPARE(run.questions, 0);
        QVERIFY(run.err.taken.contains("API key of e2b"));
        const json sent = stage.received("provider.store_key")[0];
        QCOMPARE(sent["key"].get<std::string>(), kCanary.toStdString());
        QCOMPARE(sent["field"].get<std::string>(), std::string("api_key"));
        QVERIFY(!(run.out.taken + run.err.taken).contains(kCanary.toUtf8()));
        // From a pipe, and taken away again.
        CliRun piped(*stage.client, words(QStringLiteral("provider key e2b --json")), {}, kCanary);
        QVERIFY(piped.waitForEnd());
        QCOMPARE(*piped.code, 0);
        QCOMPARE(piped.questions, 1);
        QVERIFY(!piped.out.taken.contains(kCanary.toUtf8()));
        CliRun removed(*stage.client, words(QStringLiteral("provider key e2b --remove")));
        QVERIFY(removed.waitForEnd());
        QCOMPARE(stage.received("provider.store_key").back()["key"].get<std::string>(),
                 std::string());
        CliRun empty(*stage.client, words(QStringLiteral("provider key e2b")), {}, QString());
        QVERIFY(empty.waitForEnd());
        QVERIFY(*empty.code != 0);
        QCOMPARE(stage.received("provider.store_key").size(), 3);
    }

    void keyIntoTheFile_data() { transports(); }
    void keyIntoTheFile()
    {
        Stage stage;
        stage.engine.onEngine(makeKeyed);
        CliRun run(*stage.client, words(QStringLiteral("provider key e2b --file")), {}, kCanary);
        QVERIFY(run.waitForEnd());
        QCOMPARE(*run.code, 0);
        QCOMPARE(stage.received("provider.save")[0]["values"]["api_key"].get<std::string>(),
                 kCanary.toStdString());
        QCOMPARE(stage.received("provider.store_key").size(), 0);
    }

    void noKeyOnTheCommandLine_data() { transports(); }
    void noKeyOnTheCommandLine()
    {
        Stage stage;
        stage.engine.onEngine(makeKeyed);
        for (const char *verb : {"set", "test"}) {
            CliRun run(*stage.client,
                       {QStringLiteral("provider"), QString::fromLatin1(verb),
                        QStringLiteral("e2b"), QStringLiteral("api_key=") + kCanary});
            QVERIFY(run.waitForEnd());
            QVERIFY(*run.code != 0);
            QVERIFY2(run.err.taken.contains("provider key e2b"), run.told().constData());
            QVERIFY(!run.err.taken.contains(kCanary.toUtf8()));
        }
        QCOMPARE(stage.received("provider.save").size() + stage.received("provider.test").size(),
                 0);
        CliRun reference(*stage.client,
                         {QStringLiteral("provider"), QStringLiteral("set"), QStringLiteral("e2b"),
                          QStringLiteral("api_key=${E2B_API_KEY}")});
        QVERIFY(reference.waitForEnd());
        QCOMPARE(*reference.code, 0);
    }

    void showTellsWhereTheKeyIs_data() { transports(); }
    void showTellsWhereTheKeyIs()
    {
        Stage stage;
        stage.engine.onEngine(makeKeyed);
        CliRun show(*stage.client, words(QStringLiteral("provider show e2b")));
        QVERIFY(show.waitForEnd());
        QVERIFY2(show.out.taken.contains("environment:E2B_API_KEY")
                     && show.out.taken.contains("\xe2\x80\xa6"
                                                "7f3a"),
                 show.told().constData());
        stage.engine.onEngine([](ScriptedEngine &engine) {
            engine.form.fields[0].origin = QStringLiteral("missing");
            engine.form.fields[0].hint.clear();
        });
        CliRun missing(*stage.client, words(QStringLiteral("provider show e2b")));
        QVERIFY(missing.waitForEnd());
        QVERIFY2(missing.out.taken.contains("missing (E2B_API_KEY)"), missing.told().constData());
    }
};

QTEST_GUILESS_MAIN(TestProviderKeys)
#include "test_provider_keys.moc"
