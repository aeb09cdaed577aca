// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the owner does by the command line: skills, tokens, a look whether all is well, completions.
#include "cli/completions.h"
#include "cli/registry.h"
#include "cli/support/cli_run.h"
#include "cli/verbs/serve.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>

#include <nlohmann/json.hpp>

using namespace berth;
using namespace berth::application;
using namespace berth::test;
using nlohmann::json;

namespace {

QStringList split(const char *line)
{
    return QString::fromUtf8(line).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

class TestOwner : public QObject
{
    Q_OBJECT

    //! An Engine that keeps skills and tokens.
    static void keep(ScriptedEngine &engine)
    {
        const auto skills = std::make_shared<SkillList>();
        skills->agent = domain::AgentId(QStringLiteral("default"));
        engine.players.insert(QString::fromLatin1(ListSkills::kName),
                              [skills](const ScriptedEngine::Ask &asked) { asked.reply(*skills); });
        engine.players.insert(QString::fromLatin1(SetSkills::kName),
                              [skills](const ScriptedEngine::Ask &asked) {
                                  skills->skills = decode<SetSkills>(asked.arguments)->skills;
                                  skills->pending = {QStringLiteral("docker-1")};
                                  asked.reply(*skills);
                              });
        const auto tokens = std::make_shared<TokenList>();
        engine.players.insert(QString::fromLatin1(ListTokens::kName),
                              [tokens](const ScriptedEngine::Ask &asked) { asked.reply(*tokens); });
        engine.players.insert(QString::fromLatin1(NewToken::kName),
                              [tokens](const ScriptedEngine::Ask &asked) {
                                  const auto command = decode<NewToken>(asked.arguments);
                                  MintedToken minted;
                                  minted.token.id = QStringLiteral("t-1");
                                  minted.token.name = command->name;
                                  minted.token.user = command->user;
                                  minted.token.scopes = command->scopes;
                                  minted.secret = domain::Secret("berth_the-token-itself");
                                  tokens->tokens.append(minted.token);
                                  asked.reply(minted);
                              });
        engine.players.insert(QString::fromLatin1(RevokeToken::kName),
                              [tokens](const ScriptedEngine::Ask &asked) {
                                  tokens->tokens.clear();
                                  asked.reply(*tokens);
                              });
    }

private Q_SLOTS:
    void skills_data() { transports(); }
    void skills()
    {
        Stage stage;
        stage.engine.onEngine(keep);
        CliRun add(*stage.client, split("agent skills default add notes some/folder"));
        QVERIFY(add.waitForEnd());
        QVERIFY2(*add.code == 0 && add.out.taken.contains("notes"), add.told().constData());
        QVERIFY2(add.err.taken.contains("docker-1"), add.told().constData());
        // The Engine may have another working directory.
        const std::string source = stage.received("agent.set_skills").back()["skills"][0]["source"];
        QCOMPARE(QString::fromStdString(source),
                 QDir::current().absoluteFilePath(QStringLiteral("some/folder")));
        CliRun more(*stage.client, split("agent skills default add maths /m --json"));
        QVERIFY(more.waitForEnd());
        QCOMPARE(more.json()["skills"].size(), size_t(2));
        CliRun gone(*stage.client, split("agent skills default remove notes"));
        QVERIFY(gone.waitForEnd());
        QCOMPARE(stage.received("agent.set_skills").back()["skills"].size(), size_t(1));
        CliRun unknown(*stage.client, split("agent skills default remove notes"));
        QVERIFY(unknown.waitForEnd());
        QVERIFY(*unknown.code != 0);
        CliRun set(*stage.client, split("agent skills default set a=/x b=/y"));
        QVERIFY(set.waitForEnd());
        QCOMPARE(stage.received("agent.set_skills").back()["skills"].size(), size_t(2));
        CliRun none(*stage.client, split("agent skills default set"));
        QVERIFY(none.waitForEnd());
        QCOMPARE(stage.received("agent.set_skills").back()["skills"].size(), size_t(0));
        const auto before = stage.received("agent.set_skills").size();
        for (const char *wrong :
             {"agent skills default add one", "agent skills default set /x",
              "agent skills default list more", "agent skills default take x"}) {
            CliRun run(*stage.client, split(wrong));
            QVERIFY(run.waitForEnd());
            QVERIFY2(*run.code == 64, wrong);
        }
        QCOMPARE(stage.received("agent.set_skills").size(), before);
    }

    void tokens_data() { transports(); }
    void tokens()
    {
        Stage stage;
        stage.engine.onEngine(keep);
        CliRun made(*stage.client, split("token new --name ci --scopes read,run --user bob"));
        QVERIFY(made.waitForEnd());
        // Alone on standard output, for a pipe.
        QCOMPARE(made.out.taken, QByteArray("berth_the-token-itself\n"));
        const json asked = stage.received("token.new").back();
        QVERIFY(asked["scopes"] == json::array({"read", "run"}));
        QCOMPARE(asked["user"].get<std::string>(), std::string("bob"));
        CliRun list(*stage.client, split("token list"));
        QVERIFY(list.waitForEnd());
        QVERIFY2(list.out.taken.contains("bob") && list.out.taken.contains("read,run"),
                 list.told().constData());
        QVERIFY(!list.out.taken.contains("itself"));
        CliRun nobody(*stage.client, split("token revoke other"));
        QVERIFY(nobody.waitForEnd());
        QVERIFY(*nobody.code != 0 && stage.received("token.revoke").isEmpty());
        CliRun revoked(*stage.client, split("token revoke ci"));
        QVERIFY(revoked.waitForEnd());
        QCOMPARE(*revoked.code, 0);
        QCOMPARE(stage.received("token.revoke").back()["token_id"].get<std::string>(),
                 std::string("t-1"));
    }

    void whoMakesWhichToken()
    {
        QVERIFY(cli::isServeVerb(cli::parseOptions(split("token new"))));
        QVERIFY(cli::isServeVerb(cli::parseOptions(split("token show"))));
        QVERIFY(!cli::isServeVerb(cli::parseOptions(split("token new --name x"))));
        QVERIFY(!cli::isServeVerb(cli::parseOptions(split("token list"))));
        QVERIFY(cli::isServeVerb(cli::parseOptions(split("backup /x"))));
        QVERIFY(!cli::isServeVerb(cli::parseOptions(split("doctor"))));
    }

    //! An address that is set does not take the variable along that was confirmed for another.
    void aNewAddressConfirmsNoVariable()
    {
        EngineThread engine;
        engine.onEngine([](ScriptedEngine &scripted) {
            scripted.players.insert(QString::fromLatin1(ListModels::kName),
                                    [](const ScriptedEngine::Ask &asked) {
                                        ModelList list;
                                        ModelEndpointView one;
                                        one.name = QStringLiteral("mine");
                                        one.keyReference = QStringLiteral("${OPENAI_API_KEY}");
                                        one.baseUrl = QStringLiteral("https://api.openai.com/v1");
                                        list.endpoints.append(one);
                                        asked.reply(list);
                                    });
        });
        const std::unique_ptr<EngineClient> client = engine.inProcess();
        const auto saved = [&](const char *line) {
            CliRun run(*client, split(line));
            run.waitForEnd();
            json command;
            engine.onEngine([&command](ScriptedEngine &scripted) {
                const QByteArray text = scripted.received.last().second;
                command = json::parse(text.cbegin(), text.cend(), nullptr, false);
            });
            return command["endpoint"]["key_reference"].get<std::string>();
        };
        QCOMPARE(saved("model set mine --url https://evil.example/v1"),
                 std::string("\xe2\x80\xa6"));
        QCOMPARE(saved("model set mine --url https://evil.example/v1 --key-from-env OTHER"),
                 std::string("${OTHER}"));
    }

    void completionsKnowEveryVerb_data()
    {
        QTest::addColumn<QString>("shell");
        QTest::newRow("bash") << QStringLiteral("bash");
        QTest::newRow("zsh") << QStringLiteral("zsh");
        QTest::newRow("fish") << QStringLiteral("fish");
    }
    void completionsKnowEveryVerb()
    {
        QFETCH(QString, shell);
        const QByteArray script = cli::completionScript(shell);
        for (const cli::VerbSpec &spec : cli::verbs()) {
            QVERIFY2(script.contains(spec.noun.toUtf8()), qPrintable(spec.name()));
            QVERIFY2(script.contains(spec.verb.toUtf8()), qPrintable(spec.name()));
            for (const cli::OptionSpec &option : spec.options) {
                QString name = option.name;
                name.remove(0, name.startsWith(QLatin1String("--")) ? 2 : 1);
                QVERIFY2(script.contains(name.toUtf8()), qPrintable(option.name));
            }
        }
        QVERIFY(cli::completionScript(QStringLiteral("tcsh")).isEmpty());
    }

    //! In a real bash: what would be offered.
    void bashOffers_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("offered");
        QTest::newRow("nouns") << QStringLiteral("berth-cli ag") << QStringLiteral("agent");
        QTest::newRow("verbs") << QStringLiteral("berth-cli agent sk") << QStringLiteral("skills");
        QTest::newRow("options") << QStringLiteral("berth-cli token new --sc")
                                 << QStringLiteral("--scopes");
        QTest::newRow("behind an option")
            << QStringLiteral("berth-cli --data-dir /x runtime pau") << QStringLiteral("pause");
        QTest::newRow("a noun alone")
            << QStringLiteral("berth-cli serve --li") << QStringLiteral("--listen");
    }
    void bashOffers()
    {
        QFETCH(QString, words);
        QFETCH(QString, offered);
        QTemporaryDir folder;
        QFile script(folder.filePath(QStringLiteral("completions")));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(cli::completionScript(QStringLiteral("bash")));
        script.close();
        QProcess bash;
        bash.start(QStringLiteral("bash"),
                   {QStringLiteral("-c"),
                    QStringLiteral(". \"$1\"; COMP_WORDS=($2); COMP_CWORD=$((${#COMP_WORDS[@]} - "
                                   "1)); _berth_cli; echo \"${COMPREPLY[@]}\""),
                    QStringLiteral("bash"), script.fileName(), words});
        QVERIFY(bash.waitForFinished(20'000));
        QCOMPARE(bash.readAllStandardError(), QByteArray());
        QCOMPARE(QString::fromUtf8(bash.readAllStandardOutput().trimmed()), offered);
    }

    //! The man page, too, or the noun of the verb.
    void theManPageKnowsEveryNoun()
    {
        QFile page(QStringLiteral(BERTH_MAN_PAGE));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QByteArray text = page.readAll();
        for (const cli::VerbSpec &spec : cli::verbs())
            QVERIFY2(text.contains(spec.noun.toUtf8()), qPrintable(spec.noun));
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestOwner)
#include "test_owner.moc"
