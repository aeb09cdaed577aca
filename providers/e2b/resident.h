// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/shell.h"
#include "providers/e2b/run.h"

// To begin a process by the service takes several times as long as the command that it is for. So a
// shell waits in the sandbox with its output already followed, and runs one foreground command
// after the other; whatever else is asked for, or comes while it is busy, is begun as ever.
namespace berth::e2b {

//! One shell that reads what it runs from its standard input.
struct Resident
{
    EventStreamPtr events;
    qint64 pid = 0;
    QString tag;
    //! What it runs now, until it has said that it is free again.
    RunPtr run;
    //! The word by which it says so; the command does not know it.
    QByteArray word;
    //! Last bytes of standard error, where that word may begin.
    QByteArray tail;
    bool isFree = false;
    bool isGone = false;
    QElapsedTimer lastUsed;
    //! Ends the reading, and with it the shell.
    std::stop_source halt;
};

//! What is written to a resident for \a script, a whole script of net::trackedCommand(). Behind it
//! the shell says "free", or "held" where something of the command still has the shell's output,
//! which would then be in the next command's.
QByteArray residentText(const QByteArray &script, const QByteArray &run, const QByteArray &word);

//! Null when none is free, or when \a command is not for one.
ResidentPtr freeResident(const LinkPtr &link, const domain::CommandSpec &command,
                         const QByteArray &script);
//! Makes \a run the resident's; its execution is told all that becomes of it. When the shell was
//! dead already, Run::beginAnew is called.
void runIn(const LinkPtr &link, const ResidentPtr &resident, const RunPtr &run,
           const QByteArray &script);
//! A plain command has ended: the next one shall find a shell.
void wantResident(const LinkPtr &link);

} // namespace berth::e2b
