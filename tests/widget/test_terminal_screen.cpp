// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_screen.h"
#include "ui/terminal/terminal_text.h"

#include <QtCore/QRandomGenerator>
#include <QtTest/QTest>

#include <ctime>

using namespace berth::ui;

namespace {

using Answers = TerminalScreen::Answers;

QString row(const TerminalScreen &screen, int index)
{
    return screen.line(screen.screenTop() + index).text();
}

//! Everything that can be seen, comparable.
QStringList painted(const TerminalScreen &screen)
{
    QStringList all;
    for (qint64 at = screen.firstLine(); at < screen.endLine(); ++at) {
        const TerminalLine line = screen.line(at);
        QString words = line.text();
        for (const TerminalCell &cell : line.cells)
            words += QStringLiteral("|%1,%2,%3,%4")
                         .arg(cell.foreground)
                         .arg(cell.background)
                         .arg(cell.attributes)
                         .arg(cell.width);
        all.append(words);
    }
    const TerminalScreen::Cursor cursor = screen.cursor();
    all.append(QStringLiteral("%1:%2 %3 %4 %5")
                   .arg(cursor.at.line)
                   .arg(cursor.at.column)
                   .arg(cursor.visible)
                   .arg(screen.isAlternate())
                   .arg(screen.title()));
    return all;
}

//! What keys and answers wrote.
struct Written
{
    explicit Written(TerminalScreen &screen)
    {
        QObject::connect(&screen, &TerminalScreen::output, &screen,
                         [this](const QByteArray &more) { bytes += more; });
    }
    QByteArray take() { return std::exchange(bytes, {}); }
    QByteArray bytes;
};

} // namespace

class TestTerminalScreen : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void colours();
    void attributes();
    void wideAndCombining();
    void isTheSameAtEverySplit_data();
    void isTheSameAtEverySplit();
    void unterminatedStringsEnd_data();
    void unterminatedStringsEnd();
    void refusesTheClipboard();
    void title();
    void scrollbackIsBounded();
    void clearsScrollback();
    void alternateScreen();
    void arrowKeysInBothModes();
    void controlAndAlt();
    void pasteIsMarkedAndClean();
    void mouseReports();
    void answersOnlyWhatIsNew();
    void selectionText();
    void wordsAndAddresses();
    void searches();
    void resizesWithoutLoss();
    void survivesAnything();
    void addsReturns();
    void isFast();
};

void TestTerminalScreen::colours()
{
    TerminalScreen screen(40, 4);
    screen.feed("\x1b[31mr\x1b[92mg\x1b[38;5;208mo\x1b[48;2;1;2;3mt\x1b[0mn\x1b[38:2::9:8:7mx");
    const TerminalLine line = screen.line(0);
    QCOMPARE(line.cells.size(), 6);
    QCOMPARE(line.cells[0].foreground, 1);
    QCOMPARE(line.cells[1].foreground, 10);
    QCOMPARE(line.cells[2].foreground, 208);
    QCOMPARE(line.cells[2].background, TerminalCell::kDefault);
    QCOMPARE(line.cells[3].background, TerminalCell::kTrueColor | 0x010203);
    QCOMPARE(line.cells[4].foreground, TerminalCell::kDefault);
    QCOMPARE(line.cells[4].background, TerminalCell::kDefault);
    QCOMPARE(line.cells[5].foreground, TerminalCell::kTrueColor | 0x090807);
}

void TestTerminalScreen::attributes()
{
    TerminalScreen screen(40, 4);
    screen.feed("\x1b[1mb\x1b[0;3mi\x1b[0;4mu\x1b[0;7mr\x1b[0;9ms\x1b[0m-");
    const TerminalLine line = screen.line(0);
    QCOMPARE(line.cells[0].attributes, quint16(TerminalCell::Bold));
    QCOMPARE(line.cells[1].attributes, quint16(TerminalCell::Italic));
    QCOMPARE(line.cells[2].attributes, quint16(TerminalCell::Underline));
    QCOMPARE(line.cells[3].attributes, quint16(TerminalCell::Inverse));
    QCOMPARE(line.cells[4].attributes, quint16(TerminalCell::Strike));
    QCOMPARE(line.cells[5].attributes, quint16(0));
    screen.feed("\x1b[4 q");
    QCOMPARE(screen.cursor().shape, TerminalScreen::Shape::Underline);
    screen.feed("\x1b[?25l");
    QVERIFY(!screen.cursor().visible);
}

