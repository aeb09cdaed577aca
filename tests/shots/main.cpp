// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shots/pseudo_translator.h"
#include "shots/scenes_pages.h"
#include "shots/studio.h"

#include <QtCore/QCommandLineParser>
#include <QtCore/QDir>
#include <QtCore/QLocale>
#include <QtCore/QTranslator>
#include <QtGui/QFontDatabase>
#include <QtGui/QPainter>
#include <QtWidgets/QApplication>
#include <QtWidgets/QWidget>

#include <cstdio>

using namespace berth;
using namespace berth::shots;

namespace {

constexpr QSize kLarge(1440, 900);
//! The smallest that the window can be.
constexpr QSize kSmall(880, 560);

struct Variant
{
    QString suffix;
    QSize size;
    ui::ThemeMode mode = ui::ThemeMode::Light;
    double fontScale = 1;
    bool pseudo = false;
};

//! What a window manager would put over the window.
void paintOver(QPainter &painter, QWidget &over, std::optional<QPoint> place, const QWidget &window,
               const ui::Tokens &tokens)
{
    QPoint at = place.value_or(QPoint());
    if (!place) {
        QColor veil = tokens.shadow;
        veil.setAlphaF(0.35F);
        painter.fillRect(window.rect(), veil);
        at = QPoint((window.width() - over.width()) / 2, (window.height() - over.height()) / 2);
    }
    over.render(&painter, at, QRegion(), QWidget::DrawChildren);
}

bool take(QApplication &app, ui::Theme &theme, const Scene &scene, const Variant &variant,
          const QDir &directory)
{
    const QFont base = QApplication::font();
    QFont scaled = base;
    scaled.setPointSizeF(base.pointSizeF() * variant.fontScale);
    QApplication::setFont(scaled);
    theme.setMode(variant.mode);
    PseudoTranslator pseudo;
    if (variant.pseudo)
        app.installTranslator(&pseudo);

    Stage stage;
    stage.theme = &theme;
    bool done = scene.play(stage, variant.size) && stage.window;
    if (done) {
        QImage picture(variant.size, QImage::Format_RGB32);
        picture.fill(theme.tokens().window);
        QPainter painter(&picture);
        stage.window->render(&painter);
        if (stage.over)
            paintOver(painter, *stage.over, stage.overAt, *stage.window, theme.tokens());
        painter.end();
        const QString path =
            directory.filePath(QStringLiteral("%1-%2.png").arg(scene.name, variant.suffix));
        done = picture.save(path);
    }
    if (!done)
        std::fprintf(stderr, "berth-shots: %s-%s could not be made\n", qPrintable(scene.name),
                     qPrintable(variant.suffix));
    stage.window.reset();
    if (variant.pseudo)
        app.removeTranslator(&pseudo);
    QApplication::setFont(base);
    return done;
}

} // namespace

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("berth-shots"));
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedKingdom));
    QTranslator plurals;
    if (!plurals.load(QStringLiteral(":/translations/berth_en.qm"))) {
        std::fprintf(stderr, "berth-shots: the plural forms are missing\n");
        return 1;
    }
    QApplication::installTranslator(&plurals);
    QCommandLineParser parser;
    const QCommandLineOption quick(QStringLiteral("quick"),
                                   QStringLiteral("Each screen once, light and large"));
    const QCommandLineOption only(QStringLiteral("only"),
                                  QStringLiteral("Screens whose name contains this"),
                                  QStringLiteral("text"));
    parser.addOptions({quick, only});
    parser.addPositionalArgument(QStringLiteral("directory"),
                                 QStringLiteral("Where the pictures go"));
    parser.process(app);
    const QDir directory(parser.positionalArguments().value(0, QStringLiteral("shots")));
    if (!directory.mkpath(QStringLiteral("."))) {
        std::fprintf(stderr, "berth-shots: %s cannot be made\n", qPrintable(directory.path()));
        return 1;
    }
    if (QFontDatabase::families().contains(QStringLiteral("Inter")))
        QApplication::setFont(QFont(QStringLiteral("Inter"), 10));
    ui::Theme theme(app, ui::ThemeMode::Light);

    QList<Variant> variants{{QStringLiteral("light"), kLarge}};
    if (!parser.isSet(quick)) {
        variants.append({QStringLiteral("dark"), kLarge, ui::ThemeMode::Dark});
        variants.append({QStringLiteral("small-light"), kSmall});
        variants.append({QStringLiteral("small-dark"), kSmall, ui::ThemeMode::Dark});
        variants.append({QStringLiteral("font200"), kLarge, ui::ThemeMode::Light, 2.0});
        variants.append({QStringLiteral("longer"), kSmall, ui::ThemeMode::Light, 1.0, true});
    }
    int failed = 0;
    for (const Scene &scene : scenes()) {
        if (parser.isSet(only) && !scene.name.contains(parser.value(only)))
            continue;
        for (const Variant &variant : variants)
            failed += take(app, theme, scene, variant, directory) ? 0 : 1;
    }
    return failed == 0 ? 0 : 1;
}
