// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/style/icons.h"
#include "ui/style/tokens.h"

#include <QtCore/QSize>
#include <QtCore/QString>

class QFont;
class QPainter;
class QRect;

// What widgets and delegates paint alike.
namespace berth::ui {

//! How a state dot is drawn; the shape differs too, so that colour is not needed.
enum class Dot { None, Filled, Ring, Half, Square };

void paintRounded(QPainter &painter, const QRectF &rect, double radius, const QColor &fill,
                  const QColor &border = {}, double width = 1);
//! A white panel with hairline and the soft edge below it.
void paintCard(QPainter &painter, const QRectF &rect, const Tokens &tokens,
               const QColor &border = {}, double radius = metrics::kCardRadius);
void paintDot(QPainter &painter, const QPointF &centre, Dot dot, const QColor &color,
              double diameter = 8);

QSize chipSize(const QString &text, Dot dot, const QFont &font);
void paintChip(QPainter &painter, const QRect &rect, const QString &text, Tone tone, Dot dot,
               const QFont &font, const Tokens &tokens);
//! The letters that stand for a provider, in a small square.
void paintMark(QPainter &painter, const QRect &rect, const QString &mark, const Tokens &tokens);
//! Two pixels of accent along the edge of what has the keyboard.
void paintFocusRing(QPainter &painter, const QRectF &rect, double radius, const QColor &color);
//! Soft shadow of a popover around \a rect.
void paintShadow(QPainter &painter, const QRectF &rect, double radius, const Tokens &tokens);

} // namespace berth::ui
