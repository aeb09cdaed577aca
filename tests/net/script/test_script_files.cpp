// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/script/local_scripts.h"
#include "net/script/name_pattern.h"
#include "net/script/script_file_system.h"
#include "support/await.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QRandomGenerator>
#include <QtCore/QSet>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <unistd.h>

using namespace std::chrono_literals;

namespace berth::test {

using domain::ErrorKind;
using domain::FileKind;

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

//! Files by shell text, with GNU's tools and with busybox's, over runners that carry every byte and
//! over those that do not.
class TestScriptFiles : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();

    void roundTrips_data() { runners(); }
    void roundTrips();
    void oddNames_data() { runners(); }
    void oddNames();
    void kindsAndLists_data() { runners(); }
    void kindsAndLists();
    void mistakes_data() { runners(); }
    void mistakes();
    void forbidden();
    void writesKeepWhatWasThere_data() { runners(); }
    void writesKeepWhatWasThere();
    void pieces_data() { runners(); }
    void pieces();
    void renamesAndRemoves_data() { runners(); }
    void renamesAndRemoves();
    void globs_data() { runners(); }
    void globs();
    void greps_data() { runners(); }
    void greps();
    void patterns();
    void nonsense();

private:
    static void runners();
    //! As the row says.
    LocalScripts::Traits traits();
    net::ScriptFileSystem files() { return net::ScriptFileSystem(m_scripts); }
    [[nodiscard]] QByteArray path(const QByteArray &name) const { return m_directory + '/' + name; }
    //! Prepares by a plain shell; what it printed.
    QByteArray sh(const QByteArray &text) const;

    QTemporaryDir m_top;
    QByteArray m_directory;
    std::shared_ptr<LocalScripts> m_scripts;
    int m_count = 0;
};

void TestScriptFiles::runners()
{
    QTest::addColumn<QString>("shell");
    QTest::addColumn<bool>("binary");
    QTest::newRow("bash, every byte") << QStringLiteral("/bin/bash") << true;
    QTest::newRow("busybox, text") << QStringLiteral("busybox") << false;
}

LocalScripts::Traits TestScriptFiles::traits()
{
    QFETCH(QString, shell);
    QFETCH(bool, binary);
    LocalScripts::Traits traits;
    traits.temporary = m_top.path();
    traits.isBinarySafe = binary;
    traits.inlineInput = !binary;
    traits.largestInput = binary ? 1024 * 1024 : 60 * 1024;
    traits.shell = QStringList{shell};
    if (shell == QLatin1String("busybox")) {
        traits.tools = m_top.filePath(QStringLiteral("busybox"));
        traits.shell = QStringList{traits.tools + QStringLiteral("/sh")};
    }
    return traits;
}

QByteArray TestScriptFiles::sh(const QByteArray &text) const
{
    QProcess process;
    process.setWorkingDirectory(QFile::decodeName(m_directory));
    process.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QString::fromUtf8(text)});
    process.waitForFinished();
    return process.readAllStandardOutput();
}

void TestScriptFiles::initTestCase()
{
    QVERIFY(QFile::setPermissions(m_top.path(), QFile::Permissions(0x7755)));
    m_directory = QFile::encodeName(m_top.path());
    sh("mkdir busybox; for one in $(/bin/busybox --list); do case $one in *[!a-z0-9]*) ;; *) "
       "ln -s /bin/busybox busybox/$one;; esac; done");
    QVERIFY(QFile::exists(m_top.filePath(QStringLiteral("busybox/stat"))));
}

void TestScriptFiles::cleanupTestCase()
{
    // QTemporaryDir cannot name all of them.
    sh("cd ..; rm -rf case*");
}

void TestScriptFiles::init()
{
    m_directory = QFile::encodeName(m_top.path()) + "/case" + QByteArray::number(++m_count);
    QVERIFY(QDir().mkdir(QFile::decodeName(m_directory)));
    if (QTest::currentDataTag())
        m_scripts = std::make_shared<LocalScripts>(traits());
}

