// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/task.h"

#include <QtCore/QDateTime>

#include <chrono>
#include <stop_token>

namespace berth::application {

//! The time that all timers of the lifecycle go by, so that tests can turn it.
class Clock
{
public:
    virtual ~Clock();

    //! Since some moment in the past; never goes back, and goes on while the machine sleeps.
    [[nodiscard]] virtual std::chrono::milliseconds now() const = 0;
    //! For records and for people.
    [[nodiscard]] virtual QDateTime wall() const = 0;
    //! Suspends for \a duration; false when \a stop was requested first.
    virtual async::Task<bool> sleepFor(std::chrono::milliseconds duration,
                                       std::stop_token stop) = 0;
};

class SystemClock final : public Clock
{
public:
    [[nodiscard]] std::chrono::milliseconds now() const override;
    [[nodiscard]] QDateTime wall() const override;
    async::Task<bool> sleepFor(std::chrono::milliseconds duration, std::stop_token stop) override;
};

} // namespace berth::application
