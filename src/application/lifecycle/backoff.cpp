// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/lifecycle/backoff.h"

#include <QtCore/QRandomGenerator>

#include <algorithm>

namespace berth::application {

using std::chrono::milliseconds;

Backoff::Backoff(BackoffLimits limits) : m_limits(limits) {}

std::optional<milliseconds> Backoff::next(const std::optional<std::chrono::seconds> &retryAfter)
{
    ++m_failures;
    if (m_limits.attempts > 0 && m_failures >= m_limits.attempts)
        return std::nullopt;
    milliseconds span = m_limits.first;
    for (int i = 1; i < m_failures && span < m_limits.longest; ++i)
        span *= 2;
    span = std::min(span, m_limits.longest);
    const double part = 0.5 + QRandomGenerator::global()->generateDouble() / 2;
    milliseconds wait(static_cast<qint64>(static_cast<double>(span.count()) * part));
    if (retryAfter) {
        if (*retryAfter > m_limits.patience)
            return std::nullopt;
        wait = std::max(wait, std::chrono::duration_cast<milliseconds>(*retryAfter));
    }
    return wait;
}

bool isWorthRetrying(const domain::Error &error)
{
    switch (error.kind) {
    case domain::ErrorKind::Unavailable:
    case domain::ErrorKind::RateLimited:
        return true;
    default:
        // A timeout has already cost all the patience that there was.
        return false;
    }
}

} // namespace berth::application
