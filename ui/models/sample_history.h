// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/resources/resource_sample.h"

#include <QtCore/QList>
#include <QtCore/QPointF>

#include <array>
#include <optional>

namespace berth::ui {

enum class Metric { Cpu, Memory, Disk, NetworkReceive, NetworkSend };
inline constexpr std::size_t kMetricCount = 5;

//! What was sampled of one runtime since the window opened, for charts: the newest samples, oldest
//! first out. A value that a sample lacks and a stretch without samples are gaps; nothing is filled
//! in.
class SampleHistory
{
public:
    //! Fifteen minutes at one a second.
    static constexpr qsizetype kCapacity = 900;
    //! Two samples further apart than this are not joined by a line.
    static constexpr qint64 kGapMs = 10'000;

    //! A sample that is not newer than the last one is ignored.
    void append(const domain::ResourceSample &sample);
    void clear();

    [[nodiscard]] bool isEmpty() const { return m_points.isEmpty(); }
    [[nodiscard]] qsizetype size() const { return m_points.size(); }
    [[nodiscard]] qint64 firstMs() const;
    [[nodiscard]] qint64 lastMs() const;

    using Segment = QList<QPointF>;
    //! Lines of a chart: x in ms since the epoch, y in the metric's unit, one list for each stretch
    //! without gap.
    [[nodiscard]] QList<Segment> segments(Metric metric, qint64 fromMs, qint64 toMs) const;
    //! The value at that time, for a crosshair: of the sample closest to it, within kGapMs.
    [[nodiscard]] std::optional<double> valueNear(Metric metric, qint64 atMs) const;
    //! Mean of the samples with fromMs <= time < toMs that have a value.
    [[nodiscard]] std::optional<double> mean(Metric metric, qint64 fromMs, qint64 toMs) const;

private:
    struct Point
    {
        qint64 at = 0;
        //! NaN: the sample does not say.
        std::array<float, kMetricCount> values{};
    };
    [[nodiscard]] QList<Point>::const_iterator from(qint64 ms) const;

    //! Removing from the front of a QList is cheap; it does not move the rest.
    QList<Point> m_points;
};

} // namespace berth::ui
