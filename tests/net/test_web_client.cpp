// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/web_asking.h"

#include <QtCore/QTimer>
#include <QtNetwork/QTcpServer>
#include <QtNetwork/QTcpSocket>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::net;
using namespace std::chrono_literals;
using namespace berth::test;
using domain::ErrorKind;

namespace {

async::Task<void> follow(domain::Async<HttpResponse> task, int *ended)
{
    const domain::Result<HttpResponse> result = co_await task;
    Q_UNUSED(result)
    ++*ended;
}

} // namespace

class TestWebClient : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void saysWhatIsAsked();
    void origins();
    void refusesBeforeAByteGoesOut();
    void statusIsAnAnswer();
    void neverMadeTwice_data();
    void neverMadeTwice();
    void everyCut_data();
    void everyCut();
    void deadlines();
    void redirects();
    void tooLargeBody();
    void cancelAtEachStage();
    void droppedClient();
    void openStreamsBlockNothing();
    void manyCallsWaitTheirTurn();
    void slowReaderHoldsTheSender();
};

void TestWebClient::initTestCase()
{
    for (const char *name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
                             "no_proxy", "NO_PROXY"})
        qunsetenv(name);
}

void TestWebClient::saysWhatIsAsked()
{
    TinyWebServer server([](QTcpSocket *socket, const QByteArray &) { socket->write(kHello); });
    WebClient client(only(server.origin()));
    WebRequest request = ask(server, QStringLiteral("/v1/x%2Fy?a=b%26c&d="), "POST");
    request.headers.append("Content-Type", "application/json");
    request.body = "{}";
    for (int i = 0; i < 5; ++i) {
        const auto response = await(client.send(request, {}));
        BERTH_OK(response);
        QCOMPARE(response->head.status, 200);
        QCOMPARE(response->head.headers.value("content-length"), QByteArray("5"));
        QCOMPARE(response->body, QByteArray("hello"));
    }
    const QByteArray sent = server.requests().front();
    QVERIFY2(sent.startsWith("POST /v1/x%2Fy?a=b%26c&d= HTTP/1.1\r\n"), sent.constData());
    QVERIFY(sent.endsWith("\r\n\r\n{}"));
    const QByteArray fields = sent.toLower();
    QVERIFY2(fields.contains("\r\nuser-agent: berth/"), sent.constData());
    QVERIFY(!fields.contains("mozilla"));
    QVERIFY(fields.contains("\r\naccept-encoding: identity\r\n"));
    QVERIFY(fields.contains("\r\nx-api-key: " + kKey + "\r\n"));
    QVERIFY(fields.contains("\r\ncontent-type: application/json\r\n"));
    QCOMPARE(server.connections(), 1);

    const auto put = await(client.send(ask(server, QStringLiteral("/e"), "PUT"), {}));
    BERTH_OK(put);
    QVERIFY(server.requests().back().toLower().contains("\r\ncontent-length: 0\r\n"));
    QVERIFY(waitUntil([&] { return client.liveReplies() == 0; }, 2s));
}

void TestWebClient::origins()
{
    const auto of = [](const char *text) { return originOf(QUrl(QString::fromLatin1(text))); };
    QCOMPARE(of("https://API.Example.com:443/a?b"), QStringLiteral("https://api.example.com"));
    QCOMPARE(of("http://localhost:3986/"), QStringLiteral("http://localhost:3986"));
    QCOMPARE(of("http://[::1]:80/"), QStringLiteral("http://[::1]"));
    QCOMPARE(of("https://u:p@h:8443"), QStringLiteral("https://h:8443"));
    QCOMPARE(of("file:///etc/passwd"), QString());
    QCOMPARE(of("/a"), QString());
}

void TestWebClient::refusesBeforeAByteGoesOut()
{
    TinyWebServer server([](QTcpSocket *socket, const QByteArray &) { socket->write(kHello); });
    WebClient client(only(QStringLiteral("https://api.example.com")));
    const auto elsewhere = await(client.send(ask(server), {}));
    BERTH_FAILS(elsewhere, ErrorKind::Forbidden);
    QVERIFY(elsewhere.error().message.contains(server.origin()));
    BERTH_FAILS(await(client.open(ask(server), {})), ErrorKind::Forbidden);

    WebClient right(only(server.origin()));
    WebRequest injecting = ask(server);
    injecting.headers.append("X-Token", kKey + "\r\nHost: elsewhere");
    const auto injected = await(right.send(injecting, {}));
    BERTH_FAILS(injected, ErrorKind::InvalidInput);
    QVERIFY(!tellsKey(injected));
    WebRequest strange = ask(server);
    strange.url = QUrl(QStringLiteral("ftp://localhost/"));
    BERTH_FAILS(await(right.send(strange, {})), ErrorKind::InvalidInput);
    spin(20ms);
    QCOMPARE(server.connections(), 0);
}

