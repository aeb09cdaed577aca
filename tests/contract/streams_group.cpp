// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "contract/sandbox_under_test.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QFile>
#include <QtCore/QRandomGenerator>

#include <array>

#include <unistd.h>

using namespace std::chrono_literals;

namespace berth::contract {

using domain::OutcomeKind;
using domain::OutputStream;
using test::CommandRun;
using test::Finished;
using test::shellCommand;
using test::told;

namespace {

//! Resident memory of this process.
qint64 residentBytes()
{
    QFile statm(QStringLiteral("/proc/self/statm"));
    if (!statm.open(QIODevice::ReadOnly))
        return 0;
    return statm.readAll().split(' ').value(1).toLongLong() * sysconf(_SC_PAGESIZE);
}

QByteArray randomBytes(int size)
{
    QByteArray bytes(size, Qt::Uninitialized);
    QRandomGenerator generator(42);
    for (char &byte : bytes)
        byte = char(generator.bounded(256));
    return bytes;
}

QByteArray sha256(const QByteArray &bytes)
{
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256);
}

} // namespace

//! That bytes arrive whole, in order, on their own stream, and never faster than they are taken.
class StreamsGroup : public QObject
{
    Q_OBJECT
public:
    explicit StreamsGroup(Fixture &fixture) : m_sandbox(fixture) {}

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();

    void streamsAreSeparate();
    void orderIsKeptPerStream();
    void binaryOutput();
    void cutCharacters();
    void manySmallWrites();
    void outputComesWhileItRuns();
    void noOutputAtAll();
    void oneLongLineOnBothStreams();
    void slowReaderHoldsTheCommandUp();
    void slowReaderOfOneStreamLeavesOthersAlone();

    void liveInputIsRefusedWithTheReason();
    void inputRoundTrip();
    void inputToACommandThatDoesNotRead();
    void inputStaysOpenUntilClosed();

private:
    Finished run(const QByteArray &text, std::chrono::milliseconds limit = 30s)
    {
        return test::run(m_connection->shell(), text, limit);
    }

    SandboxUnderTest m_sandbox;
    std::shared_ptr<domain::SandboxConnection> m_connection;
};

#define NEEDS_LIVE_INPUT()                                                                         \
    do {                                                                                           \
        if (!m_sandbox.fixture().traits().liveInput)                                               \
            QSKIP("input is closed from the start here");                                          \
    } while (false)

void StreamsGroup::liveInputIsRefusedWithTheReason()
{
    if (m_sandbox.fixture().traits().liveInput)
        QSKIP("there is live input here");
    domain::CommandSpec spec = shellCommand("cat; touch started-anyway");
    spec.openInput = true;
    const auto started = test::await(m_connection->shell().start(spec, {}));
    BERTH_FAILS(started, domain::ErrorKind::Unsupported);
    QVERIFY(!started.error().detail.isEmpty());
    QVERIFY(run("test -e started-anyway").outcome.code != 0);
}

void StreamsGroup::initTestCase()
{
    BERTH_OPEN(m_sandbox);
    const auto instance = m_sandbox.create(QStringLiteral("streams"));
    BERTH_OK(instance);
    const auto connection = m_sandbox.connect(instance->externalId);
    BERTH_OK(connection);
    m_connection = *connection;
    QVERIFY(m_sandbox.provider().capabilities().has(domain::Capability::SeparateStderr));
}

void StreamsGroup::cleanupTestCase()
{
    m_connection.reset();
    m_sandbox.close();
}

void StreamsGroup::streamsAreSeparate()
{
    const Finished finished = run("echo out; echo err >&2; echo out2; exit 3");
    QCOMPARE(finished.outcome.kind, OutcomeKind::Exited);
    QCOMPARE(finished.outcome.code, 3);
    QCOMPARE(finished.out, QByteArrayLiteral("out\nout2\n"));
    QCOMPARE(finished.err, QByteArrayLiteral("err\n"));
}

void StreamsGroup::orderIsKeptPerStream()
{
    const Finished finished =
        run("i=0; while [ $i -lt 3000 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done");
    QByteArray out;
    QByteArray err;
    for (int i = 0; i < 3000; ++i) {
        out += 'o' + QByteArray::number(i) + '\n';
        err += 'e' + QByteArray::number(i) + '\n';
    }
    QVERIFY2(finished.out == out, told(finished).constData());
    QVERIFY2(finished.err == err, told(finished).constData());
}

