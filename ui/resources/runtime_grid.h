// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/resources/runtime_card.h"

#include <QtWidgets/QListView>

#include <functional>

namespace berth::ui {

//! Runtimes as cards in as many columns as fit, under a heading per provider. A QListView, so that
//! rows, selection and assistive technology work as in any list; only where a row stands is its
//! own.
class RuntimeGrid final : public QListView
{
    Q_OBJECT
public:
    explicit RuntimeGrid(QWidget *parent = nullptr);

    struct Heading
    {
        QString title;
        QString facts;
    };
    //! Words over the cards of a provider config.
    void setHeadings(std::function<Heading(const QString &config)> headings);
    void setGrouped(bool grouped);

    [[nodiscard]] RuntimeCardDelegate *cards() const { return m_cards; }
    [[nodiscard]] int columns() const { return m_columns; }
    //! Ids of the runtimes whose card can be seen, at least in part.
    [[nodiscard]] QStringList visibleRuntimes() const;
    //! All of it, without scrolling.
    [[nodiscard]] int contentHeight() const { return m_contentHeight; }
    [[nodiscard]] CardLayout layoutAt(const QModelIndex &index) const;

    [[nodiscard]] QRect visualRect(const QModelIndex &index) const override;
    void scrollTo(const QModelIndex &index, ScrollHint hint = EnsureVisible) override;
    [[nodiscard]] QModelIndex indexAt(const QPoint &point) const override;
    void doItemsLayout() override;

Q_SIGNALS:
    void openRequested(const QModelIndex &index);
    void partClicked(const QModelIndex &index, berth::ui::CardPart part);
    void menuRequested(const QModelIndex &index, const QPoint &globalPosition);
    void destroyRequested(const QModelIndex &index);
    //! The keyboard went to this card: the page scrolls it into sight.
    void seeRequested(const QModelIndex &index);
    //! Which cards can be seen may have changed.
    void viewChanged();

protected:
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    [[nodiscard]] int horizontalOffset() const override { return 0; }
    [[nodiscard]] int verticalOffset() const override;
    void setSelection(const QRect &rect, QItemSelectionModel::SelectionFlags flags) override;
    [[nodiscard]] QRegion visualRegionForSelection(const QItemSelection &selection) const override;
    void updateGeometries() override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void changeEvent(QEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;

private:
    struct Band
    {
        QRect rect;
        QString config;
    };
    void place();
    void hover(const QPoint &at);
    [[nodiscard]] CardPart partAt(const QModelIndex &index, const QPoint &at) const;

    RuntimeCardDelegate *m_cards;
    std::function<Heading(const QString &)> m_headings;
    bool m_grouped = true;
    //! In content coordinates, by row.
    QList<QRect> m_places;
    QList<Band> m_bands;
    int m_columns = 1;
    int m_contentHeight = 0;
    QPersistentModelIndex m_pressed;
    //! The ring of the current card is for those who came by keyboard.
    bool m_byKeyboard = false;
    CardPart m_pressedPart = CardPart::None;
};

} // namespace berth::ui
