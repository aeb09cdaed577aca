// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Who gets at what: logins at registries, and directories of this machine as workspaces.
#include "providers/docker/pull.h"
#include "providers/docker/workspace.h"
#include "support/await.h"

#include <QtCore/QDir>
#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace berth;
using namespace berth::docker;
using domain::ErrorKind;
using nlohmann::json;
using test::await;
using namespace std::chrono_literals;

namespace {

void writeFile(const QString &path, const QByteArray &content, bool executable = false)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    if (executable)
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

json headerOf(const RegistryLogin &login)
{
    const QByteArray header = registryAuthHeader(login).exposeForWire();
    return json::parse(QByteArray::fromBase64(header, QByteArray::Base64UrlEncoding).toStdString());
}

} // namespace

class TestDockerAccess : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void registryNames();
    void storedLogins();
    void brokenConfigs_data();
    void brokenConfigs();
    void header();
    void helperIsAsked();
    void helperGivesToken();
    void helperFails_data();
    void helperFails();
    void helperTakesTooLong();
    void noConfigNoLogin();
    void pullErrors_data();
    void pullErrors();
    void workspaces_data();
    void workspaces();
    void workspaceThroughLinks();

private:
    //! Finds the login for an image with \a config, and \a script as docker-credential-test.
    RegistryLogin find(const QByteArray &config, const QByteArray &script, const QString &image,
                       std::stop_token stop = {});
    QTemporaryDir m_directory;
};

void TestDockerAccess::registryNames()
{
    QCOMPARE(registryOf(QStringLiteral("python:3.12-slim")), QStringLiteral("docker.io"));
    QCOMPARE(registryOf(QStringLiteral("me/image")), QStringLiteral("docker.io"));
    QCOMPARE(registryOf(QStringLiteral("ghcr.io/a/b:1")), QStringLiteral("ghcr.io"));
    QCOMPARE(registryOf(QStringLiteral("localhost/x")), QStringLiteral("localhost"));
    QCOMPARE(registryOf(QStringLiteral("localhost:5000/a/b@sha256:00")),
             QStringLiteral("localhost:5000"));
    QCOMPARE(registryOf(QStringLiteral("index.docker.io/library/x")), QStringLiteral("docker.io"));
}

void TestDockerAccess::storedLogins()
{
    // "me:pass:word" and "hub:secret" in Base64.
    const QByteArray config = R"({"auths":{
        "https://index.docker.io/v1/":{"auth":"aHViOnNlY3JldA=="},
        "https://ghcr.io/v2/":{"auth":"bWU6cGFzczp3b3Jk"},
        "token.example":{"auth":"bWU6cGFzczp3b3Jk","identitytoken":"tok"},
        "plain.example":{"username":"u","password":"p"},
        "empty.example":{}}})";
    const RegistryLogin hub = loginSource(config, QStringLiteral("docker.io")).stored;
    QCOMPARE(hub.server, QStringLiteral("https://index.docker.io/v1/"));
    QCOMPARE(hub.user, QStringLiteral("hub"));
    QCOMPARE(hub.password.exposeForWire(), QByteArray("secret"));
    const RegistryLogin other = loginSource(config, QStringLiteral("ghcr.io")).stored;
    QCOMPARE(other.user, QStringLiteral("me"));
    QCOMPARE(other.password.exposeForWire(), QByteArray("pass:word"));
    QCOMPARE(
        loginSource(config, QStringLiteral("token.example")).stored.identityToken.exposeForWire(),
        QByteArray("tok"));
    QCOMPARE(loginSource(config, QStringLiteral("plain.example")).stored.user, QStringLiteral("u"));
    // A login for one host is never another's: not of a part of its name, either.
    for (const char *none : {"empty.example", "example", "evil-ghcr.io", "ghcr.io.evil", "io"}) {
        const LoginSource source = loginSource(config, QLatin1String(none));
        QVERIFY2(source.stored.isEmpty() && source.helper.isEmpty(), none);
    }
    const QByteArray helpers = R"({"credsStore":"desktop","credHelpers":{"ghcr.io":"gh"}})";
    QCOMPARE(loginSource(helpers, QStringLiteral("ghcr.io")).helper, QStringLiteral("gh"));
    QCOMPARE(loginSource(helpers, QStringLiteral("quay.io")).helper, QStringLiteral("desktop"));
}