void TestWebClient::statusIsAnAnswer()
{
    QByteArray status;
    TinyWebServer server([&status](QTcpSocket *socket, const QByteArray &) {
        socket->write("HTTP/1.1 " + status
                      + "\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 4\r\n\r\nwhy?");
    });
    WebClient client(only(server.origin()));
    for (const char *one : {"400 Bad", "401 Who", "403 No", "404 Gone", "409 Taken", "429 Slow",
                            "500 Oops", "503 Later", "418 Teapot", "599 Odd"}) {
        status = one;
        for (const char *method : {"GET", "POST", "DELETE"}) {
            WebRequest request = ask(server, QStringLiteral("/s"), method);
            if (request.method == "POST")
                request.body = "{}";
            const auto response = await(client.send(request, {}));
            BERTH_OK(response);
            QCOMPARE(response->head.status, status.first(3).toInt());
            QCOMPARE(response->head.reason, status.sliced(4));
            QCOMPARE(response->body, QByteArray("why?"));
        }
    }
}

void TestWebClient::neverMadeTwice_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("idle");
    for (const bool idle : {false, true}) {
        const char *on = idle ? "idle" : "new";
        QTest::addRow("post on a %s connection", on)
            << QByteArray("POST") << QByteArray("{}") << idle;
        QTest::addRow("post nothing on a %s connection", on)
            << QByteArray("POST") << QByteArray() << idle;
        QTest::addRow("patch on a %s connection", on)
            << QByteArray("PATCH") << QByteArray(300000, 'x') << idle;
    }
}

void TestWebClient::neverMadeTwice()
{
    // Left alone, Qt sends a POST again when its connection ends without an answer.
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, body);
    QFETCH(bool, idle);
    int made = 0;
    TinyWebServer server([&made](QTcpSocket *socket, const QByteArray &request) {
        if (request.startsWith("GET")) {
            socket->write(kHello);
            return;
        }
        ++made;
        socket->abort();
    });
    WebClient client(only(server.origin()));
    if (idle)
        BERTH_OK(await(client.send(ask(server), {})));
    WebRequest request = ask(server, QStringLiteral("/create"), method);
    request.body = body;
    const auto result = await(client.send(request, {}));
    BERTH_FAILS(result, ErrorKind::Unavailable);
    QVERIFY2(result.error().detail.contains(QStringLiteral("Nobody can tell")),
             berth::test::told(result).constData());
    QVERIFY(!tellsKey(result));
    spin(100ms);
    QCOMPARE(made, 1);
}

void TestWebClient::everyCut_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("length") << kHello;
    QTest::newRow("chunks") << QByteArrayLiteral(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n");
    QTest::newRow("error") << QByteArrayLiteral(
        "HTTP/1.1 500 Oops\r\nContent-Length: 5\r\n\r\nwhy??");
}

void TestWebClient::everyCut()
{
    QFETCH(QByteArray, answer);
    qsizetype cut = 0;
    TinyWebServer server([&](QTcpSocket *socket, const QByteArray &) {
        socket->write(answer.first(cut));
        socket->disconnectFromHost();
    });
    WebClient client(only(server.origin()));
    for (cut = 0; cut < answer.size(); ++cut) {
        WebRequest request = ask(server, QStringLiteral("/c"), "POST");
        request.body = "x";
        request.deadlines.idle = 100ms;
        const auto result = await(client.send(request, {}));
        if (result)
            QFAIL(qPrintable(QStringLiteral("cut at %1 of %2 passed for whole: status %3, \"%4\"")
                                 .arg(cut)
                                 .arg(answer.size())
                                 .arg(result->head.status)
                                 .arg(QString::fromLatin1(result->body))));
        QVERIFY(!tellsKey(result));
        // Where a chunk's size ends early, Qt notices nothing; the idle deadline does.
        const bool inSize = answer.contains("chunked") && cut > answer.indexOf("\r\n\r\n");
        QVERIFY2(result.error().kind == ErrorKind::Unavailable
                     || (inSize && result.error().kind == ErrorKind::Timeout),
                 berth::test::told(result).constData());
    }
    BERTH_OK(await(client.send(ask(server), {})));
}

