// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/guest/guest_execution.h"

#include "async/post.h"

namespace berth::net {

using domain::ErrorKind;
using domain::failure;
using domain::Outcome;
using domain::OutcomeKind;
using domain::OutputStream;

namespace {

constexpr std::chrono::seconds kStartDeadline{30};
// The guest itself gives up on a tree after 10 s.
constexpr std::chrono::seconds kStopDeadline{20};
// Bodies of DETACH.
constexpr char kWithoutEnd = 0;
constexpr char kWithEnd = 1;

domain::Error startError(const GuestErrorReply &reply)
{
    switch (reply.stage) {
    case BG_STAGE_CWD:
        return guestError(reply, QStringLiteral("Cannot enter the working directory"));
    case BG_STAGE_EXEC:
        return guestError(reply, QStringLiteral("Cannot run the program"));
    case BG_STAGE_USER:
        return guestError(reply, QStringLiteral("Cannot run as this user in the sandbox"));
    case BG_STAGE_TERMINAL: {
        domain::Error error =
            guestError(reply, QStringLiteral("Cannot open a terminal in the sandbox"));
        if (error.kind != ErrorKind::Quota)
            error.kind = ErrorKind::Unsupported;
        return error;
    }
    case BG_STAGE_RESOURCES:
        return guestError(reply, QStringLiteral("The sandbox cannot start another command"));
    default:
        return guestError(reply, QStringLiteral("The command was refused"));
    }
}

} // namespace

quint32 packedSize(int columns, int rows)
{
    const auto cells = [](int n) { return static_cast<quint32>(qBound(1, n, 0xFFFF)); };
    return cells(columns) | cells(rows) << 16;
}

GuestExecution::GuestExecution(GuestChannel *channel, GuestExecutionTraits traits)
    : m_channel(channel), m_traits(traits), m_inputWindow(BG_STDIN_WINDOW)
{
    for (Stream &stream : m_streams)
        stream.granted = BG_CREDIT;
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        const auto keep = weak_from_this().lock();
        if (m_phase == Phase::Starting || m_phase == Phase::Attaching) {
            if (m_channel)
                m_channel->send(m_phase == Phase::Starting ? BG_KILL : BG_DETACH, m_id,
                                m_phase == Phase::Starting ? QByteArray()
                                                           : QByteArray(1, kWithoutEnd));
            leaveChannel();
            const bool starting = std::exchange(m_phase, Phase::Ended) == Phase::Starting;
            m_started.complete(failure(ErrorKind::Timeout,
                                       starting
                                           ? QStringLiteral("The sandbox did not start the command")
                                           : QStringLiteral("The sandbox did not answer"),
                                       QStringLiteral("It may be paused or overloaded.")));
            return;
        }
        Outcome outcome;
        outcome.kind = OutcomeKind::TransportLost;
        outcome.detail = QStringLiteral("The sandbox did not confirm that the command was stopped");
        end(outcome);
    });
}

GuestExecution::~GuestExecution()
{
    if (m_channel && m_phase != Phase::Ended && m_id) {
        // Before it has started it is nobody's, background or not.
        const bool leave =
            m_phase == Phase::Attaching || (m_traits.background && m_phase == Phase::Running);
        if (leave && !m_stopped)
            m_channel->send(BG_DETACH, m_id, QByteArray(1, kWithoutEnd));
        else
            m_channel->send(BG_KILL, m_id);
    }
    leaveChannel();
}

void GuestExecution::launch(const GuestWriter &start, const QString &what)
{
    m_what = what;
    m_clock.start();
    m_deadline.start(kStartDeadline);
    m_id = m_channel->attach(this);
    m_channel->send(BG_START, m_id, start.body());
}

domain::Result<void> GuestExecution::follow(quint32 job, qint64 outOffset, qint64 errOffset)
{
    if (!m_channel->attachTo(job, this))
        return failure(ErrorKind::NotFound, QStringLiteral("There is no such command"),
                       QStringLiteral("It has ended, or somebody follows it already."));
    m_id = job;
    m_phase = Phase::Attaching;
    stream(OutputStream::Stdout).received = static_cast<quint64>(outOffset);
    stream(OutputStream::Stderr).received = static_cast<quint64>(errOffset);
    m_clock.start();
    m_deadline.start(kStartDeadline);
    m_channel->send(BG_ATTACH, m_id,
                    GuestWriter()
                        .u64(static_cast<quint64>(outOffset))
                        .u64(static_cast<quint64>(errOffset))
                        .u32(BG_CREDIT)
                        .body());
    return {};
}

