// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_text.h"

#include "ui/terminal/terminal_screen.h"

#include <algorithm>

namespace berth::ui {

namespace {

//! What a double click takes together: words, paths, addresses, options.
bool belongsToWord(const QString &text)
{
    if (text.isEmpty() || text == QLatin1String(" "))
        return false;
    const QChar c = text.front();
    return c.isLetterOrNumber() || c.isMark() || c.isSurrogate()
        || QStringView(u"-_./~:@%+=?&#,$").contains(c);
}

} // namespace

QString textOf(const TerminalScreen &screen, const TerminalSpan &span)
{
    QString text;
    const qint64 first = std::max(span.from.line, screen.firstLine());
    const qint64 last = std::min(span.to.line, screen.endLine() - 1);
    for (qint64 at = first; at <= last; ++at) {
        const TerminalLine line = screen.line(at);
        const int from = at == span.from.line ? span.from.column : 0;
        const bool whole = at != span.to.line;
        QString part = line.text(from, whole ? -1 : span.to.column);
        const bool goesOn = whole && line.full;
        if (!goesOn) {
            qsizetype length = part.size();
            while (whole && length > 0 && part.at(length - 1) == u' ')
                --length;
            part.truncate(length);
        }
        text += part;
        if (whole && !goesOn)
            text += u'\n';
    }
    return text;
}

TerminalSpan wordAt(const TerminalScreen &screen, const TerminalPoint &at)
{
    const TerminalLine line = screen.line(at.line);
    const int end = static_cast<int>(line.cells.size());
    int from = at.column;
    while (from > 0 && line.cells.value(from).width == 0)
        --from;
    if (from >= end)
        return {at, at};
    int to = from + 1;
    const auto inWord = [&line](int column) {
        return line.cells.value(column).width == 0 || belongsToWord(line.textAt(column));
    };
    if (inWord(from)) {
        while (from > 0 && inWord(from - 1))
            --from;
        while (to < end && inWord(to))
            ++to;
    } else {
        while (to < end && line.cells.value(to).width == 0)
            ++to;
    }
    return {{at.line, from}, {at.line, to}};
}

TerminalSpan lineAt(const TerminalScreen &screen, const TerminalPoint &at)
{
    qint64 from = at.line;
    qint64 to = at.line;
    while (from > screen.firstLine() && screen.line(from - 1).full)
        --from;
    while (to + 1 < screen.endLine() && screen.line(to).full)
        ++to;
    return {{from, 0}, {to + 1, 0}};
}

QString addressAt(const TerminalScreen &screen, const TerminalPoint &at)
{
    QString word = textOf(screen, wordAt(screen, at));
    const qsizetype start =
        std::max(word.indexOf(QLatin1String("http://")), word.indexOf(QLatin1String("https://")));
    if (start < 0)
        return {};
    word.remove(0, start);
    while (!word.isEmpty() && QStringView(u".,:?").contains(word.back()))
        word.chop(1);
    return word;
}

QList<TerminalSpan> find(const TerminalScreen &screen, const QString &text, int most)
{
    QList<TerminalSpan> found;
    if (text.isEmpty())
        return found;
    const bool exact = std::any_of(text.cbegin(), text.cend(), [](QChar c) { return c.isUpper(); });
    const Qt::CaseSensitivity sensitivity = exact ? Qt::CaseSensitive : Qt::CaseInsensitive;
    for (qint64 at = screen.firstLine(); at < screen.endLine(); ++at) {
        const TerminalLine line = screen.line(at);
        QList<int> columns;
        const QString words = line.text(0, -1, &columns);
        qsizetype from = words.indexOf(text, 0, sensitivity);
        while (from >= 0) {
            const int last = columns.at(from + text.size() - 1);
            const int width = std::max<int>(1, line.cells.value(last).width);
            found.append(TerminalSpan{{at, columns.at(from)}, {at, last + width}});
            if (found.size() >= most)
                return found;
            from = words.indexOf(text, from + text.size(), sensitivity);
        }
    }
    return found;
}

} // namespace berth::ui
