// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Files for clients: asleep or awake, uploads that end, links that lead nowhere (case 33), and
// transfers against a peer that lies. The sandbox is a script, because no real one lies on demand.
#include "application/engine_client.h"
#include "application/files/file_service.h"
#include "application/transfers/transfer.h"
#include "async/completion.h"
#include "house.h"
#include "scripted_files.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace berth;
using namespace berth::test;
using namespace berth::application;
using domain::FileKind;
using std::chrono::milliseconds;

namespace {

const QString kSource = QStringLiteral("test");

//! A client whose commands go straight to the service.
class DirectClient final : public EngineClient
{
public:
    explicit DirectClient(FileService &files) : m_files(files) {}
    void submit(domain::RequestId, const QString &command, Payload arguments, Done done) override
    {
        names << command;
        if (command == QLatin1String(ListFiles::kName))
            run(m_files.list(*decode<ListFiles>(arguments), kSource, {}), done);
        else if (command == QLatin1String(StatFile::kName))
            run(m_files.stat(*decode<StatFile>(arguments), kSource, {}), done);
        else if (command == QLatin1String(ReadFile::kName))
            run(m_files.read(*decode<ReadFile>(arguments), kSource, {}), done);
        else if (command == QLatin1String(MakeFolder::kName))
            run(m_files.makeFolder(*decode<MakeFolder>(arguments), kSource, {}), done);
        else if (command == QLatin1String(OpenUpload::kName))
            run(m_files.openUpload(*decode<OpenUpload>(arguments), this, kSource, {}), done);
        else if (command == QLatin1String(WriteUpload::kName))
            run(m_files.writeUpload(*decode<WriteUpload>(arguments), this, {}), done);
        else if (command == QLatin1String(CommitUpload::kName))
            run(m_files.commitUpload(*decode<CommitUpload>(arguments), this, {}), done);
        else if (command == QLatin1String(AbortUpload::kName))
            run(m_files.abortUpload(*decode<AbortUpload>(arguments), this), done);
    }
    void cancel(const domain::RequestId &) override { ++cancels; }
    bool isConnected() const override { return true; }

    QStringList names;
    int cancels = 0;

private:
    template <typename T>
    static async::Task<void> run(Async<T> work, Done done)
    {
        const Result<T> result = co_await work;
        const async::Completion<bool> later; // never inside submit()
        later.complete(true);
        co_await later;
        if (result)
            done(encode(*result));
        else
            done(tl::unexpected(result.error()));
    }

    FileService &m_files;
};

class FilesConnection final : public ScriptedConnection
{
public:
    explicit FilesConnection(std::shared_ptr<ScriptedFiles> files) : m_files(std::move(files)) {}
    domain::FileSystem &fs() override { return *m_files; }

private:
    std::shared_ptr<ScriptedFiles> m_files;
};

QStringList namesIn(const QString &directory)
{
    return QDir(directory).entryList(QDir::AllEntries | QDir::Hidden | QDir::System
                                     | QDir::NoDotAndDotDot);
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

} // namespace

class FilesTest final : public QObject
{
    Q_OBJECT

private:
    QString target() const { return m_lease->lease().id.toString(); }
    Result<FileList> list(const QString &path = {}, bool wake = false, int limit = 500,
                          const QString &cursor = {})
    {
        return await(m_service->list({target(), path, cursor, limit, wake}, kSource, {}));
    }
    Result<FileView> stat(const QString &path)
    {
        return await(m_service->stat({target(), path, false}, kSource, {}));
    }
    Result<UploadView> openUpload(const QString &path, bool replace = false)
    {
        return await(
            m_service->openUpload({target(), path, -1, replace, false}, this, kSource, {}));
    }
    Result<Nothing> write(const QString &upload, const QByteArray &bytes)
    {
        return await(m_service->writeUpload({upload, bytes}, this, {}));
    }
    void make(milliseconds silence)
    {
        const auto thread = [this](const domain::ThreadId &id) {
            return m_house->threads.contains(id) ? std::optional(m_house->threads.value(id))
                                                 : std::nullopt;
        };
        m_service = std::make_unique<FileService>(*m_house->sandboxes, thread, silence);
    }
    Result<TransferReport> download(const DownloadRequest &request)
    {
        DirectClient client(*m_service);
        Transfer transfer(client);
        return ended(transfer, [&] { transfer.download(request); });
    }
    Result<TransferReport> upload(const UploadRequest &request)
    {
        DirectClient client(*m_service);
        Transfer transfer(client);
        return ended(transfer, [&] { transfer.upload(request); });
    }
    static Result<TransferReport> ended(Transfer &transfer, const std::function<void()> &begin)
    {
        std::optional<Result<TransferReport>> result;
        connect(&transfer, &Transfer::finished, &transfer,
                [&](const Result<TransferReport> &end) { result = end; });
        begin();
        if (!waitUntil([&] { return result.has_value(); }))
            return failure(ErrorKind::Timeout, QStringLiteral("it does not end"));
        return *result;
    }

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        m_local = std::make_unique<QTemporaryDir>();
        m_engine = std::make_shared<ScriptedEngine>();
        m_files = std::make_shared<ScriptedFiles>();
        m_files->add("/workspace", FileKind::Directory);
        m_engine->open = [files = m_files](const ExternalId &) {
            return std::make_shared<FilesConnection>(files);
        };
        m_house = std::make_unique<House>(m_directory->path(), m_engine);
        m_lease = m_house->newLease();
        make(std::chrono::minutes(1));
    }
    void cleanup()
    {
        m_service->stop();
        m_service.reset();
        m_house.reset();
    }

