// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions that run one command after the other.
#include "async/sleep.h"
#include "providers/daytona/session_run.h"

#include <QtCore/QUuid>

namespace berth::daytona {

using domain::Result;

namespace {

//! The session's log has all that they said, and comes again as a whole after a cut.
constexpr int kMostServed = 30;
constexpr int kMostResidents = 2;
//! A resident that has nothing to do for so long is ended: looking at its log counts as use of the
//! sandbox.
constexpr std::chrono::milliseconds kUnused{60'000};
//! From an earlier connection's resident being told to end until it has.
constexpr std::chrono::milliseconds kUntilEnded{500};

//! Sees to it that a resident that nobody needs does not stay.
async::Task<void> expire(BoxPtr box, ResidentPtr resident)
{
    const std::stop_token stop = box->scope.token();
    while (!resident->isGone) {
        const bool elapsed = co_await async::sleepFor(kUnused / 4, stop);
        if (!elapsed)
            break;
        const bool isFree = resident->current.expired() && resident->freeSince.isValid();
        if (isFree && std::chrono::milliseconds(resident->freeSince.elapsed()) >= kUnused)
            dropResident(box, resident);
    }
    --box->residents;
}

//! What an earlier connection has left and nobody needs: sessions whose plain commands have ended.
async::Task<void> deleteLeft(BoxPtr box, bool isFirst)
{
    const std::stop_token stop = box->scope.token();
    const Result<QList<Session>> sessions = co_await listSessions(box->toolbox, stop);
    if (!sessions)
        co_return;
    for (const Session &session : *sessions) {
        if (!session.id.startsWith(QLatin1String("berth-")) || box->own.contains(session.id))
            continue;
        bool isOfUse = false;
        for (const SessionCommand &command : session.commands) {
            const std::optional<RunMark> mark = runMark(command.text);
            const bool isPlainRun = mark && isPlain(*mark, {});
            isOfUse = isOfUse || !command.code || !(isPlainRun || isResident(command.text));
            if (!isFirst || command.code || !isResident(command.text))
                continue;
            // An empty line ends it, behind what it may still run.
            const Result<void> told =
                co_await sendInput(box->toolbox, session.id, command.id, QByteArrayLiteral("\n"),
                                   box->toolbox->patience, stop);
            Q_UNUSED(told)
        }
        if (isOfUse)
            continue;
        const Result<void> closed = co_await deleteSession(box->toolbox, session.id, stop);
        Q_UNUSED(closed)
    }
}

async::Task<void> sweep(BoxPtr box)
{
    const std::stop_token stop = box->scope.token();
    co_await deleteLeft(box, true);
    const bool elapsed = co_await async::sleepFor(kUntilEnded, stop);
    if (elapsed)
        co_await deleteLeft(box, false);
}

async::Task<void> openResident(BoxPtr box)
{
    const std::stop_token stop = box->scope.token();
    const auto resident = std::make_shared<Resident>();
    resident->session =
        QStringLiteral("berth-") + QUuid::createUuid().toString(QUuid::Id128).left(16);
    box->own.insert(resident->session);
    if (!std::exchange(box->hasSwept, true))
        box->scope.spawn(sweep(box));
    Result<void> made = co_await createSession(box->toolbox, resident->session, stop);
    if (made) {
        const Result<QString> begun = co_await executeInSession(
            box->toolbox, resident->session, residentCommand(box->hasWrap), stop);
        resident->command = begun.value_or(QString());
    }
    // Nothing depends on it.
    if (resident->command.isEmpty() || !box->isOpen) {
        --box->residents;
        // It may be there without an answer.
        const Result<void> closed = co_await deleteSession(box->toolbox, resident->session, {});
        Q_UNUSED(closed)
        co_return;
    }
    const auto reader = std::make_shared<SessionRun>();
    reader->box = box;
    reader->mark.runId = net::newRunId();
    reader->session = resident->session;
    reader->command = resident->command;
    reader->halt = resident->halt;
    reader->serves = resident;
    box->runs.insert(reader->mark.runId, reader);
    resident->freeSince.start();
    box->freeResidents.append(resident);
    readOwnLog(reader);
    box->scope.spawn(expire(box, resident));
}

async::Task<void> closeResident(BoxPtr box, QString session)
{
    const Result<void> closed = co_await deleteSession(box->toolbox, session, {});
    Q_UNUSED(closed)
}

} // namespace

void wantResident(const BoxPtr &box)
{
    const auto isGone = [](const std::weak_ptr<Resident> &one) { return one.expired(); };
    box->freeResidents.erase(
        std::remove_if(box->freeResidents.begin(), box->freeResidents.end(), isGone),
        box->freeResidents.end());
    if (++box->plain < 2 || !box->toolbox->keepsResidents || !box->isOpen
        || box->residents >= kMostResidents || !box->freeResidents.isEmpty())
        return;
    ++box->residents;
    box->scope.spawn(openResident(box));
}

void serve(const BoxPtr &box, const ResidentPtr &resident, const Piece &piece)
{
    const RunPtr run = resident->current.lock();
    if (piece.freeAgain.isEmpty()) {
        if (!run)
            return;
        run->hasFiles = run->hasFiles || piece.file > 0;
        run->queues[piece.stream == domain::OutputStream::Stdout ? 0 : 1].push_back(piece);
        run->wake();
        return;
    }
    if (run && run->mark.runId == piece.freeAgain) {
        run->code = 0;
        run->logEnded = true;
        run->wake();
    }
    resident->current.reset();
    resident->freeSince.start();
    if (!resident->isGone && ++resident->used < kMostServed)
        box->freeResidents.append(resident);
    else
        dropResident(box, resident);
}

void endResident(const ResidentPtr &resident, const QString &reason)
{
    resident->isGone = true;
    const RunPtr run = resident->current.lock();
    resident->current.reset();
    if (!run)
        return;
    if (!reason.isEmpty()) {
        run->lose(reason);
        return;
    }
    run->logEnded = true;
    run->wake();
}

ResidentPtr takeResident(const RunPtr &run)
{
    QList<std::weak_ptr<Resident>> &all = run->box->freeResidents;
    while (!all.isEmpty()) {
        const ResidentPtr resident = all.takeLast().lock();
        if (!resident || resident->isGone)
            continue;
        resident->current = run;
        resident->freeSince.invalidate();
        run->session = resident->session;
        run->command = resident->command;
        run->resident = resident;
        return resident;
    }
    return {};
}

void dropResident(const BoxPtr &box, const ResidentPtr &resident)
{
    if (std::exchange(resident->isGone, true))
        return;
    resident->current.reset();
    resident->halt.request_stop();
    if (box->isOpen)
        box->scope.spawn(closeResident(box, resident->session));
}

} // namespace berth::daytona
