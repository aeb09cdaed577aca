// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/client.h"
#include "providers/docker/docker_kind.h"
#include "providers/docker/settings.h"

#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace berth;
using namespace berth::docker;
using domain::ErrorKind;
using nlohmann::json;
using Values = QMap<QString, QString>;

namespace {

Values values(std::initializer_list<std::pair<const char *, const char *>> list)
{
    Values made;
    for (const auto &[key, value] : list)
        made.insert(QLatin1String(key), QLatin1String(value));
    return made;
}

//! As the application hands them over: defaults filled in.
Values defaults()
{
    Values made;
    for (const domain::SchemaField &field : schema().fields) {
        if (!field.defaultValue.isEmpty())
            made.insert(field.key.section(QLatin1Char('.'), -1), field.defaultValue);
    }
    return made;
}

} // namespace

class TestDockerSettings : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void schemaHoldsTheDocument();
    void defaultsWork();
    void layers();
    void ubuntu();
    void refuses_data();
    void refuses();
    void sizes();
    void references();
    void body();
    void bodyOfLimits();
    void bodyOfOtherUsers();
    void kind();
};

void TestDockerSettings::schemaHoldsTheDocument()
{
    QCOMPARE(schema().facts.kind, QStringLiteral("docker"));
    QCOMPARE(schema().facts.mark, QStringLiteral("D"));
    QCOMPARE(schema().facts.cost, QStringLiteral("Free"));
    QCOMPARE(schema().field(QStringLiteral("image"))->defaultValue,
             QStringLiteral("python:3.12-slim"));
    QCOMPARE(schema().field(QStringLiteral("mount_path"))->defaultValue,
             QStringLiteral("/workspace"));
    QVERIFY(schema().field(QStringLiteral("on_exit")));
    QCOMPARE(schema().field(QStringLiteral("docker_host"))->scope, domain::FieldScope::Connection);
    for (const domain::SchemaField &field : schema().fields) {
        QVERIFY(!validationProblem(field, field.defaultValue));
        QVERIFY(!field.label.isEmpty());
        // What gives a container more than its own: not even spelled here.
        for (const char *word : {"privileged", "cap_add", "device", "pid_mode", "volumes"})
            QVERIFY2(!field.key.contains(QLatin1String(word)), qPrintable(field.key));
    }
}

void TestDockerSettings::defaultsWork()
{
    for (const Values &config : {Values(), defaults()}) {
        const auto settings = sandboxSettings(config, {});
        QVERIFY(settings.has_value());
        QCOMPARE(settings->image, QStringLiteral("python:3.12-slim"));
        QCOMPARE(settings->home, QByteArray("/workspace"));
        QVERIFY(settings->user.isEmpty());
        QCOMPARE(settings->network, Network::Auto);
        QCOMPARE(settings->pull, PullPolicy::Missing);
        QCOMPARE(settings->memoryBytes, 0);
    }
}

void TestDockerSettings::layers()
{
    Values config = defaults();
    config.insert(QStringLiteral("mount_path"), QStringLiteral("/srv"));
    config.insert(QStringLiteral("memory_limit"), QStringLiteral("512m"));
    const auto row =
        sandboxSettings(config, values({{"agent_home", "/home/agent"}, {"cpu_shares", "512"}}));
    QVERIFY(row.has_value());
    QCOMPARE(row->home, QByteArray("/home/agent"));
    QCOMPARE(row->cpuShares, 512);
    QCOMPARE(row->memoryBytes, qint64(512) << 20);
    // An empty value in a row is none.
    QCOMPARE(sandboxSettings(config, values({{"image", ""}, {"agent_home", " "}}))->home,
             QByteArray("/srv"));
    // The same thing twice is no contradiction.
    QVERIFY(
        sandboxSettings(config, values({{"agent_home", "/x"}, {"mount_path", "/x"}})).has_value());
    QCOMPARE(sandboxSettings(defaults(), values({{"agent_home", "/x"}}))->home, QByteArray("/x"));
}

void TestDockerSettings::ubuntu()
{
    const auto row = sandboxSettings(defaults(), values({{"image", "ubuntu:24.04"}}));
    QVERIFY(row.has_value());
    QCOMPARE(row->user, QStringLiteral("root"));
    QCOMPARE(row->home, QByteArray("/root"));
    const auto named = sandboxSettings(
        defaults(),
        values({{"image", "ubuntu:24.04"}, {"username", "me"}, {"agent_home", "/home/me"}}));
    QCOMPARE(named->user, QStringLiteral("me"));
    QCOMPARE(named->home, QByteArray("/home/me"));
    const auto other = sandboxSettings(defaults(), values({{"image", "node:22"}}));
    QVERIFY(other->user.isEmpty());
    QCOMPARE(other->home, QByteArray("/workspace"));
    // The provider config itself keeps its own default.
    Values config = defaults();
    config.insert(QStringLiteral("image"), QStringLiteral("ubuntu:24.04"));
    QCOMPARE(sandboxSettings(config, {})->home, QByteArray("/workspace"));
}