    void lookingStartsNothing()
    {
        m_files->add("/workspace/a", FileKind::Regular, "x");
        BERTH_FAILS(list(), ErrorKind::Conflict);
        BERTH_FAILS(stat(QStringLiteral("a")), ErrorKind::Conflict);
        BERTH_FAILS(openUpload(QStringLiteral("b")), ErrorKind::Conflict);
        QCOMPARE(m_engine->creates, 0);
        BERTH_OK(list({}, true));
        QCOMPARE(m_engine->creates, 1);
        BERTH_OK(list());
        BERTH_OK(await(m_lease->pause(kSource, {})));
        const auto asleep = list();
        BERTH_FAILS(asleep, ErrorKind::Conflict);
        QVERIFY(asleep.error().message.contains(QStringLiteral("asleep")));
        QCOMPARE(m_engine->resumes, 0);
        BERTH_OK(list({}, true));
        QCOMPARE(m_engine->resumes, 1);
        QCOMPARE(m_engine->creates, 1);
        // Paused outside, which nobody has told us yet.
        m_engine->instances.first().state = ObservedState::Paused;
        QTest::qWait(3100);
        BERTH_FAILS(list(), ErrorKind::Conflict);
        QCOMPARE(m_engine->resumes, 1);
    }

    void targetsAndPaths()
    {
        BERTH_OK(m_house->ensure(m_lease));
        m_files->add("/workspace/a\xff\\x", FileKind::Regular, "x");
        const auto all = list();
        BERTH_OK(all);
        QCOMPARE(all->directory, QStringLiteral("/workspace"));
        QCOMPARE(all->entries.size(), 1);
        QCOMPARE(all->entries[0].name, QStringLiteral("a\\xff\\\\x"));
        BERTH_OK(stat(all->entries[0].name));
        BERTH_OK(stat(QStringLiteral("/workspace/") + all->entries[0].name));
        BERTH_OK(stat({}));
        BERTH_FAILS(stat(QStringLiteral("a\\x00b")), ErrorKind::InvalidInput);
        const QString thread = m_house->threads.keys().first().toString();
        BERTH_OK(await(m_service->list({thread, {}, {}, 9, false}, kSource, {})));
        BERTH_FAILS(
            await(m_service->list({QStringLiteral("nobody"), {}, {}, 9, false}, kSource, {})),
            ErrorKind::NotFound);
        const auto gone = stat(QStringLiteral("none"));
        BERTH_FAILS(gone, ErrorKind::NotFound);
        QVERIFY(gone.error().message.contains(QStringLiteral("\"none\"")));
        BERTH_FAILS(await(m_service->remove({target(), {}, true, false}, kSource, {})),
                    ErrorKind::InvalidInput);
        m_files->add("/workspace/b", FileKind::Regular, "y");
        BERTH_FAILS(await(m_service->rename(
                        {target(), all->entries[0].name, QStringLiteral("b"), false}, kSource, {})),
                    ErrorKind::Conflict);
        BERTH_OK(await(m_service->rename(
            {target(), QStringLiteral("b"), QStringLiteral("c"), false}, kSource, {})));
        BERTH_OK(
            await(m_service->remove({target(), QStringLiteral("c"), false, false}, kSource, {})));
    }

