// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/script/tracked_command.h"

#include <algorithm>
#include <utility>

namespace berth::net {

using domain::Environment;
using domain::ErrorKind;
using domain::failure;
using domain::Outcome;
using domain::OutcomeKind;
using domain::OutputStream;

namespace {

constexpr char kMark = '\036';
// A shell says 128 + n for these; a program hardly exits with such a code on its own. A guess, but
// the code that users see is the same either way.
constexpr int kFirstReal = 65;

domain::Error refusalOf(const QByteArray &told)
{
    const qsizetype colon = told.indexOf(':');
    const QByteArray why = told.left(colon);
    const QString what =
        colon < 0 ? QString() : QString::fromUtf8(QByteArray::fromBase64(told.mid(colon + 1)));
    const auto error = [&what](ErrorKind kind, const QString &message) {
        return domain::Error{kind, message, what, {}, {}};
    };
    if (why == "cwd")
        return error(ErrorKind::NotFound,
                     QStringLiteral("Cannot enter the working directory: it does not exist"));
    if (why == "cwd-kind")
        return error(ErrorKind::InvalidInput,
                     QStringLiteral("Cannot enter the working directory: it is not one"));
    if (why == "cwd-denied")
        return error(ErrorKind::Forbidden,
                     QStringLiteral("Cannot enter the working directory: no permission"));
    if (why == "program")
        return error(ErrorKind::NotFound, QStringLiteral("Cannot run the program: not found"));
    if (why == "program-denied")
        return error(ErrorKind::Forbidden, QStringLiteral("Cannot run the program: no permission"));
    if (why == "stopped")
        return error(ErrorKind::Cancelled, QStringLiteral("Stopped before the command began"));
    return error(ErrorKind::Protocol, QStringLiteral("The command was refused"));
}

//! Of the shell itself or of its start, not the command's doing.
bool isKept(const QByteArray &entry)
{
    const qsizetype size = entry.indexOf('=');
    if (size < 1 || (entry.at(0) >= '0' && entry.at(0) <= '9'))
        return false;
    const auto isNamed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || c == '_';
    };
    const QByteArray name = entry.left(size);
    return std::all_of(name.begin(), name.end(), isNamed) && name != "_" && name != "SHLVL"
        && name != "PWD" && name != "BERTH_RUN" && !name.startsWith("BASH_FUNC_");
}

//! The environment of the script, then "berth:<run>:state", the directory, and the environment at
//! the end, all ended by NUL.
bool readState(const QByteArray &state, CommandState &into)
{
    qsizetype head = -1;
    const QByteArray name = QByteArrayLiteral("berth:");
    for (qsizetype at = state.indexOf(name); at >= 0 && head < 0;
         at = state.indexOf(name, at + 1)) {
        const qsizetype end = state.indexOf('\0', at);
        if ((at == 0 || state.at(at - 1) == '\0') && end > 0
            && state.mid(at, end - at).endsWith(":state"))
            head = at;
    }
    if (head < 0)
        return false;
    const QList<QByteArray> base = state.left(head).split('\0');
    const qsizetype start = state.indexOf('\0', head) + 1;
    const qsizetype middle = state.indexOf('\0', start);
    if (middle < 0)
        return true; // the shell could not write it all
    QByteArray cwd = state.mid(start, middle - start);
    if (cwd.endsWith('\n'))
        cwd.chop(1);
    if (cwd.startsWith('/'))
        into.cwd = cwd;
    const QByteArray rest = state.mid(middle + 1);
    if (!rest.endsWith('\0'))
        return true;
    Environment environment;
    const QList<QByteArray> entries = rest.left(rest.size() - 1).split('\0');
    for (const QByteArray &entry : entries)
        if (isKept(entry) && !base.contains(entry)) {
            const qsizetype equals = entry.indexOf('=');
            environment.append({entry.left(equals), entry.mid(equals + 1)});
        }
    into.environment = environment;
    return true;
}

std::optional<QByteArray> decoded(const QByteArray &value)
{
    if (value.startsWith("raw:"))
        return value.mid(4);
    QByteArray text = value.mid(4);
    const auto isSpace = [](char c) { return c == '\n' || c == '\r' || c == ' '; };
    text.erase(std::remove_if(text.begin(), text.end(), isSpace), text.end());
    if (value.startsWith("hex:"))
        return QByteArray::fromHex(text);
    if (!value.startsWith("b64:"))
        return std::nullopt;
    const auto result =
        QByteArray::fromBase64Encoding(text, QByteArray::AbortOnBase64DecodingErrors);
    return result ? std::optional(result.decoded) : std::nullopt;
}

std::optional<int> numberIn(const QByteArray &text)
{
    bool ok = false;
    const int number = text.toInt(&ok);
    return ok && number >= 0 && number <= 255 ? std::optional(number) : std::nullopt;
}

bool readField(const QByteArray &field, CommandState &state, std::optional<int> &exit, bool &coded)
{
    const qsizetype equals = field.indexOf('=');
    const QByteArray name = field.left(equals);
    const QByteArray value = field.mid(equals + 1);
    if (name == "phase") {
        if (value != "ended" && value != "running" && value != "unknown")
            return false;
        state.phase = value == "ended" ? CommandState::Phase::Ended
            : value == "running"       ? CommandState::Phase::Running
                                       : CommandState::Phase::Unknown;
    } else if (name == "code") {
        const std::optional<int> code = numberIn(value);
        state.code = code.value_or(0);
        coded = code.has_value();
    } else if (name == "exit") {
        exit = numberIn(value);
    } else if (name == "refused") {
        state.refusal = refusalOf(value);
    } else if (name == "timeout") {
        state.timedOut = true;
    } else if (name == "stopped") {
        state.wasStopped = true;
    }
    return true; // what is not known is of a newer one
}

} // namespace

