// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/agentbay/core.h"

#include <QtCore/QElapsedTimer>

namespace berth::agentbay {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::HealthReport;
using domain::Result;
using domain::StepState;

namespace {

//! Keeps the steps for the report and tells each as it ends.
class StepsTold
{
public:
    explicit StepsTold(domain::StepSink sink) : m_sink(std::move(sink)) { m_clock.start(); }

    void add(const QString &name, StepState state, const QString &detail)
    {
        const domain::HealthStep step{name, state, detail,
                                      std::chrono::milliseconds(m_clock.restart())};
        report.steps.append(step);
        if (m_sink)
            m_sink(step);
    }
    void fail(const QString &name, const Error &error)
    {
        add(name, StepState::Failed,
            error.detail.isEmpty() ? error.message
                                   : error.message + QStringLiteral(". ") + error.detail);
        if (!report.error)
            report.error = error;
    }
    HealthReport done()
    {
        report.ok = !report.error.has_value();
        if (report.error)
            report.summary = report.error->message;
        return report;
    }

    HealthReport report;

private:
    domain::StepSink m_sink;
    QElapsedTimer m_clock;
};

} // namespace

Async<HealthReport> checkAccount(CorePtr core, domain::StepSink sink, std::stop_token stop)
{
    const auto steps = std::make_shared<StepsTold>(std::move(sink));
    const Result<SandboxSettings> settings = sandboxSettings(core->settings.values, {});
    if (settings)
        steps->add(QStringLiteral("Settings"), StepState::Ok, {});
    else
        steps->fail(QStringLiteral("Settings"), settings.error());
    const Result<ApiPtr> api = readyApi(core);
    if (!api) {
        const bool noKey = api.error().kind == ErrorKind::Unauthorized;
        steps->fail(noKey ? QStringLiteral("API key") : QStringLiteral("Gateway"), api.error());
        co_return steps->done();
    }
    steps->add(QStringLiteral("API key"), StepState::Ok,
               QStringLiteral("There is one: %1").arg((*api)->key.hint()));
    const Call call{"ListSession",
                    {{"Labels", "{}"}, {"MaxResults", "1"}},
                    QStringLiteral("Asking the gateway"),
                    true,
                    true};
    const Result<Answer> answer = co_await ask(*api, call, stop);
    if (!answer) {
        if (answer.error().kind == ErrorKind::Cancelled)
            co_return domain::failure(answer.error());
        const bool refused = answer.error().kind == ErrorKind::Unauthorized
            || answer.error().kind == ErrorKind::Forbidden;
        steps->fail(refused ? QStringLiteral("Key accepted") : QStringLiteral("Gateway"),
                    answer.error());
        co_return steps->done();
    }
    steps->add(QStringLiteral("Gateway"), StepState::Ok, (*api)->where.gateway);
    steps->add(QStringLiteral("Key accepted"), StepState::Ok, {});
    const QString noPause = core->noPause;
    steps->add(QStringLiteral("Pause and resume"),
               noPause.isEmpty() ? StepState::Skipped : StepState::Warning,
               noPause.isEmpty()
                   ? QStringLiteral("Whether the plan has them shows at the first pause")
                   : noPause);
    steps->report.summary = QStringLiteral("AgentBay at %1").arg((*api)->where.gateway);
    co_return steps->done();
}

} // namespace berth::agentbay
