// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"

namespace berth::cli {

//! What a command wrote, kept for --json.
struct KeptOutput
{
    QByteArray out;
    QByteArray err;
    //! More came than is kept.
    bool truncated = false;
};

//! Per stream; more would be no use in one JSON object.
inline constexpr qsizetype kMostKept = 16 * 1024 * 1024;

//! Passes the output of a tool call on while it comes (or keeps it, with \a kept), until it has
//! ended.
domain::Async<application::ToolCallView> follow(Context context, domain::ToolCallId toolCall,
                                                std::shared_ptr<KeptOutput> kept);

//! Follows what \a started began and says at the end how it went; the exit code to pass on. \a
//! quiet: no note when the command simply ended.
domain::Async<int> followToEnd(Context context, application::Started started, bool quiet);

//! While a command that began something has not answered: an interrupt cancels it, and what was
//! begun all the same is stopped by followToEnd().
void cancelOnInterrupt(const Context &context);

} // namespace berth::cli
