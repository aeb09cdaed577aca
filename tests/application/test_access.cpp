// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens of the HTTP API, grants, and whom the agents know.
#include "engine_house.h"

#include "application/access/access_facts.h"
#include "application/access/access_service.h"
#include "storage/connection.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::test;

namespace {

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

} // namespace

class AccessTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<EngineHouse> m_house;
    std::unique_ptr<EngineClient> m_other;

    template <typename Command>
    Result<typename Command::Reply> askAs(ClientKind kind, const Command &command)
    {
        m_other = std::make_unique<InProcessClient>(*m_house->berth, m_house->berth.get(), kind);
        waitUntil([this] { return m_other->isConnected(); });
        std::optional<Result<typename Command::Reply>> answer;
        deliver(m_other.get(), *m_other, command,
                [&answer](const Result<typename Command::Reply> &reply) { answer.emplace(reply); });
        waitUntil([&answer] { return answer.has_value(); });
        m_other.reset();
        return *answer;
    }
    Result<MintedToken> mint(const QStringList &scopes, const char *user = "",
                             const char *agent = "") const
    {
        NewToken command;
        command.name = s("ci");
        command.user = s(user);
        command.scopes = scopes;
        command.agent = domain::AgentId(s(agent));
        return m_house->ask(command);
    }
    Result<SecurityView> setPolicy(const char *document) const
    {
        return m_house->ask(SetSecurity{domain::AgentId(s("default")), s(document)});
    }
    std::shared_ptr<const AccessFacts> facts() const
    {
        return m_house->berth->accessTable()->facts();
    }

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        m_house =
            std::make_unique<EngineHouse>(m_directory->path(), std::make_shared<ScriptedEngine>());
    }
    void cleanup()
    {
        m_other.reset();
        m_house.reset();
    }

    void aTokenIsToldOnceAndKeptAsAHash()
    {
        const Result<MintedToken> minted = mint({s("run"), s("read")}, "bob");
        BERTH_OK(minted);
        QCOMPARE(minted->token.scopes, (QStringList{s("read"), s("run")}));
        const QByteArray secret = minted->secret.exposeForWire();
        QVERIFY(secret.size() > 30);
        const Result<TokenView> known = m_house->ask(CheckToken{minted->secret});
        BERTH_OK(known);
        QCOMPARE(known->user, s("bob"));
        BERTH_FAILS(m_house->ask(CheckToken{domain::Secret("berth_nobody-has-this")}),
                    ErrorKind::NotFound);
        BERTH_FAILS(m_house->ask(CheckToken{domain::Secret()}), ErrorKind::NotFound);
        m_house->restart();
        BERTH_OK(m_house->ask(CheckToken{domain::Secret(secret)}));
        QCOMPARE(m_house->ask(ListTokens{})->tokens.size(), 1);
        m_house->close(false);
        for (const char *name : {"berth.db", "berth.db-wal"}) {
            QFile file(m_directory->filePath(s(name)));
            if (file.open(QIODevice::ReadOnly))
                QVERIFY2(!file.readAll().contains(secret), name);
        }
    }

    void wrongTokens_data()
    {
        QTest::addColumn<QStringList>("scopes");
        QTest::addColumn<QString>("user");
        QTest::addColumn<QString>("agent");
        QTest::addColumn<int>("kind");
        const auto row = [](const char *name, const QStringList &scopes, const char *user,
                            const char *agent, ErrorKind kind) {
            QTest::newRow(name) << scopes << s(user) << s(agent) << static_cast<int>(kind);
        };
        row("nothing", {}, "", "", ErrorKind::InvalidInput);
        row("unknown scope", {s("root")}, "", "", ErrorKind::InvalidInput);
        row("approve", {s("read"), s("approve")}, "", "", ErrorKind::Forbidden);
        row("admin", {s("admin")}, "", "", ErrorKind::Forbidden);
        row("user", {s("read")}, "no one", "", ErrorKind::InvalidInput);
        row("agent", {s("read")}, "", "nobody", ErrorKind::NotFound);
    }
    void wrongTokens()
    {
        QFETCH(QStringList, scopes);
        QFETCH(QString, user);
        QFETCH(QString, agent);
        QFETCH(int, kind);
        const auto made = mint(scopes, user.toUtf8().constData(), agent.toUtf8().constData());
        BERTH_FAILS(made, static_cast<ErrorKind>(kind));
        QVERIFY(m_house->ask(ListTokens{})->tokens.isEmpty());
    }

    void onlyTheWindowGrants()
    {
        SetApi grant;
        grant.grantApprove = true;
        BERTH_FAILS(askAs(ClientKind::Cli, grant), ErrorKind::Forbidden);
        BERTH_FAILS(askAs(ClientKind::Api, grant), ErrorKind::Forbidden);
        BERTH_FAILS(askAs(ClientKind::Api, GetApi{}), ErrorKind::Forbidden);
        BERTH_FAILS(askAs(ClientKind::Api, ListTokens{}), ErrorKind::Forbidden);
        NewToken make;
        make.name = s("x");
        make.scopes = {s("read")};
        BERTH_FAILS(askAs(ClientKind::Api, make), ErrorKind::Forbidden);
        BERTH_FAILS(askAs(ClientKind::Api, RevokeToken{s("x")}), ErrorKind::Forbidden);
        BERTH_OK(askAs(ClientKind::Cli, make));
        QVERIFY(!m_house->ask(GetApi{})->grantApprove);
    }

    void whatIsTakenBackEndsAtOnce()
    {
        SetApi grant;
        grant.grantApprove = true;
        grant.grantAdmin = true;
        BERTH_OK(m_house->ask(grant));
        const Result<MintedToken> minted = mint({s("read"), s("approve"), s("admin")});
        BERTH_OK(minted);
        QCOMPARE(facts()->scopesOf(facts()->tokens.first()).size(), 3);
        m_house->restart();
        QVERIFY(m_house->ask(GetApi{})->grantAdmin);
        m_house->events.clear();
        BERTH_OK(m_house->ask(SetApi{}));
        QCOMPARE(facts()->scopesOf(facts()->tokens.first()), QStringList{s("read")});
        QCOMPARE(m_house->ask(CheckToken{minted->secret})->scopes, QStringList{s("read")});
        QVERIFY(waitUntil([this] {
            return std::any_of(
                m_house->events.cbegin(), m_house->events.cend(),
                [](const Event &event) { return std::holds_alternative<ApiChanged>(event.body); });
        }));
        // Granted again, it has them again: they are its scopes.
        BERTH_OK(m_house->ask(grant));
        QCOMPARE(m_house->ask(CheckToken{minted->secret})->scopes.size(), 3);
    }

    void aPolicyThroughTheApiNeedsTheGrant()
    {
        const SetSecurity set{domain::AgentId(s("default")), s("{\"autonomy_level\":\"full\"}")};
        BERTH_FAILS(askAs(ClientKind::Api, set), ErrorKind::Forbidden);
        SaveAgent save;
        save.agent.id = domain::AgentId(s("default"));
        save.agent.name = s("Renamed");
        BERTH_FAILS(askAs(ClientKind::Api, save), ErrorKind::Forbidden);
        BERTH_OK(askAs(ClientKind::Cli, save));
        BERTH_FAILS(askAs(ClientKind::Api, RemoveAgent{domain::AgentId(s("default"))}),
                    ErrorKind::Forbidden);
        SaveAgent add;
        add.isNew = true;
        add.agent.name = s("Added");
        add.sandbox = s("none");
        BERTH_OK(askAs(ClientKind::Api, add));
        BERTH_FAILS(askAs(ClientKind::Api, RemoveAgent{domain::AgentId(s("added"))}),
                    ErrorKind::Forbidden);
        save.agent.autonomy = s("full");
        BERTH_FAILS(askAs(ClientKind::Api, save), ErrorKind::Forbidden);
        BERTH_FAILS(askAs(ClientKind::Api, SetSkills{domain::AgentId(s("default")), {}}),
                    ErrorKind::Forbidden);
        SetApi grant;
        grant.grantAdmin = true;
        BERTH_OK(m_house->ask(grant));
        BERTH_OK(askAs(ClientKind::Api, set));
        BERTH_OK(askAs(ClientKind::Api, save));
        BERTH_OK(askAs(ClientKind::Api, RemoveAgent{domain::AgentId(s("added"))}));
        BERTH_OK(askAs(ClientKind::Api, SetSkills{domain::AgentId(s("default")), {}}));
    }

    void aRevokedTokenOpensNothing()
    {
        const Result<MintedToken> minted = mint({s("read")});
        BERTH_OK(minted);
        BERTH_FAILS(m_house->ask(RevokeToken{s("another")}), ErrorKind::NotFound);
        const Result<TokenList> left = m_house->ask(RevokeToken{minted->token.id});
        BERTH_OK(left);
        QVERIFY(left->tokens.isEmpty());
        BERTH_FAILS(m_house->ask(CheckToken{minted->secret}), ErrorKind::NotFound);
        QVERIFY(facts()->tokens.isEmpty());
        m_house->restart();
        BERTH_FAILS(m_house->ask(CheckToken{minted->secret}), ErrorKind::NotFound);
    }

    //! \a statement on the file itself, beside the Engine.
    void disturb(const char *statement) const
    {
        const auto file = storage::Connection::open(m_directory->filePath(s("berth.db")),
                                                    storage::Connection::Mode::ReadWrite);
        BERTH_OK(file);
        BERTH_OK((*file)->execute(s(statement)));
    }

    void whatCouldNotBeStoredIsTakenAwayAgain()
    {
        const Result<MintedToken> minted = mint({s("read")});
        BERTH_OK(minted);
        SetApi grant;
        grant.grantAdmin = true;
        BERTH_OK(m_house->ask(grant));
        disturb("CREATE TRIGGER stuck BEFORE DELETE ON tokens BEGIN SELECT RAISE(FAIL, 'no'); END");
        disturb("CREATE TRIGGER held BEFORE UPDATE OF api_grant_admin ON installation "
                "BEGIN SELECT RAISE(FAIL, 'no'); END");
        const Result<TokenList> failed = m_house->ask(RevokeToken{minted->token.id});
        QVERIFY(!failed);
        QVERIFY2(failed.error().detail.contains(s("Revoke it again")), told(failed).constData());
        BERTH_FAILS(m_house->ask(CheckToken{minted->secret}), ErrorKind::NotFound);
        QCOMPARE(m_house->ask(ListTokens{})->tokens.size(), 1);
        QVERIFY(!m_house->ask(RevokeToken{minted->token.id}));
        const Result<ApiView> kept = m_house->ask(SetApi{});
        QVERIFY(!kept);
        QVERIFY2(kept.error().detail.contains(s("Set it again")), told(kept).constData());
        QVERIFY(!m_house->ask(GetApi{})->grantAdmin);
        disturb("DROP TRIGGER stuck");
        disturb("DROP TRIGGER held");
        const Result<TokenList> left = m_house->ask(RevokeToken{minted->token.id});
        BERTH_OK(left);
        QVERIFY(left->tokens.isEmpty());
        BERTH_FAILS(m_house->ask(RevokeToken{minted->token.id}), ErrorKind::NotFound);
        BERTH_OK(m_house->ask(SetApi{}));
        m_house->restart();
        BERTH_FAILS(m_house->ask(CheckToken{minted->secret}), ErrorKind::NotFound);
        QVERIFY(!m_house->ask(GetApi{})->grantAdmin);
    }

    void tokensGoWithTheirAgent()
    {
        SaveAgent save;
        save.isNew = true;
        save.agent.name = s("Coder");
        save.sandbox = s("none");
        BERTH_OK(m_house->ask(save));
        BERTH_OK(mint({s("read")}, "", "coder"));
        QCOMPARE(facts()->tokens.size(), 1);
        BERTH_OK(m_house->ask(RemoveAgent{domain::AgentId(s("coder"))}));
        QVERIFY(facts()->tokens.isEmpty());
        BERTH_OK(m_house->ask(save));
        m_house->restart();
        QVERIFY(facts()->tokens.isEmpty());
    }

    void membersOfTheDocument()
    {
        const domain::AgentId agent(s("default"));
        BERTH_OK(setPolicy("{\"members\":{\"bob\":\"admin\",\"eve\":\"guest\"}}"));
        QVERIFY(facts()->roleOf(s("bob"), agent) == Role::Admin);
        QVERIFY(facts()->roleOf(s("eve"), agent) == Role::Guest);
        QVERIFY(!facts()->roleOf(s("mallory"), agent));
        QVERIFY(!facts()->roleOf(s("bob"), domain::AgentId(s("another"))));
        QVERIFY(facts()->roleOf(QString(), agent) == Role::Owner);
        // Who does not speak of them keeps them; the form does not.
        BERTH_OK(setPolicy("{\"access\":\"public\"}"));
        QVERIFY(facts()->roleOf(s("bob"), agent) == Role::Admin);
        QVERIFY(facts()->roleOf(s("mallory"), agent) == Role::Guest);
        for (const char *wrong :
             {"{\"members\":[\"bob\"]}", "{\"members\":{\"bob\":\"owner\"}}",
              "{\"members\":{\"bob\":7}}", "{\"members\":{\"b b\":\"user\"}}"}) {
            BERTH_FAILS(setPolicy(wrong), ErrorKind::InvalidInput);
        }
        QVERIFY(facts()->roleOf(s("bob"), agent) == Role::Admin);
        BERTH_OK(setPolicy("{\"members\":{}}"));
        QVERIFY(!facts()->roleOf(s("bob"), agent));
        m_house->restart();
        QVERIFY(!facts()->roleOf(s("bob"), agent));
    }

    void joining()
    {
        const domain::AgentId agent(s("default"));
        const auto join = [&](const char *user, const char *token) {
            return await(
                m_house->berth->accessTable()->join(agent, s(user), domain::Secret(token)));
        };
        BERTH_FAILS(join("bob", ""), ErrorKind::NotFound);
        BERTH_OK(setPolicy("{\"access\":\"protected\",\"access_token\":\"sesame-sesame\","
                           "\"members\":{\"eve\":\"guest\"}}"));
        BERTH_FAILS(join("bob", "wrong"), ErrorKind::NotFound);
        const Result<Role> joined = join("bob", "sesame-sesame");
        BERTH_OK(joined);
        QVERIFY(*joined == Role::User);
        // A role is not changed by joining.
        QVERIFY(*join("eve", "sesame-sesame") == Role::Guest);
        m_house->restart();
        QVERIFY(facts()->roleOf(s("bob"), agent) == Role::User);
        BERTH_OK(setPolicy("{\"access\":\"public\"}"));
        QVERIFY(*join("mallory", "") == Role::Guest);
        BERTH_FAILS(await(m_house->berth->accessTable()->join(domain::AgentId(s("nobody")),
                                                              s("bob"), domain::Secret())),
                    ErrorKind::NotFound);
    }

    void whoBeganAThread()
    {
        const Started thread = m_house->newThread();
        BERTH_OK(await(m_house->berth->accessTable()->noteThread(thread.thread, s("bob"))));
        QCOMPARE(facts()->threadUsers.value(thread.thread), s("bob"));
        m_house->restart();
        QCOMPARE(facts()->threadUsers.value(thread.thread), s("bob"));
    }

    void whoServesIsTold()
    {
        m_house->berth->setApiServing(s("127.0.0.1:8420"), {});
        QCOMPARE(m_house->ask(GetApi{})->address, s("127.0.0.1:8420"));
        QList<bool> said;
        connect(m_house->berth.get(), &Engine::apiEnabledChanged, this,
                [&said](bool enabled) { said << enabled; });
        SetApi on;
        on.enabled = true;
        BERTH_OK(m_house->ask(on));
        BERTH_OK(m_house->ask(on));
        BERTH_OK(m_house->ask(SetApi{}));
        QCOMPARE(said, (QList<bool>{true, false}));
    }
};

QTEST_GUILESS_MAIN(AccessTest)
#include "test_access.moc"
