// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/markdown_paint.h"

#include "ui/conversation/ansi_text.h"
#include "ui/style/paint.h"
#include "ui/style/type_scale.h"

#include <QtCore/QCoreApplication>
#include <QtGui/QFontMetrics>
#include <QtGui/QPainter>

#include <cmath>

namespace berth::ui {

namespace {

using BlockKind = MarkdownBlock::Kind;

constexpr int kBlockGap = 12;
constexpr int kItemGap = 4;
constexpr int kIndent = 24;
constexpr int kQuoteIndent = 18;
constexpr int kCodePad = 14;
constexpr int kCodeHead = 32;
constexpr int kCellX = 12;
constexpr int kCellY = 7;
constexpr double kLeading = 1.25;
//! Of the words that say what is not shown.
constexpr int kCutHeight = 26;

class MarkdownWords
{
    Q_DECLARE_TR_FUNCTIONS(Markdown)
};

QTextCharFormat formatOf(int flags, const QFont &base, const Tokens &tokens)
{
    QTextCharFormat format;
    if (flags & MarkdownText::Bold)
        format.setFontWeight(QFont::DemiBold);
    if (flags & MarkdownText::Italic)
        format.setFontItalic(true);
    if (flags & MarkdownText::Strike)
        format.setFontStrikeOut(true);
    if (flags & MarkdownText::Code) {
        const QFont mono = fontFor(TextRole::Mono, base);
        format.setFontFamilies(QStringList{mono.family()});
        format.setFontFixedPitch(true);
        format.setFontPointSize(mono.pointSizeF());
        if (mono.pointSizeF() <= 0)
            format.setProperty(QTextFormat::FontPixelSize, mono.pixelSize());
        format.setBackground(tokens.lineSoft);
    }
    if (flags & MarkdownText::Link)
        format.setForeground(tokens.accent);
    return format;
}

struct LaidOut
{
    std::unique_ptr<QTextLayout> layout;
    MarkdownText text;
    QSizeF size;
};

LaidOut layOut(const MarkdownText &source, const QFont &font, double width, const Tokens &tokens,
               Qt::Alignment align = Qt::AlignLeading)
{
    LaidOut result;
    result.text = source;
    result.layout = std::make_unique<QTextLayout>(source.text, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    option.setAlignment(align);
    result.layout->setTextOption(option);
    QList<QTextLayout::FormatRange> formats;
    for (const MarkdownText::Span &span : source.spans)
        formats.append({static_cast<int>(span.start), static_cast<int>(span.length),
                        formatOf(span.flags, font, tokens)});
    result.layout->setFormats(formats);
    result.layout->setCacheEnabled(true);
    result.layout->beginLayout();
    double y = 0;
    double widest = 0;
    const double least = QFontMetricsF(font).height();
    for (QTextLine line = result.layout->createLine(); line.isValid();
         line = result.layout->createLine()) {
        line.setLineWidth(width);
        const double height = qMax(least, line.height());
        line.setPosition(QPointF(0, y + height * (kLeading - 1) / 2));
        y += height * kLeading;
        widest = qMax(widest, line.naturalTextWidth());
    }
    result.layout->endLayout();
    result.size = QSizeF(widest, y);
    return result;
}

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
          const QString &hovered)
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
    text.layout->draw(&painter, at, over, clip);
}

QFont headingFont(int level)
{
    if (level == 1) {
        QFont font = fontFor(TextRole::Header);
        if (font.pointSizeF() > 0)
            font.setPointSizeF(font.pointSizeF() * 1.15);
        return font;
    }
    return fontFor(level == 2 ? TextRole::Header : TextRole::BodyStrong);
}

} // namespace

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
    //! What is not shown, in words; empty: all is.
    QString cut;
};

MarkdownBox::MarkdownBox() = default;

MarkdownBox::~MarkdownBox() = default;