void TestTerminalScreen::wideAndCombining()
{
    TerminalScreen screen(20, 4);
    screen.feed("a\u4e2db e\u0301\U0001f6a2.");
    const TerminalLine line = screen.line(0);
    QCOMPARE(line.cells[1].width, quint8(2));
    QCOMPARE(line.cells[2].width, quint8(0));
    QCOMPARE(line.text(), QString::fromUtf8("a\u4e2db e\u0301\U0001f6a2."));
    QCOMPARE(line.textAt(5), QString::fromUtf8("e\u0301"));
    QCOMPARE(line.textAt(1), QString::fromUtf8("\u4e2d"));
    // Half of a wide character takes the whole one.
    QCOMPARE(textOf(screen, {{0, 1}, {0, 3}}), QString::fromUtf8("\u4e2d"));
}

void TestTerminalScreen::isTheSameAtEverySplit_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("case 1: characters of 2, 3 and 4 bytes") << QByteArray(
        "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x9a\xa2 \xe4\xb8\xad\xe6\x96\x87 e\xcc\x81.\r\nend");
    QTest::newRow("colours") << QByteArray("\x1b[1;38;2;10;20;30mA\x1b[0m\x1b[48;5;99mB\x1b[mC");
    QTest::newRow("case 3: title, clipboard, cursor, clear")
        << QByteArray("one\x1b]0;T\xc3\xa4\xc2\x9ct\x07two\x1b]52;c;aGFja2Vk\x1b\\three\r\n"
                      "\x1b[2;5Hx\x1b[Ky\x1b[1Az\0w\x1bPq#0;2;0;0;0~-\x1b\\v\x1b_app\x1b\\u");
    QTest::newRow("alternate screen")
        << QByteArray("before\x1b[?1049h\x1b[Hinside\x1b[?1h\x1b[?1049lafter");
    QTest::newRow("escape in the middle of a sequence")
        << QByteArray("a\x1b[12\x1b]0;x\x07"
                      "b\x1b[3\x1b[31mc\x1b(0q\x1b(Bd");
    QTest::newRow("broken characters") << QByteArray("a\xc3(b\xe2\x82(c\xf0\x9f(d\xff\xfe.");
}

void TestTerminalScreen::isTheSameAtEverySplit()
{
    QFETCH(QByteArray, bytes);
    TerminalScreen whole(30, 5);
    whole.feed(bytes);
    const QStringList expected = painted(whole);
    for (qsizetype cut = 1; cut < bytes.size(); ++cut) {
        TerminalScreen split(30, 5);
        split.feed(bytes.first(cut));
        split.feed(bytes.sliced(cut));
        QVERIFY2(painted(split) == expected, qPrintable(QStringLiteral("cut at %1").arg(cut)));
    }
    TerminalScreen slow(30, 5);
    for (const char &byte : bytes)
        slow.feed(QByteArrayView(&byte, 1));
    QCOMPARE(painted(slow), expected);
}

void TestTerminalScreen::unterminatedStringsEnd_data()
{
    QTest::addColumn<QByteArray>("start");
    QTest::addColumn<QByteArray>("more");
    QTest::newRow("title, then a line") << QByteArray("\x1b]0;no end") << QByteArray("\n");
    QTest::newRow("title, then colours") << QByteArray("\x1b]0;no end") << QByteArray("\x1b[0m");
    QTest::newRow("device string")
        << QByteArray("\x1bP") << QByteArray(TerminalFilter::kLongestString + 1, 'x');
    QTest::newRow("clipboard") << QByteArray("\x1b]52;c;")
                               << QByteArray(TerminalFilter::kLongestString + 1, 'A');
    QTest::newRow("application command, cancelled") << QByteArray("\x1b_") << QByteArray("x\x18");
}

void TestTerminalScreen::unterminatedStringsEnd()
{
    QFETCH(QByteArray, start);
    QFETCH(QByteArray, more);
    TerminalScreen screen(40, 4);
    screen.feed(start + more);
    screen.feed("\r\nlast words");
    QVERIFY(painted(screen).join(u'\n').contains(QLatin1String("last words")));
    QCOMPARE(screen.title(), QString());
}

