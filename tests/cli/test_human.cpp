// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/human.h"
#include "cli/table.h"
#include "domain/text.h"

#include <QtTest/QTest>

using namespace berth;
using namespace berth::cli;

namespace {

class TestHuman : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void durations()
    {
        const auto said = [](qint64 ms) { return humanDuration(std::chrono::milliseconds(ms)); };
        QCOMPARE(said(0), QStringLiteral("0.00 s"));
        QCOMPARE(said(420), QStringLiteral("0.42 s"));
        QCOMPARE(said(9'994), QStringLiteral("9.99 s"));
        QCOMPARE(said(12'900), QStringLiteral("12 s"));
        QCOMPARE(said(185'000), QStringLiteral("3 min 05 s"));
        QCOMPARE(said(7'800'000), QStringLiteral("2 h 10 min"));
        QCOMPARE(said(100 * 3'600'000ll), QStringLiteral("4 d 4 h"));
        QCOMPARE(said(-5), QStringLiteral("0.00 s"));
    }

    void parsing_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("ms");
        const auto row = [](const char *text, qint64 ms) {
            QTest::newRow(text) << QString::fromUtf8(text) << ms;
        };
        row("30s", 30'000);
        row("90", 90'000);
        row("500ms", 500);
        row("2m", 120'000);
        row("2min", 120'000);
        row("1h30m", 5'400'000);
        row("1.5s", 1500);
        row("1d", 86'400'000);
        row("", -1);
        row("0", -1);
        row("0s", -1);
        row("-5s", -1);
        row("5 s", -1);
        row("s", -1);
        row("5x", -1);
        row("1h30", -1);
        row("1e3", -1);
        row("101d", -1);
        row("99999999999999999999", -1);
        row("\u0663s", -1);
    }
    void parsing()
    {
        QFETCH(QString, text);
        QFETCH(qint64, ms);
        QCOMPARE(parseDuration(text).value_or(std::chrono::milliseconds(-1)).count(), ms);
    }

    void bytesAndAges()
    {
        QCOMPARE(humanBytes(0), QStringLiteral("0 B"));
        QCOMPARE(humanBytes(1023), QStringLiteral("1023 B"));
        QCOMPARE(humanBytes(1536), QStringLiteral("1.5 KiB"));
        QCOMPARE(humanBytes(200ll << 20), QStringLiteral("200 MiB"));
        QCOMPARE(humanBytes(5ll << 40), QStringLiteral("5.0 TiB"));
        const QDateTime now = domain::nowUtc();
        QCOMPARE(humanAge(now, now), QStringLiteral("just now"));
        QCOMPARE(humanAge(now.addSecs(-59), now), QStringLiteral("59 s ago"));
        QCOMPARE(humanAge(now.addSecs(-3700), now), QStringLiteral("1 h ago"));
        QCOMPARE(humanAge(now.addDays(-3), now), QStringLiteral("3 d ago"));
        QCOMPARE(humanAge({}, now), QStringLiteral("\u2014"));
        QCOMPARE(humanAge(now.addSecs(60), now), QStringLiteral("just now")); // clocks differ
    }

    void widths()
    {
        QCOMPARE(displayWidth(QStringLiteral("abc")), 3);
        QCOMPARE(displayWidth(QStringLiteral("\u6f22\u5b57")), 4);
        QCOMPARE(displayWidth(QStringLiteral("\ud55c")), 2);
        QCOMPARE(displayWidth(QStringLiteral("\uff21")), 2);
        QCOMPARE(displayWidth(QStringLiteral("e\u0301")), 1);
        QCOMPARE(displayWidth(QStringLiteral("\U0001f6a2")), 2);
        QCOMPARE(displayWidth(QStringLiteral("\u00e9\u2014")), 2);
        QCOMPARE(fitted(QStringLiteral("abcdef"), 4), QStringLiteral("abc\u2026"));
        QCOMPARE(fitted(QStringLiteral("\u6f22\u5b57\u6f22"), 4), QStringLiteral("\u6f22\u2026"));
        QCOMPARE(fitted(QStringLiteral("abcd"), 4), QStringLiteral("abcd"));
    }

    void tables()
    {
        Table table({QStringLiteral("ID"), QStringLiteral("TITLE"), QStringLiteral("END")});
        table.add({QStringLiteral("1"), QStringLiteral("\u6f22\u5b57"), QStringLiteral("x")});
        table.add({QStringLiteral("22"), QStringLiteral("abcdefgh"), QStringLiteral("y")});
        table.add({QStringLiteral("3"), QString(), QStringLiteral("z")});
        const QStringList lines = table.text(0, false).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 4);
        for (const QString &line : lines)
            QCOMPARE(displayWidth(line.left(line.lastIndexOf(QLatin1String("  ")) + 2)), 14);
        QCOMPARE(lines[1], QStringLiteral("1   \u6f22\u5b57      x"));
        QVERIFY(lines[3].contains(QChar(0x2014)));
        QVERIFY(!table.text(0, false).contains(QChar(0x1b)));
        QVERIFY(table.text(0, true).startsWith(QLatin1String("\x1b[1mID")));
    }

    void narrowTerminal()
    {
        Table table({QStringLiteral("ID"), QStringLiteral("TITLE"), QStringLiteral("END")});
        table.add({QStringLiteral("1"), QString(200, QLatin1Char('t')), QStringLiteral("end")});
        for (const QString &line :
             table.text(60, false).split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            QVERIFY2(displayWidth(line) <= 60, qPrintable(line));
        QVERIFY(table.text(60, false).contains(QLatin1String("end")));
        QVERIFY(table.text(5, false).contains(QLatin1String("end")));
    }

    void hostileTitles()
    {
        Table table({QStringLiteral("TITLE")});
        table.add({QStringLiteral("a\x1b]0;owned\x07\nb\u202ec\r")});
        const QString text = table.text(0, false);
        QCOMPARE(text.count(QLatin1Char('\n')), 2);
        for (const char16_t bad : {u'\x1b', u'\x07', u'\r', u'\u202e'})
            QVERIFY(!text.contains(QChar(bad)));
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestHuman)
#include "test_human.moc"
