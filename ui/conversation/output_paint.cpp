// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/output_paint.h"

#include <QtGui/QFontMetrics>
#include <QtGui/QPainter>

#include <algorithm>

namespace berth::ui {

namespace {

QColor colorOf(qint32 value, const Tokens &tokens)
{
    if (value & SgrStyle::kTrueColor)
        return tokens.legible(QColor::fromRgb(static_cast<QRgb>(value & 0xffffff) | 0xff000000U),
                              tokens.code);
    return tokens.ansi(value);
}

} // namespace

QTextCharFormat formatOf(const SgrStyle &style, const Tokens &tokens)
{
    QTextCharFormat format;
    QColor ink = tokens.text;
    if (style.foreground != SgrStyle::kDefault)
        ink = colorOf(style.foreground, tokens);
    else if (style.fromStderr)
        ink = tokens.error;
    if (style.faint)
        ink = tokens.legible(mixed(ink, tokens.code, 0.7), tokens.code);
    QColor ground;
    if (style.background != SgrStyle::kDefault) {
        ground = mixed(colorOf(style.background, tokens), tokens.code, 0.22);
        ink = tokens.legible(ink, ground);
    }
    if (style.inverse) {
        ground = ink;
        ink = tokens.legible(tokens.code, ground);
    }
    format.setForeground(ink);
    if (ground.isValid())
        format.setBackground(ground);
    if (style.bold)
        format.setFontWeight(QFont::Bold);
    if (style.italic)
        format.setFontItalic(true);
    if (style.underline)
        format.setFontUnderline(true);
    return format;
}

QList<QTextLayout::FormatRange> formatsOf(const AnsiLine &line, qsizetype from, qsizetype length,
                                          const QList<SgrStyle> &styles, const Tokens &tokens)
{
    QList<QTextLayout::FormatRange> ranges;
    const qsizetype end = qMin(from + length, line.text.size());
    for (qsizetype at = from; at < end;) {
        qsizetype to = at + 1;
        while (to < end && line.styles.at(to) == line.styles.at(at))
            ++to;
        QTextLayout::FormatRange range;
        range.start = static_cast<int>(at - from);
        range.length = static_cast<int>(to - at);
        range.format = formatOf(styles.at(line.styles.at(at)), tokens);
        ranges.append(range);
        at = to;
    }
    return ranges;
}

int outputRowHeight(const QFont &font)
{
    return qRound(QFontMetricsF(font).height() * 1.2);
}

OutputBlock::OutputBlock(const AnsiText &text, int maxRows, int width, const QFont &font,
                         const Tokens &tokens)
    : m_rowHeight(outputRowHeight(font))
{
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAnywhere);
    qint64 index = text.lineCount() - 1;
    for (; index >= 0 && m_rows < maxRows; --index) {
        const AnsiLine &line = text.lines()[static_cast<size_t>(index)];
        Piece piece;
        piece.layout = std::make_unique<QTextLayout>(line.text, font);
        piece.layout->setTextOption(option);
        piece.layout->setFormats(formatsOf(line, 0, line.text.size(), text.styles(), tokens));
        piece.layout->setCacheEnabled(true);
        piece.layout->beginLayout();
        int rows = 0;
        for (QTextLine row = piece.layout->createLine(); row.isValid();
             row = piece.layout->createLine()) {
            row.setLineWidth(width);
            row.setPosition(QPointF(0, rows * m_rowHeight + (m_rowHeight - row.height()) / 2));
            ++rows;
        }
        piece.layout->endLayout();
        rows = qMax(rows, 1);
        if (m_rows + rows > maxRows) {
            piece.firstRow = m_rows + rows - maxRows;
            m_cut = true;
        }
        m_rows += rows - piece.firstRow;
        m_pieces.push_back(std::move(piece));
    }
    std::reverse(m_pieces.begin(), m_pieces.end());
    m_hiddenLines = index + 1 + text.dropped();
    m_cut = m_cut || m_hiddenLines > 0;
}

int OutputBlock::height() const
{
    return m_rows * m_rowHeight;
}

QList<ShownText> OutputBlock::texts(const QPointF &at) const
{
    QList<ShownText> shown;
    double y = at.y();
    for (const Piece &piece : m_pieces) {
        shown.append({piece.layout.get(), QPointF(at.x(), y - piece.firstRow * m_rowHeight)});
        y += (qMax(1, piece.layout->lineCount()) - piece.firstRow) * m_rowHeight;
    }
    return shown;
}

void OutputBlock::paint(QPainter &painter, const QPointF &at, const QRectF &clip,
                        const FoundMarks &marks, const Tokens &tokens) const
{
    double y = at.y();
    for (const Piece &piece : m_pieces) {
        const int rows = qMax(1, piece.layout->lineCount());
        const double end = y + (rows - piece.firstRow) * m_rowHeight;
        if (y > clip.bottom())
            return;
        if (end < clip.top()) {
            y = end;
            continue;
        }
        const QPointF from(at.x(), y - piece.firstRow * m_rowHeight);
        const QList<QTextLayout::FormatRange> found = marks.in(*piece.layout, tokens);
        if (!found.isEmpty() && piece.firstRow == 0) {
            piece.layout->draw(&painter, from, found, clip);
        } else {
            for (int row = piece.firstRow; row < rows && row < piece.layout->lineCount(); ++row)
                piece.layout->lineAt(row).draw(&painter, from);
        }
        y = end;
    }
}

} // namespace berth::ui