void TestDockerSettings::refuses_data()
{
    QTest::addColumn<Values>("config");
    QTest::addColumn<Values>("overrides");
    QTest::newRow("two homes") << Values() << values({{"agent_home", "/a"}, {"mount_path", "/b"}});
    QTest::newRow("two homes in the file")
        << values({{"agent_home", "/a"}, {"mount_path", "/b"}}) << Values();
    QTest::newRow("unknown key") << Values() << values({{"privileged", "true"}});
    QTest::newRow("engine in a row") << Values() << values({{"docker_host", "unix:///x"}});
    QTest::newRow("root directory") << values({{"mount_path", "/"}}) << Values();
    QTest::newRow("system directory") << values({{"mount_path", "/etc/x"}}) << Values();
    QTest::newRow("runner's directory") << Values() << values({{"agent_home", "/.berth"}});
    QTest::newRow("parent") << values({{"mount_path", "/srv/../etc"}}) << Values();
    QTest::newRow("relative") << values({{"mount_path", "workspace"}}) << Values();
    QTest::newRow("memory") << values({{"memory_limit", "lots"}}) << Values();
    QTest::newRow("too little memory") << values({{"memory_limit", "1m"}}) << Values();
    QTest::newRow("shares") << values({{"cpu_shares", "1"}}) << Values();
    QTest::newRow("network") << values({{"network", "host"}}) << Values();
    QTest::newRow("user") << values({{"username", "a b"}}) << Values();
    QTest::newRow("cpus") << values({{"cpus", "many"}}) << Values();
    QTest::newRow("no cpus") << values({{"cpus", "0"}}) << Values();
    QTest::newRow("negative cpus") << Values() << values({{"cpus", "-1"}});
    QTest::newRow("too few processes") << values({{"pids_limit", "2"}}) << Values();
    QTest::newRow("network without a name") << values({{"network", "named"}}) << Values();
    QTest::newRow("host's network by name")
        << values({{"network", "named"}, {"network_name", "host"}}) << Values();
    QTest::newRow("another container's network")
        << values({{"network", "named"}, {"network_name", "container:x"}}) << Values();
    QTest::newRow("two networks") << values({{"network", "none"}, {"network_name", "x"}})
                                  << Values();
    QTest::newRow("pull policy") << values({{"pull_policy", "sometimes"}}) << Values();
    QTest::newRow("hardened") << values({{"hardened", "yes"}}) << Values();
    QTest::newRow("softened by a row") << Values() << values({{"hardened", "false"}});
    QTest::newRow("directory in a row") << Values() << values({{"workspace_dir", "/srv"}});
    QTest::newRow("relative directory") << values({{"workspace_dir", "srv"}}) << Values();
    QTest::newRow("image") << values({{"image", "a b"}}) << Values();
    QTest::newRow("image option") << values({{"image", "--privileged"}}) << Values();
}

void TestDockerSettings::refuses()
{
    QFETCH(Values, config);
    QFETCH(Values, overrides);
    const auto settings = sandboxSettings(config, overrides);
    QVERIFY(!settings.has_value());
    QCOMPARE(settings.error().kind, ErrorKind::InvalidInput);
    QVERIFY(!settings.error().message.isEmpty());
}

void TestDockerSettings::sizes()
{
    QCOMPARE(bytesFrom(QStringLiteral("512m")), std::optional<qint64>(536870912));
    QCOMPARE(bytesFrom(QStringLiteral("2G")), std::optional<qint64>(2147483648));
    QCOMPARE(bytesFrom(QStringLiteral("100")), std::optional<qint64>(100));
    for (const char *bad : {"", "0", "0g", "-1m", "1.5g", "1t", "m", "999999999999999g", "1 g"})
        QVERIFY2(!bytesFrom(QLatin1String(bad)), bad);
}

void TestDockerSettings::references()
{
    const auto parts = [](const char *image) {
        const ImageReference reference = imageReference(QLatin1String(image));
        return reference.name + QLatin1Char('|') + reference.tag;
    };
    QCOMPARE(parts("python:3.12-slim"), QStringLiteral("python|3.12-slim"));
    QCOMPARE(parts("python"), QStringLiteral("python|latest"));
    QCOMPARE(parts("localhost:5000/a/b"), QStringLiteral("localhost:5000/a/b|latest"));
    QCOMPARE(parts("localhost:5000/a/b:1"), QStringLiteral("localhost:5000/a/b|1"));
    QCOMPARE(parts("a@sha256:00"), QStringLiteral("a|sha256:00"));
    QCOMPARE(parts("localhost:5000/a@sha256:00"), QStringLiteral("localhost:5000/a|sha256:00"));
}

