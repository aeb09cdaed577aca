// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/icons.h"

#include <QtCore/QFile>
#include <QtGui/QIconEngine>
#include <QtGui/QPainter>
#include <QtGui/QPixmapCache>
#include <QtSvg/QSvgRenderer>

static void initUiResources()
{
    // The library is static: without this the linker drops the data.
    Q_INIT_RESOURCE(ui);
}

namespace berth::ui {

namespace {

const char *fileName(Glyph glyph)
{
    switch (glyph) {
    case Glyph::Plus:
        return "plus";
    case Glyph::Resources:
        return "resources";
    case Glyph::Settings:
        return "settings";
    case Glyph::ChevronDown:
        return "chevron-down";
    case Glyph::ChevronRight:
        return "chevron-right";
    case Glyph::ChevronUp:
        return "chevron-up";
    case Glyph::Check:
        return "check";
    case Glyph::Close:
        return "close";
    case Glyph::Lock:
        return "lock";
    case Glyph::Stop:
        return "stop";
    case Glyph::Send:
        return "send";
    case Glyph::Copy:
        return "copy";
    case Glyph::Search:
        return "search";
    case Glyph::Refresh:
        return "refresh";
    case Glyph::Pause:
        return "pause";
    case Glyph::Play:
        return "play";
    case Glyph::Trash:
        return "trash";
    case Glyph::Warning:
        return "warning";
    case Glyph::Error:
        return "error";
    case Glyph::Info:
        return "info";
    case Glyph::Ok:
        return "ok";
    case Glyph::Terminal:
        return "terminal";
    case Glyph::Edit:
        return "edit";
    case Glyph::Save:
        return "save";
    case Glyph::External:
        return "external";
    case Glyph::Sidebar:
        return "sidebar";
    case Glyph::ArrowDown:
        return "arrow-down";
    case Glyph::Key:
        return "key";
    case Glyph::More:
        return "more";
    case Glyph::Unplugged:
        return "unplugged";
    case Glyph::Sun:
        return "sun";
    case Glyph::Moon:
        return "moon";
    case Glyph::Disk:
        return "disk";
    case Glyph::Folder:
        return "folder";
    case Glyph::Box:
        return "box";
    case Glyph::Radio:
        return "radio";
    case Glyph::RadioOn:
        return "radio-on";
    }
    return "";
}

class GlyphEngine final : public QIconEngine
{
public:
    GlyphEngine(Glyph glyph, const QColor &color) : m_glyph(glyph), m_color(color) {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        const qreal opacity = painter->opacity();
        if (mode == QIcon::Disabled)
            painter->setOpacity(opacity * 0.45);
        paintGlyph(*painter, rect, m_glyph, m_color);
        painter->setOpacity(opacity);
    }
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }
    [[nodiscard]] QIconEngine *clone() const override { return new GlyphEngine(*this); }

private:
    Glyph m_glyph;
    QColor m_color;
};

} // namespace

QPixmap glyphPixmap(Glyph glyph, const QColor &color, int size, qreal devicePixelRatio)
{
    const QString name = QString::fromLatin1(fileName(glyph));
    const QString key = QStringLiteral("berth/%1/%2/%3/%4")
                            .arg(name, color.name(QColor::HexArgb))
                            .arg(size)
                            .arg(devicePixelRatio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    initUiResources();
    QFile file(QStringLiteral(":/icons/ui/%1.svg").arg(name));
    pixmap = QPixmap(QSize(size, size) * devicePixelRatio);
    pixmap.fill(Qt::transparent);
    if (file.open(QIODevice::ReadOnly)) {
        QByteArray svg = file.readAll();
        svg.replace("currentColor", color.name().toLatin1());
        QSvgRenderer renderer(svg);
        QPainter painter(&pixmap);
        painter.setOpacity(static_cast<qreal>(color.alphaF()));
        renderer.render(&painter, QRectF(QPointF(0, 0), QSizeF(pixmap.size())));
    }
    pixmap.setDevicePixelRatio(devicePixelRatio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

void paintGlyph(QPainter &painter, const QRectF &rect, Glyph glyph, const QColor &color)
{
    const qreal ratio = painter.device() ? painter.device()->devicePixelRatioF() : 1;
    const int size = qRound(qMin(rect.width(), rect.height()));
    if (size <= 0)
        return;
    const QPointF at(rect.x() + (rect.width() - size) / 2, rect.y() + (rect.height() - size) / 2);
    painter.drawPixmap(at, glyphPixmap(glyph, color, size, ratio));
}

QIcon glyphIcon(Glyph glyph, const QColor &color)
{
    return QIcon(new GlyphEngine(glyph, color));
}

QIcon applicationIcon()
{
    initUiResources();
    return QIcon(QStringLiteral(":/icons/app/io.github.berth.Berth.svg"));
}

} // namespace berth::ui
