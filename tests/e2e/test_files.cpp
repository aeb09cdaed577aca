// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Files between this machine and a real Local sandbox, through a real Engine: by the transfers that
// the window uses, and by the real berth-cli. Case 33 and the file side of 22: what is left when
// somebody goes in the middle.
#include "application/engine_client.h"
#include "application/transfers/transfer.h"
#include "bootstrap/engine_thread.h"
#include "domain/text.h"
#include "providers/registry/provider_kinds.h"
#include "support/await.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QProcess>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <csignal>
#include <sys/stat.h>
#include <unistd.h>

using namespace berth;
using namespace berth::application;
using namespace berth::test;
using namespace std::chrono_literals;
using domain::ErrorKind;
using domain::Result;

namespace {

constexpr qint64 kBig = 64 * 1024 * 1024;

struct Ended
{
    int code = -1;
    QByteArray out;
    QByteArray err;
    [[nodiscard]] QByteArray told() const
    {
        return "exit " + QByteArray::number(code) + "\nout: " + out.left(1000)
            + "\nerr: " + err.left(1000);
    }
};

QByteArray hashOf(const QString &path)
{
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file))
        return "unreadable";
    return hash.result().toHex();
}

bool writeNoise(const QString &path, qint64 size)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return false;
    QByteArray block(1024 * 1024, Qt::Uninitialized);
    quint64 x = 88172645463325252ull;
    while (size > 0) {
        for (qsizetype i = 0; i + 8 <= block.size(); i += 8) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            memcpy(block.data() + i, &x, 8);
        }
        const qint64 n = qMin<qint64>(size, block.size());
        if (file.write(block.constData(), n) != n)
            return false;
        size -= n;
    }
    return true;
}

QStringList namesIn(const QString &directory)
{
    return QDir(directory).entryList(QDir::AllEntries | QDir::Hidden | QDir::System
                                     | QDir::NoDotAndDotDot);
}

} // namespace

