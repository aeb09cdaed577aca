// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/text.h"
#include "support/await.h"
#include "ui/files/file_browser.h"
#include "ui/files/file_preview.h"
#include "ui/files/hex_text.h"
#include "ui/files/transfer_queue.h"
#include "ui/files/transfer_strip.h"
#include "ui/style/berth_style.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"

#include <QtCore/QBuffer>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QTableView>

#include <algorithm>
#include <map>

using namespace berth;
using namespace berth::application;
using namespace berth::ui;
using domain::ErrorKind;
using domain::FileKind;

namespace {

//! Files in memory, behind the commands that the browser sends. Directories are names that end with
//! a slash.
class MemoryFiles final : public EngineClient
{
public:
    std::map<QString, QByteArray> files;
    bool asleep = false;
    int lists = 0;
    int pageSize = 500;
    QStringList removed;

    void submit(domain::RequestId, const QString &name, Payload arguments, Done done) override
    {
        Payload copy = std::move(arguments);
        QMetaObject::invokeMethod(
            this, [this, name, copy, done] { done(answer(name, copy)); }, Qt::QueuedConnection);
    }
    void cancel(const domain::RequestId &) override {}
    bool isConnected() const override { return true; }

private:
    template <typename Command, typename Work>
    bool on(const QString &name, const Payload &arguments, domain::Result<Payload> &answer,
            Work work)
    {
        if (name != QLatin1String(Command::kName))
            return false;
        const domain::Result<Command> command = decode<Command>(arguments);
        if (!command) {
            answer = tl::unexpected(command.error());
            return true;
        }
        const domain::Result<typename Command::Reply> reply = work(*command);
        answer = reply ? domain::Result<Payload>(encode(*reply))
                       : domain::Result<Payload>(tl::unexpected(reply.error()));
        return true;
    }

    static tl::unexpected<domain::Error> no(ErrorKind kind, const char *text)
    {
        return domain::failure(kind, QString::fromLatin1(text));
    }

    FileView viewOf(const QString &path) const
    {
        FileView view;
        view.name = path.section(QLatin1Char('/'), -1);
        const bool folder = files.contains(path + QLatin1Char('/'));
        view.kind = folder ? FileKind::Directory : FileKind::Regular;
        view.mode = 0644;
        view.size = folder ? 0 : files.at(path).size();
        view.modified = QDateTime::fromSecsSinceEpoch(1'700'000'000 + view.size, Qt::UTC);
        if (view.name == QLatin1String("loop")) {
            view.kind = FileKind::Symlink;
            view.linkTarget = QStringLiteral("loop");
            view.problem = QStringLiteral("Links in a circle");
        }
        return view;
    }
    bool has(const QString &path) const
    {
        return files.contains(path) || files.contains(path + QLatin1Char('/'));
    }

    domain::Result<Payload> answer(const QString &name, const Payload &arguments)
    {
        domain::Result<Payload> answer = no(ErrorKind::Internal, "not scripted");
        const bool known =
            on<ListFiles>(name, arguments, answer, [this](const ListFiles &c) { return list(c); })
            || on<StatFile>(name, arguments, answer,
                            [this](const StatFile &c) -> domain::Result<FileView> {
                                if (!has(c.path))
                                    return no(ErrorKind::NotFound, "not there");
                                return viewOf(c.path);
                            })
            || on<ReadFile>(
                name, arguments, answer,
                [this](const ReadFile &c) -> domain::Result<FileChunk> {
                    if (!files.contains(c.path))
                        return no(ErrorKind::NotFound, "not there");
                    return FileChunk{c.offset, files.at(c.path).mid(c.offset, c.length)};
                })
            || on<MakeFolder>(name, arguments, answer,
                              [this](const MakeFolder &c) -> domain::Result<FileView> {
                                  files[c.path + QLatin1Char('/')] = {};
                                  return viewOf(c.path);
                              })
            || on<RenameFile>(name, arguments, answer,
                              [this](const RenameFile &c) -> domain::Result<FileView> {
                                  if (has(c.to))
                                      return no(ErrorKind::Conflict, "taken");
                                  files[c.to] = files.at(c.from);
                                  files.erase(c.from);
                                  return viewOf(c.to);
                              })
            || on<RemoveFile>(name, arguments, answer,
                              [this](const RemoveFile &c) -> domain::Result<Nothing> {
                                  removed << c.path;
                                  files.erase(c.path);
                                  return Nothing{};
                              })
            || on<OpenUpload>(name, arguments, answer,
                              [this](const OpenUpload &c) -> domain::Result<UploadView> {
                                  if (has(c.path) && !c.replace)
                                      return no(ErrorKind::Conflict, "taken");
                                  m_uploads[c.path] = {};
                                  return UploadView{c.path};
                              })
            || on<WriteUpload>(name, arguments, answer,
                               [this](const WriteUpload &c) -> domain::Result<Nothing> {
                                   m_uploads[c.upload] += c.bytes;
                                   return Nothing{};
                               })
            || on<CommitUpload>(name, arguments, answer,
                                [this](const CommitUpload &c) -> domain::Result<FileView> {
                                    files[c.upload] = m_uploads[c.upload];
                                    return viewOf(c.upload);
                                })
            || on<AbortUpload>(name, arguments, answer,
                               [this](const AbortUpload &c) -> domain::Result<Nothing> {
                                   m_uploads.erase(c.upload);
                                   return Nothing{};
                               });
        if (!known)
            qWarning("not scripted: %s", qPrintable(name));
        return answer;
    }

    domain::Result<FileList> list(const ListFiles &command)
    {
        ++lists;
        if (asleep && !command.wake)
            return no(ErrorKind::Conflict, "asleep");
        asleep = false;
        FileList page;
        page.directory = command.path.isEmpty() ? QStringLiteral("/workspace") : command.path;
        QList<FileView> all;
        const QString prefix = page.directory + QLatin1Char('/');
        for (const auto &[path, content] : files) {
            const QString bare = path.endsWith(QLatin1Char('/')) ? path.chopped(1) : path;
            if (bare.startsWith(prefix) && !bare.mid(prefix.size()).contains(QLatin1Char('/')))
                all << viewOf(bare);
        }
        const qsizetype from = command.cursor.toInt();
        page.entries = all.mid(from, pageSize);
        if (from + pageSize < all.size())
            page.next = QString::number(from + pageSize);
        return page;
    }

    std::map<QString, QByteArray> m_uploads;
};

} // namespace

class TestFileBrowser final : public QObject
{
    Q_OBJECT

