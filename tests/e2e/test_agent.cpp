// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// An agent's run with everything real but the model: processes, a container, approvals from another
// client, and an Engine that dies twice in the middle.
#include "e2e/support/docker_probe.h"
#include "remote/instance_lock.h"
#include "support/fake_service.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <memory>
#include <vector>

using namespace berth;

namespace {

constexpr int kLimitMs = 30'000;

//! A reply with "match" is for the request whose last message contains it; titles have no tools and
//! get the last one.
const char *const kReplies =
    "{\"replies\":["
    "{\"match\":\"What is here?\",\"text\":\"Let me look.\",\"calls\":["
    "{\"name\":\"shell\",\"arguments\":{\"command\":\"echo one >> ran.txt && cat ran.txt\"}},"
    "{\"name\":\"list_files\",\"arguments\":{}}]},"
    "{\"match\":\"ran.txt\",\"text\":\"It says one.\"},"
    "{\"match\":\"And a long one\",\"calls\":["
    "{\"name\":\"shell\",\"arguments\":{\"command\":"
    "\"echo two >> ran.txt; echo begun; sleep 60; echo three >> ran.txt\"}}]},"
    "{\"match\":\"Go on\",\"text\":\"It was cut.\"}]}";

struct Ended
{
    int code = -1;
    QByteArray out;
    QByteArray err;
    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
    [[nodiscard]] QByteArray told() const
    {
        return "exit " + QByteArray::number(code) + "\nout: " + out.left(2000)
            + "\nerr: " + err.left(2000);
    }
};

//! A data directory with an Engine on it that serves, and clients of it.
class ServedHouse
{
public:
    ServedHouse() = default;
    ~ServedHouse()
    {
        for (const QJsonValue &runtime : json({u"runtime"_qs, u"list"_qs})[u"runtimes"].toArray()) {
            cli({u"runtime"_qs, u"destroy"_qs, runtime[u"id"].toString(), u"--yes"_qs});
        }
        for (const auto &process : m_processes) {
            process->kill();
            process->waitForFinished(5000);
        }
    }
    ServedHouse(const ServedHouse &) = delete;
    ServedHouse &operator=(const ServedHouse &) = delete;

    QProcess *start(const QStringList &verb)
    {
        m_processes.push_back(std::make_unique<QProcess>());
        QProcess *process = m_processes.back().get();
        process->start(QStringLiteral(BERTH_CLI), arguments(verb, false));
        process->waitForStarted();
        return process;
    }
    bool serve()
    {
        m_serve = start({u"serve"_qs, u"--listen"_qs, u"127.0.0.1:0"_qs});
        return QTest::qWaitFor(
            [this] {
                const std::optional<remote::LockHolder> holder = remote::lockHolder(data());
                return holder && holder->pid == m_serve->processId();
            },
            kLimitMs);
    }
    //! SIGKILL: nothing is said to anybody, nothing is written.
    void killServe()
    {
        m_serve->kill();
        m_serve->waitForFinished(5000);
    }
    Ended cli(const QStringList &verb, bool json = false) const
    {
        QProcess process;
        process.start(QStringLiteral(BERTH_CLI), arguments(verb, json));
        Ended ended;
        if (process.waitForFinished(kLimitMs))
            ended.code = process.exitCode();
        ended.out = process.readAllStandardOutput();
        ended.err = process.readAllStandardError();
        process.kill();
        process.waitForFinished();
        return ended;
    }
    QJsonObject json(const QStringList &verb) const { return cli(verb, true).json(); }
    QJsonArray approvals() const
    {
        return json({u"approval"_qs, u"list"_qs})[u"approvals"].toArray();
    }
    QString thread() const
    {
        const QJsonArray threads = json({u"thread"_qs, u"list"_qs})[u"threads"].toArray();
        return threads.isEmpty() ? QString() : threads[0][u"thread_id"].toString();
    }
    QJsonObject detail() const { return json({u"thread"_qs, u"show"_qs, thread()}); }
    QString lastRunState() const
    {
        const QJsonArray runs = detail()[u"runs"].toArray();
        return runs.isEmpty() ? QString() : runs.last()[u"state"].toString();
    }
    template <typename Condition>
    static bool comes(Condition condition)
    {
        QElapsedTimer clock;
        clock.start();
        while (!condition()) {
            if (clock.elapsed() > kLimitMs)
                return false;
            QTest::qWait(100);
        }
        return true;
    }

private:
    [[nodiscard]] QString data() const { return m_directory.filePath(u"data"_qs); }
    [[nodiscard]] QStringList arguments(const QStringList &verb, bool json) const
    {
        QStringList all{u"--data-dir"_qs, data()};
        if (json)
            all << u"--json"_qs;
        return all + verb;
    }

    QTemporaryDir m_directory;
    std::vector<std::unique_ptr<QProcess>> m_processes;
    QProcess *m_serve = nullptr;
};

} // namespace

