// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/provider.h"

#include "domain/provider/check_steps.h"
#include "guest/guest_binary.h"
#include "providers/docker/fit.h"

namespace berth::docker {

using domain::Async;
using domain::ErrorKind;
using domain::HealthReport;
using domain::HealthStep;
using domain::Result;
using domain::StepState;

Async<HealthReport> checkEngine(CorePtr core, domain::StepSink sink, std::stop_token stop)
{
    const auto steps = std::make_shared<domain::CheckSteps>(std::move(sink));
    const Result<SandboxSettings> settings = sandboxSettings(core->settings.values, {});
    if (settings)
        steps->add(QStringLiteral("Settings"), StepState::Ok, {});
    else
        steps->fail(QStringLiteral("Settings"), settings.error());

    // Named: GCC 12 destroys a lambda twice that is a temporary of a co_await expression.
    const domain::StepSink add = [steps](const HealthStep &step) { steps->add(step); };
    // Not in the call: GCC 12 mishandles a closure that is a temporary of an awaited expression.
    const domain::StepSink keep = [steps](const HealthStep &step) { steps->add(step); };
    const Result<EnginePtr> engine = co_await findEngine(core->endpoints(), keep, stop);
    if (!engine) {
        if (engine.error().kind == ErrorKind::Cancelled)
            co_return domain::failure(engine.error());
        if (!steps->report.error)
            steps->report.error = engine.error();
        steps->report.summary = engine.error().message;
        co_return steps->done();
    }
    if (core->engineId.isEmpty()) {
        core->engineId = (*engine)->facts.id;
        core->engine = *engine;
    }
    steps->report.summary =
        QStringLiteral("Engine %1 at %2").arg((*engine)->facts.version, (*engine)->address);

    if (settings) {
        QString architecture = (*engine)->facts.architecture;
        const QString name = QStringLiteral("Image %1").arg(settings->image);
        const Result<Image> image = co_await inspectImage(*engine, settings->image, stop);
        if (image) {
            architecture = image->architecture.isEmpty() ? architecture : image->architecture;
            steps->add(name, StepState::Ok,
                       QStringLiteral("The engine has it, for %1").arg(architecture));
        } else if (image.error().kind == ErrorKind::NotFound
                   && settings->pull != PullPolicy::Never) {
            steps->add(name, StepState::Warning,
                       QStringLiteral("Not here yet: the first sandbox will pull it"));
        } else {
            domain::Error error = image.error();
            if (error.kind == ErrorKind::NotFound) {
                error.kind = ErrorKind::InvalidInput;
                error.message = QStringLiteral(
                    "The engine does not have the image, and pulling is set to \"Never\"");
            }
            steps->fail(name, error);
        }
        if (guest::guestBinary(architecture).isEmpty())
            steps->fail(
                QStringLiteral("Runner"),
                {ErrorKind::Unsupported,
                 QStringLiteral("Berth has no runner for the architecture %1").arg(architecture),
                 QStringLiteral("Choose an image for x86-64"),
                 {},
                 {}});
        if (settings->network != Network::None) {
            const Result<QString> note = co_await networkNote(*engine, *settings, stop);
            if (!note)
                steps->fail(QStringLiteral("Network"), note.error());
            else if (note->isEmpty())
                steps->add(QStringLiteral("Network"), StepState::Ok,
                           QStringLiteral("The engine has it"));
            else
                steps->add(QStringLiteral("Network"), StepState::Warning, *note);
        }
        if (const Result<void> fits = cpusFit((*engine)->facts, *settings); !fits)
            steps->fail(QStringLiteral("CPUs"), fits.error());
        if (!settings->workspaceDir.isEmpty()) {
            const Result<QString> directory =
                chosenWorkspace(core, *engine, settings->workspaceDir);
            if (directory)
                steps->add(QStringLiteral("Workspace"), StepState::Ok, *directory);
            else
                steps->fail(QStringLiteral("Workspace"), directory.error());
        }
    }
    co_return steps->done();
}

} // namespace berth::docker
