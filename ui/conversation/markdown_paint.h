// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/conversation/markdown.h"
#include "ui/style/tokens.h"

#include <QtCore/QRect>
#include <QtGui/QTextLayout>

#include <memory>
#include <vector>

class QPainter;

namespace berth::ui {

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
        [[nodiscard]] bool isNothing() const { return target.isEmpty() && copy < 0; }
        bool operator==(const Hit &) const = default;
    };

    MarkdownBox();
    ~MarkdownBox();
    Q_DISABLE_COPY_MOVE(MarkdownBox)

    void update(const Markdown &text, int width, const Tokens &tokens);
    [[nodiscard]] int height() const { return m_height; }
    [[nodiscard]] int version() const { return m_version; }
    //! What is at \a at, relative to the box.
    [[nodiscard]] Hit hitAt(const QPoint &at) const;
    [[nodiscard]] QString codeOf(int block) const;
    //! Only what crosses \a clip. \a copied: the block of code that says so.
    void paint(QPainter &painter, const QPointF &at, const QRectF &clip, const Hit &hovered,
               int copied, const Tokens &tokens) const;
    //! Blocks laid out so far, for tests of what growing costs.
    [[nodiscard]] int layouts() const { return m_layouts; }

private:
    struct Row;
    struct Box;
    void build(Box &box, const MarkdownBlock &block, const Tokens &tokens);
    void buildCode(Box &box, const MarkdownBlock &block, const Tokens &tokens);
    void buildTable(Box &box, const MarkdownBlock &block, const Tokens &tokens);
    void paintCode(QPainter &painter, const Box &box, const QPointF &at, const QRectF &clip,
                   bool hovered, bool copied, const Tokens &tokens) const;
    static void paintCut(QPainter &painter, const Box &box, const QPointF &at,
                         const Tokens &tokens);
    void paintTable(QPainter &painter, const Box &box, const QPointF &at, const QRectF &clip,
                    const Hit &hovered, const Tokens &tokens) const;

    std::vector<std::unique_ptr<Box>> m_boxes;
    int m_width = 0;
    int m_height = 0;
    int m_version = -1;
    int m_layouts = 0;
};

} // namespace berth::ui
