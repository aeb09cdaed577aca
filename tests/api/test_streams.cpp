// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What goes on for long: uploads, events, connections that are held, and their ends.
#include "api/scripted_server.h"

#include <QtCore/QFileInfo>
#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace berth;
using namespace berth::api;
using namespace berth::application;
using nlohmann::json;
using test::Answer;
using test::readUntil;
using test::ScriptedEngine;

class TestStreams : public QObject, private test::ScriptedServer
{
    Q_OBJECT

    QByteArray m_written;
    int m_committed = 0;
    int m_aborted = 0;

    std::unique_ptr<QTcpSocket> upload(qint64 length)
    {
        return opened("PUT", "/api/files/place/content?path=a",
                      "Content-Type: application/octet-stream\r\nContent-Length: "
                          + QByteArray::number(length) + "\r\n");
    }

    void grew(qint64 total)
    {
        onEngine([this, total] {
            m_engine->publish(OutputGrew{domain::ToolCallId(QStringLiteral("x")), total});
        });
    }

    std::unique_ptr<QTcpSocket> events(const QByteArray &last = {})
    {
        return opened("GET", "/api/events",
                      last.isEmpty() ? QByteArray() : "Last-Event-ID: " + last + "\r\n");
    }

    //! A number of /metrics.
    qint64 number(const QByteArray &name)
    {
        const QList<QByteArray> lines = ask("GET", "/metrics").body.split('\n');
        for (const QByteArray &line : lines) {
            if (line.startsWith(name + ' '))
                return line.mid(name.size() + 1).toLongLong();
        }
        return -1;
    }

    static bool isCut(QTcpSocket &socket, int limitMs)
    {
        QElapsedTimer clock;
        clock.start();
        while (socket.state() == QAbstractSocket::ConnectedState && clock.elapsed() < limitMs)
            socket.waitForReadyRead(50);
        return socket.state() != QAbstractSocket::ConnectedState;
    }

private Q_SLOTS:
    void initTestCase()
    {
        ApiSettings settings;
        settings.bodyDeadline = std::chrono::milliseconds(300);
        start(settings);
        onEngine([this] {
            play<OpenUpload>([](const ScriptedEngine::Ask &asked) {
                asked.reply(UploadView{QStringLiteral("u")});
            });
            play<WriteUpload>([this](const ScriptedEngine::Ask &asked) {
                m_written += asked.arguments.binary;
                asked.reply(Nothing());
            });
            play<CommitUpload>([this](const ScriptedEngine::Ask &asked) {
                ++m_committed;
                FileView file;
                file.size = m_written.size();
                asked.reply(file);
            });
            play<AbortUpload>([this](const ScriptedEngine::Ask &asked) {
                ++m_aborted;
                asked.reply(Nothing());
            });
        });
    }

    void init()
    {
        onEngine([this] {
            m_written.clear();
            m_committed = m_aborted = 0;
        });
    }

    void eventsAreTextOnlyForSomebody()
    {
        for (int at = 1; at <= 5; ++at)
            grew(at);
        QCOMPARE(number("berth_api_events_kept"), 5);
        QCOMPARE(number("berth_api_events_kept_encoded"), 0);
        const std::unique_ptr<QTcpSocket> follower = events();
        QVERIFY(readUntil(*follower, "retry:").contains("retry:"));
        grew(6);
        QVERIFY(readUntil(*follower, "output_grew").contains("\"total\":6"));
        QCOMPARE(number("berth_api_events_kept"), 6);
        QCOMPARE(number("berth_api_events_kept_encoded"), 1);
    }

