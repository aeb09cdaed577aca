// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/threads/model_output.h"

#include "application/threads/output_log.h"

#include <QtCore/QList>

#include <algorithm>
#include <array>
#include <functional>

namespace berth::application {

namespace {

constexpr qint64 kFewestCharacters = 256;
//! Kept free for the line between head and tail and the one at the end.
constexpr qint64 kMarks = 160;
//! Bytes looked at for one character of the answer: colours and progress bars take many.
constexpr qint64 kBytesPerCharacter = 8;
//! More than this much of a sample being neither text nor a terminal's controls is binary.
constexpr qint64 kStrangeOfHundred = 10;
constexpr qint64 kStrangeAtLeast = 8;

struct BinaryType
{
    qint64 at;
    QByteArrayView magic;
    const char *name;
};

const std::array kBinaryTypes{
    BinaryType{0, "\x89PNG\r\n", "a PNG image"},
    BinaryType{0, "\xff\xd8\xff", "a JPEG image"},
    BinaryType{0, "GIF8", "a GIF image"},
    BinaryType{8, "WEBP", "a WebP image"},
    BinaryType{0,
               "\x7f"
               "ELF",
               "an ELF program"},
    BinaryType{0, "%PDF-", "a PDF document"},
    BinaryType{0, "PK\x03\x04", "a ZIP archive"},
    BinaryType{0, "\x1f\x8b", "gzip data"},
    BinaryType{0,
               "\xfd"
               "7zXZ",
               "xz data"},
    BinaryType{0, "\x28\xb5\x2f\xfd", "zstd data"},
    BinaryType{0, "BZh", "bzip2 data"},
    BinaryType{257, "ustar", "a tar archive"},
    BinaryType{0, "SQLite format 3", "an SQLite database"},
    BinaryType{0, "\xff\xfe", "UTF-16 text"},
    BinaryType{0, "\xfe\xff", "UTF-16 text"},
};

//! Bytes of the valid UTF-8 sequence at \a at; 0: there is none.
qsizetype sequenceLength(QByteArrayView bytes, qsizetype at)
{
    const auto byte = [&](qsizetype i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned char first = byte(at);
    if (first < 0x80)
        return 1;
    qsizetype length = 0;
    if (first >= 0xc2 && first <= 0xdf)
        length = 2;
    else if ((first & 0xf0) == 0xe0)
        length = 3;
    else if (first >= 0xf0 && first <= 0xf4)
        length = 4;
    if (length == 0 || at + length > bytes.size())
        return 0;
    for (qsizetype i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xc0) != 0x80)
            return 0;
    }
    return length;
}

bool isBinary(QByteArrayView bytes)
{
    qint64 strange = 0;
    for (qsizetype at = 0; at < bytes.size();) {
        const auto byte = static_cast<unsigned char>(bytes[at]);
        const qsizetype length = sequenceLength(bytes, at);
        // Bell, backspace, tab, line feed, vertical tab, form feed, return, escape.
        const bool control = (byte < 0x20 && !(byte >= 7 && byte <= 13) && byte != 0x1b);
        strange += (control || length == 0) ? 1 : 0;
        at += std::max<qsizetype>(1, length);
    }
    return strange >= kStrangeAtLeast && strange * 100 > bytes.size() * kStrangeOfHundred;
}

QString binaryName(QByteArrayView head)
{
    for (const BinaryType &type : kBinaryTypes) {
        if (head.size() >= type.at + type.magic.size()
            && head.sliced(type.at, type.magic.size()) == type.magic)
            return QString::fromLatin1(type.name);
    }
    return QStringLiteral("binary data");
}

//! Behind the control sequence whose ESC is at \a at.
qsizetype behindEscape(const QString &text, qsizetype at)
{
    const qsizetype size = text.size();
    qsizetype next = at + 1;
    if (next >= size)
        return size;
    const char16_t kind = text.at(next++).unicode();
    if (kind == u'[') {
        while (next < size && (text.at(next) < u'@' || text.at(next) > u'~'))
            ++next;
        return std::min(next + 1, size);
    }
    if (kind == u']' || kind == u'P' || kind == u'X' || kind == u'^' || kind == u'_') {
        for (; next < size; ++next) {
            if (text.at(next) == QChar(7))
                return next + 1;
            if (text.at(next) == QChar(0x1b))
                return std::min(next + 2, size);
        }
        return size;
    }
    // A charset or the like: intermediates, then one final.
    if (kind >= 0x20 && kind <= 0x2f) {
        while (next < size && text.at(next) >= u' ' && text.at(next) <= u'/')
            ++next;
        return std::min(next + 1, size);
    }
    return next;
}

void cutBehind(QString &text, qint64 most)
{
    if (text.size() <= most)
        return;
    const qint64 whole = text.size();
    const bool splitsPair = most > 0 && text.at(most - 1).isHighSurrogate();
    text.truncate(splitsPair ? most - 1 : most);
    text += QStringLiteral("… [+%1 characters]").arg(whole - text.size());
}

//! One line without its line feed as a reader of the terminal would have it at the end.
QString readable(QByteArrayView raw, qint64 most)
{
    const QString text = QString::fromUtf8(raw);
    QString line;
    // A return begins the line anew, but only when something follows it.
    bool returned = false;
    for (qsizetype at = 0; at < text.size();) {
        const QChar c = text.at(at);
        if (c == QChar(0x1b)) {
            at = behindEscape(text, at);
            continue;
        }
        ++at;
        if (c == u'\r') {
            returned = true;
            continue;
        }
        if (c == u'\b') {
            line.chop(line.isEmpty() ? 0 : 1);
            continue;
        }
        const bool dropped = (c < u' ' && c != u'\t' && !c.isNull()) || c == QChar(0x7f);
        if (dropped)
            continue;
        if (returned) {
            line.clear();
            returned = false;
        }
        line += c.isNull() ? QChar(0x2400) : c;
    }
    cutBehind(line, most);
    return line;
}

struct Line
{
    QString text;
    //! Where it begins and where the next one does, in the whole output.
    qint64 begin = 0;
    qint64 end = 0;
    bool fed = false;

