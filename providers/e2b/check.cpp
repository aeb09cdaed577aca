// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/e2b/core.h"

#include "domain/provider/check_steps.h"

#include <algorithm>

namespace berth::e2b {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::HealthReport;
using domain::HealthStep;
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
        steps->fail(noKey ? QStringLiteral("API key") : QStringLiteral("Address"), api.error());
        co_return steps->done();
    }
    // Where it was found, the form says.
    steps->add(QStringLiteral("API key"), StepState::Ok,
               QStringLiteral("There is one: %1").arg((*api)->key.hint()));

    const Result<void> reached = co_await pingApi(*api, stop);
    if (!reached) {
        if (reached.error().kind == ErrorKind::Cancelled)
            co_return domain::failure(reached.error());
        steps->fail(QStringLiteral("Address"), reached.error());
        co_return steps->done();
    }
    steps->add(QStringLiteral("Address"), StepState::Ok, (*api)->base);

    const Result<QList<Record>> all = co_await listSandboxes(*api, {}, stop);
    if (!all) {
        if (all.error().kind == ErrorKind::Cancelled)
            co_return domain::failure(all.error());
        const bool refused =
            all.error().kind == ErrorKind::Unauthorized || all.error().kind == ErrorKind::Forbidden;
        steps->fail(refused ? QStringLiteral("Key accepted") : QStringLiteral("List"), all.error());
        co_return steps->done();
    }
    steps->add(QStringLiteral("Key accepted"), StepState::Ok, {});
    const auto ours = std::count_if(all->begin(), all->end(), [&core](const Record &one) {
        return one.instance.labels.installation == core->installation;
    });
    steps->add(QStringLiteral("List"), StepState::Ok,
               QStringLiteral("%1 sandboxes, %2 of them of this Berth").arg(all->size()).arg(ours));

    if (settings) {
        const bool seen = std::any_of(all->begin(), all->end(), [&settings](const Record &one) {
            return one.instance.image == settings->templateName;
        });
        steps->add(QStringLiteral("Template %1").arg(settings->templateName),
                   seen ? StepState::Ok : StepState::Skipped,
                   seen ? QStringLiteral("A sandbox is made of it")
                        : QStringLiteral("E2B tells when the first sandbox is made"));
    }
    steps->report.summary = QStringLiteral("E2B at %1").arg((*api)->base);
    co_return steps->done();
}

} // namespace berth::e2b
