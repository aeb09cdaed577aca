// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "docker/engine_fixture.h"
#include "providers/docker/tar.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QDir>
#include <QtCore/QScopeGuard>
#include <QtCore/QTemporaryDir>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

using namespace berth;
using namespace std::chrono_literals;
using berth::test::await;
using domain::ErrorKind;
using domain::Instance;
using Values = test::EngineFixture::Values;

namespace {

QString key(const char *name)
{
    return QLatin1String(name);
}

} // namespace

//! What containers are made like, seen from inside of real ones.
class TestDockerContainer : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();

    void limitsSeenInside();
    void moreCpusThanThereAre();
    void outOfMemoryIsSaid();
    void forkBombEnds();
    void softened();
    void namedNetwork();
    void hostWorkspace();
    void hostWorkspaceRefused();
    void hostWorkspaceMovedAway();
    void runnerComesByTheMount();
    void runnerThatTheEngineCannotStart();
    void imageThatDeclaresEverything();
    void imageWithoutAShell();
    void imageOfAnotherArchitecture();

private:
    //! An image of \a files; its name.
    QByteArray import(const char *tag, const QList<docker::TarEntry> &files);

    test::EngineFixture m_fixture;
    QList<QByteArray> m_images;
};

void TestDockerContainer::initTestCase()
{
    BERTH_NEEDS_ENGINE(m_fixture);
}

void TestDockerContainer::cleanupTestCase()
{
    m_fixture.close();
    for (const QByteArray &image : std::as_const(m_images))
        QCOMPARE(m_fixture.engine("DELETE", "/images/" + image + "?force=1"), 200);
}

QByteArray TestDockerContainer::import(const char *tag, const QList<docker::TarEntry> &files)
{
    const QByteArray name = "berth-odd-" + m_fixture.installation.toString().left(8).toUtf8();
    QByteArray answer;
    const int status =
        m_fixture.engine("POST", "/images/create?fromSrc=-&repo=" + name + "&tag=" + tag, &answer,
                         docker::tarArchive(files), "application/x-tar");
    if (status == 200 && !answer.contains("\"error\""))
        m_images << name + ':' + tag;
    else
        qWarning("import of %s: %d %s", tag, status, answer.constData());
    return name + ':' + tag;
}

void TestDockerContainer::limitsSeenInside()
{
    const auto made = m_fixture.create("limits",
                                       {{key("memory_limit"), key("64m")},
                                        {key("cpus"), key("0.5")},
                                        {key("cpu_shares"), key("512")},
                                        {key("pids_limit"), key("77")}});
    BERTH_OK(made);
    // The files of both kinds of cgroups; what is not there says nothing.
    const test::Finished seen = m_fixture.run(
        made->externalId,
        "cd /sys/fs/cgroup; cat memory/memory.limit_in_bytes memory.max; echo; "
        "cat cpu/cpu.cfs_quota_us cpu.max; echo; cat cpu/cpu.shares cpu.weight; echo; "
        "cat pids/pids.max pids.max; true");
    const QByteArray told = test::told(seen);
    QVERIFY2(seen.out.startsWith("67108864\n"), told.constData());
    QVERIFY2(seen.out.contains("\n50000"), told.constData());
    QVERIFY2(seen.out.contains("\n512\n") || seen.out.contains("\n20\n"), told.constData());
    QVERIFY2(seen.out.endsWith("\n77\n"), told.constData());
    const auto sample = await(m_fixture.provider->metrics(made->externalId, {}));
    BERTH_OK(sample);
    QCOMPARE(sample->memoryLimitBytes, std::optional<qint64>(qint64(64) << 20));
    // The limit of processors comes with the second sample at the latest.
    QVERIFY(test::waitUntil(
        [this, &made] {
            const auto again = await(m_fixture.provider->metrics(made->externalId, {}));
            return again && again->cpuLimitCores == 0.5;
        },
        5s));
    BERTH_OK(await(m_fixture.provider->destroy(made->externalId, {})));
}

