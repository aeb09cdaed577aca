// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "guest/guest_rig.h"

#include "net/guest/guest_metrics.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QSet>
#include <QtTest/QTest>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace std::chrono_literals;

namespace berth::test {

using domain::ErrorKind;
using domain::FileKind;

namespace {

QByteArray someBytes(qsizetype size)
{
    QByteArray bytes(size, Qt::Uninitialized);
    quint32 x = 12345;
    for (char &byte : bytes) {
        x = x * 1664525 + 1013904223;
        byte = static_cast<char>(x >> 24);
    }
    return bytes;
}

QList<pid_t> childrenOf(pid_t parent)
{
    QList<pid_t> found;
    for (const QString &name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        bool number = false;
        const pid_t pid = name.toInt(&number);
        QFile file(QStringLiteral("/proc/%1/stat").arg(name));
        if (!number || !file.open(QIODevice::ReadOnly))
            continue;
        const QByteArray stat = file.readAll(); // pid (name) state parent …
        const QByteArrayList fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
        // The one that waits for the next command has nothing to do with files.
        if (fields.value(1).toInt() == parent && !stat.contains("(berth-spare)"))
            found << pid;
    }
    return found;
}

} // namespace

class TestGuestFiles : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase_data();
    void init();
    void cleanup();

    void roundTrip();
    void oddNames_data();
    void oddNames();
    void writeKeepsModeAndLink();
    void writeLeavesTheOldFileWhenItFails();
    void refusedWriteSaysWhyAndLeavesNothing();
    void stoppedWriteLeavesNothing();
    void killedWriterLeavesNothing();
    void pages();
    void kindsAndErrors();
    void specialFilesDoNotHang();
    void removeFollowsNoLink();
    void deepTree();
    void manyAtOnce();
    void writersAreBounded();
    void searchesAreBounded();
    void stoppedSearchEnds();
    void searchesAsTheUser();
    void asAnotherUser();
    void sample();

private:
    domain::FileSystem &files() { return m_rig->files(); }
    QByteArray path(const QByteArray &name) { return m_rig->directory() + '/' + name; }
    domain::Result<void> write(const QByteArray &name, const QByteArray &content)
    {
        return await(files().write(path(name), content, {}));
    }
    domain::Result<QByteArray> read(const QByteArray &name, qint64 offset = 0,
                                    qint64 length = 1 << 30)
    {
        return await(files().read(path(name), offset, length, {}));
    }
    QStringList names()
    {
        return QDir(QFile::decodeName(m_rig->directory()))
            .entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    }

    std::unique_ptr<GuestRig> m_rig;
};

void TestGuestFiles::initTestCase_data()
{
    QTest::addColumn<GuestMode>("mode");
    QTest::newRow("own user") << GuestMode::Root;
    QTest::newRow("nobody") << GuestMode::Nobody;
}

void TestGuestFiles::init()
{
    QFETCH_GLOBAL(GuestMode, mode);
    const QString reason = GuestProcess::unavailable(mode);
    if (!reason.isEmpty())
        QSKIP(qUtf8Printable(reason));
    m_rig = std::make_unique<GuestRig>(mode);
    QVERIFY2(m_rig->isOpen(), qUtf8Printable(m_rig->problem()));
}

void TestGuestFiles::cleanup()
{
    m_rig.reset();
}

void TestGuestFiles::roundTrip()
{
    for (const int size :
         {0, 1, 65'535, 65'536, 65'537, 262'144, 1'048'576, 1'048'577, 5'000'001}) {
        const QByteArray bytes = someBytes(size);
        BERTH_OK(write("deep/er/file", bytes));
        const auto back = read("deep/er/file");
        BERTH_OK(back);
        QVERIFY2(*back == bytes, QByteArray::number(size).constData());
    }
    const QByteArray bytes = someBytes(5'000'001);
    for (const auto &[offset, length] : QList<std::pair<qint64, qint64>>{
             {0, 0}, {1, 1}, {1'048'575, 2}, {4'999'999, 100}, {5'000'001, 1}, {9'000'000, 9}}) {
        const auto part = read("deep/er/file", offset, length);
        BERTH_OK(part);
        QVERIFY(*part == bytes.mid(offset, length));
    }
}

