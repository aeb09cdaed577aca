// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/error.h"

#include <QtCore/QList>
#include <QtCore/QMetaType>
#include <QtCore/QString>

#include <chrono>
#include <functional>
#include <optional>

namespace berth::domain {

enum class StepState { Ok, Warning, Failed, Skipped };

//! One step of Test connection.
struct HealthStep
{
    QString name;
    StepState state = StepState::Ok;
    QString detail;
    std::chrono::milliseconds duration{0};
    bool operator==(const HealthStep &) const = default;
};

struct HealthReport
{
    QList<HealthStep> steps;
    bool ok = false;
    //! One line: "Engine 28.2 at /var/run/docker.sock".
    QString summary;
    //! What is wrong and what to do, when not ok.
    std::optional<Error> error;
};

using StepSink = std::function<void(const HealthStep &)>;

//! Progress of long work such as an image pull. \a fraction is 0..1, or below 0 when not known.
struct Progress
{
    QString what;
    double fraction = -1;
};
using ProgressSink = std::function<void(const Progress &)>;

} // namespace berth::domain
