// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The main job from the shell, with the real program, real bubblewrap and a real Docker engine.
#include <QtCore/QDir>
#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QProcess>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <csignal>

namespace {

constexpr int kLimitMs = 120'000;

struct Ended
{
    int code = -1;
    QByteArray out;
    QByteArray err;
    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

//! A data directory of its own, and the CLI on it. What it leaves at the engine is destroyed at the
//! end.
class Berth
{
public:
    explicit Berth(QString provider) : m_provider(std::move(provider)) {}
    ~Berth()
    {
        const QJsonArray runtimes = cli({QStringLiteral("runtime"), QStringLiteral("list")}, true)
                                        .json()[QLatin1String("runtimes")]
                                        .toArray();
        for (const QJsonValue &runtime : runtimes)
            cli({QStringLiteral("runtime"), QStringLiteral("destroy"),
                 runtime[QLatin1String("id")].toString(), QStringLiteral("--yes")});
    }

    bool setUp()
    {
        if (m_provider != QLatin1String("docker"))
            return true;
        // The engine of the tests has no bridge.
        return cli({QStringLiteral("provider"), QStringLiteral("set"), QStringLiteral("docker"),
                    QStringLiteral("network=none"), QStringLiteral("image=") + image()})
                   .code
            == 0;
    }

    static QString image() { return QStringLiteral("berth-test:latest"); }

    QStringList arguments(QStringList verb, bool json) const
    {
        QStringList all{QStringLiteral("--data-dir"), m_directory.filePath(QStringLiteral("data"))};
        if (json)
            all << QStringLiteral("--json");
        return all + verb;
    }

    Ended cli(const QStringList &verb, bool json = false) const
    {
        QProcess process;
        process.start(QStringLiteral(BERTH_CLI), arguments(verb, json));
        Ended ended;
        if (process.waitForFinished(kLimitMs)) {
            ended.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
        } else {
            process.kill();
            process.waitForFinished();
        }
        ended.out = process.readAllStandardOutput();
        ended.err = process.readAllStandardError();
        return ended;
    }

    Ended start(const QString &text, bool json = false, const QStringList &options = {}) const
    {
        return cli(QStringList{QStringLiteral("thread"), QStringLiteral("new"),
                               QStringLiteral("--sandbox"), m_provider}
                       + options + QStringList{text},
                   json);
    }
    Ended send(const QString &thread, const QString &text, bool json = false) const
    {
        return cli({QStringLiteral("thread"), QStringLiteral("send"), thread, text}, json);
    }
    QString onlyThread() const
    {
        return cli({QStringLiteral("thread"), QStringLiteral("list")}, true)
            .json()[QLatin1String("threads")][0][QLatin1String("thread_id")]
            .toString();
    }
    QJsonArray runtimes() const
    {
        return cli({QStringLiteral("runtime"), QStringLiteral("list")}, true)
            .json()[QLatin1String("runtimes")]
            .toArray();
    }
    const QString &provider() const { return m_provider; }
    QString data() const { return m_directory.filePath(QStringLiteral("data")); }

private:
    QTemporaryDir m_directory;
    QString m_provider;
};

QByteArray about(const Ended &ended)
{
    return "exit " + QByteArray::number(ended.code) + "\nout: " + ended.out.left(2000)
        + "\nerr: " + ended.err.left(2000);
}

QString engineSocket()
{
    const QString host =
        qEnvironmentVariable("DOCKER_HOST", QStringLiteral("unix:///var/run/docker.sock"));
    return host.startsWith(QLatin1String("unix://")) ? host.mid(7) : QString();
}

QByteArray askEngine(const QString &path)
{
    QProcess curl;
    curl.start(QStringLiteral("curl"),
               {QStringLiteral("-s"), QStringLiteral("-g"), QStringLiteral("--max-time"),
                QStringLiteral("20"), QStringLiteral("--unix-socket"), engineSocket(),
                QStringLiteral("http://engine") + path});
    curl.waitForFinished(30'000);
    return curl.readAllStandardOutput();
}

bool hasEngine()
{
    return QFile::exists(engineSocket()) && askEngine(QStringLiteral("/_ping")) == "OK";
}

} // namespace

//! CI starts an engine and sets BERTH_REQUIRE_ENGINE, so that nothing is skipped there.
#define BERTH_NEEDS_ENGINE()                                                                       \
    do {                                                                                           \
        if (!hasEngine()) {                                                                        \
            QVERIFY(!qEnvironmentVariableIsSet("BERTH_REQUIRE_ENGINE"));                           \
            QSKIP("no Docker engine is reachable");                                                \
        }                                                                                          \
    } while (false)

#define BERTH_PROVIDER(berth)                                                                      \
    QFETCH(QString, provider);                                                                     \
    if (provider == QLatin1String("docker"))                                                       \
        BERTH_NEEDS_ENGINE();                                                                      \
    Berth berth(provider);                                                                         \
    QVERIFY(berth.setUp())

#define BERTH_LOCAL(berth) Berth berth(QStringLiteral("local"))

#define BERTH_RUNTIMES(berth, count)                                                               \
    do {                                                                                           \
        const QJsonArray runtimes = (berth).runtimes();                                            \
        QVERIFY2(runtimes.size() == (count), QJsonDocument(runtimes).toJson().constData());        \
    } while (false)

#define BERTH_CODE(ended, wanted)                                                                  \
    do {                                                                                           \
        const Ended &berthEnded = (ended);                                                         \
        QVERIFY2(berthEnded.code == (wanted), about(berthEnded).constData());                      \
    } while (false)

class CliJourneyTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        // Nothing of the desktop's settings may leak in.
        for (const char *name : {"LEON_SANDBOXES_DIR", "LEON_SANDBOX_DB_PATH"})
            qunsetenv(name);
    }