    std::unique_ptr<MemoryFiles> m_client;
    std::unique_ptr<TransferQueue> m_queue;
    std::unique_ptr<FileBrowser> m_browser;

    FileModel &model() { return *m_browser->model(); }
    QString cell(int row, int column = FileModel::Name)
    {
        return model().index(row, column).data().toString();
    }
    bool ready()
    {
        return test::waitUntil([this] { return model().state() == FileModel::State::Ready; });
    }
    void select(const char *name)
    {
        const QModelIndex at = model().find(QString::fromUtf8(name));
        QVERIFY2(at.isValid(), name);
        m_browser->table()->setCurrentIndex(at);
    }
    bool previews(FilePreview::Kind kind)
    {
        return test::waitUntil([this, kind] { return m_browser->preview()->kind() == kind; });
    }

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(new BerthStyle); }
    void init()
    {
        m_client = std::make_unique<MemoryFiles>();
        m_client->files = {{QStringLiteral("/workspace/src/"), {}},
                           {QStringLiteral("/workspace/src/main.py"), "print(1)\n"},
                           {QStringLiteral("/workspace/a10.txt"), "ten"},
                           {QStringLiteral("/workspace/a9.txt"), "a longer nine"},
                           {QStringLiteral("/workspace/.secret"), "x"},
                           {QStringLiteral("/workspace/loop"), {}},
                           {QStringLiteral("/workspace/-rf"), "dash"}};
        m_queue = std::make_unique<TransferQueue>(*m_client);
        m_browser = std::make_unique<FileBrowser>(*m_client, *m_queue);
        m_browser->resize(520, 700);
        m_browser->show();
        m_browser->setTarget(QStringLiteral("box"), QStringLiteral("default / box"), {});
        m_browser->enter();
        QVERIFY(ready());
    }
    void cleanup()
    {
        m_browser.reset();
        m_queue.reset();
        m_client.reset();
    }

    void foldersFirstThenByNumberInTheName()
    {
        QStringList names;
        for (int row = 0; row < model().rowCount(); ++row)
            names << model().index(row, 0).data(Qt::EditRole).toString();
        QCOMPARE(names.first(), QStringLiteral("src"));
        QVERIFY(names.indexOf(QStringLiteral("a9.txt")) < names.indexOf(QStringLiteral("a10.txt")));
        QVERIFY(!names.contains(QStringLiteral(".secret")));
        m_browser->table()->sortByColumn(FileModel::Size, Qt::DescendingOrder);
        QCOMPARE(cell(0), QStringLiteral("src"));
        QCOMPARE(cell(1), QStringLiteral("a9.txt"));
    }

