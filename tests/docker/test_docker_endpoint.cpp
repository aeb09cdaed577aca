// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/address.h"
#include "providers/docker/decode.h"
#include "providers/docker/docker_kind.h"
#include "providers/docker/endpoint.h"
#include "providers/docker/reach.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QDir>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <unistd.h>

using namespace berth;
using namespace berth::docker;
using domain::Error;
using domain::ErrorKind;

namespace {

void writeFile(const QString &path, const QByteArray &bytes)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

QStringList hosts(const EndpointSearch &search)
{
    QStringList all;
    for (const Endpoint &one : search.endpoints)
        all << one.host;
    return all;
}

//! A directory of the docker CLI with one context.
class CliDirectory
{
public:
    [[nodiscard]] QString home() const { return m_home.path(); }
    [[nodiscard]] QString path(const QString &below) const
    {
        return m_home.filePath(QStringLiteral(".docker/") + below);
    }
    static QString hash(const QByteArray &name)
    {
        return QString::fromLatin1(
            QCryptographicHash::hash(name, QCryptographicHash::Sha256).toHex());
    }
    void addContext(const QByteArray &name, const QByteArray &docker) const
    {
        writeFile(path(QStringLiteral("contexts/meta/%1/meta.json").arg(hash(name))),
                  R"({"Name":")" + name + R"(","Metadata":{},"Endpoints":{"docker":)" + docker
                      + "}}");
    }

private:
    QTemporaryDir m_home;
};

} // namespace

//! Case 11: where an engine is looked for, and in what order.
class TestDockerEndpoint : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void order();
    void contexts();
    void contextOfTheForm();
    void contextTls();
    void environmentTls();
    void formTls();
    void addresses_data();
    void addresses();
    void harmful_data();
    void harmful();
    void sshCommand();
    void sshFailures_data();
    void sshFailures();
    void permissionNamesTheGroup();
    void plainOnlyWhereAllowed();
    void certificateFiles();
    void passwordsAreNotShown();
    void tellingEvents_data();
    void tellingEvents();
    void kind();
};

void TestDockerEndpoint::order()
{
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("DOCKER_HOST"), QStringLiteral("unix:///env.sock"));
    environment.insert(QStringLiteral("DOCKER_CONTEXT"), QStringLiteral("other"));
    const QMap<QString, QString> form{
        {QStringLiteral("docker_host"), QStringLiteral(" unix:///set.sock ")}};
    const EndpointSearch set = findEndpoints(engineWish(form), environment, QStringLiteral("/h"));
    QCOMPARE(hosts(set), QStringList{QStringLiteral("unix:///set.sock")});
    QVERIFY(set.isExplicit);
    // Measured with the docker CLI: DOCKER_HOST beats DOCKER_CONTEXT and currentContext.
    const EndpointSearch env = findEndpoints({}, environment, QStringLiteral("/h"));
    QCOMPARE(hosts(env), QStringList{QStringLiteral("unix:///env.sock")});
    QVERIFY(env.isExplicit);

    environment.clear();
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), QStringLiteral("/run/user/7"));
    const EndpointSearch usual = findEndpoints({}, environment, QStringLiteral("/h"));
    QVERIFY(!usual.isExplicit);
    QCOMPARE(hosts(usual).first(), QStringLiteral("unix:///var/run/docker.sock"));
    QCOMPARE(hosts(usual).at(1), QStringLiteral("unix:///run/user/7/docker.sock"));
    const auto before = [&usual](const char *one, const char *other) {
        const qsizetype first = hosts(usual).indexOf(QLatin1String(one));
        return first >= 0 && first < hosts(usual).indexOf(QLatin1String(other));
    };
    QVERIFY(before("unix:///h/.docker/run/docker.sock", "unix:///h/.docker/desktop/docker.sock"));
    QVERIFY(
        before("unix:///h/.docker/desktop/docker.sock", "unix:///h/.colima/default/docker.sock"));
    QVERIFY(before("unix:///h/.colima/default/docker.sock", "unix:///run/podman/podman.sock"));
    QCOMPARE(hosts(usual).last(), QStringLiteral("unix:///run/user/7/podman/podman.sock"));
}

