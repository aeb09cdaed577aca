// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/health_run.h"

#include "cli/exit_codes.h"
#include "cli/human.h"
#include "cli/json_output.h"

namespace berth::cli {

using namespace application;
using domain::Result;

namespace {

QString markOf(domain::StepState state)
{
    switch (state) {
    case domain::StepState::Ok:
        return QStringLiteral("ok");
    case domain::StepState::Warning:
        return QStringLiteral("warning");
    case domain::StepState::Failed:
        return QStringLiteral("failed");
    case domain::StepState::Skipped:
        return QStringLiteral("skipped");
    }
    return {};
}

QString lineOf(const domain::HealthStep &step)
{
    QString text = QStringLiteral("%1 %2  %3")
                       .arg(markOf(step.state), -8)
                       .arg(humanDuration(step.duration), 8)
                       .arg(onOneLine(step.name));
    if (!step.detail.isEmpty())
        text += QStringLiteral(": ") + onOneLine(step.detail);
    return text + QLatin1Char('\n');
}

} // namespace

StepPrinter::StepPrinter(const Context &context) : m_context(context.get())
{
    connect(&context->client, &EngineClient::event, this, [this](const Event &event) {
        const auto *done = std::get_if<HealthStepDone>(&event.body);
        if (done && m_context->asked.contains(done->request))
            print(done->step);
    });
}

void StepPrinter::print(const domain::HealthStep &step)
{
    ++m_printed;
    if (!m_context->options.json)
        m_context->print(lineOf(step));
}

Result<int> StepPrinter::finish(const HealthView &health)
{
    for (qsizetype at = m_printed; at < health.steps.size(); ++at)
        print(health.steps[at]);
    const int code = health.ok
        ? 0
        : exitCodeOf(health.error ? health.error->kind : domain::ErrorKind::Unavailable);
    if (m_context->options.json) {
        m_context->streams.out.write(toJson(health) + '\n');
        return code;
    }
    if (health.ok) {
        m_context->print(QStringLiteral("%1 (%2)\n")
                             .arg(onOneLine(health.summary),
                                  humanDuration(std::chrono::milliseconds(health.durationMs))));
        return code;
    }
    if (health.error)
        return domain::failure(*health.error);
    m_context->note(onOneLine(health.summary));
    return code;
}

} // namespace berth::cli
