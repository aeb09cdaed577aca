// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/execution.h"
#include "domain/result.h"

#include <memory>
#include <optional>
#include <stop_token>

namespace berth::domain {

//! Cells of a terminal.
struct TerminalSize
{
    int columns = 80;
    int rows = 24;
    bool operator==(const TerminalSize &) const = default;
};

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
    //! Runs on a terminal of its own (Capability::Terminal): stdout and stderr are one, input is
    //! open, and resize() works.
    std::optional<TerminalSize> terminal;
    //! Survives the loss of this connection; another one finds it with jobs().
    bool background = false;
    //! The caller's name for it, at most 64 bytes; jobs() gives it back.
    QByteArray tag;
};

//! A command in the sandbox that outlives connections.
struct Job
{
    //! Of the runner, for attach(); means nothing after the sandbox was started anew.
    quint32 id = 0;
    QByteArray tag;
    qint64 pid = 0;
    bool hasTerminal = false;
    //! The command itself has ended; children of it may still be there.
    bool ended = false;
    //! Bytes written so far, per stream; what is older than the runner's ring is lost.
    qint64 outBytes = 0;
    qint64 errBytes = 0;
};

//! Runs commands in one connected sandbox.
class Shell
{
public:
    virtual ~Shell() = default;
    //! Answers once the command was started, or with the reason why it surely was not.
    virtual Async<std::shared_ptr<Execution>> start(CommandSpec command, std::stop_token stop) = 0;
    //! Background commands and terminals that the sandbox still knows, those of earlier connections
    //! too. Unsupported where a command never outlives its connection.
    virtual Async<QList<Job>> jobs(std::stop_token stop) = 0;
    //! Follows one of jobs() from the given offsets on. Bytes that are no longer there are missing;
    //! Execution::skipped() says how many. NotFound: it is not there any more.
    virtual Async<std::shared_ptr<Execution>> attach(quint32 job, qint64 outOffset,
                                                     qint64 errOffset, std::stop_token stop) = 0;
};

} // namespace berth::domain