void TestDockerAccess::brokenConfigs_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::newRow("no JSON") << QByteArray("{broken");
    QTest::newRow("a list") << QByteArray("[]");
    QTest::newRow("auth not Base64") << QByteArray(R"({"auths":{"x.io":{"auth":"%%%"}}})");
    QTest::newRow("auth without a colon") << QByteArray(R"({"auths":{"x.io":{"auth":"YWJj"}}})");
    QTest::newRow("helper with a path") << QByteArray(R"({"credHelpers":{"x.io":"../../bin/sh"}})");
    QTest::newRow("helper with a command") << QByteArray(R"({"credsStore":"a; touch /tmp/x"})");
    QTest::newRow("helper with a newline") << QByteArray(R"({"credsStore":"a\n"})");
}

void TestDockerAccess::brokenConfigs()
{
    QFETCH(QByteArray, config);
    const LoginSource source = loginSource(config, QStringLiteral("x.io"));
    QVERIFY(source.stored.isEmpty());
    QVERIFY(source.helper.isEmpty());
    QVERIFY(!source.stored.problem.isEmpty());
}

void TestDockerAccess::header()
{
    RegistryLogin login;
    login.server = QStringLiteral("ghcr.io");
    login.user = QStringLiteral("j\u00f6e");
    login.password = domain::Secret("p\xc3\xbf>>>???~~~");
    const QByteArray raw = registryAuthHeader(login).exposeForWire();
    QVERIFY2(!raw.contains('+') && !raw.contains('/'), raw.constData());
    QCOMPARE(raw.size() % 4, 0); // the engine wants the padding
    const json said = headerOf(login);
    QCOMPARE(QString::fromStdString(said["username"]), login.user);
    QCOMPARE(QByteArray::fromStdString(said["password"]), login.password.exposeForWire());
    QCOMPARE(QString::fromStdString(said["serveraddress"]), login.server);
    login.identityToken = domain::Secret("tok");
    const json token = headerOf(login);
    QCOMPARE(QString::fromStdString(token["identitytoken"]), QStringLiteral("tok"));
    QVERIFY(!token.contains("password"));
}

RegistryLogin TestDockerAccess::find(const QByteArray &config, const QByteArray &script,
                                     const QString &image, std::stop_token stop)
{
    const QString home = m_directory.filePath(QStringLiteral("home"));
    writeFile(home + QStringLiteral("/.docker/config.json"), config);
    const QString program = m_directory.filePath(QStringLiteral("bin/docker-credential-test"));
    QFile::remove(program);
    if (!script.isEmpty())
        writeFile(program, "#!/bin/sh\n" + script, true);
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("PATH"),
                       m_directory.filePath(QStringLiteral("bin"))
                           + QStringLiteral(":/usr/bin:/bin"));
    environment.insert(QStringLiteral("E2B_API_KEY"), QStringLiteral("not for helpers"));
    environment.insert(QStringLiteral("SEEN"), m_directory.filePath(QStringLiteral("seen")));
    const auto login = await(findLogin(image, environment, home, stop));
    if (login)
        return *login;
    RegistryLogin failed;
    failed.problem = domain::wireName(login.error().kind);
    return failed;
}

void TestDockerAccess::helperIsAsked()
{
    const RegistryLogin login =
        find(R"({"credsStore":"test"})",
             "{ echo \"$#:$1:$(cat):$E2B_API_KEY\"; } > $SEEN\n"
             "echo '{\"ServerURL\":\"x\",\"Username\":\"me\",\"Secret\":\"geheim!\"}'\n",
             QStringLiteral("localhost:5000/a/b"));
    QCOMPARE(login.user, QStringLiteral("me"));
    QCOMPARE(login.password.exposeForWire(), QByteArray("geheim!"));
    QCOMPARE(login.server, QStringLiteral("localhost:5000"));
    QFile seen(m_directory.filePath(QStringLiteral("seen")));
    QVERIFY(seen.open(QIODevice::ReadOnly));
    QCOMPARE(seen.readAll(), QByteArray("1:get:localhost:5000:\n"));
    // What it said is known as a secret from now on.
    QVERIFY(!domain::redacted(QStringLiteral("x geheim! y")).contains(QStringLiteral("geheim")));
}

void TestDockerAccess::helperGivesToken()
{
    const RegistryLogin login = find(R"({"credHelpers":{"ghcr.io":"test"}})",
                                     "echo '{\"Username\":\"<token>\",\"Secret\":\"refresh\"}'",
                                     QStringLiteral("ghcr.io/a/b"));
    QCOMPARE(login.identityToken.exposeForWire(), QByteArray("refresh"));
    QVERIFY(login.password.isEmpty());
}