    void runsInASandboxWithBothStreamsAndTheExitCode_data() { providers(); }
    void runsInASandboxWithBothStreamsAndTheExitCode()
    {
        BERTH_PROVIDER(berth);
        const Ended ended =
            berth.start(QStringLiteral("!echo host=$HOSTNAME; id -u; echo err >&2; exit 3"));
        BERTH_CODE(ended, 3);
        QVERIFY2(ended.out.startsWith("host="), about(ended).constData());
        QVERIFY2(ended.err.contains("err\n"), about(ended).constData());
        QVERIFY2(!ended.out.contains("err"), about(ended).constData());
        if (berth.provider() == QLatin1String("docker")) {
            const QString id = berth.runtimes()[0][QLatin1String("external_id")].toString();
            const QJsonObject container =
                QJsonDocument::fromJson(askEngine(QStringLiteral("/containers/%1/json").arg(id)))
                    .object();
            const QJsonObject labels =
                container[QLatin1String("Config")][QLatin1String("Labels")].toObject();
            for (const char *label :
                 {"berth.installation", "berth.sandbox", "berth.lease", "berth.instance",
                  "berth.agent", "berth.alias", "berth.config_hash"})
                QVERIFY2(!labels[QLatin1String(label)].toString().isEmpty(), label);
            QVERIFY(container[QLatin1String("Name")].toString().contains(
                QRegularExpression(QStringLiteral("^/berth-[0-9a-f]{8}-default-docker-1$"))));
        }
    }

    void localSeesNothingOfThisMachine()
    {
        BERTH_LOCAL(berth);
        QFile secret(QDir::home().filePath(QStringLiteral("berth-e2e-canary")));
        QVERIFY(secret.open(QIODevice::WriteOnly));
        secret.close();
        const Ended ended = berth.start(
            QStringLiteral(
                "!ls %1 2>&1; cat /proc/net/dev | grep -c :; touch /usr/x /etc/x /x 2>&1; "
                "touch /workspace/ok && echo wrote")
                .arg(secret.fileName()));
        secret.remove();
        BERTH_CODE(ended, 0);
        QVERIFY2(ended.out.contains("No such file"), about(ended).constData());
        QVERIFY2(ended.out.contains("\n1\n"), about(ended).constData());
        QCOMPARE(ended.out.count("Read-only file system") + ended.out.count("Permission denied"),
                 3);
        QVERIFY(ended.out.endsWith("wrote\n"));
    }

