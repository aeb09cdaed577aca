// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "docker/engine_fixture.h"

#include <QtCore/QDir>
#include <QtCore/QProcess>
#include <QtCore/QStandardPaths>
#include <QtNetwork/QTcpServer>

#include <unistd.h>

using namespace berth;
using namespace std::chrono_literals;
using berth::test::await;
using domain::ErrorKind;
using domain::StepState;
using Values = QMap<QString, QString>;

namespace {

//! A server of ours in front of the engine, and its port.
class Bridge
{
public:
    explicit Bridge(const QStringList &arguments)
    {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(QStringLiteral("python3"),
                        QStringList{QStringLiteral(BERTH_ENGINE_BRIDGE)} + arguments);
        if (m_process.waitForStarted() && m_process.waitForReadyRead(10000))
            m_port = m_process.readLine().trimmed().toInt();
    }
    ~Bridge()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    [[nodiscard]] QString host(const char *name = "localhost") const
    {
        return QStringLiteral("tcp://%1:%2").arg(QLatin1String(name)).arg(m_port);
    }
    [[nodiscard]] bool isUp() const { return m_port > 0; }

private:
    QProcess m_process;
    int m_port = 0;
};

bool ran(const QString &program, const QStringList &arguments, const QString &directory)
{
    QProcess process;
    process.setWorkingDirectory(directory);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    if (process.waitForFinished(20000) && process.exitCode() == 0)
        return true;
    qWarning("%s: %s", qPrintable(program), process.readAll().constData());
    return false;
}

void writeFile(const QString &path, const QByteArray &bytes, bool executable = false)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(bytes);
    file.setPermissions(executable ? QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner
                                   : QFile::ReadOwner | QFile::WriteOwner);
}

} // namespace

//! The real engine behind other ways than its socket: TCP, TLS as with --tlsverify, and ssh.
class TestDockerRemote : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();

    void plainTcp();
    void sandboxOverTls();
    void tlsFailures_data();
    void tlsFailures();
    void nobodyListens();
    void sandboxOverSsh();
    void sshFailures_data();
    void sshFailures();
    void sshStopsWithItsStream();
    void realSshServer();

private:
    domain::Result<domain::HealthReport> check(const Values &values);
    void sandboxWorks(const Values &values, const char *alias);
    QString certificates(const char *name) const
    {
        return m_certificates.filePath(QLatin1String(name));
    }
    void makeCertificates();

    test::EngineFixture m_engine;
    QTemporaryDir m_certificates;
    //! First in PATH: the ssh that is called.
    QTemporaryDir m_bin;
    QByteArray m_path = qgetenv("PATH");
};

void TestDockerRemote::initTestCase()
{
    BERTH_NEEDS_ENGINE(m_engine);
    for (const char *name : {"DOCKER_TLS_VERIFY", "DOCKER_TLS", "DOCKER_CERT_PATH"})
        qunsetenv(name);
    qputenv("PATH", m_bin.path().toLocal8Bit() + ':' + m_path);
    makeCertificates();
}

void TestDockerRemote::cleanupTestCase()
{
    qputenv("PATH", m_path);
    m_engine.close();
}