void TestDockerContainer::moreCpusThanThereAre()
{
    const auto made = m_fixture.create("many", {{key("cpus"), key("9999")}});
    BERTH_FAILS(made, ErrorKind::InvalidInput);
    QVERIFY2(made.error().message.contains(
                 QStringLiteral("9999 CPUs are asked for, but the engine has")),
             qPrintable(made.error().message));
}

//! Case 6: the kernel ends a command, and the reason is said; a kill by hand is no such thing.
void TestDockerContainer::outOfMemoryIsSaid()
{
    const auto made = m_fixture.create("memory", {{key("memory_limit"), key("64m")}});
    BERTH_OK(made);
    for (const char *eater : {"exec python3 -c 'x = bytearray(200 << 20)'",
                              "python3 -c 'x = bytearray(200 << 20)'; exit $?"}) {
        const test::Finished ended = m_fixture.run(made->externalId, eater);
        QCOMPARE(domain::exitCodeOf(ended.outcome), 137);
        QVERIFY2(
            ended.outcome.detail.contains(QStringLiteral("out of memory"), Qt::CaseInsensitive),
            test::told(ended).constData());
    }
    const test::Finished killed = m_fixture.run(made->externalId, "kill -9 $$");
    QCOMPARE(domain::exitCodeOf(killed.outcome), 137);
    QVERIFY2(!killed.outcome.detail.contains(QStringLiteral("memory")),
             test::told(killed).constData());
    QCOMPARE(m_fixture.run(made->externalId, "echo on").out, QByteArray("on\n"));
    BERTH_OK(await(m_fixture.provider->destroy(made->externalId, {})));
}

void TestDockerContainer::forkBombEnds()
{
    const auto made = m_fixture.create("bomb", {{key("pids_limit"), key("64")}});
    BERTH_OK(made);
    const auto connection = await(m_fixture.provider->connect(made->externalId, {}));
    BERTH_OK(connection);
    const auto bomb = test::start((*connection)->shell(),
                                  test::shellCommand("echo armed; exec python3 -c '\n"
                                                     "import os, time\n"
                                                     "while True:\n"
                                                     "    try: os.fork()\n"
                                                     "    except OSError: time.sleep(0.05)\n'"));
    QVERIFY(bomb);
    QVERIFY(bomb->waitForOutput("armed\n"));
    QVERIFY(test::waitUntil(
        [this, &made] {
            const auto sample = await(m_fixture.provider->metrics(made->externalId, {}));
            return sample && sample->processes && *sample->processes >= 60;
        },
        15s));
    bomb->execution().stop();
    QVERIFY(bomb->waitForEnd(20s));
    QCOMPARE(bomb->outcome().kind, domain::OutcomeKind::Cancelled);
    // Nothing of it is left, and the sandbox works.
    const test::Finished after = m_fixture.run(made->externalId, "ls -d /proc/[0-9]* | wc -l");
    QCOMPARE(after.outcome.code, 0);
    QVERIFY2(after.out.trimmed().toInt() > 0 && after.out.trimmed().toInt() < 12,
             test::told(after).constData());
    BERTH_OK(await(m_fixture.provider->destroy(made->externalId, {})));
}

