// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/daytona/provider.h"

#include "domain/provider/check_steps.h"

namespace berth::daytona {

using domain::Async;
using domain::ErrorKind;
using domain::HealthReport;
using domain::HealthStep;
using domain::Result;
using domain::StepState;
using namespace std::chrono_literals;

namespace {

using StepsPtr = std::shared_ptr<domain::CheckSteps>;

//! Any answer means that it is reached; without the key, so that nothing is to be confirmed first.
Async<void> knock(CorePtr core, QUrl proxy, std::stop_token stop)
{
    const QUrl url = connectable(proxy);
    net::WebSettings settings;
    settings.origins = QStringList{net::originOf(url)};
    settings.proxy = core->access->proxy;
    settings.caFile = core->access->caFile;
    const auto client = std::make_shared<net::WebClient>(settings);
    net::WebRequest request;
    request.url = url;
    request.deadlines.firstByte = 10s;
    const Result<net::HttpResponse> answer = co_await client->send(request, stop);
    if (!answer)
        co_return domain::failure(answer.error());
    co_return Result<void>{};
}

//! One of ours that runs, to look into; nullopt: none does.
Async<std::optional<Sandbox>> runningOne(CorePtr core, ServicePtr api, std::stop_token stop)
{
    const Result<QList<Sandbox>> all = co_await listSandboxes(api, stop);
    if (!all)
        co_return domain::failure(all.error());
    for (const Sandbox &one : *all) {
        if (one.phase == Phase::Running && one.instance.labels.installation == core->installation)
            co_return std::optional<Sandbox>(one);
    }
    co_return std::optional<Sandbox>();
}

// The three things that a self-hosted Daytona has to have, each with its own step. Two of them show
// only in a sandbox that runs.
const QString kProxyStep = QStringLiteral("Proxy");
const QString kBridgeStep = QStringLiteral("Runner on a bridge network");
const QString kBashStep = QStringLiteral("bash at /usr/bin/bash");

void toldByASandbox(const StepsPtr &steps, const Result<net::ScriptResult> &result)
{
    const QString wanted = QStringLiteral(
        "The images of the runner and of the workspace both need bash at /usr/bin/bash");
    if (result) {
        steps->add(kBridgeStep, StepState::Ok, QStringLiteral("A sandbox answers"));
        if (result->code == 0)
            steps->add(kBashStep, StepState::Ok,
                       QStringLiteral("A sandbox has it, and the runner starts it"));
        else
            steps->add(kBashStep, StepState::Warning, wanted);
        return;
    }
    const domain::Error &error = result.error();
    if (error.detail.contains(QLatin1String("no IP address"), Qt::CaseInsensitive)) {
        steps->add(kBridgeStep, StepState::Warning,
                   QStringLiteral("The sandbox has no address (%1): the runner must be on a bridge "
                                  "network")
                       .arg(error.detail));
        steps->add(kBashStep, StepState::Skipped, wanted);
    } else if (error.detail.contains(QLatin1String("fork/exec"))) {
        steps->add(kBridgeStep, StepState::Ok, QStringLiteral("A sandbox answers"));
        steps->add(kBashStep, StepState::Warning, error.detail + QStringLiteral(". ") + wanted);
    } else {
        steps->add(kBridgeStep, StepState::Warning,
                   error.message + QStringLiteral(". ") + error.detail);
        steps->add(kBashStep, StepState::Skipped, wanted);
    }
}

Async<void> checkSelfHosted(CorePtr core, ServicePtr api, ServerFacts facts, StepsPtr steps,
                            std::stop_token stop)
{
    QUrl proxy = core->access->toolbox;
    if (proxy.isEmpty())
        proxy = QUrl(facts.toolbox, QUrl::StrictMode);
    if (net::originOf(proxy).isEmpty()) {
        steps->add(kProxyStep, StepState::Skipped,
                   QStringLiteral("The server does not say where its proxy is; the usual port is "
                                  "4000"));
    } else {
        const Result<void> reached = co_await knock(core, proxy, stop);
        const Result<void> allowed = mayAskToolbox(*core->access, proxy);
        if (!reached)
            steps->fail(
                kProxyStep,
                {ErrorKind::Unavailable,
                 QStringLiteral("Daytona's proxy does not answer at %1").arg(net::originOf(proxy)),
                 reached.error().message
                     + QStringLiteral(". Commands and files go through it; it must be "
                                      "reachable, usually on port 4000. If it has another "
                                      "address from here, set toolbox_url"),
                 {},
                 {}});
        else if (!allowed)
            steps->fail(kProxyStep, allowed.error());
        else
            steps->add(kProxyStep, StepState::Ok, net::originOf(proxy));
    }

    const Result<std::optional<Sandbox>> one = co_await runningOne(core, api, stop);
    if (!one || !*one) {
        const QString later =
            QStringLiteral("Seen when a sandbox runs; none of this Berth does at the moment. ");
        steps->add(kBridgeStep, StepState::Skipped,
                   later + QStringLiteral("The runner must be on a bridge network"));
        steps->add(kBashStep, StepState::Skipped,
                   later
                       + QStringLiteral("The images of the runner and of the workspace both need "
                                        "bash at /usr/bin/bash"));
        co_return Result<void>{};
    }
    const Result<ServicePtr> toolbox = co_await readyToolbox(core, **one, stop);
    if (!toolbox) {
        toldByASandbox(steps, domain::failure(toolbox.error()));
        co_return Result<void>{};
    }
    ToolboxRunner runner(*toolbox);
    net::ScriptRequest request;
    request.script = QByteArrayLiteral("[ -x /usr/bin/bash ]");
    request.timeout = 10s;
    const Result<net::ScriptResult> result = co_await runner.run(request, stop);
    toldByASandbox(steps, result);
    co_return Result<void>{};
}

} // namespace

Async<HealthReport> checkService(CorePtr core, domain::StepSink sink, std::stop_token stop)
{
    const auto steps = std::make_shared<domain::CheckSteps>(std::move(sink));
    const Result<SandboxSettings> settings = sandboxSettings(core->settings.values, {});
    if (settings)
        steps->add(QStringLiteral("Settings"), StepState::Ok, {});
    else
        steps->fail(QStringLiteral("Settings"), settings.error());
    const Result<ServicePtr> api = readyApi(core);
    if (!api) {
        steps->fail(QStringLiteral("API key"), api.error());
        steps->report.summary = api.error().message;
        co_return steps->done();
    }

    // Open to everybody; older servers do not have all of it.
    const Result<ServerFacts> facts = co_await getFacts(*api, stop);
    if (!facts && facts.error().kind == ErrorKind::Cancelled)
        co_return domain::failure(facts.error());
    const QString server = QStringLiteral("Server");
    if (facts && facts->inMaintenance)
        steps->add(server, StepState::Warning, QStringLiteral("It is under maintenance"));
    else if (facts)
        steps->add(server, StepState::Ok,
                   facts->version.isEmpty() ? core->access->apiOrigin()
                                            : QStringLiteral("Daytona %1 at %2")
                                                  .arg(facts->version, core->access->apiOrigin()));
    else if (facts.error().httpStatus)
        steps->add(server, StepState::Warning,
                   QStringLiteral("It does not tell about itself: %1. Does api_url end with /api?")
                       .arg(facts.error().detail));
    else
        steps->fail(server, facts.error());

    if (facts || facts.error().httpStatus) {
        const Result<SandboxPage> page = co_await probeList(*api, stop);
        if (!page && page.error().kind == ErrorKind::Cancelled)
            co_return domain::failure(page.error());
        if (page) {
            for (const Sandbox &one : page->items)
                core->see(one);
            steps->add(QStringLiteral("API key"), StepState::Ok,
                       QStringLiteral("It may list sandboxes; whether it may write and delete "
                                      "them shows at the first one"));
        } else {
            steps->fail(QStringLiteral("API key"), page.error());
        }
        if (page && !core->access->isHosted()) {
            const ServerFacts known = facts.value_or(ServerFacts());
            const Result<void> looked = co_await checkSelfHosted(core, *api, known, steps, stop);
            Q_UNUSED(looked)
        }
    }
    HealthReport &report = steps->report;
    report.ok = !report.error.has_value();
    report.summary = report.error
        ? report.error->message
        : QStringLiteral("Daytona%1 at %2")
              .arg(facts && !facts->version.isEmpty() ? QLatin1Char(' ') + facts->version
                                                      : QString(),
                   core->access->apiOrigin());
    co_return report;
}

} // namespace berth::daytona
