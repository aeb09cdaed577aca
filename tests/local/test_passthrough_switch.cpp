// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/contract/commands.h"
#include "application/engine/engine.h"
#include "local/local_sandbox.h"
#include "storage/storage.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtTest/QSignalSpy>

using namespace berth;
using namespace berth::application;
using domain::ErrorKind;
using domain::Result;

//! Who may allow "isolation": "none", and what stands without that.
class PassthroughSwitchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyAWindowMay();
    void survivesARestart();
    void refusedWithoutTheSwitch();
    void handWrittenFileIsNotUsable();
    void worksWithTheSwitch();
    void hostIsRefused();
};

namespace {

const domain::ConfigName kLocal(QStringLiteral("local"));

//! An Engine on real records with the Local provider.
struct Berth
{
    explicit Berth(const QString &directory)
    {
        const storage::StoragePaths paths{directory + QStringLiteral("/berth.db"),
                                          directory + QStringLiteral("/sandbox.db"),
                                          directory + QStringLiteral("/backups")};
        auto opened = test::await(storage::openStorage(paths));
        if (!opened)
            qFatal("%s", qPrintable(opened.error().message));
        records = std::move(*opened);
        EngineSettings settings;
        settings.paths = {directory, directory, directory, directory};
        settings.environment = [](const QString &) { return std::nullopt; };
        engine = std::make_unique<Engine>(records->berth(), records->leases(), records->processes(),
                                          domain::ProviderKinds{local::makeLocalKind()}, settings);
        if (const auto started = test::await(engine->start()); !started)
            qFatal("%s", qPrintable(started.error().message));
    }
    ~Berth()
    {
        test::landed(engine->shutDown(false));
        engine.reset();
        test::landed(records->close());
    }

