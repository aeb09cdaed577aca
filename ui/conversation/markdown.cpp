// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/markdown.h"

#include <QtCore/QStringView>

namespace berth::ui {

namespace {

using Block = MarkdownBlock;
using BlockKind = MarkdownBlock::Kind;

constexpr int kDeepestItem = 8;
constexpr int kDeepestQuote = 6;

int columnsBefore(QStringView line)
{
    int columns = 0;
    for (const QChar c : line) {
        if (c == QLatin1Char(' '))
            ++columns;
        else if (c == QLatin1Char('\t'))
            columns += 4;
        else
            break;
    }
    return columns;
}

//! How many of the fence's character; 0: no fence.
int fenceOf(QStringView line, QChar *mark)
{
    const QStringView t = line.trimmed();
    if (t.isEmpty() || (t[0] != QLatin1Char('`') && t[0] != QLatin1Char('~')))
        return 0;
    int count = 0;
    while (count < t.size() && t[count] == t[0])
        ++count;
    if (count < 3 || (t[0] == QLatin1Char('`') && t.sliced(count).contains(QLatin1Char('`'))))
        return 0;
    *mark = t[0];
    return count;
}

bool isRule(QStringView line)
{
    QChar mark;
    int count = 0;
    for (const QChar c : line.trimmed()) {
        if (c.isSpace())
            continue;
        if (mark.isNull())
            mark = c;
        if (c != mark)
            return false;
        ++count;
    }
    return count >= 3
        && (mark == QLatin1Char('-') || mark == QLatin1Char('*') || mark == QLatin1Char('_'));
}

int headingOf(QStringView line)
{
    const QStringView t = line.trimmed();
    int level = 0;
    while (level < t.size() && t[level] == QLatin1Char('#'))
        ++level;
    return level > 0 && level <= 6 && level < t.size() && t[level].isSpace() ? level : 0;
}

//! Length of "- " or "12. " with the columns before it; 0: no item.
qsizetype itemOf(QStringView line, QString *marker)
{
    qsizetype at = 0;
    while (at < line.size() && line[at].isSpace())
        ++at;
    if (at >= line.size())
        return 0;
    if (QStringView(u"-*+").contains(line[at])) {
        *marker = QStringLiteral("•");
        ++at;
    } else {
        const qsizetype from = at;
        while (at < line.size() && line[at].isDigit() && at - from < 9)
            ++at;
        if (at == from || at >= line.size()
            || (line[at] != QLatin1Char('.') && line[at] != QLatin1Char(')')))
            return 0;
        *marker = line.sliced(from, at - from).toString() + QLatin1Char('.');
        ++at;
    }
    if (at < line.size() && !line[at].isSpace())
        return 0;
    while (at < line.size() && line[at].isSpace())
        ++at;
    return at;
}

QList<QStringView> cellsOf(QStringView line)
{
    QStringView t = line.trimmed();
    if (t.startsWith(QLatin1Char('|')))
        t = t.sliced(1);
    if (t.endsWith(QLatin1Char('|')) && !t.endsWith(QLatin1String("\\|")))
        t.chop(1);
    QList<QStringView> cells;
    qsizetype from = 0;
    bool code = false;
    for (qsizetype i = 0; i < t.size(); ++i) {
        if (t[i] == QLatin1Char('\\'))
            ++i;
        else if (t[i] == QLatin1Char('`'))
            code = !code;
        else if (t[i] == QLatin1Char('|') && !code) {
            cells.append(t.sliced(from, i - from).trimmed());
            from = i + 1;
        }
    }
    cells.append(t.sliced(from).trimmed());
    return cells;
}

//! "|---|:-:|"; empty: no such line.
QList<Block::Align> alignsOf(QStringView line)
{
    if (!line.contains(QLatin1Char('-')) || !line.contains(QLatin1Char('|')))
        return {};
    QList<Block::Align> aligns;
    for (const QStringView cell : cellsOf(line)) {
        const bool left = cell.startsWith(QLatin1Char(':'));
        const bool right = cell.endsWith(QLatin1Char(':'));
        bool dashes = false;
        for (const QChar c : cell) {
            if (c == QLatin1Char('-'))
                dashes = true;
            else if (c != QLatin1Char(':'))
                return {};
        }
        if (!dashes)
            return {};
        aligns.append(left && right ? Block::Align::Center
                          : right   ? Block::Align::End
                                    : Block::Align::Start);
    }
    return aligns;
}

//! The lines of a text, with where each begins.
class Lines
{
public:
    Lines(QStringView text, qsizetype from) : m_text(text), m_at(from) {}
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] qsizetype offset() const { return m_at; }
    [[nodiscard]] QStringView peek() const { return lineAt(m_at); }
    [[nodiscard]] QStringView peekSecond() const
    {
        const qsizetype next = behind(m_at);
        return next < m_text.size() ? lineAt(next) : QStringView();
    }
    QStringView take()
    {
        const QStringView line = peek();
        m_at = behind(m_at);
        return line;
    }

private:
    [[nodiscard]] QStringView lineAt(qsizetype at) const
    {
        qsizetype end = m_text.indexOf(QLatin1Char('\n'), at);
        if (end < 0)
            end = m_text.size();
        QStringView line = m_text.sliced(at, end - at);
        if (line.endsWith(QLatin1Char('\r')))
            line.chop(1);
        return line;
    }
    [[nodiscard]] qsizetype behind(qsizetype at) const
    {
        const qsizetype end = m_text.indexOf(QLatin1Char('\n'), at);
        return end < 0 ? m_text.size() : end + 1;
    }
    QStringView m_text;
    qsizetype m_at;
};

bool startsTable(const Lines &lines)
{
    if (!lines.peek().contains(QLatin1Char('|')))
        return false;
    const QList<Block::Align> aligns = alignsOf(lines.peekSecond());
    return !aligns.isEmpty() && cellsOf(lines.peek()).size() == aligns.size();
}

bool isBlank(QStringView line)
{
    return line.trimmed().isEmpty();
}

//! Something other than the next line of a paragraph.
bool startsBlock(const Lines &lines)
{
    const QStringView line = lines.peek();
    QChar mark;
    QString marker;
    return isBlank(line) || fenceOf(line, &mark) > 0 || headingOf(line) > 0 || isRule(line)
        || line.trimmed().startsWith(QLatin1Char('>')) || itemOf(line, &marker) > 0
        || startsTable(lines);
}

Block takeFence(Lines &lines)
{
    Block block;
    block.kind = BlockKind::Code;
    const QStringView first = lines.take();
    const int indent = columnsBefore(first);
    QChar mark;
    const int count = fenceOf(first, &mark);
    bool empty = true;
    block.language = first.trimmed().sliced(count).trimmed().toString().section(u' ', 0, 0);
    while (!lines.atEnd()) {
        QStringView line = lines.take();
        QChar closing;
        if (fenceOf(line, &closing) >= count && closing == mark
            && line.trimmed().size() == fenceOf(line, &closing))
            return block;
        for (int i = 0; i < indent && line.startsWith(QLatin1Char(' ')); ++i)
            line = line.sliced(1);
        if (!empty)
            block.code += QLatin1Char('\n');
        block.code += line;
        empty = false;
    }
    return block;
}

Block takeTable(Lines &lines)
{
    Block block;
    block.kind = BlockKind::Table;
    const auto row = [&block](QStringView line) {
        QList<MarkdownText> cells;
        for (const QStringView cell : cellsOf(line)) {
            if (cells.size() < kMostTableColumns)
                cells.append(parseInline(
                    cell.toString().replace(QLatin1String("\\|"), QStringLiteral("|"))));
        }
        block.rows.append(cells);
    };
    row(lines.take());
    block.aligns = alignsOf(lines.take());
    while (!lines.atEnd() && lines.peek().contains(QLatin1Char('|')) && !isBlank(lines.peek()))
        row(lines.take());
    for (auto &cells : block.rows)
        cells.resize(qMin<qsizetype>(block.aligns.size(), kMostTableColumns));
    return block;
}

QString takeParagraph(Lines &lines)
{
    QString text = lines.take().trimmed().toString();
    while (!lines.atEnd() && !startsBlock(lines)) {
        // Two spaces at the end ask for a new line; models also mean one by a backslash.
        const QStringView line = lines.take();
        text += QLatin1Char('\n');
        text += line.trimmed();
    }
    return text;
}

Block takeItem(Lines &lines, const QList<Block> &before)
{
    Block block;
    block.kind = BlockKind::Item;
    const QStringView first = lines.take();
    block.column = columnsBefore(first);
    QString rest = first.sliced(itemOf(first, &block.marker)).toString();
    if (rest.startsWith(QLatin1String("[ ] ")) || rest.startsWith(QLatin1String("[x] "))
        || rest.startsWith(QLatin1String("[X] "))) {
        block.marker = rest[1] == QLatin1Char(' ') ? QStringLiteral("☐") : QStringLiteral("☑");
        rest.remove(0, 4);
    }
    while (!lines.atEnd() && !startsBlock(lines)) {
        rest += QLatin1Char('\n');
        rest += lines.take().trimmed();
    }
    block.text = parseInline(rest);
    for (auto it = before.crbegin(); it != before.crend() && it->kind == BlockKind::Item; ++it) {
        if (block.column >= it->column + 2) {
            block.level = qMin(it->level + 1, kDeepestItem);
            break;
        }
        if (block.column >= it->column) {
            block.level = it->level;
            break;
        }
    }
    return block;
}

void parseBlocks(QStringView text, qsizetype from, int quotes, QList<Block> &into);

void takeQuote(Lines &lines, int quotes, QList<Block> &into)
{
    const qsizetype from = lines.offset();
    QString inside;
    while (!lines.atEnd() && lines.peek().trimmed().startsWith(QLatin1Char('>'))) {
        QStringView line = lines.take().trimmed().sliced(1);
        if (line.startsWith(QLatin1Char(' ')))
            line = line.sliced(1);
        inside += line;
        inside += QLatin1Char('\n');
    }
    QList<Block> blocks;
    if (quotes < kDeepestQuote) {
        parseBlocks(inside, 0, quotes + 1, blocks);
    } else {
        Block block;
        block.text.text = inside;
        block.quotes = quotes;
        blocks.append(block);
    }
    // What is parsed again is the whole quote.
    for (Block &block : blocks)
        block.from = from;
    into.append(blocks);
}

void parseBlocks(QStringView text, qsizetype from, int quotes, QList<Block> &into)
{
    Lines lines(text, from);
    while (!lines.atEnd()) {
        const QStringView line = lines.peek();
        if (isBlank(line)) {
            lines.take();
            continue;
        }
        const qsizetype start = lines.offset();
        QChar mark;
        QString marker;
        Block block;
        if (fenceOf(line, &mark) > 0) {
            block = takeFence(lines);
        } else if (const int level = headingOf(line); level > 0) {
            block.kind = BlockKind::Heading;
            block.level = level;
            QStringView words = lines.take().trimmed().sliced(level).trimmed();
            while (words.endsWith(QLatin1Char('#')))
                words.chop(1);
            block.text = parseInline(words.trimmed().toString());
        } else if (isRule(line)) {
            lines.take();
            block.kind = BlockKind::Rule;
        } else if (line.trimmed().startsWith(QLatin1Char('>'))) {
            takeQuote(lines, quotes, into);
            continue;
        } else if (startsTable(lines)) {
            block = takeTable(lines);
        } else if (itemOf(line, &marker) > 0) {
            block = takeItem(lines, into);
        } else {
            // Further paragraphs of an item stay under it.
            const int column = columnsBefore(line);
            block.text = parseInline(takeParagraph(lines));
            if (column >= 2 && !into.isEmpty()
                && (into.last().kind == BlockKind::Item
                    || (into.last().kind == BlockKind::Paragraph && into.last().level > 0)))
                block.level =
                    into.last().kind == BlockKind::Item ? into.last().level + 1 : into.last().level;
        }
        block.from = start;
        block.quotes = quotes;
        into.append(block);
    }
}

} // namespace

