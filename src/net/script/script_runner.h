// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QByteArray>

#include <chrono>
#include <stop_token>

namespace berth::net {

struct ScriptRequest
{
    //! For `/bin/sh -c`: printable ASCII, tabs and newlines, so that it may go through JSON.
    QByteArray script;
    //! What the script finds on its standard input, at most ScriptRunner::largestInput() bytes.
    QByteArray input;
    //! Of the script in the sandbox.
    std::chrono::milliseconds timeout{30000};
};

struct ScriptResult
{
    //! As a shell tells it: 128 + signal for one that was killed.
    int code = 0;
    QByteArray out;
    QByteArray err;
};

//! "Run this POSIX shell text and give me what it printed": all that ScriptFileSystem needs of a
//! service. A script that fails is a result with its code; an Error means that it is not known
//! whether it ran (Unavailable, Timeout, Protocol) or that it surely did not.
class ScriptRunner
{
public:
    virtual ~ScriptRunner();
    virtual domain::Async<ScriptResult> run(ScriptRequest request, std::stop_token stop) = 0;
    //! Bytes of ScriptRequest::input that one call takes.
    [[nodiscard]] virtual qint64 largestInput() const;
    //! Bytes of ScriptResult::out that one call surely brings back.
    [[nodiscard]] virtual qint64 largestOutput() const;
    //! Input and output may hold any byte; else both are kept to printable ASCII and newlines.
    [[nodiscard]] virtual bool isBinarySafe() const;
};

//! Script and input in one text, for services whose commands have no standard input. The input has
//! to be text, as it is for a runner that is not binary-safe.
QByteArray scriptWithInput(const ScriptRequest &request);

//! One word for a POSIX shell that stands for exactly these bytes (no NUL), itself printable ASCII
//! and newlines only.
QByteArray shellWord(const QByteArray &bytes);

} // namespace berth::net