domain::Result<CommandState> readCommandState(const QByteArray &printed)
{
    CommandState state;
    std::optional<int> exit;
    bool coded = false;
    bool makesSense = printed.startsWith("phase=");
    const qsizetype blob = printed.indexOf(" state=");
    const qsizetype end = printed.lastIndexOf(" over");
    const QByteArray head = printed.left(blob >= 0 ? blob : end);
    const QList<QByteArray> fields = head.split(' ');
    for (const QByteArray &field : fields)
        makesSense = makesSense && readField(field, state, exit, coded);
    if (makesSense && blob >= 0) {
        const std::optional<QByteArray> bytes =
            decoded(printed.mid(blob + 7, end < blob ? -1 : end - blob - 7));
        makesSense = bytes && readState(*bytes, state);
    }
    if (!makesSense || end < 0 || (state.phase == CommandState::Phase::Ended && !coded))
        return failure(ErrorKind::Protocol,
                       QStringLiteral("The sandbox told nothing sensible about the command"));
    if (state.phase == CommandState::Phase::Ended) {
        if (state.refusal)
            state.phase = CommandState::Phase::Refused;
        state.wasSignalled =
            state.code > 128 && state.code < 128 + kFirstReal && exit != state.code;
    }
    return state;
}

Outcome outcomeOf(const CommandState &state)
{
    Outcome outcome;
    outcome.cwd = state.cwd;
    outcome.environment = state.environment;
    if (state.phase == CommandState::Phase::Refused) {
        outcome.kind = OutcomeKind::NotStarted;
        if (state.refusal)
            outcome.detail = state.refusal->message;
    } else if (state.phase != CommandState::Phase::Ended) {
        outcome.kind = OutcomeKind::TransportLost;
        outcome.detail = QStringLiteral("The command's own end is not known");
    } else if (state.timedOut) {
        outcome.kind = OutcomeKind::TimedOut;
    } else if (state.wasSignalled) {
        outcome.kind = OutcomeKind::Signalled;
        outcome.code = state.code - 128;
        outcome.detail = QStringLiteral("Ended by %1").arg(domain::signalName(outcome.code));
        if (outcome.code == 9)
            outcome.detail += QStringLiteral("; the sandbox may be out of memory");
    } else {
        outcome.kind = OutcomeKind::Exited;
        outcome.code = state.code;
    }
    return outcome;
}

MarkReader::MarkReader(QByteArray runId, bool oneStream)
    : m_prefix(kMark + QByteArrayLiteral("berth:") + runId + ':'), m_oneStream(oneStream)
{}

MarkReader::Stream &MarkReader::stream(OutputStream which)
{
    return m_streams[which == OutputStream::Stdout || m_oneStream ? 0 : 1];
}

//! From the end of the text: how much of it could be the beginning of the mark.
static qsizetype couldBegin(const QByteArray &text, const QByteArray &mark)
{
    for (qsizetype size = std::min(text.size(), mark.size() - 1); size > 0; --size)
        if (text.endsWith(QByteArrayView(mark).first(size)))
            return size;
    return 0;
}

QByteArray MarkReader::feed(OutputStream which, const QByteArray &bytes)
{
    Stream &s = stream(which);
    if (s.over)
        return {};
    if (s.held.isEmpty() && !bytes.contains(kMark))
        return bytes;
    s.held += bytes;
    QByteArray own;
    for (;;) {
        const qsizetype at = s.held.indexOf(m_prefix);
        if (at < 0) {
            const qsizetype size = s.held.size() - couldBegin(s.held, m_prefix);
            own += s.held.left(size);
            s.held.remove(0, size);
            return own;
        }
        own += s.held.left(at);
        s.held.remove(0, at);
        const qsizetype end = s.held.indexOf(kMark, m_prefix.size());
        if (end < 0)
            return own;
        const QByteArray name = s.held.mid(m_prefix.size(), end - m_prefix.size());
        if (name == "state") {
            const qsizetype over = s.held.indexOf(m_prefix + "over" + kMark, end);
            if (over < 0)
                return own;
            const auto told = readCommandState(s.held.mid(end + 1, over - end - 1) + " over");
            m_end = told.value_or(CommandState());
        }
        if (name == "state" || name == "over") {
            s.over = true;
            s.held.clear();
        } else {
            take(name);
            s.held.remove(0, end + 1);
        }
        if (isOver() && m_state.phase != CommandState::Phase::Refused)
            m_state = m_end.value_or(CommandState());
        if (s.over)
            return own;
    }
}

void MarkReader::take(const QByteArray &name)
{
    if (m_state.phase != CommandState::Phase::Unknown)
        return;
    if (name == "start") {
        m_state.phase = CommandState::Phase::Running;
    } else if (name.startsWith("refused=")) {
        m_state.phase = CommandState::Phase::Refused;
        m_state.refusal = refusalOf(name.mid(8));
    }
}

bool MarkReader::isOver() const
{
    return m_streams[0].over && (m_oneStream || m_streams[1].over);
}

QByteArray MarkReader::rest(OutputStream which)
{
    Stream &s = stream(which);
    return s.over ? QByteArray() : std::exchange(s.held, {});
}

} // namespace berth::net