void TestWebClient::deadlines()
{
    // Takes the connection, and not TLS.
    QTcpServer deaf;
    deaf.listen(QHostAddress::LocalHost);
    const QString origin = QStringLiteral("https://localhost:%1").arg(deaf.serverPort());
    WebClient encrypted(only(origin));
    WebRequest request;
    request.url = QUrl(origin + QStringLiteral("/a"));
    request.deadlines = {150ms, 10s, 10s};
    auto result = await(encrypted.send(request, {}));
    BERTH_FAILS(result, ErrorKind::Timeout);
    QVERIFY2(result.error().message.contains(QStringLiteral("No connection")),
             berth::test::told(result).constData());
    QVERIFY(result.error().message.contains(QStringLiteral("0.15 s")));

    TinyWebServer server([](QTcpSocket *socket, const QByteArray &asked) {
        if (asked.contains("/half"))
            socket->write(kHello.chopped(2));
    });
    WebClient client(only(server.origin()));
    for (const char *method : {"GET", "POST"}) {
        WebRequest silent = ask(server, QStringLiteral("/silent"), method);
        silent.deadlines = {10s, 150ms, 10s};
        if (silent.method == "POST")
            silent.body = "x";
        result = await(client.send(silent, {}));
        BERTH_FAILS(result, ErrorKind::Timeout);
        QVERIFY2(result.error().message.contains(QStringLiteral("did not answer")),
                 berth::test::told(result).constData());
    }
    WebRequest bodyless = ask(server, QStringLiteral("/silent"), "POST");
    bodyless.deadlines = {100ms, 100ms, 10s};
    BERTH_FAILS(await(client.send(bodyless, {}), 3s), ErrorKind::Timeout);

    WebRequest half = ask(server, QStringLiteral("/half"));
    half.deadlines = {10s, 10s, 150ms};
    result = await(client.send(half, {}));
    BERTH_FAILS(result, ErrorKind::Timeout);
    QVERIFY2(result.error().message.contains(QStringLiteral("stood still")),
             berth::test::told(result).constData());
    QVERIFY(waitUntil([&] { return client.liveReplies() == 0 && server.open() == 0; }, 2s));

    // A stream that stood still may go on.
    QTcpSocket *kept = nullptr;
    TinyWebServer slow([&kept](QTcpSocket *socket, const QByteArray &) {
        kept = socket;
        socket->write(kHello.chopped(2));
    });
    WebClient patient(only(slow.origin()));
    const auto stream = await(patient.open(ask(slow), {}));
    BERTH_OK(stream);
    auto piece = await((*stream)->next(1s, {}));
    BERTH_OK(piece);
    QCOMPARE(*piece, QByteArray("hel"));
    BERTH_FAILS(await((*stream)->next(50ms, {})), ErrorKind::Timeout);
    kept->write("lo");
    piece = await((*stream)->next(1s, {}));
    BERTH_OK(piece);
    QCOMPARE(*piece, QByteArray("lo"));
    piece = await((*stream)->next(1s, {}));
    BERTH_OK(piece);
    QVERIFY(piece->isEmpty());
}

void TestWebClient::redirects()
{
    TinyWebServer other([](QTcpSocket *socket, const QByteArray &) { socket->write(kHello); });
    TinyWebServer server([&](QTcpSocket *socket, const QByteArray &request) {
        const QByteArray path = request.split(' ').at(1);
        QByteArray target;
        if (path == "/1")
            target = "/2";
        else if (path == "/2")
            target = server.origin().toLatin1() + "/3?" + kKey;
        else if (path.startsWith("/3"))
            target = "4";
        else if (path == "/0")
            target = "/1";
        else if (path == "/other")
            target = other.origin().toLatin1() + "/x?token=" + kKey;
        else if (path == "/file")
            target = "file:///etc/passwd";
        if (target.isEmpty())
            socket->write(kHello);
        else
            socket->write("HTTP/1.1 307 There\r\nLocation: " + target
                          + "\r\nContent-Length: 3\r\n\r\nsee");
    });
    WebClient client(only(server.origin()));
    const auto three = await(client.send(ask(server, QStringLiteral("/1")), {}));
    BERTH_OK(three);
    QCOMPARE(three->body, QByteArray("hello"));
    QVERIFY(server.requests().back().startsWith("GET /4 "));
    const auto four = await(client.send(ask(server, QStringLiteral("/0")), {}));
    BERTH_FAILS(four, ErrorKind::Protocol);
    WebRequest post = ask(server, QStringLiteral("/1"), "POST");
    post.body = "x";
    BERTH_FAILS(await(client.send(post, {})), ErrorKind::Protocol);

    // Also where the other place is one that may be asked: the key may be of this one only.
    WebSettings both = only(server.origin());
    both.origins.append(other.origin());
    WebClient wide(both);
    for (WebClient *one : {&client, &wide}) {
        const auto away = await(one->send(ask(server, QStringLiteral("/other")), {}));
        BERTH_FAILS(away, ErrorKind::Protocol);
        QVERIFY(away.error().message.contains(other.origin()));
        QVERIFY(!tellsKey(away));
    }
    BERTH_FAILS(await(client.open(ask(server, QStringLiteral("/file")), {})), ErrorKind::Protocol);
    QCOMPARE(other.connections(), 0);
}