bool isCodeCut(const QString &code)
{
    qsizetype lines = 0;
    for (qsizetype from = 0; from <= code.size(); ++lines) {
        qsizetype end = code.indexOf(QLatin1Char('\n'), from);
        if (end < 0)
            end = code.size();
        if (lines >= kMostCodeLines || end - from > kLongestCodeLine)
            return true;
        from = end + 1;
    }
    return false;
}

bool MarkdownBlock::isLike(const MarkdownBlock &other) const
{
    return kind == other.kind && from == other.from && level == other.level
        && column == other.column && marker == other.marker && quotes == other.quotes
        && text == other.text && language == other.language && code == other.code
        && aligns == other.aligns && rows == other.rows;
}

void Markdown::clear()
{
    m_text.clear();
    m_blocks.clear();
    m_nextId = 0;
    ++m_version;
}

void Markdown::setText(const QString &text)
{
    if (text == m_text)
        return;
    const bool grows = text.size() > m_text.size() && text.startsWith(m_text);
    const qsizetype from = grows ? lastRun() : 0;
    m_text = text;
    parseFrom(from);
}

void Markdown::setWhole(const QString &text)
{
    m_text = text;
    parseFrom(0);
}

//! Where the last blocks begin between which there is no blank line: what is added may make one
//! of them out of two ("para\n-" is an item below it, "para\n-x" one paragraph).
qsizetype Markdown::lastRun() const
{
    for (auto it = m_blocks.crbegin(); it != m_blocks.crend(); ++it) {
        const QStringView before = QStringView(m_text).left(it->from);
        if (before.isEmpty())
            return 0;
        // The line in front of it, without its end.
        const QStringView ended = before.chopped(1);
        if (isBlank(ended.sliced(ended.lastIndexOf(QLatin1Char('\n')) + 1)))
            return it->from;
    }
    return 0;
}

