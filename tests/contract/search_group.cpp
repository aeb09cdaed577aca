// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "contract/sandbox_under_test.h"

using namespace std::chrono_literals;

namespace berth::contract {

using domain::ErrorKind;
using test::await;
using test::Finished;

//! Finding names and text in the sandbox, without being led out of it.
class SearchGroup : public QObject
{
    Q_OBJECT
public:
    explicit SearchGroup(Fixture &fixture) : m_sandbox(fixture) {}

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();

    void globs_data();
    void globs();
    void globStaysInside();
    void greps();
    void grepStaysInside();

private:
    [[nodiscard]] domain::FileSystem &fs() const { return m_connection->fs(); }
    Finished run(const QByteArray &text) { return test::run(m_connection->shell(), text); }
    [[nodiscard]] QByteArray path(const QByteArray &name) const { return m_directory + '/' + name; }
    domain::Result<void> write(const QByteArray &file, const QByteArray &content)
    {
        return await(fs().write(file, content, {}));
    }

    SandboxUnderTest m_sandbox;
    std::shared_ptr<domain::SandboxConnection> m_connection;
    QByteArray m_directory;
    //! Of globs().
    QByteArray m_tree;
    int m_count = 0;
};

void SearchGroup::initTestCase()
{
    BERTH_OPEN(m_sandbox);
    const auto instance = m_sandbox.create(QStringLiteral("search"));
    BERTH_OK(instance);
    const auto connection = m_sandbox.connect(instance->externalId);
    BERTH_OK(connection);
    m_connection = *connection;
}

void SearchGroup::cleanupTestCase()
{
    m_connection.reset();
    m_sandbox.close();
}

void SearchGroup::init()
{
    m_directory = m_sandbox.fixture().traits().home + "/case" + QByteArray::number(++m_count);
    BERTH_OK(await(fs().makeDirectory(m_directory, {})));
}

void SearchGroup::globs_data()
{
    using Paths = QList<QByteArray>;
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<bool>("hidden");
    QTest::addColumn<QList<QByteArray>>("paths");
    QTest::newRow("names") << QByteArray("*.c") << false << Paths{"a.c", "b.c"};
    QTest::newRow("one character") << QByteArray("?.c") << false << Paths{"a.c", "b.c"};
    QTest::newRow("a character of two bytes")
        << QByteArray("src/?.h") << false << Paths{"src/\xc3\xa4.h"};
    QTest::newRow("class") << QByteArray("[b-z].c") << false << Paths{"b.c"};
    QTest::newRow("not in the class") << QByteArray("[!b].c") << false << Paths{"a.c"};
    QTest::newRow("below a directory") << QByteArray("src/*.c") << false << Paths{"src/a.c"};
    QTest::newRow("over directories")
        << QByteArray("**/*.c") << false << Paths{"a.c", "b.c", "src/a.c", "src/in/deep/d.c"};
    QTest::newRow("in the middle") << QByteArray("src/**/d.c") << false << Paths{"src/in/deep/d.c"};
    QTest::newRow("twice") << QByteArray("**/**/in/**/d.c") << false << Paths{"src/in/deep/d.c"};
    QTest::newRow("directories only") << QByteArray("*/") << false << Paths{"src"};
    QTest::newRow("hidden by its name") << QByteArray(".h*/*.c") << false << Paths{".hid/e.c"};
    QTest::newRow("hidden, too") << QByteArray("**/e.c") << true << Paths{".hid/e.c"};
    QTest::newRow("hidden ones not") << QByteArray("**/e.c") << false << Paths{};
    QTest::newRow("odd names") << QByteArray("odd*") << false << Paths{"odd\nname", "odd\xff"};
    QTest::newRow("escaped") << QByteArray("\\[x\\]") << false << Paths{"[x]"};
    QTest::newRow("an open bracket") << QByteArray("[x]") << false << Paths{};
    QTest::newRow("a literal path")
        << QByteArray("./src//in/deep/d.c") << false << Paths{"src/in/deep/d.c"};
}

void SearchGroup::globs()
{
    QFETCH(QByteArray, pattern);
    QFETCH(bool, hidden);
    QFETCH(QList<QByteArray>, paths);
    // One tree for all patterns: a search changes nothing in it.
    if (m_tree.isEmpty()) {
        for (const char *file : {"a.c", "b.c", "src/a.c", "src/\xc3\xa4.h", "src/in/deep/d.c",
                                 ".hid/e.c", "odd\nname", "odd\xff", "[x]"})
            BERTH_OK(write(path(file), "x"));
        m_tree = m_directory;
    }
    domain::GlobRequest request;
    request.root = m_tree;
    request.pattern = pattern;
    request.hidden = hidden;
    const auto found = await(fs().glob(request, {}));
    BERTH_OK(found);
    QCOMPARE(found->paths, paths);
    QVERIFY(!found->truncated);
}

void SearchGroup::globStaysInside()
{
    QCOMPARE(run("cd " + m_directory
                 + " && mkdir -p in/sub out && : > out/secret && : > in/sub/file && "
                   "ln -s ../../out in/sub/link && ln -s .. in/sub/circle && ln -s loop in/loop")
                 .outcome.code,
             0);
    domain::GlobRequest request;
    request.root = path("in");
    request.pattern = "**";
    const auto all = await(fs().glob(request, {}));
    BERTH_OK(all);
    QCOMPARE(all->paths, (QList<QByteArray>{"loop", "sub", "sub/circle", "sub/file", "sub/link"}));
    request.limit = 2;
    const auto two = await(fs().glob(request, {}));
    BERTH_OK(two);
    QCOMPARE(two->paths.size(), 2);
    QVERIFY(two->truncated);
    request.limit = 5;
    QVERIFY(!await(fs().glob(request, {}))->truncated);
    for (const char *pattern : {"../*", "sub/../../out/*", "/etc/*", ""}) {
        request.pattern = pattern;
        BERTH_FAILS(await(fs().glob(request, {})), ErrorKind::InvalidInput);
    }
    request.pattern = "*";
    request.root = path("none");
    BERTH_FAILS(await(fs().glob(request, {})), ErrorKind::NotFound);
    request.root = path("out/secret");
    BERTH_FAILS(await(fs().glob(request, {})), ErrorKind::InvalidInput);
}

void SearchGroup::greps()
{
    BERTH_OK(write(path("a.txt"), "one\ntwo needle\r\nthree\nNEEDLE four"));
    BERTH_OK(write(path("sub/b.md"), "a.c\nabc\nneedle " + QByteArray(3000, 'y') + '\n'));
    BERTH_OK(write(path("sub/binary"), QByteArray("needle\0needle", 13)));
    BERTH_OK(write(path("long"), QByteArray(200'000, 'z') + "needle\nneedle\n"));
    domain::GrepRequest request;
    request.root = m_directory;
    request.pattern = "needle";
    auto found = await(fs().grep(request, {}));
    BERTH_OK(found);
    QStringList lines;
    for (const domain::GrepMatch &match : std::as_const(found->matches))
        lines << QString::fromUtf8(match.path) + QStringLiteral(":%1").arg(match.line);
    QCOMPARE(lines, QString::fromLatin1("a.txt:2 long:2 sub/b.md:3").split(u' '));
    QCOMPARE(found->matches[0].text, QByteArrayLiteral("two needle"));
    QCOMPARE(found->matches[2].text.size(), 1024);
    QCOMPARE(found->filesSearched, 3);
    QCOMPARE(found->filesSkipped, 1);
    QVERIFY(!found->truncated);

    request.ignoreCase = true;
    request.nameGlob = "*.txt";
    QCOMPARE(await(fs().grep(request, {}))->matches.size(), 2);
    request.fixed = true;
    QCOMPARE(await(fs().grep(request, {}))->matches.size(), 2);
    request = {m_directory, "^a.c$", {}, false, false, 200};
    QCOMPARE(await(fs().grep(request, {}))->matches.size(), 2);
    request = {m_directory, "a.c", {}, true, false, 200};
    QCOMPARE(await(fs().grep(request, {}))->matches.size(), 1);
    request = {m_directory, "(need|th)(le|ree)", {}, false, false, 2};
    found = await(fs().grep(request, {}));
    QCOMPARE(found->matches.size(), 2);
    QVERIFY(found->truncated);
    // A file is a root, too, and its matches need no path.
    request = {path("a.txt"), "three", {}, false, false, 200};
    found = await(fs().grep(request, {}));
    BERTH_OK(found);
    QCOMPARE(found->matches.size(), 1);
    QCOMPARE(found->matches[0].path, QByteArray());
    QCOMPARE(found->matches[0].line, 3);
    request.pattern = "(";
    BERTH_FAILS(await(fs().grep(request, {})), ErrorKind::InvalidInput);
    request = {path("none"), "x", {}, false, false, 200};
    BERTH_FAILS(await(fs().grep(request, {})), ErrorKind::NotFound);
}

void SearchGroup::grepStaysInside()
{
    QCOMPARE(run("cd " + m_directory
                 + " && mkdir -p in out && echo needle > out/secret && echo needle > in/file && "
                   "ln -s ../out/secret in/link && ln -s ../out in/dir && ln -s .. in/circle && "
                   "mkfifo in/fifo")
                 .outcome.code,
             0);
    domain::GrepRequest request;
    request.root = path("in");
    request.pattern = "needle";
    const auto found = await(fs().grep(request, {}), 8s);
    BERTH_OK(found);
    QCOMPARE(found->matches.size(), 1);
    QCOMPARE(found->matches[0].path, QByteArrayLiteral("file"));
    request.root = path("in/fifo");
    BERTH_FAILS(await(fs().grep(request, {}), 8s), ErrorKind::InvalidInput);
}

int runSearchGroup(Fixture &fixture, const QStringList &arguments)
{
    SearchGroup group(fixture);
    return QTest::qExec(&group, arguments);
}

} // namespace berth::contract

#include "search_group.moc"
