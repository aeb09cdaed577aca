// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/storage_files.h"

#include "storage/database_file.h"

#include <QtCore/QDir>
#include <QtCore/QtEndian>
#include <QtTest/QTest>

#include <unistd.h>

using namespace berth;
using namespace berth::domain;
using namespace berth::storage;
using berth::test::contentOf;
using berth::test::StorageFiles;

namespace {

constexpr qint32 kId = 0x54657374;

QList<Migration> steps(int count)
{
    const QList<Migration> all{
        {1, QStringLiteral("first"),
         QStringLiteral("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL);\n"
                        "CREATE TABLE marks (note INTEGER NOT NULL REFERENCES notes (id));\n"
                        "INSERT INTO notes VALUES (1, 'a;b -- no comment'); -- a; comment\n"
                        "INSERT INTO marks VALUES (1);\n")},
        {2, QStringLiteral("rebuild"),
         QStringLiteral(
             "CREATE TABLE fresh (id INTEGER PRIMARY KEY, text TEXT NOT NULL, extra INTEGER);\n"
             "INSERT INTO fresh SELECT id, text, 7 FROM notes;\n"
             "DROP TABLE notes;\nALTER TABLE fresh RENAME TO notes;\n")},
        {3, QStringLiteral("more"), QStringLiteral("CREATE TABLE third (x);")}};
    return all.mid(0, count);
}

} // namespace

class MigrationsTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> folder;

    FileSpec spec(const QList<Migration> &migrations) const
    {
        FileSpec spec;
        spec.path = folder->filePath(QStringLiteral("test.db"));
        spec.plan = {migrations, kId, folder->filePath(QStringLiteral("backups")), 3};
        return spec;
    }

    QStringList backups() const
    {
        return QDir(folder->filePath(QStringLiteral("backups"))).entryList(QDir::Files, QDir::Name);
    }

    static QString textIn(const QString &path, const QString &sql)
    {
        auto connection = Connection::open(path, Connection::Mode::ReadOnly);
        if (!connection)
            return connection.error().message;
        auto row = (*connection)->selectOne(sql);
        return row && *row ? (*row)->text() : QStringLiteral("none");
    }

    void changeHeader(const QString &path, qint64 at, qint32 value) const
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.seek(at));
        const qint32 big = qToBigEndian(value);
        file.write(reinterpret_cast<const char *>(&big), sizeof(big));
    }

