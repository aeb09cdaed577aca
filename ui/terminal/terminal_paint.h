// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/style/terminal_palette.h"
#include "ui/terminal/terminal_screen.h"

#include <QtCore/QRectF>
#include <QtGui/QFont>

class QPainter;

namespace berth::ui {

//! How large a column and a row are, in a font.
struct TerminalMetrics
{
    explicit TerminalMetrics(const QFont &font);

    QFont font;
    double column = 8;
    int row = 16;
    double ascent = 12;

    [[nodiscard]] QRectF cell(int column, int row, int width = 1) const;
};

//! What lies over a line: selection and matches, in the order in which they are painted.
struct TerminalOverlay
{
    TerminalSpan span;
    QColor ground;
};

//! Paints one line with its top left corner at \a at.
void paintTerminalLine(QPainter &painter, const QPointF &at, const TerminalLine &line,
                       qint64 number, int columns, const QList<TerminalOverlay> &overlays,
                       const TerminalMetrics &metrics, const TerminalPalette &palette);

//! \a under: the line that the cursor is in. Hollow without the focus.
void paintTerminalCursor(QPainter &painter, const QPointF &at, const TerminalLine &under,
                         const TerminalScreen::Cursor &cursor, bool focused,
                         const TerminalMetrics &metrics, const TerminalPalette &palette);

} // namespace berth::ui