void TestDockerAccess::helperFails_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("says");
    QTest::newRow("not installed") << QByteArray() << QStringLiteral("not installed");
    QTest::newRow("ends with 3") << QByteArray("echo top-secret; exit 3")
                                 << QStringLiteral("ended with 3");
    QTest::newRow("no JSON") << QByteArray("echo top-secret") << QStringLiteral("gave no login");
    // Nobody has logged in there: that is no problem.
    QTest::newRow("not found") << QByteArray(
        "echo credentials not found in native keychain; exit 1")
                               << QString();
}

void TestDockerAccess::helperFails()
{
    QFETCH(QByteArray, script);
    QFETCH(QString, says);
    const RegistryLogin login =
        find(R"({"credsStore":"test"})", script, QStringLiteral("quay.io/a"));
    QVERIFY(login.isEmpty());
    QVERIFY2(says.isEmpty() ? login.problem.isEmpty() : login.problem.contains(says),
             qPrintable(login.problem));
    QVERIFY(!login.problem.contains(QStringLiteral("top-secret")));
}

void TestDockerAccess::helperTakesTooLong()
{
    // Cancel takes the same way as the deadline of 10 s: the helper is killed, nobody waits for it.
    std::stop_source source;
    QTimer::singleShot(200, this, [&source] { source.request_stop(); });
    QElapsedTimer clock;
    clock.start();
    const RegistryLogin login = find(R"({"credsStore":"test"})", "echo $$ > $SEEN; exec sleep 60",
                                     QStringLiteral("quay.io/a"), source.get_token());
    QCOMPARE(login.problem, QStringLiteral("cancelled"));
    QVERIFY(clock.elapsed() < 5000);
    QFile seen(m_directory.filePath(QStringLiteral("seen")));
    QVERIFY(seen.open(QIODevice::ReadOnly));
    const QString process =
        QStringLiteral("/proc/") + QString::fromLatin1(seen.readAll().trimmed());
    QVERIFY(test::waitUntil([&process] { return !QFile::exists(process); }, 5s));
}

void TestDockerAccess::noConfigNoLogin()
{
    const auto login =
        await(findLogin(QStringLiteral("a"), {}, m_directory.filePath(QStringLiteral("none")), {}));
    BERTH_OK(login);
    QVERIFY(login->isEmpty() && login->problem.isEmpty());
}

void TestDockerAccess::pullErrors_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("said");
    QTest::addColumn<ErrorKind>("kind");
    // As engines and registries say it: recordings 112 and 115, Docker Hub, podman.
    QTest::newRow("no login")
        << 500 << QStringLiteral("Head \"http://r:5/v2/a/manifests/1\": no basic auth credentials")
        << ErrorKind::Unauthorized;
    QTest::newRow("denied")
        << 404
        << QStringLiteral("pull access denied for x, repository does not exist or may require "
                          "'docker login': denied: requested access to the resource is denied")
        << ErrorKind::Unauthorized;
    QTest::newRow("in the stream") << 200 << QStringLiteral("unauthorized: authentication required")
                                   << ErrorKind::Unauthorized;
    QTest::newRow("no tag")
        << 404
        << QStringLiteral("manifest for r:5/a:2 not found: manifest unknown: manifest unknown")
        << ErrorKind::InvalidInput;
    QTest::newRow("architecture")
        << 404
        << QStringLiteral("no matching manifest for linux/arm64/v8 in the manifest list entries")
        << ErrorKind::InvalidInput;
    QTest::newRow("limit") << 500
                           << QStringLiteral(
                                  "toomanyrequests: You have reached your pull rate limit")
                           << ErrorKind::RateLimited;
    QTest::newRow("refused")
        << 500
        << QStringLiteral(
               "Get \"https://r:5/v2/\": dial tcp 127.0.0.1:5: connect: connection refused")
        << ErrorKind::Unavailable;
    QTest::newRow("full") << 200 << QStringLiteral("write /var/lib/x: no space left on device")
                          << ErrorKind::Unavailable;
}

void TestDockerAccess::pullErrors()
{
    QFETCH(int, status);
    QFETCH(QString, said);
    QFETCH(ErrorKind, kind);
    RegistryLogin login;
    login.problem = QStringLiteral("docker-credential-x is not installed");
    const domain::Error error = pullError(QStringLiteral("r:5/a:2"), status, said, login);
    QCOMPARE(error.kind, kind);
    QVERIFY(error.detail.startsWith(said));
    if (kind == ErrorKind::Unauthorized) {
        QVERIFY(error.detail.contains(login.problem));
        QVERIFY(error.detail.contains(QStringLiteral("docker login r:5")));
        login.password = domain::Secret("wrong-password");
        QVERIFY(pullError(QStringLiteral("r:5/a:2"), status, said, login)
                    .message.contains(QStringLiteral("does not take the login")));
    }
}

