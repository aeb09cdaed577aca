// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/storage_files.h"

#include "storage/connection.h"

#include <QtCore/QProcess>
#include <QtCore/QRandomGenerator>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::domain;
using berth::storage::Connection;
using berth::test::StorageFiles;

//! A writer is killed in full flight again and again: the files stay whole, and what was
//! acknowledged stays.
class CrashTest : public QObject
{
    Q_OBJECT

private:
    static QSet<QString> column(const QString &path, const QString &sql)
    {
        QSet<QString> values;
        auto connection = Connection::open(path, Connection::Mode::ReadWrite);
        if (!connection)
            return values;
        auto rows = (*connection)->select(sql);
        if (rows) {
            for (storage::Row &row : *rows)
                values.insert(row.text());
        }
        return values;
    }

private Q_SLOTS:
    void killedThirtyTimes()
    {
        StorageFiles files;
        QSet<QString> threads;
        QSet<QString> calls;
        QSet<QString> leases;
        QRandomGenerator random(20260501);
        for (int round = 0; round < 30; ++round) {
            QProcess writer;
            writer.start(QStringLiteral(BERTH_CRASH_WRITER), {files.folder()});
            QVERIFY(writer.waitForStarted());
            QByteArray output;
            // The first ones while the files are made, whatever they have got to; then in full
            // flight.
            if (round < 10) {
                QVERIFY2(!writer.waitForFinished(5 + round * 20),
                         writer.readAllStandardOutput().constData());
            } else {
                const int wanted = int(random.bounded(20, 120));
                while (output.count('\n') < wanted) {
                    QVERIFY2(writer.waitForReadyRead(20'000), output.constData());
                    output += writer.readAllStandardOutput();
                }
            }
            writer.kill();
            QVERIFY(writer.waitForFinished());
            QCOMPARE(writer.exitStatus(), QProcess::CrashExit);
            output += writer.readAllStandardOutput();
            for (const QByteArray &line : output.left(output.lastIndexOf('\n') + 1).split('\n')) {
                QVERIFY2(!line.startsWith("error"), line.constData());
                const QString id = QString::fromLatin1(line.mid(line.indexOf(' ') + 1));
                if (line.startsWith("thread "))
                    threads.insert(id);
                else if (line.startsWith("call "))
                    calls.insert(id);
                else if (line.startsWith("lease "))
                    leases.insert(id);
            }
            for (const QString &path : {files.paths.berthDb, files.paths.sandboxDb}) {
                if (!QFile::exists(path))
                    continue;
                QCOMPARE(column(path, QStringLiteral("PRAGMA integrity_check")),
                         QSet<QString>{QStringLiteral("ok")});
                QVERIFY(column(path, QStringLiteral("PRAGMA foreign_key_check")).isEmpty());
            }
            const QString berth = files.paths.berthDb;
            QVERIFY(column(berth, QStringLiteral("SELECT id FROM threads")).contains(threads));
            QVERIFY(column(berth, QStringLiteral("SELECT id FROM tool_calls")).contains(calls));
            QVERIFY(column(files.paths.sandboxDb,
                           QStringLiteral("SELECT lease_id FROM sandbox_leases WHERE version = 2"))
                        .contains(leases));
            // All or nothing: no thread without its sandbox, message and run.
            QVERIFY(column(berth,
                           QStringLiteral(
                               "SELECT id FROM threads WHERE sandbox_id IS NULL OR id NOT IN "
                               "(SELECT thread_id FROM messages) OR id NOT IN "
                               "(SELECT thread_id FROM runs)"))
                        .isEmpty());
        }
        QVERIFY2(threads.size() > 50 && calls.size() > 300 && leases.size() > 50,
                 qPrintable(QStringLiteral("too little load: %1 threads, %2 calls, %3 leases")
                                .arg(threads.size())
                                .arg(calls.size())
                                .arg(leases.size())));

        // And Berth itself goes on with these files.
        BERTH_OK(files.open());
        BERTH_OK(test::await(files.berth().interruptUnfinished()));
        QVERIFY(test::await(files.berth().threads(false))->size() >= threads.size());
        BERTH_OK(files.close());
    }
};

QTEST_GUILESS_MAIN(CrashTest)
#include "test_crash.moc"
