// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/agentbay/core.h"

#include "domain/provider/check_steps.h"

namespace berth::agentbay {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::HealthReport;
using domain::Result;
using domain::StepState;

Async<HealthReport> checkAccount(CorePtr core, domain::StepSink sink, std::stop_token stop)
{
    const auto steps = std::make_shared<domain::CheckSteps>(std::move(sink));
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
