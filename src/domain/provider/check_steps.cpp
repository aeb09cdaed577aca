// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/provider/check_steps.h"

namespace berth::domain {

CheckSteps::CheckSteps(StepSink sink) : m_sink(std::move(sink))
{
    m_clock.start();
}

void CheckSteps::add(const HealthStep &step)
{
    report.steps.append(step);
    if (m_sink)
        m_sink(step);
    m_clock.restart();
}

void CheckSteps::add(const QString &name, StepState state, const QString &detail)
{
    add({name, state, detail, std::chrono::milliseconds(m_clock.elapsed())});
}

void CheckSteps::fail(const QString &name, const Error &error)
{
    add(name, StepState::Failed,
        error.detail.isEmpty() ? error.message
                               : error.message + QStringLiteral(". ") + error.detail);
    if (!report.error)
        report.error = error;
}

HealthReport CheckSteps::done()
{
    report.ok = !report.error.has_value();
    if (report.error)
        report.summary = report.error->message;
    return report;
}

} // namespace berth::domain
