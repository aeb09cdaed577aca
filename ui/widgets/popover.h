// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtWidgets/QFrame>

class QVBoxLayout;

namespace berth::ui {

//! A panel with shadow over the page, closed by Esc or a click outside.
class Popover : public QFrame
{
    Q_OBJECT
public:
    //! Room around the panel for its shadow.
    static constexpr int kShadow = 16;

    explicit Popover(QWidget *parent = nullptr);

    //! Below \a anchor, or above it where there is more room.
    void openAt(QWidget *anchor);
    [[nodiscard]] QVBoxLayout *content() const { return m_content; }

Q_SIGNALS:
    void closed();

protected:
    void paintEvent(QPaintEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QVBoxLayout *m_content;
};

} // namespace berth::ui