//! "good" is the server's as it should be; "expired" and "other name" are signed by the same
//! authority, "stranger" by another one.
void TestDockerRemote::makeCertificates()
{
    const QString directory = m_certificates.path();
    const QString openssl = QStringLiteral("openssl");
    const QStringList key{
        QStringLiteral("-newkey"),  QStringLiteral("ec"),
        QStringLiteral("-pkeyopt"), QStringLiteral("ec_paramgen_curve:prime256v1"),
        QStringLiteral("-nodes"),   QStringLiteral("-keyout")};
    for (const char *ca : {"ca", "otherca"})
        QVERIFY(ran(
            openssl,
            QStringList{QStringLiteral("req"), QStringLiteral("-x509")} + key
                + QStringList{QLatin1String(ca) + QStringLiteral(".key"), QStringLiteral("-out"),
                              QLatin1String(ca) + QStringLiteral(".pem"), QStringLiteral("-subj"),
                              QStringLiteral("/CN=Berth test authority"), QStringLiteral("-days"),
                              QStringLiteral("2")},
            directory));
    const auto sign = [&](const char *name, const char *ca, const char *days,
                          const QByteArray &extension) {
        const QString base = QLatin1String(name);
        writeFile(certificates("extension"), extension + '\n');
        return ran(openssl,
                   QStringList{QStringLiteral("req")} + key
                       + QStringList{base + QStringLiteral(".key"), QStringLiteral("-out"),
                                     base + QStringLiteral(".csr"), QStringLiteral("-subj"),
                                     QStringLiteral("/CN=") + base},
                   directory)
            && ran(openssl,
                   {QStringLiteral("x509"), QStringLiteral("-req"), QStringLiteral("-in"),
                    base + QStringLiteral(".csr"), QStringLiteral("-CA"),
                    QLatin1String(ca) + QStringLiteral(".pem"), QStringLiteral("-CAkey"),
                    QLatin1String(ca) + QStringLiteral(".key"), QStringLiteral("-CAcreateserial"),
                    QStringLiteral("-days"), QLatin1String(days), QStringLiteral("-extfile"),
                    QStringLiteral("extension"), QStringLiteral("-out"),
                    base + QStringLiteral(".pem")},
                   directory);
    };
    QVERIFY(sign("good", "ca", "2", "subjectAltName=DNS:localhost,IP:127.0.0.1"));
    QVERIFY(sign("expired", "ca", "-1", "subjectAltName=DNS:localhost"));
    QVERIFY(sign("othername", "ca", "2", "subjectAltName=DNS:engine.example"));
    QVERIFY(sign("client", "ca", "2", "extendedKeyUsage=clientAuth"));
    QVERIFY(sign("stranger", "otherca", "2", "extendedKeyUsage=clientAuth"));
    // As DOCKER_CERT_PATH has them.
    QVERIFY(QDir(directory).mkdir(QStringLiteral("dir")));
    QVERIFY(QFile::copy(certificates("ca.pem"), certificates("dir/ca.pem")));
    QVERIFY(QFile::copy(certificates("client.pem"), certificates("dir/cert.pem")));
    QVERIFY(QFile::copy(certificates("client.key"), certificates("dir/key.pem")));
}

domain::Result<domain::HealthReport> TestDockerRemote::check(const Values &values)
{
    return await(m_engine.makeProvider(values)->check({}, {}), 90s);
}

//! The whole life of one, with more output than any buffer on the way holds.
void TestDockerRemote::sandboxWorks(const Values &values, const char *alias)
{
    const auto provider = m_engine.makeProvider(values);
    const auto made = await(provider->create(m_engine.request(alias), {}, {}), 90s);
    BERTH_OK(made);
    {
        const auto connection = await(provider->connect(made->externalId, {}));
        BERTH_OK(connection);
        const test::Finished finished = test::run(
            (*connection)->shell(), "head -c 3000000 /dev/zero | tr '\\0' x; echo e >&2; exit 4");
        QVERIFY2(finished.outcome.code == 4, test::told(finished).left(300).constData());
        QCOMPARE(finished.out.size(), 3000000);
        QCOMPARE(finished.err, QByteArray("e\n"));
        const auto sample = await(provider->metrics(made->externalId, {}));
        BERTH_OK(sample);
        QVERIFY(sample->memoryBytes > 0);
    }
    BERTH_OK(await(provider->destroy(made->externalId, {})));
}

void TestDockerRemote::plainTcp()
{
    const Bridge bridge({QStringLiteral("tcp"), test::engineSocket()});
    QVERIFY(bridge.isUp());
    const auto report = check({{QStringLiteral("docker_host"), bridge.host("127.0.0.1")}});
    BERTH_OK(report);
    QVERIFY2(report->ok, report->error ? qPrintable(report->error->message) : "");
    bool warned = false;
    for (const domain::HealthStep &step : report->steps)
        warned = warned
            || (step.state == StepState::Warning
                && step.detail.startsWith(QStringLiteral("Not encrypted")));
    QVERIFY(warned);
    QVERIFY(report->summary.contains(bridge.host("127.0.0.1")));
}

