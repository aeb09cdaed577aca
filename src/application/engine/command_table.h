// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine/workplace.h"

#include <map>

// How a command finds who does it. Each dispatch_*.cpp has a perform() per command, in an anonymous
// namespace, and one function that answers its part of the table.
namespace berth::application {

struct CommandEntry
{
    domain::Async<Payload> (*perform)(CommandContext, Payload) = nullptr;
    //! Repeated under the same request id it answers as the first time.
    bool acting = false;
};

using CommandTable = std::map<QString, CommandEntry>;

//! Runs \a Do on the decoded command: a captureless function object that calls perform().
template <typename Command, typename Do>
domain::Async<Payload> decodeAndPerform(CommandContext context, Payload arguments)
{
    const domain::Result<Command> command = decode<Command>(arguments);
    if (!command)
        co_return domain::failure(domain::ErrorKind::InvalidInput, command.error().message);
    if constexpr (WorksInSandbox<Command>) {
        const domain::Result<void> may =
            mayWorkIn(context, workplaceOf(context.services, *command));
        if (!may)
            co_return domain::failure(may.error());
    }
    const domain::Result<typename Command::Reply> reply = co_await Do()(context, *command);
    if (!reply)
        co_return domain::failure(reply.error());
    co_return encode(*reply);
}

template <typename Command, typename Do>
std::pair<const QString, CommandEntry> commandEntry(bool acting)
{
    return {QString::fromLatin1(Command::kName),
            CommandEntry{&decodeAndPerform<Command, Do>, acting}};
}

//! What is the owner's alone: secrets, models, grants and tokens. He sits at this machine, at a
//! window or a shell.
domain::Result<void> ownerOnly(const CommandContext &context);
//! The same, or a client of the HTTP API whose token has \a scope ("approve", "admin"), as long as
//! the user has granted that in the window. The API looks at the token, this at the grant. For
//! policies, skills, and who the agents are: anybody may add an agent without a policy of its own;
//! changing or removing one takes this, since what runs as this user can read the token's file.
domain::Result<void> ownerOrGranted(const CommandContext &context, const char *scope);
//! For decisions: also a token that was given that scope in the window.
domain::Result<void> approverOnly(const CommandContext &context);

CommandTable accessCommands();
CommandTable agentsCommands();
CommandTable filesCommands();
CommandTable lifecycleCommands();
CommandTable machineCommands();
CommandTable modelsCommands();
CommandTable processesCommands();
CommandTable runsCommands();

//! As in the snapshot and in EngineChanged.
EngineView engineView(const Engine::Services &services);

} // namespace berth::application
