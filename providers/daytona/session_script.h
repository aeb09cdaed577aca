// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/shell.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>

#include <optional>

// What a command of a session is made of, and what its log says. A session's log is text: lines
// get a label and a newline, NUL is lost, and its reader takes one byte at a time. So the command's
// output goes through it in base64 while it is little; what is more waits beside it in files of at
// most 64 KiB, which the log only names, and is fetched from there. That bounds the log and the
// disk, and holds a command up that nobody listens to.
namespace berth::daytona {

//! How a command was begun; stands in the first line of the session's command.
struct RunMark
{
    QByteArray runId;
    bool background = false;
    bool input = false;
    QByteArray tag;
};

//! The whole text for the session. \a script: of net::trackedCommand(), with marks. \a hasWrap: the
//! sandbox's base64 knows -w0.
QByteArray sessionCommand(const RunMark &mark, const QByteArray &script, bool hasWrap);
//! Followed by its caller alone, and no more than a script and its output.
bool isPlain(const RunMark &mark, const QByteArray &script);
//! A command for a session that runs plain ones, one after the other, as they come by its input.
QByteArray residentCommand(bool hasWrap);
//! \a command, of a session, is such a one.
bool isResident(const QByteArray &command);
QByteArray residentInput(const QByteArray &runId, const QByteArray &script);
//! For a terminal: puts the script where "exec /bin/sh ./s" finds it, and prints the directory.
QByteArray prepareScript(const QByteArray &runId, const QByteArray &script);
//! nullopt: not one of those.
std::optional<RunMark> runMark(const QByteArray &sessionCommand);

//! Bytes that one stream has had.
struct Piece
{
    domain::OutputStream stream = domain::OutputStream::Stdout;
    //! 0: the bytes are here; else the number of the file that has them.
    int file = 0;
    qint64 size = 0;
    QByteArray bytes;
    //! Instead of bytes: a resident has this run behind it.
    QByteArray freeAgain;
};

//! Lines of a log, with labels or without, cut anywhere.
class SessionLog
{
public:
    QList<Piece> feed(QByteArrayView bytes);
    //! Bytes so far: where to go on after the connection was lost.
    [[nodiscard]] qint64 position() const { return m_position; }
    //! What is no line of ours, bounded: the shell's own words.
    [[nodiscard]] QByteArray noise() const { return m_noise; }

private:
    void line(QByteArray text, QList<Piece> &pieces);

    QByteArray m_rest;
    QByteArray m_noise;
    qint64 m_position = 0;
};

//! Prints which of the named files of a run are there, and what is in them all. Removes \a done
//! before.
QByteArray fetchScript(const QByteArray &runId, const QList<std::pair<char, int>> &done,
                       const QList<std::pair<char, int>> &wanted);
//! For each of \a pieces its bytes, or nullopt when they are not there any more; nullopt for
//! nonsense.
std::optional<QList<std::optional<QByteArray>>> readFetched(const QByteArray &printed,
                                                            const QList<Piece> &pieces);
//! Somebody follows it again; code 3 when it is not there.
QByteArray followScript(const QByteArray &runId);
//! Nobody follows it for now: its output makes room for newer one.
QByteArray leaveScript(const QByteArray &runId);
//! Removes what the run left.
QByteArray clearScript(const QByteArray &runId);

struct RunCounts
{
    QByteArray runId;
    qint64 pid = 0;
    bool ended = false;
    qint64 out = 0;
    qint64 err = 0;
};
//! Prints a line for each run that is there.
QByteArray countScript();
QList<RunCounts> readCounts(const QByteArray &printed);

//! A line of input for the session's command; more than inputPiece bytes do not fit.
QByteArray inputLine(const QByteArray &bytes);
constexpr qsizetype kInputPiece = 24 * 1024;

} // namespace berth::daytona
