// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Background commands and terminals.
#include "application/engine/command_table.h"

namespace berth::application {

using domain::Async;

namespace {

Async<ProcessList> perform(CommandContext context, ListProcesses command)
{
    return context.services.processes.list(command, context.stop);
}

Async<ProcessView> perform(CommandContext context, StartProcess command)
{
    return context.services.processes.begin(command, context.caller(), context.stop);
}

Async<ProcessView> perform(CommandContext context, StopProcess command)
{
    return context.services.processes.end(command.process, context.stop);
}

Async<Nothing> perform(CommandContext context, WriteProcess command)
{
    return context.services.processes.write(command, context.stop);
}

Async<Nothing> perform(CommandContext context, ResizeProcess command)
{
    return context.services.processes.resize(command);
}

Async<OutputChunk> perform(CommandContext context, ReadProcess command)
{
    return context.services.processes.read(command, context.stop);
}

Async<Nothing> perform(CommandContext context, RemoveProcess command)
{
    return context.services.processes.remove(command.process);
}

struct DoProcesses
{
    template <typename Command>
    auto operator()(const CommandContext &context, const Command &command) const
    {
        return perform(context, command);
    }
};

} // namespace

CommandTable processesCommands()
{
    // Input and sizes are not kept for repetition: they come by the dozen, and an old one again
    // would be wrong.
    return CommandTable{
        commandEntry<ListProcesses, DoProcesses>(false),
        commandEntry<StartProcess, DoProcesses>(true),
        commandEntry<StopProcess, DoProcesses>(true),
        commandEntry<WriteProcess, DoProcesses>(false),
        commandEntry<ResizeProcess, DoProcesses>(false),
        commandEntry<ReadProcess, DoProcesses>(false),
        commandEntry<RemoveProcess, DoProcesses>(true),
    };
}

} // namespace berth::application
