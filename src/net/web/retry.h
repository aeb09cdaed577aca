// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/web/web_client.h"

#include <QtCore/QDateTime>

#include <functional>
#include <optional>

namespace berth::net {

//! What the server asks to wait, from whichever field says so: retry-after-ms, Retry-After in
//! seconds or as a date, X-RateLimit-Reset as seconds to go or since 1970. Never negative.
std::optional<std::chrono::milliseconds> retryAfter(const HttpHeaders &headers,
                                                    const QDateTime &now);
//! Likewise of an answer. When a limit begins anew counts only for 429: some tell it always.
std::optional<std::chrono::milliseconds> retryAfter(const HttpHead &head, const QDateTime &now);

struct RetryPolicy
{
    //! In all, the first included.
    int attempts = 4;
    //! Before the second attempt; doubled for each further one, with up to a quarter taken off at
    //! random.
    std::chrono::milliseconds first{500};
    //! Of one wait. A server that asks for more gets no further attempt.
    std::chrono::milliseconds cap{30000};
    //! From the first attempt to the begin of the last.
    std::chrono::milliseconds total{60000};
};

//! Time as the retries see it.
struct RetryClock
{
    std::function<QDateTime()> now;
    //! False when stop was requested first.
    std::function<async::Task<bool>(std::chrono::milliseconds, std::stop_token)> sleep;
    //! In [0, 1).
    std::function<double()> random;
};
RetryClock systemRetryClock();

//! Repeats after Timeout and Unavailable and after the statuses 408, 429, 500, 502, 503 and 504;
//! only what isIdempotent(), or what the caller knows to be so. The last answer or error is told as
//! it came.
domain::Async<HttpResponse> sendWithRetry(std::shared_ptr<WebClient> client, WebRequest request,
                                          RetryPolicy policy, std::stop_token stop);
domain::Async<HttpResponse> sendWithRetry(std::shared_ptr<WebClient> client, WebRequest request,
                                          RetryPolicy policy, RetryClock clock, bool idempotent,
                                          std::stop_token stop);

} // namespace berth::net
