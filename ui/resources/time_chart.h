// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/resources/series_paint.h"

#include <QtWidgets/QWidget>

#include <functional>

namespace berth::ui {

//! One metric of a runtime since the window opened, fifteen minutes at most: line, limit, times,
//! crosshair.
class TimeChart final : public QWidget
{
    Q_OBJECT
public:
    enum class Paint { Cpu, Memory, Disk, Receive, Send };
    struct Series
    {
        Metric metric = Metric::Cpu;
        Paint paint = Paint::Cpu;
        QString name;
    };

    //! \a format makes the words of a value.
    TimeChart(const QString &name, QList<Series> series, std::function<QString(double)> format,
              QWidget *parent = nullptr);

    void setHistory(const SampleHistory *history);
    //! A dashed line, and the top of the scale.
    void setLimit(std::optional<double> limit);
    //! Shown in the empty plot when nothing was measured.
    void setEmptyText(const QString &text);
    //! New samples, or a second has gone by.
    void refresh(qint64 nowMs);
    //! The same time in all charts of a sheet; nullopt: none.
    void setCrosshair(std::optional<qint64> atMs);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] TimeRange range() const { return m_range; }

Q_SIGNALS:
    void crosshairMoved(std::optional<qint64> atMs);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double top() const;
    [[nodiscard]] QColor colorOf(Paint paint) const;
    void paintTimes(QPainter &painter) const;
    void paintCrosshair(QPainter &painter) const;
    void describe();

    QString m_name;
    QList<Series> m_series;
    std::function<QString(double)> m_format;
    const SampleHistory *m_history = nullptr;
    std::optional<double> m_limit;
    QString m_emptyText;
    TimeRange m_range;
    std::optional<qint64> m_crosshair;
};

} // namespace berth::ui
