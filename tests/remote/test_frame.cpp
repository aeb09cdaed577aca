// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/frame.h"
#include "remote/message.h"
#include "remote/outbox.h"

#include <QtCore/QtEndian>
#include <QtTest/QTest>

#include <variant>

using namespace berth;
using namespace berth::remote;
using application::Event;
using application::OutputGrew;
using application::Payload;
using domain::ErrorKind;

namespace {

QByteArray word(quint32 value)
{
    QByteArray bytes(4, Qt::Uninitialized);
    qToLittleEndian(value, bytes.data());
    return bytes;
}

Event growth(qint64 seq, const QString &call, qint64 total)
{
    return {seq, OutputGrew{domain::ToolCallId(call), total}};
}

Event removal(qint64 seq)
{
    return {seq, application::RuntimeRemoved{QStringLiteral("r")}};
}

//! All that \a outbox gives, as messages.
QList<EventMessage> drained(Outbox &outbox)
{
    QList<EventMessage> events;
    FrameReader reader;
    while (const std::optional<QByteArray> bytes = outbox.take()) {
        reader.append(*bytes);
        const domain::Result<std::optional<Frame>> frame = reader.next();
        if (!frame || !*frame)
            qFatal("not a frame");
        const domain::Result<Message> message = toMessage(**frame);
        if (message && std::holds_alternative<EventMessage>(*message))
            events.append(std::get<EventMessage>(*message));
    }
    return events;
}

class TestFrame : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void layout()
    {
        QCOMPARE(packed({"{}", "\x01\x02\x03"}), word(9) + word(2) + "{}" + "\x01\x02\x03");
        QCOMPARE(packed({{}, {}}), word(4) + word(0));
    }

    void everySplit()
    {
        QByteArray all;
        for (int byte = 0; byte < 256; ++byte)
            all += static_cast<char>(byte);
        const QList<Frame> frames{{"{\"a\":1}", all}, {{}, {}}, {"x", {}}, {{}, "y"}};
        QByteArray stream;
        for (const Frame &frame : frames)
            stream += packed(frame);
        for (qsizetype split = 0; split <= stream.size(); ++split) {
            FrameReader reader;
            QList<Frame> got;
            for (const QByteArray &part : {stream.left(split), stream.mid(split)}) {
                reader.append(part);
                for (;;) {
                    domain::Result<std::optional<Frame>> frame = reader.next();
                    QVERIFY(frame.has_value());
                    if (!*frame)
                        break;
                    got.append(**frame);
                }
            }
            QVERIFY2(got == frames, qPrintable(QString::number(split)));
        }
    }

    void byteByByte()
    {
        const Frame frame{QByteArray(5000, 'j'), QByteArray(5000, 'b')};
        FrameReader reader;
        int got = 0;
        const QByteArray stream = packed(frame) + packed(frame);
        for (const char byte : stream) {
            reader.append(QByteArray(1, byte));
            const domain::Result<std::optional<Frame>> next = reader.next();
            QVERIFY(next.has_value());
            if (*next) {
                QVERIFY(**next == frame);
                ++got;
            }
        }
        QCOMPARE(got, 2);
    }

    void refused_data()
    {
        QTest::addColumn<QByteArray>("stream");
        QTest::newRow("too short") << word(3);
        QTest::newRow("nothing") << word(0);
        QTest::newRow("a byte too long") << word(kLargestFrame + 1);
        QTest::newRow("negative") << word(0xffffffff);
        QTest::newRow("text") << QByteArray("GET / HTTP/1.1\r\n");
        QTest::newRow("json longer than all") << word(8) + word(5) + "{}{}";
        QTest::newRow("json negative") << word(8) + word(0xfffffffe);
    }
    void refused()
    {
        QFETCH(QByteArray, stream);
        FrameReader reader;
        reader.append(stream);
        const domain::Result<std::optional<Frame>> frame = reader.next();
        QVERIFY(!frame);
        QCOMPARE(frame.error().kind, ErrorKind::Protocol);
    }

    void largest()
    {
        const Frame frame{"{}", QByteArray(kLargestFrame - 4 - 2, 'x')};
        QVERIFY(fits(frame));
        QVERIFY(!fits({"{} ", frame.binary}));
        FrameReader reader;
        reader.append(packed(frame));
        const domain::Result<std::optional<Frame>> same = reader.next();
        QVERIFY(same && *same && **same == frame);
        FrameReader strict;
        strict.setLimit(1024);
        strict.append(word(1025));
        QVERIFY(!strict.next());
    }

    void messages()
    {
        const domain::Error error{ErrorKind::Quota, QStringLiteral("m\"\n\u6f22"),
                                  QStringLiteral("d"), 429, std::chrono::seconds(3)};
        const QList<Message> all{
            Hello{7, QStringLiteral("cli"), {}},
            Hello{1, QStringLiteral("engine"), error},
            CommandMessage{domain::RequestId(QStringLiteral("id \"1\"")),
                           QStringLiteral("thread.new"),
                           Payload{"{\"text\":\"a\"}", QByteArray("\0\xff", 2)}},
            CommandMessage{domain::RequestId(QStringLiteral("2")), QStringLiteral("snapshot"),
                           Payload{}},
            CancelMessage{domain::RequestId(QStringLiteral("3"))},
            AnswerMessage{domain::RequestId(QStringLiteral("4")), Payload{"[1,2]", "b"}},
            AnswerMessage{domain::RequestId(QStringLiteral("5")), Payload{}},
            AnswerMessage{domain::RequestId(QStringLiteral("6")), domain::failure(error)},
            EventMessage{growth(8, QStringLiteral("c"), 9), 3},
        };
        for (const Message &message : all) {
            const domain::Result<Message> same = toMessage(toFrame(message));
            QVERIFY2(same.has_value(), toFrame(message).json.constData());
            QVERIFY2(*same == message, toFrame(message).json.constData());
        }
    }

