// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine/engine_services.h"

// Where commands work. What runs in a sandbox without isolation runs as the user and could read the
// token that it came with, or the window's socket, and approve itself: so it is only for clients
// that may approve anyway. Each command that reads, writes or runs something in a sandbox has its
// row here, found by the very way in which the command itself finds it.
namespace berth::application {

//! The row, or nullopt: the command will find none either.
using Workplace = std::optional<domain::Sandbox>;

Workplace workplaceOf(const Engine::Services &services, const NewThread &command);
Workplace workplaceOf(const Engine::Services &services, const SendMessage &command);
Workplace workplaceOf(const Engine::Services &services, const EditMessage &command);
Workplace workplaceOf(const Engine::Services &services, const ContinueRun &command);
Workplace workplaceOf(const Engine::Services &services, const RetryRunNow &command);
Workplace workplaceOf(const Engine::Services &services, const Exec &command);
Workplace workplaceOf(const Engine::Services &services, const StartProcess &command);
Workplace workplaceOf(const Engine::Services &services, const WriteProcess &command);
Workplace workplaceOf(const Engine::Services &services, const ListFiles &command);
Workplace workplaceOf(const Engine::Services &services, const StatFile &command);
Workplace workplaceOf(const Engine::Services &services, const ReadFile &command);
Workplace workplaceOf(const Engine::Services &services, const OpenUpload &command);
Workplace workplaceOf(const Engine::Services &services, const MakeFolder &command);
Workplace workplaceOf(const Engine::Services &services, const RenameFile &command);
Workplace workplaceOf(const Engine::Services &services, const RemoveFile &command);

template <typename Command>
concept WorksInSandbox = requires(const Engine::Services &services, const Command &command)
{
    workplaceOf(services, command);
};

//! Forbidden: it has no isolation, and the client may not approve.
domain::Result<void> mayWorkIn(const CommandContext &context, const Workplace &place);

} // namespace berth::application