void MarkdownBox::buildCode(Box &box, const MarkdownBlock &block, const Tokens &tokens)
{
    const QFont mono = fontFor(TextRole::Mono);
    const QList<QStringView> lines = QStringView(block.code).split(QLatin1Char('\n'));
    const auto count = static_cast<size_t>(qMin(lines.size(), kMostCodeLines));
    std::vector<Row> before;
    before.swap(box.rows);
    const double inner = box.width - 2 * kCodePad;
    double y = kCodeHead + 8;
    for (size_t i = 0; i < count; ++i) {
        const QStringView whole = lines[static_cast<qsizetype>(i)];
        const QStringView line = whole.left(kLongestCodeLine + 1);
        if (i < before.size() && before[i].source == line) {
            box.rows.push_back(std::move(before[i]));
        } else {
            Row row;
            row.source = line.toString();
            MarkdownText text;
            text.text = visibleText(row.source.left(kLongestCodeLine))
                            .replace(QLatin1Char('\t'), QStringLiteral("    "));
            if (row.source.size() > kLongestCodeLine)
                text.text += QStringLiteral(" …");
            row.text = layOut(text, mono, inner, tokens);
            box.rows.push_back(std::move(row));
        }
        Row &row = box.rows.back();
        row.y = y;
        row.height = row.text.size.height();
        y += row.height;
    }
    const qsizetype hidden = lines.size() - static_cast<qsizetype>(count);
    box.cut = hidden > 0
        ? MarkdownWords::tr("… %n line(s) not shown", nullptr, static_cast<int>(hidden))
        : QString();
    box.height = static_cast<int>(std::ceil(y)) + (hidden > 0 ? kCutHeight : 0) + 10;
    const QFontMetrics fm(fontFor(TextRole::Caption));
    const int copy = fm.horizontalAdvance(MarkdownWords::tr("Copied")) + 8;
    box.copy = QRect(box.width - kCodePad - copy, 0, copy, kCodeHead);
}

void MarkdownBox::buildTable(Box &box, const MarkdownBlock &block, const Tokens &tokens)
{
    const qsizetype columns = qMin(block.aligns.size(), kMostTableColumns);
    const qsizetype count = qMin(block.rows.size(), kMostTableRows);
    if (columns == 0)
        return;
    QStringList cut;
    if (block.rows.size() > count)
        cut.append(MarkdownWords::tr("… %n row(s) not shown", nullptr,
                                     static_cast<int>(block.rows.size() - count)));
    if (block.aligns.size() > columns)
        cut.append(MarkdownWords::tr("… %n column(s) not shown", nullptr,
                                     static_cast<int>(block.aligns.size() - columns)));
    box.cut = cut.join(QStringLiteral("  "));
    const QFont body = fontFor(TextRole::Body);
    const QFont strong = fontFor(TextRole::BodyStrong);
    std::vector<double> wanted(static_cast<size_t>(columns), 24);
    for (qsizetype r = 0; r < count; ++r) {
        const QFontMetricsF fm(r == 0 ? strong : body);
        for (qsizetype c = 0; c < block.rows[r].size(); ++c)
            wanted[static_cast<size_t>(c)] =
                qMax(wanted[static_cast<size_t>(c)],
                     std::ceil(fm.horizontalAdvance(block.rows[r][c].text)) * 1.06 + 4);
    }
    const double room = box.width - 2.0 * kCellX * static_cast<double>(columns);
    double sum = 0;
    for (const double w : wanted)
        sum += w;
    if (sum > room) {
        // Narrow columns keep what they need; the others share the rest by what they ask for.
        const double fair = room / static_cast<double>(columns);
        double narrow = 0;
        double wide = 0;
        for (const double w : wanted)
            (w <= fair ? narrow : wide) += w;
        for (double &w : wanted) {
            if (w > fair)
                w = qMax(40.0, (room - narrow) * w / wide);
        }
    }
    box.tableWidth = 0;
    for (const double w : wanted)
        box.tableWidth += w + 2 * kCellX;
    double y = 0;
    box.rows.clear();
    box.rules.clear();
    for (qsizetype r = 0; r < count; ++r) {
        double x = 0;
        double height = 0;
        for (qsizetype c = 0; c < columns; ++c) {
            const double width = wanted[static_cast<size_t>(c)];
            const auto align = block.aligns[c];
            Row cell;
            cell.text = layOut(block.rows[r].value(c), r == 0 ? strong : body, width, tokens,
                               align == MarkdownBlock::Align::End          ? Qt::AlignRight
                                   : align == MarkdownBlock::Align::Center ? Qt::AlignHCenter
                                                                           : Qt::AlignLeading);
            cell.x = x + kCellX;
            cell.y = y + kCellY;
            cell.width = width;
            cell.row = static_cast<int>(r);
            height = qMax(height, cell.text.size.height());
            x += width + 2 * kCellX;
            box.rows.push_back(std::move(cell));
        }
        y += height + 2 * kCellY;
        box.rules.push_back(y);
    }
    box.height = static_cast<int>(std::ceil(y)) + 1 + (box.cut.isEmpty() ? 0 : kCutHeight);
}

