// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/script/streamed_execution.h"

#include "async/post.h"

#include <utility>

namespace berth::net {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Outcome;
using domain::OutcomeKind;
using domain::OutputStream;

namespace {

constexpr qint64 kRoom = 1024 * 1024;

} // namespace

struct StreamedExecution::Gate
{
    bool over = false;
    bool stopped = false;
    std::array<bool, 2> room{true, true};
    //! Completed and replaced at each change.
    async::Completion<bool> changed;

    void wake() { std::exchange(changed, async::Completion<bool>()).complete(true); }
};

StreamedExecution::StreamedExecution(ExecutionHooks hooks, std::optional<MarkReader> marks)
    : m_hooks(std::move(hooks)), m_marks(std::move(marks)), m_gate(std::make_shared<Gate>())
{
    m_clock.start();
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        Outcome outcome;
        outcome.kind = OutcomeKind::TransportLost;
        outcome.detail = QStringLiteral("The sandbox did not confirm that the command was stopped");
        finish(outcome);
    });
}

StreamedExecution::~StreamedExecution()
{
    m_gate->over = true;
    m_gate->wake();
    if (isOver())
        return;
    if (m_hooks.dropped)
        m_hooks.dropped();
    else if (m_hooks.stop && !m_stopped)
        m_hooks.stop();
}

StreamedExecution::Stream &StreamedExecution::stream(OutputStream which)
{
    return m_streams[which == OutputStream::Stdout ? 0 : 1];
}

const StreamedExecution::Stream &StreamedExecution::stream(OutputStream which) const
{
    return m_streams[which == OutputStream::Stdout ? 0 : 1];
}

void StreamedExecution::begin()
{
    m_started.complete(true);
}

void StreamedExecution::fail(const domain::Error &error)
{
    const auto keep = weak_from_this().lock();
    if (m_started.isComplete()) {
        // Once it runs, trouble is an end.
        Outcome outcome;
        outcome.kind = OutcomeKind::TransportLost;
        outcome.detail = error.message;
        finish(outcome);
        return;
    }
    if (isOver())
        return;
    m_failed = true;
    m_deadline.stop();
    m_gate->over = true;
    m_gate->wake();
    m_started.complete(failure(error));
}

std::shared_ptr<domain::Execution> StreamedExecution::handOver()
{
    async::post(this, [this] { release(); });
    return shared_from_this();
}

void StreamedExecution::release()
{
    const auto keep = weak_from_this().lock();
    m_released = true;
    while (!m_held.isEmpty()) {
        const Told first = m_held.takeFirst();
        deliver(first);
    }
    if (m_outcome)
        finishLater();
}

void StreamedExecution::deliver(const Told &what)
{
    if (!m_released) {
        m_held.append(what);
        return;
    }
    if (what.skipped > 0) {
        Q_EMIT skipped(what.stream, what.skipped);
        return;
    }
    stream(what.stream).emitted += what.bytes.size();
    Q_EMIT output(what.stream, what.bytes);
}

bool StreamedExecution::hasRoom(OutputStream which) const
{
    const Stream &s = stream(which);
    return m_stopped || s.received - s.acknowledged < kRoom;
}

void StreamedExecution::wakeWaiting()
{
    const std::array<bool, 2> room{hasRoom(OutputStream::Stdout), hasRoom(OutputStream::Stderr)};
    if (room == m_gate->room && m_gate->stopped == m_stopped && m_gate->over == isOver())
        return;
    m_gate->room = room;
    m_gate->stopped = m_stopped;
    m_gate->over = isOver();
    m_gate->wake();
}

namespace {

//! Wakes on a change of the gate or on \a stop. True: it was the gate.
template <typename Gate>
Async<void> passing(std::shared_ptr<Gate> gate, bool out, bool err, std::stop_token stop)
{
    for (;;) {
        if (stop.stop_requested() || gate->over)
            co_return failure(ErrorKind::Cancelled, QStringLiteral("Nobody waits for it any more"));
        if (gate->stopped || ((!out || gate->room[0]) && (!err || gate->room[1])))
            co_return {};
        const async::Completion<bool> changed = gate->changed;
        const std::stop_callback onStop(stop, [changed] { changed.complete(false); });
        co_await changed;
    }
}

} // namespace

Async<void> StreamedExecution::awaitRoom(std::stop_token stop) const
{
    return passing(m_gate, true, true, std::move(stop));
}

Async<void> StreamedExecution::awaitRoom(OutputStream which, std::stop_token stop) const
{
    return passing(m_gate, which == OutputStream::Stdout, which == OutputStream::Stderr,
                   std::move(stop));
}

