// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/engine/engine.h"
#include "application/in_process_client.h"
#include "application/providers/references.h"
#include "application/providers/resolved_config.h"
#include "domain/log.h"
#include "keyed_provider.h"
#include "storage/storage.h"
#include "support/await.h"

#include <QtCore/QDir>
#include <QtCore/QDirIterator>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::application;
using namespace berth::test;
using domain::ConfigName;
using domain::ErrorKind;
using domain::Secret;

namespace {

const ConfigName kKeyed(QStringLiteral("keyed"));
const QString kKey = QStringLiteral("api_key");
const QString kUrl = QStringLiteral("api_url");

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

//! A whole Engine with the one kind, and everything that it told its client.
class KeyHouse
{
public:
    explicit KeyHouse(QString directory) : m_directory(std::move(directory)) {}
    ~KeyHouse() { close(); }

    //! JSON with ' for ".
    void write(QByteArray json)
    {
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(json.replace('\'', '"'));
    }
    [[nodiscard]] QString path() const { return m_directory + s("/sandboxes/keyed.json"); }
    [[nodiscard]] QByteArray file() const
    {
        QFile file(path());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    void open(ClientKind clientKind = ClientKind::Window)
    {
        const storage::StoragePaths paths{m_directory + s("/berth.db"),
                                          m_directory + s("/sandbox.db"),
                                          m_directory + s("/backups")};
        auto opened = await(storage::openStorage(paths));
        if (!opened)
            qFatal("%s", told(opened).constData());
        storage = std::move(*opened);
        EngineSettings settings;
        settings.paths = {m_directory, m_directory + s("/sandboxes"), m_directory + s("/output"),
                          m_directory};
        QDir().mkpath(settings.paths.output);
        settings.environment = [this](const QString &name) {
            return environment.contains(name) ? std::optional(environment.value(name))
                                              : std::nullopt;
        };
        settings.keyStore = keys;
        settings.trust = &storage->trust();
        berth = std::make_unique<Engine>(storage->berth(), storage->leases(), storage->processes(),
                                         domain::ProviderKinds{std::make_shared<KeyedKind>(world)},
                                         settings);
        const auto started = await(berth->start());
        if (!started)
            qFatal("%s", told(started).constData());
        client = std::make_unique<InProcessClient>(*berth, berth.get(), clientKind);
        QObject::connect(client.get(), &EngineClient::event, client.get(),
                         [this](const Event &event) { said << toJson(event); });
        waitUntil([this] { return client->isConnected(); });
    }
    void close()
    {
        if (!berth)
            return;
        client.reset();
        spin(std::chrono::milliseconds(1));
        await(berth->shutDown(false));
        berth.reset();
        await(storage->close());
        storage.reset();
    }
    void restart()
    {
        close();
        open();
    }

    template <typename Command>
    Result<typename Command::Reply> ask(const Command &command)
    {
        auto answer = std::make_shared<std::optional<Result<typename Command::Reply>>>();
        deliver(client.get(), *client, command,
                [answer](const Result<typename Command::Reply> &reply) { answer->emplace(reply); });
        if (!waitUntil([answer] { return answer->has_value(); }))
            return failure(ErrorKind::Timeout, s("the test waited in vain"));
        if (**answer)
            said << encode(***answer).json;
        else
            said << told(**answer);
        return **answer;
    }
    ProviderForm form()
    {
        const auto answer = ask(GetProviderForm{kKeyed});
        return answer ? *answer : ProviderForm{};
    }
    FieldView key() { return field(kKey); }
    FieldView field(const QString &name)
    {
        for (const FieldView &one : form().fields) {
            if (one.key == name)
                return one;
        }
        return {};
    }
    ProviderView view()
    {
        const auto answer = ask(ListProviders{});
        return answer && !answer->providers.isEmpty() ? answer->providers.first() : ProviderView{};
    }
    bool comesTo(ProviderState state)
    {
        return waitUntil([&] { return view().state == state; }, std::chrono::seconds(5));
    }
    //! The key that the last provider was made with.
    QByteArray used() const
    {
        return world->made.isEmpty() ? QByteArray()
                                     : world->made.last().secrets.value(kKey).exposeForWire();
    }
    Result<Started> newThread()
    {
        NewThread command;
        command.agent = domain::AgentId(s("default"));
        command.config = kKeyed;
        command.text = s("!true");
        return ask(command);
    }

    std::shared_ptr<KeyedWorld> world = std::make_shared<KeyedWorld>();
    std::shared_ptr<FakeKeyStore> keys;
    QMap<QString, QString> environment;
    //! Every answer, error and event.
    QList<QByteArray> said;
    std::unique_ptr<EngineClient> client;
    std::unique_ptr<storage::Storage> storage;
    std::unique_ptr<Engine> berth;

private:
    QString m_directory;
};

} // namespace

class ProviderKeysTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<KeyHouse> m_house;