void TestWebClient::tooLargeBody()
{
    TinyWebServer server([](QTcpSocket *socket, const QByteArray &request) {
        if (request.contains("/claimed"))
            socket->write("HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\nx");
        else
            socket->write("HTTP/1.1 200 OK\r\n\r\n" + QByteArray(300000, 'x'));
    });
    WebClient client(only(server.origin()));
    for (const char *path : {"/claimed", "/found"}) {
        WebRequest request = ask(server, QString::fromLatin1(path));
        request.largestBody = 200000;
        const auto result = await(client.send(request, {}), 5s);
        BERTH_FAILS(result, ErrorKind::Protocol);
        QVERIFY(result.error().message.contains(QStringLiteral("larger than 200000")));
    }
    QVERIFY(waitUntil([&] { return client.liveReplies() == 0 && server.open() == 0; }, 2s));
}

void TestWebClient::cancelAtEachStage()
{
    QTcpServer deaf;
    deaf.listen(QHostAddress::LocalHost);
    const QString origin = QStringLiteral("https://localhost:%1").arg(deaf.serverPort());
    TinyWebServer server([](QTcpSocket *socket, const QByteArray &asked) {
        if (asked.contains("/half"))
            socket->write(kHello.chopped(2));
    });
    WebSettings settings = only(server.origin());
    settings.origins.append(origin);
    WebClient client(settings);

    WebRequest connecting = ask(server);
    connecting.url = QUrl(origin + QStringLiteral("/x"));
    WebRequest head = ask(server, QStringLiteral("/silent"), "POST");
    head.body = "x";
    const WebRequest body = ask(server, QStringLiteral("/half"));
    for (const WebRequest &request : {connecting, head, body}) {
        std::stop_source early;
        early.request_stop();
        BERTH_FAILS(await(client.send(request, early.get_token())), ErrorKind::Cancelled);

        std::stop_source stop;
        QTimer::singleShot(60ms, this, [&stop] { stop.request_stop(); });
        QElapsedTimer timer;
        timer.start();
        const auto result = await(client.send(request, stop.get_token()), 5s);
        BERTH_FAILS(result, ErrorKind::Cancelled);
        QVERIFY(timer.elapsed() < 2000);
        QVERIFY(!tellsKey(result));
        QVERIFY(waitUntil([&] { return client.liveReplies() == 0 && server.open() == 0; }, 2s));
    }

    const auto stream = await(client.open(body, {}));
    BERTH_OK(stream);
    std::stop_source stop;
    QTimer::singleShot(60ms, this, [&stop] { stop.request_stop(); });
    BERTH_OK(await((*stream)->next(0ms, stop.get_token())));
    BERTH_FAILS(await((*stream)->next(0ms, stop.get_token()), 5s), ErrorKind::Cancelled);
    QVERIFY(waitUntil([&] { return server.open() == 0; }, 2s));
}

void TestWebClient::droppedClient()
{
    QTcpSocket *waiting = nullptr;
    TinyWebServer server([&waiting](QTcpSocket *socket, const QByteArray &) { waiting = socket; });
    auto client = std::make_unique<WebClient>(only(server.origin()));
    int ended = 0;
    auto left = std::make_optional(follow(client->send(ask(server), {}), &ended));
    QVERIFY(waitUntil([&] { return waiting != nullptr; }));
    client.reset();
    spin(50ms);
    QCOMPARE(ended, 0);
    waiting->write(kHello);
    QVERIFY(waitUntil([&] { return ended == 1; }, 5s));
    left.reset();
    QVERIFY(waitUntil(
        [&] {
            // Qt leaves them to a loop that runs.
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            return server.open() == 0;
        },
        2s));

    // A stream that is dropped while somebody waits for it.
    WebClient second(only(server.origin()));
    WebRequest request = ask(server);
    QTimer::singleShot(50ms, this, [&] { waiting->write("HTTP/1.1 200 OK\r\n\r\nfirst"); });
    waiting = nullptr;
    auto opened = await(second.open(request, {}));
    BERTH_OK(opened);
    std::shared_ptr<WebStream> stream = *opened;
    opened = domain::failure(ErrorKind::Internal, {});
    BERTH_OK(await(stream->next(1s, {})));
    QTimer::singleShot(50ms, this, [&stream] { stream.reset(); });
    BERTH_FAILS(await(stream->next(0ms, {}), 5s), ErrorKind::Cancelled);
    QVERIFY(waitUntil([&] { return second.liveReplies() == 0 && server.open() == 0; }, 2s));
}

