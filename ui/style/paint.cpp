// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/paint.h"

#include "ui/style/type_scale.h"

#include <QtGui/QFontMetrics>
#include <QtGui/QPainter>
#include <QtGui/QPainterPath>

namespace berth::ui {

void paintRounded(QPainter &painter, const QRectF &rect, double radius, const QColor &fill,
                  const QColor &border, double width)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    if (border.isValid()) {
        painter.setPen(QPen(border, width));
        const double inset = width / 2;
        painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius - inset,
                                radius - inset);
    } else {
        painter.setPen(Qt::NoPen);
        painter.drawRoundedRect(rect, radius, radius);
    }
    painter.restore();
}

void paintCard(QPainter &painter, const QRectF &rect, const Tokens &tokens, const QColor &border,
               double radius)
{
    if (!tokens.dark && !tokens.highContrast) {
        QColor soft = tokens.shadow;
        soft.setAlpha(13);
        paintRounded(painter, rect.translated(0, 1), radius, soft);
    }
    paintRounded(painter, rect, radius, tokens.panel, border.isValid() ? border : tokens.line);
}

void paintDot(QPainter &painter, const QPointF &centre, Dot dot, const QColor &color,
              double diameter)
{
    if (dot == Dot::None)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box(centre.x() - diameter / 2, centre.y() - diameter / 2, diameter, diameter);
    const QRectF ring = box.adjusted(0.75, 0.75, -0.75, -0.75);
    switch (dot) {
    case Dot::None:
        break;
    case Dot::Filled:
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(box);
        break;
    case Dot::Ring:
        painter.setPen(QPen(color, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(ring);
        break;
    case Dot::Half:
        painter.setPen(QPen(color, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(ring);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPie(box, 90 * 16, 180 * 16);
        break;
    case Dot::Square:
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 1.5, 1.5);
        break;
    }
    painter.restore();
}

namespace {
constexpr int kChipPadding = 10;
constexpr int kChipDot = 14;
} // namespace

QSize chipSize(const QString &text, Dot dot, const QFont &font)
{
    const QFontMetrics fm(font);
    return {fm.horizontalAdvance(text) + 2 * kChipPadding + (dot == Dot::None ? 0 : kChipDot),
            qMax(24, fm.height() + 6)};
}

void paintChip(QPainter &painter, const QRect &rect, const QString &text, Tone tone, Dot dot,
               const QFont &font, const Tokens &tokens)
{
    const QColor color = tokens.tone(tone);
    paintRounded(painter, rect, qMin<double>(rect.height() / 2.0, metrics::kChipRadius),
                 tokens.soft(tone), tokens.highContrast ? color : QColor());
    const bool mirrored = painter.layoutDirection() == Qt::RightToLeft;
    QRect inner = rect.adjusted(kChipPadding, 0, -kChipPadding, 0);
    if (dot != Dot::None) {
        const double x = mirrored ? inner.right() - 3 : inner.left() + 4;
        paintDot(painter, QPointF(x, rect.center().y() + 0.5), dot, color);
        inner.adjust(mirrored ? 0 : kChipDot, 0, mirrored ? -kChipDot : 0, 0);
    }
    painter.save();
    painter.setPen(color);
    painter.setFont(font);
    painter.drawText(inner, Qt::AlignVCenter | Qt::AlignLeading | Qt::TextSingleLine,
                     QFontMetrics(font).elidedText(text, Qt::ElideRight, inner.width() + 1));
    painter.restore();
}

void paintMark(QPainter &painter, const QRect &rect, const QString &mark, const Tokens &tokens)
{
    paintRounded(painter, rect, metrics::kMarkRadius * rect.height() / 26.0, tokens.lineSoft,
                 tokens.highContrast ? tokens.control : QColor());
    QFont font = fontFor(TextRole::Caption);
    font.setWeight(QFont::Bold);
    font.setPixelSize(qMax(8, qRound(rect.height() * (mark.size() > 1 ? 0.44 : 0.48))));
    painter.save();
    painter.setPen(tokens.textSecondary);
    painter.setFont(font);
    painter.drawText(rect, Qt::AlignCenter, mark);
    painter.restore();
}

void paintFocusRing(QPainter &painter, const QRectF &rect, double radius, const QColor &color)
{
    paintRounded(painter, rect, radius, {}, color, 2);
}

void paintShadow(QPainter &painter, const QRectF &rect, double radius, const Tokens &tokens)
{
    constexpr int kSteps = 12;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    QPainterPath hole;
    hole.addRoundedRect(rect, radius, radius);
    for (int step = kSteps; step >= 1; --step) {
        QColor color = tokens.shadow;
        color.setAlpha(qMax(1, color.alpha() * (kSteps - step + 1) / (kSteps * 10)));
        const double grow = step * 1.2;
        QPainterPath path;
        path.addRoundedRect(rect.adjusted(-grow, -grow + 4, grow, grow + 4), radius + grow,
                            radius + grow);
        painter.fillPath(path.subtracted(hole), color);
    }
    painter.restore();
}

} // namespace berth::ui