void GuestExecution::leaveChannel()
{
    if (m_channel && m_id)
        m_channel->detach(m_id);
}

void GuestExecution::release()
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

void GuestExecution::deliver(const Told &what)
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
    if (m_stopped)
        acknowledge(what.stream, what.bytes.size());
    Q_EMIT output(what.stream, what.bytes);
}

bool GuestExecution::refused(const QByteArray &body)
{
    const std::optional<GuestErrorReply> error = decodeGuestError(body);
    if (!error)
        return false;
    domain::Error failed = m_phase == Phase::Starting
        ? startError(*error)
        : guestError(*error, QStringLiteral("Cannot follow the command"));
    if (!m_what.isEmpty())
        failed.detail = m_what;
    m_phase = Phase::Ended;
    m_deadline.stop();
    leaveChannel();
    m_started.complete(failure(failed));
    return true;
}

bool GuestExecution::onStarting(quint8 type, const QByteArray &body)
{
    if (type == BG_ERROR)
        return refused(body);
    if (m_phase == Phase::Attaching) {
        // What an earlier follower of this connection did not wait for may still be under way.
        return type == BG_ATTACHED ? onAttached(body) : type >= BG_STARTED && type <= BG_CLOSED;
    }
    if (type != BG_STARTED)
        return false;
    m_phase = Phase::Running;
    m_deadline.stop();
    m_started.complete(true);
    return true;
}

bool GuestExecution::onAttached(const QByteArray &body)
{
    GuestReader reader(body);
    reader.u32(); // pid
    const quint32 flags = reader.u32();
    const std::array<quint64, 2> from{reader.u64(), reader.u64()};
    m_traits.inputOpen = reader.u8() != 0;
    m_inputWindow = reader.u32();
    if (reader.isBad() || m_inputWindow > BG_STDIN_WINDOW)
        return false;
    m_inputPending = BG_STDIN_WINDOW - m_inputWindow;
    m_traits.tracksState = (flags & BG_START_STATE) != 0;
    m_traits.terminal = (flags & BG_START_PTY) != 0;
    m_traits.background = (flags & BG_START_BACKGROUND) != 0;
    for (const OutputStream which : {OutputStream::Stdout, OutputStream::Stderr}) {
        const quint64 first = from.at(which == OutputStream::Stdout ? 0 : 1);
        if (!skipTo(which, first))
            return false;
        stream(which).granted = static_cast<qint64>(first) + BG_CREDIT;
    }
    m_phase = Phase::Running;
    m_deadline.stop();
    m_started.complete(true);
    return true;
}

//! False: back, or further than any command can have come.
bool GuestExecution::skipTo(OutputStream which, quint64 offset)
{
    Stream &s = stream(which);
    if (offset < s.received || offset > quint64(1) << 62)
        return false;
    const qint64 missing = static_cast<qint64>(offset - s.received);
    s.received = offset;
    s.granted += missing;
    if (missing > 0)
        deliver({which, {}, missing});
    return true;
}

bool GuestExecution::onFrame(quint8 type, const QByteArray &body)
{
    const auto keep = weak_from_this().lock();
    if (m_phase == Phase::Starting || m_phase == Phase::Attaching)
        return onStarting(type, body);
    switch (type) {
    case BG_OUT:
        return onOutput(OutputStream::Stdout, body);
    case BG_ERR:
        return onOutput(OutputStream::Stderr, body);
    case BG_STDIN_ACK: {
        GuestReader reader(body);
        const qint64 taken = reader.u32();
        if (reader.isBad() || m_inputWindow + taken > BG_STDIN_WINDOW)
            return false;
        m_inputWindow += taken;
        // Those of an earlier follower come first.
        const qint64 others = qMin(taken, m_inputPending);
        m_inputPending -= others;
        pushInput();
        if (taken > others)
            Q_EMIT inputTaken(taken - others);
        return true;
    }
    case BG_STDIN_GONE:
        m_traits.inputOpen = false;
        m_input.clear();
        return true;
    case BG_STATE:
        return onState(body);
    case BG_EXIT:
        if (!onExit(body))
            return false;
        // Now the runner need not keep it any longer.
        if (m_channel)
            m_channel->send(BG_DETACH, m_id, QByteArray(1, kWithEnd));
        return true;
    case BG_ERROR: {
        // After the start only this: its supervisor died before it could tell.
        Outcome outcome;
        outcome.kind = OutcomeKind::TransportLost;
        outcome.detail = QStringLiteral("The guest runner lost the command");
        end(outcome);
        return true;
    }
    default:
        return false;
    }
}