    [[nodiscard]] qint64 size() const { return text.size() + (fed ? 1 : 0); }
};

//! What is looked at of an output: its beginning and its end, or all of it as the beginning.
struct Windows
{
    QByteArrayView head;
    QByteArrayView tail;
    qint64 size = 0;
    //! Line feeds between two offsets; negative: not known.
    std::function<qint64(qint64, qint64)> lineFeeds;

    [[nodiscard]] bool isWhole() const { return head.size() == size; }
    [[nodiscard]] qint64 tailStart() const { return isWhole() ? 0 : size - tail.size(); }
    [[nodiscard]] QByteArrayView end() const { return isWhole() ? head : tail; }
};

//! Lines from the front, as long as they fit into \a most characters. The last one of a window
//! that goes on behind it is only taken when there is no other.
QList<Line> linesFromFront(const Windows &all, qint64 most, qint64 lineCharacters)
{
    QList<Line> lines;
    const QByteArrayView bytes = all.head;
    qint64 used = 0;
    for (qsizetype at = 0; at < bytes.size();) {
        const qsizetype feed = bytes.indexOf('\n', at);
        const qsizetype end = feed < 0 ? bytes.size() : feed;
        if (feed < 0 && !all.isWhole() && !lines.isEmpty())
            break;
        Line line{readable(bytes.sliced(at, end - at), lineCharacters), at,
                  feed < 0 ? end : feed + 1, feed >= 0};
        used += line.size();
        if (used > most)
            break;
        at = line.end;
        lines << std::move(line);
    }
    return lines;
}

//! The same from the back, in the order of the output, and not before \a from.
QList<Line> linesFromBack(const Windows &all, qint64 from, qint64 most, qint64 lineCharacters)
{
    QList<Line> lines;
    const qint64 start = all.tailStart();
    const QByteArrayView bytes = all.end();
    qint64 used = 0;
    const qsizetype first = std::max<qint64>(0, from - start);
    for (qsizetype end = bytes.size(); end > first;) {
        const bool fed = bytes[end - 1] == '\n';
        const qsizetype textEnd = fed ? end - 1 : end;
        const QByteArrayView before = bytes.first(textEnd);
        const qsizetype feed = textEnd == 0 ? -1 : before.lastIndexOf('\n');
        const qsizetype begin = std::max(first, feed + 1);
        if (begin == 0 && start > 0 && !lines.isEmpty())
            break;
        Line line{readable(bytes.sliced(begin, textEnd - begin), lineCharacters), start + begin,
                  start + end, fed};
        used += line.size();
        if (used > most)
            break;
        end = begin;
        lines.prepend(std::move(line));
    }
    return lines;
}

QString joined(const QList<Line> &lines)
{
    QString text;
    for (const Line &line : lines) {
        text += line.text;
        if (line.fed)
            text += u'\n';
    }
    return text;
}

QString leftOut(qint64 bytes, qint64 lineFeeds)
{
    if (lineFeeds < 0)
        return QStringLiteral("[... %1 bytes left out ...]\n").arg(bytes);
    const qint64 lines = std::max<qint64>(1, lineFeeds);
    return QStringLiteral("[... %1 bytes in %2 %3 left out ...]\n")
        .arg(bytes)
        .arg(lines)
        .arg(lines == 1 ? QLatin1String("line") : QLatin1String("lines"));
}

QString shortened(const Windows &all, qint64 characters, qint64 lineCharacters)
{
    const qint64 head = characters * 6 / 10;
    // A line must fit into either part, so that there is always something of both.
    const qint64 tail = characters - head;
    const qint64 longest = std::min(lineCharacters, std::max<qint64>(16, tail - 40));
    const QList<Line> first = linesFromFront(all, head, longest);
    const qint64 from = first.isEmpty() ? 0 : first.constLast().end;
    const bool tailIsBinary = !all.isWhole() && isBinary(all.tail);
    QList<Line> last;
    if (!tailIsBinary)
        last = linesFromBack(all, from, tail, longest);
    const qint64 until = last.isEmpty() ? all.size : last.constFirst().begin;
    QString text = joined(first);
    if (!first.isEmpty() && !first.constLast().fed)
        text += u'\n';
    if (tailIsBinary)
        return text + QStringLiteral("[then %1 bytes that end as binary data]").arg(until - from);
    if (until > from)
        text += leftOut(until - from, all.lineFeeds(from, until));
    return text + joined(last);
}

QString rendered(const Windows &all, qint64 lost, ModelOutputLimits limits)
{
    if (all.size == 0 && lost <= 0)
        return QStringLiteral("(no output)");
    const qint64 most = std::max(kFewestCharacters, limits.characters);
    const qint64 longest = std::max<qint64>(1, limits.lineCharacters);
    QString text;
    if (isBinary(all.head)) {
        text = QStringLiteral("(%1, %2 bytes)").arg(binaryName(all.head)).arg(all.size);
    } else {
        bool fits = false;
        if (all.isWhole()) {
            const QList<Line> lines = linesFromFront(all, lost > 0 ? most - kMarks : most, longest);
            fits = !lines.isEmpty() && lines.constLast().end == all.size;
            if (fits)
                text = joined(lines);
        }
        if (!fits)
            text = shortened(all, most - kMarks, longest);
        if (text.isEmpty() && lost <= 0)
            return QStringLiteral("(no output)");
    }
    if (lost > 0) {
        if (!text.isEmpty() && !text.endsWith(u'\n'))
            text += u'\n';
        text += QStringLiteral("[%1 more bytes could not be stored]").arg(lost);
    }
    return text;
}

qint64 windowOf(const ModelOutputLimits &limits)
{
    return std::max(kFewestCharacters, limits.characters) * kBytesPerCharacter;
}

} // namespace