    void makeKeyStore() { m_house->keys = std::make_shared<FakeKeyStore>(); }
    QStringList filesWith(const QByteArray &text) const
    {
        QStringList found;
        QDirIterator files(m_directory->path(), QDir::Files | QDir::Hidden,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly) && file.readAll().contains(text))
                found << files.fileName();
        }
        return found;
    }

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        QDir(m_directory->path()).mkdir(s("sandboxes"));
        m_house = std::make_unique<KeyHouse>(m_directory->path());
    }
    void cleanup()
    {
        m_house.reset();
        m_directory.reset();
    }

    void theOrderOfPlaces()
    {
        KeyHouse &house = *m_house;
        makeKeyStore();
        house.environment = {{s("KEYED_API_KEY"), s("from-environment-1111")},
                             {s("KEYED_TOKEN"), s("from-environment-2222")}};
        house.keys->entries.insert(kKeyed, Secret("from-key-store-3333"));
        house.write("{'provider':'keyed','keyed':{'api_key':'from-the-file-4444'}}");
        house.open();
        QVERIFY(house.comesTo(ProviderState::Ready));
        QCOMPARE(house.used(), QByteArray("from-the-file-4444"));
        QCOMPARE(house.key().origin, s("file"));
        QCOMPARE(house.key().hint, QStringLiteral("\u20264444"));
        QCOMPARE(house.key().value, QString());
        QCOMPARE(house.keys->reads, 0); // nobody is asked to unlock anything for it

        BERTH_OK(house.ask(SaveProvider{kKeyed, {{kKey, QString()}}}));
        QVERIFY(house.comesTo(ProviderState::Ready));
        QCOMPARE(house.used(), QByteArray("from-key-store-3333"));
        QCOMPARE(house.key().origin, s("key_store"));
        QVERIFY(house.form().hasKeyStore);

        BERTH_OK(house.ask(StoreProviderKey{kKeyed, kKey, Secret()}));
        QVERIFY(house.comesTo(ProviderState::Ready));
        QCOMPARE(house.used(), QByteArray("from-environment-1111"));
        QCOMPARE(house.key().origin, s("environment:KEYED_API_KEY"));

        house.environment.remove(s("KEYED_API_KEY"));
        house.restart();
        QVERIFY(house.comesTo(ProviderState::Ready));
        QCOMPARE(house.key().origin, s("environment:KEYED_TOKEN"));
        // No secret among the values.
        QVERIFY(!house.world->made.last().values.contains(kKey));
    }

    void aMissingKeyNamesItsVariables()
    {
        KeyHouse &house = *m_house;
        makeKeyStore();
        house.write("{'provider':'keyed','keyed':{'api_key':'${KEYED_API_KEY}'}}");
        house.open();
        const ProviderView view = house.view();
        QCOMPARE(view.state, ProviderState::NeedsKey);
        QVERIFY(!view.usable);
        QCOMPARE(view.stateDetail, s("Set KEYED_API_KEY or KEYED_TOKEN, or store one in Settings"));
        QCOMPARE(house.key().origin, s("missing"));
        QCOMPARE(house.key().hint, QString());
        const auto started = house.newThread();
        BERTH_FAILS(started, ErrorKind::Unauthorized);
        QVERIFY(started.error().detail.contains(s("KEYED_API_KEY")));
        QVERIFY(house.world->made.isEmpty());
        BERTH_FAILS(house.ask(TestProvider{kKeyed, {}}), ErrorKind::Unauthorized);
    }

    void aKeyInTheFileStaysInTheEngine()
    {
        KeyHouse &house = *m_house;
        house.write("{'provider':'keyed','keyed':{'api_key':'literal-abcdef-9876'}}");
        QFile::setPermissions(house.path(),
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther);
        house.open();
        QVERIFY(house.form().json.contains(QStringLiteral("\"api_key\": \"\u2026\"")));
        // Untouched it stays, and the file becomes the user's own.
        BERTH_OK(house.ask(SaveProvider{kKeyed, {{s("template"), s("big")}}}));
        QVERIFY(house.file().contains("literal-abcdef-9876"));
        QVERIFY(house.file().contains("\"big\""));
        QVERIFY(!(QFile::permissions(house.path()) & QFile::ReadOther));
        const auto shown = house.ask(PreviewProvider{kKeyed, {{kKey, s("typed-just-now-5555")}}});
        BERTH_OK(shown);
        QVERIFY(shown->json.contains(QStringLiteral("\"api_key\": \"\u2026\"")));
        // A reference is no secret.
        const auto reference = house.ask(PreviewProvider{kKeyed, {{kKey, s("${KEYED_API_KEY}")}}});
        BERTH_OK(reference);
        QVERIFY(reference->json.contains(s("${KEYED_API_KEY}")));
        BERTH_OK(house.ask(SaveProvider{kKeyed, {{kKey, QString()}}}));
        QVERIFY(!house.file().contains("api_key"));
        for (const QByteArray &said : std::as_const(house.said)) {
            QVERIFY2(!said.contains("literal-abcdef") && !said.contains("typed-just-now"),
                     said.constData());
        }
    }

    void storesAKey()
    {
        KeyHouse &house = *m_house;
        makeKeyStore();
        house.environment = {{s("KEYED_API_KEY"), s("from-environment-1111")}};
        house.open();
        BERTH_FAILS(house.ask(StoreProviderKey{kKeyed, s("template"), Secret("x-long-enough")}),
                    ErrorKind::InvalidInput);
        BERTH_FAILS(house.ask(StoreProviderKey{kKeyed, kKey, Secret("two words")}),
                    ErrorKind::InvalidInput);
        BERTH_OK(house.ask(StoreProviderKey{kKeyed, kKey, Secret(" stored-key-7777\n")}));
        QVERIFY(house.file().contains("${keyring:berth/keyed}"));
        QVERIFY(!house.file().contains("stored-key"));
        QVERIFY(house.comesTo(ProviderState::Ready));
        QCOMPARE(house.used(), QByteArray("stored-key-7777"));
        QCOMPARE(house.key().value, s("${keyring:berth/keyed}"));
        QCOMPARE(house.key().origin, s("key_store"));
        house.restart();
        QVERIFY(house.comesTo(ProviderState::Ready));
        QCOMPARE(house.used(), QByteArray("stored-key-7777"));
        BERTH_OK(house.ask(StoreProviderKey{kKeyed, kKey, Secret()}));
        QVERIFY(house.keys->entries.isEmpty());
        QVERIFY(!house.file().contains("keyring"));
    }

    void withoutAKeyStore()
    {
        KeyHouse &house = *m_house;
        house.open();
        QVERIFY(!house.form().hasKeyStore);
        const auto stored = house.ask(StoreProviderKey{kKeyed, kKey, Secret("stored-key-7777")});
        BERTH_FAILS(stored, ErrorKind::Unsupported);
        QVERIFY(stored.error().detail.contains(s("KEYED_API_KEY")));
        QVERIFY(stored.error().detail.contains(house.path()));
        QCOMPARE(house.view().stateDetail,
                 s("Set KEYED_API_KEY or KEYED_TOKEN, or give one in Settings"));
    }

    void aLockedStoreHoldsNothingUp()
    {
        KeyHouse &house = *m_house;
        makeKeyStore();
        house.keys->locked = true;
        house.keys->entries.insert(kKeyed, Secret("from-key-store-3333"));
        house.open(); // answers although the store does not
        QCOMPARE(house.view().stateText, s("Waiting for the key store"));
        BERTH_FAILS(house.newThread(), ErrorKind::Unavailable);
        house.keys->locked = false;
        house.keys->opened.complete(true);
        QVERIFY(house.comesTo(ProviderState::Ready));
        QCOMPARE(house.used(), QByteArray("from-key-store-3333"));
    }

    void aRefusingStoreIsNamedAndPassedOver()
    {
        KeyHouse &house = *m_house;
        makeKeyStore();
        house.keys->fails =
            domain::Error{ErrorKind::Forbidden, s("The key store refused"), {}, {}, {}};
        house.open();
        QVERIFY(house.comesTo(ProviderState::NeedsKey));
        QVERIFY(house.view().stateDetail.contains(s("The key store refused")));
        house.close();
        house.environment = {{s("KEYED_TOKEN"), s("from-environment-2222")}};
        house.open();
        QVERIFY(house.comesTo(ProviderState::Ready));
    }

    void onlyItsOwnEntryAndOnlyInAKey()
    {
        KeyHouse &house = *m_house;
        makeKeyStore();
        house.open();
        for (const char *reference :
             {"${keyring:berth/docker}", "${keyring:other}", "x${keyring:berth/keyed}"})
            BERTH_FAILS(house.ask(SaveProvider{kKeyed, {{kKey, s(reference)}}}),
                        ErrorKind::InvalidInput);
        BERTH_FAILS(house.ask(SaveProvider{kKeyed, {{s("template"), s("${keyring:berth/keyed}")}}}),
                    ErrorKind::InvalidInput);
        BERTH_OK(house.ask(SaveProvider{kKeyed, {{kKey, s("${keyring:berth/keyed}")}}}));
    }

    void aChangedAddressAsksFirst()
    {
        KeyHouse &house = *m_house;
        Listener listener;
        house.environment = {{s("KEYED_API_KEY"), s("from-environment-1111")}};
        house.write("{'provider':'keyed','keyed':{'api_url':'" + listener.url().toUtf8()
                    + "/api'}}");
        house.open();
        QCOMPARE(house.view().state, ProviderState::NotSetUp);
        QCOMPARE(house.view().stateText, s("Needs your confirmation"));
        QVERIFY(!house.view().usable);
        QCOMPARE(house.view().unconfirmedOrigins, QStringList{listener.url()});
        BERTH_FAILS(house.ask(TestProvider{kKeyed, {}}), ErrorKind::Forbidden);
        const auto started = house.newThread();
        BERTH_FAILS(started, ErrorKind::Forbidden);
        QVERIFY(started.error().message.contains(listener.url()));
        QVERIFY(started.error().detail.contains(s("berth-cli provider trust keyed")));
        BERTH_OK(house.ask(ListProviders{true}));
        ListRuntimes list;
        list.refresh = true;
        house.ask(list);
        spin(std::chrono::milliseconds(200));
        QCOMPARE(listener.connections(), 0);
        QVERIFY(house.world->made.isEmpty());

        // Only what was shown.
        BERTH_FAILS(house.ask(TrustProvider{kKeyed, {s("https://elsewhere.example")}, {}}),
                    ErrorKind::Conflict);
        QCOMPARE(listener.connections(), 0);
        BERTH_OK(house.ask(TrustProvider{kKeyed, {listener.url()}, {}}));
        QVERIFY(house.comesTo(ProviderState::Ready));
        QVERIFY(listener.connections() > 0);
        QVERIFY(listener.received.contains("from-environment-1111"));
        QCOMPARE(house.world->made.last().confirmedOrigins, QStringList{listener.url()});

        // Remembered; and another one is asked about again, saved or only tried.
        house.restart();
        QVERIFY(house.comesTo(ProviderState::Ready));
        Listener other;
        const QMap<QString, QString> values{{kUrl, other.url()}};
        BERTH_FAILS(house.ask(TestProvider{kKeyed, values}), ErrorKind::Forbidden);
        BERTH_OK(house.ask(SaveProvider{kKeyed, values}));
        spin(std::chrono::milliseconds(100));
        QCOMPARE(house.view().unconfirmedOrigins, QStringList{other.url()});
        QCOMPARE(other.connections(), 0);
    }

    void aVariableOfTheEnvironmentIsAnAddressToo()
    {
        KeyHouse &house = *m_house;
        Listener listener;
        house.environment = {{s("KEYED_API_KEY"), s("from-environment-1111")},
                             {s("KEYED_API_URL"), listener.url()}};
        house.open();
        QCOMPARE(house.view().unconfirmedOrigins, QStringList{listener.url()});
        QCOMPARE(house.field(kUrl).origin, s("environment:KEYED_API_URL"));
        spin(std::chrono::milliseconds(50));
        QCOMPARE(listener.connections(), 0);
    }

    void aStrangeVariableAsksFirst_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::newRow("in the key") << QByteArray(
            "{'provider':'keyed','keyed':{'api_url':'%1','api_key':'${AWS_SECRET_ACCESS_KEY}'}}");
        QTest::newRow("in a field") << QByteArray(
            "{'provider':'keyed','keyed':{'api_url':'%1','template':'${AWS_SECRET_ACCESS_KEY}'}}");
        QTest::newRow("in the address")
            << QByteArray("{'provider':'keyed','keyed':{'api_url':'%1/${AWS_SECRET_ACCESS_KEY}'}}");
    }
    void aStrangeVariableAsksFirst()
    {
        QFETCH(QByteArray, file);
        KeyHouse &house = *m_house;
        Listener listener;
        house.environment = {{s("KEYED_API_KEY"), s("from-environment-1111")},
                             {s("AWS_SECRET_ACCESS_KEY"), s("aws-canary-0000")}};
        house.write(file.replace("%1", listener.url().toUtf8()));
        house.open();
        QCOMPARE(house.view().unconfirmedVariables, QStringList{s("AWS_SECRET_ACCESS_KEY")});
        BERTH_FAILS(house.ask(TestProvider{kKeyed, {}}), ErrorKind::Forbidden);
        BERTH_FAILS(house.newThread(), ErrorKind::Forbidden);
        house.form();
        house.ask(PreviewProvider{kKeyed, {}});
        spin(std::chrono::milliseconds(100));
        QCOMPARE(listener.connections(), 0);
        QVERIFY(house.world->made.isEmpty());
        for (const QByteArray &said : std::as_const(house.said))
            QVERIFY2(!said.contains("aws-canary"), said.constData());

        // The origin alone is not enough.
        const QStringList origins = house.view().unconfirmedOrigins;
        BERTH_OK(house.ask(TrustProvider{kKeyed, origins, {}}));
        spin(std::chrono::milliseconds(50));
        QCOMPARE(listener.connections(), 0);
        BERTH_OK(house.ask(TrustProvider{kKeyed, {}, {s("AWS_SECRET_ACCESS_KEY")}}));
        // What it names now may be an address that nobody has seen.
        const QStringList more = house.view().unconfirmedOrigins;
        if (!more.isEmpty())
            BERTH_OK(house.ask(TrustProvider{kKeyed, more, {}}));
        QVERIFY(house.comesTo(ProviderState::Ready));
        QVERIFY(listener.connections() > 0);
    }

    void inTheClearOnlyToThisMachine_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<bool>("fits");
        const auto row = [](const char *url, bool fits) {
            QTest::newRow(url) << QString::fromLatin1(url) << fits;
        };
        row("https://api.example", true);
        row("http://localhost:3986/api", true);
        row("http://proxy.localhost:4000", true);
        row("http://127.0.0.1:1", true);
        row("http://[::1]:1", true);
        row("http://api.example", false);
        row("http://localhost.example", false);
        row("http://127.0.0.1.example", false);
        row("http://10.0.0.1", false);
        row("ftp://localhost", false);
        row("https://user:pass@api.example", false);
    }
    void inTheClearOnlyToThisMachine()
    {
        QFETCH(QString, url);
        QFETCH(bool, fits);
        KeyHouse &house = *m_house;
        house.open();
        const auto saved = house.ask(SaveProvider{kKeyed, {{kUrl, url}}});
        if (fits)
            BERTH_OK(saved);
        else
            BERTH_FAILS(saved, ErrorKind::InvalidInput);
    }

    void onlyAPersonHereDecides()
    {
        KeyHouse &house = *m_house;
        makeKeyStore();
        house.write("{'provider':'keyed','keyed':{'api_url':'https://other.example'}}");
        house.open(ClientKind::Api);
        BERTH_FAILS(house.ask(TrustProvider{kKeyed, {s("https://other.example")}, {}}),
                    ErrorKind::Forbidden);
        BERTH_FAILS(house.ask(StoreProviderKey{kKeyed, kKey, Secret("stored-key-7777")}),
                    ErrorKind::Forbidden);
        QVERIFY(house.keys->entries.isEmpty());
    }

    void consoleAddressesAreWebPages()
    {
        KeyHouse &house = *m_house;
        house.write("{'provider':'keyed','console_url':'file:///etc/passwd'}");
        house.open();
        QCOMPARE(house.view().consoleUrl, s("https://console.keyed.example"));
        BERTH_OK(house.ask(SaveProvider{kKeyed, {{s("console_url"), s("https://my.example/x")}}}));
        QCOMPARE(house.view().consoleUrl, s("https://my.example/x"));
        QCOMPARE(house.form().examples.size(), 2);
        QCOMPARE(house.view().proof, s("Tested against an imitation of the service only"));
    }

    void canariesAreFoundNowhere_data()
    {
        QTest::addColumn<QString>("way");
        for (const char *way : {"file", "environment", "key store"})
            QTest::newRow(way) << QString::fromLatin1(way);
    }
    void canariesAreFoundNowhere()
    {
        QFETCH(QString, way);
        const QByteArray canary = "canary-" + QByteArray::number(qHash(way)) + "-key";
        KeyHouse &house = *m_house;
        QStringList logged;
        static QStringList *lines = nullptr;
        lines = &logged;
        domain::setLogSink(
            [](domain::LogLevel, const char *, const QString &line) { *lines << line; });
        house.world->refuses = true;
        if (way == QLatin1String("environment")) {
            house.environment = {{s("KEYED_API_KEY"), QString::fromUtf8(canary)}};
        } else if (way == QLatin1String("file")) {
            house.write("{'provider':'keyed','keyed':{'api_key':'" + canary + "'}}");
        } else {
            makeKeyStore();
        }
        house.open();
        if (house.keys)
            BERTH_OK(house.ask(StoreProviderKey{kKeyed, kKey, Secret(canary)}));
        QVERIFY(waitUntil([&] { return house.view().stateText == s("Key refused"); }));
        QCOMPARE(house.used(), canary);
        house.form();
        house.ask(PreviewProvider{kKeyed, {}});
        house.ask(TestProvider{kKeyed, {}});
        house.ask(GetSnapshot{});
        house.newThread();
        house.ask(SaveProvider{kKeyed, {{s("template"), s("t")}}});
        QVERIFY(waitUntil([&] { return house.view().stateText == s("Key refused"); }));
        house.close();
        domain::setLogSink(nullptr);
        for (const QByteArray &said : std::as_const(house.said))
            QVERIFY2(!said.contains(canary), said.constData());
        for (const QString &line : std::as_const(logged))
            QVERIFY2(!line.contains(QString::fromUtf8(canary)), qPrintable(line));
        const QStringList expected =
            way == QLatin1String("file") ? QStringList{s("keyed.json")} : QStringList();
        QCOMPARE(filesWith(canary), expected);
        QFile commandLine(s("/proc/self/cmdline"));
        QVERIFY(commandLine.open(QIODevice::ReadOnly));
        QVERIFY(!commandLine.readAll().contains(canary));
    }
};

QTEST_GUILESS_MAIN(ProviderKeysTest)
#include "test_provider_keys.moc"