void TestTerminalScreen::refusesTheClipboard()
{
    TerminalScreen screen(40, 4);
    Written written(screen);
    screen.feed(
        "\x1b]52;c;?\x07\x1b]52;c;aGFja2Vk\x07\x1b]8;;file:///etc/passwd\x1b\\link\x1b]8;;\x1b\\");
    QCOMPARE(written.take(), QByteArray());
    QCOMPARE(row(screen, 0), QStringLiteral("link"));
}

void TestTerminalScreen::title()
{
    TerminalScreen screen(40, 4);
    int changes = 0;
    connect(&screen, &TerminalScreen::titleChanged, this, [&changes] { ++changes; });
    screen.feed("\x1b]0;root@box: /tmp\x07\x1b]2;root@box: /tmp\x1b\\");
    QCOMPARE(screen.title(), QStringLiteral("root@box: /tmp"));
    QCOMPARE(changes, 1);
    screen.feed("\x1b]0;" + QByteArray(3000, 't') + "\x07");
    QCOMPARE(screen.title().size(), 256);
}

void TestTerminalScreen::scrollbackIsBounded()
{
    TerminalScreen screen(40, 10);
    for (int i = 0; i < TerminalScreen::kScrollback + 500; ++i)
        screen.feed("line " + QByteArray::number(i) + "\r\n");
    QCOMPARE(screen.screenTop() - screen.firstLine(), qint64(TerminalScreen::kScrollback));
    // The numbers of lines go on, so that what was selected stays what it was.
    QCOMPARE(screen.firstLine(), qint64(491));
    QCOMPARE(screen.line(screen.firstLine()).text(), QStringLiteral("line 491"));
    QCOMPARE(screen.line(5).text(), QString());
}

void TestTerminalScreen::clearsScrollback()
{
    TerminalScreen screen(20, 3);
    screen.feed("1\r\n2\r\n3\r\n4\r\n5");
    QCOMPARE(screen.screenTop() - screen.firstLine(), 2);
    screen.feed("\x1b[3J");
    QCOMPARE(screen.screenTop() - screen.firstLine(), 0);
    QCOMPARE(row(screen, 2), QStringLiteral("5"));
}

void TestTerminalScreen::alternateScreen()
{
    TerminalScreen screen(20, 3);
    screen.feed("shell$ vi\r\n");
    screen.feed("\x1b[?1049h\x1b[2J\x1b[Heditor\r\n~\r\n~\r\n~\r\n~");
    QVERIFY(screen.isAlternate());
    QCOMPARE(screen.screenTop() - screen.firstLine(), 0);
    screen.feed("\x1b[?1049l");
    QVERIFY(!screen.isAlternate());
    QCOMPARE(row(screen, 0), QStringLiteral("shell$ vi"));
    QCOMPARE(row(screen, 1), QString());
}

