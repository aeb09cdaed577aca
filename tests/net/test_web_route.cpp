// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/web_asking.h"

#include "net/web/web_route.h"

#include <QtCore/QFile>
#include <QtCore/QScopeGuard>
#include <QtNetwork/QTcpServer>
#include <QtNetwork/QTcpSocket>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::net;
using namespace berth::test;
using namespace std::chrono_literals;
using domain::ErrorKind;

//! The way to a service: certificates and proxies.
class TestWebRoute : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void certificates();
    void proxies();
    void proxyOfTheEnvironment();

private:
    Certificates m_certificates;
};

void TestWebRoute::initTestCase()
{
    for (const char *name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
                             "no_proxy", "NO_PROXY"})
        qunsetenv(name);
    QVERIFY(m_certificates.make());
    const QString here = QStringLiteral("DNS:localhost,IP:127.0.0.1");
    QVERIFY(m_certificates.sign(QStringLiteral("good.pem"), here, 2));
    QVERIFY(m_certificates.sign(QStringLiteral("old.pem"), here, -1));
    QVERIFY(m_certificates.sign(QStringLiteral("else.pem"),
                                QStringLiteral("DNS:harbour.example.com"), 2));
}

void TestWebRoute::certificates()
{
    const auto hello = [](QTcpSocket *socket, const QByteArray &) { socket->write(kHello); };
    const QString key = m_certificates.file(QStringLiteral("key.pem"));
    TinyWebServer good(hello, m_certificates.file(QStringLiteral("good.pem")), key);

    WebClient stranger(only(good.origin()));
    auto result = await(stranger.send(ask(good), {}));
    BERTH_FAILS(result, ErrorKind::Forbidden);
    QVERIFY2(result.error().message.contains(QStringLiteral("unknown authority")),
             berth::test::told(result).constData());
    QVERIFY(result.error().detail.contains(QStringLiteral("Harbour authority")));
    QVERIFY(result.error().detail.contains(QStringLiteral("CA file")));
    QVERIFY(!tellsKey(result));
    QVERIFY(good.requests().isEmpty());

    const auto trusting = [this](const TinyWebServer &server) {
        WebSettings settings = only(server.origin());
        settings.caFile = m_certificates.authority();
        return settings;
    };
    WebClient friendly(trusting(good));
    result = await(friendly.send(ask(good), {}));
    BERTH_OK(result);
    QCOMPARE(result->body, QByteArray("hello"));

    TinyWebServer old(hello, m_certificates.file(QStringLiteral("old.pem")), key);
    WebClient toOld(trusting(old));
    result = await(toOld.send(ask(old), {}));
    BERTH_FAILS(result, ErrorKind::Forbidden);
    QVERIFY2(result.error().message.contains(QStringLiteral("expired")),
             berth::test::told(result).constData());

    TinyWebServer elsewhere(hello, m_certificates.file(QStringLiteral("else.pem")), key);
    WebClient toElse(trusting(elsewhere));
    result = await(toElse.send(ask(elsewhere), {}));
    BERTH_FAILS(result, ErrorKind::Forbidden);
    QVERIFY2(result.error().detail.contains(QStringLiteral("harbour.example.com")),
             berth::test::told(result).constData());

    // HTTP where TLS was meant, and the other way round.
    QTcpServer plain;
    plain.listen(QHostAddress::LocalHost);
    connect(&plain, &QTcpServer::newConnection, this, [&plain] {
        plain.nextPendingConnection()->write("HTTP/1.1 400 What is that\r\n\r\n");
    });
    const QString mistaken = QStringLiteral("https://localhost:%1").arg(plain.serverPort());
    WebClient toPlain(only(mistaken));
    WebRequest request = ask(good);
    request.url = QUrl(mistaken);
    BERTH_FAILS(await(toPlain.send(request, {})), ErrorKind::Protocol);

    WebSettings missing = only(good.origin());
    missing.caFile = m_certificates.file(QStringLiteral("nowhere.pem"));
    WebClient without(missing);
    BERTH_FAILS(await(without.send(ask(good), {})), ErrorKind::InvalidInput);
    QVERIFY(problemWithCaFile(key));
    QVERIFY(!problemWithCaFile(m_certificates.authority()));
}

