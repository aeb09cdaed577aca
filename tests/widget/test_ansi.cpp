// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/ansi_text.h"

#include <QtTest/QTest>

using berth::domain::OutputStream;
using berth::ui::AnsiText;
using berth::ui::SgrStyle;

namespace {

AnsiText parsed(const QByteArray &bytes)
{
    AnsiText text;
    text.feed(OutputStream::Stdout, bytes);
    return text;
}

//! Text and styles, comparable between two parsers whose style tables differ.
QStringList painted(const AnsiText &text)
{
    QStringList result;
    for (const auto &line : text.lines()) {
        QString row;
        for (qsizetype i = 0; i < line.text.size(); ++i) {
            const SgrStyle &s = text.styles().at(line.styles.at(i));
            row += line.text.at(i);
            row += QStringLiteral("<%1,%2,%3%4%5>")
                       .arg(s.foreground)
                       .arg(s.background)
                       .arg(s.bold)
                       .arg(s.inverse)
                       .arg(s.fromStderr);
        }
        result.append(row);
    }
    return result;
}

} // namespace

class TestAnsi : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void keepsColours();
    void isTheSameAtEverySplit_data();
    void isTheSameAtEverySplit();
    void dropsEverythingElse_data();
    void dropsEverythingElse();
    void unterminatedStringEndsWithItsLine();
    void unterminatedStringIsBounded();
    void progressBarsOverwrite();
    void streamsKeepTheirOwnState();
    void longLinesAreSplit();
    void keepsOnlyTheLastLines();
    void makesHiddenCharactersVisible();
};

void TestAnsi::keepsColours()
{
    const AnsiText text =
        parsed("plain \x1b[1;31mred\x1b[0m \x1b[38;5;200mx\x1b[48;2;1;2;3my\x1b[39;49mz");
    QCOMPARE(text.plainText(), QStringLiteral("plain red xyz"));
    const auto style = [&text](qsizetype at) {
        return text.styles().at(text.lines().front().styles.at(at));
    };
    QCOMPARE(style(0), SgrStyle{});
    QCOMPARE(style(6).foreground, 1);
    QVERIFY(style(6).bold);
    QCOMPARE(style(9), SgrStyle{});
    QCOMPARE(style(10).foreground, 200);
    QCOMPARE(style(11).background, SgrStyle::kTrueColor | 0x010203);
    QCOMPARE(style(12), SgrStyle{});
}

void TestAnsi::isTheSameAtEverySplit_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("sgr") << QByteArray("a\x1b[1;31mred\x1b[0m\nb\x1b[38;2;10;20;30mc");
    QTest::newRow("utf-8") << QByteArray(
        "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80 \xe4\xb8\xad\n\xff\xfe broken \xe2\x82");
    QTest::newRow("osc") << QByteArray(
        "x\x1b]0;title\x07y\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\z");
    QTest::newRow("cursor") << QByteArray("x\x1b[2J\x1b[10;10Hy\x1b[?25lz\x1b(B\x1b=w");
    QTest::newRow("progress") << QByteArray("10%\r50%\r\x1b[Kdone\r\nnext\b\bXT");
    QTest::newRow("nul") << QByteArray("a\0b\0c\x01\x7f", 7);
}

void TestAnsi::isTheSameAtEverySplit()
{
    QFETCH(QByteArray, bytes);
    const QStringList whole = painted(parsed(bytes));
    for (qsizetype split = 0; split <= bytes.size(); ++split) {
        AnsiText text;
        text.feed(OutputStream::Stdout, bytes.left(split));
        text.feed(OutputStream::Stdout, bytes.mid(split));
        QCOMPARE(painted(text), whole);
    }
    AnsiText single;
    for (const char byte : bytes)
        single.feed(OutputStream::Stdout, QByteArrayView(&byte, 1));
    QCOMPARE(painted(single), whole);
}

