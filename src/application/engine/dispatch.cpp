// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Each command of the contract and who does it.
#include "application/engine/command_table.h"

#include <QtCore/QCoreApplication>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

Async<Snapshot> perform(CommandContext context, GetSnapshot)
{
    Engine::Services &services = context.services;
    Snapshot snapshot;
    snapshot.seq = services.bus.lastSeq();
    snapshot.engine = engineView(services);
    snapshot.agents = services.agents.views();
    snapshot.threads = services.threads.views();
    snapshot.sandboxes = services.sandboxes.sandboxViews();
    snapshot.runtimes = services.sandboxes.runtimeViews();
    snapshot.providers = services.providers.views();
    snapshot.processes = services.processes.views();
    if (services.runs)
        snapshot.approvals = services.runs->desk().views();
    co_return snapshot;
}

Async<ThreadList> perform(CommandContext context, ListThreads command)
{
    return context.services.threads.list(command);
}

Async<ThreadDetail> perform(CommandContext context, GetThread command)
{
    return context.services.threads.detail(command.thread);
}

Async<Started> perform(CommandContext context, NewThread command)
{
    return context.services.threads.create(command, context.caller());
}

Async<Started> perform(CommandContext context, SendMessage command)
{
    return context.services.threads.send(command, context.caller());
}

Async<ThreadView> perform(CommandContext context, UpdateThread command)
{
    return context.services.threads.update(command);
}

Async<ToolCallView> perform(CommandContext context, StopToolCall command)
{
    return context.services.executions.stopCall(command.toolCall, context.stop);
}

Async<ToolCallView> perform(CommandContext context, GetToolCall command)
{
    Result<ToolCallView> view = co_await context.services.executions.view(command.toolCall);
    if (view && context.services.runs)
        view->awaitsApproval = context.services.runs->awaitsApproval(command.toolCall);
    co_return view;
}

Async<OutputChunk> perform(CommandContext context, ReadOutput command)
{
    return context.services.executions.readOutput(command, context.stop);
}

Async<Started> perform(CommandContext context, Exec command)
{
    return context.services.threads.exec(command, context.caller());
}

Async<RuntimeList> perform(CommandContext context, ListRuntimes command)
{
    RuntimeList list;
    if (command.refresh) {
        const Result<QStringList> unreachable =
            co_await context.services.sandboxes.refresh(context.stop);
        if (!unreachable)
            co_return failure(unreachable.error());
        list.unreachable = *unreachable;
    }
    list.runtimes = context.services.sandboxes.runtimeViews();
    co_return list;
}

Async<RuntimeView> perform(CommandContext context, PauseRuntime command)
{
    return context.services.sandboxes.pause(command.runtime, context.source, context.stop);
}

Async<RuntimeView> perform(CommandContext context, ResumeRuntime command)
{
    return context.services.sandboxes.resume(command.runtime, context.source, context.stop);
}

Async<RuntimeView> perform(CommandContext context, DestroyRuntime command)
{
    return context.services.sandboxes.destroy(
        command.runtime, context.source, std::chrono::seconds(command.undoSeconds), context.stop);
}

Async<domain::ResourceSample> perform(CommandContext context, GetMetrics command)
{
    return context.services.sandboxes.metrics(command.runtime, context.stop);
}

Async<Nothing> perform(CommandContext context, WatchRuntimes command)
{
    context.services.monitor.watch(context.client, command.runtimes);
    co_return Nothing{};
}

Async<ProviderList> perform(CommandContext context, ListProviders command)
{
    if (command.refresh) {
        const Result<void> checked = co_await context.services.providers.refresh(context.stop);
        if (!checked)
            co_return failure(checked.error());
    }
    ProviderList list;
    list.providers = context.services.providers.views();
    co_return list;
}

Async<ProviderForm> perform(CommandContext context, GetProviderForm command)
{
    co_return context.services.providers.form(command.config);
}

Async<ProviderView> perform(CommandContext context, SaveProvider command)
{
    co_return context.services.providers.save(command.config, command.values);
}

