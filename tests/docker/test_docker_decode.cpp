// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "docker/recording.h"
#include "providers/docker/decode.h"
#include "providers/docker/pull.h"
#include "providers/docker/tar.h"

#include <QtTest/QTest>

#include <nlohmann/json.hpp>

#include <random>

using namespace berth;
using namespace berth::docker;
using berth::test::recording;
using domain::ErrorKind;
using domain::ObservedState;

class TestDockerDecode : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void facts();
    void podmanFacts();
    void versions();
    void container();
    void states_data();
    void states();
    void withoutNetwork();
    void list();
    void errors_data();
    void errors();
    void takenNames();
    void stats();
    void statsStream();
    void impossibleStats();
    void statsOfTwoCgroups();
    void image();
    void pull();
    void pullErrorInsideSuccess();
    void users();
    void tar();
    void garbage();
};

void TestDockerDecode::facts()
{
    const auto facts = decodeFacts(recording(QStringLiteral("004")).body);
    QVERIFY(facts.has_value());
    QCOMPARE(facts->id,
             QStringLiteral("HICF:5ZCJ:N3Z5:YW3B:DSUU:A2SK:VM4U:FYHH:7FX7:MNJ4:2IAU:PI3O"));
    QCOMPARE(facts->version, QStringLiteral("20.10.24+dfsg1"));
    QCOMPARE(facts->kind, QStringLiteral("linux"));
    QCOMPARE(facts->architecture, QStringLiteral("x86_64"));
}

void TestDockerDecode::podmanFacts()
{
    // Its ID is another one with each answer.
    const auto facts = decodeFacts(
        R"({"ID":"6a2c","ServerVersion":"4.3.1","Name":"box","BuildahVersion":"1.28.2",)"
        R"("DockerRootDir":"/var/lib/containers/storage","OSType":"linux"})");
    QVERIFY(facts.has_value());
    QCOMPARE(facts->id, QStringLiteral("podman:box:/var/lib/containers/storage"));
}

void TestDockerDecode::versions()
{
    QVERIFY(apiVersion("1.41") == (std::pair{1, 41}));
    QVERIFY(apiVersion("1.9") < apiVersion("1.41"));
    for (const char *bad : {"", "1", ".41", "1.", "x.y", "-1.4"})
        QVERIFY2(!apiVersion(bad), bad);
}

void TestDockerDecode::container()
{
    const auto running = decodeContainer(recording(QStringLiteral("020")).body);
    QVERIFY(running.has_value());
    QCOMPARE(running->instance.externalId.toString(),
             QStringLiteral("754f246d65e7f6755aa3023018ddf974d11dbd79ebbd005c2331bda1e4627b39"));
    QCOMPARE(running->instance.name, QStringLiteral("wirebox"));
    QCOMPARE(running->instance.image, QStringLiteral("bb:latest"));
    QCOMPARE(running->instance.state, ObservedState::Running);
    QCOMPARE(running->instance.createdAt.toString(Qt::ISODateWithMs),
             QStringLiteral("2026-11-29T17:39:34.160Z"));
    QCOMPARE(running->instance.startedAt.toString(Qt::ISODateWithMs),
             QStringLiteral("2026-11-29T17:39:36.106Z"));
    QVERIFY(running->instance.labels.installation.isNull());
    QCOMPARE(running->cpuLimitCores, std::optional(1.5));
    QVERIFY(running->volumes.isEmpty());
    QVERIFY(!running->writtenBytes);
    QCOMPARE(running->user, QStringLiteral("0:0"));

    const auto sized = decodeContainer(recording(QStringLiteral("021")).body);
    QVERIFY(sized.has_value());
}