QString modelOutput(QByteArrayView bytes, ModelOutputLimits limits)
{
    const qint64 window = windowOf(limits);
    Windows all;
    all.size = bytes.size();
    const bool whole = all.size <= 2 * window;
    all.head = whole ? bytes : bytes.first(window);
    all.tail = whole ? QByteArrayView() : bytes.last(window);
    all.lineFeeds = [bytes](qint64 from, qint64 until) {
        return std::count(bytes.begin() + from, bytes.begin() + until, '\n');
    };
    return rendered(all, 0, limits);
}

QString modelOutputOfFile(const QString &path, qint64 total, ModelOutputLimits limits)
{
    const qint64 window = windowOf(limits);
    const domain::Result<QByteArray> first = OutputLog::bytesAt(path, 0, 2 * window);
    if (!first)
        return QStringLiteral("(%1)").arg(first.error().message);
    // Less than asked for is all there was; what a running command adds meanwhile is not looked at.
    const qint64 size = first->size() < 2 * window
        ? first->size()
        : std::max<qint64>(first->size(), OutputLog::sizeOf(path));
    Windows all;
    all.size = size;
    QByteArray last;
    if (size > first->size()) {
        const domain::Result<QByteArray> read = OutputLog::bytesAt(path, size - window, window);
        if (!read)
            return QStringLiteral("(%1)").arg(read.error().message);
        last = *read;
        all.head = QByteArrayView(*first).first(window);
        all.tail = last;
    } else {
        all.head = *first;
    }
    all.lineFeeds = [path](qint64 from, qint64 until) {
        return OutputLog::lineFeedsBetween(path, from, until);
    };
    return rendered(all, total - size, limits);
}

} // namespace berth::application
