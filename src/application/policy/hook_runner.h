// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/policy/hook_file.h"
#include "domain/id.h"
#include "domain/result.h"

#include <QtCore/QString>

#include <chrono>
#include <optional>
#include <stop_token>

namespace berth::application {

//! What a hook is told, as JSON on its standard input.
struct HookEvent
{
    HookMoment moment = HookMoment::BeforeTool;
    domain::ToolCallId toolCall;
    domain::ThreadId thread;
    domain::AgentId agent;
    QString tool;
    //! JSON text of an object.
    QString arguments;
    //! The whole line of a shell; or the path.
    QString command;
    QString cwd;
    //! "model", "user"
    QString origin;
    //! AfterTool: how it ended.
    QString outcome;
    std::optional<int> exitCode;
    bool isError = false;
};

struct HookVerdict
{
    bool allowed = true;
    //! Of a denial: what the model is told. Of AfterTool: what went wrong with a hook.
    QString reason;
    //! The program that denied, for the audit; empty: the hooks could not be read.
    QString hook;
};

struct HookLimits
{
    //! Of each hook before a tool; of all those after it together.
    std::chrono::milliseconds deadline = std::chrono::seconds(10);
    //! Standard output and standard error together.
    qsizetype output = 64 * 1024;
};

//! Runs the user's hooks, in the order of the file, each with an environment of PATH, HOME and LANG
//! only. Exit 0 allows, 2 denies with standard error as the reason, anything else denies: another
//! status, a signal, too late, too much output, not startable, hooks that may not be read. When a
//! hook is over, nothing that it started in its session or below it is left.
class HookRunner
{
public:
    explicit HookRunner(QString path, HookLimits limits = {});

    //! Fails only with Cancelled. A hook that denies ends the row.
    [[nodiscard]] domain::Async<HookVerdict> run(HookEvent event, std::stop_token stop) const;

private:
    QString m_path;
    HookLimits m_limits;
};

} // namespace berth::application