void TestDockerRemote::sandboxOverTls()
{
    const Bridge bridge({QStringLiteral("tls"), test::engineSocket(), certificates("good.pem"),
                         certificates("good.key"), certificates("ca.pem")});
    QVERIFY(bridge.isUp());
    const Values values{{QStringLiteral("docker_host"), bridge.host()},
                        {QStringLiteral("tls_dir"), certificates("dir")}};
    const auto report = check(values);
    BERTH_OK(report);
    QVERIFY2(report->ok, report->error ? qPrintable(report->error->message) : "");
    for (const domain::HealthStep &step : report->steps)
        QVERIFY2(step.state == StepState::Ok, qPrintable(step.name + step.detail));
    sandboxWorks(values, "tls");
}

void TestDockerRemote::tlsFailures_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<Values>("values");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("words");
    const auto file = [this](const char *name) { return certificates(name); };
    const Values right{{QStringLiteral("tls_dir"), file("dir")}};
    Values otherAuthority = right;
    otherAuthority.insert(QStringLiteral("tls_ca"), file("otherca.pem"));
    const Values noCertificate{{QStringLiteral("tls_ca"), file("ca.pem")}};
    Values stranger = noCertificate;
    stranger.insert(QStringLiteral("tls_cert"), file("stranger.pem"));
    stranger.insert(QStringLiteral("tls_key"), file("stranger.key"));
    Values halfPair = noCertificate;
    halfPair.insert(QStringLiteral("tls_cert"), file("client.pem"));
    const auto row = [](const char *name, const char *server, const Values &values, ErrorKind kind,
                        const char *words) {
        QTest::newRow(name) << QString::fromLatin1(server) << values << kind
                            << QString::fromLatin1(words);
    };
    row("unknown authority", "good", otherAuthority, ErrorKind::Forbidden, "unknown authority");
    row("expired", "expired", right, ErrorKind::Forbidden, "has expired");
    row("another's name", "othername", right, ErrorKind::Forbidden, "is not for localhost");
    row("no client certificate", "good", noCertificate, ErrorKind::Unauthorized,
        "asks for a client certificate");
    row("a stranger's certificate", "good", stranger, ErrorKind::Unauthorized,
        "does not take the client certificate");
    row("certificate without key", "good", halfPair, ErrorKind::InvalidInput, "no key for it");
    row("no TLS there", "", right, ErrorKind::Protocol, "No encrypted connection");
    row("TLS there only", "good", {}, ErrorKind::Unavailable, "name the certificates");
}

void TestDockerRemote::tlsFailures()
{
    QFETCH(QString, server);
    QFETCH(Values, values);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, words);
    QStringList arguments{QStringLiteral("tcp"), test::engineSocket()};
    if (!server.isEmpty())
        arguments = QStringList{QStringLiteral("tls"), test::engineSocket(),
                                m_certificates.filePath(server + QStringLiteral(".pem")),
                                m_certificates.filePath(server + QStringLiteral(".key")),
                                certificates("ca.pem")};
    const Bridge bridge(arguments);
    QVERIFY(bridge.isUp());
    values.insert(QStringLiteral("docker_host"), bridge.host());
    const auto report = check(values);
    BERTH_OK(report);
    QVERIFY(!report->ok && report->error);
    const QString told = report->error->message + QLatin1Char('|') + report->error->detail;
    QVERIFY2(told.contains(words), qPrintable(told));
    QVERIFY2(report->error->kind == kind, qPrintable(domain::wireName(report->error->kind)));
}

void TestDockerRemote::nobodyListens()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const QString host = QStringLiteral("tcp://127.0.0.1:%1").arg(server.serverPort());
    server.close();
    const auto report = check({{QStringLiteral("docker_host"), host}});
    BERTH_OK(report);
    QVERIFY(!report->ok);
    QCOMPARE(report->error->kind, ErrorKind::Unavailable);
    QVERIFY(report->error->message.startsWith(QStringLiteral("Nobody listens")));
}

