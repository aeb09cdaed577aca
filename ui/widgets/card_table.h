// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QHash>
#include <QtWidgets/QTableView>

namespace berth::ui {

//! Beside the words of a cell, on each side.
constexpr int kCardCellPad = 12;

//! The header that a CardTable has, for a table that is laid out in its own way.
QHeaderView *makeCardHeader(QWidget *parent);

//! Rows inside a card: as tall as its rows while there is room. Columns share the width; those that
//! matter least go when it gets narrow.
class CardTable final : public QTableView
{
    Q_OBJECT
public:
    //! What a model says of a cell besides its text.
    enum Role {
        //! int of Tone and of Dot: the text is a chip.
        ToneRole = Qt::UserRole + 800,
        DotRole,
        //! int of TextRole, and of Ink.
        TextRoleRole,
        InkRole,
        //! bool: three dots that open a menu.
        MoreRole,
    };

    struct Rule
    {
        //! May be cut down to this; 0: never cut.
        int least = 0;
        //! Columns of a higher number go first; 0: stays.
        int expendable = 0;
    };

    explicit CardTable(const QString &name, QWidget *parent = nullptr);

    void setModel(QAbstractItemModel *model) override;
    void setRule(int column, Rule rule);
    [[nodiscard]] int rowHeight() const;
    //! Of the row that has the focus, or is under the pointer.
    [[nodiscard]] int hoveredRow() const { return m_hovered; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    //! By a click on the row, or Return.
    void chosen(const QModelIndex &index);
    //! By its three dots, a right click or the menu key; \a at is global.
    void menuWanted(const QModelIndex &index, const QPoint &at);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void fit();
    void rowsChanged();
    [[nodiscard]] int naturalWidth(int column) const;
    void hover(int row);

    QHash<int, Rule> m_rules;
    int m_hovered = -1;
};

} // namespace berth::ui
