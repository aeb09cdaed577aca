// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QList>
#include <QtCore/QMetaType>
#include <QtCore/QString>
#include <QtCore/QStringList>

namespace berth::ui {

//! Text with spans of emphasis, code and links.
struct MarkdownText
{
    enum Flag { Bold = 1, Italic = 2, Code = 4, Strike = 8, Link = 16, Picture = 32 };
    struct Span
    {
        qsizetype start = 0;
        qsizetype length = 0;
        int flags = 0;
        //! Of a link: where it goes.
        QString target;
        bool operator==(const Span &) const = default;
    };
    QString text;
    QList<Span> spans;
    bool operator==(const MarkdownText &) const = default;
};

struct MarkdownBlock
{
    enum class Kind { Paragraph, Heading, Item, Code, Table, Rule };
    enum class Align { Start, Center, End };
    Kind kind = Kind::Paragraph;
    //! The same as long as nothing of the block changes.
    quint64 id = 0;
    //! Where it begins in the source.
    qsizetype from = 0;
    //! Of a heading 1 to 6; of an item its depth from 0.
    int level = 0;
    //! Of an item: columns before its marker.
    int column = 0;
    //! "•", "3.", "☐", "☑".
    QString marker;
    //! How many quotes it is in.
    int quotes = 0;
    MarkdownText text;
    //! Of code: as given behind the fence; and the code itself.
    QString language;
    QString code;
    QList<Align> aligns;
    //! The first row is the head.
    QList<QList<MarkdownText>> rows;

    //! The same but for its id.
    [[nodiscard]] bool isLike(const MarkdownBlock &other) const;
};

//! What language models write, as blocks to be painted: headings, lists, tables, fenced code,
//! quotes, rules; inside them emphasis, code and links. HTML stays text, an image becomes a link
//! with its alternative text (what lies in the sandbox is shown below it), and nothing is ever
//! fetched from an address. Grows at its end: then only what stands
//! behind the last blank line between two blocks is parsed again.
class Markdown
{
public:
    //! As if it had been cleared before, unless \a text only adds to what is there.
    void setText(const QString &text);
    //! Parses all of it, however much was there before.
    void setWhole(const QString &text);
    void clear();
    [[nodiscard]] const QString &text() const { return m_text; }
    [[nodiscard]] const QList<MarkdownBlock> &blocks() const { return m_blocks; }
    //! Without marks, for the clipboard and assistive technology.
    [[nodiscard]] QString plainText() const;
    //! Grows with each change.
    [[nodiscard]] int version() const { return m_version; }
    //! Blocks that were new or became others since the last clear(), for tests of what growing
    //! costs.
    [[nodiscard]] quint64 parsed() const { return m_nextId; }

private:
    void parseFrom(qsizetype offset);
    [[nodiscard]] qsizetype lastRun() const;

    QString m_text;
    QList<MarkdownBlock> m_blocks;
    quint64 m_nextId = 0;
    int m_version = 0;
};

// More of a block is not laid out, and it says so.
inline constexpr qsizetype kMostCodeLines = 4000;
inline constexpr qsizetype kLongestCodeLine = 4000;
inline constexpr qsizetype kMostTableRows = 1000;
inline constexpr qsizetype kMostTableColumns = 24;

//! Something of that code is not seen.
bool isCodeCut(const QString &code);

//! One paragraph's inside.
MarkdownText parseInline(const QString &source);

} // namespace berth::ui

Q_DECLARE_METATYPE(const berth::ui::Markdown *)
