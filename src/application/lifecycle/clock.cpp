// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/lifecycle/clock.h"

#include "async/sleep.h"
#include "domain/text.h"

#include <algorithm>
#include <ctime>

namespace berth::application {

using std::chrono::milliseconds;

namespace {

//! Timers stand still while the machine sleeps: a long wait looks at the clock this often, so that
//! what fell due meanwhile comes soon after waking.
constexpr milliseconds kLongestNap{30'000};

} // namespace

Clock::~Clock() = default;

milliseconds SystemClock::now() const
{
    timespec time{};
    clock_gettime(CLOCK_BOOTTIME, &time);
    return std::chrono::duration_cast<milliseconds>(std::chrono::seconds(time.tv_sec)
                                                    + std::chrono::nanoseconds(time.tv_nsec));
}

QDateTime SystemClock::wall() const
{
    return domain::nowUtc();
}

async::Task<bool> SystemClock::sleepFor(milliseconds duration, std::stop_token stop)
{
    const milliseconds due = now() + duration;
    for (;;) {
        const milliseconds left = std::max(milliseconds(0), due - now());
        const bool elapsed = co_await async::sleepFor(std::min(left, kLongestNap), stop);
        if (!elapsed)
            co_return false;
        if (left <= kLongestNap)
            co_return true;
    }
}

} // namespace berth::application