void TestDockerEndpoint::contexts()
{
    const CliDirectory cli;
    // The name of the directory as the docker CLI makes it.
    QCOMPARE(CliDirectory::hash("foo"),
             QStringLiteral("2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"));
    cli.addContext("foo", R"({"Host":"unix:///ctx.sock","SkipTLSVerify":false})");
    writeFile(cli.path(QStringLiteral("config.json")), R"({"auths":{},"currentContext":"foo"})");
    QProcessEnvironment environment;
    const EndpointSearch current = findEndpoints({}, environment, cli.home());
    QCOMPARE(hosts(current), QStringList{QStringLiteral("unix:///ctx.sock")});
    QCOMPARE(current.endpoints.first().origin, QStringLiteral("context foo"));
    QVERIFY(current.isExplicit);

    environment.insert(QStringLiteral("DOCKER_CONTEXT"), QStringLiteral("default"));
    QVERIFY(!findEndpoints({}, environment, cli.home()).isExplicit);
    environment.insert(QStringLiteral("DOCKER_CONTEXT"), QStringLiteral("missing"));
    // A context that is not there is an error, not a reason to take another engine.
    const EndpointSearch missing = findEndpoints({}, environment, cli.home());
    QVERIFY(missing.isExplicit);
    QCOMPARE(missing.endpoints.size(), 1);
    const auto reach = reachOf(missing.endpoints.first());
    QVERIFY(!reach);
    QCOMPARE(reach.error().kind, ErrorKind::InvalidInput);
    QVERIFY(reach.error().message.contains(QStringLiteral("\"missing\"")));

    environment.remove(QStringLiteral("DOCKER_CONTEXT"));
    environment.insert(QStringLiteral("DOCKER_CONFIG"), cli.home() + QStringLiteral("/other"));
    QVERIFY(!findEndpoints({}, environment, cli.home()).isExplicit);
    writeFile(cli.home() + QStringLiteral("/other/config.json"), "{broken");
    QVERIFY(!findEndpoints({}, environment, cli.home()).isExplicit);
}

void TestDockerEndpoint::contextOfTheForm()
{
    const CliDirectory cli;
    cli.addContext("far", R"({"Host":"ssh://me@far"})");
    writeFile(cli.path(QStringLiteral("config.json")), R"({"currentContext":"other"})");
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("DOCKER_HOST"), QStringLiteral("unix:///env.sock"));
    EngineWish wish;
    wish.context = QStringLiteral("far");
    QCOMPARE(hosts(findEndpoints(wish, environment, cli.home())),
             QStringList{QStringLiteral("ssh://me@far")});
    // "default" is the CLI's word for: no context.
    wish.context = QStringLiteral("default");
    QCOMPARE(hosts(findEndpoints(wish, environment, cli.home())),
             QStringList{QStringLiteral("unix:///env.sock")});
    environment.clear();
    QVERIFY(!findEndpoints(wish, environment, cli.home()).isExplicit);
}

void TestDockerEndpoint::contextTls()
{
    const CliDirectory cli;
    cli.addContext("tls", R"({"Host":"tcp://engine:2376","SkipTLSVerify":false})");
    const QString below = QStringLiteral("contexts/tls/%1/docker/").arg(CliDirectory::hash("tls"));
    for (const char *name : {"ca.pem", "cert.pem", "key.pem"})
        writeFile(cli.path(below + QLatin1String(name)), name);
    EngineWish wish;
    wish.context = QStringLiteral("tls");
    const TlsFiles files = findEndpoints(wish, {}, cli.home()).endpoints.first().tls;
    QVERIFY(files.wanted && files.verifies);
    QCOMPARE(files.authorities, cli.path(below + QStringLiteral("ca.pem")));
    QCOMPARE(files.certificate, cli.path(below + QStringLiteral("cert.pem")));
    QCOMPARE(files.key, cli.path(below + QStringLiteral("key.pem")));

    cli.addContext("skips", R"({"Host":"tcp://engine:2376","SkipTLSVerify":true})");
    wish.context = QStringLiteral("skips");
    const EndpointSearch skips = findEndpoints(wish, {}, cli.home());
    QVERIFY(skips.endpoints.first().tls.wanted && !skips.endpoints.first().tls.verifies);
    const auto reach = reachOf(skips.endpoints.first());
    QVERIFY(reach && reach->warning.contains(QStringLiteral("not to check")));
}

void TestDockerEndpoint::environmentTls()
{
    const CliDirectory cli;
    writeFile(cli.path(QStringLiteral("ca.pem")), "ca");
    writeFile(cli.home() + QStringLiteral("/certs/cert.pem"), "cert");
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("DOCKER_HOST"), QStringLiteral("tcp://engine:2376"));
    QVERIFY(!findEndpoints({}, environment, cli.home()).endpoints.first().tls.wanted);
    environment.insert(QStringLiteral("DOCKER_TLS_VERIFY"), QStringLiteral("1"));
    TlsFiles files = findEndpoints({}, environment, cli.home()).endpoints.first().tls;
    QVERIFY(files.wanted && files.verifies);
    QCOMPARE(files.authorities, cli.path(QStringLiteral("ca.pem")));
    environment.insert(QStringLiteral("DOCKER_CERT_PATH"), cli.home() + QStringLiteral("/certs"));
    files = findEndpoints({}, environment, cli.home()).endpoints.first().tls;
    QCOMPARE(files.authorities, QString());
    QCOMPARE(files.certificate, cli.home() + QStringLiteral("/certs/cert.pem"));
}

void TestDockerEndpoint::formTls()
{
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("DOCKER_TLS_VERIFY"), QStringLiteral("1"));
    environment.insert(QStringLiteral("DOCKER_CERT_PATH"), QStringLiteral("/env"));
    const QMap<QString, QString> form{
        {QStringLiteral("docker_host"), QStringLiteral("tcp://engine")},
        {QStringLiteral("tls_dir"), QStringLiteral("/nowhere")},
        {QStringLiteral("tls_key"), QStringLiteral("/mine/key.pem")}};
    const EndpointSearch search = findEndpoints(engineWish(form), environment, {});
    QCOMPARE(search.endpoints.first().tls.authorities, QStringLiteral("/nowhere/ca.pem"));
    QCOMPARE(search.endpoints.first().tls.key, QStringLiteral("/mine/key.pem"));
    const auto reach = reachOf(search.endpoints.first());
    QVERIFY(!reach);
    QVERIFY2(reach.error().message.contains(QStringLiteral("/nowhere/ca.pem")),
             qPrintable(reach.error().message));
}

void TestDockerEndpoint::addresses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<Address::Kind>("kind");
    QTest::addColumn<QString>("parts");
    using K = Address::Kind;
    const auto row = [](const char *text, K kind, const char *parts) {
        QTest::newRow(text) << QString::fromUtf8(text) << kind << QString::fromUtf8(parts);
    };
    row("unix:///a b.sock", K::Unix, "/a b.sock||0|");
    row("/a.sock", K::Unix, "/a.sock||0|");
    row("tcp://1.2.3.4:2376", K::Tcp, "|1.2.3.4|2376|");
    row("tcp://engine/", K::Tcp, "|engine|0|");
    row("tcp://[::1]:2375", K::Tcp, "|::1|2375|");
    row("http://engine:80", K::Tcp, "|engine|80|");
    row("https://engine.example", K::Tcp, "|engine.example|0|");
    row("ssh://me@there:2222", K::Ssh, "|there|2222|me");
    row("ssh://there", K::Ssh, "|there|0|");
    row("ssh://me@there/run/user/1000/docker.sock", K::Ssh,
        "/run/user/1000/docker.sock|there|0|me");
    row("ssh://a.b+c@x.org@[fe80::1%eth0]:22", K::Ssh, "|fe80::1%eth0|22|a.b+c@x.org");
}