void StreamsGroup::binaryOutput()
{
    const Finished finished =
        run("printf 'a\\000b\\377\\001\\r\\n\\033[31m\\000'; printf '\\000' >&2");
    QCOMPARE(finished.out, QByteArray("a\0b\377\001\r\n\033[31m\0", 13));
    QCOMPARE(finished.err, QByteArray("\0", 1));
}

void StreamsGroup::cutCharacters()
{
    // Two, three and four bytes, cut at each place, with the other stream in between.
    const Finished finished =
        run("printf '\\303'; sleep 0.1; printf x >&2; printf '\\251'; "
            "printf '\\346\\274'; sleep 0.1; printf '\\242'; printf '\\360'; "
            "printf y >&2; sleep 0.1; printf '\\237\\232'; sleep 0.1; printf '\\242'");
    QCOMPARE(finished.out, QByteArray("\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x9a\xa2"));
    QCOMPARE(finished.err, QByteArrayLiteral("xy"));
}

void StreamsGroup::manySmallWrites()
{
    const Finished finished = run("i=0; while [ $i -lt 20000 ]; do printf x; i=$((i+1)); done");
    QCOMPARE(finished.outcome.kind, OutcomeKind::Exited);
    QVERIFY(finished.out == QByteArray(20000, 'x'));
}

void StreamsGroup::outputComesWhileItRuns()
{
    const auto command =
        test::start(m_connection->shell(), shellCommand("printf first; sleep 5; echo"));
    QVERIFY(command);
    QVERIFY2(command->waitForOutput("first", 2s), "output is held back until the end");
    QVERIFY(!command->isFinished());
    command->execution().stop();
    QVERIFY(command->waitForEnd(5s));
}

void StreamsGroup::noOutputAtAll()
{
    const Finished finished = run("exec >&- 2>&-; exit 0");
    QCOMPARE(finished.outcome.kind, OutcomeKind::Exited);
    QCOMPARE(finished.out, QByteArray());
    QCOMPARE(finished.err, QByteArray());
}

void StreamsGroup::oneLongLineOnBothStreams()
{
    const Finished finished = run("head -c 3000000 /dev/zero | tr '\\0' a & "
                                  "head -c 3000000 /dev/zero | tr '\\0' b >&2; wait");
    QCOMPARE(finished.outcome.kind, OutcomeKind::Exited);
    QVERIFY(finished.out == QByteArray(3'000'000, 'a'));
    QVERIFY(finished.err == QByteArray(3'000'000, 'b'));
}

void StreamsGroup::slowReaderHoldsTheCommandUp()
{
    // Several times what may lie in buffers on the way.
    const qint64 total = (m_sandbox.fixture().traits().isRemote ? 8 : 32) * 1024 * 1024;
    // 11 bytes per line, so that lost, doubled or exchanged bytes show at once.
    static constexpr std::array<char, 11> kLine{'0', '1', '2', '3', '4', '5',
                                                '6', '7', '8', '9', '\n'};
    const qint64 memoryBefore = residentBytes();
    const auto started = test::await(m_connection->shell().start(
        shellCommand("yes 0123456789 | head -c " + QByteArray::number(total)), {}));
    BERTH_OK(started);
    const std::shared_ptr<domain::Execution> execution = *started;
    qint64 got = 0;
    qint64 acknowledged = 0;
    qint64 wrong = 0;
    std::optional<domain::Outcome> outcome;
    QObject context;
    QObject::connect(execution.get(), &domain::Execution::output, &context,
                     [&](OutputStream, const QByteArray &bytes) {
                         for (const char byte : bytes)
                             wrong += byte != kLine[std::size_t(got++ % 11)] ? 1 : 0;
                     });
    QObject::connect(execution.get(), &domain::Execution::finished, &context,
                     [&](const domain::Outcome &end) { outcome = end; });

    // Held up at some time, and then for good.
    test::spin(1500ms);
    qint64 held = -1;
    for (int looks = 0; looks < 15 && (got == 0 || got != held); ++looks) {
        held = got;
        test::spin(1000ms);
    }
    QVERIFY2(held > 0 && held <= 1536 * 1024, QByteArray::number(held).constData());
    QCOMPARE(got, held);
    QVERIFY(!outcome.has_value());
    QVERIFY2(test::run(m_connection->shell(), "echo others").out == "others\n",
             "one slow reader holds all commands up");

    qint64 mostOutstanding = 0;
    while (!outcome) {
        const qint64 outstanding = got - acknowledged;
        mostOutstanding = std::max(mostOutstanding, outstanding);
        execution->acknowledge(OutputStream::Stdout, outstanding);
        acknowledged += outstanding;
        QVERIFY(test::waitUntil([&] { return got > acknowledged || outcome; }, 10s));
    }
    QCOMPARE(outcome->kind, OutcomeKind::Exited);
    QCOMPARE(got, total);
    QCOMPARE(wrong, 0);
    QVERIFY2(mostOutstanding <= 1536 * 1024, QByteArray::number(mostOutstanding).constData());
    const qint64 grown = residentBytes() - memoryBefore;
    const qint64 most = m_sandbox.fixture().traits().isRemote ? 48 : 16;
    QVERIFY2(grown < most * 1024 * 1024, QByteArray::number(grown).constData());
}

