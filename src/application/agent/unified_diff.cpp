// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/unified_diff.h"

#include <QtCore/QList>
#include <QtCore/QStringDecoder>

#include <algorithm>
#include <vector>

namespace berth::application {

namespace {

constexpr qsizetype kContext = 3;
constexpr qsizetype kLargestTable = 4'000'000;
constexpr qsizetype kLongestDiff = 200 * 1024;

bool isText(const QByteArray &bytes)
{
    if (bytes.contains('\0'))
        return false;
    QStringDecoder decoder(QStringDecoder::Utf8);
    const QString text = decoder(bytes);
    return !decoder.hasError() && !text.isNull();
}

//! Lines with their end, so that a missing newline at the end of the file differs.
QList<QByteArray> linesOf(const QByteArray &bytes)
{
    QList<QByteArray> lines;
    qsizetype at = 0;
    while (at < bytes.size()) {
        const qsizetype end = bytes.indexOf('\n', at);
        const qsizetype next = end < 0 ? bytes.size() : end + 1;
        lines << bytes.mid(at, next - at);
        at = next;
    }
    return lines;
}

struct DiffLine
{
    char mark;
    QByteArray text;
};

//! Longest common subsequence of what is between the common start and end; where that would be too
//! much work, everything there is replaced.
void compareMiddle(const QList<QByteArray> &a, const QList<QByteArray> &b,
                   std::vector<DiffLine> &into)
{
    const qsizetype rows = a.size();
    const qsizetype columns = b.size();
    if (rows * columns > kLargestTable) {
        for (const QByteArray &line : a)
            into.push_back({'-', line});
        for (const QByteArray &line : b)
            into.push_back({'+', line});
        return;
    }
    const auto at = [columns](qsizetype row, qsizetype column) {
        return static_cast<size_t>(row * (columns + 1) + column);
    };
    std::vector<int> longest(static_cast<size_t>((rows + 1) * (columns + 1)), 0);
    for (qsizetype i = rows - 1; i >= 0; --i) {
        for (qsizetype j = columns - 1; j >= 0; --j) {
            longest[at(i, j)] = a[i] == b[j]
                ? longest[at(i + 1, j + 1)] + 1
                : std::max(longest[at(i + 1, j)], longest[at(i, j + 1)]);
        }
    }
    qsizetype i = 0;
    qsizetype j = 0;
    while (i < rows || j < columns) {
        if (i < rows && j < columns && a[i] == b[j]) {
            into.push_back({' ', a[i]});
            ++i;
            ++j;
        } else if (j == columns || (i < rows && longest[at(i + 1, j)] >= longest[at(i, j + 1)])) {
            into.push_back({'-', a[i++]});
        } else {
            into.push_back({'+', b[j++]});
        }
    }
}

QByteArray rangeText(qsizetype start, qsizetype count)
{
    return QByteArray::number(count == 0 ? start : start + 1) + ',' + QByteArray::number(count);
}

} // namespace

QString unifiedDiff(const QString &path, const QByteArray &before, const QByteArray &after,
                    bool isNew)
{
    if (before == after && !isNew)
        return {};
    if (!isText(before) || !isText(after))
        return QStringLiteral("Binary file %1 differs\n").arg(path);
    const QList<QByteArray> a = linesOf(before);
    const QList<QByteArray> b = linesOf(after);
    qsizetype same = 0;
    while (same < a.size() && same < b.size() && a[same] == b[same])
        ++same;
    qsizetype tail = 0;
    while (tail < a.size() - same && tail < b.size() - same
           && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
        ++tail;
    std::vector<DiffLine> lines;
    for (qsizetype i = 0; i < same; ++i)
        lines.push_back({' ', a[i]});
    compareMiddle(a.mid(same, a.size() - same - tail), b.mid(same, b.size() - same - tail), lines);
    for (qsizetype i = a.size() - tail; i < a.size(); ++i)
        lines.push_back({' ', a[i]});

    const QByteArray name = path.toUtf8();
    QByteArray text =
        (isNew ? QByteArray("--- /dev/null") : "--- " + name) + "\n+++ " + name + '\n';
    const auto count = static_cast<qsizetype>(lines.size());
    qsizetype at = 0;
    qsizetype oldLine = 0;
    qsizetype newLine = 0;
    while (at < count) {
        qsizetype first = at;
        while (first < count && lines[static_cast<size_t>(first)].mark == ' ')
            ++first;
        if (first == count)
            break;
        // The hunk ends where more than twice the context stays the same.
        qsizetype last = first;
        for (qsizetype i = first; i < count && i - last <= 2 * kContext; ++i) {
            if (lines[static_cast<size_t>(i)].mark != ' ')
                last = i;
        }
        const qsizetype begin = std::max(at, first - kContext);
        const qsizetype end = std::min(count, last + 1 + kContext);
        oldLine += begin - at;
        newLine += begin - at;
        QByteArray body;
        qsizetype olds = 0;
        qsizetype news = 0;
        for (qsizetype i = begin; i < end; ++i) {
            const DiffLine &line = lines[static_cast<size_t>(i)];
            olds += line.mark != '+' ? 1 : 0;
            news += line.mark != '-' ? 1 : 0;
            body += line.mark + line.text;
            if (!line.text.endsWith('\n'))
                body += "\n\\ No newline at end of file\n";
        }
        text +=
            "@@ -" + rangeText(oldLine, olds) + " +" + rangeText(newLine, news) + " @@\n" + body;
        oldLine += olds;
        newLine += news;
        at = end;
        if (text.size() > kLongestDiff)
            return QString::fromUtf8(text.left(kLongestDiff))
                + QStringLiteral("\n… the rest of the diff is left out\n");
    }
    return QString::fromUtf8(text);
}

} // namespace berth::application
