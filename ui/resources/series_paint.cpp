// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/resources/series_paint.h"

#include <QtGui/QPainter>
#include <QtGui/QPainterPath>

#include <cmath>

namespace berth::ui {

namespace {

constexpr double kLineWidth = 1.5;
//! Of the area under a line, of 255.
constexpr int kFillAlpha = 31;

} // namespace

void paintSeries(QPainter &painter, const QRectF &rect,
                 const QList<SampleHistory::Segment> &segments, TimeRange range, double top,
                 const QColor &color, bool fill)
{
    if (range.toMs <= range.fromMs || top <= 0)
        return;
    // Room for the line's own width at both edges.
    const QRectF plot = rect.adjusted(0, 2, 0, -1);
    const double perMs = plot.width() / static_cast<double>(range.toMs - range.fromMs);
    const auto place = [&](const QPointF &point) {
        const double y = plot.bottom() - qBound(0.0, point.y() / top, 1.0) * plot.height();
        return QPointF(plot.left() + (point.x() - static_cast<double>(range.fromMs)) * perMs, y);
    };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(rect.adjusted(-2, -1, 2, 1), Qt::IntersectClip);
    QColor area = color;
    area.setAlpha(kFillAlpha);
    for (const SampleHistory::Segment &segment : segments) {
        if (segment.isEmpty())
            continue;
        if (segment.size() == 1) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            painter.drawEllipse(place(segment.first()), kLineWidth, kLineWidth);
            continue;
        }
        QPainterPath line(place(segment.first()));
        for (qsizetype i = 1; i < segment.size(); ++i)
            line.lineTo(place(segment[i]));
        if (fill) {
            QPainterPath below = line;
            below.lineTo(place(segment.last()).x(), rect.bottom());
            below.lineTo(place(segment.first()).x(), rect.bottom());
            below.closeSubpath();
            painter.fillPath(below, area);
        }
        painter.strokePath(line,
                           QPen(color, kLineWidth, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    }
    painter.restore();
}

void paintNoSeries(QPainter &painter, const QRectF &rect, const QColor &color)
{
    painter.save();
    painter.setPen(QPen(color, 1));
    painter.drawLine(QPointF(rect.left(), rect.bottom() - 0.5),
                     QPointF(rect.right(), rect.bottom() - 0.5));
    painter.restore();
}

double highest(const QList<SampleHistory::Segment> &segments)
{
    double top = 0;
    for (const SampleHistory::Segment &segment : segments) {
        for (const QPointF &point : segment)
            top = qMax(top, point.y());
    }
    return top;
}

double niceTop(double value, bool bytes)
{
    if (value <= 0)
        return bytes ? 1024 : 0.1;
    double unit = 1;
    if (bytes) {
        while (value / unit >= 1024)
            unit *= 1024;
    } else {
        unit = std::pow(10, std::floor(std::log10(value)));
    }
    static constexpr double kSteps[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1024};
    for (const double step : kSteps) {
        if (value <= step * unit)
            return step * unit;
    }
    return value;
}

} // namespace berth::ui