void MarkdownBox::build(Box &box, const MarkdownBlock &block, const Tokens &tokens)
{
    ++m_layouts;
    box.x = block.quotes * kQuoteIndent;
    if (block.kind == BlockKind::Item)
        box.x += (block.level + 1) * kIndent;
    else if (block.kind == BlockKind::Paragraph && block.level > 0)
        box.x += block.level * kIndent;
    box.width = qMax(80, m_width - box.x);
    switch (block.kind) {
    case BlockKind::Code:
        buildCode(box, block, tokens);
        break;
    case BlockKind::Table:
        buildTable(box, block, tokens);
        break;
    case BlockKind::Rule:
        box.height = 9;
        break;
    case BlockKind::Paragraph:
    case BlockKind::Item:
    case BlockKind::Heading:
        box.text = layOut(block.text,
                          block.kind == BlockKind::Heading ? headingFont(block.level)
                                                           : fontFor(TextRole::Body),
                          box.width, tokens);
        box.height = static_cast<int>(std::ceil(box.text.size.height()));
        break;
    }
    box.block = block;
}

void MarkdownBox::update(const Markdown &text, int width, const Tokens &tokens)
{
    if (width != m_width) {
        m_boxes.clear();
        m_width = width;
    }
    m_version = text.version();
    const QList<MarkdownBlock> &blocks = text.blocks();
    std::vector<std::unique_ptr<Box>> before;
    before.swap(m_boxes);
    int y = 0;
    for (qsizetype i = 0; i < blocks.size(); ++i) {
        const MarkdownBlock &block = blocks[i];
        std::unique_ptr<Box> box;
        const auto at = static_cast<size_t>(i);
        if (at < before.size())
            box = std::move(before[at]);
        if (!box || box->block.id != block.id) {
            // A block of code that grew keeps its lines.
            if (!box || box->block.kind != BlockKind::Code || block.kind != BlockKind::Code)
                box = std::make_unique<Box>();
            build(*box, block, tokens);
        }
        if (i > 0) {
            const MarkdownBlock &last = blocks[i - 1];
            const bool tight = block.kind == BlockKind::Item && last.kind == BlockKind::Item;
            y += tight ? kItemGap : block.kind == BlockKind::Heading ? kBlockGap + 4 : kBlockGap;
        }
        box->y = y;
        y += box->height;
        m_boxes.push_back(std::move(box));
    }
    m_height = y;
}

MarkdownBox::Hit MarkdownBox::hitAt(const QPoint &at) const
{
    for (size_t i = 0; i < m_boxes.size(); ++i) {
        const Box &box = *m_boxes[i];
        if (at.y() < box.y || at.y() >= box.y + box.height)
            continue;
        const QPointF inside(at.x() - box.x, at.y() - box.y);
        if (box.block.kind == BlockKind::Code)
            return box.copy.contains(inside.toPoint()) ? Hit{{}, static_cast<int>(i)} : Hit{};
        if (box.block.kind == BlockKind::Table) {
            for (const Row &cell : box.rows) {
                const QString target = targetAt(cell.text, inside - QPointF(cell.x, cell.y));
                if (!target.isEmpty())
                    return {target, -1};
            }
            return {};
        }
        return box.text.layout ? Hit{targetAt(box.text, inside), -1} : Hit{};
    }
    return {};
}

QString MarkdownBox::codeOf(int block) const
{
    return block >= 0 && static_cast<size_t>(block) < m_boxes.size()
        ? m_boxes[static_cast<size_t>(block)]->block.code
        : QString();
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
                            const QRectF &clip, bool hovered, bool copied,
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
            row.text.layout->draw(&painter, where, {}, clip);
    }
    paintCut(painter, box, at + QPointF(kCodePad, -10), tokens);
}

void MarkdownBox::paintTable(QPainter &painter, const Box &box, const QPointF &at,
                             const QRectF &clip, const Hit &hovered, const Tokens &tokens) const
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
            draw(painter, cell.text, where, clip, hovered.target);
    }
    paintCut(painter, box, at, tokens);
}

void MarkdownBox::paint(QPainter &painter, const QPointF &at, const QRectF &clip,
                        const Hit &hovered, int copied, const Tokens &tokens) const
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
            paintCode(painter, box, where, clip, copyHere, static_cast<int>(i) == copied, tokens);
            break;
        case BlockKind::Table:
            paintTable(painter, box, where, clip, hovered, tokens);
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
            draw(painter, box.text, where, clip, hovered.target);
            break;
        }
        case BlockKind::Paragraph:
        case BlockKind::Heading:
            draw(painter, box.text, where, clip, hovered.target);
            break;
        }
    }
}

} // namespace berth::ui
