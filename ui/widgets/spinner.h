// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QBasicTimer>
#include <QtWidgets/QWidget>

namespace berth::ui {

//! Something is under way. Turns only while it is seen.
class Spinner final : public QWidget
{
    Q_OBJECT
public:
    explicit Spinner(int size = 16, QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
    void timerEvent(QTimerEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QBasicTimer m_timer;
    int m_angle = 0;
};

} // namespace berth::ui
