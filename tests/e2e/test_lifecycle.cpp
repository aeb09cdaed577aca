// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The life of real containers: made once by many, killed Engines, outside hands, quitting and
// coming back. What a test says of containers it has from the engine, not from Berth.
#include "application/engine/engine.h"
#include "application/in_process_client.h"
#include "docker/engine_proxy.h"
#include "e2e/support/docker_probe.h"
#include "providers/registry/provider_kinds.h"
#include "storage/storage.h"
#include "support/await.h"

#include <QtCore/QDir>
#include <QtCore/QElapsedTimer>
#include <QtCore/QProcess>
#include <QtCore/QRandomGenerator>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <cstdio>
#include <unistd.h>

using namespace berth;
using namespace berth::application;
using test::waitUntil;
using namespace std::chrono_literals;

#define BERTH_WAIT(condition) QVERIFY(waitUntil([&] { return (condition); }, 60s))

namespace {

const char *const kChild = "BERTH_KILLED_CHILD";
//! What the child runs; it waits for the first output.
const char *const kChildText = "BERTH_KILLED_TEXT";

//! A whole Engine on a data directory, with a client of each kind. Destroys what it leaves, unless
//! it is killed.
class House
{
public:
    explicit House(QString directory) : m_data(std::move(directory)) {}
    ~House()
    {
        if (open()) {
            const auto list = ask(ListRuntimes{true});
            if (list) {
                for (const RuntimeView &left : list->runtimes)
                    ask(DestroyRuntime{left.id});
            }
        }
        quit(false);
    }
    House(const House &) = delete;
    House &operator=(const House &) = delete;

    bool open()
    {
        if (m_engine)
            return true;
        for (const char *folder : {"sandboxes", "output", "runtime"})
            QDir().mkpath(in(folder));
        auto opened =
            test::await(storage::openStorage({in("berth.db"), in("sandbox.db"), in("backups")}));
        if (!opened)
            return false;
        m_storage = std::move(*opened);
        EngineSettings settings;
        settings.paths = {m_data, in("sandboxes"), in("output"), in("runtime")};
        settings.environment = [](const QString &name) {
            const QByteArray key = name.toUtf8();
            return qEnvironmentVariableIsSet(key.constData())
                ? std::optional(qEnvironmentVariable(key.constData()))
                : std::nullopt;
        };
        m_engine = std::make_unique<Engine>(m_storage->berth(), m_storage->leases(),
                                            m_storage->processes(),
                                            providers::builtinProviderKinds(), settings);
        if (!test::await(m_engine->start()))
            return false;
        client = std::make_unique<InProcessClient>(*m_engine, m_engine.get(), ClientKind::Window);
        shell = std::make_unique<InProcessClient>(*m_engine, m_engine.get(), ClientKind::Cli);
        QObject::connect(client.get(), &EngineClient::event, client.get(),
                         [this](const Event &event) {
                             if (const auto *ending = std::get_if<EngineEnding>(&event.body))
                                 endings << *ending;
                         });
        return waitUntil([this] { return client->isConnected() && shell->isConnected(); });
    }
    bool setUp()
    {
        SaveProvider save;
        save.config = domain::ConfigName(QStringLiteral("docker"));
        save.values = {{QStringLiteral("network"), QStringLiteral("none")},
                       {QStringLiteral("image"), test::engineImage()}};
        return open() && ask(save);
    }
    void quit(bool byUser)
    {
        if (!m_engine)
            return;
        const auto ended = test::await(m_engine->shutDown(byUser));
        Q_UNUSED(ended)
        test::spin(10ms);
        client.reset();
        shell.reset();
        test::spin(10ms);
        m_engine.reset();
        const auto closed = test::await(m_storage->close());
        Q_UNUSED(closed)
        m_storage.reset();
    }
    template <typename Command>
    domain::Result<typename Command::Reply> ask(const Command &command)
    {
        auto answer = std::make_shared<std::optional<domain::Result<typename Command::Reply>>>();
        deliver(client.get(), *client, command,
                [answer](const domain::Result<typename Command::Reply> &reply) {
                    answer->emplace(reply);
                });
        if (!waitUntil([answer] { return answer->has_value(); }, 60s))
            return domain::failure(domain::ErrorKind::Timeout, QStringLiteral("no answer"));
        return **answer;
    }
    //! Runs to its end; the output.
    QByteArray run(const domain::ThreadId &thread, const QString &text)
    {
        SendMessage message;
        message.thread = thread;
        message.text = text;
        const auto started = ask(message);
        return started ? outputOf(started->toolCall) : QByteArray();
    }
    QByteArray outputOf(const domain::ToolCallId &call)
    {
        QByteArray out;
        for (;;) {
            ReadOutput read;
            read.toolCall = call;
            read.offset = out.size();
            read.waitMs = 1000;
            const auto chunk = ask(read);
            if (!chunk)
                return out + test::told(chunk);
            out += chunk->bytes;
            if (chunk->complete && chunk->bytes.isEmpty())
                return out;
        }
    }
    bool hasSaid(const domain::ToolCallId &call, const QByteArray &text)
    {
        return waitUntil(
            [&] {
                ReadOutput read;
                read.toolCall = call;
                const auto chunk = ask(read);
                return chunk && chunk->bytes == text;
            },
            60s);
    }
    std::optional<domain::OutcomeKind> outcomeOf(const domain::ToolCallId &call)
    {
        const auto view = ask(GetToolCall{call});
        return view ? view->outcome : std::nullopt;
    }
    domain::Result<Started> newThread(const QString &text)
    {
        NewThread command;
        command.config = domain::ConfigName(QStringLiteral("docker"));
        command.text = text;
        return ask(command);
    }
    QString installation()
    {
        const auto snapshot = ask(GetSnapshot{});
        return snapshot ? snapshot->engine.installation.toString() : QString();
    }
    [[nodiscard]] std::optional<RuntimeView> runtime()
    {
        const auto list = ask(ListRuntimes{});
        return list && list->runtimes.size() == 1 ? std::optional(list->runtimes.first())
                                                  : std::nullopt;
    }

