// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "ui/models/runtime_text.h"

// The words for threads and tool calls, the same on screen and for assistive technology.
namespace berth::ui {

//! "Active", "Paused", "Not started yet".
StateText stateOf(const application::ThreadView &thread);
//! "docker · python:3.12-slim · active 4 m"
QString bindingText(const application::ThreadView &thread, const QDateTime &now);
//! How it ended, or what it does: "exit 0", "stopped", "running".
StateText outcomeOf(const application::ToolCallView &call);
//! "Run command"
QString verbOf(const application::ToolCallView &call);
QString verbOf(const QString &tool);
//! "12 ms", "18.4 s", "3 m 12 s"
QString durationText(qint64 ms);
//! What it took, or takes by now; empty where it never ran.
QString durationOf(const application::ToolCallView &call, const QDateTime &now);
//! "peak 212 MB · 1.3 s CPU": what it used at its most; empty where nothing was measured.
QString resourcesText(const application::ToolCallView &call);
//! Its output is a stream to be read; other tools have their result at hand.
bool isShell(const application::ToolCallView &call);
//! "+2 −1" of an edit's unified diff; empty: none.
QString changesText(const QString &diff);
//! It has read a picture of the sandbox, which is shown in place of its result.
bool showsPicture(const application::ToolCallView &call);
bool isUnderWay(const application::ToolCallView &call);
bool isFailed(const application::ToolCallView &call);

} // namespace berth::ui
