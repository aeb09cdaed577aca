// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"

namespace berth::cli {

//! Follows an agent's run to its end: its words on standard output, its tool calls and what it
//! waits for on standard error. 0: it is done; 1: it failed, was stopped, or waits for what only
//! the user can decide.
domain::Async<int> followRun(Context context, application::Started started);

} // namespace berth::cli
