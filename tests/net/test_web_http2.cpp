// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/tiny_web_server.h"
#include "net/web/envelopes.h"
#include "net/web/web_upload.h"
#include "support/await.h"

#include <QtCore/QProcess>
#include <QtNetwork/QTcpSocket>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::net;
using namespace std::chrono_literals;
using berth::test::await;
using berth::test::waitUntil;
using domain::ErrorKind;

class TestWebHttp2 : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void wholeBody();
    void fieldsAlone();
    void bothDirections();
    void largeUpload();
    void cancelReachesTheServer();
    void manyStreamsAtOnce();
    void refusesOlderHttp();

private:
    [[nodiscard]] WebRequest call(const char *method, const QByteArray &body = {}) const;

    QProcess m_server;
    WebSettings m_settings;
};

void TestWebHttp2::initTestCase()
{
    // Debian's own python has Debian's packages.
    m_server.start(QStringLiteral("/usr/bin/python3"),
                   {QStringLiteral(BERTH_TEST_SOURCES "/net/h2_server.py")});
    m_server.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    QVERIFY(waitUntil([this] { return m_server.canReadLine(); }, 20s));
    const QString port = QString::fromLatin1(m_server.readLine()).trimmed();
    m_settings.origins = {QStringLiteral("http://127.0.0.1:") + port};
    m_settings.proxy = QStringLiteral("none");
    m_settings.http2Cleartext = true;
    m_settings.http2Required = true;
}

void TestWebHttp2::cleanupTestCase()
{
    m_server.closeWriteChannel();
    m_server.waitForFinished(5000);
}

WebRequest TestWebHttp2::call(const char *method, const QByteArray &body) const
{
    WebRequest request;
    request.method = "POST";
    request.url = QUrl(m_settings.origins.first() + QStringLiteral("/any.Thing/")
                       + QString::fromLatin1(method));
    request.headers = {{"Content-Type", "application/grpc+proto"}, {"TE", "trailers"}};
    request.body = body;
    return request;
}

void TestWebHttp2::wholeBody()
{
    WebClient client(m_settings);
    const auto opened = await(client.open(call("Echo", envelope(0, "a") + envelope(0, "b")), {}));
    BERTH_OK(opened);
    const std::shared_ptr<WebStream> stream = *opened;
    QVERIFY(stream->isHttp2());
    QCOMPARE(stream->head().status, 200);
    QCOMPARE(stream->head().headers.value("content-type"), QByteArray("application/grpc"));
    QVERIFY(!stream->head().headers.contains("grpc-status"));
    const auto body = await(stream->rest(1000, 5s, {}));
    BERTH_OK(body);
    QCOMPARE(*body, envelope(0, "ready") + envelope(0, "<a>") + envelope(0, "<b>"));
    QCOMPARE(stream->trailers().value("grpc-status"), QByteArray("0"));
    QCOMPARE(stream->trailers().value("x-tail"), QByteArray("1"));
    QVERIFY(!stream->trailers().contains("content-type"));
    QCOMPARE(stream->head().headers.value("grpc-status"), QByteArray("0"));
    QCOMPARE(stream->head().headers.values("content-type"), QList<QByteArray>{"application/grpc"});

    const auto sent = await(client.send(call("Echo", envelope(0, "c")), {}));
    BERTH_OK(sent);
    QCOMPARE(sent->body, envelope(0, "ready") + envelope(0, "<c>"));
    QCOMPARE(sent->head.headers.value("grpc-status"), QByteArray("0"));
}

void TestWebHttp2::fieldsAlone()
{
    WebClient client(m_settings);
    const auto answer = await(client.send(call("Refuse", envelope(0, "a")), {}));
    BERTH_OK(answer);
    QCOMPARE(answer->head.headers.value("grpc-status"), QByteArray("5"));
    QCOMPARE(answer->head.headers.value("grpc-message"), QByteArray("no such thing"));
    QVERIFY(answer->body.isEmpty());
}

void TestWebHttp2::bothDirections()
{
    WebClient client(m_settings);
    const auto upload = await(client.upload(call("Echo", envelope(0, "first")), {}));
    BERTH_OK(upload);
    const auto answer = await((*upload)->answer({}));
    BERTH_OK(answer);
    const std::shared_ptr<WebStream> stream = *answer;
    EnvelopeParser parser;
    const auto nextMessage = [&]() -> QByteArray {
        for (;;) {
            if (const auto one = parser.next())
                return one->payload;
            const auto piece = await(stream->next(5s, {}));
            if (!piece || piece->isEmpty())
                return "(none)";
            parser.feed(*piece);
        }
    };
    QCOMPARE(nextMessage(), QByteArray("ready"));
    QCOMPARE(nextMessage(), QByteArray("<first>"));
    for (const char *word : {"ls", "cd ..", "exit"}) {
        BERTH_OK(await((*upload)->write(envelope(0, word), {})));
        QCOMPARE(nextMessage(), "<" + QByteArray(word) + ">");
    }
    BERTH_OK(await((*upload)->write(envelope(0, "end"), {})));
    (*upload)->closeWriting();
    BERTH_FAILS(await((*upload)->write("more", {})), ErrorKind::InvalidInput);
    const auto rest = await(stream->rest(1000, 5s, {}));
    BERTH_OK(rest);
    QVERIFY(rest->isEmpty());
    QCOMPARE(stream->trailers().value("grpc-status"), QByteArray("0"));
}