void TestAnsi::dropsEverythingElse_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("title, BEL") << QByteArray("a\x1b]0;evil\x07z") << QStringLiteral("az");
    QTest::newRow("title, ST") << QByteArray("a\x1b]2;evil\x1b\\z") << QStringLiteral("az");
    QTest::newRow("clipboard") << QByteArray("a\x1b]52;c;ZXZpbA==\x07z") << QStringLiteral("az");
    QTest::newRow("device string") << QByteArray("a\x1bPq#0;2\x1b\\z") << QStringLiteral("az");
    QTest::newRow("cursor") << QByteArray("a\x1b[5;5Hb\x1b[2Ac\x1b[1Jz") << QStringLiteral("abcz");
    QTest::newRow("private modes") << QByteArray("a\x1b[?1049h\x1b[>4;2mz") << QStringLiteral("az");
    QTest::newRow("charset") << QByteArray("a\x1b(0z") << QStringLiteral("az");
    QTest::newRow("NUL and C0") << QByteArray("a\0\x01\x02\x7fz", 6) << QStringLiteral("az");
    QTest::newRow("C1 CSI") << QByteArray("a\xc2\x9b"
                                          "31mz")
                            << QStringLiteral("az");
    QTest::newRow("C1 OSC") << QByteArray("a\xc2\x9d"
                                          "0;evil\x07z")
                            << QStringLiteral("az");
    QTest::newRow("cancelled") << QByteArray("a\x1b[3\x18z") << QStringLiteral("az");
    QTest::newRow("bidi override") << QByteArray("a\xe2\x80\xaez") << QStringLiteral("a\uFFFDz");
}

void TestAnsi::dropsEverythingElse()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, text);
    QCOMPARE(parsed(bytes).plainText(), text);
}

void TestAnsi::unterminatedStringEndsWithItsLine()
{
    QCOMPARE(parsed("a\x1b]0;never ended\nsecond line").plainText(),
             QStringLiteral("a\nsecond line"));
}

void TestAnsi::unterminatedStringIsBounded()
{
    const QByteArray much = "\x1b]0;" + QByteArray(10000, 'x') + "END";
    QVERIFY(parsed(much).plainText().endsWith(QStringLiteral("END")));
}

void TestAnsi::progressBarsOverwrite()
{
    QCOMPARE(parsed("10%\r20%\r100%\nok").plainText(), QStringLiteral("100%\nok"));
    QCOMPARE(parsed("a long line\r\x1b[Kshort").plainText(), QStringLiteral("short"));
    QCOMPARE(parsed("dos\r\nline").plainText(), QStringLiteral("dos\nline"));
    QCOMPARE(parsed("ab\bX").plainText(), QStringLiteral("aX"));
}

void TestAnsi::streamsKeepTheirOwnState()
{
    AnsiText text;
    // A character of stdout that stderr interrupts, and a colour that does not leak into the other
    // stream.
    text.feed(OutputStream::Stdout, QByteArray("\x1b[31mr\xe2\x82"));
    text.feed(OutputStream::Stderr, QByteArray("e"));
    text.feed(OutputStream::Stdout, QByteArray("\xac"));
    QCOMPARE(text.plainText(), QStringLiteral("re€"));
    const auto style = [&text](qsizetype at) {
        return text.styles().at(text.lines().front().styles.at(at));
    };
    QCOMPARE(style(0).foreground, 1);
    QCOMPARE(style(1).foreground, SgrStyle::kDefault);
    QVERIFY(style(1).fromStderr);
    QVERIFY(!style(2).fromStderr);
    QCOMPARE(style(2).foreground, 1);
}

void TestAnsi::longLinesAreSplit()
{
    const AnsiText text = parsed(QByteArray(AnsiText::kLongestLine * 3 + 5, 'x'));
    QCOMPARE(text.lineCount(), 4);
    for (const auto &line : text.lines())
        QVERIFY(line.text.size() <= AnsiText::kLongestLine);
}

void TestAnsi::keepsOnlyTheLastLines()
{
    AnsiText text(3);
    text.feed(OutputStream::Stdout, "1\n2\n3\n4\n5");
    QCOMPARE(text.plainText(), QStringLiteral("3\n4\n5"));
    QCOMPARE(text.dropped(), 2);
}

void TestAnsi::makesHiddenCharactersVisible()
{
    QCOMPARE(berth::ui::visibleText(QStringLiteral("a\u202eb\u200bc\x1b")),
             QStringLiteral("a\\u{202e}b\\u{200b}c\\u{1b}"));
    QCOMPARE(berth::ui::visibleText(QStringLiteral("ls -la\n中")), QStringLiteral("ls -la\n中"));
}

QTEST_GUILESS_MAIN(TestAnsi)
#include "test_ansi.moc"
