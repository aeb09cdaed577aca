// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "ui/conversation/markdown_paint.h"
#include "ui/conversation/output_paint.h"
#include "ui/models/conversation_model.h"
#include "ui/models/runtime_text.h"

#include <QtCore/QCache>
#include <QtCore/QHash>
#include <QtWidgets/QStyledItemDelegate>

namespace berth::ui {

//! Paints messages and tool calls, and says what lies where.
class ConversationDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    //! Link, CopyCode and Picture are within an agent's message; see hitAt().
    enum class Part { None, Header, ShowAll, Copy, Reasoning, Link, CopyCode, Picture };
    static constexpr int kMaxRows = 12;
    //! Of a result or change that is shown in full.
    static constexpr int kMostRows = 400;

    explicit ConversationDelegate(QObject *parent = nullptr);

    //! Of the viewport, and of the whole view, in whose middle the column stands.
    void setWidth(int width, int whole);
    //! Fonts, colours or the column's width changed.
    void forget();
    //! That row is another one than before.
    void noteChanged(const QModelIndex &index);
    //! What the pointer is on, to be underlined. False: it was on that before.
    bool setHovered(const QModelIndex &index, Part part, const MarkdownBox::Hit &hit = {});
    //! For two seconds "Copied" stands in place of "Copy".
    void setCopied(const domain::ToolCallId &call, const QString &text);
    //! The same for a block of code in the row with that key; -1: none.
    void setCopiedCode(quint64 key, int block);

    //! Where pictures of the sandbox come from; without it there are none.
    void setPictures(PictureShelf *shelf) { m_pictures = shelf; }
    //! Path of the picture that a call has read; empty: none.
    [[nodiscard]] static QString pictureOf(const QModelIndex &index);

    //! What a search looks for is marked; empty: nothing.
    void setFound(const QString &text);
    //! Of row \a key text \a text of textsOf() has the match that is looked at, at \a at.
    void setFoundNow(quint64 key, qsizetype text, qsizetype at);
    //! All texts of a row that are seen, with their places relative to its shape.
    [[nodiscard]] QList<ShownText> textsOf(const QModelIndex &index) const;
    //! Text of a row that is folded away or shown in part.
    [[nodiscard]] QString foldedOf(const QModelIndex &index) const;
    //! The line of a match, relative to the row's shape.
    [[nodiscard]] QRect placeOf(const QModelIndex &index, qsizetype text, qsizetype at) const;

    //! What of an agent's message is at \a at.
    [[nodiscard]] MarkdownBox::Hit hitAt(const QModelIndex &index, const QRect &row,
                                         const QPoint &at) const;
    //! A result of which there is more, or less, to be shown: the words for that; empty: none.
    [[nodiscard]] QString moreOf(const QModelIndex &index) const;
    [[nodiscard]] QString codeOf(const QModelIndex &index, int block) const;
    //! For tests: how an agent's message is laid out.
    [[nodiscard]] const MarkdownBox &markdownOf(const QModelIndex &index) const;
    [[nodiscard]] Part partAt(const QModelIndex &index, const QRect &row, const QPoint &at) const;
    //! The card or bubble within \a row.
    [[nodiscard]] QRect shape(const QModelIndex &index, const QRect &row) const;
    [[nodiscard]] int heightOf(const QModelIndex &index) const;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option,
                                 const QModelIndex &index) const override;

