// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/found_marks.h"

namespace berth::ui {

namespace {

//! More in one paragraph are not marked.
constexpr qsizetype kMostMarks = 500;

} // namespace

QList<qsizetype> occurrences(const QString &in, const QString &text, qsizetype most)
{
    QList<qsizetype> found;
    if (text.isEmpty())
        return found;
    for (qsizetype at = in.indexOf(text, 0, Qt::CaseInsensitive); at >= 0 && found.size() < most;
         at = in.indexOf(text, at + text.size(), Qt::CaseInsensitive))
        found.append(at);
    return found;
}

QList<QTextLayout::FormatRange> FoundMarks::in(const QTextLayout &layout,
                                               const Tokens &tokens) const
{
    QList<QTextLayout::FormatRange> ranges;
    if (text.isEmpty())
        return ranges;
    for (const qsizetype from : occurrences(layout.text(), text, kMostMarks)) {
        QTextLayout::FormatRange range;
        range.start = static_cast<int>(from);
        range.length = static_cast<int>(text.size());
        const bool now = current == &layout && at == from;
        range.format.setBackground(now ? tokens.accent : tokens.warnSoft);
        range.format.setForeground(now ? tokens.onAccent : tokens.text);
        ranges.append(range);
    }
    return ranges;
}

} // namespace berth::ui
