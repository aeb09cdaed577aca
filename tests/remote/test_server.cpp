// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/support/engine_thread.h"
#include "domain/log.h"
#include "remote/message.h"
#include "remote/peer.h"
#include "remote/remote_client.h"
#include "remote/remote_server.h"
#include "support/await.h"

#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QtEndian>
#include <QtNetwork/QLocalSocket>
#include <QtTest/QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace berth;
using namespace berth::application;
using namespace berth::remote;
using namespace std::chrono_literals;
using domain::ErrorKind;
using domain::Result;
using test::EngineThread;
using test::ScriptedEngine;
using test::waitUntil;

namespace {

QByteArray word(quint32 value)
{
    QByteArray bytes(4, Qt::Uninitialized);
    qToLittleEndian(value, bytes.data());
    return bytes;
}

QByteArray bytesOf(const Message &message)
{
    return packed(toFrame(message));
}

const QByteArray kHello = bytesOf(Hello{kProtocolVersion, QStringLiteral("cli"), {}});

QByteArray command(const QString &id, const QString &name, const QByteArray &json = "{}")
{
    return bytesOf(CommandMessage{domain::RequestId(id), name, {json, {}}});
}

//! A client that says what it likes and reads when it likes.
class Raw
{
public:
    explicit Raw(const QString &path)
    {
        m_socket.setReadBufferSize(64 * 1024);
        m_socket.connectToServer(path);
    }
    void say(const QByteArray &bytes)
    {
        m_socket.write(bytes);
        m_socket.flush();
    }
    [[nodiscard]] bool isClosed() const
    {
        return m_socket.state() == QLocalSocket::UnconnectedState;
    }
    bool waitForClose(std::chrono::milliseconds limit = 10s)
    {
        return waitUntil(
            [this] {
                hear();
                return isClosed();
            },
            limit);
    }
    //! All whole messages so far.
    QList<Message> hear()
    {
        m_reader.append(m_socket.readAll());
        QList<Message> messages;
        for (;;) {
            const Result<std::optional<Frame>> frame = m_reader.next();
            if (!frame || !*frame)
                return messages;
            Result<Message> message = toMessage(**frame);
            if (!message)
                qFatal("not a message");
            messages.append(std::move(*message));
        }
    }
    bool waitForMessages(qsizetype count, QList<Message> &messages)
    {
        return waitUntil([&] {
                   messages.append(hear());
                   return messages.size() >= count || isClosed();
               })
            && messages.size() >= count;
    }

private:
    QLocalSocket m_socket;
    FrameReader m_reader;
};

QStringList g_log;
void remember(domain::LogLevel, const char *, const QString &line)
{
    g_log.append(line);
}

class TestServer : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { domain::setLogSink(nullptr); }
    void cleanup() { domain::setLogSink(nullptr); }

    void everySplit()
    {
        EngineThread engine;
        const QString path = engine.serve();
        const QByteArray stream =
            kHello + command(QStringLiteral("1"), QStringLiteral("provider.list"));
        for (qsizetype split = 1; split < stream.size(); ++split) {
            Raw raw(path);
            raw.say(stream.left(split));
            test::spin(1ms);
            raw.say(stream.mid(split));
            QList<Message> messages;
            QVERIFY2(raw.waitForMessages(2, messages), qPrintable(QString::number(split)));
            QVERIFY(std::holds_alternative<Hello>(messages[0]));
            const auto *answer = std::get_if<AnswerMessage>(&messages[1]);
            QVERIFY(answer && answer->answer.has_value()
                    && answer->id.toString() == QStringLiteral("1"));
        }
        QVERIFY(waitUntil([&] { return engine.servedClients() == 0; }));
    }

