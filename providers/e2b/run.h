// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/script/streamed_execution.h"
#include "net/script/tracked_command.h"
#include "providers/e2b/link.h"

#include <functional>
#include <memory>

namespace berth::e2b {

//! What a run id says about its command beyond being unique, so that nothing else has to be kept:
//! "<20 random><kind><tag in hex>".
struct RunName
{
    enum class Kind { Foreground, Background, Terminal };
    Kind kind = Kind::Foreground;
    QByteArray tag;
    bool operator==(const RunName &) const = default;
};
QByteArray newRun(const RunName &name);
//! nullopt: not one of ours.
std::optional<RunName> runName(const QByteArray &run);

//! One command that an execution follows.
struct Run
{
    QByteArray id;
    bool background = false;
    bool hasTerminal = false;
    //! Its end is kept in the sandbox until it is told.
    bool isKept = false;
    //! Somebody was told its end.
    bool isTold = false;
    //! The process's name at the service.
    QString tag;
    qint64 pid = 0;
    net::TrackedCommand tracked;
    //! A shell that has other commands, too, runs it (resident.h): pid is that shell's.
    bool isResident = false;
    //! Whether that shell has got it.
    enum class Handed { Yes, No, Unknown };
    async::Completion<Handed> handed;
    //! Begins it in a process of its own; for one that the shell surely did not get.
    std::function<void()> beginAnew;
    //! Ends the following.
    std::stop_source stop;
    std::weak_ptr<net::StreamedExecution> execution;

    QByteArray input;
    bool closesInput = false;
    bool isPushing = false;
    std::optional<std::pair<int, int>> size;
    bool isResizing = false;
};
using RunPtr = std::shared_ptr<Run>;

//! The hooks of an execution of \a run.
net::ExecutionHooks hooksOf(const LinkPtr &link, const RunPtr &run);
//! Reads \a events into the run's execution until its end, over cuts and pauses.
void follow(const LinkPtr &link, const RunPtr &run, EventStreamPtr events);
//! After the stream of a resident's output was cut.
void followAgain(const LinkPtr &link, const RunPtr &run);
//! What the sandbox keeps of it, and removes with that.
domain::Async<net::CommandState> stateOf(LinkPtr link, RunPtr run, std::stop_token stop);

} // namespace berth::e2b
