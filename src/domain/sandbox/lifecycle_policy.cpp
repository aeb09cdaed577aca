// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/sandbox/lifecycle_policy.h"

namespace berth::domain {

namespace {

constexpr int kLongestIdleMinutes = 10080;

} // namespace

QString wireName(StartPolicy policy)
{
    switch (policy) {
    case StartPolicy::OnDemand:
        return QStringLiteral("ondemand");
    case StartPolicy::Session:
        return QStringLiteral("session");
    }
    return {};
}

std::optional<StartPolicy> startPolicyFromWire(QStringView name)
{
    for (const StartPolicy policy : {StartPolicy::OnDemand, StartPolicy::Session}) {
        if (name == wireName(policy))
            return policy;
    }
    return std::nullopt;
}

QString wireName(StopPolicy policy)
{
    switch (policy) {
    case StopPolicy::Idle:
        return QStringLiteral("idle");
    case StopPolicy::Session:
        return QStringLiteral("session");
    }
    return {};
}

std::optional<StopPolicy> stopPolicyFromWire(QStringView name)
{
    for (const StopPolicy policy : {StopPolicy::Idle, StopPolicy::Session}) {
        if (name == wireName(policy))
            return policy;
    }
    return std::nullopt;
}

LifecyclePolicy LifecycleOverride::over(LifecyclePolicy below) const
{
    below.start = start.value_or(below.start);
    below.stop = stop.value_or(below.stop);
    below.idleTimeoutMinutes = idleTimeoutMinutes.value_or(below.idleTimeoutMinutes);
    return below;
}

std::optional<QString> LifecycleOverride::problem() const
{
    if (idleTimeoutMinutes
        && (*idleTimeoutMinutes < 0 || *idleTimeoutMinutes > kLongestIdleMinutes))
        return QStringLiteral("The idle timeout is 0 (never) to %1 minutes (a week)")
            .arg(kLongestIdleMinutes);
    return std::nullopt;
}

} // namespace berth::domain
