// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/lifecycle/clock.h"
#include "domain/result.h"

#include <functional>
#include <memory>
#include <optional>

namespace berth::application {

struct BackoffLimits
{
    std::chrono::milliseconds first{200};
    std::chrono::milliseconds longest{5'000};
    //! Calls in all, the first one included.
    int attempts = 4;
    //! A provider that asks to wait longer than this is not waited for.
    std::chrono::milliseconds patience{30'000};
};

//! Waits that double, each drawn at random from the upper half of its span, so that many who failed
//! together do not come back together.
class Backoff
{
public:
    explicit Backoff(BackoffLimits limits = {});

    //! How long to wait before the next call; nullopt: give up. What the provider asked for
    //! (Retry-After) counts as the least.
    std::optional<std::chrono::milliseconds> next(
        const std::optional<std::chrono::seconds> &retryAfter = {});
    void reset() { m_failures = 0; }

private:
    BackoffLimits m_limits;
    int m_failures = 0;
};

//! The provider did not answer or asked to come back: the same call may work in a moment.
bool isWorthRetrying(const domain::Error &error);

//! Repeats an idempotent call. Never give it one that is not.
template <typename T>
domain::Async<T> retried(std::function<domain::Async<T>()> call, std::shared_ptr<Clock> clock,
                         std::stop_token stop, BackoffLimits limits = {})
{
    Backoff backoff(limits);
    for (;;) {
        domain::Result<T> result = co_await call();
        if (result || !isWorthRetrying(result.error()) || stop.stop_requested())
            co_return result;
        const std::optional<std::chrono::milliseconds> wait =
            backoff.next(result.error().retryAfter);
        if (!wait)
            co_return result;
        const bool waited = co_await clock->sleepFor(*wait, stop);
        if (!waited)
            co_return result;
    }
}

} // namespace berth::application