void TestDockerRemote::sandboxOverSsh()
{
    // Stands in for ssh and the other machine: writes down how it was called, and is its engine.
    const QString said = m_bin.filePath(QStringLiteral("argv"));
    writeFile(m_bin.filePath(QStringLiteral("ssh")),
              "#!/bin/sh\nprintf '%s\\n' \"$@\" > " + said.toLocal8Bit()
                  + "\nexec python3 " BERTH_ENGINE_BRIDGE " stdio "
                  + test::engineSocket().toLocal8Bit() + "\n",
              true);
    const Values values{{QStringLiteral("docker_host"), QStringLiteral("ssh://me@there:2222")}};
    const auto report = check(values);
    BERTH_OK(report);
    QVERIFY2(report->ok, report->error ? qPrintable(report->error->detail) : "");
    sandboxWorks(values, "ssh");
    QFile file(said);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray argv = file.readAll();
    QVERIFY2(argv.endsWith("\n-l\nme\n-p\n2222\n--\nthere\ndocker\nsystem\ndial-stdio\n"),
             argv.constData());
    QVERIFY(argv.contains("BatchMode=yes\n") && argv.contains("ServerAliveInterval=15\n"));
}

void TestDockerRemote::sshFailures_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("words");
    QTest::newRow("refused") << QByteArray("echo 'me@there: Permission denied (publickey).' >&2; "
                                           "exit 255")
                             << ErrorKind::Unauthorized << QStringLiteral("does not let us in");
    QTest::newRow("host key") << QByteArray("echo 'Host key verification failed.' >&2; exit 255")
                              << ErrorKind::Forbidden << QStringLiteral("host key of there");
    QTest::newRow("no docker") << QByteArray("echo 'sh: 1: docker: not found' >&2; exit 127")
                               << ErrorKind::Unavailable << QStringLiteral("no docker program");
    QTest::newRow("killed") << QByteArray("kill -9 $$") << ErrorKind::Unavailable
                            << QStringLiteral("without a word");
    QTest::newRow("another program") << QByteArray("echo 'Welcome to this machine'; sleep 60")
                                     << ErrorKind::Protocol << QStringLiteral("makes no sense");
}

void TestDockerRemote::sshFailures()
{
    QFETCH(QByteArray, script);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, words);
    writeFile(m_bin.filePath(QStringLiteral("ssh")), "#!/bin/sh\n" + script + "\n", true);
    const auto report =
        check({{QStringLiteral("docker_host"), QStringLiteral("ssh://me@there:2222")}});
    BERTH_OK(report);
    QVERIFY(!report->ok && report->error);
    const QString told = report->error->message + QLatin1Char('|') + report->error->detail;
    QVERIFY2(told.contains(words), qPrintable(told));
    QVERIFY2(report->error->kind == kind, qPrintable(domain::wireName(report->error->kind)));
}

void TestDockerRemote::sshStopsWithItsStream()
{
    const QString pidFile = m_bin.filePath(QStringLiteral("pid"));
    writeFile(m_bin.filePath(QStringLiteral("ssh")),
              "#!/bin/sh\necho $$ > " + pidFile.toLocal8Bit() + ".new; mv " + pidFile.toLocal8Bit()
                  + ".new " + pidFile.toLocal8Bit() + "\nexec sleep 1000\n",
              true);
    std::stop_source stop;
    const auto provider =
        m_engine.makeProvider({{QStringLiteral("docker_host"), QStringLiteral("ssh://there")}});
    QTimer waiting;
    QObject::connect(&waiting, &QTimer::timeout, this, [&] {
        if (QFile::exists(pidFile))
            stop.request_stop();
    });
    waiting.start(10ms);
    BERTH_FAILS(await(provider->list(stop.get_token()), 10s), ErrorKind::Cancelled);
    QFile file(pidFile);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString process =
        QStringLiteral("/proc/") + QString::fromLatin1(file.readAll().trimmed());
    QVERIFY(test::waitUntil([&process] { return !QFile::exists(process); }, 5s));
}