void TestTerminalScreen::arrowKeysInBothModes()
{
    TerminalScreen screen(20, 3);
    Written written(screen);
    QVERIFY(screen.pressKey(Qt::Key_Up, {}));
    QCOMPARE(written.take(), QByteArray("\x1b[A"));
    screen.feed("\x1b[?1h");
    screen.pressKey(Qt::Key_Up, {});
    screen.pressKey(Qt::Key_Home, {});
    QCOMPARE(written.take(), QByteArray("\x1bOA\x1bOH"));
    screen.feed("\x1b[?1l");
    screen.pressKey(Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(written.take(), QByteArray("\x1b[1;5D"));
    screen.pressKey(Qt::Key_F1, {});
    screen.pressKey(Qt::Key_F5, {});
    screen.pressKey(Qt::Key_Delete, {});
    screen.pressKey(Qt::Key_PageUp, {});
    screen.pressKey(Qt::Key_Backtab, {});
    QCOMPARE(written.take(), QByteArray("\x1bOP\x1b[15~\x1b[3~\x1b[5~\x1b[Z"));
    QVERIFY(!screen.pressKey(Qt::Key_A, {}));
}

void TestTerminalScreen::controlAndAlt()
{
    TerminalScreen screen(20, 3);
    Written written(screen);
    screen.type(QStringLiteral("c"), Qt::ControlModifier);
    screen.type(QStringLiteral("C"), Qt::ControlModifier);
    screen.type(QStringLiteral("\\"), Qt::ControlModifier);
    screen.type(QStringLiteral(" "), Qt::ControlModifier);
    screen.type(QStringLiteral("j"), Qt::ControlModifier);
    QCOMPARE(written.take(), QByteArray("\x03\x03\x1c\0\x0a", 5));
    screen.type(QStringLiteral("b"), Qt::AltModifier);
    screen.type(QStringLiteral("ä"));
    QCOMPARE(written.take(),
             QByteArray("\x1b"
                        "b\xc3\xa4"));
}

void TestTerminalScreen::pasteIsMarkedAndClean()
{
    TerminalScreen screen(20, 3);
    Written written(screen);
    screen.paste(QStringLiteral("one\r\ntwo\n"));
    QCOMPARE(written.take(), QByteArray("one\rtwo\r"));
    screen.feed("\x1b[?2004h");
    // The end of a paste within it must not end it.
    screen.paste(QStringLiteral("rm x\x1b[201~\n\x03y\tz"));
    QCOMPARE(written.take(), QByteArray("\x1b[200~rm x[201~\ry\tz\x1b[201~"));
}

void TestTerminalScreen::mouseReports()
{
    TerminalScreen screen(80, 24);
    Written written(screen);
    screen.mouseButton(1, true, 4, 2, {});
    screen.mouseButton(1, false, 4, 2, {});
    QCOMPARE(written.take(), QByteArray());
    screen.feed("\x1b[?1000h\x1b[?1006h");
    QCOMPARE(screen.mouse(), TerminalScreen::Mouse::Click);
    screen.mouseButton(1, true, 4, 2, {});
    screen.mouseButton(1, false, 4, 2, {});
    screen.mouseButton(4, true, 4, 2, {});
    QCOMPARE(written.take(), QByteArray("\x1b[<0;5;3M\x1b[<0;5;3m\x1b[<64;5;3M"));
    screen.feed("\x1b[?1003h");
    QCOMPARE(screen.mouse(), TerminalScreen::Mouse::Move);
    screen.feed("\x1b[?1003l");
    QCOMPARE(screen.mouse(), TerminalScreen::Mouse::None);
}

void TestTerminalScreen::answersOnlyWhatIsNew()
{
    TerminalScreen screen(80, 24);
    screen.setGrounds({0x1f2328, 0xf4f3f0});
    Written written(screen);
    screen.feed("\x1b[6n\x1b[c\x1b]11;?\x07", Answers::Drop);
    QCOMPARE(written.take(), QByteArray());
    screen.feed("\x1b[6n");
    QCOMPARE(written.take(), QByteArray("\x1b[1;1R"));
    screen.feed("\x1b]11;?\x07");
    QCOMPARE(written.take(), QByteArray("\x1b]11;rgb:f4f4/f3f3/f0f0\x1b\\"));
}

void TestTerminalScreen::selectionText()
{
    TerminalScreen screen(10, 4);
    // The first line goes on in the second; the third is alone.
    screen.feed("0123456789abc\r\nlast   \r\n\u4e2d\u6587 x");
    QCOMPARE(textOf(screen, {{0, 8}, {1, 2}}), QStringLiteral("89ab"));
    QCOMPARE(textOf(screen, {{0, 0}, {3, 4}}),
             QString::fromUtf8("0123456789abc\nlast\n\u4e2d\u6587"));
    QCOMPARE(textOf(screen, lineAt(screen, {1, 1})), QStringLiteral("0123456789abc\n"));
}

void TestTerminalScreen::wordsAndAddresses()
{
    TerminalScreen screen(60, 4);
    screen.feed("see /usr/lib/a-b.so (and) https://example.org/x?y=1. \u4e2d\u6587");
    QCOMPARE(textOf(screen, wordAt(screen, {0, 8})), QStringLiteral("/usr/lib/a-b.so"));
    QCOMPARE(textOf(screen, wordAt(screen, {0, 22})), QStringLiteral("and"));
    QCOMPARE(textOf(screen, wordAt(screen, {0, 20})), QStringLiteral("("));
    QCOMPARE(addressAt(screen, {0, 35}), QStringLiteral("https://example.org/x?y=1"));
    QCOMPARE(addressAt(screen, {0, 1}), QString());
    QCOMPARE(textOf(screen, wordAt(screen, {0, 54})), QString::fromUtf8("\u4e2d\u6587"));
    QCOMPARE(wordAt(screen, {2, 9}), (TerminalSpan{{2, 9}, {2, 9}}));
}

void TestTerminalScreen::searches()
{
    TerminalScreen screen(30, 3);
    for (int i = 0; i < 50; ++i)
        screen.feed("row " + QByteArray::number(i) + "\r\n");
    screen.feed("\u4e2d\u6587 Row Row");
    QCOMPARE(find(screen, QStringLiteral("row")).size(), 52);
    const QList<TerminalSpan> exact = find(screen, QStringLiteral("Row"));
    QCOMPARE(exact.size(), 2);
    QCOMPARE(exact.first(), (TerminalSpan{{50, 5}, {50, 8}}));
    QCOMPARE(find(screen, QString::fromUtf8("\u6587")).first(), (TerminalSpan{{50, 2}, {50, 4}}));
    QVERIFY(find(screen, QString()).isEmpty());
    QCOMPARE(find(screen, QStringLiteral("row"), 7).size(), 7);
}

void TestTerminalScreen::resizesWithoutLoss()
{
    TerminalScreen screen(20, 4);
    screen.feed("one\r\ntwo\r\n\x1b[31mthree\x1b[0m\r\n\u4e2d\u6587\r\nfive");
    screen.resize(20, 2);
    QCOMPARE(row(screen, 1), QStringLiteral("five"));
    screen.resize(20, 6);
    QStringList all;
    for (qint64 at = screen.firstLine(); at < screen.endLine(); ++at)
        all.append(screen.line(at).text());
    QVERIFY(all.join(u'\n').startsWith(QString::fromUtf8("one\ntwo\nthree\n\u4e2d\u6587\nfive")));
    const QList<TerminalSpan> third = find(screen, QStringLiteral("three"));
    QCOMPARE(third.size(), 1);
    QCOMPARE(screen.line(third.first().from.line).cells[0].foreground, 1);
}

void TestTerminalScreen::survivesAnything()
{
    QRandomGenerator random(7);
    TerminalScreen screen(80, 24);
    const QByteArrayList pieces{"\x1b[",
                                "\x1b]",
                                "\x1bP",
                                "\x1b\\",
                                "\x07",
                                "?1049h",
                                "?1049l",
                                "5;10r",
                                "H",
                                "J",
                                "K",
                                "L",
                                "M",
                                "P",
                                "@",
                                "999999",
                                ";",
                                "m",
                                "\x1b"
                                "c",
                                "\x1b#8",
                                "\r\n",
                                "\xe4\xb8\xad",
                                "e\xcc\x81\xcc\x81",
                                "\xff",
                                "text ",
                                "S",
                                "T",
                                "\x1b(0",
                                "?3h"};
    for (int i = 0; i < 20'000; ++i) {
        if (random.bounded(4) == 0) {
            const char any = static_cast<char>(random.bounded(256));
            screen.feed(QByteArrayView(&any, 1));
        } else {
            screen.feed(pieces[random.bounded(int(pieces.size()))]);
        }
        if (random.bounded(100) == 0)
            screen.resize(random.bounded(1, 120), random.bounded(1, 50));
        if (random.bounded(500) == 0)
            painted(screen);
    }
    screen.feed("\x18\x1b"
                "c\x1b[Halive");
    QCOMPARE(row(screen, 0), QStringLiteral("alive"));
}

void TestTerminalScreen::addsReturns()
{
    TerminalScreen screen(20, 4);
    screen.setAddsReturn(true);
    screen.feed("one\ntwo\r\n\x1b[32mthree\n");
    QCOMPARE(row(screen, 1), QStringLiteral("two"));
    QCOMPARE(row(screen, 2), QStringLiteral("three"));
}

void TestTerminalScreen::isFast()
{
    TerminalScreen screen(120, 40);
    QByteArray block;
    for (int i = 0; block.size() < (1 << 20); ++i)
        block += "[ \x1b[32mok\x1b[0m ] building target number " + QByteArray::number(i)
            + " of many, with a line of some length\r\n";
    // Of this thread's own time, so that a busy machine makes no difference.
    const auto worked = [] {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
    };
    const auto before = worked();
    for (int i = 0; i < 4; ++i)
        screen.feed(block);
    const double rate = 4.0 * 1000 / static_cast<double>(qMax<qint64>(1, worked() - before));
    qInfo("%.1f MiB/s", rate);
    // Far below what it does, far above what a person could read.
    QVERIFY(rate > 1);
}

QTEST_APPLESS_MAIN(TestTerminalScreen)
#include "test_terminal_screen.moc"
