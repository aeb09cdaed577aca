// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What this machine allows, decided in its own window only.
#include "application/engine/command_table.h"

#include <QtCore/QCoreApplication>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

Async<Nothing> perform(CommandContext context, AllowPassthrough command)
{
    if (context.source != wireName(ClientKind::Window))
        co_return failure(ErrorKind::Forbidden,
                          QStringLiteral("Only Berth's window on this machine can do that"),
                          QStringLiteral("It is \"Allow sandboxes without isolation\" in Settings, "
                                         "Sandbox. No command line, API, file, preset or import "
                                         "switches it on."));
    Engine::Services &services = context.services;
    const Result<void> stored = co_await services.engine.berth().allowPassthrough(command.allowed);
    if (!stored)
        co_return failure(stored.error());
    services.passthrough = command.allowed;
    services.providers.allowPassthrough(command.allowed);
    services.bus.publish(EngineChanged{engineView(services)});
    co_return Nothing{};
}

Async<SandboxView> perform(CommandContext context, ForkRuntime command)
{
    return context.services.sandboxes.fork(command.runtime, command.alias, context.source,
                                           context.stop);
}

struct DoMachine
{
    template <typename Command>
    auto operator()(const CommandContext &context, const Command &command) const
    {
        return perform(context, command);
    }
};

} // namespace

EngineView engineView(const Engine::Services &services)
{
    const EngineSettings &settings = services.engine.settings();
    EngineView view;
    view.version = settings.version;
    view.installation = services.installation;
    view.dataDirectory = settings.paths.data;
    view.sandboxesDirectory = settings.paths.sandboxes;
    view.pid = QCoreApplication::applicationPid();
    view.passthroughAllowed = services.passthrough;
    view.hasModel = services.models.hasModel();
    return view;
}

CommandTable machineCommands()
{
    return {commandEntry<AllowPassthrough, DoMachine>(true),
            commandEntry<ForkRuntime, DoMachine>(true)};
}

} // namespace berth::application
