// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QPointer>
#include <QtWidgets/QWidget>

class QHBoxLayout;
class QScrollArea;

namespace berth::ui {

//! A list, and beside it what one of its rows is made of. Where both do not fit, the panel takes
//! the list's place.
class ListAndPanel final : public QWidget
{
    Q_OBJECT
public:
    static constexpr int kPanelWidth = 480;

    explicit ListAndPanel(QWidget *list, QWidget *parent = nullptr);

    //! Takes \a panel over; the one before is deleted. nullptr: only the list.
    void setPanel(QWidget *panel);
    [[nodiscard]] QWidget *panel() const { return m_panel; }
    //! The panel stands in the list's place.
    [[nodiscard]] bool isNarrow() const;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void arrange();
    [[nodiscard]] int scaled(int pixels) const;

    QWidget *m_list;
    QScrollArea *m_area;
    QHBoxLayout *m_row;
    QPointer<QWidget> m_panel;
};

} // namespace berth::ui
