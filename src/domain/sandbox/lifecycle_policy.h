// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QString>

#include <optional>

namespace berth::domain {

//! "ondemand": at the first command; "session": as soon as somebody opens a thread to send.
enum class StartPolicy { OnDemand, Session };
//! "idle": after a time without work; "session": when the last session has ended.
enum class StopPolicy { Idle, Session };

QString wireName(StartPolicy policy);
std::optional<StartPolicy> startPolicyFromWire(QStringView name);
QString wireName(StopPolicy policy);
std::optional<StopPolicy> stopPolicyFromWire(QStringView name);

//! When a sandbox starts and stops by itself.
struct LifecyclePolicy
{
    StartPolicy start = StartPolicy::OnDemand;
    StopPolicy stop = StopPolicy::Idle;
    //! 1 to 10080 (a week); 0: never.
    int idleTimeoutMinutes = 30;
    bool operator==(const LifecyclePolicy &) const = default;
};

//! What one layer says of it.
struct LifecycleOverride
{
    std::optional<StartPolicy> start;
    std::optional<StopPolicy> stop;
    std::optional<int> idleTimeoutMinutes;

    [[nodiscard]] LifecyclePolicy over(LifecyclePolicy below) const;
    //! The sentence to show when a value is out of its bounds.
    [[nodiscard]] std::optional<QString> problem() const;
    bool operator==(const LifecycleOverride &) const = default;
};

} // namespace berth::domain
