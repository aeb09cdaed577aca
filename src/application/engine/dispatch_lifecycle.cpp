// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions, policies and the history of leases.
#include "application/engine/command_table.h"

namespace berth::application {

using domain::Async;
using domain::failure;
using domain::Result;

namespace {

Async<SessionView> perform(CommandContext context, OpenSession command)
{
    co_return context.services.lifecycle.open(command.thread, context.client, context.source);
}

Async<SessionView> perform(CommandContext context, HeartbeatSession command)
{
    co_return context.services.lifecycle.sessions().heartbeat(command.session);
}

Async<Nothing> perform(CommandContext context, CloseSession command)
{
    const Result<void> closed = context.services.lifecycle.sessions().close(command.session);
    if (!closed)
        co_return failure(closed.error());
    co_return Nothing{};
}

Async<LifecycleView> perform(CommandContext context, GetLifecycle command)
{
    co_return context.services.lifecycle.get(command);
}

Async<LifecycleView> perform(CommandContext context, SetLifecycle command)
{
    return context.services.lifecycle.set(command);
}

Async<LeaseEventList> perform(CommandContext context, ListLeaseEvents command)
{
    return context.services.sandboxes.events(command.runtime, command.limit);
}

Async<RuntimeView> perform(CommandContext context, UndoDestroy command)
{
    return context.services.sandboxes.undoDestroy(command.runtime, context.source, context.stop);
}

struct DoLifecycle
{
    template <typename Command>
    auto operator()(const CommandContext &context, const Command &command) const
    {
        return perform(context, command);
    }
};

template <typename Command>
std::pair<const QString, CommandEntry> lifecycleEntry(bool acting)
{
    return commandEntry<Command, DoLifecycle>(acting);
}

} // namespace

CommandTable lifecycleCommands()
{
    return {
        // A session that is opened twice by one request would never be closed.
        lifecycleEntry<OpenSession>(true),  lifecycleEntry<HeartbeatSession>(false),
        lifecycleEntry<CloseSession>(true), lifecycleEntry<GetLifecycle>(false),
        lifecycleEntry<SetLifecycle>(true), lifecycleEntry<ListLeaseEvents>(false),
        lifecycleEntry<UndoDestroy>(true),
    };
}

} // namespace berth::application