    // Case 33.
    void linksAndRefusalsAreRows()
    {
        BERTH_OK(m_house->ensure(m_lease));
        m_files->add("/workspace/dir", FileKind::Directory);
        m_files->add("/workspace/toDir", FileKind::Symlink, "dir");
        m_files->add("/workspace/toLink", FileKind::Symlink, "/workspace/toDir");
        m_files->add("/workspace/toFile", FileKind::Symlink, "file");
        m_files->add("/workspace/file", FileKind::Regular, "x");
        m_files->add("/workspace/self", FileKind::Symlink, "self");
        m_files->add("/workspace/one", FileKind::Symlink, "two");
        m_files->add("/workspace/two", FileKind::Symlink, "one");
        m_files->add("/workspace/nowhere", FileKind::Symlink, "gone");
        m_files->add("/workspace/toShut", FileKind::Symlink, "/shut/in");
        m_files->failing.insert("/shut/in", ErrorKind::Forbidden);
        const auto all = list();
        BERTH_OK(all);
        QHash<QString, FileView> views;
        for (const FileView &view : all->entries)
            views.insert(view.name, view);
        QCOMPARE(views.size(), 10);
        QVERIFY(views[QStringLiteral("toDir")].linkToDirectory);
        QVERIFY(views[QStringLiteral("toLink")].linkToDirectory);
        QVERIFY(!views[QStringLiteral("toFile")].linkToDirectory);
        QCOMPARE(views[QStringLiteral("toFile")].problem, QString());
        for (const char *name : {"self", "one", "two"})
            QCOMPARE(views[QString::fromLatin1(name)].problem, QStringLiteral("Links in a circle"));
        QCOMPARE(views[QStringLiteral("nowhere")].problem, QStringLiteral("Leads nowhere"));
        QVERIFY(!views[QStringLiteral("toShut")].problem.isEmpty());
        QCOMPARE(stat(QStringLiteral("self"))->problem, QStringLiteral("Links in a circle"));

        m_files->failing.insert("/workspace/dir", ErrorKind::Forbidden);
        const auto shut = list(QStringLiteral("dir"));
        BERTH_FAILS(shut, ErrorKind::Forbidden);
        QVERIFY(shut.error().message.contains(QStringLiteral("\"dir\"")));
    }