void Markdown::parseFrom(qsizetype offset)
{
    ++m_version;
    QList<Block> before;
    while (!m_blocks.isEmpty() && m_blocks.last().from >= offset)
        before.prepend(m_blocks.takeLast());
    const qsizetype kept = m_blocks.size();
    parseBlocks(m_text, offset, 0, m_blocks);
    for (qsizetype i = kept; i < m_blocks.size(); ++i) {
        const qsizetype old = i - kept;
        // What has not changed is not laid out again.
        const bool same = old < before.size() && before[old].isLike(m_blocks[i]);
        m_blocks[i].id = same ? before[old].id : ++m_nextId;
    }
}

QString Markdown::plainText() const
{
    QString text;
    for (qsizetype i = 0; i < m_blocks.size(); ++i) {
        const Block &block = m_blocks[i];
        if (i > 0)
            text += block.kind == BlockKind::Item && m_blocks[i - 1].kind == BlockKind::Item
                ? QStringLiteral("\n")
                : QStringLiteral("\n\n");
        switch (block.kind) {
        case BlockKind::Paragraph:
        case BlockKind::Heading:
            text += block.text.text;
            break;
        case BlockKind::Item:
            text += QString(block.level * 2, u' ') + block.marker + u' ' + block.text.text;
            break;
        case BlockKind::Code:
            text += block.code;
            break;
        case BlockKind::Rule:
            text += QStringLiteral("———");
            break;
        case BlockKind::Table:
            for (qsizetype r = 0; r < block.rows.size(); ++r) {
                QStringList cells;
                for (const MarkdownText &cell : block.rows[r])
                    cells.append(cell.text);
                text += (r > 0 ? QStringLiteral("\n") : QString()) + cells.join(u'\t');
            }
            break;
        }
    }
    return text;
}

} // namespace berth::ui