    void badMessages_data()
    {
        QTest::addColumn<QByteArray>("json");
        const auto row = [](const char *text) { QTest::newRow(text) << QByteArray(text); };
        row("");
        row("{");
        row("null");
        row("[]");
        row("{}");
        row("{\"kind\":1}");
        row("{\"kind\":\"tomorrow\"}");
        row("{\"kind\":\"hello\"}");
        row("{\"kind\":\"hello\",\"protocol\":\"1\",\"client\":\"cli\"}");
        row("{\"kind\":\"hello\",\"protocol\":1,\"client\":[]}");
        row("{\"kind\":\"hello\",\"protocol\":1,\"client\":\"cli\",\"error\":7}");
        row("{\"kind\":\"command\",\"id\":\"\",\"command\":\"x\",\"arguments\":{}}");
        row("{\"kind\":\"command\",\"id\":\"1\",\"command\":\"\",\"arguments\":{}}");
        row("{\"kind\":\"command\",\"id\":\"1\",\"command\":\"x\"}");
        row("{\"kind\":\"command\",\"command\":\"x\",\"arguments\":{}}");
        row("{\"kind\":\"cancel\"}");
        row("{\"kind\":\"answer\",\"id\":\"1\"}");
        row("{\"kind\":\"answer\",\"id\":\"1\",\"error\":{\"kind\":\"tomorrow\"}}");
        row("{\"kind\":\"event\",\"skipped\":0}");
        row("{\"kind\":\"event\",\"event\":{\"seq\":1,\"type\":\"output_grew\",\"data\":{}}}");
        row("{\"kind\":\"event\",\"skipped\":0,\"event\":{\"seq\":1,\"type\":\"x\",\"data\":{}}}");
        QTest::newRow("bad UTF-8") << QByteArray("{\"kind\":\"cancel\",\"id\":\"\xff\"}");
        QTest::newRow("long id") << "{\"kind\":\"cancel\",\"id\":\"" + QByteArray(129, 'x') + "\"}";
        QTest::newRow("deep")
            << "{\"kind\":\"command\",\"id\":\"1\",\"command\":\"x\",\"arguments\":"
                + QByteArray(1'000'000, '[') + QByteArray(1'000'000, ']') + '}';
    }
    void badMessages()
    {
        QFETCH(QByteArray, json);
        const domain::Result<Message> message = toMessage({json, {}});
        QVERIFY(!message);
        QCOMPARE(message.error().kind, ErrorKind::Protocol);
    }

    void outboxKeepsOrder()
    {
        Outbox outbox;
        for (qint64 seq = 1; seq <= 3; ++seq)
            outbox.addEvent(removal(seq));
        const QList<EventMessage> events = drained(outbox);
        QCOMPARE(events.size(), 3);
        for (qsizetype at = 0; at < 3; ++at)
            QVERIFY(events[at] == (EventMessage{removal(at + 1), 0}));
        QCOMPARE(outbox.eventBytes(), 0);
        QVERIFY(outbox.isEmpty());
    }

    void outboxMerges()
    {
        Outbox outbox;
        outbox.addEvent(growth(1, QStringLiteral("a"), 10));
        outbox.addFrame(packed({"{}", {}}));
        outbox.addEvent(removal(2));
        outbox.addEvent(growth(3, QStringLiteral("b"), 1));
        outbox.addEvent(growth(4, QStringLiteral("a"), 20)); // 1 goes; 2 speaks for it
        outbox.addEvent(growth(5, QStringLiteral("a"), 30)); // 4 goes; 5 itself speaks for it
        const QList<EventMessage> events = drained(outbox);
        QCOMPARE(events.size(), 3);
        QVERIFY(events[0] == (EventMessage{removal(2), 1}));
        QVERIFY(events[1] == (EventMessage{growth(3, QStringLiteral("b"), 1), 0}));
        QVERIFY(events[2] == (EventMessage{growth(5, QStringLiteral("a"), 30), 1}));
        QCOMPARE(outbox.eventBytes(), 0);
        QCOMPARE(outbox.frameBytes(), 0);
        // Taken: nothing is left to merge with.
        outbox.addEvent(growth(6, QStringLiteral("a"), 40));
        QCOMPARE(drained(outbox).size(), 1);
    }

    void outboxStaysSmall()
    {
        Outbox outbox;
        for (qint64 seq = 1; seq <= 100'000; ++seq)
            outbox.addEvent(growth(seq, QString::number(seq % 3), seq));
        QVERIFY2(outbox.eventBytes() < 1000, qPrintable(QString::number(outbox.eventBytes())));
        qint64 last = 0;
        for (const EventMessage &event : drained(outbox)) {
            QCOMPARE(event.event.seq - event.skipped, last + 1);
            last = event.event.seq;
        }
        QCOMPARE(last, 100'000);
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestFrame)
#include "test_frame.moc"
