// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QDateTime>
#include <QtCore/QMetaType>

#include <optional>

namespace berth::domain {

//! One sample of a runtime. A missing value is unknown, never 0.
struct ResourceSample
{
    QDateTime at;
    //! Cores in use (1.5 = one and a half), averaged since the sample before; absent in a first
    //! sample.
    std::optional<double> cpuCores;
    std::optional<double> cpuLimitCores;
    //! Without page cache that could be dropped.
    std::optional<qint64> memoryBytes;
    std::optional<qint64> memoryLimitBytes;
    std::optional<qint64> diskBytes;
    std::optional<qint64> diskLimitBytes;
    std::optional<double> networkReceiveBytesPerSecond;
    std::optional<double> networkSendBytesPerSecond;
    std::optional<int> processes;

    bool operator==(const ResourceSample &) const = default;
};

} // namespace berth::domain

Q_DECLARE_METATYPE(berth::domain::ResourceSample)
