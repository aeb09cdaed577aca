// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/text.h"

#include <QtCore/QProcess>
#include <QtCore/QTimeZone>
#include <QtTest/QTest>

using namespace berth::domain;

class TextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void timesAreUtcWithMilliseconds()
    {
        const QDateTime time(QDate(2026, 5, 1), QTime(23, 59, 59, 7), Qt::UTC);
        QCOMPARE(toWireTime(time), QStringLiteral("2026-05-01T23:59:59.007Z"));
        const QDateTime berlin(QDate(2026, 7, 1), QTime(1, 0), QTimeZone("Europe/Berlin"));
        QCOMPARE(toWireTime(berlin), QStringLiteral("2026-06-30T23:00:00.000Z"));
        QCOMPARE(toWireTime(QDateTime()), QString());
        QCOMPARE(fromWireTime(toWireTime(time)), time);
        QCOMPARE(nowUtc().timeSpec(), Qt::UTC);
        QCOMPARE(toWireTime(nowUtc()).size(), 24);
    }

    void timesAreReadAsInstants_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const QString plain = QStringLiteral("2026-05-01T10:00:00.120Z");
        QTest::newRow("own") << plain << plain;
        QTest::newRow("offset") << QStringLiteral("2026-05-01T12:00:00.120+02:00") << plain;
        QTest::newRow("no fraction")
            << QStringLiteral("2026-05-01T10:00:00Z") << QStringLiteral("2026-05-01T10:00:00.000Z");
        QTest::newRow("nanoseconds") << QStringLiteral("2026-05-01T10:00:00.120000000Z") << plain;
        QTest::newRow("no zone") << QStringLiteral("2026-05-01T10:00:00.120") << QString();
        QTest::newRow("date only") << QStringLiteral("2026-05-01") << QString();
        QTest::newRow("empty") << QString() << QString();
        QTest::newRow("words") << QStringLiteral("yesterday") << QString();
        QTest::newRow("no such day") << QStringLiteral("2026-02-30T10:00:00.000Z") << QString();
        QTest::newRow("trailing") << QStringLiteral("2026-05-01T10:00:00.120Z; x") << QString();
    }

    void timesAreReadAsInstants()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const QDateTime time = fromWireTime(text);
        QCOMPARE(toWireTime(time), expected);
        QCOMPARE(time.isValid(), !expected.isEmpty());
    }

    void namesAreShownWithoutTricks_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("shown");
        QTest::newRow("plain") << QByteArrayLiteral("a b.txt") << QStringLiteral("a b.txt");
        QTest::newRow("empty") << QByteArray() << QString();
        QTest::newRow("utf-8") << QByteArrayLiteral("\xc3\xa4\xe4\xbd\xa0\xf0\x9f\x98\x80")
                               << QStringLiteral("\u00e4\u4f60\U0001F600");
        QTest::newRow("newline") << QByteArrayLiteral("a\nb\tc") << QStringLiteral("a\\x0ab\\x09c");
        QTest::newRow("escape") << QByteArrayLiteral("\x1b[31m") << QStringLiteral("\\x1b[31m");
        QTest::newRow("C1") << QByteArrayLiteral("\xc2\x9b") << QStringLiteral("\\xc2\\x9b");
        QTest::newRow("right to left")
            << QByteArrayLiteral("a\xe2\x80\xaexe") << QStringLiteral("a\\xe2\\x80\\xaexe");
        QTest::newRow("isolate") << QByteArrayLiteral("\xe2\x81\xa6")
                                 << QStringLiteral("\\xe2\\x81\\xa6");
        QTest::newRow("line separator")
            << QByteArrayLiteral("\xe2\x80\xa8") << QStringLiteral("\\xe2\\x80\\xa8");
        QTest::newRow("byte order mark") << QByteArrayLiteral("\xef\xbb\xbf"
                                                              "a")
                                         << QStringLiteral("\\xef\\xbb\\xbfa");
        QTest::newRow("invisible tag")
            << QByteArrayLiteral("\xf3\xa0\x81\x81") << QStringLiteral("\\xf3\\xa0\\x81\\x81");
        QTest::newRow("bad byte") << QByteArrayLiteral("a\xff"
                                                       "b")
                                  << QStringLiteral("a\\xffb");
        QTest::newRow("cut") << QByteArrayLiteral("a\xe4\xbd") << QStringLiteral("a\\xe4\\xbd");
        QTest::newRow("cut before good") << QByteArrayLiteral("\xe4\xbd"
                                                              "abc")
                                         << QStringLiteral("\\xe4\\xbdabc");
        QTest::newRow("overlong") << QByteArrayLiteral("\xc0\xaf") << QStringLiteral("\\xc0\\xaf");
        QTest::newRow("surrogate")
            << QByteArrayLiteral("\xed\xa0\x80") << QStringLiteral("\\xed\\xa0\\x80");
        QTest::newRow("beyond") << QByteArrayLiteral("\xf5\x80\x80\x80")
                                << QStringLiteral("\\xf5\\x80\\x80\\x80");
        QTest::newRow("continuation") << QByteArrayLiteral("\x80x") << QStringLiteral("\\x80x");
        QTest::newRow("NUL") << QByteArrayLiteral("a\0b") << QStringLiteral("a\\x00b");
        QTest::newRow("arabic") << QByteArrayLiteral("\xd9\x85") << QStringLiteral("\u0645");
    }

    void namesAreShownWithoutTricks()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, shown);
        QCOMPARE(displayName(bytes), shown);
    }

    void aRealShellReadsTheWordBack_data()
    {
        QTest::addColumn<QByteArray>("word");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("plain") << QByteArrayLiteral("abc");
        QTest::newRow("quotes") << QByteArrayLiteral("it's \"quoted\" `date` $(id) $HOME");
        QTest::newRow("only quotes") << QByteArrayLiteral("'''");
        QTest::newRow("backslashes") << QByteArrayLiteral("a\\b\\\\'c\\");
        QTest::newRow("newlines") << QByteArrayLiteral("a\n\n'b\n");
        QTest::newRow("dash") << QByteArrayLiteral("-rf");
        QTest::newRow("globs") << QByteArrayLiteral("* ? [a-z] ~ ! # & ; | < >");
        QByteArray every;
        for (int byte = 1; byte < 256; ++byte)
            every += char(byte);
        QTest::newRow("every byte") << every;
    }

    void aRealShellReadsTheWordBack()
    {
        QFETCH(QByteArray, word);
        QProcess shell;
        shell.start(QStringLiteral("/bin/sh"), {});
        QVERIFY(shell.waitForStarted());
        shell.write("printf '%s|' x " + shellQuoted(word) + " y\n");
        shell.closeWriteChannel();
        QVERIFY(shell.waitForFinished());
        QCOMPARE(shell.exitCode(), 0);
        QCOMPARE(shell.readAllStandardError(), QByteArray());
        QCOMPARE(shell.readAllStandardOutput(), "x|" + word + "|y|");
    }

    void nulEndsAWord()
    {
        QCOMPARE(shellQuoted(QByteArrayLiteral("ab\0cd")), QByteArrayLiteral("'ab'"));
    }
};

QTEST_GUILESS_MAIN(TextTest)
#include "test_text.moc"
