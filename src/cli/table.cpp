// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/table.h"

#include "cli/human.h"

#include <algorithm>
#include <array>
#include <utility>

namespace berth::cli {

namespace {

constexpr int kGap = 2;
constexpr int kNarrowest = 8;

// Unicode's East_Asian_Width W and F, in a few coarse ranges.
constexpr std::array<std::pair<char32_t, char32_t>, 21> kWide{{
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},
    {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff},
    {0xa000, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
    {0xfe10, 0xfe19},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
    {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x2fffd},
    {0x30000, 0x3fffd},
}};

int widthOf(char32_t c)
{
    const QChar::Category category = QChar::category(c);
    if (category == QChar::Mark_NonSpacing || category == QChar::Mark_Enclosing
        || category == QChar::Other_Format)
        return 0;
    const bool wide = std::any_of(kWide.begin(), kWide.end(), [c](const auto &range) {
        return c >= range.first && c <= range.second;
    });
    return wide ? 2 : 1;
}

} // namespace

int displayWidth(const QString &text)
{
    int width = 0;
    const QList<uint> points = text.toUcs4();
    for (const uint point : points)
        width += widthOf(point);
    return width;
}

QString fitted(const QString &text, int width)
{
    if (displayWidth(text) <= width)
        return text;
    QString result;
    int used = 1; // the ellipsis
    const QList<uint> points = text.toUcs4();
    for (const uint point : points) {
        used += widthOf(point);
        if (used > width)
            break;
        const char32_t one = point;
        result += QString::fromUcs4(&one, 1);
    }
    return result + QChar(0x2026);
}

Table::Table(QStringList headers) : m_headers(std::move(headers)) {}

void Table::add(QStringList cells)
{
    for (QString &cell : cells) {
        cell = onOneLine(cell);
        if (cell.isEmpty())
            cell = QStringLiteral("\u2014");
    }
    while (cells.size() < m_headers.size())
        cells.append(QStringLiteral("\u2014"));
    m_rows.append(std::move(cells));
}

QString Table::text(int columns, bool colours) const
{
    QList<int> widths;
    for (qsizetype column = 0; column < m_headers.size(); ++column) {
        int width = displayWidth(m_headers[column]);
        for (const QStringList &row : m_rows)
            width = std::max(width, displayWidth(row[column]));
        widths.append(width);
    }
    if (columns > 0) {
        int total = -kGap;
        for (const int width : std::as_const(widths))
            total += width + kGap;
        const auto widest = std::max_element(widths.begin(), widths.end());
        if (total > columns && widest != widths.end())
            *widest = std::max(kNarrowest, *widest - (total - columns));
    }
    const auto line = [&widths](const QStringList &cells) {
        QString result;
        for (qsizetype column = 0; column < cells.size(); ++column) {
            const QString cell = fitted(cells[column], widths[column]);
            result += cell;
            if (column + 1 < cells.size())
                result += QString(widths[column] - displayWidth(cell) + kGap, QLatin1Char(' '));
        }
        return result + QLatin1Char('\n');
    };
    const QString header = line(m_headers);
    QString result = colours
        ? QStringLiteral("\x1b[1m") + header.chopped(1) + QStringLiteral("\x1b[0m\n")
        : header;
    for (const QStringList &row : m_rows)
        result += line(row);
    return result;
}

} // namespace berth::cli
