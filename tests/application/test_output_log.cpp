// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/threads/output_log.h"
#include "support/await.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace berth;
using application::OutputChunk;
using application::OutputLog;
using domain::ErrorKind;
using domain::OutputStream;

class OutputLogTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsOrderStreamsAndRanges()
    {
        QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("call"));
        auto log = OutputLog::create(path);
        BERTH_OK(log);
        (*log)->append(OutputStream::Stdout, QByteArrayLiteral("one"));
        (*log)->append(OutputStream::Stderr, QByteArrayLiteral("TWO"));
        (*log)->append(OutputStream::Stderr, QByteArrayLiteral("three"));
        (*log)->append(OutputStream::Stdout, QByteArray("a\0b", 3));
        const QByteArray all = QByteArrayLiteral("oneTWOthree") + QByteArray("a\0b", 3);
        QCOMPARE((*log)->size(), all.size());

        // Every range, against the plain bytes and the stream of each of them.
        const QByteArray streams = QByteArrayLiteral("11122222222111");
        for (qsizetype from = 0; from <= all.size(); ++from) {
            for (qsizetype length = 0; length <= all.size() - from; ++length) {
                const auto chunk = OutputLog::read(path, from, length);
                BERTH_OK(chunk);
                QCOMPARE(chunk->bytes, all.mid(from, length));
                QCOMPARE(chunk->total, all.size());
                QByteArray told;
                for (const application::OutputSegment &segment : chunk->segments)
                    told += QByteArray(segment.length,
                                       segment.stream == OutputStream::Stderr ? '2' : '1');
                QCOMPARE(told, streams.mid(from, length));
            }
        }
        const auto tail = OutputLog::read(path, -3, 100);
        BERTH_OK(tail);
        QCOMPARE(tail->offset, all.size() - 3);
        QCOMPARE(tail->bytes, QByteArray("a\0b", 3));
        const auto beyond = OutputLog::read(path, 1000, 100);
        BERTH_OK(beyond);
        QVERIFY(beyond->bytes.isEmpty());
    }

    void aMissingLogIsNotFound()
    {
        QTemporaryDir directory;
        BERTH_FAILS(OutputLog::read(directory.filePath(QStringLiteral("none")), 0, 10),
                    ErrorKind::NotFound);
        BERTH_FAILS(OutputLog::create(directory.filePath(QStringLiteral("no/such/folder"))),
                    ErrorKind::Storage);
    }

    void aFullDiskIsCountedNotHidden()
    {
        // /dev/full takes the open and refuses each write, as a full disk does.
        QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("call"));
        QVERIFY(QFile::link(QStringLiteral("/dev/full"), path + QStringLiteral(".out")));
        auto log = OutputLog::create(path);
        BERTH_OK(log);
        (*log)->append(OutputStream::Stdout, QByteArrayLiteral("lost"));
        (*log)->append(OutputStream::Stderr, QByteArrayLiteral("too"));
        QCOMPARE((*log)->lostBytes(), 7);
        QVERIFY(!(*log)->lossReason().isEmpty());
    }
};

QTEST_GUILESS_MAIN(OutputLogTest)
#include "test_output_log.moc"
