// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/conversation/found_marks.h"
#include "ui/conversation/markdown.h"
#include "ui/conversation/picture_shelf.h"
#include "ui/style/tokens.h"

#include <QtCore/QRect>
#include <QtGui/QTextLayout>

#include <memory>
#include <vector>

class QPainter;

namespace berth::ui {

//! Whose pictures a row shows. Without a shelf there are none.
struct RowPictures
{
    PictureShelf *shelf = nullptr;
    quint64 row = 0;
    //! What is seen is asked for; not while the text that names it is being written.
    bool ask = false;
};

//! Within \a where, of the size that pictureSize() gives, or a line that says why not.
void paintPicture(QPainter &painter, const RowPictures &from, const QString &path,
                  const QRect &where, const QRectF &clip, bool hovered, const Tokens &tokens);

//! Markdown, laid out at a width and ready to be painted. Blocks that did not change keep their
//! layout, and so do lines of code: growing costs as much as the last block.
class MarkdownBox
{
public:
    struct Hit
    {
        //! Of a link; empty: none.
        QString target;
        //! Of "Copy" at a block of code; -1: none.
        int copy = -1;
        //! Path of a picture; empty: none.
        QString picture;
        bool operator==(const Hit &) const = default;
    };

    MarkdownBox();
    ~MarkdownBox();
    Q_DISABLE_COPY_MOVE(MarkdownBox)

    void update(const Markdown &text, int width, const Tokens &tokens,
                const RowPictures &pictures = {});
    [[nodiscard]] int height() const { return m_height; }
    [[nodiscard]] int version() const { return m_version; }
    //! What is at \a at, relative to the box.
    [[nodiscard]] Hit hitAt(const QPoint &at) const;
    [[nodiscard]] QString codeOf(int block) const;
    //! Only what crosses \a clip. \a copied: the block of code that says so.
    void paint(QPainter &painter, const QPointF &at, const QRectF &clip, const Hit &hovered,
               int copied, const FoundMarks &marks, const Tokens &tokens) const;
    //! Its texts in order, with the box at \a at.
    [[nodiscard]] QList<ShownText> texts(const QPointF &at) const;
    //! Blocks laid out so far, for tests of what growing costs.
    [[nodiscard]] int layouts() const { return m_layouts; }

private:
    struct Row;
    struct Box;
    void build(Box &box, const MarkdownBlock &block, const Tokens &tokens);
    void buildCode(Box &box, const MarkdownBlock &block, const Tokens &tokens);
    void buildTable(Box &box, const MarkdownBlock &block, const Tokens &tokens);
    void buildPictures(Box &box, const MarkdownBlock &block) const;
    void paintCode(QPainter &painter, const Box &box, const QPointF &at, const QRectF &clip,
                   bool hovered, bool copied, const FoundMarks &marks, const Tokens &tokens) const;
    static void paintCut(QPainter &painter, const Box &box, const QPointF &at,
                         const Tokens &tokens);
    void paintTable(QPainter &painter, const Box &box, const QPointF &at, const QRectF &clip,
                    const Hit &hovered, const FoundMarks &marks, const Tokens &tokens) const;

    std::vector<std::unique_ptr<Box>> m_boxes;
    int m_width = 0;
    int m_height = 0;
    int m_version = -1;
    RowPictures m_pictures;
    int m_pictureVersion = 0;
    int m_layouts = 0;
};

} // namespace berth::ui