void TestGuestFiles::oddNames_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("newline") << QByteArray("new\nline\n");
    QTest::newRow("invalid UTF-8") << QByteArray("\xff\xfe\x80");
    QTest::newRow("leading dash") << QByteArray("-rf");
    QTest::newRow("spaces") << QByteArray("  a  ");
    QTest::newRow("quotes") << QByteArray("'a\"b`c$(d)\\*");
    QTest::newRow("control") << QByteArray("\x01\x1b[31m\x7f");
    QTest::newRow("255 bytes") << QByteArray(255, 'n');
}

void TestGuestFiles::oddNames()
{
    QFETCH(QByteArray, name);
    BERTH_OK(await(files().makeDirectory(path("d"), {})));
    BERTH_OK(write("d/" + name, name));
    const auto page = await(files().list(path("d"), {}, 10, {}));
    BERTH_OK(page);
    QCOMPARE(page->entries.size(), 1);
    QCOMPARE(page->entries.first().name, name);
    const auto back = read("d/" + name);
    BERTH_OK(back);
    QCOMPARE(*back, name);
    BERTH_OK(await(files().rename(path("d/" + name), path("d/x"), {})));
    BERTH_OK(await(files().rename(path("d/x"), path("d/" + name), {})));
    BERTH_OK(await(files().remove(path("d/" + name), false, {})));
    BERTH_FAILS(await(files().stat(path("d/" + name), {})), ErrorKind::NotFound);
}

void TestGuestFiles::writeKeepsModeAndLink()
{
    BERTH_OK(write("file", "one"));
    const QString file = QFile::decodeName(path("file"));
    QCOMPARE(QFile::permissions(file) & 0x7777, QFile::permissions(file) & 0x6644);
    ::chmod(path("file").constData(), 0751);
    QCOMPARE(::symlink("file", path("link").constData()), 0);
    BERTH_OK(write("link", "two"));
    const auto link = await(files().stat(path("link"), {}));
    BERTH_OK(link);
    QCOMPARE(link->kind, FileKind::Symlink);
    QCOMPARE(link->linkTarget, QByteArrayLiteral("file"));
    const auto entry = await(files().stat(path("file"), {}));
    BERTH_OK(entry);
    QCOMPARE(entry->mode, 0751);
    QCOMPARE(entry->size, 3);
    QCOMPARE(*read("file"), QByteArrayLiteral("two"));
    QCOMPARE(::symlink("nowhere", path("dangling").constData()), 0);
    BERTH_FAILS(write("dangling", "x"), ErrorKind::NotFound);
}

void TestGuestFiles::writeLeavesTheOldFileWhenItFails()
{
    BERTH_OK(write("file", "old"));
    BERTH_OK(await(files().makeDirectory(path("dir"), {})));
    const QStringList before = names();
    BERTH_FAILS(write("dir", "x"), ErrorKind::InvalidInput);
    BERTH_FAILS(write("file/below", "x"), ErrorKind::InvalidInput);
    BERTH_FAILS(write(QByteArray(256, 'x'), "x"), ErrorKind::InvalidInput);
    if (m_rig->channel().hello().uid != 0) {
        ::chmod(path("file").constData(), 0444);
        BERTH_FAILS(write("file", "new"), ErrorKind::Forbidden);
        BERTH_FAILS(await(files().write("/etc/berth-must-not", "x", {})), ErrorKind::Forbidden);
    }
    QCOMPARE(*read("file"), QByteArrayLiteral("old"));
    QCOMPARE(names(), before);
}

