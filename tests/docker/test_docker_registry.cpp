// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "docker/engine_fixture.h"
#include "providers/docker/tar.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QDir>
#include <QtCore/QProcess>
#include <QtCore/QRandomGenerator>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>
#include <QtNetwork/QTcpServer>

using namespace berth;
using namespace std::chrono_literals;
using berth::test::await;
using domain::ErrorKind;
using Values = test::EngineFixture::Values;

namespace {

QString key(const char *name)
{
    return QLatin1String(name);
}

void writeFile(const QString &path, const QByteArray &content)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(content);
}

QByteArray noise(int bytes)
{
    QByteArray random(bytes, Qt::Uninitialized);
    QRandomGenerator::global()->fillRange(reinterpret_cast<quint32 *>(random.data()), bytes / 4);
    return random;
}

} // namespace

//! Pulls from a real registry on this machine that asks for a login.
class TestDockerRegistry : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();

    void withoutLogin();
    void wrongLogin();
    void layersAndBytes();
    void loginOfAHelper();
    void byDigest();
    void noSuchTag();
    void alwaysAsksTheRegistry();
    void neverAsksNobody();

private:
    void startRegistry();
    void useLogin(const QByteArray &config);
    //! An image of two layers, at the registry only.
    void pushImage();
    void forget(const QByteArray &image);
    domain::Result<domain::Instance> create(const QByteArray &image, const char *policy = "missing",
                                            QList<domain::Progress> *told = nullptr);

    test::EngineFixture m_fixture;
    QTemporaryDir m_directory;
    QProcess m_registry;
    QByteArray m_host;
    QByteArray m_image;
    QByteArray m_digest;
    QByteArray m_rightLogin;
};

void TestDockerRegistry::initTestCase()
{
    BERTH_NEEDS_ENGINE(m_fixture);
    if (QStandardPaths::findExecutable(key("docker-registry")).isEmpty()) {
        if (qEnvironmentVariable("BERTH_REQUIRE_ENGINE") == QLatin1String("1"))
            QFAIL("docker-registry is not installed, and BERTH_REQUIRE_ENGINE asks for it");
        QSKIP("docker-registry is not installed");
    }
    qputenv("DOCKER_CONFIG", m_directory.filePath(key("config")).toUtf8());
    qputenv("PATH", m_directory.filePath(key("bin")).toUtf8() + ':' + qgetenv("PATH"));
    startRegistry();
    pushImage();
}

void TestDockerRegistry::startRegistry()
{
    // A free port; the engine trusts a registry on this machine without encryption.
    QTcpServer probe;
    QVERIFY(probe.listen(QHostAddress::LocalHost));
    m_host = "127.0.0.1:" + QByteArray::number(probe.serverPort());
    probe.close();
    // "tester" with "geheim-pass", bcrypt.
    writeFile(m_directory.filePath(key("htpasswd")),
              "tester:$2y$04$QVRqMOJsJFsyTibRjDqYFOEMt6jxwVZ1hf25OpVqA2uZYS42N3apK\n");
    const QByteArray place = m_directory.path().toUtf8();
    writeFile(m_directory.filePath(key("registry.yml")),
              "version: 0.1\nlog: {level: error}\nstorage: {filesystem: {rootdirectory: " + place
                  + "/data}}\nhttp: {addr: \"" + m_host
                  + "\"}\nauth: {htpasswd: {realm: test, path: " + place + "/htpasswd}}\n");
    m_registry.setStandardOutputFile(m_directory.filePath(key("log")));
    m_registry.setStandardErrorFile(m_directory.filePath(key("log")));
    m_registry.start(key("docker-registry"),
                     {key("serve"), m_directory.filePath(key("registry.yml"))});
    QVERIFY(m_registry.waitForStarted());
    m_rightLogin = "{\"auths\":{\"" + m_host + "\":{\"auth\":\""
        + QByteArray("tester:geheim-pass").toBase64() + "\"}}}";
}