void TestDockerEndpoint::addresses()
{
    QFETCH(QString, text);
    QFETCH(Address::Kind, kind);
    QFETCH(QString, parts);
    const auto address = parseAddress(text);
    QVERIFY2(address, address ? "" : qPrintable(address.error().message));
    QCOMPARE(address->kind, kind);
    QCOMPARE(QStringLiteral("%1|%2|%3|%4")
                 .arg(address->path, address->host)
                 .arg(address->port)
                 .arg(address->user),
             parts);
}

void TestDockerEndpoint::harmful_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : {"",
                             "unix://",
                             "unix://relative",
                             "docker.sock",
                             "ftp://x",
                             "tcp://",
                             "tcp://:2375",
                             "tcp://host:",
                             "tcp://host:0",
                             "tcp://host:65536",
                             "tcp://host:2375x",
                             "tcp://me@host",
                             "tcp://host:99999999999999999999",
                             "tcp://[::1",
                             "tcp://[::1]2375",
                             "tcp://ho st",
                             "ssh://",
                             "ssh://-oProxyCommand=touch${IFS}x",
                             "ssh://-oProxyCommand=x@host",
                             "ssh://-l@host",
                             "ssh://user@-host",
                             "ssh://user@",
                             "ssh://@host",
                             "ssh://us er@host",
                             "ssh://user@ho\tst",
                             "ssh://user@host\n",
                             "ssh://user\n@host",
                             "ssh://user@host:22 -v",
                             "ssh://u;reboot@host",
                             "ssh://u$(id)@host",
                             "ssh://host/run/x;id",
                             "ssh://host/a b",
                             "ssh://host/$(id)",
                             "ssh://host`id`",
                             "ssh://me:secret@host",
                             "ssh://h\u00f6st"})
        QTest::newRow(QByteArray(text).replace('\n', "\\n").constData()) << QString::fromUtf8(text);
}