    void directoryAndVariablesLastOverRestarts_data() { providers(); }
    void directoryAndVariablesLastOverRestarts()
    {
        // Each call is a program of its own, so each is a restart.
        BERTH_PROVIDER(berth);
        BERTH_CODE(berth.start(QStringLiteral("!cd /tmp")), 0);
        const QString thread = berth.onlyThread();
        QVERIFY(!thread.isEmpty());
        Ended ended = berth.send(thread, QStringLiteral("!pwd"));
        BERTH_CODE(ended, 0);
        QCOMPARE(ended.out, QByteArrayLiteral("/tmp\n"));
        BERTH_CODE(berth.send(thread,
                              QStringLiteral(
                                  "!export GREETING='two\nlines' API_TOKEN=hush; cd /workspace")),
                   0);
        ended =
            berth.send(thread, QStringLiteral("!printf '%s|' \"$GREETING\" \"$API_TOKEN\"; pwd"));
        // What looks like a key is not kept over a restart.
        QCOMPARE(ended.out, QByteArrayLiteral("two\nlines||/workspace\n"));
    }

    void aTimeoutKillsTheWholeTree_data() { providers(); }
    void aTimeoutKillsTheWholeTree()
    {
        BERTH_PROVIDER(berth);
        Ended ended = berth.start(
            QStringLiteral(
                "!echo partial; (trap '' TERM; setsid sh -c 'sleep 4; touch /workspace/PROOF') & "
                "sleep 4 && touch /workspace/PROOF"),
            true, {QStringLiteral("--timeout"), QStringLiteral("1s")});
        BERTH_CODE(ended, 137);
        QCOMPARE(ended.json()[QLatin1String("outcome")].toString(), QStringLiteral("timed_out"));
        QCOMPARE(ended.json()[QLatin1String("stdout")].toString(), QStringLiteral("partial\n"));
        ended = berth.send(berth.onlyThread(), QStringLiteral("!sleep 5; ls /workspace"));
        BERTH_CODE(ended, 0);
        QCOMPARE(ended.out, QByteArray());
    }