    template <typename Command>
    Result<typename Command::Reply> ask(ClientKind client, const Command &command)
    {
        const std::unique_ptr<EngineSession> session = engine->openSession(client);
        std::optional<Result<Payload>> got;
        QObject::connect(
            session.get(), &EngineSession::answered, session.get(),
            [&got](const domain::RequestId &, const Result<Payload> &answer) { got = answer; });
        session->submit(domain::RequestId::create(), QString::fromLatin1(Command::kName),
                        encode(command));
        if (!QTest::qWaitFor([&got] { return got.has_value(); }, 20'000))
            return domain::failure(ErrorKind::Timeout, QStringLiteral("no answer"));
        if (!*got)
            return domain::failure(got->error());
        return decode<typename Command::Reply>(**got);
    }
    ProviderView provider()
    {
        const auto snapshot = ask(ClientKind::Cli, GetSnapshot{});
        return snapshot && !snapshot->providers.isEmpty() ? snapshot->providers.first()
                                                          : ProviderView{};
    }
    bool isAllowed()
    {
        const auto snapshot = ask(ClientKind::Cli, GetSnapshot{});
        return snapshot && snapshot->engine.passthroughAllowed;
    }

    std::unique_ptr<storage::Storage> records;
    std::unique_ptr<Engine> engine;
};

SaveProvider isolation(const char *value)
{
    return {kLocal, {{QStringLiteral("isolation"), QString::fromLatin1(value)}}};
}

const QString kWords =
    QStringLiteral("No isolation: everything that you can do, Berth's own files included");

} // namespace

void PassthroughSwitchTest::onlyAWindowMay()
{
    QTemporaryDir directory;
    Berth berth(directory.path());
    QVERIFY(!berth.isAllowed());
    for (const ClientKind client : {ClientKind::Cli, ClientKind::Api}) {
        const auto refused = berth.ask(client, AllowPassthrough{true});
        BERTH_FAILS(refused, ErrorKind::Forbidden);
        QVERIFY(refused.error().detail.contains(QLatin1String("in Settings")));
        QVERIFY(!berth.isAllowed());
    }
    const std::unique_ptr<EngineSession> other = berth.engine->openSession(ClientKind::Window);
    std::optional<EngineView> told;
    QObject::connect(other.get(), &EngineSession::event, this, [&told](const Event &event) {
        if (const auto *changed = std::get_if<EngineChanged>(&event.body))
            told = changed->engine;
    });
    BERTH_OK(berth.ask(ClientKind::Window, AllowPassthrough{true}));
    QVERIFY(berth.isAllowed());
    QVERIFY(told && told->passthroughAllowed);
    BERTH_OK(berth.ask(ClientKind::Window, AllowPassthrough{false}));
    QVERIFY(!berth.isAllowed());
    QVERIFY(!told->passthroughAllowed);
}

void PassthroughSwitchTest::survivesARestart()
{
    QTemporaryDir directory;
    {
        Berth berth(directory.path());
        BERTH_OK(berth.ask(ClientKind::Window, AllowPassthrough{true}));
    }
    Berth berth(directory.path());
    QVERIFY(berth.isAllowed());
}

void PassthroughSwitchTest::refusedWithoutTheSwitch()
{
    QTemporaryDir directory;
    Berth berth(directory.path());
    for (const ClientKind client : {ClientKind::Cli, ClientKind::Api, ClientKind::Window}) {
        const auto refused = berth.ask(client, isolation("none"));
        QVERIFY(!refused.has_value());
        QVERIFY2(refused.error().message.contains(
                     QLatin1String("\"Allow sandboxes without isolation\" in Settings")),
                 qPrintable(refused.error().message));
    }
    QVERIFY(!QFile::exists(directory.filePath(QStringLiteral("local.json"))));
}

void PassthroughSwitchTest::handWrittenFileIsNotUsable()
{
    QTemporaryDir directory;
    QFile file(directory.filePath(QStringLiteral("local.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"provider": "local", "on_exit": "pause", "local": {"isolation": "none",
                "passthrough_allowed": "true"}, "passthrough_allowed": true})");
    file.close();
    Berth berth(directory.path());
    QTRY_VERIFY(berth.provider().state != ProviderState::Checking);
    const ProviderView view = berth.provider();
    QVERIFY(!view.usable);
    QVERIFY2(view.stateDetail.startsWith(QLatin1String("Passthrough is off")),
             qPrintable(view.stateDetail));
    QCOMPARE(view.isolation, kWords);
    // Neither without isolation nor silently with it.
    NewThread command;
    command.agent = domain::AgentId(QStringLiteral("default"));
    command.config = kLocal;
    command.text = QStringLiteral("!touch ran");
    const auto started = berth.ask(ClientKind::Cli, command);
    if (started) {
        const auto ended = [&berth, &started] {
            const auto call = berth.ask(ClientKind::Cli, GetToolCall{started->toolCall});
            return call && call->state == domain::ToolCallState::Done;
        };
        QTRY_VERIFY(ended());
        const auto call = berth.ask(ClientKind::Cli, GetToolCall{started->toolCall});
        QVERIFY(call->outcome == domain::OutcomeKind::NotStarted);
    }
    QVERIFY(QDir(directory.filePath(QStringLiteral("local")))
                .entryList(QDir::NoDotAndDotDot | QDir::Dirs)
                .isEmpty());
}

void PassthroughSwitchTest::worksWithTheSwitch()
{
    QTemporaryDir directory;
    Berth berth(directory.path());
    BERTH_OK(berth.ask(ClientKind::Window, AllowPassthrough{true}));
    BERTH_OK(berth.ask(ClientKind::Window, isolation("none")));
    QTRY_VERIFY(berth.provider().state == ProviderState::Ready);
    QVERIFY(berth.provider().usable);
    QCOMPARE(berth.provider().isolation, kWords);
    QCOMPARE(berth.provider().summary, kWords);
    // Off again: the file stays, and is not usable.
    BERTH_OK(berth.ask(ClientKind::Window, AllowPassthrough{false}));
    QTRY_VERIFY(!berth.provider().usable && berth.provider().state != ProviderState::Checking);
    QVERIFY(berth.provider().stateDetail.startsWith(QLatin1String("Passthrough is off")));
}

void PassthroughSwitchTest::hostIsRefused()
{
    QTemporaryDir directory;
    Berth berth(directory.path());
    BERTH_OK(berth.ask(ClientKind::Window, AllowPassthrough{true}));
    const auto saved = berth.ask(ClientKind::Cli, isolation("host"));
    BERTH_FAILS(saved, ErrorKind::InvalidInput);
    QVERIFY2(saved.error().message.contains(QLatin1String("bubblewrap, none")),
             qPrintable(saved.error().message));
    NewThread command;
    command.agent = domain::AgentId(QStringLiteral("default"));
    command.config = domain::ConfigName(QStringLiteral("host"));
    command.text = QStringLiteral("!id");
    const auto started = berth.ask(ClientKind::Cli, command);
    QVERIFY(!started.has_value());
    QVERIFY2((started.error().message + started.error().detail).contains(QLatin1String("local")),
             qPrintable(started.error().detail));
}

QTEST_GUILESS_MAIN(PassthroughSwitchTest)
#include "test_passthrough_switch.moc"
