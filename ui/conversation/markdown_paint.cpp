// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/ansi_text.h"
#include "ui/conversation/markdown_layout.h"
#include "ui/style/paint.h"
#include "ui/style/type_scale.h"

#include <QtGui/QFontMetrics>
#include <QtGui/QPainter>

namespace berth::ui {

using BlockKind = MarkdownBlock::Kind;

namespace {

QString targetAt(const LaidOut &text, const QPointF &at)
{
    for (int i = 0; i < text.layout->lineCount(); ++i) {
        const QTextLine line = text.layout->lineAt(i);
        if (!line.naturalTextRect().contains(at))
            continue;
        const int cursor = line.xToCursor(at.x(), QTextLine::CursorOnCharacter);
        for (const MarkdownText::Span &span : text.text.spans) {
            if ((span.flags & MarkdownText::Link) && cursor >= span.start
                && cursor < span.start + span.length)
                return span.target;
        }
    }
    return {};
}

void draw(QPainter &painter, const LaidOut &text, const QPointF &at, const QRectF &clip,
          const QString &hovered, const FoundMarks &marks, const Tokens &tokens)
{
    QList<QTextLayout::FormatRange> over;
    if (!hovered.isEmpty()) {
        for (const MarkdownText::Span &span : text.text.spans) {
            if (!(span.flags & MarkdownText::Link) || span.target != hovered)
                continue;
            QTextLayout::FormatRange range;
            range.start = static_cast<int>(span.start);
            range.length = static_cast<int>(span.length);
            range.format.setFontUnderline(true);
            over.append(range);
        }
    }
    over += marks.in(*text.layout, tokens);
    text.layout->draw(&painter, at, over, clip);
}

} // namespace

MarkdownBox::Hit MarkdownBox::hitAt(const QPoint &at) const
{
    for (size_t i = 0; i < m_boxes.size(); ++i) {
        const Box &box = *m_boxes[i];
        if (at.y() < box.y || at.y() >= box.y + box.height)
            continue;
        const QPointF inside(at.x() - box.x, at.y() - box.y);
        if (box.block.kind == BlockKind::Code)
            return box.copy.contains(inside.toPoint()) ? Hit{{}, static_cast<int>(i), {}} : Hit{};
        if (box.block.kind == BlockKind::Table) {
            for (const Row &cell : box.rows) {
                const QString target = targetAt(cell.text, inside - QPointF(cell.x, cell.y));
                if (!target.isEmpty())
                    return {target, -1, {}};
            }
            return {};
        }
        for (const Box::Shown &picture : box.pictures) {
            if (picture.rect.contains(inside.toPoint()))
                return {{}, -1, picture.path};
        }
        return box.text.layout ? Hit{targetAt(box.text, inside), -1, {}} : Hit{};
    }
    return {};
}

QString MarkdownBox::codeOf(int block) const
{
    return block >= 0 && static_cast<size_t>(block) < m_boxes.size()
        ? m_boxes[static_cast<size_t>(block)]->block.code
        : QString();
}

QList<ShownText> MarkdownBox::texts(const QPointF &at) const
{
    QList<ShownText> shown;
    for (const auto &box : m_boxes) {
        const QPointF where = at + QPointF(box->x, box->y);
        if (box->text.layout)
            shown.append({box->text.layout.get(), where});
        const bool isCode = box->block.kind == BlockKind::Code;
        for (const Row &row : box->rows)
            shown.append(
                {row.text.layout.get(), where + QPointF(isCode ? kCodePad : row.x, row.y)});
    }
    return shown;
}

void paintPicture(QPainter &painter, const RowPictures &from, const QString &path,
                  const QRect &where, const QRectF &clip, bool hovered, const Tokens &tokens)
{
    if (!clip.intersects(where))
        return;
    const PictureShelf::Picture picture = from.shelf->find(from.row, path);
    if (!picture.image.isNull()) {
        painter.save();
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.drawImage(where, picture.image);
        painter.restore();
        paintRounded(painter, QRectF(where).adjusted(0.5, 0.5, -0.5, -0.5), 2, {},
                     hovered ? tokens.accent : tokens.line);
        return;
    }
    // Not inside of painting: it changes what is laid out.
    if (picture.state == PictureShelf::State::Unasked && from.ask)
        QMetaObject::invokeMethod(
            from.shelf, [shelf = from.shelf, row = from.row, path] { shelf->want(row, path); },
            Qt::QueuedConnection);
    paintRounded(painter, QRectF(where).adjusted(0.5, 0.5, -0.5, -0.5), 8, tokens.code,
                 hovered ? tokens.accent : tokens.line);
    const QFont caption = fontFor(TextRole::Caption);
    painter.setFont(caption);
    painter.setPen(tokens.textSecondary);
    const QString words = picture.words.isEmpty() ? path : picture.words;
    painter.drawText(
        where.adjusted(12, 0, -12, 0), Qt::AlignVCenter | Qt::AlignLeading,
        QFontMetrics(caption).elidedText(visibleText(words), Qt::ElideMiddle, where.width() - 24));
}

void MarkdownBox::paintCut(QPainter &painter, const Box &box, const QPointF &at,
                           const Tokens &tokens)
{
    if (box.cut.isEmpty())
        return;
    painter.setFont(fontFor(TextRole::Caption));
    painter.setPen(tokens.textCaption);
    painter.drawText(
        QRectF(at.x(), at.y() + box.height - kCutHeight, box.width - 2 * kCodePad, kCutHeight),
        Qt::AlignVCenter | Qt::AlignLeft, box.cut);
}

void MarkdownBox::paintCode(QPainter &painter, const Box &box, const QPointF &at,
                            const QRectF &clip, bool hovered, bool copied, const FoundMarks &marks,
                            const Tokens &tokens) const
{
    const QRectF card(at.x() + 0.5, at.y() + 0.5, box.width - 1, box.height - 1);
    paintRounded(painter, card, 10, tokens.code, tokens.line);
    const QFont caption = fontFor(TextRole::Caption);
    painter.setFont(caption);
    painter.setPen(tokens.textCaption);
    const QRectF head(at.x() + kCodePad, at.y(), box.width - 2 * kCodePad, kCodeHead);
    painter.drawText(head, Qt::AlignVCenter | Qt::AlignLeft,
                     box.block.language.isEmpty() ? MarkdownWords::tr("Code")
                                                  : visibleText(box.block.language.left(40)));
    QFont link = caption;
    link.setUnderline(hovered);
    painter.setFont(link);
    painter.setPen(tokens.accent);
    painter.drawText(QRectF(box.copy).translated(at), Qt::AlignVCenter | Qt::AlignRight,
                     copied ? MarkdownWords::tr("Copied") : MarkdownWords::tr("Copy"));
    painter.setPen(tokens.text);
    for (const Row &row : box.rows) {
        const QPointF where = at + QPointF(kCodePad, row.y);
        if (where.y() > clip.bottom())
            break;
        if (where.y() + row.height >= clip.top())
            row.text.layout->draw(&painter, where, marks.in(*row.text.layout, tokens), clip);
    }
    paintCut(painter, box, at + QPointF(kCodePad, -10), tokens);
}

void MarkdownBox::paintTable(QPainter &painter, const Box &box, const QPointF &at,
                             const QRectF &clip, const Hit &hovered, const FoundMarks &marks,
                             const Tokens &tokens) const
{
    if (box.rules.empty())
        return;
    const QRectF card(at.x() + 0.5, at.y() + 0.5, box.tableWidth - 1, box.rules.back());
    paintRounded(painter, card, 8, tokens.panel, tokens.line);
    for (size_t i = 0; i + 1 < box.rules.size(); ++i) {
        if (at.y() + box.rules[i] >= clip.top() && at.y() + box.rules[i] <= clip.bottom())
            painter.fillRect(QRectF(at.x() + 1, at.y() + box.rules[i], box.tableWidth - 2, 1),
                             i == 0 ? tokens.line : tokens.lineSoft);
    }
    painter.setPen(tokens.text);
    for (const Row &cell : box.rows) {
        const QPointF where = at + QPointF(cell.x, cell.y);
        if (where.y() > clip.bottom())
            break;
        if (where.y() + cell.text.size.height() >= clip.top())
            draw(painter, cell.text, where, clip, hovered.target, marks, tokens);
    }
    paintCut(painter, box, at, tokens);
}

void MarkdownBox::paint(QPainter &painter, const QPointF &at, const QRectF &clip,
                        const Hit &hovered, int copied, const FoundMarks &marks,
                        const Tokens &tokens) const
{
    for (size_t i = 0; i < m_boxes.size(); ++i) {
        const Box &box = *m_boxes[i];
        const QPointF where = at + QPointF(box.x, box.y);
        if (where.y() > clip.bottom())
            break;
        if (where.y() + box.height + kBlockGap < clip.top())
            continue;
        const MarkdownBlock &block = box.block;
        // The bars of quotes go over the gap to the next block of the same quote.
        const bool goesOn = i + 1 < m_boxes.size() && m_boxes[i + 1]->block.quotes > 0
            && m_boxes[i + 1]->block.from == block.from;
        for (int q = 0; q < block.quotes; ++q)
            paintRounded(painter,
                         QRectF(at.x() + q * kQuoteIndent, where.y(), 3,
                                box.height + (goesOn ? kBlockGap : 0)),
                         1.5, tokens.line);
        painter.setPen(block.quotes > 0 ? tokens.textSecondary : tokens.text);
        const bool copyHere = static_cast<int>(i) == hovered.copy;
        switch (block.kind) {
        case BlockKind::Code:
            paintCode(painter, box, where, clip, copyHere, static_cast<int>(i) == copied, marks,
                      tokens);
            break;
        case BlockKind::Table:
            paintTable(painter, box, where, clip, hovered, marks, tokens);
            break;
        case BlockKind::Rule:
            painter.fillRect(QRectF(where.x(), where.y() + 4, box.width, 1), tokens.line);
            break;
        case BlockKind::Item: {
            const QFont body = fontFor(TextRole::Body);
            painter.setFont(body);
            const QColor ink = painter.pen().color();
            painter.setPen(tokens.textSecondary);
            const double height = QFontMetricsF(body).height() * kLeading;
            painter.drawText(QRectF(where.x() - kIndent - 20, where.y(), kIndent + 12, height),
                             Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, block.marker);
            painter.setPen(ink);
            draw(painter, box.text, where, clip, hovered.target, marks, tokens);
            break;
        }
        case BlockKind::Paragraph:
        case BlockKind::Heading:
            draw(painter, box.text, where, clip, hovered.target, marks, tokens);
            break;
        }
        for (const Box::Shown &picture : box.pictures)
            paintPicture(painter, m_pictures, picture.path,
                         picture.rect.translated(where.toPoint()), clip,
                         hovered.picture == picture.path, tokens);
    }
}

} // namespace berth::ui
