// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// How long a command takes through the Engine, how fast its output comes, and how soon a new thread
// speaks, as ratios to a peer in the same, interleaved run: `docker exec` for Docker, a new
// bubblewrap for Local, the bare create and start calls. Figures, not a test: it fails only when a
// command does.
#include "application/engine_client.h"
#include "bootstrap/engine_thread.h"
#include "net/http_client.h"
#include "providers/registry/provider_kinds.h"
#include "support/await.h"

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
constexpr int kBulkRounds = 9;
constexpr int kStartRounds = 7;
constexpr qint64 kBulkBytes = 128 * 1024 * 1024;

double median(QList<double> values)
{
    std::sort(values.begin(), values.end());
    return values.at(values.size() / 2);
}

} // namespace

class BenchExec final : public QObject
{
    Q_OBJECT

    QTemporaryDir m_directory;
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
    double timed(const domain::ThreadId &thread)
    {
        QElapsedTimer timer;
        timer.start();
        SendMessage send;
        send.thread = thread;
        send.text = QStringLiteral("!true");
        auto ended = std::make_shared<QHash<domain::ToolCallId, int>>();
        const QMetaObject::Connection connection =
            connect(m_client.get(), &EngineClient::event, this, [ended](const Event &event) {
                if (const auto *changed = std::get_if<ToolCallChanged>(&event.body)) {
                    if (changed->toolCall.state == domain::ToolCallState::Done)
                        ended->insert(changed->toolCall.id, changed->toolCall.exitCode);
                }
            });
        const domain::Result<Started> started = ask(send);
        const bool came = started
            && test::waitUntil([&] { return ended->contains(started->toolCall); },
                               std::chrono::seconds(60));
        disconnect(connection);
        return came && ended->value(started->toolCall) == 0
            ? static_cast<double>(timer.nsecsElapsed()) / 1e6
            : -1;
    }

    //! Not recorded as a message; ends when all its output is stored.
    double timedExec(const QString &target, const QStringList &argv, qint64 expectedBytes)
    {
        QElapsedTimer timer;
        timer.start();
        Exec exec;
        exec.target = target;
        exec.argv = argv;
        auto ended = std::make_shared<QHash<domain::ToolCallId, ToolCallView>>();
        const QMetaObject::Connection connection =
            connect(m_client.get(), &EngineClient::event, this, [ended](const Event &event) {
                if (const auto *changed = std::get_if<ToolCallChanged>(&event.body)) {
                    if (changed->toolCall.state == domain::ToolCallState::Done)
                        ended->insert(changed->toolCall.id, changed->toolCall);
                }
            });
        const domain::Result<Started> started = ask(exec);
        const bool came = started
            && test::waitUntil([&] { return ended->contains(started->toolCall); },
                               std::chrono::seconds(120));
        disconnect(connection);
        if (!came)
            return -1;
        const ToolCallView call = ended->value(started->toolCall);
        return call.exitCode == 0 && call.outputBytes == expectedBytes
            ? static_cast<double>(timer.nsecsElapsed()) / 1e6
            : -1;
    }

