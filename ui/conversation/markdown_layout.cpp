// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/markdown_layout.h"

#include "ui/conversation/ansi_text.h"
#include "ui/style/type_scale.h"

#include <QtGui/QFontMetrics>

#include <algorithm>
#include <cmath>

// How Markdown is laid out; painting is in markdown_paint.cpp.
namespace berth::ui {

using BlockKind = MarkdownBlock::Kind;

namespace {

//! Of one paragraph.
constexpr size_t kMostPictures = 8;

QTextCharFormat markdownFormat(int flags, const QFont &base, const Tokens &tokens)
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
                        markdownFormat(span.flags, font, tokens)});
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
        buildPictures(box, block);
        break;
    }
    box.block = block;
}

void MarkdownBox::buildPictures(Box &box, const MarkdownBlock &block) const
{
    if (!m_pictures.shelf)
        return;
    for (const MarkdownText::Span &span : block.text.spans) {
        const QString path =
            span.flags & MarkdownText::Picture ? picturePath(span.target) : QString();
        const auto isThere = [&path](const Box::Shown &shown) { return shown.path == path; };
        if (path.isEmpty() || box.pictures.size() >= kMostPictures
            || std::any_of(box.pictures.cbegin(), box.pictures.cend(), isThere))
            continue;
        const PictureShelf::Picture picture = m_pictures.shelf->find(m_pictures.row, path);
        QSize size = pictureSize(picture.size, box.width);
        if (picture.image.isNull())
            size = QSize(box.width, QFontMetrics(fontFor(TextRole::Caption)).height() + 16);
        box.pictures.push_back({path, QRect(QPoint(0, box.height + kItemGap), size)});
        box.height += kItemGap + size.height() + kItemGap;
    }
}

void MarkdownBox::update(const Markdown &text, int width, const Tokens &tokens,
                         const RowPictures &pictures)
{
    if (width != m_width) {
        m_boxes.clear();
        m_width = width;
    }
    m_pictures = pictures;
    const int seen = pictures.shelf ? pictures.shelf->version(pictures.row) : 0;
    const bool others = std::exchange(m_pictureVersion, seen) != seen;
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
        if (!box || box->block.id != block.id || (others && !box->pictures.empty())) {
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

} // namespace berth::ui
