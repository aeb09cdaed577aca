// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace berth::ui {

//! Lets assistive technology know charts as charts, with the summary that each keeps as its
//! description. Harmless to call again.
void installChartAccessibility();

} // namespace berth::ui