void TestDockerDecode::states_data()
{
    QTest::addColumn<QString>("number");
    QTest::addColumn<ObservedState>("state");
    QTest::addColumn<QString>("detail");
    QTest::newRow("running") << QStringLiteral("020") << ObservedState::Running << QString();
    QTest::newRow("paused") << QStringLiteral("059") << ObservedState::Paused << QString();
    QTest::newRow("exited") << QStringLiteral("074") << ObservedState::Stopped
                            << QStringLiteral("exit code 143");
}

void TestDockerDecode::states()
{
    QFETCH(QString, number);
    QFETCH(ObservedState, state);
    QFETCH(QString, detail);
    const auto container = decodeContainer(recording(number).body);
    QVERIFY(container.has_value());
    QCOMPARE(container->instance.state, state);
    QCOMPARE(container->instance.stateDetail, detail);
}

void TestDockerDecode::withoutNetwork()
{
    const auto told = [](const char *mode, const char *networks) {
        const QByteArray body =
            QByteArray(R"({"Id":"x","State":{"Status":"running"},"HostConfig":{"NetworkMode":")")
            + mode + R"("},"NetworkSettings":{"Networks":)" + networks + "}}";
        return decodeContainer(body)->instance.stateDetail;
    };
    QVERIFY(told("bridge", "{}").contains(QStringLiteral("no network")));
    QVERIFY(told("none", "{}").isEmpty());
    QVERIFY(
        told("bridge", R"({"bridge":{"NetworkID":""}})").contains(QStringLiteral("no network")));
    QVERIFY(told("bridge", R"({"bridge":{"NetworkID":"9f"}})").isEmpty());
}

void TestDockerDecode::list()
{
    const auto all = decodeList(recording(QStringLiteral("024")).body);
    QVERIFY(all.has_value());
    QCOMPARE(all->size(), 1);
    QCOMPARE(all->front().name, QStringLiteral("wirebox"));
    QCOMPARE(all->front().state, ObservedState::Running);
    QCOMPARE(all->front().createdAt.toSecsSinceEpoch(), 1795973974);
    const auto paused = decodeList(recording(QStringLiteral("060")).body);
    QVERIFY(paused.has_value());
    QCOMPARE(paused->front().state, ObservedState::Paused);
    QVERIFY(decodeList("[]")->isEmpty());
    QVERIFY(!decodeList("null").has_value());
    // Half a list must not pass for a list.
    QVERIFY(!decodeList(R"([{"Id":"a"},{"Names":["/b"]}])").has_value());
}

void TestDockerDecode::errors_data()
{
    QTest::addColumn<QString>("number");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("detail");
    QTest::newRow("too new") << QStringLiteral("005") << ErrorKind::InvalidInput
                             << QStringLiteral("too new");
    QTest::newRow("too old, plain text")
        << QStringLiteral("006") << ErrorKind::InvalidInput
        << QStringLiteral("client version 1.11 is too old. Minimum supported API version is 1.12");
    QTest::newRow("no such route")
        << QStringLiteral("008") << ErrorKind::Protocol << QStringLiteral("page not found");
    QTest::newRow("no such container")
        << QStringLiteral("022") << ErrorKind::NotFound << QStringLiteral("No such container");
    QTest::newRow("no such image")
        << QStringLiteral("011") << ErrorKind::NotFound << QStringLiteral("No such image");
    QTest::newRow("already paused")
        << QStringLiteral("057") << ErrorKind::Conflict << QStringLiteral("paused");
    QTest::newRow("not paused") << QStringLiteral("063") << ErrorKind::Unavailable
                                << QStringLiteral("not paused");
    QTest::newRow("offline") << QStringLiteral("088") << ErrorKind::Unavailable
                             << QStringLiteral("no such host");
}