class FilesEndToEnd final : public QObject
{
    Q_OBJECT

private:
    template <typename Command>
    static Result<typename Command::Reply> ask(EngineClient &client, const Command &command)
    {
        QObject guard;
        std::optional<Result<typename Command::Reply>> answer;
        deliver(&guard, client, command,
                [&](Result<typename Command::Reply> reply) { answer = std::move(reply); });
        if (!waitUntil([&] { return answer.has_value(); }, 60s))
            return domain::failure(ErrorKind::Timeout, QStringLiteral("no answer"));
        return std::move(*answer);
    }
    //! Runs \a text in the sandbox and waits for its end.
    bool inside(const QString &text)
    {
        Exec exec;
        exec.target = m_target;
        exec.shellText = text;
        const auto started = ask(*m_client, exec);
        if (!started)
            return false;
        return waitUntil(
            [&] {
                const auto call = ask(*m_client, GetToolCall{started->toolCall});
                return call && call->state == domain::ToolCallState::Done;
            },
            60s);
    }
    static Result<TransferReport> ended(Transfer &transfer)
    {
        std::optional<Result<TransferReport>> result;
        connect(&transfer, &Transfer::finished, &transfer,
                [&](const Result<TransferReport> &end) { result = end; });
        if (!waitUntil([&] { return result.has_value(); }, 120s))
            return domain::failure(ErrorKind::Timeout, QStringLiteral("it does not end"));
        return *result;
    }
    Result<TransferReport> upload(const QString &path, bool recursive = false)
    {
        Transfer transfer(*m_client);
        UploadRequest request;
        request.target = m_target;
        request.localPath = QFile::encodeName(path);
        request.recursive = recursive;
        transfer.upload(request);
        return ended(transfer);
    }
    Result<TransferReport> download(const QString &path, const QString &folder,
                                    bool recursive = false)
    {
        Transfer transfer(*m_client);
        DownloadRequest request;
        request.target = m_target;
        request.path = path;
        request.localFolder = QFile::encodeName(folder);
        request.recursive = recursive;
        transfer.download(request);
        return ended(transfer);
    }
    QStringList remoteNames(const QString &path = {})
    {
        QStringList names;
        const auto list = ask(*m_client, ListFiles{m_target, path, {}, 1000, false});
        if (list)
            for (const FileView &view : list->entries)
                names << view.name;
        names.sort();
        return names;
    }
    Ended cli(const QStringList &arguments, const QString &directory = {}) const
    {
        QProcess process;
        process.setWorkingDirectory(directory);
        process.start(QStringLiteral(BERTH_CLI),
                      QStringList{QStringLiteral("--data-dir"), m_paths.engine.data} + arguments);
        Ended ended;
        if (process.waitForFinished(60'000))
            ended.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
        ended.out = process.readAllStandardOutput();
        ended.err = process.readAllStandardError();
        return ended;
    }
    static QStringList words(const QString &line)
    {
        return line.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    }
    [[nodiscard]] QString at(const QString &path) const
    {
        return m_target + QLatin1Char(':') + path;
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("bwrap")).isEmpty()) {
            if (qEnvironmentVariable("BERTH_REQUIRE_ENGINE") == QLatin1String("1"))
                QFAIL("bubblewrap is not installed");
            QSKIP("bubblewrap is not installed");
        }
        m_paths = bootstrap::resolvePaths(m_directory.filePath(QStringLiteral("data")));
        BERTH_OK(bootstrap::makeDirectories(m_paths));
        Result<remote::InstanceLock> lock = remote::InstanceLock::take(m_paths.engine.data);
        BERTH_OK(lock);
        m_engine = std::make_unique<bootstrap::EngineThread>(std::move(*lock), m_paths,
                                                             providers::builtinProviderKinds());
        bool ready = false;
        connect(m_engine.get(), &bootstrap::EngineThread::ready, this, [&ready] { ready = true; });
        m_engine->start();
        QVERIFY(waitUntil([&ready] { return ready; }));
        m_client = m_engine->connectClient(ClientKind::Window);
        QVERIFY(waitUntil([this] { return m_client->isConnected(); }));
        NewThread thread;
        thread.agent = domain::AgentId(QStringLiteral("default"));
        thread.config = domain::ConfigName(QStringLiteral("local"));
        thread.text = QStringLiteral("!true");
        const auto started = ask(*m_client, thread);
        BERTH_OK(started);
        m_target = started->thread.toString();
        QVERIFY(waitUntil([this, &started] {
            const auto call = ask(*m_client, GetToolCall{started->toolCall});
            return call && call->state == domain::ToolCallState::Done;
        }));
        BERTH_OK(ask(*m_client, ListFiles{m_target, {}, {}, 10, false}));
    }

    void cleanupTestCase()
    {
        if (!m_engine)
            return;
        const auto runtimes = ask(*m_client, ListRuntimes{});
        if (runtimes)
            for (const RuntimeView &runtime : runtimes->runtimes) {
                DestroyRuntime destroy;
                destroy.runtime = runtime.id;
                BERTH_OK(ask(*m_client, destroy));
            }
        m_client.reset();
        bool finished = false;
        connect(m_engine.get(), &bootstrap::EngineThread::finished, this,
                [&finished] { finished = true; });
        m_engine->shutDown(true);
        QVERIFY(waitUntil([&finished] { return finished; }, 60s));
    }

    void init() { m_local = std::make_unique<QTemporaryDir>(); }