bool GuestExecution::onOutput(OutputStream which, const QByteArray &body)
{
    GuestReader reader(body);
    const quint64 offset = reader.u64();
    const QByteArray bytes = reader.rest();
    Stream &s = stream(which);
    // The runner goes on reading what survives us, so a silent host comes back to a gap.
    if (!reader.isBad() && (m_traits.background || m_traits.terminal) && offset > s.received
        && !skipTo(which, offset))
        return false;
    // More than it may send, or a gap: either the frames are forged or ours is broken.
    if (reader.isBad() || bytes.size() > static_cast<qsizetype>(BG_MAX_DATA) || offset != s.received
        || static_cast<qint64>(s.received) + bytes.size() > s.granted)
        return false;
    s.received += static_cast<quint64>(bytes.size());
    if (!bytes.isEmpty())
        deliver({which, bytes, 0});
    return true;
}

void GuestExecution::acknowledge(OutputStream which, qint64 bytes)
{
    Stream &s = stream(which);
    s.acknowledged = qMin(s.emitted, s.acknowledged + qMax<qint64>(0, bytes));
    giveCredit(which, m_stopped ? 1 : BG_CREDIT / 2);
}

void GuestExecution::giveCredit(OutputStream which, qint64 atLeast)
{
    Stream &s = stream(which);
    const qint64 back = s.acknowledged - s.returned;
    if (back < atLeast || !m_channel || m_phase != Phase::Running)
        return;
    s.returned += back;
    s.granted += back;
    m_channel->send(BG_CREDIT_ADD, m_id,
                    GuestWriter()
                        .u8(which == OutputStream::Stdout ? 0 : 1)
                        .u32(static_cast<quint32>(back))
                        .body());
}

void GuestExecution::stop()
{
    if (m_stopped || m_phase == Phase::Ended)
        return;
    m_stopped = true;
    m_deadline.start(kStopDeadline);
    if (m_channel)
        m_channel->send(BG_KILL, m_id);
    // Nobody may wait any more, and the end comes behind what is still in the pipes.
    for (const OutputStream which : {OutputStream::Stdout, OutputStream::Stderr})
        acknowledge(which, stream(which).emitted);
}

void GuestExecution::writeInput(const QByteArray &bytes)
{
    if (!m_traits.inputOpen || m_inputEnded)
        return;
    m_input += bytes;
    pushInput();
}

void GuestExecution::closeInput()
{
    if (!m_traits.inputOpen || m_inputEnded)
        return;
    m_inputEnded = true;
    pushInput();
}

void GuestExecution::pushInput()
{
    if (!m_channel || m_phase == Phase::Ended)
        return;
    while (!m_input.isEmpty() && m_inputWindow > 0) {
        const qint64 size = qMin<qint64>(m_input.size(), qMin<qint64>(m_inputWindow, BG_MAX_DATA));
        m_channel->send(BG_STDIN, m_id, m_input.left(size));
        m_input.remove(0, size);
        m_inputWindow -= size;
    }
    if (m_inputEnded && m_input.isEmpty() && m_traits.inputOpen) {
        m_traits.inputOpen = false;
        m_channel->send(BG_STDIN_EOF, m_id);
    }
}

bool GuestExecution::onState(const QByteArray &body)
{
    GuestReader reader(body);
    const bool tracked = reader.u8() != 0;
    reader.u8(); // why not
    const quint32 count = reader.u32();
    if (reader.isBad() || count > BG_MAX_STRINGS || !m_traits.tracksState)
        return false;
    domain::Environment environment;
    for (quint32 i = 0; i < count; ++i) {
        const QByteArray entry = reader.bytes(BG_STATE_SIZE);
        if (reader.isBad() || entry.contains('\0'))
            return false;
        // Without '=': a variable of the sandbox itself that the command has unset. It comes back
        // with the next one.
        const qsizetype equals = entry.indexOf('=');
        if (equals > 0)
            environment.append({entry.left(equals), entry.mid(equals + 1)});
    }
    if (tracked)
        m_environment = environment;
    return true;
}

