// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "guest/guest_rig.h"

#include "net/guest/guest_socket.h"
#include "support/await.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtNetwork/QLocalSocket>
#include <QtTest/QTest>

#include <csignal>

using namespace std::chrono_literals;

namespace berth::test {

using net::GuestChannel;
using net::GuestChannelOptions;
using net::GuestSocketPlace;

namespace {

//! The runner's standard input and output as one host after the other has them: closing it leaves
//! them as they are, as the end of an attached stream of an engine does.
class Attached final : public QIODevice
{
public:
    explicit Attached(QProcess &process) : m_process(process)
    {
        open(QIODevice::ReadWrite | QIODevice::Unbuffered);
        connect(&process, &QProcess::readyReadStandardOutput, this, &QIODevice::readyRead);
        connect(&process, &QProcess::finished, this, &QIODevice::readChannelFinished);
    }
    [[nodiscard]] bool isSequential() const override { return true; }
    [[nodiscard]] qint64 bytesAvailable() const override
    {
        return isOpen() ? m_process.bytesAvailable() : 0;
    }

private:
    qint64 readData(char *data, qint64 size) override { return m_process.read(data, size); }
    qint64 writeData(const char *data, qint64 size) override { return m_process.write(data, size); }

    QProcess &m_process;
};

using Channel = std::shared_ptr<GuestChannel>;

} // namespace

//! The runner over a socket of this machine.
class TestGuestSocket : public QObject
{
    Q_OBJECT

    static Channel greeted(GuestProcess &guest, bool reattach)
    {
        GuestChannelOptions options;
        options.reattach = reattach;
        const domain::Result<Channel> channel =
            await(GuestChannel::open(std::make_shared<Attached>(*guest.process()), options, {}));
        return channel.value_or(nullptr);
    }

    static GuestSocketPlace placeOf(GuestProcess &guest)
    {
        const QString directory = QFile::decodeName(guest.directory()) + QStringLiteral("/link");
        return {directory, QFile::encodeName(directory), guest.process()->processId()};
    }

    static Channel moved(const Channel &channel, const GuestSocketPlace &place)
    {
        return landed(net::movedToSocket(channel, place, {}, {})).value_or(nullptr);
    }

    static Finished runOver(const Channel &channel, const QByteArray &text)
    {
        net::GuestShell shell(channel, {{}, QByteArrayLiteral("/"), QByteArrayLiteral("sh")});
        return run(shell, text);
    }

    const QStringList m_stay{QStringLiteral("--eof=stay")};

private Q_SLOTS:
    void movesAndWorks()
    {
        GuestProcess guest(GuestMode::Root, m_stay);
        const Channel first = greeted(guest, false);
        QVERIFY(first);
        const GuestSocketPlace place = placeOf(guest);
        const Channel second = moved(first, place);
        QVERIFY(second != first);
        QVERIFY(!first->isOpen());
        QVERIFY(second->isOpen());
        // Nobody else can come that way.
        QVERIFY(
            QDir(place.directory)
                .isEmpty(QDir::AllEntries | QDir::System | QDir::Hidden | QDir::NoDotAndDotDot));
        const Finished small = runOver(second, "echo out; echo err >&2; exit 3");
        QCOMPARE(small.outcome.code, 3);
        QCOMPARE(small.out, QByteArray("out\n"));
        QCOMPARE(small.err, QByteArray("err\n"));
        const Finished large = runOver(second, "head -c 20000000 /dev/zero | tr '\\0' x");
        QCOMPARE(large.out.size(), qsizetype(20'000'000));
        QVERIFY(large.out == QByteArray(20'000'000, 'x'));
    }

    void theNextHostComesOverTheStream()
    {
        GuestProcess guest(GuestMode::Root, m_stay);
        const Channel first = moved(greeted(guest, false), placeOf(guest));
        QVERIFY(first);
        bool lost = false;
        connect(first.get(), &GuestChannel::lost, this, [&lost] { lost = true; });
        // The one before is still there; it hears that it was taken over.
        const Channel second = greeted(guest, true);
        QVERIFY(second);
        QVERIFY(waitUntil([&lost] { return lost; }, 5s));
        QCOMPARE(runOver(second, "exit 4").outcome.code, 4);
        const Channel third = moved(second, placeOf(guest));
        QVERIFY(third != second);
        QCOMPARE(runOver(third, "exit 5").outcome.code, 5);
    }