    void aBigFileComesBackAsItWas()
    {
        const QString big = m_local->filePath(QStringLiteral("big"));
        QVERIFY(writeNoise(big, kBig + 12345));
        QVERIFY(QDir(m_local->path()).mkdir(QStringLiteral("back")));
        const auto sent = upload(big);
        BERTH_OK(sent);
        QCOMPARE(sent->bytes, kBig + 12345);
        QVERIFY(inside(QStringLiteral("sha256sum big > sum")));
        const auto sum = ask(*m_client, ReadFile{m_target, QStringLiteral("sum"), 0, 100, false});
        BERTH_OK(sum);
        QCOMPARE(sum->bytes.left(64), hashOf(big));
        const QString back = m_local->filePath(QStringLiteral("back"));
        BERTH_OK(download(QStringLiteral("big"), back));
        QCOMPARE(hashOf(back + QStringLiteral("/big")), hashOf(big));
        QCOMPARE(namesIn(back), QStringList{QStringLiteral("big")});
        QVERIFY(inside(QStringLiteral("rm -f big sum")));
    }

    // Case 33.
    void oddNamesGoThereAndBack()
    {
        const QString tree = m_local->filePath(QStringLiteral("tree"));
        QVERIFY(QDir().mkpath(tree + QStringLiteral("/sub")));
        const QByteArray raw = QFile::encodeName(tree);
        const QList<QByteArray> odd{"new\nline",   "\xff\xfe", "-rf",
                                    "back\\slash", "\\x41",    "sub/in"};
        for (const QByteArray &name : odd) {
            FILE *file = ::fopen((raw + '/' + name).constData(), "w");
            QVERIFY(file);
            ::fwrite(name.constData(), 1, static_cast<std::size_t>(name.size()), file);
            ::fclose(file);
        }
        ::chmod((raw + "/-rf").constData(), 0750);
        BERTH_OK(upload(tree, true));
        const QString back = m_local->filePath(QStringLiteral("back"));
        QVERIFY(QDir().mkpath(back));
        const auto report = download(QStringLiteral("tree"), back, true);
        BERTH_OK(report);
        QCOMPARE(report->files, odd.size());
        QCOMPARE(report->skippedCount, 0);
        for (const QByteArray &name : odd) {
            FILE *file = ::fopen((QFile::encodeName(back) + "/tree/" + name).constData(), "r");
            QVERIFY2(file, name.constData());
            char bytes[64] = {};
            const std::size_t got = ::fread(bytes, 1, sizeof bytes, file);
            ::fclose(file);
            QCOMPARE(QByteArray(bytes, static_cast<qsizetype>(got)), name);
        }
        struct stat st = {};
        QCOMPARE(::stat((QFile::encodeName(back) + "/tree/-rf").constData(), &st), 0);
        QVERIFY2((st.st_mode & 0100) != 0, "a program is one here, too");
        RemoveFile remove{m_target, QStringLiteral("tree"), true, false};
        BERTH_OK(ask(*m_client, remove));
    }

    // Case 33.
    void whatLeadsOutIsLeftOut()
    {
        QVERIFY(inside(QStringLiteral(
            "mkdir -p h/d && cd h && echo ok > f && ln -s /etc etc && ln -s "
            "../../../../../etc/passwd "
            "pw && ln -s loop loop && ln -s d todir && mkfifo fifo && ln -s gone dangling")));
        const auto list = ask(*m_client, ListFiles{m_target, QStringLiteral("h"), {}, 100, false});
        BERTH_OK(list);
        QHash<QString, FileView> views;
        for (const FileView &view : list->entries)
            views.insert(view.name, view);
        QCOMPARE(views[QStringLiteral("loop")].problem, QStringLiteral("Links in a circle"));
        QCOMPARE(views[QStringLiteral("dangling")].problem, QStringLiteral("Leads nowhere"));
        QVERIFY(views[QStringLiteral("todir")].linkToDirectory);
        const auto report = download(QStringLiteral("h"), m_local->path(), true);
        BERTH_OK(report);
        QCOMPARE(namesIn(m_local->filePath(QStringLiteral("h"))),
                 (QStringList{QStringLiteral("d"), QStringLiteral("f")}));
        QCOMPARE(report->skippedCount, 6);
        QVERIFY(inside(QStringLiteral("rm -rf h")));
    }

