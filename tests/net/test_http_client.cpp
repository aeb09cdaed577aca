// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/docker_stream_device.h"
#include "net/http_client.h"
#include "net/tiny_server.h"
#include "support/await.h"

#include <QtCore/QTimer>
#include <QtNetwork/QLocalSocket>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::net;
using namespace std::chrono_literals;
using berth::test::await;
using berth::test::drip;
using berth::test::TinyServer;
using domain::ErrorKind;

namespace {

HttpRequest get(const QByteArray &target)
{
    HttpRequest request;
    request.target = target;
    return request;
}

HttpRequest post(const QByteArray &target, const QByteArray &body)
{
    HttpRequest request;
    request.method = QByteArrayLiteral("POST");
    request.target = target;
    request.body = body;
    return request;
}

const QByteArray kHello = QByteArrayLiteral("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");

} // namespace

class TestHttpClient : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void keepsAlive();
    void writesTheRequest();
    void newConnectionForWhatMustNotRepeat();
    void triesAgainOnClosedIdleConnection();
    void missingAndRefused();
    void everyCut();
    void silentServer();
    void drippingHeadTimesOut();
    void cancel();
    void streamsAndHoldsUp();
    void stalledBodyMayGoOn();
    void tooLargeBody();
    void hijack();
    void hijackRefused();
    void droppedStreamEndsItsReader();
};

void TestHttpClient::keepsAlive()
{
    TinyServer server([](QLocalSocket *socket, const QByteArray &) { drip(socket, kHello); });
    const auto client = localHttpClient(server.path());
    for (int i = 0; i < 5; ++i) {
        const auto response = await(client->send(get("/a"), {}));
        BERTH_OK(response);
        QCOMPARE(response->head.status, 200);
        QCOMPARE(response->body, QByteArray("hello"));
    }
    QCOMPARE(server.connections(), 1);
}

