// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/resources/resource_sample.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QList>

#include <chrono>

namespace berth::local {

struct ProcessTotals
{
    //! Of all processes in the tree, ended and waited-for children included.
    std::chrono::microseconds cpu{0};
    //! Anonymous memory: resident without what is shared with files.
    qint64 memoryBytes = 0;
    int processes = 0;
};

//! Sums over the tree below \a root, \a root not counted; nullopt when it is gone. Reads /proc of
//! this machine only: nothing inside the sandbox is asked.
std::optional<ProcessTotals> processTotals(qint64 root);

//! The direct children of \a pid.
QList<qint64> childProcesses(qint64 pid);

//! Makes samples of totals: the rate needs the sample before.
class ProcessMeter
{
public:
    [[nodiscard]] domain::ResourceSample sample(const ProcessTotals &totals);

private:
    QElapsedTimer m_clock;
    std::chrono::microseconds m_cpu{0};
    std::optional<double> m_cores;
};

} // namespace berth::local