void TestDockerDecode::errors()
{
    QFETCH(QString, number);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, detail);
    const test::Recording answer = recording(number);
    const domain::Error error = engineError(answer.status, answer.body, QStringLiteral("Trying"));
    QCOMPARE(error.kind, kind);
    QCOMPARE(error.message, QStringLiteral("Trying failed"));
    QVERIFY2(error.detail.contains(detail), qPrintable(error.detail));
    QCOMPARE(error.httpStatus, std::optional(answer.status));

    // A proxy's page says nothing about a container, and there are answers without a word.
    QCOMPARE(engineError(404, "<html>Not Found</html>", {}).kind, ErrorKind::Protocol);
    QVERIFY(!engineError(500, {}, {}).detail.isEmpty());
    QVERIFY(engineError(500, QByteArray(100000, 'x'), {}).detail.size() <= 1000);
}

void TestDockerDecode::takenNames()
{
    const test::Recording docker = recording(QStringLiteral("010"));
    QVERIFY(isNameTaken(docker.status, docker.body));
    QVERIFY(isNameTaken(
        500,
        R"({"cause":"that name is already in use","message":"creating container storage: the )"
        R"(container name \"x\" is already in use by 754f. You have to remove that container )"
        R"(to be able to reuse that name: that name is already in use","response":500})"));
    QVERIFY(!isNameTaken(500, R"({"message":"address already in use"})"));
    QVERIFY(!isNameTaken(404, recording(QStringLiteral("011")).body));
}

void TestDockerDecode::stats()
{
    const auto reading = decodeStats(recording(QStringLiteral("043")).body);
    QVERIFY(reading.has_value());
    QCOMPARE(reading->cpuNanoseconds, 184464017u);
    QCOMPARE(reading->systemNanoseconds, std::optional<quint64>(2617260000000u));
    QCOMPARE(reading->cpus, 2);
    QCOMPARE(reading->memoryBytes, std::optional<qint64>(860160 - 49152));
    QCOMPARE(reading->memoryLimitBytes, std::optional<qint64>(268435456));
    QCOMPARE(reading->processes, std::optional(3));
    QVERIFY(!reading->receivedBytes);

    const auto stopped = decodeStats(recording(QStringLiteral("078")).body);
    QVERIFY(stopped.has_value());
    QVERIFY(!stopped->at.isValid());
    const domain::ResourceSample nothing = sampleFrom(std::nullopt, *stopped);
    QVERIFY(!nothing.cpuCores && !nothing.memoryBytes && !nothing.processes);
}

void TestDockerDecode::statsStream()
{
    const QList<QByteArray> lines = recording(QStringLiteral("045")).lines;
    QVERIFY(lines.size() >= 3);
    std::optional<StatsReading> before;
    int withCpu = 0;
    for (const QByteArray &line : lines) {
        const auto now = decodeStats(line);
        QVERIFY(now.has_value());
        const domain::ResourceSample sample = sampleFrom(before, *now);
        QCOMPARE(sample.cpuCores.has_value(), before.has_value());
        if (sample.cpuCores) {
            ++withCpu;
            QVERIFY(*sample.cpuCores >= 0 && *sample.cpuCores <= 2);
            const double expected =
                static_cast<double>(now->cpuNanoseconds - before->cpuNanoseconds)
                / static_cast<double>(*now->systemNanoseconds - *before->systemNanoseconds) * 2;
            QVERIFY(qAbs(*sample.cpuCores - expected) < 1e-9);
        }
        before = *now;
    }
    QVERIFY(withCpu >= 2);
}

