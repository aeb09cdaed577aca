// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "contract/sandbox_under_test.h"

#include <QtCore/QRandomGenerator>
#include <QtCore/QSet>

#include <algorithm>

using namespace std::chrono_literals;

namespace berth::contract {

using domain::ErrorKind;
using domain::FileKind;
using test::await;
using test::Finished;
using test::shellCommand;
using test::told;

namespace {

QByteArray someBytes(int size)
{
    QByteArray bytes(size, Qt::Uninitialized);
    QRandomGenerator generator{static_cast<quint32>(size)};
    for (char &byte : bytes)
        byte = char(generator.bounded(256));
    return bytes;
}

} // namespace

//! Files inside the sandbox, with the names and contents that other software trips over.
class FilesGroup : public QObject
{
    Q_OBJECT
public:
    explicit FilesGroup(Fixture &fixture) : m_sandbox(fixture) {}

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();

    void roundTrip_data();
    void roundTrip();
    void ranges();
    void commandsSeeTheSameFiles();
    void oddNames_data();
    void oddNames();
    void writeMakesDirectoriesAndReplaces();
    void writeIsAtomic();
    void statKinds();
    void listPages();
    void makeDirectory();
    void rename();
    void remove();
    void missing();
    void wrongKind();
    void forbidden();
    void specialFileDoesNotHang();
    void impossiblePaths();
    void manyAtOnce();
    void writesInPieces();
    void piecesGivenUpLeaveNothing();

private:
    [[nodiscard]] domain::FileSystem &fs() const { return m_connection->fs(); }
    Finished run(const QByteArray &text) { return test::run(m_connection->shell(), text); }
    [[nodiscard]] QByteArray path(const QByteArray &name) const { return m_directory + '/' + name; }
    domain::Result<void> write(const QByteArray &file, const QByteArray &content)
    {
        return await(fs().write(file, content, {}));
    }
    domain::Result<QByteArray> read(const QByteArray &file, qint64 offset = 0,
                                    qint64 length = 64 * 1024 * 1024)
    {
        return await(fs().read(file, offset, length, {}));
    }
    //! All entries, through pages of \a limit.
    domain::Result<QList<domain::FileEntry>> list(const QByteArray &directory, int limit);

