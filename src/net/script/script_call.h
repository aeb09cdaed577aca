// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/file_system.h"
#include "net/script/script_runner.h"

#include <memory>

namespace berth::net {

//! One question about files, in shell text. It ends by saying `_x word`: "ok" or "more" is an
//! answer, other words are why not. What it printed before that is the answer's body.
struct ScriptCall
{
    QByteArray body;
    QByteArray input;
    //! For the words of an error: "Cannot read".
    QString what;
    domain::SandboxPath path;
};

struct ScriptAnswer
{
    QByteArray body;
    //! It ended with "more".
    bool hasMore = false;
};

domain::Async<ScriptAnswer> askByScript(std::shared_ptr<ScriptRunner> runner, ScriptCall call,
                                        std::stop_token stop);

//! Of a call's input and output, as its script sees them.
qint64 largestScriptInput(const ScriptRunner &runner);
qint64 largestScriptOutput(const ScriptRunner &runner);

//! Sets a variable to a path that no tool takes for an option.
QByteArray pathVariable(const char *name, const domain::SandboxPath &path);

} // namespace berth::net
