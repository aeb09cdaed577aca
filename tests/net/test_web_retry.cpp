// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/tiny_web_server.h"
#include "net/web/envelopes.h"
#include "net/web/paging.h"
#include "net/web/retry.h"
#include "net/web/status_error.h"
#include "support/await.h"

#include <QtNetwork/QTcpSocket>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::net;
using namespace std::chrono_literals;
using berth::test::await;
using berth::test::TinyWebServer;
using domain::ErrorKind;
using std::chrono::milliseconds;

namespace {

const QDateTime kNow = QDateTime(QDate(2026, 11, 6), QTime(8, 49, 7), Qt::UTC);

//! Sleeps in no time, and remembers how long.
struct Naps
{
    QDateTime now = kNow;
    QList<qint64> naps;
    int stopAt = -1;

    async::Task<bool> nap(milliseconds duration, std::stop_token)
    {
        if (naps.size() == stopAt)
            co_return false;
        naps.append(duration.count());
        now = now.addMSecs(duration.count());
        co_return true;
    }

    RetryClock clock()
    {
        return {[this] { return now; },
                [this](milliseconds duration, std::stop_token stop) {
                    return nap(duration, std::move(stop));
                },
                [] { return 0.0; }};
    }
};

std::optional<qint64> waitFor(const char *name, const QByteArray &value)
{
    const auto wait = retryAfter(HttpHeaders{{name, value}}, kNow);
    return wait ? std::optional<qint64>(wait->count()) : std::nullopt;
}

struct Book
{
    //! By token.
    QMap<QByteArray, Page<int>> pages;
    QByteArray failing = QByteArrayLiteral("none");
    ErrorKind kind = ErrorKind::Unavailable;
    int asked = 0;

    domain::Async<Page<int>> fetch(QByteArray token, std::stop_token)
    {
        ++asked;
        if (token == failing)
            co_return domain::failure(kind, QStringLiteral("no page"));
        co_return pages.value(token);
    }

    domain::Result<Paged<int>> collect(PageLimits limits = {})
    {
        asked = 0;
        const PageFetch<int> one = [this](QByteArray token, std::stop_token stop) {
            return fetch(std::move(token), std::move(stop));
        };
        return await(collectPages<int>(one, limits, {}));
    }
};

} // namespace

class TestWebRetry : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void spellings();
    void repeatsWhatMayBe();
    void repeatsNothingElse();
    void bounds();
    void pages();
    void envelopesCutAnywhere();
    void envelopesRefused();
    void statuses();
};

void TestWebRetry::spellings()
{
    using Wait = std::optional<qint64>;
    QCOMPARE(waitFor("Retry-After", "3"), Wait(3000));
    QCOMPARE(waitFor("retry-after", " 0.5 "), Wait(500));
    QCOMPARE(waitFor("retry-after-ms", "250"), Wait(250));
    QCOMPARE(waitFor("Retry-After", "Fri, 06 Nov 2026 08:49:37 GMT"), Wait(30000));
    QCOMPARE(waitFor("Retry-After", "Friday, 06-Nov-26 08:49:37 GMT"), Wait(30000));
    QCOMPARE(waitFor("Retry-After", "Fri Nov  6 08:49:37 2026"), Wait(30000));
    QCOMPARE(waitFor("Retry-After", "Fri, 06 Nov 2026 08:00:00 GMT"), Wait(0));
    QCOMPARE(waitFor("Retry-After", "-3"), Wait());
    QCOMPARE(waitFor("Retry-After", "nan"), Wait());
    QCOMPARE(waitFor("Retry-After", "soon"), Wait());
    QCOMPARE(waitFor("Retry-After", ""), Wait());
    QCOMPARE(waitFor("Retry-After", "1e300"), Wait(24 * 3600 * 1000));
    QCOMPARE(waitFor("X-RateLimit-Reset", "12"), Wait(12000));
    const QByteArray epoch = QByteArray::number(kNow.toSecsSinceEpoch() + 7);
    QCOMPARE(waitFor("X-RateLimit-Reset", epoch), Wait(7000));
    QCOMPARE(waitFor("X-RateLimit-Reset", epoch + "000"), Wait(7000));
    QCOMPARE(waitFor("X-RateLimit-Reset", "1e30"), Wait());
    QCOMPARE(retryAfter(HttpHeaders{{"X-RateLimit-Reset", "9"}, {"Retry-After", "2"}}, kNow),
             std::optional<milliseconds>(2000ms));
    // Told with every answer, and no reason to wait after a failure.
    HttpHead head{503, {}, {{"X-RateLimit-Reset", "9"}}};
    QVERIFY(!retryAfter(head, kNow));
    head.status = 429;
    QCOMPARE(retryAfter(head, kNow), std::optional<milliseconds>(9000ms));
}