void TestGuestFiles::stoppedWriteLeavesNothing()
{
    BERTH_OK(write("file", "old"));
    const QStringList before = names();
    std::stop_source stop;
    const auto landing = std::make_shared<detail::Landing<domain::Result<void>>>();
    detail::land(files().write(path("file"), QByteArray(60'000'000, 'x'), stop.get_token()),
                 landing);
    QVERIFY(waitUntil([&] { return names() != before; }, 5s));
    QVERIFY(!landing->value);
    stop.request_stop();
    QVERIFY(waitUntil([&] { return landing->value.has_value(); }, 5s));
    BERTH_FAILS(*landing->value, ErrorKind::Cancelled);
    QVERIFY2(waitUntil([&] { return names() == before; }, 5s), "the temporary file is still there");
    QCOMPARE(*read("file"), QByteArrayLiteral("old"));
}

void TestGuestFiles::refusedWriteSaysWhyAndLeavesNothing()
{
    // A guest inherits the limit; nobody else may set it for another user's process.
    struct rlimit usual = {};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &usual), 0);
    struct rlimit small = usual;
    small.rlim_cur = 1'000'000;
    QFETCH_GLOBAL(GuestMode, mode);
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
    m_rig = std::make_unique<GuestRig>(mode);
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &usual), 0);
    QVERIFY2(m_rig->isOpen(), qUtf8Printable(m_rig->problem()));

    BERTH_OK(write("file", "old"));
    const QStringList before = names();
    for (int i = 0; i < 10; ++i) {
        // Refused in the middle, while more is on its way to the writer.
        BERTH_FAILS(write("file", QByteArray(8'000'000, 'x')), ErrorKind::Quota);
        QCOMPARE(names(), before);
    }
    QCOMPARE(*read("file"), QByteArrayLiteral("old"));
}

void TestGuestFiles::killedWriterLeavesNothing()
{
    BERTH_OK(write("file", "old"));
    const QStringList before = names();
    const auto guest = static_cast<pid_t>(m_rig->process().processId());
    QVERIFY(waitUntil([&] { return childrenOf(guest).isEmpty(); }, 5s));
    const auto landing = std::make_shared<detail::Landing<domain::Result<void>>>();
    detail::land(files().write(path("file"), QByteArray(60'000'000, 'x'), {}), landing);
    QVERIFY(waitUntil([&] { return names() != before; }, 5s));
    const QList<pid_t> writer = childrenOf(guest);
    QCOMPARE(writer.size(), 1);
    QCOMPARE(::kill(writer.first(), SIGKILL), 0);
    QVERIFY(waitUntil([&] { return landing->value.has_value(); }, 5s));
    QVERIFY(!*landing->value);
    QVERIFY2(waitUntil([&] { return names() == before; }, 5s), "the temporary file is still there");
    QCOMPARE(*read("file"), QByteArrayLiteral("old"));
    QVERIFY(waitUntil([&] { return childrenOf(guest).isEmpty(); }, 5s));
}