class AgentJourney final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRunOutlivesTwoDeathsOfTheEngine_data()
    {
        QTest::addColumn<QString>("dialect");
        QTest::newRow("chat completions") << QStringLiteral("openai");
        QTest::newRow("Messages") << QStringLiteral("anthropic");
    }
    void aRunOutlivesTwoDeathsOfTheEngine()
    {
        QFETCH(QString, dialect);
        BERTH_NEEDS_ENGINE();
        test::FakeService service;
        QVERIFY2(service.start(QStringLiteral("llm")), qPrintable(service.why()));
        QVERIFY2(service.setKnobs(kReplies), qPrintable(service.why()));
        ServedHouse house;
        Ended ended = house.cli({u"provider"_qs, u"set"_qs, u"docker"_qs, u"network=none"_qs,
                                 u"image="_qs + test::engineImage()});
        QVERIFY2(ended.code == 0, ended.told().constData());
        const bool isChat = dialect == QLatin1String("openai");
        ended = house.cli({u"model"_qs, u"set"_qs, u"fake"_qs, u"--preset"_qs, u"custom"_qs,
                           u"--dialect"_qs, dialect, u"--url"_qs,
                           service.url(QStringLiteral("api")) + (isChat ? u"/v1"_qs : QString()),
                           u"--model"_qs, u"fake-model"_qs, u"--default"_qs});
        QVERIFY2(ended.code == 0, ended.told().constData());
        QVERIFY(house.serve());

        // Two calls in one reply; the shell's is asked for.
        QProcess *asking = house.start({u"thread"_qs, u"new"_qs, u"--sandbox"_qs, u"docker"_qs,
                                        u"--when-asked"_qs, u"wait"_qs, u"What is here?"_qs});
        QVERIFY2(ServedHouse::comes([&] { return house.approvals().size() == 1; }),
                 asking->readAllStandardError().constData());
        const QJsonObject card = house.approvals()[0].toObject();
        QCOMPARE(card[u"command"].toString(), u"echo one >> ran.txt && cat ran.txt"_qs);
        QCOMPARE(house.detail()[u"tool_calls"].toArray().size(), 2);
        house.killServe();
        QVERIFY(asking->waitForFinished(kLimitMs));
        QVERIFY(asking->exitCode() != 0);
        QVERIFY(house.serve());
        // The run goes on by itself up to its question.
        QVERIFY(ServedHouse::comes([&] { return house.approvals().size() == 1; }));
        QVERIFY(
            ServedHouse::comes([&] { return house.lastRunState() == u"awaiting_approval"_qs; }));
        ended = house.cli({u"approval"_qs, u"allow"_qs, card[u"tool_call_id"].toString()});
        QVERIFY2(ended.code == 0, ended.told().constData());
        QVERIFY(ServedHouse::comes([&] { return house.lastRunState() == u"done"_qs; }));
        QJsonObject detail = house.detail();
        QCOMPARE(detail[u"messages"].toArray().last()[u"text"].toString(), u"It says one."_qs);
        QJsonArray calls = detail[u"tool_calls"].toArray();
        QCOMPARE(calls.size(), 2);
        for (const QJsonValue &call : calls)
            QCOMPARE(call[u"outcome"].toString(), u"exited"_qs);
        QCOMPARE(calls[0][u"exit_code"].toInt(-1), 0);

        // The second death: in the middle of a command.
        const QString thread = house.thread();
        house.start({u"thread"_qs, u"send"_qs, thread, u"And a long one"_qs, u"--when-asked"_qs,
                     u"wait"_qs});
        QVERIFY(ServedHouse::comes([&] { return house.approvals().size() == 1; }));
        ended = house.cli(
            {u"approval"_qs, u"allow"_qs, house.approvals()[0][u"tool_call_id"].toString()});
        QVERIFY2(ended.code == 0, ended.told().constData());
        QVERIFY(ServedHouse::comes([&] {
            const QJsonValue call = house.detail()[u"tool_calls"].toArray().last();
            return call[u"state"].toString() == u"running"_qs && call[u"output_bytes"].toInt() >= 6;
        }));
        house.killServe();
        QVERIFY(house.serve());
        detail = house.detail();
        QCOMPARE(detail[u"runs"].toArray().last()[u"state"].toString(), u"interrupted"_qs);
        calls = detail[u"tool_calls"].toArray();
        QCOMPARE(calls.size(), 3);
        QCOMPARE(calls.last()[u"outcome"].toString(), u"interrupted"_qs);

        // The thread goes on: the model is told of the cut call, and nothing ran twice.
        ended = house.cli({u"thread"_qs, u"send"_qs, thread, u"Go on"_qs});
        QVERIFY2(ended.code == 0 && ended.out.contains("It was cut."), ended.told().constData());
        ended = house.cli({u"thread"_qs, u"send"_qs, thread, u"!cat ran.txt"_qs});
        QVERIFY2(ended.code == 0 && ended.out.contains("one\ntwo\n"), ended.told().constData());
        QCOMPARE(ended.out.count("one\n"), 1);
        QCOMPARE(ended.out.count("two\n"), 1);
        QVERIFY(!ended.out.contains("three"));
    }
};

QTEST_GUILESS_MAIN(AgentJourney)
#include "test_agent.moc"