    SandboxUnderTest m_sandbox;
    std::shared_ptr<domain::SandboxConnection> m_connection;
    QByteArray m_directory;
    int m_count = 0;
};

void FilesGroup::initTestCase()
{
    BERTH_OPEN(m_sandbox);
    const auto instance = m_sandbox.create(QStringLiteral("files"));
    BERTH_OK(instance);
    const auto connection = m_sandbox.connect(instance->externalId);
    BERTH_OK(connection);
    m_connection = *connection;
}

void FilesGroup::cleanupTestCase()
{
    m_connection.reset();
    m_sandbox.close();
}

void FilesGroup::init()
{
    m_directory = m_sandbox.fixture().traits().home + "/case" + QByteArray::number(++m_count);
    BERTH_OK(await(fs().makeDirectory(m_directory, {})));
}

domain::Result<QList<domain::FileEntry>> FilesGroup::list(const QByteArray &directory, int limit)
{
    QList<domain::FileEntry> all;
    QByteArray cursor;
    for (int pages = 0; pages < 100; ++pages) {
        const domain::Result<domain::FilePage> page =
            await(fs().list(directory, cursor, limit, {}));
        if (!page)
            return domain::failure(page.error());
        if (page->entries.size() > limit)
            return domain::failure(ErrorKind::Internal, QStringLiteral("a page above its limit"));
        all += page->entries;
        if (page->next.isEmpty())
            return all;
        cursor = page->next;
    }
    return domain::failure(ErrorKind::Internal, QStringLiteral("the listing does not end"));
}

void FilesGroup::roundTrip_data()
{
    QTest::addColumn<int>("size");
    for (const int size : {0, 1, 4096, 65'536, 262'144, 1'048'576, 1'048'577, 5'000'000})
        QTest::addRow("%d bytes", size) << size;
}

void FilesGroup::roundTrip()
{
    QFETCH(int, size);
    const QByteArray bytes = someBytes(size);
    BERTH_OK(write(path("file"), bytes));
    const auto back = read(path("file"));
    BERTH_OK(back);
    QVERIFY2(*back == bytes, QByteArray::number(back->size()).constData());
    const auto entry = await(fs().stat(path("file"), {}));
    BERTH_OK(entry);
    QCOMPARE(entry->kind, FileKind::Regular);
    QCOMPARE(entry->size, qint64(size));
}

void FilesGroup::ranges()
{
    const QByteArray bytes = someBytes(2'500'000);
    BERTH_OK(write(path("file"), bytes));
    const QList<std::pair<qint64, qint64>> ranges{
        {0, 1}, {1, 10}, {999'999, 1'300'000}, {2'499'999, 100}, {2'500'000, 5}, {9'000'000, 5},
        {0, 0}, {5, 0}};
    for (const auto &[offset, length] : ranges) {
        const auto part = read(path("file"), offset, length);
        BERTH_OK(part);
        QVERIFY2(
            *part == bytes.mid(offset, length),
            QByteArray::number(offset).append('+').append(QByteArray::number(length)).constData());
    }
    BERTH_FAILS(read(path("file"), -1, 5), ErrorKind::InvalidInput);
    BERTH_FAILS(read(path("file"), 0, -5), ErrorKind::InvalidInput);
}

void FilesGroup::commandsSeeTheSameFiles()
{
    BERTH_OK(write(path("from-berth"), "one\n"));
    const Finished finished =
        run("cd " + m_directory + " && cat from-berth && printf 'two\\000' > from-command");
    QCOMPARE(finished.out, QByteArrayLiteral("one\n"));
    const auto back = read(path("from-command"));
    BERTH_OK(back);
    QCOMPARE(*back, QByteArray("two\0", 4));
    // A file written for a user must be usable by his commands.
    QCOMPARE(run("echo more >> " + path("from-berth") + " && chmod 600 " + path("from-berth"))
                 .outcome.code,
             0);
}

void FilesGroup::oddNames_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("newline") << QByteArrayLiteral("new\nline");
    QTest::newRow("ends with newline") << QByteArrayLiteral("end\n");
    QTest::newRow("invalid UTF-8") << QByteArray("\xff\xfe\x80");
    QTest::newRow("leading dash") << QByteArrayLiteral("-rf");
    QTest::newRow("spaces") << QByteArrayLiteral("  a  b ");
    QTest::newRow("quotes") << QByteArrayLiteral("'a\"b`c$(d)\\");
    QTest::newRow("pattern") << QByteArrayLiteral("*");
    QTest::newRow("control characters") << QByteArray("\x01\x1b[31m\x7f");
    QTest::newRow("wide") << QByteArray("\xe6\xbc\xa2\xf0\x9f\x9a\xa2");
    QTest::newRow("three dots") << QByteArrayLiteral("...");
    QTest::newRow("255 bytes") << QByteArray(255, 'n');
}

void FilesGroup::oddNames()
{
    QFETCH(QByteArray, name);
    BERTH_OK(write(path(name), name));
    const auto back = read(path(name));
    BERTH_OK(back);
    QCOMPARE(*back, name);
    const auto entries = list(m_directory, 100);
    BERTH_OK(entries);
    QCOMPARE(entries->size(), 1);
    QCOMPARE(entries->first().name, name);
    QCOMPARE(entries->first().size, qint64(name.size()));
    BERTH_OK(await(fs().rename(path(name), path("plain"), {})));
    BERTH_OK(await(fs().rename(path("plain"), path(name), {})));
    BERTH_OK(await(fs().makeDirectory(path("d") + '/' + name, {})));
    BERTH_OK(await(fs().remove(path(name), false, {})));
    BERTH_FAILS(await(fs().stat(path(name), {})), ErrorKind::NotFound);
}

void FilesGroup::writeMakesDirectoriesAndReplaces()
{
    BERTH_OK(write(path("a/b/c/file"), "first, and longer"));
    BERTH_OK(write(path("a/b/c/file"), "second"));
    const auto back = read(path("a/b/c/file"));
    BERTH_OK(back);
    QCOMPARE(*back, QByteArrayLiteral("second"));
    const auto entries = list(path("a/b/c"), 10);
    BERTH_OK(entries);
    QVERIFY2(entries->size() == 1, "a temporary file was left");

    QCOMPARE(run("chmod 751 " + path("a/b/c/file")).outcome.code, 0);
    BERTH_OK(write(path("a/b/c/file"), "third"));
    const auto entry = await(fs().stat(path("a/b/c/file"), {}));
    BERTH_OK(entry);
    QVERIFY2(entry->mode == 0751, "replacing a file took its permissions away");
}

void FilesGroup::writeIsAtomic()
{
    const QByteArray small(100'000, 's');
    const QByteArray large(3'000'000, 'l');
    BERTH_OK(write(path("file"), small));
    const auto reader = test::start(
        m_connection->shell(),
        shellCommand("until [ -e " + path("stop") + " ]; do wc -c < " + path("file") + "; done"));
    QVERIFY(reader);
    QVERIFY(reader->waitForOutput("100000\n"));
    const int times = m_sandbox.fixture().traits().isRemote ? 5 : 15;
    for (int i = 0; i < times; ++i) {
        BERTH_OK(write(path("file"), i % 2 == 0 ? large : small));
    }
    BERTH_OK(write(path("stop"), {}));
    QVERIFY(reader->waitForEnd());
    QCOMPARE(reader->err, QByteArray());
    const QList<QByteArray> lines = reader->out.split('\n');
    QSet<QByteArray> sizes(lines.begin(), lines.end());
    sizes.remove({});
    QCOMPARE(sizes, (QSet<QByteArray>{"100000", "3000000"}));
}

void FilesGroup::statKinds()
{
    const Finished prepared = run(
        "cd " + m_directory
        + " && printf 12345 > file && chmod 640 file && mkdir dir && "
          "ln -s file link && ln -s dir dirlink && ln -s nowhere dangling && ln -s loop loop && "
          "mkfifo fifo && touch -d '2020-02-03 04:05:06 UTC' file 2>/dev/null || "
          "TZ=UTC touch -t 202002030405.06 file");
    QVERIFY2(prepared.outcome.code == 0, told(prepared).constData());
    const auto file = await(fs().stat(path("file"), {}));
    BERTH_OK(file);
    QCOMPARE(file->kind, FileKind::Regular);
    QCOMPARE(file->size, 5);
    QCOMPARE(file->mode, 0640);
    QCOMPARE(file->modified.toSecsSinceEpoch(), 1580702706);
    const QList<std::tuple<QByteArray, FileKind, QByteArray>> others{
        {"dir", FileKind::Directory, {}},      {"link", FileKind::Symlink, "file"},
        {"dirlink", FileKind::Symlink, "dir"}, {"dangling", FileKind::Symlink, "nowhere"},
        {"loop", FileKind::Symlink, "loop"},   {"fifo", FileKind::Other, {}}};
    for (const auto &[name, kind, target] : others) {
        const auto entry = await(fs().stat(path(name), {}));
        BERTH_OK(entry);
        QVERIFY2(entry->kind == kind, name.constData());
        QCOMPARE(entry->linkTarget, target);
    }
    const auto entries = list(m_directory, 100);
    BERTH_OK(entries);
    QCOMPARE(entries->size(), 7);
    for (const domain::FileEntry &entry : *entries) {
        if (entry.name == "file") {
            QCOMPARE(entry.kind, FileKind::Regular);
            QCOMPARE(entry.size, 5);
            QCOMPARE(entry.mode, 0640);
        } else if (entry.name == "link") {
            QCOMPARE(entry.kind, FileKind::Symlink);
            QCOMPARE(entry.linkTarget, QByteArrayLiteral("file"));
        }
    }
    // Through links a command would go, too.
    const auto through = read(path("link"));
    BERTH_OK(through);
    QCOMPARE(*through, QByteArrayLiteral("12345"));
    QVERIFY(!read(path("loop")).has_value());
    BERTH_FAILS(read(path("dangling")), ErrorKind::NotFound);
}

void FilesGroup::listPages()
{
    const int count = m_sandbox.fixture().traits().isRemote ? 600 : 1500;
    const QByteArray number = QByteArray::number(count);
    QCOMPARE(run("cd " + m_directory + " && i=0; while [ $i -lt " + number
                 + " ]; do : > file$i; i=$((i+1)); done")
                 .outcome.code,
             0);
    for (const int limit : {100, 400, count, 5000}) {
        const auto entries = list(m_directory, limit);
        BERTH_OK(entries);
        QSet<QByteArray> names;
        for (const domain::FileEntry &entry : *entries)
            names.insert(entry.name);
        QCOMPARE(entries->size(), count);
        QVERIFY2(names.size() == count, "an entry came twice");
        QVERIFY(names.contains("file0") && names.contains("file" + QByteArray::number(count - 1)));
    }
    const auto empty = list(path("../case1"), 10);
    BERTH_OK(empty);
}

void FilesGroup::makeDirectory()
{
    BERTH_OK(await(fs().makeDirectory(path("a/b/c"), {})));
    BERTH_OK(await(fs().makeDirectory(path("a/b/c"), {})));
    const auto entry = await(fs().stat(path("a/b/c"), {}));
    BERTH_OK(entry);
    QCOMPARE(entry->kind, FileKind::Directory);
    BERTH_OK(write(path("file"), "x"));
    QVERIFY(!await(fs().makeDirectory(path("file"), {})).has_value());
    BERTH_FAILS(await(fs().makeDirectory(path("file/below"), {})), ErrorKind::InvalidInput);
}

void FilesGroup::rename()
{
    BERTH_OK(write(path("from"), "new"));
    BERTH_OK(write(path("to"), "old"));
    BERTH_OK(await(fs().rename(path("from"), path("to"), {})));
    const auto back = read(path("to"));
    BERTH_OK(back);
    QCOMPARE(*back, QByteArrayLiteral("new"));
    BERTH_FAILS(await(fs().stat(path("from"), {})), ErrorKind::NotFound);
    BERTH_FAILS(await(fs().rename(path("from"), path("x"), {})), ErrorKind::NotFound);
    BERTH_OK(await(fs().makeDirectory(path("dir/inner"), {})));
    BERTH_OK(await(fs().rename(path("dir"), path("moved"), {})));
    BERTH_OK(await(fs().stat(path("moved/inner"), {})));
}

void FilesGroup::remove()
{
    BERTH_OK(write(path("dir/sub/file"), "x"));
    BERTH_OK(write(path("kept/file"), "x"));
    QCOMPARE(run("cd " + m_directory
                 + " && ln -s ../kept dir/link && ln -s kept link && mkdir empty && "
                   "mkdir dir/locked && : > dir/locked/file && chmod 500 dir/locked")
                 .outcome.code,
             0);
    QVERIFY(!await(fs().remove(path("dir"), false, {})).has_value());
    BERTH_OK(await(fs().stat(path("dir/sub/file"), {})));
    BERTH_OK(await(fs().remove(path("empty"), false, {})));
    BERTH_OK(await(fs().remove(path("link"), true, {})));
    QCOMPARE(run("chmod 700 " + path("dir/locked")).outcome.code, 0);
    BERTH_OK(await(fs().remove(path("dir"), true, {})));
    BERTH_FAILS(await(fs().stat(path("dir"), {})), ErrorKind::NotFound);
    const auto kept = await(fs().stat(path("kept/file"), {}));
    QVERIFY2(kept.has_value(), "removing a link went through it");
}

void FilesGroup::missing()
{
    BERTH_FAILS(await(fs().stat(path("none"), {})), ErrorKind::NotFound);
    BERTH_FAILS(read(path("none")), ErrorKind::NotFound);
    BERTH_FAILS(read(path("none/below")), ErrorKind::NotFound);
    BERTH_FAILS(await(fs().list(path("none"), {}, 10, {})), ErrorKind::NotFound);
    BERTH_FAILS(await(fs().rename(path("none"), path("x"), {})), ErrorKind::NotFound);
    BERTH_FAILS(await(fs().remove(path("none"), false, {})), ErrorKind::NotFound);
}

void FilesGroup::wrongKind()
{
    BERTH_OK(write(path("file"), "x"));
    BERTH_OK(await(fs().makeDirectory(path("dir"), {})));
    BERTH_FAILS(read(path("dir")), ErrorKind::InvalidInput);
    BERTH_FAILS(write(path("dir"), "x"), ErrorKind::InvalidInput);
    BERTH_FAILS(await(fs().list(path("file"), {}, 10, {})), ErrorKind::InvalidInput);
    BERTH_FAILS(read(path("file/below")), ErrorKind::InvalidInput);
    const auto entries = list(m_directory, 10);
    BERTH_OK(entries);
    QVERIFY2(entries->size() == 2, "a temporary file was left");
}

void FilesGroup::forbidden()
{
    QCOMPARE(run("cd " + m_directory
                 + " && echo x > secret && chmod 000 secret && mkdir shut && : > shut/in "
                   "&& chmod 000 shut")
                 .outcome.code,
             0);
    if (run("cat " + path("secret")).outcome.code == 0)
        QSKIP("whoever runs commands here may read everything");
    BERTH_FAILS(read(path("secret")), ErrorKind::Forbidden);
    BERTH_FAILS(await(fs().list(path("shut"), {}, 10, {})), ErrorKind::Forbidden);
    BERTH_FAILS(await(fs().stat(path("shut/in"), {})), ErrorKind::Forbidden);
    BERTH_FAILS(write(path("shut/new"), "x"), ErrorKind::Forbidden);
    QCOMPARE(run("chmod 700 " + path("shut")).outcome.code, 0);
}

void FilesGroup::specialFileDoesNotHang()
{
    QCOMPARE(run("mkfifo " + path("fifo")).outcome.code, 0);
    const auto result = await(fs().read(path("fifo"), 0, 10, {}), 5s);
    BERTH_FAILS(result, ErrorKind::InvalidInput);
}

void FilesGroup::impossiblePaths()
{
    BERTH_FAILS(await(fs().stat({}, {})), ErrorKind::InvalidInput);
    BERTH_FAILS(await(fs().stat(QByteArray("/tmp\0/x", 7), {})), ErrorKind::InvalidInput);
    BERTH_FAILS(write('/' + QByteArray(5000, 'x'), "x"), ErrorKind::InvalidInput);
    BERTH_FAILS(write(path(QByteArray(256, 'x')), "x"), ErrorKind::InvalidInput);
}

void FilesGroup::manyAtOnce()
{
    const int count = m_sandbox.fixture().traits().isRemote ? 16 : 40;
    QList<QByteArray> contents;
    std::vector<std::shared_ptr<test::detail::Landing<domain::Result<void>>>> landings;
    for (int i = 0; i < count; ++i) {
        contents << someBytes(20'000 + i * 1'000);
        landings.push_back(std::make_shared<test::detail::Landing<domain::Result<void>>>());
        test::detail::land(fs().write(path("f" + QByteArray::number(i)), contents.last(), {}),
                           landings.back());
    }
    QVERIFY(test::waitUntil([&landings] {
        return std::all_of(landings.begin(), landings.end(),
                           [](const auto &landing) { return landing->value.has_value(); });
    }));
    for (int i = 0; i < count; ++i) {
        BERTH_OK(*landings[std::size_t(i)]->value);
        const auto back = read(path("f" + QByteArray::number(i)));
        BERTH_OK(back);
        QVERIFY(*back == contents.at(i));
    }
}

void FilesGroup::writesInPieces()
{
    const QByteArray bytes = someBytes(700'000);
    BERTH_OK(write(path("file"), "old"));
    QCOMPARE(run("chmod 751 " + path("file")).outcome.code, 0);
    const auto writer = await(fs().openWrite(path("file"), -1, false, {}));
    BERTH_OK(writer);
    for (qsizetype at = 0; at < bytes.size(); at += 300'000)
        BERTH_OK(await((*writer)->append(bytes.mid(at, 300'000), {})));
    BERTH_OK(await((*writer)->append({}, {})));
    QCOMPARE(*read(path("file")), QByteArrayLiteral("old"));
    BERTH_OK(await((*writer)->commit({})));
    BERTH_FAILS(await((*writer)->append("more", {})), ErrorKind::Conflict);
    QCOMPARE(*read(path("file")), bytes);
    QCOMPARE(await(fs().stat(path("file"), {}))->mode, 0751);

    // A new one, with its mode and the directories above it, and nothing in it.
    const auto fresh = await(fs().openWrite(path("new/er/file"), 0640, true, {}));
    BERTH_OK(fresh);
    BERTH_OK(await((*fresh)->commit({})));
    const auto entry = await(fs().stat(path("new/er/file"), {}));
    BERTH_OK(entry);
    QCOMPARE(entry->mode, 0640);
    QCOMPARE(entry->size, 0);

    BERTH_FAILS(await(fs().openWrite(path("file"), -1, true, {})), ErrorKind::Conflict);
    BERTH_FAILS(await(fs().openWrite(path("new"), -1, false, {})), ErrorKind::InvalidInput);
    // Made by somebody else while it was written.
    const auto late = await(fs().openWrite(path("late"), -1, true, {}));
    BERTH_OK(late);
    BERTH_OK(write(path("late"), "theirs"));
    BERTH_FAILS(await((*late)->commit({})), ErrorKind::Conflict);
    QCOMPARE(*read(path("late")), QByteArrayLiteral("theirs"));
    const auto entries = list(m_directory, 10);
    BERTH_OK(entries);
    QVERIFY2(entries->size() == 3, "a temporary file was left");
}

void FilesGroup::piecesGivenUpLeaveNothing()
{
    const auto isEmpty = [this] {
        const auto entries = list(m_directory, 10);
        return entries && entries->isEmpty();
    };
    for (const bool dropped : {true, false}) {
        auto writer = await(fs().openWrite(path("file"), -1, false, {}));
        BERTH_OK(writer);
        BERTH_OK(await((*writer)->append(someBytes(400'000), {})));
        QVERIFY(!isEmpty());
        if (!dropped) {
            (*writer)->abort();
            BERTH_FAILS(await((*writer)->append("more", {})), ErrorKind::Cancelled);
            BERTH_FAILS(await((*writer)->commit({})), ErrorKind::Cancelled);
        }
        writer->reset();
        QVERIFY2(test::waitUntil(isEmpty, 5s), "the temporary file is still there");
    }
    // Stopped while the sandbox takes a piece; the file is of no use afterwards.
    const auto writer = await(fs().openWrite(path("file"), -1, false, {}));
    BERTH_OK(writer);
    std::stop_source stop;
    const auto landing = std::make_shared<test::detail::Landing<domain::Result<void>>>();
    test::detail::land((*writer)->append(QByteArray(64'000'000, 'x'), stop.get_token()), landing);
    QVERIFY(!landing->value);
    stop.request_stop();
    QVERIFY(test::waitUntil([&] { return landing->value.has_value(); }, 5s));
    BERTH_FAILS(*landing->value, ErrorKind::Cancelled);
    BERTH_FAILS(await((*writer)->commit({})), ErrorKind::Cancelled);
    QVERIFY2(test::waitUntil(isEmpty, 5s), "the temporary file is still there");
}

int runFilesGroup(Fixture &fixture, const QStringList &arguments)
{
    FilesGroup group(fixture);
    return QTest::qExec(&group, arguments);
}

} // namespace berth::contract

#include "files_group.moc"