    void whatRunsIsFoundAgainAfterTheSocket()
    {
        GuestProcess guest(GuestMode::Root, m_stay);
        Channel first = moved(greeted(guest, false), placeOf(guest));
        {
            net::GuestShell shell(first, {{}, QByteArrayLiteral("/"), QByteArrayLiteral("sh")});
            domain::CommandSpec server;
            server.shellText = "echo begun; sleep 783";
            server.background = true;
            server.tag = "server";
            QVERIFY(await(shell.start(server, {})));
        }
        first->close(QStringLiteral("gone"));
        first.reset();
        const Channel second = greeted(guest, true);
        QVERIFY(second);
        QCOMPARE(second->hello().jobs.size(), 1);
        QCOMPARE(second->hello().jobs.first().tag, QByteArray("server"));
        QCOMPARE(runOver(second, "exit 6").outcome.code, 6);
    }

    void whatCannotBeReachedLeavesTheStream()
    {
        GuestProcess guest(GuestMode::Root, m_stay);
        const Channel channel = greeted(guest, false);
        GuestSocketPlace place = placeOf(guest);
        place.inside = "/nowhere";
        QCOMPARE(moved(channel, place), channel);
        place = placeOf(guest);
        place.directory = QStringLiteral("/proc/berth");
        QCOMPARE(moved(channel, place), channel);
        place = placeOf(guest);
        place.directory += QString(100, QLatin1Char('x'));
        QCOMPARE(moved(channel, place), channel);
        QCOMPARE(runOver(channel, "exit 7").outcome.code, 7);
    }

    void anotherProcessIsNotLetIn()
    {
        GuestProcess guest(GuestMode::Root, m_stay);
        const Channel channel = greeted(guest, false);
        GuestSocketPlace place = placeOf(guest);
        // The runner itself, when somebody else is waited for.
        place.pid = QCoreApplication::applicationPid();
        QCOMPARE(moved(channel, place), channel);
        QCOMPARE(runOver(channel, "exit 8").outcome.code, 8);

        // Somebody who is faster than the runner, and says nothing or too much.
        QLocalSocket stranger;
        QTimer poll;
        const GuestSocketPlace right = placeOf(guest);
        connect(&poll, &QTimer::timeout, this, [&] {
            const QString path = right.directory + QStringLiteral("/s");
            if (stranger.state() == QLocalSocket::UnconnectedState && QFile::exists(path)) {
                stranger.connectToServer(path);
                stranger.write(QByteArray(BG_MOVE_TOKEN, '\0'));
            }
        });
        poll.start(0);
        const Channel second = moved(channel, right);
        QVERIFY(second != channel);
        QCOMPARE(runOver(second, "exit 9").outcome.code, 9);
    }

    void itsEndIsTold()
    {
        GuestProcess guest(GuestMode::Root, m_stay);
        const Channel channel = moved(greeted(guest, false), placeOf(guest));
        bool lost = false;
        connect(channel.get(), &GuestChannel::lost, this, [&lost] { lost = true; });
        ::kill(static_cast<pid_t>(guest.process()->processId()), SIGKILL);
        QVERIFY(waitUntil([&lost] { return lost; }, 5s));
    }

    void nonsenseOverTheStreamWhileMovedHarmsNothing()
    {
        GuestProcess guest(GuestMode::Root, m_stay);
        const Channel channel = moved(greeted(guest, false), placeOf(guest));
        guest.process()->write(QByteArray("\xb7\x10 what is this {", 17));
        guest.process()->write(net::encodeGuestFrame(BG_BYE, 0));
        QCOMPARE(runOver(channel, "sleep 0.2; exit 10").outcome.code, 10);
        QVERIFY(channel->isOpen());
    }
};

} // namespace berth::test

QTEST_GUILESS_MAIN(berth::test::TestGuestSocket)
#include "test_guest_socket.moc"