    void interruptedByCtrlC_data() { providers(); }
    void interruptedByCtrlC()
    {
        BERTH_PROVIDER(berth);
        QProcess process;
        process.start(
            QStringLiteral(BERTH_CLI),
            berth.arguments({QStringLiteral("thread"), QStringLiteral("new"),
                             QStringLiteral("--sandbox"), berth.provider(),
                             QStringLiteral("!echo begun; sleep 5 && touch /workspace/PROOF")},
                            false));
        QByteArray out;
        QVERIFY(QTest::qWaitFor(
            [&] { return (out += process.readAllStandardOutput()).contains("begun"); }, kLimitMs));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(20'000));
        QCOMPARE(process.exitCode(), 130);
        const Ended ended =
            berth.send(berth.onlyThread(), QStringLiteral("!sleep 6; ls /workspace"));
        BERTH_CODE(ended, 0);
        QCOMPARE(ended.out, QByteArray());
    }

    void killedProgramLeavesAnInterruptedCommandAndOneSandbox_data() { providers(); }
    void killedProgramLeavesAnInterruptedCommandAndOneSandbox()
    {
        BERTH_PROVIDER(berth);
        QProcess process;
        process.start(
            QStringLiteral(BERTH_CLI),
            berth.arguments({QStringLiteral("thread"), QStringLiteral("new"),
                             QStringLiteral("--sandbox"), berth.provider(),
                             QStringLiteral("!touch /workspace/kept; echo so far; sleep 60")},
                            false));
        QByteArray out;
        QVERIFY(QTest::qWaitFor(
            [&] { return (out += process.readAllStandardOutput()).contains("so far"); }, kLimitMs));
        process.kill();
        QVERIFY(process.waitForFinished(5000));

        const QString thread = berth.onlyThread();
        QVERIFY(!thread.isEmpty());
        const QJsonObject shown = berth
                                      .cli({QStringLiteral("thread"), QStringLiteral("show"),
                                            thread, QStringLiteral("--output")},
                                           true)
                                      .json();
        const QByteArray text = QJsonDocument(shown).toJson();
        QVERIFY2(text.contains("interrupted"), text.constData());
        QVERIFY2(text.contains("so far"), text.constData());
        const Ended ended = berth.send(thread, QStringLiteral("!ls /workspace"));
        BERTH_CODE(ended, 0);
        QCOMPARE(ended.out, QByteArrayLiteral("kept\n"));
        BERTH_RUNTIMES(berth, 1);
    }

    void pauseResumeDestroyAndAFreshSandbox_data() { providers(); }
    void pauseResumeDestroyAndAFreshSandbox()
    {
        BERTH_PROVIDER(berth);
        BERTH_CODE(berth.start(QStringLiteral("!echo 1 > /workspace/file")), 0);
        const QString thread = berth.onlyThread();
        const QString lease = berth.runtimes()[0][QLatin1String("id")].toString();
        BERTH_CODE(berth.cli({QStringLiteral("runtime"), QStringLiteral("pause"), lease}), 0);
        QCOMPARE(berth.runtimes()[0][QLatin1String("observed_state")].toString(),
                 QStringLiteral("paused"));
        Ended ended = berth.send(thread, QStringLiteral("!cat /workspace/file"));
        BERTH_CODE(ended, 0);
        QCOMPARE(ended.out, QByteArrayLiteral("1\n"));
        BERTH_CODE(berth.cli({QStringLiteral("runtime"), QStringLiteral("destroy"), lease,
                              QStringLiteral("--yes")}),
                   0);
        BERTH_RUNTIMES(berth, 0);
        ended = berth.send(thread, QStringLiteral("!ls /workspace"));
        BERTH_CODE(ended, 0);
        QCOMPARE(ended.out, QByteArray());
        BERTH_RUNTIMES(berth, 1);
        const QByteArray text =
            berth.cli({QStringLiteral("thread"), QStringLiteral("show"), thread}, true).out;
        QVERIFY2(text.contains("Fresh sandbox"), text.constData());
    }

    void twoDataDirectoriesDoNotSeeEachOther()
    {
        BERTH_NEEDS_ENGINE();
        Berth one(QStringLiteral("docker"));
        Berth other(QStringLiteral("docker"));
        QVERIFY(one.setUp() && other.setUp());
        BERTH_CODE(one.start(QStringLiteral("!true")), 0);
        BERTH_RUNTIMES(other, 0);
        const QString external = one.runtimes()[0][QLatin1String("external_id")].toString();
        const Ended refused =
            other.cli({QStringLiteral("runtime"), QStringLiteral("destroy"),
                       QStringLiteral("docker:") + external, QStringLiteral("--yes")});
        QVERIFY2(refused.code >= 64, about(refused).constData());
        BERTH_CODE(other.start(QStringLiteral("!true")), 0);
        BERTH_RUNTIMES(one, 1);
        BERTH_RUNTIMES(other, 1);
        QVERIFY(one.runtimes()[0][QLatin1String("external_id")]
                != other.runtimes()[0][QLatin1String("external_id")]);
    }

    void aHundredMegabytesTakeNoMemory_data() { providers(); }
    void aHundredMegabytesTakeNoMemory()
    {
        BERTH_PROVIDER(berth);
        BERTH_CODE(berth.start(QStringLiteral("!true")), 0);
        QProcess process;
        process.setStandardOutputFile(QProcess::nullDevice());
        process.start(
            QStringLiteral(BERTH_CLI),
            berth.arguments({QStringLiteral("thread"), QStringLiteral("send"), berth.onlyThread(),
                             QStringLiteral("!head -c 100000000 /dev/zero | tr '\\0' x")},
                            false));
        QVERIFY(process.waitForStarted());
        qint64 first = 0;
        qint64 peak = 0;
        QElapsedTimer timer;
        timer.start();
        while (!process.waitForFinished(50) && timer.elapsed() < kLimitMs) {
            QFile status(QStringLiteral("/proc/%1/status").arg(process.processId()));
            if (!status.open(QIODevice::ReadOnly))
                continue;
            static const QRegularExpression rss(QStringLiteral("VmRSS:\\s+(\\d+) kB"));
            const QRegularExpressionMatch match = rss.match(QString::fromUtf8(status.readAll()));
            if (!match.hasMatch())
                continue;
            const qint64 kilobytes = match.captured(1).toLongLong();
            peak = std::max(peak, kilobytes);
            // What a program with its database and connection open needs before the flood.
            if (first == 0 && timer.elapsed() > 150)
                first = kilobytes;
        }
        QCOMPARE(process.exitCode(), 0);
        QVERIFY2(peak - first < 30 * 1024,
                 qPrintable(QStringLiteral("from %1 to %2 kB").arg(first).arg(peak)));
        const QByteArray text =
            berth.cli({QStringLiteral("thread"), QStringLiteral("show"), berth.onlyThread()}, true)
                .out;
        QVERIFY2(text.contains("100000000"), text.right(3000).constData());
    }

    void twentyAtOnceShareOneEngineAndOneSandboxEach()
    {
        // Twenty programs on one data directory: one owns the Engine, the others are its clients.
        BERTH_LOCAL(berth);
        BERTH_CODE(berth.start(QStringLiteral("!true")), 0);
        const QString thread = berth.onlyThread();
        std::vector<std::unique_ptr<QProcess>> all;
        for (int i = 0; i < 20; ++i) {
            all.push_back(std::make_unique<QProcess>());
            all.back()->start(
                QStringLiteral(BERTH_CLI),
                berth.arguments({QStringLiteral("thread"), QStringLiteral("send"), thread,
                                 QStringLiteral("!echo %1 >> /workspace/all").arg(i)},
                                false));
        }
        for (const auto &process : all) {
            QVERIFY(process->waitForFinished(kLimitMs));
            QVERIFY2(process->exitCode() == 0, process->readAllStandardError().constData());
        }
        const Ended ended =
            berth.send(thread, QStringLiteral("!sort -n /workspace/all | tr '\\n' ' '"));
        QCOMPARE(ended.out,
                 QByteArrayLiteral("0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 "));
        BERTH_RUNTIMES(berth, 1);
    }

    void failuresHaveTheirCodes()
    {
        Berth berth(QStringLiteral("local"));
        BERTH_CODE(berth.cli({QStringLiteral("nonsense")}), 64);
        BERTH_CODE(berth.start(QStringLiteral("no exclamation mark")), 125);
        BERTH_CODE(
            berth.cli({QStringLiteral("thread"), QStringLiteral("new"), QStringLiteral("--sandbox"),
                       QStringLiteral("host"), QStringLiteral("!id")}),
            125);
        const Ended missing = berth.cli(
            {QStringLiteral("runtime"), QStringLiteral("pause"), QStringLiteral("none")}, true);
        QVERIFY2(missing.code >= 64 && missing.code < 80, about(missing).constData());
        QCOMPARE(missing.json()[QLatin1String("error")][QLatin1String("code")].toString(),
                 QStringLiteral("not_found"));
        QCOMPARE(berth.cli({QStringLiteral("thread"), QStringLiteral("list")}, true)
                     .json()[QLatin1String("threads")]
                     .toArray()
                     .size(),
                 0);
    }

private:
    void providers()
    {
        QTest::addColumn<QString>("provider");
        QTest::newRow("local") << QStringLiteral("local");
        QTest::newRow("docker") << QStringLiteral("docker");
    }
};

QTEST_GUILESS_MAIN(CliJourneyTest)
#include "test_cli_journey.moc"