    void pages()
    {
        BERTH_OK(m_house->ensure(m_lease));
        for (int i = 0; i < 1500; ++i)
            m_files->add("/workspace/f" + QByteArray::number(i), FileKind::Regular);
        QSet<QString> seen;
        QString cursor;
        int rounds = 0;
        do {
            const auto page = list({}, false, 100'000, cursor);
            BERTH_OK(page);
            QVERIFY(page->entries.size() <= FileService::kLargestPage);
            for (const FileView &view : page->entries)
                seen.insert(view.name);
            cursor = page->next;
        } while (!cursor.isEmpty() && ++rounds < 9);
        QCOMPARE(seen.size(), 1500);
    }

    void uploadsCountAsWorkAndAreKept()
    {
        BERTH_OK(m_house->ensure(m_lease));
        QCOMPARE(m_lease->inFlight(), 0);
        const auto opened = openUpload(QStringLiteral("new"));
        BERTH_OK(opened);
        QCOMPARE(m_lease->inFlight(), 1);
        BERTH_OK(write(opened->upload, "one "));
        QVERIFY(!m_files->files.contains("/workspace/new"));
        BERTH_OK(write(opened->upload, "two"));
        BERTH_FAILS(await(m_service->writeUpload({opened->upload, "x"}, nullptr, {})),
                    ErrorKind::NotFound);
        BERTH_FAILS(write(opened->upload, QByteArray(300'000, 'x')), ErrorKind::InvalidInput);
        const auto view = await(m_service->commitUpload({opened->upload}, this, {}));
        BERTH_OK(view);
        QCOMPARE(view->size, 7);
        QCOMPARE(m_files->files["/workspace/new"].content, QByteArrayLiteral("one two"));
        QCOMPARE(m_lease->inFlight(), 0);
        QCOMPARE(m_files->writers, 0);
        BERTH_FAILS(write(opened->upload, "x"), ErrorKind::NotFound);
        BERTH_FAILS(openUpload(QStringLiteral("new")), ErrorKind::Conflict);
        const auto second = openUpload(QStringLiteral("new"), true);
        BERTH_OK(second);
        BERTH_OK(await(m_service->abortUpload({second->upload}, this)));
        QCOMPARE(m_files->writers, 0);
        QCOMPARE(m_lease->inFlight(), 0);
    }

    void piecesStayInOrder()
    {
        BERTH_OK(m_house->ensure(m_lease));
        const auto opened = openUpload(QStringLiteral("new"));
        BERTH_OK(opened);
        QList<std::shared_ptr<test::detail::Landing<Result<Nothing>>>> landings;
        for (int i = 0; i < 20; ++i) {
            landings << std::make_shared<test::detail::Landing<Result<Nothing>>>();
            test::detail::land(
                m_service->writeUpload({opened->upload, QByteArray::number(i) + ' '}, this, {}),
                landings.last());
        }
        const auto committed = await(m_service->commitUpload({opened->upload}, this, {}));
        BERTH_OK(committed);
        QByteArray expected;
        for (int i = 0; i < 20; ++i) {
            BERTH_OK(*landings[i]->value);
            expected += QByteArray::number(i) + ' ';
        }
        QCOMPARE(m_files->files["/workspace/new"].content, expected);
    }

    void uploadsEndByThemselves()
    {
        make(milliseconds(150));
        BERTH_OK(m_house->ensure(m_lease));
        const auto silent = openUpload(QStringLiteral("silent"));
        BERTH_OK(silent);
        // Slow is not silent: a piece that the sandbox has not taken yet keeps it.
        m_files->slow = true;
        const auto landing = std::make_shared<test::detail::Landing<Result<Nothing>>>();
        test::detail::land(m_service->writeUpload({silent->upload, "x"}, this, {}), landing);
        spin(milliseconds(400));
        QCOMPARE(m_service->openUploads(), 1);
        m_files->letGo();
        QVERIFY(waitUntil([&] { return landing->value.has_value(); }));
        BERTH_OK(*landing->value);
        QVERIFY(waitUntil([&] { return m_service->openUploads() == 0; }, milliseconds(3000)));
        QCOMPARE(m_files->writers, 0);
        QCOMPARE(m_lease->inFlight(), 0);
        BERTH_FAILS(write(silent->upload, "x"), ErrorKind::NotFound);
        // The client goes, with a piece on its way.
        const auto left = openUpload(QStringLiteral("left"));
        BERTH_OK(left);
        const auto cut = std::make_shared<test::detail::Landing<Result<Nothing>>>();
        test::detail::land(m_service->writeUpload({left->upload, "x"}, this, {}), cut);
        m_service->forget(this);
        QVERIFY(waitUntil([&] { return cut->value.has_value(); }));
        QVERIFY(!*cut->value);
        QVERIFY(waitUntil([&] { return m_files->writers == 0; }));
        QCOMPARE(m_lease->inFlight(), 0);
        QVERIFY(!m_files->files.contains("/workspace/left"));
    }

    void uploadsAreBounded()
    {
        BERTH_OK(m_house->ensure(m_lease));
        for (int i = 0; i < FileService::kMostUploads; ++i)
            BERTH_OK(openUpload(QString::number(i)));
        BERTH_FAILS(openUpload(QStringLiteral("more")), ErrorKind::Quota);
        m_service->forget(this);
        BERTH_OK(openUpload(QStringLiteral("more")));
    }

    // ---- transfers

    void downloadTakesNothingFromALiar()
    {
        BERTH_OK(m_house->ensure(m_lease));
        const QString outside = m_local->filePath(QStringLiteral("outside"));
        const QString inside = m_local->filePath(QStringLiteral("inside"));
        QVERIFY(QDir().mkpath(outside) && QDir().mkpath(inside));
        m_files->add("/workspace/tree", FileKind::Directory);
        m_files->add("/workspace/tree/good", FileKind::Regular, "good");
        m_files->add("/workspace/tree/etc", FileKind::Symlink, "/etc");
        m_files->add("/workspace/tree/fifo", FileKind::Other);
        m_files->add("/workspace/tree/shut", FileKind::Regular, "secret");
        m_files->failing.insert("/workspace/tree/shut", ErrorKind::Forbidden);
        int n = 0;
        for (const QByteArray &name :
             {QByteArray(".."), QByteArray("."), QByteArray("../outside/evil"),
              QByteArray("/etc/evil"), QByteArray("a/b"), QByteArray(), QByteArray(300, 'x'),
              QByteArray("nul\0", 4)}) {
            const QByteArray key = "/workspace/tree/lie" + QByteArray::number(n++);
            m_files->add(key, n % 2 ? FileKind::Regular : FileKind::Directory, "evil");
            m_files->files[key].entry.name = name;
        }
        // The same name twice, as a file and as a directory.
        m_files->add("/workspace/tree/twice", FileKind::Directory);
        m_files->files["/workspace/tree/twice"].entry.name = "good";
        DownloadRequest request;
        request.target = target();
        request.path = QStringLiteral("tree");
        request.localFolder = QFile::encodeName(inside);
        request.recursive = true;
        const auto report = download(request);
        BERTH_OK(report);
        QCOMPARE(namesIn(inside), QStringList{QStringLiteral("tree")});
        QCOMPARE(namesIn(inside + QStringLiteral("/tree")), QStringList{QStringLiteral("good")});
        QCOMPARE(namesIn(outside), QStringList());
        QCOMPARE(contentOf(inside + QStringLiteral("/tree/good")).isEmpty(), false);
        QVERIFY2(report->skippedCount >= 11, QByteArray::number(report->skippedCount).constData());
        // Without being asked to, no directory is taken.
        request.recursive = false;
        BERTH_FAILS(download(request), ErrorKind::InvalidInput);
    }

    void downloadGoesThroughNoLinkOfThisMachine()
    {
        BERTH_OK(m_house->ensure(m_lease));
        const QString outside = m_local->filePath(QStringLiteral("outside"));
        const QString inside = m_local->filePath(QStringLiteral("inside"));
        QVERIFY(QDir().mkpath(outside) && QDir().mkpath(inside + QStringLiteral("/tree")));
        QVERIFY(QFile::link(outside, inside + QStringLiteral("/tree/sub")));
        QVERIFY(
            QFile::link(outside + QStringLiteral("/hit"), inside + QStringLiteral("/tree/file")));
        m_files->add("/workspace/tree", FileKind::Directory);
        m_files->add("/workspace/tree/file", FileKind::Regular, "new");
        m_files->add("/workspace/tree/sub", FileKind::Directory);
        m_files->add("/workspace/tree/sub/evil", FileKind::Regular, "evil");
        DownloadRequest request;
        request.target = target();
        request.path = QStringLiteral("tree");
        request.localFolder = QFile::encodeName(inside);
        request.recursive = true;
        BERTH_FAILS(download(request), ErrorKind::Conflict);
        request.onExisting = OnExisting::Replace;
        BERTH_OK(download(request));
        QCOMPARE(namesIn(outside), QStringList());
        QVERIFY(!QFileInfo(inside + QStringLiteral("/tree/file")).isSymLink());
        QCOMPARE(contentOf(inside + QStringLiteral("/tree/file")), QByteArrayLiteral("new"));
    }

    void existingFilesAreTheUsersChoice()
    {
        BERTH_OK(m_house->ensure(m_lease));
        m_files->add("/workspace/a.txt", FileKind::Regular, "theirs");
        const QString mine = m_local->filePath(QStringLiteral("a.txt"));
        QFile file(mine);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
        file.close();
        DownloadRequest request;
        request.target = target();
        request.path = QStringLiteral("a.txt");
        request.localFolder = QFile::encodeName(m_local->path());
        BERTH_FAILS(download(request), ErrorKind::Conflict);
        QCOMPARE(contentOf(mine), QByteArrayLiteral("mine"));
        request.onExisting = OnExisting::KeepBoth;
        const auto both = download(request);
        BERTH_OK(both);
        QCOMPARE(both->name, QStringLiteral("a (2).txt"));
        QCOMPARE(contentOf(mine), QByteArrayLiteral("mine"));
        QCOMPARE(contentOf(m_local->filePath(both->name)), QByteArrayLiteral("theirs"));
        request.onExisting = OnExisting::Replace;
        BERTH_OK(download(request));
        QCOMPARE(contentOf(mine), QByteArrayLiteral("theirs"));
        QCOMPARE(namesIn(m_local->path()).size(), 2);

        UploadRequest up;
        up.target = target();
        up.localPath = QFile::encodeName(mine);
        BERTH_FAILS(upload(up), ErrorKind::Conflict);
        up.onExisting = OnExisting::KeepBoth;
        BERTH_OK(upload(up));
        QVERIFY(m_files->files.contains("/workspace/a (2).txt"));
        up.onExisting = OnExisting::Replace;
        BERTH_OK(upload(up));
        QCOMPARE(m_files->files.size(), 3);
    }

    void uploadLeavesOutLinksAndDevices()
    {
        BERTH_OK(m_house->ensure(m_lease));
        const QString tree = m_local->filePath(QStringLiteral("tree"));
        QVERIFY(QDir().mkpath(tree + QStringLiteral("/sub/empty")));
        const QByteArray raw = QFile::encodeName(tree);
        const QList<QByteArray> odd{"new\nline", "\xff\xfe", "-rf", "back\\slash", "\\x41"};
        for (const QByteArray &name : odd) {
            FILE *file = ::fopen((raw + '/' + name).constData(), "w");
            QVERIFY(file);
            ::fwrite(name.constData(), 1, static_cast<std::size_t>(name.size()), file);
            ::fclose(file);
        }
        QCOMPARE(::symlink("/etc/passwd", (raw + "/link").constData()), 0);
        QCOMPARE(::symlink("..", (raw + "/sub/up").constData()), 0);
        QCOMPARE(::mkfifo((raw + "/fifo").constData(), 0600), 0);
        UploadRequest request;
        request.target = target();
        request.localPath = raw;
        BERTH_FAILS(upload(request), ErrorKind::InvalidInput);
        request.recursive = true;
        const auto report = upload(request);
        BERTH_OK(report);
        QCOMPARE(report->files, odd.size());
        QCOMPARE(report->skippedCount, 3);
        for (const QByteArray &name : odd)
            QCOMPARE(m_files->files["/workspace/tree/" + name].content, name);
        QVERIFY(m_files->files.contains("/workspace/tree/sub/empty"));
        QVERIFY(!m_files->files.contains("/workspace/tree/link"));
        QVERIFY(!m_files->files.contains("/workspace/tree/fifo"));
    }

    void cancelledTransfersLeaveNothing()
    {
        BERTH_OK(m_house->ensure(m_lease));
        const QByteArray big(3'000'000, 'b');
        m_files->add("/workspace/big", FileKind::Regular, big);
        DirectClient client(*m_service);
        {
            Transfer transfer(client);
            connect(&transfer, &Transfer::progress, &transfer, [&](const TransferProgress &state) {
                if (state.bytes > 0)
                    transfer.cancel();
            });
            DownloadRequest request;
            request.target = target();
            request.path = QStringLiteral("big");
            request.localFolder = QFile::encodeName(m_local->path());
            const auto end = ended(transfer, [&] { transfer.download(request); });
            // A transfer that told nothing in between was over before.
            if (!end)
                BERTH_FAILS(end, ErrorKind::Cancelled);
        }
        {
            // Deleted in the middle it tidies up all the same.
            auto transfer = std::make_unique<Transfer>(client);
            DownloadRequest request;
            request.target = target();
            request.path = QStringLiteral("big");
            request.name = "second";
            request.localFolder = QFile::encodeName(m_local->path());
            m_files->slow = true;
            transfer->download(request);
            QVERIFY(waitUntil([&] { return m_files->gates.size() == 3; }));
            QVERIFY(!namesIn(m_local->path()).filter(QStringLiteral(".part")).isEmpty());
            transfer.reset();
            m_files->letGo();
            m_files->slow = false;
        }
        QVERIFY(waitUntil(
            [&] { return namesIn(m_local->path()).filter(QStringLiteral("part")).isEmpty(); }));
        QVERIFY(!QFile::exists(m_local->filePath(QStringLiteral("second"))));

        QFile file(m_local->filePath(QStringLiteral("up")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(big) == big.size());
        file.close();
        m_files->slow = true;
        Transfer transfer(client);
        UploadRequest request;
        request.target = target();
        request.localPath = QFile::encodeName(file.fileName());
        std::optional<Result<TransferReport>> end;
        connect(&transfer, &Transfer::finished, &transfer,
                [&](const Result<TransferReport> &result) { end = result; });
        transfer.upload(request);
        QVERIFY(waitUntil([&] { return !m_files->gates.isEmpty(); }));
        transfer.cancel();
        QVERIFY(client.cancels > 0);
        for (int i = 0; i < 5 && !end; ++i) {
            m_files->letGo();
            waitUntil([&] { return end.has_value(); }, milliseconds(200));
        }
        QVERIFY(end.has_value());
        BERTH_FAILS(*end, ErrorKind::Cancelled);
        QVERIFY(client.names.contains(QLatin1String(AbortUpload::kName)));
        QVERIFY(!m_files->files.contains("/workspace/up"));
        QCOMPARE(m_files->writers, 0);
    }

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<QTemporaryDir> m_local;
    std::shared_ptr<ScriptedEngine> m_engine;
    std::shared_ptr<ScriptedFiles> m_files;
    std::unique_ptr<House> m_house;
    LeaseController *m_lease = nullptr;
    std::unique_ptr<FileService> m_service;
};
QTEST_GUILESS_MAIN(FilesTest)
#include "test_files.moc"