    void hiddenOnesOnRequest()
    {
        QCOMPARE(model().hiddenCount(), 1);
        m_browser->hiddenBox()->click();
        QVERIFY(model().find(QStringLiteral(".secret")).isValid());
    }

    void problemIsTheRows()
    {
        const QModelIndex loop = model().find(QStringLiteral("loop"));
        QVERIFY(loop.data().toString().contains(QStringLiteral("Links in a circle")));
        select("loop");
        QVERIFY(test::waitUntil([this] { return m_browser->preview()->isVisible(); }));
        QVERIFY(!m_browser->preview()->downloadButton()->isEnabled());
    }

    void intoAFolderAndUpAgain()
    {
        select("src");
        QTest::keyClick(m_browser->table(), Qt::Key_Return);
        QVERIFY(test::waitUntil([this] {
            return model().directory() == QLatin1String("/workspace/src")
                && model().state() == FileModel::State::Ready;
        }));
        QCOMPARE(cell(0), QStringLiteral("main.py"));
        QCOMPARE(m_browser->pathEdit()->text(), QStringLiteral("/workspace/src"));
        QTest::keyClick(m_browser->table(), Qt::Key_Backspace);
        QVERIFY(
            test::waitUntil([this] { return model().directory() == QLatin1String("/workspace"); }));
        QVERIFY(ready());
        QCOMPARE(m_browser->table()->currentIndex().data().toString(), QStringLiteral("src"));
    }

    void textPictureAndBytesAreShown()
    {
        QImage image(3, 2, QImage::Format_RGB32);
        image.fill(Qt::red);
        QByteArray png;
        QBuffer buffer(&png);
        buffer.open(QIODevice::WriteOnly);
        QVERIFY(image.save(&buffer, "PNG"));
        m_client->files[QStringLiteral("/workspace/p.png")] = png;
        m_client->files[QStringLiteral("/workspace/b.bin")] = QByteArray::fromHex("00ff414243");
        model().reload();
        QVERIFY(ready());
        select("a9.txt");
        QVERIFY(previews(FilePreview::Kind::Text));
        QCOMPARE(m_browser->preview()->text(), QStringLiteral("a longer nine"));
        select("b.bin");
        QVERIFY(previews(FilePreview::Kind::Bytes));
        QVERIFY(m_browser->preview()->text().contains(QStringLiteral("00 ff 41 42 43")));
        QVERIFY(m_browser->preview()->text().contains(QStringLiteral("..ABC")));
        select("p.png");
        QVERIFY(previews(FilePreview::Kind::Picture));
    }

    void asleepAsksBeforeItWakes()
    {
        m_client->asleep = true;
        model().reload();
        QVERIFY(test::waitUntil([this] { return model().state() == FileModel::State::Asleep; }));
        QVERIFY(m_client->asleep);
        Button *resume = m_browser->empty()->findChild<Button *>();
        QVERIFY(resume && resume->isVisible());
        resume->click();
        QVERIFY(ready());
        QVERIFY(!m_client->asleep);
    }

    void deletingAsksAndCancelIsTheDefault()
    {
        select("-rf");
        QTest::keyClick(m_browser->table(), Qt::Key_Delete);
        QVERIFY(m_browser->banner()->isVisible());
        QVERIFY(m_browser->banner()->title().contains(QStringLiteral("/workspace/-rf")));
        QWidget *focused = QApplication::focusWidget();
        if (focused)
            QTest::keyClick(focused, Qt::Key_Space);
        test::spin(std::chrono::milliseconds(20));
        QVERIFY(m_client->removed.isEmpty());
        QTest::keyClick(m_browser->table(), Qt::Key_Delete);
        for (Button *button : m_browser->banner()->findChildren<Button *>()) {
            if (button->text() == QLatin1String("Delete"))
                button->click();
        }
        QVERIFY(test::waitUntil([this] { return m_client->removed.size() == 1; }));
        QCOMPARE(m_client->removed.first(), QStringLiteral("/workspace/-rf"));
        QVERIFY(test::waitUntil([this] { return !model().find(QStringLiteral("-rf")).isValid(); }));
    }