private:
    //! A wrapped text; for bubbles, notes and whole commands.
    struct Words
    {
        std::unique_ptr<QTextLayout> layout;
        QSize size;
        //! Of the row, when it was laid out.
        int version = -1;
    };
    //! An agent's message: what it thought, folded; its text; what became of it.
    struct AgentBox
    {
        MarkdownBox text;
        QRect reasoningHead;
        std::unique_ptr<Words> reasoning;
        bool reasoningOpen = false;
        qsizetype reasoningSize = -1;
        int pictures = 0;
        bool asked = false;
        int textTop = 0;
        QString status;
        int statusTop = 0;
        int height = 0;
    };
    //! One tool call, laid out.
    struct CallBox
    {
        int version = -1;
        bool open = false;
        StateText outcome;
        int headerHeight = 0;
        std::unique_ptr<Words> command;
        std::unique_ptr<OutputBlock> output;
        //! The command in the head, for searches only.
        std::unique_ptr<Words> title;
        //! A picture in place of the output.
        QString picture;
        int pictures = 0;
        //! Memory and processor time.
        QString used;
        QString preparing;
        double fraction = -1;
        QString quiet;
        std::unique_ptr<Words> detail;
        bool detailIsError = false;
        QString hidden;
        bool hasCopy = false;
        bool hasShowAll = false;
        //! All is shown; the link takes it back.
        bool showsAll = false;
        int height = 0;
        // Relative to the card.
        QRect outputRect;
        QRect footer;
        QRect detailRect;
        QRect commandRect;
        QRect preparingRect;
        QRect pictureRect;
    };
    struct Geometry
    {
        int left = 0;
        int width = 0;
    };

    [[nodiscard]] Geometry column() const;
    [[nodiscard]] static std::unique_ptr<Words> words(const QString &text, const QFont &font,
                                                      int width, int maxRows);
    [[nodiscard]] const Words &textOf(const QModelIndex &index) const;
    [[nodiscard]] const AgentBox &agentOf(const QModelIndex &index) const;
    [[nodiscard]] CallBox &boxOf(const QModelIndex &index) const;
    void buildBox(CallBox &box, const QModelIndex &index) const;
    void buildDetail(CallBox &box, const application::ToolCallView &call, int inner, int &y) const;
    //! Of a tool whose result is at hand: a change or a text, from its beginning.
    void buildResult(CallBox &box, const application::ToolCallView &call, int inner,
                     bool expanded) const;
    [[nodiscard]] int contentHeight(const QModelIndex &index) const;
    void paintAgent(QPainter &painter, const QStyleOptionViewItem &option, const QModelIndex &index,
                    const QRect &area) const;
    void paintCall(QPainter &painter, const QStyleOptionViewItem &option, const QModelIndex &index,
                   const QRect &card) const;
    void paintHeader(QPainter &painter, const QRect &header, const application::ToolCallView &call,
                     const CallBox &box, const FoundMarks &marks, const Tokens &tokens) const;
    void paintFooter(QPainter &painter, const QModelIndex &index, const CallBox &box,
                     const QRect &card, const application::ToolCallView &call,
                     const Tokens &tokens) const;
    struct Links
    {
        QRect showAll;
        QRect copy;
    };
    [[nodiscard]] Links links(const CallBox &box, const QRect &card, const QString &copyText) const;
    [[nodiscard]] QString copyText(const domain::ToolCallId &call) const;
    [[nodiscard]] FoundMarks marksOf(const QModelIndex &index) const;
    [[nodiscard]] const QWidget *view() const;
    //! What of \a row can be seen.
    [[nodiscard]] QRectF seenOf(const QRect &row) const;

    int m_width = 0;
    int m_whole = 0;
    QPersistentModelIndex m_hovered;
    Part m_hoveredPart = Part::None;
    domain::ToolCallId m_copied;
    QString m_copiedText;
    MarkdownBox::Hit m_hoveredHit;
    quint64 m_copiedKey = 0;
    int m_copiedBlock = -1;
    PictureShelf *m_pictures = nullptr;
    QString m_found;
    quint64 m_foundKey = 0;
    qsizetype m_foundText = -1;
    qsizetype m_foundAt = -1;
    // By the row's key.
    mutable QCache<quint64, Words> m_texts{500};
    mutable QCache<quint64, CallBox> m_boxes{200};
    mutable QCache<quint64, AgentBox> m_agents{300};
    //! All rows are asked for their height at each change of one.
    mutable QHash<quint64, int> m_heights;
};

} // namespace berth::ui
