// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QList>
#include <QtCore/QString>

#include <utility>

namespace berth::ui {

//! One column of a terminal's line.
struct TerminalCell
{
    static constexpr qint32 kDefault = -1;
    static constexpr qint32 kTrueColor = 0x1000000;
    enum Attribute : quint16 {
        Bold = 1,
        Italic = 2,
        Underline = 4,
        DoubleUnderline = 8,
        CurlyUnderline = 16,
        Inverse = 32,
        Strike = 64,
        Blink = 128,
        Conceal = 256,
    };

    //! 0: nothing was written there.
    char32_t character = 0;
    //! kDefault, 0..255, or kTrueColor | rgb.
    qint32 foreground = kDefault;
    qint32 background = kDefault;
    quint16 attributes = 0;
    //! 2: also takes the next column, whose width is 0.
    quint8 width = 1;

    bool operator==(const TerminalCell &) const = default;
    //! Painted in the same way.
    [[nodiscard]] bool looksLike(const TerminalCell &other) const
    {
        return foreground == other.foreground && background == other.background
            && attributes == other.attributes;
    }
};

struct TerminalLine
{
    //! Without the blank columns at its end.
    QList<TerminalCell> cells;
    //! Combining characters by their column.
    QList<std::pair<int, QString>> marks;
    //! Written up to the last column: the next line goes on with it, as far as one can tell.
    bool full = false;

    bool operator==(const TerminalLine &) const = default;
    //! Of one column with its combining characters; a space for nothing, empty for a right half.
    [[nodiscard]] QString textAt(int column) const;
    //! From \a from up to \a to, without blanks at the end. \a columns: the column of each unit.
    [[nodiscard]] QString text(int from = 0, int to = -1, QList<int> *columns = nullptr) const;
};

//! A place in a terminal: \a line counts from the first line that it ever had.
struct TerminalPoint
{
    qint64 line = 0;
    int column = 0;
    auto operator<=>(const TerminalPoint &) const = default;
};

//! From \a from up to, not with, \a to.
struct TerminalSpan
{
    TerminalPoint from;
    TerminalPoint to;
    [[nodiscard]] bool isEmpty() const { return !(from < to); }
    bool operator==(const TerminalSpan &) const = default;
};

} // namespace berth::ui