void TestDockerSettings::body()
{
    ContainerPlan plan;
    plan.name = QStringLiteral("berth-1-a-b");
    plan.volume = QStringLiteral("berth-1-a-b-workspace");
    plan.labels.installation = domain::InstallationId(QStringLiteral("inst"));
    plan.labels.instance = domain::InstanceId(QStringLiteral("token"));
    plan.settings =
        *sandboxSettings(defaults(), values({{"memory_limit", "64m"}, {"network", "none"}}));
    const json body = json::parse(encodeContainer(plan).toStdString());
    QCOMPARE(body["Labels"]["berth.installation"].get<std::string>(), std::string("inst"));
    QCOMPARE(body["Labels"]["berth.instance"].get<std::string>(), std::string("token"));
    QVERIFY(!body.contains("User"));
    QVERIFY(body["OpenStdin"] == true && body["StdinOnce"] == false && body["Tty"] == false);
    QVERIFY(body["Entrypoint"] == json::array({"/.berth/guest"}));
    const json &host = body["HostConfig"];
    QVERIFY(host["CapDrop"] == json::array({"ALL"}));
    for (const char *never :
         {"SYS_ADMIN", "SYS_PTRACE", "NET_ADMIN", "NET_RAW", "MKNOD", "SYS_CHROOT"})
        QVERIFY2(std::find(host["CapAdd"].begin(), host["CapAdd"].end(), never)
                     == host["CapAdd"].end(),
                 never);
    QVERIFY(host["SecurityOpt"] == json::array({"no-new-privileges"}));
    QCOMPARE(host["LogConfig"]["Type"].get<std::string>(), std::string("none"));
    QCOMPARE(host["NetworkMode"].get<std::string>(), std::string("none"));
    QCOMPARE(host["Memory"].get<qint64>(), qint64(64) << 20);
    QCOMPARE(host["MemorySwap"].get<qint64>(), qint64(64) << 20);
    QCOMPARE(host["PidsLimit"].get<int>(), kHardenedProcesses);
    QVERIFY(!host.contains("NanoCpus") && !host.contains("CpuShares"));
    QVERIFY(!host.contains("Binds") && !host.contains("Privileged"));
    QCOMPARE(host["Mounts"].size(), size_t(1));
    QCOMPARE(host["Mounts"][0]["Type"].get<std::string>(), std::string("volume"));
    QCOMPARE(host["Mounts"][0]["Target"].get<std::string>(), std::string("/workspace"));
}

void TestDockerSettings::bodyOfLimits()
{
    ContainerPlan plan;
    plan.hostWorkspace = QStringLiteral("/srv/project");
    plan.settings = *sandboxSettings(values({{"cpus", "1.5"},
                                             {"pids_limit", "99"},
                                             {"hardened", "false"},
                                             {"network", "named"},
                                             {"network_name", "lab-1"}}),
                                     {});
    const json body = json::parse(encodeContainer(plan).toStdString());
    const json &host = body["HostConfig"];
    QCOMPARE(host["NanoCpus"].get<qint64>(), 1'500'000'000);
    QCOMPARE(host["PidsLimit"].get<int>(), 99);
    QCOMPARE(host["NetworkMode"].get<std::string>(), std::string("lab-1"));
    // What the engine gives every container: nothing taken, nothing added.
    QVERIFY(!host.contains("CapDrop") && !host.contains("CapAdd") && !host.contains("SecurityOpt"));
    QCOMPARE(host["Mounts"].size(), size_t(1));
    QCOMPARE(host["Mounts"][0]["Type"].get<std::string>(), std::string("bind"));
    QCOMPARE(host["Mounts"][0]["Source"].get<std::string>(), std::string("/srv/project"));
    plan.settings = *sandboxSettings(values({{"hardened", "false"}}), {});
    QVERIFY(!json::parse(encodeContainer(plan).toStdString())["HostConfig"].contains("PidsLimit"));
}

void TestDockerSettings::bodyOfOtherUsers()
{
    ContainerPlan plan;
    plan.settings = *sandboxSettings(defaults(), values({{"username", "1000:1000"}}));
    plan.runsAsRoot = false;
    const json body = json::parse(encodeContainer(plan).toStdString());
    QCOMPARE(body["User"].get<std::string>(), std::string("1000:1000"));
    QVERIFY(!body["HostConfig"].contains("CapAdd"));
    QCOMPARE(body["HostConfig"]["NetworkMode"].get<std::string>(), std::string("bridge"));
}

void TestDockerSettings::kind()
{
    const auto kind = makeDockerKind();
    QVERIFY(!kind->problemWith(defaults()));
    QCOMPARE(kind->summary(defaults()), QStringLiteral("python:3.12-slim"));
}

QTEST_GUILESS_MAIN(TestDockerSettings)
#include "test_docker_settings.moc"
