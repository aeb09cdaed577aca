// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/execution.h"
#include "domain/result.h"

#include <memory>
#include <stop_token>

namespace berth::domain {

struct CommandSpec
{
    //! Text for the sandbox's POSIX shell; used when argv is empty.
    QByteArray shellText;
    //! Program and arguments, run without a shell.
    QList<QByteArray> argv;
    //! Working directory; empty: the sandbox's own.
    QByteArray cwd;
    //! Added to the sandbox's environment, last wins.
    Environment environment;
    //! Inside the sandbox, not counting frozen time; 0: none.
    std::chrono::milliseconds timeout{0};
    //! Read working directory and exported variables back at the end (shellText only).
    bool trackState = false;
    //! Else standard input is closed from the start.
    bool openInput = false;
};

//! Runs commands in one connected sandbox.
class Shell
{
public:
    virtual ~Shell() = default;
    //! Answers once the command was started, or with the reason why it surely was not.
    virtual Async<std::shared_ptr<Execution>> start(CommandSpec command, std::stop_token stop) = 0;
};

} // namespace berth::domain