void TestDockerContainer::softened()
{
    const auto provider = m_fixture.makeProvider({{key("hardened"), key("false")}});
    const auto made = await(provider->create(m_fixture.request("soft"), {}, {}), 90s);
    BERTH_OK(made);
    const test::Finished seen =
        m_fixture.run(made->externalId,
                      "grep -E '^(CapEff|NoNewPrivs):' /proc/self/status; "
                      "cat /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/pids.max 2>/dev/null");
    QVERIFY2(seen.out.contains("NoNewPrivs:\t0"), test::told(seen).constData());
    // MKNOD, NET_RAW and the like are the engine's default; SYS_ADMIN, SYS_PTRACE are not.
    const int at = static_cast<int>(seen.out.indexOf("CapEff:\t")) + 8;
    const quint64 capabilities = seen.out.mid(at, 16).toULongLong(nullptr, 16);
    QVERIFY2(capabilities & (quint64(1) << 10), test::told(seen).constData());
    QVERIFY2(!(capabilities & (quint64(1) << 21)) && !(capabilities & (quint64(1) << 19)),
             test::told(seen).constData());
    QVERIFY2(seen.out.endsWith("max\n"), test::told(seen).constData());
    // The runner stays out of reach all the same.
    const test::Finished attack = m_fixture.run(
        made->externalId, "kill -9 1; cat /proc/1/maps; echo x > /proc/1/fd/1; echo alive");
    QCOMPARE(attack.out, QByteArray("alive\n"));
    BERTH_OK(await(m_fixture.provider->destroy(made->externalId, {})));
}

void TestDockerContainer::namedNetwork()
{
    const QByteArray name = "berth-net-" + m_fixture.installation.toString().left(8).toUtf8();
    const Values wish{{key("network"), key("named")},
                      {key("network_name"), QString::fromUtf8(name)}};
    const auto missing = m_fixture.create("net", wish);
    BERTH_FAILS(missing, ErrorKind::InvalidInput);
    QVERIFY(missing.error().message.contains(QString::fromUtf8(name)));

    QByteArray answer;
    if (m_fixture.engine("POST", "/networks/create", &answer,
                         "{\"Name\":\"" + name + "\",\"Internal\":true}")
        != 201)
        QSKIP(answer.constData());
    const auto made = m_fixture.create("net", wish);
    BERTH_OK(made);
    const test::Finished seen = m_fixture.run(made->externalId, "grep -c : /proc/net/dev");
    QVERIFY2(seen.out.trimmed().toInt() >= 2, test::told(seen).constData());
    BERTH_OK(await(m_fixture.provider->destroy(made->externalId, {})));
    QCOMPARE(m_fixture.engine("DELETE", "/networks/" + name), 204);
}

void TestDockerContainer::hostWorkspace()
{
    QTemporaryDir host;
    QVERIFY(QDir(host.path()).mkdir(key("project")));
    const QString project = host.filePath(key("project"));
    QFile given(project + key("/given"));
    QVERIFY(given.open(QIODevice::WriteOnly) && given.write("from outside\n") > 0);
    given.close();
    QFile::setPermissions(project,
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadOther
                              | QFile::WriteOther | QFile::ExeOther);
    const uint owner = QFileInfo(project).ownerId();

    // As the row's choice, for a user of its own.
    domain::CreateRequest wanted = m_fixture.request("host", {{key("username"), key("agent")}});
    wanted.workspace = project;
    const auto made = await(m_fixture.provider->create(wanted, {}, {}), 90s);
    BERTH_OK(made);
    const test::Finished seen =
        m_fixture.run(made->externalId, "pwd; cat given; echo inside > made; id -u");
    QVERIFY2(seen.out == "/workspace\nfrom outside\n1000\n", test::told(seen).constData());
    // The directory is the user's: its owner does not change.
    QCOMPARE(QFileInfo(project).ownerId(), owner);
    QCOMPARE(m_fixture.engine("GET", "/volumes/" + made->name.toUtf8() + "-workspace"), 404);
    BERTH_OK(await(m_fixture.provider->destroy(made->externalId, {})));
    QFile result(project + key("/made"));
    QVERIFY(result.open(QIODevice::ReadOnly));
    QCOMPARE(result.readAll(), QByteArray("inside\n"));
    QVERIFY(QFile::exists(project + key("/given")));

    // As the config's, for all of its sandboxes.
    const auto provider = m_fixture.makeProvider({{key("workspace_dir"), project}});
    const auto other = await(provider->create(m_fixture.request("host2"), {}, {}), 90s);
    BERTH_OK(other);
    QCOMPARE(m_fixture.run(other->externalId, "cat made").out, QByteArray("inside\n"));
    BERTH_OK(await(provider->destroy(other->externalId, {})));
    QVERIFY(QFile::exists(project + key("/made")));
}

