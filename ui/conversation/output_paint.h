// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/conversation/ansi_text.h"
#include "ui/conversation/found_marks.h"
#include "ui/style/tokens.h"

#include <QtGui/QFont>
#include <QtGui/QTextLayout>

#include <memory>
#include <vector>

class QPainter;

namespace berth::ui {

//! Colours of \a style on the code ground.
QTextCharFormat formatOf(const SgrStyle &style, const Tokens &tokens);
//! \a line's styles as ranges of a text layout.
QList<QTextLayout::FormatRange> formatsOf(const AnsiLine &line, qsizetype from, qsizetype length,
                                          const QList<SgrStyle> &styles, const Tokens &tokens);
//! Height of one row of output in \a font.
int outputRowHeight(const QFont &font);

//! The last rows of an output, wrapped at a width and ready to be painted.
class OutputBlock
{
public:
    OutputBlock(const AnsiText &text, int maxRows, int width, const QFont &font,
                const Tokens &tokens);

    [[nodiscard]] int height() const;
    //! Whole lines above the shown rows.
    [[nodiscard]] qint64 hiddenLines() const { return m_hiddenLines; }
    //! Something of the text is not shown.
    [[nodiscard]] bool isCut() const { return m_cut; }
    //! Only what crosses \a clip.
    void paint(QPainter &painter, const QPointF &at, const QRectF &clip, const FoundMarks &marks,
               const Tokens &tokens) const;
    //! Its lines as they are shown, at \a at.
    [[nodiscard]] QList<ShownText> texts(const QPointF &at) const;

private:
    struct Piece
    {
        std::unique_ptr<QTextLayout> layout;
        int firstRow = 0;
    };
    std::vector<Piece> m_pieces;
    int m_rows = 0;
    int m_rowHeight = 0;
    qint64 m_hiddenLines = 0;
    bool m_cut = false;
};

} // namespace berth::ui