void TestDockerEndpoint::harmful()
{
    QFETCH(QString, text);
    const auto address = parseAddress(text);
    QVERIFY(!address);
    QCOMPARE(address.error().kind, ErrorKind::InvalidInput);
    QVERIFY(!address.error().message.contains(QStringLiteral("secret")));
    QVERIFY(!address.error().detail.isEmpty());
}

void TestDockerEndpoint::sshCommand()
{
    const QStringList full =
        sshArguments(*parseAddress(QStringLiteral("ssh://me@there:2222/run/d.sock")));
    const QStringList tail{
        QStringLiteral("-l"),     QStringLiteral("me"),        QStringLiteral("-p"),
        QStringLiteral("2222"),   QStringLiteral("--"),        QStringLiteral("there"),
        QStringLiteral("docker"), QStringLiteral("--host"),    QStringLiteral("unix:///run/d.sock"),
        QStringLiteral("system"), QStringLiteral("dial-stdio")};
    QCOMPARE(full.last(tail.size()), tail);
    QVERIFY(full.contains(QStringLiteral("BatchMode=yes")));
    const QStringList least = sshArguments(*parseAddress(QStringLiteral("ssh://there")));
    QVERIFY(!least.contains(QStringLiteral("-l")) && !least.contains(QStringLiteral("-p")));
}