void TestDockerContainer::hostWorkspaceRefused()
{
    QTemporaryDir host;
    m_fixture.paths.data = host.path();
    QVERIFY(QDir(host.path()).mkpath(key("runtimes")));
    const auto provider = m_fixture.makeProvider();
    m_fixture.paths = {};
    for (const QString &path :
         {key("/"), QDir::homePath(), host.path(), host.filePath(key("runtimes")),
          QFileInfo(test::engineSocket()).path(), host.filePath(key("none"))}) {
        domain::CreateRequest wanted = m_fixture.request("refused");
        wanted.workspace = path;
        const auto made = await(provider->create(wanted, {}, {}), 30s);
        BERTH_FAILS(made, ErrorKind::InvalidInput);
        QVERIFY2(made.error().message.contains(path), qPrintable(made.error().message));
    }
}

//! Somebody who may write beside a workspace exchanges it for a link while the sandbox is off.
void TestDockerContainer::hostWorkspaceMovedAway()
{
    QTemporaryDir host;
    const QString project = QFileInfo(host.path()).canonicalFilePath() + key("/project");
    QVERIFY(QDir().mkpath(project));
    domain::CreateRequest wanted = m_fixture.request("moved");
    wanted.workspace = project;
    const auto made = await(m_fixture.provider->create(wanted, {}, {}), 90s);
    BERTH_OK(made);
    QCOMPARE(m_fixture.engine("POST",
                              "/containers/" + made->externalId.toString().toUtf8() + "/stop?t=5"),
             204);
    QVERIFY(QDir().rmdir(project));
    QVERIFY(QFile::link(key("/etc"), project));
    BERTH_FAILS(await(m_fixture.provider->resume(made->externalId, {})), ErrorKind::InvalidInput);
    QVERIFY(QFile::remove(project) && QDir().mkpath(project));
    BERTH_OK(await(m_fixture.provider->resume(made->externalId, {}), 60s));
    BERTH_OK(await(m_fixture.provider->destroy(made->externalId, {})));
}

//! Where the direct connection has its directory the runner comes with it, without a call.
void TestDockerContainer::runnerComesByTheMount()
{
    QTemporaryDir data;
    m_fixture.paths.data = data.path();
    const std::unique_ptr<domain::Provider> provider = m_fixture.makeProvider();
    m_fixture.paths = {};
    const auto made = await(provider->create(m_fixture.request("mounted"), {}, {}), 90s);
    BERTH_OK(made);
    QByteArray answer;
    const QByteArray target = "/containers/" + made->externalId.toString().toUtf8();
    QCOMPARE(m_fixture.engine("GET", target + "/json", &answer), 200);
    QVERIFY2(answer.contains("\"Path\":\"/.berth/link/guest\""), answer.constData());
    const auto connection = await(provider->connect(made->externalId, {}));
    BERTH_OK(connection);
    const test::Finished tried = test::run(
        (*connection)->shell(),
        "echo x > /.berth/link/guest || echo refused; rm -f /.berth/link/guest || echo kept; "
        "test ! -e /.berth/guest && echo no other");
    QVERIFY2(tried.out == "refused\nkept\nno other\n", test::told(tried).constData());

    // Somebody tidied up, or a newer Berth brings another runner: it is there again at the start.
    QCOMPARE(m_fixture.engine("POST", target + "/stop?t=1"), 204);
    const QStringList links =
        QDir(data.filePath(key("links"))).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    QCOMPARE(links.size(), 1);
    const QString runner = data.filePath(QStringLiteral("links/%1/guest").arg(links.constFirst()));
    QVERIFY(QFile::remove(runner));
    BERTH_OK(await(provider->resume(made->externalId, {}), 60s));
    QVERIFY(QFile::exists(runner));
    const auto again = await(provider->connect(made->externalId, {}));
    BERTH_OK(again);
    QCOMPARE(test::run((*again)->shell(), "echo back").out, QByteArrayLiteral("back\n"));
    BERTH_OK(await(provider->destroy(made->externalId, {})));
    QVERIFY(!QFile::exists(runner));
}