void TestDockerDecode::impossibleStats()
{
    StatsReading before;
    before.at = QDateTime::fromString(QStringLiteral("2026-01-01T00:00:00Z"), Qt::ISODate);
    before.cpuNanoseconds = 5'000'000'000u;
    before.systemNanoseconds = 100'000'000'000u;
    before.cpus = 2;
    before.receivedBytes = 1000;
    before.sentBytes = 1000;
    StatsReading now = before;
    now.at = before.at.addSecs(1);

    now.systemNanoseconds = 102'000'000'000u;
    now.cpuNanoseconds = 5'500'000'000u;
    now.receivedBytes = 3000;
    QCOMPARE(sampleFrom(before, now).cpuCores, std::optional(0.5));
    QCOMPARE(sampleFrom(before, now).networkReceiveBytesPerSecond, std::optional(2000.0));

    now.cpuNanoseconds = 4'000'000'000u; // the container was started again
    QVERIFY(!sampleFrom(before, now).cpuCores);
    now.cpuNanoseconds = 900'000'000'000u; // a spike that two processors cannot make
    QVERIFY(!sampleFrom(before, now).cpuCores);
    now.cpuNanoseconds = 7'100'000'000u; // the two counters are not read at once
    QCOMPARE(sampleFrom(before, now).cpuCores, std::optional(2.0));
    now.systemNanoseconds = before.systemNanoseconds;
    QVERIFY(!sampleFrom(before, now).cpuCores);
    now.systemNanoseconds.reset(); // no such counter: the clock will do
    now.cpuNanoseconds = 5'250'000'000u;
    QCOMPARE(sampleFrom(before, now).cpuCores, std::optional(0.25));
    now.sentBytes = 10;
    QVERIFY(!sampleFrom(before, now).networkSendBytesPerSecond);
    now.at = before.at;
    QVERIFY(!sampleFrom(before, now).cpuCores);
}

void TestDockerDecode::statsOfTwoCgroups()
{
    const auto memory = [](const char *text) {
        return decodeStats(
            QByteArray(
                R"({"read":"2026-01-01T00:00:01Z","cpu_stats":{"cpu_usage":{"total_usage":1,)"
                R"("percpu_usage":[1,2,3]}},"memory_stats":)")
            + text + "}");
    };
    QCOMPARE(memory(R"({"usage":100,"stats":{"inactive_file":30}})")->memoryBytes,
             std::optional<qint64>(70));
    QCOMPARE(memory(R"({"usage":100,"stats":{"inactive_file":30,"total_inactive_file":40}})")
                 ->memoryBytes,
             std::optional<qint64>(60));
    QCOMPARE(memory(R"({"usage":100,"stats":{"inactive_file":100}})")->memoryBytes,
             std::optional<qint64>(100));
    QCOMPARE(memory(R"({"usage":100,"limit":9223372036854771712})")->memoryLimitBytes,
             std::nullopt);
    QCOMPARE(memory(R"({"usage":100,"limit":18446744073709551615})")->memoryLimitBytes,
             std::nullopt);
    QCOMPARE(memory("{}")->memoryBytes, std::nullopt);
    QCOMPARE(memory("{}")->cpus, 3);
}

void TestDockerDecode::image()
{
    const auto image = decodeImage(recording(QStringLiteral("066")).body);
    QVERIFY(image.has_value());
    QCOMPARE(image->architecture, QStringLiteral("amd64"));
    QCOMPARE(image->user, QStringLiteral("0:0"));
}

void TestDockerDecode::pull()
{
    PullProgress progress(QStringLiteral("agent:1"));
    double last = -1;
    int moves = 0;
    const QList<QByteArray> lines = recording(QStringLiteral("113")).lines;
    QVERIFY(lines.size() > 20);
    for (const QByteArray &line : lines) {
        const auto decoded = decodePullLine(line);
        QVERIFY2(decoded.has_value(), line.constData());
        QVERIFY(decoded->error.isEmpty());
        progress.take(*decoded);
        const domain::Progress told = progress.told();
        QVERIFY(told.fraction <= 1.0001);
        QVERIFY2(told.fraction >= last, line.constData());
        if (told.fraction > last)
            ++moves;
        last = told.fraction;
    }
    QVERIFY(moves > 3);
    QVERIFY2(last > 0.99, QByteArray::number(last).constData());
    QCOMPARE(progress.told().what, QStringLiteral("Pulling agent:1 · 99 of 99 MB · 1 of 1 layer"));
    QVERIFY(progress.stalled(30).what.endsWith(QStringLiteral("stalled for 30 s")));
}

