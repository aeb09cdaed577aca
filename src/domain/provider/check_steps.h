// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/health.h"

#include <QtCore/QElapsedTimer>

namespace berth::domain {

//! The steps of one Test connection: each is told as it ends, with its time since the one before,
//! and kept for the report.
class CheckSteps
{
public:
    explicit CheckSteps(StepSink sink);

    void add(const HealthStep &step);
    void add(const QString &name, StepState state, const QString &detail);
    //! The first error is the report's.
    void fail(const QString &name, const Error &error);
    //! The report as it stands: ok without an error, which else is its summary.
    [[nodiscard]] HealthReport done();

    HealthReport report;

private:
    StepSink m_sink;
    QElapsedTimer m_clock;
};

} // namespace berth::domain