void StreamedExecution::feed(OutputStream which, const QByteArray &bytes)
{
    if (isOver())
        return;
    const auto keep = weak_from_this().lock();
    if (!m_marks) {
        take(which, bytes);
        return;
    }
    const QByteArray own = m_marks->feed(which, bytes);
    take(which, own);
    lookAtMarks();
}

void StreamedExecution::take(OutputStream which, const QByteArray &own)
{
    if (own.isEmpty() || isOver())
        return;
    stream(which).received += own.size();
    deliver({which, own, 0});
    wakeWaiting();
}

void StreamedExecution::lookAtMarks()
{
    const CommandState &state = m_marks->state();
    if (state.phase == CommandState::Phase::Refused && state.refusal) {
        fail(*state.refusal);
        return;
    }
    if (state.phase == CommandState::Phase::Running || m_marks->isOver())
        m_started.complete(true);
    // With a hole in the marks only the service itself can say how it ended, in ended().
    if (m_marks->isOver() && state.phase != CommandState::Phase::Unknown)
        finish(outcomeOf(state));
}

void StreamedExecution::skip(OutputStream which, qint64 bytes)
{
    if (bytes > 0 && !isOver())
        deliver({which, {}, bytes});
}

void StreamedExecution::noteInputTaken(qint64 bytes)
{
    if (bytes > 0 && m_released && !isOver())
        Q_EMIT inputTaken(bytes);
}

void StreamedExecution::finish(Outcome outcome)
{
    if (isOver())
        return;
    const auto keep = weak_from_this().lock();
    m_started.complete(true);
    const bool killed = outcome.kind == OutcomeKind::Signalled
        || (outcome.kind == OutcomeKind::Exited && (outcome.code > 128 || outcome.code < 0));
    if (m_stopped && (killed || outcome.kind == OutcomeKind::NotStarted)) {
        outcome.kind = OutcomeKind::Cancelled;
        outcome.code = 0;
        outcome.detail.clear();
    }
    if (outcome.duration.count() == 0)
        outcome.duration = std::chrono::milliseconds(m_clock.elapsed());
    if (outcome.detail.isEmpty())
        outcome.detail = m_remark;
    m_outcome = outcome;
    m_deadline.stop();
    wakeWaiting();
    if (m_released)
        finishLater();
}

void StreamedExecution::ended(std::optional<Outcome> outcome, const QString &why)
{
    if (isOver())
        return;
    const auto keep = weak_from_this().lock();
    if (m_marks) {
        for (const OutputStream which : {OutputStream::Stdout, OutputStream::Stderr}) {
            const QByteArray rest = m_marks->rest(which);
            take(which, rest);
        }
    }
    if (!outcome) {
        outcome.emplace();
        outcome->kind = OutcomeKind::TransportLost;
        outcome->detail = why;
    }
    if (!m_started.isComplete() && outcome->kind == OutcomeKind::TransportLost) {
        // Whether it began is not known, so it must not look as if it surely had not.
        fail({ErrorKind::Unavailable,
              QStringLiteral("It is not known whether the command began"),
              why,
              {},
              {}});
        return;
    }
    finish(*outcome);
}

// From the event loop: who hears of it may drop this, and everything that led here.
void StreamedExecution::finishLater()
{
    if (std::exchange(m_told, true))
        return;
    async::post(this, [this] {
        const auto keep = weak_from_this().lock();
        Q_EMIT finished(*m_outcome);
    });
}

void StreamedExecution::stop()
{
    if (m_stopped || isOver())
        return;
    m_stopped = true;
    m_deadline.start(m_hooks.stopDeadline);
    // Nobody may wait any more, and the end comes behind what is still under way.
    wakeWaiting();
    const std::function<void()> hook = m_hooks.stop;
    if (hook)
        hook();
}

void StreamedExecution::acknowledge(OutputStream which, qint64 bytes)
{
    Stream &s = stream(which);
    s.acknowledged = qMin(s.emitted, s.acknowledged + qMax<qint64>(0, bytes));
    wakeWaiting();
}

void StreamedExecution::writeInput(const QByteArray &bytes)
{
    if (m_hooks.input && !m_inputClosed && !isOver() && !bytes.isEmpty())
        m_hooks.input(bytes);
}

void StreamedExecution::closeInput()
{
    if (m_inputClosed || isOver())
        return;
    m_inputClosed = true;
    if (m_hooks.closeInput)
        m_hooks.closeInput();
}

void StreamedExecution::resize(int columns, int rows)
{
    if (m_hooks.resize && !isOver())
        m_hooks.resize(columns, rows);
}

} // namespace berth::net
