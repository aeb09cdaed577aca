// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"
#include "async/scope.h"
#include "providers/docker/client.h"

#include <chrono>
#include <optional>
#include <vector>

namespace berth::docker {

//! What one container uses, from the engine's own stream of samples. The stream is open only while
//! somebody asks: an engine samples every second for each open stream, and a single sample takes
//! one to two seconds.
class StatsWatch : public std::enable_shared_from_this<StatsWatch>
{
public:
    //! \a former: the ended watch of the same container, whose last reading makes the first new one
    //! tell rates at once; may be null.
    StatsWatch(EnginePtr engine, QString id, const StatsWatch *former);

    //! Starts reading; \a scope owns the coroutine.
    void start(async::Scope &scope);
    //! NotFound once the engine said so; Unavailable when the stream ended before its first value:
    //! the container has stopped, or the engine went away.
    domain::Async<domain::ResourceSample> sample(std::stop_token stop);
    //! No longer of use: the stream ended, or nobody has asked for long.
    [[nodiscard]] bool isEnded() const { return m_ended; }

private:
    using Clock = std::chrono::steady_clock;

    static domain::Async<domain::ResourceSample> sampleOf(std::shared_ptr<StatsWatch> self,
                                                          std::stop_token stop);
    static async::Task<void> run(std::shared_ptr<StatsWatch> self, std::stop_token stop);
    static async::Task<void> askOften(std::shared_ptr<StatsWatch> self, std::stop_token stop);
    static async::Task<void> measureDisk(std::shared_ptr<StatsWatch> self, std::stop_token stop);
    //! False: the container does not run any more.
    bool takeAll(const QList<QByteArray> &lines);
    void wake();

    EnginePtr m_engine;
    QString m_id;
    std::optional<StatsReading> m_before;
    std::optional<StatsReading> m_latest;
    std::optional<domain::Error> m_error;
    std::optional<double> m_cpuLimit;
    std::optional<qint64> m_disk;
    Clock::time_point m_asked = Clock::now();
    std::vector<async::Completion<bool>> m_waiting;
    bool m_ended = false;
};

} // namespace berth::docker