Async<HealthView> perform(CommandContext context, TestProvider command)
{
    EventBus &bus = context.services.bus;
    return context.services.providers.test(
        command.config, command.values,
        [&bus, request = context.request](const domain::HealthStep &step) {
            bus.publish(HealthStepDone{request, step});
        },
        context.stop);
}

Async<ProviderView> perform(CommandContext context, TrustProvider command)
{
    if (const Result<void> owner = ownerOnly(context); !owner)
        co_return failure(owner.error());
    const Result<ProviderView> view = co_await context.services.providers.trust(
        command.config, command.origins, command.variables);
    co_return view;
}

Async<ProviderView> perform(CommandContext context, StoreProviderKey command)
{
    if (const Result<void> owner = ownerOnly(context); !owner)
        co_return failure(owner.error());
    const Result<ProviderView> view = co_await context.services.providers.storeKey(
        command.config, command.field, command.key, context.stop);
    co_return view;
}

Async<ProviderForm> perform(CommandContext context, PreviewProvider command)
{
    co_return context.services.providers.preview(command.config, command.values);
}

Async<Raised> perform(CommandContext context, RaiseWindow)
{
    const bool hasWindow = context.services.windows > 0;
    if (hasWindow)
        context.services.bus.publish(RaiseRequested{});
    co_return Raised{hasWindow};
}

struct DoMain
{
    template <typename Command>
    auto operator()(const CommandContext &context, const Command &command) const
    {
        return perform(context, command);
    }
};

template <typename Command>
std::pair<const QString, CommandEntry> entry(bool acting)
{
    return commandEntry<Command, DoMain>(acting);
}

CommandTable mainCommands()
{
    return {
        entry<GetSnapshot>(false),   entry<ListThreads>(false),     entry<GetThread>(false),
        entry<NewThread>(true),      entry<SendMessage>(true),      entry<UpdateThread>(true),
        entry<StopToolCall>(true),   entry<GetToolCall>(false),     entry<ReadOutput>(false),
        entry<Exec>(true),           entry<ListRuntimes>(false),    entry<PauseRuntime>(true),
        entry<ResumeRuntime>(true),  entry<DestroyRuntime>(true),   entry<GetMetrics>(false),
        entry<WatchRuntimes>(false), entry<ListProviders>(false),   entry<GetProviderForm>(false),
        entry<SaveProvider>(true),   entry<TestProvider>(false),    entry<PreviewProvider>(false),
        entry<TrustProvider>(true),  entry<StoreProviderKey>(true), entry<RaiseWindow>(false),
    };
}

//! Every group of the contract.
const CommandTable &table()
{
    static const CommandTable entries = [] {
        CommandTable merged = mainCommands();
        merged.merge(accessCommands());
        merged.merge(filesCommands());
        merged.merge(lifecycleCommands());
        merged.merge(agentsCommands());
        merged.merge(machineCommands());
        merged.merge(modelsCommands());
        merged.merge(processesCommands());
        merged.merge(runsCommands());
        return merged;
    }();
    return entries;
}

} // namespace

Result<void> ownerOnly(const CommandContext &context)
{
    if (context.source == wireName(ClientKind::Window)
        || context.source == wireName(ClientKind::Cli))
        return {};
    return failure(ErrorKind::Forbidden,
                   QStringLiteral("Only Berth's window or berth-cli on this machine can do that"));
}

Result<void> approverOnly(const CommandContext &context)
{
    if (context.mayApprove())
        return {};
    return failure(
        ErrorKind::Forbidden,
        QStringLiteral("Only Berth's window or berth-cli on this machine can do that, or "
                       "a token that may approve"));
}

Result<void> ownerOrGranted(const CommandContext &context, const char *scope)
{
    if (context.source == wireName(ClientKind::Api)
        && context.services.access.grants(QString::fromLatin1(scope)))
        return {};
    return ownerOnly(context);
}

bool isActing(const QString &command)
{
    const auto found = table().find(command);
    return found != table().end() && found->second.acting;
}

Async<Payload> dispatchCommand(CommandContext context, QString command, Payload arguments)
{
    const auto found = table().find(command);
    if (found == table().end())
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("There is no command \"%1\"").arg(command));
    const Result<Payload> answer = co_await found->second.perform(context, arguments);
    co_return answer;
}

} // namespace berth::application