    void whoGoesLeavesNothing()
    {
        auto other = m_engine->connectClient(ClientKind::Cli);
        QVERIFY(waitUntil([&] { return other->isConnected(); }));
        OpenUpload open;
        open.target = m_target;
        open.path = QStringLiteral("half");
        const auto opened = ask(*other, open);
        BERTH_OK(opened);
        BERTH_OK(ask(*other, WriteUpload{opened->upload, QByteArray(100'000, 'x')}));
        QCOMPARE(remoteNames().filter(QStringLiteral(".tmp")).size(), 1);
        BERTH_FAILS(ask(*m_client, WriteUpload{opened->upload, "mine"}), ErrorKind::NotFound);
        other.reset();
        QVERIFY(waitUntil([this] { return remoteNames().isEmpty(); }, 10s));
    }

    void asleepIsSaid()
    {
        const auto runtimes = ask(*m_client, ListRuntimes{});
        BERTH_OK(runtimes);
        BERTH_OK(ask(*m_client, PauseRuntime{runtimes->runtimes.first().id}));
        BERTH_FAILS(ask(*m_client, ListFiles{m_target, {}, {}, 10, false}), ErrorKind::Conflict);
        const Ended asleep = cli({QStringLiteral("ls"), m_target});
        QVERIFY2(asleep.code == 65 && asleep.err.contains("--wake"), asleep.told().constData());
        const Ended awake = cli({QStringLiteral("ls"), m_target, QStringLiteral("--wake")});
        QVERIFY2(awake.code == 0, awake.told().constData());
        BERTH_OK(ask(*m_client, ListFiles{m_target, {}, {}, 10, false}));
    }

    void fromTheShell()
    {
        const QString here = m_local->path();
        QVERIFY(writeNoise(here + QStringLiteral("/a.bin"), 700'000));
        QVERIFY(QDir(here).mkpath(QStringLiteral("dir/sub")));
        QVERIFY(writeNoise(here + QStringLiteral("/dir/sub/b"), 10));
        const auto run = [&](const QStringList &line) { return cli(line, here); };
        const QString cp = QStringLiteral("cp");
        Ended end = run({cp, QStringLiteral("a.bin"), at({})});
        QVERIFY2(end.code == 0 && end.out.isEmpty(), end.told().constData());
        end = run({cp, QStringLiteral("a.bin"), at({})});
        QVERIFY2(end.code == 65 && end.err.contains("--replace"), end.told().constData());
        end = run({cp, QStringLiteral("a.bin"), at({}), QStringLiteral("--replace")});
        QVERIFY2(end.code == 0, end.told().constData());
        end = run({cp, QStringLiteral("dir"), at(QStringLiteral("copy"))});
        QVERIFY2(end.code == 64 && end.err.contains("directory"), end.told().constData());
        end = run({cp, QStringLiteral("-r"), QStringLiteral("dir"), at(QStringLiteral("copy"))});
        QVERIFY2(end.code == 0, end.told().constData());
        end = run({QStringLiteral("ls"), m_target});
        QCOMPARE(end.out, QByteArrayLiteral("a.bin\ncopy/\n"));
        end = run({QStringLiteral("ls"), QStringLiteral("-l"), at(QStringLiteral("copy/sub"))});
        QVERIFY2(end.code == 0 && end.out.contains("-rw") && end.out.contains("10 B"),
                 end.told().constData());
        end =
            run({QStringLiteral("--json"), QStringLiteral("ls"), at(QStringLiteral("/workspace"))});
        const QJsonObject object = QJsonDocument::fromJson(end.out).object();
        QCOMPARE(object[QLatin1String("entries")].toArray().size(), 2);
        end = run({cp, QStringLiteral("-r"), at(QStringLiteral("copy")), QStringLiteral("back")});
        QVERIFY2(end.code == 0, end.told().constData());
        QCOMPARE(hashOf(here + QStringLiteral("/back/sub/b")),
                 hashOf(here + QStringLiteral("/dir/sub/b")));
        end = run({cp, at(QStringLiteral("a.bin")), QStringLiteral("a.bin")});
        QVERIFY2(end.code == 65, end.told().constData());
        end = run(
            {cp, at(QStringLiteral("a.bin")), QStringLiteral("c.bin"), QStringLiteral("--json")});
        QVERIFY2(end.code == 0, end.told().constData());
        QCOMPARE(QJsonDocument::fromJson(end.out).object()[QLatin1String("bytes")].toInt(),
                 700'000);
        QCOMPARE(hashOf(here + QStringLiteral("/c.bin")), hashOf(here + QStringLiteral("/a.bin")));
        end = run({cp, at(QStringLiteral("none")), QStringLiteral(".")});
        QVERIFY2(end.code == 66 && end.err.contains("none"), end.told().constData());
        end = run({cp, QStringLiteral("none"), at({})});
        QVERIFY2(end.code == 66, end.told().constData());
        end = run({cp, QStringLiteral("a.bin"), QStringLiteral("b.bin")});
        QVERIFY2(end.code == 64, end.told().constData());
        end = run({QStringLiteral("mkdir"), at(QStringLiteral("new/er"))});
        QVERIFY2(end.code == 0, end.told().constData());
        end = run({QStringLiteral("mv"), at(QStringLiteral("a.bin")), QStringLiteral("new/a")});
        QVERIFY2(end.code == 0, end.told().constData());
        end = run({QStringLiteral("rm"), at(QStringLiteral("new"))});
        QVERIFY2(end.code == 65, end.told().constData());
        for (const char *name : {"new", "copy"}) {
            end = run({QStringLiteral("rm"), QStringLiteral("-r"), at(QString::fromLatin1(name))});
            QVERIFY2(end.code == 0, end.told().constData());
        }
        QCOMPARE(remoteNames(), QStringList());
    }

    void interruptedCopiesLeaveNothing()
    {
        const QString here = m_local->path();
        const QString big = here + QStringLiteral("/big");
        QFile file(big);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(qint64(4) << 30)); // sparse
        file.close();
        const auto interrupted = [&](const QStringList &line, const std::function<bool()> &begun) {
            QProcess process;
            process.setWorkingDirectory(here);
            process.start(QStringLiteral(BERTH_CLI),
                          QStringList{QStringLiteral("--data-dir"), m_paths.engine.data} + line);
            if (!process.waitForStarted() || !waitUntil(begun, 20s))
                return -3;
            ::kill(static_cast<pid_t>(process.processId()), SIGINT);
            return waitUntil([&] { return process.state() == QProcess::NotRunning; }, 15s)
                ? process.exitCode()
                : -4;
        };
        QCOMPARE(interrupted({QStringLiteral("cp"), QStringLiteral("big"), at({})},
                             [this] { return !remoteNames().isEmpty(); }),
                 130);
        QVERIFY(waitUntil([this] { return remoteNames().isEmpty(); }, 10s));
        QVERIFY(inside(QStringLiteral("truncate -s 4G big")));
        QVERIFY(QDir(here).mkdir(QStringLiteral("to")));
        const QString to = here + QStringLiteral("/to");
        QCOMPARE(
            interrupted({QStringLiteral("cp"), at(QStringLiteral("big")), QStringLiteral("to")},
                        [&] { return !namesIn(to).isEmpty(); }),
            130);
        QCOMPARE(namesIn(to), QStringList());
        QVERIFY(inside(QStringLiteral("rm -f big")));
    }

private:
    QTemporaryDir m_directory;
    bootstrap::AppPaths m_paths;
    std::unique_ptr<bootstrap::EngineThread> m_engine;
    std::unique_ptr<EngineClient> m_client;
    QString m_target;
    std::unique_ptr<QTemporaryDir> m_local;
};

QTEST_GUILESS_MAIN(FilesEndToEnd)
#include "test_files.moc"
