// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Background commands and terminals in real sandboxes, by the Engine's commands and by the real
// program on a real terminal.
#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "bootstrap/engine_thread.h"
#include "providers/registry/provider_kinds.h"
#include "remote/instance_lock.h"
#include "support/await.h"
#include "support/docker_probe.h"

#include <QtCore/QDirIterator>
#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

using namespace berth;
using namespace berth::application;
using namespace berth::test;

namespace {

template <typename T>
using Result = domain::Result<T>;

qint64 residentBytes()
{
    QFile status(QStringLiteral("/proc/self/statm"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    return status.readAll().split(' ').value(1).toLongLong() * ::sysconf(_SC_PAGESIZE);
}

qint64 bytesBelow(const QString &folder)
{
    qint64 sum = 0;
    QDirIterator it(folder, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        it.next();
        sum += it.fileInfo().size();
    }
    return sum;
}

//! A data directory with an Engine that can be ended and begun again. Its sandboxes go at the end.
class Home
{
public:
    explicit Home(QString provider) : m_provider(std::move(provider))
    {
        m_paths = bootstrap::resolvePaths(data());
        if (!bootstrap::makeDirectories(m_paths))
            qFatal("no directories");
        if (m_provider == QLatin1String("docker")) {
            QFile config(m_paths.engine.sandboxes + QStringLiteral("/docker.json"));
            if (!config.open(QIODevice::WriteOnly))
                qFatal("no config");
            config.write(
                R"({"provider": "docker", "docker": {"image": "berth-test:latest", "network": "none"}})");
        }
    }
    ~Home()
    {
        if (!m_engine)
            open();
        for (const domain::LeaseId &lease : std::as_const(m_leases)) {
            DestroyRuntime destroy{lease.toString()};
            const auto destroyed = ask(destroy, 60s);
            Q_UNUSED(destroyed)
        }
        close(false);
    }
    [[nodiscard]] QString data() const { return m_directory.filePath(QStringLiteral("data")); }
    [[nodiscard]] const bootstrap::AppPaths &paths() const { return m_paths; }

    bool open()
    {
        auto lock = remote::InstanceLock::take(m_paths.engine.data);
        if (!lock)
            return false;
        m_engine = std::make_unique<bootstrap::EngineThread>(std::move(*lock), m_paths,
                                                             providers::builtinProviderKinds());
        bool ready = false;
        QObject::connect(m_engine.get(), &bootstrap::EngineThread::ready, m_engine.get(),
                         [&ready] { ready = true; });
        m_engine->start();
        if (!waitUntil([&ready] { return ready; }))
            return false;
        m_client = m_engine->connectClient(ClientKind::Window);
        return waitUntil([this] { return m_client->isConnected(); });
    }
    void close(bool byUser)
    {
        m_client.reset();
        if (!m_engine)
            return;
        bool finished = false;
        QObject::connect(m_engine.get(), &bootstrap::EngineThread::finished, m_engine.get(),
                         [&finished] { finished = true; });
        m_engine->shutDown(byUser);
        if (!waitUntil([&finished] { return finished; }, 60s))
            qWarning("the Engine does not end");
        m_engine.reset();
    }

    template <typename Command>
    Result<typename Command::Reply> ask(const Command &command,
                                        std::chrono::milliseconds limit = 30s)
    {
        const auto answer = later(command);
        if (!waitUntil([answer] { return answer->has_value(); }, limit))
            return domain::failure(domain::ErrorKind::Timeout, QStringLiteral("in vain"));
        return **answer;
    }
    template <typename Command>
    std::shared_ptr<std::optional<Result<typename Command::Reply>>> later(const Command &command)
    {
        auto answer = std::make_shared<std::optional<Result<typename Command::Reply>>>();
        deliver(m_client.get(), *m_client, command,
                [answer](const Result<typename Command::Reply> &reply) { answer->emplace(reply); });
        return answer;
    }
    Started newThread()
    {
        NewThread command;
        command.agent = domain::AgentId(QStringLiteral("default"));
        command.config = domain::ConfigName(m_provider);
        command.text = QStringLiteral("!true");
        const Result<Started> started = ask(command);
        if (!started)
            qFatal("%s", told(started).constData());
        m_leases << started->lease;
        waitForCall(started->toolCall);
        return *started;
    }
    //! Standard output of a foreground command.
    QByteArray run(const QString &target, const QString &text)
    {
        Exec command;
        command.target = target;
        command.shellText = text;
        const Result<Started> started = ask(command);
        if (!started)
            return "error: " + told(started);
        waitForCall(started->toolCall);
        ReadOutput read;
        read.toolCall = started->toolCall;
        const Result<OutputChunk> chunk = ask(read);
        return chunk ? chunk->bytes : "error: " + told(chunk);
    }
    void waitForCall(const domain::ToolCallId &id)
    {
        GetToolCall get{id};
        waitUntil(
            [&] {
                const auto call = ask(get);
                return !call || call->outcome.has_value();
            },
            60s);
    }
    Result<ProcessView> begin(const QString &target, const QString &text, int columns = 0,
                              int rows = 0)
    {
        StartProcess command;
        command.target = target;
        command.shellText = text;
        command.columns = columns;
        command.rows = rows;
        return ask(command, 60s);
    }
    ProcessView process(const domain::ProcessId &id)
    {
        const Result<Snapshot> snapshot = ask(GetSnapshot{});
        if (snapshot) {
            for (const ProcessView &view : snapshot->processes) {
                if (view.id == id)
                    return view;
            }
        }
        return {};
    }
    bool comesTo(const domain::ProcessId &id, ProcessState state)
    {
        return waitUntil([&] { return process(id).state == state; }, 15s);
    }
    //! All that is there; one answer ends where a piece of the log does.
    QByteArray outputOf(const domain::ProcessId &id, qint64 offset = 0)
    {
        QByteArray all;
        ReadProcess read;
        read.process = id;
        read.offset = offset;
        for (;;) {
            const Result<OutputChunk> chunk = ask(read);
            if (!chunk)
                return "error: " + told(chunk);
            all += chunk->bytes;
            read.offset = chunk->offset + chunk->bytes.size();
            if (chunk->bytes.isEmpty() || read.offset >= chunk->total)
                return all;
        }
    }
    bool shows(const domain::ProcessId &id, const QByteArray &text,
               std::chrono::milliseconds limit = 15s)
    {
        return waitUntil([&] { return outputOf(id, -4096).contains(text); }, limit);
    }
    Result<Nothing> type(const domain::ProcessId &id, const QByteArray &keys)
    {
        WriteProcess write;
        write.process = id;
        write.bytes = keys;
        return ask(write);
    }

private:
    QTemporaryDir m_directory;
    QString m_provider;
    bootstrap::AppPaths m_paths;
    std::unique_ptr<bootstrap::EngineThread> m_engine;
    std::unique_ptr<EngineClient> m_client;
    QList<domain::LeaseId> m_leases;
};

//! The real program on a terminal of its own.
class OnTerminal
{
public:
    OnTerminal(const QString &data, const QStringList &arguments)
    {
        QList<QByteArray> words{BERTH_CLI, "--data-dir", data.toUtf8()};
        for (const QString &argument : arguments)
            words << argument.toUtf8();
        QList<char *> argv;
        for (QByteArray &word : words)
            argv << word.data();
        argv << nullptr;
        winsize size{24, 80, 0, 0};
        if (::openpty(&m_master, &m_slave, nullptr, nullptr, &size) != 0)
            qFatal("no terminal");
        ::tcgetattr(m_slave, &before);
        m_pid = ::fork();
        if (m_pid == 0) {
            ::close(m_master);
            ::login_tty(m_slave);
            ::execv(argv[0], argv.data());
            ::_exit(99);
        }
    }
    ~OnTerminal()
    {
        if (m_pid > 0) {
            ::kill(m_pid, SIGKILL);
            ::waitpid(m_pid, nullptr, 0);
        }
        ::close(m_master);
        ::close(m_slave);
    }
    void type(const QByteArray &keys)
    {
        [[maybe_unused]] const ssize_t written =
            ::write(m_master, keys.constData(), static_cast<size_t>(keys.size()));
    }
    void resize(unsigned short columns, unsigned short rows)
    {
        winsize size{rows, columns, 0, 0};
        ::ioctl(m_master, TIOCSWINSZ, &size);
        // The program leads the session of this terminal.
        ::kill(m_pid, SIGWINCH);
    }
    void signal(int number) { ::kill(m_pid, number); }
    bool waitFor(const QByteArray &text, int limitMs = 20'000)
    {
        return readUntil([&] { return shown.contains(text); }, limitMs);
    }
    //! The exit code, 1000 + n for a signal, -1 when it does not end.
    int end(int limitMs = 20'000)
    {
        int status = 0;
        const bool ended =
            readUntil([&] { return ::waitpid(m_pid, &status, WNOHANG) == m_pid; }, limitMs);
        if (!ended)
            return -1;
        m_pid = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    }
    [[nodiscard]] bool isAsBefore() const
    {
        termios now{};
        ::tcgetattr(m_slave, &now);
        return now.c_lflag == before.c_lflag && now.c_iflag == before.c_iflag
            && now.c_oflag == before.c_oflag;
    }
    [[nodiscard]] bool isRaw() const
    {
        termios now{};
        ::tcgetattr(m_slave, &now);
        return (now.c_lflag & (ICANON | ECHO | ISIG)) == 0;
    }

    QByteArray shown;
    termios before{};

private:
    bool readUntil(const std::function<bool()> &condition, int limitMs)
    {
        QElapsedTimer timer;
        timer.start();
        while (!condition()) {
            if (timer.elapsed() > limitMs)
                return false;
            pollfd entry{m_master, POLLIN, 0};
            if (::poll(&entry, 1, 20) > 0) {
                char bytes[8192];
                const ssize_t got = ::read(m_master, bytes, sizeof bytes);
                if (got > 0)
                    shown.append(bytes, got);
            }
        }
        return true;
    }

    int m_master = -1;
    int m_slave = -1;
    pid_t m_pid = 0;
};

} // namespace

class ProcessesJourney final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    //! The issue's own words: a server started in the background in a Docker thread still answers
    //! after Berth was quit with on_exit "pause" and started again.
    void aServerAnswersAfterBerthWasQuit()
    {
        BERTH_NEEDS_ENGINE();
        Home home(QStringLiteral("docker"));
        QVERIFY(home.open());
        const Started started = home.newThread();
        const QString thread = started.thread.toString();
        const auto server =
            home.begin(thread,
                       QStringLiteral("mkfifo q a; (setsid sleep 54321 &); n=0; echo ready; "
                                      "while read x < q; do n=$((n+1)); echo \"pong $n $x\" > a; "
                                      "echo served $n; done; sleep 54322"));
        BERTH_OK(server);
        QVERIFY(home.shows(server->id, "ready"));
        const QString call = QStringLiteral("echo hi > q; cat a");
        QCOMPARE(home.run(thread, call), QByteArray("pong 1 hi\n"));
        home.close(true);
        QVERIFY(home.open());
        QCOMPARE(home.process(server->id).state, ProcessState::Unknown);
        QVERIFY2(home.process(server->id).detail.contains(QLatin1String("paused")),
                 home.process(server->id).detail.toUtf8().constData());
        ResumeRuntime resume{started.lease.toString()};
        BERTH_OK(home.ask(resume));
        QVERIFY(home.comesTo(server->id, ProcessState::Running));
        QCOMPARE(home.run(thread, call), QByteArray("pong 2 hi\n"));
        QVERIFY(home.shows(server->id, "served 2"));
        QCOMPARE(home.outputOf(server->id), QByteArray("ready\nserved 1\nserved 2\n"));
        // The stop takes the whole tree, and nothing else.
        StopProcess stop{server->id};
        const auto stopped = home.ask(stop);
        BERTH_OK(stopped);
        QCOMPARE(stopped->outcome, std::optional(domain::OutcomeKind::Cancelled));
        QCOMPARE(home.run(thread,
                          QStringLiteral("cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | "
                                         "grep -c 'sleep 5432[12]'")),
                 QByteArray("0\n"));
    }

    void whatLocalEndsIsTold()
    {
        Home home(QStringLiteral("local"));
        QVERIFY(home.open());
        const Started started = home.newThread();
        const auto one = home.begin(started.sandboxAlias, QStringLiteral("echo up; sleep 300"));
        BERTH_OK(one);
        QVERIFY(home.shows(one->id, "up"));
        home.close(true);
        QVERIFY(home.open());
        QCOMPARE(home.process(one->id).state, ProcessState::Ended);
        QVERIFY2(home.process(one->id).detail.startsWith(QLatin1String("Ended when Berth ended")),
                 home.process(one->id).detail.toUtf8().constData());
        QCOMPARE(home.outputOf(one->id), QByteArray("up\n"));
    }

    void aTerminal_data() { kinds(); }
    void aTerminal()
    {
        QFETCH(QString, provider);
        if (provider == QLatin1String("docker"))
            BERTH_NEEDS_ENGINE();
        Home home(provider);
        QVERIFY(home.open());
        const Started started = home.newThread();
        const auto terminal = home.begin(started.sandboxAlias, {}, 100, 30);
        BERTH_OK(terminal);
        BERTH_OK(home.type(terminal->id, "stty size; echo $TERM-$COLORTERM $((40+2))\r"));
        QVERIFY2(home.shows(terminal->id, "xterm-256color-truecolor 42"),
                 home.outputOf(terminal->id).constData());
        QVERIFY(home.shows(terminal->id, "30 100"));
        ResizeProcess resize{terminal->id, 132, 50};
        BERTH_OK(home.ask(resize));
        BERTH_OK(home.type(terminal->id, "stty size\r"));
        QVERIFY(home.shows(terminal->id, "50 132"));
        // ^C ends what runs, not the shell. Told by what is to be ended: a shell that is between
        // two commands of its own takes the signal for itself, and goes on with the second.
        BERTH_OK(home.type(terminal->id, "sh -c 'echo begun-$((1+1)); exec sleep 300'; echo\r"));
        QVERIFY(home.shows(terminal->id, "begun-2"));
        BERTH_OK(home.type(terminal->id, "\x03"));
        // What is typed before the shell is back at its prompt may be lost with the signal.
        bool back = false;
        for (int tries = 0; tries < 8 && !back; ++tries) {
            BERTH_OK(home.type(terminal->id, "echo after-$((1+1))\r"));
            back = home.shows(terminal->id, "after-2", 2s);
        }
        QVERIFY2(back, home.outputOf(terminal->id).right(2000).constData());
        // 100 MB: bounded in memory and on disk, and the end is all there.
        const qint64 before = residentBytes();
        BERTH_OK(home.type(
            terminal->id, "head -c 100000000 /dev/zero | tr '\\0' x; echo; echo flood-$((2+3))\r"));
        QVERIFY(
            waitUntil([&] { return home.outputOf(terminal->id, -64).contains("flood-5"); }, 120s));
        const ProcessView view = home.process(terminal->id);
        QVERIFY2(view.outputBytes + view.skippedBytes > 100'000'000,
                 QByteArray::number(view.outputBytes).constData());
        QCOMPARE(view.skippedBytes, 0);
        const qint64 stored = bytesBelow(home.paths().engine.output + QStringLiteral("/processes"));
        QVERIFY2(stored <= 9 * 1024 * 1024, QByteArray::number(stored).constData());
        const qint64 grown = residentBytes() - before;
        QVERIFY2(grown < 64 * 1024 * 1024, QByteArray::number(grown).constData());
        BERTH_OK(home.type(terminal->id, "exit 7\r"));
        QVERIFY(home.comesTo(terminal->id, ProcessState::Ended));
        QCOMPARE(home.process(terminal->id).exitCode, 7);
    }

    void tooManyAreRefusedPolitely()
    {
        Home home(QStringLiteral("local"));
        QVERIFY(home.open());
        const Started started = home.newThread();
        QList<std::shared_ptr<std::optional<domain::Result<ProcessView>>>> answers;
        for (int i = 0; i < 70; ++i) {
            StartProcess command;
            command.target = started.sandboxAlias;
            command.shellText = QStringLiteral("exec sleep 300");
            answers << home.later(command);
        }
        int begun = 0;
        for (const auto &answer : std::as_const(answers)) {
            QVERIFY(waitUntil([&] { return answer->has_value(); }, 60s));
            if (**answer)
                ++begun;
            else
                BERTH_FAILS(**answer, domain::ErrorKind::Quota);
        }
        QVERIFY2(begun >= 50 && begun <= 64, QByteArray::number(begun).constData());
        int running = 0;
        const QList<ProcessView> listed = home.ask(ListProcesses{})->processes;
        for (const ProcessView &view : listed)
            running += view.state == ProcessState::Running ? 1 : 0;
        QCOMPARE(running, begun);
    }

    void aShellOnARealTerminal()
    {
        Home home(QStringLiteral("local"));
        QVERIFY(home.open());
        const Started started = home.newThread();
        {
            OnTerminal cli(home.data(), {QStringLiteral("shell"), started.sandboxAlias});
            cli.type("echo size $(stty size) $((40+2))\r");
            QVERIFY2(shownSoon(cli, "size 24 80 42"), cli.shown.constData());
            QVERIFY(cli.isRaw());
            cli.resize(120, 40);
            QVERIFY(waitUntil([&] { return running(home).columns == 120; }, 10s));
            cli.type("echo now $(stty size)\r");
            QVERIFY2(shownSoon(cli, "now 40 120"), cli.shown.constData());
            cli.type("exit 5\r");
            QCOMPARE(endOf(cli), 5);
            QVERIFY(cli.isAsBefore());
        }
        QCOMPARE(home.ask(ListProcesses{})->processes.size(), 0);
        {
            // Hung up: the shell goes with it, and the terminal is as before.
            OnTerminal cli(home.data(), {QStringLiteral("shell"), started.sandboxAlias});
            cli.type("echo on-$((1+1))\r");
            QVERIFY2(shownSoon(cli, "on-2"), cli.shown.constData());
            cli.signal(SIGTERM);
            QCOMPARE(endOf(cli), 128 + SIGTERM);
            QVERIFY(cli.isAsBefore());
            QVERIFY(waitUntil([&] { return running(home).id.isNull(); }, 10s));
        }
        {
            // Left with Ctrl-P Ctrl-Q, and come back.
            OnTerminal cli(home.data(), {QStringLiteral("shell"), started.sandboxAlias});
            cli.type("echo here-$((1+2))\r");
            QVERIFY2(shownSoon(cli, "here-3"), cli.shown.constData());
            cli.type("\x10\x11");
            QCOMPARE(endOf(cli), 0);
            QVERIFY(cli.isAsBefore());
            const ProcessView left = running(home);
            QVERIFY(!left.id.isNull());
            OnTerminal back(
                home.data(),
                {QStringLiteral("process"), QStringLiteral("attach"), left.id.toString().left(8)});
            QVERIFY2(shownSoon(back, "here-3"), back.shown.constData());
            back.type("exit 0\r");
            QCOMPARE(endOf(back), 0);
            QVERIFY(back.isAsBefore());
        }
    }

private:
    static void kinds()
    {
        QTest::addColumn<QString>("provider");
        QTest::newRow("local") << QStringLiteral("local");
        QTest::newRow("docker") << QStringLiteral("docker");
    }
    // The Engine lives in this process: its loop must run while the program is waited for.
    static bool shownSoon(OnTerminal &cli, const QByteArray &text)
    {
        return waitUntil([&] { return cli.waitFor(text, 20); }, 20s);
    }
    static int endOf(OnTerminal &cli)
    {
        int code = -1;
        waitUntil(
            [&] {
                code = cli.end(20);
                return code != -1;
            },
            20s);
        return code;
    }
    static ProcessView running(Home &home)
    {
        const auto list = home.ask(ListProcesses{});
        if (list) {
            for (const ProcessView &view : list->processes) {
                if (view.state == ProcessState::Running)
                    return view;
            }
        }
        return {};
    }
};

QTEST_GUILESS_MAIN(ProcessesJourney)
#include "test_processes.moc"
