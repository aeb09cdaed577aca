// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_paint.h"

#include "ui/terminal/terminal_glyphs.h"

#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

#include <cmath>

namespace berth::ui {

namespace {

struct Look
{
    QColor ink;
    QColor ground;
    bool operator==(const Look &) const = default;
};

//! Pictures made of characters keep the colours that they were given.
bool isPicture(char32_t c)
{
    return (c >= 0x2500 && c <= 0x259f) || (c >= 0x2800 && c <= 0x28ff)
        || (c >= 0xe0b0 && c <= 0xe0d4) || (c >= 0x1fb00 && c <= 0x1fbff);
}

Look lookOf(const TerminalCell &cell, const QColor &over, const TerminalPalette &palette)
{
    Look look{palette.foreground(cell.foreground), palette.background(cell.background)};
    if (cell.attributes & TerminalCell::Inverse)
        std::swap(look.ink, look.ground);
    if (over.isValid())
        look.ground = over;
    if (cell.attributes & TerminalCell::Conceal)
        look.ink = look.ground;
    else if (!isPicture(cell.character) || over.isValid())
        look.ink = palette.readable(look.ink, look.ground);
    return look;
}

QColor overlayAt(const QList<TerminalOverlay> &overlays, const TerminalPoint &at)
{
    QColor found;
    for (const TerminalOverlay &overlay : overlays) {
        if (overlay.span.from <= at && at < overlay.span.to)
            found = overlay.ground;
    }
    return found;
}

QFont fontOf(quint16 attributes, const QFont &base)
{
    QFont font = base;
    if (attributes & TerminalCell::Bold)
        font.setWeight(QFont::Bold);
    if (attributes & TerminalCell::Italic)
        font.setItalic(true);
    return font;
}

void paintLines(QPainter &painter, const QRectF &box, quint16 attributes,
                const TerminalMetrics &metrics)
{
    const double y = box.top() + metrics.ascent + 2;
    if (attributes & TerminalCell::Underline)
        painter.fillRect(QRectF(box.left(), y, box.width(), 1), painter.pen().color());
    if (attributes & TerminalCell::DoubleUnderline) {
        painter.fillRect(QRectF(box.left(), y - 1, box.width(), 1), painter.pen().color());
        painter.fillRect(QRectF(box.left(), y + 1, box.width(), 1), painter.pen().color());
    }
    if (attributes & TerminalCell::CurlyUnderline) {
        for (double x = box.left(); x < box.right(); x += 4) {
            painter.fillRect(QRectF(x, y, 2, 1), painter.pen().color());
            painter.fillRect(QRectF(x + 2, y + 1, 2, 1), painter.pen().color());
        }
    }
    if (attributes & TerminalCell::Strike)
        painter.fillRect(QRectF(box.left(), box.top() + metrics.ascent * 0.68, box.width(), 1),
                         painter.pen().color());
}

} // namespace

TerminalMetrics::TerminalMetrics(const QFont &from) : font(from)
{
    font.setKerning(false);
    font.setStyleStrategy(QFont::PreferAntialias);
    const QFontMetricsF fm(font);
    column = qMax(1.0, fm.horizontalAdvance(QLatin1Char('0')));
    row = qMax(1, static_cast<int>(std::ceil(fm.height() * 1.12)));
    ascent = std::round((row - fm.height()) / 2 + fm.ascent());
}

QRectF TerminalMetrics::cell(int at, int line, int width) const
{
    // On whole pixels, so that grounds of neighbours meet.
    const double left = std::round(at * column);
    return {left, static_cast<double>(line * row), std::round((at + width) * column) - left,
            static_cast<double>(row)};
}

void paintTerminalLine(QPainter &painter, const QPointF &at, const TerminalLine &line,
                       qint64 number, int columns, const QList<TerminalOverlay> &overlays,
                       const TerminalMetrics &metrics, const TerminalPalette &palette)
{
    const int count = qMin(columns, static_cast<int>(line.cells.size()));
    QList<Look> looks(columns);
    for (int column = 0; column < columns; ++column) {
        TerminalCell cell = line.cells.value(column);
        if (cell.width == 0 && column > 0) {
            looks[column] = looks[column - 1];
            continue;
        }
        looks[column] = lookOf(cell, overlayAt(overlays, {number, column}), palette);
    }
    for (int column = 0; column < columns;) {
        int to = column + 1;
        while (to < columns && looks[to].ground == looks[column].ground)
            ++to;
        if (looks[column].ground != palette.ground())
            painter.fillRect(metrics.cell(column, 0, to - column).translated(at),
                             looks[column].ground);
        column = to;
    }
    for (int column = 0; column < count;) {
        const TerminalCell &first = line.cells.at(column);
        int to = column + 1;
        if (first.width == 0) {
            column = to;
            continue;
        }
        // Plain letters are drawn together; all others have their own cell, whatever their width.
        const auto isPlain = [](const TerminalCell &cell) {
            return cell.width == 1 && cell.character < 0x7f;
        };
        if (isPlain(first)) {
            while (to < count && isPlain(line.cells.at(to))
                   && line.cells.at(to).attributes == first.attributes
                   && looks[to].ink == looks[column].ink)
                ++to;
        } else if (first.width == 2) {
            ++to;
        }
        const QRectF box = metrics.cell(column, 0, to - column).translated(at);
        const QColor ink = looks[column].ink;
        painter.setPen(ink);
        const quint16 attributes = first.attributes;
        if (!paintTerminalGlyph(painter, box, first.character, ink)) {
            const QString text = line.text(column, to);
            if (!QStringView(text).trimmed().isEmpty()) {
                const QFont font = fontOf(attributes, metrics.font);
                painter.setFont(font);
                const QPointF base(at.x() + column * metrics.column, at.y() + metrics.ascent);
                const double wanted = (to - column) * metrics.column;
                const double advance = QFontMetricsF(font).horizontalAdvance(text);
                if (isPlain(first) && to - column > 1 && std::abs(advance - wanted) > 0.5) {
                    // A bold or slanted face with other widths.
                    for (int i = 0; i < to - column; ++i)
                        painter.drawText(base + QPointF(i * metrics.column, 0), text.mid(i, 1));
                } else if (!isPlain(first) && advance > wanted + 0.5) {
                    painter.save();
                    painter.setClipRect(box, Qt::IntersectClip);
                    painter.drawText(base, text);
                    painter.restore();
                } else {
                    painter.drawText(base, text);
                }
            }
        }
        if (attributes & ~(TerminalCell::Bold | TerminalCell::Italic | TerminalCell::Inverse))
            paintLines(painter, box, attributes, metrics);
        column = to;
    }
}

void paintTerminalCursor(QPainter &painter, const QPointF &at, const TerminalLine &under,
                         const TerminalScreen::Cursor &cursor, bool focused,
                         const TerminalMetrics &metrics, const TerminalPalette &palette)
{
    const int column = cursor.at.column;
    const TerminalCell cell = under.cells.value(column);
    const int width = cell.width == 2 ? 2 : 1;
    const QRectF box = metrics.cell(column, 0, width).translated(at);
    const QColor ink = palette.tokens().text;
    if (!focused) {
        painter.setPen(ink);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        return;
    }
    switch (cursor.shape) {
    case TerminalScreen::Shape::Underline:
        painter.fillRect(QRectF(box.left(), box.bottom() - 2, box.width(), 2), ink);
        return;
    case TerminalScreen::Shape::Bar:
        painter.fillRect(QRectF(box.left(), box.top(), 2, box.height()), ink);
        return;
    case TerminalScreen::Shape::Block:
        break;
    }
    painter.fillRect(box, ink);
    const QString text = under.textAt(column);
    painter.setPen(palette.readable(palette.ground(), ink));
    painter.setFont(fontOf(cell.attributes, metrics.font));
    if (!paintTerminalGlyph(painter, box, cell.character, painter.pen().color())
        && text != QLatin1String(" "))
        painter.drawText(QPointF(at.x() + column * metrics.column, at.y() + metrics.ascent), text);
}

} // namespace berth::ui