void TestWebRetry::repeatsWhatMayBe()
{
    int asked = 0;
    TinyWebServer server([&asked](QTcpSocket *socket, const QByteArray &request) {
        ++asked;
        const bool fine = asked >= 4;
        const QByteArray status = fine ? "200 OK" : asked == 1 ? "503 Later" : "429 Slow";
        const QByteArray wait =
            request.contains("/asks") && !fine ? "retry-after-ms: 2500\r\n" : "";
        socket->write("HTTP/1.1 " + status + "\r\n" + wait + "Content-Length: 1\r\n\r\nx");
    });
    WebSettings settings{{server.origin()}, QStringLiteral("none")};
    const auto client = std::make_shared<WebClient>(settings);
    WebRequest request;
    request.url = QUrl(server.origin() + QStringLiteral("/plain"));
    Naps naps;
    auto result = await(sendWithRetry(client, request, {}, naps.clock(), true, {}));
    BERTH_OK(result);
    QCOMPARE(result->head.status, 200);
    QCOMPARE(naps.naps, (QList<qint64>{500, 1000, 2000}));

    asked = 0;
    request.url = QUrl(server.origin() + QStringLiteral("/asks"));
    Naps longer;
    result = await(sendWithRetry(client, request, {}, longer.clock(), true, {}));
    BERTH_OK(result);
    QCOMPARE(longer.naps, (QList<qint64>{2500, 2500, 2500}));

    // The last answer is told as it came.
    asked = -10;
    Naps vain;
    result = await(sendWithRetry(client, request, {}, vain.clock(), true, {}));
    BERTH_OK(result);
    QCOMPARE(result->head.status, 429);
    QCOMPARE(asked, -6);

    // Nobody there.
    WebRequest dead = request;
    settings.origins = {QStringLiteral("http://localhost:1")};
    dead.url = QUrl(settings.origins.first());
    Naps gone;
    BERTH_FAILS(await(sendWithRetry(std::make_shared<WebClient>(settings), dead, {}, gone.clock(),
                                    true, {})),
                ErrorKind::Unavailable);
    QCOMPARE(gone.naps.size(), 3);
}

void TestWebRetry::repeatsNothingElse()
{
    QByteArray status;
    int asked = 0;
    TinyWebServer server([&](QTcpSocket *socket, const QByteArray &) {
        ++asked;
        socket->write("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n");
    });
    const auto client =
        std::make_shared<WebClient>(WebSettings{{server.origin()}, QStringLiteral("none")});
    WebRequest request;
    request.url = QUrl(server.origin());
    for (const char *one :
         {"200 OK", "400 Bad", "401 Who", "403 No", "404 Gone", "409 Taken", "501 Never"}) {
        status = one;
        asked = 0;
        BERTH_OK(await(sendWithRetry(client, request, {}, {})));
        QCOMPARE(asked, 1);
    }
    status = "503 Later";
    asked = 0;
    request.method = "POST";
    BERTH_OK(await(sendWithRetry(client, request, {}, {})));
    QCOMPARE(asked, 1);
}

void TestWebRetry::bounds()
{
    QByteArray wait = "31";
    int asked = 0;
    TinyWebServer server([&](QTcpSocket *socket, const QByteArray &) {
        ++asked;
        socket->write("HTTP/1.1 429 Slow\r\nRetry-After: " + wait
                      + "\r\nContent-Length: 0\r\n\r\n");
    });
    const auto client =
        std::make_shared<WebClient>(WebSettings{{server.origin()}, QStringLiteral("none")});
    WebRequest request;
    request.url = QUrl(server.origin());
    Naps naps;
    BERTH_OK(await(sendWithRetry(client, request, {}, naps.clock(), true, {})));
    QCOMPARE(asked, 1); // longer than the cap

    asked = 0;
    wait = "25";
    BERTH_OK(await(sendWithRetry(client, request, {}, naps.clock(), true, {})));
    QCOMPARE(asked, 3); // a third wait would go beyond the total

    asked = 0;
    naps = {};
    naps.stopAt = 1;
    BERTH_FAILS(await(sendWithRetry(client, request, {}, naps.clock(), true, {})),
                ErrorKind::Cancelled);
    QCOMPARE(asked, 2);
}