void TestGuestFiles::pages()
{
    QCOMPARE(m_rig
                 ->run("mkdir many; cd many; i=0; while [ $i -lt 2500 ]; do : > "
                       "some-longer-name-$i; i=$((i+1)); done")
                 .outcome.code,
             0);
    for (const int limit : {7, 999, 1000, 1001, 5000}) {
        QSet<QByteArray> seen;
        QByteArray cursor;
        int entries = 0;
        do {
            const auto page = await(files().list(path("many"), cursor, limit, {}));
            BERTH_OK(page);
            QVERIFY(page->entries.size() <= limit);
            for (const domain::FileEntry &entry : page->entries)
                seen.insert(entry.name);
            entries += static_cast<int>(page->entries.size());
            cursor = page->next;
        } while (!cursor.isEmpty() && entries < 10'000);
        QCOMPARE(entries, 2500);
        QCOMPARE(seen.size(), 2500);
    }
    BERTH_FAILS(await(files().list(path("many"), "no cursor", 5, {})), ErrorKind::InvalidInput);
}

void TestGuestFiles::kindsAndErrors()
{
    QCOMPARE(m_rig
                 ->run("printf 12345 > file; chmod 640 file; mkdir dir; ln -s loop loop; ln -s dir "
                       "dirlink; mkfifo fifo")
                 .outcome.code,
             0);
    const auto file = await(files().stat(path("file"), {}));
    BERTH_OK(file);
    QCOMPARE(file->kind, FileKind::Regular);
    QCOMPARE(file->mode, 0640);
    QVERIFY(qAbs(file->modified.secsTo(QDateTime::currentDateTimeUtc())) < 60);
    QCOMPARE(await(files().stat(path("dirlink"), {}))->kind, FileKind::Symlink);
    QCOMPARE(await(files().stat(path("fifo"), {}))->kind, FileKind::Other);
    QCOMPARE(await(files().stat(path("loop"), {}))->linkTarget, QByteArrayLiteral("loop"));
    BERTH_FAILS(read("loop"), ErrorKind::InvalidInput);
    BERTH_FAILS(read("dir"), ErrorKind::InvalidInput);
    BERTH_FAILS(read("none"), ErrorKind::NotFound);
    BERTH_FAILS(read("file/below"), ErrorKind::InvalidInput);
    BERTH_FAILS(await(files().list(path("file"), {}, 5, {})), ErrorKind::InvalidInput);
    BERTH_FAILS(await(files().makeDirectory(path("file"), {})), ErrorKind::Conflict);
    BERTH_OK(await(files().makeDirectory(path("dir"), {})));
    BERTH_FAILS(await(files().stat({}, {})), ErrorKind::InvalidInput);
    BERTH_FAILS(await(files().stat(QByteArray("/a\0b", 4), {})), ErrorKind::InvalidInput);
    BERTH_FAILS(await(files().remove("/", true, {})), ErrorKind::InvalidInput);
    BERTH_FAILS(await(files().remove(path("dir/.."), true, {})), ErrorKind::InvalidInput);
}

void TestGuestFiles::specialFilesDoNotHang()
{
    QCOMPARE(m_rig->run("mkfifo fifo").outcome.code, 0);
    BERTH_FAILS(await(files().read(path("fifo"), 0, 10, {}), 5s), ErrorKind::InvalidInput);
    BERTH_FAILS(await(files().write(path("fifo"), "x", {}), 5s), ErrorKind::InvalidInput);
    BERTH_FAILS(await(files().read("/dev/zero", 0, 10, {}), 5s), ErrorKind::InvalidInput);
    const auto proc = await(files().read("/proc/self/status", 0, 1000, {}), 5s);
    BERTH_OK(proc);
    QVERIFY(proc->startsWith("Name:"));
}

void TestGuestFiles::removeFollowsNoLink()
{
    QCOMPARE(m_rig
                 ->run("mkdir -p kept dir/sub; : > kept/file; ln -s ../kept dir/link; ln -s kept "
                       "link; : > dir/sub/f")
                 .outcome.code,
             0);
    BERTH_FAILS(await(files().remove(path("dir"), false, {})), ErrorKind::Conflict);
    BERTH_OK(await(files().remove(path("dir"), true, {})));
    BERTH_OK(await(files().remove(path("link"), true, {})));
    QCOMPARE(names().filter(QStringLiteral("dir")), QStringList());
    BERTH_OK(await(files().stat(path("kept/file"), {})));
}

void TestGuestFiles::deepTree()
{
    QCOMPARE(m_rig
                 ->run("mkdir deep; cd deep; i=0; while [ $i -lt 400 ]; do mkdir d && cd d; "
                       "i=$((i+1)); done")
                 .outcome.code,
             0);
    BERTH_OK(await(files().remove(path("deep"), true, {})));
    BERTH_FAILS(await(files().stat(path("deep"), {})), ErrorKind::NotFound);
}

void TestGuestFiles::manyAtOnce()
{
    std::vector<std::shared_ptr<detail::Landing<domain::Result<void>>>> landings;
    for (int i = 0; i < 60; ++i) {
        landings.push_back(std::make_shared<detail::Landing<domain::Result<void>>>());
        detail::land(files().write(path("f" + QByteArray::number(i)), someBytes(i * 5000), {}),
                     landings.back());
    }
    for (const auto &landing : landings) {
        QVERIFY(waitUntil([&] { return landing->value.has_value(); }, 20s));
        BERTH_OK(*landing->value);
    }
    for (int i = 0; i < 60; ++i)
        QCOMPARE(*read("f" + QByteArray::number(i)), someBytes(i * 5000));
}

void TestGuestFiles::writersAreBounded()
{
    const auto before = names().size();
    std::vector<std::shared_ptr<domain::FileWriter>> open;
    for (int i = 0; i < 8; ++i) {
        const auto writer =
            await(files().openWrite(path("w" + QByteArray::number(i)), -1, false, {}));
        BERTH_OK(writer);
        open.push_back(*writer);
    }
    BERTH_FAILS(await(files().openWrite(path("w8"), -1, false, {})), ErrorKind::Quota);
    // They hold up nothing else.
    for (int i = 0; i < 30; ++i)
        BERTH_OK(write("other", "x"));
    const auto landing = std::make_shared<detail::Landing<domain::Result<void>>>();
    detail::land(open[0]->append(QByteArray(2'000'000, 'x'), {}), landing);
    BERTH_FAILS(await(open[0]->append("y", {})), ErrorKind::Conflict);
    QVERIFY(waitUntil([&] { return landing->value.has_value(); }, 5s));
    BERTH_OK(*landing->value);
    BERTH_OK(await(open[0]->commit({})));
    QCOMPARE(read("w0")->size(), 2'000'000);
    open.clear();
    QVERIFY(waitUntil([&] { return names().size() == before + 2; }, 5s));
    BERTH_OK(await(files().openWrite(path("w8"), -1, false, {})));
}

void TestGuestFiles::searchesAreBounded()
{
    QCOMPARE(m_rig
                 ->run("mkdir t; cd t; i=0; while [ $i -lt 70 ]; do mkdir d && cd d && "
                       "echo needle > f; i=$((i+1)); done")
                 .outcome.code,
             0);
    const auto deep = await(files().glob({path("t"), "**/f", 1000, false}, {}));
    BERTH_OK(deep);
    QVERIFY2(deep->truncated && deep->paths.size() > 50, "there is a bound, and it is told");
    const auto text = await(files().grep({path("t"), "needle", {}, false, false, 200}, {}));
    BERTH_OK(text);
    QVERIFY(text->truncated && text->matches.size() > 50);
    // Patterns that would take for ever, or all memory.
    QByteArray stars("a");
    for (int i = 0; i < 2000; ++i)
        stars += "*a";
    BERTH_OK(write(QByteArray(200, 'a'), QByteArray(60'000, 'a') + '\n'));
    BERTH_OK(await(files().glob({m_rig->directory(), stars, 1000, false}, {}), 5s));
    // Refused, or cut off: either way it is over, and the guest is there afterwards.
    QFETCH_GLOBAL(GuestMode, mode);
    QList<QByteArray> patterns{"(((a{1,255}){1,255}){1,255}){1,255}", "((((a*)*)*)*)*b"};
    if (mode == GuestMode::Root)
        patterns << "(a*)*\\1b"; // takes all the time that a search may
    for (const QByteArray &pattern : std::as_const(patterns))
        QVERIFY(landed(files().grep({m_rig->directory(), pattern, {}, false, false, 9}, {}), 25s));
    BERTH_FAILS(await(files().glob(
                    {m_rig->directory(), QByteArray(200, 'x').replace("x", "x/"), 1, false}, {})),
                ErrorKind::InvalidInput);
    BERTH_OK(await(files().stat(m_rig->directory(), {})));
}

void TestGuestFiles::stoppedSearchEnds()
{
    const auto guest = static_cast<pid_t>(m_rig->process().processId());
    QVERIFY(waitUntil([&] { return childrenOf(guest).isEmpty(); }, 5s));
    std::stop_source stop;
    const auto landing = std::make_shared<detail::Landing<domain::Result<domain::GrepResult>>>();
    detail::land(
        files().grep({"/", "no such text anywhere (a|b)*c", {}, false, false, 9}, stop.get_token()),
        landing);
    QVERIFY(waitUntil([&] { return childrenOf(guest).size() == 1; }, 5s));
    stop.request_stop();
    QVERIFY(waitUntil([&] { return landing->value.has_value(); }, 2s));
    BERTH_FAILS(*landing->value, ErrorKind::Cancelled);
    QVERIFY(waitUntil([&] { return childrenOf(guest).isEmpty(); }, 5s));
}

void TestGuestFiles::searchesAsTheUser()
{
    if (m_rig->channel().hello().uid != 0)
        QSKIP("only root can act as another user");
    QCOMPARE(m_rig
                 ->run("mkdir t; cd t; mkdir shut; echo needle > shut/f; chmod 700 shut; echo "
                       "needle > mine; "
                       "chmod 600 mine; echo needle > ours; chmod 644 ours")
                 .outcome.code,
             0);
    net::GuestFileSystem other(m_rig->sharedChannel(), net::GuestUser{1234, 1234});
    const auto found = await(other.grep({path("t"), "needle", {}, true, false, 9}, {}));
    BERTH_OK(found);
    QCOMPARE(found->matches.size(), 1);
    QCOMPARE(found->matches[0].path, QByteArrayLiteral("ours"));
    QCOMPARE(found->filesSkipped, 2);
    QCOMPARE(await(other.glob({path("t"), "*/*", 9, false}, {}))->paths.size(), 0);
    BERTH_FAILS(await(other.glob({path("t/shut"), "*", 9, false}, {})), ErrorKind::Forbidden);
}

void TestGuestFiles::asAnotherUser()
{
    if (m_rig->channel().hello().uid != 0)
        QSKIP("only root can act as another user");
    net::GuestFileSystem other(m_rig->sharedChannel(), net::GuestUser{1234, 1234});
    BERTH_OK(await(other.write(path("theirs"), "x", {})));
    struct stat st = {};
    QCOMPARE(::stat(path("theirs").constData(), &st), 0);
    QCOMPARE(st.st_uid, 1234u);
    BERTH_OK(write("mine", "x"));
    ::chmod(path("mine").constData(), 0600);
    BERTH_FAILS(await(other.read(path("mine"), 0, 1, {})), ErrorKind::Forbidden);
    BERTH_FAILS(await(other.write("/etc/berth-must-not", "x", {})), ErrorKind::Forbidden);
    // Somebody else's file keeps its owner when root writes it.
    BERTH_OK(write("theirs", "y"));
    QCOMPARE(::stat(path("theirs").constData(), &st), 0);
    QCOMPARE(st.st_uid, 1234u);
}

void TestGuestFiles::sample()
{
    net::GuestMetrics metrics(m_rig->sharedChannel(), "/");
    const auto first = await(metrics.sample({}));
    BERTH_OK(first);
    QVERIFY(!first->cpuCores);
    QVERIFY(first->memoryBytes.value_or(0) > 0);
    QVERIFY(first->diskLimitBytes.value_or(0) > 0);
    QVERIFY(first->processes.value_or(0) > 1);
    m_rig->run("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done");
    const auto second = await(metrics.sample({}));
    BERTH_OK(second);
    QVERIFY(second->cpuCores.value_or(0) > 0.2);
}

} // namespace berth::test

QTEST_GUILESS_MAIN(berth::test::TestGuestFiles)
#include "test_guest_files.moc"