void TestDockerAccess::workspaces_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("allowed");
    QTest::newRow("project") << QStringLiteral("@/home/me/project") << true;
    QTest::newRow("elsewhere") << QStringLiteral("@/srv") << true;
    QTest::newRow("root") << QStringLiteral("/") << false;
    QTest::newRow("root, spelled") << QStringLiteral("//home/..") << false;
    QTest::newRow("home") << QStringLiteral("@/home/me") << false;
    QTest::newRow("home, spelled") << QStringLiteral("@/home/me/project/../") << false;
    QTest::newRow("parent of home") << QStringLiteral("@/home") << false;
    QTest::newRow("keys") << QStringLiteral("@/home/me/.ssh") << false;
    QTest::newRow("in keys") << QStringLiteral("@/home/me/.ssh/sub") << false;
    QTest::newRow("Berth's data") << QStringLiteral("@/home/me/.local/share/berth") << false;
    QTest::newRow("in Berth's data") << QStringLiteral("@/home/me/.local/share/berth/sub") << false;
    QTest::newRow("above Berth's data") << QStringLiteral("@/home/me/.local") << false;
    QTest::newRow("engine's socket is in it") << QStringLiteral("@/run") << false;
    QTest::newRow("system") << QStringLiteral("/etc") << false;
    QTest::newRow("above the system") << QStringLiteral("/usr") << false;
    QTest::newRow("missing") << QStringLiteral("@/nowhere") << false;
    QTest::newRow("file") << QStringLiteral("@/home/me/file") << false;
    QTest::newRow("relative") << QStringLiteral("home") << false;
    QTest::newRow("link to home") << QStringLiteral("@/links/home") << false;
    QTest::newRow("link to keys") << QStringLiteral("@/links/keys") << false;
    QTest::newRow("link to root") << QStringLiteral("@/links/root") << false;
    QTest::newRow("through a link") << QStringLiteral("@/links/home/.ssh/sub") << false;
    QTest::newRow("link to project") << QStringLiteral("@/links/project") << true;
    QTest::newRow("what home is a link to") << QStringLiteral("@/vol/keys") << false;
    QTest::newRow("name that begins alike") << QStringLiteral("@/home/me2") << true;
}

void TestDockerAccess::workspaces()
{
    QFETCH(QString, path);
    QFETCH(bool, allowed);
    QTemporaryDir world;
    const auto in = [&world](const char *name) { return world.filePath(QLatin1String(name)); };
    for (const char *directory : {"home/me/project", "home/me/.ssh/sub", "srv", "run", "links",
                                  "home/me/.local/share/berth/sub", "home/me2", "vol/keys"})
        QVERIFY(QDir().mkpath(in(directory)));
    writeFile(in("home/me/file"), "x");
    writeFile(in("run/engine.sock"), "");
    QVERIFY(QFile::link(in("home/me"), in("links/home")));
    QVERIFY(QFile::link(in("home/me/.ssh"), in("links/keys")));
    QVERIFY(QFile::link(QStringLiteral("/"), in("links/root")));
    QVERIFY(QFile::link(in("home/me/project"), in("links/project")));
    // Keys that are really somewhere else.
    QVERIFY(QFile::link(in("vol/keys"), in("home/me/.gnupg")));
    domain::ProviderPaths paths;
    paths.data = in("home/me/.local/share/berth");
    const GuardedPlaces guarded = guardedPlaces(paths, {}, in("home/me"), {in("run/engine.sock")});
    if (path.startsWith(QLatin1Char('@')))
        path = world.path() + path.mid(1);
    const auto found = hostWorkspace(path, guarded);
    QVERIFY2(found.has_value() == allowed, test::told(found).constData());
    if (allowed) {
        QCOMPARE(*found, QFileInfo(path).canonicalFilePath());
    } else {
        QCOMPARE(found.error().kind, ErrorKind::InvalidInput);
        QVERIFY(!found.error().detail.isEmpty());
    }
}

void TestDockerAccess::workspaceThroughLinks()
{
    QTemporaryDir world;
    QVERIFY(QDir().mkpath(world.filePath(QStringLiteral("real"))));
    QVERIFY(QFile::link(world.filePath(QStringLiteral("real")),
                        world.filePath(QStringLiteral("link"))));
    const auto found =
        hostWorkspace(world.filePath(QStringLiteral("link")), guardedPlaces({}, {}, {}, {}));
    BERTH_OK(found);
    // The engine gets what was checked, not the name that may lead elsewhere tomorrow.
    QCOMPARE(*found, QFileInfo(world.filePath(QStringLiteral("real"))).canonicalFilePath());
}

QTEST_GUILESS_MAIN(TestDockerAccess)
#include "test_docker_access.moc"