void TestWebRoute::proxies()
{
    TinyWebServer server([](QTcpSocket *socket, const QByteArray &) { socket->write(kHello); },
                         m_certificates.file(QStringLiteral("good.pem")),
                         m_certificates.file(QStringLiteral("key.pem")));
    TinyProxy proxy("anna:s3cret-%-word");
    const QString right =
        QStringLiteral("http://anna:s3cret-%25-word@127.0.0.1:%1").arg(proxy.port());
    WebSettings settings = only(server.origin(), right);
    settings.caFile = m_certificates.authority();
    WebClient through(settings);
    WebRequest post = ask(server, QStringLiteral("/p"), "POST");
    post.body = "{}";
    auto result = await(through.send(post, {}));
    BERTH_OK(result);
    QCOMPARE(result->body, QByteArray("hello"));
    QVERIFY(proxy.requests().back().startsWith("CONNECT localhost:"));
    QVERIFY(!proxy.requests().back().contains(kKey));
    QCOMPARE(server.requests().size(), 1);

    // Not encrypted: the proxy asks in our stead, at the first attempt.
    const QString far = QStringLiteral("http://far.example.com");
    WebClient plain(only(far, right));
    post.url = QUrl(far + QStringLiteral("/x"));
    result = await(plain.send(post, {}));
    BERTH_OK(result);
    QCOMPARE(result->body, QByteArray("by proxy!"));
    QVERIFY(proxy.requests().back().startsWith("POST http://far.example.com/x HTTP/1.1\r\n"));

    settings.proxy = QStringLiteral("http://anna:wr0ng-word@127.0.0.1:%1").arg(proxy.port());
    WebClient wrong(settings);
    result = await(wrong.send(ask(server), {}));
    BERTH_FAILS(result, ErrorKind::Unauthorized);
    QVERIFY(!berth::test::told(result).contains("wr0ng-word"));

    QTcpServer closed;
    closed.listen(QHostAddress::LocalHost);
    const quint16 nobody = closed.serverPort();
    closed.close();
    settings.proxy = QStringLiteral("http://anna:s3cret-word@127.0.0.1:%1").arg(nobody);
    WebClient dead(settings);
    result = await(dead.send(ask(server), {}));
    BERTH_FAILS(result, ErrorKind::Unavailable);
    QVERIFY2(result.error().message.contains(QStringLiteral("the proxy 127.0.0.1:%1").arg(nobody)),
             berth::test::told(result).constData());
    QVERIFY(!berth::test::told(result).contains("s3cret-word"));

    settings.proxy = QStringLiteral("gopher://anna:s3cret-word@x");
    WebClient odd(settings);
    result = await(odd.send(ask(server), {}));
    BERTH_FAILS(result, ErrorKind::InvalidInput);
    QVERIFY(!berth::test::told(result).contains("s3cret-word"));
    QVERIFY(!problemWithProxy(QStringLiteral("socks5://h:1080")));
}

void TestWebRoute::proxyOfTheEnvironment()
{
    TinyWebServer server([](QTcpSocket *socket, const QByteArray &) { socket->write(kHello); });
    TinyProxy proxy;
    const auto clean = qScopeGuard([] {
        for (const char *name : {"http_proxy", "no_proxy"})
            qunsetenv(name);
    });
    const auto bodyOf = [](const QString &origin, const QString &setting) {
        WebClient client(only(origin, setting));
        net::WebRequest request;
        request.url = QUrl(origin + QStringLiteral("/"));
        const auto result = await(client.send(request, {}), 5s);
        return result ? result->body : berth::test::told(result);
    };
    const QString far = QStringLiteral("http://far.example.com");
    const QByteArray way = "127.0.0.1:" + QByteArray::number(proxy.port());
    qputenv("http_proxy", way);
    QCOMPARE(bodyOf(far, {}), QByteArray("by proxy!"));
    // A key that goes to this machine unencrypted is nothing for a proxy, whoever names it.
    QCOMPARE(bodyOf(server.origin(), {}), QByteArray("hello"));
    QCOMPARE(bodyOf(server.origin(), QStringLiteral("http://") + QString::fromLatin1(way)),
             QByteArray("hello"));
    // Whom no_proxy names is asked without it, and nobody answers there.
    qputenv("no_proxy", "example.com");
    QVERIFY(bodyOf(far, {}) != "by proxy!");
    qunsetenv("http_proxy");

    const QUrl url(far);
    for (const char *list : {"*", "a.org, example.com", ".example.com", "far.example.com:80"})
        QVERIFY2(net::isExcludedFromProxy(url, QString::fromLatin1(list)), list);
    for (const char *list : {"", "ar.example.com", "far.example.com:81", "example.org"})
        QVERIFY2(!net::isExcludedFromProxy(url, QString::fromLatin1(list)), list);
    QVERIFY(net::isExcludedFromProxy(QUrl(QStringLiteral("http://10.1.2.3")),
                                     QStringLiteral("10.0.0.0/8")));
}

QTEST_GUILESS_MAIN(TestWebRoute)
#include "test_web_route.moc"
