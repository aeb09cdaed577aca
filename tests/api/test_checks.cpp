// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a request, on every route of the table; and clients that go away.
#include "api/route_paths.h"
#include "api/routes/routes.h"
#include "api/scripted_server.h"
#include "application/access/access_facts.h"

#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace berth;
using namespace berth::api;
using namespace berth::application;
using test::Answer;

class TestChecks : public QObject, private test::ScriptedServer
{
    Q_OBJECT

    Answer askAs(const QByteArray &token, const QByteArray &method, const QByteArray &path)
    {
        const QByteArray before = std::exchange(m_token, token);
        const Answer answer = ask(method, path);
        m_token = before;
        return answer;
    }

private Q_SLOTS:
    void initTestCase()
    {
        // A token that passes the gate of every route.
        AccessFacts facts;
        facts.grantApprove = true;
        facts.grantAdmin = true;
        facts.tokens.append(
            {QStringLiteral("owner"),
             {},
             wireNames(Scopes(Scope::Read) | Scope::Run | Scope::Approve | Scope::Admin),
             {},
             TokenFile::markOf("owner-token-0123456789")});
        ApiSettings settings;
        settings.access = std::make_shared<AccessTable>();
        settings.access->publish(std::make_shared<AccessFacts>(facts));
        start(settings);
    }

    //! Every route: what is wrong with a request is found before anything is done.
    void everyRequestIsChecked()
    {
        const QByteArray before = std::exchange(m_token, QByteArray("owner-token-0123456789"));
        int bodies = 0;
        for (const Route &route : allRoutes()) {
            if (!route.scope)
                continue;
            const QByteArray path = test::pathOf(route, "alpha");
            const auto expect = [&](const char *what, const Answer &answer, int status) {
                QVERIFY2(answer.status == status,
                         (route.method + ' ' + path + ", " + what + ": "
                          + QByteArray::number(answer.status) + ' ' + answer.body.left(200))
                             .constData());
                QVERIFY2(!answer.code().empty(), answer.body.constData());
            };
            expect("wrong token", askAs("wrong", route.method, path), 401);
            expect("wrong method", ask("OPTIONS", path), 405);
            expect("foreign origin", ask(route.method, path, {}, "Origin: http://evil.example\r\n"),
                   403);
            const QByteArray unknown = path + (path.contains('?') ? '&' : '?') + "nonsense=1";
            const bool json =
                route.bodyKind == BodyKind::Json || route.bodyKind == BodyKind::OptionalJson;
            if (!json) {
                if (route.bodyKind == BodyKind::None)
                    expect("unknown query", ask(route.method, unknown), 400);
                continue;
            }
            ++bodies;
            expect("unknown query", ask(route.method, unknown, "{}"), 400);
            expect("wrong type", ask(route.method, path, "x", "Content-Type: text/plain\r\n"), 415);
            expect("oversize",
                   ask(route.method, path, {},
                       "Content-Type: application/json\r\nContent-Length: 1048577\r\n"),
                   413);
            expect("no JSON", ask(route.method, path, "{\"a\":"), 400);
            expect("no object", ask(route.method, path, "[]"), 400);
            expect("bad UTF-8", ask(route.method, path, "{\"a\":\"\xff\xfe\"}"), 400);
            expect("NUL", ask(route.method, path, QByteArray("{\"a\":\"\0\"}", 9)), 400);
            expect("deep", ask(route.method, path, QByteArray(20'000, '[')), 400);
            if (!route.freeBody)
                expect("unknown key", ask(route.method, path, "{\"nonsense\":1}"), 400);
            for (const Field &field : route.body) {
                const QByteArray wrong = field.type == FieldType::Text ? "7" : "\"x\"";
                expect(
                    "wrong value",
                    ask(route.method, path, "{\"" + QByteArray(field.name) + "\":" + wrong + "}"),
                    400);
            }
        }
        QVERIFY(bodies > 20);
        onEngine([this] { QVERIFY2(m_engine->received.isEmpty(), "something was done"); });
        m_token = before;
    }

    //! Of every kind of request, after each part of it.
    void clientsThatVanishLeaveNothing()
    {
        const int before = live();
        const QByteArray head =
            "Host: " + authority() + "\r\nAuthorization: Bearer " + m_token + "\r\n";
        const QByteArray body = "{\"text\":\"x\",\"config\":\"docker\"}";
        const QList<QByteArray> requests{
            "GET /api/snapshot HTTP/1.1\r\n" + head + "\r\n",
            "GET /api/events HTTP/1.1\r\n" + head + "\r\n",
            "POST /api/threads HTTP/1.1\r\n" + head
                + "Content-Type: application/json\r\nContent-Length: "
                + QByteArray::number(body.size()) + "\r\n\r\n" + body,
            "PUT /api/files/x/content?path=y HTTP/1.1\r\n" + head
                + "Content-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\n"
                + QByteArray(100, 'z')};
        for (int at = 0; at < 200; ++at) {
            const QByteArray &request = requests[at % requests.size()];
            const std::unique_ptr<QTcpSocket> socket = connected();
            // Fifty lengths of each, from nothing to all of it.
            socket->write(request.left((at / requests.size()) * request.size() / 49));
            socket->waitForBytesWritten(1'000);
            socket->abort();
        }
        QTRY_COMPARE(ask("GET", "/api/threads").status, 200);
        QTRY_VERIFY(live() <= before);
    }

    void cleanupTestCase() { quit(); }
};

QTEST_GUILESS_MAIN(TestChecks)
#include "test_checks.moc"