void StreamsGroup::slowReaderOfOneStreamLeavesOthersAlone()
{
    if (!m_sandbox.fixture().traits().separateStreams)
        QSKIP("both streams of a command come over one connection here");
    const auto started = test::await(m_connection->shell().start(
        shellCommand("yes >&2 & sleep 0.5; echo through; sleep 60"), {}));
    BERTH_OK(started);
    QByteArray out;
    QObject context;
    QObject::connect(started->get(), &domain::Execution::output, &context,
                     [&](OutputStream stream, const QByteArray &bytes) {
                         if (stream == OutputStream::Stdout) {
                             out += bytes;
                             (*started)->acknowledge(stream, bytes.size());
                         }
                     });
    bool ended = false;
    QObject::connect(started->get(), &domain::Execution::finished, &context, [&] { ended = true; });
    QVERIFY(test::waitUntil([&] { return out == "through\n"; }, 5s));
    (*started)->stop();
    QVERIFY(test::waitUntil([&] { return ended; }, 5s));
}

void StreamsGroup::inputRoundTrip()
{
    NEEDS_LIVE_INPUT();
    // Many of the pieces in which it goes out, of 24 KiB at the smallest.
    const int size = (m_sandbox.fixture().traits().isRemote ? 400 : 1024) * 1024 + 17;
    const QByteArray bytes = randomBytes(size);
    domain::CommandSpec spec = shellCommand("cat");
    spec.openInput = true;
    const auto command = test::start(m_connection->shell(), spec);
    QVERIFY(command);
    command->execution().writeInput(bytes.left(1));
    command->execution().writeInput(bytes.mid(1, 300'000));
    command->execution().writeInput(bytes.mid(300'001));
    command->execution().closeInput();
    QVERIFY(command->waitForEnd());
    QCOMPARE(command->outcome().kind, OutcomeKind::Exited);
    QCOMPARE(command->out.size(), bytes.size());
    QCOMPARE(sha256(command->out), sha256(bytes));
}

void StreamsGroup::inputToACommandThatDoesNotRead()
{
    NEEDS_LIVE_INPUT();
    domain::CommandSpec spec = shellCommand("sleep 0.5; exit 4");
    spec.openInput = true;
    const auto command = test::start(m_connection->shell(), spec);
    QVERIFY(command);
    command->execution().writeInput(randomBytes(4 * 1024 * 1024));
    command->execution().closeInput();
    QVERIFY(command->waitForEnd(10s));
    QCOMPARE(command->outcome().kind, OutcomeKind::Exited);
    QCOMPARE(command->outcome().code, 4);
    QCOMPARE(run("echo ok").out, QByteArrayLiteral("ok\n"));
}

void StreamsGroup::inputStaysOpenUntilClosed()
{
    NEEDS_LIVE_INPUT();
    domain::CommandSpec spec =
        shellCommand("while read -r line; do echo \"<$line>\"; done; echo end");
    spec.openInput = true;
    const auto command = test::start(m_connection->shell(), spec);
    QVERIFY(command);
    command->execution().writeInput("one\n");
    QVERIFY(command->waitForOutput("<one>\n"));
    command->execution().writeInput("two\n");
    QVERIFY(command->waitForOutput("<two>\n"));
    test::spin(200ms);
    QVERIFY(!command->isFinished());
    command->execution().closeInput();
    QVERIFY(command->waitForEnd(5s));
    QCOMPARE(command->out, QByteArrayLiteral("<one>\n<two>\nend\n"));
}

int runStreamsGroup(Fixture &fixture, const QStringList &arguments)
{
    StreamsGroup group(fixture);
    return QTest::qExec(&group, arguments);
}

} // namespace berth::contract

#include "streams_group.moc"