void TestDockerRegistry::pushImage()
{
    m_image = m_host + "/berth/layers:1";
    const QByteArray repository = net::percentEncoded(m_host + "/berth/layers");
    QByteArray answer;
    QCOMPARE(m_fixture.engine("POST", "/images/create?fromSrc=-&repo=" + repository + "&tag=1",
                              &answer,
                              docker::tarArchive({{"one", false, 0644, 0, 0, noise(6'000'000)}}),
                              "application/x-tar"),
             200);
    QCOMPARE(m_fixture.engine("POST", "/containers/create", &answer,
                              "{\"Image\":\"" + m_image + "\",\"Cmd\":[\"x\"]}"),
             201);
    const QByteArray container = answer.mid(answer.indexOf("\"Id\":\"") + 6, 64);
    QCOMPARE(m_fixture.engine("PUT", "/containers/" + container + "/archive?path=/", &answer,
                              docker::tarArchive({{"two", false, 0644, 0, 0, noise(3'000'000)}}),
                              "application/x-tar"),
             200);
    QCOMPARE(m_fixture.engine("POST",
                              "/commit?container=" + container + "&repo=" + repository + "&tag=1"),
             201);
    QCOMPARE(m_fixture.engine("DELETE", "/containers/" + container), 204);
    const QByteArray auth = QByteArray(R"({"username":"tester","password":"geheim-pass"})")
                                .toBase64(QByteArray::Base64UrlEncoding);
    // The registry may not listen yet.
    for (int i = 0; i < 40; ++i) {
        m_fixture.engine("POST", "/images/" + m_host + "/berth/layers/push?tag=1", &answer, {}, {},
                         auth);
        if (!answer.contains("connection refused"))
            break;
        test::spin(50ms);
    }
    QVERIFY2(!answer.contains("\"error\""), answer.constData());
    const qsizetype at = answer.indexOf("sha256:", answer.indexOf("\"Digest\""));
    QVERIFY2(at > 0, answer.constData());
    m_digest = answer.mid(at, 71);
    forget(m_image);
}

void TestDockerRegistry::cleanupTestCase()
{
    m_fixture.close();
    if (!m_image.isEmpty())
        forget(m_image);
    m_registry.terminate();
    if (m_registry.state() != QProcess::NotRunning && !m_registry.waitForFinished(5000))
        m_registry.kill();
    m_registry.waitForFinished(2000);
}

void TestDockerRegistry::init()
{
    useLogin("{}");
}

void TestDockerRegistry::useLogin(const QByteArray &config)
{
    writeFile(m_directory.filePath(key("config/config.json")), config);
}

void TestDockerRegistry::forget(const QByteArray &image)
{
    m_fixture.engine("DELETE", "/images/" + image + "?force=1");
}

domain::Result<domain::Instance> TestDockerRegistry::create(const QByteArray &image,
                                                            const char *policy,
                                                            QList<domain::Progress> *told)
{
    const domain::ProgressSink progress = [told](const domain::Progress &one) {
        if (told)
            told->append(one);
    };
    return await(
        m_fixture.provider->create(m_fixture.request("pull",
                                                     {{key("image"), QString::fromUtf8(image)},
                                                      {key("pull_policy"), key(policy)}}),
                                   progress, {}),
        90s);
}

void TestDockerRegistry::withoutLogin()
{
    const auto made = create(m_image);
    BERTH_FAILS(made, ErrorKind::Unauthorized);
    QVERIFY2(made.error().message.contains(QStringLiteral("asks for a login")),
             test::told(made).constData());
    QVERIFY(
        made.error().detail.contains(QStringLiteral("docker login ") + QString::fromUtf8(m_host)));
}

void TestDockerRegistry::wrongLogin()
{
    useLogin("{\"auths\":{\"" + m_host + "\":{\"auth\":\""
             + QByteArray("tester:wrong-pass").toBase64() + "\"}}}");
    const auto made = create(m_image);
    BERTH_FAILS(made, ErrorKind::Unauthorized);
    QVERIFY2(made.error().message.contains(QStringLiteral("does not take the login")),
             test::told(made).constData());
    QVERIFY(!test::told(made).contains("wrong-pass"));
}