void TestHttpClient::writesTheRequest()
{
    TinyServer server([](QLocalSocket *socket, const QByteArray &) { socket->write(kHello); });
    const auto client = localHttpClient(server.path());
    HttpRequest request = post("/b?x=1", "{}");
    request.headers.append("Content-Type", "application/json");
    BERTH_OK(await(client->send(request, {})));
    QCOMPARE(
        server.requests().front(),
        QByteArray("POST /b?x=1 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                   "Content-Length: 2\r\n\r\n{}"));
    QCOMPARE(percentEncoded("a b/{\"}"), QByteArray("a%20b%2F%7B%22%7D"));
}

void TestHttpClient::newConnectionForWhatMustNotRepeat()
{
    TinyServer server([](QLocalSocket *socket, const QByteArray &) { socket->write(kHello); });
    const auto client = localHttpClient(server.path());
    BERTH_OK(await(client->send(get("/a"), {})));
    BERTH_OK(await(client->send(post("/a", {}), {})));
    QCOMPARE(server.connections(), 2);
}

void TestHttpClient::triesAgainOnClosedIdleConnection()
{
    int served = 0;
    TinyServer server([&served](QLocalSocket *socket, const QByteArray &) {
        if (++served == 2) {
            socket->abort(); // the second request on the idle connection meets its end
            return;
        }
        socket->write(kHello);
    });
    const auto client = localHttpClient(server.path());
    BERTH_OK(await(client->send(get("/a"), {})));
    const auto again = await(client->send(get("/a"), {}));
    BERTH_OK(again);
    QCOMPARE(again->body, QByteArray("hello"));
    QCOMPARE(served, 3);

    // On a new connection the same is an error, told at once.
    served = 1;
    const auto fresh = localHttpClient(server.path());
    BERTH_FAILS(await(fresh->send(get("/a"), {})), ErrorKind::Unavailable);
}

void TestHttpClient::missingAndRefused()
{
    QTemporaryDir directory;
    const auto missing = localHttpClient(directory.filePath(QStringLiteral("none")));
    BERTH_FAILS(await(missing->send(get("/"), {})), ErrorKind::Unavailable);

    QString path;
    {
        TinyServer server([](QLocalSocket *, const QByteArray &) {});
        path = server.path();
    }
    const auto gone = localHttpClient(path);
    BERTH_FAILS(await(gone->send(get("/"), {})), ErrorKind::Unavailable);
}

void TestHttpClient::everyCut()
{
    const QByteArray wire(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
    qsizetype cut = 0;
    TinyServer server([&cut, &wire](QLocalSocket *socket, const QByteArray &) {
        drip(socket, wire.first(cut));
        socket->disconnectFromServer();
    });
    for (cut = 0; cut <= wire.size(); ++cut) {
        const auto client = localHttpClient(server.path());
        const auto response = await(client->send(get("/"), {}));
        if (cut < wire.size()) {
            BERTH_FAILS(response, ErrorKind::Unavailable);
        } else {
            BERTH_OK(response);
            QCOMPARE(response->body, QByteArray("abc"));
        }
    }
}

void TestHttpClient::silentServer()
{
    TinyServer server([](QLocalSocket *, const QByteArray &) {});
    const auto client = localHttpClient(server.path());
    HttpRequest request = get("/");
    request.deadlines.firstByte = 100ms;
    BERTH_FAILS(await(client->send(request, {}), 5s), ErrorKind::Timeout);
}

void TestHttpClient::drippingHeadTimesOut()
{
    TinyServer server([](QLocalSocket *socket, const QByteArray &) {
        auto *timer = new QTimer(socket);
        connect(timer, &QTimer::timeout, socket, [socket] { drip(socket, "H"); });
        socket->write("HTTP/1.1 200 ");
        timer->start(20);
    });
    const auto client = localHttpClient(server.path());
    HttpRequest request = get("/");
    request.deadlines.firstByte = 300ms;
    BERTH_FAILS(await(client->send(request, {}), 5s), ErrorKind::Timeout);
}

void TestHttpClient::cancel()
{
    TinyServer server([](QLocalSocket *, const QByteArray &) {});
    const auto client = localHttpClient(server.path());
    std::stop_source stop;
    QTimer::singleShot(50ms, this, [&stop] { stop.request_stop(); });
    BERTH_FAILS(await(client->send(get("/"), stop.get_token()), 5s), ErrorKind::Cancelled);
    // Stopped before it began: nothing is sent.
    const qsizetype before = server.requests().size();
    BERTH_FAILS(await(client->send(get("/"), stop.get_token()), 5s), ErrorKind::Cancelled);
    test::spin(50ms);
    QCOMPARE(server.requests().size(), before);
}

void TestHttpClient::streamsAndHoldsUp()
{
    constexpr qint64 kTotal = 32 * 1024 * 1024;
    QLocalSocket *peer = nullptr;
    TinyServer server([&peer](QLocalSocket *socket, const QByteArray &) {
        peer = socket;
        socket->write("HTTP/1.1 200 OK\r\nContent-Length: " + QByteArray::number(kTotal)
                      + "\r\n\r\n");
        socket->write(QByteArray(kTotal, 'x'));
    });
    const auto client = localHttpClient(server.path());
    const auto opened = await(client->open(get("/"), {}));
    BERTH_OK(opened);
    test::spin(300ms);
    // Nobody reads: all but what fits into the buffers of client and kernel is still with the
    // server.
    QVERIFY(peer->bytesToWrite() > kTotal - 4 * 1024 * 1024);
    qint64 got = 0;
    for (;;) {
        const auto piece = await((*opened)->next(5s, {}));
        BERTH_OK(piece);
        if (piece->isEmpty())
            break;
        QVERIFY(piece->size() <= kReadBuffer);
        got += piece->size();
    }
    QCOMPARE(got, kTotal);
}

void TestHttpClient::stalledBodyMayGoOn()
{
    QLocalSocket *peer = nullptr;
    TinyServer server([&peer](QLocalSocket *socket, const QByteArray &) {
        peer = socket;
        socket->write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
    });
    const auto client = localHttpClient(server.path());
    const auto opened = await(client->open(get("/"), {}));
    BERTH_OK(opened);
    const auto first = await((*opened)->next(1s, {}));
    BERTH_OK(first);
    QCOMPARE(*first, QByteArray("abc"));
    BERTH_FAILS(await((*opened)->next(50ms, {})), ErrorKind::Timeout);
    peer->write("2\r\nde\r\n0\r\n\r\n");
    const auto second = await((*opened)->next(5s, {}));
    BERTH_OK(second);
    QCOMPARE(*second, QByteArray("de"));
    const auto end = await((*opened)->next(5s, {}));
    BERTH_OK(end);
    QVERIFY(end->isEmpty());
}

void TestHttpClient::tooLargeBody()
{
    TinyServer server([](QLocalSocket *socket, const QByteArray &) {
        socket->write("HTTP/1.1 200 OK\r\n\r\n");
        socket->write(QByteArray(100000, 'x'));
    });
    const auto client = localHttpClient(server.path());
    HttpRequest request = get("/");
    request.largestBody = 1000;
    BERTH_FAILS(await(client->send(request, {})), ErrorKind::Protocol);
}

void TestHttpClient::hijack()
{
    QByteArray echoed;
    TinyServer server([&echoed](QLocalSocket *socket, const QByteArray &request) {
        if (!request.contains("Upgrade: tcp"))
            return;
        // The first frame shares the write with the head, and is cut in its header.
        socket->write(QByteArray(
            "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n\1\0\0", 63));
        socket->flush();
        QObject::disconnect(socket, &QLocalSocket::readyRead, nullptr, nullptr);
        connect(socket, &QLocalSocket::readyRead, socket, [socket, &echoed] {
            echoed += socket->readAll();
            socket->write(QByteArray("\0\0\0\0\3out\2\0\0\0\0\0\0\3err", 19));
            socket->disconnectFromServer();
        });
    });
    const auto client = localHttpClient(server.path());
    const auto hijacked = await(client->hijack(post("/attach", {}), {}));
    BERTH_OK(hijacked);
    QCOMPARE(hijacked->head.status, 101);
    QVERIFY(hijacked->stream);
    DockerStreamDevice device(hijacked->stream, hijacked->first,
                              DockerStreamDemultiplexer::Mode::Multiplexed);
    QByteArray err;
    bool ended = false;
    connect(&device, &DockerStreamDevice::errorOutput, this,
            [&err](const QByteArray &bytes) { err += bytes; });
    connect(&device, &QIODevice::readChannelFinished, this, [&ended] { ended = true; });
    device.write("in");
    QVERIFY(test::waitUntil([&ended] { return ended; }, 5s));
    QCOMPARE(device.readAll(), QByteArray("out"));
    QCOMPARE(err, QByteArray("err"));
    QCOMPARE(device.errorTail(), QByteArray("err"));
    QCOMPARE(echoed, QByteArray("in"));
}

void TestHttpClient::hijackRefused()
{
    TinyServer server([](QLocalSocket *socket, const QByteArray &) {
        socket->write("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}");
    });
    const auto client = localHttpClient(server.path());
    const auto hijacked = await(client->hijack(post("/attach", {}), {}));
    BERTH_OK(hijacked);
    QVERIFY(!hijacked->stream);
    QCOMPARE(hijacked->head.status, 404);
    QCOMPARE(hijacked->body, QByteArray("{}"));
}

namespace {

async::Task<void> readOne(std::shared_ptr<HttpBodyStream> stream, std::shared_ptr<bool> ended)
{
    domain::Async<QByteArray> pending = stream->next(0ms, {});
    stream.reset();
    const domain::Result<QByteArray> piece = co_await pending;
    *ended = !piece.has_value();
}

} // namespace

void TestHttpClient::droppedStreamEndsItsReader()
{
    TinyServer server([](QLocalSocket *socket, const QByteArray &) {
        socket->write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    });
    const auto client = localHttpClient(server.path());
    const auto ended = std::make_shared<bool>(false);
    {
        const auto opened = await(client->open(get("/"), {}));
        BERTH_OK(opened);
        readOne(*opened, ended);
        test::spin(20ms);
        QVERIFY(!*ended);
    }
    QVERIFY(test::waitUntil([ended] { return *ended; }, 5s));
}

QTEST_GUILESS_MAIN(TestHttpClient)
#include "test_http_client.moc"