    std::unique_ptr<EngineClient> client;
    std::unique_ptr<EngineClient> shell;
    QList<EngineEnding> endings;

private:
    [[nodiscard]] QString in(const char *name) const
    {
        return m_data + QLatin1Char('/') + QString::fromLatin1(name);
    }

    QString m_data;
    std::unique_ptr<storage::Storage> m_storage;
    std::unique_ptr<Engine> m_engine;
};

//! Makes one sandbox, as a one-shot command would, and stays until it is killed.
[[noreturn]] void makeUntilKilled(const QString &directory)
{
    House house(directory);
    if (!house.open())
        _exit(4);
    std::puts("go");
    std::fflush(stdout);
    const bool speaks = qEnvironmentVariableIsSet(kChildText);
    const auto started = house.newThread(
        speaks ? QStringLiteral("!") + qEnvironmentVariable(kChildText) : QStringLiteral("!true"));
    if (!started)
        _exit(5);
    if (speaks && !house.hasSaid(started->toolCall, "begun\n"))
        _exit(6);
    if (!speaks)
        house.outputOf(started->toolCall);
    std::puts(qPrintable(started->toolCall.toString()));
    std::fflush(stdout);
    for (;;)
        test::spin(1s);
}

} // namespace

class LifecycleE2eTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        for (const char *name : {"LEON_SANDBOXES_DIR", "LEON_SANDBOX_DB_PATH"})
            qunsetenv(name);
        BERTH_NEEDS_ENGINE();
    }

    // Case 23.
    void twentyFirstMessagesMakeOneContainer()
    {
        QTemporaryDir directory;
        House house(directory.path());
        QVERIFY(house.setUp());
        const auto first = house.newThread(QStringLiteral("!echo 0 >> all"));
        BERTH_OK(first);
        int answered = 0;
        for (int i = 1; i < 20; ++i) {
            SendMessage message;
            message.thread = first->thread;
            message.text = QStringLiteral("!echo %1 >> all").arg(i);
            EngineClient &from = i % 2 == 0 ? *house.client : *house.shell;
            deliver(&from, from, message, [&answered](const domain::Result<Started> &reply) {
                answered += reply ? 1 : 0;
            });
        }
        BERTH_WAIT(answered == 19);
        const QByteArray lines = house.run(first->thread, QStringLiteral("!wc -l < all"));
        QCOMPARE(lines.trimmed(), QByteArrayLiteral("20"));
        QCOMPARE(test::containersOf(house.installation()).size(), 1);
    }

    // Case 10 through the whole Engine, on a real engine: the direct connection is cut as the death
    // of one side does.
    void aLostConnectionIsToldAndNothingRunsAgain()
    {
        QTemporaryDir directory;
        House house(directory.path());
        QVERIFY(house.setUp());
        const auto first = house.newThread(QStringLiteral("!true"));
        BERTH_OK(first);
        QCOMPARE(house.outputOf(first->toolCall), QByteArray());
        SendMessage message;
        message.thread = first->thread;
        message.text = QStringLiteral("!echo once >> times; echo begun; sleep 7771");
        const auto started = house.ask(message);
        BERTH_OK(started);
        QVERIFY(house.hasSaid(started->toolCall, "begun\n"));
        QVERIFY(test::cutLinks(directory.path()) > 0);
        BERTH_WAIT(house.outcomeOf(started->toolCall).has_value());
        QCOMPARE(house.outcomeOf(started->toolCall),
                 std::optional(domain::OutcomeKind::TransportLost));
        QCOMPARE(house.outputOf(started->toolCall), QByteArray("begun\n"));
        QCOMPARE(house.run(first->thread, QStringLiteral("!cat times")), QByteArray("once\n"));
    }

    // An Engine that is killed during a command, on a real engine. That the runner ends the command
    // is waited for only with BERTH_GRACE_REAL=1, as it takes a minute; tests/guest has it with a
    // short grace.
    void aKilledEnginesCommandIsInterrupted()
    {
        QTemporaryDir directory;
        House house(directory.path());
        QVERIFY(house.setUp());
        house.quit(false);
        QProcess child;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QString::fromLatin1(kChild), directory.path());
        environment.insert(QString::fromLatin1(kChildText),
                           QStringLiteral("echo once >> times; echo begun; sleep 7772"));
        child.setProcessEnvironment(environment);
        child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        child.start(QCoreApplication::applicationFilePath(), QStringList());
        QVERIFY(child.waitForReadyRead(30'000));
        QCOMPARE(child.readLine(), QByteArray("go\n"));
        QVERIFY(child.canReadLine() || child.waitForReadyRead(60'000));
        const domain::ToolCallId call(QString::fromUtf8(child.readLine().trimmed()));
        child.kill();
        QVERIFY(child.waitForFinished(10'000));

        QVERIFY(house.open());
        QCOMPARE(house.outcomeOf(call), std::optional(domain::OutcomeKind::Interrupted));
        QCOMPARE(house.outputOf(call), QByteArray("begun\n"));
        const auto view = house.ask(GetToolCall{call});
        BERTH_OK(view);
        QCOMPARE(house.run(view->thread, QStringLiteral("!cat times")), QByteArray("once\n"));
        if (!qEnvironmentVariableIsSet("BERTH_GRACE_REAL"))
            return;
        const QString count = QStringLiteral("!cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' "
                                             "| grep -c 'sleep 777[2]'");
        QCOMPARE(house.run(view->thread, count), QByteArray("1\n"));
        QVERIFY(waitUntil([&] { return house.run(view->thread, count) == "0\n"; }, 75s));
        QCOMPARE(house.outcomeOf(call), std::optional(domain::OutcomeKind::Interrupted));
    }

    // Case 22 on a real engine; tests/application does it at many more points with a scripted one.
    void killedWhileMakingAContainer()
    {
        QTemporaryDir directory;
        House house(directory.path());
        QVERIFY(house.setUp());
        house.quit(false);
        bool isNumber = false;
        const int wanted = qEnvironmentVariableIntValue("BERTH_KILLS_REAL", &isNumber);
        const int kills = isNumber ? wanted : 12;
        qint64 whole = 0;
        // The first one shows how long it takes here and now.
        for (int i = 0; i <= kills; ++i) {
            QProcess child;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QString::fromLatin1(kChild), directory.path());
            child.setProcessEnvironment(environment);
            child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
            child.start(QCoreApplication::applicationFilePath(), QStringList());
            QVERIFY(child.waitForReadyRead(30'000));
            child.readLine();
            QElapsedTimer timer;
            timer.start();
            if (i == 0) {
                QVERIFY(child.waitForReadyRead(60'000));
                whole = timer.elapsed();
            } else {
                QTest::qSleep(QRandomGenerator::global()->bounded(static_cast<int>(whole)));
            }
            child.kill();
            QVERIFY(child.waitForFinished(10'000));
            QVERIFY2(child.exitStatus() == QProcess::CrashExit,
                     QByteArray::number(child.exitCode()).constData());
        }
        QVERIFY(house.open());
        const auto list = house.ask(ListRuntimes{true});
        BERTH_OK(list);
        QSet<QString> shown;
        for (const RuntimeView &view : list->runtimes)
            shown.insert(view.externalId);
        const QJsonArray containers = test::containersOf(house.installation());
        QHash<QString, int> perLease;
        for (const QJsonValue &container : containers) {
            const QString id = container[QLatin1String("Id")].toString();
            QVERIFY2(shown.contains(id), qPrintable(id));
            ++perLease[container[QLatin1String("Labels")][QLatin1String("berth.lease")].toString()];
        }
        for (auto it = perLease.cbegin(); it != perLease.cend(); ++it)
            QCOMPARE(it.value(), 1);
        qInfo("%d kills within %lld ms: %lld containers", kills, static_cast<long long>(whole),
              static_cast<long long>(containers.size()));
        // What was interrupted goes on in the container that it has.
        const auto snapshot = house.ask(GetSnapshot{});
        BERTH_OK(snapshot);
        int used = 0;
        for (const ThreadView &thread : snapshot->threads) {
            if (!perLease.contains(thread.lease.toString()) || ++used > 3)
                continue;
            QCOMPARE(house.run(thread.id, QStringLiteral("!echo here")),
                     QByteArrayLiteral("here\n"));
        }
        QCOMPARE(test::containersOf(house.installation()).size(), containers.size());
    }

    // Case 14.
    void pausedOutsideDuringACommand()
    {
        QTemporaryDir directory;
        House house(directory.path());
        QVERIFY(house.setUp());
        const auto started = house.newThread(
            QStringLiteral("!i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo $i; sleep 0.1; done"));
        BERTH_OK(started);
        BERTH_WAIT(house.runtime() && house.runtime()->observed == domain::ObservedState::Running
                   && house.runtime()->inFlight == 1);
        const QString id = house.runtime()->externalId;
        QVERIFY(test::actOn(id, QStringLiteral("pause")));
        QElapsedTimer timer;
        timer.start();
        BERTH_WAIT(house.runtime()->observed == domain::ObservedState::Paused);
        const qint64 shownAfter = timer.elapsed();
        test::spin(2s);
        QVERIFY(test::actOn(id, QStringLiteral("unpause")));
        BERTH_WAIT(house.runtime()->observed == domain::ObservedState::Running);
        QByteArray expected;
        for (int i = 1; i <= 30; ++i)
            expected += QByteArray::number(i) + '\n';
        QCOMPARE(house.outputOf(started->toolCall), expected);
        const auto call = house.ask(GetToolCall{started->toolCall});
        BERTH_OK(call);
        QCOMPARE(call->exitCode, 0);
        QVERIFY2(shownAfter < 3000, QByteArray::number(shownAfter).constData());
        // And a message to one that is paused outside resumes it.
        QVERIFY(test::actOn(id, QStringLiteral("pause")));
        QCOMPARE(house.run(started->thread, QStringLiteral("!echo back")),
                 QByteArrayLiteral("back\n"));
    }

    // on_exit: pause, and a server of the user's still answers afterwards.
    void aServerAnswersAfterQuittingAndComingBack()
    {
        QTemporaryDir directory;
        House house(directory.path());
        QVERIFY(house.setUp());
        const auto started = house.newThread(
            QStringLiteral("!mkdir -p /tmp/www && echo served > /tmp/www/x; cd /tmp/www; "
                           "(command -v python3 >/dev/null && exec python3 -m http.server 8123 || "
                           "exec httpd -f -p 8123) >/dev/null 2>&1 & sleep 0.3; echo started"));
        BERTH_OK(started);
        QCOMPARE(house.outputOf(started->toolCall), QByteArrayLiteral("started\n"));
        const QString fetch = QStringLiteral(
            "!for n in 1 2 3 4 5 6 7 8 9; do (command -v wget >/dev/null && wget -q -O - "
            "http://127.0.0.1:8123/x || python3 -c 'import urllib.request as u; "
            "print(u.urlopen(\"http://127.0.0.1:8123/x\").read().decode(), end=\"\")') 2>/dev/null "
            "&& break; sleep 0.3; done");
        QCOMPARE(house.run(started->thread, fetch), QByteArrayLiteral("served\n"));
        const QString id = house.runtime()->externalId;
        house.quit(true);
        QCOMPARE(test::container(id)[QLatin1String("State")][QLatin1String("Status")].toString(),
                 QStringLiteral("paused"));
        QVERIFY(!house.endings.isEmpty());
        QCOMPARE(house.endings.last().done, 1);
        QCOMPARE(house.endings.last().total, 1);
        QVERIFY(house.open());
        QCOMPARE(house.run(started->thread, fetch), QByteArrayLiteral("served\n"));
        QCOMPARE(house.runtime()->externalId, id);
    }
};

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    if (qEnvironmentVariableIsSet(kChild))
        makeUntilKilled(qEnvironmentVariable(kChild));
    LifecycleE2eTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_lifecycle.moc"
