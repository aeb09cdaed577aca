// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace berth::ui {

//! Lets assistive technology read a terminal's visible text, its cursor and its selection.
//! Harmless to call again.
void installTerminalAccessibility();

} // namespace berth::ui