private Q_SLOTS:
    void init() { folder = std::make_unique<QTemporaryDir>(); }

    void splitsScripts()
    {
        const QStringList statements = statementsOf(
            QStringLiteral("-- intro; with a semicolon\n"
                           "CREATE TABLE a (x TEXT DEFAULT ';', \"odd;name\" TEXT); /* ; */\n"
                           "CREATE TRIGGER t BEFORE UPDATE ON a WHEN CASE WHEN 1 THEN 1 END BEGIN\n"
                           "  SELECT CASE WHEN 1 THEN 2 END; SELECT 'it''s; END';\nEND;\n"
                           "INSERT INTO a VALUES ('--', 'x')\n"));
        QCOMPARE(statements.size(), 3);
        QVERIFY(statements.at(0).startsWith(QLatin1String("CREATE TABLE a")));
        QVERIFY(statements.at(1).endsWith(QLatin1String("END")));
        QVERIFY(statements.at(1).contains(QLatin1String("it''s; END")));
        QCOMPARE(statements.at(2), QStringLiteral("INSERT INTO a VALUES ('--', 'x')"));
    }

    void theShippedMigrationsAreInOrder()
    {
        // Known to the program only after Q_INIT_RESOURCE, which openStorage() does.
        StorageFiles files;
        BERTH_OK(files.open());
        for (const char *name : {"berth", "sandbox"}) {
            const auto found =
                migrationsIn(QStringLiteral(":/berth/migrations/sqlite/") + QLatin1String(name));
            BERTH_OK(found);
            QVERIFY(!found->isEmpty());
        }
    }

    void gapsInTheNumbersAreRefused()
    {
        for (const char *name : {"0001_a.sql", "0003_c.sql"}) {
            QFile file(folder->filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("SELECT 1;");
        }
        BERTH_FAILS(migrationsIn(folder->path()), ErrorKind::Internal);
        QVERIFY(QFile::rename(folder->filePath(QStringLiteral("0003_c.sql")),
                              folder->filePath(QStringLiteral("0002_c.sql"))));
        BERTH_OK(migrationsIn(folder->path()));
        BERTH_FAILS(migrationsIn(folder->filePath(QStringLiteral("nowhere"))), ErrorKind::Internal);
    }

    void makesAnEmptyFile()
    {
        {
            const Result<OpenFile> file = openFile(spec(steps(2)));
            BERTH_OK(file);
            QVERIFY(file->isNew);
        }
        const QString path = spec({}).path;
        QCOMPARE(textIn(path, QStringLiteral("SELECT text FROM notes")),
                 QStringLiteral("a;b -- no comment"));
        QCOMPARE(textIn(path, QStringLiteral("PRAGMA user_version")), QStringLiteral("2"));
        QCOMPARE(textIn(path, QStringLiteral("PRAGMA application_id")), QString::number(kId));
        QCOMPARE(textIn(path, QStringLiteral("PRAGMA journal_mode")), QStringLiteral("wal"));
        QVERIFY(backups().isEmpty());
        QCOMPARE(int(QFile::permissions(path) & (QFile::ReadGroup | QFile::ReadOther)), 0);
        QVERIFY(!QFile::exists(path + QStringLiteral(".new")));
    }

    void aFileOfNoBytesIsNew()
    {
        QFile empty(spec({}).path);
        QVERIFY(empty.open(QIODevice::WriteOnly));
        empty.close();
        const Result<OpenFile> file = openFile(spec(steps(1)));
        BERTH_OK(file);
        QVERIFY(file->isNew);
    }

    void leftoversOfABrokenStartDoNoHarm()
    {
        QFile junk(spec({}).path + QStringLiteral(".new"));
        QVERIFY(junk.open(QIODevice::WriteOnly));
        junk.write("half a file");
        junk.close();
        BERTH_OK(openFile(spec(steps(1))));
    }

    void upgradesFromVersionOne()
    {
        BERTH_OK(openFile(spec(steps(1))));
        {
            const Result<OpenFile> file = openFile(spec(steps(3)));
            BERTH_OK(file);
            QVERIFY(!file->isNew);
            // Foreign keys work again after the rebuild.
            BERTH_FAILS(file->connection->execute(QStringLiteral("INSERT INTO marks VALUES (99)")),
                        ErrorKind::Conflict);
        }
        const QString path = spec({}).path;
        QCOMPARE(textIn(path, QStringLiteral("SELECT extra FROM notes")), QStringLiteral("7"));
        QCOMPARE(textIn(path, QStringLiteral("PRAGMA user_version")), QStringLiteral("3"));
        QCOMPARE(backups().size(), 2);
        QVERIFY(backups().first().startsWith(QLatin1String("test-v1-")));
        const QString copy = folder->filePath(QStringLiteral("backups/") + backups().first());
        QCOMPARE(textIn(copy, QStringLiteral("PRAGMA user_version")), QStringLiteral("1"));
        QCOMPARE(textIn(copy, QStringLiteral("SELECT text FROM notes")),
                 QStringLiteral("a;b -- no comment"));
        QCOMPARE(textIn(copy, QStringLiteral("PRAGMA application_id")), QString::number(kId));
        // The copy can take the place of the file.
        QVERIFY(QFile::remove(path));
        QVERIFY(QFile::copy(copy, path));
        BERTH_OK(openFile(spec(steps(3))));
    }

    void aFailingStepChangesNothingAndLeavesTheCopy()
    {
        BERTH_OK(openFile(spec(steps(1))));
        QList<Migration> broken = steps(2);
        broken << Migration{
            3, QStringLiteral("broken"),
            QStringLiteral("CREATE TABLE halfway (x); INSERT INTO halfway VALUES (1);\n"
                           "UPDATE notes SET text = 'spoiled'; INSERT INTO nowhere VALUES (1);")};
        const Result<OpenFile> refused = openFile(spec(broken));
        BERTH_FAILS(refused, ErrorKind::Storage);
        QVERIFY2(refused.error().detail.contains(QLatin1String("broken")),
                 qPrintable(refused.error().detail));
        QVERIFY2(refused.error().detail.contains(QLatin1String("test-v2-")),
                 qPrintable(refused.error().detail));
        const QString path = spec({}).path;
        // The step before it stands; of the broken one there is nothing.
        QCOMPARE(textIn(path, QStringLiteral("PRAGMA user_version")), QStringLiteral("2"));
        QCOMPARE(textIn(path, QStringLiteral("SELECT text FROM notes")),
                 QStringLiteral("a;b -- no comment"));
        QCOMPARE(
            textIn(path, QStringLiteral("SELECT name FROM sqlite_master WHERE name = 'halfway'")),
            QStringLiteral("none"));
        QCOMPARE(backups().size(), 2);
        BERTH_OK(openFile(spec(steps(3))));
    }

    void danglingReferencesFailAStep()
    {
        BERTH_OK(openFile(spec(steps(1))));
        QList<Migration> broken = steps(1);
        broken << Migration{2, QStringLiteral("dangling"), QStringLiteral("DELETE FROM notes;")};
        const Result<OpenFile> refused = openFile(spec(broken));
        BERTH_FAILS(refused, ErrorKind::Storage);
        QVERIFY(refused.error().detail.contains(QLatin1String("marks")));
        QCOMPARE(textIn(spec({}).path, QStringLiteral("SELECT text FROM notes")),
                 QStringLiteral("a;b -- no comment"));
    }

    void copiesAreBounded()
    {
        BERTH_OK(openFile(spec(steps(1))));
        QList<Migration> many = steps(3);
        for (int n = 4; n <= 12; ++n)
            many << Migration{n, QStringLiteral("n"),
                              QStringLiteral("CREATE TABLE t%1 (x);").arg(n)};
        BERTH_OK(openFile(spec(many)));
        QCOMPARE(backups().size(), 3);
        // The newest ones, though "v9" sorts behind "v11".
        QVERIFY(backups().join(QLatin1Char(' ')).contains(QLatin1String("test-v11-")));
        QVERIFY(backups().join(QLatin1Char(' ')).contains(QLatin1String("test-v10-")));
    }

    void noCopyNoStep()
    {
        BERTH_OK(openFile(spec(steps(1))));
        FileSpec blocked = spec(steps(2));
        // A file where the folder should be.
        blocked.plan.backups = folder->filePath(QStringLiteral("blocker"));
        QFile blocker(blocked.plan.backups);
        QVERIFY(blocker.open(QIODevice::WriteOnly));
        const Result<OpenFile> refused = openFile(blocked);
        BERTH_FAILS(refused, ErrorKind::Storage);
        QCOMPARE(textIn(blocked.path, QStringLiteral("PRAGMA user_version")), QStringLiteral("1"));
    }

    void aNewerFileIsRefusedUnchanged()
    {
        BERTH_OK(openFile(spec(steps(3))));
        const QString path = spec({}).path;
        const QByteArray before = contentOf(path);
        const Result<OpenFile> refused = openFile(spec(steps(2)));
        BERTH_FAILS(refused, ErrorKind::Storage);
        QVERIFY(refused.error().message.contains(QLatin1String("newer Berth")));
        QVERIFY(refused.error().detail.contains(QLatin1String("version 3")));
        QCOMPARE(contentOf(path), before);
        QVERIFY(!QFile::exists(path + QStringLiteral("-wal")));
        QVERIFY(backups().isEmpty());
        BERTH_OK(openFile(spec(steps(3))));
    }

    void aNewerVersionInTheLogIsSeen()
    {
        // As left by a newer Berth that was killed: the file's header says 1, the log says 3.
        const QString path = spec({}).path;
        const QString killed = folder->filePath(QStringLiteral("killed.db"));
        BERTH_OK(openFile(spec(steps(1))));
        {
            const Result<OpenFile> newer = openFile(spec(steps(3)));
            BERTH_OK(newer);
            QVERIFY(QFile::copy(path, killed));
            QVERIFY(QFile::copy(path + QStringLiteral("-wal"), killed + QStringLiteral("-wal")));
        }
        FileSpec old = spec(steps(2));
        old.path = killed;
        const QByteArray before = contentOf(killed);
        QCOMPARE(qFromBigEndian<qint32>(before.constData() + 60), 1);
        const QByteArray logBefore = contentOf(killed + QStringLiteral("-wal"));
        const Result<OpenFile> refused = openFile(old);
        BERTH_FAILS(refused, ErrorKind::Storage);
        QVERIFY2(refused.error().message.contains(QLatin1String("newer Berth")),
                 qPrintable(refused.error().message));
        QCOMPARE(contentOf(killed), before);
        QCOMPARE(contentOf(killed + QStringLiteral("-wal")), logBefore);
        old.plan.steps = steps(3);
        BERTH_OK(openFile(old));
    }

    void anotherProgramsFileIsRefusedUnchanged()
    {
        const QString path = spec({}).path;
        for (const qint32 id : {0, 0x12345678}) {
            QFile::remove(path);
            {
                auto foreign = Connection::open(path, Connection::Mode::ReadWrite);
                BERTH_OK(foreign);
                BERTH_OK((*foreign)->execute(QStringLiteral("CREATE TABLE theirs (x)")));
                BERTH_OK((*foreign)->execute(QStringLiteral("PRAGMA application_id = %1").arg(id)));
            }
            const QByteArray before = contentOf(path);
            const Result<OpenFile> refused = openFile(spec(steps(2)));
            BERTH_FAILS(refused, ErrorKind::Storage);
            QVERIFY(refused.error().message.contains(QLatin1String("another program")));
            QCOMPARE(contentOf(path), before);
        }
    }

    void theTwoFilesAreNotMistakenForEachOther()
    {
        StorageFiles files;
        BERTH_OK(files.open());
        BERTH_OK(files.close());
        std::swap(files.paths.berthDb, files.paths.sandboxDb);
        BERTH_FAILS(files.open(), ErrorKind::Storage);
        QVERIFY(!files.isOpen());
    }

    void damagedFilesAreRefused_data()
    {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("size");
        QTest::newRow("not a database") << 0 << 16;
        QTest::newRow("schema page") << 100 << 3000;
        QTest::newRow("later page") << 4096 << 4096;
    }

    void damagedFilesAreRefused()
    {
        QFETCH(int, from);
        QFETCH(int, size);
        BERTH_OK(openFile(spec(steps(3))));
        const QString path = spec({}).path;
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.size() >= from + size);
        QVERIFY(file.seek(from));
        file.write(QByteArray(size, 'x'));
        file.close();
        const QByteArray before = contentOf(path);
        const Result<OpenFile> refused = openFile(spec(steps(3)));
        BERTH_FAILS(refused, ErrorKind::Storage);
        QVERIFY2(refused.error().message.contains(QLatin1String("damaged")),
                 qPrintable(refused.error().message));
        QVERIFY(refused.error().detail.contains(QLatin1String("backups")));
        QCOMPARE(contentOf(path), before);
    }

    void aTornFileIsRefused()
    {
        BERTH_OK(openFile(spec(steps(3))));
        const QString path = spec({}).path;
        QVERIFY(QFile::resize(path, QFileInfo(path).size() - 4096));
        BERTH_FAILS(openFile(spec(steps(3))), ErrorKind::Storage);
        QVERIFY(QFile::resize(path, 50));
        BERTH_FAILS(openFile(spec(steps(3))), ErrorKind::Storage);
    }

    void aFolderThatCannotBeMadeHasWords()
    {
        QFile blocker(folder->filePath(QStringLiteral("blocker")));
        QVERIFY(blocker.open(QIODevice::WriteOnly));
        FileSpec blocked = spec(steps(1));
        blocked.path = folder->filePath(QStringLiteral("blocker/deep/test.db"));
        const Result<OpenFile> refused = openFile(blocked);
        BERTH_FAILS(refused, ErrorKind::Storage);
        QVERIFY(refused.error().detail.contains(QLatin1String("another data directory")));
    }

    void aFolderThatMayNotBeWrittenHasWords()
    {
        const QString closed = folder->filePath(QStringLiteral("closed"));
        QVERIFY(QDir().mkpath(closed));
        QVERIFY(QFile::setPermissions(folder->path(), QFile::Permissions(0x7755)));
        QVERIFY(QFile::setPermissions(closed, QFile::Permissions(0x5555)));
        FileSpec blocked = spec(steps(1));
        blocked.path = closed + QStringLiteral("/test.db");
        // Root may write anywhere, so for a moment this is nobody.
        const bool root = ::geteuid() == 0;
        if (root)
            QCOMPARE(::seteuid(65534), 0);
        const Result<OpenFile> refused = openFile(blocked);
        if (root)
            QCOMPARE(::seteuid(0), 0);
        BERTH_FAILS(refused, ErrorKind::Storage);
        QVERIFY(refused.error().detail.contains(QLatin1String("may write")));
        QVERIFY(QDir(closed).isEmpty());
    }

    void aFullDiskHasWordsAndKeepsWhatWasThere()
    {
        const Result<OpenFile> file = openFile(spec(steps(1)));
        BERTH_OK(file);
        Connection &c = *file->connection;
        const Result<QList<Row>> bounded = c.select(QStringLiteral("PRAGMA max_page_count = 8"));
        BERTH_OK(bounded);
        Error full;
        for (int i = 0; i < 50 && full.message.isEmpty(); ++i) {
            const Result<qint64> done = c.transaction<qint64>([](Connection &inner) {
                return inner.execute(QStringLiteral("INSERT INTO notes (text) VALUES (?)"),
                                     {column(QString(4000, QLatin1Char('x')))});
            });
            if (!done)
                full = done.error();
        }
        QVERIFY(full.kind == ErrorKind::Storage);
        QVERIFY2(full.message.contains(QLatin1String("full")), qPrintable(full.message));
        QCOMPARE(c.selectOne(QStringLiteral("SELECT text FROM notes WHERE id = 1")).value()->text(),
                 QStringLiteral("a;b -- no comment"));
        BERTH_OK(c.select(QStringLiteral("PRAGMA max_page_count = 10000")));
        // Space again: it goes on by itself.
        BERTH_OK(c.transaction<qint64>([](Connection &inner) {
            return inner.execute(QStringLiteral("INSERT INTO notes (text) VALUES ('after')"));
        }));
    }

    void twoBerthsDoNotShareAFile()
    {
        const Result<OpenFile> first = openFile(spec(steps(1)));
        BERTH_OK(first);
        const Result<OpenFile> second = openFile(spec(steps(1)));
        BERTH_FAILS(second, ErrorKind::Conflict);
        QVERIFY(second.error().message.contains(QLatin1String("Another Berth")));
    }

    void aLinkLeadsToTheFileItself()
    {
        const QString real = folder->filePath(QStringLiteral("real/test.db"));
        FileSpec there = spec(steps(1));
        there.path = real;
        BERTH_OK(openFile(there));
        QVERIFY(QFile::link(real, spec({}).path));
        const Result<OpenFile> linked = openFile(spec(steps(1)));
        BERTH_OK(linked);
        QVERIFY(!linked->isNew);
        QVERIFY(QFileInfo(spec({}).path).isSymLink());
        BERTH_FAILS(openFile(there), ErrorKind::Conflict);
    }

    void movedSandboxRecordsAreNoticed()
    {
        StorageFiles files;
        BERTH_OK(files.open());
        QVERIFY(files.storage().previousSandboxDb().isEmpty());
        BERTH_OK(files.close());
        const QString before = files.paths.sandboxDb;
        files.paths.sandboxDb = files.file(QStringLiteral("elsewhere/sandbox.db"));
        BERTH_OK(files.open());
        QCOMPARE(files.storage().previousSandboxDb(), before);
        BERTH_OK(files.reopen());
        QCOMPARE(files.storage().previousSandboxDb(), before);
        BERTH_OK(test::await(files.storage().acceptSandboxDb()));
        QVERIFY(files.storage().previousSandboxDb().isEmpty());
        BERTH_OK(files.reopen());
        QVERIFY(files.storage().previousSandboxDb().isEmpty());
    }

    void aMovedDataDirectoryIsNoChange()
    {
        StorageFiles files;
        files.paths.berthDb = files.file(QStringLiteral("a/berth.db"));
        files.paths.sandboxDb = files.file(QStringLiteral("a/sandbox.db"));
        BERTH_OK(files.open());
        BERTH_OK(files.close());
        QVERIFY(QDir(files.folder()).rename(QStringLiteral("a"), QStringLiteral("b")));
        files.paths.berthDb = files.file(QStringLiteral("b/berth.db"));
        files.paths.sandboxDb = files.file(QStringLiteral("b/sandbox.db"));
        BERTH_OK(files.open());
        QVERIFY(files.storage().previousSandboxDb().isEmpty());
    }

    void checksStandOnEveryClosedSet()
    {
        StorageFiles files;
        BERTH_OK(files.open());
        QVERIFY(test::await(files.berth().addThread(StorageFiles::first(QStringLiteral("x")))));
        QVERIFY(test::await(files.leases().addLease(StorageFiles::lease(),
                                                    StorageFiles::event(QStringLiteral("e")))));
        BERTH_OK(files.close());
        const QList<std::pair<QString, QString>> updates{
            {files.paths.berthDb, QStringLiteral("UPDATE sandboxes SET status = 'x'")},
            {files.paths.berthDb, QStringLiteral("UPDATE runs SET state = 'x'")},
            {files.paths.berthDb, QStringLiteral("UPDATE messages SET role = 'x'")},
            {files.paths.berthDb, QStringLiteral("UPDATE tool_calls SET state = 'x'")},
            {files.paths.berthDb, QStringLiteral("UPDATE tool_calls SET origin = 'x'")},
            {files.paths.berthDb,
             QStringLiteral("UPDATE tool_calls SET state = 'done', outcome = 'x'")},
            {files.paths.berthDb, QStringLiteral("UPDATE threads SET archived = 2")},
            {files.paths.berthDb,
             QStringLiteral("UPDATE threads SET created_at = '2026-05-01 10:00:00'")},
            {files.paths.berthDb, QStringLiteral("UPDATE agents SET config_json = '{'")},
            {files.paths.sandboxDb,
             QStringLiteral("UPDATE sandbox_leases SET desired_state = 'x'")},
            {files.paths.sandboxDb,
             QStringLiteral("UPDATE sandbox_leases SET observed_state = 'x'")},
            {files.paths.sandboxDb, QStringLiteral("UPDATE sandbox_leases SET on_exit = 'x'")},
            {files.paths.sandboxDb, QStringLiteral("UPDATE sandbox_leases SET version = 0")},
        };
        for (const auto &[path, sql] : updates) {
            auto connection = Connection::open(path, Connection::Mode::ReadWrite);
            BERTH_OK(connection);
            const Result<qint64> done = (*connection)->execute(sql);
            QVERIFY2(!done && done.error().kind == ErrorKind::Internal, qPrintable(sql));
        }
    }
};

QTEST_GUILESS_MAIN(MigrationsTest)
#include "test_migrations.moc"
