// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/script/streamed_execution.h"
#include "providers/daytona/connection.h"
#include "providers/daytona/session_script.h"

#include <QtCore/QElapsedTimer>

#include <array>
#include <deque>

namespace berth::daytona {

//! A command of a session that runs others, one after the other (residentCommand()): each is then
//! one call, and its output comes over what is followed already.
struct Resident
{
    QString session;
    QString command;
    //! Ends the reading of its log.
    std::stop_source halt;
    //! What it runs now, until it says that it is free again.
    std::weak_ptr<SessionRun> current;
    bool isGone = false;
    int used = 0;
    QElapsedTimer freeSince;
};
using ResidentPtr = std::shared_ptr<Resident>;

//! One command of a session, as this connection follows it. Its coroutines keep it alive.
struct SessionRun
{
    BoxPtr box;
    RunMark mark;
    net::TrackedCommand scripts;
    QString session;
    //! How many commands the session has had before.
    int used = 0;
    QString command;
    //! Whose log this reads.
    ResidentPtr serves;
    //! The one that runs this: the session and its command are that one's, and so is the log.
    ResidentPtr resident;
    std::weak_ptr<net::StreamedExecution> execution;
    net::MarkReader marks{QByteArray()};
    SessionLog log;
    std::array<std::deque<Piece>, 2> queues;
    //! Bytes of the command that the one who attached has already.
    std::array<qint64, 2> toDrop{0, 0};
    //! Fetched, to be removed in the sandbox.
    QList<std::pair<char, int>> done;
    bool hasFiles = false;
    bool logEnded = false;
    //! Of the session's command.
    std::optional<int> code;
    //! Told to the execution; nothing more is read.
    bool isOver = false;
    //! Completed and replaced whenever something above changed.
    async::Completion<bool> changed;
    //! Ends the reading.
    std::stop_source halt;

    QByteArray input;
    bool inputEnds = false;
    bool inputRuns = false;

    void wake() { std::exchange(changed, async::Completion<bool>()).complete(true); }
    //! The end is not known; \a reason in words.
    void lose(const QString &reason);
};
using RunPtr = std::shared_ptr<SessionRun>;

//! The execution of \a run, whose hooks act on it.
std::shared_ptr<net::StreamedExecution> makeExecution(const RunPtr &run);
//! Takes what comes; the execution's started() tells.
void follow(const RunPtr &run);
//! Begins to read its log.
void readOwnLog(const RunPtr &run);

//! A plain command has ended: the next one shall find a resident.
void wantResident(const BoxPtr &box);
//! What a resident's log says is of the run that it has.
void serve(const BoxPtr &box, const ResidentPtr &resident, const Piece &piece);
//! Its log is at its end; \a reason: or nothing can be read of it.
void endResident(const ResidentPtr &resident, const QString &reason);
//! One that is free, for \a run; null when there is none.
ResidentPtr takeResident(const RunPtr &run);
//! It is of no use any more, or it is not known whether it is.
void dropResident(const BoxPtr &box, const ResidentPtr &resident);

} // namespace berth::daytona
