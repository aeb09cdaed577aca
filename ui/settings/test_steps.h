// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

#include <QtCore/QBasicTimer>
#include <QtCore/QElapsedTimer>
#include <QtWidgets/QWidget>

class QGridLayout;

namespace berth::ui {

class Label;

//! The steps of Test connection as they come: name, what was found, time, outcome in icon and word.
class TestSteps final : public QWidget
{
    Q_OBJECT
public:
    explicit TestSteps(QWidget *parent = nullptr);

    void start();
    void add(const domain::HealthStep &step);
    //! The last line, which counts the seconds, goes.
    void finish();
    void clear();
    [[nodiscard]] int count() const { return m_count; }
    [[nodiscard]] bool isRunning() const { return m_timer.isActive(); }

    //! "11 ms", "0.31 s".
    static QString durationText(qint64 milliseconds);

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    void updateElapsed();

    QGridLayout *m_grid;
    QWidget *m_running;
    Label *m_elapsed;
    QElapsedTimer m_clock;
    QBasicTimer m_timer;
    int m_count = 0;
};

} // namespace berth::ui
