// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/berth_style.h"
#include "ui/style/icons.h"
#include "ui/style/theme.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/button.h"

#include <QtTest/QTest>
#include <QtWidgets/QApplication>

using namespace berth::ui;

class TestStyle : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void textCanBeRead_data();
    void textCanBeRead();
    void controlsCanBeSeen_data();
    void controlsCanBeSeen();
    void terminalColoursCanBeRead_data();
    void terminalColoursCanBeRead();
    void glyphsExistInTheirColour();
    void themeFollowsAndCanBeFixed();
    void typeScaleFollowsTheSystem();
    void targetsAreLargeEnough();
};

namespace {

void themes()
{
    QTest::addColumn<Tokens>("t");
    QTest::newRow("light") << Tokens::light();
    QTest::newRow("dark") << Tokens::darkTheme();
    QTest::newRow("high contrast light") << Tokens::highContrastLight();
    QTest::newRow("high contrast dark") << Tokens::highContrastDark();
}

QByteArray pair(const char *what, const QColor &a, const QColor &b)
{
    return QByteArray(what) + ' ' + a.name().toLatin1() + " on " + b.name().toLatin1() + ": "
        + QByteArray::number(contrast(a, b), 'f', 2);
}

} // namespace

Q_DECLARE_METATYPE(Tokens)

void TestStyle::textCanBeRead_data()
{
    themes();
}

void TestStyle::textCanBeRead()
{
    QFETCH(Tokens, t);
    for (const QColor &ground : {t.window, t.panel, t.sidebar, t.code, t.lineSoft}) {
        for (const Ink ink : {Ink::Text, Ink::Secondary})
            QVERIFY2(contrast(t.ink(ink), ground) >= 4.5,
                     pair("text", t.ink(ink), ground).constData());
    }
    for (const QColor &ground : {t.window, t.panel, t.sidebar, t.code}) {
        for (const Ink ink : {Ink::Caption, Ink::Accent, Ink::Error, Ink::Ok, Ink::Warn, Ink::Info})
            QVERIFY2(contrast(t.ink(ink), ground) >= 4.5,
                     pair("ink", t.ink(ink), ground).constData());
    }
    for (const Tone tone :
         {Tone::Neutral, Tone::Ok, Tone::Warn, Tone::Error, Tone::Info, Tone::Accent}) {
        QVERIFY2(contrast(t.tone(tone), t.soft(tone)) >= 4.5,
                 pair("chip", t.tone(tone), t.soft(tone)).constData());
        // Banners write on the soft grounds too.
        QVERIFY2(contrast(t.text, t.soft(tone)) >= 4.5,
                 pair("banner", t.text, t.soft(tone)).constData());
        QVERIFY2(contrast(t.textSecondary, t.soft(tone)) >= 4.5,
                 pair("banner detail", t.textSecondary, t.soft(tone)).constData());
    }
    QVERIFY2(contrast(t.onAccent, t.accent) >= 4.5,
             pair("primary", t.onAccent, t.accent).constData());
}

void TestStyle::controlsCanBeSeen_data()
{
    themes();
}

void TestStyle::controlsCanBeSeen()
{
    QFETCH(Tokens, t);
    for (const QColor &ground : {t.window, t.panel}) {
        QVERIFY2(contrast(t.control, ground) >= 3, pair("control", t.control, ground).constData());
        QVERIFY2(contrast(t.accent, ground) >= 3, pair("focus", t.accent, ground).constData());
        for (const QColor &line : {t.chartCpu, t.chartRam, t.chartDisk})
            QVERIFY2(contrast(line, ground) >= 3, pair("chart", line, ground).constData());
    }
}

void TestStyle::terminalColoursCanBeRead_data()
{
    themes();
}

void TestStyle::terminalColoursCanBeRead()
{
    QFETCH(Tokens, t);
    for (int color = 0; color < 256; ++color)
        QVERIFY2(contrast(t.ansi(color), t.code) >= 4.5,
                 pair("ansi", t.ansi(color), t.code).constData());
}

void TestStyle::glyphsExistInTheirColour()
{
    const QColor color = Tokens::light().error;
    for (int glyph = 0; glyph <= static_cast<int>(Glyph::RadioOn); ++glyph) {
        const QImage image = glyphPixmap(static_cast<Glyph>(glyph), color, 24, 2).toImage();
        QCOMPARE(image.size(), QSize(48, 48));
        int inked = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const QColor pixel = image.pixelColor(x, y);
                if (pixel.alpha() != 255)
                    continue;
                ++inked;
                QCOMPARE(pixel.rgb(), color.rgb());
            }
        }
        QVERIFY2(inked > 8, QByteArray::number(glyph).constData());
    }
    QVERIFY(!applicationIcon().pixmap(64, 64).isNull());
}

void TestStyle::themeFollowsAndCanBeFixed()
{
    Theme theme(*qApp, ThemeMode::Light);
    QWidget widget;
    widget.show();
    QCOMPARE(tokens(&widget).window, Tokens::light().window);
    QCOMPARE(widget.palette().color(QPalette::Window), Tokens::light().window);
    int changes = 0;
    connect(&theme, &Theme::changed, this, [&changes] { ++changes; });
    theme.setMode(ThemeMode::Dark);
    QTRY_COMPARE(changes, 1);
    QCOMPARE(widget.palette().color(QPalette::Window), Tokens::darkTheme().window);
    QCOMPARE(widget.palette().color(QPalette::WindowText), Tokens::darkTheme().text);
    theme.setHighContrast(true);
    QTRY_COMPARE(widget.palette().color(QPalette::Window), Tokens::highContrastDark().window);
    // The system's palette decides: what the style makes of a dark one is dark.
    BerthStyle style(ThemeMode::System);
    QPalette dark(Qt::black);
    style.polish(dark);
    QCOMPARE(dark.color(QPalette::Window), Tokens::darkTheme().window);
    QPalette light(Qt::white);
    style.polish(light);
    QCOMPARE(light.color(QPalette::Window), Tokens::light().window);
}

void TestStyle::typeScaleFollowsTheSystem()
{
    QFont base(QApplication::font());
    base.setPointSizeF(20);
    QCOMPARE(fontFor(TextRole::Caption, base).pointSizeF(), 17.0);
    QCOMPARE(fontFor(TextRole::Body, base).pointSizeF(), 20.0);
    QCOMPARE(fontFor(TextRole::Header, base).pointSizeF(), 23.0);
    QCOMPARE(fontFor(TextRole::Title, base).pointSizeF(), 34.0);
    QVERIFY(QFontInfo(fontFor(TextRole::Mono, base)).fixedPitch());
}

void TestStyle::targetsAreLargeEnough()
{
    Theme theme(*qApp, ThemeMode::Light);
    QVERIFY(Button(QStringLiteral("x")).sizeHint().height() >= metrics::kTarget);
    QVERIFY(Button(QStringLiteral("x")).sizeHint().width() >= metrics::kTarget);
    QVERIFY(IconButton(Glyph::Close, QStringLiteral("Close")).sizeHint().height()
            >= metrics::kTarget);
    QVERIFY(LinkButton(QStringLiteral("Details")).sizeHint().height() >= metrics::kTarget);
}

QTEST_MAIN(TestStyle)
#include "test_style.moc"
