// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArrayView>
#include <QtCore/QString>

namespace berth::application {

//! How much of a command's output a model is given. Characters are UTF-16 units, as QString counts.
struct ModelOutputLimits
{
    //! Of the whole text, marks included; fewer than 256 are taken as 256.
    qint64 characters = 30'000;
    //! Of one line; what is behind is told by its length.
    qint64 lineCharacters = 2000;
};

//! What a model reads of a command's output: all of it where it fits, else its first 60 % and last
//! 40 % in whole lines, with a line between them that tells the bytes and lines left out. Terminal
//! controls are gone, a progress bar is its last state, what is not UTF-8 is U+FFFD, NUL is U+2400,
//! binary output is told by type and size only, and no output by "(no output)".
QString modelOutput(QByteArrayView all, ModelOutputLimits limits = {});

//! The same of the OutputLog at \a path (as OutputLog::create() got it) without reading its middle.
//! \a total: bytes that the command wrote, when the log could not store all of them; the text then
//! says so. A log that is not there is said in words.
QString modelOutputOfFile(const QString &path, qint64 total, ModelOutputLimits limits = {});

} // namespace berth::application