//! Case 15: layers and bytes of a first pull.
void TestDockerRegistry::layersAndBytes()
{
    useLogin(m_rightLogin);
    QList<domain::Progress> told;
    const auto made = create(m_image, "missing", &told);
    BERTH_OK(made);
    QCOMPARE(made->image, QString::fromUtf8(m_image));
    QStringList pulling;
    double before = -1;
    for (const domain::Progress &one : std::as_const(told)) {
        if (!one.what.startsWith(QStringLiteral("Pulling ")))
            continue;
        pulling << one.what;
        QVERIFY2(one.fraction < 0 || one.fraction >= before, qPrintable(pulling.join(u'|')));
        before = std::max(before, one.fraction);
    }
    const QString all = pulling.join(QLatin1Char('\n'));
    QVERIFY2(all.contains(QStringLiteral(" of 9.0 MB · 0 of 2 layers")), qPrintable(all));
    QVERIFY2(all.endsWith(QStringLiteral("9.0 of 9.0 MB · 2 of 2 layers")), qPrintable(all));
    BERTH_OK(await(m_fixture.provider->destroy(made->externalId, {})));
    forget(m_image);
}

void TestDockerRegistry::loginOfAHelper()
{
    const QString helper = m_directory.filePath(key("bin/docker-credential-berthtest"));
    writeFile(helper,
              "#!/bin/sh\nread -r server\n[ \"$server\" = " + m_host
                  + " ] && echo '{\"Username\":\"tester\",\"Secret\":\"geheim-pass\"}'\n");
    QFile::setPermissions(helper, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    useLogin("{\"credHelpers\":{\"" + m_host + "\":\"berthtest\"}}");
    const auto made = create(m_image);
    BERTH_OK(made);
    BERTH_OK(await(m_fixture.provider->destroy(made->externalId, {})));
    forget(m_image);
}

void TestDockerRegistry::byDigest()
{
    useLogin(m_rightLogin);
    const QByteArray exact = m_host + "/berth/layers@" + m_digest;
    const auto made = create(exact);
    BERTH_OK(made);
    BERTH_OK(await(m_fixture.provider->destroy(made->externalId, {})));
    // Both at once: the digest counts.
    const auto both = create(m_host + "/berth/layers:1@" + m_digest);
    BERTH_OK(both);
    BERTH_OK(await(m_fixture.provider->destroy(both->externalId, {})));
    forget(exact);
}

void TestDockerRegistry::noSuchTag()
{
    useLogin(m_rightLogin);
    const auto made = create(m_host + "/berth/layers:none");
    BERTH_FAILS(made, ErrorKind::InvalidInput);
    QVERIFY2(made.error().message.contains(QStringLiteral("There is no image")),
             test::told(made).constData());
}

void TestDockerRegistry::alwaysAsksTheRegistry()
{
    useLogin(m_rightLogin);
    const auto made = create(m_image);
    BERTH_OK(made);
    BERTH_OK(await(m_fixture.provider->destroy(made->externalId, {})));
    m_registry.kill();
    QVERIFY(m_registry.waitForFinished(5000));
    // A copy is here, but may be an old one: not used without a word.
    const auto refused = create(m_image, "always");
    BERTH_FAILS(refused, ErrorKind::Unavailable);
    QVERIFY2(refused.error().detail.contains(QStringLiteral("The engine has a copy")),
             test::told(refused).constData());
    const auto again = create(m_image, "missing");
    BERTH_OK(again);
    BERTH_OK(await(m_fixture.provider->destroy(again->externalId, {})));
    forget(m_image);
}

void TestDockerRegistry::neverAsksNobody()
{
    const auto made = create(m_image, "never");
    BERTH_FAILS(made, ErrorKind::InvalidInput);
    QVERIFY(made.error().detail.contains(QStringLiteral("Never")));
}

QTEST_GUILESS_MAIN(TestDockerRegistry)
#include "test_docker_registry.moc"