void TestWebClient::openStreamsBlockNothing()
{
    TinyWebServer server([](QTcpSocket *socket, const QByteArray &request) {
        if (request.contains("/stream"))
            socket->write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n");
        else
            socket->write(kHello);
    });
    WebClient client(only(server.origin()));
    std::vector<std::shared_ptr<WebStream>> streams;
    for (int i = 0; i < 20; ++i) {
        const auto opened = await(client.open(ask(server, QStringLiteral("/stream")), {}), 5s);
        BERTH_OK(opened);
        streams.push_back(*opened);
    }
    WebRequest request = ask(server);
    request.deadlines = {2s, 2s, 2s};
    BERTH_OK(await(client.send(request, {})));
    QCOMPARE(server.open(), 21);

    // There is an end to it, told at once.
    domain::Result<std::shared_ptr<WebStream>> last = streams.front();
    while (last && streams.size() < 200) {
        last = await(client.open(ask(server, QStringLiteral("/stream")), {}), 5s);
        if (last)
            streams.push_back(*last);
    }
    BERTH_FAILS(last, ErrorKind::Unavailable);
    QCOMPARE(streams.size(), size_t{96});
    BERTH_OK(await(client.send(request, {})));
    streams.clear();
    QVERIFY(waitUntil([&] { return server.open() == 1; }, 5s));
    BERTH_OK(await(client.open(ask(server, QStringLiteral("/stream")), {}), 5s));
}

void TestWebClient::manyCallsWaitTheirTurn()
{
    QList<QTcpSocket *> waiting;
    TinyWebServer server(
        [&waiting](QTcpSocket *socket, const QByteArray &) { waiting.append(socket); });
    WebClient client(only(server.origin()));
    int ended = 0;
    std::vector<async::Task<void>> calls;
    for (int i = 0; i < 30; ++i)
        calls.push_back(follow(client.send(ask(server), {}), &ended));
    QVERIFY(waitUntil([&] { return waiting.size() == 24; }, 5s));
    spin(50ms);
    QCOMPARE(waiting.size(), 24);
    WebRequest late = ask(server);
    late.deadlines.connect = 100ms;
    const auto tooLate = await(client.send(late, {}));
    BERTH_FAILS(tooLate, ErrorKind::Timeout);
    QVERIFY(tooLate.error().message.contains(QStringLiteral("No connection was free")));
    for (int i = 0; i < 30; ++i) {
        QVERIFY(waitUntil([&] { return !waiting.isEmpty(); }, 5s));
        waiting.takeFirst()->write(kHello);
    }
    QVERIFY(waitUntil([&] { return ended == 30; }, 5s));
    QCOMPARE(server.connections(), 24);
}

void TestWebClient::slowReaderHoldsTheSender()
{
    constexpr qint64 kSize = 64 * 1024 * 1024;
    QTcpSocket *sender = nullptr;
    TinyWebServer server([&sender](QTcpSocket *socket, const QByteArray &) {
        sender = socket;
        socket->write("HTTP/1.1 200 OK\r\nContent-Length: " + QByteArray::number(kSize)
                      + "\r\n\r\n");
        socket->write(QByteArray(kSize, 'x'));
    });
    WebClient client(only(server.origin()));
    const auto stream = await(client.open(ask(server), {}));
    BERTH_OK(stream);
    spin(500ms);
    // What is gone is in the kernel's buffers and in ours.
    const qint64 gone = kSize - sender->bytesToWrite();
    QVERIFY2(gone < 24 * 1024 * 1024, QByteArray::number(gone).constData());
    qint64 read = 0;
    for (;;) {
        const auto piece = await((*stream)->next(5s, {}));
        BERTH_OK(piece);
        if (piece->isEmpty())
            break;
        read += piece->size();
    }
    QCOMPARE(read, kSize);
}

QTEST_GUILESS_MAIN(TestWebClient)
#include "test_web_client.moc"
