// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widget/support/scripted_engine.h"

namespace berth::shots {

//! A day's worth of work, as somebody would have it: threads, providers and runtimes in all states,
//! long names, another script.
void fill(test::ScriptedEngine &engine);
//! Tells \a minutes of samples of all that runs, up to now, with a gap in one of them.
void tellHistory(test::ScriptedEngine &engine, int minutes);
//! A thread with a run of each outcome; its last call is still running.
domain::ThreadId conversation(test::ScriptedEngine &engine);
//! A thread in which an agent works: Markdown, tools, a change.
domain::ThreadId agentConversation(test::ScriptedEngine &engine);
//! Models in all states, agents, presets, rules, and what was done.
void fillAgents(test::ScriptedEngine &engine);

} // namespace berth::shots