    void uploadsLastAsLongAsBytesCome()
    {
        const std::unique_ptr<QTcpSocket> socket = upload(8 * 1000);
        QElapsedTimer clock;
        clock.start();
        for (int piece = 0; piece < 8; ++piece) {
            QTest::qWait(120);
            socket->write(QByteArray(1000, static_cast<char>('a' + piece)));
            socket->waitForBytesWritten(1'000);
        }
        QVERIFY2(clock.elapsed() > 800, "longer than the deadline for one piece");
        const QByteArray answer = readUntil(*socket, "\r\n\r\n");
        QVERIFY2(answer.startsWith("HTTP/1.1 201"), answer.constData());
        onEngine([this] {
            QCOMPARE(m_written.size(), 8000);
            QVERIFY(m_written.startsWith("aaa") && m_written.endsWith("hhh"));
            QCOMPARE(m_committed, 1);
        });
    }

    //! The Engine may take longer than the client: then the client owes nothing.
    void uploadsWaitForASlowEngine()
    {
        QList<ScriptedEngine::Ask> held;
        onEngine([this, &held] {
            play<OpenUpload>([&held](const ScriptedEngine::Ask &asked) { held.append(asked); });
        });
        const std::unique_ptr<QTcpSocket> socket = upload(4);
        socket->write("abcd");
        QTest::qWait(1'000);
        onEngine([this, &held] {
            QCOMPARE(held.size(), 1);
            held[0].reply(UploadView{QStringLiteral("u")});
            play<OpenUpload>([](const ScriptedEngine::Ask &asked) {
                asked.reply(UploadView{QStringLiteral("u")});
            });
        });
        QVERIFY(readUntil(*socket, "\r\n\r\n").startsWith("HTTP/1.1 201"));
    }

    void stalledUploadsAreCut()
    {
        for (const qsizetype sent : {0, 300'000}) {
            const std::unique_ptr<QTcpSocket> socket = upload(1'000'000);
            socket->write(QByteArray(sent, 'x'));
            socket->waitForBytesWritten(1'000);
            QVERIFY(isCut(*socket, 3'000));
            QVERIFY(!socket->readAll().contains("201"));
        }
        const auto aborted = [this] {
            int count = 0;
            onEngine([&] { count = m_aborted; });
            return count;
        };
        QTRY_COMPARE(aborted(), 2);
        onEngine([this] { QCOMPARE(m_committed, 0); });
    }

    void eventsGoOnWhereTheyStopped()
    {
        std::unique_ptr<QTcpSocket> first = events();
        readUntil(*first, "retry:");
        grew(100);
        const QByteArray seen = readUntil(*first, "\"total\":100");
        const qsizetype id = seen.lastIndexOf("id: ");
        QVERIFY2(id >= 0, seen.constData());
        const QByteArray last = seen.mid(id + 4, seen.indexOf('\n', id) - id - 4).trimmed();
        first.reset();
        grew(101);
        grew(102);
        const std::unique_ptr<QTcpSocket> second = events(last);
        const QByteArray resumed = readUntil(*second, "\"total\":102");
        QVERIFY2(resumed.contains("\"total\":101") && resumed.contains("\"total\":102"),
                 resumed.constData());
        QVERIFY(!resumed.contains("\"total\":100") && !resumed.contains("snapshot_needed"));

        // One gets lost: whoever was here before it needs a snapshot, also one that comes back.
        onEngine([this] { m_engine->skipSequence(); });
        grew(103);
        QVERIFY(readUntil(*second, "snapshot_needed").contains("event: snapshot_needed"));
        const std::unique_ptr<QTcpSocket> back = events(last);
        QVERIFY(readUntil(*back, "snapshot_needed").contains("event: snapshot_needed"));
        const std::unique_ptr<QTcpSocket> foreign = events("abc-7");
        QVERIFY(readUntil(*foreign, "snapshot_needed").contains("event: snapshot_needed"));
        // And goes on from there.
        grew(104);
        QVERIFY(readUntil(*second, "\"total\":104").contains("\"total\":104"));
    }

    void theHistoryIsBounded()
    {
        onEngine([this] {
            MessageAdded added;
            added.message.text = QString(256 * 1024, QLatin1Char('x'));
            for (int at = 0; at < 40; ++at)
                m_engine->publish(added);
        });
        const qint64 bytes = number("berth_api_events_kept_bytes");
        QVERIFY2(bytes > 4 * 1024 * 1024 && bytes <= 8 * 1024 * 1024,
                 QByteArray::number(bytes).constData());
        QVERIFY(number("berth_api_events_kept") < 40);
    }

    void clientsThatVanish()
    {
        for (qsizetype sent = 0; sent < 400; sent += 7) {
            const std::unique_ptr<QTcpSocket> socket = upload(600'000);
            socket->write(QByteArray(sent * 1'000, 'x'));
            socket->waitForBytesWritten(1'000);
            socket->abort();
        }
        for (int round = 0; round < 50; ++round) {
            const std::unique_ptr<QTcpSocket> socket = events();
            if (round % 2 == 0)
                readUntil(*socket, "retry:");
            socket->abort();
        }
        QTRY_COMPARE_WITH_TIMEOUT(live(), 0, 10'000);
        QCOMPARE(ask("GET", "/api/threads").status, 200);
        onEngine([this] { QCOMPARE(m_committed, 0); });
    }

    void connectionsHaveALimit()
    {
        std::vector<std::unique_ptr<QTcpSocket>> held;
        for (int at = 0; at < 64; ++at) {
            held.push_back(events());
            QVERIFY(readUntil(*held.back(), "retry:").startsWith("HTTP/1.1 200"));
        }
        const Answer refused = ask("GET", "/api/threads");
        QCOMPARE(refused.status, 503);
        QCOMPARE(refused.code(), std::string("unavailable"));
        held.pop_back();
        QTRY_COMPARE(ask("GET", "/api/threads").status, 200);
    }

    void aNewTokenEndsWhatTheOldOneBegan()
    {
        // Those that held the connections before have gone.
        QTRY_COMPARE(live(), 0);
        QTRY_COMPARE(ask("GET", "/api/threads").status, 200);
        const TokenFile file(m_home.path());
        const auto mode = [&file] {
            return QFileInfo(file.path()).permissions()
                & ~(QFile::ReadUser | QFile::WriteUser | QFile::ReadOwner | QFile::WriteOwner);
        };
        QCOMPARE(mode(), QFile::Permissions());
        const std::unique_ptr<QTcpSocket> old = events();
        QVERIFY(readUntil(*old, "retry:").contains("retry:"));
        const domain::Result<domain::Secret> fresh = file.rotate();
        QVERIFY(fresh);
        QVERIFY(isCut(*old, 1'000));
        QCOMPARE(mode(), QFile::Permissions());
        QCOMPARE(ask("GET", "/api/threads").status, 401);
        m_token = fresh->exposeForWire();
        const std::unique_ptr<QTcpSocket> now = events();
        QVERIFY(readUntil(*now, "retry:").contains("retry:"));
        QVERIFY(!isCut(*now, 700));
        QTRY_COMPARE(live(), 1);
    }

    void cleanupTestCase() { quit(); }
};

QTEST_GUILESS_MAIN(TestStreams)
#include "test_streams.moc"