void TestDockerDecode::pullErrorInsideSuccess()
{
    const auto error = decodePullLine(R"({"errorDetail":{"message":"toomanyrequests: slow down"},)"
                                      R"("error":"toomanyrequests: slow down"})");
    QVERIFY(error.has_value());
    QCOMPARE(error->error, QStringLiteral("toomanyrequests: slow down"));
    QCOMPARE(decodePullLine(R"({"errorDetail":{"message":"x"}})")->error, QStringLiteral("x"));
}

void TestDockerDecode::users()
{
    const QByteArray passwd(
        "root:x:0:0:root:/root:/bin/sh\nagent:x:1000:1001::/home/agent:/bin/sh\nbroken\n");
    QVERIFY(userIds(passwd, QStringLiteral("agent")) == (std::pair{1000, 1001}));
    QVERIFY(userIds(passwd, QStringLiteral("1000")) == (std::pair{1000, 1001}));
    QVERIFY(userIds(passwd, QStringLiteral("77")) == (std::pair{77, 0}));
    QVERIFY(userIds(passwd, QStringLiteral("77:88")) == (std::pair{77, 88}));
    QVERIFY(!userIds(passwd, QStringLiteral("nobody")));
    QVERIFY(!userIds({}, QStringLiteral("agent")));
}

void TestDockerDecode::tar()
{
    const QByteArray content = QByteArray("\0\1binary", 8) + QByteArray(1000, 'x');
    const QByteArray archive =
        tarArchive({{"dir", true, 0755, 1, 2, {}}, {"dir/file", false, 0555, 0, 0, content}});
    QCOMPARE(archive.size() % 512, 0);
    QVERIFY(firstFileOf(archive) == content);
    QVERIFY(!firstFileOf(tarArchive({{"dir", true, 0755, 0, 0, {}}})));
    // Cut anywhere it is either the whole content or none.
    for (qsizetype cut = 0; cut < archive.size(); cut += 7) {
        const auto got = firstFileOf(archive.first(cut));
        QVERIFY(!got || *got == content);
    }
}

void TestDockerDecode::garbage()
{
    std::mt19937 random(3);
    for (const char *number : {"004", "020", "024", "043", "066"}) {
        const QByteArray whole = recording(QLatin1String(number)).body;
        QVERIFY(!whole.isEmpty());
        for (int round = 0; round < 400; ++round) {
            QByteArray body = whole;
            if (round % 3 == 0)
                body = body.first(
                    static_cast<qsizetype>(random() % static_cast<unsigned>(body.size())));
            for (auto i = random() % 6; i > 0 && !body.isEmpty(); --i)
                body[static_cast<qsizetype>(random() % static_cast<unsigned>(body.size()))] =
                    static_cast<char>(random() % 256);
            // Any answer will do but a crash.
            (void)decodeFacts(body);
            (void)decodeContainer(body);
            (void)decodeList(body);
            const auto stats = decodeStats(body);
            if (stats)
                (void)sampleFrom(*stats, *stats);
            (void)decodeImage(body);
            (void)decodeVolume(body);
            (void)decodePullLine(body);
            (void)engineError(500, body, {});
            (void)firstFileOf(body);
        }
    }
    for (const char *odd :
         {"null", "[]", "{}", "\"x\"", "17", "[[]]", R"({"Id":5})", R"({"Id":"x","State":[]})",
          R"({"Id":"x","Mounts":{"a":1},"Config":null})",
          R"({"read":5,"cpu_stats":{"cpu_usage":7},"memory_stats":[],"networks":[1]})"}) {
        (void)decodeFacts(odd);
        (void)decodeContainer(odd);
        (void)decodeList(odd);
        (void)decodeStats(odd);
        (void)decodePullLine(odd);
    }
}

QTEST_GUILESS_MAIN(TestDockerDecode)
#include "test_docker_decode.moc"
