// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"
#include "domain/sandbox/sandbox_connection.h"

namespace berth::application {

//! Completes with the end of \a execution; connect it before anything else is awaited. \a context
//! is an object of the same thread that outlives the wait.
async::Completion<domain::Outcome> endOf(const domain::Execution &execution, QObject *context);

struct CommandRun
{
    domain::Outcome outcome;
    //! The last bytes of both streams, as they came.
    QByteArray tail;
};

//! Starts \a spec, reads what it says, and answers once it has ended. For Berth's own commands.
domain::Async<CommandRun> runCommand(std::shared_ptr<domain::SandboxConnection> connection,
                                     domain::CommandSpec spec, std::stop_token stop);

} // namespace berth::application
