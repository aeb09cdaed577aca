// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_cell.h"

namespace berth::ui {

QString TerminalLine::textAt(int column) const
{
    const TerminalCell cell = cells.value(column);
    if (cell.width == 0)
        return {};
    if (cell.character == 0)
        return QStringLiteral(" ");
    QString text = QString::fromUcs4(&cell.character, 1);
    for (const auto &[at, more] : marks) {
        if (at == column)
            text += more;
    }
    return text;
}

QString TerminalLine::text(int from, int to, QList<int> *columns) const
{
    const int end = to < 0 ? static_cast<int>(cells.size()) : qMin(to, int(cells.size()));
    QString text;
    text.reserve(qMax(0, end - from));
    for (int column = qMax(0, from); column < end; ++column) {
        const TerminalCell &cell = cells.at(column);
        if (cell.width == 0)
            continue;
        const qsizetype before = text.size();
        if (cell.character == 0)
            text += u' ';
        else if (cell.character < 0x10000 && marks.isEmpty())
            text += QChar(static_cast<char16_t>(cell.character));
        else
            text += textAt(column);
        if (columns) {
            for (qsizetype i = before; i < text.size(); ++i)
                columns->append(column);
        }
    }
    return text;
}

} // namespace berth::ui
