// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/threads/output_log.h"
#include "support/await.h"

#include <QtCore/QFileInfo>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <random>

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

    //! Against a copy in memory: streams in changing rhythm over many pages of the index, opened
    //! again in between, and the index within its bound.
    void theIndexIsBoundedAndRight()
    {
        QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("call"));
        QByteArray all;
        QByteArray streams;
        std::minstd_rand random(7);
        auto log = OutputLog::create(path);
        BERTH_OK(log);
        for (int i = 0; i < 40'000; ++i) {
            if (i == 25'000) {
                log->reset();
                log = OutputLog::create(path);
                BERTH_OK(log);
            }
            // Byte by byte in turns, then longer runs, one of them longer than a page covers.
            const qsizetype length = i < 20'000 ? 1
                : i == 30'000                   ? 5 * 1024 * 1024
                                                : static_cast<qsizetype>(random() % 300);
            const bool err = i < 20'000 ? (i % 2) != 0 : (random() % 3) == 0;
            const QByteArray piece(length, (random() % 4) == 0 ? '\n' : 'x');
            (*log)->append(err ? OutputStream::Stderr : OutputStream::Stdout, piece);
            all += piece;
            streams += QByteArray(length, err ? '2' : '1');
        }
        QCOMPARE((*log)->lostBytes(), 0);
        for (int i = 0; i < 300; ++i) {
            const auto from = static_cast<qsizetype>(random() % static_cast<quint64>(all.size()));
            const qsizetype length = i % 2 ? 1000 : 200'000;
            const auto chunk = OutputLog::read(path, from, length);
            BERTH_OK(chunk);
            QVERIFY(chunk->bytes == all.mid(from, length));
            QByteArray told;
            for (const application::OutputSegment &segment : chunk->segments)
                told +=
                    QByteArray(segment.length, segment.stream == OutputStream::Stderr ? '2' : '1');
            QVERIFY(told == streams.mid(from, length));
            const qsizetype until = std::min(from + length * 37, all.size());
            QCOMPARE(OutputLog::lineFeedsBetween(path, from, until),
                     all.mid(from, until - from).count('\n'));
        }
        QVERIFY(QFileInfo(path + QStringLiteral(".idx")).size() < 20'000 + 40'000 * 2 + 3 * 4096);
    }

    void alternatingBytesCostAByteEach()
    {
        QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("call"));
        auto log = OutputLog::create(path);
        BERTH_OK(log);
        for (int i = 0; i < 50'000; ++i)
            (*log)->append(i % 2 ? OutputStream::Stderr : OutputStream::Stdout, "x");
        QVERIFY(QFileInfo(path + QStringLiteral(".idx")).size() <= 51'000);
        // One stream needs none.
        const QString plain = directory.filePath(QStringLiteral("plain"));
        log = OutputLog::create(plain);
        BERTH_OK(log);
        for (int i = 0; i < 50'000; ++i)
            (*log)->append(OutputStream::Stdout, "x");
        QVERIFY(!QFileInfo::exists(plain + QStringLiteral(".idx")));
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
