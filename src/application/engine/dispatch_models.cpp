// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Endpoints of language models.
#include "application/engine/command_table.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

Async<ModelList> perform(CommandContext context, ListModels command)
{
    return context.services.models.list(command.refresh, context.stop);
}

Async<ModelEndpointView> perform(CommandContext context, SaveModel command)
{
    if (const Result<void> owner = ownerOnly(context); !owner)
        co_return failure(owner.error());
    const Result<ModelEndpointView> saved = co_await context.services.models.save(command.endpoint);
    if (saved)
        context.services.bus.publish(EngineChanged{engineView(context.services)});
    co_return saved;
}

Async<Nothing> perform(CommandContext context, RemoveModel command)
{
    if (const Result<void> owner = ownerOnly(context); !owner)
        co_return failure(owner.error());
    const Result<Nothing> removed =
        co_await context.services.models.remove(command.name, context.stop);
    if (removed)
        context.services.bus.publish(EngineChanged{engineView(context.services)});
    co_return removed;
}

Async<ModelEndpointView> perform(CommandContext context, StoreModelKey command)
{
    if (const Result<void> owner = ownerOnly(context); !owner)
        co_return failure(owner.error());
    const Result<ModelEndpointView> stored =
        co_await context.services.models.storeKey(command, context.stop);
    co_return stored;
}

Async<HealthView> perform(CommandContext context, TestModel command)
{
    EventBus &bus = context.services.bus;
    const domain::StepSink step = [&bus,
                                   request = context.request](const domain::HealthStep &done) {
        bus.publish(HealthStepDone{request, done});
    };
    const Result<HealthView> tested =
        co_await context.services.models.test(command.name, step, context.stop);
    co_return tested;
}

struct DoModels
{
    template <typename Command>
    auto operator()(const CommandContext &context, const Command &command) const
    {
        return perform(context, command);
    }
};

} // namespace

CommandTable modelsCommands()
{
    return CommandTable{
        commandEntry<ListModels, DoModels>(false),
        commandEntry<SaveModel, DoModels>(true),
        commandEntry<RemoveModel, DoModels>(true),
        // Not kept for repetition: its answer would be stored under the key's request.
        commandEntry<StoreModelKey, DoModels>(false),
        commandEntry<TestModel, DoModels>(false),
    };
}

} // namespace berth::application