//! The engine may see another directory there than we do, or none that programs may be started
//! from; then it puts the runner in. A name space of our own is how it comes to differ here.
void TestDockerContainer::runnerThatTheEngineCannotStart()
{
    const QTemporaryDir data;
    const domain::CreateRequest wanted = m_fixture.request("unseen");
    QString link = wanted.labels.instance.toString();
    link = link.remove(QLatin1Char('-')).left(12);
    QVERIFY(QDir(data.path()).mkpath(QStringLiteral("links/") + link));
    const int home = open("/proc/thread-self/ns/mnt", O_RDONLY | O_CLOEXEC);
    if (unshare(CLONE_NEWNS) != 0)
        QSKIP("needs the right to a mount name space of its own");
    const auto back = qScopeGuard([home] {
        if (setns(home, CLONE_NEWNS) != 0)
            qFatal("the mount name space is lost");
        close(home);
    });
    QCOMPARE(mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr), 0);
    QCOMPARE(mount("ours", data.path().toLocal8Bit().constData(), "tmpfs", 0, nullptr), 0);
    m_fixture.paths.data = data.path();
    const std::unique_ptr<domain::Provider> provider = m_fixture.makeProvider();
    m_fixture.paths = {};
    const auto made = await(provider->create(wanted, {}, {}), 90s);
    BERTH_OK(made);
    QByteArray answer;
    QCOMPARE(m_fixture.engine("GET",
                              "/containers/json?all=1&filters={\"label\":[\"berth.instance="
                                  + wanted.labels.instance.toString().toUtf8() + "\"]}",
                              &answer),
             200);
    QCOMPARE(answer.count("\"Id\":"), 1);
    const auto connection = await(provider->connect(made->externalId, {}));
    BERTH_OK(connection);
    QCOMPARE(test::run((*connection)->shell(), "test -e /.berth/guest && echo put").out,
             QByteArrayLiteral("put\n"));
    BERTH_OK(await(provider->destroy(made->externalId, {})));
}

void TestDockerContainer::imageThatDeclaresEverything()
{
    // What a Dockerfile may say, on top of the small test image.
    QByteArray answer;
    QCOMPARE(m_fixture.engine("POST", "/containers/create", &answer, R"({"Image":"bb:latest"})"),
             201);
    const QByteArray base = answer.mid(answer.indexOf("\"Id\":\"") + 6, 64);
    const QByteArray name = "berth-odd-" + m_fixture.installation.toString().left(8).toUtf8();
    QByteArray commit = "/commit?container=" + base + "&repo=" + name + "&tag=all";
    for (const char *change :
         {"VOLUME /data", "ENTRYPOINT [\"/bin/false\"]", "CMD [\"nothing\"]", "USER agent",
          "WORKDIR /tmp", "HEALTHCHECK --interval=1s CMD /bin/false", "EXPOSE 80",
          "ENV GIVEN=by-the-image"})
        commit += "&changes=" + net::percentEncoded(change);
    QCOMPARE(m_fixture.engine("POST", commit, &answer), 201);
    m_images << name + ":all";
    QCOMPARE(m_fixture.engine("DELETE", "/containers/" + base), 204);

    const auto made = m_fixture.create("all", {{key("image"), QString::fromUtf8(name + ":all")}});
    BERTH_OK(made);
    const test::Finished seen = m_fixture.run(
        made->externalId,
        "pwd; id -un; echo $GIVEN; echo kept > file && cat file; grep -c ' /data ' /proc/mounts; "
        "grep CapEff /proc/self/status; kill -9 1; cat /proc/1/maps; echo x > /proc/1/fd/1; "
        "echo alive");
    QVERIFY2(seen.out
                 == "/workspace\nagent\nby-the-image\nkept\n1\nCapEff:\t0000000000000000\nalive\n",
             test::told(seen).constData());
    QCOMPARE(m_fixture.engine(
                 "GET", "/containers/" + made->externalId.toString().toUtf8() + "/json", &answer),
             200);
    QVERIFY2(!answer.contains("\"Health\":{"), answer.constData());
    const qsizetype at = answer.indexOf("/volumes/");
    QVERIFY(at > 0);
    BERTH_OK(await(m_fixture.provider->destroy(made->externalId, {})));
    // The volume that the image asked for went with it.
    QByteArray volumes;
    m_fixture.engine("GET", "/volumes", &volumes);
    QList<QByteArray> left;
    for (qsizetype i = answer.indexOf("\"Name\":\""); i > 0;
         i = answer.indexOf("\"Name\":\"", i + 1)) {
        const QByteArray volume = answer.mid(i + 8, answer.indexOf('"', i + 8) - i - 8);
        if (!volume.isEmpty() && volumes.contains('"' + volume + '"'))
            left << volume;
    }
    QVERIFY2(left.isEmpty(), left.join(' ').constData());
}