bool GuestExecution::onExit(const QByteArray &body)
{
    GuestReader reader(body);
    const quint8 kind = reader.u8();
    const quint8 flags = reader.u8();
    const quint32 code = reader.u32();
    const quint64 userMicros = reader.u64();
    const quint64 systemMicros = reader.u64();
    const quint64 maxRssKib = reader.u64();
    const quint64 out = reader.u64();
    const quint64 err = reader.u64();
    const QByteArray cwd = reader.bytes(BG_MAX_PATH);
    if (reader.isBad() || kind > BG_KILLED || code > 255 || cwd.contains('\0')
        || out != stream(OutputStream::Stdout).received
        || err != stream(OutputStream::Stderr).received)
        return false;

    Outcome outcome;
    switch (kind) {
    case BG_EXITED:
        outcome.kind = OutcomeKind::Exited;
        outcome.code = static_cast<int>(code);
        // Of a shell whose last command was killed.
        if (code == 137 && (flags & BG_EXIT_OUT_OF_MEMORY))
            outcome.detail = QStringLiteral("A process was ended: the sandbox is out of memory");
        break;
    case BG_SIGNALLED:
        outcome.kind = OutcomeKind::Signalled;
        outcome.code = static_cast<int>(code);
        outcome.detail = QStringLiteral("Ended by %1").arg(domain::signalName(outcome.code));
        if (outcome.code == 9 && (flags & BG_EXIT_OUT_OF_MEMORY))
            outcome.detail += QStringLiteral(": the sandbox is out of memory");
        else if (outcome.code == 9 && !(flags & BG_EXIT_MEMORY_KNOWN))
            outcome.detail += QStringLiteral("; the sandbox may be out of memory");
        break;
    case BG_TIMED_OUT:
        outcome.kind = OutcomeKind::TimedOut;
        break;
    default:
        outcome.kind = OutcomeKind::Cancelled;
        if (flags & BG_EXIT_HOST_LOST)
            outcome.detail =
                QStringLiteral("Ended because nothing was heard from the host for too long");
    }
    if (flags & BG_EXIT_SUPERVISOR_LOST)
        outcome.detail = QStringLiteral(
            "The command killed the process that watches it; its own end is not known");
    if (m_traits.tracksState) {
        if ((flags & (BG_EXIT_CWD_TRACED | BG_EXIT_CWD_DUMPED)) && cwd.startsWith('/')
            && !cwd.endsWith(" (deleted)"))
            outcome.cwd = cwd;
        outcome.environment = m_environment;
    }
    constexpr quint64 kSane = quint64(1) << 50;
    if (maxRssKib < kSane)
        outcome.peakMemoryBytes = static_cast<qint64>(maxRssKib * 1024);
    if (userMicros < kSane && systemMicros < kSane)
        outcome.cpuTime = std::chrono::microseconds(static_cast<qint64>(userMicros + systemMicros));
    end(outcome);
    return true;
}

void GuestExecution::end(Outcome outcome)
{
    if (m_outcome)
        return;
    outcome.duration = std::chrono::milliseconds(m_clock.elapsed());
    m_outcome = outcome;
    m_phase = Phase::Ended;
    m_deadline.stop();
    leaveChannel();
    if (m_released)
        finishLater();
}

void GuestExecution::onLost(const QString &reason)
{
    m_channel.clear();
    m_deadline.stop();
    if (m_phase == Phase::Starting || m_phase == Phase::Attaching) {
        m_phase = Phase::Ended;
        m_started.complete(failure(ErrorKind::Unavailable,
                                   QStringLiteral("The connection to the sandbox was lost"),
                                   reason));
        return;
    }
    if (m_phase == Phase::Ended)
        return;
    Outcome outcome;
    outcome.kind = OutcomeKind::TransportLost;
    outcome.detail = reason;
    end(outcome);
}

// From the event loop: who hears of it may drop this, and everything that led here.
void GuestExecution::finishLater()
{
    if (std::exchange(m_told, true))
        return;
    async::post(this, [this] {
        const auto keep = weak_from_this().lock();
        Q_EMIT finished(*m_outcome);
    });
}

void GuestExecution::resize(int columns, int rows)
{
    if (m_channel && m_traits.terminal && m_phase == Phase::Running)
        m_channel->send(BG_RESIZE, m_id, GuestWriter().u32(packedSize(columns, rows)).body());
}

} // namespace berth::net