void TestWebRetry::pages()
{
    Book book;
    book.pages = {{"", {{1, 2}, "b"}}, {"b", {{}, "c"}}, {"c", {{3}, {}}}};
    auto all = book.collect();
    BERTH_OK(all);
    QCOMPARE(all->items, (QList<int>{1, 2, 3}));
    QVERIFY(!all->incomplete);

    book.pages["c"].next = "b";
    all = book.collect();
    BERTH_OK(all);
    QCOMPARE(all->items, (QList<int>{1, 2, 3}));
    QCOMPARE(book.asked, 3);
    QVERIFY(all->incomplete);

    book.failing = "c";
    all = book.collect();
    BERTH_OK(all);
    QCOMPARE(all->items, (QList<int>{1, 2}));
    QCOMPARE(all->incomplete->kind, ErrorKind::Unavailable);
    book.kind = ErrorKind::Cancelled;
    BERTH_FAILS(book.collect(), ErrorKind::Cancelled);
    book.kind = ErrorKind::Unauthorized;
    book.failing = "";
    BERTH_FAILS(book.collect(), ErrorKind::Unauthorized);

    Book endless;
    for (int i = 0; i < 50; ++i)
        endless.pages.insert(i == 0 ? QByteArray() : QByteArray::number(i),
                             {{i}, QByteArray::number(i + 1)});
    all = endless.collect({10, 1000});
    BERTH_OK(all);
    QCOMPARE(all->items.size(), 10);
    QVERIFY(all->incomplete);
    all = endless.collect({1000, 20});
    BERTH_OK(all);
    QCOMPARE(all->items.size(), 20);
    QVERIFY(all->incomplete);
}

void TestWebRetry::envelopesCutAnywhere()
{
    const QByteArray large(70000, 'z');
    const QByteArray wire = envelope(0, "one") + envelope(0, {})
        + envelope(Envelope::kEndStream, "{}")
        + envelope(Envelope::kTrailers | Envelope::kCompressed, large);
    QCOMPARE(wire.first(8), QByteArray("\0\0\0\0\3one", 8));
    for (const qsizetype piece : {1, 2, 3, 7, 4096, 1000000}) {
        EnvelopeParser parser;
        QList<Envelope> found;
        for (qsizetype at = 0; at < wire.size(); at += piece) {
            parser.feed(QByteArrayView(wire).sliced(at, std::min(piece, wire.size() - at)));
            while (const auto one = parser.next())
                found.append(*one);
        }
        QCOMPARE(found.size(), 4);
        QCOMPARE(found[0].payload, QByteArray("one"));
        QVERIFY(found[1].payload.isEmpty());
        QVERIFY(found[2].isEndStream() && !found[2].isTrailers());
        QVERIFY(found[3].isTrailers() && found[3].isCompressed());
        QCOMPARE(found[3].payload, large);
        QVERIFY(!parser.hasRest());
        BERTH_OK(parser.checkEnd());
    }
    for (qsizetype cut = 1; cut < 8; ++cut) {
        EnvelopeParser parser;
        parser.feed(QByteArrayView(wire).first(cut));
        QVERIFY(!parser.next());
        QVERIFY(parser.hasRest());
        BERTH_OK(parser.check());
        BERTH_FAILS(parser.checkEnd(), ErrorKind::Unavailable);
    }
}

void TestWebRetry::envelopesRefused()
{
    EnvelopeParser parser(10);
    parser.feed(envelope(0, QByteArray(10, 'x')));
    QVERIFY(parser.next());
    // The length alone is enough.
    parser.feed(QByteArrayView("\0\xff\xff\xff\xff", 5));
    QVERIFY(!parser.next());
    BERTH_FAILS(parser.check(), ErrorKind::Protocol);
    parser.feed(envelope(0, "x"));
    QVERIFY(!parser.next());
    BERTH_FAILS(parser.checkEnd(), ErrorKind::Protocol);
}

void TestWebRetry::statuses()
{
    const QMap<int, ErrorKind> kinds{{400, ErrorKind::InvalidInput}, {401, ErrorKind::Unauthorized},
                                     {402, ErrorKind::Quota},        {403, ErrorKind::Forbidden},
                                     {404, ErrorKind::NotFound},     {408, ErrorKind::Timeout},
                                     {409, ErrorKind::Conflict},     {422, ErrorKind::InvalidInput},
                                     {429, ErrorKind::RateLimited},  {500, ErrorKind::Unavailable},
                                     {501, ErrorKind::Unsupported},  {503, ErrorKind::Unavailable},
                                     {504, ErrorKind::Timeout},      {302, ErrorKind::Protocol},
                                     {200, ErrorKind::Protocol}};
    for (auto it = kinds.begin(); it != kinds.end(); ++it)
        QCOMPARE(kindOfStatus(it.key()), it.value());
    const HttpHead head{429, {}, {{"Retry-After", "1.2"}}};
    const domain::Error error = httpError(head, QStringLiteral("Too many"), QStringLiteral("Wait"));
    QCOMPARE(error.httpStatus, std::optional<int>(429));
    QCOMPARE(error.retryAfter, std::optional<std::chrono::seconds>(2s));
    QCOMPARE(error.detail, QStringLiteral("Wait"));
}

QTEST_GUILESS_MAIN(TestWebRetry)
#include "test_web_retry.moc"
