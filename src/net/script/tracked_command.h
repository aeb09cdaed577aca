// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/shell.h"

#include <QtCore/QByteArray>

#include <array>
#include <optional>

namespace berth::net {

//! How a command is made into one script, for services that only know "run this shell text".
struct TrackedOptions
{
    //! The script tells start and end within its own output (MarkReader takes that out again), so
    //! that neither the end of the stream nor another call is needed. Else start and end are asked
    //! for with resultScript.
    bool marks = true;
    //! The streams carry any byte.
    bool isBinarySafe = false;
    //! The script itself kills the tree when CommandSpec::timeout is over.
    bool enforcesTimeout = true;
    //! For the command's text; the sandbox's POSIX shell.
    QByteArray shell = QByteArrayLiteral("/bin/sh");
};

//! Scripts for `/bin/sh -c`, printable ASCII and newlines only. A script longer than 120 KiB does
//! not fit into an argument: put it into a file and run that.
struct TrackedCommand
{
    //! Runs the command and exits with its code. Its standard input is the script's when the
    //! command has openInput or a terminal. Where there is no setsid the command stays in the
    //! script's own session: it can then reach the script itself with `kill 0`.
    QByteArray script;
    //! Kills the command's whole tree, also what ignores TERM, was stopped, or has left the
    //! session, and nothing else. Answers once nothing is left (code 0), or after 10 s with what
    //! it could not end (code 1). A command that did not begin yet will not. What has left the
    //! session, its parents and its whole environment behind is not found.
    QByteArray stopScript;
    //! Prints how it stands, for readCommandState(); once it has ended, removes its files. With
    //! marks there is nothing left to tell after the end, but for a background command.
    QByteArray resultScript;
};

//! Of random bytes: letters and digits.
QByteArray newRunId();

//! Why the service need not be asked at all (InvalidInput).
std::optional<domain::Error> commandProblem(const domain::CommandSpec &command);

//! \a runId: from newRunId(). Everything of the command is carried byte by byte: text, arguments,
//! directory, environment. Its processes carry BERTH_RUN in their environment. Exit code, working
//! directory and exported variables are kept in ${TMPDIR:-/tmp}/.berth (0700) until they are told.
TrackedCommand trackedCommand(const domain::CommandSpec &command, const QByteArray &runId,
                              const TrackedOptions &options = {});

struct CommandState
{
    enum class Phase {
        //! No trace of it: it has not begun, or its files are gone.
        Unknown,
        Running,
        Ended,
        //! It surely did not start; why is in refusal.
        Refused,
    };
    Phase phase = Phase::Unknown;
    std::optional<domain::Error> refusal;
    //! As a shell tells it; 128 + signal may as well be an exit with that code.
    int code = 0;
    //! Ended by a signal, as far as a shell can tell it.
    bool wasSignalled = false;
    bool timedOut = false;
    //! stopScript has been there before it ended.
    bool wasStopped = false;
    //! nullopt: not tracked.
    std::optional<QByteArray> cwd;
    //! What differs from the environment that commands have anyway; nullopt: not tracked.
    std::optional<domain::Environment> environment;
};

//! What resultScript printed. Protocol when it makes no sense.
domain::Result<CommandState> readCommandState(const QByteArray &printed);
//! For Phase::Ended; the duration is the caller's.
domain::Outcome outcomeOf(const CommandState &state);

//! Separates what a command with marks wrote from what its script says about it. What others still
//! write behind the end is dropped.
class MarkReader
{
public:
    //! \a oneStream: stdout and stderr are one (a terminal).
    explicit MarkReader(QByteArray runId, bool oneStream = false);

    //! The command's own bytes among these; may hold back a few that could become a mark.
    QByteArray feed(domain::OutputStream stream, const QByteArray &bytes);
    //! At the end of a stream: what was held back.
    QByteArray rest(domain::OutputStream stream);

    //! Running, Refused or Ended once the script has said so. Ended only when both streams are
    //! through.
    [[nodiscard]] const CommandState &state() const { return m_state; }
    //! The script has said its last; Phase::Unknown now means that it made no sense.
    [[nodiscard]] bool isOver() const;

private:
    struct Stream
    {
        QByteArray held;
        bool over = false;
    };
    [[nodiscard]] Stream &stream(domain::OutputStream which);
    void take(const QByteArray &mark);

    QByteArray m_prefix;
    bool m_oneStream;
    std::array<Stream, 2> m_streams;
    std::optional<CommandState> m_end;
    CommandState m_state;
};

} // namespace berth::net
