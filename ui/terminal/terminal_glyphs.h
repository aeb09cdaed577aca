// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QColor;
class QPainter;
class QRectF;

namespace berth::ui {

//! Boxes and blocks (U+2500 to U+259F) fill their cell to the edge, which no font does when rows
//! have air between them. False: not one of these, nothing was painted.
bool paintTerminalGlyph(QPainter &painter, const QRectF &box, char32_t character,
                        const QColor &color);

} // namespace berth::ui
