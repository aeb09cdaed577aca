// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sample_history.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace berth::ui {

namespace {

template <typename T>
float valueOrGap(const std::optional<T> &value)
{
    return value ? static_cast<float>(*value) : std::numeric_limits<float>::quiet_NaN();
}

} // namespace

void SampleHistory::append(const domain::ResourceSample &sample)
{
    if (!sample.at.isValid())
        return;
    const qint64 at = sample.at.toMSecsSinceEpoch();
    if (!m_points.isEmpty() && at <= m_points.last().at)
        return;
    if (m_points.size() >= kCapacity)
        m_points.removeFirst();
    m_points.append(
        Point{at,
              {valueOrGap(sample.cpuCores), valueOrGap(sample.memoryBytes),
               valueOrGap(sample.diskBytes), valueOrGap(sample.networkReceiveBytesPerSecond),
               valueOrGap(sample.networkSendBytesPerSecond)}});
}

void SampleHistory::clear()
{
    m_points.clear();
}

qint64 SampleHistory::firstMs() const
{
    return m_points.isEmpty() ? 0 : m_points.first().at;
}

qint64 SampleHistory::lastMs() const
{
    return m_points.isEmpty() ? 0 : m_points.last().at;
}

QList<SampleHistory::Point>::const_iterator SampleHistory::from(qint64 ms) const
{
    return std::lower_bound(m_points.cbegin(), m_points.cend(), ms,
                            [](const Point &point, qint64 at) { return point.at < at; });
}

QList<SampleHistory::Segment> SampleHistory::segments(Metric metric, qint64 fromMs,
                                                      qint64 toMs) const
{
    const auto column = static_cast<std::size_t>(metric);
    QList<Segment> found;
    bool open = false;
    qint64 before = 0;
    for (auto it = from(fromMs); it != m_points.cend() && it->at <= toMs; ++it) {
        const float value = it->values[column];
        if (std::isnan(value)) {
            open = false;
            continue;
        }
        if (!open || it->at - before > kGapMs)
            found.append(Segment());
        found.last().append(QPointF(static_cast<qreal>(it->at), static_cast<qreal>(value)));
        open = true;
        before = it->at;
    }
    return found;
}

std::optional<double> SampleHistory::valueNear(Metric metric, qint64 atMs) const
{
    const auto column = static_cast<std::size_t>(metric);
    auto after = from(atMs);
    const Point *best = nullptr;
    if (after != m_points.cend())
        best = &*after;
    if (after != m_points.cbegin()) {
        const Point &before = *(after - 1);
        if (!best || atMs - before.at < best->at - atMs)
            best = &before;
    }
    if (!best || std::abs(best->at - atMs) > kGapMs || std::isnan(best->values[column]))
        return std::nullopt;
    return static_cast<double>(best->values[column]);
}

std::optional<double> SampleHistory::mean(Metric metric, qint64 fromMs, qint64 toMs) const
{
    const auto column = static_cast<std::size_t>(metric);
    double sum = 0;
    int count = 0;
    for (auto it = from(fromMs); it != m_points.cend() && it->at < toMs; ++it) {
        if (std::isnan(it->values[column]))
            continue;
        sum += static_cast<double>(it->values[column]);
        ++count;
    }
    return count ? std::optional(sum / count) : std::nullopt;
}

} // namespace berth::ui
