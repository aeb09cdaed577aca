// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/process_contract.h"
#include "ui/models/runtime_text.h"

// The words for background commands and terminals.
namespace berth::ui {

//! "Running", "exit 0", "Not known".
StateText stateOf(const application::ProcessView &process);
//! The title that was given, else the command, on one line and with nothing hidden in it.
QString titleOf(const application::ProcessView &process);
//! "2 m 3 s · 14 kB"
QString factsOf(const application::ProcessView &process, const QDateTime &now);
bool hasEnded(const application::ProcessView &process);

} // namespace berth::ui