void TestScriptFiles::roundTrips()
{
    net::ScriptFileSystem fs = files();
    for (const int size : {0, 1, 65'536, 1'048'577}) {
        const QByteArray bytes = someBytes(size);
        BERTH_OK(await(fs.write(path("file"), bytes, {})));
        const auto back = await(fs.read(path("file"), 0, 64 * 1024 * 1024, {}));
        BERTH_OK(back);
        QVERIFY(*back == bytes);
        QCOMPARE(await(fs.stat(path("file"), {}))->size, qint64(size));
    }
    const QByteArray bytes = someBytes(1'048'577);
    for (const auto &[offset, length] : QList<std::pair<qint64, qint64>>{{0, 1},
                                                                         {1, 10},
                                                                         {299'999, 500'000},
                                                                         {1'048'576, 100},
                                                                         {1'048'577, 5},
                                                                         {9'000'000, 5},
                                                                         {0, 0},
                                                                         {5, 0}}) {
        const auto part = await(fs.read(path("file"), offset, length, {}));
        BERTH_OK(part);
        QVERIFY2(*part == bytes.mid(offset, length), QByteArray::number(offset).constData());
    }
    BERTH_FAILS(await(fs.read(path("file"), -1, 5, {})), ErrorKind::InvalidInput);
    // A file whose size says nothing.
    QVERIFY(await(fs.read("/proc/self/status", 0, 100'000, {}))->contains("Name:"));
    // One small file is one script.
    m_scripts->count = 0;
    BERTH_OK(await(fs.write(path("small"), "x", {})));
    BERTH_OK(await(fs.read(path("small"), 0, 100, {})));
    QCOMPARE(m_scripts->count, 2);
    QVERIFY(m_scripts->longest < 4000);
}

void TestScriptFiles::oddNames()
{
    net::ScriptFileSystem fs = files();
    const QList<QByteArray> names{"new\nline",
                                  "end\n",
                                  "\xff\xfe\x80",
                                  "-rf",
                                  "  a  b ",
                                  "'a\"b`c$(d)\\",
                                  "*",
                                  "\x01\x1b[31m\x7f",
                                  "\xe6\xbc\xa2\xf0\x9f\x9a\xa2",
                                  "...",
                                  ".hidden",
                                  "\n",
                                  "-",
                                  "%s",
                                  ".[!.]*",
                                  QByteArray(255, 'n')};
    for (const QByteArray &name : names) {
        BERTH_OK(await(fs.write(path(name), name, {})));
        const auto back = await(fs.read(path(name), 0, 1000, {}));
        BERTH_OK(back);
        QCOMPARE(*back, name);
    }
    const auto page = await(fs.list(m_directory, {}, 100, {}));
    BERTH_OK(page);
    QVERIFY(page->next.isEmpty());
    QSet<QByteArray> listed;
    for (const domain::FileEntry &entry : page->entries) {
        listed.insert(entry.name);
        QCOMPARE(entry.size, qint64(entry.name.size()));
        QCOMPARE(entry.kind, FileKind::Regular);
    }
    QCOMPARE(listed, QSet<QByteArray>(names.begin(), names.end()));
    QCOMPARE(page->entries.size(), names.size());
    for (const QByteArray &name : names.mid(0, 7)) {
        BERTH_OK(await(fs.rename(path(name), path("plain"), {})));
        BERTH_OK(await(fs.rename(path("plain"), path(name), {})));
        BERTH_OK(await(fs.makeDirectory(path("d") + '/' + name, {})));
        BERTH_OK(await(fs.remove(path(name), false, {})));
        BERTH_FAILS(await(fs.stat(path(name), {})), ErrorKind::NotFound);
    }
}

void TestScriptFiles::kindsAndLists()
{
    net::ScriptFileSystem fs = files();
    sh("printf 12345 >file; chmod 640 file; mkdir dir; ln -s file link; ln -s dir dirlink; "
       "ln -s 'no\nwhere\n' dangling; ln -s loop loop; mkfifo fifo; "
       "touch -d '2020-02-03 04:05:06 UTC' file");
    const auto file = await(fs.stat(path("file"), {}));
    BERTH_OK(file);
    QCOMPARE(file->mode, 0640);
    QCOMPARE(file->modified.toSecsSinceEpoch(), 1580702706);
    const QMap<QByteArray, std::pair<FileKind, QByteArray>> kinds{
        {"file", {FileKind::Regular, {}}},     {"dir", {FileKind::Directory, {}}},
        {"link", {FileKind::Symlink, "file"}}, {"dirlink", {FileKind::Symlink, "dir"}},
        {"loop", {FileKind::Symlink, "loop"}}, {"dangling", {FileKind::Symlink, "no\nwhere\n"}},
        {"fifo", {FileKind::Other, {}}}};
    const auto page = await(fs.list(m_directory, {}, 100, {}));
    BERTH_OK(page);
    QCOMPARE(page->entries.size(), kinds.size());
    for (const domain::FileEntry &entry : page->entries) {
        QCOMPARE(entry.kind, kinds[entry.name].first);
        QCOMPARE(entry.linkTarget, kinds[entry.name].second);
        const auto alone = await(fs.stat(path(entry.name), {}));
        BERTH_OK(alone);
        QCOMPARE(alone->kind, entry.kind);
        QCOMPARE(alone->linkTarget, entry.linkTarget);
    }
    QCOMPARE(*await(fs.read(path("link"), 0, 10, {})), QByteArrayLiteral("12345"));
    QCOMPARE(await(fs.list(path("dirlink"), {}, 10, {}))->entries.size(), 0);

    sh("mkdir many; cd many; i=0; while [ $i -lt 1500 ]; do : >file$i; i=$((i+1)); done");
    for (const int limit : {400, 1500}) {
        QSet<QByteArray> names;
        qsizetype count = 0;
        QByteArray cursor;
        do {
            const auto part = await(fs.list(path("many"), cursor, limit, {}));
            BERTH_OK(part);
            QVERIFY(part->entries.size() <= limit);
            for (const domain::FileEntry &entry : part->entries)
                names.insert(entry.name);
            count += part->entries.size();
            cursor = part->next;
        } while (!cursor.isEmpty());
        QCOMPARE(count, 1500);
        QCOMPARE(names.size(), 1500);
    }
}

void TestScriptFiles::mistakes()
{
    net::ScriptFileSystem fs = files();
    sh("echo x >file; mkdir dir; mkfifo fifo; ln -s none dangling; ln -s loop loop");
    for (const char *missing : {"none", "none/below", "dangling"})
        BERTH_FAILS(await(fs.read(path(missing), 0, 1, {})), ErrorKind::NotFound);
    BERTH_FAILS(await(fs.stat(path("none"), {})), ErrorKind::NotFound);
    BERTH_FAILS(await(fs.list(path("none"), {}, 10, {})), ErrorKind::NotFound);
    BERTH_FAILS(await(fs.rename(path("none"), path("x"), {})), ErrorKind::NotFound);
    BERTH_FAILS(await(fs.rename(path("file"), path("none/x"), {})), ErrorKind::NotFound);
    BERTH_FAILS(await(fs.remove(path("none"), true, {})), ErrorKind::NotFound);
    for (const char *other : {"dir", "file/below", "fifo"})
        BERTH_FAILS(await(fs.read(path(other), 0, 1, {}), 5s), ErrorKind::InvalidInput);
    QVERIFY(!await(fs.read(path("loop"), 0, 1, {})).has_value());
    for (const char *other : {"dir", "fifo", "file/below"})
        BERTH_FAILS(await(fs.write(path(other), "x", {}), 5s), ErrorKind::InvalidInput);
    BERTH_FAILS(await(fs.list(path("file"), {}, 10, {})), ErrorKind::InvalidInput);
    BERTH_FAILS(await(fs.makeDirectory(path("file"), {})), ErrorKind::InvalidInput);
    BERTH_FAILS(await(fs.makeDirectory(path("file/below"), {})), ErrorKind::InvalidInput);
    BERTH_FAILS(await(fs.list(path("dir"), "x", 10, {})), ErrorKind::InvalidInput);
    m_scripts->count = 0;
    BERTH_FAILS(await(fs.stat({}, {})), ErrorKind::InvalidInput);
    BERTH_FAILS(await(fs.stat(QByteArray("/tmp\0/x", 7), {})), ErrorKind::InvalidInput);
    BERTH_FAILS(await(fs.write('/' + QByteArray(5000, 'x'), "x", {})), ErrorKind::InvalidInput);
    BERTH_FAILS(await(fs.write(path(QByteArray(256, 'x')), "x", {})), ErrorKind::InvalidInput);
    QCOMPARE(m_scripts->count, 0);
    QVERIFY2(!sh("ls -A").contains(".berth"), "a temporary file was left");
}

void TestScriptFiles::forbidden()
{
    if (::geteuid() != 0)
        QSKIP("only root can become somebody else");
    LocalScripts::Traits traits;
    traits.temporary = m_top.path();
    traits.shell = QStringList{QStringLiteral("/usr/bin/setpriv"), QStringLiteral("--reuid=65534"),
                               QStringLiteral("--regid=65534"), QStringLiteral("--clear-groups"),
                               QStringLiteral("/bin/sh")};
    m_scripts = std::make_shared<LocalScripts>(traits);
    net::ScriptFileSystem fs = files();
    sh("chmod 755 .; echo x >secret; chmod 600 secret; mkdir -m 700 shut; : >shut/in; echo y "
       ">read");
    BERTH_FAILS(await(fs.read(path("secret"), 0, 1, {})), ErrorKind::Forbidden);
    BERTH_FAILS(await(fs.list(path("shut"), {}, 10, {})), ErrorKind::Forbidden);
    BERTH_FAILS(await(fs.stat(path("shut/in"), {})), ErrorKind::Forbidden);
    BERTH_FAILS(await(fs.write(path("shut/new"), "x", {})), ErrorKind::Forbidden);
    BERTH_FAILS(await(fs.write(path("new"), "x", {})), ErrorKind::Forbidden);
    BERTH_FAILS(await(fs.write(path("new/er"), "x", {})), ErrorKind::Forbidden);
    BERTH_FAILS(await(fs.write(path("read"), "x", {})), ErrorKind::Forbidden);
    BERTH_FAILS(await(fs.makeDirectory(path("new"), {})), ErrorKind::Forbidden);
    BERTH_FAILS(await(fs.rename(path("read"), path("new"), {})), ErrorKind::Forbidden);
    BERTH_FAILS(await(fs.remove(path("read"), false, {})), ErrorKind::Forbidden);
    BERTH_FAILS(await(fs.remove(path("shut"), true, {})), ErrorKind::Forbidden);
    QCOMPARE(await(fs.read(path("read"), 0, 10, {})).value_or(""), QByteArrayLiteral("y\n"));
    QCOMPARE(sh("cat secret read"), QByteArrayLiteral("x\ny\n"));
}

void TestScriptFiles::writesKeepWhatWasThere()
{
    net::ScriptFileSystem fs = files();
    BERTH_OK(await(fs.write(path("a/b/file"), "first, and longer", {})));
    QCOMPARE(sh("stat -c %a a/b/file"), QByteArrayLiteral("644\n"));
    sh("chown 1234:4321 a/b/file; chmod 4751 a/b/file; ln -s a/b/file link; ln -s a/new dangling");
    BERTH_OK(await(fs.write(path("a/b/file"), "second", {})));
    QCOMPARE(sh("stat -c %a:%u:%g a/b/file; cat a/b/file; ls -A a/b"),
             QByteArrayLiteral("4751:1234:4321\nsecondfile\n"));
    // Through a link what it points to is replaced; the link stays.
    BERTH_OK(await(fs.write(path("link"), "third", {})));
    BERTH_OK(await(fs.write(path("dangling"), "fourth", {})));
    QCOMPARE(sh("cat a/b/file a/new; readlink link"), QByteArrayLiteral("thirdfourtha/b/file\n"));
}

void TestScriptFiles::pieces()
{
    net::ScriptFileSystem fs = files();
    const QByteArray bytes = someBytes(200'000);
    BERTH_OK(await(fs.write(path("file"), "old", {})));
    sh("chmod 751 file");
    const auto writer = await(fs.openWrite(path("file"), -1, false, {}));
    BERTH_OK(writer);
    BERTH_OK(await((*writer)->append(bytes.left(150'000), {})));
    BERTH_OK(await((*writer)->append({}, {})));
    BERTH_OK(await((*writer)->append(bytes.mid(150'000), {})));
    QCOMPARE(*await(fs.read(path("file"), 0, 10, {})), QByteArrayLiteral("old"));
    BERTH_OK(await((*writer)->commit({})));
    BERTH_FAILS(await((*writer)->append("more", {})), ErrorKind::Conflict);
    QCOMPARE(*await(fs.read(path("file"), 0, 1'000'000, {})), bytes);
    QCOMPARE(await(fs.stat(path("file"), {}))->mode, 0751);

    const auto fresh = await(fs.openWrite(path("new/er/file"), 0400, true, {}));
    BERTH_OK(fresh);
    BERTH_OK(await((*fresh)->append("x", {})));
    BERTH_OK(await((*fresh)->commit({})));
    QCOMPARE(await(fs.stat(path("new/er/file"), {}))->mode, 0400);
    BERTH_FAILS(await(fs.openWrite(path("file"), -1, true, {})), ErrorKind::Conflict);
    sh("ln -s none dangling");
    BERTH_FAILS(await(fs.openWrite(path("dangling"), -1, true, {})), ErrorKind::Conflict);
    BERTH_FAILS(await(fs.openWrite(path("new"), -1, false, {})), ErrorKind::InvalidInput);
    // Made by somebody else meanwhile.
    const auto late = await(fs.openWrite(path("late"), -1, true, {}));
    BERTH_OK(late);
    BERTH_OK(await(fs.write(path("late"), "theirs", {})));
    BERTH_FAILS(await((*late)->commit({})), ErrorKind::Conflict);
    QCOMPARE(sh("cat late"), QByteArrayLiteral("theirs"));

    const auto tidy = [this] { return !sh("ls -A").contains(".berth"); };
    QVERIFY(waitUntil(tidy, 5s));
    // Given up, and dropped.
    auto given = await(fs.openWrite(path("given"), -1, false, {}));
    BERTH_OK(given);
    QVERIFY(!tidy());
    BERTH_OK(await((*given)->append("x", {})));
    (*given)->abort();
    BERTH_FAILS(await((*given)->append("x", {})), ErrorKind::Cancelled);
    BERTH_FAILS(await((*given)->commit({})), ErrorKind::Cancelled);
    QVERIFY(waitUntil(tidy, 5s));
    given = await(fs.openWrite(path("given"), -1, false, {}));
    given->reset();
    QVERIFY(waitUntil(tidy, 5s));
    // Stopped while the sandbox takes a piece.
    const auto stopped = await(fs.openWrite(path("given"), -1, false, {}));
    std::stop_source stop;
    const auto landing = std::make_shared<detail::Landing<domain::Result<void>>>();
    detail::land((*stopped)->append(QByteArray(30'000'000, 'x'), stop.get_token()), landing);
    QVERIFY(!landing->value);
    stop.request_stop();
    QVERIFY(waitUntil([&landing] { return landing->value.has_value(); }, 5s));
    BERTH_FAILS(*landing->value, ErrorKind::Cancelled);
    BERTH_FAILS(await((*stopped)->commit({})), ErrorKind::Cancelled);
    QVERIFY(waitUntil(tidy, 5s));
}

void TestScriptFiles::renamesAndRemoves()
{
    net::ScriptFileSystem fs = files();
    sh("echo new >from; echo old >to; mkdir -p dir/inner full empty kept; : >full/x; : >kept/file; "
       "ln -s kept link; ln -s ../kept dir/link");
    BERTH_OK(await(fs.rename(path("from"), path("to"), {})));
    QCOMPARE(sh("cat to"), QByteArrayLiteral("new\n"));
    BERTH_FAILS(await(fs.rename(path("to"), path("empty"), {})), ErrorKind::InvalidInput);
    BERTH_FAILS(await(fs.rename(path("dir"), path("full"), {})), ErrorKind::Conflict);
    BERTH_FAILS(await(fs.rename(path("dir"), path("dir/inner/x"), {})), ErrorKind::InvalidInput);
    BERTH_OK(await(fs.rename(path("dir"), path("moved"), {})));
    BERTH_OK(await(fs.stat(path("moved/inner"), {})));
    BERTH_FAILS(await(fs.remove(path("moved"), false, {})), ErrorKind::Conflict);
    BERTH_OK(await(fs.remove(path("empty/"), false, {})));
    BERTH_OK(await(fs.remove(path("link"), true, {})));
    BERTH_OK(await(fs.remove(path("moved"), true, {})));
    BERTH_FAILS(await(fs.remove("/", true, {})), ErrorKind::InvalidInput);
    QCOMPARE(sh("ls; ls kept"), QByteArrayLiteral("full\nkept\nto\nfile\n"));
}

void TestScriptFiles::globs()
{
    net::ScriptFileSystem fs = files();
    for (const char *name : {"a.c", "b.c", "src/a.c", "src/\xc3\xa4.h", "src/in/deep/d.c",
                             ".hid/e.c", "odd\nname", "odd\xff", "[x]"})
        BERTH_OK(await(fs.write(path(name), "x", {})));
    sh("ln -s ../.. src/circle; ln -s src way");
    using Paths = QList<QByteArray>;
    const QList<std::tuple<QByteArray, bool, Paths>> cases{
        {"*.c", false, {"a.c", "b.c"}},
        {"src/?.h", false, {"src/\xc3\xa4.h"}},
        {"**/*.c", false, {"a.c", "b.c", "src/a.c", "src/in/deep/d.c"}},
        {"**/*.c", true, {".hid/e.c", "a.c", "b.c", "src/a.c", "src/in/deep/d.c"}},
        {"src/**/d.c", false, {"src/in/deep/d.c"}},
        {"*/", false, {"src"}},
        {".h*/*.c", false, {".hid/e.c"}},
        {"odd*", false, {"odd\nname", "odd\xff"}},
        {"\\[x\\]", false, {"[x]"}},
        {"[x]", false, {}},
        {"./src//in/deep/d.c", false, {"src/in/deep/d.c"}},
        {"src/in/*", false, {"src/in/deep"}},
        {"none/*", false, {}},
        {"way/*", false, {}}};
    for (const auto &[pattern, hidden, paths] : cases) {
        const auto found = await(fs.glob({m_directory, pattern, 1000, hidden}, {}));
        BERTH_OK(found);
        QCOMPARE(found->paths, paths);
        QVERIFY(!found->truncated);
    }
    const auto two = await(fs.glob({m_directory, "**", 2, false}, {}));
    QCOMPARE(two->paths.size(), 2);
    QVERIFY(two->truncated);
    for (const char *pattern : {"../*", "a/../../out/*", "/etc/*", ""})
        BERTH_FAILS(await(fs.glob({m_directory, pattern, 9, false}, {})), ErrorKind::InvalidInput);
    BERTH_FAILS(await(fs.glob({path("none"), "*", 9, false}, {})), ErrorKind::NotFound);
    BERTH_FAILS(await(fs.glob({path("a.c"), "*", 9, false}, {})), ErrorKind::InvalidInput);
    // More names than one answer holds.
    sh("mkdir many; cd many; i=0; while [ $i -lt 3000 ]; do "
       ": >a-rather-long-name-so-that-it-fills-the-answer-sooner-than-it-would-"
       "otherwise-and-then-some-more-$i; i=$((i+1)); done");
    const auto many = await(fs.glob({path("many"), "*", 5000, false}, {}));
    BERTH_OK(many);
    QCOMPARE(many->paths.size(), 3000);
    QVERIFY(!many->truncated);
    const auto top = await(fs.glob({"/", "etc/pass*d", 9, false}, {}));
    BERTH_OK(top);
    QCOMPARE(top->paths, Paths{"etc/passwd"});
}

void TestScriptFiles::greps()
{
    net::ScriptFileSystem fs = files();
    BERTH_OK(await(fs.write(path("a.txt"), "one\ntwo needle\r\nthree\nNEEDLE four", {})));
    BERTH_OK(
        await(fs.write(path("sub/b.md"), "a.c\nabc\nneedle " + QByteArray(3000, 'y') + '\n', {})));
    BERTH_OK(await(fs.write(path("sub/binary"), QByteArray("needle\0needle", 13), {})));
    BERTH_OK(await(fs.write(path("long"), QByteArray(200'000, 'z') + "needle\nneedle\n", {})));
    BERTH_OK(await(fs.write(path("odd\nname\xff"), "\xff needle:x\n", {})));
    sh("ln -s a.txt link; ln -s . circle; mkfifo fifo; : >empty");
    const auto told = [](const domain::GrepResult &found) {
        QByteArray lines;
        for (const domain::GrepMatch &match : found.matches)
            lines += match.path + ':' + QByteArray::number(match.line) + ' ';
        return lines;
    };
    auto found = await(fs.grep({m_directory, "needle", {}, false, false, 200}, {}), 10s);
    BERTH_OK(found);
    QCOMPARE(told(*found), QByteArray("a.txt:2 long:2 odd\nname\xff:1 sub/b.md:3 "));
    QCOMPARE(found->matches[0].text, QByteArrayLiteral("two needle"));
    QCOMPARE(found->matches[2].text, QByteArrayLiteral("\xff needle:x"));
    QCOMPARE(found->matches[3].text.size(), 1024);
    QCOMPARE(found->filesSearched, 5);
    QCOMPARE(found->filesSkipped, 1);
    QVERIFY(!found->truncated);
    const auto lines = [&](const domain::GrepRequest &request) {
        const auto result = await(fs.grep(request, {}));
        return result ? told(*result) : test::told(result);
    };
    QCOMPARE(lines({m_directory, "needle", "*.txt", false, true, 200}), "a.txt:2 a.txt:4 ");
    QCOMPARE(lines({m_directory, "NEEDLE", "*.t?t", true, true, 200}), "a.txt:2 a.txt:4 ");
    QCOMPARE(lines({m_directory, "needle$", {}, false, false, 200}), "a.txt:2 long:2 ");
    QCOMPARE(lines({m_directory, "^a.c$", {}, false, false, 200}), "sub/b.md:1 sub/b.md:2 ");
    QCOMPARE(lines({m_directory, "a.c", {}, true, false, 200}), "sub/b.md:1 ");
    QCOMPARE(lines({m_directory, "-e", {}, false, false, 200}), "");
    QCOMPARE(lines({path("a.txt"), "three", {}, false, false, 200}), ":3 ");
    QCOMPARE(lines({path("sub/binary"), "needle", {}, false, false, 200}), "");
    found = await(fs.grep({m_directory, "(need|th)(le|ree)", {}, false, false, 2}, {}));
    QCOMPARE(found->matches.size(), 2);
    QVERIFY(found->truncated);
    BERTH_FAILS(await(fs.grep({m_directory, "(", {}, false, false, 9}, {})),
                ErrorKind::InvalidInput);
    BERTH_FAILS(await(fs.grep({path("none"), "x", {}, false, false, 9}, {})), ErrorKind::NotFound);
    BERTH_FAILS(await(fs.grep({path("fifo"), "x", {}, false, false, 9}, {}), 5s),
                ErrorKind::InvalidInput);
    // More than one answer holds.
    BERTH_OK(await(fs.write(path("big"), (QByteArray(1000, 'q') + '\n').repeated(900), {})));
    found = await(fs.grep({m_directory, "q", {}, false, false, 1000}, {}));
    BERTH_OK(found);
    QVERIFY(found->truncated);
    QVERIFY(found->matches.size() > 100);
}

void TestScriptFiles::patterns()
{
    QVERIFY(net::matchesName("[a-c]x", "bx") && !net::matchesName("[!a-c]x", "bx"));
    QVERIFY(net::matchesName("[]]", "]") && net::matchesName("[", "["));
    QVERIFY(net::matchesName("a*b*c", "a--b--c") && !net::matchesName("a*b*c", "a--b--"));
    QVERIFY(net::matchesName("?", "\xe6\xbc\xa2") && net::matchesName("??", "\xff\xfe"));
    QVERIFY(net::matchesName("\\*", "*") && !net::matchesName("\\*", "x"));
    const auto pattern = net::PathPattern::parse("a/b*/**/c/");
    QVERIFY(pattern && pattern->onlyDirectories());
    QCOMPARE(pattern->literalStart(), QList<QByteArray>{"a"});
    QVERIFY(pattern->matches("a/b1/c", false) && pattern->matches("a/b1/x/y/c", false));
    QVERIFY(!pattern->matches("a/b1/.x/c", false) && pattern->matches("a/b1/.x/c", true));
    QVERIFY(!net::PathPattern::parse(QByteArray("x/").repeated(70) + "x"));
}

namespace {

//! Answers what it was told to.
class Parrot : public net::ScriptRunner
{
public:
    explicit Parrot(net::ScriptResult answer) : m_answer(std::move(answer)) {}
    domain::Async<net::ScriptResult> run(net::ScriptRequest, std::stop_token) override
    {
        co_return m_answer;
    }
    [[nodiscard]] bool isBinarySafe() const override { return true; }

private:
    const net::ScriptResult m_answer;
};

} // namespace

void TestScriptFiles::nonsense()
{
    for (const char *out : {"", "x", "\n=ok", "abc\n=ok.", "\n=what.", "zz zz zz\n\n=ok."}) {
        net::ScriptFileSystem fs(std::make_shared<Parrot>(net::ScriptResult{0, out, {}}));
        BERTH_FAILS(await(fs.stat("/x", {})), ErrorKind::Protocol);
        BERTH_FAILS(await(fs.list("/x", {}, 5, {})), ErrorKind::Protocol);
        BERTH_FAILS(await(fs.grep({"/x", "y", {}, false, false, 5}, {})), ErrorKind::Protocol);
    }
    net::ScriptFileSystem more(
        std::make_shared<Parrot>(net::ScriptResult{0, "more than wanted\n=ok.", {}}));
    BERTH_FAILS(await(more.read("/x", 0, 3, {})), ErrorKind::Protocol);
    net::ScriptFileSystem none(std::make_shared<Parrot>(net::ScriptResult{127, {}, "sh: base64"}));
    BERTH_FAILS(await(none.stat("/x", {})), ErrorKind::Unsupported);
}

} // namespace berth::test

QTEST_GUILESS_MAIN(berth::test::TestScriptFiles)
#include "test_script_files.moc"