void TestDockerRemote::realSshServer()
{
    const QString sshd = QStringLiteral("/usr/sbin/sshd");
    QString ssh = QStringLiteral("/usr/bin/ssh");
    qputenv("PATH", m_path);
    const QString docker = QStandardPaths::findExecutable(QStringLiteral("docker"));
    qputenv("PATH", m_bin.path().toLocal8Bit() + ':' + m_path);
    if (!QFile::exists(sshd) || !QFile::exists(ssh) || docker.isEmpty() || getuid() != 0)
        QSKIP("needs root, sshd, ssh and the docker command");
    QDir().mkpath(QStringLiteral("/run/sshd"));
    QTemporaryDir home;
    const auto at = [&home](const char *name) {
        return home.filePath(QLatin1String(name)).toLocal8Bit();
    };
    for (const char *key : {"hostkey", "mine", "other"})
        QVERIFY(ran(QStringLiteral("ssh-keygen"),
                    {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"),
                     QStringLiteral("-N"), QString(), QStringLiteral("-f"), QLatin1String(key)},
                    home.path()));
    QTcpServer free;
    QVERIFY(free.listen(QHostAddress::LocalHost));
    const QByteArray port = QByteArray::number(free.serverPort());
    free.close();
    writeFile(QString::fromLocal8Bit(at("sshd_config")),
              "Port " + port + "\nListenAddress 127.0.0.1\nHostKey " + at("hostkey")
                  + "\nAuthorizedKeysFile " + at("mine.pub")
                  + "\nStrictModes no\nUsePAM no\nPidFile none\nPasswordAuthentication no\n"
                    "PermitRootLogin yes\nMaxStartups 100\nSetEnv DOCKER_HOST=unix://"
                  + test::engineSocket().toLocal8Bit()
                  + " PATH=" + QFileInfo(docker).path().toLocal8Bit() + ":/usr/bin:/bin\n");
    QProcess server;
    server.setProcessChannelMode(QProcess::MergedChannels);
    server.start(sshd,
                 {QStringLiteral("-D"), QStringLiteral("-e"), QStringLiteral("-f"),
                  QString::fromLocal8Bit(at("sshd_config"))});
    QVERIFY(server.waitForStarted());
    QVERIFY2(server.waitForReadyRead(10000), "sshd says that it listens");

    // The user's own configuration, which the test must not touch.
    const auto client = [&](const char *knownHosts, const char *key) {
        writeFile(QString::fromLocal8Bit(at("ssh_config")),
                  "Host *\nIdentityFile " + at(key) + "\nIdentitiesOnly yes\nUserKnownHostsFile "
                      + at(knownHosts) + "\nGlobalKnownHostsFile none\n");
        writeFile(m_bin.filePath(QStringLiteral("ssh")),
                  "#!/bin/sh\nexec " + ssh.toLocal8Bit() + " -F " + at("ssh_config") + " \"$@\"\n",
                  true);
    };
    QFile hostKey(QString::fromLocal8Bit(at("hostkey.pub")));
    QVERIFY(hostKey.open(QIODevice::ReadOnly));
    writeFile(QString::fromLocal8Bit(at("known")), "[127.0.0.1]:" + port + ' ' + hostKey.readAll());
    const Values values{{QStringLiteral("docker_host"),
                         QStringLiteral("ssh://root@127.0.0.1:") + QString::fromLatin1(port)}};

    client("unknown", "mine");
    const auto stranger = check(values);
    BERTH_OK(stranger);
    QVERIFY2(stranger->error && stranger->error->kind == ErrorKind::Forbidden,
             stranger->error ? qPrintable(stranger->error->detail) : "");
    client("known", "other");
    const auto refused = check(values);
    BERTH_OK(refused);
    QVERIFY2(refused->error && refused->error->kind == ErrorKind::Unauthorized,
             refused->error ? qPrintable(refused->error->detail) : "");
    client("known", "mine");
    const auto welcome = check(values);
    BERTH_OK(welcome);
    QVERIFY2(welcome->ok,
             welcome->error ? qPrintable(welcome->error->detail) : server.readAll().constData());
    BERTH_OK(await(m_engine.makeProvider(values)->list({}), 90s));
    server.terminate();
    QVERIFY(server.waitForFinished());
}

QTEST_GUILESS_MAIN(TestDockerRemote)
#include "test_docker_remote.moc"