    void vanishesAtEachByte()
    {
        EngineThread engine;
        engine.onEngine([](ScriptedEngine &scripted) {
            scripted.players.insert(QStringLiteral("never"), [](const ScriptedEngine::Ask &) {});
        });
        const QString path = engine.serve();
        const QByteArray stream = kHello + command(QStringLiteral("1"), QStringLiteral("never"));
        for (qsizetype length = 0; length <= stream.size(); ++length) {
            Raw raw(path);
            raw.say(stream.left(length));
            test::spin(1ms); // the backlog is short
        }
        QVERIFY(waitUntil([&] { return engine.servedClients() == 0; }));
        int sessions = -1;
        engine.onEngine([&](ScriptedEngine &scripted) { sessions = scripted.sessionCount(); });
        QCOMPARE(sessions, 0);
    }

    void garbage_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("http") << QByteArray("GET / HTTP/1.1\r\n\r\n");
        QTest::newRow("oversize before hello") << word(64 * 1024 + 1);
        QTest::newRow("oversize after hello") << kHello + word(kLargestFrame + 1);
        QTest::newRow("no json") << packed({"x", {}});
        QTest::newRow("command first") << command(QStringLiteral("1"), QStringLiteral("snapshot"));
        QTest::newRow("hello twice") << kHello + kHello;
        QTest::newRow("an answer")
            << kHello + bytesOf(AnswerMessage{domain::RequestId(QStringLiteral("1")), Payload{}});
        QTest::newRow("an event") << kHello + bytesOf(EventMessage{});
        QTest::newRow("who") << bytesOf(Hello{kProtocolVersion, QStringLiteral("burglar"), {}});
        QTest::newRow("deep") << kHello + packed({QByteArray(1'000'000, '['), {}});
    }
    void garbage()
    {
        QFETCH(QByteArray, bytes);
        g_log.clear();
        EngineThread engine;
        const QString path = engine.serve();
        const std::unique_ptr<EngineClient> good = engine.overSocket();
        QVERIFY(waitUntil([&] { return good->isConnected(); }));
        domain::setLogSink(&remember);
        Raw raw(path);
        raw.say(bytes);
        QVERIFY(raw.waitForClose());
        QVERIFY(waitUntil([&] { return engine.servedClients() == 1; }));
        domain::setLogSink(nullptr);
        QVERIFY2(!g_log.isEmpty(), "no line in the log");
        QVERIFY(good->isConnected());
    }

    void otherVersion()
    {
        EngineThread engine;
        Raw raw(engine.serve());
        raw.say(bytesOf(Hello{99, QStringLiteral("cli"), {}}));
        QList<Message> messages;
        QVERIFY(raw.waitForMessages(1, messages));
        const auto *hello = std::get_if<Hello>(&messages[0]);
        QVERIFY(hello && hello->error);
        QCOMPARE(hello->error->kind, ErrorKind::Unsupported);
        QVERIFY(raw.waitForClose());
    }

    void silentClient()
    {
        ClientLimits limits;
        limits.hello = 100ms;
        EngineThread engine;
        Raw raw(engine.serve(&limits));
        raw.say(kHello.left(5));
        QVERIFY(raw.waitForClose(2s));
    }

    void tooManyClients()
    {
        EngineThread engine;
        const QString path = engine.serve(nullptr, 2);
        const std::unique_ptr<EngineClient> one = engine.overSocket();
        const std::unique_ptr<EngineClient> two = engine.overSocket();
        QVERIFY(waitUntil([&] { return one->isConnected() && two->isConnected(); }));
        std::unique_ptr<EngineClient> three = engine.overSocket();
        std::optional<Result<Payload>> answer;
        three->submit(domain::RequestId::create(), QStringLiteral("snapshot"), {},
                      [&](Result<Payload> value) { answer = std::move(value); });
        QVERIFY(waitUntil([&] { return answer.has_value(); }));
        BERTH_FAILS(*answer, ErrorKind::Quota);
        QCOMPARE(engine.servedClients(), 2);
        QVERIFY(one->isConnected() && two->isConnected());
    }

    void tooManyCommands()
    {
        ClientLimits limits;
        limits.commandsInFlight = 5;
        EngineThread engine;
        engine.onEngine([](ScriptedEngine &scripted) {
            scripted.players.insert(QStringLiteral("never"), [](const ScriptedEngine::Ask &) {});
        });
        Raw raw(engine.serve(&limits));
        QByteArray stream = kHello;
        for (int number = 0; number < 8; ++number)
            stream += command(QString::number(number), QStringLiteral("never"));
        raw.say(stream);
        QList<Message> messages;
        QVERIFY(raw.waitForMessages(4, messages));
        QCOMPARE(messages.size(), 4);
        for (int at = 1; at < 4; ++at) {
            const AnswerMessage &answer = std::get<AnswerMessage>(messages[at]);
            QCOMPARE(answer.id.toString(), QString::number(at + 4));
            BERTH_FAILS(answer.answer, ErrorKind::RateLimited);
        }
    }

    void closesMidCommand()
    {
        EngineThread engine;
        std::optional<ScriptedEngine::Ask> asked;
        engine.onEngine([&](ScriptedEngine &scripted) {
            scripted.players.insert(QStringLiteral("late"),
                                    [&asked](const ScriptedEngine::Ask &ask) { asked = ask; });
        });
        const QString path = engine.serve();
        const auto isAsked = [&] {
            bool is = false;
            engine.onEngine([&](ScriptedEngine &) { is = asked.has_value(); });
            return is;
        };
        {
            Raw raw(path);
            raw.say(kHello + command(QStringLiteral("1"), QStringLiteral("late")));
            QVERIFY(waitUntil(isAsked));
        }
        int sessions = 1;
        QVERIFY(waitUntil([&] {
            engine.onEngine([&](ScriptedEngine &scripted) { sessions = scripted.sessionCount(); });
            return sessions == 0;
        }));
        // The answer finds nobody, and nobody minds.
        engine.onEngine([&](ScriptedEngine &) { asked->answer({}); });
        const std::unique_ptr<EngineClient> next = engine.overSocket();
        QVERIFY(waitUntil([&] { return next->isConnected(); }));
    }

    void clientThatDoesNotRead()
    {
        EngineThread engine;
        const QString path = engine.serve();
        const std::unique_ptr<EngineClient> good = engine.overSocket();
        int got = 0;
        connect(good.get(), &EngineClient::event, this, [&](const Event &) { ++got; });
        QVERIFY(waitUntil([&] { return good->isConnected(); }));
        Raw lazy(path);
        lazy.say(kHello);
        QVERIFY(waitUntil([&] { return engine.servedClients() == 2; }));
        ThreadChanged large;
        large.thread.title = QString(64 * 1024, QLatin1Char('x'));
        g_log.clear();
        domain::setLogSink(&remember);
        constexpr int kEvents = 160; // 10 MiB
        for (int number = 0; number < kEvents; ++number) {
            engine.onEngine([&](ScriptedEngine &scripted) { scripted.publish(large); });
            QVERIFY(waitUntil([&] { return got == number + 1; }));
        }
        domain::setLogSink(nullptr);
        QCOMPARE(engine.servedClients(), 1);
        QVERIFY2(g_log.size() == 1 && g_log[0].contains(QLatin1String("does not read")),
                 qPrintable(g_log.join(QLatin1Char('\n'))));
        QVERIFY(lazy.waitForClose());
        QVERIFY(good->isConnected());
    }

    void slowClientMissesNothing()
    {
        EngineThread engine;
        Raw slow(engine.serve());
        slow.say(kHello);
        QList<Message> messages;
        QVERIFY(slow.waitForMessages(1, messages));
        // Enough to fill all buffers many times over, but of a kind that can be merged.
        constexpr qint64 kEvents = 40'000;
        engine.onEngine([](ScriptedEngine &scripted) {
            for (qint64 number = 1; number <= kEvents; ++number)
                scripted.publish(OutputGrew{
                    domain::ToolCallId(ScriptedEngine::uuid('d', int(number % 2))), number});
        });
        QCOMPARE(engine.servedClients(), 1);
        qint64 last = 0;
        int events = 0;
        QVERIFY(waitUntil([&] {
            for (const Message &message : slow.hear()) {
                const auto &event = std::get<EventMessage>(message);
                if (event.event.seq - event.skipped != last + 1)
                    qFatal("a gap at %lld", last);
                last = event.event.seq;
                ++events;
            }
            return last == kEvents;
        }));
        QVERIFY2(events < kEvents / 2, qPrintable(QString::number(events)));
    }

    void answersNotTaken()
    {
        EngineThread engine;
        engine.onEngine([](ScriptedEngine &scripted) {
            scripted.players.insert(QStringLiteral("megabyte"), [](const ScriptedEngine::Ask &ask) {
                ask.answer({"{}", QByteArray(1024 * 1024, 'x')});
            });
        });
        Raw slow(engine.serve());
        QByteArray stream = kHello;
        constexpr int kCommands = 100;
        for (int number = 0; number < kCommands; ++number)
            stream += command(QString::number(number), QStringLiteral("megabyte"),
                              "{\"pad\":\"" + QByteArray(20'000, 'p') + "\"}");
        slow.say(stream);
        test::spin(300ms);
        qsizetype received = 0;
        engine.onEngine([&](ScriptedEngine &scripted) { received = scripted.received.size(); });
        QVERIFY2(received < 80, qPrintable(QString::number(received)));
        QCOMPARE(engine.servedClients(), 1);
        // It was only held up.
        QList<Message> messages;
        QVERIFY(slow.waitForMessages(1 + kCommands, messages));
        for (int at = 1; at <= kCommands; ++at)
            QCOMPARE(std::get<AnswerMessage>(messages[at]).answer->binary.size(), 1024 * 1024);
    }

    void anotherUser()
    {
        if (::geteuid() != 0)
            QSKIP("only root can become somebody else");
        EngineThread engine;
        const QString path = engine.serve();
        const auto knock = [&] {
            QProcess other;
            other.start(QStringLiteral(BERTH_REMOTE_PEER),
                        {QStringLiteral("knock-as-nobody"), path});
            if (!waitUntil([&] {
                    return other.state() == QProcess::NotRunning
                        && other.exitStatus() == QProcess::NormalExit;
                }))
                return -1;
            return other.exitCode();
        };
        QCOMPARE(knock(), 4); // the directory keeps it out
        QVERIFY(::chmod(QFile::encodeName(engine.dataDirectory()).constData(), 0755) == 0);
        QVERIFY(::chmod(QFile::encodeName(QFileInfo(path).path()).constData(), 0755) == 0);
        QCOMPARE(knock(), 4); // the mode of the socket does
        QVERIFY(::chmod(QFile::encodeName(path).constData(), 0666) == 0);
        QCOMPARE(knock(), 3); // and then who it is
    }

    void socketFile()
    {
        EngineThread engine;
        const QString path = engine.serve();
        struct stat status
        {};
        QCOMPARE(::stat(QFile::encodeName(path).constData(), &status), 0);
        QCOMPARE(status.st_mode & 0777, 0600u);
        QVERIFY(S_ISSOCK(status.st_mode));
        QVERIFY(!QFile::exists(path + QStringLiteral(".new")));
        engine.stopServing();
        QVERIFY(!QFile::exists(path));
        // Whatever lies there when the lock is ours gives way.
        QFile leftover(path);
        QVERIFY(leftover.open(QIODevice::WriteOnly));
        leftover.close();
        engine.serve();
        const std::unique_ptr<EngineClient> client = engine.overSocket();
        QVERIFY(waitUntil([&] { return client->isConnected(); }));
    }

    void nowhereToListen()
    {
        QTemporaryDir directory;
        const Result<InstanceLock> lock = InstanceLock::take(directory.path());
        BERTH_OK(lock);
        ScriptedEngine scripted;
        RemoteServer longPath(scripted,
                              directory.path() + QLatin1Char('/') + QString(120, QLatin1Char('x'))
                                  + QStringLiteral(".sock"));
        BERTH_FAILS(longPath.listen(*lock), ErrorKind::InvalidInput);
        QVERIFY(::chmod(QFile::encodeName(directory.path()).constData(), 0755) == 0);
        RemoteServer open(scripted, directory.filePath(QStringLiteral("s")));
        BERTH_FAILS(open.listen(*lock), ErrorKind::Forbidden);
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestServer)
#include "test_server.moc"
