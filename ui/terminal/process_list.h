// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtWidgets/QListView>
#include <QtWidgets/QStyledItemDelegate>

namespace berth::ui {

class ProcessModel;

//! A row: title, facts, state, and at its end Stop or Remove.
class ProcessDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    explicit ProcessDelegate(QWidget *owner);

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option,
                                 const QModelIndex &index) const override;
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    //! Of Stop or Remove, within \a row.
    [[nodiscard]] static QRect actionRect(const QRect &row, bool mirrored);
    //! Under the pointer.
    void setHoveredAction(int row) { m_hovered = row; }

private:
    QWidget *m_owner;
    int m_hovered = -1;
};

//! Background commands of a sandbox. Return opens one, Delete removes one that has ended; the menu
//! has everything.
class ProcessList final : public QListView
{
    Q_OBJECT
public:
    explicit ProcessList(QWidget *parent = nullptr);

    void setProcesses(ProcessModel *model);
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void openRequested(const QString &process);
    void stopRequested(const QString &process);
    void removeRequested(const QString &process);

protected:
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void act(const QModelIndex &index);
    [[nodiscard]] QModelIndex actionAt(const QPoint &at) const;

    ProcessModel *m_processes = nullptr;
    ProcessDelegate *m_delegate;
    QPersistentModelIndex m_pressed;
};

} // namespace berth::ui
