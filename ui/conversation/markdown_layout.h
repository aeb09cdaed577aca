// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/conversation/markdown_paint.h"

#include <QtCore/QCoreApplication>

// What laying out Markdown and painting it share.
namespace berth::ui {

inline constexpr int kBlockGap = 12;
inline constexpr int kItemGap = 4;
inline constexpr int kIndent = 24;
inline constexpr int kQuoteIndent = 18;
inline constexpr int kCodePad = 14;
inline constexpr int kCodeHead = 32;
inline constexpr int kCellX = 12;
inline constexpr int kCellY = 7;
inline constexpr double kLeading = 1.25;
//! Of the words that say what is not shown.
inline constexpr int kCutHeight = 26;

class MarkdownWords
{
    Q_DECLARE_TR_FUNCTIONS(Markdown)
};

//! A text at a width.
struct LaidOut
{
    std::unique_ptr<QTextLayout> layout;
    MarkdownText text;
    QSizeF size;
};

//! A line of code, or a cell of a table.
struct MarkdownBox::Row
{
    LaidOut text;
    QString source;
    double y = 0;
    double height = 0;
    double x = 0;
    double width = 0;
    int row = 0;
};

struct MarkdownBox::Box
{
    MarkdownBlock block;
    int y = 0;
    int x = 0;
    int width = 0;
    int height = 0;
    LaidOut text;
    std::vector<Row> rows;
    //! Of a table: where each of its rows ends.
    std::vector<double> rules;
    double tableWidth = 0;
    QRect copy;
    //! Pictures of the text, below it.
    struct Shown
    {
        QString path;
        QRect rect;
    };
    std::vector<Shown> pictures;
    //! What is not shown, in words; empty: all is.
    QString cut;
};

} // namespace berth::ui