    void renamedInPlaceAndATakenNameIsTold()
    {
        const QModelIndex from = model().find(QStringLiteral("a10.txt"));
        QVERIFY(model().setData(from, QStringLiteral("b.txt"), Qt::EditRole));
        QVERIFY(
            test::waitUntil([this] { return model().find(QStringLiteral("b.txt")).isValid(); }));
        const QModelIndex again = model().find(QStringLiteral("b.txt"));
        QVERIFY(model().setData(again, QStringLiteral("a9.txt"), Qt::EditRole));
        QVERIFY(test::waitUntil([this] { return m_browser->banner()->isVisible(); }));
        QVERIFY(ready());
        QVERIFY(model().find(QStringLiteral("b.txt")).isValid());
    }

    void newFolder()
    {
        m_browser->newFolderButton()->click();
        QTest::keyClicks(m_browser->newFolderEdit(), QStringLiteral("made"));
        QTest::keyClick(m_browser->newFolderEdit(), Qt::Key_Return);
        QVERIFY(test::waitUntil([this] { return model().find(QStringLiteral("made")).isValid(); }));
    }

    void manyEntriesComeInPages()
    {
        for (int i = 0; i < 1200; ++i)
            m_client->files[QStringLiteral("/workspace/many/f%1").arg(i)] = {};
        model().open(QStringLiteral("/workspace/many"));
        QVERIFY(test::waitUntil([this] { return model().rowCount() >= 500; }));
        QVERIFY(test::waitUntil([this] {
            if (model().canFetchMore({}))
                model().fetchMore({});
            return model().rowCount() == 1200;
        }));
        QVERIFY(!model().hasMore());
    }

    void uploadsAndDownloadsWithWhatIsThereAlready()
    {
        QTemporaryDir local;
        QFile file(local.filePath(QStringLiteral("a9.txt")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("new");
        file.close();
        m_browser->upload({QFile::encodeName(file.fileName())});
        const int id = m_queue->items().first().id;
        QVERIFY(test::waitUntil(
            [this, id] { return m_queue->find(id)->state == TransferQueue::State::Failed; }));
        QCOMPARE(m_client->files[QStringLiteral("/workspace/a9.txt")], QByteArray("a longer nine"));
        const auto *strip = m_browser->findChild<TransferStrip *>();
        QVERIFY(strip->buttonOf(id, 0)->isVisible());
        strip->buttonOf(id, 0)->click();
        QVERIFY(test::waitUntil(
            [this, id] { return m_queue->find(id)->state == TransferQueue::State::Done; }));
        QCOMPARE(m_client->files[QStringLiteral("/workspace/a9.txt")], QByteArray("new"));

        QTemporaryDir into;
        QVERIFY(ready());
        select("a10.txt");
        m_browser->downloadTo(QFile::encodeName(into.path()));
        const int down = m_queue->items().last().id;
        QVERIFY(test::waitUntil(
            [this, down] { return m_queue->find(down)->state == TransferQueue::State::Done; }));
        QFile got(into.filePath(QStringLiteral("a10.txt")));
        QVERIFY(got.open(QIODevice::ReadOnly));
        QCOMPARE(got.readAll(), QByteArray("ten"));
    }

    void aLongQueueShowsWhatWorks()
    {
        QTemporaryDir local;
        QList<QByteArray> paths;
        for (int i = 0; i < 20; ++i) {
            QFile file(local.filePath(QStringLiteral("q%1").arg(i)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("x");
            paths << QFile::encodeName(file.fileName());
        }
        m_browser->upload(paths);
        QVERIFY(test::waitUntil([this] {
            const QList<TransferQueue::Item> items = m_queue->items();
            return std::all_of(items.begin(), items.end(), [](const TransferQueue::Item &item) {
                return item.state == TransferQueue::State::Done;
            });
        }));
        const auto *strip = m_browser->findChild<TransferStrip *>();
        int rows = 0;
        for (const TransferQueue::Item &item : m_queue->items())
            rows += strip->textOf(item.id).isEmpty() ? 0 : 1;
        QCOMPARE(rows, 6);
        QVERIFY(m_client->files.contains(QStringLiteral("/workspace/q19")));
    }

    void whatIsTextAndWhatIsNot()
    {
        QVERIFY(isPlainText("gr\xc3\xbc\xc3\x9f\n", false));
        QVERIFY(isPlainText("cut \xe6\xbc", true));
        QVERIFY(!isPlainText("cut \xe6\xbc", false));
        QVERIFY(!isPlainText(QByteArray("a\0b", 3), false));
        QVERIFY(!isPlainText("\xff\xfe", false));
    }
};

QTEST_MAIN(TestFileBrowser)
#include "test_file_browser.moc"
