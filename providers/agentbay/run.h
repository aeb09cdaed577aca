// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QByteArray>

#include <array>
#include <chrono>

namespace berth::agentbay {

//! How far one stream of a command in the background was read. It is kept in files of at most
//! 384 KiB of which there are never more than three, so that nobody's output fills the disk.
struct Reading
{
    qint64 segment = 0;
    qint64 offset = 0;
    //! Nothing comes any more.
    bool isOver = false;
};
using Readings = std::array<Reading, 2>;

//! Starts \a script in the background, with both streams into files below
//! ${TMPDIR:-/tmp}/.berth-run-<run>. With \a isUploaded its text is in ${TMPDIR:-/tmp}/.berth-<run>
//! already.
QByteArray launchScript(const QByteArray &run, const QByteArray &script, bool isUploaded);
//! Waits until there is something of a stream that is wanted (not 0), at most so long, and prints
//! at most so many bytes of it.
QByteArray lookScript(const QByteArray &run, const Readings &at,
                      const std::array<qint64, 2> &wanted, std::chrono::milliseconds longest);
QByteArray clearScript(const QByteArray &run);

struct Look
{
    //! The files are there no more, or were not made.
    bool isGone = false;
    std::array<QByteArray, 2> bytes;
    Readings next;
};
//! Protocol when it is not whole: the service may have cut it.
domain::Result<Look> readLook(const QByteArray &printed, const Readings &at,
                              const std::array<qint64, 2> &wanted);

} // namespace berth::agentbay
