// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/sample_history.h"

#include <QtGui/QColor>

class QPainter;

// Lines over time, painted: sparklines of cards and the charts of the sheet look alike.
namespace berth::ui {

struct TimeRange
{
    qint64 fromMs = 0;
    qint64 toMs = 0;
};

//! \a top is the value at the upper edge; the lower edge is 0. Stretches stay apart; a lone sample
//! is a dot.
void paintSeries(QPainter &painter, const QRectF &rect,
                 const QList<SampleHistory::Segment> &segments, TimeRange range, double top,
                 const QColor &color, bool fill);
//! The line that stands for "nothing measured".
void paintNoSeries(QPainter &painter, const QRectF &rect, const QColor &color);

//! Highest value in \a segments; 0 without any.
double highest(const QList<SampleHistory::Segment> &segments);
//! The next of 1, 2, 5 × 10ⁿ (in steps of 1024 for bytes), so that a scale does not jump with each
//! sample.
double niceTop(double value, bool bytes);

} // namespace berth::ui