void TestDockerEndpoint::sshFailures_data()
{
    QTest::addColumn<QString>("said");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *said, ErrorKind kind, const char *message) {
        QTest::newRow(said) << QString::fromUtf8(said) << kind << QString::fromUtf8(message);
    };
    row("Host key verification failed.", ErrorKind::Forbidden, "host key");
    row("me@there: Permission denied (publickey,password).", ErrorKind::Unauthorized,
        "does not let us in");
    row("ssh: Could not resolve hostname there: Name or service not known", ErrorKind::Unavailable,
        "no host named there");
    row("ssh: connect to host there port 22: Connection refused", ErrorKind::Unavailable,
        "No connection");
    row("sh: 1: docker: not found", ErrorKind::Unavailable, "no docker program");
    row("Got permission denied while trying to connect to the Docker daemon socket at "
        "unix:///var/run/docker.sock",
        ErrorKind::Forbidden, "No permission to use the Docker engine");
    row("Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon "
        "running?",
        ErrorKind::Unavailable, "No Docker engine answers on there");
    row("", ErrorKind::Unavailable, "without a word");
}

void TestDockerEndpoint::sshFailures()
{
    QFETCH(QString, said);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, message);
    Endpoint endpoint;
    endpoint.host = QStringLiteral("ssh://me@there");
    const auto reach = reachOf(endpoint);
    QVERIFY(reach);
    const Error error = explained(
        {ErrorKind::Unavailable, QStringLiteral("ssh ended with code 255"), said, {}, {}}, *reach);
    QCOMPARE(error.kind, kind);
    QVERIFY2(error.message.contains(message), qPrintable(error.message));
    QVERIFY(error.detail.contains(said));
}

void TestDockerEndpoint::permissionNamesTheGroup()
{
    QTemporaryDir directory;
    Endpoint endpoint;
    const QString path = directory.filePath(QStringLiteral("sock"));
    endpoint.host = QStringLiteral("unix://") + path;
    const auto reach = reachOf(endpoint);
    QVERIFY(reach);
    const Error refused{
        ErrorKind::Forbidden, QStringLiteral("No permission to use %1").arg(path), {}, {}, {}};
    QVERIFY(explained(refused, *reach).detail.contains(QStringLiteral("directory above")));
    writeFile(path, "x");
    const QString group = QFileInfo(path).group();
    if (QFileInfo(path).groupId() != 0)
        QVERIFY(explained(refused, *reach).detail.contains(QLatin1Char('"') + group));
    else
        QVERIFY(!explained(refused, *reach).detail.contains(QStringLiteral("usermod")));
    if (::chown(path.toLocal8Bit().constData(), static_cast<uid_t>(-1), 1) == 0)
        QVERIFY(
            explained(refused, *reach)
                .detail.contains(QStringLiteral("usermod -aG %1").arg(QFileInfo(path).group())));
}

void TestDockerEndpoint::plainOnlyWhereAllowed()
{
    Endpoint endpoint;
    for (const char *own : {"tcp://127.0.0.1:2375", "tcp://localhost:2375", "tcp://[::1]:2375"}) {
        endpoint.host = QLatin1String(own);
        const auto reach = reachOf(endpoint);
        QVERIFY(reach && reach->warning.contains(QStringLiteral("Not encrypted")));
    }
    for (const char *other : {"tcp://10.0.0.1:2375", "tcp://localhost.evil.example:2375",
                              "tcp://127.0.0.1.example:2375"}) {
        endpoint.host = QLatin1String(other);
        endpoint.plainAllowed = false;
        const auto refused = reachOf(endpoint);
        QVERIFY2(!refused, other);
        QCOMPARE(refused.error().kind, ErrorKind::InvalidInput);
        endpoint.plainAllowed = true;
        const auto allowed = reachOf(endpoint);
        QVERIFY(allowed && allowed->warning.contains(QStringLiteral("Not encrypted")));
    }
    endpoint.plainAllowed = false;
    endpoint.host = QStringLiteral("https://10.0.0.1");
    const auto encrypted = reachOf(endpoint);
    QVERIFY(encrypted && encrypted->encrypted && encrypted->warning.isEmpty());
    QCOMPARE(int(encrypted->address.port), 2376);
}