void TestWebHttp2::largeUpload()
{
    WebClient client(m_settings);
    QByteArray body;
    for (int i = 0; i < 100; ++i)
        body += envelope(0, QByteArray(60000, 'u'));
    const auto counted = await(client.send(call("Count", body), {}));
    BERTH_OK(counted);
    QCOMPARE(counted->body, envelope(0, "6000000"));

    // By hand: write() waits for the network, so that the bound holds.
    const auto upload = await(client.upload(call("Echo"), {}));
    BERTH_OK(upload);
    const auto stream = await((*upload)->answer({}));
    BERTH_OK(stream);
    const QByteArray piece = envelope(0, QByteArray(60000, 'u'));
    qint64 echoed = 0;
    for (int i = 0; i < 40; ++i) {
        BERTH_OK(await((*upload)->write(piece, {}), 5s));
        const auto some = await((*stream)->next(5s, {}));
        BERTH_OK(some);
        echoed += some->size();
    }
    BERTH_OK(await((*upload)->write(envelope(0, "end"), {}), 5s));
    const auto rest = await((*stream)->rest(10'000'000, 5s, {}));
    BERTH_OK(rest);
    QCOMPARE(echoed + rest->size(), envelope(0, "ready").size() + 40 * (piece.size() + 2));
}

void TestWebHttp2::cancelReachesTheServer()
{
    WebClient client(m_settings);
    auto stream = await(client.open(call("Hang", envelope(0, "a")), {}));
    BERTH_OK(stream);
    BERTH_OK(await((*stream)->next(5s, {})));
    std::stop_source stop;
    QTimer::singleShot(50ms, this, [&stop] { stop.request_stop(); });
    BERTH_FAILS(await((*stream)->next(0ms, stop.get_token()), 5s), ErrorKind::Cancelled);
    QVERIFY(waitUntil([this] { return m_server.canReadLine(); }, 5s));
    QCOMPARE(m_server.readLine(), QByteArray("gone\n"));
    BERTH_OK(await(client.send(call("Echo", envelope(0, "end")), {})));
}

void TestWebHttp2::manyStreamsAtOnce()
{
    WebClient client(m_settings);
    std::vector<std::shared_ptr<WebUpload>> uploads;
    std::vector<std::shared_ptr<WebStream>> streams;
    for (int i = 0; i < 6; ++i) {
        const auto upload = await(client.upload(call("Echo"), {}));
        BERTH_OK(upload);
        const auto stream = await((*upload)->answer({}), 5s);
        BERTH_OK(stream);
        uploads.push_back(*upload);
        streams.push_back(*stream);
    }
    BERTH_OK(await(client.send(call("Echo", envelope(0, "end")), {}), 5s));
    for (size_t i = 0; i < uploads.size(); ++i) {
        BERTH_OK(await(uploads[i]->write(envelope(0, "end"), {})));
        BERTH_OK(await(streams[i]->rest(100, 5s, {})));
        QCOMPARE(streams[i]->trailers().value("grpc-status"), QByteArray("0"));
    }
}

void TestWebHttp2::refusesOlderHttp()
{
    test::TinyWebServer server([](QTcpSocket *socket, const QByteArray &) {
        socket->write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx");
    });
    WebSettings settings = m_settings;
    settings.http2Cleartext = false;
    settings.origins = {server.origin()};
    WebClient client(settings);
    WebRequest request = call("Echo", "x");
    request.url = QUrl(server.origin() + QStringLiteral("/a"));
    const auto answer = await(client.send(request, {}));
    BERTH_FAILS(answer, ErrorKind::Protocol);
    QVERIFY(answer.error().message.contains(QStringLiteral("HTTP/2")));

    // And a server that takes HTTP/2 for nonsense.
    settings.http2Cleartext = true;
    WebClient direct(settings);
    request.deadlines = {1s, 500ms, 500ms};
    const auto nonsense = await(direct.send(request, {}), 5s);
    QVERIFY(!nonsense);
}

QTEST_GUILESS_MAIN(TestWebHttp2)
#include "test_web_http2.moc"