    static double timedPeer(const QString &program, const QStringList &arguments)
    {
        QElapsedTimer timer;
        timer.start();
        QProcess process;
        process.setStandardOutputFile(QProcess::nullDevice());
        process.start(program, arguments);
        const bool ended = process.waitForFinished(60'000);
        return ended && process.exitCode() == 0 ? static_cast<double>(timer.nsecsElapsed()) / 1e6
                                                : -1;
    }

    void compare(const char *what, const domain::ThreadId &thread, const QString &program,
                 const QStringList &arguments)
    {
        QList<double> bare;
        QList<double> ours;
        QList<double> theirs;
        for (int round = 0; round < kRounds; ++round) {
            bare << timedExec(thread.toString(), {QStringLiteral("true")}, 0);
            QVERIFY(bare.last() >= 0);
            ours << timed(thread);
            QVERIFY(ours.last() >= 0);
            theirs << timedPeer(program, arguments);
            QVERIFY(theirs.last() >= 0);
        }
        qInfo("%s: `true` through the Engine %.2f ms, peer %.2f ms, ratio %.3f; as a message of a "
              "thread %.2f ms, ratio %.3f (medians of %d interleaved)",
              what, median(bare), median(theirs), median(bare) / median(theirs), median(ours),
              median(ours) / median(theirs), kRounds);
    }

    //! Median of the ratios of each pair's rates; above 1 we are faster.
    void compareBulk(const char *what, const domain::ThreadId &thread, const QString &program,
                     const QStringList &before)
    {
        const QStringList argv{QStringLiteral("head"), QStringLiteral("-c"),
                               QString::number(kBulkBytes), QStringLiteral("/dev/zero")};
        QList<double> ratios;
        QList<double> ours;
        QList<double> theirs;
        for (int round = 0; round < kBulkRounds; ++round) {
            ours << timedExec(thread.toString(), argv, kBulkBytes);
            QVERIFY(ours.last() >= 0);
            theirs << timedPeer(program, before + argv);
            QVERIFY(theirs.last() >= 0);
            ratios << theirs.last() / ours.last();
        }
        const double mebibytes = static_cast<double>(kBulkBytes) / 1048576;
        qInfo(
            "%s: 128 MiB of output %.0f MiB/s, stored; peer %.0f MiB/s, discarded; ratio of rates "
            "%.2f (median of %d pairs)",
            what, mebibytes / median(ours) * 1000, mebibytes / median(theirs) * 1000,
            median(ratios), kBulkRounds);
    }

    //! The engine's own create and start calls, and nothing else.
    double timedBareStart(net::StreamHttpClient &engine)
    {
        net::HttpRequest create;
        create.method = "POST";
        create.target = "/containers/create";
        create.headers = {{"Host", "docker"}, {"Content-Type", "application/json"}};
        create.body = "{\"Image\":\"bb:latest\",\"Cmd\":[\"sleep\",\"60\"],"
                      "\"HostConfig\":{\"NetworkMode\":\"none\"}}";
        QElapsedTimer timer;
        timer.start();
        const domain::Result<net::HttpResponse> made = test::await(engine.send(create, {}));
        if (!made || made->head.status != 201)
            return -1;
        const qsizetype from = made->body.indexOf("\"Id\":\"") + 6;
        const QByteArray id = made->body.mid(from, 64);
        net::HttpRequest start;
        start.method = "POST";
        start.target = "/containers/" + id + "/start";
        start.headers = {{"Host", "docker"}};
        const domain::Result<net::HttpResponse> started = test::await(engine.send(start, {}));
        const double took = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        net::HttpRequest remove;
        remove.method = "DELETE";
        remove.target = "/containers/" + id + "?force=true&v=true";
        remove.headers = {{"Host", "docker"}};
        const domain::Result<net::HttpResponse> removed = test::await(engine.send(remove, {}));
        return started && started->head.status == 204 && removed ? took : -1;
    }

    //! From the command to the first bytes of its output.
    double timedNewThread(const char *config)
    {
        QElapsedTimer timer;
        timer.start();
        auto grown = std::make_shared<bool>(false);
        const QMetaObject::Connection connection =
            connect(m_client.get(), &EngineClient::event, this, [grown](const Event &event) {
                if (const auto *output = std::get_if<OutputGrew>(&event.body))
                    *grown = *grown || output->total > 0;
            });
        NewThread command;
        command.config = domain::ConfigName(QString::fromLatin1(config));
        command.text = QStringLiteral("!echo hi");
        const domain::Result<Started> started = ask(command);
        const bool came =
            started && test::waitUntil([grown] { return *grown; }, std::chrono::seconds(60));
        const double took = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        disconnect(connection);
        if (started) {
            DestroyRuntime destroy;
            destroy.runtime = started->lease.toString();
            static_cast<void>(ask(destroy));
        }
        return came ? took : -1;
    }

    domain::ThreadId newThread(const char *config)
    {
        NewThread command;
        command.config = domain::ConfigName(QString::fromLatin1(config));
        command.text = QStringLiteral("!true");
        const domain::Result<Started> started = ask(command);
        return started ? started->thread : domain::ThreadId();
    }

private Q_SLOTS:
    void initTestCase()
    {
        bootstrap::AppPaths paths =
            bootstrap::resolvePaths(m_directory.filePath(QStringLiteral("data")));
        const auto made = bootstrap::makeDirectories(paths);
        BERTH_OK(made);
        QFile docker(paths.engine.sandboxes + QStringLiteral("/docker.json"));
        QVERIFY(docker.open(QIODevice::WriteOnly));
        // BERTH_BENCH_STREAM=1: through the engine's stream in place of the direct connection.
        docker.write("{\"provider\": \"docker\", \"docker\": {\"image\": \"bb:latest\", "
                     "\"network\": \"none\", \"direct_link\": ");
        docker.write(qEnvironmentVariableIsSet("BERTH_BENCH_STREAM") ? "false}}" : "true}}");
        docker.close();
        auto lock = remote::InstanceLock::take(paths.engine.data);
        BERTH_OK(lock);
        m_engine = std::make_unique<bootstrap::EngineThread>(std::move(*lock), paths,
                                                             providers::builtinProviderKinds());
        bool ready = false;
        connect(m_engine.get(), &bootstrap::EngineThread::ready, this, [&ready] { ready = true; });
        m_engine->start();
        QVERIFY(test::waitUntil([&ready] { return ready; }));
        m_client = m_engine->connectClient(ClientKind::Cli);
        QVERIFY(test::waitUntil([this] { return m_client->isConnected(); }));
    }

    void local()
    {
        const QString bwrap = QStandardPaths::findExecutable(QStringLiteral("bwrap"));
        if (bwrap.isEmpty())
            QSKIP("no bubblewrap on this machine");
        const domain::ThreadId thread = newThread("local");
        QVERIFY(!thread.isNull());
        compare("local", thread, bwrap,
                {QStringLiteral("--unshare-all"), QStringLiteral("--ro-bind"), QStringLiteral("/"),
                 QStringLiteral("/"), QStringLiteral("true")});
    }

    void docker()
    {
        const QString program = QStandardPaths::findExecutable(QStringLiteral("docker"));
        if (program.isEmpty())
            QSKIP("no docker program to compare with on this machine");
        const domain::ThreadId thread = newThread("docker");
        QVERIFY(!thread.isNull());
        if (timed(thread) < 0)
            QSKIP("no Docker engine is reachable");
        const domain::Result<RuntimeList> runtimes = ask(ListRuntimes{});
        BERTH_OK(runtimes);
        QString container;
        for (const RuntimeView &runtime : runtimes->runtimes) {
            if (runtime.providerKind == QLatin1String("docker"))
                container = runtime.externalId;
        }
        compare("docker", thread, program,
                {QStringLiteral("exec"), container, QStringLiteral("true")});
        compareBulk("docker", thread, program, {QStringLiteral("exec"), container});
    }

    void newThreadInDocker()
    {
        const QString host = qEnvironmentVariable("DOCKER_HOST");
        if (!host.startsWith(QLatin1String("unix://")))
            QSKIP("DOCKER_HOST names no local engine");
        const std::unique_ptr<net::StreamHttpClient> engine = net::localHttpClient(host.mid(7));
        QList<double> ours;
        QList<double> theirs;
        for (int round = 0; round < kStartRounds; ++round) {
            theirs << timedBareStart(*engine);
            QVERIFY(theirs.last() >= 0);
            ours << timedNewThread("docker");
            QVERIFY(ours.last() >= 0);
        }
        qInfo("docker: first output of a new thread after %.0f ms, bare create and start %.0f ms: "
              "%.0f ms more (medians of %d interleaved)",
              median(ours), median(theirs), median(ours) - median(theirs), kStartRounds);
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

QTEST_GUILESS_MAIN(BenchExec)
#include "bench_exec.moc"