void TestDockerEndpoint::certificateFiles()
{
    QTemporaryDir directory;
    TlsFiles files;
    files.wanted = true;
    files.authorities = directory.filePath(QStringLiteral("ca.pem"));
    QCOMPARE(readTls(files).error().kind, ErrorKind::InvalidInput);
    writeFile(files.authorities, "no certificate");
    QVERIFY(readTls(files).error().message.contains(QStringLiteral("holds no certificate")));
    files = {};
    files.certificate = directory.filePath(QStringLiteral("cert.pem"));
    writeFile(files.certificate, "x");
    QVERIFY(readTls(files).error().message.contains(QStringLiteral("no key for it")));
    QVERIFY(readTls(files).error().detail.contains(files.certificate));
}

void TestDockerEndpoint::passwordsAreNotShown()
{
    QCOMPARE(shownAddress(QStringLiteral("ssh://me:secret@host:22")),
             QStringLiteral("ssh://me:…@host:22"));
    QCOMPARE(shownAddress(QStringLiteral("ssh://me@host:22")), QStringLiteral("ssh://me@host:22"));
}

void TestDockerEndpoint::tellingEvents_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("id");
    const auto event = [](const char *action) {
        return QByteArray(R"({"status":"x","id":"old","Type":"container","Action":")") + action
            + R"(","Actor":{"ID":"c1","Attributes":{}}})";
    };
    for (const char *action :
         {"die", "died", "stop", "pause", "unpause", "start", "destroy", "remove", "kill", "oom"})
        QTest::newRow(action) << event(action) << QStringLiteral("c1");
    // They come with every command and file.
    for (const char *action : {"exec_create: sh -c die", "exec_start: die", "exec_die", "attach",
                               "resize", "archive-path", "top"})
        QTest::newRow(action) << event(action) << QString();
    QTest::newRow("without actor")
        << QByteArray(R"({"Type":"container","Action":"die","id":"c2"})") << QStringLiteral("c2");
    QTest::newRow("volume") << QByteArray(
        R"({"Type":"volume","Action":"destroy","Actor":{"ID":"v"}})")
                            << QString();
    QTest::newRow("cut") << QByteArray(R"({"Type":"container","Act)") << QString();
    QTest::newRow("odd") << QByteArray(R"({"Type":1,"Action":[],"Actor":"x"})") << QString();
}

void TestDockerEndpoint::tellingEvents()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, id);
    QCOMPARE(changedBy(line).value_or(domain::ExternalId()).toString(), id);
}

void TestDockerEndpoint::kind()
{
    const auto kind = makeDockerKind();
    QMap<QString, QString> config{{QStringLiteral("image"), QStringLiteral("i")},
                                  {QStringLiteral("mount_path"), QStringLiteral("/workspace")}};
    config.insert(QStringLiteral("docker_host"), QStringLiteral("tcp://127.0.0.1:2375"));
    QVERIFY(!kind->problemWith(config));
    config.insert(QStringLiteral("docker_host"), QStringLiteral("ssh://-oX@host"));
    QVERIFY(kind->problemWith(config));
    config.insert(QStringLiteral("docker_host"), QStringLiteral("ssh://me@host"));
    QVERIFY(!kind->problemWith(config));
    config.insert(QStringLiteral("context"), QStringLiteral("far"));
    QVERIFY(kind->problemWith(config)->contains(QStringLiteral("not both")));
    // No sandbox row chooses its engine.
    for (const char *key : {"context", "tls_dir", "tls_ca", "tls_cert", "tls_key", "plain_tcp"})
        QCOMPARE(kind->schema().field(QLatin1String(key))->scope, domain::FieldScope::Connection);
}

QTEST_GUILESS_MAIN(TestDockerEndpoint)
#include "test_docker_endpoint.moc"