void TestDockerContainer::imageWithoutAShell()
{
    const QByteArray image = import(
        "bare", {{"etc", true, 0755, 0, 0, {}}, {"etc/readme", false, 0644, 0, 0, "bare\n"}});
    const auto made = m_fixture.create("bare", {{key("image"), QString::fromUtf8(image)}});
    BERTH_OK(made);
    const test::Finished seen = m_fixture.run(made->externalId, "echo on");
    QVERIFY(seen.outcome.kind == domain::OutcomeKind::NotStarted
            || domain::exitCodeOf(seen.outcome) == 127);
    const QString words = seen.outcome.detail + QString::fromUtf8(seen.err);
    QVERIFY2(words.contains(QStringLiteral("sh, the sandbox's own shell")),
             test::told(seen).constData());
    BERTH_OK(await(m_fixture.provider->destroy(made->externalId, {})));
}

void TestDockerContainer::imageOfAnotherArchitecture()
{
    // As "docker save" writes it; an import would take the engine's own architecture.
    const QByteArray name = "berth-odd-" + m_fixture.installation.toString().left(8).toUtf8();
    const QByteArray layer = docker::tarArchive({{"etc", true, 0755, 0, 0, {}}});
    const QByteArray config =
        R"({"architecture":"s390x","os":"linux","config":{},"rootfs":{"type":"layers","diff_ids":["sha256:)"
        + QCryptographicHash::hash(layer, QCryptographicHash::Sha256).toHex() + R"("]}})";
    const QByteArray manifest =
        R"([{"Config":"c.json","RepoTags":[")" + name + R"(:s390x"],"Layers":["l/layer.tar"]}])";
    QByteArray answer;
    QCOMPARE(m_fixture.engine("POST", "/images/load", &answer,
                              docker::tarArchive({{"l", true, 0755, 0, 0, {}},
                                                  {"l/layer.tar", false, 0644, 0, 0, layer},
                                                  {"c.json", false, 0644, 0, 0, config},
                                                  {"manifest.json", false, 0644, 0, 0, manifest}}),
                              "application/x-tar"),
             200);
    QVERIFY2(answer.contains("Loaded image"), answer.constData());
    m_images << name + ":s390x";
    const auto made = m_fixture.create("arm", {{key("image"), QString::fromUtf8(name + ":s390x")}});
    BERTH_FAILS(made, ErrorKind::Unsupported);
    QVERIFY2(made.error().message.contains(QStringLiteral("s390x")),
             qPrintable(made.error().message));
}

QTEST_GUILESS_MAIN(TestDockerContainer)
#include "test_docker_container.moc"
